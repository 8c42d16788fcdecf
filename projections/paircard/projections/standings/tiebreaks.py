"""Every tie-break of an individual event, one row each: how its value is told, and the grammar of the list.

The arithmetic of one player's value is data, and text; its steps come from the functions that make the
values, so they cannot tell another story.

A list is codes parted by commas, ``BH/C1,BH,SB,DE,WIN`` (TRF26 202, 212, MTB26). A code is a name and
modifiers, each after a stroke (C.07:14); upper and lower case are the same. C.07 has no default list: the
announced one is always asked for (C.07:2.1, 4.1.1).
"""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.values.text import columns_of
from paircard.projections.round.crosstable import Row
from paircard.projections.standings import measures as of
from paircard.projections.standings.codes import (
    OUTSIDE_DECIMALS,
    SKIP_UNRATED,
    BadTieBreak,
    Rule,
    Step,
    TieBreak,
    Told,
    Values,
    shown,
)
from paircard.projections.standings.ledger import DUMMY, GAMES, OPEN, Ledger, Term, cut_rounds

# --- why a value is what it is


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
    return name_in(ledger.table.rows[at])


def name_in(row: Row) -> str:
    """A player by name; of a report without names by number."""
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
        unplayed = [] if letter in GAMES else [say("standings.step.unplayed", letter=letter)]
        if ledger.predetermined and letter in OPEN:
            unplayed = [say("standings.step.open")]
        elif ledger.predetermined and letter == "Z":  # a table has free days and no byes
            unplayed = [say("standings.step.free")]
        if opponent == DUMMY:
            label = "".join(map(Speaker().say, unplayed))
            steps.append(Step(round=at + 1, label=label, amount=shown(amount, places)))
        else:
            steps.append(step(ledger, at + 1, opponent, shown(amount, places), *unplayed))
    return steps


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


def fore_buchholz(ledger: Ledger, each: TieBreak, who: int, tied: Sequence[int]) -> Told:
    """Every opponent's score, the last round's games drawn."""
    steps, done = opponents_scores(ledger.fore, each, who, tied)
    return steps, done if ledger.fore is ledger else say("standings.told.fore", what=done)


def opponents_scores(
    ledger: Ledger, each: TieBreak, who: int, _: Sequence[int], *, products: bool = False
) -> Told:
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
    steps += [not_counted(ledger, who, at) for at in left_out]
    done = say("standings.told.products" if products else "standings.told.scores")
    return sorted(steps, key=lambda step: step.round), done


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


def mean_buchholz(ledger: Ledger, each: TieBreak, who: int, _: Sequence[int]) -> Told:
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
            note = replace(note, label=Speaker().say(mine))
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


# --- the table


def no_value(ledger: Ledger, each: TieBreak) -> Values:
    """Direct encounter depends on the tie, values from outside are brought: neither is of the ledger."""
    raise BadTieBreak("standings.no-value", code=each.code)


def own(
    name: str, article: str, rounds: Callable[[Ledger, int], list[int]], places: int = 0, modifiers: str = ""
) -> Rule:
    """A tie-break that is a sum over the player's own rounds, the first ones cut."""

    def values(ledger: Ledger, each: TieBreak) -> Values:
        return [sum(rounds(ledger, who)[each.cut :]) for who in ledger.everyone]

    def steps(ledger: Ledger, each: TieBreak, who: int, tied: Sequence[int]) -> Told:
        made = per_round(ledger, who, rounds(ledger, who), places)
        if not modifiers:
            return made, say("standings.told.sum")
        cut = [replace(step, counted=step.round > each.cut) for step in made]
        return cut, say("standings.told.sum-after-rounds", count=each.cut)

    return Rule(name, "B", article, modifiers, places, values, steps)


def rated(name: str, article: str, modifiers: str, of_one: of.OfOne) -> Rule:
    """A tie-break of the ratings of the opponents."""
    return Rule(name, "D", article, modifiers, 0, of.by_rating(of_one), ratings)


def mean(name: str, article: str, of_one: of.OfOne) -> Rule:
    """A tie-break of the performances of the opponents."""
    return Rule(name, "D", article, "U", 0, of.mean_of(of_one), performances)


def as_it_is(conclusion: Message) -> Callable[[Ledger, Any, int, Sequence[int]], Told]:
    """A value without arithmetic."""
    return lambda *_: (list[Step](), conclusion)


RULES: Final[dict[str, Rule]] = {
    rule.name: rule
    for rule in (
        Rule("PTS", "points", "4.1", "", 1, of.points, points),
        Rule("DE", "A", "6", "P", 0, no_value, direct_encounter),
        own("WIN", "7.1", of.wins),
        own("WON", "7.2", of.games_won),
        own("BPG", "7.3", of.black_games),
        own("BWG", "7.4", of.black_wins),
        own("PS", "7.5", of.running_scores, 1, "C"),
        own("REP", "7.6", of.rounds_elected),
        own("STD", "7.7", of.standard_points, 1),
        Rule("TPN", "B", "7.8", "R", 0, of.number, as_it_is(say("standings.told.pairing-number")), True),
        Rule("BH", "C", "8.1", "CMP", 1, of.buchholz, opponents_scores),
        Rule("FB", "C", "8.3", "CMP", 1, of.fore_buchholz, fore_buchholz),
        Rule("AOB", "C", "8.2", "F", 2, of.mean_buchholz, mean_buchholz),
        Rule("SB", "C", "9.1", "CP", 2, of.sonneborn_berger, partial(opponents_scores, products=True)),
        Rule("KS", "C", "9.2", "L", 1, of.koya, koya),
        rated("ARO", "10.1", "CMU", of.average_rating),
        rated("TPR", "10.2", "U", of.performance),
        rated("PTP", "10.3", "U", of.perfect_performance),
        mean("APRO", "10.4", of.performance),
        mean("APPO", "10.5", of.perfect_performance),
        Rule("RTNG", "D", "10.6", "RU", 0, of.by_rating(of.own_rating),
             as_it_is(say("standings.told.rating"))),
    )
}  # fmt: skip
"""Every name of an individual event."""

POINTS: Final = TieBreak(rule=RULES["PTS"])

TEAM: Final = frozenset(
    {
        "BC", "TBR", "BBE", "MPVGP", "EMMSB", "EMGSB", "EGMSB", "EGGSB", "EDE", "EDEBT", "EDEBB", "EDET",
        "EDEB", "SSSC", "MPTS", "GPTS",
    }
)  # fmt: skip
NOT_IN_A_ROUND_ROBIN: Final = frozenset({"BH", "FB", "AOB"})
"""Buchholz means nothing where everybody meets everybody (C.07:8)."""


def outside_rule(name: str) -> Rule:
    """The rule of values that are brought from outside, such as OTHER_PLAYOFF."""
    brought = as_it_is(say("standings.told.outside"))
    return Rule(name, "external", "", "", OUTSIDE_DECIMALS, no_value, brought)


def parse_code(text: str) -> TieBreak:
    """One code, such as ``BH/C1/P``; says what is wrong with it if it is none."""
    written = text.strip()
    code = written.upper()
    if re.fullmatch(r"[A-Z]+-[CM]\d+", code):
        code = code.replace("-", "/")  # the handbook's prose writes BH-C1
    name, *modifiers = code.split("/")
    name, _, suffix = name.partition(":")
    name = {"GE": "REP"}.get(name, name)  # the name of C.07:7.6 before August 2024
    if name in TEAM or suffix:
        raise BadTieBreak("standings.of-teams", text=written)
    if name.startswith("OTHER_") and len(name) > len("OTHER_"):
        if modifiers:
            raise BadTieBreak("standings.outside-modifier", text=written, code=name)
        return TieBreak(rule=outside_rule(name))
    if name not in RULES:
        if meant := _code_of_title(written):
            raise BadTieBreak("standings.unknown-meant", text=written, code=meant, codes=tuple(RULES))
        raise BadTieBreak("standings.unknown", text=written, codes=tuple(RULES))
    rule = RULES[name]
    settings: dict[str, Any] = {}
    for modifier in modifiers:
        for key, value in _modifier(written, rule, modifier).items():
            if key in settings:
                raise BadTieBreak("standings.modifier-twice", text=written, modifier=modifier[:1])
            settings[key] = value
    return TieBreak(rule=rule, **settings)


def _code_of_title(written: str) -> str:
    """The code of a tie-break that was written in words, like ``Buchholz``; empty if none is meant."""
    titles = {rule.title.casefold(): code for code, rule in RULES.items()}
    word = written.casefold()
    near = [title for title in titles if len(word) > 3 and title.startswith(word)]
    near += get_close_matches(word, titles, n=1, cutoff=0.8)
    return titles[near[0]] if near else ""


def _modifier(written: str, rule: Rule, modifier: str) -> dict[str, int | bool]:
    letter, rest = modifier[:1], modifier[1:]
    if not letter or letter not in rule.modifiers:
        takes = tuple(f"/{each}" for each in rule.modifiers)
        raise BadTieBreak(
            "standings.modifier-not-taken", text=written, name=rule.name, modifier=modifier, codes=takes
        )
    if letter in "CM":
        if not re.fullmatch(r"[1-9]", rest):
            raise BadTieBreak("standings.cut-unclear", text=written, modifier=letter)
        return {"cut": int(rest)} if letter == "C" else {"cut": int(rest), "high": int(rest)}
    if letter == "L":
        if not re.fullmatch(r"[+-]?\d{1,2}", rest) or not 0 < abs(int(rest)) <= 20:
            raise BadTieBreak("standings.limit-unclear", text=written)
        return {"limit": int(rest)}
    if letter == "U":
        if rest and not re.fullmatch(r"[1-9]\d{2,3}", rest):
            raise BadTieBreak("standings.unrated-unclear", text=written)
        return {"unrated": int(rest or SKIP_UNRATED)}
    if rest:
        raise BadTieBreak("standings.modifier-alone", text=written, modifier=letter, value=rest)
    return {{"P": "forfeits", "F": "fore", "R": "reverse"}[letter]: True}


def parse_list(text: str, *, predetermined: bool = False) -> tuple[TieBreak, ...]:
    """The announced list, always with PTS in it: first unless the list says otherwise (TRF26 202, 212).

    ``predetermined`` is a round robin or another event whose pairings do not depend on results (C.07:15).
    """
    codes = [piece for piece in re.split(r"[,\s]+", text.strip()) if piece]
    breaks = [parse_code(piece) for piece in codes]
    seen = set()
    for each in breaks:
        if each.kind != "A" and each in seen:
            raise BadTieBreak("standings.twice", code=each.code)
        if predetermined and each.name in NOT_IN_A_ROUND_ROBIN:
            raise BadTieBreak("standings.not-in-a-round-robin", code=each.code)
        seen.add(each)
    return tuple(breaks) if POINTS in seen else (POINTS, *breaks)


def headings(text: str, breaks: tuple[TieBreak, ...]) -> list[str]:
    """The codes of a list as it was written, in capitals: ``KS/L+1`` keeps its sign."""
    codes = [piece.upper() for piece in re.split(r"[,\s]+", text.strip()) if piece]
    return codes if len(codes) == len(breaks) else [POINTS.code, *codes]


def render_list(breaks: tuple[TieBreak, ...]) -> str:
    """The list as record 202 holds it, or as 212 if points are not first."""
    rest = breaks[1:] if breaks[:1] == (POINTS,) else breaks
    return ",".join(each.code for each in rest)


MANY_DAYS: Final = 30
"""Over a longer event a player may have several ratings (VCL 210)."""


def advice(
    listed: Sequence[TieBreak],
    *,
    days: int,
    unrated: bool,
    by_round: bool = False,
    predetermined: bool = False,
) -> tuple[Message, ...]:
    """What is allowed but may surprise (C.07:10, VCL 208-211), for an event of this number of days, 0 if
    unknown, with or without unrated players."""
    by_rating = [each for each in listed if each.kind == "D"]
    remarks = []
    if by_rating and days > MANY_DAYS and not by_round:
        remarks.append(say("standings.ratings-change", codes=[each.code for each in by_rating], days=days))
    dropped = [each.code for each in by_rating if each.unrated is None]
    if dropped and unrated:
        remarks.append(say("standings.dropped", codes=dropped, code=dropped[0]))
    if any(each.name == "KS" for each in listed) and not predetermined:
        remarks.append(say("standings.koya-in-a-swiss"))
    return tuple(remarks)
