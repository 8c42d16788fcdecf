"""Pairing by hand: two players change seats or meet, looked at first."""

from typing import Final, get_args

from paircard.domain.errors import PaircardError
from paircard.service import Done
from paircard.service.pages.alter import alter_page
from paircard.service.pages.words import Said
from paircard.service.pairing import Change
from paircard.service.people import person as somebody
from paircard.web.access.roles import need_arbiter
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.fields import number
from paircard.web.html.public import EVENT
from paircard.web.html.sending import person_of, take
from paircard.web.looking import need_id
from paircard.web.pages import Page
from paircard.web.problems import UnreadableBody, in_words_of_pages
from paircard.web.site import Site

FIELDS: Final = ("do", "one", "other", "why")


def change_of(fields: dict[str, str]) -> Change:
    """What the two players shall do."""
    for change in get_args(Change):
        if fields.get("do") == change:
            return change  # type: ignore[no-any-return]
    raise UnreadableBody("page.neither-swap-nor-pair", text=fields.get("do", "")).at("do")


def look(site: Site, call: Call) -> Answer:
    """The boards, and what an alteration would make of them."""
    return fresh(alteration(site, call, {name: call.parameter(name) or "" for name in FIELDS}))


def alteration(site: Site, call: Call, fields: dict[str, str], refusal: Said | None = None) -> str:
    """The page of an alteration with its preview, as far as the fields go."""
    who = need_arbiter(call.login, need_id(call.tournament), "desk").who
    now = site.tournament(call.tournament).now()
    preview = None
    if fields["one"] and fields["other"] and not refusal:
        try:
            one, other = number(fields, "one"), number(fields, "other")
            by = somebody(who).because(fields["why"])
            preview = now.preview_alteration(change_of(fields), one, other, by=by)
        except PaircardError as refused:
            refusal = in_words_of_pages(refused)
    return alter_page(
        now, frame_of(site, call), who=who, key=new_key(), given=fields, preview=preview, refusal=refusal
    )


def alter(site: Site, call: Call) -> Answer:
    """Record the alteration that was looked at; if something happened since, it is refused."""
    login = need_arbiter(call.login, need_id(call.tournament), "desk")

    def work(fields: dict[str, str]) -> Done:
        one, other, change = number(fields, "one"), number(fields, "other"), change_of(fields)
        by = person_of(login, fields)
        site.commands.take(login.grant.id)
        tournament = site.tournament(call.tournament)
        ask = tournament.swap_players if change == "swap" else tournament.pair_players
        return ask(one, other, by=by)

    def page(fields: dict[str, str], refusal: Said) -> str:
        return alteration(site, call, {name: fields.get(name, "") for name in FIELDS}, refusal)

    desk = f"/tournaments/{call.tournament}/desk"
    return take(site, call, work, done=lambda fields: desk, refused=page, back=f"{desk}/alter")


PAGES: Final = (
    Page(address=EVENT + "/desk/alter", handler=look),
    Page(method="POST", address=EVENT + "/desk/alter", handler=alter, form=True, writes=True),
)
