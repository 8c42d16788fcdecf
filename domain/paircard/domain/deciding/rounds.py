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
    adjourned_games,
    last_round,
    missing_results,
    need_no_session,
    need_reason,
    need_results,
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
from paircard.domain.deciding.players import unused_ratings
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow, RoundIncomplete, StaleDecision
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
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, absences, entered, evolve
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import checked_text


def draw_colour(state: Tournament, command: DrawInitialColour) -> Decision:
    """The colour of the first number, drawn by lot before round 1 (C.04.3:5.1).

    No round is computed before it; after rounds from a file it is still to be drawn, or read off them.
    """
    need_running(state)
    if command.colour not in ("w", "b"):
        raise Invalid("colour-unknown", text=command.colour)
    event = InitialColourDrawn(colour=command.colour, method="entered" if command.entered else "drawn")
    if not state.initial_colour:
        return Decision((event,))
    colour = state.initial_colour
    if state.paired or not state.colour_entered or not command.entered:
        raise Duplicate("colour-drawn", colour=colour)
    if command.colour == colour:
        raise Duplicate("colour-entered", colour=colour)
    need_reason(command.meta, "deed.colour-again")
    return Decision((event,), (caution("redraw", colour=colour),))


def pair(state: Tournament, command: PairRound) -> Decision:
    """Record the boards of a round, if they were made from what is known now."""
    regulations = need_pairable(state, command.round)
    if command.origin == "manual":
        raise Invalid("manual-boards-elsewhere")
    if command.origin == "import" and command.round > rounds_of_file(state):
        raise Invalid("round-not-of-file")
    need_fresh(state, command.round, command.based_on)
    if command.origin == "engine" and not command.snapshot:
        raise Invalid("snapshot-missing")
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


def need_computable(state: Tournament, round: int) -> None:
    """Refuse a round that the engine cannot pair now: also before the initial colour is drawn."""
    need_pairable(state, round)
    need_colour(state)


def need_colour(state: Tournament) -> None:
    """Refuse to compute a round before the lot for the initial colour is drawn (C.04.3:5.1)."""
    if not state.initial_colour:
        raise NotNow("colour-not-drawn")


def _need_players(state: Tournament, round: int) -> None:
    if not entered(state):
        raise NotNow("nobody-registered")
    if len(absences(state, round)) == len(state.players):
        raise NotNow("nobody-present", round=round)


def need_next(state: Tournament, regulations: Regulations, round: int) -> None:
    paired = len(state.rounds)
    if 1 <= round <= paired:
        raise Duplicate("round-paired", round=round)
    if round > regulations.rounds:
        raise NotNow("no-such-round", round=round, rounds=regulations.rounds)
    if round != paired + 1:
        raise NotNow("round-not-next", round=round, next=paired + 1)
    if paired and not state.rounds[-1].published:
        raise NotNow("last-not-published", round=paired)


def need_fresh(state: Tournament, round: int, based_on: int) -> None:
    if based_on != state.version:
        raise StaleDecision("pairing-stale", round=round, based_on=based_on, version=state.version)


def record_boards(
    state: Tournament, regulations: Regulations, command: PairRound | EndManualPairing, origin: Origin
) -> Decision:
    checked_text("engine", command.engine, limit=100)
    if command.snapshot and (
        len(command.snapshot) != 64 or not set(command.snapshot) <= set("0123456789abcdef")
    ):
        raise Invalid("snapshot-unreadable")
    if origin != "import":
        need_colour(state)
    events, warnings = _previous_round_ended(state)
    checked = check_boards(state, regulations, command.round, command.boards, command.pab, origin)
    warnings += checked.warnings
    if command.round == 1:
        warnings += _too_many_rounds(state, regulations, checked.playing)
        if origin != "import" and (unused := unused_ratings(state)).players:
            warnings += (caution("ratings-not-used", count=len(unused.players), lists=unused.lists),)
    if origin != "import":
        warnings += _no_shows(state, command, checked.playing)
        if command.round == RULES[regulations.edition].freezing_round:
            warnings += _stale_numbers(state)
    numbers = numbers_in_force(state, command.round, checked.playing)
    order = order_in_force(state)
    if order != state.order:
        cause: Cause = "late-entry" if state.paired else "initial"
        if state.paired and order != order_with_newcomers(state):
            cause = "regenerated"
        events += (PairingNumbersAssigned(order=order, cause=cause),)
    if command.round == RULES[regulations.edition].freezing_round:
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
    rounds = regulations.rounds
    if rounds > most:
        return (caution("too-many-rounds.met", entered=len(playing), rounds=rounds),)
    for id in sorted(playing):
        kept_apart = {
            other
            for ban in state.prohibitions
            if id in ban.players and ban.first == 1 and ban.last >= rounds
            for other in ban.players
        }
        if rounds > most - len((kept_apart & playing) - {id}):
            return (caution("too-many-rounds.kept-apart", player=id, rounds=rounds),)
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
    if "no-show" in command.meta.acknowledge:
        need_reason(command.meta, "deed.pairing-absent", players=absent)
    return (caution("no-show", players=absent, round=state.paired),)


def _stale_numbers(state: Tournament) -> tuple[Caution, ...]:
    """Corrected data that nobody renumbered for, while it is still possible (C.04.2:2.3)."""
    if state.imported:
        return ()
    now, afresh = order_in_force(state), order_afresh(state)
    moved = sum(1 for one, other in zip(now, afresh, strict=True) if one != other)
    return (caution("numbers-out-of-date", count=moved),) if moved else ()


def _previous_round_ended(state: Tournament) -> tuple[tuple[Event, ...], tuple[Caution, ...]]:
    """Before a pairing missing results become adjourned games, a draw for now (VCL 159, 160, 168)."""
    if not state.rounds:
        return (), ()
    last = state.rounds[-1]
    events: tuple[Event, ...] = ()
    warnings: tuple[Caution, ...] = ()
    missing = missing_results(last)
    if missing:
        warnings += (caution("missing-results", round=last.number, boards=missing),)
        events = tuple(GameAdjourned(round=last.number, board=board) for board in missing)
    waiting = adjourned_games(state)
    if waiting:
        warnings += (caution("adjourned-games", games=waiting),)
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
        raise NotNow("round-being-played", round=round.number, boards=known)
    need_reason(command.meta, "deed.unpairing-published", round=round.number)
    seen = caution("published-pairing.seen", round=round.number, cases=regulations.edition)
    return Decision((event,), (seen,))


def publish(state: Tournament, command: PublishRound) -> Decision:
    """Make the pairings known; from here on results are entered."""
    need_running(state)
    need_no_session(state)
    round = round_of(state, command.round)
    if round.published:
        raise Duplicate("round-published", round=round.number)
    return Decision((RoundPublished(round=round.number),), outdated(state))


def outdated(state: Tournament) -> tuple[Caution, ...]:
    """What the pairing that is about to be published did not know (C.04.2:3.2, 4.3)."""
    since = [one for one in state.since_pairing if not isinstance(one, DATA_CORRECTED) or _moves(state, one)]
    if not since:
        return ()
    news: list[Message] = []
    for event in since:
        if (one := _news(state, event)) not in news:
            news.append(one)
    players = sorted({getattr(event, "player", 0) for event in since} - {0})
    return (caution("pairing-outdated", players=players, round=state.paired, news=news),)


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


def _news(state: Tournament, event: Event) -> Message:
    """One thing that happened since the pairing."""
    match event:
        case PlayerRegistered(player=id):
            return say("news.entered", player=id)
        case PlayerWithdrawn(player=id):
            return say("news.withdrew", player=id)
        case PlayerExpelled(player=id):
            return say("news.expelled", player=id)
        case PlayerReturned(player=id) | PlayerReinstated(player=id):
            return say("news.back", player=id)
        case PairingProhibited() | ProhibitionLifted():
            return say("news.prohibitions")
        case PairingNumbersAssigned():
            return say("news.numbers")
        case ResultRecorded(round=round, board=board):
            return say("news.ended", round=round, board=board)
        case ResultCorrected(round=round, board=board) | ColoursCorrected(round=round, board=board):
            return say("news.corrected", round=round, board=board)
        case BoardsCorrected(round=round):
            return say("news.boards-corrected", round=round)
        case PlayerDetailsCorrected(player=id) | RatingCorrected(player=id):
            by_themselves = state.paired == 1 or RULES[regulations_of(state).edition].ranks_anew
            code = "news.data-corrected" if by_themselves else "news.data-corrected-to-number"
            return say(code, player=id)
        case _:
            return say("news.results")


def complete(state: Tournament, command: CompleteRound) -> Decision:
    """The end of the round: all results are in, or their games adjourned."""
    need_running(state)
    need_no_session(state)
    round = round_of(state, command.round)
    if round.completed:
        raise Duplicate("round-completed", round=round.number)
    if not round.published:
        raise NotNow("round-not-published", round=round.number)
    missing = missing_results(round)
    if missing:
        raise RoundIncomplete("results-missing", round=round.number, boards=missing)
    return Decision((RoundCompleted(round=round.number),))


def reopen_round(state: Tournament, command: ReopenRound) -> Decision:
    """A round was completed too early: it goes on, as long as the next one is not paired."""
    need_running(state)
    need_no_session(state)
    round = last_round(state, command.round, "reopened")
    if not round.completed:
        raise NotNow("round-not-completed", round=round.number)
    return Decision((RoundReopened(round=round.number),))


def reopen(state: Tournament, command: ReopenTournament) -> Decision:
    """A tournament was closed too early: it goes on, and everybody who has the report must know."""
    regulations = regulations_of(state)
    if not state.closed:
        raise NotNow("tournament-not-closed", name=regulations.name)
    need_reason(command.meta, "deed.reopening")
    return Decision((TournamentReopened(rounds=state.paired),), (caution("reopened"),))


def close(state: Tournament, command: CloseTournament) -> Decision:
    """Final standings, only with every result known (VCL 161, 169)."""
    regulations = need_running(state)
    need_no_session(state)
    for round in state.rounds:  # none: opened by mistake, or never begun
        if not round.published:
            raise NotNow("last-not-played", round=round.number)
        if missing := missing_results(round):
            raise RoundIncomplete("results-missing-at-close", round=round.number, boards=missing)
    need_results(state, "close")
    warnings: tuple[Caution, ...] = ()
    if state.paired < regulations.rounds:
        need_reason(command.meta, "deed.closing-early", round=state.paired, rounds=regulations.rounds)
        warnings = (caution("rounds-unplayed", round=state.paired, rounds=regulations.rounds),)
    events = [RoundCompleted(round=round.number) for round in state.rounds if not round.completed]
    return Decision((*events, TournamentClosed(rounds=state.paired)), warnings)
