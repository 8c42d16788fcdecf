"""Players from a sheet, with the column names of the programs arbiters use."""

import re
from typing import Any, Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.values.players import TITLES, Details, check_details
from paircard.domain.values.text import label
from paircard.projections.trf.columns import day_of
from paircard.projections.trf.importing import OLD_TITLES
from paircard.projections.trf.notes import Notes
from paircard.service.sheets.table import Line, Table, between_remarks, plain_label

COLUMNS: Final = {
    "name": ("name", "player", "playername", "fullname", "namelastfirst", "teilnehmername", "spieler",
             "spielername", "username", "teilnehmer", "nazwiskoimie", "surnameandname", "jugador", "jugadora",
             "apellidosynombre", "apellidosnombre", "nombreyapellidos", "giocatore", "nominativo",
             "giocatrice", "cognomenome", "cognomeenome", "nomecognome", "joueur", "nomprenom"),
    "family": ("surname", "lastname", "familyname", "nom", "nachname", "apellidos", "apellido",
               "primerapellido", "cognome", "nazwisko"),
    "given": ("firstname", "givenname", "prenom", "vorname", "nombre", "nombres", "nome", "imie"),
    "sex": ("sex", "gender", "sexe", "genre", "geschlecht", "sesso", "genere", "sexo", "genero", "plec"),
    "title": ("title", "tit", "titel", "titre", "titolo", "titulo", "fidetitel", "fidetitre", "titulofide",
              "titolofide", "tytul"),
    "rating": ("rating", "tournamentrating", "ranking"),
    "fide_rating": ("fiderating", "rtg", "rtgi", "rtgint", "ratingint", "irtg", "elo", "eloi", "eloint",
                    "ratfide", "standard", "std", "elofide", "fideelo", "standardrating", "fidestd",
                    "fidestandard", "srtng", "ratingfide", "punteggiofide"),
    "rapid_rating": ("rapidrating", "rapid", "rapide", "rpd", "ratrapid", "fiderapid", "rrtng"),
    "blitz_rating": ("blitzrating", "blitz", "blz", "ratblitz", "fideblitz", "brtng"),
    "national_rating": ("nationalrating", "rtgn", "rtgnat", "ratingnat", "nrtg", "elonat", "ratnat", "nwz",
                        "dwz", "elonacional", "elonazionale", "elonaz", "elofeda", "elofsi", "elonational",
                        "ratingnacional", "ratingnazionale", "ratingnational"),
    "federation": ("federation", "fed", "fede", "country", "land", "fideland", "foderation", "federacion",
                   "federazione", "federacja", "pais", "pays", "nazione", "nation", "naz", "nat"),
    "fide_id": ("fideid", "fideno", "idfide", "fidecode", "fidekenn", "fide", "codefide",
                "codigofide", "codicefide", "codfide", "idnumber"),
    "national_id": ("nationalid", "nationalno", "idnat", "idno", "identno", "pkz", "nrffe", "nffe", "idfeda",
                    "idfsi", "codicefsi", "tessera", "licencia", "licence", "id"),
    "birth": ("birth", "birthday", "birthdate", "bday", "born", "dateofbirth", "geburt", "nele", "year",
              "yearofbirth", "geburtsdatum", "geburtsjahr", "birthyear", "rokur", "dataur", "fechanac",
              "fechanacimiento", "fechadenacimiento", "nacimiento", "fnac", "fnacimiento", "anonacimiento",
              "anodenacimiento", "datadinascita", "datanascita", "nascita", "annodinascita", "annonascita",
              "natoil", "datedenaissance", "datenaissance", "naissance"),
    "club": ("club", "clubcity", "clubname", "verein", "vereinort", "circolo", "societa", "klub",
             "associazione", "asociacion", "equipo"),
    "k_factor": ("k", "kfactor", "kfaktor", "coefk", "coefficientk", "coefficientek"),
    "estimated": ("estimated", "ratingestimated"),
}  # fmt: skip
"""Field, and what its column is called: ours, FIDE's, and those of Swiss-Manager, chess-results, Vega, Papi,
SwissChess, ChessManager, Tornelo, Sharly and lichess, without case, accents and signs."""

SKIPPED: Final = frozenset(
    ["", "no", "nr", "snr", "rank", "rk", "start", "startno", "startnumber", "type", "typ", "group", "gr",
     "grp", "clubnumber", "points", "pts", "attribute", "attr", "number", "playerid",
     "status", "outoffidemode", "tnr", "lp", "cat", "aff", "ligue", "source", "state", "tb", "tiebreak",
     "performance", "rp", "rtgdiff", "wtit", "otit", "foa", "sgm", "rgm", "bgm", "gms", "sk", "bk",
     "flag", "email", "phone"]
)  # fmt: skip
"""Columns, of other programs and of our own list, that say nothing about the person."""

PLACES: Final = frozenset(
    ["", "no", "nr", "snr", "rank", "rk", "start", "startno", "startnumber", "number", "playerid", "status",
     "outoffidemode", "tnr", "lp"]
)  # fmt: skip
"""Of these, where somebody stands in the list; the others are named when they hold something."""

NUMBERS: Final = ("rating", "fide_rating", "rapid_rating", "blitz_rating", "national_rating", "fide_id",
                  "k_factor")  # fmt: skip
UNRATED: Final = frozenset(["", "-", "0", "unr", "unrated", "none", "n/a", "e", "nr"])
YES: Final = frozenset(["yes", "y", "x", "1", "true"])
SEXES: Final = {
    "m": "m", "male": "m", "h": "m", "w": "w", "f": "w", "female": "w", "": "",
}  # fmt: skip
"""As lists write it: male and female, hombre, homme, weiblich, femme."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a sheet."""

    players: tuple[tuple[int, Details], ...]
    """Line and player."""
    faults: tuple[str, ...]
    """Everything wrong with the sheet; with one, nothing is taken."""
    skipped: tuple[str, ...]
    """Columns with names that nobody knows."""
    unused: tuple[str, ...] = ()
    """Columns that hold something a tournament has no place for, such as a group."""
    notes: tuple[str, ...] = ()
    """What else was left out or read in a special way."""


def players_of(table: Table) -> Sheet:
    """The players of a table; every fault of it in one go."""
    table = between_remarks(table, names_people)
    fields, skipped = fields_of(table.heading)
    if "title" not in fields and (at := unnamed_titles(table)) is not None:
        fields[at] = "title"
    notes = Notes()
    for line in table.around:
        notes.add("line that is no player's left out", f"{line.number} {' '.join(line.cells).strip()[:40]!r}")
    players: list[tuple[int, Details]] = []
    faults: list[str] = []
    for line in table.lines:
        try:
            players.append((line.number, details_of(line, fields, notes)))
        except Invalid as wrong:
            faults.append(f"line {line.number}: {wrong}")
    if not players and not faults:
        faults.append("contains no players, only the heading line")
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
        notes=notes.lines(),
    )


def names_people(line: Line) -> bool:
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


def fields_of(heading: Line) -> tuple[list[str], list[str]]:
    """The field of each column, empty for one that is not taken, and the names of those."""
    fields: list[str] = []
    skipped: list[str] = []
    for name in heading.cells:
        plain = plain_label(name)
        field = BY_LABEL.get(plain, "")
        if field and field in fields:
            raise Invalid(f"line {heading.number}: two columns for the {label(field)}, {name!r} is one")
        fields.append(field)
        if not field and plain not in SKIPPED:
            skipped.append(name)
    if not {"name", "family"} & set(fields):
        known = ", ".join(COLUMNS)
        raise Invalid(f"line {heading.number}: no column 'name'; the columns are {known}")
    return fields, skipped


def details_of(line: Line, fields: list[str], notes: Notes) -> Details:
    """One line as a player; Invalid says what is wrong with it."""
    if len(line.cells) > len(fields):
        raise Invalid(f"{len(line.cells)} values under {len(fields)} headings")
    values: dict[str, Any] = {field: value for field, value in zip(fields, line.cells, strict=False) if field}
    if "family" in values:
        both = (values.pop("family"), values.pop("given", ""))
        values["name"] = values.get("name") or ", ".join(filter(None, both))
    values.pop("given", None)
    values.setdefault("name", "")
    part_papi_ratings(values, f"line {line.number}", notes)
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


def part_papi_ratings(values: dict[str, Any], where: str, notes: Notes) -> None:
    """Papi marks each rating: ``1850 F`` is FIDE's, ``N`` the national one, ``E`` estimated."""
    for field in ("fide_rating", "rapid_rating", "blitz_rating"):
        found = re.fullmatch(r"([0-9]{1,4}) ?([FNE])", values.get(field, ""))
        if found is None:
            continue
        rating, mark = found.groups()
        values[field] = rating if mark == "F" else ""
        if mark != "F" and field != "fide_rating":
            notes.add(f"{label(field)} {mark} left out, it is not FIDE's", where)
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
        raise Invalid(f"{label(field)} {text[:40]!r} is not a number")
    return int(digits)


def birth(text: str) -> str:
    """A year or a day of birth, in the usual spellings; what is none is for ``check_details`` to refuse."""
    if text in ("", "0", "-") or re.fullmatch(r"[0-9]{4}", text):
        return text.strip("0-") and text
    if re.fullmatch(r"[0-9]{4}[-/.]00[-/.]00", text):
        return text[:4]
    return day_of(text) or text
