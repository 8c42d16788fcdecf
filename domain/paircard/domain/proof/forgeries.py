"""Rounds, results and corrections that could not have been recorded where they stand.

Somebody who can write to the database can add facts with the right hash. Deciding is pure, so what the
program would have answered can be asked again: a second result of one board, a result of a round that was
not published, or a correction that claims more than C.04.2:4.3 lets it touch was not recorded by it. Boards
by hand and by the engine are looked at alike: everybody on them plays in the tournament, and once.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import Command, Meta
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import Refused
from paircard.domain.events import Event, Recorded
from paircard.domain.log.reader import NONSENSE
from paircard.domain.log.stored import ERASED
from paircard.domain.messages import Message, say
from paircard.domain.rounds import ADJOURNED
from paircard.domain.state import NOTHING, Tournament, evolve
from paircard.domain.systems.round_robin import drawn_from


def find_forged(log: Sequence[Recorded]) -> Iterator[tuple[int, Message]]:
    """Versions of such facts, and what the program would have said."""
    state = NOTHING
    for recorded in log:
        why = wrong_boards(state, recorded.fact) or otherwise(state, recorded)
        if why:
            yield recorded.version, why
        state = evolve(state, recorded.fact)


def otherwise(state: Tournament, recorded: Recorded) -> Message | None:
    """What the program would have said to a result; nothing if just this."""
    fact = recorded.fact
    if isinstance(fact, events.PairingNumbersAssigned) and fact.seed is not UNSET:
        return None if fact.order == drawn_from(state, fact) else say("proof.other-lots")
    if isinstance(fact, events.ResultRecorded) and fact.reason is not UNSET:
        return None if of_leavers(state, fact) else say("proof.nobody-left")
    command = asked(recorded)
    if command is None or before_the_game(state, recorded.fact):
        return None
    try:
        given = weigh(state, command).events
    except Refused as refusal:
        return say("proof.would-be-refused", reason=str(refusal))
    except NONSENSE:  # values nobody can have asked for
        return say("proof.makes-no-sense")
    return None if given == (recorded.fact,) else say("proof.other-scope")


def wrong_boards(state: Tournament, fact: Event) -> Message | None:
    """Why these are not boards of the tournament; nothing if they are, or if it is no such fact."""
    if not isinstance(fact, events.RoundPaired | events.PairingsAltered):
        return None
    seated = [id for board in fact.boards for id in board] + ([fact.pab] if fact.pab else [])
    if strangers := set(seated) - {player.id for player in state.players}:
        return say("proof.stranger-on-boards", id=f"p{min(strangers)}")
    if len(set(seated)) < len(seated):
        return say("proof.on-boards-twice")
    if isinstance(fact, events.RoundPaired) and fact.edition != state.regulations.edition:
        return say("proof.other-edition", text=fact.edition, edition=state.regulations.edition)
    return None


def of_leavers(state: Tournament, fact: events.ResultRecorded) -> bool:
    """Whether an open game is forfeited by those of its two players who have left (C.05:6.6)."""
    try:
        game = state.rounds[fact.round - 1].game(fact.board)
        gone = [bool(state.players[id - 1].status) for id in (game.white, game.black)]
    except LookupError:
        return False
    letters = ["-" if one else "+" for one in gone]
    return (
        any(gone)
        and letters == [fact.outcome.white, fact.outcome.black]
        and game.outcome in (None, ADJOURNED)
    )


def before_the_game(state: Tournament, fact: Event) -> bool:
    """Colours of a game without a result, which earlier versions of the program let be corrected."""
    try:
        return (
            isinstance(fact, events.ColoursCorrected)
            and state.rounds[fact.round - 1].game(fact.board).outcome is None
        )
    except LookupError:
        return False


ASKED: Final[dict[type[Event], type[Command]]] = {
    events.ResultRecorded: ask.RecordResult,
    events.ResultCorrected: ask.CorrectResult,
    events.ColoursCorrected: ask.CorrectColours,
    events.BoardsCorrected: ask.CorrectBoards,
    events.PrizesPublished: ask.PublishPrizes,
}
"""The commands that give these facts; what a command says stands in its fact under the same name."""


def asked(recorded: Recorded) -> Command | None:
    """The command that gives such a fact, if it is one of a result or of prizes."""
    fact, kind = recorded.fact, ASKED.get(type(recorded.fact))
    if kind is None or (isinstance(fact, events.PrizesPublished) and not fact.computed_from):
        return None
    why = recorded.why or (ERASED if recorded.private else "")  # these have no other personal part
    meta = Meta(who=recorded.who, when=recorded.when, command_id=recorded.command_id, why=why)
    fields = {name: getattr(fact, name) for name in kind.__struct_fields__ if name != "meta"}
    return kind(**fields, meta=meta)
