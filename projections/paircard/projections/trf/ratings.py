"""National Rating Support: which rating an event goes by (172), read from a report and filed in one."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from paircard.domain.messages import say
from paircard.domain.values.players import NATIONAL, Details, rated
from paircard.domain.values.regulations import LISTS_OF_TEMPO, Regulations, lists_of
from paircard.projections.trf.lines import number
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.records import Line, Report

if TYPE_CHECKING:
    from paircard.domain.state import Player  # an engine reads reports without any log

# --- in a report


RATINGS = "Ratings @ Round "
"""Ratings from a round on (VCL 214): ``### Ratings @ Round 4: 7=2450``."""

METHODS = ("FIDE", "NRO", "FIDON", "NIDOF", "HBFN", "LBFN", "OTHER")
"""172: FIDE only, national only, FIDE or national, national or FIDE, the higher, the lower, another way."""


def is_national(text: str) -> bool:
    """A record of National Rating Support: a federation code, then the starting rank of a player."""
    code = text[:3]
    if not (len(code) == 3 and code.isascii() and code.isalpha() and text[3:4] == " "):
        return False
    return whole(text[4:8]) > 0 and text[8:9] in ("", " ")


def whole(field: str) -> int:
    """A number of a few columns; 0 for anything else."""
    try:
        return number(field)
    except ValueError:
        return 0


def number_of(text: str) -> int:
    return whole(text[4:8])


def rating_of(text: str) -> int:
    """National rating, columns 49-52."""
    return whole(text[48:52])


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


def chosen(method: str, fide: int, national: int) -> int:
    """The rating that a method makes of two; 0 is none."""
    match method:
        case "NRO":
            return national
        case "FIDON":
            return fide or national
        case "NIDOF":
            return national or fide
        case "HBFN":
            return max(fide, national)
        case "LBFN":
            return min(fide, national) or fide or national
        case _:
            return fide


def ratings(report: Report, notes: Notes) -> dict[int, int]:
    """Ratings by starting rank that are not those of 001: what 172 makes of them and the national records."""
    federation, method = method_of(report)
    if not method:
        return {}
    if method not in METHODS or method == "OTHER":
        notes.add(say("trf.note.method-unknown", text=method))
        return {}
    national = {
        number_of(line.text): rating_of(line.text)
        for line in report.of(Line)
        if line.code == federation and is_national(line.text)
    }
    used = {
        player.number: rating
        for player in report.players()
        if (rating := chosen(method, player.rating, national.get(player.number, 0))) != player.rating
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


# --- in the record, to be filed


class Filing(msgspec.Struct, frozen=True):
    """The ratings of a report."""

    in_001: Mapping[int, int]
    """By player id."""
    method: str
    """Federation and method, for 172; empty for none."""
    national: Sequence[Line] = ()


def filing(
    regulations: Regulations,
    players: "Sequence[Player]",
    numbers: Mapping[int, int],
    used: Mapping[int, int],
    imported: str,
) -> Filing:
    """How the ratings used are filed: by the imported 172, which has its records, or by the lists."""
    if imported:
        named, method = split_method(imported)
        text = imported if named else f"{regulations.federation} {method}".strip()
        return Filing(filed(method, players, used, regulations) or used, text)
    method, federation = method_of_lists(regulations), regulations.federation
    if not federation or not method:
        return Filing(used, "")
    ratings = filed(method, players, used, regulations)
    national = national_records(players, numbers, federation)
    return Filing(ratings or used, f"{federation} {method if ratings else 'OTHER'}", national)


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
    method: str, players: "Sequence[Player]", used: Mapping[int, int], regulations: Regulations
) -> dict[int, int] | None:
    """Ratings for 001 by id, from which the method gives everyone the rating used; None if it cannot."""
    ratings = {player.id: fide_rating(player.details, regulations) for player in players}
    for player in players:
        if chosen(method, ratings[player.id], player.details.national_rating) != used[player.id]:
            return None
    return ratings


def national_records(players: "Sequence[Player]", numbers: Mapping[int, int], federation: str) -> list[Line]:
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
