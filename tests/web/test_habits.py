"""Habits of HTTP: ids of requests, a page behind every problem, limits that are told, other sites."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from paircard.domain.deciding.decision import CAUTIONS
from paircard.service import Moment
from paircard.service.views import Overview
from paircard.web import app
from paircard.web.endpoints import Endpoints
from paircard.web.problems import reference
from paircard.web.routes.server import Health, health
from paircard.web.serve import JsonLine
from tests.reference import refusals
from tests.web.hall import QUICK, Hall, hall_at


def test_a_request_keeps_its_id_in_answer_problem_and_log(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "paircard.web.requests")
    answer = hall.call("GET", "/tournaments/0", x_request_id="mine-17")

    assert answer.status_code == 404
    assert answer.headers["x-request-id"] == answer.json()["request"] == "mine-17"
    line = JsonLine().format(caplog.records[-1])
    assert msgspec.json.decode(line)["request"] == "mine-17"


@pytest.mark.parametrize("odd", ["", "two words", "é", "x" * 101, "a\tb"])
def test_an_odd_id_of_a_request_is_replaced(hall: Hall, odd: str) -> None:
    answer = hall.http.request("GET", "/api/v1/health", headers={"x-request-id": odd.encode()})

    assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])


def test_the_type_of_a_problem_leads_to_a_page_with_code_fields_and_example(hall: Hall) -> None:
    hall.open(players=4)
    refused = hall.send({"do": "pair-round", "round": 2}).json()
    page = hall.http.request("GET", refused["type"])

    assert page.status_code == 200
    assert f'<section id="{refused["code"]}">' in page.text
    for field in refused["fields"]:
        assert f"<code>{field}</code>" in page.text
    assert hall.http.request("GET", "/problems/no-such-kind").status_code == 404


def test_every_kind_that_the_api_answers_has_a_page_with_all_its_codes_in_every_language(hall: Hall) -> None:
    above = {"paircard-error", "refused", "http-refused", "standings-error"}  # never raised themselves
    kinds = reference().kinds
    assert set(refusals()) - set(kinds) == above
    for name, kind in kinds.items():
        for language in ("en", "it"):
            page = hall.http.request("GET", f"/problems/{name}", headers={"accept-language": language})
            assert page.status_code == 200, name
            assert re.findall('<section id="(.+)">', page.text) == list(kind.codes)
            assert kind.codes
    assert sum(len(kind.codes) for kind in kinds.values()) > 500


def test_the_page_of_a_kind_has_codes_chosen_between_and_those_it_is_answered_with_alone() -> None:
    codes = {name: kind.codes for name, kind in reference().kinds.items()}
    assert {"numbers-frozen", "numbers-frozen-not-published"} < set(codes["numbers-frozen"])
    assert "table-no-colour" in codes["invalid"]
    assert {"http.for-openers", "http.verb-not-for-role"} <= set(codes["not-allowed"])
    assert set(CAUTIONS) < set(codes["needs-acknowledgement"])
    assert codes["busy"] == ("http.store-busy",)  # where the store is, is nobody's business
    assert "trf.fault-in-column" in codes["trf-error"]


CLUB = "https://club.example"
PREFLIGHT = {"access_control_request_method": "POST", "access_control_request_headers": "authorization"}


@pytest.fixture
def open_hall(tmp_path: Path) -> Iterator[Hall]:
    """A server that lets programs of one site send keys, and takes one command at a time."""
    settings = msgspec.structs.replace(QUICK, origins=frozenset({CLUB}), commands_per_second=0.3)
    with hall_at(str(tmp_path / "open.db"), settings) as hall:
        yield hall


def test_a_chosen_site_reads_signed_and_writes_from_a_browser(open_hall: Hall) -> None:
    asked = open_hall.call("OPTIONS", "/tournaments", origin=CLUB, **PREFLIGHT)
    assert asked.status_code == 204
    assert "POST" in asked.headers["access-control-allow-methods"]
    assert {"Authorization", "Idempotency-Key", "If-Match"} <= set(
        asked.headers["access-control-allow-headers"].split(", ")
    )
    body = {"regulations": {"name": "New", "rounds": 3}}
    made = open_hall.call("POST", "/tournaments", "arbiter", body, origin=CLUB, idempotency_key="1")
    mine = open_hall.call("GET", "/sessions/current", "arbiter", origin=CLUB)
    for answer in (asked, made, mine):
        assert answer.headers["access-control-allow-origin"] == CLUB
        assert "Origin" in answer.headers["vary"]
        assert "ETag" in answer.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in answer.headers
    assert (made.status_code, mine.status_code) == (201, 200)


def test_other_sites_stay_outside_and_cookies_too(open_hall: Hall) -> None:
    for origin in ("https://evil.example", "null", CLUB + ".evil.example"):
        asked = open_hall.call("OPTIONS", "/tournaments", origin=origin, **PREFLIGHT)
        assert asked.status_code == 405
        assert "access-control-allow-origin" not in asked.headers
        reading = PREFLIGHT | {"access_control_request_method": "GET"}
        asked = open_hall.call("OPTIONS", "/tournaments", origin=origin, **reading)
        assert asked.status_code == 204
        assert "uthorization" not in asked.headers["access-control-allow-headers"]
    by_cookie = open_hall.call("POST", "/tournaments", "", {}, origin=CLUB, cookie="__Host-paircard=x")
    assert by_cookie.json()["type"] == "/problems/foreign-origin"


def test_a_program_of_any_site_reads_as_anybody_and_learns_why_it_may_not(open_hall: Hall) -> None:
    event = open_hall.open(players=2)
    reading = {"access_control_request_method": "GET", "access_control_request_headers": "if-none-match"}
    asked = open_hall.call("OPTIONS", f"/tournaments/{event}", origin="https://any.example", **reading)
    assert asked.status_code == 204
    assert {"If-None-Match", "Last-Event-ID"} <= set(
        asked.headers["access-control-allow-headers"].split(", ")
    )
    for path in ("", "/rounds/1", "/standings?at=yesterday", "/log", "/feed?after=x"):
        answer = open_hall.call("GET", f"/tournaments/{event}{path}", origin="https://any.example")
        assert answer.headers["access-control-allow-origin"] == "*", path
        assert "RateLimit-Reset" in answer.headers["access-control-expose-headers"]
    assert asked.headers["access-control-allow-origin"] == "*"


def test_anybody_sees_from_any_site_whether_the_server_works(hall: Hall) -> None:
    for path in ("/health", "/ready"):
        assert (
            hall.call("GET", path, origin="https://any.example").headers["access-control-allow-origin"] == "*"
        )


def test_no_cache_takes_an_answer_to_one_site_for_that_to_another(open_hall: Hall) -> None:
    event = open_hall.open(players=2)
    for role in ("arbiter", ""):
        answer = open_hall.call("GET", f"/tournaments/{event}?at=p2", role)
        assert "Origin" in answer.headers["vary"].split(", "), "one without Origin, too"


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"commands": [{"do": "withdraw-player", "player": 1}]}, {}, 201),
        ({"commands": [{"do": "withdraw-player", "player": 9}]}, {}, 404),
        ({"commands": [{"do": "pair-round", "round": 1}]}, {}, 428),
        ({"commands": [{"do": "withdraw-player", "player": 1}]}, {"if_match": '"1"'}, 412),
        ({"commands": []}, {}, 422),
        ({"commands": [{"do": "undo"}, {"do": "undo"}]}, {}, 422),
    ],
)
def test_every_answer_to_commands_says_how_many_may_follow(
    hall: Hall, body: dict[str, object], headers: dict[str, str], status: int
) -> None:
    event = hall.open(players=4)
    path = f"/tournaments/{event}/commands"
    answer = hall.call("POST", path, "arbiter", body, idempotency_key="k", **headers)

    assert answer.status_code == status
    assert {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"} <= set(answer.headers)


def test_who_writes_too_often_is_told_how_much_is_left(open_hall: Hall) -> None:
    answers = [
        open_hall.call(
            "POST", "/tournaments", "arbiter", {"regulations": {"name": f"T{at}", "rounds": 3}},
            idempotency_key=str(at),
        )
        for at in range(5)
    ]  # fmt: skip
    refused = answers[-1]

    assert refused.status_code == 429
    assert (refused.headers["ratelimit-limit"], refused.headers["ratelimit-remaining"]) == ("3", "0")
    assert int(refused.headers["ratelimit-reset"]) >= int(refused.headers["retry-after"]) > 0


def test_any_version_fulfils_if_match_with_a_star(hall: Hall) -> None:
    hall.open(players=4)
    withdrawn = hall.send({"do": "withdraw-player", "player": 4}, if_match="*")
    paired = hall.send({"do": "pair-round", "round": 1}, if_match="*")

    assert withdrawn.status_code == 201
    assert withdrawn.headers["ratelimit-remaining"]
    assert paired.status_code == 428, "to pair, the version it was decided on has to be named"


def test_of_several_tags_the_one_that_holds_counts_and_a_tag_of_no_version_never_does(any_hall: Hall) -> None:
    """[RFC 9110:13.1.1]; also of what was read without a key, whose tag is that of a public moment."""
    event = any_hall.open(players=4)
    any_hall.send({"do": "draw-initial-colour", "colour": "w"})
    now = any_hall.version()
    theirs = any_hall.call("GET", f"/tournaments/{event}", "").headers["etag"]
    for tags in ('"abc"', '""', theirs, f'"{now - 1}", "abc"', f'"{now + 1}","{now + 2}"'):
        refused = any_hall.send({"do": "pair-round", "round": 1}, ack=["too-many-rounds"], if_match=tags)
        assert (refused.status_code, refused.json()["version"]) == (412, now), tags
    for odd in (str(now), f'"{now}', f'*, "{now}"', f'"{now}" "{now}"', "W/*"):
        refused = any_hall.send({"do": "pair-round", "round": 1}, ack=["too-many-rounds"], if_match=odd)
        assert (refused.status_code, refused.json()["code"]) == (400, "http.if-match-unreadable"), odd
    tags = f'"{now - 1}", W/"{now}-abcdef" ,"abc"'
    assert (
        any_hall.send({"do": "pair-round", "round": 1}, ack=["too-many-rounds"], if_match=tags).status_code
        == 201
    )


def test_a_parameter_that_is_not_known_is_never_left_aside(hall: Hall) -> None:
    event = hall.open(players=4)
    before = hall.version()
    body = {"commands": [{"do": "withdraw-player", "player": 1}]}
    answers = [
        hall.call("GET", f"/tournaments/{event}/standings?afer=1"),
        hall.call("GET", f"/tournaments/{event}/feed?form=1"),
        hall.call("POST", f"/tournaments/{event}/commands?dry-run=1", body=body, idempotency_key="dry"),
        hall.call("GET", "/health?deep=1"),
    ]

    for answer, name in zip(answers, ("afer", "form", "dry-run", "deep"), strict=True):
        assert (answer.status_code, answer.json()["fields"]["id"]) == (400, name), answer.text
    assert hall.version() == before


@pytest.mark.parametrize("path", ["/openapi.json", "/facts.schema.json"])
def test_who_has_the_description_is_told_that_nothing_is_new(hall: Hall, path: str) -> None:
    tag = hall.call("GET", path).headers["etag"]
    again = hall.call("GET", path, if_none_match=f'"x", W/{tag}')

    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert hall.call("GET", path, if_none_match='"x"').status_code == 200


def test_what_is_to_go_says_so_a_year_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Endpoints()
    rows.view("/old", deprecated="2027-01-31", sunset="2028-02-01")(old)
    monkeypatch.setattr(app, "ENDPOINTS", [*app.ENDPOINTS, *rows])
    with hall_at(str(tmp_path / "open.db")) as hall:
        path = f"/tournaments/{hall.open(players=2)}/old"
        tag = hall.call("GET", path).headers["etag"]
        answers = [hall.call("GET", path), hall.call("GET", path, if_none_match=tag)]
        answers += [
            hall.call("GET", path + more) for more in ("?at=2099-01-01", "?at=yesterday", "?colour=w")
        ]
        described = hall.call("GET", "/openapi.json").json()["paths"]["/api/v1/tournaments/{tournament}/old"]

    assert [one.status_code for one in answers] == [200, 304, 307, 422, 400]
    for one in answers:
        assert one.headers["deprecation"] == "@1801353600"
        assert one.headers["sunset"] == "Tue, 01 Feb 2028 00:00:00 GMT"
        headers = described["get"]["responses"][str(one.status_code)]["headers"]
        assert {"Deprecation", "Sunset"} <= set(headers)
    assert (described["get"]["deprecated"], described["get"]["x-sunset"]) == (True, "2028-02-01")
    with pytest.raises(ValueError, match="a year"):
        rows.add("GET", "/older", Health, deprecated="2027-01-31", sunset="2027-02-01")(health)


def old(moment: Moment) -> Overview:
    """What there was before."""
    return moment.overview()


def test_an_old_server_refuses_what_a_new_client_adds_and_names_it(hall: Hall) -> None:
    hall.open(players=2)
    before = hall.version()
    answers = [
        hall.send({"do": "withdraw-player", "player": 1, "reason_code": 7}),
        hall.send({"do": "teleport-player", "player": 1}),
        hall.call("GET", "/tournaments?colour=w"),
    ]

    assert [one.status_code for one in answers] == [422, 422, 400]
    for one, unknown in zip(answers, ("reason_code", "teleport-player", "colour"), strict=True):
        assert unknown in one.json()["detail"]
    assert hall.version() == before


def test_an_old_client_reads_what_a_new_server_adds(hall: Hall) -> None:
    found = hall.call("GET", "/health").json() | {"added": {"later": [1]}}

    assert msgspec.convert(found, Health).status == "ok"
