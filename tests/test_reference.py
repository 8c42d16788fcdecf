"""The API reference is made of the code, and up to date."""

import ast
import inspect

import pytest

from tests.reference import PAGE, SERVED, STUBS, page, parsed, served, stub
from tests.test_public_names import PUBLIC, named


def test_the_reference_is_what_the_code_says_today() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.reference writes it"


def test_what_the_server_tells_of_fields_and_codes_is_what_the_code_says_today() -> None:
    assert SERVED.read_bytes() == served(), "python -m tests.reference writes it"


@pytest.mark.parametrize("layer", STUBS)
def test_type_checkers_know_the_names_that_python_knows(layer: str) -> None:
    assert STUBS[layer].read_text(encoding="utf-8") == stub(layer), "python -m tests.reference writes it"


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_class_and_function_says_what_it_is(module: str) -> None:
    silent = [
        public.__name__
        for public in named(module)
        if isinstance(public, type) or inspect.isfunction(public)
        for node in parsed(public).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not ast.get_docstring(node)
    ]

    assert silent == []
