"""Laws of the report file: what is written is read back, and no text whatever breaks the reader."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.domain.messages import say
from paircard.projections.round.crosstable import Entry
from paircard.projections.trf import PlayerLine, Report, TrfError, parse, read, render
from paircard.projections.trf.records import (
    Absent,
    Acceleration,
    Apart,
    Byes,
    Configuration,
    InitialColour,
    Line,
    Record,
    Rounds,
    ScoringLine,
    Virtual,
    Worth,
    Worths,
)
from tests.examples import examples
from tests.refusals import faulty, refuses

SIDES = (("1", "0"), ("=", "="), ("0", "0"), ("=", "0"), ("+", "-"), ("-", "-"), ("W", "L"), ("D", "D"))

words = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), max_size=10)
tenths = st.integers(0, 999)


def player_lines(size: int, rounds: list[list[int]], draw: st.DrawFn) -> list[PlayerLine]:
    entries: dict[int, list[Entry]] = {number: [] for number in range(1, size + 1)}
    for order in rounds:
        for white, black in zip(order[::2], order[1::2], strict=False):
            ours, theirs = draw(st.sampled_from(SIDES))
            entries[white].append(Entry(black, "w", ours))
            entries[black].append(Entry(white, "b", theirs))
        if size % 2:
            entries[order[-1]].append(Entry(0, "-", draw(st.sampled_from("UHFZ"))))
    return [
        PlayerLine(
            number=number,
            sex=draw(st.sampled_from(["", "m", "w"])),
            title=draw(st.sampled_from(["", "GM", "WFM"])),
            name=draw(words),
            rating=draw(st.integers(0, 9999)),
            federation=draw(st.sampled_from(["", "ITA", "NED"])),
            fide_id=draw(st.sampled_from(["", "14109603", "1"])),
            points=draw(tenths),
            place=draw(st.integers(0, 9999)),
            entries=tuple(entries[number]),
        )
        for number in range(1, size + 1)
    ]


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Consistent reports with every kind of record, in any order."""
    size = draw(st.integers(1, 7))
    ids = list(range(1, size + 1))
    played = draw(st.lists(st.permutations(ids), max_size=4))
    players = player_lines(size, played, draw)
    some = st.lists(st.sampled_from(ids), min_size=2, max_size=4).map(tuple)
    others = st.one_of(
        st.builds(Line, words.map(lambda text: f"012 {text}")),
        st.builds(Line, words.map(lambda text: f"### {text}")),
        st.just(Line("")),
        st.builds(Rounds, st.sampled_from(["142", "XXR"]), st.just(9)),
        st.just(InitialColour("w")),
        st.builds(ScoringLine, st.lists(st.tuples(st.sampled_from("WDLAPX"), tenths), min_size=1).map(tuple)),
        st.builds(Byes, st.sampled_from("FHZ"), st.integers(1, 9), some),
        st.builds(Acceleration, tenths, st.just(1), st.integers(1, 9), st.just(1), st.integers(1, 9999)),
        st.builds(Apart, st.just("260"), some, st.just(2), st.integers(2, 9)),
        st.builds(Apart, st.just("XXP"), some),
        st.builds(Configuration, st.sampled_from(["", "w"]), st.booleans()),
        st.builds(Absent, some),
        st.builds(Worths, st.lists(st.tuples(st.sampled_from(["WW", "PAB", "L"]), tenths)).map(tuple)),
        st.builds(Virtual, st.sampled_from(ids), st.lists(tenths, max_size=9).map(tuple)),
        st.builds(Worth, st.sampled_from(["BBW", "BBD", "BBL", "BBU"]), tenths),
    )
    records: list[Record] = [*players, *draw(st.lists(others, max_size=8))]
    return Report(tuple(draw(st.permutations(records))))


@examples(50)
@given(reports())
def test_what_is_written_is_read_back(report: Report) -> None:
    assert parse(render(report)) == report


@examples(50)
@given(reports(), st.sampled_from(["\n", "\r", "\r\n"]))
def test_writing_again_what_was_read_changes_nothing(report: Report, newline: str) -> None:
    text = render(report, newline)

    assert render(parse(text), newline) == text


@given(st.text())
def test_any_text_is_a_report_or_a_typed_error(text: str) -> None:
    try:
        read(parse(text))
    except TrfError:
        return
    assert "001" in text


@pytest.mark.parametrize(
    "record",
    [
        PlayerLine(number=10_000),
        PlayerLine(number=1, name="x" * 34),
        PlayerLine(number=1, name=" padded"),
        PlayerLine(number=1, rating=-5),
        PlayerLine(number=1, points=12_345),
        PlayerLine(number=1, entries=(Entry(12_345, "w", "1"),)),
        PlayerLine(number=1, entries=(Entry(0, "-", " "),)),
        Line("two\nlines"),
        Line("XXR 9"),
        Rounds("142", 0),
        Worth("BBX", 10),
        Apart("260", (1, 2), 5, 3),
    ],
)
def test_a_record_that_would_not_be_read_back_is_not_written(record: Record) -> None:
    with pytest.raises(ValueError, match=r"fit|written|blank"):
        render(Report((record,)))


SAMPLE = """012 Four friends
042 2026/03/01
142 5
152 W
162  W 1.0    D 0.5    P 0.5
192 FIDE_DUTCH_2026_BAKU
### Correction @ Round 1: 1-3: 1-0 => 0-1
001    1 m GM Alpha, A.                         2400 ITA    14109603 1990/01/01  1.5    1     3 w 1  0000 - H
001    2 w    Beta                              2300 NED             1991        1.0    2     4 b 1     3 w 0
001    3      Gamma                             2200                             1.0    3     1 b 0     2 b 1
001    4      Delta                             2100                             0.5    4     2 w 0  0000 - U
240 H 003    4
250      01.0 001 002 0001 0002
260 001 003    1    2
XXC rank white1
XXZ 2
XXA    1  1.0  0.5
XXP 1 4
XXS W=1.0 D=0.5
BBU  0.5
"""


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few wounds: characters, columns, lines and blocks changed, lost or doubled."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(7)
        if kind == 0:
            text = (
                text[:at]
                + chr(chance.choice((0, 9, 10, 13, 32, 45, 48, 57, 122, 233, 0x2028, 0x661)))
                + text[at:]
            )
        elif kind == 1:
            text = text[:at] + text[at + chance.randint(1, 12) :]
        elif kind == 2:
            text = text[:at] + chance.choice("0123456789 wbWB-+=HFUZ?.") + text[at + 1 :]
        elif kind == 3:
            lines = text.split("\n")
            lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
            text = "\n".join(lines)
        elif kind == 4:
            text = text[:at]
        elif kind == 5:
            lines = text.split("\n")
            chance.shuffle(lines)
            text = "\n".join(lines)
        else:
            other = chance.randrange(len(text) + 1)
            text = text[:at] + text[other : other + chance.randint(1, 200)] + text[at:]
    return text


def fuzz(count: int, seed: int) -> tuple[int, int]:
    chance = random.Random(seed)
    fine = refused = 0
    for _ in range(count):
        text = mutated(SAMPLE, chance)
        try:
            report = parse(text)
            read(report)
        except TrfError:
            refused += 1
        else:
            fine += 1
            assert parse(render(report)) == report
    return fine, refused


def test_the_sample_is_canonical_and_reads() -> None:
    report = parse(SAMPLE)

    assert render(report) == SAMPLE
    assert read(report).table.paired == 2


def test_wounded_files_are_read_or_refused_and_nothing_else() -> None:
    fine, refused = fuzz(1_000, seed=26)

    assert fine > 50
    assert refused > 500


@pytest.mark.soak
def test_a_hundred_thousand_wounded_files_are_read_or_refused_and_nothing_else() -> None:
    fine, refused = fuzz(100_000, seed=2026)

    assert fine + refused == 100_000


def lasting(lines: int, bad: bool) -> float:
    line = SAMPLE.split("\n")[9].replace("4 b 1", "4 b x") if bad else "XYZ " + "x" * 100
    text = SAMPLE + (line + "\n") * lines
    start = time.process_time()
    try:
        parse(text)
    except TrfError:
        assert bad
    return time.process_time() - start


@pytest.mark.soak
@pytest.mark.parametrize("bad", [False, True])
def test_ten_times_the_lines_take_nothing_like_a_hundred_times_as_long(bad: bool) -> None:
    lasting(1_000, bad)
    short = min(lasting(1_000, bad) for _ in range(3))

    assert min(lasting(10_000, bad) for _ in range(3)) < 40 * short


def test_one_line_of_two_hundred_million_characters_is_refused() -> None:
    with faulty(
        say(
            "trf.fault-in-line",
            line=1,
            column=0,
            record="001",
            found=say("trf.found.long-line", number=200000003),
            allowed=say("trf.allowed.length", number=100000),
        )
    ):
        parse("001" + "9" * 200_000_000)


@examples(30)
@given(st.integers(1, 400))
def test_a_round_beyond_the_columns_of_a_line_is_refused(round: int) -> None:
    text = SAMPLE.replace("     3 w 0", "     3 w 0" + " " * 10 * round + "  0000 - Z")

    if round > 2:
        with refuses(TrfError, "trf.faults") as refusal:
            parse(text)
        [fault] = refusal.value.said.fields["faults"]
        assert fault.fields["allowed"] == say("trf.allowed.declared", count=5)
