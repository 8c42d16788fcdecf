"""Appendix P.2: which criteria are active in a bracket, and their minima, before a candidate is made.

Written for 2017; the criteria of 2026 that correspond to them are counted alike, under their own names.
"""

from collections.abc import Callable

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.field import DOWN, DOWN_BEFORE, UP, UP_BEFORE, Field
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, STRONG, WHITE


class AppendixP(msgspec.Struct, frozen=True, kw_only=True):
    """What Appendix P.1 and P.2 find in a bracket."""

    numbers: dict[str, int]
    """NP, M0, Res, CMP, Fls, CM1, and how many expect White (wS) and Black (bS), strongly (WS, BS)."""
    active: dict[str, Value | None]
    """Active criteria with their minima; None where the text counts none (P.3.2, and in a CLB)."""


def appendix_p(field: Field, bracket: Paired) -> AppendixP:
    """[P.1, P.2] For a bracket as it comes to be paired."""
    members, m0 = bracket.members, bracket.moved_down
    residents, low = members[m0:], field.score[members[-1]]
    size, res = len(members), len(residents)
    cmp = min(size // 2, res)
    floaters, cm1, clb = size - 2 * cmp, min(m0, cmp), bracket.role == "CLB"

    def many(test: Callable[[int], bool], among: list[int] = members) -> int:
        return sum(test(i) for i in among)

    def due(colour: int, strength: int) -> int:
        return many(lambda i: field.due[i] == colour and field.strength[i] >= strength)

    active: dict[str, Value | None] = {}
    if m0:
        active["C7"] = None
    wide = [[i for i in members if field.difference[i] * sign > 1] for sign in (1, -1)]
    often: dict[str, int] = {}
    if any(topscorer_and_another(field, some) for some in wide):
        often["C10"] = max(map(len, wide))
    rows = [many(lambda i, c=c: field.games[i][-2:] == 2 * c) for c in "wb"]  # type: ignore[misc]
    absolute = [i for i in members if field.strength[i] == ABSOLUTE]
    for row, colour in zip(rows, (BLACK, WHITE), strict=True):
        if row and topscorer_and_another(field, [i for i in absolute if field.due[i] == colour]):
            often["C11"] = max(rows)
    active |= {name: max(0, n - (size - cmp)) for name, n in often.items() if n != size}
    for name, strength in (("C12", 1), ("C13", STRONG)):
        white, black = due(WHITE, strength), due(BLACK, strength)
        few = not floaters and min(size - white, size - black) <= 1
        if max(white, black) not in (0, 1, size) and not few:
            active[name] = max(0, cmp - (size - white - black) - min(white, black))
    for name, sign, going in (
        ("C14", DOWN, floaters),
        ("C15", UP, cm1),
        ("C16", DOWN_BEFORE, floaters),
        ("C17", UP_BEFORE, cm1),
    ):
        again = many(lambda i, s=sign: bool(field.floated[i] & s), residents)  # type: ignore[misc]
        if 0 < again < res and (clb or going):
            spare = 2 * cmp - cm1 if sign in (DOWN, DOWN_BEFORE) else res - cm1
            active[name] = max(0, again - spare)
    levels = len({field.score[i] for i in members})
    for name, sign in (("C18", DOWN), ("C19", UP), ("C20", DOWN_BEFORE), ("C21", UP_BEFORE)):
        if sign in (DOWN, DOWN_BEFORE):
            higher = many(lambda i, s=sign: bool(field.floated[i] & s) and field.score[i] > low)  # type: ignore[misc]
            if higher and (clb or m0 > cm1):
                active[name] = (0,) * (m0 - cm1)
        elif levels > 2 and many(lambda i, s=sign: bool(field.floated[i] & s), residents):  # type: ignore[misc]
            active[name] = (0,) * cm1
    if clb:
        active = dict.fromkeys(active)
    return AppendixP(
        numbers={"NP": size, "M0": m0, "Res": res, "CMP": cmp, "Fls": floaters, "CM1": cm1}
        | {"wS": due(WHITE, 1), "bS": due(BLACK, 1), "WS": due(WHITE, STRONG), "BS": due(BLACK, STRONG)},
        active=field.edition.named(active),
    )


def topscorer_and_another(field: Field, some: list[int]) -> bool:
    """[P.2.2, P.2.3] Whether these are two or more, a topscorer among them."""
    return len(some) > 1 and any(field.topscorer[i] for i in some)
