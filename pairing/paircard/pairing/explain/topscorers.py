"""Topscorers: who they are, and pairs that are allowed since one of the two is one.

Only the last round has them (2026 1.8, 2017 A.7, 2012 A.10).
"""

from collections.abc import Iterable

import msgspec

from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.preferences import ABSOLUTE
from paircard.pairing.explain.colours import SIDES
from paircard.projections.round.snapshot import Snapshot

COUNTING = ("C10", "C11", "B2")
"""Criteria that count pairs of topscorers: 2026 C10 and C11, 2017 C.8 and C.9, 2012 B.2."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What a player scored of the maximum."""

    player: int
    points: int
    """Tenths, without virtual points."""
    topscorer: bool
    """Whether that is more than half."""


class LastRound(msgspec.Struct, frozen=True, kw_only=True):
    """Topscorers of the last round."""

    article: str
    """Where the edition says who is one."""
    most: int
    """The most that could be scored before the round, in tenths."""
    players: tuple[Share, ...]
    """Those asked about, in their order."""

    @property
    def topscorers(self) -> tuple[int, ...]:
        """Ids of those with more than half."""
        return tuple(one.player for one in self.players if one.topscorer)


class Clash(msgspec.Struct, frozen=True, kw_only=True):
    """Two who must have the same colour and may meet, since one of them is a topscorer."""

    a: int
    b: int
    """The lower-ranked of the two."""
    colour: str
    rule: str
    """The rule that would keep others apart: C3, 2017 C.3, 2012 B.2."""
    counted: tuple[str, ...]
    """Criteria that count the pair."""


def last_round(snapshot: Snapshot, field: Field, ids: Iterable[int] | None = None) -> LastRound | None:
    """Topscorers among these players, or all; None in any other round."""
    if not snapshot.is_last:
        return None
    who = [field.place[id] for id in ids] if ids is not None else range(field.n)
    players = tuple(
        Share(player=field.players[i].id, points=field.players[i].points, topscorer=field.topscorer[i])
        for i in who
    )
    return LastRound(article=field.edition.name_of("1.8"), most=snapshot.most, players=players)


def clash_of(field: Field, i: int, j: int) -> Clash | None:
    """[C3] What stands against a pair of two who must have the same colour, one of them a topscorer."""
    i, j = sorted((i, j))
    same = field.strength[i] == ABSOLUTE == field.strength[j] and field.due[i] == field.due[j]
    if not same or not (field.topscorer[i] or field.topscorer[j]):
        return None
    name = field.edition.name_of
    return Clash(
        a=field.players[i].id,
        b=field.players[j].id,
        colour=SIDES[field.due[i]],
        rule=name("C3"),
        counted=tuple(name(one) for one in field.clashes.failed(i, j) if one in COUNTING),
    )
