"""Looking at tournaments: everything here is public as far as it is published."""

from typing import Final

from paircard.domain.deciding.decision import player_of
from paircard.domain.errors import Unknown
from paircard.domain.log.catalogue import Search
from paircard.projections.log_lines import LogLine
from paircard.projections.norms import Norms
from paircard.projections.ratings import Ratings
from paircard.projections.round.cards import Card
from paircard.projections.standings.tiebreaks import Explanation
from paircard.service import Moment
from paircard.service.pairing_sheets import Round
from paircard.service.prizes import Group, PlayerPrizes, Prizes
from paircard.service.views import Overview, PlacedCrosstable, Players, Standings, placed
from paircard.web.calls import OPEN_TO_ALL, Answer, Call, as_json
from paircard.web.endpoints import AFTER_ROUND, AT, FLAG, ONE, Endpoints, Parameter, number
from paircard.web.looking import look, making
from paircard.web.messages import Listing
from paircard.web.problems import WrongParameter
from paircard.web.roles import need_reader
from paircard.web.site import Site

MOST_LISTED: Final = 200
LONGEST: Final = 100
"""Letters of what is looked for."""
FINAL: Final = Parameter("final", "Refuse unless the event is over and no game is open.", FLAG)
CATEGORY: Final = Parameter("category", "The name of the category.", required=True)
PAGE: Final = (
    Parameter("name", "Words, or parts of words, of the name; accents and case do not matter."),
    Parameter("place", "The same of the place."),
    Parameter("year", "Of the first day.", number(0, 9999)),
    Parameter("player", "Beginnings of a player's names."),
    Parameter("after", "The id of the last tournament of the page before."),
    Parameter("limit", "How many; 50 by default.", number(1, MOST_LISTED)),
)
LINES: Final = (
    Parameter("player", "Only about this player, by id.", number(0, 999_999)),
    Parameter("round", "Only about this round.", number(0, 999)),
    Parameter("board", "Only about this board of the round.", number(0, 99_999)),
    Parameter("last", "Only the last N.", number(0, 10**9)),
)
ENDPOINTS: Final = Endpoints()


@ENDPOINTS.add("GET", "/tournaments", Listing, *PAGE)
def list_tournaments(site: Site, call: Call) -> Answer:
    """The tournaments of the store, the oldest first."""
    search, limit = search_in(call), PAGE[-1].read(call) or 50
    with making(site, call):
        try:
            seen, last = site.listed(call.login, search, after=call.parameter("after") or "", limit=limit)
        except Unknown:
            raise Unknown("http.no-such-page", text=call.parameter("after") or "") from None
    return as_json(Listing(tournaments=tuple(seen), next=last), headers=open_to_all(call))


def search_in(call: Call) -> Search:
    """Which tournaments are meant by the parameters of an address."""
    name, place, player = ((call.parameter(one) or "")[:LONGEST] for one in ("name", "place", "player"))
    year = call.number("year", 0, most=9999) if call.parameter("year") else 0
    return Search(name=name, place=place, player=player, year=year)


def open_to_all(call: Call) -> dict[str, str]:
    """Programs in any browser may read what anybody may read."""
    return OPEN_TO_ALL if call.login is None else {}


@ENDPOINTS.view("")
def overview(moment: Moment) -> Overview:
    """Regulations, and how far the tournament has come."""
    return moment.overview()


@ENDPOINTS.view("/rounds/{round}")
def boards(moment: Moment, round: int) -> Round:
    """The boards of a round; public once it is published."""
    return moment.boards(round)


@ENDPOINTS.view("/standings", AFTER_ROUND, FINAL)
def standings(moment: Moment, after: int | None, final: bool) -> Standings:
    """The standings after a round."""
    return moment.standings(after, final=final)


@ENDPOINTS.view("/crosstable", AFTER_ROUND)
def crosstable(moment: Moment, after: int | None) -> PlacedCrosstable:
    """Opponent, colour and result of every player's rounds."""
    table = moment.crosstable(after)
    return placed(table, moment.standings(table.paired).standings)


@ENDPOINTS.view("/players")
def players(moment: Moment) -> Players:
    """Everyone registered; the public sees name, title, rating, federation and club."""
    return moment.players()


@ENDPOINTS.view("/players/{player}")
def card(moment: Moment, player: int) -> Card:
    """A player's pairing card."""
    return moment.card(player_of(moment.state, player).id)


@ENDPOINTS.view("/players/{player}/arithmetic", AFTER_ROUND)
def arithmetic(moment: Moment, player: int, after: int | None) -> tuple[Explanation, ...]:
    """The arithmetic of a player's points and tie-breaks."""
    return moment.explain_standing(player_of(moment.state, player).id, after)


@ENDPOINTS.view("/ratings", door="ratings")
def ratings(moment: Moment) -> Ratings:
    """Rating changes and first ratings, game by game (B.02)."""
    return moment.ratings()


@ENDPOINTS.view("/prizes")
def prizes(moment: Moment) -> Prizes:
    """Who gets which prize by the standings as they are, and why."""
    return moment.prizes()


@ENDPOINTS.view("/players/{player}/prizes")
def player_prizes(moment: Moment, player: int) -> PlayerPrizes:
    """A player's groups and prizes, why not the others, and what the games to come may bring."""
    return moment.player_prizes(player)


@ENDPOINTS.view("/group", CATEGORY, AFTER_ROUND)
def group(moment: Moment, category: str, after: int | None) -> Group:
    """The standings of an announced category: places within it, and of all."""
    return moment.group(category, after)


@ENDPOINTS.view("/norms", door="norms")
def norms(moment: Moment) -> Norms:
    """Title norms, requirement by requirement, and what is still possible (B.01)."""
    return moment.norms()


@ENDPOINTS.add(
    "GET", f"{ONE}/log", tuple[LogLine, ...], AT, *LINES, who="reader", also=(307,), refusals=(409, 422)
)
def log(site: Site, call: Call) -> Answer:
    """The facts in words: who, when, why."""
    need_reader(call.login, call.tournament, "log")
    player, round, board, last = (one.read(call) or 0 for one in LINES)
    if board and not round:
        raise WrongParameter("http.board-without-round")
    seen = look(site, call)
    return as_json(seen.moment.log(player=player, round=round, board=board, last=last))
