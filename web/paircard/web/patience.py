"""Patience has an end: callers who say nothing, say too much, or do not listen are let go.

What is kept of one connection is bounded whatever it sends: the head and the trailers of a request by their
bytes and lines, its body by the reader, and what comes behind a request that is being answered is not read:
the line is closed after the answer, and after some seconds where the answer is a feed, which has no end.

Of uvicorn this uses the callbacks of httptools, which its protocol implements, and ``on_response_complete``.
"""

import asyncio
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from paircard.web.problems import PROBLEM_JSON, HeadTooLarge, HttpRefused, MalformedRequest, problem_of

HEADER_SECONDS: Final = 10.0
"""How long a head may take, and an answer behind which somebody talked."""
BODY_SECONDS: Final = 60.0
"""How long a body may take that nobody reads any more."""
LONGEST_HEAD: Final = 64 * 1024
"""Bytes of an address and its headers, or of trailers."""
MOST_HEADERS: Final = 200
"""Lines of a head and its trailers."""
PIECE: Final = 4096
"""Bytes that are parsed at once; what comes in one piece is kept whatever it is."""
STALLED_SECONDS: Final = 30.0
"""How long an answer may wait for a caller who does not read it."""


class Patient(HttpToolsProtocol):
    """HTTP with limits on how long and how much a caller may talk, and how long it may take to listen."""

    limit: asyncio.TimerHandle | None = None
    """Runs while a head, a body or the last answer is awaited."""
    stalled: asyncio.TimerHandle | None = None
    """Runs while the caller reads nothing."""
    kept: int = 0
    """Bytes since the parser last let go of some: of a head, of trailers, of the size of a chunk."""
    lines: int = 0
    """Headers and trailers of this request."""
    named: bool = False
    """The beginning of the address has come."""
    in_body: bool = False
    """The head of a request has come, its end has not."""
    just_asked: bool = False
    """The head has come this moment: nobody can have begun to answer it."""
    unanswered: bool = False
    """A request has come whose answer is not complete."""
    last: bool = False
    """Something came behind a request that is being answered: the line is closed after the answer."""
    refusal: HttpRefused | None = None
    """What is wrong with what came."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._listens()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.just_asked = False
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing() or self.last:
                return
            piece = data[start : start + PIECE]
            if self.in_body or not self.unanswered:
                self._parse(piece)
            elif piece.strip(b"\r\n"):  # a line break behind a body asks for nothing
                self._make_last()

    def _parse(self, piece: bytes) -> None:
        self.kept += len(piece)
        super().data_received(piece)
        if self.transport.is_closing():
            return
        if self.kept > LONGEST_HEAD + PIECE:
            self._refuse(HeadTooLarge("http.head-too-large", id=str(LONGEST_HEAD)))
        elif self.limit is None and (self.kept or self.in_body):  # what came whole needs no time
            self._wait(BODY_SECONDS if self.in_body else HEADER_SECONDS)

    def _make_last(self) -> None:
        """Read no further: a caller who did not wait asks again on another line (RFC 9112:9.3.2)."""
        self.last = True
        self.transport.pause_reading()
        self._wait(HEADER_SECONDS)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.unanswered = False
        if self.last:
            self.transport.close()

    # What the parser found

    def on_message_begin(self) -> None:
        if self.unanswered:
            self._make_last()
            raise MalformedRequest("http.one-after-the-other")  # the parser has to stop here
        self.lines = 0
        self.named = False
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self.named and not url.startswith(b"/"):
            self._give(MalformedRequest("http.no-path"))
        self.named = True
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.lines += 1
        if self.lines > MOST_HEADERS:
            self._give(HeadTooLarge("http.too-many-headers", most=MOST_HEADERS))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.kept = 0
        self.in_body = True
        self.just_asked = self.unanswered = True
        self._stop_waiting()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.kept = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.kept = 0
        self.in_body = False
        self._stop_waiting()
        super().on_message_complete()

    def _give(self, refusal: HttpRefused) -> None:
        """Stop the parser, which has the refusal sent."""
        self.refusal = refusal
        raise refusal

    def send_400_response(self, msg: str) -> None:
        if not self.last:
            self._refuse(self.refusal or MalformedRequest("http.not-http"))

    def _refuse(self, refusal: HttpRefused) -> None:
        """Answer what never became a request, and hang up."""
        self._stop_waiting()
        if self.unanswered and not self.just_asked:  # no other answer may come into one that is under way
            self.transport.close()
            return
        problem = problem_of(refusal)
        body = msgspec.json.encode(problem)
        self.transport.write(
            f"HTTP/1.1 {problem.status} Refused\r\ncontent-type: {PROBLEM_JSON}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode()
            + body
        )
        self.transport.close()

    # Time

    def pause_writing(self) -> None:
        super().pause_writing()
        self._listens()
        self.stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._listens()
        super().resume_writing()

    def _listens(self) -> None:
        if self.stalled is not None:
            self.stalled.cancel()
            self.stalled = None

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self.limit = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self.limit is not None:
            self.limit.cancel()
            self.limit = None

    def _give_up(self) -> None:
        self.limit = None
        self.transport.close()
