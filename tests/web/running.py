"""A server as people start it: ``paircard serve`` in a process of its own, on 127.0.0.1."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paircard.web.book import new_credential, new_grant, open_access
from paircard.web.client import Client
from paircard.web.messages import Role
from tests.roots import PYTHONPATH


class Running:
    """One process that serves a store."""

    def __init__(self, location: str, log: Path, *more: str, port: int = 0, code: str = PYTHONPATH) -> None:
        self.location, self.log, self.more = location, log, more
        self.code = code
        """Where the program is taken from: another build serves, too."""
        self.port = port
        self.clients: list[Client] = []
        self.start()

    def start(self) -> None:
        """Start it, again on the same port if it ran before."""
        usual = {
            "--port": str(self.port), "--no-browser": "", "--commands": "10000", "--feeds": "5000",
            "--reads": "10000",
        }  # fmt: skip
        words = [word for one in usual.items() if one[0] not in self.more for word in one if word]
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                [
                    sys.executable, "-m", "paircard.cli", "serve", "--db", self.location, "--as", "Anna",
                    *words, *self.more,
                ],
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ | {"PYTHONPATH": self.code},
            )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline().decode()
        found = re.search(r"at http://127\.0\.0\.1:(\d+)", said)
        assert found, self.log.read_text() + said
        self.port = int(found[1])
        self.until_ready()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def until_ready(self) -> None:
        end = time.monotonic() + 30
        with Client(self.base) as client:
            while True:
                try:
                    client.request("GET", "/health")
                    return
                except OSError:
                    assert self.process.poll() is None, self.log.read_text()
                    assert time.monotonic() < end, "the server does not answer"
                    time.sleep(0.02)

    def key_for(self, role: Role = "arbiter", who: str = "Anna Arbiter", **more: object) -> str:
        """A key, written into the access book beside the server."""
        access = open_access(self.location)
        grant = new_grant(role, who, **more)
        credential, secret = new_credential(grant, "key")
        access.write(lambda _: [grant, credential])
        access.close()
        return secret

    def client(self, role: Role = "arbiter", who: str = "Anna Arbiter", **more: object) -> Client:
        return self.anybody(self.key_for(role, who, **more))

    def anybody(self, key: str = "") -> Client:
        """A client, closed with the server; of the public without a key."""
        made = Client(self.base, key=key)
        self.clients.append(made)
        return made

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """End it as people do; how it ended."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(30)
        self._close()
        return code

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def running(location: str, log: Path, *more: str) -> Iterator[Running]:
    """A server from start to end."""
    server = Running(location, log, *more)
    try:
        yield server
    finally:
        for client in server.clients:
            client.close()
        if server.process.poll() is None:
            server.stop()
