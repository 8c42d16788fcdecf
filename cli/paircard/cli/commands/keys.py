"""Proof: ``key``, ``checkpoint`` and ``publish``, which leaves something behind for others to keep."""

import re
from pathlib import Path

import click

from paircard.cli.key_files import new_passphrase, read_signer, write_signer
from paircard.cli.output import print_line, show_json
from paircard.cli.refusals import Misused, spoken
from paircard.cli.session import Session, reads_now, writes
from paircard.cli.usage import finish
from paircard.domain.errors import Duplicate
from paircard.domain.events import Recorded
from paircard.domain.messages import say
from paircard.domain.proof.checkpoints import Checkpoint, keep_checkpoint, parse_checkpoint, printed
from paircard.domain.proof.note import Signer, new_signer
from paircard.domain.proof.signatures import parse_listed, sign_list
from paircard.domain.whole_files import write_new


@click.group()
def key() -> None:
    """Make and show keys that sign checkpoints."""


@key.command("new", short_help="Make a key, a private file and a public line.")
@click.argument("name")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File [NAME.key].")
@click.option(
    "--passphrase", "locked", is_flag=True, help="Lock it under a passphrase [PAIRCARD_PASSPHRASE]."
)
def new_key(name: str, output: Path | None, locked: bool) -> None:
    """Make a key: the private half goes to a file only you can read, the public line is printed.

    Give the line to those who will check your checkpoints; keep the file, and a copy of it, to yourself. An
    existing file is never overwritten. PAIRCARD_KEY names the file that publications are signed with,
    PAIRCARD_SIGN_WITH the one that every command is signed with.

    Example: paircard key new fsi.it-arbiter7 -o arbiter.key
    """
    signer = new_signer(name)
    path = output or Path(f"{re.sub(r'[^A-Za-z0-9_-]+', '-', name).strip('-') or 'new'}.key")
    write_signer(path, signer, new_passphrase() if locked else "")
    finish()
    click.echo(signer.verifier().line())


@key.command("list", short_help="Sign a list of the keys that speak for people.")
@click.argument("keys", nargs=-1, required=True, metavar="'KEY FROM UNTIL'...")
@click.option(
    "--key", "key_file", required=True, type=click.Path(path_type=Path), help="Private key of the federation."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File; else printed.")
def list_keys(keys: tuple[str, ...], key_file: Path, output: Path | None) -> None:
    """Sign a list of public keys with the days from which and until which each speaks for its owner.

    Each is its line as key new prints it, the first day and the last, or - for no end. Hand the list to
    those who verify: paircard verify --keys FILE --trust KEY.

    Example:
      paircard key list "anna+0f0f9057+AW56HN0psLeP0Tr0xVmP7/TvKpcWbjym8uT7/M2AUFvx 2026-01-01 -" --key a.key
    """
    text = sign_list([parse_listed(line) for line in keys], read_signer(key_file))
    if output is None:
        click.echo(text, nl=False)
        return
    if output.exists():
        raise Duplicate("cli.file-there", file=str(output))
    write_new(output, text.encode())
    finish()
    print_line("cli.said.keys-written", file=str(output), count=len(keys))


@key.command("show")
@click.argument("file", type=click.Path(path_type=Path))
def show_key(file: Path) -> None:
    """Print the public line of a private key file.

    Example: paircard key show arbiter.key
    """
    click.echo(read_signer(file).verifier().line())


KEY_FILE = click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    envvar="PAIRCARD_KEY",
    help="Private key file [PAIRCARD_KEY].",
)


def need_signer(file: Path | None) -> Signer:
    """The private key of the option or of PAIRCARD_KEY; refused without either."""
    if file is None:
        raise Misused("cli.no-key")
    return read_signer(file)


@click.command()
@KEY_FILE
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File; else printed.")
@reads_now
def checkpoint(session: Session, key_file: Path | None, output: Path | None) -> None:
    """Sign the length and the head hash of the log, for others to keep.

    The text is a C2SP checkpoint. Give it to the federation, a second arbiter, a public page: who
    keeps it can prove later that the log still begins with what was signed. With PAIRCARD_KEY set, publish
    does this automatically.

    Example: paircard checkpoint --key arbiter.key -o round1.checkpoint
    """
    if output is not None and output.exists():
        raise Duplicate("cli.checkpoint-there", file=str(output))
    signer = need_signer(key_file)
    note = sign_checkpoint(session, signer)
    if output is not None:
        write_new(output, note.encode())
        finish()
    if session.json:
        show_json({"checkpoint": parse_checkpoint(note), "signed_by": signer.name, "note": note})
    elif output is None:
        click.echo(note, nl=False)
    else:
        size = parse_checkpoint(note).size
        print_line("cli.said.checkpoint-written", file=str(output), facts=size, name=signer.name)


def sign_checkpoint(session: Session, signer: Signer, last: Recorded | None = None) -> str:
    """The checkpoint of the log up to a fact, the last one by default; the store keeps it, too."""
    store, id = session.office.store(), session.tournament.id
    length, head = store.verify_chain(id)
    said = Checkpoint(id, last.version, last.hash) if last else Checkpoint(id, length, head)
    note = signer.sign(said).text()
    keep_checkpoint(store, note)
    return note


def publication(session: Session, signer: Signer | None, published: Recorded) -> list[str]:
    """What a publication leaves behind, in words: a head to print, a signed checkpoint if there is a key.

    Both are of the log as it ended with the publication: sent again, it leaves the same behind.
    """
    head = say("cli.said.for-the-sheet", value=printed(published.version, published.hash))
    if signer is None:
        return [spoken(head)]
    size = parse_checkpoint(sign_checkpoint(session, signer, published)).size
    return [spoken(say("cli.said.checkpoint-signed", facts=size, name=signer.name)), spoken(head)]


@click.command()
@click.argument("round", type=int, required=False)
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    envvar="PAIRCARD_KEY",
    help="Sign a checkpoint with this key [PAIRCARD_KEY].",
)
@writes
def publish(session: Session, round: int | None, key_file: Path | None) -> None:
    """Publish a paired round; from then on results can be entered.

    The last line is the head of the log in short: printed on the pairing sheet, it proves later that the
    log was not rewritten (paircard verify --head).

    Example: paircard publish 1
    """
    signer = read_signer(key_file) if key_file else None  # refused before anything is written
    done = session.tournament.publish(round, by=session.person)
    finish("recorded")  # recorded, even if signing fails below
    left_behind = publication(session, signer, done.facts[-1])
    session.tell(done, ends=False)
    for line in left_behind:
        click.echo(line)
