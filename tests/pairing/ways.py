"""The routes by which the engine settles a bracket, each without the quicker ones."""

from typing import Final

from paircard.pairing.dutch.search.settle import Routes

WAYS: Final = {
    "ideal": Routes(),
    "listed": Routes(ideal=False),
    "matched": Routes(ideal=False, listed=False),
    "whole": Routes(ideal=False, listed=False, matched=False),
}
"""Looking for a candidate that nothing beats, listing all of them, as a matching problem of the bracket, and
of what follows as well."""
