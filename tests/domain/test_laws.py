"""Laws of the record, held against random tournaments.

A tournament is played by throwing commands at it, sensible and silly ones; refusals are part of life
and change nothing. Boards come from a simple pairing of whoever has not met.
"""

import random
from collections.abc import Iterator
from typing import get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from paircard.domain import commands as c
from paircard.domain.deciding.decider import DECIDERS, decide, weigh
from paircard.domain.deciding.decision import settle
from paircard.domain.deciding.numbering import numbers_in_force
from paircard.domain.errors import Refused
from paircard.domain.events import Board, Event, PairingNumbersFrozen, Played, Recorded, RoundPaired
from paircard.domain.log.stored import GENESIS, as_stored, check_chain, decode_payload, seal
from paircard.domain.rounds import ADJOURNED
from paircard.domain.state import NOTHING, Tournament, absences, evolve, fold
from paircard.domain.values.players import TITLES, Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import OUTCOMES, PLAYED, Outcome
from tests.domain.scenes import DIGEST, meta
from tests.examples import examples

seeds = st.integers(0, 2**32)
BEYOND_REASON = [
    "leave-fide-mode", "manual-pairing", "published-pairing", "rounds-unplayed", "numbers-after-freeze",
]  # fmt: skip


def simple_round(state: Tournament, rng: random.Random) -> tuple[tuple[Board, ...], int]:
    """Boards of people who have not met, if a greedy hand finds them; else whatever is left over."""
    absent = absences(state, state.paired + 1)
    pool = [p.id for p in state.players if p.id not in absent]
    rng.shuffle(pool)
    met = {
        frozenset(board)
        for past in state.rounds
        for board, outcome in zip(past.boards, past.outcomes, strict=True)
        if outcome is None or outcome.white in PLAYED
    }
    pab = pool.pop() if len(pool) % 2 else 0
    boards: list[Board] = []
    while pool:
        one = pool.pop()
        other = next((id for id in pool if frozenset((one, id)) not in met), pool[-1])
        pool.remove(other)
        boards.append((one, other))
    return tuple(boards), pab


def some_command(state: Tournament, rng: random.Random, n: int) -> c.Command:
    """A command that may or may not make sense now, chosen so that a tournament gets on."""
    m = meta(why="law" if rng.random() < 0.9 else "", level=rng.choice((0, 3, 3, 3)), id=f"law-{n}")
    if rng.random() < 0.5:
        m = msgspec.structs.replace(m, acknowledge=tuple(BEYOND_REASON[1:4]))
    if rng.random() < 0.02:
        m = msgspec.structs.replace(m, acknowledge=tuple(BEYOND_REASON))
    if not state.version:
        return c.OpenTournament(
            meta=m, regulations=Regulations(name="Law", rounds=rng.randint(1, 6), tiebreaks=("OTHER_x",))
        )
    player = rng.randint(0, len(state.players) + 1)
    round = rng.randint(1, state.paired + 1)
    board = rng.randint(1, 5)
    last = state.rounds[-1] if state.rounds else None
    boards, pab = simple_round(state, rng)
    details = Details(name=f"P{rng.randint(1, 40)}", rating=rng.randint(0, 9) * 100, title=rng.choice(TITLES))
    pair = c.PairRound(
        meta=m,
        round=state.paired + 1,
        boards=boards,
        pab=pab,
        based_on=state.version - (rng.random() < 0.05),
        snapshot=DIGEST,
    )
    result = c.RecordResult(meta=m, round=max(1, state.paired), board=board, outcome=rng.choice(OUTCOMES))
    likely: list[c.Command]
    if len(state.players) < 6:
        likely = [c.RegisterPlayer(meta=m, details=details)]
    elif not state.initial_colour:
        likely = [c.DrawInitialColour(meta=m, colour=rng.choice("wb"))]
    elif state.manual:
        likely = [c.EndManualPairing(meta=m, round=state.manual, boards=boards, pab=pab)]
    elif last is None or last.completed:
        likely = [pair, c.CloseTournament(meta=m)] if rng.random() < 0.3 else [pair]
    elif not last.published:
        likely = [c.PublishRound(meta=m, round=last.number)]
    elif None in last.outcomes:
        number = last.outcomes.index(None) + 1
        likely = [msgspec.structs.replace(result, board=number, round=last.number)]
    else:
        likely = [c.CompleteRound(meta=m, round=last.number)]
    if rng.random() < 0.7:
        return rng.choice(likely)
    anything: list[c.Command] = [
        pair,
        result,
        c.RegisterPlayer(meta=m, details=details),
        c.CorrectPlayer(meta=m, player=player, changes=Changes(rating=rng.randint(-1, 9) * 100)),
        c.ListRating(meta=m, player=player, rating=rng.randint(-1, 9) * 100, first=rng.randint(1, 4)),
        c.WithdrawPlayer(meta=m, player=player),
        c.ReturnPlayer(meta=m, player=player),
        c.ExpelPlayer(meta=m, player=player),
        c.GrantBye(meta=m, player=player, round=round, letter=rng.choice("HZFU")),
        c.RevokeBye(meta=m, player=player, round=round),
        c.ProhibitPairing(meta=m, players=(player, 1)),
        c.AssignNumbers(meta=m),
        c.ExchangeNumbers(meta=m, one=player, other=2),
        c.UnpairRound(meta=m, round=round),
        c.PublishRound(meta=m, round=round),
        c.BeginManualPairing(meta=m, round=round),
        c.EndManualPairing(meta=m, round=round, boards=boards, pab=pab),
        c.AdjournGame(meta=m, round=round, board=board),
        c.CorrectResult(meta=m, round=round, board=board, outcome=rng.choice(OUTCOMES)),
        c.CorrectColours(meta=m, round=round, board=board),
        c.CorrectBoards(
            meta=m,
            round=round,
            boards=tuple(
                Played(board=at, white=white, black=black, outcome=rng.choice((*OUTCOMES, None)))
                for at, (white, black) in enumerate(boards, start=1)
            ),
            pab=pab,
        ),
        c.CompleteRound(meta=m, round=round),
        c.DrawLots(meta=m, players=(player, 1)),
        c.SetExternalTiebreak(meta=m, player=player, name="x", value=1),
        c.ChangeRegulations(meta=m, changes=RegulationChanges(rounds=rng.randint(0, 9))),
        c.LeaveFideMode(meta=m),
        c.CloseTournament(meta=m),
    ]
    return rng.choice(anything)


def life(seed: int, steps: int = 90) -> Iterator[tuple[Tournament, c.Command, tuple[Event, ...], Tournament]]:
    """State before, command, its facts (none if it was refused), state after; as the store would do it."""
    rng = random.Random(seed)
    state = NOTHING
    for n in range(steps):
        command = some_command(state, rng, n)
        before = state
        try:
            decision = weigh(state, command)
            settle(decision, command.meta)
        except Refused as reason:
            said = str(reason)
        else:
            said = ""
        if said:
            assert said.isprintable()
            yield before, command, (), before
            continue
        for fact in decision.events:
            state = evolve(state, fact)
        yield before, command, decision.events, state


def envelope(state: Tournament, fact: Event, m: c.Meta, head: str) -> Recorded:
    return Recorded(
        tournament="0" * 32,
        version=state.version + 1,
        fact=fact,
        who=m.who,
        when=m.when,
        why=m.why,
        command_id=m.command_id,
        previous=head,
        hash="",
    )


@examples(60)
@given(seed=seeds)
def test_the_replayed_state_is_the_live_state_and_every_prefix_folds(seed: int) -> None:
    live = [NOTHING]
    facts: list[Event] = []
    for before, _, events, after in life(seed):
        state = before
        for event in events:
            state = evolve(state, event)
            live.append(state)
        facts += events
        assert after == state

    for length, state in enumerate(live):
        assert state.version == length
    assert [fold(facts[:n]) for n in range(0, len(facts) + 1, 7)] == live[::7]
    assert fold(facts) == live[-1]


def test_every_command_has_one_function_that_decides_it() -> None:
    for deciders in DECIDERS.values():
        assert set(deciders) == set(get_args(c.Command))


@examples(40)
@given(seed=seeds)
def test_deciding_is_a_function_of_state_and_command(seed: int) -> None:
    for before, command, events, _ in life(seed, 60):
        if events:
            assert decide(before, command) == events
            assert decide(fold([], before), command) == events


@examples(40)
@given(seed=seeds)
def test_stored_facts_are_read_back_as_they_were_and_the_chain_holds(seed: int) -> None:
    head, rows, facts = GENESIS, [], []
    for before, command, events, _ in life(seed, 60):
        state = before
        for fact in events:
            sealed = seal(envelope(state, fact, command.meta, head), head)
            recorded, stored = sealed.fact, sealed.stored
            assert stored == as_stored(recorded)
            rows.append(stored)
            facts.append(fact)
            state, head = evolve(state, fact), recorded.hash

    assert [decode_payload(row).fact for row in rows] == facts
    assert check_chain("0" * 32, rows) == (len(rows), head)


@examples(60)
@given(seed=seeds)
def test_what_must_never_happen_never_happens(seed: int) -> None:
    """The hard fails of the FIDE checklist that concern the record (VCL §3)."""
    frozen_order: dict[int, int] = {}
    for before, _, events, after in life(seed, 120):
        assert before.fide_mode or not after.fide_mode, "VCL 45: there is no way back"
        assert (
            not before.closed
            or after.rounds == before.rounds
            or all(was.outcomes == now.outcomes for was, now in zip(before.rounds, after.rounds, strict=True))
        )
        if after.closed:
            assert all(o is not None and o in OUTCOMES for r in after.rounds for o in r.outcomes), (
                "VCL 161, 169"
            )
        if before.rounds and after.rounds:
            assert before.regulations.rounds == after.regulations.rounds
        if before.fide_mode and before.rounds:
            assert before.prohibitions == after.prohibitions, "VCL 196"
        for was, now in zip(before.rounds[:-2], after.rounds, strict=False):
            assert was.outcomes == now.outcomes or was_adjourned(was.outcomes), "VCL 191"
        for event in events:
            if isinstance(event, RoundPaired):
                seats = [id for board in event.boards for id in board] + ([event.pab] if event.pab else [])
                everyone = sorted(seats + [id for id, _ in event.absent])
                assert everyone == list(range(1, len(before.players) + 1)), "each once"
                assert {id for id, _ in event.numbers} >= set(seats), "who is paired has a number"
                numbers = [number for _, number in event.numbers]
                assert numbers == list(range(1, len(numbers) + 1))
            if isinstance(event, PairingNumbersFrozen):
                frozen_order = {}
        if after.frozen and after.fide_mode:
            order = {id: place for place, id in enumerate(after.order)}
            known = [id for id in frozen_order if id in order]
            assert sorted(known, key=frozen_order.__getitem__) == sorted(known, key=order.__getitem__)
            frozen_order = order


def was_adjourned(outcomes: tuple[Outcome | None, ...]) -> bool:
    return ADJOURNED in outcomes


people = st.lists(
    st.builds(
        Details,
        name=st.text("abcdefg", min_size=1, max_size=4),
        rating=st.sampled_from((0, 1800, 1900, 2000)),
        title=st.sampled_from(TITLES),
    ),
    min_size=2,
    max_size=12,
    unique_by=lambda d: d.name,
)


@examples(100)
@given(entries=people, order=st.randoms(use_true_random=False))
def test_the_order_of_registration_changes_nothing_but_ids(
    entries: list[Details], order: random.Random
) -> None:
    def names_by_number(details: list[Details]) -> list[str]:
        state = fold(
            decide(NOTHING, c.OpenTournament(meta=meta(), regulations=Regulations(name="L", rounds=3)))
        )
        for entry in details:
            state = fold(decide(state, c.RegisterPlayer(meta=meta(), details=entry)), state)
        return [state.players[id - 1].details.name for id, _ in numbers_in_force(state, 1)]

    shuffled = list(entries)
    order.shuffle(shuffled)

    assert names_by_number(shuffled) == names_by_number(entries)
