"""An adjourned game is a draw for pairing only: nothing else counts it until its result is known."""

from paircard.domain.commands import AdjournGame, CompleteRound, PublishRound, RecordResult
from paircard.domain.state import Tournament
from paircard.domain.values.results import parse_outcome
from paircard.projections.round.cards import cards
from paircard.projections.round.crosstable import points_before
from paircard.projections.standings.standings import standings_after
from paircard.projections.views import (
    last_finished,
    last_published,
    snapshot_now,
    table_after,
    table_as_paired,
)
from tests.domain.scenes import ROUND_ROBIN, after, ask, paired, pairing, ready, results


def adjourned() -> Tournament:
    """Board 1 of round 1, players 1 and 4, is adjourned; 2 beat 3."""
    state = after(paired(ready(4, 3), *ROUND_ROBIN[0]), ask(AdjournGame, round=1, board=1))
    won = ask(RecordResult, round=1, board=2, outcome=parse_outcome("1-0"))
    return after(state, won, ask(CompleteRound, round=1))


def test_an_adjourned_game_scores_nothing_in_standings_and_on_cards() -> None:
    """C.04.2:3.1, 001 F.9, seeds.md 1"""
    history = adjourned()

    assert {line.id: line.points for line in standings_after(history, 1)} == {1: 0, 2: 10, 3: 0, 4: 0}
    assert cards(table_after(history), "dutch-2026")[1].lines[-1].score == 0


def test_for_pairing_it_is_a_draw() -> None:
    seen = {player.id: player.points for player in snapshot_now(adjourned()).players}

    assert seen == {1: 5, 2: 10, 3: 0, 4: 5}


def test_a_sheet_shows_the_scores_that_its_pairing_saw() -> None:
    """desk.md M13: the game is finished after round 2 was paired"""
    state = paired(adjourned(), *ROUND_ROBIN[1])
    won = ask(RecordResult, round=1, board=1, outcome=parse_outcome("1-0"), ok=["adjourned-not-drawn"])
    history = after(state, won)

    assert points_before(table_as_paired(history, 2), 2) == {1: 5, 2: 10, 3: 0, 4: 5}
    assert {line.id: line.points for line in standings_after(history, 1)}[1] == 10


def test_standings_show_the_last_finished_round_and_no_unpublished_pairing() -> None:
    """desk.md M1"""
    state = paired(ready(4, 3), *ROUND_ROBIN[0])
    assert last_finished(state) == 0
    state = results(state, "1-0", "1-0")
    assert last_finished(state) == 1
    state = after(state, pairing(state, *ROUND_ROBIN[1]))
    assert (last_finished(state), last_published(state)) == (1, 1)
    state = after(state, ask(PublishRound, round=2))
    assert (last_finished(state), last_published(state)) == (1, 2)
