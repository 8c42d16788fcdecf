"""The record of a tournament as a TRF26 report, after any round and at any point of the log.

Lines of an imported report that no other fact holds are kept with the import and written back. A line that
names players by number (013 and the records of national ratings, TRF26 §3.2) is kept with their ids, and
written with the numbers of the file it then stands in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from paircard.domain.deciding.numbering import order_in_force
from paircard.domain.errors import Invalid
from paircard.domain.events import FideModeLeft, Recorded
from paircard.domain.messages import say
from paircard.domain.state import Player, Tournament, absences, state_after
from paircard.domain.values.players import NATIONAL, Details, rated
from paircard.domain.values.regulations import LISTS_OF_TEMPO, Regulations, cycles_of, exchanges, lists_of
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import LONGEST_LINE, checked_text
from paircard.projections.round.crosstable import Entry, games_of_each, who_came
from paircard.projections.standings.standings import early_leavers, open_games, standings_after
from paircard.projections.trf.lines import number
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading import METHODS, is_national, rating_of, split_method
from paircard.projections.trf.records import BY_HAND, CODES, TABLES, TEXTS, Line, Report
from paircard.projections.trf.remarks import LEFT_EARLY, RESTORED, remarks, remarks_on
from paircard.projections.trf.writing import report_of
from paircard.projections.views import table_after, table_for_rating, version_at_end


def export(log: Sequence[Recorded], round: int | None = None, *, for_rating: bool = False) -> Report:
    """The report after a round, by default the last paired one.

    An earlier round is reported from the log as it stood at its end: nothing later touches its
    standings (C.04.2:4.3), and the byes of the round to come are those known then. Everyone has a number
    in a file, those not yet paired too: the place in the order numbers are counted from. Who withdrew
    before ever taking part is not in it, and takes no number from others. The rating report has all
    rounds, and the corrections that touch nothing else.
    """
    story = state_after(log)
    left = [one.fact for one in log if isinstance(one.fact, FideModeLeft)]
    after = story.paired if round is None else round
    overlap = RULES[story.regulations.edition].rounds_overlap
    if after < story.paired and not for_rating and not overlap:
        log = log[: version_at_end(story, log, after)]
        story = state_after(log)
    table = who_came(table_for_rating(story) if for_rating else table_after(story, after))
    came = {row.id for row in table.rows}
    players = tuple(player for player in story.players if player.id in came)
    order = [id for id in order_in_force(story) if id in came]
    numbers = {id: place for place, id in enumerate(order, 1)}
    away = absences(story, after + 1)
    kept = written((story.filed.kept or ()) if story.filed else (), numbers, story.players)
    described = {line.code: line.text[4:] for line in kept if line.code in DESCRIBED}
    extra = [line for line in kept if line.code not in ("###", *DESCRIBED)]
    used = {row.id: row.rating for row in table.rows}
    in_001, method, national = filing(story.regulations, players, numbers, used, described.get("172", ""))
    rows = [
        replace(
            row,
            number=numbers[row.id],
            rating=in_001[row.id],
            entries=row.entries + coming(story, row.id, after, away),
        )
        for row in table.rows
    ]
    rows.sort(key=lambda row: row.number)
    places = places_after(story, after, numbers)
    comments = [line.text[4:] for line in kept if line.code == "###"] + remarks(log, numbers)
    games = games_of_each(len(rows), table.rounds)
    comments += [
        f"{LEFT_EARLY}{numbers[id]}, {completed} of {games} games completed: they count for nobody (C.05:6.6)"
        for id, completed in early_leavers(replace(table, rows=tuple(rows)), after).items()
    ]
    if left and story.fide_mode:  # VCL 45: a report of an earlier round does not bring it back
        comments += [line for _, line in remarks_on(story, left[0], numbers)]
    report = report_of(
        replace(table, rows=tuple(rows)),
        texts=texts(story.regulations, players, described | {"172": method}),
        system=code_of(story.regulations),
        remarks=list(dict.fromkeys(comments)),
        places=places,
    )
    return Report((*report.records, *extra, *national))


def places_after(story: Tournament, after: int, numbers: Mapping[int, int]) -> Mapping[int, int]:
    """Places by id: before round 1 the starting rank (TRF26 001 needs one), none while a game of the last
    round has no result, since those would look final (VCL 161)."""
    if not after:
        return numbers
    if after == story.regulations.rounds and open_games(table_after(story, after)):
        return {}
    return {line.id: line.rank for line in standings_after(story, after)}


def coming(story: Tournament, id: int, after: int, away: Mapping[int, str]) -> tuple[Entry, ...]:
    """Byes of the rounds to come, for 240.

    ``away`` are the letters of those absent from the very next round, the withdrawn among them.
    """
    if after != story.paired or story.closed:
        return ()
    known = dict(story.players[id - 1].byes)
    if id in away:
        known[after + 1] = away[id]
    last = max((round for round in known if after < round <= story.regulations.rounds), default=after)
    return tuple(Entry(letter=known.get(round, "")) for round in range(after + 1, last + 1))


def type_of(regulations: Regulations) -> str:
    """What 092 says: the kind of event, and the variant if it is not standard chess (VCL 222)."""
    return f"Individual: {kind_of(regulations)}" + (", Chess960" if regulations.variant == "chess960" else "")


def texts(r: Regulations, players: Sequence[Player], kept: Mapping[str, str]) -> list[tuple[str, str]]:
    """Text records in file order; what is not known is left out."""
    rated = sum(player.details.rating > 0 for player in players)
    records = [
        ("012", r.name),
        ("022", r.place),
        ("032", r.federation),
        ("042", r.starts.replace("-", "/")),
        ("052", r.ends.replace("-", "/")),
        ("062", str(len(players))),
        ("072", str(rated)),
        ("092", kept.get("092", type_of(r))),
        ("102", r.chief_arbiter),
        *(("112", arbiter) for arbiter in r.arbiters),
        ("122", r.time_control),
        ("132", days(r.dates)),
        ("172", kept.get("172", "")),
        ("182", "Paircard"),
        ("212" if "PTS" in r.tiebreaks else "202", ",".join(r.tiebreaks)),
        ("222", kept.get("222", "")),
    ]
    return [(code, text) for code, text in records if text]


def days(dates: Sequence[str]) -> str:
    """Record 132: the day of each round above its columns in 001."""
    return " " * 87 + "  ".join(day[2:].replace("-", "/") for day in dates) if dates else ""


# --- lines of an imported report that no other fact holds


DESCRIBED = tuple(code for code, text in TEXTS.items() if text.fate == "described")
"""Text records that are written as the file had them."""

OURS = tuple(f"### {begin}" for begin in RESTORED)
"""How remarks begin that become facts of their own."""

Kept = tuple[tuple[str, tuple[int, ...]], ...]


def kept_lines(report: Report, id_of: Mapping[int, int], notes: Notes) -> Kept:
    """The lines to keep, with the ids of the players they name; what is not kept is noted."""
    kept: list[tuple[str, tuple[int, ...]]] = []
    seen: set[str] = set()
    day_lines = report.day_lines()
    for at, record in enumerate(report.records, 1):
        if type(record) is not Line or not record.text.strip():
            continue
        code, text = record.code, record.text.rstrip()
        again = code in seen and at not in day_lines
        seen.add(code)
        fate = TEXTS[code].fate if code in TEXTS else "kept"
        if again and fate in ("setting", "described", "counted"):
            notes.add(say("trf.note.second-record", code=code), say("trf.at.line", line=at))
            continue
        if fate in ("setting", "settings", "counted") or text.startswith(OURS):
            continue
        if fate == "ours":
            if text[4:].strip() != "Paircard":
                notes.add(say("trf.note.controller", line=at, text=text[4:].strip()))
            continue
        try:
            checked_text("it", text, limit=LONGEST_LINE)
            kept.append((text, tuple(id_of[named] for named in named_in(text))))
        except Invalid as refusal:
            notes.add(say("trf.note.record-refused", line=at, text=code, what=refusal.said))
        except (ValueError, KeyError):
            notes.add(say("trf.note.record-of-nobody", line=at, code=code))
    if len(day_lines) > 1:
        places = [say("trf.at.line", line=at) for at in day_lines]
        notes.add(say("trf.note.several-dates"), say("trf.at.lines", spots=places))
    if "202" in seen and "212" in seen and report.text("202") and report.text("212"):
        notes.add(say("trf.note.both-lists"))
    return tuple(kept)


def columns_of(text: str) -> Iterator[int]:
    """Where a line has starting ranks, counted from 0: four columns each."""
    if text[:3] == "013":
        yield from range(36, len(text), 5)
    elif is_national(text):
        yield 4


def named_in(text: str) -> list[int]:
    """The starting ranks of a line; ValueError if one of them is none."""
    return [number(text[at : at + 4]) for at in columns_of(text)]


def national_of(lines: Iterable[tuple[str, tuple[int, ...]]]) -> dict[int, tuple[int, str]]:
    """National rating and number by player id, of those who have one such record (columns 49-52, 58-68)."""
    found: dict[int, tuple[int, str]] = {}
    several: set[int] = set()
    for text, ids in lines:
        if is_national(text):
            [id] = ids
            several |= found.keys() & {id}
            found[id] = rating_of(text), text[57:68].strip(" ")
    return {id: found[id] for id in found if id not in several}


def written(kept: Kept, numbers: Mapping[int, int], players: tuple[Player, ...]) -> list[Line]:
    """Kept lines with the numbers of the file, and current national ratings."""
    single = national_of(kept)
    lines: list[Line] = []
    for text, ids in kept:
        for at, id in zip(columns_of(text), ids, strict=True):
            text = f"{text[:at]}{numbers.get(id, 0):>4}{text[at + 4 :]}"
        if is_national(text) and ids[0] in single:
            text = corrected(text, players[ids[0] - 1].details, single[ids[0]])
        lines.append(Line(text.rstrip()))
    return lines


def corrected(text: str, details: Details, filed: tuple[int, str]) -> str:
    """A national record with the current rating and number, where they differ from the file."""
    rating, member = filed
    wide = text.ljust(68)
    if details.national_rating != rating:
        wide = f"{wide[:48]}{details.national_rating or '':>4}{wide[52:]}"
    if details.national_id != member and len(details.national_id) <= 11:
        wide = f"{wide[:57]}{details.national_id:>11}{wide[68:]}"
    return wide


# --- the rules: records 192 and 092


def code_of(regulations: Regulations) -> str:
    """The code of an event's rules, without ``_BAKU``."""
    return SAID[RULES[regulations.edition].family][0](regulations)


def kind_of(regulations: Regulations) -> str:
    """The kind of event as record 092 names it, in words."""
    return SAID[RULES[regulations.edition].family][1](regulations)


def _kind_of_table(regulations: Regulations) -> str:
    cycles = cycles_of(regulations)
    return {1: "Round Robin", 2: "Double Round Robin"}.get(cycles, f"Round Robin, {cycles} cycles")


def _code_of_table(regulations: Regulations) -> str:
    if regulations.table == "hand":
        return BY_HAND
    cycles = cycles_of(regulations)
    made = cycles, cycles == 1 or exchanges(regulations)
    return next((code for code, table in TABLES.items() if table == made), f"BERGER_ROUNDROBIN_G{cycles}")


SAID: Final[dict[str, tuple[Callable[[Regulations], str], Callable[[Regulations], str]]]] = {
    "dutch": (lambda regulations: CODES[regulations.edition], lambda _: "Swiss-System"),
    "round-robin": (_code_of_table, _kind_of_table),
}
"""What records 192 and 092 say of an event, by the family of its rules."""


# --- the ratings: records 001 and 172, and those of National Rating Support (TRF26 §3.2)


def filing(
    regulations: Regulations,
    players: Sequence[Player],
    numbers: Mapping[int, int],
    used: Mapping[int, int],
    imported: str,
) -> tuple[Mapping[int, int], str, Sequence[Line]]:
    """How the ratings used are filed: by the imported 172, which has its records, or by the lists.

    The ratings for 001 by player id; federation and method for 172, empty for none; the national records.
    """
    if imported:
        named, method = split_method(imported)
        text = imported if named else f"{regulations.federation} {method}".strip()
        return filed(method, players, used, regulations) or used, text, ()
    method, federation = method_of_lists(regulations), regulations.federation
    if not federation or not method:
        return used, "", ()
    ratings = filed(method, players, used, regulations)
    national = national_records(players, numbers, federation)
    return ratings or used, f"{federation} {method if ratings else 'OTHER'}", national


def method_of_lists(regulations: Regulations) -> str:
    """The method of 172 that these lists make; empty where no national list is asked."""
    lists = lists_of(regulations)
    if lists[0] in ("higher", "lower"):
        return {"higher": "HBFN", "lower": "LBFN"}[lists[0]]
    if "national" not in lists:
        return ""
    if lists == ("national",):
        return "NRO"
    return {0: "NIDOF", len(lists) - 1: "FIDON"}.get(lists.index("national"), "OTHER")


def fide_rating(details: Details, regulations: Regulations) -> int:
    """What stands in 001: the rating of the event, or FIDE's where that one is national."""
    if details.rating_source != NATIONAL:
        return details.rating
    lists = tuple(name for name in lists_of(regulations) if name not in ("national", "higher", "lower"))
    lists = lists or LISTS_OF_TEMPO[regulations.tempo]  # 001 has FIDE's rating under a national list too
    return rated(replace(details, rating=0, rating_source=""), lists).rating


def filed(
    method: str, players: Sequence[Player], used: Mapping[int, int], regulations: Regulations
) -> dict[int, int] | None:
    """Ratings for 001 by id, from which the method gives everyone the rating used; None if it cannot."""
    ratings = {player.id: fide_rating(player.details, regulations) for player in players}
    chosen = METHODS.get(method, METHODS["OTHER"])
    for player in players:
        if chosen(ratings[player.id], player.details.national_rating) != used[player.id]:
            return None
    return ratings


def national_records(players: Sequence[Player], numbers: Mapping[int, int], federation: str) -> list[Line]:
    """A record for everyone with a national rating or number, by starting rank (TRF26 §3.2)."""
    records = []
    for player in sorted(players, key=lambda player: numbers[player.id]):
        d = player.details
        if d.national_rating or d.national_id:
            member = d.national_id if len(d.national_id) <= 11 else ""
            head = f"{federation} {numbers[player.id]:>4}      {d.name[:33]:<33} {d.national_rating or '':>4}"
            line = f"{head} {d.federation:<3} {member:>11} {d.birth.replace('-', '/'):<10}"
            records.append(Line(line.rstrip()))
    return records
