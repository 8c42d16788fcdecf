"""Corrections, alterations and any commands before they are made: what they would change. Nothing is written.

The window of a correction is decided by the moment it is reported (C.04.2:4.3), never by who reports it.
"""

from collections.abc import Sequence

import msgspec

from paircard.domain import events
from paircard.domain.commands import Command, CorrectBoards, CorrectColours, CorrectResult
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import signed
from paircard.domain.errors import Caution, Duplicate, NotNow
from paircard.domain.events import Event, Recorded, Scope
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Remark, Speaker
from paircard.domain.state import Tournament, evolve, fold, state_after
from paircard.projections.differences import Changed, Moved, difference, moved_lines
from paircard.projections.log_lines import LogLine, log_lines
from paircard.projections.prizes import changes
from paircard.projections.standings.standings import standings_after
from paircard.projections.trf.remarks import remarks
from paircard.projections.views import numbering
from paircard.service.desk import Person
from paircard.service.pairing import Change, propose_change
from paircard.service.review.replay import PairingSheet
from paircard.service.review.what_if import BranchRound, Supposed, WhatIf, is_last, next_round, what_if

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


def preview_alteration(history: Tournament, change: Change, one: int, other: int, by: Person) -> Alteration:
    """The boards an alteration of the last round would give; refuses what would be refused."""
    begin, end = propose_change(history, change, one, other)
    meta = (by if by.why.strip() else by.because("preview")).meta()
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
