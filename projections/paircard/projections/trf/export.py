"""The record of a tournament as a TRF26 report, after any round and at any point of the log."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from paircard.domain.deciding.numbering import order_in_force
from paircard.domain.deciding.open_games import missing_results
from paircard.domain.events import FideModeLeft, Recorded
from paircard.domain.state import Player, Tournament, absences, state_after
from paircard.domain.values.regulations import Regulations
from paircard.projections.round.crosstable import Entry, who_came
from paircard.projections.standings.ranking import standings_after
from paircard.projections.trf.kept_lines import DESCRIBED, kept_in, written
from paircard.projections.trf.ratings import filing
from paircard.projections.trf.records import PlayerLine, Report
from paircard.projections.trf.remarks import remarks, remarks_on
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
    if after < story.paired and not for_rating:
        log = log[: version_at_end(story, log, after)]
        story = state_after(log)
    table = who_came(table_for_rating(story) if for_rating else table_after(story, after))
    came = {row.id for row in table.rows}
    players = tuple(player for player in story.players if player.id in came)
    order = [id for id in order_in_force(story) if id in came]
    numbers = {id: place for place, id in enumerate(order, 1)}
    away = absences(story, after + 1)
    kept = written(kept_in(log), numbers, story.players)
    described = {line.code: line.text[4:] for line in kept if line.code in DESCRIBED}
    extra = [line for line in kept if line.code not in ("###", *DESCRIBED)]
    used = {row.id: row.rating for row in table.rows}
    ratings = filing(story.regulations, players, numbers, used, described.get("172", ""))
    rows = [
        replace(
            row,
            number=numbers[row.id],
            rating=ratings.in_001[row.id],
            entries=row.entries + coming(story, row.id, after, away),
        )
        for row in table.rows
    ]
    rows.sort(key=lambda row: row.number)
    places = places_after(story, after, numbers)
    details = {
        player.id: PlayerLine(
            number=numbers[player.id],
            sex=player.details.sex,
            fide_id=str(player.details.fide_id or ""),
            birth=player.details.birth.replace("-", "/"),
        )
        for player in players
    }
    comments = [line.text[4:] for line in kept if line.code == "###"] + remarks(log, numbers)
    if left and story.fide_mode:  # VCL 45: a report of an earlier round does not bring it back
        comments += [line for _, line in remarks_on(story, left[0], numbers)]
    report = report_of(
        replace(table, rows=tuple(rows)),
        texts=texts(story.regulations, players, described | {"172": ratings.method}),
        edition=story.regulations.edition,
        remarks=list(dict.fromkeys(comments)),
        places=places,
        details=details,
    )
    return Report((*report.records, *extra, *ratings.national))


def places_after(story: Tournament, after: int, numbers: Mapping[int, int]) -> Mapping[int, int]:
    """Places by id: before round 1 the starting rank (TRF26 001 needs one), none while a game of the last
    round has no result, since those would look final (VCL 161)."""
    if not after:
        return numbers
    if after == story.regulations.rounds and missing_results(story.rounds[after - 1]):
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
    return "Individual: Swiss-System" + (", Chess960" if regulations.variant == "chess960" else "")


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
