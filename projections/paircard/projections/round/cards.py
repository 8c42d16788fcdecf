"""Pairing cards: one per player, as arbiters once kept them by hand.

A card says, round by round, opponent, colour, float, result and score.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from paircard.domain.values.players import Details
from paircard.domain.values.results import PLAYED
from paircard.projections.round.crosstable import Crosstable, Entry, entry
from paircard.projections.round.floats import float_records


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One round on a card."""

    round: int
    opponent: int
    """Id of the scheduled opponent; 0 for none."""
    colour: str
    """Scheduled colour: ``w``, ``b`` or ``-``."""
    float: str
    """``d`` downfloat, ``u`` upfloat, ``-`` none, by the edition of the tournament."""
    letter: str
    """What the round brought; empty while the game is not over."""
    points: int
    """Tenths scored in the round."""
    score: int
    """Tenths scored up to and including the round."""
    forfeited: bool = False
    """Scheduled, but not played: the two have not met, and the colour was not had (C.04.2:3.4, 3.5)."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """The record of one player."""

    id: int
    number: int
    name: str
    title: str
    rating: int
    federation: str
    status: str
    lines: tuple[Line, ...]
    fide_id: int = 0
    national_id: str = ""
    birth: str = ""
    club: str = ""
    """As far as they are known to the reader: the public log has the club alone."""


def cards(table: Crosstable, edition: str, details: Mapping[int, Details] = {}) -> dict[int, Card]:
    """The card of every player, by id, for the rounds paired so far; ``details`` are for its head."""
    floats = float_records(as_if_drawn(table), edition, table.paired + 1)
    worth = table.scoring.standings()
    return {
        row.id: Card(
            id=row.id,
            number=row.number,
            name=row.name,
            title=row.title,
            rating=row.rating,
            federation=row.federation,
            status=row.status,
            lines=lines([entry(row, r) for r in range(1, table.paired + 1)], floats[row.id], worth),
            fide_id=head.fide_id,
            national_id=head.national_id,
            birth=head.birth,
            club=head.club,
        )
        for row in table.rows
        for head in (details.get(row.id, NOBODY),)
    }


NOBODY = Details(name="")


def as_if_drawn(table: Crosstable) -> Crosstable:
    """The table with a result for each game in progress: a float is known when the round is paired."""
    rows = tuple(
        replace(row, entries=tuple(e if e.letter else replace(e, letter="?") for e in row.entries))
        for row in table.rows
    )
    return replace(table, rows=rows)


def lines(entries: list[Entry], floats: str, worth: dict[str, int]) -> tuple[Line, ...]:
    """The rounds of one card, with the running score."""
    score, made = 0, []
    for round, (now, mark) in enumerate(zip(entries, floats, strict=True), start=1):
        scored = worth[now.letter] if now.letter else 0
        score += scored
        made.append(
            Line(
                round=round,
                opponent=now.opponent,
                colour=now.colour,
                float=mark,
                letter=now.letter,
                points=scored,
                score=score,
                forfeited=bool(now.opponent and now.letter and now.letter not in PLAYED),
            )
        )
    return tuple(made)
