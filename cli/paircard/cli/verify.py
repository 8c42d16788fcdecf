#!/usr/bin/env python3
"""Verify what was handed out of a chess tournament without Paircard: a bundle, or proofs of single facts.

A bundle is a whole log. Checks that every fact carries the hash of the one before it and its own, and that
the log begins with what each checkpoint, in the bundle or in a file of its own, says; with --key also that a
key you trust signed it. What a bundle alone cannot show: that its end was cut off, or all of it made anew.
For that hold a checkpoint from elsewhere against it. Pairings are not made again here: paircard replay.

A proof holds one fact, its place in the federation's log and the checkpoint that the federation signed. It
needs the federation's public key, one line of text; with --witness-key and --need also keys of others who
saw that log.

The formats are in docs/file-format.md and docs/transparency.md. Needs Python, and for signatures the package
cryptography. Exit code 0 if everything holds, 1 if not, 2 for wrong usage or if that package is missing.
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

Fact = tuple[int, str, bytes]
Piece = tuple[int, str]
Heading = tuple[str, int, str, bool]
Answer = tuple[list[str], bool]

SIGNATURE, COSIGNATURE = 1, 4
MOST_SIGNATURES = 64
LARGEST_PROOF = 8 * 1024 * 1024
NUMBER = "(0|[1-9][0-9]{0,17})"
NAME = r"[^\s\x00-\x1f\x7f-\x9f+]{1,200}"
HASH = "[A-Za-z0-9+/]{43}="
NOTE = re.compile(
    f"(({NAME})\n{NUMBER}\n({HASH})\n((?:[^\x00-\x1f]+\n)*))\n((?:— {NAME} [A-Za-z0-9+/=]+\n)+)"
)
TOURNAMENT = re.compile("paircard/([0-9a-f]{32})")
PROOF_KIND = b"c2sp.org/tlog-proof"
PROOF = re.compile(
    f"c2sp\\.org/tlog-proof@v1\nextra ([A-Za-z0-9+/=]+)\nindex {NUMBER}\n((?:{HASH}\n){{0,63}})\n"
)
PROVEN = re.compile(
    rb"([0-9a-f]{64})\n([0-9a-f]{32})\n([1-9][0-9]{0,8})\n([a-z0-9/-]{1,60})\n(\{[^\n]*\})((?:\n\{[^\n]*\})*)"
)
HEADING = re.compile(
    rb'\{"paircard":"bundle/1","tournament":"([0-9a-f]{32})","length":([1-9][0-9]{0,8}),'
    rb'"head":"([0-9a-f]{64})"(?:,"pseudonymous":(true|false))?\}'
)
FACT = re.compile(rb'\{"version":([1-9][0-9]{0,8}),"topic":"([a-z0-9/-]{1,60})","stored":(\{.*\})\}')
PIECE = re.compile(rb'\{"version":([1-9][0-9]{0,8}),"private":(\{.*\})\}')
HELD = re.compile(rb'\{"checkpoint":("(?:[^"\\]|\\.)*")\}')
TAIL = re.compile(rb',"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}')
TAIL_LENGTH = len(',"previous":"","hash":""}') + 2 * 64
MARK = "pseudonymous copy: personal data replaced, the chain is this copy's own"


class Broken(Exception):
    """Something does not hold."""


class Unchecked(Exception):
    """Whether something holds cannot be found out here."""


class Key(NamedTuple):
    """A public key: its owner, the kind of signature it makes, its id and its 32 bytes."""

    name: str
    kind: int
    id: bytes
    public: bytes


class Note(NamedTuple):
    """A checkpoint with its signatures: name and id of the key, and what it signed with."""

    text: str
    origin: str
    size: int
    root: bytes
    more: str
    signatures: Sequence[tuple[str, bytes, bytes]]


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
    raw = decoded(encoded)
    made = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if not name or len(raw) != 33 or raw[0] not in (SIGNATURE, COSIGNATURE) or made.hex() != id:
        raise Broken("not a public key, name+id+base64 of Ed25519")
    return Key(name, raw[0], made, raw[1:])


def read_note(text: str) -> Note:
    """A checkpoint as a program writes it; further signed lines may follow the first three."""
    found = NOTE.fullmatch(text)
    if not found:
        raise Broken("not a checkpoint: origin, size, hash, an empty line, signatures")
    signatures = []
    for line in found[6][:-1].split("\n"):
        name, encoded = line[2:].split(" ")
        raw = decoded(encoded)
        if len(raw) < 5:
            raise Broken("not a signature line under the checkpoint")
        signatures.append((name, raw[:4], raw[4:]))
    return Note(found[1], found[2], int(found[3]), decoded(found[4]), found[5], signatures)


def seen_at(key: Key, note: Note) -> int | None:
    """When a key signed (0 if it does not say), or None if it did not; refuses a wrong signature of it."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise Unchecked(
            "signatures cannot be checked here, which says nothing against the file: pip install cryptography"
        ) from None
    time = None
    for name, id, signed in note.signatures:
        if (name, id) != (key.name, key.id):
            continue
        time, message = 0, note.text.encode()
        if key.kind == COSIGNATURE:
            time = int.from_bytes(signed[:8], "big")
            signed, message = signed[8:], f"cosignature/v1\ntime {time}\n{note.text}".encode()
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(signed, message)
        except InvalidSignature:
            raise Broken(f"the signature of {key.name} is wrong") from None
    return time


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


def check_note(
    text: str, tournament: str, hashes: list[str], keys: Sequence[Key], inside: bool
) -> tuple[str, bool]:
    """What the checkpoint proves, in words, and whether a trusted key signed it."""
    note = read_note(text)
    size, of = note.size, TOURNAMENT.fullmatch(note.origin)
    if not of or not 1 <= size < 10**9:
        raise Broken("not a checkpoint of a tournament")
    names = [key.name for key in keys if seen_at(key, note) is not None]
    if of[1] != tournament:
        raise Broken(f"it is of another tournament, {of[1]}")
    if size > len(hashes):
        raise Broken(f"{size} facts were signed, the bundle has {len(hashes)}: its end was cut off")
    if hashes[size - 1] != note.root.hex():
        raise Broken(f"the first {size} facts are not those that were signed: the log was rewritten")
    if keys and not names and not inside:
        raise Broken("no key you trust signed it")
    by = ", ".join(names) or ("no key you trust" if keys else "somebody, give --key to check it")
    return f"the log begins with the {size} facts it names, signed by {by}", bool(names)


def verify_bundle(bundle: bytes, notes: Sequence[tuple[str, str]] = (), keys: Sequence[Key] = ()) -> Answer:
    """What a bundle shows, in lines for people, and whether everything holds."""
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


def verify_proof(text: str, log: Key, witnesses: Sequence[Key] = (), need: int = 0) -> list[str]:
    """What a proof shows, in lines for people; refuses one that does not hold."""
    found = PROOF.match(text) if len(text) <= LARGEST_PROOF else None
    if not found:
        raise Broken("this is not a proof (c2sp.org/tlog-proof@v1)")
    note = read_note(text[found.end() :])
    keys = {(name, id) for name, id, _ in note.signatures}
    if note.more or len(note.signatures) > MOST_SIGNATURES or len(keys) < len(note.signatures):
        raise Broken("the checkpoint of a proof has three lines, and at most 64 signatures, no key twice")
    if log.kind != SIGNATURE or note.origin != log.name or seen_at(log, note) is None:
        raise Broken(f"the checkpoint of {note.origin} is not signed by the key of {log.name}")
    seen = {key.name: seen_at(key, note) for key in witnesses if key.kind == COSIGNATURE}
    times = {name: time for name, time in seen.items() if time is not None}
    if len(times) < need:
        raise Broken(f"{len(times)} of the witnesses you trust signed, {need} are needed")
    preimage, index = decoded(found[1]), int(found[2])
    fact = PROVEN.fullmatch(preimage)
    if not fact:
        raise Broken("the proof carries no fact of a tournament")
    tournament, version, place = fact[2].decode(), int(fact[3]), f"entry {index} of the {note.size}"
    entry = f"{tournament} {version} {hashlib.sha256(preimage[: fact.end(5)]).hexdigest()}\n".encode()
    if root_of(entry, index, note.size, list(map(decoded, found[3].split()))) != note.root:
        raise Broken("the fact is not in the tree that was signed")
    return [
        f"fact {version} of tournament {tournament} is {place} that {log.name} signed",
        *(f"seen by {name} at {clock_time(time)}" for name, time in times.items()),
        *shown_fact(fact[5], fact[6].split(b"\n")[1:]),
    ]


def root_of(leaf: bytes, index: int, size: int, hashes: list[bytes]) -> bytes:
    """The root of a tree, from a leaf and the hashes of its inclusion path (RFC 9162 2.1.3.2)."""
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


def content_of(name: str) -> bytes:
    """What is in a file, or comes from standard input."""
    if not name.strip():
        raise Broken("a name is empty: a file or a key is expected")
    try:
        return sys.stdin.read().encode() if name == "-" else Path(name).read_bytes()
    except OSError as trouble:
        raise Broken(f"{name}: {(trouble.strerror or str(trouble)).lower()}") from None


def text_of(name: str, content: bytes) -> str:
    """Text in UTF-8; a mark at its beginning or ends of lines as in mail do no harm."""
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Broken(f"{name} is not a text in UTF-8") from None


def key_of(given: str) -> Key:
    """The key itself, or what is in the file of that name."""
    return read_key(given if "+" in given else text_of(given, content_of(given)))


def is_proof(content: bytes) -> bool:
    """Whether a file is a proof; else it is to be a bundle."""
    return content.removeprefix(b"\xef\xbb\xbf").startswith(PROOF_KIND)


def check_proofs(proofs: Sequence[tuple[str, str]], log: Key, witnesses: Sequence[Key], need: int) -> Answer:
    """What every proof shows; programs that scan QR codes add or drop blank lines at the end."""
    lines, whole = [], True
    for name, text in proofs:
        try:
            lines += verify_proof(text.rstrip() + "\n", log, witnesses, need)
        except Broken as reason:
            lines.append(f"BROKEN: {name}: {reason}")
            whole = False
    return lines, whole


def main(words: Sequence[str]) -> int:
    """Run from the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", help="a bundle or a proof; - for standard input")
    parser.add_argument("more", nargs="*", help="checkpoints to hold against the bundle, or more proofs")
    parser.add_argument("--key", action="append", default=[], help="a public key you trust, or its file")
    parser.add_argument("--witness-key", action="append", default=[], help="a witness you trust; repeat it")
    parser.add_argument("--need", type=int, default=0, help="how many of them must have signed [all given]")
    asked = parser.parse_args(words)
    try:
        keys, witnesses = list(map(key_of, asked.key)), list(map(key_of, asked.witness_key))
        content = content_of(asked.file)
        more = [(name, text_of(name, content_of(name))) for name in asked.more]
        if is_proof(content):
            proofs = [(asked.file, text_of(asked.file, content)), *more]
            if len(keys) != 1:
                raise Broken("a proof is checked with one --key, that of the federation")
            if not 0 <= asked.need <= len(witnesses):
                raise Broken(f"--need {asked.need} of {len(witnesses)} witness keys")
            lines, whole = check_proofs(proofs, keys[0], witnesses, asked.need or len(witnesses))
        else:
            if witnesses or asked.need:
                raise Broken("--witness-key and --need are for proofs, this is a bundle")
            if any(key.kind != SIGNATURE for key in keys):
                raise Broken("--key is the key of a witness, who signs no bundle")
            lines, whole = verify_bundle(content, [(Path(name).name, text) for name, text in more], keys)
    except (Broken, Unchecked) as reason:
        print(f"verify: {reason}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
