"""The editions of the FIDE (Dutch) System as data: everything in which their pairing differs.

What else differs, who may have the bye among it, is in ``paircard.domain.values.rules``.

Criteria have the names of the 2026 edition inside the kernel; ``Edition.names`` translates them.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

V = TypeVar("V")

ENGINE: Final = "paircard-dutch/2"
"""The engine of the editions in force, 2017 and 2026."""

HETEROGENEOUS: Final = frozenset({"M1", "C7", "C15", "C17"})
"""[2012] Criteria of brackets into which somebody moved down."""


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One edition of C.04.3."""

    name: str
    engine: str = ENGINE
    """The name stored with its rounds; another one whenever any of them could be paired differently."""
    completes_every_bracket: bool
    """[C4] Whether every bracket must leave a rest that can be paired. Otherwise brackets are paired for
    themselves, and a round that cannot be completed is collapsed (2017 A.9)."""
    fixes_bye_score: bool
    """[C5] Whether the score of the player with the bye is minimised before the first bracket."""
    measures_differences: bool
    """[C7, C18–C21] Whether pairs and downfloaters count by their score difference (2017 A.8), or by the
    score of the downfloater or moved-down player."""
    criteria: tuple[str, ...]
    """Quality criteria, the most important first."""
    look_ahead: tuple[str, ...] = ("C8 illegal", "C8", "C8 scores")
    """[C8] What is counted of the next bracket: players left against the rules (2017 C.2), in all, of those
    who moved down into it, and their scores."""
    only_odd_rounds: frozenset[str] = frozenset()
    """Criteria that count in odd rounds alone (2012 A.7.d)."""
    only_even_rounds: frozenset[str] = frozenset()
    """Criteria that count in even rounds alone (2012 A.8.b)."""
    joins_last_brackets: bool = False
    """[2012 C.13] Whether the last brackets are joined where the lowest cannot be paired. There is no other
    regard to completion; the look-ahead is that of C.12."""
    half_moved_down_is_homogeneous: bool = False
    """[2012 A.3] Whether a bracket at least half of which moved down is treated as homogeneous."""
    half_moved_down_above_joined: bool = False
    """[2012 A.3] Whether a bracket above joined ones, half of which or more moved down, has no upfloaters."""
    joins_before_the_bye: bool = False
    """[2012 C.13] Whether brackets are joined rather than that M1 falls to 1, with as many pairs, and one who
    moved down has the bye."""
    wider_difference_decides: bool = True
    """[5.2.2, 2017 E.2] Whether of two absolute preferences the wider colour difference is granted."""
    initial_colour_alternates: bool = False
    """Whether, after round 1, two without a preference get the opposite of what round 1 would give them."""
    symbols: tuple[str, ...] = ("M0", "M1", "MaxPairs", "x", "z")
    """[3.1, 2017 B.1, 2012 C.2] The numbers of a bracket, by the symbols of the text."""
    names: dict[str, str]
    """What the edition calls a criterion or article of 2026."""
    colour_articles: tuple[str, str, str, str, str]
    """Articles of the five colour rules."""
    order_articles: dict[str, str]
    """Articles of the four steps in which candidates are generated."""
    first_of_equals: str
    """The article by which, of equal candidates, the one generated first is chosen."""

    def criteria_in(self, round: int) -> tuple[str, ...]:
        """The criteria of a round."""
        other = self.only_even_rounds if round % 2 else self.only_odd_rounds
        return tuple([name for name in self.criteria if name not in other]) if other else self.criteria

    def homogeneous_criteria(self, round: int) -> tuple[str, ...]:
        """[2012 A.3] Those of a bracket treated as homogeneous: most pairs, no upfloaters (C.10.a, b)."""
        criteria = [name for name in self.criteria_in(round) if name not in HETEROGENEOUS]
        return ("C6", *criteria)

    def names_in_order(self) -> list[str]:
        """Its absolute and quality criteria by their names, the most important first."""
        return [self.name_of(name) for name in ("C1", "C2", "C3", "C4", "C5", "C6", *self.criteria)]

    def name_of(self, criterion: str) -> str:
        """A criterion of 2026 by the name it has here."""
        return self.names.get(criterion, criterion)

    def named(self, values: Mapping[str, V]) -> dict[str, V]:
        """Values of criteria of 2026 by the names they have here."""
        names = self.names
        return {names.get(criterion, criterion): value for criterion, value in values.items()}


_CRITERIA: Final = tuple(f"C{number}" for number in range(6, 22))

_2026: Final = Edition(
    name="dutch-2026",
    completes_every_bracket=True,
    fixes_bye_score=True,
    measures_differences=False,
    criteria=_CRITERIA,
    names={},
    colour_articles=("5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5"),
    order_articles={"mdp-set": "4.4", "mdp-opponents": "4.2", "exchange": "4.3", "transposition": "4.2"},
    first_of_equals="3.8",
)

_2017: Final = Edition(
    name="dutch-2017",
    completes_every_bracket=False,
    fixes_bye_score=False,
    measures_differences=True,
    criteria=tuple(name for name in _CRITERIA if name != "C9"),
    names={"1.8": "A.7"}
    | {f"C{number}": f"C.{number}" for number in range(1, 5)}
    | {f"C{number}": f"C.{number - 1}" for number in range(6, 9)}
    | {f"C{number}": f"C.{number - 2}" for number in range(10, 22)},
    colour_articles=("E.1", "E.2", "E.3", "E.4", "E.5"),
    order_articles={"mdp-set": "D.3", "mdp-opponents": "D.1", "exchange": "D.2", "transposition": "D.1"},
    first_of_equals="B.8",
)

_2012: Final = Edition(
    name="dutch-2012",
    engine="paircard-dutch/3",
    completes_every_bracket=False,
    fixes_bye_score=False,
    measures_differences=False,
    joins_last_brackets=True,
    half_moved_down_is_homogeneous=True,
    wider_difference_decides=False,
    criteria=("M1", "C7", "C8", "B2", "A7d", "C12", "Z", "C14", "C16", "C15", "C17"),
    look_ahead=("C8 moved down", "C8"),  # [C.12]
    only_odd_rounds=frozenset({"A7d"}),
    only_even_rounds=frozenset({"Z"}),
    symbols=("P0", "P1", "M0", "M1", "X1", "X", "Z1", "Z"),
    names={
        "1.8": "A.10",
        "C1": "B.1.a",
        "C2": "B.1.b",
        "C3": "B.2",
        "C4": "C.13 (2012)",
        "C6": "P1",
        "M1": "M1",
        "C7": "B.3",
        "C8": "C.12 (2012)",
        "B2": "B.2 (topscorers)",
        "A7d": "A.7.d",
        "C12": "X",
        "Z": "Z",
        "C14": "B.5 down",
        "C15": "B.5 up",
        "C16": "B.6 down",
        "C17": "B.6 up",
    },
    colour_articles=("E.1", "E.2", "E.3", "E.4", "E.5"),
    order_articles={"mdp-set": "D.3", "mdp-opponents": "D.1.2", "exchange": "D.2", "transposition": "D.1.1"},
    first_of_equals="C.6",
)

_2012_JAVAFO: Final = msgspec.structs.replace(
    _2012,
    name="dutch-2012-javafo",
    half_moved_down_is_homogeneous=False,
    half_moved_down_above_joined=True,
    joins_before_the_bye=True,
    initial_colour_alternates=True,
)

EDITIONS: Final = {edition.name: edition for edition in (_2026, _2017, _2012, _2012_JAVAFO)}
