"""What explains the rounds of each family of rules."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from paircard.pairing.explain import tables
from paircard.pairing.explain.answers import told_round, told_why, told_why_not
from paircard.pairing.outcome import Told
from paircard.projections.round.snapshot import Snapshot


class Explainer(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine tells about its rounds; raises what pairing raises."""

    why: Callable[[Snapshot, int], Told[Any]]
    """Why a player has this opponent and this colour."""
    why_not: Callable[[Snapshot, int, int], Told[Any]]
    """Why two players do not meet, or one of them and the bye (0)."""
    explain: Callable[[Snapshot], Told[Any]]
    """The whole round."""
    brackets: bool = False
    """Whether rounds are made in brackets, from candidates that can be listed."""


EXPLAINERS: Final = {
    "dutch": Explainer(why=told_why, why_not=told_why_not, explain=told_round, brackets=True),
    "round-robin": Explainer(why=tables.why, why_not=tables.why_not, explain=tables.explain),
}
"""By the family of the rules."""
