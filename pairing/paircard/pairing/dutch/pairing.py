"""The round: from a snapshot to boards in the order of publication, with the trace of every bracket."""

from collections.abc import Iterable

from paircard.domain.messages import Message, say
from paircard.pairing.dutch.brackets import Round
from paircard.pairing.dutch.colours import numbering, who_has_white
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.editions import Edition
from paircard.pairing.dutch.field import PLAYED, Field, check_snapshot
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, WHITE
from paircard.pairing.dutch.search.settle import ALL, Routes
from paircard.pairing.dutch.trace import trace
from paircard.pairing.matching.cardinality import augment, bits, mask_of
from paircard.pairing.outcome import Board, NoLegalRound, Pairing
from paircard.projections.round.snapshot import Snapshot, in_board_order

# --- [2026 1.9.3, 2017 A.9] Why no round exists: players that cannot all be paired, and what stops them


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
        return NoLegalRound("pairing.nobody-for-the-bye", rule=c2)
    numbers, others = (sorted(field.players[i].number for i in places) for places in (stuck, helpers))
    if len(stuck) == 1:
        code = "pairing.only-with" if helpers else "pairing.alone"
    else:
        code = "pairing.only-among-and-with" if helpers else "pairing.only-among"
    reasons = [say(code, numbers=numbers, others=others)]
    if len(stuck) > 1:
        reasons.append(say("pairing.must-go-without", count=many))
    if n % 2:
        reasons.append(say("pairing.bye-does-not-help", rule=c2))
    if causes := _apart(field, stuck):
        reasons.append(say("pairing.kept-apart", causes=causes))
    refusal = NoLegalRound("pairing.stuck", reasons=reasons)
    refusal.players = tuple(field.players[i].id for i in stuck)
    return refusal


def _apart(field: Field, places: list[int]) -> list[Message]:
    """The rules that keep some of these players apart."""
    together = mask_of(places)
    barred = [i for i in places if field.strength[i] == ABSOLUTE and not field.topscorer[i]]
    absolute = {due: mask_of([i for i in barred if field.due[i] == due]) for due in (WHITE, BLACK)}
    c1, c3 = field.edition.name_of("C1"), field.edition.name_of("C3")
    met_before, same_colour, prohibited = False, False, False
    for i in places:
        player = field.players[i]
        games = zip(player.opponents, player.letters, strict=True)
        met = mask_of([field.place[id] for id, letter in games if letter in PLAYED and id in field.place])
        apart = together & ~field.adjacent[i] & ~(1 << i)
        met_before |= bool(apart & met)
        apart &= ~met
        same = next((mask for mask in absolute.values() if mask >> i & 1), 0)
        same_colour |= bool(apart & same)
        prohibited |= bool(apart & ~same)
    causes = (
        (prohibited, say("pairing.prohibited")),
        (same_colour, say("pairing.same-absolute-colour", rule=c3)),
        (met_before, say("pairing.have-met", rule=c1)),
    )
    return [cause for applies, cause in causes if applies]


# --- [C.04.2:3.6] The boards of a round in the order of publication, with their colours


def publish(snapshot: Snapshot, field: Field, brackets: Iterable[Paired]) -> tuple[Board, ...]:
    """The boards of all brackets in order."""
    pairs = [pair for bracket in brackets for pair in bracket.pairs]
    numbers = numbering(snapshot)
    players = field.players
    odd = [numbers[player.id] % 2 == 1 for player in players]
    initial = WHITE if snapshot.initial_colour == "w" else BLACK
    articles = field.edition.colour_articles
    ranks = [(score, place) for place, score in enumerate(field.score)]
    pairs, boards = in_board_order(pairs, ranks), []
    for (i, j), (white, rule) in zip(pairs, who_has_white(field, pairs, odd, initial), strict=True):
        a, b = players[i].id, players[j].id
        boards.append(Board(a, b, articles[rule]) if white else Board(b, a, articles[rule]))
    return tuple(boards)


def pair(snapshot: Snapshot, *, edition: Edition | None = None, routes: Routes = ALL) -> Pairing:
    """The round that the regulations prescribe for this state.

    Raises ``PairingError`` for a snapshot that contradicts itself, ``NoLegalRound`` where no round exists.
    ``edition`` and ``routes`` are for tests: other rules than those the snapshot names, fewer short cuts.
    """
    check_snapshot(snapshot)
    field = Field(snapshot, edition)
    completion = Completion(field)
    if not completion.possible:
        raise explain_obstacle(field, completion)
    brackets = Round(field, completion, routes=routes).brackets
    left = brackets[-1].floaters if brackets else []
    return Pairing(
        boards=publish(snapshot, field, brackets),
        pab=field.players[left[0]].id if left else 0,
        pab_score=completion.pab_score,
        trace=lambda: tuple(trace(field, bracket, completion) for bracket in brackets),
    )
