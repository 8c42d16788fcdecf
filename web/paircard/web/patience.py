"""Connections that say nothing, or say it too slowly, are closed: headers have to arrive in time."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS: Final = 10.0


class Patient(HttpToolsProtocol):
    """HTTP with a limit on how long a caller may take to say what it wants."""

    limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        if self.limit is None and (self.cycle is None or self.cycle.response_complete):
            self._wait_for_headers()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_headers(self) -> None:
        self.limit = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self.limit is not None:
            self.limit.cancel()
            self.limit = None

    def _give_up(self) -> None:
        self.limit = None
        self.transport.close()
