"""The manual inside: it has every page, and says what the code does."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from paircard.cli.commands.manual import EXAMPLES, PAGES, page_text
from paircard.cli.main import run
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.values.rules import EDITIONS, RULES, Rules
from paircard.pairing.dutch.editions import EDITIONS as KERNEL
from paircard.pairing.dutch.editions import Edition
from paircard.projections.standings.tiebreaks import RULES as TIEBREAKS
from paircard.service.edition_table import TABLE, UNPLAYED, downfloats
from tests.refusals import sentence


@pytest.mark.parametrize("page", PAGES)
def test_every_page_can_be_read(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["manual", page]) == 0

    out = capsys.readouterr().out
    assert out.startswith("# ")
    assert max(map(len, out.splitlines())) <= 120


def test_without_a_page_the_pages_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["manual"]) == 0

    assert ", ".join(PAGES) in capsys.readouterr().out


def test_every_warning_has_its_level_and_a_sentence() -> None:
    listed = {
        (int(level), code)
        for level, code in re.findall(r"^    (\d)  ([a-z-]+) +\S", page_text("warnings"), re.M)
    }

    assert listed == {(level, code) for code, level in CAUTIONS.items()}


def test_every_tie_break_and_modifier_is_listed() -> None:
    page = page_text("tie-breaks")
    codes = set(re.findall(r"^    ([A-Z]+) ", page, re.M))
    explained = re.findall(r"^    /([A-Z])", page, re.M)

    assert codes == set(TIEBREAKS)
    assert set("".join(rule.modifiers for rule in TIEBREAKS.values())) == set(explained)


# --- where the editions differ


def row(subject: str) -> dict[str, str]:
    """The text of a row by edition."""
    [found] = [one for one in TABLE if one.subject == subject]
    return {edition: rule.text for edition, rule in found.rules.items()}


def holds(subject: str, words: str) -> set[str]:
    """Editions whose cell begins so."""
    return {edition for edition, text in row(subject).items() if text.startswith(words)}


def test_every_edition_has_a_cell_in_every_row_with_its_article() -> None:
    for one in TABLE:
        assert set(one.rules) == set(EDITIONS)
        assert all(rule.article or rule.text == "no such rule" for rule in one.rules.values())
        assert len({(rule.text, rule.article) for rule in one.rules.values()}) > 1


def test_what_the_table_says_of_the_engine_is_what_the_engine_does() -> None:
    def where(wanted: Callable[[Edition], bool]) -> set[str]:
        return {name for name, edition in KERNEL.items() if wanted(edition)}

    second = {name for name in KERNEL if RULES[name].second_bye}
    assert holds("everybody is barred from the bye", "those") == second
    assert holds("half of a bracket moved down", "treated as") == where(
        lambda one: one.half_moved_down_is_homogeneous
    )
    assert holds("colours of two absolute preferences", "the wider") == where(
        lambda one: one.wider_difference_decides
    )
    after = "colours of two without a game, after round 1"
    assert holds(after, "the opposite") == where(lambda one: one.initial_colour_alternates)
    assert all("all who ever" in text for text in row(after).values())
    assert holds("a rest that cannot be paired", "every bracket") == where(
        lambda one: one.completes_every_bracket
    )
    assert {edition for edition, text in row("a rest that cannot be paired").items() if "joined" in text} == (
        where(lambda one: one.joins_last_brackets)
    )
    assert holds("who gets the bye", "one of the lowest score") == where(lambda one: one.fixes_bye_score)
    assert holds("which downfloaters", "the least list") == where(lambda one: one.measures_differences)
    assert holds("strong colour preferences", "in odd rounds") == where(lambda one: bool(one.only_odd_rounds))


def test_what_the_table_says_of_the_desk_is_what_the_desk_does() -> None:
    def where(wanted: Callable[[Rules], bool]) -> set[str]:
        return {name for name in EDITIONS if wanted(RULES[name])}

    assert holds("order among players of equal score", "rating, title, name") == where(
        lambda one: one.ranks_anew
    )
    assert holds("late entries after round 4", "the next free") == where(
        lambda one: one.late_entries_come_last
    )
    assert holds("pairing numbers", "frozen once round 4") == where(lambda one: one.freezing_round == 4)
    assert holds("a wrong result or colour", "counts for all") == where(
        lambda one: one.corrections == "always"
    )


@pytest.mark.parametrize(
    ("edition", "letters"),
    [("dutch-2012", "UFH+"), ("dutch-2012-javafo", "UFH+"), ("dutch-2017", "UFH+-Z"), ("dutch-2026", "UFH+")],
)
def test_what_an_absence_does_to_the_floats_is_told_for_every_edition(edition: str, letters: str) -> None:
    assert downfloats(edition) == set(letters)
    assert row("a downfloat without a game")[edition] == ", ".join(UNPLAYED[letter] for letter in letters)


def test_new_and_show_point_to_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "open.db")
    assert run(["new", "--help"]) == 0
    assert "paircard manual editions" in " ".join(capsys.readouterr().out.split())
    assert run(["new", "Open", "--rounds", "5", "--db", file, "--as", "Anna"]) == 0
    assert run(["show", "--db", file]) == 0
    assert sentence("cli.show.read", kind="dutch") in capsys.readouterr().out


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_position_in_which_programs_differ_is_a_file_to_try(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of the page work, and the page names every file."""
    monkeypatch.chdir(tmp_path)
    assert run(["manual", "programs"]) == 0
    page = capsys.readouterr().out
    assert run(["manual", "programs", "--file", name]) == 0
    (tmp_path / f"{name}.trf").write_text(capsys.readouterr().out, encoding="utf-8")

    assert name in page
    tried = [
        line.split()[1:]
        for line in page.splitlines()
        if line.startswith("        paircard") and f"{name}.trf" in line
    ]
    for words in tried:
        assert ">" in words or run(words) == 0, words


def test_nobody_has_the_bye_twice_where_another_program_gives_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, round, bye in (("c2-nine", 8, 6), ("c2-ten", 7, 7), ("c2-last-round", 9, 3)):
        run(["manual", "programs", "--file", name])
        file = tmp_path / f"{name}.trf"
        file.write_text(capsys.readouterr().out, encoding="utf-8")
        run(["explain", str(file), "--round", str(round), "--json"])
        story = json.loads(capsys.readouterr().out)["story"]
        assert story["pab"] == bye
