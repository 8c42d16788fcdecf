"""Games still to be finished, and what waits for them."""

from paircard.domain.errors import RoundIncomplete
from paircard.domain.rounds import ADJOURNED, Round
from paircard.domain.state import Tournament


def missing_results(round: Round) -> list[int]:
    """Boards without a result and not adjourned."""
    return [board for board, outcome in enumerate(round.outcomes, start=1) if outcome is None]


def adjourned_games(state: Tournament) -> list[tuple[int, int]]:
    """Round and board of every game whose result is still to come."""
    return [
        (round.number, board)
        for round in state.rounds
        for board, outcome in enumerate(round.outcomes, start=1)
        if outcome == ADJOURNED
    ]


def open_games(state: Tournament) -> list[tuple[int, int]]:
    """Round and board of every game without a result, adjourned or not over."""
    return [
        (round.number, board)
        for round in state.rounds
        for board, outcome in enumerate(round.outcomes, start=1)
        if outcome is None or outcome == ADJOURNED
    ]


def need_results(state: Tournament, cause: str) -> None:
    """Refuse what makes standings final while a game of the event is open (VCL 161, 169)."""
    if waiting := open_games(state):
        raise RoundIncomplete("games-open", games=waiting, cause=cause)
