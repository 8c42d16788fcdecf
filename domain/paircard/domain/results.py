"""Results: what one player's round may hold, and what it is worth.

A round of a player is one letter, the letter of the Tournament Report File (TRF26 §001).
The two sides of a board are two letters, never derived from each other: ½-0 is ``=`` and ``0``.
Points are tenths, never floats.
"""

from typing import Final

import msgspec

PLAYED: Final = frozenset("1=0WDL?")
"""Letters of a game that took place; ``?`` is adjourned, a draw for pairing only (C.04.2:3.1)."""

FORFEITS: Final = frozenset("+-")
"""Letters of a pairing whose game did not take place."""

BYES: Final = frozenset("HFUZ")
"""Letters of a round without an opponent: half, full, pairing-allocated (PAB), zero."""

REQUESTED: Final = frozenset("HFZ")
"""Byes known before the round is paired; the PAB comes out of the pairing."""

LETTERS: Final = PLAYED | FORFEITS | BYES


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """What results are worth, in tenths of a point (TRF26 162)."""

    win: int = 10
    draw: int = 5
    loss: int = 0
    absence: int = 0
    """Zero-point bye and forfeit loss."""
    pab: int = 10
    """One value for every pairing-allocated bye of the event (C.04.1:3)."""

    def worth(self, letter: str) -> int:
        """Tenths scored by a round that holds this letter."""
        return self.table()[letter]

    def table(self) -> dict[str, int]:
        """Every letter with its worth in tenths."""
        win, draw, loss, absence = self.win, self.draw, self.loss, self.absence
        return {
            "1": win, "W": win, "+": win, "F": win,
            "=": draw, "D": draw, "H": draw, "?": draw,
            "0": loss, "L": loss,
            "-": absence, "Z": absence,
            "U": self.pab,
            "": 0,  # a game that is not over has brought nothing yet
        }  # fmt: skip


STANDARD: Final = Scoring()
"""1, ½, 0, and a PAB worth a win."""
