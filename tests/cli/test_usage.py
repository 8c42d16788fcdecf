"""Wrong usage: words that people type are led to the command that is meant, and nothing typed is dropped."""

import os
import re

import click
import pytest

from paircard.cli.main import cli
from paircard.cli.usage import APART, TOGETHER, other_words
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from tests.cli.session import Terminal
from tests.refusals import sentence
from tests.roots import PYTHONPATH


def commands(group: click.Group, path: tuple[str, ...] = ()) -> dict[str, click.Command]:
    """Every command by its words."""
    ctx, found = click.Context(group), {}
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        found[" ".join((*path, name))] = command
        if isinstance(command, click.Group):
            found |= commands(command, (*path, name))
    return found


THERE = commands(cli)


@pytest.mark.parametrize("word", other_words("commands"))
def test_a_synonym_leads_to_commands_and_options_that_exist(word: str, terminal: Terminal) -> None:
    assert word not in THERE, "it is a command by now"
    told = terminal.refused(*word.split(), code=2)
    what = Message(f"cli.elsewhere.{other_words('commands')[word][0]}")
    where = Speaker().say(what)
    unknown = sentence("cli.no-such-command.elsewhere", text=word.split()[-1], what=what)
    assert told.startswith(unknown)
    for said in re.findall(r"paircard ((?:[a-z-]+ ?)+)([^;,]*)", where):
        words = said[0].split()
        named = next((name for n in (2, 1) if (name := " ".join(words[:n])) in THERE), "")
        assert named or said[0].startswith("--"), said
        options = {opt for param in THERE[named].params for opt in param.opts} if named else {"--version"}
        assert set(re.findall(r"(?<!\S)--[a-z][a-z-]+", said[1])) <= options, said


def test_an_option_of_another_name_is_one_that_some_command_has() -> None:
    there = {opt for command in THERE.values() for param in command.params for opt in param.opts}
    assert {f"--{one}" for meant in other_words("options").values() for one in meant} <= there


def test_options_that_exclude_or_need_each_other_exist() -> None:
    excluded = [(path, {one, *others}) for path, table in APART.items() for one, others in table.items()]
    needed = [(path, {one, other}) for path, table in TOGETHER.items() for one, other in table.items()]
    for path, options in excluded + needed:
        assert options <= {opt for param in THERE[path].params for opt in param.opts}, path


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            "withdraw Ada",
            sentence("cli.no-such-command.near", text="withdraw", known=("paircard player withdraw",)),
        ),
        ("nwe Open", sentence("cli.no-such-command.near", text="nwe", known=("'new'",))),
        ("key nwe", sentence("cli.no-such-command.near", text="nwe", known=("'new'",))),
        ("--hlep", sentence("cli.no-such-option.near", text="--hlep", known=("--help",))),
        ("player pair", sentence("cli.no-such-command.near", text="pair", known=("paircard pair",))),
        ("Pair", sentence("cli.no-such-command.near", text="Pair", known=("'pair'",))),
        (
            "bye Ada 2",
            sentence("cli.no-such-command.part", text="Ada", value="bye", known=("grant", "revoke")),
        ),
        ("player add Ada --elo 2100", sentence("cli.no-such-option.near", text="--elo", known=("--rating",))),
        ("pair --force", sentence("cli.no-such-option.near", text="--force", known=("--ack",))),
        ("correct 1 1 = --reason x", sentence("cli.no-such-option.near", text="--reason", known=("--why",))),
        ("result 1 1 = --reason x", sentence("cli.no-such-option.near", text="--reason", known=("--why",))),
        ("standings --xyz", sentence("cli.no-such-option.near", text="--xyz", known=())),
        ("standings 1", sentence("cli.unexpected.number", text="1", id="--round", value="1")),
        ("crosstable 1", sentence("cli.unexpected.number", text="1", id="--round", value="1")),
        (
            "publish 1 2",
            sentence("cli.unexpected.words", text="2", instead=(say("cli.takes.words", value="[ROUND]"),)),
        ),
        ("player add Ada 2100", sentence("cli.unexpected.number", text="2100", id="--rating", value="2100")),
        ("new Open 5", sentence("cli.unexpected.number", text="5", id="--rounds", value="5")),
        ("new Club Open --rounds 5", sentence("cli.unexpected.name", text="Open")),
        ("undo 3", sentence("cli.unexpected.words", text="3", instead=(say("cli.takes.words", value=""),))),
        (
            "bye grant 2 Ada",
            "invalid value for 'ROUND': 'Ada' is not a valid integer; "
            + sentence("cli.takes.words", value="WHO... ROUND"),
        ),
        ("draw white", sentence("cli.unexpected.choice", text="white", id="--colour", value="white")),
        (
            "correct 1 1 = wrong",
            sentence(
                "cli.unexpected.words",
                text="wrong",
                instead=(say("cli.takes.words", value="ROUND [BOARD] [RESULT]"), say("cli.takes.reason")),
            ),
        ),
        ("correct 1 1 = -m wrong", sentence("cli.no-such-option.near", text="-m", known=("--why",))),
        ("player add Ada -r 2000", sentence("cli.no-such-option.near", text="-r", known=("--rating",))),
        ("pair --round 2", sentence("cli.no-such-option.word", text="--round", value="[ROUND]")),
        ("bye grant Ada", "missing argument 'WHO...'; " + sentence("cli.takes.words", value="WHO... ROUND")),
        (
            "standings .",
            sentence("cli.unexpected.words", text=".", instead=(say("cli.takes.words", value=""),)),
        ),
        ("trf export out.trf", sentence("cli.unexpected.file", text="out.trf", file="out.trf")),
        (
            "show Open",
            sentence(
                "cli.unexpected.words",
                text="Open",
                instead=(say("cli.takes.words", value=""), say("cli.takes.tournament")),
            ),
        ),
        (
            "completion",
            "missing argument '{bash|zsh|fish|powershell}'. Choose from: bash, zsh, fish, powershell",
        ),
        ("new Other --rounds 3 --rated yes", sentence("cli.unexpected.flag", text="yes", id="--rated")),
        ("player add Zoe --half-byes 1", sentence("cli.unexpected.flag", text="1", id="--half-byes")),
        ("what-if 1 1 1-0", sentence("cli.unexpected.result", text="1 1 1-0")),
        (
            "new Other --rounds 3 --time 90+30",
            sentence("cli.no-such-option.near", text="--time", known=("--time-control",)),
        ),
        ("boards -t A -t B", sentence("cli.given-often", id="-t/--tournament", count=2)),
        ("-t A boards -t B", sentence("cli.given-otherwise", id="-t/--tournament", text="A", record="B")),
        ("--as Ina pair --as Olaf", sentence("cli.given-otherwise", id="--as", text="Ina", record="Olaf")),
        ("bye grant Ada 1 --half --zero", sentence("cli.exclude-each-other", known=("--half", "--zero"))),
        (
            "new Open --rounds 3 --rated --unrated",
            sentence("cli.given-often", id="--rated/--unrated", count=2),
        ),
        ("standings --csv --html", sentence("cli.two-forms", known=("--csv", "--html"))),
        ("new Other --rounds 3 -t Open", sentence("cli.no-such-option.store", text="-t")),
        ("-t Open list", sentence("cli.no-such-option.store", text="-t")),
        ("check games.trf --db club.db", sentence("cli.no-such-option.files", text="--db")),
        ("--db club.db check games.trf", sentence("cli.no-such-option.files", text="--db")),
        ("export pgn --json", sentence("cli.no-such-option.near", text="--json", known=())),
        ("alter show 1 --json", sentence("cli.no-such-option.near", text="--json", known=())),
        ("standings --between Ada Ben --csv", sentence("cli.no-use", id="--between", known=("--csv",))),
        (
            "standings --explain Ada --between Ada Ben",
            sentence("cli.no-use", id="--explain", known=("--between",)),
        ),
        ("-t Open verify --all", sentence("cli.no-use", id="--all", known=("-t",))),
        ("replay --jobs 2", sentence("cli.only-with", id="--jobs", value="--all")),
        ("demo --port 8001", sentence("cli.only-with", id="--port", value="--serve")),
        (
            "number --exchange Ada Ben --file order.txt",
            sentence("cli.no-use", id="--exchange", known=("--file",)),
        ),
        ("boards --html --json", sentence("cli.two-forms", known=("--html", "--json"))),
    ],
)
def test_what_cannot_be_meant_is_told_with_the_way_out(registered: Terminal, typed: str, told: str) -> None:
    assert registered.refused(*typed.split(), code=2).startswith(told)


def test_an_option_may_be_repeated_where_several_are_taken(playing: Terminal) -> None:
    playing.ok("boards", "--html", "--html")
    playing.ok("-t", "Open", "boards", "-t", "Open")
    playing.ok("what-if", "--result", "1", "1", "1-0", "--result", "1", "2", "=")


def test_help_is_a_command(terminal: Terminal) -> None:
    assert terminal.ok("help") == terminal.ok("--help")
    assert terminal.ok("help", "player", "add") == terminal.ok("player", "add", "--help")
    assert terminal.ok("help", "bye") == terminal.ok("bye", "--help")
    unknown = sentence("cli.no-such-command.elsewhere", text="enter", what=say("cli.elsewhere.enter"))
    assert terminal.refused("help", "enter", code=2).startswith(unknown)


def test_several_absent_players_are_granted_byes_in_one_command(registered: Terminal) -> None:
    told = registered.ok("bye", "grant", "Ada", "Ben", "2", "--zero")
    granted = (
        sentence("log.bye-granted", {1: "Ada", 2: "Ben"}, player=player, round=2, letter="Z")
        for player in (1, 2)
    )
    assert told.splitlines() == list(granted)
    assert registered.ok("bye", "revoke", "Ben", "Ada", "2").count("\n") == 2


def test_the_words_of_one_name_are_no_two_players(registered: Terminal) -> None:
    registered.ok("player", "add", "Dupont, Eric")
    told = registered.refused("bye", "grant", "Dupont", "Eric", "2")
    assert told == sentence("cli.one-player-twice", text="Dupont", record="Eric", name="Dupont, Eric")


def test_players_who_would_sit_as_before_are_not_swapped(playing: Terminal) -> None:
    playing.refuses("meets-themself", "alter", "swap", "Ada", "Ada")
    told = playing.refused("alter", "pair", "Ada", "Cleo")
    assert told == sentence("seated-so")


def test_a_key_that_would_sign_nothing_is_refused(registered: Terminal) -> None:
    told = registered.refused("verify", "--key", "club.key", code=2)
    assert told.startswith(sentence("cli.only-with", id="--key", value="--verdict"))


def test_the_help_of_a_command_whose_packages_are_missing_says_what_to_install(terminal: Terminal) -> None:
    (terminal.folder / "without").mkdir()
    terminal.write("without/uvicorn.py", "raise ImportError(name='uvicorn')")
    path = os.pathsep.join((str(terminal.folder / "without"), PYTHONPATH))

    told = " ".join(terminal.process("serve", "--help", PYTHONPATH=path).out.split())

    assert "Serve the tournaments of a file over HTTP" in told
    assert sentence("http.serving-needs", value="uvicorn") in told
