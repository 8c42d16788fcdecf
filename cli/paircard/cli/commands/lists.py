"""``paircard lists``: rating lists, imported, looked up, and compared with the players."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from paircard.cli.input_files import REPORT
from paircard.cli.options import gathered
from paircard.cli.output import bar, print_line, remark, show_table
from paircard.cli.refusals import Misused, spoken
from paircard.cli.session import Session, prints, reads, uses_store, writes
from paircard.domain.commands import Command, CorrectPlayer, RegisterPlayer
from paircard.domain.errors import Duplicate, Refused, Unknown
from paircard.domain.messages import Message, say
from paircard.domain.state import entered
from paircard.domain.values.players import LISTS, MANUAL, Details
from paircard.service.moment import Moment
from paircard.service.rating_lists.check import Checked, check_players, chosen_changes, day_of_check
from paircard.service.rating_lists.files import (
    ADDRESS,
    TEMPOS,
    ImportedList,
    Stale,
    fetch_due,
    fetch_list,
    import_list,
)
from paircard.service.rating_lists.store import FIDE, RatingList, RatingLists, details_of

DEFAULT_FILE = "paircard-lists.db"
NO_CHECK = click.option(
    "--check/--no-check", default=True, help="Whether running tournaments are checked against it."
)
DAY = click.DateTime(["%Y-%m-%d"])


lists_file = click.option(
    "--lists",
    "file",
    envvar="PAIRCARD_LISTS",
    default=DEFAULT_FILE,
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"File of the rating lists [PAIRCARD_LISTS, else {DEFAULT_FILE}].",
)


class Chosen(msgspec.Struct, frozen=True):
    """The list that is meant, and the file it is in."""

    name: str
    on: datetime | None
    file: Path


which_list = gathered(
    "chosen",
    Chosen,
    click.option("--on", type=DAY, help="The list valid on this day; default: the newest."),
    click.option("--list", "name", default=FIDE, show_default=True, help="Name of the list."),
    lists_file,
)
"""The options that choose a list."""


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def day_text(day: datetime | None) -> str:
    return day.date().isoformat() if day else ""


@click.group()
def lists() -> None:
    """Import rating lists, look people up, and check the players against a list.

    Example:
      paircard lists import standard_nov26frl.txt
      paircard lists find "carlsen m"
      paircard lists check
    """


@lists.command("import")
@click.argument("source", type=REPORT, metavar="FILE")
@click.option(
    "--name", default=FIDE, show_default=True, help="Name of the list, such as GER for a national one."
)
@click.option("--valid", type=DAY, help="First day it is valid; default: as the file says, like NOV26.")
@click.option(
    "--tempo", type=click.Choice(TEMPOS), help="Of a FIDE list with one rating; default: as its name says."
)
@NO_CHECK
@lists_file
@uses_store
def import_(
    session: Session,
    source: Path,
    valid: datetime | None,
    tempo: str | None,
    check: bool,
    file: Path,
    name: str,
) -> None:
    """Import a rating list.

    It is FIDE's TXT or XML, or a CSV with id, name and rating; zipped or not.
    FIDE's standard, rapid and blitz lists of a month make one list. Any other list has a name of its own.
    The running tournaments are checked against it.

    Example: paircard lists import vereine.csv --name GER --valid 2026-11-01
    """
    about = {"name": name, "valid": day_text(valid), "tempo": tempo or ""}
    with RatingLists(file, create=True) as store:
        with bar("importing") as progress:
            made = import_list(store, source, progress=progress, **about)
        tell_imported(session, store, made, check)


@lists.command("fetch")
@click.option("--url", default=ADDRESS, show_default=True, help="Where the list is.")
@click.option("--name", default=FIDE, show_default=True, help="Name of the list.")
@click.option("--valid", type=DAY, help="First day it is valid; default: the first of this month.")
@click.option(
    "--daily/--once",
    default=None,
    help="Fetch it again by itself when the lists are used and it is older than a day.",
)
@NO_CHECK
@lists_file
@uses_store
def fetch(session: Session, url: str, valid: datetime | None, check: bool, file: Path, **about: Any) -> None:
    """Fetch a rating list from a server and import it.

    The running tournaments are checked against it. With --daily, find, register, check and update first
    renew a copy that is older than a day, and say so if they cannot; --once ends that.

    Example: paircard lists fetch --daily
    """
    with RatingLists(file, create=True) as store:
        with bar("fetching") as progress:
            now = datetime.now(UTC)
            made = fetch_list(store, url, now, valid=day_text(valid), progress=progress, **about)
        tell_imported(session, store, made, check)


def tell_imported(session: Session, store: RatingLists, made: ImportedList, check: bool) -> None:
    """What was imported, and the running tournaments whose players differ from it (VCL 139)."""
    if made.notes:
        remark("; ".join(map(spoken, made.notes)), made.list.source)
    print_line("cli.lists.imported", name=made.list.name, day=made.list.valid, count=made.list.people)
    for line in affected_tournaments(session, store, made.list) if check else ():
        click.echo(line)


def renew(session: Session, file: Path) -> None:
    """Fetch the daily lists that are older than a day again, before the lists are used (VCL 135)."""
    with RatingLists(file) as store:
        with bar("fetching") as progress:
            fetched = list(fetch_due(store, datetime.now(UTC), progress))
        for each in fetched:
            if isinstance(each, Stale):
                remark(say("cli.lists.stale", name=each.name, day=each.fetched, what=each.reason))
                continue
            remark(say("cli.lists.fetched-again", name=each.list.name))
            for line in affected_tournaments(session, store, each.list):
                remark(line)


def affected_tournaments(session: Session, store: RatingLists, found: RatingList) -> Iterator[str]:
    """The running tournaments of the store whose players differ from a list, each in a line."""
    if "://" not in session.path and not Path(session.path).exists():
        return
    for summary in session.office.tournaments():
        now = session.office.tournament(summary.id).now()
        day = day_of_check(now.regulations, today())
        if now.state.closed or found.valid > day or store.newest(found.name, on=day) != found:
            continue
        checked = check_players(store, found, now.regulations, entered(now.state), day)
        if differ := [one.name for one in checked.differences]:
            names = "; ".join(differ[:5]) + (" …" if differ[5:] else "")
            yield spoken(say("cli.lists.differ", name=summary.name, entered=len(differ), value=names))


@lists.command("show")
@lists_file
def show(file: Path) -> None:
    """Show which lists there are.

    Example: paircard lists show
    """
    with RatingLists(file) as store:
        fetched = {each.name: each.fetched for each in store.daily()}
        rows = [
            (each.name, each.valid, f"{each.people:,}", each.source, fetched.get(each.name, ""))
            for each in store.lists()
        ]
    show_table("cli.table.lists", rows)


@lists.command("remove")
@click.argument("name")
@click.argument("valid", metavar="DAY", type=DAY)
@lists_file
def remove(name: str, valid: datetime, file: Path) -> None:
    """Remove the list of a name and a first day.

    Example: paircard lists remove fide 2026-11-01
    """
    with RatingLists(file) as store:
        found = next((one for one in store.lists() if (one.name, one.valid) == (name, day_text(valid))), None)
        if found is None:
            raise Unknown("cli.no-such-list", text=name, day=day_text(valid))
        store.remove(found)
    print_line("cli.lists.removed", name=name, day=day_text(valid))


@lists.command("find")
@click.argument("text")
@click.option("--most", type=click.IntRange(1, 200), default=20, show_default=True, help="How many at most.")
@which_list
@prints
def find(session: Session, text: str, most: int, chosen: Chosen) -> None:
    """Look people up by name or id.

    Accents and the order of the words do not matter.

    Example: paircard lists find "magnus carl"
    """
    renew(session, chosen.file)
    with RatingLists(chosen.file) as store:
        found = store.newest(chosen.name, on=day_text(chosen.on))
        people = store.find(found, text, most)
    if session.shown({"list": found, "people": people}):
        return
    code = "cli.table.people" if chosen.name == FIDE else "cli.table.people-listed"
    columns = ("id", "title", "name", "federation", "birth", "standard", "rapid", "blitz")
    show_table(code, [[getattr(person, column) or "" for column in columns] for person in people])


@lists.command("register")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--rating-from",
    type=click.Choice(tuple(LISTS)),
    help="Take the tournament rating from this list; default: as the regulations say.",
)
@which_list
@writes
def register(session: Session, ids: tuple[str, ...], rating_from: str | None, chosen: Chosen) -> None:
    """Register players from a list by their ids, all of them or none.

    Example: paircard lists register 2016192
    """
    renew(session, chosen.file)
    with RatingLists(chosen.file) as store:
        found = store.newest(chosen.name, on=day_text(chosen.on))
        people = [(id, store.by_id(found, id)) for id in ids]
    commands: list[Command] = []
    for id, person in people:
        if person is None:
            raise Unknown("cli.id-not-listed", id=id[:40], name=found.name, day=found.valid)
        details = with_rating(details_of(person, found.name), rating_from)
        commands.append(RegisterPlayer(details=details))
    try:
        done = session.tournament.ask(*commands, by=session.person)
    except Refused as refusal:
        raise session.placed(refusal, [f"id {id}" for id in ids]) from None
    session.tell(done)


def with_rating(details: Details, chosen: str | None) -> Details:
    """The player with the tournament rating of one of the lists, if one is named (VCL 129)."""
    if chosen is None:
        return details
    field, source = LISTS[chosen]
    return replace(details, rating=getattr(details, field), rating_source=source)


@lists.command("ratings")
@reads
def ratings(session: Session) -> None:
    """Show the ratings of every player and where they come from.

    Example: paircard lists ratings
    """
    players = session.view().players().players
    if session.shown(players):
        return
    rows = []
    for one in players:
        by_hand = one.rating and one.rating_source in ("", MANUAL)  # typed in (VCL 134)
        who = one.number or "", one.name, one.rating or "–", "by hand" if by_hand else one.rating_source
        rows.append([*who, *(getattr(one, field) or "" for field, _ in LISTS.values())])
    show_table("cli.table.ratings", rows)


@lists.command("check")
@which_list
@reads
def check(session: Session, chosen: Chosen) -> None:
    """Compare all players with the list of the first day.

    Nothing is changed. In an event of more than 30 days the list of today counts (VCL 137).

    Example: paircard lists check
    """
    renew(session, chosen.file)
    checked = checked_against(session.view(), chosen)
    if session.shown(checked):
        return
    print_line("cli.lists.checked", name=checked.list.name, day=checked.list.valid)
    if checked.note:
        remark(checked.note)
    for difference in checked.differences:
        for field, ours, theirs in difference.fields:
            hand = field == "rating" and difference.by_hand
            code = "cli.lists.field-by-hand" if hand else "cli.lists.field"
            told = {"name": difference.name, "label": field, "value": str(ours), "kind": str(theirs)}
            click.echo(spoken(Message(code, told)))
    for unlisted in checked.unlisted:
        near = "; ".join(f"{person.name} ({person.id})" for person in unlisted.candidates)
        print_line("cli.lists.unlisted", name=unlisted.name, value=near)
    print_line("cli.lists.summary", entered=len(checked.differences), count=len(checked.unlisted))


def checked_against(moment: Moment, chosen: Chosen) -> Checked:
    """The check of the tournament."""
    history = moment.state
    day = day_text(chosen.on) or day_of_check(history.regulations, today())
    with RatingLists(chosen.file) as store:
        found = store.newest(chosen.name, on=day)
        return check_players(store, found, history.regulations, entered(history), day)


@lists.command("update")
@click.argument("who", nargs=-1, metavar="PLAYER...")
@click.option("--all", "everyone", is_flag=True, help="All who differ.")
@click.option("--by-hand", is_flag=True, help="Ratings typed in by hand too.")
@which_list
@writes
def update(session: Session, who: tuple[str, ...], everyone: bool, by_hand: bool, chosen: Chosen) -> None:
    """Correct chosen players as the list has them: all or none.

    Example: paircard lists update Carlsen
    """
    renew(session, chosen.file)
    if everyone == bool(who):
        raise Misused("cli.update-whom")

    def corrections(now: Moment) -> list[Command]:
        checked = checked_against(now, chosen)
        wanted = [one.player for one in checked.differences] if everyone else list(map(now.player, who))
        found = chosen_changes(checked.differences, wanted, also_by_hand=by_hand)
        if not found:
            raise Duplicate("cli.nothing-to-update")
        return [CorrectPlayer(player=id, changes=changes) for id, changes in found]

    session.ask(corrections)
