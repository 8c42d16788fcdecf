"""Messages in words: the sentence of a language with its fields filled in, as plain text or as HTML.

A language is a folder of ``languages``, one TOML file per room. A sentence has fields in braces, and three
rules: ``{rounds:rounds}`` puts a noun of the language to an amount; ``by = "field"`` chooses between whole
sentences by a plural category, a word, yes or no, or none; a field of words is looked up in its table.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, Protocol

from msgspec import Struct, json

from paircard.domain.errors import Caution, NeedsAcknowledgement, PaircardError
from paircard.domain.messages import KINDS, Message, people_of
from paircard.domain.values.results import Outcome, points, spell
from paircard.domain.values.text import enumerated

ENGLISH: Final = "en"
FOLDER: Final = os.path.join(os.path.dirname(__file__), "languages")
ROOMS: Final = frozenset(
    ["berger", "cli", "explain", "http", "import", "lists", "log", "norms", "page", "pairing", "prizes",
     "proof", "ratings", "standings", "store", "tables", "trf", "verify"]
)  # fmt: skip
"""First words of codes whose sentences have a file of their own; all others are refusals and warnings."""
REFUSALS: Final = "refusals"
MOST: Final = 12
"""Numbers that are listed one by one."""
ESCAPED: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
"""What HTML would take for its own; the package ``html`` loads two thousand names for it."""
LONGEST: Final = 40
"""Characters that are repeated of what somebody typed."""

_FIELD: Final = re.compile(r"\{(\w+)(?::([\w-]+))?\}")
_ONE: Final = r'"?([\w-]+)"? = ("(?:[^"\\]|\\.)*")'
Piece = tuple[str, str, str]
"""Words, the field behind them, and its noun; the last two may be empty."""
Sentence = tuple[Piece, ...]


class Choice:
    """Several sentences of one code; a field decides between them."""

    def __init__(self, entry: Mapping[str, str]) -> None:
        self.by: Final = entry["by"]
        self.sentences: Final = {key: parsed(text) for key, text in entry.items() if key != "by"}


PLURALS: Final[Mapping[str, Callable[[int], str]]] = {
    "en": lambda n: "one" if n == 1 else "other",
    "it": lambda n: "one" if n == 1 else "many" if n and n % 1_000_000 == 0 else "other",
}
"""The plural category of an amount (CLDR), by language."""


LANGUAGES: Final = tuple(PLURALS)
"""Codes of the languages there are, English first."""


def parsed(text: str) -> Sentence:
    """A sentence taken apart at its braces."""
    parts = iter([*_FIELD.split(text), "", ""])
    return tuple(
        (words, name or "", noun or "") for words, name, noun in zip(parts, parts, parts, strict=True)
    )


@cache
def sentences(language: str, room: str) -> dict[str, Any]:
    """What a file of a language says, by code: a text, or several with the field that chooses."""
    with open(os.path.join(FOLDER, language, f"{room}.toml"), encoding="utf-8") as file:
        return entries_of(file.read())


def entries_of(text: str) -> dict[str, Any]:
    """The entries of a file by the whole of their names: TOML that has each on one line.

    ``tomllib`` reads the same; loading it takes longer than all else that a command of one sentence reads.
    """
    found: dict[str, Any] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line[1 : line.index("]")] + "."
        elif line and line[0] != "#":
            key, value = line.split(" = ", 1)
            name = section + key
            if value[0] == "{":
                for form, text in re.findall(_ONE, value):
                    _put(found, f"{name}.{form}", json.decode(text))
            else:
                _put(found, name, json.decode(value) if value[0] == '"' else value[1:-1])
    return found


def _put(found: dict[str, Any], key: str, text: str) -> None:
    """Put an entry in its place: with the others of its choice, unless its last dot stands in quotes."""
    above, _, last = key.rpartition(".")
    name = key.replace('"', "")
    if last == "by":
        found[name[:-3]] = {last: text}
    elif last.count('"') != 1 and isinstance(choice := found.get(above.replace('"', "")), dict):
        choice[last.strip('"')] = text
    else:
        found[name] = text


@cache
def template(language: str, code: str) -> Sentence | Choice:
    """The sentence of a code, in English where the language has none."""
    room, _, rest = code.partition(".")
    where, key = (room, rest) if room in ROOMS else (REFUSALS, code)
    entry = sentences(language, where).get(key) or sentences(ENGLISH, where)[key]
    return parsed(entry) if isinstance(entry, str) else Choice(entry)


class Names(Protocol):
    """What players are called, by id: a dictionary, or something that finds out."""

    def get(self, id: int, /) -> str | None: ...


class Speaker:
    """Says messages in one language, as plain text."""

    kinds: Mapping[str, str] = KINDS
    """How a field is spoken, by its name."""

    def __init__(self, language: str = ENGLISH, names: Names | None = None) -> None:
        self.language = language if language in PLURALS else ENGLISH
        self.names: Names = names or {}

    def say(self, message: Message) -> str:
        """The sentence."""
        found = template(self.language, message.code)
        if isinstance(found, Choice):
            found = found.sentences[self.chosen(found, message.fields.get(found.by))]
        return "".join(
            self.words(words) + (self.field(name, message.fields[name], noun) if name else "")
            for words, name, noun in found
        )

    def refusal(self, error: PaircardError) -> str:
        """The refusal, with the article it rests on and what somebody else did."""
        text = type(self)(self.language, error.names or self.names).say(error.said)
        if error.article:
            text = f"{text} ({self.words(error.article)})"
        if other := getattr(error, "other", None):
            text = f"{text} ({self.name(other.who)}, {other.when}: {self.word('fact', other.what)})"
        return text

    def warning(self, caution: Caution) -> str:
        """What to beware of, with the article it rests on."""
        text = type(self)(self.language, caution.names or self.names).say(caution.said)
        return f"{text} ({self.words(caution.article)})" if caution.article else text

    def chosen(self, choice: Choice, value: Any) -> str:
        """Which of several sentences a value asks for."""
        if isinstance(value, bool):
            key = "yes" if value else "no"
        elif not value:
            key = "none"
        elif isinstance(value, str):
            key = value
        elif isinstance(value, Outcome):
            key = "adjourned" if value.white == "?" else "other"
        else:
            key = self.category(value if isinstance(value, int) else len(value))
        if key not in choice.sentences and isinstance(value, int) and not isinstance(value, bool):
            key = self.category(value)
        return key if key in choice.sentences else "other"

    def category(self, amount: int) -> str:
        """The plural category of an amount."""
        return PLURALS[self.language](amount)

    # --- fields

    def field(self, name: str, value: Any, noun: str = "") -> str:
        """A field in words."""
        kind = self.kinds.get(name, "plain")
        if noun and kind == "points":
            return self.tenths(value, noun)
        if noun:
            return self.counted(value if isinstance(value, int) else len(value), noun, value)
        return self.ways[kind](self, name, value)

    def words(self, text: str) -> str:
        """Words as this medium writes them."""
        return text

    def person(self, id: int) -> str:
        """A player by name."""
        name = self.names.get(id)
        if name:
            return self.name(name)
        noun = "nameless" if name is None else "erased"
        return self.words(self.entry("nouns", noun).format(id=id))

    def name(self, name: str) -> str:
        """A name, kept apart where it reads from right to left."""
        return isolated(name)

    def result(self, outcome: Any) -> str:
        """1-0, ½-½, or that the game is adjourned."""
        return self.words(spell(outcome)) if outcome.white != "?" else self.word("result", "adjourned")

    def listed(self, parts: Sequence[str]) -> str:
        """Ada, Ben; with semicolons where a comma belongs to a name."""
        return enumerated(parts)

    def amount(self, value: int) -> str:
        """1,200."""
        return f"{value:,}".replace(",", self.entry("numbers", "thousands"))

    def counted(self, amount: int, noun: str, value: object) -> str:
        """1 round, 1,200 rounds; board 3, boards 1, 3."""
        return self.form(noun, amount).format(n=self.amount(amount), listed=self.cut(value))

    def tenths(self, value: int, noun: str) -> str:
        """½ point, 1 point, 3½ points."""
        return self.form(noun, 1 if 0 < value <= 10 else 2).format(n=points(value))

    def form(self, noun: str, amount: int) -> str:
        """A noun as an amount wants it: its own form for just this amount, or that of the category."""
        own = sentences(self.language, "words")
        words = own if f"nouns.{noun}.other" in own else sentences(ENGLISH, "words")
        forms = (f"nouns.{noun}.{form}" for form in (amount, self.category(amount), "other"))
        return self.words(next(words[form] for form in forms if form in words))

    def games(self, games: Sequence[tuple[int, int]]) -> str:
        """round 1 board 3; round 2 boards 1, 4."""
        rounds: dict[int, list[int]] = {}
        for round, board in games:
            rounds.setdefault(round, []).append(board)
        return "; ".join(
            self.form("games", len(boards)).format(round=round, listed=", ".join(map(str, boards)))
            for round, boards in rounds.items()
        )

    def cut(self, value: object) -> str:
        """Numbers one after the other; of very many the first ones."""
        if not isinstance(value, tuple | list):
            return ""
        listed = ", ".join(map(str, value[:MOST]))
        if len(value) <= MOST:
            return listed
        return self.words(self.entry("nouns", "more")).format(listed=listed, n=len(value) - MOST)

    def word(self, kind: str, value: str) -> str:
        """A word of a table: White, withdrawn; one that no table has is said as it is."""
        try:
            return self.words(self.entry(kind, value))
        except KeyError:
            return self.words(value.replace("_", " "))

    def entry(self, kind: str, key: str) -> Any:
        """What stands in a table of words, in English where the language has none."""
        own, name = sentences(self.language, "words"), f"{kind}.{key}"
        return own[name] if name in own else sentences(ENGLISH, "words")[name]

    ways: ClassVar[Mapping[str, Callable[[Any, str, Any], str]]] = {
        "player": lambda self, _, id: self.person(id),
        "players": lambda self, _, ids: self.listed([self.person(id) for id in ids]),
        "number": lambda self, _, number: self.words(str(number)),
        "count": lambda self, _, amount: self.amount(amount),
        "numbers": lambda self, _, numbers: ", ".join(map(str, numbers)),
        "games": lambda self, _, games: self.games(games),
        "points": lambda self, _, tenths: points(tenths),
        "result": lambda self, _, outcome: self.result(outcome),
        "results": lambda self, _, outcomes: ", ".join(map(self.result, outcomes)),
        "word": lambda self, name, word: self.word(name, word),
        "words": lambda self, name, words: ", ".join(self.word(name.removesuffix("s"), one) for one in words),
        "name": lambda self, _, name: self.name(name),
        "names": lambda self, _, names: self.listed(list(map(self.name, names))),
        "text": lambda self, _, text: self.words(quoted(text)),
        "quote": lambda self, _, text: self.words(quoted(text, 60)),
        "plain": lambda self, _, value: self.words(str(value)),
        "plains": lambda self, _, values: self.words(", ".join(values)),
        "places": lambda self, _, places: self.cut(list(map(self.words, places))),
        "flag": lambda self, _, yes: self.words(str(yes)),
        "message": lambda self, _, message: self.say(message),
        "messages": lambda self, _, messages: "; ".join(map(self.say, messages)),
        "phrases": lambda self, _, messages: ", ".join(map(self.say, messages)),
        "lines": lambda self, _, messages: "\n".join(map(self.say, messages)),
    }
    """How each kind of field is said; a speaker with kinds of its own adds them to these."""


class PageSpeaker(Speaker):
    """Says messages in HTML: all is escaped, names are isolated, a result stays in one piece."""

    def words(self, text: str) -> str:
        return text.translate(ESCAPED)

    def name(self, name: str) -> str:
        return f"<bdi>{name.translate(ESCAPED)}</bdi>"

    def result(self, outcome: Any) -> str:
        return f'<span class="nw">{super().result(outcome)}</span>'


class Remark(Struct, frozen=True, kw_only=True):
    """Something to be told."""

    text: str
    """In English."""
    message: Message
    """For every language."""
    people: dict[int, str] = {}
    """Names of the players it speaks of, by id."""


def told(message: Message, names: Mapping[int, str] = {}) -> Remark:
    """A message with its English words."""
    people = {id: names[id] for id in people_of(message) if id in names}
    return Remark(text=Speaker(names=people).say(message), message=message, people=people)


def problem_of(error: Exception, said: Message | None, detail: str, speaker: Speaker) -> dict[str, Any]:
    """A refusal for programs, with the members every door gives it (RFC 9457)."""
    kind = type(error)
    title = (kind.__doc__ or "Refused").strip().splitlines()[0].removesuffix(".").replace("`", "")
    members: dict[str, Any] = {"type": f"/problems/{dashed(kind)}", "title": title, "detail": detail}
    if said is not None:
        members |= {"code": said.code, **spoken_of(said, getattr(error, "names", {}))}
    if isinstance(error, NeedsAcknowledgement):
        members["warnings"] = [
            {
                "level": one.level,
                "code": one.answer,
                "message": speaker.warning(one),
                **spoken_of(one.said, one.names),
            }
            for one in error.warnings
        ]
    return members


def dashed(kind: type[Any]) -> str:
    """The name of a class for people and programs: RoundIncomplete is ``round-incomplete``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


def spoken_of(message: Message, names: Mapping[int, str]) -> dict[str, Any]:
    """The fields of a message, and the names of the players among them."""
    people = {id: names[id] for id in people_of(message) if id in names}
    return {"fields": message.fields, "people": people}


def isolated(name: str) -> str:
    """A name that reads from right to left, so that what follows it keeps its place."""
    turned = any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name)
    return f"\u2068{name}\u2069" if turned else name


def quoted(text: str, longest: int = LONGEST) -> str:
    """What somebody typed, in quotes, cut at one length, control characters shown."""
    return repr(text if len(text) <= longest else f"{text[:longest]}…")
