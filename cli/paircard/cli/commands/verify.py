"""``verify`` and ``replay``: is the log what it claims to be, and does every round follow from it?"""

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import UNSET, UnsetType

from paircard.cli.key_files import public_key, read_signer
from paircard.cli.output import print_line, show_json
from paircard.cli.processes import progressing
from paircard.cli.refusals import Misused, spoken
from paircard.cli.session import Session, reads, reads_now
from paircard.cli.text_files import LARGEST_BUNDLE, read_bytes, read_signed
from paircard.domain.deciding.decision import round_of
from paircard.domain.errors import Refused
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import read_bundle
from paircard.domain.proof.checkpoints import printed
from paircard.domain.proof.note import Signer, Verifier
from paircard.domain.proof.signatures import ListedKey, parse_list
from paircard.domain.whole_files import hand_out
from paircard.projections.log_lines import Names
from paircard.service.review.replay import PairingSheet, Replayed, ReplayedPrizes, replay_prizes
from paircard.service.review.replay import replay as replayed
from paircard.service.review.stores import look_through, since
from paircard.service.review.verify import Report, verify_stored
from paircard.service.review.verify import verify as check

AT_A_TIME: Final = 25
"""Tournaments that a process is given at once."""
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=lambda: os.cpu_count() or 1,
    help="Processes to share the work of --all; as many as there are cores if it is not said.",
    metavar="N",
)


@click.command()
@click.option("--checkpoint", "notes", multiple=True, metavar="FILE", help="A checkpoint that you keep.")
@click.option("--trust", "keys", multiple=True, metavar="KEY", help="A public key you trust, or its file.")
@click.option("--head", "heads", multiple=True, metavar="N:HEX", help="A head copied from a pairing sheet.")
@click.option(
    "--keys",
    "lists",
    multiple=True,
    metavar="FILE",
    help="A list of people's keys, signed by a key you trust.",
)
@click.option("--bundle", metavar="FILE", help="Verify a bundle instead of the database.")
@click.option("--all", "whole", is_flag=True, help="Every tournament of the file, and the file itself.")
@jobs_option
@click.option(
    "--verdict",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --all: look only at what grew since the signed verdict in FILE, and leave the next one there.",
)
@click.option(
    "--key", "key_file", type=click.Path(path_type=Path), metavar="FILE", help="Key that signs verdicts."
)
@reads_now
def verify(
    session: Session,
    notes: tuple[str, ...],
    keys: tuple[str, ...],
    heads: tuple[str, ...],
    lists: tuple[str, ...],
    bundle: str | None,
    whole: bool,
    jobs: int,
    verdict: Path | None,
    key_file: Path | None,
) -> int:
    """Check the log: chain, versions, snapshots, every round, and copies held by others.

    Each fact is hashed together with the one before it, so any edit, swap or gap shows. That
    the end was cut off, or everything rewritten, shows against a checkpoint or a printed head: give those
    you hold. One tournament is looked at; --all looks at the others and at the file itself. Exit code 1 if
    anything does not hold.

    Example: paircard verify --checkpoint round1.checkpoint
    """
    if whole and (notes or heads or bundle):
        raise Misused("cli.one-or-all")
    trusted = [public_key(key) for key in keys]
    people = [key for file in lists for key in parse_list(read_signed(file), trusted)]
    proof = [] if lists and not (notes or heads) else trusted  # the key may be there for the list alone
    if verdict is not None:
        if not whole or key_file is None or keys or lists:
            raise Misused("cli.verdict-alone")
        return verify_all(session, proof, people, jobs, (verdict, read_signer(key_file)))
    if whole:
        return verify_all(session, proof, people, jobs)
    given = [read_signed(file) for file in notes]
    if bundle:
        read = read_bundle(read_bytes(Path(bundle), LARGEST_BUNDLE))
        id, kept = read.heading.tournament, len(read.checkpoints)
        report = check(id, read.rows, given, proof, heads, kept=read.checkpoints, people=people)
        name = Path(bundle).name + (", a pseudonymous copy" if read.heading.pseudonymous else "")
    else:
        store, id = session.office.store(), session.tournament.id
        report = verify_stored(store, id, given, proof, heads, people=people)
        kept, name = len(store.backend.stored_checkpoints(id)), name_of(store, id)
    if session.json:
        store_wrong = [finding.text for finding in report.findings if finding.matter == "store"]
        show_json({"whole": report.whole, **msgspec.to_builtins(report), "store": store_wrong})
    else:
        tell(report, name, held_elsewhere=len(given) + len(heads), kept=kept)
    return 0 if report.whole else 1


def name_of(store: Tournaments, id: str) -> str:
    """The name of a tournament, empty where it cannot be read."""
    try:
        rules = store.state(id).regulations
    except Refused:
        return ""
    return rules.name if rules else ""


def tell(report: Report, name: str, *, held_elsewhere: int, kept: int) -> None:
    """A report for people."""
    graves = sum(finding.grave for finding in report.findings)
    name = name or spoken(say("cli.verify.unnamed"))
    print_line("cli.verify.log", name=name, id=report.tournament[:8], facts=report.length, count=graves)
    if report.length:
        print_line("cli.verify.head", id=report.head, value=printed(report.length, report.head))
    verdicts = [each.verdict for each in report.rounds]
    if verdicts:
        counts = [f"{verdicts.count(kind)} {kind}" for kind in dict.fromkeys(verdicts)]
        print_line("cli.verify.rounds", known=counts)
    for given in report.prizes:
        if given.verdict == "identical":
            print_line("cli.verify.prizes", value=spoken(prizes_said(given)), version=given.version)
    if report.authors:
        names = [f"{one.who} {one.facts} ({one.how})" for one in report.authors[:20]]
        print_line("cli.verify.entered-by", known=names, many=len(report.authors) > 20)
    for held in report.held:
        code = "cli.verify.checkpoint" if held.what == "checkpoint" else "cli.verify.printed-head"
        click.echo(spoken(Message(code, {"facts": held.size, "names": held.signed_by})))
    for finding in report.findings:
        at = finding.version if finding.matter in ("clock", "version", "round", "prizes") else 0
        code = "cli.verify.wrong" if finding.grave else "cli.verify.note"
        click.echo(spoken(Message(code, {"version": at, "value": finding.text})))
    if not held_elsewhere:
        print_line("cli.verify.not-compared", yes=bool(kept))


def verify_all(
    session: Session,
    trusted: Sequence[Verifier],
    people: Sequence[ListedKey],
    jobs: int,
    verdict: tuple[Path, Signer] | None = None,
) -> int:
    """Every tournament, and the store itself; with a verdict, the tournaments that grew since."""
    store, ahead = session.office.store(), None
    if verdict is not None:
        file, signer = verdict
        ahead = since(store, read_signed(str(file)) if file.exists() else "", signer)
    there, findings = look_through(store)
    ids = there
    if ahead is not None:
        findings += [ahead.finding] if ahead.finding else []
        ids = [id for id in there if ahead.again is None or id in ahead.again]
    unchanged = len(there) - len(ids)
    facts = 0
    wrong: list[Report] = []
    work = partial(verify_some, session.path, trusted, people)
    pieces = [ids[at : at + AT_A_TIME] for at in range(0, len(ids), AT_A_TIME)]
    with progressing("verifying", work, pieces, jobs if len(pieces) > 1 else 1, len(pieces)) as verdicts:
        for read, reports in verdicts:
            facts += read
            wrong += reports
    code = 1 if wrong or findings else 0
    if ahead is not None and not code:
        hand_out(file, signer.sign(ahead.head).text().encode())
    if session.json:
        data = {"tournaments": len(ids), "facts": facts, "store": list(map(spoken, findings))}
        show_json({**data, "findings": findings, "unchanged": unchanged, "wrong": wrong})
        return code
    for report in wrong:
        tell(report, name_of(store, report.tournament), held_elsewhere=1, kept=0)
    for problem in findings:
        print_line("cli.verify.store-wrong", what=problem)
    print_line("cli.verify.all", there=len(ids), facts=facts, number=len(wrong), count=len(findings))
    if unchanged:
        print_line("cli.verify.unchanged", there=unchanged)
    if ahead is not None and not code:
        print_line("cli.verify.verdict", path=str(file), facts=ahead.head.size)
    return code


def verify_some(
    path: str, trusted: Sequence[Verifier], people: Sequence[ListedKey], ids: Sequence[str]
) -> tuple[int, list[Report]]:
    """How many facts were verified, and reports on what is wrong, in whatever process."""
    facts, wrong = 0, []
    with Tournaments(path) as store:
        for id in ids:
            report = verify_stored(store, id, (), trusted, around=(), people=people)
            facts += report.length
            if not report.whole:
                wrong.append(report)
    return facts, wrong


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the replay of one tournament came to."""

    tournament: str
    name: str
    facts: int = 0
    rounds: tuple[Replayed, ...] = ()
    prizes: tuple[ReplayedPrizes, ...] = ()
    error: str = ""
    """Why the log could not be read."""
    message: Message | UnsetType = UNSET
    """That reason, for programs."""

    @property
    def accounted_for(self) -> bool:
        lists = all(each.verdict != "differs" for each in self.prizes)
        return not self.error and lists and all(each.accounted_for for each in self.rounds)


@click.command()
@click.option("--round", "round", type=click.IntRange(1), help="Only this round.")
@click.option("--all", "whole", is_flag=True, help="Every tournament of the file.")
@jobs_option
@reads
def replay(session: Session, round: int | None, whole: bool, jobs: int) -> int:
    """Pair every recorded round again from the log alone, and compare.

    The snapshot of each round is rebuilt as it was known then, its digest checked, the round paired by
    the edition on record. Each is identical, or differs for a named reason (altered by hand, from a file,
    another engine version), with both boards shown. Exit code 1 if a round is not accounted for.

    Example: paircard replay --round 1
    """
    if whole:
        if round is not None:
            raise Misused("cli.all-or-a-round")
        if session.at is not None:
            raise Misused("cli.all-to-the-end")
        return replay_all(session, jobs)

    view = session.view()
    if round is not None:
        round_of(view.state, round)
    made = tuple(view.replay(round))
    lists = () if round else tuple(view.replay_prizes())
    id, name = session.tournament.id, view.regulations.name
    outcome = Outcome(tournament=id, name=name, facts=view.version, rounds=made, prizes=lists)
    if session.json:
        show_json(outcome_data(outcome))
    elif not made:
        print_line("cli.replay.nothing")
    else:
        for each in made:
            tell_replayed(each, Names(view.state))
        for given in lists:
            print_line("cli.replay.prizes", value=spoken(prizes_said(given)), version=given.version)
    return 0 if outcome.accounted_for else 1


def prizes_said(one: ReplayedPrizes) -> Message:
    """What is to be said of a list of prizes on record."""
    return say("verify.prizes", verdict=one.verdict)


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """For programs, with the judgement said."""
    return {"accounted_for": outcome.accounted_for, **msgspec.to_builtins(outcome)}


def tell_replayed(each: Replayed, names: Names) -> None:
    """One round for people: a line, and both boards where they differ."""
    same = each.verdict in ("imported", "by-hand") and each.same
    told = [say("cli.replay.verdict", verdict=each.verdict, yes=same)]
    if each.taken_back:
        told.append(say("cli.replay.taken-back"))
    known = [text for text in (each.edition, each.engine) if text]
    boards = len(each.recorded.boards)
    print_line(
        "cli.replay.round", round=each.round, causes=told, version=each.version, known=known, count=boards
    )
    if each.note:
        print_line("cli.replay.note", value=each.note)
    if each.replayed is None or each.recorded == each.replayed or same:
        return
    print_line("cli.replay.recorded", value=only_in(each.recorded, each.replayed, names))
    print_line("cli.replay.replayed", value=only_in(each.replayed, each.recorded, names))


def only_in(sheet: PairingSheet, other: PairingSheet, names: Names) -> str:
    """The boards and the bye of a round that the other has not, by name."""
    seats = [names.pair(board) for board in sheet.boards if board not in other.boards]
    if sheet.pab != other.pab:
        seats.append(spoken(say("cli.replay.bye", name=names.of(sheet.pab) if sheet.pab else "")))
    return "; ".join(seats)


def replay_all(session: Session, jobs: int) -> int:
    """Every tournament of the file, with progress; only what is not accounted for is shown one by one."""
    there = session.office.store().names()
    totals: Counter[str] = Counter()
    facts = 0
    alarms: list[Outcome] = []
    work = partial(replay_stored, session.path)
    jobs = jobs if len(there) > AT_A_TIME else 1
    with progressing("replaying", work, there, jobs, len(there)) as outcomes:
        for outcome in outcomes:
            facts += outcome.facts
            totals.update(each.verdict for each in outcome.rounds)
            if not outcome.accounted_for:
                alarms.append(outcome)
    rounds = totals.total()
    if session.json:
        counts = {"tournaments": len(there), "facts": facts, "rounds": rounds, "verdicts": totals}
        show_json({**counts, "not_accounted_for": list(map(outcome_data, alarms))})
        return 1 if alarms else 0
    for outcome in alarms:
        where = f"{outcome.name} ({outcome.tournament[:8]})"
        if outcome.error:
            print_line("cli.replay.unreadable", name=where, reason=outcome.error)
        for each in outcome.rounds:
            if not each.accounted_for:
                id, kind = outcome.tournament, each.verdict
                print_line("cli.replay.alarm", name=where, round=each.round, kind=kind, id=id)
        for given in outcome.prizes:
            if given.verdict == "differs":
                print_line("cli.replay.unreadable", name=where, reason=spoken(prizes_said(given)))
    verdicts = [f"{number:,} {verdict}" for verdict, number in sorted(totals.items())]
    count = len(alarms)
    print_line("cli.replay.all", there=len(there), facts=facts, rounds=rounds, known=verdicts, count=count)
    return 1 if alarms else 0


def replay_stored(path: str, which: tuple[str, str]) -> Outcome:
    """Replay one tournament of a file, in whatever process does the work."""
    id, name = which
    try:
        with Tournaments(path) as store:
            store.verify_chain(id)
            log = store.log(id)
        rounds, lists = tuple(replayed(log)), tuple(replay_prizes(log))
        return Outcome(tournament=id, name=name, facts=len(log), rounds=rounds, prizes=lists)
    except Refused as refusal:
        return Outcome(tournament=id, name=name, error=str(refusal), message=refusal.said)
