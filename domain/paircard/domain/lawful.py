"""Results and corrections that could not have been recorded where they stand.

Who can write to the database can add facts with a right hash. Deciding is pure, so what the program would
have answered can be asked again: a second result of one board, a result of a round not published, or a
correction that claims more than C.04.2:4.3 lets it touch was not recorded by it.
"""

from collections.abc import Iterator, Sequence

from paircard.domain.commands import Command, CorrectColours, CorrectResult, Meta, RecordResult
from paircard.domain.decider import weigh
from paircard.domain.errors import Refused
from paircard.domain.events import ColoursCorrected, Recorded, ResultCorrected, ResultRecorded
from paircard.domain.state import NOTHING, evolve


def unlawful(log: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """Versions of such facts, and what the program would have said."""
    state = NOTHING
    for recorded in log:
        command = asked(recorded)
        if command is not None:
            try:
                given = weigh(state, command).events
            except Refused as refusal:
                yield recorded.version, f"it would have been refused: {refusal}"
            else:
                if given != (recorded.fact,):
                    yield recorded.version, "it would have been recorded with another scope or value"
        state = evolve(state, recorded.fact)


def asked(recorded: Recorded) -> Command | None:
    """The command that gives such a fact, if it is one of a result."""
    meta = Meta(who=recorded.who, when=recorded.when, command_id=recorded.command_id, why=recorded.why)
    match recorded.fact:
        case ResultRecorded(round=round, board=board, outcome=outcome):
            return RecordResult(round=round, board=board, outcome=outcome, meta=meta)
        case ResultCorrected(round=round, board=board, outcome=outcome):
            return CorrectResult(round=round, board=board, outcome=outcome, meta=meta)
        case ColoursCorrected(round=round, board=board):
            return CorrectColours(round=round, board=board, meta=meta)
        case _:
            return None
