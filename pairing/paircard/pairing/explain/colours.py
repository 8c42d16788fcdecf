"""Why one of two has White: preferences, both histories, and the rule that decided (2026 5.2, 2017 E)."""

from typing import Final

import msgspec

from paircard.pairing.dutch.colours import numbering
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, MILD, STRONG, WHITE
from paircard.pairing.outcome import Board
from paircard.projections.round.snapshot import Snapshot, aligned

SIDES: Final = {WHITE: "w", BLACK: "b", 0: ""}
STRENGTHS: Final = ("none", "mild", "strong", "absolute")


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
    """A player's colour preference and history."""
    player = field.players[i]
    return Preference(
        player=player.id,
        colour=SIDES[field.due[i]],
        strength=STRENGTHS[field.strength[i]],
        difference=field.difference[i],
        reason=reason_of(field, i),
        history=aligned(player.colours),
    )


def reason_of(field: Field, i: int) -> str:
    """[2026 1.7, 2017 A.6] What makes the preference as strong as it is."""
    if field.strength[i] == ABSOLUTE:
        return "wide" if abs(field.difference[i]) > 1 else "row"
    return {STRONG: "one", MILD: "last"}.get(field.strength[i], "")


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
        number=numbering(snapshot, field.edition)[higher] if last else 0,
        initial=snapshot.initial_colour if last else "",
        higher=higher,
    )
