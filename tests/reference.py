"""What is said of the code in other places: ``python -m tests.reference`` writes it from the code.

docs/api.md is made from ``__all__`` and docstrings; ``web/reference.json``, which the server tells programs,
from the sentences below fields and from where refusals are raised; the ``__init__.pyi`` of packages whose
names are imported when they are asked for, from their tables.
"""

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec

import paircard
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.errors import IdTaken, NeedsAcknowledgement, PaircardError, StoreRefused
from paircard.domain.speaking import dashed
from paircard.projections.trf.notes import TrfError
from paircard.web.app import ENDPOINTS
from paircard.web.openapi import kinds_of, short_name
from paircard.web.problems import Kind, NotAllowed, Reference, of_the_store, status_of
from tests.roots import LAYERS, ROOT
from tests.test_public_names import PUBLIC

PAGE = ROOT / "docs/api.md"
SERVED = ROOT / "web/paircard/web/reference.json"
STUBS = {layer: ROOT / layer / "paircard" / layer / "__init__.pyi" for layer in LAYERS[:4]}
NAMES = {name for names in PUBLIC.values() for name in names.split()}
FIELDS = "__struct_fields__"
TOLD_ONCE = {"Asked"}  # who asks and when, of every command
HEAD = """# API reference

Every public name with its docstring. `python -m tests.reference` writes this page,
and a test holds it to the code. How the parts are used and what may change: [programmers.md](programmers.md).
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(text for module in sorted(PUBLIC) for text in section(module))])


def stub(layer: str) -> str:
    """The public names of a package as type checkers read them; Python imports each when it is asked for."""
    package = importlib.import_module(f"paircard.{layer}")
    rooms: dict[str, str] = package.ROOMS | dict.fromkeys(getattr(package, "WHOLE", ()), "*")

    def order(name: str) -> tuple[bool, bool, str]:
        return not name.isupper(), name.islower(), name

    lines = [
        f"from {room} import {name} as {name}\n" if name != "*" else f"from {room} import *  # noqa: F403\n"
        for room in sorted(rooms)
        for name in sorted(rooms[room].split(), key=order)
    ]
    return "".join(lines)


def section(name: str) -> Iterator[str]:
    """One module: classes and functions first by name, then plain values and groups of classes."""
    module = importlib.import_module(name)
    yield f"## {name}\n\n{plain(first(module))}\n"
    for public in sorted(module.__all__):
        value = getattr(module, public)
        if isinstance(value, type):
            yield f"### {public}\n\n" + "\n".join(of_class(value)).strip() + "\n"
        elif inspect.isfunction(value):
            [call] = parsed(value).body
            assert isinstance(call, ast.FunctionDef)
            yield f"### {signature(call, public)}\n\n{plain(inspect.getdoc(value) or '')}\n"
        elif members := get_args(value):
            names = ", ".join(f"`{one}`" for member in members for one in members_of(member))
            yield f"### {public}\n\nAny of {names}.\n"
        else:
            yield f"### {public}\n\n`{value!r}`\n"


def members_of(member: Any) -> list[str]:
    """A class by its name; the texts of a literal, or a text, as they are."""
    return (
        [member.__name__] if isinstance(member, type) else [str(one) for one in get_args(member) or [member]]
    )


def of_class(kind: type) -> Iterator[str]:
    """A class: what it is, its fields, its calls."""
    [node] = parsed(kind).body
    assert isinstance(node, ast.ClassDef)
    bases = [base.__name__ for base in kind.__bases__ if base.__name__ in NAMES]
    about = [plain(ast.get_docstring(node) or ""), *(f"A kind of `{base}`." for base in bases)]
    yield " ".join(filter(None, about)) + "\n"
    for base in kind.__bases__:  # one without a name of its own here: its fields are told with each kind
        if (
            base.__module__.startswith("paircard.")
            and base.__name__ not in NAMES | TOLD_ONCE
            and hasattr(base, FIELDS)
        ):
            yield from [*of_class(base)][1:]
    for part, after in pairwise([*node.body, ast.Pass()]):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield entry(ast.unparse(part), text_of(after))
        elif isinstance(part, ast.FunctionDef) and part.name == "__init__":
            yield entry(signature(part, kind.__name__), "")
            yield from (entry(ast.unparse(field), about) for field, about in set_in(part))
        elif isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
            marks = {ast.unparse(mark) for mark in part.decorator_list}
            shown = signature(part, part.name)
            if marks & {"property", "cached_property"}:
                shown = f"{part.name}: {ast.unparse(part.returns) if part.returns else 'Any'}"
            yield entry(shown, ast.get_docstring(part) or "")


def set_in(init: ast.FunctionDef) -> Iterator[tuple[ast.AnnAssign, str]]:
    """Public fields that are set when an object is made, by their annotation there."""
    for part, after in pairwise([*init.body, ast.Pass()]):
        target = part.target if isinstance(part, ast.AnnAssign) else None
        if isinstance(part, ast.AnnAssign) and isinstance(target, ast.Attribute) and target.attr[0] != "_":
            yield ast.AnnAssign(ast.Name(target.attr), part.annotation, None, 1), text_of(after)


def parsed(value: Any) -> ast.Module:
    """The source of a class or a function."""
    return ast.parse(inspect.cleandoc("\n" + inspect.getsource(value)))


def text_of(node: ast.stmt) -> str:
    """The docstring of a field, if this is one."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def signature(call: ast.FunctionDef, name: str) -> str:
    """How it is called, and what it gives."""
    arguments = call.args
    arguments.args = [one for one in arguments.args if one.arg not in ("self", "cls")]
    gives = ast.unparse(call.returns) if call.returns and call.name != "__init__" else ""
    return f"{name}({ast.unparse(arguments)})" + (f" -> {gives}" if gives else "")


def entry(shown: str, about: str) -> str:
    """One line of a list."""
    return f"- `{shown}`" + (f": {' '.join(plain(about).split())}" if about else "")


def first(module: Any) -> str:
    """What a module says of itself, up to its first example or table."""
    return (inspect.getdoc(module) or "").split("\n\n")[0]


def plain(text: str) -> str:
    """A docstring as Markdown."""
    return inspect.cleandoc(text).replace("``", "`")


# What the server tells


def served() -> bytes:
    """All of it, a line for each sentence and each code."""
    made = Reference(fields=fields(), kinds=codes())
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def fields() -> dict[str, dict[str, str]]:
    """By the name of a schema and of its field: the sentence below it."""
    kinds = kinds_of(ENDPOINTS)
    names = msgspec.json.schema_components(kinds)[1]
    found = {}
    for kind in structs_in(kinds):
        whole = f"{kind.__module__}.{kind.__qualname__}"
        found[short_name(whole if whole in names else kind.__name__)] = sentences(kind)
    return {name: found[name] for name in sorted(found) if found[name]}


def structs_in(kinds: list[Any]) -> set[type]:
    """All structs that some types speak of."""
    found: dict[type, type] = {}
    waiting: list[Any] = [msgspec.inspect.multi_type_info(kinds)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, msgspec.inspect.StructType):
            if one.cls in found:
                continue
            found[one.cls] = get_origin(one.cls) or one.cls
        if isinstance(one, tuple | list):
            waiting += one
        elif isinstance(one, msgspec.Struct):
            waiting += [getattr(one, name) for name in one.__struct_fields__]
    return set(found.values())


def sentences(kind: type) -> dict[str, str]:
    """By the name of a field as it is sent: the sentence below it, or where it is inherited from."""
    found: dict[str, str] = {}
    for base in reversed(getattr(kind, "made_from", kind).__mro__):
        with suppress(OSError, TypeError):  # made without a source of its own
            [node] = parsed(base).body
            assert isinstance(node, ast.ClassDef)
            for part, after in pairwise([*node.body, ast.Pass()]):
                if isinstance(part, ast.AnnAssign) and (said := text_of(after)):
                    found[ast.unparse(part.target)] = " ".join(plain(said).split())
    return {one.encode_name: found[one.name] for one in msgspec.structs.fields(kind) if one.name in found}


ANSWERED = tuple(f"paircard.{room}." for room in ("domain", "projections", "pairing", "service", "web"))
"""Rooms whose refusals a server answers."""


def refusals() -> dict[str, type[PaircardError]]:
    """Every kind of refusal, by its name in ``type``."""
    found: dict[str, type[PaircardError]] = {}
    waiting = [PaircardError]
    while waiting:
        kind = waiting.pop()
        found[dashed(kind)] = kind
        below = [one for one in kind.__subclasses__() if one.__module__.startswith(ANSWERED)]
        waiting += [one for one in below if ".lab." not in one.__module__]  # no server simulates
    return found


FAULTS = ("faults", "fault", "fault-in-line", "fault-in-column", "more-faults")
"""What is said of a report that cannot be read, and of each of its faults."""


def codes() -> dict[str, Kind]:
    """The codes each kind of refusal is answered with, read from where it is raised.

    Some kinds are answered with codes of their own: warnings, reports, and what says where the store is.
    """
    kinds = refusals()
    names = "|".join(kind.__name__ for kind in kinds.values())
    code = '"([a-z][a-z0-9.-]*)"'
    raised = re.compile(rf"\b(?:({names})\(|refused\(login, )\s*{code}(?: if [^\"\n]+ else {code})?")
    chosen = re.compile(rf"code = {code} if [^\"\n]+ else {code}\n +raise ({names})\(\s*code\b")
    found = {
        dashed(NeedsAcknowledgement): {"acknowledgement-missing", *CAUTIONS},
        dashed(TrfError): {f"trf.{one}" for one in FAULTS},
    }
    by_class = {kind.__name__: name for name, kind in kinds.items()} | {"": dashed(NotAllowed)}
    for root in paircard.__path__:
        for path in Path(root).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for name, one, other in raised.findall(text):
                found.setdefault(by_class[name], set()).update({one, other} - {""})
            for one, other, name in chosen.findall(text):
                found.setdefault(by_class[name], set()).update({one, other})
    for name, kind in kinds.items():
        if issubclass(kind, StoreRefused):
            found[name] = {of_the_store(kind, to_program=True).code}
        elif issubclass(kind, IdTaken):
            found[name] = {"http.key-taken"}
    return {name: Kind(status_of(kinds[name]), tuple(sorted(found[name]))) for name in sorted(found)}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    SERVED.write_bytes(served())
    for layer, file in STUBS.items():
        file.write_text(stub(layer), encoding="utf-8")
    sys.stdout.write(f"{PAGE}, {SERVED} and stubs written\n")
