"""What a shell completes: names of players and tournaments, codes of warnings and tie-breaks."""

import json
import os
import re
from collections.abc import Iterable
from typing import ClassVar, Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    add_completion_class,
)

from paircard.cli.usage import run_of
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.errors import PaircardError
from paircard.projections.standings.tiebreaks import RULES
from paircard.service import Office

VARIABLE: Final = "_PAIRCARD_COMPLETE"
"""What a shell sets when it asks for words instead of running a command."""
KINDS: Final = {
    **dict.fromkeys(("which", "wanted"), "tournament"),
    **dict.fromkeys(("who", "player", "players", "one", "other", "white", "black"), "player"),
    **dict.fromkeys(("double", "into", "words", "between"), "player"),
    "ack": "warning",
    "tiebreaks": "tie-break",
}
"""By the name of an argument or option, what it takes."""
MOST: Final = 1_000
"""Of more words nobody reads the list."""


def names_for(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem] | None:
    """What a word that was begun may become; None where it is no name that is known here."""
    kind = KINDS.get(param.name or "")
    if kind is None:
        return None
    before, comma, begun = incomplete.rpartition(",") if kind == "tie-break" else ("", "", incomplete)
    try:
        found = known(kind, ctx, begun)
    except (PaircardError, OSError):
        return []  # no store, or no such tournament: the command will say so
    alike = [word for word in found if word.casefold().startswith(begun.casefold())]
    return [CompletionItem(before + comma + word) for word in alike[:MOST]]


def files_for(incomplete: str) -> list[CompletionItem]:
    """Has the shell complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def known(kind: str, ctx: click.Context, begun: str) -> Iterable[str]:
    """All values of a kind, in the store that the words typed so far point at."""
    if kind == "warning":
        return CAUTIONS
    if kind == "tie-break":
        return RULES
    run = run_of(ctx, dict(ctx.params))
    with Office(run.path) as office:
        if kind == "tournament":
            return [one.name for one in office.tournaments(name=begun, limit=MOST)]
        return [one.name for one in office.tournament(run.meant).now().players().players]


class Bash(BashComplete):
    """Bash, which takes a name with a blank only if the blank is escaped."""

    def source(self) -> str:
        return ShellComplete.source(self)  # click's own asks a bash for its version, which Windows has not

    def format_completion(self, item: CompletionItem) -> str:
        typed = os.environ["COMP_WORDS"].split("\n")[int(os.environ["COMP_CWORD"]) :]
        value = item.value
        if not (typed and typed[0].startswith(('"', "'"))):
            value = re.sub(r"([^\w@%+=:,./-])", r"\\\1", value)
        return f"{item.type},{value}".replace("\\", "\\\\")  # the script reads one level of them away


class Fish(FishComplete):
    """Fish, to which click's own script gives a name up to its first comma."""

    source_template: ClassVar[str] = FishComplete.source_template.replace("split ", "split -m 1 ")


class PowerShell(ShellComplete):
    """PowerShell 5 and later."""

    name: ClassVar[str] = "powershell"
    source_template: ClassVar[str] = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $cursor)
    $before = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } |
        ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
    $shown = [Console]::OutputEncoding
    [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
    $env:%(complete_var)s = 'powershell_complete'
    $env:COMP_WORDS = ConvertTo-Json -Compress -InputObject @($before)
    $env:COMP_WORD = $word.Trim("'", '"')
    try {
        & %(prog_name)s | ForEach-Object {
            $text = if ($_ -match '^[\\w./=+-]+$') { $_ } else { "'" + $_.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_WORD
        [Console]::OutputEncoding = $shown
    }
}
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        return json.loads(os.environ["COMP_WORDS"]), os.environ.get("COMP_WORD", "")

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Words alone: names of files PowerShell completes by itself where it is told nothing."""
        return [item for item in super().get_completions(args, incomplete) if item.type == "plain"]

    def format_completion(self, item: CompletionItem) -> str:
        return str(item.value)


SHELLS: Final = ("bash", "zsh", "fish", "powershell")
add_completion_class(Bash)
add_completion_class(Fish)
add_completion_class(PowerShell)
