"""The tournament: its facts, what may be asked of it, and the errors that refuse.

What other programs need is here by name; how facts are decided and stored is in the rooms below. The
names are in the stub beside this file, and imported when they are first asked for.
"""

from paircard.domain.on_demand import on_demand

__getattr__, __dir__ = on_demand(__name__, __file__)
