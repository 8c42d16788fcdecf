"""Sentences in words: a line of the catalogue with its fields filled in, as text or as HTML."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

import msgspec

from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.explain.catalogue import ENGLISH, Catalogue
from paircard.pairing.explain.lines import (
    Bars,
    Candidate,
    Colour,
    Count,
    Field,
    Group,
    History,
    Levels,
    Line,
    Measured,
    Meeting,
    Numbered,
    Pairs,
    People,
    Person,
    Points,
    Rule,
    Times,
    Values,
)

MANY: Final = 8
"""Names up to which a list is written out."""
UNPLAYED: Final = "="
"""How C.04.2:3.4 writes a round without a game in a colour history."""
WIDER: Final = "wider"
"""The second sentence of 5.2.2 (2017 E.2) as a rule: of two absolute preferences the wider difference."""
ISOLATE: Final = "\u2068{}\u2069"
"""First strong isolate: what stands inside does not turn the words around it."""
CANONICAL: Final = {old: new for edition in EDITIONS.values() for new, old in edition.names.items()}
"""Criteria of other editions by the name they have in 2026."""


class Who(msgspec.Struct, frozen=True):
    """A player for people."""

    number: int
    """Pairing number in the round; 0 for none."""
    name: str

    def __str__(self) -> str:
        if not self.number:
            return isolated(self.name)
        return f"{isolated(self.name)} ({self.number})" if self.name else f"number {self.number}"


def isolated(name: str) -> str:
    """A name that reads from right to left, so that what follows it keeps its place."""
    turned = any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name)
    return ISOLATE.format(name) if turned else name


class Speaker:
    """Says lines about one round in one language."""

    def __init__(self, people: Mapping[int, Who], catalogue: Catalogue = ENGLISH) -> None:
        self.people = people
        self.catalogue = catalogue

    def say(self, line: Line) -> str:
        """The sentence."""
        fields = {name: self.field(field) for name, field in line.fields.items()}
        return self._template(line).format_map(fields)

    def say_all(self, lines: Iterable[Line]) -> list[str]:
        """Sentences in order."""
        return [self.say(line) for line in lines]

    def _template(self, line: Line) -> str:
        count = line.fields.get("count", 0)
        return self.catalogue.template(line.key, 10 * count if isinstance(count, int) else 0)

    def part(self, key: str, count: int = 0, **fields: object) -> str:
        """A small part of a sentence; ``count`` in tenths."""
        return self.catalogue.template(key, count).format_map(fields)

    # --- fields

    def field(self, field: Field) -> str:
        """A field in words."""
        match field:
            case int():
                return f"{field:,}"
            case str():
                return self.text(field)
            case Person(id):
                return self.person(id)
            case People(ids):
                return self.listed([self.person(id) for id in ids])
            case Numbered(ids):
                return " ".join(map(self.number, ids))
            case Pairs(pairs):
                return self.listed([f"{self.person(a)} – {self.person(b)}" for a, b in pairs])
            case Candidate():
                return self.candidate(field)
            case Points(tenths):
                return self.part("points", tenths, amount=points(tenths))
            case Group(score, role):
                amount = self.part("points", score, amount=points(score))
                return self.part("group.CLB" if role in ("CLB", "joined") else "group", points=amount)
            case Measured(criterion, value):
                return self.value(criterion, value)
            case Count(many):
                return str(many) if many else self.part("none")
            case Times(many):
                return self.part("times", 10 * many, many=many)
            case Values(values):
                return "; ".join(self.against_least(*each) for each in values)
            case Levels(levels):
                return self.listed([self.level(code, value) for code, value in levels])
            case Rule(name):
                return self.rule(name)
            case Meeting(games):
                parts = [self.part("game", player=self.person(id), round=round) for id, round in games]
                return self.listed(parts)
            case Bars(bars):
                return self.listed([self.bar(*bar) for bar in bars])
            case Colour(side):
                return self.part(f"side.{side}")
            case History(colours):
                return self.text(" ".join(colours.upper().replace("-", UNPLAYED)))

    def text(self, text: str) -> str:
        """Words that are not of the catalogue: names of articles, of people who are no players."""
        return text

    def person(self, id: int) -> str:
        """A player by name and number, or the bye."""
        return str(self.people[id]) if id else self.part("bye")

    def number(self, id: int) -> str:
        """A player by pairing number."""
        return str(self.people[id].number) if id else self.part("bye")

    def listed(self, parts: Sequence[str]) -> str:
        """``a, b and c``."""
        shown = list(parts[:MANY])
        if len(parts) > MANY:
            shown.append(self.part("list.more", many=len(parts) - MANY))
        if len(shown) < 2:
            return shown[0] if shown else self.part("none")
        return self.part("list.two", one=", ".join(shown[:-1]), last=shown[-1])

    def candidate(self, one: Candidate) -> str:
        """``4–9, 11–8, 10–13, ↓ 14``, by pairing numbers."""
        shown = ", ".join(self.pair(a, b) for a, b in one.pairs)
        if one.of:
            shown = self.part("candidate.of", shown=shown, many=one.of).lstrip(", ")
        down = " ".join(map(self.number, one.downfloaters))
        return ", ".join(part for part in (shown, f"↓ {down}" if down else "") if part) or "–"

    def pair(self, a: int, b: int) -> str:
        """``4–9``."""
        return f"{self.number(a)}–{self.number(b)}"

    def rule(self, name: str) -> str:
        """What a rule says."""
        key = f"rule.{name}"
        if name == WIDER:
            key = "colour-rule.2.wider"
        elif name.startswith(("5.2.", "E.")):
            key = f"colour-rule.{name[-1]}"
        return self.part(key if key in self.catalogue.templates else f"rule.{CANONICAL[name]}")

    def value(self, criterion: str, value: Value) -> str:
        """A criterion's value."""
        name = CANONICAL.get(criterion, criterion)
        if isinstance(value, int):
            return self.part("points", value, amount=points(value)) if name == "C5" else str(value)
        if name == "C8":
            many, scores = value[0], ", ".join(map(points, value[1:]))
            return self.part("ahead.list" if scores else "ahead", 10 * many, many=many, scores=scores)
        return ", ".join(map(points, value)) if value else self.part("none")

    def brief(self, criterion: str, value: Value) -> str:
        """A criterion's value without words: of the look-ahead, the count and the list in brackets."""
        if CANONICAL.get(criterion, criterion) != "C8" or isinstance(value, int):
            return self.value(criterion, value)
        scores = ", ".join(map(points, value[1:]))
        return self.part("ahead.brief", many=value[0], scores=scores) if scores else str(value[0])

    def against_least(self, criterion: str, value: Value, least: Value | None) -> str:
        """``C12 2 (least 1)``."""
        shown = self.brief(criterion, value)
        if least is None or least == value:
            return self.part("value", criterion=criterion, value=shown)
        return self.part("value.least", criterion=criterion, value=shown, least=self.brief(criterion, least))

    def level(self, code: str, value: str) -> str:
        """``3.5 points``, ``BH 12.0``."""
        if code != "PTS":
            return self.part("level", code=code, value=value)
        return self.part("level.points", 10 if value in ("1", "½") else 20, value=value)

    def bar(self, a: int, b: int, rule: str, round: int) -> str:
        """``3–6 (C1, round 2)``."""
        pair = self.pair(a, b) if b else self.number(a)
        if rule == "prohibited":
            return self.part("bar.prohibited", pair=pair)
        return self.part("bar.round" if round else "bar", pair=pair, rule=rule, round=round)


class PageSpeaker(Speaker):
    """Says lines in HTML: names are isolated and escaped, a pair stays on one line."""

    def say(self, line: Line) -> str:
        fields = {name: self.field(field) for name, field in line.fields.items()}
        return escape(self._template(line)).format_map(fields)

    def part(self, key: str, count: int = 0, **fields: object) -> str:
        return escape(self.catalogue.template(key, count)).format_map(fields)

    def text(self, text: str) -> str:
        return escape(text)

    def person(self, id: int) -> str:
        if not id:
            return self.part("bye")
        who = self.people[id]
        if not who.name:
            return self.part("number", number=who.number)
        name = f"<bdi>{escape(who.name)}</bdi>"
        return f"{name} ({who.number})" if who.number else name

    def pair(self, a: int, b: int) -> str:
        return f"{self.number(a)}\u2060–\u2060{self.number(b)}"


def points(tenths: int) -> str:
    """Points as chess players write them: 35 is 3½."""
    whole, rest = divmod(tenths, 10)
    if rest == 5:
        return f"{whole or ''}½"
    return f"{whole}.{rest}" if rest else str(whole)


def ranges(numbers: Iterable[int]) -> str:
    """``1–3, 5``: pairing numbers, put together where they follow each other."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)
