"""What goes over the wire: verbs are the commands of the domain, and nothing unknown is swallowed."""

from typing import Any, get_args

import msgspec
import pytest

from paircard.domain import commands
from paircard.domain.commands import Command
from paircard.domain.speaking import dashed
from paircard.domain.values.players import Details
from paircard.domain.values.results import Outcome
from paircard.service import requests
from paircard.web.routes.commands import Order

PLAIN = [one for one in requests.COMMANDS if dashed(one) not in requests.COMPUTED]


def order(text: str) -> Any:
    return msgspec.json.decode(text.encode(), type=Order)


def test_every_command_of_the_domain_has_a_verb_and_every_verb_a_command() -> None:
    asked = {dashed(kind) for kind in get_args(Command)}

    of_several = {"undo", "draw-numbers", "pair-all-rounds"}
    assert set(requests.VERBS) == asked - {"open-tournament"} | of_several


@pytest.mark.parametrize("command", PLAIN, ids=dashed)
def test_a_verb_has_the_fields_of_its_command_but_who_when_and_lots(command: type[msgspec.Struct]) -> None:
    """Nobody outside chooses the seed that numbers are drawn from."""
    verb = requests.VERBS[dashed(command)]

    assert set(verb.__struct_fields__) == set(command.__struct_fields__) - {"meta", "lots", "seed"}


def test_a_computed_verb_has_no_field_that_only_the_server_can_fill() -> None:
    for command in requests.COMMANDS:
        if (verb := dashed(command)) in requests.COMPUTED:
            fields = set(requests.VERBS[verb].__struct_fields__)
            assert fields - {"facts"} < set(command.__struct_fields__)
            assert not {"engine", "snapshot", "based_on", "engine_boards", "pieces"} & fields


def test_a_command_is_a_request_of_its_verb() -> None:
    cleared = commands.ClearResult(round=1, board=2)

    assert requests.name_of(cleared) == "clear-result"
    assert requests.command_of(cleared) is cleared


def test_a_result_is_written_as_people_write_it() -> None:
    [verb] = order('{"commands":[{"do":"record-result","round":6,"board":1,"outcome":"½-½"}]}').commands

    assert requests.command_of(verb) == commands.RecordResult(round=6, board=1, outcome=Outcome("=", "="))


def test_nested_values_become_those_of_the_domain() -> None:
    [verb] = order('{"commands":[{"do":"register-player","details":{"name":"Żak, Łucja"}}]}').commands
    command = requests.command_of(verb)

    assert type(command.details) is Details
    assert command.details.name == "Żak, Łucja"


@pytest.mark.parametrize(
    "text",
    [
        '{"commands":[]}',
        '{"commands":[{"do":"castle"}]}',
        '{"commands":[{"round":1}]}',
        '{"commands":[{"do":"pair-round","round":1,"boards":[[1,2]]}]}',
        '{"commands":[{"do":"record-result","round":1,"board":1,"outcome":"1-0","meta":{"who":"x"}}]}',
        '{"commands":[{"do":"register-player","details":{"name":"A","elo":2000}}]}',
        '{"commands":[{"do":"withdraw-player","player":1}],"who":"Mallory"}',
        '{"commands":[{"do":"withdraw-player","player":99999999999999999999999}]}',
        '{"commands":[{"do":"draw-lots","players":[99999999999999999999999]}]}',
    ],
)
def test_what_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        order(text)
