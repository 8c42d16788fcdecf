"""The description of the API: it says what the server does, and whatever it allows or forbids is answered."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import count as numbers
from itertools import product
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Flaky, Unsatisfiable
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.transport import Response
from schemathesis.generation.stateful.state_machine import StepOutput
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from paircard.domain.values.results import ResultText
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
PLAYED = ["RegisterPlayer", "DrawInitialColour", "PairRound", "PublishRound", "RecordResult", "UnpairRound"]
FEW: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 2}
WORD: dict[str, Any] = {"type": "string", "pattern": "^[A-Z][a-z]{3,9}$"}
PLAIN: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("round", "board", "player", "rounds"), FEW),
    **dict.fromkeys(("name", "who", "note", "why"), WORD),
    "outcome": {"enum": ["1-0", "½-½", "0-1"]},
    "url": {"const": "https://club.example/"},
    "If-Match": {"const": "*"},
}
"""Values with which much succeeds."""
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


IN_THIS_EVENT = {
    "regulations-of-other-rules", "half-byes-too-late", "half-byes-too-many", "rounds-not-possible",
    "days-incomplete", "missed-rounds-unclear", "rounds-follow-players",
}  # fmt: skip
"""What is wrong with a value in one event and right in another."""


def samples(schema: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """Values at the limits that a schema draws, and the next ones beyond them."""
    match schema:
        case {"type": "integer", "minimum": least, "maximum": most}:
            return [least, most], [least - 1, most + 1]
        case {"type": "string", "pattern": pattern, "description": about}:
            listed = re.match(r"\^\(([\w|-]+)\)\??\$", pattern)
            words = re.findall(r"\b[A-Z]{3,4}\b|[0-9-]{4,}", about)
            good = listed[1].split("|") if listed else [one for one in words if re.search(pattern, one)]
            assert good
            return [*good, *([""] if re.search(pattern, "") else [])], ["?!"]
        case {"type": "string", "maxLength": most, **rest}:
            empty = [[""], []] if "minLength" not in rest else [[], [""]]
            return ["x" * most, *empty[0]], ["x" * (most + 1), *empty[1]]
        case {"type": "array", "items": {"type": _} as inner, **rest}:
            good, bad = samples(inner)
            return [[one] for one in good], [[one] for one in bad] + ([[]] if "minItems" in rest else [])
    return [], []


@pytest.mark.parametrize("kind", ["RegulationsIn", "DetailsIn"])
def test_the_limits_of_a_field_are_those_of_the_server(hall: Hall, kind: str) -> None:
    schemas = hall.call("GET", "/openapi.json").json()["components"]["schemas"]
    names, tried = numbers(), 0

    def sent(field: str, value: Any) -> Any:
        if kind == "RegulationsIn":
            body = {"regulations": {"name": "Open", "rounds": 9, field: value}, "ack": ["same-name"]}
            return hall.call("POST", "/tournaments", "arbiter", body, idempotency_key=f"r{next(names)}")
        details = {"name": f"Player {next(names)}", field: value}
        return hall.send({"do": "register-player", "details": details}, ack=["same-name", "same-person"])

    hall.open(players=2)
    for field, schema in schemas[kind]["properties"].items():
        within, beyond = ([], []) if field == "numbering" else samples(schema)
        for value in within:
            answer = sent(field, value)
            fine = answer.status_code != 422 or answer.json()["code"] in IN_THIS_EVENT
            assert fine, (field, value, answer.text)
        for value in beyond:
            assert sent(field, value).status_code in (409, 422), (field, value)
        tried += bool(within)
    assert tried > 12


def test_the_fields_of_a_command_have_limits(hall: Hall) -> None:
    schemas = hall.call("GET", "/openapi.json").json()["components"]["schemas"]
    verbs = {ref.rpartition("/")[2] for ref in mapping_of(schemas).values()}
    free = [
        (name, field)
        for name in sorted(verbs)
        for field, schema in schemas[name]["properties"].items()
        if schema.get("type") in ("integer", "string") and samples(schema) == ([], [])
        if "enum" not in schema and "const" not in schema
    ]
    wide = [
        (name, field)
        for name in sorted(verbs)
        for field, schema in schemas[name]["properties"].items()
        if schema.get("minimum", 0) < 0
    ]

    assert (free, wide) == ([], [("SetExternalTiebreak", "value")])
    assert schemas["ScoringIn"]["properties"]["pab"]["maximum"] == 990
    assert schemas["EndManualPairing"]["properties"]["pab"]["maximum"] == 999_999


def mapping_of(schemas: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = schemas["Order"]["properties"]["commands"]["items"]["discriminator"]["mapping"]
    return found


def test_the_limits_of_other_bodies_are_those_of_the_server(hall: Hall) -> None:
    event = hall.open(players=2)
    schemas = hall.call("GET", "/openapi.json").json()["components"]["schemas"]
    [report] = [{"text": one.read_text()} for one in GOLDEN.glob("1-8.trf")]
    bodies: list[tuple[str, str, dict[str, Any]]] = [
        ("NewGrant", "/grants", {"who": "Otto", "role": "officer", "come_by": "key"}),
        ("NewKey", "/keys", {}),
        ("NewWebhook", "/webhooks", {"url": "https://club.example/"}),
        ("Order", f"/tournaments/{event}/commands", {"commands": [{"do": "withdraw-player", "player": 1}]}),
        ("Season", "/imports", {"reports": [report]}),
        ("ReportFile", "/imports", report),
    ]
    count, tried = numbers(), 0
    for kind, path, body in bodies:
        for field, schema in schemas[kind]["properties"].items():
            if {"maxLength", "maximum"} & set(schema) and field != "url":
                for value in limits_of(schema):
                    given = body | {field: value}
                    asked = (
                        {"reports": [given], "ack": ["irregular-import"]} if kind == "ReportFile" else given
                    )
                    answer = hall.call("POST", path, "arbiter", asked, idempotency_key=f"b{next(count)}")
                    beyond = value in limits_of(schema)[1::2]
                    refused = "text-too-long" in answer.text or answer.status_code == 422
                    assert refused == beyond, (kind, field, value, answer.text)
                    tried += 1
    assert tried > 15


GOLDEN = Path(__file__).parent.parent / "golden/dutch-2026"


def limits_of(schema: dict[str, Any]) -> list[Any]:
    """In turn the highest value that is taken and the next one."""
    if "maxLength" in schema:
        return ["x" * schema["maxLength"], "x" * (schema["maxLength"] + 1)]
    return [schema["minimum"], schema["minimum"] - 1, schema["maximum"], schema["maximum"] + 1]


def in_place(path: str, event: str) -> str:
    """An address of the description, about round 1 and player 1 of an event."""
    known = {"tournament": event, "round": "1", "player": "1"}
    return re.sub("{([a-z]+)}", lambda part: known.get(part[1], "0"), path.removeprefix("/api/v1"))


def test_the_limits_of_a_parameter_are_those_of_the_server(hall: Hall) -> None:
    event, tried = hall.open(players=2), 0
    for path, methods in hall.call("GET", "/openapi.json").json()["paths"].items():
        address = in_place(path, event)
        numbers = [
            one
            for one in methods.get("get", {"parameters": ()})["parameters"]
            if one["in"] == "query" and one["schema"]["type"] == "integer"
        ]
        with_round = "&round=1" if {"board", "round"} <= {one["name"] for one in numbers} else ""
        for one in () if path.endswith("/feed") else numbers:
            within, beyond = samples(one["schema"])
            assert within, (path, one["name"])
            more = "" if one["name"] == "round" else with_round
            for value in within:
                answer = hall.call("GET", f"{address}?{one['name']}={value}{more}", "arbiter")
                assert answer.status_code != 400, answer.text
            for value in beyond:
                answer = hall.call("GET", f"{address}?{one['name']}={value}{more}", "arbiter")
                assert (answer.status_code, answer.json()["code"]) == (400, "http.not-in-range")
                tried += 1
    assert tried > 20


def test_headers_are_sent_as_described(hall: Hall) -> None:
    event = hall.open(players=2)
    document = hall.call("GET", "/openapi.json").json()
    known = {name.lower() for name in document["components"]["headers"]}
    seen = set()
    for path, methods in document["paths"].items():
        address = in_place(path, event)
        for method, one in methods.items():
            if "feeds" in one["tags"]:
                continue
            answers = [
                hall.call(
                    method.upper(), address, role, {} if method == "post" else None, idempotency_key="k"
                )
                for role in ("", "arbiter")
            ]
            answers.append(hall.call("PATCH", address))
            answers.append(hall.call(method.upper(), f"{address}?colour=w", "arbiter"))
            if tag := answers[1].headers.get("etag"):
                answers.append(hall.call("GET", address, "arbiter", if_none_match=tag))
            for answer in answers:
                described = one["responses"][str(answer.status_code)]["headers"]
                needed = {name.lower() for name in described} - LIMITED
                found = known & set(answer.headers)
                assert needed <= found <= needed | LIMITED, (path, method, answer.status_code)
                assert found & LIMITED <= {name.lower() for name in described}
                assert answer.status_code not in (401, 405) or "RateLimit-Limit" not in described
                seen.add(answer.status_code)
    assert {200, 304, 400, 401, 404, 405, 422} <= seen


LIMITED = {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"}
"""Told to who is counted, also in refusals."""


def test_words_and_large_numbers_say_what_they_are(hall: Hall) -> None:
    """Generators take a word without a type for anything, and an integer without a format for 32 bits."""
    document = hall.call("GET", "/openapi.json").json()
    schemas = document["components"]["schemas"]

    def parts(value: Any) -> Iterator[dict[str, Any]]:
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from parts(inner)
        if isinstance(value, dict):
            yield value

    assert [
        one for one in parts(schemas) if {"const", "enum"} & set(one) and one.get("type") != "string"
    ] == []
    assert schemas["RecordResult"]["properties"]["do"] == {"type": "string", "const": "record-result"}
    for one in parts(document):
        if one.get("type") == "integer":
            assert (one.get("maximum", 0) >= 2**31) <= ("format" in one), one
    for schema, field in (
        ("Details", "fide_id"),
        ("Recorded", "position"),
        ("Me", "until"),
        ("Award", "amount"),
    ):
        assert schemas[schema]["properties"][field]["format"] == "int64"


def test_a_field_says_what_the_source_says_of_it(hall: Hall) -> None:
    """In which unit, by which number: a stranger has nothing but the description."""
    schemas = hall.call("GET", "/openapi.json").json()["components"]["schemas"]

    def said(schema: str, field: str) -> str:
        found: str = schemas[schema]["properties"][field]["description"]
        return found

    assert said("Seat", "score") == "Tenths, before the round."
    assert said("Absence", "score") == said("Seat", "score"), "also where it is inherited"
    assert said("RegulationsIn", "rounds") == said("Regulations", "rounds"), "also in a request"
    assert said("DetailsIn", "title").startswith("One of GM, IM")
    assert said("PrizeIn", "amount").endswith("By default 0.")
    assert "id" in said("GrantBye", "player")
    fields = [field for one in schemas.values() for field in one.get("properties", {}).values()]
    told = [field for field in fields if "description" in field]
    assert len(told) > 500
    assert not any("``" in field["description"] for field in told)


def test_results_are_one_list_of_words_with_names_for_generated_clients(hall: Hall) -> None:
    schemas = hall.call("GET", "/openapi.json").json()["components"]["schemas"]
    words, none = schemas["Board"]["properties"]["result"]["anyOf"]

    assert none == {"type": "null"}
    assert set(words["enum"]) == {*get_args(ResultText), "adjourned"}
    names = dict(zip(words["enum"], words["x-enum-varnames"], strict=True))
    assert (names["½-½"], names["1F-0F"]) == ("DRAW", "FORFEIT_TO_WHITE")
    assert len(set(names.values())) == len(names)


def test_the_words_that_an_answer_may_hold_stay(hall: Hall) -> None:
    """A client that was generated before refuses others; a field that may get more has no list."""
    schemas = hall.call("GET", "/openapi.json").json()["components"]["schemas"]
    listed = {
        f"{name}.{field}": len(one["enum"])
        for name, schema in schemas.items()
        for field, value in schema.get("properties", {}).items()
        for one in value.get("anyOf", [value])
        if "enum" in one
    }

    assert listed == {
        "Board.result": 13, "BoardsCorrected.scope": 4, "ColoursCorrected.scope": 4, "DrawNumbers.lots": 2,
        "GrantView.role": 3, "InitialColourDrawn.method": 2, "LotsDrawn.method": 2, "Me.role": 3,
        "NewGrant.come_by": 3, "NewGrant.role": 3, "PairingNumbersAssigned.cause": 7,
        "RatingCorrected.scope": 4, "RatingLine.kind": 3, "Requirement.state": 3, "ResultCorrected.scope": 4,
        "RoundPaired.origin": 3, "Verdict.verdict": 4,
    }  # fmt: skip


def test_who_is_not_ready_answers_as_described(hall: Hall) -> None:
    hall.site.is_following = lambda: False
    answer = hall.call("GET", "/ready")
    described = hall.call("GET", "/openapi.json").json()["paths"]["/api/v1/ready"]["get"]["responses"]["503"]

    assert (answer.status_code, answer.json()["status"]) == (503, "waiting")
    assert described["content"] == {
        answer.headers["content-type"]: {"schema": {"$ref": "#/components/schemas/Readiness"}}
    }


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


@pytest.mark.slow
def test_whatever_the_description_allows_or_forbids_is_answered_as_it_says(tmp_path: Path) -> None:
    seen = fuzz(tmp_path, 300)

    assert seen.total() > 200
    assert {200, 404, 422} <= set(seen)
    assert not [status for status in seen if status >= 500]


COMMANDS = "/api/v1/tournaments/{tournament}/commands"


def narrowed(document: dict[str, Any], playing: bool) -> dict[str, Any]:
    """The description without what seldom succeeds, with a way on from a tournament at its version.

    Half of it: what is done in tournaments, or all the rest.
    """
    schemas = document["components"]["schemas"]
    schemas["Order"]["required"].append("why")
    for schema in schemas.values():
        if schema.get("additionalProperties") is False:  # a body, or part of one
            needed = {one: schema["properties"][one] for one in schema.get("required", ())}
            schema["properties"] = needed | {
                one: PLAIN[one] for one in needed if one in PLAIN and "$ref" not in needed[one]
            }
    sending = document["paths"].pop(COMMANDS)["post"]
    for name in PLAYED:  # each verb as often as each view; what follows # is not sent
        one = {
            "type": "array",
            "items": {"$ref": f"#/components/schemas/{name}"},
            "minItems": 1,
            "maxItems": 1,
        }
        body = schemas["Order"] | {"properties": schemas["Order"]["properties"] | {"commands": one}}
        document["paths"][f"{COMMANDS}#{name}"] = {
            "post": deepcopy(sending)
            | {
                "operationId": name,
                "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            }
        }
    onward: dict[str, dict[str, str]] = {}
    for path, methods in list(document["paths"].items()):
        if path.endswith(("/feed", "/sessions/current")) or path.startswith("/api/v1/tournaments") != playing:
            del document["paths"][path]
            continue
        for one in methods.values():
            one["parameters"] = [
                known | {"schema": PLAIN.get(known["name"], known["schema"]), "required": True}
                for known in one["parameters"]
                if known["required"] or known["name"] == "If-Match"
            ]
            if "{tournament}" in path:
                names = {known["name"] for known in one["parameters"]}
                version = {"header.If-Match": '"{$response.body#/version}"'} if "If-Match" in names else {}
                onward[one["operationId"]] = version
    for path, methods in document["paths"].items():
        id = "$response.body#/id" if path == "/api/v1/tournaments" else "$request.path.tournament"
        if "post" in methods and "201" in methods["post"]["responses"]:
            methods["post"]["responses"]["201"]["links"] = {
                name: {"operationId": name, "parameters": {"path.tournament": id} | version}
                for name, version in onward.items()
            }
    return document


def sequences(
    folder: Path, count: int, steps: int, start: int = 1
) -> tuple[Counter[tuple[str, int]], list[str]]:
    """Sequences of requests made of answers to earlier ones: how often what was answered, what is wrong."""
    seen: Counter[tuple[str, int]] = Counter()
    wrong: list[str] = []
    with hall_at(str(folder / "events.db")) as hall:
        other = hall.open("Other", players=2)
        machines: list[Any] = []
        for playing in (True, False):
            document = narrowed(hall.call("GET", "/openapi.json").json(), playing)
            schema = schemathesis.openapi.from_dict(document)
            schema.config.generation.modes = [schemathesis.GenerationMode.POSITIVE]
            machines.append(schema.as_state_machine())
        names = numbers()
        among = list(product(ROLES, machines))
        role, machine = among[0]

        class Sequence:
            """What somebody does, beginning with a tournament after its first round."""

            def setup(self) -> None:
                self.known = [hall.open(f"Open {next(names)}", players=4)]
                hall.play(1, "1-0", "½-½")
                self.let_in()

            def let_in(self) -> None:
                """A new key: whoever revoked their own goes on with another."""
                if role:
                    of = {"deputy": self.known[0], "guest": other}.get(role, "")
                    kind: Any = "arbiter" if role == "guest" else role
                    hall.keys["now"] = hall.key_for(kind, "Somebody", tournament=of)

            def step(self, input: Any) -> Any:
                case = input.case
                if case.path_parameters.get("tournament", other) not in (*self.known, other):
                    case.path_parameters["tournament"] = self.known[0]
                answer = sent(hall, case, role and "now")
                if answer is None:
                    return None
                seen[case.operation.label.partition("#")[0], answer.status_code] += 1
                try:
                    case.validate_response(answer, checks=CHECKS)
                except FailureGroup as reason:
                    wrong.append(f"{role} {case.as_curl_command()}: {reason}")
                if case.operation.label == "POST /api/v1/tournaments" and answer.status_code == 201:
                    self.known.append(answer.json()["id"])
                if answer.status_code == 401:
                    self.let_in()
                return StepOutput(Response.from_any(answer), case)

        for number in range(count):
            role, machine = among[number % len(among)]
            with suppress(Flaky):  # answers have new ids every time
                run_state_machine_as_test(
                    seed(1000 * start + number)(type("Mine", (Sequence, machine), {})),
                    settings=settings(
                        max_examples=2,
                        stateful_step_count=steps,
                        deadline=None,
                        phases=[Phase.generate],
                        suppress_health_check=list(HealthCheck),
                        database=None,
                    ),
                )
    return seen, wrong


def test_sequences_of_requests_by_every_role_are_answered_as_described(tmp_path: Path) -> None:
    seen, wrong = sequences(tmp_path, 2 * len(ROLES), 6)

    assert not wrong, wrong[0]
    assert {status for _, status in seen} >= {200, 201, 204, 401, 403, 404}
    assert seen["POST /api/v1/tournaments", 201]


@pytest.mark.soak
@pytest.mark.parametrize("start", range(2, 5))
def test_long_sequences_of_requests_by_every_role(tmp_path: Path, start: int) -> None:
    seen, wrong = sequences(tmp_path, 6 * len(ROLES), 30, start)

    refused = sum(count for (_, status), count in seen.items() if status == 401)
    done = sum(count for (label, status), count in seen.items() if label[0] != "G" and status < 300)
    print(f"seed {start}: {seen.total()} requests, {refused} with 401, {done} that changed something")
    assert not wrong, "\n".join(wrong)
    assert refused < seen.total() / 5
    assert seen["POST /api/v1/tournaments/{tournament}/commands", 201]


@pytest.mark.soak
@pytest.mark.parametrize("start", range(1, 6))
def test_ten_thousand_requests_and_no_mistake(tmp_path: Path, start: int) -> None:
    seen = fuzz(tmp_path, 2600, start)

    print(f"seed {start}: {seen.total()} requests, {dict(sorted(seen.items()))}")
    assert seen.total() >= 2000
    assert not [status for status in seen if status >= 500]
