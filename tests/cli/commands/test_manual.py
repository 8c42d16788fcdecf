"""The manual inside: it has every page, and says what the code does."""

import re
from importlib.resources import files

import pytest

from paircard.cli.commands.manual import MODIFIER_WORDS, PAGES, tiebreak_page
from paircard.cli.main import run
from paircard.projections.standings.tiebreaks.codes import KINDS, MODIFIERS
from tests.domain.test_documented import warnings_in_the_code


@pytest.mark.parametrize("page", PAGES)
def test_every_page_can_be_read(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["manual", page]) == 0

    out = capsys.readouterr().out
    assert out.startswith("# ")
    assert max(map(len, out.splitlines())) <= 120


def test_without_a_page_the_pages_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["manual"]) == 0

    assert "tie-breaks, warnings, fide-mode, results, files" in capsys.readouterr().out


def test_every_warning_has_its_level_and_a_sentence() -> None:
    text = (files("paircard.cli") / "manual" / "warnings.md").read_text(encoding="utf-8")
    listed = {(int(level), code) for level, code in re.findall(r"^    (\d)  ([a-z-]+) ", text, re.M)}

    assert listed - {(2, "same-name")} == warnings_in_the_code()


def test_every_tie_break_and_modifier_is_listed() -> None:
    codes = set(re.findall(r"^    ([A-Z]+) ", tiebreak_page(), re.M))

    assert codes == set(KINDS)
    assert set("".join(MODIFIERS.values())) == set(MODIFIER_WORDS)
