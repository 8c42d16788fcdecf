"""Ratings and title norms on paper: changes, verdicts, certificates, the tournament report."""

from paircard.domain.messages import Message, say
from paircard.projections.norms import STANDARDS, Verdict
from paircard.projections.ratings import RatingLine
from paircard.service.moment import Moment
from paircard.service.print.event import MARKS, event_of
from paircard.service.print.rendering import FILE, Frame, render


def signed(hundredths: int | None) -> str:
    """Hundredths with their sign: +4.80; empty for nothing."""
    return "" if hundredths is None else f"{hundredths / 100:+.2f}"


def new_rating(line: RatingLine) -> int | None:
    """The rating after the event, if it is the only one of the month; a first one needs five games."""
    if line.first:
        return line.first.rating if line.games >= 5 and line.first.rating >= 1400 else None
    return None if line.rounded is None else line.rating + line.rounded


def ratings_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """Rating changes and first ratings of everybody, or of one player game by game."""
    found = moment.ratings()
    return render(
        "ratings.html",
        frame,
        event=event_of(moment),
        found=found,
        lines=[line for line in found.players if player in (0, line.player)],
        player=player,
        names={row.id: row for row in moment.crosstable(for_rating=True).rows},
        marks=MARKS,
        signed=signed,
        new_rating=new_rating,
    )


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
        if names and one.rating:
            fields = {"names": names, "rating": one.rating}
            fields |= {"points": one.score, "count": verdict.to_come}
            said.append(Message("norms.enough-of-both", fields))
        else:
            said.append(
                say("norms.enough", points=one.score, count=verdict.to_come, names=names, rating=one.rating)
            )
    return said


def norms_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """Norms made and in reach; or the verdicts of one player, requirement by requirement."""
    found = moment.norms()
    people = [one for one in found.players if player in (0, one.player)]
    return render(
        "norms.html",
        frame,
        event=event_of(moment),
        found=found,
        verdicts=[(one, each) for one in people for each in one.verdicts if player or worth_telling(each)],
        people=people,
        player=player,
        names={row.id: row for row in moment.crosstable(for_rating=True).rows},
        marks=MARKS,
        chances=lambda verdict: chances_of(moment, verdict),
    )
