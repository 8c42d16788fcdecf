"""What stands above every page of a tournament."""

import msgspec

from paircard.domain.proof.checkpoints import printed
from paircard.domain.state import entered
from paircard.projections.trf.records import Report
from paircard.service.moment import Moment


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
    boards: int = 0
    """Boards of the last round."""
    open_games: int = 0
    """Those of them without a result."""
    published: bool = True
    """Whether the last round is published."""
    closed: bool = False
    fide_mode: bool = True
    version: int = 0
    when: str = ""
    """Number and time of the last fact."""
    head: str = ""
    """Length and last hash of the log, as printed on paper; empty for the public, whose log has no hashes."""


def event_of(moment: Moment) -> Event:
    """The tournament at a moment."""
    rules = moment.regulations
    days = " – ".join(dict.fromkeys(day for day in (rules.starts, rules.ends) if day))
    rounds = moment.history.rounds
    last = rounds[-1] if rounds else None
    hash = moment.facts[-1].hash
    return Event(
        name=rules.name,
        facts=tuple(fact for fact in (rules.place, rules.federation, days, rules.time_control) if fact),
        arbiter=rules.chief_arbiter,
        edition=rules.edition,
        players=len(entered(moment.state)),
        rounds=rules.rounds,
        paired=len(rounds),
        boards=len(last.boards) if last else 0,
        open_games=len(last.open_boards()) if last else 0,
        published=last is None or last.published,
        closed=moment.state.closed,
        fide_mode=moment.state.fide_mode,
        version=moment.version,
        when=moment.facts[-1].when,
        head=printed(moment.version, hash) if hash else "",
    )


def event_of_report(report: Report, name: str) -> Event:
    """The tournament of a report file, called like its file if it has no name (TRF26 012 to 102)."""
    facts = tuple(fact for fact in map(report.text, ("022", "032", "042")) if fact)
    return Event(name=report.text("012") or name, facts=facts, arbiter=report.text("102"))
