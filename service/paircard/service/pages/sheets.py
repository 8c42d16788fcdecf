"""Paper for the hall: pairing sheets, result slips, the start list, pairing cards."""

from collections.abc import Sequence

import msgspec

from paircard.projections.history import History
from paircard.projections.round.cards import Card, cards
from paircard.projections.round.crosstable import Row
from paircard.projections.round.numbers import numbering
from paircard.projections.views import table_after
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import FILE, Frame, render
from paircard.service.pages.rounds import MARKS, round_view


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the start list."""

    id: int
    number: int
    name: str
    title: str
    rating: int
    federation: str
    club: str
    fide_id: int
    status: str
    late: bool
    byes: tuple[tuple[int, str], ...]


def boards_page(history: History, round: int, hash: str = "", frame: Frame = FILE) -> str:
    """The pairing sheet by board; ``hash`` is that of the last fact."""
    return render(
        "sheet.html", frame, event=event_of(history, hash), view=round_view(history, round), by_name=False
    )


def names_page(history: History, round: int, hash: str = "", frame: Frame = FILE) -> str:
    """The pairing sheet by name: everybody finds their own board."""
    view = round_view(history, round)
    return render("sheet.html", frame, event=event_of(history, hash), view=view, by_name=True)


def slips_page(history: History, round: int, hash: str = "", frame: Frame = FILE) -> str:
    """A slip for each board, to be filled in and signed by both players."""
    return render("slips.html", frame, event=event_of(history, hash), view=round_view(history, round))


def entrants(history: History) -> tuple[Entrant, ...]:
    """Everybody in order of pairing number, those without one last."""
    numbers = numbering(history).by_id
    people = sorted(history.state.players, key=lambda p: (p.id not in numbers, numbers.get(p.id, p.id)))
    return tuple(
        Entrant(
            id=player.id,
            number=numbers.get(player.id, 0),
            name=player.details.name,
            title=player.details.title,
            rating=player.details.rating,
            federation=player.details.federation,
            club=player.details.club,
            fide_id=player.details.fide_id,
            status=player.status,
            late=bool(player.missed),
            byes=player.byes,
        )
        for player in people
    )


def start_list_page(history: History, hash: str = "", frame: Frame = FILE) -> str:
    """The start list."""
    people = entrants(history)
    return render(
        "players.html",
        frame,
        event=event_of(history, hash),
        people=people,
        numbers=numbering(history).state,
        federations=any(one.federation for one in people),
        clubs=any(one.club for one in people),
        ids=any(one.fide_id for one in people),
    )


def cards_page(history: History, players: Sequence[int], hash: str = "", frame: Frame = FILE) -> str:
    """Pairing cards of these players, or of everybody in order of pairing number."""
    table = table_after(history)
    made = cards(table, history.regulations.edition)
    chosen: list[Card] = [made[id] for id in players or [row.id for row in table.rows]]
    opponents: dict[int, Row] = {row.id: row for row in table.rows}
    return render(
        "cards.html",
        frame,
        event=event_of(history, hash),
        cards=chosen,
        opponents=opponents,
        marks=MARKS,
        coming=range(history.paired + 1, history.regulations.rounds + 1),
    )
