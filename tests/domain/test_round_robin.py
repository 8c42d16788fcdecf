"""Deciding in a round robin: numbers, the table, results at any time, leaving and coming back (C.05)."""

from collections.abc import Iterable
from typing import Any

import pytest

from paircard.domain import commands as c
from paircard.domain.commands import AssignNumbers, PublishRound, RecordResult, RegisterPlayer, WithdrawPlayer
from paircard.domain.deciding.decider import decide, weigh
from paircard.domain.deciding.numbering import numbers_in_force
from paircard.domain.deciding.round_robin import by_lots
from paircard.domain.errors import (
    Invalid,
    NotNow,
    NumbersFrozen,
    ReasonMissing,
    RegulationsLocked,
    RoundIncomplete,
    StaleDecision,
)
from paircard.domain.events import (
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PlayerReturned,
    PlayerWithdrawn,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundReopened,
    TournamentClosed,
    TournamentDetailsChanged,
)
from paircard.domain.state import Tournament, fold
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, rounds_for
from paircard.domain.values.results import Outcome, Scoring, parse_outcome
from paircard.service.review.verify import of_leavers
from tests.domain.scenes import after, ask, opened, pairing, registered
from tests.refusals import refuses, warns

TABLE_OF_4 = (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
FREE_IN_3 = (((2, 3),), ((1, 2),), ((3, 1),))


def entered_robin(players: int = 4, **regulations: Any) -> Tournament:
    return registered(players, 0, edition="round-robin", half_byes=0, **regulations)


def drawn(players: int = 4, **regulations: Any) -> Tournament:
    """Numbers by hand, in the order of ids."""
    state = entered_robin(players, **regulations)
    return after(state, ask(AssignNumbers, order=tuple(range(1, players + 1))))


def scheduled(
    players: int = 4, table: Iterable[Any] = TABLE_OF_4, publish: bool = True, **regulations: Any
) -> Tournament:
    """All rounds paired on one version, and published."""
    state = drawn(players, **regulations)
    made = state.version
    for number, boards in enumerate(table, start=1):
        state = after(state, pairing(state, *boards, round=number, based_on=made))
        if publish:
            state = after(state, ask(PublishRound, round=number))
    return state


def result(state: Tournament, round: int, board: int, text: str = "1-0") -> Tournament:
    return after(state, ask(RecordResult, round=round, board=board, outcome=parse_outcome(text)))


def of_board(state: Tournament, round: int, board: int) -> Outcome | None:
    return state.rounds[round - 1].game(board).outcome


# --- regulations


def test_the_number_of_rounds_follows_from_players_and_cycles() -> None:
    regulations = entered_robin(cycles=2).regulations

    assert [rounds_for(regulations, players) for players in (0, 1, 2, 3, 4, 5)] == [0, 0, 2, 6, 6, 10]
    with refuses(Invalid, "rounds-follow-players"):
        opened(5, edition="round-robin", half_byes=0)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"acceleration": "baku"}, "regulations-of-other-rules"),
        ({"half_byes": 1}, "regulations-of-other-rules"),
        ({"cycles": 9}, "cycles-not-possible"),
        ({"exchange": True}, "exchange-not-double"),
        ({"table": "mine"}, "choice-unknown"),
    ],
)
def test_regulations_that_no_round_robin_has_are_refused(fields: dict[str, Any], code: str) -> None:
    with refuses(Invalid, code):
        opened(0, **{"edition": "round-robin", "half_byes": 0, **fields})


@pytest.mark.parametrize("cycles", [0, -1, 9])
def test_everybody_meets_everybody_once_to_eight_times(cycles: int) -> None:
    with refuses(Invalid, "cycles-not-possible", count=cycles, most=8):
        entered_robin(cycles=cycles)


def test_a_round_robin_has_no_bye_to_give_points_for() -> None:
    robin: dict[str, Any] = {"edition": "round-robin", "half_byes": 0}
    football = opened(0, **robin, scoring=Scoring(win=30, draw=10, pab=30))

    with refuses(Invalid, "regulations-of-other-rules", labels=("pab",)):
        opened(0, **robin, scoring=Scoring(pab=5))
    for pab in (0, 5):
        changes = RegulationChanges(scoring=Scoring(pab=pab))
        with refuses(Invalid, "regulations-of-other-rules", labels=("pab",)):
            decide(football, ask(c.ChangeRegulations, changes=changes))

    assert decide(football, ask(c.ChangeRegulations, changes=RegulationChanges(scoring=Scoring())))


def test_a_swiss_has_no_cycles_and_no_table() -> None:
    with refuses(Invalid, "regulations-of-other-rules", labels=("cycles", "exchange", "table")):
        opened(5, cycles=2, exchange=True, table="hand")


def test_once_a_round_is_paired_cycles_system_and_exchange_stand() -> None:
    """VCL 93"""
    changes: dict[str, Any]
    for changes in ({"cycles": 2}, {"edition": "dutch-2026", "rounds": 3}, {"table": "hand"}):
        with refuses(RegulationsLocked, "regulations-locked"):
            decide(scheduled(), ask(c.ChangeRegulations, why="x", changes=RegulationChanges(**changes)))


# --- numbers


def test_lots_come_from_a_seed_that_is_recorded_with_them() -> None:
    state = entered_robin(5)

    [fact] = decide(state, ask(AssignNumbers, lots="lots", seed="5f0c"))

    assert fact == PairingNumbersAssigned(order=by_lots("5f0c", range(1, 6)), cause="lots", seed="5f0c")
    with refuses(Invalid, "lots-without-seed"):
        decide(state, ask(AssignNumbers, lots="lots"))


def test_numbers_by_hand_name_everybody_once() -> None:
    """VCL 95"""
    state = entered_robin(4)

    assert dict(numbers_in_force(after(state, ask(AssignNumbers, order=(3, 1, 4, 2))), 1)) == {
        3: 1, 1: 2, 4: 3, 2: 4,
    }  # fmt: skip
    with refuses(Invalid, "number-given-twice", player=1):
        decide(state, ask(AssignNumbers, order=(3, 1, 1, 2)))
    with refuses(Invalid, "order-incomplete", count=4):
        decide(state, ask(AssignNumbers, order=(3, 1, 2)))


def test_lots_are_drawn_again_only_for_a_reason_and_never_once_a_round_is_paired() -> None:
    with refuses(ReasonMissing, "reason-missing"):
        decide(drawn(), ask(AssignNumbers, lots="lots", seed="1"))
    with warns("numbers-again", yes=True):
        decide(drawn(), ask(AssignNumbers, lots="lots", seed="1", why="a lot was lost"))
    with refuses(NumbersFrozen, "table-numbers-stand"):
        decide(scheduled(), ask(AssignNumbers, lots="lots", seed="1", why="x"))


def test_a_player_entered_after_the_draw_makes_it_void_and_one_after_round_1_is_too_late() -> None:
    late: dict[str, Any] = {"details": Details(name="Late", rating=2000)}
    with warns("draw-void", name="Late"):
        decide(drawn(), ask(RegisterPlayer, **late))

    state = after(drawn(), ask(RegisterPlayer, ok=["draw-void"], **late))

    with refuses(NotNow, "numbers-void"):
        decide(state, pairing(state, *TABLE_OF_4[0]))
    with refuses(NotNow, "table-full", name="Late"):
        decide(scheduled(), ask(RegisterPlayer, why="train", **late))


def test_a_table_needs_two_players_and_numbers() -> None:
    with refuses(NotNow, "table-too-small", entered=1):
        decide(entered_robin(1), ask(AssignNumbers, lots="lots", seed="1"))
    state = entered_robin(4)
    with refuses(NotNow, "numbers-not-drawn"):
        decide(state, pairing(state, *TABLE_OF_4[0]))


def test_more_players_than_a_printed_table_has_are_noted_and_too_many_rounds_are_refused() -> None:
    state = entered_robin(25)
    [warning] = weigh(state, ask(AssignNumbers, lots="lots", seed="1")).warnings
    assert (warning.code, warning.article) == ("no-published-table", "C.05 Annex 1")
    with refuses(NotNow, "table-too-long", entered=25, rounds=100, most=99):
        decide(entered_robin(25, cycles=4), ask(AssignNumbers, lots="lots", seed="1"))


def test_restricted_lots_warn_where_the_printed_table_fails() -> None:
    """C.05 Annex 2: of twelve players numbers 6 and 12 meet in the last round."""
    state = opened(0, edition="round-robin", half_byes=0)
    for n in range(12):
        details = Details(name=f"Player {n}", federation="ITA" if n < 3 else "")
        state = after(state, ask(RegisterPlayer, details=details))

    warned = set()
    for seed in range(40):
        command = ask(AssignNumbers, lots="varma", seed=str(seed), level=3)
        decision = weigh(state, command)
        [drawn] = decision.events
        assert isinstance(drawn, PairingNumbersAssigned)
        both = {drawn.order[5], drawn.order[11]} <= {1, 2, 3}
        assert [warning.code for warning in decision.warnings] == ["varma-meet"] * both
        warned.add(both)

    assert warned == {True, False}


# --- the table


def test_round_1_settles_the_number_of_rounds_and_the_numbers() -> None:
    state = drawn(3)

    facts = decide(state, pairing(state, *FREE_IN_3[0]))

    assert facts[:2] == (
        TournamentDetailsChanged(changes=RegulationChanges(rounds=3)),
        PairingNumbersFrozen(round=1, numbers=((1, 1), (2, 2), (3, 3))),
    )
    paired = facts[2]
    assert isinstance(paired, RoundPaired)
    assert (paired.absent, paired.pab) == (((1, "Z"),), 0), "free, which is no bye"


def test_all_rounds_may_rest_on_the_version_that_the_schedule_met() -> None:
    state = scheduled()

    assert len({round.fact.based_on for round in state.rounds}) == 1
    assert all(round.published for round in state.rounds)
    with refuses(StaleDecision, "pairing-stale"):
        before = after(drawn(), pairing(drawn(), *TABLE_OF_4[0]))
        decide(before, pairing(before, *TABLE_OF_4[1], based_on=1))


def test_a_round_taken_back_leaves_numbers_free_again_only_with_the_first() -> None:
    state = scheduled(publish=False)
    for number in (3, 2):
        state = after(state, ask(c.UnpairRound, round=number))
    assert state.frozen

    state = after(state, ask(c.UnpairRound, round=1))

    assert not state.frozen
    again = after(state, ask(AssignNumbers, lots="lots", seed="1", why="again", ok=["numbers-again"]))
    assert again.order == by_lots("1", range(1, 5))


def test_rounds_are_published_in_their_order() -> None:
    state = scheduled(publish=False)

    with refuses(NotNow, "published-in-order", round=2, next=1):
        decide(state, ask(PublishRound, round=2))


def test_commands_of_a_swiss_are_refused_in_one_sentence() -> None:
    for command, code in (
        (ask(c.GrantBye, player=1, round=2), "table-no-byes"),
        (ask(c.RevokeBye, player=1, round=2), "table-no-byes"),
        (ask(c.ProhibitPairing, players=(1, 2)), "table-no-prohibitions"),
        (ask(c.LiftProhibition, players=(1, 2)), "table-no-prohibitions"),
        (ask(c.DrawInitialColour, colour="w"), "table-no-colour"),
        (ask(c.ExchangeNumbers, one=1, other=2), "table-no-exchange"),
    ):
        with refuses(Invalid, code):
            decide(drawn(), command)
    with refuses(NotNow, "boards-by-table"):
        decide(drawn(), ask(c.BeginManualPairing, round=1))
    with refuses(Invalid, "lots-of-a-round-robin"):
        decide(registered(4, 3), ask(AssignNumbers, lots="lots", seed="1"))


# --- results


def test_a_result_of_any_published_round_comes_at_any_time_and_the_current_round_is_the_first_open() -> None:
    state = result(scheduled(), 3, 1)
    assert state.current == 1

    state = result(result(state, 1, 1), 1, 2, "0-1")

    assert state.current == 2
    assert of_board(state, 3, 1) == Outcome("1", "0")


def test_a_postponed_game_ends_without_a_warning() -> None:
    state = after(scheduled(), ask(c.AdjournGame, round=1, board=1))

    decision = weigh(state, ask(RecordResult, round=1, board=1, outcome=Outcome("1", "0")))

    assert not decision.warnings


def test_a_result_of_an_early_round_is_cleared_or_corrected_whenever_it_is_found() -> None:
    state = result(result(scheduled(), 1, 1), 3, 1)
    state = after(state, ask(c.ClearResult, round=3, board=1))

    [fact] = decide(state, ask(c.CorrectResult, round=1, board=1, outcome=Outcome("=", "="), why="slip"))

    assert isinstance(fact, ResultCorrected)
    assert fact.scope == "standings"
    assert after(state, ask(c.ClearResult, round=1, board=1)).current == 1


def test_the_event_is_closed_once_every_game_of_every_round_has_a_result() -> None:
    state = scheduled()
    for round, board in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1)):
        state = result(state, round, board)
    with refuses(RoundIncomplete, "results-missing-at-close", round=3, boards=(2,)):
        decide(state, ask(c.CloseTournament))

    facts = decide(result(state, 3, 2), ask(c.CloseTournament))

    assert facts == (*(RoundCompleted(round=number) for number in (1, 2, 3)), TournamentClosed(rounds=3))


# --- leaving (C.05:6.6)


def test_who_withdraws_forfeits_every_open_game_and_keeps_those_played() -> None:
    state = result(scheduled(), 1, 1)

    facts = decide(state, ask(WithdrawPlayer, player=1))

    assert facts == (
        PlayerWithdrawn(player=1, round=1),
        ResultRecorded(round=2, board=2, outcome=Outcome("-", "+"), reason="withdrawal"),
        ResultRecorded(round=3, board=2, outcome=Outcome("+", "-"), reason="withdrawal"),
    )
    for fact in facts[1:]:
        assert isinstance(fact, ResultRecorded)
        assert of_leavers(fold(facts[:1], state), fact), "a verifier finds it in order"
        assert not of_leavers(state, fact), "but not before the withdrawal"


def test_two_who_have_left_both_lose_and_a_return_gives_the_other_the_point_back() -> None:
    state = after(scheduled(), ask(WithdrawPlayer, player=1), ask(WithdrawPlayer, player=2))
    assert of_board(state, 2, 2) == Outcome("-", "-")

    state = after(state, ask(c.ReturnPlayer, player=1))

    assert of_board(state, 2, 2) == Outcome("+", "-")
    assert of_board(state, 1, 1) is None
    assert of_board(state, 1, 2) == Outcome("-", "+")


def test_a_return_clears_only_the_forfeits_that_came_with_leaving() -> None:
    """A no-show stays lost."""
    state = result(scheduled(), 1, 1, "0F-1F")
    state = after(state, ask(WithdrawPlayer, player=1))
    state = after(state, ask(c.CompleteRound, round=2)) if not state.rounds[1].open_boards() else state

    facts = decide(state, ask(c.ReturnPlayer, player=1))

    assert facts == (
        PlayerReturned(player=1, round=state.current),
        ResultCleared(round=2, board=2, was=Outcome("-", "+")),
        ResultCleared(round=3, board=2, was=Outcome("+", "-")),
    )


def test_an_expulsion_works_like_a_withdrawal_and_is_reversed_like_one() -> None:
    state = after(scheduled(), ask(c.ExpelPlayer, player=4, why="cheating"))
    assert [of_board(state, 1, 1), of_board(state, 2, 1)] == [Outcome("+", "-"), Outcome("-", "+")]

    state = after(state, ask(c.ReinstatePlayer, player=4, why="appeal"))

    assert [of_board(state, 1, 1), of_board(state, 2, 1)] == [None, None]


def test_a_round_that_was_completed_goes_on_when_somebody_comes_back() -> None:
    state = after(result(scheduled(), 1, 2), ask(WithdrawPlayer, player=1))
    state = after(state, ask(c.CompleteRound, round=1))

    facts = decide(state, ask(c.ReturnPlayer, player=1))

    assert RoundReopened(round=1) in facts


def test_a_round_published_after_somebody_left_has_the_forfeits_at_once() -> None:
    state = scheduled(publish=False)
    state = after(state, ask(PublishRound, round=1), ask(WithdrawPlayer, player=1))
    assert of_board(state, 2, 2) is None

    state = after(state, ask(PublishRound, round=2))

    assert of_board(state, 2, 2) == Outcome("-", "+")
    assert not state.since_pairing, "nothing outdates a table"


def test_who_leaves_before_round_1_is_not_in_the_table() -> None:
    state = after(drawn(5), ask(WithdrawPlayer, player=5))
    with refuses(NotNow, "numbers-void"):
        decide(state, pairing(state, *TABLE_OF_4[0]))

    state = after(state, ask(AssignNumbers, order=(1, 2, 3, 4), why="p5 left", ok=["numbers-again"]))

    assert after(state, pairing(state, *TABLE_OF_4[0])).regulations.rounds == 3


# --- rounds by hand (VCL 100–102)


def by_hand(state: Tournament, *boards: tuple[int, int]) -> c.EndManualPairing:
    return ask(c.EndManualPairing, round=state.paired + 1, boards=boards)


def hand_made(*rounds: tuple[tuple[int, int], ...]) -> Tournament:
    """Rounds by hand, and the session of the next one open."""
    state = drawn(4, table="hand")
    for boards in rounds:
        state = after(state, ask(c.BeginManualPairing, round=state.paired + 1))
        state = after(state, by_hand(state, *boards))
    return after(state, ask(c.BeginManualPairing, round=state.paired + 1))


def test_rounds_by_hand_need_neither_reason_nor_engine() -> None:
    state = hand_made(*TABLE_OF_4[:2])

    assert not weigh(state, by_hand(state, *TABLE_OF_4[2])).warnings
    assert [round.origin for round in state.rounds] == ["manual", "manual"]
    with refuses(NotNow, "boards-by-hand", round=1):
        decide(drawn(4, table="hand"), pairing(drawn(4, table="hand"), *TABLE_OF_4[0]))


def test_a_pair_too_often_and_a_rest_that_cannot_be_played_are_warned_of() -> None:
    state = hand_made(((1, 4), (2, 3)))

    warned = [warning.code for warning in weigh(state, by_hand(state, (4, 1), (3, 2))).warnings]

    assert warned == ["met-too-often", "met-too-often", "not-completable"]


def test_a_third_equal_colour_by_hand_is_warned_of() -> None:
    state = hand_made(((1, 4), (2, 3)), ((1, 3), (4, 2)))

    warnings = weigh(state, by_hand(state, (1, 2), (4, 3))).warnings

    assert [(warning.code, warning.players) for warning in warnings] == [
        ("third-colour", (1,)),
        ("third-colour", (3,)),
    ]


def test_a_round_with_a_game_put_off_is_not_over_and_its_game_is_forfeited_by_leaving() -> None:
    """A game of a completed round would have stayed open for ever."""
    state = result(scheduled(), 1, 2)
    state = after(state, ask(c.AdjournGame, round=1, board=1))
    with refuses(RoundIncomplete, "results-missing-at-close", round=1, boards=(1,)):
        decide(state, ask(c.CompleteRound, round=1))

    state = after(state, ask(WithdrawPlayer, player=1))

    assert of_board(state, 1, 1) == Outcome("-", "+")
    assert after(state, ask(c.CompleteRound, round=1)).rounds[0].completed


def test_once_a_round_is_paired_another_system_is_refused_for_that_reason() -> None:
    state = scheduled(cycles=2, table=TABLE_OF_4, publish=False)
    with refuses(RegulationsLocked, "regulations-locked", labels=("edition",)):
        decide(state, ask(c.ChangeRegulations, changes=RegulationChanges(edition="dutch-2026")))
