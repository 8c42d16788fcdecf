"""Players of a sheet beside those who are registered: who is new, who has other data, what is wrong."""

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import Command, CorrectPlayer, RegisterPlayer
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import regulations_of, signed
from paircard.domain.deciding.unused_ratings import UnusedRatings, unused_ratings
from paircard.domain.errors import Caution, Invalid, PaircardError
from paircard.domain.state import Player, Tournament, entered, fold, name_among
from paircard.domain.values.names import fold_name, same_words, spelling_key
from paircard.domain.values.players import MANUAL, Changes, Details, likeness, rated
from paircard.domain.values.regulations import Regulations, lists_of
from paircard.service.people import Person
from paircard.service.rating_lists.check import used_rating
from paircard.service.sheets.players import COLUMNS, Sheet

FIELDS: Final = tuple(field for field in COLUMNS if field not in ("family", "given"))
"""Columns of a sheet that are details of a player."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of the sheet who is registered."""

    line: int
    player: int
    name: str
    says: Details
    """The line of the sheet."""
    status: str
    """``withdrawn`` or ``expelled``, which a sheet does not change; empty for who takes part."""
    differs: tuple[tuple[str, str, str], ...]
    """Field, what is registered, what the import makes of it."""
    changes: Changes
    """The same, as it is asked."""


class Registration(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would do. Nothing was written."""

    new: tuple[tuple[int, Details], ...]
    """Line and player."""
    known: tuple[Known, ...]
    missing: tuple[str, ...]
    """Names of players who take part and are not in the sheet; they stay."""
    faults: tuple[str, ...]
    """With one, nothing is taken."""
    skipped: tuple[str, ...]
    """Columns that were not taken."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is made."""
    ratings: tuple[int, ...] = ()
    """The ratings of those who are new, as the tournament counts them."""
    unused: UnusedRatings = UnusedRatings()
    """Ratings that are known by then and that the tournament does not use."""

    @property
    def updated(self) -> tuple[Known, ...]:
        """Those whose data the sheet changes."""
        return tuple(one for one in self.known if one.differs)

    def commands(self) -> list[tuple[int, Command]]:
        """Line and command of each entry and each correction, in the order of the sheet."""
        found: list[tuple[int, Command]] = [(line, RegisterPlayer(details=new)) for line, new in self.new]
        found += [(one.line, CorrectPlayer(player=one.player, changes=one.changes)) for one in self.updated]
        return sorted(found, key=lambda one: one[0])


def plan_registration(state: Tournament, sheet: Sheet, by: Person) -> Registration:
    """What importing a sheet would do: register the new, correct those who are registered."""
    asked = by if by.why.strip() else by.because("preview")
    regulations = regulations_of(state)
    roll = Roll(entered(state))
    new: list[tuple[int, Details]] = []
    ratings: list[int] = []
    known: dict[int, Known] = {}
    faults = list(sheet.faults)
    warnings: list[Caution] = []
    for line, details in sheet.players:
        try:
            player = roll.find(details)
            if player is None:
                command: Command = RegisterPlayer(details=details)
                new.append((line, details))
                ratings.append(rated(details, lists_of(regulations)).rating)
            elif player.id in known:
                first = known[player.id]
                raise Invalid(f"{details.name} and line {first.line} are the same player, {first.name}")
            else:
                known[player.id] = one = compare(line, player, details, regulations)
                if not one.differs:
                    continue
                command = CorrectPlayer(player=player.id, changes=one.changes)
            decision = weigh(state, signed(command, asked.meta()))
        except PaircardError as refusal:
            faults.append(f"line {line}: {refusal}")
            continue
        state = fold(decision.events, state)
        warnings += decision.warnings
    absent = [one for one in roll.players if one.id not in known and not one.status]
    return Registration(
        new=tuple(new),
        known=tuple(known.values()),
        missing=tuple(one.details.name for one in absent),
        faults=tuple(faults),
        skipped=(*sheet.skipped, *sheet.unused),
        ratings=tuple(ratings),
        unused=unused_ratings(state),
        warnings=tuple(warnings),
    )


class Roll:
    """Those who are registered, to be found by FIDE id or by name."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.players = players
        self._by_id = {one.details.fide_id: one for one in players if one.details.fide_id}
        self._by_key: dict[str, list[Player]] = {}
        for one in players:
            for key in keys_of(one.details):
                self._by_key.setdefault(key, []).append(one)

    def find(self, details: Details) -> Player | None:
        """The same person: by id where both have one; else by name, unless the years of birth differ."""
        words = set(fold_name(details.name).split())
        namesakes = {one.id: one for key in keys_of(details) for one in self._by_key.get(key, ())}.values()
        if player := self._by_id.get(details.fide_id):
            # a name may be spelled otherwise, but an id typed wrongly must not rename somebody else
            theirs = player.details.name
            if same_words(details.name, theirs) or words & set(fold_name(theirs).split()):
                return player
            raise Invalid(
                f"FIDE id {details.fide_id} belongs to {player.details.name}, not to {details.name}: "
                "correct the id in the sheet, or the name of the player first"
            )
        found = [one for one in namesakes if likeness(one.details, details) == "same"]
        if len(found) > 1:
            each = " and ".join(name_among(found, one.id) for one in found)
            raise Invalid(f"{details.name} may be {each}: a FIDE id or a year of birth tells them apart")
        return found[0] if found else None


def keys_of(details: Details) -> tuple[str, ...]:
    """Where to look for somebody who may be the same person: by name, and by national id."""
    return spelling_key(details.name), *([f"#{details.national_id}"] if details.national_id else [])


def compare(line: int, player: Player, details: Details, regulations: Regulations) -> Known:
    """What the sheet says otherwise of somebody who is registered; an empty cell says nothing.

    A rating that a list gave follows that list; one that was typed in stays, unless the sheet has another.
    """
    now = player.details
    news: dict[str, Any] = {}
    for field in FIELDS:
        was, says = getattr(now, field), getattr(details, field)
        if says and says != was and not is_shorter(field, was, says):
            news[field] = says
    if not details.rating and (not now.rating or now.rating_source not in ("", MANUAL)):
        used = used_rating(replace(now, **news), regulations)
        if used and used[0] != now.rating:
            news |= {"rating": used[0], "rating_source": used[1]}
    return Known(
        line=line,
        player=player.id,
        name=now.name,
        says=details,
        status=player.status,
        differs=tuple(
            (field, shown(getattr(now, field)), shown(says))
            for field, says in news.items()
            if field != "rating_source"
        ),
        changes=Changes(**news),
    )


def shown(value: object) -> str:
    """A value for people; empty for none."""
    return "yes" if value is True else str(value or "")


def is_shorter(field: str, was: str, says: str) -> bool:
    """Whether a sheet only knows less: the year of birth alone, or a name without its accents or comma."""
    if field == "name":
        poorer = (says.isascii() and not was.isascii()) or ("," in was and "," not in says)
        return poorer and same_words(says, was)
    return field == "birth" and was.startswith(says)


def sheet_text(players: Iterable[Details]) -> str:
    """Players as a sheet that reads as the same players."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for one in players:
        writer.writerow([shown(getattr(one, field)) for field in FIELDS])
    return out.getvalue()
