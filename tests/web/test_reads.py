"""Reading over HTTP: what anybody sees, at which moment, and how long it holds."""

import time
from typing import Any

from paircard.domain.proof.bundles import read_bundle
from paircard.domain.proof.checkpoints import Checkpoint, keep_checkpoint
from paircard.domain.proof.note import new_signer
from tests.refusals import sentence
from tests.web.hall import Hall


def test_anybody_reads_a_published_round(any_hall: Hall) -> None:
    any_hall.open()
    any_hall.play(1, "1-0", "½-½")

    client = any_hall.as_()
    [listed] = client.tournaments().tournaments
    assert (listed.name, listed.state) == ("Club Open", sentence("stage", stage="play", round=1))
    round = client.round(listed.id, 1)
    assert [(b.white.name, b.result, b.black.name) for b in round.boards] == [
        ("Ada", "1-0", "Dag"),
        ("Eva", "½-½", "Ben"),
        ("Cleo", None, "Finn"),
    ]
    assert [line.name for line in client.standings(listed.id).standings][:1] == ["Ada"]
    assert [line.score for line in client.standings(listed.id, 1).standings][:3] == ["1", "½", "½"]
    assert client.card(listed.id, 1).lines[0].letter == "1"


def test_a_round_that_is_not_published_is_not_there_for_the_public(hall: Hall) -> None:
    id = hall.open()
    before = hall.call("GET", f"/tournaments/{id}")
    hall.pair(1)

    assert hall.call("GET", f"/tournaments/{id}/rounds/1").status_code == 404
    assert hall.call("GET", f"/tournaments/{id}/rounds/1", "deputy").status_code == 404
    assert hall.call("GET", f"/tournaments/{id}/rounds/1", "arbiter").status_code == 200
    assert hall.call("GET", f"/tournaments/{id}/rounds/1", "officer").status_code == 200
    assert hall.call("GET", f"/tournaments/{id}").content == before.content
    hall.publish(1)
    assert hall.call("GET", f"/tournaments/{id}/rounds/1").status_code == 200


def test_the_public_sees_no_birthday_and_no_fide_id(hall: Hall) -> None:
    id = hall.open()

    public = hall.call("GET", f"/tournaments/{id}/players").text
    assert "Ada" in public
    assert "1990" not in public
    assert "5000" not in public
    assert "1990-04-23" in hall.call("GET", f"/tournaments/{id}/players", "arbiter").text


def test_a_bundle_carries_a_checkpoint_of_facts_that_are_gone(hall: Hall) -> None:
    id = hall.open()
    signed = new_signer("ITA").sign(Checkpoint(id, 999, "ab" * 32)).text()
    keep_checkpoint(hall.site.office.store(), signed)

    bundle = read_bundle(hall.call("GET", f"/tournaments/{id}/bundle", "arbiter").content)

    assert bundle.checkpoints == (signed,), "it convicts the log, so it never stays behind"


def test_nothing_new_costs_a_304(hall: Hall) -> None:
    id = hall.open()
    hall.play(1, "1-0")
    path = f"/tournaments/{id}/rounds/1"

    first = hall.call("GET", path)
    assert first.headers["cache-control"] == "public, no-cache"
    again = hall.call("GET", path, if_none_match=first.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    hall.send({"do": "record-result", "round": 1, "board": 2, "outcome": "0-1"})
    assert hall.call("GET", path, if_none_match=first.headers["etag"]).status_code == 200


def test_a_round_as_a_moment_leads_to_an_address_that_never_changes(hall: Hall) -> None:
    id = hall.open()
    hall.play(1, "1-0", "1-0", "1-0")
    hall.play(2, "1-0")

    for role, kind in (("", "public"), ("arbiter", "private")):
        moved = hall.call("GET", f"/tournaments/{id}/standings?at=r1&after=1", role)
        assert moved.status_code == 307
        fixed = moved.headers["location"].removeprefix("/api/v1")
        assert ("at=p" in fixed) == (role == "")
        answer = hall.call("GET", fixed, role)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == f"{kind}, max-age=31536000, immutable"
        assert answer.json()["after"] == 1


def test_a_public_moment_shows_everybody_the_same(hall: Hall) -> None:
    id = hall.open()
    hall.pair(1)
    address = hall.call("GET", f"/tournaments/{id}?at=2026-01-01&at=r1")
    assert address.status_code == 400
    public = hall.call("GET", f"/tournaments/{id}?at=p3")

    assert public.status_code == 200
    assert hall.call("GET", f"/tournaments/{id}?at=p3", "arbiter").content == public.content
    assert hall.call("GET", f"/tournaments/{id}?at=p999").status_code == 404
    assert hall.call("GET", f"/tournaments/{id}?at=3").status_code == 401
    assert hall.call("GET", f"/tournaments/{id}?at=3", "deputy").status_code == 403
    assert hall.call("GET", f"/tournaments/{id}?at=3", "officer").status_code == 200


def test_pages_of_tournaments(hall: Hall) -> None:
    ids = [hall.open(f"Open {n}", players=2) for n in range(3)]
    client = hall.as_()

    first = client.tournaments(limit=2)
    assert [one.id for one in first.tournaments] == ids[:2]
    assert first.next == ids[1]
    rest = client.tournaments(after=first.next, limit=2)
    assert ([one.id for one in rest.tournaments], rest.next) == (ids[2:], None)


def test_a_large_answer_is_packed_for_who_takes_that(hall: Hall) -> None:
    id = hall.open(players=8)

    packed = hall.call("GET", f"/tournaments/{id}/players", accept_encoding="gzip")
    plain = hall.call("GET", f"/tournaments/{id}/players", accept_encoding="identity")
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()


def test_an_erased_person_vanishes_from_every_moment(hall: Hall) -> None:
    id = hall.open()
    hall.play(1, "1-0")
    addresses = ("/players", "/players?at=p5", "/rounds/1", "/standings?at=p9", "/report.trf")
    for address in addresses:
        assert "Cleo" in hall.call("GET", f"/tournaments/{id}{address}").text
    assert "Cleo" in hall.call("GET", f"/tournaments/{id}/players?at=6", "arbiter").text

    erasure = {"do": "erase-person", "player": 3}
    warned = hall.send(erasure, why="asked for it").json()["warnings"]
    terms: dict[str, Any] = {
        "why": "asked for it",
        "ack": [one["code"] for one in warned],
        "idempotency_key": "erase",
    }
    done = hall.send(erasure, **terms)
    assert done.status_code == 201, done.text
    end = time.monotonic() + 10
    while "Cleo" in hall.call("GET", f"/tournaments/{id}/players?at=p5").text:
        assert time.monotonic() < end
        time.sleep(0.05)
    for address in addresses:
        answer = hall.call("GET", f"/tournaments/{id}{address}")
        assert answer.status_code == 200
        assert "Cleo" not in answer.text, address
    assert "Cleo" not in hall.call("GET", f"/tournaments/{id}/players?at=6", "arbiter").text
    assert "Cleo" not in hall.call("GET", f"/tournaments/{id}/facts", "arbiter").text


def test_an_erasure_answers_where_the_name_still_stands_and_what_is_left_to_do(hall: Hall) -> None:
    vera = {"do": "register-player", "details": {"name": "Ostrom, Vera"}}
    other = hall.open("Blitz")
    hall.send(vera)
    hall.open()
    hall.send(vera)
    mentioned = hall.send({"do": "withdraw-player", "player": 1}, why="left with Ostrom").json()["version"]
    terms: dict[str, Any] = {"why": "asked for it", "ack": ["erase-while-running"]}
    erasure, seen = {"do": "erase-person", "player": 7}, f'"{hall.version()}"'

    first = hall.send(erasure, **terms, idempotency_key="erase", if_match=seen).json()
    again = hall.send(erasure, **terms, idempotency_key="erase", if_match=seen).json()
    further = hall.send(erasure | {"facts": [mentioned]}, **terms).json()
    other_verb = hall.send({"do": "withdraw-player", "player": 2}).json()

    remains = first["remains"]
    assert (remains["mentions"], remains["recorded"], remains["elsewhere"]) == ([mentioned], [], [other])
    assert (remains["unfinished"], remains["searched"]) == ("", True)
    assert (again["repeated"], again["remains"]["searched"]) == (True, False)
    assert sentence("remains.backups") in remains["out_of_reach"]
    assert len(remains["messages"]) == len(remains["out_of_reach"])
    assert all({"code", "fields"} <= one.keys() for one in remains["messages"])
    assert further["facts"][0]["fact"]["pieces"][0][0] == mentioned
    assert "Ostrom" not in hall.call("GET", f"/tournaments/{hall.tournament}/facts", "arbiter").text
    assert other_verb["remains"] is None


def test_the_list_is_searched_and_paged_and_refuses_what_it_does_not_know(any_hall: Hall) -> None:
    id, anybody = any_hall.open(), any_hall.as_()

    for found in (
        anybody.tournaments(name="UB op"),
        anybody.tournaments(player="cle", limit=1),
        anybody.tournaments(name="club", player="ada", after=None),
    ):
        assert [one.id for one in found.tournaments] == [id]
        assert found.next is None
    assert anybody.tournaments(name="no such name").tournaments == ()
    assert anybody.tournaments(year=1999).tournaments == ()
    assert anybody.tournaments(after=id).tournaments == ()
    answer = any_hall.call("GET", "/tournaments?town=Rome")
    assert (answer.status_code, answer.json()["code"]) == (400, "http.no-such-parameter")


def test_the_public_finds_nobody_who_came_while_a_round_waits_to_be_published(hall: Hall) -> None:
    hall.open(half_byes=1)
    hall.pair(1)
    late = {"do": "register-player", "details": {"name": "Zoe"}, "missed": "H"}
    done = hall.send(late, why="came late", ack=["late-entry"])
    assert done.status_code == 201, done.text

    assert len(hall.as_("arbiter").tournaments(player="zoe").tournaments) == 1
    assert hall.as_().tournaments(player="zoe").tournaments == ()
    assert "Club Open" in hall.http.request("GET", "/?player=ada").text
    assert "Club Open" not in hall.http.request("GET", "/?player=zoe").text
