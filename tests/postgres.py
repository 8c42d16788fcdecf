"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, stopped at the end.

The server refuses to run as root, so root starts it as ``postgres`` or ``nobody``. One that a killed run
left behind is stopped by the next run; of others, and of whatever else lies there, nothing is touched.
"""

import contextlib
import glob
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

USER, PASSWORD, DATABASE = "arbiter", "s3cret/pass", "chess"
PREFIX = "paircard-pg-"
_schemas = itertools.count(1)


def short() -> Path:
    """A folder for a server: the path of a socket has to be short, and TMPDIR may be long."""
    usual = Path(tempfile.gettempdir())
    return usual if len(str(usual)) < 40 else Path("/tmp")


class Unavailable(Exception):
    """Says why there is no server."""


def program(name: str) -> str:
    """Where a program of PostgreSQL is; Debian keeps them out of the PATH."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda p: int(p.split("/")[4]))
    path = shutil.which(name) or (found[-1] if found else None)
    if path is None:
        raise Unavailable(f"PostgreSQL is not installed here: no {name} (Debian: apt install postgresql)")
    return path


def begun(pid: int) -> str:
    """What tells a process from a later one of the same number: when it began; empty if there is none."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state == "Z" else rest[18]  # an orphan may wait long for somebody to bury it


def sweep(within: Path) -> list[Path]:
    """Stop the servers of runs that are no more, and remove their folders; those that were there."""
    left = []
    for note in within.glob(f"{PREFIX}*/owner"):
        try:
            pid, since = note.read_text().split()
        except (OSError, ValueError):
            continue  # another user's, or being made
        if begun(int(pid)) != since:
            left.append(note.parent)
            with contextlib.suppress(OSError):
                kill(note.parent / "data")
                shutil.rmtree(note.parent, ignore_errors=True)
    return left


def kill(data: Path) -> None:
    """End the server of a cluster the rudest way, and wait until it is gone."""
    try:
        pid, where = (data / "postmaster.pid").read_text().splitlines()[:2]
    except (OSError, ValueError):
        return
    with contextlib.suppress(ProcessLookupError, FileNotFoundError):
        if Path(where) != data or "postgres" not in Path(f"/proc/{pid}/comm").read_text():
            return  # the number is somebody else's by now
        os.kill(int(pid), signal.SIGQUIT)
    until_gone(int(pid))


def until_gone(pid: int) -> None:
    """Wait for the end of a process that was told to end."""
    end = time.monotonic() + 60
    while begun(pid) and time.monotonic() < end:
        time.sleep(0.02)


class Server:
    """One cluster; it can be stopped and started again, also in the rudest way."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        self.as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            entry = names.get("postgres") or names.get("nobody")
            if entry is None:
                raise Unavailable("PostgreSQL does not run as root, and there is no user postgres or nobody")
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            self.as_user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        (folder / "owner").write_text(f"{os.getpid()} {begun(os.getpid())}")
        self.port = free_port()

    def run(self, *words: str) -> None:
        """Run a program of PostgreSQL to its end."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        environment["LC_ALL"] = "C"
        with (self.folder / "said.txt").open("wb") as said:
            # The server inherits what it may write to: a pipe would stay open as long as it runs.
            done = subprocess.run(
                [program(words[0]), *words[1:]],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self.folder,
                env=environment,
                timeout=600,
                **self.as_user,
            )
        if done.returncode:
            told = (self.folder / "said.txt").read_text(errors="replace")
            raise Unavailable(f"{words[0]} failed: {told[-400:]}")

    def make(self) -> None:
        """Make the cluster, with a user that needs its password, and a database."""
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self.run(
            "initdb", "-D", str(self.data), "-U", USER, f"--pwfile={secret}", "-A", "scram-sha-256",
            "--no-sync", "-E", "UTF8", "--locale=C",
        )  # fmt: skip
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(
                "listen_addresses = '127.0.0.1'\nmax_connections = 60\n"
                f"unix_socket_directories = '{self.folder}'\nshared_buffers = 32MB\n"
                "recovery_init_sync_method = syncfs\ndynamic_shared_memory_type = mmap\n"
            )
        for chance in range(5):
            try:
                self.start()
                break
            except Unavailable:
                if chance == 4 or not self.port_is_taken():
                    raise
                self.port = free_port()  # somebody was faster between asking for it and starting
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {DATABASE}")

    def start(self) -> None:
        self.run(
            "pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "-t", "300",
            "-o", f"-p {self.port}", "start",
        )  # fmt: skip

    def port_is_taken(self) -> bool:
        """Whether the last start failed for that."""
        return "could not bind" in (self.folder / "log").read_text(errors="replace")

    def stop(self, mode: str = "immediate") -> None:
        pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        self.run("pg_ctl", "-D", str(self.data), "-w", "-t", "300", "-m", mode, "stop")
        until_gone(pid)  # pg_ctl waits for its file to go, which is a moment earlier

    def url(self, database: str = DATABASE, *, password: str = PASSWORD, schema: str = "") -> str:
        """The address of a database."""
        secret = password.replace("/", "%2F")
        at = f"postgresql://{USER}:{secret}@127.0.0.1:{self.port}/{database}"
        return f"{at}?schema={schema}" if schema else at

    def fresh(self) -> str:
        """The address of a schema nobody has used."""
        return self.url(schema=f"t{os.getpid()}_{next(_schemas)}")


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextlib.contextmanager
def running(within: Path | None = None) -> Iterator[Server]:
    """A server from start to stop."""
    sweep(within or short())
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=within or short()))
    server = None
    try:
        server = Server(folder)
        server.make()
        yield server
    finally:
        if server and (server.data / "postmaster.pid").exists():
            with contextlib.suppress(Unavailable, subprocess.TimeoutExpired, OSError):
                server.stop()
            kill(server.data)
        shutil.rmtree(folder, ignore_errors=True)
