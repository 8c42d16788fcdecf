"""The arbiter's desk: results, the next step, corrections."""

from collections.abc import Sequence
from typing import Any, Final

from paircard.domain.commands import CorrectBoards, CorrectResult
from paircard.domain.errors import NeedsAcknowledgement, PaircardError
from paircard.domain.values.results import parse_outcome
from paircard.domain.values.text import is_number
from paircard.service import Done, Moment
from paircard.service.pages.correct import correct_page
from paircard.service.pages.desk import Chosen, desk_page
from paircard.service.pages.told import span
from paircard.service.pages.words import Said
from paircard.service.people import person as somebody
from paircard.service.review.preview import Correction
from paircard.service.tournament import result_command
from paircard.web.access.roles import need_arbiter
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.fields import number
from paircard.web.html.public import EVENT
from paircard.web.html.sending import person_of, send, take, verb
from paircard.web.looking import need_id
from paircard.web.pages import Page
from paircard.web.problems import UnreadableBody, in_words_of_pages
from paircard.web.site import Site

STEPS: Final = {
    "draw": "draw-initial-colour",
    "pair": "pair-round",
    "publish": "publish-round",
    "unpair": "unpair-round",
    "close": "close-tournament",
    "reopen": "reopen-tournament",
}
"""What the buttons of the next step send."""


def arbiter(call: Call) -> str:
    """The name of the arbiter at the desk."""
    return need_arbiter(call.login, need_id(call.tournament), "desk").who


def address(call: Call, rest: str = "") -> str:
    return f"/tournaments/{call.tournament}/desk{rest}"


LONGEST: Final = 100
"""Letters of a name that is looked for."""


def desk(site: Site, call: Call, *, refusal: Said | None = None, board: int = 0) -> str:
    """The desk as it is now."""
    other = call.parameter("other")
    chosen = Chosen(
        board=board or call.number("board", 0, most=10**6),
        find=(call.parameter("find") or "")[:LONGEST],
        other=other,
        open_only=call.parameter("show") == "open",
    )
    return desk_page(
        site.tournament(call.tournament).now(),
        frame_of(site, call, None, "desk.js"),
        who=arbiter(call),
        key=new_key(),
        chosen=chosen,
        refusal=refusal,
    )


def results(site: Site, call: Call) -> Answer:
    """Results of the last round."""
    arbiter(call)
    return fresh(desk(site, call))


def result(site: Site, call: Call) -> Answer:
    """Record one result; the next open board follows."""
    arbiter(call)

    def refused(fields: dict[str, str], refusal: Said) -> str:
        board = fields.get("board", "").strip()
        return desk(site, call, refusal=refusal, board=int(board) if is_number(board) else 0)

    def following(fields: dict[str, str]) -> str:
        last = site.tournament(call.tournament).now().history.rounds[-1]
        waiting = last.open_boards()
        board = number(fields, "board")
        after = next((one for one in waiting if one > board), next(iter(waiting), 0))
        return address(call, f"?board={after}" if after else "")

    return send(
        site,
        call,
        lambda fields: [
            result_command(number(fields, "round"), number(fields, "board"), fields.get("result", "").strip())
        ],
        done=following,
        refused=refused,
        back=address(call),
    )


def clear(site: Site, call: Call) -> Answer:
    """Take back a result that was entered on the wrong board; the game is open again."""
    arbiter(call)

    def page(fields: dict[str, str], refusal: Said) -> str:
        return correction(site, call, {name: fields.get(name, "") for name in FIELDS}, refusal)

    return send(
        site,
        call,
        lambda fields: [verb("clear-result", round=number(fields, "round"), board=number(fields, "board"))],
        done=lambda fields: address(call, f"?board={number(fields, 'board')}"),
        refused=page,
        back=address(call, "/correct"),
    )


def undo(site: Site, call: Call) -> Answer:
    """Take back what one's own form came to, as long as nothing was built on it."""
    login = need_arbiter(call.login, need_id(call.tournament), "desk")

    def work(fields: dict[str, str]) -> Done:
        facts = span(fields.get("done", ""))
        if facts is None:
            raise UnreadableBody("page.nothing-to-take-back").at("done")
        by = person_of(login, fields)
        site.commands.take(login.grant.id)
        return site.tournament(call.tournament).take_back(*facts, by=by)

    return take(
        site,
        call,
        work,
        done=lambda fields: address(call),
        refused=lambda fields, refusal: desk(site, call, refusal=refusal),
        back=address(call),
    )


def step(site: Site, call: Call) -> Answer:
    """Draw, pair, publish, take back, close or reopen."""
    arbiter(call)
    name = STEPS[call.request.url.path.rpartition("/")[2]]

    def commands(fields: dict[str, str]) -> Sequence[Any]:
        if name in ("draw-initial-colour", "close-tournament", "reopen-tournament"):
            return [verb(name)]
        return [verb(name, round=number(fields, "round"))]

    return send(
        site,
        call,
        commands,
        done=lambda fields: address(call),
        refused=lambda fields, refusal: desk(site, call, refusal=refusal),
        back=address(call),
    )


def correct(site: Site, call: Call) -> Answer:
    """A correction: the form, and what it would change."""
    arbiter(call)
    return fresh(correction(site, call, {name: call.parameter(name) or "" for name in FIELDS}))


MET: Final = ("one", "other", "first", "second")
"""Two players who sat in each other's seats, and the results of their games."""
FIELDS: Final = ("round", "board", "result", "why", *MET)


def correction(site: Site, call: Call, fields: dict[str, str], refusal: Said | None = None) -> str:
    """The page of a correction with its preview, as far as the fields go."""
    who = arbiter(call)
    now = site.tournament(call.tournament).now()
    round = int(fields["round"]) if is_number(fields["round"]) else now.history.paired
    board = int(fields["board"]) if is_number(fields["board"]) else 0
    preview = None
    met = {name: fields[name] for name in MET}
    if (met["one"] or (fields["result"] and board)) and not refusal:
        try:
            command: Correction
            if met["one"]:
                command = seats_exchanged(now, round, met)
            else:
                outcome = parse_outcome(fields["result"])
                command = CorrectResult(round=round, board=board, outcome=outcome)
            preview = now.preview(command, by=somebody(who).because(fields["why"]))
        except NeedsAcknowledgement:
            raise
        except PaircardError as refused:
            refusal = in_words_of_pages(refused)
    return correct_page(
        now,
        frame_of(site, call),
        who=who,
        key=new_key(),
        round=min(max(round, 1), max(now.history.paired, 1)),
        board=board,
        result=fields["result"],
        why=fields["why"],
        met=met,
        preview=preview,
        refusal=refusal,
    )


def seats_exchanged(now: Moment, round: int, fields: dict[str, str]) -> CorrectBoards:
    """The correction for two players who sat in each other's seats, as the form has it."""
    one, other = number(fields, "one"), number(fields, "other")
    return now.seats_exchanged(round, one, other, (fields.get("first", ""), fields.get("second", "")))


def record_correction(site: Site, call: Call) -> Answer:
    """Record the correction that was looked at; if something happened since, it is shown again."""
    arbiter(call)

    def commands(fields: dict[str, str]) -> Sequence[Any]:
        round = number(fields, "round")
        if fields.get("one"):
            return [seats_exchanged(site.tournament(call.tournament).now(), round, fields)]
        board = number(fields, "board")
        return [verb("correct-result", round=round, board=board, outcome=fields.get("result", ""))]

    def page(fields: dict[str, str], refusal: Said) -> str:
        return correction(site, call, {name: fields.get(name, "") for name in FIELDS}, refusal)

    return send(
        site,
        call,
        commands,
        done=lambda fields: f"/tournaments/{call.tournament}/corrections",
        refused=page,
        back=address(call, "/correct"),
    )


PAGES: Final = (
    Page(address=EVENT + "/desk", handler=results),
    Page(method="POST", address=EVENT + "/desk/result", handler=result, form=True, writes=True),
    Page(method="POST", address=EVENT + "/desk/undo", handler=undo, form=True, writes=True),
    Page(method="POST", address=EVENT + "/desk/clear", handler=clear, form=True, writes=True),
    *(
        Page(method="POST", address=f"{EVENT}/desk/{name}", handler=step, form=True, writes=True)
        for name in STEPS
    ),
    Page(address=EVENT + "/desk/correct", handler=correct),
    Page(method="POST", address=EVENT + "/desk/correct", handler=record_correction, form=True, writes=True),
)
