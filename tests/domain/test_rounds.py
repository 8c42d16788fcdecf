"""Rounds: pairing, publishing, the arbiter's hand, completing and closing."""

from typing import Any

import pytest

from paircard.domain.commands import (
    AdjournGame,
    BeginManualPairing,
    CloseTournament,
    CompleteRound,
    CorrectPlayer,
    DrawInitialColour,
    EndManualPairing,
    GrantBye,
    PairRound,
    ProhibitPairing,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    UnpairRound,
    WithdrawPlayer,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import (
    Duplicate,
    IllegalPairing,
    Invalid,
    ManualSessionOpen,
    NeedsAcknowledgement,
    NotNow,
    ReasonMissing,
    RoundIncomplete,
    StaleDecision,
    Unknown,
)
from paircard.domain.events import (
    GameAdjourned,
    ManualPairingBegun,
    ManualPairingEnded,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PairingsAltered,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
    TournamentClosed,
)
from paircard.domain.messages import Message, say
from paircard.domain.rounds import ADJOURNED
from paircard.domain.state import Tournament
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.results import Outcome
from tests.domain.scenes import (
    DIGEST,
    ROUND_ROBIN,
    after,
    ask,
    imported,
    paired,
    pairing,
    played,
    ready,
    registered,
    results,
    when,
)
from tests.refusals import refuses, warns

FIRST = ROUND_ROBIN[0]
WON = Outcome("1", "0")


def codes(refusal: pytest.ExceptionInfo[NeedsAcknowledgement]) -> set[str]:
    return {warning.code for warning in refusal.value.warnings}


def test_a_paired_round_holds_all_that_a_replay_needs() -> None:
    state = after(ready(6, 3), ask(GrantBye, player=5, round=1, letter="H"), ask(WithdrawPlayer, player=6))

    state, events = when(state, pairing(state, *FIRST))

    assert events == (
        PairingNumbersAssigned(order=(1, 2, 3, 4, 5, 6), cause="initial"),
        RoundPaired(
            round=1,
            edition="dutch-2026",
            engine="test 1",
            based_on=10,
            snapshot=DIGEST,
            numbers=((1, 1), (2, 2), (3, 3), (4, 4)),
            boards=((1, 4), (2, 3)),
            pab=0,
            absent=((5, "H"), (6, "Z")),
            origin="engine",
        ),
    )
    assert state.paired == 1


def test_round_4_freezes_the_numbers() -> None:
    state = ready(6, 7)
    for boards in (((1, 6), (2, 5), (3, 4)), ((6, 4), (5, 3), (1, 2)), ((2, 6), (3, 1), (4, 5))):
        state = played(state, *boards)
        assert not state.frozen

    state, events = when(state, pairing(state, (6, 5), (1, 4), (2, 3)))

    assert [type(e) for e in events] == [PairingNumbersFrozen, RoundPaired]
    assert state.frozen
    assert not after(state, ask(UnpairRound, round=4)).frozen, "round 4 is no longer paired"


def test_a_pairing_computed_before_another_fact_is_refused() -> None:
    state = ready()
    command = pairing(state, *FIRST)
    state = after(state, ask(GrantBye, player=1, round=3))

    with refuses(StaleDecision, "pairing-stale", round=1, based_on=6, version=7):
        decide(state, command)


@pytest.mark.parametrize(
    ("boards", "pab", "complaint"),
    [
        (((1, 4),), 0, say("player-left-out", player=2, round=1)),
        (((1, 4), (2, 3)), 1, say("player-seated-again", player=1, round=1, count=2)),
        (((1, 4), (2, 2)), 3, say("player-seated-again", player=2, round=1, count=2)),
        (((1, 4), (2, 1)), 3, say("player-seated-again", player=1, round=1, count=2)),
        (((1, 4), (2, 5)), 3, say("player-has-bye", player=5, round=1)),
        (((1, 4), (2, 6)), 3, say("player-not-here", player=6, round=1, status="withdrawn")),
        (((1, 4),), 2, say("player-left-out", player=3, round=1)),
        ((), 0, say("round-without-boards", round=1)),
    ],
)
def test_boards_that_are_not_a_round_are_refused(boards: Any, pab: int, complaint: Message) -> None:
    state = after(ready(6), ask(GrantBye, player=5, round=1, letter="H"), ask(WithdrawPlayer, player=6))

    with refuses(IllegalPairing, complaint):
        decide(state, pairing(state, *boards, pab=pab))


def test_a_board_with_an_unknown_player_is_refused() -> None:
    state = ready()
    with refuses(Unknown, "no-such-player", id="p9", last=4):
        decide(state, pairing(state, (1, 9), (2, 3)))


def test_nobody_meets_twice() -> None:
    state = played(ready(), *FIRST)

    with refuses(IllegalPairing, "boards-break-rules", what=say("rematch", white=4, black=1)):
        decide(state, pairing(state, (4, 1), (2, 3)))


def test_who_was_paired_but_did_not_play_may_meet_again() -> None:
    """C.04.2:3.5"""
    state = results(paired(ready(), *FIRST), "+-", "--")

    decide(state, pairing(state, (4, 1), (3, 2), why="snow, all excused", ok=["no-show"]))


def test_who_did_not_come_is_asked_about_before_the_next_pairing() -> None:
    """C.05:6.5; seeds.md 3"""
    state = results(paired(ready(4, 3), *FIRST), "+-", "1-0")

    with warns("no-show", players=(4,), round=1) as refusal:
        decide(state, pairing(state, *ROUND_ROBIN[1]))
    assert (refusal.value.level, refusal.value.code) == (2, "no-show")
    with refuses(ReasonMissing, "reason-missing", deed=say("deed.pairing-absent", players=[4])):
        decide(state, pairing(state, *ROUND_ROBIN[1], ok=["no-show"]))
    decide(state, pairing(state, *ROUND_ROBIN[1], ok=["no-show"], why="the train was late"))
    gone = after(state, ask(WithdrawPlayer, player=4))
    decide(gone, pairing(gone, (1, 2), pab=3))


def test_prohibited_pairs_do_not_meet_in_their_rounds() -> None:
    state = after(
        registered(), ask(ProhibitPairing, players=(1, 4), last=1), ask(DrawInitialColour, colour="w")
    )

    with refuses(IllegalPairing, "boards-break-rules", what=say("prohibited-pair", white=1, black=4)):
        decide(state, pairing(state, *FIRST))
    state = played(state, (1, 2), (3, 4))
    decide(state, pairing(state, (1, 4), (2, 3)))


def test_a_pairing_allocated_bye_goes_to_nobody_twice() -> None:
    """C.04.1:4"""
    state = played(ready(5), (1, 4), (2, 3), pab=5)
    with refuses(IllegalPairing, "boards-break-rules", what=say("ineligible-bye", player=5)):
        decide(state, pairing(state, (4, 3), (1, 2), pab=5))
    decide(state, pairing(state, (5, 3), (1, 2), pab=4))


def test_a_forfeit_win_or_a_full_point_bye_bars_from_the_bye() -> None:
    """C.04.1:4; in 2017 the full-point bye did not."""
    forfeited = results(paired(ready(5), (1, 4), (2, 3), pab=5), "+-", "1-0")
    with refuses(IllegalPairing, "boards-break-rules", what=say("ineligible-bye", player=1)):
        decide(forfeited, pairing(forfeited, (5, 3), (4, 2), pab=1))
    decide(forfeited, pairing(forfeited, (5, 3), (1, 2), pab=4, why="was ill", ok=["no-show"]))

    for edition, refused in (("dutch-2026", True), ("dutch-2017", False)):
        full = after(ready(5, edition=edition), ask(GrantBye, player=5, round=1, letter="F", level=2))
        full = played(full, (1, 4), (2, 3))
        command = pairing(full, (4, 3), (1, 2), pab=5)
        if refused:
            with refuses(IllegalPairing, "boards-break-rules", what=say("ineligible-bye", player=5)):
                decide(full, command)
        else:
            decide(full, command)


def test_an_even_field_has_no_pairing_allocated_bye() -> None:
    state = ready(4)
    with pytest.raises(IllegalPairing):
        decide(state, pairing(state, (1, 4), pab=2))


def test_rounds_are_paired_in_turn() -> None:
    state = ready(4, 2)
    with refuses(NotNow, "round-not-next", round=2, next=1):
        decide(state, pairing(state, *FIRST, round=2))
    with refuses(NotNow, "round-not-next", round=0, next=1):
        decide(state, pairing(state, *FIRST, round=0))
    state = after(state, pairing(state, *FIRST))
    with refuses(Duplicate, "round-paired", round=1):
        decide(state, pairing(state, *FIRST, round=1))
    with refuses(NotNow, "last-not-published", round=1):
        decide(state, pairing(state, *ROUND_ROBIN[1]))
    state = played(played(ready(4, 2), *FIRST), *ROUND_ROBIN[1])
    with refuses(NotNow, "no-such-round", round=3, rounds=2):
        decide(state, pairing(state, *ROUND_ROBIN[2]))


def test_a_computed_round_names_its_snapshot() -> None:
    state = ready()
    for digest in ("", "abc", "g" * 64):
        with refuses(Invalid, "snapshot-unreadable" if digest else "snapshot-missing"):
            decide(state, pairing(state, *FIRST, snapshot=digest))
    with refuses(Invalid, "manual-boards-elsewhere"):
        decide(state, pairing(state, *FIRST, origin="manual"))


def test_the_initial_colour_comes_first() -> None:
    state = registered()
    with refuses(NotNow, "colour-not-drawn"):
        decide(state, pairing(state, *FIRST))


def test_after_rounds_from_a_file_the_colour_can_still_be_drawn() -> None:
    state = imported(3)
    for n in range(1, 5):
        state = after(state, ask(RegisterPlayer, details=Details(name=f"P{n}")))
    state = after(state, pairing(state, *FIRST, origin="import", snapshot=""))
    state = results(after(state, ask(PublishRound, round=1)), "1-0", "1-0")
    with refuses(NotNow, "colour-not-drawn"):
        decide(state, pairing(state, *ROUND_ROBIN[1]))

    state = after(state, ask(DrawInitialColour, colour="w"))

    decide(state, pairing(state, *ROUND_ROBIN[1]))


def test_too_few_players_for_the_rounds_is_said_before_the_start() -> None:
    state = ready(4, 5)
    with warns("too-many-rounds.met", entered=4, rounds=5) as refusal:
        decide(state, ask(PairRound, round=1, boards=FIRST, based_on=state.version, snapshot=DIGEST))
    assert refusal.value.level == 2
    decide(ready(4, 3), pairing(ready(4, 3), *FIRST))


def test_missing_results_become_adjourned_games_when_the_next_round_is_paired() -> None:
    """VCL 158–160"""
    state = results(paired(ready(4, 3), *FIRST), "1-0")

    with warns("missing-results", round=1, boards=(2,)) as refusal:
        decide(state, pairing(state, *ROUND_ROBIN[1]))
    assert refusal.value.level == 2
    events = decide(state, pairing(state, *ROUND_ROBIN[1], ok=["missing-results"]))

    assert events[:2] == (GameAdjourned(round=1, board=2), RoundCompleted(round=1))
    assert isinstance(events[-1], RoundPaired)


def test_an_older_adjourned_game_is_named_at_each_pairing() -> None:
    """VCL 168"""
    state = after(results(paired(ready(4, 3), *FIRST), "1-0"), ask(AdjournGame, round=1, board=2))

    with warns("adjourned-games", games=((1, 2),)):
        decide(state, pairing(state, *ROUND_ROBIN[1]))


def test_pairing_the_next_round_completes_the_one_before() -> None:
    state = results(paired(ready(4, 3), *FIRST), "1-0", "1-0")

    events = decide(state, pairing(state, *ROUND_ROBIN[1]))

    assert [type(e) for e in events] == [RoundCompleted, RoundPaired]


def test_an_import_may_be_irregular_after_a_confirmation() -> None:
    """VCL 54, 55"""
    state = imported(4, of_file=3)
    for n in range(1, 5):
        state = after(state, ask(RegisterPlayer, details=Details(name=f"P{n}")))
    for _ in range(2):
        with_levels = pairing(state, (1, 4), origin="import", snapshot="", level=3)
        state = after(state, with_levels, ask(PublishRound, round=state.paired + 1))
        state = results(state, "1-0")

    [*_, last] = decide(state, pairing(state, (2, 3), origin="import", snapshot="", level=2))
    assert isinstance(last, RoundPaired)
    assert last.absent == ((1, "Z"), (4, "Z"))
    assert last.origin == "import"
    with warns(
        "irregular-import.boards", players=(1, 4), reasons=(say("rematch", white=4, black=1),)
    ) as refusal:
        decide(state, pairing(state, (4, 1), origin="import", snapshot="", level=2))
    assert codes(refusal) == {"irregular-import"}
    decide(state, ask(DrawInitialColour, colour="w"))


def test_boards_are_recorded_as_they_are_only_from_an_imported_file() -> None:
    """No unmarked hand pairing: after the rounds of the file the engine pairs, or a hand (vcl.md 1)."""
    state = imported(3, of_file=1)
    for n in range(1, 5):
        state = after(state, ask(RegisterPlayer, details=Details(name=f"P{n}")))
    first = after(state, pairing(state, *FIRST, origin="import", snapshot=""), ask(PublishRound, round=1))
    first = after(results(first, "1-0", "1-0"), ask(DrawInitialColour, colour="w"))

    for there in (first, ready()):
        with refuses(Invalid, "round-not-of-file"):
            decide(there, pairing(there, *ROUND_ROBIN[there.paired], origin="import", snapshot=""))


def test_a_round_is_taken_back_before_it_is_published() -> None:
    state = ready()
    state = after(state, pairing(state, *FIRST, level=2))

    again, events = when(state, ask(UnpairRound, round=1))

    assert events == (RoundUnpaired(round=1),)
    assert again.paired == 0
    after(again, pairing(again, (4, 1), (3, 2), level=2))
    public = after(state, ask(PublishRound, round=1))
    with refuses(ReasonMissing, "reason-missing", deed=say("deed.unpairing-published", round=1)):
        decide(public, ask(UnpairRound, round=1))
    with warns("published-pairing.seen", round=1, cases="dutch-2026") as refusal:
        decide(public, ask(UnpairRound, round=1, why="published by mistake"))
    assert (refusal.value.level, refusal.value.code) == (4, "published-pairing")
    with refuses(NotNow, "round-being-played", round=1, boards=(1,)):
        decide(results(public, "1-0"), ask(UnpairRound, round=1, why="x", ok=["published-pairing"]))
    taken = after(public, ask(UnpairRound, round=1, why="published by mistake", ok=["published-pairing"]))
    assert taken.paired == 0
    with refuses(Unknown, "round-not-paired", round=1, last=0):
        decide(again, ask(UnpairRound, round=1))
    two = paired(played(ready(4, 3), *FIRST), *ROUND_ROBIN[1])
    with refuses(Invalid, "round-not-last", round=1, last=2, cause="unpaired"):
        decide(two, ask(UnpairRound, round=1))


def test_a_round_is_published_once() -> None:
    state = ready(4, 3)
    state = after(state, pairing(state, *FIRST))

    state, events = when(state, ask(PublishRound, round=1))

    assert events == (RoundPublished(round=1),)
    with refuses(Duplicate, "round-published", round=1):
        decide(state, ask(PublishRound, round=1))
    with refuses(Unknown, "round-not-paired", round=2, last=1):
        decide(state, ask(PublishRound, round=2))


def in_hand(state: Tournament, round: int = 1) -> Tournament:
    return after(state, ask(BeginManualPairing, round=round))


def test_a_manual_alteration_keeps_the_engines_boards_beside_the_arbiters() -> None:
    """VCL 64–69"""
    state = ready()
    state = after(state, pairing(state, *FIRST, level=2))
    state, events = when(state, ask(BeginManualPairing, round=1))
    assert events == (ManualPairingBegun(round=1),)
    boards = ((1, 3), (2, 4))

    with refuses(ReasonMissing, "reason-missing", deed=say("deed.alteration", round=1)):
        decide(state, ask(EndManualPairing, round=1, boards=boards, ok=["manual-pairing"]))
    with warns(
        "manual-pairing.instead",
        round=1,
        now=(say("log.pair", white=1, black=3), say("log.pair", white=2, black=4)),
        instead=(say("log.pair", white=1, black=4), say("log.pair", white=2, black=3)),
    ) as refusal:
        decide(state, ask(EndManualPairing, round=1, boards=boards, why="family", level=3))
    assert refusal.value.level == 4
    command = ask(EndManualPairing, round=1, boards=boards, why="family", ok=["manual-pairing"])
    state, events = when(state, command)

    assert events == (
        PairingsAltered(
            round=1,
            boards=boards,
            pab=0,
            engine_boards=FIRST,
            engine_pab=0,
            numbers=((1, 1), (2, 2), (3, 3), (4, 4)),
        ),
        ManualPairingEnded(round=1, altered=True),
    )
    assert state.rounds[0].boards == boards
    assert state.manual == 0


def test_a_session_that_changes_nothing_leaves_no_alteration() -> None:
    state = in_hand(paired(ready(), *FIRST))

    [event] = decide(state, ask(EndManualPairing, round=1, boards=FIRST))

    assert event == ManualPairingEnded(round=1, altered=False)


def test_altering_back_to_the_engines_boards_is_no_breach() -> None:
    state = ready()
    state = in_hand(after(state, pairing(state, *FIRST, level=2)))
    other = ask(EndManualPairing, round=1, boards=((1, 3), (2, 4)), why="x", ok=["manual-pairing"])
    state = in_hand(after(state, other))

    events = decide(state, ask(EndManualPairing, round=1, boards=FIRST, why="mistake"))

    assert events[-1] == ManualPairingEnded(round=1, altered=False)


def test_while_a_round_is_in_the_arbiters_hands_nothing_else_happens_to_it() -> None:
    state = in_hand(paired(ready(), *FIRST))

    for command in (
        ask(RecordResult, round=1, board=1, outcome=WON),
        ask(AdjournGame, round=1, board=1),
        ask(PublishRound, round=1),
        ask(UnpairRound, round=1),
        ask(CompleteRound, round=1),
        ask(CloseTournament),
        ask(BeginManualPairing, round=1),
        pairing(state, *ROUND_ROBIN[1]),
    ):
        with refuses(ManualSessionOpen, "manual-session-open", round=1):
            decide(state, command)


def test_a_session_ends_only_where_it_began() -> None:
    with refuses(NotNow, "no-manual-session", round=1, other_round=0):
        decide(paired(ready(), *FIRST), ask(EndManualPairing, round=1, boards=FIRST))


def test_only_the_round_at_hand_is_altered() -> None:
    state = played(ready(4, 3), *FIRST)
    with refuses(NotNow, "boards-stand", round=1):
        decide(state, ask(BeginManualPairing, round=1))
    state = paired(state, *ROUND_ROBIN[1])
    with refuses(Invalid, "round-not-altered", round=1, last=2):
        decide(state, ask(BeginManualPairing, round=1))
    with refuses(NotNow, "round-not-next", round=0, next=3):
        decide(state, ask(BeginManualPairing, round=0))


def test_a_published_pairing_changes_only_with_a_double_confirmation() -> None:
    """C.04.2:4.4"""
    state = in_hand(paired(ready(), *FIRST))

    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(state, ask(EndManualPairing, round=1, boards=((1, 3), (2, 4)), why="x", level=3))
    assert codes(refusal) == {"manual-pairing", "published-pairing"}


def test_a_board_with_a_result_is_not_taken_apart() -> None:
    state = in_hand(results(paired(ready(6, 5), (1, 6), (2, 5), (3, 4)), "1-0"))
    ok = ["manual-pairing", "published-pairing"]

    with refuses(NotNow, "board-has-result", round=1, board=1):
        decide(state, ask(EndManualPairing, round=1, boards=((6, 1), (2, 5), (3, 4)), why="x", ok=ok))
    command = ask(EndManualPairing, round=1, boards=((2, 4), (3, 5), (1, 6)), why="x", ok=ok)
    state = after(state, command)
    assert state.rounds[0].outcomes == (None, None, WON), "the result moves with its board"


def test_what_the_rules_dislike_in_boards_by_hand_is_named() -> None:
    """VCL 66, 67"""
    state = after(registered(5, 5), ask(ProhibitPairing, players=(1, 2)), ask(DrawInitialColour, colour="w"))
    state = played(state, (1, 4), (2, 3), pab=5)
    state = in_hand(state, 2)

    def warned(*boards: tuple[int, int], pab: int = 0) -> set[str]:
        with pytest.raises(NeedsAcknowledgement) as refusal:
            decide(state, ask(EndManualPairing, round=2, boards=boards, pab=pab, why="x"))
        return codes(refusal)

    assert {"rematch"} <= warned((4, 1), (2, 5), pab=3)
    assert {"prohibited-pair"} <= warned((1, 2), (4, 5), pab=3)
    assert {"ineligible-bye"} <= warned((4, 3), (1, 2), pab=5)
    assert {"left-out"} <= warned((4, 2), (1, 5))


def test_three_times_the_same_colour_by_hand_is_named() -> None:
    state = ready(6, 5)
    for boards in (((1, 6), (2, 5), (3, 4)), ((1, 5), (4, 2), (6, 3))):
        state = played(state, *boards)
    state = in_hand(state, 3)

    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(state, ask(EndManualPairing, round=3, boards=((1, 4), (2, 6), (3, 5)), why="x"))
    assert "colour" in codes(refusal)


def test_both_players_against_their_due_colour_is_level_2() -> None:
    state = in_hand(played(ready(4, 3), (1, 4), (2, 3)), 2)

    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(state, ask(EndManualPairing, round=2, boards=((1, 3), (2, 4)), why="x"))
    levels = {w.code: w.level for w in refusal.value.warnings}
    assert levels["colours-reversed"] == 2


def test_a_round_the_engine_cannot_pair_is_finished_by_hand() -> None:
    """VCL 63"""
    state = ready(4, 4)
    for boards in ROUND_ROBIN:
        state = played(state, *boards)
    state = in_hand(state, 4)
    ok = ["rematch", "manual-pairing"]

    with refuses(ReasonMissing, "reason-missing", deed=say("deed.pairing-by-hand", round=4)):
        decide(state, ask(EndManualPairing, round=4, boards=((4, 1), (3, 2)), ok=ok))
    command = ask(EndManualPairing, round=4, boards=((4, 1), (3, 2)), why="no legal round", ok=ok, level=3)
    state, events = when(state, command)

    assert [type(e) for e in events] == [
        PairingNumbersFrozen, RoundPaired, PairingsAltered, ManualPairingEnded,
    ]  # fmt: skip
    assert state.rounds[3].origin == "manual"
    assert state.manual == 0


def test_the_engines_boards_beside_a_round_by_hand_come_with_it() -> None:
    state = in_hand(ready(4, 3))
    same = ask(EndManualPairing, round=1, boards=FIRST, engine_boards=FIRST, why="power cut")
    other = ask(
        EndManualPairing,
        round=1,
        boards=((1, 3), (2, 4)),
        engine_boards=FIRST,
        why="x",
        ok=["manual-pairing"],
    )

    assert decide(state, same)[-1] == ManualPairingEnded(round=1, altered=False)
    altered = decide(state, other)[-2]
    assert isinstance(altered, PairingsAltered)
    assert altered.engine_boards == FIRST


def test_a_session_on_a_round_not_yet_paired_can_be_given_up() -> None:
    state = in_hand(ready(4, 3))

    state, events = when(state, ask(EndManualPairing, round=1, boards=()))

    assert events == (ManualPairingEnded(round=1, altered=False),)
    assert state.paired == 0


def test_a_late_entry_can_be_put_into_a_published_round_by_hand() -> None:
    """C.04.2:4.4 (4)"""
    state = paired(ready(5, 3), (1, 4), (2, 3), pab=5)
    state = in_hand(after(state, ask(RegisterPlayer, why="late", details=Details(name="Late", rating=2395))))
    boards = ((1, 4), (2, 3), (6, 5))
    ok = ["manual-pairing", "published-pairing", "bye-ignored", "renumbering"]

    events = decide(state, ask(EndManualPairing, round=1, boards=boards, why="agreed by all", ok=ok))

    altered = events[0]
    assert isinstance(altered, PairingsAltered)
    assert altered.numbers == ((1, 1), (6, 2), (2, 3), (3, 4), (4, 5), (5, 6))


def test_a_round_is_completed_when_every_game_has_a_result_or_is_adjourned() -> None:
    state = results(paired(ready(4, 3), *FIRST), "1-0")
    with refuses(RoundIncomplete, "results-missing", round=1, boards=(2,)):
        decide(state, ask(CompleteRound, round=1))
    state = after(state, ask(AdjournGame, round=1, board=2))

    state, events = when(state, ask(CompleteRound, round=1))

    assert events == (RoundCompleted(round=1),)
    with refuses(Duplicate, "round-completed", round=1):
        decide(state, ask(CompleteRound, round=1))
    unpublished = ready(4, 3)
    unpublished = after(unpublished, pairing(unpublished, *FIRST))
    with refuses(NotNow, "round-not-published", round=1):
        decide(unpublished, ask(CompleteRound, round=1))


def test_a_tournament_is_closed_with_every_result_known() -> None:
    """VCL 161, 169"""
    state = paired(played(ready(4, 2), *FIRST), *ROUND_ROBIN[1])
    with refuses(RoundIncomplete, "results-missing-at-close", round=2, boards=(1, 2)):
        decide(state, ask(CloseTournament))
    state = after(results(state, "1-0"), ask(AdjournGame, round=2, board=2))
    with refuses(RoundIncomplete, "games-open", games=((2, 2),), cause="close"):
        decide(state, ask(CloseTournament))
    state = after(state, ask(RecordResult, round=2, board=2, outcome=Outcome("=", "=")))

    assert decide(state, ask(CloseTournament)) == (RoundCompleted(round=2), TournamentClosed(rounds=2))


def test_closing_early_needs_a_reason_and_a_double_confirmation() -> None:
    state = played(ready(4, 3), *FIRST)

    with refuses(ReasonMissing, "reason-missing", deed=say("deed.closing-early", round=1, rounds=3)):
        decide(state, ask(CloseTournament))
    with warns("rounds-unplayed", round=1, rounds=3) as refusal:
        decide(state, ask(CloseTournament, why="flood", level=3))
    assert refusal.value.level == 4
    decide(state, ask(CloseTournament, why="flood", ok=["rounds-unplayed"]))
    unpublished = after(state, pairing(state, *ROUND_ROBIN[1]))
    with refuses(NotNow, "last-not-played", round=2):
        decide(unpublished, ask(CloseTournament))


def test_a_player_who_left_stays_on_a_board_that_an_alteration_does_not_touch() -> None:
    state = paired(ready(6, 3), (1, 6), (2, 5), (3, 4))
    state = in_hand(after(state, ask(WithdrawPlayer, player=6)))
    ok = ["manual-pairing", "published-pairing"]

    decide(state, ask(EndManualPairing, round=1, boards=((1, 6), (2, 4), (3, 5)), why="x", ok=ok))
    with refuses(IllegalPairing, "player-not-here", player=6, round=1, status="withdrawn"):
        decide(state, ask(EndManualPairing, round=1, boards=((2, 6), (1, 5), (3, 4)), why="x", ok=ok))


def test_taking_a_pairing_back_restores_the_round_before_it() -> None:
    """Missing results were taken for adjourned to pair; without that pairing they are just missing."""
    state = paired(ready(4), (1, 3), (4, 2))
    state = after(state, ask(RecordResult, round=1, board=1, outcome=Outcome("1", "0")))
    before = state.rounds[0]
    state = after(state, pairing(state, (1, 4), (2, 3), level=2))
    assert state.rounds[0].completed
    assert state.rounds[0].outcomes[1] == ADJOURNED

    state = after(state, ask(UnpairRound, round=2))

    assert state.rounds == (before,)


def test_what_was_adjourned_or_completed_before_the_pairing_stays_so() -> None:
    state = paired(ready(4), (1, 3), (4, 2))
    state = after(
        state,
        ask(RecordResult, round=1, board=1, outcome=Outcome("1", "0")),
        ask(AdjournGame, round=1, board=2),
        ask(CompleteRound, round=1),
    )
    before = state.rounds[0]
    state = after(state, pairing(state, (1, 4), (2, 3), level=2), ask(UnpairRound, round=2))

    assert state.rounds == (before,)


def test_a_result_that_came_while_the_next_round_was_paired_stays_when_that_is_taken_back() -> None:
    state = paired(ready(4), (1, 3), (4, 2))
    state = after(state, pairing(state, (1, 4), (2, 3), level=2))
    state = after(state, ask(RecordResult, round=1, board=2, outcome=Outcome("=", "=")))

    state = after(state, ask(UnpairRound, round=2))

    assert state.rounds[0].outcomes == (None, Outcome("=", "="))


def test_a_late_entry_is_put_in_order_again_when_its_first_pairing_was_taken_back() -> None:
    state = played(ready(4), (1, 3), (4, 2))
    state = after(state, ask(RegisterPlayer, why="late", details=Details(name="Late", rating=2395)))
    order = state.order
    state = after(state, pairing(state, (1, 4), (2, 3), pab=5, level=3))
    assert state.order == (1, 5, 2, 3, 4)

    state = after(state, ask(UnpairRound, round=2))
    assert state.order == order
    state = after(state, ask(CorrectPlayer, player=5, changes=Changes(rating=2300), why="typing error"))
    state = after(state, pairing(state, (1, 4), (2, 3), pab=5, level=3))

    assert state.order == (1, 2, 3, 4, 5)
