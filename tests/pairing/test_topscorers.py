"""Topscorers are named, with the articles of the edition: who they are, and what the rules let them do."""

from pathlib import Path
from typing import Any

import pytest

from paircard.domain.messages import Message
from paircard.pairing import NoLegalRound
from paircard.pairing.explain import Why, explain, why, why_not
from paircard.pairing.explain.answers import (
    answer_why,
    answer_why_not,
    colour_sentence,
    explain_colours,
    topscorers_line,
)
from paircard.pairing.explain.bracket_lines import bracket_lines, sieve_lines
from paircard.pairing.explain.colours import Colours, Preference
from paircard.pairing.explain.sieve import sieves
from paircard.pairing.explain.speaking import RoundSpeaker, Who, say
from paircard.projections.round.snapshot import Snapshot, snapshot
from paircard.projections.trf import crosstable, parse
from tests.pairing.rounds import before_round, who
from tests.pairing.statements import check_topscorers
from tests.pairing.truth import Truth
from tests.refusals import refuses

GOLDEN = Path(__file__).parents[1] / "golden"


def two_must_have_black(edition: str, last: bool = True) -> Snapshot:
    """3 has 1½ points of 2 and 4 has 1: both had White twice, and everybody else has met them."""
    return before_round(
        who(1, 0, "0-Z 0-Z"),
        who(2, 5, "3b0 4b=", floats="-u"),
        who(3, 15, "2w1 5w=", floats="-d"),
        who(4, 10, "5w1 2w0", floats="-d"),
        who(5, 5, "4b0 3b=", floats="-u"),
        edition=edition,
        last=last,
    )


ARTICLES = {
    "dutch-2026": ("1.8", "C3", ("C10", "C11")),
    "dutch-2017": ("A.7", "C.3", ("C.8", "C.9")),
    "dutch-2012": ("A.10", "B.2", ("B.2 (topscorers)",)),
}


def lifted(rule: str) -> Message:
    """Why a rule does not keep 3 and 4 apart."""
    code = "explain.topscorer.B.2" if rule == "B.2" else "explain.topscorer.apart"
    return say(code, a=3, b=4, colour="b", rule=rule)


def counts(criterion: str) -> Message:
    """That the pair costs something by a criterion."""
    return say("explain.topscorer.counted", criterion=criterion, meaning=criterion)


@pytest.mark.parametrize("edition", ARTICLES)
def test_a_pair_that_only_a_topscorer_may_make_is_explained_by_the_articles_of_the_edition(
    edition: str,
) -> None:
    article, rule, counted = ARTICLES[edition]
    found = why(two_must_have_black(edition), 4)
    answer = answer_why(found)
    of = {"player": 3, "scored": "1½", "possible": 20}

    assert found.opponent == 3
    assert found.clash is not None
    assert (found.clash.rule, found.clash.counted) == (rule, counted)
    assert Message("explain.topscorer.may-meet", {**of, "a": 3, "b": 4, "colour": "b"}) in answer.short
    assert Message("explain.topscorer.is", {**of, "article": article}) in answer.detail
    assert lifted(rule) in answer.detail
    for criterion in counted:
        assert counts(criterion) in answer.detail


def test_in_2012_b2_may_be_ignored_and_in_later_editions_it_does_not_apply() -> None:
    old = answer_why(why(two_must_have_black("dutch-2012"), 3)).detail
    new = answer_why(why(two_must_have_black("dutch-2017"), 3)).detail

    assert say("explain.topscorer.B.2", a=3, b=4, colour="b", rule="B.2") in old
    assert say("explain.topscorer.apart", a=3, b=4, colour="b", rule="C.3") in new


@pytest.mark.parametrize("edition", ARTICLES)
def test_the_round_names_its_topscorers_and_the_pair(edition: str) -> None:
    article, _, counted = ARTICLES[edition]
    story = explain(two_must_have_black(edition))

    assert story.last_round is not None
    assert topscorers_line(story.last_round) == say(
        "explain.round.topscorers", numbered=(3,), possible=20, article=article, count=1
    )
    told = [line for each in story.brackets for line in bracket_lines(story, each).topscorers]
    assert all(counts(criterion) in told for criterion in counted)


@pytest.mark.parametrize("edition", ARTICLES)
def test_the_sieve_of_a_last_round_names_the_topscorers_of_the_bracket(edition: str) -> None:
    first = sieves(two_must_have_black(edition))[0]
    article = ARTICLES[edition][0]

    assert say(
        "explain.bracket.topscorers", numbered=(3,), possible=20, article=article, count=1
    ) in sieve_lines(first)


def test_before_the_last_round_nobody_is_a_topscorer_and_the_two_may_not_meet() -> None:
    with refuses(NoLegalRound, "pairing.stuck") as obstacle:
        why(two_must_have_black("dutch-2017", last=False), 4)

    [apart] = [one for one in obstacle.value.said.fields["reasons"] if one.code == "pairing.kept-apart"]
    assert say("pairing.same-absolute-colour", rule="C.3") in apart.fields["causes"]


def test_two_who_are_no_topscorers_are_told_what_they_lack() -> None:
    state = before_round(
        who(1, 20, "3b1 4b1"),
        who(2, 20, "4w1 3w1"),
        who(3, 0, "1w0 2b0"),
        who(4, 0, "2b0 1w0"),
        who(5, 5, "6w= 7w0"),
        who(6, 5, "5b= 8w0"),
        who(7, 10, "8b0 5b1"),
        who(8, 10, "7w1 6b0"),
        who(9, 5, "0-H 0-Z"),
        who(10, 5, "11w0 12w="),
        who(11, 10, "10b1 0-Z"),
        who(12, 5, "0-Z 10b="),
        edition="dutch-2026",
        last=True,
    )
    found = why_not(state, 5, 10)
    detail = answer_why_not(found, 5, 10, "dutch-2026", 3).detail

    assert found.criterion == "C3"
    for id in (5, 10):
        assert say("explain.topscorer.not", player=id, scored="½", possible=20, article="1.8") in detail


def golden(edition: str, name: str) -> Snapshot:
    table = crosstable(parse((GOLDEN / edition / f"{name}.trf").read_text()))
    return snapshot(table, table.paired + 1, edition)


WIDER = say("explain.colour.wider", winner=2, loser=3, colour="b", opposite="w", times=2, other_times=1)


def by_the_wider(article: str) -> Message:
    return say("explain.colours.rule", player=3, article=article, meaning="wider")


def colours_told(found: Why) -> tuple[Message, Message]:
    assert found.colours is not None
    return colour_sentence(found.colours), explain_colours(found.colours)[0]


@pytest.mark.parametrize(("edition", "article"), [("dutch-2017", "E.2"), ("dutch-2026", "5.2.2")])
def test_of_two_absolute_preferences_the_wider_difference_is_named(edition: str, article: str) -> None:
    assert colours_told(why(golden(edition, "1-8"), 3)) == (WIDER, by_the_wider(article))


def test_the_round_names_the_wider_difference_too() -> None:
    story = explain(golden("dutch-2017", "1-8"))

    assert by_the_wider("E.2") in bracket_lines(story, story.brackets[-1]).topscorers
    equal = explain(two_must_have_black("dutch-2017"))
    told = [line for each in equal.brackets for line in bracket_lines(equal, each).topscorers]
    assert told
    assert not any(line.fields.get("meaning") == "wider" for line in told)


def test_in_italian_it_is_said_alike() -> None:
    speaker = RoundSpeaker({id: Who(id, f"P{id}") for id in range(1, 9)}, "it")
    short, detail = speaker.say_all(colours_told(why(golden("dutch-2017", "1-8"), 3)))

    assert f"P3 (3) {speaker.form('times', 1)}" in short
    assert speaker.word("colour-rule", "2.wider") in detail


@pytest.mark.parametrize(
    ("winner", "loser", "code", "fields"),
    [
        ("www", "bbww", "wider.row", {"difference": "+3", "other_difference": "+0"}),
        ("ww", "bbbww", "wider.row", {"difference": "+2", "other_difference": "-1"}),
        ("bbbww", "bbww", "wider.row", {"difference": "-1", "other_difference": "+0"}),
        ("www", "ww", "wider", {"times": 3, "other_times": 2}),
    ],
)
def test_a_player_is_not_said_to_have_had_a_colour_more_often_who_has_not(
    winner: str, loser: str, code: str, fields: dict[str, Any]
) -> None:
    """Two games in a row ask for a colour, also where the difference is none or on the other side."""

    def after(player: int, history: str) -> Preference:
        more = history.count("w") - history.count("b")
        return Preference(
            player=player, colour="b", strength="absolute", difference=more, reason="row", history=history
        )

    colours = Colours(rule="E.2", white=after(3, loser), black=after(2, winner), higher=2)

    both = {"winner": 2, "loser": 3, "colour": "b", "opposite": "w"}
    assert colour_sentence(colours) == Message(f"explain.colour.{code}", both | fields)


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_what_is_said_of_topscorers_is_so_by_brute_force(edition: str) -> None:
    for state in (two_must_have_black(edition), golden(edition, "1-8"), golden(edition, "c10")):
        assert check_topscorers(Truth(state), explain(state))["topscorers"]
