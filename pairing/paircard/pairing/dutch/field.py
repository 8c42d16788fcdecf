"""Article 1 (2017: A): the players of a round in their order, and what the rules say of each of them.

Colour preferences (1.7, A.6) and what two of them cost a pair: C3, C10–C13 (C.3, C.8–C.11). Players alike in
this form a class. What a pair costs depends on the two classes only: it fails some of ``COLOUR_CRITERIA``,
or it may not be made at all.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from paircard.domain.values.results import PLAYED
from paircard.domain.values.rules import RULES
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.outcome import PairingError
from paircard.projections.round.snapshot import Due, Player, Snapshot, colour_due

# --- colour preferences

WHITE, BLACK, NEITHER = 1, -1, 0
SIDES: Final = {"w": WHITE, "b": BLACK, "": NEITHER}
NO, MILD, STRONG, ABSOLUTE = 0, 1, 2, 3
STRENGTHS: Final = ("none", "mild", "strong", "absolute")
"""Strengths of a preference, by these numbers."""


class Preference(msgspec.Struct, frozen=True, gc=False):
    """What colour a player should have next."""

    played: str
    """Colours of the games played, ``w`` and ``b``."""
    difference: int
    """Games with White minus games with Black (1.6)."""
    due: int
    """``WHITE``, ``BLACK`` or ``NEITHER``."""
    strength: int
    repeated: int
    """The colour of the last two games if they had the same, else ``NEITHER``."""
    wanted: Due
    """Colour and strength in words."""


class ColourClass(msgspec.Struct, frozen=True, gc=False):
    """What a pair's colours depend on. The last three are asked only where topscorers may clash."""

    due: int
    strength: int
    difference: int = 0
    repeated: int = NEITHER
    topscorer: bool = False


def preference(colours: str) -> Preference:
    """What the colours of all rounds ask for, ``-`` being a round without a game, as numbers."""
    played, wanted = colours.replace("-", ""), colour_due(colours)
    difference = played.count("w") - played.count("b")
    repeated = SIDES[played[-1]] if played[-2:] in ("ww", "bb") else NEITHER
    strength = STRENGTHS.index(wanted.strength)
    return Preference(played, difference, SIDES[wanted.colour], strength, repeated, wanted)


def same_preference(one: ColourClass, other: ColourClass) -> bool:
    """Both want the same colour, so that one of them does not get it."""
    return one.due == other.due != NEITHER


def same_absolute_preference(one: ColourClass, other: ColourClass) -> bool:
    """Both must have the same colour."""
    return same_preference(one, other) and one.strength == ABSOLUTE == other.strength


def c3_may_not_meet(one: ColourClass, other: ColourClass) -> bool:
    """[C3, 2017 C.3] Non-topscorers with the same absolute colour preference shall not meet."""
    return same_absolute_preference(one, other) and not (one.topscorer or other.topscorer)


def c10_wide_difference(one: ColourClass, other: ColourClass) -> bool:
    """[C10, 2017 C.8] A topscorer, or a topscorer's opponent, gets a colour difference beyond two."""
    return same_absolute_preference(one, other) and abs(one.difference) > 1 < abs(other.difference)


def c11_third_in_a_row(one: ColourClass, other: ColourClass) -> bool:
    """[C11, 2017 C.9] A topscorer, or a topscorer's opponent, gets the same colour a third time running.

    With equal differences 5.2.3 spares the one who had the colour twice; if both had, one of them gets it
    again. Of unequal differences the wider is mended (5.2.2), and only the one who yields is looked at.
    """
    if not same_absolute_preference(one, other):
        return False
    if abs(one.difference) == abs(other.difference):
        return one.repeated == other.repeated != NEITHER
    yields = one if abs(one.difference) < abs(other.difference) else other
    return yields.repeated == -one.due


def c12_preference_not_granted(one: ColourClass, other: ColourClass) -> bool:
    """[C12, 2017 C.10] A player does not get the colour preference."""
    return same_preference(one, other)


def c13_strong_preference_not_granted(one: ColourClass, other: ColourClass) -> bool:
    """[C13, 2017 C.11] A player does not get a strong colour preference.

    Two absolute preferences that clash (of topscorers) fail C10 or C11 instead.
    """
    return (
        same_preference(one, other)
        and min(one.strength, other.strength) >= STRONG
        and not same_absolute_preference(one, other)
    )


def b2_same_absolute_preference(one: ColourClass, other: ColourClass) -> bool:
    """[2012 B.2] Top scorers with the same absolute colour preference meet."""
    return same_absolute_preference(one, other)


def a7_same_strong_preference(one: ColourClass, other: ColourClass) -> bool:
    """[2012 A.7.d, A.7.e] Two with the same strong, or absolute, colour preference meet."""
    return same_preference(one, other) and min(one.strength, other.strength) >= STRONG


COLOUR_CRITERIA: Final[dict[str, Callable[[ColourClass, ColourClass], bool]]] = {
    "B2": b2_same_absolute_preference,
    "A7d": a7_same_strong_preference,
    "Z": a7_same_strong_preference,
    "C10": c10_wide_difference,
    "C11": c11_third_in_a_row,
    "C12": c12_preference_not_granted,
    "C13": c13_strong_preference_not_granted,
}
"""Each says whether a pair of two classes fails the criterion."""


@lru_cache(maxsize=4096)
def colour_failures(one: ColourClass, other: ColourClass, criteria: tuple[str, ...]) -> int:
    """Which of these criteria a pair fails, one bit for each in order; a bit beyond them if C3 forbids it."""
    if c3_may_not_meet(one, other):
        return 1 << len(criteria)
    return sum(COLOUR_CRITERIA[name](one, other) << place for place, name in enumerate(criteria))


def colour_classes(preferences: Sequence[Preference], topscorers: Sequence[bool]) -> list[ColourClass]:
    """The class of each player. C10 and C11 look closer at those who may clash, if there is a topscorer."""
    asked = [(one.due, one.strength) for one in preferences]
    plain = {one: ColourClass(*one) for one in set(asked)}
    classes = [plain[one] for one in asked]
    if any(topscorers):
        for i, one in enumerate(preferences):
            if one.strength == ABSOLUTE:
                classes[i] = ColourClass(one.due, one.strength, one.difference, one.repeated, topscorers[i])
    return classes


class Clashes:
    """The colour classes of a round's players, and what pairs of them fail."""

    def __init__(self, players: Sequence[ColourClass], criteria: Sequence[str]) -> None:
        """``criteria``: those of the round; the ones on colours are looked at here."""
        self.criteria = tuple(name for name in criteria if name in COLOUR_CRITERIA)
        known: dict[ColourClass, int] = {}
        self.of = [known.setdefault(one, len(known)) for one in players]
        """Class of each player."""
        self.table = [[self._failures(one, other) for other in known] for one in known]
        """``colour_failures`` of each class with each class."""

    def _failures(self, one: ColourClass, other: ColourClass) -> int:
        """None where both can have what they want."""
        return colour_failures(one, other, self.criteria) if one.due == other.due != NEITHER else 0

    def between(self, i: int, j: int) -> int:
        """``colour_failures`` of two players."""
        return self.table[self.of[i]][self.of[j]]

    def failed(self, i: int, j: int) -> tuple[str, ...]:
        """Names of the colour criteria that a pair of two players fails."""
        failures = self.between(i, j)
        return tuple(name for place, name in enumerate(self.criteria) if failures >> place & 1)

    def counted(self, pairs: Sequence[tuple[int, int]]) -> dict[str, int]:
        """How many of these pairs fail each colour criterion."""
        failures = [self.between(i, j) for i, j in pairs]
        return {name: sum(one >> place & 1 for one in failures) for place, name in enumerate(self.criteria)}


# --- [2026 C2, 2017 C.2] Who may have the pairing-allocated bye


def who_may_have_bye(players: Sequence[Player], bars: frozenset[str], second: bool) -> list[bool]:
    """[C2] Each of the players to be paired, unless a round brought what ``bars``.

    If everybody is barred there is no legal round. JaVaFo 1.4 then let those have a ``second`` bye who had
    scored least often without playing.
    """
    may = [bars.isdisjoint(player.letters) for player in players]
    if any(may) or not second:
        return may
    often = [sum(letter in bars for letter in player.letters) for player in players]
    return [count == min(often) for count in often]


DOWN, DOWN_BEFORE, UP, UP_BEFORE, ANY_FLOAT = 1, 2, 4, 8, 15
"""[1.4] Floats of the last round and of the one before."""
FLOATED: Final = {
    before + last: {"d": DOWN, "u": UP}.get(last, 0) | {"d": DOWN_BEFORE, "u": UP_BEFORE}.get(before, 0)
    for before in ("", "d", "u", "-")
    for last in ("d", "u", "-")
} | {"": 0}


class Field:
    """The players to be paired, by rank: score, then pairing number (2026 1.2, 2017 A.2).

    Players are small integers from here on, their place in that order. Every list goes by that place.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.edition = EDITIONS[snapshot.edition]
        self.round = snapshot.round
        self.criteria = self.edition.criteria_in(snapshot.round)
        pool = sorted([p for p in snapshot.players if not p.absent], key=lambda p: p.number)
        pool.sort(key=lambda p: p.score, reverse=True)
        self.players = pool
        self.n = len(pool)
        self.score = [p.score for p in pool]
        self.place = {p.id: i for i, p in enumerate(pool)}
        known = {colours: preference(colours) for colours in {p.colours for p in pool}}
        self.preferences = preferences = [known[p.colours] for p in pool]
        self.games = [one.played for one in preferences]
        self.difference = [one.difference for one in preferences]
        self.due = [one.due for one in preferences]
        self.strength = [one.strength for one in preferences]
        self.topscorer = snapshot.topscorers(pool)
        """[1.8, 2017 A.7, 2012 A.10] Over half of the maximum score before the last round."""
        self.clashes = Clashes(colour_classes(preferences, self.topscorer), self.criteria)
        self.floated = [FLOATED[p.floats[-2:]] for p in pool]
        self.colours_and_floats = [
            colour << ANY_FLOAT.bit_length() | floats
            for colour, floats in zip(self.clashes.of, self.floated, strict=True)
        ]
        """Colour class and floats in one number: players alike in it are alike for every criterion but C9."""
        self.bars = snapshot.bars
        self.may_have_pab = who_may_have_bye(pool, self.bars, RULES[snapshot.edition].second_bye)
        self.unplayed = [len(p.letters) - len(played) for p, played in zip(pool, self.games, strict=True)]
        self.groups = self._scoregroups()
        self.adjacent = self._opponents(snapshot)

    def _scoregroups(self) -> list[tuple[int, int]]:
        """First and end place of each scoregroup (2026 1.3, 2017 A.3)."""
        groups = []
        start = 0
        for i in range(1, self.n + 1):
            if i == self.n or self.score[i] != self.score[start]:
                groups.append((start, i))
                start = i
        return groups

    def _opponents(self, snapshot: Snapshot) -> list[int]:
        """The possible opponents of each, as bitsets: C1, C3 and announced prohibitions."""
        everyone = (1 << self.n) - 1
        bit = {player.id: 1 << i for i, player in enumerate(self.players)}
        apart = self._c3_kept_apart()
        adjacent = [
            everyone & ~(1 << i | c1_met(player, bit) | apart[i]) for i, player in enumerate(self.players)
        ]
        for a, b in snapshot.prohibited:
            if a in bit and b in bit:
                adjacent[self.place[a]] &= ~bit[b]
                adjacent[self.place[b]] &= ~bit[a]
        return adjacent

    def same_absolute_preference(self, i: int, j: int) -> bool:
        """Whether both must have the same colour."""
        return self.strength[i] == ABSOLUTE == self.strength[j] and self.due[i] == self.due[j]

    def _c3_kept_apart(self) -> list[int]:
        """[C3, 2017 C.3] For each player those whose colours may not meet, which are absolute."""
        table, never = self.clashes.table, 1 << len(self.clashes.criteria)
        alike = [0] * len(table)
        for i, one in enumerate(self.clashes.of):
            if self.strength[i] == ABSOLUTE:
                alike[one] |= 1 << i
        apart = [sum([alike[other] for other, fails in enumerate(row) if fails == never]) for row in table]
        return [apart[one] for one in self.clashes.of]


def c1_met(player: Player, bit: dict[int, int]) -> int:
    """[C1, 2017 C.1] The opponents the player has met; only games that were played count (C.04.2:3.5)."""
    met = 0
    if PLAYED.issuperset(player.letters):
        for opponent in player.opponents:
            met |= bit.get(opponent, 0)
        return met
    for opponent, letter in zip(player.opponents, player.letters, strict=True):
        if letter in PLAYED:
            met |= bit.get(opponent, 0)
    return met


# --- what forbids a pair, or the bye


BYE: Final = 0
"""In the place of an opponent: the pairing-allocated bye."""


class Bar(msgspec.Struct, frozen=True):
    """An absolute rule between two players."""

    a: int
    b: int
    """0 where the rule bars ``a`` from the bye."""
    rule: str
    """``C1``, ``C2``, ``C3`` (2017 ``C.1`` …), or ``prohibited``."""
    round: int = 0
    """The round in which they met (C1), or in which ``a`` had the bye or a win without playing (C2)."""
    colour: str = ""
    """The colour that both must have (C3)."""


def rule_against(field: Field, i: int, j: int) -> Bar | None:
    """The absolute rule that keeps two players apart, if any."""
    if field.adjacent[i] >> j & 1:
        return None
    one, other = field.players[i], field.players[j]
    for round, (opponent, letter) in enumerate(zip(one.opponents, one.letters, strict=True), 1):
        if opponent == other.id and letter in PLAYED:
            return Bar(one.id, other.id, field.edition.name_of("C1"), round)
    if field.same_absolute_preference(i, j) and not (field.topscorer[i] or field.topscorer[j]):
        return Bar(one.id, other.id, field.edition.name_of("C3"), colour=field.preferences[i].wanted.colour)
    return Bar(one.id, other.id, "prohibited")


def barred_from_bye(field: Field, i: int) -> Bar:
    """[C2] The round that keeps a player from the bye."""
    player = field.players[i]
    letters = enumerate(player.letters, start=1)
    round = next((round for round, letter in letters if letter in field.bars), 0)
    return Bar(player.id, BYE, field.edition.name_of("C2"), round)


# --- whether a snapshot makes sense: what the kernel refuses before it pairs anything


OPPOSITE: Final = {"w": "b", "b": "w"}
FLOATS: Final = frozenset("du-")


def check_snapshot(snapshot: Snapshot) -> None:
    """Refuse a snapshot that contradicts itself, naming the player and the round."""
    if snapshot.edition not in EDITIONS:
        raise PairingError("pairing.edition-unknown", text=snapshot.edition, known=tuple(EDITIONS))
    if not 1 <= snapshot.round <= snapshot.rounds:
        raise PairingError("pairing.round-not-announced", round=snapshot.round, rounds=snapshot.rounds)
    if snapshot.initial_colour not in ("w", "b"):
        raise PairingError("pairing.colour-unknown")
    before = snapshot.round - 1
    players: set[int] = set()
    numbers: dict[int, int] = {}
    for player in snapshot.players:
        if player.id in players:
            raise PairingError("pairing.twice", player=player.id)
        players.add(player.id)
        if not player.absent:
            other = numbers.setdefault(player.number, player.id)
            if other != player.id:
                raise PairingError("pairing.same-number", player=other, other=player.id, number=player.number)
        if not (
            len(player.letters)
            == len(player.opponents)
            == len(player.colours)
            == len(player.floats)
            == before
        ):
            raise _wrong_length(snapshot, player)
        if not FLOATS.issuperset(player.floats):
            raise PairingError("pairing.floats-unknown", player=player.id, text=player.floats)
    check_games(snapshot.players)
    for pair in snapshot.prohibited:
        for id in pair:
            if id not in players:
                raise PairingError("pairing.prohibited-unknown", player=id)


def _wrong_length(snapshot: Snapshot, player: Player) -> PairingError:
    lengths = (len(player.letters), len(player.opponents), len(player.colours), len(player.floats))
    longest = max(lengths)
    if longest < snapshot.round:
        return PairingError("pairing.record-too-short", player=player.id, round=min(lengths) + 1)
    return PairingError("pairing.record-too-long", player=player.id, last=longest, round=snapshot.round)


def check_games(players: Sequence[Player]) -> None:
    """Refuse the first game on which its players' records differ.

    Several byes in a past round are a breach that happened; bbpPairings and JaVaFo pair on as well.
    """
    ids = [player.id for player in players]
    rounds = zip(
        zip(*[player.opponents for player in players], strict=True),
        zip(*[player.colours for player in players], strict=True),
        zip(*[player.letters for player in players], strict=True),
        strict=True,
    )
    for round, (opponents, colours, letters) in enumerate(rounds, start=1):
        whom, side = dict(zip(ids, opponents, strict=True)), dict(zip(ids, colours, strict=True))
        for me, opponent, colour, letter in zip(ids, opponents, colours, letters, strict=True):
            if letter in PLAYED:
                if whom.get(opponent) != me:
                    code = "pairing.one-sided" if opponent in whom else "pairing.opponent-unknown"
                    raise PairingError(code, player=me, other=opponent, round=round)
                if side[opponent] != OPPOSITE.get(colour):
                    raise PairingError("pairing.colours-not-opposite", player=me, other=opponent, round=round)
            elif colour != "-":
                raise PairingError("pairing.colour-without-game", player=me, round=round)
