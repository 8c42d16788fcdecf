"""[2026 1.9.3, 2017 A.9] Why no round exists: players that cannot all be paired, and what stops them.

The certificate is Berge's (1958): take away a set A of players; if more odd groups of mutual opponents are
left than A has members, some group must keep a player without an opponent.
"""

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.field import ABSOLUTE, PLAYED, Field
from paircard.pairing.matching.bits import bits
from paircard.pairing.matching.cardinality import augment
from paircard.pairing.outcome import NoLegalRound


def explain_obstacle(field: Field, completion: Completion) -> NoLegalRound:
    """The refusal, naming players that stand in each other's way and the rules that keep them apart."""
    n = field.n
    mate = completion.mates[0].copy()
    root = completion.exposed[0][0]
    even = augment(completion.adjacent, mate, root, completion.alive(0))
    if even == 1 << n:
        return NoLegalRound(
            "no round can be made: the number of players is odd and nobody may have the bye, since everyone "
            "has had it or has scored a full point without playing (C2): give someone a requested bye, or "
            "alter the pairing by hand"
        )
    stuck = [i for i in bits(even) if i < n]
    needed = 0
    for i in bits(even):
        needed |= completion.adjacent[i]
    needed &= ~even
    helpers = [i for i in bits(needed) if i < n]
    reasons = sorted({reason for a in stuck for b in stuck if a < b for reason in _apart(field, a, b)})
    names = _names(field, stuck)
    if not helpers:
        way = "have no one else left to play"
    else:
        way = f"can be paired only with each other or with {_names(field, helpers)}, and that is not enough"
    bye = " (nor may the bye go where it would help: C2)" if n % 2 else ""
    return NoLegalRound(
        f"no round can be made: {names} {way}{bye}; what keeps them apart: {', '.join(reasons) or 'C1'}: "
        "alter the pairing by hand, or change who takes part",
        tuple(field.players[i].id for i in stuck),
    )


def _names(field: Field, places: list[int]) -> str:
    numbers = sorted(field.players[i].number for i in places)
    shown = ", ".join(str(number) for number in numbers[:12])
    more = f" and {len(numbers) - 12} more" if len(numbers) > 12 else ""
    return f"number {shown}" if len(numbers) == 1 else f"numbers {shown}{more}"


def _apart(field: Field, a: int, b: int) -> list[str]:
    """The rules that keep two players apart."""
    if field.adjacent[a] >> b & 1:
        return []
    one, other = field.players[a], field.players[b]
    met = any(
        opponent == other.id and letter in PLAYED
        for opponent, letter in zip(one.opponents, one.letters, strict=True)
    )
    if met:
        return ["they have met (C1)"]
    if field.strength[a] == ABSOLUTE == field.strength[b] and field.due[a] == field.due[b]:
        return ["the same absolute colour preference (C3)"]
    return ["a prohibited pairing"]
