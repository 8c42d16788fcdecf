"""A request: the commands it comes to on the state it meets, so that it can be made again."""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import Command, Meta
from paircard.domain.errors import IdTaken, PaircardError, StaleDecision, StoreRefused
from paircard.domain.events import Event, Recorded
from paircard.domain.log.retry import taken
from paircard.domain.log.store import Answer, Tournaments
from paircard.domain.state import NOTHING, Tournament, fold

Commands = Callable[[Tournament], Sequence[Command]]
Again = Callable[[Tournament, tuple[Event, ...]], Sequence[Command]]

ATTEMPTS = 50


class Request(msgspec.Struct, frozen=True):
    """Who asks, and what it comes to: anew, or given the state and the facts of the first time."""

    meta: Meta
    commands: Commands
    again: Again


def run(store: Tournaments, tournament: str, request: Request, *, expected: int | None = None) -> Answer:
    """Carry out a request, again if somebody was faster; one that was carried out before is answered so."""
    id = request.meta.command_id
    for _ in range(ATTEMPTS):
        state = store.state(tournament) if store.version(tournament) else NOTHING
        if state.knows(id):
            return _repeated(store, tournament, request)
        if expected not in (None, state.version):
            raise StaleDecision(
                f"this was decided at version {expected}, the tournament is at {state.version}: look again"
            )
        try:
            return store.ask_all(tournament, _numbered(request.commands(state)))
        except StaleDecision:
            continue
    raise StaleDecision("others were always faster: try again")


def _repeated(store: Tournaments, tournament: str, request: Request) -> Answer:
    id = request.meta.command_id
    log = store.log(tournament)
    start = next(at for at, one in enumerate(log) if one.command_id == id)
    first: list[Recorded] = []
    for one in log[start:]:
        if one.command_id != id and not one.command_id.startswith(f"{id}-"):
            break
        first.append(one)
    before = fold([one.fact for one in log[:start]])
    try:
        commands = _numbered(request.again(before, tuple(one.fact for one in first)))
        answer = store.ask_all(tournament, commands)
    except StoreRefused:
        raise
    except IdTaken:
        raise
    except PaircardError:
        raise taken(first) from None
    if not answer.repeated or answer.recorded != tuple(first):
        raise taken(first)
    return answer


def _numbered(commands: Sequence[Command]) -> list[Command]:
    return [
        command
        if at == 1
        else replace(command, meta=replace(command.meta, command_id=f"{command.meta.command_id}-{at}"))
        for at, command in enumerate(commands, start=1)
    ]
