"""The contract: every address, every role, on both stores. A route that is missing from the table fails."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from paircard.web.app import ENDPOINTS
from paircard.web.courier import outbox_of
from paircard.web.endpoints import Endpoint
from paircard.web.messages import Problem
from tests.web.hall import Hall, hall_at

ROLES = ("", "deputy", "guest", "officer", "arbiter")
"""Nobody, a deputy, an arbiter of another tournament, an officer, an arbiter of the whole store."""

RESULT = {"commands": [{"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}]}
OPENING = {"regulations": {"name": "New", "rounds": 3}}
PUBLIC = dict.fromkeys(ROLES, 200)
READER = {"": 401, "deputy": 403, "guest": 403, "officer": 200, "arbiter": 200}
OPENER = {"": 401, "deputy": 403, "guest": 403, "officer": 201, "arbiter": 409}
"""The arbiter is warned: the officer has opened one of that name."""
SIGNED_IN = {"": 401, "deputy": 200, "guest": 200, "officer": 200, "arbiter": 200}
T = "/tournaments/{tournament}"

CONTRACT: dict[tuple[str, str], tuple[dict[str, int], Any]] = {
    ("GET", "/tournaments"): (PUBLIC, None),
    ("POST", "/tournaments"): (OPENER, OPENING),
    ("POST", "/imports"): (
        {"": 401, "deputy": 403, "guest": 403, "officer": 200, "arbiter": 200},
        {"reports": [{"text": "nonsense"}]},
    ),
    ("GET", T): (PUBLIC, None),
    ("GET", T + "/rounds/{round}"): (PUBLIC, None),
    ("GET", T + "/rounds/{round}/explanation"): (PUBLIC, None),
    ("GET", T + "/rounds/{round}/why"): (PUBLIC, None),
    ("GET", T + "/standings"): (PUBLIC, None),
    ("GET", T + "/crosstable"): (PUBLIC, None),
    ("GET", T + "/players"): (PUBLIC, None),
    ("GET", T + "/players/{player}"): (PUBLIC, None),
    ("GET", T + "/players/{player}/arithmetic"): (PUBLIC, None),
    ("GET", T + "/norms"): (READER, None),
    ("GET", T + "/ratings"): (READER, None),
    ("GET", T + "/prizes"): (PUBLIC, None),
    ("GET", T + "/group"): (dict.fromkeys(PUBLIC, 404), None),
    ("GET", T + "/players/{player}/prizes"): (PUBLIC, None),
    ("GET", T + "/report.trf"): (PUBLIC, None),
    ("GET", T + "/checkpoints"): (PUBLIC, None),
    ("GET", T + "/log"): (READER, None),
    ("GET", T + "/facts"): (READER, None),
    ("GET", T + "/bundle"): (READER, None),
    ("POST", T + "/commands"): (
        {"": 401, "guest": 403, "officer": 403, "deputy": 201, "arbiter": 200},
        RESULT,
    ),
    ("POST", T + "/previews"): (
        {"": 401, "deputy": 403, "guest": 403, "officer": 403, "arbiter": 200},
        {"commands": [{"do": "withdraw-player", "player": 1}]},
    ),
    ("GET", T + "/grants"): ({"": 401, "deputy": 403, "guest": 403, "officer": 200, "arbiter": 200}, None),
    ("POST", T + "/grants"): (
        {"": 401, "deputy": 403, "guest": 403, "officer": 403, "arbiter": 201},
        {"who": "Dora"},
    ),
    ("DELETE", T + "/grants/{grant}"): (
        {"": 401, "deputy": 403, "guest": 403, "officer": 403, "arbiter": 204},
        None,
    ),
    ("GET", "/grants"): ({"": 401, "deputy": 403, "guest": 403, "officer": 200, "arbiter": 200}, None),
    ("POST", "/grants"): (
        {"": 401, "deputy": 403, "guest": 403, "officer": 403, "arbiter": 201},
        {"who": "Bea", "role": "arbiter"},
    ),
    ("DELETE", "/grants/{grant}"): (
        {"": 401, "deputy": 403, "guest": 403, "officer": 403, "arbiter": 204},
        None,
    ),
    ("POST", "/sessions"): (dict.fromkeys(ROLES, 401), {"link": "nonsense"}),
    ("GET", "/sessions/current"): (SIGNED_IN, None),
    ("DELETE", "/sessions/current"): ({"": 401, **dict.fromkeys(ROLES[1:], 204)}, None),
    ("GET", "/keys"): (SIGNED_IN, None),
    ("POST", "/keys"): ({"": 401, **dict.fromkeys(ROLES[1:], 201)}, {"note": "x"}),
    ("DELETE", "/keys/{key}"): ({"": 401, **dict.fromkeys(ROLES[1:], 404)}, None),
    ("GET", "/webhooks"): ({"": 401, "deputy": 403, "guest": 200, "officer": 200, "arbiter": 200}, None),
    ("POST", "/webhooks"): (
        {"": 401, "deputy": 403, "guest": 201, "officer": 201, "arbiter": 201},
        {"url": "https://club.example/"},
    ),
    ("DELETE", "/webhooks/{webhook}"): (
        {"": 401, "deputy": 403, "guest": 404, "officer": 204, "arbiter": 204},
        None,
    ),
    ("GET", "/webhooks/{webhook}/deliveries"): (
        {"": 401, "deputy": 403, "guest": 404, "officer": 200, "arbiter": 200},
        None,
    ),
    ("POST", "/webhooks/{webhook}/deliveries"): (
        {"": 401, "deputy": 403, "guest": 404, "officer": 200, "arbiter": 200},
        {},
    ),
    ("GET", "/health"): (PUBLIC, None),
    ("GET", "/ready"): (PUBLIC, None),
    ("GET", "/openapi.json"): (PUBLIC, None),
    ("GET", "/facts.schema.json"): (PUBLIC, None),
}


@pytest.fixture
def busy_hall(location: str) -> Iterator[Hall]:
    """Round 1 is published, board 1 is still to be entered, and everybody has a key."""
    with hall_at(location) as hall:
        other = hall.open("Other", players=2)
        hall.open(players=4)
        hall.play(1)
        hall.keys["guest"] = hall.key_for("arbiter", "Gina", tournament=other)
        yield hall


def test_every_endpoint_is_in_the_contract() -> None:
    assert {(one.method, one.path) for one in ENDPOINTS} == set(CONTRACT)
    assert len(ENDPOINTS) == len(CONTRACT)


def test_every_address_answers_every_role_as_agreed(busy_hall: Hall) -> None:
    wrong = []
    for one in ENDPOINTS:
        expected, body = CONTRACT[one.method, one.path]
        for role, status in expected.items():
            answer = call(busy_hall, one, role, body)
            if answer.status_code != status:
                wrong.append((one.method, one.path, role, answer.status_code, status, answer.text[:200]))
                continue
            if status >= 400:
                problem = msgspec.json.decode(answer.content, type=Problem)
                assert problem.status == status
                assert answer.headers["content-type"] == "application/problem+json"
            elif one.gives is not None and one.gives is not bytes and status < 300:
                msgspec.json.decode(answer.content, type=one.gives)
    assert not wrong, "\n".join(map(str, wrong))


def call(hall: Hall, one: Endpoint, role: str, body: Any) -> Any:
    """The endpoint called by a role, who then has their key again."""
    keep = dict(hall.keys)
    path = one.path.replace("{tournament}", hall.tournament).replace("{round}", "1").replace("{player}", "1")
    if "{grant}" in path:
        grant, _ = hall.let_in(
            "deputy" if "tournaments" in path else "arbiter",
            "Guest",
            tournament=hall.tournament if "tournaments" in path else "",
        )
        path = path.replace("{grant}", grant.id)
    if "{webhook}" in path:
        made = outbox_of(hall.site).add("https://club.example/")
        path = path.replace("{webhook}", made.id)
    if one.path.endswith("/why"):
        path += "?player=1"
    if one.path == "/sessions/current" and one.method == "DELETE" and role:
        hall.keys[role] = hall.key_for("deputy", "For a moment", tournament=hall.tournament)
    headers = {"idempotency_key": f"contract-{role}"} if one.method == "POST" else {}
    answer = hall.call(one.method, path.replace("{key}", "0"), role, body, **headers)
    hall.keys = keep
    return answer


@pytest.mark.parametrize("one", ENDPOINTS, ids=lambda one: f"{one.method} {one.path}")
def test_no_address_knows_a_tournament_that_is_not_there(one: Endpoint, hall: Hall) -> None:
    if "{tournament}" not in one.path:
        pytest.skip("not about a tournament")
    hall.open(players=2)
    _, body = CONTRACT[one.method, one.path]

    for strange in ("f" * 32, "F" * 32, "abc", "..%2f..%2fetc"):
        path = one.path.replace("{tournament}", strange).replace("{round}", "1").replace("{player}", "1")
        path = path.replace("{grant}", "0") + ("?player=1" if one.path.endswith("/why") else "")
        answer = hall.call(one.method, path, "arbiter", body, idempotency_key="x")
        assert answer.status_code == 404, answer.text


@pytest.mark.parametrize("one", ENDPOINTS, ids=lambda one: f"{one.method} {one.path}")
def test_other_methods_are_refused_with_those_that_work(one: Endpoint, hall: Hall) -> None:
    path = one.path
    for name in ("{tournament}", "{round}", "{player}", "{grant}", "{key}", "{webhook}"):
        path = path.replace(name, "0")
    answer = hall.call("PATCH", path)

    assert answer.status_code == 405
    assert one.method in answer.headers["allow"]
    assert answer.json()["type"] == "/problems/method-not-allowed"


def test_a_head_request_is_a_get_without_a_body(hall: Hall) -> None:
    id = hall.open(players=2)

    head = hall.call("HEAD", f"/tournaments/{id}")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == hall.call("GET", f"/tournaments/{id}").headers["etag"]
