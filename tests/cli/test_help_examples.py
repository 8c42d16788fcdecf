"""Help: every command has it, ends in an example, and the example works as printed."""

import functools
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from paircard.cli.main import cli
from tests.cli.session import Terminal
from tests.roots import ROOT

PLAYERS = """name,rating
"Polgar, Judit",2675
"Polgar, Susan",2577
"Carlsen, Magnus",2840
"Anand, Viswanathan",2750
"""
OPEN = ("new Chess --rounds 3 --tiebreaks BH,OTHER_PLAYOFF", "player import players.csv")
ONE_POLGAR = (*OPEN, "player correct '#2' --name Zsuzsa")
DRAWN = (*OPEN, "draw --colour white")
PAIRED = (*DRAWN, "pair 1")
PUBLISHED = (*PAIRED, "publish 1")
PLAYED = (*PUBLISHED, "result 1 1 1-0 2 1-0")
LISTED = (*DRAWN, "lists import list.csv --valid 2026-11-01")
KEY = ("key new fsi.it-arbiter7 -o arbiter.key",)
FEDERATION = (*PLAYED, "key new fsi.it/record -o federation.key")
TREE = (*FEDERATION, "tree publish --to tree --key federation.key")
BEFORE = {
    **dict.fromkeys(("new", "demo", "completion", "check", "tiebreaks", "generate"), ()),
    **dict.fromkeys(("player add", "player import"), OPEN[:1]),
    **dict.fromkeys(("prohibit", "number", "draw", "player merge"), OPEN),
    **dict.fromkeys(
        (
            "player correct",
            "player rating",
            "player withdraw",
            "player remove",
            "player expel",
            "bye grant",
            "lots",
            "playoff",
        ),
        ONE_POLGAR,
    ),
    "player return": (*ONE_POLGAR, "player withdraw Polgar"),
    "allow": (*OPEN, "prohibit 'Polgar, Judit' 'Polgar, Susan'"),
    "player reinstate": (*ONE_POLGAR, "player expel Polgar --why phone"),
    "reopen": (*PLAYED, "complete 1"),
    **dict.fromkeys(("alter swap", "alter pair"), (*ONE_POLGAR, "draw --colour white", "pair 1")),
    "bye revoke": (*ONE_POLGAR, "bye grant Polgar 3"),
    "pair": DRAWN,
    **dict.fromkeys(("publish", "unpair", "alter begin"), PAIRED),
    "alter end": (*PAIRED, "alter begin 1"),
    "result": PUBLISHED,
    "key new": (),
    "key list": ("key new federation.example -o a.key",),
    **dict.fromkeys(("lists import", "lists show"), LISTED),
    **dict.fromkeys(("lists find", "lists register", "lists check", "lists update", "lists remove"), LISTED),
    "key show": KEY,
    "checkpoint": (*PLAYED, *KEY),
    "verify": (*PLAYED, *KEY, "checkpoint --key arbiter.key -o round1.checkpoint"),
    "tree publish": FEDERATION,
    **dict.fromkeys(("tree verify", "prove"), TREE),
    "witness": (
        *FEDERATION,
        "key new example.org/witness -o witness.key",
        "tree publish --to tree --key federation.key --witness witness.key post",
    ),
    **dict.fromkeys(
        ("webhook remove", "webhook deliveries"), (*OPEN, "webhook add https://club.example/paircard")
    ),
    "announce": OPEN,
    "award": (
        "new Chess --rounds 1 --tiebreaks BH",
        "player import players.csv",
        "announce prizes.toml",
        "draw --colour white",
        "pair 1",
        "publish 1",
        "result 1 1 1-0 2 1-0",
    ),
    "restore": (*PLAYED, "backup monday.db"),
    "log import": (*PLAYED, "log export open.bundle"),
}
"""What is typed before the example of a command, in a folder with files; a round is played unless told."""

ELSEWHERE = {
    "lists fetch": "it needs the network",
    "compare": "it needs another engine",
    "serve": "it serves until it is stopped",
    "leave-fide-mode": "it takes two steps, and nobody knows the code beforehand",
}
"""Commands whose example cannot run on a bare machine, and why."""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield " ".join((*path, name)), command


ALL = dict(commands(cli))


def example(command: click.Command) -> str:
    """The last line of the help, which must be an example."""
    told = command.get_help(click.Context(command, info_name=command.name, max_content_width=200))
    *_, heading, line = [line for line in told.splitlines() if line.strip()]
    assert heading.strip() == "Example:", command.name
    return line.strip()


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_help_that_ends_in_an_example_of_it(name: str) -> None:
    assert example(ALL[name]).startswith(f"paircard {name}")


@pytest.mark.parametrize("name", [name for name in ALL if name not in cli.sections["Files and engines"]])
def test_every_option_at_the_desk_says_what_it_is_for(name: str) -> None:
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name}: {parameter.opts} says nothing"


def test_the_table_of_commands_says_what_the_help_says() -> None:
    ctx = click.Context(cli)
    for name in cli.list_commands(ctx):
        command = cli.get_command(ctx, name)
        assert command is not None
        assert command.help is not None
        assert command.help.split("\n\n")[0].replace("\n", " ").strip() == cli.first_words_of(name), name


Prepared = Callable[[tuple[str, ...]], Path]


def preparing(terminal: Terminal, top: Path) -> Prepared:
    """Makes folders in which these lines were typed, with the files that examples speak of."""

    @functools.cache
    def made(lines: tuple[str, ...]) -> Path:
        before = made(lines[:-1]) if lines else None
        terminal.folder = top / f"before {len(list(top.iterdir()))}"
        if before:
            shutil.copytree(before, terminal.folder)
            terminal.ok(*shlex.split(lines[-1]))
            return terminal.folder
        (terminal.folder / "rounds").mkdir(parents=True)
        terminal.write("players.csv", PLAYERS)
        terminal.write("prizes.toml", '[[prize]]\nname = "main"\namounts = [100, 50]\n')
        people = 'id,name,rating\n1503014,"Carlsen, Magnus",2850\n2016192,"Nakamura, Hikaru",2800\n'
        terminal.write("list.csv", people)
        terminal.write("vereine.csv", people)
        terminal.write("boards.txt", "3 1\n4 2\n")
        for name in ("open.trf", "rounds/open.trf"):
            shutil.copy(ROOT / "tests/corpus/six-rounds-baku-2016.trf", terminal.folder / name)
        return terminal.folder

    return made


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    top = tmp_path_factory.mktemp("before")
    return preparing(Terminal(top), top)


@pytest.mark.parametrize("name", [name for name in ALL if name not in ELSEWHERE])
def test_the_example_of_a_command_works_as_printed(terminal: Terminal, prepared: Prepared, name: str) -> None:
    shutil.copytree(prepared(BEFORE.get(name, PLAYED)), terminal.folder, dirs_exist_ok=True)

    done = terminal.run(*shlex.split(example(ALL[name]))[1:])

    assert done.code == 0, done
    assert done.out or done.err
