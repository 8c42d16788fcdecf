"""A crosstable as a TRF26 report."""

from collections.abc import Mapping, Sequence

from paircard.domain.values.results import STANDARD
from paircard.projections.round.crosstable import Crosstable, Entry, Row, points_before
from paircard.projections.trf.format.player import BLANK
from paircard.projections.trf.format.records import (
    Abnormal,
    Acceleration,
    Apart,
    Byes,
    InitialColour,
    Line,
    PlayerLine,
    Record,
    Report,
    Rounds,
    ScoringLine,
)
from paircard.projections.trf.format.systems import CODES


def report_of(
    table: Crosstable,
    *,
    texts: Sequence[tuple[str, str]] = (),
    edition: str = "",
    remarks: Sequence[str] = (),
    places: Mapping[int, int] | None = None,
    details: Mapping[int, PlayerLine] | None = None,
) -> Report:
    """The report of a crosstable.

    ``texts`` are text records (code and content) in file order; ``remarks`` become ``###`` lines;
    ``places`` are ranks by id; ``details`` hold sex, FIDE id and birth date by id. The numbers of the
    file are the pairing numbers of the table, in the past rounds too.
    """
    rows = [row for row in table.rows if row.number]
    numbers = {row.id: row.number for row in rows}
    accelerated = any(any(row.virtual) for row in rows)
    records: list[Record] = [Line(f"{code} {text}".rstrip()) for code, text in texts if code < "142"]
    records.append(Rounds("142", table.rounds))
    if table.initial_colour:
        records.append(InitialColour(table.initial_colour))
    records += scoring_records(table)
    records += [Line(f"{code} {text}".rstrip()) for code, text in texts if "142" <= code < "192"]
    if edition:
        records.append(Line(f"192 {CODES[edition]}{'_BAKU' if accelerated else ''}"))
    records += [Line(f"{code} {text}".rstrip()) for code, text in texts if code >= "192"]
    records += [Line(f"### {remark}") for remark in remarks]
    points = points_before(table, table.paired + 1)
    known = details or {}
    ranks = places or {}
    for row in sorted(rows, key=lambda row: row.number):
        detail = known.get(row.id)
        records.append(
            PlayerLine(
                number=row.number,
                sex=detail.sex if detail else "",
                title=row.title,
                name=row.name[:33].strip(),
                rating=row.rating,
                federation=row.federation,
                fide_id=detail.fide_id if detail else "",
                birth=detail.birth if detail else "",
                points=points[row.id],
                place=ranks.get(row.id, 0),
                entries=entries_of(row, table.paired, numbers),
            )
        )
    records += bye_records(rows, table.paired)
    records += acceleration_records(rows)
    records += abnormal_records(rows)
    records += [
        Apart("260", tuple(sorted(numbers[id] for id in ban.ids)), ban.first, min(ban.last, table.rounds))
        for ban in table.prohibitions
        if len(ban.ids) > 1 and all(id in numbers for id in ban.ids)
    ]
    return Report(tuple(records))


def entries_of(row: Row, paired: int, numbers: Mapping[int, int]) -> tuple[Entry, ...]:
    """The rounds paired so far, opponents by number; a game in progress has no letter yet."""
    entries = [
        Entry(numbers.get(entry.opponent, 0), entry.colour, entry.letter or " ")
        for entry in row.entries[:paired]
    ]
    entries += [Entry()] * (paired - len(entries))
    while entries and entries[-1] == BLANK:
        entries.pop()
    return tuple(entries)


def scoring_records(table: Crosstable) -> list[Record]:
    """162, only where something differs from the default; P only where it is not a win."""
    scoring = table.scoring
    values = [
        (symbol, value)
        for symbol, value, standard in (
            ("W", scoring.win, STANDARD.win),
            ("D", scoring.draw, STANDARD.draw),
            ("L", scoring.loss, STANDARD.loss),
            ("A", scoring.absence, STANDARD.absence),
            ("P", scoring.pab, scoring.win),
        )
        if value != standard
    ]
    return [ScoringLine(tuple(values))] if values else []


def bye_records(rows: Sequence[Row], paired: int) -> list[Record]:
    """240 for rounds not yet paired."""
    byes: dict[tuple[int, str], list[int]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        for round, entry in enumerate(row.entries[paired:], paired + 1):
            if entry.letter in ("F", "H", "Z"):
                byes.setdefault((round, entry.letter), []).append(row.number)
    return [Byes(letter, round, tuple(ids)) for (round, letter), ids in sorted(byes.items())]


def abnormal_records(rows: Sequence[Row]) -> list[Record]:
    """299: one line for each round and number of points that players have beyond their results."""
    groups: dict[tuple[int, int], list[int]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        for round, points in enumerate(row.extra, 1):
            if points:
                groups.setdefault((round, points), []).append(row.number)
    return [Abnormal("", points, round, tuple(ids)) for (round, points), ids in sorted(groups.items())]


def acceleration_records(rows: Sequence[Row]) -> list[Record]:
    """250: one line for each run of numbers and of rounds with the same virtual points."""
    ordered = sorted(rows, key=lambda row: row.number)
    records: list[Record] = []
    at = 0
    while at < len(ordered):
        end = at
        while end + 1 < len(ordered) and ordered[end + 1].virtual == ordered[at].virtual:
            end += 1
        virtual = ordered[at].virtual
        first = 0
        while first < len(virtual):
            last = first
            while last + 1 < len(virtual) and virtual[last + 1] == virtual[first]:
                last += 1
            if virtual[first]:
                numbers = ordered[at].number, ordered[end].number
                records.append(Acceleration(virtual[first], first + 1, last + 1, *numbers))
            first = last + 1
        at = end + 1
    return records
