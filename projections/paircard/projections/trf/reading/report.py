"""What a report says about the tournament: the crosstable, the rules in force, and what had to be assumed."""

import msgspec

from paircard.projections.round.crosstable import Crosstable, Prohibition, Row
from paircard.projections.trf.format.problems import TrfError
from paircard.projections.trf.format.records import Apart, Configuration, Line, PlayerLine, Report
from paircard.projections.trf.format.teams import with_teams
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading.abnormal import extra_points
from paircard.projections.trf.reading.acceleration import virtual_points
from paircard.projections.trf.reading.colour import initial_colour
from paircard.projections.trf.reading.header import edition_of
from paircard.projections.trf.reading.national import ratings
from paircard.projections.trf.reading.records import check_records
from paircard.projections.trf.reading.remarks import further_ratings
from paircard.projections.trf.reading.rounds import (
    add_known_byes,
    announced_rounds,
    entries_of,
    has_one_code_for_byes,
    paired_rounds,
)
from paircard.projections.trf.reading.scoring import fitting, scoring_of, scoring_text


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A report understood."""

    table: Crosstable
    edition: str
    """From record 192; empty if the file does not say, or names a system that is not the Dutch one."""
    system: str
    """Record 192 as it stands."""
    adjustments: tuple[str, ...]
    """Notes on every upgrade of an old code and everything inferred, for people."""
    undeclared: str = ""
    """The scoring that alone explains the points, where the file announces another or none; else empty."""


def crosstable(report: Report) -> Crosstable:
    """The crosstable of a report: ids are the starting ranks of the file."""
    return read(report).table


def read(report: Report) -> Reading:
    """Everything a pairing needs of a report."""
    try:
        return _read(report)
    except TrfError as wrong:
        lines = [record.text if type(record) is Line else "" for record in report.records]
        raise TrfError(tuple(with_teams(lines, wrong.problems))) from None


def _read(report: Report) -> Reading:
    notes = Notes()
    check_records(report, notes)
    players = sorted(report.players(), key=lambda player: player.number)
    paired = paired_rounds(players)
    entries = entries_of(players, paired, notes)
    add_known_byes(report, entries, paired, notes)
    rounds = announced_rounds(report, entries, paired, notes)
    announced = scoring_of(report)
    virtual = virtual_points(report, players, announced, rounds, paired, notes)
    scoring = fitting(report, entries, announced, virtual, paired, notes)
    extra = extra_points(report, entries, scoring, paired)
    numbers = numbers_of(report)
    unplaced = _unplaced(players, notes)
    later_ratings = further_ratings(report)
    national = ratings(report, notes)
    rows = [
        Row(
            id=player.number,
            number=numbers[player.number],
            entries=entries[player.number],
            virtual=virtual.get(player.number, ()),
            extra=extra.get(player.number, ()),
            name=player.name,
            title=player.title,
            rating=national.get(player.number, player.rating),
            ratings=tuple(sorted(later_ratings.get(player.number, {}).items())),
            federation=player.federation,
            status="expelled" if player.number in unplaced else "",
        )
        for player in players
    ]
    rows.sort(key=lambda row: row.number)
    table = Crosstable(
        rows=tuple(rows),
        rounds=rounds,
        paired=paired,
        scoring=scoring,
        initial_colour=initial_colour(report, rows, notes),
        prohibitions=tuple(
            Prohibition(record.ids, record.first or 1, record.last or 999)
            for record in report.records
            if type(record) is Apart
        ),
        one_code_for_byes=has_one_code_for_byes(players),
    )
    return Reading(
        table=table,
        edition=edition_of(report),
        system=report.text("192"),
        adjustments=notes.lines(),
        undeclared="" if scoring == announced else scoring_text(scoring),
    )


def numbers_of(report: Report) -> dict[int, int]:
    """Pairing number by starting rank: the same, or the order of the file under JaVaFo's ``XXC rank``."""
    players = report.players()
    if any(type(record) is Configuration and record.by_rank for record in report.records):
        return {player.number: at for at, player in enumerate(players, 1)}
    return {player.number: player.number for player in players}


def _unplaced(players: list[PlayerLine], notes: Notes) -> frozenset[int]:
    """Players without a place where others have one: outside the standings, as the expelled are (VCL 198)."""
    without = [player.number for player in players if not player.place]
    if not without or len(without) == len(players):
        return frozenset()
    for number in without:
        notes.add("no place, taken as outside the standings", f"player {number}")
    return frozenset(without)
