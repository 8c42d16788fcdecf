"""The history of a tournament: its log, folded once, from which every view is cut."""

from collections.abc import Sequence
from typing import Final

import msgspec

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
