"""Deciding about rounds: pairing, by hand too, publishing, taking back, completing; and closing the event."""

from collections.abc import Generator, Iterator
from typing import Final

from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.deciding.boards import Absent, check_boards, differing, lower_for_bye, pairing_points
from paircard.domain.deciding.decision import (
    Follows,
    adjourned_games,
    caution,
    last_round,
    missing_results,
    need_reason,
    need_results,
    need_running,
    need_undisturbed,
    regulations_of,
    round_of,
    some,
)
from paircard.domain.deciding.numbering import (
    Numbers,
    moved_afresh,
    numbers_along,
    numbers_in_force,
    order_afresh,
    order_in_force,
    order_with_newcomers,
    renumbered,
)
from paircard.domain.deciding.players import unused_ratings
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow, RoundIncomplete, StaleDecision
from paircard.domain.events import Cause, Event, Origin
from paircard.domain.messages import Message, say
from paircard.domain.rounds import is_engines
from paircard.domain.state import Tournament, absences, entered, evolve, participants
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import checked_text


def draw_colour(state: Tournament, command: ask.DrawInitialColour) -> Follows:
    """The colour of the first number, drawn by lot before round 1 (C.04.3:5.1).

    No round is computed before it; after rounds from a file it is still to be drawn, or read off them.
    """
    need_running(state)
    if command.colour not in ("w", "b"):
        raise Invalid("colour-unknown", text=command.colour)
    if colour := state.initial_colour:
        if state.paired or not state.colour_entered or not command.entered:
            raise Duplicate("colour-drawn", colour=colour)
        if command.colour == colour:
            raise Duplicate("colour-entered", colour=colour)
        need_reason(command.meta, "deed.colour-again")
        yield caution("redraw", colour=colour)
    yield events.InitialColourDrawn(colour=command.colour, method="entered" if command.entered else "drawn")


def pair(state: Tournament, command: ask.PairRound) -> Follows:
    """Record the boards of a round, if they were made from what is known now."""
    need_pairable(state, command.round)
    need_source(state, command)
    need_fresh(state, command.round, command.based_on)
    yield from record_boards(state, command, command.origin)


def need_source(state: Tournament, command: ask.PairRound) -> None:
    """Refuse boards by hand, and those that neither an engine nor the file can have made."""
    if command.origin == "manual":
        raise Invalid("manual-boards-elsewhere")
    if command.origin == "import" and command.round > rounds_of_file(state):
        raise Invalid("round-not-of-file")
    if command.origin == "engine" and not command.snapshot:
        raise Invalid("snapshot-missing")


def rounds_of_file(state: Tournament) -> int:
    """Rounds of the file a tournament is imported from; they are recorded as they are."""
    return (state.filed.paired or 0) if state.filed else 0


def need_pairable(state: Tournament, round: int) -> None:
    """Refuse a round that cannot be paired now, whatever its boards are."""
    need_undisturbed(state)
    _need_next(state, round)
    if not entered(state):
        raise NotNow("nobody-registered")
    if len(absences(state, round)) == len(state.players):
        raise NotNow("nobody-present", round=round)


def need_computable(state: Tournament, round: int) -> None:
    """Refuse a round that the engine cannot pair now: also before the initial colour is drawn."""
    need_pairable(state, round)
    need_colour(state)


def need_colour(state: Tournament) -> None:
    """Refuse to compute a round before the lot for the initial colour is drawn (C.04.3:5.1)."""
    if not state.initial_colour:
        raise NotNow("colour-not-drawn")


def need_next(state: Tournament, round: int, rounds: int) -> None:
    """Refuse any round but the one after those that are paired, of so many."""
    paired = len(state.rounds)
    if 1 <= round <= paired:
        raise Duplicate("round-paired", round=round)
    if round > rounds:
        raise NotNow("no-such-round", round=round, rounds=rounds)
    if round != paired + 1:
        raise NotNow("round-not-next", round=round, next=paired + 1)


def _need_next(state: Tournament, round: int) -> None:
    need_next(state, round, state.regulations.rounds)
    if state.rounds and not state.rounds[-1].published:
        raise NotNow("last-not-published", round=state.paired)


def need_fresh(state: Tournament, round: int, based_on: int) -> None:
    if based_on != state.version:
        raise StaleDecision("pairing-stale", round=round, based_on=based_on, version=state.version)


def record_boards(
    state: Tournament, command: ask.PairRound | ask.EndManualPairing, origin: Origin
) -> Generator[Event | Caution, None, events.RoundPaired]:
    """What comes along with a pairing, then the round itself, which is handed back, too."""
    checked_text("engine", command.engine, limit=100)
    if command.snapshot and (
        len(command.snapshot) != 64 or not set(command.snapshot) <= set("0123456789abcdef")
    ):
        raise Invalid("snapshot-unreadable")
    if origin != "import":
        need_colour(state)
    yield from _previous_round_ended(state)
    playing, absent = yield from check_boards(state, command.round, command.boards, command.pab, origin)
    freezing = command.round == RULES[state.regulations.edition].freezing_round
    if command.round == 1:
        yield from _too_many_rounds(state, playing)
        if origin != "import" and (unused := unused_ratings(state)).players:
            yield caution("ratings-not-used", count=len(unused.players), lists=unused.lists)
    if origin != "import":
        yield from _no_shows(state, command, playing)
        if freezing and (moved := moved_afresh(state)):
            yield caution("numbers-out-of-date", count=moved)
    numbers = numbers_in_force(state, command.round, playing)
    order = order_in_force(state)
    if order != state.order:
        cause: Cause = "late-entry" if state.paired else "initial"
        if state.paired and order != order_with_newcomers(state):
            cause = "regenerated"
        yield events.PairingNumbersAssigned(order=order, cause=cause)
    if freezing:
        yield events.PairingNumbersFrozen(round=command.round, numbers=numbers)
    yield (paired := round_paired(state, command, origin, numbers, absent))
    return paired


def round_paired(
    state: Tournament,
    command: ask.PairRound | ask.EndManualPairing,
    origin: Origin,
    numbers: Numbers,
    absent: Absent,
) -> events.RoundPaired:
    """The fact of a round, as the command has its boards."""
    return events.RoundPaired(
        round=command.round,
        edition=state.regulations.edition,
        engine=command.engine,
        based_on=command.based_on,
        snapshot=command.snapshot,
        numbers=numbers,
        boards=command.boards,
        pab=command.pab,
        absent=absent,
        origin=origin,
    )


def _too_many_rounds(state: Tournament, playing: frozenset[int]) -> Iterator[Caution]:
    """Whether somebody runs out of opponents before the last round (VCL 62)."""
    most = len(playing) - 1 if len(playing) % 2 == 0 else len(playing)
    rounds = state.regulations.rounds
    if rounds > most:
        yield caution("too-many-rounds.met", entered=len(playing), rounds=rounds)
        return
    for id in sorted(playing):
        kept_apart = {
            other
            for ban in state.prohibitions
            if id in ban.players and ban.first == 1 and ban.last >= rounds
            for other in ban.players
        }
        if rounds > most - len((kept_apart & playing) - {id}):
            yield caution("too-many-rounds.kept-apart", player=id, rounds=rounds)
            return


def _no_shows(
    state: Tournament, command: ask.PairRound | ask.EndManualPairing, playing: frozenset[int]
) -> Iterator[Caution]:
    """Players who did not come to the last round count as withdrawn unless excused (C.05:6.5)."""
    absent = sorted(
        id
        for last in state.rounds[-1:]
        for game in last.games()
        for id, letter in ((game.white, game.white_letter), (game.black, game.black_letter))
        if letter == "-" and id in playing
    )
    if absent and "no-show" in command.meta.acknowledge:
        need_reason(command.meta, "deed.pairing-absent", players=absent)
    if absent:
        yield caution("no-show", players=absent, round=state.paired)


def _previous_round_ended(state: Tournament) -> Follows:
    """Before a pairing missing results become adjourned games, a draw for now (VCL 159, 160, 168)."""
    number = len(state.rounds)
    for last in state.rounds[-1:]:
        if missing := missing_results(last):
            yield caution("missing-results", round=number, boards=missing)
            for board in missing:
                yield events.GameAdjourned(round=number, board=board)
        if waiting := adjourned_games(state):
            yield caution("adjourned-games", games=waiting)
        if not last.completed_at:
            yield events.RoundCompleted(round=number)


def unpair(state: Tournament, command: ask.UnpairRound) -> Follows:
    """Take the last round back, with all that pairing it did; a published one only before it is played."""
    regulations = need_undisturbed(state)
    round = last_round(state, command.round, "unpaired")
    if round.published:
        if known := [at for at, outcome in enumerate(round.outcomes, start=1) if outcome is not None]:
            raise NotNow("round-being-played", round=round.number, boards=known)
        need_reason(command.meta, "deed.unpairing-published", round=round.number)
        yield caution("published-pairing.seen", round=round.number, cases=regulations.edition)
    yield events.RoundUnpaired(round=round.number)


def publish(state: Tournament, command: ask.PublishRound) -> Follows:
    """Make the pairings known; from here on results are entered."""
    need_undisturbed(state)
    round = round_of(state, command.round)
    if round.published:
        raise Duplicate("round-published", round=round.number)
    yield from outdated(state)
    yield events.RoundPublished(round=round.number)


def outdated(state: Tournament) -> Iterator[Caution]:
    """What the pairing that is about to be published did not know (C.04.2:3.2, 4.3)."""
    since = [
        one for one in state.since_pairing if not isinstance(one, DATA_CORRECTED) or _moves(state, one.player)
    ]
    if not since:
        return
    news: list[Message] = []
    for event in since:
        if (one := _news(state, event)) not in news:
            news.append(one)
    players = sorted({event.player for event in since if isinstance(event, events.OfPlayer)})
    yield caution("pairing-outdated", players=players, round=state.paired, news=news)


DATA_CORRECTED: Final = (events.PlayerDetailsCorrected, events.RatingCorrected)


def _moves(state: Tournament, id: int) -> bool:
    """Whether corrected data would move the player's number, if the round were taken back (C.04.2:2.3)."""
    before = evolve(state, events.RoundUnpaired(round=state.paired))
    if before.frozen or before.imported:
        return False
    old = state.order if state.paired == 1 else before.order
    afresh = [one for one in order_afresh(before) if one in old]
    return id in afresh and [one for one in old if one in afresh].index(id) != afresh.index(id)


def _news(state: Tournament, event: Event) -> Message:
    """One thing that happened since the pairing."""
    match event:
        case events.PlayerRegistered(player=id):
            return say("news.entered", player=id)
        case events.PlayerWithdrawn(player=id):
            return say("news.withdrew", player=id)
        case events.PlayerExpelled(player=id):
            return say("news.expelled", player=id)
        case events.PlayerReturned(player=id) | events.PlayerReinstated(player=id):
            return say("news.back", player=id)
        case events.PairingProhibited() | events.ProhibitionLifted():
            return say("news.prohibitions")
        case events.PairingNumbersAssigned():
            return say("news.numbers")
        case events.ResultRecorded(round=round, board=board):
            return say("news.ended", round=round, board=board)
        case (
            events.ResultCorrected(round=round, board=board)
            | events.ColoursCorrected(round=round, board=board)
        ):
            return say("news.corrected", round=round, board=board)
        case events.BoardsCorrected(round=round):
            return say("news.boards-corrected", round=round)
        case events.PlayerDetailsCorrected(player=id) | events.RatingCorrected(player=id):
            by_themselves = state.paired == 1 or RULES[regulations_of(state).edition].ranks_anew
            code = "news.data-corrected" if by_themselves else "news.data-corrected-to-number"
            return say(code, player=id)
        case _:
            return say("news.results")


def complete(state: Tournament, command: ask.CompleteRound) -> Follows:
    """The end of the round: all results are in, or their games adjourned."""
    need_undisturbed(state)
    round = round_of(state, command.round)
    if round.completed:
        raise Duplicate("round-completed", round=round.number)
    if not round.published:
        raise NotNow("round-not-published", round=round.number)
    if missing := missing_results(round):
        raise RoundIncomplete("results-missing", round=round.number, boards=missing)
    yield events.RoundCompleted(round=round.number)


def reopen_round(state: Tournament, command: ask.ReopenRound) -> Follows:
    """A round was completed too early: it goes on, as long as no pairing has used its end."""
    need_undisturbed(state)
    if RULES[state.regulations.edition].rounds_overlap:
        round = round_of(state, command.round)
    else:
        round = last_round(state, command.round, "reopened")
    if not round.completed:
        raise NotNow("round-not-completed", round=round.number)
    yield events.RoundReopened(round=round.number)


def reopen(state: Tournament, command: ask.ReopenTournament) -> Follows:
    """A tournament was closed too early: it goes on, and everybody who has the report must know."""
    regulations = regulations_of(state)
    if not state.closed:
        raise NotNow("tournament-not-closed", name=regulations.name)
    need_reason(command.meta, "deed.reopening")
    yield caution("reopened")
    yield events.TournamentReopened(rounds=state.paired)


def close(state: Tournament, command: ask.CloseTournament) -> Follows:
    """Final standings, only with every result known (VCL 161, 169)."""
    regulations = need_undisturbed(state)
    for round in state.rounds:  # none: opened by mistake, or never begun
        if not round.published:
            raise NotNow("last-not-played", round=round.number)
        if missing := missing_results(round):
            raise RoundIncomplete("results-missing-at-close", round=round.number, boards=missing)
    need_results(state, "close")
    if state.paired < regulations.rounds:
        need_reason(command.meta, "deed.closing-early", round=state.paired, rounds=regulations.rounds)
        yield caution("rounds-unplayed", round=state.paired, rounds=regulations.rounds)
    for round in state.rounds:
        if not round.completed:
            yield events.RoundCompleted(round=round.number)
    yield events.TournamentClosed(rounds=state.paired)


# --- rounds by hand: the arbiter begins one, and ends it with boards (VCL 64-69)


def begin_manual(state: Tournament, command: ask.BeginManualPairing) -> Follows:
    """Open the arbiter's session on the last paired round or the next one (VCL 64, 65)."""
    need_undisturbed(state)
    if 1 <= command.round <= state.paired:
        if command.round < state.paired:
            raise Invalid("round-not-altered", round=command.round, last=state.paired)
        if state.rounds[-1].completed:
            raise NotNow("boards-stand", round=command.round)
    else:
        _need_next(state, command.round)
    yield events.ManualPairingBegun(round=command.round)


def end_manual(state: Tournament, command: ask.EndManualPairing) -> Follows:
    """Close the session with the arbiter's boards, and keep the engine's with them (VCL 68, 69)."""
    need_session(state, command.round)
    if command.round <= state.paired:
        yield from _altered(state, command)
        return
    differs = not is_engines(command)
    if command.boards:  # none: given up
        if differs:
            need_reason(command.meta, "deed.pairing-by-hand", round=command.round)
        command = replace(command, based_on=command.based_on or state.version)
        need_fresh(state, command.round, command.based_on)
        paired = yield from record_boards(state, command, "manual")
        yield from _alteration(state, command, paired.numbers, paired.absent)
    yield events.ManualPairingEnded(round=command.round, altered=bool(command.boards) and differs)


def need_session(state: Tournament, round: int) -> None:
    """Refuse boards by hand of a round that is not in the arbiter's hands."""
    need_running(state)
    if state.manual != round:
        raise NotNow("no-manual-session", round=round, other_round=state.manual)


def _alteration(
    state: Tournament,
    command: ask.EndManualPairing,
    numbers: Numbers,
    absent: Absent,
) -> Follows:
    """Record the arbiter's boards with the engine's; warn of what speaks against them."""
    altered = events.PairingsAltered(
        round=command.round,
        boards=command.boards,
        pab=command.pab,
        engine_boards=command.engine_boards,
        engine_pab=command.engine_pab,
        numbers=numbers,
        absent=absent,
    )
    yield altered
    yield from _bye_too_high(state, altered)
    yield from _differing(altered)


def _altered(state: Tournament, command: ask.EndManualPairing) -> Follows:
    round = state.rounds[command.round - 1]
    if round.engine_boards:  # those on record
        command = replace(command, engine_boards=round.engine_boards, engine_pab=round.engine_pab)
    if (command.boards, command.pab) == (round.boards, round.pab):
        yield events.ManualPairingEnded(round=round.number, altered=False)
        return
    need_reason(command.meta, "deed.alteration", round=round.number)
    kept = set(command.boards)
    for number, (board, outcome) in enumerate(zip(round.boards, round.outcomes, strict=True), start=1):
        if outcome is not None and board not in kept:
            raise NotNow("board-has-result", round=round.number, board=number, result=outcome)
    playing, absent = yield from check_boards(state, round.number, command.boards, command.pab, "manual")
    if round.published and (command.pab != round.pab or kept != set(round.boards)):
        yield caution("published-pairing.altered", round=round.number, cases=state.regulations.edition)
    numbered = participants(state, round.number) | playing
    numbers = numbers_along(state, order_with_newcomers(state), numbered)
    if round.published and (moved := renumbered(round.numbers, numbers)):
        yield caution("renumbering.published", count=moved)
    yield from _alteration(state, command, numbers, absent)
    yield events.ManualPairingEnded(round=round.number, altered=not is_engines(command))


def _bye_too_high(state: Tournament, fact: events.PairingsAltered) -> Iterator[Caution]:
    """The bye by hand for somebody with more points than another who may have it (VCL 66; 2026 C5)."""
    if not fact.pab or fact.pab == fact.engine_pab:
        return
    if lower := lower_for_bye(state, fact.round, fact.boards, fact.pab):
        scores = pairing_points(state, fact.round)
        mine, theirs = scores[fact.pab], scores[lower]
        yield caution("bye-too-high", pab=fact.pab, other=lower, points=mine, theirs=theirs)


def _differing(fact: events.PairingsAltered) -> Iterator[Caution]:
    # The manual asks for level 4 and the right pairing shown with it; VCL 69 for level 3 at least.
    if is_engines(fact):
        return
    given, right = differing(fact)
    if right:
        code = "manual-pairing.instead"
    else:
        code = "manual-pairing.in-addition" if fact.engine_boards else "manual-pairing.no-legal-round"
    yield caution(code, round=fact.round, now=some(given) or [say("fewer-boards")], instead=some(right))
