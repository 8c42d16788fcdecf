"""Random round robins with postponed games, forfeits and withdrawals, and their crosstables."""

from random import Random

from paircard.domain.values.results import Scoring
from paircard.projections.round.crosstable import LEFT, Crosstable, Entry, Row
from tests.robin.by_the_text import Event, Game, schedule

RESULTS = ["10", "==", "01"] * 8 + ["+-", "-+", "--", "00", "=0", "WL", "DD"]


def random_event(chance: Random, *, over: bool | None = None) -> Event:
    """An event after some of its games; ``over`` says whether none is open."""
    players, cycles = chance.randint(3, 10), chance.choice((1, 1, 1, 2, 2, 3))
    games = [
        Game(at, white, black)
        for at, boards in enumerate(schedule(players, cycles, chance.random() < 0.5), 1)
        for white, black in boards
    ]
    done = over if over is not None else chance.random() < 0.6
    level = chance.random()
    left: dict[int, int] = {}
    for player in range(1, players + 1):
        if chance.random() < 0.12:
            left[player] = chance.randint(1, len(games))
    for at, game in enumerate(games):
        white_gone, black_gone = (at >= left.get(one, len(games)) for one in (game.white, game.black))
        if white_gone or black_gone:
            game.letters = ("-" if white_gone else "+", "-" if black_gone else "+")
        elif done or chance.random() < level:
            text = chance.choice(RESULTS)
            game.letters = (text[0], text[1])
        elif chance.random() < 0.1:
            game.letters = ("?", "?")
    if left and not done:  # a withdrawal decides every open game of the leaver
        for game in games:
            if game.letters[0] in ("", "?"):
                gone = [one in left for one in (game.white, game.black)]
                if any(gone):
                    game.letters = ("-" if gone[0] else "+", "-" if gone[1] else "+")
    win, draw, loss = chance.choice([(10, 5, 0)] * 4 + [(30, 10, 0), (20, 10, 0)])
    ratings = {player: chance.choice((2500, 2400, 2300)) for player in range(1, players + 1)}
    return Event(players, cycles, games, set(left), win, draw, loss, ratings)


def table_of(event: Event) -> Crosstable:
    """The event as the product's crosstable; ids are not numbers."""
    rounds = max(game.round for game in event.games)
    entries = {player: [Entry()] * rounds for player in range(1, event.players + 1)}
    for game in event.games:
        entries[game.white][game.round - 1] = Entry(game.black + 100, "w", game.letters[0])
        entries[game.black][game.round - 1] = Entry(game.white + 100, "b", game.letters[1])
    return Crosstable(
        rows=tuple(
            Row(
                id=player + 100,
                number=player,
                name=f"P{player}",
                rating=event.ratings.get(player, 0),
                entries=tuple(entries[player]),
                status=LEFT if player in event.gone else "withdrawn" if player in event.left else "",
            )
            for player in entries
        ),
        rounds=rounds,
        paired=rounds,
        scoring=Scoring(win=event.win, draw=event.draw, loss=event.loss, pab=event.win),
        predetermined=True,
        leavers_known=True,
    )
