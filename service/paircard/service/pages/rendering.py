"""Templates into pages: escaped by default, undefined names refused."""

from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import quote, urlencode

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from paircard.domain.values.results import points
from paircard.domain.values.text import label
from paircard.service.pages.rounds import absence, result_of
from paircard.service.pages.told import Told
from paircard.service.pages.words import ENGLISH, FOLDER, isolate, language, languages


class Links(msgspec.Struct, frozen=True):
    """Addresses of the pages of one tournament; a page in a file has none."""

    base: str
    """Address of the tournament's first page, without a slash at the end."""
    at: str = ""
    """The moment the pages show; empty for now."""

    def __call__(self, *parts: object, **query: object) -> str:
        """The address of a page below the tournament's own."""
        asked = {key.rstrip("_"): str(value) for key, value in query.items() if value not in (None, "")}
        if self.at and "at" not in asked:
            asked["at"] = self.at
        if asked.get("at") == "now":
            del asked["at"]
        path = "/".join((self.base, *(quote(str(part)) for part in parts)))
        return f"{path}?{urlencode(asked)}" if asked else path


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """How a page is made, whatever it shows."""

    language: str = ENGLISH
    stylesheet: str = ""
    """Address of the style sheet; a page without one carries the style in itself."""
    icon: str = ""
    """Address of the icon."""
    scripts: tuple[str, ...] = ()
    """Addresses of the scripts of the page."""
    links: Links | None = None
    """Where the other pages are; a page in a file has no links."""
    here: str = ""
    """Address of the page itself, to come back to after choosing a language."""
    address: str = ""
    """The whole address of the page, for whoever shows a link to it."""
    steps: tuple[str, str] = ("", "")
    """Addresses of this page one fact earlier and one later, if it shows the past."""
    feed: str = ""
    """Address of the stream that says when to look again."""
    desk: bool = False
    """Whether the reader is an arbiter of the tournament."""
    told: Told | None = None
    """What the form came to that led to this page."""
    key: str = ""
    """The key of the form that takes it back."""
    log: bool = False
    """Whether the reader may see the log, with names and reasons."""


FILE: Final = Frame()
"""A page that is one file: no links, no script, nothing loaded."""


@cache
def environment() -> Environment:
    """The templates."""
    made = Environment(
        loader=PackageLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"points": points, "halves": result_of, "isolate": isolate}
    made.globals |= {"absence": absence, "label": label}
    return made


@cache
def style() -> str:
    """The style sheet of every page."""
    return files(FOLDER).joinpath("paircard.css").read_text(encoding="utf-8")


def render(template: str, frame: Frame = FILE, **values: object) -> str:
    """A whole page."""
    return (
        environment()
        .get_template(template)
        .render(
            t=language(frame.language),
            style="" if frame.stylesheet else Markup(style()),
            frame=frame,
            link=frame.links,
            tongues=[language(code) for code in languages()],
            **values,
        )
    )
