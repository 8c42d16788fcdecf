"""The front door: what any program may ask of Paircard, one call each.

    from paircard.service import Office, person

    with Office.open("open.db") as office:
        tournament = office.tournament("Club Open")
        tournament.pair(by=person("Anna Arbiter"))
        tournament.at("r5").standings()

``Office`` opens a store, ``Tournament`` is asked, ``Moment`` is looked at. Answers are frozen values.

A name is imported when it is first asked for (PEP 562), so that one room does not load all others: the
first list is for type checkers, the second for Python.
"""

from typing import TYPE_CHECKING

from paircard.domain import on_demand

if TYPE_CHECKING:
    from paircard.domain.deciding.players import UnusedRatings as UnusedRatings
    from paircard.domain.proof.note import Head as Head
    from paircard.domain.proof.note import Note as Note
    from paircard.domain.proof.note import Signable as Signable
    from paircard.domain.proof.note import Signature as Signature
    from paircard.domain.proof.note import Signer as Signer
    from paircard.domain.proof.note import Verifier as Verifier
    from paircard.domain.proof.signatures import Author as Author
    from paircard.domain.speaking import Remark as Remark
    from paircard.projections.differences import Difference as Difference
    from paircard.projections.differences import Moved as Moved
    from paircard.projections.differences import ResultChange as ResultChange
    from paircard.projections.differences import RoundChange as RoundChange
    from paircard.projections.log_lines import AlreadyRecorded as AlreadyRecorded
    from paircard.projections.log_lines import LogLine as LogLine
    from paircard.projections.norms import Chance as Chance
    from paircard.projections.norms import NormGame as NormGame
    from paircard.projections.norms import Norms as Norms
    from paircard.projections.norms import PlayerNorms as PlayerNorms
    from paircard.projections.norms import Requirement as Requirement
    from paircard.projections.norms import Verdict as Verdict
    from paircard.projections.prizes import Need as Need
    from paircard.projections.prizes import Reach as Reach
    from paircard.projections.ratings import FirstRating as FirstRating
    from paircard.projections.ratings import RatedGame as RatedGame
    from paircard.projections.ratings import RatingLine as RatingLine
    from paircard.projections.ratings import Ratings as Ratings
    from paircard.projections.round.cards import Card as Card
    from paircard.projections.round.cards import CardLine as CardLine
    from paircard.projections.standings.codes import Step as Step
    from paircard.projections.standings.standings import Comparison as Comparison
    from paircard.projections.standings.standings import Level as Level
    from paircard.projections.standings.standings import Standing as Standing
    from paircard.projections.standings.tiebreaks import Explanation as Explanation
    from paircard.service.desk import Desk as Desk
    from paircard.service.desk import Done as Done
    from paircard.service.desk import Person as Person
    from paircard.service.desk import person as person
    from paircard.service.explaining import Explained as Explained
    from paircard.service.explaining import Reasons as Reasons
    from paircard.service.moment import Moment as Moment
    from paircard.service.office import Imported as Imported
    from paircard.service.office import Office as Office
    from paircard.service.pairing import Paired as Paired
    from paircard.service.pairing import PairingDesk as PairingDesk
    from paircard.service.pairing_sheets import Absence as Absence
    from paircard.service.pairing_sheets import Board as Board
    from paircard.service.pairing_sheets import Round as Round
    from paircard.service.pairing_sheets import Seat as Seat
    from paircard.service.prizes import Group as Group
    from paircard.service.prizes import GroupLine as GroupLine
    from paircard.service.prizes import KeptPrize as KeptPrize
    from paircard.service.prizes import Membership as Membership
    from paircard.service.prizes import PlayerPrizes as PlayerPrizes
    from paircard.service.prizes import PrizeLine as PrizeLine
    from paircard.service.prizes import Prizes as Prizes
    from paircard.service.reports import Incoming as Incoming
    from paircard.service.reports import RulesUnknown as RulesUnknown
    from paircard.service.review.replay import PairingSheet as PairingSheet
    from paircard.service.review.replay import Replayed as Replayed
    from paircard.service.review.replay import ReplayedPrizes as ReplayedPrizes
    from paircard.service.review.verify import Finding as Finding
    from paircard.service.review.verify import Held as Held
    from paircard.service.review.verify import Report as Report
    from paircard.service.review.what_if import Alteration as Alteration
    from paircard.service.review.what_if import BranchRound as BranchRound
    from paircard.service.review.what_if import Preview as Preview
    from paircard.service.review.what_if import Supposed as Supposed
    from paircard.service.review.what_if import WhatIf as WhatIf
    from paircard.service.sheets.players import KnownPlayer as KnownPlayer
    from paircard.service.sheets.players import Registration as Registration
    from paircard.service.sheets.players import Sheet as Sheet
    from paircard.service.sheets.players import players_of as players_of
    from paircard.service.sheets.table import Table as Table
    from paircard.service.sheets.table import TableLine as TableLine
    from paircard.service.sheets.table import read_table as read_table
    from paircard.service.tournament import Tournament as Tournament
    from paircard.service.views import Bye as Bye
    from paircard.service.views import Entrant as Entrant
    from paircard.service.views import LaterRating as LaterRating
    from paircard.service.views import Overview as Overview
    from paircard.service.views import Players as Players
    from paircard.service.views import Standings as Standings
    from paircard.service.views import Summary as Summary
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
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
        },
    )
