"""Mutants of the verifier: how many wrong verifiers would the tests let through?

    PYTHONPATH=domain:projections:pairing:service:cli:. python tests/mutation/run.py [--jobs N]

Each mutant is one small mistake in a module that verifies: a comparison turned round, a condition held
true or false, a refusal left out, a constant off by one. The quick tests of ``TESTS``
run against each, in a process of its own. Survivors are printed with their place; the last line is the score.
"""

import argparse
import ast
import importlib
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing import get_context
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parent.parent.parent
TESTS = tuple(f"tests.audit.test_{noun}" for noun in ("chain", "sense", "checkpoints", "bundles", "who"))
TREE_TESTS = ("tests.audit.test_tree",)
"""Those of the verifiers of published trees and proofs, which share nothing with the others."""
LONGEST = 8
"""Seconds of processor time for one mutant; all tests take about two."""
TARGETS: dict[str, tuple[str, ...]] = {
    "paircard.cli.verify_bundle": (
        "read_bundle", "check_chain", "check_pieces", "read_note", "decoded", "read_key", "signers",
        "check_note", "verify",
    ),
    "paircard.domain.proof.checkpoints": (
        "new_signer", "parse_signer", "parse_verifier", "parse_note", "signed_by", "parse_printed",
        "consistent", "_parse_signature", "_key_bytes", "_decoded", "printed", "text", "key_id", "line",
        "sign", "sign_text", "sign_bytes", "signed", "parse_signatures",
    ),
    "paircard.domain.proof.signatures": (
        "speaks_at", "parse_listed", "sign_list", "parse_list", "check_signatures", "requests_of",
        "request_of", "standing", "role_standing",
    ),
    "paircard.domain.proof.bundles": (
        "write_bundle", "read_bundle", "is_marked", "sensible", "check_words", "words_in",
    ),
    "paircard.domain.log.chain": (
        "link_hash", "check_link", "check_chain", "chain_of", "signed_text", "signature_in", "rows_after",
    ),
    "paircard.service.review.verify": (
        "verify", "chain", "history_of", "clocks", "decided_on_old", "checkpoint", "on_paper", "whole",
    ),
    "paircard.domain.proof.tree.merkle": ("includes", "begins_with"),
    "paircard.domain.proof.tree.notes": (
        "key_id", "parse_key", "cosigned_text", "is_signed", "cosigned_at", "parse_note", "parse_head",
        "parse_signatures", "parse_signature", "strict_base64",
    ),
    "paircard.domain.proof.tree.proof_file": ("fact", "leaf", "parse_entry", "parse_proof", "verify_proof"),
    "paircard.domain.proof.tree.tiles": ("bundle", "tile", "_read", "parse_bundle"),
    "paircard.domain.proof.tree.witness": ("__init__", "parse_request", "answer", "_decide", "last"),
    "paircard.domain.proof.tree.publishing": ("verify_folder", "check_tiles"),
    "paircard.cli.verify_proof": (
        "decoded", "read_key", "seen_at", "root_of", "verify", "clock_time", "shown_fact", "main",
        "proof_text", "key_text",
    ),
}  # fmt: skip
"""Modules, and their functions that decide whether something holds."""

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
Place = tuple[str, int, str]
"""Function, line, what was done."""


def mutants(tree: ast.Module, functions: tuple[str, ...]) -> Iterator[tuple[ast.Module, Place]]:
    """Every tree with one mistake."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in functions:
            messages = said_to_people(function)
            for node in ast.walk(function):
                if node in messages:
                    continue
                for at in range(len(mistakes(node))):
                    copy = deepcopy(tree)
                    twin = same_node(tree, copy, node)
                    what, change = mistakes(twin)[at]
                    change()
                    yield ast.fix_missing_locations(copy), (function.name, getattr(node, "lineno", 0), what)


def said_to_people(function: ast.FunctionDef) -> set[ast.AST]:
    """Nodes that only make up a message, or a docstring."""
    found: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            found |= {part for argument in node.exc.args for part in ast.walk(argument)}
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            found |= set(ast.walk(node))
        if isinstance(node, ast.AnnAssign):
            found |= set(ast.walk(node.annotation))
    for part in (*function.args.args, *function.args.kwonlyargs):
        found |= set(ast.walk(part))
    if function.returns:
        found |= set(ast.walk(function.returns))
    return found


def same_node(tree: ast.AST, copy: ast.AST, node: ast.AST) -> ast.AST:
    return next(twin for one, twin in zip(ast.walk(tree), ast.walk(copy), strict=True) if one is node)


def mistakes(node: ast.AST) -> list[tuple[str, Callable[[], None]]]:
    """What may be done wrong at a place: words, and the deed."""
    done: list[tuple[str, Callable[[], None]]] = []
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            other = TURNED[type(operator)]
            words = f"{type(operator).__name__} -> {other.__name__}"
            done.append((words, partial(node.ops.__setitem__, at, other())))
    if isinstance(node, ast.BoolOp):
        other_op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        done.append((f"-> {type(other_op).__name__}", partial(setattr, node, "op", other_op)))
    if isinstance(node, ast.If | ast.IfExp):
        for value in (True, False):
            done.append((f"if {value}", partial(setattr, node, "test", ast.Constant(value))))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        twice = ast.UnaryOp(ast.Not(), node.operand)
        done.append(("not left out", partial(setattr, node, "operand", twice)))
    if isinstance(node, ast.Constant):
        match node.value:
            case bool(value):
                done.append((f"-> {not value}", partial(setattr, node, "value", not value)))
            case int(number):
                done.append((f"{number} -> {number + 1}", partial(setattr, node, "value", number + 1)))
            case str(text) if text:
                done.append((f"{text!r} + '~'", partial(setattr, node, "value", f"{text}~")))
            case bytes(raw) if raw:
                done.append((f"{raw!r} + '~'", partial(setattr, node, "value", raw + b"~")))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other_sign = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        done.append(("+ <-> -", partial(setattr, node, "op", other_sign)))
    if isinstance(node, ast.FunctionDef | ast.If | ast.For | ast.Try | ast.ExceptHandler | ast.With):
        for at, statement in enumerate(node.body):
            if isinstance(statement, ast.Raise | ast.AugAssign | ast.Continue) or (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            ):
                words = f"{type(statement).__name__} left out"
                done.append((words, partial(node.body.__setitem__, at, ast.Pass())))
    return done


class Loader(SourceFileLoader):
    """Loads one module as a mutant."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        return self.code


class Finder:
    """Finds the mutant before the module."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=Loader(name, str(self.path), self.code)
        )


def survives(job: tuple[str, Path, ast.Module, Place]) -> tuple[str, Place, bool]:
    """Whether the tests pass with this mutant in the place of the module."""
    name, path, tree, place = job
    sys.meta_path.insert(0, Finder(name, path, compile(tree, str(path), "exec")))
    signal.signal(signal.SIGPROF, signal.default_int_handler)  # a mutant that never ends is found out too
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        for test in tests(TREE_TESTS if "tree" in name or "verify_proof" in name else TESTS):
            test()
    except BaseException:
        return name, place, False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return name, place, True


def tests(modules: tuple[str, ...]) -> Iterator[Callable[[], None]]:
    """The tests with their parameters; without the cost of collecting them anew for every mutant."""
    listed = [item for module in modules for item in vars(importlib.import_module(module)).items()]
    for name, function in listed:
        if not name.startswith("test_"):
            continue
        marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "parametrize"]
        if not marks:
            yield function
            continue
        [mark] = marks
        names, values = mark.args
        for value in values:
            given = dict(zip(names, value, strict=True)) if isinstance(names, tuple) else {names: value}
            yield partial(function, **given)


def jobs(asked: str) -> Iterator[tuple[str, Path, ast.Module, Place]]:
    """The mutants of the modules with this in their name."""
    for name, functions in TARGETS.items():
        if asked not in name:
            continue
        layer = name.split(".")[1]
        path = ROOT / layer / (name.replace(".", "/") + ".py")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for mutant, place in mutants(tree, functions):
            yield name, path, mutant, place


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--module", default="", help="only modules with this in their name")
    asked = parser.parse_args()
    os.chdir(ROOT)
    for warm in ("pytest", "msgspec", "eventsourcing.sqlite", "cryptography.hazmat.primitives"):
        __import__(warm)  # every child inherits what costs most to load
    listed = list(jobs(asked.module))
    begun = time.monotonic()
    survivors: list[tuple[str, Place]] = []
    with get_context("fork").Pool(asked.jobs, maxtasksperchild=1) as pool:
        _, _, passes = pool.apply(survives, [("", Path(), ast.parse(""), ("", 0, ""))])
        if not passes:
            sys.exit("the tests fail without any mutant: every one of them would seem to be killed")
        for name, place, alive in pool.imap_unordered(survives, listed):
            if alive:
                survivors.append((name, place))
                print(f"survived: {name}.{place[0]} line {place[1]}: {place[2]}", flush=True)
    killed = len(listed) - len(survivors)
    share = 100 * killed / len(listed)
    seconds = time.monotonic() - begun
    print(f"{killed} of {len(listed)} mutants killed, {share:.1f} %, in {seconds:.0f} s")
    return 0 if share >= 95 else 1


if __name__ == "__main__":
    sys.exit(main())
