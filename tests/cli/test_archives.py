"""Archives of reports: what they unpack to is limited as a sum."""

import zipfile

import pytest

from tests.cli.session import Terminal


def test_many_large_members_of_a_small_archive_are_refused(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paircard.cli.report_sources.LARGEST_ARCHIVE", 3 * 2**20)
    with zipfile.ZipFile(terminal.folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(40):
            archive.writestr(f"{number:02}.trf", b"### " + b"x" * 2**20)
    assert (terminal.folder / "bomb.zip").stat().st_size < 100_000

    told = terminal.run("check", "bomb.zip")

    assert told.code == 1
    assert "unpacks to more than 3 MiB" in told.err
