"""The check command: what it reads, what it prints, how it ends."""

import zipfile
from pathlib import Path

import pytest

from paircard.cli.commands.check import Case, cases, count, judge, parse_answer
from paircard.cli.main import run
from paircard.domain.messages import Message
from paircard.domain.state import state_after
from paircard.pairing import pair
from paircard.pairing.outcome import NoLegalRound
from paircard.projections.round.snapshot import Snapshot
from paircard.service.reports import Dialect, export_report
from tests.audit.lives import life
from tests.cli.session import Terminal, play
from tests.refusals import sentence

FOUR = """012 Four friends
XXR 3
XXC white1
001    1      One                               2400                             1.0    1     3 w 1
001    2      Two                               2300                             1.0    2     4 b 1
001    3      Three                             2200                             0.0    3     1 b 0
001    4      Four                              2100                             0.0    4     2 w 0
"""


def summary(rounds: int, found: Message) -> str:
    """The last line of the check of one tournament."""
    one = Message("cli.check.tournaments", {"count": 1})
    return sentence("cli.check.summary", causes=[one, Message("cli.check.rounds", {"rounds": rounds}), found])


def stuck(snapshot: Snapshot) -> None:
    raise NoLegalRound("pairing.nobody-for-the-bye", rule=snapshot.edition)


def test_folders_and_zips_hold_the_same_tournaments(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "a.trf").write_text(FOUR)
    (tmp_path / "open" / "b.trf").write_text(FOUR)
    (tmp_path / "open" / "b.pairs").write_text("2\n1 2\n4 3\n")
    with zipfile.ZipFile(tmp_path / "open.zip", "w") as archive:
        for path in sorted((tmp_path / "open").iterdir()):
            archive.write(path, path.name)

    from_folder = list(cases(tmp_path / "open"))
    from_zip = list(cases(tmp_path / "open.zip"))

    assert [case.answer for case in from_folder] == [None, b"2\n1 2\n4 3\n"]
    assert [(c.report, c.answer) for c in from_folder] == [(c.report, c.answer) for c in from_zip]
    assert count(tmp_path) == 4


def test_an_answer_file_holds_boards_and_the_bye_or_the_word_none() -> None:
    assert parse_answer("2\n4 1\n3 0\n") == ((4, 1), (3, 0))
    assert parse_answer("none\n") is None


@pytest.mark.parametrize("text", ["", "2\n1 2\n", "1\n1 x\n"])
def test_a_broken_answer_file_is_told(text: str) -> None:
    verdict = judge(Case("a.trf", FOUR.encode(), text.encode()), "", "utf-8", stuck)  # type: ignore[arg-type]

    assert verdict.message == Message("cli.not-a-pairing")
    assert verdict.error == sentence("cli.not-a-pairing")


def test_a_stopped_tournament_asks_for_one_more_round() -> None:
    text = FOUR.replace("friends", "friends STOPPED at round 2 (no legal pairing)")

    verdict = judge(Case("a.trf", text.encode()), "", "utf-8", stuck)  # type: ignore[arg-type]

    assert verdict.rounds == 2
    assert [difference.round for difference in verdict.discrepancies] == [1]


def test_the_edition_asked_for_goes_before_record_192() -> None:
    text = "192 FIDE_DUTCH_2017\n" + FOUR

    as_filed = judge(Case("a.trf", text.encode()), "", "utf-8", stuck)  # type: ignore[arg-type]
    as_asked = judge(Case("a.trf", text.encode()), "dutch-2026", "utf-8", stuck)  # type: ignore[arg-type]

    assert "(dutch-2017)" in str(as_filed.discrepancies[0])
    assert "(dutch-2026)" in str(as_asked.discrepancies[0])


def test_a_file_that_is_no_report_is_a_clear_error() -> None:
    verdict = judge(Case("photo.trf", b"\x89PNG\r\n\xff\x00"), "", "utf-8", stuck)  # type: ignore[arg-type]

    found, allowed = Message("trf.found.no-player"), Message("trf.allowed.a-player")
    fault = Message("trf.fault", {"found": found, "allowed": allowed})
    assert verdict.message == Message("trf.faults", {"faults": (fault,)})
    assert verdict.error == sentence("trf.fault", found=found, allowed=allowed)


@pytest.mark.parametrize("folder", ["dutch-2017", "histories-2017", "dutch-2012"])
def test_a_folder_of_an_older_edition_asks_for_the_edition(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "a.trf").write_text(FOUR)

    assert run(["check", str(tmp_path / folder)]) == 2

    asked = sentence("cli.older-edition", path=str(tmp_path / folder), value=folder[-4:])
    assert asked in capsys.readouterr().err


def test_a_path_that_does_not_exist_is_wrong_usage(tmp_path: Path) -> None:
    assert run(["check", str(tmp_path / "nothing.trf")]) == 2


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path)]) == 1

    assert sentence("cli.no-report-inside", path=str(tmp_path)) in capsys.readouterr().err


THREE = """012 Three friends
142 2
152 W
192 FIDE_DUTCH_2026
001    1      One                               2400                             1.0          2 w 1
001    2      Two                               2300                             0.0          1 b 0
001    3      Three                             2200                             0.5       0000 - U
"""


def test_points_that_fit_only_a_bye_value_nobody_announced_are_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "three.trf"
    file.write_text(THREE)

    assert run(["check", str(file)]) == 1

    shown = capsys.readouterr()
    undeclared = sentence("cli.check.undeclared", file=str(file), value="scoring 1.0 0.5 0.0, PAB 0.5")
    assert undeclared in shown.out.splitlines()
    assert shown.out.splitlines()[-1] == summary(1, Message("cli.check.unexplained", {"count": 1}))
    assert sentence("trf.note.scoring-from-points", value="1.0 0.5 0.0", code="0.5") in shown.err


def test_an_announced_bye_value_is_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "three.trf").write_text(THREE.replace("192 ", "162  P 0.5\n192 "))

    assert run(["check", str(tmp_path / "three.trf")]) == 0
    assert capsys.readouterr().err == ""


def test_an_old_file_that_cannot_announce_its_scoring_is_only_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = "".join(line for line in THREE.splitlines(keepends=True) if line[:3] in ("012", "001"))
    (tmp_path / "three.trf").write_text(players)

    assert run(["check", str(tmp_path / "three.trf")]) == 0

    told = capsys.readouterr().err
    assert sentence("trf.note.rounds-from-columns", number=1) in told
    assert sentence("trf.note.colour-inferred", colour="w") in told
    assert sentence("trf.note.scoring-from-points", value="1.0 0.5 0.0", code="0.5") in told
    assert sentence("cli.check.edition-assumed", edition="dutch-2026", count=1) in told


@pytest.mark.parametrize("dialect", ["trf26", "rating"])
def test_no_round_of_our_own_report_differs_without_a_line_that_says_why(dialect: Dialect) -> None:
    found = 0
    for seed in range(60):
        log = life(seed)
        report = export_report(log, state_after(log), dialect=dialect).encode()
        for discrepancy in judge(Case(str(seed), report), "", "utf-8", pair).discrepancies:
            found += 1
            assert discrepancy.remarks, (seed, discrepancy)

    assert found > 50


def test_a_discrepancy_is_printed_with_the_line_of_the_file_that_explains_it(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("alter", "swap", "1", "2", "--why", "agreed", "--ack", "manual-pairing")
    eight.ok("publish")
    play_results = ("1", "1-0", "2", "1-0", "3", "1-0", "4", "1-0")
    eight.ok("result", "1", *play_results)
    eight.ok("trf", "export", "-o", "out.trf")

    found = eight.run("check", "out.trf")
    assert sentence("cli.check.file-says", file="out.trf", value="### MPA @ Round 1: ") in found.out
    last = summary(1, Message("cli.check.discrepancies", {"count": 1, "most": 1}))
    assert found.out.splitlines()[-1] == last
    assert found.code == 1


def test_colours_as_played_are_in_the_report_also_after_the_next_round_was_taken_back(
    eight: Terminal,
) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("pair")
    eight.ok("correct", "1", "1", "--colours", "--why", "score sheets", "--ack", "correction")
    eight.ok("unpair")
    eight.ok("pair")

    assert "### Correction @ Round 1: 1-5 => 5-1 (colours as played)\n" in eight.ok("trf", "export")


def test_colours_put_right_twice_are_both_in_the_report_if_a_round_was_paired_between(
    eight: Terminal,
) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("correct", "1", "1", "--colours", "--why", "score sheets")
    eight.ok("pair")
    eight.ok("correct", "1", "1", "--colours", "--why", "the other score sheet", "--ack", "correction")

    report = eight.ok("trf", "export")
    assert "### Correction @ Round 1: 1-5 => 5-1 (colours as played)\n" in report
    assert "### Correction @ Round 1: 5-1 => 1-5 (colours as played)\n" in report


def test_places_that_a_late_correction_did_not_move_are_explained(terminal: Terminal) -> None:
    terminal.ok("new", "Four", "--rounds", "3", "--tiebreaks", "BH")
    terminal.write("four.csv", "name,rating\nA,2000\nB,1900\nC,1800\nD,1700\n")
    terminal.ok("player", "import", "four.csv")
    terminal.ok("draw", "--colour", "white")
    for round, results in enumerate((("1", "="), ("1", "="), ("=", "0")), start=1):
        play(terminal, round, *results)
    terminal.ok("correct", "1", "1", "0-1", "--why", "score sheets", "--ack", "rating-report-only")
    terminal.ok("trf", "export", "--for", "rating", "-o", "rating.trf")

    told = terminal.run("check", "rating.trf").out.splitlines()

    misplaced = sentence("standings.misplaced", number=1, place=3, first=4, last=4)
    assert f"rating.trf: {misplaced}" in told
    correction = "### Rating correction @ Round 1: 1-3: 1-0 => 0-1"
    assert told[-2].startswith(sentence("cli.check.file-says", file="rating.trf", value=correction))
    assert told[-1] == summary(3, Message("cli.check.discrepancies", {"count": 2, "most": 2}))
