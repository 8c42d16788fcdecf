"""Letting others in: grants with a link and a code to scan, and signing out."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import segno
from markupsafe import Markup

from paircard.domain.errors import PaircardError
from paircard.service.print.rendering import Said
from paircard.web.calls import Answer, Call
from paircard.web.guards import host_name
from paircard.web.messages import Granted, NewGrant
from paircard.web.pages.forms import AtDesk, Given, address, see_done
from paircard.web.pages.page import EVENT, Pages, frame_of, fresh, see_other, stamp
from paircard.web.problems import UnreadableBody, in_words_of_pages, status_of
from paircard.web.roles import need_arbiter
from paircard.web.routes.access import let_in, sign_out, take_back
from paircard.web.settings import LOCAL
from paircard.web.site import Site

PAGES: Final = Pages()
NewLink: TypeAlias = tuple[Granted, str, str]
"""A card for a new deputy: the grant, its end, and the link."""
MOST_CARDS: Final = 50
"""Deputies let in at once."""
NOTHING_TYPED: Final = Given()


def shown(
    site: Site,
    call: Call,
    *,
    new: Sequence[NewLink] = (),
    given: Given = NOTHING_TYPED,
    refusal: Said | None = None,
) -> str:
    """The grants of the tournament; new links are on the page once, as cards to be printed.

    ``given`` is what was typed and refused.
    ``here_only`` says that the links lead to this machine alone, so that no phone can follow them.
    """
    id = call.tournament
    arbiter = need_arbiter(call.login, id, "grants")
    book, now = site.access.book(), site.now()
    desk = AtDesk(site.tournament(id).now(), frame_of(site, call), arbiter.who, given=given, refusal=refusal)
    return desk.page(
        "desk_grants.html",
        lines=[
            (one, stamp(one.until), len(book.given_by(one.id, now)), one.id == arbiter.grant.id)
            for one in book.grants_of(id, now)
        ],
        new=new,
        code_of=code_of,
        here_only=any(host_name(urlsplit(link).netloc) in LOCAL for _, _, link in new),
    )


def code_of(link: str) -> Markup:
    """The link as a code to scan."""
    drawn = segno.make(link, error="m").svg_inline(border=4, omitsize=True, svgclass="qr", lineclass=None)
    return Markup(drawn)


@PAGES.get(EVENT + "/desk/grants")
def grants(site: Site, call: Call) -> Answer:
    """Who may come in."""
    return fresh(shown(site, call))


@PAGES.post(EVENT + "/desk/grants")
def add(site: Site, call: Call) -> Answer:
    """Let deputies in, one for each line; the same request as the API's. They share the boards.

    Where one of them is refused, the form keeps those who are still to come, with their boards.
    """
    need_arbiter(call.login, call.tournament, "letting-in")
    fields = Given(call.form())
    names = [name.strip() for name in fields["who"].splitlines() if name.strip()] or [""]
    new: list[NewLink] = []
    try:
        if len(names) > MOST_CARDS:
            raise UnreadableBody("page.too-many-names", entered=len(names), most=MOST_CARDS)
        boards = (0, 0)
        if fields["first"].strip() or fields["last"].strip():
            boards = (fields.number("first", most=5), fields.number("last", most=5))
        parts = zip(names, shares(boards, len(names)), strict=True)
        for at, (who, part) in enumerate(parts):
            fields["who"], fields["first"] = "\n".join(names[at:]), str(part[0] or "")
            made = let_in(site, call, NewGrant(who=who, boards=part))
            new.append((made.grant, stamp(made.grant.until), reachable(made.link, site.settings.hosts)))
    except PaircardError as refusal:
        said = in_words_of_pages(refusal)
        return fresh(shown(site, call, new=new, given=fields, refusal=said), status_of(type(refusal)))
    return fresh(shown(site, call, new=new), 201)


def shares(boards: tuple[int, int], among: int) -> list[tuple[int, int]]:
    """Boards divided among deputies in equal parts; everybody gets all of them if there are too few."""
    first, last = boards
    count = last - first + 1
    if not last or count < among:
        return [boards] * among
    edges = [first + count * at // among for at in range(among + 1)]
    return [(start, end - 1) for start, end in pairwise(edges)]


def reachable(link: str, hosts: frozenset[str]) -> str:
    """The link for a phone: an arbiter at the machine itself calls it by a name that leads nowhere else."""
    parts = urlsplit(link)
    outside = sorted(host for host in hosts - LOCAL if host.replace(".", "").isdigit() and host[:4] != "127.")
    if not outside or host_name(parts.netloc) not in LOCAL:
        return link
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{outside[0]}{port}").geturl()


@PAGES.post(EVENT + "/desk/grants/{grant}")
def revoke(site: Site, call: Call) -> Answer:
    """Take a grant back, with those that came from it where that was pressed."""
    take_back(site, call, with_given=call.form().get("given") == "1")
    return see_done(address(call, "/grants"), str(call.path["grant"]))


@PAGES.post("/sign-out")
def leave(site: Site, call: Call) -> Answer:
    """Sign out in this browser."""
    ended = sign_out(site, call)
    headers = {name: value for name, value in ended.headers.items() if name == "set-cookie"}
    return see_other("/?signed-out", **headers)
