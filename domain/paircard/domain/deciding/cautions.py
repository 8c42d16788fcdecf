"""Every warning there is, with its level (VCL §1.1).

2 take note · 3 confirm · 4 confirm, the consequences stated, with a reason. What is prohibited in FIDE
mode (level 5) is refused there and becomes a warning of level 4 once FIDE mode is left.
"""

from typing import Final, Unpack

from paircard.domain.errors import Caution
from paircard.domain.messages import Fields, Message, concerned_by
from paircard.domain.speaking import Speaker
from paircard.domain.values.editions import ARTICLES

CAUTIONS: Final[dict[str, int]] = {
    "same-name": 2,
    "initial-order": 2,
    "too-many-rounds": 2,
    "ratings-not-used": 2,
    "missing-results": 2,
    "adjourned-games": 2,
    "no-show": 2,
    "numbers-out-of-date": 2,
    "full-point-bye": 2,
    "colours-reversed": 2,
    "edition-not-in-force": 3,
    "same-person": 3,
    "not-alike": 3,
    "not-yours": 3,
    "late-entry": 3,
    "half-bye-not-announced": 3,
    "second-half-bye": 3,
    "late-half-bye": 3,
    "late-bye": 3,
    "redraw": 3,
    "renumbering": 3,
    "exchange": 3,
    "rematch": 3,
    "prohibited-pair": 3,
    "ineligible-bye": 3,
    "bye-too-high": 3,
    "colour": 3,
    "left-out": 3,
    "bye-ignored": 3,
    "irregular-import": 3,
    "erase-while-running": 3,
    "pairing-outdated": 3,
    "correction": 3,
    "rating-report-only": 3,
    "adjourned-not-drawn": 3,
    "manual-pairing": 4,
    "boards-as-played": 4,
    "published-pairing": 4,
    "prohibition-lifted": 4,
    "late-prohibition": 4,
    "late-tiebreaks": 4,
    "late-change": 4,
    "numbers-after-freeze": 4,
    "rounds-unplayed": 4,
    "reopened": 4,
    "leave-fide-mode": 4,
}
"""The level of every warning; what each means is in ``languages``, the table ``meaning`` of words."""


def meaning(code: str, edition: str) -> str:
    """What a warning means, in English, with the article of the edition."""
    words, article = Speaker().word("meaning", code), ARTICLES[edition].get(code)
    return f"{words} ({article})" if article else words


def caution(code: str, /, *, proof: str = "", **fields: Unpack[Fields]) -> Caution:
    """A warning; the players it concerns are those of its own fields, in their order.

    The code that acknowledges it ends at the first dot; what follows tells its sentences apart.
    """
    said, name = Message(code, fields), code.partition(".")[0]
    return Caution(CAUTIONS[name], name, said, concerned_by(said), proof)
