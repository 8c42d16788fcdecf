"""What anybody may read: the events, and every page of one."""

import re
from collections.abc import Mapping
from typing import Final

from paircard.domain.events import Recorded
from paircard.domain.values.players import shown_id
from paircard.projections.history import history
from paircard.service import Moment
from paircard.service.pages.explanations import candidates_page, explanation_at, why_at
from paircard.service.pages.index import index_page
from paircard.service.pages.pairings import corrections_page, pairings_page
from paircard.service.pages.paper import boards_page, names_page, slips_page, start_list_page
from paircard.service.pages.players import player_page
from paircard.service.pages.rendering import Frame
from paircard.service.pages.screens import SHOWN, screen_page
from paircard.service.pages.standings import crosstable_at, standings_at
from paircard.service.pages.words import Said
from paircard.web.access.roles import covers, sees_all
from paircard.web.calls import Answer, Call
from paircard.web.html.common import (
    choose_language,
    frame_of,
    fresh,
    new_key,
    page,
)
from paircard.web.html.style import style_sheet
from paircard.web.looking import look, making
from paircard.web.pages import Page, plain_frame, see_other
from paircard.web.problems import WrongParameter
from paircard.web.routes.views import player_in_path, round_in_path
from paircard.web.site import Site

MOST_LISTED: Final = 200
LONGEST: Final = 100
"""Letters of a name that is looked for."""
EVENT: Final = "/tournaments/{tournament}"


def index(site: Site, call: Call) -> Answer:
    """The events of this server, the newest first."""
    with making(site, call):
        return fresh(listing(site, call))


def listing(
    site: Site,
    call: Call,
    refusal: Said | None = None,
    given: Mapping[str, str] = {},
) -> str:
    """The list of events as this reader may see it."""
    known = site.office.tournaments()[-MOST_LISTED:]
    seen = [one if sees_all(call.login, one.id) else site.public_summary(one) for one in known]
    login = call.login
    frame = plain_frame(site, call.request.headers, here="/")
    return index_page(
        list(reversed(seen)),
        frame,
        who=login.who if login else "",
        may_open=login is not None and login.grant.role != "deputy" and not login.grant.tournament,
        key=new_key(),
        refusal=refusal,
        given=given,
        signed_out=call.parameter("signed-out") is not None,
    )


def home(site: Site, call: Call) -> Answer:
    """The round that is played; deputies are led to their boards."""
    login = call.login
    if login is not None and login.grant.role == "deputy" and covers(login.grant, call.tournament):
        return see_other(f"/tournaments/{call.tournament}/phone")
    return page(site, call, "home", pairings_home)


def pairings_home(moment: Moment, frame: Frame) -> str:
    return pairings_page(moment, None, frame)


def round_of_event(site: Site, call: Call) -> Answer:
    """A round by board, by name, or with somebody who is looked for."""
    round = round_in_path(call)
    by_name = (call.parameter("by") or "board") == "name"
    find = (call.parameter("find") or "")[:LONGEST]
    if find:
        seen = look(site, call)
        with making(site, call):
            return fresh(pairings_page(seen.moment, round, frame_of(site, call, seen), find=find))
    return page(
        site,
        call,
        f"round/{round}/{by_name}",
        lambda moment, frame: pairings_page(moment, round, frame, by_name=by_name),
    )


def sheet(site: Site, call: Call) -> Answer:
    """The pairing sheet for A4."""
    round, by_name = round_in_path(call), (call.parameter("by") or "board") == "name"
    make = names_page if by_name else boards_page
    return page(site, call, f"sheet/{round}/{by_name}", lambda moment, frame: make(moment, round, frame))


def slips(site: Site, call: Call) -> Answer:
    """Result slips for A4."""
    round = round_in_path(call)
    return page(site, call, f"slips/{round}", lambda moment, frame: slips_page(moment, round, frame))


def explanation(site: Site, call: Call) -> Answer:
    """A round, bracket by bracket; made by the reviewer, which has a limit."""
    round = round_in_path(call)

    def make(moment: Moment, frame: Frame) -> str:
        return str(site.reviewer.run(explain_in_html, list(moment.facts), round, frame))

    return page(site, call, f"explanation/{round}", make)


def why(site: Site, call: Call) -> Answer:
    """Why a player has this board, and why not somebody else."""
    round, player = round_in_path(call), (call.parameter("player") or "")[:LONGEST]
    other = (call.parameter("not") or "")[:LONGEST]
    if not player:
        raise WrongParameter("http.player-not-named")

    def make(moment: Moment, frame: Frame) -> str:
        return str(site.reviewer.run(reasons_in_html, list(moment.facts), round, player, other, frame))

    return page(site, call, f"why/{round}/{player}/{other}", make)


def candidates(site: Site, call: Call) -> Answer:
    """The candidates of a bracket, and what removed each."""
    round, bracket = round_in_path(call), call.number("bracket", 1, least=1, most=999)

    def make(moment: Moment, frame: Frame) -> str:
        return str(site.reviewer.run(candidates_in_html, list(moment.facts), round, bracket, frame))

    return page(site, call, f"candidates/{round}/{bracket}", make)


def candidates_in_html(facts: list[Recorded], round: int, bracket: int, frame: Frame) -> str:
    """In the reviewer's process."""
    return candidates_page(Moment(history(facts), lambda: facts), round, frame, bracket=bracket)


def explain_in_html(facts: list[Recorded], round: int, frame: Frame) -> str:
    """In the reviewer's process."""
    return explanation_at(Moment(history(facts), lambda: facts), round, frame)


def reasons_in_html(facts: list[Recorded], round: int, player: str, other: str, frame: Frame) -> str:
    """In the reviewer's process."""
    return why_at(Moment(history(facts), lambda: facts), round, player, frame, other=other)


def standings(site: Site, call: Call) -> Answer:
    """The standings after a round."""
    after = call.optional_number("after")
    return page(site, call, f"standings/{after}", lambda moment, frame: standings_at(moment, after, frame))


def crosstable(site: Site, call: Call) -> Answer:
    """The crosstable after a round."""
    after = call.optional_number("after")
    return page(site, call, f"crosstable/{after}", lambda moment, frame: crosstable_at(moment, after, frame))


def players(site: Site, call: Call) -> Answer:
    """The start list."""
    return page(site, call, "players", start_list_page)


def player(site: Site, call: Call) -> Answer:
    """The card of a player."""
    id = player_in_path(call)
    if call.path["player"] != shown_id(id):  # as pages wrote it until ids had a shape of their own
        query = f"?{call.request.url.query}" if call.request.url.query else ""
        return see_other(f"/tournaments/{call.tournament}/players/{shown_id(id)}{query}")
    return page(site, call, f"player/{id}", lambda moment, frame: player_page(moment, id, frame))


def corrections(site: Site, call: Call) -> Answer:
    """What was put right after it was recorded."""
    return page(site, call, "corrections", corrections_page)


def screen(site: Site, call: Call) -> Answer:
    """The hall screen, which turns its pages by itself."""
    number, every = call.number("page", 0, most=999), call.number("every", 20, least=3, most=600)
    asked = (call.parameter("show") or ",".join(SHOWN)).split(",")
    show = tuple(kind for kind in SHOWN if kind in asked) or SHOWN
    part = re.fullmatch(r"([1-9][0-9]{0,4})-([1-9][0-9]{0,4})", call.parameter("boards") or "")
    boards = (int(part[1]), int(part[2])) if part else (0, 0)
    return page(
        site,
        call,
        f"screen/{number}/{every}/{show}/{boards}",
        lambda moment, frame: screen_page(moment, number, frame, show=show, every=every, boards=boards),
    )


PAGES: Final = (
    Page(address="/", handler=index),
    Page(address="/language/{code}", handler=choose_language),
    Page(address="/static/{build}/paircard.css", handler=style_sheet),
    Page(address=EVENT, handler=home),
    Page(address=EVENT + "/rounds/{round}", handler=round_of_event),
    Page(address=EVENT + "/rounds/{round}/sheet", handler=sheet),
    Page(address=EVENT + "/rounds/{round}/slips", handler=slips),
    Page(address=EVENT + "/rounds/{round}/explanation", handler=explanation),
    Page(address=EVENT + "/rounds/{round}/why", handler=why),
    Page(address=EVENT + "/rounds/{round}/candidates", handler=candidates),
    Page(address=EVENT + "/standings", handler=standings),
    Page(address=EVENT + "/crosstable", handler=crosstable),
    Page(address=EVENT + "/players", handler=players),
    Page(address=EVENT + "/players/{player}", handler=player),
    Page(address=EVENT + "/corrections", handler=corrections),
    Page(address=EVENT + "/screen", handler=screen),
)
