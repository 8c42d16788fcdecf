"""The chain: what it accepts, and that every change of it is named.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

from typing import Any

import msgspec
import pytest

from paircard.domain.errors import CorruptFile, NewerFile, SetBack
from paircard.domain.events import PlayerRegistered, RoundCompleted
from paircard.domain.log.catalogue import name_in
from paircard.domain.log.reader import rows_after
from paircard.domain.log.stored import (
    GENESIS,
    StoredFact,
    as_stored,
    check_chain,
    check_link,
    decode_chain,
    decode_fact,
    link_hash,
    previous_of,
    seal,
    stored_facts,
    topic_of,
)
from paircard.domain.messages import say
from paircard.domain.values.players import Details
from paircard.service.review.verify import verify
from tests.audit.quiet import END, HASHES, ID, LOG, ROWS, graves
from tests.refusals import refuses


def test_a_whole_log_is_whole_and_says_its_length_and_head() -> None:
    report = verify(ID, ROWS)

    assert report.whole
    assert (report.tournament, report.length, report.head) == (ID, END, HASHES[-1])
    assert report.findings == ()
    assert [each.verdict for each in report.rounds] == ["identical", "identical"]
    assert report.held == ()
    assert check_chain(ID, ROWS) == (END, HASHES[-1])
    assert check_chain(ID, []) == (0, GENESIS)


def test_the_hash_is_over_the_fact_before_the_id_the_version_the_topic_and_the_payload() -> None:
    first = ROWS[0].state
    payload = first[:-153] + b"}"
    import hashlib

    lines = f"{'0' * 64}\n{ID}\n1\ntournament-opened/1\n".encode()
    assert hashlib.sha256(lines + payload).hexdigest() == HASHES[0]
    assert link_hash(GENESIS, ID, 1, "tournament-opened/1", payload) == HASHES[0]
    assert first[-153:] == f',"previous":"{"0" * 64}","hash":"{HASHES[0]}"}}'.encode()


def test_rows_are_read_further_only_from_the_fact_that_was_known() -> None:
    """Whoever knows fact 5 asks from it on: it must be the first, and unchanged."""
    nothing = [msgspec.structs.replace(ROWS[4], state=b"")]

    assert rows_after(ID, ROWS, 0, GENESIS) == ROWS
    assert rows_after(ID, ROWS[4:], 5, HASHES[4]) == ROWS[5:]
    for found in ([], ROWS[5:], ROWS[3:], [msgspec.structs.replace(ROWS[5], originator_version=5)], nothing):
        with refuses(SetBack, "store.fact-gone-look", version=5):
            rows_after(ID, found, 5, HASHES[4])


@pytest.mark.parametrize("stored", [None, "text", 7])
def test_what_is_not_bytes_is_not_a_fact(stored: Any) -> None:
    with refuses(CorruptFile, "store.fact-changed"):
        check_link(GENESIS, ID, *stored_facts([(1, ID, 1, ROWS[0].topic, stored, None)]))


@pytest.mark.parametrize("at", [0, 1, 7, END - 1])
def test_a_changed_fact_is_named_and_what_stands_before_it_is_still_counted(at: int) -> None:
    changed = list(ROWS)
    other = ROWS[at].state.replace(b"Arbiter", b"Arbitre").replace(b"Deputy", b"Deputi")
    changed[at] = msgspec.structs.replace(ROWS[at], state=other)
    assert changed != ROWS

    report = verify(ID, changed)

    assert graves(report) == [("chain", at + 1)]
    assert report.length == at
    assert report.head == (HASHES[at - 1] if at else GENESIS)
    assert report.rounds == ()
    assert f"fact {at + 1} " in report.findings[0].text
    with refuses(CorruptFile, "store.fact-changed", version=at + 1):
        check_chain(ID, changed)


@pytest.mark.parametrize("at", [0, 3, END - 2])
def test_a_missing_fact_is_named(at: int) -> None:
    gap = [*ROWS[:at], *ROWS[at + 1 :]]

    report = verify(ID, gap)

    assert graves(report) == [("chain", at + 1)]
    assert report.findings[0].message == say("store.fact-missing", version=at + 1, tournament=ID)
    assert report.length == at
    for reader in (check_chain, decode_chain):
        with refuses(CorruptFile, "store.fact-missing", version=at + 1):
            reader(ID, gap)


def test_facts_are_read_as_they_were_recorded() -> None:
    assert decode_chain(ID, ROWS) == list(LOG)
    assert decode_chain(ID, ROWS[9:], 9, HASHES[8]) == list(LOG[9:])
    assert decode_fact(ROWS[3]).position == 0, "a log from elsewhere has no positions"
    assert [previous_of(row.state) for row in ROWS] == [GENESIS, *HASHES[:-1]]
    assert set(previous_of(b"\xff" * 200)) == {"\N{REPLACEMENT CHARACTER}"}


def test_a_fact_that_cannot_be_read_is_damaged_or_of_a_newer_program() -> None:
    row, stored = ROWS[3], ROWS[3].state
    for wrong in (stored[:-1], b"", b"\xff", stored.replace(b'"who":"', b'"who":1,"x":"')):
        with refuses(CorruptFile, "store.unreadable-fact", version=4):
            decode_fact(msgspec.structs.replace(row, state=wrong))
    with refuses(NewerFile, "store.unknown-fact", text="game-streamed/1"):
        decode_fact(
            StoredFact(ID, 4, "game-streamed/1", stored.replace(b"player-registered", b"game-streamed"))
        )


def test_a_tournament_that_cannot_be_read_has_the_name_of_its_opening() -> None:
    assert name_in(ROWS[0]) == "Open 07ea"
    assert name_in(ROWS[1]) == ""
    for wrong in (b"", b"\xff", b'{"fact":1}', ROWS[0].state[:-1]):
        assert name_in(msgspec.structs.replace(ROWS[0], state=wrong)) == ""


def test_an_empty_log_is_not_whole() -> None:
    report = verify(ID, [])

    assert graves(report) == [("chain", 0)]
    assert (report.length, report.head) == (0, GENESIS)


def test_text_in_the_place_of_bytes_is_refused() -> None:
    [text] = stored_facts([(1, ID, 1, ROWS[0].topic, ROWS[0].state.decode(), None)])
    with pytest.raises(CorruptFile):
        check_link(GENESIS, ID, text)
    assert check_link(GENESIS, ID, ROWS[0]) == HASHES[0]


def test_a_log_of_another_tournament_is_refused_under_this_id() -> None:
    assert graves(verify("f" * 32, ROWS)) == [("chain", 1)]


def test_facts_that_stand_in_the_file_before_earlier_ones_are_told() -> None:
    assert verify(ID, ROWS, positions=range(5, 5 + END)).whole
    assert graves(verify(ID, ROWS, positions=[1, 3, 2, 4])) == [("chain", 3)]
    assert graves(verify(ID, ROWS, positions=[1, 1])) == [("chain", 2)]


@pytest.mark.parametrize("position", [0, -7])
def test_a_first_fact_before_the_beginning_of_the_file_was_moved(position: int) -> None:
    assert verify(ID, ROWS, positions=[1, 2]).whole

    report = verify(ID, ROWS, positions=[position, 2])

    assert graves(report) == [("chain", 1)]
    assert report.findings[0].message == say("verify.moved", place=position)


def test_facts_are_stored_as_they_were_sealed() -> None:
    entry = msgspec.structs.replace(LOG[1], fact=PlayerRegistered(player=1, details=Details(name="Zoë")))
    one = seal(entry, HASHES[0])
    sealed, stored = one.fact, one.stored

    assert stored == as_stored(sealed)
    assert topic_of(RoundCompleted(round=1)) == "round-completed/1"


def test_what_meddles_with_the_store_is_told_of_the_log_as_a_whole() -> None:
    report = verify(ID, ROWS, around=[say("store.fault.foreign", kind="trigger", text="quiet")])

    assert [(one.matter, one.version, one.message) for one in report.findings] == [
        ("store", 0, say("store.fault.foreign", kind="trigger", text="quiet"))
    ]
    assert not report.whole
