"""Bad input: one clear line, nothing written. ``refused`` checks both, and that no traceback is shown."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.messages import say
from tests.cli.session import BY_HAND, Terminal
from tests.refusals import refuses


def test_an_unknown_player_is_refused(playing: Terminal) -> None:
    playing.refuses("no-player-called", "player", "withdraw", "Zoe", text="Zoe", candidates=0, each=())
    playing.refuses("no-such-number", "card", "9", number=9, last=4)
    playing.refuses("no-such-player", "card", "#9", id="p9", last=4)
    assert "may be FM Ada" not in playing.refused("card", "a")
    assert playing.refused("card", "a").startswith("'a' may be Ada (no. 1, p1), Dag (no. 4, p4): name one")


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
    assert playing.refused("result", "1", "--file", "results.txt") == (
        "results.txt: line 2: round 1 has boards 1 to 2, not 9"
    )


def test_a_second_result_for_a_board_is_refused(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")

    playing.refuses("result-there", "result", "1", "1", "0-1", round=1, board=1)


def test_a_double_registration_is_refused(registered: Terminal) -> None:
    registered.ok("player", "add", "Eve", "--fide-id", "12345")

    registered.refuses("fide-id-taken", "player", "add", "Eva", "--fide-id", "12345", player=5, id="12345")
    assert "--ack same-person" in registered.refused("player", "add", "Ada")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["A" * 10_000], "name has 10,000 characters: at most 100"),
        (["A\x07da"], "unprintable character U+0007"),
        (["Ada\nBen"], "unprintable character U+000A"),
        ([""], "name is empty"),
        (["Eve", "--rating", "-5"], "rating -5 of Eve is not 0 (unrated) to 4000"),
        (["Eve", "--rating", "99999"], "rating 99999 of Eve is not 0 (unrated) to 4000"),
        (["Eve", "--title", "XM"], "title 'XM' is unknown"),
        (["Eve", "--federation", "italy"], "federation 'ITALY' is not a code"),
        (["Eve", "--birth", "yesterday"], "birth 'yesterday' is neither"),
    ],
)
def test_impossible_players_are_refused(registered: Terminal, words: list[str], message: str) -> None:
    assert message in registered.refused("player", "add", *words)


def test_a_name_that_is_not_utf_8_is_refused(registered: Terminal) -> None:
    before = registered.contents()
    import subprocess
    import sys

    words = [sys.executable.encode(), b"-m", b"paircard.cli", b"player", b"add", b"Jos\xe9"]
    done = subprocess.run(words, cwd=registered.folder, env=registered.environment, capture_output=True)

    assert done.returncode == 1
    assert done.stderr.startswith(b"paircard: name has an unprintable character")
    assert registered.contents() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "players.csv: the sheet is empty: its first line names the columns"),
        (b"name\n", "players.csv: contains no players"),
        (b"name,ratng\nAda,1\n", "players.csv: line 1: unknown columns 'ratng': rename them"),
        (
            b"name,rating\nEve,strong\n",
            "players.csv: line 2: rating 'strong' is not a number; nothing was changed",
        ),
        (b"name,rating\nEve,1500\nFay,-1\n", "players.csv: line 3: rating '-1' is not a number"),
        (b"name\nEve\nJos\xe9\x81\n", "players.csv: the file is not a text in UTF-8 or of Windows"),
        (b'name\n"Eve\n', "players.csv: line 2: unexpected end of data"),
        (b"name,rating\nEve,1500,GM\n", "players.csv: line 2: 3 values under 2 headings"),
        (b"name,title\nEve,KING\n", "players.csv: line 2: title 'KING' is unknown"),
        (b"name\nEve\x01\n", "players.csv: line 2: name has an unprintable character"),
        (b"name,fide_id\nEve,7\nEva,7\n", "players.csv: line 3: FIDE id 7 belongs to"),
        (
            b"name;title;rating\nEve;;1500\n,,1500\n",
            "players.csv: line 3: ',' parts the values of this line, and another sign those of the file",
        ),
        (b"\x81\xff\x00\n" * 9, "players.csv: this is neither a text nor an Excel file"),
        (b"name\x00\n", "players.csv: this is neither a text nor an Excel file"),
    ],
)
def test_a_bad_csv_is_refused_by_line_and_column(registered: Terminal, content: bytes, message: str) -> None:
    registered.write("players.csv", content)

    assert registered.refused("player", "import", "players.csv").startswith(message)


def test_a_file_that_is_not_there_is_refused(registered: Terminal) -> None:
    assert registered.refused("player", "import", "none.csv") == "none.csv: no such file or directory"
    assert registered.refused("player", "import", ".") == ".: is a directory"
    told = registered.refused("restore", "none.db", code=2)
    assert told == "invalid value for 'BACKUP': File 'none.db' does not exist (see paircard restore --help)"
    assert registered.refused("move", "none.db", "new.db") == "none.db: no such file or directory"
    assert not (registered.folder / "new.db").exists()
    assert "it takes NAME DAY (see" in registered.refused("lists", "remove", "fide", code=2)
    assert registered.refused("pair", "--boards", "none.txt") == "none.txt: no such file or directory"
    registered.refuses("store.no-file", "show", "--db", "none.db", file="none.db")
    assert not (registered.folder / "none.db").exists()


def test_boards_that_are_no_round_are_refused(registered: Terminal) -> None:
    for text, message in (
        ("1 2\n1 3\n", "appears twice in round 1"),
        ("1 9\n", "no player has the pairing number 9: they are 1 to 4"),
        ("one two\n", "boards.txt: line 1"),
        ("", "boards.txt: contains no boards"),
        ("1 1\n", "appears twice in round 1"),
    ):
        registered.write("boards.txt", text)
        assert message in registered.refused("pair", "--boards", "boards.txt", *BY_HAND)


def test_a_round_out_of_turn_is_refused(playing: Terminal) -> None:
    playing.refuses("round-not-next", "pair", "3", "--boards", "round1.txt", round=3, next=2)
    playing.refuses("round-paired", "pair", "1", "--boards", "round1.txt", round=1)
    playing.refuses("reason-missing", "unpair", deed=say("deed.unpairing-published", round=1))
    playing.refuses("results-missing", "complete", round=1, boards=(1, 2))
    playing.refuses("results-missing-at-close", "close", round=1, boards=(1, 2))


def test_regulations_that_no_event_could_have_are_refused_and_make_no_file(terminal: Terminal) -> None:
    for words, message in (
        (["X", "--rounds", "0"], "0 rounds were asked for"),
        (["X", "--rounds", "3", "--edition", "dutch-1999"], "edition 'dutch-1999' is unknown"),
        (["X", "--rounds", "3", "--tiebreaks", "FOO"], "'FOO' is not a tie-break"),
        (["X", "--rounds", "3", "--pab", "2"], "exceeds a win"),
        (["X", "--rounds", "3", "--draw", "0.7"], "two draws"),
        (["", "--rounds", "3"], "name of the tournament is empty"),
    ):
        assert message in terminal.refused("new", *words)
    assert list(terminal.folder.iterdir()) == []


def test_wrong_usage_ends_with_two_and_one_line(playing: Terminal) -> None:
    assert (
        playing.refused("piar", code=2)
        == "no such command 'piar', did you mean 'pair'? (see paircard --help)"
    )
    assert playing.refused("result", "one", "1", "1-0", code=2).endswith("(see paircard result --help)")
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
