"""Who was there first: a refusal says what another person did to the same board, player or round."""

from collections.abc import Iterator, Sequence

from paircard.domain.commands import Command
from paircard.domain.errors import Deed, Duplicate, NotNow, Refused, StaleDecision, TournamentOver
from paircard.domain.events import Event, Recorded, TournamentClosed, tag_of

Subject = tuple[str, int, int]
"""What a fact or a command is about: a board of a round, a round, a player, the log as a whole."""

ANY: Subject = ("log", 0, 0)
CLOSING: Subject = ("closing", 0, 0)


def deed_of(recorded: Recorded) -> Deed:
    """What was done, by the stored name of the fact."""
    return Deed(recorded.version, recorded.who, recorded.when, tag_of(recorded.fact))


def subjects_of(fact: Event) -> Iterator[Subject]:
    """What a fact touches."""
    yield ANY
    yield from _own(fact)
    if getattr(fact, "board", 0):
        yield "round", fact.round, 0  # type: ignore[union-attr]
    if isinstance(fact, TournamentClosed):
        yield CLOSING


def _own(what: Event | Command) -> Iterator[Subject]:
    """The narrowest things it names: facts and commands call them alike."""
    round, board = getattr(what, "round", 0), getattr(what, "board", 0)
    if board:
        yield "board", round, board
    elif player := getattr(what, "player", 0):
        yield "player", player, 0
    elif round:
        yield "round", round, 0


def with_the_other(
    refusal: Refused, facts: Sequence[Recorded], who: str, command: Command | None = None
) -> Refused:
    """The refusal, with what another person did to the same thing before, if that may be the cause."""
    causes = set(_causes(refusal, command))
    if not causes:
        return refusal
    last = next((one for one in reversed(facts) if not causes.isdisjoint(subjects_of(one.fact))), None)
    if last and last.who != who:
        refusal.other = deed_of(last)
    return refusal


def _causes(refusal: Refused, command: Command | None) -> Iterator[Subject]:
    match refusal:
        case StaleDecision():
            yield ANY
        case TournamentOver():
            yield CLOSING
        case Duplicate() | NotNow() if command is not None:
            yield from _own(command)
        case _:
            return
