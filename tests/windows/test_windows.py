"""The product on Windows: the CPython of the folder that arbiters unzip, run by wine."""

import json
import os
import random
import shlex
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from http.server import ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from paircard.domain import Regulations
from paircard.domain.log.store import Tournaments
from paircard.domain.system import others_may_read
from paircard.service import Office, person
from tests.cli.commands.test_lists import Silent
from tests.cli.session import Done, Terminal
from tests.cli.test_help_examples import ALL, BEFORE, ELSEWHERE, PLAYED, PLAYERS, example, preparing
from tests.documents import document, lasting, typed
from tests.refusals import sentence
from tests.web.pages.reading import string
from tests.web.test_newcomer import run_an_event
from tests.windows.machine import BUILD, Machine, WindowsTerminal, screen

pytestmark = pytest.mark.slow
NAMES = (
    "Müller, Jörg", "Đurić, Ana", "Łukasz Żółć", "Þórarinsdóttir, Æsa", "Çelik, Şükrü", "Nguyễn Văn Ổn",
    "Παπαδόπουλος", "Каспаров, Гарри", "Їжакевич, Ґалина", "Քասպարյան", "კახიანი", "שלום, דוד", "محمد علي",
    "विश्वनाथन आनंद", "শাকিব", "வைஷாலி", "กิตติ ศรี", "李明", "やまだ たろう", "김민수",
)  # fmt: skip


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@pytest.fixture
def windows(machine: Machine, tmp_path: Path) -> Iterator[WindowsTerminal]:
    folder = tmp_path / "Türnier im März"
    folder.mkdir()
    terminal = WindowsTerminal(folder, machine)
    yield terminal
    terminal.end()


def test_an_event_on_windows_is_the_event_it_is_here(windows: WindowsTerminal, tmp_path: Path) -> None:
    """Names in twenty scripts on every output, proofs, exports over an existing file: byte for byte."""
    here = Terminal(tmp_path / "here")
    here.folder.mkdir()
    sheet = "name,rating\n" + "".join(f'"{name}",{2000 - at}\n' for at, name in enumerate(NAMES))
    for terminal in (windows, here):
        terminal.write("Spieler.csv", sheet)
        for words in (
            ("new", "Élan", "--rounds", "3"),
            ("player", "import", "Spieler.csv"),
            ("draw", "--colour", "white"),
            ("pair",),
            ("publish",),
            ("result", "1", *(word for board in range(1, 11) for word in (str(board), "½-½"))),
            ("trf", "export", "-o", "report.trf"),
            ("trf", "export", "-o", "report.trf"),
            ("boards", "-o", "Bretter.html"),
            ("standings", "-o", "table.csv"),
            ("player", "list", "-o", "list.json"),
            ("key", "new", "club.example", "-o", "club.key"),
            ("checkpoint", "--key", "club.key", "-o", "first.checkpoint"),
            ("tree", "publish", "--to", "tree", "--key", "club.key"),
            ("backup", "copy.db"),
        ):
            assert terminal.run(*words).code == 0, (words, terminal.run(*words))

    for words in (
        ("boards",),
        ("boards", "--html"),
        ("standings", "--csv"),
        ("crosstable",),
        ("trf", "export"),
    ):
        assert lasting(windows.ok(*words)) == lasting(here.ok(*words)), words
    for file in ("Bretter.html", "table.csv", "report.trf"):
        there, ours = ((one.folder / file).read_bytes().decode() for one in (windows, here))
        assert lasting(there) == lasting(ours), file
    told = [windows.ok("boards", "--html"), windows.ok("player", "list"), windows.ok("log", "--json")]
    told += [
        (windows.folder / file).read_text("utf-8") for file in ("Bretter.html", "list.json", "report.trf")
    ]
    assert [name for name in NAMES for text in told if name not in text] == []
    assert "chain whole" in windows.ok("verify")
    windows.ok("tree", "verify", "tree", "--key", (windows.folder / "club.key").name)
    assert windows.run("doctor").code == 0
    assert windows.ok("restore", "copy.db", "--db", "again.db")
    assert others_may_read(windows.folder / "club.key")[-1:] in ("", "0")  # wine maps rights to a mode
    with Tournaments(windows.folder / "paircard.db") as store:
        [(id, _)] = store.names()
        assert store.verify_chain(id)


def test_a_file_that_another_program_has_open_is_left_as_it_was(windows: WindowsTerminal) -> None:
    for words in (
        ("new", "Open", "--rounds", "3"),
        ("backup", "copy.db"),
        ("player", "list", "-o", "list.csv"),
    ):
        windows.ok(*words)
    before = (windows.folder / "list.csv").read_bytes()
    windows.ok("player", "add", "Ada")
    holder = "import sqlite3,sys; f=open('list.csv'); d=sqlite3.connect('paircard.db'); d.execute('BEGIN'); d.execute('SELECT * FROM sqlite_schema').fetchall(); print('open', flush=True); sys.stdin.read()"  # noqa: E501
    machine = Machine()
    other = machine.start("-c", holder, folder=windows.folder)
    assert other.stdout
    assert other.stdout.readline().strip() == b"open"

    refused = [windows.run("restore", "copy.db"), windows.run("player", "list", "-o", "list.csv")]
    other.communicate()

    for done in refused:
        assert done.code == 1
        assert done.err.count("\n") == 1
        assert sentence("store.open-elsewhere", file="") in done.err
    assert (windows.folder / "list.csv").read_bytes() == before
    assert "Open" in windows.ok("list")
    windows.ok("player", "list", "-o", "list.csv")
    assert "Ada" in (windows.folder / "list.csv").read_text("utf-8")


def test_the_server_ends_with_its_window_and_leaves_one_whole_file(machine: Machine, tmp_path: Path) -> None:
    # Its window is found by the path of the program, and wine takes two paths of one file for one
    shutil.copytree(machine.place / "python", tmp_path / "python")
    program = tmp_path / "python" / "python.exe"
    words = ("-m", "paircard.cli", "serve", "--db", "Open.db", "--port", "0", "--no-browser")
    with machine.start(*words, folder=tmp_path, program=program) as process:
        try:
            assert process.stdout
            home = process.stdout.readline().decode().split()[-1]
            assert httpx.get(f"{home}/").status_code == 200

            assert machine.close_window(program) == 1
            assert process.wait(10) == 0
        finally:
            process.kill()  # or the end of this block waits for it

    assert [file.name for file in tmp_path.iterdir() if file.suffix.startswith(".db-")] == []
    with closing(sqlite3.connect(tmp_path / "Open.db")) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.soak
def test_every_command_does_on_windows_what_its_example_says(
    windows: WindowsTerminal, tmp_path: Path
) -> None:
    top = tmp_path / "examples"
    top.mkdir()
    prepared, failed = preparing(windows, top), {}

    def tried(*words: str) -> Done:
        done = windows.run(*words)
        if done.code or "internal error" in done.err:
            failed[shlex.join(words)] = done
        return done

    for name in ALL.keys() - ELSEWHERE.keys():
        folder = top / name
        shutil.copytree(prepared(BEFORE.get(name, PLAYED)), folder)
        windows.folder = folder
        tried(*shlex.split(example(ALL[name]))[1:])
    # The four whose examples need something else; ``serve`` is the double click
    asked = windows.run("leave-fide-mode", "--why", "club evening")
    tried("leave-fide-mode", "--why", "club evening", "--ack", asked.err.split()[-1])
    engine = f'"Z:{windows.machine.python}" -m paircard.cli.engine.main --dutch'
    tried("compare", "--engine", engine, "--count", "2", "--seed", "1", "--players", "8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/list.csv"
        tried("lists", "fetch", "--url", address, "--name", "ITA", "--valid", "2026-11-01")
        server.shutdown()
    print(f"{len(ALL) - 1} commands under wine, {len(failed)} failed")
    assert not failed


@pytest.mark.soak
def test_the_transcript_of_the_readme_is_printed_on_windows(windows: WindowsTerminal) -> None:
    [session] = [text for text in document("README.md").split("```") if text.startswith("console\n")]
    lines = 0
    for line, shown in typed(session.removeprefix("console\n")):
        if line.startswith("printf"):
            subprocess.run(["bash", "-c", line], cwd=windows.folder, check=True)
            continue
        done = windows.run(*shlex.split(line)[1:])
        assert lasting((done.out + done.err).rstrip("\n")) == lasting(shown), line
        lines += 1
    print(f"{lines} lines of the README under wine, as printed")
    assert lines > 10


@pytest.mark.soak
def test_what_was_said_to_be_recorded_survives_every_kill(
    machine: Machine, windows: WindowsTerminal, tmp_path: Path
) -> None:
    file = tmp_path / "open.db"
    with Office.create(file) as office:
        office.new(Regulations(name="Open", rounds=3), by=person("Anna"))
    chance, said = random.Random(32), []
    kills = int(os.environ.get("KILLS", "200"))
    for round in range(kills):
        words = ("-m", "tests.windows.writer", str(file), f"n{round}")
        process = machine.start(*words, folder=tmp_path)
        assert process.stdout
        said.append(process.stdout.readline().decode().strip())
        time.sleep(chance.random() * 0.2)
        ended = process.poll()
        process.kill()
        out, _ = process.communicate()
        assert said[-1], (round, ended)
        said += [line.strip() for line in out.decode().splitlines(keepends=True) if line[-1:] == "\n"]
    with Office.open(file) as office:
        club = office.tournament("")
        there = {player.details.name for player in club.now().state.players}
        print(f"{kills} kills under wine, {len(said)} facts answered, {len(set(said) - there)} lost")
        assert not set(said) - there
        assert club.verify().whole


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, machine: Machine) -> Path:
    """The folder for Windows, made twice the same, and unzipped."""
    top = tmp_path_factory.mktemp("folder")
    for out in ("one", "two"):
        subprocess.run([sys.executable, BUILD, "--out", top / out], check=True, capture_output=True)
    [one], [two] = (list((top / out).glob("*.zip")) for out in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    before = os.times()
    with zipfile.ZipFile(one) as files:
        files.extractall(top / "Schach für alle")
    print(f"unzipped: {sum(os.times()[:4]) - sum(before[:4]):.1f} s of processor time")
    return top / "Schach für alle" / "Paircard"


@pytest.mark.soak
def test_from_the_folder_to_the_first_round_in_a_minute(
    machine: Machine, folder: Path, tmp_path: Path
) -> None:
    before = os.times()
    (tmp_path / "players.csv").write_text(PLAYERS, "utf-8")
    for words in ("new Chess --rounds 3", "player import players.csv", "draw --colour white", "pair"):
        with machine.start(
            "-m", "paircard.cli", *shlex.split(words), folder=tmp_path, program=folder / "python/python.exe"
        ) as process:
            told, _ = process.communicate()
        assert process.returncode == 0, told
    spent = sum(os.times()[:4]) - sum(before[:4])
    print(f"from the folder to the first round: {spent:.1f} s of processor time")
    assert b"round 1 paired" in told
    assert spent < 50
    listed = json.loads((folder / "components.cdx.json").read_text("utf-8"))
    assert {"cpython", "paircard", "msgspec"} <= {part["name"] for part in listed["components"]}
    for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines():
        digest, name = line.split("  ")
        assert sha256((folder / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.soak
def test_a_double_click_opens_the_browser_and_an_event_is_run_in_it(
    machine: Machine, folder: Path, tmp_path: Path, chromium: Browser
) -> None:
    place, opened = tmp_path / "Türnier im März", tmp_path / "opened"
    browsers = tmp_path / "xdg-open"  # which wine starts for Windows' way to open a page
    browsers.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browsers.chmod(0o755)
    steps = 0

    def count(_: object) -> None:
        nonlocal steps
        steps += 1

    def clicked(times: int) -> str:
        subprocess.run(
            [machine.wine, "start", "/unix", folder / "Paircard.cmd"], env=environment, check=True, timeout=60
        )
        end = time.monotonic() + 60
        while not opened.exists() or len(opened.read_text().splitlines()) < times:
            assert time.monotonic() < end, "no browser was opened"
            time.sleep(0.1)
        return opened.read_text().splitlines()[-1]

    with screen() as display, chromium.new_page() as page:
        environment = machine.environment | {
            "DISPLAY": display, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PAIRCARD_FOLDER": f"Z:{place}",
        }  # fmt: skip
        started = time.monotonic()
        link = clicked(1)
        print(f"the browser was opened after {time.monotonic() - started:.1f} s")
        home = link.partition("/sign-in")[0]
        page.on("framenavigated", count)
        page.goto(link)
        expect(page.get_by_text(string("page.index.none"))).to_be_visible()
        run_an_event(page, home)
        assert clicked(2).startswith(f"{home}/sign-in#"), "a second one opens the page of the first"
        assert machine.close_window(folder / "python" / "python.exe") == 1
        end = time.monotonic() + 10
        while list(place.glob("*-wal")):
            assert time.monotonic() < end, "the server did not end with its window"
            time.sleep(0.1)
        print(f"{steps} pages walked through in the browser")
    with Office.open(place / "paircard.db") as office:
        club = office.tournament("Village Open")
        assert club.verify().whole
        assert club.now().state.closed
        assert len(club.now().state.players) == 11
    assert steps > 30
