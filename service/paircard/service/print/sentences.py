"""Sentences in another language: facts, refusals and warnings, which the other rooms write in English.

Whoever refuses something writes the sentence where it is needed, in plain English, and knows of no other
language. A language has a pattern for each: the English sentence with its fields, and the same in its own
words. A field ``{colour:colours}`` is a phrase itself, to be found in the table of that name; ``;`` or ``,``
behind the name says that there may be several, with that between them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

FIELD: Final = re.compile(r"\{(\w+)(?::(\w+)([;,]*))?\}")
WHOLE: Final = "sentences"
"""The table of whole sentences."""
LONGEST: Final = 4000
"""Characters of a text that is looked up; what is longer is no sentence."""


class Field(msgspec.Struct, frozen=True):
    """What stands between the fixed words of a pattern."""

    name: str
    table: str
    """Where its phrases are; empty for a name, a number or a text that stays as it is."""
    between: str
    """What may separate several phrases: ``;``, ``,``, or the first of both that does."""


class Pattern(msgspec.Struct, frozen=True):
    """A sentence with fields, and how it is said."""

    fixed: tuple[str, ...]
    """The words before, between and behind the fields."""
    fields: tuple[Field, ...]
    said: str


class Sentences:
    """The sentences of one language."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        whole = {english: said for english, said in entries.items() if isinstance(said, str)}
        parts = {name: table for name, table in entries.items() if not isinstance(table, str)}
        self.tables: Final = {name: patterns(table) for name, table in {**parts, WHOLE: whole}.items()}

    def find(self, text: str, table: str = WHOLE) -> str | None:
        """The text in this language, if a pattern of the table fits it."""
        if len(text) > LONGEST:
            return None
        for pattern in self.tables.get(table, ()):
            if text.startswith(pattern.fixed[0]) and text.endswith(pattern.fixed[-1]):
                for values in self.readings(pattern, text, 0, len(pattern.fixed[0])):
                    return pattern.said.format(**values)
        return None

    def readings(self, pattern: Pattern, text: str, at: int, start: int) -> Iterator[dict[str, str]]:
        """What the fields from number ``at`` on may hold, read from a place of the text on."""
        if at == len(pattern.fields):
            if start == len(text):
                yield {}
            return
        field, words = pattern.fields[at], pattern.fixed[at + 1]
        last = at + 1 == len(pattern.fields)
        end = len(text) - len(words) if last else text.find(words, start + 1)
        while end > start:
            value = self.value(field, text[start:end])
            if value is not None:
                for rest in self.readings(pattern, text, at + 1, end + len(words)):
                    yield {field.name: value, **rest}
            end = -1 if last else text.find(words, end + 1)

    def value(self, field: Field, text: str) -> str | None:
        """What a field holds, in this language; None if the table of its phrases lacks it."""
        if not field.table:
            return text
        for sign in field.between:
            phrases = [self.find(part, field.table) for part in text.split(f"{sign} ")]
            if len(phrases) > 1 and None not in phrases:
                return f"{sign} ".join(map(str, phrases))
        return self.find(text, field.table)


def patterns(table: Mapping[str, str]) -> list[Pattern]:
    """The patterns of a table, those with the most fixed words first."""
    made = [Pattern(*parts(english), said) for english, said in table.items()]
    return sorted(
        made, key=lambda one: (-len("".join(one.fixed)), sum(not field.table for field in one.fields))
    )


def parts(english: str) -> tuple[tuple[str, ...], tuple[Field, ...]]:
    """The fixed words of a sentence, and its fields."""
    fixed, *rest = FIELD.split(english)
    fields = zip(rest[0::4], rest[1::4], rest[2::4], strict=True)
    return (fixed, *rest[3::4]), tuple(
        Field(name, table or "", between or "") for name, table, between in fields
    )
