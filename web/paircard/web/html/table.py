"""Every page of the browser."""

from typing import Final

from paircard.web.html import alter, desk, grants, people, phone, players_file, public, record, regulations

PAGES: Final = (
    *public.PAGES,
    *regulations.PAGES,
    *record.PAGES,
    *phone.PAGES,
    *desk.PAGES,
    *people.PAGES,
    *alter.PAGES,
    *players_file.PAGES,
    *grants.PAGES,
)
