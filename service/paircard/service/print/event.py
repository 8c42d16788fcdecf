"""A tournament and a round as pages show them: the head, results in two halves, everybody by name."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from paircard.domain.proof.checkpoints import printed
from paircard.domain.state import entered
from paircard.domain.values.names import collation_key
from paircard.domain.values.regulations import rounds_for
from paircard.projections.trf.lines import day_of
from paircard.projections.trf.records import Report
from paircard.service.moment import Moment
from paircard.service.pairing_sheets import Round, Seat


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the head of a page shows it."""

    name: str
    place: str = ""
    federation: str = ""
    starts: str = ""
    ends: str = ""
    time_control: str = ""
    arbiter: str = ""
    edition: str = ""
    players: int = 0
    rounds: int = 0
    paired: int = 0
    current: int = 0
    """The round people are in."""
    boards: int = 0
    """Its boards."""
    open_games: int = 0
    """Those of them without a result."""
    published: bool = True
    """Whether that round is published."""
    closed: bool = False
    fide_mode: bool = True
    prizes: bool = False
    """Whether groups or prizes are announced."""
    version: int = 0
    when: str = ""
    """Number and time of the last fact."""
    head: str = ""
    """Length and last hash of the log, as printed on paper; empty for the public, whose log has no hashes."""


ANNOUNCED: Final = ("name", "place", "federation", "starts", "ends", "time_control", "edition")
"""Regulations that the head of a page shows."""


def event_of(moment: Moment) -> Event:
    """The tournament at a moment."""
    return moment.once("event", lambda: make_event(moment))


def make_event(moment: Moment) -> Event:
    rules = moment.regulations
    rounds = moment.state.rounds
    current = moment.state.current
    last = rounds[current - 1] if rounds else None
    hash = moment.facts[-1].hash
    return Event(
        **{name: getattr(rules, name) for name in ANNOUNCED},
        arbiter=rules.chief_arbiter,
        players=len(entered(moment.state)),
        rounds=rules.rounds or rounds_for(rules, len(entered(moment.state))),
        paired=len(rounds),
        current=current,
        boards=len(last.histories) if last else 0,
        open_games=len(last.open_boards()) if last else 0,
        published=last is None or last.published,
        closed=moment.state.closed,
        fide_mode=moment.state.fide_mode,
        prizes=bool(rules.categories or (rules.prizes and rules.prizes.prizes)),
        version=moment.version,
        when=moment.facts[-1].when,
        head=printed(moment.version, hash) if hash else "",
    )


def event_of_report(report: Report, name: str) -> Event:
    """The tournament of a report file, called like its file if it has no name (TRF26 012 to 102)."""
    return Event(
        name=report.text("012") or name,
        place=report.text("022"),
        federation=report.text("032"),
        starts=day_of(report.text("042")) or report.text("042"),
        ends=day_of(report.text("052")),
        arbiter=report.text("102"),
    )


MARKS: Final[Mapping[str, str]] = {"=": "½", "D": "½", "W": "1", "L": "0", "-": "−", "?": "?", "": "·"}
"""How a letter is shown where it is not itself."""
SIDES: Final[Mapping[str, str]] = {"1F": "+", "0F": "−", "W": "1", "D": "½", "L": "0"}
"""How a side of a result is shown where it is not itself."""


class Result(msgspec.Struct, frozen=True):
    """A result as a board shows it."""

    white: str
    black: str
    note: str = ""
    """``forfeit``, ``unrated`` or empty."""


class NameLine(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player sits, for the list by name."""

    player: Seat
    board: int = 0
    colour: str = ""
    opponent: Seat | None = None
    result: str | None = None
    letter: str = ""
    """Why there is no board: ``U``, ``H``, ``F``, ``Z``, ``free``, ``withdrawn`` or ``expelled``."""


def result_of(text: str | None) -> Result | None:
    """Both halves of a result such as ``½-½`` or ``1F-0F``; none while there is none."""
    if not text or text == "adjourned":
        return None
    white, black = text.split("-")
    note = "forfeit" if "F" in text else "unrated" if white in "WDL" else ""
    return Result(SIDES.get(white, white), SIDES.get(black, black), note)


def results_in(round: Round) -> int:
    """How many boards have a result."""
    return sum(result_of(board.result) is not None for board in round.boards)


def lines_by_name(round: Round, wanted: Callable[[Seat], bool] = bool) -> tuple[NameLine, ...]:
    """Everybody, or who is wanted, in alphabetical order, with board, colour and opponent."""
    made = [
        NameLine(player=player, board=board.board, colour=colour, opponent=opponent, result=board.result)
        for board in round.boards
        for colour, player, opponent in (("w", board.white, board.black), ("b", board.black, board.white))
        if wanted(player)
    ]
    if round.pab and wanted(round.pab):
        made.append(NameLine(player=round.pab, letter="U"))
    made += [
        NameLine(player=each, letter=absence(each.letter, each.reason))
        for each in round.absent
        if wanted(each)
    ]
    return tuple(sorted(made, key=lambda line: (collation_key(line.player.name), line.player.number or 0)))


def absence(letter: str, reason: str) -> str:
    """Why somebody has no board, as a key of the catalogue."""
    return reason if reason in ("withdrawn", "expelled", "free") else letter
