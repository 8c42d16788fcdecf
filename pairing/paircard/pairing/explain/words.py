"""Reasons as sentences, for a notice board: the rule, what it says, and by how much."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.explain.colours import Colours, Preference
from paircard.pairing.explain.contrast import BYE, Bar, Contrast
from paircard.pairing.explain.natural import Natural
from paircard.pairing.explain.rules import COLOURS, FIRST_OF_EQUALS, RULES, STEPS
from paircard.pairing.explain.why import Floated, Why
from paircard.pairing.outcome import BracketTrace

SIDES: Final = {"w": "White", "b": "Black", "": "no colour"}
ABSENCES: Final = {"H": "a half-point bye", "F": "a full-point bye", "Z": "absent"}
MANY: Final = 8
"""Pairs up to which a candidate is written out."""
UNPLAYED: Final = "="
"""How C.04.2:3.4 writes a round without a game in a colour history."""


class Who(msgspec.Struct, frozen=True):
    """A player for people."""

    number: int
    """Pairing number in the round; 0 for none."""
    name: str

    def __str__(self) -> str:
        if not self.number:
            return self.name
        return f"{self.name} ({self.number})" if self.name else f"number {self.number}"


class Words:
    """Sentences about one round; players by name and pairing number."""

    def __init__(self, edition: str, people: Mapping[int, Who]) -> None:
        self.edition = edition
        self.rules = RULES[edition]
        self.people = people
        self.old = edition == "dutch-2017"

    # --- small things

    def who(self, id: int) -> str:
        return str(self.people[id]) if id != BYE else "the bye"

    def all_of(self, ids: tuple[int, ...]) -> str:
        """Names, listed."""
        names = [self.who(id) for id in ids[:MANY]]
        if len(ids) > MANY:
            names.append(f"{len(ids) - MANY} more")
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def number(self, id: int) -> str:
        return str(self.people[id].number)

    def candidate(self, one: BracketTrace, against: BracketTrace | None = None) -> str:
        """``4–9, 11–8, 10–13, 14 floats``, by pairing numbers.

        Of a large candidate only the pairs that the other one has not, and of those the first.
        """
        pairs = (*one.mdp_pairs, *one.pairs)
        rest = ""
        if len(pairs) > MANY:
            other = {*against.mdp_pairs, *against.pairs} if against else set()
            new = [pair for pair in pairs if pair not in other]
            rest = f"… ({len(pairs)} pairs)"
            pairs = tuple(new[:MANY])
        parts = [f"{self.number(a)}–{self.number(b)}" for a, b in pairs]
        parts += [rest] if rest else []
        floats = [self.number(id) for id in one.downfloaters]
        if floats:
            word = "floats" if len(floats) == 1 else "float"
            parts.append(f"{' and '.join(floats) if len(floats) < 3 else ' '.join(floats)} {word}")
        return ", ".join(parts)

    def rule(self, name: str) -> str:
        """``C12 (minimise …)``."""
        return f"{name} ({self.rules[name]})" if name in self.rules else name

    def bracket(self, one: BracketTrace) -> str:
        """``the bracket of 2½ points``."""
        what = {"PPB": "the penultimate bracket (PPB)", "CLB": "the collapsed last bracket (CLB)"}
        if one.role == "CLB":
            return what["CLB"]
        return f"{what.get(one.role, 'the bracket')} of {points(one.score)} {plural(one.score)}"

    def value(self, name: str, value: Value) -> str:
        """A criterion's value."""
        ahead, scores = ("C.7", "C.6") if self.old else ("C8", "C7")
        if name == "C5":
            assert isinstance(value, int)
            return f"{points(value)} {plural(value)}"
        if isinstance(value, int):
            return str(value)
        if name == ahead:
            many, rest = value[0], value[1:]
            listed = f" ({'PSD ' if self.old else ''}{', '.join(map(points, rest))})" if rest else ""
            return f"{many} {'downfloater' if many == 1 else 'downfloaters'} in the next bracket{listed}"
        if not value:
            return "none"
        word = "PSD " if name == scores and self.old else ""
        return word + ", ".join(map(points, value))

    def by_how_much(self, name: str, real: Value | None, other: Value | None) -> str:
        """``2 instead of 1``."""
        if real is None or other is None:
            return ""
        return f"{self.value(name, other)} instead of {self.value(name, real)}"

    # --- reasons

    def bar(self, bar: Bar) -> str:
        """An absolute rule between two players."""
        if bar.rule == "prohibited":
            return "a pairing prohibited in this tournament"
        if bar.rule in ("C1", "C.1"):
            return f"{self.rule(bar.rule)}: they met in round {bar.round}"
        if bar.rule in ("C2", "C.2"):
            return f"{self.rule(bar.rule)}: {self.who(bar.a)} did so in round {bar.round}"
        return self.rule(bar.rule)

    def bars(self, bars: tuple[Bar, ...]) -> str:
        """Pairs that may not meet, shortly: ``3–6 (C1, round 2)``."""
        parts = []
        for bar in bars[:MANY]:
            what = f"{bar.rule}, round {bar.round}" if bar.round else bar.rule
            whom = f"{self.number(bar.a)}–{self.number(bar.b)}" if bar.b else self.number(bar.a)
            parts.append(f"{whom} ({what})")
        more = f" and {len(bars) - MANY} more" if len(bars) > MANY else ""
        return ", ".join(parts) + more

    def contrast(self, found: Contrast, what: str) -> list[str]:
        """Why not; ``what`` names the alternative: ``with Ada and Ben together``."""
        if found.outcome == "forbidden":
            if found.criterion == "even":
                return ["The number of players is even: nobody has the bye."]
            return [f"Forbidden by {self.bar(found.bars[0])}."]
        if found.outcome == "incomplete":
            stuck = f": {self.all_of(found.stuck)} could not all be paired" if found.stuck else ""
            return [f"No complete round is left {what}, {self.rule(found.criterion)}{stuck}."]
        assert found.real is not None
        assert found.other is not None
        lines = []
        if found.outcome == "worse":
            much = self.by_how_much(found.criterion, found.real_value, found.other_value)
            lines.append(f"Worse by {self.rule(found.criterion)}: {much} {what}.")
        else:
            first = FIRST_OF_EQUALS[self.edition]
            lines.append(
                f"Equal in every criterion, but generated later ({found.article}): {STEPS[found.step]}. "
                f"Of equals the first is chosen ({first})."
            )
        chosen, other = self.candidate(found.real, found.other), self.candidate(found.other, found.real)
        lines.append(f"In {self.bracket(found.real)}, chosen: {chosen}.")
        found_so_far = "The best" if not found.untried else "The best found"
        lines.append(f"{found_so_far} {what}: {other}.")
        return [*lines, *self.unproven(found)]

    def unproven(self, found: Contrast) -> list[str]:
        """What was not tried, where that is so."""
        if not found.untried:
            return []
        ahead = self.rule("C.7" if self.old else "C8")
        return [
            f"Not proven to be the best: {found.untried:,} possible sets of downfloaters were too many to "
            "try one by one. Tried was the set the engine chooses if the alternative is taken for a rule; "
            f"another may do better by {ahead} or a later criterion."
        ]

    def why_not(self, found: Contrast, a: int, b: int, absent: Mapping[int, str]) -> list[str]:
        """Why two players do not meet, or why one has not the bye."""
        if found.outcome == "absent":
            reasons = {id: ABSENCES.get(absent.get(id, ""), "absent") for id in found.absent}
            parts = [f"{self.who(id)} was not to be paired ({why})" for id, why in reasons.items()]
            return [f"{'; '.join(parts)}."]
        if BYE in (a, b):
            one = a or b
            if found.outcome == "real":
                return [f"{self.who(one)} has the bye."]
            return self.contrast(found, f"with the bye for {self.who(one)}")
        if found.outcome == "real":
            return [f"{self.who(a)} and {self.who(b)} do meet."]
        return self.contrast(found, f"with {self.who(a)} and {self.who(b)} together")

    def floated(self, one: Floated) -> str:
        """Why a player left a bracket unpaired."""
        where = f"the bracket of {points(one.score)} {plural(one.score)}"
        who = self.who(one.player)
        did = f"{who} has the bye" if one.bye else f"{who} floated down from {where}"
        if one.alone:
            return f"{did}: nobody else was in it."
        if one.bars:
            return f"{did}: nobody there may meet {who}, {self.bars(one.bars)}."
        found = one.contrast
        assert found is not None
        if found.outcome == "incomplete":
            return f"{did}: else the round could not be completed, {self.rule(found.criterion)}."
        assert found.other is not None
        if found.outcome == "worse":
            much = self.by_how_much(found.criterion, found.real_value, found.other_value)
            reason = f"else worse by {self.rule(found.criterion)}, {much}"
        else:
            reason = f"any other choice is at best equal and generated later ({found.article})"
        best = f"the best {'found ' if found.untried else ''}otherwise"
        told = f"{did}: {reason} ({best}: {self.candidate(found.other, found.real)})."
        return " ".join([told, *self.unproven(found)])

    def natural(self, one: Natural, chosen: BracketTrace) -> list[str]:
        """The first candidate generated, its fate, and how the chosen one was found."""
        first = self.candidate(one.candidate, None if one.chosen else chosen)
        if one.chosen:
            return [f"The natural candidate, S1 against S2 in order, was chosen: {first}."]
        lines = [f"Natural candidate: {first}."]
        if one.bars and one.bars[0].b:
            lines.append(f"It has pairs that may not meet: {self.bars(one.bars)}.")
        elif one.bars:
            lines.append(f"Excluded by {self.bar(one.bars[0])}.")
        else:
            much = self.by_how_much(one.criterion, one.real_value, one.other_value)
            lines.append(f"Excluded by {self.rule(one.criterion)}{': ' + much if much else ''}.")
        made = self.candidate(chosen, one.candidate)
        lines.append(f"Chosen: {made}, {self.how(one.candidate, chosen)}.")
        return lines

    def collapsed(self, attempt: BracketTrace) -> str:
        """[2017 A.9] Why a bracket became the PPB."""
        return (
            f"Paired for itself, {self.candidate(attempt)}, the round could not be completed: "
            "all that follows collapses into one bracket (A.9)."
        )

    def how(self, first: BracketTrace, chosen: BracketTrace) -> str:
        """By which steps the chosen candidate was reached from the natural one."""
        articles = ("D.3", "D.1", "D.2") if self.old else ("4.4", "4.2", "4.3")
        steps = []
        if set(first.limbo) != set(chosen.limbo):
            steps.append(f"by another set of moved-down players ({articles[0]})")
        elif first.mdp_pairs != chosen.mdp_pairs:
            steps.append(f"by a transposition for those moved down ({articles[1]})")
        if chosen.moved_to_s1:
            down, up = (" ".join(map(self.number, ids)) for ids in (chosen.moved_to_s2, chosen.moved_to_s1))
            steps.append(f"by an exchange of {down} with {up} ({articles[2]})")
        if not steps:
            steps.append(f"by a transposition of S2 ({articles[1]})")
        return " and ".join(steps)

    # --- colours

    def preference(self, one: Preference) -> str:
        """``Ada (1) due Black, strong (difference +1)``."""
        if not one.colour:
            return f"{self.who(one.player)} has no preference"
        return (
            f"{self.who(one.player)} is due {SIDES[one.colour]}, {one.strength} "
            f"(difference {one.difference:+d})".replace("+0", "0")
        )

    def colours(self, one: Colours) -> list[str]:
        """The rule, both preferences, and both histories aligned from the latest game (C.04.2:3.4)."""
        rule = COLOURS[one.rule[-1]]
        lines = [f"{self.who(one.white.player)} has White by {one.rule}: {rule}."]
        if not one.number:
            lines.append(f"{self.preference(one.white)}; {self.preference(one.black)}.")
        long = max(len(one.white.history), len(one.black.history))
        if one.number:
            lines.append(f"{self.who(one.higher)} ranks higher, number {one.number} of those who took part.")
        elif long:
            width = max(len(self.who(p.player)) for p in (one.white, one.black))
            for player in (one.white, one.black):
                marks = player.history.upper().replace("-", UNPLAYED).rjust(long, UNPLAYED)
                lines.append(f"  {self.who(player.player).ljust(width)}  {' '.join(marks)}")
            if one.differed:
                back = "their last games" if one.differed == 1 else f"the games {one.differed} back"
                lines.append(f"  They differ first in {back}.")
        return lines

    # --- one player

    def why(self, one: Why, score: int, virtual: int = 0) -> list[str]:
        """A player's board and the reasons for it."""
        me = self.who(one.player)
        if one.absent:
            return [f"{me} was not to be paired in round {one.round}: {ABSENCES[one.absent]}."]
        assert one.bracket is not None
        assert one.natural is not None
        if one.pab:
            lines = [f"{me} has the pairing-allocated bye in round {one.round}."]
        else:
            side = "White" if one.colours and one.colours.white.player == one.player else "Black"
            lines = [
                f"{me} has {side} against {self.who(one.opponent)} in round {one.round}, board {one.board}."
            ]
        mine = f"{points(score)} {plural(score)}"
        if virtual:
            mine += f" with {points(virtual)} virtual (C.04.7)"
        inside = f"{me}, {mine}, was paired in {self.bracket(one.bracket)}."
        if not one.pab:
            lines.append(inside)
        lines += [self.floated(each) for each in one.floats]
        lines += self.natural(one.natural, one.bracket)
        if one.own is not None:
            other = self.who(one.natural_opponent)
            told = self.contrast(one.own, f"with {me} and {other} together")
            lines.append(f"Why not {other}? {told[0]}")
            if len(told) > 1 and one.own.outcome in ("worse", "later"):
                lines += told[2:]
        if one.colours:
            lines += self.colours(one.colours)
        return lines


def points(tenths: int) -> str:
    """Points as chess players write them: 35 is 3½."""
    whole, rest = divmod(tenths, 10)
    if rest == 5:
        return f"{whole or ''}½"
    return f"{whole}.{rest}" if rest else str(whole)


def ranges(numbers: Iterable[int]) -> str:
    """numbers 1–6; numbers 1–3, 5 and so on: pairing numbers, put together where they follow each other."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    shown = ", ".join("–".join(map(str, run)) for run in runs)
    return f"number{'s' if len(runs) > 1 or len(runs[0]) > 1 else ''} {shown}"


def plural(tenths: int) -> str:
    """``point`` for up to one of them."""
    return "point" if 0 < tenths <= 10 else "points"
