"""What every store promises, the file and PostgreSQL alike: the same tests run on both."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from paircard.domain.commands import (
    ChangeRegulations,
    CloseTournament,
    Command,
    DrawInitialColour,
    GrantBye,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    WithdrawPlayer,
)
from paircard.domain.errors import (
    Duplicate,
    IdTaken,
    Invalid,
    NeedsAcknowledgement,
    NotNow,
    StaleDecision,
    Unknown,
)
from paircard.domain.events import (
    Event,
    InitialColourDrawn,
    PlayerRegistered,
    PlayerWithdrawn,
    Recorded,
    TournamentOpened,
)
from paircard.domain.log.request import Request, request_of
from paircard.domain.log.store import CACHED, Tournaments
from paircard.domain.log.stored import StoredFact
from paircard.domain.messages import say
from paircard.domain.state import Tournament, fold, state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import OUTCOMES
from tests.domain.scenes import DIGEST, C, ask, meta
from tests.domain.test_laws import life
from tests.refusals import refuses, sentence

ONE, TWO = "1" * 32, "2" * 32


def opening(name: str = "Trentino Open") -> OpenTournament:
    return ask(OpenTournament, regulations=Regulations(name=name, rounds=5))


def entry(name: str, rating: int = 2000) -> RegisterPlayer:
    return ask(RegisterPlayer, details=Details(name=name, rating=rating))


@pytest.fixture
def filled(location: str) -> str:
    """A store with one tournament of three facts."""
    with Tournaments(location, create=True) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(ONE, entry("Polgar"))
    return location


def test_what_was_asked_is_there_when_the_store_is_opened_again(filled: str) -> None:
    with Tournaments(filled) as store:
        log = store.log(ONE)
        state = store.state(ONE)

    assert [recorded.version for recorded in log] == [1, 2, 3]
    assert isinstance(log[0].fact, TournamentOpened)
    assert log[2].fact == PlayerRegistered(player=2, details=Details(name="Polgar", rating=2000))
    assert (log[2].who, log[2].when) == ("Anna Arbiter", "2026-11-16T09:30:00Z")
    assert state == fold(r.fact for r in log)


def test_a_tournament_can_be_loaded_as_it_stood(filled: str) -> None:
    with Tournaments(filled) as store:
        assert [p.details.name for p in state_after(store.log(ONE)[:2]).players] == ["Anand"]
        with refuses(Unknown, "store.no-such-tournament"):
            store.state(TWO)
        with refuses(Unknown, "store.no-such-tournament"):
            store.verify_chain(TWO)


def test_the_same_command_twice_counts_once_and_gets_the_first_answer(filled: str) -> None:
    command = entry("Karpov")
    with Tournaments(filled) as store:
        first = store.ask(ONE, command)
    with Tournaments(filled) as store:
        second = store.ask(ONE, command)

        assert second.repeated
        assert second.recorded == first.recorded
        assert store.version(ONE) == 4


def test_another_command_under_a_used_id_is_refused_with_what_the_id_did(filled: str) -> None:
    command = entry("Karpov")
    others: list[Command] = [
        RegisterPlayer(details=Details(name="Kasparov", rating=2000), meta=command.meta),
        WithdrawPlayer(player=1, meta=command.meta),
        msgspec.structs.replace(command, meta=msgspec.structs.replace(command.meta, why="late")),
    ]
    with Tournaments(filled) as old:
        old.state(ONE)
        with Tournaments(filled) as store:
            store.ask(ONE, command)
            store.ask(ONE, entry("Nunn"))
        for store in (old, Tournaments(filled)):  # one that does not know it yet, one that reads it first
            for other in others:
                with refuses(IdTaken, "id-taken", id=command.meta.command_id) as refusal:
                    store.ask(ONE, other)
                deed = refusal.value.deed.fields
                assert (deed["version"], deed["what"]) == (4, say("of-a-kind", fact="player-registered"))
            assert store.ask(ONE, command).repeated
            assert store.version(ONE) == 5
        store.close()


def test_the_commands_of_a_request_share_its_id_and_are_repeated_together(filled: str) -> None:
    commands = [entry("Karpov"), entry("Kasparov")]
    with Tournaments(filled) as store:
        first = store.ask(ONE, *commands)

        assert {fact.command_id for fact in first.recorded} == {commands[0].meta.command_id}
        again = store.ask(ONE, *commands)
        assert again.repeated
        assert again.recorded == first.recorded
        with pytest.raises(IdTaken):
            store.ask(ONE, commands[0])  # a part of it is not the same request
        assert store.version(ONE) == 5


def a_draw(colour: str, drawn: list[str], who: str = "Anna Arbiter") -> Request:
    """A lot that falls differently each time it is drawn."""

    def draw(_: Tournament) -> list[Command]:
        drawn.append(colour)
        return [DrawInitialColour(colour=colour, meta=METAS)]

    def again(_: Tournament, first: tuple[Event, ...]) -> list[Command]:
        [lot] = first
        assert isinstance(lot, InitialColourDrawn)
        return [DrawInitialColour(colour=lot.colour, meta=METAS)]

    return Request(msgspec.structs.replace(METAS, who=who), draw, again)


METAS = meta(id="lot")


def test_a_request_in_which_chance_decides_gets_its_first_answer(filled: str) -> None:
    drawn: list[str] = []
    with Tournaments(filled) as store:
        first = store.run(ONE, a_draw("w", drawn))
        second = store.run(ONE, a_draw("b", drawn))

        assert second.repeated
        assert second.recorded == first.recorded
        assert drawn == ["w"]


def test_an_id_belongs_to_whoever_used_it_first(filled: str) -> None:
    with Tournaments(filled) as store:
        store.run(ONE, a_draw("w", []))
        with pytest.raises(IdTaken) as refusal:
            store.run(ONE, a_draw("w", [], who="Mallory"))

        assert refusal.value.versions == (4,)


def test_a_request_that_was_overtaken_is_made_anew_from_the_newest_state(filled: str) -> None:
    met: list[int] = []

    def withdraw_the_last(state: Tournament) -> list[Command]:
        met.append(state.version)
        return [ask(WithdrawPlayer, player=len(state.players))]

    with Tournaments(filled) as one, Tournaments(filled) as other:
        one.state(ONE)
        other.ask(ONE, entry("Short"))
        answer = one.run(ONE, Request(meta(), withdraw_the_last))

        assert met == [3, 4]
        fact = answer.recorded[0].fact
        assert isinstance(fact, PlayerWithdrawn)
        assert fact.player == 3


def test_a_request_decided_on_an_older_version_is_refused_with_what_came_since(filled: str) -> None:
    request = request_of([entry("Nunn")])
    with Tournaments(filled) as one, Tournaments(filled) as other:
        one.state(ONE)
        other.ask(ONE, said_by("Bruno", entry("Short")))
        with refuses(StaleDecision, "decision-stale", based_on=3, version=4) as refusal:
            one.run(ONE, request, expected=3)

        assert refusal.value.version == 4
        assert refusal.value.other
        assert (refusal.value.other.version, refusal.value.other.who) == (4, "Bruno")
        assert one.run(ONE, request, expected=4).recorded[0].version == 5
        assert one.run(ONE, request, expected=4).repeated  # carried out before: no longer a question


def test_a_refusal_reads_no_more_of_the_log_than_its_end(
    in_play: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tournaments(in_play) as store:
        store.ask(ONE, result(1, "Anna"))
        read: list[int | None] = []
        select = store.backend.select_events

        def watched(tournament: str, *, gt: int | None = None) -> list[StoredFact]:
            read.append(gt)
            return select(tournament, gt=gt)

        monkeypatch.setattr(store.backend, "select_events", watched)
        with refuses(Duplicate, "result-there", round=1, board=1) as refusal:
            store.ask(ONE, result(1, "Bruno", outcome=2))
        assert refusal.value.other is not None
        assert refusal.value.other.who == "Anna"

        assert read == [store.version(ONE) - 1]


def test_every_command_of_a_tournament_is_the_same_when_sent_again(location: str) -> None:
    """Also those whose facts rest on what was on record then: they are decided there again."""
    with Tournaments(location, create=True) as store:
        sent = [command for _, command, events, _ in life(10, 120) if events]
        for command in sent:
            store.ask(ONE, command)
        length = store.version(ONE)

        assert all(store.ask(ONE, command).repeated for command in sent)
        assert store.version(ONE) == length
        assert len({type(command) for command in sent}) > 8


def test_an_accepted_warning_and_a_reason_are_in_the_envelope(filled: str) -> None:
    with Tournaments(filled) as store:
        store.ask(ONE, ask(GrantBye, player=1, round=1, letter="H", ok=["half-bye-not-announced"]))
        with pytest.raises(NeedsAcknowledgement):
            store.ask(ONE, ask(GrantBye, player=1, round=2, letter="H"))
        assert store.version(ONE) == 4

        ok = ["second-half-bye", "half-bye-not-announced", "rematch"]
        bye = ask(GrantBye, player=1, round=2, letter="H", ok=ok, why="wedding")
        [recorded] = store.ask(ONE, bye).recorded

    assert recorded.acknowledged == ("3:half-bye-not-announced #1", "3:second-half-bye #1")
    assert recorded.why == "wedding"


def test_of_several_commands_all_count_or_none(filled: str) -> None:
    twice = Details(name="Hou", fide_id=8602980)
    with Tournaments(filled) as store:
        with pytest.raises(Duplicate):
            store.ask(
                ONE,
                *[entry("Short"), ask(RegisterPlayer, details=twice), ask(RegisterPlayer, details=twice)],
            )
        assert store.version(ONE) == 3

        store.ask(ONE, entry("Short"), entry("Nunn"))
        assert store.version(ONE) == 5


def test_a_thousand_players_with_personal_data_are_entered_in_one_request(filled: str) -> None:
    people = [
        ask(RegisterPlayer, details=Details(name=f"Player {n}", birth="1990", fide_id=n))
        for n in range(1, 1001)
    ]
    with Tournaments(filled) as store:
        assert store.ask(ONE, *people).state.version == 1003
        assert store.log(ONE)[-1].fact == PlayerRegistered(player=1002, details=people[-1].details)


def test_the_total_order_of_the_store_is_read_from_a_position_on(filled: str) -> None:
    with Tournaments(filled) as store:
        store.ask(TWO, opening("Other"))
        store.ask(ONE, entry("Short"))

        everything = store.notifications()
        rest = store.notifications(after=everything[2].position)

        assert [(r.tournament, r.version) for r in everything] == [
            (ONE, 1), (ONE, 2), (ONE, 3), (TWO, 1), (ONE, 4),
        ]  # fmt: skip
        assert rest == everything[3:]
        assert store.notifications(limit=2) == everything[:2]
        assert store.last_position() == everything[-1].position


def test_the_list_of_tournaments_knows_new_names_and_which_are_closed(filled: str) -> None:
    with Tournaments(filled) as store:
        store.ask(TWO, opening("Other"))
        store.ask(ONE, ask(ChangeRegulations, changes=RegulationChanges(name="Better name")))
        colour = ask(DrawInitialColour, colour="w")
        pair = ask(PairRound, round=1, boards=((1, 2),), based_on=5, snapshot=DIGEST, level=3)
        publish = ask(PublishRound, round=1)
        result = ask(RecordResult, round=1, board=1, outcome=OUTCOMES[0])
        close = ask(CloseTournament, why="flood", ok=["rounds-unplayed"])
        store.ask(ONE, colour, pair, publish, result, close)

        listed = store.tournaments()

    assert [(t.id, t.name, t.version, t.closed) for t in listed] == [
        (ONE, "Better name", 11, True),
        (TWO, "Other", 1, False),
    ]


def test_two_desks_on_one_store_see_each_other_and_lose_nothing(filled: str) -> None:
    with Tournaments(filled) as one, Tournaments(filled) as other:
        one.state(ONE), other.state(ONE)  # both have it in memory
        one.ask(ONE, entry("Short"))
        other.ask(ONE, entry("Nunn"))
        one.ask(ONE, entry("Hou"))

        assert [p.id for p in one.state(ONE).players] == [1, 2, 3, 4, 5]
        assert one.state(ONE) == other.state(ONE)


def test_a_refusal_is_decided_on_the_newest_state(filled: str) -> None:
    with Tournaments(filled) as one, Tournaments(filled) as other:
        one.state(ONE)
        other.ask(ONE, entry("Short"))
        with refuses(Unknown, "no-such-player", id="p4", last=3):
            one.ask(ONE, ask(WithdrawPlayer, player=4))
        one.ask(ONE, ask(WithdrawPlayer, player=3))


def test_a_refused_command_writes_nothing(filled: str) -> None:
    with Tournaments(filled) as store:
        with pytest.raises(Unknown):
            store.ask(TWO, entry("Nobody"))
        with refuses(Invalid, "store.not-an-id"):
            store.ask("my tournament", opening())
        assert store.last_position() == 3


def test_a_writer_who_was_too_late_is_served_next(filled: str) -> None:
    rival = Tournaments(filled)
    rivals = iter(range(1000))

    class Slow(Tournaments):
        def read(self, tournament: str) -> Any:
            kept = super().read(tournament)
            rival.ask(ONE, entry(f"Rival {next(rivals)}"))
            return kept

    with rival, Slow(filled) as slow:
        slow.ask(ONE, entry("Short"))

    with Tournaments(filled) as store:
        names = [p.details.name for p in store.state(ONE).players]
    assert names == ["Anand", "Polgar", "Rival 0", "Short"]


def test_more_tournaments_than_are_kept_in_memory(location: str) -> None:
    ids = [f"{n:032x}" for n in range(CACHED + 3)]
    with Tournaments(location, create=True) as store:
        for id in ids:
            store.ask(id, opening(f"Open {id[-2:]}"))
        for id in ids:
            store.ask(id, entry("Anand"))

        assert [t.id for t in store.tournaments()] == ids
        assert {store.state(id).version for id in ids} == {2}


@pytest.mark.parametrize("seed", range(3))
def test_a_reopened_store_has_the_state_of_the_live_one(location: str, seed: int) -> None:
    """Random tournaments through the file, among them repeated and refused commands."""
    with Tournaments(location, create=True) as store:
        for _, command, events, after in life(seed, 80):
            if events:
                answer = store.ask(ONE, command)
                assert answer.state == after
                assert tuple(r.fact for r in answer.recorded) == events
                assert store.ask(ONE, command).recorded == answer.recorded
        live = store.state(ONE)
        versions = [state_after(store.log(ONE)[:n]) for n in range(1, live.version + 1, 9)]

    with Tournaments(location) as store:
        assert store.state(ONE) == live
        assert [state_after(store.log(ONE)[:n]) for n in range(1, live.version + 1, 9)] == versions
        there = [r.fact for r in store.notifications(limit=10**6) if isinstance(r, Recorded)]
        assert there == [r.fact for r in store.log(ONE)]


@pytest.fixture
def in_play(filled: str) -> str:
    """Round 1 is published: Anand – Polgar, Short – Nunn."""
    with Tournaments(filled) as store:
        store.ask(ONE, entry("Short"), entry("Nunn"), ask(DrawInitialColour, colour="w"))
        boards = ((1, 2), (3, 4))
        pair = ask(PairRound, round=1, boards=boards, based_on=store.version(ONE), snapshot=DIGEST, level=3)
        store.ask(ONE, pair, ask(PublishRound, round=1))
    return filled


def said_by(who: str, command: C) -> C:
    return msgspec.structs.replace(command, meta=msgspec.structs.replace(command.meta, who=who))


def result(board: int, who: str, outcome: int = 0) -> RecordResult:
    return said_by(who, ask(RecordResult, round=1, board=board, outcome=OUTCOMES[outcome]))


def test_two_arbiters_enter_results_of_different_boards_and_hear_nothing_of_each_other(in_play: str) -> None:
    with Tournaments(in_play) as one, Tournaments(in_play) as other:
        one.state(ONE), other.state(ONE)
        one.ask(ONE, result(1, "Anna"))
        answer = other.ask(ONE, result(2, "Bruno"))

        assert not answer.repeated
        assert [r.who for r in one.log(ONE)[-2:]] == ["Anna", "Bruno"]


def test_two_arbiters_enter_the_same_board_and_the_second_is_told_who_was_first(in_play: str) -> None:
    with Tournaments(in_play) as one, Tournaments(in_play) as other:
        one.state(ONE), other.state(ONE)
        one.ask(ONE, result(1, "Anna"))
        there: dict[str, Any] = {"round": 1, "board": 1, "result": OUTCOMES[0]}
        with refuses(Duplicate, "result-there", **there) as refusal:
            other.ask(ONE, result(1, "Bruno", outcome=2))

        words = sentence("result-there", **there)
        assert str(refusal.value) == f"{words} (Anna, 2026-11-16T09:30:00Z: result recorded)"
        with refuses(Duplicate, "result-there", round=1, board=1):
            one.ask(ONE, result(1, "Anna", outcome=2))


def test_a_pairing_made_on_an_old_version_is_refused_with_what_happened_since(in_play: str) -> None:
    with Tournaments(in_play) as store:
        store.ask(ONE, result(1, "Anna"), result(2, "Anna"))
        seen = store.version(ONE)
        command = ask(WithdrawPlayer, player=4)
        store.ask(
            ONE, msgspec.structs.replace(command, meta=msgspec.structs.replace(command.meta, who="Bruno"))
        )
        with refuses(StaleDecision, "pairing-stale", round=2, based_on=seen) as refusal:
            store.ask(ONE, ask(PairRound, round=2, boards=((2, 3), (4, 1)), based_on=seen, snapshot=DIGEST))
        other = refusal.value.other
        assert other is not None
        assert (other.who, other.when, other.what) == ("Bruno", "2026-11-16T09:30:00Z", "player-withdrawn")


def test_a_refusal_does_not_blame_who_registered_the_player(in_play: str) -> None:
    with Tournaments(in_play) as store:
        bye = ask(GrantBye, player=1, round=1)
        bruno = msgspec.structs.replace(bye, meta=msgspec.structs.replace(bye.meta, who="Bruno"))
        with refuses(NotNow, "player-at-board", player=1, round=1) as refusal:
            store.ask(ONE, bruno)
        assert refusal.value.other is None


def test_a_tournament_is_found_by_the_beginning_of_its_id(filled: str) -> None:
    with Tournaments(filled) as store:
        store.ask(TWO, opening("Other"))

        assert store.ids_from("1111") == [ONE]
        assert store.ids_from(TWO) == [TWO]
        assert store.ids_from("3") == store.ids_from("x' OR 1") == []


def test_all_facts_can_be_read_tournament_by_tournament(filled: str) -> None:
    with Tournaments(filled) as store:
        store.ask(TWO, opening("Other"))
        store.ask(ONE, entry("Short"))

        everything = list(store.backend.everything())

        assert [(row.originator_id, row.originator_version) for row in everything] == [
            (ONE, 1), (ONE, 2), (ONE, 3), (ONE, 4), (TWO, 1),
        ]  # fmt: skip
        assert everything[:4] == store.raw_log(ONE)


def test_a_reader_waits_for_the_next_fact_and_is_woken(filled: str) -> None:
    with Tournaments(filled) as store, Tournaments(filled) as reader:
        last = reader.last_position()
        assert not reader.wait(last, 0.05)
        with ThreadPoolExecutor() as pool:
            woken = pool.submit(reader.wait, last, 600)
            time.sleep(0.2)
            store.ask(ONE, entry("Short"))

            assert woken.result(timeout=600)


def test_waiting_takes_next_to_no_processor_time(filled: str) -> None:
    with Tournaments(filled) as store:
        last = store.last_position()
        store.wait(last, 0.05)  # what is needed for it is there from now on
        began = time.thread_time()
        assert not store.wait(last, 1)
        assert time.thread_time() - began < 0.009


def test_who_waits_for_facts_is_let_go_before_the_store_is_closed(filled: str) -> None:
    with Tournaments(filled) as store, ThreadPoolExecutor() as pool:
        last = store.last_position()
        waiting = pool.submit(store.wait, last, 30)
        time.sleep(0.2)
        store.backend.end_waits()
        assert not waiting.result(timeout=5)
        assert not pool.submit(store.wait, last, 30).result(timeout=5)


def test_a_reader_in_the_same_process_is_woken_at_once(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paircard.domain.log.backends.sqlite.LOOK_AGAIN", 600)
    with Tournaments(filled) as store, Tournaments(filled) as reader, ThreadPoolExecutor() as pool:
        woken = pool.submit(reader.wait, reader.last_position(), 600)
        time.sleep(0.2)
        store.ask(ONE, entry("Short"))

        assert woken.result(timeout=60)
