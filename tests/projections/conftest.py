"""Logs made by hand: facts in envelopes, as the store would hand them over."""

from collections.abc import Callable

import pytest

from paircard.domain.events import Event, Recorded

Envelopes = Callable[..., list[Recorded]]


def enveloped(*facts: Event) -> list[Recorded]:
    return [
        Recorded(
            tournament="t" * 32,
            version=version,
            fact=fact,
            who="Arbiter",
            when="2026-11-16T09:00:00Z",
            previous="",
            hash="",
        )
        for version, fact in enumerate(facts, start=1)
    ]


@pytest.fixture
def log_of() -> Envelopes:
    """Puts facts into envelopes, one after the other."""
    return enveloped
