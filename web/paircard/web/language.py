"""The language a reader gets."""

from collections.abc import Mapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Final

from paircard.domain.speaking import ENGLISH, LANGUAGES

LANGUAGE: Final = "language"
"""Name of the cookie for readers who chose a language."""


def language_of(headers: Mapping[str, str]) -> str:
    """The language a reader chose, else the first of the browser's that there is."""
    cookie, chosen = headers.get("cookie", ""), None
    with suppress(CookieError):
        chosen = SimpleCookie(cookie).get(LANGUAGE) if LANGUAGE in cookie else None
    if chosen is not None and chosen.value in LANGUAGES:
        return str(chosen.value)
    for part in headers.get("accept-language", "").split(","):
        code = part.partition(";")[0].strip().lower().partition("-")[0]
        if code in LANGUAGES:
            return code
    return ENGLISH
