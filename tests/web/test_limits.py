"""What one stranger may take: answers that have to be made, and the memory of those that were."""

import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from paircard.web.app import ENDPOINTS, PAGES
from paircard.web.cache import Cache
from paircard.web.problems import TooOften
from paircard.web.settings import LOCAL, Limit, Settings, network_of
from tests.web.hall import Hall, hall_at
from tests.web.test_media import PRIZES, address_of

READS = [row for row in (*ENDPOINTS, *PAGES) if row.method == "GET"]
CHEAP = {
    "/api/v1/health", "/api/v1/ready", "/api/v1/openapi.json", "/api/v1/facts.schema.json", "/sign-in",
    "/language/{code}", "/static/{build}/{name}",
}  # fmt: skip
"""What costs nothing, or was made once for all."""


@pytest.fixture
def frugal(tmp_path: Path) -> Iterator[Hall]:
    """A server that makes one answer for a stranger, and then none for twenty seconds."""
    with hall_at(str(tmp_path / "open.db"), Settings(hosts=LOCAL, reads_per_second=1 / 20)) as hall:
        hall.open(players=4)
        hall.play(1, "1-0")
        yield hall


def test_whatever_has_to_be_made_for_a_stranger_is_counted(tmp_path: Path) -> None:
    """Every address of the table, asked by somebody who has nothing left."""
    with hall_at(str(tmp_path / "open.db"), Settings(hosts=LOCAL, reads_per_second=0.001)) as hall:
        hall.open(players=4, **PRIZES)
        hall.play(1, "1-0")
        for row in READS:
            answer = hall.http.request("GET", address_of(row, hall), follow_redirects=False)
            if row.address in CHEAP:
                assert answer.status_code in (200, 303), row.address
            elif answer.status_code != 401:
                assert answer.status_code == 429, row.address
                assert int(answer.headers["retry-after"]) > 0
            if (
                "/explanation" not in row.address
                and "/why" not in row.address
                and "/phone" not in row.address
            ):
                key = {"authorization": f"Bearer {hall.keys['arbiter']}"}
                signed_in = hall.http.request("GET", address_of(row, hall), headers=key)
                assert signed_in.status_code in (200, 303), (row.address, signed_in.text)


def test_what_was_made_is_free_and_others_have_their_own_count(frugal: Hall) -> None:
    page = f"/tournaments/{frugal.tournament}/standings"

    assert [frugal.http.request("GET", page).status_code for _ in range(5)] == [200] * 5
    assert frugal.http.request("GET", f"/tournaments/{frugal.tournament}/crosstable").status_code == 429
    assert frugal.http.request("GET", page).status_code == 200
    assert status_from(frugal, "192.0.2.7", f"/tournaments/{frugal.tournament}/crosstable") == 200
    assert status_from(frugal, "192.0.2.7", f"/tournaments/{frugal.tournament}/players") == 429


def status_from(hall: Hall, client: str, path: str) -> int:
    transport = httpx.ASGITransport(hall.http.app, client=(client, 1))

    async def ask() -> int:
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            return (await http.get(path)).status_code

    return hall.http.wait(ask())


def test_what_took_long_counts_for_more() -> None:
    limit = Limit(1, 30, "answers")
    limit.count("one", 1 + 40)

    with pytest.raises(TooOften) as refused:
        limit.need("one")
    assert refused.value.retry_after >= 12
    limit.need("other")


@pytest.mark.parametrize(
    ("client", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_limits_are_counted_by_network(client: str, network: str) -> None:
    assert network_of(client) == network


# What is kept


def test_a_cache_holds_no_more_bytes_than_it_may() -> None:
    cache = Cache(10_000)
    for key in range(100):
        assert cache.get(key, lambda key=key: b"%d" % key * 900).body  # type: ignore[misc]
        assert cache.size <= 10_000
    assert cache.find(99)
    assert not cache.find(0)
    assert len(cache.get("large", lambda: bytes(range(256)) * 100).body) == 25_600
    assert not cache.find("large")
    cache.clear()
    assert cache.size == 0


def test_what_is_asked_for_again_stays_longest() -> None:
    cache = Cache(3_000)
    for key in range(50):
        cache.get("asked often", lambda: b"x" * 900)
        cache.get(key, lambda: b"y" * 900)
    assert cache.find("asked often")


def test_what_was_dropped_while_it_was_made_is_not_kept() -> None:
    """The store is replaced while a page of it is being made."""
    cache = Cache(10_000)
    begun, dropped = threading.Event(), threading.Event()

    def slowly() -> bytes:
        begun.set()
        assert dropped.wait(10)
        return b"Eva"

    maker = threading.Thread(target=cache.get, args=(("event", "page"), slowly))
    maker.start()
    assert begun.wait(10)
    cache.clear()
    dropped.set()
    maker.join()
    assert not cache.find(("event", "page"))
    assert cache.size == 0


def test_a_refusal_is_not_remembered() -> None:
    cache = Cache(1000)

    def refuse() -> bytes:
        raise TooOften("http.signing-in").after(1)

    for _ in range(2):
        with pytest.raises(TooOften):
            cache.get("page", refuse)
    assert cache.get("page", lambda: b"now").body == b"now"


def test_the_past_pushes_nothing_out_of_what_is_now(hall: Hall) -> None:
    id = hall.open(players=8)
    hall.play(1, "1-0", "0-1")
    hall.site.past.bytes_at_most = 100_000
    for path in ("standings", "crosstable"):
        assert hall.http.request("GET", f"/tournaments/{id}/{path}").status_code == 200
    now = hall.site.cache.size
    last = hall.site.public_moment(id).version
    for number in range(1, last + 1):
        for path in ("standings", "crosstable", "players", "rounds/1"):
            hall.http.request("GET", f"/tournaments/{id}/{path}?at=p{number}")

    assert 0 < hall.site.past.size <= 100_000
    assert hall.site.cache.size == now
