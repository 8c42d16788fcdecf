"""The snapshot of a round: all that its pairing may depend on, as one frozen value.

It is a pure function of the crosstable (itself a pure function of a prefix of the log) and a round
number. Its canonical bytes are hashed into the fact of the round, so that years later anyone can
see that a replay starts from the same state.
"""

import hashlib

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.values.editions import BARS_THE_BYE, ISTANBUL
from paircard.domain.values.results import REQUESTED
from paircard.projections.round.colours import colours_by_round
from paircard.projections.round.crosstable import Crosstable, record
from paircard.projections.round.floats import float_records
from paircard.projections.round.scoregroups import points_before, virtual_points


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player as the pairing of the round sees them. Strings and tuples go by round, round 1 first."""

    id: int
    """The player's id for life."""
    number: int
    """Tournament pairing number in force (C.04.2:2.3)."""
    score: int
    """Pairing score in tenths: points plus any virtual points of this round (C.04.7:1.5)."""
    points: int
    """Points in tenths, without virtual ones."""
    opponents: tuple[int, ...] = ()
    """Scheduled opponents' ids; 0 for none."""
    colours: str = ""
    """``w`` or ``b`` where a game was played, else ``-``."""
    letters: str = ""
    """What each round brought, see ``paircard.domain.values.results``."""
    floats: str = ""
    """``d``, ``u`` or ``-``."""
    absent: str = ""
    """Empty for a player to be paired, else the letter the round will hold: H, F or Z."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The whole input of one round's pairing."""

    edition: str
    """The rules: one of ``paircard.domain.values.editions.EDITIONS``."""
    round: int
    """The round to be paired."""
    rounds: int
    """Announced number of rounds; topscorers exist only when this is the last (C.04.3:1.8)."""
    win: int = 10
    """Most points a game can bring, in tenths; half of the maximum makes a topscorer."""
    initial_colour: str = "w"
    """Colour drawn by lot for odd numbers (C.04.3:5.1)."""
    players: tuple[Player, ...] = ()
    """Everyone registered, by pairing number; the absent are here for the numbering of 5.2.5."""
    bars_the_bye: str | UnsetType = UNSET
    """Letters of rounds that bar from the bye, where the scoring makes them others than usual (C.04.3:C2)."""
    prohibited: tuple[tuple[int, int], ...] = ()
    """Pairs of ids that may not meet in this round, smaller id first, sorted."""

    @property
    def is_last(self) -> bool:
        """Whether this is the final round."""
        return self.round >= self.rounds

    @property
    def most(self) -> int:
        """The most points, in tenths, that the rounds before this one could bring."""
        return (self.round - 1) * self.win

    def is_topscorer(self, player: Player) -> bool:
        """[2026 1.8, 2017 A.7, 2012 A.10] Over half of the maximum score before the last round."""
        return self.is_last and 2 * player.points > self.most

    def canonical(self) -> bytes:
        """The same bytes for the same state, on every machine."""
        return msgspec.json.encode(self)

    def digest(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return hashlib.sha256(self.canonical()).hexdigest()


def snapshot(table: Crosstable, round: int, edition: str) -> Snapshot:
    """What the pairing of the round sees of the crosstable: earlier rounds, and byes already known."""
    before = round - 1
    points = points_before(table, round)
    floats = float_records(table, edition, round)
    players = []
    for row in table.rows:
        history = record(row, before)
        now = row.entries[before] if before < len(row.entries) else None
        players.append(
            Player(
                id=row.id,
                number=row.number,
                score=points[row.id] + virtual_points(row, round),
                points=points[row.id],
                opponents=tuple([e.opponent for e in history]),
                colours=colours_by_round(history),
                letters="".join([e.letter for e in history]),
                floats=floats[row.id],
                absent=now.letter if now is not None and now.letter in REQUESTED else "",
            )
        )
    return Snapshot(
        edition=edition,
        round=round,
        rounds=table.rounds,
        win=max(table.scoring.win, table.scoring.draw),
        initial_colour=table.initial_colour,
        bars_the_bye=unusual_bars(table, edition),
        players=tuple(sorted(players, key=lambda p: (p.number, p.id))),
        prohibited=prohibited_pairs(table, round),
    )


def unusual_bars(table: Crosstable, edition: str) -> str | UnsetType:
    """Letters that bar from the bye, if the tournament makes them others than the edition's usual ones.

    [2026 C2] as many points as a win without playing; [2012 B.1.b] a point or half point without playing.
    [2017 C.2] a PAB, and for programs that have one code for it and the full-point bye, that one too.
    """
    usual = BARS_THE_BYE[edition]
    if edition == "dutch-2017":
        return "+FU" if table.one_code_for_byes else UNSET
    least = 1 if edition in ISTANBUL else table.scoring.win
    worth = table.scoring.table()
    bars = {letter for letter in "FHZ+-" if worth[letter] >= least} | {"U"}
    return UNSET if bars == usual else "".join(sorted(bars))


def prohibited_pairs(table: Crosstable, round: int) -> tuple[tuple[int, int], ...]:
    """Pairs that announced prohibitions keep apart in this round (TRF26 260)."""
    pairs = {
        (min(a, b), max(a, b))
        for ban in table.prohibitions
        if ban.first <= round <= ban.last
        for a in ban.ids
        for b in ban.ids
        if a != b
    }
    return tuple(sorted(pairs))
