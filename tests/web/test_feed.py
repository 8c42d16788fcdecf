"""Live feeds: in order, without gap, resumed, reduced for the public, and ended when they should."""

import json
import resource
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import httpx
import pytest
from httpx_sse import connect_sse

from paircard.domain.commands import RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, person
from paircard.web.book import Revoked, open_access
from paircard.web.client import Client, Event, ProblemAnswered
from tests.web.running import Running, running

RESULT = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(str(tmp_path / "open.db"), tmp_path / "log") as made:
        yield made


def small_event(client: Client) -> str:
    """Four players, round 1 not paired yet."""
    id = client.open(Regulations(name="Blitz", rounds=3)).id
    client.send(
        id,
        *(
            {"do": "register-player", "details": {"name": name, "birth": "2001"}}
            for name in ("Ada", "Ben", "Cleo", "Dag")
        ),
    )
    client.send(id, {"do": "draw-initial-colour", "colour": "w"})
    return id


class Listener(threading.Thread):
    """Somebody who follows a feed."""

    def __init__(self, client: Client, tournament: str, after: int | None = None) -> None:
        super().__init__(daemon=True)
        self.heard: Queue[Event | None] = Queue()
        self.feed = client.feed(tournament, after)
        self.start()

    def run(self) -> None:
        try:
            for event in self.feed:
                self.heard.put(event)
        except OSError:
            pass
        self.heard.put(None)

    def next(self, seconds: float = 10) -> Event:
        event = self.heard.get(timeout=seconds)
        assert event is not None, "the feed ended"
        return event


def test_a_result_is_heard_by_the_arbiter_whole_and_by_the_public_in_short(server: Running) -> None:
    anna = server.client()
    id = small_event(anna)
    version = anna.overview(id).version
    arbiter, public = Listener(server.client(), id, version), Listener(server.anybody(), id, 6)

    anna.send(id, {"do": "pair-round", "round": 1}, expected=version)
    facts = [arbiter.next() for _ in range(2)]
    assert [fact.data["fact"]["type"] for fact in facts] == ["pairing-numbers-assigned", "round-paired"]
    assert [fact.id for fact in facts] == [str(version + 1), str(version + 2)]
    assert facts[0].data["who"] == "Anna Arbiter"
    anna.send(id, {"do": "publish-round", "round": 1}, expected=version + 2)
    anna.send(id, RESULT, why="both signed")
    changes = [public.next() for _ in range(4)]
    assert [change.data["kind"] for change in changes] == [
        "pairing-numbers-assigned",
        "round-paired",
        "round-published",
        "result-recorded",
    ]
    assert [change.id for change in changes] == ["7", "8", "9", "10"]
    last = changes[-1]
    assert (last.event, last.data["board"], last.data["result"]) == ("change", 1, "1-0")
    assert not {"who", "why"} & set(last.data)


def test_a_pairing_that_is_not_published_makes_no_sound(server: Running) -> None:
    anna = server.client()
    id = small_event(anna)
    public = Listener(server.anybody(), id)
    time.sleep(0.3)

    version = anna.overview(id).version
    anna.send(id, {"do": "pair-round", "round": 1}, expected=version)
    anna.send(id, {"do": "unpair-round", "round": 1}, expected=version + 2)
    anna.send(id, {"do": "withdraw-player", "player": 4})
    assert public.next().data["kind"] == "player-withdrawn"


def test_who_was_away_hears_what_was_missed(server: Running) -> None:
    anna = server.client()
    id = small_event(anna)

    missed = Listener(anna, id, after=0)
    assert [missed.next().data["fact"]["type"] for _ in range(6)] == [
        "tournament-opened",
        *["player-registered"] * 4,
        "initial-colour-drawn",
    ]


def test_the_feed_of_all_tournaments_is_for_officers(server: Running) -> None:
    anna = server.client()
    first, second = small_event(anna), anna.open(Regulations(name="Other", rounds=3)).id

    everything = Listener(server.client("officer"), "", after=0)
    heard = [everything.next() for _ in range(7)]
    assert [event.data["tournament"] for event in heard] == [first] * 6 + [second]
    positions = [int(event.id) for event in heard]
    assert positions == sorted(positions)
    with pytest.raises(ProblemAnswered) as refused:
        next(iter(server.anybody().feed()))
    assert refused.value.problem.status == 401


def test_facts_of_this_process_and_of_others_are_heard_in_one_order_without_a_gap(server: Running) -> None:
    anna = server.client()
    id = small_event(anna)
    everything, arbiter = Listener(server.client("officer"), ""), Listener(anna, id, 6)
    public = Listener(server.anybody(), id, 6)
    time.sleep(0.3)

    def from_another_process() -> None:
        with Office(server.location) as office:
            for number in range(20):
                command = RegisterPlayer(details=Details(name=f"Other {number}"))
                office.tournament(id).ask(command, by=person("Otto"))

    theirs = threading.Thread(target=from_another_process)
    theirs.start()
    for number in range(20):
        anna.send(id, {"do": "register-player", "details": {"name": f"Mine {number}"}})
    theirs.join()

    for listener, name in ((everything, "position"), (arbiter, "version"), (public, "")):
        heard = [listener.next() for _ in range(40)]
        assert [int(event.id) for event in heard] == list(range(7, 47))
        assert not name or [event.data[name] for event in heard] == list(range(7, 47))


def test_a_client_of_others_understands_the_feed(server: Running) -> None:
    anna = server.client()
    id = small_event(anna)

    url = f"{server.base}/api/v1/tournaments/{id}/feed"
    with httpx.Client() as http, connect_sse(http, "GET", url, headers={"Last-Event-ID": "5"}) as source:
        event = next(source.iter_sse())
        assert (event.event, event.id, event.json()["kind"]) == ("change", "6", "initial-colour-drawn")
        assert 3000 <= (event.retry or 3000) < 5000


def test_feeds_from_one_address_are_limited(tmp_path: Path) -> None:
    with running(str(tmp_path / "open.db"), tmp_path / "log", "--feeds", "6") as server:
        anna = server.client()
        id = small_event(anna)
        open_tabs = [Listener(server.anybody(), id, 0) for _ in range(6)]
        for tab in open_tabs:
            tab.next()
        with pytest.raises(ProblemAnswered) as seventh:
            next(iter(server.anybody().feed(id, 0)))
        assert seventh.value.problem.status == 429
        anna.send(id, {"do": "withdraw-player", "player": 1})


def test_the_server_holds_more_callers_than_a_shell_allows(tmp_path: Path) -> None:
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(few, 256), most))
    try:
        with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
            allowed, _ = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))

    assert allowed > 1024


def test_the_server_ends_soon_with_feeds_open_and_takes_nothing_half(tmp_path: Path) -> None:
    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        anna = server.client()
        id = small_event(anna)
        tab = Listener(server.anybody(), id, 0)
        tab.next()
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 5
        while tab.heard.get(timeout=5) is not None:
            pass
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.slow
def test_a_login_that_was_revoked_or_has_expired_hears_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        anna, bea = server.client(), server.client(who="Bea")
        id = small_event(anna)
        cleo = server.client(who="Cleo", until=int(time.time()) + 4)
        ear, expiring = Listener(bea, id, 0), Listener(cleo, id, 0)
        ear.next(), expiring.next()
        access = open_access(server.location)
        grant = next(g for g in access.book().grants.values() if g.who == "Bea")
        access.write(lambda _: [Revoked(id=grant.id)])
        access.close()
        end = time.monotonic() + 25
        for one in (ear, expiring):
            while one.heard.get(timeout=end - time.monotonic()) is not None:
                pass


def test_the_feed_of_a_large_event_is_not_cut_by_its_first_fact(server: Running) -> None:
    """More facts than a reader may be behind were recorded before anybody listened."""
    anna = server.client()
    id = anna.open(Regulations(name="Large", rounds=3)).id
    people = ({"do": "register-player", "details": {"name": f"Player {n}"}} for n in range(400))
    anna.send(id, *people)
    public = Listener(server.anybody(), id, after=400)
    public.next()

    for player in (1, 2):
        anna.send(id, {"do": "withdraw-player", "player": player})
        assert public.next().data["player"] == player


def test_a_head_request_of_a_feed_ends(server: Running) -> None:
    id = small_event(server.client())

    answer = httpx.head(f"{server.base}/api/v1/tournaments/{id}/feed", timeout=5)
    assert answer.headers["content-type"].startswith("text/event-stream")


def test_messages_are_small(server: Running) -> None:
    anna = server.client()
    id = small_event(anna)
    version = anna.overview(id).version
    anna.send(id, {"do": "pair-round", "round": 1}, expected=version)
    anna.send(id, {"do": "publish-round", "round": 1}, expected=version + 2)
    public = Listener(server.anybody(), id, 8)
    public.next()

    anna.send(id, RESULT)
    assert len(json.dumps(public.next().data)) < 200
