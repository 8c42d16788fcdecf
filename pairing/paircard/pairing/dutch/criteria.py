"""Article 2 (2017: section C): what each criterion counts in a pair and in a downfloater.

Every criterion is a penalty; the penalties of one candidate are packed into one integer, a field for each
criterion in the order of the article, so that comparing two integers compares two candidates criterion by
criterion. Criteria that compare lists in descending order (C7, C18–C21) have a field for each value a list
can hold, the largest first.

Names are those of the 2026 edition. The 2017 text has the same criteria under other numbers, without C5 and
C9 (``NAMES_2017``), and measures score differences where 2026 counts by the moved-down player's score.
"""

from typing import Final

from paircard.pairing.dutch.field import ABSOLUTE, NEITHER, STRONG, Field

NAMES_2017: Final = {
    "C6": "C.5", "C7": "C.6", "C8": "C.7", "C10": "C.8", "C11": "C.9", "C12": "C.10", "C13": "C.11",
    "C14": "C.12", "C15": "C.13", "C16": "C.14", "C17": "C.15", "C18": "C.16", "C19": "C.17",
    "C20": "C.18", "C21": "C.19",
}  # fmt: skip

ONE_POINT: Final = 10
"""[2017 A.8] A downfloater's score difference is taken to one point below the bracket's lowest score."""

Key = str | tuple[str, int]


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
        self.old = field.edition == "dutch-2017"
        width = max(size + 1, field.round + 1).bit_length() + 1
        keys: list[Key] = ["C6"]
        levels = self._levels(scores, self.lowest)
        keys += [("C7", level) for level in levels]
        if next_scores:
            keys += ["C8 illegal", "C8"]
            keys += [("C8", level) for level in self._levels(next_scores, self.next_lowest)]
        keys += ["C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17"]
        if len(levels) > 1:
            keys += [(name, level) for name in ("C18", "C19", "C20", "C21") for level in levels]
        self.width = width
        self.keys = keys
        self.shift = {key: width * place for place, key in enumerate(reversed(keys))}
        self.unit = {key: 1 << shift for key, shift in self.shift.items()}
        self.two_levels = len(levels) > 1
        self.looks_ahead = bool(next_scores)

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
        return self._colours(i, j) + (
            self._upfloat(i, j) if self.field.score[i] != self.field.score[j] else 0
        )

    def _colours(self, i: int, j: int) -> int:
        f, unit = self.field, self.unit
        if not f.due[i] or f.due[i] != f.due[j]:
            return 0
        penalty = unit["C12"]
        if f.strength[i] == ABSOLUTE == f.strength[j]:
            if c10_wide_difference(f, i, j):
                penalty += unit["C10"]
            if c11_third_in_a_row(f, i, j):
                penalty += unit["C11"]
        elif f.strength[i] >= STRONG <= f.strength[j]:
            penalty += unit["C13"]
        return penalty

    def _upfloat(self, i: int, j: int) -> int:
        """The pair of a moved-down player i and a resident j; in a collapsed bracket, of unequal scores."""
        f, unit = self.field, self.unit
        gap = f.score[i] - f.score[j] if self.old else f.score[i]
        penalty = 0
        if self.old:
            penalty += unit["C7", gap]
        if self.collapsed:
            if f.last[i] == "d":
                penalty += unit["C14"] + unit["C18", gap]
            if f.before_last[i] == "d":
                penalty += unit["C16"] + unit["C20", gap]
        if f.last[j] == "u":
            penalty += unit["C15"] + unit["C19", gap]
        if f.before_last[j] == "u":
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
            if f.last[i] == "d":
                penalty += unit["C14"]
            if f.before_last[i] == "d":
                penalty += unit["C16"]
        if self.two_levels and (self.collapsed or not resident):
            if f.last[i] == "d":
                penalty += unit["C18", gap]
            if f.before_last[i] == "d":
                penalty += unit["C20", gap]
        return penalty

    def bye(self, i: int) -> int:
        """[C9] Penalty of giving the bye to i, where one downfloater is sure to have it."""
        return self.unit["C9"] * self.field.unplayed[i] if self.nines else 0

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
        for key in self.keys:
            count = penalty >> self.shift[key] & mask
            if isinstance(key, str):
                counts[key] = count
            else:
                lists.setdefault(key[0], []).extend([key[1]] * count)
        values: dict[str, int | tuple[int, ...]] = {}
        for name in dict.fromkeys(key if isinstance(key, str) else key[0] for key in self.keys):
            values[name] = counts[name] if name not in lists else tuple(lists[name])
        return values


def c10_wide_difference(field: Field, i: int, j: int) -> bool:
    """[C10] Of two with the same absolute preference, one gets a colour difference beyond two."""
    return abs(field.difference[i]) > 1 < abs(field.difference[j])


def c11_third_in_a_row(field: Field, i: int, j: int) -> bool:
    """[C11] Of two with the same absolute preference, one gets a colour a third time running.

    With equal differences 5.2.3 spares whoever alone had the colour twice; if both had, one of them gets it
    again. Of unequal differences the wider is mended (5.2.2), and only the one who yields is looked at.
    """
    wide_i, wide_j = abs(field.difference[i]), abs(field.difference[j])
    if wide_i == wide_j:
        return field.repeated[i] == field.repeated[j] != NEITHER
    return field.repeated[i if wide_i < wide_j else j] == -field.due[i]
