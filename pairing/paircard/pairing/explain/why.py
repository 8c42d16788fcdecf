"""Why a player has this opponent and this colour, and the whole round bracket by bracket."""

import msgspec
from msgspec.structs import replace

from paircard.pairing.dutch.brackets import Paired
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import Edition
from paircard.pairing.dutch.field import Bar, Field, barred_from_bye, rule_against
from paircard.pairing.dutch.graphs import Completion
from paircard.pairing.dutch.pairing import publish, residents_score
from paircard.pairing.explain.colours import (
    Clash,
    Colours,
    LastRound,
    Preference,
    clash_of,
    colours_of,
    last_round,
    preference_of,
)
from paircard.pairing.explain.contrast import (
    Cause,
    Contrast,
    cause_below,
    compare_candidates,
    contrast_of,
    contrast_with_best,
)
from paircard.pairing.explain.forced import (
    Condition,
    Solved,
    leaving,
    paired_among,
    with_pairs,
    with_the_bye,
    without_the_bye,
)
from paircard.pairing.explain.measures import Generation, Numbers, end_of, first, numbers_of
from paircard.pairing.matching.cardinality import mask_of, maximise
from paircard.pairing.outcome import Board, BracketTrace, PairingError
from paircard.projections.round.snapshot import Snapshot


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate before the chosen one, and what excluded it."""

    candidate: BracketTrace
    chosen: bool = False
    """Whether it is the one that was chosen."""
    criterion: str = ""
    """The rule or criterion that excluded it."""
    bars: tuple[Bar, ...] = ()
    """Its pairs that may not meet."""
    real_value: Value | None = None
    other_value: Value | None = None
    """Values of the criterion: of the chosen candidate, and of this one."""
    cause: Cause | None = None
    """Where the rest of the round could not be paired: who would be left."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the chosen candidate departs from the first one generated."""

    kind: str
    """``mdp-set``, ``mdp-opponents``, ``exchange`` or ``transposition``."""
    article: str
    players: tuple[int, ...] = ()
    """Of a set: who is paired. Of a transposition: the other half in the order in which it is met."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Of opponents: moved-down player and resident. Of an exchange: who goes down, who comes up."""


def natural_of(real: Solved, index: int) -> Tried:
    """The first candidate of a bracket, for the numbers of pairs and of paired MDPs that were found."""
    bracket = real.brackets[index]
    made = first_generated(real, bracket)
    if sorted(made.pairs) != sorted(bracket.pairs):
        bars = tuple(bar for i, j in made.pairs if (bar := rule_against(real.field, i, j)))
        if bars:
            return Tried(candidate=real.trace(made, {}), criterion=bars[0].rule, bars=bars)
        end = end_of(real.field, bracket)
        if must_complete(real, bracket) and not real.completion.completes(made.floaters, end):
            return _incompletable(real, made)
    return judge(real, index, made)


def first_legal(real: Solved, index: int, natural: Tried) -> Tried | None:
    """The first candidate that complies with the absolute criteria, where the natural one does not.

    None where the natural one does, and where too many candidates would have to be listed to find it.
    """
    bracket, field = real.brackets[index], real.field
    if natural.chosen or natural.real_value is not None or natural.other_value is not None:
        return None
    above = bracket.members[: bracket.moved_down]
    limbo = [field.score[i] for i in bracket.floaters if i in above]
    end, complete = end_of(field, bracket), must_complete(real, bracket)
    found = first(
        Generation(field, bracket).candidates(
            len(bracket.pairs), len(above) - len(limbo), None if field.edition.measures_differences else limbo
        ),
        lambda one: not complete or real.completion.completes(one.floaters, end),
    )
    return None if found is None else judge(real, index, found)


def judge(real: Solved, index: int, other: Paired) -> Tried:
    """A legal candidate against the chosen one."""
    if sorted(other.pairs) == sorted(real.brackets[index].pairs):
        return Tried(candidate=real.chosen(index), chosen=True)
    found = compare_candidates(real, index, other)
    shown = found.other or real.trace(other)
    if found.outcome == "later" and real.field.edition.joins_last_brackets:
        # [2012 C.13] In a joined bracket the one added last is S1.
        return Tried(candidate=shown, criterion=real.field.edition.name_of("C4"))
    return Tried(
        candidate=shown,
        criterion=found.criterion,
        real_value=found.real_value,
        other_value=found.other_value,
    )


def must_complete(real: Solved, bracket: Paired) -> bool:
    """[C4; 2017 C.4 and 2012 C.13 only in the last two brackets] Whether the rest must be pairable."""
    field = real.field
    if field.edition.completes_every_bracket or bracket.role == "PPB" or end_of(field, bracket) == field.n:
        return True
    return any(one.anew and one.members == bracket.members for one in real.brackets[-2:])


def _incompletable(real: Solved, made: Paired) -> Tried:
    """[C4] The rest could not be paired; in the last bracket, the bye could not be given (C2, C5)."""
    field, end = real.field, end_of(real.field, made)
    plain = Tried(candidate=real.trace(made, {}), criterion=field.edition.name_of("C4"))
    if end < field.n or len(made.floaters) != 1:
        cause = cause_below(field, real.completion, made.floaters, end)
        return replace(plain, cause=cause)
    lone = made.floaters[0]
    if not field.may_have_pab[lone]:
        bar = barred_from_bye(field, lone)
        return replace(plain, criterion=bar.rule, bars=(bar,))
    return replace(plain, criterion="C5", real_value=real.completion.pab_score, other_value=field.score[lone])


def first_generated(real: Solved, bracket: Paired) -> Paired:
    """S1 against S2 in their order: the MDPs first, then the remainder.

    Where fewer MDPs could be paired than there are pairs to make, it is the candidate that pairs as many as
    there might have been (Appendix P 1.4): what excludes it is the reason why there are fewer.
    """
    above = bracket.members[: bracket.moved_down]
    limbo = [real.field.score[i] for i in bracket.floaters if i in above]
    most = min(len(above), len(bracket.pairs))
    fewer = len(above) - len(limbo) < most
    left = None if fewer or real.field.edition.measures_differences else limbo  # [C7] leaves these scores
    made = Generation(real.field, bracket, illegal=True).earliest(len(bracket.pairs), most, left)
    return replace(made, route="natural")


def steps_of(edition: Edition, natural: BracketTrace, chosen: BracketTrace) -> tuple[Step, ...]:
    """Every alteration by which the chosen candidate arises from the first one generated."""
    articles = edition.order_articles
    steps = []
    paired = tuple(a for a, _ in chosen.mdp_pairs)
    if paired != tuple(a for a, _ in natural.mdp_pairs):
        steps.append(Step(kind="mdp-set", article=articles["mdp-set"], players=paired))
    if [b for _, b in chosen.mdp_pairs] != list(chosen.residents[: len(paired)]):
        steps.append(Step(kind="mdp-opponents", article=articles["mdp-opponents"], pairs=chosen.mdp_pairs))
    if chosen.moved_to_s1:
        moved = tuple(zip(chosen.moved_to_s2, chosen.moved_to_s1, strict=True))
        steps.append(Step(kind="exchange", article=articles["exchange"], pairs=moved))
    order = tuple(b for _, b in chosen.pairs)
    upper = [a for a, _ in chosen.pairs]
    s2 = [id for id in (*chosen.s1, *chosen.s2) if id not in upper]
    ranked = [id for id in chosen.residents if id in s2]
    if list(order) != ranked[: len(order)]:
        steps.append(Step(kind="transposition", article=articles["transposition"], players=order))
    return tuple(steps)


class Floated(msgspec.Struct, frozen=True, kw_only=True):
    """A player left a bracket unpaired; ``contrast`` has what pairing them there would have cost."""

    player: int
    bracket: int
    score: int
    """Score of the bracket's residents."""
    own_score: int = 0
    """Score of the player."""
    bye: bool = False
    """Whether it was the last bracket, and the player has the pairing-allocated bye."""
    bars: tuple[Bar, ...] = ()
    """Where nobody of the bracket may meet the player: what forbids each."""
    only_moved_down: bool = False
    """Whether all of these had moved down, the player being the only resident."""
    alone: bool = False
    """Whether there was nobody to meet at all."""
    contrast: Contrast | None = None


class Trials(msgspec.Struct, frozen=True, kw_only=True):
    """What was tried in a bracket before the chosen candidate, and how that arises."""

    natural: Tried
    """The first candidate generated."""
    first_legal: Tried | None = None
    """The first that complies with the absolute criteria, where the natural one does not."""
    steps: tuple[Step, ...] = ()
    """From the natural candidate to the chosen one."""


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """One player's board and the reasons for it."""

    edition: str
    round: int
    player: int
    absent: str = ""
    """The letter of the round (H, F, Z) for a player who was not to be paired; nothing else is set then."""
    score: int = 0
    """As the pairing counts it, with virtual points."""
    virtual: int = 0
    opponent: int = 0
    opponent_score: int = 0
    board: int = 0
    """Number of the board; 0 with the bye."""
    pab: bool = False
    index: int = -1
    """Index of the bracket among those of the round."""
    bracket: BracketTrace | None = None
    floats: tuple[Floated, ...] = ()
    """How the player, and the opponent, came into it."""
    tried: Trials | None = None
    """What was tried in that bracket before."""
    natural_opponent: int = 0
    """The opponent that the first candidate generated gave the player; 0 for nobody."""
    own: Contrast | None = None
    """Why not that one, where it is another; for nobody, why the player did not leave the bracket."""
    colours: Colours | None = None
    last_round: LastRound | None = None
    """Of the last round, whether the two of the board are topscorers."""
    clash: Clash | None = None
    """Where both must have the same colour and may meet, since one is a topscorer."""
    fewer: int = 0
    """With the bye: how many players have fewer points."""
    could: int = 0
    """One of them who could have had it, with everybody else paired; 0 for none."""
    bye: Contrast | None = None
    """With the bye: the best round in which somebody else has it."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A player as the pairing of the round saw them."""

    id: int
    number: int
    score: int
    preference: Preference
    floats: tuple[str, str]
    """Of the previous round, and of the one before it: ``d``, ``u`` or ``-``."""
    topscorer: bool


class BracketStory(msgspec.Struct, frozen=True, kw_only=True):
    """A bracket: who was in it, what was tried first, what was chosen, who left it and why."""

    candidate: BracketTrace
    numbers: Numbers
    tried: Trials
    attempt: BracketTrace | None = None
    """[2017 A.9] Of a PPB: how it was paired first, which left the round without completion."""
    floats: tuple[Floated, ...] = ()
    boards: tuple[int, ...] = ()
    """Numbers of its boards."""
    clashes: tuple[Clash, ...] = ()
    """Pairs allowed in the last round since one of the two is a topscorer."""
    rest: tuple[tuple[int, int], ...] = ()
    """The completion test: one legal pairing of all who are left, 0 for the bye; empty behind the last."""


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A round, explained."""

    edition: str
    round: int
    rounds: int
    players: tuple[Seat, ...]
    """In the order of 1.2 (2017 A.2)."""
    brackets: tuple[BracketStory, ...]
    boards: tuple[Board, ...]
    pab: int = 0
    pab_score: int | None = None
    absent: tuple[tuple[int, str], ...] = ()
    last_round: LastRound | None = None
    """Of the last round, who is a topscorer."""


def why(snapshot: Snapshot, player: int) -> Why:
    """Why the player has this board; for one who was not to be paired, only the letter of the round.

    Raises ``PairingError`` for a player who is not in the snapshot, ``NoLegalRound`` where there is no round.
    """
    known = next((p for p in snapshot.players if p.id == player), None)
    if known is None:
        raise PairingError("pairing.not-in-the-tournament", player=player)
    if known.absent:
        return Why(edition=snapshot.edition, round=snapshot.round, player=player, absent=known.absent)
    real = Solved(snapshot)
    field = real.field
    i = field.place[player]
    index = real.bracket_of(i)
    partner = {a: b for pair in real.brackets[index].pairs for a, b in (pair, pair[::-1])}
    boards = publish(snapshot, field, real.brackets)
    at = next((n for n, b in enumerate(boards, 1) if player in (b.white, b.black)), 0)
    tried = trials(real, index)
    first = {a: b for p in pairs_of(tried.natural.candidate) for a, b in (p, p[::-1])}.get(player, 0)
    opponent = field.players[partner[i]].id if i in partner else 0
    fewer = [j for j in range(field.n) if field.score[j] < field.score[i]] if i not in partner else []
    return Why(
        edition=snapshot.edition,
        round=snapshot.round,
        player=player,
        score=known.score,
        virtual=known.score - known.points,
        opponent=opponent,
        opponent_score=field.score[partner[i]] if i in partner else 0,
        board=at,
        pab=i not in partner,
        index=index,
        bracket=real.chosen(index),
        floats=tuple(
            why_floated(real, k, who)
            for who in ([i, partner[i]] if i in partner else [i])
            for k, bracket in enumerate(real.brackets)
            if who in bracket.floaters
        ),
        tried=tried,
        natural_opponent=first,
        own=None if first == opponent else instead(real, index, i, first),
        colours=colours_of(snapshot, field, boards[at - 1]) if at else None,
        last_round=last_round(snapshot, field, (player, opponent) if opponent else (player,)),
        clash=clash_of(field, i, partner[i]) if i in partner else None,
        fewer=len(fewer),
        could=next((field.players[j].id for j in fewer if may_be_spared(real, j)), 0),
        bye=None if i in partner else contrast_with_best(real, without_the_bye(i)),
    )


def may_be_spared(real: Solved, i: int) -> bool:
    if not real.field.may_have_pab[i] or real.completion.pab_score is not None:
        return False  # [C5] nobody on fewer points than the score that was fixed
    field = Field(real.snapshot)
    with_the_bye(i).apply(field)
    return Completion(field).possible


def trials(real: Solved, index: int) -> Trials:
    """What was tried in a bracket, and how the chosen candidate arises."""
    natural = natural_of(real, index)
    if natural.chosen:
        return Trials(natural=natural)
    chosen = real.trace(real.brackets[index], {})
    return Trials(
        natural=natural,
        first_legal=first_legal(real, index, natural),
        steps=steps_of(real.field.edition, natural.candidate, chosen),
    )


def instead(real: Solved, index: int, i: int, first: int) -> Contrast:
    """Why a player does not have the opponent of the natural candidate, or does not leave as in that one."""
    if first:
        return contrast_of(real, real.field.players[i].id, first)
    return best_from(real, index, leaving(i, real.brackets[index].members))


def best_from(real: Solved, index: int, condition: Condition) -> Contrast:
    """The best round under the condition; if it departs above a bracket, with all above that as it is."""
    contrast = contrast_with_best(real, condition)
    if 0 <= contrast.bracket < index:  # not with the brackets above as they are: no completion is left
        above = [pair for before in real.brackets[:index] for pair in before.pairs]
        contrast = contrast_with_best(real, with_pairs(above, condition))
    return contrast


def pairs_of(candidate: BracketTrace) -> tuple[tuple[int, int], ...]:
    """All pairs of a candidate, those of the MDPs first."""
    return (*candidate.mdp_pairs, *candidate.pairs)


def why_floated(real: Solved, index: int, i: int) -> Floated:
    field, bracket = real.field, real.brackets[index]
    came = bracket.came_down
    above = bracket.members[:came]
    could = bracket.members[came:] if i in above else bracket.members
    others = [j for j in could if j != i]
    bars = [rule_against(field, min(i, j), max(i, j)) for j in others]
    last = index == len(real.brackets) - 1
    player, score = field.players[i].id, residents_score(field, bracket)
    common = Floated(player=player, bracket=index, score=score, own_score=field.score[i], bye=last)
    if not others:
        return replace(common, alone=True)
    if all(bars):
        down = set(others) <= set(above)
        return replace(common, bars=tuple(bar for bar in bars if bar), only_moved_down=down)
    return replace(common, contrast=why_kept(real, index, i, others, last))


def why_kept(real: Solved, index: int, i: int, others: list[int], last: bool) -> Contrast:
    """The bracket against the best candidate in which the player does not leave it."""
    condition = without_the_bye(i) if last else paired_among(i, others)
    if not (last or real.brackets[index].role or must_complete(real, real.brackets[index])):
        return compare_candidates(real, index, real.kept(index, i, others))
    return best_from(real, index, condition)


def explain(snapshot: Snapshot) -> Story:
    """The whole round, bracket by bracket. Raises ``NoLegalRound`` where there is none."""
    real = Solved(snapshot)
    field = real.field
    boards = publish(snapshot, field, real.brackets)
    numbers = {frozenset((b.white, b.black)): n for n, b in enumerate(boards, 1)}
    brackets = []
    for index, bracket in enumerate(real.brackets):
        made = real.chosen(index)
        attempt = real.attempt(index)
        brackets.append(
            BracketStory(
                candidate=made,
                numbers=numbers_of(field, bracket, real.values(index)),
                tried=trials(real, index),
                attempt=real.trace(attempt) if attempt else None,
                floats=tuple(why_floated(real, index, i) for i in bracket.floaters),
                boards=tuple(sorted(numbers[frozenset(pair)] for pair in pairs_of(made))),
                clashes=tuple(found for i, j in bracket.pairs if (found := clash_of(field, i, j))),
                rest=rest_of(real, bracket),
            )
        )
    last = real.brackets[-1].floaters if real.brackets else []
    return Story(
        edition=snapshot.edition,
        round=snapshot.round,
        rounds=snapshot.rounds,
        players=seats_of(field),
        brackets=tuple(brackets),
        boards=boards,
        pab=field.players[last[0]].id if last else 0,
        pab_score=real.completion.pab_score,
        absent=tuple((p.id, p.absent) for p in snapshot.players if p.absent),
        last_round=last_round(snapshot, field),
    )


def rest_of(real: Solved, bracket: Paired) -> tuple[tuple[int, int], ...]:
    """[C4, 2017 A.9] One legal pairing of the bracket's downfloaters and of everyone below it."""
    field, completion = real.field, real.completion
    end = end_of(field, bracket)
    if end == field.n:
        return ()
    mate = completion.mates[end].copy()
    maximise(completion.adjacent, mate, completion.alive(end) | mask_of(bracket.floaters))
    left = [*bracket.floaters, *range(end, field.n)]
    ids = [*(player.id for player in field.players), 0]
    return tuple((ids[i], ids[mate[i]]) for i in left if i < mate[i])


def seats_of(field: Field) -> tuple[Seat, ...]:
    """The players as the pairing of the round saw them, in order."""
    return tuple(
        Seat(
            id=player.id,
            number=player.number,
            score=player.score,
            preference=preference_of(field, i),
            floats=(player.floats[-1:] or "-", player.floats[-2:-1] or "-"),
            topscorer=field.topscorer[i],
        )
        for i, player in enumerate(field.players)
    )
