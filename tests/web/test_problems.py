"""Every refusal has an answer: a status, a kind and the sentence for the person who must act."""

import inspect
from collections.abc import Iterator

import msgspec
import pytest

from paircard.domain import errors
from paircard.web import problems


def leaves(root: type[BaseException]) -> Iterator[type[BaseException]]:
    below = root.__subclasses__()
    yield root
    for kind in below:
        yield from leaves(kind)


ROOTS = (errors.PaircardError, errors.Refused, problems.HttpRefused)
"""Never raised themselves."""
OURS = [kind for kind in leaves(errors.PaircardError) if kind not in ROOTS]


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)
def test_every_kind_of_refusal_has_a_status(kind: type[BaseException]) -> None:
    assert problems.knows(kind)
    assert 400 <= problems.status_of(kind) <= 503


def test_every_kind_of_refusal_has_a_name_of_its_own() -> None:
    names = [problems.kind_of(kind) for kind in dict.fromkeys(OURS)]

    assert len(names) == len(set(names))


def test_all_of_errors_py_is_covered() -> None:
    named = {kind for _, kind in inspect.getmembers(errors, inspect.isclass)}

    assert {kind for kind in named if issubclass(kind, errors.PaircardError)} <= {*OURS, *ROOTS}


def test_a_warning_says_what_has_to_be_accepted() -> None:
    refusal = errors.NeedsAcknowledgement((errors.Caution(4, "manual-pairing", "not the engine's boards"),))
    answer = problems.problem_of(refusal)

    assert answer.status == 409
    assert answer.type == "/problems/needs-acknowledgement"
    assert answer.warnings == (
        problems.Fault(level=4, code="manual-pairing", message="not the engine's boards"),
    )


def test_a_store_that_is_busy_may_be_asked_again() -> None:
    refusal = errors.Busy("open.db is locked by another program")
    answer = problems.problem_of(refusal)

    assert answer.status == 503
    assert "same Idempotency-Key" in answer.detail
    assert int(problems.headers_of(refusal)["retry-after"]) > 0


def test_a_body_that_cannot_be_read_says_where() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b'{"a":[1,"x"]}', type=dict[str, list[int]])
    answer = problems.problem_of(problems.of_decoding(caught.value))

    assert answer.status == 422
    assert answer.path == "[...][1]"
