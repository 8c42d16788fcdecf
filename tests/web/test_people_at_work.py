"""People at work in a real Chromium: a deputy, an officer, an arbiter without a mouse, a player."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from paircard.cli.main import run
from paircard.service import Office
from paircard.web.book import Revoked, open_access
from tests.web.browsing import EXAMPLE, Site, reader
from tests.web.pages.reading import string
from tests.web.running import running

HALL = "Hall Open"
NAMES = (
    "ענן, נועה", "Brackwater, Anselm", "Marrowgate, Hesper", "Åström, Łukasz",
    "القمر, ليلى", "Windlestraw, Tamsin", "Oakenhurst, Oriel", "Kestrelby, Petra",
)  # fmt: skip


class At(Site):
    """The server with the worked example and an open of eight players in round 1."""

    def paircard(self, *words: str) -> None:
        assert run(["--db", str(self.file), "-t", HALL, "--as", "Mara Vale", *words]) == 0, words


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    folder = tmp_path_factory.mktemp("hall")
    file = folder / "events.db"
    assert run(["demo", "--db", str(file)]) == 0
    assert run(["--db", str(file), "new", HALL, "--rounds", "5", "--tiebreaks", "BH/C1,BH,SB"]) == 0
    with running(str(file), folder / "server.log") as server:
        made = At(server, file)
        for k, name in enumerate(NAMES):
            made.paircard("player", "add", name, "--rating", str(2400 - 10 * k))
        made.paircard("draw", "--colour", "white")
        made.paircard("pair")
        made.paircard("publish")
        yield made


def test_a_deputy_chooses_and_confirms_through_gaps_in_the_connection(at: At, chromium: Browser) -> None:
    with reader(chromium, "phone") as pocket:
        page = at.come_in(pocket, "deputy", "Finn", tournament=at.ids[HALL], boards=(1, 2))
        page.goto(at.address(HALL, "/phone"))
        before = at.version(HALL)
        with Office.open(at.file) as office:
            white = office.tournament(HALL).now().boards(1).boards[0].white.name
        choice, board = string("page.outcome.1-0"), string("page.find.board", board=1)
        offline = page.get_by_text(string("page.phone.no-connection"), exact=True)
        for name in (choice, string("page.phone.yes", result="1–0")):
            pocket.set_offline(True)
            expect(offline).to_be_visible()
            if name == choice:
                page.locator(".mineboards a").first.tap()
                expect(page.get_by_text(string("page.phone.waiting"))).to_be_visible()
                pocket.set_offline(False)
                expect(page.locator("h1")).to_have_text(board)
                expect(offline).to_be_hidden()
                pocket.set_offline(True)
            page.get_by_role("button", name=name).tap()
            expect(page.locator("[data-waiting]:not([hidden])")).to_be_visible()
            assert at.version(HALL) == before
            pocket.set_offline(False)
            if name == choice:
                expect(page.locator("h1")).to_have_text(f"{board}: 1–0?")
                expect(page.locator(".lede")).to_have_text(string("page.phone.won-with-white", name=white))
        recorded = page.get_by_text(string("page.phone.recorded"), exact=True)
        expect(recorded).to_be_visible(timeout=10_000)
        assert at.version(HALL) == before + 1

        page.get_by_role("button", name=string("page.phone.undo")).tap()
        expect(page.get_by_text(string("page.phone.undone"))).to_be_visible()
        page.get_by_role("link", name=string("page.phone.mine")).tap()
        expect(page.locator("h1")).to_have_text(string("page.phone.open", 2))
        page.go_back()
        expect(page.locator("h1")).to_have_text(board)


def test_a_deputy_learns_that_the_arbiter_was_faster_and_that_the_grant_is_gone(
    at: At, chromium: Browser
) -> None:
    with reader(chromium, "phone") as pocket:
        page = at.come_in(pocket, "deputy", "Gil", tournament=at.ids[HALL], boards=(2, 3))
        page.goto(at.address(HALL, "/phone/2?round=1&result=1-0"))
        at.paircard("result", "1", "2", "½-½")
        expect(page.get_by_text(string("page.phone.has-result"))).to_be_visible(timeout=10_000)

        page.goto(at.address(HALL, "/phone/4"))
        expect(page.get_by_role("link", name=string("page.phone.mine"))).to_be_visible()
        page.goto(at.address(HALL, "/phone/3?round=1&result=1-0"))
        before = at.version(HALL)
        access = open_access(str(at.file))
        [gil] = [one for one in access.book().grants_of(at.ids[HALL], 0) if one.who == "Gil"]
        access.write(lambda _: [Revoked(id=gil.id, by="Mara Vale")])
        access.close()
        page.get_by_role("button", name=string("page.phone.yes", result="1–0")).tap()
        expect(page.get_by_text(string("page.refusal.phone"))).to_be_visible()
        assert at.version(HALL) == before


def test_an_officer_steps_through_a_correction_and_sees_what_it_moved(at: At, chromium: Browser) -> None:
    with reader(chromium) as context:
        page = at.come_in(context, "officer", "Otto Officer")
        page.goto(at.server.base)
        expect(page.get_by_role("link", name=EXAMPLE)).to_be_in_viewport()
        page.goto(at.address(EXAMPLE, "/standings?at=50"))
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/standings?at=51")
        moved = page.locator("tr.chg .pl a")
        expect(moved).to_have_text([re.compile("Alice"), re.compile("Roberto")])
        expect(page.get_by_text(string("page.shell.marked"))).to_be_visible()
        page.get_by_role("link", name=string("page.shell.prev")).click()
        page.wait_for_url("**/standings?at=50")

        page.goto(at.address(EXAMPLE, "/record?at=57"))
        page.locator("#at").focus()
        for version in (58, 59):
            page.keyboard.press("ArrowRight")
            page.wait_for_url(f"**/record?at={version}")
        expect(page.locator("#at")).to_be_focused()
        expect(page.locator("#at")).to_have_attribute("aria-valuetext", re.compile("^59: round 4 board 4"))
        page.keyboard.press("End")
        page.wait_for_url("**/record?at=85")
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**/record?at=84")


CODES: tuple[tuple[Callable[[str], str], str], ...] = (
    (lambda code: code, "page.check.genuine"),
    (lambda code: code.upper().replace("-", " "), "page.check.genuine"),
    (lambda code: code[:-1] + ("0" if code[-1] != "0" else "1"), "page.check.other"),
    (lambda code: code.replace("85:", "850:"), "page.check.later"),
    (lambda code: code[:9], "page.check.unreadable"),
)


def test_an_officer_checks_a_printed_code_right_wrong_and_mistyped(at: At, chromium: Browser) -> None:
    with reader(chromium) as context:
        page = at.come_in(context, "officer", "Olga Officer")
        page.goto(at.address(EXAMPLE, "/record"))
        code = page.locator("footer .mono").inner_text()
        page.get_by_role("link", name=string("page.check.title")).click()
        with Office.open(at.file) as office:
            [line] = office.tournament(EXAMPLE).now().log(versions=[85])
        for change, verdict in CODES:
            page.get_by_label(string("page.check.label")).fill(change(code))
            page.get_by_role("button", name=string("page.check.button")).click()
            version = 850 if verdict == "page.check.later" else 85
            said = string(verdict, version=version, text=line.text, since=0)
            expect(page.locator("#check .note")).to_have_text(said)
            expect(page.locator("#check .note")).to_be_in_viewport()


def test_a_player_finds_a_name_while_typing_and_a_live_result_does_not_lose_it(
    at: At, chromium: Browser
) -> None:
    with reader(chromium, "phone") as context:
        page = context.new_page()
        page.goto(at.address(HALL))
        page.locator("#find").press_sequentially("lukasz astrom"[:6])
        rows = page.locator("tr.game:visible")
        expect(rows).to_have_count(1)
        expect(page.locator("[data-found]")).to_have_text(string("page.find.found", 1))
        board = rows.locator(".bd").inner_text()
        at.paircard("result", "1", board, "1-0")
        expect(rows.locator(".res")).to_contain_text("1", timeout=10_000)
        expect(rows).to_have_count(1)
        expect(page.locator("#find")).to_have_value("lukasz")
        page.goto(at.address(EXAMPLE, "/standings"))
        page.locator("#find").fill("alice")
        expect(page.locator("main tbody tr:visible")).to_have_count(1)


ORDER = """([row, ...words]) => words.map((word) => {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    return range.getBoundingClientRect().left;
  }
  return NaN;
})"""


def test_names_from_right_to_left_never_turn_a_line_around(at: At, chromium: Browser) -> None:
    """A line of the record with two such names reads board, White, Black, result; so do titles and lists."""
    with Office.open(at.file) as office:
        lines = office.tournament(HALL).now().boards().boards
    first, second = NAMES[0], NAMES[4]
    board = next(line for line in lines if {line.white.name, line.black.name} == {first, second})
    at.paircard("result", "1", str(board.board), "1-0")
    with reader(chromium, viewport={"width": 2000, "height": 900}) as context:
        page = at.come_in(context, "arbiter", "Rita")
        page.goto(at.address(HALL, "/record"))
        line = page.locator(".tl li", has_text=f"board {board.board}:").last
        line.evaluate("(one) => { one.style.whiteSpace = 'nowrap'; }")
        places = page.evaluate(
            ORDER, [line.element_handle(), "ound 1", board.white.name, board.black.name, "1-0"]
        )
        assert places == sorted(places)
        registered = page.locator(".tl li", has_text="registered").filter(has_text=first)
        if registered.count():
            left = page.evaluate(ORDER, [registered.first.element_handle(), first, "registered"])
            assert left == sorted(left)
        page.goto(at.address(HALL, f"/rounds/1/why?player={board.white.number}"))
        assert f"\u2068{board.white.name}\u2069" in page.title()


def tab_to(page: Page, name: str, most: int = 90) -> int:
    """Press Tab until something with this name has the focus, and it shows; how often it took."""
    for pressed in range(1, most + 1):
        page.keyboard.press("Tab")
        label, outline = page.evaluate(
            """(() => { const one = document.activeElement, style = getComputedStyle(one);
            return [(one.labels?.[0] || one).innerText || "",
                    style.outlineStyle + style.outlineWidth]; })()"""
        )
        if label.strip().startswith(name):
            assert outline == "solid3px", f"{name} does not show that it has the focus"
            return pressed
    raise AssertionError(f"{name} is not reached by keyboard")


def go(page: Page, name: str) -> None:
    """Tab to something and press Enter."""
    tab_to(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def type_in(page: Page, name: str, text: str) -> None:
    tab_to(page, name)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(text)


def answer(page: Page) -> None:
    """Answer what is asked: tick, say why, press the button; they follow the question in this order."""
    while page.locator("form.ask").count():
        expect(page.locator("form.ask h1")).to_be_focused()
        for _ in range(page.locator("form.ask input[type=checkbox]").count()):
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
        if page.locator("#ask-why").count():
            if not page.locator("#ask-why").evaluate("(one) => one === document.activeElement"):
                page.keyboard.press("Tab")
            page.keyboard.type("asked for")
        page.keyboard.press("Tab")
        with page.expect_navigation():
            page.keyboard.press("Enter")


def test_an_arbiter_runs_a_tournament_without_a_mouse(tmp_path: Path, chromium: Browser) -> None:
    """From an empty file to the end: every step is reached by keys, shows the focus, and nothing traps it."""
    file = tmp_path / "keys.db"
    with running(str(file), tmp_path / "server.log") as server, reader(chromium) as context:
        site = Site(server, file)
        page = site.come_in(context, "arbiter", "Kay Keys")
        page.goto(server.base)
        type_in(page, "Name", "Keys Open")
        type_in(page, "Rounds", "2")
        with page.expect_navigation():
            page.keyboard.press("Enter")

        assert tab_to(page, string("page.shell.skip")) == 1
        page.keyboard.press("Enter")
        tab_to(page, "Name")
        for k in range(1, 6):
            if k > 1:
                expect(page.locator("#f-name")).to_be_focused()
                added = string("page.people.added", name=f"Player {k - 1}")
                expect(page.get_by_text(added)).to_be_visible()
            page.keyboard.type(f"Player {k}")
            type_in(page, "Rating", str(2000 - 10 * k))
            with page.expect_navigation():
                page.keyboard.press("Enter")
        go(page, string("page.import.title"))
        type_in(page, string("page.import.text"), "name,rating\nPlayer 6,1900\nPlayer 7,1890\n")
        go(page, string("page.correct.preview"))
        go(page, string("page.import.button"))

        page.goto(site_address(page, "/desk/players"))
        go(page, "Change\nPlayer 7")
        tab_to(page, "Round")
        page.keyboard.press("ArrowDown")
        tab_to(page, "What")
        page.keyboard.press("ArrowUp")
        go(page, "Enter")
        answer(page)
        absent = string("page.bye.in-round", bye=string("page.bye.Z"), round=2)
        expect(page.get_by_text(absent)).to_be_visible()

        go(page, "Results")
        for name in (string("page.desk.draw"), string("page.desk.pair", round=1)):
            expect(page.locator("#next")).to_be_focused()
            assert tab_to(page, name) == 1, "the next step is one key away"
            with page.expect_navigation():
                page.keyboard.press("Enter")

        go(page, string("page.desk.alter"))
        for label, downs in ((string("page.alter.one"), 1), (string("page.alter.other"), 2)):
            tab_to(page, label)
            for _ in range(downs):
                page.keyboard.press("ArrowDown")
        type_in(page, "Reason", "asked for")
        go(page, string("page.alter.preview"))
        while page.locator(".ask input[type=checkbox]:not(:checked)").count():
            tab_to(page, "Warning of level")
            page.keyboard.press("Space")
        go(page, string("page.alter.button"))
        go(page, string("page.desk.publish", round=1))
        expect(page.locator("#stage")).to_be_focused()
        page.keyboard.type("1=0")
        pair = string("page.desk.pair", round=2)
        expect(page.get_by_role("button", name=pair)).to_have_class("main", timeout=10_000)

        go(page, string("page.desk.correct"))
        type_in(page, "Board", "1")
        tab_to(page, string("page.correct.right"))
        page.keyboard.type("Draw")
        type_in(page, "Reason", "scoresheets")
        go(page, string("page.correct.preview"))
        go(page, string("page.correct.button"))
        go(page, string("page.nav.desk"))
        go(page, string("page.desk.grants"))
        tab_to(page, "Names")
        page.keyboard.type("Ann\nBo")
        go(page, string("page.grants.button"))
        expect(page.locator(".cards li")).to_have_count(2)
        go(page, string("page.desk.results"))
        go(page, pair)
        answer(page)
        go(page, string("page.desk.publish", round=2))
        page.keyboard.press("n")
        expect(page.locator("#next button").first).to_be_focused()
        page.keyboard.type("10=")
        close = string("page.desk.close")
        expect(page.get_by_role("button", name=close)).to_be_visible(timeout=10_000)
        go(page, close)
        answer(page)
        expect(page.get_by_text(string("page.step.closed"))).to_be_visible()
    with Office.open(file) as office:
        assert office.tournament("Keys Open").now().state.closed


def site_address(page: Page, path: str) -> str:
    return re.sub(r"(/tournaments/[0-9a-f]+).*", rf"\1{path}", page.url)


def test_cards_for_deputies_fit_a_phone_and_a_sheet(at: At, chromium: Browser) -> None:
    with reader(chromium, "phone") as context:
        page = at.come_in(context, "arbiter", "Mara Vale")
        page.goto(at.address(HALL, "/desk/grants"))
        page.fill("#g-who", "\n".join(f"Deputy {k}" for k in range(6)))
        page.get_by_role("button", name=string("page.grants.button")).tap()
        expect(page.locator(".cards li")).to_have_count(6)
        wide, seen = page.evaluate("[document.documentElement.scrollWidth, window.screen.width]")
        assert wide <= seen
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1


def finger(context: BrowserContext, page: Page, *way: tuple[float, float]) -> None:
    """A finger that goes down at the first place, along the others, and up at the last."""
    tools = context.new_cdp_session(page)
    for at, (x, y) in enumerate(way):
        kind = "touchMove" if at else "touchStart"
        tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_player_is_dragged_with_a_finger(tmp_path: Path, chromium: Browser) -> None:
    file = tmp_path / "touch.db"
    assert run(["--db", str(file), "new", "Touch", "--rounds", "3"]) == 0
    for k in range(1, 9):
        assert run(["--db", str(file), "player", "add", f"Player {k}", "--rating", str(2000 - k)]) == 0
    assert run(["--db", str(file), "draw", "--colour", "white"]) == 0
    assert run(["--db", str(file), "pair"]) == 0
    with running(str(file), tmp_path / "server.log") as server, reader(chromium, "phone") as context:
        site = Site(server, file)
        page = site.come_in(context, "arbiter", "Mara Vale")
        page.goto(site.address("Touch", "/desk/alter"))
        page.locator("[data-seat]").last.scroll_into_view_if_needed()

        def place(player: int) -> tuple[float, float]:
            box = page.locator(f"[data-seat='{player}']").bounding_box()
            assert box is not None
            return box["x"] + 12, box["y"] + box["height"] / 2

        start, end = place(1), place(2)
        nowhere = (start[0], start[1] + 5)
        finger(context, page, start, nowhere, start)
        expect(page.locator(".move.held")).to_have_count(0)
        assert "one=" not in page.url, "a tap alters nothing"
        half = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        finger(context, page, start, half, end)
        page.wait_for_url("**/alter?do=swap&one=1&other=2**")
        expect(page.locator("tr.chg")).to_have_count(2)
