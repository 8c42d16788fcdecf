"""Deciding about results: what a correction may still touch (C.04.2:4.3), and who is ahead after a tie."""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.deciding.decision import (
    Decision,
    board_of,
    caution,
    missing_results,
    need_reason,
    need_results,
    need_running,
    open_round,
    player_of,
    players_of,
    regulations_of,
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


def record(state: Tournament, command: ask.RecordResult) -> Decision:
    """A first result of a board, or the end of an adjourned game at any time (VCL 162)."""
    _need_outcome(command.outcome)
    round = open_round(state, command.round)
    now = board_of(round, command.board).outcome
    if now == command.outcome:
        return Decision(())  # a list of results that is sent again
    if now is not None and now != ADJOURNED:
        raise Duplicate("result-there", round=command.round, board=command.board, result=now)
    warnings: tuple[Caution, ...] = ()
    if now == ADJOURNED and command.outcome not in DRAWN and _pairings_use_results(state):  # VCL 163
        game = round.game(command.board)
        warnings = (
            caution(
                "adjourned-not-drawn",
                players=(game.white, game.black),
                round=command.round,
                board=command.board,
                next=command.round + 1 if state.paired > command.round else 0,
                result=command.outcome,
            ),
        )
    event = events.ResultRecorded(round=command.round, board=command.board, outcome=command.outcome)
    return Decision((event,), warnings)


def adjourn(state: Tournament, command: ask.AdjournGame) -> Decision:
    """A game to be finished later (C.04.2:3.1)."""
    round = open_round(state, command.round)
    now = board_of(round, command.board).outcome
    if now == ADJOURNED:
        return Decision(())
    if now is not None:
        raise Duplicate("result-there-not-adjourned", round=round.number, board=command.board, result=now)
    return Decision((events.GameAdjourned(round=round.number, board=command.board),))


def clear(state: Tournament, command: ask.ClearResult) -> Decision:
    """A result entered on the wrong board: the game is open again, as long as no pairing used it.

    An adjourned game is adjourned again.
    """
    round = open_round(state, command.round)
    was = board_of(round, command.board).outcome
    if was is None:
        raise NotNow("no-result-to-clear", round=round.number, board=command.board)
    cleared = events.ResultCleared(round=round.number, board=command.board, was=was)
    if _pairings_use_results(state):
        if was != ADJOURNED and round.histories[command.board - 1].finished_at() > state.rounds[-1].version:
            # none has used the result of the adjourned game
            return Decision((cleared, events.GameAdjourned(round=round.number, board=command.board)))
        if round.number < state.paired:
            code = "result-used" if state.rounds[-1].published else "result-used-not-published"
            raise NotNow(code, round=round.number + 1)
    if round.completed:
        raise NotNow("round-over", round=round.number)
    return Decision((cleared,))


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


def correct_result(state: Tournament, command: ask.CorrectResult) -> Decision:
    """A result was recorded wrongly."""
    _need_outcome(command.outcome)
    round = open_round(state, command.round, closed=True)
    now = board_of(round, command.board).outcome
    if now is None or now == ADJOURNED:
        raise NotNow("no-result-to-correct", round=round.number, board=command.board)
    need_reason(command.meta, "deed.correction", round=round.number)
    scope = correction_scope(state, _reported_in(state, round, command.board))
    was = round.game(command.board, _view_of(scope)).outcome
    assert was is not None, "the board has a result"
    if was == command.outcome:
        raise Duplicate("result-same", round=round.number, board=command.board, result=was)
    change = say("change.result", round=round.number, board=command.board, was=was, result=command.outcome)
    event = events.ResultCorrected(
        round=round.number, board=command.board, outcome=command.outcome, was=was, scope=scope
    )
    game = round.game(command.board)
    return Decision((event,), _window_warnings(state, scope, change, game.white, game.black))


def correct_colours(state: Tournament, command: ask.CorrectColours) -> Decision:
    """A game was played with White and Black the other way round."""
    round = open_round(state, command.round, closed=True)
    if board_of(round, command.board).outcome is None:
        raise NotNow("not-played-to-correct-colours", round=round.number, board=command.board)
    need_reason(command.meta, "deed.correction", round=round.number)
    scope = correction_scope(state, round.number)
    game = round.game(command.board, _view_of(scope))
    event = events.ColoursCorrected(
        round=round.number, board=command.board, white=game.black, black=game.white, scope=scope
    )
    change = say("change.colours", round=round.number, board=command.board)
    return Decision((event,), _window_warnings(state, scope, change, game.white, game.black))


def correct_boards(state: Tournament, command: ask.CorrectBoards) -> Decision:
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
    event = events.BoardsCorrected(
        round=round.number,
        boards=tuple(played[at] for at in changed),
        was=tuple(seated[at] for at in changed),
        scope=scope,
        pab=pab,
        pab_was=bye,
    )
    games = [one[at] for one in (seated, played) for at in changed]
    players = sorted({id for one in games for id in (one.white, one.black)})
    now_told = some([_seat(played[at]) for at in changed])
    if pab != bye:
        now_told.append(say("log.bye", player=pab))
    warning = caution("boards-as-played", players=players, round=round.number, now=now_told)
    change = say("change.boards", round=round.number, boards=changed)
    return Decision((event,), (warning, *_window_warnings(state, scope, change, *players)))


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


def _seat(played: Played) -> Message:
    """Who met, and the result."""
    code = "log.seat-open" if played.outcome is None else "log.seat"
    return say(code, board=played.board, white=played.white, black=played.black, result=played.outcome)


def _reported_in(state: Tournament, round: Round, board: int) -> int:
    """The round in which the result became known: for an adjourned game a later one."""
    finished = round.histories[board - 1].finished_at()
    return rounds_paired_at(state, finished) if finished else round.number


def _view_of(scope: Scope) -> int:
    return RATING_REPORT if scope == "rating-report-only" else CURRENT


def _window_warnings(state: Tournament, scope: Scope, change: Message, *players: int) -> tuple[Caution, ...]:
    if scope == "rating-report-only":
        return (caution("rating-report-only", players=players, change=change),)
    if scope != "pairing-after-next":
        return ()
    last, always = state.rounds[-1], _always_counts(state)
    if not last.published:
        code = "correction.not-published"
    elif always and not any(last.outcomes):
        code = "correction.not-played"
    elif not always and not missing_results(last):
        code = "correction.games-over"
    else:
        code = "correction.stands"
    next = last.number + 1 if last.number < regulations_of(state).rounds else 0
    return (caution(code, players=players, change=change, round=last.number, next=next),)


def _need_outcome(outcome: Outcome) -> None:
    if outcome not in OUTCOMES:  # VCL 181, 182, 184
        asked = f"{outcome.white[:4]}-{outcome.black[:4]}"
        raise Invalid("result-unknown", value=asked, results=OUTCOMES)


# --- lots, and tie-break values from outside


def draw_lots(state: Tournament, command: ask.DrawLots) -> Decision:
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
        return Decision((events.LotsDrawn(players=command.players, method="hand"),))
    for drawn in state.lots:
        if set(command.players) <= set(drawn.players):
            raise Duplicate("lots-drawn", players=drawn.players)
    return Decision((events.LotsDrawn(players=_as_drawn_before(state.lots, command.players), method="lots"),))


def _as_drawn_before(lots: tuple[events.LotsDrawn, ...], players: tuple[int, ...]) -> tuple[int, ...]:
    """The new order, with those who were drawn together before in their old order on their places."""
    order = list(players)
    for drawn in reversed(lots):
        places = [k for k, id in enumerate(order) if id in drawn.players]
        for k, id in zip(places, [id for id in drawn.players if id in order], strict=True):
            order[k] = id
    return tuple(order)


def set_value(state: Tournament, command: ask.SetExternalTiebreak) -> Decision:
    """Enter a tie-break value from outside, such as a play-off, that was announced (VCL 207)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    checked_text("tiebreak", command.name, required=True, limit=40)
    announced = [code.upper() for code in regulations.tiebreaks if code.upper().startswith("OTHER_")]
    if f"OTHER_{command.name.upper().removeprefix('OTHER_')}" not in announced:
        raise Invalid("tiebreak-not-announced", name=command.name, codes=announced)
    if abs(command.value) >= 10**9:
        raise Invalid("value-out-of-range", value=str(command.value))
    return Decision((events.ExternalTiebreakSet(player=player.id, name=command.name, value=command.value),))
