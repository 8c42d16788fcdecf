"""Checkpoints of a tree: the agreed example, strict reading, every flipped bit refused."""

import base64

import pytest

from paircard.domain.errors import Invalid
from paircard.domain.proof.note import (
    COSIGNATURE,
    Head,
    Signer,
    is_signed,
    parse_key,
    parse_tree_note,
)
from paircard.domain.proof.publishing import tree_entry

ROOT = base64.b64decode("OirKDwDac0kz3bbcDp/nFlkxHdrHyOBaktqosyzAzho=")
LOG = Signer("example.org/federation", bytes(range(32)))
WITNESS = Signer("witness1.example", b"\x01" * 32)
HEAD = Head("example.org/federation", 200200, ROOT)
SIGNED = "pp/dDQsuUw5xI/vV3/BGWo9BU20ftvUrSkqFfwD0ysae9OQDgO0pf+YPenAilCm3cjc+qgPB0YzcVLc+ZGFTw+lOYAM="
COSIGNED = (
    "0AicBgAAAABq+ya07q66FkQsL0yzrJqzcMDnPTTPyBCk3EuOK1pwCDnOT1/yeWHBH1PnfIb04lKJG8fr+MwQmGTGnlRPyWRTzlYnDw=="
)
CHECKPOINT = f"""example.org/federation
200200
OirKDwDac0kz3bbcDp/nFlkxHdrHyOBaktqosyzAzho=

— example.org/federation {SIGNED}
— witness1.example {COSIGNED}
"""


def test_the_agreed_example_is_what_we_sign_and_read() -> None:
    note = LOG.sign(HEAD)
    stamp = int.from_bytes(base64.b64decode("AAAAAGr7JrQ="), "big")

    assert note.with_lines([WITNESS.cosign(HEAD, stamp)]).text() == CHECKPOINT
    read = parse_tree_note(CHECKPOINT)
    assert read.head == HEAD
    assert is_signed(read, LOG.verifier())
    assert is_signed(read, WITNESS.verifier(COSIGNATURE))
    assert not is_signed(read, WITNESS.verifier())
    assert read.text() == CHECKPOINT


def test_an_entry_names_tournament_version_and_hash() -> None:
    entry = tree_entry("0273e7d45dbcb02a2ccdcceadbcc1a97", 299, "bf" * 32)
    assert entry == b"0273e7d45dbcb02a2ccdcceadbcc1a97 299 " + b"bf" * 32 + b"\n"


def test_public_keys_of_logs_and_of_witnesses_are_told_apart() -> None:
    assert parse_key(LOG.verifier().line()) == LOG.verifier()
    assert parse_key(WITNESS.verifier(COSIGNATURE).line(), COSIGNATURE) == WITNESS.verifier(COSIGNATURE)
    for damaged in ("", "a+b", LOG.verifier().line().replace("+A", "+B"), "x" + LOG.verifier().line()):
        with pytest.raises(Invalid):
            parse_key(damaged)


def test_no_flipped_bit_of_a_checkpoint_is_accepted() -> None:
    content = CHECKPOINT.encode()
    for at in range(len(content) * 8):
        flipped = bytearray(content)
        flipped[at // 8] ^= 1 << at % 8
        try:
            note = parse_tree_note(flipped.decode())
            accepted = is_signed(note, LOG.verifier()) and is_signed(note, WITNESS.verifier(COSIGNATURE))
        except (Invalid, UnicodeDecodeError):
            accepted = False
        assert not accepted, f"bit {at}"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("200200", "0200200"),
        lambda text: text.replace("\n\n", "\n\n\n"),
        lambda text: text.replace("\n\n", "\nextension\n\n"),
        lambda text: text + text.splitlines(keepends=True)[-1],
        lambda text: text.replace("— w", "- w"),
        lambda text: text.replace("zho=\n", "zhp=\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.partition("\n\n")[0] + "\n",
        lambda text: "",
        lambda text: text * 200,
    ],
)
def test_what_is_not_exactly_a_checkpoint_is_refused(change: "object") -> None:
    assert callable(change)
    with pytest.raises(Invalid):
        parse_tree_note(change(CHECKPOINT))
