"""Reports in the manner of other programs: read, written, and read again."""

import contextlib
import csv
import random
import re
from pathlib import Path
from typing import Any

import pytest

from paircard.cli.engine.main import run as engine
from paircard.cli.main import run
from paircard.domain.errors import PaircardError
from paircard.domain.messages import Message, say
from paircard.projections.trf import decode, parse, read
from paircard.service.desk import person
from paircard.service.reports import read_report
from tests.mangling import mangled
from tests.refusals import sentence

PROGRAMS = Path(__file__).parents[2] / "corpus" / "programs"


def became(label: str, code: str, before: str, after: str) -> str:
    return sentence("trf.note.text-became", label=label, code=code, before=before, after=after)


def once(where: Message, code: str, /, **fields: Any) -> str:
    return sentence("trf.note.once", what=Message(code, fields), where=where)


def often(number: int, *spots: Message, what: Message) -> str:
    """The first of several spots: the others follow."""
    return sentence("trf.note.often", what=what, number=number, spots=spots)


def changed(player: int, before: str, after: str) -> Message:
    return say("trf.at.became", number=player, value=before, code=after)


def seat(round: int, player: int) -> Message:
    return say("trf.at.round-player", round=round, number=player)


NO_FEDERATION = sentence("trf.note.text-gone", label="federation", code="032", before="Lichess")

NOTES = {
    "swiss-manager": (
        often(8, changed(1, "1980/00/00", "1980"), what=say("trf.note.column", label="birth")),
        sentence("trf.note.no-list"),
    ),
    "javafo": (
        once(say("trf.at.player", number=1), "trf.note.word-became", label="title", before="g", after="GM"),
        often(3, seat(3, 3), what=say("trf.note.bye-read", value="+", code="U")),
        became("first_day", "042", "24/09/2010", "2010/09/24"),
    ),
    "lichess": (
        sentence("trf.note.bye-read", value="-", code="Z"),
        NO_FEDERATION,
        became("first_day", "042", "May 10, 2020", "2020/05/10"),
    ),
    "sharly": (
        sentence("trf.note.controller", line=15, text="Sharly Chess"),
        became("ranking_method", "172", "FIDON", "FRA FIDON"),
    ),
    "bbppairings": (sentence("import.no-type", edition="dutch-2026", yes=False),),
    "fide-2006": (
        sentence("import.not-utf-8", value="cp1252"),
        became("first_day", "042", "28. 07. 2005", "2005/07/28"),
        once(say("trf.at.player", number=2), "trf.note.word-became", label="title", before="m", after="IM"),
    ),
    "sharly-299": (sentence("trf.note.controller", line=14, text="Sharly Chess"),),
    "swiss-manager-days": (
        sentence("trf.note.rounds-from-dates", number=5),
        once(
            say("trf.at.lines", spots=tuple(say("trf.at.line", line=line) for line in range(14, 19))),
            "trf.note.several-dates",
        ),
    ),
    "swiss-manager-baku": (became("tournament_type", "192", "FIDE_DUTCH_2026", "FIDE_DUTCH_2026_BAKU"),),
    "lichess-late": (once(seat(2, 8), "trf.note.bye-read", value="-", code="Z"), NO_FEDERATION),
    "vega-in-play": (
        often(2, seat(3, 1), seat(3, 2), what=say("trf.note.result-read", text="*", code="?")),
        often(
            4,
            *(changed(1, "1.5", "2.0"), changed(2, "1.0", "1.5")),
            what=say("trf.note.column", label="points"),
        ),
    ),
    "vega": (once(say("trf.at.line", line=11), "trf.note.unknown-record", text="ZZV"),),
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")


@pytest.mark.parametrize("program", NOTES)
def test_a_report_of_another_program_goes_round_and_says_what_it_changed(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = PROGRAMS / f"{program}.trf"
    # Made by the rules of 2017, though the first day is earlier.
    early = program in ("javafo", "fide-2006")
    accepted = ["--ack", "edition-not-in-force"] if early else []
    edition = ["--edition", "dutch-2017", *accepted] if early else []

    assert run(["--db", "one.db", "trf", "import", str(source), *edition]) == 0
    said = capsys.readouterr().out
    assert run(["--db", "one.db", "trf", "export", "-o", "one.trf"]) == 0
    assert run(["--db", "two.db", "trf", "import", "one.trf", *accepted]) == 0
    assert run(["--db", "two.db", "trf", "export", "-o", "two.trf"]) == 0

    for note in NOTES[program]:
        assert note in said
    assert Path("two.trf").read_bytes() == Path("one.trf").read_bytes()
    filed = parse(decode(source.read_bytes()))
    again = parse(Path("two.trf").read_text())
    given = {line.number: line.place for line in filed.players() if line.place}
    assert given.items() <= {line.number: line.place for line in again.players()}.items()
    assert run(["check", "two.trf"]) == 0


def imported(program: str, *words: str) -> int:
    return run(["--db", "one.db", "trf", "import", str(PROGRAMS / f"{program}.trf"), *words])


def test_points_taken_and_given_by_the_arbiter_count_for_the_next_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert engine([str(PROGRAMS / "sharly-299.trf"), "-p"]) == 0
    assert capsys.readouterr().out == "5\n1 8\n2 4\n3 10\n7 5\n6 9\n"
    imported("sharly-299")
    run(["--db", "one.db", "trf", "export", "-o", "one.trf"])

    written = Path("one.trf").read_text().splitlines()
    assert written[-2:] == ["299          -1.0  002    3", "299           0.5  002    8"]
    assert {"3": "1.0", "8": "1.5"}.items() <= {
        line.split()[1]: line[80:84].strip() for line in written
    }.items()


def test_a_model_with_points_of_the_arbiter_gives_a_tournament_without_them() -> None:
    assert (
        engine([str(PROGRAMS / "sharly-299.trf"), "-g", "-o", str(Path("made.trf").absolute()), "-s", "1"])
        == 0
    )

    assert "\n299" not in Path("made.trf").read_text()
    assert run(["check", "made.trf"]) == 0


def test_an_accelerated_event_with_absentees_of_round_1_is_paired_alike_by_engine_and_tournament(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert engine([str(PROGRAMS / "swiss-manager-baku.trf"), "-p"]) == 0
    boards = {line for line in capsys.readouterr().out.splitlines() if " " in line}
    assert boards == {"4 10", "2 5", "7 3", "9 1", "8 6"}
    imported("swiss-manager-baku")
    assert run(["--db", "one.db", "pair"]) == 0
    capsys.readouterr()
    run(["--db", "one.db", "boards", "--csv"])

    rows = csv.DictReader(capsys.readouterr().out.splitlines())
    assert {f"{row['white_number']} {row['black_number']}" for row in rows} == boards
    assert run(["--db", "one.db", "trf", "export", "-o", "one.trf"]) == 0
    lines = [line for line in Path("one.trf").read_text().splitlines() if line.startswith("250")]
    assert lines == ["250      01.0 001 002 0001 0007", "250      00.5 003 003 0001 0007"]


def test_the_days_of_several_records_are_those_of_the_rounds() -> None:
    imported("swiss-manager-days")
    run(["--db", "one.db", "trf", "export", "-o", "one.trf"])

    days = [line.split()[1:] for line in Path("one.trf").read_text().splitlines() if line[:3] == "132"]
    assert days == [["26/03/07", "26/03/07", "26/03/08", "26/03/08", "26/03/09"]]


def test_a_round_in_play_stays_in_play_with_its_unknown_results(capsys: pytest.CaptureFixture[str]) -> None:
    imported("vega-in-play")
    capsys.readouterr()
    run(["--db", "one.db", "boards"])

    shown = capsys.readouterr().out
    assert shown.startswith("Round 3 of 5, 4 to play")
    assert shown.count("adjourned") == 2


def test_columns_shifted_by_one_are_refused_with_the_line_and_nothing_is_recorded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert imported("shifted") == 1
    err = capsys.readouterr().err

    blank, rank = say("trf.found.text", text="    "), say("trf.allowed.rank")
    assert sentence("trf.fault-in-column", line=4, column=5, record="001", found=blank, allowed=rank) in err
    assert err.endswith(sentence("cli.nothing-recorded") + "\n")
    assert engine([str(PROGRAMS / "shifted.trf"), "-p"]) == 3


@pytest.mark.parametrize("program", ["teams", "league"])
def test_a_team_event_is_refused_in_one_line(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert imported(program) == 1

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    teams = say("trf.found.teams", what=say("trf.sign.teams", value="2"))
    line = {"teams": 2, "league": 6}[program]
    none = say("trf.allowed.no-teams")
    assert sentence("trf.fault-in-line", line=line, column=0, record="082", found=teams, allowed=none) in err


def test_no_player_of_a_mangled_report_is_dropped() -> None:
    sources = [path.read_bytes() for path in sorted(PROGRAMS.glob("*.trf"))]
    read = 0
    for seed in range(300):
        chance = random.Random(seed)
        data = mangled(chance.choice(sources), chance)
        with contextlib.suppress(PaircardError):
            incoming = read_report(data, source="m.trf", name="M", by=person("T"))
            lines = re.split("[\r\n]+", decode(data))
            assert incoming.players == sum(line.startswith("001") for line in lines), seed
            read += 1

    assert read > 50


def test_every_file_here_is_described() -> None:
    described = (PROGRAMS / "README.md").read_text()

    for path in PROGRAMS.glob("*.trf"):
        assert f"`{path.name}`" in described
        if path.stem not in ("teams", "league", "shifted"):
            assert read(parse(decode(path.read_bytes()))).table.paired
