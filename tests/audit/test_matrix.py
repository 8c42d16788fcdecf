"""The tamper matrix on both stores: what each reader notices, and by name what none of them can.

``pytest -m soak -s tests/audit/test_matrix.py`` tries every edit and every attack with every reader and
prints the table of docs/security.md.
"""

from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from tests.audit.attacks import ON_DATABASES, attacks
from tests.audit.matrix import READERS, Stores, column_edits, edit, make_base, read_all, write_truly
from tests.postgres import Server

HARMLESS = {
    "an index dropped",
    "another table",
    "another index",
    "an index of ours made otherwise",
    "garbage behind the file",
    "a journal of garbage",
}
"""Nothing that is read or written changes."""
ELSEWHERE = {
    "a checkpoint of no tournament stored",
    "a page of zeros",
    "an opening without a tournament",
    "positions with a gap",
    "rows of no tournament",
}
"""Damage of something else in the store, which ``verify --all`` sees."""
STOPPED = {"sequence set back"}
"""``doctor`` looks at it: it stops the next fact, and loses none."""
COPIES = {
    "stored checkpoints deleted",
    "stored checkpoints with another signature",
    "table of checkpoints dropped",
}
"""Checkpoints beside the log are there for bundles: those that prove something are held by others."""
OWNER = {
    "last fact deleted",
    "end cut behind the last stored checkpoint",
    "end and its checkpoints cut",
    "chain anew: who",
    "chain anew: when",
    "chain anew: a result",
    "chain anew: the last result",
    "chain anew, checkpoints deleted: who",
    "chain anew, checkpoints deleted: the last result",
    "chain anew, signed by another key",
    "chain anew without one result",
}
"""Shows only against a head or a checkpoint that somebody else holds."""
UNSEEN_BY_ALL = HARMLESS | STOPPED | COPIES | OWNER
UNSEEN_BY_HOLDERS = HARMLESS | STOPPED | ELSEWHERE | COPIES
UNSEEN_BY_VERIFY = UNSEEN_BY_HOLDERS | OWNER


@pytest.fixture(scope="module", params=["file", "database"])
def stores(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    folder = tmp_path_factory.mktemp("matrix")
    if request.param == "file":
        yield Stores(make_base(str(folder / "base.db"), folder))
        return
    server: Server = request.getfixturevalue("server")
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute("CREATE DATABASE matrix")
    yield Stores(make_base(server.url("matrix"), folder), server)
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute("DROP DATABASE matrix WITH (FORCE)")


def test_an_untouched_store_satisfies_every_reader(stores: Stores) -> None:
    copy = stores.copy()
    assert set(read_all(copy).values()) == {0}
    assert write_truly(copy) == "recorded"
    stores.drop(copy)


def test_verify_sees_every_attack_but_those_named_and_no_answer_is_untrue(stores: Stores) -> None:
    """On a database those that only a database can suffer; the soak tries all of them."""
    tried = attacks(file=True) if stores.server is None else ON_DATABASES
    missed, missed_by_all = set(), set()
    for name, attack in tried.items():
        copy = stores.copy()
        attack(copy)
        if not read_all(copy, ("verify",))["verify"]:
            missed.add(name)
            if not read_all(copy, ("verify --all",))["verify --all"]:
                missed_by_all.add(name)
        write_truly(copy)
        stores.drop(copy)
    assert missed == UNSEEN_BY_VERIFY & tried.keys()
    assert missed_by_all == UNSEEN_BY_ALL & tried.keys()


@pytest.mark.soak
def test_every_edit_of_every_column_with_every_reader(stores: Stores) -> None:
    """On a database every fourth row."""
    base, file = stores.base, stores.server is None
    noticed, tried = Counter[str](), 0
    for row in base.log if file else base.log[::-4]:
        for column, what, value in column_edits(base, row, file=file):
            copy = stores.copy()
            edit(copy, row, column, value)
            said = read_all(copy)
            stores.drop(copy)
            tried += 1
            noticed.update(reader for reader, code in said.items() if code)
            moved_on = (row[0], column, what) == (base.end, "position", "far")
            cut_off = (row[0], column) == (base.end, "originator_id")
            assert said["verify --all"] or (moved_on and not file), (row[0], column, what)
            assert said["verify"] or moved_on or cut_off, (row[0], column, what)
            for reader in ("head", "checkpoint"):
                assert said[reader] or moved_on, (reader, row[0], column, what)
    print(f"\n{'file' if file else 'database'}, {tried} edits noticed:")
    print("\n".join(f"| {reader} | {noticed[reader]} / {tried} |" for reader in READERS))


@pytest.mark.soak
def test_every_attack_with_every_reader(stores: Stores) -> None:
    tried = attacks(file=stores.server is None)
    missed: dict[str, set[str]] = {reader: set() for reader in READERS}
    writes = Counter[str]()
    for name, attack in tried.items():
        copy = stores.copy()
        attack(copy)
        for reader, code in read_all(copy).items():
            if not code:
                missed[reader].add(name)
        writes[write_truly(copy)] += 1
        stores.drop(copy)
    kind = "file" if stores.server is None else "database"
    print(f"\n{kind}, {len(tried)} attacks noticed; the next command afterwards: {dict(writes)}")
    for reader in READERS:
        print(f"| {reader} | {len(tried) - len(missed[reader])} / {len(tried)} |")
    for reader in READERS:
        print(f"{reader} missed: {', '.join(sorted(missed[reader]))}")
    for reader in ("head", "checkpoint"):
        assert missed[reader] == UNSEEN_BY_HOLDERS & tried.keys()
    assert missed["verify"] == UNSEEN_BY_VERIFY & tried.keys()
    assert missed["verify --all"] == UNSEEN_BY_ALL & tried.keys()
