"""Every tournament of the corpus is read and written back."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from paircard.projections.trf import parse, read, render

HERE = Path(__file__).parents[2] / "corpus"
SHARED = Path(os.environ.get("PAIRCARD_SHARED", Path(__file__).parents[4] / "shared")) / "corpus"


def texts(path: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".trf"):
                yield name, archive.read(name).decode()


def unpadded(text: str) -> str:
    """The text without blanks at line ends, which old programs leave."""
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def spelled(line: str) -> str:
    """A line as TRF26 has it: W or B in record 152, three digits for the round of record 299."""
    match line[:3]:
        case "152":
            return line.upper()
        case "299":
            return f"{line[:19]}{line[19:22].strip():0>3}{line[22:]}"
    return line


def goes_round(text: str) -> None:
    report = parse(text)

    assert unpadded(render(report)) == unpadded("\n".join(map(spelled, text.splitlines())))
    assert parse(render(report)) == report
    assert len(read(report).table.rows) == text.count("\n001 ")


@pytest.mark.parametrize("path", sorted(HERE.glob("*.zip")), ids=lambda path: path.stem)
def test_the_sample_goes_round(path: Path) -> None:
    found = list(texts(path))

    assert found
    for _, text in found:
        goes_round(text)


def test_canonical_files_go_round_byte_for_byte() -> None:
    for _, text in texts(HERE / "dutch-2026.zip"):
        assert render(parse(text)) == text


@pytest.mark.soak
def test_the_whole_corpus_goes_round() -> None:
    if not SHARED.is_dir():
        pytest.skip(f"no corpus at {SHARED}")
    found = [text for path in sorted(SHARED.glob("*/*.zip")) for _, text in texts(path)]

    assert len(found) > 4000
    for text in found:
        goes_round(text)
