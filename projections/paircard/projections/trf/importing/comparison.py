"""A report against the record made of it: what a pairing depends on must be alike, the rest is noted."""

from paircard.projections.round.crosstable import Crosstable, Entry, Row, entry, virtual_points


def difference(imported: Crosstable, filed: Crosstable) -> str:
    """The first thing a pairing depends on that record and file do not have alike; empty if none."""
    if len(imported.rows) != len(filed.rows):
        return f"{len(imported.rows)} players instead of {len(filed.rows)}"
    for name in ("rounds", "paired", "scoring", "initial_colour"):
        if getattr(imported, name) != getattr(filed, name):
            return f"{name.replace('_', ' ')} {getattr(imported, name)} instead of {getattr(filed, name)}"
    number = {row.id: place for place, row in enumerate(filed.rows, 1)}
    known = {row.number: row for row in imported.rows}
    accelerated = max((len(row.virtual) for row in filed.rows), default=0)
    for row in filed.rows:
        other = known[number[row.id]]
        if sum(row.extra) != sum(other.extra):
            return f"points of player {row.id} that are not those of the results (record 299)"
        for round in range(1, filed.paired + 1):
            if not _alike(entry(row, round), entry(other, round), number):
                return f"round {round} of player {row.id}"
        for round in _rounds_that_count(row, filed.paired, accelerated):
            if virtual_points(row, round) != virtual_points(other, round):
                return f"virtual points of player {row.id} in round {round}, which are not those of C.04.7"
    return ""


def _alike(filed: Entry, imported: Entry, number: dict[int, int]) -> bool:
    if number.get(filed.opponent, 0) != imported.opponent:
        return False
    if filed.colour not in ("-", imported.colour):
        return False
    # a game without a result yet is a draw for the next pairing (C.04.2:3.1)
    return (filed.letter or "?") == imported.letter


def _rounds_that_count(row: Row, paired: int, accelerated: int) -> list[int]:
    """Rounds whose virtual points a pairing sees: an absentee's are of no account (C.04.7:1.5)."""
    took_part = not paired or any(entry.opponent or entry.letter == "U" for entry in row.entries)
    rounds = []
    for round in range(1, accelerated + 1):
        now = entry(row, round)
        if now.opponent or now.letter == "U" or (round > paired and took_part):
            rounds.append(round)
    return rounds
