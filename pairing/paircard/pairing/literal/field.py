"""The field: who may meet whom (C1, C3), who may have the PAB (C2), can the rest be completed (C4, C5).

Sets of players are integers, bit ``rank`` for the player of that rank.
"""

from collections.abc import Iterable, Iterator

from paircard.pairing.literal.cards import ABSOLUTE, STRONG, Card, allocate, cards
from paircard.projections.round.snapshot import Snapshot

PATIENCE = 200_000
"""Sets of players one completion search may look at before it gives up."""


class TooLarge(Exception):
    """The literal generator does not enumerate a bracket of this size; ask the fast engine."""


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
