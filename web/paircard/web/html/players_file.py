"""Players from a file: what it would change, then the button."""

from typing import Final

from paircard.domain.errors import PaircardError
from paircard.service.pages.players_file import players_file_page
from paircard.service.people import person as somebody
from paircard.service.sheets.players import players_of
from paircard.service.sheets.table import read_table
from paircard.web.access.roles import need_arbiter
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.public import EVENT
from paircard.web.html.sending import person_of, take
from paircard.web.html.upload import parts_of
from paircard.web.looking import need_id
from paircard.web.pages import Page
from paircard.web.problems import status_of
from paircard.web.site import Site


def page(site: Site, call: Call, data: bytes = b"", refusal: PaircardError | None = None) -> Answer:
    """The form, and what the file would change if there is one."""
    who = need_arbiter(call.login, need_id(call.tournament), "the desk").who
    tournament = site.tournament(call.tournament)
    plan = None
    if data.strip() and refusal is None:
        try:
            plan = tournament.plan_import(players_of(read_table(data)), by=somebody(who))
        except PaircardError as wrong:
            refusal = wrong
    text = players_file_page(
        tournament.now(),
        frame_of(site, call),
        who=who,
        key=new_key(),
        plan=plan,
        refusal=str(refusal) if refusal else "",
    )
    return fresh(text, status_of(type(refusal)) if refusal else 200)


def choose(site: Site, call: Call) -> Answer:
    """The form for a file."""
    return page(site, call)


def look(site: Site, call: Call) -> Answer:
    """What a file would change; nothing is recorded."""
    need_arbiter(call.login, need_id(call.tournament), "the desk")
    parts = parts_of(call.header("content-type"), call.body)
    return page(site, call, parts.get("file") or parts.get("text", b""))


def register(site: Site, call: Call) -> Answer:
    """Register and update the players that were looked at, all of them or none."""
    login = need_arbiter(call.login, need_id(call.tournament), "the desk")

    def work(fields: dict[str, str]) -> None:
        sheet = players_of(read_table(fields.get("sheet", "").encode(), "utf-8"))
        by = person_of(login, fields)
        site.commands.take(login.grant.id)
        site.tournament(call.tournament).import_players(sheet, by=by)

    def refused(fields: dict[str, str], refusal: PaircardError) -> str:
        return page(site, call, refusal=refusal).body.decode()

    desk = f"/tournaments/{call.tournament}/desk"
    return take(
        site, call, work, done=lambda fields: f"{desk}/players", refused=refused, back=f"{desk}/import"
    )


PAGES: Final = (
    Page(address=EVENT + "/desk/import", handler=choose),
    Page(method="POST", address=EVENT + "/desk/import", handler=look, form=True, upload=True),
    Page(method="POST", address=EVENT + "/desk/import/record", handler=register, form=True, writes=True),
)
