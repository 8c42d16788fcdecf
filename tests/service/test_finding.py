"""Who is meant."""

import pytest

from paircard.domain.errors import NoSuchTournament, NotNow, Unknown
from paircard.domain.events import (
    Event,
    PairingNumbersAssigned,
    PlayerRegistered,
    RoundPaired,
    TournamentOpened,
)
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service.finding import Roster, find_player, find_tournament, roster
from paircard.service.pairing_sheets import people_on_sheet, view_round
from paircard.service.print.paper import lines_by_name
from paircard.web.pages.public import matching
from tests.projections.conftest import enveloped
from tests.refusals import refuses

NAMES = ("Núñez, José", "Nunn, John", "Li", "Lindqvist, Åsa", "Straße, Uwe", "77 Club")


def entered() -> list[Event]:
    facts: list[Event] = [TournamentOpened(regulations=Regulations(name="Open", rounds=3))]
    for id, name in enumerate(NAMES, start=1):
        facts.append(PlayerRegistered(player=id, details=Details(name=name, rating=1000 + id)))
    return facts


def field() -> Tournament:
    """Round 1 is paired, the highest rated has number 1."""
    paired = RoundPaired(
        round=1,
        edition="dutch-2026",
        engine="",
        based_on=7,
        snapshot="",
        numbers=tuple((id, 7 - id) for id in range(6, 0, -1)),
        boards=((6, 3), (2, 5), (4, 1)),
    )
    order = PairingNumbersAssigned(order=(6, 5, 4, 3, 2, 1), cause="initial")
    return state_after(enveloped(*entered(), order, paired))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nunez", "Núñez, José"),
        ("josé", "Núñez, José"),
        ("Nunn", "Nunn, John"),
        ("li", "Li"),
        ("asa", "Lindqvist, Åsa"),
        ("STRASSE", "Straße, Uwe"),
        ("#1", "Núñez, José"),
        ("p1", "Núñez, José"),
        ("1", "77 Club"),
        ("6", "Núñez, José"),
        ("  nunn,   john ", "Nunn, John"),
    ],
)
def test_a_player_is_found_by_number_id_or_part_of_the_name(text: str, name: str) -> None:
    assert NAMES[find_player(roster(field()), text) - 1] == name


@pytest.mark.parametrize("text", ["Mueller", "müller", "MULLER", "juergen mueller", "Jurgen Müller"])
def test_a_player_is_found_by_ue_as_by_its_umlaut(text: str) -> None:
    players = Roster(names={1: "Müller, Jürgen", 2: "Mulligan, John"}, numbers={1: 1, 2: 2})
    assert find_player(players, text) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n", say("several-players", text="n", candidates=3, count=0)),
        ("nobody", say("no-player-called", text="nobody", candidates=0, each=())),
        ("#7", say("no-such-player", id="p7", last=6)),
        ("7", say("no-such-number", number=7, last=6)),
        ("77", say("no-such-number", number=77, last=6)),
        (" ", say("player-unnamed")),
        ("#x", say("no-player-called", text="#x", candidates=0, each=())),
    ],
)
def test_whoever_cannot_be_found_is_told_about_in_one_line(text: str, said: Message) -> None:
    with refuses(Unknown, said) as refusal:
        find_player(roster(field()), text)
    assert "\n" not in str(refusal.value)


def test_a_bare_number_means_nobody_until_round_1_is_paired() -> None:
    """With every bye for round 1 the numbers to come are others: 2 would be somebody else each time."""
    with refuses(NotNow, "not-numbered-yet", number=2, name="Straße, Uwe"):
        find_player(roster(state_after(enveloped(*entered()))), "2")
    with refuses(NotNow, "nobody-registered"):
        find_player(roster(state_after(enveloped(entered()[0]))), "2")


@pytest.mark.parametrize("text", ["oster", "Ostergard Open", "ØSTERGÅRD-OPEN", "b" * 8])
def test_a_tournament_is_found_as_a_player_is_whatever_the_accents_and_signs(text: str) -> None:
    there = [("a" * 32, "Easter Blitz"), ("b" * 32, "Østergård Open")]

    assert find_tournament(there, text, "club.db") == "b" * 32


FESTIVAL = [("a" * 32, "Festival A"), ("b" * 32, "Festival B"), ("c" * 32, "Festival, under 12")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A", "Festival A"),
        ("b", "Festival B"),
        ("A Festival", "Festival A"),
        ("under 12", "Festival, under 12"),
        ("12", "Festival, under 12"),
        ("under", "Festival, under 12"),
        ("val b", "Festival B"),
    ],
)
def test_whole_words_and_endings_name_a_tournament_of_a_festival(text: str, name: str) -> None:
    assert dict(FESTIVAL)[find_tournament(FESTIVAL, text, "fest.db")] == name


def test_a_part_that_several_tournaments_have_is_answered_with_their_names() -> None:
    names = ("Festival A", "Festival B", "Festival, under 12")
    with refuses(NoSuchTournament, "tournament-may-be", text="fest", names=names, count=0, file="fest.db"):
        find_tournament(FESTIVAL, "fest", "fest.db")


def test_a_whole_name_wins_over_longer_ones_that_begin_like_it() -> None:
    facts: list[Event] = [TournamentOpened(regulations=Regulations(name="Open", rounds=3))]
    facts += [
        PlayerRegistered(player=id, details=Details(name=name))
        for id, name in enumerate(("Beta10, Karl", "Beta1, Kai", "Beta11, Kim"), start=1)
    ]
    people = roster(state_after(enveloped(*facts)))

    assert [find_player(people, text) for text in ("Beta1", "Beta1,", "kai", "Beta11")] == [2, 2, 2, 3]


def test_signs_alone_name_no_tournament() -> None:
    with refuses(NoSuchTournament, "no-tournament-called", file="club.db", text="???", there=1):
        find_tournament([("a" * 32, "Open")], "???", "club.db")


def test_a_page_finds_and_sorts_names_as_the_command_line_does() -> None:
    facts: list[Event] = [TournamentOpened(regulations=Regulations(name="Open", rounds=3))]
    for id, name in enumerate(("Zukertort, J", "Østergård, Åse", "Ostrow, P"), start=1):
        facts.append(PlayerRegistered(player=id, details=Details(name=name, rating=2000)))
    paired = RoundPaired(
        round=1,
        edition="dutch-2026",
        engine="",
        based_on=4,
        snapshot="",
        numbers=((1, 1), (2, 2), (3, 3)),
        boards=((1, 2),),
        pab=3,
    )
    state = state_after(enveloped(*facts, paired))
    view = view_round(state, 1, people_on_sheet(state, 1))

    assert [line.player.name for line in lines_by_name(view)] == [
        "Østergård, Åse",
        "Ostrow, P",
        "Zukertort, J",
    ]
    assert [line.player.name for line in matching(view, "ostergard")] == ["Østergård, Åse"]
    assert matching(view, "??") == ()
