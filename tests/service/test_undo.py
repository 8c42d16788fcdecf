"""Every slip has a way back that keeps the log honest: nothing leaves it, and what counts is as before."""

from collections import Counter
from typing import Any

import pytest

from paircard.domain import commands as c
from paircard.domain.errors import NotNow
from paircard.domain.events import PlayerRegistered, Recorded, RoundPublished
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.regulations import RegulationChanges
from paircard.pairing import ENGINE
from paircard.service.undo import WAYS_ON, commands_to_undo, last_request
from tests.audit.lives import Life

MAY_NOT_COME_AGAIN = (c.GrantBye, c.RegisterPlayer, c.CorrectPlayer, c.EndManualPairing)
"""A manual pairing must begin again; a player who was entered and withdrawn is there already."""
NO_WAY_BACK = {"tournament-opened", "tournament-imported"}


class Clumsy(Life):
    """A tournament whose arbiter takes commands back now and then, and gives them again."""

    def __init__(self, seed: int, percent: int = 40) -> None:
        super().__init__(seed)
        self.percent = percent
        self.undone = Counter[str]()
        self.refused: set[str] = set()
        self.quiet = False

    def ask(self, kind: type[c.Asked], why: str = "", **fields: Any) -> bool:
        before, length = self.state, len(self.log)
        done = super().ask(kind, why, **fields)
        if self.quiet or not done or len(self.log) == length or not self.chance(self.percent):
            return done
        self.quiet = True
        try:
            if not self.take_back(before, self.log[length:]):
                return True
            if kind is c.PublishRound:
                self.pair_again(fields["round"])
            if "based_on" in fields:
                fields["based_on"] = self.state.version
            again = super().ask(kind, why or "after all", **fields)
            assert again or kind in MAY_NOT_COME_AGAIN, kind
            return again
        finally:
            self.quiet = False

    def mishaps(self) -> None:
        """More of what needs something there to be taken back: a bye, an absence, a prohibition."""
        super().mishaps()
        soon = self.state.paired + 1
        for player in self.state.players:
            if soon in dict(player.byes) and self.chance(30):
                self.ask(c.RevokeBye, why="comes after all", player=player.id, round=soon)
            elif player.status == "withdrawn" and self.chance(10):
                self.ask(c.ReturnPlayer, player=player.id)
            elif player.status == "expelled" and self.chance(10):
                self.ask(c.ReinstatePlayer, why="appeal", player=player.id)
        for ban in self.state.prohibitions:
            if self.chance(10):
                self.ask(c.LiftProhibition, why="a slip", players=ban.players)
        if self.chance(3):
            place = self.rng.choice(("Trento", "Riva", ""))
            self.ask(c.ChangeRegulations, why="moved", changes=RegulationChanges(place=place))
        if self.chance(3):
            self.ask(
                c.ListRating, why="list", player=self.player(), rating=self.rng.randint(1, 2600), first=2
            )

    def pair_again(self, number: int) -> None:
        """The published round was taken back: the engine pairs it again."""
        found = self.engine()
        assert found is not None
        boards, pab, digest = found
        fields = {"boards": boards, "pab": pab, "snapshot": digest, "based_on": self.state.version}
        assert super().ask(c.PairRound, "taken back", round=number, engine=ENGINE, **fields)

    def take_back(self, before: Tournament, facts: list[Recorded]) -> bool:
        """Whether the facts could be taken back; then what counts is what counted before them."""
        mine = last_request(self.log)
        assert mine == facts, "the last request is found again"
        length = len(self.log)
        try:
            commands = commands_to_undo(before, mine)
        except NotNow as refusal:
            tag = str(facts[-1].fact.__struct_config__.tag)
            assert tag in NO_WAY_BACK | WAYS_ON.keys(), tag
            self.refused.add(str(refusal))
            return False
        for command in commands:
            values = {name: getattr(command, name) for name in command.__struct_fields__ if name != "meta"}
            assert super().ask(type(command), "a slip", **values), (command, [one.fact for one in facts])
        assert len(self.log) > length, "nothing leaves the log: a fact takes the other back"
        assert fold([one.fact for one in self.log]).rounds == self.state.rounds
        self.undone.update(str(one.fact.__struct_config__.tag) for one in facts)
        published = any(isinstance(one.fact, RoundPublished) for one in facts)
        newcomers = [one.fact.player for one in facts if isinstance(one.fact, PlayerRegistered)]
        if published:  # the round itself was taken back, with a reason
            assert self.state.paired == before.paired - 1
        else:
            assert counts(self.state, newcomers) == counts(before, newcomers)
        return True


def counts(state: Tournament, without: list[int]) -> object:
    """What pairings, standings and reports are made from; a player entered by mistake is withdrawn."""
    return (
        state.fide_mode,
        state.closed,
        state.regulations,
        sorted(state.prohibitions, key=str),
        [
            (player.status, player.byes, player.details)
            for player in state.players
            if player.id not in without
        ],
        [
            (
                round.number,
                round.games(),
                round.pab,
                [one for one in round.absent if one[0] not in without],
                round.published,
                round.completed,
            )
            for round in state.rounds
        ],
    )


def walk(seeds: range, least: int) -> tuple[int, Counter[str], set[str]]:
    """Tournaments lived clumsily until that many commands were given; what was taken back, and what not."""
    asked, undone, refused = 0, Counter[str](), set[str]()
    for seed in seeds:
        one = Clumsy(seed)
        one.live(one.rng.randint(4, 10), one.rng.randint(2, 5))
        asked += one.asked
        undone += one.undone
        refused |= one.refused
        if asked >= least:
            return asked, undone, refused
    raise AssertionError(f"only {asked} commands")


TAKEN_BACK = {
    "bye-granted", "bye-revoked", "colours-corrected", "game-adjourned", "manual-pairing-begun",
    "pairing-prohibited", "player-details-corrected", "player-expelled", "player-registered",
    "player-returned", "player-withdrawn", "prohibition-lifted", "rating-corrected", "result-corrected",
    "result-recorded", "round-completed", "round-paired", "round-published", "tournament-closed",
    "tournament-details-changed",
}  # fmt: skip


def test_ten_thousand_commands_at_a_clumsy_desk_each_with_a_way_back() -> None:
    asked, undone, refused = walk(range(1000, 3000), 10_000)

    assert undone.total() > asked // 10
    assert undone.keys() >= TAKEN_BACK, "the walk reaches every slip that can be taken back"
    assert all("cannot be taken back: " in text for text in refused)


def test_before_the_first_fact_there_is_nothing_to_undo() -> None:
    assert last_request([]) == []
    with pytest.raises(NotNow, match="nothing is recorded yet"):
        commands_to_undo(NOTHING, [])
