"""Wrong answers: the answer of a round with something swapped, and sentences with one field changed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from msgspec import structs

from paircard.domain.messages import Message
from paircard.pairing.explain import Bars, Candidate, Counted, Group, Levels, Measured, Meeting, Values
from paircard.pairing.explain.speaking import KINDS
from tests.pairing.spoken.facts import Answered, Facts
from tests.pairing.spoken.harvest import About, Line
from tests.pairing.spoken.predicates import holds


def wrong_answers(facts: Facts, draw: Random) -> Iterator[tuple[str, Facts]]:
    """The round with two boards exchanged, a colour turned, another bye, another float, no float at all."""
    answer, boards = facts.__dict__.get("answer"), list(facts.boards)
    if answer is None:
        return
    if boards:
        at = draw.randrange(len(boards))
        turned = structs.replace(boards[at], white=boards[at].black, black=boards[at].white)
        yield "colours", facts.answered(replace(answer, boards=(*boards[:at], turned, *boards[at + 1 :])))
    if len(boards) > 1:
        yield "boards", facts.answered(swapped(answer, *draw.sample(range(len(boards)), 2)))
    if answer.pab and boards:
        yield "bye", facts.answered(with_bye(answer, draw.randrange(len(boards))))
    if boards and not answer.pab:
        given = replace(answer, boards=tuple(boards[:-1]), pab=boards[-1].black)
        yield "bye for nothing", facts.answered(given)
    floating = [k for k, group in enumerate(answer.groups) if group.floaters and group.pairs]
    if floating:
        yield "floats", facts.answered(other_float(answer, draw.choice(floating)))
    if answer.groups:
        yield "points", facts.answered(lowered(answer))
        groups = tuple(replace(group, moved=(), residents=group.members) for group in answer.groups)
        yield "nobody moved down", facts.answered(replace(answer, groups=groups))
    other = facts.answered(answer)
    other.edition = "dutch-2012-javafo" if facts.edition != "dutch-2012-javafo" else "dutch-2026"
    yield "edition", other


def swapped(answer: Answered, one: int, other: int) -> Answered:
    """Two boards whose Blacks changed places."""
    boards = list(answer.boards)
    a, b = boards[one], boards[other]
    boards[one], boards[other] = structs.replace(a, black=b.black), structs.replace(b, black=a.black)
    return renamed(replace(answer, boards=tuple(boards)), {a.black: b.black, b.black: a.black}, members=False)


def with_bye(answer: Answered, at: int) -> Answered:
    """Somebody else has the bye."""
    boards = list(answer.boards)
    other = boards[at].black
    boards[at] = structs.replace(boards[at], black=answer.pab)
    change = {other: answer.pab, answer.pab: other}
    return renamed(replace(answer, boards=tuple(boards), pab=other), change, members=True)


def other_float(answer: Answered, at: int) -> Answered:
    """Somebody floats in the place of another."""
    group = answer.groups[at]
    one, other = group.floaters[0], group.pairs[0][1]
    change = {one: other, other: one}
    groups = list(answer.groups)
    groups[at] = replace(
        group,
        pairs=tuple((change.get(a, a), change.get(b, b)) for a, b in group.pairs),
        floaters=tuple(change.get(id, id) for id in group.floaters),
    )
    return replace(answer, groups=tuple(groups))


def lowered(answer: Answered) -> Answered:
    """Brackets of other points, roles and members."""
    groups = tuple(
        replace(
            group,
            score=group.score + 5,
            role={"": "PPB", "PPB": "CLB", "CLB": "", "joined": "", "homogeneous": "joined"}[group.role],
            moved=group.residents[:1] if not group.moved else (),
        )
        for group in answer.groups
    )
    return replace(answer, groups=groups)


def renamed(answer: Answered, change: Mapping[int, int], members: bool) -> Answered:
    """Players in the places of others, in pairs and floats, or everywhere."""

    def turned(ids: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(change.get(id, id) for id in ids)

    groups = tuple(
        replace(
            group,
            pairs=tuple((change.get(a, a), change.get(b, b)) for a, b in group.pairs),
            floaters=turned(group.floaters),
            moved=turned(group.moved) if members else group.moved,
            residents=turned(group.residents) if members else group.residents,
        )
        for group in answer.groups
    )
    return replace(answer, groups=groups)


DRAWN = 3
"""Wrong values of a field that are drawn; of a player, all others are tried."""


def wrong_sentences(facts: Facts, message: Message, draw: Random) -> Iterator[tuple[str, Message]]:
    """The sentence with one field changed, in a few ways."""
    for name, value in message.fields.items():
        if KINDS[name] == "player":
            others = list(facts.players)
        else:
            others = [another(facts, name, value, draw) for _ in range(DRAWN)]
        for other in others:
            if other is not None and other != value:
                yield name, Message(message.code, {**message.fields, name: other})


def failing(facts: Facts, line: Line, draw: Random) -> Iterator[tuple[str, bool]]:
    """What can be wrong about a true sentence, the answer or a field, and whether it is then false."""
    code, fields, about = line.message.code, line.message.fields, line.about
    for kind, other in wrong_answers(facts, draw):
        yield f"answer: {kind}", not holds(other, code, fields, about)
    yield "answer: elsewhere", not holds(facts, code, fields, elsewhere(about))
    failed: dict[str, bool] = {}
    for name, wrong in wrong_sentences(facts, line.message, draw):
        failed[name] = failed.get(name, False) or not holds(facts, code, wrong.fields, about)
    yield from failed.items()


def another(facts: Facts, name: str, value: Any, draw: Random) -> Any:
    """Another value of a field; None where there is none."""
    ids = [id for id in facts.players if id != value] or [0]
    match KINDS[name], value:
        case (("players" | "numbered"), tuple()):
            return value[1:] if value and draw.random() < 0.7 else (*value, draw.choice(ids))
        case "points", int():
            return value + draw.choice((5, 10))
        case "scores", tuple():
            return value[:-1]
        case (("number" | "count" | "times"), int()):
            return value + 1
        case (("word" | "colour"), str()):
            return {"w": "b", "b": "w"}[value]
        case "history", str():
            return value.translate(str.maketrans("wb", "bw"))
        case "pairs", tuple():
            return ((value[0][0], draw.choice(ids)), *value[1:]) if value else None
        case "message", _:
            return ""
        case _:
            return another_made(facts, value, draw)


def another_made(facts: Facts, value: Any, draw: Random) -> Any:
    """Another value of a field that says itself what it is, or of a text."""
    ids = list(facts.players)
    match value:
        case Candidate(pairs=[(a, _), *rest]):
            return structs.replace(value, pairs=((a, draw.choice(ids)), *rest))
        case Candidate():
            return structs.replace(value, downfloaters=value.downfloaters[1:] or (draw.choice(ids),))
        case Group():
            return Group(value.score + 5, value.role)
        case Measured(criterion, int(amount)):
            return Measured(criterion, amount + 1)
        case Measured(criterion, tuple(amount)):
            return Measured(criterion, (*amount, 5))
        case Counted():
            return Counted(value.many + 1)
        case Values([(name, amount, least), *rest]):
            more = amount + 1 if isinstance(amount, int) else (*amount, 5)
            return Values(((name, more, least), *rest))
        case Levels([(code, text), *rest]):
            return Levels(((code, f"1{text}"), *rest))
        case Meeting([(id, round), *rest]):
            return Meeting(((id, round + 1), *rest))
        case Bars([(a, b, rule, round), *rest]):
            return Bars(((a, b, rule, round + 1), *rest)) if round else Bars(((a, b, "C9", 0), *rest))
        case int():
            return value + 1
        case str():
            return f"1{value}"
        case _:
            return None


def elsewhere(about: About) -> About:
    """The sentence said about something else: another bracket, no other round, other topscorers."""
    story = about.story
    if story is not None and story.players:
        first, *rest = story.players
        story = structs.replace(story, players=(structs.replace(first, topscorer=not first.topscorer), *rest))
    return replace(
        about,
        index=about.index + 1 if about.index == 0 else about.index - 1,
        other=None,
        outcome="",
        asked=None,
        boards=(),
        pab=0,
        untried=0,
        row=None,
        story=story,
    )
