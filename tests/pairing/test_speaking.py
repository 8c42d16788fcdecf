"""Sentences: whole, from one catalogue, with all their fields; names of any script leave them in order."""

import re
from pathlib import Path
from random import Random

import pytest

from paircard.domain.messages import Message
from paircard.domain.speaking import isolated
from paircard.pairing import NoLegalRound
from paircard.pairing.explain import BYE, explain, why, why_not
from paircard.pairing.explain.answers import answer_why, answer_why_not
from paircard.pairing.explain.bracket_lines import bracket_lines
from paircard.pairing.explain.speaking import (
    Candidate,
    RoundPageSpeaker,
    RoundSpeaker,
    Who,
    ranges,
    say,
)
from paircard.pairing.outcome import Answer
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.rounds import agreed, random_round

CORPUS = Path(__file__).parents[1] / "corpus"
EDITIONS = ("dutch-2026", "dutch-2017")
CANDIDATES = {
    f"explain.{code}" for code in ("natural.best", "natural.first", "chosen", "legal.chosen", "legal.first")
}


def lines_of(state: Snapshot, draw: Random) -> list[Message]:
    """Every line that is said about a round and some questions to it."""
    story = explain(state)
    said: list[Message] = []
    for bracket in story.brackets:
        made = bracket_lines(story, bracket)
        rest = [made.rest] if made.rest else []
        said += [made.title, made.numbers, made.values, *made.reasons, *rest]
        said += [each for reasons in made.floats for each in reasons]
    ids = [seat.id for seat in story.players]
    answers: list[Answer] = [answer_why(why(state, id)) for id in ids]
    for _ in range(8 if len(ids) > 1 else 0):
        a, b = draw.choice([draw.sample(ids, 2), [draw.choice(ids), BYE]])
        answers.append(answer_why_not(why_not(state, a, b), a, b, state.edition, state.round))
    return said + [each for answer in answers for each in (*answer.short, *answer.detail)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_line_of_random_rounds_is_a_whole_sentence(edition: str) -> None:
    draw, keys = Random(15), set()
    for _ in range(100):
        state = random_round(draw, edition, most=10)
        speaker = RoundSpeaker({player.id: Who(player.number, f"P{player.id}") for player in state.players})
        try:
            lines = lines_of(state, draw)
        except NoLegalRound:
            continue
        for each in lines:
            text = speaker.say(each)
            keys.add(each.code)
            title = each.code.startswith(("explain.bracket.title", "explain.colours.history"))
            assert title or re.fullmatch(r"[A-Z0-9].*[.:?]", text), (each.code, text)
            assert "{" not in text
            assert "  " not in text or each.code == "explain.colours.history"
    assert len(keys) > 90, sorted(keys)


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_pair_by_numbers_with_the_bye_has_no_article(language: str) -> None:
    speaker = RoundSpeaker({1: Who(18, "Ada")}, language)

    assert speaker.candidate(Candidate(((1, BYE),))) == "18–bye"


def test_another_language_says_the_same_message() -> None:
    people = {1: Who(1, "Alice"), 2: Who(2, "Bruno")}
    met = say("explain.forbidden.C1", a=1, b=2, round=5)

    assert RoundSpeaker(people).say(met) == (
        "Alice (1) and Bruno (2) have already played each other, in round 5."
    )
    assert RoundSpeaker(people, "it").say(met) == (
        "Alice (1) e Bruno (2) hanno già giocato tra loro, nel turno 5."
    )


# --- names of any script

ARABIC, HEBREW = "علي حسن", "יעל לוי"


def test_a_name_from_right_to_left_is_isolated_and_others_are_left_as_they_are() -> None:
    for name in (ARABIC, HEBREW, f"Yael {HEBREW}"):
        assert isolated(name) == f"\u2068{name}\u2069"
    for name in ("Ada", "Žofia Ďurišová", "陳大文", "สมชาย", "Анна"):
        assert isolated(name) == name
    people = {1: Who(6, ARABIC), 2: Who(2, HEBREW)}
    met = say("explain.forbidden.C1", a=1, b=2, round=3)
    of_latin = RoundSpeaker({1: Who(6, "Ada"), 2: Who(2, "Ben")}).say(met)
    assert (of_latin.count("Ada (6)"), of_latin.count("Ben (2)")) == (1, 1)
    assert RoundSpeaker(people).say(met) == (
        of_latin.replace("Ada (6)", f"\u2068{ARABIC}\u2069 (6)").replace(
            "Ben (2)", f"\u2068{HEBREW}\u2069 (2)"
        )
    )


def test_on_a_page_every_name_stands_in_its_own_direction_and_is_escaped() -> None:
    people = {1: Who(6, ARABIC), 2: Who(2, '<b>"x"</b> & Co'), 3: Who(0, "late"), 4: Who(4, "")}
    speaker = RoundPageSpeaker(people)
    met = say("explain.forbidden.C1", a=1, b=2, round=3)
    of_latin = RoundPageSpeaker({1: Who(6, "Ada"), 2: Who(2, "Ben")}).say(met)
    assert (of_latin.count("<bdi>Ada</bdi> (6)"), of_latin.count("<bdi>Ben</bdi> (2)")) == (1, 1)
    escaped = "&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; Co"
    assert speaker.say(met) == of_latin.replace("Ada", ARABIC).replace("Ben", escaped)
    assert speaker.person(3) == "<bdi>late</bdi>"
    assert speaker.person(4) == "number 4"
    assert speaker.person(0) == "the bye"


def test_ranges_are_written_as_people_write_them() -> None:
    assert ranges([5, 1, 2, 3]) == "1–3, 5"


def test_in_a_large_bracket_a_player_always_sees_their_own_pair() -> None:
    """Of a large candidate only some pairs are written out; the player's own are among them."""
    cases = agreed(CORPUS / "dutch-2026.zip", "dutch-2026")
    state = next(c.snapshot for c in cases if len(c.snapshot.players) > 60 and c.snapshot.round == 5)
    shortened = 0
    for seat in explain(state).players:
        found = why(state, seat.id)
        if found.tried is None or found.bracket is None:
            continue
        for each in answer_why(found).detail:
            said = each.fields.get("candidate")
            if each.code not in CANDIDATES:
                continue
            assert isinstance(said, Candidate)
            assert seat.id in {id for two in said.pairs for id in two} | {*said.downfloaters}
            shortened += said.of > 0
    assert shortened > 20
