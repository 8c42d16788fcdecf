"""The round, bracket by bracket: 1.9 and 3 (2026), A.9 with PPB and CLB (2017); boards as published."""

from itertools import groupby
from typing import Final

import msgspec

from paircard.pairing.literal.candidates import (
    Bracket,
    best_sets_2017,
    best_sets_2026,
    c6_psd,
    c7_next_bracket,
    c8_next_bracket,
    c9_unplayed,
    first_best,
    values_2017,
    values_2026,
    values_clb,
)
from paircard.pairing.literal.field import (
    BARS_THE_PAB,
    OTHER,
    Field,
    TooLarge,
    allocate,
    as_set,
    bars_the_pab,
    ranks,
)
from paircard.pairing.literal.istanbul import Paired, Procedure, Report, Rules, report_2012
from paircard.pairing.outcome import Board, NoLegalRound, PairingError
from paircard.projections.round.snapshot import Snapshot

LIMIT: Final = 12
"""Players in one bracket up to which all candidates are generated."""

NAMES: Final = {
    "dutch-2026": tuple(f"C{number}" for number in range(10, 22)),
    "dutch-2017": tuple(f"C.{number}" for number in range(8, 20)),
}


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


def rules_2012(snapshot: Snapshot) -> Rules:
    """What the text and JaVaFo read differently, and what odd and even rounds do."""
    as_javafo = snapshot.edition == "dutch-2012-javafo"
    return Rules(
        odd_round=snapshot.round % 2 == 1,
        half_rule=not as_javafo,
        half_above_joined=as_javafo,
        joins_before_the_bye=as_javafo,
    )


def prepared(snapshot: Snapshot) -> tuple[Field, int | None, tuple[int, ...]]:
    """The field, the [C5] score of the PAB player (2026, odd pool) and the scoregroups, best first."""
    if snapshot.edition not in BARS_THE_PAB:
        raise PairingError("pairing.edition-unknown", text=snapshot.edition, known=tuple(BARS_THE_PAB))
    field = Field(snapshot)
    pab_score = None
    field.pab = field.pab or second_bye(snapshot, field)
    if not field.completes(field.everyone):
        raise NoLegalRound("pairing.no-legal-round-literal", round=snapshot.round, entered=len(field.cards))
    if snapshot.edition == "dutch-2026" and len(field.cards) % 2:
        pab_score = field.lowest_pab_score()  # [C5] fixed once for the round
        field.pab &= as_set(card.rank for card in field.cards if card.score == pab_score)
    groups = groupby(field.cards, key=lambda card: card.score)
    return field, pab_score, tuple(as_set(card.rank for card in group) for _, group in groups)


def second_bye(snapshot: Snapshot, field: Field) -> int:
    """JaVaFo 1.4, where everybody is barred from the bye: those who scored least often without playing."""
    if snapshot.edition != "dutch-2012-javafo":
        return 0
    letters = {player.id: player.letters for player in snapshot.players}
    bars = bars_the_pab(snapshot)
    often = [sum(letter in bars for letter in letters[card.id]) for card in field.cards]
    return as_set(card.rank for card, count in zip(field.cards, often, strict=True) if count == min(often))


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


def evaluate(
    snapshot: Snapshot, mdps: tuple[int, ...], residents: tuple[int, ...], pairs: tuple[tuple[int, int], ...],
    kind: str = "", added: int = 0,
) -> dict[str, Report]:  # fmt: skip
    """Each criterion's value for a candidate of a bracket, given in ids; smaller is better.

    C4 is 0 where the round can be completed and 1 where not. Criteria that do not apply are left out.
    ``kind``: the role of the bracket in the round; ``added``: so many residents are S1 of a joined bracket.
    """
    field, pab_score, groups = prepared(snapshot)
    rank_of = {card.id: card.rank for card in field.cards}
    inside = tuple(sorted(rank_of[id] for id in residents))
    below = tuple(group for group in groups if min(ranks(group)) > inside[-1])
    bracket = Bracket(
        mdps=tuple(sorted(rank_of[id] for id in mdps)), residents=inside, below=below, kind=kind
    )
    ranked = tuple((min(rank_of[a], rank_of[b]), max(rank_of[a], rank_of[b])) for a, b in pairs)
    unpaired = bracket.everyone() & ~as_set(rank for pair in ranked for rank in pair)
    floaters = tuple(ranks(unpaired))
    if snapshot.edition not in NAMES:
        return report_2012(field, rules_2012(snapshot), bracket, ranked, floaters, added)
    completes = 0 if field.completes(unpaired | bracket.rest()) else 1
    report: dict[str, Report]
    if snapshot.edition == "dutch-2026":
        report = {"C4": completes, "C6": unpaired.bit_count(), "C7": field.scores(unpaired)}
        if below and not completes:
            report["C8"] = c8_next_bracket(field, bracket, unpaired)
        report["C9"] = c9_unplayed(field, bracket, unpaired, pab_score)
        values = values_2026(field, bracket, ranked, floaters)
    else:
        report = {"C.4": completes, "C.5": len(floaters), "C.6": c6_psd(field, bracket, ranked, floaters)}
        if below and kind == "":
            report["C.7"] = c7_next_bracket(field, bracket, unpaired)
        values = values_2017(field, bracket, ranked, floaters)
    return report | dict(zip(NAMES[snapshot.edition], values, strict=True))
