"""Proof: ``key``, ``checkpoint`` and ``verify``: that the log is the one that was published."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paircard.cli.desk import Desk, reads_now
from paircard.cli.text import say, show_json

if TYPE_CHECKING:
    from paircard.domain.checkpoints import Signer, Verifier
    from paircard.pairing.verification import Report


@click.group()
def key() -> None:
    """Make and show keys that sign checkpoints."""


@key.command("new")
@click.argument("name")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File [NAME.key].")
def new_key(name: str, output: Path | None) -> None:
    """Make a key: the private half goes to a file only you can read, the public line is printed.

    Hand the line to whoever shall check your checkpoints; keep the file, and a copy of it, to yourself. A
    file that is there is never overwritten. PAIRCARD_KEY names the file that publications are signed with.

    \b
    Example:
      paircard key new fsi.it-arbiter7 -o arbiter.key
    """
    from paircard.domain.checkpoints import new_signer

    signer = new_signer(name)
    path = output or Path(f"{name.replace('/', '-')}.key")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise click.ClickException(
            f"{path} is there already: keys are not overwritten, choose -o FILE"
        ) from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{signer.line()}\n")
    say(signer.verifier().line())


@key.command("show")
@click.argument("file", type=click.Path(path_type=Path))
def show_key(file: Path) -> None:
    """Print the public line of a private key file.

    \b
    Example:
      paircard key show arbiter.key
    """
    say(signer_of(file).verifier().line())


def signer_of(path: Path) -> "Signer":
    """The private key in a file."""
    from paircard.cli.files import read_text
    from paircard.domain.checkpoints import parse_signer
    from paircard.domain.errors import Invalid

    try:
        return parse_signer(read_text(str(path)))
    except Invalid as wrong:
        raise Invalid(f"{path}: {wrong}") from None


def verifier_of(text: str) -> "Verifier":
    """A public key given as its line or as a file with it."""
    from paircard.cli.files import read_text
    from paircard.domain.checkpoints import parse_verifier

    return parse_verifier(text if "+" in text else read_text(text))


KEY_FILE = click.option(
    "--key", "key_file", type=click.Path(path_type=Path), help="Private key file [PAIRCARD_KEY]."
)


def chosen_key(given: Path | None) -> Path | None:
    """The key file of the option, else of PAIRCARD_KEY."""
    named = os.environ.get("PAIRCARD_KEY", "")
    return given or (Path(named) if named else None)


@click.command()
@KEY_FILE
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File; else printed.")
@reads_now
def checkpoint(desk: Desk, key_file: Path | None, output: Path | None) -> None:
    """Sign how long the log is and with which hash it ends, for others to hold.

    The text is a C2SP checkpoint. Give it to the federation, a second arbiter, a public page: who holds it
    can prove later that the log still begins with what was signed. With PAIRCARD_KEY set, publish does it
    by itself.

    \b
    Example:
      paircard checkpoint --key arbiter.key -o round1.checkpoint
    """
    path = chosen_key(key_file)
    if path is None:
        raise click.UsageError("no key to sign with: --key FILE, or make one with paircard key new NAME")
    if output is not None and output.exists():
        raise click.ClickException(f"{output} is there already: checkpoints are not overwritten")
    signer = signer_of(path)
    note = signed(desk, signer)
    if desk.json:
        from paircard.domain.checkpoints import parse_note

        found = parse_note(note)
        show_json({"checkpoint": found.checkpoint, "signed_by": signer.name, "note": note})
    elif output is None:
        click.echo(note, nl=False)
    if output is not None:
        output.write_text(note, encoding="utf-8", newline="")
        if not desk.json:
            say(f"{output} written: {parse_size(note)} facts signed by {signer.name}")


def parse_size(note: str) -> int:
    from paircard.domain.checkpoints import parse_note

    return parse_note(note).checkpoint.size


def signed(desk: Desk, signer: "Signer") -> str:
    """The checkpoint of the log as it is now, kept in the file as well."""
    from paircard.domain.checkpointfile import keep_checkpoint
    from paircard.domain.checkpoints import Checkpoint

    length, head = desk.store().verify_chain(desk.chosen)
    note = signer.sign(Checkpoint(desk.chosen, length, head))
    keep_checkpoint(desk.store().path, note)
    return note


def publication(desk: Desk, signer: "Signer | None") -> None:
    """What a publication leaves behind: a head to print, and a signed checkpoint if there is a key."""
    from paircard.domain.checkpoints import printed

    if signer is not None:
        size = parse_size(signed(desk, signer))
        say(f"checkpoint of {size} facts signed by {signer.name}: paircard log export carries it")
    length, head = desk.store().verify_chain(desk.chosen)
    say(f"for the pairing sheet: {printed(length, head)}")


@click.command()
@click.option("--checkpoint", "notes", multiple=True, metavar="FILE", help="A checkpoint that you hold.")
@click.option("--trust", "keys", multiple=True, metavar="KEY", help="A public key you trust, or its file.")
@click.option("--head", "heads", multiple=True, metavar="N:HEX", help="A head copied from a pairing sheet.")
@click.option("--bundle", metavar="FILE", help="Verify a bundle instead of the database.")
@click.option("--all", "whole", is_flag=True, help="Every tournament of the file, and the file itself.")
@reads_now
def verify(
    desk: Desk,
    notes: tuple[str, ...],
    keys: tuple[str, ...],
    heads: tuple[str, ...],
    bundle: str | None,
    whole: bool,
) -> int:
    """Check the log: chain, versions, snapshots, every round, and all that others hold of it.

    Each fact is hashed together with the one before it, so an edit, a swap or a gap shows by itself. That
    the end was cut off, or everything rewritten, shows against a checkpoint or a printed head: give those
    you hold. Exit code 1 if anything does not hold.

    \b
    Example:
      paircard verify --checkpoint round1.checkpoint
    """
    from paircard.cli.files import read_text

    if whole and (notes or heads or bundle):
        raise click.UsageError("--checkpoint, --head and --bundle are about one tournament: leave out --all")
    trusted = [verifier_of(key) for key in keys]
    if whole:
        return verify_all(desk, trusted)
    given = [read_text(file) for file in notes]
    if bundle:
        report, kept = verified_bundle(bundle, given, trusted, heads)
        name = Path(bundle).name
    else:
        report, kept = verified(desk, desk.chosen, given, trusted, heads)
        name = names_of(desk).get(desk.chosen, "")
    if desk.json:
        show_json({"whole": report.whole, **as_data(report)})
    else:
        tell(report, name, held_elsewhere=len(given) + len(heads), kept=kept)
    return 0 if report.whole else 1


def as_data(report: "Report") -> dict[str, object]:
    import msgspec

    data: dict[str, object] = msgspec.to_builtins(report)
    return data


def verified(
    desk: Desk, id: str, notes: Sequence[str], trusted: "Sequence[Verifier]", heads: Sequence[str] = ()
) -> "tuple[Report, int]":
    """The report on a tournament of the file, and how many checkpoints lay in the file."""
    from paircard.domain.checkpointfile import kept_checkpoints
    from paircard.pairing.verification import verify as check

    store = desk.store()
    kept = kept_checkpoints(store.path, id)
    report = check(id, store.raw_log(id), notes, trusted, heads, kept=kept, positions=store.positions(id))
    return report, len(kept)


def names_of(desk: Desk) -> dict[str, str]:
    """Names by id, as far as the list of tournaments can be read at all."""
    from paircard.domain.errors import Refused

    try:
        return {one.id: one.name for one in desk.tournaments()}
    except Refused:
        return {}


def verified_bundle(
    path: str, notes: Sequence[str], trusted: "Sequence[Verifier]", heads: Sequence[str]
) -> "tuple[Report, int]":
    """The report on a bundle, and how many checkpoints lay in it."""
    from paircard.cli.files import read_bytes
    from paircard.domain.bundles import read_bundle
    from paircard.pairing.verification import verify as check

    bundle = read_bundle(read_bytes(Path(path)))
    report = check(bundle.heading.tournament, bundle.rows, notes, trusted, heads, kept=bundle.checkpoints)
    return report, len(bundle.checkpoints)


def tell(report: "Report", name: str, *, held_elsewhere: int, kept: int) -> None:
    """A report for people."""
    from paircard.domain.checkpoints import printed

    graves = sum(finding.grave for finding in report.findings)
    state = f"{graves} found to be wrong" if graves else "chain whole"
    say(f"{name or 'tournament'} ({report.tournament[:8]}): {report.length} facts, {state}")
    if report.length:
        say(f"  head {report.head} ({printed(report.length, report.head)})")
    verdicts = [each.verdict for each in report.rounds]
    if verdicts:
        counts = ", ".join(f"{verdicts.count(kind)} {kind}" for kind in dict.fromkeys(verdicts))
        say(f"  rounds replayed: {counts}")
    for held in report.held:
        by = f", signed by {', '.join(held.signed_by)}" if held.signed_by else ""
        unsure = ", signature not checked (--trust KEY)" if held.what == "checkpoint" and not by else ""
        say(f"  {held.what} of {held.size} facts: the log begins with them{by}{unsure}")
    for finding in report.findings:
        where = f"fact {finding.version}: " if finding.matter in ("clock", "version", "round") else ""
        say(f"  {'WRONG' if finding.grave else 'note'}: {where}{finding.text}")
    if not held_elsewhere:
        only = "; the checkpoints in the file prove nothing against its owner" if kept else ""
        say(
            "  no checkpoint from elsewhere was held against it: "
            f"a cut end or a wholly rewritten log would not show{only}"
        )


def verify_all(desk: Desk, trusted: "Sequence[Verifier]") -> int:
    """Every tournament, what belongs to none, and SQLite's own check."""
    from paircard.domain.checkpointfile import damage

    ids, strays = openings(desk)
    names = names_of(desk)
    reports = {id: verified(desk, id, (), trusted) for id in ids}
    broken = damage(desk.store().path)
    wrong = [(report, kept) for report, kept in reports.values() if not report.whole]
    facts = sum(report.length for report, _ in reports.values())
    if desk.json:
        show_json(
            {
                "tournaments": len(reports),
                "facts": facts,
                "strays": strays,
                "damage": broken,
                "wrong": [as_data(report) for report, _ in wrong],
            }
        )
        return 1 if wrong or strays or broken else 0
    for report, kept in wrong:
        tell(report, names.get(report.tournament, ""), held_elsewhere=1, kept=kept)
    for stray in strays:
        say(f"WRONG: facts under {stray[:40]!r} that belong to no log")
    if broken:
        say(f"WRONG: the file is damaged: {broken}")
    say(
        f"{len(reports)} tournaments, {facts:,} facts: "
        f"{len(wrong)} wrong, {len(strays)} stray, the file is {'damaged' if broken else 'sound'}"
    )
    return 1 if wrong or strays or broken else 0


def openings(desk: Desk) -> tuple[list[str], list[str]]:
    """Ids of the tournaments, and what stands in the file and belongs to none of them."""
    store = desk.store()
    counts: dict[object, int] = {}
    first: dict[object, tuple[object, str]] = {}
    for id, version, topic, _ in store.everything():
        counts[id] = counts.get(id, 0) + 1
        first.setdefault(id, (version, topic))
    ids = [id for id in first if isinstance(id, str) and first[id] == (1, "tournament-opened/1")]
    strays = [str(id) for id in first if id not in ids]
    strays += [id for id in ids if counts[id] != len(store.raw_log(id))]
    return ids, strays
