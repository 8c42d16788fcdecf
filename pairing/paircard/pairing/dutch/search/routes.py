"""Which routes the search may take. Every choice gives the same round; tests switch the quick ones off."""

from typing import Final

import msgspec


class Routes(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket that no route settles is taken together with what follows it, which is always exact."""

    ideal: bool = True
    """Look for a candidate that nothing could be better than."""
    listed: bool = True
    """List the candidates where few pairs are legal."""
    matched: bool = True
    """Settle a bracket from which at most one player floats as a matching problem of its members."""


ALL: Final = Routes()
