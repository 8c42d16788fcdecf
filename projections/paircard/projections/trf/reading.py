"""What a report says about the tournament: the crosstable, the rules in force, and what had to be assumed."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from paircard.domain.messages import Message, say
from paircard.domain.values.foreign import day_of
from paircard.domain.values.rules import edition_in_force
from paircard.projections.round.crosstable import ABSENT, Crosstable, Entry, Prohibition, Row
from paircard.projections.trf import records as trf
from paircard.projections.trf.lines import number_in
from paircard.projections.trf.notes import Notes, Problem, TrfError, in_english
from paircard.projections.trf.points import (
    Entries,
    extra_points,
    fitting,
    scoring_of,
    scoring_text,
    virtual_points,
)
from paircard.projections.trf.records import Line, PlayerLine, Report
from paircard.projections.trf.text import with_teams

# --- header


def edition_of(report: Report) -> str:
    """The edition record 192 names; the plain code, or none, goes by the start date; empty without one."""
    code = report.text("192").upper().removesuffix("_BAKU")
    if code in ("", trf.UNDATED):
        start = day_of(report.text("042"))
        if start:
            return edition_in_force(start)
    return trf.rules_of_code(code).edition


SAYS_SWISS = ("swiss", "svizzer", "schweizer", "suisse", "suizo")
SAYS_ROUND_ROBIN = ("robin", "italiana", "berger", "rundenturnier")
"""Words of record 092, which is free text."""


def system_of(report: Report, paired: int, notes: Notes) -> trf.Announced:
    """What record 192 announces; a file without one is a round robin if it says so, or if everybody met
    everybody equally often and nothing of a Swiss is in it."""
    if code := report.text("192"):
        announced = trf.rules_of_code(code)
        return msgspec.structs.replace(announced, edition=announced.edition and edition_of(report))
    kind = report.text("092").casefold()
    if not any(word in kind for word in SAYS_SWISS):
        cycles = times_met(report, paired)
        if any(word in kind for word in SAYS_ROUND_ROBIN):
            return trf.Announced(trf.ROUND_ROBIN, cycles, cycles == 2)
        if cycles:
            notes.add(say("trf.note.round-robin-seen", count=cycles))
            return trf.Announced(trf.ROUND_ROBIN, cycles, cycles == 2)
    return trf.Announced(edition_of(report))


def times_met(report: Report, paired: int) -> int:
    """How often everybody met everybody, if all equally often and without the byes or lots of a Swiss."""
    players = report.players()
    count = len(players)
    lines = count + count % 2 - 1
    if count < 3 or not paired or paired % lines:
        return 0
    cycles = paired // lines
    entries = [(line.number, entry) for line in players for entry in line.entries]
    met = Counter((number, entry.opponent) for number, entry in entries if entry.opponent)
    swiss = any(entry.letter and entry.letter in "UHF" for _, entry in entries)
    swiss |= any(record.code == "152" or record.code[:2] in ("XX", "BB") for record in report.records)
    return 0 if swiss or len(met) != count * (count - 1) or set(met.values()) != {cycles} else cycles


def format_of(report: Report) -> str:
    """Which version of the format a file is in, judged by its records and letters."""
    codes = {record.code for record in report.records}
    if any("142" <= code <= "362" and code.isdecimal() for code in codes) or "###" in codes:
        return "TRF26"
    if any(code[:2] in ("XX", "BB") for code in codes):
        return "TRF(bx)" if any(code[:2] == "BB" for code in codes) else "TRF(x)"
    letters = {entry.letter for player in report.players() for entry in player.entries}
    return "TRF16" if letters & set("WDLHFUZ") else "TRF06"


# --- records that say nothing about the tournament, or something that others contradict


def check_records(report: Report, notes: Notes) -> None:
    """Note what is unknown or contradicted; refuse the file where a player's record may be lost."""
    players = {player.number: player for player in report.players()}
    unknown: list[tuple[int, Line]] = []
    for at, record in enumerate(report.records, 1):
        if (
            type(record) is Line
            and record.text.strip()
            and not (record.code in trf.TEXTS or is_national(record.text))
        ):
            unknown.append((at, record))
            if number_in(record.text[4:8]) and len(record.text.rstrip()) >= 84 and record.code[1:] != "XX":
                found = say("trf.found.like-a-player", text=record.code)
                raise TrfError(Problem(at, 1, record.code, found, say("trf.allowed.code-of-players")))
    said = report.text("062")
    contradicted = bool(number_in(said)) and number_in(said) != len(players)
    if contradicted:
        gaps = sorted(set(range(1, max(players) + 1)) - set(players))
        if gaps or unknown:
            first = gaps[0] if gaps else 0
            found = say("trf.found.players", count=len(players), number=number_in(said), first=first)
            raise TrfError(Problem(0, 0, "062", found, say("trf.allowed.all-players")))
        notes.add(say("trf.note.players-said", text=said, number=len(players)))
    elif said and not number_in(said):
        notes.add(say("trf.note.players-unclear", text=said, number=len(players)))
    for at, record in unknown:
        notes.add(say("trf.note.unknown-record", text=record.code), say("trf.at.line", line=at))
    for at, record in enumerate(report.records, 1):
        if type(record) is trf.ScoringLine and any(symbol == "X" for symbol, _ in record.values):
            notes.add(say("trf.note.unknown-result"), say("trf.at.line", line=at))
    rated = sum(player.rating > 0 for player in players.values())
    said = report.text("072")
    if said and number_in(said) != rated:
        notes.add(say("trf.note.rated-said", text=said, number=rated))


# --- initial colour


def initial_colour(report: Report, rows: Sequence[Row], notes: Notes) -> str:
    """``w`` or ``b`` for the first number (C.04.3:5.1); empty if nothing tells."""
    for record in report.records:
        if type(record) is trf.InitialColour or (type(record) is trf.Configuration and record.colour):
            return record.colour
    colour = inferred_colour(rows)
    if colour:
        notes.add(say("trf.note.colour-inferred", colour=colour))
    return colour


def inferred_colour(rows: Sequence[Row]) -> str:
    """The colour drawn by lot, seen from the first round that has colours.

    The highest number paired by then has it, if its place among all paired by then is odd; players who
    were never paired are skipped (ruling of August 2026 on C.04.3:5.2.5).
    """
    first = min(
        (index for row in rows for index, entry in enumerate(row.entries) if entry.colour in ("w", "b")),
        default=None,
    )
    if first is None:
        return ""
    place = 0
    for row in rows:
        if any(entry.opponent or entry.letter == "U" for entry in row.entries[: first + 1]):
            place += 1
            colour = row.entries[first].colour if first < len(row.entries) else "-"
            if colour in ("w", "b"):
                return colour if place % 2 else ("b" if colour == "w" else "w")
    return ""


# --- rounds


TRF26 = frozenset("1=0WDL+-HFUZ?")
"""Letters of results as they are meant."""

BLANK_ROUND = say("trf.note.blank-round")


def paired_rounds(players: list[PlayerLine]) -> int:
    """Rounds paired so far: a round with a pairing or a PAB, or with something entered for a later round.

    A last column in which nobody has a game is the round to be paired, unless everyone has an entry there.
    """
    paired = 0
    for player in players:
        if len(player.entries) > paired:
            last = _last_game(player.entries, after=paired)
            paired = last or max(paired, len(player.entries) - 1)
    beyond = [player for player in players if len(player.entries) > paired]
    return paired + 1 if beyond and len(beyond) == len(players) else paired


def _last_game(entries: tuple[Entry, ...], after: int) -> int:
    """The last round after this one with an opponent; 0 if there is none."""
    for round in range(len(entries), after, -1):
        if entries[round - 1].opponent:
            return round
    return 0


def entries_of(players: list[PlayerLine], paired: int, notes: Notes) -> Entries:
    """Everyone's rounds in TRF26 letters; a blank in a paired round, the last ones too, is an absence."""
    rows = _upgraded({player.number: player.entries for player in players}, paired, notes)
    for number, entries in rows.items():
        if [entry.letter for entry in entries[paired:]] == ["U"]:  # nobody has been paired yet
            where = say("trf.at.round-player", round=paired + 1, number=number)
            notes.add(say("trf.note.bye-read", value="U", code="F"), where)
            rows[number] = entries = (*entries[:paired], Entry(0, "-", "F"))
        for round in range(len(entries) + 1, paired + 1):
            notes.add(BLANK_ROUND, say("trf.at.round-player", round=round, number=number))
        if len(entries) < paired:
            rows[number] = (*entries, *[ABSENT] * (paired - len(entries)))
    return rows


def _upgraded(rows: Entries, paired: int, notes: Notes) -> Entries:
    """TRF06 and JaVaFo 1.4 wrote a round without an opponent by its points alone.

    A lone win in a paired round is the PAB, any other a full-point bye; a draw is a half-point bye.
    """
    old = [
        (number, index)
        for number, entries in rows.items()
        for index, entry in enumerate(entries)
        if entry.letter not in TRF26 or (not entry.opponent and entry.letter in "1=0+-")
    ]
    if not old:
        return rows
    wins = Counter(index for number, index in old if rows[number][index].letter in "1+")
    wins.update(
        index for entries in rows.values() for index, entry in enumerate(entries) if entry.letter == "U"
    )
    changed = {number: list(rows[number]) for number, _ in old}
    for number, index in old:
        entry = rows[number][index]
        new = _in_trf26(entry, alone=wins[index] == 1 and index < paired)
        changed[number][index] = new
        where = say("trf.at.round-player", round=index + 1, number=number)
        if entry.opponent and entry.letter != " ":
            notes.add(say("trf.note.result-read", text=entry.letter, code=new.letter), where)
        elif entry.letter != " ":
            notes.add(say("trf.note.bye-read", value=entry.letter, code=new.letter), where)
        elif not entry.opponent:
            notes.add(BLANK_ROUND, where)
    return rows | {number: tuple(entries) for number, entries in changed.items()}


def has_one_code_for_byes(players: list[PlayerLine]) -> bool:
    """Whether several of one round stand as ``0000 - +``, which is JaVaFo's code of the bye: at most one had
    the PAB, and nobody can tell who."""
    byes = [
        index
        for player in players
        for index, entry in enumerate(player.entries)
        if entry.letter == "+" and not entry.opponent
    ]
    return len(set(byes)) < len(byes)


def _in_trf26(entry: Entry, *, alone: bool) -> Entry:
    if entry.opponent:  # a game in progress, or a result nobody knows (VCL 166)
        return Entry(entry.opponent, entry.colour, "" if entry.letter == " " else "?")
    if entry.letter in "1+":
        return Entry(0, "-", "U" if alone else "F")
    return Entry(0, "-", "H") if entry.letter == "=" else ABSENT


def add_known_byes(report: Report, entries: Entries, paired: int, notes: Notes) -> None:
    """Byes of the round to be paired from 240 and XXZ; for paired rounds the columns of 001 decide."""
    for record in report.records:
        if type(record) is trf.Byes and record.round <= paired:
            for id in record.ids:
                if entries[id][record.round - 1].letter != record.letter:
                    where = say("trf.at.round-player", round=record.round, number=id)
                    notes.add(say("trf.note.byes-contradict", code=record.letter), where)
        elif type(record) is trf.Byes and record.round == paired + 1:
            _set_bye(entries, record.ids, paired, Entry(0, "-", record.letter))
        elif type(record) is trf.Absent:
            _set_bye(entries, record.ids, paired, ABSENT)


def _set_bye(entries: Entries, ids: tuple[int, ...], paired: int, bye: Entry) -> None:
    for id in ids:
        entries[id] = (*entries[id][:paired], bye)


def free_days(entries: Entries, notes: Notes) -> None:
    """A free day of a round robin is worth nothing, whatever bye a file writes for it (TRF26 Z)."""
    for id, row in entries.items():
        for round, one in enumerate(row, 1):
            if not one.opponent and one.letter not in ("Z", ""):
                where = say("trf.at.round-player", round=round, number=id)
                notes.add(say("trf.note.free-day", value=one.letter), where)
        entries[id] = tuple(one if one.opponent else ABSENT for one in row)


def announced_rounds(report: Report, entries: Entries, paired: int, notes: Notes, cycles: int) -> int:
    """The announced number of rounds, else as many as a table, or the dates or columns have."""
    for record in report.of(trf.Rounds):
        return record.rounds
    if cycles:
        return cycles * (len(entries) + len(entries) % 2 - 1)
    dates = len(report.text("132").split())
    rounds = max([dates, paired, *(len(row) for row in entries.values())])
    code = "trf.note.rounds-from-dates" if dates == rounds else "trf.note.rounds-from-columns"
    notes.add(say(code, number=rounds))
    return rounds


# --- National Rating Support (TRF26 §3.2): which rating the event goes by


RATINGS = "Ratings @ Round "
"""Ratings from a round on (VCL 214): ``### Ratings @ Round 4: 7=2450``."""

METHODS: Final[dict[str, Callable[[int, int], int]]] = {
    "FIDE": lambda fide, _: fide,
    "NRO": lambda _, national: national,
    "FIDON": lambda fide, national: fide or national,
    "NIDOF": lambda fide, national: national or fide,
    "HBFN": max,
    "LBFN": lambda fide, national: min(fide, national) or fide or national,
    "OTHER": lambda fide, _: fide,
}
"""172: the rating that each method makes of FIDE's and a national one; 0 is none."""


def is_national(text: str) -> bool:
    """A record of National Rating Support: a federation code, then the starting rank of a player."""
    code = text[:3]
    if not (len(code) == 3 and code.isascii() and code.isalpha() and text[3:4] == " "):
        return False
    return number_in(text[4:8]) > 0 and text[8:9] in ("", " ")


def rating_of(text: str) -> int:
    """National rating, columns 49-52."""
    return number_in(text[48:52])


def method_of(report: Report) -> tuple[str, str]:
    """Federation and method of record 172; empty without one.

    A file that names a method alone means the one federation whose records it has.
    """
    federation, method = split_method(report.text("172"))
    if method and not federation:
        codes = {line.code for line in report.of(Line) if is_national(line.text)}
        federation = codes.pop() if len(codes) == 1 else ""
    return federation, method


def split_method(text: str) -> tuple[str, str]:
    """``ITA FIDON`` as federation and method; a method without a federation is understood."""
    if text.strip().upper() in METHODS:
        return "", text.strip().upper()
    return text[:3].strip(), text[3:].strip().upper()


def ratings(report: Report, notes: Notes) -> dict[int, int]:
    """Ratings by starting rank that are not those of 001: what 172 makes of them and the national records."""
    federation, method = method_of(report)
    if not method:
        return {}
    if method not in METHODS or method == "OTHER":
        notes.add(say("trf.note.method-unknown", text=method))
        return {}
    national = {
        number_in(line.text[4:8]): rating_of(line.text)
        for line in report.of(Line)
        if line.code == federation and is_national(line.text)
    }
    used = {
        player.number: rating
        for player in report.players()
        if (rating := METHODS[method](player.rating, national.get(player.number, 0))) != player.rating
    }
    if used:
        notes.add(say("trf.note.ratings-of", value=federation, code=method, numbers=tuple(used)))
    return used


def further_ratings(report: Report) -> dict[int, dict[int, int]]:
    """Ratings by player and the first round they belong to."""
    found: dict[int, dict[int, int]] = {}
    for remark in report.remarks(RATINGS):
        round, _, pairs = remark.partition(": ")
        for pair in pairs.split():
            number, _, rating = pair.partition("=")
            words = (round, number, rating)
            if all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
                found.setdefault(int(number), {})[int(round)] = int(rating)
    return found


# --- all together


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A report understood."""

    table: Crosstable
    edition: str
    """From record 192, or what the games tell; empty if nothing does, or for a system that is not known."""
    system: str
    """Record 192 as it stands."""
    by_hand: bool = False
    """Whether the rounds of a round robin were made by the arbiter."""
    notes: tuple[Message, ...]
    """On every upgrade of an old code and everything inferred."""
    undeclared: str = ""
    """The scoring that alone explains the points, where the file announces another or none; else empty."""

    @property
    def adjustments(self) -> tuple[str, ...]:
        """The notes in English."""
        return in_english(self.notes)


def crosstable(report: Report) -> Crosstable:
    """The crosstable of a report: ids are the starting ranks of the file."""
    return read(report).table


def read(report: Report) -> Reading:
    """Everything a pairing needs of a report."""
    try:
        return _read(report)
    except TrfError as wrong:
        lines = [record.text if type(record) is Line else "" for record in report.records]
        raise TrfError(*with_teams(lines, wrong.problems)) from None


def _read(report: Report) -> Reading:
    notes = Notes()
    check_records(report, notes)
    players = sorted(report.players(), key=lambda player: player.number)
    paired = paired_rounds(players)
    entries = entries_of(players, paired, notes)
    add_known_byes(report, entries, paired, notes)
    system = system_of(report, paired, notes)
    code = report.text("192").upper()
    predetermined = system.predetermined or any(word in code for word in trf.PREDETERMINED)
    if predetermined:
        free_days(entries, notes)
    rounds = announced_rounds(report, entries, paired, notes, system.cycles)
    announced = scoring_of(report)
    virtual = virtual_points(report, players, announced, rounds, paired, notes)
    scoring = fitting(report, entries, announced, virtual, paired, notes)
    extra = extra_points(report, entries, scoring, paired)
    numbers = numbers_of(report)
    unplaced = _unplaced(players, notes)
    later_ratings = further_ratings(report)
    national = ratings(report, notes)
    rows = [
        Row(
            id=player.number,
            number=numbers[player.number],
            entries=entries[player.number],
            virtual=virtual.get(player.number, ()),
            extra=extra.get(player.number, ()),
            name=player.name,
            title=player.title,
            rating=national.get(player.number, player.rating),
            ratings=tuple(sorted(later_ratings.get(player.number, {}).items())),
            federation=player.federation,
            status="expelled" if player.number in unplaced else "",
        )
        for player in players
    ]
    rows.sort(key=lambda row: row.number)
    table = Crosstable(
        rows=tuple(rows),
        rounds=rounds,
        paired=paired,
        scoring=scoring,
        initial_colour="" if predetermined else initial_colour(report, rows, notes),
        prohibitions=tuple(
            Prohibition(ban.ids, ban.first or 1, ban.last or 999) for ban in report.of(trf.Apart)
        ),
        one_code_for_byes=has_one_code_for_byes(players),
        predetermined=predetermined,
        exchange=system.exchange,
    )
    return Reading(
        table=table,
        edition=system.edition,
        by_hand=system.by_hand,
        system=report.text("192"),
        notes=notes.messages(),
        undeclared="" if scoring == announced else scoring_text(scoring),
    )


def numbers_of(report: Report) -> dict[int, int]:
    """Pairing number by starting rank: the same, or the order of the file under JaVaFo's ``XXC rank``."""
    players = report.players()
    if any(record.by_rank for record in report.of(trf.Configuration)):
        return {player.number: at for at, player in enumerate(players, 1)}
    return {player.number: player.number for player in players}


def _unplaced(players: list[PlayerLine], notes: Notes) -> frozenset[int]:
    """Players without a place where others have one: outside the standings, as the expelled are (VCL 198)."""
    without = [player.number for player in players if not player.place]
    if not without or len(without) == len(players):
        return frozenset()
    for number in without:
        notes.add(say("trf.note.no-place"), say("trf.at.player", number=number))
    return frozenset(without)
