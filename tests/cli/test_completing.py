"""Tab: shells complete commands, names of players and tournaments, and codes."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.cli.session import Terminal

BASH = """
source complete.sh
COMP_WORDS=(paircard why 1 TYPED); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_paircard_completion ./paircard
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def club(terminal: Terminal) -> Terminal:
    terminal.write("players.csv", 'name,rating\nAda Lovelace,2100\nBen,2000\n"O\'Hara, Zoë",1900\n')
    terminal.ok("new", "Club Open", "--rounds", "3")
    terminal.ok("player", "import", "players.csv")
    return terminal


def words(club: Terminal, shell: str, *typed: str) -> list[str]:
    """What a shell is told after these words, the last one not finished."""
    asked = {
        "bash": {"COMP_WORDS": "\n".join(("paircard", *typed)), "COMP_CWORD": str(len(typed))},
        "zsh": {"COMP_WORDS": " ".join(("paircard", *typed)), "COMP_CWORD": str(len(typed))},
        "fish": {"COMP_WORDS": " ".join(("paircard", *typed[:-1])), "COMP_CWORD": typed[-1]},
        "powershell": {"COMP_WORDS": json.dumps(typed[:-1]), "COMP_WORD": typed[-1]},
    }[shell]
    done = club.process(_PAIRCARD_COMPLETE=f"{shell}_complete", **asked)
    assert done.code == 0, done
    return [line for line in done.out.splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_completes_commands_and_names(club: Terminal, shell: str) -> None:
    assert "_PAIRCARD_COMPLETE" in club.ok("completion", shell)

    assert "standings" in " ".join(words(club, shell, "stand"))
    assert "Ada" in " ".join(words(club, shell, "why", "1", "ad"))
    assert "Ben" not in " ".join(words(club, shell, "why", "1", "ad"))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("player", "withdraw", ""), ["Ada Lovelace", "Ben", "O'Hara, Zoë"]),
        (("show", "-t", "cl"), ["Club Open"]),
        (("-t", "Club Open", "card", "b"), ["Ben"]),
        (("change", "--tiebreaks", "BH/C1,S"), ["BH/C1,STD", "BH/C1,SB"]),
        (("pair", "--ack", "late-e"), ["late-entry"]),
        (("help", "stand"), ["standings"]),
        (("help", "player", "withd"), ["withdraw"]),
        (("help", "pair", ""), []),
        (("help", "nothing", ""), []),
        (("--db", "nowhere.db", "why", "1", "a"), []),
        (("-t", "Elsewhere", "why", "1", "a"), []),
    ],
)
def test_what_an_argument_takes_is_offered(
    club: Terminal, typed: tuple[str, ...], offered: list[str]
) -> None:
    assert words(club, "powershell", *typed) == offered


@pytest.mark.parametrize(
    "typed",
    [
        ("player", "import"),
        ("announce",),
        ("pair", "--boards"),
        ("result", "1", "--file"),
        ("move",),
        ("restore",),
        ("--db",),
    ],
)
def test_names_of_files_are_left_to_the_shell(club: Terminal, typed: tuple[str, ...]) -> None:
    assert words(club, "bash", *typed, "pl") == ["file,pl"]
    assert words(club, "powershell", *typed, "pl") == []


@pytest.fixture
def asked(club: Terminal) -> Callable[..., str]:
    """What a shell says to a script in which the completion was loaded."""

    def ask(*shell: str, script: str) -> str:
        if not shutil.which(shell[0]):
            pytest.skip(f"no {shell[0]} here: apt-get install {shell[0]}")
        club.write("complete.sh", club.ok("completion", shell[0]))
        club.write("paircard", f'#!/bin/sh\nexec {sys.executable} -m paircard.cli "$@"\n')
        (club.folder / "paircard").chmod(0o755)
        path = {"PATH": f"{club.folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [*shell, "-c", script],
            cwd=club.folder,
            env=club.environment | path,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    return ask


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ad", r"Ada\ Lovelace"),
        (r"Ada\ L", r"Ada\ Lovelace"),
        ("'\"Ada L'", "Ada Lovelace"),
        ("o", r"O\'Hara,\ Zoë"),
    ],
)
def test_bash_gets_names_that_it_takes_as_one_word(
    asked: Callable[..., str], typed: str, offered: str
) -> None:
    assert asked("bash", "--norc", script=BASH.replace("TYPED", typed)) == offered


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("paircard why 1 o", "O'Hara, Zoë"), ("paircard show -t cl", "Club Open"),
     ("paircard pair --ack late-e", "late-entry")],
)  # fmt: skip
def test_fish_and_zsh_get_whole_names_codes_and_tournaments(
    asked: Callable[..., str], typed: str, offered: str
) -> None:
    assert asked("fish", script=f'source complete.sh; complete -C "{typed}"') == offered
    words = f"words=({typed}); CURRENT=${{#words}}"
    seen = f"compdef() {{}}; compadd() {{ print -r -- $completions }}; source complete.sh; {words}"
    assert asked("zsh", "-f", script=f"{seen}; _paircard_completion") == offered
