"""An upgrade under load: two builds on one database behind nginx, replaced one after the other."""

import itertools
import os
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.values.regulations import Regulations
from tests.documents import programs
from tests.postgres import Server
from tests.roots import PYTHONPATH, ROOT
from tests.web.running import Running
from tests.web.test_deploying import entry, needs_nginx, proxy, until_up

BEFORE = os.environ.get("PAIRCARD_UPGRADE_FROM", "985205bb")
"""The build that is replaced: one that writes the same format of the store."""
AFTER = os.environ.get("PAIRCARD_UPGRADE_TO", "")
"""The build that takes its place; empty for this one."""
OPTIONS = ("--name", "chess.example", "--proxy", "127.0.0.1")


def build_of(commit: str, folder: Path) -> str:
    """The code of a commit, as PYTHONPATH takes it."""
    folder.mkdir()
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    return PYTHONPATH.replace(str(ROOT), str(folder))


@pytest.mark.soak
@needs_nginx
def test_no_request_fails_while_both_processes_are_replaced_by_another_build(
    server: Server, tmp_path: Path
) -> None:
    location, old = server.fresh(), build_of(BEFORE, tmp_path / "before")
    new = build_of(AFTER, tmp_path / "after") if AFTER else PYTHONPATH
    made = [sys.executable, "-m", "paircard.cli", "init", "--db", location]
    subprocess.run(made, env=os.environ | {"PYTHONPATH": old}, check=True)
    processes = [Running(location, tmp_path / f"log{n}", *OPTIONS, code=old) for n in (1, 2)]
    answers: list[int] = []
    failed: list[str] = []
    ended = threading.Event()
    try:
        with proxy(tmp_path, *(one.port for one in processes)) as port:
            key = processes[0].key_for()
            headers = {"Host": "chess.example", "Authorization": f"Bearer {key}"}
            trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
            with processes[0].anybody(key) as client:
                id = client.open(Regulations(name="Federation", rounds=3)).id

            def load(desk: int) -> None:
                address = f"https://127.0.0.1:{port}/api/v1"
                with httpx.Client(base_url=address, verify=trusted, headers=headers, timeout=30) as web:
                    until_up(web)
                    for n in itertools.count(desk, 3):
                        if ended.is_set():
                            return
                        sent = {"Idempotency-Key": str(n)}
                        path = f"/tournaments/{id}"
                        for done in (
                            web.post(f"{path}/commands", json=entry(n), headers=sent),
                            web.get(f"{path}/players"),
                        ):
                            answers.append(done.status_code)
                            if done.status_code not in (200, 201):
                                failed.append(f"{done.status_code} {done.text[:200]}")

            desks = [threading.Thread(target=load, args=(desk,)) for desk in range(3)]
            for desk in desks:
                desk.start()
            builds = [httpx.get(f"{processes[0].base}/api/v1/health").json()["build"]]
            time.sleep(2)
            for one in processes:
                one.stop()
                one.code = new
                one.start()
                builds.append(httpx.get(f"{one.base}/api/v1/health").json()["build"])
                time.sleep(2)
            ended.set()
            for desk in desks:
                desk.join()
    finally:
        ended.set()
        for one in processes:
            one.stop()
    print(f"{len(answers)} answers, {len(failed)} failed; builds {', '.join(builds)}")
    assert len(set(builds)) == 2, "another build than before serves"
    assert failed == []
    with Tournaments(location) as log:
        assert log.version(id) == 1 + answers.count(201), "whatever was answered is there, once"


@pytest.mark.soak
@pytest.mark.parametrize("newer", ["client", "server"])
def test_a_client_of_one_build_runs_a_tournament_on_a_server_of_another(newer: str, tmp_path: Path) -> None:
    """The program of the guide of a build, with the client of that build, on a server of the other one."""
    old = build_of(BEFORE, tmp_path / "before")
    its, guide = (PYTHONPATH, ROOT) if newer == "client" else (old, tmp_path / "before")
    [(program, shown)] = [
        found for found in programs((guide / "docs/http.md").read_text()) if "import Client" in found[0]
    ]
    server = Running(
        str(tmp_path / "open.db"), tmp_path / "log", code=old if newer == "client" else PYTHONPATH
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, server.base],
            env=os.environ | {"PYTHONPATH": its, "KEY": server.key_for()},
            capture_output=True,
            text=True,
            timeout=60,
        )
    finally:
        server.stop()
    assert (done.stdout, done.stderr) == (shown, "")
