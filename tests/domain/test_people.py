"""People in sentences: by name, told apart where two share one, and never by a number that is an id."""

import re
from typing import Any

import pytest

from paircard.domain.commands import GrantBye, ProhibitPairing, RegisterPlayer, WithdrawPlayer
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import Duplicate, Unknown
from paircard.domain.state import Tournament, called
from paircard.domain.values.players import Details, erased_name
from tests.domain.scenes import after, ask, opened


def entered(*players: Details) -> Tournament:
    commands = [ask(RegisterPlayer, details=one, level=4) for one in players]
    return after(opened(), *commands)


def test_a_player_is_called_by_name_alone() -> None:
    state = after(entered(Details(name="Ada"), Details(name="Ben")), ask(WithdrawPlayer, player=2))

    with pytest.raises(Duplicate) as told:
        decide(state, ask(WithdrawPlayer, player=2))

    assert str(told.value) == "Ben is already withdrawn"


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ({"birth": "1990-04-23"}, {"birth": "2001"}, ("Ada (born 1990)", "Ada (born 2001)")),
        ({"birth": "1990"}, {}, ("Ada (born 1990)", "Ada (id p2)")),
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

    assert (called(state, 1), called(state, 2), called(state, 3)) == (*words, "Ben")


def test_who_was_erased_has_no_name_in_a_sentence() -> None:
    state = entered(Details(name=erased_name(1)), Details(name="Ben"))

    assert called(state, 1) == "a player whose data was erased (id p1)"


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
