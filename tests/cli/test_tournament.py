"""A tournament from its opening to its end, at the command line."""

import json
import re

from paircard.domain.messages import say
from paircard.domain.values.results import Outcome
from tests.cli.session import BY_HAND, Terminal
from tests.refusals import sentence


def test_an_arbiter_runs_a_tournament_from_opening_to_close(playing: Terminal) -> None:
    out = playing.ok("result", "1", "1", "1-0", "2", "=")
    assert out == "round 1 board 1: Ada – Cleo 1-0\nround 1 board 2: Dag – Ben ½-½\n"

    playing.write("round2.txt", "2 1\n3 4\n")
    assert "round 1 completed\n" in playing.ok("pair", "--boards", "round2.txt", *BY_HAND)
    playing.ok("publish", "2")
    playing.ok("result", "2", "1", "0-1", "2", "1F-0F")
    playing.write("round3.txt", "1 4\n2 3\n")
    playing.ok("pair", "3", "--boards", "round3.txt", *BY_HAND, "--ack", "no-show")
    playing.ok("publish", "3")
    playing.write("results.txt", "1 1-0\n2 0-0\n")
    playing.ok("result", "3", "--file", "results.txt")
    assert sentence("log.tournament-closed", rounds=3) in playing.ok("close")

    assert playing.ok("standings").splitlines() == [
        "Club Open: final standings",
        "Place  No  Title  Name  Rating  Fed  Points",
        "    1   1  FM     Ada     2100            3",
        "    2   3         Cleo    1900            1",
        "    3   2         Ben     2000            ½",
        "    3   4         Dag     1800            ½",
    ]


def test_a_sheet_shows_numbers_names_and_scores_before_the_round(playing: Terminal) -> None:
    assert playing.ok("boards").splitlines() == [
        "Round 1 of 3, 2 to play",
        "Bd  No  White       Result  Black     No",
        " 1   1  FM Ada (0)    –     Cleo (0)   3",
        " 2   4  Dag (0)       –     Ben (0)    2",
    ]


def test_a_card_shows_the_rounds_of_a_player_named_in_any_way(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")

    by_number = playing.ok("card", "1")

    assert by_number == playing.ok("card", "#1") == playing.ok("card", "ada")
    assert by_number.splitlines() == [
        "1  FM Ada 2100",
        "Round  No  Opponent  Colour  Float  Result  Score",
        "    1   3  Cleo      white            1         1",
    ]


def test_every_read_gives_json(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")
    for words in (
        ["list"],
        ["show"],
        ["player", "list"],
        ["boards", "1"],
        ["standings"],
        ["crosstable"],
        ["card", "Ada"],
        ["log"],
    ):
        json.loads(playing.ok(*words, "--json"))

    boards = json.loads(playing.ok("boards", "--json"))
    assert [board["result"] for board in boards["boards"]] == ["1-0", None]


WHITE, DRAW, BLACK = Outcome("1", "0"), Outcome("=", "="), Outcome("0", "1")


def test_a_correction_says_what_it_touches(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "0-1")

    now = playing.ok("correct", "1", "1", "0-1", "--why", "score sheet")
    ada, ben = {1: "Ada", 3: "Cleo"}, {4: "Dag", 2: "Ben"}
    first = say("log.result-corrected", round=1, board=1, white=1, black=3)
    told = sentence(first.code, ada, **first.fields, was=WHITE, result=BLACK, scope="pairing-next")
    assert now.endswith(f"{told}\n")

    playing.write("round2.txt", "3 2\n1 4\n")
    playing.ok("pair", "--boards", "round2.txt", *BY_HAND)
    playing.ok("publish")
    warned = playing.refused("correct", "1", "1", "½-½", "--why", "both signed")
    assert warned.endswith(" --ack correction")
    later = playing.ok("correct", "1", "1", "½-½", "--why", "both signed", "--ack", "correction")
    told = sentence(first.code, ada, **first.fields, was=BLACK, result=DRAW, scope="pairing-after-next")
    what = say("log.accepted-warning", meaning="correction", article="C.04.2:4.3")
    value = sentence("log.accepted", ada, what=what, players=(1, 3))
    assert told + "\n" + sentence("cli.said.accepted", value=value) in later
    after_one = json.loads(playing.ok("standings", "--after", "1", "--json"))["standings"]
    assert {line["name"]: line["points"] for line in after_one}["Ada"] == 0

    playing.ok("result", "2", "1", "1-0", "2", "1-0")
    playing.ok("complete", "2")
    last = playing.ok(
        "correct",
        "1",
        "2",
        "1-0",
        "--why",
        "found in the box",
        "--ack",
        "correction",
        "--ack",
        "rating-report-only",
    )
    second = say("log.result-corrected", round=1, board=2, white=4, black=2, was=BLACK, result=WHITE)
    told = sentence(second.code, ben, **second.fields, scope="rating-report-only")
    assert told + "\n" + sentence("cli.said.accepted", value="") in last
    assert "4b0" in playing.ok("crosstable", "--rating")
    assert "4b0" not in playing.ok("crosstable")


def test_a_player_may_come_late_have_a_bye_leave_and_return(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "0-1")
    assert playing.ok("player", "add", "Eve", "--rating", "1950", "--why", "train") == "Eve 1950 registered\n"
    playing.ok("bye", "grant", "Ben", "2", "--half", "--ack", "half-bye-not-announced")
    playing.ok("bye", "revoke", "Ben", "2")
    playing.ok("bye", "grant", "Ben", "2", "--zero")
    playing.ok("player", "withdraw", "Cleo", "--why", "ill")
    playing.ok("player", "return", "Cleo")

    listed = json.loads(playing.ok("player", "list", "--json"))["players"]

    assert [(p["number"], p["name"]) for p in listed][-1] == (None, "Eve")
    playing.write("round2.txt", "#5 1\n#3 5  # numbers with the late entry in its place\n")
    sheet = playing.ok("pair", "--boards", "round2.txt", *BY_HAND)
    assert " 1   3  Eve (0)     –     FM Ada (1)   1\n 2   4  Cleo (0)    –     Dag (0)      5\n" in sheet
    assert "not playing: Ben (absent)" in sheet
    numbered = json.loads(playing.ok("player", "list", "--json"))["players"]
    assert [(p["number"], p["name"]) for p in numbered] == [
        (1, "Ada"),
        (2, "Ben"),
        (3, "Eve"),
        (4, "Cleo"),
        (5, "Dag"),
    ]


def test_manual_boards_are_begun_ended_and_told_in_the_log(playing: Terminal) -> None:
    playing.write("mine.txt", "3 1\n4 2\n")
    playing.ok("alter", "begin", "1")
    playing.refused("result", "1", "1", "1-0")
    refused = playing.refused("alter", "end", "1", "--boards", "mine.txt", "--why", "agreed by all")
    assert sentence("cli.acknowledge", value="paircard alter end 1 --boards mine.txt") in refused
    codes = re.findall(r"--ack (\S+)", refused)
    accepted = [word for code in codes for word in ("--ack", code)]

    sheet = playing.ok("alter", "end", "1", "--boards", "mine.txt", "--why", "agreed by all", *accepted)

    assert "altered by hand" in sheet
    assert "round 1 altered: Cleo – Ada" in playing.ok("log")


def test_an_unpublished_round_can_be_taken_back(registered: Terminal) -> None:
    registered.write("round1.txt", "1 3\n4 2\n")
    registered.ok("pair", "--boards", "round1.txt", *BY_HAND)

    assert registered.ok("unpair") == "round 1 unpaired\n"
    assert json.loads(registered.ok("show", "--json"))["paired"] == 0


def test_a_file_holds_several_tournaments_and_asks_which(terminal: Terminal) -> None:
    terminal.ok("new", "Open A", "--rounds", "3")
    terminal.ok("new", "Open B", "--rounds", "5")

    terminal.refuses("several-tournaments", "show", file="paircard.db", there=2)
    assert terminal.ok("show", "-t", "open b").startswith("Open B")
    assert terminal.ok("-t", "A", "show").startswith("Open A")
    terminal.refuses(
        "tournament-may-be",
        "show",
        "-t",
        "Open",
        text="Open",
        names=("Open A", "Open B"),
        count=0,
        file="paircard.db",
        there=2,
    )
    assert terminal.run("show", PAIRCARD_TOURNAMENT="B").out.startswith("Open B")
    assert terminal.run("show", "-t", "A", PAIRCARD_TOURNAMENT="B").out.startswith("Open A")


def test_a_name_is_meant_before_an_id_that_happens_to_begin_so(terminal: Terminal) -> None:
    terminal.ok("new", "Minsk", "--rounds", "3")
    (first,) = json.loads(terminal.ok("list", "--json"))
    initial = first["id"][0]
    terminal.ok("new", f"Group {initial}", "--rounds", "5")

    assert terminal.ok("-t", f"p {initial}", "show").startswith("Group")
    assert terminal.ok("-t", initial, "show").startswith("Group")
    assert terminal.ok("-t", first["id"][:7], "show").startswith("Minsk")


def test_the_file_comes_from_the_option_the_environment_or_the_folder(terminal: Terminal) -> None:
    terminal.ok("new", "Here", "--rounds", "3")
    terminal.run("new", "Env", "--rounds", "3", PAIRCARD_DB="env.db")
    terminal.ok("--db", "option.db", "new", "Option", "--rounds", "3")

    assert terminal.ok("show").startswith("Here")
    assert terminal.run("show", PAIRCARD_DB="env.db").out.startswith("Env")
    assert terminal.run("show", "--db", "option.db", PAIRCARD_DB="env.db").out.startswith("Option")


def test_who_asks_and_why_stand_in_the_log(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "--as", "Bruno Second", "--why", "phoned in")

    last = playing.ok("log", "--last", "1")

    assert last.rstrip().endswith("Bruno Second: round 1 board 1: Ada – Cleo 1-0 — phoned in")


def test_the_same_command_sent_twice_counts_once(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "0-1", "--id", "sms-17")

    again = playing.ok("result", "1", "1", "1-0", "2", "0-1", "--id", "sms-17")

    assert again.splitlines() == [
        sentence("cli.said.nothing-new"),
        "round 1 board 1: Ada – Cleo 1-0",
        "round 1 board 2: Dag – Ben 0-1",
    ]
    assert playing.ok("log").count("board 1: Ada") == 1


def test_the_log_can_be_asked_for_one_player(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "0-1")

    told = playing.ok("log", "--player", "Dag")

    assert "Dag – Ben 0-1" in told
    assert "Cleo" not in told


def test_points_may_be_other_than_one_and_a_half(terminal: Terminal) -> None:
    terminal.ok("new", "Football", "--rounds", "3", "--win", "3", "--draw", "1")

    assert "win 3, draw 1, loss 0, absence 0, bye 3" in terminal.ok("show")


def test_every_sheet_says_when_fide_mode_was_left(playing: Terminal) -> None:
    words = ("leave-fide-mode", "--why", "club evening")
    asked = playing.refused(*words, "--ack", "leave-fide-mode")
    assert "no way back" in asked, "it takes two steps: nobody knows the code beforehand"
    playing.ok(*words, "--ack", asked.rpartition(" ")[2])

    for look in ("boards", "standings", "show"):
        assert "OUT OF FIDE MODE" in playing.ok(look)


def test_a_round_paired_and_lots_drawn_twice_by_one_command_count_once(registered: Terminal) -> None:
    sheet = registered.ok("pair", "--id", "pair-1")
    again = registered.ok("pair", "--id", "pair-1")
    first = registered.ok("lots", "Ada", "Ben", "--id", "lots-1")

    assert "round 1 paired" in sheet
    before = sentence("cli.said.nothing-new") + "\n"
    assert again.startswith(before)
    assert "round 1 paired" in again
    assert registered.ok("lots", "Ada", "Ben", "--id", "lots-1") == before + first
    assert registered.ok("log").count(first) == 1


def test_a_tournament_opened_twice_by_one_command_is_one(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3", "--id", "new-1")
    terminal.ok("new", "Open", "--rounds", "3", "--id", "new-1")

    assert len(json.loads(terminal.ok("list", "--json"))) == 1
