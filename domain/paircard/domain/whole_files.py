"""Files written whole: whatever happens on the way, the old one or the new one is there, never a part."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from paircard.domain.errors import Unreachable
from paircard.domain.system import FOR_ALL as FOR_ALL
from paircard.domain.system import FOR_OWNER as FOR_OWNER
from paircard.domain.system import Name, keep_rights, new_file, open_elsewhere, replace
from paircard.domain.system import sync_folder as sync_folder

if TYPE_CHECKING:
    from pathlib import Path  # an engine writes its answer without it

STREAMS: Final = ("/dev/std", "/dev/fd/", "/proc/")
"""Names of what is open already, to be written to and not replaced."""


def write_file(path: "Path", content: bytes) -> None:
    """Write a whole file so that a crash leaves the old one or the new one, and it is there for good."""
    if replace_file(path, content):
        sync_folder(path.parent)


def replace_file(path: "Path", content: bytes) -> bool:
    """Put a file in place whose content is on the disk; whether it was needed."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    hand_out(path, content)
    return True


def hand_out(path: Name, content: bytes, mode: int = FOR_ALL) -> None:
    """Write what was asked for to where it was asked for: a file at once and whole, or a device or a pipe.

    A link stays one and a file keeps its rights; on a full disk the old file is as it was.
    """
    try:
        if os.path.exists(path) and (not os.path.isfile(path) or os.path.abspath(path).startswith(STREAMS)):
            with open(path, "wb") as stream:
                stream.write(content)
            return
        target = os.path.realpath(path)
        draft = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.draft")
        try:
            with os.fdopen(new_file(draft, mode), "wb") as file:
                keep_rights(file.fileno(), target)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            replace(draft, target)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)
    except OSError as trouble:  # of the name that was asked for, not of ours
        if open_elsewhere(trouble):
            raise Unreachable("store.open-elsewhere", file=str(path)) from None
        raise OSError(trouble.errno, trouble.strerror, str(path)) from None


def write_new(path: "Path", content: bytes, mode: int = FOR_ALL) -> None:
    """Write a file that was not there; on a full disk none is left, which would stand in the way."""
    handle = new_file(path, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as trouble:
        path.unlink(missing_ok=True)
        raise OSError(trouble.errno, trouble.strerror, str(path)) from None


def make_private(path: "Path") -> None:
    """Make an empty file for its owner alone, where there is none: a database to be."""
    with suppress(FileExistsError):
        os.close(new_file(path, FOR_OWNER))
