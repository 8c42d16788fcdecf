"""Baku acceleration (C.04.7): who is in group A, and the virtual points of each round."""

from collections.abc import Collection, Mapping, Sequence

from paircard.domain.values.results import STANDARD, Scoring


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
