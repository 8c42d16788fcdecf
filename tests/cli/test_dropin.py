"""The engine-compatible command line: shapes, exit codes, and nothing half-written."""

from pathlib import Path

import pytest

from paircard.cli.checklist import preference
from paircard.cli.dropin import Stop, published, run, understood

FOUR = """012 Four friends
XXR 3
XXC white1
001    1      One                               2400                             1.0    1     3 w 1
001    2      Two                               2300                             1.0    2     4 b 1
001    3      Three                             2200                             0.0    3     1 b 0
001    4      Four                              2100                             0.0    4     2 w 0
"""


def test_bbp_and_javafo_shapes_ask_for_the_same() -> None:
    bbp = understood(["--dutch", "in.trf", "-p", "out.txt", "-l"])
    javafo = understood(["in.trf", "-p", "out.txt", "-l"])

    assert vars(bbp) == vars(javafo)
    assert (bbp.task, bbp.source, bbp.target, bbp.checklist, bbp.checklist_path) == (
        "p",
        "in.trf",
        "out.txt",
        True,
        "",
    )


def test_the_output_file_is_optional() -> None:
    request = understood(["-r", "--dutch", "in.trf", "-p", "-l", "my.list"])

    assert (request.info, request.target, request.checklist_path) == (True, "", "my.list")


def test_a_generator_takes_a_model_or_a_configuration() -> None:
    model = understood(["--dutch", "model.trf", "-g", "-o", "out.trf", "-s", "7"])
    configured = understood(["--dutch", "-g", "settings.cfg", "-o", "out.trf"])
    bare = understood(["-g", "-o", "out.trf"])

    assert (model.source, model.settings, model.target, model.seed) == ("model.trf", "", "out.trf", "7")
    assert (configured.source, configured.settings, configured.seed) == ("", "settings.cfg", "")
    assert (bare.source, bare.settings, bare.target) == ("", "", "out.trf")


def test_the_edition_may_stand_anywhere() -> None:
    assert understood(["--dutch", "in.trf", "-p", "--edition", "dutch-2017"]).edition == "dutch-2017"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--burstein", "in.trf", "-p"],
        ["--dutch"],
        ["--dutch", "in.trf"],
        ["-p", "in.trf"],
        ["in.trf", "-c", "more"],
        ["in.trf", "-g"],
        ["in.trf", "-p", "out", "-x"],
        ["in.trf", "-p", "--edition", "dutch-1999"],
        ["in.trf", "-p", "--edition"],
    ],
)
def test_a_wrong_command_line_ends_in_exit_code_3(arguments: list[str]) -> None:
    with pytest.raises(Stop) as stop:
        understood(arguments)

    assert stop.value.code == 3


def test_without_arguments_the_engine_names_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert capsys.readouterr().out.startswith("Paircard engine")


BAD = {
    "empty": "",
    "binary": "\0\1\2\3" * 100,
    "opponent that does not exist": FOUR.replace("   4 b 1", "  44 b 1"),
    "one-sided game": FOUR.replace("     4 b 1", "  0000 - Z"),
    "clashing colours": FOUR.replace("4 b 1", "4 w 1"),
    "scores that do not add up": FOUR.replace("1.0    1", "7.0    1"),
    "two byes": FOUR.replace("   4 b 1", "0000 - U").replace("   2 w 0", "0000 - U"),
    "number above 9999": FOUR.replace("001    4 ", "001 10000"),
    "rounds beyond the declared number": FOUR.replace("XXR 3", "XXR 1").replace("4 b 1", "4 b 1  0000 - H"),
    "all rounds paired": FOUR.replace("XXR 3", "XXR 1"),
    "no number of rounds": FOUR.replace("XXR 3\n", ""),
    "no initial colour": "".join(
        line[:89] + "\n" for line in FOUR.replace("1.0", "0.0").replace("XXC white1\n", "").splitlines()
    ),
    "game without a result": FOUR.replace("4 b 1", "4 b  ")
    .replace("2 w 0", "2 w  ")
    .replace("1.0    2", "0.0    2"),
    "another system": FOUR + "192 FIDE_DUBOV\n",
    "team": FOUR + "310   1 Team\n",
    "abnormal points": FOUR + "299 W  1.0\n",
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_ends_in_exit_code_3_and_writes_nothing(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.trf").write_text(BAD[kind])

    code = run(["--dutch", str(tmp_path / "in.trf"), "-p", "out.txt", "-l"])

    assert code == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "in.trf: " in err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["in.trf"]


def test_every_fault_of_the_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.trf").write_text(FOUR.replace("4 b 1", "4 x 1").replace("2 w 0", "2 w 8"))

    assert run([str(tmp_path / "in.trf"), "-p"]) == 3

    err = capsys.readouterr().err
    assert "line 5, column 97" in err
    assert "line 7, column 99" in err


def test_bytes_that_are_not_utf_8_are_invalid(tmp_path: Path) -> None:
    (tmp_path / "in.trf").write_bytes(FOUR.replace("Three", "M\u00fcller").encode("latin-1"))

    assert run([str(tmp_path / "in.trf"), "-p"]) == 3


def test_a_file_that_is_not_there_ends_in_exit_code_5(tmp_path: Path) -> None:
    assert run(["--dutch", str(tmp_path / "nothing.trf"), "-p"]) == 5


def test_a_file_of_two_hundred_megabytes_is_not_even_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "in.trf").open("wb") as file:
        file.truncate(200_000_000)

    assert run([str(tmp_path / "in.trf"), "-p"]) == 3
    assert "200000000 bytes" in capsys.readouterr().err


def test_boards_go_by_points_of_the_higher_then_of_the_lower_player_then_number() -> None:
    first = published((20, -5), (10, -1))
    second = published((10, -9), (20, -7))
    third = published((15, -1), (15, -2))

    assert sorted([third, second, first]) == [first, second, third]
    assert published((20, -8), (20, -9)) < first


@pytest.mark.parametrize(
    ("colours", "shown"),
    [("", "A "), ("w", "(B)"), ("wb", "w "), ("wbb", "W "), ("ww-", "B "), ("bwbw", "b "), ("wwbb", "W ")],
)
def test_a_preference_is_shown_by_its_strength(colours: str, shown: str) -> None:
    assert preference(colours) == shown
