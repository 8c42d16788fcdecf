"""``paircard-engine``: the command line of bbpPairings and JaVaFo, for programs that call an engine.

    paircard-engine [-r] [--dutch] IN -p [OUT] [-l [LIST]]      pair the next round
    paircard-engine [-r] [--dutch] IN -c [N] [-l [LIST]]        check all rounds, or round N
    paircard-engine [-r] [--dutch] (MODEL -g | -g [CONFIG | SEED]) -o OUT [-s SEED] [-l [LIST]]
    paircard-engine --serve                                     a request per line in, an answer per line out

``-b`` accelerates by the Baku method. JaVaFo's ``-w`` and ``-q N`` are taken and change nothing: every round
is found exactly. Without ``--dutch`` a missing initial colour is drawn, as JaVaFo does.
``--edition dutch-2017`` or another one goes before record 192. Exit codes: 0 done, 1 no legal round,
2 our fault, 3 invalid input, 4 too large, 5 a file that cannot be read or written.
Nothing is written unless all is well.
"""

import os
import sys

from msgspec.structs import replace

from paircard.cli.engine import request as engine
from paircard.cli.engine.request import NO_LEGAL_ROUND, TOO_LARGE, Request, Stop
from paircard.domain.messages import say
from paircard.domain.speaking import Speaker
from paircard.domain.values.rules import RULES
from paircard.pairing import NoLegalRound, Pairing, PairingError, pair
from paircard.pairing.reports import published, rules_of, snapshot_to_pair
from paircard.projections.round.snapshot import Snapshot


def main() -> None:
    """Run and leave the process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code."""
    if sys.stdin is None:  # closed by the program that started this, as standard output may be
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        request = engine.understood(arguments)
        if request.info:
            print(engine.version())
        if request.help:
            print(engine.USAGE)
        if request.serves:
            from paircard.cli.engine.resident import serve  # who wants one round waits for none of it

            serve(sys.stdin.buffer, sys.stdout.buffer)
        if request.task == "p":
            pair_next(request)
        elif request.task:
            from paircard.cli.engine import tasks  # the lab: a caller who wants a round waits for none of it

            (tasks.check if request.task == "c" else tasks.generate)(request)
        sys.stdout.flush()
        return 0
    except Stop as stop:
        print(stop, file=sys.stderr)
        return stop.code
    except PairingError as refusal:
        print(f"{request.source}: {refusal}", file=sys.stderr)
        return engine.INVALID
    except KeyboardInterrupt:
        return engine.UNEXPECTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return engine.NO_FILE
    except (MemoryError, RecursionError):
        print(Stop(TOO_LARGE, "cli.engine.too-large"), file=sys.stderr)
        return TOO_LARGE
    except Exception as trouble:
        if os.environ.get("PAIRCARD_DEBUG"):
            raise
        print(f"internal error: {type(trouble).__name__}: {trouble}", file=sys.stderr)
        return engine.UNEXPECTED


def pair_next(request: Request) -> None:
    """Pair the round after the last one of the report."""
    path = request.source
    report, reading = engine.understood_report(path, request)
    draws = RULES[rules_of(reading, request.edition)].draws
    if request.draws_colour and "initial-colour" in draws and not reading.table.initial_colour:
        reading = replace(reading, table=replace(reading.table, initial_colour=drawn_colour(path)))
    state = snapshot_to_pair(report, reading, request.edition)
    try:
        paired = pair(state)
    except NoLegalRound as refusal:
        write_checklist(request, state, None)
        if request.target:  # empty, as bbpPairings leaves it: no caller may take an old round for this one
            engine.write(engine.beside(request.target, path), "")
        # lichess looks for the first four words, which are those of bbpPairings
        raise Stop(NO_LEGAL_ROUND, "cli.engine.no-pairing", path=path, reason=str(refusal)) from None
    lines = [f"{white} {black}" for white, black in published(state, paired)]
    if paired.pab:
        lines.append(f"{paired.pab} 0")
    text = "\n".join([str(len(lines)), *lines, ""])
    write_checklist(request, state, paired)
    if request.target:
        engine.write(engine.beside(request.target, path), text)
    else:
        sys.stdout.write(text)


def write_checklist(request: Request, state: Snapshot, paired: Pairing | None) -> None:
    """The check list of a round, if one is wanted."""
    if request.checklist:
        from paircard.cli.engine.tasks import checklist

        engine.write(engine.checklist_path(request), checklist(state, paired) + engine.version())


def drawn_colour(path: str) -> str:
    """A colour drawn by the file: the same file always gives the same one, as with JaVaFo."""
    import hashlib  # OpenSSL: few files leave the colour open

    colour = "wb"[hashlib.sha256(engine.text_of(path).encode()).digest()[0] % 2]
    print(Speaker().say(say("cli.engine.colour-drawn", path=path, colour=colour)), file=sys.stderr)
    return colour


if __name__ == "__main__":
    main()
