"""Offices to start from: real files, people with a steady clock."""

from itertools import count
from pathlib import Path
from random import Random

from paircard.domain.commands import RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, Person, Tournament

_ids = count(1)


def someone(name: str) -> Person:
    """A person whose ids, clock and lots are the same in every run of a test."""
    return Person(
        name=name,
        new_id=lambda: f"request-{next(_ids)}",
        clock=lambda: "2026-11-16T09:30:00Z",
        lots=Random(7),
    )


ANNA = someone("Anna Arbiter")
BERT = someone("Bert Deputy")
NAMES = ("Ada", "Ben", "Cleo", "Dag", "Eva", "Finn")


def club_open(folder: Path, players: int = 4, rounds: int = 3) -> tuple[Office, Tournament]:
    """A tournament with players rated 2100, 2000, …, White drawn for number 1."""
    office = Office.create(folder / "open.db")
    tournament = office.new(Regulations(name="Club Open", rounds=rounds), by=ANNA)
    entries = [
        RegisterPlayer(details=Details(name=name, rating=2100 - 100 * at))
        for at, name in enumerate(NAMES[:players])
    ]
    tournament.ask(*entries, by=ANNA)
    tournament.draw_colour("w", by=ANNA)
    return office, tournament


def play(tournament: Tournament, *results: str) -> None:
    """Pair the next round, publish it and enter its results from board 1 on."""
    round = tournament.pair(by=ANNA).round
    tournament.publish(by=ANNA)
    tournament.record(round.round, dict(enumerate(results, start=1)), by=ANNA)
