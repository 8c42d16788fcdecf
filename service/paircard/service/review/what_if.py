"""What if: a branch of a tournament in memory, with other results from the start. Nothing is written.

Every later round is paired again from the branch for as long as its games are the ones that were
played: a game of the same two players keeps its result, each player their own, whatever the colours. The
first round in which others would have met ends the branch, for nobody knows how those games would have
gone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain import events
from paircard.domain.deciding.decision import board_of, round_of
from paircard.domain.errors import Duplicate
from paircard.domain.events import Board, Event, Recorded
from paircard.domain.rounds import CURRENT, RATING_REPORT, Round, turned
from paircard.domain.state import Tournament, evolve, state_after
from paircard.domain.values.results import Outcome
from paircard.projections.differences import Moved, moved_lines
from paircard.projections.standings.ranking import standings_after
from paircard.projections.views import snapshot_now, version_paired_from
from paircard.service.review.replay import PairingSheet, input_of, paired_again

Origin: TypeAlias = Literal["engine", "altered", "manual", "import"]
Pair = frozenset[int]
"""Two players, in any colours."""


class Supposed(msgspec.Struct, frozen=True, kw_only=True):
    """What is supposed of a board: another result, White's letter first as the board stands now, or other
    colours."""

    round: int
    board: int
    outcome: Outcome | None = None
    colours: bool = False


class BranchRound(msgspec.Struct, frozen=True, kw_only=True):
    """One round of the branch, and what the record has for it.

    What the supposition changes is told by the engine's two rounds; a hand may have altered the record's.
    """

    round: int
    recorded: PairingSheet | None
    """The boards on record; of a round to come, those the engine gives, None if there is no legal round."""
    engine: PairingSheet | None
    """The engine's boards from the record as it is."""
    branch: PairingSheet | None
    """The engine's boards from the branch."""
    changed: int
    """Boards of the branch, the bye among them, that the engine's round from the record has not."""
    origin: Origin = "engine"
    """Whose boards are on record: the engine's, ``altered`` by hand, ``manual``, or from an ``import``."""
    to_come: bool = False
    """The round is not paired yet."""

    @property
    def same(self) -> bool:
        """Whether the supposition changes nothing in the round."""
        return set(seats(self.engine)) == set(seats(self.branch))

    @property
    def by_hand(self) -> tuple[Board, ...]:
        """Boards on record, the bye among them, that are not the engine's."""
        return tuple(board for board in seats(self.recorded) if board not in seats(self.engine))

    def mark(self, board: Board) -> str:
        """Why a board on record is not the engine's: the origin of the round; in one of the engine's,
        ``colours`` or ``played`` for colours or boards corrected later. Empty for a board of the engine's."""
        if board not in self.by_hand:
            return ""
        if self.origin != "engine":
            return self.origin
        return "colours" if board[::-1] in seats(self.engine) else "played"


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """What would have been different."""

    supposed: tuple[Supposed, ...]
    rounds: tuple[BranchRound, ...]
    """Every round that could be paired again, up to the first that seats other players together."""
    differs: int
    """The first round that would have differed; 0 for none."""
    unknown: int
    """The first round of which nothing can be said, for games were not played; 0 for none."""
    after: int
    standings: tuple[Moved, ...]
    """Standings after that round with the supposed results, the rounds as they were played."""

    @property
    def changed(self) -> tuple[BranchRound, ...]:
        """Rounds that were paired and would have been different."""
        return tuple(one for one in self.rounds if not one.same and not one.to_come)


def what_if(
    log: Sequence[Recorded], supposed: Sequence[Supposed], played: events.BoardsCorrected | None = None
) -> WhatIf:
    """Suppose results or colours, or the boards of a round as played, from the start; pair every later round
    again."""
    recorded = standings_after(state_after(log))
    if played is not None:
        log = seated_as_played(log, played)
    whole = state_after(log)
    wanted = {pair_at(whole, one): one for one in supposed}
    need_news(whole, supposed)
    flips: defaultdict[int, frozenset[Pair]] = defaultdict(frozenset)
    for (round, pair), one in wanted.items():
        if one.colours:
            flips[round] |= {pair}
    as_played = suppose(log, whole, wanted, flips)
    made: list[BranchRound] = []
    first = min([one.round for one in supposed] + ([played.round] if played else []))
    unknown = 0
    for paired in whole.rounds[first:]:
        facts = suppose(log, whole, wanted, flips)
        seen = state_after(facts[: version_paired_from(paired)])
        number, recorded_as = paired.number, PairingSheet(paired.boards, paired.pab)
        branch, _ = paired_again(input_of(seen, paired.fact))
        ours, origin = engines(log, paired), paired.origin
        if origin == "engine" and paired.altered:
            origin = "altered"
        made.append(compared(ours, branch, round=number, recorded=recorded_as, origin=origin))
        if not made[-1].same:
            exchanged = colours_alone(made[-1])
            if exchanged is None:
                unknown = number + 1 if number < whole.paired else 0
                break
            flips[number] |= exchanged
    else:
        if to_come := next_round(whole, state_after(suppose(log, whole, wanted, flips))):
            made.append(to_come)
    return WhatIf(
        supposed=tuple(supposed),
        rounds=tuple(made),
        differs=next((each.round for each in made if not each.same), 0),
        unknown=unknown,
        after=whole.paired,
        standings=moved_lines(recorded, standings_after(state_after(as_played))),
    )


def pair_at(whole: Tournament, one: Supposed) -> tuple[int, Pair]:
    """Round and players of a board; refuses one that does not exist."""
    game = board_of(round_of(whole, one.round), one.board)
    return one.round, frozenset((game.white, game.black))


def need_news(whole: Tournament, supposed: Sequence[Supposed]) -> None:
    """Refuse a supposition that is already so."""
    for one in supposed:
        game = whole.rounds[one.round - 1].games()[one.board - 1]
        if not one.colours and one.outcome == Outcome(game.white_letter, game.black_letter):
            raise Duplicate("nothing-to-suppose", board=one.board, round=one.round)


def suppose(
    log: Sequence[Recorded],
    whole: Tournament,
    wanted: Mapping[tuple[int, Pair], Supposed],
    flips: Mapping[int, frozenset[Pair]],
) -> list[Recorded]:
    """The log with the supposed results in place of the recorded ones and some colours exchanged.

    Fact by fact it is as long as the log, so versions mean the same in both.
    """
    boards: dict[int, list[Board]] = {}
    supposed = {key: one for key, one in wanted.items() if one.outcome is not None}
    waiting = dict(supposed)
    facts: list[Recorded] = []
    for recorded in log:
        fact = exchanged(recorded.fact, flips, boards)
        match fact:
            case events.RoundUnpaired(round=round):  # its results went with it
                waiting |= {key: one for key, one in supposed.items() if key[0] == round}
            case events.ResultCleared(round=round, board=board):
                key = round, frozenset(boards[round][board - 1])
                waiting |= {key: supposed[key]} if key in supposed else {}
            case (
                events.RoundPaired(round=round, boards=now) | events.PairingsAltered(round=round, boards=now)
            ):
                boards[round] = list(now)
            case events.ColoursCorrected(round=round, board=board, white=white, black=black, scope=scope):
                if scope != "rating-report-only":
                    boards[round][board - 1] = (white, black)
            case events.BoardsCorrected(round=round, scope=scope):
                if scope != "rating-report-only":
                    fact = with_supposed(fact, whole, supposed)
                    for seats in fact.boards:
                        boards[round][seats.board - 1] = (seats.white, seats.black)
                        waiting.pop((round, frozenset((seats.white, seats.black))), None)
            case (
                events.ResultRecorded(round=round, board=board)
                | events.GameAdjourned(round=round, board=board)
                | events.ResultCorrected(round=round, board=board)
            ):
                key = round, frozenset(boards[round][board - 1])
                if key in supposed:
                    waiting.pop(key, None)
                    outcome = seen_from(whole, supposed[key], boards[round][board - 1][0])
                    fact = events.ResultRecorded(round=round, board=board, outcome=outcome)
        facts.append(replace(recorded, fact=fact))
    for (round, pair), one in waiting.items():  # games without a result so far
        board = next(n for n, seats in enumerate(boards[round], 1) if frozenset(seats) == pair)
        outcome = seen_from(whole, one, boards[round][board - 1][0])
        last = log[-1]
        facts.append(replace(last, fact=events.ResultRecorded(round=round, board=board, outcome=outcome)))
    return facts


def with_supposed(
    fact: events.BoardsCorrected, whole: Tournament, supposed: Mapping[tuple[int, Pair], Supposed]
) -> events.BoardsCorrected:
    """Boards as they were played, with the supposed results of those who met there."""
    found = []
    for one in fact.boards:
        wanted = supposed.get((fact.round, frozenset((one.white, one.black))))
        found.append(replace(one, outcome=seen_from(whole, wanted, one.white)) if wanted else one)
    return replace(fact, boards=tuple(found))


def other_way(one: events.Played) -> events.Played:
    """The game with White and Black exchanged."""
    return replace(one, white=one.black, black=one.white, outcome=one.outcome and turned(one.outcome))


def seated_as_played(log: Sequence[Recorded], played: events.BoardsCorrected) -> list[Recorded]:
    """The log as if a round had been paired as it was played, results included; fact by fact as long."""
    view = RATING_REPORT if played.scope == "rating-report-only" else CURRENT
    games = evolve(state_after(log), played).rounds[played.round - 1].games(view)
    seats = tuple((game.white, game.black) for game in games)
    facts = []
    for recorded in log:
        fact = recorded.fact
        if getattr(fact, "round", 0) == played.round:
            match fact:
                case events.RoundPaired() | events.PairingsAltered():
                    fact = replace(fact, boards=seats, pab=played.pab)
                case events.BoardsCorrected():
                    fact = replace(fact, boards=(), pab=played.pab, pab_was=played.pab)
                case (
                    events.ResultRecorded(board=board)
                    | events.ResultCleared(board=board)
                    | events.ResultCorrected(board=board)
                    | events.ColoursCorrected(board=board)
                ) if outcome := games[board - 1].outcome:
                    fact = events.ResultRecorded(round=played.round, board=board, outcome=outcome)
        facts.append(replace(recorded, fact=fact))
    return facts


def seen_from(whole: Tournament, one: Supposed, white: int) -> Outcome:
    """The supposed result with this player's letter first."""
    assert one.outcome is not None
    game = whole.rounds[one.round - 1].games()[one.board - 1]
    return one.outcome if game.white == white else turned(one.outcome)


def exchanged(fact: Event, flips: Mapping[int, frozenset[Pair]], boards: Mapping[int, list[Board]]) -> Event:
    """The fact with White and Black of some games the other way round; each player keeps their letter."""
    flipped = flips.get(getattr(fact, "round", 0), frozenset())
    if not flipped:
        return fact
    match fact:
        case events.RoundPaired() | events.PairingsAltered():
            turned_boards = tuple((b, w) if frozenset((w, b)) in flipped else (w, b) for w, b in fact.boards)
            return replace(fact, boards=turned_boards)
        case (
            events.ResultRecorded(round=round, board=board) | events.ResultCorrected(round=round, board=board)
        ):
            if frozenset(boards[round][board - 1]) in flipped:
                return replace(fact, outcome=turned(fact.outcome))
            return fact
        case events.ColoursCorrected(white=white, black=black) if frozenset((white, black)) in flipped:
            return replace(fact, white=black, black=white)
        case events.BoardsCorrected(boards=played):
            turn = [
                one if frozenset((one.white, one.black)) not in flipped else other_way(one) for one in played
            ]
            return replace(fact, boards=tuple(turn))
        case _:
            return fact


def engines(log: Sequence[Recorded], paired: Round) -> PairingSheet | None:
    """The engine's boards of a recorded round: on record if it paired, else made now."""
    fact = paired.fact
    if fact.origin == "engine":
        return PairingSheet(fact.boards, fact.pab)
    seen = state_after(log[: version_paired_from(paired)])
    return paired_again(input_of(seen, fact))[0]


def compared(engine: PairingSheet | None, branch: PairingSheet | None, **about: Any) -> BranchRound:
    """A round as the engine pairs it from the record and from the branch."""
    ours = seats(engine)
    changed = sum(board not in ours for board in seats(branch))
    return BranchRound(engine=engine, branch=branch, changed=changed, **about)


def seats(sheet: PairingSheet | None) -> list[Board]:
    """Boards, and the bye as one with nobody."""
    if sheet is None:
        return []
    return [*sheet.boards, (sheet.pab, 0)] if sheet.pab else [*sheet.boards]


def colours_alone(each: BranchRound) -> frozenset[Pair] | None:
    """Games whose colours alone differ; None if other players meet."""
    if each.engine is None or each.branch is None or each.engine.pab != each.branch.pab:
        return None
    ours, theirs = set(each.engine.boards), set(each.branch.boards)
    if {frozenset(board) for board in ours} != {frozenset(board) for board in theirs}:
        return None
    return frozenset(frozenset(board) for board in theirs - ours)


def next_round(record: Tournament, branch: Tournament) -> BranchRound | None:
    """The pairing to come, from the record and from the branch, once every game of the last round is in."""
    if is_last(record) or not record.paired or in_play(record) or in_play(branch):
        return None
    ours, theirs = (paired_again(snapshot_now(state))[0] for state in (record, branch))
    return compared(ours, theirs, round=record.paired + 1, recorded=ours, to_come=True)


def is_last(history: Tournament) -> bool:
    """Whether no round is to come."""
    return history.closed or history.paired >= history.regulations.rounds


def in_play(history: Tournament) -> bool:
    """Whether a game of the last round has neither a result nor been adjourned."""
    return any(not game.white_letter for game in history.rounds[-1].games())
