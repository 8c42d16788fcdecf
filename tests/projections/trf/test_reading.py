"""A report file becomes a crosstable."""

from typing import Any

import pytest

from paircard.domain.messages import Message, say
from paircard.domain.values.foreign import day_of
from paircard.domain.values.results import Scoring
from paircard.projections.round.crosstable import ABSENT, Entry, Prohibition, points_before
from paircard.projections.trf import TrfError, crosstable, decode, parse, read, render
from paircard.projections.trf.reading import format_of
from tests.refusals import faulty, refuses, sentence


def player(number: int, points: str, *rounds: str, name: str = "") -> str:
    head = f"001 {number:>4}      {name or f'Player {number}':<33} 2000{'':28}{points:>4} {number:>4}"
    assert len(head) == 89
    return head + "".join(f"  {entry}" for entry in rounds)


def found(code: str, /, **fields: Any) -> Message:
    return say(f"trf.found.{code}", **fields)


def fault(line: int, column: int, record: str, found: Message, allowed: str, **fields: Any) -> Message:
    """What is found at a place of a file, and what is allowed there."""
    allows = say(f"trf.allowed.{allowed}", **fields)
    return say("trf.fault-in-column", line=line, column=column, record=record, found=found, allowed=allows)


FOUR = "\n".join(
    [
        "012 Four friends",
        "XXR 5",
        "XXC black1",
        player(1, "1.0", "   3 b 1"),
        player(2, "0.0", "   4 w 0"),
        player(3, "0.0", "   1 w 0"),
        player(4, "1.0", "   2 b 1"),
        "",
    ]
)


def test_a_canonical_file_is_written_back_byte_for_byte() -> None:
    assert render(parse(FOUR)) == FOUR


def test_ids_are_the_starting_ranks_and_rounds_those_declared() -> None:
    table = crosstable(parse(FOUR))

    assert [row.id for row in table.rows] == [1, 2, 3, 4]
    assert (table.rounds, table.paired, table.initial_colour) == (5, 1, "b")
    assert table.rows[0].entries == (Entry(3, "b", "1"),)


@pytest.mark.parametrize("newline", ["\n", "\r", "\r\n"])
def test_every_line_end_is_read(newline: str) -> None:
    assert parse("\ufeff" + FOUR.replace("\n", newline)) == parse(FOUR)


def test_a_column_of_requested_byes_is_the_round_to_be_paired() -> None:
    text = FOUR.replace("2 b 1", "2 b 1  0000 - H")

    table = crosstable(parse(text))

    assert table.paired == 1
    assert table.rows[3].entries[1] == Entry(0, "-", "H")


def test_a_column_in_which_everyone_has_a_bye_is_over() -> None:
    lines = [line + "  0000 - Z" if line.startswith("001") else line for line in FOUR.split("\n")]

    assert crosstable(parse("\n".join(lines))).paired == 2


def test_byes_of_the_next_round_come_from_240_and_xxz_too() -> None:
    table = crosstable(parse(FOUR + "240 H 002    3\nXXZ 4\n"))

    assert table.rows[2].entries[1] == Entry(0, "-", "H")
    assert table.rows[3].entries[1] == ABSENT


def test_a_blank_in_a_paired_round_is_an_absence() -> None:
    text = "\n".join([player(1, "1.0", "        ", "   2 w 1"), player(2, "0.0", "        ", "   1 b 0")])

    table = crosstable(parse(text))

    assert table.rows[0].entries == (ABSENT, Entry(2, "w", "1"))
    assert table.paired == 2


def test_old_letters_are_upgraded_and_each_upgrade_is_noted() -> None:
    text = "\n".join(
        [player(1, "1.0", "0000 - +"), player(2, "0.5", "0000 - ="), player(3, "0.0", "0000 - -")]
    )

    reading = read(parse(text))

    assert [row.entries[0].letter for row in reading.table.rows] == ["U", "H", "Z"]
    of_1 = say("trf.at.round-player", round=1, number=1)
    read_as = say("trf.note.bye-read", value="+", code="U")
    assert say("trf.note.once", what=read_as, where=of_1) in reading.notes
    assert say("trf.note.rounds-from-columns", number=1) in reading.notes


@pytest.mark.parametrize(
    "lines",
    [
        "BBW  3.0\nBBD  1.0\nBBU  2.0\n",
        "162  W 3.0    D 1.0    P 2.0\n",
        "XXS W=3 D=1 PAB=2\n",
    ],
)
def test_the_three_dialects_of_scoring_say_the_same(lines: str) -> None:
    assert crosstable(parse(lines + FOUR.replace(" 1.0 ", " 3.0 "))).scoring == Scoring(
        win=30, draw=10, pab=20
    )


def test_a_bye_is_worth_a_win_unless_the_file_says_otherwise() -> None:
    assert crosstable(parse("BBW  3.0\n" + FOUR.replace(" 1.0 ", " 3.0 "))).scoring.pab == 30


def test_prohibited_pairs_come_from_260_and_xxp() -> None:
    table = crosstable(parse(FOUR + "260 002 003    1    2    4\nXXP 1 3\n"))

    assert table.prohibitions == (Prohibition((1, 2, 4), 2, 3), Prohibition((1, 3)))


def test_virtual_points_come_from_xxa_or_250() -> None:
    by_player = crosstable(parse(FOUR + "XXA    1  1.0  1.0  0.5\n"))
    by_range = crosstable(parse(FOUR + "250      01.0 001 002 0001 0001\n250      00.5 003 003 0001 0001\n"))

    assert by_player.rows[0].virtual == by_range.rows[0].virtual == (10, 10, 5)


def test_baku_accelerates_two_times_a_quarter_of_the_field_rounded_up() -> None:
    players = "\n".join(player(number, "0.0") for number in range(1, 11))

    table = crosstable(parse(f"142 9\n192 FIDE_DUTCH_2026_BAKU\n{players}\n"))

    assert [row.id for row in table.rows if row.virtual] == [1, 2, 3, 4, 5, 6]
    assert table.rows[0].virtual == (10, 10, 10, 5, 5)


def test_the_initial_colour_is_seen_from_the_first_number_ever_paired() -> None:
    text = "\n".join(
        [player(1, "0.0", "0000 - Z"), player(2, "1.0", "   3 b 1"), player(3, "0.0", "   2 w 0")]
    )

    assert crosstable(parse(text)).initial_colour == "b"


@pytest.mark.parametrize(
    ("code", "start", "edition"),
    [
        ("FIDE_DUTCH_2017", "", "dutch-2017"),
        ("FIDE_DUTCH_2026_BAKU", "", "dutch-2026"),
        ("FIDE_DUTCH", "2025/12/30", "dutch-2017"),
        ("FIDE_DUTCH", "2026/02/01", "dutch-2026"),
        ("", "", ""),
    ],
)
def test_the_edition_is_that_of_record_192(code: str, start: str, edition: str) -> None:
    assert read(parse(f"042 {start}\n192 {code}\n{FOUR}")).edition == edition


def test_unknown_records_are_kept_in_order() -> None:
    text = "### MPA @ Round 1: 1-3 => 1-4\n\nXYZ something\n" + FOUR

    assert render(parse(text)) == text


def test_every_fault_of_a_file_is_reported_with_its_place() -> None:
    text = FOUR.replace("   4 w 0", "   4 x 0").replace("   1 w 0", "   1 w 7").replace("XXR 5", "XXR five")

    with pytest.raises(TrfError) as refusal:
        parse(text)

    assert [(p.line, p.column, p.record) for p in refusal.value.problems] == [
        (2, 5, "XXR"),
        (5, 97, "001"),
        (6, 99, "001"),
    ]
    found, allowed = say("trf.found.text", text="x"), say("trf.allowed.colour")
    named = sentence("trf.fault-in-column", line=5, column=97, record="001", found=found, allowed=allowed)
    assert named in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("   4 w 0", "   9 w 0", fault(5, 92, "001", found("opponent", number=9), "player")),
        (
            "   4 w 0",
            "   3 w 0",
            fault(5, 92, "001", found("one-sided", round=1, number=3, first=2), "games-of-both"),
        ),
        (
            "   4 w 0",
            "   4 b 0",
            fault(
                5, 97, "001", found("same-colour", value="b", number=2, first=4, round=1), "opposite-colours"
            ),
        ),
        (
            "   4 w 0",
            "   4 w 1",
            fault(5, 99, "001", found("results", value="1", code="1", number=2, first=4), "results-together"),
        ),
        (
            "   4 w 0",
            "   4 w -",
            fault(5, 99, "001", found("results", value="-", code="1", number=2, first=4), "results-together"),
        ),
        ("   4 w 0", "   2 w 0", fault(5, 92, "001", found("opponent", number=2), "another")),
        ("001    4", "001    3", fault(7, 5, "001", found("rank-again", number=3), "rank-once")),
        ("XXR 5", "XXR 0", fault(2, 5, "XXR", found("text", text="0"), "rounds")),
        (
            "XXC black1",
            "XXP 1 77",
            say(
                "trf.fault-in-line",
                line=3,
                column=0,
                record="XXP",
                found=say("trf.found.rank", number=77),
                allowed=say("trf.allowed.player"),
            ),
        ),
        (
            "XXC black1",
            "XXC black1\n152 W",
            fault(4, 5, "152", found("other-colour", value="w", code="b"), "colour-once"),
        ),
        ("XXC black1", "142 7", fault(3, 5, "142", found("other-rounds", rounds=7, count=5), "rounds-once")),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(old: str, new: str, said: Message) -> None:
    with faulty(said):
        parse(FOUR.replace(old, new))


def test_two_pairing_allocated_byes_in_a_round_are_refused() -> None:
    text = "\n".join([player(1, "1.0", "0000 - U"), player(2, "1.0", "0000 - U")])

    with faulty(fault(2, 99, "001", found("second-pab", round=1), "one-pab", number=1)):
        parse(text)


def test_rounds_beyond_the_declared_number_are_refused() -> None:
    with faulty(fault(7, 102, "001", found("round", round=2), "declared", count=1)):
        parse(FOUR.replace("XXR 5", "XXR 1").replace("2 b 1", "2 b 1  0000 - H"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Dear arbiter,\r\nhere it is.\r\n",
        b"PK\x03\x04\x14\x00\x8d\x00\x90\n\x81",
        b"\x89PNG\n\x00\x00\n1\x00",
        bytes(range(256)),
    ],
    ids=("empty", "a letter", "a workbook", "an image", "all bytes"),
)
def test_a_file_that_is_no_report_is_refused_in_one_sentence(data: bytes) -> None:
    with faulty(say("trf.fault", found=say("trf.found.no-player"), allowed=say("trf.allowed.a-player"))):
        parse(decode(data))


def test_points_that_do_not_add_up_are_refused() -> None:
    with faulty(fault(4, 81, "001", found("points", value="1.5", number=1), "sum", value="1.0")):
        crosstable(parse(FOUR.replace(" 1.0    1", " 1.5    1")))


def test_points_may_hold_the_bye_of_the_round_to_be_paired_and_virtual_points() -> None:
    ahead = FOUR.replace(" 1.0    4     2 b 1", " 2.5    4     2 b 1  0000 - H") + "XXA    4  1.0  1.0\n"

    assert crosstable(parse(ahead)).paired == 1


def test_another_scoring_is_seen_from_the_points_and_told() -> None:
    reading = read(parse(FOUR.replace(" 1.0 ", " 3.0 ")))

    assert reading.table.scoring == Scoring(win=30, draw=10, pab=30)
    assert say("trf.note.scoring-from-points", value="3.0 1.0 0.0", code="3.0") in reading.notes


def test_a_full_point_bye_of_the_next_round_in_old_codes_is_not_the_pab_of_a_paired_one() -> None:
    text = "\n".join(
        [player(1, "1.0", "   2 w 1", "0000 - +"), player(2, "0.0", "   1 b 0"), player(3, "1.0", "0000 - +")]
    )

    table = crosstable(parse(text))

    assert table.paired == 1
    assert [[entry.letter for entry in row.entries] for row in table.rows] == [["1", "F"], ["0"], ["U"]]


def test_several_old_wins_without_opponent_in_a_round_are_full_point_byes() -> None:
    text = "\n".join(
        [player(1, "1.0", "0000 - +"), player(2, "1.0", "0000   1"), player(3, "0.0", "0000 - 0")]
    )

    assert [row.entries[0].letter for row in crosstable(parse(text)).rows] == ["F", "F", "Z"]


@pytest.mark.parametrize(
    ("record", "sign"),
    [
        ("310   1 Team", say("trf.sign.record", code="310")),
        ("362 TW 2.0", say("trf.sign.record", code="362")),
        ("082 4", say("trf.sign.teams", value="4")),
        ("192 FIDE_TEAM_BAKU", say("trf.sign.type", value="FIDE_TEAM_BAKU")),
    ],
)
def test_a_team_tournament_is_refused_in_one_sentence_whatever_else_is_wrong(
    record: str, sign: Message
) -> None:
    for text in (FOUR, FOUR.replace("1.0", "9.0"), FOUR.replace("3 b 1", "3 x 1")):
        with pytest.raises(TrfError) as refusal:
            read(parse(text + record + "\n"))
        [problem] = refusal.value.problems
        assert problem.found == say("trf.found.teams", what=sign)


def test_a_roster_of_a_club_alone_makes_no_team_tournament() -> None:
    roster = f"013 {'Club':<32}   1    2\n"

    assert read(parse(FOUR + roster)).table.paired == 1
    with faulty(
        say(
            "trf.fault-in-line",
            line=8,
            column=0,
            record="013",
            found=say("trf.found.teams", what=say("trf.sign.record", code="013")),
            allowed=say("trf.allowed.no-teams"),
        )
    ):
        parse(FOUR.replace("3 b 1", "3 x 1") + roster)


def test_bonus_and_penalty_points_and_special_values_are_in_the_score() -> None:
    bonus = "299           1.5  001    1\n"
    penalty = "299          -0.5  001    2\n"
    loss = "299 L         0.5  000    3\n"
    text = FOUR.replace(" 1.0    1", " 2.5    1").replace(" 1.0    4", " 1.0    4")
    text = text.replace(" 0.0    2", "-0.5    2").replace(" 0.0    3", " 0.5    3")

    table = read(parse(text + bonus + penalty + loss)).table

    assert [sum(row.extra) for row in table.rows] == [15, -5, 5, 0]
    assert points_before(table, 2) == {1: 25, 2: -5, 3: 5, 4: 10}
    assert render(parse(text + bonus)) == text + bonus
    assert render(parse(text + bonus.replace("001 ", "  1 "))) == text + bonus
    with faulty(fault(4, 81, "001", found("points", value="2.5", number=1), "sum", value="1.0")):
        read(parse(text))


def test_a_caller_that_is_not_strict_gets_descriptive_columns_unjudged() -> None:
    text = FOUR.replace("Player 1" + " " * 26, "Player 1" + "x" * 26)

    with faulty(fault(4, 48, "001", found("text", text="x"), "blank-between-fields")):
        parse(text)
    assert crosstable(parse(text, strict=False)).paired == 1


def test_a_starting_rank_above_9999_is_refused() -> None:
    with faulty(fault(7, 9, "001", found("text", text="0"), "rank")):
        parse(FOUR.replace("001    4  ", "001 10000 "), strict=False)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (FOUR, "TRF(x)"),
        ("BBW  1.0\n" + FOUR, "TRF(bx)"),
        ("142 5\n" + FOUR, "TRF26"),
        ("### a remark\n" + FOUR, "TRF26"),
        (player(1, "0.5", "0000 - H"), "TRF16"),
        (player(1, "0.5", "0000 - ="), "TRF06"),
    ],
)
def test_the_print_of_the_format_is_seen_from_records_and_letters(text: str, format: str) -> None:
    assert format_of(parse(text)) == format


def test_byes_that_the_columns_of_a_paired_round_contradict_are_told() -> None:
    text = FOUR + "240 H 001    1\n"

    of_1 = say("trf.at.round-player", round=1, number=1)
    contradicted = say("trf.note.byes-contradict", code="H")
    assert say("trf.note.once", what=contradicted, where=of_1) in read(parse(text)).notes


def test_byte_order_marks_are_passed_over_however_many() -> None:
    assert parse("\ufeff\ufeff" + FOUR) == parse(FOUR)
    assert render(parse("\ufeff\ufeff" + FOUR)) == FOUR


@pytest.mark.parametrize(
    ("method", "rating"),
    [("FIDE", 2000), ("NRO", 1900), ("FIDON", 2000), ("NIDOF", 1900), ("HBFN", 2000), ("LBFN", 1900)],
)
def test_the_rating_of_an_event_is_what_172_makes_of_fide_and_national_ones(method: str, rating: int) -> None:
    record = f"GER    1      {'Player 1':<33} 1900 GER        1234"
    foreign = f"ITA    2      {'Player 2':<33} 1700"

    reading = read(parse(f"{FOUR}172 GER {method}\n{record}\n{foreign}\n"))

    assert reading.table.rows[0].rating == rating
    assert reading.table.rows[1].rating == (0 if method == "NRO" else 2000)
    assert any("(172 " in line for line in reading.adjustments) == (method not in ("FIDE", "FIDON", "HBFN"))


def test_an_unrated_player_has_the_national_rating_if_fide_ones_come_first() -> None:
    record = f"GER    1      {'Player 1':<33} 1900"
    text = FOUR.replace(" 2000 ", "      ", 1)

    assert crosstable(parse(f"{text}172 GER FIDON\n{record}\n")).rows[0].rating == 1900
    assert crosstable(parse(f"{text}172 GER OTHER\n{record}\n")).rows[0].rating == 0


def test_points_left_blank_are_said_to_be_computed() -> None:
    text = FOUR.replace(" 1.0    1", "        1", 1)

    assert say("trf.note.points-computed", numbers=[1]) in read(parse(text)).notes


def left_after_round_one(gone: str) -> str:
    """Three players, of whom number 3 has these columns in rounds 2 and 3."""
    return "\n".join(
        [
            "XXR 3",
            "XXC white1",
            player(1, "3.0", "   2 w 1", "   2 b 1", "   2 w 1"),
            player(2, "0.0", "   1 b 0", "   1 w 0", "   1 b 0"),
            player(3, "1.0", "0000 - U", *([gone, gone] if gone else [])),
        ]
    )


def test_blank_columns_at_the_end_are_absences_like_blank_columns_between() -> None:
    blank = read(parse(left_after_round_one("")))

    assert blank.table == read(parse(left_after_round_one("0000 - Z"))).table
    assert blank.table.rows[2].entries[1:] == (ABSENT, ABSENT)


def test_a_player_record_with_a_damaged_code_is_refused_not_left_out() -> None:
    damaged = FOUR.replace("001    4", "O01    4").replace("   4 w 0", "0000 - U", 1)
    damaged = damaged.replace("0.0    2", "1.0    2")

    with faulty(fault(7, 1, "O01", found("like-a-player", text="O01"), "code-of-players")):
        read(
            parse(
                FOUR.replace("001    4", "O01    4")
                .replace("   4 w 0", "0000 - U", 1)
                .replace("0.0    2", "1.0    2")
            )
        )


def test_a_lost_record_shows_in_the_number_of_players_and_the_gap() -> None:
    lost = "\n".join(line for line in FOUR.splitlines() if "Player 3" not in line and "Player 1" not in line)

    with faulty(
        say(
            "trf.fault",
            found=say("trf.found.players", count=2, number=4, first=1),
            allowed=say("trf.allowed.all-players"),
        )
    ):
        read(parse(f"062 4\n{lost}\n"))


def test_counts_that_the_records_contradict_and_unknown_records_are_noted() -> None:
    notes = read(parse(f"062 99\n072 3\n{FOUR}")).notes

    assert say("trf.note.players-said", text="99", number=4) in notes
    assert say("trf.note.rated-said", text="3", number=4) in notes
    unknown = say("trf.note.unknown-record", text="QQQ")
    spots = [say("trf.at.line", line=8), say("trf.at.line", line=9)]
    kept = say("trf.note.often", what=unknown, number=2, spots=spots)
    assert kept in read(parse(f"{FOUR}QQQ foo\nQQQ bar\n")).notes


def test_a_number_of_five_thousand_digits_is_refused_like_any_other_wrong_number() -> None:
    for code in ("142", "XXR", "XXZ", "XXP 1", "240 H", "299", "BBW", "XXS W="):
        with refuses(TrfError, "trf.faults") as refusal:
            read(parse(f"{FOUR.replace('XXR 5', '')}{code} {'9' * 5000}\n"))
        assert code[:3] in [fault.fields.get("record") for fault in refusal.value.said.fields["faults"]]


def test_one_line_per_kind_of_note_says_how_often() -> None:
    rows = [player(number, "0.0", "0000 - -", "0000 - -") for number in range(3, 50)]
    text = "\n".join(
        [player(1, "2.0", "   2 w 1", "   2 b 1"), player(2, "0.0", "   1 b 0", "   1 w 0"), *rows]
    )

    [note] = [note for note in read(parse(text)).notes if note.code == "trf.note.more"]

    assert note.fields["what"] == say("trf.note.bye-read", value="-", code="Z")
    assert (note.fields["number"], note.fields["count"], len(note.fields["spots"])) == (94, 86, 8)
    assert note.fields["spots"][:2] == [
        say("trf.at.round-player", round=1, number=3), say("trf.at.round-player", round=2, number=3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/03/01", "2026-03-01"),
        ("2026.03.01", "2026-03-01"),
        ("20260301", "2026-03-01"),
        ("24/09/2010", "2010-09-24"),
        ("09/24/2010", "2010-09-24"),
        ("28. 07. 2005", "2005-07-28"),
        ("May 10, 2020", "2020-05-10"),
        ("10 May 2020", "2020-05-10"),
        ("26/03/01", "2026-03-01"),
        ("2026/02/30", ""),
        ("sometime", ""),
        ("May May 2020", ""),
        ("1/1/1", ""),
        ("", ""),
        ("9" * 5000, ""),
        ("٢٠٢٦/03/01", ""),
    ],
)
def test_days_are_read_in_the_usual_spellings(text: str, day: str) -> None:
    assert day_of(text) == day


def test_the_edition_goes_by_the_day_in_whatever_spelling() -> None:
    assert read(parse(f"042 May 29, 2020\n{FOUR}")).edition == "dutch-2017"
    assert read(parse(f"042 24/09/2010\n{FOUR}")).edition == "dutch-2012"


def test_an_unknown_result_is_read_as_unknown() -> None:
    text = FOUR.replace("3 b 1", "3 b *").replace("1 w 0", "1 w *").replace(" 1.0    1", " 0.5    1")
    reading = read(parse(text.replace(" 0.0    3", " 0.5    3")))

    assert reading.table.rows[0].entries == (Entry(3, "b", "?"),)
    spots = [say("trf.at.round-player", round=1, number=number) for number in (1, 3)]
    unknown = say("trf.note.result-read", text="*", code="?")
    assert say("trf.note.often", what=unknown, number=2, spots=spots) in reading.notes
    with faulty(
        fault(4, 99, "001", found("results", value="*", code="0", number=1, first=3), "results-together")
    ):
        parse(FOUR.replace("3 b 1", "3 b *"))


def test_columns_that_are_all_shifted_by_one_are_said_to_be_so() -> None:
    shifted = "\n".join(line[:13] + line[14:] if line[:3] == "001" else line for line in FOUR.splitlines())

    with pytest.raises(TrfError) as refusal:
        parse(shifted)

    [problem] = refusal.value.problems
    assert (problem.found.code, problem.found.fields["count"]) == ("trf.found.shifted", 4)
    assert problem.allowed == say("trf.allowed.not-shifted")


def test_a_method_of_172_without_its_federation_means_the_one_that_has_records() -> None:
    record = f"FRA    1      {'Player 1':<33} 1900"

    reading = read(parse(f"{FOUR}172 NIDOF\n{record}\n"))

    assert reading.table.rows[0].rating == 1900
    assert say("trf.note.ratings-of", value="FRA", code="NIDOF", numbers=(1,)) in reading.notes
