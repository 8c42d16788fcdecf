"""Questions about a round, answered: a round of a log or of a report in, a typed answer out.

The round is computed again from what was known when it was paired. Where the recorded boards are
different, because the arbiter altered them or they came from elsewhere, notes say so. An answer has the
data, and lines on two levels (for a player, for an arbiter) that a ``Speaker`` puts into words.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.deciding.decision import round_of
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import PairingsAltered, Recorded
from paircard.domain.rounds import RATING_REPORT
from paircard.domain.rounds import Round as PairedRound
from paircard.pairing import NoLegalRound, pair
from paircard.pairing.explain import BYE, Contrast, Story, Why, explain, why, why_not
from paircard.pairing.explain.answers import answer_why, answer_why_not
from paircard.pairing.explain.bracket_lines import (
    BracketLines,
    bracket_lines,
    criteria_named,
    numbers_key,
    signs_key,
    tagged,
)
from paircard.pairing.explain.lines import Answer, Candidate, Field, Levels, Line, Person, Points, Rule, line
from paircard.pairing.explain.speaking import Speaker, Who, ranges
from paircard.pairing.explain.topscorers import topscorers_line
from paircard.pairing.explain.why import BracketStory, Seat
from paircard.pairing.lab.check import boards_of, players_without_colour
from paircard.projections.history import History, history
from paircard.projections.round.snapshot import Snapshot, snapshot
from paircard.projections.standings.standings import Comparison
from paircard.projections.trf.reading import Reading
from paircard.projections.views import snapshot_now, version_paired_from
from paircard.service.finding import Roster, find_player

Boards = tuple[tuple[int, int], ...]

BYE_WORDS: Final = ("bye", "pab")
SHOWN: Final = 24
"""Boards of another round that are written out."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round that can be asked about."""

    snapshot: Snapshot
    people: dict[int, Who]
    """Everyone of the tournament, also those who came later; numbers are those of the round."""
    boards: Boards | None
    """As they stand, White first; None for a round that is not paired yet."""
    pab: int = 0
    notes: tuple[Line, ...] = ()
    """Why the boards may not be those of the rules."""
    played: tuple[Line, ...] = ()
    """That others met than were paired."""
    uncoloured: frozenset[int] = frozenset()
    """Players whose colours the report does not have, since the game was forfeited."""
    gone: dict[int, str] = {}
    """Players who had withdrawn or were expelled."""

    def player(self, text: str) -> int:
        """The player meant: by the pairing number of the round, id (``p16``), or a part of the name."""
        names = {id: who.name for id, who in self.people.items()}
        numbers = {player.id: player.number for player in self.snapshot.players if player.number}
        return find_player(Roster(names=names, numbers=numbers), text)

    def player_or_bye(self, text: str) -> int:
        """The same, or ``BYE`` for the bye."""
        return BYE if text.casefold() in BYE_WORDS else self.player(text)

    def late(self, id: int) -> bool:
        """Whether the player entered after the round was paired."""
        return all(player.id != id for player in self.snapshot.players)

    def others(self, boards: Boards, pab: int) -> int:
        """How many boards stand that are not among these."""
        ours = set(map(self._seat, boards))
        others = sum(self._seat(board) not in ours for board in self.boards or ())
        return others + (self.pab not in (0, pab))

    def same(self, board: tuple[int, int], boards: Sequence[tuple[int, int]]) -> bool:
        """Whether a board is among these, colours included where they are known."""
        return self._seat(board) in map(self._seat, boards)

    def _seat(self, board: tuple[int, int]) -> tuple[int, int]:
        return (min(board), max(board)) if self.uncoloured.issuperset(board) else board


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: the data it rests on, and lines."""

    data: Why | Contrast | Story | None = None
    """None where there is nothing to compute: the player was not to be paired, or no round exists."""
    notes: tuple[Line, ...] = ()
    """What to know first: boards that are not those of the rules."""
    answer: Answer = Answer()
    afterwards: tuple[Line, ...] = ()
    """Virtual points."""

    def lines(self) -> tuple[Line, ...]:
        """All lines in order."""
        return (*self.notes, *self.answer.short, *self.answer.detail, *self.afterwards)


# --- which round is meant


def next_round(now: History) -> Round:
    """The round that is not paired yet."""
    state = snapshot_now(now)
    if state.round > state.rounds:
        raise Unknown(f"all {state.rounds} rounds are paired: there is no next one")
    numbers = {player.id: player.number for player in state.players}
    return Round(
        snapshot=state,
        people={p.id: Who(numbers.get(p.id, 0), p.details.name) for p in now.state.players},
        boards=None,
        notes=(line("note.unpaired", round=state.round),),
        gone={p.id: p.status for p in now.state.players if p.status},
    )


def round_of_log(log: Sequence[Recorded], now: History, round: int | None = None) -> Round:
    """A paired round of a history and its log; default: the last one."""
    number = now.paired if round is None else round
    stands = round_of(now.state, number)
    then = history(log[: version_paired_from(stands)])
    state = snapshot_now(then)
    if stands.fact.origin == "import":  # who was absent was not known before the round came in
        state = with_absences(state, dict(stands.fact.absent))
    numbers = {player.id: player.number for player in state.players}
    return Round(
        snapshot=state,
        people={p.id: Who(numbers.get(p.id, 0), p.details.name) for p in now.state.players},
        boards=tuple((game.white, game.black) for game in stands.games(0)),
        pab=stands.bye.as_seen_by(0).white,
        notes=origin_notes(log, stands),
        played=played_notes(stands),
        gone={p.id: p.status for p in then.state.players if p.status},
    )


def with_absences(state: Snapshot, absent: dict[int, str]) -> Snapshot:
    """The snapshot with just these players absent."""
    players = tuple(
        msgspec.structs.replace(player, absent=absent.get(player.id, "")) for player in state.players
    )
    return msgspec.structs.replace(state, players=players)


def origin_notes(log: Sequence[Recorded], stands: PairedRound) -> tuple[Line, ...]:
    """Who altered the round, or where its boards came from."""
    round = stands.number
    for recorded in reversed(log[stands.version :]):
        if stands.altered and isinstance(recorded.fact, PairingsAltered) and recorded.fact.round == round:
            if recorded.why:
                return (line("note.altered.why", round=round, by=recorded.who, why=recorded.why),)
            return (line("note.altered", round=round, by=recorded.who),)
    origin = stands.fact.origin
    if origin in ("manual", "import"):
        return (line(f"note.{origin}", round=round),)
    return ()


def played_notes(stands: PairedRound) -> tuple[Line, ...]:
    """That others met than were paired, if that is on record, for the standings or the rating report."""
    paired = {frozenset(board) for board in [(board.white, board.black) for board in stands.histories]}
    met = {frozenset((game.white, game.black)) for game in stands.games(RATING_REPORT)}
    return (line("note.played", round=stands.number),) if met != paired else ()


def round_of_report(reading: Reading, edition: str, round: int | None = None) -> Round:
    """A round of a report: a paired one, or the next; default: the last paired one."""
    table = reading.table
    number = max(table.paired, 1) if round is None else round
    if not 1 <= number <= min(table.paired + 1, table.rounds):
        known = f"rounds 1 to {table.paired} are" if table.paired > 1 else f"{table.paired} are"
        raise Unknown(f"round {number} cannot be explained: {known} paired")
    if not table.initial_colour:
        raise Invalid(
            f"the initial colour is not known, so round {number} cannot be paired: "
            "add the colour drawn for number 1 to the file, as record 152 W or 152 B"
        )
    found = boards_of(table, number) if number <= table.paired else None
    return Round(
        snapshot=snapshot(table, number, edition),
        people={row.id: Who(row.number, row.name) for row in table.rows},
        boards=None if found is None else tuple(board for board in found if board[1]),
        pab=next((white for white, black in found or () if not black), 0),
        uncoloured=players_without_colour(table, number),
        notes=(line("note.unpaired", round=number),) if found is None else (),
    )


# --- answers


def ask_why(round: Round, player: int) -> Reply:
    """Why a player has this opponent and this colour."""
    absent = absence(round, player)
    if absent:
        return Reply(answer=Answer(short=absent))
    try:
        data = why(round.snapshot, player)
    except NoLegalRound as none:
        return no_round(round, none)
    return Reply(
        data=data,
        notes=stands_instead(round, data),
        answer=answer_why(data),
        afterwards=acceleration_lines(round),
    )


def ask_why_not(round: Round, a: int, b: int) -> Reply:
    """Why two players do not meet, or why one of them does not have the bye (``BYE``)."""
    if a == b:
        raise Invalid("a player cannot meet themself: name two players")
    absent = tuple(one for id in (a, b) if id for one in absence(round, id))
    if absent:
        return Reply(answer=Answer(short=absent))
    state = round.snapshot
    try:
        data = why_not(state, a, b)
    except NoLegalRound as none:
        return no_round(round, none)
    answer = answer_why_not(data, a, b, state.edition, state.round)
    if data.outcome in ("worse", "later"):
        answer = msgspec.structs.replace(answer, detail=(*answer.detail, other_round(round, data)))
    meet = together(round.boards or (), a, b)
    notes: tuple[Line, ...] = ()
    if meet and data.outcome != "real":
        notes = (*round.notes, line("note.meet", a=Person(a), b=Person(b)))
    elif data.outcome == "real" and a and b and round.boards is not None and not meet:
        notes, answer = (*round.notes, line("note.do-not-meet", a=Person(a), b=Person(b))), Answer()
    return Reply(data=data, notes=notes, answer=answer, afterwards=acceleration_lines(round))


def ask_explain(round: Round) -> Reply:
    """The whole round. Its lines are made bracket by bracket, by whoever shows it."""
    try:
        data = explain(round.snapshot)
    except NoLegalRound as none:
        return no_round(round, none)
    notes = round.notes
    if round.boards is not None:
        ours = tuple((board.white, board.black) for board in data.boards)
        others = round.others(ours, data.pab)
        notes = (*notes, line("note.other-boards", boards=others, count=others)) if others else ()
    return Reply(data=data, notes=notes, afterwards=acceleration_lines(round))


def no_round(round: Round, none: NoLegalRound) -> Reply:
    """Where the rules give no round."""
    return Reply(notes=round.notes, answer=Answer(short=(line("note.no-round", why=str(none)),)))


def absence(round: Round, id: int) -> tuple[Line, ...]:
    """Why a player was not to be paired; empty for one who was."""
    number = round.snapshot.round
    if round.late(id):
        return (line("absent.late", player=Person(id), round=number),)
    letter = next(player.absent for player in round.snapshot.players if player.id == id)
    if not letter:
        return ()
    return (line(f"absent.{round.gone.get(id) or letter}", player=Person(id), round=number),)


def stands_instead(round: Round, data: Why) -> tuple[Line, ...]:
    """What to say first where another board stands than that of the rules."""
    if round.boards is None:
        return round.notes
    ours = [(data.colours.white.player, data.colours.black.player)] if data.colours else []
    stands = next((board for board in round.boards if data.player in board), None)
    if (data.pab and round.pab == data.player) or (stands and round.same(stands, ours)):
        return round.played
    me = Person(data.player)
    if stands:
        side = "white" if stands[0] == data.player else "black"
        other = Person(sum(stands) - data.player)
        return (*round.notes, *round.played, line(f"note.stands.{side}", player=me, opponent=other))
    return (
        *round.notes,
        *round.played,
        line(f"note.stands.{'bye' if round.pab == data.player else 'none'}", player=me),
    )


def other_round(round: Round, data: Contrast) -> Line:
    """The best round under the condition, as far as it differs."""
    real = pair(round.snapshot)
    kept = {(board.white, board.black) for board in real.boards}
    new = [(b.white, b.black) for b in data.boards if (b.white, b.black) not in kept]
    same = len(data.boards) - len(new)
    if data.pab != real.pab:
        new.append((data.pab, BYE))
    shown = Candidate(tuple(new[:SHOWN]), (), len(new) if len(new) > SHOWN else 0)
    if not same:
        return line("contrast.round", candidate=shown)
    return line("contrast.round.same", candidate=shown, same=same, count=same)


def acceleration_lines(round: Round) -> tuple[Line, ...]:
    """Whose scores are higher in this round than on the pairing sheet (C.04.7)."""
    having: dict[int, list[int]] = {}
    for player in round.snapshot.players:
        if player.score > player.points and not player.absent:
            having.setdefault(player.score - player.points, []).append(player.number)
    return tuple(
        line("note.accelerated", virtual=Points(worth), numbers=ranges(numbers), count=len(numbers))
        for worth, numbers in sorted(having.items(), reverse=True)
    )


def place_line(found: Comparison) -> Line:
    """Why one player is placed above another, in one sentence."""
    first, second = Person(found.first), Person(found.second)
    level = Levels(tuple((one.code, one.first) for one in found.level))
    if found.method == "status":
        key = "place.status" if found.place else "place.none"
        return line(key, first=first, second=second, place=found.place)
    if found.method:
        return line(f"place.{found.method}", first=first, second=second, level=level)
    decided = found.decided
    if decided is None:
        return line("place.shared", first=first, second=second, level=level, place=found.place)
    value: Levels | str = decided.first
    if not found.level and decided.code == "PTS":
        key, value = "place.points", Levels(((decided.code, decided.first),))
    elif not found.level:
        key = "place.first"
    else:
        key = "place.DE" if decided.code.startswith("DE") else "place.tiebreak"
    return line(
        key,
        first=first,
        second=second,
        level=level,
        code=decided.code,
        value=value,
        other=decided.second,
    )


def together(boards: Iterable[tuple[int, int]], a: int, b: int) -> bool:
    """Whether two players meet on one of these boards."""
    return any({a, b} == set(board) for board in boards)


# --- the same as data for programs, at the command line and over HTTP


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


# --- a round in lines of text, bracket by bracket from the top


def lines_of(story: Story, round: Round, speaker: Speaker) -> list[str]:
    """The whole round."""
    seats = {seat.id: seat for seat in story.players}
    many = len(story.boards)
    title = line(
        "round.title.bye" if story.pab else "round.title",
        round=story.round,
        rounds=story.rounds,
        boards=many,
        count=many,
        player=Person(story.pab),
    )
    lines = [speaker.say(title)]
    if story.last_round is not None:
        lines.append(speaker.say(topscorers_line(story.last_round)))
    for bracket in story.brackets:
        lines += ["", *lines_of_bracket(story, bracket, seats, speaker)]
    if story.absent:
        lines += ["", *(speaker.say(each) for id, _ in story.absent for each in absence(round, id))]
    rules = [f"{name}: {speaker.field(Rule(name))}." for name in criteria_named(story)]
    return [*lines, "", *speaker.say_all((*signs_key(story), numbers_key(story))), *rules]


def lines_of_bracket(
    story: Story, bracket: BracketStory, seats: Mapping[int, Seat], speaker: Speaker
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
        seated = line(
            "board", board=number, white=Person(board.white), black=Person(board.black), article=board.rule
        )
        lines.append(f"  {speaker.say(seated)}")
    lines += [f"  {text}" for text in speaker.say_all(said.topscorers)]
    lines += [f"  ↓ {' '.join(speaker.say_all(reasons))}" for reasons in said.floats]
    lines.append(f"  {speaker.say(said.values)}")
    if said.rest is not None:
        lines.append(f"  {speaker.say(said.rest)}")
    return lines


__all__ = [
    "BYE",
    "Explained",
    "Reasons",
    "Reply",
    "Round",
    "Sentence",
    "Someone",
    "Spoken",
    "ask_explain",
    "ask_why",
    "ask_why_not",
    "explain_round",
    "explain_why",
    "explain_why_not",
    "lines_of",
    "next_round",
    "people_of",
    "place_line",
    "round_of_log",
    "round_of_report",
]
