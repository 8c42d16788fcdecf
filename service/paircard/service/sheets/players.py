"""Players from a sheet, with the column names of the programs arbiters use."""

import re
from typing import Any, Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.values.players import Details, check_details
from paircard.domain.values.text import label
from paircard.projections.trf.format.dates import day_of
from paircard.projections.trf.importing.details import OLD_TITLES
from paircard.service.sheets.table import Line, Table, plain_label

COLUMNS: Final = {
    "name": ("name", "player", "playername", "fullname", "namelastfirst", "teilnehmername", "spieler",
             "spielername", "username"),
    "family": ("surname", "lastname", "familyname", "nom", "nachname", "apellidos", "cognome"),
    "given": ("firstname", "givenname", "prenom", "prénom", "vorname", "nombre", "nome"),
    "sex": ("sex", "gender", "sexe", "geschlecht", "sesso"),
    "title": ("title", "tit", "titel", "titre", "titolo", "fidetitel"),
    "rating": ("rating", "tournamentrating"),
    "fide_rating": ("fiderating", "rtg", "rtgi", "rtgint", "ratingint", "irtg", "elo", "eloi", "eloint",
                    "ratfide", "standard", "std", "elofide", "fideelo"),
    "rapid_rating": ("rapidrating", "rapid", "rapide", "rpd", "ratrapid"),
    "blitz_rating": ("blitzrating", "blitz", "blz", "ratblitz"),
    "national_rating": ("nationalrating", "rtgn", "rtgnat", "ratingnat", "nrtg", "elonat", "ratnat", "nwz",
                        "dwz"),
    "federation": ("federation", "fed", "fede", "country", "land", "fideland", "fédération"),
    "fide_id": ("fideid", "fideno", "idfide", "fidecode", "fidekenn", "fide", "codefide"),
    "national_id": ("nationalid", "nationalno", "idnat", "idno", "identno", "pkz", "nrffe", "id"),
    "birth": ("birth", "birthday", "birthdate", "bday", "born", "dateofbirth", "geburt", "nele", "year",
              "yearofbirth", "geburtsdatum", "geburtsjahr"),
    "club": ("club", "clubcity", "clubname", "verein", "ligue", "circolo", "societa"),
    "estimated": ("estimated", "ratingestimated"),
}  # fmt: skip
"""Field, and what its column is called: ours, FIDE's, and those of Swiss-Manager, chess-results, Vega, Papi,
SwissChess and lichess, without case and signs."""

SKIPPED: Final = frozenset(
    ["", "no", "nr", "snr", "rank", "rk", "start", "startno", "startnumber", "type", "typ", "group", "gr",
     "grp", "clubnumber", "points", "pts", "attribute", "k", "kfactor", "number", "playerid", "status",
     "outoffidemode"]
)  # fmt: skip
"""Columns, of other programs and of our own list, that say nothing about the person."""

NUMBERS: Final = ("rating", "fide_rating", "rapid_rating", "blitz_rating", "national_rating", "fide_id")
UNRATED: Final = frozenset(["", "-", "0", "unr", "unrated", "none", "n/a", "e", "nr"])
YES: Final = frozenset(["yes", "y", "x", "1", "true"])
SEXES: Final = {"m": "m", "male": "m", "w": "w", "f": "w", "female": "w", "": ""}


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a sheet."""

    players: tuple[tuple[int, Details], ...]
    """Line and player."""
    faults: tuple[str, ...]
    """Everything wrong with the sheet; with one, nothing is taken."""
    skipped: tuple[str, ...]
    """Columns that were not taken."""


def players_of(table: Table) -> Sheet:
    """The players of a table; every fault of it in one go."""
    fields, skipped = fields_of(table.heading)
    players: list[tuple[int, Details]] = []
    faults: list[str] = []
    for line in table.lines:
        try:
            players.append((line.number, details_of(line, fields)))
        except Invalid as wrong:
            faults.append(f"line {line.number}: {wrong}")
    if not players and not faults:
        faults.append("contains no players, only the heading line")
    return Sheet(players=tuple(players), faults=tuple(faults), skipped=tuple(skipped))


def fields_of(heading: Line) -> tuple[list[str], list[str]]:
    """The field of each column, empty for one that is not taken, and the names of those."""
    by_label = {each: field for field, labels in COLUMNS.items() for each in labels}
    by_label |= {field.replace("_", ""): field for field in COLUMNS}
    fields: list[str] = []
    skipped: list[str] = []
    for name in heading.cells:
        plain = plain_label(name)
        field = by_label.get(plain, "")
        if field and field in fields:
            raise Invalid(f"line {heading.number}: two columns for the {label(field)}, {name!r} is one")
        fields.append(field)
        if not field and plain not in SKIPPED:
            skipped.append(name)
    if not {"name", "family"} & set(fields):
        known = ", ".join(COLUMNS)
        raise Invalid(f"line {heading.number}: no column 'name'; the columns are {known}")
    return fields, skipped


def details_of(line: Line, fields: list[str]) -> Details:
    """One line as a player; Invalid says what is wrong with it."""
    if len(line.cells) > len(fields):
        raise Invalid(f"{len(line.cells)} values under {len(fields)} headings")
    values: dict[str, Any] = {field: value for field, value in zip(fields, line.cells, strict=False) if field}
    if "family" in values:
        both = (values.pop("family"), values.pop("given", ""))
        values["name"] = values.get("name") or ", ".join(filter(None, both))
    values.pop("given", None)
    values.setdefault("name", "")
    for field in NUMBERS:
        if field in values:
            values[field] = number(field, values[field])
    sex = values.get("sex", "").lower()
    if sex not in SEXES:
        raise Invalid(f"sex {sex[:20]!r} is unknown: m, w or f, or nothing")
    values["sex"] = SEXES[sex]
    title = values.get("title", "")
    values["title"] = OLD_TITLES.get(title, title.upper().replace("-", ""))
    values["federation"] = values.get("federation", "").upper().strip("-")
    values["birth"] = birth(values.get("birth", ""))
    values["estimated"] = values.get("estimated", "").casefold() in YES
    details = Details(**values)
    check_details(details)
    return details


def number(field: str, text: str) -> int:
    """A rating or an id; ``unr`` and the like are 0."""
    if text.casefold() in UNRATED:
        return 0
    digits = text.removesuffix(".0")
    if not re.fullmatch(r"[0-9]{1,12}", digits):
        raise Invalid(f"{label(field)} {text[:40]!r} is not a number")
    return int(digits)


def birth(text: str) -> str:
    """A year or a day of birth, in the usual spellings; what is none is for ``check_details`` to refuse."""
    if text in ("", "0", "-") or re.fullmatch(r"[0-9]{4}", text):
        return text.strip("0-") and text
    if re.fullmatch(r"[0-9]{4}[-/.]00[-/.]00", text):
        return text[:4]
    return day_of(text) or text
