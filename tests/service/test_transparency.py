"""One line proves everything: the tree of a store, published, proven, checked and attacked."""

import base64
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from http import HTTPStatus
from pathlib import Path

import msgspec
import pytest

from paircard.cli import verify as alone
from paircard.domain.commands import ClearResult, RegisterPlayer
from paircard.domain.errors import CorruptFile, Invalid, PaircardError, Unknown
from paircard.domain.proof.note import COSIGNATURE, Signature, Signer, parse_key, parse_tree_note
from paircard.domain.proof.publishing import Witness, WitnessAnswer, WitnessContact, WitnessRequest, prove
from paircard.domain.proof.tree import TileFolder
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, Tournament, person
from paircard.service.erasure import erase_person
from paircard.service.review.stores import check_signed_trees
from paircard.service.transparency import (
    prove_fact,
    prove_result,
    publish_tree,
    qr_svg,
    verify_tree,
    witness_contact,
    witness_server,
)
from tests.refusals import refuses, sentence
from tests.roots import PYTHONPATH, ROOT

ANNA = person("Anna Arbiter")
LATE = ANNA.because("entered late").accepting("late-entry")
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
        lines = alone.verify_proof(proof.text, alone.read_key(KEY.line()))
        assert f"fact {proof.version} of tournament {t.id}" in lines[0]
    assert '"outcome": ["0", "1"]' in alone.verify_proof(proofs[0].text, alone.read_key(KEY.line()))[-1]


def test_the_tree_grows_with_the_store_and_nothing_new_adds_nothing(location: str, tmp_path: Path) -> None:
    with Office.create(location) as office:
        store = office.store()
        with refuses(Unknown, "proof.nothing-to-publish"):
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
    key = parse_key(WITNESS.verifier(COSIGNATURE).line(), COSIGNATURE)
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
    post = tmp_path / "post"
    asked, brought = str(post / "request"), str(post / "answer")
    assert sentence("proof.witness-waits", path=asked, file=brought) in waiting.refused_by[0]
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
        tree = office.store().backend.signed_trees()[-1]
    shutil.copy(tmp_path / "backup.db", path)
    with Office.open(path) as office:
        office.store().save_signed_tree(*tree)  # the barrier survived, as after a failover
        with refuses(CorruptFile, "proof.store-lost-facts"):
            publish_tree(office.store(), tmp_path / "tree", FEDERATION)


def test_the_folder_remembers_what_a_restored_store_has_forgotten(tmp_path: Path) -> None:
    """A backup brings back the list of signed trees, too: then only the published checkpoint is left."""
    path, folder = tmp_path / "open.db", tmp_path / "tree"
    with Office.create(path) as office:
        played(office)
        publish_tree(office.store(), folder, FEDERATION)
    shutil.copy(path, tmp_path / "backup.db")
    with Office.open(path) as office:
        played(office, "Second")
        head = publish_tree(office.store(), folder, FEDERATION).note.head
    shutil.copy(tmp_path / "backup.db", path)
    with Office.open(path) as office:
        played(office, "Another second")
        with refuses(CorruptFile, "proof.store-lost-facts"):
            publish_tree(office.store(), folder, FEDERATION)

    assert verify_tree(str(folder), KEY).head == head


def test_a_store_is_not_published_over_the_tree_of_another(tmp_path: Path) -> None:
    with Office.create(tmp_path / "one.db") as one, Office.create(tmp_path / "other.db") as other:
        played(one)
        head = publish_tree(one.store(), tmp_path / "tree", FEDERATION).note.head
        played(other)
        played(other, "Second")
        with refuses(CorruptFile, "proof.store-lost-facts"):
            publish_tree(other.store(), tmp_path / "tree", FEDERATION)

    assert verify_tree(str(tmp_path / "tree"), KEY).head == head


def test_a_witness_cannot_put_anything_but_its_own_signature_under_a_checkpoint(tmp_path: Path) -> None:
    """Its answer also holds a wrong line under the federation's name: it must not replace the right one."""
    witness = Witness(WITNESS, [KEY], tmp_path / "state")

    def ask(request: WitnessRequest) -> WitnessAnswer:
        answer = witness.answer(request.text())
        [own] = request.note.signatures
        wrong = Signature(own.name, own.key_id, bytes(64)).line()
        return WitnessAnswer(answer.status, wrong + answer.body)

    with Office.create(tmp_path / "open.db") as office:
        played(office)
        contact = WitnessContact(WITNESS.verifier(COSIGNATURE), ask)
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION, [contact])

    assert done.cosigned_by == ("witness1.example",)
    assert verify_tree(str(tmp_path / "tree"), KEY, [WITNESS.verifier(COSIGNATURE)]).head == done.note.head


@pytest.mark.parametrize("body", ["", "12", "-1\n", "9" * 5000 + "\n", "٣\n", "— x y\n", "\x1b[2Jx\n"])
@pytest.mark.parametrize("status", [200, 409, 500])
def test_whatever_a_witness_answers_is_a_refusal_in_words(tmp_path: Path, status: int, body: str) -> None:
    with Office.create(tmp_path / "open.db") as office:
        played(office)
        contact = WitnessContact(
            WITNESS.verifier(COSIGNATURE), lambda _: WitnessAnswer(HTTPStatus(status), body)
        )
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION, [contact])

    assert done.cosigned_by == ()
    [reason] = done.refused_by
    assert "\x1b" not in reason
    assert verify_tree(str(tmp_path / "tree"), KEY).head == done.note.head


def test_every_tile_is_looked_at_and_has_exactly_its_width(tmp_path: Path) -> None:
    """The root alone would be found from the upper tiles: a lower one that was changed must show, too."""
    folder = tmp_path / "tree"
    with Office.create(tmp_path / "open.db") as office:
        t = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        people = [RegisterPlayer(details=Details(name=f"Player {n}")) for n in range(600)]
        t.ask(*people, by=ANNA)
        publish_tree(office.store(), folder, FEDERATION)
    tiles = sorted(path for path in (folder / "tile").rglob("*") if path.is_file())
    assert [str(path.relative_to(folder / "tile")) for path in tiles] == [
        "0/000",
        "0/001",
        "0/002.p/89",
        "1/000.p/2",
        "entries/000",
        "entries/001",
        "entries/002.p/89",
    ]

    for tile in tiles:
        content = tile.read_bytes()
        for changed in (
            content[:-1],
            content[:-32],
            content + bytes(1),
            content + content[:32],
            bytes([content[0] ^ 1]) + content[1:],
            content[:300] + bytes([content[300] ^ 1]) + content[301:] if len(content) > 300 else b"",
            b"",
        ):
            tile.write_bytes(changed)
            with pytest.raises(CorruptFile):
                verify_tree(str(folder), KEY)
        tile.unlink()
        with refuses(CorruptFile, "proof.tile-missing"):
            verify_tree(str(folder), KEY)
        tile.write_bytes(content)
    partial = folder / "tile/0/002.p/89"
    partial.rename(partial.with_name("90"))
    with refuses(CorruptFile, "proof.tile-missing"):
        verify_tree(str(folder), KEY)
    partial.with_name("90").rename(partial)
    verify_tree(str(folder), KEY)


def test_partial_tiles_go_when_the_full_one_is_there(tmp_path: Path) -> None:
    tiles, size = TileFolder(tmp_path), 0
    for at in (*range(5), *range(250, 300)):
        size = tiles.grow(size, [b"%d" % n for n in range(size, at)])
        size = tiles.grow(size, [b"%d" % at])

    partial = {path.parent.name for path in tmp_path.rglob("*") if path.is_file() and ".p/" in str(path)}
    assert partial == {"001.p", "000.p"}  # of level 0 and of the entries; of level 1
    assert not (tmp_path / "tile/0/000.p").exists()
    assert list(TileFolder(tmp_path).entries(7)) == [b"%d" % at for at in range(7)]


def test_several_programs_publish_at_once_and_the_checkpoint_never_goes_back(tmp_path: Path) -> None:
    path, folder = tmp_path / "open.db", tmp_path / "tree"
    with Office.create(path) as office:
        played(office)
        sizes = [publish_tree(office.store(), folder, FEDERATION).note.head.size]
    over = threading.Event()

    def publish() -> None:
        with Office.open(path) as office:
            while not over.is_set():
                publish_tree(office.store(), folder, FEDERATION)

    def watch() -> None:
        while not over.wait(0.002):
            sizes.append(parse_tree_note(TileFolder(folder).checkpoint()).head.size)

    threads = [threading.Thread(target=work) for work in (publish, publish, publish, watch)]
    for thread in threads:
        thread.start()
    with Office.open(path) as office:
        for number in range(8):
            played(office, f"T{number}")
    while sizes[-1] < 9 * sizes[0]:
        time.sleep(0.01)
    over.set()
    for thread in threads:
        thread.join()

    assert sizes == sorted(sizes)
    assert verify_tree(str(folder), KEY).head.size == sizes[-1]


def test_a_proof_shows_the_name_of_a_player_and_not_the_birth(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        for id, name in enumerate(("Adler, Kai", "Becker, Ina"), start=77123457):
            details = Details(name=name, birth="1987-06-05", fide_id=id, club="Lasker")
            t.ask(RegisterPlayer(details=details), by=ANNA)
        publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        proof, foreign = (
            prove(office.store(), TileFolder(tmp_path / "tree"), row)
            for row in office.store().rows(t.id, 1, 3)
        )
        text = prove_fact(office.store(), t, 2, str(tmp_path / "tree")).text
        erase_person(office.store(), t, 1, by=ANNA.because("asked").accepting("erase-while-running"))
        after = prove_fact(office.store(), t, 2, str(tmp_path / "tree")).text

    key = alone.read_key(KEY.line())
    lines = alone.verify_proof(text, key)
    assert lines[-2:] == [
        '{"fact": {"details": {"name": "Adler, Kai", "club": "Lasker"}}}',
        "personal parts of this fact that are not in the file: 1",
    ]
    assert "1987" not in str(base64.b64decode(text.splitlines()[1][6:]))
    assert alone.verify_proof(after, key)[-1] == "personal parts of this fact that are not in the file: 2"
    assert proof.text() == text
    for pieces in (foreign.pieces, proof.pieces * 2, (proof.pieces[0].replace(b"Kai", b"Max"),), (b"{}",)):
        forged = msgspec.structs.replace(proof, pieces=pieces)
        with pytest.raises(alone.Broken, match="not one of the fact"):
            alone.verify_proof(forged.text(), key)


def test_only_the_result_that_counts_is_proven(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t, store, folder = played(office), office.store(), str(tmp_path / "tree")
        t.correct_colours(1, 2, by=ANNA.because("sat down the wrong way round"))
        t.ask(ClearResult(round=1, board=1), by=ANNA.because("wrong board"))
        publish_tree(store, tmp_path / "tree", FEDERATION)

        with refuses(Unknown, "proof.no-result", board=1, round=1):
            prove_result(store, t, 1, 1, folder)
        names = [proof.name for proof in prove_result(store, t, 1, 2, folder)]
        for round, board in ((1, 9), (1, 0), (1, -1), (2, 1), (0, 1), (-1, 1)):
            with refuses(Unknown, "proof.no-result"):
                prove_result(store, t, round, board, folder)

    assert names[:3] == ["round-1-board-2-result", "round-1-board-2-colours", "round-1-pairing"]


def test_another_key_does_not_go_on_with_the_tree(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        played(office)
        publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        with refuses(
            Invalid, "proof.tree-of-another-key", name="example.org/federation", who="example.org/other"
        ):
            publish_tree(office.store(), tmp_path / "tree", Signer("example.org/other", b"\x09" * 32))


def test_no_flipped_bit_of_a_proof_is_accepted(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        text = prove_fact(office.store(), t, 7, str(tmp_path / "tree")).text
    assert done.note.head.size > 7
    content = text.encode()
    chance = random.Random(7)
    key = alone.read_key(KEY.line())
    alone.verify_proof(text, key)
    for at in chance.sample(range(len(content) * 8), 3_000):
        flipped = bytearray(content)
        flipped[at // 8] ^= 1 << at % 8
        try:
            changed = flipped.decode()
        except UnicodeDecodeError:
            continue
        with pytest.raises(alone.Broken):
            alone.verify_proof(changed, key)


def test_the_stand_alone_verifier_runs_without_paircard(tmp_path: Path) -> None:
    script = shutil.copy(ROOT / "cli/paircard/cli/verify.py", tmp_path)
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
    lonely = run(str(proof), "--key", KEY.line(), "--witness-key", WITNESS.verifier(COSIGNATURE).line())

    assert (good.returncode, other.returncode, lonely.returncode) == (0, 1, 1)
    assert "entry 1 of the" in good.stdout
    assert "0 of the witnesses you trust signed, 1 are needed" in lonely.stdout
    assert run(str(tmp_path / "nothing"), "--key", KEY.line()).returncode == 2
    assert run(str(proof), "--key", "PRIVATE+KEY+x+y+z").returncode == 2
    assert run(str(proof), "--key", KEY.line(), "--need", "1").returncode == 2
    assert run(str(proof), "--key", KEY.line(), "--need", "-1").returncode == 2
    broken = tmp_path / "broken.tlog-proof"
    broken.write_text(proof.read_text().replace("index 1", "index 2"))
    both = run(str(proof), str(broken), "--key", KEY.line())
    assert (both.returncode, "entry 1 of the" in both.stdout, "BROKEN" in both.stdout) == (1, True, True)


@pytest.mark.skipif(
    not (shutil.which("zbarimg") and shutil.which("rsvg-convert")),
    reason="no QR reader here: apt-get install zbar-tools librsvg2-bin",
)
def test_a_proof_on_paper_is_read_back_by_a_qr_reader(tmp_path: Path) -> None:
    witness = Witness(WITNESS, [KEY], tmp_path / "state")
    contact = WitnessContact(WITNESS.verifier(COSIGNATURE), lambda request: witness.answer(request.text()))
    with Office.create(tmp_path / "open.db") as office:
        t = played(office)
        t.ask(*(RegisterPlayer(details=Details(name=f"Late {n}")) for n in range(300)), by=LATE)
        publish_tree(office.store(), tmp_path / "tree", FEDERATION, [contact])
        [proof, *_] = prove_result(office.store(), t, 1, 1, str(tmp_path / "tree"))
    (tmp_path / "qr.svg").write_text(qr_svg(proof.text))
    subprocess.run(["rsvg-convert", "-w", "1000", "qr.svg", "-o", "qr.png"], cwd=tmp_path, check=True)
    scanned = subprocess.run(
        ["zbarimg", "--raw", "-q", "-Sbinary", "qr.png"], cwd=tmp_path, check=True, capture_output=True
    ).stdout

    key = WITNESS.verifier(COSIGNATURE).line()
    command = [
        sys.executable,
        "-m",
        "paircard.cli.verify",
        "-",
        "--key",
        KEY.line(),
        "--witness-key",
        key,
    ]
    read = subprocess.run(
        command, input=scanned, capture_output=True, env={"PYTHONPATH": PYTHONPATH}, check=True
    )
    assert b'"outcome": ["1", "0"]' in read.stdout


def test_a_publication_broken_off_anywhere_goes_on_to_the_same_tree(tmp_path: Path) -> None:
    """The process is killed at random moments; the next publication finishes what was begun."""
    path, chance = tmp_path / "open.db", random.Random(3)
    with Office.create(path) as office:
        for number in range(3):
            played(office, f"T{number}")
    program = (
        "import sys; from pathlib import Path; from paircard.service import Office; "
        "from paircard.service.transparency import publish_tree; "
        "from paircard.domain.proof.note import Signer; "
        "import paircard.domain.proof.tree as tiles, os; "
        "stop = int(sys.argv[1]); real = os.fsync; left = [stop]\n"
        "def fsync(handle):\n"
        "    left[0] -= 1\n"
        "    os.kill(os.getpid(), 9) if not left[0] else real(handle)\n"
        "os.fsync = fsync\n"
        f"publish_tree(Office.open({str(path)!r}).store(), Path({str(tmp_path / 'tree')!r}), "
        "Signer('example.org/federation', bytes(range(32))))"
    )
    for stop in [1, 2, 3, 4, *(chance.randrange(5, 9) for _ in range(3))]:
        ended = subprocess.run(
            [sys.executable, "-c", program, str(stop)], check=False, env={"PYTHONPATH": PYTHONPATH}
        )
        assert ended.returncode in (0, -9), "killed on the way, or done; nothing else ends it"

    with Office.open(path) as office:
        done = publish_tree(office.store(), tmp_path / "tree", FEDERATION)
        publish_tree(office.store(), tmp_path / "fresh", FEDERATION)

    assert parse_tree_note((tmp_path / "fresh/checkpoint").read_text()).head == done.note.head
    assert verify_tree(str(tmp_path / "tree"), KEY).head == done.note.head
