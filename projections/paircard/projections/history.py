"""The history of a tournament: its log, folded once, from which every view is cut.

Two clocks run in it: which round a result belongs to, and since when it counts. A correction of round n
counts in the standings of n and the pairing of n+1, or from one round later on, or in the rating report
alone (C.04.2:4.3). So a board holds what became known one after the other, each with the first view that
sees it. The view ``m`` is that of the standings after round m and of the pairing of round m+1.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.events import (
    ColoursCorrected,
    ExternalTiebreakSet,
    GameAdjourned,
    LotsDrawn,
    PairingsAltered,
    PlayerExpelled,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
    Scope,
    TournamentClosed,
)
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.regulations import Regulations

CURRENT: Final = 999_999
"""The view of now: it sees every correction but those for the rating report alone."""
RATING_REPORT: Final = 1_000_000
"""The view of the rating report: it sees every correction."""


class Game(msgspec.Struct, frozen=True):
    """One board as known at some moment; letters are empty until there is a result."""

    white: int
    black: int
    white_letter: str = ""
    black_letter: str = ""


class Change(msgspec.Struct, frozen=True):
    """One thing that became known about a board, and the first view that sees it."""

    since: int
    letters: tuple[tuple[int, str], ...] = ()
    """Player and letter: a result belongs to persons, whatever becomes of their colours."""
    colours: tuple[int, int] | None = None
    """White and Black as they sat."""
    version: int = 0
    """Version of the log at which it became known."""

    @property
    def adjourned(self) -> bool:
        return any(letter == "?" for _, letter in self.letters)


class Played(msgspec.Struct, frozen=True):
    """A board as paired, and what became known about it one after the other."""

    white: int
    black: int
    changes: tuple[Change, ...] = ()


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is paired."""

    fact: RoundPaired
    version: int
    """Version of the log at which it was paired."""
    boards: tuple[Played, ...]
    """In published order."""
    pab: int
    absent: tuple[tuple[int, str], ...]
    numbers: tuple[tuple[int, int], ...]
    """Id and number, as on the sheet of the round."""
    published: bool = False
    completed: bool = False
    ended: int = 0
    """Version of the log at which it was completed."""
    altered: bool = False
    """Whether the boards are the arbiter's and not the engine's."""

    def games(self, view: int = CURRENT) -> tuple[Game, ...]:
        """The boards as the view sees them."""
        return tuple(seen(board, view) for board in self.boards)

    def open_boards(self) -> tuple[int, ...]:
        """Boards without a result, an adjourned game included."""
        return tuple(at for at, game in enumerate(self.games(), start=1) if game.white_letter in ("", "?"))


class History(msgspec.Struct, frozen=True, kw_only=True):
    """All that the log tells, up to some version."""

    tournament: str
    state: Tournament
    """The same log as deciding sees it."""
    rounds: tuple[Round, ...] = ()
    """Round 1 first."""
    external: Mapping[tuple[int, str], int]
    """Tie-break values from outside, by player and name, in hundredths."""
    orders: tuple[LotsDrawn, ...] = ()
    ranked_though_expelled: frozenset[int] = frozenset()
    closed_with: Mapping[int, int] = MappingProxyType({})
    """Ratings when the tournament was closed: final standings stand, whatever is corrected for the report."""

    @property
    def version(self) -> int:
        return self.state.version

    @property
    def regulations(self) -> Regulations:
        assert self.state.regulations is not None, "a log begins with the opening of the tournament"
        return self.state.regulations

    @property
    def paired(self) -> int:
        """Rounds paired so far."""
        return len(self.rounds)


def seen(board: Played, view: int) -> Game:
    """The board as the view sees it: of all it may know, the last word counts."""
    white, black = board.white, board.black
    letters: dict[int, str] = {}
    for change in board.changes:
        if change.since <= view:
            white, black = change.colours or (white, black)
            letters.update(change.letters)
    return Game(white, black, letters.get(white, ""), letters.get(black, ""))


def first_view(paired: int, scope: Scope) -> int:
    """The first view that sees a correction made when so many rounds were paired (C.04.2:4.3)."""
    return {"pairing-next": 0, "pairing-after-next": paired, "rating-report-only": RATING_REPORT}[scope]


EMPTY: Final = History(tournament="", state=NOTHING, external=MappingProxyType({}))
"""Before the first fact."""


def history(log: Sequence[Recorded], start: History = EMPTY, state: Tournament | None = None) -> History:
    """Fold the log of one tournament, or any beginning of it; or what came after a history.

    Whoever has the state of that log already gives it; else it is folded as well.
    """
    rounds = dict(enumerate(start.rounds, start=1))
    external = dict(start.external)
    orders = list(start.orders)
    ranked = set(start.ranked_though_expelled)
    closed_with = start.closed_with
    for number, run in groupby(log, key=_round_of_result):
        if number:
            rounds[number] = with_results(rounds[number], run)
            continue
        for recorded in run:
            match recorded.fact:
                case RoundPaired() as fact:
                    rounds[fact.round] = paired(fact, recorded.version)
                case RoundUnpaired(round=number):
                    gone = rounds.pop(number)
                    for earlier in rounds:  # of an adjourned game also a round long past is corrected
                        rounds[earlier] = released(rounds[earlier], gone.fact)
                case RoundPublished(round=number):
                    rounds[number] = replace(rounds[number], published=True)
                case RoundCompleted(round=number):
                    rounds[number] = replace(rounds[number], completed=True, ended=recorded.version)
                case PairingsAltered() as fact:
                    rounds[fact.round] = altered(rounds[fact.round], fact)
                case GameAdjourned() | ResultCorrected() | ColoursCorrected() as fact:
                    rounds[fact.round] = reported(rounds[fact.round], fact, len(rounds), recorded.version)
                case PlayerExpelled(player=player, ranked=stays):
                    (ranked.add if stays else ranked.discard)(player)
                case LotsDrawn() as fact:
                    orders.append(fact)
                case ExternalTiebreakSet(player=player, name=name, value=value):
                    external[player, name] = value
                case _:
                    pass  # folded by the state alone
    facts = [recorded.fact for recorded in log]
    closed = [at for at, fact in enumerate(facts, start=1) if type(fact) is TournamentClosed]
    if closed:
        players = fold(facts[: closed[-1]], start.state).players
        closed_with = MappingProxyType({player.id: player.details.rating for player in players})
    return History(
        tournament=log[-1].tournament if log else start.tournament,
        state=state or fold(facts, start.state),
        rounds=tuple(rounds[number] for number in sorted(rounds)),
        external=MappingProxyType(external),
        orders=tuple(orders),
        ranked_though_expelled=frozenset(ranked),
        closed_with=closed_with,
    )


def _round_of_result(recorded: Recorded) -> int:
    return recorded.fact.round if type(recorded.fact) is ResultRecorded else 0


def with_results(round: Round, results: Iterable[Recorded]) -> Round:
    """The round with results, which are most of any log: taken in together, without a copy for each."""
    boards = list(round.boards)
    for recorded in results:
        fact = recorded.fact
        assert isinstance(fact, ResultRecorded)
        board = boards[fact.board - 1]
        change = Change(0, by_player(board, CURRENT, fact.outcome.white, fact.outcome.black))
        boards[fact.board - 1] = Played(board.white, board.black, (*board.changes, change))
    return replace(round, boards=tuple(boards))


def paired(fact: RoundPaired, version: int) -> Round:
    """A round as it was paired."""
    return Round(
        fact=fact,
        version=version,
        boards=tuple(Played(white, black) for white, black in fact.boards),
        pab=fact.pab,
        absent=fact.absent,
        numbers=fact.numbers,
        altered=fact.origin == "manual",
    )


def released(round: Round, gone: RoundPaired) -> Round:
    """The round once the pairing after it was taken back: what came too late for that one is in time again.

    [C.04.2:4.3] speaks of a pairing that stands; one that was never published and no longer exists has
    nothing to be spared from. What that pairing did itself, ending this round and taking missing results
    for adjourned, goes with it.
    """
    boards = []
    for board in round.boards:
        changes = tuple(
            replace(c, since=0) if c.since == gone.round else c
            for c in board.changes
            if not (c.adjourned and c.version > gone.based_on > 0)
        )
        boards.append(replace(board, changes=changes))
    open_again = round.ended > gone.based_on > 0
    return replace(
        round,
        boards=tuple(boards),
        completed=round.completed and not open_again,
        ended=0 if open_again else round.ended,
    )


def altered(round: Round, fact: PairingsAltered) -> Round:
    """The round with the arbiter's boards; what was known of a board that stays is kept."""
    games = ((seen(board, CURRENT), board) for board in round.boards)
    known = {(game.white, game.black): board for game, board in games}
    return replace(
        round,
        boards=tuple(known.get(pair) or Played(*pair) for pair in fact.boards),
        pab=fact.pab,
        absent=fact.absent,
        numbers=fact.numbers,
        altered=not by_the_engine(fact),
    )


def by_the_engine(fact: PairingsAltered) -> bool:
    """Whether the arbiter came to the engine's boards, in whatever order."""
    return fact.pab == fact.engine_pab and set(fact.boards) == set(fact.engine_boards)


def reported(
    round: Round, fact: GameAdjourned | ResultCorrected | ColoursCorrected, paired: int, version: int
) -> Round:
    """The round with one more thing known about a board, when so many rounds were paired."""
    place = fact.board - 1
    board = round.boards[place]
    match fact:
        case GameAdjourned():
            change = Change(0, by_player(board, CURRENT, "?", "?"))
        case ResultCorrected(outcome=outcome, scope=scope):
            view = RATING_REPORT if scope == "rating-report-only" else CURRENT
            letters = by_player(board, view, outcome.white, outcome.black)
            change = Change(first_view(paired, scope), letters)
        case ColoursCorrected(white=white, black=black, scope=scope):
            change = Change(first_view(paired, scope), colours=(white, black))
    board = replace(board, changes=(*board.changes, replace(change, version=version)))
    return replace(round, boards=(*round.boards[:place], board, *round.boards[place + 1 :]))


def by_player(board: Played, view: int, white: str, black: str) -> tuple[tuple[int, str], ...]:
    """Letters of White and Black given to the persons who sat there, as the view has the colours."""
    game = seen(board, view) if board.changes else board
    return (game.white, white), (game.black, black)
