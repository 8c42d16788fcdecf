"""Every page of the browser."""

from typing import Final

from paircard.web.html import desk, grants, phone, public, record

PAGES: Final = (*public.PAGES, *record.PAGES, *phone.PAGES, *desk.PAGES, *grants.PAGES)
