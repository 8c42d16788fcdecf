"""What changed after it was recorded or published: corrections, and the latest results."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from paircard.domain.events import (
    BoardsCorrected,
    ColoursCorrected,
    GameAdjourned,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundUnpaired,
)
from paircard.domain.rounds import outcome_in_words
from paircard.domain.values.results import spell


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

    when: str
    round: int
    board: int
    result: str


def corrections(facts: Iterable[Recorded]) -> tuple[Correction, ...]:
    """Every correction, the last first."""
    known: dict[tuple[int, int], str] = {}
    made: list[Correction] = []
    for recorded in facts:
        fact = recorded.fact
        match fact:
            case ResultRecorded(round=round, board=board, outcome=outcome):
                known[round, board] = spell(outcome)
            case GameAdjourned(round=round, board=board):
                known[round, board] = "adjourned"
            case RoundUnpaired(round=round):
                known = {place: result for place, result in known.items() if place[0] != round}
            case ResultCorrected(round=round, board=board, outcome=outcome, scope=scope):
                was, known[round, board] = known.get((round, board), ""), spell(outcome)
                made.append(correction(recorded, round, board, was, spell(outcome), scope))
            case ColoursCorrected(round=round, board=board, scope=scope):
                made.append(correction(recorded, round, board, "", "", scope))
            case BoardsCorrected(round=round, boards=boards, scope=scope):
                for one in boards:
                    was, now = known.get((round, one.board), ""), outcome_in_words(one.outcome)
                    known[round, one.board] = now
                    found = correction(recorded, round, one.board, was, now, scope)
                    made.append(replace(found, met=True))
            case _:
                pass
    return tuple(reversed(made))


def correction(recorded: Recorded, round: int, board: int, was: str, now: str, scope: str) -> Correction:
    """One correction with its envelope."""
    return Correction(
        version=recorded.version,
        when=recorded.when,
        round=round,
        board=board,
        was=was,
        now=now,
        scope=scope,
        who=recorded.who,
        why=recorded.why,
    )


def latest(facts: Iterable[Recorded], round: int, most: int = 5) -> tuple[Latest, ...]:
    """The results of a round that came last, the newest first."""
    found = [
        Latest(when=one.when, round=round, board=one.fact.board, result=spell(one.fact.outcome))
        for one in facts
        if isinstance(one.fact, ResultRecorded) and one.fact.round == round
    ]
    return tuple(reversed(found[-most:]))
