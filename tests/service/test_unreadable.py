"""A tournament with a fact that nobody can read, sealed by a program from before: the others go on."""

import logging
import sqlite3
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from paircard.domain.errors import CorruptFile
from paircard.domain.events import Event, PlayerRegistered, Recorded, TournamentDetailsChanged
from paircard.domain.log.stored import as_stored, link_hash, new_salt, payload_of, take_apart, topic_of
from paircard.domain.messages import Message
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.service import Office
from tests.audit.command_line import say
from tests.read_tables import catch_up
from tests.refusals import refuses, sentence
from tests.service.given import ANNA, club_open, play
from tests.web.hall import hall_at
from tests.web.running import running

BAD: dict[str, Event] = {
    "a rating": PlayerRegistered(player=9, details=Details(name="Zoe", rating=2100.0)),  # type: ignore[arg-type]
    "a birth": PlayerRegistered(player=9, details=Details(name="Zoe", birth=1990)),  # type: ignore[arg-type]
    "a number of rounds": TournamentDetailsChanged(changes=RegulationChanges(rounds=5.0)),  # type: ignore[arg-type]
}


REASONS = {
    "a rating": "Expected `int`, got `float` - at `$.fact.details.rating`",
    "a birth": "Expected `str`, got `int` - at `$.fact.details.birth`",
    "a number of rounds": "Expected `int`, got `float` - at `$.fact.changes.rounds`",
}


def seal_as_before(path: Path, tournament: str, fact: Event) -> int:
    """Add a fact as the program of commit a2e6686 did, which never read what it sealed; its version."""
    with Office.open(path) as office:
        last = office.store().log(tournament)[-1]
    made = Recorded(
        tournament=tournament, version=last.version + 1, fact=fact, who="Anna", when=last.when, why="",
        command_id="before", acknowledged=(), previous=last.hash, hash="",
    )  # fmt: skip
    payload, pieces = take_apart(payload_of(made), new_salt)
    topic = topic_of(fact)
    hash = link_hash(last.hash, tournament, made.version, topic, payload)
    line = (
        payload[:-1]
        + as_stored(replace(made, hash=hash)).state[-len(f',"previous":"{hash}","hash":"{hash}"}}') :]
    )
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO stored_events VALUES (?, ?, ?, ?)", (tournament, made.version, topic, line))
        for piece in pieces:
            values = (tournament, made.version, sha256(piece).hexdigest(), piece)
            db.execute("INSERT INTO private VALUES (?, ?, ?, ?)", values)
    return made.version


@pytest.fixture(params=BAD)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, str, str]:
    """A file with two events, the first with a fact that cannot be read; their ids, and what is said."""
    office, bad = club_open(tmp_path)
    play(bad, "1-0")
    with office:
        good = office.new(Regulations(name="Good Open", rounds=3), by=ANNA)
    version = seal_as_before(tmp_path / "open.db", bad.id, BAD[request.param])
    with Office.open(tmp_path / "open.db") as office:
        office.tournament(good.id).draw_colour("b", by=ANNA)
    told = sentence(
        "store.unreadable-fact", version=version, tournament=bad.id, reason=REASONS[request.param]
    )
    return tmp_path / "open.db", bad.id, good.id, told


def test_it_is_refused_itself_and_named(store: tuple[Path, str, str, str]) -> None:
    path, bad, _, told = store
    with (
        Office.open(path) as office,
        refuses(CorruptFile, "store.unreadable-fact", tournament=bad) as refusal,
    ):
        office.tournament(bad).now()
    assert str(refusal.value) == told


def test_who_follows_all_tournaments_gets_the_others_and_is_told(
    store: tuple[Path, str, str, str], caplog: pytest.LogCaptureFixture
) -> None:
    path, bad, good, told = store
    with Office.open(path) as office, caplog.at_level(logging.WARNING):
        facts = list(office.follow(quiet=0))
        assert [one.version for one in facts if one.tournament == good] == [1, 2]
        assert {one.tournament for one in facts} == {bad, good}
        assert [told in line for line in caplog.messages] == [True]
        last = facts[-1].position
        assert list(office.follow(last, quiet=0)) == []


def test_the_command_line_serves_the_others_and_says_which(store: tuple[Path, str, str, str]) -> None:
    path, bad, good, told = store
    listed = say(path, "list")
    assert listed.code == 0
    assert "Club Open" in listed.out
    assert "Good Open" in listed.out
    assert say(path, "show", "-t", "Good").code == 0

    for words in (("doctor",), ("verify", "--all"), ("verify", "-t", bad)):
        said = say(path, *words)
        assert said.code == 1, words
        assert told in said.out + said.err, (words, said)
        assert "Traceback" not in said.err
    assert say(path, "verify", "-t", good).code == 0

    saved = say(path, "backup", str(path.with_name("copy.db")))
    assert saved.code == 0
    assert told in saved.out

    moved = say(path, "move", str(path), str(path.with_name("other.db")))
    assert (moved.code, told in moved.err) == (1, True)
    with Office.open(path.with_name("other.db")) as other:
        assert [one.id for one in other.tournaments()] == [good]


def test_the_read_tables_have_the_others(store: tuple[Path, str, str, str]) -> None:
    path, _, good, told = store
    tables = path.with_name("read.db")
    said = say(path, "tables", str(tables))
    assert (said.code, told in said.err) == (1, True)
    with closing(sqlite3.connect(tables)) as db:
        assert db.execute("SELECT id FROM tournaments").fetchall() == [(good,)]

    with Office.open(path) as office:
        office.new(Regulations(name="Later", rounds=3), by=ANNA)
        problems: list[Message] = []
        assert catch_up(office.store(), tables, tell=problems.append) == 1
        assert problems == []


def test_a_server_serves_the_others_and_says_which(store: tuple[Path, str, str, str]) -> None:
    path, bad, good, told = store
    with hall_at(str(path)) as hall:
        end = time.monotonic() + 60
        while not (ready := hall.call("GET", "/ready").json())["unreadable"]:  # the follower is looking
            assert time.monotonic() < end
            time.sleep(0.05)
        assert [told in problem for problem in ready["unreadable"]] == [True]
        assert hall.call("GET", "/ready").json()["unreadable"] == ready["unreadable"], "none is read twice"
        for role in ("", "arbiter"):
            answer = hall.call("GET", "/tournaments", role)
            assert answer.status_code == 200
            assert {one["id"] for one in answer.json()["tournaments"]} == {bad, good}
        [seen] = [one for one in hall.call("GET", "/tournaments").json()["tournaments"] if one["id"] == bad]
        assert (seen["name"], seen["state"]) == ("Club Open", "cannot be read")
        assert told in seen["unreadable"]
        page = hall.http.request("GET", "/")
        assert page.status_code == 200
        assert "Good Open" in page.text
        assert "Cannot be read" in page.text
        assert hall.call("GET", f"/tournaments/{bad}").status_code == 503
        assert hall.call("GET", f"/tournaments/{good}").status_code == 200


def test_the_feed_of_all_goes_on_for_the_others(store: tuple[Path, str, str, str], tmp_path: Path) -> None:
    path, bad, good, told = store
    with running(str(path), tmp_path / "log") as server:
        arbiter = server.client()
        feed = arbiter.feed(after=0)
        past = [next(feed)]
        while past[-1].data["tournament"] != good or past[-1].data["version"] != 2:
            past.append(next(feed))
        assert [one.data["why"].startswith(told) for one in past if one.event == "unreadable"] == [True]
        arbiter.send(good, {"do": "register-player", "details": {"name": "Ada"}})
        assert next(feed).data["version"] == 3
        seal_as_before(path, good, BAD["a rating"])
        later = arbiter.open(Regulations(name="Later", rounds=3)).id
        news = [next(feed), next(feed)]
        assert [(one.event, one.data["tournament"]) for one in news] == [
            ("unreadable", good),
            ("fact", later),
        ]
        feed.close()  # type: ignore[attr-defined]
        assert bad != later
