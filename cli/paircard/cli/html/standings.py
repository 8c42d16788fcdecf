"""Standings and crosstable as one HTML file each: no network, no script; for screen, phone and paper."""

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

import msgspec

from paircard.cli.output import points
from paircard.domain.values.results import PLAYED
from paircard.projections.round.crosstable import Crosstable, Entry, Row, entry
from paircard.projections.standings.standings import Standing, open_games
from paircard.projections.standings.tiebreaks.codes import ARTICLES, POINTS, TieBreak
from paircard.projections.standings.tiebreaks.values import decimals, shown

MARKS: Final = {"=": "½", "D": "½", "W": "1", "L": "0", "-": "−", "?": "?", "": "·"}
"""How a letter is shown where it is not itself."""

BYES: Final = {"H": "half-point bye", "F": "full-point bye", "U": "bye", "Z": "absent"}
SIDES: Final = {"w": "White", "b": "Black"}
EXTRA: Final = 2
"""Tie-break columns that a phone shows; the others appear on wider screens and on paper."""


@cache
def style() -> str:
    """The style sheet, which goes into every page."""
    return files("paircard.cli.html").joinpath("page.css").read_text(encoding="utf-8")


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What stands above a table."""

    name: str
    facts: tuple[str, ...] = ()
    """Place, days, arbiter and the like, those that are known."""


def page(
    heading: Heading,
    moment: str,
    notes: Sequence[str],
    body: str,
    *,
    landscape: bool = False,
    css: str = "",
    foot: str = "Tie-breaks by FIDE C.07, in force 1 March 2026.",
) -> str:
    """A whole HTML file."""
    paper = "@page { size: A4 landscape; }" if landscape else ""
    facts = f'<p class="facts">{escape(" · ".join(heading.facts))}</p>' if heading.facts else ""
    said = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading.name)}: {escape(moment)}</title>\n<style>\n{style()}{css}{paper}</style>\n"
        f"</head>\n<body>\n"
        f"<header><h1>{escape(heading.name)}</h1><h2>{escape(moment)}</h2>{facts}{said}</header>\n"
        f"{body}\n<footer>Made by Paircard. {escape(foot)}</footer>\n"
        f"</body>\n</html>\n"
    )


def moment(table: Crosstable, after: int) -> tuple[str, list[str]]:
    """How the standings are called, and what keeps them from being final."""
    waiting = open_games(table, after)
    notes = []
    if waiting:
        games = "1 game has" if len(waiting) == 1 else f"{len(waiting)} games have"
        notes.append(f"Provisional: {games} no result yet.")
    if after >= table.rounds and not waiting:
        return "Final standings", notes
    return f"Standings after round {after} of {table.rounds}", notes


def standings_page(
    heading: Heading, table: Crosstable, after: int, listed: Sequence[TieBreak], lines: Sequence[Standing]
) -> str:
    """The standings; a name opens to the player's games."""
    rest = [each for each in listed if each != POINTS]
    rows = {row.id: row for row in table.rows}
    head = (
        '<tr><th>Place</th><th class="wide">No.</th><th class="left">Name</th><th class="wide">Rating</th>'
        '<th class="left wide">Fed.</th><th>Points</th>'
        + "".join(f"<th{wide(at)}>{escape(each.code)}</th>" for at, each in enumerate(rest))
        + "</tr>"
    )
    body = "".join(standing_row(line, rest, rows, after) for line in lines)
    what, notes = moment(table, after)
    return page(heading, what, notes, sheet(head, body) + legend(rest, lines))


def sheet(head: str, body: str, kind: str = "") -> str:
    """A table that scrolls sideways where it must."""
    marked = f' class="{kind}"' if kind else ""
    inside = f"<thead>{head}</thead>\n<tbody>\n{body}</tbody>"
    return f'<div class="scroll"><table{marked}>\n{inside}\n</table></div>\n'


def wide(at: int) -> str:
    """The class of a tie-break column that a phone leaves out."""
    return ' class="wide"' if at >= EXTRA else ""


def standing_row(line: Standing, rest: Sequence[TieBreak], rows: Mapping[int, Row], after: int) -> str:
    """One line of the standings, the value that decided it set off."""
    played = games(rows[line.id], rows, after)
    cells = [
        f'<td class="place">{line.rank or "–"}</td>',
        f'<td class="wide soft">{line.number or ""}</td>',
        f'<td class="who"><details><summary>{named(line)}</summary>{played}</details></td>',
        f'<td class="wide">{line.rating or ""}</td>',
        f'<td class="left wide soft">{escape(line.federation)}</td>',
        f'<td class="points">{points(line.points)}</td>',
    ]
    for at, (each, value) in enumerate(zip(rest, line.tiebreaks, strict=True)):
        words = [*(["wide"] if at >= EXTRA else []), *(["decided"] if each.code == line.parted_by else [])]
        marked = f' class="{" ".join(words)}"' if words else ""
        cells.append(f"<td{marked}>{shown(value, decimals(each))}</td>")
    out = ' class="out"' if line.rank == 0 else ""
    return f"<tr{out}>{''.join(cells)}</tr>\n"


def named(player: Standing | Row) -> str:
    """Title, name and what became of the player."""
    title = f'<span class="title">{escape(player.title)}</span> ' if player.title else ""
    became = f' <span class="soft">({escape(player.status)})</span>' if player.status else ""
    return f"{title}{escape(player.name or f'Number {player.number}')}{became}"


def games(row: Row, rows: Mapping[int, Row], after: int) -> str:
    """The player's rounds as a list."""
    items = []
    for round in range(1, after + 1):
        now = entry(row, round)
        if now.opponent:
            other = rows[now.opponent]
            with_colour = f"{SIDES[now.colour]} against " if now.colour in SIDES else ""
            forfeit = "" if now.letter in PLAYED or not now.letter else " (forfeit)"
            name = escape(other.name or f"number {other.number}")
            items.append(f"<li><b>{mark(now)}</b> {with_colour}{name}{forfeit}</li>")
        else:
            items.append(f"<li>{BYES.get(now.letter, now.letter)}</li>")
    return f"<ol>{''.join(items)}</ol>"


def mark(now: Entry) -> str:
    """A result as people write it."""
    return MARKS.get(now.letter, now.letter)


def legend(rest: Sequence[TieBreak], lines: Sequence[Standing]) -> str:
    """What the columns mean, and what else parted players."""
    items = [
        f"<dt>{escape(each.code)}</dt><dd>{escape(each.title)}"
        + (f" (C.07:{ARTICLES[each.name]})" if each.name in ARTICLES else "")
        + "</dd>"
        for each in rest
    ]
    methods = {line.parted_by for line in lines}
    if methods & {each.code for each in rest}:
        items.append("<dt>Bold</dt><dd>the value that put a player below the one above</dd>")
    if "lots" in methods:
        items.append("<dt>Lots</dt><dd>parted those whom no tie-break did</dd>")
    if "hand" in methods:
        items.append("<dt>Decision</dt><dd>of the arbiter parted those whom no tie-break did</dd>")
    ranks = [line.rank for line in lines if line.rank]
    if len(set(ranks)) < len(ranks):
        items.append("<dt>Equal places</dt><dd>are shared; nothing parts these players</dd>")
    return f"<dl>{''.join(items)}</dl>" if items else ""


def crosstable_page(heading: Heading, table: Crosstable, after: int, lines: Sequence[Standing]) -> str:
    """The crosstable in the order of the standings: opponent's number, colour and result of each round."""
    rows = {row.id: row for row in table.rows}
    head = (
        '<tr><th>Place</th><th>No.</th><th class="left pin">Name</th><th class="wide">Rating</th>'
        + "".join(f"<th>{round}</th>" for round in range(1, after + 1))
        + '<th class="end">Points</th></tr>'
    )
    body = []
    for line in lines:
        cells = "".join(
            f"<td>{cell(entry(rows[line.id], round), rows, round)}</td>" for round in range(1, after + 1)
        )
        out = ' class="out"' if line.rank == 0 else ""
        body.append(
            f'<tr{out}><td class="place">{line.rank or "–"}</td><td class="soft">{line.number or ""}</td>'
            f'<td class="who pin">{named(line)}</td><td class="wide">{line.rating or ""}</td>{cells}'
            f'<td class="points end">{points(line.points)}</td></tr>\n'
        )
    what = f"Crosstable after round {after} of {table.rounds}"
    key = (
        '<dl><dt><span class="game w">12</span></dt><dd>White against number 12</dd>'
        '<dt><span class="game b">12</span></dt><dd>Black against number 12</dd>'
        '<dt><span class="game unplayed">12</span> + −</dt><dd>not played: won or lost by forfeit</dd>'
        "<dt>–</dt><dd>absent</dd></dl>"
    )
    whole = sheet(head, "".join(body), "cross") + key
    return page(heading, what, moment(table, after)[1], whole, landscape=after > 7)


def cell(now: Entry, rows: Mapping[int, Row], round: int) -> str:
    """One round of one player."""
    if not now.opponent:
        return f'<span class="soft" title="{BYES.get(now.letter, "")}">{bye_mark(now)}</span>'
    other = rows[now.opponent]
    kind = now.colour if now.letter in PLAYED or not now.letter else "unplayed"
    told = f"round {round}: {SIDES.get(now.colour, 'paired')}, {other.name or f'number {other.number}'}"
    return f'<span class="game {kind}" title="{escape(told)}">{other.number}</span> {mark(now)}'


def bye_mark(now: Entry) -> str:
    """A round without an opponent in a crosstable."""
    return {"H": "½ bye", "F": "1 bye", "U": "bye"}.get(now.letter, "–")
