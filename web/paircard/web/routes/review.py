"""Asking why, and what would be: explanations of rounds, and commands before they are sent."""

from operator import methodcaller
from typing import Final

from paircard.domain.deciding.decision import signed
from paircard.service.explaining import Explained, Reasons
from paircard.service.requests import proposed
from paircard.service.review.preview import Rehearsal, rehearse
from paircard.web.access.roles import need_arbiter, need_verbs
from paircard.web.calls import Answer, Call, as_json
from paircard.web.endpoints import ONE, Endpoints, Parameter
from paircard.web.looking import need_id, view
from paircard.web.problems import WrongParameter
from paircard.web.routes.commands import Order, need_alone
from paircard.web.routes.views import round_in_path
from paircard.web.site import Site

ENDPOINTS: Final = Endpoints()
PLAYER: Final = Parameter(
    "player", "Pairing number of the round, id such as p16, or a part of the name.", required=True
)
OTHER: Final = Parameter("not", "The other player, or bye: why not this one?")


@ENDPOINTS.view("/rounds/{round}/explanation", Explained)
def explanation(site: Site, call: Call) -> Answer:
    """A round explained, bracket by bracket."""
    round = round_in_path(call)
    return view(site, call, f"explanation/{round}", methodcaller("explain", round), by=site.reviewer)


@ENDPOINTS.view("/rounds/{round}/why", Reasons, PLAYER, OTHER)
def why(site: Site, call: Call) -> Answer:
    """Why a player has this opponent and this colour, or does not meet another."""
    round = round_in_path(call)
    player, other = call.parameter("player"), call.parameter("not")
    if not player:
        raise WrongParameter("http.player-not-named")
    if other:
        make = methodcaller("why_not", player[:200], other[:200], round)
    else:
        make = methodcaller("why", player[:200], round)
    return view(site, call, f"why/{round}/{player!r}/{other!r}", make, by=site.reviewer)


@ENDPOINTS.add("POST", f"{ONE}/previews", Rehearsal, who="arbiter", takes=Order, refusals=(409, 412))
def preview_commands(site: Site, call: Call) -> Answer:
    """What commands would do: facts, rounds, results and standings that would change."""
    id = need_id(call.tournament)
    order = call.read(Order)
    login = need_verbs(call.login, id, order.commands)
    need_arbiter(login, id, "preview")
    site.commands.take(login.grant.id)
    need_alone(order.commands)
    moment = site.tournament(id).now()
    meta = login.person("preview", why=order.why, accepts=order.ack).meta()
    commands = [signed(command, meta) for command in proposed(moment, order.commands)]
    found: Rehearsal = site.desk_reviewer.run(rehearse, list(moment.facts), commands)
    return as_json(found)
