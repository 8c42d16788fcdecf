"""Bundles, and the verifier that needs no Paircard: two implementations agree.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import base64
import io
import json
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path

import click
import msgspec
import pytest

from paircard.cli import verify as alone
from paircard.cli.text_files import read_signed
from paircard.domain.errors import CorruptFile, Invalid, Refused
from paircard.domain.events import Event, PersonErased, TournamentImported, TournamentOpened
from paircard.domain.log.stored import (
    GENESIS,
    StoredFact,
    decode_chain,
    decode_payload,
    erased_parts,
    link_hash,
    seal,
    without_parts,
)
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import (
    LONGEST_IMPORTED,
    LONGEST_REASON,
    Bundle,
    check_words,
    read_bundle,
    sensible,
    write_bundle,
)
from paircard.domain.proof.checkpoints import Checkpoint, parse_checkpoint
from paircard.domain.proof.note import parse_key, parse_note
from paircard.domain.values.regulations import Regulations
from paircard.projections.public import pseudonymous
from paircard.service.review.verify import verify
from tests.audit.lives import rows
from tests.audit.quiet import (
    ARBITER,
    END,
    FEDERATION,
    HASHES,
    ID,
    LOG,
    ROWS,
    bundle,
    graves,
    note_of,
    resealed,
    standalone_key,
)
from tests.refusals import refuses


def test_a_bundle_carries_facts_and_checkpoints_byte_for_byte() -> None:
    found = read_bundle(bundle())

    assert isinstance(found, Bundle)
    assert list(found.rows) == ROWS
    assert found.checkpoints == (note_of(9), note_of(END, ARBITER))
    heading = found.heading
    assert (heading.tournament, heading.length, heading.head) == (ID, END, HASHES[-1])
    assert not heading.pseudonymous
    for line in bundle().decode().splitlines():
        json.loads(line)
    with pytest.raises(CorruptFile):
        write_bundle(ID, ROWS[1:])


def test_the_verifier_without_paircard_says_the_same() -> None:
    lines, whole = alone.verify_bundle(bundle(), [("held", note_of(4))], [standalone_key(FEDERATION)])
    assert whole, "what lies in the bundle may be signed by others too"
    assert lines[2] == (
        f"checkpoint (bundle): the log begins with the {END} facts it names, signed by no key you trust"
    )
    keys = [standalone_key(FEDERATION), standalone_key(ARBITER)]
    lines, whole = alone.verify_bundle(bundle(), [("held", note_of(4))], keys)
    assert whole
    assert lines == [
        f"{END} facts, chain whole, head {HASHES[-1]}",
        "checkpoint (bundle): the log begins with the 9 facts it names, signed by fsi.it",
        f"checkpoint (bundle): the log begins with the {END} facts it names, signed by arbiter7",
        "checkpoint (held): the log begins with the 4 facts it names, signed by fsi.it",
    ]
    lines, whole = alone.verify_bundle(bundle())
    assert whole
    assert lines[1].endswith("signed by somebody, give --key to check it")
    assert lines[-1] == (
        "not compared with any checkpoint held by others: a cut or rewritten log would not show"
    )


def test_the_mark_of_a_pseudonymous_copy_is_in_its_chain_and_cannot_be_taken_off_or_put_on() -> None:
    copy = pseudonymous(LOG, "c" * 32)
    content = write_bundle("c" * 32, rows(copy))
    heading, rest = content.split(b"\n", 1)
    assert read_bundle(content).heading.pseudonymous
    lines, whole = alone.verify_bundle(content)
    assert whole
    assert lines[0].endswith(", a pseudonymous copy")

    stripped = heading.replace(b'"pseudonymous":true', b'"pseudonymous":false')
    left_out = heading.replace(b',"pseudonymous":true', b"")
    put_on = bundle().replace(b'"pseudonymous":false', b'"pseudonymous":true', 1)
    for forged in (stripped + b"\n" + rest, left_out + b"\n" + rest, put_on):
        with refuses(CorruptFile, "proof.bundle-mark"):
            read_bundle(forged)
        said = "heading and first fact disagree about a pseudonymous copy: the mark was changed"
        assert alone.verify_bundle(forged) == ([f"BROKEN: {said}"], False)
    with refuses(CorruptFile, "proof.bundle-mark", yes=False):
        read_bundle(stripped + b"\n" + rest)
    with refuses(CorruptFile, "proof.bundle-mark", yes=True):
        read_bundle(put_on)


def test_both_verifiers_hold_a_bundle_against_a_checkpoint_from_elsewhere() -> None:
    short = write_bundle(ID, ROWS[:-1])
    for content, note, said in (
        (short, note_of(END), f"{END} facts were signed, the bundle has {END - 1}: its end was cut off"),
        (
            bundle(),
            FEDERATION.sign(Checkpoint(ID, 9, HASHES[9])).text(),
            "the first 9 facts are not those that",
        ),
        (
            bundle(),
            FEDERATION.sign(Checkpoint("e" * 32, 9, HASHES[8])).text(),
            "it is of another tournament, eee",
        ),
        (bundle(), note_of(9, ARBITER), "no key you trust signed it"),
    ):
        lines, whole = alone.verify_bundle(content, [("held", note)], [standalone_key(FEDERATION)])
        assert not whole
        assert said in lines[-1]
        assert lines[-1].startswith("BROKEN: checkpoint (held): ")
        assert graves(verify(ID, read_bundle(content).rows, [note], [FEDERATION.verifier()]))
    assert alone.verify_bundle(short, [("held", note_of(END - 1))], [standalone_key(FEDERATION)])[1]


def joined(*lines: bytes) -> bytes:
    return b"\n".join(lines) + b"\n"


def damaged_bundles() -> list[bytes]:
    lines = write_bundle(ID, ROWS, [note_of(9)]).split(b"\n")[:-1]
    heading, facts, note = lines[0], lines[1:-1], lines[-1]
    return [
        b"",
        b"\n",
        b"{}\n",
        b"[1]\n",
        b"\xff\xfe\n",
        joined(*facts),
        joined(heading),
        joined(heading, note),
        joined(heading, *facts)[:-1],
        joined(heading, *facts) + b"\n",
        joined(heading.replace(b"bundle/1", b"bundle/2"), *facts),
        joined(heading.replace(ID.encode(), b"short"), *facts),
        joined(heading.replace(ID.encode(), b"e" * 32), *facts),
        joined(heading.replace(f'"length":{END}'.encode(), b'"length":1'), *facts),
        joined(heading.replace(HASHES[-1].encode(), HASHES[-2].encode()), *facts),
        joined(heading, *facts[:-1]),
        joined(heading, *facts[1:]),
        joined(heading, facts[1], facts[0], *facts[2:]),
        joined(heading, facts[0], *facts),
        joined(heading, *facts[:3], note, *facts[3:]),
        joined(heading, *facts[:3], b"", *facts[3:]),
        joined(heading, *facts, b"{}"),
        joined(heading, *facts, b'"text"'),
        joined(heading, *facts, b"nonsense"),
        joined(heading, facts[0].replace(b'"stored":', b'"stored": '), *facts[1:]),
        joined(heading, facts[0].replace(b'"version":1', b'"version":01'), *facts[1:]),
        joined(heading, facts[0].replace(b"tournament-opened/1", b"tournament-opened/2"), *facts[1:]),
        joined(heading, facts[0].replace(b'"why":""', b'"why":"x"'), *facts[1:]),
        joined(heading, facts[0].replace(b"0" * 64, b"1" * 64), *facts[1:]),
        joined(heading, *facts[:-1], facts[-1].replace(HASHES[-1].encode(), HASHES[0].encode())),
        joined(heading, *facts[:-1], facts[-1].replace(HASHES[-2].encode(), HASHES[0].encode())),
    ]


@pytest.mark.parametrize("content", damaged_bundles())
def test_a_damaged_bundle_is_refused_by_both(content: bytes) -> None:
    with pytest.raises(Refused):
        read_bundle(content)
    lines, whole = alone.verify_bundle(content)
    assert not whole
    assert len(lines) == 1
    assert lines[0].startswith("BROKEN: ")


def test_a_tournament_without_a_proper_id_is_refused_although_its_chain_is_right() -> None:
    for id in ("short", "E" * 32, "e" * 33):
        log = resealed([msgspec.structs.replace(fact, tournament=id) for fact in LOG[:3]])
        content = write_bundle(id, rows(log))
        with refuses(Invalid, "proof.not-a-tournament-id"):
            read_bundle(content)
        assert alone.verify_bundle(content) == (["BROKEN: line 1 is not the heading of a bundle/1"], False)


def test_the_verifier_names_the_place_of_the_damage() -> None:
    lines = bundle().split(b"\n")
    assert alone.verify_bundle(bundle()[:-1])[0] == ["BROKEN: the file ends in the middle of a line"]
    with refuses(CorruptFile, "proof.bundle-cut"):
        read_bundle(bundle()[:-1])
    gap = b"\n".join([*lines[:4], *lines[5:]])
    assert alone.verify_bundle(gap)[0] == ["BROKEN: fact 4 is missing"]
    changed = b"\n".join([*lines[:4], lines[4].replace(b'"why":""', b'"why":"x"'), *lines[5:]])
    assert alone.verify_bundle(changed)[0] == [
        "BROKEN: fact 4 was changed after it was recorded, or does not belong there"
    ]
    odd = b"\n".join([*lines[:4], b"{}", *lines[5:]])
    assert alone.verify_bundle(odd)[0] == [
        "BROKEN: line 5 is neither a fact nor a personal part nor a checkpoint where it may stand: "
        "the bundle is damaged, or a newer paircard made it"
    ]
    with refuses(CorruptFile, "proof.bundle-line", line=5):
        read_bundle(odd)


def test_a_fact_of_no_kind_is_refused_although_its_hash_is_right() -> None:
    for payload in (b'{"fact":{}}', b'{"fact":1}', b"{}", b"{nonsense}"):
        hash = link_hash(GENESIS, ID, 1, "x/1", payload)
        stored = payload[:-1] + f',"previous":"{GENESIS}","hash":"{hash}"}}'.encode()
        row = StoredFact(ID, 1, "x/1", stored)
        content = write_bundle(ID, [row])
        assert b'"pseudonymous":false' in content
        lines, whole = alone.verify_bundle(content)
        assert not whole
        assert lines[0] == "BROKEN: fact 1 is unreadable, not x/1"
        assert graves(verify(ID, [row])) == [("sense", 0)]


def test_personal_parts_that_nobody_can_read_are_damage() -> None:
    for topic, payload in (
        ("person-erased/1", b'{"fact":{"type":"person-erased"}}'),
        ("person-erased/1", b'{"fact":{"type":"person-erased","pieces":[[1]]}}'),
        ("round-paired/1", b'{"fact":{"type":"round-paired"},"private":7}'),
    ):
        hash = link_hash(GENESIS, ID, 1, topic, payload)
        stored = payload[:-1] + f',"previous":"{GENESIS}","hash":"{hash}"}}'.encode()
        content = write_bundle(ID, [StoredFact(ID, 1, topic, stored)])

        assert alone.verify_bundle(content) == (["BROKEN: fact 1 cannot be read"], False)


def said(*words: object) -> tuple[int, str, str]:
    """Exit code of the verifier's command, what it prints and what it complains of."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        code = alone.main([str(word) for word in words])
    return code, out.getvalue(), errors.getvalue()


def test_the_verifier_says_with_its_exit_code_whether_a_bundle_holds(tmp_path: Path) -> None:
    good, bad, held, key = (tmp_path / name for name in ("good", "bad", "held", "key"))
    good.write_bytes(bundle())
    bad.write_bytes(bundle()[:-1])
    held.write_text(note_of(4), "utf-8")
    key.write_text(FEDERATION.verifier().line(), "utf-8")
    arbiter = ARBITER.verifier().line()

    assert said(good) == (0, "\n".join(alone.verify_bundle(bundle())[0]) + "\n", "")
    assert said(bad) == (1, "BROKEN: the file ends in the middle of a line\n", "")
    code, out, _ = said(good, held, held, "--key", key, "--key", arbiter)
    assert code == 0
    assert out.splitlines()[-1] == (
        "checkpoint (held): the log begins with the 4 facts it names, signed by fsi.it"
    )
    code, out, _ = said(good, held, "--key", arbiter)
    assert code == 1
    assert out.splitlines()[-1] == "BROKEN: checkpoint (held): no key you trust signed it"
    for words, why in (((good, "--key", "a+b+c"), "not base64"), ((tmp_path / "nothing",), "no such file")):
        code, out, complaint = said(*words)
        assert (code, out) == (2, "")
        assert complaint.startswith("verify: ")
        assert why in complaint


@pytest.mark.parametrize(
    "text", ["", "name", "a+b+c", FEDERATION.verifier().line()[:-4], FEDERATION.verifier().line() + "AAAA"]
)
def test_the_verifier_refuses_what_is_no_key(text: str) -> None:
    with pytest.raises(alone.Broken):
        alone.read_key(text)
    renamed = FEDERATION.verifier().line().replace("fsi.it", "fsi.com")
    with pytest.raises(alone.Broken, match="not a public key"):
        alone.read_key(renamed)
    line = FEDERATION.verifier().line()
    with pytest.raises(alone.Broken, match="is not base64"):
        alone.read_key(f"{line[:-4]}!{line[-4:]}")
    with refuses(Invalid, "proof.not-ed25519"):
        parse_key(f"{line[:-4]}!{line[-4:]}")
    other = base64.b64encode(b"\x02" + bytes(32)).decode()
    with pytest.raises(alone.Broken, match="not a public key"):
        alone.read_key(f"x+00000000+{other}")


def bare(row: StoredFact) -> StoredFact:
    """A stored fact without its personal parts."""
    return msgspec.structs.replace(row, parts=())


def with_an_erasure() -> list[StoredFact]:
    """A log with its personal parts beside the chain, and the erasure of one of them."""
    made, head = [], GENESIS
    for recorded in LOG:
        sealed = seal(recorded, head, salt=lambda: "0" * 32)
        head = sealed.fact.hash
        made.append(sealed.stored)
    player = next(row for row in made if row.topic == "player-registered/1")
    version, [piece, *_] = player.originator_version, player.parts
    erasure = PersonErased(player=1, pieces=((version, sha256(piece).hexdigest()),))
    last = msgspec.structs.replace(LOG[-1], version=len(LOG) + 1, fact=erasure, command_id="erasure")
    made.append(seal(last, head, salt=lambda: "0" * 32).stored)
    return made


def test_personal_parts_are_there_or_erased() -> None:
    log = with_an_erasure()
    [(version, hash)] = erased_parts(decode_chain(ID, log))
    erased = [without_parts(row, {hash}) for row in log]
    other = next(row.originator_version for row in log if row.originator_version != version and row.parts)
    lost = [
        msgspec.structs.replace(row, parts=()) if row.originator_version == other else row for row in erased
    ]
    whole, gone = write_bundle(ID, log), write_bundle(ID, erased)

    assert alone.verify_bundle(whole, [], [])[1]
    assert not any("erased" in line for line in alone.verify_bundle(whole, [], [])[0])
    assert alone.verify_bundle(gone, [], []) == (
        [
            f"{len(log)} facts, chain whole, head {decode_chain(ID, log)[-1].hash}",
            "1 personal parts were erased on request",
            "not compared with any checkpoint held by others: a cut or rewritten log would not show",
        ],
        True,
    )
    for broken, words in (
        (write_bundle(ID, lost), f"a personal part of fact {other} is missing, and nobody erased it"),
        (whole.replace(b'"salt":"000', b'"salt":"001', 1), "names no such personal part"),
        (
            whole.replace(b'"version":%d,"private":' % version, b'"version":%d,"private":' % len(log), 1),
            "names no such personal part",
        ),
    ):
        lines, holds = alone.verify_bundle(broken, [], [])
        assert not holds
        assert words in lines[0]
        if "names no such" in words:
            with pytest.raises(CorruptFile):
                read_bundle(broken)
    assert list(read_bundle(whole).rows) == log
    assert list(read_bundle(gone).rows) == erased


def test_a_log_is_whole_without_what_was_erased_and_not_without_anything_else() -> None:
    log = with_an_erasure()
    [(version, hash)] = erased_parts(decode_chain(ID, log))
    erased = [without_parts(row, {hash}) for row in log]
    others = [row.originator_version for row in erased if row.parts]
    assert version in others, "only one of the parts of that fact was erased"

    def told(rows: list[StoredFact]) -> list[tuple[str, int, Message, bool]]:
        return [(one.matter, one.version, one.message, one.grave) for one in verify(ID, rows).findings]

    assert told(erased) == []
    back = say("verify.part-back")
    assert told(log) == [("private", version, back, False)]
    lost = say("verify.part-missing")
    for gone in others:
        rows = [
            msgspec.structs.replace(row, parts=()) if row.originator_version == gone else row
            for row in erased
        ]
        count = len(erased[gone - 1].parts)
        assert told(rows) == [("private", gone, lost, True)] * count
    strange = say("verify.part-stray")
    for guest in (version, len(log)):
        rows = list(erased)
        guests = (*rows[guest - 1].parts, b'{"salt":"","why":"put there"}')
        rows[guest - 1] = msgspec.structs.replace(rows[guest - 1], parts=guests)
        assert told(rows) == [("private", guest, strange, True)]


def test_a_bundle_with_nothing_of_a_trusted_key_is_broken() -> None:
    lines, holds = alone.verify_bundle(write_bundle(ID, ROWS), [], [standalone_key(FEDERATION)])

    assert not holds
    assert lines[1] == "BROKEN: nothing here is signed by a key you trust"


def test_words_that_no_desk_takes_are_refused_from_elsewhere() -> None:
    stored = decode_payload(ROWS[0])
    replace = msgspec.structs.replace
    for field, longest, label in (
        ("who", 100, "who_asked"),
        ("command_id", 100, "command_id"),
        ("through", 100, "through"),
        ("why", LONGEST_REASON, "the_reason"),
    ):
        check_words(ID, 1, replace(stored, **{field: "x" * longest}))
        for wrong, what in (
            ("x" * (longest + 1), say("text-too-long", label=label, count=longest + 1, most=longest)),
            ("unseen\u200bletter", say("text-invisible", label=label, code="U+200B", place=7)),
        ):
            with refuses(CorruptFile, "proof.foreign-fact", version=1, what=what):
                check_words(ID, 1, replace(stored, **{field: wrong}))
    with refuses(CorruptFile, "proof.foreign-fact", what=say("proof.time-not-utc", text="yesterday")):
        check_words(ID, 1, replace(stored, when="yesterday"))
    assert isinstance(stored.fact, TournamentOpened)
    named = replace(stored.fact, regulations=replace(stored.fact.regulations, name="unseen\u200bletter"))
    with refuses(
        CorruptFile, "proof.foreign-fact", what=say("text-invisible", label="a_text", code="U+200B", place=7)
    ):
        check_words(ID, 1, replace(stored, fact=named))
    unseen = seal(msgspec.structs.replace(LOG[0], who="unseen\u200bletter"), GENESIS)
    with refuses(
        CorruptFile,
        "proof.foreign-fact",
        what=say("text-invisible", label="who_asked", code="U+200B", place=7),
    ):
        sensible(ID, [unseen.stored])


def test_only_an_import_has_much_to_say() -> None:
    stored = decode_payload(ROWS[0])

    def opened(name: str) -> Event:
        return TournamentOpened(regulations=Regulations(name=name, rounds=5))

    def imported(source: str) -> Event:
        return TournamentImported(source=source, format="trf26")

    for longest, made in ((LONGEST_REASON, opened), (LONGEST_IMPORTED, imported)):
        check_words(ID, 1, msgspec.structs.replace(stored, fact=made("x" * longest)))
        what = say("text-too-long", label="a_text", count=longest + 1, most=longest)
        with refuses(CorruptFile, "proof.foreign-fact", version=1, what=what):
            check_words(ID, 1, msgspec.structs.replace(stored, fact=made("x" * (longest + 1))))


def other_spellings() -> dict[str, bytes]:
    """Bundles that one reader of JSON takes and another refuses, or reads differently."""
    first, *facts, note = write_bundle(ID, ROWS, [note_of(9)]).removesuffix(b"\n").split(b"\n")
    length = b'"length":%d' % END
    headings = {
        "mark": b"\xef\xbb\xbf" + first,
        "fraction": first.replace(length, length + b".0"),
        "exponent": first.replace(length, length + b"e0"),
        "zero before": first.replace(length, b'"length":0%d' % END),
        "not a number": first[:-1] + b',"more":NaN}',
        "another member": first[:-1] + b',"more":1}',
        "member twice": b'{"length":1,' + first[1:],
        "no kind": first.replace(b'"paircard":"bundle/1",', b""),
        "half a character": first[:-1] + b',"more":"\\ud800"}',
        "not UTF-8": first[:-1] + b',"more":"\xff"}',
        "UTF-16": first.decode().encode("utf-16-le"),
        "blank": b" " + first,
        "carriage return": first + b"\r",
        "mark of a copy": first.replace(b"false", b"0"),
        "capital head": first.replace(HASHES[-1].encode(), HASHES[-1].upper().encode()),
    }
    short = note[:-2] + b"\xe2\x80\x94 x AAAA\\n" + note[-2:]
    notes = {
        "mark": b"\xef\xbb\xbf" + note,
        "another member": note[:-1] + b',"more":1}',
        "member twice": b'{"checkpoint":"",' + note[1:],
        "not a number": note[:-1] + b',"more":NaN}',
        "a number": b'{"checkpoint":1}',
        "nothing": b'{"checkpoint":null}',
        "UTF-16": note.decode().encode("utf-16-le"),
        "half a character": note.replace(b"\\n\\n", b"\\n\\ud800\\n\\n"),
        "not UTF-8": note.replace(b"\\n\\n", b"\\n\xff\\n\\n"),
        "control character": note.replace(b"\\n\\n", b"\\n\t\\n\\n"),
        "unknown escape": note.replace(b"\\n\\n", b"\\n\\x\\n\\n"),
        "blank": note + b" ",
        "short signature": short,
    }
    return {
        **{f"heading: {name}": joined(line, *facts, note) for name, line in headings.items()},
        **{f"checkpoint: {name}": joined(first, *facts, line) for name, line in notes.items()},
    }  # fmt: skip


def test_both_readers_take_a_bundle_as_it_is_written_and_in_no_other_spelling() -> None:
    for name, content in other_spellings().items():
        with pytest.raises((Invalid, CorruptFile)):
            list(map(parse_checkpoint, read_bundle(content).checkpoints))
        lines, whole = alone.verify_bundle(content)
        assert not whole, name
        assert any(line.startswith("BROKEN: ") for line in lines), name


def test_a_signature_has_a_byte_behind_the_id_of_its_key() -> None:
    body = f"paircard/{ID}\n3\n{base64.b64encode(bytes.fromhex(HASHES[2])).decode()}\n\n"
    four, five = (f"{body}— x {base64.b64encode(bytes(n)).decode()}\n" for n in (4, 5))

    assert len(alone.read_note(five).signatures) == len(parse_note(five).signatures) == 1
    with pytest.raises(alone.Broken, match="not a signature line under the checkpoint"):
        alone.read_note(four)
    with refuses(Invalid, "proof.not-a-signature"):
        parse_note(four)


def test_both_read_a_checkpoint_that_went_by_mail_and_none_that_is_not_utf_8(tmp_path: Path) -> None:
    good, held, key = (tmp_path / name for name in ("good", "held", "key"))
    good.write_bytes(bundle())
    note, line = note_of(4).encode(), FEDERATION.verifier().line()
    key.write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\r\n")
    for content, holds in (
        (note, True),
        (b"\xef\xbb\xbf" + note, True),
        (note.replace(b"\n", b"\r\n"), True),
        (note.replace(b"\n", b"\r"), False),
        (note.decode().encode("utf-16"), False),
        (note.decode().encode("cp1252"), False),
    ):
        held.write_bytes(content)
        assert (said(good, held, "--key", key)[0] == 0) is holds, content
        with nullcontext() if holds else pytest.raises((Invalid, click.ClickException)):
            assert parse_note(read_signed(str(held))) == parse_note(note.decode())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--key", ""), "a name is empty: a file or a key is expected"),
        (("--key", " "), "a name is empty: a file or a key is expected"),
        (("--key", "private"), "this is a private key: give the public one, which paircard key show prints"),
        (("--key", FEDERATION.line()), "this is a private key: give the public one"),
        (("--key", "folder"), "folder: is a directory"),
        (("latin",), "latin is not a text in UTF-8"),
    ],
)
def test_the_verifier_says_plainly_what_it_cannot_read(
    tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    with chdir(tmp_path):
        Path("good").write_bytes(bundle())
        Path("latin").write_bytes(b"\xe9")
        Path("private").write_text(FEDERATION.line())
        Path("folder").mkdir()
        code, out, complaint = said("good", *words)

    assert (code, out) == (2, "")
    assert complaint.startswith(f"verify: {why}")
    assert complaint.count("\n") == 1
    assert FEDERATION.line().rpartition("+")[2][:6] not in complaint


def test_a_bundle_of_a_newer_kind_asks_for_a_newer_paircard() -> None:
    with refuses(Invalid, "proof.bundle-of-another-kind", text="bundle/2", kind="bundle/1"):
        read_bundle(bundle().replace(b"bundle/1", b"bundle/2", 1))
