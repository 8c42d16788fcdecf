"""A real browser without a screen, and a window of it that shows pages without a server."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same browser without the windows around the pages: half the processor time."""
PROBE = """() => {
const root = document.documentElement;
const edge = box => box.getBoundingClientRect();
const outside = [...document.querySelectorAll(".bracket *")].filter(
  one => edge(one).right > edge(one.closest(".bracket")).right + 1).map(one => one.className);
const [white, black] = document.querySelectorAll(".pairs .seat");
return {
  scrollWidth: root.scrollWidth, height: root.scrollHeight,
  brackets: document.querySelectorAll(".bracket").length, overflowing: outside,
  columns: Math.abs(edge(white).top - edge(black).top) < 3 ? 2 : 1,
  black: getComputedStyle(document.querySelector(".b")).backgroundColor,
};
}"""


class Window:
    """Shows one page after the other."""

    def __init__(self, window: Page) -> None:
        self.window = window

    def measure(self, page: str, width: int) -> dict[str, Any]:
        """What the page measures in a window of this width."""
        self.show(page, width)
        measured: dict[str, Any] = self.window.evaluate(PROBE)
        return measured

    def width(self, page: str, width: int) -> int:
        """How wide the page is that is shown in a window of this width."""
        self.show(page, width)
        return int(self.window.evaluate("document.documentElement.scrollWidth"))

    def sheets(self, page: str) -> int:
        """How many sheets of paper the page takes."""
        margins: Any = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
        self.show(page)
        pdf = self.window.pdf(format="A4", margin=margins, prefer_css_page_size=True)
        return len(re.findall(rb"/Type\s*/Page\b", pdf))

    def screenshot(self, page: str) -> bytes:
        """The page as a picture."""
        self.show(page, 1100, 1400)
        return self.window.screenshot()

    def show(self, page: str, width: int = 1280, height: int = 900) -> None:
        """Make the window this large and show a page in it."""
        self.window.set_viewport_size({"width": width, "height": height})
        self.window.set_content(page)


@contextmanager
def started() -> Iterator[Browser]:
    """The browser of this machine; tests that need one are skipped without it."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium here: pages are checked by their structure alone")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
