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


@pytest.mark.parametrize(
    ("days", "english", "italian"),
    [
        (("2026-11-14", "2026-11-20"), "14–20 November 2026", "14–20 novembre 2026"),
        (
            ("2026-11-28", "2026-12-02"),
            "28 November\u2009–\u20092 December 2026",
            "28 novembre\u2009–\u20092 dicembre 2026",
        ),
        (("2026-11-14", "2026-11-14"), "14 November 2026", "14 novembre 2026"),
        (("2026-11-14", ""), "14 November 2026", "14 novembre 2026"),
        (("spring", ""), "spring", "spring"),
    ],
)
def test_days_are_written_as_the_reader_writes_them(
    days: tuple[str, str], english: str, italian: str
) -> None:
    assert ENGLISH.days(*days) == english
    assert language("it").days(*days) == italian


def test_a_moment_keeps_its_time_and_a_tie_break_its_digits() -> None:
    assert ENGLISH.moment("2026-11-14T04:47:00Z") == "14 Nov 2026, 04:47 UTC"
    assert language("it").moment("2026-11-14T04:47:00Z") == "14 nov 2026, 04:47 UTC"
    assert (ENGLISH.decimal("13.00"), language("it").decimal("13.00")) == ("13.00", "13,00")
