"""The page of one player: course of the tournament, games, floats, corrections."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from paircard.domain.deciding.decision import player_of
from paircard.domain.values.players import shown_id
from paircard.domain.values.results import points
from paircard.domain.values.rules import RULES
from paircard.projections.categories import inside
from paircard.projections.prizes import rules_of
from paircard.projections.round.crosstable import never_came
from paircard.projections.views import last_finished
from paircard.service import Moment
from paircard.service.print.prizes import listed, worth
from paircard.service.print.rendering import FILE, MARKS, Frame, language
from paircard.service.print.standings import cells
from paircard.web.calls import Answer, Call, player_in_path
from paircard.web.pages.corrections import corrections_of
from paircard.web.pages.page import EVENT, Pages, page, page_of, see_other
from paircard.web.site import Site

PAGES: Final = Pages()
WIDE, HIGH = 180, 114
"""Size of the field of a small chart; labels stand around it."""


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A line over the rounds."""

    line: Sequence[tuple[float, float, int]]
    """Each round and its place, round 1 first."""
    levels: Sequence[tuple[float, int]]
    """How far down horizontal lines are, and what they stand for."""
    start: tuple[float, float]
    values: tuple[str, ...]
    """The values of the line, as text."""
    ghost: tuple[float, float] | None = None
    """Where the line would end if every game was won."""


def course(scores: Sequence[int], rounds: int, win: int) -> Chart | None:
    """Points after each round; none before the first."""
    if not scores or not rounds:
        return None
    most = max(rounds * win, *scores, 1)
    step = WIDE / rounds
    whole = most // 10
    every = next(each for each in (1, 2, 3, 5, 10, 25, 50, 1000) if whole <= each * 5)
    return Chart(
        line=[(round(step * at, 1), height(score, most), at) for at, score in enumerate(scores, start=1)],
        levels=[(height(level * 10, most), level) for level in range(0, whole + 1, every)],
        start=(0, HIGH),
        values=tuple(points(score) for score in scores),
        ghost=(round(step * rounds, 1), height(rounds * win, most)),
    )


def ranks(places: Sequence[int], players: int) -> Chart | None:
    """The place after each round, the first place on top; none where there is nothing to see."""
    known = [place for place in places if place]
    if len(known) < 2 or players < 2 or len(known) != len(places):
        return None
    step = WIDE / max(len(places) - 1, 1)

    def y(place: int) -> float:
        return round((place - 1) / (players - 1) * HIGH, 1)

    middle = (players + 1) // 2
    return Chart(
        line=[(round(step * at, 1), y(place), at + 1) for at, place in enumerate(places)],
        levels=[(y(place), place) for place in dict.fromkeys((1, middle, players))],
        start=(0, y(places[0])),
        values=tuple(map(str, places)),
    )


def height(value: int, most: int) -> float:
    """How far below the top of the field a value stands."""
    return round(HIGH - value / most * HIGH, 1)


def player_page(moment: Moment, player: int, frame: Frame = FILE) -> str:
    """The page of a player by id; refuses somebody who is not in the tournament."""
    player_of(moment.state, player)
    after, placed = moment.state.paired, moment.once("finished", lambda: last_finished(moment.state))
    rows = moment.rows()
    card = moment.card(player)
    places = [moment.places(round).get(player, 0) for round in range(1, placed + 1)]
    place = places[-1] if places else moment.places(0).get(player, 0)
    by_board = {(each.round, each.board): each for each in corrections_of(moment)}
    boards = [moment.seats(round).get(player, 0) for round in range(1, after + 1)]
    games = [
        (line, rows.get(line.opponent), board, by_board.get((line.round, board)))
        for line, board in zip(card.lines, boards, strict=True)
    ]
    return page_of(
        moment,
        "player.html",
        frame,
        card=card,
        place=place,
        shared=list(moment.places(placed).values()).count(place),
        games=games,
        floats=RULES[moment.regulations.edition].downfloats,
        after=after,
        cells=() if never_came(rows[player]) else cells(rows[player], rows, after),
        course=course(
            [line.score for line in card.lines], moment.regulations.rounds, moment.regulations.scoring.win
        ),
        ranks=ranks(places, len(moment.crosstable().rows)),
        changed=[line.round for line, _, _, correction in games if correction],
        marks=MARKS,
        groups=[
            one.name for one in moment.regulations.categories or () if player in inside(moment.state, one)
        ],
        won=[one for one in listed(moment).given if one.player == player]
        if rules_of(moment.state).prizes
        else [],
        given=moment.state.prizes is not None,
        worth=partial(worth, currency=rules_of(moment.state).currency, t=language(frame.language)),
    )


@PAGES.get(EVENT + "/players/{player}", kept=True)
def player(site: Site, call: Call) -> Answer:
    """The card of a player."""
    id = player_in_path(call)
    if call.path["player"] != shown_id(id):  # as pages wrote it until ids had a shape of their own
        query = f"?{call.request.url.query}" if call.request.url.query else ""
        return see_other(f"/tournaments/{call.tournament}/players/{shown_id(id)}{query}")
    return page(site, call, f"player/{id}", player_page, player=id)
