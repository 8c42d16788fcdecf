"""Every slip has a way back that keeps the log honest: nothing leaves it, and what counts is as before."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from paircard.domain import commands as c
from paircard.domain.errors import NeedsAcknowledgement, NotNow
from paircard.domain.events import PlayerRegistered, Recorded, RoundPublished
from paircard.domain.speaking import sentences
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.pairing import ENGINE
from paircard.service import Office
from paircard.service import Tournament as Club
from paircard.service.undo import commands_to_undo, last_request
from tests.audit.lives import Life
from tests.refusals import among, refuses, warns
from tests.service.given import someone

ANNA, BERT = someone("Anna"), someone("Bert")
MAY_NOT_COME_AGAIN = (c.GrantBye, c.RegisterPlayer, c.CorrectPlayer, c.EndManualPairing)
"""A manual pairing must begin again; a player who was entered and withdrawn is there already."""
NAMES = ("Ada", "Ben", "Cleo", "Dag")
NO_WAY_BACK = {"tournament-opened", "tournament-imported"}
WAYS_ON = set(sentences("en", "refusals")["not-undoable"])


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
            assert tag in NO_WAY_BACK | WAYS_ON, tag
            self.refused.add(refusal.said.code)
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
    assert refused == {"not-undoable"}


def test_before_the_first_fact_there_is_nothing_to_undo() -> None:
    assert last_request([]) == []
    with refuses(NotNow, "nothing-to-undo"):
        commands_to_undo(NOTHING, [])


@pytest.fixture
def club(location: str) -> Iterator[Club]:
    """Round 1 is published, on either store; Anna did all of it."""
    with Office.create(location) as office:
        club = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        club.ask(*(c.RegisterPlayer(details=Details(name=name)) for name in NAMES), by=ANNA)
        club.draw_colour("w", by=ANNA)
        club.pair(by=ANNA)
        club.publish(by=ANNA)
        yield club


def test_undo_takes_back_ones_own_last_command(club: Club) -> None:
    club.record(1, {1: "1-0"}, by=BERT)
    club.record(1, {2: "1-0"}, by=ANNA)

    club.undo(by=ANNA)

    assert [board.result for board in club.now().boards(1).boards] == ["1-0", None]


def test_what_somebody_else_did_since_is_named_and_stays(club: Club) -> None:
    club.record(1, {1: "1-0"}, by=ANNA)
    club.record(1, {2: "0-1"}, by=BERT)
    version = club.now().state.version

    with pytest.raises(NeedsAcknowledgement) as told:
        club.undo(by=ANNA)

    [warning] = told.value.warnings
    assert (warning.code, warning.level) == ("not-yours", 3)
    asked = {"who": "Bert", "when": "2026-11-16 09:30:00Z", "count": 0}
    assert (warning.said.code, among(warning.said, asked)) == ("not-yours.somebody", asked)
    what = warning.said.fields["what"]
    assert (what.code, what.fields["round"], what.fields["board"]) == ("log.result-recorded", 1, 2)
    assert club.now().state.version == version

    club.undo(by=ANNA.accepting("not-yours"))
    assert [board.result for board in club.now().boards(1).boards] == ["1-0", None]


def test_a_pairing_of_somebody_else_is_not_taken_back_by_a_slip(club: Club) -> None:
    club.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
    club.pair(by=BERT)

    with warns("not-yours.somebody", who="Bert", count=1) as refusal:
        club.undo(by=ANNA)
    what = refusal.value.warnings[0].said.fields["what"]
    assert (what.code, what.fields["round"]) == ("log.round-paired", 2)

    assert club.now().state.paired == 2
    club.undo(by=BERT)
    assert club.now().state.paired == 1


def test_two_people_of_one_name_are_told_apart_by_what_let_them_in(club: Club) -> None:
    one = replace(ANNA, id="grant1/k1", through="session:aa")
    other = replace(ANNA, id="grant2/k1", through="session:bb")
    club.record(1, {1: "1-0"}, by=one)

    with warns("not-yours.namesake", who="Anna", count=0):
        club.undo(by=other)
    with warns("not-yours.namesake", who="Anna", count=0):
        club.undo(by=ANNA)
    again = replace(ANNA, id="grant1/k2", through="session:cc")  # signed in anew under the same grant
    club.undo(by=again)

    assert club.now().boards(1).boards[0].result is None


def test_an_entry_that_was_removed_is_gone_for_a_fresh_process_too(location: str) -> None:
    with Office.create(location) as office:
        club = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        club.ask(*(c.RegisterPlayer(details=Details(name=name)) for name in NAMES), by=ANNA)
        club.ask(c.RemovePlayer(player=2), c.MergePlayers(player=4, into=1), by=ANNA.accepting("not-alike"))
    with Office(location) as office:
        again = office.tournament("Open")
        assert [one.name for one in again.now().players().players] == ["Ada", "Cleo"]
        assert again.verify().whole
