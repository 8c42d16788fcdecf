"""The round: from a snapshot to boards in the order of publication, with the trace of every bracket."""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from paircard.domain.messages import Message, say
from paircard.pairing.dutch.brackets import Paired, Round
from paircard.pairing.dutch.criteria import Criteria, Value
from paircard.pairing.dutch.field import ABSOLUTE, BLACK, WHITE, Field, check_snapshot, rule_against
from paircard.pairing.dutch.graphs import Bracket, Completion
from paircard.pairing.dutch.joining import Joining
from paircard.pairing.matching.cardinality import augment, bits
from paircard.pairing.outcome import Board, BracketTrace, NoLegalRound, Pairing
from paircard.projections.round.snapshot import Player, Snapshot, in_board_order

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
    rules = {bar.rule for i, j in combinations(places, 2) if (bar := rule_against(field, i, j))}
    c1, c3 = field.edition.name_of("C1"), field.edition.name_of("C3")
    causes = {
        "prohibited": say("pairing.prohibited"),
        c3: say("pairing.same-absolute-colour", rule=c3),
        c1: say("pairing.have-met", rule=c1),
    }
    return [cause for rule, cause in causes.items() if rule in rules]


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
    for i, j in pairs:
        white, rule = white_of(field, i, j, odd, initial)
        a, b = players[i].id, players[j].id
        boards.append(Board(a, b, articles[rule]) if white else Board(b, a, articles[rule]))
    return tuple(boards)


def brackets_of(field: Field, completion: Completion) -> list[Paired]:
    """All brackets of a round, from the top."""
    if field.edition.joins_last_brackets:
        return Joining(field, completion).join()
    return Round(field, completion).pair()


def pair(snapshot: Snapshot) -> Pairing:
    """The round that the regulations prescribe for this state.

    Raises ``PairingError`` for a snapshot that contradicts itself, ``NoLegalRound`` where no round exists.
    """
    check_snapshot(snapshot)
    field = Field(snapshot)
    completion = Completion(field)
    if not completion.possible:
        raise explain_obstacle(field, completion)
    brackets = brackets_of(field, completion)
    left = brackets[-1].floaters if brackets else []
    return Pairing(
        boards=publish(snapshot, field, brackets),
        pab=field.players[left[0]].id if left else 0,
        pab_score=completion.pab_score,
        trace=lambda: tuple(trace(field, one, criteria_values(field, one, completion)) for one in brackets),
    )


# --- what was done: every bracket with the values of its criteria


def trace(field: Field, bracket: Paired, values: dict[str, Value]) -> BracketTrace:
    """A bracket in ids, with these values of its criteria."""
    ids = [player.id for player in field.players]
    members, moved = bracket.members, bracket.members[: bracket.moved_down]
    above = set(moved)
    mdp_pairs = [(i, j) for i, j in bracket.pairs if i in above]
    pairs = [(i, j) for i, j in bracket.pairs if i not in above]
    met = {j for _, j in mdp_pairs}
    rest = [i for i in members[bracket.moved_down :] if i not in met]
    added = bracket.made_of.added if bracket.made_of else 0
    s1, s2 = rest[: len(pairs)], rest[len(pairs) :]
    upper = {i for i, _ in pairs}
    return BracketTrace(
        score=residents_score(field, bracket),
        role=bracket.role,
        moved_down=tuple(ids[i] for i in moved),
        residents=tuple(ids[i] for i in members[bracket.moved_down :]),
        added=tuple(ids[i] for i in members[bracket.moved_down :][:added]),
        limbo=tuple(ids[i] for i in bracket.floaters if i in above),
        mdp_pairs=tuple((ids[i], ids[j]) for i, j in sorted(mdp_pairs)),
        s1=tuple(ids[i] for i in s1),
        s2=tuple(ids[i] for i in s2),
        moved_to_s2=tuple(ids[i] for i in s1 if i not in upper),
        moved_to_s1=tuple(ids[i] for i in s2 if i in upper),
        pairs=tuple((ids[i], ids[j]) for i, j in sorted(pairs)),
        downfloaters=tuple(ids[i] for i in bracket.floaters),
        values=values,
        route=bracket.route,
    )


def residents_score(field: Field, bracket: Paired) -> int:
    """Score of the residents; of the best of them in a collapsed or joined bracket."""
    residents = bracket.members[bracket.came_down :]
    return field.score[residents[0]] if residents else 0


def criteria_values(field: Field, bracket: Paired, completion: Completion) -> dict[str, Value]:
    """Each criterion's value, by the names of the edition; C8 is not a value of one bracket."""
    counts_c9 = (
        completion.pab_score is not None
        and completion.pab_score >= field.score[bracket.members[-1]]
        and len(bracket.floaters) == 1
    )
    made_of = bracket.made_of or Bracket(field, bracket.members, bracket.moved_down)
    collapsed = bracket.role == "CLB"
    criteria = Criteria(made_of, made_of.size + 1, counts_c9=counts_c9, collapsed=collapsed)
    found = criteria.values(bracket.pairs, bracket.floaters)
    if not counts_c9:
        found.pop("C9", None)
    return field.edition.named(found)


# --- Article 5 (2017: section E): who has White

TOOK_PART: Final = frozenset("1=0WDL?+-U")
"""Letters of a round in which the player was paired, or had the pairing-allocated bye."""


def numbering(snapshot: Snapshot) -> dict[int, int]:
    """Numbers for 5.2.5: only players who ever took part in a pairing, this round's included, have one.

    Ruling of the Pairings Commission, August 2026, on C.04.2:2.4. A forfeit loss without an opponent is
    an absence.
    """
    numbers: dict[int, int] = {}
    for player in snapshot.players:
        if not player.absent or took_part_before(player):
            numbers[player.id] = len(numbers) + 1
    return numbers


def took_part_before(player: Player) -> bool:
    """Whether the player was paired, or had the pairing-allocated bye, in any round so far."""
    return any(
        letter in TOOK_PART and (opponent or letter in "U+")
        for opponent, letter in zip(player.opponents, player.letters, strict=True)
    )


def white_of(field: Field, i: int, j: int, odd: list[bool], initial: int) -> tuple[bool, int]:
    """Whether i, ranked above j, has White, and which of the five rules says so (0 for the first)."""
    due_i, due_j = field.due[i], field.due[j]
    if due_i != due_j:  # [5.2.1] both preferences can be granted
        return (due_i == WHITE if due_i else due_j == BLACK), 0
    if due_i:
        strong_i, strong_j = field.strength[i], field.strength[j]
        if strong_i != strong_j:  # [5.2.2] the stronger preference
            return (strong_i > strong_j) == (due_i == WHITE), 1
        if strong_i == ABSOLUTE and field.edition.wider_difference_decides:
            wide_i, wide_j = abs(field.difference[i]), abs(field.difference[j])
            if wide_i != wide_j:  # [5.2.2] both absolute: the wider difference
                return (wide_i > wide_j) == (due_i == WHITE), 1
        for mine, theirs in zip(reversed(field.games[i]), reversed(field.games[j]), strict=False):
            if mine != theirs:  # [5.2.3] alternate from the latest round in which colours differed
                return mine == "b", 2
        return due_i == WHITE, 3  # [5.2.4] the higher-ranked player's preference
    if field.edition.initial_colour_alternates and field.round > 1:
        initial = -initial
    return odd[i] == (initial == WHITE), 4  # [5.2.5] odd numbers get the initial colour
