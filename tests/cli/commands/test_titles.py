"""``ratings`` and ``norms`` at the terminal, for spreadsheets and programs, and on paper."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from paircard.service import Office
from paircard.service.print.rendering import Frame
from paircard.service.print.titles import certificates_page, norms_page, ratings_page, report_page
from tests.chromium import Window
from tests.cli.session import Terminal
from tests.refusals import sentence
from tests.roots import ROOT

ITALIAN = Frame(language="it")


@pytest.fixture(scope="module")
def masters(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """A round robin of ten in which one player made norms."""
    terminal = Terminal(tmp_path_factory.mktemp("masters"))
    text = (ROOT / "tests/cli/masters.trf").read_text(encoding="utf-8")
    terminal.ok("trf", "import", terminal.write("masters.trf", text))
    return terminal


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_changes_and_games_go_into_spreadsheets(masters: Terminal) -> None:
    everybody = {row["name"]: row for row in table(masters.ok("ratings", "--csv"))}
    games = table(masters.ok("ratings", "Martin", "--csv"))

    assert (everybody["Martin, Zoé"]["change"], everybody["Martin, Zoé"]["new"]) == ("+24.70", "2455")
    assert everybody["Hardy, Paul"]["change"] == ""
    expected = " ".join(row["expected"] for row in games)
    assert expected == "0.49 0.68 0.51 0.54 0.57 0.40 0.43 0.44 0.47"


def test_verdicts_and_requirements_go_into_spreadsheets(masters: Terminal) -> None:
    verdicts = table(masters.ok("norms", "--csv"))
    needs = table(masters.ok("norms", "Gall", "--csv"))

    made = [(row["name"], row["norm"]) for row in verdicts if row["verdict"] == "norm"]
    assert made == [("Martin, Zoé", title) for title in ("GM", "IM", "WGM", "WIM")]
    lost = next(row for row in needs if row["norm"] == "IM" and row["article"] == "1.4.8")
    assert (lost["state"], lost["missing"]) == ("short", "1½ points short")


def test_programs_get_codes_beside_the_words(masters: Terminal) -> None:
    one = json.loads(masters.ok("norms", "Gall", "--json"))
    short = [need for need in one["verdicts"][1]["requirements"] if need["state"] == "short"]

    assert [need["missing"]["message"]["code"] for need in short] == ["norms.short.performance"]


def test_who_never_came_has_nothing_to_rate(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Open", "--rounds", "3")
    for name in ("Ada", "Ben", "Cleo", "Dag"):
        terminal.ok("player", "add", name)
    terminal.ok("player", "withdraw", "Dag", "--why", "ill")
    terminal.refuses("ratings.never-came", "ratings", "Dag")
    terminal.refuses("norms.never-came", "norms", "Dag")
    assert sentence("norms.nothing") in terminal.ok("norms")


def test_a_round_robin_without_rounds_yet_has_no_norms(terminal: Terminal) -> None:
    terminal.ok("new", "Masters", "--edition", "round-robin")
    for name in ("Ada", "Ben", "Cleo"):
        terminal.ok("player", "add", name)

    assert sentence("norms.nothing") in terminal.ok("norms")


def test_a_certificate_has_a_sheet_for_each_norm_and_lines_for_what_is_not_on_record(
    masters: Terminal, window: Window
) -> None:
    page = masters.ok("norms", "--certificate")

    assert page.count('<section class="form">') == 4
    assert not re.search(r"url\(|@import|<script", page)
    assert page.count('class="fill"') == 4 * 5  # the arbiter's id, and four lines to be signed
    assert window.sheets(page) == 4
    assert window.sheets(masters.ok("norms", "--report")) == 1


def test_every_page_is_there_in_italian(masters: Terminal) -> None:
    with Office.open(masters.folder / "paircard.db") as office:
        moment = office.tournament("Masters").now()
        pages = [
            ratings_page(moment, 6, ITALIAN),
            norms_page(moment, 6, ITALIAN),
            certificates_page(moment, 0, ITALIAN),
            report_page(moment, ITALIAN),
        ]
    words = [
        "Variazioni Elo",
        "Norme per i titoli",
        "Certificato di risultato da titolo",
        "Rapporto del torneo",
    ]
    for page, word in zip(pages, words, strict=True):
        assert word in page
