"""The check list of a round, as engines print it: each player's record before the pairing.

Tab-separated columns, a blank line between scoregroups: id, pairing score, colours, preference, whether
the player may have the bye (C2), floats one and two rounds ago, the pairing, opponents by round.
"""

from paircard.pairing.dutch.editions import edition_of
from paircard.pairing.dutch.field import may_have_bye
from paircard.pairing.dutch.preferences import (
    ABSOLUTE,
    BLACK,
    MILD,
    NEITHER,
    NO,
    STRONG,
    WHITE,
    preference,
)
from paircard.pairing.lab.check import Paired
from paircard.projections.round.snapshot import Player, Snapshot
from paircard.projections.trf.columns import points_text

FLOATS = {"d": "D", "u": "U", "-": " "}
STRENGTHS = {NO: "A ", MILD: "{} ", STRONG: "({})", ABSOLUTE: "{} "}


def shown_preference(colours: str) -> str:
    """``W `` absolute, ``(W)`` strong, ``w `` mild, ``A `` none (C.04.3:1.7)."""
    wanted = preference(colours)
    letter = {WHITE: "W", BLACK: "B", NEITHER: ""}[wanted.due]
    return STRENGTHS[wanted.strength].format(letter.lower() if wanted.strength == MILD else letter)


def checklist(state: Snapshot, paired: Paired | None) -> str:
    """The whole list; without a pairing the column for it is empty."""
    current: dict[int, str] = {}
    if paired is not None:
        for board in paired.boards:
            current[board.white] = f"({board.black}W)"
            current[board.black] = f"({board.white}B)"
        if paired.pab:
            current[paired.pab] = "(bye)"
    players = sorted((p for p in state.players if not p.absent), key=lambda p: (-p.score, p.number))
    past = state.round - 1
    edition = edition_of(state)
    names = [edition.name_of(name).replace(".", "") for name in ("C2", "C14", "C16")]
    header = ["ID", "Pts", "-" * state.round, "Pref", *names, "Cur", ""]
    header += [f"R{round}" for round in range(1, state.round)]
    rows = [row(player, past, state, current) for player in players]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = ["", line(header, widths)]
    score = None
    for player, cells in zip(players, rows, strict=True):
        if player.score != score:
            lines.append("")
        score = player.score
        lines.append(line(cells, widths))
    return "\n".join(lines) + "\n\n\n"


def row(player: Player, past: int, state: Snapshot, current: dict[int, str]) -> list[str]:
    """One player's cells."""
    may = may_have_bye(edition_of(state), player)
    floats = [FLOATS[player.floats[past - back]] if past >= back else " " for back in (1, 2)]
    met = [
        str(opponent) if colour != "-" else ""
        for opponent, colour in zip(player.opponents, player.colours, strict=True)
    ]
    return [
        str(player.id),
        points_text(player.score),
        player.colours.replace("-", "").upper(),
        shown_preference(player.colours),
        "Y" if may else "N",
        *floats,
        current.get(player.id, ""),
        "",
        *met,
    ]


def line(cells: list[str], widths: list[int]) -> str:
    """Cells right-aligned, each followed by a tab."""
    return "".join(f"{cell:>{width}}\t" for cell, width in zip(cells, widths, strict=True))
