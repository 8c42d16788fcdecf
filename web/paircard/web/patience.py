"""Patience has an end: callers who say nothing, say too much, or do not listen are let go.

Headers have to arrive in time and be short, and answers have to be read. Otherwise a few callers could hold
the memory and the connections of everybody.
"""

import asyncio
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from paircard.web.problems import PROBLEM_JSON, HeadTooLarge, HttpRefused, MalformedRequest, problem_of

HEADER_SECONDS: Final = 10.0
LONGEST_HEAD: Final = 64 * 1024
"""Bytes of an address and its headers that are still incomplete."""
STALLED_SECONDS: Final = 30.0
"""How long an answer may wait for a caller who does not read it."""


class Patient(HttpToolsProtocol):
    """HTTP with limits on how long a caller may take to say what it wants, and to hear the answer."""

    limit: asyncio.TimerHandle | None = None
    """Runs while headers are awaited."""
    head: int = 0
    """Bytes of headers that came so far."""
    stalled: asyncio.TimerHandle | None = None
    """Runs while the caller reads nothing."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        if self.limit is None and (self.cycle is None or self.cycle.response_complete):
            self._wait_for_headers()
        super().data_received(data)
        if self.limit is not None:
            self.head += len(data)
            if self.head > LONGEST_HEAD:
                self._refuse(
                    HeadTooLarge(f"address and headers have more than {LONGEST_HEAD} bytes: send less")
                )

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._listens()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._listens()
        self.stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._listens()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        self._refuse(MalformedRequest("this is not a request of HTTP/1.1"))

    def _wait_for_headers(self) -> None:
        self.head = 0
        self.limit = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self.limit is not None:
            self.limit.cancel()
            self.limit = None

    def _listens(self) -> None:
        if self.stalled is not None:
            self.stalled.cancel()
            self.stalled = None

    def _give_up(self) -> None:
        self.limit = None
        self.transport.close()

    def _refuse(self, refusal: HttpRefused) -> None:
        """Answer what never became a request, and hang up."""
        self._stop_waiting()
        problem = problem_of(refusal)
        body = msgspec.json.encode(problem)
        self.transport.write(
            f"HTTP/1.1 {problem.status} Refused\r\ncontent-type: {PROBLEM_JSON}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode()
            + body
        )
        self.transport.close()
