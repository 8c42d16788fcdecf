"""Wording is asserted in these tests alone: others ask for codes and fields, or the catalogue for words."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from paircard.domain.speaking import ENGLISH, FOLDER, sentences
from tests.roots import ROOT

LONG = 5
"""So many words in a row are a part of a sentence, and not a name, a label or a word of a table."""
ABOUT_WORDING = ("words/", "pairing/spoken/", "pairing/test_spoken.py", "pairing/test_speaking.py")


def texts(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    else:
        for form in entry.values():
            yield from texts(form)


@cache
def parts_of_sentences() -> frozenset[str]:
    """What English sentences say between their fields, where that is long."""
    rooms = (path.stem for path in Path(FOLDER, ENGLISH).glob("*.toml"))
    said = (text for room in rooms for entry in sentences(ENGLISH, room).values() for text in texts(entry))
    parts = (part.strip() for text in said for part in re.split(r"\{[^}]*\}", text))
    return frozenset(part for part in parts if len(part.split()) >= LONG)


def asserted(source: str) -> Iterator[tuple[int, str]]:
    """Parts of English sentences among the texts that a test asserts, with their lines."""
    for node in ast.walk(ast.parse(source)):
        for text in ast.walk(node.test) if isinstance(node, ast.Assert) else ():
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield from ((text.lineno, part) for part in parts_of_sentences() if part in text.value)


def test_no_other_test_asserts_the_words_of_a_sentence() -> None:
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT / "tests").as_posix()
        if not name.startswith(ABOUT_WORDING):
            found += [(name, *one) for one in asserted(path.read_text(encoding="utf-8"))]

    assert found == [], "give the code and its fields, or tests.refusals.sentence(code, …)"


def test_a_sentence_that_is_asserted_is_found() -> None:
    part = max(parts_of_sentences(), key=len)

    assert list(asserted(f"assert {part!r} in out")) == [(1, part)]
    assert list(asserted(f"say({part!r})")) == []
