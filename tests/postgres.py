"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, stopped at the end.

The server refuses to run as root, so root starts it as ``postgres`` or ``nobody``.
"""

import contextlib
import glob
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

USER, PASSWORD, DATABASE = "arbiter", "s3cret/pass", "chess"
_schemas = itertools.count(1)


class Unavailable(Exception):
    """Says why there is no server."""


def program(name: str) -> str:
    """Where a program of PostgreSQL is; Debian keeps them out of the PATH."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda p: int(p.split("/")[4]))
    path = shutil.which(name) or (found[-1] if found else None)
    if path is None:
        raise Unavailable(f"PostgreSQL is not installed here: no {name} (Debian: apt install postgresql)")
    return path


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
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]

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
                timeout=120,
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
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nmax_connections = 60\n"
                f"unix_socket_directories = '{self.folder}'\nshared_buffers = 32MB\n"
                "recovery_init_sync_method = syncfs\n"
            )
        self.start()
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {DATABASE}")

    def start(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "-t", "60", "start")

    def stop(self, mode: str = "immediate") -> None:
        self.run("pg_ctl", "-D", str(self.data), "-w", "-m", mode, "stop")

    def url(self, database: str = DATABASE, *, password: str = PASSWORD, schema: str = "") -> str:
        """The address of a database."""
        secret = password.replace("/", "%2F")
        at = f"postgresql://{USER}:{secret}@127.0.0.1:{self.port}/{database}"
        return f"{at}?schema={schema}" if schema else at

    def fresh(self) -> str:
        """The address of a schema nobody has used."""
        return self.url(schema=f"t{os.getpid()}_{next(_schemas)}")


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """A server from start to stop."""
    folder = Path(tempfile.mkdtemp(prefix="paircard-pg-", dir="/tmp"))  # a socket's path must be short
    server = None
    try:
        server = Server(folder)
        server.make()
        yield server
    finally:
        if server and (server.data / "postmaster.pid").exists():
            with contextlib.suppress(Unavailable):
                server.stop()
        shutil.rmtree(folder, ignore_errors=True)
