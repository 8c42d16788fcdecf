"""The state of a tournament: what deciding needs to know, folded from its facts.

Everything here is immutable, so a state can be cached, shared and compared. ``evolve`` never refuses.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Final, assert_never

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.events import (
    Board,
    ByeGranted,
    ByeRevoked,
    Cause,
    ColoursCorrected,
    Event,
    ExternalTiebreakSet,
    FideModeLeft,
    GameAdjourned,
    InitialColourDrawn,
    LotsDrawn,
    ManualPairingBegun,
    ManualPairingEnded,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PairingProhibited,
    PairingsAltered,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerRegistered,
    PlayerReturned,
    PlayerWithdrawn,
    RatingCorrected,
    RatingListed,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
    TournamentClosed,
    TournamentDetailsChanged,
    TournamentImported,
    TournamentOpened,
)
from paircard.domain.values.players import Changes, Details, corrected
from paircard.domain.values.regulations import Regulations, changed
from paircard.domain.values.results import Outcome

ADJOURNED: Final = Outcome("?", "?")
"""Stands in a board's place until the result is known; a draw for pairing (C.04.2:3.1)."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A person in the tournament."""

    id: int
    details: Details
    status: str = ""
    """Empty, ``withdrawn`` or ``expelled``."""
    missed: str = ""
    """Letters of the rounds paired before a late entry."""
    byes: tuple[tuple[int, str], ...] = ()
    """Round and letter of the byes on record, by round."""
    ranked_by: Details | None = None
    """The data that gave the player their place in the order; None before they have one."""
    ratings: tuple[tuple[int, int], ...] = ()
    """Further ratings: the first round each belongs to, and the rating, by round."""
    order_rating: int | None = None
    """The rating the order rests on, if one corrected for the rating report alone is shown instead."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round."""

    number: int
    boards: tuple[Board, ...]
    pab: int
    absent: tuple[tuple[int, str], ...]
    outcomes: tuple[Outcome | None, ...]
    """What counts for pairings and standings, by board."""
    origin: str
    engine_boards: tuple[Board, ...] = ()
    engine_pab: int = 0
    published: bool = False
    completed: bool = False
    report: tuple[tuple[int, Outcome], ...] = ()
    """Boards whose result differs in the rating report alone, White's letter first as the report has the
    colours (C.04.2:4.3)."""
    report_colours: frozenset[int] = frozenset()
    """Boards whose colours differ in the rating report alone."""
    adjourned_at: tuple[tuple[int, int], ...] = ()
    """Board and version of each adjournment."""
    late: tuple[tuple[int, int], ...] = ()
    """Board of an adjourned game, and how many rounds were paired when its result came."""
    completed_at: int = 0
    """Version of the fact that ended the round."""
    order_before: tuple[int, ...] | None = None
    """The order before this round was paired, if that made another; None if not."""
    based_on: int = 0
    """Version the pairing was made from: facts between it and the pairing were made by it."""


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament after some prefix of its log."""

    version: int = 0
    """Facts so far."""
    regulations: Regulations | None = None
    """None before the tournament is opened."""
    imported: bool = False
    fide_mode: bool = True
    closed: bool = False
    players: tuple[Player, ...] = ()
    """By id: player 1 first."""
    order: tuple[int, ...] = ()
    """Ids in the order numbers are counted from; may lack late entries until the next pairing."""
    order_before: tuple[int, ...] = ()
    order_at: int = 0
    """The order in force until the last one was made, and the version at which that was."""
    frozen: bool = False
    """Round 4 is paired (C.04.2:2.3)."""
    initial_colour: str = ""
    prohibitions: tuple[PairingProhibited, ...] = ()
    rounds: tuple[Round, ...] = ()
    manual: int = 0
    """The round in the arbiter's hands, 0 for none."""
    lots: tuple[tuple[int, ...], ...] = ()
    seen: tuple[frozenset[str], ...] = ()
    """Ids of the commands so far, in blocks that double in size: cheap to extend without a copy."""

    @property
    def paired(self) -> int:
        """Rounds paired so far."""
        return len(self.rounds)

    def knows(self, command_id: str) -> bool:
        """Whether the command was carried out before."""
        return any(command_id in block for block in self.seen)


NOTHING: Final = Tournament()
"""Before the first fact."""


def fold(events: Iterable[Event], state: Tournament = NOTHING) -> Tournament:
    """The state after these facts; results, which are most of any log, are taken in by the round."""
    for number, run in groupby(events, key=_round_of_result):
        if number:
            state = _with_results(state, number, run)
        else:
            for event in run:
                state = evolve(state, event)
    return state


def _round_of_result(event: Event) -> int:
    return event.round if type(event) is ResultRecorded else 0


def _with_results(state: Tournament, number: int, results: Iterable[Event]) -> Tournament:
    """What evolving result by result comes to, without a copy of the round for each."""
    round = state.rounds[number - 1]
    outcomes = list(round.outcomes)
    late = round.late
    version = state.version
    for event in results:
        assert isinstance(event, ResultRecorded)
        if outcomes[event.board - 1] == ADJOURNED:
            late += ((event.board, len(state.rounds)),)
        outcomes[event.board - 1] = event.outcome
        version += 1
    return _with_round(state, version, replace(round, outcomes=tuple(outcomes), late=late))


def accept(state: Tournament, recorded: Recorded) -> Tournament:
    """The state after a fact in its envelope: also remembers the command."""
    return remember(evolve(state, recorded.fact), (recorded.command_id,))


def remember(state: Tournament, command_ids: Iterable[str]) -> Tournament:
    """The state with these commands carried out; however they come, the blocks are the same."""
    new = list(dict.fromkeys(filter(None, command_ids)))
    seen = state.seen
    if not seen:  # a whole log at once: its blocks are the binary digits of its length
        for digit in range(len(new).bit_length() - 1, -1, -1):
            if len(new) & 1 << digit:
                seen += (frozenset(new[: 1 << digit]),)
                new = new[1 << digit :]
        return replace(state, seen=seen)
    for id in new:
        if not state.knows(id):
            block = frozenset((id,))
            while seen and len(seen[-1]) == len(block):
                block |= seen[-1]
                seen = seen[:-1]
            seen = (*seen, block)
    return replace(state, seen=seen)


def evolve(state: Tournament, event: Event) -> Tournament:
    """The state after one more fact."""
    version = state.version + 1
    match event:
        case ResultRecorded(round=number):
            return _with_results(state, number, (event,))
        case PlayerRegistered(player=id, details=details, missed=missed):
            player = Player(id=id, details=details, missed=missed)
            return replace(state, version=version, players=(*state.players, player))
        case GameAdjourned(round=number, board=board):
            state = _with_outcome(state, version, number, board, ADJOURNED)
            round = state.rounds[number - 1]
            adjourned_at = (*round.adjourned_at, (board, version))
            return _with_round(state, version, replace(round, adjourned_at=adjourned_at))
        case ResultCorrected(round=number, board=board, outcome=outcome, scope=scope):
            if scope != "rating-report-only":
                return _with_outcome(state, version, number, board, outcome)
            round = state.rounds[number - 1]
            others = tuple(entry for entry in round.report if entry[0] != board)
            report = tuple(sorted((*others, (board, outcome)), key=lambda entry: entry[0]))
            return _with_round(state, version, replace(round, report=report))
        case ColoursCorrected(round=number, board=board, scope=scope):
            round = state.rounds[number - 1]
            if scope == "rating-report-only":
                report = tuple((n, turned(o) if n == board else o) for n, o in round.report)
                round = replace(round, report=report, report_colours=round.report_colours ^ {board})
            else:
                round = _with_colours_exchanged(round, board)
            return _with_round(state, version, round)
        case ByeGranted(player=id, round=number, letter=letter):
            player = state.players[id - 1]
            byes = tuple(sorted((*player.byes, (number, letter))))
            return _with_player(state, version, replace(player, byes=byes))
        case ByeRevoked(player=id, round=number):
            player = state.players[id - 1]
            byes = tuple(bye for bye in player.byes if bye[0] != number)
            return _with_player(state, version, replace(player, byes=byes))
        case PlayerDetailsCorrected(player=id, changes=changes):
            player = state.players[id - 1]
            if changes.rating is not UNSET:
                player = replace(player, order_rating=None)
            player = replace(player, details=corrected(player.details, changes))
            return _with_player(state, version, player)
        case RatingCorrected(player=id, rating=rating):
            player = state.players[id - 1]
            order_rating = player.details.rating if player.order_rating is None else player.order_rating
            details = corrected(player.details, Changes(rating=rating))
            return _with_player(state, version, replace(player, details=details, order_rating=order_rating))
        case RatingListed(player=id, rating=rating, first=first):
            player = state.players[id - 1]
            ratings = tuple(sorted((dict(player.ratings) | {first: rating}).items()))
            return _with_player(state, version, replace(player, ratings=ratings))
        case PlayerWithdrawn(player=id):
            return _with_player(state, version, replace(state.players[id - 1], status="withdrawn"))
        case PlayerReturned(player=id):
            return _with_player(state, version, replace(state.players[id - 1], status=""))
        case PlayerExpelled(player=id):
            return _with_player(state, version, replace(state.players[id - 1], status="expelled"))
        case RoundPaired():
            round = _paired(event)
            if state.order_at > event.based_on:
                round = replace(round, order_before=state.order_before)
            return replace(state, version=version, rounds=(*state.rounds, round))
        case PairingsAltered(round=number):
            return _with_round(state, version, _altered(state.rounds[number - 1], event))
        case RoundPublished(round=number):
            return _with_round(state, version, replace(state.rounds[number - 1], published=True))
        case RoundCompleted(round=number):
            round = replace(state.rounds[number - 1], completed=True, completed_at=version)
            return _with_round(state, version, round)
        case RoundUnpaired(round=number):
            return replace(_taken_back(state, number), version=version)
        case ManualPairingBegun(round=number):
            return replace(state, version=version, manual=number)
        case ManualPairingEnded():
            return replace(state, version=version, manual=0)
        case PairingNumbersAssigned(order=order, cause=cause):
            return replace(
                state,
                version=version,
                order=order,
                players=_ranked(state, order, cause),
                order_before=state.order,
                order_at=version,
            )
        case PairingNumbersFrozen():
            return replace(state, version=version, frozen=True)
        case TournamentOpened(regulations=regulations):
            return replace(state, version=version, regulations=regulations)
        case TournamentDetailsChanged(changes=new):
            assert state.regulations is not None
            return replace(state, version=version, regulations=changed(state.regulations, new))
        case TournamentImported():
            return replace(state, version=version, imported=True)
        case InitialColourDrawn(colour=colour):
            return replace(state, version=version, initial_colour=colour)
        case PairingProhibited():
            return replace(state, version=version, prohibitions=(*state.prohibitions, event))
        case LotsDrawn(players=drawn):
            return replace(state, version=version, lots=(*state.lots, drawn))
        case ExternalTiebreakSet():
            return replace(state, version=version)
        case FideModeLeft():
            return replace(state, version=version, fide_mode=False)
        case TournamentClosed():
            return replace(state, version=version, closed=True)
        case _:
            assert_never(event)


def _with_player(state: Tournament, version: int, player: Player) -> Tournament:
    place = player.id - 1
    players = (*state.players[:place], player, *state.players[place + 1 :])
    return replace(state, version=version, players=players)


def _with_round(state: Tournament, version: int, round: Round) -> Tournament:
    place = round.number - 1
    rounds = (*state.rounds[:place], round, *state.rounds[place + 1 :])
    return replace(state, version=version, rounds=rounds)


def _with_outcome(state: Tournament, version: int, number: int, board: int, outcome: Outcome) -> Tournament:
    round = state.rounds[number - 1]
    outcomes = (*round.outcomes[: board - 1], outcome, *round.outcomes[board:])
    return _with_round(state, version, replace(round, outcomes=outcomes))


def _with_colours_exchanged(round: Round, board: int) -> Round:
    place = board - 1
    white, black = round.boards[place]
    outcome = round.outcomes[place]
    other_way = None if outcome is None else turned(outcome)
    return replace(
        round,
        boards=(*round.boards[:place], (black, white), *round.boards[board:]),
        outcomes=(*round.outcomes[:place], other_way, *round.outcomes[board:]),
    )


def turned(outcome: Outcome) -> Outcome:
    """The same game seen with White and Black exchanged: each player keeps their own letter."""
    return Outcome(outcome.black, outcome.white)


def _ranked(state: Tournament, order: tuple[int, ...], cause: Cause) -> tuple[Player, ...]:
    """Whoever gets a place, or gets it anew, has it by the data of now."""
    placed = frozenset(order)
    anew = cause in ("initial", "regenerated", "declared")
    return tuple(
        replace(player, ranked_by=ranking_data(state, player))
        if player.id in placed and (anew or player.ranked_by is None)
        else player
        for player in state.players
    )


def ranking_data(state: Tournament, player: Player) -> Details:
    """What the player is ranked by if numbers are made anew.

    A rating corrected after round 4 was paired was for the rating report alone, and moves no number when
    that round is taken back. Who renumbers after round 4, outside FIDE mode, means the ratings as they are.
    """
    if player.order_rating is None or state.frozen:
        return player.details
    return corrected(player.details, Changes(rating=player.order_rating))


def _taken_back(state: Tournament, number: int) -> Tournament:
    """The tournament without its last round, and without what pairing it did to the one before.

    A pairing ends that round, takes missing results for adjourned and puts late entries in order. All of
    it was said to make a round that no longer exists; a result that came since stays.
    """
    *kept, gone = state.rounds
    if kept and gone.based_on:
        last = kept[-1]
        by_it = {board for board, at in last.adjourned_at if at > gone.based_on}
        last = replace(
            last,
            outcomes=tuple(
                None if outcome == ADJOURNED and board in by_it else outcome
                for board, outcome in enumerate(last.outcomes, start=1)
            ),
            adjourned_at=tuple((board, at) for board, at in last.adjourned_at if at <= gone.based_on),
        )
        if last.completed_at > gone.based_on:
            last = replace(last, completed=False, completed_at=0)
        kept[-1] = last
    kept = [  # what came while the round was paired came before the one that takes its place
        replace(round, late=tuple((board, min(paired, number - 1)) for board, paired in round.late))
        for round in kept
    ]
    state = replace(state, rounds=tuple(kept), frozen=state.frozen and number > 4)
    if gone.order_before is None:
        return state
    placed = frozenset(gone.order_before)
    players = tuple(p if p.id in placed else replace(p, ranked_by=None) for p in state.players)
    return replace(state, order=gone.order_before, players=players)


def _paired(event: RoundPaired) -> Round:
    by_engine = event.origin == "engine"
    return Round(
        number=event.round,
        boards=event.boards,
        pab=event.pab,
        absent=event.absent,
        outcomes=(None,) * len(event.boards),
        origin=event.origin,
        engine_boards=event.boards if by_engine else (),
        engine_pab=event.pab if by_engine else 0,
        based_on=event.based_on,
    )


def _altered(round: Round, event: PairingsAltered) -> Round:
    known = dict(zip(round.boards, round.outcomes, strict=True))
    return replace(
        round,
        boards=event.boards,
        pab=event.pab,
        absent=event.absent,
        outcomes=tuple(known.get(board) for board in event.boards),
        engine_boards=event.engine_boards,
        engine_pab=event.engine_pab,
    )


def absences(state: Tournament, round: int) -> dict[int, str]:
    """Who is known not to play a round that is still to be paired, with the letter it will hold.

    Withdrawn and expelled players are absent for zero points (C.04.2:3.2, 3.3).
    """
    absent = {}
    for player in state.players:
        if player.status:
            absent[player.id] = "Z"
        else:
            for number, letter in player.byes:
                if number == round:
                    absent[player.id] = letter
    return absent


def participants(state: Tournament, before: int = 1000) -> set[int]:
    """Everyone paired in a round before this one, the pairing-allocated bye included."""
    earlier = state.rounds[: before - 1]
    ids = {id for round in earlier for board in round.boards for id in board}
    return ids | {round.pab for round in earlier if round.pab}
