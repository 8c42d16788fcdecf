"""Pictures of an explained round: the ladder of its brackets, and each bracket with its pairs as lines."""

from collections.abc import Mapping
from typing import Final

import msgspec

from paircard.pairing.explain import Story
from paircard.pairing.explain.speaking import Who
from paircard.pairing.explain.why import Seat, pairs_of
from paircard.pairing.outcome import BracketTrace

# --- the picture of a bracket: S1 left, S2 right, lines for the pairs in order and for the chosen ones


MOST: Final = 10
"""Pairs up to which a bracket is drawn; the words say the same for larger ones."""
LEFT, RIGHT, WIDE, HIGH, STEP, TOP = 2, 224, 134, 40, 52, 24
"""Corners and size of the boxes, and how far apart the rows are."""
LETTERS: Final = 13
"""Letters of a name that fit into a box."""


class Node(msgspec.Struct, frozen=True):
    """A player in the picture, with the corner of the box."""

    x: int
    y: int
    seat: Seat
    name: str
    marked: bool
    """Somebody the question is about."""


class Wire(msgspec.Struct, frozen=True):
    """A pair: chosen, or in order and excluded."""

    path: str
    cross: tuple[int, int] | None
    """Where the sign of exclusion stands; None for a chosen pair."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket, drawn."""

    nodes: list[Node]
    wires: list[Wire]
    high: int
    moved_down: int
    """How many rows from the top are pairs of moved-down players."""
    chosen: list[tuple[int, int]]
    excluded: list[tuple[int, int]]
    down: list[int]
    """Pairing numbers: pairs, and who floats down."""


def picture_of(
    made: BracketTrace,
    natural: BracketTrace,
    seats: Mapping[int, Seat],
    people: Mapping[int, Who],
    marked: tuple[int, ...] = (),
) -> Picture | None:
    """The bracket as a picture; none if it has no pairs or too many."""
    chosen = pairs_of(made)
    first = pairs_of(natural)
    if not chosen or len(first) > MOST:
        return None
    excluded = [pair for pair in first if pair not in chosen and pair[::-1] not in chosen]
    left, right = [a for a, _ in first], [b for _, b in first]
    rest = [id for id in (*made.moved_down, *made.residents) if id not in {*left, *right}]
    left, right = left + rest[::2], right + rest[1::2]
    sides = (LEFT, left), (RIGHT, right)
    corner = {id: (x, TOP + STEP * row) for x, side in sides for row, id in enumerate(side)}
    return Picture(
        nodes=[Node(*corner[id], seats[id], short(people[id].name), id in marked) for id in corner],
        wires=[
            *(wire(corner[a], corner[b], chosen=False) for a, b in excluded),
            *(wire(corner[a], corner[b], chosen=True) for a, b in chosen),
        ],
        high=TOP + STEP * max(len(left), len(right)),
        moved_down=len(natural.mdp_pairs),
        chosen=[(people[a].number, people[b].number) for a, b in chosen],
        excluded=[(people[a].number, people[b].number) for a, b in excluded],
        down=[people[id].number for id in made.downfloaters],
    )


def short(name: str) -> str:
    """The family name, as far as it fits."""
    family = name.partition(",")[0]
    return family if len(family) <= LETTERS else f"{family[: LETTERS - 1]}…"


def wire(one: tuple[int, int], other: tuple[int, int], *, chosen: bool) -> Wire:
    """A line between two boxes; one that stays on its side bends towards the middle."""
    (x1, y1), (x2, y2) = sorted((one, other)) if one[0] != other[0] else (one, other)
    y1, y2 = y1 + HIGH // 2, y2 + HIGH // 2
    if x1 != x2:
        x1 += WIDE
        path, cross = f"M{x1} {y1}L{x2} {y2}", (x1 + 14, round(y1 + (y2 - y1) * 14 / (x2 - x1)))
    else:
        x, bend = (x1 + WIDE, x1 + WIDE + 44) if x1 == LEFT else (x1, x1 - 44)
        middle = (y1 + y2) // 2
        path, cross = f"M{x} {y1}Q{bend} {middle} {x} {y2}", ((x + 3 * bend) // 4, middle)
    return Wire(path, None if chosen else cross)


# --- the ladder of a round: its brackets from the top, and who floats from one to the next


RUNG_WIDE: Final = 200
"""Width of the largest bracket."""
MOST_NUMBERS: Final = 6
"""Downfloaters that are named in the picture; its text names all."""


class Rung(msgspec.Struct, frozen=True):
    """A bracket."""

    score: int
    players: int
    wide: float
    down: list[int]
    """Pairing numbers of those who float down from it."""

    @property
    def label(self) -> str:
        """The downfloaters as far as there is room."""
        more = " …" if len(self.down) > MOST_NUMBERS else ""
        return ", ".join(map(str, self.down[:MOST_NUMBERS])) + more


def ladder_of(story: Story, people: Mapping[int, Who]) -> list[Rung]:
    """The brackets of a round that has more than one, from the top."""
    sizes = [each.numbers.players for each in story.brackets]
    if len(sizes) < 2:
        return []
    wide = [round(max(RUNG_WIDE * size / max(sizes), 12), 1) for size in sizes]
    traces = [each.candidate for each in story.brackets]
    down = [sorted(people[id].number for id in trace.downfloaters) for trace in traces]
    return list(map(Rung, [trace.score for trace in traces], sizes, wide, down))
