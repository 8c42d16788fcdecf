"""A tournament as far as its log was read, and what commands make of it.

The store keeps it in memory and decides on it. Facts are sealed here; nothing is recorded.
"""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from paircard.domain.commands import Command
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import settle
from paircard.domain.events import Recorded
from paircard.domain.log.backends.base import Row
from paircard.domain.log.chain import GENESIS, checked, opened, seal
from paircard.domain.log.retry import need_same
from paircard.domain.state import NOTHING, Tournament, accept, fold, remember

Rows = Callable[[str, int, int], list[Row]]
"""How facts of a tournament are read: those after a version, up to another."""


class Known(msgspec.Struct, frozen=True):
    """State and head after the facts that were read."""

    state: Tournament = NOTHING
    head: str = GENESIS
    answers: dict[str, list[int]] = msgspec.field(default_factory=dict)
    """Versions of the facts of each command: only ever added to, so older states may share it."""


def grown(tournament: str, kept: Known, rows: Sequence[Row]) -> Known:
    """The state with the facts that came since, each checked against the chain."""
    return advanced(kept, checked(tournament, rows, kept.state.version, kept.head))


def advanced(kept: Known, facts: Sequence[Recorded]) -> Known:
    """The state with the next facts."""
    if not facts:
        return kept
    for fact in facts:
        kept.answers.setdefault(fact.command_id, []).append(fact.version)
    state = fold([fact.fact for fact in facts], kept.state)
    return Known(remember(state, [fact.command_id for fact in facts]), facts[-1].hash, kept.answers)


def decided(
    tournament: str, kept: Known, commands: Sequence[Command], rows: Rows
) -> tuple[tuple[Recorded, ...], Known]:
    """The sealed facts these commands give, and the state after them; those carried out before give none."""

    state, head = kept.state, kept.head
    facts: list[Recorded] = []
    begun: dict[str, Tournament] = {}
    for command in commands:
        meta = command.meta
        id = meta.command_id
        decision = weigh(state, command)
        if id in begun:
            need_same(command, [one for one in facts if one.command_id == id], partial(begun.__getitem__, id))
        elif state.knows(id):
            need_same(command, *first_time(tournament, kept.answers[id], rows))
        else:
            begun[id] = state
        acknowledged = settle(decision, meta)
        for fact in decision.events:
            draft = Recorded(
                tournament=tournament,
                version=state.version + 1,
                fact=fact,
                who=meta.who,
                when=meta.when,
                why=meta.why,
                command_id=id,
                acknowledged=acknowledged,
                previous=head,
                hash="",
            )
            recorded, _ = seal(draft, head)
            state, head = accept(state, recorded), recorded.hash
            facts.append(recorded)
    return tuple(facts), Known(state, head, kept.answers)


def first_time(
    tournament: str, versions: Sequence[int], rows: Rows
) -> tuple[list[Recorded], Callable[[], Tournament]]:
    """The facts a command gave, and how to come by the state it met."""
    start = min(versions) - 1
    first = [opened(tournament, *row) for row in rows(tournament, start, max(versions))]

    def before() -> Tournament:
        return fold(opened(tournament, *row).fact for row in rows(tournament, 0, start))

    return first, before
