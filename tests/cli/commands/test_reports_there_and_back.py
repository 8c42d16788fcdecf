"""What a report says stays said: imported, exported and imported again."""

from pathlib import Path

import pytest

from paircard.cli.main import run
from paircard.domain.messages import Message
from paircard.domain.speaking import Speaker
from paircard.pairing.explain.speaking import Levels, RoundSpeaker, Who
from tests.cli.session import EIGHT, Terminal, imported, play
from tests.refusals import sentence


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    return tmp_path


def line(number: int, points: str, place: int, *rounds: str, rating: int = 0) -> str:
    head = f"001 {number:>4}      {f'Player {number}':<33} {rating or '':>4}{'':28}{points:>4} {place:>4}"
    return head + "".join(f"  {entry}" for entry in rounds)


def report(*lines: str) -> str:
    return "\n".join(("012 Club", "042 2026/03/01", "XXR 3", "XXC white1", *lines, ""))


FOUR = report(
    line(1, "1.0", 2, "   3 w 1"),
    line(2, "1.0", 1, "   4 b 1"),
    line(3, "0.0", 4, "   1 b 0"),
    line(4, "0.0", 3, "   2 w 0"),
)


def there_and_back(text: str, *words: str) -> str:
    """The file that the second import of a report exports; the first export must be the same."""
    Path("in.trf").write_text(text)
    assert run(["--db", "one.db", "trf", "import", "in.trf", *words]) == 0
    assert run(["--db", "one.db", "trf", "export", "-o", "out.trf"]) == 0
    assert run(["--db", "two.db", "trf", "import", "out.trf", *words]) == 0
    assert run(["--db", "two.db", "trf", "export", "-o", "again.trf"]) == 0
    assert Path("again.trf").read_text() == Path("out.trf").read_text()
    return Path("out.trf").read_text()


def places(text: str) -> dict[int, int]:
    return {int(line[4:8]): int(line[85:89]) for line in text.splitlines() if line.startswith("001")}


def test_places_of_a_file_without_tie_breaks_are_kept(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = there_and_back(FOUR)

    assert places(out) == {1: 2, 2: 1, 3: 4, 4: 3}
    assert run(["--db", "one.db", "standings"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("Player 2") < shown.index("Player 1")
    assert run(["--db", "one.db", "standings", "--between", "1", "2"]) == 0
    speaker = RoundSpeaker({id: Who(id, f"Player {id}") for id in (1, 2)}, numbers=False)
    fields = {"player": 2, "other": 1, "tied": Levels((("PTS", "1"),))}
    assert capsys.readouterr().out.splitlines() == [speaker.say(Message("explain.place.file", fields))]


def test_places_of_a_file_make_way_for_the_next_round(folder: Path) -> None:
    Path("in.trf").write_text(FOUR)
    run(["trf", "import", "in.trf"])

    assert run(["pair"]) == 0
    assert run(["publish"]) == 0
    assert run(["result", "2", "1", "½-½", "2", "½-½"]) == 0
    assert run(["trf", "export", "-o", "out.trf"]) == 0

    assert places(Path("out.trf").read_text()) == {1: 1, 2: 1, 3: 3, 4: 3}


def test_lots_and_play_offs_survive_export_and_import(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1", "--tiebreaks", "OTHER_PLAYOFF")
    terminal.ok("player", "import", terminal.write("players.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    play(terminal, 1, "1-0", "1-0", "1-0", "1-0")
    for player, value in (("P1", "0.5"), ("P3", "1.5")):
        terminal.ok("playoff", player, "OTHER_PLAYOFF", value)
    terminal.ok("lots", "--by-hand", "P7", "P5", "P4", "P2", "--why", "agreed")
    terminal.ok("trf", "export", "-o", "out.trf")
    out = (tmp_path / "out.trf").read_text()

    assert terminal.run("--db", "two.db", "trf", "import", "out.trf").code == 0
    assert terminal.run("--db", "two.db", "trf", "export", "-o", "again.trf").code == 0

    assert "### Tie-break OTHER_PLAYOFF: 1=0.5 3=1.5\n" in out
    assert "### Ranked by hand: 7 5 4 2\n" in out
    assert (tmp_path / "again.trf").read_text() == out


def test_a_play_off_value_that_no_record_holds_is_left_out_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remark = "Tie-break OTHER_PLAYOFF: 1=12345678 2=1"
    Path("in.trf").write_text(f"202 OTHER_PLAYOFF\n### {remark}\n{FOUR}")

    assert run(["trf", "import", "in.trf"]) == 0

    what, where = Message("trf.note.remark-without-tiebreak"), Message("trf.at.remark", {"text": remark})
    assert sentence("trf.note.once", what=what, where=where) in capsys.readouterr().out


def test_a_forfeit_without_colours_gets_none_invented(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FOUR.replace("3 w 1", "3 - +").replace("1 b 0", "1 - -")

    out = there_and_back(text)

    assert "     3 - +" in out
    assert "     1 - -" in out
    told = capsys.readouterr().out.splitlines()
    end = imported("Club", "TRF(x)", 4, 1, 3, "dutch-2026")
    codes = (("XXR", "142"), ("XXC", "152"))
    changed = [Message("trf.note.code", {"value": old, "code": new}) for old, new in codes]
    assert told[: told.index(end)] == [
        sentence("import.no-type", edition="dutch-2026", yes=True),
        sentence("trf.note.no-list"),
        sentence("trf.note.codes", changed=changed),
        sentence("trf.note.added", codes=["062", "072", "092", "182", "192"]),
    ], "nothing is noted of the game"


def test_a_round_in_play_comes_back_in_play(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FOUR.replace("3 w 1", "3 w  ").replace("1 b 0", "1 b  ").replace("1.0    2", "0.0    2")

    out = there_and_back(text)

    assert "     3 w\n" in out
    assert run(["--db", "two.db", "result", "1", "1", "1-0"]) == 0


def test_fide_mode_that_was_left_stays_left_by_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = there_and_back(FOUR + "### FIDE mode exited @ Round 1\n")

    assert out.count("### FIDE mode exited @ Round 1\n") == 1
    assert run(["--db", "two.db", "show", "--json"]) == 0
    assert '"fide_mode":false' in capsys.readouterr().out.replace(" ", "")


def test_an_early_closing_is_in_the_report(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("players.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    play(terminal, 1, "1-0", "1-0", "1-0", "1-0")
    terminal.ok("close", "--ack", "rounds-unplayed", "--why", "storm")

    assert "### Closed after round 1 of 3\n" in terminal.ok("trf", "export")


TEN = "name,rating\n" + "".join(f"P{k:02},{2000 - 10 * k}\n" for k in range(1, 11))


def test_the_file_of_an_accelerated_event_leads_to_the_round_that_is_paired(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "9", "--acceleration", "baku")
    terminal.ok("player", "import", terminal.write("players.csv", TEN))
    terminal.ok("draw", "--colour", "white")
    terminal.ok("bye", "grant", "P03", "1", "--half", "--ack", "half-bye-not-announced")
    play(terminal, 1, "1-0", "0-1", "1-0", "1-0")
    terminal.ok("trf", "export", "-o", "out.trf")
    terminal.ok("--db", "two.db", "trf", "import", "out.trf")

    assert "250      01.0 002 003 0003 0003\n" in (tmp_path / "out.trf").read_text()
    for store in ("paircard.db", "two.db"):
        terminal.ok("--db", store, "pair")
    assert terminal.ok("--db", "two.db", "boards") == terminal.ok("--db", "paircard.db", "boards")


def test_fide_ratings_stand_in_001_beside_a_national_list(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1", "--rating-lists", "national", "--federation", "GER")
    players = "name,fide_rating,national_rating\nAda,2100,2150\nBen,0,1900\n"
    terminal.ok("player", "import", terminal.write("players.csv", players))

    out = terminal.ok("trf", "export")

    assert "172 GER NRO\n" in out
    assert "001    1      Ada                               2100" in out
    assert "GER    1      Ada                               2150" in out


def test_a_file_that_is_not_by_the_rules_is_accepted_on_the_record(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in.trf").write_text(FOUR.replace("XXC white1", "XXC black1"))

    assert run(["trf", "import", "in.trf", "--ack", "irregular-import"]) == 0
    capsys.readouterr()
    assert run(["log", "--json"]) == 0

    assert '"3:irregular-import"' in capsys.readouterr().out


def test_days_and_fields_that_are_changed_are_noted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FOUR.replace("2026/03/01", "24/09/2010").replace(
        "001    1      Player 1", "001    1 f wm Player 1"
    )
    there_and_back("062 9\n" + text.replace("1.0    2", "1.0    9"), "--edition", "dutch-2012")

    out = capsys.readouterr().out
    player = Message("trf.at.player", {"number": 1})
    title = Message("trf.note.word-became", {"label": "title", "before": "wm", "after": "WIM"})
    sex = Message("trf.note.word-became", {"label": "sex", "before": "f", "after": "w"})
    place = Message("trf.note.column", {"label": "place"})
    became = Message("trf.at.became", {"number": 1, "value": "9", "code": "2"})
    day = {"label": "first_day", "code": "042", "before": "24/09/2010", "after": "2010/09/24"}
    for note in (
        Message("trf.note.text-became", day),
        Message("trf.note.once", {"what": title, "where": player}),
        Message("trf.note.once", {"what": sex, "where": player}),
        Message("trf.note.once", {"what": place, "where": became}),
        Message("trf.note.players-said", {"text": "9", "number": 4}),
    ):
        assert Speaker().say(note) in out


def test_a_report_is_written_in_trf16_and_trf06_and_says_what_they_cannot_hold(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = report(
        line(1, "2.0", 1, "   2 w W", "0000 - U"),
        line(2, "0.5", 3, "   1 b L", "0000 - H"),
        line(3, "1.0", 2, "0000 - U", "0000 - Z"),
    )
    Path("in.trf").write_text(text)
    run(["trf", "import", "in.trf", "--ack", "irregular-import"])
    capsys.readouterr()

    assert run(["trf", "export", "--for", "trf16"]) == 0
    new, said = capsys.readouterr()
    assert run(["trf", "export", "--for", "trf06"]) == 0
    old, more = capsys.readouterr()

    assert {line[:3] for line in new.splitlines()} <= {"001", "012", "042", "062", "072", "092"}
    assert "     2 w W  0000 - U" in new
    assert "     2 w 1  0000 - +" in old
    assert "     1 b 0  0000 - =" in old
    unwritten = [Message("trf.at.record", {"code": code}) for code in ("142", "152", "182", "192")]
    what = Message("trf.note.record-unwritten")
    assert sentence("trf.note.often", what=what, number=4, spots=unwritten) in said
    half = Message("trf.note.written-as", {"value": "H", "code": "="})
    where = Message("trf.at.round-player", {"round": 2, "number": 2})
    assert sentence("trf.note.once", what=half, where=where) in more
    Path("old.trf").write_text(old)
    words = ["trf", "import", "old.trf", "--edition", "dutch-2026", "--ack", "irregular-import"]
    assert run(["--db", "two.db", *words]) == 0


def test_no_report_looks_final_while_a_game_of_the_last_round_is_open(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1")
    terminal.ok("player", "import", terminal.write("players.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    before = terminal.ok("trf", "export")
    play(terminal, 1, "1-0", "1-0", "1-0")
    playing = terminal.ok("trf", "export")

    assert list(places(before).values()) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert {line[85:89] for line in playing.splitlines() if line.startswith("001")} == {"    "}
    assert "142 1" in terminal.ok("trf", "export", "--for", "bbp")
    assert "     5 w 1" not in terminal.ok("trf", "export", "--for", "bbp")
    terminal.refuses("report.in-play", "trf", "export", "--for", "bbp", "--round", "1", round=1, last=0)
    terminal.ok("result", "1", "4", "adjourned")
    terminal.refuses("report.not-final", "trf", "export", "--for", "bbp", games=((1, 4),), last=0)


def test_a_file_that_gives_somebody_two_byes_is_imported_once_that_is_accepted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = report(
        line(1, "2.0", 1, "   2 w 1", "   2 b 1"),
        line(2, "0.0", 3, "   1 b 0", "   1 w 0"),
        line(3, "2.0", 2, "0000 - U", "0000 - U"),
    )
    Path("in.trf").write_text(text)

    assert run(["trf", "import", "in.trf"]) == 1
    told = sentence("irregular-import.file", file="in.trf", edition="dutch-2026", reason="Round 2: ")
    assert told in capsys.readouterr().err
    assert run(["trf", "import", "in.trf", "--ack", "irregular-import"]) == 0
    assert run(["trf", "export"]) == 0
    assert "### Import @ Round 2: " in capsys.readouterr().out


def test_bonus_and_penalty_points_are_imported_counted_and_written_back(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = report(
        "299           2.0  001    4",
        "299 L         0.5  001    3",
        line(1, "1.0", 2, "   3 w 1"),
        line(2, "1.0", 3, "   4 b 1"),
        line(3, "0.5", 4, "   1 b 0"),
        line(4, "2.0", 1, "   2 w 0"),
    )

    out = there_and_back(text)

    assert "299           0.5  001    3\n299           2.0  001    4\n" in out
    assert places(out) == {1: 2, 2: 3, 3: 4, 4: 1}
    assert run(["--db", "one.db", "pair"]) == 0
    assert "4" in capsys.readouterr().out
    assert run(["--db", "one.db", "trf", "export", "--for", "bbp", "--round", "1"]) == 1
    assert sentence("report.bonus-points") in capsys.readouterr().err


def test_national_ratings_without_their_federation_are_said_at_export(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1", "--rating-lists", "national")
    players = "name,fide_rating,national_rating\nAda,2100,2150\nBen,0,1900\n"
    terminal.ok("player", "import", terminal.write("players.csv", players))

    done = terminal.run("trf", "export")

    assert "001    1      Ada                               2150" in done.out
    assert done.err == f"paircard: {sentence('report.national-ratings', count=2)}\n"
    terminal.ok("change", "--federation", "GER")
    assert "172 GER NRO\n" in terminal.ok("trf", "export")
