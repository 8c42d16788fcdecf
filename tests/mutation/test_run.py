"""The run that counts mutants: what it counts exists, and what it calls found was found."""

import ast

import pytest

from tests.mutation import run


def test_every_function_that_is_named_exists_and_every_module_has_some() -> None:
    for module in (*run.WHOLE, *run.SINGLE):
        assert run.functions(module, run.parse(module)), module


def test_a_function_that_no_longer_exists_is_refused() -> None:
    module, source = next(iter(run.SINGLE)), ast.parse("def another() -> None: ...")

    with pytest.raises(LookupError, match=f"{module} has no function"):
        run.functions(module, source)


def test_a_mistake_changes_the_code_at_one_place_and_never_what_is_said_to_people() -> None:
    tree = ast.parse(
        "def f(x):\n    'Words.'\n    if x > 3:\n        raise ValueError('too large')\n    return x\n"
    )
    [function] = run.outermost(tree)
    spared = run.said_to_people(function)

    made = [words for node in ast.walk(function) if node not in spared for words, _ in run.mistakes(node)]

    assert sorted(made) == ["3 -> 4", "Gt -> GtE", "Raise left out", "if False", "if True"]


def test_a_filter_of_a_comprehension_is_left_out_too() -> None:
    [statement] = ast.parse("[x for x in y if x]").body
    found = [change for node in ast.walk(statement) for words, change in run.mistakes(node)]

    for change in found:
        change()

    assert ast.unparse(statement) == "[x for x in y if True]"
    assert len(found) == 1
