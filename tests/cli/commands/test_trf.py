"""Report files in and out of the record."""

import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from paircard.cli.main import run
from paircard.domain.messages import Message, say
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.tiebreaks import RULES
from paircard.projections.trf import crosstable, parse, read, render
from paircard.projections.trf.importing import difference
from paircard.projections.trf.writing import report_of
from tests.cautions import codes_up_to
from tests.cli.session import imported
from tests.refusals import sentence

CORPUS = Path(__file__).parents[2] / "corpus"

OLD = """012 Vecchio Torneo
022 Trento
032 ita
042 2009/05/01
052 sometime
102 Anna Arbiter
132                                                                                        09/05/01  09/05/02
001    1 m  g Alpha, A.                         2400 ITA    14109603 1990/04/23  2.0    1     3 w 1     2 b 1
001    2 f NM Beta                              2300 Ned             1991/00/00  1.0    2     4 b 1     1 w 0
001    3      Gamma                             2200                             1.0    3     1 b 0  0000 - +
001    4                                        2100                             0.0    4     2 w 0  0000 - -
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    monkeypatch.delenv("PAIRCARD_DB", raising=False)
    return tmp_path


def test_the_worked_example_comes_in_and_goes_out_as_it_was(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = CORPUS / "six-rounds-baku-2016.trf"

    assert run(["trf", "import", str(source), "--edition", "dutch-2017"]) == 0
    assert run(["trf", "export", "-o", "out.trf"]) == 0
    assert run(["check", "out.trf"]) == 0
    assert run(["verify"]) == 0
    assert run(["explain", "6"]) == 0

    told = imported(
        "FIDE (Dutch) worked example, 6 rounds, Baku 2016 rules", "TRF(x)", 14, 6, 6, "dutch-2017"
    )
    assert told in capsys.readouterr().out
    exported = read(parse((folder / "out.trf").read_text()))
    filed = crosstable(parse(source.read_text()))
    assert difference(exported.table, filed) is None
    assert exported.edition == "dutch-2017"
    assert [(row.name, row.title, row.rating) for row in exported.table.rows] == [
        (row.name, row.title, row.rating) for row in filed.rows
    ]


def note(code: str, /, **fields: Any) -> str:
    """What is told of a file that is taken in."""
    return sentence(f"trf.note.{code}", **fields)


def once(where: Message, code: str, /, **fields: Any) -> str:
    """What is told of one place of it."""
    return note("once", what=Message(f"trf.note.{code}", fields), where=where)


def test_everything_an_old_file_leaves_open_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.trf").write_text(OLD)

    assert run(["trf", "import", "old.trf", "--edition", "dutch-2017"]) == 1
    not_yet = sentence("edition-not-in-force.yet", edition="dutch-2017", when="2017-07-01", day="2009-05-01")
    assert not_yet in capsys.readouterr().err
    assert run(["trf", "import", "old.trf", "--edition", "dutch-2017", "--ack", "edition-not-in-force"]) == 0

    told = capsys.readouterr().out
    one, two = say("trf.at.player", number=1), say("trf.at.player", number=2)
    born = say("trf.at.became", number=2, value="1991/00/00", code="1991")
    for line in (
        once(say("trf.at.round-player", round=2, number=3), "bye-read", value="+", code="U"),
        once(say("trf.at.round-player", round=2, number=4), "bye-read", value="-", code="Z"),
        note("rounds-from-dates", number=2),
        note("colour-inferred", colour="w"),
        note("no-list"),
        note("text-gone", label="last_day", code="052", before="sometime"),
        note("text-became", label="federation", code="032", before="ita", after="ITA"),
        once(one, "word-became", label="title", before="g", after="GM"),
        once(two, "word-gone", label="title", before="NM"),
        once(two, "word-became", label="sex", before="f", after="w"),
        once(born, "column", label="birth"),
        note("player-nameless", number=4, name="Player 4"),
        imported("Vecchio Torneo", "TRF06", 4, 2, 2, "dutch-2017"),
    ):
        assert line in told
    run(["trf", "export"])
    out = capsys.readouterr().out
    assert "001    1 m GM Alpha, A.                         2400 ITA    14109603 1990/04/23  2.0    1" in out
    assert "001    2 w    Beta                              2300 NED             1991        1.0" in out


def test_invisible_characters_and_impossible_births_of_a_file_are_left_out_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden = OLD.replace("Alpha, A. ", "Alp\u202eha, A.").replace("1990/04/23", "1990/02/30")
    assert hidden.count("\u202e") == 1
    (folder / "old.trf").write_text(hidden, encoding="utf-8")

    assert run(["trf", "import", "old.trf", "--edition", "dutch-2012"]) == 0

    told = capsys.readouterr().out
    born = [
        say("trf.at.gone", number=1, value="1990/02/30"),
        say("trf.at.became", number=2, value="1991/00/00", code="1991"),
    ]
    assert note("name-unseen", number=1) in told
    assert note("often", what=say("trf.note.column", label="birth"), number=2, spots=born) in told
    run(["player", "list", "--json"])
    assert '"Alpha, A."' in capsys.readouterr().out


def test_a_file_not_paired_by_the_rules_needs_an_acknowledgement_and_keeps_a_remark(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["012 By hand", "XXR 3", "XXC white1"]
    for number, (points, game) in enumerate(
        (("1.0", "2 w 1"), ("0.0", "1 b 0"), ("1.0", "4 b 1"), ("0.0", "3 w 0")), 1
    ):
        lines.append(f"001 {number:>4}      {'Player':<33} 2000{'':29}{points} {number:>4}     {game}")
    text = "\n".join(lines)
    (folder / "hand.trf").write_text(text)

    assert run(["trf", "import", "hand.trf"]) == 1
    refusal = capsys.readouterr().err
    others = "Round 1: 1-3 4-2 => 1-2 4-3"
    irregular = say("irregular-import.file", file="hand.trf", edition="dutch-2026", reason=others)
    assert sentence("warned", what=irregular, article="", level=3) in refusal
    assert "--ack irregular-import" in refusal
    assert not (folder / "paircard.db").exists()

    assert run(["trf", "import", "hand.trf", "--ack", "irregular-import"]) == 0
    assert run(["trf", "export"]) == 0
    assert "### Import @ Round 1: 1-3 4-2 => 1-2 4-3\n" in capsys.readouterr().out


def test_all_faults_of_a_bad_file_are_shown_and_nothing_is_recorded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.trf").write_text(OLD.replace("3 w 1", "3 w 8").replace("4 b 1", "9 b 1"))

    assert run(["trf", "import", "bad.trf"]) == 1

    err = capsys.readouterr().err
    found, allowed = say("trf.found.text", text="8"), say("trf.allowed.result")
    wrong = say("trf.fault-in-column", line=8, column=99, record="001", found=found, allowed=allowed)
    assert sentence(wrong.code, **wrong.fields) in err
    assert err.rstrip().endswith("nothing was recorded")
    assert not (folder / "paircard.db").exists()


def test_an_import_can_go_on_as_a_tournament(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(CORPUS / "histories-2026.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(".trf")]
        text = archive.read(names[0]).decode()
        answer = archive.read(names[0].replace(".trf", ".pairs")).decode()
    (folder / "in.trf").write_text(text)

    assert run(["trf", "import", "in.trf", "--ack", "irregular-import"]) == 0
    excused = [word for code in codes_up_to(2) for word in ("--ack", code)]
    assert run(["pair", "--why", "all excused", *excused]) == 0
    capsys.readouterr()
    assert run(["trf", "export"]) == 0

    table = crosstable(parse(capsys.readouterr().out))
    boards = {
        f"{row.number} {row.entries[-1].opponent}" for row in table.rows if row.entries[-1].colour == "w"
    } | {f"{row.number} 0" for row in table.rows if row.entries[-1].letter == "U"}
    assert boards == set(answer.splitlines()[1:])


def test_earlier_rounds_and_versions_can_be_exported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["trf", "import", str(CORPUS / "six-rounds-baku-2016.trf"), "--edition", "dutch-2017"])
    capsys.readouterr()

    assert run(["trf", "export", "--round", "2"]) == 0
    assert crosstable(parse(capsys.readouterr().out)).paired == 2
    assert run(["trf", "export", "--version", "25"]) == 0
    assert crosstable(parse(capsys.readouterr().out)).paired == 1
    assert run(["trf", "export", "--round", "7"]) == 1
    assert run(["trf", "export", "--version", "100000"]) == 1


def test_an_expelled_player_is_out_of_the_standings_in_export_check_and_import(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["trf", "import", str(CORPUS / "six-rounds-baku-2016.trf"), "--edition", "dutch-2017"])
    assert run(["player", "expel", "1", "--why", "signals from the bar"]) == 0
    assert run(["trf", "export", "-o", "out.trf"]) == 0
    capsys.readouterr()

    assert run(["check", "out.trf"]) == 0
    assert once(say("trf.at.player", number=1), "no-place") in capsys.readouterr().err

    assert run(["trf", "import", "out.trf", "--name", "Again", "--db", "again.db"]) == 0
    assert run(["trf", "export", "-o", "again.trf", "--db", "again.db"]) == 0
    assert players("again.trf") == players("out.trf")
    assert "### Expulsion @ Round 7: 1" in Path("again.trf").read_text()


def players(file: str) -> list[str]:
    return [line for line in Path(file).read_text().splitlines() if line.startswith("001")]


KEPT = """012 Four friends
092 Swiss, with a view
142 3
152 W
172 GER FIDON
182 Another program
192 FIDE_DUTCH_2026
222 5400+30
222 300+3
### MPA @ Round 1: 1-4 3-2 => 1-3 4-2
001    4 x    One                               2400                             1.0    1     8 w 1
001    6      Two                               2300                             1.0    1     9 b 1
001    8      Three                             2200                             0.0    3     4 b 0
001    9      Four                              2100                             0.0    3     6 w 0
GER    8      Three                             2150 GER        1234 1990/01/01
ITA    9      Four                              2050
013 Two of four                        4    9
ZZZ nobody knows
240 H 009    4
"""


def test_what_the_record_has_no_place_for_is_kept_and_written_back_or_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("kept.trf").write_text(KEPT)

    assert run(["trf", "import", "kept.trf"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert run(["trf", "export"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert note("controller", line=6, text="Another program") in told
    assert once(say("trf.at.line", line=9), "second-record", code="222") in told
    assert once(say("trf.at.player", number=4), "word-gone", label="sex", before="x") in told
    assert once(say("trf.at.round", round=9), "byes-beyond", number=3) in told
    assert note("renumbered") in told
    for line in ("092 Swiss, with a view", "172 GER FIDON", "222 5400+30", "ZZZ nobody knows"):
        assert line in lines
    assert lines.count("222 5400+30") == 1
    assert "### MPA @ Round 1: 1-4 3-2 => 1-3 4-2" in lines
    assert lines[-4:-1] == [
        "GER    3      Three                             2150 GER        1234 1990/01/01",
        "ITA    4      Four                              2050",
        "013 Two of four                        1    4",
    ]


def test_a_corrected_national_rating_stands_in_its_record(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("kept.trf").write_text(KEPT)
    run(["trf", "import", "kept.trf"])
    assert run(["player", "correct", "Three", "--national-rating", "2160", "--why", "newer list"]) == 0
    capsys.readouterr()

    assert run(["trf", "export"]) == 0

    assert "GER    3      Three                             2160 GER        1234 1990/01/01" in (
        capsys.readouterr().out
    )


def test_a_tie_break_nobody_knows_is_left_out_of_an_imported_list_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("kept.trf").write_text(KEPT.replace("222 5400+30\n", "202 BH/C1,FOO,SB,SB\n", 1))

    assert run(["trf", "import", "kept.trf"]) == 0
    told = capsys.readouterr().out
    assert run(["trf", "export"]) == 0

    assert note("tiebreak", what=say("standings.unknown", text="FOO", codes=tuple(RULES))) in told
    assert note("tiebreak", what=say("standings.twice", code="SB")) in told
    assert "202 BH/C1,SB\n" in capsys.readouterr().out


def test_several_ratings_come_back_from_a_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["new", "League", "--rounds", "3", "--tiebreaks", "ARO", "--tiebreak-ratings", "round"])
    for name in ("Alfa", "Bravo", "Carla", "Delta"):
        run(["player", "add", name, "--rating", str(2400 - 10 * ord(name[0]))])
    run(["draw", "--colour", "white"])
    run(["pair", "1"])
    run(["publish", "1"])
    run(["result", "1", "1", "1-0", "2", "1-0"])
    assert run(["player", "rating", "Alfa", "2001", "--from", "2"]) == 0
    run(["pair", "2"])
    run(["publish", "2"])
    run(["result", "2", "1", "1-0", "2", "1-0"])
    run(["trf", "export", "-o", "out.trf"])
    capsys.readouterr()

    assert run(["check", "out.trf"]) == 0
    assert run(["trf", "import", "out.trf", "--db", "again.db"]) == 0
    assert run(["trf", "export", "--db", "again.db", "-o", "again.trf"]) == 0

    assert "### Ratings @ Round 2: 1=2001\n" in Path("out.trf").read_text()
    assert Path("again.trf").read_text() == Path("out.trf").read_text()


def test_national_ratings_have_records_of_their_own_and_the_check_goes_by_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("players.csv").write_text(
        "name,fide_rating,national_rating,national_id\n"
        "Alfa,2400,2100,77\nBravo,2300,2350,\nCarla,,2200,\nDelta,2250,,\n"
    )
    lists = ["--federation", "GER", "--rating-lists", "national,standard"]
    run(["new", "Cup", "--rounds", "3", "--tiebreaks", "ARO", *lists])
    assert run(["player", "import", "players.csv"]) == 0
    run(["draw", "--colour", "white"])
    run(["pair", "1"])
    run(["publish", "1"])
    run(["result", "1", "1", "1-0", "2", "½-½"])
    run(["trf", "export", "-o", "out.trf"])
    capsys.readouterr()

    assert run(["check", "out.trf"]) == 0
    assert run(["trf", "import", "out.trf", "--db", "again.db"]) == 0
    assert run(["trf", "export", "--db", "again.db", "-o", "again.trf"]) == 0

    lines = Path("out.trf").read_text().splitlines()
    assert "172 GER NIDOF" in lines
    assert [line[14:52].split() for line in lines if line[:3] == "001"] == [
        ["Bravo", "2300"], ["Delta", "2250"], ["Carla"], ["Alfa", "2400"],
    ]  # fmt: skip
    assert [line[:52].split() for line in lines if line[:3] == "GER"] == [
        ["GER", "1", "Bravo", "2350"], ["GER", "3", "Carla", "2200"], ["GER", "4", "Alfa", "2100"],
    ]  # fmt: skip
    assert Path("again.trf").read_text() == Path("out.trf").read_text()


def test_remarks_of_ours_that_name_nobody_are_left_out_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = (
        f"### Expulsion @ Round 2: {'9' * 5000}\n### Expulsion @ Round 0: 4\n### Ratings @ Round 9: 4=2500\n"
    )
    Path("kept.trf").write_text(KEPT + odd)

    assert run(["trf", "import", "kept.trf"]) == 0

    told = capsys.readouterr().out
    remarks = [
        say("trf.at.remark", text=f"Expulsion @ Round 2: {'9' * 5000}"),
        say("trf.at.remark", text="Expulsion @ Round 0: 4"),
    ]
    assert note("often", what=say("trf.note.remark-of-nobody"), number=2, spots=remarks) in told
    assert note("later-rating", rating=2500, number=4, first=9) in told


def test_a_large_irregular_import_tells_every_board(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    neighbours = tuple(
        Row(
            id=number,
            number=number,
            name=f"Player {number:04}",
            entries=(Entry(number + 1, "w", "1") if number % 2 else Entry(number - 1, "b", "0"),),
        )
        for number in range(1, 301)
    )
    table = Crosstable(rows=neighbours, rounds=3, paired=1, initial_colour="w")
    Path("large.trf").write_text(render(report_of(table, texts=[("012", "Neighbours")])))

    assert run(["trf", "import", "large.trf", "--ack", "irregular-import"]) == 0
    assert "Import @ Round 1: 1-151 " in capsys.readouterr().out


def test_the_dialect_of_bbp_has_no_code_it_does_not_know(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(
        [
            "trf",
            "import",
            str(CORPUS / "six-rounds-baku-2016.trf"),
            "--edition",
            "dutch-2026",
            "--ack",
            "irregular-import",
        ]
    )
    capsys.readouterr()

    assert run(["trf", "export", "--for", "bbp", "--crlf"]) == 0

    out = capsys.readouterr().out
    assert "192 FIDE_DUTCH\r\n" in out


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_tournaments_of_the_corpus_come_back_as_they_went(
    edition: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(CORPUS / f"{edition}.zip") as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()[::9]]
    for at, text in enumerate(texts):
        (folder / f"{at}.trf").write_text(text)
        db = ["--db", f"{at}.db"]
        assert run([*db, "trf", "import", f"{at}.trf", "--edition", edition]) == 0
        assert run([*db, "trf", "export", "-o", f"out{at}.trf"]) == 0
        assert run(["check", f"out{at}.trf"]) == 0
        exported = crosstable(parse((folder / f"out{at}.trf").read_text()))
        assert difference(exported, crosstable(parse(text))) is None


SHARED = Path(os.environ.get("PAIRCARD_SHARED", Path(__file__).parents[4] / "shared")) / "corpus"


@pytest.mark.soak
def test_the_whole_corpus_comes_back_as_it_went(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not SHARED.is_dir():
        pytest.skip(f"no corpus at {SHARED}")
    count = 0
    for archive in sorted(SHARED.glob("*-20*/*.zip")):
        edition = "dutch-2026" if "2026" in archive.parent.name else "dutch-2017"
        irregular = ["--ack", "irregular-import"] if archive.parent.name[:5] != "dutch" else []
        if archive.parent.name == "dutch-2012":
            irregular = ["--ack", "irregular-import"]  # paired by an older text
        with zipfile.ZipFile(archive) as files:
            for name in files.namelist():
                if not name.endswith(".trf"):
                    continue
                text = files.read(name).decode()
                Path("in.trf").write_text(text)
                db = ["--db", f"{count}.db"]
                assert run([*db, "trf", "import", "in.trf", "--edition", edition, *irregular]) == 0, name
                assert run([*db, "trf", "export", "-o", "out.trf"]) == 0, name
                assert irregular or run(["check", "out.trf"]) == 0, name
                assert (
                    difference(crosstable(parse(Path("out.trf").read_text())), crosstable(parse(text)))
                    is None
                ), name
                for left in folder.glob(f"{count}.db*"):
                    left.unlink()
                count += 1
                capsys.readouterr()
    assert count > 3900


def test_a_rating_above_all_lists_is_left_out_of_either_record_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    high = KEPT.replace("2400    ", "5000    ").replace("2150 GER", "9150 GER")
    Path("kept.trf").write_text(high)

    assert run(["trf", "import", "kept.trf"]) == 0

    told = capsys.readouterr().out
    assert once(say("trf.at.player", number=4), "rating-too-high", rating=5000, highest=4000) in told
    assert once(say("trf.at.player", number=8), "national-too-high", rating=9150, highest=4000) in told
    assert run(["player", "list", "--json"]) == 0
    assert '"fide_rating": 0,' in capsys.readouterr().out
