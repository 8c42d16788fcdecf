"""What anybody may read of an event: its rounds, and the pages that are also printed."""

from functools import lru_cache
from typing import Final

from paircard.domain.values.names import spellings
from paircard.domain.values.text import is_number
from paircard.service import Moment
from paircard.service.print.event import NameLine, event_of, lines_by_name, results_in
from paircard.service.print.explanations import candidates_page, explanation_at, why_at
from paircard.service.print.paper import about, boards_page, names_page, slips_page, start_list_page
from paircard.service.print.prizes import player_prizes_page, prizes_page
from paircard.service.print.rendering import FILE, Frame, Pieces
from paircard.service.print.standings import crosstable_at, standings_at
from paircard.service.schedule import calendar_of, schedule_page
from paircard.service.views import Round, Seat
from paircard.web.access.roles import covers
from paircard.web.calls import Answer, Call
from paircard.web.pages.corrections import corrections_of, latest
from paircard.web.pages.page import EVENT, Pages, page, render, see_other
from paircard.web.problems import WrongParameter
from paircard.web.routes.views import round_in_path
from paircard.web.site import Site

PAGES: Final = Pages()
CALENDAR: Final = "text/calendar; charset=utf-8"


def pairings_page(
    moment: Moment, round: int | None = None, frame: Frame = FILE, *, by_name: bool = False, find: str = ""
) -> str:
    """A round, the last one by default; before round 1, an empty page that says so."""
    event = event_of(moment)
    if not moment.state.paired and round is None:
        return render("pairings_none.html", frame, event=event)
    view = moment.boards(round)
    names = lines_by_name(view) if by_name else ()
    changed = corrections_of(moment)
    return render(
        "pairings.html",
        frame,
        event=event,
        view=view,
        by_name=by_name,
        names=names,
        find=find,
        found=matching(view, find) if find.strip() else (),
        results=results_in(view),
        pieces=moment.keep(
            ("boards", view.round, frame.language, frame.links), Pieces, rounds=view.round - 1
        ),
        latest=latest(moment.facts, view.round),
        corrections=changed[:3],
        corrected={(each.round, each.board): each for each in changed},
        **about(moment, view),
    )


def matching(view: Round, text: str) -> tuple[NameLine, ...]:
    """Those with this pairing number, or whose name has these words in it, accents left aside."""
    if is_number(text.strip()):
        return lines_by_name(view, lambda seat: seat.number == int(text))
    wanted = [one.split() for one in spellings(text)]

    def fits(seat: Seat) -> bool:
        return any(all(word in one for word in words) for words in wanted for one in spelled(seat.name))

    return lines_by_name(view, fits) if wanted[0] else ()


spelled: Final = lru_cache(4096)(spellings)
"""The names of those who are looked for, as they may be written."""


LONGEST: Final = 100
"""Letters of a name that is looked for."""


@PAGES.get(EVENT, kept=True)
def home(site: Site, call: Call) -> Answer:
    """The round that is played; deputies are led to their boards."""
    login = call.login
    if login is not None and login.grant.role == "deputy" and covers(login.grant, call.tournament):
        return see_other(f"/tournaments/{call.tournament}/phone")
    return page(site, call, "home", pairings_page)


@PAGES.get(EVENT + "/rounds/{round}", kept=True)
def round_of_event(site: Site, call: Call) -> Answer:
    """A round by board, by name, or with somebody who is looked for."""
    round = round_in_path(call)
    find = (call.parameter("find") or "")[:LONGEST]
    by_name = (call.parameter("by") or "board") == "name" and not find
    name = f"round/{round}/{by_name}/{find}"
    return page(site, call, name, pairings_page, round=round, by_name=by_name, find=find)


@PAGES.get(EVENT + "/rounds/{round}/sheet", kept=True)
def sheet(site: Site, call: Call) -> Answer:
    """The pairing sheet for A4."""
    round, by_name = round_in_path(call), (call.parameter("by") or "board") == "name"
    make = names_page if by_name else boards_page
    return page(site, call, f"sheet/{round}/{by_name}", make, round=round)


@PAGES.get(EVENT + "/rounds/{round}/slips", kept=True)
def slips(site: Site, call: Call) -> Answer:
    """Result slips for A4."""
    round = round_in_path(call)
    return page(site, call, f"slips/{round}", slips_page, round=round)


@PAGES.get(EVENT + "/rounds/{round}/explanation", kept=True)
def explanation(site: Site, call: Call) -> Answer:
    """A round, bracket by bracket; made by the reviewer, which has a limit."""
    round = round_in_path(call)
    return page(site, call, f"explanation/{round}", explanation_at, site.reviewer, round=round)


@PAGES.get(EVENT + "/rounds/{round}/why", kept=True)
def why(site: Site, call: Call) -> Answer:
    """Why a player has this board, and why not somebody else."""
    round, player = round_in_path(call), (call.parameter("player") or "")[:LONGEST]
    other = (call.parameter("not") or "")[:LONGEST]
    if not player:
        raise WrongParameter("http.player-not-named")
    name = f"why/{round}/{player}/{other}"
    return page(site, call, name, why_at, site.reviewer, round=round, player=player, other=other)


@PAGES.get(EVENT + "/rounds/{round}/candidates", kept=True)
def candidates(site: Site, call: Call) -> Answer:
    """The candidates of a bracket, and what removed each."""
    round, bracket = round_in_path(call), call.number("bracket", 1, least=1, most=999)
    name = f"candidates/{round}/{bracket}"
    return page(site, call, name, candidates_page, site.reviewer, round=round, bracket=bracket)


@PAGES.get(EVENT + "/standings", kept=True)
def standings(site: Site, call: Call) -> Answer:
    """The standings after a round, of everybody or of a group."""
    after, group = call.optional_number("after"), (call.parameter("group") or "")[:LONGEST]
    return page(site, call, f"standings/{after}/{group}", standings_at, after=after, group=group)


@PAGES.get(EVENT + "/prizes", kept=True)
def prizes(site: Site, call: Call) -> Answer:
    """Groups and prizes, who gets what and why; of one player why not, and what is needed."""
    if player := call.optional_number("player"):
        return page(site, call, f"prizes/{player}", player_prizes_page, player=player)
    return page(site, call, "prizes", prizes_page)


@PAGES.get(EVENT + "/crosstable", kept=True)
def crosstable(site: Site, call: Call) -> Answer:
    """The crosstable after a round."""
    after = call.optional_number("after")
    return page(site, call, f"crosstable/{after}", crosstable_at, after=after)


@PAGES.get(EVENT + "/schedule", kept=True)
def schedule(site: Site, call: Call) -> Answer:
    """All rounds that are published."""
    return page(site, call, "schedule", schedule_page)


@PAGES.get(EVENT + "/schedule.ics", kept=True)
def calendar(site: Site, call: Call) -> Answer:
    """The rounds whose day is announced, as a calendar file; of one player with ``player``."""
    player = call.optional_number("player") or 0
    answer = page(site, call, f"calendar/{player}", as_calendar, player=player)
    answer.media_type = CALENDAR
    return answer


def as_calendar(moment: Moment, frame: Frame, *, player: int) -> str:
    """A calendar in the language of the reader."""
    return calendar_of(moment, player, frame.language, ahead=frame.desk)


@PAGES.get(EVENT + "/players", kept=True)
def players(site: Site, call: Call) -> Answer:
    """The start list."""
    return page(site, call, "players", start_list_page)
