"""Rounds, results and corrections that could not have been recorded where they stand.

Who can write to the database can add facts with a right hash. Deciding is pure, so what the program would
have answered can be asked again: a second result of one board, a result of a round not published, or a
correction that claims more than C.04.2:4.3 lets it touch was not recorded by it. Boards are looked at as
such, whoever made them: everybody on them plays in the tournament, and once.
"""

from collections.abc import Iterator, Sequence

from paircard.domain.commands import Command, CorrectBoards, CorrectColours, CorrectResult, Meta, RecordResult
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import Refused
from paircard.domain.events import (
    BoardsCorrected,
    ColoursCorrected,
    Event,
    PairingsAltered,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
)
from paircard.domain.log.reader import NONSENSE
from paircard.domain.log.stored import ERASED
from paircard.domain.state import NOTHING, Tournament, evolve


def find_forged(log: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """Versions of such facts, and what the program would have said."""
    state = NOTHING
    for recorded in log:
        why = wrong_boards(state, recorded.fact) or otherwise(state, recorded)
        if why:
            yield recorded.version, why
        state = evolve(state, recorded.fact)


def otherwise(state: Tournament, recorded: Recorded) -> str:
    """What the program would have said to a result; empty if just this."""
    command = asked(recorded)
    if command is None or before_the_game(state, recorded.fact):
        return ""
    try:
        given = weigh(state, command).events
    except Refused as refusal:
        return f"it would have been refused: {refusal}"
    except NONSENSE:  # values nobody can have asked for
        return "it makes no sense"
    return "" if given == (recorded.fact,) else "it would have been recorded with another scope or value"


def wrong_boards(state: Tournament, fact: Event) -> str:
    """Why these are not boards of the tournament; empty if they are, or if it is no such fact."""
    if not isinstance(fact, RoundPaired | PairingsAltered):
        return ""
    seated = [id for board in fact.boards for id in board] + ([fact.pab] if fact.pab else [])
    if strangers := set(seated) - {player.id for player in state.players}:
        return f"p{min(strangers)} on its boards is nobody in the tournament"
    if len(set(seated)) < len(seated):
        return "somebody is on its boards twice"
    if isinstance(fact, RoundPaired) and fact.edition != state.regulations.edition:
        return f"its edition is {fact.edition[:20]!r}, the tournament's {state.regulations.edition}"
    return ""


def before_the_game(state: Tournament, fact: Event) -> bool:
    """Colours of a game without a result, which earlier versions of the program let be corrected."""
    try:
        return (
            isinstance(fact, ColoursCorrected)
            and state.rounds[fact.round - 1].game(fact.board).outcome is None
        )
    except LookupError:
        return False


def asked(recorded: Recorded) -> Command | None:
    """The command that gives such a fact, if it is one of a result."""
    why = recorded.why or (ERASED if recorded.private else "")  # a result has no other personal part
    meta = Meta(who=recorded.who, when=recorded.when, command_id=recorded.command_id, why=why)
    match recorded.fact:
        case ResultRecorded(round=round, board=board, outcome=outcome):
            return RecordResult(round=round, board=board, outcome=outcome, meta=meta)
        case ResultCorrected(round=round, board=board, outcome=outcome):
            return CorrectResult(round=round, board=board, outcome=outcome, meta=meta)
        case ColoursCorrected(round=round, board=board):
            return CorrectColours(round=round, board=board, meta=meta)
        case BoardsCorrected(round=round, boards=boards, pab=pab):
            return CorrectBoards(round=round, boards=boards, pab=pab, meta=meta)
        case _:
            return None
