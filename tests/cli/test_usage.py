"""Wrong usage: words that people type are led to the command that is meant, and nothing typed is dropped."""

import os
import re

import click
import pytest

from paircard.cli.main import cli
from paircard.cli.usage import APART, TOGETHER, other_words
from paircard.domain.messages import Message
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
    where = Speaker().say(Message(f"cli.elsewhere.{other_words('commands')[word][0]}"))
    assert told.startswith(f"no such command {word.split()[-1]!r}: {where}")
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
        ("withdraw Ada", "no such command 'withdraw', did you mean paircard player withdraw?"),
        ("nwe Open", "no such command 'nwe', did you mean 'new'?"),
        ("key nwe", "no such command 'nwe', did you mean 'new'?"),
        ("--hlep", "no such option '--hlep', did you mean --help?"),
        ("player pair", "no such command 'pair', did you mean paircard pair?"),
        ("Pair", "no such command 'Pair', did you mean 'pair'?"),
        ("bye Ada 2", "no such command 'Ada': paircard bye has grant, revoke"),
        ("player add Ada --elo 2100", "no such option '--elo', did you mean --rating?"),
        ("pair --force", "no such option '--force', did you mean --ack?"),
        ("correct 1 1 = --reason x", "no such option '--reason', did you mean --why?"),
        ("result 1 1 = --reason x", "no such option '--reason', did you mean --why?"),
        ("standings --xyz", "no such option '--xyz'"),
        ("standings 1", "unexpected '1': the round is given with --round 1"),
        ("crosstable 1", "unexpected '1': the round is given with --round 1"),
        ("publish 1 2", "unexpected '2': it takes [ROUND]"),
        ("player add Ada 2100", "unexpected '2100': a rating is given with --rating 2100"),
        ("new Open 5", "unexpected '5': the number of rounds is given with --rounds 5"),
        ("new Club Open --rounds 5", "unexpected 'Open': a name of several words goes in quotes"),
        ("undo 3", "unexpected '3': it takes no words, only options"),
        ("bye grant 2 Ada", "invalid value for 'ROUND': 'Ada' is not a valid integer; it takes WHO... ROUND"),
        ("draw white", "unexpected 'white': it is given with --colour white"),
        (
            "correct 1 1 = wrong",
            "unexpected 'wrong': it takes ROUND [BOARD] [RESULT]; a reason is given with --why",
        ),
        ("correct 1 1 = -m wrong", "no such option '-m', did you mean --why?"),
        ("player add Ada -r 2000", "no such option '-r', did you mean --rating?"),
        ("pair --round 2", "no such option '--round': it is given as a word, it takes [ROUND]"),
        ("bye grant Ada", "missing argument 'WHO...'; it takes WHO... ROUND"),
        ("standings .", "unexpected '.': it takes no words, only options"),
        ("trf export out.trf", "unexpected 'out.trf': the file is given with -o out.trf"),
        (
            "show Open",
            "unexpected 'Open': it takes no words, only options; a tournament is named with -t NAME",
        ),
        (
            "completion",
            "missing argument '{bash|zsh|fish|powershell}'. Choose from: bash, zsh, fish, powershell",
        ),
        ("new Other --rounds 3 --rated yes", "unexpected 'yes': --rated stands alone, without a value"),
        ("player add Zoe --half-byes 1", "unexpected '1': --half-byes stands alone, without a value"),
        ("what-if 1 1 1-0", "unexpected '1 1 1-0': a result is given with --result ROUND BOARD RESULT"),
        ("new Other --rounds 3 --time 90+30", "no such option '--time', did you mean --time-control?"),
        ("boards -t A -t B", "option -t/--tournament is given 2 times: leave all but one out"),
        ("-t A boards -t B", "option -t/--tournament is given twice, 'A' and 'B': leave one out"),
        ("--as Ina pair --as Olaf", "option --as is given twice, 'Ina' and 'Olaf': leave one out"),
        ("bye grant Ada 1 --half --zero", "--half, --zero exclude each other: choose one"),
        ("new Open --rounds 3 --rated --unrated", "option --rated/--unrated is given 2 times"),
        ("standings --csv --html", "--csv, --html are forms of one answer: choose one"),
        ("new Other --rounds 3 -t Open", "no such option '-t': it is not about one tournament of the store"),
        ("-t Open list", "no such option '-t': it is not about one tournament of the store"),
        ("check games.trf --db club.db", "no such option '--db': it works on files alone"),
        ("--db club.db check games.trf", "no such option '--db': it works on files alone"),
        ("export pgn --json", "no such option '--json'"),
        ("alter show 1 --json", "no such option '--json'"),
        ("standings --between Ada Ben --csv", "--between makes no use of --csv: leave one out"),
        ("standings --explain Ada --between Ada Ben", "--explain makes no use of --between: leave one out"),
        ("-t Open verify --all", "--all makes no use of -t: leave one out"),
        ("replay --jobs 2", "--jobs does something with --all only: add it, or leave --jobs out"),
        ("demo --port 8001", "--port does something with --serve only"),
        ("number --exchange Ada Ben --file order.txt", "--exchange makes no use of --file: leave one out"),
        ("boards --html --json", "--html, --json are forms of one answer: choose one"),
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
    assert terminal.refused("help", "enter", code=2).startswith("no such command 'enter': paircard result")


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
