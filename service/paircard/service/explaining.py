"""Questions about a round, answered: a round of a log or of a report in, a typed answer out.

The round is computed again from what was known when it was paired. Where the recorded boards are
different, because the arbiter altered them or they came from elsewhere, notes say so. An answer has the
data, and lines on two levels (for a player, for an arbiter) that a ``Speaker`` puts into words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.deciding.decision import round_of
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import PairingsAltered, Recorded
from paircard.domain.messages import Message
from paircard.domain.rounds import RATING_REPORT
from paircard.domain.rounds import Round as PairedRound
from paircard.domain.state import Tournament, state_after
from paircard.domain.values.players import REMOVED
from paircard.domain.values.rules import RULES
from paircard.pairing import NoLegalRound
from paircard.pairing.explain import BYE, Contrast, Meetings, Story, TableRound, TableSeat, Why
from paircard.pairing.explain.answers import topscorers_line
from paircard.pairing.explain.bracket_lines import (
    BracketLines,
    bracket_lines,
    criteria_named,
    numbers_key,
    signs_key,
    tagged,
)
from paircard.pairing.explain.explainers import EXPLAINERS, Explainer
from paircard.pairing.explain.speaking import (
    KINDS,
    Bars,
    Candidate,
    Counted,
    Group,
    Levels,
    Made,
    Measured,
    Meeting,
    RoundSpeaker,
    Values,
    Who,
    ranges,
    say,
)
from paircard.pairing.explain.why import BracketStory, Seat
from paircard.pairing.lab.check import players_without_colour
from paircard.pairing.outcome import Answer
from paircard.projections.log_lines import how_numbered
from paircard.projections.round.crosstable import Boards, boards_of, without_bye
from paircard.projections.round.snapshot import Snapshot, snapshot
from paircard.projections.standings.standings import Comparison
from paircard.projections.trf.reading import Reading
from paircard.projections.views import snapshot_now, version_paired_from
from paircard.service.finding import Roster, find_player

BYE_WORDS: Final = ("bye", "pab")


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round that can be asked about."""

    snapshot: Snapshot
    people: dict[int, Who]
    """Everyone of the tournament, also those who came later; numbers are those of the round."""
    boards: Boards | None
    """As they stand, White first; None for a round that is not paired yet."""
    pab: int = 0
    notes: tuple[Message, ...] = ()
    """Why the boards may not be those of the rules."""
    played: tuple[Message, ...] = ()
    """That others met than were paired."""
    uncoloured: frozenset[int] = frozenset()
    """Players whose colours the report does not have, since the game was forfeited."""
    gone: dict[int, str] = {}
    """Players who had withdrawn or were expelled."""
    numbered: tuple[Message, ...] = ()
    """How the numbers of a table came about."""

    def player(self, text: int | str) -> int:
        """The player meant: by id, or as people type it, the pairing number of the round or a name."""
        names = {id: who.name for id, who in self.people.items()}
        numbers = {player.id: player.number for player in self.snapshot.players if player.number}
        return find_player(Roster(names=names, numbers=numbers), text)

    def player_or_bye(self, text: int | str) -> int:
        """The player meant, or ``BYE`` for the bye."""
        return BYE if str(text).casefold() in BYE_WORDS else self.player(text)

    def late(self, id: int) -> bool:
        """Whether the player entered after the round was paired."""
        return all(player.id != id for player in self.snapshot.players)

    def others(self, boards: Boards) -> int:
        """How many boards stand that are not among these, nor the bye."""
        ours = set(map(self._seat, boards))
        others = sum(self._seat(board) not in ours for board in self.boards or ())
        return others + (self.pab != BYE and (self.pab, BYE) not in boards)

    def same(self, board: tuple[int, int], boards: Sequence[tuple[int, int]]) -> bool:
        """Whether a board is among these, colours included where they are known."""
        return self._seat(board) in map(self._seat, boards)

    def _seat(self, board: tuple[int, int]) -> tuple[int, int]:
        return (min(board), max(board)) if self.uncoloured.issuperset(board) else board


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: the data it rests on, and lines."""

    data: msgspec.Struct | None = None
    """None where there is nothing to compute: the player was not to be paired, or no round exists."""
    notes: tuple[Message, ...] = ()
    """What to know first: boards that are not those of the rules."""
    answer: Answer = Answer()
    afterwards: tuple[Message, ...] = ()
    """How numbers came about, and virtual points."""

    def lines(self) -> tuple[Message, ...]:
        """All lines in order."""
        return (*self.notes, *self.answer.short, *self.answer.detail, *self.afterwards)


# --- which round is meant


def next_round(now: Tournament) -> Round:
    """The round that is not paired yet."""
    state = snapshot_now(now)
    if state.round > state.rounds:
        raise Unknown("all-rounds-paired", rounds=state.rounds)
    return Round(
        snapshot=state,
        people=people_in(now, state),
        boards=None,
        notes=(say("explain.note.unpaired", round=state.round),),
        gone={p.id: p.status for p in now.players if p.status},
    )


def round_of_log(log: Sequence[Recorded], now: Tournament, round: int | None = None) -> Round:
    """A paired round of a history and its log; default: the one people are in."""
    number = now.current if round is None else round
    stands = round_of(now, number)
    then = state_after(log[: version_paired_from(stands)])
    state = snapshot_now(then, number)
    if stands.fact.origin == "import":  # who was absent was not known before the round came in
        state = state.without(dict(stands.fact.absent))
    return Round(
        snapshot=state,
        people=people_in(now, state),
        boards=tuple((game.white, game.black) for game in stands.games(0)),
        pab=stands.bye.as_seen_by(0).white,
        notes=() if state.by_hand else origin_notes(log, stands),
        played=played_notes(stands),
        numbered=(how_numbered(log, then),) if "numbers" in RULES[state.edition].draws else (),
        gone={p.id: p.status for p in then.players if p.status},
    )


def people_in(now: Tournament, state: Snapshot) -> dict[int, Who]:
    """Everyone of the tournament, with the numbers of a round."""
    numbers = {player.id: player.number for player in state.players}
    return {p.id: Who(numbers.get(p.id, 0), p.details.name) for p in now.players}


def origin_notes(log: Sequence[Recorded], stands: PairedRound) -> tuple[Message, ...]:
    """Who altered the round, or where its boards came from."""
    round = stands.number
    for recorded in reversed(log[stands.version :]):
        if stands.altered and isinstance(recorded.fact, PairingsAltered) and recorded.fact.round == round:
            if recorded.why:
                return (say("explain.note.altered.why", round=round, who=recorded.who, reason=recorded.why),)
            return (say("explain.note.altered", round=round, who=recorded.who),)
    origin = stands.fact.origin
    if origin in ("manual", "import"):
        code = "explain.note.manual" if origin == "manual" else "explain.note.import"
        return (say(code, round=round),)
    return ()


def played_notes(stands: PairedRound) -> tuple[Message, ...]:
    """That others met than were paired, if that is on record, for the standings or the rating report."""
    paired = {frozenset(board) for board in [(board.white, board.black) for board in stands.histories]}
    met = {frozenset((game.white, game.black)) for game in stands.games(RATING_REPORT)}
    return (say("explain.note.played", round=stands.number),) if met != paired else ()


def round_of_report(reading: Reading, edition: str, round: int | None = None) -> Round:
    """A round of a report: a paired one, or the next; default: the last paired one."""
    table = reading.table
    number = max(table.paired, 1) if round is None else round
    if not 1 <= number <= min(table.paired + 1, table.rounds):
        raise Unknown("round-not-explained", round=number, last=table.paired)
    if "initial-colour" in RULES[edition].draws and not table.initial_colour:
        raise Invalid("colour-not-known", round=number)
    known = number <= table.paired
    boards, pab = without_bye(boards_of(table, number))
    seen = snapshot(table, number, edition)
    return Round(
        snapshot=msgspec.structs.replace(seen, by_hand=True) if reading.by_hand else seen,
        people={row.id: Who(row.number, row.name) for row in table.rows},
        boards=boards if known else None,
        pab=pab if known else 0,
        uncoloured=players_without_colour(table, number),
        notes=() if known else (say("explain.note.unpaired", round=number),),
    )


# --- answers


def explainer_of(round: Round) -> Explainer:
    """The explainer for the rules of a round."""
    return EXPLAINERS[RULES[round.snapshot.edition].family]


def need_brackets(round: Round) -> None:
    """Refuse to list candidates or scoregroups of a round that was not made from them."""
    if not explainer_of(round).brackets:
        raise Invalid("explain-no-brackets", round=round.snapshot.round)


def ask_why(round: Round, player: int) -> Reply:
    """Why a player has this opponent and this colour."""
    absent = absence(round, player)
    if absent:
        return Reply(answer=Answer(short=absent))
    try:
        told = explainer_of(round).why(round.snapshot, player)
    except NoLegalRound as none:
        return no_round(round, none)
    return Reply(
        data=told.data,
        notes=stands_instead(round, player, told.boards),
        answer=told.answer,
        afterwards=acceleration_lines(round),
    )


def ask_why_not(round: Round, a: int, b: int) -> Reply:
    """Why two players do not meet, or why one of them does not have the bye (``BYE``)."""
    if a == b:
        raise Invalid("pairing.meets-themself")
    absent = tuple(one for id in (a, b) if id for one in absence(round, id))
    if absent:
        return Reply(answer=Answer(short=absent))
    try:
        told = explainer_of(round).why_not(round.snapshot, a, b)
    except NoLegalRound as none:
        return no_round(round, none)
    answer = told.answer
    meet = together(round.boards or (), a, b)
    notes: tuple[Message, ...] = ()
    if meet and not told.boards:
        notes = (*round.notes, say("explain.note.meet", a=a, b=b))
    elif told.boards and a and b and round.boards is not None and not meet:
        notes, answer = (*round.notes, say("explain.note.do-not-meet", a=a, b=b)), Answer()
    return Reply(data=told.data, notes=notes, answer=answer, afterwards=acceleration_lines(round))


def ask_explain(round: Round) -> Reply:
    """The whole round; its lines are made later, bracket by bracket."""
    try:
        told = explainer_of(round).explain(round.snapshot)
    except NoLegalRound as none:
        return no_round(round, none)
    notes = round.notes
    if round.boards is not None:
        others = round.others(told.boards)
        notes = (*notes, say("explain.note.other-boards", count=others)) if others else ()
    afterwards = (*round.numbered, *acceleration_lines(round))
    return Reply(data=told.data, notes=notes, answer=told.answer, afterwards=afterwards)


def no_round(round: Round, none: NoLegalRound) -> Reply:
    """Where the rules give no round."""
    return Reply(notes=round.notes, answer=Answer(short=(say("explain.note.no-round", what=none.said),)))


def absence(round: Round, id: int) -> tuple[Message, ...]:
    """Why a player was not to be paired; empty for one who was."""
    number = round.snapshot.round
    if round.late(id):
        return (say("explain.absent.late", player=id, round=number),)
    letter = next(player.absent for player in round.snapshot.players if player.id == id)
    if not letter:
        return ()
    return (say(f"explain.absent.{round.gone.get(id) or letter}", player=id, round=number),)


def absences(story: Story, round: Round) -> list[Message]:
    """Why those who were not to be paired were not; an entry that was removed is on no list."""
    there = [id for id, _ in story.absent if round.gone.get(id) != REMOVED]
    return [each for id in there for each in absence(round, id)]


def stands_instead(round: Round, me: int, ours: Boards) -> tuple[Message, ...]:
    """What to say first where another board stands than that of the rules."""
    if round.boards is None:
        return round.notes
    stands = next((board for board in round.boards if me in board), None)
    bye = ((me, BYE),) if round.pab == me else ()
    if round.same(stands, ours) if stands else bye == ours:
        return round.played
    if stands:
        code = "explain.note.stands.white" if stands[0] == me else "explain.note.stands.black"
        return (*round.notes, *round.played, say(code, player=me, opponent=sum(stands) - me))
    code = "explain.note.stands.bye" if round.pab == me else "explain.note.stands.none"
    return (*round.notes, *round.played, say(code, player=me))


def acceleration_lines(round: Round) -> tuple[Message, ...]:
    """Whose scores are higher in this round than on the pairing sheet (C.04.7)."""
    having: dict[int, list[int]] = {}
    for player in round.snapshot.players:
        if player.score > player.points and not player.absent:
            having.setdefault(player.score - player.points, []).append(player.number)
    return tuple(
        say("explain.note.accelerated", virtual=worth, ranges=ranges(numbers), count=len(numbers))
        for worth, numbers in sorted(having.items(), reverse=True)
    )


def place_line(found: Comparison) -> Message:
    """Why one player is placed above another, in one sentence."""
    player, other = found.first, found.second
    tied = Levels(tuple((one.code, one.first) for one in found.level))
    if found.method == "status":
        code = "explain.place.status" if found.place else "explain.place.none"
        return say(code, player=player, other=other, place=found.place)
    if found.method:
        code = "explain.place.lots" if found.method == "lots" else "explain.place.hand"
        code = "explain.place.file" if found.method == "file" else code
        return say(code, player=player, other=other, tied=tied)
    decided = found.decided
    if decided is None:
        return say("explain.place.shared", player=player, other=other, tied=tied, place=found.place)
    if not found.level and decided.code == "PTS":
        amount = Levels(((decided.code, decided.first),))
        return say("explain.place.points", player=player, other=other, amount=amount, against=decided.second)
    code = "explain.place.DE" if decided.code.startswith("DE") else "explain.place.tiebreak"
    return say(
        code if found.level else "explain.place.first",
        player=player,
        other=other,
        tied=tied,
        code=decided.code,
        value=decided.first,
        against=decided.second,
    )


def together(boards: Iterable[tuple[int, int]], a: int, b: int) -> bool:
    """Whether two players meet on one of these boards."""
    return any({a, b} == set(board) for board in boards)


# --- the same as data for programs, at the command line and over HTTP


class Person(msgspec.Struct, frozen=True, tag="player", tag_field="kind"):
    """A player, or the bye."""

    id: int


class People(msgspec.Struct, frozen=True, tag="players", tag_field="kind"):
    """Several players."""

    ids: tuple[int, ...]


class Numbered(msgspec.Struct, frozen=True, tag="numbers", tag_field="kind"):
    """Several players by pairing number, in this order."""

    ids: tuple[int, ...]


class Pairs(msgspec.Struct, frozen=True, tag="pairs", tag_field="kind"):
    """Pairs of players by name; 0 is the bye."""

    pairs: tuple[tuple[int, int], ...]


class Points(msgspec.Struct, frozen=True, tag="points", tag_field="kind"):
    """An amount of points, in tenths."""

    tenths: int


class Times(msgspec.Struct, frozen=True, tag="times", tag_field="kind"):
    """How often: once, 2 times."""

    many: int


class Rule(msgspec.Struct, frozen=True, tag="rule", tag_field="kind"):
    """A rule by its name in the edition."""

    name: str


class Colour(msgspec.Struct, frozen=True, tag="colour", tag_field="kind"):
    """``w`` or ``b``."""

    side: str


class ColourHistory(msgspec.Struct, frozen=True, tag="history", tag_field="kind"):
    """Colours of games, the latest last, unplayed rounds in front (C.04.2:3.4)."""

    colours: str


TAGGED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "player": Person,
    "players": People,
    "numbered": Numbered,
    "pairs": Pairs,
    "points": Points,
    "times": Times,
    "rule": Rule,
    "word": Colour,
    "colour": Colour,
    "history": ColourHistory,
    "message": lambda message: RoundSpeaker({}).say(message),
}
"""What a program is given for a field, by the kind of its name; all others as they are."""
NAMES: Final = {
    "left": "group",
    "made": "pairs",
    "meaning": "rule",
    "met": "games",
    "numbered": "players",
    "otherwise": "other",
    "possible": "most",
    "ranges": "numbers",
    "reason": "why",
    "replacement": "instead",
    "scored": "score",
    "subgroups": "parts",
    "symbols": "numbers",
    "theirs": "other_points",
    "unavoidable": "least",
    "what": "why",
    "who": "by",
}
"""Fields whose name for programs is another one, for ever."""
Field = (
    int
    | str
    | Person
    | People
    | Numbered
    | Pairs
    | Candidate
    | Points
    | Group
    | Measured
    | Counted
    | Times
    | Values
    | Levels
    | Rule
    | Meeting
    | Bars
    | Colour
    | ColourHistory
)


VIRTUAL: Final = "note.accelerated"
"""The key of what is said about virtual points; it comes last."""


class Line(msgspec.Struct, frozen=True):
    """A sentence: its key in the catalogue, and what it is about."""

    key: str
    fields: dict[str, Field]


class Sentence(Line, frozen=True, kw_only=True):
    """A line with its words."""

    text: str


def line_of(message: Message) -> Line:
    """A message for a program."""
    fields = {}
    for name, value in message.fields.items():
        tagged = None if isinstance(value, Made) else TAGGED.get(KINDS[name])
        fields[NAMES.get(name, name)] = tagged(value) if tagged else value
    return Line(message.code.removeprefix("explain."), fields)


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """An answer in words."""

    plain: tuple[Sentence, ...] = ()
    """For the player, first: three short sentences. Names stand alone where nobody else has them."""
    more: tuple[Sentence, ...] = ()
    """For the player, below that: what the short answer adds."""
    short: tuple[Sentence, ...]
    """For the player, in one piece."""
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
    seat: TableSeat | UnsetType = UNSET
    """About one player of a round robin: the place in the table."""
    meetings: Meetings | UnsetType = UNSET
    """About two players of a round robin, or one and the free day: the rounds in which they meet."""
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
    table: TableRound | UnsetType = UNSET
    """Of a round robin, the round of the table."""
    lines: tuple[BracketLines[Line], ...]
    """What is said about each bracket."""
    text: tuple[str, ...]
    """All of it in lines."""
    people: tuple[Someone, ...]


def explain_why(round: Round, player: int) -> Reasons:
    """Why a player has this opponent and this colour."""
    reply = ask_why(round, player)
    why = reply.data if isinstance(reply.data, Why) else None
    seat = reply.data if isinstance(reply.data, TableSeat) else UNSET
    return msgspec.structs.replace(_reasons(round, reply), player=player, why=why, seat=seat)


def explain_why_not(round: Round, a: int, b: int) -> Reasons:
    """Why two players do not meet, or one has no bye."""
    reply = ask_why_not(round, a, b)
    why_not = reply.data if isinstance(reply.data, Contrast) else None
    meetings = reply.data if isinstance(reply.data, Meetings) else UNSET
    reasons = _reasons(round, reply)
    return msgspec.structs.replace(reasons, players=(a, b), why_not=why_not, meetings=meetings)


def explain_round(round: Round) -> Explained:
    """The whole round."""
    reply, speaker = ask_explain(round), RoundSpeaker(round.people)
    story = reply.data if isinstance(reply.data, Story) else None
    before = speaker.say_all((*reply.notes, *reply.answer.short, *reply.answer.detail))
    lines = lines_of(story, round, speaker) if story else []
    return Explained(
        round=round.snapshot.round,
        edition=round.snapshot.edition,
        notes=tuple(before),
        story=story,
        table=reply.data if isinstance(reply.data, TableRound) else UNSET,
        lines=tuple(bracket_lines(story, one).each(line_of) for one in story.brackets) if story else (),
        text=(*before, *speaker.say_all(reply.afterwards), *lines),
        people=people_of(round),
    )


def _reasons(round: Round, reply: Reply) -> Reasons:
    speaker, plainly = RoundSpeaker(round.people), RoundSpeaker(round.people, numbers=False)
    answer = reply.answer

    def spoken(lines: Iterable[Message], by: RoundSpeaker = speaker) -> tuple[Sentence, ...]:
        return tuple(Sentence(**msgspec.structs.asdict(line_of(one)), text=by.say(one)) for one in lines)

    notes, short, detail = spoken(reply.notes), spoken(answer.short), spoken(answer.detail)
    afterwards = spoken(reply.afterwards)
    return Reasons(
        round=round.snapshot.round,
        edition=round.snapshot.edition,
        answer=Spoken(
            plain=spoken(answer.plain, plainly),
            more=spoken(answer.more if answer.plain else answer.short, plainly),
            short=short,
            detail=detail,
            notes=(*notes, *afterwards),
        ),
        text=tuple(one.text for one in (*notes, *short, *detail, *afterwards)),
        people=people_of(round),
    )


def people_of(round: Round) -> tuple[Someone, ...]:
    """Everyone who may be spoken of."""
    return tuple(Someone(id=id, number=who.number, name=who.name) for id, who in round.people.items())


# --- a round in lines of text, bracket by bracket from the top


def lines_of(story: Story, round: Round, speaker: RoundSpeaker) -> list[str]:
    """The whole round."""
    seats = {seat.id: seat for seat in story.players}
    lines = [speaker.say(title_of_round(story))]
    if story.last_round is not None:
        lines.append(speaker.say(topscorers_line(story.last_round)))
    for bracket in story.brackets:
        lines += ["", *lines_of_bracket(story, bracket, seats, speaker)]
    if away := absences(story, round):
        lines += ["", *map(speaker.say, away)]
    rules = [f"{name}: {speaker.rule(name)}." for name in criteria_named(story)]
    return [*lines, "", *speaker.say_all((*signs_key(story), numbers_key(story))), *rules]


def title_of_round(story: Story) -> Message:
    """The round, its boards and who has the bye."""
    return say(
        "explain.round.title.bye" if story.pab else "explain.round.title",
        round=story.round,
        rounds=story.rounds,
        count=len(story.boards),
        player=story.pab,
    )


def lines_of_bracket(
    story: Story, bracket: BracketStory, seats: Mapping[int, Seat], speaker: RoundSpeaker
) -> list[str]:
    """One bracket: who is in it, what was tried, boards, who leaves it, values, and the rest."""
    made, said = bracket.candidate, bracket_lines(story, bracket)
    moved = " ".join(tagged(seats[id]) for id in made.moved_down)
    residents = " ".join(tagged(seats[id]) for id in made.residents)
    lines = [f"{speaker.say(said.title)}: {f'[{moved}] ' if moved else ''}[{residents}]"]
    lines.append(f"  {speaker.say(said.numbers)}")
    if said.parts is not None:
        lines.append(f"  {speaker.say(said.parts)}")
    lines += [f"  {text}" for text in speaker.say_all(said.reasons)]
    for number in bracket.boards:
        board = story.boards[number - 1]
        seated = say("explain.board", board=number, white=board.white, black=board.black, article=board.rule)
        lines.append(f"  {speaker.say(seated)}")
    lines += [f"  {text}" for text in speaker.say_all(said.topscorers)]
    lines += [f"  ↓ {' '.join(speaker.say_all(reasons))}" for reasons in said.floats]
    lines.append(f"  {speaker.say(said.values)}")
    if said.rest is not None:
        lines.append(f"  {speaker.say(said.rest)}")
    return lines


__all__ = [
    "BYE", "Colour", "ColourHistory", "Explained", "Line", "Numbered", "Pairs", "People", "Person",
    "Points", "Reasons", "Reply", "Round", "Rule", "Sentence", "Someone", "Spoken", "Times",
    "ask_explain", "ask_why", "ask_why_not", "explain_round", "explain_why", "explain_why_not",
    "lines_of", "next_round", "people_of", "place_line", "round_of_log", "round_of_report",
]  # fmt: skip
