"""What was tried before the chosen candidate: the first one generated, the first legal one, and the steps."""

from dataclasses import replace

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import Edition
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.explain.contrast import (
    Bar,
    Cause,
    barred_from_bye,
    candidate,
    cause_below,
    rule_against,
)
from paircard.pairing.explain.forced import Solved
from paircard.pairing.explain.generation import Generation, first
from paircard.pairing.explain.measures import end_of, first_difference
from paircard.pairing.outcome import BracketTrace


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate before the chosen one, and what excluded it."""

    candidate: BracketTrace
    chosen: bool = False
    """Whether it is the one that was chosen."""
    criterion: str = ""
    """The rule or criterion that excluded it."""
    bars: tuple[Bar, ...] = ()
    """Its pairs that may not meet."""
    real_value: Value | None = None
    other_value: Value | None = None
    """Values of the criterion: of the chosen candidate, and of this one."""
    cause: Cause | None = None
    """Where the rest of the round could not be paired: who would be left."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the chosen candidate departs from the first one generated."""

    kind: str
    """``mdp-set``, ``mdp-opponents``, ``exchange`` or ``transposition``."""
    article: str
    players: tuple[int, ...] = ()
    """Of a set: who is paired. Of a transposition: the other half in the order in which it is met."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Of opponents: moved-down player and resident. Of an exchange: who goes down, who comes up."""


def natural_of(real: Solved, index: int) -> Tried:
    """The first candidate of a bracket, for the numbers of pairs and of paired MDPs that were found."""
    bracket = real.brackets[index]
    made = first_generated(real, bracket)
    if sorted(made.pairs) == sorted(bracket.pairs):
        return Tried(candidate=candidate(real, bracket, real.values(index)), chosen=True)
    bars = tuple(bar for i, j in made.pairs if (bar := rule_against(real.field, i, j)))
    if bars:
        return Tried(candidate=candidate(real, made, {}), criterion=bars[0].rule, bars=bars)
    if must_complete(real, bracket) and not real.completion.completes(
        made.floaters, end_of(real.field, bracket)
    ):
        return _incompletable(real, made)
    return judge(real, index, made)


def first_legal(real: Solved, index: int, natural: Tried) -> Tried | None:
    """The first candidate that complies with the absolute criteria, where the natural one does not.

    None where the natural one does, and where too many candidates would have to be listed to find it.
    """
    bracket, field = real.brackets[index], real.field
    if natural.chosen or natural.real_value is not None or natural.other_value is not None:
        return None
    above = bracket.members[: bracket.moved_down]
    limbo = [field.score[i] for i in bracket.floaters if i in above]
    end, complete = end_of(field, bracket), must_complete(real, bracket)
    found = first(
        Generation(field, bracket).candidates(
            len(bracket.pairs), len(above) - len(limbo), None if field.edition.measures_differences else limbo
        ),
        lambda one: not complete or real.completion.completes(one.floaters, end),
    )
    if found is None:
        return None
    if sorted(found.pairs) == sorted(bracket.pairs):
        return Tried(candidate=candidate(real, bracket, real.values(index)), chosen=True)
    return judge(real, index, found)


def judge(real: Solved, index: int, other: Paired) -> Tried:
    """A legal candidate against the chosen one."""
    shown = candidate(real, other)
    name = first_difference(real.values(index), shown.values)
    joins = real.field.edition.joins_last_brackets
    if joins and (not name or shown.values[name] < real.values(index)[name]):  # type: ignore[operator]
        # [2012 C.13] The lowest bracket comes first; in a joined one the bracket added last is S1.
        return Tried(candidate=shown, criterion=real.field.edition.name_of("C4"))
    return Tried(
        candidate=shown,
        criterion=name,
        real_value=real.values(index).get(name),
        other_value=shown.values.get(name),
    )


def must_complete(real: Solved, bracket: Paired) -> bool:
    """[C4; 2017 C.4 and 2012 C.13 only in the last two brackets] Whether the rest must be pairable."""
    field = real.field
    if field.edition.completes_every_bracket or bracket.role == "PPB" or end_of(field, bracket) == field.n:
        return True
    return any(one.anew and one.members == bracket.members for one in real.brackets[-2:])


def _incompletable(real: Solved, made: Paired) -> Tried:
    """[C4] The rest could not be paired; in the last bracket, the bye could not be given (C2, C5)."""
    field, end = real.field, end_of(real.field, made)
    plain = Tried(candidate=candidate(real, made, {}), criterion=field.edition.name_of("C4"))
    if end < field.n or len(made.floaters) != 1:
        cause = cause_below(field, real.completion, made.floaters, end)
        return msgspec.structs.replace(plain, cause=cause)
    lone = made.floaters[0]
    if not field.may_have_pab[lone]:
        bar = barred_from_bye(field, lone)
        return msgspec.structs.replace(plain, criterion=bar.rule, bars=(bar,))
    return msgspec.structs.replace(
        plain, criterion="C5", real_value=real.completion.pab_score, other_value=field.score[lone]
    )


def first_generated(real: Solved, bracket: Paired) -> Paired:
    """S1 against S2 in their order: the MDPs first, then the remainder.

    Where fewer MDPs could be paired than there are pairs to make, it is the candidate that pairs as many as
    there might have been (Appendix P 1.4): what excludes it is the reason why there are fewer.
    """
    field = real.field
    above, residents = bracket.members[: bracket.moved_down], bracket.members[bracket.moved_down :]
    limbo = [i for i in bracket.floaters if i in above]
    most = min(len(above), len(bracket.pairs))
    if field.edition.measures_differences or len(above) - len(limbo) < most:
        s1 = above[:most]
    else:  # [4.4] the first set whose limbo has the scores that C7 leaves
        left = [field.score[i] for i in limbo]
        s1 = []
        for i in reversed(above):
            if field.score[i] in left:
                left.remove(field.score[i])
            else:
                s1.insert(0, i)
    pairs = list(zip(s1, residents, strict=False))
    remainder = residents[len(pairs) :]
    many = len(bracket.pairs) - len(pairs)
    pairs += list(zip(remainder[:many], remainder[many : 2 * many], strict=True))
    met = {i for pair in pairs for i in pair}
    floaters = [i for i in bracket.members if i not in met]
    return replace(bracket, pairs=pairs, floaters=floaters, route="natural")


def steps_of(edition: Edition, natural: BracketTrace, chosen: BracketTrace) -> tuple[Step, ...]:
    """Every alteration by which the chosen candidate arises from the first one generated."""
    articles = edition.order_articles
    steps = []
    paired = tuple(a for a, _ in chosen.mdp_pairs)
    if paired != tuple(a for a, _ in natural.mdp_pairs):
        steps.append(Step(kind="mdp-set", article=articles["mdp-set"], players=paired))
    if [b for _, b in chosen.mdp_pairs] != list(chosen.residents[: len(paired)]):
        steps.append(Step(kind="mdp-opponents", article=articles["mdp-opponents"], pairs=chosen.mdp_pairs))
    if chosen.moved_to_s1:
        moved = tuple(zip(chosen.moved_to_s2, chosen.moved_to_s1, strict=True))
        steps.append(Step(kind="exchange", article=articles["exchange"], pairs=moved))
    order = tuple(b for _, b in chosen.pairs)
    upper = [a for a, _ in chosen.pairs]
    s2 = [id for id in (*chosen.s1, *chosen.s2) if id not in upper]
    ranked = [id for id in chosen.residents if id in s2]
    if list(order) != ranked[: len(order)]:
        steps.append(Step(kind="transposition", article=articles["transposition"], players=order))
    return tuple(steps)
