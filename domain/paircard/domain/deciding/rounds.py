"""Deciding about rounds: pairing, publishing, taking back, completing; and closing the tournament."""

from typing import Final

from paircard.domain.commands import (
    CloseTournament,
    CompleteRound,
    DrawInitialColour,
    EndManualPairing,
    PairRound,
    PublishRound,
    ReopenRound,
    ReopenTournament,
    UnpairRound,
)
from paircard.domain.deciding.boards import check_boards
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import (
    Decision,
    last_round,
    need_no_session,
    need_reason,
    need_running,
    regulations_of,
    round_of,
)
from paircard.domain.deciding.numbering import (
    numbers_in_force,
    order_afresh,
    order_in_force,
    order_with_newcomers,
)
from paircard.domain.deciding.open_games import adjourned_games, games_named, missing_results, need_results
from paircard.domain.deciding.unused_ratings import unused_ratings
from paircard.domain.errors import (
    Caution,
    Duplicate,
    Invalid,
    NotNow,
    RoundIncomplete,
    StaleDecision,
)
from paircard.domain.events import (
    BoardsCorrected,
    Cause,
    ColoursCorrected,
    Event,
    GameAdjourned,
    InitialColourDrawn,
    Origin,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PairingProhibited,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerRegistered,
    PlayerReinstated,
    PlayerReturned,
    PlayerWithdrawn,
    ProhibitionLifted,
    RatingCorrected,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundReopened,
    RoundUnpaired,
    TournamentClosed,
    TournamentReopened,
)
from paircard.domain.state import Tournament, absences, called, entered, evolve
from paircard.domain.values.editions import FREEZING_ROUND, MAY_CHANGE_A_PUBLISHED_ROUND, RANKS_ANEW
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.text import checked_text, counted, enumerated, named


def draw_colour(state: Tournament, command: DrawInitialColour) -> Decision:
    """The colour of the first number, drawn by lot before round 1 (C.04.3:5.1).

    No round is computed before it; after rounds from a file it is still to be drawn, or read off them.
    """
    need_running(state)
    if command.colour not in ("w", "b"):
        raise Invalid(f"initial colour {command.colour[:10]!r} is unknown: w or b")
    event = InitialColourDrawn(colour=command.colour, method="entered" if command.entered else "drawn")
    if not state.initial_colour:
        return Decision((event,))
    colour = {"w": "White", "b": "Black"}[state.initial_colour]
    if state.paired or not state.colour_entered or not command.entered:
        raise Duplicate(f"the initial colour is already drawn, {colour}: lots are drawn once")
    if command.colour == state.initial_colour:
        raise Duplicate(f"the initial colour is already entered as {colour}")
    need_reason(command.meta, "entering the initial colour again")
    return Decision((event,), (caution("redraw", f"the initial colour was entered as {colour}"),))


def pair(state: Tournament, command: PairRound) -> Decision:
    """Record the boards of a round, if they were made from what is known now."""
    regulations = need_pairable(state, command.round)
    if command.origin == "manual":
        raise Invalid("boards by hand are entered by beginning and ending a manual pairing")
    if command.origin == "import" and command.round > rounds_of_file(state):
        raise Invalid("only rounds of an imported file are recorded as they are: enter boards by hand")
    need_fresh(state, command.round, command.based_on)
    if command.origin == "engine" and not command.snapshot:
        raise Invalid("a computed round needs the digest of its snapshot")
    return record_boards(state, regulations, command, command.origin)


def rounds_of_file(state: Tournament) -> int:
    """Rounds of the file a tournament is imported from; they are recorded as they are."""
    return (state.filed.paired or 0) if state.filed else 0


def need_pairable(state: Tournament, round: int) -> Regulations:
    """Refuse a round that cannot be paired now, whatever its boards are."""
    regulations = need_running(state)
    need_no_session(state)
    need_next(state, regulations, round)
    _need_players(state, round)
    return regulations


def need_colour(state: Tournament) -> None:
    """Refuse to compute a round before the lot for the initial colour is drawn (C.04.3:5.1)."""
    if not state.initial_colour:
        raise NotNow("the initial colour is not drawn: draw it first")


def _need_players(state: Tournament, round: int) -> None:
    if not entered(state):
        raise NotNow("nobody is registered: enter the players first")
    if len(absences(state, round)) == len(state.players):
        raise NotNow(f"nobody can play round {round}: all have byes, are withdrawn or expelled")


def need_next(state: Tournament, regulations: Regulations, round: int) -> None:
    if 1 <= round <= state.paired:
        raise Duplicate(f"round {round} is already paired")
    if round > regulations.rounds:
        raise NotNow(f"there is no round {round}: the tournament has {counted(regulations.rounds, 'round')}")
    if round != state.paired + 1:
        raise NotNow(f"round {round} cannot be paired: the next is round {state.paired + 1}")
    if state.rounds and not state.rounds[-1].published:
        raise NotNow(f"round {state.paired} is not published: publish it, or take its pairing back")


def need_fresh(state: Tournament, round: int, based_on: int) -> None:
    if based_on != state.version:
        raise StaleDecision(
            f"round {round} was paired from version {based_on}, but the tournament is at version "
            f"{state.version}: pair it again"
        )


def record_boards(
    state: Tournament, regulations: Regulations, command: PairRound | EndManualPairing, origin: Origin
) -> Decision:
    checked_text("engine", command.engine, limit=100)
    if command.snapshot and (
        len(command.snapshot) != 64 or not set(command.snapshot) <= set("0123456789abcdef")
    ):
        raise Invalid("the digest of the snapshot is not a SHA-256 of 64 hexadecimal digits")
    if origin != "import":
        need_colour(state)
    events, warnings = _previous_round_ended(state)
    checked = check_boards(state, regulations, command.round, command.boards, command.pab, origin)
    warnings += checked.warnings
    if command.round == 1:
        warnings += _too_many_rounds(state, regulations, checked.playing)
        if origin != "import" and (unused := unused_ratings(state)).players:
            warnings += (caution("ratings-not-used", unused.message),)
    if origin != "import":
        warnings += _no_shows(state, command, checked.playing)
        if command.round == FREEZING_ROUND.get(regulations.edition):
            warnings += _stale_numbers(state)
    numbers = numbers_in_force(state, command.round, checked.playing)
    order = order_in_force(state)
    if order != state.order:
        cause: Cause = "late-entry" if state.paired else "initial"
        if state.paired and order != order_with_newcomers(state):
            cause = "regenerated"
        events += (PairingNumbersAssigned(order=order, cause=cause),)
    if command.round == FREEZING_ROUND.get(regulations.edition):
        events += (PairingNumbersFrozen(round=command.round, numbers=numbers),)
    paired = RoundPaired(
        round=command.round,
        edition=regulations.edition,
        engine=command.engine,
        based_on=command.based_on,
        snapshot=command.snapshot,
        numbers=numbers,
        boards=command.boards,
        pab=command.pab,
        absent=checked.absent,
        origin=origin,
    )
    return Decision((*events, paired), warnings)


def _too_many_rounds(
    state: Tournament, regulations: Regulations, playing: frozenset[int]
) -> tuple[Caution, ...]:
    """Whether somebody runs out of opponents before the last round (VCL 62)."""
    most = len(playing) - 1 if len(playing) % 2 == 0 else len(playing)
    rounds = counted(regulations.rounds, "round")
    if regulations.rounds > most:
        message = f"{counted(len(playing), 'player')} cannot play {rounds} without meeting twice"
        return (caution("too-many-rounds", message),)
    for id in sorted(playing):
        kept_apart = {
            other
            for ban in state.prohibitions
            if id in ban.players and ban.first == 1 and ban.last >= regulations.rounds
            for other in ban.players
        }
        if regulations.rounds > most - len((kept_apart & playing) - {id}):
            who = called(state, id)
            message = f"{who} cannot play {rounds}: too many opponents are prohibited"
            return (caution("too-many-rounds", message, id),)
    return ()


def _no_shows(
    state: Tournament, command: PairRound | EndManualPairing, playing: frozenset[int]
) -> tuple[Caution, ...]:
    """Who did not come to the last round is taken as withdrawn unless excused (C.05:6.5)."""
    if not state.rounds:
        return ()
    absent = sorted(
        id
        for game in state.rounds[-1].games()
        for id, letter in ((game.white, game.white_letter), (game.black, game.black_letter))
        if letter == "-" and id in playing
    )
    if not absent:
        return ()
    names = enumerated(called(state, id) for id in absent)
    message = (
        f"{names} did not play round {state.paired}: withdraw whoever will not come back, "
        "or pair them again with the reason why they are excused"
    )
    if "no-show" in command.meta.acknowledge:
        need_reason(command.meta, f"pairing {names} after an absence")
    return (caution("no-show", message, *absent),)


def _stale_numbers(state: Tournament) -> tuple[Caution, ...]:
    """Corrected data that nobody renumbered for, while it is still possible (C.04.2:2.3)."""
    if state.imported:
        return ()
    now, afresh = order_in_force(state), order_afresh(state)
    moved = sum(1 for one, other in zip(now, afresh, strict=True) if one != other)
    if not moved:
        return ()
    message = f"{counted(moved, 'number')} would change by the corrected data, and no longer can after this"
    return (caution("numbers-out-of-date", message),)


def _previous_round_ended(state: Tournament) -> tuple[tuple[Event, ...], tuple[Caution, ...]]:
    """Before a pairing missing results become adjourned games, a draw for now (VCL 159, 160, 168)."""
    if not state.rounds:
        return (), ()
    last = state.rounds[-1]
    events: tuple[Event, ...] = ()
    warnings: tuple[Caution, ...] = ()
    missing = missing_results(last)
    if missing:
        boards = named("board", missing)
        message = f"round {last.number} has no result on {boards}, recorded as adjourned if you go on"
        warnings += (caution("missing-results", message),)
        events = tuple(GameAdjourned(round=last.number, board=board) for board in missing)
    waiting = adjourned_games(state)
    if waiting:
        message = f"adjourned games count as draws: {games_named(waiting)}"
        warnings += (caution("adjourned-games", message),)
    if not last.completed:
        events += (RoundCompleted(round=last.number),)
    return events, warnings


def unpair(state: Tournament, command: UnpairRound) -> Decision:
    """Take the last round back, with all that pairing it did; a published one only before it is played."""
    regulations = need_running(state)
    need_no_session(state)
    round = last_round(state, command.round, "unpaired")
    event = RoundUnpaired(round=round.number)
    if not round.published:
        return Decision((event,))
    known = [at for at, outcome in enumerate(round.outcomes, start=1) if outcome is not None]
    if known:
        raise NotNow(
            f"round {round.number} has results on {named('board', known)}: it is being played; "
            "clear them first if that is wrong"
        )
    need_reason(command.meta, f"taking back the published round {round.number}")
    cases = MAY_CHANGE_A_PUBLISHED_ROUND[regulations.edition]
    message = f"round {round.number} is published, everybody may have seen it, and it may only change {cases}"
    return Decision((event,), (caution("published-pairing", message),))


def publish(state: Tournament, command: PublishRound) -> Decision:
    """Make the pairings known; from here on results are entered."""
    need_running(state)
    need_no_session(state)
    round = round_of(state, command.round)
    if round.published:
        raise Duplicate(f"round {round.number} is already published")
    return Decision((RoundPublished(round=round.number),), outdated(state))


def outdated(state: Tournament) -> tuple[Caution, ...]:
    """What the pairing that is about to be published did not know (C.04.2:3.2, 4.3)."""
    since = [one for one in state.since_pairing if not isinstance(one, DATA_CORRECTED) or _moves(state, one)]
    if not since:
        return ()
    news = list(dict.fromkeys(_news(state, event) for event in since))
    players = {getattr(event, "player", 0) for event in since} - {0}
    message = (
        f"since round {state.paired} was paired: {'; '.join(news)}; "
        "take the pairing back and pair again, or publish it as it is"
    )
    return (caution("pairing-outdated", message, *sorted(players)),)


DATA_CORRECTED: Final = (PlayerDetailsCorrected, RatingCorrected)


def _moves(state: Tournament, event: Event) -> bool:
    """Whether corrected data would move the player's number, if the round were taken back (C.04.2:2.3)."""
    before = evolve(state, RoundUnpaired(round=state.paired))
    if before.frozen or before.imported:
        return False
    id = getattr(event, "player", 0)
    old = state.order if state.paired == 1 else before.order
    afresh = [one for one in order_afresh(before) if one in old]
    return id in afresh and [one for one in old if one in afresh].index(id) != afresh.index(id)


def _news(state: Tournament, event: Event) -> str:
    """One thing that happened since the pairing, in a few words."""
    match event:
        case PlayerRegistered(details=details):
            return f"{details.name} entered"
        case PlayerWithdrawn(player=id):
            return f"{state.players[id - 1].details.name} withdrew"
        case PlayerExpelled(player=id):
            return f"{state.players[id - 1].details.name} was expelled"
        case PlayerReturned(player=id) | PlayerReinstated(player=id):
            return f"{state.players[id - 1].details.name} is back"
        case PairingProhibited() | ProhibitionLifted():
            return "prohibited pairings changed"
        case PairingNumbersAssigned():
            return "pairing numbers changed"
        case ResultRecorded(round=round, board=board):
            return f"board {board} of round {round} ended"
        case ResultCorrected(round=round, board=board) | ColoursCorrected(round=round, board=board):
            return f"board {board} of round {round} was corrected"
        case BoardsCorrected(round=round):
            return f"the boards of round {round} were corrected"
        case PlayerDetailsCorrected(player=id) | RatingCorrected(player=id):
            name, anew = state.players[id - 1].details.name, regulations_of(state).edition in RANKS_ANEW
            if state.paired == 1 or anew:
                return f"the data of {name} were corrected"
            return f"the data of {name} were corrected (number the players again before the next pairing)"
        case _:
            return "results changed"


def complete(state: Tournament, command: CompleteRound) -> Decision:
    """The end of the round: all results are in, or their games adjourned."""
    need_running(state)
    need_no_session(state)
    round = round_of(state, command.round)
    if round.completed:
        raise Duplicate(f"round {round.number} is already completed")
    if not round.published:
        raise NotNow(f"round {round.number} is not published: publish it first")
    missing = missing_results(round)
    if missing:
        boards = named("board", missing)
        raise RoundIncomplete(
            f"round {round.number} has no result on {boards}: "
            "enter the missing results, or mark the games as adjourned"
        )
    return Decision((RoundCompleted(round=round.number),))


def reopen_round(state: Tournament, command: ReopenRound) -> Decision:
    """A round was completed too early: it goes on, as long as the next one is not paired."""
    need_running(state)
    need_no_session(state)
    round = last_round(state, command.round, "reopened")
    if not round.completed:
        raise NotNow(f"round {round.number} is not completed: there is nothing to reopen")
    return Decision((RoundReopened(round=round.number),))


def reopen(state: Tournament, command: ReopenTournament) -> Decision:
    """A tournament was closed too early: it goes on, and everybody who has the report must know."""
    regulations = regulations_of(state)
    if not state.closed:
        raise NotNow(f"{regulations.name} is not closed: there is nothing to reopen")
    need_reason(command.meta, "reopening a closed tournament")
    message = "the final standings may have been published, and the report sent"
    return Decision((TournamentReopened(rounds=state.paired),), (caution("reopened", message),))


def close(state: Tournament, command: CloseTournament) -> Decision:
    """Final standings, only with every result known (VCL 161, 169)."""
    regulations = need_running(state)
    need_no_session(state)
    last = state.rounds[-1] if state.rounds else None  # none: opened by mistake, or never begun
    if last and not last.published:
        raise NotNow(f"round {last.number} is not published: publish and play it, or take its pairing back")
    if last and (missing := missing_results(last)):
        raise RoundIncomplete(
            f"round {last.number} has no result on {named('board', missing)}: enter the missing results first"
        )
    need_results(state, "close the tournament")
    warnings: tuple[Caution, ...] = ()
    if state.paired < regulations.rounds:
        need_reason(command.meta, f"closing after {state.paired} of {regulations.rounds} rounds")
        message = f"only {state.paired} of {regulations.rounds} announced rounds were played"
        warnings = (caution("rounds-unplayed", message),)
    events: tuple[Event, ...] = (RoundCompleted(round=last.number),) if last and not last.completed else ()
    return Decision((*events, TournamentClosed(rounds=state.paired)), warnings)
