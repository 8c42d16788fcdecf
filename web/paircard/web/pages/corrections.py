"""Corrections: what was put right, and the form that shows what a correction would change."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain import events
from paircard.domain.commands import CorrectResult
from paircard.domain.errors import NeedsAcknowledgement, PaircardError
from paircard.domain.events import Recorded
from paircard.domain.rounds import outcome_in_words
from paircard.domain.values.results import parse_outcome, spell
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import is_number
from paircard.service import Done, Moment
from paircard.service.pairing_sheets import Round, Seat
from paircard.service.print.rendering import FILE, Frame
from paircard.service.review.what_if import Correction as Proposed
from paircard.service.review.what_if import Preview
from paircard.web.pages.forms import RESULTS, AtDesk, Desk, Form, Given
from paircard.web.pages.page import page_of
from paircard.web.pages.record import side_by_side
from paircard.web.problems import in_words_of_pages

PAGES: Final = Desk()


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


def corrections_of(moment: Moment) -> tuple[Correction, ...]:
    """Every correction on record, the last first."""
    return moment.once("corrections", lambda: corrections_in(moment.facts))


def corrections_in(facts: Sequence[Recorded]) -> tuple[Correction, ...]:
    """Every correction among facts, the last first."""
    corrections = ((one, one.fact) for one in facts if isinstance(one.fact, events.Correction))
    made: list[Correction] = []
    for one, fact in corrections:
        corrected = partial(
            Correction,
            version=one.version,
            when=one.when,
            who=one.who,
            why=one.why,
            round=fact.round,
            scope=fact.scope,
        )
        if isinstance(fact, events.BoardsCorrected):
            before = {each.board: outcome_in_words(each.outcome) for each in fact.was}
            for each in fact.boards:
                now = outcome_in_words(each.outcome)
                made.append(corrected(board=each.board, was=before[each.board], now=now, met=True))
        elif isinstance(fact, events.ColoursCorrected):
            made.append(corrected(board=fact.board, was="", now=""))
        else:
            was, now = outcome_in_words(fact.was), outcome_in_words(fact.outcome)
            made.append(corrected(board=fact.board, was=was, now=now))
    return tuple(reversed(made))


def latest(facts: Sequence[Recorded], view: Round, most: int = 5) -> list[tuple[Recorded, str]]:
    """The results of a round that came last, the newest first; only those that still stand."""
    stands = {board.board: board.result for board in view.boards}
    found: list[tuple[Recorded, str]] = []
    for one in reversed(facts):
        paired = isinstance(one.fact, events.RoundPaired) and one.fact.round == view.round
        if paired or len(found) == most:
            break
        if isinstance(one.fact, events.ResultRecorded) and one.fact.round == view.round:
            result = spell(one.fact.outcome)
            if stands.get(one.fact.board) == result:
                del stands[one.fact.board]
                found.append((one, result))
    return found


MET: Final = ("one", "other", "first", "second")
"""Two players who sat in each other's seats, and the results of their games."""
RULE_OF: Final = {"windows": "rule", "always": "rule-2012", "standings": "rule-table"}
"""The sentence behind the windows of the rules."""
WINDOWS: Final[tuple[events.Scope, ...]] = ("pairing-next", "pairing-after-next", "rating-report-only")
"""[C.04.2:4.3] What a correction touches, by the moment it is reported."""


@PAGES.page("/correct")
def correct(desk: AtDesk) -> str:
    """A correction with its preview, as far as the fields go."""
    given, preview = desk.given, None
    if (given["one"] or (given["result"] and board_of(desk))) and not desk.refusal:
        try:
            wanted = correction_of(desk.moment, round_of(desk), given)
            preview = desk.moment.preview(wanted, by=desk.somebody())
        except NeedsAcknowledgement:
            raise
        except PaircardError as refused:
            desk = replace(desk, refusal=in_words_of_pages(refused))
    return correct_page(desk, preview)


def round_of(desk: AtDesk) -> int:
    """The round a correction is about; the last one by default."""
    return int(desk.given["round"]) if is_number(desk.given["round"]) else desk.moment.state.paired


def board_of(desk: AtDesk) -> int:
    """The board a correction is about; 0 for none."""
    return int(desk.given["board"]) if is_number(desk.given["board"]) else 0


def correct_page(desk: AtDesk, preview: Preview | None = None) -> str:
    """A correction: which board, which result, why, or who met; then what it would change, and the button."""
    moment, board = desk.moment, board_of(desk)
    round = min(max(round_of(desk), 1), max(moment.state.paired, 1))
    view = moment.boards(round) if moment.state.paired else None
    rounds = [*preview.stands, *([preview.next_round] if preview.next_round else [])] if preview else []
    return desk.page(
        "desk_correct.html",
        view=view,
        line=next((one for one in view.boards if one.board == board), None) if view else None,
        result=desk.given["result"],
        why=desk.given["why"],
        met={name: desk.given[name] for name in MET},
        people=people_of(view) if view and (round < moment.state.paired or moment.state.closed) else [],
        preview=preview,
        rule=RULE_OF[RULES[moment.regulations.edition].corrections],
        windows=windows(moment, preview.scope) if preview else {},
        sheets=[(each, side_by_side(each, moment.state.players)) for each in rounds],
        results=RESULTS,
    )


def people_of(view: Round) -> list[Seat]:
    """Everybody who was paired in a round, by number."""
    seats = [seat for line in view.boards for seat in (line.white, line.black)]
    seats += [view.pab] if view.pab else []
    return sorted(seats, key=lambda seat: seat.number or 0)


def windows(moment: Moment, scope: events.Scope) -> dict[str, bool]:
    """The windows of the edition by name, and whether it is the one that applies now."""
    until_closed = RULES[moment.regulations.edition].corrections
    if until_closed != "windows":
        late = scope == "rating-report-only"
        return {until_closed: not late, "closed": late}
    return {one: one == scope for one in WINDOWS}


def corrections_page(moment: Moment, frame: Frame = FILE) -> str:
    """Everything that was put right after it was recorded, with its date and what it counts for."""
    made, players = corrections_of(moment), moment.state.players
    games = {
        (one.version, one.board): moment.state.rounds[one.round - 1].games()[one.board - 1] for one in made
    }
    return page_of(
        moment,
        "corrections.html",
        frame,
        corrections=made,
        pairs={
            at: (players[game.white - 1].details, players[game.black - 1].details)
            for at, game in games.items()
        },
    )


PAGES.shows("/corrections", corrections_page)


def correction_of(now: Moment, round: int, fields: Given) -> Proposed:
    """The result that a form corrects, or two players of it who sat in each other's seats."""
    if fields["one"]:
        results = fields["first"], fields["second"]
        return now.seats_exchanged(round, fields.number("one"), fields.number("other"), results)
    outcome = parse_outcome(fields["result"])
    return CorrectResult(round=round, board=fields.number("board"), outcome=outcome)


@PAGES.form("/correct", correct, done=lambda form: f"/tournaments/{form.call.tournament}/corrections")
def record_correction(form: Form) -> Done:
    """Record the correction that was looked at; if something happened since, it is shown again."""
    return form.order(correction_of(form.tournament.now(), form.fields.number("round"), form.fields))


@PAGES.form(
    "/clear", correct, done=lambda form: form.desk(f"?board={form.fields.number('board')}"), back="/correct"
)
def clear(form: Form) -> Done:
    """Take back a result that was entered on the wrong board; the game is open again."""
    return form.do("clear-result", round=form.fields.number("round"), board=form.fields.number("board"))
