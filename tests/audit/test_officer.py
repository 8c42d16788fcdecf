"""A federation officer with SQL and bad intentions: what shows by itself, on a file and on PostgreSQL.

The officer knows how the chain is made and computes it right. What cannot be seen without a checkpoint
held elsewhere is in ``test_tampering``.
"""

from collections.abc import Callable

import msgspec
import pytest

from paircard.domain.events import (
    ColoursCorrected,
    Event,
    Recorded,
    ResultCorrected,
    ResultRecorded,
)
from paircard.domain.log.stored import as_stored, seal, topic_of
from paircard.domain.messages import Message
from paircard.domain.messages import say as say_so
from paircard.domain.proof.doctor import BAD, examine
from paircard.domain.speaking import Speaker
from paircard.domain.values.results import Outcome
from paircard.service.review.verify import find_forged
from tests.audit.byhand import by_hand
from tests.audit.command_line import grow, ok, say, wrong
from tests.audit.lives import life
from tests.audit.quiet import END, ID, LOG, ROWS
from tests.refusals import sentence

WIN, LOSS = Outcome("1", "0"), Outcome("0", "1")


@pytest.fixture
def store(location: str) -> str:
    grow(location, ID, ROWS)
    assert say(location, "verify", "-t", ID).code == 0
    return location


def forged(fact: Event, why: str = "protest") -> Recorded:
    """A fact behind the last one, with a right hash."""
    draft = msgspec.structs.replace(LOG[-1], version=END + 1, fact=fact, why=why, command_id="forged")
    return seal(draft, LOG[-1].hash).fact


def slipped_in(location: str, fact: Recorded) -> None:
    by_hand(
        location,
        "INSERT INTO {}stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)",
        ID,
        fact.version,
        topic_of(fact.fact),
        as_stored(fact).state,
    )


def told_by_all(location: str) -> list[str]:
    """What verify and verify --all say is wrong."""
    one, every = say(location, "verify", "-t", ID), say(location, "verify", "--all")
    assert (one.code, every.code) == (1, 1), (one, every)
    assert "internal error" not in one.err + every.err
    return [one.out, every.out]


def outcome_of(round: int, board: int) -> Outcome:
    return next(
        one.fact.outcome
        for one in LOG
        if isinstance(one.fact, ResultRecorded) and (one.fact.round, one.fact.board) == (round, board)
    )


def swapped(outcome: Outcome) -> Outcome:
    return WIN if outcome != WIN else LOSS


OTHER_SCOPE = say_so("verify.not-recorded", what=say_so("proof.other-scope"))
THERE = sentence("result-there", round=2, board=1, result=outcome_of(2, 1))
FORGERIES: dict[str, tuple[Callable[[], Event], Message]] = {
    "a second result": (
        lambda: ResultRecorded(round=2, board=1, outcome=swapped(outcome_of(2, 1))),
        say_so("verify.not-recorded", what=say_so("proof.would-be-refused", reason=THERE)),
    ),
    "a result of a board there is not": (
        lambda: ResultRecorded(round=2, board=9, outcome=WIN),
        say_so("proof.does-not-follow", version=END + 1, tournament=ID),
    ),
    "a correction that reaches back too far": (
        lambda: ResultCorrected(
            round=1,
            board=1,
            outcome=swapped(outcome_of(1, 1)),
            was=outcome_of(1, 1),
            scope="pairing-next",
        ),
        OTHER_SCOPE,
    ),
    "a correction of what was never so": (
        lambda: ResultCorrected(
            round=2,
            board=1,
            outcome=swapped(outcome_of(2, 1)),
            was=Outcome("=", "="),
            scope="pairing-next",
        ),
        OTHER_SCOPE,
    ),
    "colours turned round": (
        lambda: ColoursCorrected(round=1, board=1, white=5, black=6, scope="pairing-next"),
        OTHER_SCOPE,
    ),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_result_no_desk_would_have_taken_is_told_although_its_hash_is_right(store: str, kind: str) -> None:
    make, told = FORGERIES[kind]
    slipped_in(store, forged(make()))

    for said in told_by_all(store):
        assert Speaker().say(told) in said
        assert "WRONG" in said


def test_what_an_arbiter_could_have_entered_cannot_be_told_from_it(store: str) -> None:
    """Said honestly: only a checkpoint held elsewhere, or the arbiter, knows better."""
    now = outcome_of(2, 1)
    fact = ResultCorrected(round=2, board=1, outcome=swapped(now), was=now, scope="pairing-next")
    slipped_in(store, forged(fact))

    assert say(store, "verify", "-t", ID).code == 0


@pytest.mark.parametrize("seed", range(40))
def test_honest_results_are_never_taken_for_forged(seed: int) -> None:
    assert list(find_forged(life(seed))) == []


SQLITE = [
    ("CREATE TRIGGER quiet BEFORE INSERT ON stored_events WHEN NEW.topic='result-corrected/1' "
     "BEGIN SELECT RAISE(IGNORE); END", "trigger", "quiet"),
    ("CREATE VIEW other AS SELECT * FROM stored_events", "view", "other"),
    ("CREATE TRIGGER gone AFTER INSERT ON stored_events "
     "BEGIN DELETE FROM stored_events WHERE rowid=NEW.rowid; END", "trigger", "gone"),
    ("CREATE TRIGGER unkept BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(IGNORE); END",
     "trigger", "unkept"),
]  # fmt: skip
POSTGRES = [
    ("CREATE RULE quiet AS ON INSERT TO {}stored_events WHERE NEW.topic='result-corrected/1' "
     "DO INSTEAD NOTHING", "rule", "quiet"),
    ("ALTER TABLE {}stored_events ENABLE ROW LEVEL SECURITY", "row security policy on", "stored_events"),
    ("CREATE TABLE {}more () INHERITS ({}stored_events)", "table that adds its rows to", "stored_events"),
    ("CREATE FUNCTION {}quiet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
     "CREATE TRIGGER quiet BEFORE INSERT ON {}stored_events FOR EACH ROW EXECUTE FUNCTION {}quiet()",
     "trigger", "quiet"),
]  # fmt: skip


@pytest.mark.parametrize("at", range(4))
def test_what_stands_between_the_facts_and_their_readers_is_told(store: str, at: int) -> None:
    statement, kind, name = (POSTGRES if "://" in store else SQLITE)[at]
    by_hand(store, statement)

    foreign = Message("store.fault.foreign", {"kind": kind, "text": name})
    one, every = told_by_all(store)
    assert wrong(foreign) in one.splitlines()
    assert sentence("cli.verify.store-wrong", what=foreign) in every.splitlines()
    bad = [(finding.code, finding.fields) for finding in examine(store) if finding.state == BAD]
    code = "proof.doctor.unsound" if "://" in store else "proof.doctor.changed"
    assert (code, {"what": foreign}) in bad


def test_an_untouched_store_has_no_meddlers(store: str) -> None:
    assert ok(store, "verify", "--all")
    assert not any(finding.state == BAD for finding in examine(store))


def test_places_swapped_or_taken_twice_are_told(store: str) -> None:
    place = "notification_id" if "://" in store else "rowid"
    by_hand(store, f"UPDATE {{}}stored_events SET {place}=100000 WHERE originator_version=3")

    for said in told_by_all(store):
        assert wrong(Message("verify.out-of-place", {"version": 4})) in said.splitlines()


def test_the_first_fact_moved_before_the_beginning_is_told(store: str) -> None:
    place = "notification_id" if "://" in store else "rowid"
    by_hand(store, f"UPDATE {{}}stored_events SET {place}=-1 WHERE originator_version=1")

    for said in told_by_all(store):
        assert sentence("verify.moved", place=-1) in said
