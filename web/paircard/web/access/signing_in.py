"""Signing in: a session of a browser, a key of a program, and from where.

A cookie can be marked Secure only over HTTPS. Over plain HTTP, as in a hall without a certificate, only
deputies come in from other machines; arbiters and officers sit at the machine itself.
"""

from http.cookies import CookieError, SimpleCookie
from typing import Final

from paircard.web.access.book import Login
from paircard.web.calls import Call
from paircard.web.problems import NotAllowed, NotSignedIn
from paircard.web.settings import LOCAL, SESSION_SECONDS
from paircard.web.site import Site

SECURE_COOKIE: Final = "__Host-paircard"
PLAIN_COOKIE: Final = "paircard"


def is_secure(call: Call) -> bool:
    """Whether nobody on the way can read along."""
    return bool(call.request.scope["scheme"] == "https")


def cookie_name(call: Call) -> str:
    """The name of our cookie."""
    return SECURE_COOKIE if is_secure(call) else PLAIN_COOKIE


def session_cookie(call: Call, secret: str, seconds: int = SESSION_SECONDS) -> str:
    """The header that sets the session, or with an empty secret ends it."""
    secure = "; Secure" if is_secure(call) else ""
    age = seconds if secret else 0
    return f"{cookie_name(call)}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"


def find_login(site: Site, call: Call) -> Login | None:
    """Who calls; a session that is over is nobody, a key that does not count is refused."""
    authorization = call.header("authorization")
    if authorization:
        scheme, _, secret = authorization.partition(" ")
        login = site.access.book().login(secret.strip(), ("key",), site.now())
        if scheme.lower() != "bearer" or login is None:
            raise NotSignedIn("http.key-not-valid")
        need_place(call, login)
        return login
    secret = session_secret(call)
    if not secret:
        return None
    login = site.access.book().login(secret, ("session",), site.now())
    if login is not None:
        need_place(call, login)
    return login


def session_secret(call: Call) -> str:
    """The session a browser sends."""
    cookie, name = call.header("cookie"), cookie_name(call)
    if name not in cookie:
        return ""
    try:
        found = SimpleCookie(cookie).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def need_place(call: Call, login: Login) -> None:
    """Refuse a login that may not come in from there."""
    is_local = call.client in LOCAL or call.client.startswith("127.") or call.client in ("", "testclient")
    if login.grant.role != "deputy" and not (is_secure(call) or is_local):
        raise NotAllowed("http.not-over-plain-http", role=login.grant.role)
