"""People in sentences: by name, told apart where two share one, and never by a number that is an id."""

import re
from typing import Any

import pytest

from paircard.domain.commands import GrantBye, ProhibitPairing, RegisterPlayer, WithdrawPlayer
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import Duplicate, NeedsAcknowledgement, Unknown
from paircard.domain.speaking import Speaker
from paircard.domain.state import Tournament, names_of
from paircard.domain.values.players import Details, erased_name
from tests.domain.scenes import after, ask, opened
from tests.refusals import among, refuses, sentence


def entered(*players: Details) -> Tournament:
    commands = [ask(RegisterPlayer, details=one, level=4) for one in players]
    return after(opened(), *commands)


def test_a_player_is_called_by_name_alone() -> None:
    state = after(entered(Details(name="Ada"), Details(name="Ben")), ask(WithdrawPlayer, player=2))

    with refuses(Duplicate, "player-gone", player=2, status="withdrawn") as told:
        decide(state, ask(WithdrawPlayer, player=2))

    assert str(told.value) == sentence("player-gone", people={2: "Ben"}, player=2, status="withdrawn")


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ({"birth": "1990-04-23"}, {"birth": "2001"}, ("Ada (1990)", "Ada (2001)")),
        ({"birth": "1990"}, {}, ("Ada (1990)", "Ada (id p2)")),
        ({"federation": "ITA"}, {"federation": "GER"}, ("Ada (ITA)", "Ada (GER)")),
        (
            {"birth": "1990", "federation": "ITA"},
            {"birth": "1990", "federation": "GER"},
            ("Ada (ITA)", "Ada (GER)"),
        ),
        ({}, {}, ("Ada (id p1)", "Ada (id p2)")),
    ],
)
def test_two_who_share_a_name_are_told_apart(
    one: dict[str, Any], other: dict[str, Any], words: tuple[str, str]
) -> None:
    state = entered(Details(name="Ada", **one), Details(name="Ada", **other), Details(name="Ben"))

    assert names_of(state, (1, 2, 3)) == {1: words[0], 2: words[1], 3: "Ben"}


def test_who_was_erased_has_no_name_in_a_sentence() -> None:
    state = entered(Details(name=erased_name(1)), Details(name="Ben"))

    erased = Speaker().entry("nouns", "erased").format(id=1)
    assert Speaker(names=names_of(state, (1,))).person(1) == erased


def test_an_id_that_nobody_has_does_not_look_like_a_pairing_number() -> None:
    state = entered(Details(name="Ada"), Details(name="Ben"))

    for command in (
        ask(WithdrawPlayer, player=16),
        ask(GrantBye, player=16, round=1),
        ask(ProhibitPairing, players=(1, 16)),
    ):
        with pytest.raises(Unknown) as told:
            decide(state, command)
        assert "p16" in str(told.value)
        assert not re.search(r"#|\b16\b", str(told.value))


KOVAC = {"name": "Kovač, Iván", "rating": 1576}


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        (KOVAC, {"name": "Kovač Iván"}),
        (KOVAC, {"name": "Iván Kovač"}),
        (KOVAC, {"name": "IVAN KOVAC", "rating": 1600}),
        ({"name": "Müller, Jürgen"}, {"name": "Mueller Juergen"}),
        ({"name": "Müller, Jürgen"}, {"name": "Muller, Juergen"}),
        ({"name": "Mueller, Juergen"}, {"name": "Jürgen Müller"}),
        ({"name": "Straße, Uwe"}, {"name": "Strasse Uwe"}),
        ({"name": "Sørensen, Bjørn"}, {"name": "Soerensen, Bjoern"}),
        ({"name": "Sørensen, Bjørn"}, {"name": "Sorensen, Bjorn"}),
        ({"name": "Åberg, Åsa"}, {"name": "Aaberg, Aasa"}),
        ({"name": "Łuczak, Jan"}, {"name": "Jan Luczak"}),
        ({"name": "O'Brien, Sean"}, {"name": "OBrien, Seán"}),
        ({"name": "Müller-Lüdenscheidt, Anna"}, {"name": "Anna Mueller Luedenscheidt"}),
        ({**KOVAC, "birth": "1990-04-23"}, {"name": "Kovač, I.", "birth": "1990"}),
        (KOVAC, {"name": "I Kovac", "rating": 1576}),
        ({"name": "Kovač, Iván Péter", "birth": "1990"}, {"name": "Kovač, Iván", "birth": "1990"}),
        ({"name": "Muller, Jan", "national_rating": 1800}, {"name": "Mueller, Jan", "national_rating": 1800}),
        (
            {"name": "Dupont, E", "national_id": "A123", "federation": "FRA"},
            {"name": "Martin, L", "national_id": "A123", "federation": "FRA"},
        ),
    ],
)
def test_the_same_person_is_recognised_however_the_name_is_written(
    known: dict[str, Any], typed: dict[str, Any]
) -> None:
    state = entered(Details(**known))

    with pytest.raises(NeedsAcknowledgement) as told:
        decide(state, ask(RegisterPlayer, details=Details(**typed)))

    [warning] = told.value.warnings
    assert (warning.code, warning.players) == ("same-person", (1,))
    fields = {"player": 1, "name": typed["name"], "rating": known.get("rating", 0)}
    assert (warning.said.code, among(warning.said, fields)) == ("same-person.probably", fields)
    assert warning.names[1] == known["name"]
    decide(state, ask(RegisterPlayer, details=Details(**typed), ok=["same-person"]))


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        (KOVAC, {"name": "Kovač, Ivana"}),
        (KOVAC, {"name": "Kovač, I."}),
        (KOVAC, {"name": "Kovač, Petar", "rating": 1576}),
        ({"name": "Nowak, Michał"}, {"name": "Nowak, Michael"}),
        ({**KOVAC, "birth": "1990"}, {"name": "Iván Kovač", "birth": "1961"}),
        ({**KOVAC, "fide_id": 7}, {"name": "Kovač Iván", "fide_id": 8}),
        (
            {**KOVAC, "national_id": "1", "federation": "HUN"},
            {"name": "Kovač Iván", "national_id": "2", "federation": "HUN"},
        ),
        ({"name": "Li", "rating": 2000}, {"name": "Li, Wei", "rating": 2000}),
        ({"name": "Player 1", "rating": 2000}, {"name": "Player 10", "rating": 2000}),
        ({"name": "Team 1 10", "rating": 2000}, {"name": "Team 1 1", "rating": 2000}),
        ({"name": "Team 1 3"}, {"name": "Team 3 1"}),
    ],
)
def test_different_people_are_not_asked_about(known: dict[str, Any], typed: dict[str, Any]) -> None:
    decide(entered(Details(**known)), ask(RegisterPlayer, details=Details(**typed)))
