"""Every kind of statement that an explanation makes, held against the rules tried out by brute force.

Each function takes a round twice, as ``Truth`` has it and as it is explained, asserts that what is said is
so, and answers how many statements of which kind it has checked.
"""

from collections import Counter
from collections.abc import Callable

from paircard.pairing.explain import BYE, BracketStory, Cause, Contrast, Floated, Story, Tried, why, why_not
from paircard.pairing.explain.colours import Colours, Preference
from paircard.pairing.outcome import BracketTrace
from tests.pairing.truth import Bracket, Done, Pairs, Truth, Values

LARGEST = 9
"""Players in a bracket up to which all candidates are listed."""
STRENGTHS = ("none", "mild", "strong", "absolute")

Fits = Callable[[Pairs], bool]


def ranked(truth: Truth, made: BracketTrace) -> Pairs:
    """The pairs of a candidate as ranks, in order."""
    both = [sorted((truth.rank[a], truth.rank[b])) for a, b in (*made.mdp_pairs, *made.pairs)]
    return tuple(sorted((a, b) for a, b in both))


def same(one: Pairs | None, other: Pairs) -> bool:
    return one is not None and sorted(one) == sorted(other)


def first_difference(one: Values, other: Values) -> str:
    return next((name for name, value in one.items() if name in other and other[name] != value), "")


# --- brackets as they were paired, and the values of their criteria


def check_brackets(truth: Truth, story: Story) -> Counter[str]:
    """Members, pairs, downfloaters and every value; the least values; the rest."""
    seen: Counter[str] = Counter()
    assert len(story.brackets) == len(truth.brackets)
    for told, real in zip(story.brackets, truth.brackets, strict=True):
        made = told.candidate
        role = real.bracket.kind if real.bracket.below or real.bracket.kind == "CLB" else ""
        assert made.role == role
        assert [truth.rank[id] for id in made.moved_down] == list(real.bracket.moved)
        assert [truth.rank[id] for id in made.residents] == list(real.bracket.residents)
        assert same(ranked(truth, made), real.pairs)
        assert [truth.rank[id] for id in made.downfloaters] == list(real.floaters)
        assert made.values == truth.values(real.bracket, real.pairs)
        seen["values"] += len(made.values)
        seen += check_numbers(truth, told, real)
        seen += check_rest(truth, told, real)
    return seen


def check_numbers(truth: Truth, told: BracketStory, real: Done) -> Counter[str]:
    """No candidate with as many pairs, and as many and as good MDPs paired, is below the least values."""
    numbers, bracket = told.numbers, real.bracket
    assert (numbers.moved_down, numbers.max_pairs) == (len(bracket.moved), len(real.pairs))
    if len(bracket.members) > LARGEST or not numbers.least:
        return Counter()
    limbo = limbo_scores(truth, bracket, real.pairs)
    alike = [
        pairs
        for pairs in truth.listed(bracket)
        if len(pairs) == len(real.pairs)
        and sorted(truth.seats[i].score for i in truth.floaters(bracket, pairs) if i in bracket.moved)
        == limbo
    ]
    colours = ("C12", "C13") if truth.new else ("C.10", "C.11")
    for name, least in numbers.least.items():
        if name in ("C6", "C7", "C8", "C9", "C.5", "C.6", "C.7"):
            continue
        found = [truth.values(bracket, pairs)[name] for pairs in alike]
        assert all(least <= value for value in found), (name, least)  # type: ignore[operator]
        if name == colours[0]:
            assert least == numbers.x
        elif name == colours[1]:
            assert least == numbers.z or any(truth.seats[i].top for i in bracket.members)
    assert numbers.perfect == (numbers.least == told.candidate.values)
    return Counter({"least": len(numbers.least)})


def limbo_scores(truth: Truth, bracket: Bracket, pairs: Pairs) -> list[int]:
    """Scores of the moved-down players who float again."""
    return sorted(truth.seats[i].score for i in truth.floaters(bracket, pairs) if i in bracket.moved)


def check_rest(truth: Truth, told: BracketStory, real: Done) -> Counter[str]:
    """One legal pairing of all who are left."""
    if not real.bracket.rest:
        assert told.rest == ()
        return Counter()
    left = set(real.floaters) | real.bracket.rest
    for a, b in told.rest:
        left.remove(truth.rank[a])
        if b:
            left.remove(truth.rank[b])
            assert truth.legal[truth.rank[a]][truth.rank[b]]
        else:
            assert truth.rank[a] in truth.byes
    assert not left
    return Counter({"rest": 1})


# --- what was tried first


def check_trials(truth: Truth, story: Story) -> Counter[str]:
    """The natural candidate and what excluded it; the first legal one; the steps to the chosen one."""
    seen: Counter[str] = Counter()
    for told, real in zip(story.brackets, truth.brackets, strict=True):
        if len(real.bracket.members) > LARGEST or not real.pairs:
            continue
        first = natural(truth, real)
        said = told.tried.natural
        assert same(ranked(truth, said.candidate), first)
        assert said.chosen == same(first, real.pairs)
        seen["natural"] += 1
        if said.chosen:
            continue
        illegal = [(i, j) for i, j in first if not truth.legal[i][j]]
        if illegal:
            assert sorted(tuple(sorted((truth.rank[b.a], truth.rank[b.b]))) for b in said.bars) == sorted(
                illegal
            )
            for bar in said.bars:
                check_bar(truth, bar.a, bar.b, bar.rule, bar.round)
        else:
            seen["cause"] += check_excluded(truth, said, real, first)
        excluded = bool(illegal) or not fine(truth, real.bracket, first)
        if excluded:
            seen += check_first_legal(truth, told, real)
        check_steps(truth, told, real, first)
        seen["steps"] += len(told.tried.steps)
    return seen


def fine(truth: Truth, bracket: Bracket, pairs: Pairs) -> bool:
    """Whether a candidate complies with the completion criterion."""
    return not truth.must_complete(bracket) or truth.leaves_a_round(bracket, pairs)


def natural(truth: Truth, real: Done) -> Pairs:
    """[3.2–3.3, B.2–B.3] S1 against S2 in order; as many MDPs as there might have been paired."""
    bracket, moved = real.bracket, real.bracket.moved
    paired = [i for i, _ in real.pairs if i in moved]
    most = min(len(moved), len(real.pairs))
    if len(paired) < most or not truth.new:
        s1 = list(moved[:most])
    else:  # [4.4] smallest numbers, with the scores of those that C7 leaves
        wanted = sorted(truth.seats[i].score for i in paired)
        s1 = []
        for i in moved:
            if truth.seats[i].score in wanted:
                wanted.remove(truth.seats[i].score)
                s1.append(i)
    pairs = list(zip(s1, bracket.residents, strict=False))
    rest = bracket.residents[len(s1) :]
    many = len(real.pairs) - len(s1)
    pairs += list(zip(rest[:many], rest[many : 2 * many], strict=True))
    return tuple(pairs)


def check_excluded(truth: Truth, said: Tried, real: Done, first: Pairs) -> bool:
    """What excluded a candidate whose pairs may all meet; whether a far cause was among it."""
    bracket = real.bracket
    if not fine(truth, bracket, first):
        floaters = truth.floaters(bracket, first)
        if bracket.below or len(floaters) != 1:
            assert said.criterion == ("C4" if truth.new else "C.4")
            check_cause(truth, said.cause, frozenset(floaters) | bracket.rest)
            return True
        if said.criterion in ("C2", "C.2"):
            assert not truth.seats[floaters[0]].bye
        else:
            assert (said.criterion, said.real_value) == ("C5", truth.bye_score)
            assert said.other_value == truth.seats[floaters[0]].score
        return False
    chosen, other = truth.values(bracket, real.pairs), truth.values(bracket, first)
    assert said.criterion == first_difference(chosen, other)
    if said.criterion:
        assert (said.real_value, said.other_value) == (chosen[said.criterion], other[said.criterion])
    return False


def check_first_legal(truth: Truth, told: BracketStory, real: Done) -> Counter[str]:
    """The first generated of those that comply with C1–C5, with the numbers that were found."""
    said, bracket = told.tried.first_legal, real.bracket
    if told.tried.natural.criterion == "C5":
        assert said is None
        return Counter()
    assert said is not None
    limbo = limbo_scores(truth, bracket, real.pairs)
    alike = []
    for pairs in truth.listed(bracket):
        scores = limbo_scores(truth, bracket, pairs)
        valid = scores == limbo if truth.new else len(scores) == len(limbo)
        if valid and len(pairs) == len(real.pairs) and fine(truth, bracket, pairs):
            alike.append(pairs)
    first = min(alike, key=lambda pairs: truth.generated(bracket, pairs))
    assert same(ranked(truth, said.candidate), first)
    assert said.chosen == same(first, real.pairs)
    if not said.chosen:
        check_excluded(truth, said, real, first)
    return Counter({"first legal": 1})


def check_steps(truth: Truth, told: BracketStory, real: Done, first: Pairs) -> None:
    """Every alteration between the natural and the chosen candidate, and no other."""
    bracket = real.bracket
    partner = {i: j for pair in real.pairs for i, j in (pair, pair[::-1])}
    chosen = [i for i in bracket.moved if i in partner]
    kinds = []
    if chosen != [i for i, _ in sorted(first) if i in bracket.moved]:
        kinds.append("mdp-set")
    if [partner[i] for i in chosen] != list(bracket.residents[: len(chosen)]):
        kinds.append("mdp-opponents")
    rest = [i for i in bracket.residents if partner.get(i, -1) not in bracket.moved]
    uppers = [i for i in rest if i in partner and partner[i] > i]
    if uppers != rest[: len(uppers)]:
        kinds.append("exchange")
    lowers = [i for i in rest if i not in uppers]
    if [partner[i] for i in uppers] != lowers[: len(uppers)]:
        kinds.append("transposition")
    assert [step.kind for step in told.tried.steps] == kinds


# --- why not


def check_why_not(truth: Truth, a: int, b: int) -> Counter[str]:
    """Two players who do not meet: the rule that forbids it, or what would get worse and by how much."""
    found = why_not(truth.snapshot, a, b)
    i, j = sorted((truth.rank[a], truth.rank[b]))
    assert found.scores == (truth.seats[truth.rank[a]].score, truth.seats[truth.rank[b]].score)
    if not truth.legal[i][j]:
        assert found.outcome == "forbidden"
        [bar] = found.bars
        check_bar(truth, bar.a, bar.b, bar.rule, bar.round)
        return Counter({"forbidden": 1})
    without = truth.everyone - {i, j}
    if not truth.completes(truth.everyone, pair=(i, j)) and not may_have_bye(truth, without):
        assert found.outcome == "incomplete"
        check_cause(truth, found.cause, truth.everyone, (i, j))
        return Counter({"why-not": 1, "cause": 1})
    if truth.new and truth.odd:
        lowest = truth.lowest_bye(lambda rest: {i, j} <= rest and truth.all_paired(rest - {i, j}))
        if lowest != truth.bye_score:
            assert (found.outcome, found.criterion) == ("worse", "C5")
            assert (found.real_value, found.other_value) == (truth.bye_score, lowest)
            return Counter({"why-not": 1})

    def stands(done: Done) -> bool:
        used = {k for pair in done.pairs for k in pair}
        return not used & {i, j} and truth.completes(
            frozenset(done.floaters) | done.bracket.rest, pair=(i, j)
        )

    index = next(k for k, done in enumerate(truth.brackets) if (i, j) in done.pairs or not stands(done))
    done = truth.brackets[index]
    if (i, j) in done.pairs:
        assert found.outcome == "real"
        return Counter({"why-not": 1})

    def fits(pairs: Pairs) -> bool:
        rest = frozenset(truth.floaters(done.bracket, pairs)) | done.bracket.rest
        if (i, j) in pairs:
            return truth.completes(rest)
        return not {i, j} & {k for pair in pairs for k in pair} and truth.completes(rest, pair=(i, j))

    seen = check_contrast(truth, found, index, fits)
    if found.cause is not None and seen:
        check_cause(truth, found.cause, frozenset(done.floaters) | done.bracket.rest, (i, j))
        seen["cause"] += 1
    return Counter({"why-not": 1}) + seen if seen else seen


def may_have_bye(truth: Truth, players: frozenset[int]) -> bool:
    """Whether somebody of any score may have the bye and the others can be paired (2026, odd)."""
    return (
        truth.new
        and truth.odd
        and any(truth.seats[k].bye and truth.all_paired(players - {k}) for k in players)
    )


def check_why_no_bye(truth: Truth, a: int) -> Counter[str]:
    """A player who does not have the bye."""
    found = why_not(truth.snapshot, a, BYE)
    i = truth.rank[a]
    if not truth.odd:
        assert (found.outcome, found.criterion) == ("forbidden", "even")
        return Counter()
    if not truth.seats[i].bye:
        assert found.outcome == "forbidden"
        [bar] = found.bars
        assert bar.rule in ("C2", "C.2")
        return Counter({"bye": 1})
    if not truth.all_paired(truth.everyone - {i}):
        assert found.outcome == "incomplete"
        return Counter({"bye": 1})
    if truth.new and truth.seats[i].score != truth.bye_score:
        assert (found.outcome, found.criterion) == ("worse", "C5")
        assert (found.real_value, found.other_value) == (truth.bye_score, truth.seats[i].score)
        return Counter({"bye": 1})

    def stands(done: Done) -> bool:
        rest = frozenset(done.floaters) | done.bracket.rest
        return i in rest and truth.completes(rest, bye=i)

    index = next((k for k, done in enumerate(truth.brackets) if not stands(done)), -1)
    if index < 0:
        assert found.outcome == "real"
        return Counter({"bye": 1})
    done = truth.brackets[index]

    def fits(pairs: Pairs) -> bool:
        rest = frozenset(truth.floaters(done.bracket, pairs)) | done.bracket.rest
        return i in rest and truth.completes(rest, bye=i)

    seen = check_contrast(truth, found, index, fits)
    return Counter({"bye": 1}) + seen if seen else seen


def check_contrast(truth: Truth, found: Contrast, index: int, fits: Fits) -> Counter[str]:
    """The best candidate that fits, in the first bracket that differs; nothing where that is too large."""
    done = truth.brackets[index]
    bracket = done.bracket
    if len(bracket.members) > LARGEST or bracket.kind:
        return Counter()
    best = truth.best(bracket, fits)
    assert best is not None
    assert found.untried == 0
    assert found.bracket == index
    assert found.other is not None
    assert same(best, ranked(truth, found.other)), "another candidate is better"
    real, other = truth.values(bracket, done.pairs), truth.values(bracket, best)
    criterion = first_difference(real, other)
    assert found.criterion == criterion
    assert found.outcome == ("worse" if criterion else "later")
    if criterion:
        assert (found.real_value, found.other_value) == (real[criterion], other[criterion])
        assert real[criterion] < other[criterion]  # type: ignore[operator]
    else:
        parts = zip(truth.generated(bracket, done.pairs), truth.generated(bracket, best), strict=True)
        steps = ("mdp-set", "mdp-opponents", "exchange", "transposition")
        differs = next(step for step, (one, two) in zip(steps, parts, strict=True) if one != two)
        assert found.step == differs
    return Counter({"contrast": 1})


def check_bar(truth: Truth, a: int, b: int, rule: str, round: int) -> None:
    """An absolute rule between two players."""
    one, other = truth.seats[truth.rank[a]], truth.seats[truth.rank[b]]
    name = rule.replace(".", "")
    if name == "C1":
        player = next(p for p in truth.snapshot.players if p.id == a)
        assert player.opponents[round - 1] == b
        assert player.letters[round - 1] in "1=0WDL?"
    elif name == "C3":
        assert one.strength == other.strength == 3
        assert one.due == other.due
        assert not one.top
        assert not other.top
    else:
        assert rule == "prohibited"
        assert frozenset((a, b)) in truth.banned


# --- far causes


def check_cause(
    truth: Truth, cause: Cause | None, players: frozenset[int], pair: tuple[int, int] | None = None
) -> None:
    """Each pair of the chain is the only one left for its player, and in the end somebody has nobody."""
    assert cause is not None
    left = set(players) - set(pair or ())
    bye_left = len(left) % 2 == 1
    byes = {k for k in left if truth.seats[k].bye} if not truth.new or truth.bye_score is None else None

    def options(k: int) -> set[int]:
        return {m for m in left if m != k and truth.legal[k][m]}

    def may_take_bye(k: int) -> bool:
        return k in (byes if byes is not None else truth.byes) or (pair is not None and truth.seats[k].bye)

    for one, other in cause.chain:
        if not one or not other:  # the bye
            holder = truth.rank[one or other]
            assert may_take_bye(holder)
            left.discard(holder)
            bye_left = False
            continue
        a, b = truth.rank[one], truth.rank[other]
        assert options(a) == {b}, "not the only opponent left"
        left -= {a, b}
    if cause.no_bye:
        assert bye_left
        assert not any(k in truth.byes for k in left)
    elif cause.nobody:
        assert not options(truth.rank[cause.nobody])
    else:
        group = {truth.rank[id] for id in cause.group if id}
        helpers = {truth.rank[id] for id in cause.helpers if id}
        assert all(options(k) <= group | helpers for k in group)
        assert not truth.completes(frozenset(left))


# --- who went down


def check_floats(truth: Truth, story: Story) -> Counter[str]:
    """Why each downfloater left the bracket."""
    seen: Counter[str] = Counter()
    for index, (told, real) in enumerate(zip(story.brackets, truth.brackets, strict=True)):
        assert [truth.rank[one.player] for one in told.floats] == list(real.floaters)
        for one in told.floats:
            seen += check_float(truth, one, index, real)
    return seen


def check_float(truth: Truth, one: Floated, index: int, real: Done) -> Counter[str]:
    i, bracket = truth.rank[one.player], real.bracket
    could = bracket.residents if i in bracket.moved else bracket.members
    others = [k for k in could if k != i]
    last = index == len(truth.brackets) - 1
    assert one.bye == last
    if not others:
        assert one.alone
        return Counter({"floats": 1})
    if not any(truth.legal[i][k] for k in others):
        assert {truth.rank[b.a + b.b - one.player] for b in one.bars} == set(others)
        return Counter({"floats": 1})
    if len(bracket.members) > LARGEST or bracket.kind == "CLB":
        return Counter()
    found = one.contrast
    assert found is not None
    complete = truth.new or last or bracket.kind == "PPB"

    def fits(pairs: Pairs) -> bool:
        paired = any(i in pair for pair in pairs)
        return paired and (not complete or truth.leaves_a_round(bracket, pairs))

    best = truth.best(bracket, fits)
    if best is None:
        assert found.outcome == "incomplete" or found.criterion == "C5"
        return Counter({"floats": 1})
    assert found.other is not None
    assert same(best, ranked(truth, found.other)), "another candidate keeps the player in better"
    other = truth.values(bracket, best)
    criterion = first_difference(truth.values(bracket, real.pairs), other)
    assert found.criterion == criterion
    if criterion:
        mine = truth.values(bracket, real.pairs)[criterion]
        assert (found.real_value, found.other_value) == (mine, other[criterion])
    return Counter({"floats": 1})


# --- colours


def check_colours(truth: Truth, story: Story, only: int = 0) -> Counter[str]:
    """White, rule, preferences and histories of every board; what is said of the one asked about."""
    seen: Counter[str] = Counter()
    for board in story.boards:
        i, j = sorted((truth.rank[board.white], truth.rank[board.black]))
        white, _, rule = truth.white(truth.seats[i], truth.seats[j])
        assert white.id == board.white
        assert board.rule == (f"5.2.{rule}" if truth.new else f"E.{rule}")
        seen["colours"] += 1
    for seat in story.players:
        check_preference(truth, seat.preference)
        mine = truth.seats[truth.rank[seat.id]]
        assert seat.floats == (mine.last or "-", mine.before or "-")
        assert seat.topscorer == mine.top
        seen["preferences"] += 1
    if only:
        said = why(truth.snapshot, only).colours
        if said is not None:
            check_said(truth, said)
    return seen


def check_topscorers(truth: Truth, story: Story) -> Counter[str]:
    """[1.8, A.7] Who is a topscorer, and which pairs [C3, C.3] allows for that alone."""
    if story.last_round is None:
        assert not any(seat.top for seat in truth.seats)
        assert not any(bracket.clashes for bracket in story.brackets)
        return Counter()
    assert truth.snapshot.round == truth.snapshot.rounds
    assert story.last_round.topscorers == tuple(seat.id for seat in truth.seats if seat.top)
    real = {
        frozenset((board.white, board.black))
        for board in story.boards
        for one, other in [(truth.seats[truth.rank[board.white]], truth.seats[truth.rank[board.black]])]
        if one.strength == 3 == other.strength and one.due == other.due
    }
    told = [clash for bracket in story.brackets for clash in bracket.clashes]
    assert {frozenset((clash.a, clash.b)) for clash in told} == real
    for bracket in story.brackets:
        for clash in bracket.clashes:
            assert clash.counted
            assert all(bracket.candidate.values[name] for name in clash.counted)
            assert any(truth.seats[truth.rank[id]].top for id in (clash.a, clash.b))
    return Counter({"topscorers": len(story.last_round.topscorers), "clashes": len(told)})


def check_preference(truth: Truth, said: Preference) -> None:
    mine = truth.seats[truth.rank[said.player]]
    assert (said.colour, said.difference) == (mine.due, mine.difference)
    assert said.strength == STRENGTHS[mine.strength]
    assert said.history.strip("-") == mine.colours
    if said.reason == "row":
        assert mine.colours[-2:] in ("ww", "bb")
    assert {"row": 3, "wide": 3, "one": 2, "last": 1, "": 0}[said.reason] == mine.strength


def check_said(truth: Truth, said: Colours) -> None:
    one, other = truth.seats[truth.rank[said.white.player]], truth.seats[truth.rank[said.black.player]]
    assert said.higher == min((one, other), key=lambda seat: seat.rank).id
    if said.differed:
        assert one.colours[-said.differed] != other.colours[-said.differed]
        since = -said.differed + 1
        assert since == 0 or one.colours[since:] == other.colours[since:]
    if said.number:
        assert said.number == truth.numbers[said.higher]
        first = said.initial if said.number % 2 else {"w": "b", "b": "w"}[said.initial]
        assert first == ("w" if said.higher == one.id else "b")
