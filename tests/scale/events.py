"""Tournaments of any size, made without an engine, and commands to be sent several times."""

import random
from collections.abc import Iterator
from typing import Any

from paircard.domain.commands import (
    Command,
    CompleteRound,
    DrawInitialColour,
    Meta,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
)
from paircard.domain.log.store import Tournaments
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import OUTCOMES
from tests.cautions import codes_up_to

WHEN = "2026-11-16T09:30:00Z"


def asked(kind: type[Any], id: str, who: str = "Anna", **fields: Any) -> Any:
    return kind(meta=Meta(who=who, when=WHEN, command_id=id, acknowledge=codes_up_to(3)), **fields)


def opening(name: str, players: int, rounds: int) -> list[Command]:
    """All that comes before round 1."""
    return [
        asked(
            OpenTournament,
            "open",
            regulations=Regulations(name=name, rounds=rounds, tiebreaks=("BH", "OTHER_PLAYOFF")),
        ),
        *(
            asked(RegisterPlayer, f"p{n}", details=Details(name=f"Player {n:04}", rating=2800 - n // 2))
            for n in range(1, players + 1)
        ),
        asked(DrawInitialColour, "draw", colour="w"),
    ]


def circle(players: int, round: int) -> tuple[tuple[int, int], ...]:
    """Boards of a round robin: nobody meets twice in the first rounds."""
    turning = list(range(2, players + 1))
    turn = (round - 1) % len(turning)
    seats = [1, *turning[turn:], *turning[:turn]]
    half = players // 2
    pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
    return tuple((a, b) if (n + round) % 2 else (b, a) for n, (a, b) in enumerate(pairs))


def next_round(store: Tournaments, id: str, players: int, round: int) -> None:
    """Complete the round before, pair and publish this one."""
    if round > 1:
        store.ask(id, asked(CompleteRound, f"complete {round - 1}", round=round - 1))
    seen = store.state(id).version
    boards = circle(players, round)
    digest = f"{round:064x}"
    pair = asked(PairRound, f"pair {round}", round=round, boards=boards, based_on=seen, snapshot=digest)
    store.ask(id, pair, asked(PublishRound, f"publish {round}", round=round))


def result(round: int, board: int) -> RecordResult:
    """The result of a board; its id says which, so however often it is sent it is one command."""
    command: RecordResult = asked(
        RecordResult,
        f"result {round}/{board}",
        who=f"arbiter {board % 8}",
        round=round,
        board=board,
        outcome=OUTCOMES[(round + board) % 3],
    )
    return command


def sendings(round: int, boards: int, processes: int, seed: int) -> Iterator[list[RecordResult]]:
    """For each process what it sends: every result goes out one to five times, from any of them."""
    chance = random.Random(seed * 1000 + round)
    shares: list[list[RecordResult]] = [[] for _ in range(processes)]
    for board in range(1, boards + 1):
        for copy in range(chance.randint(1, 5)):
            shares[(board if not copy else chance.randrange(processes)) % processes].append(
                result(round, board)
            )
    return iter(shares)
