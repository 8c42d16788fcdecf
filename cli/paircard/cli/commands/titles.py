"""``ratings norms``: what an event brings its players, by FIDE's regulations for ratings and titles."""

from collections.abc import Sequence
from typing import Final

import click

from paircard.cli.options import CSV, PAGE, forms
from paircard.cli.output import points, remark, show_table
from paircard.cli.session import Session, reads
from paircard.domain.errors import Unknown
from paircard.domain.messages import Message
from paircard.projections.ratings import RatingLine, Remark
from paircard.service import Moment
from paircard.service.print.titles import new_rating, ratings_page, signed
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
        csv=lambda: csv_text(games_rows(lines[0], view) if id else changes_rows(lines)),
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


def changes_rows(lines: Sequence[RatingLine]) -> list[Sequence[object]]:
    """The table for a spreadsheet."""
    return [CHANGES, *(["" if cell == "–" else cell for cell in row_of(line)] for line in lines)]


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
