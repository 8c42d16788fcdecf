"""A tie-break as it was announced: its rule, and the modifiers it carries (C.07:14).

StandingsError
├── BadTieBreak     the list cannot be read, or not for this kind of event
├── NotFinal        final standings were asked for while games are open
└── NotRanked       the player is not in the standings
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import msgspec

from paircard.domain.errors import PaircardError
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.values.results import decimal
from paircard.projections.standings.ledger import Ledger

Kind = Literal["A", "B", "C", "D", "points", "external"]
Values = list[int] | list[int | None]

SKIP_UNRATED: Final = 0
"""``/U`` without a number: games against unrated opponents are left out of rating tie-breaks."""
OUTSIDE_DECIMALS: Final = 2
"""Values brought from outside are hundredths."""


class StandingsError(PaircardError):
    """Standings cannot be made from what was given."""


class BadTieBreak(StandingsError):
    """The list of tie-breaks holds something that is none."""


class NotFinal(StandingsError):
    """The event is not over: a game is open or a round is missing."""


class NotRanked(StandingsError):
    """The player is not in the standings."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the arithmetic."""

    round: int = 0
    """0 where the step is not a round."""
    opponent: int = 0
    """The opponent's id; 0 for none or a dummy."""
    label: str = ""
    """What the amount belongs to, for people."""
    amount: str
    """As people read it."""
    counted: bool = True
    """False for what a cut left out."""
    note: str = ""
    """In English."""
    notes: tuple[Message, ...] = ()
    """For every language."""


Told = tuple[list[Step], Message]
"""The steps, and what is done with them."""


class Rule(msgspec.Struct, frozen=True):
    """A tie-break of the handbook: what it is called, what it takes, how it is computed and told."""

    name: str
    kind: Kind
    """The type of C.07:4.3; ``points``, or ``external`` for values from outside."""
    article: str
    """Of C.07, in force 1 March 2026."""
    modifiers: str
    """Letters that it takes (C.07:14)."""
    decimals: int
    """How many decimals its integers stand for."""
    values: Callable[[Ledger, Any], Values]
    """By position in the crosstable."""
    steps: Callable[[Ledger, Any, int, Sequence[int]], Told]
    """The arithmetic of one player; the last argument are those who were level when it was applied."""
    ascending: bool = False
    """Whether the lower value is the better one."""

    @property
    def said(self) -> Message:
        """What it is called."""
        if self.kind == "external":
            title = self.name.removeprefix("OTHER_").replace("_", " ").capitalize()
            return say("standings.modifier.outside", value=title)
        return Message(f"standings.rule.{self.name}")

    @property
    def title(self) -> str:
        """What it is called in English."""
        return Speaker().say(self.said)


class TieBreak(msgspec.Struct, frozen=True, kw_only=True):
    """One element of the list."""

    rule: Rule
    cut: int = 0
    """Least significant values left out (C.07:14.1)."""
    high: int = 0
    """Most significant values left out as well: /M1, /M2."""
    forfeits: bool = False
    """/P: a forfeited game counts as a game against the scheduled opponent."""
    fore: bool = False
    """/F: Fore Buchholz instead of Buchholz."""
    reverse: bool = False
    """/R: the other order."""
    limit: int = 0
    """/L: half points by which the Koya limit is moved."""
    unrated: int | None = None
    """/U: rating that stands for none; 0 leaves those games out; None drops the tie-break."""

    @property
    def name(self) -> str:
        """The code without its modifiers."""
        return self.rule.name

    @property
    def kind(self) -> Kind:
        """The type of C.07:4.3, or ``points`` or ``external``."""
        return self.rule.kind

    @property
    def code(self) -> str:
        """The code as a report file writes it."""
        parts = [self.name]
        if self.high:
            parts.append(f"M{self.high}")
        elif self.cut:
            parts.append(f"C{self.cut}")
        if self.limit:
            parts.append(f"L{self.limit}")
        if self.unrated is not None:
            parts.append(f"U{self.unrated or ''}")
        parts += [
            letter for letter, on in (("P", self.forfeits), ("F", self.fore), ("R", self.reverse)) if on
        ]
        return "/".join(parts)

    @property
    def said(self) -> Message:
        """What the code means."""
        words = [self.rule.said]
        if self.high:
            words.append(say("standings.modifier.median", number=self.high))
        elif self.cut:
            words.append(say("standings.modifier.cut", number=self.cut))
        if self.limit:
            words.append(say("standings.modifier.limit", value=f"{self.limit:+d}"))
        if self.unrated:
            words.append(say("standings.modifier.unrated", rating=self.unrated))
        elif self.unrated is not None:
            words.append(say("standings.modifier.no-unrated"))
        if self.forfeits:
            words.append(say("standings.modifier.forfeits"))
        if self.fore:
            words.append(say("standings.modifier.fore"))
        if self.reverse:
            words.append(say("standings.modifier.reversed"))
        return say("standings.title", changed=words)

    @property
    def title(self) -> str:
        """What the code means in English."""
        return Speaker().say(self.said)

    @property
    def ascending(self) -> bool:
        """Whether the lower value is the better one; /R turns the order round."""
        return self.rule.ascending != self.reverse

    def shown(self, value: int | None) -> str:
        """A value of this tie-break as people read it; ``-`` for none."""
        return shown(value, self.rule.decimals)


def shown(value: int | None, places: int) -> str:
    """A value as people read it: 65 with one decimal is 6.5; ``-`` for none."""
    return "-" if value is None else decimal(value, places)
