"""The colours of a board and the rule that decided; topscorers of the last round (1.8)."""

from collections.abc import Iterable

import msgspec

from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.pairing import numbering
from paircard.pairing.outcome import Board
from paircard.projections.round.snapshot import Due, Snapshot, aligned

# --- why one of two has White: preferences, both histories, and the rule that decided (2026 5.2, 2017 E)


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """What colour a player should have next (2026 1.7, 2017 A.6)."""

    player: int
    colour: str
    """``w``, ``b``, or empty for a player without a game."""
    strength: str
    """``absolute``, ``strong``, ``mild`` or ``none``."""
    difference: int
    reason: str = ""
    """Why so strong: ``row`` (twice in a row the other colour), ``wide`` (a difference of two or more),
    ``one`` (a difference of one), ``last`` (the last game); empty without a preference."""
    history: str
    """Colours of the games played, unplayed rounds moved to the front (C.04.2:3.4)."""


class Colours(msgspec.Struct, frozen=True, kw_only=True):
    """The colours of one board."""

    rule: str
    """``5.2.1`` … ``5.2.5``, or ``E.1`` … ``E.5``."""
    white: Preference
    black: Preference
    differed: int = 0
    """Games ago that one had White and the other Black (5.2.3, E.3)."""
    initial: str = ""
    """The initial colour, where that decided (5.2.5, E.5)."""
    number: int = 0
    """Number of the higher-ranked player among those who ever took part (5.2.5, E.5)."""
    higher: int
    """The higher-ranked player."""


def preference_of(field: Field, i: int) -> Preference:
    player = field.players[i]
    due = field.preferences[i].wanted
    return Preference(
        player=player.id,
        colour=due.colour,
        strength=due.strength,
        difference=field.difference[i],
        reason=reason_of(due, field.difference[i]),
        history=aligned(player.colours),
    )


def reason_of(due: Due, difference: int) -> str:
    """[2026 1.7, 2017 A.6] What makes the preference as strong as it is."""
    if due.strength == "absolute":
        return "wide" if abs(difference) > 1 else "row"
    return {"strong": "one", "mild": "last"}.get(due.strength, "")


def colours_of(snapshot: Snapshot, field: Field, board: Board) -> Colours:
    """The colours of a board and what they rest on."""
    i, j = field.place[board.white], field.place[board.black]
    steps = zip(reversed(field.games[i]), reversed(field.games[j]), strict=False)
    differed = next((ago for ago, (one, other) in enumerate(steps, 1) if one != other), 0)
    higher = field.players[min(i, j)].id
    last = board.rule.endswith("5")
    return Colours(
        rule=board.rule,
        white=preference_of(field, i),
        black=preference_of(field, j),
        differed=differed if board.rule.endswith("3") else 0,
        number=numbering(snapshot)[higher] if last else 0,
        initial=snapshot.initial_colour if last else "",
        higher=higher,
    )


# --- topscorers: who they are, and pairs that are allowed since one of the two is one


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
    if not field.same_absolute_preference(i, j) or not (field.topscorer[i] or field.topscorer[j]):
        return None
    name = field.edition.name_of
    return Clash(
        a=field.players[i].id,
        b=field.players[j].id,
        colour=field.preferences[i].wanted.colour,
        rule=name("C3"),
        counted=tuple(name(one) for one in field.clashes.failed(i, j) if one in COUNTING),
    )
