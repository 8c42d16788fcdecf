"""Go's own packages for transparency logs read what we publish, and refuse what was changed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from paircard.domain.commands import RegisterPlayer
from paircard.domain.proof.note import COSIGNATURE, Signer, parse_tree_note
from paircard.domain.proof.publishing import Witness, WitnessContact, WitnessRequest
from paircard.domain.proof.tree import TileFolder, prove_consistency
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, person
from paircard.service.transparency import prove_fact, publish_tree

ANNA = person("Anna Arbiter")
FEDERATION = Signer("example.org/federation", bytes(range(32)))
WITNESS = Signer("witness1.example", b"\x01" * 32)
PROGRAM = Path(__file__).parent / "second_verifier"
GOPATH = Path("/usr/share/gocode")
"""Where Debian's golang-golang-x-mod-dev puts golang.org/x/mod."""


@pytest.fixture(scope="module")
def second_verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("go") or not (GOPATH / "src/golang.org/x/mod").is_dir():
        pytest.skip("no Go with golang.org/x/mod here: apt-get install golang-go golang-golang-x-mod-dev")
    built = tmp_path_factory.mktemp("go") / "second_verifier"
    env = {
        **os.environ,
        "GO111MODULE": "off",
        "GOPATH": str(GOPATH),
        "GOCACHE": str(built.with_name("cache")),
    }
    subprocess.run(["go", "build", "-o", str(built), "."], cwd=PROGRAM, env=env, check=True)
    return built


def run(program: Path, *words: str | Path) -> tuple[int, str]:
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip()


def test_go_reads_tiles_checkpoint_proofs_and_requests(
    second_verifier: Path, location: str, tmp_path: Path
) -> None:
    witness = Witness(WITNESS, [FEDERATION.verifier()], tmp_path / "state")
    contact = WitnessContact(WITNESS.verifier(COSIGNATURE), lambda request: witness.answer(request.text()))
    folder = tmp_path / "tree"
    with Office.create(location) as office:
        t = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        sizes = []
        for series, step in enumerate((1, 254, 1, 300, 77)):
            people = [
                RegisterPlayer(details=Details(name=f"Player {series:02}{n:04}", birth=f"{1920 + n % 90}"))
                for n in range(step)
            ]
            t.ask(*people, by=ANNA)
            sizes.append(publish_tree(office.store(), folder, FEDERATION, [contact]).note.head.size)
        proofs = [
            tmp_path / f"{version}.tlog-proof" for version in (1, 2, 255, 256, 257, 258, 512, 600, sizes[-1])
        ]
        for path in proofs:
            path.write_text(prove_fact(office.store(), t, int(path.stem), str(folder)).text)
    note = parse_tree_note((folder / "checkpoint").read_text())
    hashes = TileFolder(folder).hashes_of_size(sizes[-1])
    requests = [tmp_path / f"{size}.request" for size in sizes[:-1]]
    for old, path in zip(sizes, requests, strict=False):
        signed = note.signatures[:1]
        proof = tuple(prove_consistency(old, sizes[-1], hashes))
        path.write_text(WitnessRequest(old, proof, type(note)(note.body, signed)).text())

    keys = (FEDERATION.verifier().line(), WITNESS.verifier(COSIGNATURE).line())
    code, said = run(second_verifier, folder, *keys, *proofs, *requests)

    assert (code, said) == (0, f"size {sizes[-1]}, entries 159, trees 159, proofs 9, requests 4")
    changed = bytearray(proofs[3].read_bytes())
    changed[80] ^= 1
    proofs[3].write_bytes(changed)
    assert run(second_verifier, folder, *keys, proofs[3])[0] == 1
    tile = folder / "tile/0/001"
    tile.write_bytes(tile.read_bytes()[::-1])
    assert run(second_verifier, folder, *keys)[0] == 1
