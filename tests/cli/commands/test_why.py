"""``why``, ``why-not`` and ``explain`` on a real log and on report files."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from paircard.cli.main import run
from paircard.domain.values.text import columns_of
from tests.chromium import Window

CORPUS = Path(__file__).parents[2] / "corpus"
WORKED = str(CORPUS / "six-rounds-baku-2016.trf")
README = (Path(__file__).parents[3] / "docs/arbiters.md").read_text(encoding="utf-8")


class Desk:
    """Runs commands in a folder, in this process."""

    def __init__(self, captured: pytest.CaptureFixture[str]) -> None:
        self.captured = captured

    def ok(self, *words: str) -> str:
        code = run(words)
        told = self.captured.readouterr()
        assert (code, told.err) == (0, ""), (words, told)
        return told.out

    def refused(self, *words: str) -> str:
        code = run(words)
        told = self.captured.readouterr()
        assert code in (1, 2), told
        assert told.out == ""
        assert told.err.count("\n") == 1
        return told.err.removeprefix("paircard: ")


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("worked") / "worked.db"
    words = ["trf", "import", WORKED, "--edition", "dutch-2017", "--db", str(file), "--as", "Anna Arbiter"]
    assert run(words) == 0
    return file


@pytest.fixture
def desk(
    tmp_path: Path, imported: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    """The worked example, six rounds played."""
    shutil.copy(imported, tmp_path / "paircard.db")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    monkeypatch.delenv("PAIRCARD_DB", raising=False)
    capsys.readouterr()
    return Desk(capsys)


@pytest.fixture
def club(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Five players, round 1 published with Dag absent and Eve withdrawn; Fay enters after it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    monkeypatch.delenv("PAIRCARD_DB", raising=False)
    desk = Desk(capsys)
    (tmp_path / "players.csv").write_text("name,rating\nAda,2100\nBen,2000\nCleo,1900\nDag,1800\nEve,1700\n")
    desk.ok("new", "Club Open", "--rounds", "3")
    desk.ok("player", "import", "players.csv")
    desk.ok("draw", "--colour", "white")
    desk.ok("bye", "grant", "Dag", "1", "--half", "--ack", "half-bye-not-announced")
    desk.ok("player", "withdraw", "Eve")
    return desk


# --- reading the answers


def test_a_player_learns_why_the_opponent_and_why_black(desk: Desk) -> None:
    told = desk.ok("why", "4", "Luisa")

    assert told.startswith(
        "Luisa has 1 point.\n"
        "Kevin has ½ point: Luisa was left over among those on 1 point and came down.\n"
        "Luisa has Black, after one more game with White than with Black.\n\n"
        "The best other choice was to send Roberto down instead of Luisa. Then 1 player in the group of 1\n"
        "point instead of none would go down again, as two rounds ago.\n\n"
    )
    assert "  Luisa (9) has Black against Kevin (8) in round 4, on board 6.\n" in told
    assert "  Worse by C.14, minimise the number of players who get the same downfloat as two" in told
    assert "  Kevin (8) has White by E.1: both colour preferences are granted.\n" in told
    assert "  B W B  Kevin (8)\n  W B W  Luisa (9)\n" in told
    assert told.endswith("(FIDE (Dutch) System C.04.3, edition 2017 (Baku 2016 text).)\n")
    assert max(map(len, told.splitlines())) <= 100


def test_histories_are_aligned_from_the_latest_game(desk: Desk) -> None:
    told = desk.ok("why", "5", "Oscar")

    assert "  = B W B  Roberto (14)\n  = B W B  Oscar (12)\n" in told
    assert "They differ first in the games 3 back." in desk.ok("why", "5", "8")


def test_the_whole_way_down_is_told_and_who_would_have_been_left(desk: Desk) -> None:
    plain, his = (" ".join(each.split()) for each in desk.ok("why", "5", "Roberto").split("\n\n")[:2])
    theirs = " ".join(desk.ok("why", "5", "Oscar").split("\n\n")[1].split())

    assert plain == (
        "Roberto has 1½ points. Oscar has ½ point: Roberto was left over among those on 1½ points and came "
        "down. Roberto has White: their colours so far do not decide, and Roberto ranks higher."
    )
    assert his == (
        "Roberto has 1½ points and Oscar ½ point: Roberto was not paired among the players on 1½ points and "
        "went down. The best other choice was to send Marco down instead of Roberto. Then 1 player in the "
        "group of 1½ points instead of none would get the wrong colour. Roberto was not paired among the "
        "players on 1 point either. The other choice was to pair Roberto among the players on 1 point. Then "
        "Oscar would have nobody left to play. Both should have White and had the same colours so far: "
        "Roberto ranks higher and gets it."
    )
    assert theirs == (
        "Oscar has ½ point and Roberto 1½ points: Roberto was not paired among the players on 1 point and "
        "went down. The other choice was to pair Roberto among the players on 1 point. Then Oscar would have "
        "nobody left to play. Both should have White and had the same colours so far: Roberto ranks higher "
        "and gets it."
    )


def test_two_of_one_name_keep_their_numbers(club: Desk) -> None:
    club.ok("player", "correct", "Ben", "--name", "Ada", "--ack", "same-person")
    club.ok("pair", "1")

    assert club.ok("why", "1", "1").startswith("Ada (1) has 0 points.\nAda (2) has 0 points as well")


def test_two_players_learn_what_would_get_worse_and_see_the_best_round_with_them(desk: Desk) -> None:
    told = desk.ok("why-not", "4", "Luisa", "Roberto")

    short, _, detail = told.partition("\n\n")
    assert " ".join(short.split()) == (
        "Luisa and Roberto both have 1 point and might have met. "
        "Then 1 player in the group of 1 point instead of none would get the wrong colour."
    )
    assert detail.startswith("  Worse by C.10, minimise the number of players who do not get their colour")
    assert "  In the bracket of 1 point, chosen: 10–14, ↓ 9.\n" in told
    assert "  Best alternative: 9–14, ↓ 10.\n" in told
    assert "  That round, White first: 14–9, 10–12, 13–8; 4 boards as they are.\n" in told


def test_different_points_are_named_first(desk: Desk) -> None:
    told = " ".join(desk.ok("why-not", "5", "Roberto", "Kevin").split())

    assert told.startswith(
        "Roberto has 1½ points and Kevin 1 point: they might have met. Then 2 players instead of none would "
        "have to leave the group of 2 points and go down: Carla and Giorgia. If the pairs of the players on "
        "2 points stayed, Patrizia would have nobody left to play. Worse by C.5"
    )


def test_who_stays_among_the_same_points_is_told_so_only_where_that_decides(desk: Desk) -> None:
    told = " ".join(desk.ok("why-not", "4", "Luisa", "Patrizia").split())
    assert "but players stay among others on the same points" not in told
    told = " ".join(desk.ok("why-not", "2", "Alice", "Nancy").split())
    assert "but players stay among others on the same points as long as that works out. Then 2" in told


def test_equal_candidates_are_both_shown_with_the_article_of_their_order(desk: Desk) -> None:
    told = desk.ok("why-not", "2", "1", "2")

    assert "That would be just as good by every rule" in " ".join(told.split())
    assert "  The alternative takes a later exchange between S1 and S2 (D.2).\n" in told
    assert "  Of equal candidates the one generated first is chosen (B.8).\n" in told
    assert "chosen: 1–5, 2–7, 3–6.\n" in told
    assert "  Best alternative: 1–2, 3–6, 5–7.\n" in told


def test_who_met_before_is_told_when(desk: Desk) -> None:
    assert desk.ok("why-not", "6", "Alice", "Bruno").startswith(
        "Alice and Bruno have already played each other, in round 5.\n\n  The rule: C.1, two players"
    )
    assert desk.ok("why-not", "6", "Bruno", "Davide").startswith("Bruno and Davide do meet.\n")


def test_the_bye_is_asked_for_by_its_name(desk: Desk) -> None:
    assert desk.ok("why-not", "2", "Roberto", "bye").startswith("Roberto has the bye.\n")
    assert desk.ok("why-not", "2", "13", "bye").startswith("Patrizia, who has 0 points, might have had")
    assert desk.ok("why-not", "4", "13", "bye").startswith("The number of players is even: nobody gets a bye")
    assert desk.ok("why", "2", "Roberto").startswith(
        "Roberto has 0 points.\nThe number of players is odd, and Roberto has the bye.\nNobody has fewer"
    )


def test_programs_get_the_same_as_data(desk: Desk) -> None:
    data = json.loads(desk.ok("why", "4", "Luisa", "--json"))
    numbers = {one["id"]: one["number"] for one in data["people"]}
    assert numbers[data["why"]["opponent"]] == 8
    assert data["why"]["floats"][0]["contrast"]["criterion"] == "C.14"
    short = data["answer"]["short"]
    assert [line["key"] for line in short] == ["pair.down", "alternative.down", "then.C16", "colour.both"]
    assert short[0]["fields"]["points"] == {"kind": "points", "tenths": 10}
    assert data["text"][: len(short)] == [line["text"] for line in short]

    data = json.loads(desk.ok("why-not", "4", "9", "14", "--json"))["why_not"]
    assert (data["criterion"], data["real_value"], data["other_value"]) == ("C.10", 0, 1)
    assert len(data["boards"]) == 7

    data = json.loads(desk.ok("explain", "5", "--json"))
    assert [bracket["candidate"]["role"] for bracket in data["story"]["brackets"][-2:]] == ["PPB", "CLB"]


def test_a_round_is_explained_bracket_by_bracket(desk: Desk) -> None:
    told = desk.ok("explain", "5")

    assert "Round 5 of 6: 7 boards\n" in told
    assert ("Bracket of 2½ points: [5W↓] [4b↑ 6B-↓ 11Bb↑↓]\n  M0 1, M1 1, MaxPairs 2, x 1, z 0.\n") in told
    assert "Paired for itself (14–8, ↓ 13), it would leave a rest that cannot be paired" in told
    assert "  The others can be paired, for instance 3–7, 9–10, 14–12, 8–13.\n" in told
    assert "  Board 7: Patrizia (13) – Kevin (8) (E.3)\n" in told
    assert desk.ok("explain") == desk.ok("explain", "6")


def test_a_report_file_is_explained_like_the_log(desk: Desk) -> None:
    of_file = ("--round", "5", "--edition", "dutch-2017")
    assert desk.ok("explain", WORKED, *of_file) == desk.ok("explain", "5")
    assert desk.ok("why", WORKED, "Oscar", *of_file) == desk.ok("why", "5", "Oscar")
    assert desk.ok("why-not", WORKED, "1", "2", *of_file) == desk.ok("why-not", "5", "1", "2")
    assert "edition 2026" in desk.ok("explain", WORKED, "--round", "4")


# --- who was not there, and rounds that are not the engine's


def test_who_was_not_to_be_paired_gets_an_answer(club: Desk) -> None:
    club.ok("pair", "1")
    club.ok("publish", "1")
    club.ok("player", "add", "Fay", "--rating", "1600", "--why", "train")

    assert club.ok("why", "1", "Dag").startswith("Dag is not paired in round 1: a half-point bye.\n")
    assert club.ok("why", "1", "Eve").startswith("Eve is not paired in round 1: withdrawn.\n")
    assert club.ok("why-not", "1", "Ada", "Dag").startswith("Dag is not paired in round 1: a half-point bye")
    assert club.ok("why", "1", "Fay").startswith("Fay entered after round 1 was paired.\n")
    assert club.ok("why", "1", "Cleo").startswith(
        "Cleo has 0 points.\nThe number of players is odd, and Cleo"
    )
    told = club.ok("explain", "1")
    assert (
        "Dag is not paired in round 1: a half-point bye.\nEve is not paired in round 1: withdrawn.\n" in told
    )


def test_a_round_altered_by_hand_is_said_to_be_so(club: Desk, tmp_path: Path) -> None:
    club.ok("pair", "1")
    (tmp_path / "boards.txt").write_text("3 1\n2 0\n")
    club.ok("alter", "begin", "1")
    club.ok("alter", "end", "1", "--boards", "boards.txt", "--why", "they agreed", "--ack", "manual-pairing")

    told = club.ok("why", "1", "Ada")
    assert told.startswith(
        "Round 1 was altered by hand by Anna Arbiter: they agreed.\n"
        "Ada (1) has Black against Cleo (3). By the rules it would be:\n"
        "Ada has 0 points.\nBen has 0 points as well: the two are in one group.\n"
    )
    assert "Ada (1) and Cleo (3) do meet. By the rules they would not:\n" in club.ok(
        "why-not", "1", "Ada", "Cleo"
    )
    assert "1 board is not those of the rules" not in told
    assert "2 boards are not those of the rules" in club.ok("explain", "1")
    assert "2 boards are not those of the rules" in club.ok("explain", "1", "--html")


def test_colours_exchanged_by_hand_are_noticed(club: Desk, tmp_path: Path) -> None:
    club.ok("pair", "1")
    (tmp_path / "boards.txt").write_text("2 1\n3 0\n")
    club.ok("alter", "begin", "1")
    club.ok("alter", "end", "1", "--boards", "boards.txt", "--why", "lot", "--ack", "manual-pairing")

    told = club.ok("why", "1", "Ben")
    assert "Ben (2) has White against Ada (1). By the rules it would be:\n" in told
    assert "  Ben (2) has Black against Ada (1) in round 1, on board 1.\n" in told
    assert "By the rules" not in club.ok("why", "1", "Cleo")


def test_a_forfeited_board_without_colours_in_a_report_is_no_difference(desk: Desk, tmp_path: Path) -> None:
    text = Path(WORKED).read_text().replace("11 b +", "11 - +").replace("6 w -", "6 - -")
    assert text.count(" - +") == 1
    (tmp_path / "bare.trf").write_text(text)
    told = desk.ok("explain", "bare.trf", "--round", "3", "--edition", "dutch-2017")
    assert "not those of the rules" not in told


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("why", "7", "1"), "round 7 is not paired: rounds 1 to 6 are"),
        (("why-not", "7", "1", "2"), "round 7 is not paired"),
        (("explain", "0"), "round 0 is not paired"),
        (("why", "4", "Zoe"), "no player is called 'Zoe'"),
        (("why", "4", "15"), "no player has the pairing number 15: they are 1 to 14"),
        (("why", "4", "#99"), "there is no player p99"),
        (("why", "4", "ar"), "'ar' may be "),
        (("why", "4", ""), "a player is named by number, id or name"),
        (("why-not", "4", "Alice", "1"), "a player cannot meet themself: name two players"),
        (("why-not", "4", "bye", "bye"), "a player cannot meet themself: name two players"),
        (("why", "nothing.trf", "1"), "'nothing.trf' is neither the number of a round nor a report file"),
        (("explain", "4", "--round", "3"), "--round and --edition go with a report file"),
        (("explain", WORKED, "--round", "9"), "round 9 cannot be explained: rounds 1 to 6 are paired"),
        (("why", "4"), "missing argument 'PLAYER'"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line(
    desk: Desk, words: tuple[str, ...], refusal: str
) -> None:
    assert refusal in desk.refused(*words)


def test_a_file_that_is_no_report_is_refused_with_its_name(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "noise.trf").write_bytes(bytes(range(256)))
    assert desk.refused("explain", "noise.trf").startswith("noise.trf: ")


# --- the page


class Outline(HTMLParser):
    """What a page is made of; fails on tags that do not close."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def classed(self, name: str) -> int:
        return sum(name in (attrs.get("class") or "").split() for _, attrs in self.tags)


@pytest.mark.parametrize("round", [2, 4, 5, 6])
def test_the_page_has_every_bracket_board_float_and_value(desk: Desk, round: int) -> None:
    page = desk.ok("explain", str(round), "--html")
    story = json.loads(desk.ok("explain", str(round), "--json"))["story"]
    outline = Outline(page)

    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in outline.tags}
    assert not re.search(r"https?:|url\(|@import", page)
    assert outline.classed("bracket") == len(story["brackets"])
    boards = sorted(map(int, re.findall(r'class="at">(\d+)</th>', page)))
    assert boards == list(range(1, len(story["boards"]) + 1))
    assert outline.classed("floats") == sum(len(b["candidate"]["downfloaters"]) for b in story["brackets"])
    assert outline.classed("failed") + outline.classed("least") == sum(
        value not in (0, [], [0]) for b in story["brackets"] for value in b["candidate"]["values"].values()
    )
    perfect = sum(bracket["numbers"]["perfect"] for bracket in story["brackets"])
    assert page.count("Perfect: no criterion could be met better") == perfect
    for name in ("Alice", "Luisa", "Roberto"):
        assert name in page


def test_the_last_round_names_its_topscorers_in_every_form(desk: Desk) -> None:
    """The document says it in words before round 6."""
    said = "Last round: topscorers are 2 5 1 4 6 7 (more than half of 5 points, A.7)."
    text, page = desk.ok("explain", "6"), desk.ok("explain", "6", "--html")
    data = json.loads(desk.ok("explain", "6", "--json"))

    assert said in text
    assert "[2*" in text
    assert "* behind a number: a topscorer." in text
    assert said in page
    assert "<b>2*</b>" in page
    assert said in data["text"]
    tops = [one["player"] for one in data["story"]["last_round"]["players"] if one["topscorer"]]
    assert tops == [seat["id"] for seat in data["story"]["players"] if seat["topscorer"]]
    assert "opscorer" not in desk.ok("explain", "5")
    assert "a topscorer in the last round (A.7)" in desk.ok("why", "6", "2")
    assert "topscorer" in desk.ok("why", "6", "2", "--html")
    assert "Last round: topscorers here are" in " ".join(desk.ok("candidates", "6", "1").split())


def test_names_cannot_break_the_page(club: Desk) -> None:
    club.ok("player", "correct", "Ada", "--name", '<b>"Ada" & Co')
    club.ok("pair", "1")
    page = club.ok("explain", "1", "--html")
    assert '<b>"' not in page
    assert "&lt;b&gt;&#34;Ada&#34; &amp; Co" in page
    Outline(page)


@pytest.mark.parametrize(("width", "columns"), [(1100, 2), (360, 1)])
def test_the_page_fits_the_screen_and_boards_stand_as_they_should(
    desk: Desk, window: Window, width: int, columns: int
) -> None:
    page = desk.ok("explain", "6", "--html")
    seen = window.measure(page, width)

    assert seen["scrollWidth"] <= width, "the page is wider than the screen"
    assert seen["brackets"] == 7
    assert seen["overflowing"] == [], "something sticks out of its bracket"
    assert seen["columns"] == columns, "White and Black side by side, or one above the other on a phone"
    assert seen["black"] == "rgb(53, 49, 43)", "the style is not applied"
    assert seen["height"] > 1200


def test_the_page_prints_on_two_or_three_sheets_of_a4(desk: Desk, window: Window) -> None:
    assert window.sheets(desk.ok("explain", "4", "--html")) in (2, 3)
    assert window.sheets(desk.ok("explain", "6", "--html")) in (2, 3)


def test_the_screenshot_is_a_page_and_not_an_empty_sheet(desk: Desk, window: Window) -> None:
    empty = window.screenshot("<!DOCTYPE html><title>x</title>")
    whole = window.screenshot(desk.ok("explain", "4", "--html"))
    assert len(whole) > 10 * len(empty)


# --- the guide


def test_the_readme_shows_what_why_prints(desk: Desk) -> None:
    section = README.partition("## Why")[2].partition("\n## ")[0]
    [session] = re.findall(r"^```text\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)
    parts = re.split(r"^\$ paircard (.*)$", session, flags=re.MULTILINE)[1:]
    assert len(parts) == 4
    for words, told in zip(parts[::2], parts[1::2], strict=True):
        assert desk.ok(*words.split()).strip("\n") == told.strip("\n")


NO_COLOUR = """012 No colour drawn
XXR 3
001    1      Ada                               2100                             0.0    1
001    2      Ben                               2000                             0.0    2
"""


@pytest.mark.parametrize("words", [("explain",), ("why", "1"), ("why-not", "1", "2")])
def test_a_report_without_a_drawn_colour_is_refused_and_says_what_to_add(
    desk: Desk, tmp_path: Path, words: tuple[str, ...]
) -> None:
    file = tmp_path / "drawn-later.trf"
    file.write_text(NO_COLOUR)

    refusal = desk.refused(words[0], str(file), *words[1:])
    assert refusal.startswith(f"{file}: the initial colour is not known, so round 1 cannot be paired")
    assert "152 W or 152 B" in refusal


# --- names of any script and length

SCRIPTS = {
    "Alice": "علي حسن",
    "Bruno": "יעל לוי",
    "Carla": "陳大文",
    "Davide": "สมชาย ใจดี",
    "Elisa": "Wolfeschlegelsteinhausenbergerdorff " * 2 + "Senior Dr. rer. nat.",
}


@pytest.fixture
def mixed(desk: Desk) -> Desk:
    """The worked example with names from right to left, wide ones, and a very long one."""
    for name, other in SCRIPTS.items():
        desk.ok("player", "correct", name, "--name", other, "--why", "as in the passport")
    return desk


def test_names_of_any_script_leave_sentences_and_columns_in_order(mixed: Desk) -> None:
    told = mixed.ok("why", "3", "4")
    assert "\u2068" not in told, "only names from right to left are isolated"
    assert "  W B  陳大文 (3)\n  B W  สมชาย ใจดี (4)\n" in told
    assert f"\u2068{SCRIPTS['Alice']}\u2069 (1)" in mixed.ok("why", "5", "1")
    whole = mixed.ok("explain", "5")
    one, two = f"\u2068{SCRIPTS['Bruno']}\u2069 (2)", f"\u2068{SCRIPTS['Alice']}\u2069 (1)"
    assert f"  Board 1: {one} – {two} (E.1)\n" in whole
    table = mixed.ok("tabellone", "6").splitlines()
    rows = [re.split(r"([=WB]{5})", row) for row in table[2:-2]]
    starts = {columns_of(before) for before, _, _ in rows}
    assert len(starts) == 1, "colours stand under each other"


@pytest.mark.parametrize("width", [1100, 360])
def test_names_of_any_script_fit_the_page(mixed: Desk, window: Window, width: int) -> None:
    for round in (3, 6):
        page = mixed.ok("explain", str(round), "--html")
        seen = window.measure(page, width)
        assert seen["scrollWidth"] <= width
        assert seen["overflowing"] == []
        assert f"<bdi>{SCRIPTS['Alice']}</bdi>" in page


def test_without_a_round_the_last_one_is_meant(desk: Desk) -> None:
    assert desk.ok("why", "Luisa") == desk.ok("why", "6", "Luisa")
    assert desk.ok("why-not", "Luisa", "Roberto") == desk.ok("why-not", "6", "Luisa", "Roberto")
    assert "missing argument 'PLAYER'" in desk.refused("why")
    assert "missing argument 'PLAYER'" in desk.refused("why-not", "Luisa")
    assert "unexpected 'Rossi': a name of several words goes in quotes" in desk.refused(
        "why", "4", "Luisa", "Rossi"
    )


# --- for those who teach and learn


def test_candidates_tell_active_criteria_illegal_ones_and_failures_by_pair(desk: Desk) -> None:
    """The sieve of round 5 as the slides have it: two illegal candidates, then C.10 and C.13."""
    told = desk.ok("candidates", "5", "3", "--appendix-p", "--illegal", "--by-pair")

    assert "  Appendix P: NP 4, M0 1, Res 3, CMP 2, Fls 0, CM1 1, wS 1, bS 3, WS 1, BS 2.\n" in told
    assert "  Active, with their minima: C.6 none; C.11 0; C.13 0.\n" in told
    assert re.search(r" 1     5–4, 6–11 +– +illegal: 5–4 \(C.1, round 4\)\n", told)
    assert re.search(r" 2     5–6, 4–11 +– +illegal: 4–11 \(C.1, round 1\)\n", told)
    assert re.search(r" 3  \*  5–11, 4–6 +4–6 \(C.10\) and 11 \(C.13\) +chosen\n", told)
    plain = desk.ok("candidates", "5", "3")
    assert "illegal" not in plain
    assert "Appendix" not in plain


def test_a_round_is_told_as_a_lesson_in_both_languages(desk: Desk) -> None:
    told, italian = (
        desk.ok("explain", "4", "--slides"),
        desk.ok("explain", "4", "--slides", "--language", "it"),
    )

    assert told.startswith("Round 4: score groups\n  2½ points: 2B 5Bb 6b↓.\n")
    assert "  2–5, ↓ 6: not legal, 2–5 (C.1, round 3).\n" in told
    assert "  9–10, ↓ 14: legal, but not the best; the champion for now. Failures: 14 (C.14).\n" in told
    assert "  10–14, ↓ 9: perfect, and accepted. Failures that cannot be avoided: none.\n" in told
    assert "  White first: 6–2, 4–5, 1–3, 11–7, 10–14, 8–9, 13–12.\n" in told
    assert "Gruppo di 1 punto\n" in italian
    assert "  10–14, ↓ 9: perfetto, e accettato. Fallimenti inevitabili: nessuno.\n" in italian
    assert told.count("\n") == italian.count("\n") or len(told.split("\n\n")) == len(italian.split("\n\n"))
    data = json.loads(desk.ok("explain", "4", "--slides", "--json"))
    assert [slide["title"] for slide in data["slides"]][-1] == "Round 4: boards"
