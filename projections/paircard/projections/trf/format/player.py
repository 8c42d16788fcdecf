"""The player record 001, the one most lines of a file are made of."""

from operator import itemgetter

from paircard.projections.round.crosstable import Entry
from paircard.projections.trf.format.columns import ENTRIES, NUMBERS, points_text, tenths
from paircard.projections.trf.format.problems import Fault, quoted
from paircard.projections.trf.format.records import UNKNOWN_POINTS, PlayerLine

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
