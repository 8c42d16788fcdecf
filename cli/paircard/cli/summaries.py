"""Tournaments in a few words: how far each has come, now or at a time."""

import click
import msgspec

from paircard.cli.session import Desk
from paircard.domain.errors import Unknown
from paircard.domain.log.progress import NOT_BEGUN
from paircard.projections.history import History
from paircard.projections.moments import is_time


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament."""

    id: str
    name: str
    version: int
    players: int
    rounds: int
    paired: int
    state: str
    """In two words."""
    fide_mode: bool


def summary(history: History) -> Summary:
    """A tournament that was read."""
    last = history.rounds[-1] if history.rounds else None
    published, completed = (last.published, last.completed) if last else (False, False)
    return Summary(
        id=history.tournament,
        name=history.regulations.name,
        version=history.version,
        players=len(history.state.players),
        rounds=history.regulations.rounds,
        paired=history.paired,
        state=in_words(history.state.closed, history.paired, published, completed),
        fide_mode=history.state.fide_mode,
    )


def summaries(desk: Desk) -> list[Summary]:
    """Every tournament of the file, the oldest first, without reading their logs."""

    stages = desk.store().stages()
    found = []
    for one in desk.tournaments():
        stage = stages.get(one.id, NOT_BEGUN)
        found.append(
            Summary(
                id=one.id,
                name=one.name,
                version=one.version,
                players=stage.players,
                rounds=one.regulations.rounds,
                paired=stage.paired,
                state=in_words(one.closed, stage.paired, stage.published, stage.completed),
                fide_mode=stage.fide_mode,
            )
        )
    return found


def summaries_then(desk: Desk) -> list[Summary]:
    """The same at the time of --at; of several tournaments only a time is one moment."""

    if not is_time(desk.at or ""):
        raise click.UsageError("a list of tournaments is of one time, like --at 2026-11-16T14:30Z")
    found = []
    for one in desk.tournaments():
        try:
            found.append(summary(desk.history(one.id)))
        except Unknown:
            continue  # opened later
    return found


def in_words(closed: bool, paired: int, published: bool, completed: bool) -> str:
    """How far a tournament has come with the last of so many rounds."""
    if closed:
        return "closed"
    if not paired:
        return "registration"
    if not published:
        return f"round {paired} not published"
    return f"round {paired} {'completed' if completed else 'in play'}"
