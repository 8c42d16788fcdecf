"""Players at the desk: the list, the page of one, and players from a file."""

import re
from collections.abc import Mapping
from typing import Any, Final

from paircard.domain.commands import CorrectPlayer, RegisterPlayer
from paircard.domain.deciding.decision import player_of
from paircard.domain.errors import PaircardError
from paircard.domain.state import participants
from paircard.domain.values.players import Changes, Details, shown_id
from paircard.service import Done
from paircard.service.desk import person as somebody
from paircard.service.print.rendering import Said
from paircard.service.sheets.players import Registration, players_of, sheet_text
from paircard.service.sheets.table import read_table
from paircard.web.calls import Answer, Call
from paircard.web.pages.forms import AtDesk, Desk, address, at_desk, number, order, sender, verb
from paircard.web.pages.page import EVENT, fresh
from paircard.web.problems import MalformedBody, in_words_of_pages, status_of
from paircard.web.routes.views import player_in_path
from paircard.web.site import Site

PAGES: Final = Desk()
DATA: Final = ("name", "title", "rating", "federation", "fide_id", "birth", "sex", "club")
"""A player's data that a form has."""


def people_page(desk: AtDesk, refusal: Said | None = None, given: Mapping[str, str] = {}) -> str:
    """Everybody, and a form for a new player."""
    view, late = desk.moment.players(), desk.moment.state.paired > 0
    return desk.page("desk_players.html", refusal, view=view, fields=DATA, late=late, given=given)


def person_page(desk: AtDesk, player: int, refusal: Said | None = None) -> str:
    """One player: data to correct, byes to grant and revoke, players not to meet, withdrawal."""
    moment = desk.moment
    player_of(moment.state, player)
    details = moment.state.players[player - 1].details
    played = moment.state.paired
    everybody = moment.players().players
    bans = [set(ban.players) for ban in moment.state.prohibitions if ban.last > played]
    return desk.page(
        "desk_player.html",
        refusal,
        player=next(one for one in everybody if one.id == player),
        others=[one for one in everybody if one.id != player],
        kept=[one for one in everybody if {one.id, player} in bans],
        fields=DATA,
        given={name: getattr(details, name) or "" for name in DATA},
        coming=range(played + 1, moment.regulations.rounds + 1),
        paired=played,
        never_paired=player not in participants(moment.state),
    )


def players_file_page(
    desk: AtDesk, plan: Registration | None = None, refusal: Said | None = None, text: str = ""
) -> str:
    """A file or pasted lines; then what they would change, and the button."""
    changes = [*(details for _, details in plan.new), *(one.says for one in plan.updated)] if plan else []
    return desk.page(
        "desk_import.html",
        refusal,
        plan=plan,
        sheet=sheet_text(changes),
        level=max((one.level for one in plan.warnings), default=0) if plan else 0,
        late=desk.moment.state.paired > 0,
        text=text,
    )


def data_of(fields: dict[str, str]) -> dict[str, Any]:
    """A player's data as a form has it; titles and federations in capitals, a number left empty is 0."""
    made: dict[str, Any] = {}
    for name in DATA:
        text = fields.get(name, "").strip()
        if name in ("rating", "fide_id"):
            made[name] = number(fields, name, most=12) if text else 0
        else:
            made[name] = text.upper() if name in ("title", "federation") else text
    return made


@PAGES.get(EVENT + "/desk/players")
def players(site: Site, call: Call) -> Answer:
    """The list of players, and the form for a new one."""
    return fresh(people_page(at_desk(site, call)))


@PAGES.form(
    "/players",
    lambda site, call, fields, refusal: people_page(at_desk(site, call), refusal, fields),
    done="/players",
)
def register(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Register a player."""
    return order(site, call, fields, RegisterPlayer(details=Details(**data_of(fields))))


@PAGES.get(EVENT + "/desk/players/{player}")
def player(site: Site, call: Call) -> Answer:
    """One player: data, byes, withdrawal."""
    return fresh(person_page(at_desk(site, call), player_in_path(call)))


@PAGES.form(
    "/players/{player}",
    lambda site, call, fields, refusal: person_page(at_desk(site, call), player_in_path(call), refusal),
    done=lambda site, call, fields: address(call, f"/players/{shown_id(player_in_path(call))}"),
)
def change(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Correct a player's data, withdraw or bring back, grant or revoke a bye, keep apart from another."""
    return order(site, call, fields, deed_of(site, call, fields, player_in_path(call)))


def deed_of(site: Site, call: Call, fields: dict[str, str], id: int) -> Any:
    """What a form asks for a player."""
    match fields.get("do", ""):
        case "correct":
            known = site.tournament(call.tournament).now().state.players[id - 1].details
            given = data_of(fields)
            wanted = {name: value for name, value in given.items() if value != getattr(known, name)}
            return CorrectPlayer(player=id, changes=Changes(**wanted))
        case "withdraw":
            return verb("withdraw-player", player=id)
        case "remove":
            return verb("remove-player", player=id)
        case "merge":
            return verb("merge-players", player=id, into=number(fields, "other"))
        case "return":
            return verb("return-player", player=id)
        case "apart":
            return verb("prohibit-pairing", players=(id, number(fields, "other")))
        case "together":
            return verb("lift-prohibition", players=(id, number(fields, "other")))
        case "revoke":
            return verb("revoke-bye", player=id, round=number(fields, "round"))
        case _:
            letter = fields.get("letter", "")
            return verb("grant-bye", player=id, round=number(fields, "round"), letter=letter)


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


@PAGES.get(EVENT + "/desk/import")
def choose_file(site: Site, call: Call) -> Answer:
    """The form for a file."""
    return fresh(players_file_page(at_desk(site, call)))


@PAGES.post(EVENT + "/desk/import", writes=False, upload=True)
def look_at_file(site: Site, call: Call) -> Answer:
    """What a file would change; nothing is recorded."""
    desk = at_desk(site, call)
    parts = parts_of(call.header("content-type"), call.body)
    data = parts.get("file") or parts.get("text", b"")
    text = parts.get("text", b"").decode("utf-8", "replace")
    if not data.strip():
        return fresh(players_file_page(desk))
    try:
        by = somebody(desk.who)
        plan = site.tournament(call.tournament).plan_import(players_of(read_table(data)), by=by)
    except PaircardError as refusal:
        page = players_file_page(desk, None, in_words_of_pages(refusal), text)
        return fresh(page, status_of(type(refusal)))
    return fresh(players_file_page(desk, plan, text=text))


@PAGES.form(
    "/import/record",
    lambda site, call, fields, refusal: players_file_page(at_desk(site, call), None, refusal),
    done="/players",
    back="/import",
)
def record_file(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Register and update the players that were looked at, all of them or none."""
    sheet = players_of(read_table(fields.get("sheet", "").encode(), "utf-8"))
    by = sender(site, call.login, fields)
    return site.tournament(call.tournament).import_players(sheet, by=by)
