"""Every tie-break of an individual event, one row each, and the grammar of the list (TRF26 202, 212, MTB26).

A list is codes parted by commas, ``BH/C1,BH,SB,DE,WIN``. A code is a name and modifiers, each after
a stroke (C.07:14); upper and lower case are the same. C.07 has no default list: the announced one
is always asked for (C.07:2.1, 4.1.1).
"""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, Final

from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.projections.standings import arithmetic as told
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
)
from paircard.projections.standings.ledger import Ledger


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
        made = told.per_round(ledger, who, rounds(ledger, who), places)
        if not modifiers:
            return made, say("standings.told.sum")
        cut = [replace(step, counted=step.round > each.cut) for step in made]
        return cut, say("standings.told.sum-after-rounds", count=each.cut)

    return Rule(name, "B", article, modifiers, places, values, steps)


def rated(name: str, article: str, modifiers: str, of_one: of.OfOne) -> Rule:
    """A tie-break of the ratings of the opponents."""
    return Rule(name, "D", article, modifiers, 0, of.by_rating(of_one), told.ratings)


def mean(name: str, article: str, of_one: of.OfOne) -> Rule:
    """A tie-break of the performances of the opponents."""
    return Rule(name, "D", article, "U", 0, of.mean_of(of_one), told.performances)


def as_it_is(conclusion: Message) -> Callable[[Ledger, Any, int, Sequence[int]], Told]:
    """A value without arithmetic."""
    return lambda *_: (list[Step](), conclusion)


RULES: Final[dict[str, Rule]] = {
    rule.name: rule
    for rule in (
        Rule("PTS", "points", "4.1", "", 1, of.points, told.points),
        Rule("DE", "A", "6", "P", 0, no_value, told.direct_encounter),
        own("WIN", "7.1", of.wins),
        own("WON", "7.2", of.games_won),
        own("BPG", "7.3", of.black_games),
        own("BWG", "7.4", of.black_wins),
        own("PS", "7.5", of.running_scores, 1, "C"),
        own("REP", "7.6", of.rounds_elected),
        own("STD", "7.7", of.standard_points, 1),
        Rule("TPN", "B", "7.8", "R", 0, of.number, as_it_is(say("standings.told.pairing-number")), True),
        Rule("BH", "C", "8.1", "CMP", 1, of.buchholz, told.buchholz),
        Rule("FB", "C", "8.3", "CMP", 1, of.fore_buchholz, told.fore_buchholz),
        Rule("AOB", "C", "8.2", "F", 2, of.mean_buchholz, told.mean),
        Rule("SB", "C", "9.1", "CP", 2, of.sonneborn_berger, told.sonneborn_berger),
        Rule("KS", "C", "9.2", "L", 1, of.koya, told.koya),
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
