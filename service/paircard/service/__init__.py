"""The front door: what any program may ask of Paircard, one call each.

    from paircard.service import Office, person

    with Office.open("open.db") as office:
        tournament = office.tournament("Club Open")
        tournament.pair(by=person("Anna Arbiter"))
        tournament.at("r5").standings()

``Office`` opens a store, ``Tournament`` is asked, ``Moment`` is looked at. Answers are frozen values.

A name is imported when it is first asked for (PEP 562), so that one room does not load all others.
"""

from typing import TYPE_CHECKING

from paircard.domain.on_demand import on_demand

if TYPE_CHECKING:
    from paircard.domain.deciding.players import UnusedRatings
    from paircard.domain.proof.note import Head, Note, Signable, Signature, Signer, Verifier
    from paircard.domain.proof.signatures import Author
    from paircard.projections.differences import Difference, Moved, ResultChange, RoundChange
    from paircard.projections.log_lines import AlreadyRecorded, LogLine
    from paircard.projections.round.cards import Card, CardLine
    from paircard.projections.standings.arithmetic import Explanation
    from paircard.projections.standings.codes import Step
    from paircard.projections.standings.standings import Comparison, Level, Standing
    from paircard.service.desk import Desk, Done, Person, person
    from paircard.service.explaining import Explained, Reasons
    from paircard.service.moment import Moment
    from paircard.service.office import Imported, Office
    from paircard.service.reports import Incoming
    from paircard.service.review.preview import Alteration, Preview
    from paircard.service.review.replay import Replayed
    from paircard.service.review.replay import Sheet as PairingSheet
    from paircard.service.review.verify import Finding, Held, Report
    from paircard.service.review.what_if import BranchRound, Supposed, WhatIf
    from paircard.service.sheets.players import Known as KnownPlayer
    from paircard.service.sheets.players import Registration, Sheet, players_of
    from paircard.service.sheets.table import Line as TableLine
    from paircard.service.sheets.table import Table, read_table
    from paircard.service.tournament import Paired, Tournament
    from paircard.service.views import (
        Absence,
        Board,
        Bye,
        Entrant,
        LaterRating,
        Overview,
        Players,
        Round,
        Seat,
        Standings,
        Summary,
    )

__all__ = [
    "Absence",
    "AlreadyRecorded",
    "Alteration",
    "Author",
    "Board",
    "BranchRound",
    "Bye",
    "Card",
    "CardLine",
    "Comparison",
    "Desk",
    "Difference",
    "Done",
    "Entrant",
    "Explained",
    "Explanation",
    "Finding",
    "Head",
    "Held",
    "Imported",
    "Incoming",
    "KnownPlayer",
    "LaterRating",
    "Level",
    "LogLine",
    "Moment",
    "Moved",
    "Note",
    "Office",
    "Overview",
    "Paired",
    "PairingSheet",
    "Person",
    "Players",
    "Preview",
    "Reasons",
    "Registration",
    "Replayed",
    "Report",
    "ResultChange",
    "Round",
    "RoundChange",
    "Seat",
    "Sheet",
    "Signable",
    "Signature",
    "Signer",
    "Standing",
    "Standings",
    "Step",
    "Summary",
    "Supposed",
    "Table",
    "TableLine",
    "Tournament",
    "UnusedRatings",
    "Verifier",
    "WhatIf",
    "person",
    "players_of",
    "read_table",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(
        __name__,
        __all__,
        {
            "paircard.domain.deciding.players": "UnusedRatings",
            "paircard.domain.proof.note": "Head Note Signable Signature Signer Verifier",
            "paircard.domain.proof.signatures": "Author",
            "paircard.projections.differences": "Difference Moved ResultChange RoundChange",
            "paircard.projections.log_lines": "AlreadyRecorded LogLine",
            "paircard.projections.round.cards": "Card CardLine",
            "paircard.projections.standings.arithmetic": "Explanation",
            "paircard.projections.standings.codes": "Step",
            "paircard.projections.standings.standings": "Comparison Level Standing",
            "paircard.service.desk": "Desk Done Person person",
            "paircard.service.explaining": "Explained Reasons",
            "paircard.service.moment": "Moment",
            "paircard.service.office": "Imported Office",
            "paircard.service.reports": "Incoming",
            "paircard.service.review.preview": "Alteration Preview",
            "paircard.service.review.replay": "Replayed PairingSheet=Sheet",
            "paircard.service.review.verify": "Finding Held Report",
            "paircard.service.review.what_if": "BranchRound Supposed WhatIf",
            "paircard.service.sheets.players": "KnownPlayer=Known Registration Sheet players_of",
            "paircard.service.sheets.table": "Table TableLine=Line read_table",
            "paircard.service.tournament": "Paired Tournament",
            "paircard.service.views": (
                "Absence Board Bye Entrant LaterRating Overview Players Round Seat Standings Summary"
            ),
        },
    )
