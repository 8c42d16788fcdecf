#!/usr/bin/env python3
"""Verify a bundle of a chess tournament without Paircard.

Checks that the log is whole: every fact carries the hash of the one before it and its own. Checks that it
begins with what each checkpoint, in the bundle or in a file of its own, says; with --key also that a key
you trust signed it. What a bundle alone cannot show: that its end was cut off, or all of it made anew.
For that hold a checkpoint from elsewhere against it. Pairings are not made again here: paircard replay.
The format is in docs/file-format.md. Exit code 0 if everything holds, 1 if not, 2 for wrong usage.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

Fact = tuple[int, str, bytes]
Piece = tuple[int, str]
Heading = tuple[str, int, str, bool]
Key = tuple[str, bytes, bytes]
Answer = tuple[list[str], bool]

HEADING = re.compile(
    rb'\{"paircard":"bundle/1","tournament":"([0-9a-f]{32})","length":([1-9][0-9]{0,8}),'
    rb'"head":"([0-9a-f]{64})"(?:,"pseudonymous":(true|false))?\}'
)
FACT = re.compile(rb'\{"version":([1-9][0-9]{0,8}),"topic":"([a-z0-9/-]{1,60})","stored":(\{.*\})\}')
PIECE = re.compile(rb'\{"version":([1-9][0-9]{0,8}),"private":(\{.*\})\}')
HELD = re.compile(rb'\{"checkpoint":("(?:[^"\\]|\\.)*")\}')
TAIL = re.compile(rb',"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}')
TAIL_LENGTH = len(',"previous":"","hash":""}') + 2 * 64
NOTE = re.compile("paircard/([0-9a-f]{32})\n([1-9][0-9]{0,8})\n([A-Za-z0-9+/]{43}=)\n")
SIGNATURE = re.compile("— ([^ ]+) ([A-Za-z0-9+/=]+)")
MARK = "pseudonymous copy: personal data replaced, the chain is this copy's own"


class Broken(Exception):
    """Something does not hold."""


def read_bundle(content: bytes) -> tuple[Heading, list[Fact], list[Piece], list[str]]:
    """Heading as (tournament, length, head, whether it is a pseudonymous copy), facts as (version, topic,
    stored bytes), personal parts as (version, hash), checkpoints; each line as it is written, no other."""
    if not content.endswith(b"\n"):
        raise Broken("the file ends in the middle of a line")
    first, *lines = content[:-1].split(b"\n")
    if not (said := HEADING.fullmatch(first)):
        newer = re.match(rb'\{"paircard":"bundle/((?!1")[0-9]{1,9})"', first)
        by = f", but of a bundle/{newer[1].decode()}, made by a newer paircard" if newer else ""
        raise Broken(f"line 1 is not the heading of a bundle/1{by}")
    heading = said[1].decode(), int(said[2]), said[3].decode(), said[4] == b"true"
    facts: list[Fact] = []
    pieces: list[Piece] = []
    notes: list[str] = []
    for number, line in enumerate(lines, start=2):
        found = FACT.fullmatch(line)
        if found and not notes and not pieces:
            facts.append((int(found[1]), found[2].decode(), found[3]))
            continue
        if (piece := PIECE.fullmatch(line)) and not notes:
            pieces.append((int(piece[1]), hashlib.sha256(piece[2]).hexdigest()))
            continue
        try:
            held = HELD.fullmatch(line)
            notes.append(json.loads(held[1].decode()) if held else "")
            notes[-1].encode()  # refuses half a character
        except ValueError:
            held = None
        if not held:
            raise Broken(
                f"line {number} is neither a fact nor a personal part nor a checkpoint where it may stand: "
                "the bundle is damaged, or a newer paircard made it"
            )
    return heading, facts, pieces, notes


def check_chain(tournament: str, facts: list[Fact]) -> list[str]:
    """The hash of every fact; refuses the first that does not belong where it stands."""
    hashes = ["0" * 64]
    for place, (version, topic, stored) in enumerate(facts, start=1):
        if version != place:
            raise Broken(f"fact {place} is missing")
        tail = TAIL.fullmatch(stored[-TAIL_LENGTH:])
        payload = stored[:-TAIL_LENGTH] + b"}"
        above = f"{hashes[-1]}\n{tournament}\n{version}\n{topic}\n".encode()
        made = hashlib.sha256(above + payload).hexdigest()
        if not tail or tail[1].decode() != hashes[-1] or tail[2].decode() != made:
            raise Broken(f"fact {version} was changed after it was recorded, or does not belong there")
        try:
            kind = json.loads(payload)["fact"]["type"]
        except (ValueError, KeyError, TypeError, RecursionError):
            kind = "unreadable"
        if kind != topic.partition("/")[0]:
            raise Broken(f"fact {version} is {kind}, not {topic}")
        hashes.append(made)
    return hashes[1:]


def check_pieces(facts: list[Fact], pieces: list[Piece]) -> int:
    """How many personal parts were erased; refuses one no fact names, and one that is gone without a word."""
    named, erased = set[Piece](), set[Piece]()
    for version, topic, stored in facts:
        try:
            whole = json.loads(stored)
            named |= {(version, str(hash)) for hash in whole.get("private", ())}
            if topic.startswith("person-erased/"):
                erased |= {(int(of), str(hash)) for of, hash in whole["fact"]["pieces"]}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Broken(f"fact {version} cannot be read") from None
    if strange := set(pieces) - named:
        raise Broken(f"fact {min(strange)[0]} names no such personal part: it was changed or put there")
    if lost := named - set(pieces) - erased:
        raise Broken(f"a personal part of fact {min(lost)[0]} is missing, and nobody erased it")
    return len(named - set(pieces))


def read_note(text: str) -> tuple[str, str, int, str, list[tuple[str, bytes]]]:
    """Signed text, tournament, size, hash and signatures of a checkpoint."""
    body, gap, below = text.partition("\n\n")
    signed_text = body + "\n"
    found = NOTE.match(signed_text)
    if not found or not gap or not below.endswith("\n"):
        raise Broken("not a checkpoint: origin, size, hash, an empty line, signatures")
    signatures = []
    for line in below[:-1].split("\n"):
        if not (signed := SIGNATURE.fullmatch(line)):
            raise Broken("not a signature line under the checkpoint")
        signatures.append((signed[1], decoded(signed[2])))
        if len(signatures[-1][1]) < 5:
            raise Broken("not a signature line under the checkpoint")
    return signed_text, found[1], int(found[2]), decoded(found[3]).hex(), signatures


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
    """Name, id and public key of a line name+id+base64."""
    if text.strip().startswith("PRIVATE+"):
        raise Broken("this is a private key: give the public one, which paircard key show prints")
    name, _, rest = text.strip().partition("+")
    id, _, encoded = rest.partition("+")
    raw = decoded(encoded)
    made = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if len(raw) != 33 or raw[0] != 1 or made.hex() != id:
        raise Broken("not a public key, name+id+base64 of Ed25519")
    return name, made, raw[1:]


def signers(text: str, signatures: list[tuple[str, bytes]], keys: Sequence[Key]) -> list[str]:
    """Names of the trusted keys that signed; refuses a wrong signature of one of them."""
    if not keys:
        return []
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise Broken("signatures cannot be checked: pip install cryptography") from None
    names = []
    for name, id, public in keys:
        for signer, signed in signatures:
            if (signer, signed[:4]) == (name, id):
                try:
                    Ed25519PublicKey.from_public_bytes(public).verify(signed[4:], text.encode())
                except InvalidSignature:
                    raise Broken(f"the signature of {name} is wrong") from None
                names.append(name)
    return names


def check_note(
    note: str, tournament: str, hashes: list[str], keys: Sequence[Key], inside: bool
) -> tuple[str, bool]:
    """What the checkpoint proves, in words, and whether a trusted key signed it."""
    text, of, size, head, signatures = read_note(note)
    names = signers(text, signatures, keys)
    if of != tournament:
        raise Broken(f"it is of another tournament, {of}")
    if size > len(hashes):
        raise Broken(f"{size} facts were signed, the bundle has {len(hashes)}: its end was cut off")
    if hashes[size - 1] != head:
        raise Broken(f"the first {size} facts are not those that were signed: the log was rewritten")
    if keys and not names and not inside:
        raise Broken("no key you trust signed it")
    by = ", ".join(names) or ("no key you trust" if keys else "somebody, give --key to check it")
    return f"the log begins with the {size} facts it names, signed by {by}", bool(names)


def verify(bundle: bytes, notes: Sequence[tuple[str, str]] = (), keys: Sequence[Key] = ()) -> Answer:
    """Lines for people, and whether everything holds."""
    try:
        (tournament, length, head, copied), facts, pieces, inside = read_bundle(bundle)
        hashes = check_chain(tournament, facts)
        erased = check_pieces(facts, pieces)
        if not hashes or (length, head) != (len(hashes), hashes[-1]):
            raise Broken("the heading names another length or head: facts are missing")
        if copied is not (json.loads(facts[0][2]).get("why") == MARK):
            raise Broken("heading and first fact disagree about a pseudonymous copy: the mark was changed")
    except Broken as reason:
        return [f"BROKEN: {reason}"], False
    copy = ", a pseudonymous copy" if copied else ""
    lines, whole, proven = [f"{len(hashes)} facts, chain whole, head {hashes[-1]}{copy}"], True, not keys
    if erased:
        lines.append(f"{erased} personal parts were erased on request")
    for name, note in [*(("", note) for note in inside), *notes]:
        where = f"checkpoint ({name or 'bundle'})"
        try:
            words, signed = check_note(note, tournament, hashes, keys, not name)
            lines.append(f"{where}: {words}")
            proven = proven or signed
        except Broken as reason:
            lines.append(f"BROKEN: {where}: {reason}")
            whole = False
    if whole and not proven:
        lines.append("BROKEN: nothing here is signed by a key you trust")
        whole = False
    unseen = "not compared with any checkpoint held by others: a cut or rewritten log would not show"
    return lines if notes else [*lines, unseen], whole


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


def main(words: Sequence[str]) -> int:
    """Run from the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("checkpoint", nargs="*")
    parser.add_argument("--key", action="append", default=[], help="a public key you trust, or its file")
    asked = parser.parse_args(words)
    try:
        keys = [read_key(key if "+" in key else text_in(key)) for key in asked.key]
        notes = [(Path(name).name, text_in(name)) for name in asked.checkpoint]
        bundle = Path(asked.bundle).read_bytes()
    except OSError as trouble:
        print(f"verify_bundle: {asked.bundle}: {(trouble.strerror or '').lower()}", file=sys.stderr)
        return 2
    except Broken as reason:
        print(f"verify_bundle: {reason}", file=sys.stderr)
        return 2
    lines, whole = verify(bundle, notes, keys)
    print("\n".join(lines))
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
