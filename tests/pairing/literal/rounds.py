"""The literal generator: a second opinion on small rounds, written from the text alone.

It lists the candidates of each bracket exactly in the order the articles prescribe, judges each one as a
whole (``criteria.py``), and keeps the first best: 1.9 and 3 (2026), A.9 with PPB and CLB (2017).
It is slow and shares no code with the fast engine, so that where the two agree, two readings of the text
agree.
"""

from typing import Final

import msgspec

from paircard.pairing.outcome import Board
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.literal.candidates import best_sets_2017, best_sets_2026, first_best, values_clb
from tests.pairing.literal.criteria import (
    Bracket,
    Values,
    prepared,
    rules_2012,
    values_2017,
    values_2026,
)
from tests.pairing.literal.field import OTHER, Field, TooLarge, allocate, as_set, ranks
from tests.pairing.literal.istanbul import Paired, Procedure

LIMIT: Final = 12
"""Players in one bracket up to which all candidates are generated."""


def literal_pair(snapshot: Snapshot, limit: int = LIMIT) -> tuple[tuple[Board, ...], int]:
    """Boards in published order and the id of the PAB player, 0 for none.

    Raises NoLegalRound where the arbiter must decide, TooLarge above ``limit`` players in a bracket.
    """
    field, brackets = paired(snapshot, limit)
    article = "5.2" if snapshot.edition == "dutch-2026" else "E"
    widest = not snapshot.edition.startswith("dutch-2012")
    initial = snapshot.initial_colour
    if snapshot.edition == "dutch-2012-javafo" and snapshot.round > 1:
        initial = OTHER[initial]
    boards = []
    for _, pairs, _, _ in brackets:
        for a, b in pairs:
            white, black, rule = allocate(field.cards[a], field.cards[b], initial, widest)
            high, low = sorted((white, black), key=lambda card: card.rank)
            # [C.04.2:3.6] score of the higher ranked, sum of both, number of the higher ranked
            order = (-high.score, -high.score - low.score, high.number)
            boards.append((order, Board(white.id, black.id, f"{article}.{rule}")))
    leftover = brackets[-1][2] if brackets else ()
    pab = field.cards[leftover[0]].id if leftover else 0
    return tuple(board for _, board in sorted(boards, key=lambda item: item[0])), pab


def paired(snapshot: Snapshot, limit: int = LIMIT) -> tuple[Field, list[Paired]]:
    """The brackets of the round in the order they were paired; a PPB only as it was paired at last."""
    field, pab_score, groups = prepared(snapshot)
    if any(group.bit_count() > limit for group in groups):
        raise TooLarge(f"a scoregroup has more than {limit} players, too many to list its candidates")
    if snapshot.edition == "dutch-2026":
        return field, brackets_2026(field, groups, pab_score, limit)
    if snapshot.edition == "dutch-2017":
        return field, brackets_2017(field, groups, limit)
    procedure = Procedure(field, groups, rules_2012(snapshot), lambda one: refuse_if_large(one, limit))
    return field, procedure.run()


def brackets_2026(field: Field, groups: tuple[int, ...], pab_score: int | None, limit: int) -> list[Paired]:
    """[1.9, 3] Top down, each bracket with completion."""
    done: list[Paired] = []
    floaters: tuple[int, ...] = ()
    for place, group in enumerate(groups):
        bracket = Bracket(mdps=floaters, residents=tuple(ranks(group)), below=groups[place + 1 :])
        refuse_if_large(bracket, limit)
        done.append(pair_bracket(field, bracket, best_sets_2026(field, bracket, pab_score), "dutch-2026"))
        floaters = tuple(sorted(done[-1][2]))
    return done


def brackets_2017(field: Field, groups: tuple[int, ...], limit: int) -> list[Paired]:
    """[A.9] Top down; where the rest cannot be completed, the bracket is the PPB and all below it the CLB."""
    done: list[Paired] = []
    floaters: tuple[int, ...] = ()
    for place, group in enumerate(groups):
        bracket = Bracket(mdps=floaters, residents=tuple(ranks(group)), below=groups[place + 1 :])
        refuse_if_large(bracket, limit)
        outcome = pair_bracket(field, bracket, best_sets_2017(field, bracket), "dutch-2017")
        if not field.completes(as_set(outcome[2]) | bracket.rest()):
            ppb = msgspec.structs.replace(bracket, kind="PPB")
            done.append(pair_bracket(field, ppb, best_sets_2017(field, ppb), "dutch-2017"))
            clb = Bracket(mdps=tuple(sorted(done[-1][2])), residents=tuple(ranks(bracket.rest())), kind="CLB")
            refuse_if_large(clb, limit)
            done.append(pair_bracket(field, clb, best_sets_2017(field, clb), "dutch-2017"))
            return done
        done.append(outcome)
        floaters = tuple(sorted(outcome[2]))
    return done


def pair_bracket(field: Field, bracket: Bracket, sets: frozenset[int], edition: str) -> Paired:
    """The first best candidate of the bracket."""
    judge = values_2026 if edition == "dutch-2026" else values_clb if bracket.kind == "CLB" else values_2017
    (pairs, floaters), values = first_best(field, bracket, sets, judge)
    return bracket, pairs, floaters, values


def refuse_if_large(bracket: Bracket, limit: int) -> None:
    """Say so where listing the candidates would take too long."""
    size = len(bracket.mdps) + len(bracket.residents)
    if size > limit:
        raise TooLarge(f"a bracket of {size} players is above {limit}, too many to list its candidates")


# --- the same in ids


class PairedBracket(msgspec.Struct, frozen=True, kw_only=True):
    """What a bracket came to, in ids."""

    kind: str
    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    """S1 player first, in the order of S1."""
    downfloaters: tuple[int, ...]
    values: Values
    """[C10–C21] (2026), [C.8–C.19] (2017), in the CLB with [C.6] before them."""


def literal_brackets(snapshot: Snapshot) -> tuple[PairedBracket, ...]:
    """The brackets of the round in the order they were paired; a PPB only as it was paired at last."""
    field, brackets = paired(snapshot)

    def ids(players: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(field.cards[rank].id for rank in players)

    return tuple(
        PairedBracket(
            kind=bracket.kind,
            mdps=ids(bracket.mdps),
            residents=ids(bracket.residents),
            pairs=tuple((field.cards[a].id, field.cards[b].id) for a, b in pairs),
            downfloaters=ids(floaters),
            values=values,
        )
        for bracket, pairs, floaters, values in brackets
    )
