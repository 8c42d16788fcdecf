"""A round as it was answered, and what the rules say about it: what sentences are held against.

Players, scores, colours, who may meet whom and the values of the criteria are counted here from the text of
the rules (``tests.pairing.truth``, and below for 2012). Only the boards and brackets are those of the answer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple

from paircard.pairing.outcome import Board, BracketTrace, Pairing
from paircard.projections.round.snapshot import Player, Snapshot
from tests.pairing.literal.criteria import Bracket as Literal
from tests.pairing.literal.criteria import prepared, rules_2012
from tests.pairing.literal.field import TooLarge, as_set, ranks
from tests.pairing.literal.istanbul import Paired, Procedure, joined_key
from tests.pairing.literal.rounds import LIMIT, literal_pair, refuse_if_large
from tests.pairing.truth import POINT, Bracket, Impossible, Pairs, Seat, Truth, Values, down

LARGEST = 8
"""Players of a bracket up to which all its candidates are listed."""
Two = tuple[int, int]


@dataclass(frozen=True)
class Group:
    """A bracket as it was paired, in ids."""

    moved: tuple[int, ...]
    residents: tuple[int, ...]
    pairs: tuple[Two, ...]
    """The one who ranks higher first."""
    floaters: tuple[int, ...]
    role: str
    score: int
    """Points of the residents; of the best of them where there are several."""
    added: tuple[int, ...] = ()
    """The first residents of a joined bracket, if they are its S1 (2012 C.13)."""

    @property
    def members(self) -> tuple[int, ...]:
        return (*self.moved, *self.residents)


def group_of(made: BracketTrace) -> Group:
    """A bracket of an answer."""
    return Group(
        moved=made.moved_down,
        residents=made.residents,
        pairs=(*made.mdp_pairs, *made.pairs),
        floaters=made.downfloaters,
        role=made.role,
        score=made.score,
        added=made.added,
    )


@dataclass(frozen=True)
class Answered:
    """What was answered: brackets, boards and the bye."""

    groups: tuple[Group, ...]
    boards: tuple[Board, ...]
    pab: int


class Facts:
    """A snapshot with the round that was answered for it."""

    def __init__(self, snapshot: Snapshot, answer: Pairing | Answered) -> None:
        self.snapshot = snapshot
        self.edition = snapshot.edition
        self.truth = Truth(snapshot)
        if isinstance(answer, Pairing):
            answer = Answered(tuple(map(group_of, answer.brackets)), answer.boards, answer.pab)
        self.answer = answer
        self.groups = answer.groups
        self.boards = answer.boards
        self.pab = answer.pab
        self.players = {player.id: player for player in snapshot.players}

    @classmethod
    def without_round(cls, snapshot: Snapshot) -> "Facts":
        """A snapshot for which the rules give no round."""
        facts: Facts = object.__new__(cls)
        facts.snapshot, facts.edition = snapshot, snapshot.edition
        facts.groups, facts.boards, facts.pab = (), (), 0
        facts.players = {player.id: player for player in snapshot.players}
        return facts

    def answered(self, answer: Answered) -> "Facts":
        """The same snapshot with another answer."""
        other = object.__new__(Facts)
        other.__dict__ = {**self.__dict__, "answer": answer, "groups": answer.groups}
        other.__dict__ |= {"boards": answer.boards, "pab": answer.pab}
        for kept in ("agreed", "meets"):
            other.__dict__.pop(kept, None)
        return other

    def with_bye_at(self, score: int) -> "Facts":
        """[C5] The same, if the bye were to be given at another score."""
        other = self.answered(self.answer)
        other.truth = copy(self.truth)
        other.truth.bye_score = score
        other.truth.byes = frozenset(
            seat.rank for seat in self.truth.seats if seat.bye and seat.score == score
        )
        other.truth._judged, other.truth._ahead = {}, {}
        return other

    # --- people

    @cached_property
    def meets(self) -> dict[int, int]:
        """Everybody's opponent in the answer."""
        return {
            a: b for board in self.boards for a, b in ((board.white, board.black), (board.black, board.white))
        }

    def known(self, *ids: int) -> bool:
        return all(id in self.truth.rank for id in ids)

    def seat(self, id: int) -> Seat:
        return self.truth.seats[self.truth.rank[id]]

    def player(self, id: int) -> Player:
        return self.players[id]

    def score(self, id: int) -> int:
        return self.seat(id).score

    def higher(self, a: int, b: int) -> int:
        return a if self.truth.rank[a] < self.truth.rank[b] else b

    def may_meet(self, a: int, b: int) -> bool:
        return self.truth.legal[self.truth.rank[a]][self.truth.rank[b]]

    def on(self, points: int) -> list[int]:
        """Everybody who is to be paired with these points, in order."""
        return [seat.id for seat in self.truth.seats if seat.score == points]

    def board_of(self, id: int) -> Board | None:
        return next((board for board in self.boards if id in (board.white, board.black)), None)

    def met_in(self, a: int, b: int, round: int) -> bool:
        """Whether two played each other in a round."""
        one = self.player(a)
        return (
            1 <= round <= len(one.letters)
            and one.opponents[round - 1] == b
            and one.letters[round - 1] in "1=0WDL?"
        )

    # --- brackets

    def index_of(self, id: int) -> int:
        """The bracket in which a player was paired, or last stood."""
        return max((k for k, group in enumerate(self.groups) if id in group.members), default=-1)

    def below(self, index: int) -> tuple[tuple[int, ...], ...]:
        """Score groups under a bracket, by rank."""
        if self.groups[index].role in ("CLB", "joined"):
            return ()
        floor = self.score(self.groups[index].residents[-1])
        rest = [seat for seat in self.truth.seats if seat.score < floor]
        return tuple(tuple(seat.rank for seat in same) for _, same in groupby(rest, lambda seat: seat.score))

    def bracket(self, group: Group, index: int) -> Bracket:
        """A bracket as ``Truth`` knows it."""
        rank, below = self.truth.rank, self.below(index)
        kind = group.role if group.role == "CLB" or (group.role == "PPB" and below) else ""
        return Bracket(
            tuple(rank[id] for id in group.moved), tuple(rank[id] for id in group.residents), below, kind
        )

    def ranked(self, pairs: Iterable[Two]) -> Pairs:
        """Pairs as ranks, in order."""
        both = [sorted((self.truth.rank[a], self.truth.rank[b])) for a, b in pairs]
        return tuple(sorted((a, b) for a, b in both))

    def values(self, group: Group, index: int) -> Values:
        """Every criterion's value of a candidate, by the name it has in the edition."""
        if self.truth.old:
            return self.values_2012(group, index)
        return self.truth.values(self.bracket(group, index), self.ranked(group.pairs))

    def values_2012(self, group: Group, index: int) -> Values:
        """[2012 B.2–B.6, A.7, C.12] What a candidate leaves and does not fulfil."""
        seat, moved = self.seat, set(group.moved)
        left = [seat(id) for id in group.floaters]
        found: Values = {}
        if group.role == "homogeneous":
            found["P1"] = len(left)
        elif group.role == "joined":
            lowest = min(self.score(id) for id in group.members)
            gaps = [self.score(a) - self.score(b) for a, b in group.pairs]
            gaps += [one.score - lowest + POINT for one in left]
            within = sum(a in group.added and b in group.added for a, b in group.pairs)
            moved |= set(group.added)
            found["M1"] = sum(id in moved for id in group.floaters) + 2 * within
            found["B.3"] = sum(gap * gap for gap in gaps)
        else:
            found["M1"] = sum(id in moved for id in group.floaters)
            found["B.3"] = down(one.score for one in left)
        below = self.below(index)
        if left and len(below) > 1 and index != self.anew:
            found["C.12 (2012)"] = self.lacks(group.floaters, below[0])
        if left and len(below) == 1:
            found["C.12 (2012)"] = self.without_opponent(group.floaters, below[0])
        clash = [(seat(a), seat(b)) for a, b in group.pairs if seat(a).due and seat(a).due == seat(b).due]
        strong = sum(a.strength >= 2 <= b.strength for a, b in clash)
        found["B.2 (topscorers)"] = sum(a.strength == 3 == b.strength for a, b in clash)
        if self.snapshot.round % 2:
            found["A.7.d"] = strong
        found["X"] = len(clash)
        if self.snapshot.round % 2 == 0:
            found["Z"] = strong
        staying = [seat(id) for id in group.floaters if id not in moved]
        if group.role == "joined":  # those above the lowest score came down already
            staying = [one for one in left if one.score == lowest]
        found["B.5 down"] = sum(one.last == "d" for one in staying)
        found["B.6 down"] = sum(one.before == "d" for one in staying)
        up = [seat(b) for a, b in group.pairs if a in moved and self.score(a) != self.score(b)]
        if group.role != "homogeneous" and not self.half_above_joined(group, index):
            found["B.5 up"] = sum(one.last == "u" for one in up)
            found["B.6 up"] = sum(one.before == "u" for one in up)
        return found

    def half_above_joined(self, group: Group, index: int) -> bool:
        """[2012 A.3] As JaVaFo has it: half moved down into the bracket above the joined ones."""
        return (
            self.edition == "dutch-2012-javafo"
            and index == self.anew
            and self.groups[-1].role == "joined"
            and 2 * len(group.moved) >= len(group.members)
        )

    def lacks(self, floaters: Sequence[int], following: Sequence[int]) -> int:
        """[2012 C.12] Those who come down and cannot be paired, and pairs that the next bracket lacks."""
        truth = self.truth
        come = [truth.rank[id] for id in floaters]
        both = [*come, *following]
        fewest = (len(both), len(both))
        for pairs in truth._pairings(sorted(both), frozenset(come)):
            met = {i for pair in pairs for i in pair}
            fewest = min(fewest, (sum(i not in met for i in come), len(both) - len(met)))
        alone = sum(not any(truth.legal[i][j] for j in both) for i in following)
        return fewest[0] + (fewest[1] - alone) // 2

    def without_opponent(self, floaters: Sequence[int], lowest: Sequence[int]) -> int:
        """[2012 C.1, C.12] Those who come down into the lowest bracket and have the bye; 2 if it fails."""
        truth = self.truth
        come = frozenset(truth.rank[id] for id in floaters)
        both = come | frozenset(lowest)
        if len(both) % 2 == 0:
            return 0 if truth.all_paired(both) else 2
        return min(
            (int(rank in come) for rank in truth.byes & both if truth.all_paired(both - {rank})), default=2
        )

    @cached_property
    def anew(self) -> int:
        """[2012 C.13] The bracket that is paired so that everyone below it can be; -1 for none."""
        field, _, groups = prepared(self.snapshot)
        watched = Watched(field, groups, rules_2012(self.snapshot), lambda _: None)
        watched.run()
        return watched.anew

    def natural(self, group: Group, index: int) -> tuple[Two, ...]:
        """[3.2, B.2, 2012 C.4] The plain order, for as many pairs: S1 against S2, those moved down first."""
        made, moved = len(group.pairs), list(group.moved)
        paired = [a for a, _ in group.pairs if a in moved]
        most = min(len(moved), made)
        s1 = moved[:most]
        if len(paired) == most and self.edition != "dutch-2017":
            wanted = sorted(self.score(id) for id in paired)
            s1 = []
            for id in moved:
                if self.score(id) in wanted:
                    wanted.remove(self.score(id))
                    s1.append(id)
        pairs = list(zip(s1, group.residents, strict=False))
        rest = group.residents[len(s1) :]
        many = made - len(s1)
        return (*pairs, *zip(rest[:many], rest[many : 2 * many], strict=True))

    def generated(self, group: Group, index: int) -> tuple[object, ...]:
        """[Article 4, section D] When a candidate comes; in a joined bracket S1 goes before the others."""
        bracket, pairs = self.bracket(group, index), self.ranked(group.pairs)
        if not group.added:
            return self.truth.generated(bracket, pairs)
        s1 = tuple(self.truth.rank[id] for id in group.added)
        return joined_key(Literal(mdps=bracket.moved, residents=bracket.residents), s1, pairs)

    def in_plain_order(self, index: int) -> bool:
        """Whether a bracket came out in plain order."""
        group = self.groups[index]
        return same_pairs(self.natural(group, index), group.pairs)

    def remainder(self, group: Group) -> list[int]:
        """Residents whom nobody from above meets, in order."""
        taken = {b for a, b in group.pairs if a in group.moved}
        return [id for id in group.residents if id not in taken]

    def candidates(self, group: Group, index: int) -> list[tuple[Two, ...]]:
        """All legal candidates of a bracket, in ids."""
        ids = [seat.id for seat in self.truth.seats]
        listed = self.truth.listed(self.bracket(group, index))
        return [tuple((ids[i], ids[j]) for i, j in pairs) for pairs in listed]

    def made(self, group: Group, pairs: Sequence[Two]) -> Group:
        """The bracket with other pairs."""
        met = {id for pair in pairs for id in pair}
        return replace(group, pairs=tuple(pairs), floaters=tuple(i for i in group.members if i not in met))

    @cached_property
    def agreed(self) -> bool:
        """Whether the answer is the round of the rules: by trying everything, or by the procedure of 2012."""
        if self.truth.old:
            pairs = {frozenset(pair) for group in self.groups for pair in group.pairs}
            return procedure(self.snapshot) in (pairs, None)
        done = self.truth.brackets
        return len(done) == len(self.groups) and all(
            one.bracket.members == tuple(self.truth.rank[id] for id in group.members)
            and sorted(one.pairs) == sorted(self.ranked(group.pairs))
            for one, group in zip(done, self.groups, strict=True)
        )

    # --- colours

    def white(self, a: int, b: int) -> tuple[int, int, int]:
        """White, Black and the number of the rule (5.2, E)."""
        one, other = self.seat(self.higher(a, b)), self.seat(a if self.higher(a, b) == b else b)
        white, black, rule = self.truth.white(one, other)
        if (
            rule == 5 and self.truth.old
        ):  # the numbers are those of the round; JaVaFo alternates after round 1
            odd = [player.id for player in self.snapshot.players if not player.absent].index(one.id) % 2 == 0
            alternates = self.edition == "dutch-2012-javafo" and self.snapshot.round > 1
            first = odd == ((self.snapshot.initial_colour == "w") != alternates)
            white, black = (one, other) if first else (other, one)
        return white.id, black.id, rule

    # --- who is left

    def short_of(self, people: Sequence[int], options: Callable[[int], set[int]]) -> bool:
        """Whether these cannot all have an opponent, each taking one of the options."""

        def placed(left: tuple[int, ...], used: frozenset[int]) -> bool:
            todo = [id for id in left if id not in used]
            if not todo:
                return True
            one = todo[0]
            return any(placed(tuple(todo[1:]), used | {one, other}) for other in options(one) - used)

        return not placed(tuple(people), frozenset())


@lru_cache(maxsize=8)
def procedure(snapshot: Snapshot) -> frozenset[frozenset[int]] | None:
    """[2012 C] The pairs that the steps of the text lead to; None where a bracket is too large for that."""
    try:
        boards, _ = literal_pair(snapshot)
    except TooLarge:
        return None
    return frozenset(frozenset((board.white, board.black)) for board in boards)


class Watched(Procedure):
    """The procedure, with the place of the bracket that C.13 pairs anew."""

    anew = -1

    def penultimate(self, bracket: Literal, bottom: int, joined: bool) -> Paired | None:
        found = super().penultimate(bracket, bottom, joined)
        self.anew = -1 if found is None else sum(bracket.residents[-1] > max(ranks(g)) for g in self.groups)
        return found


class Followed(NamedTuple):
    """A bracket of the procedure of 2012, in ids."""

    residents: tuple[int, ...]
    pairs: tuple[Two, ...]


@lru_cache(maxsize=64)
def followed(
    snapshot: Snapshot, asked: Two, stays: int, leaves: int, home: tuple[int, ...], kept: tuple[Two, ...]
) -> tuple[Followed, ...]:
    """[2012 C] The brackets that the steps of the text lead to on a condition; none where there is no round.

    Two meet, or one has the bye (0); one is paired at ``home``, in the last bracket with anybody, or leaves
    it; all pairs ``kept`` meet.
    """
    field, _, groups = prepared(snapshot)
    rank = {card.id: card.rank for card in field.cards}
    meets = list(field.meets)

    def only(one: int, these: int) -> None:
        meets[one] &= these
        for other in range(len(meets)):
            if other != one and not these >> other & 1:
                meets[other] &= ~(1 << one)

    if 0 in asked and any(asked):
        field.pab = 1 << rank[max(asked)]
        only(rank[max(asked)], 0)
    for a, b in [(rank[x], rank[y]) for x, y in (*kept, asked) if x and y]:
        only(a, 1 << b)
        only(b, 1 << a)
        field.pab &= ~(1 << a | 1 << b)
    inside = as_set(rank[id] for id in home)
    if stays:
        field.pab &= ~(1 << rank[stays])
        only(rank[stays], ~0 if inside >> len(meets) - 1 & 1 else inside)
    if leaves:
        only(rank[leaves], ~inside)
    field.meets, field._known = tuple(meets), {}
    if not field.completes(field.everyone):
        return ()
    done = Procedure(field, groups, rules_2012(snapshot), lambda one: refuse_if_large(one, LIMIT)).run()
    ids = [card.id for card in field.cards]
    found, down = [], frozenset[int]()
    for bracket, pairs, floaters, _ in done:
        residents = tuple(ids[r] for r in bracket.residents if r not in down)
        found.append(Followed(residents, tuple((ids[x], ids[y]) for x, y in pairs)))
        down = frozenset(floaters)
    return tuple(found)


def same_pairs(one: Iterable[Two], other: Iterable[Two]) -> bool:
    return {frozenset(pair) for pair in one} == {frozenset(pair) for pair in other}


def facts_of(snapshot: Snapshot, answer: Pairing) -> Facts | None:
    """The facts of a round; None where the text gives no round."""
    try:
        return Facts(snapshot, answer)
    except Impossible:
        return None


def sides(board: Board) -> Iterator[tuple[int, str]]:
    yield board.white, "w"
    yield board.black, "b"
