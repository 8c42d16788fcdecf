"""Records that say nothing about the tournament, or something that the others contradict."""

from paircard.projections.trf.format.problems import Problem, TrfError, quoted
from paircard.projections.trf.format.records import Line, Report, ScoringLine
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading.national import is_national, whole

KNOWN = frozenset(
    ["012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "172",
     "182", "192", "202", "212", "222", "013", "###", "XXB"]
)  # fmt: skip
"""Codes of text records (TRF26 §2 and §5); others are unknown unless they are national ratings."""


def check_records(report: Report, notes: Notes) -> None:
    """Note what is unknown or contradicted; refuse the file where a player's record may be lost."""
    players = {player.number: player for player in report.players()}
    unknown: list[tuple[int, Line]] = []
    for at, record in enumerate(report.records, 1):
        if type(record) is Line and record.text.strip() and not _is_known(record.text):
            unknown.append((at, record))
            if whole(record.text[4:8]) and len(record.text.rstrip()) >= 84 and record.code[1:] != "XX":
                found = f"a record {quoted(record.code)} with the columns of a player"
                raise TrfError((Problem(at, 1, record.code, found, "001 for a player's record"),))
    said = report.text("062")
    contradicted = bool(whole(said)) and whole(said) != len(players)
    if contradicted:
        gaps = sorted(set(range(1, max(players) + 1)) - set(players))
        found = f"{len(players)} records 001, while record 062 says {whole(said)} players"
        if gaps or unknown:
            missing = f" (starting rank {gaps[0]} is missing)" if gaps else ""
            raise TrfError((Problem(0, 0, "062", f"{found}{missing}", "a record 001 for every player"),))
        notes.add(f"062 says {quoted(said)} players, the file has {len(players)}")
    elif said and not whole(said):
        notes.add(f"062 says {quoted(said)}, which is not a number of players; the file has {len(players)}")
    for at, record in unknown:
        notes.add(f"unknown record {quoted(record.code)}, kept unchanged", f"line {at}")
    for at, record in enumerate(report.records, 1):
        if type(record) is ScoringLine and any(symbol == "X" for symbol, _ in record.values):
            notes.add("162 X left out, a game without a known result counts as a draw", f"line {at}")
    rated = sum(player.rating > 0 for player in players.values())
    said = report.text("072")
    if said and whole(said) != rated:
        notes.add(f"072 says {quoted(said)} rated players, the file has {rated}")


def _is_known(text: str) -> bool:
    return text[:3] in KNOWN or is_national(text)
