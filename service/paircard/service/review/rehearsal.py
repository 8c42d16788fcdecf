"""Commands before they are sent: the facts they would give, and what would change. Nothing is written."""

from collections.abc import Sequence

import msgspec

from paircard.domain.commands import Command
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import Caution
from paircard.domain.events import Recorded
from paircard.domain.state import evolve, fold
from paircard.projections.differences import Moved, ResultChange, RoundChange, difference
from paircard.projections.log_lines import LogLine


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True):
    """What commands would do."""

    version: int
    """Of the tournament they were tried on."""
    lines: tuple[LogLine, ...]
    """The facts that would be recorded, in words."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is done."""
    rounds: tuple[RoundChange, ...]
    results: tuple[ResultChange, ...]
    numbers: tuple[tuple[int, int, int], ...]
    """Id, number before and after; 0 for none."""
    standings: tuple[Moved, ...]


def rehearse(log: Sequence[Recorded], commands: Sequence[Command]) -> Rehearsal:
    """Try signed commands on a log; refuses what would be refused, except warnings, which are reported."""
    state = fold([recorded.fact for recorded in log])
    would_be = list(log)
    warnings: list[Caution] = []
    for command in commands:
        decision = weigh(state, command)
        warnings += decision.warnings
        for fact in decision.events:
            state = evolve(state, fact)
            would_be.append(
                Recorded(
                    tournament=log[-1].tournament,
                    version=state.version,
                    fact=fact,
                    who=command.meta.who,
                    when=command.meta.when,
                    why=command.meta.why,
                    previous="",
                    hash="",
                )
            )
    found = difference(would_be, len(log), len(would_be))
    return Rehearsal(
        version=len(log),
        lines=found.facts,
        warnings=tuple(warnings),
        rounds=found.rounds,
        results=found.results,
        numbers=found.numbers,
        standings=found.standings,
    )
