"""The desk forgives and warns: the reproductions of the reviews, typed as an arbiter types them."""

from tests.cli.session import BY_HAND, Terminal


def test_boards_of_a_file_leave_no_back_door(registered: Terminal) -> None:
    """desk.md Critical, vcl.md 1"""
    registered.write("mine.txt", "1 2\n3 4\n")
    assert "pairing round 1 by hand needs a reason" in registered.refused("pair", "--boards", "mine.txt")
    asked = registered.refused("pair", "--boards", "mine.txt", "--why", "cards")
    assert "are not the engine's" in asked
    assert asked.endswith("--ack manual-pairing")
    sheet = registered.ok("pair", "--boards", "mine.txt", *BY_HAND)
    assert "accepted: the boards are not the engine's" in sheet
    assert "altered by hand" in registered.ok("boards")
    assert "### MPA @ Round 1" in registered.ok("trf", "export")


def test_a_result_on_the_wrong_board_is_cleared(playing: Terminal) -> None:
    """desk.md H1"""
    playing.ok("result", "1", "1", "1", "2", "=")
    assert "Ada – Cleo, result 1-0 cleared" in playing.ok("clear", "1", "1")
    assert "1 to play" in playing.ok("boards")
    playing.ok("result", "1", "1", "-:+")
    assert playing.ok("result", "1", "1", "0F-1F") == "", "the same result again is accepted"


def test_undo_says_what_was_done_and_takes_it_back(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")
    said = playing.ok("undo")
    assert "round 1 board 1: Ada – Cleo 1-0\n" in said
    assert "result 1-0 cleared" in said
    assert "cannot be taken back: enter the result again" in playing.refused("undo")


def test_publishing_looks_first(registered: Terminal) -> None:
    """desk.md H2"""
    registered.ok("pair")
    said = registered.ok("player", "withdraw", "Dag")
    assert "round 1 is paired but not published: to take this into account, paircard unpair" in said
    asked = registered.refused("publish")
    assert "since round 1 was paired: Dag withdrew" in asked
    registered.ok("unpair")
    registered.ok("pair")
    registered.ok("publish")


def test_two_players_change_seats_and_the_boards_are_printed_as_they_are_read(registered: Terminal) -> None:
    """desk.md M4"""
    registered.ok("pair")
    lines = registered.ok("alter", "show")
    registered.write("same.txt", lines)
    registered.ok("alter", "begin", "1")
    assert "nothing altered" in registered.ok("alter", "end", "1", "--boards", "same.txt")
    before = registered.ok("alter", "show").split()
    terms = ("--why", "agreed", "--ack", "manual-pairing", "--ack", "colours-reversed")
    registered.ok("alter", "swap", "Ada", "Ben", *terms)
    assert registered.ok("alter", "show").split() != before
    assert "Ada" in registered.ok("alter", "pair", "Ada", "Ben", *terms)


def test_players_are_found_without_accents_in_any_order_and_with_suggestions(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    for name in ("Łukasz, Østen", "O’Brien, Pat", "Smith, John", "Zeman, Ivo"):
        terminal.ok("player", "add", name)
    for round, typed in enumerate(("lukasz", "osten lukasz", "o'brien", "john smith"), start=1):
        terminal.ok("bye", "grant", typed, str(min(round, 3)))
    assert "did you mean Zeman, Ivo (#4)?" in terminal.refused("bye", "grant", "Zemann", "1")


def test_lots_are_drawn_among_the_tied_only(playing: Terminal) -> None:
    """desk.md M8, vcl.md 21"""
    playing.ok("result", "1", "1", "1-0", "2", "1-0")
    assert "are not tied (Ada 1, Cleo 0)" in playing.refused("lots", "Ada", "Cleo")
    assert "lots drawn" in playing.ok("lots", "Ada", "Dag")


def test_no_spreadsheet_cell_becomes_a_formula(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    terminal.ok("player", "add", "=cmd|'/c calc'!A1", "--rating", "2000", "--estimated")
    terminal.ok("player", "add", "Ben", "--rating", "1900")
    terminal.ok("draw")
    terminal.ok("pair", "--ack", "too-many-rounds")

    for words in (("player", "list", "--csv"), ("boards", "--csv"), ("standings", "--csv")):
        assert "'=cmd|" in terminal.ok(*words)
    assert "2000 est." in terminal.ok("player", "list")


def test_the_sign_is_on_every_sheet_once_fide_mode_is_left(playing: Terminal) -> None:
    """VCL 46, vcl.md 14"""
    words = ("leave-fide-mode", "--why", "club evening")
    playing.ok(*words, "--ack", playing.refused(*words).rpartition(" ")[2])

    for look in (
        ("show",), ("list",), ("boards",), ("boards", "--csv"), ("standings",), ("standings", "--csv"),
        ("crosstable",), ("crosstable", "--csv"), ("player", "list"), ("player", "list", "--csv"),
        ("card", "1"),
    ):  # fmt: skip
        assert "OUT OF FIDE MODE" in playing.ok(*look), look
    playing.ok("trf", "export", "-o", "out.trf")
    playing.ok("--db", "other.db", "trf", "import", "out.trf", "--ack", "irregular-import")
    assert "OUT OF FIDE MODE" in playing.ok("--db", "other.db", "show")


def test_unknown_codes_and_levels_are_refused(playing: Terminal) -> None:
    """vcl.md 8, 22"""
    assert "no warning is called 'nonsense'" in playing.refused(
        "result", "1", "1", "1-0", "--ack", "nonsense"
    )
    assert "no warning is called '3'" in playing.refused("result", "1", "1", "1-0", "--ack", "3")


def test_prohibitions_are_shown_and_lifted_and_an_expulsion_is_reversed(registered: Terminal) -> None:
    """desk.md H5"""
    registered.ok("prohibit", "Ada", "Ben")
    assert "must not meet    Ada, Ben, rounds 1 to 3" in registered.ok("show")
    assert "may meet again" in registered.ok("allow", "Ada", "Ben")
    registered.ok("player", "expel", "Dag", "--why", "phone")
    assert "reversed" in registered.ok("player", "reinstate", "Dag", "--why", "appeal upheld")
