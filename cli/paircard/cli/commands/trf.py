"""``paircard trf``: report files in and out of the record."""

import hashlib
from pathlib import Path

import click
from msgspec.structs import replace

from paircard.cli.input_files import LARGEST_REPORT, read_bytes
from paircard.cli.options import opens, reads
from paircard.cli.refusals import in_a_line
from paircard.cli.session import Desk
from paircard.domain.commands import Command, Meta, OpenTournament, PairRound
from paircard.domain.deciding.decider import decide, fold
from paircard.domain.deciding.open_games import adjourned_games, games_named, open_games
from paircard.domain.errors import Caution, Invalid, NeedsAcknowledgement, Refused, RoundIncomplete
from paircard.domain.events import Event, Recorded
from paircard.domain.state import NOTHING
from paircard.domain.values.regulations import EDITIONS
from paircard.domain.values.text import counted
from paircard.pairing import pair
from paircard.pairing.lab.check import board_text, check_rounds
from paircard.projections.history import History, history
from paircard.projections.trf import Reading, Report, TrfError, decode, parse, read, render
from paircard.projections.trf.importing.commands import ACCEPTED, commands_of, ids_of, unlike
from paircard.projections.trf.importing.details import regulations_of
from paircard.projections.trf.importing.kept_lines import kept_lines
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading.header import format_of
from paircard.projections.trf.writing.dialect import for_bbp
from paircard.projections.trf.writing.export import export
from paircard.projections.trf.writing.remarks import IMPORT
from paircard.projections.views import table_for_pairing


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
@click.option("--edition", type=click.Choice(EDITIONS), help="Rules; else record 192.")
@click.option("--latin-1", is_flag=True, help="Read an old file that is not UTF-8.")
@opens
def import_(desk: Desk, file: Path, name: str, edition: str | None, latin_1: bool) -> None:
    """Turn a report into the facts of a new tournament.

    Everything the file leaves open or writes in an old way is listed. Rounds are paired again: where
    the file is not by the rules, the import asks for --ack irregular-import and every such round gets
    a ### Import line in later reports. Nothing is recorded if anything is wrong.

    \b
    Example:
      paircard trf import open.trf --edition dutch-2017
    """

    data = read_bytes(file, LARGEST_REPORT)
    try:
        report = parse(decode(data, "latin-1" if latin_1 else "utf-8"))
        reading = read(report)
    except TrfError as refusal:
        for problem in refusal.problems[:-1]:
            click.echo(f"paircard: {file}: {problem}", err=True)
        raise click.ClickException(f"{file}: {refusal.problems[-1]}; nothing was recorded") from None
    if reading.system and not reading.edition and not edition:
        raise click.ClickException(
            f"{file}: the tournament type is {reading.system}, which is not the Dutch system: "
            "name the rules with --edition to import it all the same"
        )
    rules = edition or reading.edition or "dutch-2026"
    notes = Notes()
    for line in reading.adjustments:
        notes.add(line)
    if not edition and not reading.edition:
        notes.add(f"no edition of the rules: {rules} assumed")
    try:
        opening, commands = prepared(desk, report, reading, file, name, rules, data, notes)
        irregular = [line for line in opening.adjustments if line.startswith(IMPORT)]
        accepted = "irregular-import" in desk.ack or "3" in desk.ack
        if irregular and not accepted:
            rounds = "; ".join(line.removeprefix("Import @ ") for line in irregular)
            message = f"{file} is not paired by {rules}: {rounds}"
            raise NeedsAcknowledgement((Caution(3, "irregular-import", message),))
        record(desk, reading, opening, commands)
    except Refused as refusal:
        raise click.ClickException(f"{in_a_line(refusal)}; nothing was recorded") from None
    for line in opening.adjustments:
        click.echo(line)
    table = reading.table
    click.echo(
        f"{opening.regulations.name} imported from {opening.format}: {counted(len(table.rows), 'player')}, "
        f"{table.paired} of {table.rounds} rounds, {rules}"
    )


def prepared(
    desk: Desk,
    report: Report,
    reading: Reading,
    file: Path,
    name: str,
    rules: str,
    data: bytes,
    notes: Notes,
) -> tuple[OpenTournament, list[Command]]:
    """The opening and all that follows it."""

    first = desk.meta()

    def meta() -> Meta:
        one = desk.meta()
        return replace(one, acknowledge=(*one.acknowledge, *ACCEPTED))

    regulations = regulations_of(report, reading, name or file.stem, rules, notes)
    opening = OpenTournament(regulations=regulations, source=file.name, format=format_of(report), meta=first)
    kept = kept_lines(report, ids_of(reading.table), notes)
    commands = commands_of(report, reading, kept, notes, meta)
    for found in check_rounds(reading.table, rules, pair):
        if found is not None:
            expected = " ".join(board_text(*board) for board in found.expected) or "none"
            instead = " ".join(board_text(*board) for board in found.found)
            notes.add(f"{IMPORT}{found.round}: {expected} => {instead}")
    digest = hashlib.sha256(data).hexdigest()
    return replace(opening, digest=digest, adjustments=notes.lines(), kept=kept), commands


def record(desk: Desk, reading: Reading, opening: OpenTournament, commands: list[Command]) -> None:
    """Decide everything beforehand, hold it against the file, then write it as one."""

    state = NOTHING
    ready: list[Command] = []
    facts: list[Event] = []
    for command in (opening, *commands):
        if isinstance(command, PairRound):
            command = replace(command, based_on=state.version)
        events = decide(state, command)
        state = fold(events, state)
        facts += events
        ready.append(command)
    drafts = [
        Recorded(tournament="", version=at, fact=fact, who="", when="", previous="", hash="")
        for at, fact in enumerate(facts, 1)
    ]
    difference = unlike(table_for_pairing(history(drafts)), reading.table)
    if difference:
        raise Invalid(f"the record cannot hold {difference}")
    desk.begin(ready, quiet=True)


@trf.command("export")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File; else printed.")
@click.option("--round", "after", type=click.IntRange(0), help="After this round; else the last one paired.")
@click.option("--version", type=click.IntRange(1), help="As the log stood at this version.")
@click.option(
    "--for",
    "dialect",
    type=click.Choice(["trf26", "bbp", "rating"]),
    default="trf26",
    show_default=True,
    help="TRF26; what bbpPairings 6.0.0 reads; or the rating report, with late corrections.",
)
@click.option("--crlf", is_flag=True, help="End lines in CR LF.")
@reads
def export_(
    desk: Desk, output: Path | None, after: int | None, version: int | None, dialect: str, crlf: bool
) -> None:
    """Write the whole record as a TRF26 report.

    Breaches of pairing integrity (manual alterations, late corrections, renumbering, adjournments,
    irregular imports, leaving FIDE mode) stand in ### lines, told by the facts.

    \b
    Example:
      paircard trf export --round 1 -o after1.trf
    """

    log = desk.log()
    if version is not None:
        if version > len(log):
            raise click.ClickException(f"the log has {counted(len(log), 'fact')}, not {version}")
        log = log[:version]
    story = history(log)
    paired = story.paired
    if dialect == "rating" and after not in (None, paired):
        raise click.UsageError("the rating report has all rounds: leave out --round")
    if after is not None and after > paired:
        raise click.ClickException(
            f"round {after} is not paired: {counted(paired, 'round')} {'is' if paired == 1 else 'are'}"
        )
    if dialect != "bbp" and after in (None, paired):
        need_final(story, for_rating=dialect == "rating")
    report = export(log, after, for_rating=dialect == "rating")
    text = render(for_bbp(report) if dialect == "bbp" else report, "\r\n" if crlf else "\n")
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8", newline="")
        shown = paired if after is None else after
        click.echo(f"{output} written: {counted(len(report.players()), 'player')}, after round {shown}")


def need_final(story: History, *, for_rating: bool) -> None:
    """Refuse a report of all rounds that an adjourned game would make other than final (VCL 169).

    While the last round is being played its report shows who plays whom; a rating report is final.
    """

    if story.paired < story.regulations.rounds:
        return
    waiting = open_games(story.state) if for_rating else adjourned_games(story.state)
    if waiting:
        raise RoundIncomplete(
            f"all rounds are paired and games have no result: {games_named(waiting)}; the final report "
            f"waits for them, --round {story.paired - 1} gives that of the round before"
        )
