"""Laws of remembering: what a page shows from remembered values is what a fresh process computes."""

import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import methodcaller
from pathlib import Path
from types import FrameType

from hypothesis import given, settings
from hypothesis import strategies as st

from paircard.domain.errors import PaircardError
from paircard.domain.events import Recorded
from paircard.domain.log.reader import Known
from paircard.domain.state import state_after
from paircard.projections.standings.standings import Ranking
from paircard.service import Moment
from paircard.service.print.paper import cards_page, sheet_page, slips_page, start_list_page
from paircard.service.print.rendering import Frame, Links
from paircard.service.print.standings import crosstable_at, standings_at
from paircard.web.pages.corrections import corrections_page
from paircard.web.pages.player import player_page
from paircard.web.pages.public import pairings_page
from paircard.web.pages.screen import screen_page
from paircard.web.site import PublicSide
from tests.audit.lives import life as audited
from tests.prizegiving import PLAYERS, event, play
from tests.projections.test_laws import random_log
from tests.public_logs import public_log

FRAME = Frame(links=Links("/tournaments/x"), stylesheet="x", feed="x")
Page = Callable[[Moment], object]


def pages(moment: Moment) -> list[Page]:
    """Every kind of page and every view, of each round and some players."""
    rounds = [None, *range(moment.state.paired + 1)]
    found: list[Page] = [
        partial(make, frame=FRAME) for make in (start_list_page, corrections_page, cards_page)
    ]
    for round in rounds:
        found += [
            partial(make, round=round, frame=FRAME)
            for make in (pairings_page, sheet_page, partial(sheet_page, by_name=True), slips_page)
        ]
        found += [partial(make, after=round, frame=FRAME) for make in (standings_at, crosstable_at)]
        found += [methodcaller("standings", round), methodcaller("crosstable", round)]
    for player in range(1, len(moment.state.players) + 1):
        found += [partial(player_page, player=player, frame=FRAME), methodcaller("card", player)]
        found += [methodcaller("player_prizes", player), methodcaller("explain_standing", player)]
    found += [partial(screen_page, page=number, frame=FRAME) for number in (0, 1)]
    found.append(methodcaller("prizes"))
    return found


def shown(page: Page, moment: Moment) -> object:
    try:
        return page(moment)
    except PaircardError as refusal:
        return str(refusal)


def look_all_along(log: Sequence[Recorded], chosen: random.Random) -> None:
    """Follow a log in steps of any length, look at any pages, and hold each against a moment that is new."""
    now, end = Moment.of(log[:1]), 1
    while end < len(log):
        step = chosen.choice((1, 1, 1, 2, 5, 20))
        now, end = now.followed_by(log[end : end + step]), min(end + step, len(log))
        fresh = Moment.of(log[:end])
        every = pages(fresh)
        for page in chosen.sample(every, min(len(every), 4)):
            assert shown(page, now) == shown(page, fresh)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_remembered_is_what_would_be_computed(seed: int) -> None:
    chosen = random.Random(seed)
    look_all_along(random_log(seed), chosen)


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_the_same_of_the_public_log_of_a_whole_tournament(seed: int) -> None:
    chosen = random.Random(seed)
    look_all_along(public_log(audited(seed, players=9, rounds=4)), chosen)


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_both_sides_of_a_tournament_remember_what_a_later_request_does_not_touch(seed: int) -> None:
    chosen, log = random.Random(seed), audited(seed, players=8, rounds=4)
    side, known = PublicSide(log[0].tournament), Known(log[0].tournament)
    for _, request in groupby(log, key=lambda one: one.command_id):
        step = list(request)
        known = known.with_facts(step, state_after(step, known.state))
        whole = Moment(known.tournament, known.state, partial(list, known.facts), known.memory)
        for now, facts in ((side.moment(known), public_log(known.facts)), (whole, known.facts)):
            fresh = Moment.of(facts)
            every = pages(fresh)
            for page in chosen.sample(every, min(len(every), 2)):
                assert shown(page, now) == shown(page, fresh)


def made_rankings(work: Callable[[], object]) -> int:
    """How often a crosstable is ranked on the way."""
    counted = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal counted
        counted += event == "call" and frame.f_code is Ranking.__init__.__code__

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def test_a_hall_that_asks_for_its_prizes_or_its_arithmetic_has_the_table_ranked_once(tmp_path: Path) -> None:
    with event(tmp_path / "events.db", rounds=3) as made:
        play(made, "1-0", "½-½", "1-0", "0-1")
        play(made, "½-½", "1-0")
        now = made.now()
        players = range(1, len(PLAYERS) + 1)
        assert made_rankings(lambda: [now.player_prizes(player) for player in players]) == 1
        assert made_rankings(lambda: [now.explain_standing(player, 2) for player in players]) == 1
