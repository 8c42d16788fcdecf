"""The editions of the FIDE (Dutch) System that Paircard knows, and when each was in force."""

from typing import Final

IN_FORCE_FROM: Final = {
    "dutch-2026": "2026-02-01",
    "dutch-2017": "2017-07-01",
    "dutch-2012": "",
    "dutch-2012-javafo": "",
}
"""The editions with their first day, the newest first; Paircard knows nothing older than 2012.

``dutch-2012`` is the text of Istanbul 2012, ``dutch-2012-javafo`` the same as JaVaFo, the endorsed program of
that time, read it (version 1.4)."""

EDITIONS: Final = tuple(IN_FORCE_FROM)
NEWEST: Final = EDITIONS[0]

REPLACED_FROM: Final = {
    edition: min(day for day in IN_FORCE_FROM.values() if day > first)
    for edition, first in IN_FORCE_FROM.items()
    if edition != NEWEST
}
"""The day from which later rules replace an edition."""

ISTANBUL: Final = frozenset({"dutch-2012", "dutch-2012-javafo"})
"""The two readings of the text of Istanbul 2012."""

BARS_THE_BYE: Final = {
    "dutch-2026": frozenset("UF+"),  # C.04.1:4, C.04.3:C2: the bye, or a win's points without playing
    "dutch-2017": frozenset("U+"),  # C.04.1.d, C.2: the bye, or an opponent who did not appear
    "dutch-2012": frozenset("UFH+"),  # B.1.b: a point or half point without playing
    "dutch-2012-javafo": frozenset("UFH+"),
}
"""What a round may bring that bars a player from the pairing-allocated bye of a later one."""

SECOND_BYE: Final = frozenset({"dutch-2012-javafo"})
"""Editions that, if everybody is barred from the bye, give it to one of those barred least often."""

FREEZING_ROUND: Final = {"dutch-2026": 4, "dutch-2017": 4}
"""Once this round is paired numbers are no longer reassigned (C.04.2:2.3; B.5 of 2016). The text of 2012
has no such round."""

LATE_ENTRIES_COME_LAST: Final = frozenset({"dutch-2017"})
"""Editions under which no number moves after the freezing round, not even for a late entry (C.04.2:B.7 of
2016)."""

RANKS_ANEW: Final = frozenset({"dutch-2012"})
"""Editions that rank the players by rating, title and name before every round (2012 A.2), so that a corrected
rating counts in the next pairing (2012 F.7). JaVaFo ordered by pairing number."""

CORRECTIONS_ALWAYS_COUNT: Final = ISTANBUL
"""Editions under which a wrong result or colour, whenever it is found, affects all pairings yet to be made
(2012 F.7); C.04.2:4.3 closes its window once the round after is completed."""

_ARTICLES_OF_2012: Final = {
    "initial-order": "2012 A.2",
    "rematch": "2012 B.1.a",
    "ineligible-bye": "2012 B.1.b",
    "colour": "2012 B.2",
    "half-bye-not-announced": "2012 F.5",
    "published-pairing": "2012 F.6, F.7",
    "boards-as-played": "2012 F.7",
    "correction": "2012 F.7",
    "rating-report-only": "2012 F.7",
    "no-show": "2012 F.8",
    "adjourned-games": "2012 F.9",
}

ARTICLES: Final[dict[str, dict[str, str]]] = {
    "dutch-2026": {
        "initial-order": "C.04.2:2.2",
        "numbers-after-freeze": "C.04.2:2.3",
        "rematch": "C.04.1:2",
        "ineligible-bye": "C.04.1:4",
        "colour": "C.04.1:6, 7",
        "half-bye-not-announced": "C.04.2:3.3",
        "published-pairing": "C.04.2:4.4",
        "boards-as-played": "C.04.2:4.3",
        "correction": "C.04.2:4.3",
        "rating-report-only": "C.04.2:4.3",
        "no-show": "C.05:6.5",
        "adjourned-games": "C.04.2:3.1",
    },
    "dutch-2017": {
        "initial-order": "2016 C.04.2:B",
        "numbers-after-freeze": "2016 C.04.2:B.5",
        "rematch": "2016 C.04.1.b",
        "ineligible-bye": "2016 C.04.1.d",
        "colour": "2016 C.04.1.f, g",
        "half-bye-not-announced": "2016 C.04.2:D.4",
        "published-pairing": "2016 C.04.2:D.10",
        "boards-as-played": "2016 C.04.2:D.8",
        "correction": "2016 C.04.2:D.8",
        "rating-report-only": "2016 C.04.2:D.8",
        "no-show": "2016 C.04.2:D.2",
        "adjourned-games": "2016 C.04.2:D.1",
    },
    "dutch-2012": _ARTICLES_OF_2012,
    "dutch-2012-javafo": _ARTICLES_OF_2012,
}
"""The article behind a warning, by edition and the code of the warning."""


def edition_in_force(day: str) -> str:
    """The edition whose rules applied on a day, like ``2015-05-01``."""
    return next(edition for edition, first in IN_FORCE_FROM.items() if day >= first)


def was_in_force(edition: str, day: str) -> bool:
    """Whether the rules of an edition applied on a day: not before its first, nor once it was replaced."""
    return IN_FORCE_FROM[edition] <= day < REPLACED_FROM.get(edition, "9")
