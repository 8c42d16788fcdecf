"""The front door: what any program may ask of Paircard, one call each.

    from paircard.service import Office, person

    with Office.open("open.db") as office:
        tournament = office.tournament("Club Open")
        tournament.pair(by=person("Anna Arbiter"))
        tournament.at("r5").standings()

``Office`` opens a store, ``Tournament`` is asked, ``Moment`` is looked at. Answers are frozen values.

Its names are in the stub beside this file, and imported when they are first asked for.
"""

from paircard.domain.on_demand import on_demand

__getattr__, __dir__ = on_demand(__name__, __file__)
