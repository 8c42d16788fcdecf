"""The list of tournaments: made from the catalogue alone, and as true as every log folded."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from paircard.domain import commands as c
from paircard.domain.values.regulations import RegulationChanges
from paircard.pairing import ENGINE
from paircard.service import Office
from tests.audit.command_line import grow, ok
from tests.audit.lives import Life, life, rows


def one_by_one(location: str) -> list[dict[str, object]]:
    """The same list, from every log folded."""
    with Office.open(location) as office:
        return [asdict(office.tournament(id).now().summary()) for id in office.ids()]


def lives() -> list[Life]:
    """One renamed, one out of FIDE mode, two whose last round was taken back: ended before it, or by it."""
    renamed, left = Life(901), Life(902)
    renamed.open(4, 3)
    assert renamed.ask(c.ChangeRegulations, changes=RegulationChanges(name="Another name", rounds=5))
    left.open(4, 3)
    assert left.ask(c.LeaveFideMode, why="club evening")
    assert left.pair()
    return [renamed, left, taken_back(903, ended=False), taken_back(904, ended=True)]


def taken_back(seed: int, *, ended: bool) -> Life:
    """Two rounds played, the third paired and taken back."""
    one = Life(seed)
    one.chance = lambda percent: False  # type: ignore[method-assign]
    one.open(6, 3)
    for _ in range(2):
        assert one.pair()
        one.play()
    assert not ended or one.ask(c.CompleteRound, round=2)
    boards, pab, digest = one.engine() or ((), 0, "")
    fields: dict[str, Any] = {"boards": boards, "pab": pab, "snapshot": digest, "engine": ENGINE}
    assert one.ask(c.PairRound, round=3, based_on=one.state.version, **fields)
    assert one.ask(c.UnpairRound, round=3)
    return one


def test_the_list_is_that_of_every_log_folded_at_any_moment(location: str) -> None:
    logs = [life(seed) for seed in range(10)] + [one.log for one in lives()]
    chance = random.Random(3)
    at = [chance.randint(1, len(log)) for log in logs]
    for round in range(4):
        for log, end in zip(logs, at, strict=True):
            grow(location, log[0].tournament, rows(log[:end]))

        listed = json.loads(ok(location, "list", "--json"))

        assert listed == one_by_one(location), round
        assert len(listed) == len(logs)
        at = [
            chance.randint(end, len(log)) if round < 2 else len(log)
            for log, end in zip(logs, at, strict=True)
        ]
    stages = {one["state"] for one in listed}
    assert {"registration", "closed", "round 2 completed", "round 2 in play"} <= stages
    assert len([one["name"] for one in listed if not one["fide_mode"]]) == 1


@pytest.mark.parametrize("seed", range(5))
def test_after_every_single_fact_the_list_is_that_of_the_log_folded(tmp_path: Path, seed: int) -> None:
    log = life(seed, players=4, rounds=3)
    path = str(tmp_path / "events.db")
    for end in range(1, len(log) + 1):
        grow(path, log[0].tournament, rows(log[:end]))

        assert json.loads(ok(path, "list", "--json")) == one_by_one(path), log[end - 1].fact
