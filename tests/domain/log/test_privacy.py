"""Personal parts beside the chain: taken out, put back, erased, and never slipped in.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

from hashlib import sha256
from typing import Any

import msgspec
import pytest

from paircard.domain.events import (
    Event,
    PersonErased,
    PlayerDetailsCorrected,
    PlayerRegistered,
    TournamentImported,
    TournamentOpened,
)
from paircard.domain.log.stored import (
    StoredFact,
    commitments,
    decode_fact,
    erased_hashes,
    erased_parts,
    is_shown,
    merge,
    missing_parts,
    new_salt,
    payload_of,
    put_together,
    seal,
    stored_facts,
    stray_parts,
    take_apart,
    without_erased,
    without_parts,
)
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import Regulations
from tests.audit.quiet import HASHES, ID, LOG

ADA = Details(name="Ada", rating=2000, club="Trento", birth="1990-03-04", fide_id=7712340)
NAME = b'{"salt":"5a17","fact":{"details":{"name":"Ada","club":"Trento"}}}'
IDENTITY = b'{"salt":"5a17","fact":{"details":{"birth":"1990-03-04","fide_id":7712340}}}'
REASON = b'{"salt":"5a17","why":"train delayed"}'


def apart(fact: Event, why: str = "") -> tuple[bytes, list[bytes]]:
    return take_apart(payload_of(msgspec.structs.replace(LOG[1], fact=fact, why=why)), lambda: "5a17")


def stored(fact: Event, why: str = "") -> StoredFact:
    return seal(msgspec.structs.replace(LOG[1], fact=fact, why=why), HASHES[0], salt=lambda: "5a17").stored


def without(content: StoredFact, *pieces: bytes) -> StoredFact:
    return without_parts(content, {sha256(piece).hexdigest() for piece in pieces})


def also(content: StoredFact, *parts: bytes) -> StoredFact:
    return msgspec.structs.replace(content, parts=(*content.parts, *parts))


def read(content: StoredFact) -> tuple[Any, str]:
    recorded = decode_fact(content)
    return recorded.fact, recorded.why


def test_what_lists_show_what_they_do_not_and_the_reason_are_parts_of_their_own() -> None:
    payload, pieces = apart(PlayerRegistered(player=1, details=ADA), "train delayed")

    assert pieces == [NAME, IDENTITY, REASON]
    whole = msgspec.json.decode(payload)
    assert whole["fact"] == {
        "type": "player-registered", "player": 1, "details": {"rating": 2000}, "missed": "",
    }  # fmt: skip
    assert whole["why"] == ""
    assert whole["private"] == [sha256(piece).hexdigest() for piece in pieces]


@pytest.mark.parametrize(
    ("fact", "pieces"),
    [
        (PlayerRegistered(player=1, details=Details(name="Ada")), [{"details": {"name": "Ada"}}]),
        (PlayerDetailsCorrected(player=1, changes=Changes(birth="1990")), [{"changes": {"birth": "1990"}}]),
        (
            TournamentOpened(regulations=Regulations(name="Open", rounds=5, organiser="Olga")),
            [{"regulations": {"organiser": "Olga", "chief_arbiter": "", "arbiters": []}}],
        ),
        (
            TournamentImported(source="open.trf", format="trf26", adjustments=("Ada: rating",)),
            [{"source": "open.trf", "adjustments": ["Ada: rating"]}],
        ),
    ],
)
def test_every_kind_of_fact_that_names_people_is_taken_apart(fact: Event, pieces: list[Any]) -> None:
    payload, found = apart(fact)

    assert [msgspec.json.decode(piece) for piece in found] == [
        {"salt": "5a17", "fact": part} for part in pieces
    ]
    assert msgspec.json.decode(payload)["why"] == ""
    assert read(stored(fact)) == (fact, "")


@pytest.mark.parametrize(
    "fact",
    [
        LOG[7].fact,
        PlayerDetailsCorrected(player=1, changes=Changes(rating=2100)),
        TournamentOpened(regulations=Regulations(name="Open", rounds=5)),
    ],
)
def test_a_fact_that_names_nobody_stays_as_it_is_byte_for_byte(fact: Event) -> None:
    content = payload_of(msgspec.structs.replace(LOG[1], fact=fact, why=""))

    assert take_apart(content, lambda: "5a17") == (content, [])


def test_a_fact_is_put_together_from_what_is_left_of_it() -> None:
    fact = PlayerRegistered(player=7, details=ADA)
    content = stored(fact, "train delayed")

    assert read(content) == (fact, "train delayed")
    assert read(without(content, REASON)) == (fact, "")
    named = Details(name="Ada", rating=2000, club="Trento")
    assert read(without(content, IDENTITY)) == (PlayerRegistered(player=7, details=named), "train delayed")
    born = Details(name="(erased p7)", rating=2000, birth="1990-03-04", fide_id=7712340)
    assert read(without(content, NAME)) == (PlayerRegistered(player=7, details=born), "train delayed")
    assert b'"salt"' not in put_together(content)
    imported = stored(TournamentImported(source="open.trf", format="trf26"))
    [source] = imported.parts
    assert read(without(imported, source))[0] == TournamentImported(source="(erased)", format="trf26")
    corrected = stored(PlayerDetailsCorrected(player=7, changes=Changes(name="Eva", rating=2100)))
    [name] = corrected.parts
    left = without(corrected, name)
    assert read(left)[0] == PlayerDetailsCorrected(player=7, changes=Changes(rating=2100))
    assert put_together(left) == left.state, "a correction needs no stand-in"


def test_another_name_cannot_be_slipped_in() -> None:
    content = stored(PlayerRegistered(player=7, details=ADA))
    eve = NAME.replace(b"Ada", b"Eve")
    swapped = msgspec.structs.replace(content, parts=(eve, IDENTITY))

    assert read(swapped)[0].details.name == "(erased p7)"
    assert read(also(content, eve))[0].details.name == "Ada"
    assert missing_parts(content) == []
    assert missing_parts(swapped) == [0]
    assert missing_parts(msgspec.structs.replace(content, parts=())) == [0, 1]
    assert (stray_parts(content), stray_parts(swapped), stray_parts(also(content, eve))) == (0, 1, 1)
    bare = seal(LOG[7], HASHES[6]).stored
    assert (missing_parts(bare), stray_parts(bare), stray_parts(also(bare, eve))) == ([], 0, 1)
    rubbish = msgspec.structs.replace(content, state=b"rubbish", parts=(eve,))
    assert (missing_parts(rubbish), stray_parts(rubbish)) == ([], 1)
    assert put_together(also(bare, eve)) == bare.state
    assert b'"private"' not in bare.state
    assert commitments(content.state) == [sha256(piece).hexdigest() for piece in (NAME, IDENTITY)]


@pytest.mark.parametrize("content", ["text", None, 7])
def test_what_is_not_bytes_is_read_as_nothing(content: Any) -> None:
    assert [*stored_facts([(1, ID, 2, "x/1", content, None)])] == [StoredFact(ID, 2, "x/1", b"", 1)]


def test_only_a_name_with_club_and_federation_may_be_handed_on_with_a_proof() -> None:
    correction = NAME.replace(b"details", b"changes")
    for shown in (
        NAME,
        correction,
        b'{"salt":"","fact":{"details":{"name":"A","club":"B","federation":"C"}}}',
    ):
        assert is_shown(shown)
    both = b'{"salt":"","fact":{"details":{"name":"Ada","birth":"1990"}}}'
    for hidden in (IDENTITY, both, REASON, b'{"salt":"","fact":{"regulations":{"organiser":"Olga"}}}'):
        assert not is_shown(hidden)


def test_a_salt_is_128_bits_and_never_the_same() -> None:
    assert len(bytes.fromhex(new_salt())) == 16
    assert new_salt() != new_salt()


def test_a_part_adds_to_a_member_and_replaces_what_is_no_object() -> None:
    whole = {"fact": {"a": 1, "b": {"c": 2}}, "why": ""}

    merge(whole, {"fact": {"b": {"d": 3}}, "why": "late", "new": {"e": 4}})

    assert whole == {"fact": {"a": 1, "b": {"c": 2, "d": 3}}, "why": "late", "new": {"e": 4}}


def test_what_was_erased_is_gone_from_the_facts_that_named_it_and_from_no_other() -> None:
    content = stored(PlayerRegistered(player=1, details=ADA))
    hash = sha256(NAME).hexdigest()
    erasure = seal(
        msgspec.structs.replace(LOG[2], fact=PersonErased(player=1, pieces=((2, hash),))), HASHES[1]
    )
    rows = [content, erasure.stored]

    assert erased_parts([LOG[0], erasure.fact]) == {(2, hash)}
    assert erased_hashes(rows) == {hash}
    assert without_erased(rows, rows[:1]) == rows
    unreadable = [
        StoredFact(ID, 1, "tournament-opened/1", b"rubbish"),
        StoredFact(ID, 4, "round-published/1", b""),
    ]
    assert erased_hashes(unreadable) == set()
    assert without_erased(unreadable) == unreadable, "the chain tells what is wrong with them"
    left = without_erased(rows)
    assert left == [msgspec.structs.replace(content, parts=(IDENTITY,)), erasure.stored]
