"""A correction before it is made: what it would change, and what stands although it was wrong.

The window is decided by the moment it is reported (C.04.2:4.3), never by who reports it.
"""

from collections.abc import Sequence

import msgspec

from paircard.domain.commands import CorrectBoards, CorrectColours, CorrectResult
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import Caution, Duplicate
from paircard.domain.events import BoardsCorrected, ColoursCorrected, Recorded, ResultCorrected, Scope
from paircard.domain.state import state_after
from paircard.projections.differences import Moved, moved_lines
from paircard.projections.log_lines import LogLine, log_lines
from paircard.projections.standings.ranking import standings_after
from paircard.projections.trf.remarks import remarks
from paircard.projections.views import numbering, snapshot_now
from paircard.service.review.replay import paired_again
from paircard.service.review.what_if import BranchRound, Supposed, WhatIf, in_play, to_come, what_if

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
    """Why it cannot."""
    stands: tuple[BranchRound, ...]
    """Paired rounds that would have been different, had it been known; they are not touched."""
    kept: tuple[Moved, ...]
    """Lines of the last standings that would be different if this had been known, and now stay."""
    remarks: tuple[str, ...]
    """Lines the report (TRF) would get, without their ###."""


def preview(log: Sequence[Recorded], command: Correction) -> Preview:
    """What the correction would change if it were made now; refuses what would be refused."""
    before = state_after(log)
    decision = weigh(before, command)
    [fact] = decision.events
    assert isinstance(fact, ResultCorrected | ColoursCorrected | BoardsCorrected)
    draft = Recorded(
        tournament=log[0].tournament,
        version=before.version + 1,
        fact=fact,
        who=command.meta.who,
        when=command.meta.when,
        previous=log[-1].hash,
        hash="",
    )
    drafted = [*log, draft]
    after = state_after(drafted)
    changes = []
    for round in range(fact.round, before.paired + 1):
        lines = moved_lines(standings_after(before, round), standings_after(after, round))
        if lines:
            changes.append((round, lines))
    next_round, note = None, ""
    if before.closed or before.paired >= before.regulations.rounds:
        note = "no round is to come"
    elif in_play(before):
        note = f"round {before.paired} is not over yet"
    else:
        sheets = paired_again(snapshot_now(before))[0], paired_again(snapshot_now(after))[0]
        next_round = to_come(before.paired + 1, *sheets)
    late = had_it_been_known(log, fact)
    numbers = numbering(after).by_id
    known = remarks(log, numbers)
    return Preview(
        line=list(log_lines(drafted))[-1],
        scope=fact.scope,
        warnings=decision.warnings,
        standings=tuple(changes),
        next_round=next_round,
        next_note=note,
        stands=late.changed if late else (),
        kept=late.standings if late and fact.scope == "rating-report-only" else (),
        remarks=tuple(line for line in remarks(drafted, numbers) if line not in known),
    )


def had_it_been_known(
    log: Sequence[Recorded], fact: ResultCorrected | ColoursCorrected | BoardsCorrected
) -> WhatIf | None:
    """The branch in which it was right from the start: what the rules now let stand."""
    if isinstance(fact, BoardsCorrected):
        return what_if(log, (), fact)
    outcome = fact.outcome if isinstance(fact, ResultCorrected) else None
    one = Supposed(round=fact.round, board=fact.board, outcome=outcome, colours=outcome is None)
    try:
        return what_if(log, (one,))
    except Duplicate:  # a correction of the rating report back to what the standings have
        return None
