"""Why a value is what it is: the arithmetic of one player's tie-break as data, and as text.

The steps come from the functions that make the values, so they cannot tell another story.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.values.text import columns_of
from paircard.projections.standings import measures as of
from paircard.projections.standings.codes import Step, TieBreak, Told, shown
from paircard.projections.standings.ledger import (
    DUMMY,
    GAMES,
    OPEN,
    Ledger,
    Term,
    cut_rounds,
)


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A value and how it came about; texts are English, messages are for every language."""

    code: str
    title: str
    article: str
    value: str
    steps: tuple[Step, ...] = ()
    conclusion: str = ""
    """What is done with the steps."""
    heading: Message
    """The title as a message."""
    done: Message
    """The conclusion as a message."""


def explain(
    ledger: Ledger, each: TieBreak, who: int, value: int | None, tied: Sequence[int] = ()
) -> Explanation:
    """The arithmetic of one value; ``tied`` are the players that were level when it was applied."""
    steps, done = each.rule.steps(ledger, each, who, tied)
    return Explanation(
        code=each.code,
        title=each.title,
        article=f"C.07:{each.rule.article}" if each.rule.article else "",
        value=each.shown(value),
        steps=tuple(steps),
        conclusion=Speaker().say(done),
        heading=each.said,
        done=done,
    )


def name_of(ledger: Ledger, at: int) -> str:
    """A player as the standings name them."""
    row = ledger.table.rows[at]
    return row.name or Speaker().say(say("standings.step.number", number=row.number))


def step(
    ledger: Ledger, round: int, opponent: int, amount: str, *notes: Message, counted: bool = True
) -> Step:
    """The step of a round, against an opponent or a dummy."""
    dummy = opponent == DUMMY
    return Step(
        round=round,
        opponent=0 if dummy else ledger.table.rows[opponent].id,
        label=Speaker().say(say("standings.step.dummy")) if dummy else name_of(ledger, opponent),
        amount=amount,
        counted=counted,
        note="; ".join(map(Speaker().say, notes)),
        notes=notes,
    )


def per_round(ledger: Ledger, who: int, amounts: Sequence[int], places: int) -> list[Step]:
    """One step for each round of the player's own record."""
    steps = []
    for at, amount in enumerate(amounts):
        letter, opponent = ledger.letters[who][at], ledger.opponents[who][at]
        if ledger.left_out(who, at) != DUMMY:
            steps.append(not_counted(ledger, who, at))
            continue
        unplayed = [] if letter in GAMES else [unplayed_round(ledger, letter)]
        if ledger.predetermined and letter in OPEN:
            unplayed = [say("standings.step.open")]
        if opponent == DUMMY:
            label = "".join(map(Speaker().say, unplayed))
            steps.append(Step(round=at + 1, label=label, amount=shown(amount, places)))
        else:
            steps.append(step(ledger, at + 1, opponent, shown(amount, places), *unplayed))
    return steps


def unplayed_round(ledger: Ledger, letter: str) -> Message:
    """What a round without a game was; a table has free days and no byes."""
    if ledger.predetermined and letter == "Z":
        return say("standings.step.free")
    return say("standings.step.unplayed", letter=letter)


def not_counted(ledger: Ledger, who: int, at: int) -> Step:
    """A game that counts for nobody, since one of the two left before half of the games (C.05:6.6)."""
    why = say("standings.step.left-early")
    return step(ledger, at + 1, ledger.left_out(who, at), "0", why, counted=False)


def points(ledger: Ledger, _: TieBreak, who: int, tied: Sequence[int]) -> Told:
    """What every round brought."""
    return per_round(ledger, who, ledger.points[who], 1), say("standings.told.sum")


def koya(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The games against those who have half of the maximum."""
    bar = shown(5 * of.koya_limit(ledger, each.limit), 2)
    games = of.koya_games(ledger, who, each.limit)
    steps = [step(ledger, round, opponent, shown(points, 1)) for round, opponent, points in games]
    return steps, say("standings.told.koya", value=bar)


def buchholz(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """Every opponent's score."""
    return opponents_scores(ledger, each, who), say("standings.told.scores")


def fore_buchholz(ledger: Ledger, each: TieBreak, who: int, tied: Sequence[int]) -> Told:
    """Every opponent's score, the last round's games drawn."""
    steps, done = buchholz(ledger.fore, each, who, tied)
    return steps, done if ledger.fore is ledger else say("standings.told.fore", what=done)


def sonneborn_berger(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """Every opponent's score times the points scored."""
    return opponents_scores(ledger, each, who, products=True), say("standings.told.products")


def opponents_scores(ledger: Ledger, each: TieBreak, who: int, *, products: bool = False) -> list[Step]:
    """Buchholz and Sonneborn-Berger: every opponent's score, dummies explained, cuts marked."""
    terms = ledger.terms(each.forfeits)[who]
    gone = cut_rounds(terms, each.cut, each.high, products=products)
    steps = []
    for term in terms:
        amount = shown(term.score, 1)
        if products:
            amount = f"{amount} × {shown(term.points, 1)} = {shown(term.score * term.points, 2)}"
        notes = (
            why_dummy(ledger, who, term) if term.opponent == DUMMY else why_adjusted(ledger, term.opponent)
        )
        if term.round in gone:
            notes = (*notes, why_cut(each, term, gone))
        steps.append(step(ledger, term.round, term.opponent, amount, *notes, counted=term.round not in gone))
    left_out = (at for at in range(ledger.round) if ledger.left_out(who, at) != DUMMY)
    return sorted([*steps, *(not_counted(ledger, who, at) for at in left_out)], key=lambda step: step.round)


def why_dummy(ledger: Ledger, who: int, term: Term) -> tuple[Message, ...]:
    """How the dummy of a round without a game came to its score (C.07:16.4)."""
    letter, opponent = ledger.letters[who][term.round - 1], ledger.opponents[who][term.round - 1]
    why, mine = say("standings.step.unplayed", letter=letter), shown(ledger.scores[who], 1)
    if opponent != DUMMY:
        cap, name = shown(ledger.adjusted[opponent], 1), name_of(ledger, opponent)
        return (say("standings.step.dummy-of-forfeit", what=why, value=mine, code=cap, name=name),)
    cap = shown(ledger.scoring.draw * ledger.round, 1)
    return (say("standings.step.dummy-of-bye", what=why, value=mine, code=cap, count=ledger.round),)


def why_adjusted(ledger: Ledger, opponent: int) -> tuple[Message, ...]:
    """Which byes of the opponent count as draws, if any (C.07:16.3.2)."""
    if ledger.adjusted[opponent] == ledger.scores[opponent]:
        return ()
    byes = [at + 1 for at in ledger.byes_as_draws(opponent)]
    score = shown(ledger.scores[opponent], 1)
    return (say("standings.step.byes-as-draws", value=score, numbers=byes),)


def why_cut(each: TieBreak, term: Term, gone: Sequence[int]) -> Message:
    """Why this round and no other is left out."""
    if gone.index(term.round) >= each.cut:
        return say("standings.step.cut-highest")
    return say("standings.step.cut-voluntary" if term.vur else "standings.step.cut-lowest")


def mean(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The Buchholz of every opponent met over the board."""
    theirs = of.fore_buchholz(ledger, each) if each.fore else of.buchholz(ledger, each)
    games = ledger.games(who)
    steps = [step(ledger, round, opponent, shown(theirs[opponent], 1)) for round, opponent, _ in games]
    return steps, say("standings.told.mean-fore-buchholz" if each.fore else "standings.told.mean-buchholz")


def direct_encounter(ledger: Ledger, each: TieBreak, who: int, tied: Sequence[int]) -> Told:
    """What everyone of the tied group scored inside it, and what came of it (C.07:6)."""
    if len(tied) < 2:
        return [], say("standings.told.nobody-tied")
    steps = []
    for one in sorted(of.meetings(ledger, tied, forfeits=each.forfeits), key=lambda one: -one.score):
        tenths = one.score
        amount = shown(int(tenths), 1) if tenths.denominator == 1 else f"{float(tenths) / 10:.3f}"
        code = "standings.step.met-some" if one.missing else "standings.step.met"
        note = step(
            ledger, 0, one.who, amount, say(code, count=one.met, most=len(tied) - 1, number=one.missing)
        )
        if one.who == who:
            mine = say("standings.step.this-player", name=note.label)
            note = msgspec.structs.replace(note, label=Speaker().say(mine))
        steps.append(note)
    parts = of.split(ledger, tied, forfeits=each.forfeits)
    if ledger.predetermined and of.games_to_come(ledger, tied):
        return steps, say("standings.told.games-to-come", count=len(tied))
    if len(parts) == 1:
        return steps, say("standings.told.nothing-decided", count=len(tied))
    order = " > ".join(" = ".join(name_of(ledger, one) for one in part) for part in parts)
    return steps, say("standings.told.place-among", count=len(tied), value=order)


DROPPED: Final = say("standings.told.no-rule-for-unrated")


def performances(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The performances of the opponents, behind APRO and APPO."""
    if not of.usable(ledger, each.unrated):
        return [], DROPPED
    one, kind = (of.performance, "TPR") if each.name == "APRO" else (of.perfect_performance, "PTP")
    steps = [
        step(ledger, round, opponent, shown(one(ledger, each, opponent), 0))
        for round, opponent, _ in ledger.games(who)
    ]
    return steps, say("standings.told.mean-performance", code=kind)


def ratings(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The ratings of the opponents, behind ARO, TPR and PTP."""
    if not of.usable(ledger, each.unrated):
        return [], DROPPED
    games = of.rated_games(ledger, who, each.unrated)
    kept = set(of.kept_ratings(games, each.cut, each.high))
    steps = []
    for game in games:
        notes = [] if ledger.table.rows[game.opponent].rating else [say("standings.step.unrated")]
        notes += [] if game in kept else [say("standings.step.cut")]
        steps.append(step(ledger, game.round, game.opponent, str(game.rating), *notes, counted=game in kept))
    if not games or each.name == "ARO":
        return steps, say("standings.told.mean-rating")
    total = sum(game.score for game in games)
    scored = shown(total, 1)
    if each.name == "PTP":
        code = "standings.told.expected" if total else "standings.told.below-lowest"
        return steps, say(code, value=scored, count=len(games))
    percent = of.percentage(total, len(games))
    mean = of.average([game.rating for game in games]) or 0
    more = f"{of.score_difference(percent):+d}"
    done = say(
        "standings.told.percent", value=scored, count=len(games), number=percent, rating=mean, code=more
    )
    return steps, done


def text(explanation: Explanation) -> str:
    head = f"{explanation.code} = {explanation.value}   {explanation.title}"
    if explanation.article:
        head += f" ({explanation.article})"
    width = max((columns_of(step.label) for step in explanation.steps), default=0)
    figures = max((len(step.amount) for step in explanation.steps), default=0)
    lines = [head]
    for step in explanation.steps:
        amount = step.amount if step.counted else f"({step.amount})"
        round = f"round {step.round:>2}  " if step.round else ""
        label = step.label + " " * (width - columns_of(step.label))
        body = f"  {round}{label}  {amount:>{figures + 2}}"
        lines.append(f"{body}  {step.note}".rstrip())
    if explanation.conclusion:
        lines.append(f"  {explanation.conclusion}")
    return "\n".join(lines)
