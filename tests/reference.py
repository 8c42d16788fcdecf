"""The API reference: ``python -m tests.reference`` writes docs/api.md from ``__all__`` and docstrings."""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, get_args

from tests.roots import ROOT
from tests.test_public_names import PUBLIC

PAGE = ROOT / "docs/api.md"
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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE} written\n")
