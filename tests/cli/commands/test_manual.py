"""The manual inside: it has every page, and says what the code does."""

import re

import pytest

from paircard.cli.commands.manual import MODIFIER_WORDS, PAGES, tiebreak_page, warning_page
from paircard.cli.main import run
from paircard.domain.deciding.cautions import CAUTIONS
from paircard.projections.standings.tiebreaks.codes import KINDS, MODIFIERS


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
    listed = {
        (int(level), code) for level, code in re.findall(r"^    (\d)  ([a-z-]+) +\S", warning_page(), re.M)
    }

    assert listed == {(level, code) for code, (level, _) in CAUTIONS.items()}


def test_every_tie_break_and_modifier_is_listed() -> None:
    codes = set(re.findall(r"^    ([A-Z]+) ", tiebreak_page(), re.M))

    assert codes == set(KINDS)
    assert set("".join(MODIFIERS.values())) == set(MODIFIER_WORDS)
