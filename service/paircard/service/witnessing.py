"""Reaching a witness, and being one: over HTTP, or by two files for a machine without a network."""

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from paircard.domain.errors import Invalid
from paircard.domain.proof.witness import (
    LARGEST_REQUEST,
    Witness,
    WitnessAnswer,
    WitnessRequest,
    parse_request,
)
from paircard.domain.values.text import is_number
from paircard.domain.whole_files import write_file

PATIENCE: Final = 10.0
"""Seconds to wait for a witness."""
REQUEST, ANSWER = "request", "answer"


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
            raise Invalid(f"{url} does not answer: {getattr(reason, 'reason', reason)}") from None

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
        raise Invalid(f"{asked} waits for the witness: bring its answer as {answered}, then publish again")

    return ask


def parse_answer(text: str) -> WitnessAnswer:
    """An answer as a file holds it: the status, then the body."""
    status, _, body = text.partition("\n")
    if status not in {str(known.value) for known in HTTPStatus}:
        raise Invalid(f"{text[:40]!r} is not the answer of a witness")
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
