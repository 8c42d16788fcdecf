"""Two clocks: what happened in which round, and who may know it (C.04.2:4.3)."""

from collections.abc import Callable

from paircard.domain.errors import Unknown
from paircard.domain.events import (
    ByeGranted,
    ColoursCorrected,
    Event,
    GameAdjourned,
    InitialColourDrawn,
    PairingNumbersAssigned,
    PlayerExpelled,
    PlayerRegistered,
    PlayerWithdrawn,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
    RoundUnpaired,
    Scope,
    TournamentOpened,
)
from paircard.domain.state import state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import Outcome
from paircard.pairing import pair
from paircard.projections.round.crosstable import Crosstable, Entry
from paircard.projections.standings.standings import Ranking
from paircard.projections.views import (
    numbering,
    snapshot_now,
    snapshot_of,
    table_after,
    table_for_rating,
)
from tests.refusals import refuses

LogOf = Callable[..., list[Recorded]]
WON, LOST, DRAWN = Outcome("1", "0"), Outcome("0", "1"), Outcome("=", "=")


def table_of(log: list[Recorded]) -> Crosstable:
    return table_after(state_after(log))


def opening(**regulations: object) -> list[Event]:
    named = {"name": "Open", "rounds": 5, **regulations}
    return [
        TournamentOpened(regulations=Regulations(**named)),  # type: ignore[arg-type]
        *(
            PlayerRegistered(player=id, details=Details(name=name, rating=2000 - 100 * id))
            for id, name in enumerate(("Ada", "Ben", "Cleo", "Dag"), start=1)
        ),
        InitialColourDrawn(colour="w"),
        PairingNumbersAssigned(order=(1, 2, 3, 4), cause="initial"),
    ]


def paired(round: int, *boards: tuple[int, int], **more: object) -> RoundPaired:
    given: dict[str, object] = {
        "edition": "dutch-2026",
        "engine": "by hand",
        "based_on": 0,
        "snapshot": "",
        "numbers": ((1, 1), (2, 2), (3, 3), (4, 4)),
        **more,
    }
    return RoundPaired(round=round, boards=boards, **given)  # type: ignore[arg-type]


def won(round: int, *boards: int) -> list[Event]:
    return [ResultRecorded(round=round, board=board, outcome=WON) for board in boards]


TWO_ROUNDS = [
    *opening(),
    paired(1, (1, 3), (4, 2)),
    *won(1, 1, 2),
    paired(2, (4, 1), (3, 2)),
]


def points(table: Crosstable, after: int) -> dict[str, int]:
    return {line.name: line.points for line in Ranking(table, after).lines()}


def corrected(scope: Scope) -> ResultCorrected:
    return ResultCorrected(round=1, board=1, outcome=LOST, was=WON, scope=scope)


def test_the_last_result_recorded_for_a_board_is_the_one_that_counts(log_of: LogOf) -> None:
    again = ResultRecorded(round=1, board=1, outcome=DRAWN)

    table = table_of(log_of(*opening(), paired(1, (1, 3), (4, 2)), *won(1, 1, 2), again))

    assert points(table, 1) == {"Dag": 10, "Ada": 5, "Cleo": 5, "Ben": 0}


def test_any_beginning_of_the_log_gives_the_table_of_that_moment(log_of: LogOf) -> None:
    log = log_of(*TWO_ROUNDS, *won(2, 1, 2))
    paired_by_then = [table_of(log[:end]).paired for end in range(1, len(log) + 1)]

    assert paired_by_then == sorted(paired_by_then)
    assert paired_by_then[-1] == 2
    assert points(table_of(log[: len(TWO_ROUNDS) - 1]), 1)["Ada"] == 10


def test_a_correction_before_the_next_pairing_counts_at_once(log_of: LogOf) -> None:
    log = log_of(*TWO_ROUNDS[:-1], corrected("pairing-next"))

    assert points(table_of(log), 1)["Cleo"] == 10
    assert {p.id: p.points for p in snapshot_now(state_after(log)).players} == {1: 0, 2: 0, 3: 10, 4: 10}


def test_a_correction_after_the_next_pairing_counts_one_round_later(log_of: LogOf) -> None:
    log = log_of(*TWO_ROUNDS, corrected("pairing-after-next"), *won(2, 1, 2))
    after = state_after(log)

    assert points(table_after(after, 1), 1)["Ada"] == 10, "the published standings of round 1 stand"
    assert points(table_after(after, 2), 2)["Ada"] == 0
    assert {p.id: p.points for p in snapshot_of(log, 2).players}[1] == 10
    assert {p.id: p.points for p in snapshot_of(log, 3).players}[1] == 0


def test_a_round_taken_back_and_paired_again_sees_what_was_corrected_meanwhile(log_of: LogOf) -> None:
    log = log_of(*TWO_ROUNDS, corrected("pairing-after-next"), RoundUnpaired(round=2))

    assert {p.id: p.points for p in snapshot_now(state_after(log)).players}[1] == 0
    assert points(table_after(state_after(log), 1), 1)["Ada"] == 0


def test_a_correction_for_the_rating_report_touches_nothing_else(log_of: LogOf) -> None:
    log = log_of(*TWO_ROUNDS, *won(2, 1, 2), corrected("rating-report-only"))
    after = state_after(log)

    assert points(table_after(after), 2)["Ada"] == 10
    assert {p.id: p.points for p in snapshot_now(after).players}[1] == 10
    assert points(table_for_rating(after), 2)["Ada"] == 0


def test_a_replayed_snapshot_is_that_of_the_log_as_it_stood(log_of: LogOf) -> None:
    before = log_of(*TWO_ROUNDS[:-1])
    after = log_of(*TWO_ROUNDS, corrected("pairing-after-next"), *won(2, 1, 2))

    assert snapshot_of(after, 2).digest() == snapshot_now(state_after(before)).digest()


def test_corrected_colours_turn_the_board_and_leave_each_player_their_result(log_of: LogOf) -> None:
    turned = ColoursCorrected(round=1, board=1, white=3, black=1, scope="pairing-next")
    [ada, _, cleo, _] = table_of(log_of(*TWO_ROUNDS[:-1], turned)).rows

    assert ada.entries == (Entry(3, "b", "1"),)
    assert cleo.entries == (Entry(1, "w", "0"),)


def test_a_result_corrected_after_the_colours_belongs_to_the_new_colours(log_of: LogOf) -> None:
    turned = ColoursCorrected(round=1, board=1, white=3, black=1, scope="pairing-next")
    draw = ResultCorrected(round=1, board=1, outcome=WON, was=LOST, scope="pairing-next")

    assert points(table_of(log_of(*TWO_ROUNDS[:-1], turned, draw)), 1)["Cleo"] == 10


def test_an_adjourned_game_ends_with_the_colours_the_rating_report_knows(log_of: LogOf) -> None:
    start = [*opening(), paired(1, (1, 3), (4, 2)), *won(1, 2), GameAdjourned(round=1, board=1)]
    turned = ColoursCorrected(round=1, board=1, white=3, black=1, scope="rating-report-only")
    ended = state_after(log_of(*start, turned, *won(1, 1)))

    [ada, *_] = table_after(ended).rows
    [in_report, *_] = table_for_rating(ended).rows
    assert (ada.entries, in_report.entries) == ((Entry(3, "w", "1"),), (Entry(3, "b", "1"),))


def test_an_adjourned_game_is_a_draw_for_pairing_until_its_result_comes(log_of: LogOf) -> None:
    start = [*opening(), paired(1, (1, 3), (4, 2)), *won(1, 2), GameAdjourned(round=1, board=1)]

    assert {p.id: p.points for p in snapshot_now(state_after(log_of(*start))).players}[3] == 5
    ended = state_after(log_of(*start, *won(1, 1)))
    assert {p.id: p.points for p in snapshot_now(ended).players}[3] == 0


def test_a_missing_result_is_seen_by_the_pairing_as_if_adjourned(log_of: LogOf) -> None:
    start = [*opening(), paired(1, (1, 3), (4, 2)), *won(1, 2)]
    missing, adjourned = log_of(*start), log_of(*start, GameAdjourned(round=1, board=1))

    assert snapshot_now(state_after(missing)) == snapshot_now(state_after(adjourned))
    assert points(table_of(missing), 1)["Ada"] == 0


def test_withdrawn_players_and_byes_are_absent_from_the_next_pairing(log_of: LogOf) -> None:
    gone = [PlayerWithdrawn(player=4, round=2), ByeGranted(player=2, round=2, letter="H")]
    snapshot = snapshot_now(state_after(log_of(*TWO_ROUNDS[:-1], *gone)))

    assert {p.id: p.absent for p in snapshot.players} == {1: "", 2: "H", 3: "", 4: "Z"}


def test_who_is_away_from_the_start_has_no_number_until_first_paired(log_of: LogOf) -> None:
    bye = ByeGranted(player=2, round=1, letter="H")
    before = state_after(log_of(*opening(), bye))

    assert numbering(before).by_id == {1: 1, 3: 2, 4: 3}
    assert numbering(before).state == "provisional"
    first = paired(1, (1, 3), numbers=((1, 1), (3, 2), (4, 3)), pab=4, absent=((2, "H"),))
    after = state_after(log_of(*opening(), bye, first, *won(1, 1)))
    assert numbering(after).by_id == {1: 1, 3: 2, 4: 3}
    assert {p.id: p.number for p in snapshot_now(after).players} == {1: 1, 2: 2, 3: 3, 4: 4}


def test_a_late_entry_shifts_everybody_below_only_when_first_paired(log_of: LogOf) -> None:
    eve = PlayerRegistered(player=5, details=Details(name="Eve", rating=1850), missed="H")
    after = state_after(log_of(*TWO_ROUNDS[:-1], eve))

    assert numbering(after).by_id == {1: 1, 2: 2, 3: 3, 4: 4}
    assert {p.id: p.number for p in snapshot_now(after).players} == {1: 1, 5: 2, 2: 3, 3: 4, 4: 5}
    assert {p.id: p.points for p in snapshot_now(after).players}[5] == 5


def test_an_expelled_player_leaves_the_standings_unless_told_to_stay(log_of: LogOf) -> None:
    for ranked, rank in ((False, 0), (True, 1)):
        out = PlayerExpelled(player=1, round=2, ranked=ranked)
        lines = Ranking(table_of(log_of(*TWO_ROUNDS[:-1], out)), 1).lines()
        assert {line.name: line.rank for line in lines}["Ada"] == rank


def test_under_baku_group_a_gets_virtual_points_by_the_numbers_of_each_round(log_of: LogOf) -> None:
    snapshot = snapshot_now(state_after(log_of(*opening(acceleration="baku"))))

    assert [(p.id, p.score, p.points) for p in snapshot.players] == [
        (1, 10, 0),
        (2, 10, 0),
        (3, 0, 0),
        (4, 0, 0),
    ]


def test_ten_players_under_baku_have_six_in_group_a(log_of: LogOf) -> None:
    """The board list is that of C.04.7 with group 1-6, checked with a 250 range in another engine."""
    facts: list[Event] = [TournamentOpened(regulations=Regulations(name="B", rounds=9, acceleration="baku"))]
    facts += [
        PlayerRegistered(player=n, details=Details(name=f"P{n}", rating=2000 - n)) for n in range(1, 11)
    ]
    round = pair(snapshot_now(state_after(log_of(*facts, InitialColourDrawn(colour="w")))))

    assert [(board.white, board.black) for board in round.boards] == [(1, 4), (5, 2), (3, 6), (7, 9), (10, 8)]


def test_who_is_away_in_round_one_does_not_count_for_the_size_of_group_a(log_of: LogOf) -> None:
    eve = PlayerRegistered(player=5, details=Details(name="Eve", rating=1000))
    away = ByeGranted(player=5, round=1, letter="H")
    five = snapshot_now(state_after(log_of(*opening(acceleration="baku"), eve)))
    four = snapshot_now(state_after(log_of(*opening(acceleration="baku"), eve, away)))

    assert sum(player.score > 0 for player in five.players) == 4
    assert sum(player.score > 0 for player in four.players) == 2


def test_a_late_entry_joins_group_a_above_its_last_person(log_of: LogOf) -> None:
    eve = PlayerRegistered(player=5, details=Details(name="Eve", rating=1950), missed="Z")
    start = [*opening(acceleration="baku"), paired(1, (1, 3), (4, 2)), *won(1, 1, 2), eve]
    snapshot = snapshot_now(state_after(log_of(*start)))

    assert {p.id: p.score - p.points for p in snapshot.players} == {1: 10, 2: 10, 3: 0, 4: 0, 5: 10}


def test_a_round_that_cannot_be_paired_yet_has_no_snapshot(log_of: LogOf) -> None:
    with refuses(Unknown, "no-snapshot-yet", round=4, rounds=2):
        snapshot_of(log_of(*TWO_ROUNDS), 4)
