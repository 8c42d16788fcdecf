"""Where the editions of the rules differ, each with its article: one table for arbiters.

Cells that follow from data of the code are made from it; tests hold the others to what the code does.
"""

from typing import Final

import msgspec

from paircard.domain.speaking import Speaker
from paircard.domain.values.editions import (
    ARTICLES,
    BARS_THE_BYE,
    EDITIONS,
    FREEZING_ROUND,
)
from paircard.pairing.dutch.editions import EDITIONS as RULES
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.round.snapshot import float_records

OLDEST_FIRST: Final = ("dutch-2012", "dutch-2012-javafo", "dutch-2017", "dutch-2026")
UNPLAYED: Final = {
    "U": "the bye",
    "F": "a full-point bye",
    "H": "a half-point bye",
    "+": "a win by forfeit",
    "-": "a loss by forfeit",
    "Z": "an absence without points",
}
"""Rounds without a game, by their letter."""


class Rule(msgspec.Struct, frozen=True):
    """What an edition says, and where."""

    text: str
    article: str = ""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A subject on which the editions differ."""

    subject: str
    rules: dict[str, Rule]
    """By edition, the oldest first."""


def difference(subject: str, old: Rule, javafo: Rule | None, baku: Rule, new: Rule) -> Difference:
    """A row of the table; ``javafo`` None where JaVaFo reads the text of 2012 as it stands."""
    rules = dict(zip(OLDEST_FIRST, (old, javafo or old, baku, new), strict=True))
    return Difference(subject=subject, rules=rules)


def from_data(subject: str, texts: dict[str, str], articles: dict[str, str]) -> Difference:
    """A row whose cells are data of the code."""
    rules = {edition: Rule(texts[edition], articles[edition]) for edition in OLDEST_FIRST}
    return Difference(subject=subject, rules=rules)


def articles_of(code: str) -> dict[str, str]:
    """The articles behind a warning, by edition."""
    return {edition: ARTICLES[edition][code] for edition in EDITIONS}


def listed(letters: frozenset[str] | set[str]) -> str:
    """``the bye, a win by forfeit``."""
    return ", ".join(words for letter, words in UNPLAYED.items() if letter in letters)


def downfloats(edition: str) -> set[str]:
    """Letters of rounds without a game that are a downfloat."""
    rows = tuple(
        Row(id=at, number=at, entries=(Entry(letter=letter),)) for at, letter in enumerate(UNPLAYED, 1)
    )
    marks = float_records(Crosstable(rows=rows, rounds=2, paired=1), edition, 2)
    return {letter for at, letter in enumerate(UNPLAYED, 1) if marks[at] == "d"}


def frozen(edition: str) -> str:
    """When numbers are frozen."""
    round = FREEZING_ROUND.get(edition)
    return f"frozen once round {round} is paired" if round else "never frozen"


NONE: Final = "no such rule"
_OLD, _JAVAFO, _BAKU, _NEW = (RULES[edition] for edition in OLDEST_FIRST)

TABLE: Final[tuple[Difference, ...]] = (
    difference(
        "order among players of equal score",
        Rule("rating, title, name, ranked anew before every round", "A.2"),
        Rule("pairing number", "A.2"),
        Rule("pairing number", "A.2"),
        Rule("pairing number (TPN)", "1.2"),
    ),
    from_data(
        "pairing numbers",
        {
            "dutch-2012": f"{frozen('dutch-2012')}: a corrected rating counts in the next pairing",
            "dutch-2012-javafo": f"{frozen('dutch-2012-javafo')}: they stay, late entries are inserted",
            "dutch-2017": f"{frozen('dutch-2017')}; a later correction moves nobody",
            "dutch-2026": f"{frozen('dutch-2026')}; a later correction moves nobody",
        },
        {
            "dutch-2012": "A.2, F.7",
            "dutch-2012-javafo": "A.2",
            "dutch-2017": "C.04.2:B.5",
            "dutch-2026": "C.04.2:2.3",
        },
    ),
    difference(
        "late entries after round 4",
        Rule("inserted by rating, title and name", "A.2"),
        None,
        Rule("the next free number, nobody else moves", "C.04.2:B.7"),
        Rule("inserted by rating, title and name, those below move down by one", "C.04.2:2.4"),
    ),
    from_data(
        "a downfloat without a game",
        {edition: listed(downfloats(edition)) for edition in EDITIONS},
        {
            "dutch-2012": "B.1.b",
            "dutch-2012-javafo": "B.1.b",
            "dutch-2017": "A.4.b",
            "dutch-2026": "1.4.3",
        },
    ),
    from_data(
        "what bars from a later bye",
        {edition: listed(BARS_THE_BYE[edition]) for edition in EDITIONS},
        {
            "dutch-2012": "B.1.b",
            "dutch-2012-javafo": "B.1.b",
            "dutch-2017": "C.2, C.04.1.d",
            "dutch-2026": "C2, C.04.1:4",
        },
    ),
    difference(
        "everybody is barred from the bye",
        Rule("no legal round: the arbiter decides", "B.1.b"),
        Rule("those barred least often may have it again", "JaVaFo 1.4"),
        Rule("no legal round: the arbiter decides", "A.9"),
        Rule("no legal round: the arbiter decides", "1.9.3"),
    ),
    difference(
        "who gets the bye",
        Rule("the player left over in the lowest bracket", "A.5, C.13"),
        Rule(
            "as 2012, but nobody who moved down into the penultimate bracket and has an opponent below",
            "C.13",
        ),
        Rule("the player left over in the last bracket", "A.5, A.9"),
        Rule("one of the lowest score possible, fixed first; then of the fewest unplayed games", "C5, C9"),
    ),
    difference(
        "points of the bye",
        Rule("a point or half a point, as announced", "A.5"),
        None,
        Rule("as a win, unless the regulations say otherwise", "C.04.1.c"),
        Rule("as a win, unless the rules of the event say otherwise; the same for all", "C.04.1:3"),
    ),
    difference(
        "half of a bracket moved down",
        Rule("treated as homogeneous", "A.3"),
        Rule("stays heterogeneous", "JaVaFo 1.4"),
        Rule(NONE),
        Rule(NONE),
    ),
    difference(
        "a rest that cannot be paired",
        Rule("the penultimate bracket is paired anew; if that fails the lowest brackets are joined", "C.13"),
        None,
        Rule("all scoregroups below collapse into one last bracket (PPB, CLB)", "A.9, C.4"),
        Rule("every bracket must leave a rest that can be paired", "C4"),
    ),
    difference(
        "regard for the next bracket",
        Rule("backtracking: other downfloaters of the same scores, if it then has more pairs", "C.12"),
        None,
        Rule("downfloaters for most pairs there, then for the least score differences", "C.7"),
        Rule("downfloaters with whom it complies best with C1 to C7", "C8"),
    ),
    difference(
        "which downfloaters",
        Rule("the lowest scores; pairs of the smallest score difference", "B.3"),
        None,
        Rule("the least list of score differences of pairs and downfloaters (PSD)", "A.8, C.6"),
        Rule("the lowest scores", "C7"),
    ),
    difference(
        "which moved-down players are paired",
        Rule("those that leave over the lowest scores, then plain order of numbers", "B.3, D.3"),
        None,
        Rule("the highest scores first, then order of numbers", "D.3"),
        Rule("the highest scores first, then order of numbers", "C7, 4.4"),
    ),
    difference(
        "the same float again",
        Rule("residents who float down again, then residents paired up again", "B.5, B.6"),
        None,
        Rule("everybody with the same float, by number, then by score difference", "C.12 to C.19"),
        Rule("residents who float and opponents of moved-down players, then differences", "C14 to C21"),
    ),
    difference(
        "strong colour preferences",
        Rule(
            "in odd rounds like absolute ones, as far as floaters allow; in even rounds pairs of two are "
            "counted (Z)",
            "A.7.d, A.7.e",
        ),
        None,
        Rule("players who do not get theirs are counted", "C.11"),
        Rule("players who do not get theirs are counted", "C13"),
    ),
    difference(
        "topscorers of the last round",
        Rule(
            "B.2 may be ignored to make floaters fewer or their scores lower", f"{_OLD.name_of('1.8')}, B.2"
        ),
        None,
        Rule(
            "may meet somebody with the same absolute preference; C.8 and C.9 count it",
            f"{_BAKU.name_of('1.8')}, C.3",
        ),
        Rule(
            "may meet somebody with the same absolute preference; C10 and C11 count it",
            f"{_NEW.name_of('1.8')}, C3",
        ),
    ),
    difference(
        "colours of two absolute preferences",
        Rule("no word on the wider difference: the last colours that differed decide", "E.3, E.4"),
        None,
        Rule("the wider colour difference", "E.2"),
        Rule("the wider colour difference", "5.2.2"),
    ),
    difference(
        "colours of two without a game, after round 1",
        Rule("as in round 1, by the place among the players of the round", "E.5"),
        Rule("the opposite of round 1, by the place among the players of the round", "JaVaFo 1.4"),
        Rule("as in round 1, by the number among all who ever took part", "E.5"),
        Rule("as in round 1, by the number among all who ever took part", "5.2.5"),
    ),
    difference(
        "a wrong result or colour",
        Rule("counts for all pairings yet to be made, whenever it is found", "F.7"),
        None,
        Rule(
            "before the next pairing, or from the one after it; once the next round is over for the rating "
            "report alone",
            "C.04.2:D.8",
        ),
        Rule(
            "before the next pairing, or from the one after it; once the next round is over for the rating "
            "report alone",
            "C.04.2:4.3",
        ),
    ),
    from_data(
        "a published pairing may change",
        {edition: Speaker().word("cases", edition) for edition in EDITIONS},
        articles_of("published-pairing"),
    ),
    from_data(
        "absent without a word",
        dict.fromkeys(EDITIONS, "taken for withdrawn; Paircard asks before the player is paired again"),
        articles_of("no-show"),
    ),
)
"""Every subject on which the editions differ, or name another article."""


def merged(row: Difference) -> list[tuple[list[str], Rule]]:
    """Editions that follow each other and say the same in the same article, together."""
    found: list[tuple[list[str], Rule]] = []
    for edition in OLDEST_FIRST:
        rule, short = row.rules[edition], edition.removeprefix("dutch-")
        if found and found[-1][1] == rule:
            found[-1][0].append(short)
        else:
            found.append(([short], rule))
    return found
