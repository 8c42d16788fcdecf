"""Text for people: points, results and tables."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Unpack

import click
import msgspec

from paircard.cli.refusals import SPEAKER
from paircard.domain.messages import Fields, Message
from paircard.domain.values.results import points as points
from paircard.domain.values.text import OUTSIDE_FIDE, widths_of

if TYPE_CHECKING:
    from paircard.service.pairing_sheets import Round, Seat

WIDEST = 100
PAD = {">": str.rjust, "^": str.center}


def show_table(
    code: str,
    rows: Iterable[Sequence[object]],
    *,
    title: str | Message = "",
    fide_mode: bool = True,
    more: Sequence[str] = (),
) -> None:
    """Print a table under a title and the headings of a code, in which ``…`` stands for more of them."""
    above = SPEAKER.say(title) if isinstance(title, Message) else title
    columns = [heading.strip() for heading in SPEAKER.say(Message(code)).split("|")]
    if "…" in columns:
        at = columns.index("…")
        columns[at : at + 1] = more
    print_table(columns, rows, (above + outside_fide(fide_mode)).removeprefix(", "))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table. A column is its heading, after ``>`` if it is set right, after ``^`` if centred.

    Where a terminal is too narrow, the columns marked ``~1``, ``~2`` … are left out in this order, and a line
    says so; no name is cut short.
    """
    cells = [[str(value) for value in row] for row in rows]
    texts = [*(heading_of(column) for column in columns), *(cell for row in cells for cell in row)]
    wide_as = dict(zip(texts, widths_of(texts), strict=True))
    table = [Column(column, [row[at] for row in cells], wide_as) for at, column in enumerate(columns)]
    left_out = []
    if sys.stdout.isatty():
        wide = terminal_width()
        for dropped in sorted((column for column in table if column.spare), key=lambda column: column.spare):
            if sum(column.width + 2 for column in table) - 2 <= wide:
                break
            table.remove(dropped)
            if any(dropped.cells):
                left_out.append(dropped.heading)
    lines = zip(*(column.lines() for column in table), strict=True)
    click.echo("\n".join([*([title] if title else []), *("  ".join(line).rstrip() for line in lines)]))
    if left_out:
        print_line("cli.said.columns-left-out", known=left_out)


class Column:
    """A column of a table: its heading, its alignment and its cells."""

    def __init__(self, column: str, cells: list[str], wide_as: Mapping[str, int]) -> None:
        self.pad = PAD.get(column[:1], str.ljust)
        self.spare = column.partition("~")[2]
        self.heading, self.cells, self.wide_as = heading_of(column), cells, wide_as
        self.width = max(wide_as[text] for text in (self.heading, *cells))

    def lines(self) -> list[str]:
        """The heading and the cells, padded to the width of the column on their side."""
        texts = (self.heading, *self.cells)
        return [self.pad(text, len(text) + self.width - self.wide_as[text]) for text in texts]


def heading_of(column: str) -> str:
    """A heading without the marks of its column."""
    return column.lstrip(">^").partition("~")[0]


def print_round(round: "Round") -> None:
    """A round as a pairing sheet."""
    scores = {seat.score for board in round.boards for seat in (board.white, board.black)}
    spelled = {score: points(score) for score in scores | ({round.pab.score} if round.pab else set())}

    def side(seat: "Seat") -> str:
        return f"{seat.title} {seat.name}".strip() + f" ({spelled[seat.score]})"

    rows: list[tuple[object, ...]] = [
        (one.board, one.white.number, side(one.white), one.result or "–", side(one.black), one.black.number)
        for one in round.boards
    ]
    if round.pab:
        rows.append(("", round.pab.number, side(round.pab), "bye", "", ""))
    about = {"round": round.round, "last": round.rounds, "value": round.state, "altered": round.altered}
    title = Message("cli.title.round", about)
    show_table("cli.table.boards", rows, title=title, fide_mode=round.fide_mode)
    for absent in round.absent:
        print_line("cli.said.not-playing", name=absent.name, reason=absent.reason)


@contextmanager
def steps(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, told how much more is done each time."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=total, label=label, file=sys.stderr, hidden=hidden) as begun:
        yield begun.update


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, told how much of how much is done; less than before begins another."""
    with ExitStack() as stack:
        last = sys.maxsize
        step: Callable[[int], None]

        def tell(done: int, total: int) -> None:
            nonlocal last, step
            if done < last:
                stack.close()
                step, last = stack.enter_context(steps(label, total)), 0
            step(done - last)
            last = done

        yield tell


def print_line(code: str, /, **fields: Unpack[Fields]) -> None:
    """Print a sentence for people."""
    click.echo(SPEAKER.say(Message(code, fields)))


def remark(said: str | Message, place: object = "") -> None:
    """Print a remark on standard error, apart from the answer."""
    text = SPEAKER.say(said) if isinstance(said, Message) else said
    click.echo(f"paircard: {place}: {text}" if place else f"paircard: {text}", err=True)


def line_width() -> int:
    """How long a line of prose may be: 100 characters, or as many as the terminal has."""
    if not sys.stdout.isatty():
        return WIDEST
    return min(WIDEST, max(40, terminal_width()))


def terminal_width() -> int:
    """Columns of the terminal."""
    from shutil import get_terminal_size  # which loads archives and compression

    return get_terminal_size().columns


def show_json(value: object) -> None:
    """Print a value as JSON for other programs, indented for people."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def outside_fide(fide_mode: bool) -> str:
    """The sign that no sheet may lack once FIDE mode is left (VCL 46)."""
    return "" if fide_mode else f", {OUTSIDE_FIDE}"
