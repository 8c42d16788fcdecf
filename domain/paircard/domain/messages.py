"""Messages as values: a code and typed fields. Words come later, at the door, in any language.

The name of a field is its type, declared once in ``Fields``: a ``player`` is an id whose words are a name,
``points`` are tenths, a ``text`` is what somebody typed. Sentences are in ``languages``, one file per room.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Protocol, TypedDict, Unpack

import msgspec


class Sides(Protocol):
    """A result: White's letter and Black's."""

    @property
    def white(self) -> str: ...
    @property
    def black(self) -> str: ...


class Message(msgspec.Struct, frozen=True):
    """What is to be said: a code of the catalogue, and the fields its sentence needs."""

    code: str
    fields: Mapping[str, Any] = {}


Player = Annotated[int, "player"]
Players = Annotated[Sequence[int], "players"]
Number = Annotated[int, "number"]
Count = Annotated[int, "count"]
Numbers = Annotated[Sequence[int], "numbers"]
Games = Annotated[Sequence[tuple[int, int]], "games"]
Points = Annotated[int, "points"]
Result = Annotated[Sides | None, "result"]
Results = Annotated[Sequence[Sides], "results"]
Word = Annotated[str, "word"]
Words = Annotated[Sequence[str], "words"]
Name = Annotated[str, "name"]
Names = Annotated[Sequence[str], "names"]
Text = Annotated[str, "text"]
Quote = Annotated[str, "quote"]
Plain = Annotated[str, "plain"]
Plains = Annotated[Sequence[str], "plains"]
Places = Annotated[Sequence[str], "places"]
Flag = Annotated[bool, "flag"]
Spoken = Annotated[Message, "message"]
Several = Annotated[Sequence[Message], "messages"]
Phrases = Annotated[Sequence[Message], "phrases"]
Lines = Annotated[Sequence[Message], "lines"]


class Fields(TypedDict, total=False):
    """Every field there is. A new one needs a line here, in the group of its kind."""

    # people, by id: spoken by name
    player: Player
    other: Player
    white: Player
    black: Player
    pab: Player
    into: Player
    players: Players
    # a number as it is: of a round, a board, a fact
    round: Number
    next: Number
    last: Number
    first: Number
    board: Number
    number: Number
    version: Number
    based_on: Number
    other_round: Number
    line: Number
    column: Number
    level: Number
    rating: Number
    other_rating: Number
    highest: Number
    earlier: Number
    place: Number
    seconds: Number
    cycle: Number
    total: Number
    # an amount: with its noun, ``{rounds:rounds}``
    count: Count
    most: Count
    least: Count
    rounds: Count
    entered: Count
    facts: Count
    days: Count
    parts: Count
    candidates: Count
    there: Count
    # lists of numbers
    boards: Numbers
    numbers: Numbers
    versions: Numbers
    others: Numbers
    games: Games
    # chess
    points: Points
    theirs: Points
    win: Points
    draw: Points
    loss: Points
    result: Result
    was: Result
    results: Results
    # words of a table with the field's name
    colour: Word
    status: Word
    letter: Word
    scope: Word
    cause: Word
    method: Word
    label: Word
    fact: Word
    verdict: Word
    stage: Word
    labels: Words
    cases: Word
    worth: Word
    door: Word
    role: Word
    other_role: Word
    meaning: Word
    # names of people, places and things that are no players
    name: Name
    who: Name
    names: Names
    # what somebody typed: quoted and cut
    text: Text
    record: Text
    # the same, with more of it
    before: Quote
    after: Quote
    # as it is
    code: Plain
    codes: Plains
    known: Plains
    lists: Plains
    path: Plain
    edition: Plain
    article: Plain
    rule: Plain
    id: Plain
    tournament: Plain
    when: Plain
    day: Plain
    first_day: Plain
    last_day: Plain
    file: Plain
    reason: Plain
    kind: Plain
    modifier: Plain
    value: Plain
    engine: Plain
    # of files, sheets and lists: the first ones, and how many more there are
    places: Places
    # yes or no
    many: Flag
    completed: Flag
    ranked: Flag
    altered: Flag
    always: Flag
    yes: Flag
    # other messages
    deed: Spoken
    change: Spoken
    where: Spoken
    what: Spoken
    found: Spoken
    allowed: Spoken
    reasons: Several
    causes: Phrases
    news: Several
    now: Several
    instead: Several
    byes: Phrases
    spots: Phrases
    each: Phrases
    changed: Phrases
    changes: Several
    faults: Lines


def kinds_of(fields: type) -> dict[str, str]:
    """How each field of a table is spoken."""
    return {name: annotation.__metadata__[0] for name, annotation in fields.__annotations__.items()}


KINDS: Final[Mapping[str, str]] = kinds_of(Fields)
"""How a field is spoken, by its name."""


def say(code: str, /, **fields: Unpack[Fields]) -> Message:
    """A message, as it is put inside another one."""
    return Message(code, fields)


def concerned_by(message: Message) -> tuple[int, ...]:
    """Ids of the players of a message's own fields, in their order; not of messages inside it."""
    own = {name: value for name, value in message.fields.items() if KINDS.get(name) in ("player", "players")}
    return tuple(dict.fromkeys(people_of(Message(message.code, own))))


def people_of(message: Message) -> Iterator[int]:
    """Ids of the players a message speaks of, in the order of its fields."""
    for name, value in message.fields.items():
        match KINDS.get(name):
            case "player" if value:
                yield value
            case "players":
                yield from value
            case "message":
                yield from people_of(value)
            case "messages" | "phrases" | "lines":
                for inner in value:
                    yield from people_of(inner)
