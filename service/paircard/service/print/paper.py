"""Paper for the hall: pairing sheets, result slips, the start list, pairing cards, the tabellone."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from paircard.domain.values.names import collation_key
from paircard.domain.values.rules import RULES
from paircard.projections.round.cards import Tabellone
from paircard.service.moment import Moment
from paircard.service.pairing_sheets import Board, Round, Seat
from paircard.service.print.rendering import (
    FILE,
    MARKS,
    Event,
    Frame,
    Pieces,
    absence,
    page_of,
    render,
)


class NameLine(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player sits, for the list by name."""

    player: Seat
    board: int = 0
    colour: str = ""
    opponent: Seat | None = None
    result: str | None = None
    letter: str = ""
    """Why there is no board: ``U``, ``H``, ``F``, ``Z``, ``free``, ``withdrawn`` or ``expelled``."""


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


SLIPS: Final = 10
"""Slips of one sheet of A4."""


def sheet_page(
    moment: Moment, round: int | None = None, frame: Frame = FILE, *, by_name: bool = False
) -> str:
    """The pairing sheet by board, or by name, where everybody finds their own; the last round by default."""
    view = moment.boards(round)
    names = lines_by_name(view) if by_name else ()
    return page_of(moment, "sheet.html", frame, view=view, names=names, **about(moment, view))


def slips_page(moment: Moment, round: int | None = None, frame: Frame = FILE) -> str:
    """A slip for each board, to be filled in and signed by both players."""
    view = moment.boards(round)
    sheets = stacked(view.boards)
    return page_of(moment, "slips.html", frame, view=view, sheets=sheets, **about(moment, view))


def stacked(boards: Sequence[Board]) -> list[Sequence[Board]]:
    """Slips by sheet, so that all sheets cut as one stack give piles that follow each other."""
    sheets = -(-len(boards) // SLIPS)
    return [boards[at::sheets] for at in range(sheets)]


def about(moment: Moment, view: Round) -> dict[str, object]:
    """The day of a round, where it came from, and which columns its sheet needs."""
    days = moment.regulations.dates
    seats = [seat for board in view.boards for seat in (board.white, board.black)]
    return {
        "day": days[view.round - 1] if days else "",
        "from_file": moment.state.rounds[view.round - 1].fact.origin == "import",
        "by_hand": view.altered or moment.state.manual == view.round,
        "rated": any(seat.rating for seat in seats),
        "federations": any(seat.federation for seat in seats),
    }


def start_list_page(moment: Moment, frame: Frame = FILE) -> str:
    """Everybody in order of pairing number, those without one last."""
    view = moment.players()
    return page_of(
        moment,
        "players.html",
        frame,
        view=view,
        pieces=moment.keep(("start list", frame.language, frame.links), Pieces, rounds=0),
        federations=any(one.federation for one in view.players),
        clubs=any(one.club for one in view.players),
        ids=any(one.fide_id for one in view.players),
        groups=any(one.groups for one in view.players),
    )


def cards_page(moment: Moment, players: Sequence[int] = (), frame: Frame = FILE) -> str:
    """Pairing cards of these players, or of everybody in order of pairing number."""
    made = moment.cards()
    return page_of(
        moment,
        "cards.html",
        frame,
        cards=[made[id] for id in players or made],
        opponents=made,
        floats=RULES[moment.regulations.edition].downfloats,
        marks=MARKS,
        coming=range(moment.state.paired + 1, moment.regulations.rounds + 1),
    )


def tabellone_page(event: Event, table: Tabellone, frame: Frame = FILE) -> str:
    """Scoregroups with colour histories, preferences and floats."""
    return render("tabellone.html", frame, event=event, table=table)
