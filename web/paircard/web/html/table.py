"""Every page of the browser."""

from typing import Final

from paircard.web.html import alter, desk, grants, phone, players_file, public, record

PAGES: Final = (
    *public.PAGES,
    *record.PAGES,
    *phone.PAGES,
    *desk.PAGES,
    *alter.PAGES,
    *players_file.PAGES,
    *grants.PAGES,
)
