"""Every warning there is, with its level (VCL §1.1) and what it means.

2 take note · 3 confirm · 4 confirm, the consequences stated, with a reason. What is prohibited in FIDE
mode (level 5) is refused there and becomes a warning of level 4 once FIDE mode is left.
"""

from typing import Final, Unpack

from msgspec.structs import replace

from paircard.domain.errors import Caution
from paircard.domain.messages import Fields, Message, people_of
from paircard.domain.values.editions import ARTICLES

CAUTIONS: Final[dict[str, tuple[int, str]]] = {
    "same-name": (2, "another tournament of the store has this name"),
    "initial-order": (2, "the initial order does not begin with the rating"),
    "too-many-rounds": (2, "not everybody can play all rounds without meeting somebody twice"),
    "ratings-not-used": (2, "players count as unrated although a rating is known"),
    "missing-results": (2, "games without a result count as adjourned, a draw for pairing"),
    "adjourned-games": (2, "adjourned games count as draws for pairing"),
    "no-show": (2, "a player who forfeited the last round is paired again"),
    "numbers-out-of-date": (2, "pairing numbers freeze although corrected data would move some"),
    "full-point-bye": (2, "full-point byes are deprecated"),
    "colours-reversed": (2, "both players of a board get the colour that is not due"),
    "edition-not-in-force": (3, "the pairing rules do not apply on the first day of the event"),
    "same-person": (3, "another entry is probably the same person"),
    "not-alike": (3, "two entries that are merged do not look like one person"),
    "not-yours": (3, "the last command was somebody else's"),
    "late-entry": (3, "a late entry moves pairing numbers that are frozen"),
    "half-bye-not-announced": (3, "the regulations announce no half-point byes"),
    "second-half-bye": (3, "more half-point byes than announced"),
    "late-half-bye": (3, "a half-point bye after the last round that allows one"),
    "late-bye": (3, "a bye for a round that is paired already"),
    "redraw": (3, "the initial colour was entered before"),
    "renumbering": (3, "pairing numbers would change"),
    "exchange": (3, "two pairing numbers are exchanged by hand"),
    "rematch": (3, "two players have met before"),
    "prohibited-pair": (3, "two players are not to meet"),
    "ineligible-bye": (3, "the player may not have a pairing-allocated bye"),
    "bye-too-high": (3, "the bye goes to a player with more points than another who may have it"),
    "colour": (3, "too much of one colour"),
    "left-out": (3, "a player who is present is not paired"),
    "bye-ignored": (3, "a player who has a bye is paired"),
    "irregular-import": (3, "rounds of a file break the pairing rules"),
    "erase-while-running": (3, "personal data is erased before the tournament is closed"),
    "pairing-outdated": (3, "something happened between pairing and publication"),
    "correction": (3, "a correction counts for the pairings yet to be made"),
    "rating-report-only": (3, "a correction counts for the rating report only"),
    "adjourned-not-drawn": (3, "an adjourned game did not end in a draw"),
    "manual-pairing": (4, "the boards are not the engine's"),
    "boards-as-played": (4, "others met than the record has"),
    "published-pairing": (4, "a published round changes"),
    "prohibition-lifted": (4, "a prohibition is lifted after round 1 was paired"),
    "late-prohibition": (4, "a prohibition after round 1 was paired"),
    "late-tiebreaks": (4, "tie-breaks announced after round 1 was paired"),
    "late-change": (4, "regulations changed after round 1 was paired"),
    "numbers-after-freeze": (4, "pairing numbers would change after round 4 was paired"),
    "rounds-unplayed": (4, "not all announced rounds were played"),
    "reopened": (4, "a closed tournament goes on"),
    "leave-fide-mode": (4, "the tournament leaves FIDE mode for good"),
}


def meaning(code: str, edition: str) -> str:
    """What a warning means, with the article of the edition."""
    article = ARTICLES[edition].get(code)
    return f"{CAUTIONS[code][1]} ({article})" if article else CAUTIONS[code][1]


def cited(warning: Caution, edition: str) -> Caution:
    """The warning with the article of the edition that it rests on."""
    return replace(warning, article=ARTICLES[edition].get(warning.code, ""))


def caution(
    code: str, sentence: str = "", /, *concerned: int, proof: str = "", **fields: Unpack[Fields]
) -> Caution:
    """A warning; the players it concerns are those of its fields.

    The code that acknowledges it ends at the first dot; what follows tells its sentences apart.
    """
    said = Message(sentence or code, fields)
    level, name = CAUTIONS[code.partition(".")[0]][0], code.partition(".")[0]
    return Caution(level, name, said, concerned or tuple(dict.fromkeys(people_of(said))), proof)
