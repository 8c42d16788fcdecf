"""Bad input: one clear line, nothing written. ``refused`` checks both, and that no traceback is shown."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from tests.cli.session import BY_HAND, Terminal
from tests.refusals import refuses, sentence


def test_an_unknown_player_is_refused(playing: Terminal) -> None:
    playing.refuses("no-player-called", "player", "withdraw", "Zoe", text="Zoe", candidates=0, each=())
    playing.refuses("no-such-number", "card", "9", number=9, last=4)
    playing.refuses("no-such-player", "card", "#9", id="p9", last=4)
    ada = say("player-with-number", name="Ada", number=1, id="p1")
    dag = say("player-with-number", name="Dag", number=4, id="p4")
    playing.refuses("several-players", "card", "a", text="a", candidates=2, each=(ada, dag))
    assert "may be FM Ada" not in playing.refused("card", "a")


def test_an_unknown_round_or_board_is_refused(playing: Terminal) -> None:
    playing.refuses("round-not-paired", "result", "2", "1", "1-0", round=2, last=1)
    playing.refuses("no-such-board", "result", "1", "3", "1-0", round=1, board=3, last=2)
    playing.refuses("round-not-paired", "boards", "7", round=7, last=1)
    playing.refuses("round-not-paired", "standings", "--after", "2", round=2, last=1)
    playing.refuses("round-out-of-range", "bye", "grant", "Ada", "9", round=9, rounds=3)


def test_a_result_before_the_round_is_published_is_refused(registered: Terminal) -> None:
    registered.refuses("round-not-paired", "result", "1", "1", "1-0", round=1, last=0)
    registered.write("round1.txt", "1 3\n4 2\n")
    registered.ok("pair", "--boards", "round1.txt", *BY_HAND)
    registered.refuses("round-not-published", "result", "1", "1", "1-0", round=1)


@pytest.mark.parametrize("result", ["1-1", "1-½", "½F-0F", "1F-0", "2-0", "", "ten", "1" * 10_000])
def test_impossible_results_and_half_forfeits_are_refused(playing: Terminal, result: str) -> None:
    playing.refuses("result-unreadable", "result", "1", "1", result, codes=("1", "=", "0", "+", "-", "--"))


def test_one_bad_result_among_many_writes_none(playing: Terminal) -> None:
    playing.refuses(
        "result-unreadable",
        "result",
        "1",
        "1",
        "1-0",
        "2",
        "1-1",
        text="1-1",
        codes=("1", "=", "0", "+", "-", "--"),
    )
    playing.write("results.txt", "1 1-0\n9 0-1\n")
    unknown = sentence("no-such-board", round=1, board=9, last=2)
    told = playing.refused("result", "1", "--file", "results.txt")
    assert told == f"results.txt: line 2: {unknown}"


def test_a_second_result_for_a_board_is_refused(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")

    playing.refuses("result-there", "result", "1", "1", "0-1", round=1, board=1)


def test_a_double_registration_is_refused(registered: Terminal) -> None:
    registered.ok("player", "add", "Eve", "--fide-id", "12345")

    registered.refuses("fide-id-taken", "player", "add", "Eva", "--fide-id", "12345", player=5, id="12345")
    assert "--ack same-person" in registered.refused("player", "add", "Ada")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["A" * 10_000], say("text-too-long", label="name", count=10_000, most=100)),
        (["A\x07da"], say("text-unprintable", label="name", code="U+0007", place=2)),
        (["Ada\nBen"], say("text-unprintable", label="name", code="U+000A", place=4)),
        ([""], say("text-empty", label="name")),
        (["Eve", "--rating", "-5"], say("rating-out-of-range", rating=-5, name="Eve", highest=4000)),
        (["Eve", "--rating", "99999"], say("rating-out-of-range", rating=99999, name="Eve", highest=4000)),
        (["Eve", "--title", "XM"], say("title-unknown", text="XM")),
        (["Eve", "--federation", "italy"], say("federation-unknown", text="ITALY")),
        (["Eve", "--birth", "yesterday"], say("birth-unknown", text="yesterday")),
    ],
)
def test_impossible_players_are_refused(registered: Terminal, words: list[str], told: Message) -> None:
    registered.refuses(told.code, "player", "add", *words, **told.fields)


def test_a_name_that_is_not_utf_8_is_refused(registered: Terminal) -> None:
    before = registered.contents()
    import subprocess
    import sys

    words = [sys.executable.encode(), b"-m", b"paircard.cli", b"player", b"add", b"Jos\xe9"]
    done = subprocess.run(words, cwd=registered.folder, env=registered.environment, capture_output=True)

    assert done.returncode == 1
    told = sentence("text-unprintable", label="name", code="U+DCE9", place=4)
    assert done.stderr.startswith(f"paircard: {told}".encode())
    assert registered.contents() == before


TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
COLUMNS = (
    "name", "family", "given", "sex", "title", "rating", "fide_rating", "rapid_rating", "blitz_rating",
    "national_rating", "federation", "fide_id", "national_id", "birth", "club", "k_factor", "estimated",
)  # fmt: skip


def in_line(line: int, code: str, /, **fields: Any) -> Message:
    return say("import.line", line=line, what=Message(code, fields))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", say("import.empty")),
        (b"name\n", say("import.no-players")),
        (b"name,ratng\nAda,1\n", say("cli.unknown-columns", line=1, codes=("'ratng'",), known=COLUMNS)),
        (b"name,rating\nEve,strong\n", in_line(2, "import.not-a-number", label="rating", text="strong")),
        (b"name,rating\nEve,1500\nFay,-1\n", in_line(3, "import.not-a-number", label="rating", text="-1")),
        (b"name\nEve\nJos\xe9\x81\n", say("import.not-in-encoding", value="")),
        (b'name\n"Eve\n', say("import.not-csv", line=2, reason="unexpected end of data")),
        (b"name,rating\nEve,1500,GM\n", in_line(2, "import.too-many-values", count=3, most=2)),
        (b"name,title\nEve,KING\n", in_line(2, "title-unknown", text="KING", known=TITLES)),
        (b"name\nEve\x01\n", in_line(2, "text-unprintable", label="name", code="U+0001", place=4)),
        (b"name,fide_id\nEve,7\nEva,7\n", in_line(3, "fide-id-taken", player=5, id="7")),
        (b"name;title;rating\nEve;;1500\n,,1500\n", in_line(3, "import.parted-otherwise", text=",")),
        (b"\x81\xff\x00\n" * 9, say("import.not-a-text")),
        (b"name\x00\n", say("import.not-a-text")),
    ],
)
def test_a_bad_csv_is_refused_by_line_and_column(registered: Terminal, content: bytes, told: Message) -> None:
    registered.write("players.csv", content)

    line = f"players.csv: {sentence(told.code, {5: 'Eve'}, **told.fields)}"
    assert registered.refused("player", "import", "players.csv").startswith(line)


def test_a_file_that_is_not_there_is_refused(registered: Terminal) -> None:
    assert registered.refused("player", "import", "none.csv") == "none.csv: no such file or directory"
    assert registered.refused("player", "import", ".") == ".: is a directory"
    told = registered.refused("restore", "none.db", code=2)
    missing = "invalid value for 'BACKUP': File 'none.db' does not exist"  # click says so
    assert told == sentence("cli.ended.misused", value=missing, path="paircard restore")
    assert registered.refused("move", "none.db", "new.db") == "none.db: no such file or directory"
    assert not (registered.folder / "new.db").exists()
    takes = sentence("cli.takes.words", value="NAME DAY")
    see = sentence("cli.ended.misused", value=takes, path="paircard lists remove")
    assert registered.refused("lists", "remove", "fide", code=2).endswith(see)
    assert registered.refused("pair", "--boards", "none.txt") == "none.txt: no such file or directory"
    registered.refuses("store.no-file", "show", "--db", "none.db", file="none.db")
    assert not (registered.folder / "none.db").exists()


def test_boards_that_are_no_round_are_refused(registered: Terminal) -> None:
    twice = say("player-seated-again", player=1, round=1, count=2)
    for text, told in (
        ("1 2\n1 3\n", twice),
        ("1 9\n", say("no-such-number", number=9, last=4)),
        ("one two\n", say("cli.not-two-seats", path="boards.txt", line=1, text="one two")),
        ("", say("cli.file-without-boards", path="boards.txt")),
        ("1 1\n", twice),
    ):
        registered.write("boards.txt", text)
        registered.refuses(told.code, "pair", "--boards", "boards.txt", *BY_HAND, **told.fields)


def test_a_round_out_of_turn_is_refused(playing: Terminal) -> None:
    playing.refuses("round-not-next", "pair", "3", "--boards", "round1.txt", round=3, next=2)
    playing.refuses("round-paired", "pair", "1", "--boards", "round1.txt", round=1)
    playing.refuses("reason-missing", "unpair", deed=say("deed.unpairing-published", round=1))
    playing.refuses("results-missing", "complete", round=1, boards=(1, 2))
    playing.refuses("results-missing-at-close", "close", round=1, boards=(1, 2))


def test_regulations_that_no_event_could_have_are_refused_and_make_no_file(terminal: Terminal) -> None:
    for words, told in (
        (["X", "--rounds", "0"], say("rounds-not-possible", count=0, most=99)),
        (
            ["X", "--rounds", "3", "--edition", "dutch-1999"],
            say("choice-unknown", label="edition", text="dutch-1999"),
        ),
        (["X", "--rounds", "3", "--tiebreaks", "FOO"], say("standings.unknown", text="FOO")),
        (["X", "--rounds", "3", "--pab", "2"], say("pab-too-high", points=20, theirs=10)),
        (["X", "--rounds", "3", "--draw", "0.7"], say("draws-too-high", points=14, theirs=10)),
        (["", "--rounds", "3"], say("text-empty", label="tournament")),
    ):
        terminal.refuses(told.code, "new", *words, **told.fields)
    assert list(terminal.folder.iterdir()) == []


def test_wrong_usage_ends_with_two_and_one_line(playing: Terminal) -> None:
    unknown = sentence("cli.no-such-command.near", text="piar", known=["'pair'"])
    assert playing.refused("piar", code=2) == sentence("cli.ended.misused", value=unknown, path="paircard")
    see = sentence("cli.ended.misused", value="", path="paircard result")
    assert playing.refused("result", "one", "1", "1-0", code=2).endswith(see)
    playing.refuses("cli.results-in-pairs", "result", "1", "1", exit=2)
    assert "missing option '--rounds'" in playing.refused("new", "X", code=2)
    playing.refuses("cli.no-such-option.near", "show", "--xyz", exit=2)
    playing.refuses("cli.correct-what", "player", "correct", "Ada", exit=2)
    playing.refuses("cli.correct-which", "correct", "1", "1", "--why", "x", exit=2)


def test_a_foreign_an_empty_and_a_damaged_file_are_refused_untouched(playing: Terminal) -> None:
    playing.write("notes.db", "dear diary")
    playing.refuses("store.not-ours", "show", "--db", "notes.db")
    playing.refuses("store.not-ours", "new", "X", "--rounds", "3", "--db", "notes.db")
    with closing(sqlite3.connect(playing.folder / "other.db")) as db:
        db.execute("CREATE TABLE t (x)")
    playing.refuses("store.of-another", "show", "--db", "other.db")
    playing.write("empty.db", b"")
    playing.refuses("store.is-empty", "show", "--db", "empty.db")
    playing.refuses("store.is-folder", "show", "--db", ".")


def test_a_damaged_file_is_refused(playing: Terminal) -> None:
    path = playing.folder / "paircard.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + random.Random(1).randbytes(len(whole) - 100))

    playing.refuses("store.damaged", "show")


def test_a_fact_changed_by_hand_is_refused_by_whoever_reads_or_writes(playing: Terminal) -> None:
    with closing(sqlite3.connect(playing.folder / "paircard.db")) as db:
        db.execute("UPDATE stored_events SET state = replace(state, '2100', '2800')")
        db.commit()

    playing.refuses("store.fact-changed", "result", "1", "1", "1-0")
    playing.refuses("store.fact-changed", "player", "list")


def test_a_file_of_a_newer_version_is_refused(playing: Terminal) -> None:
    with closing(sqlite3.connect(playing.folder / "paircard.db")) as db:
        db.execute("PRAGMA user_version=99")

    playing.refuses("store.newer-read", "show")


@pytest.mark.slow
def test_a_locked_file_is_refused_after_a_while(playing: Terminal) -> None:
    with closing(sqlite3.connect(playing.folder / "paircard.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert playing.error("result", "1", "1", "1-0").said.code == "store.busy"


def test_a_decision_made_on_an_old_version_is_refused(playing: Terminal, tmp_path: Path) -> None:
    from paircard.domain.commands import Meta, PairRound
    from paircard.domain.errors import StaleDecision

    playing.ok("result", "1", "1", "1-0", "2", "0-1")
    with Tournaments(tmp_path / "paircard.db") as log:
        [one] = log.tournaments()
        meta = Meta(who="Anna", when="2026-11-16T09:00:00Z", command_id="x")
        stale = PairRound(
            round=2, boards=((1, 2), (3, 4)), based_on=one.version, snapshot="0" * 64, meta=meta
        )
        playing.ok("player", "add", "Eve", "--why", "train")
        with refuses(StaleDecision, "pairing-stale", round=2):
            log.ask(one.id, stale)


def test_a_tournament_with_no_engine_round_says_what_to_do(terminal: Terminal) -> None:
    terminal.ok("new", "Tiny", "--rounds", "3")
    terminal.refuses("nobody-registered", "pair")
    terminal.ok("player", "add", "Ada")
    terminal.refuses("colour-not-drawn", "pair")
    terminal.ok("draw", "--colour", "black")
    terminal.refused("pair")
