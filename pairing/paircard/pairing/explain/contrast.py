"""Why the round is not another one: the rule that forbids it, or the first criterion that would get worse."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.criteria import Value, first_different_step
from paircard.pairing.dutch.field import BYE, Bar, Field, barred_from_bye, rule_against
from paircard.pairing.dutch.graphs import Completion
from paircard.pairing.dutch.pairing import publish
from paircard.pairing.explain.colours import Clash, LastRound, clash_of, last_round
from paircard.pairing.explain.forced import Condition, Forced, Solved, together, with_the_bye
from paircard.pairing.explain.measures import end_of, first_difference, generation_key
from paircard.pairing.matching.cardinality import augment, bits, mask_of, maximise
from paircard.pairing.outcome import Board, BracketTrace, PairingError
from paircard.projections.round.snapshot import Snapshot

# --- far causes: why a pair here leaves somebody there without an opponent


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why not all players can be paired. Ids; 0 stands for the bye."""

    nobody: int = 0
    """The player without an opponent left; 0 where a group is short of opponents, or the bye of players."""
    no_bye: bool = False
    """Whether nobody is left who may have the bye."""
    chain: tuple[tuple[int, int], ...] = ()
    """Pairs that then have to be made, in order: a player and the only opponent left."""
    group: tuple[int, ...] = ()
    """Players who can be paired only among themselves and with ``helpers``, which is not enough."""
    helpers: tuple[int, ...] = ()
    alone: bool = False
    """Whether no two of the group may meet, so that only helpers are left."""
    bracket: int = -1
    """Index of the bracket whose pairs stand while this happens; -1 where it does not depend on one."""


def cause_below(field: Field, completion: Completion, floaters: Sequence[int], end: int) -> Cause | None:
    """Why these and everyone from ``end`` down cannot all be paired; None if they can."""
    adjacent, alive = completion.adjacent, completion.alive(end) | mask_of(floaters)
    return _propagated(field, adjacent, alive) or _short_of_opponents(field, adjacent, alive)


def _propagated(field: Field, adjacent: Sequence[int], alive: int) -> Cause | None:
    """The chain of only opponents, as far as it leads to somebody without one."""
    rows = {i: adjacent[i] & alive & ~(1 << i) for i in bits(alive)}
    steps: list[tuple[int, int]] = []
    by: dict[int, int] = {}  # player -> the step that took them
    while rows:
        fewest = min(rows, key=lambda i: (rows[i].bit_count(), i == field.n, i))
        options = rows[fewest]
        if options.bit_count() > 1:
            return None
        if not options:
            return _chain(field, adjacent, alive, steps, by, fewest)
        other = options.bit_length() - 1
        by[fewest] = by[other] = len(steps)
        steps.append((fewest, other))
        del rows[fewest], rows[other]
        taken = ~(1 << fewest | 1 << other)
        rows = {i: row & taken for i, row in rows.items()}
    return None


def _chain(
    field: Field,
    adjacent: Sequence[int],
    alive: int,
    steps: list[tuple[int, int]],
    by: dict[int, int],
    end: int,
) -> Cause:
    """Only those steps that took an opponent from somebody in the chain."""
    wanted: set[int] = set()
    open_ = [end]
    while open_:
        i = open_.pop()
        before = by.get(i, len(steps))
        for j in bits(adjacent[i] & alive & ~(1 << i)):
            step = by.get(j, before)
            if step < before and step not in wanted:
                wanted.add(step)
                open_.append(steps[step][0])
    chain = tuple((_id(field, steps[k][0]), _id(field, steps[k][1])) for k in sorted(wanted))
    return Cause(nobody=_id(field, end), no_bye=end == field.n, chain=chain)


SUBSETS: Final = 2000
"""Choices of odd components looked at to name as few players as possible."""


def _short_of_opponents(field: Field, adjacent: Sequence[int], alive: int) -> Cause | None:
    """[Berge] Odd groups that have fewer outside opponents than there are such groups, as few as will do.

    Each group comes out odd (Gallai), so each needs somebody from outside. With nobody outside one group is
    enough. There are always enough of them without the one that the bye belongs to.
    """
    mate = [-1] * len(adjacent)
    rows = list(adjacent)
    left = maximise(rows, mate, alive)
    if not left:
        return None
    even = 0
    for root in left:
        even |= augment(rows, mate.copy(), root, alive)
    groups = [group for group in _components(rows, even) if not group >> field.n & 1]
    sight = {group: _seen_by(rows, bits(group)) & alive & ~even for group in groups}
    groups.sort(key=int.bit_count)
    picked = tuple(groups)
    for many in range(1, len(groups)):
        if comb(len(groups), many) > SUBSETS:
            break
        short = [some for some in combinations(groups, many) if _seen_by(sight, some).bit_count() < many]
        if short:
            picked = min(short, key=lambda some: sum(map(int.bit_count, some)))
            break
    return Cause(
        group=tuple(_id(field, i) for i in sorted(i for group in picked for i in bits(group))),
        helpers=tuple(_id(field, i) for i in bits(_seen_by(sight, picked))),
        alone=all(group.bit_count() == 1 for group in picked),
    )


def _components(rows: Sequence[int], within: int) -> list[int]:
    """The parts of a graph that hang together."""
    found = []
    while within:
        part, new = 0, within & -within
        while new:
            part |= new
            new = _seen_by(rows, bits(new)) & within & ~part
        found.append(part)
        within &= ~part
    return found


def _seen_by(rows: Sequence[int] | Mapping[int, int], these: Iterable[int]) -> int:
    return reduce(or_, (rows[i] for i in these), 0)


def _id(field: Field, place: int) -> int:
    return field.players[place].id if place < field.n else 0


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """The real round compared with the best one under a condition."""

    outcome: str
    """``real`` (the round is like that), ``absent``, ``forbidden`` (an absolute rule), ``incomplete`` (the
    others could not all be paired), ``worse`` (by a criterion) or ``later`` (equal, but generated later)."""
    criterion: str = ""
    """The rule or criterion that decides, by its name in the edition; empty for ``later``."""
    article: str = ""
    """For ``later``, the article of the step by which the candidates differ."""
    step: str = ""
    """That step: ``mdp-set``, ``mdp-opponents``, ``exchange`` or ``transposition``."""
    bars: tuple[Bar, ...] = ()
    """What is forbidden."""
    absent: tuple[int, ...] = ()
    """Players who were not to be paired."""
    scores: tuple[int, ...] = ()
    """Of the players asked about, in their order; the bye has none."""
    cause: Cause | None = None
    """For ``incomplete``, who would be left without an opponent. Else why the pairs chosen in that bracket
    could not stand, where they have nothing to do with the players asked about."""
    bracket: int = -1
    """Index of the first bracket that differs."""
    real: BracketTrace | None = None
    """The candidate chosen in that bracket."""
    other: BracketTrace | None = None
    """The best candidate there under the condition."""
    real_value: Value | None = None
    other_value: Value | None = None
    boards: tuple[Board, ...] = ()
    """The best round under the condition, in the order of publication."""
    pab: int = 0
    """Who has the bye in it."""
    untried: int = 0
    """0 where no better round meets the condition; else how many sets of downfloaters that bracket has: too
    many to try one by one, so the criterion that decides might be a later one."""
    last_round: LastRound | None = None
    """Of the last round, whether the players asked about are topscorers."""
    clash: Clash | None = None
    """Where both must have the same colour and might meet, since one is a topscorer."""


def why_not(snapshot: Snapshot, a: int, b: int) -> Contrast:
    """Why these two do not meet in the round; ``BYE`` for one of them asks about the bye.

    Raises ``PairingError`` for a player who is not in the snapshot and for a player against themself,
    ``NoLegalRound`` where there is no round to explain.
    """
    known = {player.id: player for player in snapshot.players}
    for id in (a, b):
        if id != BYE and id not in known:
            raise PairingError("pairing.not-in-the-tournament", player=id)
    if a == b:
        raise PairingError("pairing.meets-themself")
    absent = tuple(id for id in (a, b) if id != BYE and known[id].absent)
    if absent:
        return Contrast(outcome="absent", absent=absent)
    asked = [id for id in (a, b) if id != BYE]
    real = Solved(snapshot)
    field = real.field
    return replace(
        contrast_of(real, a, b),
        scores=tuple(known[id].score for id in asked),
        last_round=last_round(snapshot, field, asked),
        clash=clash_of(field, field.place[a], field.place[b]) if a and b else None,
    )


def contrast_of(real: Solved, a: int, b: int) -> Contrast:
    """``why_not`` on a round already solved, for players who are to be paired."""
    place = real.field.place
    if BYE in (a, b):
        one = place[a or b]
        return _why_no_bye(real, one)
    i, j = sorted((place[a], place[b]))
    bar = rule_against(real.field, i, j)
    if bar is not None:
        return Contrast(outcome="forbidden", criterion=bar.rule, bars=(bar,))
    if any((i, j) in bracket.pairs for bracket in real.brackets):
        return Contrast(outcome="real")
    return contrast_with_best(real, together(i, j))


def _why_no_bye(real: Solved, one: int) -> Contrast:
    field = real.field
    if not real.completion.odd:
        return Contrast(outcome="forbidden", criterion="even")
    if not field.may_have_pab[one]:
        bar = barred_from_bye(field, one)
        return Contrast(outcome="forbidden", criterion=bar.rule, bars=(bar,))
    if real.brackets[-1].floaters == [one]:
        return Contrast(outcome="real")
    return contrast_with_best(real, with_the_bye(one))


def contrast_with_best(real: Solved, condition: Condition) -> Contrast:
    """The real round against the best one under the condition."""
    forced = Forced(real, condition)
    edition = real.field.edition
    if not forced.possible:
        cause = cause_below(forced.field, forced.completion, [], 0)
        return Contrast(outcome="incomplete", criterion=edition.name_of("C4"), cause=cause)
    if forced.index < 0:
        return Contrast(outcome="real")
    last = forced.brackets[-1].floaters
    found = replace(
        compare_candidates(real, forced.index, forced.brackets[forced.index]),
        boards=publish(real.snapshot, real.field, forced.brackets),
        pab=real.field.players[last[0]].id if last else 0,
        untried=forced.untried,
        cause=far_cause(real, forced),
    )
    if not forced.pab:
        return found
    return replace(
        found,
        outcome="worse",
        criterion="C5",
        article="",
        step="",
        real_value=real.completion.pab_score,
        other_value=forced.completion.pab_score,
    )


def far_cause(real: Solved, forced: Forced) -> Cause | None:
    """Who would be left below, if the first bracket that differs stood as it is.

    Only for two who are to meet; None where the bracket's own pairs contradict that: then the cause is near.
    """
    bracket = real.brackets[forced.index]
    if not forced.condition.pair or not all(forced.field.adjacent[i] >> j & 1 for i, j in bracket.pairs):
        return None
    cause = cause_below(forced.field, forced.completion, bracket.floaters, end_of(real.field, bracket))
    return cause and replace(cause, bracket=forced.index)


def compare_candidates(real: Solved, index: int, other: Paired) -> Contrast:
    """The chosen candidate of a bracket against another one."""
    one = real.brackets[index]
    shown, instead = real.chosen(index), real.trace(other)
    common = Contrast(outcome="worse", bracket=index, real=shown, other=instead)
    name = first_difference(shown.values, instead.values)
    if real.field.edition.joins_last_brackets and (
        one.members != other.members or (name and instead.values[name] < shown.values[name])  # type: ignore[operator]
    ):
        # [2012 C.13] What comes first there is that the lowest bracket can be paired.
        lowest = real.field.edition.name_of("C4")
        return Contrast(outcome="incomplete", criterion=lowest, bracket=index, real=shown)
    if name:
        return replace(
            common, criterion=name, real_value=shown.values[name], other_value=instead.values[name]
        )
    step = first_different_step(generation_key(real.field, one), generation_key(real.field, other))
    article = real.field.edition.order_articles.get(step, "")
    return replace(common, outcome="later", step=step, article=article)
