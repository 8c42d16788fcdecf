"""Asking something of a tournament: commands, previews, and opening one."""

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Union

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import PaircardError, StoreRefused
from paircard.domain.values.regulations import Regulations
from paircard.service.desk import person
from paircard.service.office import new_id
from paircard.service.reports import Incoming, read_report
from paircard.service.requests import VERBS, Strict, carry_out, inside, is_computed, name_of, strict
from paircard.service.views import Overview
from paircard.web import problems
from paircard.web.calls import Answer, Call, as_json, language_of
from paircard.web.endpoints import API, IF_MATCH, KEY, ONE, Endpoints
from paircard.web.looking import etag, expected_version
from paircard.web.messages import ImportedReport, ImportedSeason, Outcome, ReportFile, Season
from paircard.web.reviewer import EndedByItself
from paircard.web.roles import need_opener, need_verbs
from paircard.web.site import Site

Warnings = tuple[Annotated[str, msgspec.Meta(max_length=100)], ...]
Why = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 500})]
MOST_REQUESTS: Final = 2000
"""Commands of one order: the results of the largest round, or all its players."""
AnyRequest: Final[Any] = Union[tuple(VERBS.values())]  # noqa: UP007 - made at run time


class Opening(Strict, frozen=True, kw_only=True):
    """A tournament to be opened."""

    regulations: strict(Regulations)  # type: ignore[valid-type]
    why: Why = ""
    ack: Warnings = ()


class Order(Strict, frozen=True, kw_only=True):
    """Commands to be carried out in order, all or none. ``ack`` accepts warnings by code."""

    commands: Annotated[tuple[AnyRequest, ...], msgspec.Meta(min_length=1, max_length=MOST_REQUESTS)]
    why: Why = ""
    ack: Warnings = ()


NEED_VERSION: Final = frozenset(
    ["pair-round", "pair-all-rounds", "unpair-round", "publish-round", "begin-manual-pairing",
     "end-manual-pairing", "close-tournament", "correct-result", "correct-colours", "correct-boards"]
)  # fmt: skip
"""Verbs that mean a certain state of the tournament; results commute and need none."""
WRITES: Final[Mapping[str, Any]] = {"status": 201, "also": (200,), "writes": True}
"""How a row that adds facts answers."""
trouble: Final = logging.getLogger("paircard.web")
ENDPOINTS: Final = Endpoints()


def idempotency_key(call: Call) -> str:
    """The key of a request, as the caller gave it."""
    key = call.header("idempotency-key").strip()
    if not key:
        raise problems.IdempotencyKeyMissing("http.key-missing")
    if len(key) > 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not re.fullmatch(r"[!-~]{1,64}", key):
        raise problems.WrongParameter("http.key-unreadable")
    return key


@ENDPOINTS.add(
    "POST",
    f"{ONE}/commands",
    Outcome,
    *(KEY, IF_MATCH),
    who="deputy",
    takes=Order,
    refusals=(409, 412, 428),
    **WRITES,
)
def send_commands(site: Site, call: Call) -> Answer:
    """Carry out commands in order, all or none."""
    id = call.tournament
    order = call.read(Order)
    login = need_verbs(call.login, id, order.commands)
    key = idempotency_key(call)
    expected = expected_version(site, call)
    verbs = [name_of(one) for one in order.commands]
    if expected is None and (careful := [verb for verb in verbs if verb in NEED_VERSION]):
        raise problems.VersionMissing("http.version-missing", code=careful[0])
    need_alone(order.commands)
    by = login.person(key, why=order.why, accepts=order.ack, expects=expected)
    done = carry_out(site.office, site.tournament(id), order.commands, by=by)
    found = msgspec.convert(done, Outcome, from_attributes=True)
    status = 201 if done.facts and not done.repeated else 200
    return as_json(found, status, {"etag": etag(site, str(done.version))})


def need_alone(requests: Sequence[Any]) -> None:
    """Refuse what the server computes in the company of others."""
    computed = [one for one in requests if is_computed(one)]
    if computed and len(requests) > 1:
        raise problems.UnreadableBody("http.computed-alone", code=name_of(computed[0])).at("commands")


@ENDPOINTS.add("POST", "/tournaments", Overview, KEY, who="opener", takes=Opening, refusals=(409,), **WRITES)
def open_tournament(site: Site, call: Call) -> Answer:
    """Open a tournament."""
    opening = call.read(Opening)
    login = need_opener(call.login)
    key = idempotency_key(call)
    by = login.person(key, why=opening.why, accepts=opening.ack)
    repeated = site.office.store().version(new_id(by.id)) > 0
    made = site.office.new(inside(opening.regulations, Regulations), by=by)
    found = made.now().overview()
    headers = {"location": f"{API}/tournaments/{made.id}", "etag": etag(site, str(found.version))}
    return as_json(found, 200 if repeated else 201, headers)


def read_for(file: ReportFile, source: str, who: str, why: str, ack: tuple[str, ...]) -> Incoming:
    """In a process of its own: a report, with every round paired again."""
    by = person(who).because(why).accepting(*ack)
    about = {"source": source, "name": file.name or source, "edition": file.edition}
    return read_report(file.text.encode(), **about, by=by)


@ENDPOINTS.add(
    "POST", "/imports", ImportedSeason, KEY, who="opener", takes=Season, status=201, also=(200,), large=True
)
def import_season(site: Site, call: Call) -> Answer:
    """Record many reports as new tournaments, each whole or not at all.

    What could not be recorded has its problem. Sent again with the same key, each counts once, in whatever
    order and company: a report is known by its source, or else by its text.
    """
    season = call.read(Season)
    login = need_opener(call.login)
    key = idempotency_key(call)
    by, made = login.person(key, why=season.why, accepts=season.ack), []
    language, request = language_of(call.request.headers), call.request.scope["paircard.request"]
    seen: Counter[str] = Counter()
    for number, file in enumerate(season.reports, start=1):
        known_by = sha256((file.source or file.text).encode()).hexdigest()[:16]
        seen[known_by] += 1
        try:
            source = file.source or f"report {known_by[:8]}"
            incoming = site.importer.run(read_for, file, source, login.who, season.why, season.ack)
            found = site.office.record_report(
                incoming, by=replace(by, id=f"{by.id}/{known_by}/{seen[known_by]}")
            )
            one = ImportedReport(
                source=file.source,
                tournament=found.tournament,
                name=found.name,
                repeated=found.repeated,
                notes=found.notes,
                messages=found.messages,
            )
        except StoreRefused:
            raise  # sent again, it goes on where this ends
        except EndedByItself:
            trouble.exception("report %d of %s could not be read", number, request)
            mistake = problems.problem_of(problems.MistakeOfTheServer("http.mistake"), language, request)
            one = ImportedReport(source=file.source, problem=mistake)
        except PaircardError as refusal:
            one = ImportedReport(source=file.source, problem=problems.problem_of(refusal, language, request))
        made.append(one)
    recorded = any(one.tournament and not one.repeated for one in made)
    return as_json(ImportedSeason(imports=tuple(made)), 201 if recorded else 200)
