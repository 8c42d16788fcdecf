"""``why``, ``why-not`` and ``explain`` on a real log and on report files."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from textwrap import fill
from typing import Any

import pytest

from paircard.cli.main import run
from paircard.domain.messages import Message, say
from paircard.domain.values.text import columns_of
from paircard.pairing.explain.speaking import (
    Bars,
    Candidate,
    Counted,
    Group,
    Measured,
    RoundPageSpeaker,
    RoundSpeaker,
    Values,
    Who,
)
from tests.chromium import Window
from tests.refusals import sentence

CORPUS = Path(__file__).parents[2] / "corpus"
WORKED = str(CORPUS / "six-rounds-baku-2016.trf")
README = (Path(__file__).parents[3] / "docs/arbiters.md").read_text(encoding="utf-8")


class Said:
    """What is said of a round of these players, by code and fields; ids are pairing numbers."""

    def __init__(self, *names: str) -> None:
        self.people = {number: Who(number, name) for number, name in enumerate(names, 1)}

    def plain(self, code: str, /, **fields: Any) -> str:
        """To a player: names stand alone where nobody else has them."""
        return RoundSpeaker(self.people, numbers=False).say(Message(f"explain.{code}", fields))

    def full(self, code: str, /, **fields: Any) -> str:
        """To the arbiter: names with pairing numbers."""
        return RoundSpeaker(self.people).say(Message(f"explain.{code}", fields))

    def then(self, criterion: str, score: int, otherwise: int, **fields: Any) -> str:
        """What would get worse in the group of a score, of which there is nothing now."""
        amounts = {"real": Counted(0), "otherwise": Counted(otherwise), "count": otherwise}
        return self.plain(f"then.{criterion}", group=Group(score), **amounts, **fields)

    def worse(self, criterion: str, otherwise: int) -> str:
        """The rule for it, with the values."""
        real, other = Measured(criterion, 0), Measured(criterion, otherwise)
        return self.full("contrast.worse", criterion=criterion, meaning=criterion, real=real, otherwise=other)


EXAMPLE = Said(
    "Alice", "Bruno", "Carla", "Davide", "Elisa", "Francesco", "Giorgia",
    "Kevin", "Luisa", "Marco", "Nancy", "Oscar", "Patrizia", "Roberto",
)  # fmt: skip
CLUB = Said("Ada", "Ben", "Cleo", "Dag", "Eve", "Fay")


def lines(*told: str, indent: str = "") -> str:
    """Sentences as the terminal prints them, each on a line of its own; a long one goes on deeper."""
    return "".join(
        fill(indent + one, 100, subsequent_indent=f"{indent}  ", break_on_hyphens=False) + "\n"
        for one in told
    )


def paragraph(*told: str) -> str:
    """Sentences as the terminal prints them in one piece."""
    return fill(" ".join(told), 100, break_on_hyphens=False) + "\n"


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

    def keys(self, *words: str) -> dict[str, list[str]]:
        """The codes of an answer, part by part."""
        answer = json.loads(self.ok(*words, "--json"))["answer"]
        return {part: [line["key"] for line in answer[part]] for part in answer}


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
        lines(
            EXAMPLE.plain("plain.have", player=9, points=10),
            EXAMPLE.plain("plain.down", player=9, opponent=8, theirs=5, left=10),
            EXAMPLE.plain("plain.colour.one", player=9, colour="b", opposite="w"),
        )
        + "\n"
        + paragraph(EXAMPLE.plain("alternative.down", player=9, replacement=14), EXAMPLE.then("C16", 10, 1))
        + "\n"
    )
    for detail in (
        EXAMPLE.full("board.black", player=9, opponent=8, round=4, board=6),
        EXAMPLE.worse("C.14", 1),
        EXAMPLE.full("colours.rule", player=8, article="E.1", meaning="E.1"),
    ):
        assert lines(detail, indent="  ") in told
    assert "  B W B  Kevin (8)\n  W B W  Luisa (9)\n" in told
    assert told.endswith(f"({sentence('explain.edition.dutch-2017')}.)\n")
    assert max(map(len, told.splitlines())) <= 100


def test_histories_are_aligned_from_the_latest_game(desk: Desk) -> None:
    told = desk.ok("why", "5", "Oscar")

    assert "  = B W B  Roberto (14)\n  = B W B  Oscar (12)\n" in told
    differed = EXAMPLE.full("colours.differed", ago=3, count=3)
    assert lines(differed, indent="  ") in desk.ok("why", "5", "8")


def test_the_whole_way_down_is_told_and_who_would_have_been_left(desk: Desk) -> None:
    plain, his = desk.ok("why", "5", "Roberto").split("\n\n")[:2]
    theirs = desk.ok("why", "5", "Oscar").split("\n\n")[1]
    at_last = (
        EXAMPLE.plain("alternative.stay", player=14, points=10),
        EXAMPLE.plain("cause.nobody", player=12),
        EXAMPLE.plain("colour.rank", winner=14, colour="w"),
    )

    assert f"{plain}\n" == lines(
        EXAMPLE.plain("plain.have", player=14, points=15),
        EXAMPLE.plain("plain.down", player=14, opponent=12, theirs=5, left=15),
        EXAMPLE.plain("plain.colour.rank", player=14, colour="w", winner=14),
    )
    assert f"{his}\n" == paragraph(
        EXAMPLE.plain("pair.down", player=14, opponent=12, points=15, theirs=5, left=15),
        EXAMPLE.plain("alternative.down", player=14, replacement=10),
        EXAMPLE.then("C12", 15, 1),
        EXAMPLE.plain("pair.further", player=14, left=10),
        *at_last,
    )
    assert f"{theirs}\n" == paragraph(
        EXAMPLE.plain("pair.up", player=12, opponent=14, points=5, theirs=15, left=10), *at_last
    )


def test_two_of_one_name_keep_their_numbers(club: Desk) -> None:
    club.ok("player", "correct", "Ben", "--name", "Ada", "--ack", "same-person")
    club.ok("pair", "1")

    said = Said("Ada", "Ada")
    assert said.plain("plain.have", player=1, points=0).startswith("Ada (1) ")
    assert club.ok("why", "1", "1").startswith(
        lines(said.plain("plain.have", player=1, points=0), said.plain("plain.same", opponent=2, points=0))
    )


def test_two_players_learn_what_would_get_worse_and_see_the_best_round_with_them(desk: Desk) -> None:
    told = desk.ok("why-not", "4", "Luisa", "Roberto")

    short, _, detail = told.partition("\n\n")
    assert f"{short}\n" == paragraph(
        EXAMPLE.plain("asked.same", a=9, b=14, points=10), EXAMPLE.then("C12", 10, 1)
    )
    chosen, best = Candidate(((10, 14),), (9,)), Candidate(((9, 14),), (10,))
    whole = Candidate(((14, 9), (10, 12), (13, 8)))
    assert detail.startswith(lines(EXAMPLE.worse("C.10", 1), indent="  "))
    for each in (
        EXAMPLE.full("contrast.chosen", score=10, candidate=chosen),
        EXAMPLE.full("contrast.best", candidate=best),
        EXAMPLE.full("contrast.round.same", candidate=whole, same=4, count=4),
    ):
        assert lines(each, indent="  ") in told


def test_different_points_are_named_first(desk: Desk) -> None:
    told = desk.ok("why-not", "5", "Roberto", "Kevin")

    assert told.startswith(
        paragraph(
            EXAMPLE.plain("asked.differ", a=14, b=8, points=15, theirs=10),
            EXAMPLE.then("C6", 20, 2, people=(3, 7)),
            EXAMPLE.plain("cause.stands.nobody", points=20, player=13),
        )
        + "\n"
        + lines(EXAMPLE.worse("C.5", 2), indent="  ")
    )


def test_who_stays_among_the_same_points_is_told_so_only_where_that_decides(desk: Desk) -> None:
    assert desk.keys("why-not", "4", "Luisa", "Patrizia")["more"] == ["forbidden.C1"]
    assert desk.ok("why-not", "2", "Alice", "Nancy").startswith(
        paragraph(
            EXAMPLE.plain("asked.differ.stay", a=1, b=11, points=10, theirs=5),
            EXAMPLE.then("C6", 10, 2, people=(1, 7)),
        )
    )


def test_equal_candidates_are_both_shown_with_the_article_of_their_order(desk: Desk) -> None:
    told = desk.ok("why-not", "2", "1", "2")

    assert told.startswith(
        paragraph(
            EXAMPLE.plain("asked.same", a=1, b=2, points=10),
            EXAMPLE.plain("then.later", group=Group(10)),
        )
    )
    chosen, best = Candidate(((1, 5), (2, 7), (3, 6))), Candidate(((1, 2), (3, 6), (5, 7)))
    for each in (
        EXAMPLE.full("later.step.exchange", article="D.2"),
        EXAMPLE.full("later.first", article="B.8"),
        EXAMPLE.full("contrast.chosen", score=10, candidate=chosen),
        EXAMPLE.full("contrast.best", candidate=best),
    ):
        assert lines(each, indent="  ") in told


def test_who_met_before_is_told_when(desk: Desk) -> None:
    assert desk.ok("why-not", "6", "Alice", "Bruno").startswith(
        lines(EXAMPLE.plain("forbidden.C1", a=1, b=2, round=5))
        + "\n"
        + lines(EXAMPLE.full("contrast.rule", criterion="C.1", meaning="C.1"), indent="  ")
    )
    do_meet = EXAMPLE.plain("real.pair", a=2, b=4)
    assert desk.ok("why-not", "6", "Bruno", "Davide").startswith(lines(do_meet))


def test_the_bye_is_asked_for_by_its_name(desk: Desk) -> None:
    plain = EXAMPLE.plain
    assert desk.ok("why-not", "2", "Roberto", "bye").startswith(lines(plain("real.bye", player=14)))
    assert desk.ok("why-not", "2", "13", "bye").startswith(
        paragraph(plain("asked.bye", player=13, points=0), EXAMPLE.then("C12", 0, 1))
    )
    assert desk.ok("why-not", "4", "13", "bye").startswith(lines(plain("forbidden.even")))
    assert desk.ok("why", "2", "Roberto").startswith(
        lines(
            plain("plain.have", player=14, points=0),
            plain("plain.bye", player=14),
            plain("plain.bye.lowest", player=14),
        )
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

    full = EXAMPLE.full
    title, numbers = full("bracket.title", score=25), "M0 1, M1 1, MaxPairs 2, x 1, z 0"
    rest = Candidate(((3, 7), (9, 10), (14, 12), (8, 13)))
    assert lines(full("round.title", round=5, rounds=6, count=7)) in told
    assert (
        f"{title}: [5W↓] [4b↑ 6B-↓ 11Bb↑↓]\n" + lines(full("bracket.numbers", symbols=numbers), indent="  ")
    ) in told
    for each in (
        full("bracket.collapsed", candidate=Candidate(((14, 8),), (13,))),
        full("bracket.rest", candidate=rest),
        full("board", board=7, white=13, black=8, article="E.3"),
    ):
        assert lines(each, indent="  ") in told
    assert desk.ok("explain") == desk.ok("explain", "6")


def test_a_report_file_is_explained_like_the_log(desk: Desk) -> None:
    of_file = ("--round", "5", "--edition", "dutch-2017")
    assert desk.ok("explain", WORKED, *of_file) == desk.ok("explain", "5")
    assert desk.ok("why", WORKED, "Oscar", *of_file) == desk.ok("why", "5", "Oscar")
    assert desk.ok("why-not", WORKED, "1", "2", *of_file) == desk.ok("why-not", "5", "1", "2")
    assert sentence("explain.edition.dutch-2026") in desk.ok("explain", WORKED, "--round", "4")


# --- who was not there, and rounds that are not the engine's


def test_who_was_not_to_be_paired_gets_an_answer(club: Desk) -> None:
    club.ok("pair", "1")
    club.ok("publish", "1")
    club.ok("player", "add", "Fay", "--rating", "1600", "--why", "train")

    plain = CLUB.plain
    half = lines(plain("absent.H", player=4, round=1))
    gone = lines(plain("absent.withdrawn", player=5, round=1))
    assert club.ok("why", "1", "Dag").startswith(half)
    assert club.ok("why", "1", "Eve").startswith(gone)
    assert club.ok("why-not", "1", "Ada", "Dag").startswith(half)
    assert club.ok("why", "1", "Fay").startswith(lines(plain("absent.late", player=6, round=1)))
    assert club.ok("why", "1", "Cleo").startswith(
        lines(plain("plain.have", player=3, points=0), plain("plain.bye", player=3))
    )
    assert half + gone in club.ok("explain", "1")


def test_a_round_altered_by_hand_is_said_to_be_so(club: Desk, tmp_path: Path) -> None:
    club.ok("pair", "1")
    (tmp_path / "boards.txt").write_text("3 1\n2 0\n")
    club.ok("alter", "begin", "1")
    club.ok("alter", "end", "1", "--boards", "boards.txt", "--why", "they agreed", "--ack", "manual-pairing")

    told = club.ok("why", "1", "Ada")
    assert told.startswith(
        lines(
            CLUB.full("note.altered.why", round=1, who="Anna Arbiter", reason="they agreed"),
            CLUB.full("note.stands.black", player=1, opponent=3),
            CLUB.plain("plain.have", player=1, points=0),
            CLUB.plain("plain.same", opponent=2, points=0),
        )
    )
    assert lines(CLUB.full("note.meet", a=1, b=3)) in club.ok("why-not", "1", "Ada", "Cleo")
    assert club.keys("why", "1", "Ada")["notes"] == ["note.altered.why", "note.stands.black"]
    others = CLUB.full("note.other-boards", count=2)
    assert lines(others) in club.ok("explain", "1")
    assert others in club.ok("explain", "1", "--html")


def test_colours_exchanged_by_hand_are_noticed(club: Desk, tmp_path: Path) -> None:
    club.ok("pair", "1")
    (tmp_path / "boards.txt").write_text("2 1\n3 0\n")
    club.ok("alter", "begin", "1")
    club.ok("alter", "end", "1", "--boards", "boards.txt", "--why", "lot", "--ack", "manual-pairing")

    told = club.ok("why", "1", "Ben")
    assert lines(CLUB.full("note.stands.white", player=2, opponent=1)) in told
    on_board = CLUB.full("board.black", player=2, opponent=1, round=1, board=1)
    assert lines(on_board, indent="  ") in told
    assert club.keys("why", "1", "Ben")["notes"] == ["note.altered.why", "note.stands.white"]
    assert club.keys("why", "1", "Cleo")["notes"] == []


def test_a_forfeited_board_without_colours_in_a_report_is_no_difference(desk: Desk, tmp_path: Path) -> None:
    text = Path(WORKED).read_text().replace("11 b +", "11 - +").replace("6 w -", "6 - -")
    assert text.count(" - +") == 1
    (tmp_path / "bare.trf").write_text(text)
    told = desk.ok("explain", "bare.trf", "--round", "3", "--edition", "dutch-2017", "--json")
    assert json.loads(told)["notes"] == []


MANY_PLAYERS = [
    say("player-with-number", name="Carla", number=3, id="p3"),
    say("player-with-number", name="Marco", number=10, id="p10"),
    say("player-with-number", name="Oscar", number=12, id="p12"),
]


@pytest.mark.parametrize(
    ("words", "code", "fields"),
    [
        (("why", "7", "1"), "round-not-paired", {"round": 7, "last": 6}),
        (("why-not", "7", "1", "2"), "round-not-paired", {"round": 7, "last": 6}),
        (("explain", "0"), "round-not-paired", {"round": 0, "last": 6}),
        (("why", "4", "Zoe"), "no-player-called", {"text": "Zoe", "candidates": 0, "each": []}),
        (("why", "4", "15"), "no-such-number", {"number": 15, "last": 14}),
        (("why", "4", "#99"), "no-such-player", {"id": "p99", "last": 14}),
        (("why", "4", "ar"), "several-players", {"text": "ar", "candidates": 3, "each": MANY_PLAYERS}),
        (("why", "4", ""), "player-unnamed", {}),
        (("why-not", "4", "Alice", "1"), "pairing.meets-themself", {}),
        (("why-not", "4", "bye", "bye"), "pairing.meets-themself", {}),
        (("why", "nothing.trf", "1"), "cli.neither-round-nor-report", {"text": "nothing.trf"}),
        (("explain", "4", "--round", "3"), "cli.options-of-a-report", {}),
        (("explain", WORKED, "--round", "9"), "round-not-explained", {"round": 9, "last": 6}),
        (("why", "4"), "cli.missing-argument", {"text": "PLAYER"}),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line(
    desk: Desk, words: tuple[str, ...], code: str, fields: dict[str, Any]
) -> None:
    assert sentence(code, **fields) in desk.refused(*words)


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
    assert page.count(EXAMPLE.full("values.perfect")) == perfect
    for name in ("Alice", "Luisa", "Roberto"):
        assert name in page


def test_the_last_round_names_its_topscorers_in_every_form(desk: Desk) -> None:
    """The document says it in words before round 6."""
    six = (2, 5, 1, 4, 6, 7)
    said = EXAMPLE.full("round.topscorers", numbered=six, possible=50, article="A.7", count=6)
    text, page = desk.ok("explain", "6"), desk.ok("explain", "6", "--html")
    data = json.loads(desk.ok("explain", "6", "--json"))

    assert said in text
    assert "[2*" in text
    assert EXAMPLE.full("key.topscorers") in text
    assert said in page
    assert "<b>2*</b>" in page
    assert said in data["text"]
    tops = [one["player"] for one in data["story"]["last_round"]["players"] if one["topscorer"]]
    assert tops == [seat["id"] for seat in data["story"]["players"] if seat["topscorer"]]
    assert "opscorer" not in desk.ok("explain", "5")
    his = {"player": 2, "scored": "4", "possible": 50, "article": "A.7"}
    assert lines(EXAMPLE.full("topscorer.is", **his), indent="  ") in desk.ok("why", "6", "2")
    on_page = RoundPageSpeaker(EXAMPLE.people).say(Message("explain.topscorer.is", his))
    assert on_page in desk.ok("why", "6", "2", "--html")
    here = EXAMPLE.full("bracket.topscorers", numbered=(2, 5), possible=50, article="A.7", count=2)
    assert lines(here, indent="  ") in desk.ok("candidates", "6", "1")


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
    assert refusal.startswith(f"{file}: {sentence('colour-not-known', round=1)}")
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
    said = Said(SCRIPTS["Alice"], SCRIPTS["Bruno"])
    board = said.full("board", board=1, white=2, black=1, article="E.1")
    assert f"{one} – {two}" in board
    assert lines(board, indent="  ") in whole
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
    missing = sentence("cli.missing-argument", text="PLAYER")
    assert missing in desk.refused("why")
    assert missing in desk.refused("why-not", "Luisa")
    unexpected = sentence("cli.unexpected.name", text="Rossi")
    assert unexpected in desk.refused("why", "4", "Luisa", "Rossi")


# --- for those who teach and learn


def test_candidates_tell_active_criteria_illegal_ones_and_failures_by_pair(desk: Desk) -> None:
    """The sieve of round 5 as the slides have it: two illegal candidates, then C.10 and C.13."""
    told = desk.ok("candidates", "5", "3", "--appendix-p", "--illegal", "--by-pair")

    symbols = "NP 4, M0 1, Res 3, CMP 2, Fls 0, CM1 1, wS 1, bS 3, WS 1, BS 2"
    active = Values((("C.6", (), None), ("C.11", 0, None), ("C.13", 0, None)))
    assert lines(EXAMPLE.full("sieve.appendix", symbols=symbols), indent="  ") in told
    assert lines(EXAMPLE.full("sieve.active", values=active), indent="  ") in told
    barred = [
        re.escape(EXAMPLE.full("sieve.barred", bars=Bars(((a, b, "C.1", round),))))
        for a, b, round in ((5, 4, 4), (4, 11, 1))
    ]
    failures = re.escape(EXAMPLE.full("sieve.failures", bars=Bars(((4, 6, "C.10", 0), (11, 0, "C.13", 0)))))
    assert re.search(rf" 1     5–4, 6–11 +– +{barred[0]}\n", told)
    assert re.search(rf" 2     5–6, 4–11 +– +{barred[1]}\n", told)
    assert re.search(rf" 3  \*  5–11, 4–6 +{failures} +{EXAMPLE.full('sieve.chosen')}\n", told)
    plain = desk.ok("candidates", "5", "3")
    assert "illegal" not in plain
    assert "Appendix" not in plain


def test_a_round_is_told_as_a_lesson_in_both_languages(desk: Desk) -> None:
    told, italian = (
        desk.ok("explain", "4", "--slides"),
        desk.ok("explain", "4", "--slides", "--language", "it"),
    )

    full = EXAMPLE.full
    group = full("slide.group", points=25, subgroups="2B 5Bb 6b↓")
    taken = {"candidate": Candidate(((10, 14),), (9,)), "bars": Bars(())}
    boards = ((6, 2), (4, 5), (1, 3), (11, 7), (10, 14), (8, 9), (13, 12))
    assert told.startswith(lines(full("slide.round", round=4)) + lines(group, indent="  "))
    for each in (
        full("slide.illegal", candidate=Candidate(((2, 5),), (6,)), bars=Bars(((2, 5, "C.1", 3),))),
        full("slide.first", candidate=Candidate(((9, 10),), (14,)), bars=Bars(((14, 0, "C.14", 0),))),
        full("slide.perfect", **taken),
        full("slide.pairs", candidate=Candidate(boards)),
    ):
        assert lines(each, indent="  ") in told
    speaker = RoundSpeaker(EXAMPLE.people, "it")
    assert lines(speaker.say(Message("explain.bracket.title", {"score": 10}))) in italian
    assert lines(speaker.say(Message("explain.slide.perfect", taken)), indent="  ") in italian
    assert told.count("\n") == italian.count("\n") or len(told.split("\n\n")) == len(italian.split("\n\n"))
    data = json.loads(desk.ok("explain", "4", "--slides", "--json"))
    assert [slide["title"] for slide in data["slides"]][-1] == full("slide.boards", round=4)
