"""Terminals at well-known points of a tournament, made once and copied for each test."""

import shutil
from pathlib import Path

import pytest

from tests.cli.session import BY_HAND, EIGHT, Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """An empty folder."""
    return Terminal(tmp_path)


@pytest.fixture(scope="session")
def four_players(tmp_path_factory: pytest.TempPathFactory) -> Path:
    terminal = Terminal(tmp_path_factory.mktemp("registered"))
    terminal.ok("new", "Club Open", "--rounds", "3")
    terminal.write("players.csv", "name,rating,title\nAda,2100,FM\nBen,2000,\nCleo,1900,\nDag,1800,\n")
    assert terminal.ok("player", "import", "players.csv") == "4 players registered\n"
    terminal.ok("draw", "--colour", "white")
    return terminal.folder


@pytest.fixture(scope="session")
def first_round(four_players: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    terminal = Terminal(tmp_path_factory.mktemp("playing"))
    shutil.copytree(four_players, terminal.folder, dirs_exist_ok=True)
    terminal.write("round1.txt", "1 3\n4 2\n")
    terminal.ok("pair", "1", "--boards", "round1.txt", *BY_HAND)
    terminal.ok("publish")
    return terminal.folder


@pytest.fixture
def registered(four_players: Path, tmp_path: Path) -> Terminal:
    """Four players, the initial colour drawn."""
    shutil.copytree(four_players, tmp_path, dirs_exist_ok=True)
    return Terminal(tmp_path)


@pytest.fixture
def playing(first_round: Path, tmp_path: Path) -> Terminal:
    """Round 1 published: Ada – Cleo, Dag – Ben."""
    shutil.copytree(first_round, tmp_path, dirs_exist_ok=True)
    return Terminal(tmp_path)


@pytest.fixture
def eight(terminal: Terminal) -> Terminal:
    """Eight players, the initial colour drawn."""
    terminal.ok("new", "Eight", "--rounds", "5", "--tiebreaks", "ARO")
    terminal.write("eight.csv", EIGHT)
    terminal.ok("player", "import", "eight.csv")
    terminal.ok("draw", "--colour", "white")
    return terminal
