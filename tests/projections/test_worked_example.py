"""The worked example of Baku 2016: numbers, snapshots, cards and scores from its log."""

import msgspec
import pytest

from paircard.cli.commands.demo import ABSENT, FINAL, PLAYERS, ROUNDS
from paircard.domain import commands as c
from paircard.domain.deciding.decider import decide
from paircard.domain.events import Event, Recorded
from paircard.domain.state import NOTHING, fold, state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from paircard.pairing import pair
from paircard.projections.round.cards import cards
from paircard.projections.standings.standings import standings_after
from paircard.projections.views import numbering, snapshot_now, snapshot_of, table_after
from tests.domain.scenes import ask
from tests.projections.conftest import enveloped


@pytest.fixture(scope="module")
def log() -> list[Recorded]:
    """Every round as published, pairing numbers turned into ids."""
    state, facts = NOTHING, list[Event]()

    def do(command: c.Command) -> None:
        nonlocal state
        events = decide(state, command)
        state = fold(events, state)
        facts.extend(events)

    do(ask(c.OpenTournament, regulations=Regulations(name="Example", rounds=6, edition="dutch-2017")))
    for name, title, rating, sex in PLAYERS:
        do(ask(c.RegisterPlayer, details=Details(name=name, title=title, rating=rating, sex=sex)))
    do(ask(c.DrawInitialColour, colour="w"))
    id_of = {number: id for id, number in numbering(state_after(enveloped(*facts))).by_id.items()}
    ids = {name: id for id, (name, *_) in enumerate(PLAYERS, start=1)}
    for round, games in enumerate(ROUNDS, start=1):
        for absent_in, name in ABSENT:
            if absent_in == round:
                do(ask(c.GrantBye, player=ids[name], round=round, letter="Z"))
        boards = tuple((id_of[white], id_of[black]) for white, black, _ in games)
        pab = id_of[14] if round == 2 else 0
        digest = snapshot_now(state_after(enveloped(*facts))).digest()
        version = state.version
        pair = ask(c.PairRound, why="excused", ok=["no-show"], round=round, boards=boards, based_on=version)
        do(msgspec.structs.replace(pair, pab=pab, snapshot=digest))
        do(ask(c.PublishRound, round=round))
        for board, (_, _, result) in enumerate(games, start=1):
            do(ask(c.RecordResult, round=round, board=board, outcome=parse_outcome(result)))
    return enveloped(*facts)


def test_numbers_follow_rating_then_title_then_name(log: list[Recorded]) -> None:
    by_number = sorted(numbering(state_after(log)).by_id.items(), key=lambda item: item[1])

    assert [PLAYERS[id - 1][0] for id, _ in by_number] == [
        "Alice", "Bruno", "Carla", "Davide", "Elisa", "Francesco", "Giorgia",
        "Kevin", "Luisa", "Marco", "Nancy", "Oscar", "Patrizia", "Roberto",
    ]  # fmt: skip


@pytest.mark.parametrize("round", range(1, 7))
def test_the_engine_gives_the_published_boards_from_the_snapshot_of_each_round(
    log: list[Recorded], round: int
) -> None:
    made = pair(snapshot_of(log, round))

    paired = state_after(log).rounds[round - 1]
    assert tuple((board.white, board.black) for board in made.boards) == paired.fact.boards
    assert made.pab == paired.pab


@pytest.mark.parametrize(
    ("name", "floats", "scores"),
    [
        ("Kevin", "-u-u", (0, 0, 5, 10)),
        ("Nancy", "-ddu", (5, 15, 15, 25)),
        ("Oscar", "-d-d", (0, 0, 5, 5)),
        ("Francesco", "--d-", (10, 15, 25, 25)),
        ("Roberto", "-d--", (0, 10, 10, 15)),
        ("Davide", "-d-u", (5, 15, 20, 25)),
    ],
)
def test_cards_show_the_floats_and_scores_of_the_published_table(
    log: list[Recorded], name: str, floats: str, scores: tuple[int, ...]
) -> None:
    by_name = {card.name: card for card in cards(table_after(state_after(log)), "dutch-2017").values()}

    lines = by_name[name].lines[:4]
    assert "".join(line.float for line in lines) == floats
    assert tuple(line.score for line in lines) == scores


def test_the_final_scores_are_those_published(log: list[Recorded]) -> None:
    assert {line.name: line.points for line in standings_after(state_after(log))} == FINAL
