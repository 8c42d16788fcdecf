"""A file that is handed out is there whole, or as it was before."""

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from paircard.domain.whole_files import hand_out, write_file, write_new
from tests.roots import PYTHONPATH


@contextmanager
def no_room() -> Iterator[None]:
    """No file may have more than ten bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("write", [hand_out, write_file])
def test_without_room_the_old_file_stays_and_no_draft_is_left(tmp_path: Path, write: object) -> None:
    path = tmp_path / "r.trf"
    path.write_bytes(b"old")

    with no_room(), pytest.raises(OSError, match=r"too large: '.*r\.trf'"):
        write(path, b"x" * 100)  # type: ignore[operator]

    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["r.trf"]


def test_without_room_no_new_file_is_left_in_the_way(tmp_path: Path) -> None:
    with no_room(), pytest.raises(OSError, match=r"too large: '.*new\.bundle'"):
        write_new(tmp_path / "new.bundle", b"x" * 100)

    assert os.listdir(tmp_path) == []


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    (tmp_path / "a.key").write_bytes(b"mine")

    with pytest.raises(FileExistsError):
        write_new(tmp_path / "a.key", b"theirs")

    assert (tmp_path / "a.key").read_bytes() == b"mine"


def test_a_file_keeps_its_rights_and_a_link_its_file(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    file, link = tmp_path / "kept" / "r.trf", tmp_path / "r.trf"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)

    hand_out(link, b"new")

    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_link_to_nothing_makes_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")

    hand_out(tmp_path / "link", b"new")

    assert (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()


def test_a_name_as_long_as_a_name_can_be_is_written_too(tmp_path: Path) -> None:
    hand_out(tmp_path / ("x" * 255), b"new")

    assert (tmp_path / ("x" * 255)).read_bytes() == b"new"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_stream_is_written_to_and_not_replaced(tmp_path: Path, name: str) -> None:
    code = f"from paircard.domain.whole_files import *; hand_out({name!r}, b'new')"
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, env={"PYTHONPATH": PYTHONPATH}, check=True)
        assert os.fstat(out.fileno()).st_ino == (tmp_path / "out").stat().st_ino
    piped = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env={"PYTHONPATH": PYTHONPATH}, check=True
    )

    assert (tmp_path / "out").read_bytes() == piped.stdout == b"new"
