"""A writer ended at every single call that writes: nothing answered is lost, nothing half done, none twice.

The calls are counted by a library that is preloaded into the writer (``shim.c``, built here). So each kill
is at a chosen place between the first byte and the last sync, not at a moment that chance gave.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from paircard.domain.commands import OpenTournament
from paircard.domain.log.store import Tournaments
from paircard.domain.values.regulations import Regulations
from tests.domain.scenes import ask
from tests.domain.test_contract import ONE, entry
from tests.domain.writer import BATCH
from tests.roots import ROOT

WAYS = ("kill", "after", "half", "eio", "enospc")

WRITER = """
import os, sys
from paircard.domain.errors import Refused
from paircard.domain.log.store import Tournaments
from tests.domain.writer import batch
with Tournaments(sys.argv[1], patience=30) as store:
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + 3):
        try:
            answer = store.ask(sys.argv[3], *batch("w", number))
        except Refused as refusal:
            print("refused", number, flush=True)
            break
        print("answered", number, answer.repeated, flush=True)
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler or sys.platform != "linux":
        pytest.skip("the library that ends a writer at a chosen call needs a C compiler on Linux")
    made = tmp_path_factory.mktemp("shim") / "shim.so"
    source = Path(__file__).with_name("shim.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True)
    return made


class Trial:
    """One file, and writers one after the other."""

    def __init__(self, path: Path, shim: Path) -> None:
        self.path, self.shim = path, shim
        self.answered: set[int] = set()
        self.kills = self.refusals = self.repeats = 0
        with Tournaments(path, create=True) as store:
            rules = Regulations(name="Open", rounds=5, tiebreaks=("OTHER_PLAYOFF",))
            store.ask(ONE, ask(OpenTournament, regulations=rules))
            store.ask(ONE, entry("Anand"))

    def write(self, first: int, at: int, how: str) -> int:
        """Three requests from a number on, ended at a call; how many calls there were."""
        counts = self.path.with_name("calls")
        counts.unlink(missing_ok=True)
        roots = os.pathsep.join(str(ROOT / part) for part in ("domain", "."))
        run = subprocess.run(
            [sys.executable, "-c", WRITER, str(self.path), str(first), ONE],
            env={
                **os.environ,
                "PYTHONPATH": roots,
                "LD_PRELOAD": str(self.shim),
                "SHIM_AT": str(at),
                "SHIM_HOW": how,
                "SHIM_COUNT": str(counts),
            },
            capture_output=True,
            text=True,
        )
        assert "Traceback" not in run.stderr, run.stderr
        self.kills += run.returncode == -9
        for line in run.stdout.splitlines():
            word, number, *repeated = line.split()
            if word == "answered":
                self.answered.add(int(number))
                self.repeats += repeated == ["True"]
            else:
                self.refusals += 1
        return int(counts.read_text()) if counts.exists() else 0

    def check(self) -> None:
        """What the file says afterwards."""
        with Tournaments(self.path) as store:
            length, _ = store.verify_chain(ONE)
            found = Counter(fact.command_id for fact in store.log(ONE, after=2))
            assert store.faults() == []
        assert set(found.values()) <= {BATCH}, "a request was recorded in part, or twice"
        assert length == 2 + sum(found.values())
        lost = {f"w-{number}" for number in self.answered} - set(found)
        assert not lost, f"answered and lost: {lost}"


def end_at_every_call(tmp_path: Path, shim: Path, ways: tuple[str, ...], limit: int) -> Trial:
    """Count the calls of three requests, then end a writer at each of them, in each way."""
    whole = None
    done = 0
    for turn in range(1000):
        trial = Trial(tmp_path / f"{turn}.db", shim)
        calls = trial.write(0, 0, "kill")
        assert calls > 3, "the writer wrote nothing"
        for how in ways:
            for at in range(1, calls + 1):
                first = 3 * (done + 1)
                trial.write(first, at, how)
                trial.check()
                trial.write(first, 0, "kill")  # sent again, under the same ids
                trial.check()
                assert {first, first + 1, first + 2} <= trial.answered
                done += 1
                if done >= limit:
                    break
            if done >= limit:
                break
        if whole:
            trial.kills, trial.refusals = trial.kills + whole.kills, trial.refusals + whole.refusals
            trial.repeats += whole.repeats
        whole = trial
        if done >= limit:
            return trial
    raise AssertionError


def test_a_writer_ended_at_chosen_calls_loses_nothing(tmp_path: Path, shim: Path) -> None:
    trial = end_at_every_call(tmp_path, shim, ("after", "half"), limit=12)
    assert trial.kills > 5


@pytest.mark.soak
def test_a_thousand_writers_ended_at_chosen_calls_lose_nothing(tmp_path: Path, shim: Path) -> None:
    limit = int(os.environ.get("PAIRCARD_KILLS", "1250"))
    trial = end_at_every_call(tmp_path, shim, WAYS, limit)
    print(
        f"\n{limit} endings at chosen calls: {trial.kills} kills, {trial.refusals} refusals, "
        f"{trial.repeats} sent again and answered as done; 0 lost, 0 partial, 0 twice"
    )
