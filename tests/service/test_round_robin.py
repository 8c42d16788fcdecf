"""A round robin from the first entry to the report, through the front door (C.05, issue 30)."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from paircard.domain.commands import RegisterPlayer, ReturnPlayer, WithdrawPlayer
from paircard.domain.errors import Duplicate, IdTaken, Invalid, NeedsAcknowledgement, NotNow
from paircard.domain.events import PairingNumbersAssigned, RoundPaired
from paircard.domain.rounds import Round
from paircard.domain.state import state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.pairing.berger import Plan
from paircard.projections.public import pseudonymous
from paircard.projections.views import version_at_end
from paircard.service import Office, Tournament, person
from paircard.service.erasure import erase_person
from paircard.service.review.verify import find_forged
from tests.public_logs import public_log
from tests.refusals import refuses, sentence

ANNA = person("Anna Arbiter")
NAMES = ("Adams", "Baker", "Carlsen", "Dahl", "Evans", "Frank")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Office.create(tmp_path / "club.db") as office:
        yield office


def club(office: Office, players: int = 4, **regulations: object) -> Tournament:
    """Players entered, nothing drawn."""
    rules = Regulations(name="Club", rounds=0, edition="round-robin", **regulations)  # type: ignore[arg-type]
    t = office.new(rules, by=ANNA.accepting("same-name"))
    if players:
        t.ask(*(RegisterPlayer(details=Details(name=name)) for name in NAMES[:players]), by=ANNA)
    return t


def scheduled(office: Office, players: int = 4, **regulations: object) -> Tournament:
    """Numbers in the order of entry, all rounds public."""
    t = club(office, players, **regulations)
    t.number(list(range(1, players + 1)), by=ANNA)
    t.schedule(by=ANNA)
    return t


def boards(t: Tournament) -> list[tuple[tuple[int, int], ...]]:
    return [round.boards for round in t.now().state.rounds]


@pytest.mark.parametrize(("players", "cycles"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_a_schedule_is_the_table_and_is_recorded_in_one_request(
    office: Office, players: int, cycles: int
) -> None:
    t = scheduled(office, players, cycles=cycles)

    plan = Plan(players, cycles, cycles == 2)
    assert boards(t) == [plan.boards(round) for round in range(1, plan.rounds + 1)]
    paired = [one for one in t.facts() if isinstance(one.fact, RoundPaired)]
    assert len({one.command_id for one in paired}) == 1
    assert {one.fact.based_on for one in paired if isinstance(one.fact, RoundPaired)} == {players + 2}
    assert [one.verdict for one in t.now().replay()] == ["identical"] * plan.rounds
    assert t.verify().whole


def test_lots_sent_twice_are_drawn_once(office: Office) -> None:
    t = club(office, 6)
    first = t.number(lots="lots", by=ANNA.under("draw"))

    again = t.number(lots="lots", by=ANNA.under("draw"))

    assert again.repeated
    assert again.facts == first.facts
    with pytest.raises(IdTaken):
        t.number(lots="varma", by=ANNA.under("draw"))


def test_lots_that_do_not_come_from_their_seed_are_found(office: Office) -> None:
    t = club(office, 6)
    t.number(lots="lots", by=ANNA)
    *log, drawn = t.facts()
    assert not list(find_forged([*log, drawn]))
    assert isinstance(drawn.fact, PairingNumbersAssigned)

    other = replace(drawn, fact=replace(drawn.fact, order=drawn.fact.order[::-1]))

    [(version, why)] = find_forged([*log, other])
    assert (version, why.code) == (drawn.version, "proof.other-lots")


def test_restricted_lots_hold_after_a_person_was_erased(office: Office) -> None:
    """The federation goes with the person: nobody can draw these lots again, and that is no forgery."""
    t = club(office, 0)
    entries = [Details(name=f"Player {name}", federation="ITA") for name in "ABC"]
    entries += [Details(name=f"Player {name}") for name in "DEFGHIJ"]
    t.ask(*(RegisterPlayer(details=each) for each in entries), by=ANNA)
    t.number(lots="varma", by=ANNA)
    t.schedule(by=ANNA)
    assert t.verify().whole
    assert not list(find_forged(pseudonymous(t.facts(), "0" * 32))), "a copy without people holds, too"

    erase_person(office.store(), t, 1, by=ANNA.because("asked for").accepting("erase-while-running"))

    assert t.verify().whole


def test_a_schedule_asked_for_too_early_records_nothing(office: Office) -> None:
    alone = club(office, 1)
    with refuses(NotNow, "table-too-small", entered=1):
        alone.schedule(by=ANNA)
    with refuses(NotNow, "table-too-small", entered=1):
        alone.number(lots="lots", by=ANNA)
    t = club(office, 4)
    with refuses(NotNow, "numbers-not-drawn"):
        t.schedule(by=ANNA)
    assert t.now().version == 5


def test_a_swiss_has_no_schedule_and_a_table_is_paired_once(office: Office) -> None:
    swiss = office.new(Regulations(name="Open", rounds=3), by=ANNA.accepting("same-name"))
    with refuses(Invalid, "schedule-of-a-swiss"):
        swiss.schedule(by=ANNA)
    with refuses(Duplicate, "schedule-stands", rounds=3):
        scheduled(office).schedule(by=ANNA)


def test_rounds_may_be_paired_and_published_one_by_one(office: Office) -> None:
    t = club(office, 4)
    t.number([4, 3, 2, 1], by=ANNA)
    t.pair(by=ANNA)
    t.pair(by=ANNA)
    t.publish(by=ANNA)
    t.record(1, {1: "1-0"}, by=ANNA)
    t.pair(by=ANNA)

    assert [round.published for round in t.now().state.rounds] == [True, False, False]
    t.schedule(by=ANNA)
    assert all(round.published for round in t.now().state.rounds)
    assert [one.verdict for one in t.now().replay()] == ["identical"] * 3
    assert t.verify().whole


def test_the_public_sees_a_round_when_it_is_published_and_none_before(office: Office) -> None:
    """A table is paired to its end; the notice board has what was made public."""
    t = club(office, 4)
    t.number(lots="lots", by=ANNA)
    for _ in range(3):
        t.pair(by=ANNA)
    assert state_after(public_log(t.facts())).paired == 0

    t.publish(by=ANNA)
    t.record(1, {1: "1-0"}, by=ANNA)
    seen = state_after(public_log(t.facts()))
    assert (seen.paired, seen.rounds[0].boards) == (1, t.now().state.rounds[0].boards)
    assert [one.outcome is None for one in seen.rounds[0].games()] == [False, True]

    t.ask(WithdrawPlayer(player=1), by=ANNA)
    assert state_after(public_log(t.facts())).paired == 1
    t.publish(2, by=ANNA)
    t.publish(3, by=ANNA)
    seen = state_after(public_log(t.facts()))
    assert [round.games() for round in seen.rounds] == [round.games() for round in t.now().state.rounds]


def test_a_round_taken_back_unpublished_leaves_the_others_hidden(office: Office) -> None:
    t = club(office, 4)
    t.number([1, 2, 3, 4], by=ANNA)
    for _ in range(3):
        t.pair(by=ANNA)
    t.unpair(by=ANNA)
    assert state_after(public_log(t.facts())).paired == 0

    t.publish(by=ANNA)

    assert state_after(public_log(t.facts())).paired == 1


def test_the_round_people_are_in_is_the_first_with_an_open_game(office: Office) -> None:
    t = scheduled(office)
    t.record(3, {1: "1-0"}, by=ANNA)
    assert t.now().boards().round == 1
    assert (t.now().summary().paired, t.now().summary().state) == (1, "round 1 in play")
    [listed] = office.tournaments()
    assert (listed.paired, listed.state) == (1, "round 1 in play")

    t.record(1, {1: "1-0", 2: "½-½"}, by=ANNA)

    assert t.now().boards().round == 2
    assert t.now().about().snapshot.round == 2


def test_standings_are_of_all_games_so_far(office: Office) -> None:
    t = scheduled(office)
    t.record(3, {1: "1-0"}, by=ANNA)
    t.record(1, {1: "1-0"}, by=ANNA)

    standings = t.now().standings()

    assert (standings.after, standings.open_games) == (3, 4)
    assert {line.id: line.points for line in standings.standings} == {1: 10, 2: 10, 3: 0, 4: 0}


def test_a_sheet_shows_points_of_decided_games_and_who_is_free(office: Office) -> None:
    t = scheduled(office, 3)
    t.record(1, {1: "1-0"}, by=ANNA)

    sheet = t.now().boards(2)

    assert [(board.white.score, board.black.score) for board in sheet.boards] == [(0, 10)]
    assert [(one.name, one.reason) for one in sheet.absent] == [("Carlsen", "free")]


def test_why_tells_the_line_of_the_table(office: Office) -> None:
    t = scheduled(office)

    names = {1: "Adams (1)", 3: "Carlsen (3)", 4: "Dahl (4)"}
    assert t.now().why("Adams", 3).text[:2] == (
        sentence("berger.black", people=names, player=1, other=3, round=3),
        sentence("berger.sum.even", first=1, last=3, total=4),
    )
    met = sentence("berger.meet", people=names, player=1, other=4, numbers=(1,))
    assert met in t.now().why_not("Adams", "Dahl", 3).text
    line = sentence("berger.line", round=1, line=1, count=4, article="C.05 Annex 1")
    assert line in t.now().explain(1).text


def test_a_moment_is_the_end_of_a_round_of_the_table(office: Office) -> None:
    t = scheduled(office)
    t.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
    t.complete(by=ANNA)
    ended = t.now().version
    t.record(2, {1: "1-0"}, by=ANNA)

    assert version_at_end(t.now().state, t.facts(), 1) == ended
    assert t.at("r1").version == ended
    assert t.at("r2").version == t.now().version


def test_a_round_of_the_table_is_over_with_its_last_game(office: Office) -> None:
    t = scheduled(office)
    t.record(2, {1: "1-0"}, by=ANNA)
    over = t.record(2, {2: "1-0"}, by=ANNA).version
    t.record(1, {1: "½-½"}, by=ANNA)

    assert t.at("r2").version == over
    assert t.at("r1").version == t.now().version


def test_undo_takes_back_a_whole_schedule(office: Office) -> None:
    t = scheduled(office)

    t.undo(by=ANNA.because("wrong cycles").accepting("published-pairing"))

    assert t.now().state.paired == 0
    assert not t.now().state.frozen


def test_undo_of_a_withdrawal_opens_its_games_again(office: Office) -> None:
    t = scheduled(office)
    t.record(1, {1: "0F-1F"}, by=ANNA)
    t.ask(WithdrawPlayer(player=1), by=ANNA)

    t.undo(by=ANNA)

    letters = [[game.white_letter for game in round.games()] for round in t.now().state.rounds]
    assert letters == [["-", ""], ["", ""], ["", ""]]
    t.ask(WithdrawPlayer(player=1), by=ANNA)
    assert t.verify().whole


def test_undo_of_a_return_forfeits_again(office: Office) -> None:
    t = scheduled(office)
    t.ask(WithdrawPlayer(player=1), by=ANNA)
    t.record(1, {2: "1-0"}, by=ANNA)
    t.ask(ReturnPlayer(player=1), by=ANNA)

    t.undo(by=ANNA)

    assert t.now().state.players[0].status == "withdrawn"
    assert all(
        game.white_letter or 1 not in (game.white, game.black)
        for round in t.now().state.rounds
        for game in round.games()
    )


def test_rounds_by_hand_are_entered_as_boards(office: Office) -> None:
    t = club(office, 4, table="hand")
    t.number([1, 2, 3, 4], by=ANNA)
    with refuses(NotNow, "boards-by-hand", round=1):
        t.pair(by=ANNA)

    t.enter_boards([("Adams", "Dahl"), ("Baker", "Carlsen")], by=ANNA)
    t.publish(by=ANNA)

    with pytest.raises(NeedsAcknowledgement) as refusal:
        t.enter_boards([("Dahl", "Adams"), ("Carlsen", "Baker")], by=ANNA)
    assert {one.said.code for one in refusal.value.warnings} == {"met-too-often", "not-completable"}
    t.enter_boards([(4, 3), (1, 2)], by=ANNA)
    assert [one.verdict for one in t.now().replay()] == ["by-hand", "by-hand"]
    assert t.verify().whole


def test_a_whole_life_from_the_lots_to_the_standings_is_the_same_in_every_store(location: str) -> None:
    with Office.open(location) if "://" in location else Office.create(location) as office:
        t = club(office, 5, cycles=2, tiebreaks=("DE", "WIN", "SB", "KS"))
        drawn = t.number(lots="lots", by=ANNA.under("draw"))
        assert t.number(lots="lots", by=ANNA.under("draw")).facts == drawn.facts
        t.schedule(by=ANNA)
        lives(t)
        lines, version = t.now().standings().standings, t.now().version
    with Office.open(location) as office:
        t = office.tournament(t.id)
        assert (t.now().standings().standings, t.now().version) == (lines, version)
        assert [one.verdict for one in t.now().replay()] == ["identical"] * 10
        assert t.verify().whole
        order = t.now().state.order
    # the higher number wins; a game of 1 and 2 was corrected to a draw, and 5 left when all was played
    assert [(order.index(line.id) + 1, line.points) for line in lines] == [
        (5, 80), (4, 60), (3, 40), (2, 15), (1, 5)
    ]  # fmt: skip


def lives(t: Tournament) -> None:
    """Results in any order, two who leave and come back, a correction; the higher number wins."""
    state, chance = t.now().state, Random(30)
    number = {id: at for at, id in enumerate(state.order, 1)}
    games = [(round.number, at, board) for round in state.rounds for at, board in enumerate(round.boards, 1)]
    chance.shuffle(games)
    for played, (round, at, (white, black)) in enumerate(games):
        if played == len(games) // 2:
            leaver, other = state.order[2], state.order[0]
            t.ask(WithdrawPlayer(player=leaver), by=ANNA)
            t.ask(WithdrawPlayer(player=other), by=ANNA)
            assert all(round.game(at).outcome for round, at in seats(t, leaver))
            t.ask(ReturnPlayer(player=leaver), by=ANNA)
            t.ask(ReturnPlayer(player=other), by=ANNA)
            assert not all(round.game(at).outcome for round, at in seats(t, leaver))
        t.record(round, {at: "1-0" if number[white] > number[black] else "0-1"}, by=ANNA)
    round, at = next((r, at) for r, at, board in games if {number[id] for id in board} == {1, 2})
    t.correct(round, at, "½-½", by=ANNA.because("both signed a draw"))
    t.ask(WithdrawPlayer(player=state.order[4]), by=ANNA)


def seats(t: Tournament, player: int) -> Iterator[tuple[Round, int]]:
    """The boards of a player, round by round."""
    for round in t.now().state.rounds:
        yield from ((round, at) for at, board in enumerate(round.boards, 1) if player in board)


def test_a_store_whose_list_was_lost_lists_a_round_robin_as_its_facts_tell(
    office: Office, tmp_path: Path
) -> None:
    t = scheduled(office, 4)
    t.record(1, {1: "1-0", 2: "1-0"}, by=ANNA)
    t.complete(1, by=ANNA)
    t.record(3, {1: "1-0", 2: "1-0"}, by=ANNA)
    [listed] = office.tournaments()

    office.store().backend.empty_catalogue()

    assert office.store().entry(t.id) is None
    assert office.tournaments() == [listed]
