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
from paircard.domain.messages import Message, say
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
from paircard.domain.speaking import Speaker
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
    above, gap, note = text.partition("\n\n")
    first, *lines = above.split("\n")
    if not gap or not re.fullmatch(r"old (0|[1-9][0-9]{0,17})", first):
        raise Invalid("proof.request-without-size")
    proof = tuple(strict_base64(line) for line in lines)
    if len(proof) > MOST_HASHES or any(len(hash) != 32 for hash in proof):
        raise Invalid("proof.request-without-hash")
    return WitnessRequest(int(first[4:]), proof, parse_tree_note(note))


def refused(status: HTTPStatus, why: Message) -> WitnessAnswer:
    """An answer that says why there is no signature."""
    return WitnessAnswer(status, f"{Speaker().say(why)}\n")


class Witness:
    """One witness with its key, the logs it knows and a folder for what it signed."""

    def __init__(self, signer: Signer, logs: Sequence[Verifier], state: Path) -> None:
        twice = [name for name, times in Counter(key.name for key in logs).items() if times > 1]
        if twice:
            raise Invalid("proof.two-keys-of-a-log", name=twice[0])
        self.signer = signer
        self.logs: Mapping[str, Verifier] = {key.name: key for key in logs}
        self.state = state

    def answer(self, text: str, at: int | None = None) -> WitnessAnswer:
        """Sign a checkpoint that continues the last one, or say why not."""
        try:
            request = parse_request(text)
        except Invalid as wrong:
            return refused(HTTPStatus.BAD_REQUEST, wrong.said)
        head = request.note.head
        if head.origin not in self.logs:
            return refused(HTTPStatus.NOT_FOUND, say("proof.log-unknown", name=head.origin))
        try:
            signed = is_signed(request.note, self.logs[head.origin])
        except Invalid as wrong:
            return refused(HTTPStatus.FORBIDDEN, wrong.said)
        if not signed:
            return refused(HTTPStatus.FORBIDDEN, say("proof.log-did-not-sign", name=head.origin))
        if request.old_size > head.size:
            return refused(HTTPStatus.BAD_REQUEST, say("proof.old-size-larger"))
        try:
            with locked(self.path(head.origin).with_suffix(".lock")) as lock:
                return self._decide(request, lock, at)
        except (Invalid, OSError) as trouble:
            return refused(HTTPStatus.INTERNAL_SERVER_ERROR, say("proof.cannot-sign", reason=str(trouble)))

    def _decide(self, request: WitnessRequest, lock: int, at: int | None) -> WitnessAnswer:
        head, last = request.note.head, self.last(request.note.head.origin)
        if not last.size and os.fstat(lock).st_size:
            raise Invalid("proof.state-removed", path=str(self.path(head.origin)))
        if request.old_size != last.size:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{last.size}\n")
        if head.size == last.size and head.root != last.root:
            return refused(HTTPStatus.CONFLICT, say("proof.another-tree", number=head.size))
        if not begins_with(last.size, last.root, head.size, head.root, request.proof):
            return refused(HTTPStatus.UNPROCESSABLE_ENTITY, say("proof.tree-begins-otherwise"))
        write_file(self.path(head.origin), head.text().encode())
        if head.size:
            os.lseek(lock, 0, os.SEEK_SET)
            os.write(lock, b"signed\n")  # from now on, a state that is missing was removed
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
            raise Invalid("proof.state-damaged", path=str(self.path(origin)))
        return head

    def path(self, origin: str) -> Path:
        return self.state / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.head"
