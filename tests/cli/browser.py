"""A real browser without a window, where one is installed."""

import json
import re
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--virtual-time-budget=3000",
)  # fmt: skip

PROBE = """
const page = document.getElementById("page").contentDocument;
const root = page.documentElement;
const edge = box => box.getBoundingClientRect();
const outside = [...page.querySelectorAll(".bracket *")].filter(
  one => edge(one).right > edge(one.closest(".bracket")).right + 1).map(one => one.className);
const [white, black] = page.querySelectorAll(".pairs .seat");
document.getElementById("seen").textContent = JSON.stringify({
  scrollWidth: root.scrollWidth, height: root.scrollHeight,
  brackets: page.querySelectorAll(".bracket").length, overflowing: outside,
  columns: Math.abs(edge(white).top - edge(black).top) < 3 ? 2 : 1,
  black: getComputedStyle(page.querySelector(".b")).backgroundColor,
});
"""


class Browser:
    """Chromium, started anew for each page."""

    def __init__(self, program: str) -> None:
        self.program = program

    def measure(self, page: str, width: int) -> dict[str, Any]:
        """What the page measures in a frame of this width; narrower than any window may be."""
        frame = f'<iframe id="page" width="{width}" height="900" style="border:0" srcdoc="{escape(page)}">'
        probe = f"<script>onload = () => {{{PROBE}}}</script>"
        dom = self._run(f'<!DOCTYPE html>{frame}</iframe><pre id="seen"></pre>{probe}', "--dump-dom")
        [seen] = re.findall(r'<pre id="seen">(.*?)</pre>', dom.decode())
        measured: dict[str, Any] = json.loads(seen.replace("&amp;", "&"))
        return measured

    def width(self, page: str, width: int) -> int:
        """How wide the page is that is shown in a frame of this width."""
        frame = f'<iframe id="page" width="{width}" height="900" style="border:0" srcdoc="{escape(page)}">'
        wide = 'document.getElementById("page").contentDocument.documentElement.scrollWidth'
        probe = f'<script>onload = () => {{document.getElementById("seen").textContent = {wide}}}</script>'
        dom = self._run(f'<!DOCTYPE html>{frame}</iframe><pre id="seen"></pre>{probe}', "--dump-dom")
        [seen] = re.findall(r'<pre id="seen">(\d+)</pre>', dom.decode())
        return int(seen)

    def sheets(self, page: str) -> int:
        """How many sheets of paper the page takes."""
        pdf = self._written(page, "sheet.pdf", "--print-to-pdf={}", "--no-pdf-header-footer")
        return len(re.findall(rb"/Type\s*/Page\b", pdf))

    def screenshot(self, page: str) -> bytes:
        """The page as a picture."""
        return self._written(page, "shot.png", "--screenshot={}", "--window-size=1100,1400")

    def _written(self, page: str, name: str, *flags: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / name
            self._run(page, *(flag.format(target) for flag in flags))
            return target.read_bytes()

    def _run(self, page: str, *flags: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            file.write_text(page, encoding="utf-8")
            done = subprocess.run(
                [self.program, *FLAGS, f"--user-data-dir={folder}/profile", *flags, file.as_uri()],
                capture_output=True,
                timeout=600,
            )
            assert done.returncode == 0, done.stderr.decode()[-500:]
            return done.stdout


def browser() -> Browser:
    """The browser of this machine; tests that need one are skipped without it."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if program := shutil.which(name):
            return Browser(program)
    pytest.skip("no chromium here: the page is checked by its structure alone")
