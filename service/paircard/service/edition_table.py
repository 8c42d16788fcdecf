"""Where the editions of the rules differ, each with its article: one table for arbiters.

The table is ``edition_table.toml``; its fields in braces follow from data of the code, and tests hold the
rest to what the code does.
"""

import tomllib
from importlib.resources import files
from typing import Final

import msgspec

from paircard.domain.speaking import Speaker
from paircard.domain.values.rules import RULES
from paircard.pairing.dutch.editions import EDITIONS
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.round.snapshot import float_records

OLDEST_FIRST: Final = {
    "dutch-2012": "2012",
    "dutch-2012-javafo": "javafo",
    "dutch-2017": "2017",
    "dutch-2026": "2026",
}
"""The editions, and what the table calls them."""
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


def data_of(edition: str) -> dict[str, str]:
    """What the code has for the fields of the table."""
    round = RULES[edition].freezing_round
    return {
        "frozen": f"frozen once round {round} is paired" if round else "never frozen",
        "downfloats": listed(downfloats(edition)),
        "barring": listed(RULES[edition].bars_the_bye),
        "topscorers": EDITIONS[edition].name_of("1.8"),
        "cases": Speaker().word("cases", edition),
        "published-pairing": RULES[edition].articles["published-pairing"],
        "no-show": RULES[edition].articles["no-show"],
    }


def read_table() -> tuple[Difference, ...]:
    """The table as it stands in the file, its fields filled in."""
    text = files("paircard.service").joinpath("edition_table.toml").read_text(encoding="utf-8")
    data = {edition: data_of(edition) for edition in OLDEST_FIRST}
    return tuple(
        Difference(
            subject=row["subject"],
            rules={
                edition: Rule(*(cell.format(**data[edition]) for cell in row.get(name, row["2012"])))
                for edition, name in OLDEST_FIRST.items()
            },
        )
        for row in tomllib.loads(text)["row"]
    )


TABLE: Final = read_table()
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
