"""The log itself: ``log`` to read it, ``log export`` and ``log import`` to carry it elsewhere."""

import re
from pathlib import Path
from uuid import uuid4

import click

from paircard.cli.output import print_line, show_json
from paircard.cli.refusals import Misused
from paircard.cli.session import Session, reads, uses_store
from paircard.cli.text_files import LARGEST_BUNDLE, read_bytes, read_signed
from paircard.cli.usage import finish
from paircard.domain.errors import Duplicate, Invalid
from paircard.domain.log.stored import as_stored, fact_schema
from paircard.domain.messages import Message
from paircard.domain.proof.bundles import export_bundle, read_bundle, take_in, write_bundle
from paircard.domain.proof.checkpoints import keep_checkpoint, printed
from paircard.domain.whole_files import FOR_OWNER, write_new
from paircard.projections.log_lines import LogLine
from paircard.projections.public import pseudonymous
from paircard.service import Moment
from paircard.service.review.verify import verify


@click.group(invoke_without_command=True)
@click.option("--last", type=click.IntRange(1), help="Show only the last N facts.")
@click.option("--player", "who", help="Only facts about one player.")
@click.option("--board", metavar="ROUND[.BOARD]", help="Only facts about a round, or one board of it: 3.2")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    help="Only facts of one kind, like result-corrected, or a word of it, like result.",
)
@reads
def log(
    session: Session, last: int | None, who: str | None, board: str | None, kinds: tuple[str, ...]
) -> None:
    """Show the log: every fact in order, who recorded it, when and why.

    Example: paircard log --player 1 --kind result --last 5
    """
    if click.get_current_context().invoked_subcommand is not None:
        if last or who or board or kinds:
            raise Misused("cli.filters-for-reading")
        return
    lines = chosen_lines(session.view(), who, board, kinds)
    lines = lines[-last:] if last else lines
    if session.shown(lines):
        return
    for line in lines:
        click.echo(line_text(line))
    if not lines:
        print_line("cli.said.no-such-fact")


def chosen_lines(view: Moment, who: str | None, board: str | None, kinds: tuple[str, ...]) -> list[LogLine]:
    """The lines that all filters let through."""
    place = re.fullmatch(r"(\d{1,3})(?:[.:](\d{1,4}))?", board or "0")
    if not place:
        raise Misused("cli.not-a-place", text=board or "")
    if board and not int(place[1]):
        view.need_board(0, 0)
    return view.log(
        player=view.player(who) if who is not None else 0,
        round=int(place[1]),
        board=int(place[2] or 0),
        kinds=kinds,
    )


def line_text(line: LogLine) -> str:
    """One fact in one line."""
    why = f" — {line.why}" if line.why else ""
    noted = f" [accepted {', '.join(line.accepted)}]" if line.accepted else ""
    return f"{line.version:>5}  {line.when}  {line.who}: {line.text}{why}{noted}"


@log.command("schema")
def schema() -> None:
    """Print the JSON Schemas of all facts, for programs that read logs, feeds or webhooks.

    Example: paircard log schema
    """
    show_json(fact_schema())


@log.command("export", short_help="Write a tournament into one file, a bundle.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--pseudonymous", "without_names", is_flag=True, help="Replace personal data; pairings stay as they are."
)
@click.option(
    "--checkpoint", "more", multiple=True, metavar="FILE", help="Also include a checkpoint kept elsewhere."
)
@reads
def export_(session: Session, file: Path, without_names: bool, more: tuple[str, ...]) -> int:
    """Write a tournament into one file: every fact and every checkpoint, for another machine.

    The file can be verified anywhere, even without Paircard (verify.py). A pseudonymous copy has its
    own chain and says so; it keeps ratings and titles, because pairings rest on them.

    Example: paircard log export open.bundle
    """
    if file.exists():
        raise Duplicate("cli.file-there", file=str(file))
    against: list[Message] = []
    if without_names:
        copy = pseudonymous(session.view().facts, uuid4().hex)
        content = write_bundle(copy[0].tournament, [as_stored(one) for one in copy])
    else:
        store, id = session.office.store(), session.tournament.id
        content, against = export_bundle(store, id, session.view().version, map(read_signed, more))
    write_new(file, content, FOR_OWNER)
    finish()
    bundle = read_bundle(content)
    heading, count = bundle.heading, len(bundle.checkpoints)
    if session.shown(heading):
        return 1 if against else 0
    code = "cli.said.copy-written" if without_names else "cli.said.bundle-written"
    head = printed(heading.length, heading.head)
    print_line(code, file=str(file), facts=heading.length, count=count, value=head)
    for problem in against:
        print_line("cli.said.bundle-carries", what=problem)
    return 1 if against else 0


@log.command("import", short_help="Import a tournament from a bundle, verified.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@uses_store
def import_(session: Session, file: Path) -> None:
    """Import a tournament from a bundle after verifying it; or the facts that are missing here.

    Refuses a bundle whose chain is broken, whose rounds do not follow from its log, or that differs from the
    log that is stored here.

    Example: paircard log import open.bundle --db club.db
    """
    bundle = read_bundle(read_bytes(file, LARGEST_BUNDLE))
    id = bundle.heading.tournament
    report = verify(id, bundle.rows, kept=bundle.checkpoints)
    if not report.whole:
        first = next(finding for finding in report.findings if finding.grave)
        raise Invalid("cli.bundle-wrong", file=str(file), value=first.text)
    store = session.office.store(create=True)
    new = take_in(store, id, bundle.rows)
    for note in bundle.checkpoints:
        keep_checkpoint(store, note)
    name = store.state(id).regulations.name
    finish("recorded")
    if not new:
        print_line("cli.said.bundle-known", name=name, facts=store.version(id))
    else:
        head = printed(report.length, report.head)
        print_line("cli.said.bundle-imported", name=name, facts=new, rounds=len(report.rounds), value=head)
