"""A whole small tournament, from the first fact to the last."""

from paircard.domain.commands import CloseTournament, RegisterPlayer
from paircard.domain.events import TournamentClosed
from paircard.domain.values.players import Details
from tests.domain.scenes import ROUND_ROBIN, ask, played, ready, when


def test_four_players_play_three_rounds_and_the_tournament_is_closed() -> None:
    state = ready(4, 3)
    for boards in ROUND_ROBIN:
        state = played(state, *boards)

    state, events = when(state, ask(CloseTournament))

    assert events == (TournamentClosed(rounds=3),)
    assert state.closed


def test_a_late_entry_is_numbered_at_its_place_when_first_paired() -> None:
    state = played(ready(4, 3), *ROUND_ROBIN[0])
    state, _ = when(state, ask(RegisterPlayer, why="train late", details=Details(name="Late", rating=2395)))

    state = played(state, (4, 3), (1, 2), pab=5)

    assert state.order == (1, 5, 2, 3, 4)
