"""The record: every fact on a time line, and any page as it was at that fact."""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.events import (
    BoardsCorrected,
    ColoursCorrected,
    Recorded,
    ResultCorrected,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
)
from paircard.domain.proof.checkpoints import parse_printed
from paircard.projections.log_lines import LogLine
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import FILE, Frame, render

CORRECTIONS: Final = ResultCorrected | ColoursCorrected | BoardsCorrected
AROUND: Final = 12
"""Facts shown before and after the one that is looked at."""
WIDE: Final = 660
"""Width of the time line."""


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the time line: the entries, or a round."""

    x: float
    wide: float
    round: int
    """0 for the time before round 1."""


class Tick(msgspec.Struct, frozen=True):
    """A correction on the time line."""

    x: float
    version: int


class FactLine(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of the list."""

    line: LogLine
    corrects: bool
    taken_back: bool


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a printed code."""

    verdict: str
    """``genuine``, ``other``, ``later`` or ``unreadable``."""
    version: int = 0
    since: int = 0
    line: LogLine | None = None


def record_page(
    now: Moment, at: int | None = None, frame: Frame = FILE, *, then: Moment | None = None, code: str = ""
) -> str:
    """The time line of ``now`` with the fact ``at``; ``then`` is the tournament as of that fact."""
    total = now.version
    here = min(max(at or total, 1), total)
    shown = then or now
    lines = now.log()
    facts = now.facts
    first, last = max(here - AROUND, 1), min(here + AROUND, total)
    view = shown.boards() if shown.history.paired else None
    published = publication(facts[:here], view.round) if view else 0
    return render(
        "record.html",
        frame,
        event=event_of(shown),
        here=here,
        total=total,
        bands=bands(facts),
        ticks=[Tick(place(v, total), v) for v in corrected(facts)],
        pin=place(here, total),
        lines=[fact_line(line, facts[line.version - 1]) for line in lines[first - 1 : last]],
        first=first,
        last=last,
        current=lines[here - 1],
        starts=starts(facts),
        view=view,
        changed=changed_boards(facts, published, here, view.round if view else 0),
        published=published,
        checked=check_code(now, lines, code) if code.strip() else None,
        code=code,
    )


def place(version: int, total: int) -> float:
    """Where a fact stands on the time line."""
    return round((version - 1) / max(total - 1, 1) * WIDE, 1)


def starts(facts: Sequence[Recorded]) -> list[tuple[int, int]]:
    """Round and version of the publication of each round, the last one of each."""
    found = {one.fact.round: one.version for one in facts if isinstance(one.fact, RoundPublished)}
    return sorted(found.items())


def bands(facts: Sequence[Recorded]) -> list[Band]:
    """The entries and the rounds as stretches of the time line."""
    first: dict[int, int] = {}
    for one in facts:
        if isinstance(one.fact, RoundPaired):
            first.setdefault(one.fact.round, one.version)
    edges = [(0, 1), *sorted(first.items())]
    total = len(facts)
    ends = [version for _, version in edges[1:]] + [total]
    return [
        Band(x=place(start, total), wide=round(place(end, total) - place(start, total), 1), round=number)
        for (number, start), end in zip(edges, ends, strict=True)
        if end > start
    ]


def corrected(facts: Sequence[Recorded]) -> list[int]:
    """Versions of the corrections."""
    return [one.version for one in facts if isinstance(one.fact, CORRECTIONS)]


def fact_line(line: LogLine, recorded: Recorded) -> FactLine:
    """A fact with the signs that the list gives it."""
    return FactLine(
        line=line,
        corrects=isinstance(recorded.fact, CORRECTIONS),
        taken_back=isinstance(recorded.fact, RoundUnpaired),
    )


def publication(facts: Sequence[Recorded], round: int) -> int:
    """Version of the fact that published a round last; 0 for none."""
    return dict(starts(facts)).get(round, 0)


def changed_boards(facts: Sequence[Recorded], since: int, here: int, round: int) -> dict[int, str]:
    """Boards of a round on which something was recorded in a stretch of the log: ``new`` or ``corrected``."""
    made: dict[int, str] = {}
    for one in facts[since:here]:
        fact = one.fact
        if isinstance(fact, BoardsCorrected) and fact.round == round:
            made |= {played.board: "corrected" for played in fact.boards}
        elif getattr(fact, "round", 0) == round and (board := getattr(fact, "board", 0)):
            made[board] = "corrected" if isinstance(fact, CORRECTIONS) else "new"
    return made


def check_code(now: Moment, lines: list[LogLine], code: str) -> Checked:
    """Whether this log had the code that is printed on a sheet."""
    try:
        version, digits = parse_printed(code)
    except Invalid:
        return Checked(verdict="unreadable")
    if version > now.version:
        return Checked(verdict="later", version=version)
    genuine = now.facts[version - 1].hash.startswith(digits)
    return Checked(
        verdict="genuine" if genuine else "other",
        version=version,
        since=now.version - version,
        line=lines[version - 1],
    )
