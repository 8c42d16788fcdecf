"""Contradictions inside a report whose lines are sound each by itself."""

from collections.abc import Sequence

from paircard.projections.trf.format.columns import is_unknown
from paircard.projections.trf.format.problems import Problem
from paircard.projections.trf.format.records import (
    Abnormal,
    Absent,
    Acceleration,
    Apart,
    Byes,
    Configuration,
    InitialColour,
    PlayerLine,
    Record,
    Rounds,
    Virtual,
)

TOGETHER = frozenset(["10", "01", "==", "=0", "0=", "00", "+-", "-+", "--", "WL", "LW", "DD", "  "])
"""Results that may stand against each other (VCL 180-185)."""

FREE = frozenset("+-")


def contradictions(records: Sequence[Record], strict: bool, passed: list[Problem]) -> list[Problem]:
    """What the records of a file say against each other, in file order.

    Not strict, odd pairs of results are no reason to stop; ``passed`` gets them.
    """
    problems: list[Problem] = []
    players: dict[int, PlayerLine] = {}
    declared = 0
    drawn = ""
    for at, record in enumerate(records, 1):
        if type(record) is PlayerLine:
            if record.number in players:
                found = f"starting rank {record.number} again"
                problems.append(Problem(at, 5, "001", found, "each starting rank once"))
            players[record.number] = record
        elif type(record) is Rounds:
            if declared and declared != record.rounds:
                found = f"{record.rounds} rounds after {declared} rounds"
                problems.append(Problem(at, 5, record.code, found, "one number of rounds"))
            declared = record.rounds
        elif isinstance(record, InitialColour | Configuration) and record.colour:
            if drawn and drawn != record.colour:
                found = f"initial colour {record.colour} after {drawn}"
                problems.append(Problem(at, 5, record.code, found, "one initial colour"))
            drawn = record.colour
    pabs: dict[int, int] = {}
    for at, record in enumerate(records, 1):
        if type(record) is PlayerLine:
            problems += _games(at, record, players, declared, pabs, strict, passed)
        elif isinstance(record, Byes | Apart | Absent | Abnormal):
            problems += [
                Problem(at, 0, record.code, f"starting rank {id}", "a player of record 001")
                for id in record.ids
                if id not in players
            ]
        elif type(record) is Virtual and record.id not in players:
            problems.append(Problem(at, 5, "XXA", f"starting rank {record.id}", "a player of record 001"))
        elif type(record) is Acceleration and declared and record.last > declared:
            found = f"round {record.last}"
            problems.append(Problem(at, 19, "250", found, f"a round of the {declared} declared"))
    return problems


def _games(
    at: int,
    player: PlayerLine,
    players: dict[int, PlayerLine],
    declared: int,
    pabs: dict[int, int],
    strict: bool,
    passed: list[Problem],
) -> list[Problem]:
    """A player's rounds against those of the opponents."""
    problems: list[Problem] = []
    number = player.number
    if declared and len(player.entries) > declared:
        found = f"round {len(player.entries)}"
        problems.append(
            Problem(at, 92 + 10 * declared, "001", found, f"no more than the {declared} declared")
        )
    for index, entry in enumerate(player.entries):
        opponent = entry.opponent
        if not opponent:
            if entry.letter == "U":
                if index in pabs:
                    found = f"a second pairing-allocated bye in round {index + 1}"
                    allowed = f"one; player {pabs[index]} has it"
                    problem = Problem(at, 99 + 10 * index, "001", found, allowed)
                    (problems if strict else passed).append(problem)
                pabs.setdefault(index, number)
            continue
        column = 92 + 10 * index
        other = players.get(opponent)
        if other is None or opponent == number:
            allowed = "a player of record 001" if other is None else "another player"
            problems.append(Problem(at, column, "001", f"opponent {opponent}", allowed))
            continue
        back = other.entries[index] if index < len(other.entries) else None
        if back is None or back.opponent != number:
            found = f"round {index + 1} against {opponent}, who does not have {number} in that round"
            problems.append(Problem(at, column, "001", found, "games that both players name"))
        elif number < opponent:
            if (entry.colour == back.colour) and (entry.colour != "-"):
                found = f"{entry.colour} for both {number} and {opponent} in round {index + 1}"
                problems.append(Problem(at, column + 5, "001", found, "opposite colours"))
            unknown = is_unknown(entry.letter) and is_unknown(back.letter)
            if not unknown and entry.letter + back.letter not in TOGETHER:
                found = f"results {entry.letter} and {back.letter} of {number} and {opponent}"
                grave = strict or (entry.letter in FREE) != (back.letter in FREE)
                problem = Problem(at, column + 7, "001", found, "results that belong together")
                (problems if grave else passed).append(problem)
    return problems
