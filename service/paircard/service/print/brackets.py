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


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A player in the picture."""

    x: int
    y: int
    number: int
    name: str
    score: int
    due: str
    """Colour due: ``w``, ``b`` or empty."""
    strength: str
    """Key of the words for how much it is due."""
    marked: bool
    """Somebody the question is about."""


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """A pair: chosen, or in order and excluded."""

    path: str
    chosen: bool
    cross: tuple[int, int] | None = None
    """Where the sign of exclusion stands."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket, drawn."""

    nodes: tuple[Node, ...]
    wires: tuple[Wire, ...]
    high: int
    moved_down: int
    """How many rows from the top are pairs of moved-down players."""
    chosen: tuple[tuple[int, int], ...]
    excluded: tuple[tuple[int, int], ...]
    down: tuple[int, ...]
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
    left = [a for a, _ in first]
    right = [b for _, b in first]
    rest = [id for id in (*made.moved_down, *made.residents) if id not in {*left, *right}]
    for at, id in enumerate(rest):
        (left if at % 2 == 0 else right).append(id)
    corner = {id: (LEFT, TOP + STEP * row) for row, id in enumerate(left)}
    corner |= {id: (RIGHT, TOP + STEP * row) for row, id in enumerate(right)}
    wires = []
    excluded = [pair for pair in first if pair not in chosen and pair[::-1] not in chosen]
    for a, b in excluded:
        wires.append(wire(corner[a], corner[b], chosen=False))
    for a, b in chosen:
        wires.append(wire(corner[a], corner[b], chosen=True))

    def node(id: int) -> Node:
        seat, who = seats[id], people[id]
        return Node(
            x=corner[id][0],
            y=corner[id][1],
            number=who.number,
            name=short(who.name),
            score=seat.score,
            due=seat.preference.colour,
            strength=seat.preference.strength,
            marked=id in marked,
        )

    def numbers(pair: tuple[int, int]) -> tuple[int, int]:
        return people[pair[0]].number, people[pair[1]].number

    return Picture(
        nodes=tuple(node(id) for id in (*left, *right)),
        wires=tuple(wires),
        high=TOP + STEP * max(len(left), len(right)),
        moved_down=len(natural.mdp_pairs),
        chosen=tuple(map(numbers, chosen)),
        excluded=tuple(map(numbers, excluded)),
        down=tuple(people[id].number for id in made.downfloaters),
    )


def short(name: str) -> str:
    """The family name, as far as it fits."""
    family = name.partition(",")[0]
    return family if len(family) <= LETTERS else f"{family[: LETTERS - 1]}…"


def wire(one: tuple[int, int], other: tuple[int, int], *, chosen: bool) -> Wire:
    """A line between two boxes; one that stays on its side bends towards the middle."""
    middle = HIGH // 2
    if one[0] != other[0]:
        start, end = sorted((one, other))
        x1, y1, x2, y2 = start[0] + WIDE, start[1] + middle, end[0], end[1] + middle
        cross = (x1 + 14, round(y1 + (y2 - y1) * 14 / (x2 - x1)))
        return Wire(path=f"M{x1} {y1}L{x2} {y2}", chosen=chosen, cross=None if chosen else cross)
    x = one[0] + WIDE if one[0] == LEFT else one[0]
    bend = x + 44 if one[0] == LEFT else x - 44
    y1, y2 = one[1] + middle, other[1] + middle
    cross = ((x + 3 * bend) // 4, (y1 + y2) // 2)
    return Wire(
        path=f"M{x} {y1}Q{bend} {(y1 + y2) // 2} {x} {y2}", chosen=chosen, cross=None if chosen else cross
    )


# --- the ladder of a round: its brackets from the top, and who floats from one to the next


RUNG_WIDE: Final = 200
"""Width of the largest bracket."""
RUNG_STEP: Final = 54
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
        high=RUNG_STEP * len(brackets),
        rungs=tuple(
            Rung(
                y=RUNG_STEP * at,
                wide=round(max(RUNG_WIDE * each.numbers.players / largest, 12), 1),
                score=each.candidate.score,
                players=each.numbers.players,
                down=tuple(sorted(people[id].number for id in each.candidate.downfloaters)),
            )
            for at, each in enumerate(brackets)
        ),
    )
