"""What a report says of the event and of its players, as the record holds it.

What cannot be understood, seen or held is left out; ``changes`` notes it (VCL 47-56).
"""

from msgspec import UNSET

from paircard.domain.values.players import HIGHEST_RATING, NATIONAL, TITLES, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.text import LONGEST, without_unseen
from paircard.projections.standings.codes import BadTieBreak
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.trf.format.dates import day_of
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
    """The regulations of a report; what it does not say has its default."""
    table = reading.table
    title = seen(report.text("012"), "name of the tournament", notes)
    if not title:
        notes.add(f"no name of the tournament: called {name}")
    tiebreaks = report.text("202") or report.text("212")
    if not tiebreaks:
        notes.add("no tie-break list: ranked by points")
    starts, ends = day_of(report.text("042")), day_of(report.text("052"))
    if starts and ends and ends < starts:
        notes.add(f"last day {ends} left out, it is before the first day {starts}")
        ends = ""
    return Regulations(
        name=shortened("name", title or name, notes),
        rounds=table.rounds,
        edition=edition,
        scoring=table.scoring,
        acceleration="baku" if any(any(row.virtual) for row in table.rows) else "none",
        tiebreaks=known_tiebreaks(tiebreaks, notes),
        starts=starts,
        ends=ends,
        place=shortened("place", report.text("022"), notes),
        federation=federation_of(report.text("032")),
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
    """The text without characters that nobody sees; they are left out, with a note."""
    left = without_unseen(text)
    if left != text:
        notes.add(f"{label}: invisible characters left out")
    return left


def round_days(report: Report, rounds: int, notes: Notes) -> tuple[str, ...]:
    """Days of the rounds (132), ``26/03/01`` each."""
    days = tuple(day_of(word) for word in report.text("132").split())
    if not all(days):
        notes.add("days of the rounds (132) left out, not each of them is a day such as 26/03/01")
        return ()
    return days[:rounds]


def details_of(player: PlayerLine, used: int, national: tuple[int, str], notes: Notes) -> Details:
    """A person, as far as the columns can be understood.

    ``used`` is the rating of the event, ``national`` rating and number of a national record.
    """
    who = f"player {player.number}"
    title = OLD_TITLES.get(player.title, player.title.upper())
    fide_id = player.fide_id if player.fide_id.isascii() and player.fide_id.isdecimal() else ""
    rating, in_001 = possible(used), possible(player.rating)
    if rating != used:
        notes.add(f"rating {used} left out, above {HIGHEST_RATING}", who)
    if national[0] > HIGHEST_RATING:
        notes.add(f"national rating {national[0]} left out, above {HIGHEST_RATING}", who)
    name = seen(player.name, f"{who}: name", notes)
    if not name:
        name = f"Player {player.number}"
        notes.add(f"{who}: no name, called {name}")
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


def federation_of(text: str) -> str:
    """A federation code in capitals; empty for anything but three letters."""
    code = text.upper()
    return code if len(code) == 3 and code.isascii() and code.isalpha() else ""


def possible(rating: int) -> int:
    """A rating that a list can hold; 0 for a higher one."""
    return rating if rating <= HIGHEST_RATING else 0


def birth_of(text: str) -> str:
    """``1990/04/23``, ``1990/00/00`` or ``1990``; empty for what no living player was born on."""
    year = text[:4]
    if text[4:] in ("", "/00/00", "-00-00", ".00.00") and year.isascii() and year.isdecimal():
        found = year
    else:
        found = day_of(text)
    return found if "1800" <= found[:4] <= "2099" else ""
