"""Lines of an imported report that no other fact holds: kept with the import, written back by the export.

A line that names players by number (013 and the records of national ratings, TRF26 §3.2) is kept with
their ids, and written with the numbers of the file it then stands in.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET

from paircard.domain.errors import Invalid
from paircard.domain.events import Recorded, TournamentImported
from paircard.domain.messages import say
from paircard.domain.state import Player
from paircard.domain.values.players import Details
from paircard.domain.values.text import LONGEST_LINE, checked_text
from paircard.projections.trf.columns import number
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.ratings import is_national, rating_of
from paircard.projections.trf.records import Line, Report
from paircard.projections.trf.remarks import RESTORED

ONCE = ("012", "022", "032", "042", "052", "102", "122", "132", "192", "202", "212")
"""Text records that become regulations; the first of each counts."""

DESCRIBED = ("092", "172", "222")
"""Text records that are written as the file had them."""

COUNTED = frozenset(["062", "072"])
"""Numbers of players and of rated players: the export counts them itself."""

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
        if again and code in (*ONCE, *DESCRIBED, *COUNTED):
            notes.add(say("trf.note.second-record", code=code), say("trf.at.line", line=at))
            continue
        if code in COUNTED or code == "112" or _is_restored(text):
            continue
        if code in ONCE:
            continue
        if code == "182":
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


def _is_restored(text: str) -> bool:
    """Whether a line is a remark of ours that becomes a fact of its own."""
    return text.startswith(tuple(f"### {begin}" for begin in RESTORED))


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


def kept_in(log: Iterable[Recorded]) -> Kept:
    """What was kept when the tournament was imported."""
    for recorded in log:
        if isinstance(recorded.fact, TournamentImported) and recorded.fact.kept is not UNSET:
            return recorded.fact.kept
    return ()


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
