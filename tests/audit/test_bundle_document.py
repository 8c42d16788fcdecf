"""A reader of bundles written from the words of docs/file-format.md alone: they are enough."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from paircard.cli import verify as alone
from paircard.domain.errors import CorruptFile, Invalid
from paircard.domain.proof.bundles import read_bundle
from tests.audit.command_line import ok
from tests.roots import ROOT

SPELLED = {
    "<id>": "([0-9a-f]{32})",
    "<hash>": "([0-9a-f]{64})",
    "<number>": "([1-9][0-9]*)",
    "<topic>": "([a-z0-9/-]+)",
    "<truth>": "(true|false)",
    "<object>": r"(\{.*\})",
    "<string>": r'("(?:[^"\\]|\\.)*")',
}


def kinds() -> list[re.Pattern[bytes]]:
    """The kinds of lines, as the section of the document spells them, in their order."""
    text = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    section = text.partition("## A bundle\n")[2].partition("\n## ")[0]
    found = []
    for line in re.findall(r"^    (\{.*\})$", section, re.MULTILINE):
        pattern = re.escape(line)
        for mark, spelled in SPELLED.items():
            pattern = pattern.replace(re.escape(mark), spelled)
        found.append(re.compile(pattern.encode()))
    return found


class Wrong(Exception):
    """Not a bundle by the document."""


def read(content: bytes) -> dict[str, int]:
    """How many lines of each kind there are; refuses what the document does not allow."""
    heading, *others = kinds()
    lines = content.split(b"\n")
    if lines.pop() != b"" or not (said := heading.fullmatch(lines[0])):
        raise Wrong("heading")
    found: list[list[tuple[bytes, ...]]] = [[] for _ in others]
    stage = 0
    for line in lines[1:]:
        while stage < len(others) and not others[stage].fullmatch(line):
            stage += 1
        if stage == len(others):
            raise Wrong(line.decode())
        match = others[stage].fullmatch(line)
        assert match
        found[stage].append(match.groups())
    facts, parts, checkpoints = found
    check_facts(said.groups(), facts)
    committed = {
        (version, hash) for version, _, stored in facts for hash in json.loads(stored).get("private", ())
    }
    erased = {
        (str(of).encode(), hash)
        for _, topic, stored in facts
        if topic == b"person-erased/1"
        for of, hash in json.loads(stored)["fact"]["pieces"]
    }
    there = {(version, sha256(part).hexdigest()) for version, part in parts}
    if not there <= committed or not committed - there <= erased:
        raise Wrong("personal parts")
    return {"facts": len(facts), "parts": len(parts), "erased": len(committed - there)} | {
        "checkpoints": sum(json.loads(text).startswith("paircard/") for (text,) in checkpoints)
    }


def check_facts(heading: tuple[bytes, ...], facts: list[tuple[bytes, ...]]) -> None:
    """The chain, as the document's section about facts has it."""
    id, length, head, _ = heading
    previous = b"0" * 64
    for at, (version, topic, stored) in enumerate(facts, start=1):
        payload = stored[:-153] + b"}"
        hash = sha256(b"\n".join([previous, id, version, topic, payload])).hexdigest().encode()
        if int(version) != at or stored[-153:] != b',"previous":"%b","hash":"%b"}' % (previous, hash):
            raise Wrong(f"fact {at}")
        previous = hash
    if (int(length), head) != (len(facts), previous):
        raise Wrong("length or head")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A bundle with every kind of line: names, a reason, somebody erased, a checkpoint."""
    folder = tmp_path_factory.mktemp("bundle")
    path, out = folder / "open.db", folder / "open.bundle"
    ok(path, "key", "new", "arbiter", "-o", str(folder / "a.key"))
    ok(path, "new", "Open", "--rounds", "3")
    for name in ("Ada", "Ben", "Cleo", "Dag"):
        ok(path, "player", "add", name, "--birth", "1990-04-23")
    ok(path, "draw", "--colour", "white")
    ok(path, "pair")
    ok(path, "publish", "--key", str(folder / "a.key"))
    ok(path, "result", "1", "1", "1-0")
    ok(path, "correct", "1", "1", "0-1", "--why", "both score sheets say so")
    ok(path, "erase", "Dag", "--why", "asked for it", "--ack", "erase-while-running")
    ok(path, "log", "export", str(out))
    return out.read_bytes()


def test_the_document_is_enough_to_read_a_bundle_with_every_kind_of_line(bundle: bytes) -> None:
    found = read(bundle)
    assert all(found.values()), found
    assert len(read_bundle(bundle).rows) == found["facts"]
    assert alone.verify_bundle(bundle)[1]


STRANGE = {
    "an unknown kind": lambda lines: [*lines, b'{"photo":"x"}'],
    "a fact after a personal part": lambda lines: [*lines, lines[1]],
    "a personal part after a checkpoint": lambda lines: [*lines, *(x for x in lines if b'"private":{' in x)],
    "a personal part left out": lambda lines: [x for x in lines if b'"salt"' not in x or b"Ada" not in x],
    "a personal part of another": lambda lines: [x.replace(b'"Ada"', b'"Eva"') for x in lines],
    "a fact left out": lambda lines: [lines[0], *lines[2:]],
    "a heading of a newer version": lambda lines: [lines[0].replace(b"bundle/1", b"bundle/2"), *lines[1:]],
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_the_document_does_not_allow_is_refused_by_all_readers(bundle: bytes, name: str) -> None:
    content = b"\n".join(STRANGE[name](bundle.splitlines())) + b"\n"
    with pytest.raises(Wrong):
        read(content)
    told, whole = alone.verify_bundle(content)
    assert not whole
    if name != "a personal part left out":  # what is missing without a word shows when it is verified
        with pytest.raises((CorruptFile, Invalid)) as refused:
            read_bundle(content)
        assert "newer" in told[0] or "fact" in told[0]
        if name in ("an unknown kind", "a heading of a newer version"):
            assert "newer" in told[0]
            assert "newer" in str(refused.value)


def test_a_bundle_of_an_early_version_has_no_word_on_pseudonyms(bundle: bytes) -> None:
    early = bundle.replace(b',"pseudonymous":false', b"", 1)
    assert read_bundle(early).rows == read_bundle(bundle).rows
    assert alone.verify_bundle(early)[1]
    assert Path(alone.__file__).is_file()
