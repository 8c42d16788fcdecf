"""Programs that call an engine, each as it calls one: what it types, and how it reads the answer.

Written from what the callers do (their public sources, November 2026); nothing of theirs is in here.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from paircard.pairing import NoLegalRound, next_round
from paircard.projections.trf import TrfError
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


class Played(NamedTuple):
    """A player after two rounds, and each round as opponent, colour and result."""

    points: float
    rounds: tuple[tuple[int, str, str], ...]
    plays: bool = True


EVENT = (
    Played(2.0, ((5, "w", "1"), (4, "b", "1"))),
    Played(1.5, ((6, "b", "1"), (3, "w", "="))),
    Played(1.5, ((7, "w", "+"), (2, "b", "="))),
    Played(1.0, ((8, "b", "1"), (1, "w", "0"))),
    Played(1.0, ((1, "b", "0"), (6, "w", "1")), plays=False),
    Played(0.0, ((2, "w", "0"), (5, "b", "0"))),
    Played(1.0, ((3, "b", "-"), (0, "-", "U"))),
    Played(0.5, ((4, "w", "0"), (0, "-", "H"))),
    Played(0.0, ((0, "-", "Z"), (0, "-", "Z"))),
)
"""A forfeit, a bye, a half-point bye, one who came late, and one who misses the next round."""


def as_the_handbook_has_it() -> str:
    lines = ["012 Open", "XXR 5", "XXC white1"]
    for at, one in enumerate(EVENT, 1):
        rounds = "".join(f"  {foe or '0000':>4} {side} {result}" for foe, side, result in one.rounds)
        begin = f"001 {at:>4}      {f'P{at}':<33} {2400 - at:>4}{'':28}{one.points:>4.1f} {at:>4}"
        lines.append(begin + rounds + ("" if one.plays else "  0000 - Z"))
    return "\n".join(lines) + "\n"


def columns(*words: tuple[int, str]) -> str:
    """A line of words, each with the column it ends in."""
    line = ""
    for end, word in words:
        line = line.ljust(end - len(word)) + word
    return line


def as_lila_writes() -> str:
    """Names end where they end, players come in any order; a bye has neither opponent nor colour."""
    lines = ["012 Été 🙂", "042 Aug 22, 2026", "052 ", "092 Individual: Swiss-System", "XXR 5", "XXC white1"]
    for at, one in reversed(list(enumerate(EVENT, 1))):
        name = f"user{at}" + "x" * 2 * at
        line = [(3, "001"), (8, str(at)), (15 + len(name), name), (52, str(2400 - at)), (84, str(one.points))]
        for end, (foe, side, result) in zip((95, 105), one.rounds, strict=True):
            line += [
                (end, str(foe or "")),
                (end + 2, side if foe else ""),
                (end + 4, result.replace("Z", "-")),
            ]
        lines.append(columns(*line, *([] if one.plays else [(115, "0000"), (119, "-")])))
    return "\n".join(lines)


def as_heltour_writes() -> str:
    """Neither names nor ratings; a bye is a forfeit against 0000, and who came late has blanks."""
    lines = ["XXR 5"]
    marks = {"U": "- +", "H": "- =", "Z": "-  "}
    for at, one in enumerate(EVENT, 1):
        line = f"001  {at:>3}  {one.points:74.1f}     "
        for foe, side, result in one.rounds:
            line += f"{foe or '0000':>6} {marks.get(result, f'{side} {result}')}"
        lines.append(line if one.plays else f"{line}  0000 - -")
    return "\n".join(lines) + "\n"


def as_chessgrinder_writes() -> str:
    """Points begin in their column, a rank is missing, and what is said of the event comes last."""
    lines = []
    for at, one in enumerate(EVENT, 1):
        line = f"001 {at:>4}      {f'Имя {at}':<33} {2400 - at:>4}{'':29}{one.points:<4.1f}      "
        lines.append(
            line + "".join(f"{foe or '0000':>4} {side} {result}  " for foe, side, result in one.rounds)
        )
    away = [str(at) for at, one in enumerate(EVENT, 1) if not one.plays]
    return "\n".join([*lines, "XXR 5", f"XXZ {' '.join(away)}"]) + "\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (as_lila_writes(), ("--dutch", "IN", "-p")),
        (as_heltour_writes(), ("IN", "-p", "-q", "10000")),
        (as_chessgrinder_writes(), ("IN", "-p")),
    ],
    ids=["lila", "heltour", "ChessGrinder"],
)
def test_a_report_as_its_caller_spells_it_is_paired_as_the_handbook_spells_it(
    text: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    expected = next_round(as_the_handbook_has_it())
    done = called(*(report(tmp_path, text) if one == "IN" else one for one in words), cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert (
        boards_of(done.stdout) == [*expected.boards, (expected.pab, 0)] if expected.pab else expected.boards
    )


def test_a_scoring_that_pychess_gives_janggi_is_refused_with_what_is_wrong() -> None:
    """Seven points for a win, none for a draw and two for a half-point bye: no rules of ours have that."""
    text = FOUR.replace("XXC white1\n", "XXC white1\nXXS WW=7.0 BW=7.0 WD=0.0 BD=0.0 HPB=2.0 PAB=7.0\n")
    with pytest.raises(TrfError, match="HPB"):
        next_round(text)
