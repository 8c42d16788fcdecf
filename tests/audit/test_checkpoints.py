"""Checkpoints, keys and printed heads: what they prove, and what is none.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import base64
import sys

import msgspec
import pytest

from paircard.cli import verify as alone
from paircard.domain.errors import Invalid, LibraryMissing, Refused
from paircard.domain.messages import say
from paircard.domain.proof import note
from paircard.domain.proof.checkpoints import Checkpoint, consistent, parse_checkpoint, parse_printed, printed
from paircard.domain.proof.note import (
    COSIGNATURE,
    Head,
    Note,
    Signature,
    Signer,
    Verifier,
    new_signer,
    parse_head,
    parse_key,
    parse_note,
    parse_signer,
    signed_by,
)
from paircard.service.review.verify import verify
from tests.audit.lives import rows
from tests.audit.quiet import (
    ARBITER,
    END,
    FEDERATION,
    FEDERATION_KEY,
    HASHES,
    ID,
    LOG,
    NINE,
    ROWS,
    STANDALONE_KEY,
    bundle,
    cut_off,
    graves,
    note_of,
    resealed,
    standalone_key,
)
from tests.refusals import refuses

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def test_a_log_begins_with_what_was_signed_and_may_have_grown() -> None:
    for size in (1, 9, END):
        report = verify(ID, ROWS, [note_of(size)], [FEDERATION.verifier()])

        assert report.whole
        [held] = report.held
        assert (held.size, held.what, held.signed_by) == (size, "checkpoint", ("fsi.it",))


def test_without_a_trusted_key_a_checkpoint_is_compared_but_its_signature_is_not_claimed() -> None:
    [held] = verify(ID, ROWS, [note_of(9)]).held

    assert held.signed_by == ()


def test_a_checkpoint_signed_by_nobody_one_trusts_proves_nothing() -> None:
    report = verify(ID, ROWS, [note_of(9, ARBITER)], [FEDERATION.verifier()])

    assert graves(report) == [("checkpoint", 9)]
    assert report.findings[0].message == say(
        "proof.checkpoint-convicts", facts=9, what=say("verify.not-trusted", names=["arbiter7"])
    )
    assert report.held == ()
    beside = verify(ID, ROWS, [], [FEDERATION.verifier()], kept=[note_of(9, ARBITER), note_of(4)])
    assert beside.whole, "what lies beside the log may be signed by others too"
    assert [(held.size, held.signed_by) for held in beside.held] == [(4, ("fsi.it",))]
    assert [(finding.matter, finding.version, finding.grave) for finding in beside.findings] == [
        ("checkpoint", 9, False)
    ]
    assert not verify(ID, ROWS[:8], kept=[note_of(9)]).whole
    both = verify(ID, ROWS, [note_of(9, ARBITER)], [FEDERATION.verifier(), ARBITER.verifier()])
    assert both.held[0].signed_by == ("arbiter7",)


def test_a_trusted_key_under_which_nothing_is_signed_proves_nothing() -> None:
    keys = [FEDERATION.verifier(), ARBITER.verifier()]

    report = verify(ID, ROWS, trusted=keys)

    assert graves(report) == [("checkpoint", 0)]
    assert report.findings[0].message == say("verify.nothing-signed", names=["fsi.it", "arbiter7"])
    both = verify(
        ID,
        ROWS,
        trusted=keys,
        around=[say("store.fault.foreign", kind="trigger", text="quiet")],
    )
    assert graves(both) == [("store", 0), ("checkpoint", 0)], "another fault does not hide this one"
    assert verify(ID, ROWS, [NINE], keys).findings == ()


def test_a_cut_tail_shows_against_a_checkpoint_and_not_without() -> None:
    cut = ROWS[:-1]

    assert verify(ID, cut).whole, "nobody can see this from the log alone"
    report = verify(ID, cut, [note_of(END)])
    assert graves(report) == [("checkpoint", END)]
    assert report.findings[0].message == cut_off(END, END - 1)
    assert verify(ID, cut, [note_of(END - 1)]).whole


def test_a_rewritten_last_fact_shows_against_a_checkpoint_and_not_without() -> None:
    log = [*LOG[:-1], msgspec.structs.replace(LOG[-1], who="Somebody Else")]
    forged = rows(resealed(log))

    assert verify(ID, forged).whole, "nobody can see this from the log alone"
    report = verify(ID, forged, [note_of(END)])
    assert graves(report) == [("checkpoint", END)]
    assert report.findings[0].message == say(
        "proof.checkpoint-convicts", facts=END, what=say("proof.rewritten", facts=END)
    )
    assert verify(ID, forged, [note_of(END - 1)]).whole, "a checkpoint reaches as far as it reaches"


def test_a_checkpoint_of_another_tournament_is_refused() -> None:
    other = FEDERATION.sign(Checkpoint("e" * 32, 1, HASHES[0])).text()

    report = verify(ID, ROWS, [other])

    assert graves(report) == [("checkpoint", 1)]
    assert report.findings[0].message == say(
        "proof.checkpoint-convicts", facts=1, what=say("proof.of-another-tournament", tournament="e" * 32)
    )
    assert consistent(Checkpoint(ID, 1, HASHES[0]), ID, HASHES) is None


def test_the_text_is_that_of_c2sp() -> None:
    lines = note_of(9).split("\n")

    assert lines[:2] == [f"paircard/{ID}", "9"]
    assert base64.b64decode(lines[2]).hex() == HASHES[8]
    assert lines[3] == ""
    assert lines[4].startswith("— fsi.it ")
    assert lines[5:] == [""]
    raw = base64.b64decode(lines[4].split(" ")[2])
    assert len(raw) == 68
    assert raw[:4].hex() == FEDERATION.verifier().key_id


def test_keys_and_signatures_are_those_of_other_programs() -> None:
    """The example key and note of golang.org/x/mod/sumdb/note."""
    signer = parse_signer("PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz\n")
    public = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    text = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
    )
    signature = base64.b64decode(
        "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    )
    line = Signature("PeterNeumann", signature[:4].hex(), signature[4:])

    assert signer.verifier().line() == public
    assert parse_key(public) == signer.verifier()
    assert signed_by(Note(text, (line,)), [parse_key(public)]) == ["PeterNeumann"]
    assert signer.line() == "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"


def test_a_new_key_can_be_written_down_and_read_again() -> None:
    signer = new_signer("fsi.it/arbiter7")

    assert len(signer.seed) == 32
    assert parse_signer(signer.line()) == signer
    assert parse_key(signer.verifier().line()) == signer.verifier()
    assert new_signer("fsi.it/arbiter7").seed != signer.seed
    for name in ("", "two words", "a+b", "a\tb", "x" * 61, "bell\x07"):
        with refuses(Invalid, "proof.key-name"):
            new_signer(name)
    assert new_signer("x" * 60).name == "x" * 60


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "a+b",
        "PRIVATE+KEY+fsi.it+00000000+AAAA",
        FEDERATION.line(),
        "+" + FEDERATION.verifier().line().partition("+")[2],
        FEDERATION.verifier().line().replace("fsi.it", "fsi.com"),
        FEDERATION.verifier().line()[:-4],
        FEDERATION.verifier().line()[:-4] + "!!!!",
    ],
)
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_key(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        FEDERATION.verifier().line(),
        FEDERATION.line().replace("PRIVATE", "PUBLIC"),
        FEDERATION.line().replace("+KEY+", "+LOCK+"),
        FEDERATION.line().replace("fsi.it", "fsi.com"),
        FEDERATION.line()[:-4],
    ],
)
def test_what_is_no_private_key_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_signer(text)
    with refuses(Invalid, "proof.not-ed25519"):
        parse_signer("PRIVATE+KEY+x+00000000+" + base64.b64encode(b"\x02" + bytes(32)).decode())


def test_the_key_of_a_witness_is_no_key_to_sign_with() -> None:
    with refuses(Invalid, "proof.not-ed25519"):
        parse_signer("PRIVATE+KEY+x+00000000+" + base64.b64encode(b"\x04" + bytes(32)).decode())


def test_a_key_that_signs_and_one_of_a_witness_are_told_apart() -> None:
    signs, sees = FEDERATION.verifier(), Verifier("fsi.it", FEDERATION.verifier().public, COSIGNATURE)

    assert parse_key(signs.line()) == signs
    assert parse_key(sees.line(), COSIGNATURE) == sees
    with refuses(Invalid, "proof.key-of-a-witness", name="fsi.it"):
        parse_key(sees.line())
    with refuses(Invalid, "proof.key-of-a-tree", name="fsi.it"):
        parse_key(signs.line(), COSIGNATURE)


ROOT_LINE = base64.b64encode(bytes(32)).decode()


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("fsi.it/1", "9"), "proof.not-a-checkpoint"),
        (("fsi.it/1",), "proof.not-a-checkpoint"),
        (("", "9", ROOT_LINE), "proof.not-a-checkpoint"),
        (("fsi.it/1", "09", ROOT_LINE), "proof.not-a-size"),
        (("fsi.it/1", "1" + 18 * "0", ROOT_LINE), "proof.not-a-size"),
        (("fsi.it/1", "", ROOT_LINE), "proof.not-a-size"),
        (("fsi.it/1", "9", ROOT_LINE[:-4]), "proof.not-a-hash"),
        (("fsi.it/1", "9", ""), "proof.not-a-hash"),
    ],
)
def test_a_head_is_a_name_a_size_and_a_hash(lines: tuple[str, ...], code: str) -> None:
    with refuses(Invalid, code):
        parse_head("\n".join(lines) + "\n")
    for size in (0, 9, 10**18 - 1):
        assert parse_head(f"fsi.it/1\n{size}\n{ROOT_LINE}\n") == Head("fsi.it/1", size, bytes(32))


def test_the_private_key_is_not_taken_for_the_public_one() -> None:
    for text in (FEDERATION.line(), "", "+" + FEDERATION.verifier().line().partition("+")[2]):
        with refuses(Invalid, "proof.not-a-public-key"):
            parse_key(text)


def test_without_the_library_nothing_is_signed_and_no_signature_is_believed() -> None:
    content = bundle()
    with pytest.MonkeyPatch.context() as there:
        for name in ("cryptography", *(name for name in sys.modules if name.startswith("cryptography."))):
            there.setitem(sys.modules, name, None)
        there.setattr(note, "INSTALLED", False)
        for deed in (
            lambda: new_signer("x"),
            lambda: FEDERATION.verifier(),
            lambda: FEDERATION.sign_bytes(b"x"),
            lambda: parse_signer("PRIVATE+KEY+x+00000000+" + base64.b64encode(b"\x01" + bytes(32)).decode()),
            lambda: signed_by(parse_note(NINE), [FEDERATION_KEY]),
            lambda: verify(ID, ROWS, [NINE], [FEDERATION_KEY]),
        ):
            with refuses(LibraryMissing, "proof.library-missing"):
                deed()
        assert verify(ID, ROWS, [NINE]).whole, "to compare hashes needs no library"
        assert alone.verify_bundle(content)[1]
        with pytest.raises(alone.Unchecked, match=r"cannot be checked here.*pip install cryptography"):
            alone.verify_bundle(content, [("held", NINE)], [STANDALONE_KEY])


def other_spelling(base64: str) -> str:
    """The same bytes: the last letter before the padding has bits that do not count."""
    bare = base64.rstrip("=")
    letter = ALPHABET[ALPHABET.index(bare[-1]) + 1]
    return f"{bare[:-1]}{letter}{'=' * (len(base64) - len(bare))}"


def damaged_notes() -> list[str]:
    good = note_of(9)
    origin, size, hash, empty, signature, end = good.split("\n")
    lines = [origin, size, hash, empty, signature, end]

    def with_line(at: int, text: str) -> str:
        return "\n".join([*lines[:at], text, *lines[at + 1 :]])

    return [
        "",
        "\n\n",
        good.rstrip("\n"),
        good.replace("\n\n", "\n"),
        "\n".join([origin, size, "", signature, ""]),
        with_line(0, ID),
        with_line(0, "paircard/xyz"),
        with_line(0, f"paircard/{ID}0"),
        with_line(0, f"Paircard/{ID}"),
        with_line(1, "0"),
        with_line(1, "-9"),
        with_line(1, "nine"),
        with_line(1, "09"),
        with_line(1, "1234567890"),
        with_line(2, "AAAA"),
        with_line(2, hash[:-4]),
        with_line(2, hash.replace(hash[5], "!")),
        with_line(2, other_spelling(hash)),
        with_line(4, other_spelling(signature)),
        with_line(4, ""),
        with_line(4, signature.removeprefix("— ")),
        with_line(4, signature.replace("— ", "- ")),
        with_line(4, "— fsi.it"),
        with_line(4, "— fsi.it !!!!"),
        with_line(4, "— fsi.it AAAA"),
        with_line(4, signature.replace("fsi.it", "")),
        good + "more\n",
    ]


@pytest.mark.parametrize("note", damaged_notes())
def test_what_is_no_checkpoint_is_refused_by_both(note: str) -> None:
    with pytest.raises(Refused):
        parse_checkpoint(note)
    report = verify(ID, ROWS, [note])
    assert graves(report) == [("checkpoint", 0)]
    assert report.length == END
    _, whole = alone.verify_bundle(bundle(), [("file", note)], [standalone_key(FEDERATION)])
    assert not whole


def test_every_bit_of_a_signed_text_counts() -> None:
    good = note_of(9)
    key = FEDERATION.verifier()
    assert signed_by(parse_note(good), [key]) == ["fsi.it"]

    extended = good.replace("\n\n", "\nmore\n\n", 1)
    for changed in (good.replace("\n9\n", "\n8\n"), good.replace(ID, "a" * 32), extended):
        with refuses(Invalid, "proof.signature-wrong", name="fsi.it"):
            signed_by(parse_note(changed), [key])
        assert graves(verify(ID, ROWS, [changed], [key])) == [("checkpoint", 0)]
        lines, whole = alone.verify_bundle(bundle(), [("file", changed)], [standalone_key(FEDERATION)])
        assert not whole
        assert "the signature of fsi.it is wrong" in lines[-1]


def test_a_key_of_the_same_name_but_another_id_signs_nothing() -> None:
    namesake = Signer("fsi.it", bytes(32))

    assert signed_by(parse_note(note_of(9)), [namesake.verifier()]) == []
    assert signed_by(parse_note(note_of(9)), [Verifier("fsi.com", FEDERATION.verifier().public)]) == []


def test_a_signature_of_another_kind_may_stand_beside_ours() -> None:
    """Witnesses of C2SP cosign with longer signatures; nothing shorter than an id and a byte is one."""
    for length, taken in ((4, False), (5, True), (76, True)):
        line = f"— witness.example {base64.b64encode(bytes(length)).decode()}\n"
        if taken:
            assert signed_by(parse_note(NINE + line), [FEDERATION_KEY]) == ["fsi.it"]
        else:
            with refuses(Invalid, "proof.not-a-signature"):
                parse_note(NINE + line)
    with refuses(Invalid, "proof.not-a-signature"):
        parse_note(NINE.replace(" fsi.it ", " fsi.it !"))


def test_several_may_sign_the_same_lines() -> None:
    one, two = note_of(9), note_of(9, ARBITER)
    both = one + two.split("\n")[4] + "\n"
    keys = [FEDERATION.verifier(), ARBITER.verifier()]

    assert signed_by(parse_note(both), keys) == ["fsi.it", "arbiter7"]
    stranger = Signer("stranger", bytes(32)).verifier()
    assert verify(ID, ROWS, [both], [stranger]).findings[0].message == say(
        "proof.checkpoint-convicts", facts=9, what=say("verify.not-trusted", names=["fsi.it", "arbiter7"])
    )
    assert signed_by(parse_note(both), keys[1:]) == ["arbiter7"]
    lines, whole = alone.verify_bundle(
        bundle(), [("file", both)], [standalone_key(ARBITER), standalone_key(FEDERATION)]
    )
    assert whole
    assert lines[-1].endswith("signed by arbiter7, fsi.it")


def test_a_head_on_paper_is_short_and_proves_the_same() -> None:
    paper = printed(9, HASHES[8])
    groups = paper.split(":")[1].split("-")

    assert paper.startswith("9:")
    assert [len(group) for group in groups] == [4] * 8
    assert "".join(groups) == HASHES[8][:32]
    assert parse_printed(f" 9 : {paper[2:].upper()} ") == (9, HASHES[8][:32])
    report = verify(ID, ROWS, heads=[paper])
    assert [(held.size, held.what) for held in report.held] == [(9, "printed head")]
    assert report.findings == (), "128 bits are not weak"
    assert verify(ID, ROWS, heads=[printed(END, HASHES[-1])]).whole

    rewritten = verify(ID, ROWS, heads=[printed(9, HASHES[9])])
    assert graves(rewritten) == [("checkpoint", 9)]
    assert rewritten.findings[0].message == say(
        "verify.printed", value=printed(9, HASHES[9]), what=say("verify.printed-rewritten", facts=9)
    )
    cut = verify(ID, ROWS[:8], heads=[paper])
    assert graves(cut) == [("checkpoint", 9)]
    assert cut.findings[0].message == say(
        "verify.printed", value=paper, what=say("verify.printed-cut", facts=9, count=8)
    )


def test_a_head_of_eighty_bits_as_once_printed_holds_and_is_called_weak() -> None:
    report = verify(ID, ROWS, heads=[f"9:{HASHES[8][:20]}"])

    assert report.whole
    [finding] = report.findings
    assert (finding.matter, finding.version) == ("checkpoint", 9)
    assert finding.message == say("verify.printed-weak", count=80)


@pytest.mark.parametrize(
    "text", ["", "9", "9:", "9:abc", "0:" + "a" * 20, "x:" + "a" * 20, "9:" + "a" * 19, "9:" + "g" * 20]
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with refuses(Invalid, "proof.not-a-printed-head"):
        parse_printed(text)
    assert parse_printed("9:" + "a" * 20) == (9, "a" * 20)
    assert parse_printed("9:" + "a" * 64) == (9, "a" * 64)


def test_a_kept_checkpoint_under_another_label_is_told_and_still_compared() -> None:
    report = verify(ID, ROWS, labels=[(ID, 3, NINE), (ID, 9, NINE)])

    assert [(one.matter, one.version) for one in report.findings] == [("checkpoint", 9)]
    assert report.findings[0].message == say("proof.mislabelled", facts=9, value="3", tournament=ID)
    assert not report.whole
    assert [held.size for held in report.held] == [9]
    assert verify(ID, ROWS, labels=[(ID, 9, NINE)]).whole


def test_a_further_line_with_a_control_character_is_refused() -> None:
    text = NINE.replace("\n\n", "\nfurther\tlines\n\n", 1)

    with refuses(Invalid, "proof.control-characters"):
        parse_note(text)
    assert parse_note(text.replace("\t", " ")).body.endswith("further lines\n")
