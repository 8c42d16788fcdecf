"""Pages for the browser: whole, linked to each other, and true to the record."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from paircard.cli.main import run
from paircard.domain.errors import Unknown
from paircard.domain.messages import Message
from paircard.domain.speaking import Speaker
from paircard.pairing.explain import Story
from paircard.pairing.explain.speaking import Meeting, RoundSpeaker, Who
from paircard.service import Office, Tournament
from paircard.service.explaining import ask_explain, round_of_log
from paircard.service.pairing_sheets import Board
from paircard.service.print.explanations import candidates_page, explanation_at, ladder_of, why_at
from paircard.service.print.paper import sheet_page, slips_page, start_list_page
from paircard.service.print.rendering import Frame, Links, event_of
from paircard.service.print.standings import (
    StandingLine,
    crosstable_at,
    heat_of,
    standing_lines,
    standings_at,
)
from paircard.web.pages.corrections import corrections_page
from paircard.web.pages.player import course, player_page, ranks
from paircard.web.pages.public import pairings_page
from paircard.web.pages.record import record_page
from paircard.web.pages.screen import leaves, screen_page
from tests.prizegiving import ended
from tests.refusals import refuses, sentence
from tests.web.pages.reading import Reader, string, words

WEB = Frame(links=Links("/tournaments/abc"), stylesheet="/static/paircard.css", log=True)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tournament]:
    """The worked example: a result corrected before round 4, another one a year later."""
    file = tmp_path_factory.mktemp("demo") / "demo.db"
    assert run(["demo", "--db", str(file)]) == 0
    with Office.open(file) as office:
        yield office.tournament()


@pytest.fixture(scope="module")
def pages(example: Tournament) -> dict[str, str]:
    now = example.now()
    alice = now.player("Alice")
    return {
        "pairings": pairings_page(now, None, WEB),
        "names": pairings_page(now, 5, WEB, by_name=True),
        "found": pairings_page(now, 6, WEB, find="alice"),
        "standings": standings_at(now, None, WEB),
        "crosstable": crosstable_at(now, None, WEB),
        "players": start_list_page(now, WEB),
        "player": player_page(now, alice, WEB),
        "corrections": corrections_page(now, WEB),
        "sheet": sheet_page(now, 6, WEB),
        "slips": slips_page(now, 6, WEB),
        "screen": screen_page(now, 0, WEB),
        "record": record_page(now, 57, WEB, then=example.at(57)),
        "explanation": explanation_at(now, 6, WEB),
        "candidates": candidates_page(now, 6, WEB, bracket=3),
        "why": why_at(now, 6, "Alice", WEB),
        "why not": why_at(now, 6, "Alice", WEB, other="Giorgia"),
        "bye": why_at(now, 2, "Roberto", WEB, other="bye"),
        "absent": why_at(now, 2, "Oscar", WEB),
    }


ADDRESS = re.compile(
    r"/tournaments/abc(/(rounds/\d+(/(why|explanation|candidates|sheet))?|standings|crosstable|players(/p\d+)?"
    r"|ratings|norms|corrections|record(/(what-if|replay))?|screen))?(\?[a-z]+=[^&#]*(&[a-z]+=[^&#]*)*)?(#[a-z0-9]+)?"
)


@pytest.mark.parametrize(
    "name",
    ["pairings", "names", "found", "standings", "crosstable", "players", "player", "corrections", "sheet",
     "slips", "screen", "record", "explanation", "candidates", "why", "why not", "bye", "absent"],
)  # fmt: skip
def test_a_page_is_whole_has_no_style_of_its_own_and_links_to_pages_there_are(
    pages: dict[str, str], name: str
) -> None:
    page = pages[name]
    reader = Reader(page)

    assert "<style" not in page
    assert not re.search(r"\sstyle=|\son[a-z]+=", page), "the content security policy forbids it"
    assert len(reader.ids) == len(set(reader.ids))
    assert 'id="main"' in page
    for address in reader.addresses:
        assert (
            address == "/static/paircard.css"
            or address in ("#main", "#check")
            or (address.startswith("#") and address[1:] in reader.ids)
            or ADDRESS.fullmatch(address)
        ), address


def test_the_heat_map_has_every_game_from_both_sides(example: Tournament, pages: dict[str, str]) -> None:
    paired = [game for round in example.now().state.rounds for game in round.games()]
    games = [game for game in paired if game.white_letter not in "+-"]
    squares = re.findall(r'<rect class="game (\w+)" x="(\d+)" y="(\d+)"', pages["crosstable"])
    kinds = [kind for kind, _, _ in squares]

    assert len(squares) == 2 * len(games)
    decisive = sum("1" in (game.white_letter, game.black_letter) for game in games)
    assert kinds.count("won") == kinds.count("lost") == decisive
    places = {(int(x) - 28, int(y) - 24) for _, x, y in squares}
    assert places == {(y, x) for x, y in places}, "who met whom is the same from both sides"
    players = len(example.now().state.players)
    assert string("page.heat.title", games=len(games), players=players) in words(pages["crosstable"])


def test_a_heat_map_of_hundreds_is_left_to_the_table(example: Tournament) -> None:
    now = example.now()
    lines = standing_lines(now.crosstable(6), now.standings(6).standings)
    assert heat_of(lines)
    assert heat_of(lines * 5) == []


def test_the_ladder_says_who_floats_down_from_which_bracket(example: Tournament) -> None:
    now = example.now()
    asked = round_of_log(now.facts, now.state, 6)
    story = ask_explain(asked).data
    assert isinstance(story, Story)
    ladder = ladder_of(story, asked.people)
    assert [rung.score for rung in ladder] == [each.candidate.score for each in story.brackets]
    floated = [id for each in story.brackets for id in each.candidate.downfloaters]
    assert sorted(n for rung in ladder for n in rung.down) == sorted(
        asked.people[id].number for id in floated
    )
    said = Reader(explanation_at(example.now(), 6, WEB)).text
    for rung in ladder:
        if rung.down:
            assert ", ".join(map(str, rung.down)) + " float" in " ".join(said.split())


def test_a_player_is_found_by_number_and_without_accents(example: Tournament) -> None:
    now = example.now()

    for asked, name, board in (("ÁLICE", "Alice", 3), ("2", "Bruno", 1)):
        found = f"{name}: {string('page.find.board', board=board)}"
        assert found in words(pairings_page(now, 6, WEB, find=asked))
    nobody = string("page.find.nobody", text="<Zorro>")
    assert nobody in words(pairings_page(now, 6, WEB, find="<Zorro>"))


def test_corrections_stand_with_their_dates_and_what_they_count_for(pages: dict[str, str]) -> None:
    text = words(pages["corrections"])

    assert string("page.correction.result", round=3, board=4, now="0–1", was="1–0") in text
    assert Speaker().word("scope", "pairing-next") in text
    assert string("page.correction.result", round=5, board=4, now="½–½", was="0–1") in text
    assert "both score sheets say so" in text


def test_names_and_reasons_of_corrections_are_for_those_who_may_see_the_log(example: Tournament) -> None:
    public = Frame(links=Links("/tournaments/abc"))

    assert "score sheets" not in corrections_page(example.now(), public)
    assert "/record" not in corrections_page(example.now(), public)


def test_the_card_of_a_player_shows_games_course_and_the_corrected_result(pages: dict[str, str]) -> None:
    reader = Reader(pages["player"])

    assert reader.row("3")[3] == f"Roberto {string('page.correction.was', was='1-0')}"
    assert reader.row("6")[5:8] == [f"↓{string('page.float.d')}", "1", "4½"]
    assert string("page.player.course-text", values="1, 1, 2, 3, 3½, 4½", n=6) in reader.text
    assert 'class="dot fix"' in pages["player"]
    assert string("page.player.shared", n=3) in reader.text


def test_somebody_who_is_not_in_the_tournament_has_no_page(example: Tournament) -> None:
    with refuses(Unknown, "no-such-player", id="p99"):
        player_page(example.now(), 99, WEB)


def test_the_screen_shows_every_board_and_every_place_once(example: Tournament) -> None:
    shown = leaves(example.now())

    lines = [line for leaf in shown for line in leaf.lines]
    assert [line.board for line in lines if isinstance(line, Board)] == [1, 2, 3, 4, 5, 6, 7]
    assert len([line for line in lines if isinstance(line, StandingLine)]) == 14
    first, second = (screen_page(example.now(), page, WEB) for page in (0, 1))
    assert "page=1" in first
    assert string("page.screen.standings", after=6) in words(second)


def test_the_record_shows_the_boards_as_they_were_and_what_had_changed(pages: dict[str, str]) -> None:
    reader = Reader(pages["record"])

    new, unfinished = string("page.record.new"), string("page.score.open")
    assert reader.row("1") == ["1", "6", "FM Francesco", "2½", "0–1", "2½", "IM Bruno", "2", new]
    assert reader.row("3")[4:] == [f"–{unfinished}", "2", "WGM Carla", "3", ""]
    assert "/tournaments/abc/record?at=56" in reader.addresses
    assert "/tournaments/abc/standings?at=57" in reader.addresses


@pytest.mark.parametrize("page", ["why", "candidates"])
def test_the_sieve_frames_the_criterion_that_removed_a_candidate(pages: dict[str, str], page: str) -> None:
    """The worked example, round 6, bracket of 3 points: the first candidate is worse by C.11."""
    rows = Reader(pages[page].replace("\N{WORD JOINER}", "")).rows
    first, chosen, third = (
        next(row for row in rows if row[:2] == [place, pairs])
        for place, pairs in (("1", "2–4, 5–6, 1–7"), ("2", "2–4, 5–7, 1–6"), ("3", "2–4, 5–6, ↓ 1 7"))
    )

    assert first[2:7] == ["0", "1, 1, ½", "2", "2", ""]
    assert first[-1] == RoundSpeaker({}).say(Message("explain.sieve.excluded", {"criterion": "C.11"}))
    assert chosen[2:6] == ["0", "1, 1, ½", "2", "1"]
    assert chosen[-1] == sentence("explain.sieve.chosen")
    assert third[2:4] == ["2", ""]
    assert re.findall(r'class="c first">([^<]*)<', pages[page])[:2] == ["2", "2"]


@pytest.mark.parametrize(
    ("change", "verdict", "facts"),
    [
        (lambda code: code, "page.check.genuine", 57),
        (lambda code: code[:-1] + ("0" if code[-1] != "0" else "1"), "page.check.other", 57),
        (lambda code: f"9{code}", "page.check.later", 957),
        (lambda code: "hello", "page.check.unreadable", None),
    ],
)
def test_a_printed_code_is_checked(  # type: ignore[no-untyped-def]
    example: Tournament, change, verdict: str, facts: int | None
) -> None:
    now, code = example.now(), change(event_of(example.at(57)).head)
    [line] = now.log(versions=[57])
    said = string(verdict, version=facts, text=line.text, since=now.version - 57)

    assert said in words(record_page(now, None, WEB, code=code))


def test_before_round_1_the_pages_say_so(tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    assert run(["--db", str(file), "new", "Club", "--rounds", "3"]) == 0
    with Office.open(file) as office:
        now = office.tournament().now()
        for page, code in (
            (pairings_page(now, None, WEB), "page.round.none"),
            (screen_page(now, 0, WEB), "page.round.none"),
            (start_list_page(now, WEB), "page.players.nobody"),
            (record_page(now, None, WEB), "page.round.none"),
            (standings_at(now, None, WEB), "page.standings.before"),
        ):
            assert string(code) in words(page)


def test_pictures_stay_inside_their_frame() -> None:
    for scores in ([0], [10, 20, 30], [10] * 9, [30, 60, 63]):
        picture = course(scores, 9, 10)
        assert picture is not None
        assert all(0 <= x <= 180 for x, _, _ in picture.line)
        assert all(0 <= y <= 114 for y in [y for _, y, _ in picture.line] + [y for y, _ in picture.levels])
    assert course([], 9, 10) is None
    assert ranks([1], 10) is None
    places = ranks([3, 1, 10], 10)
    assert places is not None
    assert [y for _, y, _ in places.line][1:] == [0, 114]


WITHOUT_NUMBERS = {id: Who(0, name) for id, name in ((1, "Alice"), (2, "Bruno"), (5, "Elisa"))}
ALONE = Message("explain.float.alone.met", {"player": 1, "points": 35, "met": Meeting(((2, 5), (5, 2)))})
"""What the player is told in round 6 of the worked example."""


def test_why_answers_the_player_first_then_the_arbiter_with_a_picture(pages: dict[str, str]) -> None:
    text = words(pages["why"])

    assert string("page.why.plays", player="Alice", opponent="Francesco") in text
    reason = RoundSpeaker(WITHOUT_NUMBERS).say(ALONE)
    assert text.index(reason) < text.index(string("page.why.arbiter")) < text.index("C.11")
    assert string("page.picture.chosen", pairs="2–4, 5–7, 1–6") in text
    assert string("page.picture.excluded", pairs="5–6, 1–7") in text
    assert string("page.why.not", player="Alice", other="Giorgia") in words(pages["why not"])
    assert string("page.why.bye", player="Roberto") in words(pages["bye"])
    assert string("page.why.player", player="Oscar") in words(pages["absent"])


def test_the_explained_round_shows_results_and_a_ladder_of_score_groups(pages: dict[str, str]) -> None:
    reader = Reader(pages["explanation"])

    assert reader.row("3")[3:] == ["1–0", "E.2"]
    assert [address for address in reader.addresses if re.fullmatch(r"#b\d", address)] == [
        f"#b{number}" for number in range(1, 8)
    ]


def test_an_italian_page_is_italian_from_head_to_foot(example: Tournament) -> None:
    frame = Frame(links=Links("/tournaments/abc"), language="it")
    now = example.now()

    text = words(why_at(now, 6, "Alice", frame))
    assert string("page.why.plays", tongue="it", player="Alice", opponent="Francesco") in text
    assert RoundSpeaker(WITHOUT_NUMBERS, "it").say(ALONE) in text
    assert "Why" not in text
    assert string("page.standings.final", tongue="it") in words(standings_at(now, None, frame))
    bracket = RoundSpeaker({}, "it").say(Message("explain.bracket.title", {"score": 30}))
    assert bracket in words(explanation_at(now, 6, frame))


def test_groups_stand_in_the_start_list_and_links_to_prizes_apart_from_those_to_norms(tmp_path: Path) -> None:
    with ended(tmp_path / "event.db") as made:
        now = made.now()
        players, open_to_all = Reader(start_list_page(now, WEB)), replace(WEB, log=False)
        told, to_all = (Reader(player_page(now, 3, frame)).text for frame in (WEB, open_to_all))

    assert players.rows[0][-2] == string("page.prizes.groups")
    assert "women · U16" in players.row("3")
    prizes = f"· {string('page.prizes.title')}"
    assert f"{string('page.norms.title')} {prizes}" in told
    assert prizes not in to_all
