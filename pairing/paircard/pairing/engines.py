"""The engine of each set of rules (``paircard.domain.values.rules.RULES``)."""

from collections.abc import Callable
from typing import Final

import msgspec

from paircard.pairing import berger
from paircard.pairing.dutch import pairing as dutch
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.outcome import Pairing, PairingError
from paircard.projections.round.snapshot import Snapshot


class Engine(msgspec.Struct, frozen=True):
    """A program that pairs: a pure function from a snapshot to its round.

    Why the round is what it is tells the engine of the same name in ``paircard.pairing.explain.explainers``.
    """

    name: str
    """Stored with every round; another one whenever any round could be paired differently."""
    pair: Callable[[Snapshot], Pairing]


ENGINES: Final = {
    **{name: Engine(edition.engine, dutch.pair) for name, edition in EDITIONS.items()},
    "round-robin": Engine(berger.NAME, berger.pair),
}
"""By the name of the rules."""


def engine_of(edition: str) -> Engine:
    """The engine that pairs by these rules."""
    return ENGINES[edition]


def pair(snapshot: Snapshot) -> Pairing:
    """The round that the rules of a snapshot prescribe.

    Raises ``PairingError`` for a snapshot that contradicts itself, ``NoLegalRound`` where no round exists.
    """
    if snapshot.edition not in ENGINES:
        raise PairingError("pairing.edition-unknown", text=snapshot.edition, known=tuple(ENGINES))
    return ENGINES[snapshot.edition].pair(snapshot)
