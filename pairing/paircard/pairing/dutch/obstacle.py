"""[2026 1.9.3, 2017 A.9] Why no round exists: players that cannot all be paired, and what stops them.

The certificate is Berge's (1958): take away a set A of players; if more odd groups of mutual opponents are
left than A has members, some group must keep a player without an opponent.
"""

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.field import PLAYED, Field
from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, WHITE
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import augment
from paircard.pairing.outcome import NoLegalRound


def explain_obstacle(field: Field, completion: Completion) -> NoLegalRound:
    """The refusal, naming players that stand in each other's way and the rules that keep them apart."""
    n, alive = field.n, completion.alive(0)
    left = completion.exposed[0]
    even = 0
    for root in left:
        even |= augment(completion.adjacent, completion.mates[0].copy(), root, alive)
    seen = 0
    for v in bits(even):
        seen |= completion.adjacent[v]
    stuck = [i for i in bits(even) if i < n]
    helpers = [i for i in bits(seen & ~even) if i < n]
    many = sum(v < n for v in left)
    c2 = field.edition.name_of("C2")
    if many == 1 and not completion.adjacent[n]:
        return NoLegalRound(
            "the number of players is odd and nobody may have the bye, since everyone has had it or has "
            f"scored without playing ({c2})"
        )
    one = len(stuck) == 1
    company = f"only with {_names(field, helpers)}" if helpers else "with nobody else"
    if not one:
        company = "only among themselves" + (f" and with {_names(field, helpers)}" if helpers else "")
    over = f"; however that is done, {many} of them must go without an opponent" if not one else ""
    bye = f", and the bye may not go where it would help ({c2})" if n % 2 else ""
    reasons = sorted(_apart(field, stuck))
    why = f"; what keeps players apart: {', '.join(reasons)}" if reasons else ""
    return NoLegalRound(
        f"{_names(field, stuck)} can be paired {company}{over}{bye}{why}",
        tuple(field.players[i].id for i in stuck),
    )


def _names(field: Field, places: list[int]) -> str:
    numbers = sorted(field.players[i].number for i in places)
    shown = ", ".join(str(number) for number in numbers[:12])
    more = f" and {len(numbers) - 12} more" if len(numbers) > 12 else ""
    return f"number {shown}" if len(numbers) == 1 else f"numbers {shown}{more}"


def _apart(field: Field, places: list[int]) -> set[str]:
    """The rules that keep some of these players apart."""
    together = mask_of(places)
    barred = [i for i in places if field.strength[i] == ABSOLUTE and not field.topscorer[i]]
    absolute = {due: mask_of([i for i in barred if field.due[i] == due]) for due in (WHITE, BLACK)}
    c1, c3 = field.edition.name_of("C1"), field.edition.name_of("C3")
    reasons = set()
    for i in places:
        player = field.players[i]
        games = zip(player.opponents, player.letters, strict=True)
        met = mask_of([field.place[id] for id, letter in games if letter in PLAYED and id in field.place])
        apart = together & ~field.adjacent[i] & ~(1 << i)
        if apart & met:
            reasons.add(f"they have met ({c1})")
        apart &= ~met
        same = next((mask for mask in absolute.values() if mask >> i & 1), 0)
        if apart & same:
            reasons.add(f"the same absolute colour preference ({c3})")
        if apart & ~same:
            reasons.add("a prohibited pairing")
    return reasons
