"""What a report says about the tournament: the crosstable, the rules in force, and what had to be assumed."""

from collections import Counter

import msgspec

from paircard.domain.values.results import Scoring
from paircard.projections.round.acceleration import last_of_group_a, virtual_by_round
from paircard.projections.round.crosstable import ABSENT, Crosstable, Entry, Prohibition, Row
from paircard.projections.trf.format.problems import Problem, TrfError
from paircard.projections.trf.format.records import (
    Absent,
    Acceleration,
    Apart,
    Byes,
    Configuration,
    InitialColour,
    Line,
    PlayerLine,
    Report,
    Rounds,
    Virtual,
)
from paircard.projections.trf.reading.national import ratings
from paircard.projections.trf.reading.scoring import fitting, scoring_of, scoring_text

EDITIONS = {
    "FIDE_DUTCH": "dutch-2026",
    "FIDE_DUTCH_2026": "dutch-2026",
    "FIDE_DUTCH_2025": "dutch-2026",
    "FIDE_DUTCH_2017": "dutch-2017",
}
"""Record 192 without ``_BAKU``; the plain code goes by date."""

APPLIED_2026 = (2026, 2, 1)
"""C.04.3 of 2026 is applied from this day on."""

RATINGS = "Ratings @ Round "
"""How the remark begins that tells ratings from a round on, ``### Ratings @ Round 4: 7=2450``."""

NOT_HERE = {
    "299": "abnormal points",
    "310": "a team",
    "320": "a team's bye",
    "330": "a forfeited match",
    "362": "match points",
}
"""Records that change scores or make it a team tournament."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A report understood."""

    table: Crosstable
    edition: str
    """From record 192; empty if the file does not say, or names a system that is not the Dutch one."""
    system: str
    """Record 192 as it stands."""
    adjustments: tuple[str, ...]
    """Every upgrade of an old code and everything inferred, for people."""
    undeclared: str = ""
    """The scoring that alone explains the points, where the file announces another or none; else empty."""


def crosstable(report: Report) -> Crosstable:
    """The crosstable of a report: ids are the starting ranks of the file."""
    return read(report).table


def read(report: Report) -> Reading:
    """Everything a pairing needs of a report."""
    said: list[str] = []
    players = sorted(report.players(), key=lambda player: player.number)
    paired = paired_rounds(players)
    entries = _upgraded(players, said)
    _known_byes(report, entries, paired, said)
    rounds = _rounds(report, entries, paired, said)
    _individual(report)
    announced = scoring_of(report)
    virtual = _virtual(report, players, announced, rounds, paired, said)
    scoring = fitting(report, entries, announced, virtual, paired, said)
    numbers = {player.number: player.number for player in players}
    if any(type(record) is Configuration and record.by_rank for record in report.records):
        # JaVaFo's "rank": the order of the file, not the starting rank, orders equal scores
        numbers = {player.number: at for at, player in enumerate(report.players(), 1)}
    unplaced = _unplaced(players, said)
    listed = further_ratings(report)
    national = ratings(report, said)
    rows = [
        Row(
            id=player.number,
            number=numbers[player.number],
            entries=entries[player.number],
            virtual=virtual.get(player.number, ()),
            name=player.name,
            title=player.title,
            rating=national.get(player.number, player.rating),
            ratings=tuple(sorted(listed.get(player.number, {}).items())),
            federation=player.federation,
            status="expelled" if player.number in unplaced else "",
        )
        for player in players
    ]
    rows.sort(key=lambda row: row.number)
    colour = _drawn_colour(report)
    if not colour:
        colour = inferred_colour(rows)
        if colour:
            said.append(f"initial colour {'White' if colour == 'w' else 'Black'}: taken from the first round")
    return Reading(
        table=Crosstable(
            rows=tuple(rows),
            rounds=rounds,
            paired=paired,
            scoring=scoring,
            initial_colour=colour,
            prohibitions=tuple(
                Prohibition(record.ids, record.first or 1, record.last or 999)
                for record in report.records
                if type(record) is Apart
            ),
        ),
        edition=edition_of(report),
        system=report.text("192"),
        adjustments=tuple(said),
        undeclared="" if scoring == announced else scoring_text(scoring),
    )


def further_ratings(report: Report) -> dict[int, dict[int, int]]:
    """Ratings by player and the first round they belong to, as our own remarks tell them (VCL 214)."""
    begin = f"### {RATINGS}"
    found: dict[int, dict[int, int]] = {}
    for record in report.records:
        if type(record) is Line and record.text.startswith(begin):
            round, _, pairs = record.text.removeprefix(begin).partition(": ")
            for pair in pairs.split():
                number, _, rating = pair.partition("=")
                words = (round, number, rating)
                if all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
                    found.setdefault(int(number), {})[int(round)] = int(rating)
    return found


def _unplaced(players: list[PlayerLine], said: list[str]) -> frozenset[int]:
    """Players without a place where others have one: outside the standings, as the expelled are (VCL 198)."""
    without = [player.number for player in players if not player.place]
    if not without or len(without) == len(players):
        return frozenset()
    noun = "player" if len(without) == 1 else "players"
    said.append(f"no place for {noun} {' '.join(map(str, without))}: taken as outside the standings")
    return frozenset(without)


def paired_rounds(players: list[PlayerLine]) -> int:
    """Rounds paired so far: a round with a pairing or a PAB, or with something entered for a later round.

    A last column that holds only byes asked for is the round to be paired, unless everyone has one.
    """
    paired = 0
    longest = 0
    for player in players:
        entries = player.entries
        length = len(entries)
        longest = max(longest, length)
        if length > paired:
            for index in range(length - 1, paired - 1, -1):
                entry = entries[index]
                if entry.opponent or entry.letter in "U+":
                    paired = index + 1
                    break
            else:
                paired = max(paired, length - 1)
    if longest > paired and all(len(player.entries) > paired for player in players):
        return paired + 1
    return paired


def _upgraded(players: list[PlayerLine], said: list[str]) -> dict[int, tuple[Entry, ...]]:
    """Entries in TRF26 letters; a blank in a paired round is an absence.

    TRF06 and JaVaFo 1.4 wrote a round without an opponent by its points alone: a lone win in a round is
    the PAB, several are full-point byes; a draw is a half-point bye.
    """
    rows = {player.number: player.entries for player in players}
    old = [
        (number, index)
        for number, entries in rows.items()
        for index, entry in enumerate(entries)
        if entry.letter == " " or (not entry.opponent and entry.letter in "1=0+-")
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
        letter = entry.letter
        if entry.opponent:
            new = Entry(entry.opponent, entry.colour, "")  # a game in progress
        elif letter in "1+":
            new = Entry(0, "-", "U" if wins[index] == 1 else "F")
        else:
            new = Entry(0, "-", "H") if letter == "=" else ABSENT
        changed[number][index] = new
        if letter != " ":
            said.append(f"round {index + 1}, player {number}: 0000 - {letter} read as {new.letter}")
    return rows | {number: tuple(entries) for number, entries in changed.items()}


def _known_byes(report: Report, entries: dict[int, tuple[Entry, ...]], paired: int, said: list[str]) -> None:
    """Byes of rounds not yet paired from 240 and XXZ; for paired rounds the 001 columns have the word."""
    for record in report.records:
        if type(record) is Byes and record.round <= paired:
            unlike = [
                id
                for id in record.ids
                if (entries[id][record.round - 1 :] or (ABSENT,))[0].letter != record.letter
            ]
            said += [
                f"240 {record.letter} of player {id} in round {record.round}: the columns of 001 differ"
                for id in unlike
            ]
            continue
        if type(record) is Byes and record.round == paired + 1:
            bye = Entry(0, "-", record.letter)
        elif type(record) is Absent:
            bye = ABSENT
        else:
            continue
        for id in record.ids:
            past = entries[id][:paired]
            entries[id] = (*past, *([ABSENT] * (paired - len(past))), bye)


def _rounds(report: Report, entries: dict[int, tuple[Entry, ...]], paired: int, said: list[str]) -> int:
    """Declared number of rounds, else as many as have dates or columns."""
    for record in report.records:
        if type(record) is Rounds:
            return record.rounds
    dates = len(report.text("132").split())
    rounds = max(dates, paired, *(len(row) for row in entries.values()))
    said.append(
        f"number of rounds {rounds}: taken from the {'dates' if dates == rounds else 'columns'} of the file"
    )
    return rounds


def _virtual(
    report: Report,
    players: list[PlayerLine],
    scoring: Scoring,
    rounds: int,
    paired: int,
    said: list[str],
) -> dict[int, tuple[int, ...]]:
    """Virtual points by player and round: XXA and 250, else what 192 ``_BAKU`` means."""
    virtual: dict[int, list[int]] = {}
    given = False
    for record in report.records:
        if type(record) is Virtual:
            virtual[record.id] = list(record.points)
            given = True
        elif type(record) is Acceleration:
            given = True
            for player in players:
                if record.from_number <= player.number <= record.to_number:
                    row = virtual.setdefault(player.number, [])
                    row += [0] * (record.last - len(row))
                    for round in range(record.first, record.last + 1):
                        row[round - 1] = record.points
    if not given and report.text("192").upper().endswith("_BAKU"):
        said.append("virtual points: computed from the tournament type (C.04.7)")
        return baku(players, scoring, rounds, paired)
    return {id: tuple(row) for id, row in virtual.items()}


def baku(players: list[PlayerLine], scoring: Scoring, rounds: int, paired: int) -> dict[int, tuple[int, ...]]:
    """Baku acceleration of the numbers of the file (C.04.7:1.2-1.4).

    Who was not paired in round 1 has no number yet and is not in N (C.04.2:2.4); before the first
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


def _individual(report: Report) -> None:
    """Refuse what a crosstable of individuals cannot hold rather than pair without it."""
    problems = [
        Problem(at, 0, record.code, found, "an individual tournament scored by its results")
        for at, record in enumerate(report.records, 1)
        if type(record) is Line and (found := NOT_HERE.get(record.code))
    ]
    if problems:
        raise TrfError(tuple(problems))


def _drawn_colour(report: Report) -> str:
    for record in report.records:
        if type(record) is InitialColour or (type(record) is Configuration and record.colour):
            return record.colour
    return ""


def inferred_colour(rows: list[Row]) -> str:
    """The colour drawn by lot, seen from the first round that has colours.

    The highest number paired by then has it, if its place among all paired by then is odd; whoever was
    never paired is passed over (ruling of August 2026 on C.04.3:5.2.5).
    """
    coloured = [
        index for row in rows for index, entry in enumerate(row.entries) if entry.colour in ("w", "b")
    ]
    if not coloured:
        return ""
    first = min(coloured)
    place = 0
    for row in rows:
        if any(entry.opponent or entry.letter == "U" for entry in row.entries[: first + 1]):
            place += 1
            colour = row.entries[first].colour if first < len(row.entries) else "-"
            if colour in ("w", "b"):
                return colour if place % 2 else ("b" if colour == "w" else "w")
    return ""


def edition_of(report: Report) -> str:
    """The edition record 192 names; the plain code, or none, goes by the start date; empty without one."""
    code = report.text("192").upper().removesuffix("_BAKU")
    if code in ("", "FIDE_DUTCH"):
        start = start_of(report.text("042"))
        if start and start < APPLIED_2026:
            return "dutch-2017"
    return EDITIONS.get(code, "")


def start_of(text: str) -> tuple[int, ...]:
    """Year, month and day of a date as people write it; empty if it is none."""
    parts = text.strip().replace("-", "/").replace(".", "/").split("/")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return ()
    if len(parts[0]) != 4:
        parts.reverse()
    return tuple(map(int, parts)) if len(parts[0]) == 4 else ()


def format_of(report: Report) -> str:
    """Which print of the format a file is in, seen from its records and letters."""
    codes = {record.code for record in report.records}
    if any("142" <= code <= "362" and code.isdecimal() for code in codes) or "###" in codes:
        return "TRF26"
    if any(code[:2] in ("XX", "BB") for code in codes):
        return "TRF(bx)" if any(code[:2] == "BB" for code in codes) else "TRF(x)"
    letters = {entry.letter for player in report.players() for entry in player.entries}
    return "TRF16" if letters & set("WDLHFUZ") else "TRF06"
