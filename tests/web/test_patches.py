"""Open pages take in what is new, line by line, and are then what somebody sees who opens them now."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from httpx import Response
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, Request, Route, expect

from paircard.cli.main import run
from paircard.service import Office
from paircard.web.cache import PATCHED, changes
from tests.web.browsing import reader
from tests.web.hall import Hall
from tests.web.running import Running, running

SHOWN = """() => [document.title, document.body.dataset.feed,
  ...["#main", "header.top .line", "header.top .facts", ".hall > header", "footer"].map((part) => {
    const shown = document.querySelector(part)?.cloneNode(true);
    shown?.querySelectorAll(".clock").forEach((clock) => clock.replaceChildren());
    return shown?.outerHTML.replace(/ class="game new"/g, ' class="game"');
  })]"""
"""All that a page shows, but for the time of day and what is marked as new."""


class Event:
    """Ten players, one round played and the second in play, served; what an arbiter does there."""

    def __init__(self, file: Path, server: Running) -> None:
        self.server, self.arbiter = server, server.client()
        with Office.open(file) as office:
            self.id = office.ids()[0]

    def address(self, path: str) -> str:
        return f"{self.server.base}/tournaments/{self.id}{path}"

    def does(self, *commands: dict[str, object], why: str = "", ack: tuple[str, ...] = ()) -> None:
        seen = self.arbiter.overview(self.id).version
        self.arbiter.send(self.id, *commands, expected=seen, why=why, ack=ack)

    def result(self, round: int, board: int, outcome: str) -> None:
        self.does({"do": "record-result", "round": round, "board": board, "outcome": outcome})

    @property
    def version(self) -> int:
        """Of the public's now."""
        return self.server.anybody().overview(self.id).version


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    file = tmp_path / "open.db"
    for words in (
        ("new", "Patches", "--rounds", "4", "--tiebreaks", "BH/C1,BH,SB"),
        *(("player", "add", f"Player {one}", "--rating", f"{2065 - ord(one)}") for one in "ABCDEFGHIJ"),
        ("draw", "--colour", "white"), ("pair",), ("publish",),
        ("result", "1", "1", "1-0", "2", "0-1", "3", "=", "4", "1-0", "5", "0-1"), ("pair",), ("publish",),
    ):  # fmt: skip
        assert run(["--db", str(file), *words]) == 0
    with running(str(file), tmp_path / "server.log") as server:
        yield Event(file, server)


PATHS = (
    "/standings?after=2", "/standings", "/players/p3", "/players/p10", "/rounds/2", "/crosstable", "/players",
    "/screen?show=standings&every=600", "/screen?show=pairings&every=600",
)  # fmt: skip


def test_a_page_that_took_in_everything_is_the_page_that_is_opened_now(
    event: Event, chromium: Browser
) -> None:
    with ExitStack() as readers:  # each of their own: a browser has only so many connections to a server
        pages: dict[str, Page] = {}
        answers: Counter[tuple[str, int]] = Counter()
        for path in PATHS:
            page = pages[path] = readers.enter_context(reader(chromium)).new_page()
            with page.expect_response(lambda answer: "/feed" in answer.url):
                page.goto(event.address(path))
            page.on("response", lambda one: answers.update([(one.url, one.status)]))
        fresh = readers.enter_context(reader(chromium)).new_page()

        def all_are_fresh(what: str) -> None:
            version = event.version
            for path, page in pages.items():
                page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # looked at again
                expect(page.locator("body")).to_have_attribute(
                    "data-feed", re.compile(f"after={version}$"), timeout=15_000
                )
                fresh.goto(event.address(path))
                assert page.evaluate(SHOWN) == fresh.evaluate(SHOWN), f"{path} after {what}"

        event.result(2, 1, "1-0")
        event.result(2, 2, "1-0")
        all_are_fresh("two results")
        correction = {"do": "correct-result", "round": 1, "board": 3, "outcome": "0-1"}
        event.does(correction, why="both score sheets say so", ack=("correction",))
        all_are_fresh("a correction of the round before")
        event.does({"do": "withdraw-player", "player": 4})
        all_are_fresh("a withdrawal")
        for path in PATHS:
            assert answers[event.address(path), 226] > 1, path
            assert answers[event.address(path), 200] == 1, "what lay in the cache of the browser"
        event.does({"do": "erase-person", "player": 3}, why="asked for it", ack=("erase-while-running",))
        all_are_fresh("an erasure")
        for page in pages.values():
            assert "Player C" not in page.inner_html("body")
        for board in (3, 4, 5):
            event.result(2, board, "½-½")
        all_are_fresh("the end of the round")
        event.does({"do": "pair-round", "round": 3})
        event.does({"do": "publish-round", "round": 3})
        all_are_fresh("a published round")
        expect(pages["/players/p10"].locator("#published")).to_be_visible()


def test_a_page_that_was_given_late_is_asked_for_again(event: Event, chromium: Browser) -> None:
    """While the next page of a large event is made, readers get the last one."""
    with reader(chromium) as context:
        page = context.new_page()
        with page.expect_response(lambda answer: "/feed" in answer.url):
            page.goto(event.address("/standings?after=2"))
        before = context.request.get(event.address("/standings?after=2"))
        asked: list[Request] = []

        def answer_late(route: Route) -> None:
            asked.append(route.request)
            if len(asked) == 1:  # a browser whose answers are played has no cache
                route.fulfill(response=before)
            elif len(asked) < 4:
                route.fulfill(status=304)
            else:
                route.continue_()

        page.route("**/standings?after=2", answer_late)
        event.result(2, 1, "1-0")
        expect(page.locator("tr", has_text="Player J").locator(".pts")).to_contain_text("2", timeout=15_000)
        assert len(asked) == 4


LINES = st.lists(st.sampled_from([b"", b"<tr>", b"</tr>", b"Ada", b"Bea", "Zoë".encode(), b"1"]), max_size=30)


@given(LINES, LINES)
def test_the_lines_that_are_new_make_the_new_page_of_the_old(old: list[bytes], new: list[bytes]) -> None:
    patch = changes([hash(line) for line in old], b"\n".join(new))

    assert applied(patch, b"\n".join(old)) == b"\n".join(new)


def applied(patch: bytes, old: bytes) -> bytes:
    """What the script of the pages makes of a patch."""
    lines, made = old.split(b"\n"), list[bytes]()
    for part in msgspec.json.decode(patch, type=list[str | tuple[int, int]]):
        made += [part.encode()] if isinstance(part, str) else lines[part[0] : part[0] + part[1]]
    return b"\n".join(made)


def enter(hall: Hall, turn: int) -> None:
    """A result on boards 1 and 2 in turn; it is cleared the next time."""
    where = {"round": 1, "board": 1 + turn % 2}
    if turn % 4 < 2:
        done = hall.send({"do": "record-result", **where, "outcome": "1-0"})
    else:
        done = hall.send({"do": "clear-result", **where}, why="slip", ack=["correction"])
    assert done.status_code == 201, done.text


def since(hall: Hall, page: str, tag: str) -> Response:
    return hall.http.request("GET", page, headers={"a-im": "paircard-lines", "if-none-match": tag})


def test_who_has_a_page_from_before_is_sent_the_lines_that_are_new(hall: Hall) -> None:
    hall.open(players=8, rounds=3)
    hall.play(1)
    page = f"/tournaments/{hall.tournament}/standings?after=1"
    first = last = hall.http.request("GET", page)
    for turn in range(PATCHED):
        enter(hall, turn)
        whole = hall.http.request("GET", page)
        for before in (first, last):
            patch = since(hall, page, before.headers["etag"])
            assert patch.status_code == 226
            assert patch.headers["delta-base"] == before.headers["etag"]
            assert patch.headers["etag"] == whole.headers["etag"]
            assert patch.headers["cache-control"] == "no-store"
            assert applied(patch.content, before.content) == whole.content
            assert len(patch.content) * 2 < len(whole.content)
        last = whole
    assert since(hall, page, last.headers["etag"]).status_code == 304
    enter(hall, PATCHED)

    assert since(hall, page, last.headers["etag"]).status_code == 226
    assert since(hall, page, first.headers["etag"]).status_code == 200, "that is too long ago"
    assert since(hall, page, '"p7-never"').status_code == 200


def test_no_line_from_before_an_erasure_is_patched(hall: Hall) -> None:
    hall.open(players=8, rounds=3)
    hall.play(1)
    page = f"/tournaments/{hall.tournament}/players"
    first = hall.http.request("GET", page)
    hall.send({"do": "erase-person", "player": 1}, why="asked for it", ack=["erase-while-running"])

    answer = since(hall, page, first.headers["etag"])

    assert answer.status_code == 200
    assert "Ada" not in answer.text
