"""Players at the desk: the list, the page of one, and players from a file."""

import re
from typing import Any, Final

from msgspec.structs import replace

from paircard.domain.commands import CorrectPlayer, RegisterPlayer
from paircard.domain.deciding.decision import player_of
from paircard.domain.errors import PaircardError
from paircard.domain.state import participants
from paircard.domain.values.players import Changes, Details, shown_id
from paircard.service import Done
from paircard.service.sheets.players import Registration, players_of, sheet_text
from paircard.service.sheets.table import read_table
from paircard.web.calls import UPLOAD, Answer, Call, player_called, player_in_path
from paircard.web.pages.forms import AtDesk, Desk, Form, Given
from paircard.web.pages.page import EVENT, fresh
from paircard.web.problems import MalformedBody, in_words_of_pages, status_of
from paircard.web.site import Site

PAGES: Final = Desk()
DATA: Final = ("name", "title", "rating", "federation", "fide_id", "birth", "sex", "club")
"""A player's data that a form has."""


def data_of(fields: Given) -> dict[str, Any]:
    """A player's data as a form has it; titles and federations in capitals, a number left empty is 0."""
    made: dict[str, Any] = {name: fields[name].strip() for name in DATA}
    made |= {name: made[name].upper() for name in ("title", "federation")}
    return made | {name: fields.number(name, most=12) if made[name] else 0 for name in ("rating", "fide_id")}


@PAGES.page("/players")
def people_page(desk: AtDesk) -> str:
    """Everybody, and a form for a new player."""
    view, late = desk.moment.players(), desk.moment.state.paired > 0
    return desk.page("desk_players.html", view=view, fields=DATA, late=late)


@PAGES.form("/players", people_page, done="/players")
def register(form: Form) -> Done:
    """Register a player."""
    return form.order(RegisterPlayer(details=Details(**data_of(form.fields))))


@PAGES.page("/players/{player}")
def person_page(desk: AtDesk) -> str:
    """One player: data to correct, byes to grant and revoke, players not to meet, withdrawal."""
    moment, player = desk.moment, player_called(desk.given["player"])
    details = player_of(moment.state, player).details
    played = moment.state.paired
    everybody = moment.players().players
    bans = [set(ban.players) for ban in moment.state.prohibitions if ban.last > played]
    return desk.page(
        "desk_player.html",
        player=next(one for one in everybody if one.id == player),
        others=[one for one in everybody if one.id != player],
        kept=[one for one in everybody if {one.id, player} in bans],
        fields=DATA,
        given={name: getattr(details, name) or "" for name in DATA},
        coming=range(played + 1, moment.regulations.rounds + 1),
        paired=played,
        never_paired=player not in participants(moment.state),
    )


def after_change(form: Form) -> str:
    """The page of the player, or everybody where the entry is gone and has no page any more."""
    gone = form.fields["do"] in ("remove", "merge")
    return form.desk("/players" if gone else f"/players/{shown_id(player_in_path(form.call))}")


@PAGES.form("/players/{player}", person_page, done=after_change)
def change(form: Form) -> Done:
    """Correct a player's data, withdraw or bring back, grant or revoke a bye, keep apart from another."""
    id, fields = player_in_path(form.call), form.fields
    match fields["do"]:
        case "correct":
            known = player_of(form.tournament.now().state, id).details
            given = data_of(fields)
            wanted = {name: value for name, value in given.items() if value != getattr(known, name)}
            return form.order(CorrectPlayer(player=id, changes=Changes(**wanted)))
        case "withdraw" | "remove" | "return" as deed:
            return form.do(f"{deed}-player", player=id)
        case "merge":
            return form.do("merge-players", player=id, into=fields.number("other"))
        case "apart" | "together" as deed:
            verb = "prohibit-pairing" if deed == "apart" else "lift-prohibition"
            return form.do(verb, players=(id, fields.number("other")))
        case "revoke":
            return form.do("revoke-bye", player=id, round=fields.number("round"))
        case _:
            return form.do("grant-bye", player=id, round=fields.number("round"), letter=fields["letter"])


def parts_of(content_type: str, body: bytes) -> dict[str, bytes]:
    """The fields of a form by name, as bytes; of one that is there twice the last counts."""
    found = re.search(r'boundary="?([^";,\s]{1,70})"?', content_type)
    if found is None:
        raise MalformedBody("page.form-without-boundary")
    mark = b"\r\n--" + found[1].encode("latin-1")
    _, *parts = (b"\r\n" + body).split(mark)
    if not parts or not parts.pop().startswith(b"--"):
        raise MalformedBody("page.form-without-end")
    fields: dict[str, bytes] = {}
    for part in parts:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'\bname="([^"]*)"', head)
        if name is not None:
            fields[name[1].decode("utf-8", "replace")] = content
    return fields


@PAGES.page("/import")
def players_file_page(desk: AtDesk, plan: Registration | None = None) -> str:
    """A file or pasted lines; then what they would change, and the button."""
    changes = [*(details for _, details in plan.new), *(one.says for one in plan.updated)] if plan else []
    return desk.page(
        "desk_import.html",
        plan=plan,
        sheet=sheet_text(changes),
        level=max((one.level for one in plan.warnings), default=0) if plan else 0,
        late=desk.moment.state.paired > 0,
        text=desk.given["text"],
    )


@PAGES.post(EVENT + "/desk/import", writes=False, media=UPLOAD)
def look_at_file(site: Site, call: Call) -> Answer:
    """What a file would change; nothing is recorded."""
    parts = parts_of(call.header("content-type"), call.body)
    data = parts.get("file") or parts.get("text", b"")
    desk = PAGES.at(site, call, Given(text=parts.get("text", b"").decode("utf-8", "replace")))
    plan = None
    try:
        if data.strip():
            planned = site.tournament(call.tournament).plan_import
            plan = planned(players_of(read_table(data)), by=desk.somebody())
    except PaircardError as refusal:
        page = players_file_page(replace(desk, refusal=in_words_of_pages(refusal)))
        return fresh(page, status_of(type(refusal)))
    return fresh(players_file_page(desk, plan))


@PAGES.form("/import/record", players_file_page, done="/players", back="/import")
def record_file(form: Form) -> Done:
    """Register and update the players that were looked at, all of them or none."""
    sheet = players_of(read_table(form.fields["sheet"].encode(), "utf-8"))
    return form.tournament.import_players(sheet, by=form.sender())
