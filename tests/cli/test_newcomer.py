"""What a new user meets in a first tournament: hints that lead on, and names with a comma in them."""

import os
import pty
import select
from pathlib import Path

import pytest

from paircard.cli.output import line_width, print_table
from paircard.domain.messages import Message, say
from paircard.pairing.explain.speaking import Candidate, RoundSpeaker, Who
from tests.cli.session import Terminal
from tests.refusals import sentence


@pytest.fixture
def sixteen(terminal: Terminal) -> Terminal:
    """Names as federations write them; nothing is paired."""
    terminal.ok("new", "Winter Open", "--rounds", "2")
    terminal.write(
        "players.csv",
        'name,rating,birth\n"Rossi, Anna",2180,1990\n"Verdi, Paolo",2140,1970\n'
        '"Neri, Sara",1650,2010\n"Gallo, Ugo",1700,1966\nRossi,2000,\n',
    )
    terminal.ok("player", "import", "players.csv")
    terminal.ok("draw", "--colour", "white")
    return terminal


def test_names_with_a_comma_are_listed_so_that_they_can_be_told_apart(sixteen: Terminal) -> None:
    names = {1: "Rossi, Anna", 2: "Verdi, Paolo", 5: "Rossi"}
    told = sentence("log.pairing-prohibited", names, players=(1, 2), always=True)
    assert "Rossi, Anna; Verdi, Paolo" in told
    assert sixteen.ok("prohibit", "Anna", "Verdi") == f"{told}\n"
    told = sentence("log.lots-drawn", names, players=(1, 5), method="hand")
    assert "Rossi, Anna; Rossi" in told
    assert sixteen.ok("lots", "Anna", "Rossi", "--by-hand", "--why", "agreed") == f"{told}\n"


def test_before_round_1_players_of_like_names_are_told_apart_by_id_alone(sixteen: Terminal) -> None:
    anna, rossi = (say("player-with-id", name=n, id=id) for n, id in (("Rossi, Anna", "p1"), ("Rossi", "p5")))
    assert sixteen.refused("card", "ro") == sentence(
        "several-players-by-id", text="ro", candidates=2, each=(anna, rossi), count=0
    )

    sixteen.ok("player", "withdraw", "#5")
    sixteen.ok("pair")
    numbered = say("player-with-number", name="Rossi, Anna", number=1, id="p1")
    for words in (("card", "ro"), ("why", "1", "ro")):
        sixteen.refuses("several-players", *words, text="ro", candidates=2, each=(numbered, rossi))


def test_no_sentence_shows_an_id_as_if_it_were_a_pairing_number(sixteen: Terminal) -> None:
    """A late entry gets number 2, so from then on ids and numbers are not the same."""
    sixteen.ok("pair")
    sixteen.ok("publish")
    sixteen.ok("result", "1", "1", "1-0", "2", "1-0")
    sixteen.ok("player", "add", "Late, Lea", "--rating", "2170", "--why", "train")
    said = sixteen.run("swap", "Anna", "p2", "--why", "a test").err
    said += sixteen.ok("pair", "--ack", "late-entry") + sixteen.run("player", "withdraw", "Lea").out
    said += (
        sixteen.run("player", "withdraw", "Lea").err
        + sixteen.run("player", "correct", "Ugo", "--rating", "1").err
    )
    said += sixteen.ok("player", "list") + sixteen.ok("log")
    assert "#" not in said
    assert "p6" in sixteen.ok("player", "list")
    assert "Late, Lea" in sixteen.ok("card", "p6")
    assert sixteen.ok("card", "#6") == sixteen.ok("card", "p6")


def test_the_log_names_those_whom_an_accepted_warning_is_about(sixteen: Terminal) -> None:
    sixteen.ok("player", "add", "Rossi, Anna", "--ack", "same-person")
    assert "[accepted 3:same-person (Rossi, Anna (1990))]" in sixteen.ok("log")
    assert '"3:same-person #1"' in sixteen.ok("log", "--json")


def test_a_second_entry_of_a_name_without_a_birth_is_asked_about(sixteen: Terminal) -> None:
    told = sixteen.refused("player", "add", "Rossi, Anna")
    same = sentence("same-person.name", {1: "Rossi, Anna"}, player=1)
    way_out = sentence("cli.acknowledge", value="")
    assert told.startswith(sentence("cli.warning", value=same, level=3) + f"\n{way_out}")

    sixteen.warned("same-person.birth", "player", "add", "Rossi, Anna", "--birth", "1990-04-23", player=1)
    sixteen.ok("player", "add", "Rossi, Anna", "--birth", "2001")


def test_who_withdrew_before_ever_taking_part_is_on_no_sheet_and_in_no_standings_lots_or_report(
    sixteen: Terminal,
) -> None:
    """Otherwise every number of the report would be another than on the pairing sheets."""
    sixteen.ok("player", "add", "Typo")
    sixteen.ok("player", "withdraw", "#5", "--why", "entered by mistake")
    sixteen.ok("player", "withdraw", "Typo")
    sheet = sixteen.ok("pair")
    assert "not playing" not in sheet
    sixteen.ok("publish")
    sixteen.ok("result", "1", "1", "1-0", "2", "½-½")

    assert "Rossi " not in sixteen.ok("standings").replace("Rossi, Anna", "")
    assert "Typo" not in sixteen.ok("crosstable") + sixteen.ok("crosstable", "--html")
    assert sixteen.ok("standings", "--csv").count("\n") == 5
    report = sixteen.ok("trf", "export").splitlines()
    assert "062 4" in report
    sheet_numbers = {line[3:].split()[0] + line[14:47].rstrip() for line in report if line.startswith("001")}
    assert sheet_numbers == {"1Rossi, Anna", "2Verdi, Paolo", "3Gallo, Ugo", "4Neri, Sara"}
    assert "Typo" in sixteen.ok("card", "Typo"), "who asks for them by name finds them"

    sixteen.ok("pair")
    sixteen.ok("publish")
    sixteen.ok("result", "2", "1", "1-0", "2", "½-½")
    assert "Typo" not in sixteen.run("lots").out


def test_a_half_point_bye_keeps_a_place_for_whoever_withdraws_afterwards(sixteen: Terminal) -> None:
    sixteen.ok("bye", "grant", "#5", "1", "--half", "--ack", "half-bye-not-announced")
    assert sentence("cli.players.bye", letter="H", round=1) + "\n" in sixteen.ok("player", "list")
    sixteen.ok("pair")
    sixteen.ok("player", "withdraw", "#5")

    assert "withdrawn" in sixteen.ok("standings", "--round", "1")
    assert "062 5" in sixteen.ok("trf", "export")


def test_points_are_refused_in_points(terminal: Terminal) -> None:
    told = terminal.refused("new", "Open", "--rounds", "3", "--draw", "5")
    assert told == sentence("win-too-low", win=10, draw=50, loss=0)
    terminal.refuses("pab-too-high", "new", "Open", "--rounds", "3", "--pab", "1.5", points=15, theirs=10)


def test_a_usage_refusal_names_the_help_of_the_command(terminal: Terminal) -> None:
    told = terminal.refused("new", "Open", "--rounds", code=2)
    needed = "option '--rounds' requires an argument"  # click says so
    assert told == sentence("cli.ended.misused", value=needed, path="paircard new")
    told = terminal.refused("player", "add", "Ada", "--rating", code=2)
    assert told.endswith(sentence("cli.ended.misused", value="", path="paircard player add"))
    told = terminal.refused("new", "Open", "--rounds", "3", "--tiebrake", "BH", code=2)
    unknown = sentence("cli.no-such-option.near", text="--tiebrake", known=["--tiebreaks"])
    assert told == sentence("cli.ended.misused", value=unknown, path="paircard new")


def test_a_missing_file_is_refused_with_both_ways_out(terminal: Terminal) -> None:
    assert terminal.refused("list") == sentence("store.no-file", file="paircard.db")


def test_the_preview_of_a_correction_tells_all_that_is_needed_to_do_it(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "1-0")
    told = playing.ok("correct", "1", "1", "0-1", "--preview").splitlines()
    assert told[-1] == sentence("cli.what-if.to-do-it", value="--why TEXT")
    told = playing.ok("correct", "1", "1", "0-1", "--preview", "--why", "sheet").splitlines()
    assert told[-1] == sentence("cli.what-if.to-do-it", value="")


def test_no_line_of_a_list_of_commands_is_cut_short(terminal: Terminal) -> None:
    for group in ("player", "bye", "alter", "trf", "key", "log"):
        listed = terminal.ok(group, "--help").partition("Commands:")[2]
        assert listed, group
        assert "..." not in listed


def test_regulations_say_yes_not_true(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3", "--rated")
    assert "  rated            yes\n" in terminal.ok("show")
    unrated = say("log.yes-or-no", label="rated", yes=False)
    told = sentence("log.tournament-details-changed", changes=(unrated,))
    assert terminal.ok("change", "--unrated") == f"{told}\n"
    assert "  rated            no\n" in terminal.ok("show")


def test_prose_is_as_wide_as_the_terminal_and_no_wider_than_100(monkeypatch: pytest.MonkeyPatch) -> None:
    assert line_width() == 100
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as screen:
        monkeypatch.setattr("sys.stdout", screen)
        for columns, wide in (("80", 80), ("200", 100), ("10", 40)):
            monkeypatch.setenv("COLUMNS", columns)
            assert line_width() == wide
        monkeypatch.undo()
    os.close(ours)


def test_one_board_that_stays_is_one_board(terminal: Terminal, tmp_path: Path) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    names = "".join(f"P{n},{2300 - n}\n" for n in range(1, 7))
    terminal.write("players.csv", f"name,rating\n{names}")
    terminal.ok("player", "import", "players.csv")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")

    instead = Candidate(pairs=((1, 5), (4, 2)))
    told = Message("explain.contrast.round.same", {"candidate": instead, "same": 1, "count": 1})
    assert RoundSpeaker({n: Who(n, f"P{n}") for n in range(1, 7)}).say(told) in terminal.ok(
        "why-not", "1", "1", "5"
    )


def test_virtual_points_are_told_where_a_bracket_is_higher_than_the_sheet(terminal: Terminal) -> None:
    """C.04.7:1.5"""
    terminal.ok("new", "Open", "--rounds", "5", "--acceleration", "baku")
    names = "".join(f"P{n},{2300 - n}\n" for n in range(1, 13))
    terminal.write("players.csv", f"name,rating\n{names}")
    terminal.ok("player", "import", "players.csv")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", "1", *(word for board in range(1, 7) for word in (str(board), "1-0")))
    sheet = terminal.ok("pair")

    speaker = RoundSpeaker({1: Who(1, "P1")})
    note = speaker.say(Message("explain.note.accelerated", {"virtual": 10, "ranges": "1–6", "count": 6}))
    assert "P1 (1)" in sheet
    bracket = Message("explain.bracket.of.virtual", {"player": 1, "points": 20, "score": 20, "virtual": 10})
    assert speaker.say(bracket) in terminal.ok("why", "2", "1")
    for words in (("why-not", "2", "1", "12"), ("explain", "2"), ("explain", "2", "--html")):
        assert note in terminal.ok(*words)
    assert "acceleration" not in terminal.ok("why", "2", "12").partition("\n")[0]


def test_the_points_of_a_crosstable_stay_in_sight_on_a_phone(sixteen: Terminal) -> None:
    sixteen.ok("pair")
    page = sixteen.ok("crosstable", "--html")

    assert page.count('class="pts end"') == 5
    assert ".cross .end { inset-inline-end: 0; }" in page


def test_a_value_from_outside_is_called_so(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "2", "--tiebreaks", "BH,OTHER_PO")
    assert "Po, from outside" in terminal.ok("standings", "--html")

    terminal.ok("player", "add", "Ada")
    terminal.refuses(
        "tiebreak-not-announced", "playoff", "Ada", "OTHER_X", "1", name="OTHER_X", codes=("OTHER_PO",)
    )


LEFT_OUT = sentence("cli.said.columns-left-out", known=[])


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int, rows: list[tuple[object, ...]]) -> str:
    """Standings as a terminal of this width gets them."""
    headings = (">Place", "Title~2", "Name", "Fed~1", ">BH", "")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as screen:
        monkeypatch.setattr("sys.stdout", screen)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("NO_COLOR", "1")
        print_table(headings, rows, "Open: standings")
        screen.flush()
        shown = b""
        while select.select([ours], [], [], 0.5)[0]:  # a terminal hands out what it has, not all at once
            shown += os.read(ours, 100_000)
        monkeypatch.undo()
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_no_name_is_lost_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[tuple[object, ...]] = [(1, "GM", "Polgar, Judit", "HUN", "12.5", "withdrawn")]

    whole = on_a_terminal(monkeypatch, 80, rows)
    assert "HUN" in whole
    assert LEFT_OUT not in whole

    narrow = on_a_terminal(monkeypatch, 45, rows)
    assert sentence("cli.said.columns-left-out", known=["Fed"]) + "\n" in narrow
    assert "HUN" not in narrow
    assert "GM" in narrow
    assert "Polgar, Judit" in narrow

    tiny = on_a_terminal(monkeypatch, 20, rows)
    assert "Open: standings\nPlace  Name             BH\n    1  Polgar, Judit  12.5  withdrawn\n" in tiny
    assert tiny.endswith(sentence("cli.said.columns-left-out", known=["Fed", "Title"]) + "\n")


def test_a_column_with_nothing_in_it_is_left_out_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[tuple[object, ...]] = [(1, "", "Polgar, Judit", "", "12.5", "")]

    assert LEFT_OUT not in on_a_terminal(monkeypatch, 30, rows)


@pytest.mark.parametrize("words", [["show"], ["new", "Open", "--rounds", "3"], ["doctor"]])
def test_the_address_of_another_kind_of_database_is_no_file_name(
    terminal: Terminal, words: list[str]
) -> None:
    told = terminal.refused("--db", "mysql://host/chess", *words)

    assert told == sentence("store.unknown-address", kind="mysql")
    assert not list(terminal.folder.iterdir())
