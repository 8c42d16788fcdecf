"""The Tournament Report File: one more view of a tournament, read and written as text.

``parse`` makes a ``Report`` of a text, ``render`` a text of a report, ``read`` and ``crosstable`` say what
it means. Columns and codes are those of TRF26 (C.02.03 Annexure A); TRF16, TRF06 and the extension lines
of JaVaFo (XX.) and bbpPairings (BB.) are understood as well.
"""

from paircard.projections.trf.notes import Problem, TrfError
from paircard.projections.trf.reading import Reading, crosstable, read
from paircard.projections.trf.records import (
    Abnormal,
    Absent,
    Acceleration,
    Apart,
    Byes,
    Configuration,
    InitialColour,
    Line,
    PlayerLine,
    Record,
    Report,
    Rounds,
    ScoringLine,
    Virtual,
    Worth,
    Worths,
)
from paircard.projections.trf.text import decode, parse, render

__all__ = [
    "Abnormal", "Absent", "Acceleration", "Apart", "Byes", "Configuration", "InitialColour", "Line",
    "PlayerLine", "Problem", "Reading", "Record", "Report", "Rounds", "ScoringLine", "TrfError",
    "Virtual", "Worth", "Worths", "crosstable", "decode", "parse", "read", "render",
]  # fmt: skip
