"""What is answered is recorded, and what is recorded can be read: on both stores, whatever was asked."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from paircard.domain.commands import (
    ClearResult,
    Command,
    CompleteRound,
    DrawInitialColour,
    DrawLots,
    GrantBye,
    ListRating,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    ReopenRound,
    ReturnPlayer,
    RevokeBye,
    UnpairRound,
    WithdrawPlayer,
)
from paircard.domain.deciding.decision import well_typed
from paircard.domain.errors import CorruptFile, Invalid, PaircardError, StaleDecision
from paircard.domain.events import PlayerRegistered, Recorded
from paircard.domain.log.request import Request, request_of
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import GENESIS, StoredFact, link_hash, new_salt, seal, topic_of
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from tests.domain.scenes import DIGEST, ask, meta
from tests.refusals import refuses

ONE = "1" * 32
WON = parse_outcome("1-0")


def begun(store: Tournaments) -> None:
    """Four players, round 1 published, both results in."""
    store.ask(ONE, ask(OpenTournament, regulations=Regulations(name="Open", rounds=5, half_byes=1)))
    for name in ("Ada", "Ben", "Cleo", "Dag"):
        store.ask(ONE, ask(RegisterPlayer, details=Details(name=name, rating=2000)))
    store.ask(ONE, ask(DrawInitialColour, colour="w"))
    based_on = store.state(ONE).version
    boards = ((1, 3), (2, 4))
    store.ask(
        ONE,
        ask(PairRound, round=1, boards=boards, based_on=based_on, snapshot=DIGEST, engine="e", level=4),
        ask(PublishRound, round=1),
    )
    for board in (1, 2):
        store.ask(ONE, ask(RecordResult, round=1, board=board, outcome=WON))


Undone = tuple[Callable[[], Command], Callable[[], Command]]
NOTHING_NEW: dict[str, Undone] = {
    "record": (
        lambda: ask(RecordResult, round=1, board=1, outcome=WON),
        lambda: ask(ClearResult, round=1, board=1, why="wrong board"),
    ),
    "complete": (
        lambda: ask(CompleteRound, round=1),
        lambda: ask(ReopenRound, round=1, why="too early"),
    ),
    "withdraw": (
        lambda: ask(WithdrawPlayer, player=2),
        lambda: ask(ReturnPlayer, player=2),
    ),
    "bye": (
        lambda: ask(GrantBye, player=2, round=3, letter="H"),
        lambda: ask(RevokeBye, player=2, round=3),
    ),
    "publish": (
        lambda: ask(PublishRound, round=1),
        lambda: ask(UnpairRound, round=1, why="a player was missing", level=4),
    ),
}
"""By verb: what is done, and what somebody else does to take it back."""


@pytest.mark.parametrize("verb", NOTHING_NEW)
def test_what_another_program_took_back_is_recorded_again_or_refused(location: str, verb: str) -> None:
    do, take_back = NOTHING_NEW[verb]
    with Tournaments(location, create=True) as ours, Tournaments(location) as theirs:
        begun(ours)
        if verb == "publish":
            for board in (1, 2):
                ours.ask(ONE, ask(ClearResult, round=1, board=board, why="wrong board"))
        elif verb != "record":
            ours.ask(ONE, do())
        theirs.ask(ONE, take_back())
        before = theirs.state(ONE).version

        try:
            answer = ours.ask(ONE, do())
        except PaircardError:
            assert theirs.state(ONE).version == before
        else:
            assert answer.recorded, "answered as done, and nothing is recorded"
            assert theirs.state(ONE).version == before + len(answer.recorded)


def test_an_answer_without_facts_names_the_version_that_is_there(location: str) -> None:
    with Tournaments(location, create=True) as ours, Tournaments(location) as theirs:
        begun(ours)
        newest = theirs.ask(ONE, ask(WithdrawPlayer, player=4)).state.version

        answer = ours.ask(ONE, ask(RecordResult, round=1, board=1, outcome=WON))

    assert answer.recorded == ()
    assert answer.state.version == newest


def test_what_comes_to_nothing_on_an_old_version_is_refused_if_that_version_was_expected(
    location: str,
) -> None:
    with Tournaments(location, create=True) as ours, Tournaments(location) as theirs:
        begun(ours)
        seen = ours.state(ONE).version
        theirs.ask(ONE, ask(ClearResult, round=1, board=1, why="wrong board"))

        again = request_of([ask(RecordResult, round=1, board=1, outcome=WON)])
        with pytest.raises(StaleDecision):
            ours.run(ONE, again, expected=seen)


def test_a_proposal_that_comes_to_nothing_is_made_again_on_the_newest_facts(location: str) -> None:
    def open_boards(state: Any) -> list[Command]:
        return [
            RecordResult(round=1, board=board, outcome=WON)
            for board in (1, 2)
            if state.rounds[0].game(board).outcome is None
        ]

    with Tournaments(location, create=True) as ours, Tournaments(location) as theirs:
        begun(ours)
        theirs.ask(ONE, ask(ClearResult, round=1, board=2, why="wrong board"))

        assert len(ours.run(ONE, Request(meta(), open_boards)).recorded) == 1


typed: Any = ask
player: Any = Details
rules: Any = Regulations
WRONG: list[tuple[str, Callable[[], Command]]] = [
    ("details.rating", lambda: typed(RegisterPlayer, details=player(name="Eva", rating=2100.0))),
    ("details.rating", lambda: typed(RegisterPlayer, details=player(name="Eva", rating=True))),
    ("details.rating", lambda: typed(RegisterPlayer, details=player(name="Eva", rating="x"))),
    ("details.name", lambda: typed(RegisterPlayer, details=player(name=None))),
    ("details.name", lambda: typed(RegisterPlayer, details=player(name=b"Eva"))),
    ("details.birth", lambda: typed(RegisterPlayer, details=player(name="Eva", birth=date(2000, 1, 1)))),
    ("details.federation", lambda: typed(RegisterPlayer, details=player(name="Eva", federation=None))),
    ("details", lambda: typed(RegisterPlayer, details=None)),
    ("round", lambda: typed(GrantBye, player=1, round=2.0)),
    ("round", lambda: typed(RecordResult, round="1", board=1, outcome=WON)),
    ("board", lambda: typed(RecordResult, round=1, board=True, outcome=WON)),
    ("rating", lambda: typed(ListRating, player=1, rating=Decimal(2000), first=2)),
    ("players[1]", lambda: typed(DrawLots, players=(1, object()))),
    ("why", lambda: typed(WithdrawPlayer, player=1, why=None)),
    ("command_id", lambda: typed(WithdrawPlayer, player=1, id=17)),
    ("regulations.rounds", lambda: typed(OpenTournament, regulations=rules(name="Two", rounds=5.0))),
    (
        "regulations.half_byes",
        lambda: typed(OpenTournament, regulations=rules(name="Two", rounds=5, half_byes="1")),
    ),
]
"""The field, and a command with a value there that no fact could hold."""


@pytest.mark.parametrize(("field", "command"), WRONG)
def test_a_value_of_a_wrong_type_is_refused_by_its_field_and_nothing_is_recorded(
    location: str, field: str, command: Callable[[], Command]
) -> None:
    with Tournaments(location, create=True) as store:
        begun(store)
        before = store.state(ONE).version

        with pytest.raises(Invalid) as refused:
            store.ask(ONE, command())

        assert str(refused.value).startswith(f"{field}: expected ")
        assert store.version(ONE) == before


def test_what_is_no_command_at_all_is_refused(location: str) -> None:
    with Tournaments(location, create=True) as store:
        begun(store)
        for nothing in (None, "pair", Details(name="Eva")):
            with refuses(Invalid, "not-a-command"):
                store.run(ONE, Request(meta(), lambda _, what=nothing: [what]))  # type: ignore[misc]


def test_a_list_for_a_tuple_is_taken_and_read_back_as_the_tuple_it_stands_for(location: str) -> None:
    regulations = rules(name="Open", rounds=5, arbiters=["Bert", "Carla"])
    with Tournaments(location, create=True) as store:
        [fact] = store.ask(ONE, ask(OpenTournament, regulations=regulations)).recorded
    with Tournaments(location) as store:
        [read] = store.log(ONE)

    assert read.fact == fact.fact
    assert fact.fact.regulations.arbiters == ("Bert", "Carla")  # type: ignore[union-attr]


def draft(**fields: Any) -> Recorded:
    fact = PlayerRegistered(player=1, details=Details(**fields))
    return Recorded(
        tournament=ONE,
        version=1,
        fact=fact,
        who="Anna",
        when="2026-11-16T09:30:00Z",
        why="",
        command_id="c1",
        acknowledged=(),
        previous="",
        hash="",
    )


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "Eva", "rating": 2100.0}, "Expected int, got float - at fact.details.rating"),
        ({"name": "Eva", "rating": float("nan")}, "Expected int, got null - at fact.details.rating"),
        ({"name": "Eva", "club": b"Trento"}, "would be read as"),
        ({"name": "Eva", "birth": date(2000, 1, 1)}, "would be read as"),
        ({"name": "Eva", "club": object()}, "unsupported"),
        ({"name": "Eva", "club": "\ud800"}, "surrogates"),
    ],
)
@pytest.mark.parametrize("salt", [None, new_salt])
def test_nothing_is_sealed_that_would_not_be_read_as_it_is(fields: Any, told: str, salt: Any) -> None:
    with refuses(Invalid, "store.not-readable-again", kind="player-registered") as refused:
        seal(draft(**fields), GENESIS, None, salt)
    assert told in refused.value.said.fields["reason"]


def test_facts_of_another_log_are_read_before_they_are_stored(location: str) -> None:
    recorded = draft(name="Eva")
    payload = (
        b'{"fact":{"type":"player-registered","player":1,"details":{"name":"Eva","rating":2100.5}},"who":"Anna",'
        b'"when":"2026-11-16T09:30:00Z","why":"","command_id":"c1","acknowledged":[]}'
    )
    topic = topic_of(recorded.fact)
    hash = link_hash(GENESIS, ONE, 1, topic, payload)
    line = payload[:-1] + f',"previous":"{GENESIS}","hash":"{hash}"}}'.encode()
    with Tournaments(location, create=True) as store:
        with refuses(CorruptFile, "store.unreadable-fact") as refusal:
            store.add_stored(ONE, [StoredFact(ONE, 1, topic, line)])
        assert "Expected `int`, got `float`" in refusal.value.said.fields["reason"]
        assert store.version(ONE) == 0


def test_a_command_of_the_right_types_stays_as_it_is() -> None:
    command = ask(RegisterPlayer, details=Details(name="Eva", rating=2100))
    assert well_typed(command) == command


def test_facts_of_a_transaction_that_failed_are_nobodys_answer(location: str) -> None:
    """A desk loses its server while its entry is written, another desk's entry takes the version, and the
    first sends again: it must be recorded, not be told that its id was used for the other's."""
    with Tournaments(location, create=True) as mine, Tournaments(location) as other:
        mine.ask(ONE, ask(OpenTournament, regulations=Regulations(name="Open", rounds=5)))
        entry = ask(RegisterPlayer, details=Details(name="Ada", rating=2000))
        known = mine.read(ONE)
        [lost] = mine.ask(ONE, entry).recorded
        known.with_facts([replace(lost, command_id="sent-again")], known.state)  # and then rolled back

        other.ask(ONE, ask(RegisterPlayer, details=Details(name="Ben", rating=2000)))

        assert known.answered("sent-again") == ()
        assert mine.read(ONE).answered("sent-again") == ()
        again = replace(entry, meta=meta(id="sent-again"), details=Details(name="Cleo", rating=2000))
        assert [one.version for one in mine.ask(ONE, again).recorded] == [4]
