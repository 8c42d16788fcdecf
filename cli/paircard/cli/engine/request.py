"""The command line of an engine, its files, and how a run ends."""

import os
import sys
from typing import Unpack

from paircard.domain.messages import Fields, Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.system import said
from paircard.domain.values.rules import EDITIONS
from paircard.domain.version import VERSION
from paircard.domain.whole_files import hand_out
from paircard.projections.trf.notes import Problem, TrfError, faults_said
from paircard.projections.trf.reading import Reading, read
from paircard.projections.trf.records import Line, Report
from paircard.projections.trf.text import decode, parse

NO_LEGAL_ROUND, UNEXPECTED, INVALID, TOO_LARGE, NO_FILE = 1, 2, 3, 4, 5
LARGEST = 64 * 1024 * 1024
"""Bytes of a report; 9,999 players and 20 rounds have 3 MB."""


USAGE = """usage:
paircard-engine [-r]
paircard-engine [-r] [--dutch] [--edition E] input-file -c [round] [-b] [-w] [-l [check-list-file]]
paircard-engine [-r] [--dutch] [--edition E] input-file -p [output-file] [-b] [-w] [-q [tries]] \
[-l [check-list-file]]
paircard-engine [-r] [--dutch] [--edition E] (model-file -g | -g [config-file | seed]) -o trf-file \
[-s seed] [-w] [-q [tries]] [-l [check-list-file]]
paircard-engine --serve
  stays, and answers JSON lines: {"report": TRF, "edition": E, "baku": true, "id": ANY}, report alone will do,
  with {"id", "round", "edition", "boards": [[white, black], ...], "pab"} or {"id", "problem": {"code", \
"fields", "detail"}}; ends with its input"""


class Stop(Exception):
    """The run ends here, with this exit code and message."""

    def __init__(self, exit: int, code: str, /, **fields: Unpack[Fields]) -> None:
        super().__init__(Speaker().say(Message(code, fields)))
        self.code = exit


class Request:
    """A command line taken apart."""

    def __init__(self) -> None:
        self.info = False
        self.help = False
        self.serves = False
        """Whether it stays and answers lines."""
        self.edition = ""
        self.draws_colour = True
        """Whether a missing initial colour is drawn, as JaVaFo does; bbpPairings, called with --dutch,
        refuses."""
        self.task = ""
        """``p``, ``c``, ``g``, or empty if only the version is asked for."""
        self.source = ""
        """Input of ``p`` and ``c``, model of ``g``."""
        self.round = ""
        """The one round that ``c`` checks; empty for all."""
        self.baku = False
        """JaVaFo's ``-b``: Baku acceleration, whatever the file says."""
        self.settings = ""
        """Configuration file of ``g``."""
        self.target = ""
        self.seed = ""
        self.checklist = False
        self.checklist_path = ""


def understood(arguments: list[str]) -> Request:
    """The request of a command line; both engines' shapes, with and without ``--dutch``."""
    request = Request()
    rest = without_edition(list(arguments), request)
    if not rest or rest[0] == "-r":
        request.info, rest = True, rest[1:]
    match rest:
        case []:
            return request
        case ["-h" | "--help", *_]:
            request.help = True
            return request
        case ["--serve"]:
            request.serves = True
            return request
        case ["--dutch", *rest]:
            request.draws_colour = False
        case ["--fast", *_]:
            raise Stop(INVALID, "cli.engine.not-coarser", value=USAGE)
        case [word, *_] if word.startswith("--"):
            system = word[2:].capitalize()[:40]
            raise Stop(INVALID, "cli.engine.dutch-alone", id=word[:40], name=system, value=USAGE)
    request.source = value(rest)
    if not rest or rest[0] not in ("-p", "-c", "-g") or (rest[0] != "-g" and not request.source):
        raise Stop(INVALID, "cli.engine.told", value=USAGE)
    request.task = rest.pop(0)[1:]
    take_value(request, rest)
    while rest:
        take_option(request, rest)
    if request.task == "g" and not request.target:
        raise Stop(INVALID, "cli.engine.told", value=USAGE)
    return request


def without_edition(rest: list[str], request: Request) -> list[str]:
    """The words without ``--edition E``."""
    if "--edition" not in rest:
        return rest
    at = rest.index("--edition")
    if rest[at + 1 : at + 2] not in [[edition] for edition in EDITIONS]:
        raise Stop(INVALID, "cli.engine.editions", known=EDITIONS)
    request.edition = rest[at + 1]
    return rest[:at] + rest[at + 2 :]


def take_value(request: Request, rest: list[str]) -> None:
    """The word after the task, if it has one: output file, round, or configuration file or seed."""
    if request.task == "p":
        request.target = value(rest)
    elif request.task == "c":
        request.round = value(rest)
        if request.round and not (request.round.isdecimal() and len(request.round) < 4):
            raise Stop(INVALID, "cli.engine.not-a-round", text=request.round, value=USAGE)
    elif not request.source:
        word = value(rest)
        if word.isdecimal():
            request.seed = word
        else:
            request.settings = word


def take_option(request: Request, rest: list[str]) -> None:
    """One option after the task, in whatever order."""
    option = rest.pop(0)
    if option == "-l":
        request.checklist = True
        request.checklist_path = value(rest)
    elif option == "-b" and request.task != "g":
        request.baku = True
    elif option == "-w":  # JaVaFo: take another search, for the same round
        pass
    elif option == "-q" and request.task != "c":  # JaVaFo: so many tries at most; nothing is tried here
        tries = value(rest)
        if tries and not (tries.isdecimal() and len(tries) < 10):
            raise Stop(INVALID, "cli.engine.tries", text=tries, value=USAGE)
    elif option in ("-o", "-s") and request.task == "g" and rest and not rest[0].startswith("-"):
        if option == "-o":
            request.target = rest.pop(0)
        else:
            request.seed = rest.pop(0)
    else:
        raise Stop(INVALID, "cli.engine.unexpected", text=option, value=USAGE)


def value(rest: list[str]) -> str:
    """The optional value that comes next."""
    return rest.pop(0) if rest and not rest[0].startswith("-") else ""


def version() -> str:
    """Name and version."""
    return f"Paircard engine {VERSION}"


def text_of(path: str) -> str:
    """The text of an input file."""
    try:
        size = os.stat(path).st_size
        if size > LARGEST:
            raise Stop(INVALID, "cli.engine.report-too-large", path=path, number=size, last=LARGEST)
        with open(path, "rb") as file:
            data = file.read()
    except OSError as refusal:
        raise no_file(path, refusal) from None
    return decode(data)


def no_file(path: str, refusal: OSError) -> Stop:
    """A file that cannot be read or written."""
    return Stop(NO_FILE, "cli.engine.no-file", path=path, reason=said(refusal))


def beside(path: str, base: str) -> str:
    """A path; a name without a folder is in the folder of the base file, as with both engines."""
    return path if os.path.dirname(path) else os.path.join(os.path.dirname(base), path)


def write(path: str, text: str) -> None:
    """Write a whole file."""
    try:
        hand_out(path, text.encode())
    except OSError as refusal:
        raise no_file(path, refusal) from None


def understood_report(path: str, request: Request | None = None) -> tuple[Report, Reading]:
    """A report that must be sound; what was passed over, upgraded or inferred goes to standard error."""
    passed: list[Problem] = []
    try:
        report = parse(text_of(path), strict=False, passed=passed)
        if request is not None and request.baku:
            report = accelerated(report)
        reading = read(report)
    except TrfError as refusal:
        told = "\n".join(f"{path}: {line}" for line in str(refusal).split("\n"))
        raise Stop(INVALID, "cli.engine.told", value=told) from None
    speaker = Speaker()
    over = [say("cli.engine.passed-over", path=path, what=fault) for fault in faults_said(passed)]
    notes = list(map(speaker.say, over))
    notes += [f"{path}: {line}" for line in reading.adjustments]
    if notes:
        print("\n".join(notes), file=sys.stderr)
    return report, reading


def accelerated(report: Report) -> Report:
    """The report with Baku acceleration (JaVaFo's ``-b``), unless it has virtual points of its own."""
    system = report.text("192") or "FIDE_DUTCH"
    if system.upper().endswith("_BAKU"):
        return report
    others = [record for record in report.records if record.code != "192"]
    return Report((*others, Line(f"192 {system}_BAKU")))


def checklist_path(request: Request) -> str:
    """Where the check list goes: named, or the input's (for a generator: the output's) name with .list."""
    base = request.target if request.task == "g" else request.source
    if request.checklist_path:
        return beside(request.checklist_path, base)
    return os.path.splitext(base)[0] + ".list"
