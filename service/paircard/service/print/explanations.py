"""Why a round is as it is: the whole round bracket by bracket with pictures, and the board of one player."""

from collections.abc import Mapping
from typing import Final, TypeAlias

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
from paircard.pairing.explain.speaking import RoundPageSpeaker, Who, say
from paircard.pairing.explain.why import BracketStory, Seat, pairs_of, seats_of
from paircard.pairing.outcome import BracketTrace
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
from paircard.service.print.rendering import FILE, Event, Frame, event_of, page_of, render
from paircard.service.print.standings import Cell, cells

# --- the picture of a bracket: S1 left, S2 right, lines for the pairs in order and for the chosen ones


MOST_PAIRS: Final = 10
"""Pairs up to which a bracket is drawn; the words say the same for larger ones."""
LEFT, RIGHT, WIDE, HIGH, STEP, TOP = 2, 224, 134, 40, 52, 24
"""Corners and size of the boxes, and how far apart the rows are."""
LETTERS: Final = 13
"""Letters of a name that fit into a box."""


Wire: TypeAlias = tuple[str, tuple[int, int] | None]
"""The line of a pair, and where the sign of exclusion stands; None for a chosen pair."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket, drawn."""

    nodes: list[tuple[int, int, Seat, str, bool]]
    """The corner of each box, who is in it, the name as it fits, and whether the question is about them."""
    wires: list[Wire]
    high: int
    moved_down: int
    """How many rows from the top are pairs of moved-down players."""
    chosen: list[tuple[int, int]]
    excluded: list[tuple[int, int]]
    down: list[int]
    """Pairing numbers: pairs, and who floats down."""


def picture_of(
    made: BracketTrace,
    natural: BracketTrace,
    seats: Mapping[int, Seat],
    people: Mapping[int, Who],
    marked: tuple[int, ...] = (),
) -> Picture | None:
    """The bracket as a picture; none if it has no pairs or too many."""
    chosen = pairs_of(made)
    first = pairs_of(natural)
    if not chosen or len(first) > MOST_PAIRS:
        return None
    excluded = [pair for pair in first if pair not in chosen and pair[::-1] not in chosen]
    left, right = [a for a, _ in first], [b for _, b in first]
    rest = [id for id in (*made.moved_down, *made.residents) if id not in {*left, *right}]
    left, right = left + rest[::2], right + rest[1::2]
    sides = (LEFT, left), (RIGHT, right)
    corner = {id: (x, TOP + STEP * row) for x, side in sides for row, id in enumerate(side)}
    return Picture(
        nodes=[(*corner[id], seats[id], short(people[id].name), id in marked) for id in corner],
        wires=[
            *(wire(corner[a], corner[b], chosen=False) for a, b in excluded),
            *(wire(corner[a], corner[b], chosen=True) for a, b in chosen),
        ],
        high=TOP + STEP * max(len(left), len(right)),
        moved_down=len(natural.mdp_pairs),
        chosen=[(people[a].number, people[b].number) for a, b in chosen],
        excluded=[(people[a].number, people[b].number) for a, b in excluded],
        down=[people[id].number for id in made.downfloaters],
    )


def short(name: str) -> str:
    """The family name, as far as it fits."""
    family = name.partition(",")[0]
    return family if len(family) <= LETTERS else f"{family[: LETTERS - 1]}…"


def wire(one: tuple[int, int], other: tuple[int, int], *, chosen: bool) -> Wire:
    """A line between two boxes; one that stays on its side bends towards the middle."""
    (x1, y1), (x2, y2) = sorted((one, other)) if one[0] != other[0] else (one, other)
    y1, y2 = y1 + HIGH // 2, y2 + HIGH // 2
    if x1 != x2:
        x1 += WIDE
        path, cross = f"M{x1} {y1}L{x2} {y2}", (x1 + 14, round(y1 + (y2 - y1) * 14 / (x2 - x1)))
    else:
        x, bend = (x1 + WIDE, x1 + WIDE + 44) if x1 == LEFT else (x1, x1 - 44)
        middle = (y1 + y2) // 2
        path, cross = f"M{x} {y1}Q{bend} {middle} {x} {y2}", ((x + 3 * bend) // 4, middle)
    return path, None if chosen else cross


# --- the ladder of a round: its brackets from the top, and who floats from one to the next


RUNG_WIDE: Final = 200
"""Width of the largest bracket."""
MOST_NUMBERS: Final = 6
"""Downfloaters that are named in the picture; its text names all."""


class Rung(msgspec.Struct, frozen=True):
    """A bracket."""

    score: int
    players: int
    wide: float
    down: list[int]
    """Pairing numbers of those who float down from it."""

    @property
    def label(self) -> str:
        """The downfloaters as far as there is room."""
        more = " …" if len(self.down) > MOST_NUMBERS else ""
        return ", ".join(map(str, self.down[:MOST_NUMBERS])) + more


def ladder_of(story: Story, people: Mapping[int, Who]) -> list[Rung]:
    """The brackets of a round that has more than one, from the top."""
    sizes = [each.numbers.players for each in story.brackets]
    if len(sizes) < 2:
        return []
    wide = [round(max(RUNG_WIDE * size / max(sizes), 12), 1) for size in sizes]
    traces = [each.candidate for each in story.brackets]
    down = [sorted(people[id].number for id in trace.downfloaters) for trace in traces]
    return list(map(Rung, [trace.score for trace in traces], sizes, wide, down))


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
        """A criterion's value, and the least it could be."""
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
"""Candidates listed with the answer to why; the page of candidates has more."""


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
