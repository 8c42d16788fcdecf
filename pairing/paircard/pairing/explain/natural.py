"""The natural candidate of a bracket, the first one generated (2026 3.2–3.3, 2017 B.2–B.3), and its fate."""

import msgspec

from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.explain.contrast import Bar, barred, barred_from_bye, candidate
from paircard.pairing.explain.forced import Solved
from paircard.pairing.explain.measures import end_of, first_difference, name_of
from paircard.pairing.outcome import BracketTrace


class Natural(msgspec.Struct, frozen=True, kw_only=True):
    """The first candidate generated, and what excluded it."""

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


def natural_of(real: Solved, index: int) -> Natural:
    """The natural candidate of a bracket, for the numbers of pairs and of paired MDPs that were found."""
    field, bracket = real.field, real.brackets[index]
    first = first_generated(real, bracket)
    if sorted(first.pairs) == sorted(bracket.pairs):
        return Natural(candidate=candidate(real, bracket, real.values(index)), chosen=True)
    bars = tuple(bar for i, j in first.pairs if (bar := barred(field, i, j)))
    if bars:
        plain = candidate(real, first, {})
        return Natural(candidate=plain, criterion=bars[0].rule, bars=bars)
    end = end_of(field, bracket)
    binding = field.edition.completes_every_bracket or bracket.role == "PPB" or end == field.n
    if binding and not real.completion.completes(first.floaters, end):
        return _incompletable(real, first, end)
    shown = candidate(real, first)
    name = first_difference(real.values(index), shown.values)
    return Natural(
        candidate=shown,
        criterion=name,
        real_value=real.values(index).get(name),
        other_value=shown.values.get(name),
    )


def _incompletable(real: Solved, first: Paired, end: int) -> Natural:
    """[C4] The rest could not be paired; in the last bracket, the bye could not be given (C2, C5)."""
    field = real.field
    plain = Natural(candidate=candidate(real, first, {}), criterion=name_of(field.edition, "C4"))
    if end < field.n or len(first.floaters) != 1:
        return plain
    lone = first.floaters[0]
    if not field.may_have_pab[lone]:
        bar = barred_from_bye(field, lone)
        return msgspec.structs.replace(plain, criterion=bar.rule, bars=(bar,))
    return msgspec.structs.replace(
        plain, criterion="C5", real_value=real.completion.pab_score, other_value=field.score[lone]
    )


def first_generated(real: Solved, bracket: Paired) -> Paired:
    """S1 against S2 in their order: the MDPs first, then the remainder."""
    field = real.field
    above, residents = bracket.members[: bracket.moved_down], bracket.members[bracket.moved_down :]
    limbo = [i for i in bracket.floaters if i in above]
    if field.edition.measures_differences:
        s1 = above[: len(above) - len(limbo)]
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
    return Paired(bracket.members, bracket.moved_down, pairs, floaters, "natural", bracket.role)
