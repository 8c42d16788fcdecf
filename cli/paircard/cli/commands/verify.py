"""``verify``: is the log what it claims to be, a tournament, a bundle or a whole file?"""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from paircard.cli.input_files import LARGEST_BUNDLE, read_bytes, read_signed
from paircard.cli.options import reads_now
from paircard.cli.output import show_json
from paircard.cli.refusals import Misused, spoken
from paircard.cli.session import Session
from paircard.domain.errors import Refused
from paircard.domain.proof.bundles import read_bundle
from paircard.domain.proof.checkpoints import printed
from paircard.domain.proof.note import Verifier, parse_key
from paircard.domain.proof.signatures import ListedKey, parse_list
from paircard.domain.values.text import counted
from paircard.service.review.stores import look_through
from paircard.service.review.verify import Report, verify_stored
from paircard.service.review.verify import verify as check


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
@reads_now
def verify(
    session: Session,
    notes: tuple[str, ...],
    keys: tuple[str, ...],
    heads: tuple[str, ...],
    lists: tuple[str, ...],
    bundle: str | None,
    whole: bool,
) -> int:
    """Check the log: chain, versions, snapshots, every round, and copies held by others.

    Each fact is hashed together with the one before it, so any edit, swap or gap shows. That
    the end was cut off, or everything rewritten, shows against a checkpoint or a printed head: give those
    you hold. Exit code 1 if anything does not hold.

    \b
    Example:
      paircard verify --checkpoint round1.checkpoint
    """
    if whole and (notes or heads or bundle):
        raise Misused("cli.one-or-all")
    trusted = [verifier_of(key) for key in keys]
    people = [key for file in lists for key in parse_list(read_signed(file), trusted)]
    proof = [] if lists and not (notes or heads) else trusted  # the key may be there for the list alone
    if whole:
        return verify_all(session, proof, people)
    given = [read_signed(file) for file in notes]
    if bundle:
        report, kept, copy = verify_bundle_file(bundle, given, proof, heads, people)
        name = Path(bundle).name + (", a pseudonymous copy" if copy else "")
    else:
        store, id = session.office.store(), session.tournament.id
        around = look_through(store).findings
        report = verify_stored(store, id, given, proof, heads, around=around, people=people)
        kept, name = len(store.notes(id)), names_of(session).get(id, "")
    if session.json:
        store_wrong = [finding.text for finding in report.findings if finding.matter == "store"]
        show_json({"whole": report.whole, **as_data(report), "store": store_wrong})
    else:
        tell(report, name, held_elsewhere=len(given) + len(heads), kept=kept)
    return 0 if report.whole else 1


def as_data(report: Report) -> dict[str, object]:

    data: dict[str, object] = msgspec.to_builtins(report)
    return data


def names_of(session: Session) -> dict[str, str]:
    """Names by id, as far as the list of tournaments can be read at all."""
    try:
        return dict(session.office.store().names())
    except Refused:
        return {}


def verify_bundle_file(
    path: str,
    notes: Sequence[str],
    trusted: Sequence[Verifier],
    heads: Sequence[str],
    people: Sequence[ListedKey] = (),
) -> tuple[Report, int, bool]:
    """The report on a bundle, how many checkpoints lay in it, and whether it is a pseudonymous copy."""
    bundle = read_bundle(read_bytes(Path(path), LARGEST_BUNDLE))
    report = check(
        bundle.heading.tournament,
        bundle.rows,
        notes,
        trusted,
        heads,
        kept=bundle.checkpoints,
        people=people,
    )
    return report, len(bundle.checkpoints), bundle.heading.pseudonymous


def tell(report: Report, name: str, *, held_elsewhere: int, kept: int) -> None:
    """A report for people."""
    graves = sum(finding.grave for finding in report.findings)
    state = f"{graves} wrong" if graves else "chain whole"
    click.echo(f"{name or 'tournament'} ({report.tournament[:8]}): {counted(report.length, 'fact')}, {state}")
    if report.length:
        click.echo(f"  head {report.head} ({printed(report.length, report.head)})")
    verdicts = [each.verdict for each in report.rounds]
    if verdicts:
        counts = ", ".join(f"{verdicts.count(kind)} {kind}" for kind in dict.fromkeys(verdicts))
        click.echo(f"  rounds replayed: {counts}")
    if report.authors:
        names = ", ".join(f"{one.who} {one.facts} ({one.how})" for one in report.authors[:20])
        click.echo(f"  entered by: {names}{' and others' if len(report.authors) > 20 else ''}")
    for held in report.held:
        by = f", signed by {', '.join(held.signed_by)}" if held.signed_by else ""
        unsure = ", signature not checked (--trust KEY)" if held.what == "checkpoint" and not by else ""
        click.echo(f"  {held.what} of {counted(held.size, 'fact')}: the log begins with them{by}{unsure}")
    for finding in report.findings:
        where = f"fact {finding.version}: " if finding.matter in ("clock", "version", "round") else ""
        click.echo(f"  {'WRONG' if finding.grave else 'note'}: {where}{finding.text}")
    if not held_elsewhere:
        only = "; checkpoints stored beside the log prove nothing against its owner" if kept else ""
        click.echo(
            "  not compared with any checkpoint held by others: "
            f"a truncated or completely rewritten log would not show{only}"
        )


def verify_all(session: Session, trusted: Sequence[Verifier], people: Sequence[ListedKey] = ()) -> int:
    """Every tournament, and the store itself."""
    store = session.office.store()
    names = names_of(session)
    reports = []
    with click.progressbar(
        length=2 * store.last_position(), label="verifying", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        contents = look_through(store, bar.update)
        for id in contents.ids:
            reports.append(verify_stored(store, id, (), trusted, people=people))
            bar.update(reports[-1].length)
    wrong = [report for report in reports if not report.whole]
    facts = sum(report.length for report in reports)
    code = 1 if wrong or contents.findings else 0
    if session.json:
        data = {"tournaments": len(reports), "facts": facts, "store": list(map(spoken, contents.findings))}
        show_json({**data, "wrong": [as_data(report) for report in wrong]})
        return code
    for report in wrong:
        tell(report, names.get(report.tournament, ""), held_elsewhere=1, kept=0)
    for problem in contents.findings:
        click.echo(f"WRONG: {spoken(problem)}")
    state = f"{len(contents.findings)} wrong with the store" if contents.findings else "the store is sound"
    click.echo(
        f"{counted(len(reports), 'tournament')}, {counted(facts, 'fact')}: {len(wrong)} wrong, {state}"
    )
    return code


def verifier_of(text: str) -> Verifier:
    """A public key given as its line or as a file with it."""
    return parse_key(text if "+" in text else read_signed(text))
