"""Topscorers are named, with the articles of the edition: who they are, and what the rules let them do."""

from pathlib import Path

import pytest

from paircard.domain.messages import Message, say
from paircard.domain.speaking import ENGLISH
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
from paircard.pairing.explain.speaking import RoundSpeaker, Who
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


def spoken(lines: tuple[Message, ...] | list[Message], language: str = ENGLISH) -> str:
    people = {id: Who(id, f"P{id}") for id in range(1, 9)}
    return " ".join(RoundSpeaker(people, language).say_all(lines))


ARTICLES = {
    "dutch-2026": ("1.8", "C3", ("C10", "C11")),
    "dutch-2017": ("A.7", "C.3", ("C.8", "C.9")),
    "dutch-2012": ("A.10", "B.2", ("B.2 (topscorers)",)),
}


@pytest.mark.parametrize("edition", ARTICLES)
def test_a_pair_that_only_a_topscorer_may_make_is_explained_by_the_articles_of_the_edition(
    edition: str,
) -> None:
    article, rule, counted = ARTICLES[edition]
    found = why(two_must_have_black(edition), 4)
    answer = answer_why(found)

    assert found.opponent == 3
    assert found.clash is not None
    assert (found.clash.rule, found.clash.counted) == (rule, counted)
    assert "P3 (3) and P4 (4) may meet although both must have Black: P3 (3), with 1½ of 2 points, is a" in (
        spoken(answer.short)
    )
    detail = spoken(answer.detail)
    assert f"P3 (3) has 1½ of 2 points, more than half: a topscorer in the last round ({article})." in detail
    assert f"both must have Black; {rule} " in detail
    for criterion in counted:
        assert f"{criterion} counts 1 for this pair: " in detail


def test_in_2012_b2_may_be_ignored_and_in_later_editions_it_does_not_apply() -> None:
    old = spoken(answer_why(why(two_must_have_black("dutch-2012"), 3)).detail)
    new = spoken(answer_why(why(two_must_have_black("dutch-2017"), 3)).detail)

    assert "B.2 may be ignored for topscorers where that makes floaters fewer or their scores lower." in old
    assert "C.3 does not keep them apart, for it speaks of two non-topscorers." in new


@pytest.mark.parametrize("edition", ARTICLES)
def test_the_round_names_its_topscorers_and_the_pair(edition: str) -> None:
    article, _, counted = ARTICLES[edition]
    story = explain(two_must_have_black(edition))

    assert story.last_round is not None
    assert spoken([topscorers_line(story.last_round)]) == (
        f"Last round: the only topscorer is 3 (more than half of 2 points, {article})."
    )
    told = " ".join(spoken(bracket_lines(story, each).topscorers) for each in story.brackets)
    assert all(f"{criterion} counts 1" in told for criterion in counted)


@pytest.mark.parametrize("edition", ARTICLES)
def test_the_sieve_of_a_last_round_names_the_topscorers_of_the_bracket(edition: str) -> None:
    told = [spoken(sieve_lines(each)) for each in sieves(two_must_have_black(edition))]

    assert "Last round: the topscorer here is 3 (" in told[0]


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
    people = {id: Who(id, f"P{id}") for id in range(1, 13)}
    detail = " ".join(RoundSpeaker(people).say_all(answer_why_not(found, 5, 10, "dutch-2026", 3).detail))

    assert found.criterion == "C3"
    assert "P5 (5) has ½ of 2 points, not more than half: no topscorer in the last round (1.8)." in detail
    assert "P10 (10) has ½ of 2 points, not more than half: no topscorer in the last round (1.8)." in detail


def golden(edition: str, name: str) -> Snapshot:
    table = crosstable(parse((GOLDEN / edition / f"{name}.trf").read_text()))
    return snapshot(table, table.paired + 1, edition)


def colours_told(found: Why, language: str = ENGLISH) -> tuple[str, str]:
    assert found.colours is not None
    return (
        spoken([colour_sentence(found.colours)], language),
        spoken(explain_colours(found.colours)[:1], language),
    )


@pytest.mark.parametrize(("edition", "article"), [("dutch-2017", "E.2"), ("dutch-2026", "5.2.2")])
def test_of_two_absolute_preferences_the_wider_difference_is_named(edition: str, article: str) -> None:
    short, detail = colours_told(why(golden(edition, "1-8"), 3))

    assert short == (
        "Both must have Black: P2 (2) has had White 2 times more than Black, P3 (3) once more, so P2 (2) "
        "gets it."
    )
    assert detail == (
        f"P3 (3) has White by {article}: of two absolute colour preferences the one with the wider colour "
        "difference is granted."
    )


def test_the_round_names_the_wider_difference_too() -> None:
    story = explain(golden("dutch-2017", "1-8"))

    assert "P3 (3) has White by E.2: of two absolute colour preferences the one with the wider" in spoken(
        bracket_lines(story, story.brackets[-1]).topscorers
    )
    equal = explain(two_must_have_black("dutch-2017"))
    assert "wider" not in " ".join(spoken(bracket_lines(equal, each).topscorers) for each in equal.brackets)


def test_in_italian_it_is_said_alike() -> None:
    short, detail = colours_told(why(golden("dutch-2017", "1-8"), 3), "it")

    assert "P3 (3) una volta di più" in short
    assert "la differenza di colore maggiore" in detail


@pytest.mark.parametrize(
    ("winner", "loser", "said"),
    [
        ("www", "bbww", "P2 (2) has the wider colour difference, +3 against +0, and gets it."),
        ("ww", "bbbww", "P2 (2) has the wider colour difference, +2 against -1, and gets it."),
        ("bbbww", "bbww", "P2 (2) has the wider colour difference, -1 against +0, and gets it."),
        (
            "www",
            "ww",
            "P2 (2) has had White 3 times more than Black, P3 (3) 2 times more, so P2 (2) gets it.",
        ),
    ],
)
def test_a_player_is_not_said_to_have_had_a_colour_more_often_who_has_not(
    winner: str, loser: str, said: str
) -> None:
    """Two games in a row ask for a colour, also where the difference is none or on the other side."""

    def after(player: int, history: str) -> Preference:
        more = history.count("w") - history.count("b")
        return Preference(
            player=player, colour="b", strength="absolute", difference=more, reason="row", history=history
        )

    colours = Colours(rule="E.2", white=after(3, loser), black=after(2, winner), higher=2)

    assert spoken([colour_sentence(colours)]) == f"Both must have Black: {said}"


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_what_is_said_of_topscorers_is_so_by_brute_force(edition: str) -> None:
    for state in (two_must_have_black(edition), golden(edition, "1-8"), golden(edition, "c10")):
        assert check_topscorers(Truth(state), explain(state))["topscorers"]
