"""deploy: its nginx in front of two processes on PostgreSQL, its unit, image and lock, as written."""

import json
import os
import re
import shutil
import ssl
import subprocess
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import httpx
import pytest

from paircard.domain.log.store import prepare
from paircard.domain.values.regulations import Regulations
from paircard.web.serve import serve
from paircard.web.settings import Settings
from tests.documents import document
from tests.postgres import Server, free_port
from tests.web.running import Running, running
from tests.web.test_feed import Listener

DEPLOYING = document("docs/deploying.md")
UNIT = document("deploy/paircard@.service")
NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if Path("/usr/sbin/nginx").exists() else "")

needs_nginx = pytest.mark.skipif(
    not (NGINX and shutil.which("openssl")), reason="nginx or openssl is not installed"
)


@contextmanager
def proxy(folder: Path, *ports: int) -> Iterator[int]:
    """The configuration of the document, with our ports and a certificate of its own; its port."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
         "-subj", "/CN=chess.example", "-addext", "subjectAltName=DNS:chess.example,IP:127.0.0.1",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    text = document("deploy/nginx.conf")
    port = free_port()
    for known, ours in zip(("one", "two"), ports, strict=True):
        text = text.replace(f"{known}:8000", f"127.0.0.1:{ours}")
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    text = text.replace("/etc/nginx/tls/certificate.pem", str(folder / "cert.pem"))
    text = text.replace("/etc/nginx/tls/key.pem", str(folder / "key.pem"))
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{text}}}\n"
    )
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        yield port
    finally:
        process.terminate()
        process.wait(20)


@needs_nginx
def test_two_processes_behind_nginx_are_one_server(server: Server, tmp_path: Path) -> None:
    location = server.fresh()
    prepare(location)
    options = ("--name", "chess.example", "--proxy", "127.0.0.1")
    with (
        running(location, tmp_path / "log1", *options) as one,
        running(location, tmp_path / "log2", *options) as other,
        proxy(tmp_path, one.port, other.port) as port,
    ):
        key = one.key_for()
        trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        headers = {"Host": "chess.example", "Authorization": f"Bearer {key}"}
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}/api/v1", verify=trusted, headers=headers
        ) as web:
            until_up(web)
            who = web.get("/sessions/current")
            assert who.json()["role"] == "arbiter", "over HTTPS an arbiter comes in from anywhere"
            assert who.headers["strict-transport-security"]
            id = one.anybody(key).open(Regulations(name="Federation", rounds=3)).id
            through_nginx = Listening(web, id)
            beside = Listener(other.anybody(key), id, 0)
            assert beside.next().data["fact"]["type"] == "tournament-opened"
            address = f"/tournaments/{id}/commands"
            for n in range(6):
                done = web.post(address, json=entry(n), headers={"Idempotency-Key": str(n)})
                assert done.status_code == 201, done.text
            heard = [int(beside.next().id) for _ in range(6)]
            assert heard == list(range(2, 8)), "what one process recorded is heard at the other"
            assert through_nginx.next() == "id: 1", "nginx passes messages on as they come"
            one.kill()
            again = web.post(address, json=entry(0), headers={"Idempotency-Key": "0"})
            assert (again.status_code, again.json()["repeated"]) == (200, True)
            assert [web.get(f"/tournaments/{id}").status_code for _ in range(4)] == [200] * 4
            through_nginx.ended.set()


def entry(n: int) -> dict[str, object]:
    """The request that registers a player."""
    return {"commands": [{"do": "register-player", "details": {"name": f"Player {n}"}}]}


class Listening(threading.Thread):
    """Lines of a feed through the proxy."""

    def __init__(self, web: httpx.Client, id: str) -> None:
        super().__init__(daemon=True)
        self.lines: Queue[str] = Queue()
        self.ended = threading.Event()
        self.web, self.id = web, id
        self.start()

    def run(self) -> None:
        try:
            with self.web.stream("GET", f"/tournaments/{self.id}/feed?after=0", timeout=30) as answer:
                for line in answer.iter_lines():
                    self.lines.put(line)
                    if self.ended.is_set():
                        return
        except httpx.HTTPError:
            pass

    def next(self) -> str:
        while not (line := self.lines.get(timeout=10)).startswith("id:"):
            pass
        return line


def until_up(web: httpx.Client) -> None:
    end = time.monotonic() + 20
    while True:
        try:
            if web.get("/health").status_code == 200:
                return
        except httpx.HTTPError:
            pass
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_server_behind_a_proxy_that_is_not_named_believes_nothing(tmp_path: Path) -> None:
    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        key = server.key_for()
        forged = {
            "X-Forwarded-For": "10.0.0.1",
            "X-Forwarded-Proto": "https",
            "Authorization": f"Bearer {key}",
        }
        answer = httpx.get(f"{server.base}/api/v1/sessions/current", headers=forged)
        assert "strict-transport-security" not in answer.headers


def test_the_unit_names_options_that_exist(tmp_path: Path) -> None:
    [line] = re.findall(r"^ExecStart=\S+ serve (.*)$", UNIT, re.MULTILINE)
    words = line.replace("%i", "0").split()
    server = Running(str(tmp_path / "open.db"), tmp_path / "log", *words)
    server.stop()

    assert '"path":"/api/v1/health"' in (tmp_path / "log").read_text()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_unit_gives_a_process_little_to_do_harm_with(tmp_path: Path) -> None:
    (tmp_path / "paircard@8001.service").write_text(UNIT)
    asked = ["systemd-analyze", "security", "--offline=true", f"{tmp_path}/paircard@8001.service"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout

    [exposure] = re.findall(r"exposure level for .*: ([\d.]+)", said)
    assert float(exposure) < 3


def test_the_lock_has_a_hash_for_all_that_an_image_installs() -> None:
    project = tomllib.loads(document("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    wanted = (*project["dependencies"], *extras["web"], *extras["postgres"], *extras["proof"])
    lock = document("deploy/requirements.lock")
    locked = re.findall(r"^([a-z0-9-]+)==\S+.*\\\n    --hash=sha256:", lock, re.MULTILINE)

    assert {re.split(r"[^\w-]", word)[0] for word in wanted} <= set(locked)
    assert len(locked) == lock.count("==")


def test_compose_starts_servers_with_options_that_exist() -> None:
    compose = document("deploy/compose.yaml")
    [line] = re.findall(r"command: \[serve, (.*)\]", compose)
    [image] = re.findall(r'^CMD \["serve", (.*)\]', document("deploy/Containerfile"), re.MULTILINE)
    there = {opt for param in serve.params for opt in param.opts}

    assert {*re.findall(r"--[a-z-]+", line + image)} <= there
    assert "ipv4_address: 10.89.7.2" in compose, "the proxy that the servers believe"


@pytest.mark.soak
@pytest.mark.skipif(not (shutil.which("buildah") and shutil.which("debootstrap")), reason="no image builder")
def test_the_image_is_built_and_plays_a_tournament(tmp_path: Path) -> None:
    """On a Debian made here; a machine that reaches a registry of images takes the base from there."""
    top = Path(__file__).parents[2]
    storage = {**os.environ, "STORAGE_DRIVER": "vfs"}

    def ran(*words: str | Path) -> str:
        return subprocess.run(
            words, env=storage, cwd=top, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    ran("debootstrap", "--variant=minbase", "--include=ca-certificates", "trixie", tmp_path / "root")
    ran("tar", "-C", tmp_path / "root", "-cf", tmp_path / "root.tar", ".")
    base = ran("buildah", "from", "scratch").strip()
    ran("buildah", "add", base, tmp_path / "root.tar", "/")
    ran("buildah", "commit", base, "localhost/debian-base")
    certificates = "/etc/ssl/certs/ca-certificates.crt"
    (tmp_path / "pip.conf").write_text(f"[global]\ncert = {certificates}\n")
    ran("buildah", "bud", "--isolation", "chroot", "--network", "host", "--format", "docker",
        "--build-arg", "BASE=localhost/debian-base", "-v", f"{tmp_path}/pip.conf:/etc/pip.conf:ro",
        "-v", f"{certificates}:{certificates}:ro",
        "-f", "deploy/Containerfile", "-t", "paircard", ".")  # fmt: skip
    image = ran("buildah", "from", "paircard").strip()

    assert "corrected from" in ran("buildah", "run", "--isolation", "chroot", image, "--", "paircard", "demo")
    assert "uid=10001" in ran("buildah", "run", "--isolation", "chroot", image, "--", "id")


def test_the_limits_of_the_document_are_those_of_the_server() -> None:
    made = Settings()

    assert f"{made.largest_body // 1024} kB, {made.body_seconds:g} s" in DEPLOYING
    assert f"| {made.sign_ins_per_minute:g} a minute |" in DEPLOYING
    assert f"| {made.feeds_per_address} |" in DEPLOYING
    assert f"| {made.commands_per_second:g} a second, " in DEPLOYING


SERIES = {
    "follower_position": ("1000+100x300", "1000x300"),
    "webhooks_dead": ("5 5 5 3x300", "0 0 0 2x300"),
    "pool_used": ("0x300", "5x300"),
    "pool_size": ("0x300", "5x300"),
    "signed_position": ("1000x300", "1000x300"),
    "signed_age_seconds": ("90000x300", "90000x300"),
}
"""Of process a, which goes on and serves a file, and b, which stays behind on PostgreSQL."""


@pytest.mark.skipif(not shutil.which("promtool"), reason="Prometheus is not installed")
def test_the_rules_of_the_guide_call_for_the_process_that_is_meant(tmp_path: Path) -> None:
    scraping, rules = re.findall(r"```yaml\n(.*?)```", DEPLOYING, re.DOTALL)
    (tmp_path / "prometheus.yml").write_text(scraping)
    (tmp_path / "rules.yml").write_text(rules)
    called = {
        "PaircardBehind": "b",
        "PaircardWebhooksDead": "b",
        "PaircardPoolFull": "b",
        "PaircardUnsigned": "a",
    }
    test = {
        "interval": "1m",
        "input_series": [
            {"series": f'paircard_{name}{{job="paircard",instance="{which}"}}', "values": values}
            for name, both in SERIES.items()
            for which, values in zip("ab", both, strict=True)
        ],
        "alert_rule_test": [
            {"alertname": name, "eval_time": "70m" if which == "a" else "20m",
             "exp_alerts": [{"exp_labels": {"job": "paircard", "instance": which}}]}
            for name, which in called.items()
        ],
    }  # fmt: skip
    whole = {"rule_files": ["rules.yml"], "evaluation_interval": "1m", "tests": [test]}
    (tmp_path / "test.yml").write_text(json.dumps(whole))
    for words in (("check", "config", "prometheus.yml"), ("test", "rules", "test.yml")):
        done = subprocess.run(["promtool", *words], cwd=tmp_path, capture_output=True, text=True)
        assert not done.returncode, done.stdout + done.stderr
