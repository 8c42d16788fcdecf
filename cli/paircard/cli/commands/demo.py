"""``paircard demo``: the worked example, played with the commands an arbiter would type.

A published teaching example, fourteen players and six rounds under the Dutch rules of Baku 2016; here only
its facts: who played, in which order they registered, who was absent and how the games ended.
"""

import contextlib
import io
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Unpack
from urllib.request import urlopen

import click
import msgspec

from paircard.cli.main import run
from paircard.cli.output import print_line
from paircard.cli.refusals import spoken
from paircard.domain.errors import Duplicate, NotNow, Unreachable
from paircard.domain.messages import Fields, Message
from paircard.domain.system import processes_end_by


class Example(msgspec.Struct, frozen=True):
    """What ``demo.toml`` says: players, absences, boards and final scores."""

    players: tuple[tuple[str, str, int, str], ...]
    absent: tuple[tuple[int, str], ...]
    rounds: tuple[tuple[tuple[int, int, str], ...], ...]
    final: dict[str, int]


EXAMPLE: Final = msgspec.toml.decode(files(__package__).joinpath("demo.toml").read_bytes(), type=Example)
PLAYERS, ABSENT, ROUNDS, FINAL = EXAMPLE.players, EXAMPLE.absent, EXAMPLE.rounds, EXAMPLE.final
NAME = "Six rounds by the book"
SERVING = re.compile(r"^serving .* at (http://\S+)")
"""What a server says when its door is open."""
WRONG = (3, 4, "1-0")
"""Round, board and result that is entered wrongly, to be corrected before it does harm."""


@click.command()
@click.option("--db", metavar="FILE", help="Keep the tournament in this new file.")
@click.option("--serve", is_flag=True, help="Serve it meanwhile, so that you see it live in a browser.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the server; 0 takes any.")
@click.option("--pause", default=2.0, type=click.FloatRange(0, 60), help="Seconds between served commands.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def demo(db: str | None, serve: bool, port: int | None, pause: float, no_browser: bool) -> None:
    """Play the worked example: six rounds, a wrong result, its correction and what that changes.

    Fourteen players under the Dutch rules of Baku 2016, paired by the engine and compared with the
    published boards round by round.

    Example: paircard demo --db demo.db
    """
    if db and Path(db).exists():
        raise Duplicate("cli.demo-file-there", file=db)
    with tempfile.TemporaryDirectory(prefix="paircard-") as folder:
        file = Path(db) if db else Path(folder) / "demo.db"
        if serve:
            with serve_file(file, port, no_browser) as server:
                Stage(Path(folder), file, pause).play()
                click.echo()
                print_line("cli.demo.server-goes-on")
                server.wait()
            return
        Stage(Path(folder), file).play()
    click.echo()
    print_line("cli.demo.kept", file=db or "")


@contextlib.contextmanager
def serve_file(file: Path, port: int | None, no_browser: bool) -> Iterator[subprocess.Popen[str]]:
    """A server of the file in a process of its own, from when it answers to the end of the block."""
    words = ["serve", "--db", str(file), "--as", "Demo Arbiter"]
    words += ["--port", str(port)] if port is not None else []
    words += ["--no-browser"] if no_browser else []
    processes_end_by(signal.default_int_handler)  # ended as by Ctrl-C, and the server with it
    server = subprocess.Popen(
        [sys.executable, "-m", "paircard.cli", *words], stdout=subprocess.PIPE, encoding="utf-8"
    )
    try:
        need_answer(server)
        yield server
    except KeyboardInterrupt:
        pass
    finally:
        server.terminate()
        server.wait()


def need_answer(server: subprocess.Popen[str]) -> None:
    """Pass on what a server says, and wait until it answers; refused if it ends before."""
    assert server.stdout is not None
    for line in server.stdout:
        click.echo(line, nl=False)
        if found := SERVING.match(line):
            threading.Thread(target=pass_on, args=(server.stdout,), daemon=True).start()
            with contextlib.suppress(OSError), urlopen(f"{found[1]}/api/v1/health", timeout=60):
                return
            break
    server.wait()
    raise Unreachable("cli.demo-without-server")


def pass_on(lines: Iterable[str]) -> None:
    """What a server says from now on."""
    for line in lines:
        click.echo(line, nl=False)


class Stage:
    """Types commands and shows what they print."""

    def __init__(self, folder: Path, db: Path, pause: float = 0) -> None:
        self.folder = folder
        self.db = db
        self.pause = pause
        """Seconds before each command, for those who watch."""

    def play(self) -> None:
        """The whole example."""
        self.register()
        for round in range(1, len(ROUNDS) + 1):
            heading("cli.demo.round", round=round)
            self.pair_round(round)
            self.enter_results(round)
        self.finish()

    def register(self) -> None:
        heading("cli.demo.beginning")
        self.types("new", NAME, "--rounds", str(len(ROUNDS)), "--edition", "dutch-2017")
        lines = ["name,title,rating,sex", *(",".join(map(str, player)) for player in PLAYERS)]
        self.types("player", "import", self.file("players.csv", lines))
        self.types("draw", "--colour", "white")

    def pair_round(self, round: int) -> None:
        for absent_in, name in ABSENT:
            if absent_in == round:
                self.types("bye", "grant", name, str(round), "--zero", "--why", "told the arbiter in advance")
        self.pair(round)
        if round == WRONG[0] + 1:
            self.correct_before_harm()
        numbers = [(one["white"]["number"], one["black"]["number"]) for one in self.boards(round)]
        same = numbers == [(white, black) for white, black, _ in ROUNDS[round - 1]]
        print_line("cli.demo.as-published", yes=same)

    def pair(self, round: int) -> None:
        """Pair a round; those who did not come to the one before are excused."""
        absent = round > 1 and any("F" in result for _, _, result in ROUNDS[round - 2])
        excuse = ("--ack", "no-show", "--why", "the train was late, told by phone") if absent else ()
        self.types("pair", str(round), *excuse)

    def enter_results(self, round: int) -> None:
        self.types("publish", str(round), shown=False)
        results = [result for _, _, result in ROUNDS[round - 1]]
        if round == WRONG[0]:
            results[WRONG[1] - 1] = WRONG[2]
        lines = [f"{board} {result}" for board, result in enumerate(results, start=1)]
        self.types("result", str(round), "--file", self.file(f"round{round}.txt", lines), shown=False)
        print_line("cli.demo.results", count=len(lines), known=results)

    def correct_before_harm(self) -> None:
        """The wrong result was paired on; it is noticed and corrected, and the round is another one."""
        round, board, _ = WRONG
        right = ROUNDS[round - 1][board - 1][2]
        before = self.pairs(round + 1)
        white, black = self.pairs(round)[board - 1].split(" – ")
        heading("cli.demo.mistake", name=black, who=white)
        self.types("unpair", str(round + 1))
        self.types("correct", str(round), str(board), right, "--why", "both score sheets say so")
        self.pair(round + 1)
        after = self.pairs(round + 1)
        gone, new = ([p for p in before if p not in after], [p for p in after if p not in before])
        print_line("cli.demo.gone", round=round + 1, known=gone)
        print_line("cli.demo.new", round=round + 1, known=new)

    def finish(self) -> None:
        heading("cli.demo.end")
        self.types("close")
        self.types("standings")
        lines = msgspec.json.decode(self.heard("standings", "--json"))["standings"]
        same = {line["name"]: line["points"] for line in lines} == FINAL
        print_line("cli.demo.scores-published", yes=same)
        heading("cli.demo.a-year-later")
        words = ("correct", "5", "4", "½-½", "--why", "found in the archive", "--ack", "rating-report-only")
        self.types(*words)
        self.types("card", "Giorgia")
        print_line("cli.demo.both-kept")
        self.types("log", "--last", "3")

    def boards(self, round: int) -> list[dict[str, Any]]:
        return list(msgspec.json.decode(self.heard("boards", str(round), "--json"))["boards"])

    def pairs(self, round: int) -> list[str]:
        return [f"{one['white']['name']} – {one['black']['name']}" for one in self.boards(round)]

    def file(self, name: str, lines: list[str]) -> str:
        """A file as somebody would hand it in; its name."""
        (self.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return name

    def types(self, *words: str, shown: bool = True) -> None:
        """Type a command; show what it prints, or only that it was typed."""
        time.sleep(self.pause)
        click.echo(f"$ paircard {shlex.join(words)}")
        printed = self.heard(*words)
        if shown:
            click.echo(printed, nl=False)

    def heard(self, *words: str) -> str:
        """What a command prints."""
        words = tuple(str(self.folder / word) if word.endswith((".csv", ".txt")) else word for word in words)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = run(["--db", str(self.db), "--as", "Demo Arbiter", *words])
        if code:
            raise NotNow("cli.demo-stopped", value=shlex.join(words))
        return out.getvalue()


def heading(code: str, /, **fields: Unpack[Fields]) -> None:
    text = spoken(Message(code, fields))
    click.echo(f"\n{text}\n{'─' * len(text)}")
