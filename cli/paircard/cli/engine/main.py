"""``paircard-engine``: the command line of bbpPairings and JaVaFo, for programs that call an engine.

    paircard-engine [-r] [--dutch] IN -p [OUT] [-l [LIST]]      pair the next round
    paircard-engine [-r] [--dutch] IN -c [-l [LIST]]            check all rounds
    paircard-engine [-r] [--dutch] (MODEL -g | -g [CONFIG]) -o OUT [-s SEED] [-l [LIST]]

``--edition dutch-2017`` or ``dutch-2026`` goes before record 192. Exit codes: 0 done, 1 no legal round,
2 our fault, 3 invalid input, 4 too large, 5 a file that cannot be read or written. It is called once per
round, so it imports only what the one call needs. Nothing is written unless all is well.
"""

import os
import sys

TYPE_CHECKING = False  # typing itself would be imported for nothing else
if TYPE_CHECKING:
    from paircard.projections.trf.format.records import Report
    from paircard.projections.trf.reading.report import Reading

NO_LEGAL_ROUND, UNEXPECTED, INVALID, TOO_LARGE, NO_FILE = 1, 2, 3, 4, 5
LARGEST = 64 * 1024 * 1024
"""Bytes of a report; 9,999 players and 20 rounds have 3 MB."""

EDITIONS = ("dutch-2026", "dutch-2017")

SLOW = "PAIRCARD_ENGINE_SLOW"
"""Set in the environment, no stand-ins are used."""

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


def main() -> None:
    """Run and leave the process; a plain pairing takes the lean way, see ``paircard.cli.engine.lean``."""
    arguments = sys.argv[1:]
    if "-p" in arguments and "-l" not in arguments and "-r" not in arguments and not os.environ.get(SLOW):
        import gc

        from paircard.cli.engine.lean import install

        gc.disable()  # the process ends before there is anything to collect
        if install():
            code = run(arguments)
            if code != UNEXPECTED:
                sys.stdout.flush()
                os._exit(code)  # nothing is open any more, and tearing down takes as long as pairing
            os.environ[SLOW] = "1"
            os.execv(sys.executable, [sys.executable, "-m", "paircard.cli.engine.main", *arguments])
    sys.exit(run(arguments))


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code."""
    try:
        request = understood(arguments)
        if request.info:
            print(version())
        if request.help:
            print(USAGE)
        if request.task == "p":
            pair_next(request)
        elif request.task:
            from paircard.cli.engine import tasks

            (tasks.check if request.task == "c" else tasks.generate)(request)
        sys.stdout.flush()
        return 0
    except Stop as stop:
        print(stop, file=sys.stderr)
        return stop.code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_FILE
    except (MemoryError, RecursionError):
        print("the tournament is too large for the memory of this machine", file=sys.stderr)
        return TOO_LARGE
    except Exception as trouble:
        if os.environ.get("PAIRCARD_DEBUG"):
            raise
        if "paircard.cli.engine.lean" in sys.modules:
            return UNEXPECTED
        print(f"internal error: {type(trouble).__name__}: {trouble}", file=sys.stderr)
        return UNEXPECTED


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
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

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


def understood_report(path: str) -> "tuple[Report, Reading]":
    """A report that must be sound; what was passed over, upgraded or inferred is told on standard error."""
    from paircard.projections.trf.format.problems import Problem, TrfError
    from paircard.projections.trf.format.text import parse
    from paircard.projections.trf.reading.report import read

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


def pair_next(request: Request) -> None:
    """Pair the round after the last one of the report."""
    from paircard.pairing import NoLegalRound, PairingError, pair
    from paircard.projections.round.snapshot import snapshot
    from paircard.projections.trf.format.records import Rounds

    path = request.source
    report, reading = understood_report(path)
    table = reading.table
    if not any(type(record) is Rounds for record in report.records):
        raise Stop(INVALID, f"{path}: the number of rounds is missing, give record 142 or XXR")
    if table.paired >= table.rounds:
        raise Stop(INVALID, f"{path}: all {table.rounds} rounds are paired")
    pending = next(
        (row for row in table.rows for entry in row.entries[: table.paired] if not entry.letter), None
    )
    if pending is not None:
        raise Stop(INVALID, f"{path}: player {pending.number} has a game without a result")
    if not table.initial_colour:
        raise Stop(INVALID, f"{path}: the initial colour is missing, give record 152 or XXC")
    state = snapshot(table, table.paired + 1, edition(request, reading.edition, reading.system))
    try:
        paired = pair(state)
    except NoLegalRound as refusal:
        if request.checklist:
            from paircard.cli.engine.checklist import checklist

            write(checklist_path(request), checklist(state, None) + version())
        if request.target:  # empty, as bbpPairings leaves it: no caller may take an old round for this one
            write(beside(request.target, path), "")
        raise Stop(NO_LEGAL_ROUND, f"{path}: no legal round: {refusal}") from None
    except PairingError as refusal:
        raise Stop(INVALID, f"{path}: {refusal}") from None
    points = {player.id: (player.points, -player.number) for player in state.players}
    # The order both engines print: by points without virtual ones, higher player, then lower player
    boards = sorted((board.white, board.black) for board in paired.boards)
    boards.sort(key=lambda board: published(points[board[0]], points[board[1]]))
    lines = [f"{white} {black}" for white, black in boards]
    if paired.pab:
        lines.append(f"{paired.pab} 0")
    text = "\n".join([str(len(lines)), *lines, ""])
    if request.checklist:
        from paircard.cli.engine.checklist import checklist

        write(checklist_path(request), checklist(state, paired) + version())
    if request.target:
        write(beside(request.target, path), text)
    else:
        sys.stdout.write(text)


def published(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int, int]:
    """Sorting key of a board: points of the higher player, of the lower one, number of the higher one."""
    higher, lower = (one, other) if one > other else (other, one)
    return -higher[0], -lower[0], -higher[1]


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


if __name__ == "__main__":
    main()
