"""The log itself: ``log`` to read it, ``diff`` between two moments of it."""

import re
from typing import TYPE_CHECKING

import click

from paircard.cli.desk import Desk, reads
from paircard.cli.text import say, show_json

if TYPE_CHECKING:
    from paircard.projections.log import LogLine


@click.group(invoke_without_command=True)
@click.option("--last", type=click.IntRange(1), help="Only the last so many facts.")
@click.option("--player", "who", help="Only what concerns one player.")
@click.option("--board", metavar="ROUND[.BOARD]", help="Only what concerns a round, or one board of it: 3.2")
@click.option(
    "--kind", "kinds", multiple=True, help="Only facts of a kind: result-corrected, or a word such as result."
)
@reads
def log(desk: Desk, last: int | None, who: str | None, board: str | None, kinds: tuple[str, ...]) -> None:
    """Show the log: every fact in order, who recorded it, when and why.

    \b
    Example:
      paircard log --player 1 --kind result --last 5
    """
    if click.get_current_context().invoked_subcommand is not None:
        if last or who or board or kinds:
            raise click.UsageError("filters are for reading the log: leave them out")
        return
    lines = chosen_lines(desk, who, board, kinds)
    lines = lines[-last:] if last else lines
    if desk.json:
        show_json(lines)
        return
    for line in lines:
        say(line_text(line))


def chosen_lines(desk: Desk, who: str | None, board: str | None, kinds: tuple[str, ...]) -> "list[LogLine]":
    """The lines that all filters let through."""
    from paircard.projections.log import at_board, concerning, log_lines, of_kinds

    facts = desk.log()
    wanted = {fact.version for fact in facts}
    if who is not None:
        wanted &= concerning(facts, desk.player(who))
    if board is not None:
        place = re.fullmatch(r"(\d{1,3})(?:[.:](\d{1,4}))?", board)
        if not place:
            raise click.UsageError(f"{board[:20]!r} is not a round or a board of it, like 3 or 3.2")
        wanted &= at_board(facts, int(place[1]), int(place[2] or 0))
    named = of_kinds(kinds) if kinds else None
    return [
        line for line in log_lines(facts) if line.version in wanted and (named is None or line.kind in named)
    ]


def line_text(line: "LogLine") -> str:
    """One fact in one line."""
    why = f" — {line.why}" if line.why else ""
    noted = f" [accepted {', '.join(line.acknowledged)}]" if line.acknowledged else ""
    return f"{line.version:>5}  {line.when}  {line.who}: {line.text}{why}{noted}"
