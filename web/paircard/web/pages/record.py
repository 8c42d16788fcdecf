"""The record: the time line of a tournament, the check of a printed code, what-if, and replay."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, TypeAlias

import msgspec

from paircard.domain import events
from paircard.domain.errors import Invalid, Refused
from paircard.domain.events import Recorded
from paircard.domain.proof.checkpoints import parse_printed
from paircard.domain.state import Player
from paircard.domain.values.players import Details
from paircard.domain.values.results import parse_outcome
from paircard.service import Moment
from paircard.service.print.rendering import FILE, Frame, Said
from paircard.service.review.replay import PairingSheet, Replayed
from paircard.service.review.replay import replay as replay_rounds
from paircard.service.review.what_if import BranchRound, Supposed, WhatIf, seats
from paircard.service.review.what_if import what_if as suppose
from paircard.web.calls import Answer, Call
from paircard.web.looking import Look, look
from paircard.web.pages.forms import RESULTS
from paircard.web.pages.page import EVENT, Pages, frame_of, fresh, page_of, word
from paircard.web.problems import in_words_of_pages
from paircard.web.roles import need_reader
from paircard.web.site import Site

PAGES: Final = Pages()
Seats: TypeAlias = tuple[Details, Details | None] | None
"""White and Black, Black None for the bye."""


class BranchRow(msgspec.Struct, frozen=True, kw_only=True):
    """A board of the record and the one of the branch; Black is None for the bye."""

    board: int
    """0 for the bye."""
    recorded: Seats
    engine: Seats
    branch: Seats
    mark: str
    """Why the board on record is not the engine's, as a key of words; empty if it is."""
    was: bool
    """The engine's board would not be there in the branch."""
    would_be: bool
    """The branch has a board that the engine's round has not."""

    @property
    def differs(self) -> bool:
        """Whether the supposition changes this board."""
        return self.was or self.would_be


def what_if_page(
    moment: Moment, frame: Frame, *, found: WhatIf | None = None, refusal: Said | None = None, **asked: object
) -> str:
    """What is ``asked``: round, board and result; then the rounds of the record and of the branch, side by
    side."""
    players = moment.state.players
    return page_of(
        moment,
        "what_if.html",
        frame,
        results=RESULTS,
        found=found,
        sheets=[(each, side_by_side(each, players)) for each in found.rounds] if found else [],
        refusal=refusal,
        **asked,
    )


def side_by_side(each: BranchRound, players: Sequence[Player]) -> list[BranchRow]:
    """The boards of a round in the record and in the branch, the bye last."""

    def named(board: events.Board | None) -> Seats:
        if board is None:
            return None
        white, black = board
        return players[white - 1].details, players[black - 1].details if black else None

    ours, theirs = seats(each.engine), seats(each.branch)
    return [
        BranchRow(
            board=at,
            recorded=named(stands),
            engine=named(one),
            branch=named(other),
            mark=each.mark(stands) if stands else "",
            was=one is not None and one not in theirs,
            would_be=other is not None and other not in ours,
        )
        for at, (stands, one, other) in laid_side_by_side(each.recorded, each.engine, each.branch)
    ]


def laid_side_by_side(
    *sheets: PairingSheet | None,
) -> Iterator[tuple[int, tuple[events.Board | None, ...]]]:
    """The boards of several sheets of a round by their number; the bye comes last, as board 0."""
    for at, boards in enumerate(zip_longest(*map(seats, sheets)), start=1):
        yield (at if any(board and board[1] for board in boards) else 0), boards


def replay_page(moment: Moment, frame: Frame, replayed: Sequence[Replayed]) -> str:
    """Every recorded round with a tick, or what is different about it."""
    return page_of(
        moment,
        "replay.html",
        frame,
        replayed=replayed,
        alarms=sum(not one.accounted_for for one in replayed),
    )


AROUND: Final = 12
"""Facts shown before and after the one that is looked at."""
WIDE: Final = 660
"""Width of the time line."""


def record_page(
    now: Moment, at: int | None = None, frame: Frame = FILE, *, then: Moment | None = None, code: str = ""
) -> str:
    """The time line of ``now`` with the fact ``at``; ``then`` is the tournament as of that fact."""
    total = now.version
    here = min(max(at or total, 1), total)
    shown = then or now
    facts = now.facts
    first, last = max(here - AROUND, 1), min(here + AROUND, total)
    view = shown.boards() if shown.state.paired else None
    published = dict(starts(facts[:here])).get(view.round, 0) if view else 0
    corrected = {one.version for one in facts if isinstance(one.fact, events.Correction)}
    verdict, version = check_code(now, code) if code.strip() else ("", 0)
    around = range(first, last + 1)
    lines = {line.version: line for line in now.log(versions=(*around, version))}
    return page_of(
        shown,
        "record.html",
        frame,
        here=here,
        total=total,
        bands=bands(facts),
        ticks=[(place(version, total), version) for version in sorted(corrected)],
        pin=place(here, total),
        lines=[lines[at] for at in around],
        corrected=corrected,
        unpaired={one.version for one in facts if isinstance(one.fact, events.RoundUnpaired)},
        first=first,
        last=last,
        current=lines[here],
        starts=starts(facts),
        view=view,
        changed=changed_boards(facts, published, here, view.round if view else 0),
        published=published,
        verdict=verdict,
        checked=version,
        said=lines.get(version),
        code=code,
    )


def place(version: int, total: int) -> float:
    """Where a fact stands on the time line."""
    return round((version - 1) / max(total - 1, 1) * WIDE, 1)


def starts(facts: Sequence[Recorded]) -> list[tuple[int, int]]:
    """Round and version of the publication of each round, the last one of each."""
    found = {one.fact.round: one.version for one in facts if isinstance(one.fact, events.RoundPublished)}
    return sorted(found.items())


def bands(facts: Sequence[Recorded]) -> list[tuple[float, float, int]]:
    """The entries (0) and the rounds as stretches of the time line: begin, width, round."""
    first: dict[int, int] = {}
    for one in facts:
        if isinstance(one.fact, events.RoundPaired):
            first.setdefault(one.fact.round, one.version)
    edges = [(0, 1), *sorted(first.items())]
    total = len(facts)
    ends = [version for _, version in edges[1:]] + [total]
    return [
        (place(start, total), round(place(end, total) - place(start, total), 1), number)
        for (number, start), end in zip(edges, ends, strict=True)
        if end > start
    ]


def changed_boards(facts: Sequence[Recorded], since: int, here: int, round: int) -> dict[int, str]:
    """Boards of a round on which something was recorded in a stretch of the log: ``new`` or ``corrected``."""
    made: dict[int, str] = {}
    for one in facts[since:here]:
        fact = one.fact
        if isinstance(fact, events.BoardsCorrected) and fact.round == round:
            made |= {played.board: "corrected" for played in fact.boards}
        elif getattr(fact, "round", 0) == round and (board := getattr(fact, "board", 0)):
            made[board] = "corrected" if isinstance(fact, events.Correction) else "new"
    return made


def check_code(now: Moment, code: str) -> tuple[str, int]:
    """Whether this log had the code that is printed on a sheet, and of which fact it is.

    ``genuine``, ``other``, ``later`` or ``unreadable``.
    """
    try:
        version, digits = parse_printed(code)
    except Invalid:
        return "unreadable", 0
    if version > now.version:
        return "later", version
    return "genuine" if now.facts[version - 1].hash.startswith(digits) else "other", version


@PAGES.get(EVENT + "/record")
def record(site: Site, call: Call) -> Answer:
    """The facts on a time line; ``at`` is the fact that is looked at."""
    seen = seen_by_reader(site, call)
    now, at = site.tournament(call.tournament).now(), seen.moment.version if seen.fixed else None
    code = word("head")(call)
    return fresh(record_page(now, at, frame_of(site, call, seen), then=seen.moment, code=code))


def seen_by_reader(site: Site, call: Call) -> Look:
    """The moment a page of the record is about, for those who may see all of it."""
    need_reader(call.login, call.tournament, "record")
    return look(site, call)


@PAGES.get(EVENT + "/record/what-if")
def what_if(site: Site, call: Call) -> Answer:
    """The record compared with a branch in which a board ended otherwise; nothing is written."""
    seen = seen_by_reader(site, call)
    round, board = call.number("round", 0, most=10**6), call.number("board", 0, most=10**6)
    result, found, refusal = word("result")(call), None, None
    if round and board and result:
        try:
            one = Supposed(round=round, board=board, outcome=parse_outcome(result))
            found = site.desk_reviewer.run(suppose, list(seen.moment.facts), [one])
        except Refused as refused:
            refusal = in_words_of_pages(refused)
    asked = {"round": round, "board": board, "result": result}
    return fresh(what_if_page(seen.moment, frame_of(site, call, seen), found=found, refusal=refusal, **asked))


@PAGES.get(EVENT + "/record/replay")
def replay(site: Site, call: Call) -> Answer:
    """Every recorded round made again, with a tick for each."""
    seen = seen_by_reader(site, call)
    made: list[Replayed] = site.desk_reviewer.run(replay_rounds, list(seen.moment.facts))
    return fresh(replay_page(seen.moment, frame_of(site, call, seen), made))
