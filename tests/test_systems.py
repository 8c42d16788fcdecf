"""Every set of rules has all its rooms: whoever adds a system sees here what it still lacks."""

import ast
from collections.abc import Iterator
from typing import Final, get_args

import pytest

from paircard.domain.commands import Command
from paircard.domain.deciding.decider import SYSTEMS
from paircard.domain.speaking import LANGUAGES, sentences
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.rules import RULES
from paircard.pairing.engines import ENGINES
from paircard.pairing.explain.explainers import EXPLAINERS
from paircard.pairing.lab.simulate import DRAWN, LACKS
from paircard.projections.trf.export import SAID, code_of
from paircard.projections.trf.records import rules_of_code
from paircard.projections.views import SIGHTS
from tests.roots import LAYERS, ROOT


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_set_of_rules_has_words_in_every_language(language: str) -> None:
    """A missing word fails when a page is shown, after the fact was written."""
    for room, words in (("explain", "edition"), ("page", "edition"), ("words", "cases")):
        told = {
            code.removeprefix(f"{words}.")
            for code in sentences(language, room)
            if code.startswith(f"{words}.")
        }
        assert told == set(RULES), (language, room, words)
    for sentence in ("rules", "read"):
        told = set(sentences(language, "cli")[f"show.{sentence}"]) - {"by"}
        assert told == {rules.family for rules in RULES.values()}, (language, sentence)


def test_every_set_of_rules_has_an_engine_and_every_family_its_line_of_each_table() -> None:
    assert set(ENGINES) == set(RULES)
    for by_family in (EXPLAINERS, SIGHTS, SAID, LACKS, DRAWN):
        assert set(by_family) == {rules.family for rules in RULES.values()}


def test_every_family_decides_every_command() -> None:
    assert set(SYSTEMS) == {rules.family for rules in RULES.values()}
    for system in SYSTEMS.values():
        assert set(system.deciders) == set(get_args(Command))


def test_every_set_of_rules_has_a_code_of_record_192_that_is_read_as_the_same() -> None:
    for name in RULES:
        code = code_of(Regulations(name="Open", rounds=0, edition=name))
        assert rules_of_code(code).edition == name


def test_every_set_of_rules_has_its_place_in_the_guide() -> None:
    guide = (ROOT / "docs/arbiters.md").read_text(encoding="utf-8")
    assert {name for name in RULES if f"`{name}`" in guide} == set(RULES)


ROOMS: Final = (
    "domain/paircard/domain/deciding/round_robin.py",
    "domain/paircard/domain/values/rules.py",
    "pairing/paircard/pairing/berger.py",
)
"""Where a system may know itself."""
OF_THE_HANDBOOK: Final = tuple(
    f"projections/paircard/projections/{room}" for room in ("standings/", "trf/", "norms.py")
)
"""Where the Handbook itself tells events apart whose pairings no result decides: C.07:15 for tie-breaks and
the files they are computed from, B.01:1.4 for norms."""


def branches(tree: ast.AST) -> Iterator[ast.expr]:
    """Every condition of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.BoolOp | ast.Compare):
            yield node
        elif isinstance(node, ast.match_case) and node.guard:
            yield node.guard


def asks_who_it_is(condition: ast.expr) -> bool:
    """Whether a condition asks for the family, a system by its name, or a flag that stands for one."""
    nodes = list(ast.walk(condition))
    handed_on = {id(node) for call in nodes if isinstance(call, ast.keyword) for node in ast.walk(call)}
    asked = {
        str(getattr(node, "attr", None) or getattr(node, "id", None) or getattr(node, "value", None))
        for node in nodes
        if id(node) not in handed_on
    }
    by_name = asked & {"edition", "chosen", "family"} and asked & {rules.family for rules in RULES.values()}
    return bool(by_name or asked & {"predetermined", "ROUND_ROBIN"})


def test_outside_its_rooms_nobody_asks_which_system_it_is() -> None:
    """A place that needs to know something of the rules asks for that, or has a table by family."""
    found = [
        f"{path.relative_to(ROOT)}:{condition.lineno}"
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
        if not str(path.relative_to(ROOT)).startswith((*ROOMS, *OF_THE_HANDBOOK))
        for condition in branches(ast.parse(path.read_text(encoding="utf-8")))
        if asks_who_it_is(condition)
    ]
    assert found == []
