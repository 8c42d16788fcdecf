"""Zips that strangers hand in: whatever is wrong inside one, it is said in one line."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from paircard.domain.errors import Invalid


@contextmanager
def reading_zip(refusal: str) -> Iterator[None]:
    """Refuse a zip that is damaged or encrypted, or packed as no program we know does."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError):
        raise Invalid(refusal) from None
    except (OSError, ValueError) as wrong:
        if getattr(wrong, "errno", None) is not None:
            raise
        raise Invalid(refusal) from None  # of bzip2, or a number no zip can hold
