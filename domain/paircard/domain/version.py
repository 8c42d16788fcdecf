"""The version of this program; the build reads it here."""

from typing import Final

VERSION: Final = "0.2.0"
