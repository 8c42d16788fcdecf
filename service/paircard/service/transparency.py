"""The tree over all facts of a store: publish it, check it, and prove single facts from it."""

import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET

from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.events import (
    Board,
    BoardsCorrected,
    ColoursCorrected,
    PairingsAltered,
    PlayerDetailsCorrected,
    PlayerRegistered,
    Recorded,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
    RoundUnpaired,
)
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.note import Note, Signer, Verifier, parse_tree_note
from paircard.domain.proof.publishing import (
    Published,
    WitnessContact,
    batches,
    entry_of,
    prove,
    publish,
    verify_folder,
)
from paircard.domain.proof.tree import RunningTree, TileFolder
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
        super().__init__(Path())
        self.place = address.rstrip("/")

    def read_file(self, name: str) -> bytes:
        try:
            with urllib.request.urlopen(f"{self.place}/{name}", timeout=PATIENCE) as reply:
                return bytes(reply.read(LARGEST_TILE))
        except urllib.error.HTTPError as refusal:
            refusal.close()
            if refusal.code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
                raise FileNotFoundError(name) from None
            raise Invalid(f"{self.place}/{name} answers {refusal.code}: try again later") from None
        except (OSError, ValueError, HTTPException) as reason:
            raise Invalid(f"{self.place} does not answer: {getattr(reason, 'reason', reason)}") from None


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


def verify_tree(place: str, log: Verifier, witnesses: Sequence[Verifier] = ()) -> Note:
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
                if size in notes and parse_tree_note(notes[size]).head.root != tree.root():
                    yield f"the first {size} facts of the store are not those that were signed as a tree"
                    return
    except (CorruptFile, Invalid) as reason:
        yield str(reason)
        return
    for missing in sorted(known for known in notes if known > size):
        yield f"a tree of {missing} facts was signed, the store has {size}: facts were removed"


def prove_fact(store: Tournaments, tournament: Tournament, version: int, place: str) -> FactProof:
    """The proof that one fact of a tournament is in the published tree."""
    length = store.version(tournament.id)
    if not 1 <= version <= length:
        raise Unknown(f"there is no fact {version}: the tournament has {length}")
    [row] = store.rows(tournament.id, version - 1, version)
    return FactProof(f"fact-{version}", version, prove(store, tree_at(place), row).text())


def prove_result(
    store: Tournaments, tournament: Tournament, round: int, board: int, place: str
) -> list[FactProof]:
    """Proofs of a result and of what it means: the pairing of the round, and who the two players are."""
    facts = tournament.facts()
    wanted = {f"round-{round}-board-{board}-{what}": at for what, at in board_facts(facts, round, board)}
    at, boards = pairing_of(facts, round)
    wanted[f"round-{round}-pairing"] = at
    for player in seats_of(facts, round, board) or boards[board - 1]:
        wanted |= {f"player-{player}-{what}": at for what, at in facts_of_player(facts, player)}
    return [
        msgspec.structs.replace(prove_fact(store, tournament, version, place), name=name)
        for name, version in wanted.items()
    ]


def board_facts(facts: Sequence[Recorded], round: int, board: int) -> Iterator[tuple[str, int]]:
    """The last result of a board by its version, and the colours, or who met, if they were corrected."""
    result = colours = players = 0
    for recorded in facts:
        match recorded.fact:
            case RoundPaired(round=of) | RoundUnpaired(round=of) if of == round:
                result = colours = players = 0
            case ResultCleared(round=of, board=at) if (of, at) == (round, board):
                result = 0
            case ResultRecorded(round=of, board=at) | ResultCorrected(round=of, board=at) if (of, at) == (
                round,
                board,
            ):
                result = recorded.version
            case ColoursCorrected(round=of, board=at) if (of, at) == (round, board):
                colours = recorded.version
            case BoardsCorrected(round=of, boards=played) if of == round:
                if any(one.board == board for one in played):
                    result, colours, players = recorded.version, 0, recorded.version
    if not result:
        raise Unknown(f"board {board} of round {round} has no result: there is nothing to prove")
    yield "result", result
    if colours:
        yield "colours", colours
    if players:
        yield "players", players


def seats_of(facts: Sequence[Recorded], round: int, board: int) -> tuple[int, ...]:
    """Who met at a board, if that was corrected since the round was paired."""
    seats: tuple[int, ...] = ()
    for recorded in facts:
        match recorded.fact:
            case RoundPaired(round=of) if of == round:
                seats = ()
            case BoardsCorrected(round=of, boards=played) if of == round:
                seats = next(((one.white, one.black) for one in played if one.board == board), seats)
    return seats


def pairing_of(facts: Sequence[Recorded], round: int) -> tuple[int, tuple[Board, ...]]:
    """The version of the fact that made the boards of a round, and the boards."""
    for recorded in reversed(facts):
        match recorded.fact:
            case RoundPaired(round=of, boards=boards) | PairingsAltered(round=of, boards=boards):
                if of == round:
                    return recorded.version, boards
    raise Unknown(f"round {round} is not paired: there is nothing to prove")


def facts_of_player(facts: Sequence[Recorded], player: int) -> Iterator[tuple[str, int]]:
    """The versions of the facts that say who a player is."""
    for recorded in facts:
        match recorded.fact:
            case PlayerRegistered(player=id) if id == player:
                yield "registered", recorded.version
            case PlayerDetailsCorrected(player=id, changes=changes) if id == player:
                if changes.name is not UNSET:
                    yield f"corrected-{recorded.version}", recorded.version
