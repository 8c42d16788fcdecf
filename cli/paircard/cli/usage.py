"""How the command line is read: commands by name, options of a run, what to type instead of what is wrong."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder, SourceFileLoader
from inspect import cleandoc
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import click

from paircard.cli.refusals import BadValue, Misused, spoken
from paircard.domain.errors import LibraryMissing
from paircard.domain.messages import Message, say
from paircard.domain.system import FOR_ALL
from paircard.domain.values.text import is_number

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@cache
def other_words(kind: str) -> dict[str, list[str]]:
    """What people type for ``commands`` or ``options`` that are called otherwise, and what may be meant."""
    import tomllib  # only who mistypes needs it

    found: dict[str, list[str]] = {}
    with open(os.path.join(os.path.dirname(__file__), "other_words.toml"), "rb") as file:
        known = tomllib.load(file)[kind]
    for meant, words in known.items():
        for word in words.split(", "):
            found.setdefault(word, []).append(meant)
    return found


PLACES: Final = ("db", "which")
"""Options that say where; not every command works in a store, or on one tournament."""
FORMS: Final = ("--json", "--csv", "--tsv", "--html")
APART: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "standings": {
        "--explain": ("--between", "--final", "--csv", "--html"),
        "--between": ("--final", "--csv", "--html"),
    },
    "tiebreaks": {"--explain": ("--csv", "--html", "--tsv")},
    "verify": {"--all": ("-t",), "--bundle": ("-t",)},
    "replay": {"--all": ("-t",)},
    "number": {"--exchange": ("--file",)},
    "erase": {"--again": ("--fact",)},
    "prove": {"--fact": ("--round", "--board")},
    "trf export": {"--version": ("--at",)},
}
"""By command, options that would drop others in silence."""
TOGETHER: Final[dict[str, dict[str, str]]] = {
    "replay": {"--jobs": "--all"},
    "verify": {"--jobs": "--all", "--key": "--verdict"},
    "demo": dict.fromkeys(("--port", "--pause", "--no-browser"), "--serve"),
}
"""By command, options that do something only with another."""
WITH_NUMBERS: Final = ("--round", "--rounds", "--rating")
"""Options that a number alone is meant for."""
NAMES: Final = ("name", "who", "player", "players", "one", "other", "white", "black")
"""Arguments that take a name."""


class TakesResults(click.Command):
    """A command among whose words are results: ``-+`` is no option, and ``--`` is a double forfeit."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, in_words(self, args))


class Lacking(click.Command):
    """A command whose packages are not installed: it has a name and a help, and says what to install."""

    ignore_unknown_options = allow_extra_args = True

    def __init__(self, name: str, help: str, missing: LibraryMissing) -> None:
        super().__init__(name, help=f"{help}\n\n{spoken(missing.said)}")
        self.missing = missing

    def invoke(self, ctx: click.Context) -> None:
        raise self.missing


def in_words(command: click.Command, args: Sequence[str]) -> list[str]:
    """The words of a command; where results are taken, ``--`` is one."""
    return ["0F-0F" if word == "--" and isinstance(command, TakesResults) else word for word in args]


def need_usable(ctx: click.Context, args: Sequence[str], before: Sequence[click.Parameter] = ()) -> None:
    """Refuse what click drops or words badly: unknown commands and options, extra words, options twice."""
    command = ctx.command
    if isinstance(command, Lacking):
        return  # it takes any word
    if isinstance(command, TakesResults):
        there = {opt for param in command.params for opt in param.opts}
        for word in args:
            if re.match(r"--?[a-z]", word) and word.split("=")[0] not in {*there, *ctx.help_option_names}:
                raise no_such_option(command, word.split("=")[0])
    try:
        _, rest, given = command.make_parser(ctx).parse_args(args=in_words(command, args))
    except click.NoSuchOption as wrong:
        raise no_such_option(command, wrong.option_name) from None
    except click.UsageError as wrong:
        wrong.ctx = ctx  # which click does not know here
        raise
    if any(param.is_eager for param in given):
        return  # help, or the version
    need_once(ctx, given)
    if not isinstance(command, click.Group):
        there = {param.name for param in command.params}
        for option in before:
            if option.name in PLACES and option.name not in there:
                raise no_such_option(command, option.opts[0])
        need_useful(ctx, {opt for option in (*before, *given) for opt in option.opts})
        if rest:
            raise too_many(command, rest, args)
    elif rest:
        if (part := command.get_command(ctx, rest[0])) is None:
            raise no_such_command(ctx, command, rest[0])
        with click.Context(part, info_name=rest[0], parent=ctx) as inner:
            need_usable(inner, rest[1:], (*before, *given))


def need_once(ctx: click.Context, given: Iterable[click.Parameter]) -> None:
    """Refuse an option that is given twice, of which one would be dropped, and two forms of one answer."""
    options = [param for param in given if isinstance(param, click.Option)]
    if len(forms := list(dict.fromkeys(form for o in options for form in o.opts if form in FORMS))) > 1:
        raise Misused("cli.two-forms", known=forms)
    for option in options:
        alike = [other for other in options if other.name == option.name]
        switch = option.is_flag and not option.secondary_opts and len(set(map(id, alike))) == 1
        if len(alike) > 1 and not (option.multiple or option.count or switch):
            names = list(dict.fromkeys("/".join((*o.opts, *o.secondary_opts)) for o in alike))
            if len(names) > 1:
                raise Misused("cli.exclude-each-other", known=names)
            raise Misused("cli.given-often", id=names[0], count=len(alike))


def need_useful(ctx: click.Context, given: Set[str]) -> None:
    """Refuse an option that would do nothing with, or without, another."""
    path = " ".join(ctx.command_path.split()[1:])
    for option, others in APART.get(path, {}).items():
        if option in given and (dropped := [other for other in others if other in given]):
            raise Misused("cli.no-use", id=option, known=dropped)
    for option, needed in TOGETHER.get(path, {}).items():
        if option in given and needed not in given:
            raise Misused("cli.only-with", id=option, value=needed)


def no_such_option(command: click.Command, name: str) -> Misused:
    """What to give instead of an option that a command does not have."""
    there = [opt for param in command.params if isinstance(param, click.Option) for opt in param.opts]
    plain = name.lstrip("-").casefold()
    if plain == "db":
        return Misused("cli.no-such-option.files", text=name)
    if plain in ("t", "tournament"):
        return Misused("cli.no-such-option.store", text=name)
    meant = [f"--{one}" for one in other_words("options").get(plain, []) if f"--{one}" in there]
    arguments = [param.name for param in command.params if isinstance(param, click.Argument)]
    if not meant and plain in arguments:
        return Misused("cli.no-such-option.word", text=name, value=words_taken(command))
    names = ["help", *(opt[2:] for opt in there if opt.startswith("--"))]
    near = meant[:1] or [f"--{word}" for word in spelled_alike(plain, names)]
    return Misused("cli.no-such-option.near", text=name, known=near)


def no_such_command(ctx: click.Context, group: click.Group, name: str) -> Misused:
    """What to type instead of a command that does not exist."""
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    word = name.casefold()
    path = " ".join((*ctx.command_path.split()[1:], word))
    if meant := other_words("commands").get(path):
        found = Message(f"cli.elsewhere.{meant[0]}")
        return Misused("cli.no-such-command.elsewhere", text=name, what=found)
    names = group.list_commands(ctx)
    if near := spelled_alike(word, names, least=0.7):
        return Misused("cli.no-such-command.near", text=name, known=[repr(near[0])])
    if group is not root.command:
        if word in root.command.list_commands(root):
            return Misused("cli.no-such-command.near", text=name, known=[f"paircard {word}"])
        return Misused("cli.no-such-command.part", text=name, value=path.rsplit(" ", 1)[0], known=names)
    elsewhere = [
        f"paircard {outer} {word}"
        for outer in names
        if isinstance(inner := root.command.get_command(root, outer), click.Group)
        and inner.get_command(root, word)
    ]
    return Misused("cli.no-such-command.near", text=name, known=elsewhere)


def spelled_alike(word: str, names: Sequence[str], least: float = 0.6) -> list[str]:
    """Names that were perhaps meant: of the same letters, else those that look most alike."""
    from difflib import get_close_matches  # only who mistypes needs it

    turned = [name for name in names if sorted(name) == sorted(word)]
    return turned or get_close_matches(word, names, cutoff=least)


def too_many(command: click.Command, rest: Sequence[str], args: Sequence[str]) -> Misused:
    """Words that a command does not take, and where they go."""
    text = " ".join(rest)
    before = next((one for one, word in pairwise(args) if word == rest[0]), "")
    if any(isinstance(p, click.Option) and p.is_flag and before in p.opts for p in command.params):
        return Misused("cli.unexpected.flag", text=text, id=before)
    taken = [param for param in command.params if isinstance(param, click.Argument)]
    options = {opt for param in command.params for opt in param.opts}
    named = any(word[:1].isalpha() for word in rest)
    if len(rest) == 1 and is_number(rest[0]):
        if option := next((one for one in WITH_NUMBERS if one in options), ""):
            return Misused("cli.unexpected.number", text=text, id=option, value=rest[0])
    elif option := taking(command, rest[0]):
        return Misused("cli.unexpected.choice", text=text, id=option, value=rest[0].casefold())
    elif any(param.name in NAMES for param in taken) and named:
        return Misused("cli.unexpected.name", text=text)
    if "--result" in options:
        return Misused("cli.unexpected.result", text=text)
    if "-o" in options and len(rest) == 1 and os.path.splitext(rest[0])[1]:
        return Misused("cli.unexpected.file", text=text, file=rest[0])
    instead = [say("cli.takes.words", value=words_taken(command))]
    if not taken and "-t" in options and named:
        instead.append(say("cli.takes.tournament"))
    if "--why" in options and named:
        instead.append(say("cli.takes.reason"))
    return Misused("cli.unexpected.words", text=text, instead=instead)


def taking(command: click.Command, word: str) -> str:
    """The option that has this word among its choices; empty if none has."""
    for param in command.params:
        if isinstance(param.type, click.Choice) and word.casefold() in param.type.choices:
            return param.opts[0] if isinstance(param, click.Option) else ""
    return ""


def words_taken(command: click.Command) -> str:
    """The arguments of a command as its help shows them, like ``WHO ROUND``."""
    ctx = click.Context(command)
    return " ".join(param.make_metavar(ctx) for param in command.params if isinstance(param, click.Argument))


def in_our_words(wrong: click.UsageError) -> str:
    """A usage message of click in the style of ours: no capital, no full stop."""
    message = " ".join(wrong.format_message().split()).removesuffix(".")
    order = ""
    if isinstance(wrong, click.BadParameter) and isinstance(wrong.param, click.Argument) and wrong.ctx:
        several = isinstance(wrong, click.MissingParameter) and " " in words_taken(wrong.ctx.command)
        if wrong.param.type is click.INT or several:
            order = f"; {spoken(say('cli.takes.words', value=words_taken(wrong.ctx.command)))}"
    return f"{message[:1].lower()}{message[1:]}{order}"


def with_code(wrong: click.UsageError) -> Misused | BadValue:
    """A usage error of click as one of ours, for programs: a code, the parameter, and what click says."""
    if isinstance(wrong, (Misused, BadValue)):
        return wrong
    reason = in_our_words(wrong)
    if not isinstance(wrong, click.BadParameter) or wrong.param is None:
        return Misused("cli.misused", reason=reason)
    code = "cli.missing" if isinstance(wrong, click.MissingParameter) else "cli.bad-value"
    named = wrong.param.human_readable_name
    id = named if isinstance(wrong.param, click.Argument) else max(wrong.param.opts, key=len)
    return BadValue(code, id=id, reason=reason)


# The options of a run, which may stand before the command or after it


DEFAULT_FILE: Final = "paircard.db"


class Options:
    """The options of a run; all others are a command's own."""

    db: str = ""
    which: str = ""
    as_who: str = ""
    sign_with: str = ""
    why: str = ""
    ack: tuple[str, ...] = ()
    command_id: str = ""
    json: bool = False
    form: str = ""
    """``csv``, ``html`` or another form a command has of its own; empty for text or JSON."""
    answer_file: str = ""
    """The file that gets what is printed."""
    at: str | None = None
    """The moment to look at; none for now."""


class Run(Options):
    """One run of the command line: its options, wherever they stand on the line, and how far it came."""

    typed: Sequence[str] = ()
    """The words of the command line."""
    answer_rights: int = FOR_ALL
    """Who may read the file that gets what is printed."""
    answered: Message | None = None
    """What is said once it is written; none for its name alone."""
    unshown: str = ""
    """The encoding of a terminal that lacked a letter of what was printed."""
    done: str = ""
    """``recorded`` once the facts of this run are in the log, ``done`` once its files are written: then it
    has succeeded, whatever can be printed."""
    path: str = ""
    """The file, or address of a database: --db, else PAIRCARD_DB, else paircard.db here. Never shown."""
    meant: str = ""
    """The tournament, by name, part of it or id: -t, else PAIRCARD_TOURNAMENT; empty for the only one."""

    @property
    def who(self) -> str:
        """Who asks: --as, else PAIRCARD_AS, else the login name."""
        if name := self.as_who or os.environ.get("PAIRCARD_AS", ""):
            return name
        from getpass import getuser  # who is not named is asked for by the system

        try:
            return getuser()
        except (KeyError, OSError):
            raise Misused("cli.nobody-logged-in") from None


def run_of(ctx: click.Context, values: dict[str, Any]) -> Run:
    """The run, with its options taken out of these values.

    Before the command and after it, an option must say the same.
    """
    run = ctx.find_root().ensure_object(Run)
    for name in [one for one in Options.__annotations__ if one in values]:
        value = values.pop(name)
        if value in (None, (), False):
            continue
        before = vars(run).get(name, value)
        if before != value:
            names = next("/".join(param.opts) for param in ctx.command.params if param.name == name)
            raise Misused("cli.given-otherwise", id=names, text=str(before), record=str(value))
        setattr(run, name, value)
    run.path = run.db or os.environ.get("PAIRCARD_DB") or DEFAULT_FILE
    run.meant = run.which or os.environ.get("PAIRCARD_TOURNAMENT", "")
    return run


def finish(how: str = "done") -> None:
    """Mark the run as successful, before anything is printed: all that it writes is written."""
    click.get_current_context().find_root().ensure_object(Run).done = how


# Commands are imported when they are called, so that help stays quick


HOME: Final = "paircard.cli.commands."
"""Where commands are, unless their module is named in full."""

EXPECTED: Final = {
    "FILE": "file",
    "FOLDER|ADDRESS": "folder-or-address",
    "FROM": "file-or-address",
    "TO": "file-or-address",
    "BACKUP": "file",
    "PROOF": "file",
    "KEY": "key",
    "ID": "id",
    "NAME": "name",
}
"""By their placeholder, what is never empty: else a variable that a script forgot to set goes unnoticed."""


class Text(click.ParamType[Any]):
    """A type whose values a shell can be told; its text is not empty where a ``kind`` is expected."""

    def __init__(self, inner: click.ParamType[Any], kind: str) -> None:
        self.inner, self.kind, self.name = inner, kind, inner.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if self.kind and isinstance(value, str) and not value.strip():
            raise BadValue("cli.empty", kind=self.kind)
        return self.inner.convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from paircard.cli.completing import files_for, names_for  # only who presses Tab needs it

        if self.kind.startswith("file"):
            return files_for(incomplete)
        found = names_for(ctx, param, incomplete)
        return self.inner.shell_complete(ctx, param, incomplete) if found is None else found


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, and whose options are those of the run.

    The table has, by section, words ``module:command``; ``list_`` is the function of the command ``list``.
    """

    def __init__(self, *args: object, table: Mapping[str, str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        prepare(self)
        self.sections = {
            title: {name: module for module, name in (word.split(":") for word in words.split())}
            for title, words in table.items()
        }

    def module_of(self, name: str) -> str:
        """The module of a command; empty if there is no such command."""
        module = next((names[name] for names in self.sections.values() if name in names), "")
        return module if "." in module or not module else HOME + module

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in self.sections.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not (module := self.module_of(cmd_name)):
            return None
        try:
            there, attribute = vars(import_module(module)), cmd_name.replace("-", "_")
        except LibraryMissing as missing:
            return Lacking(cmd_name, self.first_words_of(cmd_name), missing)
        command = there.get(f"{attribute}_") or there[attribute]
        assert isinstance(command, click.Command), cmd_name
        prepare(command, ctx.resilient_parsing)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:
            prepare(self, completing=True)
        else:
            need_usable(ctx, args)
        rest = super().parse_args(ctx, args)
        run_of(ctx, ctx.params)
        return rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self.first_words_of(name)) for name in names])

    def first_words_of(self, name: str) -> str:
        """How the docstring of a command begins, read in the source: nothing is imported for it."""
        source = source_of(self.module_of(name))
        begins = rf'^def {name.replace("-", "_")}_?\(.*?"""(.+?)(?:\n\n|""")'
        found = re.search(begins, source, re.MULTILINE | re.DOTALL)
        return " ".join(found[1].split()) if found else ""


@cache
def source_of(module: str) -> str:
    """The source of a module that need not be imported."""
    package = import_module(module.rpartition(".")[0])
    spec = PathFinder.find_spec(module, package.__path__)
    loader = spec.loader if spec else None
    return (loader.get_source(module) or "") if isinstance(loader, SourceFileLoader) else ""


def prepare(command: click.Command, completing: bool = False) -> None:
    """Let a command, or a group with all its parts, take no empty name and end its help in the example.

    An empty name of a file, a key or an id would mean another file, or none. A shell is told names, too.
    """
    for part in command.commands.values() if isinstance(command, click.Group) else ():
        prepare(part, completing)
    for param in command.params:
        kind = EXPECTED.get(param.metavar or "", "")
        if isinstance(param.type, click.Path):
            kind = "file" if param.type.file_okay else "folder"
        if (kind or completing) and not isinstance(param.type, Text):
            param.type = Text(param.type, kind)
    text, found, example = cleandoc(command.help or "").partition("\n\nExample:")
    if found:
        lines = [line.strip() for line in example.strip().splitlines()]
        command.help, command.epilog = text, "\n  ".join(("\b\nExample:", *lines))
