"""What is said about a round: the fields that only an engine makes, and the speaker who says them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, Final, Unpack

import msgspec

from paircard.domain import messages
from paircard.domain.messages import Count, Message, Number, Plain, Player, Players, Points, kinds_of
from paircard.domain.speaking import ENGLISH, PageSpeaker, Speaker, sentences
from paircard.domain.values.results import points
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.dutch.editions import EDITIONS

MANY: Final = 8
"""Names up to which a list is written out."""
UNPLAYED: Final = "="
"""How C.04.2:3.4 writes a round without a game in a colour history."""
WIDER: Final = "wider"
"""The second sentence of 5.2.2 (2017 E.2) as a rule: of two absolute preferences the wider difference."""
CANONICAL: Final = {old: new for edition in EDITIONS.values() for new, old in edition.names.items()}
"""Criteria of other editions by the name they have in 2026."""


class Candidate(msgspec.Struct, frozen=True, tag="candidate", tag_field="kind"):
    """Pairs and downfloaters by pairing number, as arbiters write them."""

    pairs: tuple[tuple[int, int], ...] = ()
    downfloaters: tuple[int, ...] = ()
    of: int = 0
    """How many pairs there are, where only some are shown."""


class Group(msgspec.Struct, frozen=True, tag="group", tag_field="kind"):
    """A score group as a bracket of the round."""

    score: int
    role: str = ""


class Measured(msgspec.Struct, frozen=True, tag="value", tag_field="kind"):
    """A criterion's value: a count, or a list of points in tenths."""

    criterion: str
    value: Value


class Counted(msgspec.Struct, frozen=True, tag="count", tag_field="kind"):
    """How many; none is said in words."""

    many: int


class Values(msgspec.Struct, frozen=True, tag="values", tag_field="kind"):
    """Several criteria with their values, and the least that each could be (None: not known)."""

    values: tuple[tuple[str, Value, Value | None], ...]


class Levels(msgspec.Struct, frozen=True, tag="levels", tag_field="kind"):
    """Points and tie-breaks with their values, as the standings show them."""

    levels: tuple[tuple[str, str], ...]
    """Code and value."""


class Meeting(msgspec.Struct, frozen=True, tag="meeting", tag_field="kind"):
    """Opponents of one player, and the rounds in which they met."""

    games: tuple[tuple[int, int], ...]
    """Player and round."""


class Bars(msgspec.Struct, frozen=True, tag="bars", tag_field="kind"):
    """Pairs that may not be made: both players, the rule, and the round it goes back to (0 for none)."""

    bars: tuple[tuple[int, int, str, int], ...]


Made = Candidate | Group | Measured | Counted | Values | Levels | Meeting | Bars
"""Fields that say themselves what they are."""

Numbered = Annotated[Sequence[int], "numbered"]
Pairs = Annotated[Sequence[tuple[int, int]], "pairs"]
Scores = Annotated[Sequence[int], "scores"]
Times = Annotated[int, "times"]
Rule = Annotated[str, "rule"]
Colour = Annotated[str, "colour"]
History = Annotated[str, "history"]
Amount = Annotated[Measured | Counted, "made"]


class Fields(messages.Fields, total=False):
    """The fields of all messages, and those of explanations."""

    # people, by id; 0 is the bye
    a: Player
    b: Player
    opponent: Player
    natural: Player
    replacement: Player
    winner: Player
    loser: Player
    people: Players
    helpers: Players
    # people by pairing number, in this order
    numbered: Numbered
    up: Numbered
    down: Numbered
    pairs: Pairs
    # points in tenths
    score: Points
    left: Points
    virtual: Points
    possible: Points
    groups: Scores
    # numbers and amounts
    made: Number
    same: Number
    ago: Number
    x: Number
    z: Number
    untried: Count
    times: Times
    other_times: Times
    # colours and rules
    opposite: Colour
    history: History
    meaning: Rule
    # what the engine made
    candidate: Annotated[Candidate, "made"]
    group: Annotated[Group, "made"]
    real: Amount
    otherwise: Amount
    values: Annotated[Values, "made"]
    unavoidable: Annotated[Values, "made"]
    tied: Annotated[Levels, "made"]
    amount: Annotated[Levels, "made"]
    met: Annotated[Meeting, "made"]
    bars: Annotated[Bars, "made"]
    # as it is
    criterion: Plain
    scored: Plain
    against: Plain
    difference: Annotated[int | str, "plain"]
    other_difference: Annotated[int | str, "plain"]
    symbols: Plain
    ranges: Plain
    subgroups: Plain


KINDS: Final[Mapping[str, str]] = kinds_of(Fields)


def say(code: str, /, **fields: Unpack[Fields]) -> Message:
    """A sentence of an explanation."""
    return Message(code, fields)


class Who(msgspec.Struct, frozen=True):
    """A player for people."""

    number: int
    """Pairing number in the round; 0 for none."""
    name: str


class RoundSpeaker(Speaker):
    """Says messages about one round, as plain text: players by name and pairing number."""

    kinds = KINDS

    def __init__(self, people: Mapping[int, Who], language: str = ENGLISH, numbers: bool = True) -> None:
        """Without ``numbers`` a name stands alone where nobody else has it."""
        super().__init__(language)
        self.people = people
        named = Counter(who.name for who in people.values()) if not numbers else {}
        self.alone = {name for name, many in named.items() if many == 1}
        self.said: dict[int, str] = {}

    def say_all(self, lines: Iterable[Message]) -> list[str]:
        """Sentences in order."""
        return [self.say(line) for line in lines]

    def part(self, key: str, **fields: object) -> str:
        """A small part of a sentence."""
        return self.words(self.entry("round", key)).format_map(fields)

    # --- fields

    def made(self, value: Made) -> str:
        """A field that says itself what it is."""
        match value:
            case Candidate():
                return self.candidate(value)
            case Group(score, role):
                lowest = role in ("CLB", "joined")
                return self.part("group.CLB" if lowest else "group", points=self.tenths(score, "points"))
            case Measured(criterion, measured):
                return self.value(criterion, measured)
            case Counted(many):
                return str(many) if many else self.part("none")
            case Values(values):
                return "; ".join(self.against_least(*each) for each in values)
            case Levels(levels):
                return self.listed([self.level(code, text) for code, text in levels])
            case Meeting(games):
                parts = [self.part("game", player=self.person(id), round=round) for id, round in games]
                return self.listed(parts)
            case Bars(bars):
                return self.listed([self.bar(*bar) for bar in bars])

    def person(self, id: int) -> str:
        """A player by name and number, or the bye."""
        if id not in self.said:
            self.said[id] = self._person(self.people[id]) if id else self.part("bye")
        return self.said[id]

    def _person(self, who: Who) -> str:
        if not who.name:
            return self.part("number", number=who.number)
        if not who.number or who.name in self.alone:
            return self.name(who.name)
        return f"{self.name(who.name)} ({who.number})"

    def number(self, id: int) -> str:
        """A player by pairing number."""
        return str(self.people[id].number) if id else self.part("bye.brief")

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
        if name == WIDER:
            return self.word("colour-rule", "2.wider")
        if name.startswith(("5.2.", "E.")):
            return self.word("colour-rule", name[-1])
        return self.word("rule", name if f"rule.{name}" in sentences(ENGLISH, "words") else CANONICAL[name])

    def value(self, criterion: str, value: Value) -> str:
        """A criterion's value."""
        name = CANONICAL.get(criterion, criterion)
        if isinstance(value, int):
            return self.tenths(value, "points") if name == "C5" else str(value)
        if name == "C8":
            many, scores = self.counted(value[0], "ahead", value), ", ".join(map(points, value[1:]))
            return self.part("ahead.list", ahead=many, scores=scores) if scores else many
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
        """``3½ points``, ``BH 12.0``."""
        if code != "PTS":
            return self.part("level", code=code, value=value)
        return self.form("points", 1 if value in ("1", "½") else 2).format(n=value)

    def bar(self, a: int, b: int, rule: str, round: int) -> str:
        """``3–6 (C1, round 2)``."""
        pair = self.pair(a, b) if b else self.number(a)
        if rule == "prohibited":
            return self.part("bar.prohibited", pair=pair)
        return self.part("bar.round" if round else "bar", pair=pair, rule=rule, round=round)

    ways: ClassVar = {
        **Speaker.ways,
        "numbered": lambda self, _, ids: " ".join(map(self.number, ids)),
        "pairs": lambda self, _, pairs: self.listed(
            [f"{self.person(a)} – {self.person(b)}" for a, b in pairs]
        ),
        "scores": lambda self, _, scores: self.listed([points(score) for score in scores]),
        "rule": lambda self, _, rule: self.rule(rule),
        "colour": lambda self, _, side: self.word("colour", side),
        "history": lambda self, _, colours: self.words(" ".join(colours.upper().replace("-", UNPLAYED))),
        "made": lambda self, _, value: self.made(value),
        "times": lambda self, _, times: self.words(str(times)),
    }


class RoundPageSpeaker(RoundSpeaker, PageSpeaker):
    """Says them in HTML; a pair stays on one line."""

    def pair(self, a: int, b: int) -> str:
        return f"{self.number(a)}\u2060–\u2060{self.number(b)}"


def ranges(numbers: Iterable[int]) -> str:
    """``1–3, 5``: pairing numbers, put together where they follow each other."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)
