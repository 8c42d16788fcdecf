"""Standings: by points, then by whatever tie-breaks are handed in.

Tie-breaks are columns, each a value by player id where more is better. This module ranks; it does
not know how a tie-break is computed (C.07 has its own package).
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from paircard.projections.crosstable import Crosstable
from paircard.projections.scoregroups import points_before

Column = tuple[str, Mapping[int, int]]
"""A tie-break: its name, and its value by player id."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the standings."""

    rank: int
    """Place, shared by those whom no tie-break parts; 0 for the expelled, who have none."""
    id: int
    number: int
    name: str
    title: str
    rating: int
    federation: str
    status: str
    points: int
    """Tenths, without virtual points (C.04.7:1.5)."""
    tiebreaks: tuple[int, ...] = ()
    """In the order of the columns handed in."""


def standings(table: Crosstable, after: int, tiebreaks: Sequence[Column] = ()) -> tuple[Standing, ...]:
    """The standings after a round. Equal lines share a place and stand in order of pairing number.

    Virtual points do not count (C.04.7:1.5). The expelled come last without a place: their results
    still count for their opponents (C.05, VCL 197–198).
    """
    points = points_before(table, after + 1)
    lines = [
        Standing(
            rank=0,
            id=row.id,
            number=row.number,
            name=row.name,
            title=row.title,
            rating=row.rating,
            federation=row.federation,
            status=row.status,
            points=points[row.id],
            tiebreaks=tuple(values.get(row.id, 0) for _, values in tiebreaks),
        )
        for row in sorted(table.rows, key=lambda row: (row.number or len(table.rows) + 1, row.id))
    ]
    ranked: list[Standing] = []
    in_order = sorted((one for one in lines if one.status != "expelled"), key=merit, reverse=True)
    for _, tied in groupby(in_order, key=merit):
        place = len(ranked) + 1
        ranked += [replace(one, rank=place) for one in tied]
    return (*ranked, *(one for one in lines if one.status == "expelled"))


def merit(line: Standing) -> tuple[int, ...]:
    """What decides a place: points, then the tie-breaks in their order."""
    return (line.points, *line.tiebreaks)
