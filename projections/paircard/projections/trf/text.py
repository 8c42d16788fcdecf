"""Text to report and back; no paths inside.

Laws: ``parse(render(report)) == report`` for every report that can be written, and
``render(parse(text)) == text`` for every text in canonical columns.
"""

import codecs
from collections.abc import Sequence

from paircard.projections.trf.columns import is_unknown
from paircard.projections.trf.lines import (
    GAPS,
    PARSERS,
    parse_player,
    player_faults,
    render_line,
    render_player,
)
from paircard.projections.trf.notes import Fault, Problem, TrfError, quoted
from paircard.projections.trf.records import (
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
    Report,
    Rounds,
    Virtual,
)

# --- team tournaments are recognised, and refused in one sentence


TEAM_RECORDS = ("300", "310", "320", "330", "352", "362", "801", "802")
"""Records that only a team tournament has (TRF26 §5)."""


def with_teams(lines: Sequence[str], problems: Sequence[Problem]) -> list[Problem]:
    """The one fault of a team tournament; those found, for an individual one.

    A file whose only sign of teams is a roster (013) may be an individual tournament that also ranks
    clubs: that is said before its other faults, and is no fault by itself.
    """
    rosters = []
    for at, line in enumerate(lines, 1):
        if found := _sign(line):
            return [_teams(at, line, found)]
        if line[:3] == "013" and problems:
            rosters.append(_teams(at, line, "record 013"))
    return [*rosters[:1], *problems]


def _teams(at: int, line: str, found: str) -> Problem:
    return Problem(at, 0, line[:3], f"a team tournament ({found})", "an individual tournament")


def _sign(line: str) -> str:
    code = line[:3]
    if code in TEAM_RECORDS:
        return f"record {code}"
    if code == "192" and "TEAM" in line.upper():
        return f"tournament type {line[4:].strip()[:40]}"
    digits = line[4:].strip()
    if code == "082" and digits.isascii() and digits.isdecimal() and digits.strip("0"):
        return f"{digits[:9]} teams"
    return ""


# --- contradictions inside a report whose lines are sound each by itself


TOGETHER = frozenset(["10", "01", "==", "=0", "0=", "00", "+-", "-+", "--", "WL", "LW", "DD", "  "])
"""Results that may stand against each other (VCL 180-185)."""

FREE = frozenset("+-")


def contradictions(records: Sequence[Record], strict: bool, passed: list[Problem]) -> list[Problem]:
    """What the records of a file say against each other, in file order.

    Not strict, odd pairs of results are no reason to stop; ``passed`` gets them.
    """
    problems: list[Problem] = []
    players: dict[int, PlayerLine] = {}
    declared = 0
    drawn = ""
    for at, record in enumerate(records, 1):
        if type(record) is PlayerLine:
            if record.number in players:
                found = f"starting rank {record.number} again"
                problems.append(Problem(at, 5, "001", found, "each starting rank once"))
            players[record.number] = record
        elif type(record) is Rounds:
            if declared and declared != record.rounds:
                found = f"{record.rounds} rounds after {declared} rounds"
                problems.append(Problem(at, 5, record.code, found, "one number of rounds"))
            declared = record.rounds
        elif isinstance(record, InitialColour | Configuration) and record.colour:
            if drawn and drawn != record.colour:
                found = f"initial colour {record.colour} after {drawn}"
                problems.append(Problem(at, 5, record.code, found, "one initial colour"))
            drawn = record.colour
    pabs: dict[int, int] = {}
    for at, record in enumerate(records, 1):
        if type(record) is PlayerLine:
            problems += _games(at, record, players, declared, pabs, strict, passed)
        elif isinstance(record, Byes | Apart | Absent | Abnormal):
            problems += [
                Problem(at, 0, record.code, f"starting rank {id}", "a player of record 001")
                for id in record.ids
                if id not in players
            ]
        elif type(record) is Virtual and record.id not in players:
            problems.append(Problem(at, 5, "XXA", f"starting rank {record.id}", "a player of record 001"))
        elif type(record) is Acceleration and declared and record.last > declared:
            found = f"round {record.last}"
            problems.append(Problem(at, 19, "250", found, f"a round of the {declared} declared"))
    return problems


def _games(
    at: int,
    player: PlayerLine,
    players: dict[int, PlayerLine],
    declared: int,
    pabs: dict[int, int],
    strict: bool,
    passed: list[Problem],
) -> list[Problem]:
    """A player's rounds against those of the opponents."""
    problems: list[Problem] = []
    number = player.number
    if declared and len(player.entries) > declared:
        found = f"round {len(player.entries)}"
        problems.append(
            Problem(at, 92 + 10 * declared, "001", found, f"no more than the {declared} declared")
        )
    for index, entry in enumerate(player.entries):
        opponent = entry.opponent
        if not opponent:
            if entry.letter == "U":
                if index in pabs:
                    found = f"a second pairing-allocated bye in round {index + 1}"
                    allowed = f"one; player {pabs[index]} has it"
                    problem = Problem(at, 99 + 10 * index, "001", found, allowed)
                    (problems if strict else passed).append(problem)
                pabs.setdefault(index, number)
            continue
        column = 92 + 10 * index
        other = players.get(opponent)
        if other is None or opponent == number:
            allowed = "a player of record 001" if other is None else "another player"
            problems.append(Problem(at, column, "001", f"opponent {opponent}", allowed))
            continue
        back = other.entries[index] if index < len(other.entries) else None
        if back is None or back.opponent != number:
            found = f"round {index + 1} against {opponent}, who does not have {number} in that round"
            problems.append(Problem(at, column, "001", found, "games that both players name"))
        elif number < opponent:
            if (entry.colour == back.colour) and (entry.colour != "-"):
                found = f"{entry.colour} for both {number} and {opponent} in round {index + 1}"
                problems.append(Problem(at, column + 5, "001", found, "opposite colours"))
            unknown = is_unknown(entry.letter) and is_unknown(back.letter)
            if not unknown and entry.letter + back.letter not in TOGETHER:
                found = f"results {entry.letter} and {back.letter} of {number} and {opponent}"
                grave = strict or (entry.letter in FREE) != (back.letter in FREE)
                problem = Problem(at, column + 7, "001", found, "results that belong together")
                (problems if grave else passed).append(problem)
    return problems


# --- parsing and rendering


MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Marks at the beginning of a file, the longer ones first where one begins like another."""

UNNAMED = "text in UTF-8 or of Windows; name the encoding of another one, such as cp850 or mac_roman"

LONGEST_LINE = 100_000
"""Characters; 9,999 rounds or 9,999 listed players need no more."""


def parse(text: str, *, strict: bool = True, passed: list[Problem] | None = None) -> Report:
    """The report a text holds; a TrfError names every fault of the file.

    Lines end in CR, LF or CRLF; a byte order mark is passed over. Not strict, only what a pairing
    depends on is judged, and ``passed`` gets the faults that were passed over: this is for programs that
    call us as they call another engine.
    """
    tolerated: list[Problem] = [] if passed is None else passed
    records: list[Record] = []
    problems: list[Problem] = []
    lines = split(text)
    for at, line in enumerate(lines, 1):
        code = line[:3]
        record: Record | None = None
        if len(line) > LONGEST_LINE:
            found = f"a line of {len(line)} characters"
            problems.append(Problem(at, 0, code, found, f"at most {LONGEST_LINE}"))
        elif code == "001":
            try:
                record = parse_player(line, strict=True)
            except (ValueError, Fault):
                grave = _player_problems(at, line, strict)
                problems += grave
                if not strict and not grave:
                    record = parse_player(line, strict=False)
                    tolerated += _player_problems(at, line, strict=True)
        elif code in PARSERS:
            try:
                record = PARSERS[code](line)
            except Fault as fault:
                problems.append(Problem(at, fault.column, code, fault.found, fault.allowed))
        else:
            if "\0" in line:
                allowed = "text; this looks like a binary file"
                problems.append(Problem(at, line.index("\0") + 1, quoted(code), "a NUL character", allowed))
            record = Line(line)
        records.append(Line(line) if record is None else record)
    if not any(type(record) is PlayerLine for record in records) and not problems:
        problems.append(Problem(0, 0, "001", "no player", "at least one record 001"))
    if not problems:
        problems = contradictions(records, strict, tolerated)
    if shifted := _shifted(lines, problems):
        problems = [shifted]
    if problems := with_teams(lines, problems):
        raise TrfError(tuple(problems))
    return Report(tuple(records))


def _shifted(lines: list[str], problems: list[Problem]) -> Problem | None:
    """The one fault of a file whose players all lack the same column; None if that is not what is wrong."""
    players = [at for at, line in enumerate(lines, 1) if line[:3] == "001"]
    if len(players) < 2 or not set(players) <= {problem.line for problem in problems}:
        return None
    for column in GAPS:
        widened = [f"{lines[at - 1][: column - 1]} {lines[at - 1][column - 1 :]}" for at in players]
        if all(_reads(line) for line in widened):
            found = f"{len(players)} player records that lack a blank in column {column}"
            return Problem(players[0], column, "001", found, "the columns of TRF26 (columns shifted by one)")
    return None


def _reads(line: str) -> bool:
    try:
        parse_player(line, strict=True)
    except (ValueError, Fault):
        return False
    return True


def _player_problems(at: int, line: str, strict: bool) -> list[Problem]:
    return [
        Problem(at, fault.column, "001", fault.found, fault.allowed) for fault in player_faults(line, strict)
    ]


def split(text: str) -> list[str]:
    """The lines of a text; a line end after the last line opens no new one."""
    text = text.lstrip("\ufeff")  # programs that add a mark to a file that has one exist
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def decode(data: bytes, encoding: str = "") -> str:
    """The text of a file, in the encoding named, else in the one it seems to have (TRF26 leaves it open)."""
    used = encoding or encoding_of(data)
    try:
        return data.decode(used)
    except UnicodeDecodeError as refusal:
        line = data.count(b"\n", 0, refusal.start) + 1
        found = f"the byte {data[refusal.start]:#04x} at position {refusal.start}"
        allowed = f"text in {encoding}" if encoding else UNNAMED
        raise TrfError((Problem(line, 0, "", found, allowed),)) from None
    except (LookupError, ValueError):
        found = f"the encoding {quoted(used)}"
        raise TrfError((Problem(0, 0, "", found, "a name such as cp1252, mac_roman or utf-16"),)) from None


def encoding_of(data: bytes) -> str:
    """UTF-8, UTF-16 or UTF-32 where a file is that, else the text of Windows in Western Europe (cp1252)."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return name
    head = data[:400]
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        every_other = head[first::2]
        if len(head) > 8 and every_other.count(0) > len(every_other) * 3 // 4:
            return name
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def render(report: Report, newline: str = "\n") -> str:
    """The text of a report in canonical columns; ValueError names what does not fit them."""
    return "".join([_checked(at, record) + newline for at, record in enumerate(report.records)])


def _checked(at: int, record: Record) -> str:
    """The line of a record, read back before it leaves the house."""
    if type(record) is PlayerLine:
        text = render_player(record)
        same = parse_player(text, strict=True) == record
    else:
        text = render_line(record)
        if type(record) is Line:
            parts = "\n" in text or "\r" in text or (at == 0 and text.startswith("\ufeff"))
            same = not parts and text[:3] != "001" and text[:3] not in PARSERS
        else:
            try:
                same = PARSERS[text[:3]](text) == record
            except (Fault, KeyError):
                same = False
    if not same:
        raise ValueError(f"record {at + 1}, {quoted(text)}, cannot be written as one line of a report")
    return text
