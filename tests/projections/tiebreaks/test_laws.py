"""What holds for every event, whatever was played in it."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.codes import NotRanked, Values, shown
from paircard.projections.standings.ledger import Ledger
from paircard.projections.standings.standings import Ranking
from paircard.projections.standings.tiebreaks import parse_code, parse_list
from tests.examples import examples
from tests.refusals import refuses

EVERYTHING = parse_list(
    "DE,BH,BH/C1,BH/C2,BH/M1,BH/P,FB,FB/C1,SB,SB/C1,SB/C2,AOB,AOB/F,KS,WIN,WON,BPG,BWG,PS,PS/C1,REP,STD,"
    "ARO,ARO/C1,TPR,PTP,APRO,APPO,TPN"
)
RESULTS = ("10", "==", "01", "00", "=0", "+-", "-+", "--", "WL", "DD", "??")
WINS_AND_LOSSES = ("10", "01")


@st.composite
def events(
    draw: st.DrawFn, results: tuple[str, ...] = RESULTS, byes: str = "HFUZ", even: bool = False
) -> Crosstable:
    """Two to nine players, one to six rounds, paired at random; rematches and byes of every kind."""
    size = draw(st.integers(1, 4)) * 2 if even else draw(st.integers(2, 9))
    rounds = draw(st.integers(1, 6))
    entries: list[list[Entry]] = [[] for _ in range(size)]
    for _ in range(rounds):
        order = draw(st.permutations(range(1, size + 1)))
        games = size // 2 if even else draw(st.integers(0, size // 2))
        for white, black in zip(order[:games], order[games : 2 * games], strict=True):
            letters = draw(st.sampled_from(results))
            entries[white - 1].append(Entry(black, "w", letters[0]))
            entries[black - 1].append(Entry(white, "b", letters[1]))
        for free in order[2 * games :]:
            entries[free - 1].append(Entry(0, "-", draw(st.sampled_from(byes))))
    ratings = draw(st.lists(st.integers(1000, 2800), min_size=size, max_size=size))
    rows = [
        Row(id=number, number=number, rating=ratings[number - 1], entries=tuple(entries[number - 1]))
        for number in range(1, size + 1)
    ]
    return Crosstable(rows=tuple(rows), rounds=rounds, paired=rounds)


def column(table: Crosstable, code: str) -> Values:
    each = parse_code(code)
    return each.rule.values(Ledger(table, table.rounds), each)


def by_number(table: Crosstable) -> dict[int, tuple[int, tuple[int | None, ...]]]:
    return {
        line.number: (line.rank, line.tiebreaks) for line in Ranking(table, table.rounds, EVERYTHING).lines()
    }


@examples(60)
@given(events(), st.randoms(use_true_random=False))
def test_the_order_of_the_list_of_players_changes_nothing(table: Crosstable, chance: Random) -> None:
    rows = list(table.rows)
    chance.shuffle(rows)

    assert by_number(replace(table, rows=tuple(rows))) == by_number(table)


@examples(60)
@given(events(), st.integers(1, 1000))
def test_other_ids_change_nothing(table: Crosstable, by: int) -> None:
    rows = tuple(
        replace(
            row,
            id=row.id + by,
            entries=tuple(replace(e, opponent=e.opponent and e.opponent + by) for e in row.entries),
        )
        for row in table.rows
    )

    assert by_number(replace(table, rows=rows)) == by_number(table)


@given(events())
def test_a_cut_never_raises_buchholz(table: Crosstable) -> None:
    for family in ("BH", "FB", "BH/P"):
        name, *forfeits = family.split("/")
        codes = ["/".join((name, *cut, *forfeits)) for cut in ((), ("C1",), ("C2",), ("C3",))]
        for less, more in pairwise(column(table, code) for code in codes):
            assert all(b is not None and a is not None and b <= a for a, b in zip(less, more, strict=True))


@given(events())
def test_a_median_never_exceeds_its_cut(table: Crosstable) -> None:
    pairs = zip(column(table, "BH/M1"), column(table, "BH/C1"), strict=True)

    assert all(median is not None and cut is not None and median <= cut for median, cut in pairs)


@given(events(results=WINS_AND_LOSSES, even=True))
def test_sonneborn_berger_of_a_perfect_score_is_buchholz(table: Crosstable) -> None:
    scores = column(table, "PTS")
    for score, sonneborn, buchholz in zip(scores, column(table, "SB"), column(table, "BH"), strict=True):
        assert buchholz is not None
        assert sonneborn == 10 * buchholz or score != 10 * table.rounds


@given(events(results=("10", "==", "01", "00", "=0"), even=True))
def test_without_unplayed_rounds_buchholz_adds_up_to_all_points_times_the_rounds(table: Crosstable) -> None:
    ledger = Ledger(table, table.rounds)

    assert sum(sum(term.score for term in terms) for terms in ledger.terms()) == table.rounds * sum(
        ledger.scores
    )


@given(events())
def test_an_adjusted_score_is_never_below_the_score(table: Crosstable) -> None:
    ledger = Ledger(table, table.rounds)

    assert all(adjusted >= score for adjusted, score in zip(ledger.adjusted, ledger.scores, strict=True))


@given(events())
def test_a_dummy_is_never_stronger_than_its_player_or_a_row_of_draws(table: Crosstable) -> None:
    ledger = Ledger(table, table.rounds)
    for own, terms in zip(ledger.scores, ledger.terms(), strict=True):
        for term in terms:
            assert term.opponent >= 0 or term.score <= own


@given(events())
def test_pairing_numbers_at_the_end_of_the_list_leave_no_tie(table: Crosstable) -> None:
    ranks = [line.rank for line in Ranking(table, table.rounds, EVERYTHING).lines()]

    assert ranks == list(range(1, len(table.rows) + 1))


@examples(60)
@given(events())
def test_counted_steps_of_an_explanation_add_up_to_the_value(table: Crosstable) -> None:
    listed = parse_list("BH,BH/C1,BH/M2,FB/C1,SB,SB/C2,PS/C1,WIN,STD,KS,REP")
    for row in table.rows:
        for explanation in Ranking(table, table.rounds, listed).explanations(row.id):
            amounts = [step.amount.rpartition("= ")[2] for step in explanation.steps if step.counted]
            assert round(100 * sum(map(float, amounts))) == round(100 * float(explanation.value))


@examples(60)
@given(events(), st.booleans(), st.booleans(), st.data())
def test_the_value_explained_is_the_value_shown(
    table: Crosstable, stayed_away: bool, predetermined: bool, data: st.DataObject
) -> None:
    """Also where an unrated player withdrew before taking part, and where somebody was expelled."""
    rows = [replace(row, status=data.draw(st.sampled_from(("", "", "", "expelled")))) for row in table.rows]
    if stayed_away:
        absent = (Entry(0, "-", "Z"),) * table.rounds
        rows.append(Row(id=99, number=0, name="Zoe", rating=0, status="withdrawn", entries=absent))
    event = replace(table, rows=tuple(rows), predetermined=predetermined)
    for line in Ranking(event, event.rounds, EVERYTHING).lines():
        made = Ranking(event, event.rounds, EVERYTHING).explanations(line.id)
        values_shown = [shown(line.points, 1)]
        values_shown += [each.shown(v) for v, each in zip(line.tiebreaks, EVERYTHING[1:], strict=True)]
        assert [one.value for one in made] == values_shown
    with refuses(NotRanked, "standings.not-in-the-tournament", player=100):
        Ranking(event, event.rounds, EVERYTHING).explanations(100)
    if stayed_away:
        with refuses(NotRanked, "standings.never-took-part", player=99):
            Ranking(event, event.rounds, EVERYTHING).explanations(99)


@examples(60)
@given(events(), st.randoms(use_true_random=False))
def test_of_two_players_the_one_above_is_named_and_what_decided(table: Crosstable, chance: Random) -> None:
    """The values before it are equal, the deciding one is what the standings mark, places are theirs."""
    lines = {line.id: line for line in Ranking(table, table.rounds, EVERYTHING).lines()}
    one, other = chance.sample(sorted(lines), 2)
    found = Ranking(table, table.rounds, EVERYTHING).compare(one, other)
    upper, lower = lines[found.first], lines[found.second]

    assert {found.first, found.second} == {one, other}
    assert (found.place, found.below) == (upper.rank, lower.rank)
    assert upper.rank <= lower.rank
    if found.decided is None:
        assert upper.rank == lower.rank
        assert len(found.level) == len(EVERYTHING)
        return
    codes = [each.code for each in EVERYTHING]
    assert [level.code for level in found.level] == codes[: len(found.level)]
    assert found.decided.code == codes[len(found.level)]
    assert found.decided.first != found.decided.second
    of_groups = {each.code for each in EVERYTHING if each.kind == "A"}
    assert all(level.first == level.second for level in found.level if level.code not in of_groups)
    back = Ranking(table, table.rounds, EVERYTHING).compare(other, one)
    assert (back.first, back.second) == (found.first, found.second)
