"""What an operator sees of a server: metrics and readiness, also while the database hangs, and one log."""

import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn
from starlette.applications import Starlette

from paircard.domain.log.store import Tournaments, prepare
from paircard.service import Moment
from paircard.web.metrics import Metrics
from paircard.web.serve import Server
from paircard.web.site import PublicSide
from tests.apart import awaited
from tests.documents import document
from tests.postgres import running as database_running
from tests.roots import PYTHONPATH
from tests.scale.events import next_round, opening, result
from tests.web.running import running as serving


def metrics_of(text: str) -> dict[str, float]:
    """Values by name and labels; every line is of the text format of Prometheus."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            one = re.fullmatch(r"([a-z_]+(?:\{.*\})?) (\S+)", line)
            assert one, line
            found[one[1]] = float(one[2])
    return found


def asked(address: str, **headers: str) -> tuple[int, str]:
    """Status and text of an answer; two seconds are the longest a probe waits."""
    try:
        with urlopen(Request(address, headers=headers), timeout=2) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


def test_requests_feeds_and_the_store_are_counted(tmp_path: Path) -> None:
    with serving(str(tmp_path / "open.db"), tmp_path / "log", "--access-log", "-") as server:
        for _ in range(3):
            asked(f"{server.base}/api/v1/tournaments")
        asked(f"{server.base}/api/v1/tournaments/{'0' * 32}")
        asked(f"{server.base}/nothing")
        status, text = asked(f"{server.base}/metrics")
        found = metrics_of(text)

        assert status == 200
        rows = re.findall(r"^\| `paircard_.*", document("docs/deploying.md"), re.MULTILINE)
        promised = set(re.findall(r"`(paircard_[a-z_]+)", "\n".join(rows)))
        assert promised == set(re.findall(r"^# TYPE (\S+) (?:counter|gauge|histogram)$", text, re.MULTILINE))
        assert promised == set(re.findall(r"^# HELP (\S+) \S", text, re.MULTILINE))
        route = 'route="/api/v1/tournaments",method="GET"'
        assert found[f'paircard_requests_total{{{route},status="200"}}'] == 3
        one = 'route="/api/v1/tournaments/{tournament}",method="GET",status="404"'
        assert found[f"paircard_requests_total{{{one}}}"] == 1
        assert found['paircard_requests_total{route="none",method="GET",status="404"}'] == 1
        assert found['paircard_request_seconds_count{route="/api/v1/tournaments"}'] == 3
        assert found['paircard_request_seconds_bucket{route="/api/v1/tournaments",le="+Inf"}'] == 3
        assert (found["paircard_ready"], found["paircard_open_feeds"]) == (1, 0)
        assert (found["paircard_pool_size"], found["paircard_unreadable_tournaments"]) == (0, 0)
        through_a_proxy = asked(f"{server.base}/metrics", **{"X-Forwarded-For": "192.0.2.7"})
        assert through_a_proxy[0] == 403
    for line in (tmp_path / "log").read_text().splitlines():
        assert json.loads(line)["time"], "one stream of JSON lines"


def test_large_numbers_are_told_to_the_last_digit() -> None:
    metrics = Metrics()
    metrics.gauges = lambda: {"follower_position": ("Position.", 30_000_017), "ready": ("Ready.", True)}
    metrics.requests["somewhere", "GET", 200, 0] = 1_234_567

    found = metrics_of(metrics.text())
    assert found["paircard_follower_position"] == 30_000_017
    assert found['paircard_requests_total{route="somewhere",method="GET",status="200"}'] == 1_234_567
    assert found["paircard_ready"] == 1


MISTAKEN = """
import threading
from paircard.cli.main import main
from paircard.web.routes import server

def mistake() -> None:
    threading.Thread(target=lambda: 1 / 0, name="aside").start()
    raise ZeroDivisionError

server.fact_schema = mistake
main()
"""


def test_a_mistake_of_ours_is_one_line_of_the_log_and_nothing_else_is_written(tmp_path: Path) -> None:
    words = ("serve", "--db", tmp_path / "open.db", "--no-browser", "--port", "0", "--access-log", "-")
    process = subprocess.Popen(
        [sys.executable, "-c", MISTAKEN, *words],
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    home = re.search("http://[0-9.:]+", process.stdout.readline())
    assert home
    assert asked(f"{home[0]}/api/v1/facts.schema.json")[0] == 500
    process.terminate()
    lines = [json.loads(line) for line in process.communicate(timeout=30)[1].splitlines()]

    assert [line["status"] for line in lines if "status" in line] == [500]
    messages = [line["message"] for line in lines if line.get("level") == "error"]
    assert sorted(message.split(" ")[0] for message in messages) == ["GET", "thread"]


def tracked() -> int:
    """How much a collection of garbage looks through, while all threads wait."""
    gc.collect()
    return len(gc.get_objects())


def test_a_collection_of_garbage_does_not_look_through_the_logs_that_are_kept(tmp_path: Path) -> None:
    players, id = 100, "1" * 32
    with Tournaments(tmp_path / "open.db", create=True) as store:
        store.ask(id, *opening("Open", players, 9))
        for number in range(1, 6):
            next_round(store, id, players, number)
            store.ask(id, *[result(number, board) for board in range(1, players // 2 + 1)])
        side, before = PublicSide(id), tracked()
        known = store.read(id)
        moments = side.moment(known), Moment(id, known.state, lambda: known.facts, known.memory)
        kept = [(moment.standings(), moment.crosstable()) for moment in moments]

        assert len(known.facts) > 350
        assert tracked() - before < 200
        assert kept


def test_what_is_loaded_at_the_start_is_never_looked_through_again() -> None:
    async def start() -> int:
        with socket.create_server(("127.0.0.1", 0)) as door:
            config = uvicorn.Config(Starlette(), log_config=None, lifespan="off")
            config.load()
            server = Server(config)
            server.lifespan = config.lifespan_class(config)
            await server.startup([door])
            await server.shutdown([door])
        return gc.get_freeze_count()

    before = tracked()
    try:
        assert awaited(start()) > 0.9 * before
    finally:
        gc.unfreeze()


def tell(processes: list[int], what: signal.Signals) -> None:
    """Send a signal to those that are still there: a database ends workers of its own when it likes."""
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


@pytest.mark.slow
@pytest.mark.postgres
def test_readiness_and_metrics_answer_at_once_while_the_database_hangs(tmp_path: Path) -> None:
    with database_running() as database:
        location = database.fresh()
        prepare(location)
        with serving(location, tmp_path / "log", "--access-log", "-") as server:
            end = time.monotonic() + 30
            while asked(f"{server.base}/api/v1/ready")[0] != 200:
                assert time.monotonic() < end
            first = int((database.data / "postmaster.pid").read_text().split()[0])
            children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
            stopped = [first, *map(int, children)]
            tell(stopped, signal.SIGSTOP)
            try:
                took, end = [], time.monotonic() + 60
                while True:
                    began = time.monotonic()
                    status, _ = asked(f"{server.base}/api/v1/ready")
                    took.append(time.monotonic() - began)
                    if status == 503:
                        break
                    assert time.monotonic() < end
                    time.sleep(0.1)
                found = metrics_of(asked(f"{server.base}/metrics")[1])
                assert found["paircard_ready"] == 0
                assert found["paircard_pool_size"] == 5
                assert not 0 <= found["paircard_follower_age_seconds"] < 5
                print(f"{len(took)} answers, the slowest took {max(took) * 1000:.1f} ms")
            finally:
                tell(stopped, signal.SIGCONT)
            end = time.monotonic() + 60
            while asked(f"{server.base}/api/v1/ready")[0] != 200:
                assert time.monotonic() < end
                time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.postgres
def test_readiness_and_metrics_answer_at_once_while_the_database_is_stopped(tmp_path: Path) -> None:
    with database_running() as database:
        location = database.fresh()
        prepare(location)
        with serving(location, tmp_path / "log") as server:
            until_ready(server.base, 200)
            database.stop("fast")
            until_ready(server.base, 503)
            took, end = [], time.monotonic() + 8  # longer than the follower tries each time
            while time.monotonic() < end:
                for address, expected in (("api/v1/ready", 503), ("metrics", 200)):
                    began = time.monotonic()
                    assert asked(f"{server.base}/{address}")[0] == expected
                    took.append(time.monotonic() - began)
                time.sleep(0.05)
            print(f"{len(took)} answers, the slowest took {max(took) * 1000:.1f} ms")
            assert sorted(took)[len(took) // 2] < 0.1
            database.start()
            until_ready(server.base, 200)


def until_ready(base: str, expected: int) -> None:
    """Wait until /ready answers so."""
    end = time.monotonic() + 60
    while asked(f"{base}/api/v1/ready")[0] != expected:
        assert time.monotonic() < end
        time.sleep(0.05)
