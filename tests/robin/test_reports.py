"""Round robins in report files: the code of their system, free days, files of other programs, and checks."""

import json
from pathlib import Path

import pytest

from paircard.domain.messages import say
from paircard.domain.values.regulations import Regulations
from paircard.pairing import engine_of, pair
from paircard.pairing.berger import Plan
from paircard.pairing.lab.check import check_table, follows_the_table
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.standings import open_games
from paircard.projections.trf import parse, read, render
from paircard.projections.trf.export import code_of
from paircard.projections.trf.records import Announced, rules_of_code
from paircard.projections.trf.writing import report_of
from tests.cli.session import Terminal
from tests.refusals import sentence


def robin(players: int, cycles: int = 1, exchange: bool = False, rounds: int = 0) -> Crosstable:
    """An event played to a round, by the table."""
    plan = Plan(players, cycles, exchange)
    played = rounds or plan.rounds
    entries = {number: [Entry()] * played for number in range(1, players + 1)}
    for round in range(1, played + 1):
        for white, black in plan.boards(round):
            entries[white][round - 1] = Entry(black, "w", "=")
            entries[black][round - 1] = Entry(white, "b", "=")
    return Crosstable(
        rows=tuple(
            Row(id=number, number=number, name=f"Player {number}", entries=tuple(row))
            for number, row in entries.items()
        ),
        rounds=plan.rounds,
        paired=played,
        predetermined=True,
    )


def text_of(table: Crosstable, system: str = "", *texts: tuple[str, str]) -> str:
    return render(report_of(table, texts=[("012", "Club"), *texts], system=system))


@pytest.mark.parametrize(
    ("code", "regulations"),
    [
        ("FIDE_ROUNDROBIN", Regulations(name="x", rounds=0, edition="round-robin")),
        ("FIDE_DOUBLEROUNDROBIN", Regulations(name="x", rounds=0, edition="round-robin", cycles=2)),
        (
            "BERGER_DOUBLEROUNDROBIN",
            Regulations(name="x", rounds=0, edition="round-robin", cycles=2, exchange=False),
        ),
        ("BERGER_ROUNDROBIN_G3", Regulations(name="x", rounds=0, edition="round-robin", cycles=3)),
        ("CUSTOM_ROUNDROBIN", Regulations(name="x", rounds=0, edition="round-robin", table="hand")),
        ("FIDE_DUTCH_2026", Regulations(name="x", rounds=5)),
    ],
)
def test_every_system_has_its_code(code: str, regulations: Regulations) -> None:
    assert code_of(regulations) == code
    assert rules_of_code(code).edition == regulations.edition


def test_codes_of_other_programs_are_understood() -> None:
    once = Announced("round-robin", 1)

    assert [rules_of_code(code) for code in ("BERGER_ROUNDROBIN", "berger_roundrobin_g1")] == [once, once]
    assert rules_of_code("BERGER_ROUNDROBIN_G2") == rules_of_code("BERGER_DOUBLEROUNDROBIN")
    assert rules_of_code("FIDE_DOUBLEROUNDROBIN") == Announced("round-robin", 2, exchange=True)
    assert rules_of_code("FIDE_DUTCH_2026_BAKU").edition == "dutch-2026"
    assert rules_of_code("FIDE_SCHEVENINGEN") == Announced()


@pytest.mark.parametrize("players", [3, 4, 7, 10])
@pytest.mark.parametrize("cycles", [1, 2])
def test_a_file_without_192_is_a_round_robin_if_everybody_met_everybody(players: int, cycles: int) -> None:
    reading = read(parse(text_of(robin(players, cycles))))

    assert reading.edition == "round-robin"
    assert reading.table.predetermined
    assert say("trf.note.round-robin-seen", count=cycles) in reading.notes
    assert "trf.note.colour-inferred" not in [note.code for note in reading.notes]


def test_a_file_that_says_swiss_or_is_not_complete_is_none() -> None:
    swiss = text_of(robin(4), "", ("092", "Individual: Swiss-System"))
    part = text_of(robin(6, rounds=4))
    drawn = text_of(robin(4)).replace("142 3", "142 3\n152 W")

    for text in (swiss, part, drawn):
        assert not read(parse(text)).table.predetermined


def test_an_unfinished_file_that_calls_itself_a_round_robin_is_one() -> None:
    reading = read(parse(text_of(robin(6, rounds=4), "", ("092", "Individual: Round Robin"))))

    assert (reading.edition, reading.table.predetermined, reading.table.rounds) == ("round-robin", True, 5)


def test_the_free_day_is_worth_nothing_whatever_bye_a_program_writes_for_it() -> None:
    text = text_of(robin(5), "FIDE_ROUNDROBIN").replace("0000 - Z", "0000 - U")
    reading = read(parse(text))

    free = [entry for row in reading.table.rows for entry in row.entries if not entry.opponent]
    assert free == [Entry()] * 5
    free_day = say("trf.note.free-day", value="U")
    assert free_day in [note.fields.get("what") for note in reading.notes]


# --- checks


@pytest.mark.parametrize(("players", "cycles", "exchange"), [(5, 1, False), (8, 2, True), (6, 2, False)])
def test_a_table_that_was_followed_has_no_discrepancy(players: int, cycles: int, exchange: bool) -> None:
    double = "FIDE_DOUBLEROUNDROBIN" if exchange else "BERGER_DOUBLEROUNDROBIN"
    code = double if cycles == 2 else "FIDE_ROUNDROBIN"
    reading = read(parse(text_of(robin(players, cycles, exchange), code)))

    assert not any(check_table(reading.table, "round-robin", pair))
    followed = follows_the_table(robin(players, cycles, exchange), "round-robin", pair)
    assert followed is not None
    assert followed.exchange == exchange or cycles == 1
    assert engine_of("round-robin").name == "paircard-berger/1"


def checked(path: Path, text: str) -> tuple[int, str]:
    path.write_text(text, encoding="utf-8")
    done = Terminal(path.parent).run("check", path.name)
    return done.code, done.out + done.err


def test_check_names_a_wrong_pair_wrong_colours_and_meetings(tmp_path: Path) -> None:
    table = robin(4)
    good = text_of(table, "FIDE_ROUNDROBIN")
    rows = list(table.rows)
    turned = [
        Row(id=r.id, number=r.number, name=r.name, entries=(*r.entries[:2], turn(r.entries[2]))) for r in rows
    ]
    twice = [Row(id=r.id, number=r.number, name=r.name, entries=(*r.entries[:2], r.entries[0])) for r in rows]

    assert checked(tmp_path / "good.trf", good)[0] == 0
    code, said = checked(tmp_path / "turned.trf", text_of(with_rows(table, turned), "FIDE_ROUNDROBIN"))
    assert code == 1
    colours = sentence("pairing.check.colours-only")
    assert f"round 3: {colours}, expected 2-4 3-1, found 1-3 4-2" in said
    code, said = checked(tmp_path / "twice.trf", text_of(with_rows(table, twice), "FIDE_ROUNDROBIN"))
    assert code == 1
    assert "round 3: expected 2-4 3-1, found 1-4 2-3" in said
    met = [(1, 3, 0), (1, 4, 2), (2, 3, 2), (2, 4, 0)]
    each = [say("pairing.check.met", first=a, last=b, count=count) for a, b, count in met]
    assert sentence("pairing.check.meetings", cycle=1, each=each, most=0) in said
    found = json.loads(Terminal(tmp_path).run("check", "turned.trf", "twice.trf", "--json").out)["cases"]
    codes = [[one.get("message", {}).get("code") for one in case["discrepancies"]] for case in found]
    assert codes == [["pairing.check.colours-only"], [None, "pairing.check.meetings"]]


def turn(entry: Entry) -> Entry:
    return Entry(entry.opponent, {"w": "b", "b": "w"}.get(entry.colour, "-"), entry.letter)


def with_rows(table: Crosstable, rows: list[Row]) -> Crosstable:
    return Crosstable(rows=tuple(rows), rounds=table.rounds, paired=table.paired, predetermined=True)


def test_rounds_by_hand_are_checked_for_meetings_and_colours_only(tmp_path: Path) -> None:
    table = robin(4)
    mixed = [
        Row(id=r.id, number=r.number, name=r.name, entries=(r.entries[2], r.entries[0], r.entries[1]))
        for r in table.rows
    ]
    by_hand = with_rows(table, mixed)

    assert checked(tmp_path / "hand.trf", text_of(by_hand, "CUSTOM_ROUNDROBIN"))[0] == 0
    assert checked(tmp_path / "table.trf", text_of(by_hand, "FIDE_ROUNDROBIN"))[0] == 1
    code, said = checked(tmp_path / "unsaid.trf", text_of(by_hand))
    assert code == 0
    assert sentence("cli.check.by-hand") in said


# --- random round robins


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--cycles", "2"),
        ("--cycles", "2", "--no-exchange"),
        ("--cycles", "3"),
        ("--withdrawals", "20%", "--postponed", "5%", "--corrections", "10%"),
    ],
)
def test_generated_round_robins_are_found_right_by_the_check(more: tuple[str, ...], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    asked = ("--system", "round-robin", "--seed", "7", "--count", "12")
    assert terminal.run("generate", "many", *asked, *more).code == 0

    done = terminal.run("check", "many")
    assert (done.code, done.out.split(", ")[0]) == (0, "12 tournaments"), done
    assert "0 discrepancies" in done.out


def test_who_leaves_a_random_round_robin_forfeits_the_rest_and_a_postponed_game_is_open(
    tmp_path: Path,
) -> None:
    terminal = Terminal(tmp_path)
    asked = ("--seed", "5", "--withdrawals", "4:1", "--postponed", "2", "--corrections", "2")
    terminal.run("generate", "x.trf", "--system", "round-robin", "--players", "8", *asked)
    text = (tmp_path / "x.trf").read_text()
    table = read(parse(text)).table

    gone = [row for row in table.rows if all(now.letter == "-" for now in row.entries[3:])]
    assert len(gone) == 1
    assert len(open_games(table)) == 2
    assert text.count("### Correction @ Round ") == 2
    assert not any(line[85:89].strip() for line in text.splitlines() if line[:3] == "001")  # VCL 161


def test_a_random_round_robin_has_no_byes_and_is_for_no_other_engine(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    robin = ("generate", "x.trf", "--system", "round-robin")

    no_byes = sentence("pairing.not-of-these-rules", label="half_point_byes", edition="round-robin")
    assert no_byes in terminal.run(*robin, "--half-point-byes", "2").err
    assert sentence("cli.table-not-compared") in terminal.run(*robin, "--for", "bbp").err
    not_bh = sentence("standings.not-in-a-round-robin", code="BH")
    assert not_bh in terminal.run(*robin, "--tiebreaks", "BH").err
    assert not list(tmp_path.iterdir())
