"""A round robin over HTTP and on pages: drawn, scheduled, results of any round, and no page that fails."""

import re
from collections import deque
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec import UNSET
from playwright.sync_api import Browser, expect

from paircard.cli.main import run
from paircard.domain.values.regulations import Regulations
from paircard.web.pages.alter import SIDES
from tests.refusals import sentence
from tests.web.browsing import Site, reader
from tests.web.hall import NAMES, Hall
from tests.web.pages.reading import string, words
from tests.web.running import running
from tests.web.test_pages import get, lands, post

MOST_PAGES = 80


@pytest.fixture
def club(hall: Hall) -> Hall:
    """Five players, nothing drawn."""
    made = hall.as_("arbiter").open(Regulations(name="Club", rounds=0, edition="round-robin", cycles=2))
    hall.tournament = made.id
    players = [{"do": "register-player", "details": {"name": who}} for who in NAMES[:5]]
    assert hall.send(*players).status_code == 201
    hall.keys["deputy"] = hall.key_for("deputy", "Dina Deputy", tournament=made.id)
    return hall


@pytest.fixture
def event(club: Hall) -> Hall:
    """All rounds are public."""
    assert club.send({"do": "assign-numbers", "order": [1, 2, 3, 4, 5]}).status_code == 201
    assert club.send({"do": "pair-all-rounds"}).status_code == 201
    return club


def result(round: int, board: int, outcome: str = "1-0") -> dict[str, object]:
    return {"do": "record-result", "round": round, "board": board, "outcome": outcome}


def test_over_http_numbers_are_drawn_and_all_rounds_paired_in_two_requests(club: Hall) -> None:
    assert club.send({"do": "pair-all-rounds"}).json()["code"] == "numbers-not-drawn"

    drawn = club.send({"do": "draw-numbers"})
    assert drawn.status_code == 201, drawn.text
    done = club.send({"do": "pair-all-rounds"})

    assert done.status_code == 201, done.text
    state = club.call("GET", f"/tournaments/{club.tournament}").json()["state"]
    assert state == sentence("stage", stage="play", round=1)
    assert club.send(result(9, 2)).status_code == 201


def test_a_seed_from_outside_and_a_command_of_a_swiss_are_refused(club: Hall) -> None:
    asked = {"do": "assign-numbers", "order": [1, 2, 3, 4, 5], "seed": "mine"}
    assert club.send(asked).status_code == 422
    refused = club.send({"do": "grant-bye", "player": 1, "round": 1})
    assert (refused.status_code, refused.json()["code"]) == (422, "table-no-byes")
    assert club.version() == 6


def test_the_form_of_a_new_tournament_opens_a_round_robin_without_rounds(hall: Hall) -> None:
    fields = {
        "name": "Club", "rounds": "", "tiebreaks": "BH/C1,BH,SB", "half_byes": "0", "edition": "round-robin",
        "cycles": "2", "exchange": "no", "table": "berger", "key": "new",
    }  # fmt: skip

    answer = post(hall, "/tournaments", fields)

    assert answer.status_code == 303, answer.text
    [made] = hall.site.office.tournaments()
    rules = hall.site.tournament(made.id).now().regulations
    assert (rules.rounds, rules.cycles, rules.exchange) == (0, 2, False)
    assert rules.tiebreaks == ("DE", "WIN", "SB", "KS")


def test_the_form_of_a_swiss_records_nothing_of_a_round_robin(hall: Hall) -> None:
    fields = {
        "name": "Open", "rounds": "5", "tiebreaks": "BH", "half_byes": "0", "edition": "dutch-2026",
        "cycles": "1", "exchange": "yes", "table": "berger", "key": "new",
    }  # fmt: skip

    assert post(hall, "/tournaments", fields).status_code == 303

    [made] = hall.site.office.tournaments()
    rules = hall.site.tournament(made.id).now().regulations
    assert (rules.cycles, rules.exchange, rules.table) == (UNSET, UNSET, UNSET)


def test_the_desk_leads_from_the_draw_to_the_last_result(club: Hall) -> None:
    desk = f"/tournaments/{club.tournament}/desk"
    assert string("page.desk.lots") in words(get(club, desk, "arbiter").text)
    assert lands(post(club, f"{desk}/lots", {"key": "a", "round": "0"})) == desk
    assert string("page.desk.schedule") in words(get(club, desk, "arbiter").text)
    assert lands(post(club, f"{desk}/schedule", {"key": "b", "round": "1"})) == desk

    assert string("page.step.table", round=1) in words(get(club, desk, "arbiter").text)
    entered = post(club, f"{desk}/result", {"key": "c", "round": "7", "board": "1", "result": "1-0"})

    assert lands(entered) == f"{desk}?round=7&board=2"
    for address, round in ((f"{desk}?round=7", 7), (desk, 1)):
        assert string("page.desk.results-of", round=round) in words(get(club, address, "arbiter").text)


def test_a_deputy_enters_a_game_of_another_round_on_the_phone_and_takes_it_back(event: Hall) -> None:
    phone = f"/tournaments/{event.tournament}/phone"
    assert f"{phone}?round=4" in get(event, phone, "deputy").text
    fields = {"key": "d", "round": "4", "result": "1-0"}

    here = lands(post(event, f"{phone}/1", fields, "deputy"))

    assert here == f"{phone}/1?round=4"
    page = get(event, f"{here}&done", "deputy").text
    assert f"{phone}/1/undo" in page
    back = post(event, f"{phone}/1/undo", {"key": "e", "round": "4"}, "deputy")
    assert back.headers["location"] == f"{phone}/1?round=4&undone"


def test_a_game_that_was_put_off_is_entered_at_the_desk_and_on_the_phone(event: Hall) -> None:
    """The other board of the round is over, so no board of it lacks an entry."""
    put_off = [{"do": "adjourn-game", "round": round, "board": 2} for round in (1, 2)]
    assert event.send(result(1, 1), result(2, 1), *put_off).status_code == 201
    home = f"/tournaments/{event.tournament}"

    stage = get(event, f"{home}/desk?round=1&board=2", "arbiter").text
    assert '<form class="results" method="post" action="' in stage.split('id="stage"')[1]
    assert lands(
        post(event, f"{home}/desk/result", {"key": "a", "round": "1", "board": "2", "result": "1-0"})
    )

    phone = get(event, f"{home}/phone?round=2", "deputy").text
    assert phone.index(f"{home}/phone/2?round=2") < phone.index("Finished")
    assert 'name="result" value="0-1"' in get(event, f"{home}/phone/2?round=2", "deputy").text
    fields = {"key": "b", "round": "2", "result": "0-1"}
    assert lands(post(event, f"{home}/phone/2", fields, "deputy")) == f"{home}/phone/2?round=2"
    assert not event.site.tournament(event.tournament).now().state.rounds[1].open_boards()


@pytest.mark.parametrize("role", ["", "arbiter"])
def test_no_page_of_a_round_robin_fails(event: Hall, role: str) -> None:
    """Every page that links lead to, in both languages."""
    event.send(result(1, 1), result(2, 1, "½-½"), result(5, 2, "0F-1F"))
    event.send({"do": "withdraw-player", "player": 4})
    start = f"/tournaments/{event.tournament}"
    waiting, seen = deque([start, f"{start}/phone", f"{start}/desk"]), set[str]()
    while waiting and len(seen) < MOST_PAGES:
        address = waiting.popleft()
        if address in seen:
            continue
        seen.add(address)
        language = "it" if len(seen) % 2 else "en"
        answer = get(event, address, role, **{"accept-language": language})
        assert answer.status_code < 500, (address, answer.text[-600:])
        if "text/html" in answer.headers.get("content-type", ""):
            for link in re.findall(r'href="([^"#]+)', answer.text):
                path = urlsplit(link.replace("&amp;", "&"))
                if path.path.startswith(start) and not path.netloc and "lang" not in path.query:
                    waiting.append(path.path + (f"?{path.query}" if path.query else ""))
    assert len(seen) > 20


def test_every_page_says_the_round_people_are_in(event: Hall) -> None:
    assert event.send(*(result(1, board) for board in (1, 2))).status_code == 201

    for page in ("", "/crosstable", "/schedule", "/standings", "/players/p1"):
        text = get(event, f"/tournaments/{event.tournament}{page}").text
        assert 'data-playing="2" data-results="0" data-boards="2"' in text, page
    assert 'data-own="2.2"' in get(event, f"/tournaments/{event.tournament}/players/p1").text


# --- rounds by hand


@pytest.fixture
def by_hand(hall: Hall) -> Hall:
    """Four players with their numbers, rounds by hand announced."""
    rules = Regulations(name="Club", rounds=0, edition="round-robin", table="hand")
    hall.tournament = hall.as_("arbiter").open(rules).id
    players = [{"do": "register-player", "details": {"name": who}} for who in NAMES[:4]]
    assert hall.send(*players, {"do": "assign-numbers", "order": [1, 2, 3, 4]}).status_code == 201
    return hall


def boards(key: str, round: int, *pairs: tuple[int, int], **more: str) -> dict[str, str]:
    sides = {
        f"{side}{at}": str(id)
        for at, pair in enumerate(pairs, 1)
        for side, id in zip(SIDES, pair, strict=True)
    }
    return {"key": key, "round": str(round), **sides, **more}


def test_boards_by_hand_are_entered_at_the_desk_and_a_pair_that_met_is_asked_about(by_hand: Hall) -> None:
    desk = f"/tournaments/{by_hand.tournament}/desk"
    assert f'href="{desk}/alter"' in get(by_hand, desk, "arbiter").text
    for language in ("en", "it"):
        page = get(by_hand, f"{desk}/alter", "arbiter", **{"accept-language": language}).text
        assert string("page.alter.boards-of", tongue=language, round=1) in words(page)

    assert lands(post(by_hand, f"{desk}/boards", boards("a", 1, (1, 4), (2, 3)))) == desk
    assert lands(post(by_hand, f"{desk}/publish", {"key": "b", "round": "1"})) == desk
    asked = post(by_hand, f"{desk}/boards", boards("c", 2, (4, 1), (3, 2)))

    assert 'name="ack:met-too-often"' in asked.text
    assert 'name="white1" value="4"' in asked.text
    assert by_hand.site.tournament(by_hand.tournament).now().state.paired == 1
    assert lands(post(by_hand, f"{desk}/boards", boards("d", 2, (4, 3), (1, 2)))) == desk


@pytest.mark.parametrize("pairs", [((1, 4), (1, 3)), (), ((1, 1),)])
def test_wrong_boards_by_hand_change_nothing_and_stay_in_the_form(
    by_hand: Hall, pairs: tuple[tuple[int, int], ...]
) -> None:
    version = by_hand.version()

    refused = post(by_hand, f"/tournaments/{by_hand.tournament}/desk/boards", boards("a", 1, *pairs))

    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    assert refused.text.count(" selected") == 2 * len(pairs)
    assert by_hand.version() == version


def test_in_a_browser_rounds_by_hand_go_from_the_form_to_the_public_page(
    tmp_path: Path, chromium: Browser
) -> None:
    file = tmp_path / "club.db"
    for command in (
        ("new", "Club", "--system", "round-robin", "--table", "hand"),
        *(("player", "add", who) for who in ("Adams", "Botvinnik", "Carlsen")),
        ("number",),
    ):
        assert run(["--db", str(file), "--as", "Mara Vale", *command]) == 0, command
    with running(str(file), tmp_path / "server.log") as server, reader(chromium, "phone") as context:
        site = Site(server, file)
        page = site.come_in(context, "arbiter", "Mara Vale")
        page.goto(site.address("Club", "/desk"))
        page.get_by_role("link", name=string("page.alter.boards-of", round=1)).click()
        page.get_by_label("White").select_option(label="1 Adams")
        page.get_by_label("Black").select_option(label="3 Carlsen")
        page.get_by_role("button", name=string("page.alter.button")).click()
        page.get_by_role("button", name=string("page.desk.publish", round=1)).click()
        page.get_by_role("link", name=string("page.alter.boards-of", round=2)).click()
        page.get_by_label("White").select_option(label="3 Carlsen")
        page.get_by_label("Black").select_option(label="1 Adams")
        page.get_by_role("button", name=string("page.alter.button")).click()

        expect(page.locator('[name="ack:met-too-often"]')).to_have_count(1)
        page.goto(site.address("Club"))
        expect(page.get_by_text("Botvinnik").first).to_be_visible()
        narrow = {"width": 320, "height": 640}
        with reader(chromium, viewport=narrow, locale="it-IT") as hall:
            page = hall.new_page()
            page.goto(site.address("Club", "/crosstable"))
            expect(page.get_by_text("Provvisoria")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
