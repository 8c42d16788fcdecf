"""The description of the API, OpenAPI 3.1, made from the table of endpoints and their types.

Names of schemas and operations are part of the contract: generated clients are spelled with them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, get_args

import msgspec

from paircard.domain.events import Recorded
from paircard.domain.speaking import Speaker
from paircard.domain.values.players import HIGHEST_RATING, SEXES, TITLES
from paircard.domain.values.prizes import CHOICES, FIELDS, HIGHEST_AMOUNT, MOST_PRIZES, RATINGS
from paircard.domain.values.regulations import (
    ACCELERATIONS,
    MOST_CYCLES,
    MOST_ROUNDS,
    ORDER_CRITERIA,
    RATING_LISTS,
    TABLES,
    TEMPOS,
    TIEBREAK_RATINGS,
    VARIANTS,
)
from paircard.domain.values.results import ResultText
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import LONGEST
from paircard.domain.version import VERSION
from paircard.web.endpoints import ONE, STREAM, Endpoint, Parameter, number
from paircard.web.feed import Change
from paircard.web.messages import Problem
from paircard.web.problems import PROBLEM_JSON, reference

ALWAYS: Final = (400, 401, 403, 404, 405, 421, 429, 503)
"""Refusals any address may give."""
WITH_BODY: Final = (408, 413, 415, 422)
ABOUT: Final = """Tournaments, and everything that happens in them, for programs.

What anybody may see on a notice board needs no login. Programs of arbiters and officers send a key as
`Authorization: Bearer …`. Whatever writes carries an `Idempotency-Key` and counts once, however often it is
sent. Every read takes `at`, the moment to look at. Refusals are `application/problem+json`, and the `type`
of each leads to a page about it. Fields may be added to answers within `v1`; a program ignores those it does
not know. A field of a request that is not known is refused."""
TAGS: Final = {
    "views": "Looking at tournaments, as far as they are published",
    "commands": "Opening tournaments, and asking something of them",
    "review": "Why a round is as it is, and what a command would do",
    "proof": "Facts, bundles, report files and checkpoints",
    "access": "Sessions, keys and grants",
    "webhooks": "Programs that are told of every fact",
    "server": "Whether it lives, and this description",
    "feeds": "What happens, as it happens: server-sent events",
}
"""By the module of the handler."""
NAMES: Final = {
    "paircard.domain.values.results.Outcome": "GameOutcome",
    "paircard.service.prizes.Group": "CategoryGroup",
    "paircard.pairing.explain.why.Step": "TrialStep",
    "paircard.pairing.explain.why.Seat": "ExplainedSeat",
    "paircard.pairing.outcome.Board": "EngineBoard",
    "paircard.projections.standings.codes.Step": "TiebreakStep",
    "BracketLines_Line_": "BracketLines",
}
"""Names of schemas that would be two; of those with one name, a body of a request has the ending ``In``."""
SPELLED: Final = {
    "1-0": "WHITE_WINS", "½-½": "DRAW", "0-1": "BLACK_WINS", "½-0": "HALF_TO_WHITE", "0-½": "HALF_TO_BLACK",
    "0-0": "BOTH_LOSE", "1F-0F": "FORFEIT_TO_WHITE", "0F-1F": "FORFEIT_TO_BLACK", "0F-0F": "FORFEIT_BY_BOTH",
    "W-L": "WHITE_WINS_UNRATED", "D-D": "DRAW_UNRATED", "L-W": "BLACK_WINS_UNRATED", "adjourned": "ADJOURNED",
}  # fmt: skip
"""What generated clients call results: of ``½-½`` some leave nothing, others digits."""
PATTERNS: Final[dict[str, dict[str, Any]]] = {
    "tournament": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    "round": {"type": "integer", "minimum": 0, "maximum": 999},
    "player": {"type": "integer", "minimum": 0, "maximum": 999_999},
}
OTHER_ID: Final = {"type": "string", "pattern": "^[0-9a-f]{1,40}$"}
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
HEADERS: Final[dict[str, dict[str, Any]]] = {
    name: {"description": about, "schema": schema}
    for name, schema, about in (
        ("X-Request-Id", TEXT, "Of this request: the caller's own, or a new one; also in the server's log."),
        ("ETag", TEXT, "The version, to be sent as If-None-Match or If-Match."),
        ("Location", {"type": "string", "format": "uri-reference"}, "Where it is."),
        (
            "RateLimit-Limit",
            COUNT,
            "Requests that may come at once; told with 429, and to who writes signed in.",
        ),
        ("RateLimit-Remaining", COUNT, "How many are left."),
        ("RateLimit-Reset", COUNT, "Seconds until all of them are there again."),
        ("Allow", TEXT, "The methods this address takes."),
        ("Deprecation", TEXT, "Since when something else should be used (RFC 9745)."),
        ("Sunset", TEXT, "The day from which this may be gone (RFC 8594)."),
        ("WWW-Authenticate", TEXT, "How to sign in: with a key as Bearer."),
        ("Retry-After", COUNT, "Seconds after which the same may be sent again, with the same key."),
    )
}
OF_STATUS: Final = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""Headers of refusals."""
BEFORE_COUNTING: Final = (401, 405, 408, 413, 415, 421)
"""Refusals to which no caller is known yet."""
LIMITS: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
STREAMED: Final = "Server-sent events: `fact` for those who see all, `change` for the public"


def kinds_of(endpoints: Sequence[Endpoint]) -> list[Any]:
    """The types that are described: those of bodies that are sent, then those of answers."""
    taken = [one.takes for one in endpoints if one.takes is not None]
    return [*taken, *(one.gives for one in endpoints if is_described(one.gives)), Problem, Change, Recorded]


def description(endpoints: Sequence[Endpoint]) -> bytes:
    """The document."""
    kinds = kinds_of(endpoints)
    refs, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    short = {f"#/components/schemas/{name}": short_name(name) for name in components}
    if len(set(short.values())) < len(short):
        raise ValueError("two schemas have one name: give one of them a name in NAMES")
    taken = sum(one.takes is not None for one in endpoints)
    bodies, sparse = named_in(refs[:taken], components), set(sparse_kinds(msgspec.Struct))
    said = reference().fields
    for name, schema in components.items():
        schema["title"] = short_name(name)
        for field, value in schema.get("properties", {}).items():
            if about := said.get(schema["title"], {}).get(field):
                value["description"] = about
            if name in bodies:
                limit(schema["title"], field, value)
            for one in value.get("anyOf", [value]):
                large = field in LARGE or one.get("maximum", 0) >= 2**31
                if large and one.get("type") == "integer":
                    one["format"] = "int64"
            if "default" not in value:
                continue
            if name in bodies:
                told(value)
            elif name.rpartition(".")[2] in sparse:
                del value["default"]
            else:  # an answer has all its fields
                del value["default"]
                schema.setdefault("required", []).append(field)
    schemas = dict(zip(map(repr, kinds), refs, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        paths.setdefault(one.address, {})[one.method.lower()] = operation(one, schemas)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Paircard",
            "version": VERSION,
            "description": ABOUT,
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that gave this description"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {short_name(name): schema for name, schema in components.items()},
            "headers": HEADERS,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "__Host-paircard"},
            },
        },
    }
    return msgspec.json.format(msgspec.json.encode(plain(document, short)), indent=1)


def short_name(name: str) -> str:
    """What a schema is called for ever, wherever its class lives."""
    if name in NAMES:
        return NAMES[name]
    module, _, plain = name.rpartition(".")
    return f"{plain}In" if module == "paircard.service.requests" else plain


def named_in(values: Iterable[Any], components: dict[str, Any]) -> set[str]:
    """The schemas that some schemas speak of, and those speak of in turn."""
    found: set[str] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).removeprefix("#/components/schemas/")
            if name and name not in found:
                found.add(name)
                waiting.append(components[name])
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return found


def told(value: dict[str, Any]) -> None:
    """A default in words: generators take a field with a ``default`` for one that must be sent."""
    default = msgspec.json.encode(value.pop("default")).decode()
    about = value.get("description", "")
    value["description"] = f"{about} By default {default}.".strip()


def sparse_kinds(kind: type[msgspec.Struct]) -> Iterator[str]:
    """Names of the values that leave out fields which have their default."""
    for one in kind.__subclasses__():
        if one.__struct_config__.omit_defaults:
            yield one.__name__
        yield from sparse_kinds(one)


def plain(value: Any, names: dict[str, str]) -> Any:
    """A schema as every generator reads it: with short names, and a schema for every list."""
    if isinstance(value, list):
        return [plain(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: plain(inner, names) for name, inner in value.items()}
    if isinstance(ref := made.get("$ref"), str) and ref in names:
        made["$ref"] = f"#/components/schemas/{names[ref]}"
    if isinstance(mapping := made.get("mapping"), dict) and "propertyName" in made:
        made["mapping"] = {tag: f"#/components/schemas/{names[ref]}" for tag, ref in mapping.items()}
    if isinstance(made.get("discriminator"), dict) and "anyOf" in made:
        made = {"oneOf": made.pop("anyOf"), **made}
    if isinstance(kinds := made.get("anyOf"), list):
        words = [word for one in kinds for word in one.get("enum", ())] + [
            one["const"] for one in kinds if "const" in one
        ]
        others = [one for one in kinds if not {"enum", "const"} & set(one)]
        if len(others) < len(kinds) - 1:
            made["anyOf"] = [{"type": "string", "enum": words}, *others]
            if set(words) <= set(SPELLED):
                made["anyOf"][0]["x-enum-varnames"] = [SPELLED[word] for word in words]
    if isinstance(one := made.get("enum"), list) and all(isinstance(word, str) for word in one):
        made["type"] = "string"
        if len(one) == 1:
            made["const"] = made.pop("enum")[0]
    if "prefixItems" in made and made.get("items", False) is False:
        kinds = [one for at, one in enumerate(made["prefixItems"]) if one not in made["prefixItems"][:at]]
        made["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
        if len(kinds) == 1:
            del made["prefixItems"]
    return made


def is_described(kind: Any) -> bool:
    """Whether a type is JSON; files are not."""
    return kind is not None and kind is not bytes


def operation(one: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    """One method of one address."""
    about = " ".join((one.handler.__doc__ or one.summary).split())
    made: dict[str, Any] = {
        "summary": one.summary,
        "description": about if about.endswith(".") else f"{about}.",
        "operationId": operation_id(one),
        "tags": [one.handler.__module__.rpartition(".")[2]],
        "parameters": [*path_parameters(one.path), *map(parameter, one.parameters)],
        "responses": responses(one, schemas),
        "security": [{"key": []}, {"session": []}, *([{}] if one.who == "public" else [])],
    }
    if one.deprecated:
        made |= {"deprecated": True, "x-sunset": one.sunset}
    if one.takes is not None:
        content = {"application/json": {"schema": schemas[repr(one.takes)]}}
        made["requestBody"] = {"required": True, "content": content}
    return made


def title_of(status: int) -> str:
    """What a status says, in English."""
    return Speaker().word("answer", str(status))


def operation_id(one: Endpoint) -> str:
    """What generated clients call it: the name of its handler, with ``get`` before a noun."""
    name = one.handler.__name__
    first, *rest = (f"get_{name}" if one.method == "GET" and "_" not in name else name).split("_")
    ending = ["of", "tournament"] if one.path.startswith(f"{ONE}/grants") else []
    return first + "".join(map(str.capitalize, [*rest, *ending]))


def path_parameters(path: str) -> Iterable[dict[str, Any]]:
    """What is in braces."""
    for name in re.findall(r"{([a-z]+)}", path):
        yield {"name": name, "in": "path", "required": True, "schema": PATTERNS.get(name, OTHER_ID)}


def parameter(one: Parameter) -> dict[str, Any]:
    """A parameter of the query or a header."""
    return {
        "name": one.name,
        "in": one.where,
        "required": one.required,
        "description": one.about,
        "schema": dict(one.schema),
    }


def header(*names: str) -> dict[str, Any]:
    """Headers of an answer."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def responses(one: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    """What may be answered."""
    made: dict[str, Any] = {}
    for status in (one.status, *one.also):
        answer: dict[str, Any] = {"description": title_of(status), "headers": header("X-Request-Id")}
        if 304 in one.also or one.writes:
            answer["headers"] |= header("ETag")
        if one.method != "GET":
            answer["headers"] |= header(*LIMITS)
        if status == 307:
            answer["headers"] = header("X-Request-Id", "Location")
        if status in (200, 201, 503) and one.gives is not None:
            schema = schemas[repr(one.gives)] if is_described(one.gives) else {"type": "string"}
            if one.gives_media == STREAM:
                answer["description"] = STREAMED
                messages = [schemas[repr(Recorded)], schemas[repr(Change)]]
                schema |= {"contentMediaType": "application/json", "contentSchema": {"anyOf": messages}}
            answer["content"] = {one.gives_media: {"schema": schema}}
        made[str(status)] = answer
    refusals = {*ALWAYS, *one.refusals, *(WITH_BODY if one.takes is not None else ())}
    problem = {PROBLEM_JSON: {"schema": schemas[repr(Problem)]}}
    for status in sorted(refusals - {int(known) for known in made}):
        headers = header("X-Request-Id", *OF_STATUS.get(status, ()))
        if status == 429 or (one.method != "GET" and status not in BEFORE_COUNTING):
            headers |= header(*LIMITS)
        made[str(status)] = {"description": title_of(status), "headers": headers, "content": problem}
    for answer in made.values():
        answer["headers"] |= header(*(name for name in ("Deprecation", "Sunset") if one.deprecated))
    return made


# What is said of the fields of a request beyond their types. Deciding refuses what is beyond, in better
# words; tests/web/test_description.py holds the two together. A choice is a pattern and no enum: a word
# that joins later breaks no client that was generated before.


Schema = dict[str, Any]


def text(most: int, least: int = 0) -> Schema:
    """A text of so many characters."""
    return {"type": "string", "maxLength": most} | ({"minLength": least} if least else {})


def word(pattern: str, about: str) -> Schema:
    """A text of one form."""
    return {"type": "string", "pattern": f"^{pattern}$", "description": about}


def choice(*words: str) -> Schema:
    """One of some words; the empty one leaves it open."""
    named = [one for one in words if one]
    return word(f"({'|'.join(named)}){'?' if '' in words else ''}", f"One of {', '.join(named)}.")


def several(one: Schema, **more: Any) -> Schema:
    """A list of such."""
    return {"type": "array", "items": one, **more}


IN_YEAR: Final = "-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
DAY: Final = word(f"([0-9]{{4}}{IN_YEAR})?", "A day such as 2026-11-16.")
RATING, MONEY = number(0, HIGHEST_RATING), number(0, HIGHEST_AMOUNT)
ROUND = number(1, 999)
PLAYER = number(1, 999_999) | {"description": "An id: the number of the entry, not the pairing number."}
FIELDS_OF_REQUESTS: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        **dict.fromkeys(RATINGS, RATING),
        **dict.fromkeys(("place", "organiser", "chief_arbiter", "time_control", "club"), text(LONGEST)),
        "ReportFile.name": text(LONGEST),
        **dict.fromkeys(("DetailsIn.name", "ChangesIn.name"), text(100, 1)),
        **dict.fromkeys(("national_id", "group", "next", "PrizeIn.category"), text(40)),
        **dict.fromkeys(("CategoryIn.name", "SetExternalTiebreak.name"), text(40, 1)),
        **dict.fromkeys(("starts", "ends", "key_date"), DAY),
        **dict.fromkeys(("round", "first", "last"), ROUND),
        **dict.fromkeys(("player", "into", "one", "other", "white", "black"), PLAYER),
        **dict.fromkeys(("players", "order"), several(PLAYER)),
        **dict.fromkeys(("rounds", "half_byes", "last_half_bye"), number(0, MOST_ROUNDS)),
        **dict.fromkeys(("win", "draw", "loss", "absence", "ScoringIn.pab"), number(0, 990)),
        **dict.fromkeys(("youth", "senior"), number(0, 120)),
        **dict.fromkeys(("below", "ConditionIn.least"), number(0, 10**12)),
        **dict.fromkeys(("amount", "value", "least_part"), MONEY),
        **{name: choice(*words) for name, words in CHOICES.items()},
        "name": text(LONGEST, 1),
        "edition": choice(*RULES),
        "acceleration": choice(*ACCELERATIONS),
        "tiebreaks": several(text(40, 1)),
        "initial_order": several(choice(*ORDER_CRITERIA), minItems=1, uniqueItems=True),
        "federation": word("([A-Z]{3})?", "A code such as ITA."),
        "arbiters": several(text(LONGEST, 1)),
        "tempo": choice(*TEMPOS),
        "dates": several(DAY),
        "rating_lists": several(choice(*RATING_LISTS), uniqueItems=True),
        "tiebreak_ratings": choice("", *TIEBREAK_RATINGS),
        "variant": choice("", *VARIANTS),
        "cycles": number(1, MOST_CYCLES),
        "table": choice("", *TABLES),
        "pab": number(0, 999_999),
        "sex": choice(*SEXES),
        "title": choice(*TITLES),
        "rating_source": text(60),
        "k_factor": number(0, 40),
        "fide_id": number(0, 10**11 - 1),
        "birth": word(f"((18|19|20)[0-9]{{2}}({IN_YEAR})?)?", "A year or a day: 1990, 1990-04-23."),
        "missed": word("[HZ]*", "For each round that is paired H or Z, as ZHZZ."),
        "letter": choice("", "H", "F", "Z"),
        "colour": choice("", "w", "b"),
        "board": number(1, 99_999),
        "outcome": text(40, 1)
        | {"description": f"One of {', '.join(get_args(ResultText))}; many other spellings are read."},
        "SetExternalTiebreak.value": number(-(10**12), 10**12) | {"description": "In hundredths."},
        "CategoryIn.least": number(0, 9999),
        "conditions": {"type": "array", "minItems": 1},
        "field": choice(*FIELDS),
        "PrizeIn.name": text(80, 1),
        "thing": text(80),
        "PrizeIn.place": number(1, 9999),
        "currency": word("[A-Z]{3}", "A code such as EUR."),
        "unit": number(1, HIGHEST_AMOUNT),
        "prizes": {"type": "array", "maxItems": MOST_PRIZES},
        "values": several(text(LONGEST, 1)),
        "ReportFile.edition": choice("", *RULES),
    }
)
"""By the name of a field; with the name of its schema in front where that means something else there."""


LARGE: Final = frozenset(
    [n.rpartition(".")[2] for n, one in FIELDS_OF_REQUESTS.items() if one.get("maximum", 0) >= 2**31]
    + ["position", "since", "until", "at"]
)
"""Fields that may hold more than 32 bits: many languages have two kinds of integers."""


def limit(schema: str, field: str, value: dict[str, Any]) -> None:
    """Add its limits to the description of a field, if it is of the type that they are for."""
    limits = FIELDS_OF_REQUESTS.get(f"{schema}.{field}", FIELDS_OF_REQUESTS.get(field, {}))
    for one in value.get("anyOf", [value]):
        if limits and one.get("type") == limits["type"]:
            items = one.get("items", {}) | limits.get("items", {})
            about = " ".join(filter(None, (one.get("description"), limits.get("description"))))
            one |= limits | ({"items": items} if items else {}) | ({"description": about} if about else {})
