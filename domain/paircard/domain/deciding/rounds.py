"""Deciding about rounds: pairing, publishing, the arbiter's hand, completing, closing."""

from msgspec.structs import replace

from paircard.domain.commands import (
    BeginManualPairing,
    CloseTournament,
    CompleteRound,
    DrawInitialColour,
    EndManualPairing,
    PairRound,
    PublishRound,
    UnpairRound,
)
from paircard.domain.deciding.boards import line_up
from paircard.domain.deciding.decision import (
    Decision,
    last_round,
    need_no_session,
    need_reason,
    need_running,
    round_of,
)
from paircard.domain.deciding.numbering import (
    FREEZING_ROUND,
    numbers_along,
    numbers_in_force,
    order_in_force,
    order_with_newcomers,
)
from paircard.domain.deciding.open_games import adjourned_games, games_named, missing_results, need_results
from paircard.domain.errors import (
    Caution,
    Duplicate,
    Invalid,
    NotNow,
    RoundIncomplete,
    StaleDecision,
)
from paircard.domain.events import (
    Board,
    Cause,
    Event,
    GameAdjourned,
    InitialColourDrawn,
    ManualPairingBegun,
    ManualPairingEnded,
    Origin,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PairingsAltered,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
    TournamentClosed,
)
from paircard.domain.rounds import ADJOURNED
from paircard.domain.state import Tournament, absences, participants
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import spell
from paircard.domain.values.text import checked_text, counted, named


def draw_colour(state: Tournament, command: DrawInitialColour) -> Decision:
    """The colour of the first number, drawn by lot before round 1 (C.04.3:5.1).

    No round is computed before it; after rounds from a file it is still to be drawn, or read off them.
    """
    need_running(state)
    if command.colour not in ("w", "b"):
        raise Invalid(f"initial colour {command.colour[:10]!r} is unknown: w or b")
    if state.initial_colour:
        colour = {"w": "White", "b": "Black"}[state.initial_colour]
        raise Duplicate(f"the initial colour was drawn already: {colour}; lots are drawn once")
    return Decision((InitialColourDrawn(colour=command.colour),))


def pair(state: Tournament, command: PairRound) -> Decision:
    """Take boards into the record, if they were made from what is known now."""
    regulations = need_pairable(state, command.round)
    if command.origin == "manual":
        raise Invalid("boards by hand are entered by beginning and ending a manual pairing")
    _need_fresh(state, command.round, command.based_on)
    if command.origin == "engine" and not command.snapshot:
        raise Invalid("a computed round needs the digest of its snapshot")
    return _paired(state, regulations, command, command.origin)


def need_pairable(state: Tournament, round: int) -> Regulations:
    """Refuse a round that cannot be paired now, whatever its boards are."""
    regulations = need_running(state)
    need_no_session(state)
    _need_next(state, regulations, round)
    _need_players(state, round)
    return regulations


def need_colour(state: Tournament) -> None:
    """Refuse to compute a round before the lot for the initial colour is drawn (C.04.3:5.1)."""
    if not state.initial_colour:
        raise NotNow("the initial colour is not drawn: draw it first")


def _need_players(state: Tournament, round: int) -> None:
    if not state.players:
        raise NotNow("nobody is registered: enter the players first")
    if len(absences(state, round)) == len(state.players):
        raise NotNow(f"nobody is there to play round {round}: all have byes, are withdrawn or expelled")


def _need_next(state: Tournament, regulations: Regulations, round: int) -> None:
    if 1 <= round <= state.paired:
        raise Duplicate(f"round {round} is paired already")
    if round > regulations.rounds:
        raise NotNow(f"the tournament has {counted(regulations.rounds, 'round')}, there is no round {round}")
    if round != state.paired + 1:
        raise NotNow(f"round {round} cannot be paired: the next is round {state.paired + 1}")
    if state.rounds and not state.rounds[-1].published:
        raise NotNow(f"round {state.paired} is not published: publish it, or unpair it")


def _need_fresh(state: Tournament, round: int, based_on: int) -> None:
    if based_on != state.version:
        raise StaleDecision(
            f"round {round} was paired at version {based_on}, "
            f"the tournament is at {state.version}: pair it again"
        )


def _paired(
    state: Tournament, regulations: Regulations, command: PairRound | EndManualPairing, origin: Origin
) -> Decision:
    checked_text("engine", command.engine, limit=100)
    if command.snapshot and (
        len(command.snapshot) != 64 or not set(command.snapshot) <= set("0123456789abcdef")
    ):
        raise Invalid("the digest of the snapshot is not a SHA-256 of 64 hexadecimal digits")
    if origin != "import":
        need_colour(state)
    events, warnings = _previous_round_ended(state)
    lineup = line_up(state, regulations, command.round, command.boards, command.pab, origin)
    warnings += lineup.warnings
    if command.round == 1 and regulations.rounds > _most_rounds(len(lineup.playing)):  # VCL 62
        message = (
            f"{counted(len(lineup.playing), 'player')} cannot play "
            f"{counted(regulations.rounds, 'round')} without meeting twice"
        )
        warnings += (Caution(2, "too-many-rounds", message),)
    order = order_in_force(state)
    if order != state.order:
        cause: Cause = "late-entry" if state.paired else "initial"
        events += (PairingNumbersAssigned(order=order, cause=cause),)
    if command.round == FREEZING_ROUND:
        events += (PairingNumbersFrozen(round=command.round),)
    paired = RoundPaired(
        round=command.round,
        edition=regulations.edition,
        engine=command.engine,
        based_on=command.based_on,
        snapshot=command.snapshot,
        numbers=numbers_in_force(state, command.round, lineup.playing),
        boards=command.boards,
        pab=command.pab,
        absent=lineup.absent,
        origin=origin,
    )
    return Decision((*events, paired), warnings)


def _most_rounds(players: int) -> int:
    return players - 1 if players % 2 == 0 else players


def _previous_round_ended(state: Tournament) -> tuple[tuple[Event, ...], tuple[Caution, ...]]:
    """Before a pairing missing results become adjourned games, a draw for now (VCL 159, 160, 168)."""
    if not state.rounds:
        return (), ()
    last = state.rounds[-1]
    events: tuple[Event, ...] = ()
    warnings: tuple[Caution, ...] = ()
    missing = missing_results(last)
    if missing:
        boards = named("board", missing)
        message = f"round {last.number} has no result on {boards}, which would be recorded as adjourned"
        warnings += (Caution(2, "missing-results", message),)
        events = tuple(GameAdjourned(round=last.number, board=board) for board in missing)
    waiting = adjourned_games(state)
    if waiting:
        message = f"adjourned games count as draws: {games_named(waiting)}"
        warnings += (Caution(2, "adjourned-games", message),)
    if not last.completed:
        events += (RoundCompleted(round=last.number),)
    return events, warnings


def unpair(state: Tournament, command: UnpairRound) -> Decision:
    """Take the last round back while nobody outside has seen it, with all that pairing it did."""
    need_running(state)
    need_no_session(state)
    round = last_round(state, command.round, "unpaired")
    if round.published:
        raise NotNow(f"round {round.number} is published: alter its boards by hand (C.04.2:4.4)")
    return Decision((RoundUnpaired(round=round.number),))


def publish(state: Tournament, command: PublishRound) -> Decision:
    """Make the pairings known; from here on results are entered."""
    need_running(state)
    need_no_session(state)
    round = round_of(state, command.round)
    if round.published:
        raise Duplicate(f"round {round.number} is published already")
    return Decision((RoundPublished(round=round.number),))


def begin_manual(state: Tournament, command: BeginManualPairing) -> Decision:
    """Open the arbiter's session on the last paired round or the next one (VCL 64, 65)."""
    regulations = need_running(state)
    need_no_session(state)
    if 1 <= command.round <= state.paired:
        round = last_round(state, command.round, "altered")
        if round.completed:
            raise NotNow(f"round {round.number} is completed: its boards stand")
    else:
        _need_next(state, regulations, command.round)
    return Decision((ManualPairingBegun(round=command.round),))


def end_manual(state: Tournament, command: EndManualPairing) -> Decision:
    """Close the session with the arbiter's boards, and the engine's beside them (VCL 68, 69)."""
    regulations = need_running(state)
    if state.manual != command.round:
        way = f"round {state.manual} is" if state.manual else "begin that first"
        raise NotNow(f"round {command.round} is not being paired by hand: {way}")
    if command.round <= state.paired:
        return _altered(state, regulations, command)
    if not command.boards:
        return Decision((ManualPairingEnded(round=command.round, altered=False),))  # given up
    need_reason(command.meta, f"pairing round {command.round} by hand")
    command = replace(command, based_on=command.based_on or state.version)
    _need_fresh(state, command.round, command.based_on)
    decision = _paired(state, regulations, command, "manual")
    engine, engine_pab = command.engine_boards, command.engine_pab
    differs = not _same(command.boards, command.pab, engine, engine_pab)
    paired = decision.events[-1]
    assert isinstance(paired, RoundPaired)
    altered = PairingsAltered(
        round=command.round,
        boards=command.boards,
        pab=command.pab,
        engine_boards=engine,
        engine_pab=engine_pab,
        numbers=paired.numbers,
        absent=paired.absent,
    )
    ended = ManualPairingEnded(round=command.round, altered=differs)
    return Decision(
        (*decision.events, altered, ended), (*decision.warnings, *_differing(command.round, differs))
    )


def _altered(state: Tournament, regulations: Regulations, command: EndManualPairing) -> Decision:
    round = state.rounds[command.round - 1]
    ended = ManualPairingEnded(round=round.number, altered=False)
    if (command.boards, command.pab) == (round.boards, round.pab):
        return Decision((ended,))
    need_reason(command.meta, f"an alteration of round {round.number}")
    kept = set(command.boards)
    for number, (board, outcome) in enumerate(zip(round.boards, round.outcomes, strict=True), start=1):
        if outcome is not None and board not in kept:
            result = "is adjourned" if outcome == ADJOURNED else f"ended {spell(outcome)}"
            raise NotNow(f"board {number} of round {round.number} {result}: it cannot be taken apart")
    lineup = line_up(state, regulations, round.number, command.boards, command.pab, "manual")
    engine = round.engine_boards or command.engine_boards
    engine_pab = round.engine_pab if round.engine_boards else command.engine_pab
    differs = not _same(command.boards, command.pab, engine, engine_pab)
    warnings = (*lineup.warnings, *_differing(round.number, differs))
    if round.published and not _same(command.boards, command.pab, round.boards, round.pab):
        message = f"round {round.number} is published and may only change in the cases of C.04.2:4.4"
        warnings += (Caution(4, "published-pairing", message),)
    altered = PairingsAltered(
        round=round.number,
        boards=command.boards,
        pab=command.pab,
        engine_boards=engine,
        engine_pab=engine_pab,
        numbers=numbers_along(
            state, order_with_newcomers(state), participants(state, round.number) | lineup.playing
        ),
        absent=lineup.absent,
    )
    return Decision((altered, replace(ended, altered=differs)), warnings)


def _same(boards: tuple[Board, ...], pab: int, others: tuple[Board, ...], other_pab: int) -> bool:
    return pab == other_pab and set(boards) == set(others)


def _differing(round: int, differs: bool) -> tuple[Caution, ...]:
    # The manual asks for level 4 and the right pairing shown beside it; VCL 69 for level 3 at least.
    if not differs:
        return ()
    return (Caution(4, "manual-pairing", f"the boards of round {round} are not those of the engine"),)


def complete(state: Tournament, command: CompleteRound) -> Decision:
    """The end of the round: all results are in, or their games adjourned."""
    need_running(state)
    need_no_session(state)
    round = round_of(state, command.round)
    if round.completed:
        raise Duplicate(f"round {round.number} is completed already")
    if not round.published:
        raise NotNow(f"round {round.number} is not published: publish it first")
    missing = missing_results(round)
    if missing:
        boards = named("board", missing)
        raise RoundIncomplete(
            f"round {round.number} has no result on {boards}: enter what is missing, adjourned if it is so"
        )
    return Decision((RoundCompleted(round=round.number),))


def close(state: Tournament, command: CloseTournament) -> Decision:
    """Final standings, only with every result known (VCL 161, 169)."""
    regulations = need_running(state)
    need_no_session(state)
    if not state.rounds:
        raise NotNow("no round is paired: there is nothing to close")
    last = state.rounds[-1]
    if not last.published:
        raise NotNow(f"round {last.number} is not published: publish and play it, or unpair it")
    missing = missing_results(last)
    if missing:
        raise RoundIncomplete(
            f"round {last.number} has no result on {named('board', missing)}: enter what is missing first"
        )
    need_results(state, "close the tournament")
    warnings: tuple[Caution, ...] = ()
    if last.number < regulations.rounds:
        need_reason(command.meta, f"closing after {last.number} of {regulations.rounds} rounds")
        message = f"only {last.number} of {regulations.rounds} announced rounds were played"
        warnings = (Caution(4, "rounds-unplayed", message),)
    events: tuple[Event, ...] = () if last.completed else (RoundCompleted(round=last.number),)
    return Decision((*events, TournamentClosed(rounds=last.number)), warnings)
