"""The field: what Article 1 (2017 section A) says of each player, and the absolute criteria between them.

Who may meet (C1, C3), who may have the PAB (C2), can the rest be completed (C4, C5).
Sets of players are integers, bit ``rank`` for the player of that rank.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import UNSET

from paircard.domain.values.results import PLAYED
from paircard.projections.round.snapshot import Player, Snapshot

NONE: Final = 0
MILD: Final = 1
STRONG: Final = 2
ABSOLUTE: Final = 3

BARS_THE_PAB: Final = {
    # [2026 C2, C.04.1:4] a PAB, or as many points as a win in one round without playing
    "dutch-2026": frozenset("UF+"),
    # [2017 C.2, C.04.1.d] a PAB, or a win because the opponent did not appear
    "dutch-2017": frozenset("U+"),
    # [2012 B.1.b] a point or half point without playing, through a bye or an opponent not appearing
    "dutch-2012": frozenset("UF+H"),
    "dutch-2012-javafo": frozenset("UF+H"),
}


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One player of the pool. The place in the ranking is the identity inside this package."""

    rank: int
    """0 for the first by score, then pairing number (2026 1.2, 2017 A.2)."""
    id: int
    number: int
    score: int
    parity: int
    """Number among those who ever took part, for 5.2.5 / E.5."""
    met: frozenset[int]
    """Ids of opponents of games that were played."""
    played: str
    """Colours of the games played, unplayed rounds left out (C.04.2:3.4)."""
    difference: int
    preference: str
    """``w``, ``b`` or empty."""
    strength: int
    topscorer: bool
    floated: tuple[str, str]
    """Float of the previous round and of the round before it."""
    may_have_pab: bool
    unplayed: int
    """Rounds so far without a game."""


def cards(snapshot: Snapshot) -> tuple[Card, ...]:
    pool = sorted((p for p in snapshot.players if not p.absent), key=lambda p: (-p.score, p.number, p.id))
    parity = numbering(snapshot)
    return tuple(card(snapshot, player, rank, parity[player.id]) for rank, player in enumerate(pool))


def card(snapshot: Snapshot, player: Player, rank: int, parity: int) -> Card:
    played = player.colours.replace("-", "")
    preference, strength = colour_preference(played)
    floats = "--" + player.floats
    return Card(
        rank=rank,
        id=player.id,
        number=player.number,
        score=player.score,
        parity=parity,
        met=frozenset(o for o, x in zip(player.opponents, player.letters, strict=True) if x in PLAYED),
        played=played,
        difference=played.count("w") - played.count("b"),
        preference=preference,
        strength=strength,
        topscorer=is_topscorer(snapshot, player),
        floated=(floats[-1], floats[-2]),
        may_have_pab=not bars_the_pab(snapshot) & set(player.letters),
        unplayed=snapshot.round - 1 - sum(x in PLAYED for x in player.letters),
    )


def bars_the_pab(snapshot: Snapshot) -> frozenset[str]:
    """[C2] Letters that bar; by what they are worth where the scoring is an unusual one."""
    usual = BARS_THE_PAB[snapshot.edition]
    return usual if snapshot.bars_the_bye is UNSET else frozenset(snapshot.bars_the_bye)


def colour_preference(played: str) -> tuple[str, int]:
    """[2026 1.7, 2017 A.6] The colour a player should get next, and how strongly.

    Where the difference and the last two games ask for different colours the text is silent; the
    difference is followed.
    """
    difference = played.count("w") - played.count("b")
    if difference > 1:
        return "b", ABSOLUTE
    if difference < -1:
        return "w", ABSOLUTE
    if played[-2:] == "ww":
        return "b", ABSOLUTE
    if played[-2:] == "bb":
        return "w", ABSOLUTE
    if difference == 1:
        return "b", STRONG
    if difference == -1:
        return "w", STRONG
    if played:
        return ("b" if played[-1] == "w" else "w"), MILD
    return "", NONE


def is_topscorer(snapshot: Snapshot, player: Player) -> bool:
    """[2026 1.8, 2017 A.7] Over half of the maximum, when the final round is paired; real points."""
    return snapshot.round == snapshot.rounds and 2 * player.points > snapshot.win * (snapshot.round - 1)


def numbering(snapshot: Snapshot) -> dict[int, int]:
    """[2026 5.2.5, ruling of August 2026; C.04.2:2.4] 1, 2, 3 … over those who ever took part."""
    numbers: dict[int, int] = {}
    for player in sorted(snapshot.players, key=lambda p: (p.number, p.id)):
        if not player.absent or ever_paired(player):
            numbers[player.id] = len(numbers) + 1
    return numbers


def ever_paired(player: Player) -> bool:
    """A game, a forfeit against an opponent, a PAB, or a win without one; not a requested bye."""
    return any(
        letter in PLAYED or letter in "U+" or (letter == "-" and opponent)
        for letter, opponent in zip(player.letters, player.opponents, strict=True)
    )


# --- who gets White: Article 5.2 (2026), section E (2017, which agrees, and 2012)


OTHER: Final = {"w": "b", "b": "w"}


def allocate(one: Card, other: Card, initial_colour: str, widest: bool = True) -> tuple[Card, Card, int]:
    """White, Black, and which of the five rules decided.

    ``widest``: of two absolute preferences the wider difference is the stronger one; not so in 2012 (E.2).
    """
    high, low = sorted((one, other), key=lambda card: card.rank)
    colour, rule = colour_of_higher(high, low, initial_colour, widest)
    return (high, low, rule) if colour == "w" else (low, high, rule)


def colour_of_higher(high: Card, low: Card, initial_colour: str, widest: bool) -> tuple[str, int]:
    """The colour of the higher ranked player, and the rule."""
    # 5.2.1 / E.1: both preferences, or the only one
    if high.preference and high.preference != low.preference:
        return high.preference, 1
    if low.preference and not high.preference:
        return OTHER[low.preference], 1
    if high.preference:
        # 5.2.2 / E.2: the stronger one; of two absolute ones the wider difference
        if high.strength != low.strength:
            stronger_is_high = high.strength > low.strength
            return (high.preference if stronger_is_high else OTHER[low.preference]), 2
        if widest and high.strength == ABSOLUTE and abs(high.difference) != abs(low.difference):
            wider_is_high = abs(high.difference) > abs(low.difference)
            return (high.preference if wider_is_high else OTHER[low.preference]), 2
    # 5.2.3 / E.3: the latest game in which one had White and the other Black (C.04.2:3.4)
    for before, other in zip(reversed(high.played), reversed(low.played), strict=False):
        if before != other:
            return OTHER[before], 3
    if high.preference:
        return high.preference, 4  # 5.2.4 / E.4
    # 5.2.5 / E.5: nobody has a preference
    return (initial_colour if high.parity % 2 else OTHER[initial_colour]), 5


PATIENCE = 200_000
"""Sets of players one completion search may look at before it gives up."""


class TooLarge(Exception):
    """A round of this size is not looked at literally; ask the fast engine."""


class Field:
    """The players to be paired, with the absolute criteria between them and a memory of searches."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.cards = cards(snapshot)
        self.everyone = (1 << len(self.cards)) - 1
        banned = {frozenset(pair) for pair in snapshot.prohibited}
        self.meets = tuple(
            as_set(b.rank for b in self.cards if a is not b and may_meet(a, b, banned)) for a in self.cards
        )
        self.pab = as_set(c.rank for c in self.cards if c.may_have_pab)
        """Those who may have the PAB; narrowed to the [C5] score when that is known."""
        self.initial_colour = snapshot.initial_colour
        self._known: dict[tuple[int, int], bool] = {}
        self._colours: dict[tuple[int, int], tuple[int, int, int, int]] = {}

    def pairs_up(self, players: int, mdps: int = 0) -> bool:
        """Whether all these can be paired with each other, no MDP with another MDP."""
        if players.bit_count() % 2:
            return False
        if not players:
            return True
        mdps &= players
        key = (players, mdps)
        if key not in self._known:
            if len(self._known) > PATIENCE:
                raise TooLarge("the completion of this round is too long a search for the literal generator")
            self._known[key] = self._search(players, mdps)
        return self._known[key]

    def _search(self, players: int, mdps: int) -> bool:
        """Pair the player with the fewest opponents in every way: somebody has to meet them."""
        choices = []
        for rank in ranks(players):
            opponents = self.meets[rank] & players
            if mdps >> rank & 1:
                opponents &= ~mdps
            if not opponents:
                return False
            choices.append((opponents.bit_count(), rank, opponents))
        _, rank, opponents = min(choices)
        rest = players & ~(1 << rank)
        return any(self.pairs_up(rest & ~(1 << other), mdps) for other in ranks(opponents))

    def completes(self, players: int) -> bool:
        """[C4 with C1–C3, C5] Whether these can be paired, but for one who may have the PAB if odd."""
        if players.bit_count() % 2 == 0:
            return self.pairs_up(players)
        return any(self.pairs_up(players & ~(1 << rank)) for rank in ranks(players & self.pab))

    def lowest_pab_score(self) -> int | None:
        """[C5] The lowest score a PAB player can have in a complete round; None if there is none."""
        for rank in sorted(ranks(self.pab), key=lambda rank: self.cards[rank].score):
            if self.pairs_up(self.everyone & ~(1 << rank)):
                return self.cards[rank].score
        return None

    def colour_failures(self, one: int, other: int) -> tuple[int, int, int, int]:
        """[C10–C13, 2017 C.8–C.11] What a pair adds to each, its colours given by 5.2."""
        key = (one, other)
        if key not in self._colours:
            self._colours[key] = colour_failures(self.cards[one], self.cards[other], self.initial_colour)
        return self._colours[key]

    def scores(self, players: int) -> tuple[int, ...]:
        """Their scores, highest first."""
        return tuple(sorted((self.cards[rank].score for rank in ranks(players)), reverse=True))


def may_meet(a: Card, b: Card, banned: set[frozenset[int]]) -> bool:
    """[C1, C3; 2017 C.1, C.3] And prohibited pairs, at the level of C1 (TRF26 260)."""
    if b.id in a.met or a.id in b.met or frozenset((a.id, b.id)) in banned:
        return False
    if a.topscorer or b.topscorer:
        return True
    return not (a.strength == b.strength == ABSOLUTE and a.preference == b.preference)


def colour_failures(one: Card, other: Card, initial_colour: str) -> tuple[int, int, int, int]:
    """Players beyond ±2, with a colour three times running (both only around topscorers), without
    their preference, and without their strong preference.

    The first two come only where C3 was waived, so from a preference not granted: whoever comes back
    from ±4 to ±3, or gets White a third time running to mend the wider difference (5.2.2), is not meant.
    Of two with equal differences neither is the one to be mended: a third time running counts for both.
    """
    white, black, _ = allocate(one, other, initial_colour)
    given = ((white, "w", 1), (black, "b", -1))
    denied = [item for item in given if item[0].preference not in ("", item[1])]
    around_topscorer = one.topscorer or other.topscorer
    waived = one.strength == other.strength == ABSOLUTE and one.preference == other.preference
    meant = given if waived and one.difference == other.difference else denied
    return (
        sum(abs(card.difference + step) > 2 for card, _, step in denied) * around_topscorer,
        sum(card.played[-2:] == 2 * colour for card, colour, _ in meant) * around_topscorer,
        len(denied),
        sum(card.strength == STRONG for card, _, _ in denied),
    )


def as_set(ranks: Iterable[int]) -> int:
    """The players of these ranks as bits."""
    bits = 0
    for rank in ranks:
        bits |= 1 << rank
    return bits


def ranks(players: int) -> Iterator[int]:
    """The ranks of a set of players, best first."""
    while players:
        lowest = players & -players
        yield lowest.bit_length() - 1
        players ^= lowest
