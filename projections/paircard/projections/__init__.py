"""Folds over the facts: everything that is computed from the log.

Public names are imported when they are first asked for: the first list is for type checkers, the second for
Python.
"""

from typing import TYPE_CHECKING

from paircard.domain import on_demand

if TYPE_CHECKING:
    from paircard.projections.round.crosstable import Crosstable as Crosstable
    from paircard.projections.round.crosstable import Entry as Entry
    from paircard.projections.round.crosstable import Listed as Listed
    from paircard.projections.round.crosstable import Prohibition as Prohibition
    from paircard.projections.round.crosstable import Row as Row
    from paircard.projections.round.snapshot import Player as Player
    from paircard.projections.round.snapshot import Snapshot as Snapshot
    from paircard.projections.round.snapshot import snapshot as snapshot
    from paircard.projections.runner import Projection as Projection
    from paircard.projections.runner import Runner as Runner
    from paircard.projections.runner import Writing as Writing
    from paircard.projections.standings.codes import BadTieBreak as BadTieBreak
    from paircard.projections.standings.codes import NotFinal as NotFinal
    from paircard.projections.standings.codes import NotRanked as NotRanked
    from paircard.projections.standings.codes import StandingsError as StandingsError
    from paircard.projections.trf.notes import Problem as Problem
    from paircard.projections.trf.notes import TrfError as TrfError
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "paircard.projections.round.crosstable": "Crosstable Entry Listed Prohibition Row",
            "paircard.projections.round.snapshot": "Player Snapshot snapshot",
            "paircard.projections.runner": "Projection Runner Writing",
            "paircard.projections.standings.codes": "BadTieBreak NotFinal NotRanked StandingsError",
            "paircard.projections.trf.notes": "Problem TrfError",
        },
    )
