"""Direct encounter (C.07:6): the games that tied players had with each other."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from paircard.domain.values.results import FORFEITS, PLAYED
from paircard.projections.standings.tiebreaks.ledger import Ledger


class Meeting(msgspec.Struct, frozen=True):
    """What one tied player scored against the others of the group."""

    who: int
    score: Fraction
    """Tenths; several games with one opponent count as their average (6.1.2)."""
    met: int
    """How many of the others the player met."""
    missing: int
    """How many were not met; a round robin does not count them (6.3)."""


def meetings(ledger: Ledger, group: Sequence[int], *, forfeits: bool = False) -> list[Meeting]:
    """Each player's games inside the group; forfeits only with /P or predetermined pairings (6.1, 15.2)."""
    counts = PLAYED | FORFEITS if forfeits or ledger.predetermined else PLAYED
    inside = frozenset(group)
    found = []
    for who in group:
        games: dict[int, list[int]] = {}
        for letter, opponent, points in zip(
            ledger.letters[who], ledger.opponents[who], ledger.points[who], strict=True
        ):
            if opponent in inside and letter in counts:
                games.setdefault(opponent, []).append(points)
        score = sum((Fraction(sum(each), len(each)) for each in games.values()), Fraction(0))
        missing = 0 if ledger.predetermined else len(group) - 1 - len(games)
        found.append(Meeting(who, score, len(games), missing))
    return found


def split(ledger: Ledger, group: Sequence[int], *, forfeits: bool = False) -> list[list[int]]:
    """The group parted into the places that direct encounter gives, best first; one part if it gives none."""
    if len(group) < 2:
        return [list(group)]
    found = meetings(ledger, group, forfeits=forfeits)
    parts = _by_whatever_comes(ledger, found) if any(one.missing for one in found) else _by_score(found)
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in split(ledger, part, forfeits=forfeits)]


def _by_score(found: Sequence[Meeting]) -> list[list[int]]:
    """[6.2] All have met: by the sum of their scores."""
    parts: dict[Fraction, list[int]] = {}
    for one in sorted(found, key=lambda one: -one.score):
        parts.setdefault(one.score, []).append(one.who)
    return list(parts.values())


def _by_whatever_comes(ledger: Ledger, found: Sequence[Meeting]) -> list[list[int]]:
    """[6.3] Not all have met: first is who stays so losing every missing game while rivals win theirs.

    Then the same for the second place among the others, and so on while it succeeds.
    """
    win, loss = ledger.scoring.win, ledger.scoring.loss
    worst = {one.who: one.score + one.missing * loss for one in found}
    best = {one.who: one.score + one.missing * win for one in found}
    left = sorted(worst, key=lambda who: (-worst[who], -best[who]))
    parts: list[list[int]] = []
    while len(left) > 1 and worst[left[0]] > max(best[who] for who in left[1:]):
        parts.append([left.pop(0)])
    return [*parts, left]


def places(ledger: Ledger, groups: Sequence[Sequence[int]], *, forfeits: bool = False) -> dict[int, int]:
    """For every player of the tied groups the place inside the group, from 1; 0 where nothing was decided."""
    given = {}
    for group in groups:
        parts = split(ledger, group, forfeits=forfeits)
        place = 1
        for part in parts:
            for who in part:
                given[who] = place if len(parts) > 1 else 0
            place += len(part)
    return given
