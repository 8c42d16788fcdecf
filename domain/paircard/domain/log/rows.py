"""Facts as they are stored, before anybody has read them."""

from collections.abc import Callable
from typing import Final

import msgspec

LATEST: Final = 2**63 - 1
"""The highest version a row can have: nothing in the table is beyond what is read."""
LOWEST: Final = -(2**63)
"""Below every version."""

Row = tuple[int, str, bytes]
"""Version, topic and bytes of a fact."""
PieceRow = tuple[int, bytes]
"""Version of a fact and one of its personal parts, see ``privacy``."""
Placed = tuple[int, str, int, str, bytes]
"""The same after its position in the whole store and the id of its tournament."""


class Unreadable(msgspec.Struct, frozen=True):
    """A stored fact that nobody can read: its tournament ends there, the others go on."""

    tournament: str
    version: int
    position: int
    hash: str
    """Of its bytes as they are."""
    why: str
    """In a sentence that names tournament and fact."""


CheckpointRow = tuple[object, object, object]
"""Tournament, size and text of a stored checkpoint; anything, if somebody edited the table."""
Rows = Callable[[str, int, int], list[Row]]
"""How facts of a tournament are read: those after a version, up to another."""
