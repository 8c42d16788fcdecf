"""The ladder of a round: its brackets from the top, and who floats from one to the next."""

from collections.abc import Mapping
from typing import Final

import msgspec

from paircard.pairing.explain import Story
from paircard.pairing.explain.speaking import Who

WIDE: Final = 200
"""Width of the largest bracket."""
STEP: Final = 54
"""From one bracket to the next."""
MOST_NUMBERS: Final = 6
"""Downfloaters that are named in the picture; its text names all."""


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket."""

    y: int
    wide: float
    score: int
    players: int
    down: tuple[int, ...]
    """Pairing numbers of those who float down from it."""

    @property
    def label(self) -> str:
        """The downfloaters as far as there is room."""
        more = " …" if len(self.down) > MOST_NUMBERS else ""
        return ", ".join(map(str, self.down[:MOST_NUMBERS])) + more


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """All brackets of a round."""

    high: int
    rungs: tuple[Rung, ...]


def ladder_of(story: Story, people: Mapping[int, Who]) -> Ladder | None:
    """The brackets of a round that has more than one."""
    brackets = story.brackets
    if len(brackets) < 2:
        return None
    largest = max(each.numbers.players for each in brackets)
    return Ladder(
        high=STEP * len(brackets),
        rungs=tuple(
            Rung(
                y=STEP * at,
                wide=round(max(WIDE * each.numbers.players / largest, 12), 1),
                score=each.candidate.score,
                players=each.numbers.players,
                down=tuple(sorted(people[id].number for id in each.candidate.downfloaters)),
            )
            for at, each in enumerate(brackets)
        ),
    )
