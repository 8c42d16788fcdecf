"""Commands over HTTP: who asks, once and no more, on the version that was meant."""

import os
import threading
import time

import pytest

from paircard.web.problems import TooLong
from paircard.web.reviewer import Reviewer
from tests.web.hall import Hall

RESULT = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}


def test_a_whole_round_by_commands(any_hall: Hall) -> None:
    id = any_hall.open()
    any_hall.play(1, "1-0", "½-½", "0-1")

    done = any_hall.send({"do": "complete-round", "round": 1}, idempotency_key="the end of round 1")
    assert done.status_code == 400, "a key has no blanks"
    done = any_hall.send({"do": "complete-round", "round": 1})
    assert done.status_code == 201
    assert done.json()["lines"][0]["text"]
    assert any_hall.as_().overview(id).state == "round 1 completed"


def test_who_is_recorded_comes_from_the_grant(hall: Hall) -> None:
    hall.open()
    hall.pair(1)
    hall.publish(1)

    [fact] = hall.send(RESULT, role="deputy").json()["facts"]
    assert fact["who"] == "Dina Deputy"
    assert fact["through"].startswith("api-key:"), "and the record says what proved it"


def test_what_is_entered_over_http_verifies_and_says_what_each_name_rests_on(any_hall: Hall) -> None:
    id = any_hall.open()
    any_hall.play(1, "1-0", "½-½")
    assert any_hall.send({**RESULT, "board": 3}, role="deputy").status_code == 201

    report = any_hall.site.tournament(id).verify()

    assert report.whole, report
    assert {(one.who, one.how) for one in report.authors} == {
        ("Anna Arbiter", "api-key"),
        ("Dina Deputy", "api-key"),
    }


def test_the_same_request_again_counts_once(any_hall: Hall) -> None:
    any_hall.open()
    any_hall.pair(1)
    any_hall.publish(1)
    version = any_hall.version()

    first = any_hall.send(RESULT, idempotency_key="r1b1")
    again = any_hall.send(RESULT, idempotency_key="r1b1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["repeated"] is True
    assert again.json()["facts"] == first.json()["facts"]
    assert any_hall.version() == version + 1


def test_pairing_again_with_the_same_key_is_answered_not_computed_anew(hall: Hall) -> None:
    hall.open()
    version = hall.version()

    first = hall.send({"do": "pair-round", "round": 1}, idempotency_key="pair-1", if_match=f'"{version}"')
    again = hall.send({"do": "pair-round", "round": 1}, idempotency_key="pair-1", if_match=f'"{version}"')
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["facts"] == first.json()["facts"]


def test_a_lot_is_drawn_once(hall: Hall) -> None:
    hall.open("Two lots", players=2)
    hall.tournament = hall.call(
        "POST", "/tournaments", "arbiter", {"regulations": {"name": "B", "rounds": 3}}, idempotency_key="b"
    ).json()["id"]

    first = hall.send({"do": "draw-initial-colour"}, idempotency_key="lot")
    for _ in range(5):
        assert (
            hall.send({"do": "draw-initial-colour"}, idempotency_key="lot").json()["facts"]
            == first.json()["facts"]
        )
    assert hall.send({"do": "draw-initial-colour"}).status_code == 409


def test_lots_are_drawn_by_the_server_or_said_to_be_drawn_by_hand(hall: Hall) -> None:
    """Nobody can choose an order and have it recorded as drawn."""
    orders: set[tuple[int, ...]] = set()
    for n in range(40):  # until both orders were drawn: it may take a few
        if len(orders) == 2:
            break
        hall.open(f"Blitz {n}", rounds=1, players=4)
        hall.play(1, "1-0", "1-0")
        lots = {"do": "draw-lots", "players": [1, 4]}
        drawn = hall.send(lots, idempotency_key="lots")
        [fact] = drawn.json()["facts"]
        assert hall.send(lots, idempotency_key="lots").json()["facts"] == [fact]
        assert fact["fact"]["method"] == "lots"
        orders.add(tuple(fact["fact"]["players"]))
    assert orders == {(1, 4), (4, 1)}

    hall.open("By hand", rounds=1, players=4)
    hall.play(1, "1-0", "1-0")
    by_hand = {"do": "draw-lots", "players": [4, 1], "by_hand": True}
    [fact] = hall.send(by_hand, why="drawn before witnesses").json()["facts"]
    assert (fact["fact"]["players"], fact["fact"]["method"]) == ([4, 1], "hand")


def test_a_key_with_another_content_is_refused(hall: Hall) -> None:
    hall.open()
    hall.pair(1)
    hall.publish(1)
    hall.send(RESULT, idempotency_key="mine")

    other = hall.send(RESULT | {"outcome": "0-1"}, idempotency_key="mine")
    assert other.status_code == 422
    assert other.json()["type"] == "/problems/id-taken"


def test_a_key_belongs_to_whoever_used_it(hall: Hall) -> None:
    hall.open()
    hall.pair(1)
    hall.publish(1)
    hall.send(RESULT, role="deputy", idempotency_key="same")

    other = hall.send(RESULT | {"outcome": "0-1"}, idempotency_key="same")
    assert other.status_code == 409, "a result is there already, and this is another request"
    assert other.json()["by"] == "Dina Deputy"


@pytest.mark.parametrize(
    "verb",
    [
        {"do": "pair-round", "round": 1},
        {"do": "unpair-round", "round": 1},
        {"do": "publish-round", "round": 1},
        {"do": "begin-manual-pairing", "round": 1},
        {"do": "end-manual-pairing", "round": 1},
        {"do": "close-tournament"},
        {"do": "correct-result", "round": 1, "board": 1, "outcome": "0-1"},
        {"do": "correct-colours", "round": 1, "board": 1},
        {"do": "correct-boards", "round": 1, "boards": []},
    ],
    ids=lambda verb: verb["do"],
)
def test_what_means_a_certain_state_names_its_version(hall: Hall, verb: dict[str, object]) -> None:
    hall.open()

    missing = hall.send(verb, if_match="")
    assert hall.send(verb, if_match="*").json()["type"] == "/problems/version-missing"
    assert missing.status_code == 428
    stale = hall.send(verb, if_match='"1"')
    assert stale.status_code == 412
    assert stale.json()["version"] == hall.version()


def test_any_version_will_do_for_a_result(hall: Hall) -> None:
    hall.open()
    hall.play(1)

    result = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}
    assert hall.send(result, if_match="*").status_code == 201


def test_a_program_of_another_site_may_read_the_validator(hall: Hall) -> None:
    answer = hall.call("GET", f"/tournaments/{hall.open()}")

    assert answer.headers["access-control-allow-origin"] == "*"
    assert "ETag" in answer.headers["access-control-expose-headers"].split(", ")


def test_a_result_sent_again_under_another_key_is_said_to_stand_already(hall: Hall) -> None:
    hall.open()
    hall.play(1)
    result = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}
    first, again = hall.send(result), hall.send(result)

    assert (first.status_code, first.json()["already"]) == (201, [])
    assert (again.status_code, again.json()["facts"]) == (200, [])
    assert [(one["round"], one["board"]) for one in again.json()["already"]] == [(1, 1)]


def test_who_met_is_put_on_record_over_http(hall: Hall) -> None:
    """Round 1 of six: 1-4, 5-2, 3-6."""
    hall.open()
    hall.play(1, "1-0", "½-½", "0-1")
    hall.pair(2)
    hall.publish(2)
    met = [
        {"board": 1, "white": 1, "black": 2, "outcome": "1-0"},
        {"board": 2, "white": 5, "black": 4, "outcome": "0-1"},
    ]
    verb = {"do": "correct-boards", "round": 1, "boards": met}
    before = hall.version()

    asked = hall.send(verb, why="sat at each other's boards")
    odd = hall.send({**verb, "boards": met[:1]}, why="x")
    unknown = hall.send({**verb, "boards": [{**met[0], "result": "1-0"}]}, why="x")
    done = hall.send(verb, why="sat at each other's boards", ack=["boards-as-played", "correction"])

    assert asked.status_code == 409, asked.json()
    assert [one["code"] for one in asked.json()["warnings"]] == ["boards-as-played", "correction"]
    assert (odd.status_code, unknown.status_code) == (422, 422)
    assert done.status_code == 201, done.json()
    assert done.json()["version"] == before + 1
    assert done.json()["facts"][0]["fact"]["boards"][0]["outcome"] == ["1", "0"]


def test_the_validator_of_a_read_is_the_version_to_decide_on(hall: Hall) -> None:
    id = hall.open()
    read = hall.call("GET", f"/tournaments/{id}", "arbiter")

    assert hall.send({"do": "pair-round", "round": 1}, if_match=read.headers["etag"]).status_code == 201


def test_warnings_are_accepted_by_their_codes(hall: Hall) -> None:
    hall.open(players=2, rounds=3)

    refused = hall.send({"do": "pair-round", "round": 1})
    assert refused.status_code == 409
    assert [one["code"] for one in refused.json()["warnings"]] == ["too-many-rounds"]
    assert hall.send({"do": "pair-round", "round": 1}, ack=["too-many-rounds"]).status_code == 201


def test_fide_mode_is_left_by_whoever_read_the_warning(hall: Hall) -> None:
    hall.open(players=4)

    leave = {"do": "leave-fide-mode"}
    warned = hall.send(leave, why="blitz among friends")
    codes = [warning["code"] for warning in warned.json()["warnings"]]
    assert hall.send(leave, why="blitz among friends", ack=["leave-fide-mode"]).status_code == 409
    assert hall.send(leave, why="blitz among friends", ack=codes).status_code == 201


def test_a_preview_of_what_is_refused_is_refused_alike(hall: Hall) -> None:
    id = hall.open()
    hall.play(1, "1-0")

    body = {"commands": [{"do": "correct-result", "round": 1, "board": 1, "outcome": "0-1"}]}
    answer = hall.call("POST", f"/tournaments/{id}/previews", "arbiter", body)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/reason-missing")


def test_an_explanation_that_takes_too_long_is_told_from_one_that_breaks() -> None:
    reviewer = Reviewer(1.0)
    with pytest.raises(TooLong, match="more than 1 seconds"):
        reviewer.run(time.sleep, 30)
    reviewer.seconds = 30.0
    with pytest.raises(RuntimeError, match="ended by itself"):
        reviewer.run(os._exit, 1)

    assert reviewer.run(max, 1, 2) == 2, "the next one is made by a new process"
    reviewer.close()


@pytest.mark.slow
def test_a_question_of_the_public_keeps_no_arbiter_waiting(hall: Hall) -> None:
    id = hall.open()
    hall.play(1)
    public = threading.Thread(target=hall.site.reviewer.run, args=(time.sleep, 3))
    public.start()
    time.sleep(0.1)

    busy = hall.call("GET", f"/tournaments/{id}/rounds/1/explanation")
    body = {"commands": [{"do": "withdraw-player", "player": 1}]}
    preview = hall.call("POST", f"/tournaments/{id}/previews", "arbiter", body)
    public.join()
    assert (busy.status_code, preview.status_code) == (429, 200)
    assert hall.call("GET", f"/tournaments/{id}/rounds/1/explanation").status_code == 200


def test_a_manual_pairing_from_beginning_to_end(hall: Hall) -> None:
    hall.open(players=4)
    assert hall.send({"do": "begin-manual-pairing", "round": 1}).status_code == 201
    boards = {"do": "end-manual-pairing", "round": 1, "boards": [[1, 2], [3, 4]]}

    warned = hall.send(boards, why="teams arrive together")
    assert warned.status_code == 409
    done = hall.send(boards, why="teams arrive together", ack=["manual-pairing"])
    assert done.status_code == 201, done.text
    facts = [fact["fact"] for fact in done.json()["facts"]]
    [altered] = [fact for fact in facts if fact["type"] == "pairings-altered"]
    assert altered["engine_boards"], "the engine's boards stand beside them"


def test_what_the_server_computes_stands_alone(hall: Hall) -> None:
    hall.open()

    both = hall.send({"do": "pair-round", "round": 1}, {"do": "publish-round", "round": 1})
    assert both.status_code == 422
    assert both.json()["path"] == "commands"


def test_all_commands_of_a_request_or_none(hall: Hall) -> None:
    hall.open()
    hall.pair(1)
    hall.publish(1)
    version = hall.version()

    refused = hall.send(RESULT, RESULT | {"board": 99})
    assert refused.status_code == 404
    assert hall.version() == version


def test_opening_a_tournament_twice_with_one_key_opens_one(any_hall: Hall) -> None:
    body = {"regulations": {"name": "Łódź Open", "rounds": 5}}

    first = any_hall.call("POST", "/tournaments", "officer", body, idempotency_key="new")
    again = any_hall.call("POST", "/tournaments", "officer", body, idempotency_key="new")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.headers["location"] == again.headers["location"]
    assert first.json()["regulations"]["name"] == "Łódź Open"
    assert len(any_hall.as_().tournaments().tournaments) == 1
    other = any_hall.call("POST", "/tournaments", "officer", body, idempotency_key="new2")
    assert [one["code"] for one in other.json()["warnings"]] == ["same-name"]


def test_undo_over_http_takes_back_ones_own_command_and_names_somebody_elses(any_hall: Hall) -> None:
    any_hall.open()
    any_hall.pair(1)
    any_hall.publish(1)
    any_hall.send(RESULT, role="deputy")
    any_hall.keys["second"] = any_hall.key_for("arbiter", "Anna Arbiter")

    told = any_hall.send({"do": "undo"})
    assert told.status_code == 409
    assert [one["code"] for one in told.json()["warnings"]] == ["not-yours"]
    assert "Dina Deputy" in told.json()["detail"]
    assert any_hall.send({"do": "undo"}, role="deputy").status_code == 403, "deputies take back on the phone"
    assert any_hall.send({"do": "undo"}, ack=["not-yours"]).status_code == 201

    any_hall.send(RESULT)
    assert any_hall.send({"do": "undo"}, role="second").status_code == 409, "another arbiter of the same name"
    first = any_hall.send({"do": "undo"}, idempotency_key="back")
    again = any_hall.send({"do": "undo"}, idempotency_key="back")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["facts"] == again.json()["facts"]


def test_ratings_that_do_not_count_are_told_over_http_and_other_lists_apply_themselves(hall: Hall) -> None:
    hall.open(players=2)
    entry = {"do": "register-player", "details": {"name": "Zabel", "national_rating": 2400}}
    answer = hall.send(entry).json()
    [remark] = answer["remarks"]
    assert remark["message"]["code"] == "ratings-not-used"
    assert remark["message"]["fields"]["count"] == 1
    assert answer["advice"] == [remark["text"]]
    refused = hall.send({"do": "pair-round", "round": 1}, ack=["too-many-rounds"])
    assert [one["code"] for one in refused.json()["warnings"]] == ["ratings-not-used"]

    done = hall.send({"do": "change-regulations", "changes": {"rating_lists": ["standard", "national"]}})
    kinds = [one["fact"]["type"] for one in done.json()["facts"]]
    assert kinds == ["tournament-details-changed", "player-details-corrected"]
    assert done.json()["advice"] == []
    assert hall.as_().players(hall.tournament).players[0].name == "Zabel"


def test_an_entry_is_removed_over_http(hall: Hall) -> None:
    hall.open(players=4)
    assert hall.send({"do": "remove-player", "player": 4}).status_code == 201
    assert len(hall.as_().players(hall.tournament).players) == 3
    gone = hall.call("GET", f"/tournaments/{hall.tournament}/players/4")
    assert gone.status_code == 404
    merged = hall.send({"do": "merge-players", "player": 3, "into": 2}, ack=["not-alike"])
    assert merged.status_code == 201
    assert len(hall.as_().players(hall.tournament).players) == 2


def test_a_number_without_a_fraction_is_an_integer_and_is_recorded_as_one(hall: Hall) -> None:
    hall.open(players=4)
    hall.play(1)
    for odd in (1.5, 1e300, 10**30, True, "1"):
        refused = hall.send({"do": "record-result", "round": odd, "board": 1, "outcome": "1-0"})
        assert refused.status_code == 422, refused.text
        assert refused.json()["path"] == "commands[0].round", refused.text
    done = hall.send({"do": "record-result", "round": 1.0, "board": 1.0, "outcome": "1-0"})
    assert done.status_code == 201, done.text
    assert b'"round":1,"board":1,' in done.content, "JSON Schema takes 1.0 for an integer, the log has 1"
