"""Large events: their public pages are made by a process of their own, and may be a second old."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from pathlib import Path

import pytest
from msgspec.structs import replace

from paircard.domain.proof.copies import back_up, restore
from paircard.domain.state import state_after
from paircard.service.print.rendering import Frame, Links
from paircard.web import looking
from paircard.web.cache import Cache, Made
from paircard.web.pages.public import pairings_page
from paircard.web.reviewer import Logs
from tests.web.hall import QUICK, Hall, hall_at


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A hall that counts as large."""
    with hall_at(str(tmp_path / "open.db"), replace(QUICK, large=1)) as hall:
        hall.open(players=8, rounds=3)
        hall.play(1, "1-0", "0-1")
        yield hall


PAGES = ("", "/rounds/1", "/rounds/1?find=ada", "/rounds/1?by=name", "/standings", "/crosstable", "/players",
         "/players/p1", "/screen", "/corrections", "/rounds/1/sheet")  # fmt: skip
VIEWS = ("", "/rounds/1", "/standings", "/crosstable", "/players", "/players/p1", "/players/p1/arithmetic")


def test_the_process_makes_the_pages_that_a_thread_would(hall: Hall) -> None:
    at = f"/tournaments/{hall.tournament}"
    addresses = [at + page for page in PAGES] + [f"/api/v1{at}{view}" for view in VIEWS]
    by_press = {address: hall.http.request("GET", address).text for address in addresses}
    assert hall.site.press._process is not None
    hall.site.cache.clear()
    hall.site.settings = replace(hall.site.settings, large=1000)  # type: ignore[misc]

    for address, text in by_press.items():
        assert hall.http.request("GET", address).text == text, address


def test_the_process_is_told_the_public_log_and_nothing_else(hall: Hall) -> None:
    for board in (3, 4):
        hall.send({"do": "record-result", "round": 1, "board": board, "outcome": "1-0"})
    hall.pair(2)
    hall.http.request("GET", f"/tournaments/{hall.tournament}/standings")

    [told] = hall.site.press._told.values()
    assert list(told) == list(hall.site.public_moment(hall.tournament).facts)
    assert "1990-04-23" not in repr(told), "a date of birth"


def test_a_process_that_was_killed_is_made_again_and_told_everything(hall: Hall) -> None:
    page = f"/tournaments/{hall.tournament}/players/p1"
    assert hall.http.request("GET", page).status_code == 200
    process = hall.site.press._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    hall.send({"do": "record-result", "round": 1, "board": 3, "outcome": "1-0"})
    hall.site.cache.clear()

    assert hall.http.request("GET", page).status_code == 200


def test_the_public_sees_a_new_result_within_a_second_and_who_entered_it_at_once(hall: Hall) -> None:
    page = f"/tournaments/{hall.tournament}"
    key = {"authorization": f"Bearer {hall.keys['arbiter']}"}
    first = hall.http.request("GET", page)
    assert "2 of 4 results" in first.text
    assert "2 of 4 results" in hall.http.request("GET", page, headers=key).text
    hall.send({"do": "record-result", "round": 1, "board": 3, "outcome": "1-0"})

    assert "3 of 4 results" in hall.http.request("GET", page, headers=key).text
    begun = time.monotonic()
    seen = hall.http.request("GET", page)
    while seen.text == first.text:
        assert seen.headers["etag"] == first.headers["etag"], "an old page says so"
        assert time.monotonic() - begun < looking.LATE + 5
        seen = hall.http.request("GET", page)

    assert "3 of 4 results" in seen.text


def numbers(tags: Iterable[str]) -> list[int]:
    """The public moments that tags of pages name."""
    return [int(tag[2:].partition(".")[0]) for tag in tags]


def table_of(text: str) -> str:
    """All results of a page, and how many of them it counts, without its links."""
    return re.sub(r"<[^>]*>", "", text[text.index("<main") : text.index("</main")])


def test_readers_of_a_page_that_changes_never_see_half_of_a_change(hall: Hall) -> None:
    """The head of a page counts the results, its table shows them, its tag names the moment."""
    page, over = f"/tournaments/{hall.tournament}", threading.Event()
    seen: dict[str, str] = {}
    mixed: list[str] = []

    def read() -> None:
        while not over.is_set():
            answer = hall.http.request("GET", page)
            if seen.setdefault(answer.headers["etag"], answer.text) != answer.text:
                mixed.append(answer.headers["etag"])

    reader = threading.Thread(target=read)
    reader.start()
    for outcome in ("1-0", "", "0-1", "", "1-0"):
        known, end = len(seen), time.monotonic() + 20
        if outcome:
            hall.send({"do": "record-result", "round": 1, "board": 3, "outcome": outcome})
        else:
            hall.send({"do": "clear-result", "round": 1, "board": 3}, why="slip", ack=["correction"])
        while len(seen) == known and time.monotonic() < end:
            time.sleep(0.01)
    over.set()
    reader.join()
    log, frame = hall.site.known(hall.tournament), Frame(links=Links("/t"))
    moment = partial(hall.site.public(hall.tournament).moment, log)
    fresh = {number: pairings_page(moment(number), frame=frame) for number in numbers(seen)}

    assert len(fresh) > 3
    for tag, text in seen.items():
        [number] = numbers([tag])
        assert table_of(text) == table_of(fresh[number]), tag
    assert not mixed


def test_an_erased_name_is_on_no_page_that_is_given_late(hall: Hall) -> None:
    page = f"/tournaments/{hall.tournament}/players"
    assert "Ada" in hall.http.request("GET", page).text

    done = hall.send({"do": "erase-person", "player": 1}, why="asked for it", ack=["erase-while-running"])

    assert done.status_code == 201, done.text
    assert "Ada" not in hall.http.request("GET", page).text
    told = hall.site.press.run(attrgetter("facts"), at=hall.site.public_moment(hall.tournament))
    assert "Ada" not in repr(told), "the process has forgotten it, too"


def test_the_last_answer_is_given_while_the_next_is_made_and_not_for_longer() -> None:
    cache, begun, go_on = Cache(10_000), threading.Event(), threading.Event()
    later: list[threading.Thread] = []
    waited: list[Made] = []

    def slowly() -> Made:
        begun.set()
        assert go_on.wait(10)
        return Made(b"second")

    def in_a_thread(work: Callable[[], object]) -> None:
        later.append(threading.Thread(target=work))
        later[-1].start()

    assert cache.get("page", lambda: b"first", 1).body == b"first"
    assert cache.get("page", slowly, 2, late=60, later=in_a_thread).body == b"first"
    assert begun.wait(10)
    assert cache.find("page", 2, late=60) is not None, "it was the newest a moment ago"
    assert cache.find("page", 2, late=0) is None
    assert cache.get("page", slowly, 2, late=60, later=in_a_thread).version == 1
    in_a_thread(lambda: waited.append(cache.get("page", lambda: b"another", 2)))
    later[1].join(0.1)
    assert not waited, "who may not see the last one waits for the next"
    go_on.set()
    for one in later:
        one.join()
    assert len(later) == 2, "it is made once"
    assert waited[0].body == b"second"
    assert cache.get("page", slowly, 2).body == b"second"
    assert cache.get("page", lambda: b"behind", 1).body == b"behind"
    found = cache.find("page", 2)
    assert found is not None
    assert found.body == b"second", "who is behind changes nothing for others"


def test_who_asks_a_little_behind_others_costs_no_second_reading_of_the_log(hall: Hall) -> None:
    """Phones ask while results come in: the process keeps the moments just before, with what it made."""
    for board in (3, 4):
        hall.send({"do": "record-result", "round": 1, "board": board, "outcome": "1-0"})
    facts, logs = hall.site.public_moment(hall.tournament).facts, Logs()
    last = len(facts)
    first = logs.moment(hall.tournament, 0, facts[: last - 3], last - 3)
    cards = first.rows()
    newest = logs.moment(hall.tournament, last - 3, facts[last - 3 :], last)
    between = logs.moment(hall.tournament, last, [], last - 1)

    assert [one.version for one in (first, between, newest)] == [last - 3, last - 1, last]
    assert logs.moment(hall.tournament, last, [], last - 3).rows() is cards
    assert logs.moment(hall.tournament, last, [], last - 1) is between
    assert logs.moment(hall.tournament, last, [], last) is newest
    assert between.state == state_after(facts[: last - 1])
    assert logs.moment(hall.tournament, last, [], 5).state == state_after(facts[:5]), "long ago"


def test_a_store_restored_underneath_is_another_for_the_process_too(hall: Hall, tmp_path: Path) -> None:
    """As many facts as before, of another past: the process is told them from the first."""
    page = f"/tournaments/{hall.tournament}/rounds/1"
    back_up(tmp_path / "open.db", tmp_path / "backup.db")
    hall.send({"do": "record-result", "round": 1, "board": 3, "outcome": "1-0"})
    before, process = hall.http.request("GET", page), hall.site.press._process
    restore(tmp_path / "backup.db", tmp_path / "open.db")
    while hall.http.request("GET", page).status_code == 503:
        pass  # once or twice before the server goes on
    hall.send({"do": "record-result", "round": 1, "board": 4, "outcome": "0-1"})
    end = time.monotonic() + 20
    while numbers([(seen := hall.http.request("GET", page)).headers["etag"]]) != numbers(
        [before.headers["etag"]]
    ):
        assert time.monotonic() < end

    now = hall.site.public_moment(hall.tournament)
    assert table_of(seen.text) == table_of(pairings_page(now, frame=Frame(links=Links("/t"))))
    assert table_of(seen.text) != table_of(before.text)
    assert list(hall.site.press._told[hall.tournament]) == list(now.facts)
    assert hall.site.press._process is process, "nothing failed on the way"
