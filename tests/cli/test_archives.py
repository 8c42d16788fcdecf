"""Archives of reports: what they unpack to is limited as a sum."""

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.session import Terminal
from tests.refusals import sentence


def test_many_large_members_of_a_small_archive_are_refused(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paircard.cli.commands.check.LARGEST_ARCHIVE", 3 * 2**20)
    with zipfile.ZipFile(terminal.folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(40):
            archive.writestr(f"{number:02}.trf", b"### " + b"x" * 2**20)
    assert (terminal.folder / "bomb.zip").stat().st_size < 100_000

    told = terminal.run("check", "bomb.zip")

    assert told.code == 1
    assert sentence("cli.archive-too-large", path="bomb.zip", most=3) in told.err


def packed(method: int) -> Callable[[Path, str], bytes]:
    """An archive whose only member was damaged where it is packed."""

    def make(path: Path, name: str) -> bytes:
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr(name, bytes(range(256)) * 40)
        raw = bytearray(path.read_bytes())
        start = 30 + len(name) + (9 if method == zipfile.ZIP_LZMA else 0)
        raw[start : start + 40] = bytes(byte ^ 255 for byte in raw[start : start + 40])
        return bytes(raw)

    return make


def marked(at: int, value: int) -> Callable[[Path, str], bytes]:
    """An archive with another number in both headings of its only member."""

    def make(path: Path, name: str) -> bytes:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, "text")
        raw = bytearray(path.read_bytes())
        for start in (at, raw.index(b"PK\1\2") + at + 2):
            raw[start : start + 2] = struct.pack("<H", value)
        return bytes(raw)

    return make


def nameless(path: Path, name: str) -> bytes:
    """An archive that says its names are UTF-8, which they are not."""
    raw = marked(6, 0x800)(path, name)
    return raw.replace(name.encode(), b"\xff" + name.encode()[1:])


@pytest.mark.parametrize(
    "make",
    [
        packed(zipfile.ZIP_DEFLATED),
        packed(zipfile.ZIP_BZIP2),
        packed(zipfile.ZIP_LZMA),
        marked(6, 1),
        marked(8, 9),
        nameless,
        lambda path, name: marked(8, 0)(path, name).replace(b"PK\1\2", b"PK\0\0"),
    ],
    ids=["deflate", "bzip2", "lzma", "encrypted", "unknown packing", "name", "no directory"],
)
def test_a_zip_that_cannot_be_unpacked_is_refused_in_one_line(
    terminal: Terminal, make: Callable[[Path, str], bytes]
) -> None:
    for member, file, words in (
        ("a.trf", "a.zip", ("check",)),
        ("a.txt", "list.zip", ("lists", "import", "--valid", "2026-11-01")),
        ("xl/sharedStrings.xml", "a.xlsx", ("player", "import", "--db", "new.db")),
    ):
        path = terminal.folder / file
        path.write_bytes(make(path, member))
        told = terminal.run(*words, file)

        assert told.code == 1
        assert (told.out, told.err.count("\n")) == ("", 1)
        assert "damaged or encrypted" in told.err, told.err


def test_the_name_of_a_member_forges_no_verdict(terminal: Terminal) -> None:
    with zipfile.ZipFile(terminal.folder / "a.zip", "w") as archive:
        archive.writestr("x\npaircard: all is well\x1b[2J.trf", "")

    told = terminal.run("check", "a.zip")

    assert told.code == 1
    assert not told.err.count("\x1b")
    assert [line for line in (told.out + told.err).split("\n") if line.startswith("paircard: all")] == []
