"""An arbiter who has never seen it runs an event in the browser alone, from an empty file to the end."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from paircard.service import Office
from tests.web.browsing import Site, reader
from tests.web.pages.reading import string
from tests.web.running import running

BY_HAND = (("Brackwater, Anselm", "2210"), ("Marrowgate, Hesprr", "2150"), ("Windlestraw, Tamsin", ""))
BY_FILE = "name,rating\n" + "".join(f'"Quillfeather, {k}",{2000 - 30 * k}\n' for k in range(1, 8))


def press(page: Page, code: str, round: int = 0) -> None:
    press_called(page, string(code, round=round))


def press_called(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def tab(page: Page, code: str) -> None:
    with page.expect_navigation():
        page.locator(".nav").get_by_role("link", name=string(code), exact=True).click()


def change(page: Page, name: str) -> None:
    """Open the page of a player from the list."""
    tab(page, "page.nav.players")
    with page.expect_navigation():
        page.get_by_role("link", name=f"Change {name}").click()


def enter(page: Page, *results: str) -> None:
    """Results by keyboard, from the first open board on, until the next step follows."""
    page.keyboard.type("".join(results))
    expect(page.locator("#next button.main")).to_be_visible(timeout=20_000)
    page.wait_for_timeout(500)  # a click right after something moved does nothing


def run_an_event(page: Page, home: str) -> None:
    """Ten players and three rounds with a wrong result, a bye, a late entry and a withdrawal, to the end."""
    # A tournament with the wrong number of rounds, put right
    page.goto(home)
    expect(page.get_by_text(string("page.index.none"))).to_be_visible()
    page.fill("#n-name", "Village Open")
    page.fill("#n-rounds", "33")
    page.fill("#n-half_byes", "1")
    page.fill("#n-place", "Village Hall")
    page.fill("#n-starts", "2026-11-14")
    press(page, "page.index.open-button")
    tab(page, "page.desk.regulations")
    page.fill("#n-rounds", "3")
    press(page, "page.regulations.change")
    expect(page.get_by_text(string("page.step.register")).first).to_be_visible()

    # Players by hand, a misspelt one, and the others from a file
    tab(page, "page.nav.players")
    for name, rating in BY_HAND:
        page.fill("#f-name", name)
        page.fill("#f-rating", rating)
        press(page, "page.people.add")
    change(page, "Marrowgate, Hesprr")
    page.fill("#f-name", "Marrowgate, Hesper")
    press(page, "page.people.correct")
    expect(page.locator("h1")).to_have_text("Marrowgate, Hesper")
    tab(page, "page.nav.players")
    with page.expect_navigation():
        page.get_by_role("link", name=string("page.import.title")).click()
    page.fill("#i-text", BY_FILE)
    press(page, "page.correct.preview")
    press_called(page, page.locator(".ask button").inner_text())

    # Round 1: somebody asked for a bye in round 2
    change(page, "Windlestraw, Tamsin")
    page.select_option("#b-round", "2")
    page.select_option("#b-letter", "H")
    press(page, "page.people.grant")
    expect(page.get_by_text(string("page.bye.in-round", bye=string("page.bye.H"), round=2))).to_be_visible()
    tab(page, "page.desk.results")
    press(page, "page.desk.draw")
    press(page, "page.desk.pair", round=1)
    press(page, "page.desk.unpair", round=1)
    press(page, "page.desk.pair", round=1)
    press(page, "page.desk.publish", round=1)
    page.keyboard.press("f")  # White did not come
    for key in ("ArrowDown", "Enter", "Enter"):
        page.keyboard.press(key)
    enter(page, "=", "0", "1", "1")

    # A wrong result is corrected, with its preview
    tab(page, "page.desk.correct")
    page.fill("#c-board", "2")
    page.select_option("#c-result", "0-1")
    page.fill("#c-why", "scoresheets")
    press(page, "page.correct.preview")
    press(page, "page.correct.button")
    expect(page.locator(".tl")).to_contain_text("0–1")

    # Who did not come is asked about; a late entry and a withdrawal say why
    page.get_by_role("link", name=string("page.nav.desk")).click()
    change(page, "Quillfeather, 7")
    page.fill("#w-why", "left")
    press(page, "page.people.withdraw")
    tab(page, "page.nav.players")
    page.fill("#f-name", "Latecomer, Ivo")
    page.fill("#f-why", "train")
    press(page, "page.people.add")
    for _ in range(3):
        button = page.locator(".ask button")
        if button.count():
            press_called(page, button.inner_text())
    tab(page, "page.desk.results")
    press(page, "page.desk.pair", round=2)
    asked = 0
    while page.locator(".ask").count():
        asked += 1
        if page.locator("#ask-why").count():
            page.fill("#ask-why", "overslept, excused")
        press_called(page, page.locator(".ask button").inner_text())
    assert asked >= 2, "the absence is a warning, then the reason is asked for"
    press(page, "page.desk.publish", round=2)
    open_boards = page.locator("a[data-choose]").count()
    enter(page, *("1" for _ in range(open_boards)))
    press(page, "page.desk.pair", round=3)
    while page.locator(".ask").count():
        press_called(page, page.locator(".ask button").inner_text())
    press(page, "page.desk.publish", round=3)
    enter(page, *("=" for _ in range(page.locator("a[data-choose]").count())))

    # The end, and what is pinned up
    press(page, "page.desk.close")
    expect(page.get_by_text(string("page.step.closed"))).to_be_visible()
    press(page, "page.desk.reopen")
    page.fill("#ask-why", "prizes first")
    press(page, "page.desk.record-button")
    page.locator(".ask input[type=checkbox]").check()
    expect(page.locator("#ask-why")).to_have_value("prizes first")
    press(page, "page.ask.confirm")
    press(page, "page.desk.close")
    page.get_by_role("link", name=string("page.desk.public")).click()
    page.locator(".nav").get_by_role("link", name=string("page.nav.standings")).click()
    expect(page.locator("h1")).to_have_text(string("page.standings.final"))
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    assert len(pages) == 1


def test_a_newcomer_runs_a_tournament_of_ten_without_the_command_line(
    tmp_path: Path, chromium: Browser
) -> None:
    file = tmp_path / "empty.db"
    with running(str(file), tmp_path / "server.log") as server, reader(chromium) as context:
        run_an_event(Site(server, file).come_in(context, "arbiter", "Nora Newcomer"), server.base)
    with Office.open(file) as office:
        state = office.tournament("Village Open").now().state
    assert state.closed
    assert len(state.players) == 11
