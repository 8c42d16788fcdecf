"""``ratings norms``: what an event brings its players, by FIDE's regulations for ratings and titles."""

from collections.abc import Iterable, Sequence
from typing import Final

import click

from paircard.cli.options import CSV, PAGE, forms
from paircard.cli.output import points, print_line, remark, show_table
from paircard.cli.refusals import SPEAKER
from paircard.cli.session import Session, reads
from paircard.domain.errors import Unknown
from paircard.domain.messages import Message
from paircard.projections.norms import PlayerNorms, Requirement, Verdict
from paircard.projections.ratings import RatingLine, Remark
from paircard.service import Moment
from paircard.service.print.titles import (
    certificates_page,
    chances_of,
    new_rating,
    norms_page,
    ratings_page,
    report_page,
    signed,
    worth_telling,
)
from paircard.service.spreadsheet import csv_text

CHANGES: Final = (
    *("number", "title", "name", "rating", "federation", "games", "score", "expected", "k"),
    *("change", "new", "remarks"),
)
GAMES: Final = ("round", "opponent", "rating", "result", "difference", "expected", "surplus", "remark")
"""Headings of files, which stay what they are in any language."""


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
    found = view.ratings()
    id = view.player(who) if who else 0
    lines = [line for line in found.players if id in (0, line.player)]
    if id and not lines:
        raise Unknown("ratings.never-came", name=view.state.players[id - 1].details.name)
    shown = session.shown(
        lines[0] if id else found,
        csv=lambda: csv_text(games_rows(lines[0], view) if id else file_of(CHANGES, map(row_of, lines))),
        html=lambda: ratings_page(view, id),
    )
    if shown:
        return
    tell(found.remarks)
    if not id:
        title = Message("ratings.title", {"name": view.regulations.name, "rule": found.rules})
        show_table("cli.table.rating-changes", [row_of(line) for line in lines], title=title)
    for line in lines if id else ():
        show_table("cli.table.rated-games", games_rows(line, view)[1:], title=" ".join(map(str, head(line))))
        tell(line.remarks)


def tell(remarks: Sequence[Remark]) -> None:
    """What is to be said beside the answer."""
    for one in remarks:
        remark(one.message)


def head(line: RatingLine) -> tuple[object, ...]:
    """A player with the sum of the games."""
    words = [line.number or "–", line.title, line.name, line.rating or "–", line.federation]
    total = [f"{points(line.score)} / {line.games}"]
    if line.kind == "change":
        total.append(f"− {line.expected / 100:.2f}")
        if line.change is not None:
            total.append(f"× {line.k_used} = {signed(line.change)}")
    if line.first:
        first = line.first
        total.append(
            f"Ra {first.average / 100:.2f}, {first.percent} %, {first.difference:+} = {first.rating}"
        )
    return (*(word for word in words if word != ""), " ", *total)


def row_of(line: RatingLine) -> tuple[object, ...]:
    """A player's line of the table."""
    return (
        line.number or "–",
        line.title,
        line.name,
        line.rating or "–",
        line.federation,
        line.games,
        points(line.score),
        f"{line.expected / 100:.2f}" if line.kind == "change" else "",
        line.k_used or line.k_factor or "",
        signed(line.change),
        new_rating(line) or "",
        "; ".join(one.text for one in line.remarks),
    )


def file_of(heading: Sequence[object], rows: Iterable[Sequence[object]]) -> list[Sequence[object]]:
    """A table for a spreadsheet."""
    return [heading, *(["" if cell == "–" else cell for cell in row] for row in rows)]


def games_rows(line: RatingLine, view: Moment) -> list[Sequence[object]]:
    """One player's games for a spreadsheet and a table."""
    names = {row.id: row.name for row in view.crosstable(for_rating=True).rows}
    rows: list[Sequence[object]] = [GAMES]
    for game in line.rounds:
        counts = game.counts and line.kind == "change"
        rows.append(
            (
                game.round,
                names.get(game.opponent, ""),
                game.opponent_rating or "",
                game.letter.replace("=", "½"),
                f"{game.difference:+}{'*' if game.capped else ''}" if counts else "",
                f"{game.expected / 100:.2f}" if counts else "",
                signed(game.surplus) if counts else "",
                game.reason.text if game.reason else "",
            )
        )
    return rows


VERDICTS: Final = (
    *("number", "name", "federation", "rating", "norm", "verdict", "games", "score", "required"),
    *("average", "performance", "missing"),
)
REQUIREMENTS: Final = ("norm", "article", "state", "counted", "required", "requirement", "missing")


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
    found = view.norms()
    id = view.player(who) if who else 0
    people = [one for one in found.players if id in (0, one.player)]
    if id and not people:
        raise Unknown("norms.never-came", name=view.state.players[id - 1].details.name)
    told = [(each, verdict_row(view, one, each)) for one in people for each in one.verdicts]

    def csv() -> str:
        rows = requirement_rows(people[0]) if id else file_of(VERDICTS, (row for _, row in told))
        return csv_text(rows)

    shown = session.shown(
        people[0] if id else found,
        csv=csv,
        html=lambda: norms_page(view, id),
        certificate=lambda: certificates_page(view, id),
        report=lambda: report_page(view),
    )
    if shown:
        return
    if id:
        tell_player(view, people[0])
        return
    rows = [row for each, row in told if worth_telling(each)]
    title = Message("norms.title", {"name": view.regulations.name, "rule": found.rules})
    if rows:
        show_table("cli.table.norms", rows, title=title)
    else:
        click.echo(SPEAKER.say(title))
        print_line("norms.nothing")
    click.echo()
    show_table("cli.table.requirements", map(requirement_row, found.event))


def verdict_row(view: Moment, one: PlayerNorms, verdict: Verdict) -> tuple[object, ...]:
    """A player's verdict for one title."""
    missing = [each.missing.text for each in verdict.requirements if each.missing and each.state != "met"]
    chances = chances_of(view, verdict)[:1] if verdict.chances else []
    required = "–" if verdict.required_score is None else points(verdict.required_score)
    return (
        one.number or "–",
        one.name,
        one.federation,
        one.rating or "–",
        verdict.title,
        SPEAKER.say(Message(f"norms.verdict.{verdict.verdict}")),
        verdict.count,
        points(verdict.score),
        required,
        verdict.average,
        verdict.performance,
        "; ".join([*map(SPEAKER.say, chances), *missing, *(said.text for said in verdict.remarks)]),
    )


def requirement_row(one: Requirement) -> tuple[object, ...]:
    """A requirement for a table."""
    state = SPEAKER.say(Message(f"norms.state.{one.state}"))
    return one.article, state, one.text, one.missing.text if one.missing else ""


def requirement_rows(one: PlayerNorms) -> list[Sequence[object]]:
    """One player's requirements for a spreadsheet."""
    return [
        REQUIREMENTS,
        *(
            (each.title, need.article, need.state, need.counted, need.required, *requirement_row(need)[2:])
            for each in one.verdicts
            for need in each.requirements
        ),
    ]


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
        for line in (*chances_of(view, each), *(said.message for said in each.remarks)):
            click.echo("  " + SPEAKER.say(line))
        click.echo()
