"""Warnings to be accepted by those who accept them all."""

from paircard.domain.deciding.decision import CAUTIONS


def codes_up_to(level: int) -> tuple[str, ...]:
    """Codes of the warnings up to a level."""
    return tuple(code for code, theirs in CAUTIONS.items() if theirs <= level)
