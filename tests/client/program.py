"""What another project might write; type-checked with mypy --strict against the installed wheel."""

from pathlib import Path

from paircard.domain import Details, PaircardError, RegisterPlayer, Regulations
from paircard.pairing import pair
from paircard.projections import Snapshot, snapshot
from paircard.service import Office, Person, Round, Standings, Tournament, person


def leader(standings: Standings) -> str:
    return standings.standings[0].name


def first_pair(round: Round) -> tuple[str, str]:
    board = round.boards[0]
    return board.white.name, board.black.name


def run(path: Path, names: list[str]) -> str:
    anna: Person = person("Anna Arbiter")
    with Office.create(path) as office:
        tournament: Tournament = office.new(Regulations(name="Open", rounds=1), by=anna)
        tournament.ask(*(RegisterPlayer(details=Details(name=name)) for name in names), by=anna)
        try:
            paired = tournament.pair(by=anna)
        except PaircardError as refusal:
            return str(refusal)
        first_pair(paired.round)
        return leader(tournament.at("r1").standings())


def again(state: Snapshot) -> int:
    return len(pair(state).boards)


def cut(tournament: Tournament) -> Snapshot:
    now = tournament.now()
    return snapshot(now.crosstable(), 1, now.regulations.edition)
