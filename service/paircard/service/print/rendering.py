"""Templates and strings into pages: escaped by default, undefined names refused; and the head of a page."""

from collections.abc import Callable, Hashable, Mapping, MutableMapping
from datetime import date
from functools import cache
from importlib.resources import files
from threading import RLock
from typing import Any, ClassVar, Final, Literal, TypeAlias
from urllib.parse import quote, urlencode

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from paircard.domain.errors import Caution, PaircardError
from paircard.domain.messages import Message
from paircard.domain.proof.checkpoints import printed
from paircard.domain.speaking import ENGLISH, LANGUAGES, PageSpeaker, Remark, Speaker, isolated
from paircard.domain.state import entered
from paircard.domain.values.foreign import day_of
from paircard.domain.values.regulations import rounds_for
from paircard.domain.values.results import points
from paircard.domain.values.text import label
from paircard.projections.log_lines import LogLine
from paircard.projections.trf.records import Report
from paircard.service.moment import Moment
from paircard.service.pairing_sheets import Round

Said: TypeAlias = Message | PaircardError | Caution | Remark
"""What other rooms have to say, before it is put into words."""
FOLDER: Final = "paircard.service.print"


class Links(msgspec.Struct, frozen=True):
    """Addresses of the pages of one tournament; a page in a file has none."""

    base: str
    """Address of the tournament's first page, without a slash at the end."""
    at: str = ""
    """The moment the pages show; empty for now."""

    def __call__(self, *parts: object, **query: object) -> str:
        """The address of a page below the tournament's own."""
        asked = {key.rstrip("_"): str(value) for key, value in query.items() if value not in (None, "")}
        if self.at and "at" not in asked:
            asked["at"] = self.at
        if asked.get("at") == "now":
            del asked["at"]
        path = "/".join((self.base, *(quote(str(part)) for part in parts)))
        return f"{path}?{urlencode(asked)}" if asked else path


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What is now so, because of a form."""

    registered: tuple[str, ...] = ()
    """Names of the players who were registered."""
    updated: int = 0
    """Players whose data were corrected, where there are several."""
    lines: tuple[LogLine, ...] = ()
    """The other facts."""
    more: int = 0
    """Further ones that are not said one by one."""
    undo: str = ""
    """The facts that a button takes back, like ``57-79``; empty if there is no way back."""
    revoked: str = ""
    """Who may no longer come in."""
    nothing: bool = False


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """How a page is made, whatever it shows."""

    language: str = ENGLISH
    stylesheet: str = ""
    """Address of the style sheet; a page without one carries the style in itself."""
    icon: str = ""
    """Address of the icon."""
    scripts: tuple[str, ...] = ()
    """Addresses of the scripts of the page."""
    links: Links | None = None
    """Where the other pages are; a page in a file has no links."""
    here: str = ""
    """Address of the page itself, to come back to after choosing a language."""
    address: str = ""
    """The whole address of the page, to show a link to it."""
    steps: tuple[str, str] = ("", "")
    """Addresses of this page one fact earlier and one later, if it shows the past."""
    feed: str = ""
    """Address of the stream that says when to look again."""
    desk: bool = False
    """Whether the reader is an arbiter of the tournament."""
    told: Told | None = None
    """What the form came to that led to this page."""
    key: str = ""
    """The key of the form that takes it back."""
    log: bool = False
    """Whether the reader may see the log, with names and reasons."""


class Pieces:
    """Pieces of a page that were made before, by what they show: a macro is called once for the same."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Markup] = {}

    def __call__(self, macro: Callable[..., Markup], *shown: Hashable) -> Markup:
        """The piece that a macro makes of these values."""
        if shown not in self._made:
            self._made[shown] = macro(*shown)
        return self._made[shown]


FILE: Final = Frame()
"""A page that is one file: no links, no script, nothing loaded."""


# --- what every page shows: the tournament in its head, results in two halves


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the head of a page shows it."""

    name: str
    place: str = ""
    federation: str = ""
    starts: str = ""
    ends: str = ""
    time_control: str = ""
    arbiter: str = ""
    edition: str = ""
    players: int = 0
    rounds: int = 0
    paired: int = 0
    current: int = 0
    """The round people are in."""
    boards: int = 0
    """Its boards."""
    open_games: int = 0
    """Those of them without a result."""
    published: bool = True
    """Whether that round is published."""
    closed: bool = False
    fide_mode: bool = True
    prizes: bool = False
    """Whether groups or prizes are announced."""
    version: int = 0
    when: str = ""
    """Number and time of the last fact."""
    head: str = ""
    """Length and last hash of the log, as printed on paper; empty for the public, whose log has no hashes."""


ANNOUNCED: Final = ("name", "place", "federation", "starts", "ends", "time_control", "edition")
"""Regulations that the head of a page shows."""


def event_of(moment: Moment) -> Event:
    """The tournament at a moment."""
    return moment.once("event", lambda: make_event(moment))


def make_event(moment: Moment) -> Event:
    rules = moment.regulations
    rounds = moment.state.rounds
    current = moment.state.current
    last = rounds[current - 1] if rounds else None
    hash = moment.facts[-1].hash
    return Event(
        **{name: getattr(rules, name) for name in ANNOUNCED},
        arbiter=rules.chief_arbiter,
        players=len(entered(moment.state)),
        rounds=rules.rounds or rounds_for(rules, len(entered(moment.state))),
        paired=len(rounds),
        current=current,
        boards=len(last.histories) if last else 0,
        open_games=len(last.open_boards()) if last else 0,
        published=last is None or last.published,
        closed=moment.state.closed,
        fide_mode=moment.state.fide_mode,
        prizes=bool(rules.categories or (rules.prizes and rules.prizes.prizes)),
        version=moment.version,
        when=moment.facts[-1].when,
        head=printed(moment.version, hash) if hash else "",
    )


def event_of_report(report: Report, name: str) -> Event:
    """The tournament of a report file, called like its file if it has no name (TRF26 012 to 102)."""
    return Event(
        name=report.text("012") or name,
        place=report.text("022"),
        federation=report.text("032"),
        starts=day_of(report.text("042")) or report.text("042"),
        ends=day_of(report.text("052")),
        arbiter=report.text("102"),
    )


MARKS: Final[Mapping[str, str]] = {"=": "½", "D": "½", "W": "1", "L": "0", "-": "−", "?": "?", "": "·"}
"""How a letter is shown where it is not itself."""
SIDES: Final[Mapping[str, str]] = {"1F": "+", "0F": "−", "W": "1", "D": "½", "L": "0"}
"""How a side of a result is shown where it is not itself."""


class Result(msgspec.Struct, frozen=True):
    """A result as a board shows it."""

    white: str
    black: str
    note: str = ""
    """``forfeit``, ``unrated`` or empty."""


def result_of(text: str | None) -> Result | None:
    """Both halves of a result such as ``½-½`` or ``1F-0F``; none while there is none."""
    if not text or text == "adjourned":
        return None
    white, black = text.split("-")
    note = "forfeit" if "F" in text else "unrated" if white in "WDL" else ""
    return Result(SIDES.get(white, white), SIDES.get(black, black), note)


def results_in(round: Round) -> int:
    """How many boards have a result."""
    return sum(result_of(board.result) is not None for board in round.boards)


def absence(letter: str, reason: str) -> str:
    """Why somebody has no board, as a key of the catalogue."""
    return reason if reason in ("withdrawn", "expelled", "free") else letter


# --- templates


class Templates(Environment):
    """Compiles each template once: several threads doing it would hold up all others in the process."""

    turn: Final = RLock()

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,
    ) -> Template:
        """A template, from the cache once it was compiled."""
        with self.turn:
            return super().get_template(name, parent, globals)


@cache
def environment(*folders: str) -> Environment:
    """The templates of these packages, and those of the pages that are also files."""
    made = Templates(
        loader=ChoiceLoader([PackageLoader(folder) for folder in (*folders, FOLDER)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"points": points, "halves": result_of, "isolate": isolated}
    made.globals |= {"absence": absence, "label": label}
    return made


@cache
def style() -> str:
    """The style sheet of every page."""
    return files(FOLDER).joinpath("paircard.css").read_text(encoding="utf-8")


def render(template: str, frame: Frame = FILE, /, *folders: str, **values: object) -> str:
    """A whole page; its template may be in one of these packages."""
    return (
        environment(*folders)
        .get_template(template)
        .render(
            t=language(frame.language),
            style="" if frame.stylesheet else Markup(style()),
            frame=frame,
            link=frame.links,
            tongues=list(map(language, LANGUAGES)),
            **values,
        )
    )


def page_of(moment: Moment, template: str, frame: Frame = FILE, /, *folders: str, **values: object) -> str:
    """A page about a tournament at a moment, which its head tells of."""
    return render(template, frame, *folders, event=event_of(moment), **values)


# --- strings


class StringSpeaker(PageSpeaker):
    """Says the strings of the pages: their fields are values of a template, markup or not."""

    kinds: Mapping[str, str] = {"n": "count"}
    """Of the fields, those that are not said as they are."""
    ways: ClassVar = {
        **PageSpeaker.ways,
        "plain": lambda self, _, value: value if isinstance(value, Markup) else escape(isolated(str(value))),
        "count": lambda self, _, value: self.amount(value) if isinstance(value, int) else escape(value),
    }


class Language:
    """The words of the pages in one language. Call it with a code and the values of its string."""

    def __init__(self, code: str) -> None:
        self.strings = StringSpeaker(code)
        self.code: Final = self.strings.language

    def __call__(self, code: str, n: int | None = None, /, **values: object) -> Markup:
        """A string of the pages with its values; ``n`` chooses between one and several."""
        if n is not None:
            values["n"] = n
        return Markup(self.strings.say(Message(code, values)))

    def word(self, kind: str, value: str) -> Markup:
        """A word of a table: White, withdrawn, federation."""
        return Markup(self.strings.word(kind, value))

    def say(self, said: Said) -> Markup:
        """What another room says, with its names isolated."""
        return Markup(spoken(PageSpeaker, self.code, said))

    def plain(self, said: Said) -> str:
        """What another room says, as text for an attribute or a script."""
        return spoken(Speaker, self.code, said)

    def days(self, first: str, last: str = "") -> str:
        """A day or several of them: 14–20 November 2026."""
        return days_in(str(self.strings.entry("language", "locale")), first, last or first)

    def moment(self, when: str) -> str:
        """A moment of the log: 14 Nov 2026, 04:47 UTC."""
        day = days_in(str(self.strings.entry("language", "locale")), when[:10], when[:10], "medium")
        return f"{day}, {when[11:16]} UTC"

    def decimal(self, text: str) -> str:
        """A number with the decimal sign of the language: 14.5, in Italian 14,5."""
        return text.replace(".", str(self.strings.entry("numbers", "decimal")))

    @property
    def direction(self) -> str:
        """How the language is written: ``ltr`` or ``rtl``."""
        return str(self.strings.entry("language", "direction"))

    @property
    def name(self) -> str:
        """The language in its own words."""
        return str(self.strings.entry("language", "name"))


@cache
def days_in(locale: str, first: str, last: str, length: Literal["long", "medium"] = "long") -> str:
    """Days as people of a place write them; as they are stored where Babel is not installed."""
    try:
        from babel.core import Locale
        from babel.dates import format_date

        start, end = date.fromisoformat(first), date.fromisoformat(last)
    except (ImportError, ValueError):
        return " – ".join(dict.fromkeys((first, last)))
    place = Locale.parse(locale)
    if start == end:
        return format_date(start, length, place)
    differs = "y" if start.year != end.year else "M" if start.month != end.month else "d"
    found = place.interval_formats["yMMMd"][differs]
    patterns = [one.replace("MMM", "MMMM").replace("dd", "d") for one in found]
    return "".join(format_date(day, one, place) for day, one in zip((start, end), patterns, strict=True))


def spoken(kind: type[Speaker], code: str, said: Said) -> str:
    """A message, a refusal, a warning or a line of the log in one language."""
    match said:
        case Remark(message=message, people=people):
            return kind(code, people).say(message)
        case Caution():
            return kind(code).warning(said)
        case PaircardError():
            return kind(code).refusal(said)
        case _:
            return kind(code).say(said)


@cache
def language(code: str = ENGLISH) -> Language:
    """The language with this code; English if there is no such language."""
    return Language(code)
