"""The history of a tournament: its log, folded once, from which every view is cut."""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.deciding.numbering import numbers_in_force
from paircard.domain.events import Recorded
from paircard.domain.rounds import Round
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.regulations import Regulations


class History(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament up to some version of its log."""

    tournament: str
    state: Tournament

    @property
    def version(self) -> int:
        return self.state.version

    @property
    def regulations(self) -> Regulations:
        assert self.state.regulations is not None, "a log begins with the opening of the tournament"
        return self.state.regulations

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Round 1 first."""
        return self.state.rounds

    @property
    def paired(self) -> int:
        """Rounds paired so far."""
        return self.state.paired


EMPTY: Final = History(tournament="", state=NOTHING)
"""Before the first fact."""


def history(log: Sequence[Recorded], start: History = EMPTY) -> History:
    """Fold the log of one tournament, or any beginning of it; or what came after a history."""
    return History(
        tournament=log[-1].tournament if log else start.tournament,
        state=fold([recorded.fact for recorded in log], start.state),
    )


# --- tournament pairing numbers (TPN) as people meet them: who has which, provisional or frozen


class Numbering(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers at one moment."""

    by_id: dict[int, int]
    """Number by id, of those who have one, 1 first."""
    state: str
    """``provisional`` before round 1 is paired, ``assigned`` until round 4 is, then ``frozen``; those of
    an imported file are assigned from the start."""

    def id_of(self, number: int) -> int:
        """The player with this number; 0 if nobody has it."""
        return next((id for id, theirs in self.by_id.items() if theirs == number), 0)


def numbering(history: History) -> Numbering:
    """The current numbers of the players."""
    if not history.rounds:
        of_file = history.state.imported and history.state.order
        return Numbering(by_id=numbers_for_pairing(history), state="assigned" if of_file else "provisional")
    by_id = dict(numbers_in_force(history.state, history.paired + 1, playing=()))
    return Numbering(by_id=by_id, state="frozen" if history.state.frozen else "assigned")


def numbers_for_pairing(history: History) -> dict[int, int]:
    """Number by id when the next round is paired: with those who are paired for the first time."""
    return dict(numbers_in_force(history.state, history.paired + 1))
