"""How pages say their strings; that every language has them is told in tests/words."""

import re
from html import escape
from typing import Any

import pytest

from paircard.domain import commands as c
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import Caution, PaircardError
from paircard.domain.messages import Message
from paircard.projections.log_lines import LogLine, log_lines
from paircard.projections.standings.tiebreaks import RULES, parse_code
from paircard.service.print.rendering import environment, language
from tests.audit.lives import Life
from tests.roots import LAYERS, ROOT

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


class Talkative(Life):
    """A tournament in which everything is asked without a reason first, and once more when it is done."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.said: list[PaircardError | Caution | LogLine] = []

    def ask(self, kind: type[c.Asked], why: str = "", **fields: Any) -> bool:
        self.listen(kind, "", fields)
        self.listen(kind, why, fields)
        done = super().ask(kind, why, **fields)
        self.listen(kind, "again", fields)
        return done

    def listen(self, kind: type[c.Asked], why: str, fields: dict[str, Any]) -> None:
        """What would be said to a command."""
        try:
            decision = weigh(self.state, kind(meta=self.meta(why), **fields))  # type: ignore[arg-type]
        except PaircardError as refusal:
            self.said.append(refusal)
        else:
            self.said += decision.warnings


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_in_a_tournament_is_said_in_italian(seed: int) -> None:
    life = Talkative(seed)
    life.live(players=14, rounds=7)
    life.said += log_lines(life.log)
    both = {(ENGLISH.plain(one), language("it").plain(one)) for one in life.said}
    assert len(both) > 60
    assert [english for english, italian in sorted(both) if english == italian] == []


def test_names_stay_as_they_are_and_stand_apart_from_the_words_around_them() -> None:
    line = LogLine(
        version=9,
        kind="player-withdrawn",
        when="2026-11-14T04:47:00Z",
        who="Anna",
        text="White withdrawn from round 2 on",
        message=Message("log.player-withdrawn", {"player": 3, "round": 2}),
        people={3: "White <i>"},
    )
    assert language("it").say(line) == "<bdi>White &lt;i&gt;</bdi> ritirato dal turno 2 in poi"
    assert language("it").plain(line) == "White <i> ritirato dal turno 2 in poi"


def test_templates_never_show_the_english_of_another_room() -> None:
    english = re.compile(r"\{\{ ((?:refusal|reason|[\w.]+\.(?:message|next_note|line\.text))\b[^(}]*)\}\}")
    files = [file for layer in LAYERS for file in (ROOT / layer).rglob("templates/*.html")]
    found = {file.name: english.findall(file.read_text(encoding="utf-8")) for file in files}
    assert {name: words for name, words in found.items() if words} == {}
