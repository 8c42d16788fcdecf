"""Report files (TRF) in and out: a file as the commands of a new tournament, a tournament as a file."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import Command, OpenTournament, PairRound
from paircard.domain.deciding.decider import decide
from paircard.domain.deciding.decision import adjourned_games, missing_results, open_games, signed
from paircard.domain.errors import Invalid, RoundIncomplete, Unknown, need_kind
from paircard.domain.events import IRREGULAR, Event, Recorded
from paircard.domain.messages import Message, say
from paircard.domain.state import NOTHING, Tournament, entered, fold, state_after
from paircard.domain.values.players import NATIONAL
from paircard.domain.values.rules import NEWEST, RULES
from paircard.domain.values.text import check_choice, encoding_of
from paircard.pairing import pair
from paircard.pairing.lab.check import board_text, check_rounds
from paircard.projections.trf import Reading, Report, decode, importing, parse, read, render
from paircard.projections.trf.export import export, kept_lines
from paircard.projections.trf.notes import Notes, in_english
from paircard.projections.trf.reading import format_of
from paircard.projections.trf.text import split
from paircard.projections.trf.writing import for_bbp, trf06, trf16
from paircard.projections.views import table_for_pairing
from paircard.service.desk import Person

Dialect: TypeAlias = Literal["trf26", "trf16", "trf06", "bbp", "rating"]
"""TRF26, TRF16 or TRF06; what bbpPairings 6 reads; or the rating report, with late corrections."""


class RulesUnknown(Invalid):
    """The file names a system that is not the Dutch one: the rules must be named to import it."""


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """What a report file holds, in a few words."""

    format: str
    edition: str
    players: int
    paired: int
    rounds: int


class Incoming(Extent, frozen=True, kw_only=True):
    """A report file that was read and checked; nothing of it is recorded yet."""

    opening: OpenTournament
    commands: tuple[Command, ...]
    """All that follows the opening."""
    messages: tuple[Message, ...] = ()
    """The notes for every language."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the file left open or wrote in an old way, and each round that is not by the rules, in English
        as they are recorded."""
        return in_english(self.messages)

    @property
    def irregular(self) -> tuple[str, ...]:
        """Rounds that are not paired by the rules."""
        return in_english(one for one in self.messages if one.code == "import.irregular")


def read_report(
    data: bytes, *, source: str, name: str = "", edition: str = "", encoding: str = "", by: Person
) -> Incoming:
    """Read a report file and pair its rounds again; a TrfError names every fault of the file.

    ``name`` is the tournament's if the file has none, ``edition`` the rules if the file names none,
    ``encoding`` that of the text if it is not the one it seems to have.
    """
    need_kind("data", data, bytes)
    need_kind("encoding", encoding, str)
    if edition:
        check_choice("edition", edition, tuple(RULES))
    text = decode(data, encoding)
    report = parse(text)
    reading = read(report)
    if reading.system and not reading.edition and not edition:
        raise RulesUnknown("import.other-system", value=reading.system)
    rules = edition or reading.edition or NEWEST
    notes = Notes()
    used = encoding or encoding_of(data)
    if used != "utf-8":
        notes.add(say("import.not-utf-8", value=used))
    for note in reading.notes:
        notes.add(note)
    if not edition and not report.text("192"):
        notes.add(say("import.no-type", edition=rules, yes=bool(reading.edition)))
    regulations = importing.regulations_of(report, reading, name, rules, notes)
    table = reading.table
    incoming = importing.Import(report, table, rules, notes)
    kept = kept_lines(report, incoming.id_of, notes)
    commands = [signed(command, importing.ACCEPTING) for command in incoming.commands(kept)]
    digest = hashlib.sha256(data).hexdigest()
    filed = incoming.filed(kept, source=source, format=format_of(report), digest=digest)
    ready, facts = decide_beforehand((OpenTournament(regulations=regulations, filed=filed), *commands), by)
    if found := importing.difference(table_for_pairing(state_after(facts)), table):
        raise Invalid("trf.cannot-hold", what=found)
    importing.note_changes(report, export(facts), table, notes)
    importing.note_spelling(report, split(text), notes)
    for remark in irregular_rounds(reading, rules):
        notes.add(remark)
    return Incoming(
        opening=OpenTournament(regulations=regulations, filed=replace(filed, adjustments=notes.lines())),
        commands=ready[1:],
        players=len(table.rows),
        paired=table.paired,
        rounds=table.rounds,
        edition=rules,
        format=filed.format,
        messages=notes.messages(),
    )


def irregular_rounds(reading: Reading, rules: str) -> Iterator[Message]:
    """Each round of the file that the engine pairs differently, as a remark of TRF says it."""
    if reading.by_hand:
        return
    for found in check_rounds(reading.table, rules, pair):
        if found is not None:
            expected = " ".join(board_text(*board) for board in found.expected) or "none"
            instead = " ".join(board_text(*board) for board in found.found)
            yield say("import.irregular", value=f"{IRREGULAR}{found.round}: {expected} => {instead}")


def decide_beforehand(
    commands: Sequence[Command], by: Person
) -> tuple[tuple[Command, ...], tuple[Recorded, ...]]:
    """The commands, each round with the version it is based on, and the facts they would make.

    Rules of another time and rounds that break the rules are accepted, or not, when the report is recorded.
    """
    meta = by.accepting("edition-not-in-force", "irregular-import").meta()
    state = NOTHING
    ready: list[Command] = []
    facts: list[Event] = []
    for command in commands:
        if isinstance(command, PairRound):
            command = replace(command, based_on=state.version)
        events = decide(state, signed(command, meta))
        state = fold(events, state)
        facts += events
        ready.append(command)
    drafts = (
        Recorded(tournament="", version=at, fact=fact, who="", when="", previous="", hash="")
        for at, fact in enumerate(facts, 1)
    )
    return tuple(ready), tuple(drafts)


def export_report(
    facts: Sequence[Recorded],
    history: Tournament,
    after: int | None = None,
    *,
    dialect: Dialect = "trf26",
    newline: str = "\n",
) -> str:
    """The report after a round, the last paired one by default."""
    return render(build_report(facts, history, after, dialect), newline)


def build_report(
    facts: Sequence[Recorded],
    history: Tournament,
    after: int | None,
    dialect: Dialect,
    notes: Notes | None = None,
) -> Report:
    """The records of the report; refuses a final one that a missing result would make other than final.

    ``notes`` gets what the report cannot say.
    """
    paired = history.paired
    if dialect == "rating" and after not in (None, paired):
        raise Invalid("report.rating-has-all")
    if after is not None and after > paired:
        raise Unknown("report.not-paired", round=after, rounds=paired)
    if dialect == "bbp":
        after = round_with_results(history, after)
    if after in (None, paired):
        need_final(history, for_rating=dialect == "rating")
    notes = notes or Notes()
    report = export(facts, after, for_rating=dialect == "rating")
    national = [
        player.details.name for player in entered(history) if player.details.rating_source == NATIONAL
    ]
    if national and not report.text("172"):
        notes.add(say("report.national-ratings", count=len(national)))
    match dialect:
        case "bbp":
            if any(record.code == "299" for record in report.records):
                raise Invalid("report.bonus-points")
            return for_bbp(report)
        case "trf16":
            return trf16(report, notes)
        case "trf06":
            return trf06(report, notes)
        case _:
            return report


def round_with_results(history: Tournament, after: int | None) -> int:
    """The last round whose games all have a result, which is all that another engine can read."""
    paired = history.paired
    playing = paired and missing_results(history.rounds[-1])
    complete = paired - 1 if playing else paired
    if after is not None and after > complete:
        raise RoundIncomplete("report.in-play", round=after, last=complete)
    return complete if after is None else after


def need_final(history: Tournament, *, for_rating: bool) -> None:
    """Refuse a report of all rounds that an adjourned game would make other than final (VCL 169).

    While the last round is being played its report shows the boards; a rating report is final.
    """
    if history.paired < history.regulations.rounds:
        return
    waiting = open_games(history) if for_rating else adjourned_games(history)
    if waiting:
        raise RoundIncomplete("report.not-final", games=waiting, last=history.paired - 1)
