"""The table before a round, which arbiters call tabellone: what the pairing sees of every player.

Scoregroups from the top (C.04.3:1.3); colour histories with unplayed rounds in front (C.04.2:3.4), in which
a forfeit has no colour; colour difference and preference (1.6, 1.7); floats (1.4).
"""

from collections.abc import Mapping
from itertools import groupby

import msgspec

from paircard.domain.values.results import PLAYED
from paircard.projections.round.colours import aligned, difference, signed_difference
from paircard.projections.round.preferences import colour_due, sign
from paircard.projections.round.snapshot import Player, Snapshot


class Line(msgspec.Struct, frozen=True, kw_only=True):
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
    players: tuple[Line, ...]


class Tabellone(msgspec.Struct, frozen=True, kw_only=True):
    """All players before a round."""

    round: int
    rounds: int
    edition: str
    scoregroups: tuple[Scoregroup, ...]
    """Those to be paired, the highest score first."""
    absent: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """Everybody, those not to be paired last."""
        return (*(line for group in self.scoregroups for line in group.players), *self.absent)

    @property
    def forfeits(self) -> bool:
        """Whether somebody was scheduled to meet an opponent and did not."""
        return any("(" in one.opponents_text for one in self.lines)

    @property
    def topscorers(self) -> bool:
        """Whether somebody is a topscorer."""
        return any(one.topscorer for one in self.lines)


def tabellone(snapshot: Snapshot, names: Mapping[int, str]) -> Tabellone:
    """The table of a snapshot."""
    numbers = {player.id: player.number for player in snapshot.players}
    lines = [
        line_of(player, names.get(player.id, ""), numbers, topscorer=snapshot.is_topscorer(player))
        for player in snapshot.players
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


def line_of(player: Player, name: str, numbers: Mapping[int, int], *, topscorer: bool) -> Line:
    """One player of a snapshot."""
    due = colour_due(player.colours)
    return Line(
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
