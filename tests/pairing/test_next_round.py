"""Text of a report in, boards of the next round out: what programs call that pair in their own process."""

import subprocess
import sys
from pathlib import Path

import pytest

from paircard.cli.engine.main import run
from paircard.domain import Invalid
from paircard.pairing import NoLegalRound, PairingError, next_round
from paircard.projections import TrfError
from paircard.projections.trf import parse
from tests.refusals import refuses

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*/*.trf"))
FIVE = "\n".join(
    [
        "012 Five",
        "142 3",
        "152 W",
        "192 FIDE_DUTCH_2026",
        *(f"001 {number:>4}      {name:<33} {2000 - number:>4}{'':28} 0.0" for number, name in
          enumerate(("Ada", "Ben", "Cleo", "Dag", "Eve"), 1)),
        "",
    ]
)  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_function_and_the_engine_give_the_same_round(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edition = path.parent.name
    code = run(["--edition", edition, str(path), "-p"])
    shown = capsys.readouterr().out

    try:
        made = next_round(path.read_bytes(), edition=edition)
    except NoLegalRound:
        assert (code, shown) == (1, "")
        assert path.with_suffix(".pairs").read_text().split() == ["none"]
        return
    boards = [*made.boards, *([(made.pab, 0)] if made.pab else [])]
    assert shown == "".join([f"{len(boards)}\n", *(f"{white} {black}\n" for white, black in boards)])
    assert sorted(shown.splitlines()) == sorted(path.with_suffix(".pairs").read_text().splitlines())
    assert made.edition == edition


def test_a_round_can_be_asked_of_text_bytes_or_a_report() -> None:
    made = next_round(FIVE)

    assert (made.round, made.edition, made.boards, made.pab) == (1, "dutch-2026", ((1, 3), (4, 2)), 5)
    with refuses(Invalid, "wrong-type", path="report"):
        next_round(Path("five.trf"))  # type: ignore[arg-type]
    assert next_round(FIVE.encode()) == next_round(parse(FIVE)) == made
    assert next_round(FIVE, edition="dutch-2017").edition == "dutch-2017"


def test_the_next_round_of_a_round_robin_is_the_line_of_its_table() -> None:
    """C.05 Annex 1, five players: number 1 is free in round 1; no colour is drawn."""
    report = (
        FIVE.replace("152 W\n", "").replace("142 3", "142 5").replace("FIDE_DUTCH_2026", "FIDE_ROUNDROBIN")
    )

    made = next_round(report)

    assert (made.edition, made.boards, made.pab) == ("round-robin", ((2, 5), (3, 4)), 0)


@pytest.mark.parametrize(
    ("report", "edition", "code"),
    [
        (FIVE.replace("142 3\n", ""), "", "pairing.report-without-rounds"),
        (FIVE.replace("152 W\n", ""), "", "pairing.report-without-colour"),
        (FIVE.replace("DUTCH_2026", "BURSTEIN"), "", "pairing.report-other-system"),
        (FIVE, "dutch-1999", "pairing.edition-unknown"),
    ],
)
def test_a_report_that_says_too_little_is_refused(report: str, edition: str, code: str) -> None:
    with refuses(PairingError, code):
        next_round(report, edition=edition)


def test_a_report_that_cannot_be_read_is_refused_with_every_fault() -> None:
    with pytest.raises(TrfError) as refusal:
        next_round(FIVE.replace("001    1 ", "001    x ").replace("142 3", "142 x"))

    assert [fault.record for fault in refusal.value.problems] == ["142", "001"]
    with refuses(TrfError, "trf.faults"):
        next_round("")


def test_neither_a_store_nor_a_command_line_is_loaded() -> None:
    program = (
        "import sys; from paircard.pairing import next_round; next_round(sys.stdin.read()); "
        "print(*sorted({'eventsourcing', 'click', 'sqlite3', 'jinja2'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=FIVE, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == []
