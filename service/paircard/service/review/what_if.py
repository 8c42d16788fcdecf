"""What if: a branch of a tournament in memory, with other results from the start; and what a correction, an
alteration or any commands would change before they are made. Nothing is written.

The window of a correction is decided by the moment it is reported (C.04.2:4.3), never by who reports it.

In a branch every later round is paired again from the branch for as long as its games are the ones that were
played: a game of the same two players keeps its result, each player their own, whatever the colours. The
first round in which others would have met ends the branch, for nobody knows how those games would have
gone.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain import events
from paircard.domain.commands import Command, CorrectBoards, CorrectColours, CorrectResult, Meta
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import board_of, round_of, signed
from paircard.domain.errors import Caution, Duplicate, NotNow
from paircard.domain.events import Board, Event, Recorded, Scope
from paircard.domain.messages import Message, say
from paircard.domain.rounds import ADJOURNED, CURRENT, RATING_REPORT, BoardHistory, Change, Game, Round
from paircard.domain.speaking import Remark, Speaker
from paircard.domain.state import Tournament, evolve, fold, state_after
from paircard.domain.values.results import Outcome
from paircard.projections.differences import Changed, Moved, difference, moved_lines
from paircard.projections.log_lines import LogLine, log_lines
from paircard.projections.prizes import changes
from paircard.projections.standings.standings import standings_after
from paircard.projections.trf.remarks import remarks
from paircard.projections.views import numbering, snapshot_now, version_paired_from
from paircard.service.pairing import Change as Exchange
from paircard.service.pairing import propose_change
from paircard.service.review.replay import PairingSheet, input_of, paired_again

Origin: TypeAlias = Literal["engine", "altered", "manual", "import"]
Pair = frozenset[int]
"""Two players, in any colours."""
Letters = tuple[tuple[int, str], ...]


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
    whole = state_after(log)
    branch = Branch(whole, supposed, played)
    made: list[BranchRound] = []
    unknown = 0
    for paired in whole.rounds[branch.first :]:
        seen = branch.of(state_after(log[: version_paired_from(paired)]))
        number, recorded = paired.number, PairingSheet(paired.boards, paired.pab)
        theirs, _ = paired_again(input_of(seen, paired.fact))
        ours, origin = engines(log, paired), paired.origin
        if origin == "engine" and paired.altered:
            origin = "altered"
        made.append(compared(ours, theirs, round=number, recorded=recorded, origin=origin))
        if not made[-1].same:
            exchanged = colours_alone(made[-1])
            if exchanged is None:
                unknown = number + 1 if number < whole.paired else 0
                break
            branch.turned[number] |= exchanged
    else:
        if to_come := next_round(whole, branch.of(whole)):
            made.append(to_come)
    as_supposed = Branch(whole, supposed, played).of(whole)
    return WhatIf(
        supposed=tuple(supposed),
        rounds=tuple(made),
        differs=next((each.round for each in made if not each.same), 0),
        unknown=unknown,
        after=whole.paired,
        standings=moved_lines(standings_after(whole), standings_after(as_supposed)),
    )


class Branch:
    """What is supposed of some boards, and how any earlier state of the tournament looks with it."""

    def __init__(
        self, whole: Tournament, supposed: Sequence[Supposed], played: events.BoardsCorrected | None
    ) -> None:
        """Refuses a board that does not exist, and what is already so."""
        self.first = min(
            [one.round for one in supposed] + ([played.round] if played else []), default=len(whole.rounds)
        )
        self.turned: defaultdict[int, frozenset[Pair]] = defaultdict(frozenset)
        """By round, the games whose colours are exchanged; each player keeps the result."""
        self._letters: defaultdict[int, dict[Pair, Letters]] = defaultdict(dict)
        self._whole, self._played = whole, played
        for one in supposed:
            game = board_of(round_of(whole, one.round), one.board)
            pair = frozenset((game.white, game.black))
            if one.colours:
                self.turned[one.round] |= {pair}
            elif one.outcome == game.outcome:
                raise Duplicate("nothing-to-suppose", board=one.board, round=one.round)
            if one.outcome is not None:
                self._letters[one.round][pair] = letters_of(game, one.outcome)

    def of(self, state: Tournament) -> Tournament:
        """The state as it would have been."""
        return replace(state, rounds=tuple(map(self._round, state.rounds)))

    def _round(self, round: Round) -> Round:
        number, boards = round.number, round.histories
        if self._played and self._played.round == number:
            known = evolve(self._whole, self._played).rounds[number - 1]
            view = RATING_REPORT if self._played.scope == "rating-report-only" else CURRENT
            told = {one.board for one in self._played.boards}
            boards = tuple(
                as_played(game) if at in told or {game.white, game.black} != set(board.seats()) else board
                for at, (board, game) in enumerate(zip(boards, known.games(view), strict=True), 1)
            )
            round = replace(round, bye=BoardHistory(known.bye.as_seen_by(view).white, 0))
        if number in self.turned or number in self._letters:
            boards = tuple(self._board(number, board) for board in boards)
        return replace(round, histories=boards)

    def _board(self, round: int, board: BoardHistory) -> BoardHistory:
        """What became known about the game of these two has always been the supposed result."""
        supposed, turned = self._letters[round], self.turned[round]

        def seated(white: int, black: int) -> Board:
            return (black, white) if frozenset((white, black)) in turned else (white, black)

        changes = []
        known = frozenset(board.seats()) not in supposed
        for change in board.changes:
            letters = supposed.get(frozenset(id for id, _ in change.letters))
            if letters is not None:
                change, known = replace(change, letters=letters, reason=""), True
            if change.colours is not None:
                change = replace(change, colours=seated(*change.colours))
            changes.append(change)
        if not known:  # a game without a result so far
            changes.append(Change(0, supposed[frozenset(board.seats())]))
        return BoardHistory(*seated(board.white, board.black), tuple(changes))


def as_played(game: Game) -> BoardHistory:
    """A board with what came of it; a result that is not known counts as a draw (C.04.2:3.1)."""
    return BoardHistory(game.white, game.black, (Change(0, letters_of(game, game.outcome or ADJOURNED)),))


def letters_of(game: Game, outcome: Outcome) -> Letters:
    """A result as each of the two players has it."""
    return (game.white, outcome.white), (game.black, outcome.black)


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


# --- a correction before it is made


Correction = CorrectResult | CorrectColours | CorrectBoards


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction would do. Nothing was written."""

    line: LogLine
    """The fact that would be recorded."""
    scope: Scope
    warnings: tuple[Caution, ...]
    """To be accepted when it is made."""
    standings: tuple[tuple[int, tuple[Moved, ...]], ...]
    """Rounds whose standings would change, with the lines that would."""
    next_round: BranchRound | None
    """The next pairing without and with the correction; None while it cannot be known."""
    next_note: str
    """Why it cannot, in English."""
    next_message: Message | None
    """Why it cannot, for every language."""
    stands: tuple[BranchRound, ...]
    """Paired rounds that would have been different, had it been known; they are not touched."""
    kept: tuple[Moved, ...]
    """Lines of the last standings that would be different if this had been known, and now stay."""
    remarks: tuple[str, ...]
    """Lines the report (TRF) would get, without their ###."""
    prizes: tuple[Remark, ...] = ()
    """What players would get otherwise, where prizes are announced."""


def preview(log: Sequence[Recorded], command: Correction) -> Preview:
    """What the correction would change if it were made now; refuses what would be refused."""
    before = state_after(log)
    decision = weigh(before, command)
    [fact] = decision.events
    assert isinstance(fact, events.Correction)
    drafted = [*log, draft(log, before.version + 1, fact, command)]
    after = state_after(drafted)
    moved = []
    rounds = range(fact.round, before.paired + 1)
    for round in rounds[-1:] if fact.scope == "standings" else rounds:
        lines = moved_lines(standings_after(before, round), standings_after(after, round))
        if lines:
            moved.append((round, lines))
    note = None
    if (to_come := next_round(before, after)) is None:
        note = say("no-round-to-come") if is_last(before) else say("round-not-over", round=before.paired)
    late = had_it_been_known(log, fact)
    numbers = numbering(after).by_id
    known = remarks(log, numbers)
    return Preview(
        line=list(log_lines(drafted))[-1],
        scope=fact.scope,
        warnings=decision.warnings,
        standings=tuple(moved),
        next_round=to_come,
        next_note=Speaker().say(note) if note else "",
        next_message=note,
        stands=late.changed if late else (),
        kept=late.standings if late and fact.scope == "rating-report-only" else (),
        remarks=tuple(line for line in remarks(drafted, numbers) if line not in known),
        prizes=changes(before, after),
    )


def draft(log: Sequence[Recorded], version: int, fact: Event, command: Command) -> Recorded:
    """A fact as it would be recorded, without its hash."""
    meta = command.meta
    return Recorded(
        tournament=log[0].tournament,
        version=version,
        fact=fact,
        who=meta.who,
        when=meta.when,
        why=meta.why,
        previous="",
        hash="",
    )


def had_it_been_known(log: Sequence[Recorded], fact: events.Correction) -> WhatIf | None:
    """The branch in which it was right from the start: what the rules now let stand."""
    if isinstance(fact, events.BoardsCorrected):
        return what_if(log, (), fact)
    outcome = fact.outcome if isinstance(fact, events.ResultCorrected) else None
    one = Supposed(round=fact.round, board=fact.board, outcome=outcome, colours=outcome is None)
    try:
        return what_if(log, (one,))
    except Duplicate:  # a correction of the rating report back to what the standings have
        return None


# --- an alteration: the boards it gives, those of the engine, and every breach


class Alteration(msgspec.Struct, frozen=True, kw_only=True):
    """What an alteration would do. Nothing was written."""

    round: int
    boards: PairingSheet
    engine: PairingSheet
    """As the engine paired the round."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is made."""


def preview_alteration(history: Tournament, change: Exchange, one: int, other: int, meta: Meta) -> Alteration:
    """The boards an alteration of the last round would give; refuses what would be refused."""
    begin, end = propose_change(history, change, one, other)
    begun = weigh(history, signed(begin, meta))
    decision = weigh(fold(begun.events, history), signed(end, meta))
    fact = decision.events[0]
    if not isinstance(fact, events.PairingsAltered):
        raise NotNow("boards-there", round=end.round)
    return Alteration(
        round=fact.round,
        boards=PairingSheet(fact.boards, fact.pab),
        engine=PairingSheet(fact.engine_boards, fact.engine_pab),
        warnings=decision.warnings,
    )


# --- any commands: the facts they would give, and what would change


class Rehearsal(Changed, frozen=True, kw_only=True):
    """What commands would do."""

    version: int
    """Of the tournament they were tried on."""
    lines: tuple[LogLine, ...]
    """The facts that would be recorded, in words."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is done."""


def rehearse(log: Sequence[Recorded], commands: Sequence[Command]) -> Rehearsal:
    """Try signed commands on a log; refuses what would be refused, except warnings, which are reported."""
    state = fold([recorded.fact for recorded in log])
    would_be = list(log)
    warnings: list[Caution] = []
    for command in commands:
        decision = weigh(state, command)
        warnings += decision.warnings
        for fact in decision.events:
            state = evolve(state, fact)
            would_be.append(draft(log, state.version, fact, command))
    found = difference(would_be, len(log), len(would_be))
    return Rehearsal(
        version=len(log),
        lines=found.facts,
        warnings=tuple(warnings),
        **{name: getattr(found, name) for name in Changed.__struct_fields__},
    )
