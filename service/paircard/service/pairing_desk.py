"""The desk that pairs: what needs the engine as well as the log, and no view of the tournament."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from paircard.domain.deciding.decision import need_type
from paircard.domain.events import RoundPaired
from paircard.domain.log.request import Commands
from paircard.service.desk import Desk, Done, Person, done_with
from paircard.service.finding import PlayerMeant
from paircard.service.pairing import (
    Seats,
    advice_on_round_1,
    propose_alteration,
    propose_boards,
    propose_round,
    propose_schedule,
)
from paircard.service.pairing_sheets import Round, view_round


class Paired(Done, frozen=True, kw_only=True):
    """What came of pairing."""

    round: Round


class PairingDesk(Desk):
    """Where rounds are paired, too, by the engine or by hand; ``Tournament`` adds all that needs views."""

    def pair(self, round: int | None = None, *, by: Person) -> Paired:
        """Pair the next round from what is known now, and record it."""
        need_type("round", round, int | None)
        return self._paired(lambda state: [propose_round(state, round)], by=by)

    def schedule(self, *, by: Person) -> Done:
        """Pair and publish all rounds of a round robin that are left, in one request."""
        return self._run(propose_schedule, by=by)

    def enter_boards(
        self, boards: Sequence[Seats], pab: PlayerMeant = 0, *, round: int | None = None, by: Person
    ) -> Paired:
        """Record boards that were made elsewhere as the next round, paired by hand; White first."""
        need_type("round", round, int | None)
        need_type("boards", boards, list[Seats])
        need_type("pab", pab, PlayerMeant)
        return self._paired(lambda state: propose_boards(state, round, boards, pab), by=by)

    def end_alteration(
        self, round: int, boards: Sequence[Seats] | None, pab: PlayerMeant = 0, *, by: Person
    ) -> Done:
        """End it with these boards, the engine's recorded beside them; None gives up."""
        need_type("round", round, int)
        need_type("boards", boards, list[Seats] | None)
        need_type("pab", pab, PlayerMeant)
        return self._run(lambda state: [propose_alteration(state, round, boards, pab)], by=by)

    def _paired(self, commands: Commands, *, by: Person) -> Paired:
        """What came of pairing, with the round as that is now."""
        answer = self._answer(commands, by=by)
        number = next(one.fact.round for one in answer.recorded if isinstance(one.fact, RoundPaired))
        made, done = view_round(answer.state, number), done_with(answer)
        done = replace(done, advice=(*done.advice, *advice_on_round_1(answer.state, made)))
        return Paired(**msgspec.structs.asdict(done), round=made)
