"""What is wrong with a file or a store is said to programs by code and fields, beside the sentence."""

import json
import sqlite3
from contextlib import closing
from typing import Any

from tests.cli.session import Terminal


def asked(desk: Terminal, *words: str) -> Any:
    done = desk.run(*words, "--json")
    assert done.code == 1, done
    return json.loads(done.out)


def changed_by_hand(desk: Terminal) -> None:
    with closing(sqlite3.connect(desk.folder / "paircard.db")) as db:
        db.execute("UPDATE stored_events SET state = replace(cast(state AS text), 'Anna', 'Bnna')")
        db.commit()


def test_a_report_that_cannot_be_checked_says_why(terminal: Terminal) -> None:
    terminal.write("junk.trf", "001 nonsense\n")

    [case] = asked(terminal, "check", "junk.trf")["cases"]

    assert case["message"]["code"] == "trf.faults"
    assert case["message"]["fields"]["faults"]


def test_a_log_that_cannot_be_replayed_says_why(playing: Terminal) -> None:
    changed_by_hand(playing)

    [outcome] = asked(playing, "replay", "--all")["not_accounted_for"]

    assert outcome["message"]["code"] == "store.fact-changed"
    assert outcome["message"]["fields"]["version"] == 1


def test_a_store_that_is_wrong_says_what(playing: Terminal) -> None:
    with closing(sqlite3.connect(playing.folder / "paircard.db")) as db:
        db.execute("UPDATE private SET version = 99 WHERE version = 2")
        db.commit()

    said = asked(playing, "verify", "--all")

    assert len(said["store"]) == len(said["findings"])
    assert "verify.stray-part" in {finding["code"] for finding in said["findings"]}
