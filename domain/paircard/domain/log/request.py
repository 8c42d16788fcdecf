"""A request: who asks, under which id, and the commands it comes to on the state it meets.

The commands are a function of the state, so the store can run a request again: when somebody else was
faster, and when its id was used before. Deciding is pure, so the same request on the earlier state comes
to the same facts; who got no answer may send it again, and it counts once. Another request under that
id comes to other facts and is refused: answering it as done would lose it. No digest is stored for this.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import Command, Meta
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import signed
from paircard.domain.errors import (
    Deed,
    Duplicate,
    IdTaken,
    NotNow,
    PaircardError,
    Refused,
    StaleDecision,
    StoreRefused,
    TournamentOver,
)
from paircard.domain.events import TAGS, Event, Recorded, TournamentClosed
from paircard.domain.log.stored import Sign
from paircard.domain.messages import say
from paircard.domain.state import Tournament, fold

Commands = Callable[[Tournament], Sequence[Command]]
Again = Callable[[Tournament, tuple[Event, ...]], Sequence[Command]]


class Request(msgspec.Struct, frozen=True):
    """All commands of a request are carried out, in order, or none; their facts share its id."""

    meta: Meta
    """Who asks, when, and under which id. Commands may add a reason and acknowledgements of their own."""
    commands: Commands
    """Must not change anything: it may be called several times, and while nobody else can write."""
    again: Again | None = None
    """Where chance decides: the same commands, given the state and the facts of the first time."""
    sign: Sign | None = None
    """The signature of the person who asks; ``meta.through`` names the key."""


def request_of(commands: Sequence[Command]) -> Request:
    """The request that comes to these commands, whatever the state."""
    return Request(replace(commands[0].meta, why="", acknowledge=()), lambda _: commands)


def asked_before(request: Request, before: Tournament, first: tuple[Recorded, ...]) -> Sequence[Command]:
    """The commands of a request that met this state and gave these facts; refuses another under its id."""
    if first[0].who == request.meta.who:
        facts = tuple(one.fact for one in first)
        try:
            again = request.again(before, facts) if request.again else request.commands(before)
            then = facts_then(before, [signed(command, request.meta) for command in again])
        except StoreRefused:
            raise
        except PaircardError:
            raise id_taken(first) from None
        # facts of earlier versions have the reason on all that a command recorded
        if [fact for fact, *_ in then] == [one.fact for one in first] and all(
            one.why in whys for one, (_, *whys) in zip(first, then, strict=True)
        ):
            return again
    raise id_taken(first)


def facts_then(state: Tournament, commands: Sequence[Command]) -> list[tuple[Event, str, str]]:
    """The facts the commands give on a state, why, and why the command was given; warnings were accepted the
    first time."""
    found: list[tuple[Event, str, str]] = []
    for command in commands:
        decision, why = weigh(state, command), command.meta.why
        state = fold(decision.events, state)
        found += [(event, why if decision.is_about(event) else "", why) for event in decision.events]
    return found


def id_taken(first: Sequence[Recorded]) -> IdTaken:
    one = first[0]
    deed = say(
        "used-for",
        version=one.version,
        who=one.who,
        when=one.when,
        what=say("of-a-kind", fact=TAGS[type(one.fact)]),
        count=len(first) - 1,
    )
    return IdTaken(one.command_id, deed, tuple(recorded.version for recorded in first))


# Who was there first: a refusal says what another person did to the same board, player or round


def with_the_other(
    refusal: Refused, facts: Sequence[Recorded], who: str, command: Command | None = None
) -> Refused:
    """The refusal, with what another person did to the same thing before, if that may be the cause."""
    last = next((one for one in reversed(facts) if in_the_way(one.fact, refusal, command)), None)
    if last and last.who != who:
        refusal.other = Deed(last.version, last.who, last.when, TAGS[type(last.fact)])
    return refusal


def in_the_way(fact: Event, refusal: Refused, command: Command | None) -> bool:
    """Whether a fact may be why a command was refused."""
    match refusal:
        case StaleDecision():
            return True
        case TournamentOver():
            return isinstance(fact, TournamentClosed)
        case Duplicate() | NotNow():
            return about_the_same(fact, command)
        case _:
            return False


def about_the_same(fact: Event, command: Command | None) -> bool:
    """Whether both are about one board, or one player, or one round; to be registered hinders nobody."""
    match command:
        case ask.OnBoard(round=round, board=board):
            return isinstance(fact, events.OnBoard) and (fact.round, fact.board) == (round, board)
        case ask.OfPlayer(player=player):
            registered = isinstance(fact, events.PlayerRegistered)
            return isinstance(fact, events.OfPlayer) and fact.player == player and not registered
        case ask.OfRound(round=round):
            return isinstance(fact, events.OfRound) and fact.round == round
        case _:
            return False
