"""``player remove`` and ``player merge``: what was entered by mistake, or twice, is on no sheet."""

import pytest

from paircard.domain.messages import say
from paircard.pairing.explain.speaking import RoundSpeaker, Who
from tests.cli.session import Terminal
from tests.refusals import sentence

SHEETS = (
    ("player", "list"),
    ("player", "list", "--csv"),
    ("player", "list", "--html"),
    ("boards",),
    ("boards", "--html"),
    ("boards", "--by-name", "--html"),
    ("standings",),
    ("standings", "--json"),
    ("crosstable",),
    ("export", "players"),
    ("trf", "export"),
    ("show",),
    ("explain", "1"),
    ("explain", "1", "--slides"),
    ("explain", "1", "--html"),
)


@pytest.fixture
def entered(terminal: Terminal) -> Terminal:
    terminal.ok("new", "Open", "--rounds", "3")
    rows = "name,rating\nAda,2100\nBen,2000\nCleo,1900\nDag,1800\nTypo,1950\n"
    terminal.ok("player", "import", terminal.write("p.csv", rows))
    terminal.ok("draw", "--colour", "white")
    return terminal


def seen(terminal: Terminal) -> str:
    return "".join(terminal.ok(*words) for words in SHEETS)


def test_an_entry_made_by_mistake_is_on_no_list_and_in_the_log(entered: Terminal) -> None:
    removed = sentence("log.player-removed", {5: "Typo"}, player=5)
    assert entered.ok("player", "remove", "Typo") == f"{removed}\n"
    assert "4 players" in entered.ok("player", "list")
    numbered = sentence("log.pairing-numbers-assigned", cause="initial", entered=4)
    assert numbered in entered.ok("pair")
    entered.ok("publish")
    entered.ok("result", "1", "1", "1-0", "2", "1-0")
    assert "Typo" not in seen(entered)
    absent = RoundSpeaker({5: Who(0, "Typo")}).say(say("explain.absent.removed", player=5, round=1))
    assert absent in entered.ok("why", "1", "p5")
    entered.refuses("no-player-called", "card", "Typo", text="Typo", candidates=0, each=())
    entered.refuses("entry-removed", "card", "p5", player=5)
    log = entered.ok("log")
    assert "Typo 1950 registered" in log
    assert removed in log
    entered.ok("verify")
    entered.ok("replay")


def test_a_second_entry_is_merged_after_round_1(entered: Terminal) -> None:
    entered.ok("player", "remove", "Typo")
    entered.ok("pair")
    entered.ok("publish")
    entered.ok("result", "1", "1", "1-0", "2", "1-0")
    entered.ok("player", "add", "Âda", "--fide-id", "77", "--why", "late", "--ack", "same-person")
    entered.ok("bye", "grant", "Âda", "3")
    told = entered.ok("player", "merge", "p6", "p1", "--why", "entered twice")
    merged = say("log.player-merged", player=6, into=1, byes=(say("log.bye-lost", letter="Z", round=3),))
    assert sentence(merged.code, {6: "Âda", 1: "Ada"}, **merged.fields) in told
    fide_id = say("log.changed", label="fide_id", value="77")
    assert sentence("log.player-details-corrected", name="Ada", changes=(fide_id,)) in told
    entered.ok("pair")
    entered.ok("publish")
    assert "Âda" not in seen(entered)
    entered.ok("verify")


def test_what_was_added_by_a_slip_is_gone_after_undo_and_comes_back_after_a_slip_of_removing(
    entered: Terminal,
) -> None:
    entered.ok("player", "add", "Slip", "--rating", "1500")
    entered.ok("undo")
    assert "Slip" not in entered.ok("player", "list")
    entered.ok("player", "remove", "Typo")
    entered.ok("undo")
    assert "Typo" in entered.ok("player", "list")
    assert "5 players" in entered.ok("player", "list")


def test_a_removed_person_is_erased_by_id(entered: Terminal) -> None:
    entered.ok("player", "remove", "Typo")
    entered.ok("erase", "p5", "--why", "asked for", "--ack", "erase-while-running")
    assert "Typo" not in entered.ok("log")


def test_an_import_enters_a_removed_person_again(entered: Terminal) -> None:
    entered.ok("player", "remove", "Typo")
    told = entered.ok("player", "import", entered.write("q.csv", "name,rating\nTypo,1950\n"))
    assert told.startswith("1 player registered")
    assert "5 players" in entered.ok("player", "list")


def test_who_is_paired_stays_and_the_way_out_is_said(entered: Terminal) -> None:
    entered.ok("pair")
    entered.refuses(
        "entry-paired", "player", "remove", "Ada", "--why", "slip", player=1, numbers=(1,), cause="removed"
    )


def test_erasing_a_person_erases_an_entry_that_was_merged(entered: Terminal) -> None:
    """In another spelling, too, which no search for the name would find."""
    entered.ok("player", "correct", "Typo", "--name", "Müller, Jürgen")
    entered.ok("player", "add", "Mueller Juergen", "--ack", "same-person")
    entered.ok("player", "merge", "p6", "p5")
    entered.ok("erase", "p5", "--why", "asked for", "--ack", "erase-while-running")
    for word in ("Müller", "Mueller"):
        assert word not in entered.ok("log")
        assert word.encode() not in entered.contents()["paircard.db"]
    entered.ok("verify")
