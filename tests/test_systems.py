"""Every set of rules has all its rooms: whoever adds a system sees here what it still lacks."""

import pytest

from paircard.domain.speaking import LANGUAGES, table
from paircard.domain.values.rules import RULES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_set_of_rules_has_words_in_every_language(language: str) -> None:
    """A missing word fails when a page is shown, after the fact was written."""
    for room, words in (("explain", "edition"), ("page", "edition"), ("words", "cases")):
        assert set(table(language, room)[words]) == set(RULES), (language, room, words)
