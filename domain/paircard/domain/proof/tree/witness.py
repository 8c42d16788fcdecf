"""A witness signs that a log only grew, and refuses everything else (c2sp.org/tlog-witness).

It keeps the newest checkpoint it signed for each log, one small file per log. Requests come over HTTP or as
files; both ways use the same function.
"""

import base64
import fcntl
import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.proof.checkpoints import Signer, Verifier
from paircard.domain.proof.tree.merkle import EMPTY, begins_with
from paircard.domain.proof.tree.notes import TreeHead, TreeNote, cosign, is_signed, parse_note, strict_base64
from paircard.domain.proof.tree.tiles import write_file

LARGEST_REQUEST: Final = 64 * 1024
MOST_HASHES: Final = 63


class WitnessRequest(msgspec.Struct, frozen=True):
    """A log asks for a signature under its new checkpoint."""

    old_size: int
    proof: tuple[bytes, ...]
    note: TreeNote

    def text(self) -> str:
        lines = [f"old {self.old_size}", *(base64.b64encode(hash).decode() for hash in self.proof), "", ""]
        return "\n".join(lines) + self.note.text()


class WitnessAnswer(msgspec.Struct, frozen=True):
    """Status and body as HTTP has them; over files the status is the first line."""

    status: HTTPStatus
    body: str

    def text(self) -> str:
        return f"{self.status.value}\n{self.body}"


def parse_request(text: str) -> WitnessRequest:
    """Read a request; refuses what is not exactly one."""
    above, gap, note = text.partition("\n\n")
    first, *lines = above.split("\n")
    if not gap or not re.fullmatch(r"old (0|[1-9][0-9]{0,17})", first):
        raise Invalid("the request begins with a line such as 'old 20852014'")
    proof = tuple(strict_base64(line) for line in lines)
    if len(proof) > MOST_HASHES or any(len(hash) != 32 for hash in proof):
        raise Invalid("the request has a line that is not a SHA-256 in base64")
    return WitnessRequest(int(first[4:]), proof, parse_note(note))


class Witness:
    """One witness with its key, the logs it knows and a folder for what it signed."""

    def __init__(self, signer: Signer, logs: Sequence[Verifier], state: Path) -> None:
        self.signer = signer
        self.logs: Mapping[str, Verifier] = {key.name: key for key in logs}
        self.state = state

    def answer(self, text: str, at: int | None = None) -> WitnessAnswer:
        """Sign a checkpoint that continues the last one, or say why not."""
        try:
            request = parse_request(text)
        except Invalid as wrong:
            return WitnessAnswer(HTTPStatus.BAD_REQUEST, f"{wrong}\n")
        head = request.note.head
        if head.origin not in self.logs:
            return WitnessAnswer(HTTPStatus.NOT_FOUND, f"{head.origin} is not a log this witness knows\n")
        try:
            signed = is_signed(request.note, self.logs[head.origin])
        except Invalid as wrong:
            return WitnessAnswer(HTTPStatus.FORBIDDEN, f"{wrong}\n")
        if not signed:
            return WitnessAnswer(HTTPStatus.FORBIDDEN, f"{head.origin} did not sign this checkpoint\n")
        if request.old_size > head.size:
            return WitnessAnswer(HTTPStatus.BAD_REQUEST, "the old size is larger than the new one\n")
        with self.turn(head.origin):
            return self._decide(request, at)

    def _decide(self, request: WitnessRequest, at: int | None) -> WitnessAnswer:
        head, last = request.note.head, self.last(request.note.head.origin)
        if request.old_size != last.size:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{last.size}\n")
        if not begins_with(last.size, last.root, head.size, head.root, request.proof) or (
            head.size == 0 and head.root != EMPTY
        ):
            words = "the new tree does not begin with the one this witness signed\n"
            return WitnessAnswer(HTTPStatus.UNPROCESSABLE_ENTITY, words)
        write_file(self.path(head.origin), head.text().encode())
        return WitnessAnswer(HTTPStatus.OK, cosign(head, self.signer, at).line())

    def last(self, origin: str) -> TreeHead:
        """The newest tree this witness signed for a log; the empty one if none."""
        try:
            text = self.path(origin).read_text("utf-8")
        except FileNotFoundError:
            return TreeHead(origin, 0, EMPTY)
        found = re.fullmatch(r"([^\n]+)\n([0-9]+)\n([A-Za-z0-9+/=]+)\n", text)
        root = strict_base64(found[3]) if found else b""
        if not found or found[1] != origin or len(root) != 32:
            raise Invalid(f"{self.path(origin)} is damaged: this witness must not sign until it is restored")
        return TreeHead(origin, int(found[2]), root)

    def path(self, origin: str) -> Path:
        return self.state / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.head"

    @contextmanager
    def turn(self, origin: str) -> Iterator[None]:
        """Checking and storing are one step, for threads and for processes."""
        self.state.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path(origin).with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)
