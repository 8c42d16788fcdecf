"""A deputy's phone: own boards, three buttons, a confirmation."""

import calendar
import re
import time
from typing import Final

import msgspec

from paircard.domain.commands import ClearResult
from paircard.domain.errors import Unknown
from paircard.domain.events import GameAdjourned, ResultCleared, ResultCorrected, ResultRecorded
from paircard.domain.values.rules import RULES
from paircard.service import Done, Moment
from paircard.service.desk import result_command
from paircard.service.print.event import event_of
from paircard.service.print.rendering import Frame, Said
from paircard.service.views import Board, Round
from paircard.web.access.book import Login
from paircard.web.access.roles import covers, need, need_own_board, refused
from paircard.web.calls import Answer, Call
from paircard.web.looking import need_id
from paircard.web.pages.forms import number, order, sender, take
from paircard.web.pages.page import EVENT, Pages, frame_of, fresh, new_key, render, see_other, stamp
from paircard.web.site import Site

PAGES: Final = Pages()
ORDINARY = ("1-0", "½-½", "0-1")
"""Results that have a button."""


class Deputy(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds the phone, and which boards are theirs."""

    who: str
    boards: tuple[int, int] = (0, 0)
    """First and last; zeros for all."""
    until: str = ""
    """The end of the grant in UTC, like ``2026-11-18T13:10:00Z``; empty for none."""

    def has(self, board: int) -> bool:
        first, last = self.boards
        return not last or first <= board <= last


def own_boards(view: Round, deputy: Deputy) -> tuple[Board, ...]:
    """The boards of a round that are the deputy's."""
    return tuple(line for line in view.boards if deputy.has(line.board))


def at_round(moment: Moment, asked: int) -> dict[str, int]:
    """The round that is asked for, of a table that has it: games of many rounds are open there."""
    table = RULES[moment.regulations.edition].rounds_overlap and 1 <= asked <= moment.state.paired
    return {"round": asked} if table else {}


def in_round(site: Site, call: Call, asked: int) -> str:
    """The query of an address that stays in a round of a table; nothing in a Swiss."""
    at = at_round(site.public_moment(call.tournament), asked)
    return f"?round={at['round']}" if at else ""


def waits(moment: Moment, line: Board) -> bool:
    """Whether a board has no result; of a table also where the game was put off, which changes no pairing."""
    put_off = RULES[moment.regulations.edition].rounds_overlap and line.result == "adjourned"
    return line.result is None or put_off


def phone_page(moment: Moment, deputy: Deputy, frame: Frame, asked: int = 0) -> str:
    """The list of own boards, open ones first."""
    at = at_round(moment, asked or moment.state.current)
    view = moment.boards(at.get("round")) if moment.state.paired else None
    mine = own_boards(view, deputy) if view else ()
    return render(
        "phone.html",
        frame,
        event=event_of(moment),
        deputy=deputy,
        round=view.round if view else 0,
        rounds=range(1, moment.state.paired + 1) if at else (),
        at=at,
        open=[line for line in mine if waits(moment, line)],
        done=[line for line in mine if not waits(moment, line)],
    )


def phone_board_page(
    moment: Moment,
    deputy: Deputy,
    board: int,
    frame: Frame,
    *,
    result: str = "",
    key: str = "",
    asked_in: int = 0,
    recorded: bool = False,
    undone: bool = False,
    undo: bool = False,
    refusal: Said | None = None,
) -> str:
    """One board: three buttons; with a result the question whether to record it; then that it is recorded.

    A result that was chosen in another round is forgotten: the board has other players now.
    """
    at = at_round(moment, asked_in or moment.state.current)
    view = moment.boards(at.get("round"))
    mine = own_boards(view, deputy)
    line = next((one for one in mine if one.board == board), None)
    if line is None:
        raise Unknown("page.board-not-yours", board=board, round=view.round)
    rest = [one.board for one in mine if waits(moment, one) and one.board != board]
    later = [number for number in rest if number > board]
    return render(
        "phone_board.html",
        frame,
        event=event_of(moment),
        deputy=deputy,
        round=view.round,
        at=at,
        line=line,
        over=not waits(moment, line),
        result=result if result in ORDINARY and waits(moment, line) and asked_in in (0, view.round) else "",
        key=key,
        recorded=recorded and not waits(moment, line),
        undone=undone and waits(moment, line),
        undo=undo,
        refusal=refusal,
        following=next(iter(later or rest), 0),
        left=len(rest),
        ordinary=ORDINARY,
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


def deputy_of(call: Call) -> tuple[Login, Deputy]:
    """Who holds the phone; an arbiter may, too."""
    id = need_id(call.tournament)
    login = need(call.login, "entering")
    grant = login.grant
    if grant.role == "officer" or not covers(grant, id):
        raise refused(login, "page.no-results-here", who=grant.who)
    return login, Deputy(who=grant.who, boards=grant.boards, until=stamp(grant.until))


@PAGES.get(EVENT + "/phone")
def boards(site: Site, call: Call) -> Answer:
    """Own boards, open ones first."""
    _, deputy = deputy_of(call)
    frame = frame_of(site, call, None, "phone.js")
    asked = call.number("round", 0, most=10**6)
    return fresh(phone_page(site.public_moment(call.tournament), deputy, frame, asked))


@PAGES.get(EVENT + "/phone/{board}")
def board(site: Site, call: Call) -> Answer:
    """One board: three buttons, the question, or that it is recorded."""
    login, deputy = deputy_of(call)
    at, moment = board_in_path(call), site.public_moment(call.tournament)
    asked = call.number("round", 0, most=10**6)
    round = at_round(moment, asked).get("round", moment.state.current)
    text = phone_board_page(
        moment,
        deputy,
        at,
        frame_of(site, call, None, "phone.js"),
        result=call.parameter("result") or "",
        key=new_key(),
        asked_in=asked,
        recorded=call.parameter("done") is not None,
        undone=call.parameter("undone") is not None,
        undo=may_undo(site, call, login, round, at),
    )
    return fresh(text)


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
    login, _ = deputy_of(call)
    at = board_in_path(call)
    here = f"/tournaments/{call.tournament}/phone/{at}"
    fields = call.form()
    round = number(fields, "round")
    need_own_board(login, round, at)
    if not may_undo(site, call, login, round, at):
        raise refused(login, "page.no-entry-of-yours", board=at)
    by = sender(site, login, fields).because("taken back at once")
    site.tournament(call.tournament).ask(ClearResult(round=round, board=at), by=by)
    query = in_round(site, call, round)
    return see_other(f"{here}{query}&undone" if query else f"{here}?undone")


@PAGES.post(EVENT + "/phone/{board}")
def record(site: Site, call: Call) -> Answer:
    """Record the result that was confirmed."""
    _, deputy = deputy_of(call)
    at = board_in_path(call)
    here = f"/tournaments/{call.tournament}/phone/{at}"

    def page(fields: dict[str, str], refusal: Said) -> str:
        return phone_board_page(
            site.public_moment(call.tournament),
            deputy,
            at,
            frame_of(site, call, None, "phone.js"),
            key=new_key(),
            refusal=refusal,
        )

    def work(fields: dict[str, str]) -> Done:
        result = fields.get("result", "").strip()
        return order(site, call, fields, result_command(number(fields, "round"), at, result))

    return take(
        site,
        call,
        work,
        done=lambda fields: here + in_round(site, call, number(fields, "round")),
        refused=page,
        back=here,
    )
