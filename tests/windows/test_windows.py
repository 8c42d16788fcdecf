"""The product on Windows: the CPython of the folder that arbiters unzip, run by wine."""

import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from paircard.domain import Regulations
from paircard.domain.log.store import Tournaments
from paircard.domain.system import others_may_read
from paircard.service import Office, person
from tests.cli.session import Terminal
from tests.cli.test_help_examples import ALL, BEFORE, ELSEWHERE, PLAYED, PLAYERS, example
from tests.documents import document, lasting, typed
from tests.roots import ROOT
from tests.windows.machine import BUILD, Machine, WindowsTerminal

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
    for words in (("new", "Open", "--rounds", "3"), ("backup", "copy.db")):
        windows.ok(*words)
    holder = "import sqlite3,sys; d=sqlite3.connect('paircard.db'); d.execute('BEGIN'); d.execute('SELECT * FROM sqlite_schema').fetchall(); print('open', flush=True); sys.stdin.read()"  # noqa: E501
    machine = Machine()
    other = machine.start("-c", holder, folder=windows.folder)
    assert other.stdout
    assert other.stdout.readline().strip() == b"open"

    done = windows.run("restore", "copy.db")
    other.communicate()

    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "another program" in done.err
    assert "Open" in windows.ok("list")


@pytest.mark.soak
def test_every_command_does_on_windows_what_its_example_says(
    windows: WindowsTerminal, tmp_path: Path
) -> None:
    made: dict[tuple[str, ...], Path] = {}

    def prepared(lines: tuple[str, ...]) -> Path:
        if lines not in made:
            before = prepared(lines[:-1]) if lines else tmp_path
            folder = tmp_path / f"before {len(made)}"
            if lines:
                shutil.copytree(before, folder)
                done = windows.run_in(folder, *shlex.split(lines[-1]))
                assert done.code == 0, (lines[-1], done)
            else:
                (folder / "rounds").mkdir(parents=True)
                (folder / "players.csv").write_text(PLAYERS, "utf-8")
                people = 'id,name,rating\n1503014,"Carlsen, Magnus",2850\n2016192,"Nakamura, Hikaru",2800\n'
                for name in ("list.csv", "vereine.csv"):
                    (folder / name).write_text(people, "utf-8")
                (folder / "boards.txt").write_text("3 1\n4 2\n", "utf-8")
                for name in ("open.trf", "rounds/open.trf"):
                    shutil.copy(ROOT / "tests/corpus/six-rounds-baku-2016.trf", folder / name)
            made[lines] = folder
        return made[lines]

    failed, ran = {}, 0
    for name, command in ALL.items():
        if name in ELSEWHERE or name == "demo":
            continue
        folder = tmp_path / f"example {ran}"
        shutil.copytree(prepared(BEFORE.get(name, PLAYED)), folder)
        line = example(command)
        done = windows.run_in(folder, *shlex.split(line)[1:])
        ran += 1
        if done.code or "internal error" in done.err:
            failed[line] = done
    print(f"{ran} commands under wine, {len(failed)} failed")
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
def test_what_was_said_to_be_recorded_survives_every_kill(machine: Machine, tmp_path: Path) -> None:
    file = tmp_path / "open.db"
    with Office.create(file) as office:
        office.new(Regulations(name="Open", rounds=3), by=person("Anna"))
    chance, said = random.Random(32), []
    kills = int(os.environ.get("KILLS", "200"))
    for round in range(kills):
        process = machine.start("-m", "tests.windows.writer", str(file), f"n{round}", folder=tmp_path)
        assert process.stdout
        said.append(process.stdout.readline().decode().strip())
        time.sleep(chance.random() * 0.2)
        process.kill()
        said += [
            line.strip()
            for line in process.stdout.read().decode().splitlines(keepends=True)
            if line[-1:] == "\n"
        ]
        process.wait()
    with Office.open(file) as office:
        club = office.tournament("")
        there = {player.details.name for player in club.now().state.players}
        print(f"{kills} kills under wine, {len(said)} facts answered, {len(set(said) - there)} lost")
        assert all(said)
        assert not set(said) - there
        assert club.verify().whole


@pytest.mark.soak
def test_from_the_zip_to_the_first_round_in_a_minute_and_twice_the_same_bytes(
    machine: Machine, tmp_path: Path
) -> None:
    for out in ("one", "two"):
        subprocess.run([sys.executable, BUILD, "--out", tmp_path / out], check=True, capture_output=True)
    [one], [two] = (list((tmp_path / out).glob("*.zip")) for out in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()

    before = os.times()
    with zipfile.ZipFile(one) as files:
        files.extractall(tmp_path / "my folder")
    place = tmp_path / "my folder" / "Paircard"
    machine.python = place / "python" / "python.exe"
    (tmp_path / "players.csv").write_text(PLAYERS, "utf-8")
    for words in ("new Chess --rounds 3", "player import players.csv", "draw --colour white", "pair"):
        process = machine.start("-m", "paircard.cli", *shlex.split(words), folder=tmp_path)
        told, _ = process.communicate()
        assert process.returncode == 0, told
    spent = sum(os.times()[:4]) - sum(before[:4])
    print(f"from the zip to the first round: {spent:.1f} s of processor time")
    assert b"round 1 paired" in told
    assert spent < 60
    listed = json.loads((place / "components.cdx.json").read_text("utf-8"))
    assert {"cpython", "paircard", "msgspec"} <= {part["name"] for part in listed["components"]}
