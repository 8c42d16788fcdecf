"""The description of the API: it says what the server does, and whatever it allows or forbids is answered."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from paircard.domain.version import VERSION
from paircard.service.requests import VERBS
from paircard.web.app import ENDPOINTS
from tests.web.hall import BASE, Hall, hall_at

OPERATIONS = """
listTournaments openTournament getOverview getBoards getStandings getCrosstable getPlayers getCard
getArithmetic getLog sendCommands getExplanation getWhy previewCommands getFacts getBundle getReport
getCheckpoints signIn whoAmI signOut getKeys addKey revokeKey getGrants addGrant revokeGrant
getGrantsOfTournament addGrantOfTournament revokeGrantOfTournament getHealth getReady
getOpenapi getWebhooks addWebhook removeWebhook getDeliveries sendAgain importSeason
getFactSchemas followTournament followAll
"""
"""A name that was given stays."""
ROLES = ("arbiter", "officer", "arbiter", "deputy", "guest", "arbiter", "")
"""Who sends a case, in turn: arbiters more often, who come furthest; a guest is one of another tournament."""
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_the_description_has_every_address_and_verb(hall: Hall) -> None:
    document = hall.call("GET", "/openapi.json").json()

    assert document["openapi"] == "3.1.0"
    described = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, methods in document["paths"].items()
        for method in methods
    }
    feeds = {("GET", "/feed"), ("GET", "/tournaments/{tournament}/feed")}
    assert described == {(one.method, one.path) for one in ENDPOINTS} | feeds
    ids = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(ids) == len(set(ids))
    order = document["components"]["schemas"]["Order"]["properties"]["commands"]["items"]
    assert set(order["discriminator"]["mapping"]) == set(VERBS)
    assert order["discriminator"]["propertyName"] == "do"


def test_every_reference_of_the_description_leads_somewhere(hall: Hall) -> None:
    document = hall.call("GET", "/openapi.json").json()

    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for name, inner in value.items():
                if name == "$ref":
                    yield inner
                yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    found = set(references(document))
    assert found
    known = {
        f"#/components/{kind}/{name}"
        for kind in document["components"]
        for name in document["components"][kind]
    }
    assert found <= known


def test_names_of_schemas_are_short_and_tell_nothing_of_modules(hall: Hall) -> None:
    document = hall.call("GET", "/openapi.json").json()
    schemas = document["components"]["schemas"]

    assert [name for name in schemas if not re.fullmatch("[A-Z][A-Za-z]+", name)] == []
    assert all(schema["title"] == name for name, schema in schemas.items())
    assert document["info"]["version"] == VERSION
    assert {"RegulationsIn", "Regulations", "Board", "EngineBoard", "GameOutcome"} <= set(schemas)
    round = document["paths"]["/api/v1/tournaments/{tournament}/rounds/{round}"]["get"]
    assert {one["name"]: one["schema"]["type"] for one in round["parameters"]}["round"] == "integer"
    assert {"405", "429"} <= set(round["responses"])


def test_operations_keep_the_names_that_generated_clients_call(hall: Hall) -> None:
    document = hall.call("GET", "/openapi.json").json()
    ids = {one["operationId"] for methods in document["paths"].values() for one in methods.values()}

    assert set(OPERATIONS.split()) <= ids


def fuzz(folder: Path, cases: int, start: int = 1) -> Counter[int]:
    """Send what the description allows, and what it forbids; how often each status was answered."""
    seen: Counter[int] = Counter()
    with hall_at(str(folder / "events.db")) as hall:
        id = hall.open(players=8, rounds=5)
        hall.play(1, "1-0", "0-1", "½-½", "1-0")
        hall.pair(2)
        other = hall.open("Other", players=2)
        hall.keys["deputy"] = hall.key_for("deputy", "Dina Deputy", tournament=id)
        hall.keys["guest"] = hall.key_for("arbiter", "Gina", tournament=other)
        hall.tournament = id
        document = hall.call("GET", "/openapi.json").json()
        for path in list(document["paths"]):
            if path.endswith(("/feed", "/sessions/current")):
                del document["paths"][path]  # a stream has no end; and nobody signs out here
        schema = schemathesis.openapi.from_dict(document)
        operations: list[Any] = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
        each = max(1, cases // (2 * len(operations)))
        for operation in operations:
            for mode in schemathesis.GenerationMode:

                @seed(start)
                @given(case=operation.as_strategy(generation_mode=mode))
                @settings(
                    max_examples=each,
                    deadline=None,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                    database=None,
                )
                def one(case: Any) -> None:
                    if case.path_parameters and "tournament" in case.path_parameters and seen.total() % 4:
                        case.path_parameters["tournament"] = id
                    role = ROLES[seen.total() % len(ROLES)]
                    answer = sent(hall, case, role)
                    if answer is not None:
                        seen[answer.status_code] += 1
                        case.validate_response(answer, checks=CHECKS)

                with suppress(Unsatisfiable):  # nothing can be wrong with a request without parameters
                    one()
    return seen


def sent(hall: Hall, case: Any, role: str) -> httpx.Response | None:
    """The answer to a case; None for one that no client could send."""
    asked = case.as_transport_kwargs(base_url=BASE)
    headers = {n: str(v) for n, v in asked["headers"].items() if n.lower() not in ("authorization", "cookie")}
    if role:
        headers["authorization"] = f"Bearer {hall.keys[role]}"
    content = {"json": asked["json"]} if "json" in asked else {"content": asked.get("data")}
    try:
        return hall.http.request(
            asked["method"], asked["url"], params=asked.get("params"), headers=headers, **content
        )
    except (UnicodeError, httpx.InvalidURL, httpx.LocalProtocolError, TypeError, ValueError):
        return None


def test_whatever_the_description_allows_or_forbids_is_answered_as_it_says(tmp_path: Path) -> None:
    seen = fuzz(tmp_path, 300)

    assert seen.total() > 200
    assert {200, 404, 422} <= set(seen)
    assert not [status for status in seen if status >= 500]


@pytest.mark.soak
@pytest.mark.parametrize("start", range(1, 6))
def test_ten_thousand_requests_and_no_mistake(tmp_path: Path, start: int) -> None:
    seen = fuzz(tmp_path, 2600, start)

    print(f"seed {start}: {seen.total()} requests, {dict(sorted(seen.items()))}")
    assert seen.total() >= 2000
    assert not [status for status in seen if status >= 500]
