"""National Rating Support: records of a federation's own list, and which rating an event goes by (172)."""

from paircard.projections.trf.format.records import Line, Report
from paircard.projections.trf.notes import Notes

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
    digits = field.strip(" ")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else 0


def number_of(text: str) -> int:
    """Starting rank of the player of a national record."""
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
        codes = {r.code for r in report.records if type(r) is Line and is_national(r.text)}
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
        notes.add(f"starting rank method {method[:20]!r} (172): the ratings of 001 are taken")
        return {}
    national = {
        number_of(record.text): rating_of(record.text)
        for record in report.records
        if type(record) is Line and record.code == federation and is_national(record.text)
    }
    used = {
        player.number: rating
        for player in report.players()
        if (rating := chosen(method, player.rating, national.get(player.number, 0))) != player.rating
    }
    if used:
        who = " ".join(map(str, used))
        notes.add(f"ratings of {federation} instead of those of 001 (172 {method}), players {who}")
    return used
