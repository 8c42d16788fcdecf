"""Addresses of databases: one server or several, in both spellings, never with the password."""

import pytest

from paircard.domain.errors import Unreachable
from paircard.domain.log.location import parsed_address
from tests.refusals import refuses

TWO = {
    "postgresql://anna:s3cret@a:5432,b:5433/chess": "postgresql://anna@a:5432,b:5433/chess",
    "postgresql://anna@a,b/chess": "postgresql://anna@a,b/chess",
    "postgresql://anna:s3cret@/chess?host=a,b&port=5432,5433": "postgresql://anna@a:5432,b:5433/chess",
    "postgresql://anna@/chess?host=a,b&port=5432": "postgresql://anna@a:5432,b:5432/chess",
    "postgresql://anna@/chess?host=a,b": "postgresql://anna@a,b/chess",
    "postgresql://[::1]:5432,[::2]:5433/chess": "postgresql://[::1]:5432,[::2]:5433/chess",
}
ONE = {
    "postgresql://anna:s3cret@a:5432/chess": "postgresql://anna@a:5432/chess",
    "postgresql://a/chess?schema=club": "postgresql://a/chess?schema=club",
    "postgresql:///chess?host=/tmp/sockets": "postgresql:///tmp/sockets/chess",
    "postgresql://%2Ftmp%2Fsockets/chess": "postgresql:///tmp/sockets/chess",
}


@pytest.mark.parametrize("text", TWO)
def test_of_several_servers_the_primary_is_meant(text: str) -> None:
    address = parsed_address(text)

    assert address.shown == TWO[text]
    assert "target_session_attrs=read-write" in address.url
    assert "s3cret" not in repr(address)


@pytest.mark.parametrize("text", ONE)
def test_one_server_is_taken_as_it_is(text: str) -> None:
    address = parsed_address(text)

    assert address.shown == ONE[text]
    assert "target_session_attrs" not in address.url


def test_what_the_address_says_of_the_servers_is_kept() -> None:
    assert "target_session_attrs=any" in parsed_address("postgresql://a,b/chess?target_session_attrs=any").url


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://a:x/chess",
        "postgresql://a:1,b:y/chess",
        "postgresql://a:99999/chess",
        "postgresql://a:1:2/chess",
        "postgresql://p@ss@a/chess",
        "postgresql:chess",
        "postgresql://anna@/chess?host=a,b,c&port=1,2",
        "postgresql://anna@/chess?host=a&port=x",
    ],
)
def test_a_malformed_address_is_refused_without_being_repeated(text: str) -> None:
    with refuses(Unreachable, "store.malformed-address"):
        parsed_address(text)
