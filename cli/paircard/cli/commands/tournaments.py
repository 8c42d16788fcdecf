"""Opening tournaments and looking at them: ``new list show change leave-fide-mode``."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from msgspec.structs import replace

from paircard.cli.options import opens, reads, writes
from paircard.cli.output import LEFT, RIGHT, points, say, show_json, show_table
from paircard.cli.session import Desk, new_id
from paircard.cli.summaries import summaries, summaries_then, summary
from paircard.domain.commands import ChangeRegulations, LeaveFideMode, OpenTournament
from paircard.domain.errors import Caution, NeedsAcknowledgement
from paircard.domain.log.location import address_of
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import STANDARD
from paircard.projections.standings.ranking import remarks
from paircard.projections.standings.tiebreaks.codes import parse_list

F = TypeVar("F", bound=Callable[..., Any])


def tenths(text: str) -> int:
    """Points as people write them, kept in tenths: 1, 0.5, ½, 1½."""
    found = re.fullmatch(r"(\d{0,2})(½|[.,]\d)?", text)
    if not found or not text:
        raise click.BadParameter(f"{text[:20]!r} is not a number of points, like 1, 0.5 or ½")
    whole, part = found.groups()
    return 10 * int(whole or 0) + (5 if part == "½" else int(part[1:]) if part else 0)


def words(text: str) -> tuple[str, ...]:
    """Words parted by commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


SCORING = ("win", "draw", "loss", "absence", "pab")


def regulation_options(command: F) -> F:
    """The options of ``new`` and ``change``; one that is not given is left to its default."""
    for option in reversed(
        (
            click.option("--edition", help="Rules of pairing: dutch-2026 or dutch-2017."),
            click.option("--acceleration", help="none or baku (C.04.7)."),
            click.option(
                "--tiebreaks", type=words, metavar="LIST", help="Tie-breaks in their order, like BH/C1,BH,SB."
            ),
            click.option(
                "--rating-lists",
                type=words,
                metavar="LIST",
                help="Lists ratings are taken from, like national,standard; else by the tempo.",
            ),
            click.option(
                "--tiebreak-ratings",
                help="Rating that rating tie-breaks take of several: first, or that of the round.",
            ),
            click.option(
                "--order",
                "initial_order",
                type=words,
                metavar="LIST",
                help="Initial order: rating,title,name.",
            ),
            click.option("--win", type=tenths, metavar="POINTS", help="Points for a win."),
            click.option("--draw", type=tenths, metavar="POINTS", help="Points for a draw."),
            click.option("--loss", type=tenths, metavar="POINTS", help="Points for a loss."),
            click.option(
                "--absence", type=tenths, metavar="POINTS", help="Points for an absence or a forfeit loss."
            ),
            click.option(
                "--pab", type=tenths, metavar="POINTS", help="Points for the pairing-allocated bye."
            ),
            click.option("--last-half-bye", type=int, help="Last round with half-point byes."),
            click.option("--starts", help="First day, like 2026-11-16."),
            click.option("--ends", help="Last day."),
            click.option("--dates", type=words, metavar="LIST", help="Day of each round."),
            click.option("--place", help="Where it is played."),
            click.option("--federation", help="Code of the federation, like ITA."),
            click.option("--organiser", help="Who organises it."),
            click.option("--chief-arbiter", help="Name of the chief arbiter."),
            click.option("--arbiters", type=words, metavar="LIST", help="Names of the other arbiters."),
            click.option("--time-control", help="Like 90 min + 30 s per move."),
            click.option("--tempo", help="standard, rapid or blitz."),
            click.option("--rated/--unrated", default=None, help="Whether it is rated by FIDE."),
        )
    ):
        command = option(command)
    return command


def collected(values: dict[str, Any], scoring: Any) -> dict[str, Any]:
    """The regulations that were given, the points put into one scoring."""

    given = {name: value for name, value in values.items() if value is not None}
    worth = {name: given.pop(name) for name in SCORING if name in given}
    if "win" in worth and "pab" not in worth:
        worth["pab"] = worth["win"]  # C.04.1:3: the points of a win unless the rules say otherwise
    if worth:
        given["scoring"] = replace(scoring, **worth)
    return given


@click.command()
@click.argument("name")
@click.option("--rounds", type=int, required=True, help="Number of rounds, declared beforehand (C.04.1:1).")
@regulation_options
@opens
def new(desk: Desk, name: str, **regulations: Any) -> None:
    """Open a tournament.

    Its regulations can be changed until round 1 is paired.

    \b
    Example:
      paircard new "Club Open" --rounds 5 --tiebreaks BH/C1,BH,SB --place Torino
    """

    check_tiebreaks(regulations["tiebreaks"])
    need_own_name(desk, name)
    desk.open_new(
        OpenTournament(
            regulations=Regulations(name=name, **collected(regulations, STANDARD)), meta=desk.meta()
        )
    )


def need_own_name(desk: Desk, name: str) -> None:
    """Refuse a second tournament of a name, which is mostly the same command typed again."""

    address = address_of(desk.path)
    nothing = isinstance(address, Path) and not (address.exists() and address.stat().st_size)
    if nothing or {"same-name", "2", "3"} & set(desk.ack):
        return
    for id, known in desk.store().names():
        if known == name and not (desk.command_id and id == new_id(desk.command_id)):
            message = f"{name} is in {desk.place} already, {id[:8]}"
            raise NeedsAcknowledgement((Caution(2, "same-name", message),))


@click.command()
@click.option("--name", help="Another name for the tournament.")
@click.option("--rounds", type=int, help="Another number of rounds, before round 1 is paired.")
@regulation_options
@writes
def change(desk: Desk, **regulations: Any) -> None:
    """Change the regulations of a tournament.

    Once round 1 is paired, only what no pairing and no standing depends on.

    \b
    Example:
      paircard change --place "Sala Grande" --chief-arbiter "Rossi, Anna"
    """

    check_tiebreaks(regulations["tiebreaks"])
    changes = collected(regulations, desk.history().regulations.scoring)
    if not changes:
        raise click.UsageError("nothing to change was given")
    desk.do(ChangeRegulations(changes=RegulationChanges(**changes), meta=desk.meta()))


def check_tiebreaks(codes: tuple[str, ...] | None) -> None:
    """Refuse a list that no standings could follow, before it is announced."""
    if codes:
        parse_list(",".join(codes))


@click.command("leave-fide-mode")
@writes
def leave_fide_mode(desk: Desk) -> None:
    """Leave FIDE mode for good, to do what FIDE's rules forbid.

    There is no way back, and the report says so.

    \b
    Example:
      paircard leave-fide-mode --why "club evening without rating" --ack leave-fide-mode
    """

    desk.do(LeaveFideMode(meta=desk.meta()))


@click.command("list")
@reads
def list_(desk: Desk) -> None:
    """List the tournaments of a file.

    With --at TIME those that were there then, as far as they had come.

    \b
    Example:
      paircard list
    """

    rows = summaries(desk) if desk.at is None else summaries_then(desk)
    if desk.json:
        show_json(rows)
    elif not rows and desk.at is not None:
        say(f"no tournament in {desk.place} at {desk.at}")
    elif not rows:
        say(f"no tournament in {desk.place} yet: paircard new NAME --rounds N")
    else:
        show_table(
            (("Id", LEFT), ("Tournament", LEFT), ("Players", RIGHT), ("Rounds", RIGHT), ("State", LEFT)),
            [(row.id[:8], row.name, row.players, f"{row.paired}/{row.rounds}", row.state) for row in rows],
        )


@click.command()
@reads
def show(desk: Desk) -> None:
    """Show a tournament: its regulations and how far it has come.

    \b
    Example:
      paircard show
    """

    history = desk.history()
    told = summary(history)
    if desk.json:
        show_json({**msgspec.structs.asdict(told), "regulations": history.regulations})
        return
    regulations = history.regulations
    values = msgspec.structs.asdict(regulations)
    scoring = regulations.scoring
    say(f"{regulations.name}  ({told.id[:8]}, version {told.version})")
    say(f"  state            {told.state}{'' if told.fide_mode else ', OUT OF FIDE MODE'}")
    say(f"  players          {told.players}")
    say(f"  rounds           {history.paired} of {regulations.rounds} paired")
    say(f"  rules            {regulations.edition}, acceleration {regulations.acceleration}")
    say(
        f"  points           win {points(scoring.win)}, draw {points(scoring.draw)}, "
        f"loss {points(scoring.loss)}, absence {points(scoring.absence)}, bye {points(scoring.pab)}"
    )
    say(f"  tie-breaks       {', '.join(regulations.tiebreaks) or 'none announced'}")
    for remark in remarks(history):
        say(f"                   {remark}")
    say(f"  initial order    {', '.join(regulations.initial_order)}")
    shown = {"name", "rounds", "edition", "acceleration", "scoring", "tiebreaks", "initial_order"}
    for name, value in values.items():
        if name not in shown and (value or value is False):
            listed = ", ".join(map(str, value)) if isinstance(value, tuple) else value
            listed = ("yes" if value else "no") if isinstance(value, bool) else listed
            say(f"  {name.replace('_', ' '):<16} {listed}")
