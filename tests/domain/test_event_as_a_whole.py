"""Opening, regulations, FIDE mode, lots and values from outside, and who asks."""

from typing import Any

import msgspec
import pytest

from paircard.domain.commands import (
    ChangeRegulations,
    CloseTournament,
    Command,
    DrawInitialColour,
    DrawLots,
    GrantBye,
    LeaveFideMode,
    Meta,
    OpenTournament,
    RegisterPlayer,
    SetExternalTiebreak,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import (
    Duplicate,
    Invalid,
    NeedsAcknowledgement,
    ReasonMissing,
    RegulationsLocked,
    TournamentOver,
    Unknown,
)
from paircard.domain.events import (
    ExternalTiebreakSet,
    FideModeLeft,
    InitialColourDrawn,
    LotsDrawn,
    TournamentDetailsChanged,
    TournamentImported,
    TournamentOpened,
)
from paircard.domain.state import NOTHING
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Scoring
from tests.domain.scenes import ROUND_ROBIN, after, ask, opened, paired, played, ready, registered, when
from tests.refusals import refuses

REGULATIONS = Regulations(name="Trentino Open", rounds=5)


def test_a_tournament_opens_in_fide_mode() -> None:
    state, events = when(NOTHING, ask(OpenTournament, regulations=REGULATIONS))

    assert events == (TournamentOpened(regulations=msgspec.structs.replace(REGULATIONS, numbering=2)),)
    assert state.fide_mode
    assert state.version == 1


def test_an_imported_tournament_says_where_it_comes_from() -> None:
    command = ask(OpenTournament, regulations=REGULATIONS, source="a.trf", format="trf16", adjustments=("x",))

    state, events = when(NOTHING, command)

    assert events[1] == TournamentImported(source="a.trf", format="trf16", adjustments=("x",))
    assert state.imported
    assert state.fide_mode, "VCL 56"


@pytest.mark.parametrize(
    "fields", [{"format": ""}, {"source": "a\udcff.trf"}, {"adjustments": ("x\n",)}, {"digest": "x" * 65}]
)
def test_an_import_is_described_in_printable_words(fields: dict[str, Any]) -> None:
    values: dict[str, Any] = {"source": "a.trf", "format": "trf16", **fields}

    with pytest.raises(Invalid):
        decide(NOTHING, ask(OpenTournament, regulations=REGULATIONS, **values))


def test_a_tournament_opens_once() -> None:
    with refuses(Duplicate, "tournament-open", name="Trentino Open"):
        decide(opened(), ask(OpenTournament, regulations=REGULATIONS))


def test_nothing_can_be_asked_before_the_tournament_is_opened() -> None:
    for command in (ask(RegisterPlayer, details=Details(name="A")), ask(CloseTournament), ask(LeaveFideMode)):
        with refuses(Unknown, "tournament-not-open"):
            decide(NOTHING, command)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": ""}, "name of the tournament is empty"),
        ({"name": "x" * 10_000}, "has 10,000 characters: at most 200"),
        ({"name": "Open\x07"}, "unprintable character U\\+0007 at place 5"),
        ({"name": "Open\nClose"}, "unprintable character U\\+000A"),
        ({"name": "bad \udcff"}, "unprintable character U\\+DCFF"),
        ({"name": " Open"}, "begins or ends with a blank"),
        ({"rounds": 0}, "0 rounds were asked for"),
        ({"rounds": 100}, "1 to 99"),
        ({"edition": "dutch-1999"}, "edition 'dutch-1999' is unknown"),
        ({"acceleration": "turbo"}, "acceleration 'turbo' is unknown"),
        ({"tempo": "slow"}, "tempo 'slow' is unknown"),
        ({"federation": "Italy"}, "three capital letters"),
        ({"starts": "16.11.2026"}, "is not a day"),
        ({"starts": "2026-02-30"}, "is not a day"),
        ({"starts": "20261116"}, "is not a day"),
        ({"starts": "2026-11-16", "ends": "2026-11-15"}, "is before the first day"),
        ({"dates": ("2026-11-16",) * 6}, "6 days for 5 rounds: give the day of each"),
        ({"dates": ("2026-11-16",)}, "1 day for 5 rounds: give the day of each round, or none"),
        ({"dates": ("2026-11-17", *("2026-11-16",) * 4)}, "in the order of the rounds"),
        ({"dates": ("2026-11-16",) * 5, "starts": "2026-11-17"}, "outside the event, 2026-11-17 to …"),
        ({"initial_order": ()}, "the initial order needs criteria"),
        ({"initial_order": ("rating", "rating")}, "each named once"),
        ({"initial_order": ("height",)}, "'height' is unknown"),
        ({"last_half_bye": 6}, "the tournament has 5"),
        ({"arbiters": ("",)}, "arbiter is empty"),
        ({"tiebreaks": ("x" * 41,)}, "at most 40"),
        ({"scoring": Scoring(win=10, draw=6)}, "two draws .* more than a win and a loss"),
        ({"scoring": Scoring(win=0, draw=0, pab=0)}, "must be worth more than a loss"),
        ({"scoring": Scoring(pab=11)}, "exceeds a win"),
        ({"scoring": Scoring(pab=7)}, "worth 1, ½ or 0, not 0.7"),
        ({"scoring": Scoring(loss=-1)}, "points are 0 to 99$"),
        ({"scoring": Scoring(absence=6)}, "exceeds a draw"),
        ({"scoring": Scoring(win=30, draw=10, pab=30), "acceleration": "baku"}, "worth two draws"),
    ],
)
def test_regulations_no_event_could_have_are_refused(fields: dict[str, Any], complaint: str) -> None:
    values: dict[str, Any] = {"name": "Open", "rounds": 5, **fields}

    with pytest.raises(Invalid, match=complaint):
        decide(NOTHING, ask(OpenTournament, regulations=Regulations(**values)))


@pytest.mark.parametrize(
    "scoring",
    [
        Scoring(),
        Scoring(pab=5),
        Scoring(pab=0),
        Scoring(win=30, draw=10, pab=20),
        Scoring(win=30, draw=15, loss=5),
    ],
)
def test_other_point_systems_can_be_announced(scoring: Scoring) -> None:
    decide(NOTHING, ask(OpenTournament, regulations=Regulations(name="Open", rounds=5, scoring=scoring)))


def test_regulations_change_freely_until_round_1_is_paired() -> None:
    changes = RegulationChanges(rounds=7, edition="dutch-2017", tiebreaks=("BH",))

    state, events = when(registered(), ask(ChangeRegulations, changes=changes))

    assert events == (TournamentDetailsChanged(changes=changes),)
    assert (state.regulations.rounds, state.regulations.name) == (7, "Trentino Open")


def test_only_what_really_changes_is_recorded() -> None:
    changes = RegulationChanges(rounds=5, place="Trento")

    [event] = decide(opened(), ask(ChangeRegulations, changes=changes))

    assert event == TournamentDetailsChanged(changes=RegulationChanges(place="Trento"))
    with refuses(Duplicate, "regulations-same"):
        decide(opened(), ask(ChangeRegulations, changes=RegulationChanges(rounds=5)))


@pytest.mark.parametrize(
    "changes",
    [
        RegulationChanges(rounds=9),
        RegulationChanges(edition="dutch-2017"),
        RegulationChanges(scoring=Scoring(pab=5)),
        RegulationChanges(acceleration="baku"),
        RegulationChanges(half_byes=3),
        RegulationChanges(initial_order=("name",)),
    ],
)
def test_regulations_are_locked_once_round_1_is_paired(changes: RegulationChanges) -> None:
    state = paired(ready(), *ROUND_ROBIN[0])

    with refuses(RegulationsLocked, "regulations-locked"):
        decide(state, ask(ChangeRegulations, changes=changes))


def test_what_no_pairing_depends_on_can_be_put_right_later() -> None:
    state = paired(ready(), *ROUND_ROBIN[0])

    [event] = decide(state, ask(ChangeRegulations, changes=RegulationChanges(place="Trento")))

    assert event == TournamentDetailsChanged(changes=RegulationChanges(place="Trento"))


def test_the_initial_colour_is_drawn_once_and_before_round_1() -> None:
    state, events = when(registered(), ask(DrawInitialColour, colour="b"))

    assert events == (InitialColourDrawn(colour="b", method="drawn"),)
    with refuses(Duplicate, "colour-drawn", colour="b"):
        decide(state, ask(DrawInitialColour, colour="w"))
    with refuses(Invalid, "colour-unknown", text="green"):
        decide(registered(), ask(DrawInitialColour, colour="green"))


def test_fide_mode_is_left_with_a_reason_and_a_double_confirmation_and_for_good() -> None:
    state = opened()

    with pytest.raises(ReasonMissing):
        decide(state, ask(LeaveFideMode, ok=["leave-fide-mode"]))
    with pytest.raises(NeedsAcknowledgement, match="no way back") as refusal:
        decide(state, ask(LeaveFideMode, why="youth cup", ok=["leave-fide-mode"]))
    assert (refusal.value.level, refusal.value.code) == (4, "leave-fide-mode")
    [caution] = refusal.value.warnings
    later = after(state, ask(RegisterPlayer, details=Details(name="A")))
    for other in (ask(LeaveFideMode, why="another reason", ok=[caution.answer]),):
        with pytest.raises(NeedsAcknowledgement):
            decide(state, other)
    with pytest.raises(NeedsAcknowledgement):
        decide(later, ask(LeaveFideMode, why="youth cup", ok=[caution.answer]))

    state, events = when(state, ask(LeaveFideMode, why="youth cup", ok=[caution.answer]))
    assert events == (FideModeLeft(round=0),)
    assert not state.fide_mode
    with refuses(Duplicate, "fide-mode-left"):
        decide(state, ask(LeaveFideMode, why="again", ok=["leave-fide-mode"]))


def test_lots_are_drawn_once() -> None:
    state, events = when(registered(), ask(DrawLots, players=(3, 1)))

    assert events == (LotsDrawn(players=(3, 1), method="lots"),)
    with refuses(Duplicate, "lots-drawn", players=(3, 1)):
        decide(state, ask(DrawLots, players=(1, 3)))
    with refuses(Duplicate, "lots-drawn", players=(3, 1)):
        decide(state, ask(DrawLots, players=(1, 3)))


def test_a_later_drawing_among_more_players_keeps_what_lots_have_decided() -> None:
    state, _ = when(registered(), ask(DrawLots, players=(3, 1)))

    [event] = decide(state, ask(DrawLots, players=(1, 2, 3)))

    assert event == LotsDrawn(players=(3, 2, 1), method="lots")


def test_a_ranking_by_hand_may_overrule_lots_with_a_reason() -> None:
    state, _ = when(registered(), ask(DrawLots, players=(3, 1)))

    [event] = decide(state, ask(DrawLots, players=(1, 3), by_hand=True, why="a play-off was held after all"))

    assert event == LotsDrawn(players=(1, 3), method="hand")


def test_ties_can_be_ranked_by_hand_with_a_reason() -> None:
    [event] = decide(registered(), ask(DrawLots, players=(2, 4), by_hand=True, why="play-off"))

    assert event == LotsDrawn(players=(2, 4), method="hand")
    with pytest.raises(ReasonMissing):
        decide(registered(), ask(DrawLots, players=(2, 4), by_hand=True))


def test_lots_need_two_players_who_exist() -> None:
    with refuses(Invalid, "lots-of-one"):
        decide(registered(), ask(DrawLots, players=(1, 1)))
    with refuses(Unknown, "no-such-player", id="p9", last=4):
        decide(registered(), ask(DrawLots, players=(1, 9)))


def test_a_tiebreak_value_can_come_from_outside() -> None:
    state = registered(tiebreaks=("BH", "OTHER_PLAYOFF"))
    [event] = decide(state, ask(SetExternalTiebreak, player=1, name="Playoff", value=150))

    assert event == ExternalTiebreakSet(player=1, name="Playoff", value=150)
    for name, value in (("", 1), ("PLAYOFF", 10**9)):
        with pytest.raises(Invalid):
            decide(state, ask(SetExternalTiebreak, player=1, name=name, value=value))


def test_a_tiebreak_value_from_outside_has_a_name_that_was_announced() -> None:
    for announced, told in (
        ((), "none that is announced takes a value"),
        (("OTHER_BLITZ", "BH"), "announced are OTHER_BLITZ"),
    ):
        state = registered(tiebreaks=announced)
        for name in ("PLAYOFF", "BH"):
            with pytest.raises(Invalid, match=f"{name} is not an announced tie-break .*{told}"):
                decide(state, ask(SetExternalTiebreak, player=1, name=name, value=150))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"who": ""}, "who asks is empty"),
        ({"who": "A\x00"}, "unprintable"),
        ({"when": "yesterday"}, "is not UTC"),
        ({"when": "2026-11-16T09:30:00+01:00"}, "is not UTC"),
        ({"when": "2026-02-30T09:30:00Z"}, "is not UTC"),
        ({"when": "2026-11-16T25:30:00Z"}, "is not UTC"),
        ({"when": "٢٠٢٦-11-16T09:30:00Z"}, "is not UTC"),
        ({"command_id": ""}, "the command id is empty"),
        ({"why": "x" * 501}, "at most 500"),
        ({"acknowledge": ("nonsense",)}, "no warning is called 'nonsense'"),
    ],
)
def test_every_command_says_who_asks_when_and_under_which_id(fields: dict[str, Any], complaint: str) -> None:
    values: dict[str, Any] = {"who": "A", "when": "2026-11-16T09:30:00Z", "command_id": "1", **fields}

    with pytest.raises(Invalid, match=complaint):
        decide(NOTHING, OpenTournament(meta=Meta(**values), regulations=REGULATIONS))


def test_a_closed_tournament_takes_nothing_but_corrections_for_the_report() -> None:
    state = ready(4, 3)
    for boards in ROUND_ROBIN:
        state = played(state, *boards)
    state = after(state, ask(CloseTournament))
    late: tuple[Command, ...] = (
        ask(RegisterPlayer, why="train late", details=Details(name="Late")),
        ask(ChangeRegulations, changes=RegulationChanges(place="Trento")),
        ask(DrawLots, players=(1, 2)),
        ask(CloseTournament),
    )

    for command in late:
        with refuses(TournamentOver, "tournament-closed", name="Trentino Open"):
            decide(state, command)


def test_the_number_of_rounds_does_not_fall_below_a_bye_on_record() -> None:
    state = after(registered(), ask(GrantBye, player=1, round=5, letter="H"))

    with refuses(Invalid, "bye-beyond", round=5, rounds=4):
        decide(state, ask(ChangeRegulations, changes=RegulationChanges(rounds=4)))


def test_a_tournament_opened_by_mistake_is_closed_with_a_reason() -> None:
    with pytest.raises(ReasonMissing, match="closing after 0 of 5 rounds"):
        decide(registered(), ask(CloseTournament))
