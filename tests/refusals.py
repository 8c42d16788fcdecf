"""What a refusal says, asserted by code and fields; wording has a table of its own in ``tests/words``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from paircard.domain.errors import PaircardError

Refusal = TypeVar("Refusal", bound=PaircardError)


@contextmanager
def refuses(kind: type[Refusal], code: str, /, **fields: Any) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """What is done inside is refused with this code, and with these fields among its own."""
    with pytest.raises(kind) as refusal:
        yield refusal
    said = refusal.value.said
    given = {name: said.fields.get(name) for name in fields}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    assert (said.code, given) == (code, fields)
