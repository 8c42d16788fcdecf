"""A report as the commands that make the same tournament.

Players are entered in the order of their numbers, rounds as the file has them (origin ``import``); what
the file leaves open or writes in an old way is noted in the fact of the import (VCL 47-56).
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain.commands import Command
from paircard.domain.events import Board, TournamentImported
from paircard.domain.messages import Message, say
from paircard.domain.values.foreign import SEXES, birth_of, day_of, federation_of, title_of
from paircard.domain.values.players import HIGHEST_RATING, NATIONAL, TITLES, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import Outcome
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import LONGEST, without_unseen
from paircard.projections.round.crosstable import (
    Crosstable,
    Entry,
    Row,
    boards_of,
    cycles_in,
    entry,
    scores_before,
    virtual_in,
    without_bye,
)
from paircard.projections.round.snapshot import in_board_order
from paircard.projections.standings.codes import BadTieBreak
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.trf import records as trf
from paircard.projections.trf.export import Kept, national_of
from paircard.projections.trf.lines import points_text, render_record
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading import Reading, further_ratings
from paircard.projections.trf.records import Line, PlayerLine, Report
from paircard.projections.trf.remarks import (
    expel,
    expulsions,
    leave_fide_mode,
    ties_decided,
    withdraw,
)

# --- the event and its players; what cannot be understood, seen or held is left out (VCL 47-56)


def regulations_of(report: Report, reading: Reading, name: str, edition: str, notes: Notes) -> Regulations:
    """The regulations of a report; what it does not say has its default."""
    table = reading.table
    title = seen(report.text("012"), "tournament", notes)
    if not title:
        notes.add(say("trf.note.nameless", name=name))
    tiebreaks = report.tiebreak_list
    if not tiebreaks:
        notes.add(say("trf.note.no-list"))
    starts, ends = day_of(report.text("042")), day_of(report.text("052"))
    if starts and ends and ends < starts:
        notes.add(say("trf.note.last-day", last_day=ends, first_day=starts))
        ends = ""
    return Regulations(
        name=shortened("name", title or name, notes),
        rounds=table.rounds,
        edition=edition,
        **table_of(reading, edition),
        scoring=table.scoring,
        acceleration="baku" if any(any(row.virtual) for row in table.rows) else "none",
        tiebreaks=known_tiebreaks(tiebreaks, notes, predetermined=RULES[edition].predetermined),
        starts=starts,
        ends=ends,
        place=shortened("place", report.text("022"), notes),
        federation=federation_of(report.text("032")),
        chief_arbiter=shortened("chief_arbiter", report.text("102"), notes),
        arbiters=tuple(shortened("arbiter", arbiter, notes) for arbiter in report.texts("112")),
        tiebreak_ratings="round" if further_ratings(report) else UNSET,
        time_control=shortened("time_control", report.text("122"), notes),
        dates=round_days(report, table.rounds, notes),
    )


def table_of(reading: Reading, edition: str) -> dict[str, Any]:
    """What the regulations say about cycles and table, under rules that have them."""
    table = reading.table
    cycles = cycles_in(len(table.rows), table.rounds)
    said: dict[str, Any] = {"cycles": cycles} if cycles > 1 else {}
    if cycles == 2:
        said["exchange"] = table.exchange
    said |= {"table": "hand"} if reading.by_hand else {}
    return {name: value for name, value in said.items() if name in RULES[edition].settings}


def known_tiebreaks(text: str, notes: Notes, *, predetermined: bool) -> tuple[str, ...]:
    """The codes of a list that can be applied; the record could not rank anybody by the others."""
    codes: list[str] = []
    for code in (piece.strip() for piece in text.split(",")):
        try:
            if code:
                parse_list(",".join([*codes, code]), predetermined=predetermined)
                codes.append(code)
        except BadTieBreak as refusal:
            notes.add(say("trf.note.tiebreak", what=refusal.said))
    return tuple(codes)


def shortened(label: str, text: str, notes: Notes) -> str:
    """A text that can be seen, as long as the record holds it."""
    text = seen(text, label, notes)
    if len(text) > LONGEST:
        notes.add(say("trf.note.cut", label=label, number=len(text), highest=LONGEST))
    return text[:LONGEST].strip()


def seen(text: str, label: str, notes: Notes) -> str:
    """The text without characters that nobody sees; they are left out, with a note."""
    left = without_unseen(text)
    if left != text:
        notes.add(say("trf.note.unseen", label=label))
    return left


def round_days(report: Report, rounds: int, notes: Notes) -> tuple[str, ...]:
    """Days of the rounds (132), ``26/03/01`` each."""
    days = tuple(day_of(word) for word in report.text("132").split())
    if not all(days):
        notes.add(say("trf.note.days"))
        return ()
    return days[:rounds]


def details_of(player: PlayerLine, used: int, national: tuple[int, str], notes: Notes) -> Details:
    """A person, as far as the columns can be understood.

    ``used`` is the rating of the event, ``national`` rating and number of a national record.
    """
    who = say("trf.at.player", number=player.number)
    title = title_of(player.title)
    fide_id = player.fide_id if player.fide_id.isascii() and player.fide_id.isdecimal() else ""
    rating, in_001 = possible(used), possible(player.rating)
    if rating != used:
        notes.add(say("trf.note.rating-too-high", rating=used, highest=HIGHEST_RATING), who)
    if national[0] > HIGHEST_RATING:
        notes.add(say("trf.note.national-too-high", rating=national[0], highest=HIGHEST_RATING), who)
    name = without_unseen(player.name)
    if name != player.name:
        notes.add(say("trf.note.name-unseen", number=player.number))
    if not name:
        name = f"Player {player.number}"
        notes.add(say("trf.note.player-nameless", number=player.number, name=name))
    return Details(
        name=name,
        sex=SEXES.get(player.sex.lower(), ""),
        title=title if title in TITLES else "",
        rating=rating,
        rating_source="" if rating == in_001 else NATIONAL,
        fide_rating=0 if rating == in_001 else in_001,
        national_rating=possible(national[0]),
        national_id=national[1],
        federation=federation_of(player.federation),
        fide_id=int(fide_id or 0),
        birth=birth_of(player.birth),
    )


def possible(rating: int) -> int:
    """A rating that a list can hold; 0 for a higher one."""
    return rating if rating <= HIGHEST_RATING else 0


# --- the rounds


WARNINGS = (
    *("same-person", "half-bye-not-announced", "second-half-bye", "late-half-bye", "full-point-bye"),
    *("too-many-rounds", "missing-results", "adjourned-games"),
)
ACCEPTING = replace(ask.UNSIGNED, acknowledge=WARNINGS)
"""Every command of an import accepts warnings about what has long happened elsewhere; they are recorded."""


class Import:
    """A report on its way into a tournament: the file as it was understood, and the notes on it."""

    def __init__(self, report: Report, table: Crosstable, edition: str, notes: Notes) -> None:
        self.report, self.table, self.notes = report, table, notes
        self.rules = RULES[edition]
        self.id_of = {row.id: place for place, row in enumerate(table.rows, 1)}
        """Ids by starting rank: given in the order of the numbers of the file."""

    # What no other fact holds

    def filed(self, kept: Kept, **about: Any) -> TournamentImported:
        """The fact of the import itself; ``about`` says where the file is from."""
        return TournamentImported(
            **about,
            kept=kept or UNSET,
            places=self.places() or UNSET,
            paired=self.table.paired or UNSET,
            group_a_ends=self.end_of_group_a() or UNSET,
            uncoloured=self.uncoloured_boards() or UNSET,
            extra_points=self.extra_points() or UNSET,
        )

    def places(self) -> tuple[tuple[int, int], ...]:
        """Id and place of every player the file ranks; nothing before a round is played."""
        ranked = self.report.players() if self.table.paired else ()
        return tuple(sorted((self.id_of[line.number], line.place) for line in ranked if line.place))

    def end_of_group_a(self) -> int:
        accelerated = [row for row in self.table.rows if any(row.virtual)]
        return self.id_of[max(accelerated, key=lambda row: row.number).id] if accelerated else 0

    def extra_points(self) -> tuple[tuple[int, int, int], ...]:
        """Id, round and tenths of the points that are not those of results (record 299)."""
        return tuple(
            (self.id_of[row.id], round, tenths)
            for row in self.table.rows
            for round, tenths in enumerate(row.extra, 1)
            if tenths
        )

    def uncoloured_boards(self) -> tuple[tuple[int, int], ...]:
        """Round and board of each forfeited game for which the file has no colours."""
        rows = {row.id: row for row in self.table.rows}
        return tuple(
            (round, board)
            for round in range(1, self.table.paired + 1)
            for board, (white, _) in enumerate(self.published_boards(round)[0], 1)
            if entry(rows[white], round).colour == "-"
        )

    def published_boards(self, round: int) -> tuple[tuple[Board, ...], int]:
        """Boards by starting rank in published order, and the PAB; without colours, the lower rank first."""
        boards, pab = without_bye(boards_of(self.table, round))
        if not self.rules.boards_by_score:
            return tuple(sorted(boards, key=partial(place_in_line, self.table, boards))), pab
        scores = scores_before(self.table, round)
        ranks = {row.id: (scores[row.id], row.number) for row in self.table.rows}
        return tuple(in_board_order(boards, ranks)), pab

    # Everything after the opening

    def commands(self, kept: Kept) -> Iterator[Command]:
        """Everything after the opening, in order; rounds still lack the version they are based on."""
        report, table, id_of, notes = self.report, self.table, self.id_of, self.notes
        yield from self.before_round_1(kept)
        expelled = expulsions(report, id_of, table.rounds + 1, notes)
        for round in range(1, table.paired + 1):
            yield from leave_fide_mode(report, round - 1, table.paired)
            yield from expel(expelled, round, round)
            yield from self.round(round)
        yield from leave_fide_mode(report, table.paired, table.paired)
        yield from expel(expelled, table.paired + 1, table.rounds + 1)
        if self.rules.leavers_keep_seats:
            yield from withdraw(report, table, id_of, expelled, notes)
        yield from self.byes_to_come(expelled)
        yield from ties_decided(report, id_of, notes)

    def before_round_1(self, kept: Kept) -> Iterator[Command]:
        """Players, their numbers, the drawing of colours and the prohibited pairs."""
        table, id_of, national = self.table, self.id_of, national_of(kept)
        if any(place != row.number for place, row in enumerate(table.rows, 1)):
            self.notes.add(say("trf.note.renumbered"))
        lines = {line.number: line for line in self.report.players()}
        for row in table.rows:
            of_federation = national.get(id_of[row.id], (0, ""))
            yield ask.RegisterPlayer(details=details_of(lines[row.id], row.rating, of_federation, self.notes))
        yield from self.later_ratings()
        yield ask.AssignNumbers(order=tuple(range(1, len(table.rows) + 1)))
        if table.initial_colour:
            yield ask.DrawInitialColour(colour=table.initial_colour)
        if table.prohibitions and "prohibitions" not in self.rules.settings:
            self.notes.add(say("trf.note.no-prohibitions"))
            return
        bans = [
            (tuple(sorted({id_of[id] for id in ban.ids})), ban.first, ban.last) for ban in table.prohibitions
        ]
        for players, first, last in dict.fromkeys(bans):
            if len(players) > 1:
                yield ask.ProhibitPairing(players=players, first=first, last=last)

    def later_ratings(self) -> Iterator[Command]:
        """Ratings that players have from a round on, as our own remarks have them."""
        for number, ratings in further_ratings(self.report).items():
            for first, rating in ratings.items():
                if number in self.id_of and 2 <= first <= self.table.rounds and rating <= HIGHEST_RATING:
                    yield ask.ListRating(player=self.id_of[number], rating=rating, first=first)
                else:
                    self.notes.add(say("trf.note.later-rating", rating=rating, number=number, first=first))

    def round(self, round: int) -> Iterator[Command]:
        """One round of the file: byes, boards, results; an unknown result is an adjourned game (VCL 166)."""
        yield from self.byes(round, letters="HF")
        boards, pab = self.published_boards(round)
        yield ask.PairRound(
            round=round,
            boards=tuple((self.id_of[white], self.id_of[black]) for white, black in boards),
            pab=self.id_of.get(pab, 0),
            based_on=0,
            origin="import",
        )
        yield ask.PublishRound(round=round)
        letters = {row.id: entry(row, round).letter for row in self.table.rows}
        for place, (white, black) in enumerate(boards, 1):
            if letters[white] == "?":
                yield ask.AdjournGame(round=round, board=place)
            elif letters[white]:
                outcome = Outcome(letters[white], letters[black])
                yield ask.RecordResult(round=round, board=place, outcome=outcome)

    def byes_to_come(self, expelled: Collection[int]) -> Iterator[Command]:
        """Byes of rounds not yet paired: of the next from the columns, of later ones from 240."""
        paired, rounds = self.table.paired, self.table.rounds
        for round in range(paired + 1, rounds + 1):
            yield from self.byes(round, letters="HFZ", without=expelled)
        for record in self.report.of(trf.Byes):
            if record.round > rounds:
                self.notes.add(
                    say("trf.note.byes-beyond", number=rounds), say("trf.at.round", round=record.round)
                )
            elif record.round > paired + 1:
                for id in record.ids:
                    if self.id_of[id] not in expelled:
                        yield ask.GrantBye(player=self.id_of[id], round=record.round, letter=record.letter)

    def byes(self, round: int, letters: str, without: Collection[int] = ()) -> Iterator[Command]:
        """Byes of a round; absences of a paired round need no fact of their own."""
        for row in self.table.rows:
            letter = row.entries[round - 1].letter if len(row.entries) >= round else ""
            if letter in tuple(letters) and self.id_of[row.id] not in without:
                yield ask.GrantBye(player=self.id_of[row.id], round=round, letter=letter)


def place_in_line(table: Crosstable, boards: Sequence[Board], board: Board) -> int:
    """Where a line of a Berger table has a board: first the last number, then by distance from its opponent
    or, in an odd field, from the free player (C.05 Annex 1)."""
    number = {row.id: row.number for row in table.rows}
    count = len(table.rows)
    seated = {number[id] for one in boards for id in one}
    last = count + count % 2
    with_last = [number[id] for one in boards for id in one if last in (number[one[0]], number[one[1]])]
    middle = min([*with_last, *(n for n in number.values() if n not in seated)], default=1)
    if last in (number[board[0]], number[board[1]]):
        return 0
    return min((number[id] - middle) % (last - 1) for id in board)


# --- the report against the record made of it: what a pairing depends on must be alike, the rest is noted


def difference(imported: Crosstable, filed: Crosstable) -> Message | None:
    """The first thing a pairing depends on that record and file do not have alike; None if there is none."""
    if len(imported.rows) != len(filed.rows):
        return say("trf.lacks.players", number=len(imported.rows), first=len(filed.rows))
    for name in ("rounds", "paired", "scoring", "initial_colour"):
        ours, theirs = getattr(imported, name), getattr(filed, name)
        if ours != theirs:
            return say("trf.lacks.setting", label=name, value=str(ours), code=str(theirs))
    number = {row.id: place for place, row in enumerate(filed.rows, 1)}
    known = {row.number: row for row in imported.rows}
    accelerated = max((len(row.virtual) for row in filed.rows), default=0)
    for row in filed.rows:
        other = known[number[row.id]]
        if sum(row.extra) != sum(other.extra):
            return say("trf.lacks.points", number=row.id)
        for round in range(1, filed.paired + 1):
            if not _alike(entry(row, round), entry(other, round), number):
                return say("trf.lacks.round", round=round, number=row.id)
        for round in _rounds_that_count(row, filed.paired, accelerated):
            if virtual_in(row, round) != virtual_in(other, round):
                return say("trf.lacks.virtual", number=row.id, round=round)
    return None


def _alike(filed: Entry, imported: Entry, number: dict[int, int]) -> bool:
    if number.get(filed.opponent, 0) != imported.opponent:
        return False
    if filed.colour not in ("-", imported.colour):
        return False
    # a game without a result yet is a draw for the next pairing (C.04.2:3.1)
    return (filed.letter or "?") == imported.letter


def _rounds_that_count(row: Row, paired: int, accelerated: int) -> list[int]:
    """Rounds whose virtual points a pairing sees: an absentee's are of no account (C.04.7:1.5)."""
    took_part = not paired or any(entry.opponent or entry.letter == "U" for entry in row.entries)
    rounds = []
    for round in range(1, accelerated + 1):
        now = entry(row, round)
        if now.opponent or now.letter == "U" or (round > paired and took_part):
            rounds.append(round)
    return rounds


# --- fields that a report would not come back with: the file against the export of its import


WORDS = ("sex", "title", "federation")
"""Fields with few values: players with the same change share a note."""

TRF26_CODES = {
    "XXR": "142", "XXC": "152", "XXS": "162", "XXZ": "240", "XXA": "250", "XXP": "260", "212": "202",
    **dict.fromkeys(trf.BBP_WORTHS, "162"),
}  # fmt: skip
"""Records of JaVaFo, bbpPairings and team events, and where TRF26 has what they say."""

LISTED = (trf.Byes, trf.Acceleration, trf.Apart, trf.Abnormal)
"""Records that may stand several times."""

COLUMNS = ("name", "rating", "fide_id", "birth", "points", "place")


def note_changes(filed: Report, written: Report, table: Crosstable, notes: Notes) -> None:
    """Note each text record and each field of a player that the record does not hold as the file has it.

    ``written`` is the report of the record made from ``filed``, ``table`` the crosstable of the file.
    """
    for code, text in trf.TEXTS.items():
        before, after = (filed.text(code), written.text(code)) if text.about else ("", "")
        if before and before.split() != after.split():
            _note_text(text.about, code, before, after, notes)
    _note_codes(filed, written, notes)
    _note_listed(filed, written, table, notes)
    arbiters, now_are = filed.texts("112"), written.texts("112")
    if arbiters != now_are:
        _note_text("arbiters", "112", "; ".join(arbiters), "; ".join(now_are), notes)
    lines = {line.number: line for line in filed.players()}
    players = sorted(written.players(), key=lambda line: line.number)
    for row, now in zip(table.rows, players, strict=True):
        _note_player(lines[row.id], now, notes)


def note_spelling(filed: Report, lines: Sequence[str], notes: Notes) -> None:
    """Note each line whose values are kept and written in the columns and letters of TRF26."""
    for at, (record, line) in enumerate(zip(filed.records, lines, strict=True), 1):
        if type(record) is Line:
            continue
        written = render_record(record)
        if written != line.rstrip(" "):
            notes.add(say("trf.note.spelled"), say("trf.at.line", line=at))


def _note_codes(filed: Report, written: Report, notes: Notes) -> None:
    """Records that have another code in TRF26, and those that the file lacks."""
    empty = {code for code, text in trf.TEXTS.items() if text.fate != "kept" and not filed.text(code)}
    codes = [code for code in dict.fromkeys(record.code for record in filed.records) if code not in empty]
    if older := [code for code in codes if code in TRF26_CODES]:
        changed = [say("trf.note.code", value=code, code=TRF26_CODES[code]) for code in older]
        notes.add(say("trf.note.codes", changed=changed))
    said = {TRF26_CODES.get(code, code) for code in codes} | {"###"}
    if missing := [code for code in dict.fromkeys(each.code for each in written.records) if code not in said]:
        notes.add(say("trf.note.added", codes=missing))


def _note_listed(filed: Report, written: Report, table: Crosstable, notes: Notes) -> None:
    """Byes, virtual points, prohibitions and abnormal points that are written otherwise, or not at all."""
    number_of = {row.id: at for at, row in enumerate(table.rows, 1)}
    now = {render_record(record) for record in written.records if isinstance(record, LISTED)}
    before: dict[str, None] = {}
    for record in filed.records:
        if isinstance(record, trf.Absent) or (isinstance(record, trf.Byes) and record.round <= table.paired):
            notes.add(say("trf.note.byes-in-columns", code=record.code))
        elif isinstance(record, trf.Acceleration):
            before[render_record(record)] = None
        elif isinstance(record, LISTED):
            record = replace(record, ids=tuple(number_of[id] for id in record.ids))
            if isinstance(record, trf.Apart) and record.code == "XXP":
                record = trf.Apart("260", record.ids, 1, table.rounds)
            before[render_record(record)] = None
    for code in sorted({text[:3] for text in before}):
        lost = [text for text in before if text[:3] == code and text not in now]
        made = [text for text in sorted(now) if text[:3] == code and text not in before]
        if lost and made:
            was, now_is = "; ".join(lost), "; ".join(made)
            notes.add(say("trf.note.record-became", code=code, before=was, after=now_is))
        elif lost:
            notes.add(say("trf.note.record-gone", code=code, before="; ".join(lost)))


def _note_text(label: str, code: str, before: str, after: str, notes: Notes) -> None:
    if after:
        notes.add(say("trf.note.text-became", label=label, code=code, before=before, after=after))
    else:
        notes.add(say("trf.note.text-gone", label=label, code=code, before=before))


def _note_player(before: PlayerLine, now: PlayerLine, notes: Notes) -> None:
    who = say("trf.at.player", number=before.number)
    for field in (*WORDS, *COLUMNS):
        old, new = _shown(before, field), _shown(now, field)
        if not old or old == new:
            continue
        if field in COLUMNS:
            became = say("trf.at.became", number=before.number, value=old, code=new)
            gone = say("trf.at.gone", number=before.number, value=old)
            notes.add(say("trf.note.column", label=field), became if new else gone)
        elif new:
            notes.add(say("trf.note.word-became", label=field, before=old, after=new), who)
        else:
            notes.add(say("trf.note.word-gone", label=field, before=old), who)


def _shown(line: PlayerLine, field: str) -> str:
    value = getattr(line, field)
    if field == "points":
        return "" if value == trf.UNKNOWN_POINTS else points_text(value)
    return str(value or "") if field in WORDS else without_unseen(str(value or ""))
