"""When a candidate is generated (2026 Article 4, 2017 section D), and by which step two candidates differ."""

from paircard.pairing.dutch import order
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.paired import Paired


def generation_key(field: Field, candidate: Paired) -> order.Key:
    """Smaller is earlier; one part for each step."""
    members, moved_down = candidate.members, candidate.moved_down
    return order.generation_key(candidate.pairs, members[:moved_down], members[moved_down:], field.score)


def step_between(field: Field, earlier: Paired, later: Paired) -> str:
    """The first step by which the later candidate differs from the earlier; empty if in none."""
    return order.first_different_step(generation_key(field, earlier), generation_key(field, later))
