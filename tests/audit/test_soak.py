"""A thousand tournaments with corrections, alterations and late entries, replayed as an archive."""

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from paircard.domain.events import TAGS
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.bundles import take_in
from tests.audit.command_line import ok
from tests.audit.lives import life, rows
from tests.refusals import sentence

MANY = int(os.environ.get("PAIRCARD_SOAK", "1000"))


@pytest.mark.soak
def test_an_archive_of_a_thousand_tournaments_replays_identically(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "archive.db"
    kinds: Counter[str] = Counter()
    with Tournaments(path, create=True) as store:
        for seed in range(MANY):
            log = life(seed)
            kinds.update(TAGS[type(fact.fact)] for fact in log)
            take_in(store, log[0].tournament, rows(log))
    begun = time.perf_counter()

    found = json.loads(ok(path, "replay", "--all", "--json"))

    seconds = time.perf_counter() - begun
    assert found["tournaments"] == MANY
    assert found["not_accounted_for"] == []
    assert set(found["verdicts"]) <= {"identical", "altered", "by-hand"}
    assert sum(found["verdicts"].values()) == found["rounds"] == kinds["round-paired"]
    with capsys.disabled():
        print(f"\n{MANY} tournaments, {found['facts']} facts, {found['rounds']} rounds in {seconds:.1f} s:")
        print(found["verdicts"], dict(kinds.most_common()))
    sound = sentence("cli.verify.all", there=MANY, facts=found["facts"], number=0, count=0)
    assert ok(path, "verify", "--all").splitlines()[-1] == sound
