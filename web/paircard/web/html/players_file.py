"""Players from a file: what it would change, then the button."""

from typing import Final

from paircard.domain.errors import PaircardError
from paircard.service import Done
from paircard.service.pages.players_file import players_file_page
from paircard.service.pages.words import Said
from paircard.service.people import person as somebody
from paircard.service.sheets.players import players_of
from paircard.service.sheets.registration import Registration
from paircard.service.sheets.table import read_table
from paircard.web.access.roles import need_arbiter
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.public import EVENT
from paircard.web.html.sending import person_of, take
from paircard.web.html.upload import parts_of
from paircard.web.looking import need_id
from paircard.web.pages import Page
from paircard.web.problems import in_words_of_pages, status_of
from paircard.web.site import Site


def page(
    site: Site, call: Call, plan: Registration | None = None, refusal: Said | None = None, text: str = ""
) -> str:
    """The form, and what the file would change if there is one."""
    who = need_arbiter(call.login, need_id(call.tournament), "desk").who
    now = site.tournament(call.tournament).now()
    return players_file_page(
        now, frame_of(site, call), who=who, key=new_key(), plan=plan, refusal=refusal, text=text
    )


def choose(site: Site, call: Call) -> Answer:
    """The form for a file."""
    return fresh(page(site, call))


def look(site: Site, call: Call) -> Answer:
    """What a file would change; nothing is recorded."""
    who = need_arbiter(call.login, need_id(call.tournament), "desk").who
    parts = parts_of(call.header("content-type"), call.body)
    data = parts.get("file") or parts.get("text", b"")
    text = parts.get("text", b"").decode("utf-8", "replace")
    if not data.strip():
        return choose(site, call)
    try:
        plan = site.tournament(call.tournament).plan_import(players_of(read_table(data)), by=somebody(who))
    except PaircardError as refusal:
        return fresh(
            page(site, call, refusal=in_words_of_pages(refusal), text=text), status_of(type(refusal))
        )
    return fresh(page(site, call, plan, text=text))


def register(site: Site, call: Call) -> Answer:
    """Register and update the players that were looked at, all of them or none."""
    login = need_arbiter(call.login, need_id(call.tournament), "desk")

    def work(fields: dict[str, str]) -> Done:
        sheet = players_of(read_table(fields.get("sheet", "").encode(), "utf-8"))
        by = person_of(login, fields)
        site.commands.take(login.grant.id)
        return site.tournament(call.tournament).import_players(sheet, by=by)

    desk = f"/tournaments/{call.tournament}/desk"
    return take(
        site,
        call,
        work,
        done=lambda fields: f"{desk}/players",
        refused=lambda fields, refusal: page(site, call, refusal=refusal),
        back=f"{desk}/import",
    )


PAGES: Final = (
    Page(address=EVENT + "/desk/import", handler=choose),
    Page(method="POST", address=EVENT + "/desk/import", handler=look, form=True, upload=True),
    Page(method="POST", address=EVENT + "/desk/import/record", handler=register, form=True, writes=True),
)
