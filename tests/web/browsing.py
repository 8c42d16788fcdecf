"""What every test with a real browser needs: screens to look at, people who sign in, and two events."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from paircard.service import Office
from paircard.web.book import new_credential, new_grant, open_access
from paircard.web.messages import Role
from paircard.web.roles import PLAIN_COOKIE
from tests.web.running import Running

OPEN, EXAMPLE = "Saltmarsh Open", "Six rounds by the book"
MODES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "print": {"viewport": {"width": 720, "height": 1000}},
    "no script": {"viewport": {"width": 390, "height": 844}, "java_script_enabled": False},
}


class Site:
    """A running server with two events: the worked example, and an open in round 1."""

    def __init__(self, server: Running, file: Path) -> None:
        self.server, self.file = server, file
        with Office.open(file) as office:
            self.ids = {one.name: one.id for one in office.tournaments()}

    def address(self, event: str, path: str = "") -> str:
        return f"{self.server.base}/tournaments/{self.ids[event]}{path}"

    def link(self, role: Role, who: str, **more: Any) -> str:
        """A link by which somebody signs in once."""
        access = open_access(str(self.file))
        grant = new_grant(role, who, **more)
        credential, secret = new_credential(grant, "link", once=True)
        access.write(lambda _: [grant, credential])
        access.close()
        return f"{self.server.base}/sign-in#{secret}"

    def come_in(self, context: BrowserContext, role: Role, who: str, **more: Any) -> Page:
        """A page of somebody who signed in before: only so many may sign in within a minute."""
        access = open_access(str(self.file))
        grant = new_grant(role, who, **more)
        credential, secret = new_credential(grant, "session", until=int(time.time()) + 3600)
        access.write(lambda _: [grant, credential])
        access.close()
        context.add_cookies([{"name": PLAIN_COOKIE, "value": secret, "url": self.server.base}])
        return context.new_page()

    def version(self, event: str) -> int:
        with Office.open(self.file) as office:
            return office.tournament(event).now().version


@contextmanager
def reader(chromium: Browser, mode: str = "desktop", **more: Any) -> Iterator[BrowserContext]:
    context = chromium.new_context(**{**MODES[mode], **more})
    try:
        yield context
    finally:
        context.close()
