"""Where a file may lie: a synced folder, a stick, a share. A sentence says it, and nothing is lost."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from paircard.domain.log.backends.sqlite_files import cares
from paircard.service import Office
from tests.cli.session import Terminal
from tests.refusals import sentence

SFTP = Path("/usr/lib/openssh/sftp-server")


def stick(folder: Path) -> Iterator[Path]:
    """A USB stick with exFAT."""
    if not (shutil.which("mkfs.exfat") and shutil.which("mount.exfat-fuse") and os.geteuid() == 0):
        pytest.skip("no exFAT here: apt-get install exfatprogs exfat-fuse")
    image, place = folder / "stick.img", folder / "USB stick"
    place.mkdir()
    with image.open("wb") as file:
        file.truncate(2**26)
    subprocess.run(["mkfs.exfat", image], check=True, capture_output=True)
    done = subprocess.run(["mount", "-o", "loop", "-t", "exfat-fuse", image, place], capture_output=True)
    if done.returncode:
        pytest.skip(f"this machine mounts nothing: {done.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def share(folder: Path) -> Iterator[Path]:
    """A folder of another machine, by SFTP."""
    if not (shutil.which("sshfs") and SFTP.exists()):
        pytest.skip("no network file system here: apt-get install sshfs openssh-sftp-server")
    place, there = folder / "share", folder / "there"
    place.mkdir()
    there.mkdir()
    sockets = socket.socketpair()
    ours, theirs = (one.fileno() for one in sockets)
    with sockets[0], sockets[1], subprocess.Popen([SFTP], stdin=theirs, stdout=theirs, cwd=there) as server:
        words = ["sshfs", f"host:{there}", str(place), "-o", "passive", "-f"]
        with subprocess.Popen(words, stdin=ours, stdout=ours, stderr=subprocess.DEVNULL) as client:
            for _ in range(50):
                if os.path.ismount(place) or client.poll() is not None:
                    break
                with pytest.raises(subprocess.TimeoutExpired):
                    client.wait(0.1)
            if not os.path.ismount(place):
                pytest.skip("this machine mounts nothing")
            try:
                yield place
            finally:
                subprocess.run(["umount", place], check=True)
                server.terminate()


def synced(folder: Path) -> Iterator[Path]:
    """A folder that OneDrive copies elsewhere."""
    place = folder / "OneDrive - Schachklub Müller e.V." / "Türnier"
    place.mkdir(parents=True)
    yield place


STORE = "paircard.db"


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (synced, sentence("proof.doctor.synced", path=STORE, file="OneDrive - Schachklub Müller e.V.")),
        (stick, sentence("proof.doctor.open-to-others", path=STORE)),
        (share, sentence("proof.doctor.on-a-share", path=STORE)),
    ],
)
def test_where_a_file_is_not_safe_one_sentence_says_it_and_nothing_is_lost(
    tmp_path: Path, where: Callable[[Path], Iterator[Path]], told: str
) -> None:
    with ExitStack() as stack:
        terminal = Terminal(stack.enter_context(contextmanager(where)(tmp_path)))
        done = terminal.run("new", "Open", "--rounds", "3")
        assert done.code == 0, done
        assert done.err.count("\n") == 1
        assert told in done.err
        for name in ("Ada", "Ben", "Müller, Jörg"):
            terminal.ok("player", "add", name)
        looked = terminal.run("doctor")
        assert (looked.code, told in looked.out) == (0, True), looked
        for _ in range(2):
            terminal.ok("player", "list", "-o", "list.csv")
        terminal.ok("backup", str(tmp_path / "copy.db"))
    with Office.open(tmp_path / "copy.db") as office:
        club = office.tournament("Open")
        assert club.verify().whole
        assert len(club.now().state.players) == 3


def test_a_file_of_ones_own_on_this_machine_is_passed_over_in_silence(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")

    assert list(cares(terminal.folder / "paircard.db")) == []
    assert list(cares("postgresql://nobody@nowhere/chess")) == []
