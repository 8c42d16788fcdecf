"""Letting others in: sessions, grants and keys. A secret is in one answer, once."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from paircard.domain.errors import Duplicate, Unknown
from paircard.domain.values.text import checked_text
from paircard.web import book as books
from paircard.web.book import Book, Credential, Entry, Grant, Login
from paircard.web.calls import Answer, Call, as_json
from paircard.web.endpoints import FLAG, ONE, Endpoints, Parameter
from paircard.web.messages import GrantView, KeyView, Me, NewGrant, NewKey, NewSecret, SignIn
from paircard.web.problems import NotSignedIn, UnreadableBody
from paircard.web.roles import (
    need,
    need_granter,
    need_place,
    refused,
    sees_all,
    session_cookie,
    session_secret,
    verbs_of,
)
from paircard.web.settings import SESSION_SECONDS
from paircard.web.site import Site

DEPUTY_HOURS: Final = 12
"""How long a deputy may come in, and how long a link for others waits to be used."""
GIVEN: Final = Parameter(
    "given", "Also take back the grants that came from this one, directly or through others.", FLAG
)
WHOSE: Final = {"/grants": "of the whole store", f"{ONE}/grants": "of a tournament"}
"""Where grants are, and which they are."""
ENDPOINTS: Final = Endpoints()


def grant_view(grant: Grant, given: int = 0) -> GrantView:
    """What may be shown of a grant, and how many came from it."""
    return GrantView(**asdict(grant), given=given)


def me(login: Login) -> Me:
    """A login as its owner sees it."""
    until = login.credential.until or login.grant.until
    about = {"verbs": verbs_of(login), "session": login.credential.id, "until": until}
    return msgspec.convert({**asdict(login.grant), **about}, Me)


@ENDPOINTS.add("POST", "/sessions", Me, takes=SignIn, status=201)
def sign_in(site: Site, call: Call) -> Answer:
    """Sign in with a link, or with account and password; the session is a cookie."""
    asked = call.read(SignIn)
    if bool(asked.link) == bool(asked.account):
        raise UnreadableBody("http.nothing-to-sign-in-with")
    login, secret = by_password(site, call, asked) if asked.account else by_link(site, call, asked.link)
    return as_json(me(login), 201, {"set-cookie": session_cookie(call, secret)})


def by_link(site: Site, call: Call, link: str) -> tuple[Login, str]:
    """A session from a link; one that is valid is never kept waiting by those that are not."""
    key = f"link from {call.network}"
    if site.access.book().login(link, "link", site.now()) is None:
        site.sign_ins.take(key)

    def prove(book: Book) -> tuple[Grant, str, list[Entry]]:
        found = book.login(link, "link", site.now())
        if found is None:
            raise NotSignedIn("http.link-not-valid")
        used: list[Entry] = [books.Used(id=found.credential.id)] if found.credential.once else []
        return found.grant, found.credential.id, used

    return new_session(site, call, prove)


def by_password(site: Site, call: Call, asked: SignIn) -> tuple[Login, str]:
    """A session from account and password; a weakly stored password is stored better."""
    key = f"{asked.account} from {call.network}"
    site.sign_ins.need(key)
    now = site.now()
    with site.passwords.one(call.network):
        book = site.access.book()
        grant = book.check_password(asked.account, asked.password, now)
        if grant is None:
            site.sign_ins.count(key)
            raise NotSignedIn("http.password-wrong")
        known = book.passwords[asked.account]
        better = [books.new_password(asked.account, grant, asked.password)] if known.cost < books.COST else []

    def prove(book: Book) -> tuple[Grant, str, list[Entry]]:
        if book.passwords.get(asked.account) != known or book.live_grant(grant.id, now) is None:
            raise NotSignedIn("http.password-wrong")  # it was changed in this very moment
        return grant, f"password:{asked.account}", [*better]

    return new_session(site, call, prove)


def new_session(
    site: Site, call: Call, prove: Callable[[Book], tuple[Grant, str, list[Entry]]]
) -> tuple[Login, str]:
    """A session for a grant that is proved, and its secret; a link that works once is used up by it."""
    made: list[tuple[Login, str]] = []

    def decide(book: Book) -> Sequence[Entry]:
        grant, came_by, further = prove(book)
        site.commands.take(grant.id)
        until = within(grant, site.now() + SESSION_SECONDS)
        credential, secret = books.new_credential(grant, "session", until=until, came_by=came_by)
        login = Login(grant, credential)
        need_place(call, login)
        made.append((login, secret))
        return [*further, credential]

    site.access.write(decide)
    return made[-1]


def within(grant: Grant, until: int) -> int:
    """An end, 0 for none, but no later than that of the grant."""
    return min(until or grant.until, grant.until) if grant.until else until


@ENDPOINTS.add("GET", "/sessions/current", Me, who="signed-in")
def who_am_i(site: Site, call: Call) -> Answer:
    """Who is signed in, and what they may do."""
    return as_json(me(need(call.login, "me")))


@ENDPOINTS.add("DELETE", "/sessions/current", who="signed-in", status=204)
def sign_out(site: Site, call: Call) -> Answer:
    """Sign out.

    Ends the session of this browser, or takes back the key of this program.
    """
    login = need(call.login, "signing-out")
    site.access.write(lambda _: [books.Revoked(id=login.credential.id, by=login.who)])
    ended = {"set-cookie": session_cookie(call, "")} if session_secret(call) else {}
    return Answer(status=204, headers={"cache-control": "no-store", **ended})


def grants(site: Site, call: Call) -> Answer:
    """The grants of a tournament, or of the whole store."""
    id = place(call)
    login = need(call.login, "grants")
    if not sees_all(login, id):
        raise refused(login, "http.grants-not-for-deputies")
    if id:
        site.tournament(id)
    book, now = site.access.book(), site.now()
    found = book.grants_of(id or None, now)
    return as_json([grant_view(grant, len(book.given_by(grant.id, now))) for grant in found])


def place(call: Call) -> str:
    """The tournament in the address; empty for the whole store."""
    return call.tournament if "tournament" in call.path else ""


def add_grant(site: Site, call: Call) -> Answer:
    """Let somebody in; the link or key is in the answer, once."""
    return as_json(let_in(site, call, call.read(NewGrant)), 201)


def let_in(site: Site, call: Call, asked: NewGrant) -> NewSecret:
    """A new grant, and what proves it."""
    id = place(call)
    login = need_granter(call.login, id, asked.role)
    if id:
        site.tournament(id)
    checked_text("name", asked.who, required=True, limit=100)
    if asked.role == "deputy" and not id:
        raise UnreadableBody("http.deputy-of-none").at("role")
    first, last = asked.boards
    if first > last:
        raise UnreadableBody("http.boards-backwards", first=first, last=last).at("boards")
    now = site.now()
    hours = asked.hours or (DEPUTY_HOURS if asked.role == "deputy" else 0)
    until = within(login.grant, now + hours * 3600 if hours else 0)
    given = {"tournament": id, "rounds": asked.rounds, "boards": asked.boards, "until": until}
    grant = books.new_grant(asked.role, asked.who, **given, by=login.who, giver=login.grant.id)
    credential, secret = None, ""
    entries: list[Entry] = [grant]
    if asked.come_by == "password":
        entries.append(account(asked, grant))
    else:
        kind: Any = asked.come_by
        once = kind == "link" and asked.role != "deputy"
        end = min(until or now + DEPUTY_HOURS * 3600, now + DEPUTY_HOURS * 3600) if once else until
        credential, secret = books.new_credential(grant, kind, until=end, once=once)
        entries.append(credential)

    def decide(book: Book) -> Sequence[Entry]:
        known = book.passwords.get(asked.account) if asked.come_by == "password" else None
        if known is not None and book.live_grant(known.grant, now):
            raise Duplicate("http.account-there", name=asked.account)
        return entries

    site.access.write(decide)
    return new_secret(call, grant, credential, secret)


def account(asked: NewGrant, grant: Grant) -> Entry:
    """The account somebody signs in by."""
    checked_text("account", asked.account, required=True, limit=100)
    if len(asked.password) < 10:
        raise UnreadableBody("http.password-short").at("password")
    return books.new_password(asked.account, grant, asked.password)


def new_secret(call: Call, grant: Grant, credential: Credential | None, secret: str) -> NewSecret:
    """What is shown once."""
    kind = credential.kind if credential else ""
    base = f"{call.request.url.scheme}://{call.header('host')}"
    return NewSecret(
        grant=grant_view(grant),
        id=credential.id if credential else "",
        secret=secret if kind == "key" else "",
        link=f"{base}/sign-in#{secret}" if kind == "link" else "",
    )


def revoke_grant(site: Site, call: Call) -> Answer:
    """Take a grant back: its links, keys and sessions no longer count."""
    take_back(site, call, with_given=call.flag("given"))
    return Answer(status=204, headers={"cache-control": "no-store"})


def take_back(site: Site, call: Call, *, with_given: bool) -> None:
    """Take a grant back, on request with all that came from it but one's own and what one gave oneself."""
    id, wanted = place(call), str(call.path["grant"])
    login = need(call.login, "revoking")
    grant = site.access.book().live_grant(wanted, site.now())
    if grant is None or (id and grant.tournament != id):
        need_granter(login, id, "deputy" if id else "arbiter")
        raise Unknown("http.no-such-grant", text=wanted)
    mine = grant.id == login.grant.id
    if not mine:
        need_granter(login, grant.tournament, grant.role)

    def decide(book: Book) -> Sequence[Entry]:
        given = book.given_by(grant.id, site.now(), "" if mine else login.grant.id) if with_given else []
        return [books.Revoked(id=one.id, by=login.who) for one in (grant, *given)]

    site.access.write(decide)


@ENDPOINTS.add("GET", "/keys", tuple[KeyView, ...], who="signed-in")
def keys(site: Site, call: Call) -> Answer:
    """The keys of one's own grant."""
    login = need(call.login, "keys")
    found = site.access.book().credentials_of(login.grant.id, "key", site.now())
    return as_json([KeyView(id=one.id, note=one.note, until=one.until) for one in found])


@ENDPOINTS.add("POST", "/keys", NewSecret, who="signed-in", takes=NewKey, status=201)
def add_key(site: Site, call: Call) -> Answer:
    """Make a key for a program of one's own; it is shown once."""
    login = need(call.login, "new-key")
    asked = call.read(NewKey)
    checked_text("note", asked.note, limit=100)
    until = within(login.grant, site.now() + asked.hours * 3600)
    credential, secret = books.new_credential(login.grant, "key", until=until, note=asked.note)
    site.access.write(lambda _: [credential])
    return as_json(new_secret(call, login.grant, credential, secret), 201)


@ENDPOINTS.add("DELETE", "/keys/{key}", who="signed-in", status=204)
def revoke_key(site: Site, call: Call) -> Answer:
    """Take back a key."""
    login, wanted = need(call.login, "revoking-key"), str(call.path["key"])
    known = {one.id for one in site.access.book().credentials_of(login.grant.id, "key", site.now())}
    if wanted not in known:
        raise Unknown("http.no-such-key", text=wanted)
    site.access.write(lambda _: [books.Revoked(id=wanted, by=login.who)])
    return Answer(status=204, headers={"cache-control": "no-store"})


for path, whose in WHOSE.items():
    letting_in = f"Let somebody in: a grant {whose}, with a link or key that is shown once"
    ENDPOINTS.add("GET", path, tuple[GrantView, ...], who="granter", summary=f"The grants {whose}")(grants)
    more: dict[str, Any] = {"takes": NewGrant, "status": 201, "refusals": (409,)}
    ENDPOINTS.add("POST", path, NewSecret, who="granter", summary=letting_in, **more)(add_grant)
    taking_back, one = f"Take back a grant {whose}", f"{path}/{{grant}}"
    ENDPOINTS.add("DELETE", one, None, GIVEN, who="granter", summary=taking_back, status=204)(revoke_grant)
