"""A Windows machine: the CPython of the folder for Windows, run by wine, with a prefix of its own."""

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest

from paircard.domain.system import lock
from tests.cli.session import Done, Terminal
from tests.roots import ROOT, SOURCES
from tests.windows.prng import library

BUILD = ROOT / "deploy/windows/build.py"


def builder() -> ModuleType:
    """The script that makes the folder."""
    spec = importlib.util.spec_from_file_location("windows_build", BUILD)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wine() -> str:
    """The program that runs Windows programs; a test without it is skipped."""
    found = shutil.which("wine64") or next((at for at in ("/usr/lib/wine/wine64",) if Path(at).exists()), "")
    if not found:
        pytest.skip("no wine here: apt-get install wine64")
    return found


@contextmanager
def screen() -> Iterator[str]:
    """A screen for windows that nobody sees; its name."""
    if not shutil.which("Xvfb"):
        pytest.skip("no Xvfb here: apt-get install xvfb")
    read, write = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-nolisten", "tcp"], pass_fds=[write]
    ) as process:
        os.close(write)
        try:
            with os.fdopen(read) as said:
                yield f":{said.readline().strip()}"
        finally:
            process.terminate()


class Machine:
    """Python and packages of the folder, made once for a lock file, and a prefix of wine."""

    def __init__(self) -> None:
        self.wine = wine()
        of = b"2" + BUILD.read_bytes() + (ROOT / "deploy/requirements.lock").read_bytes()
        self.place = Path(tempfile.gettempdir()) / f"paircard-windows-{sha256(of).hexdigest()[:16]}"
        self.place.mkdir(exist_ok=True)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PAIRCARD_", "PY"))},
            "WINEPREFIX": str(self.place / "prefix"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            "DISPLAY": "",
            "PAIRCARD_AS": "Anna Arbiter",
            "PYTHONPATH": ";".join(f"Z:{one}" for one in (self.place / "lib", *SOURCES, ROOT)),
        }
        handle = os.open(self.place / "lock", os.O_RDWR | os.O_CREAT)
        lock(handle)
        try:
            if not (self.place / "made").exists():
                self.make()
        finally:
            os.close(handle)
        self.python = self.place / "python/python.exe"

    def make(self) -> None:
        """Unpack what the folder holds, all but our own wheel: the sources are taken as they are."""
        build = builder()
        with tempfile.TemporaryDirectory() as aside:
            wheels, embed = build.fetch(Path(aside))
            files = build.python_files(embed) | build.library_files(wheels)
        for name, content in files.items():
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            (self.place / name).write_bytes(content)
        (self.place / "python/python311._pth").unlink()  # it would leave no way to name our sources
        subprocess.run(
            [self.wine, "wineboot", "-i"], env=self.environment, umask=0o077, capture_output=True, timeout=300
        )
        (self.place / "prefix/drive_c/windows/system32/bcryptprimitives.dll").write_bytes(library())
        (self.place / "made").touch()

    def start(
        self,
        *words: str,
        folder: Path,
        program: Path | None = None,
        **environment: str,
    ) -> "subprocess.Popen[bytes]":
        """A Windows process in a folder."""
        return subprocess.Popen(
            [self.wine, str(program or self.python), *words],
            cwd=folder,
            env=self.environment | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            umask=0o077,  # as a folder of a user on Windows: nobody else reads it
        )

    def close_window(self, program: Path) -> int:
        """Close the window in which a program runs; how many processes of it were told."""
        process = self.start("-m", "tests.windows.closing", f"Z:{program}".replace("/", "\\"), folder=ROOT)
        return len(process.communicate(timeout=60)[0].splitlines())


class WindowsTerminal(Terminal):
    """Types commands on the machine, all in one process there, for wine is slow to start one."""

    def __init__(self, folder: Path, machine: Machine) -> None:
        super().__init__(folder)
        self.machine = machine
        self.process_there = machine.start("-m", "tests.windows.typist", folder=folder)

    def run(self, *words: str, input: str | bytes = b"", **environment: str) -> Done:
        """Run a command in a folder of the machine."""
        there = self.process_there
        assert there.stdin
        assert there.stdout
        asked = {"words": words, "folder": f"Z:{self.folder}", "environment": environment}
        there.stdin.write(json.dumps(asked).encode() + b"\n")
        there.stdin.flush()
        answer = there.stdout.readline()
        assert answer, "the machine has ended"
        code, out, err = json.loads(answer)
        return Done(code, out, err)

    def end(self) -> None:
        """Switch it off."""
        self.process_there.communicate(timeout=30)
