"""Facts with a right hash that no desk wrote: members twice or unknown, values nobody could have entered.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paircard.domain.commands import RegisterPlayer
from paircard.domain.errors import CorruptFile, Invalid
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import StoredFact
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import read_bundle, take_in
from paircard.domain.values.players import Details
from paircard.service.review.verify import verify
from tests.domain.scenes import ask
from tests.domain.test_contract import ONE, entry, opening
from tests.refusals import refuses

TAIL = 153


def changed(rows: list[StoredFact], old: bytes, new: bytes) -> list[StoredFact]:
    """The log with something else in it, its chain computed anew."""
    previous, made = "0" * 64, []
    for row in rows:
        version, topic = row.originator_version, row.topic
        payload = row.state[:-TAIL] + b"}"
        if version == 3:
            payload = payload.replace(old, new)
        place = f"{previous}\n{ONE}\n{version}\n{topic}\n".encode()
        hash = hashlib.sha256(place + payload).hexdigest()
        line = payload[:-1] + f',"previous":"{previous}","hash":"{hash}"}}'.encode()
        made.append(msgspec.structs.replace(row, state=line))
        previous = hash
    return made


def honest(tmp_path: Path) -> list[StoredFact]:
    """A log as a desk wrote it."""
    with Tournaments(tmp_path / "open.db", create=True) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(ONE, ask(RegisterPlayer, details=Details(name="Polgar", title="GM")))
        return store.raw_log(ONE)


def test_the_log_itself_is_taken(tmp_path: Path) -> None:
    log = changed(honest(tmp_path), b"", b"")
    with Tournaments(tmp_path / "other.db", create=True) as other:
        assert take_in(other, ONE, log) == 3


def foreign(code: str, **fields: Any) -> Message:
    """What is said of fact 3 where no program of ours wrote it."""
    return say("proof.foreign-fact", version=3, what=say(code, **fields))


UNREADABLE = say("store.unreadable-fact", version=3)
TOO_MUCH = foreign("rating-out-of-range", label="rating", rating=1000000000, name="Polgar", highest=4000)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"player":2', b'"player":7,"player":2', foreign("proof.member-twice", text="player")),
        (b'"why":""', b'"why":"","why":""', foreign("proof.member-twice", text="why")),
        (b'"why":""', b'"why":"","approved":true', foreign("proof.member-unknown", text="approved")),
        (b'"player":2', b'"player":2,"seed":9', foreign("proof.member-unknown", text="seed")),
        (
            b'"details":{',
            b'"details":{"rating":1,"rating":2700,',
            foreign("proof.member-twice", text="rating"),
        ),
        (b'"details":{', b'"details":{"elo":1,', foreign("proof.member-unknown", text="elo")),
        (b'"details":{', b'"details":{"rating":1000000000,', TOO_MUCH),
        (b'"details":{', b'"details":{"rating":NaN,', UNREADABLE),
        (b'"details":{', b'"particulars":{', foreign("proof.member-unknown", text="particulars")),
        (b'"details":{', b'"details":' + b"[" * 5000 + b"{", UNREADABLE),
        (b'"who":"', b'"who":" ","name":"', foreign("proof.fact-of-nobody")),
        (b'"command_id":"', b'"command_id":"","was":"', foreign("proof.fact-of-nobody")),
    ],
)
def test_a_fact_no_desk_wrote_is_refused_and_named(
    tmp_path: Path, old: bytes, new: bytes, said: Message
) -> None:
    log = honest(tmp_path)
    forged = changed(log, old, new)
    assert forged != log, "the bytes to be changed are there"

    with Tournaments(tmp_path / "other.db", create=True) as other:
        with refuses(CorruptFile, said):
            take_in(other, ONE, forged)
        assert other.version(ONE) == 0
    assert not verify(ONE, forged).whole


def test_a_heading_without_end_is_no_heading() -> None:
    with refuses(Invalid, "proof.not-a-bundle"):
        read_bundle(b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"\n{}\n")
