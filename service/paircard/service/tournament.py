"""One tournament: everything that can be asked of it, each in one call."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain.commands import UNSIGNED, Command, Lots
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import need_results, need_type, signed, well_typed
from paircard.domain.errors import Invalid, NotNow, Refused, Unknown
from paircard.domain.events import Event, LotsDrawn, PairingNumbersAssigned
from paircard.domain.log.request import Again
from paircard.domain.messages import say
from paircard.domain.state import Tournament as State
from paircard.domain.state import fold
from paircard.domain.values.regulations import Regulations, changed, given
from paircard.domain.values.rules import RULES
from paircard.projections.differences import Difference, difference
from paircard.projections.log_lines import LogLine, log_lines
from paircard.projections.prizes import publication
from paircard.projections.standings.standings import standings_after, ties_left
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.views import last_finished, moment
from paircard.service.desk import Done, Person, need_person
from paircard.service.finding import PlayerMeant
from paircard.service.moment import Moment
from paircard.service.pairing import Change, PairingDesk, PlayedBoard, check_engine, propose_change
from paircard.service.review.verify import Report, verify_stored
from paircard.service.sheets.players import Registration, Sheet, plan_registration
from paircard.service.undo import (
    commands_to_take_back,
    commands_to_undo,
    facts_between,
    last_request,
    need_first_undo,
    need_own,
)


class Tournament(PairingDesk):
    """A tournament of an office: its desk, what needs views of it, and these views."""

    # Reading

    def now(self) -> Moment:
        """The tournament as it is; what was read before is not read again."""
        known = self._store.read(self.id)
        if not known.facts:
            raise Unknown("store.no-such-tournament", tournament=self.id)
        return Moment(self.id, known.state, lambda: known.facts, known.memory)

    def at(self, when: str | int) -> Moment:
        """The tournament as it was: ``r5``, ``before r5``, the number of a fact, or a time."""
        known = self._store.read(self.id)
        length = moment(known.facts, str(when))
        return self._moment(
            known.state if length == len(known.facts) else fold([one.fact for one in known.facts[:length]])
        )

    def _moment(self, state: State) -> Moment:
        return Moment(self.id, state, lambda: self.facts()[: state.version])

    def difference(self, first: str | int, second: str | int = "now") -> Difference:
        """What changed between two moments."""
        facts = self.facts()
        return difference(facts, moment(facts, str(first)), moment(facts, str(second)))

    def verify(self) -> Report:
        """Whether the log is what it claims to be: chain, versions, snapshots, every round."""
        return verify_stored(self._store, self.id)

    # Asking

    def ask(self, *commands: Command, by: Person) -> Done:
        """Carry out commands in order, all of them or none.

        Boards under the engine's name must be the engine's; tie-breaks must be ones that standings know.
        """
        return self._run(lambda state: self._checked(commands, state, by), by=by)

    def propose(
        self, proposal: Callable[[Moment], Sequence[Command]], *, by: Person, again: Again | None = None
    ) -> Done:
        """Carry out the commands that follow from the tournament as the request meets it.

        The proposal is made again when somebody else was faster, and when the request was sent before; then
        ``again`` may make it from the facts of the first time, where those are no longer to be found out.
        """

        return self._run(
            lambda state: self._checked(proposal(self._moment(state)), state, by), by=by, again=again
        )

    def _checked(self, commands: Sequence[Command], state: State, by: Person) -> Sequence[Command]:
        """Commands as the tournament meets them, if what only the service can check of them is right."""
        commands = [well_typed(command) for command in commands]
        last = max((at for at, one in enumerate(commands) if isinstance(one, CHECKED)), default=-1)
        opening = commands[0] if commands else None
        if isinstance(opening, ask.OpenTournament) and opening.filed:
            return commands  # the file was checked when it was read
        met, meta = state, by.meta() if last > 0 else UNSIGNED
        for at, command in enumerate(commands):
            check(command, met)
            if at < last:
                try:
                    met = fold(weigh(met, signed(command, meta)).events, met)
                except Refused:
                    break  # deciding says why
        return commands

    def plan_import(self, sheet: Sheet, *, by: Person) -> Registration:
        """What importing the players of a sheet would do; nothing is written."""
        return plan_registration(self.now().state, sheet, by)

    def import_players(self, sheet: Sheet, *, by: Person) -> Done:
        """Register the players of a sheet and correct those who are registered: all of them or none."""
        lines: list[int] = []

        def commands(now: Moment) -> Sequence[Command]:
            plan = plan_registration(now.state, sheet, by)
            if plan.faults:
                raise plan.refusal()
            asked = plan.commands()
            lines[:] = [line for line, _ in asked]
            return [command for _, command in asked]

        try:
            return self.propose(commands, by=by)
        except Refused as refusal:
            if refusal.command is not None:
                refusal.line = lines[refusal.command]
            raise

    def award(self, *, by: Person) -> Done:
        """Put the list of prizes on record as it follows from the results; a second list needs a reason."""
        return self.propose(lambda now: [publication(now.state)], by=by)

    def number(self, order: Sequence[PlayerMeant] = (), *, lots: Lots = "", by: Person) -> Done:
        """Number the players by strength; a round robin also by lot, or by lots that keep federations apart.

        ``order`` names everybody by hand, number 1 first, by id or as people type it.
        """
        need_person(by)
        need_type("order", order, list[PlayerMeant])
        seed = f"{by.lots.getrandbits(128):032x}" if lots else ""

        def asked(state: State, seed: str) -> Sequence[Command]:
            now = self._moment(state)
            ids = tuple(one if isinstance(one, int) else now.player(one) for one in order)
            return [ask.AssignNumbers(order=ids, lots=lots, seed=seed)]

        def again(state: State, first: tuple[Event, ...]) -> Sequence[Command]:
            drawn = (fact.seed or "" for fact in first if isinstance(fact, PairingNumbersAssigned))
            return asked(state, next(drawn, seed))

        return self._run(lambda state: asked(state, seed), by=by, again=again)

    def correct_boards(
        self, round: int, boards: Mapping[int, PlayedBoard], pab: PlayerMeant = 0, *, by: Person
    ) -> Done:
        """Put on record who really met: by board White, Black and the result, boards not named stay.

        The result may be left out where the same two met by the record; ``pab`` is who had the bye, if that
        changes.
        """
        return self.propose(lambda now: [now.boards_as_played(round, boards, pab)], by=by)

    def swap_players(self, one: int | str, other: int | str, *, by: Person) -> Done:
        """Let two players of the last round change seats, in a manual pairing of its own."""
        return self._alter_last("swap", one, other, by=by)

    def pair_players(self, white: int | str, black: int | str, *, by: Person) -> Done:
        """Let two players meet in the last round; those they leave meet instead."""
        return self._alter_last("pair", white, black, by=by)

    def _alter_last(self, change: Change, one: int | str, other: int | str, *, by: Person) -> Done:
        need_type("player", one, PlayerMeant)
        need_type("player", other, PlayerMeant)
        return self.propose(lambda now: propose_change(now.state, change, one, other), by=by)

    def last_lines(self) -> list[LogLine]:
        """What the last request recorded, in words."""
        versions = {one.version for one in last_request(self.facts())}
        return log_lines(self.facts(), wanted=versions)

    def undo(self, *, by: Person) -> Done:
        """Take one's last request back with commands of its own; refuses what cannot be taken back.

        Somebody else's newer work is in the way: it is taken back only if ``not-yours`` is accepted.
        """
        role = self._store.role

        def commands(now: Moment) -> Sequence[Command]:
            log = self.facts()[: now.state.version]
            facts = last_request(log)
            before = fold([one.fact for one in log[: len(log) - len(facts)]])
            meta = by.meta()
            need_own(facts, before, replace(meta, through=meta.through or (f"role:{role}" if role else "")))
            need_first_undo(log, facts)
            return commands_to_undo(before, facts)

        return self.propose(commands, by=by)

    def take_back(self, first: int, last: int, *, by: Person) -> Done:
        """Take back facts from one number to another; refused if more than results came since."""
        need_type("first", first, int)
        need_type("last", last, int)

        def commands(now: Moment) -> Sequence[Command]:
            log = self.facts()[: now.state.version]
            before, facts = facts_between(log, first, last)
            need_own(facts, before, by.meta())
            return commands_to_take_back(log, first, last)

        return self.propose(commands, by=by)

    def draw_lots(self, players: Sequence[int | str] = (), *, by_hand: bool = False, by: Person) -> Done:
        """Draw lots among tied players, once for all; among all who share a place if none are named.

        A player is named by id, or as people type it. By hand, the best comes first.
        """
        need_type("players", players, list[PlayerMeant])

        def groups(state: State) -> list[list[int]]:
            if not players:
                return tied_players(state)
            now = self._moment(state)
            named = [one if isinstance(one, int) else now.player(one) for one in players]
            need_tied(now.state, named)
            return [named]

        def draw(state: State) -> Sequence[Command]:
            drawn = groups(state)
            if not by_hand:
                for group in drawn:
                    by.lots.shuffle(group)
            return [ask.DrawLots(players=tuple(group), by_hand=by_hand) for group in drawn]

        def again(state: State, first: tuple[Event, ...]) -> Sequence[Command]:
            past = {frozenset(fact.players): fact.players for fact in first if isinstance(fact, LotsDrawn)}
            orders = [tuple(group) for group in groups(state)]
            if not by_hand:
                orders = [past.get(frozenset(order), order) for order in orders]
            return [ask.DrawLots(players=order, by_hand=by_hand) for order in orders]

        return self._run(draw, by=by, again=again)


CHECKED = (ask.PairRound, ask.EndManualPairing, ask.DrawLots)
"""Commands that are held against the tournament as they meet it, after those before them."""


def check(command: Command, history: State) -> None:
    """What no deciding can know: the engine's boards, and which tie-breaks there are."""
    match command:
        case ask.PairRound() | ask.EndManualPairing():
            check_engine(history, command)
        case ask.DrawLots(players=players):
            need_tied(history, players)
        case ask.LeaveFideMode(filed=True):
            raise Invalid("fide-mode-not-filed")
        case ask.ChangeRegulations(changes=changes) if {"tiebreaks", "edition"} & given(changes).keys():
            check_tiebreaks(changed(history.regulations, changes))
        case _:
            pass


def check_tiebreaks(regulations: Regulations) -> None:
    """Refuse a list that no standings could follow, before it is announced; not for unknown rules."""
    rules = RULES.get(regulations.edition)
    if rules and regulations.tiebreaks:
        parse_list(",".join(regulations.tiebreaks), predetermined=rules.predetermined)


def tied_players(history: State) -> list[list[int]]:
    """Ids of those who share a place in the final standings, place by place."""
    if history.paired < history.regulations.rounds:
        raise NotNow("places-open", last=history.paired, rounds=history.regulations.rounds)
    if history.closed:
        raise NotNow("standings-stand")
    need_results(history, "lots")
    groups = [[line.id for line in group] for group in ties_left(history)]
    if not groups:
        raise NotNow("nobody-tied")
    return groups


def need_tied(history: State, players: Sequence[int]) -> None:
    """Refuse an order among players who do not share a place after the last finished round."""
    lines = {line.id: line for line in standings_after(history, last_finished(history))}
    if len({lines[id].points for id in players if id in lines}) > 1:
        there = [lines[id] for id in players if id in lines]
        scores = [say("player-with-points", name=line.name, points=line.points) for line in there]
        raise NotNow("players-not-tied", each=scores)
