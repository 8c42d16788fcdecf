"""The engine-compatible command line: shapes, exit codes, and nothing half-written."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from paircard.cli.engine.main import run
from paircard.cli.engine.request import Stop, understood
from paircard.cli.engine.tasks import shown_preference
from paircard.domain.messages import Message, say
from paircard.projections.round.snapshot import board_order
from tests.refusals import sentence
from tests.roots import PYTHONPATH

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

    assert vars(bbp) == vars(javafo) | {"draws_colour": False}
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


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "utf-8-sig", "mac_roman"])
def test_a_file_in_another_encoding_is_paired_as_well(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.trf").write_text(FOUR)
    (tmp_path / "other.trf").write_bytes(FOUR.replace("Three", "M\u00fcllr").encode(encoding))

    assert run([str(tmp_path / "in.trf"), "-p"]) == 0
    boards = capsys.readouterr().out
    assert run([str(tmp_path / "other.trf"), "-p"]) == 0
    assert capsys.readouterr().out == boards


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
    first = board_order((20, 5), (10, 1))
    second = board_order((10, 9), (20, 7))
    third = board_order((15, 1), (15, 2))

    assert sorted([third, second, first]) == [first, second, third]
    assert board_order((20, 8), (20, 9)) < first


@pytest.mark.parametrize(
    ("colours", "shown"),
    [("", "A "), ("w", "(B)"), ("wb", "w "), ("wbb", "W "), ("ww-", "B "), ("bwbw", "b "), ("wwbb", "W ")],
)
def test_a_preference_is_shown_by_its_strength(colours: str, shown: str) -> None:
    assert shown_preference(colours) == shown


CORPUS = Path(__file__).parents[2] / "corpus"


def answers() -> list[tuple[str, str]]:
    with zipfile.ZipFile(CORPUS / "histories-2026.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(".trf")]
        return [
            (archive.read(name).decode(), archive.read(name.replace(".trf", ".pairs")).decode())
            for name in names
        ]


def test_pairing_files_are_those_of_bbp_byte_for_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    legal = illegal = 0
    for text, answer in answers():
        (tmp_path / "in.trf").write_text(text)
        code = run(["--dutch", str(tmp_path / "in.trf"), "-p"])
        out = capsys.readouterr().out
        if answer.strip() == "none":
            assert (code, out) == (1, "")
            illegal += 1
        else:
            assert (code, out) == (0, answer)
            legal += 1

    assert legal >= 40
    assert illegal >= 5


def test_the_output_file_lies_beside_the_input_and_the_list_has_its_name(tmp_path: Path) -> None:
    (tmp_path / "in.trf").write_text(FOUR)

    assert run([str(tmp_path / "in.trf"), "-p", "out.txt", "-l"]) == 0

    assert (tmp_path / "out.txt").read_text() == "2\n2 1\n3 4\n"
    listed = (tmp_path / "in.list").read_text().splitlines()
    assert listed[1].split("\t") == ["ID", "Pts", "--", "Pref", "C2", "C14", "C16", " Cur", "", "R1", ""]
    assert len(listed) >= 8


def test_the_edition_on_the_command_line_goes_before_record_192(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(CORPUS / "histories-2017.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(".trf")]
        for name in names[:20]:
            answer = archive.read(name.replace(".trf", ".pairs")).decode()
            (tmp_path / "in.trf").write_bytes(archive.read(name) + b"192 FIDE_DUTCH_2026\n")
            code = run([str(tmp_path / "in.trf"), "-p", "--edition", "dutch-2017"])
            assert capsys.readouterr().out == ("" if code else answer)


def test_the_checker_names_each_round_and_shows_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "four.trf").write_text(FOUR)
    assert run([str(tmp_path / "four.trf"), "-c"]) == 0
    assert capsys.readouterr().out == "four: Round #1\n\n"

    wrong = FOUR.replace("   3 w 1", "   3 b 1").replace("   1 b 0", "   1 w 0")
    (tmp_path / "four.trf").write_text(wrong)
    assert run(["--dutch", str(tmp_path / "four.trf"), "-c"]) == 0
    assert capsys.readouterr().out == (
        "four: Round #1\n"
        "  Checker pairings        Tournament pairings \n"
        "      1 -   3                  3 -   1\n\n\n"
    )


def test_a_generated_tournament_passes_the_check_and_repeats_with_its_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "settings.cfg").write_text("# small\nPlayersNumber=11\nRoundsNumber=5\nPointsForWin=3.0\n")
    for name in ("one.trf", "two.trf"):
        assert run(["--dutch", "-g", str(tmp_path / "settings.cfg"), "-o", name, "-s", "7"]) == 0
    assert run(["--dutch", "-g", str(tmp_path / "settings.cfg"), "-o", "three.trf"]) == 0

    one, two, three = ((tmp_path / f"{name}.trf").read_text() for name in ("one", "two", "three"))
    assert one == two != three
    assert run([str(tmp_path / "one.trf"), "-c"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"one: Round #{round}" for round in range(1, 6)] + [""]


def test_a_model_gives_its_players_and_rounds(tmp_path: Path) -> None:
    (tmp_path / "model.trf").write_text(FOUR)

    assert run([str(tmp_path / "model.trf"), "-g", "-o", "made.trf", "-s", "3"]) in (0, 1)

    made = (tmp_path / "made.trf").read_text()
    assert "### model: Four friends" in made
    assert "001    3      Three" in made


@pytest.mark.parametrize(
    "line",
    [
        "Players=3",
        "PlayersNumber=many",
        "PlayersNumber=1",
        "RoundsNumber=500",
        "HighestRating=99999",
        "DrawPercentage=101",
    ],
)
def test_a_wrong_configuration_ends_in_exit_code_3(line: str, tmp_path: Path) -> None:
    (tmp_path / "settings.cfg").write_text(line + "\n")

    assert run(["-g", str(tmp_path / "settings.cfg"), "-o", "out.trf"]) == 3
    assert not (tmp_path / "out.trf").exists()


def test_the_engine_runs_as_a_process_and_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    (tmp_path / "in.trf").write_text(FOUR)
    code = (
        "import sys\nfrom paircard.cli.engine.main import run\n"
        f"code = run([{str(tmp_path / 'in.trf')!r}, '-p'])\n"
        "heavy = {'click', 'rich', 'eventsourcing', 'sqlite3', 'sqlite_utils'} & set(sys.modules)\n"
        "sys.exit(code or len(heavy))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2\n")


def engine(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "paircard.cli.engine.main", *words],
        env={"PYTHONPATH": PYTHONPATH, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", ["--serve <&-", "--serve </dev/null >&-", "in.trf -p >&-"])
def test_closed_streams_are_no_fault_of_the_engine(command: str, tmp_path: Path) -> None:
    (tmp_path / "in.trf").write_text(FOUR)

    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m paircard.cli.engine.main {command}"],
        cwd=tmp_path,
        env={"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert "internal error" not in done.stderr


def test_the_process_gives_the_agreed_answers(tmp_path: Path) -> None:
    for at, (text, answer) in enumerate(answers()[::12]):
        path = tmp_path / f"{at}.trf"
        path.write_text(text)

        done = engine(str(path), "-p")

        assert done.stdout == ("" if answer.strip() == "none" else answer)


def test_the_process_refuses_bad_input_with_the_line_it_is_in(tmp_path: Path) -> None:
    (tmp_path / "in.trf").write_text(BAD["clashing colours"])

    done = engine(str(tmp_path / "in.trf"), "-p")

    assert done.returncode == 3
    assert "line 5" in done.stderr


def test_what_was_repaired_or_inferred_goes_to_standard_error_and_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "in.trf"
    assert run([str(write(file, FOUR)), "-p"]) == 0
    plain = capsys.readouterr()
    odd = FOUR.replace("1.0    1     3", "1.0 1st      3").replace("XXC white1\n", "")

    assert run([str(write(file, odd)), "-p"]) == 0

    told = capsys.readouterr()
    assert (plain.err, told.out) == ("", plain.out)
    place = fault(3, 86, say("trf.found.text", text="1st "), say("trf.allowed.place"))
    assert sentence("cli.engine.passed-over", path=str(file), what=place) in told.err
    assert sentence("trf.note.colour-inferred", colour="w") in told.err


def test_points_with_the_coming_bye_in_them_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ahead = FOUR.replace("0.0    4     2 w 0", "0.5    4     2 w 0  0000 - H")

    assert run([str(write(tmp_path / "in.trf", ahead)), "-p"]) == 0

    told = capsys.readouterr().err
    assert sentence("trf.note.points-ahead", round=2, numbers=(4,)) in told


def fault(line: int, column: int, found: Message, allowed: Message) -> Message:
    """A column of the record of a player that cannot be read."""
    return say("trf.fault-in-column", line=line, column=column, record="001", found=found, allowed=allowed)


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_generated_file_names_its_system_as_bbp_does(tmp_path: Path) -> None:
    settings = write(tmp_path / "settings", "PlayersNumber=9\nRoundsNumber=3\nPointsForForfeitLoss=0.5\n")

    assert run(["-g", str(settings), "-o", str(tmp_path / "made.trf"), "-s", "1"]) == 0
    assert run([str(tmp_path / "made.trf"), "-g", "-o", str(tmp_path / "again.trf"), "-s", "2"]) == 0

    for name in ("made.trf", "again.trf"):
        lines = (tmp_path / name).read_text().splitlines()
        assert "192 FIDE_DUTCH" in lines
        assert "162  Z 0.5" in lines


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_whoever_asks_for_help_gets_the_usage(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word]) == 0

    printed = capsys.readouterr()
    assert printed.out.startswith("usage:\npaircard-engine")
    assert printed.err == ""


TWO = """012 Two friends
XXR 3
XXC white1
001    1      One                               2400                             1.0    1     2 w 1
001    2      Two                               2300                             0.0    2     1 b 0
"""


def test_no_legal_round_is_said_in_the_words_lichess_looks_for_and_leaves_the_empty_file_of_sharly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.trf").write_text(TWO)

    assert run(["--dutch", str(tmp_path / "in.trf"), "-p"]) == 1
    assert "No valid pairing exists" in capsys.readouterr().err
    assert run(["--dutch", str(tmp_path / "in.trf"), "-p", "out.txt"]) == 1
    assert (tmp_path / "out.txt").read_bytes() == b""


@pytest.mark.parametrize("system", ["--burstein", "--dubov"])
def test_another_system_is_answered_with_what_this_engine_pairs_by(
    system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([system, "in.trf", "-p"]) == 3

    name = system[2:].capitalize()
    told = sentence("cli.engine.dutch-alone", id=system, name=name, value="usage:")
    assert told in capsys.readouterr().err


def test_a_faster_way_is_answered_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--fast", "in.trf", "-p"]) == 3

    assert sentence("cli.engine.not-coarser", value="usage:") in capsys.readouterr().err


@pytest.mark.parametrize("options", [["-q", "10000"], ["-q"], ["-w"], ["-q", "10000", "-w"], ["-w", "-l"]])
def test_how_javafo_should_search_is_taken_and_changes_nothing(options: list[str], tmp_path: Path) -> None:
    """heltour always calls with ``-q 10000`` and, if there is no answer, again with ``-w``."""
    source = tmp_path / "in.trf"
    source.write_text(FOUR)

    assert run([str(source), "-p", "plain.txt"]) == 0
    assert run([str(source), "-p", "out.txt", *options]) == 0

    assert (tmp_path / "out.txt").read_text() == (tmp_path / "plain.txt").read_text()


@pytest.mark.parametrize("options", [["-q", "many"], ["-c", "-q", "9"]])
def test_a_number_of_tries_is_a_number_and_is_for_pairing(options: list[str]) -> None:
    task = [] if options[0] == "-c" else ["-p"]

    with pytest.raises(Stop):
        understood(["in.trf", *task, *options])


@pytest.mark.parametrize("letter", "UFHZ")
def test_a_bye_given_in_advance_is_a_bye_of_the_round_to_be_paired(
    letter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"001 {n:4}{'':72} 0.0 {n:4}" for n in range(1, 8)]
    lines[6] += f"  0000 - {letter}"
    source = tmp_path / "in.trf"
    source.write_text("\n".join(["012 Seven", "XXR 3", "XXC white1", *lines, ""]))

    assert run(["--dutch", str(source), "-p"]) == 0

    out, err = capsys.readouterr()
    assert out == "3\n1 4\n5 2\n3 6\n"
    assert ("0000 - U read as F" in err) == (letter == "U")


def test_javafo_checks_one_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.trf").write_text(FOUR)

    assert run([str(tmp_path / "in.trf"), "-c", "1"]) == 0
    assert capsys.readouterr().out == "in: Round #1\n\n"
    assert run([str(tmp_path / "in.trf"), "-c", "2"]) == 3
    assert run([str(tmp_path / "in.trf"), "-c", "x"]) == 3


def test_javafo_generates_from_a_seed_in_place_of_a_file(tmp_path: Path) -> None:
    for word in (["-g", "18980522", "-o"], ["-g", "-s", "18980522", "-o"]):
        target = tmp_path / f"{len(word)}.trf"
        assert run([*word, str(target)]) == 0
    first, second = (path.read_text() for path in sorted(tmp_path.iterdir()))

    assert first == second
    assert "012 Random tournament 18980522\n" in first


def fresh(colour: str) -> str:
    players = "".join(line[:89] + "\n" for line in FOUR.replace("1.0", "0.0").splitlines()[3:])
    return f"012 Four friends\nXXR 3\n{colour}{players}"


def test_javafo_draws_the_colour_that_a_file_leaves_open_and_the_same_one_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = str(tmp_path / "in.trf")
    boards = {}
    for colour in ("", "XXC white1\n", "XXC black1\n"):
        Path(source).write_text(fresh(colour))
        assert run([source, "-p"]) == 0
        boards[colour] = capsys.readouterr().out
    Path(source).write_text(fresh(""))

    assert boards[""] in (boards["XXC white1\n"], boards["XXC black1\n"])
    assert run([source, "-p"]) == 0
    out, err = capsys.readouterr()
    assert out == boards[""]
    assert "drawn" in err
    assert run(["--dutch", source, "-p"]) == 3


def test_javafo_accelerates_when_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(tmp_path / "in.trf")
    eight = [
        f"001 {number:>4}      {f'P{number}':<33} {2500 - number}{'':28} 0.0 {number:>4}"
        for number in range(1, 9)
    ]
    Path(source).write_text("\n".join(["XXR 5", "XXC white1", *eight, ""]))

    assert run([source, "-p"]) == 0
    assert capsys.readouterr().out == "4\n1 5\n6 2\n3 7\n8 4\n"
    assert run([source, "-p", "-b"]) == 0
    assert capsys.readouterr().out == "4\n1 3\n4 2\n5 7\n8 6\n"


def test_several_byes_in_a_round_are_passed_over_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = FOUR.replace("2 w 0", "0 - U").replace("4 b 1", "0 - U").replace(" 0.0    4", " 1.0    4")
    (tmp_path / "in.trf").write_text(twice.replace("     0 - U", "  0000 - U"))

    assert run([str(tmp_path / "in.trf"), "-p"]) == 0

    out, err = capsys.readouterr()
    assert out.startswith("2\n")
    second = fault(7, 99, say("trf.found.second-pab", round=1), say("trf.allowed.one-pab", number=2))
    assert sentence("cli.engine.passed-over", path=str(tmp_path / "in.trf"), what=second) in err


TABLE = """012 Four at a round table
142 3
192 FIDE_ROUNDROBIN
001    1      One                               2400                             1.0    1     4 w 1
001    2      Two                               2300                             0.5    2     3 w =
001    3      Three                             2200                             0.5    2     2 b =
001    4      Four                              2100                             0.0    4     1 b 0
"""


def test_a_round_of_a_table_is_paired_without_a_colour_and_has_no_check_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.trf").write_text(TABLE)

    assert run([str(tmp_path / "table.trf"), "-p"]) == 0
    assert capsys.readouterr() == ("2\n4 3\n1 2\n", "")
    assert run([str(tmp_path / "table.trf"), "-p", "out.txt", "-l", "list.txt"]) == 3
    assert sentence("explain-no-brackets", round=2) in capsys.readouterr().err
