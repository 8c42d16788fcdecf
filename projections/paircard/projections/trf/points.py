"""Points of a report: what results are worth, virtual points, and points that are no result's."""

from collections.abc import Iterator

from paircard.domain.messages import say
from paircard.domain.values.results import STANDARD, Scoring
from paircard.projections.round.crosstable import Entry, last_of_group_a, virtual_by_round
from paircard.projections.trf import records as trf
from paircard.projections.trf.lines import points_text
from paircard.projections.trf.notes import Notes, Problem, TrfError
from paircard.projections.trf.records import PlayerLine, Report

# --- virtual points (C.04.7): records XXA and 250, else what ``_BAKU`` in record 192 means


def virtual_points(
    report: Report, players: list[PlayerLine], scoring: Scoring, rounds: int, paired: int, notes: Notes
) -> dict[int, tuple[int, ...]]:
    """Virtual points by starting rank and round, in tenths."""
    given: dict[int, list[int]] = {}
    announced = False
    for record in report.records:
        if type(record) is trf.Virtual:
            announced = True
            given[record.id] = list(record.points)
        elif type(record) is trf.Acceleration:
            announced = True
            _accelerate(record, players, given)
    if not announced and report.text("192").upper().endswith("_BAKU"):
        notes.add(say("trf.note.virtual-computed"))
        return baku(players, scoring, rounds, paired)
    return {number: tuple(points) for number, points in given.items()}


def _accelerate(record: trf.Acceleration, players: list[PlayerLine], given: dict[int, list[int]]) -> None:
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


# --- points that are not those of results (299): bonuses, penalties, special values


Entries = dict[int, tuple[Entry, ...]]
"""Rounds by starting rank."""

LETTERS = {"W": "1W", "D": "=D", "L": "0L"}
"""Symbols of 299 that stand for several letters of 001."""


def extra_points(
    report: Report, entries: Entries, scoring: Scoring, paired: int
) -> dict[int, tuple[int, ...]]:
    """Points beyond those of the results by starting rank and round, of the rounds paired so far."""
    worth = scoring.table()
    extra: dict[int, list[int]] = {}
    for record in report.of(trf.Abnormal):
        letters = LETTERS.get(record.letter, record.letter)
        for id in record.ids or entries:
            row = extra.setdefault(id, [0] * paired)
            for round, entry in enumerate(entries[id][:paired], 1):
                if record.round not in (0, round):
                    continue
                if not letters:
                    row[round - 1] += record.points
                elif entry.letter and entry.letter in letters:
                    row[round - 1] += record.points - worth[entry.letter]
    return {id: tuple(row) for id, row in extra.items() if any(row)}


# --- what results are worth


def scoring_of(report: Report) -> Scoring:
    """Points from 162, XXS and BB*; what is not said is standard, and the PAB is worth a win (C.04.1:3)."""
    values: dict[str, int] = {}
    for at, record in enumerate(report.records, 1):
        if type(record) is trf.ScoringLine:
            for symbol, points in record.values:
                values[{"Z": "A"}.get(symbol, symbol)] = points
        elif type(record) is trf.Worth:
            symbol = trf.BBP_WORTHS[record.code]
            if symbol == "A" and values.get("A", record.points) != record.points:
                found, allowed = say("trf.found.absences"), say("trf.allowed.one-absence")
                raise TrfError(Problem(at, 5, record.code, found, allowed))
            values[symbol] = record.points
        elif type(record) is trf.Worths:
            _javafo(at, record, values)
    values.setdefault("P", values.get("W", STANDARD.win))
    return Scoring(**{field: values[symbol] for symbol, field in trf.SYMBOLS.items() if symbol in values})


def _javafo(at: int, record: trf.Worths, values: dict[str, int]) -> None:
    seen: dict[str, int] = {}
    for code, points in record.values:
        symbol = trf.JAVAFO_WORTHS[code]
        if seen.setdefault(symbol, points) != points:
            values_found = f"{code}={points_text(points)}", points_text(seen[symbol])
            found = say("trf.found.values", codes=values_found)
            raise TrfError(Problem(at, 0, "XXS", found, say("trf.allowed.one-value")))
        values[symbol] = points


def fitting(
    report: Report,
    entries: dict[int, tuple[Entry, ...]],
    scoring: Scoring,
    virtual: dict[int, tuple[int, ...]],
    paired: int,
    notes: Notes,
) -> Scoring:
    """The scoring under which the points of the file are those of its results.

    A file without a scoring may be of another one: the PAB first, then the usual ones. Points may
    hold the virtual ones and the bye of the round to be paired, as other engines allow. Either is noted.
    """
    blank = [player.number for player in report.players() if player.points == trf.UNKNOWN_POINTS]
    if blank:
        notes.add(say("trf.note.points-computed", numbers=blank))
    faults: list[Problem] = []
    for one in _possible(report, scoring):
        wrong, ahead = _misfits(report, entries, one, virtual, paired)
        if wrong:
            faults = faults or wrong
            continue
        if one is not scoring:
            games = " ".join(map(points_text, (one.win, one.draw, one.loss)))
            notes.add(say("trf.note.scoring-from-points", value=games, code=points_text(one.pab)))
        if ahead:
            notes.add(say("trf.note.points-ahead", round=paired + 1, numbers=tuple(ahead)))
        return one
    raise TrfError(*faults)


def _possible(report: Report, announced: Scoring) -> Iterator[Scoring]:
    """The scoring of a file; where it says none, the usual ones after the standard."""
    yield announced
    if not any(isinstance(record, trf.ScoringLine | trf.Worth | trf.Worths) for record in report.records):
        for win, draw, loss in ((10, 5, 0), (30, 10, 0), (20, 10, 0), (30, 20, 10)):
            for pab in sorted({win, draw, loss, 20}, key=lambda value: (value != win, value)):
                yield Scoring(win=win, draw=draw, loss=loss, pab=pab)


def scoring_text(scoring: Scoring) -> str:
    """``scoring 1.0 0.5 0.0, PAB 1.0``."""
    values = " ".join(map(points_text, (scoring.win, scoring.draw, scoring.loss)))
    return f"scoring {values}, PAB {points_text(scoring.pab)}"


def _misfits(
    report: Report,
    entries: dict[int, tuple[Entry, ...]],
    scoring: Scoring,
    virtual: dict[int, tuple[int, ...]],
    paired: int,
) -> tuple[list[Problem], list[int]]:
    """Players whose points are not those of their results; and those who have those of the next round."""
    worth = scoring.table()
    abnormal = extra_points(report, entries, scoring, paired)
    problems, early = [], []
    for at, record in enumerate(report.records, 1):
        if type(record) is not PlayerLine or record.points == trf.UNKNOWN_POINTS:
            continue
        row = entries[record.number]
        total = sum([worth[entry.letter] for entry in row[:paired]]) + sum(abnormal.get(record.number, ()))
        # VCL 165 counts an unknown result as a draw; other programs leave it out of the points
        unknown = sum(worth[entry.letter] for entry in row[:paired] if entry.letter == "?")
        if record.points in (total, total - unknown):
            continue
        bye = worth[row[paired].letter] if len(row) > paired else 0
        extra = virtual.get(record.number, ())
        ahead = extra[paired] if len(extra) > paired else 0
        if record.points - total not in (bye, ahead, bye + ahead):
            found = say("trf.found.points", value=points_text(record.points), number=record.number)
            problems.append(Problem(at, 81, "001", found, say("trf.allowed.sum", value=points_text(total))))
        else:
            early.append(record.number)
    return problems, early
