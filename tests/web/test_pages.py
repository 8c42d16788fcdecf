"""Pages over HTTP: who may see which, forms that count once, and warnings that ask before they pass."""

import html
import re
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from paircard.domain.errors import Invalid
from paircard.domain.events import PairingsAltered
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.values.results import parse_outcome
from paircard.pairing.explain.speaking import RoundPageSpeaker, Who
from paircard.service.desk import person
from paircard.service.sheets.players import COLUMNS
from paircard.web.app import PAGES
from paircard.web.calls import FORM
from paircard.web.pages.grants import reachable
from paircard.web.pages.prizes import amounts_of
from paircard.web.problems import UnreadableBody
from tests.refusals import refuses, sentence
from tests.web.hall import NAMES, Hall
from tests.web.pages.reading import string, words

NAMED = dict(enumerate(NAMES, 1))
"""The players of the hall by id."""
UNDO = string("page.phone.undo")
OK, IN, NO = 200, 401, 403
READ = {
    "": (OK, 303, OK, OK),
    "/rounds/{round}": (OK, OK, OK, OK),
    "/rounds/{round}/sheet": (OK, OK, OK, OK),
    "/rounds/{round}/slips": (OK, OK, OK, OK),
    "/rounds/{round}/explanation": (OK, OK, OK, OK),
    "/rounds/{round}/candidates": (OK, OK, OK, OK),
    "/rounds/{round}/why": (OK, OK, OK, OK),
    "/standings": (OK, OK, OK, OK),
    "/crosstable": (OK, OK, OK, OK),
    "/schedule": (OK, OK, OK, OK),
    "/schedule.ics": (OK, OK, OK, OK),
    "/players": (OK, OK, OK, OK),
    "/ratings": (IN, NO, OK, OK),
    "/norms": (IN, NO, OK, OK),
    "/prizes": (OK, OK, OK, OK),
    "/players/{player}": (OK, OK, OK, OK),
    "/corrections": (OK, OK, OK, OK),
    "/screen": (OK, OK, OK, OK),
    "/record": (IN, NO, OK, OK),
    "/record/what-if": (IN, NO, OK, OK),
    "/record/replay": (IN, NO, OK, OK),
    "/phone": (IN, OK, OK, NO),
    "/phone/{board}": (IN, OK, OK, NO),
    "/desk": (IN, NO, OK, NO),
    "/desk/players": (IN, NO, OK, NO),
    "/desk/players/{player}": (IN, NO, OK, NO),
    "/desk/regulations": (IN, NO, OK, NO),
    "/desk/import": (IN, NO, OK, NO),
    "/desk/alter": (IN, NO, OK, NO),
    "/desk/correct": (IN, NO, OK, NO),
    "/desk/grants": (IN, NO, OK, NO),
    "/desk/prizes": (IN, NO, OK, NO),
    "/desk/announce": (IN, NO, OK, NO),
    "/desk/papers/{paper}": (IN, NO, OK, NO),
}
"""Status of each page of an event for the public, a deputy, an arbiter and an officer."""
ROLES = ("", "deputy", "arbiter", "officer")
EVENT = "/tournaments/{tournament}"


@pytest.fixture
def event(hall: Hall) -> Hall:
    """Round 1 has a result, round 2 is paired and not published."""
    hall.open(rounds=3, players=6)
    hall.play(1, "1-0", "½-½", "0-1")
    hall.pair(2)
    return hall


def get(hall: Hall, path: str, role: str = "", **headers: str) -> Any:
    if role:
        headers["authorization"] = f"Bearer {hall.keys[role]}"
    return hall.http.request("GET", path, headers=headers, follow_redirects=False)


def post(hall: Hall, path: str, fields: dict[str, str], role: str = "arbiter", **headers: str) -> Any:
    headers["content-type"] = "application/x-www-form-urlencoded"
    if role:
        headers["authorization"] = f"Bearer {hall.keys[role]}"
    return hall.http.request(
        "POST", path, headers=headers, content=urlencode(fields).encode(), follow_redirects=False
    )


def lands(answer: Any) -> str:
    """Where a form leads, where what was done is said."""
    page, _, done = str(answer.headers["location"]).partition("done=")
    assert re.fullmatch("[0-9]+(-[0-9]+)?|nothing", done)
    return page[:-1]


def address(hall: Hall, path: str = "") -> str:
    made = f"/tournaments/{hall.tournament}{path}".format(round=1, player="p1", board=1, paper="receipts")
    return f"{made}?player=1" if path.endswith("/why") else made


def form(page: str, action: str, start: str = "<form") -> dict[str, str]:
    """The filled fields of the first form with this address."""
    [found, *_] = re.findall(rf'{start}[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL)
    fields = re.findall(r'<input type="(?:hidden|checkbox|text)"[^>]* name="([^"]+)" value="([^"]*)"', found)
    return {name: html.unescape(value) for name, value in fields}


def refusal_on(page: str) -> str:
    """What the page says in its first alert."""
    return html.unescape(re.sub("<[^>]+>", "", re.findall(r'role="alert"[^>]*>(.*?)</p>', page)[0]))


def test_the_table_of_this_test_has_every_page_of_an_event() -> None:
    known = {page.address.removeprefix(EVENT) for page in PAGES if page.address.startswith(EVENT)}
    read = {
        page.address.removeprefix(EVENT)
        for page in PAGES
        if page.address.startswith(EVENT) and page.method == "GET"
    }
    assert read == READ.keys()
    assert known >= read


def test_every_page_is_for_those_who_may_see_it(event: Hall) -> None:
    found = {
        path: tuple(
            get(event, address(event, path), role).status_code
            for role in ("", "deputy", "arbiter", "officer")
        )
        for path in READ
    }
    assert found == READ


def test_what_is_not_published_is_on_no_public_page(event: Hall) -> None:
    for path in ("", "/standings", "/crosstable", "/schedule", "/players/p1", "/screen"):
        assert "Round 2" not in get(event, address(event, path)).text.replace("Round </span>2", "")
    assert get(event, address(event, "/rounds/{round}").replace("rounds/1", "rounds/2")).status_code == 404
    assert string("page.shell.unpublished", round=2) in words(get(event, address(event), "arbiter").text)


def test_a_shared_link_says_what_it_leads_to_and_nothing_that_somebody_added(event: Hall) -> None:
    found: dict[str, str] = {}
    for path in ("/standings?after=1", "/players/p1", "/rounds/1?by=name&utm=spam"):
        page = get(event, address(event, path)).text
        told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
        assert told["title"]
        assert told["description"]
        found[path] = told["url"]
    assert found == {path: f"http://127.0.0.1{address(event, path.partition('&utm')[0])}" for path in found}


def test_the_feed_of_a_page_begins_after_what_the_page_shows(event: Hall) -> None:
    assert f"/feed?after={event.version()}" in get(event, address(event, "/desk"), "arbiter").text
    seen = event.site.public_moment(event.tournament).version
    assert seen < event.version()
    assert f"/feed?after={seen}" in get(event, address(event)).text


def test_a_chosen_result_is_forgotten_with_its_round(event: Hall) -> None:
    event.publish(2)
    phone, yes = address(event, "/phone/1"), string("page.phone.yes", result="1–0")
    assert yes in words(get(event, f"{phone}?round=2&result=1-0", "deputy").text)
    assert yes not in words(get(event, f"{phone}?round=1&result=1-0", "deputy").text)


def test_a_page_that_did_not_change_is_not_sent_again(event: Hall) -> None:
    first = get(event, address(event, "/standings"))

    assert get(event, address(event, "/standings"), if_none_match="").status_code == 200
    again = event.http.request(
        "GET", address(event, "/standings"), headers={"if-none-match": first.headers["etag"]}
    )
    assert again.status_code == 304
    italian = event.http.request("GET", address(event, "/standings"), headers={"accept-language": "it"})
    assert italian.headers["etag"] != first.headers["etag"]
    assert string("page.nav.standings", tongue="it") in words(italian.text)
    assert "Accept-Language" in italian.headers["vary"]


def test_the_choice_of_a_language_leads_back_and_never_elsewhere(event: Hall) -> None:
    chosen = get(event, "/language/it?back=/tournaments/x/standings")
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/tournaments/x/standings")
    for elsewhere in ("//evil.example", "https://evil.example", "/%5Cevil.example", "/%0d%0aset-cookie:x"):
        assert get(event, f"/language/it?back={elsewhere}").headers["location"] == "/"
    for back, there in (("/日本", "/%E6%97%A5%E6%9C%AC"), ("/a%20b?x=ü&y=%25", "/a%20b?x=%C3%BC&y=%")):
        assert get(event, f"/language/it?back={quote(back, safe='/%?')}").headers["location"] == there
    assert get(event, "/language/tlh").status_code == 404


def test_the_whole_course_of_a_round_in_forms(event: Hall) -> None:
    desk = address(event, "/desk")
    page = get(event, desk, "arbiter").text
    fields = form(page, f"{desk}/publish")
    assert lands(post(event, f"{desk}/publish", fields)) == desk
    before = event.version()

    fields = form(get(event, desk, "arbiter").text, f"{desk}/result")
    sent = fields | {"board": "1", "result": "="}
    assert lands(post(event, f"{desk}/result", sent)) == f"{desk}?board=2"
    assert post(event, f"{desk}/result", sent).status_code == 303, "the same form again is the same entry"
    assert event.version() == before + 1

    fields = form(get(event, f"{desk}?board=1", "arbiter").text, f"{desk}/result")
    refused = post(event, f"{desk}/result", fields | {"result": "1"})
    assert refused.status_code == 409
    there = sentence("result-there", board=1, round=2, result=parse_outcome("="))
    assert refusal_on(refused.text) == there
    for board in ("2", "3"):
        fields = form(get(event, desk, "arbiter").text, f"{desk}/result")
        assert fields["board"] == board, "the next open board follows"
        assert post(event, f"{desk}/result", fields | {"result": "1"}).status_code == 303
    page = get(event, desk, "arbiter").text
    assert post(event, f"{desk}/pair", form(page, f"{desk}/pair")).status_code == 303
    assert event.site.tournament(event.tournament).now().state.paired == 3


def in_italian(code: str, **fields: Any) -> str:
    """The Italian words of a message, with the names of the hall; they are not the English ones."""
    told = Speaker("it", names=NAMED).say(Message(code, fields))
    assert told != sentence(code, people=NAMED, **fields)
    return told


def test_an_italian_arbiter_reads_refusals_warnings_and_the_record_in_italian(event: Hall) -> None:
    italian = {"accept-language": "it-IT,it;q=0.9"}
    desk, record = address(event, "/desk"), address(event, "/record")
    key = form(get(event, desk, "arbiter").text, f"{desk}/publish")
    assert post(event, f"{desk}/publish", key).status_code == 303
    fields = {"key": "one", "round": "1", "board": "1", "result": "0"}
    refused = words(post(event, f"{desk}/result", fields, **italian).text)
    won = parse_outcome("1-0")
    assert in_italian("result-there", board=1, round=1, result=won) in refused
    why = words(post(event, f"{desk}/unpair", {"key": "two", "round": "2"}, **italian).text)
    assert in_italian("reason-missing", deed=say("deed.unpairing-published", round=2)) in why
    asked = post(event, f"{desk}/unpair", {"key": "three", "round": "2", "why": "errore"}, **italian)
    seen = in_italian("published-pairing.seen", round=2, cases="dutch-2026")
    assert f"{seen} (C.04.2:4.4)" in words(asked.text)
    line = in_italian("log.result-recorded", round=1, board=1, white=1, black=4, result=won)
    assert line in words(get(event, record, "arbiter", **italian).text)
    outside = words(get(event, desk, **italian).text)
    assert in_italian("page.not-public", door="desk") in outside


def test_a_form_that_is_sent_again_with_something_else_says_so_without_words_for_programs(
    event: Hall,
) -> None:
    desk = address(event, "/desk")
    assert post(event, f"{desk}/publish", {"key": "same", "round": "2"}).status_code == 303
    again = post(event, f"{desk}/result", {"key": "same", "round": "2", "board": "1", "result": "1"})
    assert again.status_code == 422
    assert refusal_on(again.text) == sentence("page.form-sent-before")


def test_a_refusal_stands_in_the_shell_of_its_event_and_says_how_to_come_in(event: Hall) -> None:
    missing = get(event, address(event, "/rounds/99")).text
    for link in ("/standings", "/players", "/crosstable"):
        assert f'href="{address(event)}{link}"' in missing
    assert 'class="mark"' in missing
    assert 'hreflang="it"' in missing
    assert "Round 2" not in missing, "what is not published is in no refusal"
    outside = get(event, address(event, "/desk")).text
    assert "paircard invite" in outside
    assert f'href="{address(event)}/standings"' in outside
    nowhere = get(event, "/tournaments/" + "0" * 32 + "/standings")
    assert nowhere.status_code == 404
    assert 'class="mark"' in nowhere.text


def test_what_was_sent_without_a_sign_in_is_named_and_kept_to_be_sent_again(event: Hall) -> None:
    event.publish(2)
    desk = address(event, "/desk")
    fields = form(get(event, desk, "arbiter").text, f"{desk}/result") | {"result": "1-0"}
    before = event.version()
    lost = post(event, f"{desk}/result", fields, role="")
    assert (lost.status_code, event.version()) == (401, before)
    assert string("page.refusal.unsent-result", board=1, result="1–0") in words(lost.text)
    kept = form(lost.text, f"{desk}/result")
    assert kept == fields
    assert lands(post(event, f"{desk}/result", kept)) == f"{desk}?board=2"
    assert event.version() == before + 1


def test_an_entry_is_for_the_players_it_was_made_for(event: Hall) -> None:
    event.publish(2)
    desk, phone = address(event, "/desk"), address(event, "/phone")
    first = form(get(event, f"{desk}?board=1", "arbiter").text, f"{desk}/result")
    before = event.version()
    other = post(event, f"{desk}/result", first | {"board": "2", "result": "1-0"})
    assert other.status_code == 409
    assert refusal_on(other.text) == sentence(
        "page.other-players", board=2, round=2, white=2, black=3, people=NAMED
    )
    chosen = form(get(event, f"{phone}/1?result=1-0", "deputy").text, f"{phone}/1")
    assert post(event, f"{phone}/2", chosen, "deputy").status_code == 409
    assert event.version() == before
    told = post(event, f"{desk}/result", first | {"result": "1-0"}, accept="application/json")
    assert (told.status_code, told.json()) == (200, {"done": str(before + 1)})
    again = post(event, f"{desk}/result", first | {"key": "k", "result": "0-1"}, accept="application/json")
    assert again.status_code == 409
    there = sentence("result-there", board=1, round=2, result=parse_outcome("1-0"))
    assert again.json()["said"] == there


def test_what_others_built_on_is_not_taken_back(event: Hall) -> None:
    desk = address(event, "/desk")
    done = post(event, f"{desk}/publish", {"key": "p", "round": "2"}).headers["location"]
    assert UNDO in get(event, done, "arbiter").text
    event.send({"do": "record-result", "round": 2, "board": 1, "outcome": "1-0"}, role="deputy")
    event.send({"do": "register-player", "details": {"name": "Late"}}, why="traffic")
    assert UNDO not in get(event, done, "arbiter").text
    refused = post(event, f"{desk}/undo", {"key": "u", "done": done.partition("done=")[2]})
    assert refused.status_code == 409
    what = say("log.player-registered", name="Late", rating=0)
    since = sentence("newer-since", who="Anna Arbiter", what=what)
    assert refusal_on(refused.text) == since


def test_a_step_decided_on_an_old_page_is_refused(event: Hall) -> None:
    desk = address(event, "/desk")
    fields = form(get(event, desk, "arbiter").text, f"{desk}/publish")
    assert (
        event.send({"do": "register-player", "details": {"name": "Late"}}, why="traffic").status_code == 201
    )

    assert post(event, f"{desk}/publish", fields).status_code == 412


def test_pages_of_an_altered_round_show_the_boards_that_were_played(event: Hall) -> None:
    tournament, by = event.site.tournament(event.tournament), person("Anna Arbiter")
    one, other, *_ = tournament.now().boards().boards
    decided = by.because("travel together").accepting("manual-pairing", "rematch", "colours-reversed")
    tournament.swap_players(one.black.id, other.black.id, by=decided)
    tournament.publish(by=by)
    boards = tournament.now().boards().boards
    played = next(line for line in boards if line.white.id == one.white.id)
    third = next(line for line in boards if line.white.id == other.white.id)
    assert played.black.id == other.black.id

    why = address(event, "/rounds/{round}").replace("rounds/1", "rounds/2") + "/why"
    asked = get(event, f"{why}?player=%23{played.white.id}&not=%23{third.white.id}").text
    heading = re.findall("<h1[^>]*>(.*?)</h1>", asked)[0]
    assert re.sub("<[^>]+>|[\u2068\u2069]", "", heading) == string(
        "page.why.plays", player=played.white.name, opponent=played.black.name
    )
    people = {one.id: Who(one.number or 0, one.name) for one in (played.white, played.black)}
    stands = Message("explain.note.stands.white", {"player": played.white.id, "opponent": played.black.id})
    told = re.escape(RoundPageSpeaker(people).say(stands))
    assert re.search(rf"{told}</p>\s*<div class=\"lede", asked), "what follows the colon"

    correct = address(event, "/desk/correct")
    page = get(event, f"{correct}?round=1&board=1&result=0-1&why=slip", "arbiter").text
    [stays] = re.findall(rf"{re.escape(string('page.correct.paired'))}.*?</table>", page, re.DOTALL)
    rows = [re.sub(r"<[^>]+>|\s+", " ", row) for row in re.findall(r"<tr.*?</tr>", stays, re.DOTALL)]
    assert any(f"{played.white.name}" in row and f"{played.black.name}" in row for row in rows)


def test_the_record_marks_changes_since_the_publication_of_the_round_it_shows(event: Hall) -> None:
    before = words(get(event, address(event, "/record"), "officer").text)
    marks = [string("page.record.marked", version=version) for version in range(event.version() + 1)]
    assert [mark for mark in marks if mark in before] == []
    event.site.tournament(event.tournament).publish(by=person("Anna Arbiter"))
    mark = string("page.record.marked", version=event.version())
    assert mark in words(get(event, address(event, "/record"), "officer").text)


def test_the_last_round_leads_to_closing_and_standings_are_final_once_it_is_closed(hall: Hall) -> None:
    hall.open(rounds=1, players=4)
    hall.play(1, "1-0")
    desk = words(get(hall, address(hall, "/desk"), "arbiter").text)
    assert string("page.step.last-results", round=1) in desk
    assert string("page.desk.waits", 1, boards="2") in desk
    tournament = hall.site.tournament(hall.tournament)
    tournament.record(1, {2: "1-0"}, by=person("Anna Arbiter"))
    final = string("page.standings.final")
    assert final not in words(get(hall, address(hall, "/standings")).text)
    tournament.close(by=person("Anna Arbiter"))
    assert final in words(get(hall, address(hall, "/standings")).text)


def test_a_result_that_was_cleared_or_corrected_is_no_longer_among_the_latest(hall: Hall) -> None:
    hall.open(rounds=3, players=4)
    hall.play(1, "1-0")
    tournament = hall.site.tournament(hall.tournament)
    tournament.record(1, {2: "½-½"}, by=person("Anna Arbiter"))
    pages = [("", None), ("/desk", "arbiter")]

    def news(path: str, role: str | None) -> list[str]:
        text = get(hall, address(hall, path), *([role] if role else [])).text
        listed = re.search(r'(?s)class="news">(.*?)</[ou]l>', text)
        return re.findall(r"Board (\d)", listed[1]) if listed else []

    assert [news(*page) for page in pages] == [["2", "1"]] * 2
    assert hall.send(
        {"do": "correct-result", "round": 1, "board": 1, "outcome": "0-1"}, why="slip"
    ).is_success
    assert [news(*page) for page in pages] == [["2"]] * 2
    assert hall.send({"do": "clear-result", "round": 1, "board": 2}, why="slip").is_success
    assert [news(*page) for page in pages] == [[]] * 2


def test_a_warning_is_a_question_and_its_answer_is_recorded(event: Hall) -> None:
    people = address(event, "/desk/players")
    fields = form(get(event, people, "arbiter").text, people) | {
        "name": "Ada",
        "rating": "1800",
        "why": "train",
    }
    asked = post(event, people, fields)

    assert asked.status_code == 409
    assert string("page.ask.title") in words(asked.text)
    before = event.version()
    answer = form(asked.text, people, '<form class="ask')
    assert post(event, people, answer).status_code == 303
    assert event.version() == before + 1


def test_the_address_of_a_player_has_an_id_that_is_no_pairing_number(event: Hall) -> None:
    old = get(event, address(event, "/players/2?at=5"))
    assert (old.status_code, old.headers["location"]) == (303, address(event, "/players/p2?at=5"))
    assert get(event, address(event, "/desk/players/2"), "arbiter").status_code == OK
    pages = [
        get(event, address(event, path), "arbiter").text
        for path in ("", "/standings", "/desk/players", "/desk/players/p2")
    ]
    found = [one for page in pages for one in re.findall(r'/players/([^"?/]+)', page)]
    assert found
    assert all(re.fullmatch("p[0-9]+", one) for one in found)
    links = re.findall(r"why\?player=([^\"&]+)", get(event, address(event, "/rounds/1")).text)
    assert links
    assert all(re.fullmatch("p[0-9]+", one) for one in links)


def test_an_entry_made_by_mistake_is_removed_or_merged_in_the_browser(entries: Hall) -> None:
    one = address(entries, "/desk/players/p1")
    remove = string("page.people.remove")
    assert remove in words(get(entries, one, "arbiter").text)
    removed = post(entries, one, {"key": "r1", "do": "remove"})
    assert removed.status_code == 303
    told = sentence("log.player-removed", player=1, people=NAMED)
    assert f"{told}." in words(get(entries, removed.headers["location"], "arbiter").text)
    assert get(entries, one, "arbiter").status_code == 404
    two = address(entries, "/desk/players/p2")
    asked = post(entries, two, {"key": "m1", "do": "merge", "other": "3"})
    assert asked.status_code == 409
    assert sentence("not-alike", player=2, other=3, people=NAMED) in words(asked.text)
    answer = form(asked.text, two, '<form class="ask')
    merged = post(entries, two, answer)
    assert merged.status_code == 303
    assert get(entries, merged.headers["location"], "arbiter").status_code == OK
    names = [player.name for player in entries.site.tournament(entries.tournament).now().players().players]
    assert len(names) == 4
    entries.pair(1)
    paired = get(entries, address(entries, "/desk/players/p4"), "arbiter").text
    assert remove not in words(paired)


def test_nobody_is_corrected_under_an_id_that_nobody_has(entries: Hall) -> None:
    nobody = address(entries, "/desk/players/p99")
    wanted = {"key": "c1", "do": "correct", "name": "Ada", "why": "typing error"}

    assert post(entries, nobody, wanted).status_code == 404


def test_players_are_kept_apart_before_round_1_and_after_it_level_5_has_the_way_back_alone(
    entries: Hall,
) -> None:
    one = address(entries, "/desk/players/p1")
    assert post(entries, one, {"key": "a1", "do": "apart", "other": "2"}).status_code == 303
    apart = string("page.people.apart-now", name="Ben")
    assert apart in words(get(entries, one, "arbiter").text)
    assert post(entries, one, {"key": "a2", "do": "together", "other": "2"}).status_code == 303
    assert apart not in words(get(entries, one, "arbiter").text)

    entries.pair(1)
    late = post(entries, one, {"key": "a3", "do": "apart", "other": "2"})
    assert late.status_code == 409
    [asked] = re.findall(r'<form class="ask l5".*?</form>', late.text, re.DOTALL)
    assert string("page.ask.barred") in words(asked)
    assert "<button" not in asked
    assert f'href="{one}"' in asked


def test_a_correction_is_shown_before_it_is_made(event: Hall) -> None:
    correct = address(event, "/desk/correct")
    page = get(event, f"{correct}?round=1&board=1&result=0-1&why=both+sheets", "arbiter").text
    change = {"white": 1, "black": 4, "was": parse_outcome("1-0"), "result": parse_outcome("0-1")}
    line = sentence(
        "log.result-corrected", round=1, board=1, scope="pairing-after-next", people=NAMED, **change
    )
    assert line in words(page)

    done = post(event, correct, form(page, correct, '<form class="ask'))
    assert lands(done) == address(event, "/corrections")
    told = string("page.correction.result", round=1, board=1, now="0–1", was="1–0")
    assert told in words(get(event, address(event, "/corrections"), "arbiter").text)


def seat(board: int, white: int, black: int, result: str) -> Message:
    """A board that was played, as a line of the log names it."""
    return say("log.seat", board=board, white=white, black=black, result=parse_outcome(result))


def test_who_met_is_shown_before_it_is_put_on_record(hall: Hall) -> None:
    """Round 1 of six: 1-4, 5-2, 3-6. Numbers 2 and 4 sat in each other's seats."""
    hall.open()
    hall.play(1, "1-0", "½-½", "0-1")
    correct, question = address(hall, "/desk/correct"), string("page.correct.met")
    page = words(get(hall, correct, "arbiter").text)
    assert question not in page, "the boards can still be altered"
    hall.pair(2)
    hall.publish(2)
    before = hall.version()

    assert question in words(get(hall, f"{correct}?round=1", "arbiter").text)
    half = get(hall, f"{correct}?round=1&one=2&other=4&first=1-0&why=seen", "arbiter").text
    assert refusal_on(half) == sentence("did-not-meet", white=5, black=4, round=1, board=2, people=NAMED)
    page = get(hall, f"{correct}?round=1&one=2&other=4&first=1-0&second=0-1&why=seen", "arbiter").text
    told = words(page)
    boards = {
        "now": [seat(1, 1, 2, "1-0"), seat(2, 5, 4, "0-1")],
        "instead": [seat(1, 1, 4, "1-0"), seat(2, 5, 2, "=")],
    }
    line = sentence("log.boards-corrected", round=1, scope="pairing-after-next", people=NAMED, **boards)
    assert line in told
    assert "### Correction @ Round 1: 1-4:1-0 5-2:=-= => 1-2:1-0 5-4:0-1 (boards as played)" in told
    assert '<form class="ask l4' in page
    assert hall.version() == before, "looking records nothing"

    done = post(hall, correct, form(page, correct, '<form class="ask'))

    assert lands(done) == address(hall, "/corrections")
    first = hall.site.tournament(hall.tournament).now().state.rounds[0]
    assert first.boards[:2] == ((1, 2), (5, 4))
    met = string("page.correction.met", round=1, board=2, now="0–1")
    assert met in words(get(hall, address(hall, "/corrections"), "arbiter").text)


@pytest.mark.parametrize(
    "query", ["one=2", "one=x&other=4", "one=2&other=99&first=1-0&second=1-0", "one=2&other=2"]
)
def test_who_met_in_a_form_that_makes_no_sense_is_told_in_a_sentence(hall: Hall, query: str) -> None:
    hall.open()
    hall.play(1, "1-0", "½-½", "0-1")
    hall.pair(2)
    hall.publish(2)
    before = hall.version()

    answer = get(hall, address(hall, f"/desk/correct?round=1&{query}"), "arbiter")

    assert answer.status_code in (200, 422)
    assert "internal" not in answer.text
    assert hall.version() == before


def pair(white: int, black: int) -> Message:
    """A board as the warning about boards by hand names it."""
    return say("log.pair", white=white, black=black)


def test_an_alteration_is_shown_with_the_engines_boards_and_each_breach_before_it_is_made(
    event: Hall,
) -> None:
    alter = address(event, "/desk/alter")
    before = event.version()
    last = event.site.tournament(event.tournament).now().state.rounds[0]
    one, other = last.boards[0]
    page = get(event, f"{alter}?do=pair&one={one}&other={other}&why=appeal", "arbiter").text
    told, level = words(page), string("page.ask.level", level=3)
    assert f"{level}: {sentence('rematch', white=one, black=other, people=NAMED)}" in told
    by_hand = {"now": [pair(6, 5), pair(1, 4)], "instead": [pair(6, 1), pair(4, 5)]}
    assert sentence("manual-pairing.instead", round=2, people=NAMED, **by_hand) in told
    assert event.version() == before, "looking records nothing"

    fields = form(page, alter, '<form class="ask')
    unread = {name: value for name, value in fields.items() if name != "ack:rematch"}
    asked = post(event, alter, unread)
    assert (asked.status_code, event.version()) == (409, before)
    assert string("page.ask.title") in words(asked.text)

    assert lands(post(event, alter, fields)) == address(event, "/desk")
    assert post(event, alter, fields).status_code == 303, "the same form again is the same alteration"
    assert event.version() == before + 3
    now = event.site.tournament(event.tournament).now()
    assert (one, other) in now.state.rounds[-1].boards
    assert now.boards().altered
    assert [one.why for one in now.facts if isinstance(one.fact, PairingsAltered)] == ["appeal"]
    assert string("page.alter.differs") in words(get(event, alter, "arbiter").text)


def test_two_players_who_change_seats_get_the_engines_boards_back(event: Hall) -> None:
    alter = address(event, "/desk/alter")
    for _ in range(2):
        page = get(event, f"{alter}?do=swap&one=1&other=2&why=asked", "arbiter").text
        assert post(event, alter, form(page, alter, '<form class="ask')).status_code == 303
    assert not event.site.tournament(event.tournament).now().boards().altered


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("do=swap&one=1&other=1", say("meets-themself")),
        ("do=pair&one=1&other=1", say("meets-themself")),
        ("do=pair&one=1&other=99", say("no-such-player", id="p99", last=6)),
        ("do=burn&one=1&other=2", say("page.neither-swap-nor-pair", text="burn")),
        ("do=swap&one=x&other=2", say("page.not-a-number", id="one", text="x")),
    ],
)
def test_an_alteration_that_cannot_be_is_refused_on_the_page(event: Hall, asked: str, said: Message) -> None:
    before = event.version()
    page = get(event, f"{address(event, '/desk/alter')}?{asked}", "arbiter")
    assert page.status_code == 200
    assert refusal_on(page.text) == Speaker().say(said)
    assert event.version() == before


def test_an_alteration_decided_on_an_old_page_is_refused(event: Hall) -> None:
    alter = address(event, "/desk/alter")
    page = get(event, f"{alter}?do=swap&one=1&other=2&why=asked", "arbiter").text
    assert event.send({"do": "withdraw-player", "player": 6}, why="ill").status_code == 201
    before = event.version()
    assert post(event, alter, form(page, alter, '<form class="ask')).status_code == 412
    assert event.version() == before


def upload(hall: Hall, file: bytes, role: str = "arbiter", **more: str) -> Any:
    """Send a file as a browser does."""
    headers = {"authorization": f"Bearer {hall.keys[role]}"}
    return hall.http.request(
        "POST",
        address(hall, "/desk/import"),
        headers=headers,
        files={"file": ("players.csv", file)},
        data=more,
        follow_redirects=False,
    )


@pytest.fixture
def entries(hall: Hall) -> Hall:
    """Six players are registered, nothing is paired."""
    hall.open(rounds=3, players=6)
    return hall


SHEET = "name,rating,fide_id,shoe\nAda,2300,5000,41\nZoë 'Z' \"Zed\",1900,777,38\nYves,,,\n".encode()


def test_a_file_of_players_is_shown_before_it_is_taken(entries: Hall) -> None:
    before = entries.version()
    page = upload(entries, SHEET)
    assert page.status_code == 200
    assert entries.version() == before, "looking records nothing"
    told = words(page.text)
    assert string("page.import.new", 2) in told
    assert string("page.import.updated", 1) in told
    assert string("page.import.differs", field="rating", was=2200, says=2300) in told
    assert string("page.import.missing", 5, names="Ben; Cleo; Dag; Eva; Finn") in told
    assert string("page.import.skipped", columns="shoe") in told

    record = address(entries, "/desk/import/record")
    fields = form(page.text, record, '<form class="ask')
    assert lands(post(entries, record, fields)) == address(entries, "/desk/players")
    assert post(entries, record, fields).status_code == 303, "the same form again is the same import"
    players = entries.site.tournament(entries.tournament).now().players().players
    assert len(players) == 8
    [zoe] = [one for one in players if one.fide_id == 777]
    assert (zoe.name, zoe.rating) == ("Zoë 'Z' \"Zed\"", 1900)
    [ada] = [one for one in players if one.name == "Ada"]
    assert (ada.rating, ada.fide_id) == (2300, 5000)
    again = words(upload(entries, SHEET).text)
    assert string("page.import.new", 0) in again
    assert string("page.import.same", 3) in again
    assert string("page.import.button") not in again


def test_what_is_left_out_of_a_file_is_said(entries: Hall) -> None:
    page = words(upload(entries, b"Nom;Elo;Rapide\nYves;1850 N;1800 N\n").text)
    assert sentence("import.rating-not-fides", label="rapid_rating", code="N", numbers=[2]) in page


def test_lines_from_a_spreadsheet_are_as_good_as_a_file(entries: Hall) -> None:
    page = words(upload(entries, b"", text="name\trating\nYves\t1800\n").text)
    assert string("page.import.new", 1) in page


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (
            b"name,rating\nYves,high\n",
            say("import.line", line=2, what=say("import.not-a-number", label="rating", text="high")),
        ),
        (b"rating\n1800\n", say("import.no-name-column", line=1, known=tuple(COLUMNS))),
        (b"PK\x03\x04 no workbook", say("import.damaged")),
    ],
)
def test_a_file_with_a_fault_registers_nobody(entries: Hall, file: bytes, said: Message) -> None:
    before = entries.version()
    page = upload(entries, file)
    assert page.status_code < 500
    assert Speaker().say(said) in words(page.text)
    assert string("page.import.button") not in words(page.text)
    assert entries.version() == before


def test_a_late_file_asks_for_a_reason_and_a_namesake_for_a_tick(event: Hall) -> None:
    page = upload(event, b"name,rating\nYves,1800\nYves,1700\n").text
    assert string("page.ask.level", level=3) in words(page)
    record = address(event, "/desk/import/record")
    fields = form(page, record, '<form class="ask')
    before = event.version()
    assert post(event, record, fields).status_code in (409, 422)
    assert event.version() == before
    assert post(event, record, fields | {"key": "again", "why": "train"}).status_code == 303
    assert event.version() == before + 2


def test_an_upload_that_is_cut_off_is_refused(entries: Hall) -> None:
    for content_type, body in (
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nna'),
    ):
        headers = {"authorization": f"Bearer {entries.keys['arbiter']}", "content-type": content_type}
        answer = entries.http.request("POST", address(entries, "/desk/import"), headers=headers, content=body)
        assert answer.status_code == 400
    assert upload(entries, SHEET, "deputy").status_code == 403


def test_what_if_stands_beside_the_record_and_records_nothing(event: Hall) -> None:
    before = event.version()
    page = get(event, f"{address(event, '/record/what-if')}?round=1&board=1&result=0-1", "officer").text
    assert string("page.what-if.differs", round=2) in words(page)
    assert string("page.what-if.branch") in words(page)
    assert string("page.what-if.standings", after=2) in words(page)
    assert event.version() == before

    with pytest.raises(Invalid) as unreadable:
        parse_outcome("7-7")
    for asked, said in (
        ("round=1&board=1&result=1-0", say("nothing-to-suppose", board=1, round=1)),
        ("round=1&board=9&result=1-0", say("no-such-board", board=9, round=1, last=3)),
        ("round=1&board=1&result=7-7", unreadable.value.said),
    ):
        refused = get(event, f"{address(event, '/record/what-if')}?{asked}", "officer")
        assert refused.status_code == 200
        assert refusal_on(refused.text) == Speaker().say(said)


def test_replay_gives_every_round_its_tick_and_names_the_arbiters_hand(event: Hall) -> None:
    page = get(event, address(event, "/record/replay"), "officer").text
    assert string("page.replay.fine", 2) in words(page)
    assert page.count("✓") == 2
    event.site.tournament(event.tournament).swap_players(
        1, 2, by=person("Anna").because("asked").accepting("manual-pairing", "rematch", "colour")
    )
    page = get(event, address(event, "/record/replay"), "officer", accept_language="en").text
    assert string("page.verdict.altered") in words(page)
    assert page.count("✓") == 2


def test_a_result_on_the_wrong_board_is_cleared(event: Hall) -> None:
    event.publish(2)
    event.send({"do": "record-result", "round": 2, "board": 1, "outcome": "1-0"})
    correct = address(event, "/desk/correct")
    page = get(event, f"{correct}?round=2&board=1", "arbiter").text
    fields = form(page, address(event, "/desk/clear")) | {"why": "it was board 2"}

    assert post(event, address(event, "/desk/clear"), fields).status_code == 303
    assert get(event, address(event, "/desk"), "arbiter").text.count("data-choose") == 3


def test_a_deputy_enters_own_boards_and_nothing_else(event: Hall) -> None:
    event.publish(2)
    event.keys["pocket"] = event.key_for("deputy", "Finn", tournament=event.tournament, boards=(1, 2))
    phone = address(event, "/phone")

    assert string("page.phone.open", 2) in words(get(event, phone, "pocket").text)
    assert get(event, f"{phone}/3", "pocket").status_code == 404
    fields = form(get(event, f"{phone}/1?result=1-0", "pocket").text, f"{phone}/1")
    assert lands(post(event, f"{phone}/1", fields, "pocket")) == f"{phone}/1"
    assert string("page.phone.recorded") in words(get(event, f"{phone}/1?done=18", "pocket").text)
    forged = post(event, f"{phone}/2", fields | {"key": "k2", "result": "1F-0F"}, "pocket")
    assert forged.status_code == 403
    assert refusal_on(forged.text) == sentence("http.result-of-arbiter", value="1F-0F")


def test_a_deputy_takes_back_an_own_entry_at_once_and_no_other(event: Hall) -> None:
    event.publish(2)
    event.keys["pocket"] = event.key_for("deputy", "Finn", tournament=event.tournament, boards=(1, 2))
    phone = address(event, "/phone")
    fields = form(get(event, f"{phone}/1?result=1-0", "pocket").text, f"{phone}/1")
    post(event, f"{phone}/1", fields, "pocket")
    before = event.version()

    undo = form(get(event, f"{phone}/1?done=18", "pocket").text, f"{phone}/1/undo")
    assert post(event, f"{phone}/1/undo", undo, "pocket").headers["location"] == f"{phone}/1?undone"
    assert event.version() == before + 1
    assert string("page.phone.open", 2) in words(get(event, phone, "pocket").text)
    event.send({"do": "record-result", "round": 2, "board": 2, "outcome": "1-0"})
    assert UNDO not in get(event, f"{phone}/2?done=18", "pocket").text
    assert post(event, f"{phone}/2/undo", undo | {"key": "k2"}, "pocket").status_code == 403


def test_two_deputies_of_one_name_do_not_take_back_each_others_entries(event: Hall) -> None:
    event.publish(2)
    for role in ("pocket", "purse"):
        event.keys[role] = event.key_for("deputy", "Finn", tournament=event.tournament, boards=(1, 2))
    phone = address(event, "/phone")
    fields = form(get(event, f"{phone}/1?result=1-0", "pocket").text, f"{phone}/1")
    post(event, f"{phone}/1", fields, "pocket")
    undo = form(get(event, f"{phone}/1?done=18", "pocket").text, f"{phone}/1/undo")

    assert UNDO not in get(event, f"{phone}/1?done=18", "purse").text
    assert post(event, f"{phone}/1/undo", undo, "purse").status_code == 403
    assert post(event, f"{phone}/1/undo", undo, "pocket").status_code == 303
    last = event.site.tournament(event.tournament).facts()[-1]
    assert last.through.startswith("api-key:")


def test_a_deputy_of_another_round_takes_nothing_back(event: Hall) -> None:
    event.publish(2)
    event.keys["pocket"] = event.key_for("deputy", "Finn", tournament=event.tournament, rounds=(1,))
    phone = address(event, "/phone")
    event.send({"do": "record-result", "round": 2, "board": 1, "outcome": "1-0"})
    refused = post(event, f"{phone}/1/undo", {"key": "k1", "round": "2"}, "pocket")
    assert refused.status_code == 403
    others = sentence("http.round-of-others", who="Finn", numbers=[1], round=2)
    assert others in words(refused.text)


def test_an_arbiter_opens_a_tournament_in_the_browser(event: Hall) -> None:
    fields = form(get(event, "/", "arbiter").text, "/tournaments")
    opened = post(event, "/tournaments", fields | {"name": "New Open", "rounds": "5", "tiebreaks": "BH, SB"})
    assert opened.status_code == 303
    again = post(event, "/tournaments", fields | {"name": "New Open", "rounds": "5", "tiebreaks": "BH, SB"})
    assert again.headers["location"] == opened.headers["location"]
    named = post(event, "/tournaments", fields | {"key": "k8", "name": "New Open", "rounds": "5"})
    assert named.status_code == 409
    assert event.site.office.location not in named.text
    assert sentence("http.the-store") in words(named.text)
    assert get(event, opened.headers["location"], "arbiter").status_code == 200

    wrong = post(event, "/tournaments", {"key": "k9", "name": "X", "rounds": "5", "tiebreaks": "XYZ"})
    assert wrong.status_code in (409, 422)
    assert "XYZ" in wrong.text
    assert post(event, "/tournaments", {"key": "k9", "name": "X", "rounds": "5"}, "deputy").status_code == 403
    assert "New Open" in get(event, "/").text


def test_a_refused_form_for_deputies_keeps_what_is_still_to_be_done(event: Hall) -> None:
    grants, long = address(event, "/desk/grants"), "x" * 300
    swapped = post(event, grants, {"who": "Ann\r\nBo", "first": "9", "last": "2"})
    assert swapped.status_code == 422
    assert all(typed in swapped.text for typed in (">Ann\nBo</textarea>", 'value="9"', 'value="2"'))
    half = post(event, grants, {"who": f"Ann\r\n{long}", "first": "1", "last": "6"})
    assert half.status_code == 422
    assert all(left in half.text for left in (f">{long}</textarea>", 'value="4"', 'value="6"'))


def test_more_deputies_than_go_at_once_are_refused_and_none_is_dropped(event: Hall) -> None:
    grants, names = address(event, "/desk/grants"), [f"Deputy {at}" for at in range(51)]

    refused = post(event, grants, {"who": "\r\n".join(names)})

    assert refused.status_code == 422
    assert refusal_on(refused.text) == sentence("page.too-many-names", entered=51, most=50)
    assert "Deputy 50</textarea>" in refused.text
    assert "Deputy 0" not in get(event, grants, "arbiter").text


@pytest.mark.parametrize(
    ("typed", "amounts"),
    [
        ("200 100 50", ["200", "100", "50"]),
        ("500, 300", ["500", "300"]),
        ("500,300,80", ["500", "300", "80"]),
        ("500 ,300; 200;\n100,", ["500", "300", "200", "100"]),
        ("€500 € 300", ["500", "300"]),
        ("eur 500.00, 300.50 EUR", ["500.00", "300.50"]),
        ("500,50", ["500,50"]),
        ("500,5; 300", ["500,5", "300"]),
        ("2000,1000", ["2000", "1000"]),
        ("$500", ["$500"]),
    ],
)
def test_money_is_read_as_an_organiser_types_it(typed: str, amounts: list[str]) -> None:
    assert amounts_of(typed, "EUR") == amounts


@pytest.mark.parametrize("typed", ["500,300", "500,300,200", "1,000,000"])
def test_amounts_that_may_be_one_or_several_are_refused(typed: str) -> None:
    with refuses(UnreadableBody, "page.amounts-unclear", text=typed):
        amounts_of(typed, "EUR")


def test_a_link_for_a_deputy_is_shown_once_with_its_code(event: Hall) -> None:
    grants = address(event, "/desk/grants")
    made = post(event, grants, {"who": "Finn <b>", "first": "1", "last": "2"})

    assert made.status_code == 201
    assert "/sign-in#" in made.text
    assert "<svg" in made.text
    assert "Finn &lt;b&gt;" in made.text
    assert "/sign-in#" not in get(event, grants, "arbiter").text
    [id] = re.findall(rf'action="{re.escape(grants)}/([^"]+)"', get(event, grants, "arbiter").text)[-1:]
    assert post(event, f"{grants}/{id}", {}).status_code == 303
    wrong = post(event, grants, {"who": "Finn", "first": "x", "last": "2"})
    assert wrong.status_code == 422


def test_several_deputies_share_the_boards_on_one_sheet_of_cards(event: Hall) -> None:
    made = post(
        event, address(event, "/desk/grants"), {"who": "Ann\r\nBo\r\n\r\nCy", "first": "1", "last": "10"}
    )

    assert re.findall(r"<h2>Boards (\d+–\d+)</h2>", made.text) == ["1–3", "4–6", "7–10"]
    assert len(set(re.findall(r"/sign-in#[\w-]+", made.text))) == 3
    assert made.text.count("viewBox") >= 3, "a code is drawn to any size, and never cut off"
    assert string("page.grants.here-only") in words(made.text), "no phone can call 127.0.0.1"


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        ({"127.0.0.1"}, "http://127.0.0.1:8000/sign-in#x"),
        ({"127.0.0.1", "127.0.1.1", "hall.local"}, "http://127.0.0.1:8000/sign-in#x"),
        ({"127.0.0.1", "127.0.1.1", "192.168.1.5", "hall.local"}, "http://192.168.1.5:8000/sign-in#x"),
    ],
)
def test_a_link_made_at_the_machine_itself_leads_phones_to_it(hosts: set[str], expected: str) -> None:
    assert reachable("http://127.0.0.1:8000/sign-in#x", frozenset(hosts)) == expected


WHOLE = {"key": "k", "round": "2", "board": "1", "result": "1"}


@pytest.mark.parametrize(
    "changed", [{"key": ""}, {"key": " "}, {"round": "x"}, {"round": "9" * 9}, {"board": ""}, {"result": ""}]
)
def test_a_mangled_form_changes_nothing_and_is_answered_in_a_page(
    event: Hall, changed: dict[str, str]
) -> None:
    event.publish(2)
    before = event.version()
    answer = post(event, address(event, "/desk/result"), WHOLE | changed)

    assert 400 <= answer.status_code < 500
    assert "<h1" in answer.text
    assert event.version() == before
    assert post(event, address(event, "/desk/result"), WHOLE).status_code == 303


def test_who_asks_why_while_another_explanation_is_made_gets_it_a_moment_later(event: Hall) -> None:
    why = address(event, "/rounds/1/why?player=Ada")
    assert event.site.reviewer._turn.acquire(blocking=False)
    waiting = get(event, why)
    event.site.reviewer._turn.release()

    assert waiting.status_code == 429
    assert '<meta http-equiv="refresh" content="1">' in waiting.text
    assert get(event, why).status_code == 200


def test_two_questions_whose_names_run_together_alike_have_an_answer_each(hall: Hall) -> None:
    hall.open(players=4)
    for name in ("Ada/Ben", "Ben/Cleo"):
        hall.send({"do": "register-player", "details": {"name": name}})
    hall.play(1)
    asked = [{"player": "Ada/Ben", "not": "Cleo"}, {"player": "Ada", "not": "Ben/Cleo"}]

    pages = [get(hall, address(hall, f"/rounds/1/why?{urlencode(one)}")) for one in asked]
    answers = [
        hall.call("GET", f"/tournaments/{hall.tournament}/rounds/1/why?{urlencode(one)}") for one in asked
    ]

    for one, other in (pages, answers):
        assert (one.status_code, other.status_code) == (OK, OK)
        assert one.text != other.text


@pytest.mark.parametrize("value", ["1", "x", ""])
def test_a_form_that_also_has_the_fields_of_all_others_is_no_mistake_of_the_server(
    entries: Hall, value: str
) -> None:
    entries.pair(1)
    names = {"round", "board", "result", "white", "black", "one", "other", "first", "second", "last", "done"}
    names |= {"do", "letter", "name", "rating", "birth", "who", "sheet", "version", "edition", "rounds"}
    names |= {
        "cycles",
        "tiebreaks",
        "currency",
        "category0-name",
        "prize0-amounts",
        "white1",
        "black1",
        "given",
    }
    stray = dict.fromkeys(names, value) | {"why": "to be sure"}
    forms = [
        row for row in PAGES if row.method == "POST" and row.address.startswith(EVENT) and row.media == FORM
    ]

    for at, row in enumerate(forms):
        path = row.address.format(tournament=entries.tournament, player="p1", board=1, grant="g")
        answer = post(entries, path, stray | {"key": f"s{at}"})
        assert answer.status_code < 500, row.address


@pytest.mark.parametrize("result", ["", "1", "yes", "1:0", "adjourned"])
def test_who_is_no_longer_signed_in_keeps_whatever_the_form_held(event: Hall, result: str) -> None:
    sent = {"key": "g1", "round": "1", "board": "1", "result": result}
    answer = event.http.request(
        "POST", address(event, "/desk/result"), data=sent, headers={"accept": "text/html"}
    )

    assert answer.status_code == 401
    assert f'name="result" value="{result}"' in answer.text
