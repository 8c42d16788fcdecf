"""The rules a tournament may be paired by, as data: all that state, evolve and views need to know of them.

What a system does, apart from what it is, is in ``deciding``; who pairs by it, in ``pairing/engines``.
"""

from typing import Final, Literal

import msgspec


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """One set of rules: an edition of a Swiss system, or a round robin."""

    name: str
    """Stored with every tournament and every round, for ever."""
    family: str
    """The room that answers for it: ``dutch`` or ``round-robin``."""
    in_force_from: str = ""
    """First day; empty for rules that are older than all others of their family."""
    replaced_from: str = ""
    """The day from which later rules replace it; empty for rules in force."""
    predetermined: bool = False
    """Whether no round depends on a result: what C.07:15 says of tie-breaks then applies."""
    known_at_once: bool = False
    """Whether numbers alone decide all rounds, so that they can be paired together and never go stale."""
    rounds_overlap: bool = False
    """Whether games of many rounds may be open at once; no round ends another."""
    leavers_keep_seats: bool = False
    """Whether who leaves stays on the boards and forfeits the games (C.05:6.6)."""
    boards_by_score: bool = True
    """Whether boards are published by score (C.04.2:3.6), not as the table or the arbiter has them."""
    downfloats: Literal["gains", "points", "unplayed", ""] = "gains"
    """The rounds without a game that are a downfloat: those that ``gain`` more than a loss (2026 1.4.3), any
    ``points`` (2012 B.1.b), or all ``unplayed`` ones (2017 A.4.b); empty where nobody floats."""
    grid: bool = False
    """Whether the crosstable has a column for each opponent, not for each round."""
    rounds_follow_field: bool = False
    """Whether the number of rounds comes from the number of players."""
    freezing_round: int = 0
    """Once this round is paired numbers are no longer reassigned; 0 for no such round."""
    late_entries_come_last: bool = False
    """Whether no number moves after the freezing round, not even for a late entry (C.04.2:B.7 of 2016)."""
    ranks_anew: bool = False
    """Whether players are ranked by rating, title and name before every round (2012 A.2), so that a corrected
    rating counts in the next pairing (2012 F.7). JaVaFo ordered by pairing number."""
    corrections: Literal["windows", "always", "standings"] = "windows"
    """What a wrong result or colour still touches: by the ``windows`` of C.04.2:4.3, which close once the
    round after is completed; ``always`` all pairings yet to be made (2012 F.7); or the ``standings``, where
    no pairing depends on a result."""
    bars_the_bye: frozenset[str] = frozenset()
    """What a round may bring that bars a player from the pairing-allocated bye of a later one."""
    second_bye: bool = False
    """Whether, if everybody is barred from the bye, one of those barred least often has it."""
    draws: frozenset[str] = frozenset({"initial-colour"})
    """Lots drawn before round 1: for the ``initial-colour``, or for the ``numbers``."""
    absence_word: str = "absent"
    """What a round without an opponent is called where nobody gave a bye; ``free`` in a table."""
    tiebreaks: tuple[str, ...] = ()
    """The list of tie-breaks that is suggested; none if the rules suggest none."""
    settings: frozenset[str] = frozenset(
        {"initial_order", "pab", "acceleration", "half_byes", "prohibitions"}
    )
    """What a tournament may have because it means something under these rules, and not under all."""
    articles: dict[str, str]
    """The article behind a warning, by its code."""


NEWEST: Final = "dutch-2026"

_ARTICLES: Final = {
    "initial-order": ("C.04.2:2.2", "2016 C.04.2:B", "2012 A.2"),
    "numbers-after-freeze": ("C.04.2:2.3", "2016 C.04.2:B.5", ""),
    "rematch": ("C.04.1:2", "2016 C.04.1.b", "2012 B.1.a"),
    "ineligible-bye": ("C.04.1:4", "2016 C.04.1.d", "2012 B.1.b"),
    "colour": ("C.04.1:6, 7", "2016 C.04.1.f, g", "2012 B.2"),
    "half-bye-not-announced": ("C.04.2:3.3", "2016 C.04.2:D.4", "2012 F.5"),
    "published-pairing": ("C.04.2:4.4", "2016 C.04.2:D.10", "2012 F.6, F.7"),
    "boards-as-played": ("C.04.2:4.3", "2016 C.04.2:D.8", "2012 F.7"),
    "correction": ("C.04.2:4.3", "2016 C.04.2:D.8", "2012 F.7"),
    "rating-report-only": ("C.04.2:4.3", "2016 C.04.2:D.8", "2012 F.7"),
    "no-show": ("C.05:6.5", "2016 C.04.2:D.2", "2012 F.8"),
    "adjourned-games": ("C.04.2:3.1", "2016 C.04.2:D.1", "2012 F.9"),
}
"""The articles behind warnings in the editions of the Dutch System: 2026, 2017, 2012."""
_OF_2026, _OF_2017, _OF_2012 = (
    {code: articles[at] for code, articles in _ARTICLES.items() if articles[at]} for at in range(3)
)

_2012: Final = Rules(
    name="dutch-2012",
    family="dutch",
    replaced_from="2017-07-01",
    ranks_anew=True,
    corrections="always",
    downfloats="points",
    bars_the_bye=frozenset("UFH+"),  # B.1.b: a point or half point without playing
    articles=_OF_2012,
)

_ALL: Final = (
    Rules(
        name=NEWEST,
        family="dutch",
        in_force_from="2026-02-01",
        freezing_round=4,  # C.04.2:2.3
        bars_the_bye=frozenset("UF+"),  # C.04.1:4, C.04.3:C2: the bye, or a win's points without playing
        articles=_OF_2026,
    ),
    Rules(
        name="dutch-2017",
        family="dutch",
        in_force_from="2017-07-01",
        replaced_from="2026-02-01",
        freezing_round=4,  # 2016 C.04.2:B.5
        late_entries_come_last=True,
        downfloats="unplayed",
        bars_the_bye=frozenset("U+"),  # C.04.1.d, C.2: the bye, or an opponent who did not appear
        articles=_OF_2017,
    ),
    _2012,
    msgspec.structs.replace(_2012, name="dutch-2012-javafo", ranks_anew=False, second_bye=True),
    Rules(
        name="round-robin",
        family="round-robin",
        predetermined=True,
        known_at_once=True,
        rounds_overlap=True,
        leavers_keep_seats=True,
        boards_by_score=False,
        downfloats="",
        grid=True,
        corrections="standings",
        rounds_follow_field=True,
        freezing_round=1,  # C.05 Annex 1: numbers and table stand once a round is paired (VCL 93)
        draws=frozenset({"numbers"}),
        absence_word="free",
        tiebreaks=("DE", "WIN", "SB", "KS"),
        settings=frozenset({"cycles", "exchange", "table"}),
        articles={
            "numbers-after-freeze": "C.05 Annex 1",
            "no-published-table": "C.05 Annex 1",
            "published-pairing": "C.05 Annex 1",
        },
    ),
)

RULES: Final[dict[str, Rules]] = {rules.name: rules for rules in _ALL}
"""All rules by name, those of the FIDE (Dutch) System first, the newest of them in front.

Paircard knows nothing older than 2012: ``dutch-2012`` is the text of Istanbul 2012, ``dutch-2012-javafo`` the
same as JaVaFo, the endorsed program of that time, read it (version 1.4)."""
EDITIONS: Final = tuple(name for name, rules in RULES.items() if rules.family == "dutch")
"""The editions of the FIDE (Dutch) System, the newest first."""
ISTANBUL: Final = frozenset({"dutch-2012", "dutch-2012-javafo"})
"""The two readings of the text of Istanbul 2012."""


def edition_in_force(day: str) -> str:
    """The edition of the FIDE (Dutch) System whose rules applied on a day, like ``2015-05-01``."""
    return next(name for name in EDITIONS if day >= RULES[name].in_force_from)


def was_in_force(name: str, day: str) -> bool:
    """Whether rules applied on a day: not before their first, nor once they were replaced."""
    return RULES[name].in_force_from <= day < (RULES[name].replaced_from or "9")
