"""Stores as a whole: ``init move backup restore doctor``."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from paircard.cli.output import bar, print_line, remark, show_json, steps
from paircard.cli.session import Session, examines_store, prints, uses_store
from paircard.cli.usage import finish
from paircard.domain.errors import CorruptFile, NewerFile
from paircard.domain.log.location import is_address
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.messages import say
from paircard.domain.proof.copies import Copied, back_up, copy
from paircard.domain.proof.copies import restore as restore_backup
from paircard.domain.proof.doctor import BAD, Finding, examine
from paircard.projections.tables import how_far
from paircard.service import Office


@click.command()
@uses_store
def init(session: Session) -> None:
    """Create a store for tournaments: the tables of a PostgreSQL database, or an empty file.

    For PostgreSQL this is done once, by somebody who may create tables there; `new` creates a file itself.
    The tables are in the schema "paircard", or the one of ?schema= in the address.

    Example: paircard init
    """
    made = prepare(session.path)
    location = session.office.location
    finish()
    print_line("cli.stores.ready" if made else "cli.stores.prepared", path=location)


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option(
    "-t", "--tournament", "wanted", multiple=True, metavar="NAME", help="Only this one; may be repeated."
)
@prints
def move(session: Session, source: str, target: str, wanted: tuple[str, ...]) -> int:
    """Copy tournaments from one store to another, byte by byte, and check the copies.

    FROM and TO are files or postgresql:// addresses. FROM is not changed. Run again, it copies only
    what is new; a tournament that was continued in both places is refused.

    Example: paircard move paircard.db archive.db
    """
    if not is_address(source):
        Path(source).stat()  # what is not there is no file that a new tournament would make
    with Office.open(source) as office, Tournaments(target, create=True) as there:
        here = office.store()
        names = dict(here.names())
        ids = [office.tournament(text).id for text in wanted] or list(names)
        done, left = copy_each(ids, here, there)
        finish()
        for problem in left:
            remark(say("cli.stores.not-copied", value=problem))
        found = [
            {"id": id, "name": names[id], "facts": one.length, "new": one.new, "head": one.head}
            for id, one in done.items()
        ]
        if not session.shown({"from": here.place, "to": there.place, "tournaments": found}):
            for id, one in done.items():
                print_line("cli.stores.copied", name=names[id], id=id[:8], facts=one.new, count=one.length)
            print_line("cli.stores.moved", count=len(done), path=here.place, file=there.place)
        return 1 if left else 0


def copy_each(
    ids: Sequence[str], here: Tournaments, there: Tournaments
) -> tuple[dict[str, Copied], list[str]]:
    """What was copied; and of what cannot be read, why: it keeps no other from being copied."""
    done: dict[str, Copied] = {}
    left: list[str] = []
    with steps("copying", len(ids)) as step:
        for id in ids:
            try:
                done[id] = copy(id, here, there)
            except (CorruptFile, NewerFile) as why:
                left.append(str(why))
            step(1)
    return done, left


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@uses_store
def backup(session: Session, out: Path) -> None:
    """Copy the whole file while others work with it, and check the copy.

    The copy shows one moment and appears only when it is complete. Never copy a file in use by other
    means: part of it may still be in the -wal file next to it. For PostgreSQL use pg_dump.

    Example: paircard backup monday.db
    """
    with bar("checking") as progress:
        copied = back_up(session.path, out, progress)
    finish()
    facts = sum(one.length for one in copied)
    print_line("cli.stores.backed-up", path=str(out), there=len(copied), facts=facts)
    tell_unreadable(copied)


def tell_unreadable(copied: Sequence[Copied]) -> None:
    """Which tournaments were copied although nobody can read them to their end."""
    for one in copied:
        if one.unreadable:
            print_line("cli.stores.copied-unreadable", value=one.unreadable)


@click.command()
@click.argument("copy", metavar="BACKUP", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@uses_store
def restore(session: Session, copy: Path) -> None:
    """Put a backup in the place of the file, after checking it; the file that is there is put aside.

    Never copy a backup over a file by other means: a journal left next to it would flow into the copy.

    Example: paircard restore monday.db
    """
    with bar("checking") as progress:
        done = restore_backup(copy, session.path, progress)
    finish()
    facts = sum(one.length for one in done.tournaments)
    location = session.office.location
    print_line("cli.stores.restored", path=location, there=len(done.tournaments), facts=facts)
    if done.aside:
        print_line("cli.stores.put-aside", path=str(done.aside))
    tell_unreadable(done.tournaments)
    for id, missing in done.lost.items():
        print_line("cli.stores.lost", id=id[:8], facts=missing)


@click.command()
@click.option("--tables", metavar="OUT", help="Also check whether these read tables are up to date.")
@click.option("--rebuild", is_flag=True, help="First make the list of tournaments anew from the facts.")
@examines_store
def doctor(session: Session, tables: str | None, rebuild: bool) -> int:
    """Check a store: say what is wrong with it, and what to do.

    No fact is changed, and nothing else without --rebuild. Ends with code 1 if something is wrong.

    Example: paircard doctor
    """
    if rebuild:
        session.office.store().make_catalogue(anew=True)
    found = []
    for finding in findings(session, tables):  # one line as soon as it is known: a large store takes its time
        found.append(finding)
        if not session.json:
            click.echo(f"{finding.state:<6} {finding.about:<12} {finding.text}")
    if session.json:
        show_json(found)
    return 1 if any(finding.state == BAD for finding in found) else 0


def findings(session: Session, tables: str | None) -> Iterator[Finding]:
    """What is to be said of the store, and of read tables if nothing is wrong with it."""
    bad = False
    for finding in examine(session.path):
        yield finding
        bad |= finding.state == BAD
    if tables is not None and not bad:
        yield how_far(session.office.store(), tables)
