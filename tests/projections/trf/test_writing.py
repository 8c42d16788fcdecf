"""A crosstable becomes a TRF26 report, and the same in the words of bbpPairings."""

import pytest

from paircard.domain.values.results import Scoring
from paircard.projections.round.crosstable import Crosstable, Entry, Prohibition, Row
from paircard.projections.trf import crosstable, parse, read, render
from paircard.projections.trf.records import Acceleration, Byes, ScoringLine
from paircard.projections.trf.writing import acceleration_records, for_bbp, report_of, trfx

TABLE = Crosstable(
    rows=(
        Row(
            id=11,
            number=1,
            entries=(Entry(13, "w", "1"), Entry(0, "-", "H")),
            virtual=(30, 15),
            name="Alpha",
            rating=2400,
        ),
        Row(id=12, number=2, entries=(Entry(14, "b", "?"),), virtual=(30, 15), name="Beta", rating=2300),
        Row(id=13, number=3, entries=(Entry(11, "b", "0"),), name="Gamma", rating=2200),
        Row(id=14, number=4, entries=(Entry(12, "w", "?"),), name="Delta", rating=2100),
    ),
    rounds=5,
    paired=1,
    scoring=Scoring(win=30, draw=15, absence=5, pab=15),
    initial_colour="w",
    prohibitions=(Prohibition((12, 13), 1, 999),),
)


def test_ids_become_numbers_and_everything_the_pairing_needs_is_there() -> None:
    report = report_of(
        TABLE, texts=[("012", "Open"), ("202", "BH")], system="FIDE_DUTCH_2026", places={11: 1}
    )

    table = crosstable(parse(render(report)))

    assert [row.number for row in table.rows] == [1, 2, 3, 4]
    assert table.rows[0].entries == (Entry(3, "w", "1"), Entry(0, "-", "H"))
    assert table.rows[0].virtual == (30, 15)
    assert (table.rounds, table.paired, table.initial_colour) == (5, 1, "w")
    assert table.scoring == TABLE.scoring
    assert table.prohibitions == (Prohibition((2, 3), 1, 5),)
    assert read(report).edition == "dutch-2026"


def test_records_stand_in_the_order_of_the_writer_checklist() -> None:
    report = report_of(
        TABLE, texts=[("012", "Open"), ("182", "Paircard"), ("202", "BH")], system="FIDE_DUTCH_2026"
    )

    codes = [record.code for record in report.records]

    assert codes == [
        "012",
        "142",
        "152",
        "162",
        "182",
        "192",
        "202",
        *["001"] * 4,
        "240",
        "250",
        "250",
        "260",
    ]


def test_a_game_in_progress_is_written_without_a_result() -> None:
    running = Crosstable(
        rows=(
            Row(id=1, number=1, entries=(Entry(2, "w", ""),)),
            Row(id=2, number=2, entries=(Entry(1, "b", ""),)),
        ),
        rounds=3,
        paired=1,
    )

    text = render(report_of(running))

    assert crosstable(parse(text)).rows[0].entries == (Entry(2, "w", ""),)


def test_runs_of_players_and_rounds_share_a_250_line() -> None:
    assert acceleration_records(TABLE.rows) == [
        Acceleration(30, 1, 1, 1, 2),
        Acceleration(15, 2, 2, 1, 2),
    ]


def test_the_dialect_of_bbp_says_z_for_absence_and_a_draw_for_an_adjourned_game() -> None:
    report = for_bbp(report_of(TABLE, system="FIDE_DUTCH_2026"))

    assert ScoringLine((("W", 30), ("D", 15), ("Z", 5), ("P", 15))) in report.records
    assert report.text("192") == "FIDE_DUTCH"
    assert report.players()[1].entries == (Entry(4, "b", "="),)
    assert Byes("H", 2, (1,)) in report.records


def test_the_dialect_of_bbp_spells_out_baku() -> None:
    text = render(report_of(TABLE, system="FIDE_DUTCH_2026"))
    short = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("250"))

    report = for_bbp(parse(short))

    assert [r for r in report.records if type(r) is Acceleration] == [
        Acceleration(30, 1, 2, 1, 2),
        Acceleration(15, 3, 3, 1, 2),
    ]


@pytest.mark.parametrize(
    ("edition", "letters"),
    [("dutch-2017", "UFHZH"), ("dutch-2012", "++=-="), ("dutch-2012-javafo", "++=-=")],
)
def test_programs_of_2012_get_byes_by_their_points_alone(edition: str, letters: str) -> None:
    """JaVaFo 1.4 takes neither U nor F for a bye, and would give a second one"""
    rows = tuple(
        Row(id=number, number=number, entries=tuple(Entry(0, "-", letter) for letter in entries))
        for number, entries in enumerate(("U", "F", "H", "Z", "ZH"), 1)
    )
    table = Crosstable(rows=rows, rounds=3, paired=1, initial_colour="w")

    written = trfx(table, "Old", edition).players()

    assert "".join(line.entries[-1].letter for line in written) == letters
    again = crosstable(parse(render(trfx(table, "Old", edition))))
    assert [row.entries[0].letter for row in again.rows][2:] == ["H", "Z", "Z"]
