"""Every set of rules has all its rooms: whoever adds a system sees here what it still lacks."""

from typing import get_args

import pytest

from paircard.domain.commands import Command
from paircard.domain.deciding.decider import SYSTEMS
from paircard.domain.speaking import LANGUAGES, table
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.rules import RULES
from paircard.pairing.engines import ENGINES
from paircard.pairing.explain.explainers import EXPLAINERS
from paircard.projections.trf.records import code_of, rules_of_code
from tests.roots import ROOT


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_set_of_rules_has_words_in_every_language(language: str) -> None:
    """A missing word fails when a page is shown, after the fact was written."""
    for room, words in (("explain", "edition"), ("page", "edition"), ("words", "cases")):
        assert set(table(language, room)[words]) == set(RULES), (language, room, words)


def test_every_set_of_rules_has_an_engine_and_every_family_an_explainer() -> None:
    assert set(ENGINES) == set(RULES)
    assert set(EXPLAINERS) == {rules.family for rules in RULES.values()}


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
