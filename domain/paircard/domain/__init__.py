"""The tournament: its facts, what may be asked of it, and the errors that refuse.

What other programs need is here by name; how facts are decided and stored is in the rooms below. A name is
imported when it is first asked for (PEP 562), so that one room does not load all others: the first list is
for type checkers, the second for Python.
"""

from typing import TYPE_CHECKING

from paircard.domain.on_demand import on_demand

if TYPE_CHECKING:
    from paircard.domain.commands import *  # noqa: F403
    from paircard.domain.deciding.decision import WarningCode as WarningCode
    from paircard.domain.errors import *  # noqa: F403
    from paircard.domain.events import *  # noqa: F403
    from paircard.domain.messages import Fields as Fields
    from paircard.domain.messages import Message as Message
    from paircard.domain.messages import Sides as Sides
    from paircard.domain.speaking import Speaker as Speaker
    from paircard.domain.values.players import Changes as Changes
    from paircard.domain.values.players import Details as Details
    from paircard.domain.values.prizes import Category as Category
    from paircard.domain.values.prizes import Condition as Condition
    from paircard.domain.values.prizes import Prize as Prize
    from paircard.domain.values.prizes import PrizeRules as PrizeRules
    from paircard.domain.values.regulations import RegulationChanges as RegulationChanges
    from paircard.domain.values.regulations import Regulations as Regulations
    from paircard.domain.values.results import Outcome as Outcome
    from paircard.domain.values.results import ResultText as ResultText
    from paircard.domain.values.results import Scoring as Scoring
    from paircard.domain.values.results import parse_outcome as parse_outcome
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "paircard.domain.deciding.decision": "WarningCode",
            "paircard.domain.messages": "Fields Message Sides",
            "paircard.domain.speaking": "Speaker",
            "paircard.domain.values.players": "Changes Details",
            "paircard.domain.values.prizes": "Category Condition Prize PrizeRules",
            "paircard.domain.values.regulations": "RegulationChanges Regulations",
            "paircard.domain.values.results": "Outcome ResultText Scoring parse_outcome",
        },
        whole=("paircard.domain.errors", "paircard.domain.events", "paircard.domain.commands"),
    )
