"""Reports in the manner of other programs: read, written, and read again; mangled, read or refused."""

import random
import time
from pathlib import Path

import pytest

from paircard.cli.engine.main import run as engine
from paircard.cli.main import run
from paircard.domain.errors import PaircardError
from paircard.projections.trf import decode, parse, read
from paircard.service.people import person
from paircard.service.reports import read_report

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


def mangled(data: bytes, chance: random.Random) -> bytes:
    """The bytes with a few wounds: flipped, lost, doubled or moved."""
    broken = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(broken) + 1)
        match chance.randrange(6):
            case 0:
                broken[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del broken[at : at + chance.randint(1, 12)]
            case 2:
                broken[at:at] = chance.choice((b"9" * 5000, b" ", b"\t", b"\0", b"\n", "é".encode(), b"001"))
            case 3:
                broken[at : at + 1] = chance.choice(b"0123456789 wbWB-+=HFUZ?.").to_bytes()
            case 4:
                lines = bytes(broken).split(b"\n")
                chance.shuffle(lines)
                broken[:] = b"\n".join(lines)
            case _:
                del broken[at:]
        if not broken:
            broken[:] = b"\n"
    return bytes(broken)


def through_every_reader(count: int, seed: int) -> dict[str, int]:
    """Read mangled reports with the importer and the engine; count what came of them."""
    chance = random.Random(seed)
    sources = [path.read_bytes() for path in sorted(PROGRAMS.glob("*.trf"))]
    outcomes = {"read": 0, "refused": 0}
    for _ in range(count):
        data = mangled(chance.choice(sources), chance)
        start = time.perf_counter()
        try:
            incoming = read_report(data, source="m.trf", name="M", by=person("T"))
            lines = [line for line in data.replace(b"\r", b"\n").split(b"\n") if line.startswith(b"001")]
            assert incoming.players == len(lines)
            outcomes["read"] += 1
        except PaircardError:
            outcomes["refused"] += 1
        Path("m.trf").write_bytes(data)
        assert engine(["m.trf", "-p", "out.txt"]) in (0, 1, 3), data
        assert time.perf_counter() - start < 3, data
    return outcomes


def test_mangled_reports_are_read_or_refused_by_importer_and_engine() -> None:
    outcomes = through_every_reader(300, seed=20)

    assert min(outcomes.values()) > 10


@pytest.mark.soak
def test_ten_thousand_mangled_reports_are_read_or_refused() -> None:
    outcomes = through_every_reader(10_000, seed=2026)

    assert sum(outcomes.values()) == 10_000


def test_every_file_here_is_described() -> None:
    described = (PROGRAMS / "README.md").read_text()

    for path in PROGRAMS.glob("*.trf"):
        assert f"`{path.name}`" in described
        if path.stem != "teams":
            assert read(parse(decode(path.read_bytes()))).table.paired
