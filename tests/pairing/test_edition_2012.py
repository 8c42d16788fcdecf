"""Edition 2012 (Istanbul): rounds that JaVaFo 1.4 paired, and where the text departs from it."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from paircard.domain.messages import Message
from paircard.domain.speaking import LANGUAGES
from paircard.pairing import NoLegalRound, pair
from paircard.pairing.dutch.field import Field
from paircard.pairing.explain import why, why_not
from paircard.pairing.explain.answers import answer_why, answer_why_not
from paircard.pairing.explain.speaking import RoundSpeaker, Who
from paircard.pairing.lab.check import boards_from
from paircard.projections import Player, Snapshot
from paircard.projections.round.crosstable import Boards
from tests.pairing.rounds import Case, agreed, before_round, random_round, who

ARCHIVE = Path(__file__).parents[1] / "corpus" / "dutch-2012.zip"


def paired(case: Case) -> Boards | None:
    try:
        return boards_from(pair(case.snapshot))
    except NoLegalRound:
        return None


def test_rounds_that_javafo_paired_are_paired_alike() -> None:
    cases = list(agreed(ARCHIVE, "dutch-2012-javafo"))

    other = [case.name for case in cases if set(paired(case) or ()) != set(case.boards or ())]

    assert len(cases) > 150
    assert not other


def test_the_text_departs_from_javafo_where_half_of_a_bracket_moved_down() -> None:
    differ = [
        case
        for case in agreed(ARCHIVE, "dutch-2012")
        if set(paired(case) or ()) != set(case.boards or ()) and paired(case) is not None
    ]

    assert differ
    roles = [{bracket.role for bracket in pair(case.snapshot).brackets} for case in differ]
    assert sum("homogeneous" in each for each in roles) > len(roles) // 2


def test_where_everybody_is_barred_from_the_bye_only_javafo_has_a_round() -> None:
    names = {"t17.trf round 9", "t86.trf round 9", "g23.trf round 8"}

    text = {}
    for case in agreed(ARCHIVE, "dutch-2012"):
        try:
            pair(case.snapshot)
        except NoLegalRound as refusal:
            text[case.name] = refusal.said
    javafo = [case for case in agreed(ARCHIVE, "dutch-2012-javafo") if case.name in names]

    assert names <= text.keys()
    barred = Message("pairing.nobody-for-the-bye", {"rule": "B.1.b"})
    assert all(reason == barred for reason in text.values())
    assert all(set(paired(case) or ()) == set(case.boards or ()) for case in javafo)


@pytest.mark.parametrize("edition", ["dutch-2012", "dutch-2012-javafo"])
def test_c12_finds_the_only_floaters_among_thousands_of_sets_whom_the_next_bracket_can_pair(
    edition: str,
) -> None:
    # 22 of the 40 leaders may not meet each other, so that 4 of the 22 float: 7,315 sets. Only four of the 22
    # may meet anybody of the next bracket.
    leaders, next_bracket, lowest = range(1, 41), range(41, 49), range(49, 53)
    welcome = {3, 8, 14, 21}
    apart = list(combinations(range(1, 23), 2))
    apart += [(a, b) for a in leaders if a not in welcome for b in next_bracket]
    scores = [(30, leaders), (20, next_bracket), (10, lowest)]
    players = tuple(who(id, score, "0-Z") for score, group in scores for id in group)
    state = replace(before_round(*players, edition=edition), prohibited=tuple(apart))

    pairing = pair(state)

    assert set(pairing.brackets[0].downfloaters) == welcome
    assert len(pairing.brackets[1].mdp_pairs) == 4


@pytest.mark.parametrize("edition", ["dutch-2012", "dutch-2012-javafo"])
def test_no_two_who_move_down_together_may_meet(edition: str) -> None:
    # The engine relies on it: nothing keeps them apart in the brackets below.
    for seed in range(600):
        state = random_round(Random(seed), edition, most=24)
        try:
            brackets = pair(state).brackets
        except NoLegalRound:
            continue
        field = Field(state)
        for bracket in brackets[:-2]:  # the last but one may send more down for the sake of the last (C.13)
            down = [field.place[id] for id in bracket.downfloaters]
            assert not any(field.adjacent[i] >> j & 1 for i, j in combinations(down, 2)), seed


@pytest.mark.parametrize("edition", ["dutch-2012", "dutch-2012-javafo"])
def test_every_bracket_has_its_trace(edition: str) -> None:
    for case in list(agreed(ARCHIVE, edition))[::5]:
        try:
            pairing = pair(case.snapshot)
        except NoLegalRound:
            continue
        for bracket in pairing.brackets:
            made = [*bracket.mdp_pairs, *bracket.pairs]
            seen = [id for board in made for id in board] + list(bracket.downfloaters)
            assert sorted(seen) == sorted((*bracket.moved_down, *bracket.residents))
            assert bracket.values["X"] >= 0  # type: ignore[operator]


def test_who_floats_from_a_bracket_treated_as_homogeneous_is_said_to_leave_the_score_of_its_residents() -> (
    None
):
    seen = 0
    for case in agreed(ARCHIVE, "dutch-2012"):
        try:
            brackets = pair(case.snapshot).brackets
        except NoLegalRound:
            continue
        for index, bracket in enumerate(brackets[:-1]):
            if bracket.role == "homogeneous" and bracket.downfloaters and seen < 12:
                floated = why(case.snapshot, bracket.downfloaters[0]).floats
                assert bracket.score in {one.score for one in floated if one.bracket == index}
                seen += 1

    assert seen == 12


@pytest.mark.parametrize("edition", ["dutch-2012", "dutch-2012-javafo"])
def test_every_answer_about_a_round_of_that_time_has_words_in_every_language(edition: str) -> None:
    for case in list(agreed(ARCHIVE, edition))[::9]:
        state = case.snapshot
        ids = [player.id for player in state.players if not player.absent]
        speakers = [
            RoundSpeaker({player.id: Who(player.number, "") for player in state.players}, language)
            for language in LANGUAGES
        ]
        try:
            about = answer_why(why(state, ids[-1]))
        except NoLegalRound:
            continue
        asked = answer_why_not(why_not(state, ids[0], ids[-1]), ids[0], ids[-1], edition, state.round)
        for speaker in speakers:
            for answer in (about, asked):
                assert all(speaker.say_all((*answer.short, *answer.detail)))


MOVED_DOWN_TO_THE_BYE = (
    (1, 10, (4, 3, 0, 7), "bb-b", "01Z0", "-u--"),
    (2, 20, (5, 0, 0, 4), "b--b", "=UZ1", "-d-u"),
    (3, 20, (7, 1, 4, 6), "bwbw", "=0=1", "-duu"),
    (4, 20, (1, 7, 3, 2), "wbww", "1==0", "-ddd"),
    (5, 10, (2, 6, 7, 0), "wbw-", "==0Z", "----"),
    (6, 15, (0, 5, 0, 3), "-w-b", "H=H0", "d-dd"),
    (7, 20, (3, 4, 5, 1), "wwbw", "==01", "-u--"),
)
"""Id, score, opponents, colours, letters and floats before round 5."""


@pytest.mark.parametrize(("one", "other"), [(4, 6), (7, 0)])
def test_a_candidate_that_comes_earlier_and_lacks_an_opponent_below_is_not_called_later(
    one: int, other: int
) -> None:
    """4–6 comes before 7–6, but leaves the bye to 7, who moved down: the lowest bracket decides (C.12)."""
    players = [
        Player(
            id=id,
            number=id,
            score=score,
            points=score,
            opponents=met,
            colours=colours,
            letters=letters,
            floats=floats,
        )
        for id, score, met, colours, letters, floats in MOVED_DOWN_TO_THE_BYE
    ]
    snapshot = Snapshot(
        edition="dutch-2012-javafo", round=5, rounds=7, initial_colour="b", players=tuple(players)
    )

    found = why_not(snapshot, one, other)

    assert (found.outcome, found.criterion) == ("worse", "C.12 (2012)")
    assert (found.real_value, found.other_value) == (0, 1)
