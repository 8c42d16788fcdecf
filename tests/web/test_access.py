"""Coming in: links, sessions, keys, passwords; once, for a while, revocable, and from where."""

import sqlite3
import time
from pathlib import Path

import httpx
import msgspec
import pytest

from paircard.domain.messages import say
from paircard.domain.speaking import Speaker
from paircard.web.book import (
    COST,
    Book,
    Grant,
    Password,
    Used,
    digest_of,
    new_credential,
    new_grant,
    new_password,
    open_access,
    scrypted,
)
from paircard.web.messages import NewGrant
from paircard.web.settings import LOCAL, Settings
from tests.web.hall import Hall, hall_at
from tests.web.pages.reading import string, words

OWN = {"sec_fetch_site": "same-origin"}


def session(hall: Hall, link: str, **headers: str) -> str:
    """The cookie of a session made by a link."""
    answer = hall.call("POST", "/sessions", body={"link": link.partition("#")[2]}, **headers)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["set-cookie"]).partition(";")[0]


def test_a_deputy_comes_in_by_a_link_as_often_as_needed(any_hall: Hall) -> None:
    id = any_hall.open()
    any_hall.play(1)
    made = any_hall.as_("arbiter").let_in(NewGrant(who="Dora"), id)

    first, second = session(any_hall, made.link), session(any_hall, made.link)
    assert first != second
    who = any_hall.call("GET", "/sessions/current", cookie=first).json()
    assert (who["who"], who["role"], who["verbs"]) == ("Dora", "deputy", ["record-result"])
    result = {"commands": [{"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}]}
    path = f"/tournaments/{id}/commands"
    done = any_hall.call("POST", path, body=result, cookie=first, idempotency_key="1", **OWN)
    assert done.json()["facts"][0]["who"] == "Dora"


def test_the_link_of_an_arbiter_works_once(any_hall: Hall) -> None:
    made = any_hall.as_("arbiter").let_in(NewGrant(who="Bea", role="arbiter"))

    assert session(any_hall, made.link)
    again = any_hall.call("POST", "/sessions", body={"link": made.link.partition("#")[2]}, **OWN)
    assert again.status_code == 401


def test_signing_out_ends_the_session(hall: Hall) -> None:
    made = hall.as_("arbiter").let_in(NewGrant(who="Bea", role="arbiter"))
    cookie = session(hall, made.link)

    out = hall.call("DELETE", "/sessions/current", cookie=cookie, **OWN)
    assert out.status_code == 204
    assert "Max-Age=0" in out.headers["set-cookie"]
    assert hall.call("GET", "/sessions/current", cookie=cookie).status_code == 401


def test_a_grant_taken_back_ends_everything_that_came_by_it(hall: Hall) -> None:
    id = hall.open()
    made = hall.as_("arbiter").let_in(NewGrant(who="Dora"), id)
    cookie = session(hall, made.link)

    assert hall.call("DELETE", f"/tournaments/{id}/grants/{made.grant.id}", "arbiter").status_code == 204
    assert hall.call("GET", "/sessions/current", cookie=cookie).status_code == 401
    assert made.grant.id not in {grant.id for grant in hall.as_("arbiter").grants(id)}


def test_a_deputy_stays_with_their_rounds_and_boards(hall: Hall) -> None:
    id = hall.open(players=8)
    hall.play(1)
    hall.keys["deputy"] = hall.key_for("deputy", "Dora", tournament=id, rounds=(1,), boards=(1, 2))
    result = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}

    assert hall.send(result, role="deputy").status_code == 201
    for other in ({"board": 3}, {"round": 2}, {"board": 2, "outcome": "1F-0F"}):
        refused = hall.send(result | other, role="deputy")
        assert refused.status_code == 403, other
        assert refused.json()["may"] == ["record-result"]
    assert (
        hall.send(
            {"do": "correct-result", "round": 1, "board": 1, "outcome": "0-1"}, role="deputy"
        ).status_code
        == 403
    )


def test_an_arbiter_of_one_tournament_is_nobody_in_another(hall: Hall) -> None:
    one, other = hall.open("One"), hall.open("Other")
    hall.keys["guest"] = hall.key_for("arbiter", "Gina", tournament=one)

    assert hall.send({"do": "withdraw-player", "player": 1}, role="guest").status_code == 403
    assert hall.call("GET", f"/tournaments/{other}/grants", "guest").status_code == 403
    assert hall.call("GET", f"/tournaments/{one}/grants", "guest").status_code == 200
    assert hall.call("GET", "/grants", "guest").status_code == 403
    assert hall.call("POST", f"/tournaments/{other}/grants", "guest", {"who": "X"}).status_code == 403
    body = {"regulations": {"name": "Third", "rounds": 3}}
    assert hall.call("POST", "/tournaments", "guest", body, idempotency_key="3").status_code == 403


@pytest.mark.parametrize(
    ("giver", "role", "here", "status"),
    [
        ("arbiter", "deputy", True, 201),
        ("arbiter", "arbiter", True, 201),
        ("arbiter", "officer", True, 403),
        ("arbiter", "officer", False, 201),
        ("officer", "arbiter", True, 201),
        ("officer", "arbiter", False, 403),
        ("officer", "officer", False, 403),
        ("officer", "deputy", True, 403),
        ("deputy", "deputy", True, 403),
        ("", "deputy", True, 401),
    ],
)
def test_nobody_gives_more_than_they_may(hall: Hall, giver: str, role: str, here: bool, status: int) -> None:
    id = hall.open()
    path = f"/tournaments/{id}/grants" if here else "/grants"

    assert hall.call("POST", path, giver, {"who": "New", "role": role}).status_code == status


def test_account_and_password(any_hall: Hall) -> None:
    grant = NewGrant(who="Paul", role="arbiter", come_by="password", account="paul", password="long enough 1")
    any_hall.as_("arbiter").let_in(grant)

    right = any_hall.call("POST", "/sessions", body={"account": "paul", "password": "long enough 1"})
    assert right.json()["who"] == "Paul"
    for wrong in ({"account": "paul", "password": "long enough 2"}, {"account": "nobody", "password": "x"}):
        refused = any_hall.call("POST", "/sessions", body=wrong, **OWN)
        assert (refused.status_code, refused.json()["code"]) == (401, "http.password-wrong")
    again = any_hall.call(
        "POST", "/grants", "arbiter",
        {"who": "P", "role": "arbiter", "come_by": "password", "account": "paul", "password": "0123456789"},
    )  # fmt: skip
    assert again.status_code == 409


def test_keys_for_programs(hall: Hall) -> None:
    made = hall.call("POST", "/keys", "arbiter", {"note": "screen"}).json()
    hall.keys["screen"] = made["secret"]

    assert hall.call("GET", "/sessions/current", "screen").json()["who"] == "Anna Arbiter"
    assert [key["note"] for key in hall.call("GET", "/keys", "arbiter").json()] == ["", "screen"]
    assert hall.call("DELETE", f"/keys/{made['id']}", "arbiter").status_code == 204
    gone = hall.call("GET", "/sessions/current", "screen")
    assert (gone.status_code, gone.headers["www-authenticate"]) == (401, 'Bearer realm="paircard"')


def test_a_wrong_key_is_refused_even_where_nobody_needs_one(hall: Hall) -> None:
    assert hall.call("GET", "/tournaments", authorization="Bearer nonsense").status_code == 401
    assert hall.call("GET", "/tournaments", authorization="Basic abc").status_code == 401


def test_a_session_that_is_over_is_nobody(hall: Hall) -> None:
    assert hall.call("GET", "/tournaments", cookie="paircard=gone").status_code == 200
    assert hall.call("GET", "/sessions/current", cookie="paircard=gone").status_code == 401


def test_over_plain_http_only_deputies_come_in_from_other_machines(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "events.db"), client=("192.168.1.20", 40000)) as hall:
        grant = hall.site.access.book().grants_of(None, int(time.time()))[0]
        assert hall.call("GET", "/sessions/current", "arbiter").status_code == 403
        link, secret = new_credential(grant, "link")
        hall.site.access.write(lambda _: [link])
        assert hall.call("POST", "/sessions", body={"link": secret}).status_code == 403
        assert hall.site.access.book().login(secret, "link", int(time.time())), "not used up"
        hall.keys["deputy"] = hall.key_for("deputy", "Dora", tournament="0" * 32)
        assert hall.call("GET", "/sessions/current", "deputy").status_code == 200


@pytest.mark.parametrize("other", ['seen={"a": 1}', "a,b=1", "words=one two", "flag"])
def test_cookies_of_other_programs_at_this_machine_sign_nobody_out(hall: Hall, other: str) -> None:
    """Browsers send them to every port, and what is in them is none of our business."""
    made = hall.as_("arbiter").let_in(NewGrant(who="Dora", role="arbiter"))
    cookie = session(hall, made.link)

    me = hall.call("GET", "/sessions/current", cookie=f"{other}; {cookie}; language=it")
    assert (me.status_code, me.json()["who"]) == (200, "Dora")
    refused = hall.call("GET", "/nowhere", cookie=f"{other}; language=it", accept_language="en")
    nothing = Speaker("it").say(say("http.nothing-there", id="/api/v1/nowhere"))
    assert refused.json()["detail"] == nothing


def test_over_https_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "events.db"), client=("192.168.1.20", 40000)) as hall:
        hall.http.http.base_url = "https://open.example"
        made = hall.call("POST", "/grants", "arbiter", {"who": "Bea", "role": "arbiter"}).json()
        assert made["link"].startswith("https://open.example/sign-in#")
        answer = hall.call("POST", "/sessions", body={"link": made["link"].partition("#")[2]})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-paircard=")
        assert {"Path=/", "HttpOnly", "Secure", "SameSite=Lax"} <= {
            word.strip() for word in cookie.split(";")
        }
        assert answer.headers["strict-transport-security"]


def test_no_secret_is_stored(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "events.db")) as hall:
        made = hall.as_("arbiter").let_in(NewGrant(who="Bea", role="arbiter"))
        secret = made.link.partition("#")[2]
        cookie = session(hall, made.link).partition("=")[2]
        hall.as_("arbiter").let_in(
            NewGrant(who="P", role="arbiter", come_by="password", account="p", password="correct horse")
        )
        keys = list(hall.keys.values())
    path = tmp_path / "events.db-access.db"
    stored = path.read_bytes()
    with sqlite3.connect(path) as db:
        stored += b"".join(entry for (entry,) in db.execute("SELECT entry FROM access"))
    db.close()
    for each in (secret, cookie, *keys, "correct horse"):
        assert each.encode() not in stored
    assert digest_of(secret).encode() in stored
    assert path.stat().st_mode & 0o077 == 0


def test_two_processes_see_the_same_book_and_a_link_works_once(location: str) -> None:
    one, other = open_access(location), open_access(location)
    grant = new_grant("arbiter", "Anna")
    credential, secret = new_credential(grant, "link", once=True)
    one.write(lambda _: [grant, credential])

    assert other.book().login(secret, "link", 0)
    used: list[int] = []

    def use(book: Book) -> list[Grant]:
        used.append(book.login(secret, "link", 0) is not None)
        return []

    one.write(lambda book: [Used(id=credential.id)] if book.login(secret, "link", 0) else [])
    other.write(use)
    assert used == [False]
    one.close()
    other.close()


def test_passwords_are_slow_to_guess_and_expired_grants_do_not_count() -> None:
    grant = new_grant("arbiter", "Anna", until=100)
    book = Book([grant, new_password("anna", grant, "secret words")])

    assert book.check_password("anna", "secret words", 99) == grant
    assert book.check_password("anna", "secret words", 100) is None
    assert book.check_password("anna", "wrong", 99) is None
    assert book.passwords["anna"].cost == COST == 2**17
    began = time.perf_counter()
    book.check_password("nobody", "wrong", 99)
    assert time.perf_counter() - began > 0.005


def test_an_older_password_still_counts_and_is_stored_better_at_the_next_sign_in(any_hall: Hall) -> None:
    grant, _ = any_hall.let_in("arbiter", "Anna")
    salt = "0f" * 16
    stored = f'{{"type":"password-set","account":"anna","grant":"{grant.id}","salt":"{salt}",'
    stored += f'"digest":"{scrypted("secret words", salt, 2**14)}"}}'
    older = msgspec.json.decode(stored.encode(), type=Password)
    any_hall.site.access.write(lambda _: [older])
    asked = {"account": "anna", "password": "secret words"}

    for _ in range(2):
        assert any_hall.call("POST", "/sessions", body=asked).status_code == 201
        known = any_hall.site.access.book().passwords["anna"]
        assert (known.cost, known.grant) == (2**17, grant.id)
    assert any_hall.call("POST", "/sessions", body=asked | {"password": "x"}).status_code == 401


def test_too_many_attempts_to_sign_in(tmp_path: Path) -> None:
    settings = Settings(hosts=LOCAL, sign_ins_per_minute=5)
    with hall_at(str(tmp_path / "events.db"), settings) as hall:
        tries = [hall.call("POST", "/sessions", body={"link": "x"}) for _ in range(6)]
        assert [one.status_code for one in tries] == [401] * 5 + [429]
        assert int(tries[-1].headers["retry-after"]) > 0


def test_a_hall_comes_in_at_once_also_while_a_stranger_tries_links(tmp_path: Path) -> None:
    """Fifty deputies from one address, and somebody among them who was not let in."""
    with hall_at(str(tmp_path / "events.db"), Settings(hosts=LOCAL)) as hall:
        id = hall.open(players=2)
        links = [hall.as_("arbiter").let_in(NewGrant(who=f"Deputy {n}"), id).link for n in range(50)]
        for link in links:
            hall.call("POST", "/sessions", body={"link": "guessed"})
            assert session(hall, link)


def sign_in_from(hall: Hall, client: str, account: str, password: str) -> int:
    """The status of a sign-in from some address."""
    transport = httpx.ASGITransport(hall.http.app, client=(client, 1))

    async def ask() -> int:
        async with httpx.AsyncClient(transport=transport, base_url="https://open.example") as http:
            sent = {"account": account, "password": password}
            return (await http.post("/api/v1/sessions", json=sent)).status_code

    return hall.http.wait(ask())


def test_who_guesses_a_password_locks_nobody_out_but_themselves(tmp_path: Path) -> None:
    settings = Settings(hosts=LOCAL | {"open.example"}, sign_ins_per_minute=2)
    with hall_at(str(tmp_path / "events.db"), settings) as hall:
        for who in ("anna", "bea"):
            grant, _ = hall.let_in("arbiter", who)
            made = new_password(who, grant, "secret words")
            hall.site.access.write(lambda _, made=made: [made])  # type: ignore[misc]

        tried = [sign_in_from(hall, "192.0.2.1", "anna", "guess") for _ in range(3)]
        assert tried == [401, 401, 429]
        assert sign_in_from(hall, "192.0.2.1", "anna", "secret words") == 429, "also with the right one"
        assert sign_in_from(hall, "192.0.2.2", "anna", "secret words") == 201, "the owner, elsewhere"
        assert sign_in_from(hall, "192.0.2.1", "bea", "secret words") == 201, "others in the same hall"
        assert sign_in_from(hall, "2001:db8:1::1", "anna", "guess") == 401
        assert sign_in_from(hall, "2001:db8:1::2", "anna", "guess") == 401
        assert sign_in_from(hall, "2001:db8:1::3", "anna", "guess") == 429, "one network, many addresses"


def test_a_password_is_checked_once_at_a_time_from_one_address(hall: Hall) -> None:
    """It takes a tenth of a second and much memory: nobody can ask for a hundred of them at once."""
    with hall.site.passwords.one("192.0.2.1"):
        assert sign_in_from(hall, "192.0.2.1", "nobody", "x") == 429
        with hall.site.passwords.one("192.0.2.2"):
            assert sign_in_from(hall, "192.0.2.3", "nobody", "x") == 429
        assert sign_in_from(hall, "192.0.2.3", "nobody", "x") in (401, 421)


# Grants as a tree


def let_in_by(hall: Hall, role: str, who: str, as_role: str = "arbiter") -> str:
    """Somebody let in with a key, which is kept under their name; the id of the grant."""
    body = {"who": who, "role": as_role, "come_by": "key"}
    made = hall.call("POST", f"/tournaments/{hall.tournament}/grants", role, body)
    assert made.status_code == 201, made.text
    hall.keys[who] = made.json()["secret"]
    return str(made.json()["grant"]["id"])


def counts_for(hall: Hall, *names: str) -> list[bool]:
    """Whether their keys still count."""
    return [hall.call("GET", "/sessions/current", who).status_code == 200 for who in names]


@pytest.fixture
def tree(any_hall: Hall) -> tuple[Hall, dict[str, str]]:
    """Anna let in A, who let in Shadow, who let in Dora; Anna also let in Bo. Their ids."""
    any_hall.open(players=2)
    ids = {"A": let_in_by(any_hall, "arbiter", "A")}
    ids["Shadow"] = let_in_by(any_hall, "A", "Shadow")
    ids["Dora"] = let_in_by(any_hall, "Shadow", "Dora", "deputy")
    ids["Bo"] = let_in_by(any_hall, "arbiter", "Bo", "deputy")
    return any_hall, ids


def test_a_grant_says_which_grant_it_was_given_by(tree: tuple[Hall, dict[str, str]]) -> None:
    hall, ids = tree
    listed = hall.call("GET", f"/tournaments/{hall.tournament}/grants", "arbiter").json()
    found = {one["who"]: (one["by"], one["giver"], one["given"]) for one in listed}

    assert found["Shadow"] == ("A", ids["A"], 1)
    assert found["Dora"] == ("Shadow", ids["Shadow"], 0)
    assert (found["A"][0], found["A"][2]) == ("Anna Arbiter", 2)


def test_revoking_somebody_can_take_those_along_they_let_in(tree: tuple[Hall, dict[str, str]]) -> None:
    hall, ids = tree
    path = f"/tournaments/{hall.tournament}/grants/{ids['A']}"

    assert hall.call("DELETE", path + "?given=true", "arbiter").status_code == 204
    assert counts_for(hall, "A", "Shadow", "Dora", "Bo", "arbiter") == [False, False, False, True, True]


def test_revoking_alone_leaves_the_others_and_the_branch_is_still_known(
    tree: tuple[Hall, dict[str, str]],
) -> None:
    hall, ids = tree
    path = f"/tournaments/{hall.tournament}/grants/"

    assert hall.call("DELETE", path + ids["Shadow"], "arbiter").status_code == 204
    assert counts_for(hall, "A", "Shadow", "Dora") == [True, False, True]
    assert hall.call("DELETE", path + ids["A"] + "?given=1", "arbiter").status_code == 204
    assert counts_for(hall, "A", "Dora", "Bo") == [False, False, True], "she came from A, through Shadow"


def test_who_takes_back_a_branch_stays_on_it(tree: tuple[Hall, dict[str, str]]) -> None:
    hall, ids = tree
    other = let_in_by(hall, "A", "Eve", "deputy")

    path = f"/tournaments/{hall.tournament}/grants/{ids['A']}?given=true"
    assert hall.call("DELETE", path, "Shadow").status_code == 204
    assert counts_for(hall, "A", "Eve", "Shadow", "Dora") == [False, False, True, True]
    assert other not in {
        one["id"] for one in hall.call("GET", f"/tournaments/{hall.tournament}/grants", "Shadow").json()
    }


def test_the_page_offers_to_take_the_branch_back(tree: tuple[Hall, dict[str, str]]) -> None:
    hall, ids = tree
    desk = f"/tournaments/{hall.tournament}/desk/grants"
    key = {"authorization": f"Bearer {hall.keys['arbiter']}"}

    page = hall.http.request("GET", desk, headers=key).text
    assert string("page.grants.revoke-given", 2) in words(page)
    form = key | {"content-type": "application/x-www-form-urlencoded"}
    hall.http.request("POST", f"{desk}/{ids['A']}", headers=form, content=b"given=1")
    assert counts_for(hall, "A", "Shadow", "Dora", "Bo") == [False, False, False, True]


def test_grants_of_before_there_was_a_tree_count_as_they_did(hall: Hall) -> None:
    older = msgspec.json.decode(
        b'{"type":"granted","id":"0123456789ab","role":"arbiter","who":"Old","by":"Anna Arbiter"}', type=Grant
    )
    credential, secret = new_credential(older, "key")
    hall.site.access.write(lambda _: [older, credential])
    hall.keys["old"] = secret

    assert hall.call("GET", "/sessions/current", "old").json()["who"] == "Old"
    listed = {one["who"]: one for one in hall.call("GET", "/grants", "arbiter").json()}
    assert (listed["Old"]["by"], listed["Old"]["giver"]) == ("Anna Arbiter", "")
