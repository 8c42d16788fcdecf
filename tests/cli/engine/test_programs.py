"""Reports in the manner of other programs: read, written, and read again."""

import contextlib
import random
import re
from pathlib import Path

import pytest

from paircard.cli.main import run
from paircard.domain.errors import PaircardError
from paircard.projections.trf import decode, parse, read
from paircard.service.people import person
from paircard.service.reports import read_report
from tests.mangling import mangled

PROGRAMS = Path(__file__).parents[2] / "corpus" / "programs"

NOTES = {
    "swiss-manager": ("birth changed, 8 times: player 1 1980/00/00 became 1980", "no tie-break list"),
    "javafo": (
        "title 'g' became 'GM': player 1",
        "0000 - + read as U, 3 times",
        "first day (042) '24/09/2010' became '2010/09/24'",
    ),
    "lichess": (
        "0000 - - read as Z",
        "federation (032) 'Lichess' left out",
        "first day (042) 'May 10, 2020' became '2020/05/10'",
    ),
    "sharly": ("pairing controller 'Sharly Chess' is now Paircard", "(172) 'FIDON' became 'FRA FIDON'"),
    "bbppairings": ("no tournament type (192): dutch-2026, assumed",),
    "fide-2006": (
        "read as cp1252, it is not UTF-8",
        "first day (042) '28. 07. 2005' became '2005/07/28'",
        "title 'm' became 'IM': player 2",
    ),
    "vega": ("unknown record 'ZZV', kept unchanged: line 11",),
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


def test_a_team_event_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trf", "import", str(PROGRAMS / "teams.trf")]) == 1

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "found a team tournament (2 teams), allowed: an individual tournament" in err


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
        if path.stem != "teams":
            assert read(parse(decode(path.read_bytes()))).table.paired
