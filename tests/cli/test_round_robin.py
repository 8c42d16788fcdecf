"""A club championship at the command line: drawn, scheduled, played in any order, closed."""

from hashlib import sha256
from json import loads

import pytest

from tests.cli.session import Terminal
from tests.refusals import sentence

ROWS = "name,rating,federation\nAda,2100,ITA\nBen,2000,ITA\nCleo,1900,FRA\nDag,1800,NOR\n"
LOOKING = (
    ("boards",), ("boards", "3", "--html"), ("slips", "2"), ("standings",), ("standings", "--json"),
    ("standings", "--explain", "Ada"), ("crosstable",), ("schedule",), ("why", "2", "Ada"), ("explain", "2"),
    ("why-not", "2", "Ada", "Ben"), ("card", "Ada"), ("snapshot", "2"), ("log",), ("show",), ("list",),
    ("replay",), ("verify",), ("player", "list"), ("trf", "export"), ("export", "results"), ("diff", "1"),
    ("what-if", "--result", "1", "1", "0-1"),
)  # fmt: skip
"""Everything that may be looked at, and must not fail."""


@pytest.fixture
def club(terminal: Terminal) -> Terminal:
    terminal.ok("new", "Club", "--system", "round-robin", "--tiebreaks", "DE,WIN,SB,KS")
    terminal.ok("player", "import", terminal.write("p.csv", ROWS))
    return terminal


@pytest.fixture
def playing(club: Terminal) -> Terminal:
    club.ok("number", "--file", club.write("order.txt", "Ada\nBen\nCleo\nDag\n"))
    club.ok("pair", "--all")
    return club


def test_the_whole_event_from_the_draw_to_the_end(club: Terminal) -> None:
    drawn = sentence("log.pairing-numbers-assigned", cause="lots", entered=4)
    assert club.ok("number", "--lots") == f"{drawn}\n"
    assert club.ok("pair", "--all").count("published") == 3
    for round in "3", "1", "2":
        for board in "1", "2":
            club.ok("result", round, board, "1-0")
    club.ok("close")

    assert sentence("cli.verify.rounds", known=["3 identical"]) in club.ok("verify")
    assert "192 FIDE_ROUNDROBIN" in club.ok("trf", "export")
    club.ok("trf", "import", club.write("back.trf", club.ok("trf", "export")), "--db", "back.db")
    assert club.ok("standings", "--db", "back.db").splitlines()[1:] == club.ok("standings").splitlines()[1:]


def test_a_synonym_names_the_system_and_a_swiss_still_needs_its_rounds(terminal: Terminal) -> None:
    assert "missing option '--rounds'" in terminal.refused("new", "X", code=2)
    assert "dutch-2017" in terminal.ok("new", "X", "--system", "dutch-2017", "--rounds", "3")
    assert "round-robin" in terminal.ok("new", "Y", "--edition", "round-robin")
    terminal.refuses("rounds-follow-players", "new", "Z", "--system", "round-robin", "--rounds", "3")


def test_numbers_of_a_table_stay_but_for_a_first_pairing_that_is_taken_back(club: Terminal) -> None:
    club.ok("player", "add", "Eva", "--rating", "1700")
    club.ok("number")
    club.ok("pair")
    told = club.ok("player", "correct", "Dag", "--rating", "2200", "--why", "typed")
    assert sentence("cli.players.unpair-first", round=1) in told

    for _ in range(3):
        club.ok("pair")
    told = club.ok("player", "correct", "Dag", "--rating", "2210", "--why", "typed")
    corrected = sentence(
        "log.rating-corrected",
        {4: "Dag"},
        player=4,
        earlier=2200,
        rating=2210,
        scope="pairing-next",
        cause="",
    )
    assert corrected in told
    assert "unpair" not in told


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_nothing_that_is_looked_at_fails(playing: Terminal, words: tuple[str, ...]) -> None:
    playing.ok("result", "3", "1", "1-0")
    playing.ok("result", "1", "1", "1-0")
    playing.ok("player", "withdraw", "Dag")

    assert playing.ok(*words)


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_before_the_draw_everything_answers_or_is_refused_in_a_sentence(
    club: Terminal, words: tuple[str, ...]
) -> None:
    done = club.run(*words)

    assert done.code in (0, 1)
    assert "internal error" not in done.err


def test_bad_input_is_one_sentence_and_records_nothing(playing: Terminal) -> None:
    before = playing.ok("log")
    for code, words in (
        ("table-no-byes", "bye grant Ada 2"),
        ("table-no-prohibitions", "prohibit Ada Ben"),
        ("table-no-colour", "draw"),
        ("table-numbers-stand", "number --lots"),
        ("table-no-exchange", "number --exchange Ada Ben"),
        ("table-full", "player add Late"),
        ("no-such-round", "pair"),
        ("schedule-stands", "pair --all"),
        ("boards-by-table", "alter swap Ada Ben"),
        ("table-no-other-boards", "correct 1 --bye Ada --why wrong"),
        ("table-no-prohibitions", "allow Ada Ben"),
        ("explain-no-brackets", "candidates 1"),
        ("explain-no-brackets", "candidates 1 --appendix-p"),
        ("explain-no-brackets", "tabellone"),
        ("explain-no-brackets", "explain 1 --slides"),
        ("regulations-locked", "change --cycles 2"),
        ("rounds-follow-players", "change --rounds 5"),
    ):
        playing.refuses(code, *words.split())
    assert playing.ok("log") == before


def test_a_table_is_shown_by_what_means_something_in_it(terminal: Terminal) -> None:
    opened = terminal.ok("new", "Twice", "--system", "round-robin", "--cycles", "2")
    told = sentence("log.tournament-opened", name="Twice", rounds=0, edition="round-robin", count=2)
    assert opened == f"{told}\n"
    terminal.ok("player", "import", terminal.write("p.csv", ROWS))
    shown = terminal.ok("show")

    for line in ("cycles           2", "exchange         yes", "table            berger"):
        assert line in shown
    assert sentence("log.numbers-undrawn") in shown
    for foreign in ("acceleration", "bye", "initial order", "editions"):
        assert foreign not in shown
    terminal.ok("change", "--cycles", "1")
    assert "exchange" not in terminal.ok("show")


def test_a_round_says_how_its_numbers_came_about(club: Terminal) -> None:
    def told(*words: str) -> str:
        club.ok("number", *words, "--why", "again", "--ack", "numbers-again")
        club.ok("pair", "1")
        explained = club.ok("explain", "1")
        club.ok("unpair", "--why", "another draw")
        return " ".join(explained.split())

    drawn = told("--lots")
    before, _, after = sentence("log.numbers-by", cause="lots", value="|").partition("|")
    seed = drawn.partition(before)[2].partition(after)[0]
    first = min((1, 2, 3, 4), key=lambda id: sha256(f"{seed}:{id}".encode()).hexdigest())
    assert f"{('Ada', 'Ben', 'Cleo', 'Dag')[first - 1]} (1)" in drawn

    another = "Dag\nAda\nBen\nCleo\n" if first != 4 else "Cleo\nAda\nBen\nDag\n"
    by_hand, by_rating = told("--file", str(club.write("order.txt", another))), told()
    order = "rating, title, name"
    assert sentence("log.numbers-by", cause="declared", value=order) in by_hand
    assert sentence("log.numbers-by", cause="initial", value=order) in by_rating


def test_numbers_of_a_swiss_that_becomes_a_round_robin_are_told(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("p.csv", "name,rating\nAda,2000\nBen,2000\n"))
    terminal.ok("number")
    terminal.ok("number", "--exchange", "Ada", "Ben", "--why", "by agreement", "--ack", "exchange")
    terminal.ok("change", "--system", "round-robin")

    assert sentence("log.numbers-by", cause="exchanged", value="") in terminal.ok("show")


def test_points_of_a_table_name_no_bye(terminal: Terminal) -> None:
    opened = terminal.ok("new", "Three", "--system", "round-robin", "--win", "3", "--draw", "1")

    assert opened.splitlines()[1] == sentence("cli.said.points", value="win 3, draw 1, loss 0, absence 0")


def test_fide_mode_warns_of_what_touches_a_table_and_asks_for_nothing_of_a_swiss(playing: Terminal) -> None:
    playing.warned("published-pairing.seen", "unpair", "--why", "another table")
    playing.refuses("results-missing-at-close", "close", "--why", "early")
    playing.ok("result", "1", "1", "1-0")
    playing.ok("correct", "1", "1", "--colours", "--why", "colours were reversed")
    playing.ok("player", "expel", "Ben", "--why", "cheating")
    said = [line for line in playing.ok("trf", "export").splitlines() if line.startswith("###")]

    assert said == [
        "### Correction @ Round 1: 1-4 => 4-1 (colours as played)",
        "### Expulsion @ Round 1: 2",
        "### Left early: 2, 0 of 3 games completed: they count for nobody (C.05:6.6)",
    ]


def test_a_number_given_twice_is_refused(club: Terminal) -> None:
    order = club.write("order.txt", "Ada\nBen\nBen\nDag\n")
    club.refuses("number-given-twice", "number", "--file", order)


def test_before_round_1_nothing_is_final_and_an_unpublished_round_does_not_go_on(club: Terminal) -> None:
    club.refuses("standings.no-round-yet", "standings", "--final")
    club.ok("number")
    club.ok("pair")
    club.ok("pair")

    assert club.ok("unpair", "2") == sentence("log.round-unpaired", round=2) + "\n"
    club.refuses("standings.rounds-to-play", "standings", "--final", round=1, rounds=3)


def test_a_schedule_of_one_player_is_refused_in_a_sentence(terminal: Terminal) -> None:
    terminal.ok("new", "Club", "--system", "round-robin")
    terminal.ok("player", "add", "Ada")

    terminal.refuses("table-too-small", "schedule", entered=1)
    terminal.refuses("table-too-small", "pair", "--all", entered=1)


def test_who_comes_back_plays_from_the_first_game_that_is_open_again(playing: Terminal) -> None:
    for board in "1", "2":
        playing.ok("result", "1", board, "1-0")
    playing.ok("result", "3", "1", "1-0")
    playing.ok("result", "3", "2", "1-0")
    playing.ok("player", "withdraw", "Ada")
    playing.ok("player", "withdraw", "Cleo")

    told = sentence("log.player-returned", {1: "Ada"}, player=1, round=2)
    assert playing.ok("player", "return", "Ada").startswith(told)


def test_the_last_number_of_three_or_four_is_met_by_few(terminal: Terminal) -> None:
    terminal.ok("new", "Club", "--system", "round-robin")
    terminal.ok("player", "import", terminal.write("p.csv", ROWS))
    terminal.ok("number")
    terminal.ok("pair", "--all")

    assert sentence(
        "berger.against-last.black", number=3, highest=4, first=3, last=3, count=1
    ) in terminal.ok("why", "2", "Cleo")
    assert sentence(
        "berger.against-last.white", number=1, highest=4, first=1, last=2, count=2
    ) in terminal.ok("why", "1", "Ada")


def test_rounds_by_hand_are_told_as_the_arbiters_and_by_no_table(terminal: Terminal) -> None:
    terminal.ok("new", "Club", "--system", "round-robin", "--table", "hand", "--tiebreaks", "DE")
    terminal.ok("player", "import", terminal.write("p.csv", ROWS))
    terminal.ok("number", "--file", terminal.write("order.txt", "Ada\nBen\nCleo\nDag\n"))
    for round, boards in enumerate(("1 2\n3 4\n", "1 3\n4 2\n", "4 1\n2 3\n"), 1):
        terminal.ok("pair", str(round), "--boards", terminal.write("b.txt", boards))
        terminal.ok("publish")
    told = sentence("pairing.by-hand")

    assert told in (why := terminal.ok("why", "2", "Ada"))
    assert told in terminal.ok("why-not", "2", "Ada", "Ben")
    assert told in (explained := terminal.ok("explain", "2"))
    assert "by the rules" not in f"{why} {explained}".casefold()
    assert "recorded:" not in terminal.ok("replay")  # as the rules prescribe, or not: there is no table
    terminal.ok("trf", "export", "-o", "hand.trf")
    assert told in terminal.ok("why", "hand.trf", "1", "--round", "2")
    assert "3 rounds, 0 discrepancies" in terminal.ok("check", "hand.trf")


def test_once_the_last_round_is_taken_back_no_other_is_said_to_continue(playing: Terminal) -> None:
    taken = playing.ok("unpair", "--why", "too early", "--ack", "published-pairing")

    assert "continues" not in taken


def test_what_results_are_worth_is_told_in_points(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "5")

    worth = "win 3, draw 1, loss 0, absence 0, bye 3"
    assert sentence("cli.said.points", value=worth) in terminal.ok("change", "--win", "3", "--draw", "1")
    assert "win 3; draw 1; loss 0; absence 0; bye 3" in terminal.ok("log")


def test_a_random_round_robin_is_one_that_can_be_held(terminal: Terminal) -> None:
    play = ("generate", "r.trf", "--system", "round-robin")

    assert "1<=x<=8" in terminal.refused(*play, "--cycles", "9", code=2)
    too_long = sentence("table-too-long", entered=200, rounds=199, most=99)
    assert too_long in terminal.refused(*play, "--players", "200", code=2)


def test_a_card_has_no_floats_and_an_explanation_a_line_for_each_board(playing: Terminal) -> None:
    assert "Float" not in playing.ok("card", "Ada")
    assert "Float" not in playing.ok("card", "Ada", "--html").split("</style>")[1]
    assert "<li>Board 2: " in playing.ok("explain", "2", "--html")


def test_reasons_of_a_table_are_data_for_programs(playing: Terminal) -> None:
    seat = loads(playing.ok("why", "2", "Ada", "--json"))["seat"]
    meetings = loads(playing.ok("why-not", "2", "Ada", "Cleo", "--json"))["meetings"]
    table = loads(playing.ok("explain", "2", "--json"))["table"]

    assert [seat[name] for name in ("round", "opponent", "colour", "line")] == [2, 2, "w", 2]
    assert meetings == {"round": 2, "player": 1, "other": 3, "rounds": [3]}
    assert (table["line"], table["turned"], table["free"]) == (2, False, 0)
    assert [(board["white"], board["black"]) for board in table["boards"]] == [(4, 3), (1, 2)]
