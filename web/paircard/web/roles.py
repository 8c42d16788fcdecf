"""Who calls, and what they may do: one place for every route.

Anybody sees what is published. A deputy enters results of given rounds and boards, an arbiter does everything
in their tournaments and lets others in, an officer reads everything and opens tournaments.

A cookie can be marked Secure only over HTTPS. Over plain HTTP, as in a hall without a certificate, only
deputies come in from other machines; arbiters and officers sit at the machine itself.
"""

import time
from collections.abc import Iterable
from typing import Any, Final, Unpack

from paircard.domain.messages import Fields
from paircard.domain.values.results import Outcome, spell
from paircard.service.requests import VERBS, command_of, name_of
from paircard.web.book import AccessStore, Grant, Kind, Login
from paircard.web.calls import Call
from paircard.web.messages import Role
from paircard.web.problems import NotAllowed, NotSignedIn
from paircard.web.settings import LOCAL, SESSION_SECONDS

SECURE_COOKIE: Final = "__Host-paircard"
PLAIN_COOKIE: Final = "paircard"
DEPUTY_VERBS: Final = frozenset({"record-result"})
ORDINARY: Final = frozenset({Outcome("1", "0"), Outcome("=", "="), Outcome("0", "1")})
"""Results a deputy may enter; forfeits and the like are the arbiter's."""


def verbs_of(login: Login | None) -> tuple[str, ...]:
    """The verbs a login may send."""
    if login is None or login.grant.role == "officer":
        return ()
    return tuple(sorted(DEPUTY_VERBS)) if login.grant.role == "deputy" else tuple(VERBS)


def sees_all(login: Login | None, tournament: str) -> bool:
    """Whether a login sees more of a tournament than the public; without one, more of the whole store."""
    if login is None or login.grant.role == "deputy":
        return False
    return login.grant.role == "officer" or covers(login.grant, tournament)


def covers(grant: Grant, tournament: str) -> bool:
    """Whether a grant is for this tournament."""
    return grant.tournament in ("", tournament)


def is_arbiter(login: Login | None, tournament: str) -> bool:
    """Whether a login is that of an arbiter of the tournament."""
    return login is not None and login.grant.role == "arbiter" and covers(login.grant, tournament)


def need(login: Login | None, door: str) -> Login:
    """The login, which is needed for this."""
    if login is None:
        raise NotSignedIn("http.not-public", door=door)
    return login


def need_reader(login: Login | None, tournament: str, door: str) -> Login:
    """An arbiter of the tournament, or an officer."""
    login = need(login, door)
    if not sees_all(login, tournament):
        raise refused(login, "http.for-readers", door=door)
    return login


def need_arbiter(login: Login | None, tournament: str, door: str) -> Login:
    """An arbiter of the tournament."""
    login = need(login, door)
    if not is_arbiter(login, tournament):
        raise refused(login, "http.for-arbiters", door=door)
    return login


def need_opener(login: Login | None) -> Login:
    """Who may open tournaments: an officer, or an arbiter of the whole store."""
    login = need(login, "opening")
    if not sees_all(login, ""):
        raise refused(login, "http.for-openers")
    return login


def need_verbs(login: Login | None, tournament: str, requests: Iterable[Any]) -> Login:
    """A login that may send these requests to the tournament."""
    login = need(login, "commands")
    grant = login.grant
    if not covers(grant, tournament):
        raise refused(login, "http.role-elsewhere", who=grant.who, role=grant.role)
    for one in requests:
        name = name_of(one)
        if name not in verbs_of(login):
            raise refused(login, "http.verb-not-for-role", code=name, role=grant.role)
        if grant.role == "deputy":
            need_own_board(login, one.round, one.board)
            if (outcome := command_of(one).outcome) not in ORDINARY:
                raise refused(login, "http.result-of-arbiter", value=spell(outcome))
    return login


def need_own_board(login: Login, round: int, board: int) -> None:
    """Refuse a round or a board that the grant is not for."""
    grant = login.grant
    if grant.rounds and round not in grant.rounds:
        raise refused(login, "http.round-of-others", who=grant.who, numbers=grant.rounds, round=round)
    first, last = grant.boards
    if last and not first <= board <= last:
        raise refused(login, "http.board-of-others", who=grant.who, first=first, last=last, board=board)


def need_granter(login: Login | None, tournament: str, role: Role) -> Login:
    """A login that may let others in as this."""
    login = need(login, "letting-in")
    grant = login.grant
    allowed = {
        "arbiter": ("deputy", "arbiter", *(() if tournament else ("officer",))),
        "officer": ("arbiter",) if tournament else (),
        "deputy": (),
    }[grant.role]
    if role not in allowed or not covers(grant, tournament):
        raise refused(login, "http.may-not-let-in", role=grant.role, other_role=role)
    return login


def refused(login: Login, code: str, /, **fields: Unpack[Fields]) -> NotAllowed:
    """The refusal, with what the login may do instead."""
    refusal = NotAllowed(code, **fields)
    refusal.may = verbs_of(login)
    return refusal


# Signing in


def is_secure(call: Call) -> bool:
    """Whether nobody on the way can read along."""
    return bool(call.request.scope["scheme"] == "https")


def cookie_name(call: Call) -> str:
    """The name of our cookie."""
    return SECURE_COOKIE if is_secure(call) else PLAIN_COOKIE


def session_cookie(call: Call, secret: str) -> str:
    """The header that sets the session, or with an empty secret ends it."""
    secure = "; Secure" if is_secure(call) else ""
    age = SESSION_SECONDS if secret else 0
    return f"{cookie_name(call)}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"


def find_login(access: AccessStore, call: Call) -> Login | None:
    """Who calls; a session that is over is nobody, a key that does not count is refused."""
    scheme, _, key = call.header("authorization").partition(" ")
    kind: Kind = "key" if scheme else "session"
    secret = key.strip() if scheme else session_secret(call)
    login = access.book().login(secret, kind, int(time.time())) if scheme or secret else None
    if scheme and (scheme.lower() != "bearer" or login is None):
        raise NotSignedIn("http.key-not-valid")
    if login is not None:
        need_place(call, login)
    return login


def session_secret(call: Call) -> str:
    """The session a browser sends."""
    return call.request.cookies.get(cookie_name(call), "")


def need_place(call: Call, login: Login) -> None:
    """Refuse a login that may not come in from there."""
    is_local = call.client in LOCAL or call.client.startswith("127.") or call.client in ("", "testclient")
    if login.grant.role != "deputy" and not (is_secure(call) or is_local):
        raise NotAllowed("http.not-over-plain-http", role=login.grant.role)
