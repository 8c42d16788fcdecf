"""The tournament: its facts, what may be asked of it, and the errors that refuse.

What other programs need is here by name; how facts are decided and stored is in the rooms below. A name is
imported when it is first asked for, so that one room does not load all others.
"""

from typing import Final

from paircard.domain.on_demand import on_demand

ROOMS: Final = {
    "paircard.domain.deciding.decision": "WarningCode",
    "paircard.domain.messages": "Fields Message Sides",
    "paircard.domain.speaking": "Speaker",
    "paircard.domain.values.players": "Changes Details",
    "paircard.domain.values.prizes": "Category Condition Prize PrizeRules",
    "paircard.domain.values.regulations": "RegulationChanges Regulations",
    "paircard.domain.values.results": "Outcome ResultText Scoring parse_outcome",
}
"""Public names by the modules they are in; ``__init__.pyi``, which is made from this, tells type checkers."""
WHOLE: Final = ("paircard.domain.errors", "paircard.domain.events", "paircard.domain.commands")
"""Modules whose ``__all__`` is public; each imports those before it."""
__getattr__, __dir__ = on_demand(__name__, ROOMS, WHOLE)
