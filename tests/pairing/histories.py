"""Random histories that no Swiss engine would produce: states in which the next round is hard to pair.

Opponents, colours, absences and results of the past are drawn, not paired by any rule but that nobody
meets twice. Each kind is rich in one thing; the seed alone gives the history.
"""

from collections.abc import Callable
from random import Random

import msgspec

from paircard.domain.values.results import STANDARD, Scoring
from paircard.projections.round.crosstable import Crosstable, Entry, Prohibition, Row

KINDS = ("mixed", "dense", "absent", "one colour", "last round", "collapse", "apart")
"""What a history is rich in; by seed they take turns."""

SCORINGS = (
    STANDARD,
    STANDARD,
    STANDARD,
    Scoring(win=30, draw=10, pab=30),
    Scoring(win=20, draw=10, pab=20),
    Scoring(win=30, draw=20, loss=10, pab=30),
    Scoring(pab=5),
)
HALVES = {"1": 2, "W": 2, "+": 2, "F": 2, "U": 2, "=": 1, "D": 1, "H": 1}


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What a history is drawn with; shares are percent."""

    players: int
    played: int
    """Rounds behind; the next one is to be paired."""
    rounds: int
    absent: int = 0
    forfeits: int = 0
    draws: int = 50
    by_score: int = 70
    """Rounds whose opponents are near each other in score."""
    whites: int = 50
    """Games in which the smaller number has White: the higher, the more players are due one colour."""
    unrated: int = 4
    """Games of unusual letters: unrated ones (W, D, L) and half-scored ones."""
    bans: int = 0
    ban_size: int = 4
    scoring: Scoring = STANDARD


def shape(kind: str, chance: Random) -> Shape:
    """The shape of a kind."""
    return SHAPES[kind](chance)


def mixed(chance: Random) -> Shape:
    """A little of everything."""
    players = chance.choice((chance.randint(10, 40), chance.randint(20, 130)))
    played = chance.randint(0, min(9, players - 3))
    return Shape(
        players=players,
        played=played,
        rounds=played + (1 if chance.random() < 0.6 else chance.randint(1, 4)),
        absent=chance.choice((0, 5, 15, 30)),
        forfeits=chance.choice((0, 3, 10)),
        draws=chance.choice((10, 50, 90)),
        whites=chance.choice((50, 50, 50, 85)),
        bans=chance.choice((0, 0, 0, 0, chance.randint(1, 4))),
        scoring=chance.choice(SCORINGS),
    )


def dense(chance: Random) -> Shape:
    """Rounds close to players: few opponents are left."""
    players = chance.randint(10, 30)
    played = max(5, players - chance.randint(3, 6))
    return Shape(players=players, played=played, rounds=played + chance.randint(1, 2), by_score=30)


def absent(chance: Random) -> Shape:
    """Every third player away at any time, and games not played."""
    players = chance.randint(12, 130)
    played = chance.randint(3, 9)
    return Shape(
        players=players,
        played=played,
        rounds=played + chance.randint(1, 3),
        absent=chance.randint(25, 50),
        forfeits=chance.randint(5, 20),
    )


def one_colour(chance: Random) -> Shape:
    """Nearly everyone who matters is due the same colour."""
    players = chance.randint(10, 130)
    played = chance.randint(2, 8)
    return Shape(
        players=players,
        played=played,
        rounds=played + chance.randint(1, 4),
        whites=chance.randint(85, 100),
        draws=chance.choice((10, 90)),
    )


def last_round(chance: Random) -> Shape:
    """The last round, with many above half the points: topscorers."""
    players = chance.randint(10, 130)
    played = chance.randint(4, 9)
    return Shape(
        players=players,
        played=played,
        rounds=played + 1,
        draws=chance.choice((5, 30, 80)),
        absent=chance.choice((0, 10, 35)),
        whites=chance.choice((50, 80, 95)),
        scoring=chance.choice(SCORINGS),
    )


def collapse(chance: Random) -> Shape:
    """The weak have met each other: the last brackets cannot be completed and collapse (2017 A.9)."""
    players = chance.randint(10, 60)
    played = chance.randint(5, min(11, players - 3))
    return Shape(
        players=players,
        played=played,
        rounds=played + chance.randint(1, 2),
        by_score=100,
        draws=5,
        absent=chance.choice((0, 5)),
    )


def apart(chance: Random) -> Shape:
    """Clubs and families: long lists of players who may not meet."""
    players = chance.randint(16, 130)
    played = chance.randint(0, 7)
    return Shape(
        players=players,
        played=played,
        rounds=played + chance.randint(1, 3),
        bans=chance.randint(3, 8),
        ban_size=max(4, players // chance.randint(4, 10)),
    )


SHAPES: dict[str, Callable[[Random], Shape]] = {
    "mixed": mixed,
    "dense": dense,
    "absent": absent,
    "one colour": one_colour,
    "last round": last_round,
    "collapse": collapse,
    "apart": apart,
}


def history(seed: int) -> Crosstable:
    """The history of a seed; its kind is that of the seed's turn."""
    chance = Random(seed)
    return drawn(shape(KINDS[seed % len(KINDS)], chance), chance)


def kind_of(seed: int) -> str:
    """What the history of a seed is rich in."""
    return KINDS[seed % len(KINDS)]


def one_scoregroup(players: int, seed: int, played: int = 2) -> Crosstable:
    """Everybody has the same points: all games are drawn."""
    chance = Random(seed)
    shape = Shape(players=players, played=played, rounds=9, draws=100, unrated=0, by_score=0)
    return drawn(shape, chance)


def drawn(shape: Shape, chance: Random) -> Crosstable:
    """Play it: draw the opponents, colours and results of each round."""
    entries: dict[int, list[Entry]] = {number: [] for number in range(1, shape.players + 1)}
    met: set[tuple[int, int]] = set()
    for _ in range(shape.played):
        present = []
        for number in entries:
            if percent(shape.absent, chance):
                entries[number].append(Entry(0, "-", chance.choice("HFZZ")))
            else:
                present.append(number)
        chance.shuffle(present)
        if percent(shape.by_score, chance):
            halves = {number: sum(HALVES.get(e.letter, 0) for e in entries[number]) for number in present}
            spread = chance.choice((0.5, 3))
            present.sort(key=lambda number: -halves[number] + chance.random() * spread)
        bye = "U"  # one in a round, and one in a life (C2)
        while present:
            one = present.pop(0)
            other = next((number for number in present if (one, number) not in met), 0)
            if not other:
                had = any(e.letter == "U" for e in entries[one])
                entries[one].append(Entry(0, "-", chance.choice("ZHF") if had else bye))
                bye = bye if had else chance.choice("ZHF")
                continue
            present.remove(other)
            game(shape, chance, entries, met, one, other)
    for number in entries:
        if percent(shape.absent, chance):
            entries[number].append(Entry(0, "-", chance.choice("ZH")))
    return Crosstable(
        rows=tuple(
            Row(
                id=number,
                number=number,
                entries=tuple(some),
                name=f"Player {number:04}",
                rating=2500 - number % 2000,
            )
            for number, some in entries.items()
        ),
        rounds=shape.rounds,
        paired=shape.played,
        scoring=shape.scoring,
        initial_colour=chance.choice("wb"),
        prohibitions=tuple(
            Prohibition(
                tuple(sorted(chance.sample(range(1, shape.players + 1), min(shape.ban_size, shape.players))))
            )
            for _ in range(shape.bans)
        ),
    )


def game(
    shape: Shape,
    chance: Random,
    entries: dict[int, list[Entry]],
    met: set[tuple[int, int]],
    one: int,
    other: int,
) -> None:
    """One board: who has White, and what it brings."""
    white, black = min(one, other), max(one, other)
    if not percent(shape.whites, chance):
        white, black = black, white
    if percent(shape.forfeits, chance):
        letters = chance.choice(("+-", "-+", "--"))
    else:
        met |= {(one, other), (other, one)}
        if percent(shape.unrated, chance):
            letters = chance.choice(("WL", "DD", "LW", "=0", "0=", "00"))
        else:
            letters = "==" if percent(shape.draws, chance) else chance.choice(("10", "01"))
    entries[white].append(Entry(black, "w", letters[0]))
    entries[black].append(Entry(white, "b", letters[1]))


def percent(share: int, chance: Random) -> bool:
    """True in so many of a hundred draws."""
    return chance.randrange(100) < share
