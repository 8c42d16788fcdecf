"""Standings and tie-breaks of round robins, worked out from the rule text alone (C.07, C.05:6.6).

It uses nothing of the product, so that the product can be held against it. Points are tenths.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from tests.pairing.berger.annexes import Boards, moved_round

PLAYED = "1=0WDL"
WON = "1W"
OPEN = ("", "?")


def schedule(players: int, cycles: int, exchange: bool = False) -> list[Boards]:
    """All rounds by number, the free day left out; the exchange moves the last two of the first cycle."""
    table = moved_round(players + players % 2)
    rounds: list[Boards] = []
    for cycle in range(cycles):
        lines = [[(b, w) for w, b in boards] if cycle % 2 else boards for boards in table]
        if exchange and cycles == 2 and cycle == 0 and len(lines) > 1:
            lines[-2:] = [lines[-1], lines[-2]]
        rounds += [[board for board in boards if max(board) <= players] for boards in lines]
    return rounds


@dataclass
class Game:
    round: int
    white: int
    black: int
    letters: tuple[str, str] = ("", "")

    def of(self, player: int) -> str:
        return self.letters[player == self.black]

    def other(self, player: int) -> int:
        return self.white + self.black - player


@dataclass(eq=False)
class Event:
    """A round robin as it stands; numbers are players."""

    players: int
    cycles: int
    games: list[Game]
    left: set[int] = field(default_factory=set)
    """Who withdrew or was expelled."""
    win: int = 10
    draw: int = 5
    loss: int = 0
    ratings: dict[int, int] = field(default_factory=dict)
    unranked: set[int] = field(default_factory=set)
    """Expelled: without a place, though what they played may count (VCL 198)."""

    def worth(self, letter: str) -> int:
        return {"1": self.win, "W": self.win, "+": self.win, "=": self.draw, "D": self.draw}.get(
            letter, self.loss if letter in ("0", "L") else 0
        )

    # --- C.05:6.6

    def completed(self, player: int) -> int:
        return sum(player in (g.white, g.black) and g.of(player) in tuple(PLAYED) for g in self.games)

    @cached_property
    def gone(self) -> set[int]:
        """Left with less than half of the scheduled games completed: nothing of theirs counts."""
        due = self.cycles * (self.players - 1)
        return {player for player in self.left if 2 * self.completed(player) < due}

    @property
    def ranked(self) -> list[int]:
        return [one for one in range(1, self.players + 1) if one not in self.gone | self.unranked]

    def due(self, player: int) -> list[Game]:
        """The games that count or will, in order of rounds."""
        if player in self.gone:
            return []
        games = [g for g in self.games if player in (g.white, g.black) and g.other(player) not in self.gone]
        return sorted(games, key=lambda g: g.round)

    def counted(self, player: int) -> list[Game]:
        """Those of them that are over."""
        return self.over[player]

    @cached_property
    def over(self) -> dict[int, list[Game]]:
        everyone = range(1, self.players + 1)
        return {player: [g for g in self.due(player) if g.of(player) not in OPEN] for player in everyone}

    def score(self, player: int) -> int:
        return self.scores[player]

    @cached_property
    def scores(self) -> dict[int, int]:
        return {one: sum(self.worth(g.of(one)) for g in games) for one, games in self.over.items()}

    # --- C.07:7, type B

    def value(self, code: str, player: int) -> int:
        """A tie-break as a whole number of its smallest unit."""
        name, *modifiers = code.removesuffix("/R").split("/")
        games = self.counted(player)
        letters = [g.of(player) for g in games]
        match name:
            case "PTS":
                return self.score(player)
            case "WIN":  # 7.1: rounds with a win's points, played or not
                return sum(self.worth(letter) == self.win for letter in letters)
            case "WON":
                return sum(letter in WON for letter in letters)
            case "BPG":  # over the board, with Black; an adjourned game has been played
                blacks = [g.of(player) for g in self.due(player) if g.black == player]
                return sum(letter in (*PLAYED, "?") for letter in blacks)
            case "BWG":
                return sum(g.black == player and g.of(player) in WON for g in games)
            case "REP":  # forfeit losses stay unplayed in type B (15.2)
                return sum(g.of(player) not in ("-", "") for g in self.due(player))
            case "STD":
                mine = [self.worth(g.of(player)) for g in games]
                theirs = [self.worth(g.of(g.other(player))) for g in games]
                return sum(10 if m > t else 5 if m == t else 0 for m, t in zip(mine, theirs, strict=True))
            case "SB":
                return self.sonneborn_berger(player, int(modifiers[0][1:]) if modifiers else 0)
            case "KS":
                return self.koya(player, int(modifiers[0][1:]) if modifiers else 0)
            case "TPN":
                return player
            case "RTNG":
                return self.ratings.get(player, 0)
        raise ValueError(code)

    # --- C.07:9, type C

    def sonneborn_berger(self, player: int, cut: int) -> int:
        parts = [(self.score(g.other(player)), self.worth(g.of(player))) for g in self.counted(player)]
        for _ in range(
            min(cut, len(parts))
        ):  # the opponent with the lowest score; of several the least product
            parts.remove(min(parts, key=lambda part: (part[0], part[0] * part[1])))
        return sum(score * points for score, points in parts)

    def koya(self, player: int, moved: int) -> int:
        games = max(len(self.counted(one)) for one in range(1, self.players + 1))
        limit = Fraction(self.win * games, 2) + 5 * moved
        return sum(
            self.worth(g.of(player)) for g in self.counted(player) if self.score(g.other(player)) >= limit
        )

    # --- C.07:6

    def encounter(self, tied: list[int]) -> list[list[int]]:
        """The tied in the order of their games with each other; one group if these decide nothing."""
        if len(tied) < 2:
            return [tied]
        for one, other in combinations(tied, 2):
            over = [g for g in self.counted(one) if g.other(one) == other]
            if len(over) < self.cycles:
                return [tied]
        sums = {
            one: sum((self.average(one, other) for other in tied if other != one), Fraction()) for one in tied
        }
        groups = [
            [one for one in tied if sums[one] == level] for level in sorted(set(sums.values()), reverse=True)
        ]
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in self.encounter(group)]

    def average(self, one: int, other: int) -> Fraction:
        scores = [self.worth(g.of(one)) for g in self.counted(one) if g.other(one) == other]
        return Fraction(sum(scores), len(scores))

    # --- C.07:4.2

    def places(self, codes: list[str]) -> dict[int, int]:
        """Place of everyone ranked; those still tied share one."""
        groups = [self.ranked]
        for code in ["PTS", *codes]:
            groups = [part for group in groups for part in self.parted(group, code)]
        places: dict[int, int] = {}
        place = 1
        for group in groups:
            places |= dict.fromkeys(group, place)
            place += len(group)
        return places

    def parted(self, group: list[int], code: str) -> list[list[int]]:
        if len(group) < 2:
            return [group]
        if code == "DE":
            return self.encounter(group)
        values = {player: self.value(code, player) for player in group}
        order = sorted(set(values.values()), reverse=(code != "TPN" and code != "RTNG/R"))
        return [[player for player in group if values[player] == value] for value in order]


def event_of(data: dict[str, Any]) -> Event:
    """An event read from data: a game is ``round white black letters``, an open one has no letters."""
    games = []
    for text in data["games"]:
        round, white, black, *letters = text.split()
        pair = tuple(letters[0]) if letters else ("", "")
        games.append(Game(int(round), int(white), int(black), (pair[0], pair[1])))
    win, draw, loss = data.get("scoring", [10, 5, 0])
    left = set(data.get("left", []))
    return Event(data["players"], data["cycles"], games, left, win=win, draw=draw, loss=loss)
