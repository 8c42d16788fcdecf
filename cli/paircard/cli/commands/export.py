"""``export``, ``tables`` and ``trf``: files for relays, broadcasts, other programs and rating officers."""

import contextlib
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from paircard.cli.input_files import REPORT
from paircard.cli.options import ENCODING, INTO, forms
from paircard.cli.output import print_line, remark, show_table, steps
from paircard.cli.refusals import spoken
from paircard.cli.session import Session, reads, reads_text, uses_store, writes_new
from paircard.cli.text_files import LARGEST_REPORT, read_bytes
from paircard.cli.usage import finish
from paircard.domain.errors import NeedsAcknowledgement, Refused, StoreRefused, Unknown
from paircard.domain.log.location import shown
from paircard.domain.messages import Message, say
from paircard.domain.values.rules import RULES
from paircard.domain.whole_files import FOR_OWNER, hand_out
from paircard.projections.tables import ReadTables, metadata
from paircard.projections.trf import TrfError, render
from paircard.projections.trf.notes import Notes
from paircard.service import exports
from paircard.service.exports import Columns, cells, table_csv
from paircard.service.reports import Dialect, RulesUnknown, build_report, round_with_results

ROUND = click.option("--round", type=click.IntRange(1), help="Which round; default: the last one paired.")


@click.group()
def export() -> None:
    """Write files for relays, broadcasts, other programs and rating officers.

    Example: paircard export pgn --round 1 -o round1.pgn
    """


@export.command()
@ROUND
@INTO
@reads_text
def pgn(session: Session, round: int | None) -> None:
    """Write the games of a round as PGN headers.

    Example: paircard export pgn --round 1
    """
    view = session.view()
    click.echo(exports.pgn_of(view.state, view.boards(round)), nl=False)


@export.command()
@INTO
@reads_text
def broadcast(session: Session) -> None:
    """Write the players as the text that a lichess broadcast takes.

    Example: paircard export broadcast
    """
    click.echo(exports.broadcast_players(session.view().state), nl=False)


@export.command()
@INTO
@reads_text
def players(session: Session) -> None:
    """Write the starting list in the columns of Swiss-Manager.

    That is the way to chess-results.com.

    Example: paircard export players -o players.csv
    """
    session.run.answer_rights = FOR_OWNER
    click.echo(exports.players_sheet(session.view().state), nl=False)


@export.command()
@ROUND
@INTO
@reads_text
def results(session: Session, round: int | None) -> None:
    """Write the boards of a round with their results as CSV.

    Example: paircard export results --round 1
    """
    click.echo(exports.results_sheet(session.view().boards(round)), nl=False)


@export.command()
@forms(csv="Print CSV.")
@reads
def performance(session: Session) -> None:
    """Show rating changes and the data of title norms.

    Each stands with its article.
    Expected scores are those of B.02:8.1 with differences capped at 400 (8.3.1), averages and
    performances those of C.07:10. A change is shown where rating and K factor are known. Whether a norm
    was made is for the title regulations.

    Example: paircard export performance
    """
    everyone = exports.performances(session.view().state)
    if session.run.answer_file and not session.json:
        session.run.form = "csv"
    if not session.shown(everyone, csv=lambda: table_csv(COLUMNS, everyone, delimiter=exports.EXCEL)):
        show_table("cli.table.performance", [cells(COLUMNS, one) for one in everyone])


COLUMNS: Final[Columns[exports.Performance]] = {
    "Name": lambda one: one.name,
    "Title": lambda one: one.title,
    "Fed": lambda one: one.federation,
    "Rating": lambda one: one.rating or "",
    "Games": lambda one: one.games,
    "Score": lambda one: f"{one.score / 10:.1f}",
    "Expected": lambda one: f"{one.expected / 100:.2f}" if one.rating else "",
    "K": lambda one: one.k_factor or "",
    "Change": lambda one: "" if one.change is None else f"{one.change / 100:.2f}",
    "ARO": lambda one: one.average or "",
    "TPR": lambda one: one.performance or "",
    "Titled opponents": lambda one: ", ".join(f"{title} {many}" for title, many in one.titled),
    "Federations": lambda one: ", ".join(f"{code} {many}" for code, many in one.federations),
}
"""A player's numbers as people write them; the headings stay what they are in any language."""


# The log as plain SQL tables


@click.command()
@click.argument("out", metavar="OUT")
@click.option("--rebuild", is_flag=True, help="Build the tables again from the first fact.")
@click.option(
    "--batch", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Facts per transaction."
)
@click.option(
    "--follow", is_flag=True, help="Keep running and write new facts as they come, until interrupted."
)
@click.option(
    "--metadata",
    "described",
    type=click.Path(path_type=Path),
    help="Also write a file that tells Datasette what the columns hold.",
)
@uses_store
def tables(
    session: Session, out: str, rebuild: bool, batch: int, follow: bool, described: Path | None
) -> int:
    """Write read tables of all tournaments of the store, for Datasette and SQL.

    OUT is a SQLite file of its own, or a postgresql:// address, there in a schema of its own. It is brought
    up to date where it left off; it may be deleted and made again at any time. With --follow a fact is in the
    tables a moment after it was recorded.

    Example: paircard tables read.db
    """
    log, place = session.office.store(), shown(out)
    runner = session.office.runner(ReadTables(), out)
    told: dict[str, None] = {}

    def tell(message: Message) -> None:
        """Once, however often it is met."""
        problem = spoken(message)
        if problem not in told:
            remark(problem)
        told[problem] = None

    with steps("writing", log.last_position()) as step:
        new = runner.catch_up(batch=batch, rebuild=rebuild, tell=tell, taken_on=step)
    if described is not None:
        hand_out(described, msgspec.json.format(msgspec.json.encode(metadata(Path(out).stem))))
    if not follow and not told:
        finish()
    print_line("cli.said.tables", file=place, count=new, last=log.last_position())
    if follow:
        with contextlib.suppress(KeyboardInterrupt):
            for new, position in runner.follow(batch=batch, tell=tell):
                print_line("cli.said.tables", file=place, count=new, last=position)
                sys.stdout.flush()
    return 1 if told else 0


@click.group()
def trf() -> None:
    """Read and write Tournament Report Files (TRF26, TRF16, TRF06, TRF(x)).

    Example:
      paircard trf import open.trf
      paircard trf export -o open.trf
    """


@trf.command("import")
@click.argument("file", type=REPORT)
@click.option("--name", default="", help="Name of the tournament, if the file has none.")
@click.option("--edition", type=click.Choice(tuple(RULES)), help="Rules; else record 192 or the first day.")
@ENCODING
@writes_new
def import_report(session: Session, file: Path, name: str, edition: str | None, encoding: str) -> None:
    """Turn a report into the facts of a new tournament.

    Whatever the file leaves open, and every field that is changed, is listed. Every round is paired again:
    where the file does not follow the rules, the import asks for --ack irregular-import, and each such round
    gets a ### Import line in later reports. Nothing is recorded if anything is wrong.

    Example: paircard trf import open.trf --edition dutch-2017
    """
    data = read_bytes(file, LARGEST_REPORT)
    try:
        about = {"source": file.name, "name": name or file.stem, "edition": edition or ""}
        found = session.office.import_report(data, **about, encoding=encoding, by=session.person)
    except (StoreRefused, NeedsAcknowledgement):
        raise
    except (TrfError, Refused) as refusal:
        refusal.added = (say("cli.nothing-recorded"),)
        if isinstance(refusal, TrfError | RulesUnknown):
            refusal.place = str(file)
        raise
    finish("recorded")
    if found.repeated:
        print_line("cli.said.nothing-new")
        return
    for note in found.notes:
        click.echo(note)
    print_line(
        "cli.said.report-imported",
        name=found.name,
        kind=found.format,
        entered=found.players,
        last=found.paired,
        rounds=found.rounds,
        edition=found.edition,
    )


@trf.command("export")
@INTO
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
def export_report(
    session: Session,
    after: int | None,
    version: int | None,
    dialect: Dialect,
    crlf: bool,
) -> None:
    """Write the whole record as a TRF26 report, or as an older one.

    Breaches of pairing integrity (manual alterations, late corrections, renumbering, adjournments,
    irregular imports, leaving FIDE mode) are written as ### lines. What an older version of the format
    cannot say is listed on standard error.

    Example: paircard trf export --round 1 -o after1.trf
    """
    view = session.view()
    if version is not None:
        if version > view.version:
            raise Unknown("cli.log-shorter", facts=view.version, version=version)
        view = session.tournament.at(version)
    notes = Notes()
    report = build_report(view.facts, view.state, after, dialect, notes)
    for line in notes.lines():
        remark(line)
    if after is None:
        after = round_with_results(view.state, None) if dialect == "bbp" else view.state.paired
    about = {"file": session.run.answer_file, "entered": len(report.players()), "round": after}
    session.run.answer_rights, session.run.answered = FOR_OWNER, Message("cli.said.report-written", about)
    click.echo(render(report, "\r\n" if crlf else "\n"), nl=False)
