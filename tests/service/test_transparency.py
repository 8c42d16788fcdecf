"""One line proves everything: the tree of a store, published, proven, checked and attacked."""

import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from paircard.cli import verify_proof
from paircard.domain.commands import RegisterPlayer
from paircard.domain.errors import CorruptFile, Invalid, PaircardError, Unknown
from paircard.domain.proof.checkpoints import Signer
from paircard.domain.proof.tree.notes import parse_key, parse_note, witness_line
from paircard.domain.proof.tree.proof_file import parse_proof
from paircard.domain.proof.tree.proof_file import verify_proof as check_proof
from paircard.domain.proof.tree.witness import Witness
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, Tournament, person
from paircard.service.transparency import (
    check_signed_trees,
    prove_fact,
    prove_result,
    publish_tree,
    verify_tree,
    witness_contact,
)
from paircard.service.witnessing import witness_server
from tests.roots import PYTHONPATH, ROOT

ANNA = person("Anna Arbiter")
FEDERATION = Signer("example.org/federation", bytes(range(32)))
WITNESS = Signer("witness1.example", b"\x01" * 32)
KEY = FEDERATION.verifier()


def played(office: Office, name: str = "Open") -> Tournament:
    """Four players, one round, all results in."""
    t = office.new(Regulations(name=name, rounds=3), by=ANNA)
    t.ask(*(RegisterPlayer(details=Details(name=f"{name} {n}", rating=2000 - n)) for n in range(4)), by=ANNA)
    t.draw_colour(by=ANNA)
    t.pair(by=ANNA)
    t.publish(by=ANNA)
    t.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
    return t


def test_a_published_tree_is_verified_and_a_result_is_proven(location: str, tmp_path: Path) -> None:
    with Office.create(location) as office:
        t = played(office)
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        proofs = prove_result(office.store(), t, 1, 2, str(tmp_path / "tree"))

    assert done.added == done.note.head.size > 8
    assert verify_tree(str(tmp_path / "tree"), KEY).head == done.note.head
    assert [proof.name for proof in proofs][:2] == ["round-1-board-2-result", "round-1-pairing"]
    for proof in proofs:
        assert check_proof(parse_proof(proof.text), KEY) == []
        lines = verify_proof.verify(proof.text, verify_proof.read_key(KEY.line()))
        assert f"fact {proof.version} of tournament {t.id}" in lines[0]
    assert (
        '"outcome": ["0", "1"]' in verify_proof.verify(proofs[0].text, verify_proof.read_key(KEY.line()))[-1]
    )


def test_the_tree_grows_with_the_store_and_nothing_new_adds_nothing(location: str, tmp_path: Path) -> None:
    with Office.create(location) as office:
        store = office.store()
        with pytest.raises(Unknown, match="no facts to publish"):
            publish_tree(store, tmp_path / "tree", FEDERATION)
        played(office, "First")
        first = publish_tree(store, tmp_path / "tree", FEDERATION)
        again = publish_tree(store, tmp_path / "tree", FEDERATION)
        played(office, "Second")
        second = publish_tree(store, tmp_path / "tree", FEDERATION)
        shutil.rmtree(tmp_path / "tree")
        rebuilt = publish_tree(store, tmp_path / "tree", FEDERATION)

    assert again.added == 0
    assert again.note == first.note
    assert second.note.head.size == 2 * first.note.head.size
    assert rebuilt.note.head == second.note.head
    assert verify_tree(str(tmp_path / "tree"), KEY).head == second.note.head


def test_a_witness_signs_over_http_and_over_files(tmp_path: Path) -> None:
    witness = Witness(WITNESS, [KEY], tmp_path / "state")
    server = witness_server(witness, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    key, _ = parse_key(witness_line(WITNESS.verifier()))
    try:
        with Office.create(tmp_path / "open.db") as office:
            played(office)
            contact = witness_contact(key, f"http://127.0.0.1:{server.server_address[1]}")
            first = publish_tree(office.store(), tmp_path / "tree", FEDERATION, [contact])
            played(office, "Second")
            waiting = publish_tree(
                office.store(), tmp_path / "tree", FEDERATION, [witness_contact(key, str(tmp_path / "post"))]
            )
            answer = witness.answer((tmp_path / "post/request").read_text())
            (tmp_path / "post/answer").write_text(answer.text())
            second = publish_tree(
                office.store(), tmp_path / "tree", FEDERATION, [witness_contact(key, str(tmp_path / "post"))]
            )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

    assert first.cosigned_by == ("witness1.example",)
    assert "waits for the witness" in waiting.refused_by[0]
    assert second.cosigned_by == ("witness1.example",)
    assert verify_tree(str(tmp_path / "tree"), KEY).head.size == second.note.head.size


CHANGES = {
    "a fact was changed": "UPDATE stored_events SET "
    "state=CAST(replace(CAST(state AS text), ':1999', ':1998') AS blob) WHERE originator_version=3",
    "the last fact was cut off": "DELETE FROM stored_events WHERE rowid="
    "(SELECT MAX(rowid) FROM stored_events)",
    "a whole tournament was removed": "DELETE FROM stored_events WHERE originator_id="
    "(SELECT MIN(originator_id) FROM stored_events)",
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_changed_cut_or_removed_is_never_signed_again(tmp_path: Path, what: str) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        played(office)
        played(office, "Second")
        publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        assert list(check_signed_trees(office.store())) == []
    with sqlite3.connect(path) as db:
        db.execute(CHANGES[what])
    db.close()

    with Office.open(path) as office:
        assert list(check_signed_trees(office.store()))
        shutil.rmtree(tmp_path / "tree")
        with pytest.raises(PaircardError):
            publish_tree(office.store(), tmp_path / "tree", FEDERATION)


def test_a_store_set_back_to_a_backup_is_not_published(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Office.create(path) as office:
        played(office)
    shutil.copy(path, tmp_path / "backup.db")
    with Office.open(path) as office:
        played(office, "Second")
        publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        tree = office.store().signed_trees()[-1]
    shutil.copy(tmp_path / "backup.db", path)
    with Office.open(path) as office:
        office.store().save_signed_tree(*tree)  # the barrier survived, as after a failover
        with pytest.raises(CorruptFile, match="no longer holds"):
            publish_tree(office.store(), tmp_path / "tree", FEDERATION)


def test_another_key_does_not_go_on_with_the_tree(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        played(office)
        publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        with pytest.raises(Invalid, match="use its key"):
            publish_tree(office.store(), tmp_path / "tree", Signer("example.org/other", b"\x09" * 32))


def test_no_flipped_bit_of_a_proof_is_accepted_by_either_verifier(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        text = prove_fact(office.store(), t, 7, str(tmp_path / "tree")).text
    assert done.note.head.size > 7
    content = text.encode()
    chance = random.Random(7)
    key = verify_proof.read_key(KEY.line())
    verify_proof.verify(text, key)
    for at in chance.sample(range(len(content) * 8), 3_000):
        flipped = bytearray(content)
        flipped[at // 8] ^= 1 << at % 8
        try:
            changed = flipped.decode()
        except UnicodeDecodeError:
            continue
        with pytest.raises(verify_proof.Broken):
            verify_proof.verify(changed, key)
        with pytest.raises(Invalid):
            check_proof(parse_proof(changed), KEY)


def test_the_stand_alone_verifier_runs_without_paircard(tmp_path: Path) -> None:
    script = shutil.copy(ROOT / "cli/paircard/cli/verify_proof.py", tmp_path)
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        proof = tmp_path / "result.tlog-proof"
        proof.write_text(prove_fact(office.store(), t, 2, str(tmp_path / "tree")).text, encoding="utf-8")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(script), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    good = run(str(proof), "--key", KEY.line())
    other = run(str(proof), "--key", Signer("example.org/other", b"\x09" * 32).verifier().line())
    lonely = run(str(proof), "--key", KEY.line(), "--witness-key", witness_line(WITNESS.verifier()))

    assert (good.returncode, other.returncode, lonely.returncode) == (0, 1, 1)
    assert "entry 1 of the" in good.stdout
    assert "0 of the witnesses you trust signed, 1 are needed" in lonely.stdout
    assert run(str(tmp_path / "nothing"), "--key", KEY.line()).returncode == 2


def test_a_publication_broken_off_anywhere_goes_on_to_the_same_tree(tmp_path: Path) -> None:
    """The process is killed at random moments; the next publication finishes what was begun."""
    path, chance = tmp_path / "open.db", random.Random(3)
    with Office.create(path) as office:
        for number in range(3):
            played(office, f"T{number}")
    program = (
        "import sys; from pathlib import Path; from paircard.service import Office; "
        "from paircard.service.transparency import publish_tree; "
        "from paircard.domain.proof.checkpoints import Signer; "
        "import paircard.domain.proof.tree.tiles as tiles, os; "
        "stop = int(sys.argv[1]); real = os.fsync; left = [stop]\n"
        "def fsync(handle):\n"
        "    left[0] -= 1\n"
        "    os.kill(os.getpid(), 9) if not left[0] else real(handle)\n"
        "os.fsync = fsync\n"
        f"publish_tree(Office.open({str(path)!r}).store(), Path({str(tmp_path / 'tree')!r}), "
        "Signer('example.org/federation', bytes(range(32))))"
    )
    for stop in [1, 2, 3, 4, *(chance.randrange(5, 9) for _ in range(3))]:
        subprocess.run(
            [sys.executable, "-c", program, str(stop)], check=False, env={"PYTHONPATH": PYTHONPATH}
        )

    with Office.open(path) as office:
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        publish_tree(office.store(), tmp_path / "fresh", FEDERATION)

    assert parse_note((tmp_path / "fresh/checkpoint").read_text()).head == done.note.head
    assert verify_tree(str(tmp_path / "tree"), KEY).head == done.note.head
