"""A round and its reasons: ``why why-not explain candidates tabellone snapshot``. Nothing here writes."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import click
import msgspec

from paircard.cli.input_files import read_report_file
from paircard.cli.options import CSV, ENCODING, INTO, forms, gathered
from paircard.cli.output import line_width, points, print_line, remark, show_table
from paircard.cli.refusals import Misused, found_in, spoken
from paircard.cli.session import Session, reads, reads_text
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.messages import Message
from paircard.domain.speaking import ENGLISH, LANGUAGES
from paircard.domain.values.rules import NEWEST, RULES
from paircard.domain.values.text import is_number
from paircard.pairing.explain import bracket_lines
from paircard.pairing.explain.answers import bars_field
from paircard.pairing.explain.sieve import ROWS, Row, Sieve, sieve, sieves
from paircard.pairing.explain.speaking import RoundSpeaker, say
from paircard.projections.round.cards import Tabellone, TabelloneLine, tabellone
from paircard.projections.views import snapshot_of
from paircard.service import explaining
from paircard.service.explaining import Reasons, Round
from paircard.service.exports import Columns, table_csv
from paircard.service.print.explanations import explanation_page, why_page
from paircard.service.print.paper import tabellone_page
from paircard.service.print.rendering import Event, event_of, event_of_report


class OfReport(msgspec.Struct, frozen=True):
    """Which round of a report file, by which rules."""

    round: int | None
    edition: str | None
    encoding: str


about_a_round = gathered(
    "of",
    OfReport,
    click.option("--round", type=int, help="Round of a report file (default: the last one)."),
    click.option(
        "--edition",
        type=click.Choice(tuple(RULES)),
        help="Rules for a report file (default: its record 192, else dutch-2026).",
    ),
    ENCODING,
)
"""Options of a command that takes a round or a report file."""


class Meant(msgspec.Struct, frozen=True):
    """The round a command asks about, and what a page says above it."""

    round: Round
    event: Callable[[], Event]


def round_first(words: Sequence[str], *named: str) -> Any:
    """The round, None for the last one, and the words after it, which are named so."""
    if len(words) < len(named) or (len(words) == len(named) and is_number(words[0])):  # 4 is a round
        raise Misused("cli.missing-argument", text=named[-1])
    if len(words) > len(named) + 1:
        raise Misused("cli.unexpected.name", text=" ".join(words[len(named) + 1 :]))
    return words if len(words) > len(named) else (None, *words)


def round_meant(session: Session, what: str | None, of: OfReport) -> Meant:
    """The round meant by an argument."""
    if what is None or is_number(what):
        if of.round is not None or of.edition is not None:
            raise Misused("cli.options-of-a-report")
        view = session.view()
        number = None if what is None else int(what)
        return Meant(view.about(number), partial(event_of, view))
    path = Path(what)
    if not path.is_file():
        raise Unknown("cli.neither-round-nor-report", text=what)
    report, reading = read_report_file(path, of.encoding)
    if reading.system and not reading.edition and not of.edition:
        raise Invalid("cli.system-of-report", path=str(path), value=reading.system)
    with found_in(path):
        meant = explaining.round_of_report(reading, of.edition or reading.edition or NEWEST, of.round)
    for told in reading.adjustments:
        remark(told, path)
    return Meant(meant, partial(event_of_report, report, path.stem))


def round_or_next(session: Session, what: str | None, of: OfReport) -> Meant:
    """The round meant; default is the round that is to be paired next, if there is one."""
    if what is None or is_number(what):
        view = session.view()
        paired, rounds = view.state.paired, view.regulations.rounds
        if what == str(paired + 1) or (what is None and paired < rounds):
            return Meant(explaining.next_round(view.state), partial(event_of, view))
    return round_meant(session, what, of)


@click.command()
@click.argument("words", nargs=-1, metavar="[ROUND] PLAYER")
@about_a_round
@forms(html="Print a web page, to be read on a phone or handed out on paper.")
@reads
def why(session: Session, words: tuple[str, ...], of: OfReport) -> None:
    """Say why a player has this opponent and this colour.

    First for the player, then for the arbiter, with articles and values. ROUND is a round of the tournament
    (default: the last one); or a report file, with --round.

    Example: paircard why 1 Carlsen
    """
    what, player = round_first(words, "PLAYER")
    meant = round_meant(session, what, of)
    id = meant.round.player(player)
    tell(
        session,
        explaining.explain_why(meant.round, id),
        html=lambda: why_page(meant.event(), meant.round, id),
    )


@click.command(name="why-not")
@click.argument("words", nargs=-1, metavar="[ROUND] PLAYER PLAYER")
@about_a_round
@reads
def why_not(session: Session, words: tuple[str, ...], of: OfReport) -> None:
    """Say why two players do not meet: the rule that forbids it, or what would get worse.

    First for the players, then for the arbiter, with articles and values. ROUND is a round of the tournament
    (default: the last one); or a report file, with --round. "bye" in the place of a player asks about the
    bye.

    Example: paircard why-not 1 Carlsen Anand
    """
    what, one, other = round_first(words, "PLAYER", "PLAYER")
    meant = round_meant(session, what, of)
    a, b = meant.round.player_or_bye(one), meant.round.player_or_bye(other)
    tell(session, explaining.explain_why_not(meant.round, a, b))


@click.command()
@click.argument("what", metavar="[ROUND]", required=False)
@about_a_round
@forms(html="Print a web page, to be read on screen, on a phone or on paper.")
@click.option("--slides", "as_slides", is_flag=True, help="Tell it candidate by candidate, as a lesson.")
@click.option("--language", type=click.Choice(LANGUAGES), default=ENGLISH, help="Language of --slides.")
@reads
def explain(session: Session, what: str | None, of: OfReport, as_slides: bool, language: str) -> None:
    """Explain a round bracket by bracket (default: the last one).

    ROUND is a round of the tournament; or a report file, with --round. --slides tells how the round is found
    by hand: score groups, then each bracket with its candidates in order, what speaks against each, and which
    one is taken.

    Example: paircard explain 1 --html
    """
    meant = round_meant(session, what, of)
    round = meant.round
    if as_slides and not session.run.form:
        show_slides(session, round, language)
        return
    found = explaining.explain_round(round)
    if not session.shown(
        found, html=lambda: explanation_page(meant.event(), round, explaining.ask_explain(round))
    ):
        show_text((*found.text, applied(found.edition)))


def show_slides(session: Session, round: Round, language: str) -> None:
    """The round, heading by heading."""
    explaining.need_brackets(round)
    speaker = RoundSpeaker(round.people, language)
    told = [
        (speaker.say(one.title), speaker.say_all(one.lines)) for one in bracket_lines.slides(round.snapshot)
    ]
    pages = [{"title": title, "lines": lines} for title, lines in told]
    if session.shown({"round": round.snapshot.round, "slides": pages}):
        return
    for title, lines in told:
        show_text([title])
        show_text(f"  {line}" for line in lines)
        click.echo()
    show_text([f"({speaker.say(say(f'explain.edition.{round.snapshot.edition}'))}.)"])


def tell(session: Session, reasons: Reasons, **forms: Callable[[], str]) -> None:
    """An answer in words: for the player in a few plain lines and more, for the arbiter line by line."""
    if session.shown(reasons, **forms):
        return
    said = reasons.answer
    show_text(one.text for one in said.notes if one.key != explaining.VIRTUAL)
    show_text(one.text for one in said.plain)
    if said.plain and said.more:
        click.echo()
    if said.more:
        paragraph = " ".join(one.text for one in said.more)
        click.echo(fill(paragraph, line_width(), break_on_hyphens=False))
    if said.detail:
        click.echo()
        show_text(f"  {one.text}" for one in said.detail)
    show_text(one.text for one in said.notes if one.key == explaining.VIRTUAL)
    show_text([applied(reasons.edition)])


def show_text(lines: Iterable[str]) -> None:
    """Sentences, broken to the width of the terminal."""
    for each in lines:
        deep = " " * (len(each) - len(each.lstrip()) + 2)
        click.echo(fill(each, line_width(), subsequent_indent=deep, break_on_hyphens=False))


def applied(edition: str) -> str:
    """The rules that were applied."""
    return f"({spoken(say(f'explain.edition.{edition}'))}.)"


@click.command()
@click.argument("what", metavar="ROUND")
@click.argument("bracket", type=int, required=False)
@about_a_round
@click.option(
    "--rows", type=click.IntRange(1, 1000), default=ROWS, show_default=True, help="Candidates to list."
)
@click.option("--appendix-p", is_flag=True, help="Active criteria and their minima (Appendix P).")
@click.option("--illegal", is_flag=True, help="List candidates with pairs that may not meet, too.")
@click.option("--by-pair", is_flag=True, help="Name the pairs and players that fail a criterion.")
@reads
def candidates(
    session: Session,
    what: str,
    bracket: int | None,
    of: OfReport,
    rows: int,
    appendix_p: bool,
    illegal: bool,
    by_pair: bool,
) -> None:
    """List the candidates of a bracket in order, with their values (the sieve).

    BRACKET counts from the top; default: all brackets. Candidates with pairs that may not meet are left out,
    without --illegal.
    Each of the others shows the values above the least possible, and the first in which it is worse than the
    chosen one; * marks the best so far. ROUND is a round of the tournament, paired or next; or a report
    file, with --round.

    Example: paircard candidates 1 1
    """
    meant = round_or_next(session, what, of)
    explaining.need_brackets(meant.round)
    state = meant.round.snapshot
    found = sieves(state, rows, illegal) if bracket is None else (sieve(state, bracket, rows, illegal),)
    speaker, people = RoundSpeaker(meant.round.people), explaining.people_of(meant.round)
    data = {"round": state.round, "edition": state.edition, "brackets": found, "people": people}
    if session.shown(data):
        return
    for at, one in enumerate(found):
        if at:
            click.echo()
        print_sieve(one, speaker, appendix_p, by_pair)


def print_sieve(one: Sieve, speaker: RoundSpeaker, appendix: bool, by_pair: bool) -> None:
    """Numbers, incompatible pairs, and the candidates as a table."""
    show_text([f"{one.bracket}. {speaker.say(bracket_lines.title_of(one.chosen))}"])
    lines = [*bracket_lines.sieve_lines(one), *(bracket_lines.appendix_lines(one) if appendix else [])]
    show_text(f"  {text}" for text in speaker.say_all(lines))
    show_table(
        "cli.table.candidates",
        [
            (
                row.place or "…",
                "*" if row.champion else "",
                speaker.candidate(bracket_lines.candidate_field(row)),
                speaker.say(values_of(row, one, by_pair)),
                speaker.say(bracket_lines.fate(row)),
            )
            for row in one.rows
        ],
    )
    if not one.whole:
        show_text([speaker.say(say("explain.sieve.more"))])


def values_of(row: Row, one: Sieve, by_pair: bool) -> Message:
    """Values above the least possible; or the pairs and players that fail a criterion."""
    if by_pair and row.failures:
        return say("explain.sieve.failures", bars=bars_field(row.failures))
    return bracket_lines.row_values(row, one)


ARROWS: Final = {"d": "↓", "u": "↑", "-": "–"}


@click.command()
@click.argument("round", type=int)
@click.option("--sha256", is_flag=True, help="Print the SHA-256 that stands in the fact of the round.")
@INTO
@reads_text
def snapshot(session: Session, round: int, sha256: bool) -> None:
    """Print all that the pairing of a round depends on, byte by byte as it was hashed.

    The SHA-256 of these bytes stands in the fact that paired the round (RoundPaired), so that anybody can
    check what the pairing saw: paircard snapshot 1 | sha256sum.

    Example: paircard snapshot 1 --sha256
    """
    state = snapshot_of(session.view().facts, round)
    if sha256:
        click.echo(state.digest())
    else:
        click.echo(state.canonical(), nl=False)


@click.command(name="tabellone")
@click.argument("what", metavar="[ROUND]", required=False)
@about_a_round
@forms(csv=CSV, html="Print a web page, for the screen or for paper.")
@reads
def tabellone_(session: Session, what: str | None, of: OfReport) -> None:
    """Show the table before a round: scoregroups, colours, preferences and floats; default: the next round.

    Colour histories have unplayed rounds in front (C.04.2:3.4); a forfeit has no colour. Preferences: W B
    absolute, Ww Bb strong, w b mild, A none; a difference of none is +0 after White and -0 after Black. (n)
    is an opponent who was not met, since the game was forfeited; * marks a topscorer of the last round.
    ROUND is a round of the tournament; or a report file, with --round.

    Example: paircard tabellone 1
    """
    meant = round_or_next(session, what, of)
    explaining.need_brackets(meant.round)
    table = tabellone(meant.round.snapshot, {id: who.name for id, who in meant.round.people.items()})
    event = meant.event()
    csv = partial(table_csv, COLUMNS, table.lines, event.fide_mode)
    if not session.shown(table, csv=csv, html=partial(tabellone_page, event, table)):
        print_tabellone(table, event.fide_mode)


def arrows(floats: str) -> str:
    """Floats of the last two rounds, the latest first."""
    return "".join(ARROWS[mark] for mark in reversed(floats[-2:]))


def colours(line: TabelloneLine) -> str:
    """A colour history: ``=`` for a round without a game."""
    return line.history.upper().replace("-", "=")


def print_tabellone(table: Tabellone, fide_mode: bool) -> None:
    """The table for people, a line between scoregroups."""
    show_table(
        "cli.table.tabellone",
        [
            (
                points(line.score),
                f"{line.number or '–'}{bracket_lines.TOPSCORER if line.topscorer else ''}",
                line.name,
                line.opponents_text,
                colours(line),
                line.difference_text,
                line.sign,
                arrows(line.floats),
                line.absent,
            )
            for line in table.lines
        ],
        title=Message("cli.title.tabellone", {"round": table.round, "last": table.rounds}),
        fide_mode=fide_mode,
    )
    if table.forfeits:
        print_line("cli.said.forfeited-opponent")
    if table.topscorers:
        print_line("cli.said.topscorer", value=bracket_lines.TOPSCORER)


COLUMNS: Final[Columns[TabelloneLine]] = {
    "score": lambda line: f"{line.score / 10:.1f}",
    "points": lambda line: f"{line.points / 10:.1f}",
    "number": lambda line: line.number or "",
    "name": lambda line: line.name,
    "opponents": lambda line: line.opponents_text.replace("–", "0"),
    "colours": colours,
    "difference": lambda line: line.difference,
    "due": lambda line: line.due,
    "strength": lambda line: line.strength,
    "sign": lambda line: line.sign,
    "floats": lambda line: line.floats,
    "absent": lambda line: line.absent,
    "topscorer": lambda line: int(line.topscorer),
}
"""The table as a spreadsheet takes it."""
