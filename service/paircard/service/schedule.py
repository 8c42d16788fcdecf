"""All rounds of a tournament on one page, and as a calendar.

A round robin has its whole schedule once the numbers are drawn; of a Swiss it is the rounds so far.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

import msgspec

from paircard.domain.deciding.numbering import numbers_drawn
from paircard.domain.messages import Message
from paircard.domain.rounds import ADJOURNED
from paircard.domain.speaking import ENGLISH, Speaker
from paircard.domain.state import Tournament
from paircard.domain.values.regulations import rounds_for
from paircard.domain.values.results import ResultText, spell
from paircard.domain.values.rules import RULES
from paircard.pairing.engines import pair
from paircard.projections.views import snapshot_now
from paircard.service.moment import Moment
from paircard.service.print.rendering import FILE, Frame, Pieces, page_of


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays, by name and number in the table."""

    id: int
    number: int
    name: str


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """A board of a round."""

    board: int
    white: Player
    black: Player
    result: ResultText | None = None
    """None while the game is not over."""


class RoundOf(msgspec.Struct, frozen=True, kw_only=True):
    """A round of the schedule."""

    round: int
    day: str
    """``2026-11-21``; empty if none is announced."""
    paired: bool
    """False for a round that is only known from the table."""
    boards: tuple[Meeting, ...]
    free: Player | None = None
    """Who has no opponent in an odd field."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """All rounds that are known."""

    name: str
    rounds: tuple[RoundOf, ...]


def schedule_of(moment: Moment, *, ahead: bool = True) -> Schedule:
    """The rounds that are paired, and ``ahead`` those a drawn table already tells.

    The public sees a round once it is published.
    """
    paired = (paired_round(moment, round) for round in range(1, moment.state.paired + 1))
    coming = rounds_to_come(moment.state) if ahead else ()
    return Schedule(name=moment.regulations.name, rounds=(*paired, *coming))


def paired_round(moment: Moment, round: int) -> RoundOf:
    """A round on record, with its results; made once."""

    def make() -> RoundOf:
        past = moment.state.rounds[round - 1]
        boards = [
            (game.white, game.black, spell(game.outcome) if game.outcome not in (None, ADJOURNED) else None)
            for game in past.games()
        ]
        return _round(moment.state, round, past.numbers, boards)

    return moment.keep(("scheduled", round), make, rounds=round)


def rounds_to_come(state: Tournament) -> Iterator[RoundOf]:
    """The rounds that are not paired yet, if the numbers that are drawn decide them."""
    rules = state.regulations
    if not RULES[rules.edition].known_at_once or rules.table == "hand" or not numbers_drawn(state):
        return
    numbers = [(id, number) for number, id in enumerate(state.order, 1)]
    for round in range(state.paired + 1, rounds_for(rules, len(numbers)) + 1):
        boards = pair(snapshot_now(state, round)).boards
        yield _round(state, round, numbers, [(one.white, one.black, None) for one in boards])


def _round(
    state: Tournament,
    round: int,
    numbers: Iterable[tuple[int, int]],
    boards: Iterable[tuple[int, int, ResultText | None]],
) -> RoundOf:
    """A round, given the number of everybody in it, and White, Black and result of each board, by id."""
    free = {id: Player(id=id, number=at, name=state.players[id - 1].details.name) for id, at in numbers}
    meetings = tuple(
        Meeting(board=at, white=free.pop(white), black=free.pop(black), result=result)
        for at, (white, black, result) in enumerate(boards, 1)
    )
    days, seats_kept = state.regulations.dates, RULES[state.regulations.edition].leavers_keep_seats
    return RoundOf(
        round=round,
        day=days[round - 1] if round <= len(days) else "",
        paired=round <= state.paired,
        boards=meetings,
        free=next(iter(free.values()), None) if seats_kept else None,
    )


def schedule_page(moment: Moment, frame: Frame = FILE) -> str:
    """The schedule for the wall: every round with its boards, colours and results."""
    found, paired = schedule_of(moment, ahead=frame.desk or not frame.links), moment.state.paired
    return page_of(
        moment,
        "schedule.html",
        frame,
        rounds=found.rounds,
        made={
            one.round: moment.keep(("schedule", one.round, frame.language), Pieces, rounds=one.round)
            if one.paired
            else Pieces()
            for one in found.rounds
        },
        lines=moment.keep(("lines of schedule", frame.language), Pieces, rounds=paired - 1),
        days=any(one.day for one in found.rounds),
        current=next((one.round for one in found.rounds if any(not b.result for b in one.boards)), 0),
    )


# --- a calendar file (RFC 5545)


LINE = 75
"""Bytes of a line before it is folded."""


def calendar_of(moment: Moment, player: int = 0, language: str = ENGLISH, *, ahead: bool = True) -> str:
    """The rounds whose day is announced, for a calendar; of one player the games of that player alone."""
    found = schedule_of(moment, ahead=ahead)
    speaker = Speaker(language)
    stamp = moment.facts[-1].when.replace("-", "").replace(":", "")
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Paircard//Schedule//EN", "METHOD:PUBLISH"]
    lines.append(f"X-WR-CALNAME:{_escaped(found.name)}")
    for one in found.rounds:
        boards = [game for game in one.boards if player in (0, game.white.id, game.black.id)]
        if not one.day or not boards:
            continue
        heading = speaker.say(Message("page.round.title", {"round": one.round}))
        games = [f"{game.board}. {game.white.name} – {game.black.name}" for game in boards]
        title = f"{heading}: {games[0]}" if player else f"{found.name}, {heading}"
        day = date.fromisoformat(one.day)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{moment.facts[0].tournament}-{one.round}@paircard",
            f"DTSTAMP:{stamp}",
            f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{_escaped(title)}",
            f"DESCRIPTION:{_escaped(chr(10).join(games))}",
            *([f"LOCATION:{_escaped(moment.regulations.place)}"] if moment.regulations.place else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """A long line in pieces of at most 75 bytes, none of which cuts a character."""
    pieces: list[str] = []
    piece = ""
    for sign in line:
        if len((piece + sign).encode()) > LINE - bool(pieces):
            pieces.append(piece)
            piece = ""
        piece += sign
    return "\r\n ".join([*pieces, piece])
