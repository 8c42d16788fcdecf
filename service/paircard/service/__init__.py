"""The front door: what any program may ask of Paircard, one call each.

    from paircard.service import Office, person

    with Office.open("open.db") as office:
        tournament = office.tournament("Club Open")
        tournament.pair(by=person("Anna Arbiter"))
        tournament.at("r5").standings()

``Office`` opens a store, ``Tournament`` is asked, ``Moment`` is looked at. Answers are frozen values.
"""

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
