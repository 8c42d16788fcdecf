"""The numbers of a bracket (2026 3.1, 2017 B.1, 2012 C.2), and the least value each criterion can have in it.

The least values are those of Appendix P.2 to the 2017 text: they follow from counting, without looking at
who met whom. A candidate that reaches all of them is called perfect there.
"""

import msgspec

from paircard.pairing.dutch.criteria import ONE_POINT, Value
from paircard.pairing.dutch.field import UP, UP_BEFORE, Field
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, STRONG, WHITE
from paircard.pairing.explain.measures import FLOATS, descending, name_of


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """What is counted before a bracket is paired."""

    players: int
    moved_down: int
    """M0."""
    paired_moved_down: int
    """M1: how many of them are paired here."""
    max_pairs: int
    """MaxPairs."""
    x: int
    """Players who cannot get the colour they are due, whatever is done."""
    z: int
    """Players who cannot get the colour they are strongly or absolutely due."""
    symbols: dict[str, int]
    """The numbers by the symbols of the edition, as they are shown."""
    least: dict[str, Value]
    """The least value of each criterion; empty in a collapsed bracket, for which there is no count."""
    perfect: bool
    """Whether the chosen candidate reaches all of them."""


def numbers_of(field: Field, bracket: Paired, values: dict[str, Value]) -> Numbers:
    """The numbers of a bracket as it was paired; ``values`` are those of the chosen candidate."""
    above = set(bracket.members[: bracket.moved_down])
    pairs = len(bracket.pairs)
    m1 = sum(i in above for i, _ in bracket.pairs)
    x = clashes(field, bracket.members, pairs, 1)
    z = clashes(field, bracket.members, pairs, STRONG)
    least: dict[str, Value] = {}
    if bracket.role != "CLB":
        counted = least_floats(field, bracket, m1)
        counted |= {"C12": x, "C13": max(0, z - absolute_pairs(field, bracket.members)), "A7d": z, "Z": z}
        named = {name_of(field.edition, name): value for name, value in counted.items()}
        first = {name_of(field.edition, name) for name in ("C6", "M1", "C7", "C8", "C9")}
        # The first criteria are minima by themselves: nothing stands before them but what is absolute.
        least = {name: value if name in first else named.get(name, 0) for name, value in values.items()}
    return Numbers(
        players=len(bracket.members),
        moved_down=bracket.moved_down,
        paired_moved_down=m1,
        max_pairs=pairs,
        x=x,
        z=z,
        symbols=symbols_of(field, bracket, m1, x, z, values),
        least=least,
        perfect=bool(least) and least == values,
    )


def symbols_of(
    field: Field, bracket: Paired, m1: int, x: int, z: int, values: dict[str, Value]
) -> dict[str, int]:
    """The numbers of a bracket by the symbols of the edition; without those that do not apply to it.

    [2012 A.6.b, A.8] X1 and Z1 are counted for P0 pairs, whether or not so many can be made.
    """
    members, moved, pairs = bracket.members, bracket.moved_down, len(bracket.pairs)
    most = len(members) // 2
    counted: dict[str, Value | None] = {
        "P0": most,
        "P1": pairs,
        "M0": moved or None,
        "M1": m1 if moved else None,
        "MaxPairs": pairs,
        "x": x,
        "z": z,
        "X1": clashes(field, members, most, 1),
        "X": values.get("X"),
        "Z1": clashes(field, members, most, STRONG) if "Z" in values else None,
        "Z": values.get("Z"),
    }
    return {name: n for name in field.edition.symbols if isinstance(n := counted[name], int)}


def clashes(field: Field, members: list[int], pairs: int, strength: int) -> int:
    """[Appendix P 2.4, 2.5] Pairs in which two players are due the same colour, at the least."""
    strong = [field.due[i] for i in members if field.strength[i] >= strength]
    white, black = strong.count(WHITE), strong.count(BLACK)
    return max(0, pairs - (len(members) - white - black) - min(white, black))


def absolute_pairs(field: Field, members: list[int]) -> int:
    """[C3, C13] Pairs of two who are absolutely due the same colour, at the most: C13 does not count them.

    Only a topscorer may be in such a pair.
    """
    if not any(field.topscorer[i] for i in members):
        return 0
    due = [field.due[i] for i in members if field.strength[i] == ABSOLUTE]
    return max(due.count(WHITE), due.count(BLACK)) // 2


def least_floats(field: Field, bracket: Paired, m1: int) -> dict[str, Value]:
    """[Appendix P 2.6–2.13] Repeated floats that cannot be avoided, counted as ``measures`` counts them."""
    score, floor = field.score, field.score[bracket.members[-1]]
    moved, residents = bracket.members[: bracket.moved_down], bracket.members[bracket.moved_down :]
    pairs, scores = len(bracket.pairs), [score[i] for i in moved]
    limbo = [score[i] for i in bracket.floaters if i in moved]
    gaps = sorted(score[i] - floor for i, _ in bracket.pairs if i in moved)
    all_count = field.edition.measures_differences
    counts: dict[str, Value] = {}
    lists: dict[str, Value] = {}
    for count, listed, sign in FLOATS:
        again = sum(bool(field.floated[i] & sign) for i in residents)
        if sign in (UP, UP_BEFORE):
            forced = max(0, again - len(residents) + m1)
            counts[count], lists[listed] = forced, descending(gaps[:forced])
            continue
        forced = max(0, again - 2 * pairs + m1)
        down = [
            gap
            for level in set(scores)
            for gap in _moved_down(
                field, [i for i in moved if score[i] == level], limbo.count(level), sign, floor
            )
        ]
        counts[count] = forced + (len(down) if all_count else 0)
        lists[listed] = descending([*down, *([ONE_POINT] * forced if all_count else [])])
    return counts | lists


def _moved_down(field: Field, alike: list[int], leaving: int, sign: int, floor: int) -> list[int]:
    """Differences of moved-down players of one score who floated before, as few of them leaving as can be."""
    before = sum(bool(field.floated[i] & sign) for i in alike)
    forced = max(0, leaving - (len(alike) - before))
    gap = field.score[alike[0]] - floor
    return [gap] * (before - forced) + [gap + ONE_POINT] * forced
