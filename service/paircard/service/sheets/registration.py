"""Players of a sheet beside those who are registered: who is new, who is known, what is wrong."""

import csv
import io
from collections.abc import Iterable
from typing import Final

import msgspec

from paircard.domain.commands import RegisterPlayer
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import Caution, PaircardError
from paircard.domain.state import Player, Tournament, fold
from paircard.domain.values.players import Details
from paircard.service.people import Person, signed
from paircard.service.sheets.players import COLUMNS, Sheet

FIELDS: Final = tuple(field for field in COLUMNS if field not in ("family", "given"))
"""Columns of a sheet that are details of a player."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of the sheet who is registered."""

    line: int
    player: int
    name: str
    differs: tuple[tuple[str, str, str], ...]
    """Field, what is registered, what the sheet says; an import does not change it."""


class Registration(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would do. Nothing was written."""

    new: tuple[tuple[int, Details], ...]
    """Line and player."""
    known: tuple[Known, ...]
    faults: tuple[str, ...]
    """With one, nothing is taken."""
    skipped: tuple[str, ...]
    """Columns that were not taken."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is made."""


def plan_registration(state: Tournament, sheet: Sheet, by: Person) -> Registration:
    """What registering the players of a sheet would do, those left out who are registered."""
    asked = by if by.why.strip() else by.because("preview")
    registered = state.players
    new: list[tuple[int, Details]] = []
    known: list[Known] = []
    faults = list(sheet.faults)
    warnings: list[Caution] = []
    for line, details in sheet.players:
        player = next((one for one in registered if same_person(one.details, details)), None)
        if player is not None:
            known.append(compare(line, player, details))
            continue
        try:
            decision = weigh(state, signed(RegisterPlayer(details=details), asked.meta()))
        except PaircardError as refusal:
            faults.append(f"line {line}: {refusal}")
            continue
        state = fold(decision.events, state)
        warnings += decision.warnings
        new.append((line, details))
    return Registration(
        new=tuple(new),
        known=tuple(known),
        faults=tuple(faults),
        skipped=sheet.skipped,
        warnings=tuple(warnings),
    )


def same_person(one: Details, other: Details) -> bool:
    """By FIDE id where both have one; else by name, and by year of birth where both have one."""
    if one.fide_id and other.fide_id:
        return one.fide_id == other.fide_id
    births = one.birth[:4], other.birth[:4]
    return one.name.casefold() == other.name.casefold() and (not all(births) or births[0] == births[1])


def compare(line: int, player: Player, details: Details) -> Known:
    """Somebody who is registered, with what the sheet says otherwise; an empty cell says nothing."""
    pairs = [(field, getattr(player.details, field), getattr(details, field)) for field in FIELDS]
    return Known(
        line=line,
        player=player.id,
        name=player.details.name,
        differs=tuple((field, str(was), str(says)) for field, was, says in pairs if says and says != was),
    )


def sheet_text(players: Iterable[Details]) -> str:
    """Players as a sheet that reads as the same players."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    writer.writerows([[getattr(one, field) or "" for field in FIELDS] for one in players])
    return out.getvalue()
