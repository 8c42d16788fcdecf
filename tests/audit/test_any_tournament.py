"""Laws of the proof, held against random tournaments with corrections, alterations and late entries."""

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from paircard.domain import commands as c
from paircard.domain.deciding.decider import weigh
from paircard.domain.events import (
    Board,
    BoardsCorrected,
    ColoursCorrected,
    GameAdjourned,
    PairingsAltered,
    Played,
    Recorded,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundReopened,
    RoundUnpaired,
    TournamentClosed,
)
from paircard.domain.state import state_after
from paircard.domain.values.results import Outcome
from paircard.projections.round.snapshot import Snapshot
from paircard.projections.views import snapshot_now, snapshot_of, version_paired_from
from paircard.service.review.replay import paired_again, replay
from paircard.service.review.what_if import Supposed, what_if
from tests.audit.command_line import grow, ok
from tests.audit.lives import life, rows
from tests.examples import examples

seeds = st.integers(0, 10**6)
META = c.Meta(who="Anna", when="2026-11-16T09:30:00Z", command_id="late", why="found")


@examples(40)
@given(seed=seeds)
def test_every_round_replays_identically(seed: int) -> None:
    log = life(seed)

    made = replay(log)

    assert [each.version for each in made] == [f.version for f in log if isinstance(f.fact, RoundPaired)]
    for each in made:
        assert each.verdict in ("identical", "altered", "by-hand"), (seed, each)
        if each.verdict != "by-hand":  # a hand may do what the engine would have done
            same = each.recorded == each.replayed or each.taken_back
            assert (each.verdict == "identical") == same, (seed, each)


@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_every_page_published_earlier_is_rebuilt_byte_for_byte(seed: int) -> None:
    log = life(seed, rounds=3)
    stored = rows(log)
    moments = [
        f.version for f in log if isinstance(f.fact, RoundPublished | RoundCompleted | ResultCorrected)
    ]
    pages = (("standings", "--html"), ("standings", "--csv"), ("boards",), ("crosstable", "--html"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.db"
        published = {}
        for version in moments[:12]:
            grow(path, log[0].tournament, stored[:version])
            published[version] = [ok(path, *page) for page in pages]
        grow(path, log[0].tournament, stored)

        for version, shown in published.items():
            assert [ok(path, *page, "--at", str(version)) for page in pages] == shown


class Seat:
    """One board as an arbiter with a pencil keeps it: who sat there, who scored what, who may know."""

    def __init__(self, board: Board) -> None:
        self.white, self.black = board
        self.letters = {self.white: "", self.black: ""}
        self.reported = 0
        """The round in which the result of an adjourned game became known."""


def by_pencil(log: list[Recorded], upto: int) -> dict[int, list[Seat]]:
    """All that the next pairing may know, by the words of C.04.2:4.3 and without the recorded scopes.

    A correction of round n counts if round n+1 is not paired when it is reported; or if round n+1 is paired
    but has not ended. Then it is used from the pairing of n+2; but once n+1 is unpaired there is no pairing
    that it came too late for.
    """
    rounds: dict[int, list[Seat]] = {}
    later: list[tuple[int, int, Corrected]] = []
    ended: dict[int, int] = {}
    made_from: dict[int, int] = {}
    closed = False
    for recorded in log[:upto]:
        fact = recorded.fact
        match fact:
            case RoundPaired(round=number, boards=boards, based_on=based_on):
                rounds[number] = [Seat(board) for board in boards]
                made_from[number] = based_on
            case PairingsAltered(round=number, boards=boards):
                known = {(seat.white, seat.black): seat for seat in rounds[number]}
                rounds[number] = [known.get(board) or Seat(board) for board in boards]
            case RoundUnpaired(round=number):
                del rounds[number]
                if ended.get(number - 1, 0) > made_from[number]:
                    del ended[number - 1]  # the pairing had ended that round
                for seat in (seat for seats in rounds.values() for seat in seats):
                    seat.reported = min(seat.reported, number - 1)
                for _, _, fact_before in [item for item in later if item[0] == number + 1]:
                    pencilled(rounds[fact_before.round], fact_before)
                later = [item for item in later if item[0] != number + 1]
            case RoundCompleted(round=number):
                ended[number] = recorded.version
            case TournamentClosed():
                closed = True
            case ResultRecorded(round=number, board=board, outcome=outcome):
                seat = rounds[number][board - 1]
                if "?" in seat.letters.values():
                    seat.reported = max(rounds)
                if turned_later(later, number, board):
                    outcome = Outcome(outcome.black, outcome.white)
                seat.letters = {seat.white: outcome.white, seat.black: outcome.black}
            case GameAdjourned(round=number, board=board):
                seat = rounds[number][board - 1]
                seat.letters = {seat.white: "?", seat.black: "?"}
            case ResultCleared(round=number, board=board):
                seat = rounds[number][board - 1]
                seat.letters = {seat.white: "", seat.black: ""}
                seat.reported = 0
            case RoundReopened(round=number):
                ended.pop(number, None)
            case BoardsCorrected():
                paired = max(rounds)
                if not (closed or paired > fact.round + 1 or paired in ended):
                    later.append((fact.round + 2, recorded.version, fact))
            case ResultCorrected() | ColoursCorrected():
                paired = max(rounds)
                seat = rounds[fact.round][fact.board - 1]
                late = seat.reported if isinstance(fact, ResultCorrected) else 0
                if any(isinstance(one, BoardsCorrected) for one in about(later, fact.round, fact.board)):
                    late = 0  # that was the game of others
                reported = late or fact.round
                if closed or paired > reported + 1 or (paired == reported + 1 and paired in ended):
                    continue
                if paired == reported:
                    turned = turned_later(later, fact.round, fact.board)
                    pencilled(rounds[fact.round], turned_about(fact) if turned else fact)
                else:
                    later.append((reported + 2, recorded.version, fact))
            case _:
                pass
    next_round = max(rounds, default=0) + 1
    for first, _, fact in later:
        if next_round >= first:
            pencilled(rounds[fact.round], fact)
    return rounds


Corrected = ResultCorrected | ColoursCorrected | BoardsCorrected


def about(later: list[tuple[int, int, Corrected]], round: int, board: int) -> list[Corrected]:
    """Corrections of a board that wait for a later pairing."""
    return [
        one
        for _, _, one in later
        if one.round == round
        and board
        in ([each.board for each in one.boards] if isinstance(one, BoardsCorrected) else [one.board])
    ]


def turned_later(later: list[tuple[int, int, Corrected]], round: int, board: int) -> bool:
    """Whether the colours as they count now are not yet those on the pencilled sheet."""
    return sum(isinstance(one, ColoursCorrected) for one in about(later, round, board)) % 2 == 1


def as_result(round: int, one: Played) -> ResultCorrected:
    """The result of a board as it was played."""
    assert one.outcome is not None
    return ResultCorrected(
        round=round, board=one.board, outcome=one.outcome, was=one.outcome, scope="pairing-next"
    )


def turned_about(fact: ResultCorrected | ColoursCorrected) -> ResultCorrected | ColoursCorrected:
    """A result written with the colours as they count now, for a pencil that does not know them yet."""
    if isinstance(fact, ColoursCorrected):
        return fact
    return replace(fact, outcome=Outcome(fact.outcome.black, fact.outcome.white))


def pencilled(seats: list[Seat], fact: Corrected) -> None:
    if isinstance(fact, BoardsCorrected):
        for one in fact.boards:
            seats[one.board - 1] = Seat((one.white, one.black))
            pencilled(seats, as_result(fact.round, one))
        return
    seat = seats[fact.board - 1]
    if isinstance(fact, ResultCorrected):
        seat.letters = {seat.white: fact.outcome.white, seat.black: fact.outcome.black}
    else:
        seat.white, seat.black = fact.white, fact.black


def seen(snapshot: Snapshot) -> dict[int, set[tuple[int, str, str, str]]]:
    """Board by board what a snapshot knows of each round: white and black, and their letters."""
    rounds: dict[int, set[tuple[int, str, str, str]]] = {}
    for player in snapshot.players:
        for number, (opponent, colour, letter) in enumerate(
            zip(player.opponents, player.colours, player.letters, strict=True), start=1
        ):
            if opponent:
                rounds.setdefault(number, set()).add((player.id, str(opponent), colour, letter))
    return rounds


@examples(30)
@given(seed=seeds)
def test_a_history_goes_on_from_wherever_it_was_folded_to(seed: int) -> None:
    log = life(seed)
    whole = state_after(log)

    for part in range(0, len(log) + 1, 7):
        assert state_after(log[part:], state_after(log[:part])) == whole


@examples(60)
@given(seed=seeds)
@example(seed=19)
@example(seed=402)
@example(seed=67230)
def test_a_pairing_sees_exactly_the_corrections_the_rules_let_it_see(seed: int) -> None:
    log = life(seed)
    standing = {past.version for past in state_after(log).rounds}
    for recorded in log:
        fact = recorded.fact
        if not isinstance(fact, RoundPaired) or recorded.version not in standing:
            continue
        expected: dict[int, set[tuple[int, str, str, str]]] = {}
        for number, seats in by_pencil(log, fact.based_on).items():
            for seat in seats:
                for me, other, colour in ((seat.white, seat.black, "w"), (seat.black, seat.white, "b")):
                    letter = seat.letters[me] or "?"
                    shown = "-" if letter in "+-" else colour
                    expected.setdefault(number, set()).add((me, str(other), shown, letter))

        assert seen(snapshot_of(log, fact.round)) == expected, (seed, fact.round)


@examples(25)
@given(seed=seeds)
def test_to_suppose_is_what_correcting_it_in_time_would_have_given(seed: int) -> None:
    log = life(seed)
    whole = state_after(log)
    for past, after in pairwise(whole.rounds):
        number = past.fact.round
        known = log[: version_paired_from(after)]
        then = state_after(known)
        for board, game in enumerate(then.rounds[number - 1].games(), start=1):
            if game != past.games()[board - 1] or game.white_letter in ("", "?") or game.white_letter == "0":
                continue  # another result or other colours came later, or there is nothing to correct
            lost = Outcome("0", "1")
            for command, one in (
                (
                    c.CorrectResult(meta=META, round=number, board=board, outcome=lost),
                    Supposed(round=number, board=board, outcome=lost),
                ),
                (
                    c.CorrectColours(meta=META, round=number, board=board),
                    Supposed(round=number, board=board, colours=True),
                ),
            ):
                [fact] = weigh(then, command).events
                corrected = state_after([*known, replace(known[-1], fact=fact)])
                expected, _ = paired_again(snapshot_now(corrected))

                found = what_if(log, [one]).rounds[0]

                assert (found.round, found.branch) == (number + 1, expected), (seed, one)
            break


@examples(25)
@given(seed=seeds)
def test_to_suppose_something_writes_nothing_and_supposing_it_twice_tells_the_same(seed: int) -> None:
    log = life(seed)
    before = list(log)
    whole = state_after(log)
    for past in whole.rounds:
        for board, game in enumerate(past.games(), start=1):
            if game.white_letter == "1":
                one = Supposed(round=past.fact.round, board=board, outcome=Outcome("0", "1"))
                found = what_if(log, [one])
                assert found == what_if(log, [one])
                assert log == before
                assert all(each.round > past.fact.round for each in found.rounds)
                points = {m.player: m.points[1] - m.points[0] for m in found.standings}
                win = whole.regulations.scoring.win - whole.regulations.scoring.loss
                assert points.get(game.white) == -win
                assert points.get(game.black) == win
                assert sum(map(abs, points.values())) == 2 * win
                break
