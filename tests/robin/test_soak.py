"""Whole round robins: decided, folded again, paired again, and ranked as the rule text says."""

from pathlib import Path
from random import Random
from typing import get_args

import msgspec
import pytest

from paircard.domain import WarningCode
from paircard.domain import commands as ask
from paircard.domain.deciding.decider import decide
from paircard.domain.deciding.decision import signed
from paircard.domain.events import Event as Fact
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import Outcome
from paircard.pairing import pair
from paircard.projections.standings.standings import ranking
from paircard.projections.views import snapshot_now, table_after
from paircard.service import Office, person
from paircard.service.pairing import propose_schedule
from tests.robin.by_the_text import Event, Game, schedule

META = ask.Meta(
    who="Anna", when="2026-11-18T10:00:00Z", command_id="c", why="so it was",
    acknowledge=tuple(code for kind in get_args(WarningCode) for code in get_args(kind)),
)  # fmt: skip
RESULTS = ["10", "==", "01"] * 6 + ["+-", "-+", "--", "00", "WL", "DD"]
FEDERATIONS = ("ITA", "FRA", "GER", "NOR")
CODES = ("DE", "WIN", "SB", "KS")
VALUES = ("WIN", "SB", "KS")


class Club:
    """An event in the product, and the same event in a notebook that knows only the rules."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.asked: list[ask.Command] = []
        self.facts: list[Fact] = []
        self.state: Tournament = NOTHING
        players, cycles = chance.randint(3, 10), chance.choice((1, 1, 1, 2))
        exchange = cycles == 2 and chance.random() < 0.5
        rules = Regulations(
            name="Club", rounds=0, edition="round-robin", cycles=cycles, exchange=exchange, tiebreaks=CODES
        )
        self.do(ask.OpenTournament(regulations=rules))
        for at in range(players):
            details = Details(name=f"P{at:02}", rating=2000 + at, federation=chance.choice(FEDERATIONS))
            self.do(ask.RegisterPlayer(details=details))
        seed, order = str(chance.random()), list(range(1, players + 1))
        chance.shuffle(order)
        draws = [ask.AssignNumbers(lots="lots", seed=seed), ask.AssignNumbers(order=tuple(order))]
        draws += [ask.AssignNumbers(lots="varma", seed=seed)] if players > 8 else []
        self.do(chance.choice(draws))
        for command in propose_schedule(self.state):
            self.do(command)
        self.number = {id: at for at, id in enumerate(self.state.order, 1)}
        lines = schedule(players, cycles, exchange)
        self.games = {
            (round, board): Game(round, *pair)
            for round, pairs in enumerate(lines, 1)
            for board, pair in enumerate(pairs, 1)
        }
        self.left: set[int] = set()
        self.kinds: dict[int, type[ask.WithdrawPlayer] | type[ask.ExpelPlayer]] = {}
        self.by_leaving: set[tuple[int, int]] = set()
        self.players, self.cycles = players, cycles

    def do(self, command: ask.Command) -> None:
        self.asked.append(command)
        facts = decide(self.state, signed(command, META))
        self.facts += facts
        self.state = fold(facts, self.state)

    # --- what may happen

    def step(self) -> None:
        """Something an arbiter does on an evening at the club."""
        spots = list(self.games)
        here = self.chance.choice(spots)
        game = self.games[here]
        text = self.chance.choice(RESULTS)
        letters, open_now = (text[0], text[1]), game.letters[0] in ("", "?")
        what = self.chance.random()
        if what < 0.8 and open_now:
            self.do(ask.RecordResult(round=here[0], board=here[1], outcome=Outcome(*letters)))
            game.letters = letters
        elif what < 0.84 and game.letters[0] == "":
            self.do(ask.AdjournGame(round=here[0], board=here[1]))
            game.letters = ("?", "?")
        elif what < 0.92 and not open_now and here not in self.by_leaving and letters != game.letters:
            self.do(ask.CorrectResult(round=here[0], board=here[1], outcome=Outcome(*letters)))
            game.letters = letters
        elif what > 0.985 and len(self.left) < 2:
            self.leave(self.chance.choice([n for n in range(1, self.players + 1) if n not in self.left]))
        elif what > 0.97 and self.left:
            self.come_back(self.chance.choice(sorted(self.left)))

    def leave(self, number: int) -> None:
        """Open games of a leaver are forfeits, and both lose where both have left."""
        kind = self.chance.choice((ask.WithdrawPlayer, ask.WithdrawPlayer, ask.ExpelPlayer))
        self.do(kind(player=self.state.order[number - 1]))
        self.left.add(number)
        self.kinds[number] = kind
        for spot, game in self.games.items():
            if number in (game.white, game.black) and (
                game.letters[0] in ("", "?") or spot in self.by_leaving
            ):
                self.forfeit(spot)

    def come_back(self, number: int) -> None:
        """The forfeits that came with leaving go; of two who left one is still away."""
        player = self.state.order[number - 1]
        withdrew = self.kinds[number] is ask.WithdrawPlayer
        self.do(ask.ReturnPlayer(player=player) if withdrew else ask.ReinstatePlayer(player=player))
        self.left.remove(number)
        for spot, game in self.games.items():
            if number in (game.white, game.black) and spot in self.by_leaving:
                self.by_leaving.remove(spot)
                game.letters = ("", "")
                if self.left & {game.white, game.black}:
                    self.forfeit(spot)

    def forfeit(self, spot: tuple[int, int]) -> None:
        game = self.games[spot]
        away = [one in self.left for one in (game.white, game.black)]
        game.letters = ("-" if away[0] else "+", "-" if away[1] else "+")
        self.by_leaving.add(spot)

    # --- what must be so

    def check(self) -> None:
        text = Event(self.players, self.cycles, list(self.games.values()), set(self.left))
        expelled = {n for n in self.left if self.kinds[n] is ask.ExpelPlayer}
        lines = ranking(self.state, table_after(self.state)).lines()
        by_number = {self.number[line.id]: line for line in lines}
        for number, line in by_number.items():
            assert line.points == text.score(number), (number, self.facts[-3:])
            found = dict(zip(CODES, line.tiebreaks, strict=True))
            assert [found[code] for code in VALUES] == [text.value(code, number) for code in VALUES]
        text.unranked = expelled  # they have no place, whatever counts
        places = text.places(list(CODES))
        assert {n: line.rank for n, line in by_number.items() if line.rank} == places

    def replay(self) -> None:
        """The facts alone give the state again, and the numbers alone give every round again."""
        encoded = msgspec.json.encode(self.facts)
        again = msgspec.json.decode(encoded, type=list[Fact])
        assert fold(again) == self.state
        for round in self.state.rounds:
            snapshot = snapshot_now(self.state, round.number)
            assert snapshot.digest() == round.fact.snapshot
            assert tuple((b.white, b.black) for b in pair(snapshot).boards) == round.fact.boards

    def store(self, folder: Path) -> None:
        """A real store takes the same commands, gives the same facts, and replays and verifies them."""
        opening, *rest = self.asked
        assert isinstance(opening, ask.OpenTournament)
        by = person("Anna").because("so it was").accepting(*META.acknowledge)
        with Office.create(folder / f"{len(list(folder.iterdir()))}.db") as office:
            t = office.new(opening.regulations, by=by)
            for command in rest:
                t.ask(command, by=by)
            assert [one.fact for one in t.facts()] == self.facts
            assert {one.verdict for one in t.now().replay()} == {"identical"}
            assert t.verify().whole


def lives(seed: object, folder: Path | None = None) -> None:
    club = Club(Random(str(seed)))
    for at in range(club.chance.randint(10, 90)):
        club.step()
        if at % 25 == 0:
            club.check()
    club.check()
    club.replay()
    if folder is not None:
        club.store(folder)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_round_robins_with_all_that_happens_in_a_club(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        lives(seed, None if seed % 20 else tmp_path)


@pytest.mark.soak
def test_ten_thousand_round_robins_with_all_that_happens_in_a_club(tmp_path: Path) -> None:
    for seed in range(10_000):
        lives(f"soak {seed}", None if seed % 20 else tmp_path)
