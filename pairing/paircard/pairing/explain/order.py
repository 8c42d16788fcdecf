"""When a candidate is generated (2026 Article 4, 2017 section D), and by which step two candidates differ."""

from typing import Final

from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.field import Field

STEPS: Final = ("mdp-set", "mdp-opponents", "exchange", "transposition")
"""Nested, the outermost first."""

ARTICLES: Final = {
    "dutch-2026": {"mdp-set": "4.4", "mdp-opponents": "4.2", "exchange": "4.3", "transposition": "4.2"},
    "dutch-2017": {"mdp-set": "D.3", "mdp-opponents": "D.1", "exchange": "D.2", "transposition": "D.1"},
}

Key = tuple[tuple[object, ...], tuple[int, ...], tuple[object, ...], tuple[int, ...]]


def generation_key(field: Field, candidate: Paired) -> Key:
    """Smaller is earlier; one part for each step. The upper player of a pair is the S1 player."""
    above = candidate.members[: candidate.moved_down]
    partner = {i: j for pair in candidate.pairs for i, j in (pair, pair[::-1])}
    chosen = [i for i in above if i in partner]
    opponents = tuple(partner[i] for i in chosen)
    remainder = [i for i in candidate.members[candidate.moved_down :] if i not in opponents]
    upper = [i for i in remainder if i in partner and i < partner[i]]
    bsn = {i: place for place, i in enumerate(remainder, 1)}
    down = sorted((bsn[i] for i in remainder[: len(upper)] if i not in upper), reverse=True)
    up = sorted(bsn[i] for i in upper if bsn[i] > len(upper))
    return (
        (-len(chosen), tuple(-field.score[i] for i in chosen), tuple(chosen)),
        opponents,
        (len(down), sum(up) - sum(down), tuple(-number for number in down), tuple(up)),
        tuple(bsn[partner[i]] for i in upper),
    )


def step_between(field: Field, earlier: Paired, later: Paired) -> str:
    """The first step by which the later candidate differs from the earlier; empty if in none."""
    pairs = zip(generation_key(field, earlier), generation_key(field, later), STEPS, strict=True)
    return next((step for one, other, step in pairs if one != other), "")
