"""How far each tournament of a store has come, read from the kinds of its facts alone.

A list of thousands is made from two indexes this way. Rounds are paired, published and completed one
after the other, and only the last can be taken back: so counting is enough. One thing kinds do not tell:
whether a round is open again once the pairing after it was taken back.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

import msgspec


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament."""

    players: int = 0
    paired: int = 0
    published: bool = False
    """The last round."""
    completed: bool = False
    taken_back: bool = False
    """Whether the round after it was the last thing taken back: if it is completed is in the facts."""
    fide_mode: bool = True


NOT_BEGUN: Final = Stage()


def stages(
    milestones: Iterable[tuple[str, str]], registrations: Iterable[tuple[str, int]]
) -> dict[str, Stage]:
    """From id and topic of the milestones, in their order, and id and number of players; by id."""
    players = dict(registrations)
    found = {id: Stage(players=count) for id, count in players.items()}
    for id, own in groupby(milestones, key=lambda row: row[0]):
        found[id] = reached([topic for _, topic in own], players.get(id, 0))
    return found


def reached(topics: Iterable[str], players: int) -> Stage:
    """The milestones of one tournament, folded."""
    rounds: list[tuple[bool, bool]] = []
    fide_mode, taken_back = True, False
    for topic in topics:
        match topic:
            case "round-paired/1":
                rounds.append((False, False))
                taken_back = False
            case "round-unpaired/1":
                del rounds[-1:]
                taken_back = True
            case "round-published/1":
                rounds[-1:] = [(True, False)]
            case "round-completed/1":
                rounds[-1:] = [(True, True)]
            case "round-reopened/1":
                rounds[-1:] = [(True, False)]
            case "fide-mode-left/1":
                fide_mode = False
            case _:
                pass
    published, completed = rounds[-1] if rounds else (False, False)
    return Stage(
        players=players,
        paired=len(rounds),
        published=published,
        completed=completed,
        taken_back=taken_back and completed,
        fide_mode=fide_mode,
    )
