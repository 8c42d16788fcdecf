"""A hall to test in: a real store, the application in this process, and people with keys."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar

import httpx

from paircard.domain.values.regulations import Regulations
from paircard.web.app import make_app
from paircard.web.book import Grant, new_credential, new_grant
from paircard.web.client import Client
from paircard.web.messages import Role
from paircard.web.problems import PROBLEM_JSON, reference
from paircard.web.settings import LOCAL, Settings
from paircard.web.site import Site

BASE = "http://127.0.0.1"
NAMES = ("Ada", "Ben", "Cleo", "Dag", "Eva", "Finn", "Gil", "Hal")
QUICK = Settings(
    hosts=LOCAL | {"open.example"},
    commands_per_second=1000,
    reads_per_second=1000,
    sign_ins_per_minute=1000,
    review_seconds=60,
)
_keys = count(1)


T = TypeVar("T")


class InProcess(httpx.BaseTransport):
    """The application without sockets: its event loop runs in a thread, requests are plain calls."""

    def __init__(self, app: Any, client: tuple[str, int]) -> None:
        self.app = app
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=client)
        self.http = httpx.AsyncClient(transport=transport, base_url=BASE)
        self.lifespan = app.router.lifespan_context(app)
        self.wait(self.lifespan.__aenter__())

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        self.http.cookies.clear()
        return self.wait(self.http.request(method, path, **more))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self.request(
            request.method, str(request.url), headers=request.headers, content=request.read() or None
        )
        return httpx.Response(answer.status_code, headers=plain(answer.headers), content=answer.content)

    def end(self) -> None:
        self.wait(self.http.aclose())
        self.wait(self.lifespan.__aexit__(None, None, None))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def plain(headers: httpx.Headers) -> list[tuple[str, str]]:
    """Headers of an answer whose body is unpacked."""
    return [(name, value) for name, value in headers.multi_items() if name != "content-encoding"]


class Hall:
    """One server and the people around it."""

    def __init__(self, site: Site, http: "InProcess") -> None:
        self.site, self.http = site, http
        self.keys: dict[str, str] = {}
        for role, who in (("arbiter", "Anna Arbiter"), ("officer", "Otto Officer")):
            self.keys[role] = self.key_for(role, who)  # type: ignore[arg-type]
        self.tournament = ""

    def key_for(self, role: Role, who: str, **more: object) -> str:
        """A key for somebody, written into the access book."""
        return self.let_in(role, who, **more)[1]

    def let_in(self, role: Role, who: str, **more: object) -> tuple[Grant, str]:
        grant = new_grant(role, who, **more)
        credential, secret = new_credential(grant, "key")
        self.site.access.write(lambda _: [grant, credential])
        return grant, secret

    def as_(self, role: str = "") -> Client:
        """A client of somebody; of nobody in particular without a role."""
        return Client(BASE, key=self.keys.get(role, ""), transport=self.http)

    def call(self, method: str, path: str, role: str = "", body: Any = None, **headers: str) -> Any:
        """A request as it is; the answer as httpx has it. The page behind a problem names its code."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if role:
            sent.setdefault("authorization", f"Bearer {self.keys[role]}")
        more = {"json": body} if body is not None else {}
        answer = self.http.request(method, f"/api/v1{path}", headers=sent, follow_redirects=False, **more)
        if answer.headers.get("content-type") == PROBLEM_JSON:
            problem = answer.json()
            kind = reference().kinds[problem["type"].removeprefix("/problems/")]
            assert problem["code"] in kind.codes, problem
        return answer

    def send(self, *commands: dict[str, Any], role: str = "arbiter", **more: Any) -> Any:
        """Send commands to the tournament, with the version it has if the verb needs one."""
        body: dict[str, Any] = {"commands": commands}
        body |= {name: more.pop(name) for name in ("why", "ack") if name in more}
        more.setdefault("idempotency_key", f"k{next(_keys)}")
        more.setdefault("if_match", f'"{self.version()}"')
        return self.call("POST", f"/tournaments/{self.tournament}/commands", role, body, **more)

    def version(self) -> int:
        return self.site.tournament(self.tournament).now().version

    # The usual course of an event

    def open(self, name: str = "Club Open", rounds: int = 3, players: int = 6, **more: Any) -> str:
        """A tournament with players, and the initial colour drawn."""
        made = self.as_("arbiter").open(Regulations(name=name, rounds=rounds, **more))
        self.tournament = made.id
        done = self.send(
            *(
                {
                    "do": "register-player",
                    "details": {
                        "name": who,
                        "rating": 2200 - 50 * at,
                        "birth": "1990-04-23",
                        "fide_id": 5000 + at,
                    },
                }
                for at, who in enumerate(NAMES[:players])
            )
        )
        assert done.status_code == 201, done.text
        assert self.send({"do": "draw-initial-colour", "colour": "w"}).status_code == 201
        self.keys["deputy"] = self.key_for("deputy", "Dina Deputy", tournament=made.id)
        return made.id

    def pair(self, round: int) -> None:
        done = self.send({"do": "pair-round", "round": round})
        assert done.status_code == 201, done.text

    def publish(self, round: int) -> None:
        done = self.send({"do": "publish-round", "round": round})
        assert done.status_code == 201, done.text

    def play(self, round: int, *results: str) -> None:
        """Pair, publish and enter these results from board 1 on."""
        self.pair(round)
        self.publish(round)
        if not results:
            return
        done = self.send(
            *(
                {"do": "record-result", "round": round, "board": board, "outcome": result}
                for board, result in enumerate(results, start=1)
            )
        )
        assert done.status_code == 201, done.text


@contextmanager
def hall_at(
    location: str, settings: Settings = QUICK, client: tuple[str, int] = ("127.0.0.1", 50000)
) -> Iterator[Hall]:
    """A hall on a store."""
    site = Site(location, settings)
    http = InProcess(make_app(site), client)
    try:
        yield Hall(site, http)
    finally:
        http.end()
