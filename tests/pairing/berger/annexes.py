"""The printed tables of C.05 Annex 1 and 2, read from data, and a second construction of the first."""

from pathlib import Path

HERE = Path(__file__).parent
Boards = list[tuple[int, int]]


def lines(name: str) -> list[tuple[str, str]]:
    """The lines of a file: what stands before the colon, and after it."""
    text = (HERE / name).read_text(encoding="utf-8")
    parted = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return [(head, rest) for head, _, rest in parted]


def printed_tables() -> dict[int, list[Boards]]:
    """The tables for an even number of players, by that number: a list of rounds."""
    tables: dict[int, list[Boards]] = {}
    for head, rest in lines("annex1.txt"):
        players = int(head.split()[0])
        boards = [(int(white), int(black)) for white, black in (board.split("-") for board in rest.split())]
        tables.setdefault(players, []).append(boards)
    return tables


def printed_envelopes() -> dict[int, tuple[tuple[int, ...], ...]]:
    """The envelopes of Annex 2, by number of players made even."""
    return {
        int(head): tuple(tuple(map(int, numbers.split())) for numbers in rest.split("|"))
        for head, rest in lines("annex2.txt")
    }


def moved_round(players: int) -> list[Boards]:
    """The table as arbiters made it before there were programs.

    The first round puts 1 against the last, 2 against the one before it. From round to round everybody but
    the last moves half the field on, round the circle; the last stays and changes colours. The upper of two
    seats has White.
    """
    half, around = players // 2, players - 1
    seats = [*range(1, players)]
    rounds: list[Boards] = []
    for round in range(1, players):
        first, others = seats[0], seats[1:]
        boards = [(first, players) if round % 2 else (players, first)]
        boards += [(others[at], others[-1 - at]) for at in range(half - 1)]
        rounds.append(boards)
        seats = [(number + half - 1) % around + 1 for number in seats]
    return rounds
