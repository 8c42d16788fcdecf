"""The record as a report: numbers, byes to come, places, and remarks that only facts can make."""

from collections.abc import Sequence
from typing import Any

import pytest

from paircard.domain.commands import (
    AdjournGame,
    AssignNumbers,
    BeginManualPairing,
    CorrectColours,
    CorrectPlayer,
    CorrectResult,
    DrawInitialColour,
    EndManualPairing,
    ExchangeNumbers,
    ExpelPlayer,
    GrantBye,
    LeaveFideMode,
    ListRating,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    UnpairRound,
    WithdrawPlayer,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import NeedsAcknowledgement
from paircard.domain.events import Event, Recorded
from paircard.domain.messages import say
from paircard.domain.state import NOTHING, fold, state_after
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from paircard.projections.round.crosstable import Entry
from paircard.projections.standings.standings import Misplaced, Ranking, misplaced_players, standings_after
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.trf import Report, crosstable, parse, read, render
from paircard.projections.trf.export import export
from tests.domain.scenes import DIGEST, ask


def misplaced_in(report: Report) -> tuple[Misplaced, ...]:
    given = {line.number: line.place for line in report.players()}
    return misplaced_players(crosstable(report), report.tiebreak_list, given)


class Story:
    """A tournament told command by command."""

    def __init__(self, players: int = 6, rounds: int = 5, **more: Any) -> None:
        self.facts: list[Event] = []
        self.state = NOTHING
        regulations = Regulations(name="Trentino Open", rounds=rounds, **more)
        self.do(ask(OpenTournament, regulations=regulations))
        for number in range(1, players + 1):
            rating = 2400 if number in (1, 2) else 2410 - 10 * number
            details = Details(name=f"Player {number:02}", rating=rating, sex="w", fide_id=1000 + number)
            self.do(ask(RegisterPlayer, details=details))
        self.do(ask(DrawInitialColour, colour="w"))

    def do(self, command: Any) -> None:
        events = decide(self.state, command)
        self.facts += events
        self.state = fold(events, self.state)

    def pair(self, *boards: tuple[int, int], pab: int = 0) -> None:
        self.do(
            ask(
                PairRound,
                round=self.state.paired + 1,
                boards=boards,
                pab=pab,
                based_on=self.state.version,
                snapshot=DIGEST,
                engine="test 1",
                why="whoever was absent is excused",
                level=3,
            )
        )
        self.do(ask(PublishRound, round=self.state.paired))

    def leave_fide_mode(self) -> None:
        with pytest.raises(NeedsAcknowledgement) as asked:
            decide(self.state, ask(LeaveFideMode, why="a show"))
        self.do(ask(LeaveFideMode, why="a show", ok=[one.answer for one in asked.value.warnings]))

    def score(self, *results: str) -> None:
        for board, text in enumerate(results, 1):
            outcome = parse_outcome(text)
            self.do(ask(RecordResult, round=self.state.paired, board=board, outcome=outcome, level=3))

    def log(self) -> list[Recorded]:
        return [
            Recorded(tournament="t", version=at, fact=fact, who="", when="", previous="", hash="")
            for at, fact in enumerate(self.facts, 1)
        ]

    def remarks(self) -> list[str]:
        return remarks_of(self.log())


def remarks_of(log: Sequence[Recorded]) -> list[str]:
    text = render(export(log))
    return [line.removeprefix("### ") for line in text.splitlines() if line.startswith("###")]


FIRST = ((1, 4), (5, 2), (3, 6))


DAYS = tuple(f"2026-03-0{day}" for day in range(1, 6))


def one_round() -> Story:
    event = Story(tiebreaks=("BH", "SB"), starts="2026-03-01", dates=DAYS)
    event.pair(*FIRST)
    event.score("1-0", "½-½", "0F-1F")
    return event


def test_the_report_holds_what_the_record_holds() -> None:
    event = one_round()
    event.do(ask(GrantBye, player=3, round=4, letter="H", level=3))
    event.do(ask(WithdrawPlayer, player=6))

    report = export(event.log())
    table = crosstable(parse(render(report)))

    assert report.text("012") == "Trentino Open"
    assert report.text("042") == "2026/03/01"
    assert report.text("132") == "26/03/01  26/03/02  26/03/03  26/03/04  26/03/05"
    assert report.text("202") == "BH,SB"
    assert table.rows[0].entries == (Entry(4, "w", "1"),)
    assert table.rows[5].entries == (Entry(3, "b", "+"), Entry(0, "-", "Z"))
    assert "240 H 004    3" in render(report)
    assert report.players()[0].fide_id == "1001"
    assert [player.place for player in report.players()] == [1, 3, 5, 5, 3, 2] or report.players()[
        0
    ].place == 1


def test_a_report_of_an_earlier_round_knows_nothing_of_later_ones() -> None:
    event = one_round()
    before = render(export(event.log()))
    event.pair((2, 1), (6, 5), (4, 3))
    event.score("1-0", "1-0", "1-0")

    after_one = export(event.log(), 1)

    assert [p.entries for p in after_one.players()] == [p.entries for p in parse(before).players()]
    assert len(export(event.log()).players()[0].entries) == 2


def test_a_game_in_play_is_there_without_a_result() -> None:
    event = Story()
    event.pair(*FIRST)

    assert crosstable(parse(render(export(event.log())))).rows[0].entries == (Entry(4, "w", ""),)


def test_a_tournament_by_the_rules_has_no_remarks() -> None:
    assert one_round().remarks() == []


def test_a_manual_alteration_stands_beside_the_engines_boards() -> None:
    event = Story()
    event.pair(*FIRST)
    event.do(ask(BeginManualPairing, round=1))
    boards = ((1, 5), (4, 2), (3, 6))
    event.do(
        ask(
            EndManualPairing,
            round=1,
            boards=boards,
            why="asked for",
            ok=("manual-pairing", "published-pairing"),
            level=3,
        )
    )

    assert event.remarks() == ["MPA @ Round 1: 1-4 5-2 => 1-5 4-2"]


def test_unpairing_a_round_takes_its_remarks_back() -> None:
    event = Story()
    event.do(ask(BeginManualPairing, round=1))
    event.do(
        ask(
            EndManualPairing,
            round=1,
            boards=((1, 5), (4, 2), (3, 6)),
            engine_boards=FIRST,
            why="asked for",
            ok=("manual-pairing",),
            level=3,
            snapshot=DIGEST,
        )
    )
    assert event.remarks() == ["MPA @ Round 1: 1-4 5-2 => 1-5 4-2"]

    event.do(ask(UnpairRound, round=1))

    assert event.remarks() == []


def test_a_correction_is_a_remark_only_once_the_next_round_is_paired() -> None:
    event = one_round()
    event.do(ask(CorrectResult, round=1, board=1, outcome=parse_outcome("½-½"), why="typo", level=3))
    assert event.remarks() == []

    event.pair((2, 1), (6, 5), (4, 3))
    event.do(ask(CorrectResult, round=1, board=1, outcome=parse_outcome("0-1"), why="typo", level=3))
    event.do(ask(CorrectColours, round=1, board=2, why="seen on the sheet", level=3))

    assert event.remarks() == [
        "Correction @ Round 1: 1-4: =-= => 0-1",
        "Correction @ Round 1: 5-2 => 2-5 (colours as played)",
    ]


def test_a_correction_for_the_rating_report_alone_says_so() -> None:
    event = one_round()
    event.pair((2, 1), (6, 5), (4, 3))
    event.score("1-0", "1-0", "1-0")
    event.pair((1, 3), (6, 2), (5, 4))
    event.do(ask(CorrectResult, round=1, board=1, outcome=parse_outcome("0-1"), why="typo", level=3))

    [line] = event.remarks()
    assert line == "Rating correction @ Round 1: 1-4: 1-0 => 0-1 (pairings and standings used the first)"
    assert export(event.log()).players()[0].entries[0].letter == "1"
    assert export(event.log(), for_rating=True).players()[0].entries[0].letter == "0"


def test_an_adjourned_game_that_was_no_draw_is_a_remark() -> None:
    event = Story()
    event.pair(*FIRST)
    event.do(ask(AdjournGame, round=1, board=1))
    for board in (2, 3):
        event.do(ask(RecordResult, round=1, board=board, outcome=parse_outcome("1-0")))
    event.pair((2, 1), (6, 5), (4, 3))
    event.do(ask(RecordResult, round=1, board=1, outcome=parse_outcome("1-0"), level=3))

    assert event.remarks() == ["Adjournment @ Round 1: 1-4 1-0"]


def test_regenerated_and_exchanged_numbers_are_told_before_and_after() -> None:
    event = one_round()
    event.do(ask(CorrectPlayer, player=6, changes=Changes(rating=2500), why="wrong list", level=3))
    event.do(ask(AssignNumbers, level=3))
    event.do(ask(ExchangeNumbers, one=1, other=2, level=3))

    assert event.remarks() == [
        "Regeneration @ Round 2: 1 2 3 4 5 6 => 2 3 4 5 6 1",
        "Exchange @ Round 2: 2 3 => 3 2",
    ]


def test_past_rounds_are_written_in_the_numbers_of_the_file() -> None:
    event = one_round()
    event.do(ask(CorrectPlayer, player=6, changes=Changes(rating=2500), why="wrong list", level=3))
    event.do(ask(AssignNumbers, level=3))

    players = export(event.log()).players()

    assert players[0].name == "Player 06"
    assert players[0].entries == (Entry(4, "b", "+"),)


def test_a_full_point_bye_and_leaving_fide_mode_are_remarks() -> None:
    event = Story(players=5)
    event.leave_fide_mode()
    event.do(ask(GrantBye, player=5, round=1, letter="F", level=2))
    event.pair((1, 3), (4, 2))

    assert event.remarks() == ["FIDE mode exited before Round 1 was paired", "FPB @ Round 1: 5=FPB"]


def test_an_earlier_round_is_reported_with_the_byes_known_before_the_next_pairing() -> None:
    event = one_round()
    event.do(ask(GrantBye, player=3, round=2, letter="H", level=3))
    event.do(ask(WithdrawPlayer, player=6))
    then = render(export(event.log()))
    event.pair((2, 1), (5, 4))
    event.score("1-0", "1-0")

    assert "240 H 002    3" in then
    assert render(export(event.log(), 1)) == then


def test_the_expelled_have_no_place_in_the_report_and_none_when_it_is_checked() -> None:
    event = one_round()
    event.do(ask(ExpelPlayer, player=1, why="signals from the bar"))
    event.pair((4, 2), (5, 6), pab=3)
    event.score("1-0", "1-0")

    report = parse(render(export(event.log())))
    reading = read(report)

    assert event.remarks() == ["Expulsion @ Round 2: 1"]
    assert [player.place for player in report.players() if player.number == 1] == [0]
    assert misplaced_in(report) == ()
    no_place = say("trf.note.once", what=say("trf.note.no-place"), where=say("trf.at.player", number=1))
    assert no_place in reading.notes


def test_ratings_of_later_rounds_are_in_the_report_and_its_tie_breaks_go_by_them() -> None:
    event = Story(tiebreaks=("ARO",), tiebreak_ratings="round")
    event.pair(*FIRST)
    event.score("1-0", "½-½", "0F-1F")
    event.do(ask(ListRating, player=1, rating=2600, first=2))
    event.pair((2, 1), (6, 5), (4, 3))
    event.score("1-0", "1-0", "1-0")

    report = parse(render(export(event.log())))
    lines = {line.number: line for line in Ranking(crosstable(report), 2, parse_list("ARO")).lines()}

    assert event.remarks() == ["Ratings @ Round 2: 1=2600"]
    assert lines[4].tiebreaks == ((2400 + 2380 + 1) // 2,)
    assert lines[2].tiebreaks == ((2600 + 2360 + 1) // 2,)
    assert misplaced_in(report) == ()


def test_the_first_rating_counts_unless_the_regulations_say_otherwise() -> None:
    event = Story(tiebreaks=("ARO",))
    event.pair(*FIRST)
    event.score("1-0", "½-½", "0F-1F")
    event.do(ask(ListRating, player=1, rating=2600, first=2))
    event.pair((2, 1), (6, 5), (4, 3))
    event.score("1-0", "1-0", "1-0")

    lines = {line.id: line for line in standings_after(state_after(event.log()))}

    assert event.remarks() == []
    assert lines[2].tiebreaks == ((2400 + 2360 + 1) // 2,)
