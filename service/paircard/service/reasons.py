"""Answers about a round as data for programs: the same at the command line and over HTTP."""

from collections.abc import Iterable

import msgspec
from msgspec import UNSET, UnsetType

from paircard.pairing.explain import Contrast, Story, Why
from paircard.pairing.explain.bracket_lines import BracketLines, bracket_lines
from paircard.pairing.explain.lines import Field, Line
from paircard.pairing.explain.speaking import Speaker
from paircard.service.explaining import Reply, Round, ask_explain, ask_why, ask_why_not
from paircard.service.round_text import lines_of


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence: its key in the catalogue, what it is about, and the words."""

    key: str
    fields: dict[str, Field]
    text: str


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """An answer in words."""

    short: tuple[Sentence, ...]
    """For the player."""
    detail: tuple[Sentence, ...]
    """For the arbiter, with articles and values."""
    notes: tuple[Sentence, ...]
    """Boards that are not those of the rules, and virtual points."""


class Someone(msgspec.Struct, frozen=True, kw_only=True):
    """A player who may be spoken of."""

    id: int
    number: int
    """Pairing number in the round; 0 for none."""
    name: str


class Reasons(msgspec.Struct, frozen=True, kw_only=True):
    """Why a player has this board, or why two do not meet."""

    round: int
    edition: str
    player: int | UnsetType = UNSET
    players: tuple[int, int] | UnsetType = UNSET
    why: Why | UnsetType | None = UNSET
    """About one player; none where there is nothing to compute."""
    why_not: Contrast | UnsetType | None = UNSET
    """About two players, or one and the bye."""
    answer: Spoken
    text: tuple[str, ...]
    """All of it in lines."""
    people: tuple[Someone, ...]


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """A round, bracket by bracket."""

    round: int
    edition: str
    notes: tuple[str, ...]
    """Boards that are not those of the rules; or why the rules give no round."""
    story: Story | None
    lines: tuple[BracketLines, ...]
    """What is said about each bracket."""
    text: tuple[str, ...]
    """All of it in lines."""
    people: tuple[Someone, ...]


def explain_why(round: Round, player: int) -> Reasons:
    """Why a player has this opponent and this colour."""
    reply = ask_why(round, player)
    why = reply.data if isinstance(reply.data, Why) else None
    return msgspec.structs.replace(_reasons(round, reply), player=player, why=why)


def explain_why_not(round: Round, a: int, b: int) -> Reasons:
    """Why two players do not meet, or one has no bye."""
    reply = ask_why_not(round, a, b)
    why_not = reply.data if isinstance(reply.data, Contrast) else None
    return msgspec.structs.replace(_reasons(round, reply), players=(a, b), why_not=why_not)


def explain_round(round: Round) -> Explained:
    """The whole round."""
    reply, speaker = ask_explain(round), Speaker(round.people)
    story = reply.data if isinstance(reply.data, Story) else None
    before = speaker.say_all((*reply.notes, *reply.answer.short))
    lines = lines_of(story, round, speaker) if story else []
    return Explained(
        round=round.snapshot.round,
        edition=round.snapshot.edition,
        notes=tuple(before),
        story=story,
        lines=tuple(bracket_lines(story, bracket) for bracket in story.brackets) if story else (),
        text=(*before, *speaker.say_all(reply.afterwards), *lines),
        people=people_of(round),
    )


def _reasons(round: Round, reply: Reply) -> Reasons:
    speaker = Speaker(round.people)

    def spoken(lines: Iterable[Line]) -> tuple[Sentence, ...]:
        return tuple(Sentence(key=one.key, fields=dict(one.fields), text=speaker.say(one)) for one in lines)

    return Reasons(
        round=round.snapshot.round,
        edition=round.snapshot.edition,
        answer=Spoken(
            short=spoken(reply.answer.short),
            detail=spoken(reply.answer.detail),
            notes=spoken((*reply.notes, *reply.afterwards)),
        ),
        text=tuple(speaker.say_all(reply.lines())),
        people=people_of(round),
    )


def people_of(round: Round) -> tuple[Someone, ...]:
    """Everyone who may be spoken of."""
    return tuple(Someone(id=id, number=who.number, name=who.name) for id, who in round.people.items())
