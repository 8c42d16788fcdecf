"""Help: ``help manual completion``, the manual inside the program (VCL 12)."""

from importlib.resources import files
from textwrap import fill

import click
from click.shell_completion import CompletionItem, get_completion_class

from paircard.cli.completing import SHELLS, VARIABLE
from paircard.cli.main import cli
from paircard.cli.usage import no_such_command
from paircard.domain.deciding.decision import CAUTIONS, meaning
from paircard.domain.values.rules import NEWEST
from paircard.projections.standings.tiebreaks import RULES
from paircard.service.edition_table import TABLE, merged

PAGES = ("tie-breaks", "warnings", "fide-mode", "results", "files", "editions", "programs")

EXAMPLES = ("c2-nine", "c2-ten", "c2-last-round", "half-point-byes", "numbers", "tie-breaks")
"""Report files in which programs differ."""
PAGE = files("paircard.cli") / "manual"


def parts_of(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The commands that a word after ``help`` may become, in the group that the words before it name."""
    part: click.Command | None = ctx.find_root().command
    for word in ctx.params.get(param.name or "") or ():
        part = part.get_command(ctx, word) if isinstance(part, click.Group) else None
    return part.shell_complete(click.Context(part), begun) if isinstance(part, click.Group) else []


@click.command("help")
@click.argument("command", nargs=-1, shell_complete=parts_of)
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
    else:
        click.echo(page_text(page), nl=False)


def page_text(page: str) -> str:
    """A page of the manual; the table in it follows from what the program does."""
    text = (PAGE / f"{page}.md").read_text(encoding="utf-8")
    return text.replace("{table}", "\n".join(TABLES[page]())) if page in TABLES else text


def edition_lines() -> list[str]:
    """Where the editions of the rules differ: a subject, and each edition with its rule and article."""
    lines = []
    for row in TABLE:
        lines += ["", f"**{row.subject}**", ""]
        for editions, rule in merged(row):
            where = f" ({rule.article})" if rule.article else ""
            text = f"    {', '.join(editions):<17}  {rule.text}{where}"
            lines.append(fill(text, 100, subsequent_indent=" " * 23, break_on_hyphens=False))
    return lines


def warning_lines() -> list[str]:
    """The codes of warnings, from the table that deciding uses."""
    by_level = sorted(CAUTIONS.items(), key=lambda item: item[1])
    return [f"    {level}  {code:<22}  {meaning(code, NEWEST)}" for code, level in by_level]


def tiebreak_lines() -> list[str]:
    """The codes of tie-breaks, from the table that computes them."""
    lines = []
    for rule in RULES.values():
        marks = " ".join(f"/{letter}" for letter in rule.modifiers)
        lines.append(f"    {rule.name:<5} {rule.article:<5} {rule.title:<42} {marks}".rstrip())
    return lines


TABLES = {"editions": edition_lines, "warnings": warning_lines, "tie-breaks": tiebreak_lines}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    Put its output where the shell reads it at start, for example ``~/.bashrc``, or the file
    that PowerShell names ``$PROFILE``. Tab then completes commands, options, players, tournaments, codes.

    Example: paircard completion zsh
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "paircard", VARIABLE).source())
