"""Looking at tournaments: everything here is public as far as it is published."""

import re
from functools import partial
from operator import methodcaller
from typing import Final

from paircard.domain.deciding.decision import player_of
from paircard.domain.errors import Unknown
from paircard.domain.log.catalogue import Search
from paircard.projections.log_lines import LogLine
from paircard.projections.norms import Norms
from paircard.projections.ratings import Ratings
from paircard.projections.round.cards import Card
from paircard.projections.standings.arithmetic import Explanation
from paircard.service import Moment
from paircard.service.pairing_sheets import Round
from paircard.service.prizes import Group, PlayerPrizes, Prizes
from paircard.service.views import Overview, PlacedCrosstable, Players, Standings, described_lines, placed
from paircard.web.access.roles import need_reader
from paircard.web.calls import OPEN_TO_ALL, Answer, Call, as_json
from paircard.web.endpoints import AFTER_ROUND, AT, FLAG, NUMBER, ONE, Endpoints, Parameter
from paircard.web.looking import look, making, need_id, view
from paircard.web.messages import Listing
from paircard.web.problems import WrongParameter
from paircard.web.site import Site

MOST_LISTED: Final = 200
LONGEST: Final = 100
"""Letters of what is looked for."""
FINAL: Final = Parameter("final", "Refuse unless the event is over and no game is open.", FLAG)
CATEGORY: Final = Parameter("category", "The name of the category.", required=True)
PAGE: Final = (
    Parameter("name", "Words, or parts of words, of the name; accents and case do not matter."),
    Parameter("place", "The same of the place."),
    Parameter("year", "Of the first day.", {"type": "integer", "minimum": 0, "maximum": 9999}),
    Parameter("player", "Beginnings of a player's names."),
    Parameter("after", "The id of the last tournament of the page before."),
    Parameter("limit", "How many.", {"type": "integer", "minimum": 1, "maximum": MOST_LISTED}),
)
LINES: Final = (
    AT,
    Parameter("player", "Only about this player, by id.", NUMBER),
    Parameter("round", "Only about this round.", NUMBER),
    Parameter("board", "Only about this board of the round.", NUMBER),
    Parameter("last", "Only the last N.", NUMBER),
)
ENDPOINTS: Final = Endpoints()


@ENDPOINTS.add("GET", "/tournaments", Listing, *PAGE)
def list_tournaments(site: Site, call: Call) -> Answer:
    """The tournaments of the store, the oldest first."""
    call.need_known(*(one.name for one in PAGE))
    search, limit = search_in(call), call.number("limit", 50, least=1, most=MOST_LISTED)
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


@ENDPOINTS.view("", Overview)
def overview(site: Site, call: Call) -> Answer:
    """Regulations, and how far the tournament has come."""
    return view(site, call, "overview", methodcaller("overview"))


@ENDPOINTS.view("/rounds/{round}", Round)
def boards(site: Site, call: Call) -> Answer:
    """The boards of a round; public once it is published."""
    round = round_in_path(call)
    return view(site, call, f"round/{round}", methodcaller("boards", round))


@ENDPOINTS.view("/standings", Standings, AFTER_ROUND, FINAL)
def standings(site: Site, call: Call) -> Answer:
    """The standings after a round."""
    after, final = call.optional_number("after"), call.flag("final")
    return view(site, call, f"standings/{after}/{final}", methodcaller("standings", after, final=final))


@ENDPOINTS.view("/crosstable", PlacedCrosstable, AFTER_ROUND)
def crosstable(site: Site, call: Call) -> Answer:
    """Opponent, colour and result of every player's rounds."""
    after = call.optional_number("after")
    return view(site, call, f"crosstable/{after}", partial(crosstable_at, after=after))


def crosstable_at(moment: Moment, after: int | None) -> PlacedCrosstable:
    """The crosstable with the places of groups; made by the press, too, so it is no inner function."""
    table = moment.crosstable(after)
    return placed(table, described_lines(moment.state, table))


@ENDPOINTS.view("/players", Players)
def players(site: Site, call: Call) -> Answer:
    """Everyone registered; the public sees name, title, rating, federation and club."""
    return view(site, call, "players", methodcaller("players"))


@ENDPOINTS.view("/players/{player}", Card)
def card(site: Site, call: Call) -> Answer:
    """A player's pairing card."""
    id = player_in_path(call)
    return view(site, call, f"card/{id}", partial(card_at, player=id))


@ENDPOINTS.view("/players/{player}/arithmetic", tuple[Explanation, ...], AFTER_ROUND)
def arithmetic(site: Site, call: Call) -> Answer:
    """The arithmetic of a player's points and tie-breaks."""
    id, after = player_in_path(call), call.optional_number("after")
    return view(site, call, f"arithmetic/{id}/{after}", partial(arithmetic_at, player=id, after=after))


@ENDPOINTS.view("/ratings", Ratings, who="reader")
def ratings(site: Site, call: Call) -> Answer:
    """Rating changes and first ratings, game by game (B.02)."""
    need_reader(call.login, need_id(call.tournament), "ratings")
    return view(site, call, "ratings", methodcaller("ratings"))


@ENDPOINTS.view("/prizes", Prizes)
def prizes(site: Site, call: Call) -> Answer:
    """Who gets which prize by the standings as they are, and why."""
    return view(site, call, "prizes", methodcaller("prizes"))


@ENDPOINTS.view("/players/{player}/prizes", PlayerPrizes)
def player_prizes(site: Site, call: Call) -> Answer:
    """A player's groups and prizes, why not the others, and what the games to come may bring."""
    id = player_in_path(call)
    return view(site, call, f"prizes/{id}", methodcaller("player_prizes", id))


@ENDPOINTS.view("/group", Group, CATEGORY, AFTER_ROUND)
def group(site: Site, call: Call) -> Answer:
    """The standings of an announced category: places within it, and of all."""
    name, after = call.parameter("category") or "", call.optional_number("after")
    return view(site, call, f"group/{name}/{after}", methodcaller("group", name, after))


@ENDPOINTS.view("/norms", Norms, who="reader")
def norms(site: Site, call: Call) -> Answer:
    """Title norms, requirement by requirement, and what is still possible (B.01)."""
    need_reader(call.login, need_id(call.tournament), "norms")
    return view(site, call, "norms", methodcaller("norms"))


def card_at(moment: Moment, player: int) -> Card:
    """The card of a player who is registered."""
    return moment.card(player_of(moment.state, player).id)


def arithmetic_at(moment: Moment, player: int, after: int | None) -> tuple[Explanation, ...]:
    """The arithmetic of a player who is registered."""
    return moment.explain_standing(player_of(moment.state, player).id, after)


@ENDPOINTS.add(
    "GET", f"{ONE}/log", tuple[LogLine, ...], *LINES, who="reader", also=(307,), refusals=(409, 422)
)
def log(site: Site, call: Call) -> Answer:
    """The facts in words: who, when, why."""
    need_reader(call.login, need_id(call.tournament), "log")
    player, round = call.number("player", 0, most=10**6), call.number("round", 0, most=999)
    board, last = call.number("board", 0, most=10**6), call.number("last", 0, most=10**9)
    if board and not round:
        raise WrongParameter("http.board-without-round")
    seen = look(site, call)
    lines = seen.moment.log(player=player, round=round, board=board)
    return as_json(lines[-last:] if last else lines)


def round_in_path(call: Call) -> int:
    """The number of a round, as it stands in the address."""
    text = str(call.path["round"])
    if not re.fullmatch("[0-9]{1,3}", text):
        raise Unknown("http.not-a-round", text=text)
    return int(text)


def player_in_path(call: Call) -> int:
    """The id of the player in the address."""
    return player_called(str(call.path["player"]))


def player_called(text: str) -> int:
    """The id of a player, as it stands in an address: ``p16``, or 16 as programs write it."""
    if not re.fullmatch("p?[0-9]{1,6}", text):
        raise Unknown("http.no-such-player", text=text)
    return int(text.removeprefix("p"))
