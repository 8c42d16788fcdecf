"""Single reasons as lines: a rule, a criterion with both values, a bar, a far cause, a candidate."""

from collections.abc import Collection

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.explain.causes import Cause
from paircard.pairing.explain.contrast import Bar
from paircard.pairing.explain.lines import (
    Bars,
    Candidate,
    Colour,
    Fields,
    Line,
    Measured,
    Pairs,
    People,
    Person,
    Points,
    Rule,
    line,
)
from paircard.pairing.explain.speaking import CANONICAL, MANY
from paircard.pairing.outcome import BracketTrace


def rule_line(key: str, criterion: str) -> Line:
    """A rule by name and text."""
    return line(key, criterion=criterion, rule=Rule(criterion))


def worse(key: str, criterion: str, real: Value, other: Value) -> Line:
    """A criterion with both values."""
    return line(
        key,
        criterion=criterion,
        rule=Rule(criterion),
        real=Measured(criterion, real),
        other=Measured(criterion, other),
    )


def forbidden(bar: Bar) -> Line:
    """An absolute rule between two players, or between a player and the bye."""
    rule = CANONICAL.get(bar.rule, bar.rule)
    if rule == "C2":
        return line(f"forbidden.{bar.rule}", player=Person(bar.a), round=bar.round)
    if rule == "C1":
        return line("forbidden.C1", a=Person(bar.a), b=Person(bar.b), round=bar.round)
    if rule == "C3":
        return line("forbidden.C3", a=Person(bar.a), b=Person(bar.b), colour=Colour(bar.colour))
    return line("forbidden.prohibited", a=Person(bar.a), b=Person(bar.b))


def bars_field(bars: tuple[Bar, ...]) -> Bars:
    """Pairs that may not be made, as a field."""
    return Bars(tuple((bar.a, bar.b, bar.rule, bar.round) for bar in bars))


def cause_lines(cause: Cause | None, stands: BracketTrace | None = None) -> list[Line]:
    """Who would be left without an opponent; ``stands`` is the bracket whose pairs would stay."""
    if cause is None:
        return []
    fields: Fields = {}
    prefix = "cause"
    if cause.bracket >= 0 and stands is not None:
        prefix = "cause.stands"
        fields["points"] = Points(stands.score)
    if cause.chain:
        fields["pairs"] = Pairs(cause.chain)
    if cause.no_bye:
        return [Line(f"{prefix}.no-bye-chain" if cause.chain else f"{prefix}.no-bye", fields)]
    if cause.nobody:
        fields["player"] = Person(cause.nobody)
        return [Line(f"{prefix}.chain" if cause.chain else f"{prefix}.nobody", fields)]
    fields["people"] = People(tuple(id for id in cause.group if id))
    if cause.helpers:
        return [Line(f"{prefix}.helpers", {**fields, "helpers": People(cause.helpers)})]
    return [Line(f"{prefix}.group", fields)]


def shown(one: BracketTrace, against: BracketTrace | None = None, keep: Collection[int] = ()) -> Candidate:
    """A candidate; of a large one the pairs of ``keep``, and the first that the other one has not."""
    pairs = (*one.mdp_pairs, *one.pairs)
    if len(pairs) <= MANY:
        return Candidate(pairs, one.downfloaters)
    other = {*against.mdp_pairs, *against.pairs} if against else set()
    own = [pair for pair in pairs if not set(pair).isdisjoint(keep)]
    new = [pair for pair in pairs if pair not in other and pair not in own]
    picked = {*own, *new[: MANY - len(own)]}
    return Candidate(tuple(pair for pair in pairs if pair in picked), one.downfloaters, len(pairs))
