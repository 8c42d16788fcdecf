"""The ways in which the engine settles a bracket, each made to do what the quicker ones would have done."""

import pytest

from paircard.pairing.dutch.brackets import Round
from paircard.pairing.dutch.candidates import Candidates
from paircard.pairing.dutch.ideal import Ideal
from paircard.pairing.dutch.settling import Settling

WAYS = ("ideal", "listed", "matched", "ahead")
"""Looking for a candidate that nothing beats, listing all of them, as a matching problem of the bracket, and
of what follows as well."""


def no_quicker(way: str, patch: pytest.MonkeyPatch) -> None:
    """Switch off what comes before this way."""
    if way != "ideal":
        patch.setattr(Ideal, "mates", lambda self: None)
    if way in ("matched", "ahead"):
        patch.setattr(Candidates, "few", False)
    if way == "ahead":
        patch.setattr(Settling, "one_floats", lambda *args: None)
        for name in ("_common_2026", "_common_2017"):
            patch.setattr(Round, name, lambda *args: None)
