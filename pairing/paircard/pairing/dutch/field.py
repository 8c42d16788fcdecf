"""Article 1 (2017: A): the players of a round in their order, and what the rules say of each of them."""

from collections.abc import Sequence

from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, WHITE, Clashes, colour_classes, preference
from paircard.pairing.outcome import PairingError
from paircard.projections.round.snapshot import Player, Snapshot

EDITIONS = ("dutch-2026", "dutch-2017")

BARS_THE_PAB = {
    "dutch-2026": frozenset("UF+"),  # [C2] a PAB, or a win's points in one round without playing
    "dutch-2017": frozenset("U+"),  # [C.2] a PAB, or an opponent who did not appear
}
PLAYED = frozenset("1=0WDL?")
OPPOSITE = {"w": "b", "b": "w"}
NO_GAMES = dict.fromkeys(map(ord, PLAYED))
"""Takes the played games out of a player's letters."""

FLOATS = frozenset("du-")
DOWN, DOWN_BEFORE, UP, UP_BEFORE, ANY_FLOAT = 1, 2, 4, 8, 15
"""Floats of the last round and of the one before."""
FLOATED = {
    before + last: {"d": DOWN, "u": UP}.get(last, 0) | {"d": DOWN_BEFORE, "u": UP_BEFORE}.get(before, 0)
    for before in ("", "d", "u", "-")
    for last in ("d", "u", "-")
} | {"": 0}


class Field:
    """The players to be paired, by rank: score, then pairing number (2026 1.2, 2017 A.2).

    Players are small integers from here on, their place in that order. Every list goes by that place.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.edition = snapshot.edition
        self.round = snapshot.round
        self.old = snapshot.edition == "dutch-2017"
        pool = sorted([p for p in snapshot.players if not p.absent], key=lambda p: p.number)
        pool.sort(key=lambda p: p.score, reverse=True)
        self.players = pool
        self.n = len(pool)
        self.score = [p.score for p in pool]
        self.place = {p.id: i for i, p in enumerate(pool)}
        known = {colours: preference(colours) for colours in {p.colours for p in pool}}
        told = [known[p.colours] for p in pool]
        self.games = [one[0] for one in told]
        self.difference = [one[1] for one in told]
        self.due = [one[2] for one in told]
        self.strength = [one[3] for one in told]
        self.repeated = [one[4] for one in told]
        last_round = snapshot.round >= snapshot.rounds
        half = (snapshot.round - 1) * snapshot.win
        self.topscorer = [2 * p.points > half for p in pool] if last_round else [False] * self.n
        self.clashes = Clashes(colour_classes(told, self.topscorer))
        self.floated = [FLOATED[p.floats[-2:]] for p in pool]
        self.looks = [
            colour << 4 | floats for colour, floats in zip(self.clashes.of, self.floated, strict=True)
        ]
        """Colour class and floats in one."""
        bars = BARS_THE_PAB[snapshot.edition]
        self.may_have_pab = [bars.isdisjoint(p.letters) for p in pool]
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
        """Whom each may meet, as bitsets: C1, C3 and announced prohibitions."""
        n, place = self.n, self.place
        everyone = (1 << n) - 1
        barred = {WHITE: 0, BLACK: 0}
        for i in range(n):
            if self.strength[i] == ABSOLUTE and not self.topscorer[i]:
                barred[self.due[i]] |= 1 << i
        bit = {player.id: 1 << i for i, player in enumerate(self.players)}
        adjacent = []
        for i, player in enumerate(self.players):
            met = 1 << i
            if PLAYED.issuperset(player.letters):
                for opponent in player.opponents:
                    met |= bit.get(opponent, 0)
            else:
                for opponent, letter in zip(player.opponents, player.letters, strict=True):
                    if letter in PLAYED:
                        met |= bit.get(opponent, 0)  # [C1] only played games count (C.04.2:3.5)
            may = everyone ^ met
            if self.strength[i] == ABSOLUTE and not self.topscorer[i]:
                may &= ~barred[self.due[i]]  # [C3] non-topscorers with the same absolute preference
            adjacent.append(may)
        for a, b in snapshot.prohibited:
            if a in place and b in place:
                adjacent[place[a]] &= ~(1 << place[b])
                adjacent[place[b]] &= ~(1 << place[a])
        return adjacent


def check(snapshot: Snapshot) -> None:
    """Refuse a snapshot that contradicts itself, naming the player and the round."""
    if snapshot.edition not in EDITIONS:
        known = ", ".join(EDITIONS)
        raise PairingError(f"edition {snapshot.edition!r} is not known: choose one of {known}")
    if not 1 <= snapshot.round <= snapshot.rounds:
        raise PairingError(f"round {snapshot.round} is not one of the {snapshot.rounds} rounds announced")
    if snapshot.initial_colour not in ("w", "b"):
        raise PairingError("the initial colour is not known: draw it by lot before the first round (5.1)")
    before = snapshot.round - 1
    players: set[int] = set()
    numbers: dict[int, int] = {}
    for player in snapshot.players:
        if player.id in players:
            raise PairingError(f"player {player.id} is in the snapshot twice")
        players.add(player.id)
        if not player.absent:
            other = numbers.setdefault(player.number, player.id)
            if other != player.id:
                raise PairingError(
                    f"players {other} and {player.id} have the same pairing number {player.number}"
                )
        if not (
            len(player.letters)
            == len(player.opponents)
            == len(player.colours)
            == len(player.floats)
            == before
        ):
            raise _other_length(snapshot, player)
        if not FLOATS.issuperset(player.floats):
            raise PairingError(f"player {player.id} has floats {player.floats!r}: only d, u and - are known")
    if not told_alike(snapshot.players):
        find_contradiction(snapshot.players)
    for a, b in snapshot.prohibited:
        for id in (a, b):
            if id not in players:
                raise PairingError(f"player {id} of a prohibited pair is not in the snapshot")


def _other_length(snapshot: Snapshot, player: Player) -> PairingError:
    lengths = (len(player.letters), len(player.opponents), len(player.colours), len(player.floats))
    longest = max(lengths)
    return PairingError(
        f"player {player.id} has a record of round {longest}, but round {snapshot.round} is to be paired"
        if longest >= snapshot.round
        else f"player {player.id} has no record of round {min(lengths) + 1}"
    )


def told_alike(players: Sequence[Player]) -> bool:
    """Whether every game is told by both its players alike, and one at most has the bye of a round.

    It is enough to ask White: if all of them have a Black of their own, and Blacks are as many, all games are
    told; what is left has no colour, and is no game.
    """
    of = {player.id: player for player in players}
    excess = 0
    byes: set[int] = set()
    for me, player in of.items():
        colours, letters = player.colours, player.letters
        whites, blacks, neither = colours.count("w"), colours.count("b"), colours.count("-")
        if whites + blacks + neither != len(colours):
            return False
        if neither and len(letters.translate(NO_GAMES)) != neither:
            return False
        excess += whites - blacks
        at = -1
        for _ in range(whites):
            at = colours.index("w", at + 1)
            black = of.get(player.opponents[at])
            if (
                black is None
                or black.opponents[at] != me
                or black.colours[at] != "b"
                or black.letters[at] not in PLAYED
                or letters[at] not in PLAYED
            ):
                return False
        if "U" in letters:
            given = {at for at, letter in enumerate(letters) if letter == "U"}
            if given & byes:
                return False
            byes |= given
    return not excess


def find_contradiction(players: Sequence[Player]) -> None:
    """Refuse the first game that its players do not tell alike, or the second bye of a round."""
    ids = [p.id for p in players]
    rounds = zip(
        zip(*[p.opponents for p in players], strict=True),
        zip(*[p.colours for p in players], strict=True),
        zip(*[p.letters for p in players], strict=True),
        strict=True,
    )
    for round, (opponents, colours, letters) in enumerate(rounds, start=1):
        whom, side = dict(zip(ids, opponents, strict=True)), dict(zip(ids, colours, strict=True))
        for me, opponent, colour, letter in zip(ids, opponents, colours, letters, strict=True):
            if letter in PLAYED:
                if whom.get(opponent) != me:
                    raise PairingError(
                        f"player {me} met {opponent} in round {round}, but not the other way round"
                        if opponent in whom
                        else f"player {me} met {opponent} in round {round}, who is not in the snapshot"
                    )
                if side[opponent] != OPPOSITE.get(colour):
                    raise PairingError(
                        f"players {me} and {opponent} had no opposite colours in round {round}"
                    )
            elif colour != "-":
                raise PairingError(f"player {me} has a colour in round {round} without a game")
        if letters.count("U") > 1:
            one, other = [me for me, letter in zip(ids, letters, strict=True) if letter == "U"][:2]
            raise PairingError(f"players {one} and {other} both have the bye of round {round}")
