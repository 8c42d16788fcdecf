"""How pages say their strings; that every language has them is told in tests/words."""

from html import escape

import pytest

from paircard.projections.standings.tiebreaks import RULES, parse_code
from paircard.service.print.rendering import environment, language

ENGLISH = language("en")


def test_a_language_that_is_not_there_is_english() -> None:
    assert language("tlh") is not None
    assert language("tlh").code == "en"


def test_values_are_escaped_and_a_number_chooses_the_form() -> None:
    assert ENGLISH("page.shell.arbiter", name="<b>Ann</b>") == "Chief arbiter &lt;b&gt;Ann&lt;/b&gt;"
    assert ENGLISH("page.shell.rounds", 1) == "1 round"
    assert ENGLISH("page.shell.rounds", 9) == "9 rounds"
    assert ENGLISH("page.record.facts", 1200) == "1,200 facts"
    assert language("it")("page.record.facts", 1200) == "1.200 fatti"


@pytest.mark.parametrize(
    "code", ["BH/C1", "BH/M2/P", "KS/L+1", "ARO/U1400", "ARO/U", "AOB/F", "TPN/R", "OTHER_PLAY_OFF", *RULES]
)
def test_tie_breaks_are_called_in_english_what_the_projections_call_them(code: str) -> None:
    each = parse_code(code)
    template = environment().from_string("{% import 'macros.html' as m with context %}{{ m.tiebreak(each) }}")

    assert template.render(t=ENGLISH, each=each).strip() == escape(each.title)
