"""What a report says of the event and of its players, as the record holds it.

What cannot be understood, seen or held is left out, and each time told (VCL 47-56).
"""

from datetime import date

from msgspec import UNSET

from paircard.domain.values.players import HIGHEST_RATING, NATIONAL, TITLES, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.text import LONGEST, without_unseen
from paircard.projections.standings.tiebreaks.codes import parse_list
from paircard.projections.standings.tiebreaks.errors import BadTieBreak
from paircard.projections.trf.format.records import Line, PlayerLine, Report
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading.remarks import further_ratings
from paircard.projections.trf.reading.report import Reading

OLD_TITLES = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
}  # fmt: skip
"""Titles as TRF06 files have them."""

SEXES = {"": "", "m": "m", "w": "w", "f": "w"}


def regulations_of(report: Report, reading: Reading, name: str, edition: str, notes: Notes) -> Regulations:
    """The regulations a report tells; what it does not tell has its default."""
    table = reading.table
    title = seen(report.text("012"), "name of the tournament", notes)
    if not title:
        notes.add(f"no name of the tournament: called {name}")
    tiebreaks = report.text("202") or report.text("212")
    if not tiebreaks:
        notes.add("no tie-break list: ranked by points")
    federation = report.text("032").upper()
    if federation and not (len(federation) == 3 and federation.isascii() and federation.isalpha()):
        notes.add(f"federation {federation[:20]!r} left out: not a code of three letters")
        federation = ""
    return Regulations(
        name=shortened("name", title or name, notes),
        rounds=table.rounds,
        edition=edition,
        scoring=table.scoring,
        acceleration="baku" if any(any(row.virtual) for row in table.rows) else "none",
        tiebreaks=known_tiebreaks(tiebreaks, notes),
        starts=day(report.text("042"), "first day", notes),
        ends=day(report.text("052"), "last day", notes),
        place=shortened("place", report.text("022"), notes),
        federation=federation,
        chief_arbiter=shortened("chief arbiter", report.text("102"), notes),
        arbiters=tuple(
            shortened("arbiter", arbiter, notes)
            for record in report.records
            if type(record) is Line and record.code == "112" and (arbiter := record.text[4:].strip())
        ),
        tiebreak_ratings="round" if further_ratings(report) else UNSET,
        time_control=shortened("time control", report.text("122"), notes),
        dates=round_days(report, table.rounds, notes),
    )


def known_tiebreaks(text: str, notes: Notes) -> tuple[str, ...]:
    """The codes of a list that can be applied; the record could not rank anybody by the others."""
    codes: list[str] = []
    for code in (piece.strip() for piece in text.split(",")):
        try:
            if code:
                parse_list(",".join([*codes, code]))
                codes.append(code)
        except BadTieBreak as refusal:
            notes.add(f"tie-break left out of the list: {refusal}")
    return tuple(codes)


def shortened(label: str, text: str, notes: Notes) -> str:
    """A text that can be seen, as long as the record holds it."""
    text = seen(text, label, notes)
    if len(text) > LONGEST:
        notes.add(f"{label} of {len(text)} characters cut to {LONGEST}")
    return text[:LONGEST].strip()


def seen(text: str, label: str, notes: Notes) -> str:
    """The text without characters that nobody sees; they are left out and told."""
    left = without_unseen(text)
    if left != text:
        notes.add(f"{label}: invisible characters left out")
    return left


def day(text: str, label: str, notes: Notes) -> str:
    """``2026/03/01`` as ``2026-03-01``; anything else is left out and told."""
    try:
        return date.fromisoformat(text.replace("/", "-").replace(".", "-")).isoformat() if text else ""
    except ValueError:
        notes.add(f"{label} {text[:20]!r} left out: not a day such as 2026/03/01")
        return ""


def round_days(report: Report, rounds: int, notes: Notes) -> tuple[str, ...]:
    """Days of the rounds (132), ``26/03/01`` each."""
    words = report.text("132").split()
    days = tuple(day(word if len(word) > 8 else f"20{word}", "day of a round", notes) for word in words)
    return days[:rounds] if all(days) else ()


def details_of(player: PlayerLine, used: int, national: tuple[int, str], notes: Notes) -> Details:
    """A person, as far as the columns can be understood.

    ``used`` is the rating of the event, ``national`` rating and number of a national record.
    """
    who = f"player {player.number}"
    title = OLD_TITLES.get(player.title, player.title.upper())
    if title not in TITLES:
        notes.add(f"{who}: title {player.title!r} left out, FIDE knows {' '.join(TITLES).strip()}")
        title = ""
    sex = SEXES.get(player.sex.lower(), "")
    if player.sex and not sex:
        notes.add(f"{who}: sex {player.sex!r} left out, m and w are known")
    federation = player.federation.upper()
    if federation and not (len(federation) == 3 and federation.isascii() and federation.isalpha()):
        notes.add(f"{who}: federation {player.federation!r} left out, not a code of three letters")
        federation = ""
    fide_id = player.fide_id
    if fide_id and not (fide_id.isascii() and fide_id.isdecimal()):
        notes.add(f"{who}: FIDE id {fide_id!r} left out, not a number")
        fide_id = ""
    rating = possible(used, f"{who}: rating", notes)
    in_001 = rating if used == player.rating else possible(player.rating, f"{who}: FIDE rating", notes)
    name = seen(player.name, f"{who}: name", notes)
    if not name:
        name = f"Player {player.number}"
        notes.add(f"{who}: no name, called {name}")
    return Details(
        name=name,
        sex=sex,
        title=title,
        rating=rating,
        rating_source="" if rating == in_001 else NATIONAL,
        fide_rating=0 if rating == in_001 else in_001,
        national_rating=possible(national[0], f"{who}: national rating", notes),
        national_id=national[1],
        federation=federation,
        fide_id=int(fide_id or 0),
        birth=birth_of(player, notes),
    )


def possible(rating: int, label: str, notes: Notes) -> int:
    """A rating that a list can hold; a higher one is left out and told."""
    if rating <= HIGHEST_RATING:
        return rating
    notes.add(f"{label} {rating} left out, above {HIGHEST_RATING}")
    return 0


def birth_of(player: PlayerLine, notes: Notes) -> str:
    """``1990/04/23``, ``1990/00/00`` or ``1990``."""
    text = player.birth.replace("/", "-").replace(".", "-")
    if text.endswith("-00-00"):
        text = text[:4]
    if len(text) == 4 and text.isdecimal() and "1800" <= text <= "2099":
        return text
    if not text:
        return ""
    found = day(text, f"player {player.number}: birth", notes)
    if found and not "1800" <= found[:4] <= "2099":
        notes.add(f"player {player.number}: birth {player.birth!r} left out, nobody is that old or young")
        return ""
    return found
