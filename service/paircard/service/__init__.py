"""The front door: what any program may ask of Paircard, one call each.

from paircard.service import Office, person

with Office.open("open.db") as office:
    tournament = office.tournament("Club Open")
    tournament.pair(by=person("Anna Arbiter"))
    tournament.at("r5").standings()
"""

from paircard.service.moment import Moment
from paircard.service.office import Imported, Office
from paircard.service.people import Person, person
from paircard.service.review.what_if import Supposed
from paircard.service.tournament import Done, Paired, Tournament

__all__ = ["Done", "Imported", "Moment", "Office", "Paired", "Person", "Supposed", "Tournament", "person"]
