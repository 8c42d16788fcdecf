"""Opening tournaments and looking at them: ``new list show change leave-fide-mode``."""

import re
from collections.abc import Mapping
from typing import Any, Final

import click
import msgspec
from msgspec.structs import replace

from paircard.cli.options import Field, field_options, given, with_options
from paircard.cli.output import outside_fide, points, print_line, remark, show_json, show_table
from paircard.cli.refusals import EARLY_END, SPEAKER, BadValue, Misused, spoken
from paircard.cli.session import Session, examines_store_at, reads, writes, writes_new
from paircard.domain.commands import ChangeRegulations, LeaveFideMode, OpenTournament
from paircard.domain.errors import RegulationsLocked
from paircard.domain.log.backends.sqlite_files import cares
from paircard.domain.messages import Message, say
from paircard.domain.values.foreign import day_of
from paircard.domain.values.regulations import (
    TABLES,
    RegulationChanges,
    Regulations,
    cycles_of,
    exchanges,
    lists_of,
    rounds_for,
)
from paircard.domain.values.results import STANDARD, Scoring
from paircard.domain.values.rules import NEWEST, RULES
from paircard.projections.log_lines import how_numbered
from paircard.projections.standings.standings import remarks_on_list
from paircard.service import Moment


def tenths(text: str) -> int:
    """Points as people write them, kept in tenths: 1, 0.5, ½, 1½."""
    found = re.fullmatch(r"(\d{0,2})(½|[.,]\d)?", text)
    if not found or not text:
        raise BadValue("cli.not-points", text=text)
    whole, part = found.groups()
    return 10 * int(whole or 0) + (5 if part == "½" else int(part[1:]) if part else 0)


def words(text: str) -> tuple[str, ...]:
    """Words separated by commas or semicolons."""
    return tuple(word.strip() for word in re.split("[,;]", text) if word.strip())


def codes(text: str) -> tuple[str, ...]:
    """Codes of tie-breaks, which hold neither commas nor blanks."""
    return tuple(re.split(r"[,;\s]+", text.strip(",; ")))


def day(text: str) -> str:
    """A day as people write it, like 20.11.2026, as the log writes it; what is none is refused later."""
    found = re.fullmatch(r"(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4})", text.strip(), re.ASCII)
    if not found:
        return text
    first, between, second, _ = found.groups()
    if between != "." and first != second and int(first) <= 12 and int(second) <= 12:
        raise BadValue("cli.two-days", text=text)
    return day_of(text) or text


def days(text: str) -> tuple[str, ...]:
    """Days separated by commas."""
    return tuple(map(day, words(text)))


def names(text: str) -> tuple[str, ...]:
    """Names separated by semicolons; a comma belongs to a name, as in ``Bianchi, Ugo``."""
    return tuple(name.strip() for name in text.split(";") if name.strip())


POINTS: Final = {"type": tenths, "metavar": "POINTS"}
REGULATIONS: Final[Mapping[str, Field]] = {
    "edition": (
        f"Pairing system: {', '.join(RULES)}; see paircard manual editions.",
        {"also": ["--system"], "metavar": "NAME"},
    ),
    "cycles": "Round robin: how often everybody meets everybody.",
    "exchange": (
        "Double round robin: exchange the last two rounds of the first cycle.",
        {"opposite": "--no-exchange"},
    ),
    "table": ("Round robin: berger, or hand for rounds by hand.", {"type": str.lower, "metavar": "NAME"}),
    "acceleration": ("none or baku (C.04.7).", {"type": str.lower, "metavar": "NAME"}),
    "tiebreaks": ("Tie-breaks in their order, like BH/C1,BH,SB.", {"type": codes, "metavar": "LIST"}),
    "rating_lists": (
        "Lists ratings come from, like national,standard; higher or lower of FIDE and national.",
        {"type": words, "metavar": "LIST"},
    ),
    "tiebreak_ratings": "Rating that rating tie-breaks take of several: first, or that of the round.",
    "initial_order": (
        "Initial order: rating,title,name.",
        {"flag": "order", "type": words, "metavar": "LIST"},
    ),
}
WORTH: Final[Mapping[str, Field]] = {
    "win": ("Points for a win.", POINTS),
    "draw": ("Points for a draw.", POINTS),
    "loss": ("Points for a loss.", POINTS),
    "absence": ("Points for an absence or a forfeit loss.", POINTS),
    "pab": ("Points for the pairing-allocated bye.", POINTS),
}
EVENT: Final[Mapping[str, Field]] = {
    "half_byes": "Half-point byes announced for each player.",
    "last_half_bye": "Last round with half-point byes.",
    "variant": ("standard or chess960.", {"type": str.lower, "metavar": "NAME"}),
    "starts": ("First day, like 2026-11-16.", {"type": day, "metavar": "DAY"}),
    "ends": ("Last day.", {"type": day, "metavar": "DAY"}),
    "dates": ("Day of each round.", {"type": days, "metavar": "LIST"}),
    "place": "Where it is played.",
    "federation": "Code of the federation, like ITA.",
    "organiser": "Who organises it.",
    "chief_arbiter": "Name of the chief arbiter.",
    "arbiters": ("Names of the other arbiters: A; B; C.", {"type": names, "metavar": "LIST"}),
    "time_control": "Like 90 min + 30 s per move.",
    "tempo": ("standard, rapid or blitz.", {"type": str.lower, "metavar": "NAME"}),
    "rated": ("Whether it is rated by FIDE.", {"opposite": "--unrated"}),
}
regulation_options = with_options(
    field_options(Regulations, REGULATIONS), field_options(Scoring, WORTH), field_options(Regulations, EVENT)
)
"""The options of ``new`` and ``change``; one that is not given is left to its default."""


def collect_regulations(values: dict[str, Any], scoring: Any) -> dict[str, Any]:
    """The regulations that were given, the points put into one scoring."""
    announced = given(values)
    worth = {name: announced.pop(name) for name in WORTH if name in announced}
    if "win" in worth and "pab" not in worth:
        worth["pab"] = worth["win"]  # C.04.1:3: the points of a win unless the rules say otherwise
    if worth:
        announced["scoring"] = replace(scoring, **worth)
    return announced


@click.command()
@click.argument("name")
@click.option("--rounds", type=int, help="Number of rounds, declared beforehand (C.04.1:1); not of a table.")
@regulation_options
@writes_new
def new(session: Session, name: str, **regulations: Any) -> None:
    """Open a tournament.

    Its regulations can be changed until round 1 is paired.

    The rounds of a round robin follow from its players: --system round-robin --cycles 2.

    Example: paircard new "Club Open" --rounds 5 --tiebreaks BH/C1,BH,SB --place Torino
    """
    collected = collect_regulations(regulations, STANDARD)
    rules = RULES.get(collected.get("edition", NEWEST))
    if rules is None or rules.rounds_follow_field:
        collected.setdefault("rounds", 0)
    elif "rounds" not in collected:
        raise click.MissingParameter(
            ctx=click.get_current_context(), param_type="option", param_hint="'--rounds'"
        )
    announced = Regulations(name=name, **collected)
    _, done = session.office.begin(OpenTournament(regulations=announced), by=session.person)
    session.tell(done)
    tell_points(regulations, announced)
    for care in cares(session.path):
        remark(care)


@click.command()
@click.option("--name", help="Another name for the tournament.")
@click.option("--rounds", type=int, help="Another number of rounds, before round 1 is paired.")
@regulation_options
@writes
def change(session: Session, **regulations: Any) -> None:
    """Change the regulations of a tournament.

    Once round 1 is paired, only what no pairing and no standing depends on.

    Example: paircard change --place "Sala Grande" --chief-arbiter "Rossi, Anna"
    """
    if not collect_regulations(regulations, STANDARD):
        raise Misused("cli.change-what")

    def command(now: Moment) -> ChangeRegulations:
        changes = collect_regulations(regulations, now.regulations.scoring)
        return ChangeRegulations(changes=RegulationChanges(**changes))

    try:
        session.ask(lambda now: [command(now)])
    except RegulationsLocked as locked:
        fewer = regulations["rounds"]
        if fewer is not None and fewer < session.tournament.now().regulations.rounds:
            locked.added = (say("cli.end-earlier", code=EARLY_END),)
        raise
    tell_points(regulations, session.tournament.now().regulations)


def tell_points(values: dict[str, Any], announced: Regulations) -> None:
    """Say what everything is worth once some points were given: a bye follows the win unless it is given."""
    if given({name: values[name] for name in WORTH}):
        print_line("cli.said.points", value=in_points(announced))


def foreign_to(edition: str) -> frozenset[str]:
    """What means something under other rules, and nothing under these."""
    return frozenset[str]().union(*(each.settings for each in RULES.values())) - RULES[edition].settings


def in_points(announced: Regulations) -> str:
    """What each result is worth, but for those that the rules do not have."""
    known = [name for name in WORTH if name not in foreign_to(announced.edition)]
    worth = {name: points(getattr(announced.scoring, name)) for name in known}
    return ", ".join(f"{SPEAKER.word('worth', name)} {value}" for name, value in worth.items())


@click.command("leave-fide-mode")
@writes
def leave_fide_mode(session: Session) -> None:
    """Leave FIDE mode for good, to do what FIDE's rules forbid.

    This cannot be undone, and the report says so. It takes two steps: the first answer shows a code, which
    --ack must repeat.

    Example: paircard leave-fide-mode --why "club evening without rating"
    """
    session.tell(session.tournament.ask(LeaveFideMode(), by=session.person))


@click.command("list")
@click.option("--name", metavar="WORDS", help="With these words in the name, or parts of them.")
@click.option("--place", metavar="WORDS", help="The same of the place.")
@click.option("--year", type=click.IntRange(1, 9999), metavar="YEAR", help="Begun in this year.")
@click.option("--player", metavar="NAME", help="With a player whose names begin so.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many; all without it.")
@click.option("--after", metavar="ID", help="The page after the one that ended with this id.")
@examines_store_at
def list_(session: Session, limit: int | None, after: str | None, **search: Any) -> None:
    """List the tournaments of a file, or those that are looked for.

    With --at TIME, as it was then.

    Example: paircard list --name open --limit 20
    """
    wanted = given(search)
    if after is not None:
        wanted["after"] = (session.office.store().ids_from(after) or [after])[0]
    more = None if limit is None else limit + 1
    rows = session.office.tournaments(session.at or "", limit=more, **wanted)
    rows, rest = rows[:limit], limit is not None and len(rows) > limit
    location = session.office.location
    if session.json:
        show_json(rows)
    elif not rows and wanted:
        print_line("cli.said.no-tournament-found")
    elif not rows and session.at is not None:
        print_line("cli.said.no-tournament-then", path=str(location), when=session.at)
    elif not rows:
        print_line("cli.said.no-tournament-yet", path=str(location))
    else:
        made = []
        for row in rows:
            state = f"{row.state}{outside_fide(row.fide_mode)}"
            made.append((row.id[:8], row.name, row.players, f"{row.paired}/{row.rounds}", state))
        show_table("cli.table.tournaments", made)
        for row in rows:
            if row.unreadable:
                click.echo(row.unreadable)
        if rest:
            print_line("cli.said.more-tournaments", id=rows[-1].id[:8])


@click.command()
@reads
def show(session: Session) -> None:
    """Show a tournament: its regulations and how far it has come.

    Example: paircard show
    """
    view = session.view()
    overview = view.overview()
    if session.shown(overview):
        return
    regulations, state = overview.regulations, view.state
    rules = RULES[regulations.edition]
    about = {"round": state.paired, "last": rounds_for(regulations, overview.players)}
    accelerated = regulations.acceleration
    rows: list[tuple[str, object]] = [
        ("state", overview.state + outside_fide(overview.fide_mode)),
        ("players", overview.players),
        ("rounds", spoken(Message("cli.show.rounds", about))),
        ("rules", spoken(say("cli.show.rules", kind=rules.family, edition=rules.name, value=accelerated))),
        ("", spoken(say("cli.show.read", kind=rules.family))),
        ("cycles", cycles_of(regulations)),
        *((("exchange", "yes" if exchanges(regulations) else "no"),) if cycles_of(regulations) == 2 else ()),
        ("table", regulations.table or TABLES[0]),
        ("points", in_points(regulations)),
        ("tie-breaks", ", ".join(regulations.tiebreaks) or spoken(say("cli.show.no-tie-breaks"))),
        *(("", spoken(one)) for one in remarks_on_list(state)),
        ("initial_order", ", ".join(regulations.initial_order)),
        ("rating_lists", ", ".join(lists_of(regulations))),
    ]
    if "numbers" in rules.draws:
        rows.append(("numbers", spoken(how_numbered(view.facts, state))))
    for ban in state.prohibitions:
        names = [state.players[id - 1].details.name for id in ban.players]
        last = min(ban.last, regulations.rounds)
        rows.append(("apart", spoken(say("cli.show.apart", names=names, first=ban.first, last=last))))
    for name, value in msgspec.structs.asdict(regulations).items():
        if name not in SHOWN and (value or value is False):
            listed = ", ".join(map(str, value)) if isinstance(value, tuple) else value
            rows.append((name, ("yes" if value else "no") if isinstance(value, bool) else listed))
    click.echo(f"{regulations.name}  ({overview.id[:8]}, version {overview.version})")
    foreign = foreign_to(rules.name)
    for name, value in (row for row in rows if row[0] not in foreign):
        click.echo(f"  {SPEAKER.word('show', name) if name else '':<16} {value}")


SHOWN = (
    *("name", "rounds", "edition", "acceleration", "scoring", "tiebreaks", "initial_order", "rating_lists"),
    *("numbering", "cycles", "exchange", "table"),
)
"""Regulations that have lines of their own."""
