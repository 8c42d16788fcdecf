"""Replay: every recorded round made again from the log alone, and compared.

The snapshot of a round is cut from the log as it stood when the round was paired, with the pairing numbers
the round recorded; its digest must be the recorded one, and the engine must give the recorded boards. The
numbers are counted again separately: among players of equal rating and title names decide them (C.04.2:2.2),
and a name may have been erased. Where something differs there is a named reason, or an alarm: never silence.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain import events
from paircard.domain.errors import PaircardError
from paircard.domain.events import Award, Board, Recorded
from paircard.domain.messages import Message
from paircard.domain.rounds import is_engines
from paircard.domain.state import Tournament, state_after
from paircard.pairing.engines import ENGINES
from paircard.pairing.outcome import NoLegalRound, PairingError
from paircard.projections.prizes import publication, rules_of
from paircard.projections.round.snapshot import Snapshot
from paircard.projections.views import numbers_for_pairing, snapshot_now

Verdict: TypeAlias = Literal[
    "identical",
    "altered",
    "by-hand",
    "imported",
    "other-engine",
    "differs",
    "snapshot-differs",
    "numbers-differ",
]
ALARMS: Final = frozenset({"differs", "snapshot-differs", "numbers-differ"})


class PairingSheet(msgspec.Struct, frozen=True):
    """Boards in published order, White first, and the pairing-allocated bye; ids, 0 for no bye."""

    boards: tuple[Board, ...]
    pab: int = 0


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded round, made again."""

    round: int
    version: int
    """Of the fact that recorded it."""
    verdict: Verdict
    edition: str
    engine: str
    """That paired it, as recorded."""
    recorded: PairingSheet
    """As it stands in the log, alterations included."""
    replayed: PairingSheet | None
    """As this engine pairs it; None where it finds no legal round."""
    note: str = ""
    """Why the engine finds no round, in English."""
    message: Message | None = None
    """Why, with code and fields."""
    taken_back: bool = False
    """The round was unpaired later."""

    @property
    def accounted_for(self) -> bool:
        """Identical, or different for a reason that is on record."""
        return self.verdict not in ALARMS

    @property
    def same(self) -> bool:
        """Whether the boards are the engine's, in any order."""
        ours = self.replayed
        return (
            ours is not None
            and set(ours.boards) == set(self.recorded.boards)
            and (ours.pab == self.recorded.pab)
        )


def replay(log: Sequence[Recorded], round: int | None = None) -> list[Replayed]:
    """Every round the log records, or all recordings of one round, in the order of the log."""
    made: list[Replayed] = []
    for recorded in log:
        fact = recorded.fact
        if isinstance(fact, events.RoundPaired) and round in (None, fact.round):
            made.append(replay_one(log, recorded.version, fact))
        elif isinstance(fact, events.PairingsAltered) and round in (None, fact.round):
            made[-1] = with_alteration(made[-1], fact)
        elif isinstance(fact, events.RoundUnpaired) and round in (None, fact.round):
            made[-1] = replace(made[-1], taken_back=True)
    return made


class ReplayedPrizes(msgspec.Struct, frozen=True, kw_only=True):
    """A list of prizes on record, computed again from the facts before it."""

    version: int
    """Of the fact that gave it out."""
    verdict: Literal["identical", "erased", "differs"]
    """``erased`` where it differs, and personal data is gone that may have decided."""
    awards: tuple[Award, ...]
    """As it stands in the log."""
    replayed: tuple[Award, ...]
    """As it follows from the facts."""


def replay_prizes(log: Sequence[Recorded]) -> list[ReplayedPrizes]:
    """Every list of prizes the log records, computed again."""
    made = []
    for recorded in log:
        fact = recorded.fact
        if not isinstance(fact, events.PrizesPublished):
            continue
        then = state_after(log[: recorded.version - 1])
        ours = publication(then)
        same = (ours.awards, ours.based_on) == (fact.awards, fact.based_on) and (
            ours.computed_from == fact.computed_from or not rules_of(then).prizes  # of a copy without people
        )
        erased = any(isinstance(later.fact, events.PersonErased) for later in log)
        made.append(
            ReplayedPrizes(
                version=recorded.version,
                verdict="identical" if same else "erased" if erased else "differs",
                awards=fact.awards,
                replayed=ours.awards,
            )
        )
    return made


def replay_one(log: Sequence[Recorded], version: int, fact: events.RoundPaired) -> Replayed:
    """The round a fact records, made again from the log before it."""
    seen = state_after(log[: fact.based_on or version - 1])
    erased = any(isinstance(later.fact, events.PersonErased) for later in log)
    numbers = dict(fact.numbers) if erased else numbers_for_pairing(seen)
    input = input_of(seen, fact)
    ours, none = paired_again(input)
    recorded = PairingSheet(fact.boards, fact.pab)
    return Replayed(
        round=fact.round,
        version=version,
        verdict=judge(fact, recorded, ours, input.digest(), numbers),
        edition=fact.edition,
        engine=fact.engine,
        recorded=recorded,
        replayed=ours,
        note=str(none or ""),
        message=none.said if none else None,
    )


def input_of(seen: Tournament, fact: events.RoundPaired) -> Snapshot:
    """What a round was paired from; for boards from a file, the file also says who was absent."""
    made = snapshot_now(seen, fact.round, dict(fact.numbers) or None)
    return made.without(dict(fact.absent)) if fact.origin == "import" else made


def paired_again(input: Snapshot) -> tuple[PairingSheet | None, PaircardError | None]:
    """The engine's round, or why there is none."""
    try:
        made = ENGINES[input.edition].pair(input)
    except (NoLegalRound, PairingError) as none:
        return None, none
    return PairingSheet(tuple((board.white, board.black) for board in made.boards), made.pab), None


def judge(
    fact: events.RoundPaired,
    recorded: PairingSheet,
    ours: PairingSheet | None,
    digest: str,
    numbers: dict[int, int],
) -> Verdict:
    """The verdict on a round as it was first recorded."""
    if fact.snapshot and fact.snapshot != digest:
        return "snapshot-differs"
    if fact.snapshot and fact.numbers and dict(fact.numbers) != numbers:
        return "numbers-differ"
    if fact.origin == "import":
        return "imported"
    if fact.origin == "manual":
        return "by-hand"
    if recorded == ours:
        return "identical"
    return "differs" if fact.engine == ENGINES[fact.edition].name else "other-engine"


def with_alteration(replayed: Replayed, fact: events.PairingsAltered) -> Replayed:
    """The round with the arbiter's boards; the engine's, recorded with them, must be the replayed ones."""
    verdict = replayed.verdict
    if verdict in ("identical", "altered"):  # the last change of a round tells all of it
        verdict = "identical" if is_engines(fact) else "altered"
    elif verdict == "by-hand" and fact.engine_boards:
        engines = PairingSheet(fact.engine_boards, fact.engine_pab)
        if replayed.replayed != engines:
            verdict = "differs" if replayed.engine == ENGINES[replayed.edition].name else "other-engine"
    return replace(replayed, verdict=verdict, recorded=PairingSheet(fact.boards, fact.pab))
