"""National Rating Support: which rating the event of a report goes by (172)."""

from paircard.domain.messages import say
from paircard.projections.trf.lines import number
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.records import Line, Report

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
