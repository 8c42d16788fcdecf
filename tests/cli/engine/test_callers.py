"""Programs that call an engine, each as it calls one: what it types, and how it reads the answer.

Written from what the callers do (their public sources, November 2026); nothing of theirs is in here.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paircard.pairing import NoLegalRound, next_round
from tests.cli.engine.test_drop_in import FOUR, answers
from tests.roots import PYTHONPATH


def called(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """The executable, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "paircard.cli.engine.main", *words],
        cwd=cwd, env=os.environ | {"PYTHONPATH": PYTHONPATH}, capture_output=True, text=True,
    )  # fmt: skip


def report(folder: Path, text: str = FOUR) -> str:
    (folder / "in.trf").write_text(text)
    return str(folder / "in.trf")


def boards_of(text: str) -> list[tuple[int, int]]:
    """The lines after the number of pairs."""
    count, *lines = text.splitlines()
    assert int(count) == len(lines)
    return [(int(white), int(black)) for white, black in map(str.split, lines)]


@pytest.mark.parametrize("more", [("-q", "10000"), ("-q", "10000", "-w"), ("-w",)])
def test_heltour_bounds_the_search_of_javafo_and_asks_again_with_the_other_one(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    """``java -jar javafo.jar IN -p OUT -q 10000``, then with ``-w``; it reads the file OUT."""
    out = tmp_path / "pairs.txt"
    done = called(report(tmp_path), "-p", str(out), *more, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert boards_of(out.read_text()) == boards_of(called(report(tmp_path), "-p", cwd=tmp_path).stdout)


def test_lila_reads_standard_output_of_the_dutch_system(tmp_path: Path) -> None:
    """``EXE --dutch FILE -p``: the first line is dropped, ``N 0`` is a bye, the rest are boards."""
    text, answer = next((text, answer) for text, answer in answers() if answer.strip() != "none")
    done = called("--dutch", report(tmp_path, text), "-p", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (0, answer)


def test_lila_finds_the_words_for_a_round_that_cannot_be_paired(tmp_path: Path) -> None:
    """A status other than 0 with ``No valid pairing exists`` on standard error ends the event in peace."""
    text = next(text for text, answer in answers() if answer.strip() == "none")
    done = called("--dutch", report(tmp_path, text), "-p", cwd=tmp_path)

    assert done.returncode == 1
    assert "No valid pairing exists" in done.stderr


@pytest.mark.parametrize("system", ["--burstein", "--fast"])
def test_lila_is_told_plainly_of_a_system_that_is_not_here(system: str, tmp_path: Path) -> None:
    """From 250 players it asks for --burstein, from 700 for --fast: a refusal, never a round of other rules
    and never what would end the event."""
    done = called(system, report(tmp_path), "-p", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (3, "")
    assert "No valid pairing exists" not in done.stderr
    assert "Traceback" not in done.stderr


def test_sharly_chess_generates_and_checks_and_reads_the_check_list(tmp_path: Path) -> None:
    """``--dutch -g -o OUT -s SEED``, ``--dutch OUT -c``, ``--dutch IN -p OUT -l LIST``: columns by tabs."""
    made = called("--dutch", "-g", "-o", str(tmp_path / "made.trf"), "-s", "7", cwd=tmp_path)
    checked = called("--dutch", str(tmp_path / "made.trf"), "-c", cwd=tmp_path)
    paired = called(
        "--dutch", report(tmp_path), "-p", str(tmp_path / "out.txt"), "-l", str(tmp_path / "list.txt"),
        cwd=tmp_path,
    )  # fmt: skip

    assert (made.returncode, checked.returncode, paired.returncode) == (0, 0, 0)
    assert "made: Round #1" in checked.stdout
    lines = (tmp_path / "list.txt").read_text().splitlines()
    heading = next(line for line in lines if line.lstrip().startswith("ID"))
    columns = heading.split("\t")
    rows = [line.split("\t") for line in lines if line.partition("\t")[0].strip().isdecimal()]
    assert {"Pts"} <= {column.strip() for column in columns}
    assert [int(row[0]) for row in rows] == [1, 2, 3, 4]
    assert {len(row) for row in rows} == {len(columns)}


def test_pychess_variants_pairs_in_process() -> None:
    """A report as text in, boards by starting rank out, a bye apart, an error of its own type."""
    made = next_round(FOUR)

    assert (made.round, sorted(map(sorted, made.boards)), made.pab) == (2, [[1, 2], [3, 4]], 0)
    text = next(text for text, answer in answers() if answer.strip() == "none")
    with pytest.raises(NoLegalRound):
        next_round(text)


def test_chessgrinder_takes_the_executable_where_it_had_javafo_in_process(tmp_path: Path) -> None:
    """JaVaFo's code 1000 is pairing: a report with ``XXR`` and absentees as ``XXZ`` in, pairs out; ``0`` in a
    pair is a bye."""
    text = FOUR.replace("XXC white1\n", "XXC white1\nXXZ 4\n")
    done = called(report(tmp_path, text), "-p", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    boards = boards_of(done.stdout)
    assert sorted(number for pair in boards for number in pair) == [0, 1, 2, 3]
    assert [pair for pair in boards if 0 in pair] == [(3, 0)]
