"""How a run ends: quietly in a pipe, in one line when something breaks, tables that fit a terminal."""

import os
import pty
import signal
import subprocess
import sys
from importlib.metadata import version

from paircard.cli.output import points
from tests.cli.session import Terminal
from tests.refusals import sentence
from tests.signals import interruptible


def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(playing: Terminal) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "paircard.cli", "log", "--json"],
        cwd=playing.folder,
        env=playing.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr as err:
        told = err.read()

    assert process.wait() in (0, 1)
    assert told == b""


def test_control_c_ends_with_one_line(registered: Terminal) -> None:
    before = registered.contents()
    pipe = registered.folder.parent / "players.fifo"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "paircard.cli", "player", "import", str(pipe)],
        cwd=registered.folder,
        env=registered.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=interruptible,
    )
    with pipe.open("wb"):  # opens when the command has opened its end, and waits for players
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)

    assert (process.returncode, out, err.strip()) == (130, b"", b"paircard: interrupted")
    assert registered.contents() == before


def test_the_package_runs_as_the_command(terminal: Terminal) -> None:
    run = [sys.executable, "-m", "paircard", "--version"]

    said = subprocess.run(run, env=terminal.environment, capture_output=True, text=True, check=True)

    assert said.stdout == f"paircard {version('paircard')}\n"


def test_no_command_at_all_shows_the_help_and_is_wrong_usage(terminal: Terminal) -> None:
    done = terminal.run()

    assert (done.code, done.out) == (2, "")
    assert "Usage: paircard" in done.err


def test_a_group_without_a_command_shows_its_help(terminal: Terminal) -> None:
    done = terminal.run("player")

    assert (done.code, done.out) == (2, "")
    assert "withdraw" in done.err


def test_a_folder_that_cannot_be_written_is_refused(terminal: Terminal) -> None:
    terminal.refuses("store.not-created", "new", "X", "--rounds", "3", "--db", "no/such/folder.db")


def test_players_come_from_standard_input_too(registered: Terminal) -> None:
    done = registered.run("player", "import", "-", input="name;rating\nÉva;1500\n")

    assert done.out == "1 player registered\n"
    assert "Éva" in registered.ok("player", "list")


def test_a_terminal_without_the_characters_shows_others_and_no_traceback(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "½-½")

    done = playing.process("boards", PYTHONIOENCODING="iso8859-5", PYTHONUTF8="0")

    assert (done.code, done.err.count("paircard: ")) == (0, 1)  # said once
    assert "?-?" in done.out


def test_what_is_redirected_is_utf_8_whatever_the_machine_speaks(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "½-½")

    done = playing.process("boards", "--html", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert (done.code, done.err) == (0, "")
    assert "½" in done.out


def test_an_answer_goes_to_a_file_in_the_form_its_name_says(playing: Terminal) -> None:
    page, table = playing.ok("boards", "--html"), playing.ok("boards", "--csv")

    playing.ok("boards", "-o", "boards.html")
    playing.ok("boards", "--csv", "-o", "Über uns.txt")
    assert playing.run("boards", "9", "-o", "boards.html").code == 1

    assert (playing.folder / "boards.html").read_bytes() == page.encode()
    assert (playing.folder / "Über uns.txt").read_bytes() == table.encode()


def test_on_a_narrow_terminal_a_table_leaves_out_what_it_can_spare(playing: Terminal) -> None:
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "paircard.cli", "standings"],
        cwd=playing.folder,
        env=playing.environment | {"TERM": "xterm", "COLUMNS": "24"},
        stdout=child,
        stderr=child,
    )
    os.close(child)
    told = b""
    while True:
        try:
            more = os.read(parent, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not more:
            break
        told += more
    os.close(parent)

    assert process.wait() == 0
    assert "Ada" in told.decode()
    left_out = sentence("cli.said.columns-left-out", known=["Title", "Rating"])
    shown, found, _ = told.decode().partition(left_out)
    assert "Rating" not in shown
    assert found


def test_points_are_written_as_players_write_them() -> None:
    assert [points(tenths) for tenths in (0, 5, 10, 15, 33, 100, -5)] == [
        "0",
        "½",
        "1",
        "1½",
        "3.3",
        "10",
        "-½",
    ]
