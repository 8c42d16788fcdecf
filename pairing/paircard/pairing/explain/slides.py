"""A whole round told as a teacher tells it: score groups, then each bracket candidate by candidate."""

from collections.abc import Iterator

import msgspec

from paircard.domain.messages import Message
from paircard.pairing.explain.answers import bars_field, topscorers_line
from paircard.pairing.explain.bracket_lines import (
    candidate_field,
    met,
    parts_line,
    sieve_lines,
    tagged,
    title_of,
)
from paircard.pairing.explain.sieve import Row, Sieve, sieves
from paircard.pairing.explain.speaking import CANONICAL, Candidate, Values, say
from paircard.pairing.explain.why import BracketStory, Story, explain
from paircard.projections.round.snapshot import Snapshot

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
