"""The verifier itself: what it accepts, what it refuses, and that two implementations agree.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import base64
import json
from functools import cache

import msgspec
import pytest

from paircard.cli import verify_bundle
from paircard.domain.bundles import Bundle, read_bundle, sensible, write_bundle
from paircard.domain.checkpoints import (
    Checkpoint,
    Note,
    Signature,
    Signer,
    Verifier,
    consistent,
    new_signer,
    parse_note,
    parse_printed,
    parse_signer,
    parse_verifier,
    printed,
    signed_by,
)
from paircard.domain.envelope import GENESIS, chained, check_chain, check_link, seal, stored_bytes, topic_of
from paircard.domain.errors import CorruptFile, Invalid, LibraryMissing, Refused
from paircard.domain.eventlog import Row
from paircard.domain.events import (
    PlayerRegistered,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
)
from paircard.domain.players import Details
from paircard.domain.results import Outcome
from paircard.pairing.verification import Report, verify
from tests.audit.lives import Life, rows

FEDERATION = Signer("fsi.it", bytes(range(32)))
ARBITER = Signer("arbiter7", bytes(range(1, 33)))


@cache
def quiet_log() -> tuple[Recorded, ...]:
    """Six players, two rounds paired by the engine, all results entered, nothing else happened."""
    one = Life(2026)
    one.chance = lambda percent: False  # type: ignore[method-assign]
    one.open(6, 3)
    for _ in range(2):
        assert one.pair()
        one.play()
    return tuple(one.log)


LOG = quiet_log()
ID = LOG[0].tournament
ROWS = rows(list(LOG))
HASHES = [fact.hash for fact in LOG]
END = len(LOG)


def note_of(size: int, signer: Signer = FEDERATION) -> str:
    return signer.sign(Checkpoint(ID, size, HASHES[size - 1]))


def resealed(log: list[Recorded]) -> list[Recorded]:
    """The log with its chain computed anew."""
    head, made = GENESIS, []
    for place, fact in enumerate(log, start=1):
        sealed, _ = seal(msgspec.structs.replace(fact, version=place), head)
        made.append(sealed)
        head = sealed.hash
    return made


def graves(report: Report) -> list[tuple[str, int]]:
    return [(finding.matter, finding.version) for finding in report.findings if finding.grave]


NINE = note_of(9)
FEDERATION_KEY = FEDERATION.verifier()
STANDALONE_KEY = verify_bundle.read_key(FEDERATION_KEY.line())


# the chain


def test_a_whole_log_is_whole_and_says_its_length_and_head() -> None:
    report = verify(ID, ROWS)

    assert report.whole
    assert (report.tournament, report.length, report.head) == (ID, END, HASHES[-1])
    assert report.findings == ()
    assert [each.verdict for each in report.rounds] == ["identical", "identical"]
    assert report.held == ()
    assert check_chain(ID, ROWS) == (END, HASHES[-1])
    assert check_chain(ID, []) == (0, GENESIS)


def test_the_hash_is_over_the_fact_before_the_id_the_version_the_topic_and_the_payload() -> None:
    first = ROWS[0][2]
    payload = first[:-153] + b"}"
    import hashlib

    lines = f"{'0' * 64}\n{ID}\n1\ntournament-opened/1\n".encode()
    assert hashlib.sha256(lines + payload).hexdigest() == HASHES[0]
    assert chained(GENESIS, ID, 1, "tournament-opened/1", payload) == HASHES[0]
    assert first[-153:] == f',"previous":"{"0" * 64}","hash":"{HASHES[0]}"}}'.encode()


@pytest.mark.parametrize("at", [0, 1, 7, END - 1])
def test_a_changed_fact_is_named_and_what_stands_before_it_is_still_counted(at: int) -> None:
    changed = list(ROWS)
    version, topic, stored = ROWS[at]
    changed[at] = version, topic, stored.replace(b"Arbiter", b"Arbitre").replace(b"Deputy", b"Deputi")
    assert changed != ROWS

    report = verify(ID, changed)

    assert graves(report) == [("chain", at + 1)]
    assert report.length == at
    assert report.head == (HASHES[at - 1] if at else GENESIS)
    assert report.rounds == ()
    assert f"fact {at + 1} " in report.findings[0].text
    with pytest.raises(CorruptFile, match=f"fact {at + 1} .*was changed after it was recorded"):
        check_chain(ID, changed)


@pytest.mark.parametrize("at", [0, 3, END - 2])
def test_a_missing_fact_is_named(at: int) -> None:
    gap = [*ROWS[:at], *ROWS[at + 1 :]]

    report = verify(ID, gap)

    assert graves(report) == [("chain", at + 1)]
    assert "is missing" in report.findings[0].text
    assert report.length == at
    with pytest.raises(CorruptFile, match=f"fact {at + 1} .*is missing"):
        check_chain(ID, gap)


def test_an_empty_log_is_not_whole() -> None:
    report = verify(ID, [])

    assert graves(report) == [("chain", 0)]
    assert (report.length, report.head) == (0, GENESIS)


def test_text_in_the_place_of_bytes_is_refused() -> None:
    version, topic, stored = ROWS[0]
    with pytest.raises(CorruptFile):
        check_link(GENESIS, ID, version, topic, stored.decode())  # type: ignore[arg-type]
    assert check_link(GENESIS, ID, version, topic, stored) == HASHES[0]


def test_a_log_of_another_tournament_is_refused_under_this_id() -> None:
    assert graves(verify("f" * 32, ROWS)) == [("chain", 1)]


def test_facts_that_stand_in_the_file_before_earlier_ones_are_told() -> None:
    assert verify(ID, ROWS, positions=range(5, 5 + END)).whole
    assert graves(verify(ID, ROWS, positions=[1, 3, 2, 4])) == [("chain", 3)]
    assert graves(verify(ID, ROWS, positions=[1, 1])) == [("chain", 2)]


# the sense of it, with a chain computed anew


def test_a_result_changed_behind_a_pairing_shows_in_its_snapshot() -> None:
    at = next(i for i, fact in enumerate(LOG) if isinstance(fact.fact, ResultRecorded))
    fact = LOG[at].fact
    assert isinstance(fact, ResultRecorded)
    other = Outcome(fact.outcome.black, fact.outcome.white)
    other = Outcome("1", "0") if other == fact.outcome else other
    log = list(LOG)
    log[at] = msgspec.structs.replace(LOG[at], fact=msgspec.structs.replace(fact, outcome=other))

    report = verify(ID, rows(resealed(log)))

    second = next(f.version for f in LOG if isinstance(f.fact, RoundPaired) and f.fact.round == 2)
    assert graves(report) == [("round", second)]
    assert "round 2 DIFFERS: the log does not give the snapshot" in report.findings[0].text
    assert [each.verdict for each in report.rounds] == ["identical", "snapshot-differs"]


def test_boards_changed_by_a_forger_are_not_those_of_the_engine() -> None:
    at = next(i for i, f in enumerate(LOG) if isinstance(f.fact, RoundPaired) and f.fact.round == 2)
    fact = LOG[at].fact
    assert isinstance(fact, RoundPaired)
    (a, b), *rest = fact.boards
    log = list(LOG)
    log[at] = msgspec.structs.replace(LOG[at], fact=msgspec.structs.replace(fact, boards=((b, a), *rest)))

    report = verify(ID, rows(resealed(log[: at + 1])))

    assert graves(report) == [("round", at + 1)]
    assert "same engine gives other boards" in report.findings[0].text


@pytest.mark.parametrize("shift", [-1, 1, -1000, 1000])
def test_a_round_must_be_paired_at_the_version_it_was_recorded_on(shift: int) -> None:
    at = next(i for i, f in enumerate(LOG) if isinstance(f.fact, RoundPaired) and f.fact.round == 2)
    fact = LOG[at].fact
    assert isinstance(fact, RoundPaired)
    log = list(LOG)
    moved = msgspec.structs.replace(fact, based_on=fact.based_on + shift)
    log[at] = msgspec.structs.replace(LOG[at], fact=moved)

    report = verify(ID, rows(resealed(log[: at + 1])))

    expected = "round" if shift == 1 else "version"  # the next fact is of the same command: RoundCompleted
    assert graves(report) == [(expected, at + 1)] or (shift == 1 and report.whole)
    if shift != 1:
        assert f"claims to be paired at version {fact.based_on + shift}" in report.findings[0].text
        assert report.rounds == ()


def test_a_round_paired_on_the_facts_of_another_command_is_told() -> None:
    first = next(i for i, f in enumerate(LOG) if isinstance(f.fact, RoundPaired))
    log = list(LOG[: first + 1])
    log[first - 1] = msgspec.structs.replace(log[first - 1], command_id="another")

    assert graves(verify(ID, rows(resealed(log)))) == [("version", first + 1)]


def test_facts_that_do_not_follow_on_each_other_are_made_up() -> None:
    opening, entry = LOG[0], LOG[1]
    for log in (
        [entry, opening],
        [opening, opening],
        [opening, msgspec.structs.replace(entry, fact=RoundPublished(round=3))],
        [
            opening,
            msgspec.structs.replace(entry, fact=ResultRecorded(round=1, board=1, outcome=Outcome("1", "0"))),
        ],
    ):
        made = rows(resealed(log))
        report = verify(ID, made)
        assert graves(report) == [("sense", 0)]
        assert report.length == 2
        with pytest.raises(CorruptFile, match="does not fit those before it"):
            sensible(ID, made)
    assert sensible(ID, ROWS).paired == 2


def test_a_topic_must_be_that_of_its_fact() -> None:
    version, _, stored = ROWS[0]
    topic = "player-registered/1"
    hash = chained(GENESIS, ID, 1, topic, stored[:-153] + b"}")
    forged = stored[:-153] + f',"previous":"{GENESIS}","hash":"{hash}"}}'.encode()

    report = verify(ID, [(version, topic, forged)])

    assert graves(report) == [("sense", 0)]
    bundle = write_bundle(ID, [(version, topic, forged)])
    lines, whole = verify_bundle.verify(bundle)
    assert not whole
    assert lines == ["BROKEN: fact 1 is tournament-opened, not player-registered/1"]


def test_a_fact_that_no_fold_can_take_is_no_traceback() -> None:
    draw, win = Outcome("=", "="), Outcome("1", "0")
    odd = ResultCorrected(round=1, board=-9, outcome=draw, was=win, scope="pairing-next")
    after = RoundPaired(
        round=3, edition="dutch-2026", engine="x", based_on=END + 1, snapshot="", numbers=(), boards=(),
        origin="import",
    )  # fmt: skip
    extra = [
        msgspec.structs.replace(LOG[-1], fact=fact, command_id=f"made up {at}")
        for at, fact in enumerate((odd, after))
    ]

    report = verify(ID, rows(resealed([*LOG, *extra])))

    assert graves(report) == [("sense", 0)]
    assert "the rounds cannot be replayed" in report.findings[0].text


def paired_next(**changes: object) -> list[Recorded]:
    """The log with a third round nobody made."""
    fact = RoundPaired(
        round=3, edition="dutch-2026", engine="other 1", based_on=END, snapshot="", numbers=(), boards=()
    )
    fact = msgspec.structs.replace(fact, **changes)
    return resealed([*LOG, msgspec.structs.replace(LOG[-1], fact=fact, command_id="third")])


def test_a_round_that_claims_an_engine_has_a_snapshot() -> None:
    report = verify(ID, rows(paired_next()))

    assert graves(report) == [("version", END + 1)]
    assert report.findings[0].text == "round 3 claims to be paired by an engine, without a snapshot"
    assert verify(ID, rows(paired_next(origin="import"))).whole


def test_rounds_follow_on_each_other() -> None:
    for round in (1, 2, 4):
        assert graves(verify(ID, rows(paired_next(round=round, origin="import")))) == [("sense", 0)]


def test_a_round_of_another_engine_is_noted() -> None:
    from paircard.projections.history import history
    from paircard.projections.views import snapshot_now

    digest = snapshot_now(history(LOG)).digest()

    report = verify(ID, rows(paired_next(snapshot=digest)))

    assert report.whole
    [finding] = report.findings
    assert (finding.matter, finding.version, finding.grave) == ("round", END + 1, False)
    assert finding.text == "round 3 paired by another engine version"


def test_a_clock_that_went_back_is_told_and_changes_nothing() -> None:
    log = list(LOG)
    log[5] = msgspec.structs.replace(log[5], when="2026-11-16T08:00:00.5Z")

    report = verify(ID, rows(resealed(log)))

    assert report.whole
    [finding] = report.findings
    assert (finding.matter, finding.version, finding.grave) == ("clock", 6, False)
    assert "before the fact above it" in finding.text
    assert len(report.rounds) == 2, "order is that of the log"
    same = [msgspec.structs.replace(fact, when=LOG[0].when) for fact in LOG]
    assert verify(ID, rows(resealed(same))).findings == ()


# checkpoints


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
    assert "signed by arbiter7, none of the keys you trust" in report.findings[0].text
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


def test_a_cut_tail_shows_against_a_checkpoint_and_not_without() -> None:
    cut = ROWS[:-1]

    assert verify(ID, cut).whole, "nobody can see this from the log alone"
    report = verify(ID, cut, [note_of(END)])
    assert graves(report) == [("checkpoint", END)]
    assert f"{END} facts were signed, the log has {END - 1}: its end was cut off" in report.findings[0].text
    assert verify(ID, cut, [note_of(END - 1)]).whole


def test_a_rewritten_last_fact_shows_against_a_checkpoint_and_not_without() -> None:
    log = [*LOG[:-1], msgspec.structs.replace(LOG[-1], who="Somebody Else")]
    forged = rows(resealed(log))

    assert verify(ID, forged).whole, "nobody can see this from the log alone"
    report = verify(ID, forged, [note_of(END)])
    assert graves(report) == [("checkpoint", END)]
    assert f"the first {END} facts are not those that were signed: the log was rewritten" in (
        report.findings[0].text
    )
    assert verify(ID, forged, [note_of(END - 1)]).whole, "a checkpoint reaches as far as it reaches"


def test_a_checkpoint_of_another_tournament_is_refused() -> None:
    other = FEDERATION.sign(Checkpoint("e" * 32, 1, HASHES[0]))

    report = verify(ID, ROWS, [other])

    assert graves(report) == [("checkpoint", 1)]
    assert "it is of another tournament, eeee" in report.findings[0].text
    assert consistent(Checkpoint(ID, 1, HASHES[0]), ID, HASHES) == ""


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
    assert parse_verifier(public) == signer.verifier()
    assert signed_by(Note(Checkpoint(ID, 1, GENESIS), text, (line,)), [parse_verifier(public)]) == [
        "PeterNeumann"
    ]
    assert signer.line() == "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"


def test_a_new_key_can_be_written_down_and_read_again() -> None:
    signer = new_signer("fsi.it/arbiter7")

    assert len(signer.seed) == 32
    assert parse_signer(signer.line()) == signer
    assert parse_verifier(signer.verifier().line()) == signer.verifier()
    assert new_signer("fsi.it/arbiter7").seed != signer.seed
    for name in ("", "two words", "a+b", "a\tb", "x" * 61, "bell\x07"):
        with pytest.raises(Invalid, match="is not the name of a key"):
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
        parse_verifier(text)


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
    with pytest.raises(Invalid, match="not an Ed25519 key"):
        parse_signer("PRIVATE+KEY+x+00000000+" + base64.b64encode(b"\x02" + bytes(32)).decode())


def test_the_private_key_is_not_taken_for_the_public_one() -> None:
    for text in (FEDERATION.line(), "", "+" + FEDERATION.verifier().line().partition("+")[2]):
        with pytest.raises(Invalid, match="this is not a public key"):
            parse_verifier(text)


def test_without_the_library_nothing_is_signed_and_no_signature_is_believed() -> None:
    import sys

    content = bundle()
    there = {name: sys.modules[name] for name in sys.modules if name.split(".")[0] == "cryptography"}
    for name in there:
        sys.modules[name] = None  # type: ignore[assignment]
    sys.modules["cryptography"] = None  # type: ignore[assignment]
    try:
        for deed in (
            lambda: new_signer("x"),
            lambda: parse_signer("PRIVATE+KEY+x+00000000+" + base64.b64encode(b"\x01" + bytes(32)).decode()),
            lambda: signed_by(parse_note(NINE), [FEDERATION_KEY]),
        ):
            with pytest.raises(LibraryMissing, match=r"pip install 'paircard\[proof\]'"):
                deed()
        assert not verify(ID, ROWS, [NINE], [FEDERATION_KEY]).whole
        assert verify(ID, ROWS, [NINE]).whole, "to compare hashes needs no library"
        assert verify_bundle.verify(content)[1]
        lines, whole = verify_bundle.verify(content, [("held", NINE)], [STANDALONE_KEY])
        assert not whole
        assert lines[-1].endswith("signatures cannot be checked: pip install cryptography")
    finally:
        sys.modules |= there


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
        parse_note(note)
    report = verify(ID, ROWS, [note])
    assert graves(report) == [("checkpoint", 0)]
    assert report.length == END
    _, whole = verify_bundle.verify(bundle(), [("file", note)], [standalone_key(FEDERATION)])
    assert not whole


def test_every_bit_of_a_signed_text_counts() -> None:
    good = note_of(9)
    key = FEDERATION.verifier()
    assert signed_by(parse_note(good), [key]) == ["fsi.it"]

    extended = good.replace("\n\n", "\nmore\n\n", 1)
    for changed in (good.replace("\n9\n", "\n8\n"), good.replace(ID, "a" * 32), extended):
        with pytest.raises(Invalid, match=r"the signature of fsi\.it is wrong"):
            signed_by(parse_note(changed), [key])
        assert graves(verify(ID, ROWS, [changed], [key])) == [("checkpoint", 0)]
        lines, whole = verify_bundle.verify(bundle(), [("file", changed)], [standalone_key(FEDERATION)])
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
            with pytest.raises(Invalid, match="is not a signature line"):
                parse_note(NINE + line)
    with pytest.raises(Invalid, match="is not a signature line"):
        parse_note(NINE.replace(" fsi.it ", " fsi.it !"))


def test_several_may_sign_the_same_lines() -> None:
    one, two = note_of(9), note_of(9, ARBITER)
    both = one + two.split("\n")[4] + "\n"
    keys = [FEDERATION.verifier(), ARBITER.verifier()]

    assert signed_by(parse_note(both), keys) == ["fsi.it", "arbiter7"]
    stranger = Signer("stranger", bytes(32)).verifier()
    assert "signed by fsi.it, arbiter7, none" in verify(ID, ROWS, [both], [stranger]).findings[0].text
    assert signed_by(parse_note(both), keys[1:]) == ["arbiter7"]
    lines, whole = verify_bundle.verify(
        bundle(), [("file", both)], [standalone_key(ARBITER), standalone_key(FEDERATION)]
    )
    assert whole
    assert lines[-1].endswith("signed by arbiter7, fsi.it")


# heads on paper


def test_a_head_on_paper_is_short_and_proves_the_same() -> None:
    paper = printed(9, HASHES[8])
    groups = paper.split(":")[1].split("-")

    assert paper.startswith("9:")
    assert [len(group) for group in groups] == [4] * 5
    assert "".join(groups) == HASHES[8][:20]
    assert parse_printed(f" 9 : {paper[2:].upper()} ") == (9, HASHES[8][:20])
    [held] = verify(ID, ROWS, heads=[paper]).held
    assert (held.size, held.what) == (9, "printed head")
    assert verify(ID, ROWS, heads=[printed(END, HASHES[-1])]).whole

    rewritten = verify(ID, ROWS, heads=[printed(9, HASHES[9])])
    assert graves(rewritten) == [("checkpoint", 9)]
    assert "the log was rewritten" in rewritten.findings[0].text
    cut = verify(ID, ROWS[:8], heads=[paper])
    assert graves(cut) == [("checkpoint", 9)]
    assert "9 facts were there when it was printed, the log has 8" in cut.findings[0].text


@pytest.mark.parametrize(
    "text", ["", "9", "9:", "9:abc", "0:" + "a" * 20, "x:" + "a" * 20, "9:" + "a" * 15, "9:" + "g" * 20]
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="is not a printed head"):
        parse_printed(text)
    assert parse_printed("9:" + "a" * 16) == (9, "a" * 16)
    assert parse_printed("9:" + "a" * 64) == (9, "a" * 64)


# bundles, and the verifier that needs no Paircard


@cache
def bundle() -> bytes:
    return write_bundle(ID, ROWS, [note_of(9), note_of(END, ARBITER)])


def standalone_key(signer: Signer) -> verify_bundle.Key:
    return verify_bundle.read_key(signer.verifier().line() + "\n")


def test_a_bundle_carries_facts_and_checkpoints_byte_for_byte() -> None:
    found = read_bundle(bundle())

    assert isinstance(found, Bundle)
    assert list(found.rows) == ROWS
    assert found.checkpoints == (note_of(9), note_of(END, ARBITER))
    heading = found.heading
    assert (heading.tournament, heading.length, heading.head) == (ID, END, HASHES[-1])
    assert not heading.pseudonymous
    assert read_bundle(write_bundle(ID, ROWS, pseudonymous=True)).heading.pseudonymous
    for line in bundle().decode().splitlines():
        json.loads(line)
    with pytest.raises(CorruptFile):
        write_bundle(ID, ROWS[1:])


def test_the_verifier_without_paircard_says_the_same() -> None:
    lines, whole = verify_bundle.verify(bundle(), [("held", note_of(4))], [standalone_key(FEDERATION)])
    assert whole, "what lies in the bundle may be signed by others too"
    assert lines[2] == (
        f"checkpoint (bundle): the log begins with the {END} facts it names, signed by no key you trust"
    )
    keys = [standalone_key(FEDERATION), standalone_key(ARBITER)]
    lines, whole = verify_bundle.verify(bundle(), [("held", note_of(4))], keys)
    assert whole
    assert lines == [
        f"{END} facts, chain whole, head {HASHES[-1]}",
        "checkpoint (bundle): the log begins with the 9 facts it names, signed by fsi.it",
        f"checkpoint (bundle): the log begins with the {END} facts it names, signed by arbiter7",
        "checkpoint (held): the log begins with the 4 facts it names, signed by fsi.it",
    ]
    lines, whole = verify_bundle.verify(bundle())
    assert whole
    assert lines[1].endswith("signed by somebody, give --key to check it")
    assert lines[-1] == (
        "no checkpoint from elsewhere was held against it: a cut or rewritten log would not show"
    )
    copy, _ = verify_bundle.verify(write_bundle(ID, ROWS, pseudonymous=True))
    assert copy[0].endswith(", a pseudonymous copy")


def test_both_verifiers_hold_a_bundle_against_a_checkpoint_from_elsewhere() -> None:
    short = write_bundle(ID, ROWS[:-1])
    for content, note, said in (
        (short, note_of(END), f"{END} facts were signed, the bundle has {END - 1}: its end was cut off"),
        (bundle(), FEDERATION.sign(Checkpoint(ID, 9, HASHES[9])), "the first 9 facts are not those that"),
        (bundle(), FEDERATION.sign(Checkpoint("e" * 32, 9, HASHES[8])), "it is of another tournament, eee"),
        (bundle(), note_of(9, ARBITER), "no key you trust signed it"),
    ):
        lines, whole = verify_bundle.verify(content, [("held", note)], [standalone_key(FEDERATION)])
        assert not whole
        assert said in lines[-1]
        assert lines[-1].startswith("BROKEN: checkpoint (held): ")
        assert graves(verify(ID, read_bundle(content).rows, [note], [FEDERATION.verifier()]))
    assert verify_bundle.verify(short, [("held", note_of(END - 1))], [standalone_key(FEDERATION)])[1]


def damaged_bundles() -> list[bytes]:
    lines = write_bundle(ID, ROWS, [note_of(9)]).split(b"\n")[:-1]
    heading, facts, note = lines[0], lines[1:-1], lines[-1]

    def joined(*parts: bytes) -> bytes:
        return b"\n".join(parts) + b"\n"

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
    lines, whole = verify_bundle.verify(content)
    assert not whole
    assert len(lines) == 1
    assert lines[0].startswith("BROKEN: ")


def test_a_tournament_without_a_proper_id_is_refused_although_its_chain_is_right() -> None:
    for id in ("short", "E" * 32, "e" * 33):
        log = resealed([msgspec.structs.replace(fact, tournament=id) for fact in LOG[:3]])
        content = write_bundle(id, rows(log))
        with pytest.raises(Invalid, match="in line 1 is not the id of a tournament"):
            read_bundle(content)
        assert verify_bundle.verify(content) == (["BROKEN: line 1 is not the heading of a bundle/1"], False)


def test_the_verifier_names_the_place_of_the_damage() -> None:
    lines = bundle().split(b"\n")
    assert verify_bundle.verify(bundle()[:-1])[0] == ["BROKEN: the file ends in the middle of a line"]
    with pytest.raises(CorruptFile, match="the bundle ends in the middle of a line"):
        read_bundle(bundle()[:-1])
    gap = b"\n".join([*lines[:4], *lines[5:]])
    assert verify_bundle.verify(gap)[0] == ["BROKEN: fact 4 is missing"]
    changed = b"\n".join([*lines[:4], lines[4].replace(b'"why":""', b'"why":"x"'), *lines[5:]])
    assert verify_bundle.verify(changed)[0] == [
        "BROKEN: fact 4 was changed after it was recorded, or does not belong there"
    ]
    odd = b"\n".join([*lines[:4], b"{}", *lines[5:]])
    assert verify_bundle.verify(odd)[0] == ["BROKEN: line 5 is neither a fact nor a checkpoint"]
    with pytest.raises(CorruptFile, match="line 5 of the bundle is neither a fact nor a checkpoint"):
        read_bundle(odd)


def test_a_fact_of_no_kind_is_refused_although_its_hash_is_right() -> None:
    for payload in (b'{"fact":{}}', b'{"fact":1}', b"{}", b"{nonsense}"):
        hash = chained(GENESIS, ID, 1, "x/1", payload)
        stored = payload[:-1] + f',"previous":"{GENESIS}","hash":"{hash}"}}'.encode()
        row: Row = (1, "x/1", stored)
        lines, whole = verify_bundle.verify(write_bundle(ID, [row]))
        assert not whole
        assert lines[0] == "BROKEN: fact 1 is unreadable, not x/1"
        assert graves(verify(ID, [row])) == [("sense", 0)]


@pytest.mark.parametrize(
    "text", ["", "name", "a+b+c", FEDERATION.verifier().line()[:-4], FEDERATION.verifier().line() + "AAAA"]
)
def test_the_verifier_refuses_what_is_no_key(text: str) -> None:
    with pytest.raises(verify_bundle.Broken):
        verify_bundle.read_key(text)
    renamed = FEDERATION.verifier().line().replace("fsi.it", "fsi.com")
    with pytest.raises(verify_bundle.Broken, match="not a public key"):
        verify_bundle.read_key(renamed)
    line = FEDERATION.verifier().line()
    with pytest.raises(verify_bundle.Broken, match="is not base64"):
        verify_bundle.read_key(f"{line[:-4]}!{line[-4:]}")
    with pytest.raises(Invalid, match="is not an Ed25519 key in base64"):
        parse_verifier(f"{line[:-4]}!{line[-4:]}")
    other = base64.b64encode(b"\x02" + bytes(32)).decode()
    with pytest.raises(verify_bundle.Broken, match="not a public key"):
        verify_bundle.read_key(f"x+00000000+{other}")


def test_facts_are_stored_as_they_were_sealed() -> None:
    entry = msgspec.structs.replace(LOG[1], fact=PlayerRegistered(player=1, details=Details(name="Zoë")))
    sealed, stored = seal(entry, HASHES[0])

    assert stored == stored_bytes(sealed)
    assert topic_of(RoundCompleted(round=1)) == "round-completed/1"
