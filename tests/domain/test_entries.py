"""Players: entering, correcting, leaving, byes, prohibitions and numbers."""

from typing import Any

import pytest

from paircard.domain.commands import (
    AssignNumbers,
    BeginManualPairing,
    CloseTournament,
    CorrectPlayer,
    ExchangeNumbers,
    ExpelPlayer,
    GrantBye,
    ListRating,
    OpenTournament,
    ProhibitPairing,
    RegisterPlayer,
    ReturnPlayer,
    RevokeBye,
    UnpairRound,
    WithdrawPlayer,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.deciding.numbering import numbers_in_force
from paircard.domain.errors import (
    Duplicate,
    Invalid,
    ManualSessionOpen,
    NeedsAcknowledgement,
    NotNow,
    NumbersFrozen,
    Prohibited,
    ReasonMissing,
    Unknown,
)
from paircard.domain.events import (
    ByeGranted,
    ByeRevoked,
    PairingNumbersAssigned,
    PairingProhibited,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerRegistered,
    PlayerReturned,
    PlayerWithdrawn,
    RatingCorrected,
    RatingListed,
    TournamentImported,
)
from paircard.domain.messages import Message, say
from paircard.domain.state import NOTHING, Tournament, absences, evolve
from paircard.domain.values.players import TITLES, Changes, Details
from paircard.domain.values.regulations import Regulations
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
    when,
)
from tests.refusals import refuses, warns


def six_rounds_in() -> Tournament:
    """Six players, four rounds paired: numbers are frozen."""
    state = ready(6, 7)
    for boards in (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
    ):
        state = played(state, *boards)
    return state


def test_players_get_ids_for_life_in_the_order_they_register() -> None:
    details = Details(name="Polgar, Judit", title="GM", rating=2675, fide_id=700070, federation="HUN")

    state, events = when(registered(2), ask(RegisterPlayer, details=details))

    assert events == (PlayerRegistered(player=3, details=details),)
    assert [p.id for p in state.players] == [1, 2, 3]


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": ""}, say("text-empty", label="name")),
        ({"name": "x" * 10_000}, say("text-too-long", label="name", count=10000, most=100)),
        ({"name": "A\x1b[31mB"}, say("text-unprintable", label="name", code="U+001B", place=2)),
        ({"name": "A\u2028B"}, say("text-unprintable", label="name", code="U+2028", place=2)),
        ({"name": "Ada\u202enoB"}, say("text-invisible", label="name", code="U+202E", place=4)),
        ({"name": "A\u200bda"}, say("text-invisible", label="name", code="U+200B", place=2)),
        ({"name": "Ada\u200d"}, say("text-invisible", label="name", code="U+200D", place=4)),
        ({"name": "Ada\ufe0f"}, say("text-invisible", label="name", code="U+FE0F", place=4)),
        ({"name": "\u3164"}, say("text-invisible", label="name", code="U+3164", place=1)),
        ({"club": "SK \ufeffAda"}, say("text-invisible", label="club", code="U+FEFF", place=4)),
        ({"birth": "1900-02-30"}, say("birth-unknown", text="1900-02-30")),
        ({"birth": "1700-01-01"}, say("birth-unknown", text="1700-01-01")),
        ({"birth": "19900423"}, say("birth-unknown", text="19900423")),
        ({"rating": -1}, say("rating-out-of-range", label="rating", rating=-1, name="A", highest=4000)),
        ({"rating": 4001}, say("rating-out-of-range", label="rating", rating=4001, name="A", highest=4000)),
        (
            {"fide_rating": -5},
            say("rating-out-of-range", label="fide_rating", rating=-5, name="A", highest=4000),
        ),
        (
            {"national_rating": 9999},
            say("rating-out-of-range", label="national_rating", rating=9999, name="A", highest=4000),
        ),
        (
            {"title": "XM"},
            say("title-unknown", text="XM", known=("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")),
        ),
        ({"sex": "x"}, say("sex-unknown", text="x")),
        ({"federation": "it"}, say("federation-unknown", text="it")),
        ({"fide_id": -3}, say("fide-id-out-of-range", id="-3", name="A")),
        ({"k_factor": 99}, say("k-factor-out-of-range", value="99", name="A")),
        ({"birth": "12/03/1990"}, say("birth-unknown", text="12/03/1990")),
        ({"birth": "1990-13-01"}, say("birth-unknown", text="1990-13-01")),
        ({"club": "x" * 201}, say("text-too-long", label="club", count=201, most=200)),
        ({"national_id": "x" * 41}, say("text-too-long", label="national_id", count=41, most=40)),
        ({"rating_source": "x" * 61}, say("text-too-long", label="rating_source", count=61, most=60)),
    ],
)
def test_what_cannot_be_a_player_is_refused(fields: dict[str, Any], complaint: Message) -> None:
    details = Details(**{"name": "A", **fields})

    with refuses(Invalid, complaint):
        decide(opened(), ask(RegisterPlayer, details=details))


def test_a_reason_may_hold_a_sign_in_colour() -> None:
    decide(opened(), ask(RegisterPlayer, details=Details(name="Ada"), why="late, had a \u2615\ufe0f"))


def test_names_of_the_world_are_names() -> None:
    for name in (
        "Nguyễn, Thị Mai",
        "Ólafsdóttir, Þóra",
        "李超",
        "O'Brien-Łuczak, J.",
        "Գաբրիելյան",
        "علی‌رضا",
    ):
        decide(opened(), ask(RegisterPlayer, details=Details(name=name)))


def test_a_fide_id_is_entered_once() -> None:
    state = after(opened(), ask(RegisterPlayer, details=Details(name="A", fide_id=5)))

    with refuses(Duplicate, "fide-id-taken", player=1, id="5"):
        decide(state, ask(RegisterPlayer, details=Details(name="B", fide_id=5)))


def test_the_same_name_and_birth_needs_a_confirmation() -> None:
    state = after(opened(), ask(RegisterPlayer, details=Details(name="Rossi, Ada", birth="1990")))
    twin = Details(name="ROSSI, Ada", birth="1990")

    with warns("same-person.birth", player=1, name="ROSSI, Ada", rating=0) as refusal:
        decide(state, ask(RegisterPlayer, details=twin))
    assert (refusal.value.level, refusal.value.code) == (3, "same-person")
    decide(state, ask(RegisterPlayer, details=twin, ok=["same-person"]))
    decide(state, ask(RegisterPlayer, details=twin, level=3))
    decide(state, ask(RegisterPlayer, details=Details(name="Rossi, Ada", birth="1991")))


def test_a_late_entry_has_no_points_for_the_rounds_missed_unless_the_rules_give_some() -> None:
    state = paired(played(ready(4), *ROUND_ROBIN[0]), *ROUND_ROBIN[1])

    [without] = decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late")))
    [one_half] = decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late"), missed="ZH"))

    assert without == PlayerRegistered(player=5, details=Details(name="Late"), missed="ZZ")
    assert one_half == PlayerRegistered(player=5, details=Details(name="Late"), missed="ZH")
    with warns("second-half-bye", player=0, name="Late", count=2):
        decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late"), missed="HH"))
    for missed in ("H", "HHH", "FZ"):
        with refuses(Invalid, "missed-rounds-unclear", count=2):
            decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late"), missed=missed))


def test_nobody_enters_after_the_last_pairing() -> None:
    state = paired(ready(4, 1), *ROUND_ROBIN[0])

    with refuses(NotNow, "entry-too-late", name="Late"):
        decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late")))


def test_data_are_corrected_and_only_what_is_new_is_recorded() -> None:
    command = ask(CorrectPlayer, player=2, changes=Changes(rating=2399, name="Player 02"))

    state, events = when(registered(), command)

    assert events == (PlayerDetailsCorrected(player=2, changes=Changes(rating=2399)),)
    assert state.players[1].details.rating == 2399


def test_a_correction_must_correct_something_right() -> None:
    state = registered()
    with refuses(Duplicate, "data-same", player=2):
        decide(state, ask(CorrectPlayer, player=2, changes=Changes(rating=2390)))
    with refuses(Duplicate, "data-same", player=2):
        decide(state, ask(CorrectPlayer, player=2, changes=Changes()))
    with refuses(Invalid, "rating-out-of-range", label="rating", rating=-1, name="Player 02", highest=4000):
        decide(state, ask(CorrectPlayer, player=2, changes=Changes(rating=-1)))
    with refuses(Unknown, "no-such-player", id="p5", last=4):
        decide(state, ask(CorrectPlayer, player=5, changes=Changes(rating=1)))
    with refuses(Unknown, "no-such-player", id="p1", last=0):
        decide(opened(), ask(CorrectPlayer, player=1, changes=Changes(rating=1)))


def test_a_correction_may_not_make_twins() -> None:
    state = after(registered(), ask(CorrectPlayer, player=1, changes=Changes(fide_id=7)))

    with refuses(Duplicate, "fide-id-taken", player=1, id="7"):
        decide(state, ask(CorrectPlayer, player=2, changes=Changes(fide_id=7)))
    with warns("same-person.name", player=3, name="Player 03", rating=2380):
        decide(state, ask(CorrectPlayer, player=2, changes=Changes(name="Player 03")))


def test_after_round_1_a_correction_needs_a_reason() -> None:
    state = paired(ready(), *ROUND_ROBIN[0])

    with refuses(ReasonMissing, "reason-missing", deed=say("deed.correcting-player", player=1)):
        decide(state, ask(CorrectPlayer, player=1, changes=Changes(club="X")))
    decide(state, ask(CorrectPlayer, player=1, changes=Changes(club="X"), why="typing error"))


def test_after_round_4_a_rating_is_corrected_without_moving_numbers() -> None:
    state = six_rounds_in()
    changes = Changes(rating=2700, club="X")

    state, events = when(state, ask(CorrectPlayer, player=6, changes=changes, why="wrong list"))

    assert events == (
        RatingCorrected(player=6, rating=2700, was=2350, scope="pairing-next"),
        PlayerDetailsCorrected(player=6, changes=Changes(club="X")),
    )
    assert state.players[5].details.rating == 2700
    assert numbers_in_force(state, 5) == ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6))


def test_after_the_end_a_rating_is_still_corrected_for_the_report() -> None:
    state = after(played(ready(4, 1), *ROUND_ROBIN[0]), ask(CloseTournament))

    [event] = decide(state, ask(CorrectPlayer, player=1, changes=Changes(rating=1), why="wrong list"))

    assert event == RatingCorrected(player=1, rating=1, was=2400)


def test_a_withdrawn_player_is_no_longer_paired_and_may_return() -> None:
    state = played(ready(), *ROUND_ROBIN[0])

    state, events = when(state, ask(WithdrawPlayer, player=4))
    assert events == (PlayerWithdrawn(player=4, round=2),)
    assert absences(state, 2) == {4: "Z"}
    with refuses(Duplicate, "player-gone", player=4, status="withdrawn"):
        decide(state, ask(WithdrawPlayer, player=4))

    state, events = when(state, ask(ReturnPlayer, player=4))
    assert events == (PlayerReturned(player=4, round=2),)
    assert absences(state, 2) == {}
    with refuses(Duplicate, "player-here", player=4):
        decide(state, ask(ReturnPlayer, player=4))


def test_a_withdrawal_by_a_slip_is_taken_back_even_after_the_last_pairing() -> None:
    state = after(paired(ready(4, 1), *ROUND_ROBIN[0]), ask(WithdrawPlayer, player=4))

    assert after(state, ask(ReturnPlayer, player=4)).players[3].status == ""


def test_an_expelled_player_is_out_for_a_reason_and_for_good() -> None:
    with pytest.raises(ReasonMissing):
        decide(registered(), ask(ExpelPlayer, player=2))

    state, events = when(registered(), ask(ExpelPlayer, player=2, why="telephone"))

    assert events == (PlayerExpelled(player=2, round=1, ranked=False),)
    with refuses(NotNow, "player-expelled", player=2):
        decide(state, ask(ReturnPlayer, player=2))
    with refuses(Duplicate, "player-gone", player=2, status="expelled"):
        decide(state, ask(ExpelPlayer, player=2, why="again"))


@pytest.mark.parametrize("letter", ["H", "Z"])
def test_a_bye_is_granted_for_a_round_to_come_and_revoked(letter: str) -> None:
    state, events = when(registered(), ask(GrantBye, player=2, round=3, letter=letter))
    assert events == (ByeGranted(player=2, round=3, letter=letter),)
    assert absences(state, 3) == {2: letter}
    assert absences(state, 2) == {}
    with refuses(Duplicate, "bye-there", player=2, round=3, value=letter):
        decide(state, ask(GrantBye, player=2, round=3, letter="Z"))

    state, events = when(state, ask(RevokeBye, player=2, round=3))
    assert events == (ByeRevoked(player=2, round=3),)
    assert absences(state, 3) == {}
    with refuses(NotNow, "no-bye-to-revoke", player=2, round=3):
        decide(state, ask(RevokeBye, player=2, round=3))


def test_the_second_half_point_bye_needs_a_confirmation() -> None:
    state = after(registered(), ask(GrantBye, player=2, round=1, letter="H"))

    with warns("second-half-bye", player=2, name="Player 02", count=2) as refusal:
        decide(state, ask(GrantBye, player=2, round=2, letter="H"))
    assert (refusal.value.level, refusal.value.code) == (3, "second-half-bye")
    decide(state, ask(GrantBye, player=2, round=2, letter="H", ok=["second-half-bye"]))
    decide(state, ask(GrantBye, player=2, round=2, letter="Z"))


def test_a_full_point_bye_is_deprecated() -> None:
    with warns("full-point-bye", player=2) as refusal:
        decide(registered(), ask(GrantBye, player=2, round=2, letter="F"))
    assert refusal.value.level == 2


def test_half_point_byes_end_where_the_regulations_say() -> None:
    state = registered(4, 5, last_half_bye=3)

    decide(state, ask(GrantBye, player=1, round=3, letter="H"))
    with warns("late-half-bye", player=1, round=4, last=3):
        decide(state, ask(GrantBye, player=1, round=4, letter="H"))


def test_a_player_can_be_barred_from_half_point_byes() -> None:
    state = after(registered(), ask(CorrectPlayer, player=1, changes=Changes(half_byes=False)))

    with refuses(NotNow, "half-bye-barred", player=1, name="Player 01"):
        decide(state, ask(GrantBye, player=1, round=4, letter="H"))


def test_byes_that_make_no_sense_are_refused() -> None:
    state = paired(ready(), *ROUND_ROBIN[0])

    with refuses(Invalid, "bye-unknown", text="U"):
        decide(state, ask(GrantBye, player=1, round=2, letter="U"))
    with refuses(Invalid, "round-out-of-range", round=6, rounds=5):
        decide(state, ask(GrantBye, player=1, round=6))
    with refuses(NotNow, "player-at-board", player=1, round=1):
        decide(state, ask(GrantBye, player=1, round=1))
    with refuses(NotNow, "bye-too-late", round=1, next=2):
        decide(state, ask(RevokeBye, player=1, round=1))
    with refuses(Unknown, "no-such-player", id="p0", last=4):
        decide(state, ask(GrantBye, player=0, round=2))
    gone = after(state, ask(WithdrawPlayer, player=1))
    with refuses(NotNow, "bye-not-needed", player=1, status="withdrawn"):
        decide(gone, ask(GrantBye, player=1, round=2))
    by_hand = after(state, ask(BeginManualPairing, round=1))
    decide(by_hand, ask(GrantBye, player=1, round=2))
    next_by_hand = after(ready(), ask(BeginManualPairing, round=1))
    with refuses(ManualSessionOpen, "manual-session-open", round=1):
        decide(next_by_hand, ask(GrantBye, player=1, round=1))


def test_pairings_are_prohibited_before_round_1_only() -> None:
    state, events = when(registered(), ask(ProhibitPairing, players=(3, 1), last=2))
    assert events == (PairingProhibited(players=(1, 3), first=1, last=2),)
    with refuses(Duplicate, "prohibition-there"):
        decide(state, ask(ProhibitPairing, players=(1, 3), last=2))

    running = paired(ready(), *ROUND_ROBIN[0])
    with refuses(Prohibited, "not-in-fide-mode", what=say("late-prohibition")):
        decide(running, ask(ProhibitPairing, players=(1, 2), ok=["late-prohibition"], level=3))
    free = outside_fide_mode(running)
    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(free, ask(ProhibitPairing, players=(1, 2)))
    assert refusal.value.level == 4
    decide(free, ask(ProhibitPairing, players=(1, 2), ok=["late-prohibition"]))


def test_a_prohibition_names_players_and_rounds() -> None:
    for fields in ({"players": (1,)}, {"players": (1, 1)}, {"players": (1, 2), "first": 3, "last": 2}):
        with pytest.raises(Invalid):
            decide(registered(), ProhibitPairing(meta=ask(CloseTournament).meta, **fields))
    with pytest.raises(Unknown):
        decide(registered(), ask(ProhibitPairing, players=(1, 9)))


def test_the_initial_order_is_rating_then_title_then_alphabet() -> None:
    """C.04.2:2.2"""
    state = opened()
    for title in reversed(TITLES):
        state = after(
            state, ask(RegisterPlayer, details=Details(name=f"B {title}".strip(), title=title, rating=2000))
        )
    state = after(
        state,
        ask(RegisterPlayer, details=Details(name="A", rating=2000)),
        ask(RegisterPlayer, details=Details(name="Z", rating=2001)),
        ask(RegisterPlayer, details=Details(name="Unrated")),
    )

    state, [event] = when(state, ask(AssignNumbers))

    assert isinstance(event, PairingNumbersAssigned)
    assert event.cause == "initial"
    names = [state.players[id - 1].details.name for id in event.order]
    assert names == ["Z", *(f"B {t}" for t in TITLES[:-1]), "A", "B", "Unrated"]


def test_another_order_can_be_announced() -> None:
    state = opened(initial_order=("birth", "name"))
    for name, birth in (("A", "2001"), ("B", "1999-01-01"), ("C", "")):
        state = after(state, ask(RegisterPlayer, details=Details(name=name, birth=birth)))

    [event] = decide(state, ask(AssignNumbers))

    assert event == PairingNumbersAssigned(order=(2, 1, 3), cause="initial")


def test_an_order_can_be_declared_as_a_list() -> None:
    state = registered(3, initial_order=("declared",))

    [event] = decide(state, ask(AssignNumbers, order=(3, 1, 2)))

    assert event == PairingNumbersAssigned(order=(3, 1, 2), cause="declared")
    for order in ((1, 2), (1, 2, 2), (1, 2, 4)):
        with refuses(Invalid, "order-incomplete", count=3):
            decide(state, ask(AssignNumbers, order=order))
    with refuses(Invalid, "order-not-declared", known=("rating", "title", "name")):
        decide(registered(3), ask(AssignNumbers, order=(3, 1, 2)))


def test_an_imported_tournament_keeps_the_numbers_of_its_file() -> None:
    filed = TournamentImported(source="a.trf", format="trf")
    command = ask(OpenTournament, regulations=Regulations(name="Old", rounds=3), filed=filed)
    state = after(NOTHING, command)
    for n in (1, 2, 3):
        state = after(state, ask(RegisterPlayer, details=Details(name=f"P{n}", rating=1000 + n)))
    state = after(state, ask(AssignNumbers, order=(1, 2, 3)), ask(WithdrawPlayer, player=2))

    assert numbers_in_force(state, 1) == ((1, 1), (2, 2), (3, 3))


def test_numbering_needs_players_and_a_change() -> None:
    with refuses(NotNow, "nobody-to-number"):
        decide(opened(), ask(AssignNumbers))
    state = after(registered(), ask(AssignNumbers))
    with refuses(Duplicate, "numbers-same"):
        decide(state, ask(AssignNumbers))


def test_a_rating_corrected_before_round_1_counts_for_the_first_numbers() -> None:
    state = after(
        registered(3),
        ask(AssignNumbers),
        ask(CorrectPlayer, player=3, changes=Changes(rating=2500)),
    )

    assert numbers_in_force(state, 1) == ((3, 1), (1, 2), (2, 3))


def test_numbers_are_regenerated_until_round_4_is_paired() -> None:
    state = played(ready(4), *ROUND_ROBIN[0])
    state = after(state, ask(CorrectPlayer, player=4, changes=Changes(rating=2500), why="wrong list"))
    assert numbers_in_force(state, 2)[0] == (1, 1), "numbers do not move by themselves"

    with warns("renumbering.again", count=4) as refusal:
        decide(state, ask(AssignNumbers))
    assert (refusal.value.level, refusal.value.code) == (3, "renumbering")
    [event] = decide(state, ask(AssignNumbers, ok=["renumbering"]))

    assert event == PairingNumbersAssigned(order=(4, 1, 2, 3), cause="regenerated")


def test_numbers_are_frozen_once_round_4_is_paired() -> None:
    state = six_rounds_in()
    assert state.frozen
    state = after(state, ask(CorrectPlayer, player=6, changes=Changes(rating=2500), why="wrong list"))

    with refuses(NumbersFrozen, "numbers-frozen", article="C.04.2:2.3"):
        decide(state, ask(AssignNumbers))
    free = outside_fide_mode(state)
    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(free, ask(AssignNumbers, level=3))
    assert refusal.value.level == 4


def test_half_points_for_missed_rounds_keep_to_the_limits_of_the_regulations() -> None:
    state = played(played(ready(4, last_half_bye=1), (1, 3), (4, 2)), (1, 4), (2, 3))

    with warns("late-half-bye", player=0, round=2, last=1):
        decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late"), missed="ZH"))
    with refuses(NotNow, "half-bye-barred", player=0, name="Late"):
        decide(
            state,
            ask(RegisterPlayer, why="late", details=Details(name="Late", half_byes=False), missed="HZ"),
        )
    decide(state, ask(RegisterPlayer, why="late", details=Details(name="Late"), missed="HZ"))


def test_a_rating_corrected_while_round_4_is_paired_moves_the_number_when_it_is_taken_back() -> None:
    """C.04.2:2.3: what counts is whether round 4 is paired when the numbers are assigned."""
    state = ready(6, 7)
    for boards in (((1, 6), (2, 5), (3, 4)), ((6, 4), (5, 3), (1, 2)), ((2, 6), (3, 1), (4, 5))):
        state = played(state, *boards)
    state = after(state, pairing(state, (6, 5), (1, 4), (2, 3)))
    state = after(state, ask(CorrectPlayer, player=6, changes=Changes(rating=2500), why="wrong list"))
    with refuses(NumbersFrozen, "numbers-frozen-not-published", article="C.04.2:2.3"):
        decide(state, ask(AssignNumbers, level=3))

    state = after(state, ask(UnpairRound, round=4), ask(AssignNumbers, level=3))

    assert state.order == (6, 1, 2, 3, 4, 5)


def test_a_rating_that_was_recorded_for_the_report_alone_moves_no_number_when_round_4_is_taken_back() -> None:
    """As facts of earlier versions say; put right again while numbers may move, it counts for them."""
    state = ready(6, 7)
    for boards in (((1, 6), (2, 5), (3, 4)), ((6, 4), (5, 3), (1, 2)), ((2, 6), (3, 1), (4, 5))):
        state = played(state, *boards)
    state = after(state, pairing(state, (6, 5), (1, 4), (2, 3)))
    state = evolve(state, RatingCorrected(player=6, rating=2500, was=2350))
    state = after(state, ask(UnpairRound, round=4))

    with refuses(Duplicate, "numbers-same"):
        decide(state, ask(AssignNumbers, level=3))

    state = after(
        state, ask(CorrectPlayer, player=6, changes=Changes(rating=2500), why="round 4 is open again")
    )
    assert after(state, ask(AssignNumbers, level=3)).order == (6, 1, 2, 3, 4, 5)


def test_the_rating_of_a_late_entry_without_a_number_decides_its_place_also_after_round_4() -> None:
    state = after(
        six_rounds_in(), ask(RegisterPlayer, why="late", level=3, details=Details(name="Late", rating=2385))
    )

    state = after(state, ask(CorrectPlayer, player=7, changes=Changes(rating=2500), why="wrong list"))

    assert dict(numbers_in_force(state, 5))[7] == 1


def test_a_late_entry_after_round_4_is_still_inserted_at_its_place() -> None:
    """C.04.2:2.4, VCL 156"""
    state = after(
        six_rounds_in(), ask(RegisterPlayer, why="late", level=3, details=Details(name="Late", rating=2385))
    )

    assert numbers_in_force(state, 5) == ((1, 1), (2, 2), (7, 3), (3, 4), (4, 5), (5, 6), (6, 7))


def test_a_late_entry_is_held_against_the_ratings_that_made_the_order() -> None:
    """Corrected ratings move nobody after round 4, so they do not draw a newcomer to a wrong place either."""
    for player, rating in ((1, 1800), (6, 2600)):
        command = ask(CorrectPlayer, player=player, changes=Changes(rating=rating), why="wrong list")
        state = after(six_rounds_in(), command)
        state = after(
            state, ask(RegisterPlayer, why="late", level=3, details=Details(name="Late", rating=2385))
        )

        assert [id for id, _ in numbers_in_force(state, 5)] == [1, 2, 7, 3, 4, 5, 6]


def test_who_only_had_byes_has_no_number_yet() -> None:
    state = after(ready(5), ask(GrantBye, player=2, round=1, letter="Z"))
    assert numbers_in_force(state, 1) == ((1, 1), (3, 2), (4, 3), (5, 4))

    state = played(state, (1, 4), (5, 3))

    assert numbers_in_force(state, 2) == ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5))


def test_equal_ratings_change_places_by_hand_and_keep_them() -> None:
    state = after(registered(3), ask(CorrectPlayer, player=2, changes=Changes(rating=2400)))

    with warns("exchange") as refusal:
        decide(state, ask(ExchangeNumbers, one=1, other=2))
    assert refusal.value.level == 3
    state, events = when(state, ask(ExchangeNumbers, one=1, other=2, ok=["exchange"]))

    assert events == (PairingNumbersAssigned(order=(2, 1, 3), cause="exchanged"),)
    assert numbers_in_force(state, 1)[:2] == ((2, 1), (1, 2))
    with refuses(Duplicate, "numbers-same"):
        decide(state, ask(AssignNumbers))  # VCL 155


def test_unequal_ratings_do_not_change_places() -> None:
    with refuses(Invalid, "ratings-differ", player=1, rating=2400, other=2, other_rating=2390):
        decide(registered(), ask(ExchangeNumbers, one=1, other=2))
    with refuses(Invalid, "exchange-of-one", player=1):
        decide(registered(), ask(ExchangeNumbers, one=1, other=1))


def test_a_player_may_have_another_rating_from_a_round_on() -> None:
    state, events = when(registered(), ask(ListRating, player=2, rating=2444, first=3))

    assert events == (RatingListed(player=2, rating=2444, first=3),)
    assert state.players[1].ratings == ((3, 2444),)


def test_a_further_rating_is_one_of_a_later_round_and_said_once() -> None:
    state = after(registered(), ask(ListRating, player=2, rating=2444, first=3))

    with refuses(Invalid, "rating-out-of-rounds", first=1, rounds=5):
        decide(state, ask(ListRating, player=2, rating=2444, first=1))
    with refuses(Invalid, "rating-out-of-range", label="rating", rating=5000, name="Player 02", highest=4000):
        decide(state, ask(ListRating, player=2, rating=5000, first=2))
    with refuses(Duplicate, "rating-there", player=2, rating=2444, first=3):
        decide(state, ask(ListRating, player=2, rating=2444, first=3))
    with refuses(ReasonMissing, "reason-missing", deed=say("deed.another-rating", player=2, first=3)):
        decide(state, ask(ListRating, player=2, rating=2450, first=3))
    assert decide(state, ask(ListRating, player=2, rating=2450, first=3, why="typing error"))


@pytest.mark.parametrize(
    ("regulations", "rating", "source"),
    [
        ({}, 2400, "FIDE standard"),
        ({"tempo": "rapid"}, 2300, "FIDE rapid"),
        ({"tempo": "blitz"}, 2400, "FIDE standard"),
        ({"rating_lists": ("national", "standard")}, 2500, "national"),
        ({"rating_lists": ("blitz",)}, 0, ""),
    ],
)
def test_the_rating_comes_from_the_first_list_that_has_one(
    regulations: dict[str, Any], rating: int, source: str
) -> None:
    event = Regulations(name="Open", rounds=5, **regulations)
    details = Details(name="Li", fide_rating=2400, rapid_rating=2300, national_rating=2500)

    [fact] = decide(
        after(NOTHING, ask(OpenTournament, regulations=event)), ask(RegisterPlayer, details=details)
    )

    assert isinstance(fact, PlayerRegistered)
    assert (fact.details.rating, fact.details.rating_source) == (rating, source)


def test_a_rating_that_is_given_stays() -> None:
    details = Details(name="Li", rating=2111, fide_rating=2400)

    [fact] = decide(opened(), ask(RegisterPlayer, details=details))

    assert fact == PlayerRegistered(player=1, details=details)


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        (("club",), say("choice-unknown", label="rating_list", text="club")),
        (("rapid", "rapid"), say("lists-twice", lists=("rapid", "rapid"))),
    ],
)
def test_rating_lists_are_known_ones_each_once(lists: tuple[str, ...], said: Message) -> None:
    regulations = Regulations(name="Open", rounds=5, rating_lists=lists)

    with refuses(Invalid, said):
        decide(NOTHING, ask(OpenTournament, regulations=regulations))
