"""The literal generator: a second opinion on small rounds, written from the text alone.

It lists the candidates of each bracket exactly in the order the articles prescribe, judges each
one as a whole, and keeps the first best. It is slow and shares no code with the fast engine, so that
where the two agree, two readings of the text agree. Editions ``dutch-2026`` (C.04.3 in force since
February 2026) and ``dutch-2017`` (Baku 2016 text, with Appendix P).

Where each article lives:

====================  ==============  =================
subject               2026            2017
====================  ==============  =================
``field``             1.2–1.9, C1–C5  A.2–A.9, C.1–C.4
the same, colours     5.2             E.1–E.5
``candidates``        3.2–3.8         B.2–B.8
the same, order       4.2–4.4         D.1–D.3
the same, criteria    C4–C21          C.4–C.19
``rounds``            1.9, 3          A.9
====================  ==============  =================
"""

from paircard.pairing.literal.field import TooLarge
from paircard.pairing.literal.rounds import evaluate, literal_pair

__all__ = ["TooLarge", "evaluate", "literal_pair"]
