"""Scenes to start from: commands made short, and tournaments at well-known points."""

import itertools
from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import UNSET

from paircard.domain.commands import (
    Asked,
    CompleteRound,
    DrawInitialColour,
    LeaveFideMode,
    Meta,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import NeedsAcknowledgement
from paircard.domain.events import Board, Event, TournamentImported
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from tests.cautions import codes_up_to

DIGEST = "a" * 64
_ids = itertools.count(1)
C = TypeVar("C", bound=Asked)


def meta(*, why: str = "", ok: Iterable[str] = (), level: int = 0, id: str = "") -> Meta:
    return Meta(
        who="Anna Arbiter",
        when="2026-11-16T09:30:00Z",
        command_id=id or f"c{next(_ids)}",
        why=why,
        acknowledge=(*ok, *codes_up_to(level)),
    )


def ask(
    kind: type[C], *, why: str = "", ok: Iterable[str] = (), level: int = 0, id: str = "", **fields: Any
) -> C:
    """A command of this kind with a meta of its own."""
    return kind(meta=meta(why=why, ok=ok, level=level, id=id), **fields)


def when(state: Tournament, command: Any) -> tuple[Tournament, tuple[Event, ...]]:
    """The state after a command, and the facts it gave."""
    events = decide(state, command)
    return fold(events, state), events


def after(state: Tournament, *commands: Any) -> Tournament:
    """The state after these commands."""
    for command in commands:
        state, _ = when(state, command)
    return state


def opened(rounds: int = 5, **regulations: Any) -> Tournament:
    regulations = {"name": "Trentino Open", "half_byes": 1, **regulations}
    return after(NOTHING, ask(OpenTournament, level=2, regulations=Regulations(rounds=rounds, **regulations)))


def imported(rounds: int = 5, of_file: int = 1, **regulations: Any) -> Tournament:
    """A tournament from a file that holds so many rounds."""
    rules = Regulations(rounds=rounds, **{"name": "Trentino Open", **regulations})
    filed = TournamentImported(source="old.trf", format="trf26", paired=of_file or UNSET)
    return after(NOTHING, ask(OpenTournament, regulations=rules, filed=filed))


def outside_fide_mode(state: Tournament, why: str = "school event") -> Tournament:
    """FIDE mode left, which takes two steps."""
    try:
        decide(state, ask(LeaveFideMode, why=why))
    except NeedsAcknowledgement as asked:
        [caution] = asked.warnings
        return after(state, ask(LeaveFideMode, why=why, ok=[caution.answer]))
    raise AssertionError("leaving FIDE mode needs an acknowledgement")


def registered(players: int = 4, rounds: int = 5, **regulations: Any) -> Tournament:
    """Players rated 2400, 2390, … in the order of their ids."""
    state = opened(rounds, **regulations)
    for n in range(1, players + 1):
        details = Details(name=f"Player {n:02}", rating=2410 - 10 * n)
        state = after(state, ask(RegisterPlayer, details=details))
    return state


def ready(players: int = 4, rounds: int = 5, **regulations: Any) -> Tournament:
    """Registered, and the initial colour drawn."""
    return after(registered(players, rounds, **regulations), ask(DrawInitialColour, colour="w"))


def pairing(state: Tournament, *boards: Board, pab: int = 0, **fields: Any) -> PairRound:
    """The pairing of the next round, made on the state as it is."""
    fields = {"round": state.paired + 1, "based_on": state.version, "snapshot": DIGEST, **fields}
    return ask(PairRound, boards=boards, pab=pab, engine="test 1", **fields)


def paired(state: Tournament, *boards: Board, pab: int = 0, **fields: Any) -> Tournament:
    """The next round paired and published."""
    level = fields.pop("level", 3)
    command = pairing(state, *boards, pab=pab, level=level, **fields)
    return after(after(state, command), ask(PublishRound, round=state.paired + 1))


def results(state: Tournament, *texts: str) -> Tournament:
    """Results of the last round, board 1 first."""
    for board, text in enumerate(texts, start=1):
        command = ask(RecordResult, round=state.paired, board=board, outcome=parse_outcome(text))
        state = after(state, command)
    return state


def played(state: Tournament, *boards: Board, results_: Iterable[str] = (), pab: int = 0) -> Tournament:
    """The next round from pairing to completion, White winning unless said otherwise."""
    state = paired(state, *boards, pab=pab)
    state = results(state, *(results_ or ["1-0"] * len(boards)))
    return after(state, ask(CompleteRound, round=state.paired))


ROUND_ROBIN: tuple[tuple[Board, ...], ...] = (
    ((1, 4), (2, 3)),
    ((4, 3), (1, 2)),
    ((2, 4), (3, 1)),
)
"""Four players, three rounds, nobody twice."""
