"""The tree over all facts of a store: publish it, check it, prove single facts from it, and its witnesses.

A witness is reached, and may be run, over HTTP, or by two files for a machine without a network.
"""

import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET

from paircard.domain import events
from paircard.domain.errors import Invalid, LibraryMissing, Unknown
from paircard.domain.events import Recorded
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.note import Note, Signer, Verifier
from paircard.domain.proof.publishing import (
    LARGEST_REQUEST,
    Published,
    Witness,
    WitnessAnswer,
    WitnessContact,
    WitnessRequest,
    parse_request,
    prove,
    publish,
    verify_folder,
)
from paircard.domain.proof.tree import TileFolder
from paircard.domain.rounds import RATING_REPORT
from paircard.domain.system import Progress, unseen
from paircard.domain.values.text import is_number
from paircard.domain.whole_files import write_file
from paircard.service.tournament import Tournament

PATIENCE: Final = 10.0
"""Seconds to wait for a tile or a witness over the network."""
LARGEST_TILE: Final = 32 * 1024 * 1024
REQUEST, ANSWER = "request", "answer"


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
            raise Invalid("proof.answers", path=f"{self.place}/{name}", number=refusal.code) from None
        except (OSError, ValueError, HTTPException) as reason:
            raise silent(self.place, reason) from None


def tree_at(place: str) -> TileFolder:
    """A published tree in a folder or at an address."""
    return RemoteTiles(place) if place.startswith(("http://", "https://")) else TileFolder(Path(place))


def witness_contact(key: Verifier, place: str) -> WitnessContact:
    """A witness by its key, and where it is: an address, or a folder in which requests and answers meet."""
    web = place.startswith(("http://", "https://"))
    return WitnessContact(key, http_witness(place) if web else file_witness(Path(place)))


def publish_tree(
    store: Tournaments,
    folder: Path,
    signer: Signer,
    witnesses: Sequence[WitnessContact] = (),
    progress: Progress = unseen,
) -> Published:
    """Bring the published tree up to the newest fact."""
    return publish(store, TileFolder(folder), signer, witnesses, progress)


def verify_tree(place: str, log: Verifier, witnesses: Sequence[Verifier] = ()) -> Note:
    """Check a published tree, every tile and entry of it, against what was signed."""
    return verify_folder(tree_at(place), log, witnesses)


def prove_fact(
    store: Tournaments, tournament: Tournament, version: int, place: str, name: str = ""
) -> FactProof:
    """The proof that one fact of a tournament is in the published tree."""
    length = store.version(tournament.id)
    if not 1 <= version <= length:
        raise Unknown("proof.no-such-fact", version=version, count=length)
    [row] = store.rows(tournament.id, version - 1, version)
    return FactProof(name or f"fact-{version}", version, prove(store, tree_at(place), row).text())


def prove_result(
    store: Tournaments, tournament: Tournament, round: int, board: int, place: str
) -> list[FactProof]:
    """Proofs of a result and of what it means: the pairing of the round, and who the two players are."""
    facts = tournament.facts()
    wanted = {f"round-{round}-board-{board}-{what}": at for what, at in board_facts(facts, round, board)}
    wanted[f"round-{round}-pairing"] = pairing_of(facts, round)
    game = tournament.now().state.rounds[round - 1].games(RATING_REPORT)[board - 1]
    for player in (game.white, game.black):
        wanted |= {f"player-{player}-{what}": at for what, at in facts_of_player(facts, player)}
    return [prove_fact(store, tournament, version, place, name) for name, version in wanted.items()]


def board_facts(facts: Sequence[Recorded], round: int, board: int) -> Iterator[tuple[str, int]]:
    """The last result of a board by its version, and the colours, or who met, if they were corrected."""
    result = colours = players = 0
    for recorded in facts:
        match recorded.fact:
            case events.RoundPaired(round=of) | events.RoundUnpaired(round=of) if of == round:
                result = colours = players = 0
            case events.ResultCleared(round=of, board=at) if (of, at) == (round, board):
                result = 0
            case events.ResultRecorded(round=of, board=at) | events.ResultCorrected(round=of, board=at):
                if (of, at) == (round, board):
                    result = recorded.version
            case events.ColoursCorrected(round=of, board=at) if (of, at) == (round, board):
                colours = recorded.version
            case events.BoardsCorrected(round=of, boards=played) if of == round:
                if any(one.board == board for one in played):
                    result, colours, players = recorded.version, 0, recorded.version
    if not result:
        raise Unknown("proof.no-result", board=board, round=round)
    known = {"result": result, "colours": colours, "players": players}
    yield from ((what, version) for what, version in known.items() if version)


def pairing_of(facts: Sequence[Recorded], round: int) -> int:
    """The version of the fact that made the boards of a round."""
    for recorded in reversed(facts):
        match recorded.fact:
            case events.RoundPaired(round=of) | events.PairingsAltered(round=of) if of == round:
                return recorded.version
    raise Unknown("proof.not-paired", round=round)


def facts_of_player(facts: Sequence[Recorded], player: int) -> Iterator[tuple[str, int]]:
    """The versions of the facts that say who a player is."""
    for recorded in facts:
        match recorded.fact:
            case events.PlayerRegistered(player=id) if id == player:
                yield "registered", recorded.version
            case events.PlayerDetailsCorrected(player=id, changes=changes) if id == player:
                if changes.name is not UNSET:
                    yield f"corrected-{recorded.version}", recorded.version


def qr_svg(text: str) -> str:
    """A QR code as SVG; refuses text that no QR code can hold."""
    try:
        import segno
    except ImportError:
        raise LibraryMissing("proof.no-segno") from None
    try:
        code = segno.make_qr(text, error="l")
    except segno.DataOverflowError:
        raise Invalid("proof.too-long-for-qr", count=len(text)) from None
    return str(code.svg_inline(scale=4, border=4, dark="#000", light="#fff"))


# --- witnesses


def silent(place: str, reason: Exception) -> Invalid:
    """The refusal of an address that does not answer."""
    return Invalid("proof.no-answer", path=place, reason=str(getattr(reason, "reason", reason)))


def http_witness(address: str) -> Callable[[WitnessRequest], WitnessAnswer]:
    """A witness that answers at ``ADDRESS/add-checkpoint``."""
    url = f"{address.rstrip('/')}/add-checkpoint"

    def ask(request: WitnessRequest) -> WitnessAnswer:
        post = urllib.request.Request(url, request.text().encode(), method="POST")
        try:
            try:
                with urllib.request.urlopen(post, timeout=PATIENCE) as reply:
                    status, body = reply.status, reply.read(LARGEST_REQUEST)
            except urllib.error.HTTPError as refusal:
                with refusal:
                    status, body = refusal.code, refusal.read(LARGEST_REQUEST)
            return parse_answer(f"{status}\n{body.decode()}")
        except (OSError, ValueError, HTTPException) as reason:
            raise silent(url, reason) from None

    return ask


def file_witness(folder: Path) -> Callable[[WitnessRequest], WitnessAnswer]:
    """A witness that is handed the file ``request`` and hands back the file ``answer``."""

    def ask(request: WitnessRequest) -> WitnessAnswer:
        asked, answered = folder / REQUEST, folder / ANSWER
        pending = parse_request(asked.read_text("utf-8")) if asked.exists() else None
        same_tree = pending is not None and pending.note.head == request.note.head
        if pending and same_tree and answered.exists():
            answer = parse_answer(answered.read_text("utf-8"))
            if answer.status == HTTPStatus.OK or pending.old_size == request.old_size:
                return answer
        if not same_tree or answered.exists():
            answered.unlink(missing_ok=True)
            write_file(asked, request.text().encode())
        raise Invalid("proof.witness-waits", path=str(asked), file=str(answered))

    return ask


def parse_answer(text: str) -> WitnessAnswer:
    """An answer as a file holds it: the status, then the body."""
    status, _, body = text.partition("\n")
    if status not in {str(known.value) for known in HTTPStatus}:
        raise Invalid("proof.not-an-answer", text=text)
    return WitnessAnswer(HTTPStatus(int(status)), body)


def witness_server(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """A witness that listens; the caller lets it run and ends it."""

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_POST(self) -> None:
            if self.path != "/add-checkpoint":
                self.answer(WitnessAnswer(HTTPStatus.NOT_FOUND, "post to /add-checkpoint\n"))
                return
            length = self.headers.get("Content-Length", "")
            if not is_number(length) or int(length) > LARGEST_REQUEST:
                self.answer(WitnessAnswer(HTTPStatus.BAD_REQUEST, "a request has at most 64 kB\n"))
                return
            try:
                text = self.rfile.read(int(length)).decode()
            except (UnicodeDecodeError, OSError):
                self.answer(WitnessAnswer(HTTPStatus.BAD_REQUEST, "a request is UTF-8 text\n"))
                return
            self.answer(witness.answer(text))

        def answer(self, answer: WitnessAnswer) -> None:
            body = answer.body.encode()
            self.send_response(answer.status)
            conflict = answer.status == HTTPStatus.CONFLICT
            self.send_header("Content-Type", "text/x.tlog.size" if conflict else "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """One line per request: when, what, how it ended."""
            print(time.strftime("%FT%TZ", time.gmtime()), format % args, flush=True)

    return ThreadingHTTPServer((host, port), Handler)
