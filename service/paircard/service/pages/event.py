"""What stands above every page of a tournament."""

import msgspec

from paircard.domain.proof.checkpoints import printed
from paircard.projections.history import History
from paircard.projections.trf.format.records import Report


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the head of a page shows it."""

    name: str
    facts: tuple[str, ...] = ()
    """Place, days and the like, those that are known."""
    arbiter: str = ""
    edition: str = ""
    players: int = 0
    rounds: int = 0
    paired: int = 0
    open_games: int = 0
    boards: int = 0
    """Boards of the last round, and how many of them have no result."""
    closed: bool = False
    fide_mode: bool = True
    head: str = ""
    """Length and last hash of the log, as printed on paper."""


def event_of(history: History, hash: str = "") -> Event:
    """The tournament of a history; ``hash`` is that of its last fact."""
    rules = history.regulations
    days = " – ".join(dict.fromkeys(day for day in (rules.starts, rules.ends) if day))
    last = history.rounds[-1] if history.rounds else None
    return Event(
        name=rules.name,
        facts=tuple(fact for fact in (rules.place, rules.federation, days, rules.time_control) if fact),
        arbiter=rules.chief_arbiter,
        edition=rules.edition,
        players=len(history.state.players),
        rounds=rules.rounds,
        paired=history.paired,
        open_games=len(last.open_boards()) if last else 0,
        boards=len(last.boards) if last else 0,
        closed=history.state.closed,
        fide_mode=history.state.fide_mode,
        head=printed(history.version, hash) if hash else "",
    )


def event_of_report(report: Report, name: str) -> Event:
    """The tournament of a report file, called like its file if it has no name (TRF26 012 to 102)."""
    facts = tuple(fact for fact in map(report.text, ("022", "032", "042")) if fact)
    return Event(name=report.text("012") or name, facts=facts, arbiter=report.text("102"))
