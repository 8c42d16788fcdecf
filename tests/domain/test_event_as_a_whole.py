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
from paircard.domain.messages import Message, say
from paircard.domain.state import NOTHING
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Scoring
from tests.domain.scenes import ROUND_ROBIN, after, ask, opened, paired, played, ready, registered, when
from tests.refusals import refuses, warns

REGULATIONS = Regulations(name="Trentino Open", rounds=5)


def test_a_tournament_opens_in_fide_mode() -> None:
    state, events = when(NOTHING, ask(OpenTournament, regulations=REGULATIONS))

    assert events == (TournamentOpened(regulations=msgspec.structs.replace(REGULATIONS, numbering=2)),)
    assert state.fide_mode
    assert state.version == 1


def test_an_imported_tournament_says_where_it_comes_from() -> None:
    filed = TournamentImported(source="a.trf", format="trf16", adjustments=("x",))

    state, events = when(NOTHING, ask(OpenTournament, regulations=REGULATIONS, filed=filed))

    assert events[1] == filed
    assert state.imported
    assert state.fide_mode, "VCL 56"


@pytest.mark.parametrize(
    "fields",
    [
        {"format": ""},
        {"source": ""},
        {"source": "a\udcff.trf"},
        {"adjustments": ("x\n",)},
        {"digest": "x" * 65},
    ],
)
def test_an_import_is_described_in_printable_words(fields: dict[str, Any]) -> None:
    values: dict[str, Any] = {"source": "a.trf", "format": "trf16", **fields}

    with pytest.raises(Invalid):
        decide(NOTHING, ask(OpenTournament, regulations=REGULATIONS, filed=TournamentImported(**values)))


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
        ({"name": ""}, say("text-empty", label="tournament")),
        ({"name": "x" * 10_000}, say("text-too-long", label="tournament", count=10000, most=200)),
        ({"name": "Open\x07"}, say("text-unprintable", label="tournament", code="U+0007", place=5)),
        ({"name": "Open\nClose"}, say("text-unprintable", label="tournament", code="U+000A", place=5)),
        ({"name": "bad \udcff"}, say("text-unprintable", label="tournament", code="U+DCFF", place=5)),
        ({"name": " Open"}, say("text-padded", label="tournament", text=" Open")),
        ({"rounds": 0}, say("rounds-not-possible", count=0, most=99)),
        ({"rounds": 100}, say("rounds-not-possible", count=100, most=99)),
        (
            {"edition": "dutch-1999"},
            say(
                "choice-unknown",
                label="edition",
                text="dutch-1999",
                known=("dutch-2026", "dutch-2017", "dutch-2012", "dutch-2012-javafo", "round-robin"),
            ),
        ),
        (
            {"acceleration": "turbo"},
            say("choice-unknown", label="acceleration", text="turbo", known=("none", "baku")),
        ),
        (
            {"tempo": "slow"},
            say("choice-unknown", label="tempo", text="slow", known=("standard", "rapid", "blitz")),
        ),
        ({"federation": "Italy"}, say("federation-unknown", text="Italy")),
        ({"starts": "16.11.2026"}, say("day-unknown", label="first_day", text="16.11.2026")),
        ({"starts": "2026-02-30"}, say("day-unknown", label="first_day", text="2026-02-30")),
        ({"starts": "20261116"}, say("day-unknown", label="first_day", text="20261116")),
        (
            {"starts": "2026-11-16", "ends": "2026-11-15"},
            say("days-turned", day="2026-11-15", when="2026-11-16"),
        ),
        ({"dates": ("2026-11-16",) * 6}, say("days-incomplete", days=6, rounds=5)),
        ({"dates": ("2026-11-16",)}, say("days-incomplete", days=1, rounds=5)),
        (
            {"dates": ("2026-11-17", *("2026-11-16",) * 4)},
            say("days-not-in-order", day="2026-11-16", when="2026-11-17"),
        ),
        (
            {"dates": ("2026-11-16",) * 5, "starts": "2026-11-17"},
            say("days-outside", first_day="2026-11-16", last_day="2026-11-16", when="2026-11-17", day="…"),
        ),
        ({"initial_order": ()}, say("order-empty")),
        ({"initial_order": ("rating", "rating")}, say("order-empty")),
        (
            {"initial_order": ("height",)},
            say(
                "choice-unknown",
                label="criterion",
                text="height",
                known=("rating", "title", "name", "birth", "fide-id", "declared"),
            ),
        ),
        ({"last_half_bye": 6}, say("half-byes-too-late", last=6, rounds=5)),
        ({"arbiters": ("",)}, say("text-empty", label="arbiter")),
        ({"tiebreaks": ("x" * 41,)}, say("text-too-long", label="tiebreak", count=41, most=40)),
        ({"scoring": Scoring(win=10, draw=6)}, say("draws-too-high", points=12, theirs=10)),
        ({"scoring": Scoring(win=0, draw=0, pab=0)}, say("win-too-low", win=0, draw=0, loss=0)),
        ({"scoring": Scoring(pab=11)}, say("pab-too-high", points=11, theirs=10)),
        ({"scoring": Scoring(pab=7)}, say("pab-not-standard", points=7)),
        ({"scoring": Scoring(loss=-1)}, say("points-out-of-range")),
        ({"scoring": Scoring(absence=6)}, say("absence-too-high", points=6, theirs=5)),
        ({"scoring": Scoring(win=30, draw=10, pab=30), "acceleration": "baku"}, say("baku-scoring")),
    ],
)
def test_regulations_no_event_could_have_are_refused(fields: dict[str, Any], complaint: Message) -> None:
    values: dict[str, Any] = {"name": "Open", "rounds": 5, **fields}

    with refuses(Invalid, complaint):
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
    with warns("leave-fide-mode") as refusal:
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
    for announced, codes in (((), ()), (("OTHER_BLITZ", "BH"), ("OTHER_BLITZ",))):
        state = registered(tiebreaks=announced)
        for name in ("PLAYOFF", "BH"):
            with refuses(Invalid, "tiebreak-not-announced", name=name, codes=codes):
                decide(state, ask(SetExternalTiebreak, player=1, name=name, value=150))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"who": ""}, say("text-empty", label="who_asks")),
        ({"who": "A\x00"}, say("text-unprintable", label="who_asks", code="U+0000", place=2)),
        ({"when": "yesterday"}, say("time-not-utc", text="yesterday")),
        ({"when": "2026-11-16T09:30:00+01:00"}, say("time-not-utc")),
        ({"when": "2026-02-30T09:30:00Z"}, say("time-not-utc")),
        ({"when": "2026-11-16T25:30:00Z"}, say("time-not-utc")),
        ({"when": "٢٠٢٦-11-16T09:30:00Z"}, say("time-not-utc", text="٢٠٢٦-11-16T09:30:00Z")),
        ({"command_id": ""}, say("text-empty", label="command_id")),
        ({"why": "x" * 501}, say("text-too-long", label="the_reason", count=501, most=500)),
        ({"acknowledge": ("nonsense",)}, say("warning-unknown", text="nonsense")),
    ],
)
def test_every_command_says_who_asks_when_and_under_which_id(
    fields: dict[str, Any], complaint: Message
) -> None:
    values: dict[str, Any] = {"who": "A", "when": "2026-11-16T09:30:00Z", "command_id": "1", **fields}

    with refuses(Invalid, complaint):
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
    with refuses(ReasonMissing, "reason-missing", deed=say("deed.closing-early", round=0, rounds=5)):
        decide(registered(), ask(CloseTournament))
