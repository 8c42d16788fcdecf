"""The editions of the FIDE (Dutch) System as data: everything in which one edition differs from another.

Criteria have the names of the 2026 edition inside the kernel; ``Edition.names`` translates them.
"""

from typing import Final

import msgspec


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One edition of C.04.3."""

    name: str
    bars_the_bye: frozenset[str]
    """[C2] What an earlier round may have brought that bars a player from the pairing-allocated bye."""
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
    names: dict[str, str]
    """What the edition calls a criterion or article of 2026."""
    colour_articles: tuple[str, str, str, str, str]
    """Articles of the five colour rules."""
    order_articles: dict[str, str]
    """Articles of the four steps in which candidates are generated."""
    first_of_equals: str
    """The article by which, of equal candidates, the one generated first is chosen."""

    def name_of(self, criterion: str) -> str:
        """A criterion of 2026 by the name it has here."""
        return self.names.get(criterion, criterion)


_CRITERIA: Final = tuple(f"C{number}" for number in range(6, 22))

_2026: Final = Edition(
    name="dutch-2026",
    bars_the_bye=frozenset("UF+"),  # [C2] a PAB, or a win's points in one round without playing
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
    bars_the_bye=frozenset("U+"),  # [C.2] a PAB, or an opponent who did not appear
    completes_every_bracket=False,
    fixes_bye_score=False,
    measures_differences=True,
    criteria=tuple(name for name in _CRITERIA if name != "C9"),
    names={f"C{number}": f"C.{number}" for number in range(1, 5)}
    | {f"C{number}": f"C.{number - 1}" for number in range(6, 9)}
    | {f"C{number}": f"C.{number - 2}" for number in range(10, 22)},
    colour_articles=("E.1", "E.2", "E.3", "E.4", "E.5"),
    order_articles={"mdp-set": "D.3", "mdp-opponents": "D.1", "exchange": "D.2", "transposition": "D.1"},
    first_of_equals="B.8",
)

EDITIONS: Final = {edition.name: edition for edition in (_2026, _2017)}
