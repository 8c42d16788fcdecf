"""The walk of an organiser in the browser, from the announcement to the receipts.

``PAIRCARD_PICTURES=folder`` keeps a picture of every step, and the papers as PDF.
"""

import os
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.prizegiving import NAME, event, play
from tests.web.browsing import Site, reader
from tests.web.running import running

PICTURES = os.environ.get("PAIRCARD_PICTURES", "")


def picture(page: Page, name: str, *, paper: bool = False) -> None:
    """Keep what the page shows, if pictures are asked for."""
    if PICTURES:
        folder = Path(PICTURES)
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        if paper:
            page.pdf(path=folder / f"{name}.pdf", prefer_css_page_size=True)


def fill(page: Page, row: str, **fields: str) -> None:
    for name, value in fields.items():
        field = page.locator(f"#{row}-{name}")
        if name == "sex":
            field.select_option(value)
        else:
            field.fill(value)


def test_an_organiser_goes_from_the_announcement_to_the_receipts(tmp_path: Path, chromium: Browser) -> None:
    path = tmp_path / "events.db"
    with event(path, announced="") as tournament, running(str(path), tmp_path / "server.log") as server:
        site = Site(server, path)
        with reader(chromium) as desk, reader(chromium, "phone") as pocket:
            page, public = site.come_in(desk, "arbiter", "Mara Vale"), pocket.new_page()

            page.goto(site.address(NAME, "/desk/prizes"))
            picture(page, "01-nothing-announced")
            page.get_by_role("link", name="Announce prizes").click()
            fill(page, "category0", name="women", sex="w")
            fill(page, "category1", name="U16", youth="sixteen")
            fill(page, "prize0", name="Main", amounts="200 100 51")
            fill(page, "prize1", name="Best woman", category="women", amounts="60 40")
            page.get_by_role("button", name="Show what it means").click()
            expect(page.locator("#category1-fault")).to_contain_text("not a number: 'sixteen'")
            picture(page, "02-a-mistake-beside-its-group")
            fill(page, "category1", youth="16")
            fill(page, "prize2", name="Best U16", category="U15", amounts="30", thing="chess set")
            page.get_by_role("button", name="Show what it means").click()
            expect(page.locator("#prize2-fault")).to_contain_text("U15")
            fill(page, "prize2", category="U16")
            page.select_option("#sharing", "hort")
            page.fill("#unit", "1")
            page.get_by_role("button", name="Show what it means").click()
            expect(page.locator(".ask dl")).to_contain_text("born 2010 or later, 4 players")
            expect(page.locator(".ask")).to_contain_text("not known whether in women", ignore_case=True)
            picture(page, "03-what-it-means")
            before = site.version(NAME)
            page.get_by_role("button", name="Announce this").click()
            expect(page.locator("[data-told-here]")).to_contain_text("prizes")
            assert site.version(NAME) == before + 1
            picture(page, "04-announced")

            play(tournament, "1-0", "½-½", "1-0", "0-1")
            public.goto(site.address(NAME, "/prizes"))
            expect(public.locator("h1 + .pill")).to_have_text("Provisional: as if nothing more were played")
            picture(public, "05-provisional-on-a-phone")
            play(tournament, "½-½", "1-0", "0-1", "½-½")
            public.goto(site.address(NAME, "/standings?group=women"))
            expect(public.locator("tbody tr")).to_have_count(5)
            picture(public, "06-women-on-a-phone")

            page.goto(site.address(NAME, "/desk/prizes"))
            picture(page, "07-before-the-prize-giving")
            page.get_by_role("button", name="Give the prizes out").click()
            expect(page.locator("h1 + .pill")).to_contain_text("Given out")
            for name in ("order", "certificates", "report", "receipts") if PICTURES else ("receipts",):
                page.goto(site.address(NAME, f"/desk/papers/{name}"))
                picture(page, f"08-{name}", paper=True)
            winners = page.locator(".receipts > li")
            assert winners.count() > 4
            expect(winners.first).to_contain_text("159 EUR")

            page.goto(site.address(NAME, "/desk/correct?round=2&board=1&result=0-1&why=slip"))
            picture(page, "09-a-correction-after-the-prize-giving")
            for box in page.get_by_role("checkbox").all():
                box.check()
            page.get_by_role("button", name="Record the correction").click()
            page.goto(site.address(NAME, "/desk/prizes"))
            expect(page.locator(".note.bad")).to_contain_text("Main 1 159")
            picture(page, "10-what-would-change")
            page.get_by_role("button", name="Give out the corrected list").click()
            page.locator("#ask-why").fill("a slip was misread")
            page.get_by_role("button", name="Record").click()
            page.get_by_role("checkbox").check()
            page.get_by_role("button", name="Confirm").click()
            expect(page.locator("h1 + .pill")).to_contain_text("Given out")
            expect(page.locator(".note.bad")).to_have_count(0)
            public.goto(site.address(NAME, "/prizes"))
            expect(public.locator("h1 + .pill")).to_contain_text("Given out")
            picture(public, "11-given-out-on-a-phone", paper=True)
