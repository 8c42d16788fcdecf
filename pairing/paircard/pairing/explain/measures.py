"""Every criterion's value for a candidate of a bracket, the look-ahead (C8, 2017 C.7) among them.

The other values come from the engine's own table of criteria. What a set of downfloaters does to the next
bracket is no value of one bracket, so the engine never writes it down; here it is asked of the same models.
"""

from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import NAMES_2017, ONE_POINT, Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.model import Model, free_model, whole_model
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

    In 2026 the rest must be completed as well; the 2017 list is the PSD (A.8), and a last bracket that
    leaves someone who may not have the bye (C.2) counts as leaving everyone.
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
    scores = [field.score[i] for i in floaters]
    next_scores = scores + [field.score[i] for i in range(end, next_end)]
    make = free_model if field.old else whole_model
    criteria = Criteria(field, scores, next_scores, 2 * field.n + 2, nines=False)
    model = make(field, criteria, floaters, len(floaters), end, next_end, completion.adjacent)
    penalty = _penalty(model)
    mask = (1 << criteria.width) - 1
    if penalty // criteria.unit["C8 illegal"] & mask:
        return (len(next_scores) + 1,)
    levels = [
        key[1]
        for key in criteria.keys
        if isinstance(key, tuple) and key[0] == "C8"
        for _ in range(penalty // criteria.unit[key] & mask)
    ]
    return (penalty // criteria.unit["C8"] & mask, *levels)


def _penalty(model: Model) -> int:
    mate = model.best()
    return sum(model.cost[model.kind[u]][model.kind[v]] for u, v in enumerate(mate) if u < v)


def first_difference(one: dict[str, Value], other: dict[str, Value]) -> str:
    """The first criterion in which two candidates of a bracket differ; empty if in none."""
    for name, value in one.items():
        if name in other and other[name] != value:
            return name
    return ""
