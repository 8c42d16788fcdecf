"""deploy/release.py: a release is made from a commit alone, twice the same, and its files prove it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from paircard.domain.proof.note import Signer
from paircard.domain.version import VERSION
from tests.roots import PYTHONPATH

pytestmark = pytest.mark.slow
TOP = Path(__file__).parents[1]
SIGNER = Signer("releases.example", bytes(range(32)))


def release(clone: Path, *words: str | Path) -> tuple[int, str]:
    """Run the command in a clone; its code and all that it said."""
    done = subprocess.run(
        [sys.executable, "deploy/release.py", *words],
        cwd=clone,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "clone"
    subprocess.run(["git", "clone", "-q", TOP, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def made(clone: Path) -> Path:
    """The files of a release that was tried and not tagged, and the keys outside them."""
    (clone.parent / "private").write_text(SIGNER.line())
    (clone.parent / "public").write_text(SIGNER.verifier().line())
    out = clone.parent / "dist"
    code, said = release(clone, "--dry-run", "--without-windows", "--key", "../private", "--out", out)
    assert code == 0, said
    return out


def test_a_release_has_every_file_and_proves_them(clone: Path, made: Path) -> None:
    assert sorted(file.name for file in made.iterdir()) == [
        "SHA256SUMS",
        "SHA256SUMS.note",
        f"paircard-{VERSION}-py3-none-any.whl",
        f"paircard-{VERSION}.cdx.json",
        f"paircard-{VERSION}.tar.gz",
        f"paircard_client-{VERSION}-py3-none-any.whl",
    ]
    named = {
        one["name"] for one in json.loads((made / f"paircard-{VERSION}.cdx.json").read_text())["components"]
    }
    assert {"click", "eventsourcing", "uvicorn", "psycopg", "cryptography"} <= named
    assert release(clone, "--check", made, "--trust", "../public")[0] == 0
    assert not subprocess.run(["git", "tag"], cwd=clone, capture_output=True, check=True).stdout


def test_a_changed_file_or_another_key_is_noticed(clone: Path, made: Path) -> None:
    with (made / f"paircard-{VERSION}.tar.gz").open("r+b") as file:
        file.seek(100)
        before = file.read(1)
        file.seek(100)
        file.write(bytes([before[0] ^ 1]))
        file.flush()
        assert "other files" in release(clone, "--check", made, "--trust", "../public")[1]
        file.seek(100)
        file.write(before)
    (clone.parent / "other").write_text(Signer("releases.example", bytes(32)).verifier().line())

    assert release(clone, "--check", made, "--trust", "../other")[0] == 1
    listed = (made / "SHA256SUMS").read_text()
    (made / "note.txt").write_text("one more")
    assert release(clone, "--check", made, "--trust", "../public")[0] == 1
    (made / "note.txt").unlink()
    assert listed == (made / "SHA256SUMS").read_text()


def test_a_wheel_is_the_same_when_it_is_made_again(clone: Path, made: Path) -> None:
    moment = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=clone, capture_output=True, check=True)
    again = clone.parent / "again"
    again.mkdir()
    subprocess.run(
        [sys.executable, "-c", f"import hatchling.build as b; b.build_wheel({str(again)!r})"],
        cwd=clone, check=True, capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": moment.stdout.decode().strip()},
    )  # fmt: skip
    [wheel] = again.iterdir()

    assert wheel.read_bytes() == (made / wheel.name).read_bytes()
    assert "paircard/cli/main.py" in zipfile.ZipFile(wheel).namelist()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--out", "../elsewhere"), "a release is signed"),
        (("--check", "../dist"), "--trust FILE"),
        (("--dry-run", "--out", "../dist"), "is not empty"),
        (
            ("--key", "../private", "--out", "../elsewhere"),
            "CHANGELOG.md begins with [Unreleased]",
        ),
        (("--dry-run", "--key", "../nothing"), "No such file"),
    ],
)
def test_what_cannot_be_released_is_said_in_a_line(
    clone: Path, made: Path, words: tuple[str, ...], why: str
) -> None:
    code, said = release(clone, *words)

    assert code == 1
    assert why in said, said
    assert said.count("\n") == 1


def test_changes_that_are_not_committed_are_never_released(clone: Path, made: Path) -> None:
    (clone / "README.md").write_text("mine")
    try:
        code, said = release(clone, "--dry-run", "--out", "../elsewhere")
        assert (code, "not committed" in said) == (1, True)
    finally:
        subprocess.run(["git", "checkout", "-q", "."], cwd=clone, check=True)


@pytest.mark.soak
def test_the_folder_for_windows_is_started_before_it_is_released(clone: Path, tmp_path: Path) -> None:
    code, said = release(clone, "--dry-run", "--out", tmp_path / "dist")

    assert code == 0, said
    assert f"paircard-{VERSION}-windows.zip" in said
