"""Help: ``help manual completion``, the manual inside the program (VCL 12)."""

from importlib.resources import files
from textwrap import fill

import click
from click.shell_completion import get_completion_class

from paircard.cli.main import cli
from paircard.cli.usage import no_such_command
from paircard.domain.deciding.cautions import CAUTIONS, meaning
from paircard.domain.values.rules import NEWEST
from paircard.projections.standings.tiebreaks import RULES
from paircard.service.edition_table import TABLE, merged

PAGES = ("tie-breaks", "warnings", "fide-mode", "results", "files", "editions", "programs")

EXAMPLES = ("c2-nine", "c2-ten", "c2-last-round", "half-point-byes", "numbers", "tie-breaks")
"""Report files in which programs differ."""
PAGE = files("paircard.cli") / "manual"

MODIFIER_WORDS = {
    "C": "/C1 /C2: without the least significant values (C.07:14.1)",
    "M": "/M1 /M2: without the most significant ones as well",
    "P": "/P: a forfeit counts as a game against the scheduled opponent",
    "F": "/F: with Fore Buchholz",
    "R": "/R: in the other order",
    "L": "/L±n: the limit moved by n half points",
    "U": "/U1400: the rating of unrated players; /U: without them",
}


@click.command("help")
@click.argument("command", nargs=-1)
def help_(command: tuple[str, ...]) -> None:
    """Show what a command does, with its options and an example.

    Example: paircard help player add
    """
    ctx = click.get_current_context().find_root()
    for word in command:
        group = ctx.command
        if not isinstance(group, click.Group):
            break  # words after a command are its arguments
        part = group.get_command(ctx, word)
        if part is None:
            raise no_such_command(ctx, group, word)
        ctx = click.Context(part, info_name=word, parent=ctx)
    click.echo(ctx.get_help())


@click.command()
@click.argument("page", required=False, metavar="[PAGE]", type=click.Choice(PAGES))
@click.option(
    "--file", "example", type=click.Choice(EXAMPLES), help="Print a report file of the page programs."
)
def manual(page: str | None, example: str | None) -> None:
    """Read the manual: tie-break codes, warnings, FIDE mode, results, files, editions, programs.

    Example: paircard manual warnings
    """
    if example is not None:
        click.echo((PAGE / "programs" / f"{example}.trf").read_text(encoding="utf-8"), nl=False)
    elif page is None:
        click.echo(f"pages: {', '.join(PAGES)}\n\nread one with paircard manual PAGE")
        click.echo(
            "what a command does: paircard COMMAND --help; what FIDE mode is: paircard manual fide-mode"
        )
    elif page == "tie-breaks":
        click.echo(tiebreak_page(), nl=False)
    elif page == "warnings":
        click.echo(warning_page(), nl=False)
    elif page == "editions":
        click.echo(edition_page(), nl=False)
    else:
        click.echo((PAGE / f"{page}.md").read_text(encoding="utf-8"), nl=False)


def edition_page() -> str:
    """Where the editions of the rules differ: a subject, and each edition with its rule and article."""
    lines = [
        "# Where the editions differ",
        "",
        "The rules of a tournament are chosen with `new --edition`; `show` names them. 2012 is the text of",
        "Istanbul, 2012-javafo the same as JaVaFo 1.4 read it, 2017 that of Baku 2016, 2026 that of today.",
        "Rounds without a game are those of the usual points.",
    ]
    for row in TABLE:
        lines += ["", f"**{row.subject}**", ""]
        for editions, rule in merged(row):
            where = f" ({rule.article})" if rule.article else ""
            start = f"    {', '.join(editions):<17}  "
            lines.append(
                fill(f"{start}{rule.text}{where}", 100, subsequent_indent=" " * 23, break_on_hyphens=False)
            )
    return "\n".join(lines) + "\n"


def warning_page() -> str:
    """The codes of warnings, from the table that deciding uses."""
    lines = [
        "# Warnings",
        "",
        "Give the code with --ack to accept a warning, each by its own code. What is accepted is printed,",
        "and the log keeps it with the players it concerns. `paircard manual fide-mode` explains the levels.",
        "Articles here are those of 2026; a warning itself names the article of the tournament's edition.",
        "",
    ]
    by_level = sorted(CAUTIONS.items(), key=lambda item: item[1])
    lines += [f"    {level}  {code:<22}  {meaning(code, NEWEST)}" for code, level in by_level]
    return "\n".join(lines) + "\n"


def tiebreak_page() -> str:
    """The codes of tie-breaks, from the table that computes them."""
    lines = [
        "# Tie-breaks",
        "",
        "A list is codes in their order, such as BH/C1,BH,SB,DE; points come first unless PTS is in it.",
        "Articles are those of C.07, in force from 1 March 2026.",
        "",
    ]
    for rule in RULES.values():
        marks = " ".join(f"/{letter}" for letter in rule.modifiers)
        lines.append(f"    {rule.name:<5} {rule.article:<5} {rule.title:<42} {marks}".rstrip())
    lines += ["    OTHER_x     a value from outside, such as OTHER_PLAYOFF (VCL 207)", "", "Modifiers", ""]
    lines += [f"    {words}" for words in MODIFIER_WORDS.values()]
    return "\n".join(lines) + "\n"


SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    Put its output where the shell reads it at start, for example ``~/.bashrc``.

    Example: paircard completion zsh
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "paircard", "_PAIRCARD_COMPLETE").source())
