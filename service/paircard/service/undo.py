"""Undoing a slip: what the last request did, and the commands that take it back.

Nothing leaves the log. What cannot be taken back, because it was drawn by lot or seen by others, is refused
with the way to go on.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import Command
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import caution, signed
from paircard.domain.errors import NeedsAcknowledgement, NotNow, Refused
from paircard.domain.events import Event, Recorded
from paircard.domain.state import Tournament, fold
from paircard.domain.values.players import Changes
from paircard.domain.values.regulations import RegulationChanges, given
from paircard.projections.log_lines import LogLine, log_lines
from paircard.service.desk import person

ON_A_BOARD = events.ResultRecorded | events.GameAdjourned | events.ResultCleared
"""Facts about the result of one board, which leave the others alone."""
COME_AND_GO: Final = (
    events.PlayerWithdrawn,
    events.PlayerExpelled,
    events.PlayerReturned,
    events.PlayerReinstated,
)
"""Facts that forfeit games of a round robin, or open them again."""
TAKEN_BACK: Final = "entered by mistake, taken back"
"""The reason of a removal that an undo comes to; the undo itself needs none."""


def last_request(log: Sequence[Recorded]) -> list[Recorded]:
    """The facts of the last request, in order."""
    if not log:
        return []
    base = log[-1].command_id
    stem, _, part = base.rpartition("-")
    if stem and part.isdecimal() and any(one.command_id == stem for one in log[-50_000:]):
        base = stem
    found: list[Recorded] = []
    for one in reversed(log):
        if one.command_id != base and not one.command_id.startswith(f"{base}-"):
            break
        found.insert(0, one)
    return found


def asker(who: str, through: str, command_id: str) -> str:
    """Who asked for something, as far as it can be told: by grant, by key, else by name and database role.

    Two deputies may have one name, and one person signs in more than once under one grant.
    """
    if through.startswith("key:"):
        return through
    if through and not through.startswith("role:"):  # over HTTP: an id begins with the grant
        return f"grant:{command_id.partition('/')[0]}"
    return f"{through}/{who}"


def need_own(facts: Sequence[Recorded], before: Tournament, meta: ask.Meta) -> None:
    """Refuse to take back what somebody else did, unless that was said."""
    if not facts or "not-yours" in meta.acknowledge:
        return
    last = facts[-1]
    if asker(last.who, last.through, last.command_id) == asker(meta.who, meta.through, meta.command_id):
        return
    *rest, line = log_lines(facts, before)
    code = "not-yours.namesake" if last.who == meta.who else "not-yours.somebody"
    when = last.when.replace("T", " ")
    warning = caution(code, who=last.who, when=when, what=line.message, count=len(rest))
    raise NeedsAcknowledgement((replace(warning, names=line.people),))


def commands_to_undo(before: Tournament, facts: Sequence[Recorded]) -> list[Command]:
    """The commands that take the facts of one request back, the last fact first."""
    happened = [one.fact for one in facts]
    if not happened:
        raise NotNow("nothing-to-undo")
    paired = [event for event in happened if isinstance(event, events.RoundPaired)]
    if paired and not any(
        isinstance(event, events.ResultRecorded) for event in happened
    ):  # with all that pairing did
        return [ask.UnpairRound(round=one.round) for one in reversed(paired)]
    if paired:
        return [ask.UnpairRound(round=paired[-1].round)]
    commands: list[Command] = []
    leading = any(isinstance(event, COME_AND_GO) for event in happened)
    for at in reversed(range(len(happened))):
        if leading and isinstance(happened[at], ON_A_BOARD | events.RoundReopened) and follows(happened[at]):
            continue  # goes with the return or the withdrawal that takes its cause back
        command = inverse(before, happened[at])
        if command is None:
            line = log_lines(facts, before)[at]
            raise about(NotNow("not-undoable", what=line.message, kind=line.kind), line)
        commands.append(command)
    return commands


def follows(event: Event) -> bool:
    """Whether a fact came along with somebody who left a round robin, or came back (C.05:6.6)."""
    return not isinstance(event, events.ResultRecorded) or event.reason is not UNSET


def facts_between(log: Sequence[Recorded], first: int, last: int) -> tuple[Tournament, list[Recorded]]:
    """The facts from one number to another, and the tournament before them."""
    return fold([one.fact for one in log[: first - 1]]), list(log[first - 1 : last])


def commands_to_take_back(log: Sequence[Recorded], first: int, last: int) -> list[Command]:
    """The commands that take these facts back, though others entered results of other boards since."""
    before, facts = facts_between(log, first, last)
    own = {(one.fact.round, one.fact.board) for one in facts if isinstance(one.fact, ON_A_BOARD)}
    for later, line in zip(
        log[last:], log_lines(log[last:], fold([one.fact for one in log[:last]])), strict=True
    ):
        if not isinstance(later.fact, ON_A_BOARD) or (later.fact.round, later.fact.board) in own:
            raise about(NotNow("newer-since", who=later.who, what=line.message), line)
    return commands_to_undo(before, facts)


def need_first_undo(log: Sequence[Recorded], facts: Sequence[Recorded]) -> None:
    """Refuse to take back a request that took the one before it back: twice is not two steps."""
    earlier = log[: len(log) - len(facts)]
    undone = last_request(earlier)
    try:
        commands = commands_to_undo(fold([one.fact for one in earlier[: len(earlier) - len(undone)]]), undone)
        state = fold([one.fact for one in earlier])
        happened: list[Event] = []
        for command in commands:
            following = weigh(state, signed(command, person("undo").because("undo").meta())).events
            state = fold(following, state)
            happened += following
    except Refused:
        return
    if happened == [one.fact for one in facts]:
        [line] = log_lines(earlier, wanted=(len(earlier),))
        raise about(NotNow("undo-undone", what=line.message), line)


def about(refusal: NotNow, line: LogLine) -> NotNow:
    """The refusal with the names of the players of a line it repeats."""
    refusal.names = line.people
    return refusal


def inverse(before: Tournament, event: Event) -> Command | None:
    """What takes one fact back; None if nothing does."""
    match event:
        case events.ResultRecorded(round=round, board=board) | events.GameAdjourned(round=round, board=board):
            return ask.ClearResult(round=round, board=board)
        case events.ResultCorrected(round=round, board=board, was=was):
            return ask.CorrectResult(round=round, board=board, outcome=was)
        case events.ColoursCorrected(round=round, board=board):
            return ask.CorrectColours(round=round, board=board)
        case events.BoardsCorrected(round=round, was=was_played, pab_was=pab):
            return ask.CorrectBoards(round=round, boards=was_played, pab=pab)
        case events.ByeGranted(player=player, round=round):
            return ask.RevokeBye(player=player, round=round)
        case events.ByeRevoked(player=player) if before.players[player - 1].status:
            return None
        case events.ByeRevoked(player=player, round=round):
            letter = dict(before.players[player - 1].byes)[round]
            return ask.GrantBye(player=player, round=round, letter=letter)
        case events.PlayerWithdrawn(player=player):
            return ask.ReturnPlayer(player=player)
        case events.PlayerReturned(player=player):
            return ask.WithdrawPlayer(player=player)
        case events.PlayerRegistered(player=player):
            return ask.RemovePlayer(
                player=player, meta=replace(ask.UNSIGNED, why=TAKEN_BACK if before.paired else "")
            )
        case events.PlayerRemoved(player=player):  # under another id: none is given twice
            gone = before.players[player - 1]
            return ask.RegisterPlayer(details=gone.details, missed=gone.missed)
        case events.PlayerExpelled(player=player):
            return ask.ReinstatePlayer(player=player)
        case events.PairingProhibited(players=players):
            return ask.LiftProhibition(players=players)
        case events.ProhibitionLifted(players=players, first=first, last=last, round=round):
            return ask.ProhibitPairing(players=players, first=max(first, round), last=last)
        case events.PlayerDetailsCorrected(player=player, changes=changes):
            details = before.players[player - 1].details
            old = {name: getattr(details, name) for name in given(changes)}
            return ask.CorrectPlayer(player=player, changes=Changes(**old))
        case events.RatingCorrected(player=player, was=was):
            return ask.CorrectPlayer(player=player, changes=Changes(rating=was))
        case events.TournamentDetailsChanged(changes=changes):
            said = before.regulations
            old = {name: getattr(said, name) or type(new)() for name, new in given(changes).items()}
            return ask.ChangeRegulations(changes=RegulationChanges(**old))
        case events.RoundPublished(round=round):
            return ask.UnpairRound(round=round)
        case events.RoundCompleted(round=round):
            return ask.ReopenRound(round=round)
        case events.TournamentClosed():
            return ask.ReopenTournament()
        case events.ManualPairingBegun(round=round):
            boards = before.rounds[round - 1].boards if round <= before.paired else ()
            pab = before.rounds[round - 1].pab if round <= before.paired else 0
            return ask.EndManualPairing(round=round, boards=boards, pab=pab)
        case _:
            return None
