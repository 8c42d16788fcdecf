"""Corrections: what was put right, and the form that shows what a correction would change."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from paircard.domain import events
from paircard.domain.commands import CorrectBoards, CorrectResult
from paircard.domain.errors import NeedsAcknowledgement, PaircardError
from paircard.domain.events import Recorded
from paircard.domain.rounds import outcome_in_words
from paircard.domain.values.results import parse_outcome, spell
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import is_number
from paircard.service import Done, Moment
from paircard.service.desk import person as somebody
from paircard.service.print.event import event_of
from paircard.service.print.rendering import FILE, Frame, Said
from paircard.service.review.preview import Correction as Proposed
from paircard.service.review.preview import Preview
from paircard.service.views import Round, Seat
from paircard.web.calls import Answer, Call
from paircard.web.pages.forms import RESULTS, AtDesk, Desk, address, at_desk, number, order, verb
from paircard.web.pages.page import EVENT, fresh, page, render
from paircard.web.pages.record import side_by_side
from paircard.web.problems import in_words_of_pages
from paircard.web.site import Site

PAGES: Final = Desk()
CORRECTIONS: Final = (events.ResultCorrected, events.ColoursCorrected, events.BoardsCorrected)


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """A result, the colours or the players of a board, put right."""

    version: int
    when: str
    round: int
    board: int
    was: str
    """The result before, as people write it; empty for colours."""
    now: str
    scope: str
    """What it counts for (C.04.2:4.3)."""
    who: str = ""
    why: str = ""
    met: bool = False
    """Others met than the record had."""


class Latest(msgspec.Struct, frozen=True, kw_only=True):
    """A result that was just recorded."""

    who: str
    when: str
    board: int
    result: str


def corrections_of(moment: Moment) -> tuple[Correction, ...]:
    """Every correction on record, the last first."""
    return moment.once("corrections", lambda: corrections_in(moment.facts))


def corrections_in(facts: Sequence[Recorded]) -> tuple[Correction, ...]:
    """Every correction among facts, the last first."""
    if not any(isinstance(one.fact, CORRECTIONS) for one in facts):
        return ()
    known: dict[tuple[int, int], str] = {}
    made: list[Correction] = []
    for recorded in facts:
        corrected = partial(
            Correction, version=recorded.version, when=recorded.when, who=recorded.who, why=recorded.why
        )
        match recorded.fact:
            case events.ResultRecorded(round=round, board=board, outcome=outcome):
                known[round, board] = spell(outcome)
            case events.GameAdjourned(round=round, board=board):
                known[round, board] = "adjourned"
            case events.RoundUnpaired(round=round):
                known = {place: result for place, result in known.items() if place[0] != round}
            case events.ResultCorrected(round=round, board=board, outcome=outcome, scope=scope):
                was, known[round, board] = known.get((round, board), ""), spell(outcome)
                made.append(corrected(round=round, board=board, was=was, now=spell(outcome), scope=scope))
            case events.ColoursCorrected(round=round, board=board, scope=scope):
                made.append(corrected(round=round, board=board, was="", now="", scope=scope))
            case events.BoardsCorrected(round=round, boards=boards, scope=scope):
                for one in boards:
                    was, is_now = known.get((round, one.board), ""), outcome_in_words(one.outcome)
                    known[round, one.board] = is_now
                    made.append(
                        corrected(round=round, board=one.board, was=was, now=is_now, scope=scope, met=True)
                    )
            case _:
                pass
    return tuple(reversed(made))


def latest(facts: Sequence[Recorded], round: int, most: int = 5) -> tuple[Latest, ...]:
    """The results of a round that came last, the newest first."""
    found = (
        Latest(who=one.who, when=one.when, board=one.fact.board, result=spell(one.fact.outcome))
        for one in reversed(facts)
        if isinstance(one.fact, events.ResultRecorded) and one.fact.round == round
    )
    return tuple(islice(found, most))


MET: Final = ("one", "other", "first", "second")
"""Two players who sat in each other's seats, and the results of their games."""
FIELDS: Final = ("round", "board", "result", "why", *MET)
RULE_OF: Final = {"windows": "rule", "always": "rule-2012", "standings": "rule-table"}
"""The sentence behind the windows of the rules."""
WINDOWS: Final[tuple[events.Scope, ...]] = ("pairing-next", "pairing-after-next", "rating-report-only")
"""[C.04.2:4.3] What a correction touches, by the moment it is reported."""


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """A span of time, and what a correction touches that is reported in it."""

    name: str
    """``pairing-next``, ``pairing-after-next``, ``rating-report-only``; else ``always`` (2012) or
    ``standings`` (of a table), and ``closed``."""
    now: bool


def correct_page(
    desk: AtDesk,
    round: int,
    board: int,
    *,
    result: str = "",
    why: str = "",
    met: Mapping[str, str] | None = None,
    preview: Preview | None = None,
    refusal: Said | None = None,
) -> str:
    """A correction: which board, which result, why, or who met; then what it would change, and the button."""
    moment = desk.moment
    view = moment.boards(round) if moment.state.paired else None
    rounds = [*preview.stands, *([preview.next_round] if preview.next_round else [])] if preview else []
    return desk.page(
        "desk_correct.html",
        refusal,
        view=view,
        line=next((one for one in view.boards if one.board == board), None) if view else None,
        result=result,
        why=why,
        met=dict.fromkeys(MET, "") | dict(met or {}),
        people=people_of(view) if view and (round < moment.state.paired or moment.state.closed) else [],
        preview=preview,
        rule=RULE_OF[RULES[moment.regulations.edition].corrections],
        windows=windows(moment, preview.scope) if preview else [],
        sheets=[side_by_side(each, moment.state.players) for each in rounds],
        results=RESULTS,
    )


def people_of(view: Round) -> list[Seat]:
    """Everybody who was paired in a round, by number."""
    seats = [seat for line in view.boards for seat in (line.white, line.black)]
    seats += [view.pab] if view.pab else []
    return sorted(seats, key=lambda seat: seat.number or 0)


def windows(moment: Moment, scope: events.Scope) -> list[Window]:
    """The windows of the edition, with the one that applies now."""
    until_closed = RULES[moment.regulations.edition].corrections
    if until_closed != "windows":
        late = scope == "rating-report-only"
        return [Window(name=until_closed, now=not late), Window(name="closed", now=late)]
    return [Window(name=one, now=one == scope) for one in WINDOWS]


def corrections_page(moment: Moment, frame: Frame = FILE) -> str:
    """Everything that was put right after it was recorded, with its date and what it counts for."""
    made, players = corrections_of(moment), moment.state.players
    games = {
        (one.version, one.board): moment.state.rounds[one.round - 1].games()[one.board - 1] for one in made
    }
    return render(
        "corrections.html",
        frame,
        event=event_of(moment),
        corrections=made,
        pairs={
            at: (players[game.white - 1].details, players[game.black - 1].details)
            for at, game in games.items()
        },
    )


@PAGES.get(EVENT + "/desk/correct")
def correct(site: Site, call: Call) -> Answer:
    """A correction: the form, and what it would change."""
    return fresh(correction_form(site, call, {name: call.parameter(name) or "" for name in FIELDS}))


def correction_form(site: Site, call: Call, fields: Mapping[str, str], refusal: Said | None = None) -> str:
    """The page of a correction with its preview, as far as the fields go."""
    desk, preview = at_desk(site, call), None
    now, fields = desk.moment, dict.fromkeys(FIELDS, "") | dict(fields)
    round = int(fields["round"]) if is_number(fields["round"]) else now.state.paired
    board = int(fields["board"]) if is_number(fields["board"]) else 0
    met = {name: fields[name] for name in MET}
    if (met["one"] or (fields["result"] and board)) and not refusal:
        try:
            command: Proposed
            if met["one"]:
                command = seats_exchanged(now, round, met)
            else:
                outcome = parse_outcome(fields["result"])
                command = CorrectResult(round=round, board=board, outcome=outcome)
            preview = now.preview(command, by=somebody(desk.who).because(fields["why"]))
        except NeedsAcknowledgement:
            raise
        except PaircardError as refused:
            refusal = in_words_of_pages(refused)
    return correct_page(
        desk,
        min(max(round, 1), max(now.state.paired, 1)),
        board,
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


@PAGES.form(
    "/correct", correction_form, done=lambda site, call, fields: f"/tournaments/{call.tournament}/corrections"
)
def record_correction(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Record the correction that was looked at; if something happened since, it is shown again."""
    round = number(fields, "round")
    if fields.get("one"):
        exchanged = seats_exchanged(site.tournament(call.tournament).now(), round, fields)
        return order(site, call, fields, exchanged)
    board, result = number(fields, "board"), fields.get("result", "")
    return order(site, call, fields, verb("correct-result", round=round, board=board, outcome=result))


def at_board(site: Site, call: Call, fields: dict[str, str]) -> str:
    """The desk with the board of a form."""
    return address(call, f"?board={number(fields, 'board')}")


@PAGES.form("/clear", correction_form, done=at_board, back="/correct")
def clear(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Take back a result that was entered on the wrong board; the game is open again."""
    wanted = verb("clear-result", round=number(fields, "round"), board=number(fields, "board"))
    return order(site, call, fields, wanted)


@PAGES.get(EVENT + "/corrections")
def corrections(site: Site, call: Call) -> Answer:
    """What was put right after it was recorded."""
    return page(site, call, "corrections", corrections_page)
