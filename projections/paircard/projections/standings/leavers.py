"""Players who left a round robin before half of their games (C.05:6.6, VCL 103).

They stay in the table, for the ratings; points by and against them count for nobody in the final
standings, and they have no place. Who completed exactly half of the games counts like anybody. A Swiss
tournament has no such rule.
"""

from typing import Final

from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.values.results import PLAYED
from paircard.projections.round.crosstable import ABSENT, Crosstable, Row

LEFT: Final = "left early"
"""Status of such a player."""

OUTSIDE: Final = frozenset({"expelled", LEFT})
"""Statuses of players without a place."""


def games_of_each(table: Crosstable) -> int:
    """Games everybody has; with an odd number of players each is free once in a cycle."""
    players = len(table.rows)
    return table.rounds - table.rounds // players if players % 2 else table.rounds


def has_left(row: Row, rounds: int, free: int) -> bool:
    """Whether the player was expelled or withdrew, or at the end was only absent (C.05:6.5).

    ``free`` is 1 where the last round may be a free one.
    """
    if row.status:
        return True
    entries = row.entries[:rounds]
    last = max((round for round, entry in enumerate(entries, 1) if entry.opponent), default=0)
    return rounds - last > free or entries[last - 1].letter == "-"


def early_leavers(table: Crosstable, after: int) -> dict[int, int]:
    """Completed games of everyone who left before half of them, by id; only the end of the event tells.

    A game is completed if it was played, or won because the opponent did not come.
    """
    if after < table.rounds:
        return {}
    found = {}
    for row in table.rows:
        completed = sum(entry.letter in PLAYED or entry.letter == "+" for entry in row.entries[:after])
        if has_left(row, after, len(table.rows) % 2) and 2 * completed < games_of_each(table):
            found[row.id] = completed
    return found


def without_leavers(table: Crosstable, after: int) -> Crosstable:
    """The table with every game of an early leaver as if it had never been scheduled."""
    gone = early_leavers(table, after)
    if not gone:
        return table
    rows = []
    for row in table.rows:
        mine = row.id in gone
        entries = tuple(ABSENT if mine or entry.opponent in gone else entry for entry in row.entries)
        rows.append(replace(row, entries=entries, status=LEFT if mine else row.status))
    return replace(table, rows=tuple(rows))


def remarks(table: Crosstable, after: int) -> list[Message]:
    """What is left out of the standings."""
    games = games_of_each(table)
    return [
        say("standings.left-early", number=id, count=completed, most=games)
        for id, completed in early_leavers(table, after).items()
    ]
