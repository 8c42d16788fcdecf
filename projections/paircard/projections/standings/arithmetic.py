"""Why a value is what it is: the arithmetic of one player's tie-break as data, and as text.

The steps come from the functions that make the values, so they cannot tell another story.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.values.results import BYE_NAMES
from paircard.domain.values.text import columns_of
from paircard.projections.standings import measures as of
from paircard.projections.standings.codes import Step, TieBreak, Told, shown
from paircard.projections.standings.ledger import DUMMY, REQUESTED_BYES, VUR, Ledger, Term, cut_rounds

UNPLAYED = {
    "+": "forfeit win",
    "-": "forfeit loss",
    "U": "pairing-allocated bye",
    **BYE_NAMES,
}


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A value and how it came about."""

    code: str
    title: str
    article: str
    value: str
    steps: tuple[Step, ...] = ()
    conclusion: str = ""
    """What is done with the steps."""


def explain(
    ledger: Ledger, each: TieBreak, who: int, value: int | None, tied: Sequence[int] = ()
) -> Explanation:
    """The arithmetic of one value; ``tied`` are the players that were level when it was applied."""
    steps, conclusion = each.rule.steps(ledger, each, who, tied)
    return Explanation(
        code=each.code,
        title=each.title,
        article=f"C.07:{each.rule.article}" if each.rule.article else "",
        value=each.shown(value),
        steps=tuple(steps),
        conclusion=conclusion,
    )


def name_of(ledger: Ledger, at: int) -> str:
    """A player as the standings name them."""
    row = ledger.table.rows[at]
    return row.name or f"number {row.number}"


def game_step(
    ledger: Ledger, round: int, opponent: int, amount: str, *, counted: bool = True, note: str = ""
) -> Step:
    """A step that belongs to an opponent."""
    row = ledger.table.rows[opponent]
    return Step(
        round=round,
        opponent=row.id,
        label=name_of(ledger, opponent),
        amount=amount,
        counted=counted,
        note=note,
    )


def per_round(ledger: Ledger, who: int, amounts: Sequence[int], places: int) -> list[Step]:
    """One step for each round of the player's own record."""
    steps = []
    for at, amount in enumerate(amounts):
        letter, opponent = ledger.letters[who][at], ledger.opponents[who][at]
        note = UNPLAYED.get(letter, "")
        if opponent == DUMMY:
            steps.append(Step(round=at + 1, label=note, amount=shown(amount, places)))
        else:
            steps.append(game_step(ledger, at + 1, opponent, shown(amount, places), note=note))
    return steps


def points(ledger: Ledger, _: TieBreak, who: int, tied: Sequence[int]) -> Told:
    """What every round brought."""
    return per_round(ledger, who, ledger.points[who], 1), "sum"


def progressive_score(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The score after every round, the first ones cut."""
    steps = per_round(ledger, who, of.running_scores(ledger, who), 1)
    cut = [msgspec.structs.replace(step, counted=step.round > each.cut) for step in steps]
    return cut, "sum of the scores after each round" + (f" but the first {each.cut}" if each.cut else "")


def koya(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The games against those who have half of the maximum."""
    bar = shown(5 * of.koya_limit(ledger, each.limit), 2)
    games = of.koya_games(ledger, who, each.limit)
    steps = [game_step(ledger, round, opponent, shown(points, 1)) for round, opponent, points in games]
    return steps, f"sum of the points against opponents with at least {bar}"


def buchholz(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """Every opponent's score."""
    return opponents_scores(ledger, each, who)


def fore_buchholz(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """Every opponent's score, the last round's games drawn."""
    steps, conclusion = opponents_scores(ledger.fore, each, who)
    if ledger.fore is ledger:
        return steps, conclusion
    return steps, f"{conclusion}, the paired games of the final round taken as draws (8.3)"


def sonneborn_berger(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """Every opponent's score times the points scored."""
    return opponents_scores(ledger, each, who, products=True)


def opponents_scores(ledger: Ledger, each: TieBreak, who: int, *, products: bool = False) -> Told:
    """Buchholz and Sonneborn-Berger: every opponent's score, dummies explained, cuts marked."""
    terms = ledger.terms(each.forfeits)[who]
    gone = cut_rounds(terms, each.cut, each.high, products=products)
    steps = []
    for term in terms:
        score = shown(term.score, 1)
        amount = (
            f"{score} × {shown(term.points, 1)} = {shown(term.score * term.points, 2)}" if products else score
        )
        notes = (
            [why_dummy(ledger, who, term)]
            if term.opponent == DUMMY
            else [why_adjusted(ledger, term.opponent)]
        )
        if term.round in gone:
            notes.append(why_cut(each, term, gone))
        note = "; ".join(note for note in notes if note)
        if term.opponent == DUMMY:
            step = Step(
                round=term.round, label="dummy", amount=amount, counted=term.round not in gone, note=note
            )
        else:
            step = game_step(
                ledger, term.round, term.opponent, amount, counted=term.round not in gone, note=note
            )
        steps.append(step)
    return steps, "sum of the scores" + (" times the points scored" if products else "")


def why_dummy(ledger: Ledger, who: int, term: Term) -> str:
    """How the dummy of a round without a game came to its score (C.07:16.4)."""
    letter, opponent = ledger.letters[who][term.round - 1], ledger.opponents[who][term.round - 1]
    mine = f"{UNPLAYED[letter]}: own score {shown(ledger.scores[who], 1)}"
    if opponent != DUMMY:
        return (
            f"{mine}, at most {shown(ledger.adjusted[opponent], 1)} of {name_of(ledger, opponent)} (16.4.1)"
        )
    cap = shown(ledger.scoring.draw * ledger.round, 1)
    return f"{mine}, at most {cap} for {ledger.round} draws (16.4.2)"


def why_adjusted(ledger: Ledger, opponent: int) -> str:
    """Which byes of the opponent count as draws, if any (C.07:16.3.2)."""
    if ledger.adjusted[opponent] == ledger.scores[opponent]:
        return ""
    byes = []
    for at in range(ledger.round - 1, -1, -1):
        letter = ledger.letters[opponent][at]
        if letter not in VUR:
            break
        if letter in REQUESTED_BYES:
            byes.append(at + 1)
    rounds = ", ".join(str(round) for round in sorted(byes))
    return f"score {shown(ledger.scores[opponent], 1)}, byes of round {rounds} as draws (16.3.2)"


def why_cut(each: TieBreak, term: Term, gone: Sequence[int]) -> str:
    """Why this round and no other is left out."""
    if gone.index(term.round) >= each.cut:
        return "cut as the highest"
    return "cut as a voluntary unplayed round (16.5)" if term.vur else "cut as the lowest (14.1)"


def mean(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The Buchholz of every opponent met over the board."""
    theirs = of.fore_buchholz(ledger, each) if each.fore else of.buchholz(ledger, each)
    games = ledger.games(who)
    steps = [game_step(ledger, round, opponent, shown(theirs[opponent], 1)) for round, opponent, _ in games]
    return steps, f"mean of their {'Fore ' if each.fore else ''}Buchholz, to hundredths"


def direct_encounter(ledger: Ledger, each: TieBreak, who: int, tied: Sequence[int]) -> Told:
    """What everyone of the tied group scored inside it, and what came of it (C.07:6)."""
    if len(tied) < 2:
        return [], "nobody was tied with this player"
    steps = []
    for one in sorted(of.meetings(ledger, tied, forfeits=each.forfeits), key=lambda one: -one.score):
        tenths = one.score
        amount = shown(int(tenths), 1) if tenths.denominator == 1 else f"{float(tenths) / 10:.3f}"
        missing = f", {one.missing} not met" if one.missing else ""
        mine = " (this player)" if one.who == who else ""
        steps.append(
            Step(
                opponent=ledger.table.rows[one.who].id,
                label=name_of(ledger, one.who) + mine,
                amount=amount,
                note=f"{one.met} of {len(tied) - 1} met{missing}",
            )
        )
    parts = of.split(ledger, tied, forfeits=each.forfeits)
    if len(parts) == 1:
        return steps, f"{len(tied)} players tied: their games decide nothing"
    order = " > ".join(" = ".join(name_of(ledger, one) for one in part) for part in parts)
    return steps, f"place among the {len(tied)} tied: {order}"


DROPPED: Final = "dropped: there are unrated players and no rule for them was announced (10), such as /U1400"


def performances(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The performances of the opponents, behind APRO and APPO."""
    if not of.usable(ledger, each.unrated):
        return [], DROPPED
    one, kind = (of.performance, "TPR") if each.name == "APRO" else (of.perfect_performance, "PTP")
    steps = [
        game_step(ledger, round, opponent, shown(one(ledger, each, opponent), 0))
        for round, opponent, _ in ledger.games(who)
    ]
    return steps, f"mean of their {kind}, a half upwards"


def ratings(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
    """The ratings of the opponents, behind ARO, TPR and PTP."""
    if not of.usable(ledger, each.unrated):
        return [], DROPPED
    games = of.rated_games(ledger, who, each.unrated)
    kept = set(of.kept_ratings(games, each.cut, each.high))
    steps = []
    for game in games:
        counted = game in kept
        given = "" if ledger.table.rows[game.opponent].rating else "unrated"
        note = "; ".join(one for one in (given, "" if counted else "cut") if one)
        steps.append(
            game_step(ledger, game.round, game.opponent, str(game.rating), counted=counted, note=note)
        )
    if not games or each.name == "ARO":
        return steps, "mean, a half upwards"
    total = sum(game.score for game in games)
    scored = f"{shown(total, 1)} of {len(games)}"
    if each.name == "PTP":
        if not total:
            return steps, f"{scored}: 800 below the lowest"
        return steps, f"the lowest rating expected to score {scored} against these"
    percent = of.percentage(games)
    mean = of.average([game.rating for game in games])
    return steps, f"{scored} is {percent} %: {mean} {of.score_difference(percent):+d}"


def text(explanation: Explanation) -> str:
    """The explanation as lines for people."""
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
