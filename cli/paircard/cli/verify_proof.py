#!/usr/bin/env python3
"""Verify a proof of one fact of a chess tournament without Paircard.

The file holds the fact, its place in the federation's log and the checkpoint that the federation signed. The
only thing you need besides is the federation's public key, one line of text; with --witness-key and --need
also keys of others who saw that log. Exit code 0 if the proof holds, 1 if not, 2 for wrong usage.
The format is c2sp.org/tlog-proof. Needs Python and the package cryptography, nothing else.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

LARGEST = 8 * 1024 * 1024
SIGNATURE, COSIGNATURE = 1, 4
NUMBER = "(0|[1-9][0-9]{0,17})"
NAME = r"[^\s\x00-\x1f\x7f-\x9f+]{1,200}"
HASH = "[A-Za-z0-9+/]{43}="
PROOF = re.compile(
    "c2sp\\.org/tlog-proof@v1\n"
    f"extra ([A-Za-z0-9+/=]+)\nindex {NUMBER}\n((?:{HASH}\n){{0,63}})\n"
    f"(({NAME})\n{NUMBER}\n({HASH})\n)\n((?:— {NAME} [A-Za-z0-9+/=]+\n){{1,64}})"
)
FACT = re.compile(
    rb"([0-9a-f]{64})\n([0-9a-f]{32})\n([1-9][0-9]{0,8})\n([a-z0-9/-]{1,60})\n(\{[^\n]*\})((?:\n\{[^\n]*\})*)"
)


class Broken(Exception):
    """Something does not hold."""


class Key(NamedTuple):
    """A public key: its owner, the kind of signature it makes, its id and its 32 bytes."""

    name: str
    kind: int
    id: bytes
    public: bytes


def decoded(text: str) -> bytes:
    """Bytes of base64, in the one spelling a program writes."""
    try:
        raw = base64.b64decode(text)
    except ValueError:
        raw = b""
    if base64.b64encode(raw).decode() != text:
        raise Broken(f"{text[:20]!r} is not base64")
    return raw


def read_key(text: str) -> Key:
    """A public key line name+id+base64."""
    if text.strip().startswith("PRIVATE+"):
        raise Broken("this is a private key: give the public one, which paircard key show prints")
    name, _, rest = text.strip().partition("+")
    id, _, encoded = rest.partition("+")
    try:
        raw = decoded(encoded)
    except Broken:
        raw = b""
    made = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if not name or len(raw) != 33 or raw[0] not in (SIGNATURE, COSIGNATURE) or made.hex() != id:
        raise Broken(f"{text.strip()[:12]!r}… is not a public key, name+id+base64 of Ed25519")
    return Key(name, raw[0], made, raw[1:])


def seen_at(key: Key, signatures: dict[tuple[str, bytes], bytes], text: str) -> int | None:
    """When a key signed (0 if it does not say), or None if it did not; refuses a wrong signature of it."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise Broken("signatures cannot be checked: pip install cryptography") from None
    signed = signatures.get((key.name, key.id))
    if signed is None:
        return None
    time, message = 0, text.encode()
    if key.kind == COSIGNATURE:
        time = int.from_bytes(signed[:8], "big")
        signed, message = signed[8:], f"cosignature/v1\ntime {time}\n{text}".encode()
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signed, message)
    except InvalidSignature:
        raise Broken(f"the signature of {key.name} is wrong") from None
    return time


def root_of(leaf: bytes, index: int, size: int, hashes: list[bytes]) -> bytes:
    """The root that a leaf and the hashes beside its way give (RFC 9162 2.1.3.2)."""
    if index >= size:
        raise Broken(f"there is no entry {index} in a tree of {size}")
    at, last, found = index, size - 1, hashlib.sha256(b"\x00" + leaf).digest()
    for sibling in hashes:
        if not last:
            raise Broken("the proof has too many hashes")
        if at & 1 or at == last:
            found = hashlib.sha256(b"\x01" + sibling + found).digest()
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = hashlib.sha256(b"\x01" + found + sibling).digest()
        at, last = at >> 1, last >> 1
    if last:
        raise Broken("the proof has too few hashes")
    return found


def verify(text: str, log: Key, witnesses: Sequence[Key] = (), need: int = 0) -> list[str]:
    """What the proof shows, in lines for people; refuses one that does not hold."""
    parts = PROOF.fullmatch(text) if len(text) <= LARGEST else None
    if not parts:
        raise Broken("this is not a proof (c2sp.org/tlog-proof@v1)")
    extra, index, path, signed, origin, size, root, below = parts.groups()
    signatures: dict[tuple[str, bytes], bytes] = {}
    for line in below[:-1].split("\n"):
        name, encoded = line[2:].split(" ")
        raw = decoded(encoded)
        if len(raw) < 5 or (name, raw[:4]) in signatures:
            raise Broken("a signature line is damaged, or a key appears twice")
        signatures[name, raw[:4]] = raw[4:]
    if log.kind != SIGNATURE or origin != log.name or seen_at(log, signatures, signed) is None:
        raise Broken(f"the checkpoint of {origin} is not signed by the key of {log.name}")
    seen = {key.name: seen_at(key, signatures, signed) for key in witnesses if key.kind == COSIGNATURE}
    times = {name: time for name, time in seen.items() if time is not None}
    if len(times) < need:
        raise Broken(f"{len(times)} of the witnesses you trust signed, {need} are needed")
    preimage = decoded(extra)
    fact = FACT.fullmatch(preimage)
    if not fact:
        raise Broken("the proof carries no fact of a tournament")
    tournament, version = fact[2].decode(), int(fact[3])
    entry = f"{tournament} {version} {hashlib.sha256(preimage[: fact.end(5)]).hexdigest()}\n".encode()
    if root_of(entry, int(index), int(size), list(map(decoded, path.split()))) != decoded(root):
        raise Broken("the fact is not in the tree that was signed")
    return [
        f"fact {version} of tournament {tournament} is entry {index} of the {size} that {origin} signed",
        *(f"seen by {name} at {clock_time(time)}" for name, time in times.items()),
        *shown_fact(fact[5], fact[6].split(b"\n")[1:]),
    ]


def clock_time(seconds: int) -> str:
    """A witness's time for people."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        raise Broken("a witness signed at a time that does not exist") from None


def shown_fact(payload: bytes, pieces: Sequence[bytes]) -> list[str]:
    """The fact as its own text, on one line, and the personal parts it commits to that are in the file."""
    hashes = [hashlib.sha256(piece).hexdigest() for piece in pieces]
    try:
        whole = json.loads(payload)
        parts = [json.loads(piece) for piece in pieces]
    except (ValueError, RecursionError):
        raise Broken("the fact cannot be read") from None
    committed = [hash for hash in whole.get("private", ()) if hash in hashes]
    if committed != hashes:
        raise Broken("a personal part is not one of the fact")
    lines = [whole, *({name: part[name] for name in part if name != "salt"} for part in parts)]
    left_out = len(whole.get("private", ())) - len(parts)
    more = [f"personal parts of this fact that are not in the file: {left_out}"] if left_out else []
    return [json.dumps(line, ensure_ascii=False) for line in lines] + more


def main(words: Sequence[str]) -> int:
    """Run from the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("proofs", nargs="+", metavar="PROOF", help="a file, or - for standard input")
    parser.add_argument("--key", required=True, help="the federation's public key, or a file with it")
    parser.add_argument("--witness-key", action="append", default=[], help="a witness you trust; repeat it")
    parser.add_argument("--need", type=int, default=0, help="how many of them must have signed [all given]")
    asked = parser.parse_args(words)
    try:
        log = read_key(key_text(asked.key))
        witnesses = [read_key(key_text(key)) for key in asked.witness_key]
        proofs = [(name, proof_text(name)) for name in asked.proofs]
    except (OSError, ValueError, Broken) as reason:
        print(f"verify_proof: {reason}", file=sys.stderr)
        return 2
    if asked.need < 0 or asked.need > len(witnesses):
        print(f"verify_proof: --need {asked.need} of {len(witnesses)} witness keys", file=sys.stderr)
        return 2
    broken = 0
    for name, text in proofs:
        try:
            print("\n".join(verify(text, log, witnesses, asked.need or len(witnesses))))
        except Broken as reason:
            print(f"BROKEN: {name}: {reason}")
            broken = 1
    return broken


def proof_text(name: str) -> str:
    """A proof from a file; programs that scan QR codes add or drop blank lines at the end."""
    text = sys.stdin.read() if name == "-" else text_in(name)
    return text.rstrip() + "\n"


def key_text(given: str) -> str:
    """The key itself, or what is in the file of that name."""
    return given if "+" in given else text_in(given)


def text_in(name: str) -> str:
    """The text of a file in UTF-8; a mark at its beginning or ends of lines as in mail do no harm."""
    if not name.strip():
        raise Broken("a name is empty: a file or a key is expected")
    try:
        return Path(name).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Broken(f"{name} is not a text in UTF-8") from None
    except OSError as trouble:
        raise Broken(f"{name}: {(trouble.strerror or str(trouble)).lower()}") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
