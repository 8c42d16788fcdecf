"""Every string of the pages is in every language, and no string is there for nothing."""

import re
import string
from importlib.resources import files

import pytest
from markupsafe import escape

from paircard.projections.standings.tiebreaks import RULES, parse_code
from paircard.service.print.rendering import FOLDER, environment, language, languages

ENGLISH = language("en")

DYNAMIC = (
    "bye.", "check.", "colour.", "correct.what.", "correct.when.", "desk.", "edition.", "float.",
    "index.state.", "language.", "nav.",
    "outcome.", "outcome_says.", "outcomes.",
    "players.", "record.", "refusal.", "role.", "scope.", "score.", "sheet.", "status.", "step.", "strength.",
    "tiebreak.", "verdict.", "what_if.mark.",
)  # fmt: skip
"""Beginnings of keys that the templates put together from data."""


def templates() -> str:
    folders = files(FOLDER), files("paircard.web.pages")
    modules = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".py")]
    pages = [file for folder in folders for file in folder.joinpath("templates").iterdir()]
    return "\n".join(file.read_text(encoding="utf-8") for file in (*pages, *modules))


def used() -> set[str]:
    """Keys named in a template as they are."""
    return set(re.findall(r"""\bt\(\s*["']([a-z_.0-9-]+)["']\s*[,)]""", templates()))


def known(key: str) -> bool:
    return ENGLISH.has(key) or (ENGLISH.has(f"{key}.one") and ENGLISH.has(f"{key}.other"))


def test_every_string_a_template_asks_for_is_in_the_catalogue() -> None:
    assert used()
    assert [key for key in sorted(used()) if not known(key)] == []


def test_no_string_of_the_catalogue_is_unused() -> None:
    spare = [
        key
        for key in ENGLISH.entries
        if not key.startswith(DYNAMIC) and not {key, key.rpartition(".")[0]} & used()
    ]
    assert spare == []


@pytest.mark.parametrize("code", languages())
def test_a_language_has_every_string_with_the_same_values_in_it(code: str) -> None:
    other = language(code)

    def values(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    assert other.entries.keys() == ENGLISH.entries.keys()
    for key, text in ENGLISH.entries.items():
        assert values(other.entries[key]) == values(text), key


def test_a_language_that_is_not_there_is_english() -> None:
    assert language("tlh") is not None
    assert language("tlh").code == "en"


def test_values_are_escaped_and_a_number_chooses_the_form() -> None:
    assert ENGLISH("page.arbiter", name="<b>Ann</b>") == "Chief arbiter &lt;b&gt;Ann&lt;/b&gt;"
    assert ENGLISH("page.rounds", 1) == "1 round"
    assert ENGLISH("page.rounds", 9) == "9 rounds"


@pytest.mark.parametrize(
    "code", ["BH/C1", "BH/M2/P", "KS/L+1", "ARO/U1400", "ARO/U", "AOB/F", "TPN/R", "OTHER_PLAY_OFF", *RULES]
)
def test_tie_breaks_are_called_in_english_what_the_projections_call_them(code: str) -> None:
    each = parse_code(code)
    template = environment().from_string("{% import 'macros.html' as m with context %}{{ m.tiebreak(each) }}")

    assert template.render(t=ENGLISH, each=each).strip() == escape(each.title)
