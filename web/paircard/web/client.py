"""A client for programs: typed answers, refusals as exceptions, and requests that are sent again safely.

    from paircard.web.client import Client

    with Client("http://127.0.0.1:8000", key="…") as client:
        [tournament] = client.tournaments().tournaments
        client.send(tournament.id, {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"})
        for event in client.follow(tournament.id):
            print(event.id, event.data)

It needs httpx and msgspec, and nothing else of what Paircard needs.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar, cast
from uuid import uuid4

import msgspec

from paircard.domain.values.regulations import Regulations
from paircard.projections.log_lines import LogLine
from paircard.projections.round.cards import Card
from paircard.service.pairing_sheets import Round
from paircard.service.views import Overview, PlacedCrosstable, Players, Standings
from paircard.web.messages import GrantView, Listing, Me, NewGrant, NewSecret, Outcome, Problem

try:
    import httpx
except ImportError:
    reason = "the client needs httpx, which is not installed: pip install 'paircard[client]'"
    raise ImportError(reason, name="httpx") from None

API: Final = "/api/v1"
PAUSES: Final = (0.1, 0.3, 1.0, 2.0, 3.0, 5.0)
"""Seconds between attempts when the server does not answer, or is busy."""
T = TypeVar("T")
P = ParamSpec("P")


class Reply(msgspec.Struct, frozen=True):
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class NoAnswer(ConnectionError):
    """The server could not be reached, or hung up: whether it did what was asked is not known."""


class ProblemAnswered(Exception):
    """The server refused; ``problem`` says what and why."""

    def __init__(self, problem: Problem) -> None:
        self.problem: Final = problem
        super().__init__(f"{problem.status} {problem.type}: {problem.detail}")


class NotUnderstood(Exception):
    """What this client does not know was answered; where ``status`` is 2xx, what was asked was done."""

    def __init__(self, status: int, body: bytes, reason: object) -> None:
        self.status: Final = status
        self.body: Final = body
        done = "it was done, and the answer has" if status < 300 else "the answer is"
        super().__init__(f"{status}: {done} what this client does not know ({reason})")


class Event(msgspec.Struct, frozen=True):
    """One message of a feed."""

    id: str
    event: str
    data: Any


class Ask(msgspec.Struct, frozen=True):
    """A call before it is made: what to send, and what comes back."""

    kind: Any
    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = {}

    def sent(self, key: str) -> dict[str, Any]:
        """What httpx is told to send; redirects to a fixed moment are followed."""
        return {
            "method": self.method,
            "url": API + self.path,
            "headers": headers_of(key, self.method) | dict(self.headers),
            "content": self.body or None,
            "follow_redirects": self.method == "GET",
        }


class Client:
    """A server, and the key that says who asks."""

    def __init__(self, base: str, *, key: str = "", transport: httpx.BaseTransport | None = None) -> None:
        self.base: Final = base.rstrip("/")
        self.key = key
        self._transport: Final = transport
        self._open: httpx.Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection; the next request makes another, and open feeds go on."""
        opened, self._open = self._open, None
        if opened is not None:
            opened.close()

    def _http(self) -> httpx.Client:
        return httpx.Client(transport=self._transport, **connecting(self.base))

    # Reading

    def tournaments(
        self,
        after: str | None = None,
        limit: int | None = None,
        *,
        name: str | None = None,
        place: str | None = None,
        year: int | None = None,
        player: str | None = None,
    ) -> Listing:
        """A page of the tournaments, or of those that are looked for."""
        search = {"name": name, "place": place, "year": year, "player": player}
        return self._get(Listing, "/tournaments", after=after, limit=limit, **search)

    def overview(self, tournament: str, at: str | None = None) -> Overview:
        """Regulations, and how far it has come."""
        return self._get(Overview, f"/tournaments/{tournament}", at=at)

    def round(self, tournament: str, round: int, at: str | None = None) -> Round:
        """The boards of a round."""
        return self._get(Round, f"/tournaments/{tournament}/rounds/{round}", at=at)

    def standings(self, tournament: str, after: int | None = None, at: str | None = None) -> Standings:
        """The standings after a round."""
        return self._get(Standings, f"/tournaments/{tournament}/standings", after=after, at=at)

    def crosstable(
        self, tournament: str, after: int | None = None, at: str | None = None
    ) -> PlacedCrosstable:
        """The crosstable after a round."""
        return self._get(PlacedCrosstable, f"/tournaments/{tournament}/crosstable", after=after, at=at)

    def players(self, tournament: str, at: str | None = None) -> Players:
        """Everyone registered."""
        return self._get(Players, f"/tournaments/{tournament}/players", at=at)

    def card(self, tournament: str, player: int, at: str | None = None) -> Card:
        """A player's pairing card."""
        return self._get(Card, f"/tournaments/{tournament}/players/{player}", at=at)

    def log(self, tournament: str, at: str | None = None) -> tuple[LogLine, ...]:
        """The facts in words."""
        return self._get(tuple[LogLine, ...], f"/tournaments/{tournament}/log", at=at)

    def me(self) -> Me:
        """Who this key stands for."""
        return self._get(Me, "/sessions/current")

    # Asking

    def open(self, regulations: Regulations, *, id: str = "", ack: tuple[str, ...] = ()) -> Overview:
        """Open a tournament."""
        body = {"regulations": regulations, "ack": ack}
        return self._post(Overview, "/tournaments", body, id)

    def send(
        self,
        tournament: str,
        *commands: Mapping[str, Any],
        why: str = "",
        ack: tuple[str, ...] = (),
        expected: int | None = None,
        id: str = "",
    ) -> Outcome:
        """Carry out commands, all or none.

        Sent again by itself when the server does not answer: it counts once.
        """
        body = {"commands": commands, "why": why, "ack": ack}
        match = {"if-match": f'"{expected}"'} if expected is not None else {}
        return self._post(Outcome, f"/tournaments/{tournament}/commands", body, id, match)

    def let_in(self, grant: NewGrant, tournament: str = "") -> NewSecret:
        """Let somebody in to a tournament, or to the whole store."""
        ask = Ask(NewSecret, "POST", f"{within(tournament)}/grants", msgspec.json.encode(grant))
        return cast(NewSecret, self._answer_to(ask))

    def grants(self, tournament: str = "") -> tuple[GrantView, ...]:
        """Who was let in."""
        return self._get(tuple[GrantView, ...], f"{within(tournament)}/grants")

    # Following

    def feed(self, tournament: str = "", after: int | None = None, timeout: float = 60.0) -> Iterator[Event]:
        """New facts as they are recorded, of one tournament or of all; ends when the connection does."""
        feed, messages = feed_from(tournament, after).sent(self.key), Messages()
        with answering(), self._http() as http, http.stream(**feed, timeout=timeout) as answer:
            if answer.status_code != 200:
                raise refusal(answer.status_code, answer.read())
            for part in answer.iter_bytes():
                yield from messages.taken(part)

    def follow(self, tournament: str = "", after: int | None = None) -> Iterator[Event]:
        """The feed without end: after a lost connection it resumes where it broke off, without a gap."""
        if after is None:
            after = self.overview(tournament).version if tournament else 0
        while True:
            with suppress(NoAnswer):
                try:
                    for event in self.feed(tournament, after):
                        after = int(event.id)
                        yield event
                except ProblemAnswered as answered:
                    if answered.problem.status not in (429, 503):
                        raise
            time.sleep(PAUSES[1])

    # How it is done

    def request(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}) -> Reply:
        """One request; refusals are raised."""
        http = self._open = self._open or self._http()
        with answering():
            answer = http.request(**Ask(None, method, path, body, headers).sent(self.key))
        if answer.status_code >= 400:
            raise refusal(answer.status_code, answer.content)
        return Reply(answer.status_code, dict(answer.headers), answer.content)

    def _get(self, kind: type[T], path: str, **parameters: Any) -> T:
        given = {name: value for name, value in parameters.items() if value is not None}
        query = f"?{httpx.QueryParams(given)}" if given else ""
        return cast(T, self._answer_to(Ask(kind, "GET", path + query)))

    def _post(self, kind: type[T], path: str, body: Any, id: str, headers: Mapping[str, str] = {}) -> T:
        """Send with a key of its own, so that it may be sent again."""
        sent = {"idempotency-key": id or uuid4().hex, **headers}
        return cast(T, self._answer_to(Ask(kind, "POST", path, msgspec.json.encode(body), sent)))

    def _answer_to(self, ask: Ask) -> Any:
        """What comes of a call; what has a key is sent again until there is an answer."""
        for pause in pauses(ask):
            try:
                reply = self.request(ask.method, ask.path, ask.body, ask.headers)
                return understood(ask.kind, reply.status, reply.body)
            except (NoAnswer, ProblemAnswered) as trouble:
                if pause is None or not may_pass(trouble):
                    raise
            time.sleep(pause)
        raise AssertionError("not reached")


class Description(Client):
    """Says what each call of a client sends, and sends nothing."""

    def _answer_to(self, ask: Ask) -> Any:
        return ask


CALLS: Final = Description("")


def awaited(
    call: Callable[Concatenate[Client, P], T],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, T]]:
    """A call of the client, for asyncio."""

    @wraps(call)
    async def asked(self: "AsyncClient", /, *given: P.args, **named: P.kwargs) -> T:
        found: T = await self._answer_to(cast(Ask, call(CALLS, *given, **named)))
        return found

    return asked


class AsyncClient:
    """``Client`` for asyncio: every call is awaited.

    Who leaves a feed before its end closes it: ``async with contextlib.aclosing(client.follow(id)) as feed``.
    """

    def __init__(
        self, base: str, *, key: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.base: Final = base.rstrip("/")
        self.key: Final = key
        self._http: Final = httpx.AsyncClient(transport=transport, **connecting(self.base))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    tournaments = awaited(Client.tournaments)
    overview = awaited(Client.overview)
    round = awaited(Client.round)
    standings = awaited(Client.standings)
    crosstable = awaited(Client.crosstable)
    players = awaited(Client.players)
    card = awaited(Client.card)
    log = awaited(Client.log)
    me = awaited(Client.me)
    open = awaited(Client.open)
    send = awaited(Client.send)
    let_in = awaited(Client.let_in)
    grants = awaited(Client.grants)

    async def feed(
        self, tournament: str = "", after: int | None = None, timeout: float = 60.0
    ) -> AsyncGenerator[Event, None]:
        """New facts as they are recorded, of one tournament or of all; ends when the connection does."""
        feed, messages = feed_from(tournament, after).sent(self.key), Messages()
        with answering():
            async with self._http.stream(**feed, timeout=timeout) as answer:
                if answer.status_code != 200:
                    raise refusal(answer.status_code, await answer.aread())
                async for part in answer.aiter_bytes():
                    for event in messages.taken(part):
                        yield event

    async def follow(self, tournament: str = "", after: int | None = None) -> AsyncGenerator[Event, None]:
        """The feed without end: after a lost connection it resumes where it broke off, without a gap."""
        if after is None:
            after = (await self.overview(tournament)).version if tournament else 0
        while True:
            with suppress(NoAnswer):
                try:
                    async with aclosing(self.feed(tournament, after)) as feed:
                        async for event in feed:
                            after = int(event.id)
                            yield event
                except ProblemAnswered as answered:
                    if answered.problem.status not in (429, 503):
                        raise
            await asyncio.sleep(PAUSES[1])

    async def _answer_to(self, ask: Ask) -> Any:
        """What comes of a call; what has a key is sent again until there is an answer."""
        for pause in pauses(ask):
            try:
                with answering():
                    answer = await self._http.request(**ask.sent(self.key))
                if answer.status_code < 400:
                    return understood(ask.kind, answer.status_code, answer.content)
                raise refusal(answer.status_code, answer.content)
            except (NoAnswer, ProblemAnswered) as trouble:
                if pause is None or not may_pass(trouble):
                    raise
            await asyncio.sleep(pause)
        raise AssertionError("not reached")


def understood(kind: Any, status: int, body: bytes) -> Any:
    """An answer as what it should be."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as reason:
        raise NotUnderstood(status, body, reason) from None


def refusal(status: int, body: bytes) -> ProblemAnswered | NoAnswer | NotUnderstood:
    """Why there is no answer; one that is no problem is that of a proxy, whose server may be away."""
    try:
        return ProblemAnswered(understood(Problem, status, body))
    except NotUnderstood as odd:
        return NoAnswer(f"{status} from a proxy") if status in (502, 503, 504) else odd


def headers_of(key: str, method: str) -> dict[str, str]:
    """The headers of every request."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return headers | ({"content-type": "application/json"} if method == "POST" else {})


def connecting(base: str) -> dict[str, Any]:
    """How either client of httpx reaches a server."""
    trusted = ssl.create_default_context() if base.startswith("https:") else False
    return {"base_url": base, "timeout": 30.0, "verify": trusted, "trust_env": False}


def within(tournament: str) -> str:
    """What addresses of a tournament begin with; empty for the whole store."""
    return f"/tournaments/{tournament}" if tournament else ""


def feed_from(tournament: str, after: int | None) -> Ask:
    """A feed that goes on after a message."""
    headers = {"accept": "text/event-stream"} | ({} if after is None else {"last-event-id": str(after)})
    return Ask(Event, "GET", f"{within(tournament)}/feed", headers=headers)


def pauses(ask: Ask) -> tuple[float | None, ...]:
    """How long to wait after each attempt; None after the last. What has no key is sent once."""
    return (*(PAUSES if "idempotency-key" in ask.headers else ()), None)


def may_pass(trouble: NoAnswer | ProblemAnswered) -> bool:
    """Whether the same may be answered a moment later."""
    return isinstance(trouble, NoAnswer) or trouble.problem.status == 503


@contextmanager
def answering() -> Iterator[None]:
    """Trouble of the network as ``NoAnswer``."""
    try:
        yield
    except httpx.TransportError as trouble:
        raise NoAnswer(str(trouble) or type(trouble).__name__) from trouble


class Messages:
    """The messages of a stream of server-sent events, as its parts come in."""

    _id, _event, _data, _rest = "", "message", "", b""

    def taken(self, part: bytes) -> Iterator[Event]:
        """The messages that end in this part; only a line feed ends a line, whatever Unicode thinks."""
        *whole, self._rest = (self._rest + part).split(b"\n")
        for raw in whole:
            line = raw.decode().rstrip("\r")
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "id":
                self._id = value
            elif name == "event":
                self._event = value
            elif name == "data":
                self._data += value
            elif not line:
                if self._data:
                    yield Event(self._id, self._event, msgspec.json.decode(self._data))
                self._event, self._data = "message", ""
