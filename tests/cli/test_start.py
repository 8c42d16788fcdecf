"""What a command imports: half of a short run is starting, so nothing is loaded that it does not use."""

import subprocess
import sys

import pytest

from tests.cli.session import Terminal
from tests.cli.test_dropin import FOUR

NEVER = {
    "asyncio",
    "concurrent.futures",
    "importlib.metadata",
    "logging",
    "rich",
    "shutil",
    "sqlite_utils",
    "tempfile",
}
"""Slow to import, and needed by neither a look at a tournament nor a fact that is added."""


def imported(terminal: Terminal, *words: str) -> set[str]:
    """Modules a command loads."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "paircard.cli", *words],
        cwd=terminal.folder,
        env=terminal.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return modules_in(done.stderr)


def modules_in(told: str) -> set[str]:
    """Modules that ``-X importtime`` tells of."""
    return {line.rsplit("|", 1)[1].strip() for line in told.splitlines() if "|" in line}


@pytest.mark.parametrize("command", ["show", "boards", "standings"])
def test_who_only_looks_loads_no_part_of_the_library_that_records(playing: Terminal, command: str) -> None:
    modules = imported(playing, command)

    assert "paircard.domain.log.store" in modules
    assert (
        modules
        & (
            NEVER
            | {"eventsourcing", "pathlib", "random", "paircard.domain.deciding.decider", "paircard.pairing"}
        )
        == set()
    )


def test_a_round_is_paired_with_the_recorder_of_the_library_and_no_more_of_it(registered: Terminal) -> None:
    modules = imported(registered, "pair")

    assert "eventsourcing.sqlite" in modules
    assert modules & (NEVER | {"eventsourcing.application", "eventsourcing.domain", "pathlib"}) == set()


def test_a_result_is_entered_without_the_engine(playing: Terminal) -> None:
    modules = imported(playing, "result", "1", "1", "1-0")

    assert "eventsourcing.sqlite" in modules
    assert (
        modules & (NEVER | {"eventsourcing.application", "eventsourcing.domain", "paircard.pairing"}) == set()
    )


def test_the_engine_pairs_a_report_with_little_more_than_the_interpreter(terminal: Terminal) -> None:
    terminal.write("in.trf", FOUR)
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "-c",
            "from paircard.cli.engine.main import main; main()",
            "in.trf",
            "-p",
        ],
        cwd=terminal.folder,
        env={**terminal.environment, "PAIRCARD_DEBUG": "1"},  # so that it does not begin again the slow way
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    modules = modules_in(done.stderr)
    assert "paircard.pairing.dutch.pairing" in modules
    assert modules & (NEVER | {"click", "functools", "msgspec", "pathlib", "re", "types", "typing"}) == set()
