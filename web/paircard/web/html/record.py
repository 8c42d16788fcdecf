"""The record: the time line of a tournament, the check of a printed code, what-if, and replay."""

from typing import Final

from paircard.domain.errors import Refused
from paircard.domain.values.results import parse_outcome
from paircard.service.pages.branches import replay_page, what_if_page
from paircard.service.pages.record import record_page
from paircard.service.review.replay import Replayed
from paircard.service.review.replay import replay as replay_rounds
from paircard.service.review.what_if import Supposed
from paircard.service.review.what_if import what_if as suppose
from paircard.web.access.roles import need_reader
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh
from paircard.web.html.public import EVENT
from paircard.web.looking import look, need_id
from paircard.web.pages import Page
from paircard.web.problems import in_words_of_pages
from paircard.web.site import Site

LONGEST: Final = 100


def record(site: Site, call: Call) -> Answer:
    """The facts on a time line; ``at`` is the fact that is looked at."""
    id = need_id(call.tournament)
    need_reader(call.login, id, "record")
    seen = look(site, call)
    now = site.tournament(id).now()
    code = (call.parameter("head") or "")[:LONGEST]
    at = seen.moment.version if seen.fixed else None
    frame = frame_of(site, call, seen)
    return fresh(record_page(now, at, frame, then=seen.moment, code=code))


def what_if(site: Site, call: Call) -> Answer:
    """The record beside a branch in which a board ended otherwise; nothing is written."""
    need_reader(call.login, need_id(call.tournament), "record")
    seen = look(site, call)
    round, board = call.number("round", 0, most=10**6), call.number("board", 0, most=10**6)
    result = (call.parameter("result") or "")[:LONGEST]
    found, refusal = None, None
    if round and board and result:
        try:
            one = Supposed(round=round, board=board, outcome=parse_outcome(result))
            found = site.desk_reviewer.run(suppose, list(seen.moment.facts), [one])
        except Refused as refused:
            refusal = in_words_of_pages(refused)
    page = what_if_page(
        seen.moment,
        frame_of(site, call, seen),
        round=round,
        board=board,
        result=result,
        found=found,
        refusal=refusal,
    )
    return fresh(page)


def replay(site: Site, call: Call) -> Answer:
    """Every recorded round made again, with a tick for each."""
    need_reader(call.login, need_id(call.tournament), "record")
    seen = look(site, call)
    made: list[Replayed] = site.desk_reviewer.run(replay_rounds, list(seen.moment.facts))
    return fresh(replay_page(seen.moment, frame_of(site, call, seen), made))


PAGES: Final = (
    Page(address=EVENT + "/record", handler=record),
    Page(address=EVENT + "/record/what-if", handler=what_if),
    Page(address=EVENT + "/record/replay", handler=replay),
)
