"""Sheets that other programs import: players and results as CSV, safe to open in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from paircard.projections.history import History
from paircard.service.views import view_players, view_round

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula."""

SWISS_MANAGER = (
    "No", "Name", "Title", "ID no", "Rating nat", "Rating int", "Birth", "Fed", "Sex", "Club", "FIDE-No",
)  # fmt: skip
"""Columns by which Swiss-Manager, the way to chess-results.com, imports players."""


def players_sheet(history: History) -> str:
    """The starting list as Swiss-Manager imports it."""
    rows = [
        (
            player.number or "",
            player.name,
            player.title,
            player.national_id,
            player.national_rating or "",
            player.fide_rating or player.rating or "",
            player.birth.replace("-", "/"),
            player.federation,
            player.sex,
            player.club,
            player.fide_id or "",
        )
        for player in view_players(history).players
    ]
    return sheet(SWISS_MANAGER, rows)


def results_sheet(history: History, round: int | None = None) -> str:
    """The boards of a round with their results, the last paired one by default."""
    shown = view_round(history, round)
    rows: list[Sequence[object]] = [
        (
            shown.round,
            board.board,
            board.white.number or "",
            board.white.name,
            board.white.rating or "",
            board.result or "",
            board.black.number or "",
            board.black.name,
            board.black.rating or "",
        )
        for board in shown.boards
    ]
    if shown.pab is not None:
        rows.append(
            (
                shown.round,
                "",
                shown.pab.number or "",
                shown.pab.name,
                shown.pab.rating or "",
                "bye",
                "",
                "",
                "",
            )
        )
    heading = ("Round", "Board", "No White", "White", "Rtg White", "Result", "No Black", "Black", "Rtg Black")
    return sheet(heading, rows)


def sheet(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lines parted by semicolons, which Excel opens as columns wherever a comma is the decimal sign."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    writer.writerow(heading)
    writer.writerows([[harmless(str(cell)) for cell in row] for row in rows])
    return out.getvalue()


def harmless(cell: str) -> str:
    """The cell, with a mark before what a spreadsheet would take for a formula."""
    is_number = re.fullmatch(r"[+-]?[0-9]+([.][0-9]+)?", cell)
    return f"'{cell}" if cell.startswith(FORMULA) and not is_number else cell
