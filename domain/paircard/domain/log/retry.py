"""The same command again: what an id has done, and whether this is it.

A command sent twice under one id counts once, so whoever got no answer may send it again. Another
command under that id is a mistake, and answering it as done would lose it. No digest is stored for this:
deciding is pure, so the same command is one that, decided where the first one was, gives the same facts.
"""

from collections.abc import Callable, Sequence

from paircard.domain.commands import AdjournGame, Command, RecordResult
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import IdTaken, Refused
from paircard.domain.events import Event, GameAdjourned, Recorded, ResultRecorded
from paircard.domain.log.chain import topic_of
from paircard.domain.state import Tournament


def need_same(command: Command, first: Sequence[Recorded], before: Callable[[], Tournament]) -> None:
    """Refuse a command that is not the one its id was used for; ``before`` is the state that one met."""
    facts = tuple(recorded.fact for recorded in first)
    if command.meta.why != first[0].why or facts != (told(command) or given_then(command, before())):
        raise taken(first)


def told(command: Command) -> tuple[Event, ...]:
    """The facts of a command that depend on nothing else, if it is one: most of what is sent twice."""
    match command:
        case RecordResult(round=round, board=board, outcome=outcome):
            return (ResultRecorded(round=round, board=board, outcome=outcome),)
        case AdjournGame(round=round, board=board):
            return (GameAdjourned(round=round, board=board),)
        case _:
            return ()


def given_then(command: Command, state: Tournament) -> tuple[Event, ...]:
    """The facts the command would have given; none if it would have been refused."""
    try:
        return weigh(state, command).events
    except Refused:
        return ()


def taken(first: Sequence[Recorded]) -> IdTaken:
    """The refusal, with what the id was used for."""
    deeds = ", ".join(dict.fromkeys(topic_of(one.fact).partition("/")[0].replace("-", " ") for one in first))
    one = first[0]
    return IdTaken(
        one.command_id,
        f"fact {one.version}, {deeds}, {one.who}, {one.when}",
        tuple(recorded.version for recorded in first),
    )
