"""Paircard in a real Chromium: every page on every screen, printed, without script; and people at work."""

import contextlib
import re
import time
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect

from paircard.cli.main import run
from paircard.domain.events import PairingsAltered
from paircard.service import Office
from tests.prizegiving import NAME as PRIZES
from tests.prizegiving import ended
from tests.refusals import sentence
from tests.web.browsing import EXAMPLE, MODES, OPEN, Site, reader
from tests.web.pages.reading import string
from tests.web.running import running

NAMES = (
    "ענן, נועה", "القمر, ليلى", "林, 小溪", "Ραγδαία, Νεφέλη", "Харбор, Снежана", "Åström, Łukasz",
    "Nightjar-Ottersholm-Featherstonehaugh, Philippa Wilhelmina Alexandra", '<b>Bobby</b> & "Tables"',
    "Player, Nine", "Player, Ten", "Player, Eleven", "Player, Twelve", "Player, Thirteen",
)  # fmt: skip


THIN = """() => {
  const named = [...document.querySelectorAll("[id]")].map((one) => one.id);
  const again = [], known = new Map();
  for (const one of document.querySelectorAll("tr, li, p")) {
    const odd = one.matches(":nth-child(odd)"), own = ["class", "style", "role"];
    const its = (it) => [it.tagName, ...own.map((name) => it.getAttribute(name)), ...it.getAttributeNames()];
    const kind = (it) => [odd, its(it.parentNode), its(it)].join();
    const kinds = [one, ...one.querySelectorAll("*")].map(kind);
    const seen = known.get(one.parentNode) || known.set(one.parentNode, new Set()).get(one.parentNode);
    if (kinds.every((it) => seen.has(it))) again.push(one);
    kinds.forEach((it) => seen.add(it));
  }
  again.forEach((one) => one.remove());
  return named.filter((id, at) => named.indexOf(id) !== at);
}"""
"""Take rows off a page that hold nothing but what is in those above, for axe; ids that stood there twice."""
AXE = """async (only) => {
  const levels = only || ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const found = await axe.run(document, {runOnly: levels, resultTypes: ["violations"]});
  return found.violations.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(", "));
}"""
COLOURS: Final = ("color-contrast", "link-in-text-block")
"""What can be wrong in the dark or on paper and right on a screen by day."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    file = folder / "events.db"
    assert run(["demo", "--db", str(file)]) == 0

    def paircard(*words: str) -> None:
        assert run(["--db", str(file), "-t", OPEN, "--as", "Mara Vale", *words]) == 0, words

    assert run(["--db", str(file), "new", OPEN, "--rounds", "5", "--tiebreaks", "BH/C1,BH,SB"]) == 0
    for at, name in enumerate(NAMES):
        paircard("player", "add", name, "--rating", str(2400 - 10 * at), "--federation", "ITA")
    paircard("draw", "--colour", "white")
    paircard("pair")
    paircard("publish")
    with ended(file), running(str(file), folder / "server.log") as server:
        yield Site(server, file)


def watched(context: BrowserContext) -> tuple[Page, list[str]]:
    """A page, and what its browser complains about: errors, and what the security policy forbids."""
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    return page, complaints


PUBLIC = {
    "events": ("", None),
    "pairings": (EXAMPLE, ""),
    "running round": (OPEN, ""),
    "by name": (OPEN, "/rounds/1?by=name"),
    "found": (OPEN, "/rounds/1?find=astrom"),
    "sheet": (OPEN, "/rounds/1/sheet"),
    "slips": (OPEN, "/rounds/1/slips"),
    "explanation": (EXAMPLE, "/rounds/6/explanation"),
    "candidates": (EXAMPLE, "/rounds/6/candidates?bracket=3"),
    "why": (EXAMPLE, "/rounds/6/why?player=Alice"),
    "why not": (EXAMPLE, "/rounds/6/why?player=Alice&not=Giorgia"),
    "standings": (EXAMPLE, "/standings"),
    "standings then": (EXAMPLE, "/standings?at=r3"),
    "crosstable": (EXAMPLE, "/crosstable"),
    "players": (OPEN, "/players"),
    "player": (EXAMPLE, "/players/p14"),
    "prizes": (PRIZES, "/prizes"),
    "group": (PRIZES, "/standings?group=women"),
    "player with a prize": (PRIZES, "/players/p2"),
    "corrections": (EXAMPLE, "/corrections"),
    "refusal": (EXAMPLE, "/rounds/99"),
}
OFFICER = {
    "events": ("", None),
    "pairings then": (EXAMPLE, "/rounds/4?at=57"),
    "standings then": (EXAMPLE, "/standings?at=51"),
    "crosstable then": (EXAMPLE, "/crosstable?at=57"),
    "player then": (EXAMPLE, "/players/p14?at=57"),
    "explanation then": (EXAMPLE, "/rounds/4/explanation?at=57"),
    "corrections": (EXAMPLE, "/corrections"),
    "record": (EXAMPLE, "/record?at=57"),
    "checked": (EXAMPLE, "/record?head=85:0000-0000-0000-0000"),
    "what if": (EXAMPLE, "/record/what-if?round=1&board=1&result=½-½"),
    "replay": (EXAMPLE, "/record/replay"),
    "ratings": (EXAMPLE, "/ratings?player=14"),
    "norms": (EXAMPLE, "/norms?player=14"),
    "not for officers": (OPEN, "/desk"),
}
ARBITER = {
    "desk": (OPEN, "/desk"),
    "desk closed": (EXAMPLE, "/desk"),
    "desk players": (OPEN, "/desk/players"),
    "desk player": (OPEN, "/desk/players/p7"),
    "regulations": (OPEN, "/desk/regulations"),
    "import": (OPEN, "/desk/import"),
    "alter": (OPEN, "/desk/alter"),
    "alteration": (OPEN, "/desk/alter?do=swap&one=1&other=2&why=test"),
    "correct": (EXAMPLE, "/desk/correct?round=6&board=1&result=1-0&why=test"),
    "prizes": (PRIZES, "/desk/prizes"),
    "announcing": (PRIZES, "/desk/announce"),
    "order": (PRIZES, "/desk/papers/order"),
    "certificates": (PRIZES, "/desk/papers/certificates"),
    "receipts": (PRIZES, "/desk/papers/receipts"),
    "grants": (OPEN, "/desk/grants"),
    "phone": (OPEN, "/phone"),
    "phone board": (OPEN, "/phone/2"),
    "phone confirm": (OPEN, "/phone/2?result=1-0"),
}


def go(site: Site, page: Page, where: tuple[str, str | None]) -> int:
    event, path = where
    where_to = site.server.base + "/" if path is None else site.address(event, path)
    answer = page.goto(where_to)
    assert answer is not None
    return answer.status


def check_page(page: Page, complaints: list[str], status: int) -> None:
    refused = {"99": 404, "desk": 403}.get(page.url.rpartition("/")[2])
    assert status in (200, refused)
    assert page.locator("h1").count() == 1
    assert page.locator("main").count() == 1
    assert page.title().strip(": ")
    expected = f"the server responded with a status of {status}"
    assert [one for one in complaints if status == 200 or expected not in one] == []
    complaints.clear()


def turn(page: Page, mode: str) -> None:
    """Show the same page on a screen, in the dark or on paper."""
    how = MODES[mode]
    page.set_viewport_size(how["viewport"])
    page.emulate_media(
        media="print" if mode == "print" else "screen", color_scheme=how.get("color_scheme", "light")
    )


def faults_of(page: Page) -> Iterator[str]:
    """What is wrong with a page on any screen, in the dark and on paper; axe sees rows of one kind once."""
    for mode in ("phone", "desktop", "print"):
        turn(page, mode)
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            yield f"{mode}: wider than the screen"
    if page.locator(".nav, .find").locator("visible=true").count():
        yield "a menu on paper"
    page.evaluate(AXE_SCRIPT)
    yield from (f"twice: {id}" for id in page.evaluate(THIN))
    for mode, rules in (("print", COLOURS), ("dark", COLOURS), ("desktop", None), ("phone", None)):
        turn(page, mode)
        yield from (f"{mode}: {found}" for found in page.evaluate(AXE, rules))


def sign_in(context: BrowserContext, link: str) -> Page:
    page = context.new_page()
    page.goto(link)
    page.wait_for_url(lambda url: "/sign-in" not in url)
    return page


AXE_SCRIPT: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
ROLES: Final[Mapping[str, Mapping[str, tuple[str, str | None]]]] = {
    "public": PUBLIC,
    "deputy": {name: where for name, where in ARBITER.items() if name.startswith("phone")},
    "arbiter": ARBITER,
    "officer": OFFICER,
}


@pytest.mark.parametrize("role", ROLES)
def test_every_page_is_whole_for_everybody_on_every_screen_and_axe_finds_nothing(
    site: Site, chromium: Browser, role: Any
) -> None:
    faults: dict[str, list[str]] = {}
    with reader(chromium, "phone") as context:
        if role != "public":
            only = {"tournament": site.ids[OPEN]} if role == "deputy" else {}
            site.come_in(context, role, role, **only)
        page, complaints = watched(context)
        for name, where in ROLES[role].items():
            check_page(page, complaints, go(site, page, where))
            if found := list(faults_of(page)):
                faults[name] = found
            complaints.clear()
    assert faults == {}


def test_no_heading_of_a_table_runs_into_the_next_in_italian(site: Site, chromium: Browser) -> None:
    wide = """() => [...document.querySelectorAll("main thead th")].filter(
        (one) => one.clientWidth && one.scrollWidth > one.clientWidth && !one.querySelector(".vh"))
        .map((one) => one.textContent)"""
    pages = {**ARBITER, "by name": PUBLIC["by name"], "what if": OFFICER["what if"]}
    with reader(chromium, "phone") as context:
        page = site.come_in(context, "arbiter", "Mara Vale")
        context.add_cookies([{"name": "language", "value": "it", "url": site.server.base}])
        for name in ("by name", "alteration", "correct", "what if", "desk players"):
            go(site, page, pages[name])
            for mode in ("phone", "desktop"):
                turn(page, mode)
                assert page.evaluate(wide) == [], (name, mode)


def test_the_form_for_a_file_fits_a_window_of_320_pixels(site: Site, chromium: Browser) -> None:
    with reader(chromium, viewport={"width": 320, "height": 800}) as context:
        page = site.come_in(context, "arbiter", "Mara Vale")
        page.goto(site.address(OPEN, "/desk/import"))
        assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_every_public_page_is_whole_without_script(site: Site, chromium: Browser) -> None:
    with reader(chromium, "no script") as context:
        page, complaints = watched(context)
        for where in PUBLIC.values():
            check_page(page, complaints, go(site, page, where))


def test_the_law_of_the_hall_a_result_at_the_desk_is_on_phones_and_screens_at_once(
    site: Site, chromium: Browser
) -> None:
    """An arbiter types, a deputy taps, a player watches: nobody reloads, nothing counts twice."""
    with reader(chromium) as desk, reader(chromium, "phone") as pocket, reader(chromium, "phone") as public:
        watching, complaints = watched(public)
        watching.goto(site.address(OPEN))
        expect(watching.locator("#b1 .res")).to_contain_text(string("page.score.open"))

        arbiter = sign_in(desk, site.link("arbiter", "Mara Vale"))
        arbiter.goto(site.address(OPEN, "/desk"))
        before = site.version(OPEN)
        arbiter.keyboard.press("1")
        expect(arbiter.locator("#stage .num .n")).to_have_text("2")
        expect(arbiter.get_by_text("✓")).to_be_visible()
        expect(arbiter.locator("#b1 .res")).to_have_text("1–0")
        assert site.version(OPEN) == before + 1
        expect(watching.locator("#b1 .res")).to_have_text("1–0", timeout=10_000)
        expect(watching.locator("#b1")).to_have_class(re.compile(r"\bnew\b"))
        expect(watching.locator("[data-told]")).to_contain_text("1–0")

        deputy = sign_in(pocket, site.link("deputy", "Finn", tournament=site.ids[OPEN], boards=(2, 4)))
        deputy.goto(site.address(OPEN))
        expect(deputy.locator("h1")).to_have_text(string("page.phone.open", 3))
        deputy.get_by_role("link", name="2").first.click()
        deputy.get_by_role("button", name="Draw").click()
        expect(deputy.locator("h1")).to_contain_text("½–½")
        expect(deputy.locator("h1")).to_be_focused()
        deputy.get_by_role("button", name="Yes").dblclick()
        expect(deputy.get_by_text(string("page.phone.recorded"), exact=True)).to_be_visible()
        expect(watching.locator("#b2 .res")).to_have_text("½–½", timeout=10_000)
        expect(arbiter.locator("#b2 .res")).to_have_text("½–½", timeout=10_000)
        assert site.version(OPEN) == before + 2, "a double tap counts once"
        assert complaints == []


def test_a_phone_without_a_connection_sends_its_entry_again_and_it_counts_once(
    site: Site, chromium: Browser
) -> None:
    with reader(chromium, "phone") as pocket:
        page = site.come_in(pocket, "deputy", "Gil", tournament=site.ids[OPEN], boards=(5, 6))
        page.goto(site.address(OPEN, "/phone/6?result=0-1"))
        before = site.version(OPEN)
        pocket.set_offline(True)
        page.get_by_role("button", name="Yes").click()
        expect(page.get_by_text(string("page.phone.offline"))).to_be_visible()
        assert site.version(OPEN) == before
        pocket.set_offline(False)
        recorded = page.get_by_text(string("page.phone.recorded"), exact=True)
        expect(recorded).to_be_visible(timeout=15_000)
        assert site.version(OPEN) == before + 1
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Draw")).to_be_visible()


def test_a_public_reader_without_script_finds_a_board_and_asks_why(site: Site, chromium: Browser) -> None:
    with reader(chromium, "no script") as context:
        page = context.new_page()
        page.goto(site.address(EXAMPLE))
        page.fill("#find", "alice")
        page.get_by_role("button", name="Find").click()
        assert string("page.find.board", board=3) in page.inner_text(".note.ok")
        page.locator("#b3 .more a").click()
        assert page.inner_text("h1") == string("page.why.plays", player="Alice", opponent="Francesco")
        page.select_option("#not-whom", label="Giorgia (7), 3")
        page.get_by_role("button", name=string("page.why.button")).click()
        assert string("page.why.not", player="Alice", other="Giorgia") in page.inner_text("main")


def test_the_hall_screen_turns_its_pages_by_itself(site: Site, chromium: Browser) -> None:
    with reader(chromium, viewport={"width": 1920, "height": 1080}) as context:
        page = context.new_page()
        page.goto(site.address(EXAMPLE, "/screen?every=3"))
        expect(page.locator("h1")).to_contain_text(string("page.round.title", round=6))
        assert re.fullmatch(r"\d\d:\d\d", page.inner_text(".clock"))
        page.wait_for_url("**page=1**", timeout=10_000)
        expect(page.locator("h1")).to_contain_text(string("page.screen.standings", after=6))
        high, seen = page.evaluate("[document.documentElement.scrollHeight, window.innerHeight]")
        assert high <= seen


def test_the_record_is_walked_by_keys(site: Site, chromium: Browser) -> None:
    with reader(chromium) as context:
        page = site.come_in(context, "officer", "Otto")
        page.goto(site.address(EXAMPLE, "/record?at=57"))
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**at=56")
        expect(page.locator("h2").first).to_have_text(string("page.record.round-at", round=4, version=56))
        page.get_by_role("link", name=string("page.record.correction-at", version=51)).click()
        with Office.open(site.file) as office:
            [line] = office.tournament(EXAMPLE).now().log(versions=[51])
        assert line.kind == "result-corrected"
        expect(page.locator(".tl .at")).to_contain_text(line.text)
        code = page.inner_text(".foot .mono")
        page.goto(site.address(EXAMPLE, "/record"))
        page.fill("#code", code)
        page.get_by_role("button", name=string("page.check.button")).click()
        since = site.version(EXAMPLE) - 51
        genuine = string("page.check.genuine", version=51, text=line.text, since=since)
        expect(page.locator(".note.ok")).to_contain_text(genuine)


def test_a_reader_may_choose_italian(site: Site, chromium: Browser) -> None:
    with reader(chromium) as context:
        page = context.new_page()
        page.goto(site.address(EXAMPLE, "/standings"))
        page.get_by_role("link", name="Italiano").click()
        assert page.url == site.address(EXAMPLE, "/standings")
        expect(page.locator("h1")).to_have_text(string("page.standings.final", tongue="it"))
    with reader(chromium, locale="it-IT") as context:
        page = context.new_page()
        page.goto(site.address(EXAMPLE))
        expect(page.locator("h1")).to_have_text(string("page.round.title", tongue="it", round=6))


def test_the_pairing_sheet_prints_on_one_sheet_of_a4(site: Site, chromium: Browser) -> None:
    with reader(chromium) as context:
        page = context.new_page()
        page.goto(site.address(OPEN, "/rounds/1/sheet"))
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1


def test_a_file_of_players_is_imported_and_a_round_altered_without_script(
    tmp_path: Path, chromium: Browser
) -> None:
    file, sheet = tmp_path / "small.db", tmp_path / "players.csv"
    sheet.write_text("name,rating\n" + "".join(f"Player {k},{2000 - 50 * k}\n" for k in range(1, 7)))
    assert run(["--db", str(file), "new", "Small", "--rounds", "3"]) == 0
    with running(str(file), tmp_path / "server.log") as server, reader(chromium, "no script") as context:
        with Office.open(file) as office:
            [id] = office.ids()
        site = Site(server, file)
        page = site.come_in(context, "arbiter", "Mara Vale")
        desk = f"{server.base}/tournaments/{id}/desk"
        page.goto(f"{desk}/import")
        page.set_input_files("#i-file", sheet)
        page.get_by_role("button", name=string("page.correct.preview")).click()
        assert string("page.import.new", 6) in page.inner_text("main")
        page.get_by_role("button", name=string("page.import.button")).click()
        for step in (string("page.desk.draw"), string("page.desk.pair", round=1)):
            page.goto(desk)
            page.get_by_role("button", name=step).click()

        page.goto(f"{desk}/alter")
        page.select_option("#a-one", label="1 Player 1")
        page.select_option("#a-other", label="2 Player 2")
        page.fill("#a-why", "asked for")
        page.keyboard.press("Enter")
        page.wait_for_url("**/alter?do=swap**")
        assert string("page.alter.differs") in page.inner_text("table")
        for box in page.locator(".ask input[type=checkbox]").all():
            box.focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name=string("page.alter.button")).press("Enter")
        page.wait_for_url(f"{desk}?done=*")
        with Office.open(file) as office:
            now = office.tournament("Small").now()
            assert now.boards().altered
            assert [one.why for one in now.facts if isinstance(one.fact, PairingsAltered)] == ["asked for"]


def drag(page: Page, one: int, other: int, leads_to: str) -> None:
    """Drag a player onto another; again where a busy machine swallowed a movement of the mouse."""
    for _ in range(4):
        page.locator(f"[data-seat='{one}']").drag_to(page.locator(f"[data-seat='{other}']"))
        with contextlib.suppress(TimeoutError):
            page.wait_for_url(leads_to, timeout=8000)
            return
    raise AssertionError(f"dragging {one} onto {other} does not lead to {leads_to}, but {page.url}")


def test_a_player_is_dragged_onto_another_and_the_breaches_stand_beside_the_boards(
    tmp_path: Path, chromium: Browser
) -> None:
    file = tmp_path / "small.db"
    assert run(["--db", str(file), "new", "Small", "--rounds", "3"]) == 0
    for k in range(1, 7):
        assert run(["--db", str(file), "player", "add", f"Player {k}", "--rating", str(2000 - 50 * k)]) == 0
    for words in (
        ("draw", "--colour", "white"), ("pair",), ("publish",),
        ("result", "1", "1", "1-0", "2", "0-1", "3", "1-0"), ("pair",),
    ):  # fmt: skip
        assert run(["--db", str(file), *words]) == 0
    with running(str(file), tmp_path / "server.log") as server, reader(chromium) as context:
        site = Site(server, file)
        page = site.come_in(context, "arbiter", "Mara Vale")
        page.goto(site.address("Small", "/desk/alter"))
        before = site.version("Small")

        page.locator("[data-seat='1']").hover()
        page.mouse.down()
        page.mouse.up()
        assert "one=" not in page.url, "onto oneself is no alteration"
        page.select_option("#a-do", "pair")
        drag(page, 1, 4, "**/alter?do=pair&one=1&other=4**")
        names = {1: "Player 1", 4: "Player 4"}
        met = sentence("rematch", white=1, black=4, people=names)
        expect(page.locator("tr.chg", has_text="Player 4")).to_contain_text(met)
        assert site.version("Small") == before, "a drag is looked at first"

        page.select_option("#a-do", "swap")
        drag(page, 1, 3, "**/alter?do=swap&one=1&other=3**")
        expect(page.locator("tr.chg")).to_have_count(2)
        page.fill("#r-why", "asked for")
        for box in page.locator(".ask input[type=checkbox]").all():
            box.check()
        page.get_by_role("button", name=string("page.alter.button")).click()
        page.wait_for_url("**/desk")
        with Office.open(file) as office:
            now = office.tournament("Small").now()
            assert now.boards().altered
            assert [one.why for one in now.facts if isinstance(one.fact, PairingsAltered)] == ["asked for"]


def test_a_correction_shows_its_window_the_standings_before_and_after_and_the_boards_that_stand(
    tmp_path: Path, chromium: Browser
) -> None:
    """C.04.2:4.3: the same board is corrected in each of the three windows."""
    file = tmp_path / "small.db"

    def paircard(*words: str) -> None:
        assert run(["--db", str(file), *words]) == 0, words

    paircard("new", "Small", "--rounds", "3")
    for k in range(1, 7):
        paircard("player", "add", f"Player {k}", "--rating", str(2000 - 50 * k))
    paircard("draw", "--colour", "white")
    paircard("pair")
    paircard("publish")
    paircard("result", "1", "1", "1-0", "2", "0-1", "3", "1-0")
    with running(str(file), tmp_path / "server.log") as server, reader(chromium) as context:
        site = Site(server, file)
        page = site.come_in(context, "arbiter", "Mara Vale")
        asked = site.address("Small", "/desk/correct?round=1&board=1&result=0-1")
        window = page.locator(".windows [aria-current]")
        before, after = page.locator(".ba > :not(.after)"), page.locator(".ba > .after")

        page.goto(asked)
        expect(window).to_contain_text(string("page.correct.when.pairing-next"))
        expect(before.locator("tr", has_text="Player 1").locator(".pts")).to_have_text("1")
        was = string("page.correct.was", 2, place=4, points="0")
        expect(after.locator("tr", has_text="Player 4")).to_contain_text(was)
        expect(page.locator("table.asof tr.chg").first).to_be_visible()

        paircard("pair")
        paircard("publish")
        page.goto(asked)
        expect(window).to_contain_text(string("page.correct.when.pairing-after-next"))
        expect(page.locator("main")).to_contain_text(string("page.correct.differed", 3))
        would = string("page.what-if.would-be")
        expect(page.locator("table.asof tr", has_text=would).first).to_be_visible()

        paircard("result", "2", "1", "=", "2", "=", "3", "=")
        paircard("complete", "2")
        page.goto(asked)
        expect(window).to_contain_text(string("page.correct.when.rating-report-only"))
        expect(page.locator("main")).to_contain_text(string("page.what-if.standings-same"))
        expect(page.locator(".ba h3").first).to_have_text(string("page.correct.stands"))
        count = site.version("Small")
        page.fill("#r-why", "both score sheets")
        page.get_by_role("button", name=string("page.correct.button")).click()
        page.wait_for_url("**/corrections")
        assert site.version("Small") == count + 1


def test_pages_of_300_players_are_small(tmp_path: Path, chromium: Browser) -> None:
    file = tmp_path / "large.db"
    names = "name,rating\n" + "".join(f"Player Number {k},{2600 - 3 * k}\n" for k in range(300))
    (tmp_path / "p.csv").write_text(names)
    for words in (
        ("new", "Large", "--rounds", "9", "--tiebreaks", "BH/C1,BH,SB"),
        ("player", "import", str(tmp_path / "p.csv")), ("draw", "--colour", "white"), ("pair",), ("publish",),
    ):  # fmt: skip
        assert run(["--db", str(file), *words]) == 0
    with running(str(file), tmp_path / "server.log") as server, reader(chromium, "phone") as context:
        with Office.open(file) as office:
            [id] = office.ids()
        page = context.new_page()
        for path in ("", "/rounds/1?by=name", "/standings", "/crosstable", "/players", "/rounds/1/sheet"):
            answer = context.request.get(
                f"{server.base}/tournaments/{id}{path}", headers={"accept-encoding": "gzip"}
            )
            assert int(answer.headers["content-length"]) < 100_000, path
            began = time.monotonic()
            page.goto(f"{server.base}/tournaments/{id}{path}")
            assert time.monotonic() - began < 5, path


def test_a_phone_counts_results_of_others_without_asking_and_looks_again_for_its_own(
    tmp_path: Path, chromium: Browser
) -> None:
    file = tmp_path / "open.db"
    for words in (
        ("new", "Patches", "--rounds", "3"),
        *(("player", "add", f"Player {letter}", "--rating", "2000") for letter in "ABCDEFGH"),
        ("draw", "--colour", "white"), ("pair",), ("publish",),
    ):  # fmt: skip
        assert run(["--db", str(file), *words]) == 0
    with running(str(file), tmp_path / "server.log") as server, reader(chromium, "phone") as context:
        with Office.open(file) as office:
            moment = office.tournament().now()
        address = f"{server.base}/tournaments/{moment.id}"
        mine, arbiter = moment.boards().boards[0].white, server.client()
        phone, table = context.new_page(), context.new_page()
        asked: list[str] = []
        for page, path in ((phone, f"/players/p{mine.id}"), (table, "/rounds/1")):
            page.on("request", lambda sent: asked.append(sent.url))
            with page.expect_response(lambda answer: "/feed" in answer.url):
                page.goto(address + path)

        def enter(board: int, outcome: str = "1-0") -> None:
            command = {"do": "record-result", "round": 1, "board": board, "outcome": outcome}
            arbiter.send(moment.id, command)

        enter(4)
        expect(table.locator("#b4 .res")).to_have_text("1–0")  # the first of its kind, so the page is fetched
        expect(phone.locator("[data-playing]")).to_contain_text("1 of 4")
        table.wait_for_load_state("networkidle")
        asked.clear()
        enter(3)
        expect(table.locator("#b3 .res")).to_have_text("1–0")
        for page in (phone, table):
            expect(page.locator("[data-playing]")).to_contain_text("2 of 4")
        assert asked == [], "what the feed told was enough"
        enter(1)
        expect(phone.locator("td.pts")).to_have_text("1")
        assert f"{address}/players/p{mine.id}" in asked
        enter(2)
        expect(table.locator("[data-playing]")).to_have_count(0)  # the end of a round changes more than a row
