"""Slips at the desk and their ways back, as arbiters met them (desk.md, vcl.md, seeds.md)."""

import pytest

from paircard.domain.commands import (
    AdjournGame,
    ChangeRegulations,
    ClearResult,
    CloseTournament,
    CorrectPlayer,
    CorrectResult,
    DrawInitialColour,
    ExpelPlayer,
    GrantBye,
    LiftProhibition,
    OpenTournament,
    ProhibitPairing,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    ReinstatePlayer,
    ReopenRound,
    ReopenTournament,
    ReturnPlayer,
    RevokeBye,
    UnpairRound,
    WithdrawPlayer,
)
from paircard.domain.deciding.boards import exchanged, paired_together
from paircard.domain.deciding.decider import decide
from paircard.domain.deciding.numbering import numbers_in_force, order_afresh
from paircard.domain.errors import Invalid, NeedsAcknowledgement, NotNow, ReasonMissing
from paircard.domain.events import (
    InitialColourDrawn,
    PairingNumbersFrozen,
    PairingProhibited,
    ProhibitionLifted,
    ResultCleared,
    TournamentDetailsChanged,
    TournamentImported,
)
from paircard.domain.messages import say
from paircard.domain.rounds import ADJOURNED
from paircard.domain.state import NOTHING, Tournament
from paircard.domain.values.players import Changes, Details, rated
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome, Scoring
from tests.domain.scenes import (
    ROUND_ROBIN,
    after,
    ask,
    opened,
    outside_fide_mode,
    paired,
    pairing,
    played,
    ready,
    registered,
    results,
    when,
)
from tests.refusals import refuses, warns

FIRST, SECOND, THIRD = ROUND_ROBIN


def code_of(refusal: pytest.ExceptionInfo[NeedsAcknowledgement]) -> tuple[int, str]:
    return refusal.value.level, refusal.value.code


def test_a_result_on_the_wrong_board_is_cleared_and_the_game_is_open_again() -> None:
    """desk.md H1: no round is paired on an invented result"""
    state = results(paired(ready(4, 3), *FIRST), "1-0", "1-0")

    state, events = when(state, ask(ClearResult, round=1, board=2))

    assert events == (ResultCleared(round=1, board=2, was=Outcome("1", "0")),)
    assert state.rounds[0].open_boards() == (2,)
    with warns("missing-results", round=1, boards=(2,)):
        decide(state, pairing(state, *SECOND))
    state = after(state, ask(AdjournGame, round=1, board=2))
    state = after(state, ask(ClearResult, round=1, board=2))
    with refuses(NotNow, "no-result-to-clear", round=1, board=2):
        decide(state, ask(ClearResult, round=1, board=2))


def test_a_result_that_a_pairing_used_is_corrected_not_cleared() -> None:
    state = played(ready(4, 3), *FIRST)
    with refuses(NotNow, "round-over", round=1):
        decide(state, ask(ClearResult, round=1, board=1))
    after(state, ask(ReopenRound, round=1), ask(ClearResult, round=1, board=1))
    unpublished = after(state, pairing(state, *SECOND))
    with refuses(NotNow, "result-used-not-published", round=2):
        decide(unpublished, ask(ClearResult, round=1, board=1))
    with refuses(NotNow, "result-used", round=2):
        decide(paired(state, *SECOND), ask(ClearResult, round=1, board=1))


def test_a_cleared_adjournment_leaves_no_trace_in_the_windows_of_a_correction() -> None:
    state = after(paired(ready(4, 3), *FIRST), ask(AdjournGame, round=1, board=1))
    state = results(after(state, ask(ClearResult, round=1, board=1)), "1-0", "1-0")

    assert state.rounds[0].histories[0].finished_at() == 0
    assert ADJOURNED not in state.rounds[0].outcomes


def test_publishing_asks_about_what_happened_since_the_pairing() -> None:
    """desk.md H2: the round is unpublished, and those who left are on its boards"""
    state = played(ready(6, 3), (1, 4), (5, 2), (3, 6))
    state = after(state, pairing(state, (2, 1), (4, 3), (6, 5), level=3))
    publish = ask(PublishRound, round=2)
    decide(state, publish)

    for command, news in (
        (ask(WithdrawPlayer, player=2), say("news.withdrew", player=2)),
        (ask(ExpelPlayer, player=2, why="phone"), say("news.expelled", player=2)),
        (ask(RegisterPlayer, details=Details(name="Late, Lea"), why="train"), say("news.entered", player=7)),
    ):
        with warns("pairing-outdated", round=2, news=(news,)) as refusal:
            decide(after(state, command), publish)
        assert code_of(refusal) == (3, "pairing-outdated")
    both = after(state, ask(WithdrawPlayer, player=2), ask(ReturnPlayer, player=2))
    decide(both, ask(PublishRound, round=2, ok=["pairing-outdated"]))
    again = after(both, ask(UnpairRound, round=2))
    assert again.since_pairing == ()


def test_a_bye_for_a_round_that_is_paired_but_not_public_says_how() -> None:
    state = ready(4, 3)
    state = after(state, pairing(state, *FIRST))

    with refuses(NotNow, "bye-after-pairing", round=1):
        decide(state, ask(GrantBye, player=1, round=1))


def test_a_forgotten_bye_is_entered_for_the_round_in_play() -> None:
    """desk.md H5: announced, forgotten at the desk; the player sits at no board"""
    state = after(ready(5, 3), ask(GrantBye, player=5, round=2, letter="Z"))
    state = paired(played(state, (1, 4), (2, 3), pab=5), (4, 3), (1, 2))
    revoked = after(state, ask(RevokeBye, player=5, round=2, why="wrong letter"))

    with pytest.raises(ReasonMissing):
        decide(revoked, ask(GrantBye, player=5, round=2, letter="H"))
    with warns("late-bye", player=5, round=2) as refusal:
        decide(revoked, ask(GrantBye, player=5, round=2, letter="H", why="was announced"))
    assert code_of(refusal) == (3, "late-bye")
    late = ask(GrantBye, player=5, round=2, letter="H", why="was announced", ok=["late-bye"])
    assert dict(after(revoked, late).rounds[1].absent)[5] == "H"


def test_a_bye_is_worth_nothing_unless_half_points_are_announced() -> None:
    """C.04.2:3.3; seeds.md 2"""
    for rules, letter in (({"half_byes": 0}, "Z"), ({"half_byes": 1}, "H"), ({"last_half_bye": 3}, "H")):
        state = registered(4, 5, **rules)
        [bye] = decide(state, ask(GrantBye, player=1, round=2))
        assert getattr(bye, "letter", "") == letter
    silent = registered(4, 5, half_byes=0)
    with warns("half-bye-not-announced", player=1) as refusal:
        decide(silent, ask(GrantBye, player=1, round=2, letter="H"))
    assert code_of(refusal) == (3, "half-bye-not-announced")


def test_a_prohibition_typed_wrongly_is_lifted() -> None:
    """desk.md H5"""
    state = after(registered(), ask(ProhibitPairing, players=(1, 2)))
    state, events = when(state, ask(LiftProhibition, players=(2, 1)))
    assert events == (ProhibitionLifted(players=(1, 2), round=1),)
    assert state.prohibitions == ()
    with refuses(NotNow, "no-prohibition-to-lift", players=(1, 2)):
        decide(state, ask(LiftProhibition, players=(1, 2)))


def test_a_prohibition_lifted_late_still_held_for_the_rounds_before() -> None:
    state = after(ready(4, 3), ask(ProhibitPairing, players=(1, 2)))
    state = played(state, *FIRST)
    with pytest.raises(ReasonMissing):
        decide(state, ask(LiftProhibition, players=(1, 2)))
    with warns("prohibition-lifted", players=(1, 2), last=1) as refusal:
        decide(state, ask(LiftProhibition, players=(1, 2), why="a slip"))
    assert code_of(refusal) == (4, "prohibition-lifted")
    state = after(state, ask(LiftProhibition, players=(1, 2), why="a slip", ok=["prohibition-lifted"]))
    assert state.prohibitions == (PairingProhibited(players=(1, 2), first=1, last=1),)
    decide(state, pairing(state, (4, 3), (1, 2)))


def test_an_expulsion_is_reversed_on_appeal() -> None:
    """desk.md H5"""
    state = after(ready(), ask(ExpelPlayer, player=2, why="phone"))
    with pytest.raises(ReasonMissing):
        decide(state, ask(ReinstatePlayer, player=2))
    state = after(state, ask(ReinstatePlayer, player=2, why="appeal upheld"))
    assert (state.players[1].status, state.players[1].ranked) == ("", True)
    with refuses(NotNow, "player-not-expelled", player=2):
        decide(state, ask(ReinstatePlayer, player=2, why="again"))


def test_tiebreaks_forgotten_in_the_announcement_are_announced_late() -> None:
    """desk.md H5, VCL 200-202: a forgotten list may come, an announced one stands"""
    state = paired(ready(4, 3), *FIRST)
    late = RegulationChanges(tiebreaks=("BH", "SB"))
    with pytest.raises(ReasonMissing):
        decide(state, ask(ChangeRegulations, changes=late))
    with warns("late-tiebreaks", codes=("BH", "SB")) as refusal:
        decide(state, ask(ChangeRegulations, changes=late, why="forgotten"))
    assert code_of(refusal) == (4, "late-tiebreaks")
    [event] = decide(state, ask(ChangeRegulations, changes=late, why="forgotten", ok=["late-tiebreaks"]))
    assert event == TournamentDetailsChanged(changes=late)


def test_outside_fide_mode_rounds_may_change_with_all_that_is_said_about_it() -> None:
    state = outside_fide_mode(paired(ready(4, 3), *FIRST))
    more = RegulationChanges(rounds=4)
    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(state, ask(ChangeRegulations, changes=more, why="everybody wants to"))
    assert code_of(refusal) == (4, "late-change")


def test_a_round_completed_and_a_tournament_closed_too_early_go_on() -> None:
    state = played(ready(4, 3), *FIRST)
    again = after(state, ask(ReopenRound, round=1))
    assert not again.rounds[0].completed
    with refuses(NotNow, "round-not-completed", round=1):
        decide(again, ask(ReopenRound, round=1))
    closed = after(state, ask(CloseTournament, why="hall", ok=["rounds-unplayed"]))
    with warns("reopened") as refusal:
        decide(closed, ask(ReopenTournament, why="a slip"))
    assert code_of(refusal) == (4, "reopened")
    going_on = after(closed, ask(ReopenTournament, why="a slip", ok=["reopened"]))
    assert not going_on.closed
    assert all(player.final_rating is None for player in going_on.players)


def test_a_colour_typed_in_wrongly_is_typed_in_again_but_a_drawn_lot_stands() -> None:
    """seeds.md 11: the fact says how the lot was drawn"""
    state, [event] = when(registered(), ask(DrawInitialColour, colour="w", entered=True))
    assert event == InitialColourDrawn(colour="w", method="entered")
    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(state, ask(DrawInitialColour, colour="b", entered=True, why="misheard"))
    assert code_of(refusal) == (3, "redraw")
    right = ask(DrawInitialColour, colour="b", entered=True, why="misheard", ok=["redraw"])
    assert after(state, right).initial_colour == "b"


def four_rounds_in(**rules: object) -> Tournament:
    state = ready(6, 9, half_byes=9, **rules)
    for boards in (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
    ):
        state = played(state, *boards)
    return state


def test_frozen_numbers_do_not_move_silently() -> None:
    """seeds.md 4: 2026 says how many move, 2017 gives the next free number"""
    late = Details(name="Late", rating=2385)
    new, old = four_rounds_in(), four_rounds_in(edition="dutch-2017")

    with warns("late-entry", player=7, name="Late", number=3, count=4) as ask_:
        decide(new, ask(RegisterPlayer, details=late, why="train"))
    assert code_of(ask_) == (3, "late-entry")
    state = after(old, ask(RegisterPlayer, details=late, why="train"))
    assert dict(numbers_in_force(state, 5))[7] == 7


def test_the_freezing_says_which_numbers_and_reminds_of_corrected_data() -> None:
    """seeds.md 11, desk.md M9"""
    state = ready(6, 9)
    for boards in (((1, 6), (2, 5), (3, 4)), ((6, 4), (5, 3), (1, 2)), ((2, 6), (3, 1), (4, 5))):
        state = played(state, *boards)
    fourth = ((6, 5), (1, 4), (2, 3))
    frozen = [e for e in decide(state, pairing(state, *fourth)) if isinstance(e, PairingNumbersFrozen)]
    assert frozen == [PairingNumbersFrozen(round=4, numbers=tuple((n, n) for n in range(1, 7)))]

    changes = Changes(rating=2600)
    state = after(state, ask(CorrectPlayer, player=6, changes=changes, why="wrong list"))
    with warns("numbers-out-of-date", count=6) as refusal:
        decide(state, pairing(state, *fourth))
    assert code_of(refusal) == (2, "numbers-out-of-date")


def test_names_are_sorted_as_people_sort_them() -> None:
    """desk.md M2, seeds.md 8: accents do not send a name behind Z"""
    state = opened()
    for name in ("Zeman", "Ångström", "Öztürk", "Østergaard", "Čapek", "Łukasz", "O'Brien", "Obrist"):
        state = after(state, ask(RegisterPlayer, details=Details(name=name)))
    names = [state.players[id - 1].details.name for id in order_afresh(state)]
    assert names == ["Ångström", "Čapek", "Łukasz", "O'Brien", "Obrist", "Østergaard", "Öztürk", "Zeman"]


def test_old_rules_and_unusual_orders_are_asked_about() -> None:
    """vcl.md 15"""
    old = Regulations(name="Open", rounds=5, edition="dutch-2017", starts="2026-11-20")
    by_name = Regulations(name="Open", rounds=5, initial_order=("name",))
    for rules, warning in ((old, (3, "edition-not-in-force")), (by_name, (2, "initial-order"))):
        with pytest.raises(NeedsAcknowledgement) as refusal:
            decide(NOTHING, ask(OpenTournament, regulations=rules))
        assert code_of(refusal) == warning
    decide(NOTHING, ask(OpenTournament, regulations=Regulations(name="Open", rounds=5, edition="dutch-2017")))


@pytest.mark.parametrize(
    ("edition", "day", "since"),
    [
        ("dutch-2012", "2017-06-30", ()),
        ("dutch-2012", "2017-07-01", ("replaced", "2017-07-01")),
        ("dutch-2012-javafo", "2026-02-01", ("replaced", "2017-07-01")),
        ("dutch-2017", "2017-06-30", ("yet", "2017-07-01")),
        ("dutch-2017", "2017-07-01", ()),
        ("dutch-2017", "2026-01-31", ()),
        ("dutch-2026", "2026-01-31", ("yet", "2026-02-01")),
        ("dutch-2026", "2026-02-01", ()),
    ],
)
@pytest.mark.parametrize("source", ["", "open.trf"])
def test_fide_mode_asks_about_rules_not_in_force_on_the_first_day(
    edition: str, day: str, since: tuple[str, ...], source: str
) -> None:
    """Typed in or read from a file: too old, or not yet in force"""
    rules = Regulations(name="Open", rounds=5, edition=edition, starts=day)
    filed = TournamentImported(source=source, format="TRF16") if source else None
    command = ask(OpenTournament, regulations=rules, filed=filed)
    if not since:
        decide(NOTHING, command)
        return
    how, when = since
    with warns(f"edition-not-in-force.{how}", edition=edition, when=when, day=day) as refusal:
        decide(NOTHING, command)
    assert code_of(refusal) == (3, "edition-not-in-force")


def test_a_first_day_put_right_later_is_held_against_the_rules_in_fide_mode_alone() -> None:
    state = played(ready(4, 3), *FIRST)
    moved = ask(ChangeRegulations, changes=RegulationChanges(starts="2019-05-01"))
    with warns(
        "edition-not-in-force.yet", edition="dutch-2026", when="2026-02-01", day="2019-05-01"
    ) as refusal:
        decide(state, moved)
    assert code_of(refusal) == (3, "edition-not-in-force")
    decide(outside_fide_mode(state), moved)


def test_a_bye_is_worth_what_somebody_can_score() -> None:
    """VCL 84, vcl.md 19"""
    for pab, fine in ((20, True), (15, False)):
        rules = Regulations(name="Open", rounds=5, scoring=Scoring(win=30, draw=10, pab=pab))
        if fine:
            decide(NOTHING, ask(OpenTournament, regulations=rules))
        else:
            with refuses(Invalid, "pab-not-possible", win=30, draw=10, loss=0, points=15):
                decide(NOTHING, ask(OpenTournament, regulations=rules))


def test_prohibitions_that_leave_too_few_opponents_are_said_before_the_start() -> None:
    """VCL 62, vcl.md 25"""
    state = after(ready(4, 3), ask(ProhibitPairing, players=(1, 2)))
    with warns("too-many-rounds.kept-apart", player=1, rounds=3):
        decide(state, pairing(state, *FIRST))


def test_a_prohibition_is_for_rounds_that_exist() -> None:
    with refuses(Invalid, "rounds-out-of-range", rounds=5, first=5, last=9):
        decide(registered(), ask(ProhibitPairing, players=(1, 2), first=5, last=9))


def test_the_higher_or_lower_of_two_ratings() -> None:
    """TRF26 172: HBFN, LBFN (VCL 145)"""
    both = Details(name="A", fide_rating=2100, national_rating=2200)
    assert (rated(both, ("higher",)).rating, rated(both, ("lower",)).rating) == (2200, 2100)
    assert rated(Details(name="B", national_rating=1900), ("lower",)).rating == 1900


def test_two_players_change_seats_or_are_paired_together() -> None:
    """desk.md M4"""
    boards = ((1, 4), (5, 2), (3, 6))
    assert exchanged(boards, 7, 4, 2) == (((1, 2), (5, 4), (3, 6)), 7)
    assert exchanged(boards, 7, 4, 7) == (((1, 7), (5, 2), (3, 6)), 4)
    assert paired_together(boards, 7, 1, 2) == (((1, 2), (5, 4), (3, 6)), 7)
    assert paired_together(boards, 7, 8, 7) == (((1, 4), (5, 2), (3, 6), (8, 7)), 0)
    assert paired_together(boards, 0, 8, 1) == (((8, 1), (5, 2), (3, 6)), 4)


def test_an_identical_result_is_accepted_and_recorded_once() -> None:
    """desk.md M5: a file of results can be completed and sent again"""
    state = results(paired(ready(4, 3), *FIRST), "1-0")
    assert decide(state, ask(RecordResult, round=1, board=1, outcome=Outcome("1", "0"))) == ()


def test_a_correction_during_the_last_round_counts_for_the_standings_alone() -> None:
    for rounds, then in ((2, 0), (3, 3)):  # 0: for the standings alone
        state = played(ready(4, rounds=rounds), (1, 3), (4, 2), results_=("1-0", "1-0"))
        state = paired(state, (4, 1), (3, 2))
        with warns("correction.stands", players=(1, 3), round=2, next=then):
            when(state, ask(CorrectResult, round=1, board=1, outcome=Outcome("0", "1"), why="slip"))
