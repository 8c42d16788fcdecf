"""How the command line is read: commands by name, and what to type instead of what is wrong."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec
from inspect import cleandoc
from itertools import pairwise
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from paircard.domain.values.text import enumerated, is_number

_ELSEWHERE: Final = {
    "start": "paircard new NAME --rounds N opens a tournament, paircard pair pairs its next round",
    "create": "paircard new NAME --rounds N opens a tournament",
    "open": "paircard new NAME --rounds N opens a tournament; --db FILE names the file to work with",
    "load": "--db FILE names the file to work with; paircard player import FILE reads a list of players",
    "save": "everything is saved at once; paircard backup FILE makes a copy",
    "copy": "paircard backup FILE copies the file; paircard log export FILE takes one tournament along",
    "use, select, switch": (
        "name the tournament with -t NAME, or once for all in PAIRCARD_TOURNAMENT; paircard list shows them"
    ),
    "tournaments": "paircard list shows the tournaments of the file",
    "status, info": "paircard show says how far the tournament has come",
    "enter": "paircard result ROUND BOARD RESULT enters results, paircard player add NAME a player",
    "add, player new, player register": "paircard player add NAME enters a player",
    "register": "paircard player add NAME enters a player; paircard lists register ID one of a rating list",
    "players": "paircard player list shows the players",
    "results": "paircard result ROUND BOARD RESULT enters results, paircard boards ROUND shows them",
    "score, record": "paircard result ROUND BOARD RESULT enters results",
    "forfeit, noshow, no-show": (
        "paircard result ROUND BOARD + is a win of White by forfeit, - of Black, -- neither came"
    ),
    "absent, absence": "paircard bye grant WHO ROUND --zero leaves a player out of a round",
    "print": "paircard boards --html, slips, standings --html and player list --html write pages to print",
    "html": "paircard boards --html and standings --html write pages to print",
    "import": (
        "paircard player import FILE reads players, paircard trf import FILE a report, paircard log "
        "import FILE a tournament of another machine"
    ),
    "remove, delete": (
        "paircard player remove WHO takes an entry off the list, paircard player withdraw WHO takes a player "
        "out, paircard undo takes back the last command"
    ),
    "merge": "paircard player merge DOUBLE INTO merges two entries of one person",
    "cancel": "paircard undo takes back the last command, paircard unpair the last round",
    "retire": "paircard player withdraw WHO takes a player out",
    "player delete": "paircard player remove WHO takes an entry off the list, made by mistake",
    "swap": (
        "paircard alter swap WHO WHO lets two players change seats, paircard correct ROUND BOARD "
        "--colours says that colours were reversed"
    ),
    "edit, update": (
        "paircard correct ROUND BOARD RESULT corrects a result, paircard player correct WHO a player, "
        "paircard change the regulations"
    ),
    "fix": "paircard correct ROUND BOARD RESULT corrects a result, paircard player correct WHO a player",
    "set, config": "paircard change changes the regulations",
    "rename": (
        "paircard change --name NAME renames the tournament, paircard player correct WHO --name NAME a player"
    ),
    "pairing": "paircard pair pairs the next round, paircard boards shows the last one",
    "pairings": "paircard boards ROUND shows the pairings of a round",
    "round, rounds": "paircard pair pairs the next round, paircard boards ROUND shows one",
    "next": "paircard pair pairs the next round",
    "post": "paircard publish publishes a round",
    "toss": "paircard draw draws lots for the initial colour",
    "colour, color": "paircard draw --colour white enters the lot for the initial colour",
    "ranking": "paircard standings shows the places",
    "table": "paircard standings shows the places, paircard crosstable every game",
    "end, finish": "paircard complete ends a round, paircard close the tournament",
    "history": "paircard log shows every fact in order",
    "report": "paircard trf export --for rating writes the report for the rating office",
    "web, browser, desk": "paircard serve opens the desk in the browser",
    "search": "paircard card WHO finds a player, paircard lists find TEXT somebody in a rating list",
    "version": "paircard --version shows the version",
    "player show": "paircard card WHO shows a player, paircard player list all of them",
    "player edit, player change": "paircard player correct WHO corrects a player",
    "player rename": "paircard player correct WHO --name NAME renames a player",
    "player export": "paircard player list --csv or paircard export players writes the players",
    "bye add, bye give": "paircard bye grant WHO ROUND grants a bye",
    "bye remove, bye cancel": "paircard bye revoke WHO ROUND revokes a bye",
    "export trf": "paircard trf export writes a report",
    "export csv": "paircard standings --csv, boards --csv and player list --csv write sheets",
}
OTHER_COMMANDS: Final = {word: where for words, where in _ELSEWHERE.items() for word in words.split(", ")}
"""What people type for a command that is called otherwise, and where that leads."""

OTHER_OPTIONS: Final = {
    "elo": ("rating",),
    "fide": ("fide-id", "rating"),
    "dwz": ("national-rating",),
    "national": ("national-rating",),
    "k": ("k-factor",),
    "country": ("federation",),
    "nation": ("federation",),
    "fed": ("federation",),
    "born": ("birth",),
    "birthday": ("birth",),
    "dob": ("birth",),
    "year": ("birth",),
    "gender": ("sex",),
    "color": ("colour", "colours"),
    "force": ("ack",),
    "f": ("ack",),
    "yes": ("ack",),
    "y": ("ack",),
    "confirm": ("ack",),
    "reason": ("why",),
    "because": ("why",),
    "comment": ("why",),
    "note": ("why",),
    "m": ("why",),
    "database": ("db",),
    "file": ("db",),
    "event": ("tournament",),
    "user": ("as",),
    "by": ("as",),
    "arbiter": ("chief-arbiter", "as"),
    "dry-run": ("preview",),
    "pdf": ("html",),
    "print": ("html",),
    "out": ("output",),
    "date": ("starts", "on", "valid"),
    "start": ("starts",),
    "begin": ("starts",),
    "end": ("ends",),
    "city": ("place",),
    "town": ("place",),
    "location": ("place",),
    "system": ("edition",),
    "rules": ("edition",),
    "bye": ("pab",),
    "r": ("round", "rounds", "rating"),
    "lot": ("colour",),
    "after": ("round",),
    "when": ("at",),
    "time": ("time-control",),
    "points": ("win",),
    "scoring": ("win",),
    "who": ("player", "as"),
}
"""What people type for an option that is called otherwise; that which the command has is meant."""

PLACES: Final = {"db": "it works on files alone", "which": "it is not about one tournament of the store"}
"""By their names, the options that say where, and why a command has none of them."""
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
    "demo": dict.fromkeys(("--port", "--pause", "--no-browser"), "--serve"),
}
"""By command, options that do something only with another."""
WITH_NUMBERS: Final = {
    "--round": "the round",
    "--rounds": "the number of rounds",
    "--rating": "a rating",
}
NAMES: Final = ("name", "who", "player", "players", "one", "other", "white", "black")
"""Arguments that take a name."""


class TakesResults(click.Command):
    """A command among whose words are results: ``-+`` is no option, and ``--`` is a double forfeit."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, in_words(self, args))


def in_words(command: click.Command, args: Sequence[str]) -> list[str]:
    """The words of a command; where results are taken, ``--`` is one."""
    return ["0F-0F" if word == "--" and isinstance(command, TakesResults) else word for word in args]


def need_usable(ctx: click.Context, args: Sequence[str], before: Sequence[click.Parameter] = ()) -> None:
    """Refuse what click drops or words badly: unknown commands and options, extra words, options twice."""
    command = ctx.command
    if isinstance(command, TakesResults):
        there = {opt for param in command.params for opt in param.opts}
        for word in args:
            if re.match(r"--?[a-z]", word) and word.split("=")[0] not in {*there, *ctx.help_option_names}:
                ctx.fail(no_such_option(command, word.split("=")[0]))
    try:
        _, rest, given = command.make_parser(ctx).parse_args(args=in_words(command, args))
    except click.NoSuchOption as wrong:
        ctx.fail(no_such_option(command, wrong.option_name))
    except click.UsageError:
        return  # click says it well
    if any(param.is_eager for param in given):
        return  # help, or the version
    need_once(ctx, given)
    if not isinstance(command, click.Group):
        there = {param.name for param in command.params}
        for option in before:
            if option.name in PLACES and option.name not in there:
                ctx.fail(no_such_option(command, option.opts[0]))
        need_useful(ctx, {opt for option in (*before, *given) for opt in option.opts})
        if rest:
            ctx.fail(too_many(command, rest, args))
    elif rest:
        if (part := command.get_command(ctx, rest[0])) is None:
            ctx.fail(no_such_command(ctx, command, rest[0]))
        with click.Context(part, info_name=rest[0], parent=ctx) as inner:
            need_usable(inner, rest[1:], (*before, *given))


def need_once(ctx: click.Context, given: Iterable[click.Parameter]) -> None:
    """Refuse an option that is given twice, of which one would be dropped, and two forms of one answer."""
    options = [param for param in given if isinstance(param, click.Option)]
    if len(forms := list(dict.fromkeys(form for o in options for form in o.opts if form in FORMS))) > 1:
        ctx.fail(f"{enumerated(forms)} are forms of one answer: choose one")
    for option in options:
        alike = [other for other in options if other.name == option.name]
        switch = option.is_flag and not option.secondary_opts and len(set(map(id, alike))) == 1
        if len(alike) > 1 and not (option.multiple or option.count or switch):
            names = list(dict.fromkeys("/".join((*o.opts, *o.secondary_opts)) for o in alike))
            if len(names) > 1:
                ctx.fail(f"{enumerated(names)} exclude each other: choose one")
            ctx.fail(f"option {names[0]} is given {len(alike)} times: leave all but one out")


def need_useful(ctx: click.Context, given: Set[str]) -> None:
    """Refuse an option that would do nothing with, or without, another."""
    path = " ".join(ctx.command_path.split()[1:])
    for option, others in APART.get(path, {}).items():
        if option in given and (dropped := [other for other in others if other in given]):
            ctx.fail(f"{option} makes no use of {enumerated(dropped)}: leave one out")
    for option, needed in TOGETHER.get(path, {}).items():
        if option in given and needed not in given:
            ctx.fail(f"{option} does something with {needed} only: add it, or leave {option} out")


def no_such_option(command: click.Command, name: str) -> str:
    """What to give instead of an option that a command does not have."""
    there = [opt for param in command.params if isinstance(param, click.Option) for opt in param.opts]
    plain = name.lstrip("-").casefold()
    if plain in ("db", "t", "tournament"):
        return f"no such option {name!r}: {PLACES['db' if plain == 'db' else 'which']}"
    meant = [f"--{word}" for word in OTHER_OPTIONS.get(plain, ()) if f"--{word}" in there]
    words = words_taken(command)
    if not meant and any(
        param.name == plain for param in command.params if isinstance(param, click.Argument)
    ):
        return f"no such option {name!r}: it is given as a word, it takes {words}"
    near = meant[:1] or [
        f"--{word}" for word in get_close_matches(plain, [opt[2:] for opt in there if opt.startswith("--")])
    ]
    hint = f", did you mean {' or '.join(near)}?" if near else ""
    return f"no such option {name!r}{hint}"


def no_such_command(ctx: click.Context, group: click.Group, name: str) -> str:
    """What to type instead of a command that does not exist."""
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    word = name.casefold()
    path = " ".join((*ctx.command_path.split()[1:], word))
    there = f"no such command {name[:40]!r}"
    if path in OTHER_COMMANDS:
        return f"{there}: {OTHER_COMMANDS[path]}"
    names = group.list_commands(ctx)
    if near := get_close_matches(word, names, n=1, cutoff=0.7):
        return f"{there}, did you mean {near[0]!r}?"
    if group is not root.command:
        if word in root.command.list_commands(root):
            return f"{there}, did you mean paircard {word}?"
        return f"{there}: paircard {path.rsplit(' ', 1)[0]} has {enumerated(names)}"
    elsewhere = [
        f"paircard {outer} {word}"
        for outer in names
        if isinstance(inner := root.command.get_command(root, outer), click.Group)
        and inner.get_command(root, word)
    ]
    return f"{there}, did you mean {' or '.join(elsewhere)}?" if elsewhere else there


def too_many(command: click.Command, rest: Sequence[str], args: Sequence[str]) -> str:
    """Words that a command does not take, and where they go."""
    shown = " ".join(rest)[:60]
    before = next((one for one, word in pairwise(args) if word == rest[0]), "")
    if any(isinstance(p, click.Option) and p.is_flag and before in p.opts for p in command.params):
        return f"unexpected {shown!r}: {before} stands alone, without a value"
    taken = [param for param in command.params if isinstance(param, click.Argument)]
    options = {opt for param in command.params for opt in param.opts}
    if len(rest) == 1 and is_number(rest[0]):
        for option, what in WITH_NUMBERS.items():
            if option in options:
                return f"unexpected {shown!r}: {what} is given with {option} {rest[0]}"
    elif option := taking(command, rest[0]):
        return f"unexpected {shown!r}: it is given with {option} {rest[0].casefold()}"
    elif any(param.name in NAMES for param in taken) and any(word[:1].isalpha() for word in rest):
        return f"unexpected {shown!r}: a name of several words goes in quotes"
    if "--result" in options:
        return f"unexpected {shown!r}: a result is given with --result ROUND BOARD RESULT"
    if "-o" in options and len(rest) == 1:
        return f"unexpected {shown!r}: the file is given with -o {shown}"
    takes = words_taken(command) or "no words, only options"
    if not taken and "-t" in options and any(word[:1].isalpha() for word in rest):
        takes += "; a tournament is named with -t NAME"
    if "--why" in options and any(word[:1].isalpha() for word in rest):
        takes += "; a reason is given with --why TEXT"
    return f"unexpected {shown!r}: it takes {takes}"


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
            order = f"; it takes {words_taken(wrong.ctx.command)}"
    return f"{message[:1].lower()}{message[1:]}{order}"


# Commands are imported when they are called, so that help stays quick


HOME: Final = "paircard.cli.commands."
"""Where commands are, unless their module is named in full."""

EXPECTED: Final = {
    "FILE": "a file",
    "FOLDER|ADDRESS": "a folder or an address",
    "FROM": "a file or an address",
    "TO": "a file or an address",
    "BACKUP": "a file",
    "PROOF": "a file",
    "KEY": "a key",
    "ID": "an id",
    "NAME": "a name",
}
"""By their placeholder, what is never empty: else a variable that a script forgot to set goes unnoticed."""


class Given(click.ParamType[Any]):
    """A type whose value must not be empty."""

    def __init__(self, inner: click.ParamType[Any], expected: str) -> None:
        self.inner, self.expected, self.name = inner, expected, inner.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not value.strip():
            self.fail(f"it is empty, {self.expected} is expected", param, ctx)
        return self.inner.convert(value, param, ctx)

    def shell_complete(self, *asked: Any) -> list[CompletionItem]:
        return self.inner.shell_complete(*asked)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called.

    The table has, by section, words ``module:command``; ``list_`` is the function of the command ``list``.
    """

    def __init__(self, *args: object, table: Mapping[str, str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        need_values(self)
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
        there, attribute = vars(import_module(module)), cmd_name.replace("-", "_")
        command = there.get(f"{attribute}_") or there[attribute]
        assert isinstance(command, click.Command), cmd_name
        put_example_last(command)
        need_values(command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            need_usable(ctx, args)
        return super().parse_args(ctx, args)

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
    spec = find_spec(module)
    loader = spec.loader if spec else None
    return (loader.get_source(module) or "") if isinstance(loader, InspectLoader) else ""


def put_example_last(command: click.Command) -> None:
    """Let the help end in the example its docstring ends in, after the options."""
    if isinstance(command, click.Group):
        for part in command.commands.values():
            put_example_last(part)
    text, found, example = cleandoc(command.help or "").partition("\b\nExample:")
    if found:
        command.help, command.epilog = text.rstrip(), found + example


def need_values(command: click.Command) -> None:
    """Refuse an empty name of a file, a key or an id, which would mean another file, or none."""
    if isinstance(command, click.Group):
        for part in command.commands.values():
            need_values(part)
    for param in command.params:
        expected = EXPECTED.get(param.metavar or "")
        if isinstance(param.type, click.Path):
            expected = "a file" if param.type.file_okay else "a folder"
        if expected and not isinstance(param.type, Given):
            param.type = Given(param.type, expected)
