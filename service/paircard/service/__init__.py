"""The front door: what any program may ask of Paircard, one call each.

    from paircard.service import Office, person

    with Office.open("open.db") as office:
        tournament = office.tournament("Club Open")
        tournament.pair(by=person("Anna Arbiter"))
        tournament.at("r5").standings()

``Office`` opens a store, ``Tournament`` is asked, ``Moment`` is looked at. Answers are frozen values.

A name is imported when it is first asked for (PEP 562), so that one room does not load all others.
"""

from typing import Final

from paircard.domain.on_demand import on_demand

ROOMS: Final = {
    "paircard.domain.deciding.players": "UnusedRatings",
    "paircard.domain.proof.note": "Head Note Signable Signature Signer Verifier",
    "paircard.domain.proof.signatures": "Author",
    "paircard.domain.speaking": "Remark",
    "paircard.projections.differences": "Difference Moved ResultChange RoundChange",
    "paircard.projections.log_lines": "AlreadyRecorded LogLine",
    "paircard.projections.norms": "Chance NormGame Norms PlayerNorms Requirement Verdict",
    "paircard.projections.prizes": "Need Reach",
    "paircard.projections.ratings": "FirstRating RatedGame RatingLine Ratings",
    "paircard.projections.round.cards": "Card CardLine",
    "paircard.projections.standings.tiebreaks": "Explanation",
    "paircard.projections.standings.codes": "Step",
    "paircard.projections.standings.standings": "Comparison Level Standing",
    "paircard.service.prizes": "Group GroupLine KeptPrize Membership PlayerPrizes PrizeLine Prizes",
    "paircard.service.desk": "Desk Done Person person",
    "paircard.service.explaining": "Explained Reasons",
    "paircard.service.moment": "Moment",
    "paircard.service.office": "Imported Office",
    "paircard.service.reports": "Incoming RulesUnknown",
    "paircard.service.review.replay": "PairingSheet Replayed ReplayedPrizes",
    "paircard.service.review.verify": "Finding Held Report",
    "paircard.service.review.what_if": "Alteration BranchRound Preview Supposed WhatIf",
    "paircard.service.sheets.players": "KnownPlayer Registration Sheet players_of",
    "paircard.service.sheets.table": "Table TableLine read_table",
    "paircard.service.tournament": "Tournament",
    "paircard.service.pairing": "Paired PairingDesk",
    "paircard.service.pairing_sheets": "Absence Board Round Seat",
    "paircard.service.views": "Bye Entrant LaterRating Overview Players Standings Summary",
}
"""Public names by the modules they are in; ``__init__.pyi``, which is made from this, tells type checkers."""
__getattr__, __dir__ = on_demand(__name__, ROOMS)
