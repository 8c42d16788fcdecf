"""Private keys in files: for their owner's eyes alone, and under a passphrase if that is wanted."""

import os
import stat
from pathlib import Path

import click

from paircard.cli.input_files import read_signed
from paircard.cli.refusals import found_in
from paircard.domain.errors import Duplicate, Invalid
from paircard.domain.proof.note import Signer, is_locked, lock, parse_signer, unlock
from paircard.domain.whole_files import FOR_OWNER, write_new


def read_signer(path: Path) -> Signer:
    """The private key in a file; refuses one that others can read."""
    kind = path.stat().st_mode
    if stat.S_ISCHR(kind) or stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        raise Invalid("cli.key-is-a-device", path=str(path))
    content = read_signed(str(path))
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        raise Invalid("cli.key-not-private", path=str(path), value=f"{mode:o}")
    with found_in(path):
        return unlock(content, passphrase_for(path)) if is_locked(content) else parse_signer(content)


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


def write_signer(path: Path, signer: Signer, passphrase: str = "") -> None:
    """Write a key file that only its owner can read; one that is there is never overwritten."""
    line = f"{lock(signer, passphrase) if passphrase else signer.line()}\n"
    try:
        write_new(path, line.encode(), FOR_OWNER)
    except FileExistsError:
        raise Duplicate("cli.key-there", path=str(path)) from None
