"""What the source says of the fields of a struct, in the sentence below each: so says the description."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, get_origin

import msgspec


def structs_in(kinds: list[Any]) -> Iterator[type]:
    """All structs that some types speak of."""
    found: set[type] = set()
    waiting: list[Any] = [msgspec.inspect.multi_type_info(kinds)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, msgspec.inspect.StructType):
            if one.cls in found:
                continue
            found.add(one.cls)
            yield get_origin(one.cls) or one.cls
        if isinstance(one, tuple | list):
            waiting += one
        elif isinstance(one, msgspec.Struct):
            waiting += [getattr(one, name) for name in one.__struct_fields__]


def sentences(kind: type) -> dict[str, str]:
    """By the name of a field as it is sent: the sentence below it, or where it is inherited from."""
    found: dict[str, str] = {}
    for base in reversed(getattr(kind, "made_from", kind).__mro__):
        found |= in_module(base.__module__).get(base.__name__, {})
    return {one.encode_name: found[one.name] for one in msgspec.structs.fields(kind) if one.name in found}


@cache
def in_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """By class the sentences of its fields; nothing where there is no source."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[name]))
    except (KeyError, OSError, TypeError):
        return {}
    return {node.name: dict(of_class(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def of_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of a class that have a sentence."""
    for part, after in pairwise(node.body):
        match part, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split()).replace("``", "`")
