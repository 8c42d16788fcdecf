"""What another project might write; type-checked with mypy --strict against the installed wheel."""

from pathlib import Path
from typing import Final

from paircard.domain import (
    Details,
    PaircardError,
    PlayerRegistered,
    RegisterPlayer,
    Regulations,
    ResultRecorded,
    ResultText,
    StaleDecision,
    WarningCode,
)
from paircard.pairing import NextRound, next_round, pair
from paircard.projections import Snapshot, TrfError, snapshot
from paircard.service import Office, Person, Round, Standings, Tournament, person

EXPECTED: Final[WarningCode] = "half-bye-not-announced"
WON: Final[ResultText] = "1-0"


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


def told(office: Office) -> list[str]:
    lines = []
    for recorded in office.follow(quiet=0):
        match recorded.fact:
            case PlayerRegistered(details=details):
                lines.append(details.name)
            case ResultRecorded(round=round, board=board):
                lines.append(f"{round}.{board}")
            case _:
                pass
    return lines


def boards(report: str) -> NextRound | None:
    try:
        return next_round(report, edition="dutch-2026")
    except TrfError as faults:
        print(*(fault.line for fault in faults.problems))
        return None


def scores(standings: Standings) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(line.name, line.score, line.values) for line in standings.standings]


def moved_on(refusal: PaircardError) -> int | None:
    return refusal.version if isinstance(refusal, StaleDecision) else None
