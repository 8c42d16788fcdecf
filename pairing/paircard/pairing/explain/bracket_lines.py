"""A bracket of an explained round as messages, in the order in which people read it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from paircard.domain.messages import Message
from paircard.pairing.dutch.brackets import JOINED
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.explain.answers import (
    bars_field,
    clash_lines,
    explain_float,
    explain_trials,
    shown,
    topscorers_line,
)
from paircard.pairing.explain.colours import Clash, Preference
from paircard.pairing.explain.measures import Numbers
from paircard.pairing.explain.sieve import Row, Sieve, sieves
from paircard.pairing.explain.speaking import CANONICAL, WIDER, Candidate, Values, say
from paircard.pairing.explain.why import BracketStory, Seat, Story, explain, pairs_of
from paircard.pairing.outcome import BracketTrace
from paircard.projections.round.snapshot import Due, Snapshot, sign

PAIRS = 12
"""Pairs of the rest that are written out."""


T = TypeVar("T")
S = TypeVar("S")


class BracketLines(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """What is said about a bracket: messages, or what a program is given for them."""

    title: T
    parts: T | None = None
    """S1, S2 and Limbo as they were before any alteration."""
    numbers: T
    reasons: tuple[T, ...] = ()
    """How the chosen candidate was found."""
    floats: tuple[tuple[T, ...], ...] = ()
    """For each downfloater, why."""
    topscorers: tuple[T, ...] = ()
    """Pairs that are allowed since one of the two is a topscorer."""
    values: T
    rest: T | None = None
    """The completion test."""

    def each(self, made: Callable[[T], S]) -> "BracketLines[S]":
        """These lines, each turned into something else."""
        return BracketLines(
            title=made(self.title),
            parts=None if self.parts is None else made(self.parts),
            numbers=made(self.numbers),
            reasons=tuple(map(made, self.reasons)),
            floats=tuple(tuple(map(made, reasons)) for reasons in self.floats),
            topscorers=tuple(map(made, self.topscorers)),
            values=made(self.values),
            rest=None if self.rest is None else made(self.rest),
        )


def bracket_lines(story: Story, bracket: BracketStory) -> BracketLines[Message]:
    """Everything about one bracket."""
    made, numbers = bracket.candidate, bracket.numbers
    reasons = lowered(numbers)
    if bracket.attempt is not None:
        reasons.append(say("explain.bracket.collapsed", candidate=shown(bracket.attempt)))
    return BracketLines(
        title=title_of(made),
        parts=parts_line(story, bracket),
        numbers=numbers_line(numbers),
        reasons=(*reasons, *explain_trials(bracket.tried, made, brief=True, perfect=numbers.perfect)),
        floats=tuple(tuple(explain_float(each, story.edition, brief=True)) for each in bracket.floats),
        topscorers=tuple(each for one in bracket.clashes for each in topscorer_lines(story, one)),
        values=values_line(bracket),
        rest=say("explain.bracket.rest", candidate=rest(bracket)) if bracket.rest else None,
    )


def topscorer_lines(story: Story, one: Clash) -> list[Message]:
    """A pair that only a topscorer may make, and its colours where the wider difference decided them."""
    board = next(board for board in story.boards if {board.white, board.black} == {one.a, one.b})
    lines = clash_lines(one)
    if board.rule.endswith("2"):  # [5.2.2, 2017 E.2] both are absolute
        lines.append(say("explain.colours.rule", player=board.white, article=board.rule, meaning=WIDER))
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


def parts_line(story: Story, bracket: BracketStory) -> Message | None:
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
        return say("explain.bracket.parts", subgroups=parts)
    code = "explain.bracket.parts.heterogeneous" if made.moved_down else "explain.bracket.parts.homogeneous"
    return say(code, subgroups=parts)


def lowered(numbers: Numbers) -> list[Message]:
    """[2012 C.14] X1 and Z1 fall with P1 where fewer pairs are made than P0."""
    symbols = numbers.symbols
    if symbols.get("P1", 0) >= symbols.get("P0", 0) or not symbols.get("X1", 0) + symbols.get("Z1", 0):
        return []
    if "Z1" in symbols:
        return [say("explain.bracket.lowered.Z1", made=symbols["P1"], x=numbers.x, z=numbers.z)]
    return [say("explain.bracket.lowered", made=symbols["P1"], x=numbers.x)]


def numbers_line(numbers: Numbers) -> Message:
    """``M0 1, M1 1, MaxPairs 3``: the numbers of a bracket by the symbols of the edition."""
    return say(
        "explain.bracket.numbers", symbols=", ".join(f"{name} {n}" for name, n in numbers.symbols.items())
    )


def numbers_key(story: Story) -> Message:
    """What the symbols of the edition mean."""
    old = "P0" in EDITIONS[story.edition].symbols
    return say("explain.key.numbers.P0" if old else "explain.key.numbers")


def signs_key(story: Story) -> list[Message]:
    """What the signs behind a player's number and the names of subgroups mean."""
    top = story.last_round is not None and story.last_round.topscorers
    parts = any(bracket.candidate.moved_down for bracket in story.brackets)
    return [
        say("explain.key.colours"),
        *([say("explain.key.topscorers")] if top else []),
        *([say("explain.key.parts")] if parts else []),
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
    many = len(bracket.rest)
    return Candidate(bracket.rest[:PAIRS], (), many if many > PAIRS else 0)


def met(value: Value) -> bool:
    """Whether a criterion is fully met."""
    return value in (0, (), (0,))


def values_line(bracket: BracketStory) -> Message:
    """Values above the least possible, apart from those that cannot be avoided."""
    least = bracket.numbers.least
    found = [(name, value, least.get(name)) for name, value in bracket.candidate.values.items()]
    unavoidable = tuple(each for each in found if each[1] == each[2] and not met(each[1]))
    above = tuple(each for each in found if each[1] != each[2] and not met(each[1]))
    if above and unavoidable:
        return say("explain.values.best.least", values=Values(above), unavoidable=Values(unavoidable))
    if above:
        return say("explain.values.best", values=Values(above))
    if unavoidable:
        return say("explain.values.least", values=Values(unavoidable))
    return say("explain.values.perfect")


# --- the sieve of a bracket


def title_of(one: BracketTrace) -> Message:
    code = f"explain.bracket.title.{one.role}" if one.role else "explain.bracket.title"
    return say(code, score=one.score)


def sieve_lines(one: Sieve) -> list[Message]:
    """Members, the numbers of the bracket, who may not meet, and one pairing of the rest."""
    lines = [
        say("explain.sieve.members", numbered=one.members),
        numbers_line(one.numbers),
        say("explain.sieve.apart", bars=bars_field(one.incompatible))
        if one.incompatible
        else say("explain.sieve.apart.none"),
    ]
    if one.last_round is not None:
        lines.append(topscorers_line(one.last_round, here=True))
    return [*lines, say("explain.bracket.rest", candidate=Candidate(one.rest))] if one.rest else lines


def candidate_field(row: Row) -> Candidate:
    made = row.candidate
    return Candidate(pairs_of(made), made.downfloaters)


def appendix_lines(one: Sieve) -> list[Message]:
    """[Appendix P] What is counted before a candidate is made: active criteria, and their minima."""
    if one.appendix is None:
        return []
    numbers = ", ".join(f"{name} {n}" for name, n in one.appendix.numbers.items())
    active = Values(
        tuple((name, () if least is None else least, None) for name, least in one.appendix.active.items())
    )
    return [
        say("explain.sieve.appendix", symbols=numbers),
        say("explain.sieve.active", values=active) if active.values else say("explain.sieve.active.none"),
    ]


def row_values(row: Row, one: Sieve) -> Message:
    """Values above the least possible, as the documents list failures."""
    least = one.numbers.least
    above = tuple(
        (name, value, None)
        for name, value in row.candidate.values.items()
        if not met(value) and value != least.get(name)
    )
    if row.bars or not above:
        return say("explain.sieve.illegal") if row.bars else say("explain.sieve.none")
    return say("explain.sieve.above", values=Values(above))


def fate(row: Row) -> Message:
    if row.bars:
        return say("explain.sieve.barred", bars=bars_field(row.bars))
    if row.chosen:
        return say("explain.sieve.chosen")
    name = row.excluded
    if not name:
        return say("explain.sieve.later")
    if CANONICAL.get(name, name) == "C4":
        return say("explain.sieve.C4", criterion=name)
    return say("explain.sieve.excluded", criterion=name)


# --- players in arbiters' shorthand


ARROWS: Final = {"d": "↓", "u": "↑", "-": "-"}


def due(one: Preference) -> str:
    """A colour preference as on a pairing card: ``W``, ``Ww``, ``w``; empty for none."""
    return sign(Due(one.colour, one.strength)) if one.colour else ""


def floats(seat: Seat) -> str:
    """Arrows of the last two rounds, the latest first; empty for none."""
    return "".join(ARROWS[each] for each in seat.floats).rstrip("-")


TOPSCORER: Final = "*"
"""The sign of a topscorer, behind the number."""


def tagged(seat: Seat) -> str:
    """``5Bb↓``; ``5*Bb↓`` for a topscorer."""
    return f"{seat.number}{TOPSCORER if seat.topscorer else ''}{due(seat.preference)}{floats(seat)}"


# --- a whole round told as a teacher tells it: score groups, then each bracket candidate by candidate

SHOWN = 12
"""Candidates told of a bracket; the chosen one is always among them."""


class Slide(msgspec.Struct, frozen=True, kw_only=True):
    """A heading and what is said below it."""

    title: Message
    lines: tuple[Message, ...]


def slides(snapshot: Snapshot, shown: int = SHOWN) -> tuple[Slide, ...]:
    """The round, slide by slide. Raises ``NoLegalRound`` where there is none."""
    story = explain(snapshot)
    found = sieves(snapshot, shown, illegal=True)
    pairs = tuple((board.white, board.black) for board in story.boards)
    bye = ((story.pab, 0),) if story.pab else ()
    return (
        Slide(title=say("explain.slide.round", round=story.round), lines=tuple(_groups(story))),
        *(_bracket(story, told, one) for told, one in zip(story.brackets, found, strict=True)),
        Slide(
            title=say("explain.slide.boards", round=story.round),
            lines=(say("explain.slide.pairs", candidate=Candidate((*pairs, *bye))),),
        ),
    )


def _groups(story: Story) -> Iterator[Message]:
    """Who stands in which score group, and that a round exists at all."""
    for score in dict.fromkeys(seat.score for seat in story.players):
        there = " ".join(tagged(seat) for seat in story.players if seat.score == score)
        yield say("explain.slide.group", points=score, subgroups=there)
    if story.last_round is not None:
        yield topscorers_line(story.last_round)
    some = tuple((board.white, board.black) for board in story.boards)
    yield say("explain.slide.zero", candidate=Candidate((*some, *([(story.pab, 0)] if story.pab else []))))


def _bracket(story: Story, told: BracketStory, one: Sieve) -> Slide:
    """A bracket: its numbers, who may not meet, its parts, and its candidates one after the other."""
    parts = parts_line(story, told)
    lines = [*sieve_lines(one), *([parts] if parts else []), *verdicts(one)]
    return Slide(title=title_of(one.chosen), lines=tuple(lines))


def verdicts(one: Sieve) -> Iterator[Message]:
    """What becomes of each candidate: illegal, champion for now, better, worse, accepted."""
    seen = False
    for row in one.rows:
        yield verdict(row, seen, one.numbers.perfect)
        seen = seen or row.champion
        if row.chosen and one.numbers.perfect:
            return  # [Appendix P 4.4] nothing that follows can be better
    if not one.whole:
        yield say("explain.sieve.more")


def verdict(row: Row, seen: bool, perfect: bool) -> Message:
    """What becomes of a candidate; ``seen`` tells whether there is a champion already."""
    made = candidate_field(row)
    if row.bars:
        return say("explain.slide.illegal", candidate=made, bars=bars_field(row.bars))
    failed = bars_field(row.failures)
    if row.chosen:
        code = "explain.slide.perfect" if perfect else "explain.slide.accepted"
        return say(code, candidate=made, bars=failed)
    if CANONICAL.get(row.excluded, row.excluded) == "C4":
        return say("explain.slide.rest", candidate=made, criterion=row.excluded)
    if row.champion:
        code = "explain.slide.better" if seen else "explain.slide.first"
        return say(code, candidate=made, bars=failed)
    unmet = tuple((name, value, None) for name, value in row.candidate.values.items() if not met(value))
    return say("explain.slide.worse", candidate=made, values=Values(unmet))
