"""A club championship by the real office: registered, drawn, played, corrected, left, looked at."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from paircard.domain import Details, RegisterPlayer, Regulations
from paircard.domain.commands import AssignNumbers
from paircard.service import Office, Person, Tournament, person

NAMES = ["Adams", "Botvinnik", "Carlsen", "Ding", "Euwe", "Fischer", "Giri", "Hou", "Ivanchuk", "Judit"]
ANNA: Person = person("Anna Arbiter")


def club(folder: Path, players: int = 6, order: Sequence[int] = (), **rules: object) -> Tournament:
    """A round robin whose numbers are those of the alphabet, or as drawn; all its rounds published."""
    office = Office.create(folder / "club.db")
    settings = {"tiebreaks": ("DE", "WIN", "SB", "KS"), **rules}
    tournament = office.new(
        Regulations(name="Club", rounds=0, edition="round-robin", **settings),  # type: ignore[arg-type]
        by=ANNA,
    )
    for at, name in enumerate(NAMES[:players]):
        tournament.ask(RegisterPlayer(details=Details(name=name, rating=2400 - 10 * at)), by=ANNA)
    tournament.ask(AssignNumbers(order=tuple(order or range(1, players + 1))), by=ANNA)
    tournament.schedule(by=ANNA)
    return tournament


def play(tournament: Tournament, chance: Random, share: float = 1.0) -> None:
    """Some of the games, in any order."""
    state = tournament.now().state
    games = [
        (round.number, board)
        for round in state.rounds
        for board in range(1, len(round.histories) + 1)
        if board in round.open_boards()
    ]
    chance.shuffle(games)
    for round, board in games[: int(share * len(games))]:
        tournament.record(round, {board: chance.choice(("1-0", "½-½", "0-1"))}, by=ANNA)
