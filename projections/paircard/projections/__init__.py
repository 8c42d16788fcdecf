"""Folds over the facts: everything that is computed from the log.

Public names are imported when they are first asked for.
"""

from typing import Final

from paircard.domain.on_demand import on_demand

ROOMS: Final = {
    "paircard.projections.round.crosstable": "Crosstable Entry Listed Prohibition Row",
    "paircard.projections.round.snapshot": "Player Snapshot snapshot",
    "paircard.projections.runner": "Projection Runner Writing",
    "paircard.projections.standings.codes": "BadTieBreak NotFinal NotRanked StandingsError",
    "paircard.projections.trf.notes": "Problem TrfError",
}
"""Public names by the modules they are in; ``__init__.pyi``, which is made from this, tells type checkers."""
__getattr__, __dir__ = on_demand(__name__, ROOMS)
