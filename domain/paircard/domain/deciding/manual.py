"""Deciding about manual pairings: the arbiter begins one, and ends it with boards (VCL 64-69)."""

from msgspec.structs import replace

from paircard.domain.commands import BeginManualPairing, EndManualPairing
from paircard.domain.deciding.boards import check_boards, lower_for_bye, pairing_points
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import Decision, need_no_session, need_reason, need_running, some
from paircard.domain.deciding.numbering import numbers_along, order_with_newcomers
from paircard.domain.deciding.rounds import need_fresh, need_next, record_boards
from paircard.domain.errors import Caution, Invalid, NotNow
from paircard.domain.events import Board, ManualPairingBegun, ManualPairingEnded, PairingsAltered, RoundPaired
from paircard.domain.messages import Message, say
from paircard.domain.rounds import is_engines
from paircard.domain.state import Tournament, participants
from paircard.domain.values.regulations import Regulations


def begin_manual(state: Tournament, command: BeginManualPairing) -> Decision:
    """Open the arbiter's session on the last paired round or the next one (VCL 64, 65)."""
    regulations = need_running(state)
    need_no_session(state)
    if 1 <= command.round <= state.paired:
        if command.round < state.paired:
            raise Invalid("round-not-altered", round=command.round, last=state.paired)
        if state.rounds[-1].completed:
            raise NotNow("boards-stand", round=command.round)
    else:
        need_next(state, regulations, command.round)
    return Decision((ManualPairingBegun(round=command.round),))


def end_manual(state: Tournament, command: EndManualPairing) -> Decision:
    """Close the session with the arbiter's boards, and keep the engine's with them (VCL 68, 69)."""
    regulations = need_running(state)
    if state.manual != command.round:
        raise NotNow("no-manual-session", round=command.round, other_round=state.manual)
    if command.round <= state.paired:
        return _altered(state, regulations, command)
    if not command.boards:
        return Decision((ManualPairingEnded(round=command.round, altered=False),))  # given up
    engine, engine_pab = command.engine_boards, command.engine_pab
    differs = not _same(command.boards, command.pab, engine, engine_pab)
    if differs:
        need_reason(command.meta, "deed.pairing-by-hand", round=command.round)
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
    warnings = (*decision.warnings, *_bye_too_high(state, regulations, altered), *_differing(altered))
    return Decision((*decision.events, altered, ended), warnings)


def _altered(state: Tournament, regulations: Regulations, command: EndManualPairing) -> Decision:
    round = state.rounds[command.round - 1]
    ended = ManualPairingEnded(round=round.number, altered=False)
    if (command.boards, command.pab) == (round.boards, round.pab):
        return Decision((ended,))
    need_reason(command.meta, "deed.alteration", round=round.number)
    kept = set(command.boards)
    for number, (board, outcome) in enumerate(zip(round.boards, round.outcomes, strict=True), start=1):
        if outcome is not None and board not in kept:
            raise NotNow("board-has-result", round=round.number, board=number, result=outcome)
    checked = check_boards(state, regulations, round.number, command.boards, command.pab, "manual")
    engine = round.engine_boards or command.engine_boards
    engine_pab = round.engine_pab if round.engine_boards else command.engine_pab
    differs = not _same(command.boards, command.pab, engine, engine_pab)
    warnings = checked.warnings
    if round.published and not _same(command.boards, command.pab, round.boards, round.pab):
        edition = regulations.edition
        warnings += (caution("published-pairing.altered", round=round.number, cases=edition),)
    numbers = numbers_along(
        state, order_with_newcomers(state), participants(state, round.number) | checked.playing
    )
    before = dict(round.numbers)
    moved = sum(1 for id, number in numbers if before.get(id, number) != number)
    if moved and round.published:
        warnings += (caution("renumbering.published", count=moved),)
    altered = PairingsAltered(
        round=round.number,
        boards=command.boards,
        pab=command.pab,
        engine_boards=engine,
        engine_pab=engine_pab,
        numbers=numbers,
        absent=checked.absent,
    )
    warnings += _bye_too_high(state, regulations, altered) + _differing(altered)
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
    warning = caution(
        "bye-too-high", pab=fact.pab, other=lower, points=scores[fact.pab], theirs=scores[lower]
    )
    return (warning,)


def _differing(fact: PairingsAltered) -> tuple[Caution, ...]:
    # The manual asks for level 4 and the right pairing shown with it; VCL 69 for level 3 at least.
    if is_engines(fact):
        return ()
    ours = [*fact.engine_boards, *([(fact.engine_pab, 0)] if fact.engine_pab else [])]
    theirs = [*fact.boards, *([(fact.pab, 0)] if fact.pab else [])]
    right = _seats([seat for seat in ours if seat not in theirs])
    given = _seats([seat for seat in theirs if seat not in ours])
    if right:
        code = "manual-pairing.instead"
    else:
        code = "manual-pairing.in-addition" if fact.engine_boards else "manual-pairing.no-legal-round"
    return (caution(code, round=fact.round, now=given or [say("fewer-boards")], instead=right),)


def _seats(boards: list[Board]) -> list[Message]:
    return some(
        [
            say("log.pair", white=white, black=black) if black else say("seat-bye", player=white)
            for white, black in boards
        ]
    )
