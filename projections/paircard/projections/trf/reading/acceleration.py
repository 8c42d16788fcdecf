"""Virtual points of a report (C.04.7): records XXA and 250, else what ``_BAKU`` in record 192 means."""

from paircard.domain.values.results import Scoring
from paircard.projections.round.crosstable import last_of_group_a, virtual_by_round
from paircard.projections.trf.format.records import Acceleration, PlayerLine, Report, Virtual
from paircard.projections.trf.notes import Notes


def virtual_points(
    report: Report, players: list[PlayerLine], scoring: Scoring, rounds: int, paired: int, notes: Notes
) -> dict[int, tuple[int, ...]]:
    """Virtual points by starting rank and round, in tenths."""
    given: dict[int, list[int]] = {}
    announced = False
    for record in report.records:
        if type(record) is Virtual:
            announced = True
            given[record.id] = list(record.points)
        elif type(record) is Acceleration:
            announced = True
            _accelerate(record, players, given)
    if not announced and report.text("192").upper().endswith("_BAKU"):
        notes.add("virtual points: computed from the tournament type (C.04.7)")
        return baku(players, scoring, rounds, paired)
    return {number: tuple(points) for number, points in given.items()}


def _accelerate(record: Acceleration, players: list[PlayerLine], given: dict[int, list[int]]) -> None:
    for player in players:
        if record.from_number <= player.number <= record.to_number:
            row = given.setdefault(player.number, [])
            row += [0] * (record.last - len(row))
            row[record.first - 1 : record.last] = [record.points] * (record.last - record.first + 1)


def baku(players: list[PlayerLine], scoring: Scoring, rounds: int, paired: int) -> dict[int, tuple[int, ...]]:
    """Baku acceleration of the numbers of the file (C.04.7:1.2-1.4).

    A player not paired in round 1 has no number yet and is not in N (C.04.2:2.4); before the first
    pairing everyone without a bye in round 1 is.
    """
    last = last_of_group_a([player.number for player in players if _takes_part(player, paired)])
    points = virtual_by_round(rounds, scoring)
    return {player.number: points for player in players if player.number <= last}


def _takes_part(player: PlayerLine, paired: int) -> bool:
    if not player.entries:
        return not paired
    first = player.entries[0]
    if paired:
        return bool(first.opponent) or first.letter in "U+"
    return first.letter not in "HFZ-="
