"""Tab: shells complete commands, names of players and tournaments, and codes."""

import json
import shutil
import subprocess
import sys

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
        (("--db", "nowhere.db", "why", "1", "a"), []),
        (("-t", "Elsewhere", "why", "1", "a"), []),
    ],
)
def test_what_an_argument_takes_is_offered(
    club: Terminal, typed: tuple[str, ...], offered: list[str]
) -> None:
    assert words(club, "powershell", *typed) == offered


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ad", r"Ada\ Lovelace"),
        (r"Ada\ L", r"Ada\ Lovelace"),
        ("'\"Ada L'", "Ada Lovelace"),
        ("o", r"O\'Hara,\ Zoë"),
    ],
)
def test_bash_gets_names_that_it_takes_as_one_word(club: Terminal, typed: str, offered: str) -> None:
    club.write("complete.sh", club.ok("completion", "bash"))
    club.write("paircard", f'#!/bin/sh\nexec {sys.executable} -m paircard.cli "$@"\n')
    (club.folder / "paircard").chmod(0o755)
    asked = ["bash", "--norc", "-c", BASH.replace("TYPED", typed)]

    done = subprocess.run(asked, cwd=club.folder, env=club.environment, capture_output=True, check=True)

    assert done.stdout.decode().strip() == offered
