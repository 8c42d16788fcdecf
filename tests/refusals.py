"""What a refusal says, asserted by code and fields; wording has a table of its own in ``tests/words``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from paircard.domain.errors import PaircardError


@contextmanager
def refuses(
    kind: type[PaircardError], code: str, **fields: Any
) -> Iterator[pytest.ExceptionInfo[PaircardError]]:
    """What is done inside is refused with this code, and with these fields among its own."""
    with pytest.raises(kind) as refusal:
        yield refusal
    said = refusal.value.said
    assert (said.code, {name: said.fields.get(name) for name in fields}) == (code, fields)
