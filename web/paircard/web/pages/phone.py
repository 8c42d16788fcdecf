"""A deputy's phone: own boards, three buttons, a confirmation."""

import calendar
import re
import time
from typing import Final

from paircard.domain.errors import Unknown
from paircard.domain.events import GameAdjourned, ResultCleared, ResultCorrected, ResultRecorded
from paircard.domain.values.rules import RULES
from paircard.service import Moment
from paircard.service.pairing_sheets import Board, Round
from paircard.service.print.rendering import Frame, Said
from paircard.web.book import Grant, Login
from paircard.web.calls import Answer, Call
from paircard.web.pages.forms import BUTTONS, Form, Given, take
from paircard.web.pages.page import EVENT, Pages, frame_of, fresh, new_key, page_of, see_other, stamp
from paircard.web.roles import covers, need, need_own_board, refused
from paircard.web.site import Site

PAGES: Final = Pages()


def own_boards(view: Round, deputy: Grant) -> tuple[Board, ...]:
    """The boards of a round that are the deputy's."""
    first, last = deputy.boards
    return tuple(line for line in view.boards if not last or first <= line.board <= last)


def at_round(moment: Moment, asked: int) -> dict[str, int]:
    """The round that is asked for, of a table that has it: games of many rounds are open there."""
    table = RULES[moment.regulations.edition].rounds_overlap and 1 <= asked <= moment.state.paired
    return {"round": asked} if table else {}


def waits(moment: Moment, line: Board) -> bool:
    """Whether a board has no result; of a table also where the game was put off, which changes no pairing."""
    put_off = RULES[moment.regulations.edition].rounds_overlap and line.result == "adjourned"
    return line.result is None or put_off


def phone_page(moment: Moment, deputy: Grant, frame: Frame, asked: int = 0) -> str:
    """The list of own boards, open ones first."""
    at = at_round(moment, asked or moment.state.current)
    view = moment.boards(at.get("round")) if moment.state.paired else None
    mine = own_boards(view, deputy) if view else ()
    return page_of(
        moment,
        "phone.html",
        frame,
        deputy=deputy,
        until=stamp(deputy.until),
        round=view.round if view else 0,
        rounds=range(1, moment.state.paired + 1) if at else (),
        at=at,
        open=[line for line in mine if waits(moment, line)],
        done=[line for line in mine if not waits(moment, line)],
    )


def phone_board_page(
    moment: Moment,
    deputy: Grant,
    board: int,
    frame: Frame,
    given: Given,
    *,
    undo: bool = False,
    refusal: Said | None = None,
) -> str:
    """One board: three buttons; with a result the question whether to record it; then that it is recorded.

    A result that was chosen in another round is forgotten: the board has other players now.
    """
    asked_in, result = int(given["round"] or 0), given["result"]
    at = at_round(moment, asked_in or moment.state.current)
    view = moment.boards(at.get("round"))
    mine = own_boards(view, deputy)
    line = next((one for one in mine if one.board == board), None)
    if line is None:
        raise Unknown("page.board-not-yours", board=board, round=view.round)
    rest = [one.board for one in mine if waits(moment, one) and one.board != board]
    later = [number for number in rest if number > board]
    return page_of(
        moment,
        "phone_board.html",
        frame,
        deputy=deputy,
        round=view.round,
        at=at,
        line=line,
        over=not waits(moment, line),
        result=result if result in BUTTONS and waits(moment, line) and asked_in in (0, view.round) else "",
        key=new_key(),
        recorded="done" in given and not waits(moment, line),
        undone="undone" in given and waits(moment, line),
        undo=undo,
        refusal=refusal,
        following=next(iter(later or rest), 0),
        left=len(rest),
        ordinary=BUTTONS,
    )


BoardFact = ResultRecorded | ResultCorrected | GameAdjourned | ResultCleared
"""Facts that say something about the result of a board."""
LOOKED_AT: Final = 500
"""Facts among which an entry of the last two minutes is."""
UNDO_SECONDS: Final = 120


def board_in_path(call: Call) -> int:
    """The number of a board, as it stands in the address."""
    text = str(call.path["board"])
    if not re.fullmatch("[0-9]{1,6}", text):
        raise Unknown("http.not-a-board", text=text)
    return int(text)


def deputy_of(call: Call) -> Login:
    """Who holds the phone; an arbiter may, too."""
    login = need(call.login, "entering")
    grant = login.grant
    if grant.role == "officer" or not covers(grant, call.tournament):
        raise refused(login, "page.no-results-here", who=grant.who)
    return login


@PAGES.get(EVENT + "/phone")
def boards(site: Site, call: Call) -> Answer:
    """Own boards, open ones first."""
    login, frame = deputy_of(call), frame_of(site, call, None, "phone.js")
    asked = call.number("round", 0, most=10**6)
    return fresh(phone_page(site.public_moment(call.tournament), login.grant, frame, asked))


@PAGES.get(EVENT + "/phone/{board}")
def board(site: Site, call: Call) -> Answer:
    """One board: three buttons, the question, or that it is recorded."""
    login, at, moment = deputy_of(call), board_in_path(call), site.public_moment(call.tournament)
    asked = call.number("round", 0, most=10**6)
    given = Given({name: call.parameter(name) or "" for name in call.request.query_params})
    round = at_round(moment, asked).get("round", moment.state.current)
    frame, undo = frame_of(site, call, None, "phone.js"), may_undo(site, call, login, round, at)
    return fresh(phone_board_page(moment, login.grant, at, frame, given, undo=undo))


def may_undo(site: Site, call: Call, login: Login, round: int, board: int) -> bool:
    """Whether the last entry on a board is this one's own and not older than two minutes."""
    for one in reversed(site.tournament(call.tournament).facts()[-LOOKED_AT:]):
        if isinstance(one.fact, BoardFact) and (one.fact.round, one.fact.board) == (round, board):
            made = calendar.timegm(time.strptime(one.when, "%Y-%m-%dT%H:%M:%SZ"))
            return (
                isinstance(one.fact, ResultRecorded)
                and one.command_id.partition("/")[0] == login.grant.id
                and site.now() - made <= UNDO_SECONDS
            )
    return False


@PAGES.post(EVENT + "/phone/{board}/undo")
def undo(site: Site, call: Call) -> Answer:
    """Take back one's own entry; the record keeps both."""
    login, at, form = deputy_of(call), board_in_path(call), Form(site, call)
    round = form.fields.number("round")
    need_own_board(login, round, at)
    if not may_undo(site, call, login, round, at):
        raise refused(login, "page.no-entry-of-yours", board=at)
    form.tournament.clear(round, [at], by=form.sender().because("taken back at once"))
    here = address_of(site, call, round)
    return see_other(f"{here}{'&' if '?' in here else '?'}undone")


@PAGES.post(EVENT + "/phone/{board}")
def record(site: Site, call: Call) -> Answer:
    """Record the result that was confirmed."""
    login, at = deputy_of(call), board_in_path(call)

    def shown(form: Form, refusal: Said) -> str:
        frame = frame_of(site, call, None, "phone.js")
        return phone_board_page(
            site.public_moment(call.tournament), login.grant, at, frame, Given(), refusal=refusal
        )

    return take(
        Form(site, call),
        lambda form: form.enter(form.fields.number("round"), at),
        done=lambda form: address_of(site, call, form.fields.number("round")),
        refused=shown,
        back=address_of(site, call),
    )


def address_of(site: Site, call: Call, round: int = 0) -> str:
    """The page of the board; in a table that of the round."""
    at = at_round(site.public_moment(call.tournament), round)
    here = f"/tournaments/{call.tournament}/phone/{board_in_path(call)}"
    return f"{here}?round={at['round']}" if at else here
