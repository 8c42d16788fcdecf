"""What anybody may read of an event: its rounds, and the pages that are also printed."""

from typing import Final

from paircard.domain.values.names import spellings
from paircard.domain.values.text import is_number
from paircard.service import Moment
from paircard.service.pairing_sheets import Round, Seat
from paircard.service.print.explanations import candidates_page, explanation_at, why_at
from paircard.service.print.paper import (
    NameLine,
    about,
    lines_by_name,
    sheet_page,
    slips_page,
    start_list_page,
)
from paircard.service.print.prizes import prizes_page
from paircard.service.print.rendering import FILE, Frame, Pieces, results_in
from paircard.service.print.standings import crosstable_at, standings_at
from paircard.service.schedule import calendar_of, schedule_page
from paircard.web.calls import Answer, Call, round_in_path
from paircard.web.endpoints import AFTER_ROUND
from paircard.web.pages.corrections import corrections_of, latest
from paircard.web.pages.page import EVENT, Pages, one_player, page, page_of, see_other, word
from paircard.web.problems import WrongParameter
from paircard.web.roles import covers
from paircard.web.site import Site

PAGES: Final = Pages()
CALENDAR: Final = "text/calendar; charset=utf-8"


def pairings_page(
    moment: Moment, round: int | None = None, frame: Frame = FILE, *, by_name: bool = False, find: str = ""
) -> str:
    """A round, the last one by default; before round 1, an empty page that says so."""
    if not moment.state.paired and round is None:
        return page_of(moment, "pairings_none.html", frame)
    view = moment.boards(round)
    by_name = by_name and not find
    changed = corrections_of(moment)
    return page_of(
        moment,
        "pairings.html",
        frame,
        view=view,
        by_name=by_name,
        names=lines_by_name(view) if by_name else (),
        find=find,
        found=matching(view, find) if find.strip() else (),
        results=results_in(view),
        pieces=moment.keep(
            ("boards", view.round, frame.language, frame.links), Pieces, rounds=view.round - 1
        ),
        latest=latest(moment.facts, view),
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
        return any(all(word in one for word in words) for words in wanted for one in spellings(seat.name))

    return lines_by_name(view, fits) if wanted[0] else ()


def player_asked(call: Call) -> str:
    """The player a question is about."""
    player = word("player")(call)
    if not player:
        raise WrongParameter("http.player-not-named")
    return player


def by_name(call: Call) -> bool:
    """Whether a round is shown by name, not by board."""
    return call.parameter("by") == "name"


def bracket(call: Call) -> int:
    """The bracket whose candidates are shown."""
    return call.number("bracket", 1, least=1, most=999)


@PAGES.get(EVENT, kept=True)
def home(site: Site, call: Call) -> Answer:
    """The round that is played; deputies are led to their boards."""
    login = call.login
    if login is not None and login.grant.role == "deputy" and covers(login.grant, call.tournament):
        return see_other(f"/tournaments/{call.tournament}/phone")
    return page(site, call, "home", pairings_page)


@PAGES.get(EVENT + "/schedule.ics", kept=True)
def calendar(site: Site, call: Call) -> Answer:
    """The rounds whose day is announced, as a calendar file; of one player with ``player``."""
    player = one_player(call)
    answer = page(site, call, f"calendar/{player}", as_calendar, player=player)
    answer.media_type = CALENDAR
    return answer


def as_calendar(moment: Moment, frame: Frame, *, player: int) -> str:
    """A calendar in the language of the reader."""
    return calendar_of(moment, player, frame.language, ahead=frame.desk)


PAGES.shows("/rounds/{round}", pairings_page, round=round_in_path, by_name=by_name, find=word("find"))
PAGES.shows("/rounds/{round}/sheet", sheet_page, round=round_in_path, by_name=by_name)
PAGES.shows("/rounds/{round}/slips", slips_page, round=round_in_path)
PAGES.shows("/rounds/{round}/explanation", explanation_at, long=True, round=round_in_path)
PAGES.shows(
    "/rounds/{round}/why", why_at, long=True, round=round_in_path, player=player_asked, other=word("not")
)
PAGES.shows("/rounds/{round}/candidates", candidates_page, long=True, round=round_in_path, bracket=bracket)
PAGES.shows("/standings", standings_at, after=AFTER_ROUND.read, group=word("group"))
PAGES.shows("/prizes", prizes_page, player=one_player)
PAGES.shows("/crosstable", crosstable_at, after=AFTER_ROUND.read)
PAGES.shows("/schedule", schedule_page)
PAGES.shows("/players", start_list_page)
