"""Article 2 (2017: section C): what each criterion counts in a pair and in a downfloater.

Every criterion is a penalty; the penalties of one candidate are packed into one integer, a field for each
criterion in the order of the article, so that comparing two integers compares two candidates criterion by
criterion. Criteria that compare lists in descending order (C7, C18–C21) have a field for each value a list
can hold, the largest first.

Names are those of the 2026 edition. The 2017 text has the same criteria under other numbers, without C5 and
C9 (``NAMES_2017``), and measures score differences where 2026 counts by the moved-down player's score.
"""

from typing import Final

from paircard.pairing.dutch.field import DOWN, DOWN_BEFORE, UP, UP_BEFORE, Field
from paircard.pairing.dutch.preferences import FAILURES

NAMES_2017: Final = {
    "C6": "C.5", "C7": "C.6", "C8": "C.7", "C10": "C.8", "C11": "C.9", "C12": "C.10", "C13": "C.11",
    "C14": "C.12", "C15": "C.13", "C16": "C.14", "C17": "C.15", "C18": "C.16", "C19": "C.17",
    "C20": "C.18", "C21": "C.19",
}  # fmt: skip

ONE_POINT: Final = 10
"""[2017 A.8] A downfloater's score difference is taken to one point below the bracket's lowest score."""

Key = str | tuple[str, int]

PLAIN: Final[list[Key]] = ["C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17"]
"""Criteria that are one count."""


def places(width: int, many: int) -> list[int]:
    """The values of the digits of a number of so many digits, the highest first."""
    return [1 << width * place for place in reversed(range(many))]


class Criteria:
    """The fields of one bracket, and the penalties of its pairs and downfloaters."""

    def __init__(
        self,
        field: Field,
        scores: list[int],
        next_scores: list[int],
        size: int,
        nines: bool,
        collapsed: bool = False,
    ) -> None:
        """``scores`` are those of the bracket, ``next_scores`` those of bracket and next scoregroup.

        ``collapsed``: the bracket's residents have different scores (2017 A.9), so that any of its pairs may
        be a float. In other brackets moved-down players float whatever is done, and only residents who
        follow them, and who of them floats again, are looked at (2017 Appendix P 2.6–2.13).
        """
        self.collapsed = collapsed
        self.field = field
        self.lowest = min(scores)
        self.next_lowest = min(next_scores, default=0)
        self.nines = nines
        self.old = field.old
        levels = self._levels(scores, self.lowest)
        self.two_levels = len(levels) > 1
        self.looks_ahead = bool(next_scores)
        keys: list[Key] = ["C6"]
        keys += [("C7", level) for level in levels]
        if next_scores:
            keys += ["C8 illegal", "C8"]
            keys += [("C8", level) for level in self._levels(next_scores, self.next_lowest)]
        keys += PLAIN
        if self.two_levels:
            keys += [(name, level) for name in ("C18", "C19", "C20", "C21") for level in levels]
        self.keys = keys
        self.width = max(size + 1, field.round + 1).bit_length() + 1
        self.unit: dict[Key, int] = dict(zip(keys, places(self.width, len(keys)), strict=True))
        self._prices: list[int] = []
        self.never = 1 << self.width * (len(keys) + 2)
        """Dearer than any candidate: the price of what may not be."""

    def _levels(self, scores: list[int], lowest: int) -> list[int]:
        """Values a descending list can hold, largest first."""
        distinct = set(scores)
        if self.old:
            floor = lowest - ONE_POINT
            gaps = {a - b for a in distinct for b in distinct if a > b} | {a - floor for a in distinct}
            return sorted(gaps, reverse=True)
        return sorted(distinct, reverse=True)

    # --- pairs

    def pair(self, i: int, j: int) -> int:
        """Penalty of the pair i-j, i ranked above j."""
        self._prices = self._prices or self.prices()
        colours = self._prices[self.field.clashes.between(i, j)]
        return colours + (self.upfloat(i, j) if self.field.score[i] != self.field.score[j] else 0)

    def prices(self) -> list[int]:
        """[C10–C13] Penalties of ``FAILURES``, and last that of a pair which may not be made."""
        unit = self.unit
        return [sum([unit[name] for name in names]) for names in FAILURES] + [self.never]

    def upfloat(self, i: int, j: int) -> int:
        """The pair of a moved-down player i and a resident j; in a collapsed bracket, of unequal scores."""
        f, unit = self.field, self.unit
        gap = f.score[i] - f.score[j] if self.old else f.score[i]
        penalty = 0
        if self.old:
            penalty += unit["C7", gap]
        if self.collapsed:
            if f.floated[i] & DOWN:
                penalty += unit["C14"] + unit["C18", gap]
            if f.floated[i] & DOWN_BEFORE:
                penalty += unit["C16"] + unit["C20", gap]
        if f.floated[j] & UP:
            penalty += unit["C15"] + unit["C19", gap]
        if f.floated[j] & UP_BEFORE:
            penalty += unit["C17"] + unit["C21", gap]
        return penalty

    # --- downfloaters

    def downfloat(self, i: int) -> int:
        """Penalty of leaving i unpaired in this bracket."""
        f, unit = self.field, self.unit
        gap = f.score[i] - self.lowest + ONE_POINT if self.old else f.score[i]
        penalty = unit["C6"] + unit["C7", gap]
        resident = f.score[i] == self.lowest
        if self.collapsed or resident:
            if f.floated[i] & DOWN:
                penalty += unit["C14"]
            if f.floated[i] & DOWN_BEFORE:
                penalty += unit["C16"]
        if self.two_levels and (self.collapsed or not resident):
            if f.floated[i] & DOWN:
                penalty += unit["C18", gap]
            if f.floated[i] & DOWN_BEFORE:
                penalty += unit["C20", gap]
        return penalty

    def bye(self, i: int) -> int:
        """[C9] Penalty of giving the bye to i, where one downfloater is sure to have it."""
        return self.unit["C9"] * self.field.unplayed[i] if self.nines else 0

    def leaving(self, i: int) -> int:
        """Penalty of a downfloater of whom nothing more is asked, with that of the bye if there is one."""
        return self.downfloat(i) + self.bye(i)

    # --- the next bracket, seen from this one [C8]

    def next_pair(self, score: int) -> int:
        """[C8] A moved-down player of this score pairs a resident of the next bracket."""
        return self.unit["C8", score - self.next_lowest] if self.old else 0

    def next_downfloat(self, score: int) -> int:
        """[C8] Someone of this score floats on from the next bracket."""
        gap = score - self.next_lowest + ONE_POINT if self.old else score
        return self.unit["C8"] + self.unit["C8", gap]

    def next_illegal(self) -> int:
        """[2017 C.2, C.7] The next bracket is the last, and someone left there may not have the bye."""
        return self.unit["C8 illegal"]

    # --- the values, for people

    def values(self, penalty: int) -> dict[str, int | tuple[int, ...]]:
        """A packed penalty taken apart: a count for each criterion, a descending list for C7, C18–C21."""
        mask = (1 << self.width) - 1
        counts: dict[str, int] = {}
        lists: dict[str, list[int]] = {}
        for key, place in zip(self.keys, places(self.width, len(self.keys)), strict=True):
            count = penalty // place & mask
            if isinstance(key, str):
                counts[key] = count
            else:
                lists.setdefault(key[0], []).extend([key[1]] * count)
        values: dict[str, int | tuple[int, ...]] = {}
        for name in dict.fromkeys(key if isinstance(key, str) else key[0] for key in self.keys):
            values[name] = counts[name] if name not in lists else tuple(lists[name])
        return values
