"""``ratings norms``: what an event brings its players, by FIDE's regulations for ratings and titles."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import click

from paircard.cli.options import CSV, PAGE, forms
from paircard.cli.output import points, print_line, remark, show_table
from paircard.cli.refusals import SPEAKER
from paircard.cli.session import Session, reads
from paircard.domain.errors import Unknown
from paircard.domain.messages import Message
from paircard.domain.speaking import Remark
from paircard.projections.norms import PlayerNorms, Requirement, Verdict
from paircard.projections.ratings import RatedGame, RatingLine
from paircard.service import Moment
from paircard.service.exports import Columns, cells, table_csv
from paircard.service.print import titles as pages


@click.command()
@click.argument("who", required=False)
@forms(csv=CSV, html=PAGE)
@reads
def ratings(session: Session, who: str | None) -> None:
    """Show rating changes and first ratings (B.02); of one player game by game.

    A change is that of this event alone, with the results of the rating report. It needs the K factor of
    FIDE's list, which nobody can compute from one event.

    Example: paircard ratings 1
    """
    view = session.view()
    found, fide_mode = view.ratings(), view.state.fide_mode
    id = view.player(who) if who else 0
    lines = [line for line in found.players if id in (0, line.player)]
    if id and not lines:
        raise Unknown("ratings.never-came", name=view.state.players[id - 1].details.name)
    if id:
        csv = partial(table_csv, games_of(lines[0], view), lines[0].rounds, fide_mode)
    else:
        csv = partial(table_csv, CHANGES, lines, fide_mode)
    if session.shown(lines[0] if id else found, csv=csv, html=partial(pages.ratings_page, view, id)):
        return
    tell(found.remarks)
    if not id:
        title = Message("ratings.title", {"name": view.regulations.name, "rule": found.rules})
        changes = [cells(CHANGES, line) for line in lines]
        show_table("cli.table.rating-changes", changes, title=title, fide_mode=fide_mode)
    for line in lines if id else ():
        games = [cells(games_of(line, view), game) for game in line.rounds]
        show_table("cli.table.rated-games", games, title=head(line), fide_mode=fide_mode)
        tell(line.remarks)


def tell(remarks: Sequence[Remark]) -> None:
    """Print remarks on standard error."""
    for one in remarks:
        remark(one.message)


def head(line: RatingLine) -> str:
    """A player with the sum of the games."""
    words = [str(line.number or "–"), line.title, line.name, str(line.rating or "–"), line.federation, " "]
    words.append(f"{points(line.score)} / {line.games}")
    if line.kind == "change":
        words.append(f"− {line.expected / 100:.2f}")
        if line.change is not None:
            words.append(f"× {line.k_used} = {pages.signed(line.change)}")
    if line.first:
        first = line.first
        words += [
            f"Ra {first.average / 100:.2f}, {first.percent} %,",
            f"{first.difference:+} = {first.rating}",
        ]
    return " ".join(filter(None, words))


CHANGES: Final[Columns[RatingLine]] = {
    "number": lambda line: line.number or "–",
    "title": lambda line: line.title,
    "name": lambda line: line.name,
    "rating": lambda line: line.rating or "–",
    "federation": lambda line: line.federation,
    "games": lambda line: line.games,
    "score": lambda line: points(line.score),
    "expected": lambda line: f"{line.expected / 100:.2f}" if line.kind == "change" else "",
    "k": lambda line: line.k_used or line.k_factor or "",
    "change": lambda line: pages.signed(line.change),
    "new": lambda line: pages.new_rating(line) or "",
    "remarks": lambda line: "; ".join(one.text for one in line.remarks),
}
"""A player's change; the names of columns stay what they are in any language."""


def games_of(line: RatingLine, view: Moment) -> Columns[RatedGame]:
    """A player's games."""
    names = {row.id: row.name for row in view.crosstable(for_rating=True).rows}
    rated = line.kind == "change"
    return {
        "round": lambda game: game.round,
        "opponent": lambda game: names.get(game.opponent, ""),
        "rating": lambda game: game.opponent_rating or "",
        "result": lambda game: game.letter.replace("=", "½"),
        "difference": lambda game: (
            f"{game.difference:+}{'*' if game.capped else ''}" if game.counts and rated else ""
        ),
        "expected": lambda game: f"{game.expected / 100:.2f}" if game.counts and rated else "",
        "surplus": lambda game: pages.signed(game.surplus) if game.counts and rated else "",
        "remark": lambda game: game.reason.text if game.reason else "",
    }


@click.command()
@click.argument("who", required=False)
@forms(
    csv=CSV,
    html=PAGE,
    certificate="Print a page for each norm with the fields of FIDE's form IT1.",
    report="Print the tournament report with the fields of FIDE's form IT3.",
)
@reads
def norms(session: Session, who: str | None) -> None:
    """Show who made a title norm, or still may (B.01); of one player requirement by requirement.

    Before the last round it says which scores would be enough, and against whom. Games are left out where
    the rules allow it (1.4.1e, f). What the record cannot say has to be asked, and stands there as such.

    Example: paircard norms 1
    """
    view = session.view()
    found, fide_mode = view.norms(), view.state.fide_mode
    id = view.player(who) if who else 0
    people = [one for one in found.players if id in (0, one.player)]
    if id and not people:
        raise Unknown("norms.never-came", name=view.state.players[id - 1].details.name)
    told = [(one, each) for one in people for each in one.verdicts]
    needs = [(each.title, need) for _, each in told for need in each.requirements]
    columns = verdicts_of(view)
    if session.shown(
        people[0] if id else found,
        csv=partial(table_csv, REQUIREMENTS, needs, fide_mode)
        if id
        else partial(table_csv, columns, told, fide_mode),
        html=partial(pages.norms_page, view, id),
        certificate=partial(pages.certificates_page, view, id),
        report=partial(pages.report_page, view),
    ):
        return
    if id:
        tell_player(view, people[0])
        return
    rows = [cells(columns, (one, each)) for one, each in told if pages.worth_telling(each)]
    title = Message("norms.title", {"name": view.regulations.name, "rule": found.rules})
    if rows:
        show_table("cli.table.norms", rows, title=title, fide_mode=fide_mode)
    else:
        click.echo(SPEAKER.say(title))
        print_line("norms.nothing")
    click.echo()
    show_table("cli.table.requirements", map(requirement_row, found.event))


def verdicts_of(view: Moment) -> Columns[tuple[PlayerNorms, Verdict]]:
    """A player's verdict for one title."""

    def missing(verdict: Verdict) -> str:
        lacks = [need.missing.text for need in verdict.requirements if need.missing and need.state != "met"]
        chances = map(SPEAKER.say, pages.chances_of(view, verdict)[:1] if verdict.chances else [])
        return "; ".join([*chances, *lacks, *(said.text for said in verdict.remarks)])

    return {
        "number": lambda line: line[0].number or "–",
        "name": lambda line: line[0].name,
        "federation": lambda line: line[0].federation,
        "rating": lambda line: line[0].rating or "–",
        "norm": lambda line: line[1].title,
        "verdict": lambda line: SPEAKER.say(Message(f"norms.verdict.{line[1].verdict}")),
        "games": lambda line: line[1].count,
        "score": lambda line: points(line[1].score),
        "required": lambda line: "–" if line[1].required_score is None else points(line[1].required_score),
        "average": lambda line: line[1].average,
        "performance": lambda line: line[1].performance,
        "missing": lambda line: missing(line[1]),
    }


REQUIREMENTS: Final[Columns[tuple[str, Requirement]]] = {
    "norm": lambda line: line[0],
    "article": lambda line: line[1].article,
    "state": lambda line: line[1].state,
    "counted": lambda line: line[1].counted,
    "required": lambda line: line[1].required,
    "requirement": lambda line: line[1].text,
    "missing": lambda line: line[1].missing.text if line[1].missing else "",
}
"""A requirement for a spreadsheet, after its title."""


def requirement_row(one: Requirement) -> tuple[object, ...]:
    """A requirement for people."""
    state = SPEAKER.say(Message(f"norms.state.{one.state}"))
    return one.article, state, one.text, one.missing.text if one.missing else ""


def tell_player(view: Moment, one: PlayerNorms) -> None:
    """One player's verdicts, requirement by requirement."""
    if one.by_rating:
        print_line("norms.by-rating", codes=one.by_rating)
    for each in one.verdicts:
        said = SPEAKER.say(Message(f"norms.verdict.{each.verdict}"))
        show_table(
            "cli.table.requirements", map(requirement_row, each.requirements), title=f"{each.title}: {said}"
        )
        left_out = [f"{game.round} {game.left_out.text}" for game in each.games if game.left_out]
        if left_out and each.verdict in ("norm", "ask"):
            click.echo("  " + "; ".join(left_out))
        for line in (*pages.chances_of(view, each), *(said.message for said in each.remarks)):
            click.echo("  " + SPEAKER.say(line))
        click.echo()
