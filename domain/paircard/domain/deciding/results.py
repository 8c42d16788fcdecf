"""Deciding about results: what a correction may still touch (C.04.2:4.3), and who is ahead after a tie."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.deciding.decision import (
    Follows,
    board_of,
    caution,
    missing_results,
    need_reason,
    need_results,
    need_running,
    open_board,
    open_round,
    player_of,
    players_of,
    some,
)
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow
from paircard.domain.events import Played, Scope
from paircard.domain.messages import Message, say
from paircard.domain.rounds import ADJOURNED, CURRENT, RATING_REPORT, Game, Round, seated_in, turned
from paircard.domain.state import Tournament, rounds_paired_at
from paircard.domain.values.results import DRAWN, OUTCOMES, Outcome
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import checked_text


def record(state: Tournament, command: ask.RecordResult) -> Follows:
    """A first result of a board, or the end of an adjourned game at any time (VCL 162)."""
    _need_outcome(command.outcome)
    _, game = open_board(state, command.round, command.board)
    now = game.outcome
    if now == command.outcome:
        return  # a list of results that is sent again
    if now is not None and now != ADJOURNED:
        raise Duplicate("result-there", round=command.round, board=command.board, result=now)
    if now == ADJOURNED and command.outcome not in DRAWN and _pairings_use_results(state):  # VCL 163
        yield caution(
            "adjourned-not-drawn",
            players=(game.white, game.black),
            round=command.round,
            board=command.board,
            next=command.round + 1 if state.paired > command.round else 0,
            result=command.outcome,
        )
    yield events.ResultRecorded(round=command.round, board=command.board, outcome=command.outcome)


def adjourn(state: Tournament, command: ask.AdjournGame) -> Follows:
    """A game to be finished later (C.04.2:3.1)."""
    _, game = open_board(state, command.round, command.board)
    now = game.outcome
    if now == ADJOURNED:
        return
    if now is not None:
        raise Duplicate("result-there-not-adjourned", round=command.round, board=command.board, result=now)
    yield events.GameAdjourned(round=command.round, board=command.board)


def clear(state: Tournament, command: ask.ClearResult) -> Follows:
    """A result entered on the wrong board: the game is open again, as long as no pairing used it.

    An adjourned game is adjourned again.
    """
    round, game = open_board(state, command.round, command.board)
    was = game.outcome
    if was is None:
        raise NotNow("no-result-to-clear", round=command.round, board=command.board)
    yield events.ResultCleared(round=command.round, board=command.board, was=was)
    if _pairings_use_results(state):
        if was != ADJOURNED and round.histories[command.board - 1].finished_at() > state.rounds[-1].version:
            # none has used the result of the adjourned game
            yield events.GameAdjourned(round=command.round, board=command.board)
            return
        if command.round < state.paired:
            code = "result-used" if state.rounds[-1].published else "result-used-not-published"
            raise NotNow(code, round=command.round + 1)
    if round.completed:
        raise NotNow("round-over", round=command.round)


def correction_scope(state: Tournament, round: int) -> Scope:
    """What a correction may touch of what was reported in this round, by how far the event has gone.

    [C.04.2:4.3] counts from the publication of the result. That of an adjourned game comes in a later round:
    until then it was a draw, and what was wrong with it has been used no sooner. [2012 F.7] has no windows:
    all pairings yet to be made are affected, until the tournament is closed. No pairing of a table is.
    """
    if state.closed:
        return "rating-report-only"
    if not _pairings_use_results(state):
        return "standings"
    if round == state.paired:
        return "pairing-next"
    if _always_counts(state):
        return "pairing-after-next"
    if round == state.paired - 1 and not state.rounds[-1].completed:
        return "pairing-after-next"
    return "rating-report-only"


def _pairings_use_results(state: Tournament) -> bool:
    return RULES[state.regulations.edition].corrections != "standings"


def _always_counts(state: Tournament) -> bool:
    return RULES[state.regulations.edition].corrections == "always"


def correct_result(state: Tournament, command: ask.CorrectResult) -> Follows:
    """A result was recorded wrongly."""
    _need_outcome(command.outcome)
    round, game = open_board(state, command.round, command.board, closed=True)
    if game.outcome in (None, ADJOURNED):
        raise NotNow("no-result-to-correct", round=command.round, board=command.board)
    need_reason(command.meta, "deed.correction", round=command.round)
    scope = correction_scope(state, _reported_in(state, round, command.board))
    was = round.game(command.board, _view_of(scope)).outcome
    assert was is not None, "the board has a result"
    if was == command.outcome:
        raise Duplicate("result-same", round=command.round, board=command.board, result=was)
    change = say("change.result", round=command.round, board=command.board, was=was, result=command.outcome)
    yield events.ResultCorrected(
        round=command.round, board=command.board, outcome=command.outcome, was=was, scope=scope
    )
    yield from _window(state, scope, change, game.white, game.black)


def correct_colours(state: Tournament, command: ask.CorrectColours) -> Follows:
    """A game was played with White and Black the other way round."""
    round, game = open_board(state, command.round, command.board, closed=True)
    if game.outcome is None:
        raise NotNow("not-played-to-correct-colours", round=command.round, board=command.board)
    need_reason(command.meta, "deed.correction", round=command.round)
    scope = correction_scope(state, command.round)
    game = round.game(command.board, _view_of(scope))
    yield events.ColoursCorrected(
        round=command.round, board=command.board, white=game.black, black=game.white, scope=scope
    )
    change = say("change.colours", round=command.round, board=command.board)
    yield from _window(state, scope, change, game.white, game.black)


def correct_boards(state: Tournament, command: ask.CorrectBoards) -> Follows:
    """Others met than the record has, which came out once the next round was paired."""
    round = open_round(state, command.round, closed=True)
    if round.number == state.paired and not state.closed:
        raise NotNow("boards-still-altered", round=round.number, completed=round.completed)
    need_reason(command.meta, "deed.correction", round=round.number)
    scope = correction_scope(state, round.number)
    now = round.games(_view_of(scope))
    bye = round.bye.as_seen_by(_view_of(scope)).white
    seated = {
        at: Played(board=at, white=g.white, black=g.black, outcome=g.outcome) for at, g in enumerate(now, 1)
    }
    played = dict(seated)
    for one in command.boards:
        board_of(round, one.board)
        if played[one.board] is not seated[one.board]:
            raise Invalid("board-given-twice", round=round.number, board=one.board)
        played[one.board] = _as_played(state, round, one, now)
    pab = command.pab or bye
    _need_everybody_once(state, round, played, pab, bye)
    changed = [at for at in seated if played[at] != seated[at]]
    if not changed:
        raise Duplicate("boards-same", round=round.number)
    before, after = (tuple(one[at] for at in changed) for one in (seated, played))
    yield events.BoardsCorrected(
        round=round.number, boards=after, was=before, scope=scope, pab=pab, pab_was=bye
    )
    players = sorted({id for one in (*before, *after) for id in (one.white, one.black)})
    told = [*some(seats_told(after)), *seats_told((), pab if pab != bye else 0)]
    yield caution("boards-as-played", players=players, round=round.number, now=told)
    change = say("change.boards", round=round.number, boards=changed)
    yield from _window(state, scope, change, *players)


def _as_played(state: Tournament, round: Round, one: Played, now: tuple[Game, ...]) -> Played:
    """A board as it was played, with the result on record if the same two met."""
    players_of(state, (one.white, one.black))
    if one.outcome is not None:
        if one.outcome != ADJOURNED:
            _need_outcome(one.outcome)
        return one
    for game in now:
        if {game.white, game.black} == {one.white, one.black}:
            was = game.outcome
            return replace(one, outcome=was and (was if game.white == one.white else turned(was)))
    raise Invalid("did-not-meet", white=one.white, black=one.black, round=round.number, board=one.board)


def _need_everybody_once(
    state: Tournament, round: Round, played: Mapping[int, Played], pab: int, bye: int
) -> None:
    """Refuse boards that are not of those who were paired in the round, each of them once."""
    if pab:
        player_of(state, pab)
    if pab and not bye:
        raise Invalid("nobody-had-the-bye", round=round.number)
    seats = Counter(id for one in played.values() for id in (one.white, one.black))
    seats[pab] += 1
    paired = seated_in([round]) | {round.pab}
    absent = dict(round.absent)
    for id, count in seats.items():
        if count > 1 and id == bye == pab:
            raise Invalid("had-the-bye", player=id, round=round.number)
        if count > 1:
            raise Invalid("sits-twice", player=id, other=min(paired - seats.keys()), round=round.number)
        if id not in paired:
            raise Invalid("not-paired", player=id, round=round.number, letter=absent.get(id, "later"))


def seats_told(boards: Iterable[Played], pab: int = 0) -> list[Message]:
    """Who met on which board, and the result; and who had the bye."""
    found = []
    for one in boards:
        code = "log.seat-open" if one.outcome is None else "log.seat"
        found.append(say(code, board=one.board, white=one.white, black=one.black, result=one.outcome))
    return [*found, *([say("log.bye", player=pab)] if pab else [])]


def _reported_in(state: Tournament, round: Round, board: int) -> int:
    """The round in which the result became known: for an adjourned game a later one."""
    finished = round.histories[board - 1].finished_at()
    return rounds_paired_at(state, finished) if finished else round.number


def _view_of(scope: Scope) -> int:
    return RATING_REPORT if scope == "rating-report-only" else CURRENT


def _window(state: Tournament, scope: Scope, change: Message, *players: int) -> Iterator[Caution]:
    """What a correction no longer touches."""
    if scope == "rating-report-only":
        yield caution("rating-report-only", players=players, change=change)
    if scope != "pairing-after-next":
        return
    last, always = state.rounds[-1], _always_counts(state)
    if not last.published:
        code = "correction.not-published"
    elif always and not any(last.outcomes):
        code = "correction.not-played"
    elif not always and not missing_results(last):
        code = "correction.games-over"
    else:
        code = "correction.stands"
    next = last.number + 1 if last.number < state.regulations.rounds else 0
    yield caution(code, players=players, change=change, round=last.number, next=next)


def _need_outcome(outcome: Outcome) -> None:
    if outcome not in OUTCOMES:  # VCL 181, 182, 184
        asked = f"{outcome.white[:4]}-{outcome.black[:4]}"
        raise Invalid("result-unknown", value=asked, results=OUTCOMES)


# --- lots, and tie-break values from outside


def draw_lots(state: Tournament, command: ask.DrawLots) -> Follows:
    """Order tied players. What lots have once decided between two stays so (VCL 204–206).

    After the last round they make the final standings, which wait for every result (VCL 161, 169).
    """
    regulations = need_running(state)
    if state.paired >= regulations.rounds:
        need_results(state, "lots")
    players_of(state, command.players)
    if len(command.players) < 2 or len(set(command.players)) != len(command.players):
        raise Invalid("lots-of-one")
    if command.by_hand:
        need_reason(command.meta, "deed.ranking-by-hand")
        yield events.LotsDrawn(players=command.players, method="hand")
        return
    for drawn in state.lots:
        if set(command.players) <= set(drawn.players):
            raise Duplicate("lots-drawn", players=drawn.players)
    yield events.LotsDrawn(players=_as_drawn_before(state.lots, command.players), method="lots")


def _as_drawn_before(lots: tuple[events.LotsDrawn, ...], players: tuple[int, ...]) -> tuple[int, ...]:
    """The new order, with those who were drawn together before in their old order on their places."""
    order = list(players)
    for drawn in reversed(lots):
        places = [k for k, id in enumerate(order) if id in drawn.players]
        for k, id in zip(places, [id for id in drawn.players if id in order], strict=True):
            order[k] = id
    return tuple(order)


def set_value(state: Tournament, command: ask.SetExternalTiebreak) -> Follows:
    """Enter a tie-break value from outside, such as a play-off, that was announced (VCL 207)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    checked_text("tiebreak", command.name, required=True, limit=40)
    announced = [code.upper() for code in regulations.tiebreaks if code.upper().startswith("OTHER_")]
    if f"OTHER_{command.name.upper().removeprefix('OTHER_')}" not in announced:
        raise Invalid("tiebreak-not-announced", name=command.name, codes=announced)
    if abs(command.value) >= 10**9:
        raise Invalid("value-out-of-range", value=str(command.value))
    yield events.ExternalTiebreakSet(player=player.id, name=command.name, value=command.value)
