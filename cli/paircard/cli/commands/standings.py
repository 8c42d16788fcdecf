"""``standings crosstable tiebreaks``, for people, spreadsheets, programs and web pages."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace

from paircard.cli.input_files import REPORT, read_report_file
from paircard.cli.options import CSV, ENCODING, PAGE, forms
from paircard.cli.output import points, remark, show_table
from paircard.cli.refusals import Misused
from paircard.cli.session import Session, prints, reads
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.messages import Message
from paircard.domain.values.results import decimal
from paircard.domain.values.rules import RULES
from paircard.pairing.explain.speaking import RoundSpeaker, Who
from paircard.pairing.lab.tiebreaks import NONE
from paircard.projections.categories import categories_of
from paircard.projections.round.cards import Card, cards
from paircard.projections.round.crosstable import Crosstable, Entry, entry
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.standings import (
    Game,
    Ranking,
    Standing,
    announced_tiebreaks,
    grid,
    open_games,
    remarks_on_leavers,
    value_texts,
)
from paircard.projections.standings.tiebreaks import Explanation, headings, parse_list, text
from paircard.service import Group, Moment, Standings
from paircard.service.explaining import place_line
from paircard.service.exports import csv_text
from paircard.service.print.rendering import MARKS, event_of_report
from paircard.service.print.standings import crosstable_at, standing_lines, standings_at, standings_page
from paircard.service.views import described_lines, placed, standings_of


@click.command()
@click.option(
    "--round", "--after", "round", type=int, help="Standings after this round; default: the last finished."
)
@click.option("--final", is_flag=True, help="Refuse unless the event is over and no game is open.")
@click.option("--explain", "who", metavar="PLAYER", help="Show the arithmetic of one player's values.")
@click.option(
    "--between", nargs=2, metavar="PLAYER PLAYER", help="Say why one of two players is above the other."
)
@click.option("--category", metavar="NAME", help="Only an announced category, with places within it.")
@click.option(
    "--where",
    "conditions",
    multiple=True,
    metavar="CONDITION",
    help="Only who meets it: women, U16, S65, unrated, rating<1800, birth>=2010, club=Trento; several: all.",
)
@forms(csv=CSV, html=PAGE)
@reads
def standings(
    session: Session,
    round: int | None,
    final: bool,
    who: str | None,
    between: tuple[str, str] | None,
    category: str | None,
    conditions: tuple[str, ...],
) -> None:
    """Show the standings, by points and the announced tie-breaks.

    Example: paircard standings --round 1
    """
    view = session.view()
    if who is not None:
        tell_values(session, view.explain_standing(view.player(who), round))
        return
    if between is not None:
        one, other = map(view.player, between)
        compared = view.compare_standings(one, other, round)
        names = {row.id: Who(0, row.name) for row in view.crosstable(round).rows}
        said = RoundSpeaker(names).say(place_line(compared))
        if not session.shown({"comparison": compared, "text": said}):
            click.echo(said)
        return
    if category is not None or conditions:
        found_group = view.group(category, round) if category else view.group_where(conditions, round)
        tell_group(session, view, found_group)
        return
    if final and round not in (None, view.state.paired):
        raise Misused("cli.final-or-round")
    found, columns = view.standings(round, final=final), announced_tiebreaks(view.state)
    after, fide_mode = found.after, view.state.fide_mode

    def csv() -> str:
        return standings_csv(view.crosstable(after), columns, found.standings, groups_of(view), fide_mode)

    if not session.shown(found, csv=csv, html=partial(standings_at, view, after)):
        print_standings(view.regulations.name, found, columns, fide_mode)


def groups_of(view: Moment) -> list[str]:
    """Names of the announced categories."""
    return [one.name for one in categories_of(view.state)]


def tell_group(session: Session, view: Moment, found: Group) -> None:
    """A category: places within it and overall, and who may belong to it but lacks the data that decides."""
    fide_mode = view.state.fide_mode
    lines = [
        [one.place, one.standing.rank, one.standing.name, one.standing.score, one.reason.text]
        for one in found.players
    ]
    if found.unknown:
        remark(Message("prizes.unknown-in", {"name": found.category, "names": found.unknown}))

    def csv() -> str:
        standings = [one.standing for one in found.players]
        heading, *rows = standings_rows(announced_tiebreaks(view.state), standings)
        made = [[one[0], *row, one[-1]] for one, row in zip(lines, rows, strict=True)]
        return csv_text(["place", "place_of_all", *heading[1:], "reason"], made, fide_mode)

    if not session.shown(found, csv=csv, html=partial(standings_at, view, found.after, within=found)):
        show_table("cli.table.group", lines, title=found.category, fide_mode=fide_mode)


def tell_values(session: Session, made: Sequence[Explanation]) -> None:
    """The arithmetic of one player's values."""
    if not session.shown(made):
        click.echo("\n\n".join(map(text, made)))


ABOUT: Final = ("sex", "birth", "club")


def about(line: Standing, groups: Sequence[str]) -> list[object]:
    """The fields that categories ask for, and the places within the categories."""
    return [*(getattr(line, name) for name in ABOUT), *(line.groups.get(name, "") for name in groups)]


def standings_rows(
    listed: Sequence[TieBreak],
    lines: Sequence[Standing],
    groups: Sequence[str] = (),
    waiting: Mapping[int, int] = {},
) -> list[list[object]]:
    """The standings as a spreadsheet takes them, with the fields that categories ask for and places within
    them. A column more while games are to be finished."""
    codes = ["points" if each.kind == "points" else each.code for each in listed]
    who = ("number", "title", "name", "federation", "rating")
    last = [*ABOUT, *groups, *(["games_to_finish"] if waiting else [])]
    rows: list[list[object]] = [["place", *who, *codes, "decided_by", "status", *last]]
    for line in lines:
        person = [getattr(line, name) or "" for name in who]
        row: list[object] = [line.rank or "", *person, *value_texts(line, listed, none="")]
        row += [line.parted_by, line.status, *about(line, groups)]
        rows.append([*row, waiting.get(line.id, 0)] if waiting else row)
    return rows


def standings_csv(
    table: Crosstable,
    listed: Sequence[TieBreak],
    lines: Sequence[Standing],
    groups: Sequence[str] = (),
    fide_mode: bool = True,
) -> str:
    """The standings of a crosstable for a spreadsheet."""
    waiting = Counter(row.id for _, *pair in open_games(table) for row in pair)
    heading, *rows = standings_rows(listed, lines, groups, waiting)
    return csv_text(heading, rows, fide_mode)


def print_standings(name: str, found: Standings, listed: Sequence[TieBreak], fide_mode: bool = True) -> None:
    """The standings as a table for people, with what parted a player from the one above."""
    said = Message("cli.title.final" if found.final else "cli.title.standings", {"round": found.after})
    waiting = [Message("cli.title.to-finish", {"count": found.open_games})] if found.open_games else []
    several = len(listed) > 1
    kinds = [each.kind for each in listed]
    rows = []
    for line in found.standings:
        rest = iter(line.values)
        values = [line.score if kind == "points" else next(rest) for kind in kinds]
        who = [line.title, line.name, line.rating or "–", line.federation]
        decided = [line.parted_by.replace("PTS", "points")] if several else []
        rows.append([line.rank or "–", line.number or "–", *who, *values, *decided, line.status])
    show_table(
        "cli.table.standings" if several else "cli.table.points",
        rows,
        title=Message("cli.title.of", {"name": name, "causes": [said, *waiting]}),
        fide_mode=fide_mode,
        more=[">Points" if each.kind == "points" else f">{each.code}" for each in listed],
    )


@click.command()
@click.option("--round", "round", type=int, help="Crosstable after this round; default: the last round.")
@click.option(
    "--rating", is_flag=True, help="As in the rating report, with the corrections that count there alone."
)
@click.option("--floats", is_flag=True, help="With the float of each round: ↓ down, ↑ up.")
@click.option("--running", is_flag=True, help="With the score after each round.")
@forms(csv=CSV, html=PAGE)
@reads
def crosstable(session: Session, round: int | None, rating: bool, floats: bool, running: bool) -> None:
    """Show the crosstable: opponent, colour and result of every player's rounds, as scheduled.

    11b+ is a game won by forfeit: the two have not met, and the colour does not count. A round robin has a
    column for each opponent, by number: b½ is a draw with Black, r5 the open game of round 5.

    Example: paircard crosstable
    """
    view = session.view()
    if rating and round not in (None, view.state.paired):
        raise Misused("cli.rating-or-round")
    table = view.crosstable(round, for_rating=rating)
    after, fide_mode = table.paired, view.state.fide_mode
    html = partial(crosstable_at, view, after, for_rating=rating, floats=floats, running=running)
    if RULES[view.regulations.edition].grid:
        show_grid(session, view, table, html)
        return
    made = cards(table, view.regulations.edition) if floats or running else {}
    marks = Marks(cards=made, floats=floats, running=running)
    lines = described_lines(view.state, table)
    csv = partial(crosstable_csv, table, lines, fide_mode, marks, groups_of(view))
    whole = placed(table, lines)
    if session.shown(marks.rows(whole) if made else whole, html=html, csv=csv):
        return
    print_crosstable(table, lines, marks, fide_mode)


def show_grid(session: Session, view: Moment, table: Crosstable, html: Callable[[], str]) -> None:
    """The crosstable of a round robin: a row and a column for each player, in the order of the standings."""
    lines, fide_mode = described_lines(view.state, table), view.state.fide_mode
    made = grid(table, lines)
    texts = [[" ".join(map(game_text, games)) for games in line.games] for line in made]

    def csv() -> str:
        against, groups = [f"against_{line.number}" for line in lines], groups_of(view)
        heading = ["place", "number", "name", *against, "points", "status", *ABOUT, *groups]
        rows: list[list[object]] = []
        for line, cells in zip(lines, texts, strict=True):
            who = [line.rank or "", line.number, line.name]
            rows.append([*who, *cells, decimal(line.points, 1), line.status, *about(line, groups)])
        return csv_text(heading, rows, fide_mode)

    if session.shown({**msgspec.to_builtins(placed(table, lines)), "grid": made}, html=html, csv=csv):
        return
    rows = []
    for at, (line, cells) in enumerate(zip(lines, texts, strict=True)):
        cells[at] = "■"  # nobody meets themself
        rows.append((line.rank or "–", line.number, line.name, *cells, points(line.points)))
    show_table("cli.table.grid", rows, more=[f"^{line.number}" for line in lines], fide_mode=fide_mode)


def game_text(game: Game) -> str:
    """A game of a round robin: ``w1``, ``b½``; an open one by its round, ``r5``."""
    return f"{game.colour}{MARKS.get(game.letter, game.letter)}" if game.letter else f"r{game.round}"


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What a crosstable says of each round besides opponent, colour and result."""

    cards: dict[int, Card] = {}
    floats: bool = False
    running: bool = False

    def text(self, player: int, round: int) -> str:
        """``↓ 2½`` behind the round of a player."""
        if not self.cards:
            return ""
        line = self.cards[player].lines[round - 1]
        arrow = {"d": "↓", "u": "↑"}.get(line.float, "") if self.floats else ""
        return f"{arrow} {points(line.score)}" if self.running else arrow

    def columns(self, round: int) -> list[str]:
        """Columns of a spreadsheet behind that of a round."""
        return [f"float_{round}"] * self.floats + [f"score_{round}"] * self.running

    def values(self, player: int, round: int) -> list[str]:
        """Their values."""
        if not self.cards:
            return []
        line = self.cards[player].lines[round - 1]
        return [line.float.replace("-", "")] * self.floats + [decimal(line.score, 1)] * self.running

    def rows(self, table: Crosstable) -> object:
        """The crosstable for programs, with floats and scores (tenths) by round in each row."""
        made = msgspec.to_builtins(table)
        for row in made["rows"]:
            lines = self.cards[row["id"]].lines
            row |= {"floats": "".join(line.float for line in lines)} if self.floats else {}
            row |= {"running": [line.score for line in lines]} if self.running else {}
        return made


def entry_text(now: Entry, numbers: dict[int, int]) -> str:
    """A round of a player in a crosstable: ``12w1``, or the letter of a bye."""
    return f"{numbers[now.opponent]}{now.colour}{now.letter}" if now.opponent else f"– {now.letter}"


def crosstable_csv(
    table: Crosstable,
    lines: Sequence[Standing],
    fide_mode: bool,
    marks: Marks,
    groups: Sequence[str] = (),
) -> str:
    """The crosstable as a spreadsheet takes it, in order of pairing number."""
    numbers = {row.id: row.number for row in table.rows}
    standing = {line.id: line for line in lines}
    rounds = range(1, table.paired + 1)
    columns = [name for n in rounds for name in (f"round_{n}", *marks.columns(n))]
    heading = ["number", "name", "rating", *columns, "points", "place", *ABOUT, *groups]
    rows: list[list[object]] = []
    for row in table.rows:
        made: list[object] = [row.number or "", row.name, row.rating or ""]
        for n in rounds:
            made += [entry_text(entry(row, n), numbers).removeprefix("– "), *marks.values(row.id, n)]
        mine = standing[row.id]
        rows.append([*made, decimal(mine.points, 1), mine.rank or "", *about(mine, groups)])
    return csv_text(heading, rows, fide_mode)


def print_crosstable(table: Crosstable, lines: Sequence[Standing], marks: Marks, fide_mode: bool) -> None:
    """The crosstable as a table for people, in order of pairing number."""
    numbers = {row.id: row.number for row in table.rows}
    total = {line.id: line.points for line in lines}
    rounds, rows = range(1, table.paired + 1), []
    for row in table.rows:
        games = [entry_text(entry(row, n), numbers) + marks.text(row.id, n) for n in rounds]
        rows.append((row.number or "–", row.name, row.rating or "–", *games, points(total[row.id])))
    show_table("cli.table.crosstable", rows, more=[f">{n}" for n in rounds], fide_mode=fide_mode)


@click.command()
@click.argument("path", type=REPORT, metavar="FILE")
@click.option(
    "--list",
    "wanted",
    default="",
    help="Tie-breaks in their order, like BH/C1,BH,SB; else record 202 or 212.",
)
@click.option(
    "--round", "after", type=click.IntRange(min=1), help="Standings after this round; else all rounds paired."
)
@click.option("--round-robin", is_flag=True, help="Treat unplayed games as in a round robin (C.07:15.2).")
@click.option(
    "--explain", "number", type=int, metavar="NUMBER", help="Show the arithmetic of one player's values."
)
@forms(tsv="Tab-separated values by starting number, one line for each player.", csv=CSV, html=PAGE)
@ENCODING
@prints
def tiebreaks(
    session: Session,
    path: Path,
    wanted: str,
    after: int | None,
    round_robin: bool,
    number: int | None,
    encoding: str,
) -> None:
    """Compute the tie-breaks of a report file (C.07, 2026).

    Prints the standings; with --tsv a line for each starting number, as checkers compare them.

    Example: paircard tiebreaks open.trf --list BH/C1,BH,SB,DE --explain 12
    """
    report, reading = read_report_file(path, encoding)
    table = reading.table
    if round_robin:
        table = replace(table, predetermined=True)
    asked = wanted or report.tiebreak_list
    if not asked:
        raise Invalid("cli.no-tie-breaks", path=str(path))
    listed = parse_list(asked, predetermined=table.predetermined)
    rounds = table.paired if after is None else after
    if rounds > table.paired:
        raise Unknown("cli.rounds-of-report", path=str(path), rounds=table.paired, round=rounds)
    for told in (*reading.notes, *remarks_on_leavers(table, rounds)):
        remark(told, path)
    if number is not None:
        row = next((row for row in table.rows if row.number == number), None)
        if row is None:
            raise Unknown("cli.no-such-number", path=str(path), number=number)
        tell_values(session, Ranking(table, rounds, listed).explanations(row.id))
        return
    lines = Ranking(table, rounds, listed).lines()
    event, table = event_of_report(report, path.stem), replace(table, paired=rounds)
    final = rounds >= table.rounds and not open_games(table)
    found = standings_of(table, listed, lines, final=final)
    if not session.shown(
        found,
        csv=lambda: standings_csv(table, listed, lines),
        html=lambda: standings_page(event, found, table.rounds, listed, standing_lines(table, lines)),
        tsv=lambda: standings_tsv(lines, asked, listed),
    ):
        print_standings(event.name, found, listed)


def standings_tsv(lines: Sequence[Standing], asked: str, listed: tuple[TieBreak, ...]) -> str:
    """A line for each starting number, as checkers compare them."""
    rows = [["StartNo", "Rank", *headings(asked, listed)]]
    for line in sorted(lines, key=lambda line: line.number):
        rows.append([str(line.number), str(line.rank), *value_texts(line, listed, NONE)])
    return "".join("\t".join(row) + "\n" for row in rows)
