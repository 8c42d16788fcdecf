"""Asking why, and what would be: explanations of rounds, and commands before they are sent."""

from typing import Final

from paircard.domain.deciding.decision import signed
from paircard.service import Moment
from paircard.service.explaining import Explained, Reasons
from paircard.service.requests import proposed
from paircard.service.review.what_if import Rehearsal, rehearse
from paircard.web.calls import Answer, Call, as_json
from paircard.web.endpoints import ONE, Endpoints, Parameter
from paircard.web.problems import WrongParameter
from paircard.web.roles import need_arbiter, need_verbs
from paircard.web.routes.commands import Order, need_alone
from paircard.web.site import Site

ENDPOINTS: Final = Endpoints()
PLAYER: Final = Parameter(
    "player", "Pairing number of the round, id such as p16, or a part of the name.", required=True
)
OTHER: Final = Parameter("not", "The other player, or bye: why not this one?")


@ENDPOINTS.view("/rounds/{round}/explanation", long=True)
def explanation(moment: Moment, round: int) -> Explained:
    """A round explained, bracket by bracket."""
    return moment.explain(round)


@ENDPOINTS.view("/rounds/{round}/why", PLAYER, OTHER, long=True)
def why(moment: Moment, round: int, player: str, not_: str) -> Reasons:
    """Why a player has this opponent and this colour, or does not meet another."""
    if not player:
        raise WrongParameter("http.player-not-named")
    return moment.why_not(player, not_, round) if not_ else moment.why(player, round)


@ENDPOINTS.add("POST", f"{ONE}/previews", Rehearsal, who="arbiter", takes=Order, refusals=(409, 412))
def preview_commands(site: Site, call: Call) -> Answer:
    """What commands would do: facts, rounds, results and standings that would change."""
    id = call.tournament
    order = call.read(Order)
    login = need_verbs(call.login, id, order.commands)
    need_arbiter(login, id, "preview")
    need_alone(order.commands)
    moment = site.tournament(id).now()
    meta = login.person("preview", why=order.why, accepts=order.ack).meta()
    commands = [signed(command, meta) for command in proposed(moment, order.commands)]
    found: Rehearsal = site.desk_reviewer.run(rehearse, list(moment.facts), commands)
    return as_json(found)
