"""The sentences in Italian are all there, each with the fields of the English one."""

import string
from collections.abc import Mapping

import pytest

from paircard.pairing.explain.catalogue import ENGLISH, Template
from paircard.pairing.explain.italian import ITALIAN, OWN


def forms(template: Template) -> dict[str, str]:
    return dict(template) if isinstance(template, Mapping) else {"": template}


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_sentence_is_translated() -> None:
    assert OWN.keys() == ENGLISH.templates.keys()


@pytest.mark.parametrize("key", sorted(OWN))
def test_a_sentence_has_the_fields_of_the_english_one(key: str) -> None:
    english, italian = forms(ENGLISH.templates[key]), forms(ITALIAN.templates[key])

    assert italian.keys() == english.keys()
    for form, text in italian.items():
        assert fields(text) == fields(english[form])
