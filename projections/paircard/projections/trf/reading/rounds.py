"""The rounds of a report: which are paired, what old codes mean, byes known in advance."""

from collections import Counter

from paircard.projections.round.crosstable import ABSENT, Entry
from paircard.projections.trf.format.records import Absent, Byes, PlayerLine, Report, Rounds
from paircard.projections.trf.notes import Notes

TRF26 = frozenset("1=0WDL+-HFUZ?")
"""Letters of results as they are meant."""

BLANK_ROUND = "blank columns read as Z, absent"

Entries = dict[int, tuple[Entry, ...]]
"""Rounds by starting rank."""


def paired_rounds(players: list[PlayerLine]) -> int:
    """Rounds paired so far: a round with a pairing or a PAB, or with something entered for a later round.

    A last column that holds only requested byes is the round to be paired, unless everyone has one.
    """
    paired = 0
    for player in players:
        if len(player.entries) > paired:
            last = _last_pairing(player.entries, after=paired)
            paired = last or max(paired, len(player.entries) - 1)
    beyond = [player for player in players if len(player.entries) > paired]
    return paired + 1 if beyond and len(beyond) == len(players) else paired


def _last_pairing(entries: tuple[Entry, ...], after: int) -> int:
    """The last round after this one with an opponent or a PAB; 0 if there is none."""
    for round in range(len(entries), after, -1):
        entry = entries[round - 1]
        if entry.opponent or entry.letter == "U":
            return round
    return 0


def entries_of(players: list[PlayerLine], paired: int, notes: Notes) -> Entries:
    """Everyone's rounds in TRF26 letters; a blank in a paired round, the last ones too, is an absence."""
    rows = _upgraded({player.number: player.entries for player in players}, paired, notes)
    for number, entries in rows.items():
        for round in range(len(entries) + 1, paired + 1):
            notes.add(BLANK_ROUND, f"round {round} player {number}")
        if len(entries) < paired:
            rows[number] = (*entries, *[ABSENT] * (paired - len(entries)))
    return rows


def _upgraded(rows: Entries, paired: int, notes: Notes) -> Entries:
    """TRF06 and JaVaFo 1.4 wrote a round without an opponent by its points alone.

    A lone win in a paired round is the PAB, any other a full-point bye; a draw is a half-point bye.
    """
    old = [
        (number, index)
        for number, entries in rows.items()
        for index, entry in enumerate(entries)
        if entry.letter not in TRF26 or (not entry.opponent and entry.letter in "1=0+-")
    ]
    if not old:
        return rows
    wins = Counter(index for number, index in old if rows[number][index].letter in "1+")
    wins.update(
        index for entries in rows.values() for index, entry in enumerate(entries) if entry.letter == "U"
    )
    changed = {number: list(rows[number]) for number, _ in old}
    for number, index in old:
        entry = rows[number][index]
        new = _in_trf26(entry, alone=wins[index] == 1 and index < paired)
        changed[number][index] = new
        if entry.letter == " " and not entry.opponent:
            notes.add(BLANK_ROUND, f"round {index + 1} player {number}")
        elif entry.letter != " ":
            name = f"result {entry.letter!r}" if entry.opponent else f"0000 - {entry.letter}"
            notes.add(f"{name} read as {new.letter}", f"round {index + 1} player {number}")
    return rows | {number: tuple(entries) for number, entries in changed.items()}


def has_one_code_for_byes(players: list[PlayerLine]) -> bool:
    """Whether several of one round stand as ``0000 - +``, which is JaVaFo's code of the bye: at most one had
    the PAB, and nobody can tell who."""
    byes = [
        index
        for player in players
        for index, entry in enumerate(player.entries)
        if entry.letter == "+" and not entry.opponent
    ]
    return len(set(byes)) < len(byes)


def _in_trf26(entry: Entry, *, alone: bool) -> Entry:
    if entry.opponent:  # a game in progress, or a result nobody knows (VCL 166)
        return Entry(entry.opponent, entry.colour, "" if entry.letter == " " else "?")
    if entry.letter in "1+":
        return Entry(0, "-", "U" if alone else "F")
    return Entry(0, "-", "H") if entry.letter == "=" else ABSENT


def add_known_byes(report: Report, entries: Entries, paired: int, notes: Notes) -> None:
    """Byes of the round to be paired from 240 and XXZ; for paired rounds the columns of 001 decide."""
    for record in report.records:
        if type(record) is Byes and record.round <= paired:
            for id in record.ids:
                if entries[id][record.round - 1].letter != record.letter:
                    note = f"240 {record.letter} contradicts the columns of 001, which count"
                    notes.add(note, f"round {record.round} player {id}")
        elif type(record) is Byes and record.round == paired + 1:
            _set_bye(entries, record.ids, paired, Entry(0, "-", record.letter))
        elif type(record) is Absent:
            _set_bye(entries, record.ids, paired, ABSENT)


def _set_bye(entries: Entries, ids: tuple[int, ...], paired: int, bye: Entry) -> None:
    for id in ids:
        entries[id] = (*entries[id][:paired], bye)


def announced_rounds(report: Report, entries: Entries, paired: int, notes: Notes) -> int:
    """The announced number of rounds, else as many as have dates or columns."""
    for record in report.records:
        if type(record) is Rounds:
            return record.rounds
    dates = len(report.text("132").split())
    rounds = max([dates, paired, *(len(row) for row in entries.values())])
    source = "dates" if dates == rounds else "columns"
    notes.add(f"number of rounds {rounds}: taken from the {source} of the file")
    return rounds
