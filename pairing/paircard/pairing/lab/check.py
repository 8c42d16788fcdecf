"""Is a paired round the one the rules prescribe? The round is paired again and the two are compared."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.pairing.outcome import NoLegalRound, Pairing, PairingError
from paircard.projections.round.crosstable import ABSENT, Boards, Crosstable, boards_of, cycles_in, entry
from paircard.projections.round.snapshot import Snapshot, snapshot

MANY: Final = 8
"""Pairs that are written out."""


Pair = Callable[[Snapshot], Pairing]
"""An engine, ours or another one that gives boards and a bye."""


class Discrepancy(msgspec.Struct, frozen=True, kw_only=True):
    """One round that differs: the boards only one of the two sides has."""

    round: int
    expected: Boards = ()
    """As the rules have it, in published order."""
    found: Boards = ()
    """As the tournament has it."""
    note: str = ""
    """What is wrong in words, where boards alone do not say it: that no legal round exists."""
    message: Message | UnsetType = UNSET
    """The note for programs."""
    remarks: tuple[str, ...] = ()
    """``###`` lines of the report that may explain it."""

    def __str__(self) -> str:
        sides = [
            f"{name} {' '.join(board_text(*board) for board in boards)}"
            for name, boards in (("expected", self.expected), ("found", self.found))
            if boards
        ]
        return f"round {self.round}: " + ", ".join([*([self.note] if self.note else []), *sides])


def remarked(round: int, said: Message, *, expected: Boards = (), found: Boards = ()) -> Discrepancy:
    """A difference that boards alone do not tell."""
    return Discrepancy(round=round, expected=expected, found=found, note=Speaker().say(said), message=said)


def board_text(white: int, black: int) -> str:
    return f"{white}-{black}" if black else f"{white}=PAB"


def check_rounds(table: Crosstable, edition: str, pair: Pair) -> Iterator[Discrepancy | None]:
    for round in range(1, table.paired + 1):
        yield check_round(table, round, edition, pair, boards_of(table, round))


def check_table(
    table: Crosstable, edition: str, pair: Pair, *, by_hand: bool = False
) -> list[Discrepancy | None]:
    """The rounds of a round robin against its Berger table, and whether everybody met everybody as announced.

    Rounds by hand follow no table; of these only meetings and, in more than one cycle, colours are checked
    (VCL 101, 102).
    """
    results: list[Discrepancy | None] = [None] * table.paired
    if not by_hand:
        results = [one and _colours_only(one) for one in check_rounds(table, edition, pair)]
    found = [one for one in (wrong_meetings(table), three_in_a_row(table) if by_hand else None) if one]
    return [*results, *found]


def _colours_only(one: Discrepancy) -> Discrepancy:
    if one.note or not same_pairs(one.expected, one.found):
        return one
    said = say("pairing.check.colours-only")
    return remarked(one.round, said, expected=one.expected, found=one.found)


def same_pairs(one: Boards, other: Boards) -> bool:
    """Whether two rounds have the same pairs, whatever their colours and order."""
    return {frozenset(board) for board in one} == {frozenset(board) for board in other}


def follows_the_table(table: Crosstable, edition: str, pair: Pair) -> Crosstable | None:
    """The crosstable with the exchange that explains its rounds; None if they were made by hand."""
    for exchange in (False, True):
        tried = replace(table, exchange=exchange)
        if not any(check_rounds(tried, edition, pair)):
            return tried
    return None


def wrong_meetings(table: Crosstable) -> Discrepancy | None:
    """Pairs that met more often than announced, or at the end less often."""
    met = Counter(
        (row.id, now.opponent)
        for row in table.rows
        for now in row.entries[: table.paired]
        if now.opponent > row.id
    )
    cycles = cycles_in(len(table.rows), table.rounds)
    over = table.paired >= table.rounds
    pairs = combinations(sorted(row.id for row in table.rows), 2)
    wrong = [pair for pair in pairs if met[pair] > cycles or (over and met[pair] < cycles)]
    if not wrong:
        return None
    each = [say("pairing.check.met", first=a, last=b, count=met[a, b]) for a, b in wrong[:MANY]]
    more = len(wrong) - len(each)
    return remarked(table.paired, say("pairing.check.meetings", cycle=cycles, each=each, most=more))


def three_in_a_row(table: Crosstable) -> Discrepancy | None:
    for row in table.rows:
        colours = "".join(now.colour for now in row.entries[: table.paired] if now.opponent)
        if "www" in colours or "bbb" in colours:
            return remarked(table.paired, say("pairing.check.three-equal-colours", number=row.id))
    return None


def boards_from(paired: Pairing) -> Boards:
    boards = tuple((board.white, board.black) for board in paired.boards)
    return (*boards, (paired.pab, 0)) if paired.pab else boards


def check_round(
    table: Crosstable, round: int, edition: str, pair: Pair, found: Boards | None
) -> Discrepancy | None:
    """Pair the round from all that was known before it; ``found`` is None where no legal round is claimed."""
    try:
        paired = pair(snapshot(table, round, edition))
    except NoLegalRound as refusal:
        return None if found is None else remarked(round, refusal.said, found=found)
    except PairingError as refusal:
        return remarked(round, refusal.said, found=found or ())
    expected = boards_from(paired)
    if found is None:
        return remarked(round, say("pairing.check.round-exists"), expected=expected)
    if set(expected) == set(found):
        return None
    return difference(round, expected, found, players_without_colour(table, round))


ABSENTEES = 3
TRIES = 600
"""Rounds that may be paired in search of absences that explain why a tournament stopped."""


def check_stopped(table: Crosstable, round: int, edition: str, pair: Pair) -> Discrepancy | None:
    """Confirm that no legal round exists, as a tournament that stopped claims.

    A file that stopped has no column for the round, so the byes of that round may be lost. Then the
    claim stands if up to three absent players leave a round that cannot be paired.
    """
    found = check_round(table, round, edition, pair, None)
    if found is None or any(len(row.entries) >= round for row in table.rows):
        return found
    ids = [row.id for row in table.rows]
    absences = chain.from_iterable(combinations(ids, size) for size in range(1, ABSENTEES + 1))
    for absent in islice(absences, TRIES):
        rows = tuple(
            replace(row, entries=(*(entry(row, past) for past in range(1, round)), ABSENT))
            if row.id in absent
            else row
            for row in table.rows
        )
        if check_round(replace(table, rows=rows), round, edition, pair, None) is None:
            return None
    return found


def difference(round: int, expected: Boards, found: Boards, uncoloured: frozenset[int]) -> Discrepancy | None:
    """What only one side has; a forfeited board whose colours the file does not tell may stand either way."""
    ours = {_seat(board, uncoloured): board for board in expected}
    theirs = {_seat(board, uncoloured): board for board in found}
    if ours.keys() == theirs.keys():
        return None
    return Discrepancy(
        round=round,
        expected=tuple(board for seat, board in ours.items() if seat not in theirs),
        found=tuple(board for seat, board in theirs.items() if seat not in ours),
    )


def _seat(board: tuple[int, int], uncoloured: frozenset[int]) -> tuple[int, int]:
    white, black = board
    return (min(board), max(board)) if black and {white, black} <= uncoloured else board


def players_without_colour(table: Crosstable, round: int) -> frozenset[int]:
    """Players with an opponent but no colour in this round."""
    return frozenset(
        row.id for row in table.rows if entry(row, round).opponent and entry(row, round).colour == "-"
    )
