"""Keys that people hand in: private ones in files of their own, public ones as lines."""

import os
import stat
from pathlib import Path

import click

from paircard.cli.refusals import found_in
from paircard.cli.text_files import read_signed
from paircard.domain.errors import Duplicate, Invalid
from paircard.domain.proof import note
from paircard.domain.system import Name, others_may_read, private_by
from paircard.domain.whole_files import FOR_OWNER, write_new


def read_signer(file: Name) -> note.Signer:
    """The private key in a file; refuses one that others can read."""
    path = Path(file)
    kind = path.stat().st_mode
    if stat.S_ISCHR(kind) or stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        raise Invalid("cli.key-is-a-device", path=str(path))
    content = read_signed(str(path))
    if rights := others_may_read(path):
        raise Invalid("cli.key-not-private", path=str(path), value=rights, record=private_by(path))
    with found_in(path):
        locked = note.is_locked(content)
        return note.unlock(content, passphrase_for(path)) if locked else note.parse_signer(content)


def public_key(text: str, kind: int = note.SIGNATURE) -> note.Verifier:
    """A public key given as its line, or as a file with it; the file of a private key will do too."""
    line = text if "+" in text else read_signed(text)
    if line.startswith("PRIVATE+KEY+"):
        return note.parse_signer(line).verifier(kind)
    return note.parse_key(line, kind)


def passphrase_for(path: Path) -> str:
    """From PAIRCARD_PASSPHRASE, else asked for without being shown."""
    given = os.environ.get("PAIRCARD_PASSPHRASE")
    return given if given is not None else click.prompt(f"passphrase of {path}", hide_input=True, err=True)


def new_passphrase() -> str:
    """From PAIRCARD_PASSPHRASE, else asked for twice."""
    given = os.environ.get("PAIRCARD_PASSPHRASE")
    if given is None:
        given = click.prompt("new passphrase", hide_input=True, confirmation_prompt=True, err=True)
    if len(given) < 8:
        raise Invalid("cli.passphrase-short")
    return given


def write_signer(path: Path, signer: note.Signer, passphrase: str = "") -> None:
    """Write a key file that only its owner can read; one that is there is never overwritten."""
    line = f"{note.lock(signer, passphrase) if passphrase else signer.line()}\n"
    try:
        write_new(path, line.encode(), FOR_OWNER)
    except FileExistsError:
        raise Duplicate("cli.key-there", path=str(path)) from None
