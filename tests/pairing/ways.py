"""The ways in which the engine settles a bracket, each made to do what the quicker ones would have done."""

import pytest

from paircard.pairing.dutch.candidates import Candidates
from paircard.pairing.dutch.ideal import Ideal

WAYS = ("ideal", "listed", "matched")
"""Looking for a candidate that nothing beats, listing all of them, and as a matching problem."""


def no_quicker(way: str, patch: pytest.MonkeyPatch) -> None:
    """Switch off what comes before this way."""
    if way != "ideal":
        patch.setattr(Ideal, "mates", lambda self: None)
    if way == "matched":
        patch.setattr(Candidates, "few", False)
