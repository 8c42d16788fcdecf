"""Every criterion's value for a candidate of a bracket, the look-ahead (C8, 2017 C.7) among them.

The other values come from the engine's own table of criteria. What a set of downfloaters does to the next
bracket is no value of one bracket, so the engine never writes it down; here it pairs that bracket to tell.
"""

from paircard.pairing.dutch.brackets import Paired, Round
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import NAMES_2017, ONE_POINT
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.pairing import values

Value = int | tuple[int, ...]
"""A count, or a list in tenths; the look-ahead has the count of downfloaters first, then the list."""


def name_of(edition: str, criterion: str) -> str:
    """A criterion of 2026 by the name it has in the edition."""
    if edition != "dutch-2017":
        return criterion
    return NAMES_2017.get(criterion) or criterion.replace("C", "C.")


def end_of(field: Field, bracket: Paired) -> int:
    """The place behind the bracket's last resident."""
    return field.n if bracket.role == "CLB" else bracket.members[-1] + 1


def measured(field: Field, completion: Completion, bracket: Paired) -> dict[str, Value]:
    """All values in the order of the criteria; the look-ahead only where somebody floats on."""
    found: dict[str, Value] = dict(values(field, bracket, completion))
    end = end_of(field, bracket)
    if bracket.role or end == field.n or not bracket.floaters:
        return found
    here = name_of(field.edition, "C8")
    after = name_of(field.edition, "C7")
    result: dict[str, Value] = {}
    for name, value in found.items():
        if name != here:
            result[name] = value
        if name == after:
            result[here] = look_ahead(field, completion, bracket.floaters, end)
    return result


def look_ahead(field: Field, completion: Completion, floaters: list[int], end: int) -> tuple[int, ...]:
    """[C8, 2017 C.7] The next bracket at its best, if these come down: its downfloaters, then their scores.

    The engine pairs that bracket: the values are its C6 and C7, in 2026 with everything below completed.
    The 2017 list is the PSD (A.8), and a last bracket that leaves someone who may not have the bye (C.2)
    counts as leaving everyone.
    """
    group = next(k for k, (start, _) in enumerate(field.groups) if start == end)
    next_end = field.groups[group][1]
    here = field.score[end]
    if len(floaters) == 1 and completion.welcome(group, 1 << floaters[0]):
        left = (next_end - end + 1) % 2
        if not field.old:
            return (left, *[here] * left)
        gaps = [field.score[floaters[0]] - here] + [ONE_POINT] * left
        return (left, *sorted(gaps, reverse=True))
    members = [*floaters, *range(end, next_end)]
    if not field.old or next_end == field.n:
        if not completion.completes(floaters, end):
            return (len(members) + 1,)
        paired = Round(field, completion, first=group, moved=floaters, many=1).brackets[0]
    else:
        paired = for_itself(field, completion, Paired(members, len(floaters), [], [], ""), group)
    found = values(field, paired, completion)
    many, scores = found[name_of(field.edition, "C6")], found[name_of(field.edition, "C7")]
    assert isinstance(many, int)
    assert isinstance(scores, tuple)
    return (many, *scores)


def for_itself(field: Field, completion: Completion, bracket: Paired, index: int) -> Paired:
    """[2017] A bracket paired without regard to the completion of the round."""
    members, end = bracket.members, end_of(field, bracket)
    next_end = next((stop for start, stop in field.groups if start == end), end)
    engine = Round(field, completion, first=len(field.groups))
    mate, route = engine.for_itself(index, members, bracket.moved_down, end, next_end)
    return paired_by(bracket, mate, route)


def paired_by(bracket: Paired, mate: list[int], route: str) -> Paired:
    """A bracket with the pairs that mates say; two moved-down players who have each other both float."""
    members, above = bracket.members, bracket.moved_down
    size = len(members)
    pairs = [(members[u], members[v]) for u, v in enumerate(mate[:size]) if u < v < size and v >= above]
    met = {i for pair in pairs for i in pair}
    return Paired(members, above, pairs, [i for i in members if i not in met], route)


def first_difference(one: dict[str, Value], other: dict[str, Value]) -> str:
    """The first criterion in which two candidates of a bracket differ; empty if in none."""
    for name, value in one.items():
        if name in other and other[name] != value:
            return name
    return ""
