"""What is said, asserted by code and fields; wording has a table of its own in ``tests/words``."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from paircard.domain.errors import NeedsAcknowledgement, PaircardError
from paircard.domain.messages import Message
from paircard.domain.speaking import Speaker
from paircard.projections.trf import TrfError

Refusal = TypeVar("Refusal", bound=PaircardError)


@contextmanager
def refuses(
    kind: type[Refusal], code: str | Message, /, **fields: Any
) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """What is done inside is refused with this code, and with these fields among its own."""
    asked = code if isinstance(code, Message) else Message(code, fields)
    with pytest.raises(kind) as refusal:
        yield refusal
    said = refusal.value.said
    assert (said.code, among(said, asked.fields)) == (asked.code, asked.fields)


@contextmanager
def warns(code: str, /, **fields: Any) -> Iterator[pytest.ExceptionInfo[NeedsAcknowledgement]]:
    """What is done inside needs one warning acknowledged: this one, with these fields among its own."""
    with pytest.raises(NeedsAcknowledgement) as refusal:
        yield refusal
    [said] = [one.said for one in refusal.value.warnings]
    assert (said.code, among(said, fields)) == (code, fields)


@contextmanager
def faulty(fault: Message) -> Iterator[pytest.ExceptionInfo[TrfError]]:
    """The report that is read inside is refused, and this is among the faults that are named."""
    with refuses(TrfError, "trf.faults") as refusal:
        yield refusal
    assert fault in refusal.value.said.fields["faults"]


def among(said: Message, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a message that have these names; a list as a tuple."""
    given = {name: said.fields.get(name) for name in fields}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


def sentence(code: str, /, people: Mapping[int, str] | None = None, **fields: Any) -> str:
    """The words of a message, for tests of a door that prints it: wherever the catalogue has them changed."""
    return Speaker(names=people).say(Message(code, fields))
