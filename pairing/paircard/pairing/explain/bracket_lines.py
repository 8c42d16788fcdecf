"""A bracket of an explained round as lines, in the order in which people read it."""

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.explain.answers import explain_float
from paircard.pairing.explain.lines import Candidate, Line, Points, Values, line
from paircard.pairing.explain.numbers import Numbers
from paircard.pairing.explain.reasons import shown
from paircard.pairing.explain.topscorers import clash_lines
from paircard.pairing.explain.trial_lines import explain_trials
from paircard.pairing.explain.why import BracketStory, Story

PAIRS = 12
"""Pairs of the rest that are written out."""


class BracketLines(msgspec.Struct, frozen=True, kw_only=True):
    """What is said about a bracket."""

    title: Line
    numbers: Line
    reasons: tuple[Line, ...] = ()
    """How the chosen candidate was found."""
    floats: tuple[tuple[Line, ...], ...] = ()
    """For each downfloater, why."""
    topscorers: tuple[Line, ...] = ()
    """Pairs that are allowed since one of the two is a topscorer."""
    values: Line
    rest: Line | None = None
    """The completion test."""


def bracket_lines(story: Story, bracket: BracketStory) -> BracketLines:
    """Everything about one bracket."""
    made, numbers = bracket.candidate, bracket.numbers
    reasons = []
    if bracket.attempt is not None:
        reasons.append(line("bracket.collapsed", candidate=shown(bracket.attempt)))
    return BracketLines(
        title=line(f"bracket.title.{made.role}" if made.role else "bracket.title", score=Points(made.score)),
        numbers=numbers_line(numbers),
        reasons=(*reasons, *explain_trials(bracket.tried, made, brief=True, perfect=numbers.perfect)),
        floats=tuple(tuple(explain_float(each, story.edition, brief=True)) for each in bracket.floats),
        topscorers=tuple(each for one in bracket.clashes for each in clash_lines(one)),
        values=values_line(bracket),
        rest=line("bracket.rest", candidate=rest(bracket)) if bracket.rest else None,
    )


def numbers_line(numbers: Numbers) -> Line:
    """``M0 1, M1 1, MaxPairs 3``: the numbers of a bracket by the symbols of the edition."""
    return line("bracket.numbers", numbers=", ".join(f"{name} {n}" for name, n in numbers.symbols.items()))


def numbers_key(story: Story) -> Line:
    """What the symbols of the edition mean."""
    return line("key.numbers.P0" if "P0" in EDITIONS[story.edition].symbols else "key.numbers")


def signs_key(story: Story) -> list[Line]:
    """What the signs behind a player's number mean."""
    top = story.last_round is not None and story.last_round.topscorers
    return [line("key.colours"), *([line("key.topscorers")] if top else [])]


def criteria_named(story: Story) -> list[str]:
    """Criteria that are not fully met somewhere, or that decided something, in their order."""
    named: set[str] = set()
    for bracket in story.brackets:
        named |= {name for name, value in bracket.candidate.values.items() if not met(value)}
        tried = (bracket.tried.natural, bracket.tried.first_legal)
        named |= {each.criterion for each in tried if each is not None}
        named |= {each.contrast.criterion for each in bracket.floats if each.contrast}
    order = EDITIONS[story.edition].names_in_order()
    return sorted(named - {"", "prohibited"}, key=order.index)


def rest(bracket: BracketStory) -> Candidate:
    """One legal pairing of those who are left."""
    many = len(bracket.rest)
    return Candidate(bracket.rest[:PAIRS], (), many if many > PAIRS else 0)


def met(value: Value) -> bool:
    """Whether a criterion is fully met."""
    return value in (0, (), (0,))


def values_line(bracket: BracketStory) -> Line:
    """Values above the least possible, apart from those that cannot be avoided."""
    least = bracket.numbers.least
    found = [(name, value, least.get(name)) for name, value in bracket.candidate.values.items()]
    unavoidable = tuple(each for each in found if each[1] == each[2] and not met(each[1]))
    above = tuple(each for each in found if each[1] != each[2] and not met(each[1]))
    if not above:
        return line("values.least", values=Values(unavoidable)) if unavoidable else line("values.perfect")
    if not unavoidable:
        return line("values.best", values=Values(above))
    return line("values.best.least", values=Values(above), least=Values(unavoidable))
