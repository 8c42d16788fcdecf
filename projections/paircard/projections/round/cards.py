"""Pairing cards: one per player, as arbiters once kept them by hand.

A card says, round by round, opponent, colour, float, result and score.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from paircard.domain.values.results import PLAYED
from paircard.projections.round.crosstable import ABSENT, LISTED, Crosstable, Entry, Listed, Row
from paircard.projections.round.snapshot import (
    Player,
    Snapshot,
    aligned,
    colour_due,
    difference,
    float_record,
    scores_by_round,
    sign,
    signed_difference,
)


class CardLine(msgspec.Struct, frozen=True, kw_only=True):
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


class Card(Listed, frozen=True, kw_only=True):
    """The record of one player."""

    lines: tuple[CardLine, ...]


def cards(table: Crosstable, edition: str) -> dict[int, Card]:
    """The card of every player, by id, for the rounds paired so far."""
    scores = scores_before(table)
    return {row.id: card_of(row, table, scores, edition) for row in table.rows}


def card_of(row: Row, table: Crosstable, scores: Sequence[dict[int, int]], edition: str) -> Card:
    """The card of one player of a table, given the scores of all before each round."""
    floats = float_record(drawn(row), scores, table.scoring.table(), edition)
    entries = row.entries + (ABSENT,) * table.paired
    made = lines(entries[: table.paired], floats, table.scoring.standings())
    return Card(**{name: getattr(row, name) for name in LISTED}, lines=made)


def scores_before(table: Crosstable) -> list[dict[int, int]]:
    """By round, everybody's score before it; the results of the last round do not enter."""
    return scores_by_round(as_if_drawn(table), table.paired)


def as_if_drawn(table: Crosstable) -> Crosstable:
    """The table with a result for each game in progress: a float is known when the round is paired."""
    return replace(table, rows=tuple(map(drawn, table.rows)))


def drawn(row: Row) -> Row:
    """A record with a result for each game in progress."""
    if all(entry.letter for entry in row.entries):
        return row
    return replace(row, entries=tuple(e if e.letter else replace(e, letter="?") for e in row.entries))


def lines(entries: Sequence[Entry], floats: str, worth: dict[str, int]) -> tuple[CardLine, ...]:
    """The rounds of one card, with the running score."""
    score, made = 0, []
    for round, (now, mark) in enumerate(zip(entries, floats, strict=True), start=1):
        scored = worth[now.letter] if now.letter else 0
        score += scored
        made.append(
            CardLine(
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


# --- the table before a round, which arbiters call tabellone: what the pairing sees of every player


class TabelloneLine(msgspec.Struct, frozen=True, kw_only=True):
    """One player before the round."""

    id: int
    number: int
    name: str
    score: int
    """Tenths, as the pairing counts them."""
    points: int
    """Tenths, without virtual points."""
    opponents: tuple[int, ...]
    """Pairing numbers of the opponents in order of rounds, as scheduled; 0 for none."""
    met: tuple[bool, ...]
    """By round, whether the game was played; two who were only scheduled may be paired again (3.5)."""
    history: str
    """Colours of games played, ``w`` and ``b``, behind a ``-`` for each round without one."""
    difference: int
    """Games with White less games with Black."""
    due: str
    """``w``, ``b``, or empty."""
    strength: str
    """``absolute``, ``strong``, ``mild`` or ``none``."""
    sign: str
    """The preference as on a pairing card: ``W``, ``Ww``, ``w``, ``A``."""
    floats: str
    """Of every round: ``d``, ``u`` or ``-``."""
    absent: str = ""
    """The letter the round will hold for a player who is not to be paired."""
    topscorer: bool = False
    """Of the last round: more than half of the maximum score (1.8)."""

    @property
    def opponents_text(self) -> str:
        """``13 3 (11) –``: an opponent in brackets was not met, the game was forfeited."""
        return " ".join(
            (str(number) if met else f"({number})") if number else "–"
            for number, met in zip(self.opponents, self.met, strict=True)
        )

    @property
    def difference_text(self) -> str:
        """``+1``; ``+0`` after White and ``-0`` after Black."""
        return signed_difference(self.history)


class Scoregroup(msgspec.Struct, frozen=True, kw_only=True):
    """Players of one score, by pairing number."""

    score: int
    players: tuple[TabelloneLine, ...]


class Tabellone(msgspec.Struct, frozen=True, kw_only=True):
    """All players before a round."""

    round: int
    rounds: int
    edition: str
    scoregroups: tuple[Scoregroup, ...]
    """Those to be paired, the highest score first."""
    absent: tuple[TabelloneLine, ...] = ()

    @property
    def lines(self) -> tuple[TabelloneLine, ...]:
        """Everybody, those not to be paired last."""
        return (*(line for group in self.scoregroups for line in group.players), *self.absent)

    @property
    def forfeits(self) -> bool:
        """Whether somebody was scheduled to meet an opponent and did not."""
        return any("(" in one.opponents_text for one in self.lines)

    @property
    def topscorers(self) -> bool:
        return any(one.topscorer for one in self.lines)


def tabellone(snapshot: Snapshot, names: Mapping[int, str]) -> Tabellone:
    numbers = {player.id: player.number for player in snapshot.players}
    lines = [
        line_of(player, names.get(player.id, ""), numbers, topscorer=topscorer)
        for player, topscorer in zip(snapshot.players, snapshot.topscorers(snapshot.players), strict=True)
    ]
    playing = sorted((one for one in lines if not one.absent), key=lambda one: (-one.score, one.number))
    groups = groupby(playing, key=lambda one: one.score)
    return Tabellone(
        round=snapshot.round,
        rounds=snapshot.rounds,
        edition=snapshot.edition,
        scoregroups=tuple(Scoregroup(score=score, players=tuple(group)) for score, group in groups),
        absent=tuple(one for one in lines if one.absent),
    )


def line_of(player: Player, name: str, numbers: Mapping[int, int], *, topscorer: bool) -> TabelloneLine:
    due = colour_due(player.colours)
    return TabelloneLine(
        id=player.id,
        number=player.number,
        name=name,
        score=player.score,
        points=player.points,
        opponents=tuple(numbers.get(id, 0) for id in player.opponents),
        met=tuple(letter in PLAYED for letter in player.letters),
        history=aligned(player.colours),
        difference=difference(player.colours),
        due=due.colour,
        strength=due.strength,
        sign=sign(due),
        floats=player.floats,
        absent=player.absent,
        topscorer=topscorer and not player.absent,
    )
