"""Reports damaged in every way files get damaged: each command ends well, and what is read can be written."""

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from paircard.cli.engine import main as engine
from paircard.cli.main import run
from paircard.projections.trf import TrfError, decode, parse, read, render

CORPUS = Path(__file__).parents[2] / "corpus" / "dutch-2026.zip"

LINES = (
    b"192 FIDE_DUTCH_2026_BAKU", b"192 NOBODY", b"202 BH/C1,FOO", b"202 BH,SB,ARO,TPR,KS,DE,STD",
    b"162  W99.9    D 0.0", b"162  P-1.0", b"XXS W=-3.0 D=9.9", b"BBU -9.9", b"XXA    1 99.9-9.9 01.0",
    b"250      99.9 001 999 0001 9999", b"260 001 999    1    2    3    4", b"240 F 001    1    2",
    b"240 Z 999    1", b"XXZ 1 2 3 4 5", b"XXC rank black1", b"142 999", b"142 1", b"042 9999/99/99",
    b"012 \xe2\x80\xa8\xef\xbb\xbf\xc2\x85x", b"212 DE,DE,PTS", b"GER    1      X", b"172 GER NRO",
    b"013 T                               1    2 xxxx", b"### Expulsion @ Round 2: 1",
    b"### Ratings @ Round 9999: 1=9999 77=1", b"299 W   1.0   1.0 000", b"001", b"001    1", b"XXS =",
)  # fmt: skip


def flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def shortened(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return b"\n".join(lines)


def swapped(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    line, first, second = lines[at], chance.randrange(60), chance.randrange(70, 120)
    lines[at] = (
        line[:first]
        + line[second : second + 10]
        + line[first + 10 : second]
        + line[first : first + 10]
        + line[second + 10 :]
    )
    return b"\n".join(lines)


def inserted(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    lines.insert(chance.randrange(len(lines)), chance.choice([*LINES, chance.choice(lines)]))
    return b"\n".join(lines)


def renumbered(data: bytes, chance: random.Random) -> bytes:
    at = chance.choice([at for at, byte in enumerate(data) if byte in b"0123456789=+-"])
    return data[:at] + chance.choice([b"9", b"0", b"?", b"W", b"1" * 300]) + data[at + 1 :]


MANGLERS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flipped,
    shortened,
    swapped,
    inserted,
    inserted,
    renumbered,
    renumbered,
    lambda data, chance: data[: chance.randrange(len(data))],
    lambda data, chance: data.replace(b"e", b"\0", 1),
    lambda data, chance: data.replace(b"\n", b"\r"),
    lambda data, chance: b"\xef\xbb\xbf" * chance.randint(1, 3) + data,
    lambda data, chance: data.replace(b"Player", b"Pl\xe4yer", 3),
)


def mangled(chance: random.Random) -> bytes:
    with zipfile.ZipFile(CORPUS) as archive:
        small = [
            info for info in archive.infolist() if info.filename.endswith(".trf") and info.file_size < 9000
        ]
        data = archive.read(chance.choice(small))
    for _ in range(chance.choice((1, 1, 2))):
        data = chance.choice(MANGLERS)(data, chance) or data
    return data


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(20, 320))]
)
def test_a_mangled_report_is_refused_or_understood_and_never_breaks_anything(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    chance = random.Random(seed)
    data = mangled(chance)
    (tmp_path / "in.trf").write_bytes(data)
    latin = ["--encoding", "latin-1"] if seed % 2 else []

    try:
        report = parse(decode(data, "latin-1" if latin else ""))
        text = render(report)
        assert parse(text) == report
        assert read(parse(text)) == read(report)
    except TrfError:
        capsys.readouterr()  # the commands below say what is wrong
    for words in (
        ["check", "in.trf", *latin],
        ["tiebreaks", "in.trf", "--list", "BH/C1,SB,DE,ARO/U,TPR/U1400,KS", "--tsv", *latin],
        ["explain", "in.trf", "--round", "2", *latin],
        ["trf", "import", "in.trf", "--ack", "irregular-import", *latin],
    ):
        assert run(words) in (0, 1)
    imported = (tmp_path / "paircard.db").exists()
    assert engine.run(["in.trf", "-p"]) in (0, 1, 3)
    assert engine.run(["in.trf", "-c"]) in (0, 3)
    shown = capsys.readouterr()
    assert "internal error" not in shown.err
    assert "Traceback" not in shown.err

    if imported:
        assert run(["trf", "export", "-o", "out.trf"]) == 0
        assert render(parse((tmp_path / "out.trf").read_text())) == (tmp_path / "out.trf").read_text()
