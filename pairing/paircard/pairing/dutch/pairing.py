"""The round: from a snapshot to boards in the order of publication, with the trace of every bracket."""

from typing import Final

from paircard.pairing.dutch.brackets import Round
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.editions import Edition
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.obstacle import explain_obstacle
from paircard.pairing.dutch.publication import publish
from paircard.pairing.dutch.search.routes import ALL, Routes
from paircard.pairing.dutch.snapshot_check import check_snapshot
from paircard.pairing.dutch.trace import trace
from paircard.pairing.outcome import Pairing
from paircard.projections.round.snapshot import Snapshot

ENGINE: Final = "paircard-dutch/2"
"""Stored with every round. It changes whenever any snapshot could be paired differently than before."""


def pair(snapshot: Snapshot, *, edition: Edition | None = None, routes: Routes = ALL) -> Pairing:
    """The round that the regulations prescribe for this state.

    Raises ``PairingError`` for a snapshot that contradicts itself, ``NoLegalRound`` where no round exists.
    ``edition`` and ``routes`` are for tests: other rules than those the snapshot names, fewer short cuts.
    """
    check_snapshot(snapshot)
    field = Field(snapshot, edition)
    completion = Completion(field)
    if not completion.possible:
        raise explain_obstacle(field, completion)
    brackets = Round(field, completion, routes=routes).brackets
    left = brackets[-1].floaters if brackets else []
    return Pairing(
        boards=publish(snapshot, field, brackets),
        pab=field.players[left[0]].id if left else 0,
        pab_score=completion.pab_score,
        trace=lambda: tuple(trace(field, bracket, completion) for bracket in brackets),
    )
