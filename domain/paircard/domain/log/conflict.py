"""Who was there first: a refusal says what another person did that stands in the way."""

from collections.abc import Sequence

from paircard.domain.commands import Command
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import Refused
from paircard.domain.events import Recorded
from paircard.domain.log.chain import topic_of
from paircard.domain.state import NOTHING, Tournament, accept, fold


def with_the_other(refusal: Refused, log: Sequence[Recorded], commands: Sequence[Command]) -> Refused:
    """The refusal, with the fact of another person that made it so, if there is one.

    That is the fact before which the commands would still have been accepted.
    """
    cause = first_in_the_way(log, commands)
    if cause and cause.who != commands[0].meta.who:
        deed = topic_of(cause.fact).partition("/")[0].replace("-", " ")
        refusal.args = (f"{refusal} ({cause.who}, {cause.when}: {deed})",)
    return refusal


def first_in_the_way(log: Sequence[Recorded], commands: Sequence[Command]) -> Recorded | None:
    """The newest fact before which the commands would have been accepted, none if they never were."""
    states = [NOTHING]
    for recorded in log:
        states.append(accept(states[-1], recorded))
    for state, recorded in zip(reversed(states[:-1]), reversed(log), strict=True):
        if accepted(state, commands):
            return recorded
    return None


def accepted(state: Tournament, commands: Sequence[Command]) -> bool:
    try:
        for command in commands:
            state = fold(decide(state, command), state)
    except Refused:
        return False
    return True
