"""Every warning there is, with its level (VCL §1.1).

2 take note · 3 confirm · 4 confirm, the consequences stated, with a reason. What is prohibited in FIDE
mode (level 5) is refused there and becomes a warning of level 4 once FIDE mode is left.
"""

from typing import Final, Literal, Unpack, get_args

from paircard.domain.errors import Caution
from paircard.domain.messages import Fields, Message, concerned_by
from paircard.domain.speaking import Speaker
from paircard.domain.values.rules import RULES

Noted = Literal[
    "same-name",
    "initial-order",
    "too-many-rounds",
    "ratings-not-used",
    "missing-results",
    "adjourned-games",
    "no-show",
    "numbers-out-of-date",
    "full-point-bye",
    "colours-reversed",
    "no-published-table",
    "varma-meet",
]
Confirmed = Literal[
    "edition-not-in-force",
    "same-person",
    "not-alike",
    "not-yours",
    "late-entry",
    "half-bye-not-announced",
    "second-half-bye",
    "late-half-bye",
    "late-bye",
    "redraw",
    "renumbering",
    "exchange",
    "rematch",
    "prohibited-pair",
    "ineligible-bye",
    "bye-too-high",
    "colour",
    "left-out",
    "bye-ignored",
    "irregular-import",
    "erase-while-running",
    "pairing-outdated",
    "correction",
    "rating-report-only",
    "prizes-given",
    "adjourned-not-drawn",
    "draw-void",
    "numbers-again",
    "met-too-often",
    "third-colour",
    "not-completable",
]
Grave = Literal[
    "manual-pairing",
    "boards-as-played",
    "published-pairing",
    "prohibition-lifted",
    "late-prohibition",
    "late-tiebreaks",
    "late-change",
    "late-prizes",
    "prizes-again",
    "numbers-after-freeze",
    "rounds-unplayed",
    "reopened",
    "leave-fide-mode",
]
WarningCode = Noted | Confirmed | Grave
"""The codes of warnings: a type for those who check theirs."""

CAUTIONS: Final[dict[str, int]] = {
    code: level for level, codes in ((2, Noted), (3, Confirmed), (4, Grave)) for code in get_args(codes)
}
"""The level of every warning; what each means is in ``languages``, the table ``meaning`` of words."""


def meaning(code: str, edition: str) -> str:
    """What a warning means, in English, with the article of the edition."""
    words, article = Speaker().word("meaning", code), RULES[edition].articles.get(code)
    return f"{words} ({article})" if article else words


def caution(code: str, /, *, proof: str = "", **fields: Unpack[Fields]) -> Caution:
    """A warning; the players it concerns are those of its own fields, in their order.

    The code that acknowledges it ends at the first dot; what follows tells its sentences apart.
    """
    said, name = Message(code, fields), code.partition(".")[0]
    return Caution(CAUTIONS[name], name, said, concerned_by(said), proof)
