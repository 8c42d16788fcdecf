"""The PostgreSQL server of the tests: it is there, alone, and gone afterwards, whatever happened before."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.postgres import PREFIX, Server, Unavailable, begun, program, running, sweep
from tests.roots import PYTHONPATH, ROOT

SCRIPT = """
import sys, time
from pathlib import Path
from tests.postgres import running
with running(Path(sys.argv[1])) as server:
    print(server.folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def there(server: Server) -> Server:
    """Skips where there is no PostgreSQL."""
    return server


def test_a_server_that_a_killed_run_left_behind_is_stopped_by_the_next(there: Server) -> None:
    home = there.folder  # short enough for a socket, and removed at the end
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((PYTHONPATH, str(ROOT)))}
    words = [sys.executable, "-c", SCRIPT, str(home)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment, cwd=ROOT, text=True) as run:
        try:
            assert run.stdout is not None
            folder = Path(run.stdout.readline().strip())
            assert folder.name.startswith(PREFIX)
            pid = int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])
            assert sweep(home) == [], "one that is in use is left alone"
        finally:
            run.kill()
    assert begun(pid), "a server outlives whoever started it"

    assert sweep(home) == [folder]

    assert not begun(pid)
    assert not folder.exists()
    assert sweep(home) == []


def test_whatever_else_lies_there_is_left_alone(tmp_path: Path) -> None:
    for name, content in (("a", ""), ("b", "nonsense"), ("c", f"{os.getpid()} {begun(os.getpid())}")):
        (tmp_path / f"{PREFIX}{name}").mkdir()
        (tmp_path / f"{PREFIX}{name}" / "owner").write_text(content)
    (tmp_path / f"{PREFIX}d").mkdir()
    (tmp_path / f"{PREFIX}e").write_text("a file")

    assert sweep(tmp_path) == []
    assert len(list(tmp_path.iterdir())) == 5


def test_a_number_that_is_another_process_by_now_is_not_ended(tmp_path: Path) -> None:
    folder = tmp_path / f"{PREFIX}old"
    (folder / "data").mkdir(parents=True)
    (folder / "owner").write_text("1 0")
    with subprocess.Popen(["sleep", "600"]) as other:
        try:
            (folder / "data" / "postmaster.pid").write_text(f"{other.pid}\n{folder / 'data'}\n")

            assert sweep(tmp_path) == [folder]

            time.sleep(0.1)
            assert other.poll() is None
        finally:
            other.kill()


def test_a_port_that_somebody_took_meanwhile_is_not_insisted_on(
    there: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests import postgres

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = iter([taken.getsockname()[1]])
        real = postgres.free_port
        monkeypatch.setattr(postgres, "free_port", lambda: next(ports, None) or real())
        with running() as second:
            assert second.port != taken.getsockname()[1]
            with psycopg.connect(second.url()) as db:
                assert db.execute("SELECT 1").fetchone() == (1,)
            folder = second.folder
    assert not folder.exists()


def test_a_server_is_gone_when_it_is_no_longer_needed(there: Server) -> None:
    with running() as second:
        pid = int((second.data / "postmaster.pid").read_text().splitlines()[0])
        assert begun(pid)
    assert not begun(pid)
    assert not second.folder.exists()


def test_without_postgres_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unavailable, match="no such-program"):
        program("such-program")
