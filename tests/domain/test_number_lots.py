"""Lots for the numbers of a round robin can be drawn again by anybody who knows the seed."""

from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.domain.deciding.round_robin import VARMA, by_lots, restricted_lots
from paircard.domain.errors import Invalid
from paircard.pairing.berger import Plan
from tests.pairing.berger.annexes import printed_envelopes
from tests.refusals import refuses

FEDERATIONS = ("ITA", "FRA", "GER", "NOR", "AUT", "SUI")


def test_plain_lots_are_the_ids_in_order_of_a_hash_of_seed_and_id() -> None:
    ids = [3, 1, 8, 5, 2]
    hashes = {id: sha256(f"Turin 7 3 9:{id}".encode()).hexdigest() for id in ids}

    assert by_lots("Turin 7 3 9", ids) == tuple(sorted(ids, key=lambda id: hashes[id]))
    assert by_lots("Turin 7 3 9", set(ids)) == by_lots("Turin 7 3 9", ids)
    assert by_lots("Turin 7 3 8", ids) != by_lots("Turin 7 3 9", ids)


def test_the_envelopes_are_those_of_the_annex() -> None:
    assert printed_envelopes() == VARMA
    for players, envelopes in VARMA.items():
        assert sorted(number for numbers in envelopes for number in numbers) == [*range(1, players + 1)]


@pytest.mark.parametrize("players", range(9, 25))
def test_numbers_of_one_envelope_do_not_meet_in_the_last_three_rounds(players: int) -> None:
    """With 12 players the printed table breaks its promise: 6 and 12 meet in the last round."""
    plan = Plan(players)
    late = {
        (one, other)
        for numbers in VARMA[players + players % 2]
        for one, other in combinations(numbers, 2)
        if other <= players and plan.meetings(one, other)[0] > plan.rounds - 3
    }

    assert late == ({(6, 12)} if players == 12 else set())


@given(st.text(min_size=1), st.lists(st.sampled_from(FEDERATIONS), min_size=9, max_size=24))
def test_restricted_lots_give_every_number_once_and_depend_on_nothing_but_seed_and_field(
    seed: str, federations: list[str]
) -> None:
    field = dict(enumerate(federations, 1))
    order = restricted_lots(seed, field)

    assert sorted(order) == sorted(field)
    assert restricted_lots(seed, dict(reversed(field.items()))) == order


@given(st.text(), st.integers(9, 24), st.data())
def test_compatriots_who_fit_into_one_envelope_draw_from_one(
    seed: str, players: int, data: st.DataObject
) -> None:
    """The largest federation always finds an envelope, if one is large enough at all."""
    envelopes = VARMA[players + players % 2]
    most = max(sum(number <= players for number in numbers) for numbers in envelopes)
    many = data.draw(st.integers(2, most))
    field = {id: "ITA" if id <= many else "" for id in range(1, players + 1)}

    number = {id: at for at, id in enumerate(restricted_lots(seed, field), 1)}
    italians = {number[id] for id in range(1, many + 1)}
    assert any(italians <= set(numbers) for numbers in envelopes)


def test_a_federation_too_large_for_every_envelope_is_spread_over_the_fullest() -> None:
    field = {id: "ITA" if id <= 6 else "" for id in range(1, 11)}

    number = {id: at for at, id in enumerate(restricted_lots("any", field), 1)}
    assert sorted(number[id] for id in range(1, 7)) == [3, 4, 5, 7, 8, 9]


def test_restricted_lots_differ_from_seed_to_seed() -> None:
    field = dict.fromkeys(range(1, 11), "")

    assert len({restricted_lots(f"seed {n}", field) for n in range(40)}) == 40


@pytest.mark.parametrize("players", [2, 8, 25])
def test_restricted_lots_are_for_9_to_24_players(players: int) -> None:
    with refuses(Invalid, "varma-field", count=players, least=9, most=24):
        restricted_lots("any", dict.fromkeys(range(1, players + 1), "ITA"))
