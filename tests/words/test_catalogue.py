"""Every code that is used has a sentence in every language, with exactly the fields it is given."""

import ast
import importlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Set
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.core import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol
from jinja2 import nodes

from paircard.domain.errors import PaircardError
from paircard.domain.events import EVENT_TYPES
from paircard.domain.messages import KINDS, Message
from paircard.domain.speaking import (
    ENGLISH,
    FOLDER,
    LANGUAGES,
    PLURALS,
    REFUSALS,
    ROOMS,
    Choice,
    Sentence,
    Speaker,
    entries_of,
    sentences,
    template,
)
from paircard.pairing.explain.speaking import KINDS as EXPLAINED
from paircard.projections.standings.tiebreaks import RULES
from paircard.service.print.rendering import environment
from tests.roots import LAYERS, ROOT

SPEAKS = {
    "__init__": 0,
    "refused": 1,
    "caution": 0,
    "say": 0,
    "Message": 0,
    "rule_line": 0,
    "worse": 0,
    "need_reason": 1,
    "level_five": 1,
    "Misused": 0,
    "BadValue": 0,
    "Stop": 1,
    "print_line": 0,
    "heading": 0,
    "show_table": 0,
    "found": 2,
}
"""Functions that take a code, and at which place."""
OTHERS = [code for code in LANGUAGES if code != ENGLISH]


def test_the_files_of_the_languages_are_toml_and_mean_what_toml_says() -> None:
    files = sorted(Path(FOLDER).glob("*/*.toml"))

    assert len(files) > 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert entries_of(text) == dict(entries_in(tomllib.loads(text))), file


def entries_in(whole: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The entries of a file by the whole of their names; sentences of one choice are one."""
    for key, entry in whole.items():
        name = f"{above}{key}"
        if isinstance(entry, str) or "by" in entry:
            yield name, entry
        else:
            yield from entries_in(entry, f"{name}.")


def kinds_of_error(kind: type[PaircardError] = PaircardError) -> Iterator[str]:
    yield kind.__name__
    for below in kind.__subclasses__():
        yield from kinds_of_error(below)


def given_to(node: ast.Call | ast.Assign) -> set[str] | None:
    """The fields that stand in a call, if all of them do."""
    keywords = node.keywords if isinstance(node, ast.Call) else []
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    whole = (
        isinstance(node, ast.Call)
        and name not in ("rule_line", "worse", "show_table")
        and all(keyword.arg for keyword in keywords)
        and (name != "Message" or len(node.args) == 1)
    )
    return {keyword.arg for keyword in keywords if keyword.arg} if whole else None


class Use:
    """A place of the source that says something."""

    def __init__(self, path: Path, line: int, code: str, given: Set[str] | None = None) -> None:
        self.where = f"{path.relative_to(ROOT)}:{line}"
        self.code = code
        self.given = given
        """The fields; None where they are not all to be seen."""

    def codes(self) -> list[str]:
        """The code, or those of a family: ``explain.then.*``."""
        if "*" not in self.code:
            return [self.code]
        return [code for code in entries(ENGLISH) if fnmatchcase(code, self.code)]


def codes_in(argument: ast.expr) -> Iterator[str]:
    match argument:
        case ast.Constant(value=str(code)) if re.fullmatch(r"[a-z][a-z0-9.-]+|explain\.[\w.() -]+", code):
            yield code
        case ast.JoinedStr(values=[ast.Constant(value=str(room)), *_] as parts) if room.startswith(
            ("explain.", "cli.elsewhere.", "standings.rule.", "norms.")
        ):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from codes_in(one)
            yield from codes_in(other)


@cache
def modules() -> list[tuple[Path, list[ast.AST]]]:
    """Every module of the house with what is written in it; loaded, so that all refusals are known."""
    found = [path for layer in LAYERS for path in sorted((ROOT / layer / "paircard").rglob("*.py"))]
    for path in found:
        parts = path.relative_to(ROOT).with_suffix("").parts[1:]
        if parts[-1] not in ("__init__", "__main__"):
            importlib.import_module(".".join(parts))
    return [(path, list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))) for path in found]


def uses() -> Iterator[Use]:
    found = modules()
    errors = set(kinds_of_error())
    for path, written in found:
        for node in written:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if node.targets[0].id == "code":
                    for code in codes_in(node.value):
                        yield Use(path, node.lineno, code, given_to(node))
                continue
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr="__init__" as name)):
                    at = 0 if name in errors else SPEAKS.get(name)
                case ast.Call(func=ast.Attribute(attr=name)) if name in errors:  # by its module
                    at = 0
                case _:
                    continue
            if at is not None and len(node.args) > at:
                for code in codes_in(node.args[at]):
                    yield Use(path, node.lineno, code, given_to(node))


def strings() -> Iterator[Use]:
    """What the templates say, and the code that gives them a code to say."""
    reader = environment("paircard.web.pages")
    for path in (path for layer in LAYERS for path in sorted((ROOT / layer).rglob("templates/*.html"))):
        for call in reader.parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
            match call:
                case nodes.Call(node=nodes.Name(name="t"), args=[nodes.Const(value=code), *count]):
                    given = {keyword.key for keyword in call.kwargs} | ({"n"} if count else set())
                    yield Use(path, call.lineno, code, given)
                case nodes.Call(node=nodes.Name(name="t"), args=[nodes.Concat(nodes=[beginning, *_]), *_]):
                    assert isinstance(beginning, nodes.Const)
                    yield Use(path, call.lineno, f"{beginning.value}*")
    for path in sorted((ROOT / "service/paircard/service/print").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(code)) if code.startswith("page."):
                    yield Use(path, node.lineno, f"{code}*" if code.endswith(".") else code)


def written_out() -> Iterator[str]:
    """Places of the source that give a sentence where a code belongs."""
    found = modules()
    errors = set(kinds_of_error())
    for path, written in found:
        for node in written:
            match node:
                case ast.Call(func=ast.Name(id=name), args=args):
                    at = 0 if name in errors else SPEAKS.get(name, len(args))
                    for part in (part for argument in args[at : at + 1] for part in ast.walk(argument)):
                        match part:
                            case ast.Constant(value=str(text)) if re.match(r"(?!explain\.).* ", text):
                                yield f"{path.relative_to(ROOT)}:{node.lineno} {text}"


@cache
def in_modules() -> list[Use]:
    return list(uses())


@cache
def in_templates() -> list[Use]:
    return list(strings())


def rooms() -> Iterator[str]:
    yield REFUSALS
    yield from sorted(ROOMS)


@cache
def entries(language: str) -> dict[str, Sentence | Choice]:
    """All sentences of a language by their whole codes."""
    codes = (
        key if room == REFUSALS else f"{room}.{key}" for room in rooms() for key in sentences(language, room)
    )
    return {code: template(language, code) for code in codes}


def test_every_folder_of_sentences_is_a_language() -> None:
    assert {name for name in os.listdir(FOLDER) if "_" not in name} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_has_a_short_name(language: str) -> None:
    named = {word.removeprefix("fact.") for word in sentences(language, "words") if word[:5] == "fact."}

    assert named == {str(kind.__struct_config__.tag) for kind in EVENT_TYPES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tie_break_has_a_title(language: str) -> None:
    titles = {code.removeprefix("rule.") for code in sentences(language, "standings") if code[:5] == "rule."}

    assert titles == set(RULES)


def fields_of(entry: Sentence | Choice) -> set[str]:
    if isinstance(entry, Choice):
        return {entry.by} | {name for one in entry.sentences.values() for name in fields_of(one)}
    return {name for _, name, _ in entry if name}


def faults_of(use: Use) -> Iterator[str]:
    """What the catalogue lacks for a place of the source, or that place for the catalogue."""
    if not use.codes():
        yield f"{use.where}: no sentence is meant by {use.code!r}"
    for code in use.codes():
        if code not in entries(ENGLISH):
            yield f"{use.where}: no sentence for {code!r}"
        elif use.given is not None and (missing := fields_of(entries(ENGLISH)[code]) - use.given):
            yield f"{use.where}: {missing} not given to {code!r}"


def test_a_code_that_is_used_has_a_sentence_with_the_fields_it_is_given() -> None:
    assert len(in_modules()) > 1000
    assert len(in_templates()) > 500
    assert [fault for use in (*in_modules(), *in_templates()) for fault in faults_of(use)] == []


@pytest.mark.parametrize(
    ("code", "given"),
    [("round-not-next", {"round"}), ("round-not-known-to-anybody", None), ("explain.nothing.*", None)],
)
def test_a_code_without_its_sentence_or_its_fields_is_found(code: str, given: Set[str] | None) -> None:
    assert list(faults_of(Use(ROOT / "house.py", 1, code, given)))


def test_no_sentence_is_left_over() -> None:
    told = {f"log.{kind.__struct_config__.tag}" for kind in EVENT_TYPES}
    used = {code for use in (*in_modules(), *in_templates()) for code in use.codes()} | told

    assert {code for code in entries(ENGLISH) if code not in used} == set()


def test_every_field_of_a_sentence_is_declared() -> None:
    pages = {code for use in in_templates() for code in use.codes()}  # their fields are values of a template
    for code, entry in entries(ENGLISH).items():
        if code not in pages:
            assert fields_of(entry) <= set(KINDS if not code.startswith("explain.") else EXPLAINED), code


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_all_that_english_says_with_the_same_fields(language: str) -> None:
    english, other = entries(ENGLISH), entries(language)

    assert set(other) == set(english)
    for code, entry in other.items():
        assert fields_of(entry) <= fields_of(english[code]), code


def words_of(language: str) -> dict[str, set[str]]:
    """Words, nouns and parts of sentences of a language: their fields."""
    return {
        key: {name for _, name, _, _ in Formatter().parse(text) if name}
        for key, text in sentences(language, "words").items()
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_words_and_parts_of_english_with_the_same_fields(language: str) -> None:
    english, other = words_of(ENGLISH), words_of(language)

    assert set(other) == set(english)
    for key, fields in other.items():
        assert fields <= english[key] | {"n"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_categories_are_those_of_cldr(language: str) -> None:
    rule = Locale(language).plural_form

    for amount in (*range(201), 1_000, 1_000_000):
        assert PLURALS[language](amount) == rule(amount), amount


@pytest.mark.parametrize("language", LANGUAGES)
def test_signs_of_numbers_are_those_of_cldr(language: str) -> None:
    words = sentences(language, "words")
    locale = words["language.locale"]

    assert words["numbers.decimal"] == get_decimal_symbol(locale)
    assert words["numbers.thousands"] == get_group_symbol(locale)


def test_a_code_is_never_a_sentence() -> None:
    assert not list(written_out())
    with pytest.raises(KeyError):
        Speaker().say(Message("the round is not the next one"))


def test_a_word_that_no_table_has_is_said_as_it_is() -> None:
    assert Speaker().word("label", "last_half_life") == "last half life"
