"""Laws of the projections, held against random logs and against tournaments that the engine pairs."""

import random

from hypothesis import given
from hypothesis import strategies as st

from paircard.domain import commands as c
from paircard.domain.deciding.decider import decide
from paircard.domain.events import BoardsCorrected, Event, Played, Recorded, RoundPaired
from paircard.domain.rounds import CURRENT, RATING_REPORT
from paircard.domain.state import NOTHING, Tournament, fold, state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import OUTCOMES
from paircard.pairing import NoLegalRound, pair
from paircard.projections.log_lines import concerning, log_lines
from paircard.projections.round.cards import cards
from paircard.projections.round.crosstable import who_came
from paircard.projections.standings.standings import standings_after
from paircard.projections.views import (
    moment,
    numbering,
    snapshot_now,
    snapshot_of,
    table_after,
    table_for_rating,
)
from tests.audit.lives import life as audited
from tests.domain.scenes import ask
from tests.domain.test_laws import life
from tests.examples import examples
from tests.projections.conftest import enveloped

seeds = st.integers(0, 2**32)


def random_log(seed: int) -> list[Recorded]:
    return enveloped(*(fact for _, _, facts, _ in life(seed) for fact in facts))


@examples(30)
@given(seed=seeds)
def test_every_beginning_of_any_log_has_all_its_views(seed: int) -> None:
    log = random_log(seed)

    for end in range(1, len(log) + 1, 5):
        now = state_after(log[:end])
        table = table_after(now)
        assert {line.id for line in standings_after(now)} == {row.id for row in who_came(table).rows}
        assert cards(table, now.regulations.edition).keys() == {row.id for row in table.rows}
        assert {row.id: row.number for row in table.rows if row.number} == numbering(now).by_id
        assert [len(row.entries) for row in table_for_rating(now).rows] == [now.paired] * len(table.rows)
        snapshot_now(now).digest()
    assert [line.version for line in log_lines(log)] == list(range(1, len(log) + 1))
    assert concerning(log, 1) <= set(range(1, len(log) + 1))


@examples(30)
@given(seed=seeds)
def test_a_card_adds_up_to_the_standings(seed: int) -> None:
    now = state_after(random_log(seed))
    table = table_after(now)

    total = {row.id: row.points for row in standings_after(now, now.paired)}
    for id, card in cards(table, now.regulations.edition).items():
        if id in total:  # who left before ever taking part is in no standings
            assert (card.lines[-1].score if card.lines else 0) == total[id]


def played(seed: int, order: list[int], *, players: int = 11, **regulations: object) -> list[Event]:
    """A tournament paired by the engine, players registered in this order; fate depends on names alone."""
    state, facts = NOTHING, list[Event]()

    def do(command: c.Command) -> None:
        nonlocal state
        events = decide(state, command)
        state = fold(events, state)
        facts.extend(events)

    settled = {"name": "Law", "rounds": 5, **regulations}
    do(ask(c.OpenTournament, regulations=Regulations(**settled)))  # type: ignore[arg-type]
    for n in order:
        rating = 2000 + 10 * random.Random(f"{seed} {n}").randrange(players)
        do(ask(c.RegisterPlayer, details=Details(name=f"Player {n:02}", rating=rating)))
    do(ask(c.DrawInitialColour, colour=random.Random(seed).choice("wb")))
    for round in range(1, 6):
        for player in state.players:
            fate = random.Random(f"{seed} {round} {player.details.name}").random()
            if fate < 0.06 and not player.status:
                do(ask(c.GrantBye, player=player.id, round=round, letter="HZF"[int(fate * 50)], level=3))
            elif fate > 0.98 and not player.status:
                do(ask(c.WithdrawPlayer, player=player.id))
        snapshot = snapshot_now(state_after(enveloped(*facts)))
        try:
            made = pair(snapshot)
        except NoLegalRound:
            break
        do(
            ask(
                c.PairRound,
                round=round,
                boards=tuple((board.white, board.black) for board in made.boards),
                pab=made.pab,
                based_on=state.version,
                snapshot=snapshot.digest(),
                why="whoever was absent is excused",
                level=3,
            )
        )
        do(ask(c.PublishRound, round=round))
        for at, board in enumerate(made.boards, start=1):
            names = sorted(state.players[id - 1].details.name for id in (board.white, board.black))
            outcome = random.Random(f"{seed} {round} {names}").choice(OUTCOMES)
            do(ask(c.RecordResult, round=round, board=at, outcome=outcome))
        if late := correction(seed, round, state):
            do(late)
    return facts


def correction(seed: int, round: int, state: Tournament) -> c.Command | None:
    """Now and then a result of this round or the one before was wrong, or others met in an earlier one."""
    chance = random.Random(f"{seed} {round} correction")
    if round > 1 and chance.random() < 0.4:
        return otherwise(chance, state, chance.randint(1, round - 1))
    which = round - chance.randrange(2)
    if which < 1 or chance.random() < 0.4:
        return None
    wrong = state.rounds[which - 1]
    board = chance.randint(1, len(wrong.boards))
    right = chance.choice([one for one in OUTCOMES if one != wrong.outcomes[board - 1]])
    return ask(c.CorrectResult, round=which, board=board, outcome=right, why="law", level=3)


def otherwise(chance: random.Random, state: Tournament, number: int) -> c.CorrectBoards:
    """Everybody of a round in another seat, by chance; results where they cannot stay."""
    round = state.rounds[number - 1]
    view = RATING_REPORT if number < state.paired - 1 or state.rounds[-1].completed else CURRENT
    games = round.games(view)
    seats = [id for game in games for id in (game.white, game.black)]
    seats += [pab] if (pab := round.bye.as_seen_by(view).white) else []
    chance.shuffle(seats)
    boards = tuple(
        Played(board=at, white=white, black=black, outcome=chance.choice(OUTCOMES))
        for at, (white, black) in enumerate(zip(seats[::2], seats[1::2], strict=False), start=1)
    )
    return ask(
        c.CorrectBoards,
        round=number,
        boards=boards,
        pab=seats[-1] if pab else 0,
        why="law",
        ok=["boards-as-played"],
        level=3,
    )


@examples(40)
@given(seed=seeds)
def test_whoever_is_said_to_have_met_everybody_of_a_round_has_one_entry_in_every_view(seed: int) -> None:
    state = fold(played(seed, list(range(11))))

    for round in state.rounds:
        everybody = sorted([id for board in round.fact.boards for id in board] + [round.fact.pab])
        for view in (*range(7), CURRENT, RATING_REPORT):
            games = round.games(view)
            seated = [id for game in games for id in (game.white, game.black)]
            assert sorted([*seated, round.bye.as_seen_by(view).white]) == everybody
            assert all(game.outcome in OUTCOMES for game in games)


@examples(40)
@given(seed=seeds, data=st.data(), edition=st.sampled_from(["dutch-2026", "dutch-2017", "dutch-2012"]))
def test_boards_corrected_back_restore_the_numbers(seed: int, data: st.DataObject, edition: str) -> None:
    facts = played(seed, list(range(11)), edition=edition)
    before = state_after(enveloped(*facts))
    if before.paired < 2:
        return
    number = data.draw(st.integers(1, before.paired - 1))
    wrong = otherwise(random.Random(data.draw(seeds)), before, number)
    [fact] = decide(before, wrong)
    assert isinstance(fact, BoardsCorrected)
    back = ask(
        c.CorrectBoards,
        round=number,
        boards=fact.was,
        pab=fact.pab_was,
        why="law",
        ok=["boards-as-played"],
        level=3,
    )
    after = state_after(enveloped(*facts, fact, *decide(fold((fact,), before), back)))

    assert table_for_rating(after) == table_for_rating(before)
    for round in range(1, before.paired + 1):
        assert table_after(after, round) == table_after(before, round)
        assert standings_after(after, round) == standings_after(before, round)
    assert snapshot_now(after).digest() == snapshot_now(before).digest()


@examples(40)
@given(seed=seeds, baku=st.booleans(), edition=st.sampled_from(["dutch-2026", "dutch-2017"]))
def test_every_round_replays_from_the_log_alone_whatever_was_corrected_since(
    seed: int, baku: bool, edition: str
) -> None:
    log = enveloped(*played(seed, list(range(11)), acceleration="baku" if baku else "none", edition=edition))

    for fact in (recorded.fact for recorded in log):
        if isinstance(fact, RoundPaired):
            snapshot = snapshot_of(log, fact.round)
            made = pair(snapshot)
            assert snapshot.digest() == fact.snapshot
            assert tuple((board.white, board.black) for board in made.boards) == fact.boards
            assert made.pab == fact.pab


@examples(40)
@given(seed=seeds, order=st.permutations(range(11)))
def test_the_order_of_registration_changes_no_board(seed: int, order: list[int]) -> None:
    def by_name(facts: list[Event]) -> list[object]:
        state = fold(facts)
        names = {player.id: player.details.name for player in state.players}
        return [
            ([(names[white], names[black]) for white, black in round.boards], names.get(round.pab))
            for round in state.rounds
        ]

    assert by_name(played(seed, order)) == by_name(played(seed, list(range(11))))


@examples(40)
@given(seed=seeds)
def test_the_snapshot_before_a_round_is_the_one_its_pairing_recorded(seed: int) -> None:
    log = audited(seed)

    for round in state_after(log).rounds:
        then = state_after(log[: moment(log, f"before r{round.number}")])
        if round.fact.snapshot:
            assert snapshot_now(then).digest() == round.fact.snapshot
        if round.number > 1:
            assert not any(outcome is None for outcome in then.rounds[-1].outcomes)
            assert then.rounds[-1].completed
