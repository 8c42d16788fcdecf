"""When the words of each template are true of a snapshot, an answer and what the sentence is about.

Each predicate is written from the English words, and holds for every translation of its code.
"""

from tests.pairing.spoken import brackets, candidates, colours, consequences, lessons, notes, players
from tests.pairing.spoken.words import PREDICATES, holds

ROOMS = (brackets, candidates, colours, consequences, lessons, notes, players)
"""Where the predicates are, by subject."""

__all__ = ["PREDICATES", "ROOMS", "holds"]
