"""Who is meant."""

import pytest

from paircard.cli.names import find_player
from paircard.domain.errors import Unknown
from paircard.domain.events import Event, PlayerRegistered, TournamentOpened
from paircard.domain.players import Details
from paircard.domain.regulations import Regulations
from paircard.projections.history import History, history
from tests.projections.conftest import enveloped

NAMES = ("Núñez, José", "Nunn, John", "Li", "Lindqvist, Åsa", "Straße, Uwe", "77 Club")


def field() -> History:
    facts: list[Event] = [TournamentOpened(regulations=Regulations(name="Open", rounds=3))]
    for id, name in enumerate(NAMES, start=1):
        facts.append(PlayerRegistered(player=id, details=Details(name=name, rating=1000 + id)))
    return history(enveloped(*facts))


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
        ("1", "77 Club"),
        ("6", "Núñez, José"),
        ("  nunn,   john ", "Nunn, John"),
    ],
)
def test_a_player_is_found_by_number_id_or_part_of_the_name(text: str, name: str) -> None:
    assert NAMES[find_player(field(), text) - 1] == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n", "may be"),
        ("nobody", "no player is called 'nobody'"),
        ("#7", "there is no player #7: ids are #1 to #6"),
        ("7", "no player has the pairing number 7: they are 1 to 6"),
        ("77", "no player has the pairing number 77"),
        (" ", "not by an empty word"),
        ("#x", "no player is called '#x'"),
    ],
)
def test_whoever_cannot_be_found_is_told_about_in_one_line(text: str, message: str) -> None:
    with pytest.raises(Unknown, match=message) as refusal:
        find_player(field(), text)
    assert "\n" not in str(refusal.value)
