"""The crosstable: every player's round by round record, the base of all other projections.

It is made from the log of a tournament or from a report file, and knows neither.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain.values.results import STANDARD, Scoring


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One round of one player."""

    opponent: int = 0
    """Id of the scheduled opponent; 0 for none."""
    colour: str = "-"
    """Scheduled colour: ``w``, ``b`` or ``-``."""
    letter: str = "Z"
    """What the round brought, see ``paircard.domain.values.results``."""


ABSENT = Entry()

LEFT = "left early"
"""Status of one who left a round robin before half of the games (C.05:6.6, VCL 103)."""


def cycles_in(players: int, rounds: int) -> int:
    """How often everybody meets everybody in a round robin of so many players and rounds."""
    return max(1, rounds // max(1, players + players % 2 - 1))


def games_of_each(players: int, rounds: int) -> int:
    """Games everybody has in a round robin; in an odd field each is free once in a cycle."""
    return cycles_in(players, rounds) * (players - 1)


class Listed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A player as every list of them has it; fields that nobody recorded, or may see, are empty."""

    id: int
    """The player's id for life; not the pairing number."""
    number: int
    """Tournament pairing number (TPN) in force; 0 while the player has none (C.04.2:2.4)."""
    name: str = ""
    title: str = ""
    rating: int = 0
    """The rating used for this tournament; 0 is unrated."""
    federation: str = ""
    status: str = ""
    """Empty, ``withdrawn``, ``expelled``, ``removed``, or ``left early`` in a round robin (C.05:6.6)."""
    sex: str = ""
    birth: str = ""
    club: str = ""
    fide_id: int = 0
    national_id: str = ""


LISTED: Final = Listed.__struct_fields__


class Row(Listed, frozen=True, kw_only=True, gc=False):
    """One player's record."""

    entries: tuple[Entry, ...] = ()
    """By round, the first is round 1. May reach into rounds not yet paired, for byes known in advance."""
    virtual: tuple[int, ...] = ()
    """Virtual points by round, in tenths (C.04.7); missing rounds have none."""
    extra: tuple[int, ...] = ()
    """Points beyond those of the results, by round, in tenths: bonuses and penalties (TRF26 299)."""
    ratings: tuple[tuple[int, int], ...] = ()
    """Further ratings that count in rating tie-breaks: the first round each belongs to, and the rating."""


class Prohibition(msgspec.Struct, frozen=True):
    """Players who may not meet each other in these rounds (TRF26 260)."""

    ids: tuple[int, ...]
    first: int = 1
    last: int = 999


class Crosstable(msgspec.Struct, frozen=True, kw_only=True):
    """All that was played, as known at one moment."""

    rows: tuple[Row, ...]
    """In order of pairing number."""
    rounds: int
    """Announced number of rounds."""
    paired: int
    """Rounds paired so far."""
    scoring: Scoring = STANDARD
    initial_colour: str = ""
    """Colour drawn for the first number, ``w`` or ``b``; empty before the drawing of lots."""
    prohibitions: tuple[Prohibition, ...] = ()
    one_code_for_byes: bool = False
    """Whether a report in JaVaFo's old codes writes every full point without an opponent like the bye."""
    predetermined: bool = False
    """Whether no round depends on a result, as in a round robin: unplayed games then count otherwise
    (C.07:15.2), and who left before half of the games counts for nobody (C.05:6.6)."""
    exchange: bool = False
    """Whether a double round robin exchanges the last two rounds of its first cycle."""
    leavers_known: bool = False
    """Whether the rows say who left; of a report file without such words it is inferred."""


def records(table: Crosstable, rounds: int) -> list[tuple[Entry, ...]]:
    """Everybody's first rounds, row by row; a round not entered is an absence."""
    absent = (ABSENT,) * rounds
    return [
        row.entries[:rounds] if len(row.entries) >= rounds else row.entries + absent[len(row.entries) :]
        for row in table.rows
    ]


def rating_in(row: Row, round: int) -> int:
    """The rating of a player in a game of this round, as rating tie-breaks see it."""
    rating = row.rating
    for first, listed in row.ratings:
        if first <= round:
            rating = listed
    return rating


def entry(row: Row, round: int) -> Entry:
    """The player's record of a round; a round not entered is an absence."""
    return row.entries[round - 1] if round <= len(row.entries) else ABSENT


Boards: TypeAlias = tuple[tuple[int, int], ...]
"""White and black of each board; the pairing-allocated bye is ``(id, 0)``."""


def boards_of(table: Crosstable, round: int) -> Boards:
    """The boards of a round by id, and the bye; where a report has no colours, the first row first."""
    boards = []
    for row in table.rows:
        now = entry(row, round)
        if now.letter == "U":
            boards.append((row.id, 0))
        elif now.opponent and (now.colour == "w" or (now.colour == "-" and row.id < now.opponent)):
            boards.append((row.id, now.opponent))
    return tuple(boards)


def without_bye(boards: Boards) -> tuple[Boards, int]:
    """The boards with two players, and who has the bye; 0 for nobody."""
    return tuple(board for board in boards if board[1]), next((id for id, other in boards if not other), 0)


def never_came(row: Row) -> bool:
    """Whether a player withdrew, never paired and without a point: no place, no line in a report."""
    if row.status == "removed":
        return True
    if row.status != "withdrawn" or row.number:
        return False
    return all(entry.letter == "Z" for entry in row.entries)


def who_came(table: Crosstable) -> Crosstable:
    """The table without those who withdrew before they ever took part."""
    rows = tuple(row for row in table.rows if not never_came(row))
    return table if len(rows) == len(table.rows) else replace(table, rows=rows)


# --- points and scoregroups (C.04.3:1.2–1.3, C.04.7:1.5)


def points_before(table: Crosstable, round: int) -> dict[int, int]:
    """Points in tenths that each player has when the round is paired, without virtual points."""
    worth = table.scoring.table()
    return {
        row.id: sum([worth[e.letter] for e in history]) + sum(row.extra[: round - 1])
        for row, history in zip(table.rows, records(table, round - 1), strict=True)
    }


def virtual_points(table: Crosstable, round: int) -> list[int]:
    """Everybody's virtual points of an accelerated round, row by row, in tenths (C.04.7:1.4)."""
    return [row.virtual[round - 1] if round <= len(row.virtual) else 0 for row in table.rows]


def virtual_in(row: Row, round: int) -> int:
    return row.virtual[round - 1] if round <= len(row.virtual) else 0


def scores_before(table: Crosstable, round: int) -> dict[int, int]:
    """Points in tenths that each player is paired with in a round, with its virtual points (C.04.7:1.5)."""
    points = points_before(table, round)
    return {id: points[id] + more for id, more in zip(points, virtual_points(table, round), strict=True)}


# --- baku acceleration (C.04.7): who is in group A, and the virtual points of each round


def group_a_size(players: int) -> int:
    """2·⌈N/4⌉: half of the field, rounded to whole pairs (C.04.7:1.2)."""
    return 2 * -(-players // 4)


def virtual_by_round(rounds: int, scoring: Scoring = STANDARD) -> tuple[int, ...]:
    """Virtual points of a group A player in each accelerated round, in tenths (C.04.7:1.4).

    ⌈R/2⌉ rounds are accelerated: the first half of them, rounded up, by a win, the others by a draw.
    """
    accelerated = -(-rounds // 2)
    by_a_win = -(-accelerated // 2)
    return (scoring.win,) * by_a_win + (scoring.draw,) * (accelerated - by_a_win)


def last_of_group_a(first_round: Sequence[int]) -> int:
    """The last person of group A, given the ids numbered for round 1 in order; 0 if there is nobody.

    Round-1 absentees have no number yet (C.04.2:2.4) and are not in N.
    """
    return first_round[: group_a_size(len(first_round))][-1] if first_round else 0


def groups_by_round(
    numberings: Sequence[Mapping[int, int]], first_round: Collection[int], last: int = 0
) -> list[frozenset[int]]:
    """Group A of each round, given the numbers of each and who is paired in round 1.

    ``last`` is the last person of the group where that is known already.
    Where numbers are regenerated (C.04.2:2.3) the last person may stand anywhere: the group then keeps its
    size and takes the first of the new order. C.04.7 speaks of late entries only.
    """
    groups: list[frozenset[int]] = []
    before = numberings[0] if numberings else {}
    if not last:
        last = last_of_group_a([id for id, _ in in_order(before) if id in first_round])
    for numbers in numberings:
        stayed = [id for id, _ in in_order(numbers) if before.get(id)]
        if stayed != sorted(stayed, key=lambda id: before[id]):
            size = sum(id in groups[-1] for id in stayed)
            last = stayed[size - 1] if size else 0
        groups.append(group_a(numbers, last))
        before = numbers
    return groups


def in_order(numbers: Mapping[int, int]) -> list[tuple[int, int]]:
    """Ids with a number, and the number, by number."""
    return sorted(((id, number) for id, number in numbers.items() if number), key=lambda item: item[1])


def group_a(numbers: Mapping[int, int], last: int) -> frozenset[int]:
    """Ids in group A under the numbers in force.

    A late entry goes where the number says, and the last person stays the same person (C.04.7:1.3),
    so the group may grow and become odd.
    """
    boundary = numbers.get(last, 0)
    return frozenset(id for id, number in numbers.items() if 0 < number <= boundary)
