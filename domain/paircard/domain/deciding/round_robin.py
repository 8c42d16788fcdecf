"""Round robins (C.05 with its Annexes): everybody meets everybody, by a table that numbers alone decide.

Numbers are drawn once, then all rounds are known. Results come in any order, and no round waits for another.
A player who leaves keeps the place in the table: games that are not played are forfeits, and open again
when the player returns.
"""

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import Asked
from paircard.domain.deciding import players, rounds
from paircard.domain.deciding.boards import Absent, colours_of, irregular, seats_of
from paircard.domain.deciding.decision import (
    Decide,
    Follows,
    caution,
    need_reason,
    need_running,
    need_undisturbed,
    player_of,
    round_of,
)
from paircard.domain.deciding.numbering import numbers_drawn, order_afresh
from paircard.domain.errors import (
    Caution,
    Duplicate,
    IllegalPairing,
    Invalid,
    NotNow,
    NumbersFrozen,
    RoundIncomplete,
    StaleDecision,
)
from paircard.domain.events import Board, Cause, Event, Origin
from paircard.domain.rounds import ADJOURNED, Round
from paircard.domain.state import Tournament
from paircard.domain.values.players import check_details, erased_name
from paircard.domain.values.regulations import (
    MOST_ROUNDS,
    RegulationChanges,
    Regulations,
    cycles_of,
    rounds_for,
)
from paircard.domain.values.results import Outcome
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import checked_text

LARGEST_TABLE: Final = 24
"""Players of the largest table that is printed (C.05 Annex 1)."""


# --- numbers: drawn once, by lot, by restricted lots, by hand or by rating


def assign_numbers(state: Tournament, command: ask.AssignNumbers) -> Follows:
    """Number the players of the table; drawn again only for a reason, and never once a round is paired."""
    regulations = need_undisturbed(state)
    if state.rounds:
        article = RULES[regulations.edition].articles["numbers-after-freeze"]
        raise NumbersFrozen("table-numbers-stand", article=article)
    playing = _need_players(state)
    _need_rounds(regulations, len(playing))
    order, cause = _order(state, command, playing)
    if len(playing) > LARGEST_TABLE:
        yield caution("no-published-table", entered=len(playing), most=LARGEST_TABLE)
    if cause == "varma" and (apart := _meet_last(state, order)):
        yield caution("varma-meet", players=apart)
    if state.order:
        if order == state.order:
            raise Duplicate("numbers-same")
        need_reason(command.meta, "deed.drawing-again")
        yield caution("numbers-again", yes=numbers_drawn(state))
    yield events.PairingNumbersAssigned(order=order, cause=cause, seed=command.seed or UNSET)


def _order(
    state: Tournament, command: ask.AssignNumbers, playing: list[int]
) -> tuple[tuple[int, ...], Cause]:
    if command.lots and command.order:
        raise Invalid("lots-and-list")
    if bool(command.lots) != bool(command.seed):
        raise Invalid("lots-without-seed")
    checked_text("seed", command.seed, limit=100)
    if command.lots == "lots":
        return by_lots(command.seed, playing), "lots"
    if command.lots == "varma":
        return restricted_lots(command.seed, federations(state, playing)), "varma"
    if not command.order:
        return tuple(id for id in order_afresh(replace(state, order=())) if id in playing), "initial"
    for id in command.order:
        player_of(state, id)
    if twice := [id for id, count in Counter(command.order).items() if count > 1]:
        raise Invalid("number-given-twice", player=twice[0])
    if set(command.order) != set(playing):
        raise Invalid("order-incomplete", count=len(playing))
    return command.order, "declared"


def federations(state: Tournament, ids: Iterable[int]) -> dict[int, str]:
    """The federation of each of these players, which restricted lots keep apart."""
    return {id: state.players[id - 1].details.federation for id in ids}


def _meet_last(state: Tournament, order: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers 6 and 12 of twelve players meet in the last round, though the annex prints them together."""
    if len(order) != 12:
        return ()
    pair = order[5], order[11]
    one, other = (state.players[id - 1].details.federation for id in pair)
    return pair if one and one == other else ()


def drawn_from(state: Tournament, fact: events.PairingNumbersAssigned) -> tuple[int, ...]:
    """The order that the seed of recorded lots gives, for those who draw them again.

    Restricted lots rest on federations: where one was erased with its person, the record is taken as it is.
    """
    if fact.cause == "varma":
        if any(state.players[id - 1].details.name == erased_name(id) for id in fact.order):
            return fact.order
        return restricted_lots(fact.seed or "", federations(state, fact.order))
    return by_lots(fact.seed or "", fact.order)


def _need_rounds(regulations: Regulations, players: int) -> int:
    count = rounds_for(regulations, players)
    if count > MOST_ROUNDS:
        raise NotNow("table-too-long", entered=players, rounds=count, most=MOST_ROUNDS)
    return count


def _need_players(state: Tournament) -> list[int]:
    """Ids of those who play; refuses a table of one before its first round."""
    playing = [one.id for one in state.players if not one.status]
    if not state.rounds and len(playing) < 2:
        raise NotNow("table-too-small", entered=len(playing))
    return playing


def need_drawn(state: Tournament) -> None:
    """Refuse to pair before the numbers are drawn, for exactly those who play."""
    _need_players(state)
    if not numbers_drawn(state):
        raise NotNow("numbers-void" if state.order else "numbers-not-drawn")


# --- lots: the seed is made by chance and recorded with them, so nobody can choose the numbers and everybody
# --- who knows the seed draws the same ones


VARMA: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    10: ((3, 4, 8), (5, 7, 9), (1, 6), (2, 10)),
    12: ((4, 5, 9, 10), (1, 2, 7), (6, 8, 12), (3, 11)),
    14: ((4, 5, 6, 11, 12), (1, 2, 8, 9), (7, 10, 13), (3, 14)),
    16: ((5, 6, 7, 12, 13, 14), (1, 2, 3, 9, 10), (8, 11, 15), (4, 16)),
    18: ((5, 6, 7, 8, 14, 15, 16), (1, 2, 3, 10, 11, 12), (9, 13, 17), (4, 18)),
    20: ((6, 7, 8, 9, 15, 16, 17, 18), (1, 2, 3, 11, 12, 13, 14), (5, 10, 19), (4, 20)),
    22: ((6, 7, 8, 9, 10, 17, 18, 19, 20), (1, 2, 3, 4, 12, 13, 14, 15), (11, 16, 21), (5, 22)),
    24: ((6, 7, 8, 9, 10, 11, 19, 20, 21, 22), (1, 2, 3, 4, 13, 14, 15, 16, 17), (12, 18, 23), (5, 24)),
}
"""Table numbers by number of players made even, in the four envelopes A to D (C.05 Annex 2). Numbers of one
envelope do not meet in the last three rounds, but for 6 and 12 of the table for 12, printed so."""
FEWEST: Final = 9
"""Players for whom federations can be kept apart; the most are those of the largest table."""


def lot(seed: str, what: object) -> bytes:
    """The lot of one player or envelope; the smallest comes first."""
    return sha256(f"{seed}:{what}".encode()).digest()


def by_lots(seed: str, ids: Collection[int]) -> tuple[int, ...]:
    """The players in the order of their lots; the first has number 1."""
    return tuple(sorted(ids, key=lambda id: lot(seed, id)))


def restricted_lots(seed: str, federations: Mapping[int, str]) -> tuple[int, ...]:
    """The players, by id with their federation, in an order that keeps federations apart (C.05 Annex 2).

    The largest federation draws first, equal ones by their code. It chooses by lot an envelope that holds
    enough numbers and draws from it; one too large for every envelope empties the fullest. In an odd field
    the last number is nobody and is taken out first. A player without a federation stands alone. Within a
    federation players draw in the order of their lots, where the annex has the order of names: a fair lot
    does not depend on it, and names may be erased.
    """
    count = len(federations)
    if not FEWEST <= count <= LARGEST_TABLE:
        raise Invalid("varma-field", count=count, least=FEWEST, most=LARGEST_TABLE)
    envelopes = [[number for number in numbers if number <= count] for numbers in VARMA[count + count % 2]]
    numbered: dict[int, int] = {}
    for federation, ids in _in_order_of_size(federations):
        waiting = list(by_lots(seed, ids))
        while waiting:
            drawn = _chosen(seed, federation, envelopes, len(waiting))
            drawn.sort(key=lambda number: lot(seed, f"number {number}"))
            for _ in range(min(len(waiting), len(drawn))):
                numbered[drawn.pop(0)] = waiting.pop(0)
    return tuple(numbered[number] for number in range(1, count + 1))


def _in_order_of_size(federations: Mapping[int, str]) -> list[tuple[str, list[int]]]:
    groups: dict[str, list[int]] = {}
    for id, federation in sorted(federations.items()):
        groups.setdefault(federation or f"player {id}", []).append(id)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def _chosen(seed: str, federation: str, envelopes: Sequence[list[int]], many: int) -> list[int]:
    enough = [at for at, numbers in enumerate(envelopes) if len(numbers) >= many]
    if enough:
        return envelopes[min(enough, key=lambda at: lot(seed, f"{federation} {'ABCD'[at]}"))]
    return max(envelopes, key=len)


# --- rounds: any number of them ahead, published in their order


def need_round(state: Tournament, round: int) -> Regulations:
    """Refuse a round that cannot be paired now, whatever its boards are."""
    regulations = need_undisturbed(state)
    need_drawn(state)
    rounds.need_next(state, round, _need_rounds(regulations, len(state.order)))
    return regulations


def pair(state: Tournament, command: ask.PairRound) -> Follows:
    """Record the boards of a round of the table, made from the numbers as they were drawn."""
    regulations = need_round(state, command.round)
    if command.origin == "engine" and regulations.table == "hand":
        raise NotNow("boards-by-hand", round=command.round)
    rounds.need_source(state, command)
    # nothing but the numbers decides a table: what was recorded since they were drawn changes no board
    oldest = state.order_at if state.rounds else state.version
    if not oldest <= command.based_on <= state.version:
        raise StaleDecision(
            "pairing-stale", round=command.round, based_on=command.based_on, version=state.version
        )
    yield from _recorded(state, command, command.origin)


def _recorded(state: Tournament, command: ask.PairRound | ask.EndManualPairing, origin: Origin) -> Follows:
    numbers = tuple((id, at) for at, id in enumerate(state.order, start=1))
    absent = yield from check_boards(state, command, origin)
    if command.round == 1:  # from here on cycles, numbers and rounds stand (VCL 93)
        count = rounds_for(state.regulations, len(state.order))
        if state.regulations.rounds != count:
            yield events.TournamentDetailsChanged(changes=RegulationChanges(rounds=count))
        yield events.PairingNumbersFrozen(round=1, numbers=numbers)
    yield rounds.round_paired(state, command, origin, numbers, absent)


def check_boards(
    state: Tournament, command: ask.PairRound | ask.EndManualPairing, origin: Origin
) -> Generator[Caution, None, Absent]:
    """Everybody of the table once, and but for an odd field nobody left out."""
    round, boards = command.round, command.boards
    if command.pab:
        raise IllegalPairing("table-no-byes")
    seats = seats_of(state, round, boards)
    if strangers := [id for id in seats if id not in state.order]:
        raise IllegalPairing("player-without-number", player=strangers[0], round=round)
    missing = [id for id in state.order if id not in seats]
    if origin == "engine" and len(missing) > len(state.order) % 2:
        raise IllegalPairing("player-left-out", player=missing[0], round=round)
    if origin != "engine":
        free = len(state.order) % 2
        found = [caution("left-out", player=id, round=round) for id in missing[free:]]
        found += judge(state, round, boards)
        yield from [irregular(found)] if origin == "import" and found else found
    away = {one.id: "Z" for one in state.players if one.id not in seats}
    return tuple(sorted(away.items()))


def judge(state: Tournament, round: int, boards: Sequence[Board]) -> Iterator[Caution]:
    """What is wrong with boards by hand: a pair too often, a third equal colour, a rest that cannot be
    played (VCL 101, 102)."""
    cycles = cycles_of(state.regulations)
    met = meetings(state, round, boards)
    for white, black in boards:
        if met[frozenset((white, black))] > cycles:
            yield caution("met-too-often", white=white, black=black, count=cycles)
    colours = colours_of((*boards_before(state, round), *boards))
    # of two cycles without the exchange the table itself has some
    by_hand = state.regulations.table == "hand"
    for id in (id for board in boards for id in board if by_hand):
        if colours[id][-3:] in ("www", "bbb"):
            yield caution("third-colour", player=id)
    left = rounds_for(state.regulations, len(state.order)) - round
    for id in state.order:
        games = sum(max(0, cycles - met[frozenset((id, other))]) for other in state.order if other != id)
        if games > left:
            yield caution("not-completable", player=id, count=games, rounds=left)
            return


def meetings(state: Tournament, round: int, boards: Sequence[Board]) -> Counter[frozenset[int]]:
    """How often each two are paired up to this round, these boards included."""
    return Counter(map(frozenset, (*boards_before(state, round), *boards)))


def boards_before(state: Tournament, round: int) -> list[Board]:
    """All boards of the rounds before this one."""
    return [board for past in state.rounds[: round - 1] for board in past.boards]


def publish(state: Tournament, command: ask.PublishRound) -> Follows:
    """Make a round known, after those before it; who has left by then forfeits its games."""
    yield from rounds.publish(state, command)
    round = round_of(state, command.round)
    earlier = next((one.number for one in state.rounds if not one.published), round.number)
    if earlier != round.number:
        raise NotNow("published-in-order", round=round.number, next=earlier)
    yield from _forfeits(round, {one.id for one in state.players if one.status})


def complete(state: Tournament, command: ask.CompleteRound) -> Follows:
    """A round of a table is over with its last game: one that was put off is still to be played."""
    need_running(state)
    round = round_of(state, command.round)
    if round.published and (waiting := list(round.open_boards())):
        raise RoundIncomplete("results-missing-at-close", round=round.number, boards=waiting)
    yield from rounds.complete(state, command)


def begin_manual(state: Tournament, command: ask.BeginManualPairing) -> Follows:
    """Take the next round into the arbiter's hands, where rounds by hand were announced (VCL 100)."""
    if need_running(state).table != "hand":
        raise NotNow("boards-by-table", round=command.round)
    need_round(state, command.round)
    yield events.ManualPairingBegun(round=command.round)


def end_manual(state: Tournament, command: ask.EndManualPairing) -> Follows:
    rounds.need_session(state, command.round)
    if command.boards:
        alone = replace(command, engine="", snapshot="", based_on=command.based_on or state.version)
        yield from _recorded(state, alone, "manual")
    yield events.ManualPairingEnded(round=command.round, altered=bool(command.boards))


# --- leaving and coming back (C.05:6.6)


def register(state: Tournament, command: ask.RegisterPlayer) -> Follows:
    """Enter a player, before round 1 is paired; numbers drawn before that no longer hold."""
    need_running(state)
    check_details(command.details)
    if state.rounds:
        raise NotNow("table-full", name=command.details.name)
    yield from players.register(state, command)
    if numbers_drawn(state):
        yield caution("draw-void", name=command.details.name)


def leaving(decide: Decide) -> Decide:
    """Open games of who leaves become forfeits, whether they withdrew or were expelled (C.05:6.6)."""

    def with_forfeits(state: Tournament, command: Asked) -> Follows:
        [left] = decide(state, command)
        assert isinstance(left, events.PlayerWithdrawn | events.PlayerExpelled)
        yield replace(left, round=max(1, state.current))
        if state.players[left.player - 1].status:  # expelled after a withdrawal: the forfeits are there
            return
        gone = {left.player, *(one.id for one in state.players if one.status)}
        for round in state.rounds:
            if round.published and not round.completed:
                yield from _forfeits(round, gone, left.player)

    return with_forfeits


def _forfeits(round: Round, gone: set[int], leaver: int = 0) -> Iterator[Event]:
    """Results of the boards of those who have left, or of one of them; two of them both lose."""
    for board, (history, game) in enumerate(zip(round.histories, round.games(), strict=True), start=1):
        pair = {game.white, game.black}
        if not pair & gone or (leaver and leaver not in pair):
            continue
        was = game.outcome
        if was is not None and was != ADJOURNED:
            if not history.forfeited_by_leaving():
                continue
            yield events.ResultCleared(round=round.number, board=board, was=was)
        yield _forfeit(round.number, board, game.white in gone, game.black in gone)


def _forfeit(round: int, board: int, white_gone: bool, black_gone: bool) -> events.ResultRecorded:
    outcome = Outcome("-" if white_gone else "+", "-" if black_gone else "+")
    return events.ResultRecorded(round=round, board=board, outcome=outcome, reason="withdrawal")


def returning(decide: Decide) -> Decide:
    """The forfeits that came with leaving go: these games are open again."""

    def with_open_games(state: Tournament, command: Asked) -> Follows:
        [back] = decide(state, command)
        assert isinstance(back, events.PlayerReturned | events.PlayerReinstated)
        gone = {one.id for one in state.players if one.status} - {back.player}
        facts: list[Event] = []
        first, now = 0, max(1, state.current)
        for round in state.rounds:
            forfeits = [
                (board, game)
                for board, (history, game) in enumerate(zip(round.histories, round.games(), strict=True), 1)
                if back.player in (game.white, game.black) and history.forfeited_by_leaving()
            ]
            if forfeits and round.completed:
                facts.append(events.RoundReopened(round=round.number))
            if forfeits and not first:
                first = round.number
            for board, game in forfeits:
                assert game.outcome is not None
                facts.append(events.ResultCleared(round=round.number, board=board, was=game.outcome))
                if {game.white, game.black} & gone:
                    facts.append(_forfeit(round.number, board, game.white in gone, game.black in gone))
        yield replace(back, round=min(first or now, now))
        yield from facts

    return with_open_games


# --- what a round robin does not have


def correct_boards(state: Tournament, command: ask.CorrectBoards) -> Follows:
    """Who meets is decided by the table; results and colours are corrected."""
    raise NotNow("table-no-other-boards", round=command.round)


def lacks(why: Invalid) -> Decide:
    """Refuses a command that means nothing here."""

    def refuse(state: Tournament, command: Asked) -> Follows:
        raise Invalid(why.said.code)

    return refuse


DECIDERS: Final[dict[type[Asked], Decide]] = {
    ask.AssignNumbers: assign_numbers,
    ask.BeginManualPairing: begin_manual,
    ask.CompleteRound: complete,
    ask.CorrectBoards: correct_boards,
    ask.DrawInitialColour: lacks(Invalid("table-no-colour")),
    ask.EndManualPairing: end_manual,
    ask.ExchangeNumbers: lacks(Invalid("table-no-exchange")),
    ask.ExpelPlayer: leaving(players.expel),
    ask.GrantBye: lacks(Invalid("table-no-byes")),
    ask.LiftProhibition: lacks(Invalid("table-no-prohibitions")),
    ask.PairRound: pair,
    ask.ProhibitPairing: lacks(Invalid("table-no-prohibitions")),
    ask.PublishRound: publish,
    ask.RegisterPlayer: register,
    ask.ReinstatePlayer: returning(players.reinstate),
    ask.ReturnPlayer: returning(players.bring_back),
    ask.RevokeBye: lacks(Invalid("table-no-byes")),
    ask.WithdrawPlayer: leaving(players.withdraw),
}
"""Commands that are decided here; all others as in a Swiss."""
