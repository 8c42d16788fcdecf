"""A season in one request: each tournament whole or not at all, told one by one, counted once."""

import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paircard.service import Office
from paircard.service.reports import Incoming
from paircard.web.client import NoAnswer
from paircard.web.messages import ReportFile
from paircard.web.routes import commands
from paircard.web.routes.commands import read_for
from tests.web.hall import Hall, hall_at
from tests.web.running import running

GOLDEN = sorted((Path(__file__).parent.parent / "golden/dutch-2026").glob("*.trf"))


def season(number: int = 3) -> list[dict[str, str]]:
    """Reports of a season; the second is not one."""
    files = [
        {"source": one.name, "text": one.read_text(), "edition": "dutch-2026"} for one in GOLDEN[:number]
    ]
    return [files[0], {"source": "broken.trf", "text": "001 nobody\n"}, *files[1:]]


ACK = ["irregular-import", "edition-not-in-force"]


def sent(
    hall: Hall, key: str = "season", role: str = "officer", **more: object
) -> tuple[int, list[dict[str, object]]]:
    body = {"reports": season(), "ack": ACK, **more}
    answer = hall.call("POST", "/imports", role, body, idempotency_key=key)
    assert answer.status_code in (200, 201), answer.text
    return answer.status_code, answer.json()["imports"]


def test_each_report_is_a_tournament_or_a_problem_and_sent_again_it_counts_once(any_hall: Hall) -> None:
    status, made = sent(any_hall)

    assert status == 201
    assert [bool(one["tournament"]) for one in made] == [True, False, True, True], made
    assert [one["source"] for one in made] == [one["source"] for one in season()]
    whole = made[0]
    assert isinstance(whole["notes"], list)
    assert isinstance(whole["messages"], list)
    assert len(whole["notes"]) == len(whole["messages"]) > 0
    assert all({"code", "fields"} <= one.keys() for one in whole["messages"])
    broken = made[1]["problem"]
    assert isinstance(broken, dict)
    assert (broken["type"], broken["code"]) == ("/problems/trf-error", "trf.faults")
    again, told = sent(any_hall)
    assert again == 200
    assert [one["tournament"] for one in told] == [one["tournament"] for one in made]
    assert [one["repeated"] for one in told] == [True, False, True, True]
    assert len(any_hall.call("GET", "/tournaments").json()["tournaments"]) == 3


def test_in_another_order_and_company_each_counts_once_under_a_key(any_hall: Hall) -> None:
    named, text = season(), season(1)[0]["text"]
    first = [one["tournament"] for one in sent(any_hall, reports=[*named, {"text": text}, {"text": text}])[1]]
    mended = named[1] | {"text": season(4)[3]["text"]}
    _, told = sent(any_hall, reports=[{"text": text}, named[3], mended, named[0], {"text": text}])

    assert [one["tournament"] for one in told if one["repeated"]] == [first[4], first[3], first[0], first[5]]
    assert (told[2]["tournament"], told[2]["repeated"]) != ("", True)
    assert len(any_hall.call("GET", "/tournaments").json()["tournaments"]) == 6


def test_another_report_under_the_same_key_is_told_and_changes_nothing(hall: Hall) -> None:
    sent(hall)
    reports = season()
    reports[0] = reports[0] | {"text": reports[0]["text"] + "### another\n"}
    status, told = sent(hall, reports=reports)

    assert status == 200
    problem = told[0]["problem"]
    assert isinstance(problem, dict)
    assert problem["status"] == 422
    assert len(hall.call("GET", "/tournaments").json()["tournaments"]) == 3


def test_a_report_needs_its_text_alone_and_rules_that_there_are(hall: Hall) -> None:
    text = season()[0]["text"]
    _, [bare, told] = sent(hall, reports=[{"text": text}, {"text": text, "edition": "dutch-1999"}])

    assert bare["tournament"]
    assert [told["problem"][name] for name in ("status", "code")] == [422, "choice-unknown"]  # type: ignore[index]


def test_a_report_that_ends_its_reader_is_told_and_the_others_go_on(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "read_for", ending)
    _, told = sent(hall)

    assert [bool(one["tournament"]) for one in told] == [True, False, True, True]
    assert told[1]["problem"]["code"] == "http.mistake"  # type: ignore[index]


def ending(file: ReportFile, *about: Any) -> Incoming:
    """In the process of the importer: a mistake of ours in one of the reports."""
    if file.source == "broken.trf":
        sys.exit(1)
    return read_for(file, *about)


@pytest.mark.parametrize("role", ["", "guest"])
def test_who_may_not_open_a_tournament_imports_none(hall: Hall, role: str) -> None:
    one = hall.open(players=2)
    hall.keys["guest"] = hall.key_for("arbiter", "Gina", tournament=one)
    answer = hall.call("POST", "/imports", role, {"reports": season()}, idempotency_key="x")

    assert answer.status_code in (401, 403)


def test_a_season_is_larger_than_other_bodies_and_has_an_end(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "open.db")) as hall:
        long = {"text": "x" * (hall.site.settings.largest_body + 1)}
        _, told = sent(hall, reports=[long, season()[0]])
        assert [bool(one["tournament"]) for one in told] == [False, True]
        large = {"reports": [{"text": "x" * hall.site.settings.largest_season}]}
        assert hall.call("POST", "/imports", "officer", large, idempotency_key="y").status_code == 413


def test_a_season_goes_on_where_a_server_was_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "open.db")
    reports = [season(1)[0] | {"source": f"{n}.trf"} for n in range(60)]
    body = msgspec.json.encode({"reports": reports, "ack": ACK})
    with running(path, tmp_path / "log") as server:
        key = server.key_for("officer", "Otto")

        def send() -> bytes:
            client = server.anybody(key)
            return client.request("POST", "/imports", body, {"idempotency-key": "season"}).body

        def broken() -> None:
            with pytest.raises((NoAnswer, OSError)):
                send()

        first = threading.Thread(target=broken)
        first.start()
        with Office(path) as office:
            end = time.monotonic() + 30
            while not office.ids():
                assert time.monotonic() < end
                time.sleep(0.01)
        server.kill()
        first.join()
        with Office(path) as office:
            before = office.ids()
        assert 0 < len(before) < 60
        server.start()
        told = msgspec.json.decode(send())["imports"]
        assert [one["repeated"] for one in told] == [True] * len(before) + [False] * (60 - len(before))
        with Office(path) as office:
            assert len(office.ids()) == 60
