"""Folds over the facts: everything that is computed from the log.

Its public names are in the stub beside this file, and imported when they are first asked for.
"""

from paircard.domain.on_demand import on_demand

__getattr__, __dir__ = on_demand(__name__, __file__)
