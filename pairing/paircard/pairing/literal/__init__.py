"""The rules once more, written from the text alone: what judges between two engines (``lab/compare.py``).

It says of a candidate of a small bracket what it fails, criterion by criterion, and shares no code with the
fast engine. The tests build a whole generator on it (``tests/pairing/literal``): a second opinion on every
small round. Editions ``dutch-2026`` (C.04.3 in force since February 2026), ``dutch-2017`` (Baku 2016 text,
with Appendix P) and ``dutch-2012`` (Istanbul).

====================  ==============  ================  ============
subject               2026            2017              2012
====================  ==============  ================  ============
``field``             1.2–1.9, C1–C5  A.2–A.9, C.1–C.4  A, B.1
the same, colours     5.2             E.1–E.5           E.1–E.5
``criteria``          C6–C21          C.5–C.19          B, C.10–C.14
====================  ==============  ================  ============
"""

from paircard.pairing.literal.criteria import evaluate
from paircard.pairing.literal.field import TooLarge

__all__ = ["TooLarge", "evaluate"]
