"""What explanations say is so: held against the rules tried out by brute force, both editions."""

from collections import Counter
from collections.abc import Collection
from itertools import combinations
from pathlib import Path
from random import Random

import msgspec
import pytest

from paircard.pairing import NoLegalRound, pair
from paircard.pairing.explain import explain
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.rounds import Case, agreed, random_round
from tests.pairing.statements import (
    check_brackets,
    check_colours,
    check_floats,
    check_topscorers,
    check_trials,
    check_why_no_bye,
    check_why_not,
)
from tests.pairing.truth import Impossible, Truth

CORPUS = Path(__file__).parents[1] / "corpus"
EDITIONS = ("dutch-2026", "dutch-2017")
KINDS = ("values", "least", "rest", "natural", "steps", "first legal", "why-not", "forbidden", "cause", "bye",
         "floats", "colours", "preferences", "topscorers")  # fmt: skip

MANY, QUESTIONS = 20_000, 10


def solved(state: Snapshot) -> Truth | None:
    """The round by brute force; None where both say that there is none."""
    try:
        truth = Truth(state)
    except Impossible:
        with pytest.raises(NoLegalRound):
            pair(state)
        return None
    return truth


def check_round(state: Snapshot, draw: Random, wanted: Collection[str] = KINDS) -> Counter[str]:
    """All statements of the explained round, and questions about it for the kinds that are wanted."""
    truth = solved(state)
    if truth is None:
        return Counter()
    story = explain(state)
    ids = [seat.id for seat in truth.seats]
    seen = check_brackets(truth, story) + check_trials(truth, story) + check_floats(truth, story)
    seen += check_colours(truth, story, draw.choice(ids) if ids else 0)
    seen += check_topscorers(truth, story)
    pairs = list(combinations(ids, 2))
    if "forbidden" not in wanted:
        pairs = [(a, b) for a, b in pairs if truth.legal[truth.rank[a]][truth.rank[b]]]
    if {"why-not", "forbidden", "cause"} & {*wanted}:
        for a, b in draw.sample(pairs, min(QUESTIONS, len(pairs))):
            seen += check_why_not(truth, a, b)
    if "bye" in wanted:
        for a in draw.sample(ids, min(QUESTIONS, len(ids))):
            seen += check_why_no_bye(truth, a)
    return seen


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_brute_force_pairs_as_the_corpus_agrees(edition: str) -> None:
    """It has to be right itself before it can judge."""
    same = 0
    for name in (edition, edition.replace("dutch", "histories")):
        for case in agreed(CORPUS / f"{name}.zip", edition):
            same += judged_alike(case)
    assert same > 40


def judged_alike(case: Case) -> bool:
    """Whether a round is small enough to try everything; it must come out as agreed then."""
    scores = Counter(player.score for player in case.snapshot.players if not player.absent)
    if not case.boards or len(case.snapshot.players) > 12 or max(scores.values()) > 5:
        return False
    truth = solved(case.snapshot)
    assert truth is not None
    ranks = {frozenset(pair) for done in truth.brackets for pair in done.pairs}
    assert ranks == {frozenset(truth.rank[id] for id in board) for board in case.boards if board[1]}
    return True


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_said_about_random_rounds_is_so(edition: str) -> None:
    draw, seen = Random(15), Counter[str]()
    for _ in range(100):
        seen += check_round(random_round(draw, edition, most=8), draw)
    assert {kind for kind in KINDS if seen[kind]} == set(KINDS), seen


def test_two_who_may_not_meet_here_may_still_meet_below() -> None:
    """The look-ahead once took two for barred who only had to leave the bracket apart."""
    text = (CORPUS / "questions" / "two-float-again.json").read_bytes()
    truth = Truth(msgspec.json.decode(text, type=Snapshot))
    for a, b in combinations([seat.id for seat in truth.seats], 2):
        check_why_not(truth, a, b)


def tight(state: Snapshot) -> bool:
    """Whether somebody has few opponents left, so that one pair decides about others."""
    met = [sum(opponent > 0 for opponent in player.opponents) for player in state.players]
    return len(state.players) > 4 and max(met) >= len(state.players) - 4


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_twenty_thousand_statements_of_each_kind_are_true(edition: str) -> None:
    draw, seen, rounds = Random(2026), Counter[str](), 0
    while wanted := [kind for kind in KINDS if seen[kind] < MANY]:
        state = random_round(draw, edition, most=9)
        if "cause" not in wanted or tight(state):
            seen += check_round(state, draw, wanted)
            rounds += 1
    print(edition, rounds, "rounds", dict(seen))
