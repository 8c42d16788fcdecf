"""A tournament seen by one player: who was met in each round, and with which result."""

from paircard.domain import events
from paircard.domain.state import Tournament, fold
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import Outcome

OTHER = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+", "W": "L", "D": "D", "L": "W"}
"""The opponent's letter."""


def event_of(own: Details, opponents: list[tuple[Details, str]], rules: Regulations) -> Tournament:
    """Player 1 with White against another one in each round; U is the bye, empty a game in progress."""
    facts: list[events.Event] = [events.TournamentOpened(regulations=rules)]
    people = [own, *(each for each, _ in opponents)]
    facts += [events.PlayerRegistered(player=at, details=each) for at, each in enumerate(people, start=1)]
    for round, (_, letter) in enumerate(opponents, start=1):
        bye = letter == "U"
        others = range(2, len(people) + 1)
        facts.append(
            events.RoundPaired(
                round=round,
                boards=() if bye else ((1, round + 1),),
                pab=1 if bye else 0,
                absent=tuple((id, "Z") for id in others if bye or id != round + 1),
                numbers=tuple((id, id) for id in range(1, len(people) + 1)),
                edition=rules.edition,
                engine="",
                based_on=0,
                snapshot="",
            )
        )
        if letter and not bye:
            outcome = Outcome(letter, OTHER[letter])
            facts.append(events.ResultRecorded(round=round, board=1, outcome=outcome))
    return fold(facts)
