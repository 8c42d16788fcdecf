"""The desk forgives and warns: the reproductions of the reviews, typed as an arbiter types them."""

import pytest

from paircard.domain.messages import say
from paircard.domain.values.results import Outcome
from tests.cli.session import BY_HAND, Terminal, play
from tests.refusals import sentence

ADA_CLEO = {1: "Ada", 3: "Cleo"}


def test_boards_of_a_file_leave_no_back_door(registered: Terminal) -> None:
    """desk.md Critical, vcl.md 1"""
    registered.write("mine.txt", "1 2\n3 4\n")
    registered.refuses(
        "reason-missing", "pair", "--boards", "mine.txt", deed=say("deed.pairing-by-hand", round=1)
    )
    words = ("pair", "--boards", "mine.txt", "--why", "cards")
    registered.warned(
        "manual-pairing.instead",
        *words,
        round=1,
        now=(say("log.pair", white=1, black=2), say("log.pair", white=3, black=4)),
        instead=(say("log.pair", white=1, black=3), say("log.pair", white=4, black=2)),
    )
    assert registered.refused(*words).endswith("--ack manual-pairing")
    sheet = registered.ok("pair", "--boards", "mine.txt", *BY_HAND)
    accepted = sentence("log.accepted-warning", meaning="manual-pairing", article="")
    assert sentence("cli.said.accepted", value=accepted) in sheet
    assert "altered by hand" in registered.ok("boards")
    assert "### MPA @ Round 1" in registered.ok("trf", "export")


def test_a_result_on_the_wrong_board_is_cleared(playing: Terminal) -> None:
    """desk.md H1"""
    playing.ok("result", "1", "1", "1", "2", "=")
    cleared = sentence(
        "log.result-cleared", ADA_CLEO, round=1, board=1, was=Outcome("1", "0"), white=1, black=3
    )
    assert cleared in playing.ok("clear", "1", "1")
    assert sentence("round-stage", stage="play", count=1) in playing.ok("boards")
    playing.ok("result", "1", "1", "-:+")
    entered = sentence(
        "log.result-recorded",
        ADA_CLEO,
        round=1,
        board=1,
        white=1,
        black=3,
        result=Outcome("-", "+"),
    )
    told = sentence("cli.said.already-recorded", value=entered)
    assert playing.ok("result", "1", "1", "0F-1F") == f"{told}\n"


def test_undo_says_what_was_done_and_takes_it_back(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")
    said = playing.ok("undo")
    entered = say("log.result-recorded", round=1, board=1, white=1, black=3, result=Outcome("1", "0"))
    cleared = say("log.result-cleared", round=1, board=1, was=Outcome("1", "0"), white=1, black=3)
    assert sentence(entered.code, ADA_CLEO, **entered.fields) + "\n" in said
    assert sentence(cleared.code, ADA_CLEO, **cleared.fields) in said
    playing.refuses("undo-undone", "undo", what=entered)


def test_publishing_looks_first(registered: Terminal) -> None:
    """desk.md H2"""
    registered.ok("pair")
    said = registered.ok("player", "withdraw", "Dag")
    assert sentence("cli.said.outdates", round=1) in said
    registered.warned(
        "pairing-outdated", "publish", players=(4,), round=1, news=(say("news.withdrew", player=4),)
    )
    registered.ok("unpair")
    registered.ok("pair")
    registered.ok("publish")


def test_two_players_change_seats_and_the_boards_are_printed_as_they_are_read(registered: Terminal) -> None:
    """desk.md M4"""
    registered.ok("pair")
    lines = registered.ok("alter", "show")
    registered.write("same.txt", lines)
    registered.ok("alter", "begin", "1")
    ended = sentence("log.manual-pairing-ended", round=1, altered=False)
    assert ended in registered.ok("alter", "end", "1", "--boards", "same.txt")
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
    terminal.refuses(
        "no-player-called",
        "bye",
        "grant",
        "Zemann",
        "1",
        candidates=1,
        each=(say("player-with-id", name="Zeman, Ivo", id="p4"),),
    )


def test_lots_are_drawn_among_the_tied_only(playing: Terminal) -> None:
    """desk.md M8, vcl.md 21"""
    playing.ok("result", "1", "1", "1-0", "2", "1-0")
    playing.refuses(
        "players-not-tied",
        *("lots", "Ada", "Cleo"),
        each=(
            say("player-with-points", name="Ada", points=10),
            say("player-with-points", name="Cleo", points=0),
        ),
    )
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
        ("card", "1"), ("ratings", "--csv"), ("ratings", "1", "--csv"), ("norms", "--csv"),
        ("norms", "1", "--csv"),
    ):  # fmt: skip
        assert "OUT OF FIDE MODE" in playing.ok(*look), look
    assert playing.ok("crosstable").startswith("OUT OF FIDE MODE\n")
    playing.ok("trf", "export", "-o", "out.trf")
    playing.ok("--db", "other.db", "trf", "import", "out.trf", "--ack", "irregular-import")
    assert "OUT OF FIDE MODE" in playing.ok("--db", "other.db", "show")


def test_unknown_codes_and_levels_are_refused(playing: Terminal) -> None:
    """vcl.md 8, 22"""
    playing.refuses("warning-unknown", "result", "1", "1", "1-0", "--ack", "nonsense", text="nonsense")
    playing.refuses("warning-unknown", "result", "1", "1", "1-0", "--ack", "3", text="3")


def test_prohibitions_are_shown_and_lifted_and_an_expulsion_is_reversed(registered: Terminal) -> None:
    """desk.md H5"""
    registered.ok("prohibit", "Ada", "Ben")
    assert "must not meet    Ada, Ben, rounds 1 to 3" in registered.ok("show")
    allowed = sentence("log.prohibition-lifted", {1: "Ada", 2: "Ben"}, players=(1, 2), round=1)
    assert allowed in registered.ok("allow", "Ada", "Ben")
    registered.ok("player", "expel", "Dag", "--why", "phone")
    reversed = sentence("log.player-reinstated", {4: "Dag"}, player=4, round=1)
    assert reversed in registered.ok("player", "reinstate", "Dag", "--why", "appeal upheld")


SEVEN = "name,rating\n" + "".join(f"P{k},{2000 - 10 * k}\n" for k in range(1, 8))


def seven(terminal: Terminal, *options: str) -> None:
    """Seven players after round 1; P7 had the bye, P1, P2 and P3 won."""
    terminal.ok("new", "Seven", "--rounds", "5", "--tiebreaks", "BH", *options)
    terminal.ok("player", "import", terminal.write("seven.csv", SEVEN))
    terminal.ok("draw", "--colour", "white")
    play(terminal, 1, "1-0", "0-1", "1-0")


def test_boards_by_hand_are_in_the_order_of_publication(terminal: Terminal) -> None:
    """vcl.md 20, C.04.2:3.6"""
    seven(terminal)
    terminal.write("mine.txt", "4 5\n6 0\n3 7\n2 1\n")
    terminal.ok("pair", "--boards", "mine.txt", *BY_HAND)
    assert [line.split("  #")[0] for line in terminal.ok("alter", "show").splitlines()] == [
        "2 1", "3 7", "4 5", "6 0",
    ]  # fmt: skip


def test_on_a_published_sheet_nobody_else_changes_tables(terminal: Terminal) -> None:
    seven(terminal)
    terminal.ok("pair")
    terminal.ok("publish")
    before = terminal.ok("alter", "show").splitlines()
    last = before[-2].split()[0]
    terms = ("--why", "agreed", *BY_HAND[2:], "--ack", "published-pairing", "--ack", "bye-too-high")
    terminal.ok("alter", "swap", before[0].split()[0], last, *terms)
    after = terminal.ok("alter", "show").splitlines()
    assert (after[1:-2], after[-1]) == (before[1:-2], before[-1])
    assert after[0] != before[0]


def test_the_bye_for_a_leader_by_hand_has_a_warning_of_its_own(terminal: Terminal) -> None:
    """vcl.md 24, Q66"""
    seven(terminal)
    terminal.write("mine.txt", "2 3\n7 4\n5 6\n1 0\n")
    asked = terminal.refused("pair", "--boards", "mine.txt", "--why", "he is tired")
    leader = sentence("bye-too-high", {1: "P1", 6: "P6"}, pab=1, other=6, points=10, theirs=0)
    assert sentence("cli.warning", value=leader, level=3) in asked.splitlines()
    assert "--ack bye-too-high" in asked
    terminal.write("low.txt", "2 1\n3 7\n4 6\n5 0\n")
    assert "bye-too-high" not in terminal.refused("pair", "--boards", "low.txt", "--why", "x")


def many_rounds(players: int, rounds: int) -> str:
    return sentence("pairing.advice.many-rounds", entered=players, rounds=rounds)


@pytest.mark.parametrize(
    ("players", "rounds", "said"),
    [
        (6, 5, many_rounds(6, 5)),
        (6, 4, many_rounds(6, 4)),
        (6, 3, ""),
        (8, 5, ""),
        (8, 6, many_rounds(8, 6)),
        (9, 3, sentence("pairing.advice.few-rounds", entered=9, rounds=3, least=4)),
    ],
)
def test_pairing_round_1_says_what_the_number_of_rounds_may_lead_to(
    terminal: Terminal, players: int, rounds: int, said: str
) -> None:
    terminal.ok("new", "Open", "--rounds", str(rounds), "--tiebreaks", "BH")
    names = "name\n" + "".join(f"P{k}\n" for k in range(players))
    terminal.ok("player", "import", terminal.write("p.csv", names))
    terminal.ok("draw")
    heard = terminal.ok("pair")
    assert said in heard
    assert bool(said) == (f"{players} players in {rounds} rounds" in heard)


def test_numbers_typed_for_an_alteration_are_those_on_its_sheet(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("player", "correct", "P8", "--rating", "2500", "--why", "list")
    eight.ok("number", "--ack", "renumbering")
    eight.write("same.txt", eight.ok("alter", "show"))
    eight.ok("alter", "begin", "1")
    ended = sentence("log.manual-pairing-ended", round=1, altered=False)
    assert ended in eight.ok("alter", "end", "1", "--boards", "same.txt")
    eight.warned(
        "manual-pairing.instead",
        *("alter", "swap", "1", "2", "--why", "agreed"),
        round=1,
        now=(say("log.pair", white=6, black=1), say("log.pair", white=2, black=5)),
        instead=(say("log.pair", white=1, black=5), say("log.pair", white=6, black=2)),
    )


def test_a_board_added_by_hand_is_called_an_addition(playing: Terminal) -> None:
    playing.ok("player", "add", "Eve", "--why", "train")
    playing.ok("player", "add", "Fay", "--why", "train")
    asked = playing.refused("alter", "pair", "Eve", "Fay", "--why", "both are here")
    added = sentence(
        "manual-pairing.in-addition",
        {5: "Eve", 6: "Fay"},
        round=1,
        now=(say("log.pair", white=5, black=6),),
        instead=(),
    )
    assert sentence("cli.warning", value=added, level=4) in asked.splitlines()


def test_what_was_taken_back_is_not_asked_about_when_publishing(registered: Terminal) -> None:
    registered.ok("pair")
    registered.ok("player", "withdraw", "Dag")
    assert "not published" not in registered.ok("undo")
    registered.ok("player", "add", "Typo", "--why", "late")
    registered.ok("undo")
    registered.ok("publish")
    assert "Typo" not in registered.ok("boards"), "who never came is on no sheet"


def test_undo_asks_before_it_takes_back_somebody_elses_work(registered: Terminal) -> None:
    registered.ok("bye", "grant", "Ada", "1")
    registered.ok("bye", "grant", "Ben", "1", "--as", "Olaf")
    granted = say("log.bye-granted", player=2, round=1, letter="Z")
    registered.warned("not-yours.somebody", "undo", who="Olaf", what=granted)
    assert registered.refused("undo").endswith("--ack not-yours")
    taken_back = sentence(granted.code, {2: "Ben"}, **granted.fields)
    assert sentence("cli.said.last-command", who="Olaf", value=taken_back) in registered.ok(
        "undo", "--ack", "not-yours"
    )


def test_undo_twice_does_not_bring_the_slip_back(registered: Terminal) -> None:
    registered.ok("player", "withdraw", "Dag")
    registered.ok("undo")
    withdrawn = say("log.player-withdrawn", player=4, round=1)
    registered.refuses("undo-undone", "undo", what=withdrawn)


def test_a_double_forfeit_is_typed_as_it_is_written(playing: Terminal) -> None:
    assert "0F-0F" in playing.ok("result", "1", "1", "--", "2", "-+")
    assert "from 0F-1F to 0F-0F" in playing.ok("correct", "1", "2", "--", "--why", "nobody came")
    assert "from 0F-0F to 0F-1F" in playing.ok("correct", "1", "2", "-+", "--why", "Black came")


def test_forgotten_tiebreaks_are_mentioned_while_they_can_still_be_announced(registered: Terminal) -> None:
    """desk.md H5"""
    said = sentence("pairing.advice.no-tiebreaks") + "\n"
    assert registered.ok("pair").endswith(said)
    registered.ok("unpair")
    registered.ok("change", "--tiebreaks", "BH")
    assert said not in registered.ok("pair")


def test_a_correction_for_the_rating_report_taken_back_leaves_no_line(eight: Terminal) -> None:
    """VCL 114"""
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    play(eight, 2, "1-0", "1-0", "1-0", "1-0")
    eight.ok("complete")
    eight.ok("correct", "1", "1", "=", "--why", "late", "--ack", "rating-report-only")
    assert "### Rating correction @ Round 1: 1-5: 1-0 => =-=" in eight.ok("trf", "export")
    eight.ok("undo", "--why", "another board was meant", "--ack", "rating-report-only")
    assert "###" not in eight.ok("trf", "export")


def test_an_earlier_round_of_an_event_out_of_fide_mode_does_not_bring_it_back(eight: Terminal) -> None:
    """VCL 45"""
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("pair")
    code = eight.refused("leave-fide-mode", "--why", "club rules").split()[-1]
    eight.ok("leave-fide-mode", "--why", "club rules", "--ack", code)
    eight.ok("trf", "export", "--round", "1", "-o", "one.trf")
    assert "### FIDE mode exited @ Round 2\n" in (eight.folder / "one.trf").read_text()
    eight.ok("--db", "again.db", "trf", "import", "one.trf")
    assert "OUT OF FIDE MODE" in eight.ok("--db", "again.db", "show")
    for form in ((), ("--csv",), ("--html",)):
        assert "fide mode" in eight.ok("tabellone", *form).casefold()
