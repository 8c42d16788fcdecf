"""Which round is meant: a number, of the tournament; or a report file, with ``--round``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from paircard.cli.input_files import read_report_file
from paircard.cli.options import ENCODING, F, with_options
from paircard.cli.refusals import Misused, found_in
from paircard.cli.session import Session
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.values.editions import EDITIONS, NEWEST
from paircard.domain.values.text import is_number
from paircard.service.explaining import Round, next_round, round_of_report
from paircard.service.print.event import Event, event_of, event_of_report

REPORT = (
    click.option("--round", type=int, help="Round of a report file (default: the last one)."),
    click.option(
        "--edition",
        type=click.Choice(EDITIONS),
        help="Rules for a report file (default: its record 192, else dutch-2026).",
    ),
    ENCODING,
)


class Meant(msgspec.Struct, frozen=True):
    """The round a command asks about, and what a page says above it."""

    round: Round
    event: Event


def about_a_round(command: F) -> F:
    """Options of a command that takes a round or a report file."""
    decorated: F = with_options(*REPORT)(command)
    return decorated


def round_first(words: Sequence[str], *named: str) -> Any:
    """The round, None for the last one, and the words after it, which are named so."""
    if len(words) < len(named) or (len(words) == len(named) and is_number(words[0])):  # 4 is a round
        raise Misused("cli.missing-argument", text=named[-1])
    if len(words) > len(named) + 1:
        raise Misused("cli.unexpected.name", text=" ".join(words[len(named) + 1 :]))
    return words if len(words) > len(named) else (None, *words)


def round_meant(
    session: Session, what: str | None, round: int | None, edition: str | None, encoding: str
) -> Meant:
    """The round meant by an argument."""
    if what is None or is_number(what):
        if round is not None or edition is not None:
            raise Misused("cli.options-of-a-report")
        view = session.view()
        number = None if what is None else int(what)
        return Meant(view.about(number), event_of(view))
    path = Path(what)
    if not path.is_file():
        raise Unknown("cli.neither-round-nor-report", text=what)
    return of_report(path, round, edition, encoding)


def round_or_next(
    session: Session, what: str | None, round: int | None, edition: str | None, encoding: str
) -> Meant:
    """The same, but default is the round that is to be paired next, if there is one."""
    if what is None or is_number(what):
        view = session.view()
        paired, rounds = view.history.paired, view.regulations.rounds
        if what == str(paired + 1) or (what is None and paired < rounds):
            return Meant(next_round(view.history), event_of(view))
    return round_meant(session, what, round, edition, encoding)


def of_report(path: Path, round: int | None, edition: str | None, encoding: str) -> Meant:
    """A round of a report file: a paired one, or the next."""
    report, reading = read_report_file(path, encoding)
    if reading.system and not reading.edition and not edition:
        raise Invalid("cli.system-of-report", path=str(path), value=reading.system)
    with found_in(path):
        meant = round_of_report(reading, edition or reading.edition or NEWEST, round)
    for remark in reading.adjustments:
        click.echo(f"paircard: {path}: {remark}", err=True)
    return Meant(meant, event_of_report(report, path.stem))
