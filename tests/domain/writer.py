"""A process that writes to a tournament and says so after each answer; tests start and kill it."""

import sys
from pathlib import Path

from paircard.domain.commands import Command, Meta, SetExternalTiebreak
from paircard.domain.log.store import Tournaments

BATCH = 7


def batch(name: str, number: int) -> list[Command]:
    return [
        SetExternalTiebreak(
            meta=Meta(who=name, when="2026-11-16T09:30:00Z", command_id=f"{name}-{number}"),
            player=1,
            name="PLAYOFF",
            value=number,
        )
        for _ in range(BATCH)
    ]


def main(path: str, tournament: str, name: str, count: int) -> None:
    with Tournaments(Path(path), patience=120) as store:
        for number in range(count):
            answer = store.ask(tournament, *batch(name, number))
            print(number, answer.state.version, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
