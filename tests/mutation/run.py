"""Mutants of the verifiers: how many wrong verifiers would the tests let through?

    export PYTHONPATH=domain:projections:pairing:service:cli:web:.
    python tests/mutation/run.py --module NAME --jobs 2

A verifier is whatever says "this record holds". Each mutant is one small mistake in a module that verifies:
a comparison turned round, a condition held true or false, a filter or a refusal left out, a constant off by
one. The quick tests run against each, in a process of its own. Survivors are printed with their place; the
score of each module comes last.

Not mutated: what is only said to people (refusals and f-strings), and patterns at the top of a module.

A run that is wrong itself ends without a score. Before the first mutant and after the last one, for every
module: the module as it is, loaded the way mutants are, must pass; with every function broken it must fail;
and the tests must really have loaded it.
"""

import argparse
import ast
import importlib
import importlib.util
import inspect
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from types import CodeType
from typing import Literal, NamedTuple

ROOT = Path(__file__).parent.parent.parent
LOG_TESTS = (
    *(f"tests.audit.test_{noun}" for noun in ("chain", "sense", "checkpoints", "bundles", "members", "who")),
    "tests.domain.log.test_privacy",
    "tests.domain.proof.test_bundles",
    "tests.domain.proof.test_copies",
    "tests.domain.proof.test_kept_checkpoints",
    "tests.service.review.test_forgeries",
    "tests.service.review.test_replay",
)
TREE_TESTS = ("tests.audit.test_tree",)
STORE_TESTS = {
    "doctor": ("tests.domain.proof.doctor.test_checkup",),
    "backends": ("tests.domain.proof.doctor.test_checkup",),
    "review.stores": ("tests.service.review.test_stores",),
    "publishing": (
        "tests.domain.proof.tree.test_publishing",
        "tests.service.review.test_stores",
        *TREE_TESTS,
    ),
}
"""The quick tests, by what they are about: a log, a published tree or a proof, a store as a whole."""
BOTH = ("paircard.cli.verify", "paircard.domain.proof.note")
"""Modules that logs and trees have in common."""
MEMORY = Path("/dev/shm")
"""Where the files of the tests lie, if it is there: nothing of them has to survive a crash."""
LONGEST = 8
"""Seconds of processor time for one mutant; all tests take about two."""
ENOUGH = 95
"""Per cent of the mutants of every module that must be found."""

WHOLE: dict[str, tuple[str, ...]] = {
    "paircard.cli.verify": (),
    "paircard.domain.log.stored": (),
    "paircard.domain.proof.bundles": (),
    "paircard.domain.proof.checkpoints": (),
    "paircard.domain.proof.note": ("is_locked", "lock", "unlock", "cipher"),  # the passphrase of a key file
    "paircard.domain.proof.signatures": (),
    "paircard.domain.proof.publishing": (),
    "paircard.domain.proof.tree": (  # these write files, and read nothing that is verified
        "write_checkpoint", "grow", "_write", "locked",
    ),
    "paircard.service.review.replay": (),
    "paircard.service.review.stores": (),
    "paircard.service.review.verify": (),
}  # fmt: skip
"""Modules that verify, all of whose functions count, but for those that only make something."""
SINGLE: dict[str, tuple[str, ...]] = {
    "paircard.domain.proof.doctor": (
        "facts",
        "first_unreadable",
        "inside",
        "shape",
        "positions",
    ),
    "paircard.domain.proof.copies": ("copy", "checked"),
    "paircard.domain.log.store": ("verify_chain",),
    "paircard.domain.log.backends.sqlite": ("faults", "unsound", "gaps", "check_header"),
}
"""Functions that verify, in modules that do something else."""

SAYS = ("say", "found")
"""Functions that take the code and the fields of a message."""
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
STATEMENTS = (ast.FunctionDef, ast.If, ast.For, ast.While, ast.Try, ast.ExceptHandler, ast.With)


class Place(NamedTuple):
    """Where a mutant is wrong, and how."""

    function: str
    line: int
    what: str


class Job(NamedTuple):
    """A module to try, with one mistake, none or many."""

    module: str
    tree: ast.Module
    place: Place


Fate = Literal["survived", "killed", "too slow", "not loaded"]


def functions(module: str, tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions of a module that count; refuses a list that names one it does not have."""
    there = list(outermost(tree))
    listed = {*WHOLE.get(module, ()), *SINGLE.get(module, ())}
    if unknown := listed - {function.name for function in there}:
        raise LookupError(f"{module} has no function {', '.join(sorted(unknown))}: put the list right")
    return [function for function in there if (function.name in listed) == (module in SINGLE)]


def outermost(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Functions and methods; one inside another is part of it."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from outermost(node)


def mutants(module: str) -> Iterator[Job]:
    """The module with one mistake, in every way."""
    tree = parse(module)
    for function in functions(module, tree):
        messages = said_to_people(function)
        for node in ast.walk(function):
            if node in messages:
                continue
            for at in range(len(mistakes(node))):
                copy = deepcopy(tree)
                what, change = mistakes(same_node(tree, copy, node))[at]
                change()
                line = getattr(node.target if isinstance(node, ast.comprehension) else node, "lineno", 0)
                yield Job(module, ast.fix_missing_locations(copy), Place(function.name, line, what))


def broken(module: str, tree: ast.Module) -> ast.Module:
    """The module with every function that counts refusing whatever it is asked."""
    copy = deepcopy(tree)
    for function in functions(module, copy):
        function.body = [ast.parse("raise AssertionError('broken on purpose')").body[0]]
    return ast.fix_missing_locations(copy)


def said_to_people(function: ast.FunctionDef) -> set[ast.AST]:
    """Nodes that only make up a message, the help of an option, or a docstring."""
    found: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            found |= set(ast.walk(node.exc))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYS:
            found |= set(ast.walk(node))
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            found |= set(ast.walk(node))
        if isinstance(node, ast.keyword) and node.arg in ("help", "metavar"):
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
                done.append((f"{text!r} + '~x'", partial(setattr, node, "value", f"{text}~x")))
            case bytes(raw) if raw:
                done.append((f"{raw!r} + '~x'", partial(setattr, node, "value", raw + b"~x")))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other_sign = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        done.append(("+ <-> -", partial(setattr, node, "op", other_sign)))
    if isinstance(node, ast.comprehension):
        for at in range(len(node.ifs)):
            done.append(("filter left out", partial(node.ifs.__setitem__, at, ast.Constant(True))))
    if isinstance(node, STATEMENTS):
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


def path_of(module: str) -> Path:
    return ROOT / module.split(".")[1] / (module.replace(".", "/") + ".py")


def parse(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def try_out(job: Job) -> tuple[str, Place, Fate]:
    """What the tests make of this mutant in the place of the module."""
    path = path_of(job.module)
    sys.meta_path.insert(0, Finder(job.module, path, compile(job.tree, str(path), "exec")))
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - a verifier prints what it finds
    signal.signal(signal.SIGPROF, signal.default_int_handler)  # a mutant that never ends is found out too
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    fate: Fate = "survived"
    try:
        for test in tests(tests_of(job.module)):
            test()
    except KeyboardInterrupt:
        fate = "too slow"
    except BaseException:
        fate = "killed"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    there = sys.modules.get(job.module)
    loaded = isinstance(there.__loader__, Loader) if there else fate != "survived"  # some cannot be imported
    return job.module, job.place, fate if loaded else "not loaded"


def tests_of(module: str) -> tuple[str, ...]:
    """Those that are about what the module says, the one of its name first: a run ends where one fails."""
    for part, own in STORE_TESTS.items():
        if part in module:
            return own
    name = module.rpartition(".")[2]
    if name == "tree":
        return TREE_TESTS
    both = (*TREE_TESTS, *LOG_TESTS) if module in BOTH else LOG_TESTS
    return tuple(sorted(both, key=lambda test: name not in test))


def tests(modules: tuple[str, ...]) -> Iterator[Callable[[], None]]:
    """The tests with their parameters; without the cost of collecting them anew for every mutant."""
    listed = (item for module in modules for item in [*vars(importlib.import_module(module)).items()])
    for name, function in listed:
        if not name.startswith("test_"):
            continue
        marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "parametrize"]
        if not marks:
            yield partial(run_test, function, {})
            continue
        [mark] = marks
        names, values = mark.args
        for value in values:
            given = dict(zip(names, value, strict=True)) if isinstance(names, tuple) else {names: value}
            yield partial(run_test, function, given)


def run_test(function: Callable[..., None], given: dict[str, object]) -> None:
    if "tmp_path" not in inspect.signature(function).parameters:
        return function(**given)
    with tempfile.TemporaryDirectory() as folder:
        return function(**given, tmp_path=Path(folder))


def checks(modules: Iterable[str]) -> Iterator[tuple[Job, Fate]]:
    """Jobs whose fate is known: if it is another one, no score of this run means anything."""
    for module in modules:
        tree = parse(module)
        yield Job(module, tree, Place("as it is", 0, "")), "survived"
        yield Job(module, broken(module, tree), Place("with every function broken", 0, "")), "killed"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--module", default="", help="only modules with this in their name")
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))  # also where it is started by its path
    if MEMORY.is_dir():
        tempfile.tempdir = str(MEMORY)
    for warm in ("pytest", "msgspec", "eventsourcing.sqlite", "cryptography.hazmat.primitives"):
        __import__(warm)  # every child inherits what costs most to load
    modules = [module for module in (*WHOLE, *SINGLE) if asked.module in module]
    begun = time.monotonic()
    fates: Counter[tuple[str, Fate]] = Counter()
    with get_context("fork").Pool(asked.jobs, maxtasksperchild=1) as pool:

        def check() -> None:
            for job, expected in checks(modules):
                if (fate := pool.apply(try_out, (job,))[2]) != expected:
                    sys.exit(f"{job.module} {job.place.function}: {fate}, not {expected}. No score is right")

        check()
        listed = list(chain.from_iterable(map(mutants, modules)))
        for module, place, fate in pool.imap_unordered(try_out, listed):
            fates[module, fate] += 1
            if fate != "killed":
                print(f"{fate}: {module}.{place.function} line {place.line}: {place.what}", flush=True)
        check()
    score = {module: shown(module, fates) for module in modules}
    print(f"{len(listed)} mutants in {time.monotonic() - begun:.0f} s")
    return 0 if all(share >= ENOUGH for share in score.values()) else 1


def shown(module: str, fates: Counter[tuple[str, Fate]]) -> float:
    """Print the score of a module; one that never ends would be noticed, one not loaded was not tried."""
    killed = fates[module, "killed"] + fates[module, "too slow"]
    every = killed + fates[module, "survived"] + fates[module, "not loaded"]
    share = 100 * killed / every
    print(f"{module}: {killed} of {every} mutants killed, {share:.1f} %")
    return share


if __name__ == "__main__":
    sys.exit(main())
