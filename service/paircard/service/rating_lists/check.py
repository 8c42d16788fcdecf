"""The players of a tournament held against a rating list (VCL 133-144)."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.state import Player
from paircard.domain.values.names import same_words, spellings
from paircard.domain.values.players import LISTS, MANUAL, Changes, Details
from paircard.domain.values.regulations import Regulations
from paircard.service.rating_lists.store import ALIKE, FIDE, ListEntry, RatingList, RatingLists, details_of
from paircard.service.sheets.players import news_of, rating_by_lists

LONG_EVENT: Final = 30
"""Days; in a longer event the list of the day of the check counts (VCL 137)."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What the list says otherwise about a player."""

    player: int
    name: str
    fields: tuple[tuple[str, str, str], ...]
    """Field, value on record, value of the list."""
    changes: Changes
    by_hand: bool = False
    """The rating was typed in, and stays unless it is asked for too."""


class Unlisted(msgspec.Struct, frozen=True, kw_only=True):
    """A player the list does not have."""

    player: int
    name: str
    candidates: tuple[ListEntry, ...]
    """Who might be meant."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a check."""

    list: RatingList
    day: str
    """The day whose list was wanted."""
    differences: tuple[Difference, ...]
    unlisted: tuple[Unlisted, ...]
    note: str
    """Why the list may not be the right one, in English; empty if it is."""
    message: Message | None = None
    """The note for every language."""


def day_of_check(regulations: Regulations, today: str) -> str:
    """The day whose list counts: the first of the event, or that of the check in a long event (VCL 137)."""
    long = regulations.days > LONG_EVENT and today > regulations.starts
    return today if long else regulations.starts or today


def check_players(
    lists: RatingLists, found: RatingList, regulations: Regulations, players: Sequence[Player], day: str
) -> Checked:
    """Everyone against a list; nobody is changed."""
    differences: list[Difference] = []
    unlisted: list[Unlisted] = []
    for player in players:
        listed, name = identify(lists, found, player.details), player.details.name
        if listed is None:
            near = tuple(lists.find(found, name, 3))
            unlisted.append(Unlisted(player=player.id, name=name, candidates=near))
        elif difference := compare(player, listed, found, regulations):
            differences.append(difference)
    message = currency(found, day)
    return Checked(
        list=found,
        day=day,
        differences=tuple(differences),
        unlisted=tuple(unlisted),
        note=Speaker().say(message) if message else "",
        message=message,
    )


def currency(found: RatingList, day: str) -> Message | None:
    """That FIDE's list is not the one of the month of a day (VCL 141)."""
    if found.name != FIDE or found.valid[:7] == day[:7]:
        return None
    return say("lists.of-another-month", first_day=found.valid, day=day, when=day[:7])


def identify(lists: RatingLists, found: RatingList, details: Details) -> ListEntry | None:
    """The person of the list: by the id of the list, by FIDE id, or by a name that only one has."""
    if found.name != FIDE and details.national_id:
        return lists.by_id(found, details.national_id)
    if details.fide_id:
        return lists.by_fide_id(found, details.fide_id)
    listed = {each.id: each for name in spellings(details.name) for each in lists.find(found, name, 5)}
    same = [each for each in listed.values() if same_words(each.name, details.name)]
    alike = [each for each in same if fits(each, details)]
    return alike[0] if len(alike) == 1 else None


def fits(listed: ListEntry, details: Details) -> bool:
    """Whether nothing that both know speaks against one person."""
    known = ((listed.birth[:4], details.birth[:4]), (listed.federation, details.federation))
    return all(one == other for one, other in known if one and other)


def compare(
    player: Player, listed: ListEntry, found: RatingList, regulations: Regulations
) -> Difference | None:
    """What the list says otherwise, and the correction that follows; None if nothing."""
    now, theirs = player.details, details_of(listed, found.name)
    news = news_of(now, theirs, (*ALIKE, *(field for field, _ in LISTS.values())))
    shown = [(name, str(getattr(now, name) or "-"), str(value)) for name, value in news.items()]
    if used := rating_by_lists(now, news, regulations):
        shown.append(("rating", str(now.rating or "-"), str(used["rating"])))
        news |= used
    if not news:
        return None
    return Difference(
        player=player.id,
        name=now.name,
        fields=tuple(shown),
        changes=Changes(**news),
        by_hand="rating" in news and bool(now.rating) and now.rating_source in ("", MANUAL),
    )


def chosen_changes(
    differences: Iterable[Difference], players: Iterable[int], *, also_by_hand: bool = False
) -> list[tuple[int, Changes]]:
    """The corrections of these players (VCL 144); a rating typed in by hand stays unless asked for."""
    wanted = set(players)
    made = []
    for difference in differences:
        changes = difference.changes
        if difference.by_hand and not also_by_hand:
            changes = replace(changes, rating=UNSET, rating_source=UNSET)
        if difference.player in wanted and changes != Changes():
            made.append((difference.player, changes))
    return made
