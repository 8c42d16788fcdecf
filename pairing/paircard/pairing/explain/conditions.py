"""Conditions on a round: opponents are taken away until only the rounds wanted are left.

Two players who have only each other must meet. The engine then pairs the field as it is.
"""

from collections.abc import Callable, Iterable

from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.bits import bits, mask_of


class Condition:
    """Takes opponents away until only the rounds wanted are left.

    It is met in a bracket if all ``inside`` are members of it. ``pair`` are the two who must meet, if that
    is the condition.
    """

    def __init__(
        self, apply: Callable[[Field], None], inside: Iterable[int] = (), pair: tuple[int, ...] = ()
    ) -> None:
        self.apply = apply
        self.inside = frozenset(inside)
        self.pair = pair

    def met_in(self, members: list[int]) -> bool:
        return bool(self.inside) and self.inside <= set(members)


def together(a: int, b: int) -> Condition:
    """These two meet."""

    def apply(field: Field) -> None:
        only(field, a, field.adjacent[a] & 1 << b)
        only(field, b, field.adjacent[b] & 1 << a)
        field.may_have_pab[a] = field.may_have_pab[b] = False

    return Condition(apply, (a, b), (min(a, b), max(a, b)))


def paired_among(a: int, members: list[int]) -> Condition:
    """This player is paired with one of these, instead of floating on."""

    def apply(field: Field) -> None:
        only(field, a, field.adjacent[a] & mask_of(members))
        field.may_have_pab[a] = False

    return Condition(apply, (a, *members))


def leaving(a: int, members: list[int]) -> Condition:
    """This player is paired with none of these, and floats on or has the bye."""

    def apply(field: Field) -> None:
        only(field, a, field.adjacent[a] & ~mask_of(members))

    return Condition(apply)


def with_the_bye(a: int) -> Condition:
    """This player has the pairing-allocated bye."""

    def apply(field: Field) -> None:
        only(field, a, 0)
        field.may_have_pab = [may and i == a for i, may in enumerate(field.may_have_pab)]

    return Condition(apply)


def without_the_bye(a: int) -> Condition:
    """This player has an opponent."""

    def apply(field: Field) -> None:
        field.may_have_pab[a] = False

    return Condition(apply)


def all_of(*conditions: Condition) -> Condition:
    """Several conditions at once."""

    def apply(field: Field) -> None:
        for each in conditions:
            each.apply(field)

    return Condition(apply, (i for each in conditions for i in each.inside))


def only(field: Field, a: int, opponents: int) -> None:
    """Leave a player these opponents alone."""
    gone = field.adjacent[a] & ~opponents
    field.adjacent[a] = opponents
    for i in bits(gone):
        field.adjacent[i] &= ~(1 << a)
