"""The engine without the routes that are quicker than a given one, and by other rules."""

from typing import Final

import pytest

from paircard.pairing.dutch.brackets import Round
from paircard.pairing.dutch.editions import EDITIONS, Edition
from paircard.pairing.dutch.graphs import Bracket
from paircard.pairing.dutch.listed import IdealSearch
from paircard.pairing.dutch.pairing import pair
from paircard.pairing.outcome import Pairing
from paircard.projections.round.snapshot import Snapshot

WAYS: Final = ("ideal", "listed", "matched", "whole")
"""Looking for a candidate that nothing beats, listing all of them, as a matching problem of the bracket, and
of what follows as well."""


def pair_by(state: Snapshot, way: str = WAYS[0], rules: Edition | None = None) -> Pairing:
    with pytest.MonkeyPatch.context() as patch:
        quicker = WAYS[: WAYS.index(way)]
        if "ideal" in quicker:
            patch.setattr(IdealSearch, "mates", lambda _: None)
        if "listed" in quicker:
            patch.setattr(Bracket, "has_few_pairs", lambda _: False)
        if "matched" in quicker:
            patch.setattr(Round, "_single_floats", lambda *_: None)
        if rules:
            patch.setitem(EDITIONS, state.edition, rules)
        return pair(state)
