"""An alteration before it is made: the boards it gives, the engine's beside them, and every breach."""

import msgspec

from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import signed
from paircard.domain.errors import Caution, NotNow
from paircard.domain.events import PairingsAltered
from paircard.domain.state import Tournament, fold
from paircard.service.pairing import Change, propose_change
from paircard.service.people import Person
from paircard.service.review.replay import Sheet


class Alteration(msgspec.Struct, frozen=True, kw_only=True):
    """What an alteration would do. Nothing was written."""

    round: int
    boards: Sheet
    engine: Sheet
    """As the engine paired the round."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is made."""


def preview_alteration(history: Tournament, change: Change, one: int, other: int, by: Person) -> Alteration:
    """The boards an alteration of the last round would give; refuses what would be refused."""
    begin, end = propose_change(history, change, one, other)
    meta = (by if by.why.strip() else by.because("preview")).meta()
    begun = weigh(history, signed(begin, meta))
    decision = weigh(fold(begun.events, history), signed(end, meta))
    fact = decision.events[0]
    if not isinstance(fact, PairingsAltered):
        raise NotNow(f"round {end.round} has these boards already: choose other players")
    return Alteration(
        round=fact.round,
        boards=Sheet(fact.boards, fact.pab),
        engine=Sheet(fact.engine_boards, fact.engine_pab),
        warnings=decision.warnings,
    )
