"""Players alike for every criterion form a kind: the penalty of an edge depends on the two kinds only."""

from typing import Final

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import ANY_FLOAT, DOWN, DOWN_BEFORE, UP, UP_BEFORE
from paircard.pairing.dutch.search.bracket import Bracket

NEXT, REST, BYE, FLOAT, STUCK = range(5)
"""What a vertex outside the bracket is: a player of the next scoregroup or below it, the bye, or, where
nobody asks what becomes of a downfloater, just a place to go to (STUCK where rules forbid it)."""

RESIDENT: Final = -1
"""In the place of the score of a moved-down player."""

KindKey = tuple[int, int, int, int]
"""Colours and floats as far as they matter; score of a moved-down player, ``RESIDENT`` for the others, their
negated score in a collapsed bracket; unplayed games where C9 counts; whether the player may float."""


def kind_keys(criteria: Criteria, bracket: Bracket, floaters: int | None) -> list[KindKey]:
    """What tells the members apart. What cannot matter is left out: downfloats of a bracket nobody leaves,
    upfloats where nobody moved down. ``floaters`` may leave; None: nobody asks who."""
    field, members, moved_down = bracket.field, bracket.members, bracket.moved_down
    downfloats = DOWN | DOWN_BEFORE if floaters or floaters is None else 0
    upfloats = UP | UP_BEFORE if moved_down else 0
    above_matters = ~ANY_FLOAT | downfloats
    matters = above_matters | upfloats
    looks = [field.colours_and_floats[i] & above_matters for i in members[:moved_down]]
    looks += [field.colours_and_floats[i] & matters for i in members[moved_down:]]
    score = [field.score[i] for i in members[:moved_down]]
    if criteria.mixed:
        score += [~field.score[i] for i in members[moved_down:]]
    else:
        score += [RESIDENT] * (bracket.size - moved_down)
    nothing = [0] * bracket.size
    unplayed = [field.unplayed[i] for i in members] if criteria.counts_c9 else nothing
    some_float = bool(floaters) and floaters != bracket.everyone
    may_float = [(floaters or 0) >> u & 1 for u in range(bracket.size)] if some_float else nothing
    return list(zip(looks, score, unplayed, may_float, strict=True))


class Kinds:
    """The vertices of a bracket sorted into kinds, with the penalties between them."""

    def __init__(
        self, criteria: Criteria, bracket: Bracket, outside: list[int], floaters: int | None = None
    ) -> None:
        """``outside`` says what the vertices outside the bracket are; ``floaters`` (positions) may leave."""
        self.field = bracket.field
        self.criteria = criteria
        known: dict[KindKey, int] = {}
        keys = kind_keys(criteria, bracket, floaters)
        self.kind = [known.setdefault(key, len(known)) for key in keys]
        """Kind of each vertex."""
        self.moved = max(self.kind[: bracket.moved_down], default=-1) + 1
        """Kinds of moved-down players: these are the first."""
        self.inside = len(known)
        """Kinds of members."""
        self.outside = list(dict.fromkeys(outside))
        """What the kinds of vertices outside the bracket are."""
        self.examples = [-1] * self.inside
        """The first player of each kind."""
        for i, k in zip(reversed(bracket.members), reversed(self.kind), strict=True):
            self.examples[k] = i
        kind_of = {what: k for k, what in enumerate(self.outside, self.inside)}
        self.kind += [kind_of[what] for what in outside]
        self.masks = [0] * (self.inside + len(self.outside))
        """Vertices of each kind."""
        for v, k in enumerate(self.kind):
            self.masks[k] |= 1 << v
        self.count = [mask.bit_count() for mask in self.masks]

    def cost(self, next_score: int = 0) -> list[list[int]]:
        """Packed penalties between kinds, ``Criteria.never`` where no two may meet."""
        f, c = self.field, self.criteria
        colour, score, colours = f.clashes.of, f.score, c.colours()
        count, examples, inside, moved = self.count, self.examples, self.inside, self.moved
        rows = [[c.never] * len(count) for _ in count]
        for a, i in enumerate(examples):
            row, clash, mine = rows[a], f.clashes.row(colour[i]), score[i]
            for b in range(max(a + (count[a] == 1), moved), inside):
                j = examples[b]
                price = colours[clash[colour[j]]]
                if mine != score[j]:
                    price += c.upfloat(i, j) if i < j else c.upfloat(j, i)
                row[b] = rows[b][a] = price
        if self.outside:
            self._price_leaving(rows, next_score)
        return rows

    def _price_leaving(self, rows: list[list[int]], next_score: int) -> None:
        """The penalties of leaving the bracket, and of what is outside it."""
        f, c, count, inside = self.field, self.criteria, self.count, self.inside
        leave = [c.downfloat(i) for i in self.examples]
        onward = leave
        if c.looks_ahead:
            onward = [
                price + c.c8_downfloat(f.score[i]) for price, i in zip(leave, self.examples, strict=True)
            ]
        for a in range(self.moved):  # they never meet here (2026 3.2); both float on
            for b in range(a + (count[a] == 1), self.moved):
                rows[a][b] = rows[b][a] = onward[a] + onward[b]
        for b, what in enumerate(self.outside, inside):
            stuck = c.c8_illegal() if what == STUCK else 0
            for a, i in enumerate(self.examples):
                if what == NEXT:
                    price = leave[a] + c.c8_pair(f.score[i])
                else:
                    price = onward[a] + stuck + (c.c9_unplayed_games(i) if what in (BYE, FLOAT) else 0)
                rows[a][b] = rows[b][a] = price
            for a, other in enumerate(self.outside[: b - inside + 1], inside):
                if a == b and count[a] == 1:
                    continue
                price = c.c8_downfloat(next_score) + stuck if (other == NEXT) != (what == NEXT) else 0
                rows[a][b] = rows[b][a] = price
