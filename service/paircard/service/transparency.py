"""The tree over all facts of a store: publish it, check it, and prove single facts from it."""

import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.events import (
    PairingsAltered,
    PlayerRegistered,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
)
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.checkpoints import Signer, Verifier
from paircard.domain.proof.tree.merkle import RunningTree
from paircard.domain.proof.tree.notes import TreeNote, parse_note
from paircard.domain.proof.tree.publishing import (
    Published,
    WitnessContact,
    batches,
    entry_of,
    prove,
    publish,
    verify_folder,
)
from paircard.domain.proof.tree.tiles import TileFolder
from paircard.service.tournament import Tournament
from paircard.service.witnessing import file_witness, http_witness

PATIENCE: Final = 10.0
"""Seconds to wait for a tile over the network."""
LARGEST_TILE: Final = 32 * 1024 * 1024


class FactProof(msgspec.Struct, frozen=True):
    """One proof file: what it proves, and its text."""

    name: str
    """For a file: ``round-5-board-12-result``."""
    version: int
    text: str


class RemoteTiles(TileFolder):
    """A published tree on a web server."""

    def __init__(self, address: str) -> None:
        super().__init__(Path(address))
        self.address = address.rstrip("/")

    def read_file(self, name: str) -> bytes:
        try:
            with urllib.request.urlopen(f"{self.address}/{name}", timeout=PATIENCE) as reply:
                content = reply.read(LARGEST_TILE)
        except urllib.error.HTTPError as refusal:
            refusal.close()
            raise FileNotFoundError(name) from None
        except (urllib.error.URLError, ValueError) as reason:
            raise Invalid(f"{self.address} does not answer: {getattr(reason, 'reason', reason)}") from None
        return bytes(content)


def tree_at(place: str) -> TileFolder:
    """A published tree in a folder or at an address."""
    return RemoteTiles(place) if place.startswith(("http://", "https://")) else TileFolder(Path(place))


def witness_contact(key: Verifier, place: str) -> WitnessContact:
    """A witness by its key, and where it is: an address, or a folder in which requests and answers meet."""
    web = place.startswith(("http://", "https://"))
    return WitnessContact(key, http_witness(place) if web else file_witness(Path(place)))


def publish_tree(
    store: Tournaments, folder: Path, signer: Signer, witnesses: Sequence[WitnessContact] = ()
) -> Published:
    """Bring the published tree up to the newest fact."""
    return publish(store, TileFolder(folder), signer, witnesses)


def verify_tree(place: str, log: Verifier, witnesses: Sequence[Verifier] = ()) -> TreeNote:
    """Check a published tree, every tile and entry of it, against what was signed."""
    return verify_folder(tree_at(place), log, witnesses)


def check_signed_trees(store: Tournaments) -> Iterator[str]:
    """What the trees signed so far have against the facts of the store; nothing if all is well."""
    notes = {size: note for size, _, note in store.signed_trees()}
    if not notes:
        return
    tree, size = RunningTree(), 0
    try:
        for rows in batches(store, 0):
            for row in rows:
                tree.add(entry_of(row))
                size += 1
                if size in notes and parse_note(notes[size]).head.root != tree.root():
                    yield f"the first {size} facts of the store are not those that were signed as a tree"
                    return
    except (CorruptFile, Invalid) as reason:
        yield str(reason)
        return
    for missing in sorted(known for known in notes if known > size):
        yield f"a tree of {missing} facts was signed, the store has {size}: facts were removed"


def prove_fact(store: Tournaments, tournament: Tournament, version: int, place: str) -> FactProof:
    """The proof that one fact of a tournament is in the published tree."""
    positions = store.positions(tournament.id)
    if not 1 <= version <= len(positions):
        raise Unknown(f"there is no fact {version}: the tournament has {len(positions)}")
    [row] = store.rows_by_position(positions[version - 1] - 1, 1)
    return FactProof(f"fact-{version}", version, prove(tree_at(place), row).text())


def prove_result(
    store: Tournaments, tournament: Tournament, round: int, board: int, place: str
) -> list[FactProof]:
    """Proofs of a result and of what it means: the pairing of the round, and who the two players are."""
    now = tournament.now()
    wanted = {
        f"round-{round}-board-{board}-result": result_of(now.facts, round, board),
        f"round-{round}-pairing": pairing_of(now.facts, round),
    }
    for player in now.history.rounds[round - 1].boards[board - 1]:
        wanted[f"player-{player}-registered"] = registration(now.facts, player)
    return [
        msgspec.structs.replace(prove_fact(store, tournament, version, place), name=name)
        for name, version in wanted.items()
    ]


def result_of(facts: Sequence[Recorded], round: int, board: int) -> int:
    """The version of the last result of a board."""
    for recorded in reversed(facts):
        match recorded.fact:
            case ResultRecorded(round=of, board=at) | ResultCorrected(round=of, board=at):
                if (of, at) == (round, board):
                    return recorded.version
    raise Unknown(f"board {board} of round {round} has no result: there is nothing to prove")


def pairing_of(facts: Sequence[Recorded], round: int) -> int:
    """The version of the fact that made the boards of a round."""
    for recorded in reversed(facts):
        match recorded.fact:
            case RoundPaired(round=of) | PairingsAltered(round=of) if of == round:
                return recorded.version
    raise Unknown(f"round {round} is not paired: there is nothing to prove")


def registration(facts: Sequence[Recorded], player: int) -> int:
    """The version of the fact that registered a player."""
    return next(
        recorded.version
        for recorded in facts
        if isinstance(recorded.fact, PlayerRegistered) and recorded.fact.player == player
    )
