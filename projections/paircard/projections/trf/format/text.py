"""Text to report and back; no paths inside.

Laws: ``parse(render(report)) == report`` for every report that can be written, and
``render(parse(text)) == text`` for every text in canonical columns.
"""

import codecs

from paircard.projections.trf.format.consistency import contradictions
from paircard.projections.trf.format.lines import PARSERS, render_line
from paircard.projections.trf.format.player import GAPS, parse_player, player_faults, render_player
from paircard.projections.trf.format.problems import Fault, Problem, TrfError, quoted
from paircard.projections.trf.format.records import Line, PlayerLine, Record, Report
from paircard.projections.trf.format.teams import with_teams

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
