"""How much work the engine does, counted and not timed: a change that makes a rare way common shows here.

Most brackets must be settled by what costs next to nothing (``ideal``, ``listed``, ``tight``, ``weighted``),
on the bracket alone.
``ahead`` and ``whole`` take the next bracket or all that follow into the graph; ``ordered`` is the last
resort. Stages of the weighted matching are counted too: each grows one search tree; so are steps of the
search for an ideal candidate, and candidates listed. The limits lie some way above what was found when they
were set; raise one only with a reason.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import mean

import msgspec
import pytest

from paircard.pairing import NoLegalRound, Pairing, pair
from paircard.pairing.dutch import listed
from paircard.pairing.dutch.listed import IdealSearch, Pairs, list_candidates
from paircard.pairing.lab.simulate import Settings, simulate
from paircard.pairing.matching.weighted import Solver
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.round.snapshot import Snapshot, snapshot
from tests.pairing.histories import history

EDITIONS = ("dutch-2026", "dutch-2017")
FIELDS = ((12, 9), (20, 9), (30, 9), (45, 9), (60, 9), (80, 9), (100, 9), (150, 9), (200, 9), (500, 7))
"""Players and rounds of ordinary tournaments."""
HISTORIES = range(1, 141)
CHEAP = ("ideal", "listed", "tight", "weighted")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Shares are percent of all brackets."""

    straight: int
    """Ideal, listed or tight, at least."""
    cheap: int
    """At least, those counted in."""
    whole: int
    """At most; so are the others."""
    ordered: int
    stages: int
    """Of the weighted matching, by round on average."""
    most_stages: int
    """In one round."""
    steps: int
    """Of the search for an ideal candidate, by bracket that is searched, on average."""
    listed: int
    """Candidates, by bracket whose candidates are listed, on average."""


ORDINARY = Limits(straight=98, cheap=98, whole=1, ordered=1, stages=1, most_stages=10, steps=15, listed=8)
WILD = Limits(straight=92, cheap=92, whole=7, ordered=2, stages=3, most_stages=80, steps=25, listed=10)


class Work:
    """What was counted over some rounds."""

    def __init__(self) -> None:
        self.routes: Counter[str] = Counter()
        self.stages: list[int] = []
        self.steps: list[int] = []
        self.listed: list[int] = []

    def pair(self, state: Snapshot) -> Pairing:
        self.stages.append(0)
        pairing = pair(state)
        self.routes.update(bracket.route for bracket in pairing.brackets)
        return pairing

    def share(self, counts: Callable[[str], bool]) -> float:
        """Percent of the brackets whose route is one of these."""
        return 100 * sum(many for route, many in self.routes.items() if counts(route)) / self.routes.total()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counted = Work()
    solve = Solver.solve

    def counting(self: Solver) -> None:
        try:
            solve(self)
        finally:
            counted.stages[-1] += self.stages

    monkeypatch.setattr(Solver, "solve", counting)
    mates = IdealSearch.mates

    def searching(self: IdealSearch) -> list[int] | None:
        try:
            return mates(self)
        finally:
            counted.steps.append(self.steps)

    def listing(graph: Sequence[int], floaters: int) -> dict[int, list[Pairs]]:
        found = list_candidates(graph, floaters)
        counted.listed.append(sum(map(len, found.values())))
        return found

    monkeypatch.setattr(IdealSearch, "mates", searching)
    monkeypatch.setattr(listed, "list_candidates", listing)
    return counted


def need_within(work: Work, limits: Limits) -> None:
    """Fail with all that was counted."""
    rounds, stages = len(work.stages), sum(work.stages)
    told = f"{dict(work.routes)}, {stages} stages in {rounds} rounds, at most {max(work.stages)}"
    assert work.share(lambda route: route in ("ideal", "listed", "tight")) >= limits.straight, told
    assert work.share(lambda route: route in CHEAP) >= limits.cheap, told
    assert work.share(lambda route: route.startswith("whole")) <= limits.whole, told
    assert work.share(lambda route: route.endswith("ordered")) <= limits.ordered, told
    assert stages <= limits.stages * rounds, told
    assert max(work.stages) <= limits.most_stages, told
    assert 1 < mean(work.steps) <= limits.steps, f"{mean(work.steps)} steps"
    assert 1 < mean(work.listed) <= limits.listed, f"{mean(work.listed)} candidates"


@pytest.mark.parametrize("edition", EDITIONS)
def test_ordinary_tournaments_are_paired_bracket_by_bracket_with_hardly_any_search(
    edition: str, work: Work
) -> None:
    def choose(table: Crosstable, round: int, edition: str) -> Pairing:
        return work.pair(snapshot(table, round, edition))

    for seed, (players, rounds) in enumerate(FIELDS):
        simulate(Settings(players=players, rounds=rounds, edition=edition), seed, choose)

    need_within(work, ORDINARY)


@pytest.mark.parametrize("edition", EDITIONS)
def test_histories_no_engine_would_produce_need_the_whole_field_seldom(edition: str, work: Work) -> None:
    unpaired = 0
    for seed in HISTORIES:
        table = history(seed)
        try:
            work.pair(snapshot(table, table.paired + 1, edition))
        except NoLegalRound:
            unpaired += 1

    assert unpaired < len(HISTORIES) // 10
    assert sum(work.stages) > 0
    need_within(work, WILD)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_large_ordinary_field_needs_next_to_no_search(edition: str, work: Work) -> None:
    def choose(table: Crosstable, round: int, edition: str) -> Pairing:
        return work.pair(snapshot(table, round, edition))

    for seed in (1, 2, 3):
        simulate(Settings(players=600, rounds=6, edition=edition), seed, choose)

    assert sum(work.stages) <= len(work.stages), f"{sum(work.stages)} stages in {len(work.stages)} rounds"
