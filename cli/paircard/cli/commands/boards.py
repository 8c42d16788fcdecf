"""Looking at a tournament: ``boards slips card``. Nothing here writes."""

from functools import partial

import click

from paircard.cli.options import CSV, INTO, forms
from paircard.cli.output import outside_fide, points, print_line, print_round, show_table
from paircard.cli.refusals import SPEAKER, Misused
from paircard.cli.session import Session, reads, reads_text
from paircard.domain.values.results import decimal
from paircard.domain.values.rules import RULES
from paircard.projections.round.cards import CardLine
from paircard.service import Round, Seat
from paircard.service.exports import csv_text
from paircard.service.pairing_sheets import ABSENCES
from paircard.service.print.paper import cards_page, sheet_page, slips_page


@click.command()
@click.argument("round", type=int, required=False)
@forms(html="Print a pairing sheet as a web page, for the screen or for A4.", csv=CSV)
@click.option("--by-name", is_flag=True, help="With --html: everybody in alphabetical order.")
@reads
def boards(session: Session, round: int | None, by_name: bool) -> None:
    """Show the boards of a round; default: the last round.

    Numbers are the pairing numbers the round was paired with, scores those before it.

    Example: paircard boards 1
    """
    view = session.view()
    if by_name and session.run.form != "html":
        raise Misused("cli.by-name-is-html")
    found = view.boards(round)
    page = partial(sheet_page, view, round, by_name=by_name)
    if not session.shown(found, html=page, csv=lambda: boards_csv(found)):
        print_round(found)


def boards_csv(round: Round) -> str:
    """The boards as a spreadsheet takes them; the bye is a board without Black."""
    seat = ("number", "title", "name", "rating", "federation", "score")
    names = [f"{side}_{name}" for side in ("white", "black") for name in seat]

    def values(one: Seat | None) -> list[object]:
        if one is None:
            return [""] * len(seat)
        rating, score = one.rating or "", decimal(one.score, 1)
        return [one.number or "", one.title, one.name, rating, one.federation, score]

    rows = [[one.board, *values(one.white), *values(one.black), one.result or ""] for one in round.boards]
    if round.pab:
        rows.append(["", *values(round.pab), *values(None), "bye"])
    return csv_text(["board", *names, "result"], rows, round.fide_mode)


@click.command()
@click.argument("round", type=int, required=False)
@INTO
@reads_text
def slips(session: Session, round: int | None) -> None:
    """Print the result slips of a round as a web page for A4; default: the last round.

    Example: paircard slips 1
    """
    click.echo(slips_page(session.view(), round), nl=False)


@click.command()
@click.argument("who", required=False)
@forms(html="Print a web page; without a player, the cards of everybody.")
@reads
def card(session: Session, who: str | None) -> None:
    """Show a player's pairing card: opponent, colour, float, result and score of each round.

    Example: paircard card 1
    """
    view = session.view()
    if who is None and not session.run.form:
        raise Misused("cli.card-of-whom")
    mine = view.card(view.player(who)) if who else None
    if session.shown(mine, html=lambda: cards_page(view, [mine.id] if mine else [])) or mine is None:
        return
    rows, rules = view.rows(), RULES[view.regulations.edition]
    absences, floats = ABSENCES | {"Z": rules.absence_word}, bool(rules.downfloats)
    head = {"fide_id": mine.fide_id, "national_id": mine.national_id, "born": mine.birth, "club": mine.club}
    known = ", ".join(f"{SPEAKER.word('card', name)} {value}" for name, value in head.items() if value)
    words = [mine.title, mine.name, str(mine.rating or "unrated"), mine.federation, mine.status]
    show_table(
        "cli.table.card",
        [
            (
                line.round,
                rows[line.opponent].number if line.opponent else "",
                rows[line.opponent].name if line.opponent else absences.get(line.letter, "bye"),
                colour_text(line),
                *([{"d": "↓", "u": "↑"}.get(line.float, "")] if floats else []),
                line.letter.replace("=", "½") or "–",
                points(line.score),
            )
            for line in mine.lines
        ],
        title=f"{mine.number or '–'}  {' '.join(word for word in words if word)}"
        f"{outside_fide(view.state.fide_mode)}" + (f"\n{known}" if known else ""),
        more=[SPEAKER.word("card", "float")] if floats else [],
    )
    if any(line.forfeited for line in mine.lines):
        print_line("cli.said.colour-in-brackets")


def colour_text(line: CardLine) -> str:
    """The colour of a game; in brackets if it was only scheduled."""
    colour = {"w": "white", "b": "black"}.get(line.colour, "")
    return f"({colour})" if line.forfeited else colour
