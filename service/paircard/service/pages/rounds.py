"""A round as sheets and pages show it: results in two halves, and everybody by name."""

from collections.abc import Mapping
from typing import Final

import msgspec

from paircard.domain.values.names import collation_key
from paircard.service.views import Round, Seat

MARKS: Final[Mapping[str, str]] = {"=": "½", "D": "½", "W": "1", "L": "0", "-": "−", "?": "?", "": "·"}
"""How a letter is shown where it is not itself."""
SIDES: Final[Mapping[str, str]] = {"1F": "+", "0F": "−", "W": "1", "D": "½", "L": "0"}
"""How a side of a result is shown where it is not itself."""


class Result(msgspec.Struct, frozen=True):
    """A result as a board shows it."""

    white: str
    black: str
    note: str = ""
    """``forfeit``, ``unrated`` or empty."""


class NameLine(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player sits, for the list by name."""

    player: Seat
    board: int = 0
    colour: str = ""
    opponent: Seat | None = None
    result: str | None = None
    letter: str = ""
    """Why there is no board: ``U``, ``H``, ``F``, ``Z``, ``withdrawn`` or ``expelled``."""


def result_of(text: str | None) -> Result | None:
    """Both halves of a result such as ``½-½`` or ``1F-0F``; none while there is none."""
    if not text or text == "adjourned":
        return None
    white, black = text.split("-")
    note = "forfeit" if "F" in text else "unrated" if white in "WDL" else ""
    return Result(SIDES.get(white, white), SIDES.get(black, black), note)


def results_in(round: Round) -> int:
    """How many boards have a result."""
    return sum(result_of(board.result) is not None for board in round.boards)


def lines_by_name(round: Round) -> tuple[NameLine, ...]:
    """Everybody in alphabetical order, with board, colour and opponent."""
    made = []
    for board in round.boards:
        sides = (("w", board.white, board.black), ("b", board.black, board.white))
        for colour, player, opponent in sides:
            made.append(
                NameLine(
                    player=player,
                    board=board.board,
                    colour=colour,
                    opponent=opponent,
                    result=board.result,
                )
            )
    if round.pab:
        made.append(NameLine(player=round.pab, letter="U"))
    made += [NameLine(player=each, letter=absence(each.letter, each.reason)) for each in round.absent]
    return tuple(sorted(made, key=lambda line: (collation_key(line.player.name), line.player.number or 0)))


def absence(letter: str, reason: str) -> str:
    """Why somebody has no board, as a key of the catalogue."""
    return reason if reason in ("withdrawn", "expelled") else letter
