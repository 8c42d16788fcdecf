"""The history of a tournament: its log, folded once, from which every view is cut.

Two clocks run in it: which round a result belongs to, and since when it counts. A correction of round n
counts in the standings of n and the pairing of n+1, or from one round later on, or in the rating report
alone (C.04.2:4.3). So a board holds what was known one after the other, each with the first view that
sees it. The view ``m`` is that of the standings after round m and of the pairing of round m+1.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.events import (
    Board,
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
)
from paircard.domain.regulations import Regulations
from paircard.domain.state import NOTHING, Tournament, evolve

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


class Known(msgspec.Struct, frozen=True):
    """What is known of a board, and the first view that sees it."""

    since: int
    game: Game


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is paired."""

    fact: RoundPaired
    version: int
    """Version of the log at which it was paired."""
    boards: tuple[tuple[Known, ...], ...]
    """Board by board in published order, what was known one after the other."""
    pab: int
    absent: tuple[tuple[int, str], ...]
    numbers: tuple[tuple[int, int], ...]
    """Id and number, as on the sheet of the round."""
    published: bool = False
    completed: bool = False
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


def seen(board: tuple[Known, ...], view: int) -> Game:
    """The board as the view sees it."""
    return next(known.game for known in reversed(board) if known.since <= view)


def first_view(round: int, scope: Scope) -> int:
    """The first view that sees a correction of a round (C.04.2:4.3)."""
    return {"pairing-next": 0, "pairing-after-next": round + 1, "rating-report-only": RATING_REPORT}[scope]


def history(log: Iterable[Recorded]) -> History:
    """Fold the log of one tournament, or any beginning of it."""
    tournament, state = "", NOTHING
    rounds: dict[int, Round] = {}
    external: dict[tuple[int, str], int] = {}
    orders: list[LotsDrawn] = []
    ranked: set[int] = set()
    for recorded in log:
        tournament, state = recorded.tournament, evolve(state, recorded.fact)
        match recorded.fact:
            case RoundPaired() as fact:
                rounds[fact.round] = paired(fact, recorded.version)
            case RoundUnpaired(round=number):
                del rounds[number]
            case RoundPublished(round=number):
                rounds[number] = replace(rounds[number], published=True)
            case RoundCompleted(round=number):
                rounds[number] = replace(rounds[number], completed=True)
            case PairingsAltered() as fact:
                rounds[fact.round] = altered(rounds[fact.round], fact)
            case ResultRecorded() | GameAdjourned() | ResultCorrected() | ColoursCorrected() as fact:
                rounds[fact.round] = reported(rounds[fact.round], fact)
            case PlayerExpelled(player=player, ranked=stays):
                (ranked.add if stays else ranked.discard)(player)
            case LotsDrawn() as fact:
                orders.append(fact)
            case ExternalTiebreakSet(player=player, name=name, value=value):
                external[player, name] = value
            case _:
                pass  # folded by the state alone
    return History(
        tournament=tournament,
        state=state,
        rounds=tuple(rounds[number] for number in sorted(rounds)),
        external=MappingProxyType(external),
        orders=tuple(orders),
        ranked_though_expelled=frozenset(ranked),
    )


def paired(fact: RoundPaired, version: int) -> Round:
    """A round as it was paired."""
    return Round(
        fact=fact,
        version=version,
        boards=tuple(map(unplayed, fact.boards)),
        pab=fact.pab,
        absent=fact.absent,
        numbers=fact.numbers,
        altered=fact.origin == "manual",
    )


def unplayed(board: Board) -> tuple[Known, ...]:
    white, black = board
    return (Known(0, Game(white, black)),)


def altered(round: Round, fact: PairingsAltered) -> Round:
    """The round with the arbiter's boards; what was known of a board that stays is kept."""
    games = ((seen(board, CURRENT), board) for board in round.boards)
    known = {(game.white, game.black): board for game, board in games}
    return replace(
        round,
        boards=tuple(known.get(board) or unplayed(board) for board in fact.boards),
        pab=fact.pab,
        absent=fact.absent,
        numbers=fact.numbers,
        altered=True,
    )


def reported(
    round: Round, fact: ResultRecorded | GameAdjourned | ResultCorrected | ColoursCorrected
) -> Round:
    """The round with one more thing known about a board; the last one counts.

    Every view that sees the fact sees it on top of what it saw before. A result is told with the colours
    as they stand when it is told, so it goes to the players, and each view shows it with its own colours.
    """
    board = round.boards[fact.board - 1]
    since = first_view(fact.round, fact.scope) if isinstance(fact, ResultCorrected | ColoursCorrected) else 0
    now = seen(board, max(since, CURRENT))
    views = sorted({since} | {known.since for known in board if known.since > since})
    news = tuple(Known(view, after(seen(board, view), fact, now)) for view in views)
    place = fact.board - 1
    boards = (*round.boards[:place], (*board, *news), *round.boards[place + 1 :])
    return replace(round, boards=boards)


def after(
    game: Game, fact: ResultRecorded | GameAdjourned | ResultCorrected | ColoursCorrected, now: Game
) -> Game:
    """A board after a fact that was told of it as it stands now."""
    match fact:
        case ResultRecorded(outcome=outcome) | ResultCorrected(outcome=outcome):
            letters = {now.white: outcome.white, now.black: outcome.black}
            return replace(game, white_letter=letters[game.white], black_letter=letters[game.black])
        case GameAdjourned():
            return replace(game, white_letter="?", black_letter="?")
        case ColoursCorrected(white=white, black=black):
            return with_colours(game, white, black)


def with_colours(game: Game, white: int, black: int) -> Game:
    """The same game with the colours it was played with; each player keeps their own letter."""
    letters = {game.white: game.white_letter, game.black: game.black_letter}
    return Game(white, black, letters[white], letters[black])
