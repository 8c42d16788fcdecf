"""Every sentence that is said about a round, with what it is said about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from msgspec import structs

from paircard.domain.errors import PaircardError
from paircard.domain.events import LotsDrawn, Recorded
from paircard.domain.messages import Message
from paircard.pairing import NoLegalRound, pair
from paircard.pairing.explain import BYE, Contrast, Story, Tried, Why, explain, why, why_not
from paircard.pairing.explain.answers import answer_why, answer_why_not, bars_field, topscorers_line
from paircard.pairing.explain.bracket_lines import (
    SHOWN,
    appendix_lines,
    bracket_lines,
    candidate_field,
    fate,
    numbers_key,
    row_values,
    sieve_lines,
    signs_key,
    slides,
    title_of,
)
from paircard.pairing.explain.sieve import Row, Sieve, sieve, sieves
from paircard.pairing.explain.speaking import say
from paircard.pairing.explain.why import Floated
from paircard.pairing.outcome import Board
from paircard.projections.round.crosstable import Crosstable, Prohibition
from paircard.projections.round.snapshot import snapshot
from paircard.projections.standings.standings import Ranking
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.trf.reading import Reading
from paircard.service.explaining import (
    Round,
    absence,
    ask_explain,
    ask_why,
    ask_why_not,
    place_line,
    round_of_report,
    title_of_round,
)
from tests.pairing.rounds import random_table
from tests.pairing.spoken.facts import Facts, Group, facts_of, group_of

QUESTIONS = 4
"""Questions of each kind to a round."""


@dataclass(frozen=True)
class About:
    """What a sentence is said about, where its words alone do not tell: the alternative, the group."""

    index: int = -1
    """The bracket; of another round the first that differs."""
    home: int = -1
    """The bracket of whoever stays or leaves."""
    other: Group | None = None
    """Another candidate of it."""
    outcome: str = ""
    boards: tuple[Board, ...] = ()
    pab: int = 0
    """The best other round, as far as there is one."""
    player: int = 0
    opponent: int = 0
    """Whom the question was about."""
    asked: tuple[int, int] | None = None
    """Two who are to meet in the other round; 0 for the bye."""
    stays: int = 0
    """Somebody who is to be paired in the bracket, or to have no bye, in the other round."""
    leaves: int = 0
    """Somebody who is to leave the bracket unpaired in the other round."""
    first: bool = False
    """Whether the other candidate is the first in order."""
    untried: int = 0
    row: Row | None = None
    sieve: Sieve | None = None
    story: Story | None = None
    round: Round | None = None
    log: tuple[Recorded, ...] = ()
    """What was recorded, where a sentence is about that."""
    table: Crosstable | None = None
    orders: tuple[LotsDrawn, ...] = ()
    filed: Mapping[int, int] = field(default_factory=dict)
    """Places of the file that the tournament came from."""
    codes: str = ""
    """The standings that a sentence is about."""


@dataclass(frozen=True)
class Line:
    """A sentence and what it is about."""

    message: Message
    about: About


def against(about: About, found: Contrast | None, **more: int | tuple[int, int] | None) -> About:
    """The same about another round."""
    plain = replace(
        about, other=None, outcome="", boards=(), pab=0, asked=None, stays=0, leaves=0, first=False, untried=0
    )
    if found is None:
        return replace(plain, **more)  # type: ignore[arg-type]
    return replace(
        plain,
        index=found.bracket,
        other=group_of(found.other) if found.other else None,
        outcome=found.outcome,
        boards=found.boards,
        pab=found.pab,
        untried=found.untried,
        **more,  # type: ignore[arg-type]
    )


def against_tried(about: About, tried: Tried | None, index: int, first: bool) -> About:
    """The same about a candidate that was tried before the chosen one."""
    plain = against(about, None)
    if tried is None:
        return replace(plain, index=index)
    return replace(plain, index=index, other=group_of(tried.candidate), outcome="tried", first=first)


def of_float(about: About, one: Floated) -> About:
    """The same about the best round in which somebody did not leave a group."""
    made = against(about, one.contrast, stays=one.player)
    index = made.index if one.contrast is not None and made.index >= 0 else one.bracket
    return replace(made, index=index, home=one.bracket)


def of_why(facts: Facts, data: Why) -> Iterator[Line]:
    """The answer for one player."""
    answer = answer_why(data)
    about = About(player=data.player, opponent=data.opponent, index=data.index, home=data.index)
    at = about
    floats = {(one.player, one.score): one for one in reversed(data.floats)}
    told = list(data.floats)
    for message in (*answer.plain, *answer.short, *answer.detail):
        fields = message.fields
        match message.code.removeprefix("explain."):
            case "pair.down" | "pair.up" | "pair.further":
                who = fields["opponent"] if message.code.endswith("up") else fields["player"]
                at = of_float(about, floats[who, fields["left"]])
            case "pair.further.groups":
                at = of_float(about, floats[fields["player"], fields["groups"][-1]])
            case "float.down":
                one = next(
                    one for one in told if (one.player, one.score) == (fields["player"], fields["points"])
                )
                told.remove(one)
                at = of_float(about, one)
            case "float.bye":
                at = against(about, data.bye, stays=data.player)
            case "alternative.natural":
                at = against(about, data.own, asked=(data.player, data.natural_opponent))
            case "alternative.left":
                at = against(about, data.own, leaves=data.player)
            case "alternative.bye" | "alternative.no-bye":
                at = against(about, data.bye, stays=data.player)
            case "alternative.order" | "natural.first":
                assert data.tried is not None
                at = against_tried(about, data.tried.natural, data.index, first=True)
            case "legal.first":
                assert data.tried is not None
                at = against_tried(about, data.tried.first_legal, data.index, first=False)
            case "contrast.question":
                at = against(about, data.own, asked=(data.player, data.natural_opponent))
            case code if code.startswith("contrast.") and at.outcome == "tried":
                at = against(about, data.own, leaves=data.player)
            case code if code.startswith(("chosen", "legal.chosen", "natural.best", "natural.chosen")):
                yield Line(message, replace(about, index=data.index))
                at = against(about, data.own, leaves=data.player)
                if data.natural_opponent:
                    at = replace(at, asked=(data.player, data.natural_opponent))
                continue
            case code if code.startswith(
                ("colour.", "colours.", "topscorer.", "board.", "bracket.of", "step.")
            ):
                yield Line(message, about)
                continue
        yield Line(message, at)


def of_why_not(facts: Facts, a: int, b: int) -> Iterator[Line]:
    """The answer to a question about two."""
    state = facts.snapshot
    found = why_not(state, a, b)
    answer = answer_why_not(found, a, b, state.edition, state.round)
    at = against(About(player=a or b, opponent=b or a), found, asked=(a, b))
    for message in (*answer.short, *answer.detail):
        yield Line(message, at)


def of_story(facts: Facts, story: Story) -> Iterator[Line]:
    """The whole round."""
    about = About(story=story)
    if story.last_round is not None:
        yield Line(topscorers_line(story.last_round), about)
    for key in (*signs_key(story), numbers_key(story), say(f"explain.edition.{story.edition}")):
        yield Line(key, about)
    for index, bracket in enumerate(story.brackets):
        here = replace(about, index=index)
        said = bracket_lines(story, bracket)
        yield from (Line(one, here) for one in (said.title, said.numbers, said.values))
        yield from (Line(one, here) for one in (said.parts, said.rest) if one is not None)
        yield from (Line(one, here) for one in said.topscorers)
        at = here
        for message in said.reasons:
            match message.code.removeprefix("explain."):
                case "natural.first":
                    at = against_tried(here, bracket.tried.natural, index, first=True)
                case "legal.first":
                    at = against_tried(here, bracket.tried.first_legal, index, first=False)
                case "bracket.collapsed":
                    assert bracket.attempt is not None
                    at = replace(here, other=group_of(bracket.attempt))
                case "chosen" | "legal.chosen" | "natural.chosen" | "natural.best":
                    at = here
            yield Line(message, at)
        for one, reasons in zip(bracket.floats, said.floats, strict=True):
            yield from (Line(message, of_float(here, one)) for message in reasons)
    for number, board in enumerate(story.boards, 1):
        yield Line(
            say("explain.board", board=number, white=board.white, black=board.black, article=board.rule),
            about,
        )


def of_sieve(facts: Facts, found: Sieve) -> Iterator[Line]:
    """The candidates of a bracket."""
    index = found.bracket - 1
    about = About(index=index, sieve=found)
    yield from (Line(message, about) for message in (title_of(found.chosen), *sieve_lines(found)))
    for row in found.rows:
        at = replace(about, other=group_of(row.candidate), row=row)
        yield Line(fate(row), at)
        yield Line(row_values(row, found), at)
        if row.failures:
            yield Line(say("explain.sieve.failures", bars=bars_field(row.failures)), at)
    yield from (Line(message, about) for message in appendix_lines(found))
    if not found.whole:
        yield Line(say("explain.sieve.more"), about)


def of_slides(facts: Facts) -> Iterator[Line]:
    """A whole round as a lesson."""
    first, *brackets, last = slides(facts.snapshot)
    yield from (Line(message, About()) for one in (first, last) for message in (one.title, *one.lines))
    found = sieves(facts.snapshot, SHOWN, illegal=True)
    for index, (slide, one) in enumerate(zip(brackets, found, strict=True)):
        rows = {candidate_field(row): row for row in one.rows}
        for message in (slide.title, *slide.lines):
            row = rows[message.fields["candidate"]] if ".slide." in message.code else None
            other = group_of(row.candidate) if row else None
            yield Line(message, About(index=index, sieve=one, row=row, other=other))


def said_about(facts: Facts, draw: Random) -> Iterator[Line]:
    """All of a round, and some questions to it."""
    state = facts.snapshot
    ids = [seat.id for seat in facts.truth.seats]
    for player in state.players:
        if player.absent:
            yield from (Line(one, About()) for one in answer_why(why(state, player.id)).short)
    yield from of_story(facts, explain(state))
    for id in ids:
        yield from of_why(facts, why(state, id))
    for _ in range(QUESTIONS if len(ids) > 1 else 0):
        yield from of_why_not(facts, *draw.sample(ids, 2))
    for id in draw.sample(ids, min(2, len(ids))):
        yield from of_why_not(facts, id, BYE)
    for at, group in enumerate(facts.groups):  # a few pairs that nearly met: of one group
        if len(group.members) > 2 and at < QUESTIONS:
            yield from of_why_not(facts, *draw.sample(group.members, 2))
    if facts.groups:
        at = draw.randint(1, len(facts.groups))
        yield from of_sieve(facts, sieve(state, at, 12, illegal=draw.random() < 0.3))
    if draw.random() < 0.2:
        yield from of_slides(facts)


# --- rounds to talk about


def a_table(draw: Random) -> Crosstable:
    """A history: any, one in which few opponents are left, one of draws, or one of two camps."""
    kind = draw.choice(("any", "any", "tight", "draws", "camps"))
    if kind == "any":
        return random_table(draw, 9)
    table = random_table(draw, draw.choice((5, 6, 7, 8, 9)))
    if kind == "tight":
        most = len(table.rows)
        while table.paired < min(most - 2, 5):
            table = random_table(draw, 8)
            most = len(table.rows)
        return table
    if kind == "draws":
        drawn = {"1": "=", "0": "="}
        rows = tuple(
            structs.replace(
                row,
                entries=tuple(structs.replace(e, letter=drawn.get(e.letter, e.letter)) for e in row.entries),
            )
            for row in table.rows
        )
        return structs.replace(table, rows=rows)
    ids = [row.id for row in table.rows]
    draw.shuffle(ids)
    cut = draw.randint(1, max(1, len(ids) // 2))
    camps = (tuple(sorted(ids[:cut])), tuple(sorted(ids[cut : cut + draw.randint(2, 5)])))
    return structs.replace(table, prohibitions=tuple(Prohibition(camp) for camp in camps if len(camp) > 1))


def of_standings(table: Crosstable, draw: Random) -> Iterator[Line]:
    """Why one is placed above another."""
    ids = [row.id for row in table.rows]
    codes = draw.choice(("BH", "DE,SB", "SB,BH", "PTS", "BH,PTS"))
    if draw.random() < 0.2:
        gone = set(draw.sample(ids, draw.randint(1, len(ids))))
        rows = [structs.replace(row, status="expelled") if row.id in gone else row for row in table.rows]
        table = structs.replace(table, rows=tuple(rows))
    orders: tuple[LotsDrawn, ...] = ()
    shuffled = list(ids)
    if draw.random() < 0.5:
        draw.shuffle(shuffled)
        orders = (LotsDrawn(players=tuple(shuffled), method=draw.choice(("lots", "hand"))),)
    filed = {id: place for place, id in enumerate(shuffled, 1)}
    for _ in range(3):
        one, other = draw.sample(ids, 2)
        for about in (About(orders=orders), About(filed=filed)):
            ranking = Ranking(table, table.paired, parse_list(codes), orders=about.orders, places=about.filed)
            try:
                found = ranking.compare(one, other)
            except PaircardError:
                continue
            yield Line(place_line(found), replace(about, table=table, codes=codes, asked=(one, other)))


def of_report(table: Crosstable, edition: str, draw: Random) -> Iterator[tuple[Facts, Line]]:
    """A round that came from elsewhere, and what stands there instead of the round of the rules."""
    number = draw.randint(1, min(table.paired + 1, table.rounds))
    if len(table.rows) < 3:
        return
    asked = round_of_report(Reading(table=table, edition="", system="", notes=()), edition, number)
    try:
        facts = facts_of(asked.snapshot, pair(asked.snapshot))
    except NoLegalRound:
        reply = ask_explain(asked)
        facts = Facts.without_round(asked.snapshot)
        yield from ((facts, Line(one, About(round=asked))) for one in (*reply.notes, *reply.answer.short))
        return
    if facts is None:
        return
    about = About(round=asked)
    ids = [player.id for player in asked.snapshot.players]
    whole = ask_explain(asked)
    assert isinstance(whole.data, Story)
    for one in (*whole.notes, *whole.afterwards, title_of_round(whole.data)):
        yield facts, Line(one, about)
    for id in ids:
        yield from ((facts, Line(one, about)) for one in absence(asked, id))
    for id in draw.sample(ids, 2):
        reply = ask_why(asked, id)
        yield from ((facts, Line(one, replace(about, player=id))) for one in reply.notes)
    pairs = [tuple(draw.sample(ids, 2)), *(asked.boards or ())[:2]]
    pairs += [(board.white, board.black) for board in facts.boards[:2]]
    for a, b in pairs:
        reply = ask_why_not(asked, a, b)
        yield from ((facts, Line(one, about)) for one in reply.notes)
        if isinstance(reply.data, Contrast):
            at = against(about, reply.data, asked=(a, b))
            last = [one for one in reply.answer.detail if one.code.startswith("explain.contrast.round")]
            yield from ((facts, Line(one, at)) for one in last)


def sentences(draw: Random, edition: str) -> Iterator[tuple[Facts, Line]]:
    """All sentences about one history."""
    table = a_table(draw)
    yield from of_report(table, edition, draw)
    state = snapshot(table, table.paired + 1, edition)
    try:
        facts = facts_of(state, pair(state))
    except NoLegalRound:
        return
    if facts is not None:
        yield from ((facts, line) for line in said_about(facts, draw))
        yield from ((facts, line) for line in of_standings(table, draw))
