"""The tournament: its facts, what may be asked of it, and the errors that refuse.

What other programs need is here by name; how facts are decided and stored is in the rooms below. A name is
imported when it is first asked for (PEP 562), so that one room does not load all others: the first list is
for type checkers, the second for Python.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any


def on_demand(
    package: str, rooms: Mapping[str, str], whole: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package, from its public names by their modules.

    All classes that a module of ``whole`` lists in its ``__all__`` are public, too; each of these modules
    imports those before it.
    """
    places = {name: room for room, names in rooms.items() for name in names.split()}

    def public() -> list[str]:
        return sorted([*places, *(name for room in whole for name in import_module(room).__all__)])

    def get(name: str) -> Any:
        if name == "__all__":
            return public()
        wide = whole if name[0].isupper() else ()  # in small letters Python looks for modules
        room = places.get(name) or next((one for one in wide if name in import_module(one).__all__), "")
        if not room:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(room), name)
        setattr(sys.modules[package], name, value)  # from now on found without asking
        return value

    return get, public


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
