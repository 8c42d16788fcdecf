"""A program that calls a server; run and type-checked where nothing but the client is installed."""

import asyncio
import sys
from contextlib import aclosing

from paircard.domain import Regulations
from paircard.service import Standings
from paircard.web.client import AsyncClient, Client, ProblemAnswered


async def whole_event(base: str, key: str) -> str:
    """A tournament of one round by asyncio, until its feed tells the result; its id."""
    async with AsyncClient(base, key=key) as its:
        event = (await its.open(Regulations(name="Blitz", rounds=1))).id
        people = ({"do": "register-player", "details": {"name": name}} for name in ("Ada", "Ben"))
        await its.send(event, *people)
        version = (await its.send(event, {"do": "draw-initial-colour", "colour": "w"})).version
        for verb in ("pair-round", "publish-round"):
            version = (await its.send(event, {"do": verb, "round": 1}, expected=version)).version
        [board] = (await its.round(event, 1)).boards
        await its.send(event, {"do": "record-result", "round": 1, "board": board.board, "outcome": "1-0"})
        async with aclosing(its.follow(event, after=0)) as feed:
            async for message in feed:
                if message.data["fact"]["type"] == "result-recorded":
                    break
    return event


def looked_at(base: str, event: str) -> Standings:
    """What anybody sees of it, and that nobody may write without a key."""
    with Client(base) as anybody:
        try:
            anybody.send(event, {"do": "close-tournament"})
        except ProblemAnswered as refusal:
            print(refusal.problem.status, refusal.problem.type)
        for message in anybody.follow(event, after=0):
            if message.data["kind"] == "result-recorded":
                break
        return anybody.standings(event)


if __name__ == "__main__":
    event = asyncio.run(whole_event(*sys.argv[1:]))
    for line in looked_at(sys.argv[1], event).standings:
        print(line.rank, line.name, line.score)
    ours = {str(module.__file__) for name, module in sys.modules.items() if name.startswith("paircard.")}
    print(*{path.partition("/paircard/")[0] for path in ours})
