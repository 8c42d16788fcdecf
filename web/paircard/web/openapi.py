"""The description of the API, OpenAPI 3.1, made from the table of endpoints and their types."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from paircard.domain.speaking import Speaker
from paircard.web.endpoints import NUMBER, ONE, Endpoint, Parameter
from paircard.web.feed import Change
from paircard.web.messages import Problem
from paircard.web.problems import PROBLEM_JSON

ALWAYS: Final = (400, 401, 403, 404, 421, 429, 503)
"""Refusals any address may give."""
WITH_BODY: Final = (408, 413, 415, 422)
ABOUT: Final = """Tournaments, and everything that happens in them, for programs.

What anybody may see on a notice board needs no login. Programs of arbiters and officers send a key as
`Authorization: Bearer …`. Whatever writes carries an `Idempotency-Key` and counts once, however often it is
sent. Every read takes `at`, the moment to look at. Refusals are `application/problem+json`."""


STREAM: Final = "Server-sent events: `fact` for those who see all, `change` for the public"
AFTER: Final = Parameter(
    "after", "Id of the last message seen, also taken as Last-Event-ID; without it, from now on.", NUMBER
)
FEEDS: Final = tuple(
    Endpoint("GET", path, None, summary, "public", bytes, (AFTER,), gives_media="text/event-stream")
    for path, summary in (
        (f"{ONE}/feed", "What happens in a tournament, as it happens"),
        ("/feed", "What happens in all tournaments, by position; for officers"),
    )
)
"""The streams, which no schema describes whole."""


def description(endpoints: Sequence[Endpoint], version: str) -> bytes:
    """The document."""
    kinds = [kind for one in endpoints for kind in (one.takes, one.gives) if is_described(kind)]
    kinds += [Problem, Change]
    refs, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(map(repr, kinds), refs, strict=True))
    names = {name: re.sub(r"[^A-Za-z0-9._-]", "_", name) for name in components}
    paths: dict[str, dict[str, Any]] = {}
    for one in (*endpoints, *FEEDS):
        paths.setdefault(one.address, {})[one.method.lower()] = operation(one, schemas)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Paircard", "version": version, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": {names[name]: schema for name, schema in components.items()},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "__Host-paircard"},
            },
        },
    }
    return msgspec.json.format(renamed(msgspec.json.encode(document), names), indent=1)


def renamed(document: bytes, names: dict[str, str]) -> bytes:
    """References to names that had to be written otherwise."""
    for name, ours in names.items():
        if name != ours:
            document = document.replace(
                f'"#/components/schemas/{name}"'.encode(), f'"#/components/schemas/{ours}"'.encode()
            )
    return document


def is_described(kind: Any) -> bool:
    """Whether a type is JSON; files are not."""
    return kind is not None and kind is not bytes


def operation(one: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    """One method of one address."""
    made: dict[str, Any] = {
        "summary": one.summary,
        "operationId": operation_id(one),
        "tags": ["feed" if one in FEEDS else one.path.strip("/").split("/")[0].split(".")[0]],
        "parameters": [*path_parameters(one.path), *map(parameter, one.parameters)],
        "responses": responses(one, schemas),
        "security": [{"key": []}, {"session": []}, *([{}] if one.who == "public" else [])],
    }
    if one.takes is not None:
        content = {"application/json": {"schema": schemas[repr(one.takes)]}}
        made["requestBody"] = {"required": True, "content": content}
    return made


def title_of(status: int) -> str:
    """What a status says, in English."""
    return Speaker().word("answer", str(status))


def operation_id(one: Endpoint) -> str:
    """A name for generated clients."""
    words = re.findall(r"[a-z]+", one.path.replace("/{tournament}/", "/"))
    return "-".join([one.method.lower(), *words])


def path_parameters(path: str) -> Iterable[dict[str, Any]]:
    """What is in braces."""
    patterns = {"tournament": "^[0-9a-f]{32}$", "round": "^[0-9]{1,3}$", "player": "^[0-9]{1,6}$"}
    for name in re.findall(r"{([a-z]+)}", path):
        schema = {"type": "string", "pattern": patterns.get(name, "^[0-9a-f]{1,40}$")}
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def parameter(one: Parameter) -> dict[str, Any]:
    """A parameter of the query or a header."""
    return {
        "name": one.name,
        "in": one.where,
        "required": one.required,
        "description": one.about,
        "schema": dict(one.schema),
    }


def responses(one: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    """What may be answered."""
    made: dict[str, Any] = {}
    for status in (one.status, *one.also):
        answer: dict[str, Any] = {"description": title_of(status)}
        if status in (200, 201) and one.gives is not None:
            schema = schemas[repr(one.gives)] if is_described(one.gives) else {"type": "string"}
            answer["content"] = {one.gives_media: {"schema": schema}}
            if one in FEEDS:
                answer["description"] = STREAM
        made[str(status)] = answer
    refusals = {*ALWAYS, *one.refusals, *(WITH_BODY if one.takes is not None else ())}
    problem = {PROBLEM_JSON: {"schema": schemas[repr(Problem)]}}
    for status in sorted(refusals - {int(known) for known in made}):
        made[str(status)] = {"description": title_of(status), "content": problem}
    return made
