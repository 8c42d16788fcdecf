"""The front door: what any program may ask of Paircard, one call each.

    from paircard.service import Office, person

    with Office.open("open.db") as office:
        tournament = office.tournament("Club Open")
        tournament.pair(by=person("Anna Arbiter"))
        tournament.at("r5").standings()

``Office`` opens a store, ``Tournament`` is asked, ``Moment`` is looked at. Answers are frozen values.

A name is imported when it is first asked for (PEP 562), so that one room does not load all others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paircard.service.explaining import Explained, Reasons
    from paircard.service.moment import Moment
    from paircard.service.office import Imported, Office
    from paircard.service.people import Person, person
    from paircard.service.review.what_if import Supposed
    from paircard.service.tournament import Done, Paired, Tournament
    from paircard.service.views import Board, Entrant, Overview, Players, Round, Seat, Standings, Summary

__all__ = [
    "Board",
    "Done",
    "Entrant",
    "Explained",
    "Imported",
    "Moment",
    "Office",
    "Overview",
    "Paired",
    "Person",
    "Players",
    "Reasons",
    "Round",
    "Seat",
    "Standings",
    "Summary",
    "Supposed",
    "Tournament",
    "person",
]

_ROOMS = {
    "explaining": ("Explained", "Reasons"),
    "moment": ("Moment",),
    "office": ("Imported", "Office"),
    "people": ("Person", "person"),
    "review.what_if": ("Supposed",),
    "tournament": ("Done", "Paired", "Tournament"),
    "views": ("Board", "Entrant", "Overview", "Players", "Round", "Seat", "Standings", "Summary"),
}


def __getattr__(name: str) -> Any:
    for room, names in _ROOMS.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
