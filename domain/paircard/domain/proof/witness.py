"""A witness signs that a log only grew, and refuses everything else (c2sp.org/tlog-witness).

It keeps the newest checkpoint it signed for each log, one small file per log. Requests come over HTTP or as
files; both ways use the same function.
"""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.proof.note import (
    Head,
    Note,
    Signer,
    Verifier,
    base64_lines,
    is_signed,
    parse_head,
    parse_tree_note,
    strict_base64,
)
from paircard.domain.proof.tree import EMPTY, begins_with, locked
from paircard.domain.whole_files import write_file

LARGEST_REQUEST: Final = 64 * 1024
MOST_HASHES: Final = 63


class WitnessRequest(msgspec.Struct, frozen=True):
    """A log asks for a signature under its new checkpoint."""

    old_size: int
    proof: tuple[bytes, ...]
    note: Note

    def text(self) -> str:
        lines = [f"old {self.old_size}", *base64_lines(self.proof), "", ""]
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
    return WitnessRequest(int(first[4:]), proof, parse_tree_note(note))


class Witness:
    """One witness with its key, the logs it knows and a folder for what it signed."""

    def __init__(self, signer: Signer, logs: Sequence[Verifier], state: Path) -> None:
        twice = [name for name, times in Counter(key.name for key in logs).items() if times > 1]
        if twice:
            raise Invalid(f"there are two keys for the log {twice[0]}: a witness knows one key of each log")
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
        try:
            with locked(self.path(head.origin).with_suffix(".lock")) as lock:
                return self._decide(request, lock, at)
        except (Invalid, OSError) as trouble:
            words = f"this witness cannot sign now: {trouble}\n"
            return WitnessAnswer(HTTPStatus.INTERNAL_SERVER_ERROR, words)

    def _decide(self, request: WitnessRequest, lock: int, at: int | None) -> WitnessAnswer:
        head, last = request.note.head, self.last(request.note.head.origin)
        if not last.size and os.fstat(lock).st_size:
            raise Invalid(f"{self.path(head.origin)} was removed, and it has signed before: restore the file")
        if request.old_size != last.size:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{last.size}\n")
        if head.size == last.size and head.root != last.root:
            words = f"another tree of {head.size} facts than the one this witness signed\n"
            return WitnessAnswer(HTTPStatus.CONFLICT, words)
        if not begins_with(last.size, last.root, head.size, head.root, request.proof):
            words = "the new tree does not begin with the one this witness signed\n"
            return WitnessAnswer(HTTPStatus.UNPROCESSABLE_ENTITY, words)
        write_file(self.path(head.origin), head.text().encode())
        if head.size:
            os.pwrite(lock, b"signed\n", 0)  # from now on, a state that is missing was removed
        return WitnessAnswer(HTTPStatus.OK, self.signer.cosign(head, at).line())

    def last(self, origin: str) -> Head:
        """The newest tree this witness signed for a log; the empty one if none."""
        head: Head | None = None
        try:
            text = self.path(origin).read_text("utf-8", "replace")
            head = parse_head(text)
        except FileNotFoundError:
            return Head(origin, 0, EMPTY)
        except Invalid:
            pass
        if head is None or head.origin != origin or head.text() != text:
            raise Invalid(f"{self.path(origin)} is damaged: this witness must not sign until it is restored")
        return head

    def path(self, origin: str) -> Path:
        return self.state / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.head"
