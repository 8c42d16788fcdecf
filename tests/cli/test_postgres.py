"""The command line on PostgreSQL: a tournament as on a file, and every trouble in one line."""

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
import pytest

from paircard.cli.main import run
from paircard.domain.commands import RegisterPlayer
from paircard.domain.errors import Busy, Unreachable
from paircard.domain.log.backends.postgres import PostgresBackend
from paircard.domain.log.backends.postgres_database import MOST
from paircard.domain.log.store import Tournaments
from paircard.domain.speaking import Speaker
from paircard.domain.values.players import Details
from paircard.domain.values.results import Outcome
from tests.cli.session import Terminal
from tests.domain.scenes import ask
from tests.postgres import DATABASE, PASSWORD, USER, Server
from tests.refusals import refuses, sentence
from tests.roots import ROOT

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def url(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A schema without tables, which PAIRCARD_DB points at."""
    url = server.fresh()
    monkeypatch.setenv("PAIRCARD_DB", url)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    monkeypatch.chdir(tmp_path)
    return url


def shown(url: str) -> str:
    """An address as it is shown: without the password."""
    return url.replace(f":{PASSWORD.replace('/', '%2F')}@", "@")


def typed(capsys: Capture, *words: str) -> str:
    """What a command printed that must succeed."""
    code = run(words)
    done = capsys.readouterr()
    assert (code, done.err) == (0, ""), (words, done)
    assert PASSWORD not in done.out
    return done.out


def refused(capsys: Capture, *words: str) -> str:
    """The one line of a command that must be refused."""
    code = run(words)
    done = capsys.readouterr()
    assert (code, done.out, done.err.count("\n")) == (1, "", 1), (words, done)
    assert "Traceback" not in done.err
    for secret in (PASSWORD, PASSWORD.replace("/", "%2F"), "s3cret"):
        assert secret not in done.err
    return done.err.removeprefix("paircard: ").rstrip("\n")


def test_an_arbiter_runs_a_tournament_on_postgresql(url: str, capsys: Capture, tmp_path: Path) -> None:
    address = shown(url)
    lacking = sentence("store.server", cause="no-tables", file=address)
    assert refused(capsys, "new", "Open", "--rounds", "3") == lacking
    assert typed(capsys, "init") == sentence("cli.stores.ready", path=address) + "\n"
    assert typed(capsys, "init") == sentence("cli.stores.prepared", path=address) + "\n"
    assert sentence("no-tournament", file=address, there=0) in refused(capsys, "show")

    typed(capsys, "new", "Open", "--rounds", "3", "--tiebreaks", "BH")
    (tmp_path / "p.csv").write_text("name,rating\nAda,2100\nBen,2000\nCleo,1900\nDag,1800\n")
    typed(capsys, "player", "import", "p.csv")
    typed(capsys, "draw", "--colour", "white")
    typed(capsys, "pair")
    typed(capsys, "publish")
    typed(capsys, "result", "1", "1", "1-0", "2", "=", "--id", "sms-1")
    again = typed(capsys, "result", "1", "1", "1-0", "2", "=", "--id", "sms-1")
    assert sentence("cli.said.nothing-new") in again
    taken = refused(capsys, "result", "1", "1", "0-1", "--as", "Bruno")
    there = sentence("result-there", round=1, board=1, result=Outcome("1", "0"))
    assert taken.startswith(f"{there} (Anna Arbiter, ")
    recorded = Speaker().word("fact", "result_recorded")
    assert re.search(rf"Arbiter, \S+Z: {recorded}\)$", taken)
    typed(capsys, "correct", "1", "1", "=", "--why", "both signed")

    standings = json.loads(typed(capsys, "standings", "--json"))["standings"]
    assert sum(line["points"] for line in standings) == 20
    [tournament] = json.loads(typed(capsys, "list", "--json"))
    assert typed(capsys, "show", "-t", tournament["id"][:8]).startswith("Open")
    written = sentence("cli.said.tables", file="read.db", count=12, last=12)
    assert typed(capsys, "tables", "read.db") == f"{written}\n"
    told = typed(capsys, "doctor", "--tables", "read.db")
    assert "wrong" not in told
    assert sentence("tables.up-to-date", path="read.db", number=12) in told
    moved = sentence("cli.stores.moved", count=1, path=address, file="laptop.db")
    assert moved in typed(capsys, "move", url, "laptop.db")
    assert typed(capsys, "standings", "--json", "--db", "laptop.db") == typed(capsys, "standings", "--json")
    assert refused(capsys, "backup", "copy.db") == sentence("proof.backed-up-by-postgresql", path=address)


def trouble(cause: str, place: str) -> str:
    return sentence("store.server", cause=cause, file=f"postgresql://{place}")


def test_every_trouble_with_the_server_is_told_in_one_line(server: Server, capsys: Capture) -> None:
    with psycopg.connect(server.url(), autocommit=True) as db:
        db.execute("DROP ROLE IF EXISTS guest")
        db.execute("CREATE ROLE guest LOGIN PASSWORD 's3cret' CONNECTION LIMIT 0")
    here = f"127.0.0.1:{server.port}"
    nowhere = server.url().replace(str(server.port), "9")
    guest = server.url().replace(f"{USER}:", "guest:").replace(PASSWORD.replace("/", "%2F"), "s3cret")
    troubles = {
        nowhere: trouble("port", f"{USER}@127.0.0.1:9/{DATABASE}"),
        server.url(password="s3cret"): trouble("password", f"{USER}@{here}/{DATABASE}"),
        server.url(password=""): trouble("no-password", f"{USER}@{here}/{DATABASE}"),
        server.url("draughts"): trouble("no-database", f"{USER}@{here}/draughts"),
        server.url().replace(f"{USER}:", "nobody:"): trouble("password", f"nobody@{here}/{DATABASE}"),
        guest: trouble("full-here", f"guest@{here}/{DATABASE}"),
        server.url(schema="Bad Name"): sentence("store.not-a-schema", text="Bad Name"),
        f"postgresql://{USER}:s3cret@x@127.0.0.1/{DATABASE}": sentence("store.malformed-address"),
        f"postgresql://{USER}:s3cret/x@127.0.0.1/{DATABASE}": sentence("store.malformed-address"),
        f"postgresql://{USER}:s3cret@no.such.host.invalid/{DATABASE}": trouble(
            "no-host", f"{USER}@no.such.host.invalid/{DATABASE}"
        ),
        f"postgresql://{USER}:s3cret@{here}/{DATABASE}?nonsense=1": sentence(
            "store.unusable",
            file=f"postgresql://{USER}@{here}/{DATABASE}",
            reason="",
        ),
    }
    for address, told in troubles.items():
        assert told in refused(capsys, "list", "--db", address), address
        assert told in refused(capsys, "init", "--db", address), address


@pytest.mark.parametrize("command", ["list", "init", "serve", "invite"])
def test_without_psycopg_the_way_to_get_it_is_told(command: str, tmp_path: Path) -> None:
    words = [command, *(["Bob"] if command == "invite" else []), "--db", "postgresql://a:s3cret@h/d"]
    for missing in ("psycopg", "psycopg_pool"):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                f"import sys; sys.modules[{missing!r}] = None\n"
                f"from paircard.cli.main import main; main({words!r})",
            ],
            env=Terminal(tmp_path).environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert done.stderr == "paircard: " + sentence("store.no-psycopg") + "\n"


def test_a_lock_that_is_not_had_in_time_is_told_as_such(url: str, server: Server, capsys: Capture) -> None:
    typed(capsys, "init")
    typed(capsys, "new", "Open", "--rounds", "3", "--id", "opening")
    with Tournaments(url, patience=1) as store, psycopg.connect(server.url()) as other:
        [(id, _)] = store.names()
        other.execute(f"LOCK TABLE {url.partition('schema=')[2]}.stored_events IN EXCLUSIVE MODE")
        with refuses(Busy, "store.server", cause="locked"):
            store.ask(id, ask(RegisterPlayer, details=Details(name="Short")))
        assert store.state(id).version == 1, "reading goes on"
        other.rollback()

        assert store.ask(id, ask(RegisterPlayer, details=Details(name="Short"))).state.version == 2


def test_a_server_that_only_reads_says_so(url: str, capsys: Capture) -> None:
    typed(capsys, "init")
    typed(capsys, "new", "Open", "--rounds", "3")
    only_reading = f"{url}&options=-cdefault_transaction_read_only%3Don"

    typed(capsys, "show", "--db", only_reading)
    told = refused(capsys, "player", "add", "Ada", "--db", only_reading)

    assert told == sentence("store.server", cause="read-only", file=shown(url))


def test_several_who_prepare_at_once_make_the_tables_once(server: Server, tmp_path: Path) -> None:
    url = server.fresh()
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "paircard.cli", "init"],
            env=Terminal(tmp_path).environment | {"PAIRCARD_DB": url},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(4)
    ]
    said = [process.communicate(timeout=600)[0] for process in processes]

    assert [process.returncode for process in processes] == [0] * 4
    ready = sentence("cli.stores.ready", path=shown(url))
    assert sum(ready in text for text in said) == 1


def test_an_arbiter_needs_only_the_rights_the_readme_grants(
    url: str, server: Server, capsys: Capture
) -> None:
    readme = (ROOT / "docs/arbiters.md").read_text(encoding="utf-8")
    [grants] = re.findall(r"^```sql\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    schema = url.partition("schema=")[2]
    typed(capsys, "init")
    typed(capsys, "new", "Open", "--rounds", "3")
    with psycopg.connect(server.url(), autocommit=True) as db:
        for role in ("desk", "guest"):
            db.execute(f"DROP ROLE IF EXISTS {role}")
            db.execute(f"CREATE ROLE {role} LOGIN PASSWORD 's3cret'")
        db.execute(grants.replace("paircard", schema).replace(f"{schema}_format", "paircard_format"))
        db.execute(f"GRANT USAGE ON SCHEMA {schema} TO guest")
        db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO guest")
        secret = PASSWORD.replace("/", "%2F")
        desk, guest = (url.replace(f"{USER}:{secret}", f"{role}:s3cret") for role in ("desk", "guest"))

        assert typed(capsys, "player", "add", "Ada", "--db", desk) == "Ada unrated registered\n"
        assert "wrong" not in typed(capsys, "doctor", "--db", desk)
        assert typed(capsys, "show", "--db", guest).startswith("Open")
        lacking = sentence("store.server", cause="lacks-right", file=guest.replace(":s3cret", ""))
        assert refused(capsys, "player", "add", "Ben", "--db", guest) == lacking
        assert "you may not INSERT (originator_id, originator_version, topic, state)" in typed(
            capsys, "doctor", "--db", guest
        )
        for role in ("desk", "guest"):
            db.execute(f"DROP OWNED BY {role}")
            db.execute(f"DROP ROLE {role}")


def test_a_process_takes_no_more_than_its_share_of_connections(url: str, capsys: Capture) -> None:
    typed(capsys, "init")
    with Tournaments(url, patience=0.2) as store, ExitStack() as held:
        log = store.backend
        assert isinstance(log, PostgresBackend)
        for _ in range(MOST):
            held.enter_context(log.datastore.connections.connection())
        with refuses(Busy, "store.server", cause="all-used"):
            store.last_position()
        held.close()

        assert store.last_position() == 0


def test_a_server_that_stays_away_leaves_no_doubt_what_to_do(
    url: str, server: Server, capsys: Capture
) -> None:
    typed(capsys, "init")
    typed(capsys, "new", "Open", "--rounds", "3")
    command = ask(RegisterPlayer, details=Details(name="Short"), id="phone-7")
    with Tournaments(url, patience=1) as store:
        [(id, _)] = store.names()
        store.state(id)
        server.stop("immediate")
        try:
            with refuses(Unreachable, "outcome-unknown", id="phone-7"):
                store.ask(id, command)
        finally:
            server.start()

        assert store.ask(id, command).state.version == 2
        assert store.ask(id, command).repeated


class Wire:
    """The way to a server, cut for good once the COMMIT of a new fact has gone through: no answer comes."""

    def __init__(self, port: int) -> None:
        self.server = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.cut = threading.Event()
        self.threads: list[threading.Thread] = []
        self.begin(self.listen)

    def begin(self, work: Callable[..., None], *args: object) -> None:
        self.threads.append(threading.Thread(target=work, args=args))
        self.threads[-1].start()

    def listen(self) -> None:
        with suppress(OSError):  # shut once the wire is cut
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.server))
                self.begin(self.carry, near, far, True)
                self.begin(self.carry, far, near, False)

    def carry(self, source: socket.socket, target: socket.socket, asking: bool) -> None:
        writes = False
        with source, suppress(OSError):
            while data := source.recv(65536):
                if not asking and self.cut.is_set():
                    break  # the answer to the COMMIT
                writes = writes or b"INSERT INTO" in data
                if asking and writes and b"COMMIT" in data:
                    self.cut.set()
                    self.listener.shutdown(socket.SHUT_RDWR)
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for thread in self.threads:
            thread.join(30)
        self.listener.close()


@pytest.mark.slow
def test_an_answer_that_never_comes_leaves_it_open_whether_it_was_recorded(
    server: Server, url: str, capsys: Capture
) -> None:
    typed(capsys, "init")
    typed(capsys, "new", "Open", "--rounds", "3")
    wire = Wire(server.port)
    through_the_wire = url.replace(f":{server.port}", f":{wire.port}")

    line = refused(capsys, "player", "add", "Ada", "--id", "a1", "--db", through_the_wire)

    assert wire.cut.is_set()
    lost = sentence("store.server", cause="port", file=shown(through_the_wire))
    unknown = sentence("outcome-unknown", reason=lost, id="a1")
    assert line == sentence("cli.outcome-unknown", value=unknown, id="a1")
    again = typed(capsys, "player", "add", "Ada", "--id", "a1")
    assert sentence("cli.said.nothing-new") in again
    assert json.loads(typed(capsys, "show", "--json"))["players"] == 1
    wire.close()
