"""Pairing a round: what is known, the engine's answer, the command that records it, the desk that asks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import (
    BeginManualPairing,
    Command,
    CorrectBoards,
    EndManualPairing,
    PairRound,
    PublishRound,
)
from paircard.domain.deciding.boards import exchanged, paired_together
from paircard.domain.deciding.decider import SYSTEMS, System
from paircard.domain.deciding.decision import need_type, round_of
from paircard.domain.errors import Duplicate, IllegalPairing, Invalid, NotNow
from paircard.domain.events import Board, Played, RoundPaired
from paircard.domain.log.request import Commands
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Remark
from paircard.domain.state import Tournament, entered
from paircard.domain.values.regulations import rounds_for
from paircard.domain.values.results import parse_outcome
from paircard.domain.values.rules import RULES
from paircard.pairing import NoLegalRound, PairingError
from paircard.pairing.engines import ENGINES
from paircard.projections.log_lines import remark_on
from paircard.projections.round.crosstable import scores_before
from paircard.projections.round.snapshot import Snapshot, in_board_order
from paircard.projections.views import numbers_for_pairing, snapshot_now, table_as_paired, table_for_pairing
from paircard.service.desk import Desk, Done, Person, done_with
from paircard.service.finding import PlayerMeant, Roster, find_player
from paircard.service.pairing_sheets import Round, people_on_sheet, view_round

Seats: TypeAlias = tuple[PlayerMeant, PlayerMeant]
"""White and Black of a board."""
PlayedBoard: TypeAlias = tuple[PlayerMeant, PlayerMeant] | tuple[PlayerMeant, PlayerMeant, str]
"""White, Black and the result of a board as it was played; the result may be left out if it is on record."""
UNNUMBERED = 10_000
"""Stands for the number of a player who has none yet: after everybody else."""
Change: TypeAlias = Literal["swap", "pair"]
"""What two players of a round do: change seats, or meet."""


def propose_round(history: Tournament, round: int | None = None) -> PairRound:
    """The command that records the engine's next round; refuses what deciding would refuse after it."""
    number = history.paired + 1 if round is None else round
    system_of(history).need_pairable(history, number)
    return engines_round(history, number)


def engines_round(history: Tournament, round: int) -> PairRound:
    """The command that records the engine's boards of a round."""
    snapshot = snapshot_now(history, round)
    boards, pab = engine_round(snapshot)
    return PairRound(
        round=round,
        boards=boards,
        pab=pab,
        based_on=history.version,
        snapshot=snapshot.digest(),
        engine=ENGINES[snapshot.edition].name,
    )


def propose_schedule(history: Tournament) -> list[Command]:
    """The commands that pair and publish all rounds of a table, made from the numbers as they were drawn."""
    if not RULES[history.regulations.edition].known_at_once:
        raise Invalid("schedule-of-a-swiss")
    if history.paired < 1 or history.paired < history.regulations.rounds:
        system_of(history).need_pairable(history, history.paired + 1)
    commands: list[Command] = [PublishRound(round=one.number) for one in history.rounds if not one.published]
    last = rounds_for(history.regulations, len(history.order))
    for number in range(history.paired + 1, last + 1):
        commands += [engines_round(history, number), PublishRound(round=number)]
    if not commands:
        raise Duplicate("schedule-stands", rounds=last)
    return commands


def system_of(history: Tournament) -> System:
    """The pairing system of a tournament."""
    return SYSTEMS[RULES[history.regulations.edition].family]


def propose_boards(
    history: Tournament, round: int | None, boards: Sequence[Seats], pab: PlayerMeant = 0
) -> tuple[BeginManualPairing, EndManualPairing]:
    """The commands that record boards made elsewhere: a manual pairing, compared with the engine's."""
    number = history.paired + 1 if round is None else round
    system_of(history).need_pairable(history, number)
    if not boards:
        raise Invalid("no-boards-given", round=number)
    found, bye = find_seats(history, number, boards, pab)
    command = EndManualPairing(round=number, boards=found, pab=bye, based_on=history.version + 1)
    return BeginManualPairing(round=number), with_opinion(history, command)


def propose_alteration(
    history: Tournament, round: int, boards: Sequence[Seats] | None, pab: PlayerMeant = 0
) -> EndManualPairing:
    """The command that ends a manual pairing with these boards, and records the engine's.

    None gives up: a round that is paired stays as it is, one that is not stays unpaired.
    """
    if boards is None and round > history.paired:
        return EndManualPairing(round=round, boards=())
    if boards is None:
        past = round_of(history, round)
        found, bye = past.boards, past.pab
    else:
        found, bye = find_seats(history, round, boards, pab)
    command = EndManualPairing(round=round, boards=found, pab=bye, based_on=history.version)
    return command if round <= history.paired else with_opinion(history, command)


def propose_change(
    history: Tournament, change: Change, one: PlayerMeant, other: PlayerMeant
) -> tuple[BeginManualPairing, EndManualPairing]:
    """The commands that let two players of the last round change seats, or meet, the first with White."""
    last = round_of(history, history.paired or 1)
    make = exchanged if change == "swap" else paired_together
    sheet = sheet_of(history, last.number)
    seats = seat_of(sheet, one), seat_of(sheet, other)
    if seats[0] == seats[1]:
        raise Invalid("meets-themself")
    boards, pab = make(last.boards, last.pab, *seats)
    if set(boards) == set(last.boards):
        raise NotNow("seated-so")
    boards = in_order(history, last.number, boards)
    end = EndManualPairing(round=last.number, boards=boards, pab=pab)
    return BeginManualPairing(round=last.number), end


def propose_boards_as_played(
    history: Tournament, round: int, boards: Mapping[int, PlayedBoard], pab: PlayerMeant = 0
) -> CorrectBoards:
    """The command that puts on record who really met in a round."""
    round_of(history, round)
    sheet = sheet_of(history, round)
    played = []
    for board, (white, black, *given) in boards.items():
        outcome = parse_outcome(given[0]) if given and given[0] else None
        seats = seat_of(sheet, white), seat_of(sheet, black)
        played.append(Played(board=board, white=seats[0], black=seats[1], outcome=outcome))
    return CorrectBoards(round=round, boards=tuple(played), pab=seat_of(sheet, pab) if pab else 0)


def propose_exchange_as_played(
    history: Tournament, round: int, one: int, other: int, results: tuple[str, str]
) -> CorrectBoards:
    """The command that puts on record that two players of a round sat in each other's seats, with the results
    of the first one's game and of the second one's."""
    past = round_of(history, round)
    boards, pab = exchanged(past.boards, past.pab, one, other)
    played: dict[int, PlayedBoard] = {}
    for at, (now, was) in enumerate(zip(boards, past.boards, strict=True), start=1):
        if {one, other} <= set(now):
            played[at] = now  # colours alone: each keeps their own result
        elif now != was:
            played[at] = (*now, results[0] if one in now else results[1])
    return propose_boards_as_played(history, round, played, pab if pab != past.pab else 0)


def find_seats(
    history: Tournament, round: int, boards: Sequence[Seats], pab: PlayerMeant
) -> tuple[tuple[Board, ...], int]:
    """Boards in the order of publication and the bye, as ids."""
    sheet = sheet_of(history, round)
    found = tuple((seat_of(sheet, white), seat_of(sheet, black)) for white, black in boards)
    return in_order(history, round, found), seat_of(sheet, pab) if pab else 0


def sheet_of(history: Tournament, round: int) -> Roster:
    """The players by the numbers on the sheet of a round, whatever was renumbered since it was paired."""
    numbers = numbers_for_pairing(history)
    if round <= history.paired:
        printed = dict(round_of(history, round).numbers)
        taken = set(printed.values())
        numbers = printed | {
            id: number for id, number in numbers.items() if id not in printed and number not in taken
        }
    names = {player.id: player.details.name for player in entered(history)}
    return Roster(names=names, numbers=numbers)


def seat_of(sheet: Roster, seat: PlayerMeant) -> int:
    """The id of a player who is named by it, or as people type it."""
    return seat if isinstance(seat, int) else find_player(sheet, seat)


def in_order(history: Tournament, round: int, boards: tuple[Board, ...]) -> tuple[Board, ...]:
    """Boards by hand in the order of publication (C.04.2:3.6); on a published sheet they stay in place."""
    if round <= history.paired and history.rounds[round - 1].published:
        return boards
    if not RULES[history.regulations.edition].boards_by_score:
        return boards
    table = table_as_paired(history, round) if round <= history.paired else table_for_pairing(history)
    scores = scores_before(table, round)
    ranks = {row.id: (scores[row.id], row.number or UNNUMBERED) for row in table.rows}
    if not all(id in ranks for board in boards for id in board):
        return boards  # deciding refuses them
    return tuple(in_board_order(boards, ranks))


def with_opinion(history: Tournament, command: EndManualPairing) -> EndManualPairing:
    """The arbiter's boards of a round not yet paired, with what the engine gives for it.

    An engine has no opinion on rounds that were announced to be made by hand.
    """
    if history.regulations.table == "hand":
        return command
    snapshot = snapshot_now(history)
    boards, pab = engines_opinion(snapshot)
    engine = ENGINES[snapshot.edition].name
    return replace(command, engine_boards=boards, engine_pab=pab, engine=engine, snapshot=snapshot.digest())


def check_engine(history: Tournament, command: PairRound | EndManualPairing) -> None:
    """Refuse boards under an engine's name that our engine does not give.

    A decision on an older version is left to deciding, which refuses it as stale.
    """
    if isinstance(command, PairRound):
        if command.origin != "engine":
            return
        claimed, ours = (command.boards, command.pab), engine_round
    else:
        claimed, ours = (command.engine_boards, command.engine_pab), engines_opinion
        if command.round <= history.paired and any(claimed):
            raise IllegalPairing("engine-on-record", round=command.round)
        given_up = not command.boards and not any(claimed)
        if given_up or history.regulations.table == "hand":
            return
    stale = command.based_on not in (0, history.version)
    ages = not RULES[history.regulations.edition].known_at_once
    if (stale and ages) or command.round != history.paired + 1:
        return
    snapshot = snapshot_now(history)
    engine = ENGINES[snapshot.edition].name
    if command.engine != engine:
        raise IllegalPairing("other-engine", round=command.round, value=command.engine[:40], engine=engine)
    if command.snapshot != snapshot.digest():
        raise IllegalPairing("other-snapshot", round=command.round, version=history.version)
    if claimed != ours(snapshot):
        raise IllegalPairing("not-the-engines", engine=engine, round=command.round)


def engines_opinion(snapshot: Snapshot) -> tuple[tuple[Board, ...], int]:
    """The engine's boards and bye, recorded with the arbiter's; none where the rules give no round."""
    try:
        return engine_round(snapshot)
    except NoLegalRound:
        return (), 0


def advice_on_round_1(history: Tournament, first: Round) -> tuple[Remark, ...]:
    """What may be regretted later, said while the pairing of round 1 can still be taken back."""
    if first.round != 1:
        return ()
    said = [] if history.regulations.tiebreaks else [say("pairing.advice.no-tiebreaks")]
    if not RULES[history.regulations.edition].known_at_once:  # else strength and rounds decide nothing
        said += [*advice_on_strength(first), *advice_on_rounds(first)]
    return tuple(remark_on(history, one) for one in said)


def advice_on_strength(first: Round) -> Iterator[Message]:
    """Whose place in the initial order rests on no measure of strength (C.04.2:2.1)."""
    playing = [seat for board in first.boards for seat in (board.white, board.black)]
    playing += [first.pab] if first.pab else []
    unrated = [seat.id for seat in playing if not seat.rating]
    if unrated and len(unrated) == len(playing):
        yield say("pairing.advice.nobody-rated")
    elif unrated:
        shown = unrated if len(unrated) <= 6 else unrated[:5]
        yield say("pairing.advice.unrated", players=shown, count=len(unrated) - len(shown))


def advice_on_rounds(first: Round) -> Iterator[Message]:
    """What the number of rounds may lead to."""
    players, rounds = 2 * len(first.boards) + (first.pab is not None), first.rounds
    if players < 2:
        return
    enough = (players - 1).bit_length()
    # two groups of odd size in which everybody has met everybody of the other group cannot be paired
    half = (players + 1) // 2
    smaller = half if half % 2 else half - 1
    if rounds < enough:
        yield say("pairing.advice.few-rounds", entered=players, rounds=rounds, least=enough)
    elif rounds > 2 * half - smaller:
        yield say("pairing.advice.many-rounds", entered=players, rounds=rounds)


def engine_round(snapshot: Snapshot) -> tuple[tuple[Board, ...], int]:
    """The engine's boards in published order and its bye, or a refusal that says what can be done."""
    if snapshot.by_hand:
        raise NotNow("boards-by-hand", round=snapshot.round)
    try:
        pairing = ENGINES[snapshot.edition].pair(snapshot)
    except NoLegalRound as none:
        refusal = NoLegalRound("pairing.no-legal-pairing", round=snapshot.round, what=none.said)
        refusal.players, refusal.round = none.players, snapshot.round
        raise refusal from None
    except PairingError as wrong:
        raise NotNow("pairing.not-pairable", round=snapshot.round, what=wrong.said) from None
    return tuple((board.white, board.black) for board in pairing.boards), pairing.pab


# --- the desk that pairs: what needs the engine as well as the log, and no view of the tournament


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
        """End it with these boards and record the engine's, too; None gives up."""
        need_type("round", round, int)
        need_type("boards", boards, list[Seats] | None)
        need_type("pab", pab, PlayerMeant)
        return self._run(lambda state: [propose_alteration(state, round, boards, pab)], by=by)

    def _paired(self, commands: Commands, *, by: Person) -> Paired:
        """What came of pairing, with the round as that is now."""
        answer = self._answer(commands, by=by)
        number = next(one.fact.round for one in answer.recorded if isinstance(one.fact, RoundPaired))
        made = view_round(answer.state, number, people_on_sheet(answer.state, number))
        done = done_with(answer)
        remarks = (*done.remarks, *advice_on_round_1(answer.state, made))
        done = replace(done, remarks=remarks, advice=tuple(one.text for one in remarks))
        return Paired(**msgspec.structs.asdict(done), round=made)
