"""Record 192: the code of the pairing system, and the edition it stands for."""

from typing import Final

from paircard.domain.values.editions import EDITIONS, NEWEST

UNDATED: Final = "FIDE_DUTCH"
"""The code without a year: which edition it means goes by the date of the event."""

CODES: Final = {edition: f"FIDE_{edition.upper().replace('-', '_')}" for edition in EDITIONS}
"""The code of each edition (ETT26), like ``FIDE_DUTCH_2026``."""

EDITION_OF_CODE: Final = {
    **{code: edition for edition, code in CODES.items()},
    UNDATED: NEWEST,
    "FIDE_DUTCH_2025": "dutch-2026",
}
"""The codes that are read, without ``_BAKU``."""
