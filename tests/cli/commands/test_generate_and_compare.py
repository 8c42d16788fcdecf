"""Random tournaments on the command line, and another engine to hold ours against."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paircard.cli.main import run
from paircard.domain.messages import Message
from paircard.projections.standings.tiebreaks import RULES
from paircard.projections.trf import crosstable, parse, read
from tests.refusals import sentence
from tests.roots import PYTHONPATH


def generated(path: Path, *options: str) -> str:
    assert run(["generate", str(path), "--players", "12", "--rounds", "5", *options]) == 0
    return path.read_text(encoding="utf-8")


def test_the_same_seed_writes_the_same_file_and_no_seed_another(tmp_path: Path) -> None:
    first = generated(tmp_path / "a.trf", "--seed", "42")

    assert generated(tmp_path / "b.trf", "--seed", "42") == first
    assert generated(tmp_path / "c.trf") != generated(tmp_path / "d.trf")
    assert "### Seed 42\n" in first


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--edition", "dutch-2017"),
        ("--baku", "--half-point-byes", "5%"),
        ("--full-point-byes", "2", "--zero-point-byes", "2:3", "--forfeits", "10%", "--odd-results", "10%"),
        ("--scoring", "3-1-0-2", "--prohibited", "3", "--late", "2", "--withdrawals", "20%"),
        ("--apart", "1,2,3", "--initial-colour", "black", "--tiebreaks", "BH/C1,SB"),
        ("--for", "bbp"),
    ],
)
def test_what_is_generated_passes_the_check(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generated(tmp_path / "a.trf", "--seed", "7", *options)

    assert run(["check", str(tmp_path / "a.trf")]) == 0, capsys.readouterr()
    assert capsys.readouterr().out.endswith(sentence("cli.check.unexplained", count=0) + "\n")


def test_settings_reach_the_file(tmp_path: Path) -> None:
    text = generated(
        tmp_path / "a.trf",
        *("--baku", "--apart", "1,2", "--initial-colour", "black", "--tiebreaks", "BH,SB"),
        *("--half-point-byes", "0", "--zero-point-byes", "0"),
    )

    reading = read(parse(text))
    assert reading.table.initial_colour == "b"
    assert reading.table.prohibitions[0].ids == (1, 2)
    assert [row.number for row in reading.table.rows if row.virtual] == [1, 2, 3, 4, 5, 6]
    assert parse(text).text("202") == "BH,SB"
    assert reading.system == "FIDE_DUTCH_2026_BAKU"


def test_many_tournaments_go_into_a_folder(tmp_path: Path) -> None:
    assert run(["generate", str(tmp_path / "many"), "--count", "3", "--players", "6", "--seed", "5"]) == 0

    assert sorted(path.name for path in (tmp_path / "many").iterdir()) == [
        "0000000005.trf",
        "0000000006.trf",
        "0000000007.trf",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ("--half-point-byes", "many"),
        ("--half-point-byes", "120%"),
        ("--scoring", "3-1"),
        ("--ratings", "2400,x"),
        ("--ratings", "2400,2300"),
        ("--highest", "1500", "--lowest", "1600"),
        ("--apart", "1,99"),
        ("--baku", "--scoring", "3-1-0"),
        ("--tiebreaks", "NONSENSE"),
        ("--rounds", "0"),
    ],
)
def test_settings_that_make_no_sense_are_wrong_usage(options: tuple[str, ...], tmp_path: Path) -> None:
    assert run(["generate", str(tmp_path / "a.trf"), "--players", "12", *options]) == 2
    assert not (tmp_path / "a.trf").exists()


def too_many(label: str, count: int, most: int) -> dict[str, Any]:
    return {"label": label, "count": count, "most": most}


def share(value: str, where: str, **fields: Any) -> dict[str, Any]:
    return {"value": value, "where": Message(where, fields)}


@pytest.mark.parametrize(
    ("options", "code", "fields"),
    [
        (("--half-point-byes", "100000"), "pairing.too-many", too_many("half_point_byes", 100000, 60)),
        (
            ("--full-point-byes", "2:13"),
            "pairing.too-many-in-round",
            {**too_many("full_point_byes", 13, 12), "round": 2},
        ),
        (
            ("--zero-point-byes", "9:3"),
            "pairing.round-beyond",
            {"label": "zero_point_byes", "round": 9, "rounds": 5},
        ),
        (("--half-point-byes", "0:3"), "cli.not-an-amount", {"text": "0:3"}),
        (
            ("--half-point-byes", "60%", "--full-point-byes", "3:50%"),
            "pairing.share-of-byes",
            share("110", "pairing.in-round", round=3),
        ),
        (("--forfeits", "31", "--half-point-byes", ""), "pairing.too-many", too_many("forfeits", 31, 27)),
        (
            ("--forfeits", "80%", "--odd-results", "30%"),
            "pairing.share-of-results",
            share("110", "pairing.in-every-round"),
        ),
        (("--odd-results", "5000"), "pairing.too-many", too_many("odd_results", 5000, 27)),
        (("--late", "1:2"), "pairing.late-in-round-1", {}),
        (("--late", "50"), "pairing.too-many", too_many("late", 50, 12)),
        (("--withdrawals", "101%"), "cli.not-an-amount", {"text": "101%"}),
        (("--prohibited", "67"), "pairing.too-many-pairs", {"count": 67, "entered": 12, "most": 66}),
        (("--apart", "4,4"), "cli.apart-two", {}),
        (("--apart", "1,4", "--prohibited", "3"), "cli.prohibited-or-apart", {}),
        (("--scoring", "1-1-0"), "draws-too-high", {"points": 20, "theirs": 10}),
        (("--scoring", "1-0.5-0-9"), "pab-too-high", {"points": 90, "theirs": 10}),
        (("--scoring", "3-1-0-2-0-7"), "cli.not-a-scoring", {"text": "3-1-0-2-0-7"}),
    ],
)
def test_what_cannot_be_had_is_refused_with_its_reason(
    options: tuple[str, ...],
    code: str,
    fields: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain = ["generate", str(tmp_path / "a.trf"), "--seed", "1", "--players", "12", "--rounds", "5"]

    assert run([*plain, *options]) == 2

    assert sentence(code, **fields) in capsys.readouterr().err
    assert not (tmp_path / "a.trf").exists()


def test_a_tie_break_that_is_not_known_is_refused_with_its_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", str(tmp_path / "a.trf"), "--players", "12", "--tiebreaks", "FOO"]) == 2

    told = sentence("standings.unknown", text="FOO", codes=tuple(RULES))
    assert f"'--tiebreaks': {told}" in capsys.readouterr().err
    assert not (tmp_path / "a.trf").exists()


@pytest.mark.parametrize(
    ("options", "range"), [(("--gap", "501"), "0<=x<=500"), (("--draws", "101"), "0<=x<=100")]
)
def test_what_is_out_of_range_is_refused_with_the_range(
    options: tuple[str, ...], range: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", str(tmp_path / "a.trf"), "--players", "12", "--rounds", "5", *options]) == 2

    told = capsys.readouterr().err
    assert options[0] in told
    assert range in told
    assert not (tmp_path / "a.trf").exists()


@pytest.mark.parametrize(
    ("ratings", "code", "fields"),
    [
        ("99999,3,4", "cli.not-a-rating", {"rating": 99999, "highest": 4000}),
        ("0,0", "cli.not-a-rating", {"rating": 0, "highest": 4000}),
        ("2000", "cli.one-rating", {}),
    ],
)
def test_given_ratings_must_be_ratings(
    ratings: str, code: str, fields: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", str(tmp_path / "a.trf"), "--ratings", ratings]) == 2
    assert sentence(code, **fields) in capsys.readouterr().err


def test_a_share_may_be_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--players", "8", "--rounds", "4", "--half-point-byes", "2:100%", "--forfeits", "100.0%"]

    assert run(["generate", str(tmp_path / "a.trf"), "--zero-point-byes", "0", "--seed", "1", *options]) == 0

    rows = crosstable(parse((tmp_path / "a.trf").read_text())).rows
    assert {row.entries[1].letter for row in rows} == {"H"}
    assert {row.entries[0].letter for row in rows} <= {"+", "-"}
    assert run(["check", str(tmp_path / "a.trf")]) == 0


def test_a_field_too_small_for_its_rounds_is_said_to_end_early(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", str(tmp_path / "a.trf"), "--seed", "1", "--players", "3", "--rounds", "9"]) == 0
    told = sentence("cli.said.generated-early", count=1, number=1, most=1)
    assert told in capsys.readouterr().err


Compare = Callable[..., tuple[int, str, str]]
OTHER = f"{sys.executable} -m paircard.cli.engine.main"
KINDS = ("--kind", "plain", "--kind", "byes")


@pytest.fixture
def compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Compare:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)

    def play(count: int, *options: str, engine: str = OTHER) -> tuple[int, str, str]:
        code = run(
            ["compare", "--engine", engine, "--count", str(count), "--folder", str(tmp_path / "cmp"),
             *(() if "--players" in options else ("--players", "6-8")),
             *(() if "--system" in options else ("--rounds", "3-4")),
             *(() if {"--kind", "--system"} & set(options) else KINDS), *options]
        )  # fmt: skip
        out, err = capsys.readouterr()
        return code, out, err

    return play


def test_an_engine_that_agrees_gives_a_table_without_differences(compare: Compare, tmp_path: Path) -> None:
    code, out, _ = compare(4)

    assert code == 0
    assert out.splitlines()[0].split() == [
        "kind",
        "led",
        "by",
        "tournaments",
        "rounds",
        "differ",
        "engine",
        "failed",
    ]
    assert out.splitlines()[-1].split()[:2] == ["all", "4"]
    lines = (tmp_path / "cmp" / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["leader"] for line in lines] == ["ours", "theirs", "ours", "theirs"]


def test_a_comparison_goes_on_where_it_was_cut_off(compare: Compare, tmp_path: Path) -> None:
    compare(2)
    path = tmp_path / "cmp" / "results.jsonl"
    whole = path.read_text()
    path.write_text(whole[: len(whole) - 10])

    code, out, _ = compare(3)

    assert code == 0
    assert path.read_text().startswith(whole)
    assert out.splitlines()[-1].split()[:2] == ["all", "3"]


def test_a_folder_belongs_to_one_comparison(compare: Compare, tmp_path: Path) -> None:
    compare(1)

    code, _, err = compare(1, "--seed", "9")

    assert code == 1
    assert sentence("cli.other-comparison", path=str(tmp_path / "cmp"), known=["seed"]) in err


def test_differences_are_judged_and_their_files_kept(compare: Compare, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(
        "import sys\nfrom paircard.cli.engine.main import run\ncode = run(sys.argv[1:])\n"
        "path = sys.argv[-1]\nlines = open(path).read().split('\\n')\n"
        "white, black = lines[1].split()\nlines[1] = f'{black} {white}'\n"
        "open(path, 'w').write('\\n'.join(lines))\nsys.exit(code)\n"
    )

    code, out, _ = compare(2, engine=f"{sys.executable} {other}")

    assert code == 1
    assert "colours only" in out
    kept = sorted(path.suffix for path in (tmp_path / "cmp" / "differences").iterdir())
    assert set(kept) == {".ours", ".theirs", ".trf"}
    state = next((tmp_path / "cmp" / "differences").glob("*-round-2.trf"))
    assert crosstable(parse(state.read_text())).paired == 1


def test_a_tournament_without_any_legal_round_has_no_tiebreaks_to_compare(compare: Compare) -> None:
    code, out, _ = compare(1, "--kind", "prohibited", "--players", "4", "--tiebreaks", "nobody")

    assert code == 0
    assert out.splitlines()[-1].split() == ["all", "1", "1", "0", "0"]


def test_an_engine_that_fails_is_told(compare: Compare) -> None:
    code, out, err = compare(1, engine=f"{sys.executable} -c 'import sys;sys.exit(3)'")
    assert code == 1
    assert out.splitlines()[-1].split()[-1] == "1"
    failed = sentence("cli.engine-failed", round=1, number=3, value="")
    assert sentence("cli.compare.broken", number=1, kind="ours", reason=failed) in err


def test_a_missing_engine_is_refused(compare: Compare) -> None:
    code, _, err = compare(1, engine="/nowhere/engine")

    assert code == 1
    assert sentence("cli.no-such-engine", value="/nowhere/engine") in err


def test_round_robins_are_compared_with_another_engine(compare: Compare) -> None:
    code, out, _ = compare(2, "--system", "round-robin", "--players", "3-5")
    assert code == 0, out
    assert out.splitlines()[1].split()[0] == "table"


def test_a_table_with_colours_turned_is_found_by_the_comparison(compare: Compare, tmp_path: Path) -> None:
    turned = tmp_path / "turned.py"
    turned.write_text(
        "import subprocess, sys\n"
        f"subprocess.run([*{OTHER.split()}, *sys.argv[1:]], check=True)\n"
        "count, *boards = open(sys.argv[-1]).read().splitlines()\n"
        "boards = [' '.join(reversed(board.split())) for board in boards]\n"
        "open(sys.argv[-1], 'w').write('\\n'.join([count, *boards, '']))\n"
    )
    options = ("--system", "round-robin", "--players", "4")
    code, out, _ = compare(1, *options, engine=f"{sys.executable} {turned}")

    assert code == 1
    assert "colours only" in out
    kept = sorted((tmp_path / "cmp" / "differences").glob("*.trf"))
    assert "ROUNDROBIN" in kept[0].read_text()


def test_a_round_robin_has_no_kinds_to_compare(compare: Compare) -> None:
    code, _, err = compare(1, "--system", "round-robin", "--kind", "tiny")

    assert code == 2
    assert sentence("cli.table-not-compared") in err
