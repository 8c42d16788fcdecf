"""Ratings and title norms on paper: changes, verdicts, certificates, the tournament report."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Final

import msgspec

from paircard.domain.deciding.decision import player_of
from paircard.domain.messages import Message, say
from paircard.domain.values.players import Details
from paircard.projections.norms import FID, HOLDERS, STANDARDS, PlayerNorms, Verdict
from paircard.projections.ratings import RatingLine, fide_rating
from paircard.service.moment import Moment
from paircard.service.print.rendering import FILE, MARKS, Frame, page_of


def signed(hundredths: int | None) -> str:
    """Hundredths with their sign: +4.80; empty for nothing."""
    return "" if hundredths is None else f"{hundredths / 100:+.2f}"


def new_rating(line: RatingLine) -> int | None:
    """The rating after the event, if it is the only one of the month; a first one needs five games."""
    if line.first:
        return line.first.rating if line.games >= 5 and line.first.rating >= 1400 else None
    return None if line.rounded is None else line.rating + line.rounded


def about(moment: Moment, player: int) -> dict[str, object]:
    """What a page by the rating report shows of everybody, or of a player who is in the tournament."""
    if player:
        player_of(moment.state, player)
    names = {row.id: row for row in moment.crosstable(for_rating=True).rows}
    return {"player": player, "names": names, "marks": MARKS}


def ratings_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """Rating changes and first ratings of everybody, or of one player game by game."""
    more, found = about(moment, player), moment.ratings()
    lines = [line for line in found.players if player in (0, line.player)]
    more |= {"found": found, "lines": lines, "signed": signed, "new_rating": new_rating}
    return page_of(moment, "ratings.html", frame, **more)


def worth_telling(verdict: Verdict) -> bool:
    """A norm, one that may still be made, or a title result that lacks something else."""
    performed = all(one.state != "short" for one in verdict.requirements if one.key == "performance")
    return verdict.verdict != "no" or (performed and verdict.count > 4)


def chances_of(moment: Moment, verdict: Verdict) -> list[Message]:
    """What would be enough, in sentences; and what a norm stands for."""
    if verdict.verdict in ("norm", "ask"):
        once = next(one.rating for one in STANDARDS if one.title == verdict.title)
        return [say("norms.stands-for", count=verdict.norm_games, rating=once)]
    names = [moment.state.players[id - 1].details.name for id in verdict.against]
    said = []
    for one in verdict.chances:
        points, count, rating = one.score, verdict.to_come, one.rating
        if not rating and len(names) > MOST_NAMED:
            said.append(say("norms.enough-points", points=points, count=count))
        elif names and rating:
            said.append(say("norms.enough-of-both", points=points, count=count, names=names, rating=rating))
        else:
            said.append(say("norms.enough", points=points, count=count, names=names, rating=rating))
    return said


MOST_NAMED: Final = 3
"""Opponents of open games that are named."""


def norms_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """Norms made and in reach; or the verdicts of one player, requirement by requirement."""
    more, found = about(moment, player), moment.norms()
    people = [one for one in found.players if player in (0, one.player)]
    told = [(one, each) for one in people for each in one.verdicts if player or worth_telling(each)]
    more |= {"found": found, "people": people, "verdicts": told, "chances": partial(chances_of, moment)}
    return page_of(moment, "norms.html", frame, **more)


# --- what FIDE's forms ask for; their own sheets are filled in from it


CLASSES: Final = ("GM", "IM", "WGM", "WIM", "FM", "WFM")


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """A title result in the fields of form IT1."""

    player: PlayerNorms
    verdict: Verdict
    federations: Mapping[str, int]
    """Of the opponents, as far as they have one."""
    titles: Mapping[str, int]
    titled: int
    """Opponents with a title that counts."""
    rated: int


def certificates_of(moment: Moment, player: int = 0) -> list[Certificate]:
    """The norms that were made, of everybody or of one player; those to be asked about as well."""
    made = []
    for one in moment.norms().players:
        for each in one.verdicts if player in (0, one.player) else ():
            if each.verdict in ("norm", "ask"):
                games = [game for game in each.games if not game.left_out]
                titles = Counter(game.title for game in games)
                certificate = Certificate(
                    player=one,
                    verdict=each,
                    federations=Counter(g.federation for g in games if g.federation not in ("", FID)),
                    titles=titles,
                    titled=sum(titles[title] for title in HOLDERS),
                    rated=sum(game.rating > 0 for game in games),
                )
                made.append(certificate)
    return made


def certificates_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """A page of A4 for each norm, in the fields of form IT1; what nobody recorded is a line to write on."""
    return page_of(
        moment,
        "certificate.html",
        frame,
        found=certificates_of(moment, player),
        classes=CLASSES,
        rules=moment.regulations,
        whole=moment.norms().event,
        people={one.id: one.details for one in moment.state.players},
        marks=MARKS,
    )


def groups_of(moment: Moment) -> list[tuple[str, int, Mapping[str, int]]]:
    """Rated and unrated players and those of each title: how many, and how many of each federation (IT3)."""
    people = {one.id: one.details for one in moment.state.players}
    came = [people[row.id] for row in moment.crosstable(for_rating=True).rows]

    def group(name: str, some: list[Details]) -> tuple[str, int, Mapping[str, int]]:
        return name, len(some), Counter(one.federation for one in some if one.federation)

    return [
        group("rated", [one for one in came if fide_rating(one)]),
        *(group(title, [one for one in came if one.title == title]) for title in ("GM", "IM", "FM")),
        group("unrated", [one for one in came if not fide_rating(one)]),
        *(group(title, [one for one in came if one.title == title]) for title in ("WGM", "WIM", "WFM")),
    ]


def official(name: str) -> str:
    """A name as IT3 wants it, given name first and the surname in capitals, where a comma parts them."""
    surname, comma, given = name.partition(",")
    return f"{given.strip()} {surname.strip().upper()}" if comma else name


def report_page(moment: Moment, frame: Frame = FILE) -> str:
    """The tournament report in the order of form IT3; what nobody recorded is a line to write on."""
    days = Counter(moment.regulations.dates)
    return page_of(
        moment,
        "report.html",
        frame,
        rules=moment.regulations,
        groups=groups_of(moment),
        official=official,
        day=lambda text: "/".join(reversed(text.split("-"))),
        schedule="-".join(str(days[day]) for day in sorted(days)),
        by_hand=any(round.altered for round in moment.state.rounds),
    )
