"""The tree at the command line: a federation publishes, a player proves a result, a witness signs."""

import json
import sqlite3
import subprocess
import sys

from tests.cli.session import Terminal
from tests.refusals import sentence
from tests.roots import ROOT


def played(terminal: Terminal) -> None:
    terminal.ok("result", "1", "1", "1-0", "2", "½-½")
    terminal.ok("key", "new", "fsi.it/record", "-o", "federation.key")


def test_a_player_carries_the_proof_of_a_result(playing: Terminal) -> None:
    played(playing)
    said = playing.ok("tree", "publish", "--to", "tree", "--key", "federation.key")
    files = playing.ok("prove", "--tree", "tree", "--round", "1", "--board", "2", "-o", "proofs", "--qr")

    assert "signed by fsi.it/record" in said
    assert "proofs/round-1-board-2-result.tlog-proof written" in files
    assert (playing.folder / "proofs/round-1-board-2-result.svg").read_text().startswith("<svg")
    key = playing.ok("key", "show", "federation.key").strip()
    script = ROOT / "cli/paircard/cli/verify.py"
    proof = playing.folder / "proofs/round-1-board-2-result.tlog-proof"
    done = subprocess.run(
        [sys.executable, "-I", script, proof, "--key", key], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert '"outcome": ["=", "="]' in done.stdout
    bare = (
        "import sys, runpy; sys.modules['cryptography'] = None\n"
        f"sys.argv[1:] = [{str(proof)!r}, '--key', {key!r}]\n"
        f"runpy.run_path({str(script)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-I", "-c", bare], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("verify: signatures cannot be checked here, which says nothing against")


def test_a_witness_signs_by_files_and_the_tree_says_so(playing: Terminal) -> None:
    played(playing)
    playing.ok("key", "new", "witness.example", "-o", "witness.key")
    witness = ("--witness", "witness.key", "post")
    publish = ("tree", "publish", "--to", "tree", "--key", "federation.key", *witness)
    waiting = playing.ok(*publish)
    asked = ("witness", "post/request", "post/answer", "--log", "federation.key", "--key", "witness.key")
    answered = playing.ok(*asked, "--state", "state")
    size = int((playing.folder / "tree/checkpoint").read_text().splitlines()[1])
    playing.refuses("cli.witness-signed-before", *asked, "--state", "state", number=size, file="post/answer")
    waits = sentence("proof.witness-waits", path="post/request", file="post/answer")
    not_signed = sentence("cli.tree.not-cosigned", reason=f"witness.example: {waits}")
    assert not_signed in playing.ok(*publish)
    playing.ok(*asked, "--state", "state")
    signed = playing.ok(*publish)
    checked = playing.ok("tree", "verify", "tree", "--key", "federation.key", "--witness-key", "witness.key")

    assert not_signed in waiting
    assert "post/answer: 200 ok" in answered
    assert sentence("cli.tree.cosigned", name="witness.example") in signed.splitlines()
    assert sentence("cli.tree.verified", name="fsi.it/record", facts=size) in checked


def test_a_witness_that_does_not_sign_says_why_and_the_command_has_failed(playing: Terminal) -> None:
    played(playing)
    playing.ok("key", "new", "fsi.it/record", "-o", "other.key")
    playing.ok("key", "new", "witness.example", "-o", "witness.key")
    playing.ok(
        "tree", "publish", "--to", "tree", "--key", "federation.key", "--witness", "witness.key", "post"
    )
    asked = ("witness", "post/request", "post/answer", "--log", "other.key", "--key", "witness.key")

    told = playing.refused(*asked, "--state", "state")

    reason = sentence("proof.log-did-not-sign", name="fsi.it/record")
    assert told == sentence("cli.witness-refuses", reason=reason, file="post/answer")
    assert (playing.folder / "post/answer").read_text().startswith("403\n")


def test_facts_that_were_removed_are_noticed_by_verify(playing: Terminal) -> None:
    played(playing)
    playing.ok("tree", "publish", "--to", "tree", "--key", "federation.key")
    assert "WRONG" not in playing.ok("verify", "--all")
    with sqlite3.connect(playing.folder / "paircard.db") as db:
        db.execute("DELETE FROM stored_events WHERE rowid=(SELECT MAX(rowid) FROM stored_events)")
    db.close()

    done = playing.run("verify", "--all")

    assert done.code == 1
    assert "was signed, the store has" in done.out
    assert json.loads(playing.run("verify", "--all", "--json").out)["store"]
    playing.refuses("proof.store-lost-facts", "tree", "publish", "--to", "tree", "--key", "federation.key")


def test_what_cannot_be_proven_is_refused_with_the_way_out(playing: Terminal) -> None:
    played(playing)
    playing.refuses("proof.no-tree", "prove", "--tree", "tree", "--fact", "1")
    playing.ok("tree", "publish", "--to", "tree", "--key", "federation.key")
    playing.refuses("proof.no-such-fact", "prove", "--tree", "tree", "--fact", "999", version=999, count=14)
    playing.refuses(
        "proof.no-result", "prove", "--tree", "tree", "--round", "7", "--board", "1", board=1, round=7
    )
    playing.refuses("cli.prove-what", "prove", "--tree", "tree", exit=2)
    playing.refuses("proof.not-a-public-key", "tree", "verify", "tree", "--key", "a+b")
    playing.ok("key", "new", "other.example", "-o", "other.key")
    playing.refuses(
        "proof.not-signed-in-folder", "tree", "verify", "tree", "--key", "other.key", name="other.example"
    )
    publish = ("tree", "publish", "--to", "tree", "--key")
    playing.refuses(
        "proof.tree-of-another-key", *publish, "other.key", name="fsi.it/record", who="other.example"
    )
    line = playing.ok("key", "show", "other.key").strip()
    with_key = (*publish, "federation.key", "--witness", line, "post")
    playing.refuses("proof.key-of-a-tree", *with_key, name="other.example")
    witness = ("witness", "--log", "federation.key", "--key", "other.key", "--state", "state", "--listen")
    playing.refuses("cli.not-host-and-port", *witness, "127.0.0.1:99999", exit=2)


def test_a_laptop_hands_in_its_head(playing: Terminal) -> None:
    line = playing.ok("tree", "head").strip()

    id, version, hash = line.split(" ")
    assert (len(id), len(hash)) == (32, 64)
    assert f"{version}" == str(len(playing.ok("log").splitlines()))
