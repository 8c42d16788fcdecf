"""Details of an event as they are typed and reported."""

from pathlib import Path

from tests.cli.session import Terminal


def test_arbiters_are_parted_by_semicolons_so_that_a_comma_belongs_to_a_name(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1", "--arbiters", "Bianchi, Ugo; Verdi, Eva")
    terminal.ok("player", "add", "Ada")

    report = terminal.ok("trf", "export")

    assert "112 Bianchi, Ugo\n112 Verdi, Eva\n" in report
