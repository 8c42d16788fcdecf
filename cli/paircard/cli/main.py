"""The command ``paircard``: the table of commands, and how every run ends.

Exit codes: 0 done, 1 refused, 2 wrong usage. A refusal is one line on standard error; of warnings one each,
and the command that accepts them.

To add a command, write it in a module of its own (``@click.command()``, the docstring is its help and
ends in an example; ``@reads`` or ``@writes`` of ``paircard.cli.options`` give it the file and the tournament)
and add one line to ``COMMANDS``: its name, where it is, and the first line of its help.
"""

import contextlib
import io
import os
import sqlite3
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from paircard.cli.lazy import LazyGroup, Table
from paircard.cli.options import ASKER, PLACE, with_options
from paircard.cli.refusals import in_a_line
from paircard.cli.session import Session
from paircard.cli.usage import in_our_words
from paircard.domain.errors import PaircardError
from paircard.domain.log.reader import NONSENSE

COMMANDS: Table = {
    "Tournament": {
        "new": ("paircard.cli.commands.tournaments:new", "Open a tournament."),
        "list": ("paircard.cli.commands.tournaments:list_", "List the tournaments of a file."),
        "show": (
            "paircard.cli.commands.tournaments:show",
            "Show a tournament: its regulations and how far it has come.",
        ),
        "change": ("paircard.cli.commands.tournaments:change", "Change the regulations of a tournament."),
        "leave-fide-mode": (
            "paircard.cli.commands.tournaments:leave_fide_mode",
            "Leave FIDE mode for good, to do what FIDE's rules forbid.",
        ),
    },
    "Players": {
        "player": (
            "paircard.cli.commands.players:player",
            "Register, correct, withdraw and readmit players.",
        ),
        "lists": (
            "paircard.cli.commands.lists:lists",
            "Import rating lists, look people up, and check the players against a list.",
        ),
        "bye": (
            "paircard.cli.commands.byes:bye",
            "Grant and revoke byes.",
        ),
        "erase": (
            "paircard.cli.commands.erase:erase",
            "Remove the personal data of a player on request.",
        ),
        "prohibit": (
            "paircard.cli.commands.byes:prohibit",
            "Keep players apart: no two of them meet. Announced before round 1 is paired.",
        ),
        "allow": (
            "paircard.cli.commands.byes:allow",
            "Lift a prohibition that names these players, from the next pairing on.",
        ),
        "number": (
            "paircard.cli.commands.rounds:number",
            "Number the players again after corrections; since 2016 not once round 4 is paired (C.04.2:2.3).",
        ),
    },
    "Rounds": {
        "draw": (
            "paircard.cli.commands.rounds:draw",
            "Draw lots for the initial colour of number 1 (C.04.3:5.1).",
        ),
        "pair": ("paircard.cli.commands.rounds:pair", "Pair the next round from what is known now."),
        "publish": (
            "paircard.cli.commands.rounds:publish",
            "Publish a paired round; from then on results can be entered.",
        ),
        "unpair": (
            "paircard.cli.commands.rounds:unpair",
            "Take back the last round; a published one only before it is played, with a reason.",
        ),
        "alter": (
            "paircard.cli.commands.rounds:alter",
            "Pair a round by hand, or alter one: begin and end with your boards, or swap two players.",
        ),
        "result": (
            "paircard.cli.commands.results:result",
            "Enter the results of a round: all of them, or none.",
        ),
        "clear": (
            "paircard.cli.commands.results:clear",
            "Clear results that were entered on the wrong boards: the games are open again.",
        ),
        "correct": (
            "paircard.cli.commands.results:correct",
            "Correct a result, the colours of a board, or who met, where the record is wrong.",
        ),
        "complete": (
            "paircard.cli.commands.rounds:complete",
            "End a round once all results are in; corrections then count as C.04.2:4.3 or 2012 F.7 says.",
        ),
        "reopen": (
            "paircard.cli.commands.rounds:reopen",
            "Reopen a round, or the tournament, that was ended too early.",
        ),
        "undo": (
            "paircard.cli.commands.undo:undo",
            "Say what your last command did, and take back what can be taken back.",
        ),
        "lots": (
            "paircard.cli.commands.lots:lots",
            "Draw lots among tied players, once for all; or rank them by hand.",
        ),
        "playoff": (
            "paircard.cli.commands.lots:playoff",
            "Enter a tie-break value from outside, such as a play-off, under its announced name.",
        ),
        "close": (
            "paircard.cli.commands.rounds:close",
            "Close the tournament: the standings are final, only rating corrections can still be recorded.",
        ),
    },
    "Looking": {
        "boards": (
            "paircard.cli.commands.boards:boards",
            "Show the boards of a round; default: the last round.",
        ),
        "slips": (
            "paircard.cli.commands.boards:slips",
            "Print the result slips of a round as a web page for A4; default: the last round.",
        ),
        "standings": (
            "paircard.cli.commands.standings:standings",
            "Show the standings, by points and the announced tie-breaks.",
        ),
        "crosstable": (
            "paircard.cli.commands.standings:crosstable",
            "Show the crosstable: opponent, colour and result of every player's rounds, as scheduled.",
        ),
        "why": (
            "paircard.cli.commands.why:why",
            "Say why a player has this opponent and this colour.",
        ),
        "why-not": (
            "paircard.cli.commands.why:why_not",
            "Say why two players do not meet: the rule that forbids it, or what would get worse.",
        ),
        "explain": (
            "paircard.cli.commands.why:explain",
            "Explain a round bracket by bracket (default: the last one).",
        ),
        "candidates": (
            "paircard.cli.commands.candidates:candidates",
            "List the candidates of a bracket in order, with their values (the sieve).",
        ),
        "tabellone": (
            "paircard.cli.commands.pairing_input:show_tabellone",
            "Show the table before a round: scoregroups, colours, preferences and floats; default: the next "
            "round.",
        ),
        "snapshot": (
            "paircard.cli.commands.pairing_input:snapshot",
            "Print all that the pairing of a round depends on, byte by byte as it was hashed.",
        ),
        "card": (
            "paircard.cli.commands.boards:card",
            "Show a player's pairing card: opponent, colour, float, result and score of each round.",
        ),
        "log": (
            "paircard.cli.commands.log:log",
            "Show the log: every fact in order, who recorded it, when and why.",
        ),
        "tables": (
            "paircard.cli.commands.tables:tables",
            "Write read tables of all tournaments of the file, for Datasette and SQL.",
        ),
    },
    "Proof": {
        "verify": (
            "paircard.cli.commands.verify:verify",
            "Check the log: chain, versions, snapshots, every round, and copies held by others.",
        ),
        "checkpoint": (
            "paircard.cli.commands.keys:checkpoint",
            "Sign the length and the head hash of the log, for others to keep.",
        ),
        "key": ("paircard.cli.commands.keys:key", "Make and show keys that sign checkpoints."),
        "tree": (
            "paircard.cli.commands.tree:tree",
            "Publish one signed tree over all facts of the store, and check it.",
        ),
        "prove": (
            "paircard.cli.commands.tree:prove",
            "Prove a result, or any fact, with a file that stands alone.",
        ),
        "witness": (
            "paircard.cli.commands.tree:witness",
            "Be a witness: sign that a federation's tree only grows.",
        ),
        "replay": (
            "paircard.cli.commands.replay:replay",
            "Pair every recorded round again from the log alone, and compare.",
        ),
        "what-if": (
            "paircard.cli.commands.what_if:what_if",
            "Suppose other results, pair each later round again and name the first that would differ.",
        ),
        "diff": (
            "paircard.cli.commands.what_if:diff",
            "Show what changed between two moments: facts, boards, results, numbers, standings.",
        ),
    },
    "Stores": {
        "init": (
            "paircard.cli.commands.stores:init",
            "Create a store for tournaments: the tables of a PostgreSQL database, or an empty file.",
        ),
        "move": (
            "paircard.cli.commands.stores:move",
            "Copy tournaments from one store to another, byte by byte, and check the copies.",
        ),
        "backup": (
            "paircard.cli.commands.stores:backup",
            "Copy the whole file while others work with it, and check the copy.",
        ),
        "restore": (
            "paircard.cli.commands.stores:restore",
            "Put a backup in the place of the file, after checking it; the file that is there is put aside.",
        ),
        "doctor": (
            "paircard.cli.commands.stores:doctor",
            "Check a store: say what is wrong with it, and what to do.",
        ),
    },
    "Files and engines": {
        "check": ("paircard.cli.commands.check:check", "Pair every round of published tournaments again."),
        "tiebreaks": (
            "paircard.cli.commands.tiebreaks:tiebreaks",
            "Compute the tie-breaks of a report file (C.07, 2026).",
        ),
        "generate": (
            "paircard.cli.commands.generate:generate",
            "Play random tournaments and write their reports.",
        ),
        "trf": (
            "paircard.cli.commands.trf:trf",
            "Read and write Tournament Report Files (TRF26, TRF16, TRF06, TRF(x)).",
        ),
        "export": (
            "paircard.cli.commands.export:export",
            "Write files for relays, broadcasts, other programs and rating officers.",
        ),
        "compare": (
            "paircard.cli.commands.compare:compare",
            "Play tournaments against another engine and judge every difference.",
        ),
    },
    "Serving": {
        "serve": (
            "paircard.web.serve:serve",
            "Serve the tournaments of a file over HTTP: for browsers, phones, screens and programs.",
        ),
        "invite": (
            "paircard.web.serve:invite",
            "Let somebody in to all tournaments of a store: prints a link, or a key, once.",
        ),
    },
    "Help": {
        "help": (
            "paircard.cli.commands.manual:help_",
            "Show what a command does, with its options and an example.",
        ),
        "manual": (
            "paircard.cli.commands.manual:manual",
            "Read the manual: tie-break codes, warnings, FIDE mode, results, files, editions.",
        ),
        "demo": (
            "paircard.cli.commands.demo:demo",
            "Play the worked example: six rounds, a wrong result, its correction and what that changes.",
        ),
        "completion": (
            "paircard.cli.commands.completion:completion",
            "Print the completion script of a shell.",
        ),
    },
}


def show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the installed version and stop."""
    if wanted:
        try:
            click.echo(f"paircard {version('paircard')}")
        except PackageNotFoundError:
            click.echo("paircard, not installed: run from its source")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version.",
)
@with_options(*PLACE, *ASKER)
def cli() -> None:
    """Run a Swiss chess tournament, and prove every round of it years later."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave the process."""
    sys.exit(run(sys.argv[1:] if args is None else list(args)))


def run(args: Sequence[str]) -> int:
    """Run one command; the exit code."""
    session = Session()
    session.typed = tuple(args)
    if sys.stdout is None:  # closed by whoever started this: nobody reads along
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ½ shows ?, and no traceback
    try:
        code = cli.main(list(args), prog_name="paircard", standalone_mode=False, obj=session)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except NoArgsIsHelpError as empty:
        with contextlib.suppress(OSError):
            click.echo(empty.format_message(), err=True)
        return 2
    except click.UsageError as wrong:
        path = wrong.ctx.command_path if wrong.ctx else command_of(args)
        return refuse(f"{in_our_words(wrong)} (see {path} --help)", 2)
    except (click.Abort, KeyboardInterrupt):
        return refuse("interrupted", 130)
    except SystemExit as end:  # a server that was asked to stop, or click's answer to a reader who went away
        return 1 if end.code and not session.done else 0
    except BrokenPipeError:
        discard_output()
        return 0 if session.done else 1
    except click.ClickException as refusal:
        return refuse(refusal.format_message(), 1)
    except OSError as trouble:
        if not session.done:
            return refuse(explain_trouble(trouble, session), 1)
        discard_output()
        return refuse(
            f"{session.done}, but the answer could not be written: {explain_trouble(trouble, session)}", 0
        )
    except Exception as trouble:
        why = forged(session, trouble) or explain_trouble(trouble, session)
        if not session.done:
            return refuse(why, 1)
        again = f"repeat the command with --id {session.person.id} to finish it"
        return refuse(f"{session.done}, but not finished: {why}; {again}", 1)
    finally:
        session.close()


def forged(session: Session, trouble: Exception) -> str:
    """Says that a log has facts no desk recorded, where that is why no view of it can be made."""
    if not isinstance(trouble, NONSENSE) or "tournament" not in vars(session):
        return ""
    try:
        whole = session.tournament.verify().whole
    except PaircardError:
        whole = False
    except NONSENSE:
        whole = True  # then it is our mistake
    return "" if whole else "the log has facts that paircard did not record: see paircard verify"


def discard_output() -> None:
    """Discard what is still buffered, so that Python does not raise again when it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


LONGEST_WORD = 1_000


def refuse(message: str, code: int) -> int:
    """Lines on standard error; a word that no line can hold is cut, control characters are marked."""
    for line in message.split("\n"):
        seen = "".join(
            sign if sign.isprintable() or sign.isspace() else "\N{REPLACEMENT CHARACTER}" for sign in line
        )
        words = (word if len(word) <= LONGEST_WORD else f"{word[:40]}…" for word in seen.split())
        with contextlib.suppress(OSError):  # the code says it, too
            click.echo(f"paircard: {' '.join(words)}", err=True)
    return code


def command_of(args: Sequence[str]) -> str:
    """The command these words ask for, where click does not say which one it was reading."""
    path: list[str] = ["paircard"]
    group: click.Group = cli
    for word in args:
        command = group.get_command(click.Context(group), word)
        if command is not None:
            path.append(word)
            if not isinstance(command, click.Group):
                break
            group = command
    return " ".join(path)


def explain_trouble(trouble: Exception, session: Session) -> str:
    """What is so, for a person; a traceback only where PAIRCARD_DEBUG asks for one."""
    if isinstance(trouble, PaircardError):
        return in_a_line(trouble, session)
    if os.environ.get("PAIRCARD_DEBUG"):
        raise trouble
    if isinstance(trouble, OSError):
        name = f"{trouble.filename}: " if trouble.filename else ""
        return f"{name}{(trouble.strerror or str(trouble)).lower()}"
    if isinstance(trouble, sqlite3.Error):
        return f"the database refused: {trouble}"
    return (
        f"internal error, nothing more was written: {type(trouble).__name__}: {trouble} "
        "(PAIRCARD_DEBUG=1 shows where; please report it)"
    )
