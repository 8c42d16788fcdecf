"""Candidates in the order of the documents, and the sieve of a bracket as the worked example shows it."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from paircard.pairing import NoLegalRound, PairingError, pair
from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.criteria import moved_down_set
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.listed import TooMany
from paircard.pairing.explain.measures import Generation, exchanges
from paircard.pairing.explain.sieve import Sieve, sieve, sieves
from paircard.projections.round.snapshot import Snapshot, snapshot
from paircard.projections.trf import crosstable, parse
from tests.pairing.rounds import before_round, random_round, who
from tests.refusals import refuses

CORPUS = Path(__file__).parents[1] / "corpus"
WORKED = crosstable(parse((CORPUS / "six-rounds-baku-2016.trf").read_text()))


def worked(round: int) -> Snapshot:
    return snapshot(WORKED, round, "dutch-2017")


# --- the documents' own lists

ONE_PLAYER = """
  1  3  6 10 15
  2  5  9 14 20
  4  8 13 19 24
  7 12 18 23 27
 11 17 22 26 29
 16 21 25 28 30
"""
"""Which exchange of one player it is: columns 5 4 3 2 1 leave S1, rows 6 to 11 come up (D.2)."""

TWO_PLAYERS = """
  1   3   7  14   8  16  28  29  45  65
  2   6  13  24  15  27  43  44  64  85
  4  11  22  37  25  41  60  62  83 104
  9  20  35  53  39  58  79  81 102 120
 17  32  50  71  55  76  96  99 117 132
  5  12  23  38  26  42  61  63  84 105
 10  21  36  54  40  59  80  82 103 121
 18  33  51  72  56  77  97 100 118 133
 30  48  69  90  74  94 113 115 130 141
 19  34  52  73  57  78  98 101 119 134
 31  49  70  91  75  95 114 116 131 142
 46  67  88 108  92 111 126 128 139 146
 47  68  89 109  93 112 127 129 140 147
 66  87 107 123 110 125 137 138 145 149
 86 106 122 135 124 136 143 144 148 150
"""
"""Columns 5,4 5,3 5,2 5,1 4,3 4,2 4,1 3,2 3,1 2,1 leave S1, rows 6,7 6,8 … 10,11 come up."""


def numbered(size: int) -> dict[tuple[tuple[int, ...], tuple[int, ...]], int]:
    """Sequence numbers that leave S1 and come up -> place among the exchanges of that size; 5 against 6."""
    order = [
        (tuple(n for n in (5, 4, 3, 2, 1) if n - 1 not in s1), tuple(place + 1 for place in s1 if place > 4))
        for s1 in exchanges(5, 6)
    ]
    return {both: place for place, both in enumerate((o for o in order if len(o[0]) == size), 1)}


@pytest.mark.parametrize(("size", "printed"), [(1, ONE_PLAYER), (2, TWO_PLAYERS)])
def test_exchanges_are_in_the_order_of_the_printed_tables(size: int, printed: str) -> None:
    rows = [list(map(int, row.split())) for row in printed.strip().splitlines()]
    down = list(combinations((5, 4, 3, 2, 1), size))
    up = list(combinations(range(6, 12), size))
    place = numbered(size)

    assert [[place[leaving, coming] for leaving in down] for coming in up] == rows


def test_the_first_exchanges_of_three_players_are_those_printed() -> None:
    place = numbered(3)
    printed = ["543-6 7 8", "543-6 7 9", "542-6 7 8", "543-6 7 10", "543-6 8 9", "542-6 7 9"]
    for number, text in enumerate(printed, 1):
        leaving, coming = text.split("-")
        assert place[tuple(map(int, leaving)), tuple(map(int, coming.split()))] == number


def strangers(size: int, moved_down: int = 0) -> Generation:
    """A bracket of players who may all meet, so many of them moved down."""
    players = [who(n, 20 if n <= moved_down else 10) for n in range(1, size + 1)]
    field = Field(before_round(*players, edition="dutch-2017"))
    return Generation(field, Paired(list(range(size)), moved_down, [], [], ""), steps=10**6)


def test_transpositions_of_eleven_players_are_720_and_of_two_moved_down_72() -> None:
    listed = []
    for candidate in strangers(11).candidates(5, 0):
        if [upper for upper, _ in candidate.pairs] != [0, 1, 2, 3, 4]:
            break
        listed.append("-".join(str(lower + 1) for _, lower in candidate.pairs))
    assert len(listed) == 720
    assert listed[:2] == ["6-7-8-9-10", "6-7-8-9-11"]
    assert (listed[119], listed[120], listed[-1]) == ("6-11-10-9-8", "7-6-8-9-10", "11-10-9-8-7")

    pairings = dict.fromkeys(
        tuple(lower + 1 for _, lower in candidate.pairs[:2])
        for candidate in strangers(11, 2).candidates(2, 2)
    )
    assert len(pairings) == 72
    assert [*pairings][:3] == [(3, 4), (3, 5), (3, 6)]
    assert [*pairings][-1] == (11, 10)


def test_sets_of_five_moved_down_players_are_those_of_the_limbo_list() -> None:
    paired = [tuple(i + 1 for i in chosen) for chosen in strangers(9, 5).sets(3, None)]
    limbo = [tuple(n for n in range(1, 6) if n not in chosen) for chosen in paired]

    assert limbo == [(4, 5), (3, 5), (3, 4), (2, 5), (2, 4), (2, 3), (1, 5), (1, 4), (1, 3), (1, 2)]


@pytest.mark.parametrize("seed", range(60))
def test_sets_come_by_scores_and_then_by_numbers_with_the_limbo_that_is_wanted(seed: int) -> None:
    draw = Random(seed)
    many = draw.randint(1, 7)
    scores = sorted((draw.choice((20, 30, 40)) for _ in range(many)), reverse=True)
    players = [who(n, score) for n, score in enumerate([*scores, 10, 10], 1)]
    field = Field(before_round(*players, edition="dutch-2017"))
    generation = Generation(field, Paired(list(range(many + 2)), many, [], [], ""))
    for size in range(many + 1):
        every = sorted(
            combinations(range(many), size), key=lambda chosen: moved_down_set(chosen, field.score)
        )
        limbo = draw.sample(scores, many - size)
        left = [[scores[i] for i in range(many) if i not in chosen] for chosen in every]

        assert list(generation.sets(size, None)) == every
        fitting = [chosen for chosen, out in zip(every, left, strict=True) if sorted(out) == sorted(limbo)]
        assert list(generation.sets(size, limbo)) == fitting


def test_a_search_that_is_too_long_says_so() -> None:
    generation = strangers(40)
    generation.steps = 500
    with pytest.raises(TooMany):
        sum(1 for _ in generation.candidates(20, 0))


# --- the worked example


def written(one: Sieve) -> list[str]:
    lines = []
    for row in one.rows:
        made = row.candidate
        pairs = " ".join(f"{a}-{b}" for a, b in (*made.mdp_pairs, *made.pairs))
        down = " ".join(map(str, made.downfloaters))
        signs = ("*" if row.champion else "") + (" chosen" if row.chosen else "")
        failing = row.excluded and f" {row.excluded}"
        lines.append(f"{pairs} ↓{down}{failing}{signs}")
    return lines


def test_the_sieve_of_round_four_is_the_one_printed() -> None:
    assert written(sieve(worked(4), 4)) == [
        "9-10 ↓14 C.14*",
        "9-14 ↓10 C.10",
        "10-14 ↓9* chosen",
        " ↓9 10 14 C.5",
    ]


def test_the_champions_of_round_four_follow_each_other_as_in_the_document() -> None:
    found = sieve(worked(4), 2)
    most_pairs = [line for line in written(found) if len(line.split("↓")[0].split()) == 2]

    assert most_pairs[:4] == ["5-3 1-4 ↓7 C.10*", "5-3 1-7 ↓4 C.7", "5-3 4-7 ↓1 C.10*", "5-4 1-3 ↓7* chosen"]
    assert [row.candidate.values["C.10"] for row in found.rows[:4]] == [2, 1, 1, 0]
    assert found.rows[1].candidate.values["C.14"] == 1
    assert {(bar.a, bar.b) for bar in found.incompatible} == {(5, 1), (3, 4)}
    assert found.members == (5, 1, 3, 4, 7)


def test_the_sieve_of_round_five_leaves_one_candidate() -> None:
    found = sieve(worked(5), 3)
    [first] = [row for row in found.rows if len(row.candidate.downfloaters) == 0]

    assert first.chosen
    assert (first.candidate.values["C.10"], first.candidate.values["C.13"]) == (1, 1)
    assert {(bar.a, bar.b) for bar in found.incompatible} == {(5, 4), (4, 11)}


def test_a_bracket_that_is_not_there_is_refused() -> None:
    with refuses(PairingError, "pairing.no-such-bracket", round=4, number=7, last=6):
        sieve(worked(4), 7)


def test_where_not_all_are_listed_the_chosen_one_still_is() -> None:
    found = sieve(worked(4), 2, rows=2)

    assert not found.whole
    assert [(row.place, row.chosen) for row in found.rows] == [(1, False), (2, False), (0, True)]


# --- laws


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_the_last_champion_of_a_whole_sieve_is_the_chosen_candidate(edition: str) -> None:
    draw, seen = Random(15), 0
    while seen < 60:
        state = random_round(draw, edition, most=9)
        try:
            real = pair(state)
        except NoLegalRound:
            continue
        for found, bracket in zip(sieves(state, rows=3000), real.brackets, strict=True):
            if not found.whole:
                continue
            champions = [row for row in found.rows if row.champion]
            assert champions[-1].chosen
            assert {*found.chosen.mdp_pairs, *found.chosen.pairs} == {*bracket.mdp_pairs, *bracket.pairs}
            seen += 1
