"""Laws: an HTTP answer is what the command line prints with --json; the public sees what was published."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paircard.domain import commands as c
from paircard.domain.log.stored import IDENTITY
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges
from paircard.web.app import ENDPOINTS, PAGES
from paircard.web.site import Site
from tests.audit.lives import Life, life, rows
from tests.cli.session import Terminal
from tests.web.hall import Hall, hall_at

READS = {
    "show": "",
    "boards 1": "/rounds/1",
    "boards 2": "/rounds/2",
    "boards 1 --at r1": "/rounds/1?at=r1",
    "standings": "/standings",
    "standings --round 1": "/standings?after=1",
    "standings --at r2": "/standings?at=r2",
    "standings --explain #1": "/players/1/arithmetic",
    "crosstable": "/crosstable",
    "norms": "/norms",
    "ratings": "/ratings",
    "player list": "/players",
    "player list --at 5": "/players?at=5",
    "card #1": "/players/p1",
    "explain 2": "/rounds/2/explanation",
    "why 2 #3": "/rounds/2/why?player=%233",
    "why-not 2 #3 #4": "/rounds/2/why?player=%233&not=%234",
    "log": "/log",
    "log --player #1": "/log?player=1",
    "log --board 1.2": "/log?round=1&board=2",
    "log --last 3": "/log?last=3",
}
"""A command, and the address that shows the same."""
PUBLIC = (
    "/rounds/1",
    "/rounds/2",
    "/standings",
    "/standings?after=1",
    "/crosstable",
    "/players/1",
    "/players/p1",
)


def asked(hall: Hall, path: str, role: str = "") -> Any:
    """The answer at an address; a moment in words is followed to its number."""
    answer = hall.call("GET", path, role)
    if answer.status_code == 307:
        answer = hall.call("GET", answer.headers["location"].removeprefix("/api/v1"), role)
    return answer


@pytest.mark.parametrize("seed", [3, 11])
def test_an_answer_is_what_the_command_line_prints(seed: int, tmp_path: Path) -> None:
    log = life(seed, players=8, rounds=4)
    path, id = tmp_path / "open.db", log[0].tournament
    with hall_at(str(path)) as hall:
        hall.site.office.store().add_stored(id, rows(log))
        terminal = Terminal(tmp_path)

        def printed(*words: str) -> str:
            done = terminal.run(*words, "--db", str(path))
            assert done.code == 0, done.err
            return done.out

        for command, address in READS.items():
            answered = asked(hall, f"/tournaments/{id}{address}", "arbiter")
            assert answered.json() == json.loads(printed(*command.split(), "--json")), command
        listed = hall.call("GET", "/tournaments", "arbiter").json()["tournaments"]
        assert listed == json.loads(printed("list", "--json"))
        report = hall.call("GET", f"/tournaments/{id}/report.trf", "arbiter")
        assert report.text == printed("trf", "export")
        printed("log", "export", str(tmp_path / "open.bundle"))
        bundle = hall.call("GET", f"/tournaments/{id}/bundle", "arbiter")
        assert bundle.content == (tmp_path / "open.bundle").read_bytes()


@pytest.mark.parametrize("seed", [3, 11])
def test_the_public_is_answered_what_the_arbiter_is_once_all_is_published(seed: int, tmp_path: Path) -> None:
    log = life(seed, players=8, rounds=4)
    id = log[0].tournament
    with hall_at(str(tmp_path / "open.db")) as hall:
        hall.site.office.store().add_stored(id, rows(log))
        for address in PUBLIC:
            public = hall.call("GET", f"/tournaments/{id}{address}").json()
            whole = hall.call("GET", f"/tournaments/{id}{address}", "arbiter").json()
            hidden = {name: type(whole[name])() for name in IDENTITY if name in whole}
            for line in (*whole.get("standings", ()), *whole.get("rows", ())):
                line |= {"sex": "", "birth": "", "fide_id": 0, "national_id": ""}
            assert public == whole | hidden, address


# Two logs that differ only in what is not published


SECRETS = ("pair", "alter", "unpair", "again", "by hand", "birth", "fide id", "reason")
"""What one arbiter does and the other does not."""
NEWS = ("latecomer", "withdraw", "return", "club", "expel", "reinstate", "name", "place")
"""What both do, and the public may know."""


def keep_secret(life: Life, step: str) -> None:
    """Something that no notice board shows."""
    number = life.state.paired + 1
    match step:
        case "pair":
            if (found := life.engine()) is not None:
                boards, pab, digest = found
                based_on = life.state.version
                life.ask(
                    c.PairRound, why="secret", round=number, boards=boards, pab=pab, based_on=based_on,
                    snapshot=digest,
                )  # fmt: skip
        case "alter":
            if life.state.rounds and not life.state.rounds[-1].published:
                life.alter(life.state.paired)
        case "unpair":
            if not life.state.rounds[-1].published:
                life.ask(c.UnpairRound, round=life.state.paired)
        case "again":
            if not life.state.rounds[-1].published and life.ask(c.UnpairRound, round=life.state.paired):
                keep_secret(life, "pair")
        case "by hand":
            if life.state.rounds[-1].published and life.ask(c.BeginManualPairing, round=number):
                life.ask(
                    c.EndManualPairing, why="given up", round=number, boards=(), based_on=life.state.version
                )
        case "birth":
            life.ask(c.CorrectPlayer, why="passport", player=1, changes=Changes(birth="1987-06-05"))
        case "fide id":
            life.ask(c.CorrectPlayer, why="list", player=2, changes=Changes(fide_id=4711))
        case _:
            life.ask(c.AssignNumbers, why="nothing changes") if not life.state.rounds else None


def tell(life: Life, step: str, at: int, mine: bool) -> bool:
    """Something that everybody may know, with what is personal different in the two logs."""
    why = "told the arbiter" if mine else "wrote to the arbiter"
    match step:
        case "latecomer":
            birth = "1990" if mine else "1991-02-03"
            someone = Details(name=f"Late {at}", rating=1500 + at, birth=birth, fide_id=900 + at + mine)
            return life.ask(c.RegisterPlayer, why=why, details=someone)
        case "withdraw":
            return life.ask(c.WithdrawPlayer, why=why, player=3)
        case "return":
            return life.ask(c.ReturnPlayer, why=why, player=3)
        case "club":
            return life.ask(c.CorrectPlayer, why=why, player=4, changes=Changes(club=f"Club {at}"))
        case "reinstate":
            return life.ask(c.ReinstatePlayer, why=why, player=5)
        case "name":
            return life.ask(c.CorrectPlayer, why=why, player=6, changes=Changes(name=f"Married {at}"))
        case "place":
            return life.ask(c.ChangeRegulations, why=why, changes=RegulationChanges(place=f"Hall {at}"))
        case _:
            return life.ask(c.ExpelPlayer, why=why, player=5)


def addresses(id: str, rounds: int, players: int, version: int) -> list[str]:
    """Every address that anybody may try, at several moments."""
    found = set()
    for one in (*ENDPOINTS, *PAGES):
        if one.method != "GET" or re.search(r"{(grant|key|build|code)}", one.address):
            continue
        for round in range(1, rounds + 2):
            for player in (1, players, players + 1):
                path = one.address.replace("{tournament}", id).replace("{round}", str(round))
                path = path.replace("{player}", str(player)).replace("{board}", "1")
                found.add(path + ("?player=1" if path.endswith("/why") else ""))
    quick = [path for path in found if id in path and not re.search("explanation|why|replay", path)]
    moments = ("now", "r1", f"before r{rounds + 1}", "2026-11-16T10:00Z", f"p{version}", f"p{version // 2}")
    more = [f"{path}?at={at.replace(' ', '%20')}" for path in quick for at in moments]
    searches = [f"/tournaments/{id}/players?find={word}" for word in ("a", "Late", "4711", "1987")]
    counts = [f"/api/v1/tournaments/{id}/{what}?after={rounds + 1}" for what in ("standings", "report.trf")]
    return sorted(found) + sorted(more) + searches + counts


def seen_by_the_public(log: list[Any], folder: Path) -> dict[str, Any]:
    """Every answer: status, body, and the headers that tell something."""
    id = log[0].tournament
    folder.mkdir()
    with hall_at(str(folder / "open.db")) as hall:
        hall.site.office.store().add_stored(id, rows(log))
        overview = hall.call("GET", f"/tournaments/{id}").json()
        answers: dict[str, Any] = {}
        for path in addresses(id, overview["paired"], overview["players"], overview["version"]):
            answer = hall.http.request("GET", path, headers={"x-request-id": "same"}, follow_redirects=False)
            headers = {name: answer.headers.get(name) for name in ("etag", "location", "cache-control")}
            answers[path] = (answer.status_code, headers, answer.text)
        answers["feed"] = hall.http.wait(feed(hall, id, overview["version"]))
        return answers


async def feed(hall: Hall, id: str, last: int) -> bytes:
    """The feed from the first message to the last one there is."""
    heard = b""
    done = asyncio.Event()

    async def send(message: Any) -> None:
        nonlocal heard
        heard += message.get("body", b"")
        if b"id: %d\n" % last in heard:
            done.set()

    async def receive() -> Any:
        await asyncio.wait_for(done.wait(), 20)
        return {"type": "http.disconnect"}

    scope = {
        "type": "http", "method": "GET", "path": f"/api/v1/tournaments/{id}/feed", "query_string": b"after=0",
        "headers": [(b"host", b"127.0.0.1")], "client": ("127.0.0.1", 1), "scheme": "http",
    }  # fmt: skip
    await hall.http.app(scope, receive, send)
    return re.sub(rb"retry: [0-9]+\n", b"", heard)


def look_the_same(seed: int, rounds: int, steps: list[str], folder: Path) -> None:
    one, other = Life(seed), Life(seed)
    for who in (one, other):
        who.open(8, 5)
        for _ in range(rounds):
            assert who.pair()
            who.play()
    for at, step in enumerate(steps):
        if step in SECRETS:
            keep_secret(one, step)
        else:
            one.asked = other.asked = max(one.asked, other.asked)
            if not (tell(other, step, at, mine=False) and tell(one, step, at, mine=True)):
                break
    name = f"{seed}-{rounds}-{len(list(folder.iterdir()))}"
    mine = seen_by_the_public(one.log, folder / f"{name}-one")
    theirs = seen_by_the_public(other.log, folder / f"{name}-other")
    for path, answer in mine.items():
        assert answer == theirs.get(path), (path, steps)
    assert mine.keys() == theirs.keys()


STEPS = st.lists(st.sampled_from((*SECRETS, *NEWS)), min_size=1, max_size=8).map(
    lambda steps: ["pair", *steps]
)


@pytest.mark.slow
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(1, 60), rounds=st.integers(1, 2), steps=STEPS)
def test_what_is_not_published_changes_nothing_that_anybody_can_see(
    seed: int, rounds: int, steps: list[str], tmp_path: Path
) -> None:
    look_the_same(seed, rounds, steps, tmp_path)


def whole_version(site: Site, tag: str) -> str:
    """A validator that counts all facts."""
    return f'"{tag}-{site.office.store().last_position()}"'


LEAKS: dict[str, tuple[str, Any]] = {
    "a validator counts all facts": ("paircard.web.looking.etag", whole_version),
    "the list shows how far the arbiter is": ("paircard.web.site.Site.public_summary", lambda _, one: one),
}
"""Ways in which what is not published could be told from outside."""


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_of_what_is_not_published_is_seen(
    leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    with pytest.raises(AssertionError):
        look_the_same(7, 1, ["pair", "alter", "withdraw"], tmp_path)


@pytest.mark.soak
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(1, 1000), rounds=st.integers(1, 3), steps=STEPS)
def test_in_sixty_tournaments_nothing_unpublished_can_be_seen(
    seed: int, rounds: int, steps: list[str], tmp_path: Path
) -> None:
    look_the_same(seed, rounds, steps, tmp_path)
