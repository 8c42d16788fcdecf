"""``paircard trf``: report files in and out of the record."""

from pathlib import Path

import click

from paircard.cli.input_files import LARGEST_REPORT, read_bytes
from paircard.cli.options import ENCODING, reads_text, writes_new
from paircard.cli.session import NOTHING_NEW, Session, finish
from paircard.domain.errors import NeedsAcknowledgement, Refused, StoreRefused, Unknown
from paircard.domain.messages import say
from paircard.domain.values.editions import EDITIONS
from paircard.domain.values.text import counted
from paircard.domain.whole_files import FOR_OWNER, hand_out
from paircard.projections.trf import TrfError, render
from paircard.projections.trf.notes import Notes
from paircard.service.reports import Dialect, RulesUnknown, build_report, round_with_results


@click.group()
def trf() -> None:
    """Read and write Tournament Report Files (TRF26, TRF16, TRF06, TRF(x)).

    \b
    Example:
      paircard trf import open.trf
      paircard trf export -o open.trf
    """


@trf.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", default="", help="Name of the tournament, if the file has none.")
@click.option("--edition", type=click.Choice(EDITIONS), help="Rules; else record 192 or the first day.")
@ENCODING
@writes_new
def import_(session: Session, file: Path, name: str, edition: str | None, encoding: str) -> None:
    """Turn a report into the facts of a new tournament.

    Whatever the file leaves open, and every field that is changed, is listed. Every round is paired again:
    where the file does not follow the rules, the import asks for --ack irregular-import, and each such round
    gets a ### Import line in later reports. Nothing is recorded if anything is wrong.

    \b
    Example:
      paircard trf import open.trf --edition dutch-2017
    """
    data = read_bytes(file, LARGEST_REPORT)
    try:
        found = session.office.import_report(
            data,
            source=file.name,
            name=name or file.stem,
            edition=edition or "",
            encoding=encoding,
            by=session.person,
        )
    except (StoreRefused, NeedsAcknowledgement):
        raise
    except (TrfError, Refused) as refusal:
        refusal.added = (say("cli.nothing-recorded"),)
        if isinstance(refusal, TrfError | RulesUnknown):
            refusal.place = str(file)
        raise
    finish("recorded")
    if found.repeated:
        click.echo(NOTHING_NEW)
        return
    for note in found.notes:
        click.echo(note)
    click.echo(
        f"{found.name} imported from {found.format}: {counted(found.players, 'player')}, "
        f"{found.paired} of {found.rounds} rounds, {found.edition}"
    )


@trf.command("export")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File; else printed.")
@click.option("--round", "after", type=click.IntRange(0), help="After this round; else the last one paired.")
@click.option("--version", type=click.IntRange(1), help="As the log stood at this version.")
@click.option(
    "--for",
    "dialect",
    type=click.Choice(["trf26", "trf16", "trf06", "bbp", "rating"]),
    default="trf26",
    show_default=True,
    help="A version of the format; what bbpPairings 6.0.0 reads; or the rating report, with corrections.",
)
@click.option("--crlf", is_flag=True, help="End lines in CR LF.")
@reads_text
def export_(
    session: Session,
    output: Path | None,
    after: int | None,
    version: int | None,
    dialect: Dialect,
    crlf: bool,
) -> None:
    """Write the whole record as a TRF26 report, or as an older one.

    Breaches of pairing integrity (manual alterations, late corrections, renumbering, adjournments,
    irregular imports, leaving FIDE mode) are written as ### lines. What an older version of the format
    cannot say is listed on standard error.

    \b
    Example:
      paircard trf export --round 1 -o after1.trf
    """
    view = session.view()
    if version is not None:
        if version > view.version:
            raise Unknown("cli.log-shorter", facts=view.version, version=version)
        view = session.tournament.at(version)
    notes = Notes()
    report = build_report(view.facts, view.history, after, dialect, notes)
    for line in notes.lines():
        click.echo(f"paircard: {line}", err=True)
    text = render(report, "\r\n" if crlf else "\n")
    if output is None:
        click.echo(text, nl=False)
    else:
        hand_out(output, text.encode(), FOR_OWNER)
        finish()
        last = round_with_results(view.history, None) if dialect == "bbp" else view.history.paired
        shown = last if after is None else after
        click.echo(f"{output} written: {counted(len(report.players()), 'player')}, after round {shown}")
