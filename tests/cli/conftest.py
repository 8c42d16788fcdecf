"""Terminals at well-known points of a tournament."""

from pathlib import Path

import pytest

from tests.cli.session import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """An empty folder."""
    return Terminal(tmp_path)


@pytest.fixture
def registered(terminal: Terminal) -> Terminal:
    """Four players, the initial colour drawn."""
    terminal.ok("new", "Club Open", "--rounds", "3")
    terminal.write("players.csv", "name,rating,title\nAda,2100,FM\nBen,2000,\nCleo,1900,\nDag,1800,\n")
    terminal.ok("player", "import", "players.csv")
    terminal.ok("draw", "--colour", "white")
    return terminal


@pytest.fixture
def playing(registered: Terminal) -> Terminal:
    """Round 1 published: Ada – Cleo, Dag – Ben."""
    registered.write("round1.txt", "1 3\n4 2\n")
    registered.ok("pair", "1", "--boards", "round1.txt")
    registered.ok("publish")
    return registered
