"""Why a round is as it is: the whole round bracket by bracket, and the board of one player."""

from collections.abc import Mapping
from typing import Final

import msgspec
from markupsafe import Markup

from paircard.domain.messages import Message
from paircard.pairing.dutch.field import Field
from paircard.pairing.explain import Story, Why
from paircard.pairing.explain.answers import topscorers_line
from paircard.pairing.explain.bracket_lines import (
    BracketLines,
    bracket_lines,
    candidate_field,
    criteria_named,
    due,
    fate,
    floats,
    met,
    numbers_key,
    parts_of,
    sieve_lines,
    signs_key,
    title_of,
)
from paircard.pairing.explain.sieve import Row, Sieve, sieve, sieves
from paircard.pairing.explain.speaking import RoundPageSpeaker, say
from paircard.pairing.explain.why import BracketStory, Seat, seats_of
from paircard.service.explaining import (
    Reply,
    Round,
    absences,
    ask_explain,
    ask_why,
    ask_why_not,
    need_brackets,
)
from paircard.service.moment import Moment
from paircard.service.pairing_sheets import Board
from paircard.service.print.brackets import Picture, ladder_of, picture_of
from paircard.service.print.event import Event, event_of
from paircard.service.print.rendering import FILE, Frame, page_of, render
from paircard.service.print.standings import Cell, cells

# --- sentences about pairings, ready for a page


class Words:
    """Sentences about one round."""

    def __init__(self, round: Round, language: str) -> None:
        self.speaker = RoundPageSpeaker(round.people, language)
        self.plainly = RoundPageSpeaker(round.people, language, numbers=False)

    def say(self, *lines: Message) -> Markup:
        """Sentences in one paragraph."""
        return Markup(" ".join(map(self.speaker.say, lines)))

    def plain(self, *lines: Message) -> Markup:
        """Sentences for a player: names stand alone where nobody else has them."""
        return Markup(" ".join(map(self.plainly.say, lines)))

    def person(self, id: int) -> Markup:
        return Markup(self.speaker.person(id))

    def rule(self, name: str) -> Markup:
        """What a rule says."""
        return Markup(self.speaker.rule(name))

    def value(self, bracket: BracketStory, name: str) -> Markup:
        """A criterion's value beside the least it could be."""
        value, least = bracket.candidate.values[name], bracket.numbers.least.get(name)
        return Markup(self.speaker.against_least(name, value, least))

    def candidate(self, row: Row) -> Markup:
        """The pairs of a candidate."""
        return Markup(self.speaker.candidate(candidate_field(row)))


def columns_of(one: Sieve) -> list[str]:
    """The criteria in which the candidates of a bracket differ."""
    chosen = one.chosen.values.items()
    return [
        name for name, value in chosen if any(row.candidate.values.get(name) != value for row in one.rows)
    ]


SIEVE: Final = {"columns_of": columns_of, "fate": fate, "more": say("explain.sieve.more")}
"""What the table of candidates needs."""


def candidates_page(moment: Moment, round: int, frame: Frame = FILE, bracket: int = 1) -> str:
    """The candidates of a bracket of a paired round, counted from the top."""
    asked: Round = moment.about(round)
    need_brackets(asked)
    found = sieves(asked.snapshot)
    table = found[min(max(bracket, 1), len(found)) - 1]
    return page_of(
        moment,
        "candidates.html",
        frame,
        round=asked.snapshot.round,
        notes=asked.notes,
        words=Words(asked, frame.language),
        titles=[(one.bracket, title_of(one.chosen)) for one in found],
        table=table,
        lines=sieve_lines(table),
        **SIEVE,
        edition=say(f"explain.edition.{asked.snapshot.edition}"),
    )


LISTED: Final = 8
"""Candidates listed beside the answer to why; the page of candidates has more."""


class BracketView(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket on the page."""

    story: BracketStory
    lines: BracketLines[Message]
    groups: list[tuple[str, list[Seat]]]
    """Its parts: S1, S2, limbo."""
    picture: Picture | None
    unmet: list[tuple[str, bool]]
    """Criteria that are not fully met, and whether the value is the least possible."""


def explanation_page(
    event: Event, round: Round, reply: Reply, frame: Frame = FILE, results: Mapping[tuple[int, int], str] = {}
) -> str:
    """A round bracket by bracket; where the rules give none, a page that says why."""
    story = reply.data
    words = Words(round, frame.language)
    if not isinstance(story, Story):
        return render(
            "explanation_none.html", frame, event=event, round=round.snapshot.round, reply=reply, words=words
        )
    seats = {seat.id: seat for seat in story.players}
    brought: dict[int, int] = {}
    came: list[dict[int, int]] = []
    for bracket in story.brackets:
        came.append(dict(brought))
        brought |= dict.fromkeys(bracket.candidate.downfloaters, bracket.candidate.score)
    return render(
        "explanation.html",
        frame,
        event=event,
        story=story,
        reply=reply,
        words=words,
        people=round.people,
        seats=seats,
        brackets=[bracket_view(story, each, seats, round) for each in story.brackets],
        came=came,
        ladder=ladder_of(story, round.people),
        away=absences(story, round),
        rules=(*sorted({board.rule for board in story.boards}), *criteria_named(story)),
        results=results,
        due=due,
        floats=floats,
        perfect=say("explain.values.perfect"),
        signs=[*signs_key(story), numbers_key(story)],
        topscorers=topscorers_line(story.last_round) if story.last_round else None,
        edition=say(f"explain.edition.{story.edition}"),
    )


def bracket_view(story: Story, bracket: BracketStory, seats: Mapping[int, Seat], round: Round) -> BracketView:
    """A bracket with its parts, its picture and what is said about it."""
    made, least = bracket.candidate, bracket.numbers.least
    return BracketView(
        story=bracket,
        lines=bracket_lines(story, bracket),
        groups=[(label, [seats[id] for id in ids]) for label, ids in parts_of(bracket)],
        picture=picture_of(made, bracket.tried.natural.candidate, seats, round.people),
        unmet=[(name, least.get(name) == value) for name, value in made.values.items() if not met(value)],
    )


def explanation_at(moment: Moment, round: int | None = None, frame: Frame = FILE) -> str:
    """The explanation of a paired round at a moment."""
    asked = moment.about(round)
    view = moment.boards(asked.snapshot.round)
    results = {(one.white.id, one.black.id): one.result for one in view.boards if one.result}
    return explanation_page(event_of(moment), asked, ask_explain(asked), frame, results)


def why_page(
    event: Event,
    asked: Round,
    player: int,
    frame: Frame = FILE,
    *,
    against: int | None = None,
    board: Board | None = None,
    strips: Mapping[int, tuple[Cell, ...]] = {},
) -> str:
    """Why a player has this board; and why not the one who was asked about (0 for the bye)."""
    reply = ask_why(asked, player)
    data = reply.data if isinstance(reply.data, Why) else None
    words = Words(asked, frame.language)
    drawn = ("explain.colours.history",) if strips else ()
    return render(
        "why.html",
        frame,
        event=event,
        words=words,
        round=asked.snapshot.round,
        id=player,
        people=asked.people,
        reply=reply,
        data=data,
        board=board,
        against=against,
        answer=ask_why_not(asked, player, against) if against is not None else None,
        others=sorted(
            (one for one in asked.snapshot.players if one.id != player and not one.absent),
            key=lambda one: (-one.score, one.number),
        ),
        detail=[one for one in reply.answer.detail if one.code not in drawn],
        picture=picture_of_why(asked, data),
        table=sieve_of_why(asked, data),
        **SIEVE,
        strips=strips,
        edition=say(f"explain.edition.{asked.snapshot.edition}"),
    )


def why_at(moment: Moment, round: int, player: str, frame: Frame = FILE, other: str = "") -> str:
    """Why a player, as people write the name, has this board at a moment; with the result and the colours."""
    asked = moment.about(round)
    id = asked.player(player)
    against = asked.player_or_bye(other) if other.strip() else None
    board = next((one for one in moment.boards(round).boards if id in (one.white.id, one.black.id)), None)
    rows = {row.id: row for row in moment.crosstable().rows}
    sides = (board.white.id, board.black.id) if board else ()
    strips = {side: cells(rows[side], rows, round - 1) for side in sides if side in rows}
    return why_page(event_of(moment), asked, id, frame, against=against, board=board, strips=strips)


def picture_of_why(asked: Round, data: Why | None) -> Picture | None:
    """The bracket in which the board was made, the two of the board marked."""
    if data is None or data.bracket is None or data.tried is None:
        return None
    seats = {seat.id: seat for seat in seats_of(Field(asked.snapshot))}
    marked = (data.player, data.opponent)
    return picture_of(data.bracket, data.tried.natural.candidate, seats, asked.people, marked)


def sieve_of_why(asked: Round, data: Why | None) -> Sieve | None:
    """The candidates of the bracket in which the board was made, where there was a choice."""
    if data is None or data.index < 0:
        return None
    found = sieve(asked.snapshot, data.index + 1, LISTED)
    return found if len(found.rows) > 1 else None
