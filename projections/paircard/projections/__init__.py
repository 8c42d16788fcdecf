"""Folds over the facts: everything that is computed from the log.

Errors of standings and reports are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from paircard.domain.on_demand import on_demand
from paircard.projections.round.crosstable import Crosstable, Entry, Prohibition, Row
from paircard.projections.round.snapshot import Player, Snapshot, snapshot

if TYPE_CHECKING:
    from paircard.projections.standings.codes import BadTieBreak, NotFinal, NotRanked, StandingsError
    from paircard.projections.trf.notes import Problem, TrfError

__all__ = [
    "BadTieBreak",
    "Crosstable",
    "Entry",
    "NotFinal",
    "NotRanked",
    "Player",
    "Problem",
    "Prohibition",
    "Row",
    "Snapshot",
    "StandingsError",
    "TrfError",
    "snapshot",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(
        __name__,
        __all__,
        {
            "paircard.projections.standings.codes": "BadTieBreak NotFinal NotRanked StandingsError",
            "paircard.projections.trf.notes": "Problem TrfError",
        },
    )
