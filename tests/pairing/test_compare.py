"""Two engines on one tournament: every difference is named, and the literal criteria find the same."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.pairing import pair as dutch_pair
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.lab.check import boards_from
from paircard.pairing.lab.compare import (
    KINDS,
    Broken,
    Other,
    Unpaired,
    classify,
    duel,
    settings_for,
)
from paircard.pairing.lab.simulate import Settings
from paircard.pairing.outcome import NoLegalRound, Pairing
from paircard.projections.round.crosstable import Boards, Crosstable, Entry, Row
from paircard.projections.round.snapshot import Snapshot, snapshot
from tests.examples import examples
from tests.pairing.literal.criteria import evaluate, illegal
from tests.pairing.literal.rounds import literal_pair
from tests.pairing.mutants import SWITCHES
from tests.pairing.rounds import agreed, random_round
from tests.pairing.test_edition_2012 import ARCHIVE
from tests.pairing.test_golden import by_engine, file_of, table_of


def pair(state: Snapshot) -> Pairing:
    return Pairing(*literal_pair(state))


def same(table: Crosstable, round: int) -> Boards:
    return boards_from(pair(snapshot(table, round, "dutch-2026")))


def fresh(size: int, **more: object) -> Crosstable:
    rows = tuple(Row(id=number, number=number) for number in range(1, size + 1))
    return Crosstable(rows=rows, rounds=5, paired=0, initial_colour="w", **more)  # type: ignore[arg-type]


FIRST = snapshot(fresh(6), 1, "dutch-2026")
BEST = ((1, 4), (5, 2), (3, 6))

QUIET = Settings(players=8, rounds=3, half_point_byes=(), zero_point_byes=(), forfeits=(), odd_results=())


def test_engines_that_agree_have_no_difference() -> None:
    played = duel(QUIET, 1, "theirs", "plain", pair, same)

    assert (played.rounds, played.differences, played.broken) == (3, (), "")


def swapped(table: Crosstable, round: int) -> Boards:
    """An engine that gives every colour wrong in round 2."""
    boards = same(table, round)
    return tuple((black, white) if black else (white, 0) for white, black in boards) if round == 2 else boards


def never(table: Crosstable, round: int) -> Boards:
    raise Unpaired


@pytest.mark.parametrize(
    ("other", "third", "verdicts"),
    [
        (same, same, []),
        (swapped, same, ["colours only: theirs alone"]),
        (swapped, swapped, ["colours only: ours alone"]),
        (same, swapped, ["colours only: third alone"]),
        (same, never, ["third found no round: third alone"] * 3),
        (never, swapped, ["theirs found no round: theirs alone", "theirs found no round: three answers"]),
    ],
)
def test_a_third_engine_tells_who_stands_alone(other: Other, third: Other, verdicts: list[str]) -> None:
    played = duel(QUIET, 1, "ours", "plain", pair, other, third)

    assert [one.verdict for one in played.differences][: len(verdicts) or None] == verdicts


def test_swapped_colours_are_colours_only() -> None:
    assert classify(FIRST, BEST, ((4, 1), (5, 2), (3, 6))) == "colours only"


def test_a_later_candidate_is_named_with_its_side() -> None:
    assert classify(FIRST, BEST, ((1, 5), (4, 2), (3, 6))) == "theirs later in order"
    assert classify(FIRST, ((1, 5), (4, 2), (3, 6)), BEST) == "ours later in order"


def test_a_player_without_a_board_makes_the_round_illegal() -> None:
    assert classify(FIRST, BEST, ((1, 4), (5, 2))) == "theirs illegal: not everyone has exactly one board"


def test_a_second_game_of_two_players_breaks_c1() -> None:
    after = fresh(6)
    boards = {white: (black, "w", "1") for white, black in BEST} | {b: (a, "b", "0") for a, b in BEST}
    rows = tuple(Row(id=row.id, number=row.id, entries=(Entry(*boards[row.id]),)) for row in after.rows)
    state = snapshot(Crosstable(rows=rows, rounds=5, paired=1, initial_colour="w"), 2, "dutch-2026")
    ours = boards_from(pair(state))

    assert classify(state, ours, BEST) == "theirs illegal: C1"


def test_a_bye_for_a_player_of_higher_score_is_worse_at_c5() -> None:
    rows = (
        Row(id=1, number=1, entries=(Entry(2, "w", "1"),)),
        Row(id=2, number=2, entries=(Entry(1, "b", "0"),)),
        Row(id=3, number=3, entries=(Entry(0, "-", "H"),)),
    )
    state = snapshot(Crosstable(rows=rows, rounds=5, paired=1, initial_colour="w"), 2, "dutch-2026")

    assert classify(state, ((3, 1), (2, 0)), ((2, 1), (3, 0))).startswith("theirs illegal: C1")
    assert classify(state, ((3, 1), (2, 0)), ((2, 3), (1, 0))) == "theirs worse at C5"


@pytest.mark.parametrize(
    ("rule", "verdict"),
    {
        "B.1.a": "theirs illegal: B.1.a",
        "B.1.b half": "theirs illegal: B.1.b",
        "B.2": "theirs illegal: B.2",
        "M1": "theirs worse at M1",
        "P1": "theirs worse at B.3",
        "A.7.d": "theirs worse at A.7.d",
        "X": "theirs worse at X",
        "Z": "theirs worse at Z",
        "B.6 up": "theirs worse at B.6 up",
        "C.12": "theirs worse at C.12 (2012)",
        "C.13 differences": "theirs worse at B.3",
        "C.13 S1": "theirs later in order",
        "D.3": "theirs later in order",
        "E.2 widest": "colours only",
    }.items(),
)
def test_an_engine_that_ignores_a_rule_of_2012_is_told_which(
    rule: str, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, round = table_of(file_of("dutch-2012", rule))
    state = snapshot(table, round, "dutch-2012")
    ours = by_engine(state)
    with monkeypatch.context() as patch:
        rules = SWITCHES["dutch-2012"][rule](patch, EDITIONS["dutch-2012"])
        theirs = by_engine(state, rules=rules)

    assert classify(state, tuple(ours) if ours else None, tuple(theirs) if theirs else None) == verdict


def test_every_difference_between_the_text_of_2012_and_javafo_is_worse_by_the_text() -> None:
    verdicts = []
    for case in agreed(ARCHIVE, "dutch-2012"):
        try:
            ours = boards_from(dutch_pair(case.snapshot))
        except NoLegalRound:
            ours = None
        if set(ours or ()) != set(case.boards or ()):
            verdicts.append(classify(case.snapshot, ours, case.boards))

    assert len(verdicts) > 20
    assert all(verdict == "colours only" or verdict.startswith("theirs ") for verdict in verdicts)


def test_one_engine_that_finds_no_round_is_told_apart() -> None:
    assert classify(FIRST, BEST, None) == "theirs found no round"
    assert classify(FIRST, None, BEST) == "ours found no round"
    assert classify(FIRST, None, None) == ""


def test_both_engines_stop_together_where_no_legal_round_exists() -> None:
    def other(table: Crosstable, round: int) -> Boards:
        if round > 3:
            raise Unpaired
        return same(table, round)

    settings = Settings(players=4, rounds=6, half_point_byes=(), zero_point_byes=(), forfeits=())
    played = duel(settings, 1, "ours", "tiny", pair, other)

    assert played.rounds == 4
    assert played.differences == ()


def test_an_engine_that_breaks_ends_the_tournament() -> None:
    def other(table: Crosstable, round: int) -> Boards:
        raise Broken("exit code 3")

    assert duel(QUIET, 1, "ours", "plain", pair, other).broken == "exit code 3"


def test_differences_keep_the_state_before_the_round() -> None:
    def other(table: Crosstable, round: int) -> Boards:
        boards = same(table, round)
        return tuple((black, white) for white, black in boards) if round == 2 else boards

    [difference] = duel(QUIET, 1, "ours", "plain", pair, other).differences

    assert (difference.round, difference.verdict, difference.state.paired) == (2, "colours only", 1)


def test_settings_of_a_comparison_come_from_kind_and_seed() -> None:
    for kind in KINDS:
        settings = settings_for(kind, 5, "dutch-2026", None, None)
        assert settings == settings_for(kind, 5, "dutch-2026", None, None)
        assert settings_for(kind, 5, "dutch-2026", (20, 20), (7, 7)).players == 20
        assert settings_for(kind, 5, "dutch-2026", (90, 90), None).rounds in range(4, 16)
    assert settings_for("baku", 1, "dutch-2026", None, None).baku
    assert settings_for("points", 1, "dutch-2026", None, None).scoring != QUIET.scoring


def judged_by_the_text(state: Snapshot, ours: Boards, theirs: Boards) -> str:
    """The first bracket that differs, by the literal criteria; empty where they do not decide."""
    for bracket in dutch_pair(state).brackets:
        inside, above = {*bracket.moved_down, *bracket.residents}, set(bracket.moved_down)
        one, other = (
            tuple((a, b) for a, b in boards if b and {a, b} <= inside and not {a, b} <= above)
            for boards in (ours, theirs)
        )
        if set(map(frozenset, one)) == set(map(frozenset, other)):
            continue
        mine, others = (
            evaluate(state, bracket.moved_down, bracket.residents, pairs, bracket.role)
            for pairs in (one, other)
        )
        for name, value in mine.items():
            if value != others.get(name, value):
                return f"{'ours' if value > others[name] else 'theirs'} worse at {name}"  # type: ignore[operator]
        return ""
    return ""


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
@examples(120)
@given(st.randoms(use_true_random=False))
def test_any_two_rounds_are_told_apart_as_the_literal_criteria_tell_them(edition: str, draw: Random) -> None:
    state = random_round(draw, edition, most=8)
    try:
        ours = boards_from(dutch_pair(state))
    except NoLegalRound:
        return
    lot = [player.id for player in state.players if not player.absent]
    for _ in range(20):
        ids = draw.sample(lot, len(lot))
        theirs = tuple(zip(ids[::2], [*ids[1::2], 0], strict=False))
        verdict, fault = classify(state, ours, theirs), illegal(state, theirs)

        assert verdict.startswith("theirs illegal") == bool(fault)
        if not fault and "C5" not in verdict and (told := judged_by_the_text(state, ours, theirs)):
            assert verdict == told
