"""What changed between two moments of a tournament, or between the record and a branch of it."""

from collections.abc import Iterable, Sequence

import msgspec

from paircard.domain.events import Recorded
from paircard.domain.rounds import CURRENT, RATING_REPORT, Game
from paircard.domain.speaking import Remark
from paircard.domain.state import Tournament, state_after
from paircard.projections.log_lines import LogLine, log_lines
from paircard.projections.prizes import changes
from paircard.projections.standings.standings import Standing, standings_after
from paircard.projections.views import numbering


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings that changed; points in tenths, place 0 for none."""

    player: int
    name: str
    place: tuple[int, int]
    """Before and after."""
    points: tuple[int, int]
    tiebreaks: tuple[tuple[int | None, ...], tuple[int | None, ...]]

    @property
    def visible(self) -> bool:
        """Whether place or points change, not tie-break values alone."""
        return self.place[0] != self.place[1] or self.points[0] != self.points[1]


class ResultChange(msgspec.Struct, frozen=True, kw_only=True):
    """A board on which something else is on record: who sat there and with what letters."""

    round: int
    board: int
    before: Game
    after: Game
    counts: str
    """``standings``, or ``rating report`` for what counts there alone."""


class RoundChange(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is there now, is gone, or has other boards. Ids, White first; the bye is ``(id, 0)``."""

    round: int
    before: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, int], ...]


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """What is otherwise after some facts."""

    rounds: tuple[RoundChange, ...]
    results: tuple[ResultChange, ...]
    numbers: tuple[tuple[int, int, int], ...]
    """Id, number before and after; 0 for none."""
    standings: tuple[Moved, ...]
    prizes: tuple[Remark, ...] = ()
    """What players would get otherwise, where prizes are announced."""


class Difference(Changed, frozen=True, kw_only=True):
    """All that changed from one moment to another."""

    first: int
    second: int
    """Lengths of the log."""
    facts: tuple[LogLine, ...]


def difference(log: Sequence[Recorded], first: int, second: int) -> Difference:
    """What changed between two lengths of a log, the shorter first."""
    first, second = sorted((first, second))
    before, after = state_after(log[:first]), state_after(log[:second])
    return Difference(
        first=first,
        second=second,
        facts=tuple(log_lines(log[first:second], before)),
        rounds=tuple(changed_rounds(before, after)),
        results=tuple(changed_results(before, after)),
        numbers=tuple(changed_numbers(before, after)),
        standings=moved_lines(standings_after(before), standings_after(after)),
        prizes=changes(before, after),
    )


def moved_lines(before: Iterable[Standing], after: Iterable[Standing]) -> tuple[Moved, ...]:
    """Lines that differ, in the order of the later standings; a newcomer comes from place 0."""
    then = {line.id: line for line in before}
    changes = []
    for line in after:
        was = then.get(line.id)
        change = Moved(
            player=line.id,
            name=line.name,
            place=(was.rank if was else 0, line.rank),
            points=(was.points if was else 0, line.points),
            tiebreaks=(was.tiebreaks if was else (), line.tiebreaks),
        )
        if change.visible or change.tiebreaks[0] != change.tiebreaks[1]:
            changes.append(change)
    return tuple(changes)


def seats(state: Tournament, round: int) -> tuple[tuple[int, int], ...]:
    """Pairs of a round, and the bye; none while it is not paired."""
    if round > state.paired:
        return ()
    paired = state.rounds[round - 1]
    boards = tuple((game.white, game.black) for game in paired.games())
    return (*boards, (paired.pab, 0)) if paired.pab else boards


def changed_rounds(before: Tournament, after: Tournament) -> Iterable[RoundChange]:
    for round in range(1, max(before.paired, after.paired) + 1):
        was, now = seats(before, round), seats(after, round)
        if set(was) != set(now):
            gone = tuple(seat for seat in was if seat not in now)
            new = tuple(seat for seat in now if seat not in was)
            yield RoundChange(round=round, before=gone, after=new)


def changed_results(before: Tournament, after: Tournament) -> Iterable[ResultChange]:
    """Boards of the same two players whose letters or colours differ, for standings or the report alone."""
    for was, now in zip(before.rounds, after.rounds, strict=False):
        for view, counts in ((CURRENT, "standings"), (RATING_REPORT, "rating report")):
            old = {frozenset((game.white, game.black)): game for game in was.games(view)}
            for board, game in enumerate(now.games(view), start=1):
                then = old.get(frozenset((game.white, game.black)))
                if then is None and counts == "rating report" and len(was.histories) >= board:
                    then = was.game(board, view)  # others met; for the standings that is another round
                if then is None or then == game:
                    continue
                if counts == "rating report" and game == now.games()[board - 1]:
                    continue  # shown once, where it counts for the standings
                yield ResultChange(round=now.number, board=board, before=then, after=game, counts=counts)


def changed_numbers(before: Tournament, after: Tournament) -> Iterable[tuple[int, int, int]]:
    was, now = numbering(before).by_id, numbering(after).by_id
    for player in after.players:
        numbers = was.get(player.id, 0), now.get(player.id, 0)
        if numbers[0] != numbers[1]:
            yield (player.id, *numbers)
