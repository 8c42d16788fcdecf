"""Folds over the facts: everything that is computed from the log."""

from paircard.projections.history import History, history
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.round.snapshot import Snapshot, snapshot

__all__ = ["Crosstable", "History", "Snapshot", "history", "snapshot"]
