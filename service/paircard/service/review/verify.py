"""Verification: is this log what it claims to be? Chain, versions, snapshots, every round, checkpoints.

It works on stored bytes, so it serves a file and a bundle alike. What a chain alone cannot show, since
whoever owns the file can compute it anew: a tail cut off, a history rewritten from some fact on, a
tournament taken out. That shows only against a checkpoint or a printed head that somebody else holds.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

import msgspec

from paircard.domain.errors import Refused
from paircard.domain.events import (
    Event,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    Recorded,
    RoundCompleted,
    RoundPaired,
)
from paircard.domain.log.backends.base import CheckpointRow
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import (
    GENESIS,
    StoredFact,
    check_link,
    decode_fact,
    erased_parts,
    gap_message,
    missing_parts,
    stray_parts,
)
from paircard.domain.proof.bundles import sensible
from paircard.domain.proof.checkpoints import (
    PRINTED,
    checkpoint_of,
    consistent,
    mislabelled,
    parse_printed,
    texts,
)
from paircard.domain.proof.forgeries import find_forged
from paircard.domain.proof.note import Verifier, parse_note, signed_by
from paircard.domain.proof.signatures import NOBODY, Author, ListedKey, Recorders, check_signatures
from paircard.domain.speaking import Speaker
from paircard.projections.moments import read_time
from paircard.service.review.replay import REASONS, Replayed, replay

Matter: TypeAlias = Literal[
    "chain", "sense", "version", "clock", "round", "checkpoint", "signature", "private", "store"
]


PAIRING = (RoundCompleted, PairingNumbersAssigned, PairingNumbersFrozen, RoundPaired)
"""What the pairing of a round records, and nothing before it."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it should be."""

    matter: Matter
    version: int
    """The fact it concerns; 0 for the log as a whole."""
    text: str
    grave: bool = True
    """False for what is odd, but proves nothing."""


class Held(msgspec.Struct, frozen=True):
    """A checkpoint or a printed head that the log agrees with."""

    size: int
    what: str
    signed_by: tuple[str, ...] = ()
    """Trusted keys whose signature was checked."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What verification found."""

    tournament: str
    length: int
    head: str
    findings: tuple[Finding, ...]
    rounds: tuple[Replayed, ...]
    held: tuple[Held, ...]
    authors: tuple[Author, ...] = ()
    """Who entered how many facts, and what their names rest on."""

    @property
    def whole(self) -> bool:
        return not any(finding.grave for finding in self.findings)


def verify(
    tournament: str,
    rows: Sequence[StoredFact],
    notes: Iterable[str] = (),
    trusted: Sequence[Verifier] = (),
    heads: Iterable[str] = (),
    *,
    kept: Iterable[str] = (),
    labels: Iterable[CheckpointRow] = (),
    positions: Sequence[int] = (),
    around: Iterable[str] = (),
    people: Sequence[ListedKey] = (),
    recorders: Recorders = NOBODY,
) -> Report:
    """Check a log from its first byte to its last, and against all that others hold of it.

    ``kept`` are checkpoints that lay beside the log, whoever signed them; ``labels`` the same as rows of
    a store; ``positions`` the places of the facts in the file, where they are known; ``around`` what is
    wrong with the store beside this log; ``people`` the keys that speak for people; ``recorders`` the roles
    a server has recorded.
    """
    hashes, findings = chain(tournament, rows)
    findings += [Finding("store", 0, problem) for problem in around]
    findings += [
        Finding("chain", at, f"fact {at} stands in the file before an earlier one")
        for at, (before, now) in enumerate(pairwise(positions), start=2)
        if now <= before
    ]
    if positions and positions[0] < 1:
        findings.append(Finding("chain", 1, f"fact 1 stands at position {positions[0]}: somebody moved it"))
    held: list[Held] = []
    labels = list(labels)
    findings += [
        Finding("checkpoint", wrong.size, Speaker().say(wrong.said)) for wrong in mislabelled(labels)
    ]
    for note in (*kept, *texts(labels)):
        findings += checkpoint(tournament, hashes, note, trusted, held, beside=True)
    for note in notes:
        findings += checkpoint(tournament, hashes, note, trusted, held)
    for head in heads:
        findings += on_paper(hashes, head, held)
    warned = any(finding.matter == "checkpoint" and finding.grave for finding in findings)
    if trusted and not warned and not any(one.signed_by for one in held):
        keys = ", ".join(key.name for key in trusted)
        findings.append(
            Finding("checkpoint", 0, f"no checkpoint signed by {keys} was found: nothing proves this")
        )
    authors: list[Author] = []
    rounds: list[Replayed] = []
    if len(hashes) == len(rows):
        findings += history_of(tournament, rows, rounds)
        if not any(finding.matter == "sense" for finding in findings):
            authors, unsigned = check_signatures(tournament, rows, people, recorders)
            findings += [
                Finding("signature", version, f"fact {version}: {Speaker().say(why)}")
                for version, why in unsigned
            ]
    return Report(
        tournament=tournament,
        length=len(hashes),
        head=hashes[-1] if hashes else GENESIS,
        findings=tuple(findings),
        rounds=tuple(rounds),
        held=tuple(held),
        authors=tuple(authors),
    )


def verify_stored(
    store: Tournaments,
    tournament: str,
    notes: Iterable[str] = (),
    trusted: Sequence[Verifier] = (),
    heads: Iterable[str] = (),
    *,
    around: Iterable[str] = (),
    people: Sequence[ListedKey] = (),
) -> Report:
    """Check a tournament of a store with all that the store knows of it."""
    report = verify(
        tournament,
        store.raw_log(tournament),
        notes,
        trusted,
        heads,
        labels=store.notes(tournament),
        positions=store.positions(tournament),
        around=around,
        people=people,
        recorders=Recorders(store.recorders(tournament), store.owner()),
    )
    if not report.whole or store.entry(tournament) in (None, store.read(tournament).entry()):
        return report
    text = "its row in the list of tournaments says what the facts do not: run paircard init once"
    listed = Finding("store", 0, text, grave=False)
    return msgspec.structs.replace(report, findings=(*report.findings, listed))


def chain(tournament: str, rows: Sequence[StoredFact]) -> tuple[list[str], list[Finding]]:
    """The hash of every fact up to the first that does not belong there."""
    hashes: list[str] = []
    head = GENESIS
    for place, row in enumerate(rows, start=1):
        if row.originator_version != place:
            return hashes, [Finding("chain", place, gap_message(tournament, place))]
        try:
            head = check_link(head, tournament, row)
        except Refused as refusal:
            return hashes, [Finding("chain", place, str(refusal))]
        hashes.append(head)
    return hashes, [] if rows else [Finding("chain", 0, f"tournament {tournament} has no facts")]


def history_of(tournament: str, rows: Sequence[StoredFact], rounds: list[Replayed]) -> list[Finding]:
    """The facts as facts: do they follow on each other, and does every round follow from them?"""
    try:
        sensible(tournament, rows)
    except Refused as refusal:
        return [Finding("sense", 0, str(refusal))]
    log = [decode_fact(row) for row in rows]
    findings = [*clocks(log), *decided_on_old(log), *never_recorded(log), *personal_parts(rows, log)]
    if any(finding.grave for finding in findings):
        return findings
    try:
        rounds += replay(log)
    except Exception as reason:  # facts that were made up may break any fold
        return [*findings, Finding("sense", 0, f"the rounds cannot be replayed: {type(reason).__name__}")]
    return findings + [
        Finding("round", each.version, f"round {each.round} {REASONS[each.verdict]}", not each.accounted_for)
        for each in rounds
        if not each.accounted_for or each.verdict == "other-engine"
    ]


def personal_parts(rows: Sequence[StoredFact], log: Sequence[Recorded]) -> list[Finding]:
    """Personal parts that are gone without an erasure, there in spite of one, or never committed to."""
    erased = erased_parts(log)
    found = []
    for row, recorded in zip(rows, log, strict=True):
        version, gone = row.originator_version, missing_parts(row)
        for at, hash in enumerate(recorded.private):
            if at in gone and (version, hash) not in erased:
                found.append(Finding("private", version, "a personal part is missing, and nobody erased it"))
            elif at not in gone and (version, hash) in erased:
                text = "a personal part is there although it was erased: erase it again"
                found.append(Finding("private", version, text, False))
        if stray_parts(row):
            found.append(Finding("private", version, "there is a personal part the fact does not commit to"))
    return found


def clocks(log: Sequence[Recorded]) -> list[Finding]:
    """Order is that of the log, so a clock set back changes nothing; but it is reported."""
    return [
        Finding(
            "clock", now.version, f"recorded at {now.when}, before the fact above it ({then.when})", False
        )
        for then, now in pairwise(log)
        if read_time(now.when) < read_time(then.when)
    ]


def never_recorded(log: Sequence[Recorded]) -> list[Finding]:
    """Rounds, results and corrections that the program would not have recorded where they stand."""
    return [
        Finding("version", version, f"it was not recorded by paircard where it stands: {Speaker().say(why)}")
        for version, why in find_forged(log)
    ]


def decided_on_old(log: Sequence[Recorded]) -> list[Finding]:
    """Rounds that claim another version than the one they were recorded on, or no snapshot (promise 6)."""
    found = []
    first: dict[str, Event] = {}
    for recorded in log:
        fact, own = recorded.fact, recorded.command_id
        first.setdefault(own, fact)
        if not isinstance(fact, RoundPaired):
            continue
        since = {one.command_id for one in log[: recorded.version] if one.version > fact.based_on}
        # a request that does more than pair, like an import, has facts of its own before it pairs
        own_before = any(one.version == fact.based_on and one.command_id == own for one in log)
        if since != {own} or (own_before and isinstance(first[own], PAIRING)):  # not where it was decided
            text = f"round {fact.round} claims to be paired at version {fact.based_on}"
            found.append(Finding("version", recorded.version, text))
        elif fact.origin == "engine" and not fact.snapshot:
            text = f"round {fact.round} claims to be paired by an engine, without a snapshot"
            found.append(Finding("version", recorded.version, text))
    return found


def checkpoint(
    tournament: str,
    hashes: Sequence[str],
    text: str,
    trusted: Sequence[Verifier],
    held: list[Held],
    *,
    beside: bool = False,
) -> list[Finding]:
    """Does the log begin with what was signed, and did a trusted key sign it?"""
    try:
        note = parse_note(text)
        said, names = checkpoint_of(note), signed_by(note, trusted)
    except Refused as refusal:
        return [Finding("checkpoint", 0, str(refusal))]
    size = said.size
    against = consistent(said, tournament, hashes)
    why = Speaker().say(against) if against else ""
    grave = True
    if not why and trusted and not names:
        keys = ", ".join(signature.name for signature in note.signatures)
        why, grave = f"it is signed by {keys}, none of the keys you trust", not beside
    if why:
        return [Finding("checkpoint", size, f"checkpoint of {size} facts: {why}", grave)]
    held.append(Held(size, "checkpoint", tuple(names)))
    return []


def on_paper(hashes: Sequence[str], text: str, held: list[Held]) -> list[Finding]:
    """Does the log agree with a head that was printed?"""
    size, digits = parse_printed(text)
    if size > len(hashes):
        why = f"{size} facts were there when it was printed, the log has {len(hashes)}: its end was cut off"
    elif not hashes[size - 1].startswith(digits):
        why = f"the first {size} facts are not those of then: the log was rewritten"
    else:
        held.append(Held(size, "printed head"))
        if len(digits) >= PRINTED:
            return []
        weak = f"printed head of {4 * len(digits)} bits: an insider could have prepared two logs with it"
        return [Finding("checkpoint", size, weak, grave=False)]
    return [Finding("checkpoint", size, f"printed head {text.strip()}: {why}")]
