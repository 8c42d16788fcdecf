"""Direct encounter (C.07:6), over groups of tied players made by hand."""

from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.ledger import Ledger
from paircard.projections.standings.measures import places, split


def met(players: int, *games: tuple[int, int, str], predetermined: bool = False) -> Ledger:
    """An event in which each game is a round of its own: white, black, the two letters."""
    rows = []
    for number in range(1, players + 1):
        entries = []
        for white, black, letters in games:
            if number == white:
                entries.append(Entry(black, "w", letters[0]))
            elif number == black:
                entries.append(Entry(white, "b", letters[1]))
            else:
                entries.append(Entry())
        rows.append(Row(id=number, number=number, entries=tuple(entries)))
    rounds = len(games)
    table = Crosstable(rows=tuple(rows), rounds=rounds, paired=rounds, predetermined=predetermined)
    return Ledger(table, rounds)


def numbers(parts: list[list[int]]) -> list[list[int]]:
    return [sorted(at + 1 for at in part) for part in parts]


def test_all_have_met_and_the_sum_of_their_games_decides() -> None:
    ledger = met(3, (1, 2, "10"), (2, 3, "10"), (1, 3, "=="))

    assert numbers(split(ledger, [0, 1, 2])) == [[1], [2], [3]]
    assert places(ledger, [[0, 1, 2]]) == {0: 1, 1: 2, 2: 3}


def test_those_who_are_level_again_are_looked_at_alone() -> None:
    """6.2: 1 has 2, then 2 and 3 have 1½, then 4: the game of 2 and 3 decides between them."""
    ledger = met(
        4, (1, 2, "10"), (1, 3, "=="), (1, 4, "=="), (2, 3, "10"), (2, 4, "=="), (3, 4, "10")
    )  # fmt: skip

    assert numbers(split(ledger, [0, 1, 2, 3])) == [[1], [2], [3], [4]]


def test_a_circle_of_wins_decides_nothing() -> None:
    ledger = met(3, (1, 2, "10"), (2, 3, "10"), (3, 1, "10"))

    assert places(ledger, [[0, 1, 2]]) == {0: 0, 1: 0, 2: 0}


def test_who_stays_first_whatever_the_missing_games_bring_is_first() -> None:
    """6.3: 1 beat 2 and 3; 2 and 3 did not meet and could reach 1 at best."""
    ledger = met(3, (1, 2, "10"), (1, 3, "10"))

    assert numbers(split(ledger, [0, 1, 2])) == [[1], [2, 3]]
    assert places(ledger, [[0, 1, 2]]) == {0: 1, 1: 2, 2: 2}


def test_a_lead_that_a_missing_game_could_undo_decides_nothing() -> None:
    """6.3: 1 beat 2 only; 3, who met nobody, could reach 2."""
    ledger = met(3, (1, 2, "10"))

    assert numbers(split(ledger, [0, 1, 2])) == [[1, 2, 3]]


def test_after_the_first_place_the_rest_is_looked_at_alone() -> None:
    """6.3: 1 is safe with 3; among 2, 3 and 4 all have met."""
    ledger = met(
        5, (1, 2, "10"), (1, 3, "10"), (1, 4, "10"), (2, 3, "10"), (3, 4, "10"), (2, 4, "10"), (1, 5, "=="),
    )  # fmt: skip

    assert numbers(split(ledger, [0, 1, 2, 3])) == [[1], [2], [3], [4]]


def test_two_games_with_one_opponent_count_as_their_average() -> None:
    """6.1.2: 1 beat and drew with 2 (¾ to ¼), 3 drew with both: ¾ + ½ against ½ + ½ and ¼ + ½."""
    ledger = met(3, (1, 2, "10"), (2, 1, "=="), (1, 3, "=="), (2, 3, "=="))

    assert numbers(split(ledger, [0, 1, 2])) == [[1], [3], [2]]


def test_a_forfeit_is_no_meeting_unless_the_list_says_so() -> None:
    ledger = met(2, (1, 2, "-+"))

    assert places(ledger, [[0, 1]]) == {0: 0, 1: 0}
    assert places(ledger, [[0, 1]], forfeits=True) == {0: 2, 1: 1}


def test_a_round_robin_counts_forfeits_and_does_not_wait_for_missing_games() -> None:
    """15.2, and 6.3 is for Swiss events only."""
    ledger = met(3, (1, 2, "+-"), (2, 3, "10"), predetermined=True)

    assert numbers(split(ledger, [0, 1, 2])) == [[1], [2], [3]]
