"""The ledger of an event: the crosstable laid out for arithmetic, and unplayed rounds by C.07:15–16.

Players are positions in the crosstable, points are tenths. What several tie-breaks share (adjusted
scores, dummy opponents) is computed once.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import msgspec

from paircard.domain.values.results import FORFEITS, PLAYED
from paircard.projections.round.crosstable import ABSENT, Crosstable

DUMMY: Final = -1
"""Stands where an opponent's position would, for a round without a game that counts."""

REQUESTED_BYES: Final = frozenset("HZ")
"""Half-point and zero-point byes (C.07:16.1); a full-point bye is seen as awarded."""

VUR: Final = REQUESTED_BYES | {"-"}
"""Voluntary unplayed rounds: requested byes and forfeit losses."""

WINS: Final = frozenset("1W")

GAMES: Final = PLAYED | {""}
"""Games over the board; a game in progress is one, worth nothing yet."""

OPEN: Final = frozenset({"", "?"})
"""Letters of a game in progress and of an adjourned one."""

DECIDED: Final = PLAYED - OPEN | FORFEITS
"""Letters of a pairing that is over."""


class Term(msgspec.Struct, frozen=True, gc=False):
    """What one round brings to Buchholz, and times ``points`` to Sonneborn-Berger."""

    round: int
    opponent: int
    """Position of the opponent, or ``DUMMY``."""
    score: int
    """The opponent's adjusted score, or the dummy's."""
    points: int
    """What the round brought, as a result against that opponent."""
    vur: bool
    """A voluntary unplayed round, which a cut takes first (C.07:16.5)."""


class Ledger:
    """An event after a number of rounds, the state that all tie-breaks are functions of."""

    def __init__(self, table: Crosstable, round: int, whole: Crosstable | None = None) -> None:
        """``whole`` has the games of early leavers too, that ``table`` leaves out (C.05:6.6)."""
        self.table = table
        self.round = round
        self.whole = whole or table
        self.predetermined = table.predetermined
        self.scoring = table.scoring
        self.position = {row.id: at for at, row in enumerate(table.rows)}
        self.letters: list[tuple[str, ...]] = []
        self.opponents: list[tuple[int, ...]] = []
        for row in table.rows:
            known = row.entries[:round]
            entries = known if len(known) == round else known + (ABSENT,) * (round - len(known))
            self.letters.append(tuple([entry.letter for entry in entries]))
            self.opponents.append(
                tuple([self.position[entry.opponent] if entry.opponent else DUMMY for entry in entries])
            )
        self.everyone = range(len(table.rows))
        """Every player's position."""
        self._terms: dict[bool, list[tuple[Term, ...]]] = {}

    @cached_property
    def points(self) -> list[tuple[int, ...]]:
        """Points awarded, by player and round; virtual points never enter."""
        worth = self.scoring.standings()
        if self.predetermined:
            worth["Z"] = 0  # a free day is no round of the player's, whatever an absence is worth
        return [tuple([worth[letter] for letter in letters]) for letters in self.letters]

    @cached_property
    def scores(self) -> list[int]:
        """Points as the standings show them, with bonuses and penalties (TRF26 299)."""
        rows = self.table.rows
        return [
            sum(points) + sum(row.extra[: self.round]) for row, points in zip(rows, self.points, strict=True)
        ]

    @cached_property
    def adjusted(self) -> list[int]:
        """Scores as opponents see them (C.07:16.3).

        A requested bye after which nothing but voluntary unplayed rounds came, or in the last
        round, counts as a draw (16.2.5, 16.3.2); every other round as awarded. With predetermined
        pairings scores stay what they are (15.2).
        """
        if self.predetermined:
            return self.scores
        draw, points = self.scoring.draw, self.points
        return [
            score + sum([draw - points[who][at] for at in self.byes_as_draws(who)])
            for who, score in enumerate(self.scores)
        ]

    def byes_as_draws(self, who: int) -> list[int]:
        """Places of the requested bye rounds that opponents see as draws, in ascending order."""
        letters = self.letters[who]
        last = max((at for at, letter in enumerate(letters) if letter not in VUR), default=-1)
        return [at for at in range(last + 1, len(letters)) if letters[at] in REQUESTED_BYES]

    def terms(self, forfeits: bool = False) -> list[tuple[Term, ...]]:
        """By player, the opponents' scores that Buchholz adds up, with dummies for unplayed rounds.

        ``forfeits`` makes a game against the scheduled opponent of every forfeit: modifier /P, and
        the rule with predetermined pairings (C.07:15.2), where a free round is no element at all.
        """
        as_games = forfeits or self.predetermined
        if as_games not in self._terms:
            counts = GAMES | FORFEITS if as_games else GAMES
            if self.predetermined:
                counts = DECIDED  # many games of a table may be open: values are those of the games so far
            self._terms[as_games] = [self._terms_of(who, counts) for who in range(len(self.letters))]
        return self._terms[as_games]

    def _terms_of(self, who: int, counts: frozenset[str]) -> tuple[Term, ...]:
        adjusted, own = self.adjusted, self.scores[who]
        ceiling = self.scoring.draw * self.round
        terms: list[Term] = []
        rounds = zip(self.letters[who], self.opponents[who], self.points[who], strict=True)
        for round, (letter, opponent, points) in enumerate(rounds, 1):
            if letter in counts and opponent != DUMMY:
                terms.append(Term(round, opponent, adjusted[opponent], points, False))
            elif not self.predetermined:
                # [16.4] a dummy has the player's own score, but no more than 16.4.1 or 16.4.2 allows
                cap = adjusted[opponent] if opponent != DUMMY else ceiling
                terms.append(Term(round, DUMMY, min(own, cap), self.outcome(points), letter in VUR))
        return tuple(terms)

    def left_out(self, who: int, at: int) -> int:
        """The opponent of a game that counts for nobody, since one of the two left early; else ``DUMMY``."""
        if self.whole is self.table or at >= len(self.whole.rows[who].entries):
            return DUMMY
        there, here = self.whole.rows[who].entries[at], self.table.rows[who].entries[at]
        return self.position[there.opponent] if there.opponent != here.opponent else DUMMY

    def outcome(self, points: int) -> int:
        """The result against a dummy: a win's points are a win, a draw's a draw, else a loss (C.07:16.4)."""
        scoring = self.scoring
        return points if points in (scoring.win, scoring.draw) else scoring.loss

    @cached_property
    def fore(self) -> "Ledger":
        """The event as if every paired game of its final round had been drawn (C.07:8.3).

        Before that round it is the event itself. Byes of the final round keep their points.
        """
        if self.round < self.table.rounds:
            return self
        fore = Ledger(self.table, self.round)
        for who, (letters, opponents) in enumerate(zip(fore.letters, fore.opponents, strict=True)):
            if opponents and opponents[-1] != DUMMY:
                fore.letters[who] = (*letters[:-1], "=")
        return fore

    def games(self, who: int) -> list[tuple[int, int, int]]:
        """Round, opponent and tenths of a standard point of every game played over the board.

        Standard points, whatever the event's scoring: performance ratings are made of these.
        """
        played = []
        for round, (letter, opponent) in enumerate(
            zip(self.letters[who], self.opponents[who], strict=True), 1
        ):
            if letter in PLAYED and opponent != DUMMY:
                played.append((round, opponent, 10 if letter in WINS else 0 if letter in "0L" else 5))
        return played


def cut_rounds(terms: Sequence[Term], cut: int, high: int, *, products: bool = False) -> list[int]:
    """Rounds that a cut or median leaves out, in the order they go (C.07:14.1, 16.5).

    The least significant value is the one of the opponent with the lowest score, among several the
    lowest contribution. If any voluntary unplayed round is left, its lowest contribution goes
    instead, provided it is not lower than the least significant value. ``products`` is for
    Sonneborn-Berger, whose contributions are score times points.
    """
    if not cut:
        return []
    left = {}
    for term in terms:
        value = term.score * term.points if products else term.score
        left[term.round] = (term.score, value, term.round, term.vur)
    gone = []
    for _ in range(min(cut, len(left))):
        least = min(left.values())
        goes = least
        voluntary = [(value, score, round) for score, value, round, vur in left.values() if vur]
        if voluntary and (lowest := min(voluntary))[0] >= least[1]:
            goes = left[lowest[2]]
        del left[goes[2]]
        gone.append(goes[2])
    for _ in range(min(high, len(left))):
        most = max(left.values())[2]
        del left[most]
        gone.append(most)
    return gone
