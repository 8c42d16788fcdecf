"""The log of tournaments: run a request, and get facts or a refusal.

A request is decided on what is known in memory. Then the lock is taken, what was recorded since is read, and
if that is anything, the request is decided again on it. So nothing is overwritten, nothing is decided on an
old state, and results for different boards never conflict. An answer without facts takes no lock, but is
given only on facts that were read after the request came.
"""

import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from random import uniform
from types import TracebackType
from typing import Any, Final, Self

import msgspec
from msgspec.structs import astuple, replace

from paircard.domain.commands import Command
from paircard.domain.deciding.decider import DECIDERS
from paircard.domain.deciding.decision import decided, well_typed
from paircard.domain.errors import (
    Busy,
    CorruptFile,
    Invalid,
    NewerFile,
    OutcomeUnknown,
    PaircardError,
    Refused,
    SetBack,
    StaleDecision,
    StoreRefused,
    Unknown,
)
from paircard.domain.events import Recorded
from paircard.domain.log.backends.base import Backend, ConnectionLost, NotTaken
from paircard.domain.log.backends.sqlite import SQLiteBackend
from paircard.domain.log.backends.sqlite_files import make_file
from paircard.domain.log.catalogue import (
    ALL,
    COLUMNS,
    FEW,
    WHOLE_NAME,
    Entry,
    Question,
    Search,
    Word,
    changed_words,
    entry_in,
    fits,
    name_in,
    words_of_name,
)
from paircard.domain.log.location import Address, address_of, is_address, parsed_address
from paircard.domain.log.reader import Known, entry_of
from paircard.domain.log.request import Request, asked_before, request_of, with_the_other
from paircard.domain.log.stored import (
    ERASURES,
    Sealed,
    StoredFact,
    Unreadable,
    check_chain,
    decode_chain,
    erased_hashes,
    new_salt,
    readable,
    seal_all,
    without_erased,
    without_parts,
)
from paircard.domain.messages import Message
from paircard.domain.state import Tournament, evolve, fold
from paircard.domain.system import Name
from paircard.domain.values.names import spellings

LONGEST_PAUSE: Final = 0.25
"""Seconds between two attempts to reach a database that went away."""
CACHED: Final = 64
"""Tournaments whose log is kept in memory."""


class Answer(msgspec.Struct, frozen=True):
    """What came of a request."""

    recorded: tuple[Recorded, ...]
    """Its facts; those of the first time if the same request was carried out before."""
    before: Tournament
    """The state they followed on."""
    state: Tournament
    asked: Sequence[Command] = ()
    """The commands of the request, as they followed from that state."""
    repeated: bool = False


Draft = tuple[Answer, list[Sealed]]
"""What a request comes to, and the facts of it that are still to be recorded."""


class Tournaments:
    """All tournaments of one place: open it, ask, read, close. Use it as a context manager."""

    def __init__(self, location: Name, *, create: bool = False, patience: float = 5.0) -> None:
        self.backend: Final = opened_log(location, create=create, patience=patience)
        """The database: what it is asked apart from facts, lists and requests, it is asked directly."""
        self.place, self.path, self.role = self.backend.place, self.backend.path, self.backend.role
        """How messages call it; the file, if it is one; the role at a server. Empty for none."""
        self._patience: Final = patience
        self._known: OrderedDict[str, tuple[Known, object]] = OrderedDict()
        """What was read of the last tournaments, and the mark of the store then."""
        self.watches = False
        """Whether marks are compared before the store is read: worth it for a server, which reads often."""
        self.conflicts = self.retries = 0
        """Requests decided again as another was faster, and tried again after a lost connection."""
        self._turn: Final = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.backend.close()

    # Asking

    def run(self, tournament: str, request: Request, *, expected: int | None = None) -> Answer:
        """Carry out a request, or refuse it with nothing written.

        ``expected`` is the version it was decided on: if the tournament has moved on, it is refused. A
        request whose id was used before is answered with its first facts, or refused if it is another.
        """
        need_id(tournament)
        meta = well_typed(request.meta)
        if not meta.through and self.role:  # which the server records next to the facts, too
            meta = replace(meta, through=f"role:{self.role}")
        request = replace(request, meta=meta)
        lost, end = False, time.monotonic() + self._patience
        while True:
            try:
                return self._carry_out(tournament, request, expected, lost=lost)
            except ConnectionLost as loss:
                lost = True
                self.retries += 1
                if time.monotonic() > end:
                    raise OutcomeUnknown(
                        "outcome-unknown", reason=str(loss.reason), id=meta.command_id
                    ) from None
                time.sleep(uniform(0.02, LONGEST_PAUSE))
            except NotTaken:
                raise self._not_taken("fact") from None
            except SetBack:
                self._forget(tournament)
                raise
            except StoreRefused as trouble:
                if not lost:
                    raise
                raise OutcomeUnknown("outcome-unknown", reason=str(trouble), id=meta.command_id) from None

    def _carry_out(self, tournament: str, request: Request, expected: int | None, *, lost: bool) -> Answer:
        """Decide, take the lock, look again, record.

        After a lost connection nothing that was read before is trusted: only what is found under the lock, in
        a store that is whole, can be answered.
        """
        known, draft = self._cached(tournament)[0] or Known(tournament), None
        if not lost:
            known, draft = self._decide_on_newest(tournament, request, expected)
            if not draft[1]:
                return draft[0]
        with self.backend.writing() as mark:
            newest = known.read_on(self.backend)
            if draft is None or newest is not known:
                self.conflicts += not lost
                draft = self._decide(newest, request, expected)
            answer, sealed = draft
            if sealed:
                positions = self.backend.insert_events([one.stored for one in sealed])
                facts = [replace(one.fact, position=at) for one, at in zip(sealed, positions, strict=True)]
                answer = replace(answer, recorded=tuple(facts))
                newest = newest.with_facts(facts, answer.state)
                self._list(newest, positions[0], answer.before)
        self._keep(newest, mark)
        if any(one.stored.topic == ERASURES for one in sealed):
            self._forget(tournament)  # what is known has what was erased
        return replace(answer, repeated=False) if lost else answer  # what was cut off was not sent again

    def _list(self, known: Known, first: int, before: Tournament | None = None) -> None:
        """Write the row of a tournament with its new facts, and those that an earlier program left out.

        Its words are written where they are others than in the state ``before``, all of them without that.
        """
        log, state, opening = self.backend, known.state, known.facts[0]
        reached = self._put_entry(entry_of(known.state, known.tournament, known.facts), first)
        if before is None or reached is not None:
            log.put_words(opening.position, None, known.words())
        elif before.players is not state.players or before.regulations is not state.regulations:
            log.put_words(opening.position, *changed_words(before, state, opening.when))
        if reached is None:
            return
        ids = log.ids_between(reached, first) if reached else log.opened()
        for id in ids:
            if id != known.tournament:
                self._list_anew(id, first)

    def _put_entry(self, entry: Entry, first: int) -> int | None:
        """Write the row of a tournament in the catalogue, whose new facts begin at a position.

        Where facts before that are in no row, the position up to which all are. A role without the right to
        write leaves it to the next that has it.
        """
        if not self.backend.lists:
            return None
        values = [int(one) if one is True or one is False else one for one in astuple(entry)]
        [(before, reached, last)] = self.backend.ask(self.backend.upsert, (*values, first, first))
        known = max(before, reached or 0)
        return known if known < (last or 0) else None

    def _list_anew(self, tournament: str, first: int) -> None:
        entry, words = self._summed_up(tournament)
        self.backend.put_words(entry.first, None, words)
        self._put_entry(entry, first)

    def _summed_up(self, tournament: str) -> tuple[Entry, set[Word]]:
        """The row and the words of a tournament from its facts; of one that cannot be read, its name."""
        try:
            known = Known(tournament).read_on(self.backend)
            return entry_of(known.state, known.tournament, known.facts), known.words()
        except (CorruptFile, NewerFile) as why:
            rows = self.backend.select_events(tournament)
            [name] = [name_in(row) for row in rows if row.originator_version == 1] or [""]
            last = max(row.id for row in rows)
            name = name or tournament[:8]
            entry = Entry(tournament, rows[0].id, last, len(rows), name, unreadable=str(why))
            return entry, words_of_name(name)

    def _decide_on_newest(
        self, tournament: str, request: Request, expected: int | None
    ) -> tuple[Known, Draft]:
        """What a request comes to on what is known; if that is a refusal or nothing, on the newest facts."""
        known, _ = self._cached(tournament)
        if known is not None:
            with suppress(PaircardError):
                draft = self._decide(known, request, expected)
                if draft[1]:
                    return known, draft
        known = self.read(tournament)
        return known, self._decide(known, request, expected)

    def _decide(self, known: Known, request: Request, expected: int | None) -> Draft:
        """The sealed facts of a request, or those it gave when it was carried out before."""
        state, meta = known.state, request.meta
        if meta.command_id in known.answers:
            first = known.answered(meta.command_id)
            before = fold([one.fact for one in known.facts[: first[0].version - 1]])
            return Answer(first, before, state, asked_before(request, before, first), repeated=True), []
        if expected is not None and expected != state.version:
            stale = StaleDecision("decision-stale", based_on=expected, version=state.version)
            raise with_the_other(stale, known.facts, meta.who)
        drafts: list[Recorded] = []
        asked = request.commands(state)
        for at, one in enumerate(asked):
            try:
                facts = decided(DECIDERS[state.regulations.edition].get(type(one)), state, one, meta)
            except Refused as refusal:
                refusal.command = at
                raise with_the_other(refusal, known.facts, meta.who, one) from None
            for fact, why, accepted in facts:
                drafts.append(
                    Recorded(
                        tournament=known.tournament,
                        version=state.version + 1,
                        fact=fact,
                        who=meta.who,
                        when=meta.when,
                        why=why,
                        command_id=meta.command_id,
                        acknowledged=accepted,
                        through=meta.through,
                        previous="",
                        hash="",
                    )
                )
                state = evolve(state, fact)
        salt = new_salt if self.backend.keeps_private else None
        return Answer((), known.state, state, asked), seal_all(drafts, known.head, request.sign, salt)

    def ask(self, tournament: str, *commands: Command) -> Answer:
        """Carry out commands in order, all or none, under the id of the first."""
        return self.run(tournament, request_of(commands))

    def _not_taken(self, cause: str) -> CorruptFile:
        return CorruptFile("store.not-taken", file=self.place, cause=cause)

    # Reading

    def read(self, tournament: str) -> Known:
        """All that is recorded of a tournament; what was read before is not read again.

        Refuses a store that no longer has it.
        """
        need_id(tournament)
        known, then = self._cached(tournament)
        mark = self.backend.mark() if self.watches else None
        if known is not None and mark is not None and mark == then:
            return known
        before = known or Known(tournament)
        try:
            newest = self.backend.reading(lambda: before.read_on(self.backend))
        except SetBack:
            self._forget(tournament)
            raise
        self._keep(newest, mark)
        return newest

    def knows(self, tournament: str) -> bool:
        """Whether anything of it was read."""
        return tournament in self._known

    def unchanged(self, tournament: str, end: tuple[int, str] | None = None) -> Known | None:
        """What is known of a tournament, if that is all; None if it has to be read.

        ``end`` is version and hash of its last fact, where the database was asked for that (``Ends``).
        """
        known, mark = self._cached(tournament)
        if known is not None and end is not None:
            return known if end == (known.state.version, known.head) else None
        return known if known is not None and mark is not None and mark == self.backend.mark() else None

    def _cached(self, tournament: str) -> tuple[Known | None, object]:
        return self._known.get(tournament, (None, None))

    def _keep(self, known: Known, mark: object = None) -> None:
        with self._turn:
            there, _ = self._cached(known.tournament)
            if known.facts and (there is None or there.state.version <= known.state.version):
                self._known[known.tournament] = known, mark
                self._known.move_to_end(known.tournament)
            if len(self._known) > CACHED:
                self._known.popitem(last=False)

    def _forget(self, tournament: str) -> None:
        with self._turn:
            self._known.pop(tournament, None)

    def state(self, tournament: str) -> Tournament:
        """The tournament now."""
        known = self.read(tournament)
        if not known.facts:
            raise Unknown("store.no-such-tournament", tournament=tournament)
        return known.state

    def log(self, tournament: str) -> list[Recorded]:
        """Facts of a tournament, each checked against the chain."""
        return list(self.read(tournament).facts)

    def raw_log(self, tournament: str) -> list[StoredFact]:
        """The facts of a tournament as stored, with every personal part that is there."""
        return self.backend.reading(lambda: self.backend.select_events(tournament))

    def rows(self, tournament: str, after: int = 0, upto: int | None = None) -> list[StoredFact]:
        """Facts as stored, without parts that were erased, also where a backup brought them back."""

        def question() -> list[StoredFact]:
            found = self.backend.select_events(tournament, gt=after or None, lte=upto)
            return without_erased(found, None if upto is None else self.backend.erasures(tournament, after))

        return self.backend.reading(question)

    def notifications(self, after: int = 0, limit: int = 500) -> list[Recorded | Unreadable]:
        """The facts of all tournaments in the order they were recorded, from a position on."""

        def question() -> list[StoredFact]:
            rows = self._placed(after, limit)
            first = {row.originator_id: row.originator_version for row in reversed(rows) if row.parts}
            gone = {id: self._gone(id, version) for id, version in first.items()}
            return [
                without_parts(row, gone[row.originator_id]) if gone.get(row.originator_id) else row
                for row in rows
            ]

        return [readable(row) for row in self.backend.reading(question)]

    def _gone(self, tournament: str, after: int) -> set[str]:
        """What was erased of a tournament since; where that cannot be read, all that could have been."""
        try:
            return erased_hashes(self.backend.erasures(tournament, after))
        except (CorruptFile, NewerFile):
            rows = self.backend.select_events(tournament)
            return {hash for row in rows for hash in row.by_hash()}

    def rows_by_position(self, after: int, limit: int, upto: int | None = None) -> list[StoredFact]:
        return self.backend.reading(lambda: self._placed(after, limit, upto))

    def _placed(self, after: int, limit: int, upto: int | None = None) -> list[StoredFact]:
        """Facts beyond a position; refuses positions that do not grow, for nobody would come to their end."""
        rows = self.backend.select_notifications(after, limit, upto, inclusive_of_start=False)
        if any(now <= before for before, now in pairwise([after, *(row.id for row in rows)])):
            raise CorruptFile("store.out-of-order", file=self.place)
        return list(rows)

    # The store as a whole

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        with plainly(Busy("store.tree-busy", file=self.place)):
            self.backend.save_signed_tree(size, position, note)

    def last_position(self) -> int:
        """The position of the newest fact of all tournaments, 0 if there is none."""
        return self.backend.last_position()

    def wait(self, after: int, seconds: float) -> bool:
        """Wait for a fact beyond a position, at most so long; whether there is one."""
        return self.backend.wait(after, seconds)

    def version(self, tournament: str) -> int:
        """How many facts the tournament has, 0 if there is none of this id."""
        need_id(tournament)
        return self.backend.version(tournament)

    def ids_from(self, prefix: str, limit: int = 2) -> list[str]:
        """Ids of tournaments that begin so, found without looking at the others."""
        if prefix in self._known:
            return [prefix]
        return self.backend.ids_from(prefix, limit) if re.fullmatch(r"[0-9a-f]{1,32}", prefix) else []

    def add_stored(self, tournament: str, rows: Sequence[StoredFact]) -> None:
        """Record facts as another log has them, all or none; they must follow on what is here.

        What they say was erased goes here, too.
        """
        need_id(tournament)
        log = self.backend
        with plainly(self._not_taken("facts")), log.writing():
            here, head = check_chain(tournament, log.select_events(tournament))
            decode_chain(tournament, rows, here, head)  # what is stored can be read
            positions = log.insert_events(rows)
            self._list(Known(tournament).read_on(log), positions[0])
        self._forget(tournament)
        if erased := erased_hashes(rows):
            self.erase_pieces(tournament, sorted(erased))

    def keep_note(self, tournament: str, size: int, note: str) -> None:
        """Keep a checkpoint next to the facts, once; ``kept_checkpoints`` says what may be in it."""
        with plainly(self._not_taken("checkpoint")):
            self.backend.save_checkpoint(tournament, size, note)

    def erase_pieces(self, tournament: str, hashes: Sequence[str]) -> Message | None:
        """Remove personal parts by their commitments; what is left to do, if anything."""
        with plainly(self._not_taken("facts")):
            left = self.backend.delete_parts(tournament, hashes)
        self._forget(tournament)
        return left

    def tournaments(self) -> list[Entry]:
        """Every tournament, the oldest first, without reading its log."""
        return self.page()

    def page(
        self, search: Search = ALL, *, after: str = "", limit: int | None = None, newest: bool = False
    ) -> list[Entry]:
        """Tournaments that are meant, the oldest or the newest first, after one of them, at most so many."""
        asked = search, after, limit, newest
        found = self.backend.reading(lambda: self._page(*asked))
        return self.backend.reading(lambda: self._page_of_facts(*asked)) if found is None else found

    def _page(self, search: Search, after: str, limit: int | None, newest: bool) -> list[Entry] | None:
        if search != ALL and not self.backend.is_there("words"):
            return None
        asked = self.backend.question(search)
        if after:
            start = self._entries(Question("WHERE tournament=?", (after,)))
            if start == []:
                raise Unknown("store.no-such-tournament", tournament=after)
            if start:
                asked.add(f"{asked.order}{'<' if newest else '>'}?", (start[0].first,))
        return self._entries(asked, most=limit, newest=newest)

    def _page_of_facts(self, search: Search, after: str, limit: int | None, newest: bool) -> list[Entry]:
        """A page from the facts, where there is no catalogue or an earlier program went on without it."""
        made = [self._summed_up(id) for id in self.backend.opened()]
        made.sort(key=lambda one: one[0].first, reverse=newest)
        if after:
            places = [at for at, (one, _) in enumerate(made, start=1) if one.id == after]
            if not places:
                raise Unknown("store.no-such-tournament", tournament=after)
            made = made[places[0] :]
        return [one for one, words in made if search == ALL or fits(search, words)][:limit]

    def _entries(
        self, asked: Question | None = None, *, most: int | None = None, newest: bool = False
    ) -> list[Entry] | None:
        """The catalogue, or rows of it; None if it is missing, not up to date, or was changed by somebody."""
        found = self.backend.reading(lambda: self._listed(asked or Question(), most, newest))
        try:
            return None if found is None else [entry_in(row) for row in found]
        except msgspec.ValidationError:
            return None  # the facts tell

    def _listed(self, asked: Question, most: int | None, newest: bool = False) -> list[Any] | None:
        """Rows of the catalogue in the order of opening; None if it is missing or not up to date."""
        log = self.backend
        last = f"(SELECT max({log.position}) FROM stored_events)"
        current = f"SELECT (SELECT max(position) FROM catalogue) = {last}"
        order = f"{asked.order}{' DESC' if newest else ''}{'' if most is None else f' LIMIT {most}'}"
        columns = ", ".join(f"c.{name}" for name in COLUMNS)
        rows = f"{current}, {columns} FROM {asked.rows} {asked.sql} ORDER BY {order}"
        found = log.ask(rows, asked.values, "catalogue") or log.ask(current, (), "catalogue")
        return [row[1:] for row in found if len(row) > 1] if found and found[0][0] else None

    def find(self, name: str = "") -> str | None:
        """The id of the only tournament of exactly this name, or of the only one there is; else None.

        Its log is read on the way, from the same moment.
        """
        asked = Question("WHERE name=?", (name,)) if name else Question()

        def question() -> Known | None:
            found = self._listed(asked, 2)
            if not found or len(found) > 1:
                return None
            [[id, *_]] = found
            known = self._cached(id)[0] or Known(id)
            try:
                return known.read_on(self.backend)
            except (CorruptFile, NewerFile, SetBack):  # who looks at it is told
                return Known(id)

        known = self.backend.reading(question)
        if known is None:
            return None
        self._keep(known)
        return known.tournament

    def named(self, name: str) -> list[str]:
        found = self._entries(Question("WHERE name=?", (name,)))
        return [one.id for one in (self.tournaments() if found is None else found) if one.name == name]

    def names(self) -> list[tuple[str, str]]:
        return [(one.id, one.name) for one in self.tournaments()]

    def called(self, text: str) -> list[tuple[str, str]]:
        """Id and name of tournaments that may be meant by a name or a part of it; not more than ``FEW``."""
        whole = [WHOLE_NAME + one for one in spellings(text)]
        marks = ", ".join("?" * len(whole))
        asked = Question(f"WHERE first IN (SELECT first FROM words WHERE word IN ({marks}))", tuple(whole))
        found = self._entries(asked) if self.backend.is_there("words") else []
        found = found or self.page(Search(name=text), limit=FEW)
        ids = {one.id for one in found}
        others = [one for id in self.ids_from(text, FEW) if id not in ids for one in [self.entry(id)] if one]
        return [(one.id, one.name) for one in (*found, *others)]

    def count(self) -> int:
        found = self.backend.ask("SELECT count(*) FROM catalogue", (), "catalogue")
        return int(found[0][0]) if found else len(self.tournaments())

    def entry(self, tournament: str) -> Entry | None:
        """The row of a tournament in the catalogue; None where that is not up to date."""
        found = self._entries(Question("WHERE tournament=?", (tournament,)))
        return found[0] if found else None

    def make_catalogue(self, *, anew: bool = False) -> bool:
        """Make the catalogue from the facts if it is missing, behind or wrong, or anew; whether it was."""
        with self.backend.writing():
            sound = self._entries() is not None and not self.backend.misplaced() and not self.backend.strays()
            if (sound and not anew) or not self.backend.is_there("words"):
                return False
            ids = self.backend.opened()
            if ids:
                self.backend.empty_catalogue()
            for id in ids:
                self._list_anew(id, 0)
        return bool(ids)

    def words(self, tournament: str) -> set[Word] | None:
        """The words by which a tournament is found; None where the catalogue is not up to date."""
        entry = self.entry(tournament)
        return None if entry is None else self.backend.words_at(entry.first)

    def verify_chain(self, tournament: str) -> tuple[int, str]:
        """Length and head hash of a log that is whole; refuses one that was changed."""
        need_id(tournament)
        length, head = check_chain(tournament, self.raw_log(tournament))
        if not length:
            raise Unknown("store.no-such-tournament", tournament=tournament)
        return length, head

    def position(self, tournament: str, version: int) -> int:
        """The place of one fact in the order of all."""
        found = self.rows(tournament, version - 1, version)
        if not found:
            raise Unknown("store.no-such-fact", version=version, tournament=tournament)
        return found[0].id


@contextmanager
def plainly(not_taken: StoreRefused) -> Iterator[None]:
    """For what may be done again: a lost connection is told as what it is, a key in the way as given."""
    try:
        yield
    except NotTaken:
        raise not_taken from None
    except ConnectionLost as loss:
        raise loss.reason from None


def opened_log(location: Name, *, create: bool, patience: float) -> Backend:
    """The log at a place: a file, or a PostgreSQL database."""
    if ":" in str(location) and is_address(location):
        from paircard.domain.log.backends.postgres import (
            PostgresBackend,  # needs the extra paircard[postgres]
        )

        return PostgresBackend(parsed_address(str(location)), patience)

    path = os.fspath(location) or os.curdir
    if create:
        make_file(path)
    return SQLiteBackend(path, patience)


def prepare(location: Name) -> bool:
    """Make the file, or the tables in the database, for tournaments to come; whether it was needed."""
    address = address_of(location)
    if isinstance(address, Address):
        from paircard.domain.log.backends.postgres_database import create_schema  # the same extra

        made = create_schema(address)
    else:
        made = make_file(address)
    with Tournaments(location) as store:
        made = bool(store.backend.lacking()) or made
        return store.make_catalogue() or made


def need_id(tournament: str) -> None:
    """Refuse what is not an id of a tournament."""
    if len(tournament) != 32 or tournament.strip("0123456789abcdef"):
        raise Invalid("store.not-an-id", text=tournament)
