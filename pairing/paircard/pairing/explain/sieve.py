"""The sieve: the candidates of a bracket in the order of generation, with their values, until one is left.

As the documents do it by hand: candidates with pairs that may not meet are left out at once; the others are
compared criterion by criterion with the best so far, and of equals the first one stays.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import msgspec

from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.field import (
    ABSOLUTE,
    BLACK,
    DOWN,
    DOWN_BEFORE,
    STRONG,
    UP,
    UP_BEFORE,
    WHITE,
    Bar,
    Field,
    rule_against,
)
from paircard.pairing.dutch.listed import TooMany
from paircard.pairing.explain.colours import LastRound, last_round
from paircard.pairing.explain.forced import Solved
from paircard.pairing.explain.measures import (
    FLOATS,
    Generation,
    Numbers,
    clashes,
    end_of,
    first_difference,
    numbers_of,
)
from paircard.pairing.explain.why import must_complete, rest_of
from paircard.pairing.outcome import BracketTrace, PairingError
from paircard.projections.round.snapshot import Snapshot

# --- Appendix P.2: which criteria are active in a bracket, and their minima, before a candidate is made.
# Written for 2017; the criteria of 2026 that correspond to them are counted alike, under their own names.


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

    def due(colour: int, strength: int) -> int:
        return sum(field.due[i] == colour and field.strength[i] >= strength for i in members)

    active: dict[str, Value | None] = {}
    if m0:
        active["C7"] = None
    wide = [[i for i in members if field.difference[i] * sign > 1] for sign in (1, -1)]
    often: dict[str, int] = {}
    if any(topscorer_and_another(field, some) for some in wide):
        often["C10"] = max(map(len, wide))
    rows = [sum(field.games[i][-2:] == 2 * colour for i in members) for colour in "wb"]
    absolute = [i for i in members if field.strength[i] == ABSOLUTE]
    for row, colour in zip(rows, (BLACK, WHITE), strict=True):
        if row and topscorer_and_another(field, [i for i in absolute if field.due[i] == colour]):
            often["C11"] = max(rows)
    active |= {name: max(0, n - (size - cmp)) for name, n in often.items() if n != size}
    for name, strength in (("C12", 1), ("C13", STRONG)):
        white, black = due(WHITE, strength), due(BLACK, strength)
        few = not floaters and min(size - white, size - black) <= 1
        if max(white, black) not in (0, 1, size) and not few:
            active[name] = clashes(field, members, cmp, strength)
    lists: dict[str, Value | None] = {}
    levels = len({field.score[i] for i in members})
    for count, listed, sign in FLOATS:
        floated = [i for i in members if field.floated[i] & sign]
        down, again = sign in (DOWN, DOWN_BEFORE), len([i for i in floated if i in residents])
        if 0 < again < res and (clb or (floaters if down else cm1)):
            active[count] = max(0, again - (2 * cmp - cm1 if down else res - cm1))
        if down and any(field.score[i] > low for i in floated) and (clb or m0 > cm1):
            lists[listed] = (0,) * (m0 - cm1)
        elif not down and levels > 2 and again:
            lists[listed] = (0,) * cm1
    active |= lists
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


# --- the sieve


ROWS: Final = 40
"""Candidates shown of a bracket."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate."""

    place: int
    """Among those listed, from 1; 0 for the chosen one where it comes after the last that is listed."""
    candidate: BracketTrace
    """With all its values."""
    excluded: str = ""
    """The first criterion in which it is worse than the chosen one; empty for the chosen one, and for one
    that is equal and comes later."""
    chosen: bool = False
    champion: bool = False
    """Whether it was the best so far when it was generated."""
    bars: tuple[Bar, ...] = ()
    """Its pairs that may not meet: it is illegal."""
    failures: tuple[Bar, ...] = ()
    """Pairs, and players (``b`` is 0), that fail a criterion on colours or floats."""


class Sieve(msgspec.Struct, frozen=True, kw_only=True):
    """One bracket."""

    bracket: int
    """Number from the top, from 1."""
    chosen: BracketTrace
    members: tuple[int, ...]
    """In the order of their sequence numbers (BSN), from 1."""
    numbers: Numbers
    incompatible: tuple[Bar, ...]
    """Pairs of members who may not meet."""
    rows: tuple[Row, ...]
    whole: bool
    """Whether all legal candidates are listed."""
    rest: tuple[tuple[int, int], ...]
    """One legal pairing of all who are left; 0 is the bye."""
    last_round: LastRound | None = None
    """Of the last round, which members are topscorers."""
    appendix: AppendixP | None = None
    """Active criteria and minima (Appendix P); none in 2012, which has another procedure."""


def sieves(snapshot: Snapshot, rows: int = ROWS, illegal: bool = False) -> tuple[Sieve, ...]:
    """The sieve of every bracket. Raises ``NoLegalRound`` where there is no round."""
    real = Solved(snapshot)
    return tuple(sieve_of(real, index, rows, illegal) for index in range(len(real.brackets)))


def sieve(snapshot: Snapshot, bracket: int, rows: int = ROWS, illegal: bool = False) -> Sieve:
    """The sieve of one bracket, numbered from 1 at the top; with ``illegal`` candidates of all kinds."""
    real = Solved(snapshot)
    if not 1 <= bracket <= len(real.brackets):
        many = len(real.brackets)
        raise PairingError("pairing.no-such-bracket", round=snapshot.round, number=bracket, last=many)
    return sieve_of(real, bracket - 1, rows, illegal)


def sieve_of(real: Solved, index: int, limit: int, illegal: bool = False) -> Sieve:
    """The sieve of a bracket of a round already solved."""
    field, bracket = real.field, real.brackets[index]
    above = set(bracket.members[: bracket.moved_down])
    pairs = [pair for pair in combinations(bracket.members, 2) if not above.issuperset(pair)]
    members = tuple(field.players[i].id for i in bracket.members)
    rows, whole = list_candidates(real, index, limit, illegal)
    return Sieve(
        bracket=index + 1,
        chosen=real.chosen(index),
        members=members,
        numbers=numbers_of(field, bracket, real.values(index)),
        incompatible=tuple(bar for i, j in pairs if (bar := rule_against(field, i, j))),
        rows=rows,
        whole=whole,
        rest=rest_of(real, bracket),
        last_round=last_round(real.snapshot, field, members),
        appendix=None if field.edition.joins_last_brackets else appendix_p(field, bracket),
    )


def generate(real: Solved, bracket: Paired, illegal: bool = False) -> Iterator[Paired]:
    """All legal candidates: most pairs first, then most moved-down players paired (Appendix P 4.7.c)."""
    generation = Generation(real.field, bracket, illegal=illegal)
    residents = len(bracket.members) - bracket.moved_down
    for pairs in range(min(len(bracket.members) // 2, residents), -1, -1):
        for paired_mdps in range(min(bracket.moved_down, pairs), -1, -1):
            yield from generation.candidates(pairs, paired_mdps)


def list_candidates(
    real: Solved, index: int, limit: int, illegal: bool = False
) -> tuple[tuple[Row, ...], bool]:
    """Candidates up to the limit, the chosen one among them, and whether there are no more."""
    bracket, absolute = real.brackets[index], real.field.edition.name_of("C4")
    best: tuple[object, ...] | None = None
    rows: list[Row] = []
    whole = True
    try:
        for place, one in enumerate(generate(real, bracket, illegal), 1):
            if place > limit:
                whole = False
                break
            row = judge(real, index, one, place)
            if not row.bars and row.excluded != absolute and (best is None or rank(row) < best):
                best, row = rank(row), msgspec.structs.replace(row, champion=True)
            rows.append(row)
    except TooMany:
        whole = False
    if not any(row.chosen for row in rows):
        rows.append(judge(real, index, bracket, 0))
    return tuple(rows), whole


def judge(real: Solved, index: int, one: Paired, place: int) -> Row:
    """A candidate against the chosen one."""
    bracket = real.brackets[index]
    bars = tuple(bar for i, j in one.pairs if (bar := rule_against(real.field, i, j)))
    if bars:
        return Row(place=place, candidate=real.trace(one, {}), excluded=bars[0].rule, bars=bars)
    chosen = sorted(one.pairs) == sorted(bracket.pairs)
    shown = real.trace(one, all_values(real, index, one))
    return Row(
        place=place,
        candidate=shown,
        excluded=first_difference(all_values(real, index, bracket), shown.values),
        chosen=chosen,
        failures=tuple(bar for bar in failures_by_pair(real.field, one) if shown.values.get(bar.rule)),
    )


def failures_by_pair(field: Field, one: Paired) -> tuple[Bar, ...]:
    """Which pairs and players fail a criterion on colours or repeated floats, in its order."""
    ids, name = [player.id for player in field.players], field.edition.name_of
    above = set(one.members[: one.moved_down])
    found = [
        Bar(ids[i], ids[j], name(criterion))
        for criterion in field.clashes.criteria
        for i, j in one.pairs
        if criterion in field.clashes.failed(i, j)
    ]
    down = [i for i in one.floaters if i not in above]
    unequal = [(i, j) for i, j in one.pairs if field.score[i] != field.score[j]]
    up = [j for i, j in unequal if i in above or one.role == "CLB"]
    for criterion, _, sign in FLOATS:
        again = [i for i in (up if sign in (UP, UP_BEFORE) else down) if field.floated[i] & sign]
        found += [Bar(ids[i], 0, name(criterion)) for i in again]
    return tuple(found)


def all_values(real: Solved, index: int, one: Paired) -> dict[str, Value]:
    """All values, C4 first where the rest must be pairable: 1 if it is not."""
    edition, end = real.field.edition, end_of(real.field, one)
    if must_complete(real, one) and not real.completion.completes(one.floaters, end):
        return {edition.name_of("C4"): 1}
    return {edition.name_of("C4"): 0} | real.values_of(index, one)


def rank(row: Row) -> tuple[object, ...]:
    """Smaller is better; of equals the first stays."""
    values = row.candidate.values
    return tuple(value if isinstance(value, tuple) else (value,) for value in values.values())
