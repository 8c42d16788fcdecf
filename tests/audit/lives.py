"""Lives of tournaments: played by the engine and an arbiter who errs, corrects, alters and admits latecomers.

The same seed gives the same log. Everything goes through the decider and is sealed as the store seals
it, so a life can be written into a file of ours by ``Tournaments.take_in``.
"""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from paircard.domain import commands as c
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import settle
from paircard.domain.errors import Refused
from paircard.domain.events import Board, Played, Recorded
from paircard.domain.log.stored import GENESIS, StoredFact, as_stored, seal
from paircard.domain.state import NOTHING, Tournament, evolve, state_after
from paircard.domain.values.players import TITLES, Changes, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import OUTCOMES, Outcome, Scoring
from paircard.pairing import ENGINE, NoLegalRound, pair
from paircard.projections.round.snapshot import Snapshot
from paircard.projections.views import snapshot_now
from tests.cautions import codes_up_to

BEGIN = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
COMMON = (OUTCOMES[0], OUTCOMES[1], OUTCOMES[2])
SCORINGS = (Scoring(), Scoring(), Scoring(win=30, draw=10, pab=30), Scoring(pab=5))


class Life:
    """One tournament while it is lived."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.id = f"{seed:032x}"
        self.log: list[Recorded] = []
        self.state: Tournament = NOTHING
        self.head = GENESIS
        self.asked = 0

    def meta(self, why: str) -> c.Meta:
        self.asked += 1
        when = BEGIN + timedelta(minutes=self.asked)
        return c.Meta(
            who=self.rng.choice(("Anna Arbiter", "Bo Deputy")),
            when=when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            command_id=f"{self.id[-8:]}-{self.asked}",
            why=why,
            acknowledge=codes_up_to(4),
        )

    def ask(self, kind: type[c.Asked], why: str = "", **fields: Any) -> bool:
        """Carry out a command; whether it was not refused."""
        command = kind(meta=self.meta(why), **fields)
        try:
            decision = weigh(self.state, command)  # type: ignore[arg-type]
            answers = tuple(caution.answer for caution in decision.warnings)
            meta = replace(command.meta, acknowledge=(*command.meta.acknowledge, *answers))
            acknowledged = settle(decision, meta)
        except Refused:
            return False
        for fact in decision.events:
            draft = Recorded(
                tournament=self.id,
                version=self.state.version + 1,
                fact=fact,
                who=command.meta.who,
                when=command.meta.when,
                why=command.meta.why,
                command_id=command.meta.command_id,
                acknowledged=acknowledged,
                previous=self.head,
                hash="",
            )
            recorded = seal(draft, self.head).fact
            self.state = evolve(self.state, recorded.fact)
            self.head = recorded.hash
            self.log.append(recorded)
        return True

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def player(self) -> int:
        return self.rng.randint(1, len(self.state.players))

    def person(self, n: int) -> Details:
        birth = f"{self.rng.randint(1940, 2015)}"
        return Details(
            name=f"{self.rng.choice('ABCDEFGH')}{self.rng.choice('aeiou')}r{n}, {self.rng.choice('XYZ')}.",
            rating=self.rng.choice((0, self.rng.randint(1000, 2600), 2000)),
            title=self.rng.choice((*TITLES, "", "", "")),
            fide_id=n * 1000 + self.rng.randint(1, 999) if self.chance(70) else 0,
            birth=birth
            if self.chance(50)
            else f"{birth}-0{self.rng.randint(1, 9)}-1{self.rng.randint(0, 9)}",
            federation=self.rng.choice(("ITA", "GER", "")),
            club=self.rng.choice(("Scacchi Trento", "")),
        )

    def outcome(self) -> Outcome:
        return self.rng.choice(COMMON) if self.chance(90) else self.rng.choice(OUTCOMES)

    def live(self, players: int = 0, rounds: int = 0) -> None:
        """From the opening to the end, or until no round can be paired."""
        size = players or self.rng.randint(4, 16)
        self.open(size, rounds or self.rng.randint(2, 6))
        self.mishaps()
        while self.state.paired < self.state.regulations.rounds and self.pair():
            self.play()
        if self.state.rounds:
            self.close()

    # the parts of a life

    def open(self, players: int, rounds: int) -> None:
        accelerated = self.chance(15) and rounds > 4
        opened = self.ask(
            c.OpenTournament,
            regulations=Regulations(
                name=f"Open {self.id[-4:]}",
                rounds=rounds,
                edition=self.rng.choice(("dutch-2026", "dutch-2026", "dutch-2017")),
                scoring=SCORINGS[0] if accelerated else self.rng.choice(SCORINGS),
                acceleration="baku" if accelerated else "none",
                tiebreaks=self.rng.choice(((), ("BH", "SB"), ("BH/C1", "DE", "WIN"), ("ARO",))),
                chief_arbiter="Anna Arbiter",
                place="Trento",
            ),
        )
        assert opened
        for n in range(1, players + 1):
            self.ask(c.RegisterPlayer, details=self.person(n))
        if self.chance(20):
            self.ask(c.ProhibitPairing, players=(1, 2))
        self.ask(c.DrawInitialColour, colour=self.rng.choice("wb"))

    def mishaps(self) -> None:
        """What may happen at any time between two steps."""
        rng, paired = self.rng, self.state.paired
        soon = paired + 1
        if self.chance(6):
            missed = "".join(rng.choice("ZH") for _ in range(paired))
            self.ask(
                c.RegisterPlayer, why="train delayed", details=self.person(100 + self.asked), missed=missed
            )
        if self.chance(8):
            self.ask(c.GrantBye, why="asked for", player=self.player(), round=soon, letter=rng.choice("HHZF"))
        if self.chance(2):
            self.ask(c.RevokeBye, player=self.player(), round=soon)
        if self.chance(2):
            self.ask(c.WithdrawPlayer, why="ill", player=self.player())
        if self.chance(2):
            self.ask(c.ReturnPlayer, player=self.player())
        if self.chance(1):
            self.ask(c.ExpelPlayer, why="phone", player=self.player())
        if self.chance(2):
            self.ask(c.ReinstatePlayer, why="appeal", player=self.player())
        if self.chance(1):
            self.ask(c.LiftProhibition, why="a slip", players=(1, 2))
        if self.chance(3) and paired:
            boards = len(self.state.rounds[-1].histories)
            self.ask(c.ClearResult, round=paired, board=rng.randint(1, max(1, boards)))
        if self.chance(1):
            self.ask(c.ReopenRound, round=paired)
        if self.chance(5):
            changes = Changes(rating=rng.randint(1000, 2600)) if self.chance(60) else Changes(name="Zed, Z.")
            self.ask(c.CorrectPlayer, why="list", player=self.player(), changes=changes)
        if self.chance(3):
            self.ask(c.AssignNumbers, why="corrected ratings")
        if self.chance(15) and paired:
            self.correct()

    def correct(self) -> None:
        """Correct a result or colours, mostly of a recent round; the decider says what it touches."""
        number = self.rng.choice((self.state.paired, self.state.paired, max(1, self.state.paired - 1), 1))
        boards = len(self.state.rounds[number - 1].boards)
        if not boards:
            return
        board = self.rng.randint(1, boards)
        if boards > 1 and number < self.state.paired and self.chance(30):
            self.met_otherwise(number)
        elif self.chance(25):
            self.ask(c.CorrectColours, why="score sheet", round=number, board=board)
        else:
            self.ask(c.CorrectResult, why="score sheet", round=number, board=board, outcome=self.outcome())

    def met_otherwise(self, number: int) -> None:
        """Two players of a round sat in each other's seats."""
        (one, white), (other, black) = self.rng.sample(
            list(enumerate(self.state.rounds[number - 1].boards, 1)), 2
        )
        seats = (one, (white[0], black[1])), (other, (black[0], white[1]))
        played = [Played(board=at, white=w, black=b, outcome=self.outcome()) for at, (w, b) in seats]
        self.ask(c.CorrectBoards, why="both pairs say so", round=number, boards=tuple(played))

    def snapshot(self) -> Snapshot:
        return snapshot_now(state_after(self.log))

    def engine(self) -> tuple[tuple[Board, ...], int, str] | None:
        snapshot = self.snapshot()
        try:
            made = pair(snapshot)
        except NoLegalRound:
            return None
        return tuple((b.white, b.black) for b in made.boards), made.pab, snapshot.digest()

    def pair(self) -> bool:
        """Pair the next round; sometimes take it back and do it again, alter it, or pair it by hand."""
        number = self.state.paired + 1
        if self.chance(7):
            return self.pair_by_hand(number)
        found = self.engine()
        if found is None:
            return False
        boards, pab, digest = found
        done = self.ask(
            c.PairRound,
            why="whoever was absent is excused",
            round=number,
            boards=boards,
            pab=pab,
            based_on=self.state.version,
            snapshot=digest,
            engine=ENGINE,
        )
        if not done:
            return False
        if self.chance(12):
            if number > 1:
                self.correct()  # reported while the round stands, which is then taken back
            if self.ask(c.UnpairRound, round=number):
                self.mishaps()
                return self.pair()
        if self.chance(8):
            self.alter(number)
        self.ask(c.PublishRound, round=number)
        if self.chance(4):
            self.alter(number)
        return True

    def pair_by_hand(self, number: int) -> bool:
        if not self.ask(c.BeginManualPairing, round=number):
            return False
        found = self.engine()
        boards, pab, digest = found or ((), 0, "")
        mine = swapped(boards, self.rng)
        fields: dict[str, Any] = {
            "round": number, "engine": ENGINE, "snapshot": digest, "based_on": self.state.version,
        }  # fmt: skip
        theirs: dict[str, Any] = {"engine_boards": boards, "engine_pab": pab}
        if not self.ask(c.EndManualPairing, why="agreed", boards=mine, pab=pab, **theirs, **fields):
            self.ask(c.EndManualPairing, why="given up", boards=(), **fields)
            return self.state.paired == number
        return self.ask(c.PublishRound, round=number)

    def alter(self, number: int) -> None:
        """The arbiter exchanges the black players of two boards."""
        if self.ask(c.BeginManualPairing, round=number):
            now = self.state.rounds[number - 1]
            fields: dict[str, Any] = {"round": number, "pab": now.pab, "based_on": self.state.version}
            if not self.ask(
                c.EndManualPairing, why="rematch", boards=swapped(now.boards, self.rng), **fields
            ):
                self.ask(c.EndManualPairing, boards=now.boards, **fields)

    def play(self) -> None:
        """Results in some order, a few games adjourned, some ended late."""
        number = self.state.paired
        boards = list(range(1, len(self.state.rounds[-1].boards) + 1))
        self.rng.shuffle(boards)
        for board in boards:
            if self.chance(4):
                self.ask(c.AdjournGame, round=number, board=board)
            else:
                self.ask(c.RecordResult, round=number, board=board, outcome=self.outcome())
            self.mishaps()
        for round, board in open_games(self.state):
            if round < number or self.chance(30):
                self.ask(c.RecordResult, round=round, board=board, outcome=self.outcome())
        if self.chance(60):
            self.ask(c.CompleteRound, round=number)
        self.mishaps()

    def close(self) -> None:
        for round, board in open_games(self.state):
            self.ask(c.RecordResult, round=round, board=board, outcome=self.outcome())
        self.ask(c.CloseTournament, why="the hall closes")
        self.correct()


def swapped(boards: tuple[Board, ...], rng: random.Random) -> tuple[Board, ...]:
    """Two boards with their black players exchanged."""
    if len(boards) < 2:
        return boards
    one, other = sorted(rng.sample(range(len(boards)), 2))
    made = list(boards)
    made[one], made[other] = (boards[one][0], boards[other][1]), (boards[other][0], boards[one][1])
    return tuple(made)


def open_games(state: Tournament) -> list[tuple[int, int]]:
    return [
        (round.number, board)
        for round in state.rounds
        for board, outcome in enumerate(round.outcomes, start=1)
        if outcome is None or outcome.white == "?"
    ]


def life(seed: int, *, players: int = 0, rounds: int = 0) -> list[Recorded]:
    """The log of one tournament."""
    one = Life(seed)
    one.live(players, rounds)
    return one.log


def rows(log: list[Recorded]) -> list[StoredFact]:
    """The log as it is stored."""
    return [as_stored(fact) for fact in log]
