"""Paired rounds: who was paired, and what became known about each board, one thing after the other.

Two clocks run here: which round a result belongs to, and from when it counts. A correction of round n
counts in the standings of n and the pairing of n+1, or from one round later on, or in the rating report
alone (C.04.2:4.3). So a board holds its changes in order, each with the first view that sees it. View m
is that of the standings after round m and of the pairing of round m+1.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

import msgspec

from paircard.domain import events
from paircard.domain.commands import EndManualPairing
from paircard.domain.events import Board
from paircard.domain.values.results import Outcome, spell

__all__ = ["ADJOURNED", "CURRENT", "RATING_REPORT", "BoardHistory", "Change", "Game", "Round"]

CURRENT: Final = 999_999
"""The view of the present: it sees every correction but those for the rating report alone."""
RATING_REPORT: Final = 1_000_000
"""The view of the rating report: it sees every correction."""
ADJOURNED: Final = Outcome("?", "?")
"""The outcome of a board until its result is known; a draw for pairing (C.04.2:3.1)."""

BoardFact = events.GameAdjourned | events.ResultCleared | events.ResultCorrected | events.ColoursCorrected
"""What may become known about a board after its first result."""
CLEARED: Final = Outcome("", "")


class Game(msgspec.Struct, frozen=True, gc=False):
    """One board as a view sees it; letters are empty until there is a result."""

    white: int
    black: int
    white_letter: str = ""
    black_letter: str = ""

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.white_letter, self.black_letter) if self.white_letter else None


class Change(msgspec.Struct, frozen=True, gc=False):
    """One thing that became known about a board, and the first view that sees it."""

    first_view: int
    letters: tuple[tuple[int, str], ...] = ()
    """Player and letter: a result belongs to persons, whatever becomes of their colours."""
    colours: tuple[int, int] | None = None
    """White and Black as they sat; others than before where others met."""
    version: int = 0
    """Version of the log at which it became known."""
    reason: str = ""
    """``withdrawal`` of a forfeit since somebody left a round robin (C.05:6.6)."""

    @property
    def adjourned(self) -> bool:
        return any(letter == "?" for _, letter in self.letters)

    @property
    def cleared(self) -> bool:
        return bool(self.letters) and not any(letter for _, letter in self.letters)


class BoardHistory(msgspec.Struct, frozen=True, gc=False):
    """A board as paired, and what became known about it; the bye is a board with nobody for Black."""

    white: int
    black: int
    changes: tuple[Change, ...] = ()

    def as_seen_by(self, view: int = CURRENT, known_at: int = CURRENT) -> Game:
        """The board as the view sees it: of everything it may know, the last word counts.

        ``known_at`` is a version of the log: what became known later is left out.
        """
        white, black = self.white, self.black
        if not self.changes:
            return Game(white, black)
        if len(self.changes) == 1:  # as on nearly all boards: the result of the two who were paired
            only, known = self.changes[0], self.changes[0].letters
            if not only.colours and len(known) == 2 and known[0][0] == white and known[1][0] == black:
                if only.first_view > view or only.version > known_at:
                    return Game(white, black)
                return Game(white, black, known[0][1], known[1][1])
        letters: dict[int, str] = {}
        for change in self.changes:
            if change.first_view <= view and change.version <= known_at:
                known = change.letters
                if change.colours and (known or change.colours == (black, white)):
                    white, black = change.colours
                # what was said of a game that others played, as this view has it, says nothing about this one
                if known and known[0][0] in (white, black) and known[1][0] in (white, black):
                    letters.update(known)
        return Game(white, black, letters.get(white, ""), letters.get(black, ""))

    def forfeited_by_leaving(self) -> bool:
        """Whether the last word on the game is that somebody left the round robin (C.05:6.6)."""
        return bool(self.changes) and self.changes[-1].reason == "withdrawal"

    def seats(self) -> Board:
        """White and Black as pairings and standings count them."""
        if not any([change.colours for change in self.changes]):  # noqa: C419 - in a hot path
            return self.white, self.black
        game = self.as_seen_by()
        return game.white, game.black

    def with_change(self, change: Change) -> "BoardHistory":
        return BoardHistory(self.white, self.black, (*self.changes, change))

    def finished_at(self) -> int:
        """Version at which the result of an adjourned game became known; 0 if it was never adjourned."""
        adjourned = False
        finished = 0
        pair = {self.white, self.black}
        for change in self.changes:
            if change.colours and change.first_view <= CURRENT and set(change.colours) != pair:  # others met
                pair, adjourned, finished = set(change.colours), False, 0
            if change.adjourned:
                adjourned = True
            elif change.cleared:
                adjourned, finished = False, 0
            elif adjourned and change.letters:
                adjourned, finished = False, change.version
        return finished


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round."""

    fact: events.RoundPaired
    version: int
    """Version of the log at which it was paired."""
    histories: tuple[BoardHistory, ...]
    """In published order, board 1 first."""
    bye: BoardHistory
    """The pairing-allocated bye: a player and nobody, or nobody at all."""
    absent: tuple[tuple[int, str], ...]
    numbers: tuple[tuple[int, int], ...]
    """Id and number, as on the sheet of the round."""
    published: bool = False
    completed_at: int = 0
    """Version of the fact that ended the round; 0 while it is open."""
    altered: bool = False
    """Whether the boards are the arbiter's and not the engine's."""
    engine_boards: tuple[Board, ...] = ()
    """What the engine paired; empty where no engine did."""
    engine_pab: int = 0
    order_before: tuple[int, ...] | None = None
    """The order before this round was paired, if pairing it changed the order."""

    @property
    def number(self) -> int:
        return self.fact.round

    @property
    def origin(self) -> str:
        return self.fact.origin

    @property
    def completed(self) -> bool:
        return self.completed_at > 0

    @property
    def pab(self) -> int:
        """Id of the player with the pairing-allocated bye, 0 for none."""
        return self.bye.as_seen_by().white

    @property
    def boards(self) -> tuple[Board, ...]:
        """White and Black of every board, as pairings and standings count them."""
        return tuple([board.seats() for board in self.histories])

    @property
    def outcomes(self) -> tuple[Outcome | None, ...]:
        """What counts for pairings and standings, by board."""
        return tuple([game.outcome for game in self.games()])

    def games(self, view: int = CURRENT, known_at: int = CURRENT) -> tuple[Game, ...]:
        """The boards as the view sees them, by what was known at a version of the log."""
        return tuple([board.as_seen_by(view, known_at) for board in self.histories])

    def game(self, board: int, view: int = CURRENT) -> Game:
        """One board as the view sees it."""
        return self.histories[board - 1].as_seen_by(view)

    def open_boards(self) -> tuple[int, ...]:
        """Boards without a result, an adjourned game included."""
        return tuple(at for at, game in enumerate(self.games(), start=1) if game.white_letter in ("", "?"))


def seated_in(rounds: Iterable[Round]) -> set[int]:
    """Everyone on a board of these rounds, the pairing-allocated bye included."""
    found = {id for round in rounds for id in (*chain.from_iterable(round.boards), round.pab)}
    return found - {0}


def outcome_in_words(outcome: Outcome | None) -> str:
    """A result as people write it, a game to be finished included; empty before there is one."""
    return "" if outcome is None else "adjourned" if outcome == ADJOURNED else spell(outcome)


def turned(outcome: Outcome) -> Outcome:
    """A result with White and Black exchanged: each player keeps their own letter."""
    return Outcome(outcome.black, outcome.white)


def is_engines(made: events.PairingsAltered | EndManualPairing) -> bool:
    """Whether the arbiter arrived at the engine's boards, in whatever order."""
    return made.pab == made.engine_pab and set(made.boards) == set(made.engine_boards)
