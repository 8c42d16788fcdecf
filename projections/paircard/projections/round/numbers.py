"""Tournament pairing numbers (TPN) as people meet them: who has which, provisional or frozen.

Ids are for life, numbers are not (C.04.2:2.3–2.5). How they are counted is a matter of the domain, since
each paired round records its own; who was never paired has none.
"""

import msgspec

from paircard.domain.deciding.numbering import numbers_in_force
from paircard.projections.history import History


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
