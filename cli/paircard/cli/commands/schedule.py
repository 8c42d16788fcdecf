"""``schedule``: all rounds at once, for people, the wall, spreadsheets and calendars."""

import click

from paircard.cli.options import CSV, PAGE, forms
from paircard.cli.output import show_table
from paircard.cli.session import Session, reads
from paircard.domain.speaking import ENGLISH, LANGUAGES
from paircard.service.exports import csv_text
from paircard.service.pairing import system_of
from paircard.service.print.rendering import Frame
from paircard.service.schedule import Meeting, Schedule, calendar_of, schedule_of, schedule_page

ICS = "Print a calendar file with the rounds whose day is announced."


@click.command()
@click.option("--player", "who", metavar="PLAYER", help="With --ics: the games of one player.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default=ENGLISH, help="Language of --html and --ics."
)
@forms(csv=CSV, html=PAGE, ics=ICS)
@reads
def schedule(session: Session, who: str | None, language: str) -> None:
    """Show all rounds: those on record, and those that a drawn table already tells.

    Example: paircard schedule --html
    """
    view = session.view()
    player = 0 if who is None else view.player(who)
    found = schedule_of(view)
    if not found.rounds:  # says what is missing: players, the draw
        system_of(view.state).need_pairable(view.state, 1)
    if not session.shown(
        found,
        csv=lambda: schedule_csv(found, view.state.fide_mode),
        html=lambda: schedule_page(view, Frame(language=language)),
        ics=lambda: calendar_of(view, player, language),
    ):
        rows = [
            ("" if at else one.round, "" if at else one.day, *cells(game))
            for one in found.rounds
            for at, game in enumerate(one.boards)
        ]
        show_table("cli.table.schedule", rows, title=found.name, fide_mode=view.state.fide_mode)


def cells(game: Meeting) -> tuple[object, ...]:
    """A board as a row."""
    return (
        game.board, game.white.number, game.white.name, game.result or "", game.black.name, game.black.number,
    )  # fmt: skip


def schedule_csv(found: Schedule, fide_mode: bool) -> str:
    """The schedule as a spreadsheet takes it; a free player is a line without Black."""
    names = ["round", "day", "board", "white_number", "white_name", "result", "black_name", "black_number"]
    rows: list[list[object]] = []
    for one in found.rounds:
        rows += [[one.round, one.day, *cells(game)] for game in one.boards]
        if one.free:
            rows.append([one.round, one.day, "", one.free.number, one.free.name, "", "", ""])
    return csv_text(names, rows, fide_mode)
