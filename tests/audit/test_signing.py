"""Names that rest on a key or on a role of the database, in real stores."""

import json
from pathlib import Path

import msgspec
import pytest

from paircard.domain.log.request import Request
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import seal
from paircard.domain.messages import Message
from paircard.domain.proof.note import parse_key
from paircard.domain.proof.signatures import check_signatures
from tests.audit.byhand import by_hand
from tests.audit.command_line import ok, refuses, say, wrong
from tests.audit.test_who import ANNA, LISTED, THROUGH
from tests.domain.scenes import meta
from tests.domain.test_contract import ONE, entry, opening
from tests.domain.test_database import role
from tests.postgres import USER, Server


def test_a_request_is_signed_again_when_it_was_overtaken(location: str) -> None:
    mine = msgspec.structs.replace(meta(), through=THROUGH, who="anna")
    with Tournaments(location, create=True) as one, Tournaments(location) as other:
        one.ask(ONE, opening())
        other.ask(ONE, entry("Short"))
        answer = one.run(ONE, Request(mine, lambda _: [entry("Nunn"), entry("Hou")], sign=ANNA.sign_bytes))

        assert [fact.version for fact in answer.recorded] == [3, 4]
        assert [bool(fact.signed) for fact in answer.recorded] == [False, True]
        authors, wrong = check_signatures(one.raw_log(ONE), [LISTED])
        assert wrong == []
        assert ("anna", 2, "signed by anna.example") in [(a.who, a.facts, a.how) for a in authors]
        assert one.run(ONE, Request(mine, lambda _: [entry("Nunn"), entry("Hou")])).repeated


def test_an_arbiter_signs_and_the_federation_verifies(location: str, tmp_path: Path) -> None:
    anna, federation = tmp_path / "anna.key", tmp_path / "fed.key"
    line = ok(location, "key", "new", "anna.example", "-o", str(anna)).strip()
    fed = ok(location, "key", "new", "fed.example", "-o", str(federation)).strip()
    ok(location, "new", "Open", "--rounds", "3", "--sign-with", str(anna), "--as", "Anna")
    ok(location, "player", "add", "Ada", "--sign-with", str(anna), "--as", "Anna")
    ok(location, "player", "add", "Ben", "--as", "Bruno")
    keys = tmp_path / "keys.list"
    ok(location, "key", "list", f"{line} 2020-01-01 -", "--key", str(federation), "-o", str(keys))

    said = ok(location, "verify", "--keys", str(keys), "--trust", fed)

    assert "Anna 2 (signed by anna.example)" in said
    bruno = f"role {USER}" if location.startswith("postgresql") else "claimed"
    assert f"Bruno 1 ({bruno})" in said
    bundle = tmp_path / "open.bundle"
    ok(location, "log", "export", str(bundle))
    assert "Anna 2 (signed by anna.example)" in ok(
        location, "verify", "--bundle", str(bundle), "--keys", str(keys), "--trust", fed
    )
    late = tmp_path / "late.list"
    ok(location, "key", "list", f"{line} 2020-01-01 2020-12-31", "--key", str(federation), "-o", str(late))
    told = say(location, "verify", "--keys", str(late), "--trust", fed).out.splitlines()
    when = json.loads(ok(location, "log", "--json"))[0]["when"]
    silent = Message("proof.key-silent-then", {"id": parse_key(line).key_id, "when": when})
    assert wrong(Message("verify.signature", {"version": 1, "what": silent})) in told
    refuses(location, "proof.key-list-not-trusted", "verify", "--keys", str(keys), "--trust", line)


@pytest.fixture
def url(server: Server) -> str:
    """A database with a tournament, entered by the owner of its tables."""
    url = server.fresh()
    ok(url, "init")
    with Tournaments(url) as store:
        store.ask(ONE, opening())
    return url


def test_a_name_on_a_server_rests_on_the_role_that_the_server_recorded(url: str, server: Server) -> None:
    with role(url, server, "desk2") as desk:
        with Tournaments(desk) as store:
            [fact] = store.ask(ONE, entry("Short")).recorded
            assert fact.through == "role:desk2"
            assert store.ask(ONE, entry("Nunn")).recorded[0].through == "role:desk2"
        said = ok(desk, "verify", "-t", ONE)

    assert f"Anna Arbiter 1 (role {USER}), Anna Arbiter 2 (role desk2)" in said


@pytest.mark.parametrize("named", ["chief", USER])
def test_a_role_that_somebody_else_names_is_told(url: str, server: Server, named: str) -> None:
    """A desk writes its facts with a program of its own, and names another role in them."""
    with role(url, server, "desk2") as desk:
        with Tournaments(desk) as store:
            [fact] = store.ask(ONE, entry("Short")).recorded
        forged = msgspec.structs.replace(fact, version=3, command_id="x", through=f"role:{named}")
        row = seal(forged, fact.hash).stored
        columns = "originator_id, originator_version, topic, state"
        insert = f"INSERT INTO {{}}stored_events ({columns}) VALUES (?, ?, ?, ?)"
        by_hand(desk, insert, ONE, row.originator_version, row.topic, row.state)

        said = say(desk, "verify", "-t", ONE)

    assert said.code == 1
    other = Message("proof.role-otherwise", {"id": named, "value": "desk2"})
    assert wrong(Message("verify.signature", {"version": 3, "what": other})) in said.out.splitlines()


@pytest.mark.parametrize(("role", "read"), [("NULL", ""), ("'somebody'", "somebody")])
def test_a_recorded_role_that_was_changed_is_told(url: str, role: str, read: str) -> None:
    by_hand(url, f"UPDATE {{}}stored_events SET recorded_by={role}")

    said = say(url, "verify", "-t", ONE)

    assert said.code == 1
    other = Message("proof.role-otherwise", {"id": USER, "value": read})
    assert wrong(Message("verify.signature", {"version": 1, "what": other})) in said.out.splitlines()


def test_facts_keep_their_roles_where_the_owner_copies_them_in(
    url: str, server: Server, tmp_path: Path
) -> None:
    bundle = str(tmp_path / "open.bundle")
    with role(url, server, "desk2") as desk:
        with Tournaments(desk) as store:
            store.ask(ONE, entry("Short"))
        ok(desk, "log", "export", bundle, "-t", ONE)
    other = server.fresh()
    ok(other, "init")
    file = str(tmp_path / "copy.db")
    for place in (other, file):
        ok(place, "log", "import", bundle)

    assert f"(role desk2, copied in by {USER})" in ok(other, "verify", "-t", ONE)
    assert "(role desk2, not checked)" in ok(file, "verify", "-t", ONE)
    assert "(role desk2, not checked)" in ok(file, "verify", "--bundle", bundle)
