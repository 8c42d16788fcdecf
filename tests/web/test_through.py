"""Every fact that came over HTTP says through which key, session or link it did, whatever the route."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from paircard.domain.events import Recorded
from paircard.web.app import ENDPOINTS, PAGES
from tests.web.hall import Hall

T = "/tournaments/{tournament}"
API_T = f"/api/v1{T}"
NAMES = ("Ada", "Ben", "Cleo", "Dag", "Eva", "Finn")
TABLE = (*NAMES, "Gil", "Hal", "Ida", "Jan")
"""Ten players, since restricted lots begin with nine."""
RESULTS = {
    "commands": [{"do": "record-result", "round": 1, "board": board, "outcome": "1-0"} for board in (2, 3, 4)]
}
BY_HAND = {"name": "By hand", "rounds": 0, "edition": "round-robin", "table": "hand"}
WALK: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/v1/tournaments", {"regulations": {"name": "Other", "rounds": 3}}),
    ("/tournaments", {"name": "Open", "rounds": "4", "tiebreaks": "BH"}),
    *((T + "/desk/players", {"name": name, "rating": "2000"}) for name in NAMES),
    (T + "/desk/import/record", {"sheet": "name,rating\nGil,1500\nHal,1400\n"}),
    (T + "/desk/players/{player}", {"do": "withdraw"}),
    (T + "/desk/players/{player}", {"do": "return"}),
    (T + "/desk/regulations", {"name": "Newer Open"}),
    (
        T + "/desk/announce",
        {"category0-name": "women", "category0-sex": "w", "prize0-name": "Main", "prize0-amounts": "60"},
    ),
    (T + "/desk/draw", {}),
    (T + "/desk/pair", {"round": "1"}),
    (T + "/desk/unpair", {"round": "1"}),
    (T + "/desk/pair", {"round": "1"}),
    (T + "/desk/alter", {"do": "swap", "one": "1", "other": "2", "why": "a family"}),
    (T + "/desk/publish", {"round": "1"}),
    (T + "/desk/result", {"round": "1", "board": "1", "result": "1-0"}),
    (T + "/desk/undo", {"done": "last"}),
    (T + "/desk/result", {"round": "1", "board": "1", "result": "1-0"}),
    (T + "/desk/clear", {"round": "1", "board": "1", "why": "wrong board"}),
    (T + "/phone/{board}", {"round": "1", "result": "1-0"}),
    (T + "/phone/{board}/undo", {"round": "1"}),
    (T + "/desk/result", {"round": "1", "board": "1", "result": "1-0"}),
    (T + "/desk/correct", {"round": "1", "board": "1", "result": "0-1", "why": "both signed"}),
    (API_T + "/commands", RESULTS),
    (T + "/desk/close", {"why": "the hall is flooded"}),
    (T + "/desk/prizes/award", {}),
    (T + "/desk/reopen", {"why": "it is dry again"}),
    ("/tournaments", {"name": "Club", "edition": "round-robin", "rounds": ""}),
    *((T + "/desk/players", {"name": name, "federation": f"F{name[0]}{name[1].upper()}"}) for name in TABLE),
    (T + "/desk/lots", {}),
    (T + "/desk/varma", {"why": "federations are kept apart"}),
    (T + "/desk/schedule", {}),
    ("/api/v1/tournaments", {"regulations": BY_HAND}),
    *((T + "/desk/players", {"name": name}) for name in NAMES[:4]),
    (API_T + "/commands", {"commands": [{"do": "assign-numbers", "order": [1, 2, 3, 4]}]}),
    (T + "/desk/boards", {"round": "1", "white1": "1", "black1": "4", "white2": "2", "black2": "3"}),
)
"""What is sent to each address that records facts, in the order of an event."""
NO_FACTS = {T + "/desk/grants", T + "/desk/grants/{grant}", "/sign-out"}
"""What writes into the access book alone."""


def facts_of(hall: Hall) -> list[Recorded]:
    """Everything on record."""
    found = hall.site.office.store().notifications(0, 10_000)
    return [one for one in found if isinstance(one, Recorded)]


def send(hall: Hall, address: str, body: dict[str, Any], key: str) -> Any:
    """One step of the walk; what has to be accepted is accepted."""
    path = address.replace("{tournament}", hall.tournament).replace("{player}", "p1").replace("{board}", "1")
    if address.startswith("/api/"):
        return hall.call("POST", path.removeprefix("/api/v1"), "arbiter", body, idempotency_key=key)
    headers = {
        "authorization": f"Bearer {hall.keys['arbiter']}",
        "content-type": "application/x-www-form-urlencoded",
    }
    fields = {**body, "key": key}
    if "done" in fields:
        fields["done"] = f"{hall.version()}-{hall.version()}"
    answer = hall.http.request("POST", path, headers=headers, content=urlencode(fields).encode())
    if accepted := dict(re.findall(r'name="(ack:[^"]*)" value="([^"]*)"', answer.text)):
        fields |= {**accepted, "key": f"{key}-ack"}
        answer = hall.http.request("POST", path, headers=headers, content=urlencode(fields).encode())
    return answer


def test_the_walk_has_every_address_that_writes() -> None:
    writing = {row.address for row in (*ENDPOINTS, *PAGES) if row.writes}

    assert writing == {address for address, _ in WALK} | NO_FACTS, "say in WALK what is sent there"


def test_every_fact_says_through_what_it_came(hall: Hall) -> None:
    for at, (address, body) in enumerate(WALK):
        before = len(facts_of(hall))
        answer = send(hall, address, body, f"step-{at}")
        assert answer.status_code in (201, 303), (address, answer.text)
        if address.endswith("/tournaments"):
            [hall.tournament] = re.findall("/tournaments/([^/]+)", answer.headers["location"])
        added = facts_of(hall)[before:]
        assert added, address
        assert all(one.through.startswith("api-key:") for one in added), address


def test_who_asks_is_made_in_one_place() -> None:
    """No other module of the door makes a person: it could forget through."""
    import paircard.web

    [folder] = paircard.web.__path__
    made = {
        path.relative_to(folder).as_posix()
        for path in Path(folder).rglob("*.py")
        for name in called(path.read_text())
        if name == "Person"
    }
    assert made == {"book.py"}


def called(source: str) -> Iterable[str]:
    """Names that a module calls."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


@pytest.fixture
def two_annas(hall: Hall) -> Hall:
    """Round 1 is published, and two deputies have the same name."""
    hall.open(players=8)
    hall.play(1)
    for which in ("one", "other"):
        hall.keys[which] = hall.key_for("deputy", "Anna", tournament=hall.tournament, rounds=(1,))
    return hall


def undo(hall: Hall, role: str, key: str) -> int:
    path = f"/tournaments/{hall.tournament}/phone/1/undo"
    headers = {
        "authorization": f"Bearer {hall.keys[role]}",
        "content-type": "application/x-www-form-urlencoded",
    }
    fields = {"round": "1", "key": key}
    return int(
        hall.http.request("POST", path, headers=headers, content=urlencode(fields).encode()).status_code
    )


def test_a_deputy_takes_back_what_they_entered_and_not_what_a_namesake_did(two_annas: Hall) -> None:
    result = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}
    assert two_annas.send(result, role="one").status_code == 201

    assert undo(two_annas, "other", "u1") == 403
    assert undo(two_annas, "one", "u2") == 303


def test_a_deputy_takes_nothing_back_in_a_round_of_others(two_annas: Hall) -> None:
    """Their grant was for round 1 when they entered it, and is for round 2 now: as if it were another."""
    grant, key = two_annas.let_in("deputy", "Bo", tournament=two_annas.tournament)
    two_annas.keys["bo"] = key
    result = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}
    assert two_annas.send(result, role="bo").status_code == 201
    other = type(grant)(id=grant.id, role="deputy", who="Bo", tournament=grant.tournament, rounds=(2,))
    two_annas.site.access.write(lambda _: [other])

    assert undo(two_annas, "bo", "u3") == 403
