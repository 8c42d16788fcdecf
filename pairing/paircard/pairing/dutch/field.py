"""Article 1 (2017: A): the players of a round in their order, and what the rules say of each of them."""

from paircard.pairing.outcome import PairingError
from paircard.projections.snapshot import Player, Snapshot

WHITE, BLACK, NEITHER = 1, -1, 0
NO, MILD, STRONG, ABSOLUTE = 0, 1, 2, 3
"""Strengths of a colour preference (2026 1.7, 2017 A.6)."""

EDITIONS = ("dutch-2026", "dutch-2017")

BARS_THE_PAB = {
    "dutch-2026": frozenset("UF+"),  # [C2] a PAB, or a win's points in one round without playing
    "dutch-2017": frozenset("U+"),  # [C.2] a PAB, or an opponent who did not appear
}
PLAYED = frozenset("1=0WDL?")
OPPOSITE = {"w": "b", "b": "w"}


class Field:
    """The players to be paired, by rank: score, then pairing number (2026 1.2, 2017 A.2).

    Players are small integers from here on, their place in that order. Every list goes by that place.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.edition = snapshot.edition
        self.round = snapshot.round
        self.old = snapshot.edition == "dutch-2017"
        pool = sorted((p for p in snapshot.players if not p.absent), key=lambda p: (-p.score, p.number))
        self.players = pool
        self.n = len(pool)
        self.score = [p.score for p in pool]
        self.place = {p.id: i for i, p in enumerate(pool)}
        self.difference = [p.colours.count("w") - p.colours.count("b") for p in pool]
        self.games = [p.colours.replace("-", "") for p in pool]
        self.due: list[int] = []
        self.strength: list[int] = []
        self.repeated: list[int] = []
        for i, played in enumerate(self.games):
            self._preference(played, self.difference[i])
        self.last = [p.floats[-1:] or "-" for p in pool]
        self.before_last = [p.floats[-2:-1] or "-" for p in pool]
        last_round = snapshot.round >= snapshot.rounds
        half = (snapshot.round - 1) * snapshot.win
        self.topscorer = [last_round and 2 * p.points > half for p in pool]
        self.has_topscorers = any(self.topscorer)
        self.colour_kind: list[object] = (
            list(zip(self.due, self.strength, self.difference, self.repeated, strict=True))
            if self.has_topscorers  # C10 and C11 look closer
            else [due * strength for due, strength in zip(self.due, self.strength, strict=True)]
        )
        bars = BARS_THE_PAB[snapshot.edition]
        self.may_have_pab = [bars.isdisjoint(p.letters) for p in pool]
        self.unplayed = [len(p.letters) - len(played) for p, played in zip(pool, self.games, strict=True)]
        self.groups = self._scoregroups()
        self.adjacent = self._opponents(snapshot)

    def _preference(self, played: str, difference: int) -> None:
        """[2026 1.7, 2017 A.6] Where difference and repetition ask for opposite colours the difference
        counts; the text does not rank them, all engines do."""
        tail = played[-2:]
        repeated = WHITE if tail == "ww" else BLACK if tail == "bb" else NEITHER
        self.repeated.append(repeated)
        if abs(difference) > 1:
            due, strength = (BLACK if difference > 0 else WHITE), ABSOLUTE
        elif repeated:
            due, strength = -repeated, ABSOLUTE
        elif difference:
            due, strength = -difference, STRONG
        elif played:
            due, strength = (BLACK if played[-1] == "w" else WHITE), MILD
        else:
            due, strength = NEITHER, NO
        self.due.append(due)
        self.strength.append(strength)

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
            met = bit[player.id]
            for opponent, letter in zip(player.opponents, player.letters, strict=True):
                if letter in PLAYED and opponent in bit:
                    met |= bit[opponent]  # [C1] only played games count (C.04.2:3.5)
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
    players: dict[int, Player] = {}
    numbers: dict[int, int] = {}
    for player in snapshot.players:
        if player.id in players:
            raise PairingError(f"player {player.id} is in the snapshot twice")
        players[player.id] = player
        if not player.absent:
            other = numbers.setdefault(player.number, player.id)
            if other != player.id:
                raise PairingError(
                    f"players {other} and {player.id} have the same pairing number {player.number}"
                )
    pabs: dict[int, int] = {}
    for player in snapshot.players:
        _check_length(snapshot, player)
    for player in snapshot.players:
        _check_games(player, players, pabs)
    for a, b in snapshot.prohibited:
        for id in (a, b):
            if id not in players:
                raise PairingError(f"player {id} of a prohibited pair is not in the snapshot")


def _check_length(snapshot: Snapshot, player: Player) -> None:
    before = snapshot.round - 1
    lengths = (len(player.letters), len(player.opponents), len(player.colours), len(player.floats))
    if lengths.count(before) != 4:
        longest = max(lengths)
        raise PairingError(
            f"player {player.id} has a record of round {longest}, but round {snapshot.round} is to be paired"
            if longest > before
            else f"player {player.id} has no record of round {min(lengths) + 1}"
        )


def _check_games(player: Player, players: dict[int, Player], pabs: dict[int, int]) -> None:
    me = player.id
    r = -1
    for opponent, colour, letter in zip(player.opponents, player.colours, player.letters, strict=True):
        r += 1
        if letter in PLAYED:
            their = players.get(opponent)
            if their is None:
                raise PairingError(f"player {me} met {opponent} in round {r + 1}, who is not in the snapshot")
            if their.opponents[r] != me:
                raise PairingError(
                    f"player {me} met {opponent} in round {r + 1}, but not the other way round"
                )
            if their.colours[r] != OPPOSITE.get(colour):
                raise PairingError(f"players {me} and {opponent} had no opposite colours in round {r + 1}")
        elif colour != "-":
            raise PairingError(f"player {me} has a colour in round {r + 1} without a game")
        elif letter == "U" and pabs.setdefault(r, me) != me:
            raise PairingError(f"players {pabs[r]} and {me} both have the bye of round {r + 1}")
