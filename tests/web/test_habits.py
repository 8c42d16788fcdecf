"""Habits of HTTP: ids of requests, a page behind every problem, limits that are told, other sites."""

import logging
import re

import msgspec
import pytest

from paircard.web.pages.problem import case_of, codes, kinds
from paircard.web.problems import KINDS
from tests.web.hall import Hall


def test_a_request_keeps_its_id_in_answer_problem_and_log(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "paircard.web.requests")
    answer = hall.call("GET", "/tournaments/0", x_request_id="mine-17")

    assert answer.status_code == 404
    assert answer.headers["x-request-id"] == answer.json()["request"] == "mine-17"
    assert msgspec.json.decode(caplog.messages[-1])["request"] == "mine-17"


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


def test_every_kind_that_the_api_answers_has_a_page_in_every_language(hall: Hall) -> None:
    for name, kind in kinds().items():
        if any(issubclass(kind, known) for those in KINDS.values() for known in those):
            for language in ("en", "it"):
                answer = hall.http.request("GET", f"/problems/{name}", headers={"accept-language": language})
                assert answer.status_code == 200, name
    known = [code for those in codes().values() for code in those]
    assert len(known) > 200
    assert all(case_of(code, "en") for code in known)
