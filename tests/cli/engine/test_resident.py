"""An engine that stays: a line in, a line out, whatever the line is."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paircard.cli.engine import resident
from paircard.cli.engine.main import run as engine
from paircard.cli.engine.resident import serve
from paircard.projections.trf import decode

PROGRAMS = Path(__file__).parents[2] / "corpus" / "programs"
GOLDEN = Path(__file__).parents[2] / "golden" / "dutch-2026"


def report_of(path: Path) -> str:
    return decode(path.read_bytes())


SOME = sorted(GOLDEN.glob("*.trf"))[:12]


def asked(**request: Any) -> bytes:
    return json.dumps(request).encode() + b"\n"


def answers(*lines: bytes) -> list[dict[str, Any]]:
    out = io.BytesIO()
    serve(io.BytesIO(b"".join(lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def started() -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-m", "paircard.cli.engine.main", "--serve"]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_each_report_is_paired_as_the_engine_pairs_it_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answers(*(asked(report=report_of(path), id=path.name) for path in SOME))

    assert [one["id"] for one in found] == [path.name for path in SOME]
    for path, one in zip(SOME, found, strict=True):
        code = engine(["--dutch", str(path), "-p"])
        alone = capsys.readouterr().out.splitlines()[1:]
        if code:
            assert "boards" not in one
            assert one["problem"]["detail"]
            continue
        boards = [f"{white} {black}" for white, black in one["boards"]]
        assert boards + ([f"{one['pab']} 0"] if one["pab"] else []) == alone
    assert sum("boards" in one for one in found) >= 6


def test_an_edition_and_acceleration_are_taken_from_the_request() -> None:
    report = report_of(next(path for path in SOME if "boards" in answers(asked(report=report_of(path)))[0]))
    [old, baku, wrong] = answers(
        asked(report=report, edition="dutch-2017"),
        asked(report=report, baku=True),
        asked(report=report, edition="dutch-1999", id=[1, {"a": None}]),
    )
    assert old["edition"] == "dutch-2017"
    assert "boards" in baku
    assert wrong["id"] == [1, {"a": None}]
    assert wrong["problem"]["code"] == "pairing.edition-unknown"
    assert wrong["problem"]["fields"]["text"] == "dutch-1999"


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"report\n",
        b"{}\n",
        b'{"report": 7}\n',
        b'{"report": "x", "colour": "w"}\n',
        b'{"report": "\xff"}\n',
        b"[" * 100_000 + b"\n",
        b"\x00\n",
    ],
)
def test_a_bad_line_is_answered_and_the_next_one_is_read(line: bytes) -> None:
    bad, good = answers(line, asked(report=report_of(SOME[0]), id=1))

    assert bad["problem"]["code"] == "cli.engine.not-a-request"
    assert good["id"] == 1


def test_a_report_that_cannot_be_read_is_a_problem_with_its_fields() -> None:
    [empty, rubbish] = answers(asked(report="", id=1), asked(report="001 rubbish", id=2))

    for number, one in enumerate((empty, rubbish), start=1):
        assert one["id"] == number
        assert set(one["problem"]) == {"code", "fields", "detail"}


def test_a_line_that_is_too_long_is_passed_over_in_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident, "LARGEST", 1000)
    monkeypatch.setattr(resident, "STEP", 100)
    small = asked(report="", id=1)

    long, good, last = answers(asked(report="x" * 5000), small, b'{"report": "' + b"x" * 5000)

    assert long["problem"]["code"] == last["problem"]["code"] == "cli.engine.line-too-long"
    assert good["id"] == 1


def test_the_last_line_needs_no_end_and_closing_the_input_ends_it() -> None:
    engine = started()
    out, err = engine.communicate(asked(report=report_of(SOME[0]), id="last").rstrip(b"\n"), timeout=60)

    assert json.loads(out)["id"] == "last"
    assert (engine.returncode, err) == (0, b"")


def test_answers_come_at_once_one_for_each_line_and_ctrl_c_ends_it_without_a_word() -> None:
    with started() as engine:
        assert engine.stdin
        assert engine.stdout
        for number in range(3):
            engine.stdin.write(asked(report=report_of(SOME[0]), id=number))
            engine.stdin.flush()
            assert json.loads(engine.stdout.readline())["id"] == number
        engine.send_signal(signal.SIGINT)
        _, err = engine.communicate(timeout=60)
    assert err == b""


def test_a_reader_that_goes_away_ends_it() -> None:
    with started() as engine:
        assert engine.stdin
        assert engine.stdout
        engine.stdout.close()
        engine.stdin.write(asked(report=report_of(SOME[0])))
        engine.stdin.close()
        assert engine.wait(60) == 5
        assert engine.stderr
        assert engine.stderr.read() == b""
