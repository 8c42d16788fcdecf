"""The public log: nothing unpublished, nothing personal, and otherwise what the arbiter sees."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from paircard.domain import commands
from paircard.domain.events import (
    ManualPairingBegun,
    PairingsAltered,
    Recorded,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
)
from paircard.domain.rounds import RATING_REPORT
from paircard.domain.state import Tournament, state_after
from paircard.projections.public import PublicLog
from paircard.projections.round.crosstable import Listed
from paircard.projections.standings.standings import standings_after
from paircard.projections.views import snapshot_of, table_after
from paircard.service import Moment
from tests.audit.lives import Life, life
from tests.prizegiving import ended
from tests.public_logs import public_log

SEEDS = range(1, 41)
T = TypeVar("T", bound=Listed)


def ends_of_commands(log: list[Recorded]) -> Iterator[int]:
    """Lengths of the log after each command; a reader never sees half of one."""
    for at, one in enumerate(log, start=1):
        if at == len(log) or log[at].command_id != one.command_id:
            yield at


def published(log: list[Recorded]) -> Tournament:
    """The log as the arbiter sees it, which must have no round that waits for its publication."""
    found = state_after(log)
    assert all(round.published for round in found.rounds)
    return found


def on_the_board(line: T) -> T:
    """A line without what a notice board does not say about a person."""
    return replace(line, sex="", birth="", fide_id=0, national_id="")


def views(of: Tournament) -> list[object]:
    """All that a notice board could show, and what the next pairing would rest on."""
    rounds = [
        (
            [round.games(view) for view in (*range(of.paired + 1), RATING_REPORT)],
            round.pab,
            round.absent,
            round.numbers,
            round.completed,
            round.altered,
            round.fact.snapshot,
        )
        for round in of.rounds
    ]
    people = [(p.details.name, p.details.rating, p.status, p.byes) for p in of.players]
    tables = [table_after(of, after) for after in range(of.paired + 1)] if of.paired else []
    tables = [replace(table, rows=tuple(map(on_the_board, table.rows))) for table in tables]
    places = [tuple(map(on_the_board, standings_after(of, after))) for after in range(1, of.paired + 1)]
    return [rounds, people, tables, places, of.closed, of.fide_mode, of.regulations]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_public_sees_what_the_arbiter_sees_once_it_is_published(seed: int) -> None:
    log = life(seed)
    lengths = [n for n in ends_of_commands(log) if isinstance(log[n - 1].fact, RoundPublished)]

    for length in [*lengths, len(log)]:
        prefix = log[:length]
        if all(round.published for round in state_after(prefix).rounds):
            assert views(state_after(public_log(prefix))) == views(published(prefix))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_not_published_leaves_no_trace(seed: int) -> None:
    log = life(seed)
    before, hidden = 0, False
    for length in ends_of_commands(log):
        command = [one.fact for one in log[before:length]]
        if any(isinstance(fact, RoundPaired) for fact in command):
            hidden = True
        secret = hidden and any(
            isinstance(fact, RoundPaired | PairingsAltered | RoundUnpaired) for fact in command
        )
        if secret or any(isinstance(fact, ManualPairingBegun) for fact in command):
            shown = public_log(log[:length])
            held_back = shown[len(public_log(log[:before])) :]
            assert all(not isinstance(one.fact, RoundPaired | RoundUnpaired) for one in held_back)
            if not any(isinstance(fact, RoundUnpaired) for fact in command):
                assert not held_back
        if any(isinstance(fact, RoundPublished | RoundUnpaired) for fact in command):
            hidden = False
        before = length


@pytest.mark.parametrize("seed", range(1, 16))
def test_two_logs_that_differ_only_in_an_unpublished_round_look_the_same(seed: int) -> None:
    """One arbiter pairs, alters and takes back at leisure, the other not yet; both register a latecomer."""
    one, other = Life(seed), Life(seed)
    for who in (one, other):
        who.open(8, 5)
        for _ in range(2):
            assert who.pair()
            who.play()
    assert one.log == other.log
    number = one.state.paired + 1

    assert paired_by_the_engine(one, number)
    one.alter(number)
    for who in (one, other):
        who.ask(commands.RegisterPlayer, details=Life(99).person(77))
        who.ask(commands.WithdrawPlayer, why="ill", player=3)

    assert state_after(one.log).paired == state_after(other.log).paired + 1
    assert timeless(public_log(one.log)) == timeless(public_log(other.log))
    assert one.ask(commands.UnpairRound, round=number)
    assert timeless(public_log(one.log)) == timeless(public_log(other.log))


def paired_by_the_engine(life: Life, number: int) -> bool:
    found = life.engine()
    if found is None:
        pytest.skip("no legal round in this life")
    boards, pab, digest = found
    return life.ask(
        commands.PairRound,
        round=number,
        boards=boards,
        pab=pab,
        based_on=life.state.version,
        snapshot=digest,
    )


def timeless(log: list[Recorded]) -> list[Recorded]:
    """Two arbiters are never at the same minute."""
    return [msgspec.structs.replace(one, when="") for one in log]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_public_log_only_grows(seed: int) -> None:
    log = life(seed)
    step, whole = PublicLog(), public_log(log)

    for length in ends_of_commands(log):
        step.read_further(log[:length])
        assert whole[: len(step.facts)] == step.facts
    assert step.facts == whole


def test_nothing_personal_is_in_it() -> None:
    log = life(7)
    shown = msgspec.json.encode(public_log(log)).decode()
    people = [one.fact.details for one in log if hasattr(one.fact, "details")]

    assert people
    for person in people:
        assert person.name in shown
        assert not person.birth or f'"{person.birth}"' not in shown
        assert not person.fide_id or str(person.fide_id) not in shown
    for one in log:
        assert not one.why or one.why not in shown
    assert "Bo Deputy" not in shown


@pytest.mark.parametrize("seed", range(1, 13))
def test_a_published_round_can_be_explained_from_the_public_log_alone(seed: int) -> None:
    log = life(seed)
    whole, public = state_after(log), public_log(log)

    for round in whole.rounds:
        if round.published and round.fact.based_on and round.fact.snapshot:
            assert snapshot_of(public, round.fact.round) == snapshot_of(log, round.fact.round)


def test_groups_and_prizes_are_the_arbiters_though_births_and_sexes_are_hidden(
    tmp_path: Path,
) -> None:
    with ended(tmp_path / "open.db") as tournament:
        log = list(tournament.now().facts)
    whole, public = Moment.of(log), Moment.of(public_log(log))

    assert [player.details.birth for player in public.state.players] == [""] * len(public.state.players)
    for name in ("women", "U16", "under 1800"):
        mine, theirs = ([one.standing.id for one in of.group(name).players] for of in (whole, public))
        assert mine == theirs != []
    assert public.prizes().given == whole.prizes().given != ()
    assert public.prizes().proven
    assert public.prizes().computed_from == whole.prizes().computed_from
