"""The records of a report, from a line to a typed value and back."""

from collections.abc import Callable
from operator import itemgetter

from paircard.projections.round.crosstable import Entry
from paircard.projections.trf.columns import ENTRIES, NUMBERS, points_text, tenths
from paircard.projections.trf.notes import Fault, quoted
from paircard.projections.trf.records import (
    UNKNOWN_POINTS,
    Abnormal,
    Absent,
    Acceleration,
    Apart,
    Byes,
    Configuration,
    InitialColour,
    Line,
    PlayerLine,
    Record,
    Rounds,
    ScoringLine,
    Virtual,
    Worth,
    Worths,
)

# --- all records but 001


XXS_CODES = ("WW", "BW", "WD", "BD", "WL", "BL", "ZPB", "HPB", "FPB", "PAB", "FW", "FL", "W", "D", "L")


def _whole(line: str, start: int, stop: int, allowed: str, *, least: int = 1) -> int:
    """The number in columns start to stop."""
    field = line[start - 1 : stop]
    try:
        value = NUMBERS[field]
    except ValueError:
        value = -1
    if value < least:
        raise Fault(start, quoted(field), allowed)
    return value


def _tenths(line: str, start: int, stop: int) -> int:
    field = line[start - 1 : stop]
    try:
        return tenths(field)
    except ValueError:
        raise Fault(start, quoted(field), "points with one decimal, such as 01.0") from None


def _ids(line: str, start: int, *, least: int) -> tuple[int, ...]:
    """Starting ranks of four columns, five apart, to the end of the line."""
    text = line.rstrip(" ")
    ids = tuple(
        _whole(text, at, at + 3, "a starting rank of 1 to 9999 in every fifth column")
        for at in range(start, len(text) + 1, 5)
    )
    gaps = [at for at in range(start + 4, len(text) + 1, 5) if text[at - 1] != " "]
    if gaps:
        raise Fault(gaps[0], quoted(text[gaps[0] - 1]), "a blank between two starting ranks")
    if len(ids) < least:
        raise Fault(start, f"{len(ids)} starting ranks", f"at least {least}")
    return ids


def _words(line: str) -> list[tuple[int, str]]:
    """Words from column 4 on, each with its column; blanks and tabs part them."""
    words, at = [], 3
    for word in line[3:].replace("\t", " ").split(" "):
        if word:
            words.append((at + 1, word))
        at += len(word) + 1
    return words


def _listed(line: str, least: int) -> tuple[int, ...]:
    words = _words(line)
    ids = tuple(_whole(line, at, at + len(word) - 1, "starting ranks of 1 to 9999") for at, word in words)
    if any(id > 9999 for id in ids):
        raise Fault(5, quoted(line[4:]), "starting ranks of 1 to 9999")
    if len(ids) < least:
        raise Fault(5, f"{len(ids)} starting ranks", f"at least {least}")
    return ids


def parse_rounds(line: str) -> Rounds:
    """142 and XXR."""
    words = _words(line)
    if len(words) != 1:
        raise Fault(5, quoted(line[4:]), "the number of rounds, 1 to 999")
    at, word = words[0]
    rounds = _whole(line, at, at + len(word) - 1, "the number of rounds, 1 to 999")
    if rounds > 999:
        raise Fault(at, quoted(word), "the number of rounds, 1 to 999")
    return Rounds(line[:3], rounds)


def parse_initial_colour(line: str) -> InitialColour:
    """152."""
    colour = line[3:].strip(" ")
    if colour not in ("W", "B", "w", "b"):
        raise Fault(5, quoted(line[4:]), "W or B")
    return InitialColour(colour.lower())


def parse_scoring(line: str) -> ScoringLine:
    """162: a symbol in column 6, its points in 7-10, then every nine columns."""
    text = line.rstrip(" ")
    values = []
    for at in range(6, len(text) + 1, 9):
        symbol = text[at - 1].upper()
        if symbol not in "WDLAPXZ" or not symbol.strip():
            raise Fault(at, quoted(text[at - 1]), "W D L A P X (or bbpPairings' Z)")
        values.append((symbol, _tenths(text, at + 1, at + 4)))
        if text[at + 4 : at + 8].strip(" "):
            raise Fault(at + 5, quoted(text[at + 4 : at + 8]), "four blanks between two values")
    if not values:
        raise Fault(6, "no value", "a symbol and its points")
    return ScoringLine(tuple(values))


def parse_byes(line: str) -> Byes:
    """240."""
    letter = line[4:5].upper()
    if letter not in ("F", "H", "Z"):
        raise Fault(5, quoted(line[4:5]), "F, H or Z")
    return Byes(letter, _whole(line, 7, 9, "a round of 1 to 999"), _ids(line, 11, least=0))


def parse_acceleration(line: str) -> Acceleration:
    """250."""
    if line[4:8].strip(" ") and _tenths(line, 5, 8):
        raise Fault(5, quoted(line[4:8]), "no match points in an individual tournament")
    record = Acceleration(
        _tenths(line, 10, 13),
        _whole(line, 15, 17, "a round of 1 to 999"),
        _whole(line, 19, 21, "a round of 1 to 999"),
        _whole(line, 23, 26, "a starting rank of 1 to 9999"),
        _whole(line, 28, 31, "a starting rank of 1 to 9999"),
    )
    if record.first > record.last:
        raise Fault(19, quoted(line[18:21]), f"a round not before {record.first}")
    if record.from_number > record.to_number:
        raise Fault(28, quoted(line[27:31]), f"a starting rank not before {record.from_number}")
    return record


def parse_prohibition(line: str) -> Apart:
    """260."""
    first = _whole(line, 5, 7, "a round of 1 to 999")
    last = _whole(line, 9, 11, "a round of 1 to 999")
    if first > last:
        raise Fault(9, quoted(line[8:11]), f"a round not before {first}")
    return Apart("260", _ids(line, 13, least=2), first, last)


def parse_apart(line: str) -> Apart:
    """XXP."""
    return Apart("XXP", _listed(line, 2))


def parse_absent(line: str) -> Absent:
    """XXZ."""
    return Absent(_listed(line, 1))


def parse_configuration(line: str) -> Configuration:
    """XXC."""
    colour, by_rank = "", False
    for at, word in _words(line):
        if word == "rank":
            by_rank = True
        elif word in ("white1", "black1"):
            colour = word[0]
        else:
            raise Fault(at, quoted(word), "rank, white1 or black1")
    return Configuration(colour, by_rank)


def parse_worths(line: str) -> Worths:
    """XXS."""
    values = []
    for at, word in _words(line):
        code = word.partition("=")[0]
        if code.upper() not in XXS_CODES:
            raise Fault(at, quoted(word), "CODE=VALUE with a code of " + " ".join(XXS_CODES))
        values.append((code.upper(), _tenths(line, at + len(code) + 1, at + len(word) - 1)))
    return Worths(tuple(values))


def parse_virtual(line: str) -> Virtual:
    """XXA: the points of round r stand in columns 10 + 5(r - 1) to 13 + 5(r - 1)."""
    text = line.rstrip(" ")
    points = tuple(
        _tenths(text, at, at + 3) if text[at - 1 : at + 3].strip(" ") else 0
        for at in range(10, len(text) + 1, 5)
    )
    return Virtual(_whole(text, 5, 8, "a starting rank of 1 to 9999"), points)


def parse_worth(line: str) -> Worth:
    """BBW, BBD, BBL, BBZ, BBF, BBU."""
    return Worth(line[:3], _tenths(line, 5, len(line)))


def parse_abnormal(line: str) -> Abnormal:
    """299."""
    letter = line[4:5].strip(" ").upper()
    if letter not in ("", *"WDLFHZ+-"):
        raise Fault(5, quoted(line[4:5]), "W D L F H Z + - or a blank")
    if line[7:11].strip(" ") and _tenths(line, 8, 11):
        raise Fault(8, quoted(line[7:11]), "no match points in an individual tournament")
    round = _whole(line, 20, 22, "a round of 1 to 999, 000 or blanks", least=0)
    return Abnormal(letter, _tenths(line, 14, 17), round, _ids(line, 24, least=0))


PARSERS: dict[str, Callable[[str], Record]] = {
    "142": parse_rounds,
    "XXR": parse_rounds,
    "152": parse_initial_colour,
    "162": parse_scoring,
    "240": parse_byes,
    "250": parse_acceleration,
    "260": parse_prohibition,
    "299": parse_abnormal,
    "XXC": parse_configuration,
    "XXZ": parse_absent,
    "XXS": parse_worths,
    "XXA": parse_virtual,
    "XXP": parse_apart,
    "BBW": parse_worth,
    "BBD": parse_worth,
    "BBL": parse_worth,
    "BBZ": parse_worth,
    "BBF": parse_worth,
    "BBU": parse_worth,
}


def render_line(record: Record) -> str:
    """One record other than 001 in its canonical columns."""
    match record:
        case Line(text):
            return text
        case Rounds(code, rounds):
            return f"{code} {rounds}"
        case InitialColour(colour):
            return f"152 {colour.upper()}"
        case ScoringLine(values):
            return "162  " + "    ".join(f"{symbol}{points_text(value):>4}" for symbol, value in values)
        case Byes(letter, round, ids):
            return f"240 {letter} {round:03}" + "".join(f" {id:>4}" for id in ids)
        case Acceleration(points, first, last, low, high):
            return f"250      {points_text(points):0>4} {first:03} {last:03} {low:04} {high:04}"
        case Abnormal(letter, points, round, ids):
            head = f"299 {letter or ' '}        {points_text(points):>4}  {round:03}"
            return head + "".join(f" {id:>4}" for id in ids)
        case Apart("XXP", ids):
            return "XXP " + " ".join(map(str, ids))
        case Apart(code, ids, first, last):
            return f"{code} {first:03} {last:03}" + "".join(f" {id:>4}" for id in ids)
        case Configuration(colour, by_rank):
            words = (["rank"] if by_rank else []) + ({"w": ["white1"], "b": ["black1"]}.get(colour, []))
            return " ".join(["XXC", *words])
        case Absent(ids):
            return "XXZ " + " ".join(map(str, ids))
        case Worths(values):
            return " ".join(["XXS", *(f"{code}={points_text(value)}" for code, value in values)])
        case Virtual(id, points):
            return f"XXA {id:>4}" + "".join(f" {points_text(p):>4}" for p in points)
        case Worth(code, points):
            return f"{code} {points_text(points):>4}"
        case _:
            raise TypeError(f"{type(record).__name__} is no record of these")


# --- the player record 001, the one most lines of a file are made of


HEAD = 89
"""Columns before those of round 1."""

GAPS = (4, 9, 14, 48, 53, 57, 69, 80, 85)
"""Columns that are blank in every 001 record."""

BLANK = Entry(0, "-", " ")

_gaps = itemgetter(*(column - 1 for column in GAPS))
_no_gaps = (" ",) * len(GAPS)


def parse_player(line: str, strict: bool) -> PlayerLine:
    """The record of one line; any doubt raises, and ``player_faults`` then says everything that is wrong.

    Not strict, only the columns a pairing depends on are judged.
    """
    text = line.rstrip(" ")
    if len(text) < HEAD:
        if len(text) < 8:
            raise ValueError(line)
        text = text.ljust(HEAD)
    if _gaps(text) != _no_gaps and (strict or text[3] != " " or text[8] != " "):
        raise ValueError(line)
    score = text[80:84]
    number = NUMBERS[text[4:8]]
    if not number:
        raise ValueError(line)
    return PlayerLine(
        number=number,
        sex=text[9].strip(" "),
        title=text[10:13].strip(" "),
        name=text[14:47].strip(" "),
        rating=NUMBERS[text[48:52]],
        federation=text[53:56].strip(" "),
        fide_id=text[57:68].strip(" "),
        birth=text[69:79].strip(" "),
        points=UNKNOWN_POINTS if score == "    " else tenths(score),
        place=NUMBERS[text[85:89]] if strict else _place(text[85:89]),
        entries=tuple([ENTRIES[text[at : at + 10]] for at in range(HEAD, len(text), 10)]),
    )


def _place(text: str) -> int:
    try:
        return NUMBERS[text]
    except ValueError:
        return 0


def player_faults(line: str, strict: bool) -> list[Fault]:
    """Everything that is wrong with a 001 record."""
    faults = []
    text = line.rstrip(" ")
    if len(text) < 84:
        faults.append(Fault(len(text) + 1, "the end of the line", "a player record of at least 84 columns"))
        text = text.ljust(HEAD)
    text = text.ljust(HEAD)
    for column in GAPS if strict else GAPS[:2]:
        if text[column - 1] != " ":
            allowed = "a starting rank of 1 to 9999" if column == 9 else "a blank between two fields"
            faults.append(Fault(column, quoted(text[column - 1]), allowed))
    for start, stop, allowed in (
        (4, 8, "a starting rank of 1 to 9999"),
        (48, 52, "a rating of up to four digits, or blanks"),
        (85, 89, "a rank of up to four digits, or blanks"),
    ):
        field = text[start:stop]
        try:
            value = NUMBERS[field]
        except ValueError:
            value = -1
        if value < 0 and (strict or start != 85):
            faults.append(Fault(start + 1, quoted(field), allowed))
        elif value == 0 and start == 4:
            faults.append(Fault(5, quoted(field), allowed))
    if text[80:84].strip(" "):
        try:
            tenths(text[80:84])
        except ValueError:
            faults.append(Fault(81, quoted(text[80:84]), "points with one decimal, such as  4.5"))
    for at in range(HEAD, len(text), 10):
        try:
            ENTRIES[text[at : at + 10]]
        except Fault as fault:
            faults.append(Fault(at + fault.column, fault.found, fault.allowed))
    return faults


def render_player(record: PlayerLine) -> str:
    """The record in canonical columns; a value that does not fit raises ValueError."""
    points = "" if record.points == UNKNOWN_POINTS else points_text(record.points)
    head = (
        f"001 {record.number:>4} {_cell(record.sex, 1)}{_cell(record.title, 3, right=True)} "
        f"{_cell(record.name, 33)} {record.rating or '':>4} {_cell(record.federation, 3)} "
        f"{_cell(record.fide_id, 11, right=True)} {_cell(record.birth, 10)} "
        f"{points:>4} {record.place or '':>4}"
    )
    if len(head) != HEAD or record.number < 1 or record.rating < 0 or record.place < 0:
        raise ValueError(f"player {record.number} has a number that does not fit its columns")
    if record.entries and record.entries[-1] == BLANK:
        raise ValueError(f"player {record.number} ends in a blank round")
    return (head + "".join(map(render_entry, record.entries))).rstrip(" ")


def render_entry(entry: Entry) -> str:
    """The ten columns of a round."""
    if entry == BLANK:
        return "          "
    opponent = entry.opponent or "0000"
    text = f"  {opponent:>4} {entry.colour} {entry.letter}"
    if len(text) != 10:
        raise ValueError(f"opponent {entry.opponent} does not fit the columns of a round")
    return text


def _cell(text: str, width: int, *, right: bool = False) -> str:
    if len(text) > width or text != text.strip(" ") or "\n" in text or "\r" in text:
        raise ValueError(f"{quoted(text)} does not fit {width} columns")
    return text.rjust(width) if right else text.ljust(width)
