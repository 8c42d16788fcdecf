"""The desk in a real Chromium: what is lit is what is recorded, whatever the network and others do."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from paircard.cli.main import run
from paircard.domain.values.results import parse_outcome
from paircard.pairing.dutch.editions import ENGINE
from paircard.service import Moment, Office
from paircard.service.desk import person
from tests.refusals import sentence
from tests.web.browsing import Site, reader
from tests.web.pages.reading import string
from tests.web.running import Running, running

BOARDS = 12
ARBITER = "Mara Vale"


class Desk(Site):
    """An event of twenty-four players, its server, and those who work at it."""

    def __init__(self, server: Running, file: Path, name: str) -> None:
        self.name = name
        super().__init__(server, file)

    def paircard(self, *words: str, who: str = "Ines Deputy") -> None:
        typed(self.file, who, "-t", self.name, *words)

    def now(self) -> Moment:
        with Office.open(self.file) as office:
            return office.tournament(self.name).now()

    def recorded(self, board: int, result: str) -> str:
        """What is said of an entry in round 1."""
        one = self.now().boards(1).boards[board - 1]
        names = {seat.id: seat.name for seat in (one.white, one.black)}
        seats = {"white": one.white.id, "black": one.black.id, "result": parse_outcome(result)}
        return sentence("log.result-recorded", round=1, board=board, people=names, **seats)

    def results(self, round: int = 1) -> dict[int, str]:
        """What is recorded, by board."""
        return {one.board: one.result for one in self.now().boards(round).boards if one.result}

    def until(self, page: Page, wanted: Callable[[], bool], seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not wanted():
            assert time.monotonic() < end, self.results()
            page.wait_for_timeout(50)

    def go_to(self, page: Page, path: str = "/desk") -> Page:
        page.goto(self.address(self.name, path))
        return page


def leads_to(page: Page, key: str, place: str) -> bool:
    """Whether a key puts the focus there; pressed again where a repaint came in between."""
    page.keyboard.press(key)
    return bool(page.evaluate("place => document.activeElement.closest(place) !== null", place))


def typed(file: Path, who: str, *words: str) -> None:
    assert run(["--db", str(file), "--as", who, *words]) == 0, words


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all of them, each with an event of its own."""
    folder = tmp_path_factory.mktemp("desks")
    with running(str(folder / "desks.db"), folder / "server.log") as server:
        yield server


@pytest.fixture
def desk(server: Running, request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """Round 1 is published, no result is in."""
    file, name = Path(server.location), f"Desk of {request.node.name}"
    sheet = tmp_path / "players.csv"
    sheet.write_text(
        "name,rating\n" + "".join(f"Player {k:02},{2400 - 10 * k}\n" for k in range(1, 2 * BOARDS + 1))
    )
    typed(file, ARBITER, "new", name, "--rounds", "5")
    for words in (("player", "import", str(sheet)), ("draw", "--colour", "white"), ("pair",), ("publish",)):
        typed(file, ARBITER, "-t", name, *words)
    return Desk(server, file, name)


@contextmanager
def arbiter(desk: Desk, chromium: Browser, who: str = ARBITER, mode: str = "desktop") -> Iterator[Page]:
    with reader(chromium, mode) as context:
        yield desk.go_to(desk.come_in(context, "arbiter", who))


def lit(page: Page, board: int) -> None:
    """The board is the selected one: in its row, in large type, in the form."""
    expect(page.locator("tr.sel .bd")).to_have_text(str(board))
    expect(page.locator("#stage .num .n")).to_have_text(str(board))
    expect(page.locator("#stage .results [name=board]")).to_have_value(str(board))
    names = page.locator(f"#b{board} .pl bdi").all_inner_texts()
    assert page.locator("#stage .side bdi").all_inner_texts() == names


def test_what_is_lit_is_recorded_after_others_have_entered_results(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium) as page:
        for board in (1, 2, 3, 4, 5, 6):
            lit(page, board)
            page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        desk.paircard("result", "1", "5", "1-0")
        expect(page.locator("#b5 .res")).to_have_text("1–0", timeout=10_000)
        lit(page, 6)
        page.keyboard.press("0")
        desk.until(page, lambda: 6 in desk.results())
        assert desk.results() == {5: "1-0", 6: "0-1"}
        lit(page, 7)


def test_a_board_that_somebody_else_entered_says_so_and_waits_for_a_key(
    desk: Desk, chromium: Browser
) -> None:
    with arbiter(desk, chromium) as page:
        lit(page, 1)
        desk.paircard("result", "1", "1", "1-0")
        expect(page.locator("#stage .verdict")).to_contain_text(
            string("page.desk.entered-by", who="Ines Deputy", board=1, result="1–0"), timeout=10_000
        )
        lit(page, 1)
        expect(page.locator("#stage .results")).to_be_hidden()
        page.keyboard.press("0")
        lit(page, 2)
        entered = string("page.desk.entered-by", who="Ines Deputy", board=1, result="1–0")
        differs = string("page.desk.q-differs", entered=entered)
        expect(page.locator("#tail .q1.bad")).to_contain_text(f"1 0–1 {differs}")
        page.keyboard.press("=")
        desk.until(page, lambda: 2 in desk.results())
        assert desk.results() == {1: "1-0", 2: "½-½"}


def test_typing_ahead_through_a_slow_network_keeps_order_and_boards(desk: Desk, chromium: Browser) -> None:
    typed = "1=010=1=01=0"
    with arbiter(desk, chromium) as page:

        def slowly(route: Route) -> None:
            time.sleep(0.4)
            route.continue_()

        page.route("**/desk/result", slowly)
        page.keyboard.type(typed, delay=60)
        sending = re.escape(string("page.desk.q-sending", n="@")).replace("@", "[0-9]+")
        expect(page.locator("#tail")).to_contain_text(re.compile(sending))
        expect(page.locator("tr.sending .more").first).to_have_text(string("page.desk.q-row"))
        desk.until(page, lambda: len(desk.results()) == BOARDS)
        assert desk.results() == {
            at: {"1": "1-0", "=": "½-½", "0": "0-1"}[key] for at, key in enumerate(typed, start=1)
        }
        pair = string("page.desk.pair", round=2)
        expect(page.get_by_role("button", name=pair)).to_be_visible(timeout=10_000)


def test_a_connection_that_is_cut_keeps_the_entries_over_a_reload(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium) as page:
        lit(page, 1)
        page.route("**/desk/result", lambda route: route.abort())
        page.keyboard.type("10=")
        expect(page.locator("#tail .silent")).to_have_text(string("page.desk.q-silent", 3), timeout=10_000)
        lit(page, 4)
        assert desk.results() == {}
        page.unroute("**/desk/result")
        page.reload()
        desk.until(page, lambda: len(desk.results()) == 3)
        assert desk.results() == {1: "1-0", 2: "0-1", 3: "½-½"}


def test_a_refused_entry_stays_in_red_and_the_next_ones_go_on(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium) as page:
        page.route("**/desk", lambda route: route.abort())  # no repaint: the page does not know yet
        desk.paircard("result", "1", "1", "0-1")
        page.keyboard.type("1=")
        desk.until(page, lambda: 2 in desk.results())
        there = sentence("result-there", board=1, round=1, result=parse_outcome("0-1"))
        expect(page.locator("#tail .q1.bad")).to_contain_text(there)
        assert desk.results() == {1: "0-1", 2: "½-½"}
        page.wait_for_timeout(500)
        page.get_by_role("button", name=string("page.desk.q-drop")).click()
        expect(page.locator("#tail .q1.bad")).to_have_count(0)


def test_an_entry_for_a_board_that_was_altered_meanwhile_records_nothing(
    desk: Desk, chromium: Browser
) -> None:
    with arbiter(desk, chromium) as page:
        page.route("**/desk", lambda route: route.abort())  # no repaint: the old players stand there
        with Office.open(desk.file) as office:
            tournament = office.tournament(desk.name)
            one, other, *_ = tournament.now().boards().boards
            by = person("Ines Deputy").because("wrong seats").accepting("manual-pairing", "published-pairing")
            try:
                tournament.swap_players(one.white.id, other.white.id, by=by)
            except Exception as refusal:  # whatever else it warns of
                codes = [warning.answer for warning in refusal.warnings]  # type: ignore[attr-defined]
                tournament.swap_players(one.white.id, other.white.id, by=by.accepting(*codes))
        page.keyboard.type("1")
        first = desk.now().boards().boards[0]
        players = {"white": first.white.id, "black": first.black.id}
        names = {one.id: one.name for one in (first.white, first.black)}
        others = sentence("page.other-players", board=1, round=1, people=names, **players)
        expect(page.locator("#tail .q1.bad")).to_contain_text(others)
        assert desk.results() == {}
        page.unroute("**/desk")
        desk.paircard("result", "1", "9", "1-0")
        expect(page.locator("#b9 .res")).to_have_text("1–0", timeout=15_000)
        expect(page.locator("#stage .verdict")).to_contain_text(string("page.desk.q-wait"))
        page.keyboard.press("0")
        assert page.locator("tr.sending").count() == 0, "the first key after a change is a look"
        lit(page, 2)


def test_nothing_slides_away_under_the_pointer(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium) as page:
        button = page.locator("#stage .results button", has_text="1–0")
        before = {at: page.locator(f"#b{at}").bounding_box() for at in range(1, BOARDS + 1)}
        button.hover()
        box = button.bounding_box()
        assert box is not None
        desk.paircard("result", "1", "1", "0-1")
        expect(page.locator("#stage .verdict")).to_contain_text("Ines Deputy", timeout=10_000)
        page.mouse.click(box["x"] + 20, box["y"] + 10)
        page.wait_for_timeout(600)
        page.mouse.click(box["x"] + 20, box["y"] + 10)
        assert desk.results() == {1: "0-1"}
        page.keyboard.press("Enter")
        lit(page, 2)
        assert {at: page.locator(f"#b{at}").bounding_box() for at in range(1, BOARDS + 1)} == before
        page.wait_for_timeout(500)
        button.dblclick()
        desk.until(page, lambda: 2 in desk.results())
        page.wait_for_timeout(500)
        assert desk.results() == {1: "0-1", 2: "1-0"}, "a double click is one result"
        lit(page, 3)


def test_a_typed_number_or_name_shows_its_board_before_anything_is_recorded(
    desk: Desk, chromium: Browser
) -> None:
    with arbiter(desk, chromium) as page:
        page.keyboard.press("/")
        page.keyboard.type("12")
        lit(page, 12)
        expect(page.locator("#b12")).to_be_in_viewport()
        page.keyboard.press("Enter")
        assert desk.results() == {}
        page.keyboard.press("1")
        desk.until(page, lambda: 12 in desk.results())
        page.keyboard.press("/")
        page.keyboard.type("player 07")
        row = page.locator("tr.sel")
        expect(row).to_contain_text("Player 07")
        page.keyboard.press("Escape")
        board = int(row.locator(".bd").inner_text())
        page.keyboard.press("r")
        desk.until(page, lambda: board in desk.results())
        assert desk.results() == {12: "1-0", board: "½-½"}


def test_the_keys_of_the_desk(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium) as page:
        page.keyboard.type("1-0")
        desk.until(page, lambda: 1 in desk.results())
        lit(page, 2)
        page.keyboard.press("f")
        expect(page.locator("#kinds")).to_be_visible()
        expect(page.locator("#kinds .sure")).to_be_hidden()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        names = page.locator("#stage .side bdi").all_inner_texts()
        expect(page.locator("#kinds .sure button")).to_contain_text(
            f"Record: {names[1]} wins by forfeit, {names[0]} did not come"
        )
        page.keyboard.press("Escape")
        expect(page.locator("#kinds")).to_be_hidden()
        assert 2 not in desk.results()
        page.keyboard.press("f")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        desk.until(page, lambda: desk.results() == {1: "1-0", 2: "1F-0F"})
        lit(page, 3)
        page.keyboard.press("5")
        desk.until(page, lambda: 3 in desk.results())
        desk.paircard("result", "1", "9", "1-0")
        page.keyboard.press("z")
        desk.until(page, lambda: desk.results() == {1: "1-0", 2: "1F-0F", 9: "1-0"})
        desk.until(page, lambda: leads_to(page, "n", "#next"))
        page.keyboard.press("p")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_focused()
        with Office.open(desk.file) as office:
            assert office.tournament(desk.name).now().state.paired == 1, (
                "P pairs only when it is the next step"
            )


def test_the_keys_of_the_next_step_work_before_any_round_is_paired(
    server: Running, chromium: Browser
) -> None:
    file, name = Path(server.location), "Before round 1"
    typed(file, ARBITER, "new", name, "--rounds", "1")
    for words in (("player", "add", "Ada"), ("player", "add", "Ben"), ("draw", "--colour", "white")):
        typed(file, ARBITER, "-t", name, *words)
    desk = Desk(server, file, name)
    with arbiter(desk, chromium) as page:
        desk.until(page, lambda: leads_to(page, "?", "#keys"))
        desk.until(page, lambda: leads_to(page, "n", "#next button"))
        page.keyboard.press("p")
        expect(page.locator("#b1")).to_contain_text("Ada")


def test_a_warning_about_an_entry_is_answered_on_its_page(desk: Desk, chromium: Browser) -> None:
    desk.paircard("result", "1", "1", "adjourned")
    with arbiter(desk, chromium) as page:
        page.keyboard.press("ArrowUp")
        lit(page, 1)
        page.keyboard.press("1")
        adjourned = sentence("adjourned-not-drawn", board=1, round=1, next=0, result=parse_outcome("1-0"))
        expect(page.locator("#tail .q1.bad")).to_contain_text(adjourned)
        page.wait_for_timeout(500)
        page.get_by_role("button", name=string("page.desk.q-answer")).click()
        expect(page.locator("form.ask")).to_contain_text(adjourned)
        assert desk.results() == {1: "adjourned"}
        for box in page.locator("form.ask input[type=checkbox]").all():
            box.check()
        if page.locator("#ask-why").count():
            page.fill("#ask-why", "played on")
        page.locator("form.ask button").click()
        expect(page.locator(".told")).to_contain_text(desk.recorded(1, "1-0"))
        assert desk.results() == {1: "1-0"}


def test_a_round_that_another_arbiter_publishes_is_entered_without_a_reload(
    desk: Desk, chromium: Browser
) -> None:
    for board in range(1, BOARDS + 1):
        desk.paircard("result", "1", str(board), "1-0")
    desk.paircard("pair")
    with arbiter(desk, chromium) as page:
        expect(page.locator("#stage")).to_have_count(0)
        desk.paircard("publish")
        expect(page.locator("#stage .num .n")).to_have_text("1", timeout=10_000)
        lit(page, 1)
        page.keyboard.type("1=")
        desk.until(page, lambda: desk.results(2) == {1: "1-0", 2: "½-½"})
        assert page.locator("#tail .q1.bad").count() == 0


def test_entries_wait_for_somebody_who_was_signed_out(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium) as page:
        cookies = page.context.cookies()
        page.context.clear_cookies()
        page.keyboard.type("1=")
        expect(page.locator("#tail .silent")).to_contain_text(string("page.desk.q-out"), timeout=10_000)
        lit(page, 3)
        assert desk.results() == {}
        page.context.add_cookies(cookies)  # type: ignore[arg-type]
        desk.until(page, lambda: desk.results() == {1: "1-0", 2: "½-½"})


def test_results_are_entered_without_script_and_other_results_in_words(desk: Desk, chromium: Browser) -> None:
    with arbiter(desk, chromium, mode="no script") as page:
        page.get_by_role("button", name="½–½").click()
        expect(page.locator(".told")).to_contain_text(desk.recorded(1, "½-½"))
        lit(page, 2)
        page.get_by_role("link", name=string("page.desk.other-result")).click()
        assert page.locator("#kinds [aria-pressed=true]").count() == 0
        page.get_by_role("button", name=string("page.outcome.0F-0F")).click()
        second = desk.now().boards(1).boards[1]
        names = {"white": second.white.name, "black": second.black.name}
        expect(page.locator("#kinds .sure .main")).to_contain_text(string("page.outcome-says.0F-0F", **names))
        page.locator("#kinds .sure .main").click()
        assert desk.results() == {1: "½-½", 2: "0F-0F"}
        page.locator(".told").get_by_role("button", name=string("page.phone.undo")).click()
        assert desk.results() == {1: "½-½"}
        page.locator("#seek").fill("12")
        page.locator("#seek").press("Enter")
        lit(page, 12)


def test_every_step_says_in_one_line_what_is_now_so(tmp_path: Path, chromium: Browser) -> None:
    file = tmp_path / "told.db"
    with running(str(file), tmp_path / "server.log") as server, reader(chromium) as context:
        page = Site(server, file).come_in(context, "arbiter", ARBITER)
        page.goto(server.base)
        said = page.locator(".told[data-told-here]")
        page.fill("#n-name", "Told Open")
        page.fill("#n-rounds", "2")
        page.get_by_role("button", name="Open").click()
        opened = sentence("log.tournament-opened", name="Told Open", rounds=2, edition="dutch-2026")
        expect(said).to_contain_text(opened)
        base = page.url.partition("/desk/players")[0]
        page.goto(f"{base}/desk/import")
        page.fill("#i-text", "name,rating\n" + "".join(f"Player {k},{2000 - k}\n" for k in range(1, 5)))
        page.get_by_role("button", name=string("page.correct.preview")).click()
        page.get_by_role("button", name=string("page.import.button")).click()
        expect(said).to_contain_text(string("page.told.registered", 4))
        page.reload()
        expect(said).to_have_count(0)
        page.goto(f"{base}/desk")
        page.get_by_role("button", name=string("page.desk.draw")).click()
        drawn = [sentence("log.initial-colour-drawn", method="drawn", colour=colour) for colour in "wb"]
        expect(said).to_contain_text(re.compile("|".join(map(re.escape, drawn))))
        pair = page.get_by_role("button", name=string("page.desk.pair", round=1))
        pair.click()
        paired = sentence("log.round-paired", round=1, count=2, pab=0, edition="dutch-2026", engine=ENGINE)
        expect(said).to_contain_text(paired)
        said.get_by_role("button", name=string("page.phone.undo")).click()
        expect(said).to_contain_text(sentence("log.round-unpaired", round=1))
        pair.click()
        page.get_by_role("button", name=string("page.desk.publish", round=1)).click()
        expect(said).to_contain_text(sentence("log.round-published", round=1))
        page.goto(f"{base}/desk/players/1")
        page.get_by_role("button", name=string("page.people.withdraw")).click()
        while page.locator("form.ask").count():
            for box in page.locator("form.ask input[type=checkbox]").all():
                box.check()
            if page.locator("#ask-why").count():
                page.fill("#ask-why", "ill")
            page.locator("form.ask button").click()
        expect(said).to_contain_text(
            sentence("log.player-withdrawn", player=1, round=2, people={1: "Player 1"})
        )
        page.goto(f"{base}/desk/grants")
        page.fill("#g-who", "Dina")
        page.get_by_role("button", name=string("page.grants.button")).click()
        page.get_by_role("button", name="Take back Dina").click()
        expect(said).to_have_text(string("page.told.revoked", name="Dina"))


class Hanging:
    """A way to a server that can stop passing bytes, and keeps its connections open."""

    def __init__(self, port: int) -> None:
        self.flowing = threading.Event()
        self.flowing.set()
        self.there = port
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                one, _ = self.door.accept()
            except OSError:
                return
            other = socket.create_connection(("127.0.0.1", self.there))
            for pair in ((one, other), (other, one)):
                threading.Thread(target=self.carry, args=pair, daemon=True).start()

    def carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                self.flowing.wait()
                other.sendall(data)
        except OSError:
            pass
        finally:
            one.close()
            other.close()


@pytest.fixture
def hanging(desk: Desk) -> Iterator[Hanging]:
    way = Hanging(desk.server.port)
    try:
        yield way
    finally:
        way.flowing.set()
        way.door.close()


def test_a_phone_on_a_connection_that_hangs_speaks_and_recovers_by_itself(
    desk: Desk, hanging: Hanging, chromium: Browser
) -> None:
    with reader(chromium, "phone") as pocket:
        page = desk.come_in(pocket, "deputy", "Gil", tournament=desk.ids[desk.name])
        page.goto(
            desk.address(desk.name, "/phone/3?round=1&result=1-0").replace(
                str(desk.server.port), str(hanging.port)
            )
        )
        hanging.flowing.clear()
        page.get_by_role("button", name="Yes").tap()
        expect(page.get_by_text(string("page.phone.sending"))).to_be_visible(timeout=3_000)
        expect(page.get_by_text(string("page.phone.offline"))).to_be_visible(timeout=4_000)
        hanging.flowing.set()
        expect(page.get_by_text(string("page.phone.recorded"), exact=True)).to_be_visible(timeout=20_000)
        assert desk.results() == {3: "1-0"}

        page.goto(
            desk.address(desk.name, "/phone/4?round=1&result=1-0").replace(
                str(desk.server.port), str(hanging.port)
            )
        )
        hanging.flowing.clear()
        page.get_by_role("button", name="Yes").tap()
        expect(page.get_by_text(string("page.phone.offline"))).to_be_visible(timeout=4_000)
        page.get_by_role("link", name="Change").tap()
        expect(page.get_by_text(string("page.phone.waiting"))).to_be_visible(timeout=4_000)


def test_the_last_tap_is_kept_over_a_reload_without_a_connection(desk: Desk, chromium: Browser) -> None:
    with reader(chromium, "phone") as pocket:
        page = desk.come_in(pocket, "deputy", "Gil", tournament=desk.ids[desk.name])
        desk.go_to(page, "/phone/5?round=1&result=0-1")
        page.route(
            "**/phone/5", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
        )
        page.get_by_role("button", name="Yes").tap()
        expect(page.get_by_text(string("page.phone.offline"))).to_be_visible(timeout=5_000)
        page.unroute("**/phone/5")
        page.reload()
        expect(page.get_by_text(string("page.phone.recorded"), exact=True)).to_be_visible(timeout=10_000)
        assert desk.results() == {5: "0-1"}


def test_a_hanging_desk_says_how_many_entries_it_keeps(
    desk: Desk, hanging: Hanging, chromium: Browser
) -> None:
    with reader(chromium) as context:
        page = desk.come_in(context, "arbiter", ARBITER)
        page.goto(desk.address(desk.name, "/desk").replace(str(desk.server.port), str(hanging.port)))
        hanging.flowing.clear()
        page.keyboard.type("1=")
        expect(page.locator("#tail .silent")).to_have_text(string("page.desk.q-silent", 2), timeout=6_000)
        hanging.flowing.set()
        desk.until(page, lambda: desk.results() == {1: "1-0", 2: "½-½"})
        expect(page.locator("#tail .silent")).to_have_count(0, timeout=15_000)


def test_the_next_round_is_a_banner_and_marks_no_board(desk: Desk, chromium: Browser) -> None:
    for board in range(1, BOARDS + 1):
        desk.paircard("result", "1", str(board), "1-0")
    with reader(chromium, "phone") as context:
        page = desk.go_to(context.new_page(), "")
        old = context.new_page()
        desk.go_to(old, "/rounds/1")
        desk.paircard("pair")
        desk.paircard("publish")
        for one in (old, page):
            one.bring_to_front()
            published = string("page.shell.new-round", round=2)
            expect(one.locator("#published")).to_have_text(published, timeout=10_000)
            assert one.locator("tr.new").count() == 0
        expect(page.locator("h1")).to_have_text(string("page.round.title", round=2))
        old.bring_to_front()
        old.locator("#published a").tap()
        expect(old.locator("h1")).to_have_text(string("page.round.title", round=2))
