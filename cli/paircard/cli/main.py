"""The command ``paircard``: the table of commands, and how every run ends.

Exit codes: 0 done, 1 refused, 2 wrong usage. A refusal is one line on standard error; of warnings one each,
and the command that accepts them.

To add a command, write it in a module of its own (``@click.command()``, the docstring is its help and ends
in ``Example: paircard …``; ``@reads`` or ``@writes`` of ``paircard.cli.session`` give it the file and the
tournament) and name it in ``COMMANDS``, with its module.
"""

import codecs
import contextlib
import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from paircard.cli.options import ASKER, PLACE, with_options
from paircard.cli.output import show_json
from paircard.cli.refusals import Stopped, as_data, in_a_line, spoken
from paircard.cli.usage import LazyGroup, Run, in_our_words, with_code
from paircard.domain.errors import PaircardError
from paircard.domain.messages import say
from paircard.domain.system import said
from paircard.domain.version import VERSION

COMMANDS: Final = {
    "Tournament": (
        "tournaments:new tournaments:list tournaments:show tournaments:change "
        "prizes:announce prizes:award tournaments:leave-fide-mode"
    ),
    "Players": (
        "players:player lists:lists players:bye players:erase players:prohibit players:allow rounds:number"
    ),
    "Rounds": (
        "rounds:draw rounds:pair keys:publish rounds:unpair rounds:alter results:result "
        "results:clear what_if:correct rounds:complete rounds:reopen results:undo rounds:lots "
        "rounds:playoff rounds:close"
    ),
    "Looking": (
        "boards:boards boards:slips schedule:schedule standings:standings standings:crosstable "
        "why:why why:why-not why:explain why:candidates why:tabellone why:snapshot boards:card "
        "log:log prizes:prizes titles:ratings titles:norms export:tables"
    ),
    "Proof": (
        "verify:verify keys:checkpoint keys:key tree:tree tree:prove tree:witness verify:replay "
        "what_if:what-if what_if:diff"
    ),
    "Stores": ("stores:init stores:move stores:backup stores:restore stores:doctor"),
    "Files and engines": (
        "check:check standings:tiebreaks generate:generate export:trf export:export compare:compare"
    ),
    "Serving": "paircard.web.serve:serve paircard.web.serve:invite paircard.web.serve:webhook",
    "Help": ("manual:help manual:manual demo:demo manual:completion"),
}
"""By section, in the order of the help: the module of a command and its name."""


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, message="paircard %(version)s", help="Show the version.")
@with_options(*PLACE, *ASKER)
def cli() -> None:
    """Run a chess tournament, Swiss or round robin, and prove every round of it years later."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave the process."""
    sys.exit(run(sys.argv[1:] if args is None else list(args)))


def run(args: Sequence[str]) -> int:
    """Run one command; the exit code."""
    asked = Run()
    asked.typed = tuple(args)
    if sys.stdin is None:  # closed by the program that started this: there is nothing to read
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:  # closed by the program that started this: nobody reads along
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            speak_plainly(stream, asked)
    if "_PAIRCARD_COMPLETE" in os.environ:
        import paircard.cli.completing  # noqa: F401  # a shell asks for words
    try:
        code = cli.main(list(args), prog_name="paircard", standalone_mode=False, obj=asked)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except NoArgsIsHelpError as empty:
        with contextlib.suppress(OSError):
            click.echo(empty.format_message(), err=True)
        return 2
    except click.UsageError as wrong:
        path = wrong.ctx.command_path if wrong.ctx else "paircard"
        told = say("cli.ended.misused", value=in_our_words(wrong), path=path)
        return refuse(spoken(told), 2, with_code(wrong), args)
    except (click.Abort, KeyboardInterrupt):
        return refuse(spoken(say("cli.ended.interrupted")), 130)
    except SystemExit as end:  # a server that was asked to stop, or click's answer to a reader who went away
        return 1 if end.code and not asked.done else 0
    except BrokenPipeError:
        discard_output()
        return 0 if asked.done else 1
    except click.ClickException as refusal:
        return refuse(refusal.format_message(), 1)
    except Exception as trouble:
        ours = explained(trouble)
        why = in_a_line(ours, asked.typed, asked.why)
        if not asked.done:
            return refuse(why, 1, ours, args)
        if isinstance(trouble, OSError):
            discard_output()
            return refuse(spoken(say("cli.ended.not-printed", kind=asked.done, reason=why)), 0)
        again = say("cli.ended.not-finished", kind=asked.done, reason=why, id=asked.command_id)
        return refuse(spoken(again), 1)
    finally:
        if asked.unshown:
            refuse(spoken(say("cli.ended.unshown", value=asked.unshown)), 0)


def speak_plainly(stream: io.TextIOWrapper, asked: Run) -> None:
    """A file or a pipe gets UTF-8 and plain line ends on every system; a terminal what it can show.

    PYTHONIOENCODING is obeyed. A letter that cannot be shown is a question mark, and the run says so once.
    """

    def unshown(trouble: UnicodeError) -> tuple[str, int]:
        assert isinstance(trouble, UnicodeEncodeError)
        asked.unshown = trouble.encoding
        return "?" * (trouble.end - trouble.start), trouble.end

    codecs.register_error("paircard", unshown)
    if stream.isatty() or os.environ.get("PYTHONIOENCODING"):
        stream.reconfigure(errors="paircard")
    else:
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")


def discard_output() -> None:
    """Discard what is still buffered, so that Python does not raise again when it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


LONGEST_WORD = 1_000


def refuse(message: str, code: int, error: Exception | None = None, args: Sequence[str] = ()) -> int:
    """Lines on standard error, and with --json the error on standard output.

    A word that no line can hold is cut, control characters are marked.
    """
    if error is not None and "--json" in args:
        with contextlib.suppress(OSError):
            show_json(as_data(error, message))
    for line in message.split("\n"):
        seen = "".join(
            sign if sign.isprintable() or sign.isspace() else "\N{REPLACEMENT CHARACTER}" for sign in line
        )
        plain = re.sub(r"[^\S ]+", " ", seen).strip()
        short = re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: f"{word[0][:40]}…", plain)
        with contextlib.suppress(OSError):  # the code says it, too
            click.echo(f"paircard: {short}", err=True)
    return code


def explained(trouble: Exception) -> PaircardError:
    """An error as one of ours; a traceback only where PAIRCARD_DEBUG asks for one."""
    if isinstance(trouble, PaircardError):
        return trouble
    if os.environ.get("PAIRCARD_DEBUG"):
        raise trouble
    if isinstance(trouble, OSError):
        ours = Stopped("cli.ended.system", reason=said(trouble))
        ours.place = str(trouble.filename or "")
        return ours
    if type(trouble).__module__ == "sqlite3":  # which not every run has loaded
        return Stopped("cli.ended.database", reason=str(trouble))
    return Stopped("cli.ended.our-mistake", kind=type(trouble).__name__, reason=str(trouble))
