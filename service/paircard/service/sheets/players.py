"""Players from a sheet with the column names of the programs arbiters use, and what importing it would do."""

import csv
import io
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import Command, CorrectPlayer, RegisterPlayer
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import regulations_of, signed
from paircard.domain.deciding.players import UnusedRatings, unused_ratings
from paircard.domain.errors import Caution, Invalid, PaircardError, need_kind
from paircard.domain.messages import Message, say
from paircard.domain.state import Player, Tournament, entered, fold, name_among
from paircard.domain.values.foreign import SEXES, birth_of, title_of
from paircard.domain.values.names import fold_name, same_words, spelling_key
from paircard.domain.values.players import MANUAL, TITLES, Changes, Details, check_details, likeness, rated
from paircard.domain.values.regulations import Regulations, lists_of
from paircard.service.desk import Person, trying
from paircard.service.sheets.table import DELIMITERS, Table, TableLine, between_remarks, plain_label

_LABELS: Final = tomllib.loads(files(__package__).joinpath("columns.toml").read_text(encoding="utf-8"))
COLUMNS: Final[dict[str, list[str]]] = _LABELS["fields"]
"""Field, and what its column is called."""
PLACES: Final = frozenset(_LABELS["places"])
"""Columns that say where somebody stands in the list."""
SKIPPED: Final = PLACES | frozenset(_LABELS["unused"])
"""Columns, of other programs and of our own list, that say nothing about the person."""
NUMBERS: Final = ("rating", "fide_rating", "rapid_rating", "blitz_rating", "national_rating", "fide_id",
                  "k_factor")  # fmt: skip
UNRATED: Final = frozenset(["", "-", "0", "unr", "unrated", "none", "n/a", "e", "nr"])
CELL_ERROR: Final = re.compile(r"#(N/A|N/D|NV|[A-Z/0]+[!?])")
"""What a spreadsheet shows for an error."""
YES: Final = frozenset(["yes", "y", "x", "1", "true"])


NotFides: TypeAlias = defaultdict[tuple[str, str], list[int]]
"""Lines with a rating that Papi marks as another than FIDE's, by field and mark."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a sheet."""

    players: tuple[tuple[int, Details], ...]
    """Line and player."""
    faults: tuple[Invalid, ...]
    """Everything wrong with the sheet; with one, nothing is taken."""
    skipped: tuple[str, ...]
    """Columns with names that nobody knows."""
    unused: tuple[str, ...] = ()
    """Columns that hold something a tournament has no place for, such as a group."""
    notes: tuple[Message, ...] = ()
    """What else was left out or read in a special way."""


def players_of(table: Table) -> Sheet:
    """The players of a table; every fault of it in one go."""
    need_kind("table", table, Table)
    table = between_remarks(table, names_people)
    fields, skipped = fields_of(table)
    if "title" not in fields and (at := unnamed_titles(table)) is not None:
        fields[at] = "title"
    remarks = [f"{line.number} {' '.join(line.cells).strip()[:40]!r}" for line in table.around]
    notes = table.notes
    if remarks:
        notes.append(say("import.remarks", count=len(remarks), places=remarks))
    not_fides: NotFides = defaultdict(list)
    players: list[tuple[int, Details]] = []
    faults: list[Invalid] = []
    for line in table.lines:
        try:
            players.append((line.number, details_of(line, fields, not_fides, computed=not table.encoding)))
        except Invalid as wrong:
            faults.append(in_line(line.number, wrong))
    if not players and not faults:
        faults.append(Invalid("import.no-players"))
    for (field, mark), lines in not_fides.items():
        notes.append(say("import.rating-not-fides", label=field, code=mark, numbers=lines))
    unused = [
        name
        for at, name in enumerate(table.heading.cells)
        if not fields[at]
        and name not in skipped
        and plain_label(name) not in PLACES
        and any(line.cells[at : at + 1] not in ((), ("",)) for line in table.lines)
    ]
    return Sheet(
        players=tuple(players),
        faults=tuple(faults),
        skipped=tuple(skipped),
        unused=tuple(unused),
        notes=tuple(notes),
    )


def in_line(number: int, wrong: PaircardError) -> Invalid:
    """What is wrong with a line of the sheet."""
    fault = Invalid("import.line", line=number, what=wrong.said)
    fault.names, fault.article = wrong.names, wrong.article
    return fault


def names_people(line: TableLine) -> bool:
    """Whether a line is the heading of a list of people: it names a column for them, and another one."""
    fields = [BY_LABEL.get(plain_label(cell), "") for cell in line.cells]
    return bool({"name", "family"} & set(fields)) and len(set(filter(None, fields))) > 1


def unnamed_titles(table: Table) -> int | None:
    """The column without a name that holds nothing but titles, as chess-results has one."""
    for at, name in enumerate(table.heading.cells):
        values = {line.cells[at].upper() for line in table.lines if not name and at < len(line.cells)}
        if values - {""} and values <= set(TITLES):
            return at
    return None


BY_LABEL: Final = {
    each: field for field, labels in COLUMNS.items() for each in (*labels, field.replace("_", ""))
}


def fields_of(table: Table) -> tuple[list[str], list[str]]:
    """The field of each column, empty for one that is not taken, and the names of those."""
    heading = table.heading
    plain = list(map(plain_label, heading.cells))
    fields = [BY_LABEL.get(label, "") for label in plain]
    for at, field in enumerate(fields):
        if field and field in fields[:at]:
            raise Invalid("import.column-twice", line=heading.number, label=field, text=heading.cells[at])
    known = zip(heading.cells, plain, fields, strict=True)
    skipped = [name for name, label, field in known if not field and label not in SKIPPED]
    if not {"name", "family"} & set(fields):
        if table.unread:
            raise Invalid("import.no-name-in-first", names=table.unread)
        raise Invalid("import.no-name-column", line=heading.number, known=tuple(COLUMNS))
    return fields, skipped


def details_of(line: TableLine, fields: list[str], not_fides: NotFides, *, computed: bool) -> Details:
    """One line as a player; Invalid says what is wrong with it.

    Where cells are ``computed``, in a workbook, one that shows its formula has no result yet.
    """
    if len(line.cells) > len(fields):
        raise Invalid("import.too-many-values", count=len(line.cells), most=len(fields))
    if other := parted_otherwise(line, len(fields)):
        raise Invalid("import.parted-otherwise", text=other)
    values: dict[str, Any] = {field: value for field, value in zip(fields, line.cells, strict=False) if field}
    for field, value in values.items():
        if CELL_ERROR.fullmatch(value) or (computed and value.startswith("=")):
            raise Invalid("import.no-result", label=field, text=value)
    if "family" in values:
        both = (values.pop("family"), values.pop("given", ""))
        values["name"] = values.get("name") or ", ".join(filter(None, both))
    values.pop("given", None)
    values.setdefault("name", "")
    part_papi_ratings(values, line.number, not_fides)
    for field in NUMBERS:
        if field in values:
            values[field] = number(field, values[field])
    sex = values.get("sex", "").lower()
    if sex not in SEXES:
        raise Invalid("import.sex-unknown", text=sex)
    values["sex"] = SEXES[sex]
    values["title"] = title_of(values.get("title", ""))
    values["federation"] = values.get("federation", "").upper().strip("-")
    born = values.get("birth", "")
    values["birth"] = birth_of(born) or (born if born.strip("0-") else "")
    values["estimated"] = values.get("estimated", "").casefold() in YES
    details = Details(**values)
    check_details(details)
    return details


def parted_otherwise(line: TableLine, columns: int) -> str:
    """The sign that parts this line where another parts the file; of two columns it may be part of a name."""
    if columns < 3 or any(line.cells[1:]):
        return ""
    return next((sign for sign in DELIMITERS if line.cells[0].count(sign) == columns - 1), "")


def part_papi_ratings(values: dict[str, Any], line: int, not_fides: NotFides) -> None:
    """Papi marks each rating: ``1850 F`` is FIDE's, ``N`` the national one, ``E`` estimated."""
    for field in ("fide_rating", "rapid_rating", "blitz_rating"):
        found = re.fullmatch(r"([0-9]{1,4}) ?([FNE])", values.get(field, ""))
        if found is None:
            continue
        rating, mark = found.groups()
        values[field] = rating if mark == "F" else ""
        if mark != "F" and field != "fide_rating":
            not_fides[field, mark].append(line)
        elif mark == "N":
            values.setdefault("national_rating", rating)
        elif mark == "E" and not values.get("rating"):
            values |= {"rating": rating, "estimated": "yes"}


def number(field: str, text: str) -> int:
    """A rating or an id; ``unr`` and the like are 0."""
    if text.casefold() in UNRATED:
        return 0
    digits = text.removesuffix(".0")
    if not re.fullmatch(r"[0-9]{1,12}", digits):
        raise Invalid("import.not-a-number", label=field, text=text)
    return int(digits)


# --- what an import would do: who is new, who has other data, what is wrong


FIELDS: Final = tuple(field for field in COLUMNS if field not in ("family", "given"))
"""Columns of a sheet that are data of a player."""


class KnownPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of the sheet who is registered."""

    line: int
    player: int
    name: str
    says: Details
    """The line of the sheet."""
    status: str
    """``withdrawn`` or ``expelled``, which a sheet does not change; empty for who takes part."""
    differs: tuple[tuple[str, str, str], ...]
    """Field, what is registered, what the import makes of it."""
    changes: Changes
    """The correction that makes it so."""


class Registration(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would do. Nothing was written."""

    new: tuple[tuple[int, Details], ...]
    """Line and player."""
    known: tuple[KnownPlayer, ...]
    missing: tuple[str, ...]
    """Names of players who take part and are not in the sheet; they stay."""
    faults: tuple[Invalid, ...]
    """With one, nothing is taken."""
    skipped: tuple[str, ...]
    """Columns that were not taken."""
    warnings: tuple[Caution, ...]
    """To be accepted when it is made."""
    ratings: tuple[int, ...] = ()
    """The ratings of those who are new, as the tournament counts them."""
    unused: UnusedRatings = UnusedRatings()
    """Ratings that are known by then and that the tournament does not use."""
    notes: tuple[Message, ...] = ()
    """What else was left out of the sheet or read in a special way."""

    @property
    def updated(self) -> tuple[KnownPlayer, ...]:
        """Those whose data the sheet changes."""
        return tuple(one for one in self.known if one.differs)

    def refusal(self) -> Invalid:
        """All faults in one refusal."""
        whole = Invalid("import.faults", reasons=[fault.said for fault in self.faults])
        whole.names = {id: name for fault in self.faults for id, name in fault.names.items()}
        return whole

    def commands(self) -> list[tuple[int, Command]]:
        """Line and command of each entry and each correction, in the order of the sheet."""
        found: list[tuple[int, Command]] = [(line, RegisterPlayer(details=new)) for line, new in self.new]
        found += [(one.line, CorrectPlayer(player=one.player, changes=one.changes)) for one in self.updated]
        return sorted(found, key=lambda one: one[0])


def plan_registration(state: Tournament, sheet: Sheet, by: Person) -> Registration:
    """What importing a sheet would do: register the new, correct those who are registered."""
    need_kind("sheet", sheet, Sheet)
    meta = trying(by)
    regulations = regulations_of(state)
    roll = Roll(entered(state))
    new: list[tuple[int, Details]] = []
    ratings: list[int] = []
    known: dict[int, KnownPlayer] = {}
    faults = list(sheet.faults)
    warnings: list[Caution] = []
    for line, details in sheet.players:
        try:
            player = roll.find(details)
            if player is None:
                command: Command = RegisterPlayer(details=details)
                new.append((line, details))
                ratings.append(rated(details, lists_of(regulations)).rating)
            elif player.id in known:
                first = known[player.id]
                raise Invalid("import.same-player", name=details.name, line=first.line, who=first.name)
            else:
                known[player.id] = one = compare(line, player, details, regulations)
                if not one.differs:
                    continue
                command = CorrectPlayer(player=player.id, changes=one.changes)
            decision = weigh(state, signed(command, meta))
        except PaircardError as refusal:
            faults.append(in_line(line, refusal))
            continue
        state = fold(decision.events, state)
        warnings += decision.warnings
    absent = [one for one in roll.players if one.id not in known and not one.status]
    return Registration(
        new=tuple(new),
        known=tuple(known.values()),
        missing=tuple(one.details.name for one in absent),
        faults=tuple(faults),
        skipped=(*sheet.skipped, *sheet.unused),
        ratings=tuple(ratings),
        unused=unused_ratings(state),
        notes=sheet.notes,
        warnings=tuple(warnings),
    )


class Roll:
    """Those who are registered, to be found by FIDE id or by name."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.players = players
        self._by_id = {one.details.fide_id: one for one in players if one.details.fide_id}
        self._by_key: dict[str, list[Player]] = {}
        for one in players:
            for key in keys_of(one.details):
                self._by_key.setdefault(key, []).append(one)

    def find(self, details: Details) -> Player | None:
        """Who is registered as this person: by id where both have one, else by name and year of birth."""
        words = set(fold_name(details.name).split())
        namesakes = {one.id: one for key in keys_of(details) for one in self._by_key.get(key, ())}.values()
        if player := self._by_id.get(details.fide_id):
            # a name may be spelled otherwise, but an id typed wrongly must not rename somebody else
            theirs = player.details.name
            if same_words(details.name, theirs) or words & set(fold_name(theirs).split()):
                return player
            raise Invalid("import.id-of-another", id=str(details.fide_id), who=theirs, name=details.name)
        found = [one for one in namesakes if likeness(one.details, details) == "same"]
        if len(found) > 1:
            names = [name_among(found, one.id) for one in found]
            raise Invalid("import.may-be", name=details.name, names=names)
        return found[0] if found else None


def keys_of(details: Details) -> tuple[str, ...]:
    """Where to look for somebody who may be the same person: by name, and by national id."""
    return spelling_key(details.name), *([f"#{details.national_id}"] if details.national_id else [])


def compare(line: int, player: Player, details: Details, regulations: Regulations) -> KnownPlayer:
    """What the sheet says otherwise of somebody who is registered; an empty cell says nothing.

    A rating that a list gave follows that list; one that was typed in stays, unless the sheet has another.
    """
    now = player.details
    news = news_of(now, details, FIELDS)
    if is_poorer(now.name, details.name):
        news.pop("name", None)
    if not details.rating and (not now.rating or now.rating_source not in ("", MANUAL)):
        news |= rating_by_lists(now, news, regulations)
    return KnownPlayer(
        line=line,
        player=player.id,
        name=now.name,
        says=details,
        status=player.status,
        differs=tuple(
            (field, shown(getattr(now, field)), shown(says))
            for field, says in news.items()
            if field != "rating_source"
        ),
        changes=Changes(**news),
    )


def rating_by_lists(now: Details, news: dict[str, Any], regulations: Regulations) -> dict[str, Any]:
    """The tournament rating that the lists of the regulations give after a change, and its source, where it
    is another one; nothing if they have none."""
    then = rated(replace(now, **{**news, "rating": 0, "rating_source": ""}), lists_of(regulations))
    another = then.rating not in (0, now.rating)
    return {"rating": then.rating, "rating_source": then.rating_source} if another else {}


def shown(value: object) -> str:
    """A value for people; empty for none."""
    return "yes" if value is True else str(value or "")


def news_of(now: Details, theirs: Details, fields: Iterable[str]) -> dict[str, Any]:
    """What a sheet or a list says otherwise; nothing, and the year of a known day of birth, are no news."""
    known = {field: getattr(theirs, field) for field in fields}
    if now.birth.startswith(theirs.birth):
        del known["birth"]
    return {field: says for field, says in known.items() if says and says != getattr(now, field)}


def is_poorer(was: str, says: str) -> bool:
    """Whether this is the same name without its accents or its comma."""
    poorer = (says.isascii() and not was.isascii()) or ("," in was and "," not in says)
    return poorer and same_words(says, was)


def sheet_text(players: Iterable[Details]) -> str:
    """Players as a sheet that reads as the same players."""
    out = io.StringIO()
    rows = [[shown(getattr(one, field)) for field in FIELDS] for one in players]
    csv.writer(out, lineterminator="\n").writerows([FIELDS, *rows])
    return out.getvalue()
