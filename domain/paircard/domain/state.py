"""The state of a tournament, folded from its facts: what deciding needs, and what views are cut from.

Everything here is immutable, so a state can be cached, shared and compared. ``evolve`` never refuses.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final, assert_never

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain import events
from paircard.domain.events import Cause, Event, Recorded, Scope
from paircard.domain.rounds import (
    ADJOURNED,
    CLEARED,
    CURRENT,
    RATING_REPORT,
    BoardFact,
    BoardHistory,
    Change,
    Round,
    is_engines,
    seated_in,
)
from paircard.domain.values.players import (
    REMOVED,
    Changes,
    Details,
    corrected,
    erased_name,
    shown_id,
    without_person,
)
from paircard.domain.values.regulations import UNOPENED, Regulations, changed
from paircard.domain.values.results import Outcome
from paircard.domain.values.rules import RULES

__all__ = ["Player", "Tournament", "evolve", "fold", "state_after"]


class Player(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A person in the tournament."""

    id: int
    details: Details
    status: str = ""
    """Empty, ``withdrawn``, ``expelled``, or ``removed``: on no list any more."""
    missed: str = ""
    """Letters of the rounds paired before a late entry."""
    byes: tuple[tuple[int, str], ...] = ()
    """Round and letter of the byes on record, by round."""
    ranked_by: Details | None = None
    """The data that gave the player their place in the order; None before they have one."""
    ratings: tuple[tuple[int, int], ...] = ()
    """Further ratings: the first round each belongs to, and the rating, by round."""
    order_rating: int | None = None
    """The rating the order rests on, if one corrected for the rating report alone is shown instead."""
    ranked: bool = True
    """False for an expelled player who lost their place in the standings (VCL 198)."""
    final_rating: int | None = None
    """The rating when the tournament was closed: later corrections do not move the final standings."""


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament after some prefix of its log."""

    version: int = 0
    """Facts so far."""
    regulations: Regulations = UNOPENED
    imported: bool = False
    filed: events.TournamentImported | None = None
    """What the file said that the tournament was imported from; without its places once something else
    decides them."""
    fide_mode: bool = True
    closed: bool = False
    players: tuple[Player, ...] = ()
    """By id: player 1 first."""
    order: tuple[int, ...] = ()
    """Ids in the order numbers are counted from; may lack late entries until the next pairing."""
    order_before: tuple[int, ...] = ()
    order_at: int = 0
    """The order in force until the last one was made, and the version at which that was."""
    frozen: bool = False
    """Round 4 is paired (C.04.2:2.3)."""
    initial_colour: str = ""
    colour_entered: bool = False
    """The initial colour was drawn elsewhere and typed in."""
    prohibitions: tuple[events.PairingProhibited, ...] = ()
    rounds: tuple[Round, ...] = ()
    manual: int = 0
    """The round in the arbiter's hands, 0 for none."""
    lots: tuple[events.LotsDrawn, ...] = ()
    """Orders that lots or the arbiter gave, the oldest first."""
    external: tuple[events.ExternalTiebreakSet, ...] = ()
    """Tie-break values from outside, one for each player and name."""
    prizes: events.PrizesPublished | None = None
    """The list of prizes that was given out last."""
    since_pairing: tuple[Event, ...] = ()
    """What the pairing of a round that is not published yet did not know."""

    @property
    def paired(self) -> int:
        """Rounds paired so far."""
        return len(self.rounds)

    @property
    def current(self) -> int:
        """The round people are in: the last one paired; of a published table the first with an open game."""
        if not RULES[self.regulations.edition].rounds_overlap:
            return len(self.rounds)
        public = [round for round in self.rounds if round.published]
        last = public[-1].number if public else min(1, len(self.rounds))
        return next((round.number for round in public if round.open_boards()), last)


NOTHING: Final = Tournament()
"""Before the first fact."""


def fold(facts: Iterable[Event], state: Tournament = NOTHING) -> Tournament:
    """The state after these facts; results, which are most of any log, are taken in by the round."""
    for number, run in groupby(facts, key=_round_of_result):
        if number:
            state = _with_results(state, number, run)
        else:
            for event in run:
                state = evolve(state, event)
    return state


def in_common(before: Tournament, now: Tournament) -> tuple[int, bool]:
    """How many first rounds have the same results in two states that differ in nothing else, and whether
    players are called the same in both; -1 where they differ in more than results and such words."""
    others = [name for name in Tournament.__struct_fields__ if name not in ("version", "rounds", "players")]
    if any(getattr(before, name) != getattr(now, name) for name in others):
        return -1, False
    if [_without_results(one) for one in before.rounds] != [_without_results(one) for one in now.rounds]:
        return -1, False
    named = before.players is now.players or before.players == now.players
    if not named and list(map(_without_words, before.players)) != list(map(_without_words, now.players)):
        return -1, False
    same = [one is other or one == other for one, other in zip(before.rounds, now.rounds, strict=True)]
    return (same.index(False) if False in same else len(same)), named


def _without_results(round: Round) -> tuple[object, ...]:
    return tuple(
        [
            getattr(round, name)
            for name in Round.__struct_fields__
            if name not in ("histories", "completed_at")
        ]
    )


def _without_words(player: Player) -> Player:
    """A player without what no standings count with: name and the like, and byes of rounds to come."""
    return replace(player, details=Details(name="", rating=player.details.rating), byes=(), ranked_by=None)


def state_after(log: Iterable[Recorded], state: Tournament = NOTHING) -> Tournament:
    """The state after what is recorded: all of a log, or what followed a state."""
    return fold([recorded.fact for recorded in log], state)


def _round_of_result(event: Event) -> int:
    return event.round if type(event) is events.ResultRecorded else 0


def _with_results(state: Tournament, number: int, results: Iterable[Event]) -> Tournament:
    """What evolving result by result comes to, without a copy of the round for each."""
    facts = [fact for fact in results if isinstance(fact, events.ResultRecorded)]
    round = _with_entered(state.rounds[number - 1], facts, state.version + 1)
    state = replace(_with_round(state, round), version=state.version + len(facts))
    return _noting(state, *facts) if _may_be_outdated(state) else state


def evolve(state: Tournament, event: Event) -> Tournament:
    """The state after one more fact."""
    after = _evolve(state, event)
    if isinstance(event, NOTED) and _may_be_outdated(after):
        after = _noting(after, event)
    return replace(after, version=state.version + 1)


def _may_be_outdated(state: Tournament) -> bool:
    """Whether a round waits for publication whose boards could be others by now; a table never changes."""
    if not state.rounds or state.rounds[-1].published:
        return False
    return not RULES[state.regulations.edition].known_at_once


NOTED: Final = (
    events.PlayerRegistered,
    events.PlayerWithdrawn,
    events.PlayerReturned,
    events.PlayerExpelled,
    events.PlayerReinstated,
    events.PairingProhibited,
    events.ProhibitionLifted,
    events.PairingNumbersAssigned,
    events.ResultCleared,
    events.ResultCorrected,
    events.ColoursCorrected,
    events.BoardsCorrected,
    events.PlayerDetailsCorrected,
    events.RatingCorrected,
)
"""Facts that may lead to other boards, if they come after the pairing and before its publication."""


def _noting(state: Tournament, *facts: Event) -> Tournament:
    noted = state.since_pairing
    for event in facts:
        rest = tuple(one for one in noted if not _reverses(event, one))
        noted = rest if rest != noted else (*noted, event)
    return replace(state, since_pairing=noted)


def _reverses(event: Event, earlier: Event) -> bool:
    """Whether a fact takes an earlier one back, so that all is as before both."""
    match earlier, event:
        case (
            (
                events.PlayerRegistered(player=one) | events.PlayerReturned(player=one),
                events.PlayerWithdrawn(player=other),
            )
            | (events.PlayerWithdrawn(player=one), events.PlayerReturned(player=other))
            | (events.PlayerExpelled(player=one), events.PlayerReinstated(player=other))
        ):
            return one == other
        case events.PairingProhibited(players=banned), events.ProhibitionLifted(players=lifted):
            return banned == lifted
        case events.ResultCorrected(round=r, board=b, was=was), events.ResultCorrected(outcome=outcome):
            return (event.round, event.board, outcome) == (r, b, was)
        case events.ColoursCorrected(round=r, board=b), events.ColoursCorrected():
            return (event.round, event.board) == (r, b)
        case events.BoardsCorrected(round=r, was=was), events.BoardsCorrected(boards=boards):
            return (event.round, boards) == (r, was)
        case events.RatingCorrected(player=one, was=was), events.RatingCorrected(player=other, rating=rating):
            return (one, was) == (other, rating)
        case _:
            return False


def _evolve(state: Tournament, event: Event) -> Tournament:
    version = state.version + 1
    match event:
        case events.ResultRecorded(round=number):
            return _with_results(state, number, (event,))
        case events.PlayerRegistered(player=id, details=details, missed=missed):
            player = Player(id=id, details=details, missed=missed)
            return replace(state, players=(*state.players, player))
        case events.OnBoard(round=number):
            if isinstance(event, events.ResultCorrected) and event.scope != "rating-report-only":
                state = _without_filed_places(state)
            round = _with_board_fact(state.rounds[number - 1], event, len(state.rounds), version)
            return _with_round(state, round)
        case events.BoardsCorrected(round=number, scope=scope):
            if scope != "rating-report-only":
                state = _without_filed_places(state)
            round = _with_boards_as_played(state.rounds[number - 1], event, len(state.rounds), version)
            return _with_round(state, round)
        case events.ByeGranted(player=id, round=number, letter=letter):
            byes = tuple(sorted((*state.players[id - 1].byes, (number, letter))))
            return _with_byes(state, id, byes, number, letter)
        case events.ByeRevoked(player=id, round=number):
            byes = tuple(bye for bye in state.players[id - 1].byes if bye[0] != number)
            return _with_byes(state, id, byes, number, "Z")
        case events.PlayerDetailsCorrected(player=id, changes=changes):
            player = state.players[id - 1]
            order_rating = player.order_rating if changes.rating is UNSET else None
            details = corrected(player.details, changes)
            return _with_player(state, id, details=details, order_rating=order_rating)
        case events.RatingCorrected(player=id, rating=rating, scope=scope):
            player = state.players[id - 1]
            order_rating = None  # the number stays while the numbers are frozen, and no longer
            if scope == "rating-report-only":
                order_rating = player.details.rating if player.order_rating is None else player.order_rating
            details = corrected(player.details, Changes(rating=rating))
            return _with_player(state, id, details=details, order_rating=order_rating)
        case events.RatingListed(player=id, rating=rating, first=first):
            ratings = dict(state.players[id - 1].ratings) | {first: rating}
            return _with_player(state, id, ratings=tuple(sorted(ratings.items())))
        case events.PlayerWithdrawn(player=id):
            return _with_player(state, id, status="withdrawn")
        case events.PlayerRemoved(player=id) | events.PlayerMerged(player=id):
            noted = tuple(
                one
                for one in state.since_pairing
                if not (isinstance(one, events.PlayerRegistered) and one.player == id)
            )
            state = replace(state, since_pairing=noted)
            return _with_player(state, id, status=REMOVED)
        case events.PlayerReturned(player=id):
            return _with_player(state, id, status="")
        case events.PlayerExpelled(player=id, ranked=ranked):
            return _with_player(state, id, status="expelled", ranked=ranked)
        case events.PlayerReinstated(player=id):
            return _with_player(state, id, status="", ranked=True)
        case events.PersonErased(player=id):
            player = state.players[id - 1]
            ranked_by = player.ranked_by and without_person(player.ranked_by, id)
            details = without_person(player.details, id)
            return _with_player(state, id, details=details, ranked_by=ranked_by)
        case events.RoundPaired(based_on=based_on):
            order_before = state.order_before if state.order_at > based_on else None
            round = _new_round(event, version, order_before)
            return replace(state, rounds=(*state.rounds, round), since_pairing=())
        case events.PairingsAltered(round=number):
            return _with_round(state, _with_altered_boards(state.rounds[number - 1], event))
        case events.RoundPublished(round=number):
            state = replace(state, since_pairing=())
            return _with_round(state, replace(state.rounds[number - 1], published=True))
        case events.RoundCompleted(round=number):
            return _with_round(state, replace(state.rounds[number - 1], completed_at=version))
        case events.RoundReopened(round=number):
            return _with_round(state, replace(state.rounds[number - 1], completed_at=0))
        case events.RoundUnpaired(round=number):
            return replace(_without_round(state, number), since_pairing=())
        case events.ManualPairingBegun(round=number):
            return replace(state, manual=number)
        case events.ManualPairingEnded():
            return replace(state, manual=0)
        case events.PairingNumbersAssigned(order=order, cause=cause):
            players = _ranked(state, order, cause)
            return replace(state, order=order, players=players, order_before=state.order, order_at=version)
        case events.PairingNumbersFrozen():
            return replace(state, frozen=True)
        case events.TournamentOpened(regulations=regulations):
            return replace(state, regulations=regulations)
        case events.TournamentDetailsChanged(changes=new):
            regulations = changed(state.regulations, new)
            if new.tiebreaks is not UNSET:
                state = _without_filed_places(state)
            return replace(state, regulations=regulations)
        case events.TournamentImported():
            return replace(state, imported=True, filed=event)
        case events.InitialColourDrawn(colour=colour, method=method):
            return replace(state, initial_colour=colour, colour_entered=method == "entered")
        case events.PairingProhibited():
            return replace(state, prohibitions=_prohibited(state.prohibitions, event))
        case events.ProhibitionLifted():
            return replace(state, prohibitions=_lifted(state.prohibitions, event))
        case events.LotsDrawn():
            return replace(state, lots=(*state.lots, event))
        case events.ExternalTiebreakSet(player=id, name=name):
            others = tuple(one for one in state.external if (one.player, one.name) != (id, name))
            return replace(state, external=(*others, event))
        case events.FideModeLeft():
            return replace(state, fide_mode=False)
        case events.PrizesPublished():
            return replace(state, prizes=event)
        case events.TournamentClosed():
            players = tuple(replace(one, final_rating=one.details.rating) for one in state.players)
            return replace(state, closed=True, players=players)
        case events.TournamentReopened():
            players = tuple(replace(one, final_rating=None) for one in state.players)
            return replace(state, closed=False, players=players)
        case _:
            assert_never(event)


def _without_filed_places(state: Tournament) -> Tournament:
    """Places of an imported file no longer hold once a result or the list of tie-breaks has changed."""
    if state.filed is None or state.filed.places is UNSET:
        return state
    return replace(state, filed=replace(state.filed, places=UNSET))


def _prohibited(
    prohibitions: tuple[events.PairingProhibited, ...], event: events.PairingProhibited
) -> tuple[events.PairingProhibited, ...]:
    """The prohibitions with one more; one that was lifted by a slip goes on where it ended."""
    for at, ban in enumerate(prohibitions):
        if ban.players == event.players and ban.last + 1 == event.first:
            return (*prohibitions[:at], replace(ban, last=event.last), *prohibitions[at + 1 :])
    return (*prohibitions, event)


def _lifted(
    prohibitions: tuple[events.PairingProhibited, ...], event: events.ProhibitionLifted
) -> tuple[events.PairingProhibited, ...]:
    """The prohibitions that are left; rounds paired under one that was lifted stay under it."""
    gone = events.PairingProhibited(players=event.players, first=event.first, last=event.last)
    past = (replace(gone, last=event.round - 1),) if event.first < event.round else ()
    return tuple(one for ban in prohibitions for one in (past if ban == gone else (ban,)))


def _new_round(fact: events.RoundPaired, version: int, order_before: tuple[int, ...] | None) -> Round:
    by_engine = fact.origin == "engine"
    return Round(
        fact=fact,
        version=version,
        histories=tuple([BoardHistory(white, black) for white, black in fact.boards]),
        bye=BoardHistory(fact.pab, 0),
        absent=fact.absent,
        numbers=fact.numbers,
        altered=fact.origin == "manual",
        engine_boards=fact.boards if by_engine else (),
        engine_pab=fact.pab if by_engine else 0,
        order_before=order_before,
    )


def _with_entered(round: Round, results: Iterable[events.ResultRecorded], version: int) -> Round:
    """The round with results, the first of them at this version: together, without a copy for each."""
    histories = list(round.histories)
    for at, fact in enumerate(results, start=version):
        board = histories[fact.board - 1]
        change = Change(0, _by_player(board, CURRENT, fact.outcome), None, at, fact.reason or "")
        histories[fact.board - 1] = BoardHistory(board.white, board.black, (*board.changes, change))
    return replace(round, histories=tuple(histories))


def _with_board_fact(round: Round, fact: BoardFact, paired: int, version: int) -> Round:
    """The round with one more thing known about a board, when this number of rounds was paired."""
    place = fact.board - 1
    board = round.histories[place]
    match fact:
        case events.GameAdjourned():
            change = Change(0, _by_player(board, CURRENT, ADJOURNED), version=version)
        case events.ResultCleared():
            change = Change(0, _by_player(board, CURRENT, CLEARED), version=version)
        case events.ResultCorrected(outcome=outcome, scope=scope):
            view = RATING_REPORT if scope == "rating-report-only" else CURRENT
            change = Change(_first_view(paired, scope), _by_player(board, view, outcome), version=version)
        case events.ColoursCorrected(white=white, black=black, scope=scope):
            change = Change(_first_view(paired, scope), colours=(white, black), version=version)
    histories = (*round.histories[:place], board.with_change(change), *round.histories[place + 1 :])
    return replace(round, histories=histories)


def _with_boards_as_played(round: Round, fact: events.BoardsCorrected, paired: int, version: int) -> Round:
    """The round with its boards as they were played, when this number of rounds was paired."""
    first = _first_view(paired, fact.scope)
    histories = list(round.histories)
    for played in fact.boards:
        seats, outcome = (played.white, played.black), played.outcome or CLEARED
        letters = (played.white, outcome.white), (played.black, outcome.black)
        change = Change(first, letters, seats, version)
        histories[played.board - 1] = histories[played.board - 1].with_change(change)
    bye = round.bye
    if fact.pab != fact.pab_was:
        bye = bye.with_change(Change(first, ((fact.pab, "U"), (0, "")), (fact.pab, 0), version))
    return replace(round, histories=tuple(histories), bye=bye)


def _by_player(board: BoardHistory, view: int, outcome: Outcome) -> tuple[tuple[int, str], ...]:
    """Letters of White and Black given to the persons who sat there, as the view has the colours."""
    game = board.as_seen_by(view) if board.changes else board
    return (game.white, outcome.white), (game.black, outcome.black)


def _first_view(paired: int, scope: Scope) -> int:
    """The first view that sees a correction made when this number of rounds was paired (C.04.2:4.3)."""
    return {"pairing-after-next": paired, "rating-report-only": RATING_REPORT}.get(scope, 0)


def _with_altered_boards(round: Round, fact: events.PairingsAltered) -> Round:
    """The round with the arbiter's boards; what was known about a board that stays is kept."""
    known = dict(zip(round.boards, round.histories, strict=True))
    return replace(
        round,
        histories=tuple([known.get(pair) or BoardHistory(*pair) for pair in fact.boards]),
        bye=BoardHistory(fact.pab, 0),
        absent=fact.absent,
        numbers=fact.numbers,
        altered=not is_engines(fact),
        engine_boards=fact.engine_boards,
        engine_pab=fact.engine_pab,
    )


def _with_pairing_withdrawn(round: Round, gone: Round) -> Round:
    """An earlier round once the last one was taken back: what came too late for it is in time again.

    [C.04.2:4.3] speaks of a pairing that stands. What the pairing did itself, completing the round before
    it and counting missing results as adjourned, goes with it; a result that came since stays.
    """

    def by_pairing(version: int) -> bool:
        return 0 < gone.fact.based_on < version < gone.version

    # [2012 F.7] a correction of an early round is in time for the pairing to be made, not for older ones
    in_time = gone.number - 1 if RULES[gone.fact.edition].corrections == "always" else 0

    def in_time_again(board: BoardHistory) -> BoardHistory:
        changes = tuple(
            [
                replace(change, first_view=in_time) if change.first_view == gone.number else change
                for change in board.changes
                if not (change.adjourned and by_pairing(change.version))
            ]
        )
        return board if changes == board.changes else replace(board, changes=changes)

    return replace(
        round,
        histories=tuple([in_time_again(board) for board in round.histories]),
        bye=in_time_again(round.bye),
        completed_at=0 if by_pairing(round.completed_at) else round.completed_at,
    )


def _with_byes(
    state: Tournament, player: int, byes: tuple[tuple[int, str], ...], number: int, letter: str
) -> Tournament:
    """The tournament with the byes of a player; one of a paired round was forgotten at the desk."""
    state = _with_player(state, player, byes=byes)
    if number > len(state.rounds):
        return state
    round = state.rounds[number - 1]
    absent = tuple((id, letter if id == player else old) for id, old in round.absent)
    return _with_round(state, replace(round, absent=absent))


def _with_player(state: Tournament, id: int, **changes: Any) -> Tournament:
    player = replace(state.players[id - 1], **changes)
    players = (*state.players[: id - 1], player, *state.players[id:])
    return replace(state, players=players)


def _with_round(state: Tournament, round: Round) -> Tournament:
    place = round.fact.round - 1
    rounds = (*state.rounds[:place], round, *state.rounds[place + 1 :])
    return replace(state, rounds=rounds)


def _ranked(state: Tournament, order: tuple[int, ...], cause: Cause) -> tuple[Player, ...]:
    """Players who get a number, or a new one, get it by their current data."""
    placed = frozenset(order)
    anew = cause not in ("late-entry", "exchanged")
    return tuple(
        replace(player, ranked_by=ranking_data(state, player))
        if player.id in placed and (anew or player.ranked_by is None)
        else player
        for player in state.players
    )


def ranking_data(state: Tournament, player: Player) -> Details:
    """What the player is ranked by if the players are numbered again.

    A rating corrected for the rating report alone, as all were that an earlier version of paircard recorded
    after round 4 was paired, moves no number when that round is taken back. An arbiter who renumbers after
    round 4, outside FIDE mode, means the ratings as they are.
    """
    if player.order_rating is None or state.frozen:
        return player.details
    return corrected(player.details, Changes(rating=player.order_rating))


def _without_round(state: Tournament, number: int) -> Tournament:
    """The tournament without its last round, and without what pairing it did to earlier ones."""
    *earlier, gone = state.rounds
    rounds = tuple(_with_pairing_withdrawn(round, gone) for round in earlier)
    state = replace(
        state, rounds=rounds, frozen=state.frozen and number > RULES[gone.fact.edition].freezing_round
    )
    if gone.order_before is None:
        return state
    placed = frozenset(gone.order_before)
    players = tuple(p if p.id in placed else replace(p, ranked_by=None) for p in state.players)
    return replace(state, order=gone.order_before, players=players)


def names_of(state: Tournament, ids: Iterable[int]) -> dict[int, str]:
    """How sentences call players: by name, never by a number that could be a pairing number.

    Empty for somebody whose data was erased; namesakes have what tells them apart.
    """
    wanted = {id: state.players[id - 1] for id in ids if 1 <= id <= len(state.players)}
    if not wanted:
        return {}
    alike: dict[str, list[Player]] = {one.details.name: [] for one in wanted.values()}
    for one in state.players:
        if one.details.name in alike and one.status != REMOVED:
            alike[one.details.name].append(one)
    return {id: name_among([*alike[one.details.name], one], id) for id, one in wanted.items()}


def entered(state: Tournament) -> tuple[Player, ...]:
    return tuple(one for one in state.players if one.status != REMOVED)


def name_among(namesakes: Iterable[Player], id: int) -> str:
    """The name of one of those who share it, with what tells them apart: year of birth, federation, id.

    Empty for somebody whose data was erased.
    """
    others = {one.id: one.details for one in namesakes}
    mine = others.pop(id)
    if mine.name == erased_name(id):
        return ""
    if not others:
        return mine.name
    if mine.birth and mine.birth[:4] not in {other.birth[:4] for other in others.values()}:
        return f"{mine.name} ({mine.birth[:4]})"
    if mine.federation and mine.federation not in {other.federation for other in others.values()}:
        return f"{mine.name} ({mine.federation})"
    return f"{mine.name} (id {shown_id(id)})"


def rounds_paired_at(state: Tournament, version: int) -> int:
    """How many of the rounds that stand were paired at a version of the log."""
    return sum(round.version <= version for round in state.rounds)


def absences(state: Tournament, round: int) -> dict[int, str]:
    """Who is known not to play a round that is still to be paired, with the letter it will hold.

    Withdrawn and expelled players are absent for zero points (C.04.2:3.2, 3.3); once a table is paired from,
    they keep their place in it and forfeit their games (C.05:6.6).
    """
    absent = {}
    keep = state.rounds and RULES[state.regulations.edition].leavers_keep_seats
    seated = frozenset(state.order) if keep else frozenset[int]()
    for player in state.players:
        if player.status and player.id not in seated:
            absent[player.id] = "Z"
        else:
            for number, letter in player.byes:
                if number == round:
                    absent[player.id] = letter
    return absent


def participants(state: Tournament, before: int = 1000) -> set[int]:
    """Everyone paired in a round before this one, the pairing-allocated bye included."""
    return seated_in(state.rounds[: before - 1])
