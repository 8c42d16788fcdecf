"""Every code that is used has a sentence in every language, with exactly the fields it is given."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.core import Locale

from paircard.domain.errors import PaircardError
from paircard.domain.events import EVENT_TYPES
from paircard.domain.messages import KINDS, Message
from paircard.domain.speaking import ENGLISH, PLURALS, REFUSALS, ROOMS, Choice, Sentence, languages, sentences
from tests.roots import LAYERS, ROOT

SPEAKS = {"caution": 0, "say": 0, "Message": 0, "need_reason": 1, "level_five": 1}
"""Functions that take a code, and at which place."""
OTHERS = [code for code in languages() if code != ENGLISH]


def kinds_of_error(kind: type[PaircardError] = PaircardError) -> Iterator[str]:
    yield kind.__name__
    for below in kind.__subclasses__():
        yield from kinds_of_error(below)


class Use:
    """A place of the source that says something."""

    def __init__(self, path: Path, node: ast.Call | ast.Assign, code: str) -> None:
        self.where = f"{path.relative_to(ROOT)}:{node.lineno}"
        self.code = code
        keywords = node.keywords if isinstance(node, ast.Call) else []
        self.given = {keyword.arg for keyword in keywords if keyword.arg}
        self.whole = isinstance(node, ast.Call) and all(keyword.arg for keyword in keywords)


def codes_in(argument: ast.expr) -> Iterator[str]:
    match argument:
        case ast.Constant(value=str(code)) if re.fullmatch("[a-z][a-z0-9.-]+", code):
            yield code
        case ast.IfExp(body=one, orelse=other):
            yield from codes_in(one)
            yield from codes_in(other)


def modules() -> list[Path]:
    """Every module of the house, loaded, so that all kinds of refusals are known."""
    found = [path for layer in LAYERS for path in sorted((ROOT / layer / "paircard").rglob("*.py"))]
    for path in found:
        parts = path.relative_to(ROOT).with_suffix("").parts[1:]
        if parts[-1] not in ("__init__", "__main__"):
            importlib.import_module(".".join(parts))
    return found


def uses() -> Iterator[Use]:
    found = modules()
    errors = set(kinds_of_error())
    for path in found:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if node.targets[0].id == "code":
                    for code in codes_in(node.value):
                        yield Use(path, node, code)
                continue
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            name = node.func.id
            at = 0 if name in errors else SPEAKS.get(name)
            if at is not None and name in ("caution", "level_five") and len(node.args) > at + 1:
                continue  # a room that still writes its sentences in place
            if at is not None and len(node.args) > at:
                for code in codes_in(node.args[at]):
                    yield Use(path, node, code)


USES = list(uses())


def rooms() -> Iterator[str]:
    yield REFUSALS
    yield from sorted(ROOMS)


def entries(language: str) -> dict[str, Sentence | Choice]:
    """All sentences of a language by their whole codes."""
    return {
        key if room == REFUSALS else f"{room}.{key}": entry
        for room in rooms()
        for key, entry in sentences(language, room).items()
    }


def fields_of(entry: Sentence | Choice) -> set[str]:
    if isinstance(entry, Choice):
        return {entry.by} | {name for one in entry.sentences.values() for name in fields_of(one)}
    return {name for _, name, _ in entry if name}


@pytest.mark.parametrize("use", USES, ids=lambda use: f"{use.where} {use.code}")
def test_a_code_that_is_used_has_a_sentence_with_the_fields_it_is_given(use: Use) -> None:
    entry = entries(ENGLISH).get(use.code)

    assert entry is not None, f"{use.where}: no sentence for {use.code!r}"
    if use.whole:
        assert fields_of(entry) <= use.given, f"{use.where}: {fields_of(entry) - use.given} not given"


def test_no_sentence_is_left_over() -> None:
    told = {f"log.{kind.__struct_config__.tag}" for kind in EVENT_TYPES}
    used = {use.code for use in USES} | told

    assert {code for code in entries(ENGLISH) if code not in used} == set()


def test_every_field_of_a_sentence_is_declared() -> None:
    for code, entry in entries(ENGLISH).items():
        assert fields_of(entry) <= set(KINDS), code


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_all_that_english_says_with_the_same_fields(language: str) -> None:
    english, other = entries(ENGLISH), entries(language)

    assert set(other) == set(english)
    for code, entry in other.items():
        assert fields_of(entry) <= fields_of(english[code]), code


@pytest.mark.parametrize("language", languages())
def test_plural_categories_are_those_of_cldr(language: str) -> None:
    rule = Locale(language).plural_form

    for amount in (*range(201), 1_000, 1_000_000):
        assert PLURALS[language](amount) == rule(amount), amount


def test_a_code_is_never_a_sentence() -> None:
    assert " " not in Message("round-not-next").code
