"""The strings of the pages, one TOML file for each language."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from markupsafe import Markup, escape

from paircard.domain.errors import Caution, PaircardError
from paircard.domain.messages import Message
from paircard.domain.speaking import PageSpeaker
from paircard.projections.log_lines import LogLine
from paircard.service.pages.sentences import WHOLE, Sentences

Said: TypeAlias = Message | PaircardError | Caution | LogLine
"""What other rooms have to say, before it is put into words."""

FOLDER: Final = "paircard.service.pages"
ENGLISH: Final = "en"


RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""Hebrew, Arabic and their neighbours, as a set of a pattern."""
NAME: Final = re.compile(f"[{RIGHT_TO_LEFT}](?:(?:(?! [–-] )[^0-9:;()A-Za-z])*[{RIGHT_TO_LEFT}])*")
"""What is written from right to left, up to the dash between two players."""
SCORE: Final = re.compile(r"(?<![\w–-])[01½]F?-[01½]F?(?![\w–-])")


def isolate(text: str) -> str:
    """A text in which names that are written from right to left do not turn the words around them."""
    return NAME.sub("\u2068\\g<0>\u2069", text)


def prose(text: str) -> Markup:
    """A line of the record or a refusal, as a page shows it: names isolated, a result in one piece."""
    return Markup(SCORE.sub(r'<span class="nw">\g<0></span>', str(escape(isolate(text)))))


class Language:
    """The strings of one language. Call it with a key and the values that belong into the string."""

    def __init__(self, code: str, entries: Mapping[str, str], sentences: Sentences) -> None:
        self.code = code
        self.entries = entries
        self.sentences = sentences

    def __call__(self, key: str, n: int | None = None, /, **values: object) -> Markup:
        """The string with its values, safe to stand in a page; ``n`` chooses between one and several."""
        if n is not None:
            key = f"{key}.{'one' if n == 1 else 'other'}"
            values["n"] = n
        plain = {name: isolate(one) if type(one) is str else one for name, one in values.items()}
        return Markup(escape(self.entries[key])).format(**plain)

    def say(self, said: Said | str, table: str = WHOLE) -> Markup:
        """What another room says, in this language; a text in English if there are no words for it."""
        match said:
            case str():
                return prose(self.sentences.find(said, table) or said)
            case LogLine(message=message, people=people):
                return Markup(RoomSpeaker(self.code, people).say(message))
            case Caution():
                return Markup(RoomSpeaker(self.code).warning(said))
            case PaircardError():
                return Markup(RoomSpeaker(self.code).refusal(said))
            case _:
                return Markup(RoomSpeaker(self.code).say(said))

    def has(self, key: str) -> bool:
        """Whether there is such a string."""
        return key in self.entries

    @property
    def direction(self) -> str:
        """How the language is written: ``ltr`` or ``rtl``."""
        return self.entries["language.direction"]

    @property
    def name(self) -> str:
        """The language in its own words."""
        return self.entries["language.name"]


class RoomSpeaker(PageSpeaker):
    """Says messages on a page, and finds the words of a room that still writes its sentences in place."""

    def say(self, message: Message) -> str:
        if " " in message.code:
            return str(language(self.language).say(message.code))
        return super().say(message)


@cache
def language(code: str = ENGLISH) -> Language:
    """The language with this code; English if there is no such file."""
    if code not in languages():
        code = ENGLISH
    text = files(FOLDER).joinpath("languages", f"{code}.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    sentences = Sentences(tables.pop(WHOLE, {}))
    return Language(code, dict(flattened(tables)), sentences)


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages there are."""
    folder = files(FOLDER).joinpath("languages")
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir()))


def flattened(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Nested tables as one: ``boards.white``."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{above}{key}", value
        else:
            yield from flattened(value, f"{above}{key}.")
