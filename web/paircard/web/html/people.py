"""Players at the desk: the list, and a page for each with everything that can be changed."""

from collections.abc import Sequence
from typing import Any, Final

from paircard.domain.commands import CorrectPlayer, RegisterPlayer
from paircard.domain.values.players import Changes, Details, shown_id
from paircard.service.pages.people import DATA, people_page, person_page
from paircard.service.pages.words import Said
from paircard.web.access.roles import need_arbiter
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.fields import number
from paircard.web.html.public import EVENT
from paircard.web.html.sending import send, verb
from paircard.web.looking import need_id
from paircard.web.pages import Page
from paircard.web.routes.views import player_in_path
from paircard.web.site import Site


def arbiter(call: Call) -> str:
    """The name of the arbiter at the desk."""
    return need_arbiter(call.login, need_id(call.tournament), "desk").who


def address(call: Call) -> str:
    return f"/tournaments/{call.tournament}/desk/players"


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


def players(site: Site, call: Call) -> Answer:
    """The list of players, and the form for a new one."""
    return fresh(listed(site, call, arbiter(call)))


def listed(
    site: Site, call: Call, who: str, refusal: Said | None = None, given: dict[str, str] | None = None
) -> str:
    now = site.tournament(call.tournament).now()
    return people_page(
        now,
        frame_of(site, call),
        who=who,
        key=new_key(),
        refusal=refusal,
        given=given or {},
    )


def register(site: Site, call: Call) -> Answer:
    """Register a player."""
    who = arbiter(call)
    return send(
        site,
        call,
        lambda fields: [RegisterPlayer(details=Details(**data_of(fields)))],
        done=lambda fields: address(call),
        refused=lambda fields, refusal: listed(site, call, who, refusal, fields),
        back=address(call),
    )


def player(site: Site, call: Call) -> Answer:
    """One player: data, byes, withdrawal."""
    return fresh(shown(site, call, arbiter(call)))


def shown(site: Site, call: Call, who: str, refusal: Said | None = None) -> str:
    now = site.tournament(call.tournament).now()
    id = player_in_path(call)
    return person_page(now, id, frame_of(site, call), who=who, key=new_key(), refusal=refusal)


def change(site: Site, call: Call) -> Answer:
    """Correct a player's data, withdraw or bring back, grant or revoke a bye, keep apart from another."""
    who, id = arbiter(call), player_in_path(call)

    def commands(fields: dict[str, str]) -> Sequence[Any]:
        match fields.get("do", ""):
            case "correct":
                known = site.tournament(call.tournament).now().state.players[id - 1].details
                given = data_of(fields)
                wanted = {name: value for name, value in given.items() if value != getattr(known, name)}
                return [CorrectPlayer(player=id, changes=Changes(**wanted))]
            case "withdraw":
                return [verb("withdraw-player", player=id)]
            case "remove":
                return [verb("remove-player", player=id)]
            case "merge":
                return [verb("merge-players", player=id, into=number(fields, "other"))]
            case "return":
                return [verb("return-player", player=id)]
            case "apart":
                return [verb("prohibit-pairing", players=(id, number(fields, "other")))]
            case "together":
                return [verb("lift-prohibition", players=(id, number(fields, "other")))]
            case "revoke":
                return [verb("revoke-bye", player=id, round=number(fields, "round"))]
            case _:
                letter = fields.get("letter", "")
                return [verb("grant-bye", player=id, round=number(fields, "round"), letter=letter)]

    def page(fields: dict[str, str], refusal: Said) -> str:
        return shown(site, call, who, refusal)

    here = f"{address(call)}/{shown_id(id)}"
    return send(site, call, commands, done=lambda fields: here, refused=page, back=here)


PAGES: Final = (
    Page(address=EVENT + "/desk/players", handler=players),
    Page(method="POST", address=EVENT + "/desk/players", handler=register, form=True, writes=True),
    Page(address=EVENT + "/desk/players/{player}", handler=player),
    Page(method="POST", address=EVENT + "/desk/players/{player}", handler=change, form=True, writes=True),
)
