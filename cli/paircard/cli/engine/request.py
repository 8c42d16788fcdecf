"""The command line of an engine, its files, and how a run ends."""

import os
import sys
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed

from paircard.projections.trf.format.problems import Problem, TrfError
from paircard.projections.trf.format.records import Report
from paircard.projections.trf.format.text import parse
from paircard.projections.trf.reading.report import Reading, read

NO_LEGAL_ROUND, UNEXPECTED, INVALID, TOO_LARGE, NO_FILE = 1, 2, 3, 4, 5
LARGEST = 64 * 1024 * 1024
"""Bytes of a report; 9,999 players and 20 rounds have 3 MB."""

EDITIONS = ("dutch-2026", "dutch-2017")

USAGE = """usage:
paircard-engine [-r]
paircard-engine [-r] [--dutch] [--edition E] input-file -c [-l [check-list-file]]
paircard-engine [-r] [--dutch] [--edition E] input-file -p [output-file] [-l [check-list-file]]
paircard-engine [-r] [--dutch] [--edition E] (model-file -g | -g [config-file]) -o trf-file [-s seed] \
[-l [check-list-file]]"""


class Stop(Exception):
    """The run ends here, with this exit code and message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Request:
    """A command line taken apart."""

    def __init__(self) -> None:
        self.info = False
        self.help = False
        self.edition = ""
        self.task = ""
        """``p``, ``c``, ``g``, or empty if only the version is asked for."""
        self.source = ""
        """Input of ``p`` and ``c``, model of ``g``."""
        self.settings = ""
        """Configuration file of ``g``."""
        self.target = ""
        self.seed = ""
        self.checklist = False
        self.checklist_path = ""


def understood(arguments: list[str]) -> Request:
    """The request of a command line; both engines' shapes, with and without ``--dutch``."""
    request = Request()
    rest = list(arguments)
    if "--edition" in rest:
        at = rest.index("--edition")
        if rest[at + 1 : at + 2] not in [[edition] for edition in EDITIONS]:
            raise Stop(INVALID, f"--edition takes {' or '.join(EDITIONS)}")
        request.edition = rest[at + 1]
        del rest[at : at + 2]
    if not rest or rest[0] == "-r":
        request.info = True
        rest = rest[1:]
        if not rest:
            return request
    if rest[0] in ("-h", "--help"):
        request.help = True
        return request
    if rest[0] == "--dutch":
        rest = rest[1:]
    elif rest[0].startswith("--"):
        raise Stop(INVALID, f"{rest[0]} is no system of this engine, only --dutch is\n{USAGE}")
    if rest and not rest[0].startswith("-"):
        request.source = rest.pop(0)
    if not rest or rest[0] not in ("-p", "-c", "-g") or (rest[0] != "-g" and not request.source):
        raise Stop(INVALID, USAGE)
    request.task = rest.pop(0)[1:]
    if request.task == "p":
        request.target = value(rest)
    elif request.task == "g":
        if not request.source:
            request.settings = value(rest)
        if rest[:1] != ["-o"] or len(rest) < 2:
            raise Stop(INVALID, USAGE)
        request.target = rest[1]
        rest = rest[2:]
        if rest[:1] == ["-s"] and len(rest) > 1:
            request.seed = rest[1]
            rest = rest[2:]
    if rest[:1] == ["-l"]:
        rest.pop(0)
        request.checklist = True
        request.checklist_path = value(rest)
    if rest:
        raise Stop(INVALID, f"unexpected {rest[0]!r}\n{USAGE}")
    return request


def value(rest: list[str]) -> str:
    """The optional value that comes next."""
    return rest.pop(0) if rest and not rest[0].startswith("-") else ""


def version() -> str:
    """Name and version."""

    try:
        return f"Paircard engine {installed('paircard')}"
    except PackageNotFoundError:
        return "Paircard engine, not installed: run from its source"


def text_of(path: str) -> str:
    """The text of an input file."""
    try:
        size = os.stat(path).st_size
        if size > LARGEST:
            raise Stop(INVALID, f"{path} has {size} bytes, a report has at most {LARGEST}")
        with open(path, "rb") as file:
            data = file.read()
    except OSError as refusal:
        raise Stop(NO_FILE, f"{path}: {(refusal.strerror or str(refusal)).lower()}") from None
    try:
        return data.decode()
    except UnicodeDecodeError as refusal:
        raise Stop(INVALID, f"{path}: byte {refusal.start} is not UTF-8") from None


def beside(path: str, base: str) -> str:
    """A name without a folder lies beside the base file, as both engines have it."""
    return path if os.path.dirname(path) else os.path.join(os.path.dirname(base), path)


def write(path: str, text: str) -> None:
    """Write a whole file."""
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as refusal:
        raise Stop(NO_FILE, f"{path}: {(refusal.strerror or str(refusal)).lower()}") from None


def understood_report(path: str) -> tuple[Report, Reading]:
    """A report that must be sound; what was passed over, upgraded or inferred is told on standard error."""

    passed: list[Problem] = []
    try:
        report = parse(text_of(path), strict=False, passed=passed)
        reading = read(report)
    except TrfError as refusal:
        raise Stop(INVALID, "\n".join(f"{path}: {line}" for line in str(refusal).split("\n"))) from None
    said = [f"{path}: passed over: {problem}" for problem in passed]
    said += [f"{path}: {line}" for line in reading.adjustments]
    if said:
        print("\n".join(said), file=sys.stderr)
    return report, reading


def checklist_path(request: Request) -> str:
    """Where the check list goes: named, or the input's (for a generator: the output's) name with .list."""
    base = request.target if request.task == "g" else request.source
    if request.checklist_path:
        return beside(request.checklist_path, base)
    return os.path.splitext(base)[0] + ".list"


def edition(request: Request, filed: str, system: str) -> str:
    """The edition asked for, else that of record 192, else the one in force."""
    if request.edition:
        return request.edition
    if system and not filed:
        raise Stop(INVALID, f"{request.source}: tournament type {system} is not the Dutch system")
    return filed or EDITIONS[0]
