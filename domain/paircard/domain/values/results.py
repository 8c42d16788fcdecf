"""Results: what one player's round may hold, and what it is worth.

A round of a player is one letter, the letter of the Tournament Report File (TRF26 §001).
The two sides of a board are two letters, never derived from each other: ½-0 is ``=`` and ``0``.
Points are tenths, never floats.
"""

from typing import Final, Literal

import msgspec

from paircard.domain.errors import Invalid

PLAYED: Final = frozenset("1=0WDL?")
"""Letters of a game that took place; ``?`` is adjourned, a draw for pairing only (C.04.2:3.1)."""

FORFEITS: Final = frozenset("+-")
"""Letters of a pairing whose game did not take place."""

REQUESTED: Final = frozenset("HFZ")
"""Byes known before the round is paired; the PAB comes out of the pairing."""
BYE_NAMES: Final = {"H": "half-point bye", "F": "full-point bye", "Z": "zero-point bye"}
"""A bye in words, by its letter."""


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

    def standings(self) -> dict[str, int]:
        """Every letter with its worth for standings: an adjourned game has brought nothing (C.04.2:3.1)."""
        return self.table() | {"?": 0}

    def table(self) -> dict[str, int]:
        """Every letter with its worth in tenths for pairing, where an adjourned game is a draw."""
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


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """What a board brought: White's letter and Black's, neither derived from the other."""

    white: str
    black: str


ResultText = Literal[
    "1-0", "½-½", "0-1", "½-0", "0-½", "0-0", "1F-0F", "0F-1F", "0F-0F", "W-L", "D-D", "L-W"
]  # fmt: skip
"""A result as answers spell it; many more spellings are read."""

_SPELLINGS: Final[dict[tuple[str, str], ResultText]] = {
    ("1", "0"): "1-0",
    ("=", "="): "½-½",
    ("0", "1"): "0-1",
    ("=", "0"): "½-0",
    ("0", "="): "0-½",
    ("0", "0"): "0-0",
    ("+", "-"): "1F-0F",
    ("-", "+"): "0F-1F",
    ("-", "-"): "0F-0F",
    ("W", "L"): "W-L",
    ("D", "D"): "D-D",
    ("L", "W"): "L-W",
}
OUTCOMES: Final = tuple(Outcome(white, black) for white, black in _SPELLINGS)
"""Every result there is (VCL 180–185); 1-1, 1-½ and half forfeits are not among them."""

DRAWN: Final = (Outcome("=", "="), Outcome("D", "D"))

_WRITTEN: Final = {
    "1": ("1",), "0": ("0",), "=": ("½", "1/2", "0.5", "0,5", ".5", "="),
    "+": ("+", "1f"), "-": ("-", "0f"), "W": ("w",), "D": ("d",), "L": ("l",),
}  # fmt: skip
"""How people write one side, in lower case."""

_BARE: Final = ("+-", "-+", "--", "==", "½½")
"""Sides that are signs and need nothing between them."""

_SHORT: Final = {
    "1": Outcome("1", "0"),
    "=": DRAWN[0],
    "0": Outcome("0", "1"),
    "+": Outcome("+", "-"),
    "-": Outcome("-", "+"),
    "--": Outcome("-", "-"),
}
"""One sign alone is White's."""

_DRAW_WORDS: Final = ("draw", "drawn", "remis", "remise", "patta", "tablas", "empate", "nul", "nulle")

_READINGS: Final = {
    f"{white}{between}{black}": Outcome(*letters)
    for letters in _SPELLINGS
    for white in _WRITTEN[letters[0]]
    for black in _WRITTEN[letters[1]]
    for between in ("-", ":", "/", *([""] if f"{white}{black}" in _BARE else []))
} | {**dict.fromkeys((*_WRITTEN["="], *_DRAW_WORDS), DRAWN[0]), **_SHORT}

_DASHES: Final = str.maketrans(dict.fromkeys("–−—‐‑", "-"))


def parse_outcome(text: str) -> Outcome:
    """Read a result as people write it: 1-0, 1:0, 1 (White won), ½, =, 0,5, remis, ½-0, +, +/-, --, W-L."""
    whole = str(text)  # somebody without a type checker may give a number
    word = "".join(whole.split()).lower().translate(_DASHES) if len(whole) <= 40 else ""
    outcome = _READINGS.get(word) if isinstance(text, str) else None
    if outcome is None:
        raise Invalid("result-unreadable", text=whole, known=list(_SPELLINGS.values()), codes=list(_SHORT))
    return outcome


def spell(outcome: Outcome) -> ResultText:
    """The canonical spelling, such as ½-½ or 1F-0F."""
    return _SPELLINGS[outcome.white, outcome.black]


def decimal(value: int, places: int) -> str:
    """A number of tenths, hundredths and so on: 65 with one place is ``6.5``, with none ``65``."""
    sign, digits = "-" if value < 0 else "", str(abs(value)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def points(tenths: int) -> str:
    """Points as chess players write them: 35 is 3½, 33 is 3.3."""
    sign, whole, rest = "-" if tenths < 0 else "", abs(tenths) // 10, abs(tenths) % 10
    if rest == 5:
        return f"{sign}{whole or ''}½"
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"
