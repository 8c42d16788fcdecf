"""One tournament: everything that can be asked of it, each in one call."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import (
    UNSIGNED,
    AdjournGame,
    BeginManualPairing,
    ChangeRegulations,
    CloseTournament,
    Command,
    CompleteRound,
    CorrectColours,
    CorrectResult,
    DrawInitialColour,
    DrawLots,
    EndManualPairing,
    LeaveFideMode,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    UnpairRound,
)
from paircard.domain.deciding.cautions import CAUTIONS, meaning
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import need_type, signed, well_typed
from paircard.domain.deciding.open_games import need_results
from paircard.domain.deciding.rounds import outdated
from paircard.domain.deciding.unused_ratings import unused_ratings
from paircard.domain.errors import IdTaken, Invalid, NotNow, Refused
from paircard.domain.events import (
    Event,
    InitialColourDrawn,
    LotsDrawn,
    PlayerDetailsCorrected,
    PlayerRegistered,
    Recorded,
    ResultRecorded,
    RoundPaired,
    TournamentDetailsChanged,
)
from paircard.domain.log.request import Again, Commands, Request
from paircard.domain.log.store import Tournaments
from paircard.domain.rounds import ADJOURNED as UNFINISHED
from paircard.domain.rounds import outcome_in_words
from paircard.domain.state import NOTED, fold
from paircard.domain.state import Tournament as State
from paircard.domain.values.editions import NEWEST
from paircard.domain.values.results import parse_outcome, points
from paircard.domain.values.text import enumerated
from paircard.projections.differences import Difference, difference
from paircard.projections.log_lines import LogLine, Names, log_lines
from paircard.projections.moments import moment
from paircard.projections.standings.ranking import standings_after, ties_left
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.views import last_finished
from paircard.service.moment import Moment
from paircard.service.pairing import (
    Change,
    PlayedBoard,
    Seat,
    Seats,
    advice_on_round_1,
    check_engine,
    propose_alteration,
    propose_boards,
    propose_change,
    propose_round,
)
from paircard.service.people import Person, need_person
from paircard.service.review.verify import Report, faults_of, verify_stored
from paircard.service.sheets.players import Registration, Sheet, plan_registration
from paircard.service.undo import (
    commands_to_take_back,
    commands_to_undo,
    facts_between,
    last_request,
    need_first_undo,
    need_own,
)
from paircard.service.views import AlreadyRecorded, Round

ADJOURNED = ("?", "adj", "adjourned")
"""What stands for a game to be finished later, where a result is expected."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a request."""

    version: int
    """Of the tournament, now."""
    repeated: bool
    """The request was carried out before; its facts are those of the first time."""
    facts: tuple[Recorded, ...]
    lines: tuple[LogLine, ...]
    """The same facts in words."""
    accepted: tuple[str, ...] = ()
    """The warnings that were accepted, in words, with the players they concern."""
    advice: tuple[str, ...] = ()
    """What may surprise later, and needs no answer."""
    outdates: int = 0
    """The round that is paired but not published, and did not know what was recorded now; 0 for none."""
    already: tuple[AlreadyRecorded, ...] = ()
    """Results that stood there already, and so gave no fact."""


class Paired(Done, frozen=True, kw_only=True):
    """What came of pairing."""

    round: Round


class Tournament:
    """A tournament of an office. Requests name who asks: ``by``. A refusal is a ``PaircardError``."""

    def __init__(self, store: Tournaments, id: str) -> None:
        self.id = id
        self._store = store

    # Reading

    def now(self) -> Moment:
        """The tournament as it is; what was read before is not read again."""
        return self._moment(self._store.state(self.id))

    def at(self, when: str | int) -> Moment:
        """The tournament as it was: ``r5``, ``before r5``, the number of a fact, or a time."""
        known = self._store.read(self.id)
        length = moment(known.facts, str(when))
        return self._moment(
            known.state if length == len(known.facts) else fold([one.fact for one in known.facts[:length]])
        )

    def facts(self) -> list[Recorded]:
        """Every fact, checked against the chain of hashes."""
        return self._store.log(self.id)

    def _moment(self, state: State) -> Moment:
        return Moment(self.id, state, lambda: self.facts()[: state.version])

    def difference(self, first: str | int, second: str | int = "now") -> Difference:
        """What changed between two moments."""
        facts = self.facts()
        return difference(facts, moment(facts, str(first)), moment(facts, str(second)))

    def verify(self) -> Report:
        """Whether the log is what it claims to be: chain, versions, snapshots, every round."""
        return verify_stored(self._store, self.id, around=faults_of(self._store))

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
        if isinstance(opening, OpenTournament) and opening.source:
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

    def pair(self, round: int | None = None, *, by: Person) -> Paired:
        """Pair the next round from what is known now, and record it."""
        need_type("round", round, int | None)
        return self._paired(self._run(lambda state: [propose_round(state, round)], by=by))

    def enter_boards(
        self, boards: Sequence[Seats], pab: Seat = 0, *, round: int | None = None, by: Person
    ) -> Paired:
        """Record boards that were made elsewhere as the next round, paired by hand; White first."""
        need_type("round", round, int | None)
        need_type("boards", boards, list[Seats])
        need_type("pab", pab, Seat)
        return self._paired(self._run(lambda state: propose_boards(state, round, boards, pab), by=by))

    def publish(self, round: int | None = None, *, by: Person) -> Done:
        """Publish a paired round, the last one by default; from then on results are entered."""
        need_type("round", round, int | None)
        return self._run(lambda state: [PublishRound(round=state.paired if round is None else round)], by=by)

    def unpair(self, round: int | None = None, *, by: Person) -> Done:
        """Take back the last round; a published one only before it is played, with a reason."""
        need_type("round", round, int | None)
        return self._run(lambda state: [UnpairRound(round=state.paired if round is None else round)], by=by)

    def complete(self, round: int | None = None, *, by: Person) -> Done:
        """End a round whose results are all in."""
        need_type("round", round, int | None)
        return self._run(lambda state: [CompleteRound(round=state.paired if round is None else round)], by=by)

    def close(self, *, by: Person) -> Done:
        """Close the tournament: final standings stand."""
        return self._run(lambda _: [CloseTournament()], by=by)

    def begin_alteration(self, round: int, *, by: Person) -> Done:
        """Take the last paired round, or the next one, into the arbiter's hands."""
        return self._run(lambda _: [BeginManualPairing(round=round)], by=by)

    def end_alteration(
        self, round: int, boards: Sequence[Seats] | None, pab: Seat = 0, *, by: Person
    ) -> Done:
        """End it with these boards, the engine's recorded beside them; None gives up."""
        need_type("round", round, int)
        need_type("boards", boards, list[Seats] | None)
        need_type("pab", pab, Seat)
        return self._run(lambda state: [propose_alteration(state, round, boards, pab)], by=by)

    def record(self, round: int, results: Mapping[int, str], *, by: Person) -> Done:
        """Enter results by board, as people write them (``1-0``, ``½-½``, ``adjourned``): all or none."""
        need_type("results", results, dict[int, str])
        commands: list[Command] = []
        try:
            for board, text in results.items():
                commands.append(result_command(round, board, text))
        except Invalid as wrong:
            wrong.command = len(commands)
            raise
        return self._run(lambda _: commands, by=by)

    def correct(self, round: int, board: int, result: str, *, by: Person) -> Done:
        """Correct a result that was recorded wrongly."""
        command = CorrectResult(round=round, board=board, outcome=parse_outcome(result))
        return self._run(lambda _: [command], by=by)

    def correct_colours(self, round: int, board: int, *, by: Person) -> Done:
        """White and Black of a board were the other way round."""
        return self._run(lambda _: [CorrectColours(round=round, board=board)], by=by)

    def correct_boards(
        self, round: int, boards: Mapping[int, PlayedBoard], pab: Seat = 0, *, by: Person
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
        """Let two players meet in the last round; whoever they leave behind meets instead."""
        return self._alter_last("pair", white, black, by=by)

    def _alter_last(self, change: Change, one: int | str, other: int | str, *, by: Person) -> Done:
        need_type("player", one, Seat)
        need_type("player", other, Seat)
        return self.propose(lambda now: propose_change(now.history, change, one, other), by=by)

    def last_lines(self) -> list[LogLine]:
        """What the last request recorded, in words."""
        versions = {one.version for one in last_request(self.facts())}
        return [line for line in log_lines(self.facts()) if line.version in versions]

    def undo(self, *, by: Person) -> Done:
        """Take one's last request back with commands of its own; refuses what cannot be taken back.

        Somebody else's newer work is in the way: it is taken back only if ``not-yours`` is accepted.
        """
        role = self._store.role

        def commands(now: Moment) -> Sequence[Command]:
            log = self.facts()[: now.history.version]
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
            log = self.facts()[: now.history.version]
            before, facts = facts_between(log, first, last)
            need_own(facts, before, by.meta())
            return commands_to_take_back(log, first, last)

        return self.propose(commands, by=by)

    def draw_colour(self, colour: str = "", *, by: Person) -> Done:
        """Draw lots for the initial colour (C.04.3:5.1); or record the lot, ``w`` or ``b``, drawn by hand."""
        need_person(by)
        need_type("colour", colour, str)
        lot = colour or by.lots.choice("wb")

        def again(_: State, first: tuple[Event, ...]) -> Sequence[Command]:
            past = next((fact.colour for fact in first if isinstance(fact, InitialColourDrawn)), lot)
            return [DrawInitialColour(colour=colour or past, entered=bool(colour))]

        return self._run(lambda _: [DrawInitialColour(colour=lot, entered=bool(colour))], by=by, again=again)

    def draw_lots(self, players: Sequence[int | str] = (), *, by_hand: bool = False, by: Person) -> Done:
        """Draw lots among tied players, once for all; among all who share a place if none are named.

        A player is named by id, or as people type it. By hand, the best comes first.
        """
        need_type("players", players, list[Seat])

        def groups(state: State) -> list[list[int]]:
            if not players:
                return tied_players(state)
            now = self._moment(state)
            named = [one if isinstance(one, int) else now.player(one) for one in players]
            need_tied(now.history, named)
            return [named]

        def draw(state: State) -> Sequence[Command]:
            drawn = groups(state)
            if not by_hand:
                for group in drawn:
                    by.lots.shuffle(group)
            return [DrawLots(players=tuple(group), by_hand=by_hand) for group in drawn]

        def again(state: State, first: tuple[Event, ...]) -> Sequence[Command]:
            past = {frozenset(fact.players): fact.players for fact in first if isinstance(fact, LotsDrawn)}
            orders = [tuple(group) for group in groups(state)]
            if not by_hand:
                orders = [past.get(frozenset(order), order) for order in orders]
            return [DrawLots(players=order, by_hand=by_hand) for order in orders]

        return self._run(draw, by=by, again=again)

    # How it is done

    def _run(self, commands: Commands, *, by: Person, again: Again | None = None) -> Done:
        """Carry out what a request comes to on the state it meets; the store may ask for it again."""
        asked: Sequence[Command] = ()

        def ask(state: State) -> Sequence[Command]:
            nonlocal asked
            asked = commands(state)
            return asked

        need_person(by)
        request = Request(by.meta(), ask, again, by.signer.sign_bytes if by.signer else None)
        try:
            answer = self._store.run(self.id, request, expected=by.expects)
        except IdTaken as taken:
            raise self._id_taken(taken) from None
        noted = answer.state.since_pairing and any(
            isinstance(one.fact, (*NOTED, ResultRecorded)) for one in answer.recorded
        )
        return Done(
            version=answer.state.version,
            repeated=answer.repeated,
            facts=answer.recorded,
            lines=tuple(log_lines(answer.recorded, answer.before)),
            accepted=tuple(accepted_in_words(answer.recorded, answer.state)),
            advice=advice_on_ratings(answer.recorded, answer.state),
            outdates=answer.state.paired if noted and outdated(answer.state) else 0,
            already=() if answer.repeated else tuple(already_recorded(asked, answer.before)),
        )

    def _id_taken(self, taken: IdTaken) -> IdTaken:
        """The same refusal, with what the id was used for in words."""
        lines = [line for line in log_lines(self.facts()) if line.version in taken.versions]
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        deed = f"fact {lines[0].version} of {lines[0].who}, {lines[0].when}: {lines[0].text}{more}"
        return IdTaken(taken.id, deed, taken.versions)

    def _paired(self, done: Done) -> Paired:
        """The answer with the round it paired, as that is now."""
        number = next(one.fact.round for one in done.facts if isinstance(one.fact, RoundPaired))
        now = self.now()
        made = now.boards(number)
        done = replace(done, advice=(*done.advice, *advice_on_round_1(now.history, made)))
        return Paired(**msgspec.structs.asdict(done), round=made)


CHECKED = (PairRound, EndManualPairing, DrawLots)
"""Commands that are held against the tournament as they meet it, after those before them."""


def check(command: Command, history: State) -> None:
    """What no deciding can know: the engine's boards, and which tie-breaks there are."""
    match command:
        case PairRound() | EndManualPairing():
            check_engine(history, command)
        case DrawLots(players=players):
            need_tied(history, players)
        case LeaveFideMode(filed=True):
            raise Invalid("only the import of a file says that FIDE mode was left there: leave it here")
        case ChangeRegulations(changes=changes) if isinstance(changes.tiebreaks, tuple):
            check_tiebreaks(changes.tiebreaks)
        case _:
            pass


def check_tiebreaks(codes: Sequence[str]) -> None:
    """Refuse a list that no standings could follow, before it is announced."""
    if codes:
        parse_list(",".join(codes))


def result_command(round: int, board: int, text: str) -> RecordResult | AdjournGame:
    """The command that enters a result as people write it."""
    if text.lower() in ADJOURNED:
        return AdjournGame(round=round, board=board)
    return RecordResult(round=round, board=board, outcome=parse_outcome(text))


def already_recorded(asked: Sequence[Command], before: State) -> Iterable[AlreadyRecorded]:
    """The results among these commands that stood on their boards before."""
    names = Names(before)
    for one in asked:
        if isinstance(one, RecordResult | AdjournGame):
            wanted = one.outcome if isinstance(one, RecordResult) else UNFINISHED
            known = before.rounds[one.round - 1].outcomes if one.round <= before.paired else ()
            if wanted in known[one.board - 1 : one.board]:
                words = f"{names.at(one.round, one.board)} {outcome_in_words(wanted)}"
                text = f"round {one.round} board {one.board}: {words}"
                yield AlreadyRecorded(round=one.round, board=one.board, text=text)


def tied_players(history: State) -> list[list[int]]:
    """Ids of those who share a place in the final standings, place by place."""
    if history.paired < history.regulations.rounds:
        raise NotNow(
            f"rounds paired so far: {history.paired} of {history.regulations.rounds}, places are still open: "
            "name the players among whom lots shall be drawn now"
        )
    if history.closed:
        raise NotNow("the tournament is closed: its final standings stand")
    need_results(history, "lots")
    groups = [[line.id for line in group] for group in ties_left(history)]
    if not groups:
        raise NotNow("nobody shares a place: there is nothing to draw lots for")
    return groups


def need_tied(history: State, players: Sequence[int]) -> None:
    """Refuse an order among players who do not share a place after the last finished round."""
    lines = {line.id: line for line in standings_after(history, last_finished(history))}
    if len({lines[id].points for id in players if id in lines}) > 1:
        scores = enumerated(f"{lines[id].name} {points(lines[id].points)}" for id in players if id in lines)
        raise NotNow(f"these players are not tied ({scores}): lots and rankings are for shared places")


RATES = (PlayerRegistered, PlayerDetailsCorrected, TournamentDetailsChanged)
"""Facts after which somebody may have a rating that does not count."""


def advice_on_ratings(facts: Iterable[Recorded], state: State) -> tuple[str, ...]:
    """That ratings are known and not used, to those who have just entered some."""
    if state.rounds or not any(isinstance(one.fact, RATES) for one in facts):
        return ()
    return tuple(filter(None, [unused_ratings(state).message]))


def accepted_in_words(facts: Iterable[Recorded], state: State) -> Iterable[str]:
    """The warnings that were accepted with these facts, each once, with the names of the players."""
    edition = state.regulations.edition if state.version else NEWEST
    for text in dict.fromkeys(text for one in facts for text in one.acknowledged):
        code, *players = text.partition(":")[2].split()
        words = meaning(code, edition) if code in CAUTIONS else code
        names = enumerated(Names(state).of(int(id[1:])) for id in players)
        yield f"{words} ({names})" if names else words
