"""Deciding about manual pairings: the arbiter begins one, and ends it with boards (VCL 64-69)."""

from msgspec.structs import replace

from paircard.domain.commands import BeginManualPairing, EndManualPairing
from paircard.domain.deciding.boards import check_boards, lower_for_bye, pairing_points
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import (
    Decision,
    need_no_session,
    need_reason,
    need_running,
)
from paircard.domain.deciding.numbering import numbers_along, order_with_newcomers
from paircard.domain.deciding.rounds import need_fresh, need_next, record_boards
from paircard.domain.errors import Caution, Invalid, NotNow
from paircard.domain.events import (
    Board,
    ManualPairingBegun,
    ManualPairingEnded,
    PairingsAltered,
    RoundPaired,
)
from paircard.domain.rounds import ADJOURNED, is_engines
from paircard.domain.state import Tournament, called, participants
from paircard.domain.values.editions import MAY_CHANGE_A_PUBLISHED_ROUND
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import points, spell
from paircard.domain.values.text import counted


def begin_manual(state: Tournament, command: BeginManualPairing) -> Decision:
    """Open the arbiter's session on the last paired round or the next one (VCL 64, 65)."""
    regulations = need_running(state)
    need_no_session(state)
    if 1 <= command.round <= state.paired:
        if command.round < state.paired:
            raise Invalid(
                f"round {command.round} cannot be altered: round {state.paired} is paired already; if others "
                "met than the record has, correct the boards"
            )
        if state.rounds[-1].completed:
            raise NotNow(
                f"round {command.round} is completed: its boards no longer change; reopen it first if others "
                "met"
            )
    else:
        need_next(state, regulations, command.round)
    return Decision((ManualPairingBegun(round=command.round),))


def end_manual(state: Tournament, command: EndManualPairing) -> Decision:
    """Close the session with the arbiter's boards, and the engine's beside them (VCL 68, 69)."""
    regulations = need_running(state)
    if state.manual != command.round:
        way = f"round {state.manual} is" if state.manual else "begin the manual pairing first"
        raise NotNow(f"round {command.round} is not being paired by hand: {way}")
    if command.round <= state.paired:
        return _altered(state, regulations, command)
    if not command.boards:
        return Decision((ManualPairingEnded(round=command.round, altered=False),))  # given up
    engine, engine_pab = command.engine_boards, command.engine_pab
    differs = not _same(command.boards, command.pab, engine, engine_pab)
    if differs:
        need_reason(command.meta, f"pairing round {command.round} by hand")
    command = replace(command, based_on=command.based_on or state.version)
    need_fresh(state, command.round, command.based_on)
    decision = record_boards(state, regulations, command, "manual")
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
    warnings = (*decision.warnings, *_bye_too_high(state, regulations, altered), *_differing(state, altered))
    return Decision((*decision.events, altered, ended), warnings)


def _altered(state: Tournament, regulations: Regulations, command: EndManualPairing) -> Decision:
    round = state.rounds[command.round - 1]
    ended = ManualPairingEnded(round=round.number, altered=False)
    if (command.boards, command.pab) == (round.boards, round.pab):
        return Decision((ended,))
    need_reason(command.meta, f"an alteration of round {round.number}")
    kept = set(command.boards)
    for number, (board, outcome) in enumerate(zip(round.boards, round.outcomes, strict=True), start=1):
        if outcome is not None and board not in kept:
            has = "is adjourned" if outcome == ADJOURNED else f"already has the result {spell(outcome)}"
            raise NotNow(
                f"board {number} of round {round.number} {has}: its players cannot be re-paired; "
                "clear it first if it is wrong"
            )
    checked = check_boards(state, regulations, round.number, command.boards, command.pab, "manual")
    engine = round.engine_boards or command.engine_boards
    engine_pab = round.engine_pab if round.engine_boards else command.engine_pab
    differs = not _same(command.boards, command.pab, engine, engine_pab)
    warnings = checked.warnings
    if round.published and not _same(command.boards, command.pab, round.boards, round.pab):
        cases = MAY_CHANGE_A_PUBLISHED_ROUND[regulations.edition]
        message = f"round {round.number} is published and may only change {cases}"
        warnings += (caution("published-pairing", message),)
    numbers = numbers_along(
        state, order_with_newcomers(state), participants(state, round.number) | checked.playing
    )
    before = dict(round.numbers)
    moved = sum(1 for id, number in numbers if before.get(id, number) != number)
    if moved and round.published:
        message = f"{counted(moved, 'pairing number')} would change on the published sheet"
        warnings += (caution("renumbering", message),)
    altered = PairingsAltered(
        round=round.number,
        boards=command.boards,
        pab=command.pab,
        engine_boards=engine,
        engine_pab=engine_pab,
        numbers=numbers,
        absent=checked.absent,
    )
    warnings += _bye_too_high(state, regulations, altered) + _differing(state, altered)
    return Decision((altered, replace(ended, altered=differs)), warnings)


def _same(boards: tuple[Board, ...], pab: int, others: tuple[Board, ...], other_pab: int) -> bool:
    return pab == other_pab and set(boards) == set(others)


def _bye_too_high(state: Tournament, regulations: Regulations, fact: PairingsAltered) -> tuple[Caution, ...]:
    """The bye by hand for somebody with more points than another who may have it (VCL 66; 2026 C5)."""
    if not fact.pab or fact.pab == fact.engine_pab:
        return ()
    lower = lower_for_bye(state, regulations, fact.round, fact.boards, fact.pab)
    if not lower:
        return ()
    scores = pairing_points(state, regulations, fact.round)
    message = (
        f"{called(state, fact.pab)} has {points(scores[fact.pab])} and would get the bye, "
        f"although {called(state, lower)} with {points(scores[lower])} may have it"
    )
    return (caution("bye-too-high", message, fact.pab, lower),)


def _differing(state: Tournament, fact: PairingsAltered) -> tuple[Caution, ...]:
    # The manual asks for level 4 and the right pairing shown beside it; VCL 69 for level 3 at least.
    if is_engines(fact):
        return ()
    ours = [*fact.engine_boards, *([(fact.engine_pab, 0)] if fact.engine_pab else [])]
    theirs = [*fact.boards, *([(fact.pab, 0)] if fact.pab else [])]

    def seats(boards: list[Board]) -> str:
        names = [
            f"{state.players[white - 1].details.name} – "
            f"{state.players[black - 1].details.name if black else 'bye'}"
            for white, black in boards
        ]
        return "; ".join(names[:6]) + (f"; and {len(names) - 6} more" if len(names) > 6 else "")

    right = seats([seat for seat in ours if seat not in theirs])
    given = seats([seat for seat in theirs if seat not in ours])
    if right:
        given = f"{given or 'fewer boards'}, where the engine has {right}"
    elif fact.engine_boards:
        given += " in addition"
    else:
        given += ", where the engine finds no legal round"
    message = f"the boards of round {fact.round} are not the engine's: {given}"
    return (caution("manual-pairing", message),)
