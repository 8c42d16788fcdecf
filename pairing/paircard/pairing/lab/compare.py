"""Two engines on the same tournaments: where they differ, and who is right by the text.

Brackets are walked from the top, and in the first one that differs the two candidates are compared criterion
by criterion, by the values that explanations show.
"""

import random
from collections.abc import Callable
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from paircard.domain.values.results import Scoring
from paircard.domain.values.rules import RULES
from paircard.pairing.dutch.brackets import JOINED, Paired
from paircard.pairing.dutch.field import Field, rule_against
from paircard.pairing.explain.forced import Solved
from paircard.pairing.explain.measures import first_difference, generation_key
from paircard.pairing.explain.sieve import all_values
from paircard.pairing.lab.check import Pair, boards_from, same_pairs
from paircard.pairing.lab.simulate import Amount, Settings, simulate
from paircard.pairing.outcome import Board, NoLegalRound, Pairing
from paircard.projections.round.crosstable import Boards, Crosstable, without_bye
from paircard.projections.round.snapshot import Snapshot, snapshot

OURS, THEIRS, THIRD = "ours", "theirs", "third"

KINDS = (
    "plain", "tiny", "dense", "byes", "forfeits", "churn", "prohibited", "baku", "points", "everything",
    "round-robin", "walk-outs", "camps", "banned", "draws", "no-shows", "imported", "odd-points",
)  # fmt: skip
"""What a tournament of a comparison is rich in; they take turns. From ``round-robin`` on they are wild: as
many rounds as players, everybody walks out and returns, two camps or so many prohibited pairs that hardly a
round is left, all games drawn, up to nine in ten forfeited, first rounds against the rules, odd scorings."""

SCORINGS = (
    Scoring(win=30, draw=10, pab=30),
    Scoring(win=30, draw=10, pab=10),
    Scoring(win=20, draw=10, pab=20),
    Scoring(win=10, draw=5, pab=5),
)

ODD_SCORINGS = (
    Scoring(win=30, draw=20, loss=10, pab=30),
    Scoring(win=10, draw=10, pab=10),
    Scoring(win=20, draw=10, pab=10),
    Scoring(win=30, draw=10, pab=10, absence=10),
)
"""Of the wild kinds: a loss is worth something, a draw is a win, the bye is a draw, absence is paid."""


TABLE = "table"
"""The one kind of a round robin: single, double or more, with and without the exchange, some forfeits."""
WILD = frozenset(KINDS[KINDS.index("round-robin") :])


class Unpaired(Exception):
    """The other engine says that no legal round exists."""


class Broken(Exception):
    """The other engine failed; the message says how."""


Other = Callable[[Crosstable, int], Boards]
"""The other engine: the tournament so far and the round to be paired in, boards out."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One round on which the engines differ."""

    round: int
    verdict: str
    """``theirs worse at C7``, ``colours only``, …"""
    ours: Boards | None
    theirs: Boards | None
    third: Boards | None = None
    """What the third engine said, if there is one."""
    state: Crosstable
    """The tournament before the round."""


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament played by both engines, one of them leading."""

    seed: int
    leader: str
    kind: str
    rounds: int
    differences: tuple[Difference, ...] = ()
    broken: str = ""
    table: Crosstable | None = None
    """The tournament as it was played; None if the other engine failed."""


def duel(
    settings: Settings,
    seed: int,
    leader: str,
    kind: str,
    engine: Pair,
    other: Other,
    third: Other | None = None,
) -> Duel:
    """Play one tournament; the leader's boards are played, the other's are compared with them.

    A third engine has a vote in every round: it tells who of the two stands alone, or stands alone itself.
    """
    differences: list[Difference] = []
    rounds = 0

    def choose(table: Crosstable, round: int, edition: str) -> Pairing:
        nonlocal rounds
        state = snapshot(table, round, edition)
        ours = theirs = None
        with suppress(NoLegalRound):
            ours = boards_from(engine(state))
        with suppress(Unpaired):
            theirs = answered(other(table, round), edition)
        rounds += 1
        verdict = "" if same(ours, theirs) else classify(state, ours, theirs)
        voted = None
        if third is not None:
            with suppress(Unpaired):
                voted = answered(third(table, round), edition)
            verdict = vote(state, verdict, ours, theirs, voted)
        if verdict:
            differences.append(
                Difference(round=round, verdict=verdict, ours=ours, theirs=theirs, third=voted, state=table)
            )
        chosen = ours if leader == OURS else theirs
        if chosen is None:
            raise NoLegalRound("pairing.no-legal-round")
        boards, pab = without_bye(chosen)
        return Pairing(tuple(Board(white, black) for white, black in boards), pab)

    broken, table = "", None
    try:
        table = simulate(settings, seed, choose).table
    except Broken as failure:
        broken = str(failure)
    return Duel(
        seed=seed,
        leader=leader,
        kind=kind,
        rounds=rounds,
        differences=tuple(differences),
        broken=broken,
        table=table,
    )


def answered(boards: Boards, edition: str) -> Boards:
    """The boards of the other engine; a free day of a round robin is none, even if it is written as one."""
    return tuple(board for board in boards if board[1]) if RULES[edition].known_at_once else boards


def same(one: Boards | None, other: Boards | None) -> bool:
    """Whether two answers are the same round, in whatever order; None is that there is none."""
    return one is other if one is None or other is None else set(one) == set(other)


def vote(
    state: Snapshot, verdict: str, ours: Boards | None, theirs: Boards | None, third: Boards | None
) -> str:
    """The verdict with the third engine's vote; where the two agree, what is wrong with the third."""
    if same(ours, theirs):
        alone = "" if same(ours, third) else classify(state, ours, third).replace(THEIRS, THIRD)
        return f"{alone}: third alone" if alone else ""
    if same(ours, third):
        return f"{verdict}: theirs alone"
    return f"{verdict}: ours alone" if same(theirs, third) else f"{verdict}: three answers"


def classify(state: Snapshot, ours: Boards | None, theirs: Boards | None) -> str:
    """Who is right, and by which article; empty where both found that no legal round exists."""
    if RULES[state.edition].known_at_once:
        return "colours only" if same_pairs(ours or (), theirs or ()) else f"{THEIRS} not of the table"
    if ours is None and theirs is None:
        return ""
    for side, boards in ((OURS, ours), (THEIRS, theirs)):
        if boards is not None and (fault := illegal(state, boards)):
            return f"{side} illegal: {fault}"
    if ours is None or theirs is None:
        return f"{OURS if ours is None else THEIRS} found no round"
    if same_pairs(ours, theirs):
        return "colours only"
    return by_criteria(state, ours, theirs)


def illegal(state: Snapshot, boards: Boards) -> str:
    """The absolute criterion a round breaks; empty if none."""
    field = Field(state)
    seated = [id for board in boards for id in board if id]
    if sorted(seated) != sorted(field.place):
        return "not everyone has exactly one board"
    byes = [white for white, black in boards if not black]
    if len(byes) > 1:
        return "more than one bye"
    if byes and not field.may_have_pab[field.place[byes[0]]]:
        return field.edition.name_of("C2")
    for white, black in boards:
        if black and (bar := rule_against(field, field.place[white], field.place[black])):
            return "prohibited pair" if bar.rule == "prohibited" else bar.rule
    return ""


def by_criteria(state: Snapshot, ours: Boards, theirs: Boards) -> str:
    """The first bracket that differs, criterion by criterion."""
    real = Solved(state)
    score, place = real.field.score, real.field.place
    byes = [next((place[white] for white, black in boards if not black), None) for boards in (ours, theirs)]
    if real.completion.pab_score is not None and None not in byes:
        mine, other = (score[i] for i in byes if i is not None)
        if mine != other:
            return f"{OURS if mine > other else THEIRS} worse at C5"
    sides = [
        {(min(place[a], place[b]), max(place[a], place[b])) for a, b in boards if b}
        for boards in (ours, theirs)
    ]
    for index, bracket in enumerate(real.brackets):
        one, another = (with_boards(bracket, side) for side in sides)
        if one.pairs != another.pairs:
            return in_bracket(real, index, one, another)
    return "the same boards"


def with_boards(bracket: Paired, boards: set[tuple[int, int]]) -> Paired:
    """The candidate of a bracket that these boards make; two who came down and meet met further below."""
    inside, above = set(bracket.members), set(bracket.members[: bracket.came_down])
    pairs = sorted(one for one in boards if inside.issuperset(one) and not above.issuperset(one))
    met = {i for one in pairs for i in one}
    return replace(bracket, pairs=pairs, floaters=[i for i in bracket.members if i not in met])


def in_bracket(real: Solved, index: int, ours: Paired, theirs: Paired) -> str:
    """Two candidates of a bracket: the first criterion in which one is worse, or which is generated later."""
    one, other = (all_values(real, index, made) for made in (ours, theirs))
    name = first_difference(one, other)
    if name:
        return f"{OURS if one[name] > other[name] else THEIRS} worse at {name}"  # type: ignore[operator]
    bracket = real.brackets[index]
    if bracket.role == JOINED:  # [2012 C.13] its order depends on how it was joined
        return f"{OURS if theirs.pairs == sorted(bracket.pairs) else THEIRS} later in order"
    later = generation_key(real.field, ours) > generation_key(real.field, theirs)
    return f"{OURS if later else THEIRS} later in order"


def settings_for(
    kind: str, seed: int, edition: str, players: tuple[int, int] | None, rounds: tuple[int, int] | None
) -> Settings:
    """Settings of one tournament of a comparison, drawn from its seed."""
    chance = random.Random(f"{kind} {seed}")
    if kind == TABLE:
        cycles, few = chance.choice((1, 1, 2, 2, 3)), (Amount(share=chance.randint(0, 30)),)
        size = chance.randint(*(players or (4, 16)))
        exchange = chance.random() < 0.5
        return Settings(
            edition=edition, players=size, cycles=cycles, exchange=exchange, forfeits=few, odd_results=few
        )
    small = {"tiny": (4, 14), "dense": (10, 26), "round-robin": (4, 10), "draws": (6, 90)}
    sizes = players or small.get(kind, (6, 40) if kind in WILD else (12, 70))
    size = chance.randint(*sizes)
    long = (max(3, size // 2), max(4, size - 2)) if kind in ("tiny", "dense") else (4, 11)
    if kind == "round-robin":
        long = (size - 1, size)
    count = chance.randint(*(rounds or (min(long[0], 15), min(long[1], 15))))

    def share(low: int, high: int) -> tuple[Amount, ...]:
        return (Amount(share=chance.randint(low, high)),)

    rich = kind == "everything"
    apart: int | tuple[tuple[int, ...], ...] = chance.randint(1, 6) if rich or kind == "prohibited" else 0
    if kind == "banned":  # about as many pairs as leave a few rounds
        apart = size * (size - 1) // 2 * chance.randint(30, 65) // 100
    if kind == "camps":
        lot = chance.sample(range(1, size + 1), size)
        camp = chance.randint(size // 3, size // 2)
        apart = tuple(tuple(sorted(one)) for one in (lot[:camp], lot[camp:]) if len(one) > 1)
    if kind in WILD:
        odd = kind in ("odd-points", "round-robin") and chance.random() < (1 if kind == "odd-points" else 0.2)
        return Settings(
            edition=edition,
            players=size,
            rounds=count,
            full_point_byes=share(0, 30) if kind == "walk-outs" else (),
            half_point_byes=share(0, 150) if kind in ("round-robin", "walk-outs") else share(0, 20),
            zero_point_byes=share(0, 150) if kind == "round-robin" else share(0, 20),
            forfeits=share(100, 900) if kind == "no-shows" else share(0, 100),
            odd_results=share(0, 50),
            late=share(0, 300) if kind == "walk-outs" else (),
            returns=share(300, 1000) if kind == "walk-outs" and count > 1 else (),
            by_lot=chance.randint(1, max(1, count - 2)) if kind == "imported" else 0,
            prohibited=apart,
            scoring=chance.choice(ODD_SCORINGS) if odd else Scoring(),
            draws=100 if kind == "draws" else chance.randint(5, 70),
            gap=0 if kind == "draws" else None,
        )
    return Settings(
        edition=edition,
        players=size,
        rounds=count,
        full_point_byes=share(0, 20) if rich or kind == "byes" else (),
        half_point_byes=share(20, 120) if rich or kind == "byes" else share(0, 10),
        zero_point_byes=share(20, 150) if rich or kind == "byes" else share(0, 10),
        forfeits=share(50, 200) if rich or kind == "forfeits" else share(0, 20),
        odd_results=share(0, 30) if rich else (),
        late=share(50, 250) if rich or kind == "churn" else (),
        withdrawals=share(50, 250) if rich or kind == "churn" else (),
        baku=kind == "baku" or (rich and chance.random() < 0.3),
        prohibited=apart,
        scoring=chance.choice(SCORINGS) if kind == "points" else Scoring(),
        draws=chance.randint(5, 70),
    )
