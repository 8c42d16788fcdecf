"""Structural attacks on a store: rows, logs computed anew, checkpoints, personal parts, tables, the file.

Each is a name and a function that lays hands on a copy. ``ON_BOTH`` work on a file and on PostgreSQL.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial

from paircard.domain.log.backends.sqlite import FORMAT
from paircard.domain.proof.checkpoints import Checkpoint
from tests.audit.matrix import EVIL, FEDERATION, Attack, Copy, Row, rechained

V = "WHERE originator_id=?"


def sql(*statements: str) -> Attack:
    """Statements as they are."""
    return lambda copy: copy.sql(*statements)


def on_victim(*statements: str) -> Attack:
    """Statements with the id of the victim as their only value."""
    return lambda copy: copy.sql(*((one, (copy.base.victim,)) for one in statements))


def delete(condition: str) -> Attack:
    return on_victim(f"DELETE FROM {{}}stored_events {V} AND {condition}")


def cut(copy: Copy, facts: int, *, checkpoints: bool) -> None:
    delete(f"originator_version>{copy.base.end - facts}")(copy)
    if checkpoints:
        on_victim("DELETE FROM {}checkpoints WHERE tournament=?")(copy)


def again(copy: Copy, source: int, version: int) -> None:
    """A fact of the victim once more, under another number."""
    _, topic, line = copy.base.log[source - 1]
    copy.append(line, topic, version)


def of_the_neighbour(copy: Copy) -> None:
    copy.sql((
        "INSERT INTO {}stored_events (originator_id, originator_version, topic, state) "
        "SELECT ?, ?, topic, state FROM {}stored_events WHERE originator_id=? AND originator_version=2",
        (copy.base.victim, copy.base.end + 1, copy.base.neighbour),
    ))  # fmt: skip


def swap(copy: Copy, one: int, other: int) -> None:
    change = f"UPDATE {{}}stored_events SET originator_version=? {V} AND originator_version=?"
    v = copy.base.victim
    copy.sql((change, (-9, v, one)), (change, (one, v, other)), (change, (other, v, -9)))


def relabel(copy: Copy, id: str) -> None:
    copy.sql((f"UPDATE {{}}stored_events SET originator_id=? {V}", (id, copy.base.victim)))


def swap_ids(copy: Copy) -> None:
    one, other = copy.base.victim, copy.base.neighbour
    change = f"UPDATE {{}}stored_events SET originator_id=? {V}"
    copy.sql((change, ("x", one)), (change, (one, other)), (change, (other, "x")))


def changed(copy: Copy, topic: str, before: bytes, after: bytes) -> list[Row]:
    """The log with the last fact of a kind changed, and every hash computed anew."""
    log = list(copy.base.log)
    at = max(n for n, row in enumerate(log) if row[1] == topic and before in row[2])
    log[at] = (log[at][0], topic, log[at][2].replace(before, after, 1))
    return rechained(copy.base.victim, log)


def rewrite(topic: str, before: bytes, after: bytes, *, checkpoints: bool = False) -> Attack:
    def attack(copy: Copy) -> None:
        copy.rewrite(changed(copy, topic, before, after))
        if checkpoints:
            on_victim("DELETE FROM {}checkpoints WHERE tournament=?")(copy)

    return attack


def rewrite_and_sign(copy: Copy) -> None:
    """The whole log computed anew, and vouched for by another key."""
    log = changed(copy, "result-recorded/1", b'["1","0"]', b'["0","1"]')
    copy.rewrite(log)
    head = log[-1][2][-66:-2].decode()
    copy.sql("DELETE FROM {}checkpoints")
    note = EVIL.sign(Checkpoint(copy.base.victim, copy.base.end, head)).text()
    add_note(copy, copy.base.victim, copy.base.end, note)


def append_fact(copy: Copy, template: str, before: bytes, after: bytes) -> None:
    """One more fact with a right hash, made from one that is there."""
    log = list(copy.base.log)
    topic, line = next((row[1], row[2]) for row in reversed(log) if row[1] == template)
    if b'"private"' in line:
        start = line.index(b',"private"')
        line = line[:start] + line[line.index(b"]", start) + 1 :]
    line = line.replace(b'"command_id":"', b'"command_id":"forged', 1).replace(before, after, 1)
    copy.append(rechained(copy.base.victim, [*log, (0, topic, line)])[-1][2], topic)


def unknown_kind(copy: Copy) -> None:
    log = list(copy.base.log)
    line = log[-1][2].replace(b'"type":"', b'"type":"referee-slept', 1)
    copy.append(rechained(copy.base.victim, [*log, (0, "referee-slept/3", line)])[-1][2], "referee-slept/3")


def renumbered(copy: Copy, position: int) -> None:
    """One fact taken out and the rest computed anew, so that there is no gap."""
    log = rechained(copy.base.victim, [row for row in copy.base.log if row[0] != position])
    delete(f"originator_version={copy.base.end}")(copy)
    copy.rewrite(log)


def add_note(copy: Copy, tournament: str, size: int, note: object) -> None:
    copy.sql(
        ("INSERT INTO {}checkpoints (tournament, size, note) VALUES (?, ?, ?)", (tournament, size, note))
    )


def false_note(copy: Copy) -> None:
    note = FEDERATION.sign(Checkpoint(copy.base.victim, 5, "ab" * 32)).text()
    add_note(copy, copy.base.victim, 5, note)


def note_of_nothing(copy: Copy) -> None:
    add_note(copy, "d" * 32, 5, EVIL.sign(Checkpoint("d" * 32, 5, "ab" * 32)).text())


def edit_notes(change: str) -> Attack:
    return on_victim(f"UPDATE {{}}checkpoints SET {change} WHERE tournament=?")


def edit_pieces(change: str) -> Attack:
    return on_victim(f"UPDATE {{}}private SET {change} WHERE tournament=? AND version=3")


def flip_piece(copy: Copy) -> None:
    """One letter of a name, under the same hash."""
    [(piece,)] = copy.ask("SELECT bytes FROM {}private WHERE tournament=? AND version=3", copy.base.victim)
    new = bytes(piece).replace(b"Player 2", b"Player 9")
    copy.sql(("UPDATE {}private SET bytes=? WHERE tournament=? AND version=3", (new, copy.base.victim)))


def another_piece(copy: Copy, version: int) -> None:
    copy.sql((
        "INSERT INTO {}private (tournament, version, hash, bytes) VALUES (?, ?, ?, ?)",
        (copy.base.victim, version, "f" * 64, b'{"salt":"00","fact":{"details":{"name":"Evil"}}}'),
    ))  # fmt: skip


def retable(columns: str, key: str = ", PRIMARY KEY (originator_id, originator_version)") -> Attack:
    """The facts moved into another table of the same name."""
    names = "originator_id, originator_version, topic, state"
    return sql(
        "ALTER TABLE stored_events RENAME TO hidden",
        f"CREATE TABLE stored_events ({columns}{key})",
        f"INSERT INTO stored_events ({names}) SELECT {names} FROM hidden",
        "DROP TABLE hidden",
    )


COLUMNS = "originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB"

ON_BOTH: dict[str, Attack] = {
    "first fact deleted": delete("originator_version=1"),
    "second fact deleted": delete("originator_version=2"),
    "middle fact deleted": delete("originator_version=15"),
    "three facts deleted": delete("originator_version BETWEEN 12 AND 14"),
    "last fact deleted": partial(cut, facts=1, checkpoints=False),
    "end cut behind the last stored checkpoint": partial(cut, facts=3, checkpoints=False),
    "end cut": partial(cut, facts=9, checkpoints=False),
    "end and its checkpoints cut": partial(cut, facts=9, checkpoints=True),
    "all facts of a tournament deleted": delete("originator_version>0"),
    "a tournament and its checkpoints deleted": on_victim(
        "DELETE FROM {}stored_events WHERE originator_id=?", "DELETE FROM {}checkpoints WHERE tournament=?"
    ),
    "everything deleted": sql("DELETE FROM {}stored_events"),
    "last fact repeated": lambda copy: again(copy, copy.base.end, copy.base.end + 1),
    "middle fact repeated": lambda copy: again(copy, 15, copy.base.end + 1),
    "a fact at 0": lambda copy: again_at_zero(copy),
    "a fact at -1": lambda copy: again(copy, 2, -1),
    "a fact at 2^62+5": lambda copy: again(copy, 2, 2**62 + 5),
    "a fact at 2^63-1": lambda copy: again(copy, 2, 2**63 - 1),
    "a fact after a gap": lambda copy: again(copy, 2, copy.base.end + 2),
    "a fact of the neighbour": of_the_neighbour,
    "two facts swapped": lambda copy: swap(copy, 12, 13),
    "first and last swapped": lambda copy: swap(copy, 1, copy.base.end),
    "tournament under another id": lambda copy: relabel(copy, "d" * 32),
    "tournament under no id": lambda copy: relabel(copy, ""),
    "tournament under its id in capitals": lambda copy: relabel(copy, copy.base.victim.upper() + "A"),
    "ids of two tournaments swapped": swap_ids,
    "rows of no tournament": lambda copy: copy.append(b"{}", "result-recorded/1", 7, "f" * 32),
    "an opening without a tournament": lambda copy: copy.append(b"{}", "tournament-opened/1", 1, "a" * 32),
    "a topic changed everywhere": sql(
        "UPDATE {}stored_events SET topic='round-published/1' WHERE topic='round-completed/1'"
    ),
    "chain anew: who": rewrite("result-recorded/1", b'"who":"', b'"who":"X'),
    "chain anew: when": rewrite("result-recorded/1", b'"when":"20', b'"when":"19'),
    "chain anew: a result": rewrite("result-recorded/1", b'["1","0"]', b'["0","1"]'),
    "chain anew: an early result": lambda copy: copy.rewrite(
        rechained(copy.base.victim, early_result(copy))
    ),
    "chain anew: a pairing": rewrite("round-paired/1", b'"boards":[[', b'"boards":[[9'),
    "chain anew: a snapshot": rewrite("round-paired/1", b'"snapshot":"', b'"snapshot":"0'),
    "chain anew: its version": rewrite("round-paired/1", b'"based_on":', b'"based_on":1'),
    "chain anew: a name's commitment": rewrite("player-registered/1", b'"private":["', b'"private":["0'),
    "chain anew: a rating": rewrite("player-registered/1", b'"rating":2', b'"rating":1'),
    "chain anew: a reason with an escape": rewrite("result-recorded/1", b'"why":""', b'"why":"\\u001b[2J"'),
    "chain anew: a time that is none": rewrite("result-recorded/1", b'"when":"20', b'"when":"x20'),
    "chain anew: a board of 10^18": rewrite("result-recorded/1", b'"board":', b'"board":100000000000000000'),
    "chain anew: the last result": rewrite("result-recorded/1", b'["0","1"]', b'["1","0"]'),
    "chain anew, checkpoints deleted: who": rewrite(
        "result-recorded/1", b'"who":"', b'"who":"X', checkpoints=True
    ),
    "chain anew, checkpoints deleted: the last result": rewrite(
        "result-recorded/1", b'["0","1"]', b'["1","0"]', checkpoints=True
    ),
    "chain anew, signed by another key": rewrite_and_sign,
    "chain anew without one result": lambda copy: renumbered(copy, copy.base.end),
    "chain anew without one player": lambda copy: renumbered(copy, 4),
    "one more player with a right hash": lambda copy: append_fact(
        copy, "player-registered/1", b'"player":8', b'"player":9'
    ),
    "one more result with a right hash": lambda copy: append_fact(copy, "result-recorded/1", b"", b""),
    "one more round with a right hash": lambda copy: append_fact(copy, "round-paired/1", b"", b""),
    "one more opening with a right hash": lambda copy: append_fact(copy, "tournament-opened/1", b"", b""),
    "a fact of an unknown kind with a right hash": unknown_kind,
    "stored checkpoints deleted": sql("DELETE FROM {}checkpoints"),
    "stored checkpoints of another size": edit_notes("size=size+1"),
    "stored checkpoints of the neighbour": lambda copy: copy.sql((
        "UPDATE {}checkpoints SET tournament=? WHERE tournament=?", (copy.base.neighbour, copy.base.victim)
    )),
    "stored checkpoints emptied": edit_notes("note=''"),
    "stored checkpoints of nothing": edit_notes("note=NULL"),
    "stored checkpoints with another text": edit_notes("note=replace(note, 'paircard/', 'paircard/0')"),
    "stored checkpoints with another signature": edit_notes("note=replace(note, 'fsi.it', 'fsj.it')"),
    "stored checkpoints with another size in the text": edit_notes(
        "note=replace(note, '\n'||size||'\n', '\n'||(size-1)||'\n')"
    ),
    "a false checkpoint stored": false_note,
    "a checkpoint of no tournament stored": note_of_nothing,
    "table of checkpoints dropped": sql("DROP TABLE {}checkpoints"),
    "table of checkpoints with other columns": sql(
        "DROP TABLE {}checkpoints", "CREATE TABLE {}checkpoints (x integer)"
    ),
    "a personal part deleted": on_victim("DELETE FROM {}private WHERE tournament=? AND version=3"),
    "all personal parts deleted": sql("DELETE FROM {}private"),
    "a name changed in its personal part": flip_piece,
    "a personal part of another fact": edit_pieces("version=9"),
    "a personal part of no fact": edit_pieces("version=999"),
    "a personal part of the neighbour": lambda copy: copy.sql((
        "UPDATE {}private SET tournament=? WHERE tournament=? AND version=3",
        (copy.base.neighbour, copy.base.victim),
    )),
    "a personal part under another hash": edit_pieces("hash='" + "0" * 64 + "'"),
    "a personal part emptied": edit_pieces("bytes=NULL"),
    "one more personal part of a player": lambda copy: another_piece(copy, 3),
    "one more personal part of a result": lambda copy: another_piece(copy, copy.base.end),
    "table of personal parts dropped": sql("DROP TABLE {}private"),
    "an index dropped": sql("DROP INDEX {}catalogue_first"),
    "another table": sql("CREATE TABLE {}notes_of_mine (x integer)"),
    "another index": sql("CREATE INDEX mine ON {}stored_events (topic)"),
    "a unique index that stops nobody yet": sql(
        "CREATE UNIQUE INDEX mine ON {}stored_events (topic, originator_id, originator_version)"
    ),
    "a unique index that stops the next player": lambda copy: copy.sql(
        "CREATE UNIQUE INDEX mine ON {}stored_events (originator_id) "
        f"WHERE originator_version>{copy.base.end - 1}"
    ),
}  # fmt: skip


def again_at_zero(copy: Copy) -> None:
    _, topic, line = copy.base.log[1]
    copy.sql((
        "INSERT INTO {}stored_events (originator_id, originator_version, topic, state) VALUES (?, 0, ?, ?)",
        (copy.base.victim, topic, line),
    ))  # fmt: skip


def early_result(copy: Copy) -> list[Row]:
    """The first result turned round: the next rounds do not follow from it."""
    log = list(copy.base.log)
    at = next(n for n, row in enumerate(log) if row[1] == "result-recorded/1")
    log[at] = (log[at][0], log[at][1], log[at][2].replace(b'["1","0"]', b'["0","1"]', 1))
    return log


def schema_edit(before: str, after: str) -> Attack:
    """The text of the schema changed behind SQLite's back."""

    def attack(copy: Copy) -> None:
        copy.sql(
            "PRAGMA writable_schema=ON",
            ("UPDATE sqlite_schema SET sql=replace(sql, ?, ?) WHERE name='stored_events'", (before, after)),
            "PRAGMA writable_schema=OFF",
        )

    return attack


def bytes_at(place: Callable[[bytes], int], new: bytes) -> Attack:
    """The file itself, written over."""

    def attack(copy: Copy) -> None:
        content = bytearray(copy.path.read_bytes())
        at = place(bytes(content))
        content[at : at + len(new)] = new
        copy.path.write_bytes(bytes(content))

    return attack


def journal_of_another(copy: Copy) -> None:
    """A journal that a crash left, of another file."""
    other = copy.path.with_name("another.db")
    shutil.copy(copy.base.location, other)
    db = sqlite3.connect(other, isolation_level=None)
    db.execute("UPDATE stored_events SET topic='x' WHERE originator_version=9")
    shutil.copy(f"{other}-wal", f"{copy.path}-wal")
    db.close()
    other.unlink()


def linked(copy: Copy) -> None:
    os.link(copy.path, copy.path.with_name(copy.path.name + ".other"))


def add_bytes(copy: Copy, end: str) -> None:
    with open(f"{copy.path}{end}", "ab") as file:
        file.write(b"x" * 5000)


def cut_file(copy: Copy) -> None:
    os.truncate(copy.path, copy.path.stat().st_size // 2)


ON_FILES: dict[str, Attack] = {
    "a trigger that swallows facts": sql(
        "CREATE TRIGGER t BEFORE INSERT ON stored_events BEGIN SELECT raise(IGNORE); END"
    ),
    "a trigger that changes facts": sql(
        "CREATE TRIGGER t AFTER INSERT ON stored_events BEGIN "
        "UPDATE stored_events SET topic='x' WHERE rowid=new.rowid; END"
    ),
    "a trigger on personal parts": sql(
        "CREATE TRIGGER t BEFORE INSERT ON private BEGIN SELECT raise(IGNORE); END"
    ),
    "a trigger on checkpoints": sql(
        "CREATE TRIGGER t BEFORE INSERT ON checkpoints BEGIN SELECT raise(IGNORE); END"
    ),
    "a view in the place of the facts": sql(
        "ALTER TABLE stored_events RENAME TO hidden",
        "CREATE VIEW stored_events AS SELECT rowid, * FROM hidden",
    ),
    "a view in the place of checkpoints": sql(
        "DROP TABLE checkpoints", "CREATE VIEW checkpoints AS SELECT '' AS tournament, 1 AS size, '' AS note"
    ),
    "a view in the place of personal parts": sql(
        "ALTER TABLE private RENAME TO hidden", "CREATE VIEW private AS SELECT * FROM hidden"
    ),
    "table without its key": retable(COLUMNS, ""),
    "table with another column": retable(f"{COLUMNS}, more TEXT"),
    "table with a check": retable(f"{COLUMNS}, CHECK (originator_version<1000)"),
    "table with a generated column": retable(f"{COLUMNS}, more TEXT GENERATED ALWAYS AS (topic)"),
    "table with a key that replaces": retable(
        COLUMNS, ", PRIMARY KEY (originator_id, originator_version) ON CONFLICT REPLACE"
    ),
    "table with a key that ignores": retable(
        COLUMNS, ", PRIMARY KEY (originator_id, originator_version) ON CONFLICT IGNORE"
    ),
    "table without rowid": sql(
        "ALTER TABLE stored_events RENAME TO hidden",
        f"CREATE TABLE stored_events ({COLUMNS}, PRIMARY KEY (originator_id, originator_version)) "
        "WITHOUT ROWID",
        "INSERT INTO stored_events SELECT * FROM hidden",
        "DROP TABLE hidden",
    ),
    "table of checkpoints with a check": sql(
        "DROP TABLE checkpoints",
        "CREATE TABLE checkpoints (tournament TEXT, size INTEGER, note TEXT, CHECK (size<0))",
    ),
    "table of personal parts with a check": sql(
        "ALTER TABLE private RENAME TO hidden",
        "CREATE TABLE private (tournament TEXT, version INTEGER, hash TEXT, bytes BLOB, CHECK (version<20))",
        "INSERT INTO private SELECT * FROM hidden",
        "DROP TABLE hidden",
    ),
    "table of personal parts that forgets": sql(
        "ALTER TABLE private RENAME TO hidden",
        "CREATE TABLE private (tournament TEXT PRIMARY KEY ON CONFLICT IGNORE, version INTEGER, hash TEXT, "
        "bytes BLOB)",
        "INSERT INTO private SELECT * FROM hidden",
        "DROP TABLE hidden",
    ),
    "an index of ours made otherwise": sql(
        "DROP INDEX catalogue_first",
        "CREATE INDEX catalogue_first ON catalogue (first) WHERE closed=1",
    ),
    "schema rewritten: no key": schema_edit(", PRIMARY KEY (originator_id, originator_version)", ""),
    "schema rewritten: another order": schema_edit("topic TEXT, state BLOB", "state BLOB, topic TEXT"),
    "format 0": sql("PRAGMA user_version=0"),
    "format -1": sql("PRAGMA user_version=-1"),
    "a newer format": sql(f"PRAGMA user_version={FORMAT + 1}"),
    "another program's id": sql("PRAGMA application_id=1"),
    "positions with a gap": sql("UPDATE stored_events SET rowid=rowid+500 WHERE rowid>20"),
    "facts copied in another order": sql(
        "CREATE TABLE t2 AS SELECT * FROM stored_events ORDER BY originator_version DESC",
        "DELETE FROM stored_events",
        "INSERT INTO stored_events SELECT * FROM t2",
        "DROP TABLE t2",
    ),
    "half of the file gone": cut_file,
    "a page of zeros": bytes_at(lambda content: 4096 * 3, bytes(4096)),
    "a byte of a fact in the file": bytes_at(lambda found: found.index(b'"round":3,"board":2') + 8, b"4"),
    "garbage behind the file": lambda copy: add_bytes(copy, ""),
    "header overwritten": bytes_at(lambda content: 0, b"not SQLite at all"),
    "a journal of garbage": lambda copy: add_bytes(copy, "-wal"),
    "a journal of another file": journal_of_another,
    "a hard link": linked,
    "an empty file": lambda copy: os.truncate(copy.path, 0),
}  # fmt: skip

FUNCTION = "CREATE FUNCTION paircard.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"


def keyless(copy: Copy) -> None:
    """The key lost, as after a restore that failed half way."""
    [(name,)] = copy.ask(
        "SELECT conname FROM pg_constraint WHERE conrelid='paircard.stored_events'::regclass AND contype='p'"
    )
    copy.sql(f"ALTER TABLE {{}}stored_events DROP CONSTRAINT {name}")


ON_DATABASES: dict[str, Attack] = {
    "table without its key": keyless,
    "facts unlogged": sql("ALTER TABLE {}stored_events SET UNLOGGED"),
    "personal parts unlogged": sql("ALTER TABLE {}private SET UNLOGGED"),
    "checkpoints unlogged": sql("ALTER TABLE {}checkpoints SET UNLOGGED"),
    "a trigger that swallows facts": sql(
        FUNCTION,
        "CREATE TRIGGER t BEFORE INSERT ON {}stored_events FOR EACH ROW EXECUTE FUNCTION paircard.swallow()",
    ),
    "a trigger on personal parts": sql(
        FUNCTION,
        "CREATE TRIGGER t BEFORE INSERT ON {}private FOR EACH ROW EXECUTE FUNCTION paircard.swallow()",
    ),
    "a rule that swallows facts": sql("CREATE RULE r AS ON INSERT TO {}stored_events DO INSTEAD NOTHING"),
    "a view in the place of the facts": sql(
        "ALTER TABLE {}stored_events RENAME TO hidden",
        "CREATE VIEW {}stored_events AS SELECT * FROM {}hidden",
    ),
    "row security": sql("ALTER TABLE {}stored_events ENABLE ROW LEVEL SECURITY"),
    "a table that adds rows": sql("CREATE TABLE {}child () INHERITS ({}stored_events)"),
    "a check": sql("ALTER TABLE {}stored_events ADD CHECK (originator_version<1000)"),
    "a check on personal parts": sql("ALTER TABLE {}private ADD CHECK (version<20) NOT VALID"),
    "another column that must be filled": sql(
        "ALTER TABLE {}stored_events ADD more text NOT NULL DEFAULT ''",
        "ALTER TABLE {}stored_events ALTER more DROP DEFAULT",
    ),
    "a generated column": sql(
        "ALTER TABLE {}stored_events ADD more text GENERATED ALWAYS AS (upper(topic)) STORED"
    ),
    "roles recorded by a false default": sql(
        "ALTER TABLE {}stored_events ALTER recorded_by SET DEFAULT 'chief'"
    ),
    "roles no longer recorded": sql("ALTER TABLE {}stored_events ALTER recorded_by DROP DEFAULT"),
    "column of roles dropped": sql("ALTER TABLE {}stored_events DROP recorded_by"),
    "roles of all facts changed": sql("UPDATE {}stored_events SET recorded_by='chief'"),
    "key of positions dropped": sql("DROP INDEX {}stored_events_notification_id_idx"),
    "sequence set back": sql("SELECT setval('paircard.stored_events_notification_id_seq', 3)"),
    "sequence that hands out fifty at a time": sql(
        "ALTER SEQUENCE {}stored_events_notification_id_seq CACHE 50"
    ),
    "sequence that counts down": sql(
        "ALTER SEQUENCE {}stored_events_notification_id_seq INCREMENT -1 MINVALUE -1000"
    ),
    "positions no longer counted": sql("ALTER TABLE {}stored_events ALTER notification_id DROP DEFAULT"),
    "format 0": sql("UPDATE {}paircard_format SET format=0"),
    "a newer format": sql(f"UPDATE {{}}paircard_format SET format={FORMAT + 1}"),
    "no format": sql("DELETE FROM {}paircard_format"),
    "two formats": sql("INSERT INTO {}paircard_format VALUES (9)"),
    "table of the format dropped": sql("DROP TABLE {}paircard_format"),
    "facts of another type": sql("ALTER TABLE {}stored_events ALTER topic TYPE varchar(60)"),
}


def attacks(*, file: bool) -> dict[str, Attack]:
    """All structural attacks on one kind of store."""
    return {**ON_BOTH, **(ON_FILES if file else ON_DATABASES)}
