"""The crosstable of a round robin: a row and a column for each player, in the order of the standings."""

from collections.abc import Sequence

import msgspec

from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.standings import Standing


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One meeting, seen from the player in the row."""

    round: int
    colour: str
    """Scheduled colour: ``w`` or ``b``; ``-`` where a file does not tell."""
    letter: str
    """What it brought, see ``paircard.domain.values.results``; empty while it is open."""


class GridLine(msgspec.Struct, frozen=True, kw_only=True):
    """One player and the games with everybody."""

    standing: Standing
    games: tuple[tuple[Game, ...], ...]
    """By opponent, in the order of the lines: one game for each cycle; none in the player's own column."""


def grid(table: Crosstable, lines: Sequence[Standing]) -> tuple[GridLine, ...]:
    """Everybody against everybody; games that do not count (C.05:6.6) are in it, since they were played."""
    rows = {row.id: row for row in table.rows}
    made = []
    for line in lines:
        met: dict[int, list[Game]] = {}
        for round, now in enumerate(rows[line.id].entries[: table.paired], 1):
            if now.opponent:
                met.setdefault(now.opponent, []).append(
                    Game(round=round, colour=now.colour, letter=now.letter)
                )
        made.append(GridLine(standing=line, games=tuple(tuple(met.get(other.id, ())) for other in lines)))
    return tuple(made)
