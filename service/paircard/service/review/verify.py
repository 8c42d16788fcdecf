"""Verification: is this log what it claims to be? Chain, versions, snapshots, every round, checkpoints.

It works on stored bytes, so it serves a file and a bundle alike. What a chain alone cannot show, since
the owner of the file can compute it anew: a tail cut off, a history rewritten from some fact on, a
tournament taken out. That shows only against a checkpoint or a printed head that somebody else holds.

Somebody who can write to the database can also add facts with the right hash. Deciding is pure, so what the
program would have answered can be asked again: a second result of one board, a result of a round that was
not published, or a correction that claims more than C.04.2:4.3 lets it touch was not recorded by it. Boards
by hand and by the engine are looked at alike: everybody on them plays in the tournament, and once.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import Command, Meta
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.round_robin import drawn_from
from paircard.domain.errors import LibraryMissing, Refused
from paircard.domain.events import Event, Recorded
from paircard.domain.log.backends.base import CheckpointRow
from paircard.domain.log.reader import NONSENSE, entry_of
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import (
    ERASED,
    GENESIS,
    StoredFact,
    chain_of,
    commitments,
    decode_fact,
    erased_parts,
    missing_parts,
    stray_parts,
)
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import sensible
from paircard.domain.proof.checkpoints import (
    PRINTED,
    checkpoint_of,
    consistent,
    mislabelled,
    parse_printed,
    texts,
)
from paircard.domain.proof.note import Verifier, parse_note, signed_by
from paircard.domain.proof.signatures import NOBODY, Author, ListedKey, Recorders, check_signatures
from paircard.domain.rounds import ADJOURNED
from paircard.domain.speaking import Remark, Speaker
from paircard.domain.state import NOTHING, Tournament, evolve
from paircard.domain.values.rules import RULES
from paircard.projections.views import read_time
from paircard.service.review.replay import Replayed, ReplayedPrizes, replay, replay_prizes

Matter: TypeAlias = Literal[
    "chain",
    "sense",
    "version",
    "clock",
    "round",
    "prizes",
    "checkpoint",
    "signature",
    "private",
    "store",
]


PAIRING = (
    events.RoundCompleted,
    events.PairingNumbersAssigned,
    events.PairingNumbersFrozen,
    events.RoundPaired,
)
"""What the pairing of a round records, and nothing before it."""


class Finding(Remark, frozen=True, kw_only=True):
    """Something that is not as it should be."""

    matter: Matter
    version: int
    """The fact it concerns; 0 for the log as a whole."""
    grave: bool = True
    """False for what is odd, but proves nothing."""


def found(matter: Matter, version: int, message: Message, *, grave: bool = True) -> Finding:
    """A finding with its English text."""
    text = Speaker().say(message)
    return Finding(matter=matter, version=version, text=text, message=message, grave=grave)


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
    prizes: tuple[ReplayedPrizes, ...] = ()
    """The lists of prizes on record, computed again."""

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
    around: Iterable[Message] = (),
    people: Sequence[ListedKey] = (),
    recorders: Recorders = NOBODY,
) -> Report:
    """Check a log from its first byte to its last, and against all that others hold of it.

    ``kept`` are checkpoints that lay with the log, by any signer; ``labels`` such checkpoints as rows of
    a store; ``positions`` the places of the facts in the file, where they are known; ``around`` what is
    wrong with the store apart from this log; ``people`` the keys that speak for people; ``recorders`` the
    roles a server has recorded.
    """
    hashes, findings = chain(tournament, rows)
    findings += [found("store", 0, fault) for fault in around]
    findings += [
        found("chain", at, say("verify.out-of-place", version=at))
        for at, (before, now) in enumerate(pairwise(positions), start=2)
        if now <= before
    ]
    if positions and positions[0] < 1:
        findings.append(found("chain", 1, say("verify.moved", place=positions[0])))
    labels = list(labels)
    findings += [found("checkpoint", size, wrong) for size, wrong in mislabelled(labels)]
    compared = [
        *(checkpoint(tournament, hashes, note, trusted, stored=True) for note in (*kept, *texts(labels))),
        *(checkpoint(tournament, hashes, note, trusted) for note in notes),
        *(on_paper(hashes, head) for head in heads),
    ]
    held = [one for one, _ in compared if one]
    findings += [one for _, one in compared if one]
    warned = any(finding.matter == "checkpoint" and finding.grave for finding in findings)
    if trusted and not warned and not any(one.signed_by for one in held):
        names = [key.name for key in trusted]
        findings.append(found("checkpoint", 0, say("verify.nothing-signed", names=names)))
    authors: list[Author] = []
    rounds: list[Replayed] = []
    prizes: list[ReplayedPrizes] = []
    if len(hashes) == len(rows):
        findings += history_of(tournament, rows, rounds, prizes)
        if not any(finding.matter == "sense" for finding in findings):
            authors, unsigned = check_signatures(rows, people, recorders)
            findings += [
                found("signature", version, say("verify.signature", version=version, what=why))
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
        prizes=tuple(prizes),
    )


def verify_stored(
    store: Tournaments,
    tournament: str,
    notes: Iterable[str] = (),
    trusted: Sequence[Verifier] = (),
    heads: Iterable[str] = (),
    *,
    around: Iterable[Message] | None = None,
    people: Sequence[ListedKey] = (),
) -> Report:
    """Check a tournament of a store with all that the store knows of it; no other tournament is looked at.

    ``around`` is what is wrong with the store, where somebody has looked.
    """
    if around is None:
        around = (*store.backend.unsound(), *stray_rows(store, tournament))
    rows = store.raw_log(tournament)
    report = verify(
        tournament,
        rows,
        notes,
        trusted,
        heads,
        labels=store.backend.stored_checkpoints(tournament),
        positions=[row.id for row in rows],
        around=around,
        people=people,
        recorders=Recorders(store.backend.recorders(tournament), store.backend.owner()),
    )
    if not report.whole:
        return report
    known, listed_as = store.read(tournament), store.entry(tournament)
    entry = entry_of(known.state, tournament, known.facts)
    if listed_as is None or (listed_as, store.words(tournament)) == (entry, known.words()):
        return report
    listed = found("store", 0, say("verify.list-differs"), grave=False)
    return msgspec.structs.replace(report, findings=(*report.findings, listed))


def stray_rows(store: Tournaments, tournament: str = "") -> Iterator[Message]:
    """Personal parts that no fact commits to, so that an erasure would not find them; all, or of one."""
    for id, version, hash, piece, line in store.backend.private_rows(tournament):
        if not isinstance(line, bytes) or hash not in commitments(line):
            yield say("verify.stray-part", value=str(version), text=str(id))
        elif not isinstance(piece, bytes) or sha256(piece).hexdigest() != hash:
            yield say("verify.part-changed", value=str(version), text=str(id))


def chain(tournament: str, rows: Sequence[StoredFact]) -> tuple[list[str], list[Finding]]:
    """The hash of every fact up to the first that does not belong there."""
    hashes: list[str] = []
    try:
        for hash in chain_of(tournament, rows):
            hashes.append(hash)
    except Refused as refusal:
        return hashes, [found("chain", len(hashes) + 1, refusal.said)]
    empty = found("chain", 0, say("verify.no-facts", tournament=tournament))
    return hashes, [] if rows else [empty]


def history_of(
    tournament: str, rows: Sequence[StoredFact], rounds: list[Replayed], prizes: list[ReplayedPrizes]
) -> list[Finding]:
    """The facts as facts: do they follow on each other, and does every round and list follow from them?"""
    try:
        sensible(tournament, rows)
    except Refused as refusal:
        return [found("sense", 0, refusal.said)]
    log = [decode_fact(row) for row in rows]
    never_recorded = [
        found("version", version, say("verify.not-recorded", what=why)) for version, why in find_forged(log)
    ]
    findings = [*clocks(log), *decided_on_old(log), *never_recorded, *personal_parts(rows, log)]
    if any(finding.grave for finding in findings):
        return findings
    try:
        rounds += replay(log)
        prizes += replay_prizes(log)
    except Exception as reason:  # facts that were made up may break any fold
        broken = say("verify.not-replayed", kind=type(reason).__name__)
        return [*findings, found("sense", 0, broken)]
    for one in prizes:
        if one.verdict != "identical":
            told = say("verify.prizes", verdict=one.verdict)
            findings.append(found("prizes", one.version, told, grave=one.verdict == "differs"))
    for each in rounds:
        if not each.accounted_for or each.verdict == "other-engine":
            told = say("verify.round", round=each.round, verdict=each.verdict)
            findings.append(found("round", each.version, told, grave=not each.accounted_for))
    return findings


def personal_parts(rows: Sequence[StoredFact], log: Sequence[Recorded]) -> list[Finding]:
    """Personal parts that are gone without an erasure, there in spite of one, or never committed to."""
    erased = erased_parts(log)
    findings = []
    for row, recorded in zip(rows, log, strict=True):
        version, gone = row.originator_version, missing_parts(row)
        for at, hash in enumerate(recorded.private):
            if at in gone and (version, hash) not in erased:
                findings.append(found("private", version, say("verify.part-missing")))
            elif at not in gone and (version, hash) in erased:
                findings.append(found("private", version, say("verify.part-back"), grave=False))
        if stray_parts(row):
            findings.append(found("private", version, say("verify.part-stray")))
    return findings


def clocks(log: Sequence[Recorded]) -> list[Finding]:
    """Order is that of the log, so a clock set back changes nothing; but it is reported."""
    return [
        found("clock", now.version, say("verify.clock", when=now.when, value=then.when), grave=False)
        for then, now in pairwise(log)
        if read_time(now.when) < read_time(then.when)
    ]


def decided_on_old(log: Sequence[Recorded]) -> list[Finding]:
    """Rounds that claim another version than the one they were recorded on, or no snapshot (promise 6)."""
    findings = []
    first: dict[str, Event] = {}
    for recorded in log:
        fact, own = recorded.fact, recorded.command_id
        first.setdefault(own, fact)
        if not isinstance(fact, events.RoundPaired):
            continue
        since = {one.command_id for one in log[: recorded.version] if one.version > fact.based_on}
        # a request that does more than pair, like an import, has facts of its own before it pairs
        own_before = any(one.version == fact.based_on and one.command_id == own for one in log)
        elsewhere = since != {own} or (own_before and isinstance(first[own], PAIRING))
        rules = RULES.get(fact.edition)
        if elsewhere and not (rules and rules.known_at_once):  # a table is replayed from its numbers alone
            claim = say("verify.paired-at", round=fact.round, based_on=fact.based_on)
            findings.append(found("version", recorded.version, claim))
        elif fact.origin == "engine" and not fact.snapshot:
            claim = say("verify.without-snapshot", round=fact.round)
            findings.append(found("version", recorded.version, claim))
    return findings


Compared: TypeAlias = tuple[Held | None, Finding | None]
"""What the log agrees with, and what is to be said of it."""


def checkpoint(
    tournament: str, hashes: Sequence[str], text: str, trusted: Sequence[Verifier], *, stored: bool = False
) -> Compared:
    """Does the log begin with what was signed, and did a trusted key sign it?"""
    try:
        note = parse_note(text)
        said, names = checkpoint_of(note), signed_by(note, trusted)
    except LibraryMissing:
        raise  # nothing is wrong with the log
    except Refused as refusal:
        return None, found("checkpoint", 0, refusal.said)
    why, grave = consistent(said, tournament, hashes), True
    if not why and trusted and not names:
        signers = [signature.name for signature in note.signatures]
        why, grave = say("verify.not-trusted", names=signers), not stored
    if not why:
        return Held(said.size, "checkpoint", tuple(names)), None
    told = say("proof.checkpoint-convicts", facts=said.size, what=why)
    return None, found("checkpoint", said.size, told, grave=grave)


def on_paper(hashes: Sequence[str], text: str) -> Compared:
    """Does the log agree with a head that was printed?"""
    size, digits = parse_printed(text)
    if size > len(hashes):
        why = say("verify.printed-cut", facts=size, count=len(hashes))
    elif not hashes[size - 1].startswith(digits):
        why = say("verify.printed-rewritten", facts=size)
    else:
        weak = found("checkpoint", size, say("verify.printed-weak", count=4 * len(digits)), grave=False)
        return Held(size, "printed head"), weak if len(digits) < PRINTED else None
    return None, found("checkpoint", size, say("verify.printed", value=text.strip(), what=why))


# --- rounds, results and corrections that could not have been recorded where they stand


def find_forged(log: Sequence[Recorded]) -> Iterator[tuple[int, Message]]:
    """Facts that the program would not have recorded where they stand, and what it would have said."""
    state = NOTHING
    for recorded in log:
        why = wrong_boards(state, recorded.fact) or otherwise(state, recorded)
        if why:
            yield recorded.version, why
        state = evolve(state, recorded.fact)


def otherwise(state: Tournament, recorded: Recorded) -> Message | None:
    """What the program would have said to a result; nothing if just this."""
    fact = recorded.fact
    if isinstance(fact, events.PairingNumbersAssigned) and fact.seed is not UNSET:
        return None if fact.order == drawn_from(state, fact) else say("proof.other-lots")
    if isinstance(fact, events.ResultRecorded) and fact.reason is not UNSET:
        return None if of_leavers(state, fact) else say("proof.nobody-left")
    command = asked(recorded)
    if command is None or before_the_game(state, recorded.fact):
        return None
    try:
        given = weigh(state, command).events
    except Refused as refusal:
        return say("proof.would-be-refused", reason=str(refusal))
    except NONSENSE:  # values nobody can have asked for
        return say("proof.makes-no-sense")
    return None if given == (recorded.fact,) else say("proof.other-scope")


def wrong_boards(state: Tournament, fact: Event) -> Message | None:
    """Why these are not boards of the tournament; nothing if they are, or if it is no such fact."""
    if not isinstance(fact, events.RoundPaired | events.PairingsAltered):
        return None
    seated = [id for board in fact.boards for id in board] + ([fact.pab] if fact.pab else [])
    if strangers := set(seated) - {player.id for player in state.players}:
        return say("proof.stranger-on-boards", id=f"p{min(strangers)}")
    if len(set(seated)) < len(seated):
        return say("proof.on-boards-twice")
    if isinstance(fact, events.RoundPaired) and fact.edition != state.regulations.edition:
        return say("proof.other-edition", text=fact.edition, edition=state.regulations.edition)
    return None


def of_leavers(state: Tournament, fact: events.ResultRecorded) -> bool:
    """Whether an open game is forfeited by those of its two players who have left (C.05:6.6)."""
    try:
        game = state.rounds[fact.round - 1].game(fact.board)
        gone = [bool(state.players[id - 1].status) for id in (game.white, game.black)]
    except LookupError:
        return False
    letters = ["-" if one else "+" for one in gone]
    return (
        any(gone)
        and letters == [fact.outcome.white, fact.outcome.black]
        and game.outcome in (None, ADJOURNED)
    )


def before_the_game(state: Tournament, fact: Event) -> bool:
    """Colours of a game without a result, which earlier versions of the program let be corrected."""
    try:
        return (
            isinstance(fact, events.ColoursCorrected)
            and state.rounds[fact.round - 1].game(fact.board).outcome is None
        )
    except LookupError:
        return False


ASKED: Final[dict[type[Event], type[Command]]] = {
    events.ResultRecorded: ask.RecordResult,
    events.ResultCorrected: ask.CorrectResult,
    events.ColoursCorrected: ask.CorrectColours,
    events.BoardsCorrected: ask.CorrectBoards,
    events.PrizesPublished: ask.PublishPrizes,
}
"""The commands that give these facts; what a command says stands in its fact under the same name."""


def asked(recorded: Recorded) -> Command | None:
    """The command that gives such a fact, if it is one of a result or of prizes."""
    fact, kind = recorded.fact, ASKED.get(type(recorded.fact))
    if kind is None or (isinstance(fact, events.PrizesPublished) and not fact.computed_from):
        return None
    why = recorded.why or (ERASED if recorded.private else "")  # these have no other personal part
    meta = Meta(who=recorded.who, when=recorded.when, command_id=recorded.command_id, why=why)
    fields = {name: getattr(fact, name) for name in kind.__struct_fields__ if name != "meta"}
    return kind(**fields, meta=meta)
