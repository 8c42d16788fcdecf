"""Who entered what is no longer a claim: signatures per request, and keys that a federation lists."""

import msgspec
import pytest

from paircard.domain.errors import Invalid
from paircard.domain.events import Recorded, ResultRecorded
from paircard.domain.log.stored import GENESIS, Sealed, StoredFact, seal, signature_in, signed_text
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import Signer, lock, unlock
from paircard.domain.proof.signatures import (
    ListedKey,
    Recorders,
    check_signatures,
    parse_list,
    parse_listed,
    sign_list,
)
from paircard.domain.values.results import Outcome
from paircard.service.review.verify import verify
from tests.audit.lives import rows as rows_of
from tests.audit.quiet import FEDERATION, ID, LOG, ROWS, graves, resealed
from tests.refusals import refuses

ANNA = Signer("anna.example", b"\x05" * 32)
BRUNO = Signer("bruno.example", b"\x06" * 32)
THROUGH = f"key:{ANNA.verifier().key_id}"
LISTED = ListedKey(ANNA.verifier(), "2026-01-01", "2026-12-31")


def fact(
    version: int, when: str = "2026-11-16T09:30:00Z", through: str = THROUGH, id: str = "c24"
) -> Recorded:
    return Recorded(
        tournament="0123456789abcdef0123456789abcdef",
        version=version,
        fact=ResultRecorded(round=3, board=150, outcome=Outcome("1", "0")),
        who="anna",
        when=when,
        command_id=id,
        through=through,
        previous="",
        hash="",
    )


def test_the_worked_example_of_the_format() -> None:
    one = seal(fact(7), GENESIS, ANNA.sign_bytes)

    assert ANNA.verifier().line() == "anna.example+a7388b9f+AW56HN0psLeP0Tr0xVmP7/TvKpcWbjym8uT7/M2AUFvx"
    assert one.fact.signed == (
        "YZOZBzZ+z0AGoVPtvQBrsuQr+oKIBDRDieAOT7x0vs5cE/8BTOKIQTgdpdldNvF8douFeWDh25LnM1xAvy6YAQ=="
    )
    assert one.fact.hash.startswith("936dc8c5")
    assert one.fact.hash.endswith("3e1333")
    payload, signature = signature_in(one.stored.state)
    text = signed_text(GENESIS, one.stored.originator_id, 7, one.stored.topic, payload)
    assert text.startswith(b"paircard/signed-fact\n" + GENESIS.encode() + b"\n0123456789abcdef")
    assert ANNA.verifier().signed(text, signature)
    assert not BRUNO.verifier().signed(text, signature)


def chain(*facts: tuple[Recorded, Signer | None]) -> list[StoredFact]:
    head, rows = GENESIS, []
    for one, signer in facts:
        sealed: Sealed = seal(one, head, signer.sign_bytes if signer else None)
        head = sealed.fact.hash
        rows.append(sealed.stored)
    return rows


def checked(
    rows: list[StoredFact], *keys: ListedKey
) -> tuple[list[tuple[str, int, str]], list[tuple[int, Message]]]:
    authors, wrong = check_signatures(rows, keys)
    return [(one.who, one.facts, one.how) for one in authors], wrong


def test_one_signature_covers_the_facts_of_a_request() -> None:
    rows = chain((fact(1), None), (fact(2), None), (fact(3), ANNA))

    assert checked(rows, LISTED) == ([("anna", 3, "signed by anna.example")], [])
    assert checked(rows) == ([("anna", 3, "signature not checked")], [])


@pytest.mark.parametrize("when", ["2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"])
def test_a_key_speaks_on_its_first_day_and_on_its_last(when: str) -> None:
    assert checked(chain((fact(1, when=when), ANNA)), LISTED) == ([("anna", 1, "signed by anna.example")], [])


def test_what_a_name_rests_on_is_said_where_its_signature_is_wrong() -> None:
    bruno = parse_listed(f"{BRUNO.verifier().line()} 2026-01-01 -")
    late = fact(1, when="2027-01-01T00:00:00Z")
    for rows, key, how in (
        (chain((fact(1), BRUNO)), LISTED, "wrongly signed"),
        (chain((fact(1), ANNA)), bruno, "signed by a key not listed"),
        (chain((late, ANNA)), LISTED, "signed too early or too late"),
        (chain((fact(1), None)), LISTED, "claimed"),
    ):
        authors, _ = checked(rows, key)
        assert authors == [("anna", 1, how)]


def test_requests_of_several_people_are_counted_apart() -> None:
    bruno = msgspec.structs.replace(fact(2, through="", id="c25"), who="bruno")
    again = msgspec.structs.replace(fact(4, through="", id="c26"), who="bruno")

    rows = chain((fact(1), ANNA), (bruno, None), (fact(3, id="c27"), ANNA), (again, None))

    assert checked(rows, LISTED) == ([("anna", 2, "signed by anna.example"), ("bruno", 2, "claimed")], [])


def test_a_servers_key_signs_nothing_also_where_earlier_facts_call_it_a_key() -> None:
    for through in ("key:4f2c1a9b01de", "api-key:4f2c1a9b01de"):
        assert checked(chain((fact(1, through=through), None)), LISTED) == ([("anna", 1, "api-key")], [])
    for through in ("key:4f2c1a9b01d", "key:4f2c1a9b01de0"):
        [(_, told)] = checked(chain((fact(1, through=through), None)), LISTED)[1]
        assert told == say("proof.not-signed", id=through.removeprefix("key:"))


def test_every_fact_is_compared_with_the_role_recorded_beside_it() -> None:
    rows = chain((fact(1, through="role:desk2"), None), (fact(2, through="role:desk3", id="c25"), None))

    recorders = Recorders(["desk2", "desk3"], "chief")
    authors, wrong = check_signatures(rows, [], recorders)

    assert [(one.facts, one.how) for one in authors] == [(1, "role desk2"), (1, "role desk3")]
    assert wrong == []


def test_nobody_entered_a_log_without_facts() -> None:
    assert checked([], LISTED) == ([], [])


@pytest.mark.parametrize(
    ("recorders", "how", "other"),
    [
        (Recorders(), "role desk2, not checked", None),
        (Recorders(["desk2", "desk2"], "chief"), "role desk2", None),
        (Recorders(["desk2", "desk2"], "desk2"), "role desk2", None),
        (Recorders(["chief", "chief"], "chief"), "role desk2, copied in by chief", None),
        (Recorders(["desk2", "desk3"], "chief"), "claimed", "desk3"),
        (Recorders(["", "desk2"], "chief"), "claimed", ""),
    ],
)
def test_a_role_is_what_the_server_recorded(recorders: Recorders, how: str, other: str | None) -> None:
    rows = chain((fact(1, through="role:desk2"), None), (fact(2, through="role:desk2"), None))
    authors, wrong = check_signatures(rows, [], recorders)

    assert [(one.who, one.facts, one.how) for one in authors] == [("anna", 2, how)]
    told = [] if other is None else [(2, say("proof.role-otherwise", id="desk2", value=other))]
    assert wrong == told


@pytest.mark.parametrize(
    ("rows", "keys", "told"),
    [
        (chain((fact(1), BRUNO)), [LISTED], say("proof.signature-of-key-wrong", id="a7388b9f")),
        (
            chain((fact(1), ANNA)),
            [parse_listed(f"{BRUNO.verifier().line()} 2026-01-01 -")],
            say("proof.key-not-listed", id="a7388b9f"),
        ),
        (
            chain((fact(1, when="2027-01-01T00:00:00Z"), ANNA)),
            [LISTED],
            say("proof.key-silent-then", id="a7388b9f", when="2027-01-01T00:00:00Z"),
        ),
        (
            chain((fact(1, when="2025-12-31T23:59:59Z"), ANNA)),
            [LISTED],
            say("proof.key-silent-then", id="a7388b9f", when="2025-12-31T23:59:59Z"),
        ),
        (chain((fact(1), None)), [LISTED], say("proof.not-signed", id="a7388b9f")),
        (
            chain((fact(1), ANNA), (fact(2), ANNA)),
            [LISTED],
            say("proof.signed-in-the-middle"),
        ),
    ],
)
def test_what_is_wrong_with_a_signature_is_told(
    rows: list[StoredFact], keys: list[ListedKey], told: Message
) -> None:
    _, wrong = checked(rows, *keys)

    assert wrong == [(1, told)]


def test_a_signature_moved_to_another_place_is_wrong() -> None:
    """Same fact, same key, another tournament, version or predecessor."""
    one = seal(fact(1), GENESIS, ANNA.sign_bytes).fact
    elsewhere = [
        seal(msgspec.structs.replace(one, version=2), GENESIS),
        seal(one, "f" * 64),
        seal(msgspec.structs.replace(one, tournament="f" * 32), GENESIS),
        seal(msgspec.structs.replace(one, why="late"), GENESIS),
    ]

    for sealed in elsewhere:
        _, wrong = check_signatures([sealed.stored], [LISTED])
        assert [why.code for _, why in wrong] == ["proof.signature-of-key-wrong"]


def test_every_bit_of_a_signed_fact_counts() -> None:
    [row] = chain((fact(1), ANNA))
    version, topic = row.originator_version, row.topic
    payload, signature = signature_in(row.state)
    text = signed_text(GENESIS, "0123456789abcdef0123456789abcdef", version, topic, payload)
    assert ANNA.verifier().signed(text, signature)

    for place in range(0, len(text) * 8, 5):
        changed = bytearray(text)
        changed[place // 8] ^= 1 << place % 8
        assert not ANNA.verifier().signed(bytes(changed), signature)


def test_logs_of_before_stay_valid_and_say_claimed() -> None:
    report = verify(ID, ROWS, people=[LISTED])

    assert report.whole
    assert {one.how for one in report.authors} == {"claimed"}
    assert sum(one.facts for one in report.authors) == len(LOG)


def test_a_log_with_a_name_that_nobody_signed_for_is_not_whole() -> None:
    unsigned = resealed([*LOG[:-1], msgspec.structs.replace(LOG[-1], through=THROUGH)])

    report = verify(ID, rows_of(unsigned), people=[LISTED])

    assert graves(report) == [("signature", len(LOG))]
    assert report.findings[0].message == say(
        "verify.signature", version=len(LOG), what=say("proof.not-signed", id="a7388b9f")
    )


def test_a_list_of_keys_counts_if_a_trusted_key_signed_it() -> None:
    keys = [LISTED, parse_listed(f"{BRUNO.verifier().line()} 2026-03-01 -")]
    text = sign_list(keys, FEDERATION)

    assert parse_list(text, [FEDERATION.verifier()]) == keys
    assert text.startswith("paircard/keys\nanna.example+a7388b9f+")
    for wrong, told in (
        (text, say("proof.key-list-not-trusted")),
        (text.replace("2026-12-31", "2036-12-31"), say("proof.signature-wrong", name="fsi.it")),
        (text.replace("paircard/keys", "paircard/other"), say("proof.not-a-key-list")),
        (text.partition("\n\n")[0], say("proof.not-a-key-list")),
    ):
        trusted = [BRUNO.verifier()] if wrong == text else [FEDERATION.verifier()]
        with refuses(Invalid, told):
            parse_list(wrong, trusted)
    for line in ("x 2026-01-01 -", f"{ANNA.verifier().line()} 2026 -", ""):
        with pytest.raises(Invalid):
            parse_listed(line)


def test_a_locked_key_that_was_changed_is_refused() -> None:
    text = lock(ANNA, "correct horse")

    assert unlock(text, "correct horse") == ANNA
    for broken in (text[:-8], text[:-8] + "AAAAAAA=", text.replace("LOCKED+KEY+", "LOCKED+")):
        with pytest.raises(Invalid):
            unlock(broken, "correct horse")
