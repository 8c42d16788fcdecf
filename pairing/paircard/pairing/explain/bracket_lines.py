"""A bracket of an explained round as lines, in the order in which people read it."""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.dutch.paired import JOINED
from paircard.pairing.explain.answers import bars_field, explain_float, explain_trials, shown
from paircard.pairing.explain.colours import Preference
from paircard.pairing.explain.lines import Candidate, Line, Numbered, Person, Points, Rule, Values, line
from paircard.pairing.explain.numbers import Numbers
from paircard.pairing.explain.sieve import Row, Sieve
from paircard.pairing.explain.speaking import CANONICAL, WIDER
from paircard.pairing.explain.topscorers import Clash, clash_lines, topscorers_line
from paircard.pairing.explain.why import BracketStory, Seat, Story

PAIRS = 12
"""Pairs of the rest that are written out."""


class BracketLines(msgspec.Struct, frozen=True, kw_only=True):
    """What is said about a bracket."""

    title: Line
    parts: Line | None = None
    """S1, S2 and Limbo as they were before any alteration."""
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
    reasons = lowered(numbers)
    if bracket.attempt is not None:
        reasons.append(line("bracket.collapsed", candidate=shown(bracket.attempt)))
    return BracketLines(
        title=line(f"bracket.title.{made.role}" if made.role else "bracket.title", score=Points(made.score)),
        parts=parts_line(story, bracket),
        numbers=numbers_line(numbers),
        reasons=(*reasons, *explain_trials(bracket.tried, made, brief=True, perfect=numbers.perfect)),
        floats=tuple(tuple(explain_float(each, story.edition, brief=True)) for each in bracket.floats),
        topscorers=tuple(each for one in bracket.clashes for each in topscorer_lines(story, one)),
        values=values_line(bracket),
        rest=line("bracket.rest", candidate=rest(bracket)) if bracket.rest else None,
    )


def topscorer_lines(story: Story, one: Clash) -> list[Line]:
    """A pair that only a topscorer may make, and its colours where the wider difference decided them."""
    board = next(board for board in story.boards if {board.white, board.black} == {one.a, one.b})
    lines = clash_lines(one)
    if board.rule.endswith("2"):  # [5.2.2, 2017 E.2] both are absolute
        lines.append(line("colours.rule", player=Person(board.white), article=board.rule, rule=Rule(WIDER)))
    return lines


def parts_of(bracket: BracketStory) -> list[tuple[str, Sequence[int]]]:
    """S1 and S2 as they were before any alteration (2026 3.2, 2017 B.2, 2012 C.4), by id; none is empty."""
    made = bracket.candidate
    rows: list[tuple[str, Sequence[int]]] = [("S1", made.s1), ("S2", made.s2)]
    if made.moved_down:
        paired = [id for id in made.moved_down if id not in made.limbo]
        rows = [("S1", paired), ("S2", made.residents), ("Limbo", made.limbo)]
        rows += [("S1R", made.s1), ("S2R", made.s2)] if made.s1 else []
    return [(label, ids) for label, ids in rows if ids]


def parts_line(story: Story, bracket: BracketStory) -> Line | None:
    """Whether the bracket is homogeneous, and its parts; None where there is nothing to part.

    A joined bracket (2012 C.13) takes its S1 from the bracket added last.
    """
    made = bracket.candidate
    if made.role == JOINED or bracket.numbers.players < 2:
        return None
    number = {seat.id: seat.number for seat in story.players}
    parts = ", ".join(
        f"{label} {' '.join(str(number[id]) for id in ids)}" for label, ids in parts_of(bracket)
    )
    if made.role == "CLB":  # of several scores: neither
        return line("bracket.parts", parts=parts)
    return line(f"bracket.parts.{'heterogeneous' if made.moved_down else 'homogeneous'}", parts=parts)


def lowered(numbers: Numbers) -> list[Line]:
    """[2012 C.14] X1 and Z1 fall with P1 where fewer pairs are made than P0."""
    symbols = numbers.symbols
    if symbols.get("P1", 0) >= symbols.get("P0", 0) or not symbols.get("X1", 0) + symbols.get("Z1", 0):
        return []
    if "Z1" in symbols:
        return [line("bracket.lowered.Z1", pairs=symbols["P1"], x=numbers.x, z=numbers.z)]
    return [line("bracket.lowered", pairs=symbols["P1"], x=numbers.x)]


def numbers_line(numbers: Numbers) -> Line:
    """``M0 1, M1 1, MaxPairs 3``: the numbers of a bracket by the symbols of the edition."""
    return line("bracket.numbers", numbers=", ".join(f"{name} {n}" for name, n in numbers.symbols.items()))


def numbers_key(story: Story) -> Line:
    """What the symbols of the edition mean."""
    return line("key.numbers.P0" if "P0" in EDITIONS[story.edition].symbols else "key.numbers")


def signs_key(story: Story) -> list[Line]:
    """What the signs behind a player's number and the names of subgroups mean."""
    top = story.last_round is not None and story.last_round.topscorers
    parts = any(bracket.candidate.moved_down for bracket in story.brackets)
    return [
        line("key.colours"),
        *([line("key.topscorers")] if top else []),
        *([line("key.parts")] if parts else []),
    ]


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


# --- the sieve of a bracket


def sieve_title(one: Sieve) -> Line:
    """The bracket by its points."""
    role = one.chosen.role
    return line(f"bracket.title.{role}" if role else "bracket.title", score=Points(one.chosen.score))


def sieve_lines(one: Sieve) -> list[Line]:
    """Members, the numbers of the bracket, who may not meet, and one pairing of the rest."""
    lines = [
        line("sieve.members", players=Numbered(one.members)),
        numbers_line(one.numbers),
        line("sieve.apart", bars=bars_field(one.incompatible))
        if one.incompatible
        else line("sieve.apart.none"),
    ]
    if one.last_round is not None:
        lines.append(topscorers_line(one.last_round, here=True))
    return [*lines, line("bracket.rest", candidate=Candidate(one.rest))] if one.rest else lines


def candidate_field(row: Row) -> Candidate:
    """A candidate, whole."""
    made = row.candidate
    return Candidate((*made.mdp_pairs, *made.pairs), made.downfloaters)


def fate(row: Row) -> Line:
    """What became of a candidate."""
    if row.chosen:
        return line("sieve.chosen")
    name = row.excluded
    if not name:
        return line("sieve.later")
    if CANONICAL.get(name, name) == "C4":
        return line("sieve.C4", criterion=name)
    return line("sieve.excluded", criterion=name)


# --- players in arbiters' shorthand


ARROWS: Final = {"d": "↓", "u": "↑", "-": "-"}


def due(one: Preference) -> str:
    """A colour preference as on a pairing card: ``W``, ``Ww``, ``w``."""
    if not one.colour:
        return ""
    return {"absolute": one.colour.upper(), "strong": one.colour.upper() + one.colour}.get(
        one.strength, one.colour
    )


def floats(seat: Seat) -> str:
    """Arrows of the last two rounds, the latest first; empty for none."""
    last, before = seat.floats
    if before == "-":
        return "" if last == "-" else ARROWS[last]
    return ARROWS[last] + ARROWS[before]


TOPSCORER: Final = "*"
"""The sign of a topscorer, behind the number."""


def tagged(seat: Seat) -> str:
    """``5Bb↓``; ``5*Bb↓`` for a topscorer."""
    return f"{seat.number}{TOPSCORER if seat.topscorer else ''}{due(seat.preference)}{floats(seat)}"
