"""The frame of the page that explains a round: no network, no script; for screen, phone and paper."""

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

import msgspec


@cache
def style() -> str:
    """The style sheet, which goes into every page."""
    return files("paircard.cli.html").joinpath("page.css").read_text(encoding="utf-8")


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What stands above a table."""

    name: str
    facts: tuple[str, ...] = ()
    """Place, days, arbiter and the like, those that are known."""


def page(
    heading: Heading,
    moment: str,
    notes: Sequence[str],
    body: str,
    *,
    landscape: bool = False,
    css: str = "",
    foot: str = "Tie-breaks by FIDE C.07, in force 1 March 2026.",
) -> str:
    """A whole HTML file."""
    paper = "@page { size: A4 landscape; }" if landscape else ""
    facts = f'<p class="facts">{escape(" · ".join(heading.facts))}</p>' if heading.facts else ""
    said = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading.name)}: {escape(moment)}</title>\n<style>\n{style()}{css}{paper}</style>\n"
        f"</head>\n<body>\n"
        f"<header><h1>{escape(heading.name)}</h1><h2>{escape(moment)}</h2>{facts}{said}</header>\n"
        f"{body}\n<footer>Made by Paircard. {escape(foot)}</footer>\n"
        f"</body>\n</html>\n"
    )
