"""Text to report and back; no paths inside.

Laws: ``parse(render(report)) == report`` for every report that can be written, and
``render(parse(text)) == text`` for every text in canonical columns.
"""

import re
from collections.abc import Iterator, Sequence

from paircard.domain.messages import Message, say
from paircard.domain.values.results import OUTCOMES
from paircard.domain.values.text import encoding_of
from paircard.projections.trf import records as trf
from paircard.projections.trf.lines import (
    GAPS,
    is_unknown,
    parse_player,
    parse_record,
    player_faults,
    render_record,
)
from paircard.projections.trf.notes import Fault, Problem, TrfError
from paircard.projections.trf.records import Line, PlayerLine, Record, Report

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
            rosters.append(_teams(at, line, say("trf.sign.record", code="013")))
    return [*rosters[:1], *problems]


def _teams(at: int, line: str, sign: Message) -> Problem:
    return Problem(at, 0, line[:3], say("trf.found.teams", what=sign), say("trf.allowed.no-teams"))


def _sign(line: str) -> Message | None:
    code = line[:3]
    if code in TEAM_RECORDS:
        return say("trf.sign.record", code=line[:3])
    if code == "192" and "TEAM" in line.upper():
        return say("trf.sign.type", value=line[4:].strip()[:40])
    digits = line[4:].strip()
    if code == "082" and digits.isascii() and digits.isdecimal() and digits.strip("0"):
        return say("trf.sign.teams", value=digits[:9])
    return None


# --- contradictions inside a report whose lines are sound each by itself


TOGETHER = frozenset(["  ", *(outcome.white + outcome.black for outcome in OUTCOMES)])
"""Results that may stand against each other (VCL 180-185)."""

FREE = frozenset("+-")
A_PLAYER = say("trf.allowed.player")
NO_REPORT = Problem(0, 0, "001", say("trf.found.no-player"), say("trf.allowed.a-player"))
"""The one fault of a file that is something else."""


def contradictions(records: Sequence[Record]) -> Iterator[Problem]:
    """What the records of a file say against each other, in file order."""
    players: dict[int, PlayerLine] = {}
    declared = 0
    drawn = ""
    for at, record in enumerate(records, 1):
        if type(record) is PlayerLine:
            if record.number in players:
                found = say("trf.found.rank-again", number=record.number)
                yield Problem(at, 5, "001", found, say("trf.allowed.rank-once"))
            players[record.number] = record
        elif type(record) is trf.Rounds:
            if declared and declared != record.rounds:
                found = say("trf.found.other-rounds", rounds=record.rounds, count=declared)
                yield Problem(at, 5, record.code, found, say("trf.allowed.rounds-once"))
            declared = record.rounds
        elif isinstance(record, trf.InitialColour | trf.Configuration) and record.colour:
            if drawn and drawn != record.colour:
                found = say("trf.found.other-colour", value=record.colour, code=drawn)
                yield Problem(at, 5, record.code, found, say("trf.allowed.colour-once"))
            drawn = record.colour
    pabs: dict[int, int] = {}
    for at, record in enumerate(records, 1):
        if type(record) is PlayerLine:
            yield from _games(at, record, players, declared, pabs)
        elif isinstance(record, trf.Byes | trf.Apart | trf.Absent | trf.Abnormal):
            for id in record.ids:
                if id not in players:
                    yield Problem(at, 0, record.code, say("trf.found.rank", number=id), A_PLAYER)
        elif type(record) is trf.Virtual and record.id not in players:
            yield Problem(at, 5, "XXA", say("trf.found.rank", number=record.id), A_PLAYER)
        elif type(record) is trf.Acceleration and declared and record.last > declared:
            found = say("trf.found.round", round=record.last)
            yield Problem(at, 19, "250", found, say("trf.allowed.declared-round", count=declared))


def _games(
    at: int, player: PlayerLine, players: dict[int, PlayerLine], declared: int, pabs: dict[int, int]
) -> Iterator[Problem]:
    """A player's rounds against those of the opponents; ``pabs`` gets who had the bye, by round."""
    number = player.number
    if declared and len(player.entries) > declared:
        found = say("trf.found.round", round=len(player.entries))
        yield Problem(at, 92 + 10 * declared, "001", found, say("trf.allowed.declared", count=declared))
    for round, entry in enumerate(player.entries, 1):
        opponent, column = entry.opponent, 82 + 10 * round
        if not opponent:
            if entry.letter == "U" and pabs.setdefault(round, number) != number:
                found = say("trf.found.second-pab", round=round)
                allowed = say("trf.allowed.one-pab", number=pabs[round])
                yield Problem(at, column + 7, "001", found, allowed, grave=False)
            continue
        other = players.get(opponent)
        if other is None or opponent == number:
            allowed = A_PLAYER if other is None else say("trf.allowed.another")
            yield Problem(at, column, "001", say("trf.found.opponent", number=opponent), allowed)
            continue
        back = other.entries[round - 1] if round <= len(other.entries) else None
        if back is None or back.opponent != number:
            found = say("trf.found.one-sided", round=round, number=opponent, first=number)
            yield Problem(at, column, "001", found, say("trf.allowed.games-of-both"))
        elif number < opponent:
            if (entry.colour == back.colour) and (entry.colour != "-"):
                colour = entry.colour
                found = say("trf.found.same-colour", value=colour, number=number, first=opponent, round=round)
                yield Problem(at, column + 5, "001", found, say("trf.allowed.opposite-colours"))
            unknown = is_unknown(entry.letter) and is_unknown(back.letter)
            if not unknown and entry.letter + back.letter not in TOGETHER:
                ours, theirs = entry.letter, back.letter
                found = say("trf.found.results", value=ours, code=theirs, number=number, first=opponent)
                grave = (ours in FREE) != (theirs in FREE)
                yield Problem(at, column + 7, "001", found, say("trf.allowed.results-together"), grave)


# --- parsing and rendering


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
            found = say("trf.found.long-line", number=len(line))
            problems.append(Problem(at, 0, code, found, say("trf.allowed.length", number=LONGEST_LINE)))
        elif code == "001":
            try:
                record = parse_player(line)
            except ValueError:
                faults = player_faults(line, strict)
                problems += [fault.at(at, code) for fault in faults]
                if not strict and not faults:
                    record = parse_player(line, strict=False)
                    tolerated += [fault.at(at, code) for fault in player_faults(line, strict=True)]
        else:
            try:
                record = parse_record(line)
            except Fault as fault:
                problems.append(fault.at(at, code))
            if "\0" in line and type(record) is Line:
                found, allowed = say("trf.found.nul"), say("trf.allowed.text")
                problems.append(Problem(at, line.index("\0") + 1, code, found, allowed))
        records.append(Line(line) if record is None else record)
    if not any(line.startswith("001") for line in lines):
        problems = [NO_REPORT]
    if not problems:
        odd = list(contradictions(records))
        problems = [one for one in odd if strict or one.grave]
        tolerated += [one for one in odd if not strict and not one.grave]
    if shifted := _shifted(lines, problems):
        problems = [shifted]
    if problems := with_teams(lines, problems):
        raise TrfError(*problems)
    return Report(tuple(records))


def _shifted(lines: list[str], problems: list[Problem]) -> Problem | None:
    """The one fault of a file whose players all lack the same column; None if that is not what is wrong."""
    players = [at for at, line in enumerate(lines, 1) if line[:3] == "001"]
    if len(players) < 2 or not set(players) <= {problem.line for problem in problems}:
        return None
    for column in GAPS:
        widened = [f"{lines[at - 1][: column - 1]} {lines[at - 1][column - 1 :]}" for at in players]
        if all(_reads(line) for line in widened):
            found = say("trf.found.shifted", count=len(players), column=column)
            return Problem(players[0], column, "001", found, say("trf.allowed.not-shifted"))
    return None


def _reads(line: str) -> bool:
    try:
        parse_player(line)
    except ValueError:
        return False
    return True


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
        if not re.search(rb"^001", data, re.MULTILINE):
            raise TrfError(NO_REPORT) from None
        line = data.count(b"\n", 0, refusal.start) + 1
        found = say("trf.found.byte", value=f"{data[refusal.start]:#04x}", number=refusal.start)
        allowed = say("trf.allowed.encoded", value=encoding) if encoding else say("trf.allowed.encoding")
        raise TrfError(Problem(line, 0, "", found, allowed)) from None
    except (LookupError, ValueError):
        found = say("trf.found.encoding", text=used)
        raise TrfError(Problem(0, 0, "", found, say("trf.allowed.encoding-name"))) from None


def render(report: Report, newline: str = "\n") -> str:
    """The text of a report in canonical columns; ValueError names what does not fit them."""
    return "".join([_checked(at, record) + newline for at, record in enumerate(report.records)])


def _checked(at: int, record: Record) -> str:
    """The line of a record, read back before it leaves the house."""
    text = render_record(record)
    try:
        same = parse_record(text) == record
    except ValueError:
        same = False
    if not same or "\n" in text or "\r" in text or (at == 0 and text.startswith("\ufeff")):
        raise ValueError(f"record {at + 1}, {text[:40]!r}, cannot be written as one line of a report")
    return text
