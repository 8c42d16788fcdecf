"""``paircard serve`` as it is started: the browser of the first arbiter, and the network of a hall."""

import errno
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from paircard.web.serve import USUAL, lan_addresses
from tests.refusals import sentence
from tests.roots import PYTHONPATH
from tests.web.running import running


def test_the_browser_opens_with_a_link_that_signs_the_arbiter_in_once(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    words = ["serve", "--db", str(tmp_path / "open.db"), "--as", "Anna Arbiter", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "paircard.cli", *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "BROWSER": f"{browser} %s"},
    )
    try:
        end = time.monotonic() + 30
        while not opened.exists():
            assert time.monotonic() < end, "no browser was opened"
            time.sleep(0.05)
        home, _, secret = opened.read_text().strip().partition("/sign-in#")
        assert httpx.get(f"{home}/sign-in").status_code == 200
        first = httpx.post(f"{home}/api/v1/sessions", json={"link": secret})
        assert (first.status_code, first.json()["who"], first.json()["role"]) == (
            201, "Anna Arbiter", "arbiter",
        )  # fmt: skip
        assert httpx.post(f"{home}/api/v1/sessions", json={"link": secret}).status_code == 401
    finally:
        process.terminate()
        said, _ = process.communicate(timeout=30)
    assert sentence("http.sign-in-once", number=10, value=f"{home}/sign-in#") in said
    assert process.returncode == 0


def test_in_a_hall_anybody_reads_deputies_enter_and_arbiters_stay_at_the_machine(tmp_path: Path) -> None:
    address = next((one for one in lan_addresses() if one[0].isdigit()), "")
    if not address:
        pytest.skip("this machine is in no network")
    with running(str(tmp_path / "open.db"), tmp_path / "log", "--lan") as server:
        hall, anna = f"http://{address}:{server.port}/api/v1", server.key_for()
        made = httpx.post(
            f"{server.base}/api/v1/tournaments",
            json={"regulations": {"name": "Hall", "rounds": 3}},
            headers={"authorization": f"Bearer {anna}", "idempotency-key": "1"},
        )
        dora = server.key_for("deputy", "Dora", tournament=made.json()["id"])

        def status(key: str) -> int:
            headers = {"authorization": f"Bearer {key}"} if key else {}
            return httpx.get(f"{hall}/tournaments", headers=headers).status_code

        assert (status(""), status(dora), status(anna)) == (200, 200, 403)
        assert httpx.get(f"{hall}/tournaments", headers={"host": "evil.example"}).status_code == 421
    with (
        running(str(tmp_path / "open.db"), tmp_path / "log") as server,
        pytest.raises(httpx.ConnectError),
    ):
        httpx.get(f"http://{address}:{server.port}/api/v1/health")


def test_without_a_port_the_next_free_one_is_taken_and_said(tmp_path: Path) -> None:
    with suppress(OSError), socket.create_server(("127.0.0.1", USUAL)):  # or somebody else has it
        process = subprocess.Popen(
            [sys.executable, "-m", "paircard.cli", "serve", "--db", str(tmp_path / "a.db"), "--as", "Anna",
             "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": PYTHONPATH},
        )  # fmt: skip
        try:
            assert process.stdout is not None
            said = process.stdout.readline() + process.stdout.readline()
            found = re.search(r"at http://127\.0\.0\.1:(\d+)", said)
            assert found, said
            assert int(found[1]) > USUAL
            assert sentence("http.port-taken", first=USUAL, number=int(found[1])) in said
        finally:
            process.terminate()
            process.communicate(timeout=30)


def test_a_port_that_is_asked_for_and_taken_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        words = ["serve", "--db", str(tmp_path / "a.db"), "--port", str(port), "--no-browser"]
        done = subprocess.run(
            [sys.executable, "-m", "paircard.cli", *words],
            env=os.environ | {"PYTHONPATH": PYTHONPATH},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stdout) == (1, "")
    taken = os.strerror(errno.EADDRINUSE).lower()
    assert sentence("http.port-unusable", number=port, reason=taken) in done.stderr
    assert "Traceback" not in done.stderr


def test_nobody_is_invited_to_a_store_that_is_not_there(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "paircard.cli", "invite", "Otto", "--db", str(tmp_path / "nowhere.db")]
    done = subprocess.run(
        words, env=os.environ | {"PYTHONPATH": PYTHONPATH}, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert sentence("store.no-file", file=str(tmp_path / "nowhere.db")) in done.stderr
    assert list(tmp_path.iterdir()) == []
