"""The tree of a store while eight programs write, and after kills and erasures all over it."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from paircard.cli import verify as alone
from paircard.domain.commands import RegisterPlayer
from paircard.domain.log.store import prepare
from paircard.domain.proof.bundles import write_bundle
from paircard.domain.proof.note import Signer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, Tournament, person
from paircard.service.erasure import erase_person
from paircard.service.review.stores import check_signed_trees
from paircard.service.transparency import prove_fact, publish_tree, verify_tree
from tests.postgres import Server
from tests.proofs import proven
from tests.read_tables import catch_up
from tests.roots import PYTHONPATH

ANNA = person("Anna Arbiter")
FEDERATION = Signer("example.org/federation", bytes(range(32)))
KEY = FEDERATION.verifier()
WRITERS = 8

WRITER = """
import sys
from paircard.domain.commands import RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, person
location, name, count, lock = sys.argv[1:5]
with Office.open(location) as office:
    if lock == "none":
        log = office.store().backend
        log.datastore.begin_statement = f'SELECT format FROM "{log.address.schema}".paircard_format'
    by = person(name)
    t = office.new(Regulations(name=name, rounds=3), by=by)
    for n in range(int(count)):
        t.ask(*(RegisterPlayer(details=Details(name=f"{name} {n} {m}")) for m in range(1 + n % 3)), by=by)
"""
PUBLISHER = """
import os, sys
from pathlib import Path
from paircard.domain.proof.note import Signer
from paircard.service import Office
from paircard.service.transparency import publish_tree
location, folder, stop = sys.argv[1:4]
left, fsync, replace = int(stop), os.fsync, os.replace
def dying(real):
    def call(*words):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)
        return real(*words)
    return call
os.fsync, os.replace = dying(fsync), dying(replace)
publish_tree(Office.open(location).store(), Path(folder), Signer("example.org/federation", bytes(range(32))))
"""


def start(program: str, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", program, *words], env={**os.environ, "PYTHONPATH": PYTHONPATH}
    )


def publish_while_others_write(location: str, folder: Path, count: int, lock: str = "ours") -> int:
    """Publish as long as eight programs write; how many trees were signed."""
    writers = [start(WRITER, location, f"Writer {n}", str(count), lock) for n in range(WRITERS)]
    with Office.open(location) as office:
        while any(writer.poll() is None for writer in writers):
            if office.store().last_position():
                publish_tree(office.store(), folder, FEDERATION)
        assert [writer.returncode for writer in writers] == [0] * WRITERS
        return len(office.store().backend.signed_trees())


def files(folder: Path) -> dict[str, bytes]:
    """The full tiles and the last partial ones: those of smaller trees may lie about beside them."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    last = {
        str(path.parent.relative_to(folder) / str(max(int(one.name) for one in path.parent.iterdir())))
        for name, path in found.items()
        if ".p/" in name
    }
    return {name: path.read_bytes() for name, path in found.items() if ".p/" not in name or name in last}


@pytest.mark.soak
def test_the_tree_of_a_store_with_eight_writers_is_the_tree_that_is_built_later(
    location: str, tmp_path: Path
) -> None:
    with Office.create(location):
        pass
    trees = publish_while_others_write(location, tmp_path / "tree", 100)
    with Office.open(location) as office:
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        again = publish_tree(office.store(), tmp_path / "again", FEDERATION)

        assert trees > 1
        assert done.note.head == again.note.head
        assert list(check_signed_trees(office.store())) == []  # every tree signed on the way, too
    assert verify_tree(str(tmp_path / "tree"), KEY).head == again.note.head
    assert files(tmp_path / "tree") == files(tmp_path / "again")


@pytest.mark.soak
def test_without_the_lock_the_tree_misses_facts(server: Server, tmp_path: Path) -> None:
    """What the lock is for: positions would appear in another order than they were given out."""
    location = server.fresh()
    prepare(location)
    publish_while_others_write(location, tmp_path / "tree", 100, lock="none")
    with Office.open(location) as office:
        assert list(check_signed_trees(office.store()))


@pytest.mark.soak
def test_two_hundred_kills_inside_publishing_lead_to_the_same_tree(location: str, tmp_path: Path) -> None:
    chance, killed = random.Random(5), 0
    with Office.create(location) as office:
        t = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        for step in range(200):
            people = [
                RegisterPlayer(details=Details(name=f"Player {step} {n}"))
                for n in range(chance.randrange(1, 40))
            ]
            t.ask(*people, by=ANNA)
            publisher = start(PUBLISHER, location, str(tmp_path / "tree"), str(chance.randrange(1, 14)))
            killed += publisher.wait() == -9
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        again = publish_tree(office.store(), tmp_path / "again", FEDERATION)

        assert list(check_signed_trees(office.store())) == []
    assert killed > 150
    assert done.note.head == again.note.head
    assert verify_tree(str(tmp_path / "tree"), KEY).head == again.note.head


def event(office: Office, number: int, players: int) -> Tournament:
    """Players of equal rating, so that names decide their numbers; two rounds."""
    t = office.new(Regulations(name=f"Open {number}", rounds=3), by=ANNA)
    t.ask(
        *(
            RegisterPlayer(
                details=Details(
                    name=f"Zq{number}x{n}, Given", rating=2000, birth="1990-03-04", fide_id=10**7 + n
                )
            )
            for n in range(1, players + 1)
        ),
        by=ANNA,
    )
    t.draw_colour("w", by=ANNA)
    for round in (1, 2):
        t.pair(by=ANNA)
        t.publish(by=ANNA)
        results = dict.fromkeys(range(1, players // 2 + 1), "1-0")
        t.record(round, results, by=ANNA.because(f"Zq{number}x{round} says so"))
    return t


@pytest.mark.soak
def test_a_thousand_erasures_leave_every_head_proof_bundle_and_replay_as_it_was(
    location: str, tmp_path: Path
) -> None:
    chance, events, players = random.Random(7), 25, 50
    asked = ANNA.because("request of 12 May").accepting("erase-while-running")
    with Office.create(location) as office:
        store = office.store()
        tournaments = [event(office, number, players) for number in range(events)]
        heads = {t.id: store.verify_chain(t.id) for t in tournaments}
        lines = {t.id: [row.state for row in store.raw_log(t.id)] for t in tournaments}
        note = publish_tree(store, tmp_path / "tree", FEDERATION).note
        proofs = {t.id: prove_fact(store, t, 5, str(tmp_path / "tree")).text for t in tournaments}
        catch_up(store, tmp_path / "tables.db")
        everybody = [(t, player) for t in tournaments for player in range(1, players + 1)]
        erased = chance.sample(everybody, 1_000)
        for at, (t, player) in enumerate(erased):
            name = t.now().state.players[player - 1].details.name
            done = erase_person(store, t, player, by=asked)
            assert done.parts >= 2
            if at % 50 == 0 and not location.startswith("postgres"):
                assert done.remains.unfinished == ""
                family = name.partition(",")[0].encode() + b","
                assert not any(family in path.read_bytes() for path in tmp_path.glob("events.db*"))
        catch_up(store, tmp_path / "tables.db")

        gone = {(t.id, player) for t, player in erased}
        for number, t in enumerate(tournaments):
            length, head = heads[t.id]
            rows = store.raw_log(t.id)
            assert [row.state for row in rows][:length] == lines[t.id]
            assert lines[t.id][-1].endswith(f'"hash":"{head}"}}'.encode())
            report = t.verify()
            assert report.whole, report.findings
            assert not report.findings
            assert {round.verdict for round in report.rounds} == {"identical"}
            assert proven(proofs[t.id], KEY)
            said, whole = alone.verify_bundle(write_bundle(t.id, rows))
            assert whole, said
            names = {player.id: player.details.name for player in t.now().state.players}
            assert names == {
                n: f"(erased p{n})" if (t.id, n) in gone else f"Zq{number}x{n}, Given" for n in names
            }
        assert verify_tree(str(tmp_path / "tree"), KEY).head == note.head
        assert list(check_signed_trees(store)) == []
        stored = b"".join(
            text for t in tournaments for row in store.raw_log(t.id) for text in (row.state, *row.parts)
        )
    left = {path.name: path.read_bytes() for path in tmp_path.glob("*.db*")} | {"store": stored}
    for number, t in enumerate(tournaments):
        for n in range(1, players + 1):
            found = [name for name, content in left.items() if f"Zq{number}x{n},".encode() in content]
            assert bool(found) == ((t.id, n) not in gone), (number, n, found)
