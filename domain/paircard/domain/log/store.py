"""The log of tournaments: run a request, and get facts or a refusal.

A request is decided on the state in memory and recorded at the version after it. If somebody else was
faster, that version is taken: then the new facts are read while nobody else may write, and the request
is decided again on them. So nothing is overwritten, nothing is decided on an old state, and results for
different boards never conflict.
"""

import os
import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import uniform
from types import TracebackType
from typing import Final, Self

import msgspec

from paircard.domain.commands import Command
from paircard.domain.deciding.decision import well_typed
from paircard.domain.errors import (
    Busy,
    CorruptFile,
    Invalid,
    NewerFile,
    OutcomeUnknown,
    PaircardError,
    SetBack,
    StoreRefused,
    Unknown,
)
from paircard.domain.events import Recorded
from paircard.domain.log.backends.base import ConnectionLost, EventLog, VersionTaken
from paircard.domain.log.backends.sqlite import SQLiteLog
from paircard.domain.log.backends.sqlite_file import add_missing, need_file
from paircard.domain.log.cache import CachedLog
from paircard.domain.log.catalogue import TournamentEntry, list_tournaments, readable_name
from paircard.domain.log.chain import (
    ERASURES,
    GENESIS,
    check_chain,
    decode_chain,
    rows_after,
)
from paircard.domain.log.erasures import erased_hashes, erased_pieces, without_erased
from paircard.domain.log.location import Address, address_of, is_address, parsed_address
from paircard.domain.log.privacy import Salt, new_salt, pieces_of, without_pieces
from paircard.domain.log.progress import Stage, stages
from paircard.domain.log.request import Decided, Request, decide_request, request_of
from paircard.domain.log.rows import LATEST, CheckpointRow, Placed, Row, Rows, Unreadable
from paircard.domain.state import NOTHING, Tournament

LONGEST_PAUSE: Final = 0.25
"""Seconds between two attempts to reach a database that went away."""
ATTEMPTS: Final = 3
"""How often a fact is offered while nobody else can write."""
CACHED: Final = 64
"""Tournaments whose state is kept in memory."""


class Answer(msgspec.Struct, frozen=True):
    """What came of a request."""

    recorded: tuple[Recorded, ...]
    """The facts; those of the first time if the same request was carried out before."""
    before: Tournament
    """The state they followed on."""
    state: Tournament
    repeated: bool = False


class Tournaments:
    """All tournaments of one place: open it, ask, read, close. Use it as a context manager."""

    def __init__(self, location: str | Path, *, create: bool = False, patience: float = 5.0) -> None:
        self._log: Final = opened_log(location, create=create, patience=patience)
        self._patience: Final = patience
        self._cache: OrderedDict[str, CachedLog] = OrderedDict()

    @property
    def _salt(self) -> Salt | None:
        return new_salt if self._log.keeps_private else None

    @property
    def place(self) -> str:
        """Where the tournaments are, for people: never with a password."""
        return self._log.place

    @property
    def path(self) -> Path | None:
        """The file, if it is one."""
        path = getattr(self._log, "path", None)
        return Path(path) if path else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._log.close()

    def run(self, tournament: str, request: Request, *, expected: int | None = None) -> Answer:
        """Carry out a request, or refuse it with nothing written.

        ``expected`` is the version it was decided on: if the tournament has moved on, it is refused. A
        request whose id was used before is answered with its first facts, or refused if it is another.
        """
        need_id(tournament)
        request = self._through_role(msgspec.structs.replace(request, meta=well_typed(request.meta)))
        locked, lost, end = 0, False, time.monotonic() + self._patience
        while True:
            try:
                attempt = self._decide_locked if locked else self._try_optimistic
                decided = attempt(tournament, request, expected)
            except VersionTaken:
                if locked == ATTEMPTS:  # nobody else could write, so nobody was faster
                    raise self._not_taken("the next fact") from None
                locked += 1
            except ConnectionLost as loss:
                locked, lost = 1, True
                if time.monotonic() > end:
                    raise OutcomeUnknown(loss.reason, request.id) from None
                time.sleep(uniform(0.02, LONGEST_PAUSE))
            except SetBack:
                self._cache.pop(tournament, None)
                raise
            except StoreRefused as trouble:
                if not lost:
                    raise
                raise OutcomeUnknown(trouble, request.id) from None
            else:
                return self._answer(tournament, decided, lost)

    @property
    def role(self) -> str:
        """Database role of this connection; empty for a file."""
        return self._log.role

    def _through_role(self, request: Request) -> Request:
        """On a server a name rests on the role at least, which the server records beside the facts too."""
        if request.meta.through or not self._log.role:
            return request
        meta = msgspec.structs.replace(request.meta, through=f"role:{self._log.role}")
        return msgspec.structs.replace(request, meta=meta)

    def _not_taken(self, what: str) -> CorruptFile:
        return CorruptFile(
            f"{self.place} does not take {what}: a key, an index or a constraint that paircard did not make "
            "may stand in the way. Nothing was recorded: see paircard doctor"
        )

    def _try_optimistic(self, tournament: str, request: Request, expected: int | None) -> Decided:
        """Decide on the state in memory and record, unless somebody else was faster."""
        known = self._cache.get(tournament)
        cached = known or self._refresh(tournament)
        try:
            decided = decide_request(tournament, cached, request, expected, self.rows, self._salt)
        except StoreRefused:
            raise
        except PaircardError:
            self._need_newest(tournament, known)
            raise
        if decided.sealed:
            self._log.append(decided.sealed)
        else:
            self._need_newest(tournament, known)
        return decided

    def _need_newest(self, tournament: str, known: CachedLog | None) -> None:
        """An answer without facts must be true of the log as it is now: if that moved on, decide again."""
        if known and self._refresh(tournament).state.version > known.state.version:
            raise VersionTaken

    def _decide_locked(self, tournament: str, request: Request, expected: int | None) -> Decided:
        """Decide on the newest facts while nobody else may write."""
        with self._log.write() as transaction:
            cached = self._read_further(tournament, transaction.rows)
            decided = decide_request(tournament, cached, request, expected, transaction.rows, self._salt)
            if decided.sealed:
                transaction.add(tournament, [one.row for one in decided.sealed])
        return decided

    def _answer(self, tournament: str, decided: Decided, lost: bool) -> Answer:
        if decided.sealed:
            decided.after.note(decided.facts)
        self._keep(tournament, decided.after)
        repeated = bool(decided.facts) and not decided.sealed and not lost
        return Answer(decided.facts, decided.before, decided.after.state, repeated=repeated)

    def ask(self, tournament: str, *commands: Command) -> Answer:
        """Carry out commands in order, all or none, under the id of the first."""
        return self.run(tournament, request_of(commands))

    def state(self, tournament: str, version: int | None = None) -> Tournament:
        """The tournament now, or as it stood at an earlier version of its log."""
        need_id(tournament)
        if version is None:
            state = self._refresh(tournament).state
        else:
            state = CachedLog().read_further(tournament, self.rows(tournament, 0, version)).state
        if not state.version or (version is not None and state.version != version):
            raise Unknown(
                _no_such(tournament) if not state.version else f"{tournament} has no version {version}"
            )
        return state

    def log(self, tournament: str, after: int = 0, upto: int = LATEST) -> list[Recorded]:
        """The facts of one tournament as they stand in the log."""
        need_id(tournament)
        return self._log.facts(tournament, self.rows(tournament, after, upto))

    def read_log(self, tournament: str, known: Sequence[Recorded] = ()) -> list[Recorded]:
        """The whole log, each fact checked against the chain; what is known of it is not read again.

        The state is brought as far on the way, so that what is asked next is decided without reading.
        """
        need_id(tournament)
        end = len(known), known[-1].hash if known else GENESIS
        rows = self.rows(tournament, max(0, len(known) - 1))
        facts = [*known, *decode_chain(tournament, rows_after(tournament, rows, *end), *end)]
        if known and erased_pieces(facts[len(known) :]):
            return self.read_log(tournament)  # what is known has what was erased since
        cached = self._cache.get(tournament) or CachedLog()
        if not cached.is_part_of(facts) or erased_pieces(facts[cached.state.version :]):
            cached = CachedLog()
        self._keep(tournament, cached.apply_facts(facts[cached.state.version :]))
        return facts

    def known(self, tournament: str) -> Tournament:
        """The state as far as the log was read, without reading on."""
        kept = self._cache.get(tournament)
        return kept.state if kept else NOTHING

    def raw_log(self, tournament: str, after: int = 0, upto: int = LATEST) -> list[Row]:
        """Version, topic and bytes of each fact as stored, with every personal part that is there."""
        return self._log.rows(tournament, after, upto)

    def rows(self, tournament: str, after: int = 0, upto: int = LATEST) -> list[Row]:
        """The same without the parts that were erased, also where a restored backup brought them back."""
        found = self._log.rows(tournament, after, upto)
        erasures = found if upto == LATEST else self._log.erasures(tournament, after)
        return without_erased(tournament, found, erasures)

    def everything(self) -> Iterator[tuple[str, int, str, bytes]]:
        """Id, version, topic and bytes of every fact, tournament by tournament."""
        return self._log.everything()

    def notifications(self, after: int = 0, limit: int = 500) -> list[Recorded | Unreadable]:
        """The facts of all tournaments in the order they were recorded, from a position on."""
        placed = self._log.placed(after, limit)
        private = {id: version for _, id, version, _, stored in reversed(placed) if pieces_of(stored)}
        gone = {id: self._gone(id, first) for id, first in private.items()}
        return self._log.notifications(
            (position, id, version, topic, without_pieces(stored, gone[id]) if gone.get(id) else stored)
            for position, id, version, topic, stored in placed
        )

    def _gone(self, tournament: str, after: int) -> set[str]:
        """What was erased of a tournament since; where that cannot be read, all that could have been."""
        try:
            return erased_hashes(tournament, self._log.erasures(tournament, after))
        except (CorruptFile, NewerFile):
            rows = self._log.rows(tournament)
            return {sha256(piece).hexdigest() for _, _, stored in rows for piece in pieces_of(stored)}

    def rows_by_position(self, after: int, limit: int, upto: int = LATEST) -> list[Placed]:
        """Position, tournament, version, topic and bytes of facts in the order they were recorded."""
        return self._log.placed(after, limit, upto)

    def signed_trees(self) -> list[tuple[int, int, str]]:
        """Size, last position and note of every tree over all facts that was signed."""
        return self._log.signed_trees()

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        """Keep a signed tree; it is on the disk when this returns."""
        try:
            self._log.save_signed_tree(size, position, note)
        except VersionTaken:
            raise Busy(f"another program is publishing the tree of {self.place}: try again") from None
        except ConnectionLost as loss:
            raise loss.reason from None

    def last_position(self) -> int:
        """The position of the newest fact of all tournaments, 0 if there is none."""
        return self._log.last_position()

    def wait(self, after: int, seconds: float) -> bool:
        """Wait for a fact beyond a position, at most so long; whether there is one."""
        return self._log.wait(after, seconds)

    def settle(self) -> None:
        """Move what is in the journal of a file into it: who copies or moves the file alone has it all."""
        self._log.settle()

    def version(self, tournament: str) -> int:
        """How many facts the tournament has, 0 if there is none of this id."""
        need_id(tournament)
        return self._log.version(tournament)

    def ids_from(self, prefix: str, limit: int = 2) -> list[str]:
        """Ids of tournaments that begin so, found without looking at the others."""
        return self._log.ids_from(prefix, limit) if re.fullmatch(r"[0-9a-f]{1,32}", prefix) else []

    def add_stored(self, tournament: str, rows: Sequence[Row]) -> None:
        """Record facts as another log has them, all or none; they must follow on what is here.

        What they say was erased goes here, too.
        """
        need_id(tournament)
        try:
            with self._log.write() as transaction:
                here, head = check_chain(tournament, transaction.rows(tournament, 0))
                decode_chain(tournament, rows, here, head)  # what is stored can be read
                transaction.add(tournament, rows)
        except VersionTaken:
            raise self._not_taken("these facts") from None
        except ConnectionLost as loss:
            raise loss.reason from None
        self._cache.pop(tournament, None)
        if erased := erased_hashes(tournament, rows):
            self.erase_pieces(tournament, sorted(erased))

    def keep_note(self, tournament: str, size: int, note: str) -> None:
        """Keep a checkpoint beside the facts, once; ``kept_checkpoints`` says what may be in it."""
        try:
            self._log.save_checkpoint(tournament, size, note)
        except VersionTaken:
            raise self._not_taken("the checkpoint") from None
        except ConnectionLost as loss:
            raise loss.reason from None

    def erase_pieces(self, tournament: str, hashes: Sequence[str]) -> str:
        """Remove personal parts by their commitments; what is left to do, empty if nothing."""
        try:
            left = self._log.delete_pieces(tournament, hashes)
        except ConnectionLost as loss:
            raise loss.reason from None
        self._cache.pop(tournament, None)
        return left

    def faults(self) -> list[str]:
        """What is wrong with the store beside its facts: tables, triggers, positions, damaged pages."""
        return self._log.faults()

    def naming(self, name: str) -> list[str]:
        """Ids of the tournaments with a player of exactly this name among their personal parts."""
        return self._log.naming(name)

    def notes(self, tournament: str = "") -> list[CheckpointRow]:
        """Kept checkpoints as their rows are: of all tournaments, or of one."""
        return self._log.stored_checkpoints(tournament)

    def tournaments(self) -> list[TournamentEntry]:
        """Every tournament, the oldest first, without reading its whole log."""
        return list_tournaments(self._log.headlines(), self._log.versions())

    def stages(self) -> dict[str, Stage]:
        """How far each tournament has come, without reading its log but where a round was just taken back."""
        found = stages(self._log.milestones(), self._log.registrations())
        for id, stage in found.items():
            if stage.taken_back:
                with suppress(CorruptFile, NewerFile):  # the list says so
                    last = self.state(id).rounds[-1]
                    found[id] = msgspec.structs.replace(stage, completed=last.completed)
        return found

    def names(self) -> list[tuple[str, str]]:
        """Id and name of every tournament, the oldest first; cheap, where only one is looked for."""
        found: dict[str, tuple[int, str]] = {}
        for position, id, version, topic, stored in self._log.headlines():
            known = found.get(id, (position, id[:8]))
            found[id] = known[0], readable_name(id, version, topic, stored) or known[1]
        return [(id, name) for id, (_, name) in sorted(found.items(), key=lambda item: item[1][0])]

    def verify_chain(self, tournament: str) -> tuple[int, str]:
        """Length and head hash of a log that is whole; refuses one that was changed."""
        need_id(tournament)
        length, head = check_chain(tournament, self.raw_log(tournament))
        if not length:
            raise Unknown(_no_such(tournament))
        return length, head

    def recorders(self, tournament: str) -> list[str]:
        """The role of the database each fact came from, as its server recorded it; nothing for a file."""
        return self._log.recorders(tournament)

    def owner(self) -> str:
        """The role that owns the tables, and may do anything to them; empty for a file."""
        return self._log.owner()

    def private_rows(self) -> list[tuple[object, object, object, object]]:
        """Tournament, version, hash and bytes of every personal part."""
        return self._log.private_rows()

    def position(self, tournament: str, version: int) -> int:
        """The place of one fact in the order of all."""
        found = self._log.positions(tournament, version)
        if not found:
            raise Unknown(f"there is no fact {version} of tournament {tournament} here")
        return found[0]

    def positions(self, tournament: str) -> list[int]:
        """Places of a tournament's facts in the order of all, the first fact first."""
        return self._log.positions(tournament)

    def _refresh(self, tournament: str) -> CachedLog:
        try:
            cached = self._read_further(tournament, self._log.rows)
        except SetBack:
            self._cache.pop(tournament, None)
            raise
        self._keep(tournament, cached)
        return cached

    def _read_further(self, tournament: str, rows: Rows) -> CachedLog:
        """What is known and the newest facts; read anew where somebody was erased since."""
        known = self._cache.get(tournament) or CachedLog()
        new = rows(tournament, known.last_seen, LATEST)
        cached = known.read_further(tournament, new)
        if any(topic == ERASURES and version > known.state.version for version, topic, _ in new):
            whole = rows(tournament, 0, LATEST)
            return CachedLog().read_further(tournament, without_erased(tournament, whole, whole))
        return cached

    def _keep(self, tournament: str, cached: CachedLog) -> None:
        self._cache[tournament] = cached
        self._cache.move_to_end(tournament)
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)


def opened_log(location: str | Path, *, create: bool, patience: float) -> EventLog:
    """The log at a place: a file, or a PostgreSQL database."""
    if is_address(location):
        from paircard.domain.log.backends.postgres import PostgresLog  # needs the extra paircard[postgres]

        return PostgresLog(parsed_address(str(location)), patience)

    path = os.fspath(location) or os.curdir
    need_file(path, create=create)
    return SQLiteLog(path, patience)


def prepare(location: str | Path) -> bool:
    """Make the file, or the tables in the database, for tournaments to come; whether it was needed."""
    address = address_of(location)
    if isinstance(address, Address):
        from paircard.domain.log.backends.postgres_database import create_schema  # the same extra

        return create_schema(address)
    there = address.exists() and address.stat().st_size > 0
    need_file(address, create=True)
    return not there or add_missing(address)


def need_id(tournament: str) -> None:
    """Refuse what is not an id of a tournament."""
    if len(tournament) != 32 or tournament.strip("0123456789abcdef"):
        raise Invalid(f"{tournament[:40]!r} is not the id of a tournament: 32 hexadecimal digits")


def _no_such(tournament: str) -> str:
    return f"there is no tournament {tournament} here"
