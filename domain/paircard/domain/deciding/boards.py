"""Is this a round? Who sits where, who is left over, and what the rules say to it.

The engine's boards must be right in every point. Boards by an arbiter's hand or from a file may break
rules that FIDE tolerates with a warning (VCL 55, 66, 67), but nobody sits on two boards.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from paircard.domain.deciding.decision import called, player_of
from paircard.domain.errors import Caution, IllegalPairing
from paircard.domain.events import Board, Origin
from paircard.domain.state import Tournament, absences
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import PLAYED


class Lineup(msgspec.Struct, frozen=True):
    """Boards that were looked at."""

    playing: frozenset[int]
    """Everyone on a board, and the pairing-allocated bye."""
    absent: tuple[tuple[int, str], ...]
    warnings: tuple[Caution, ...]


def line_up(
    state: Tournament,
    regulations: Regulations,
    round: int,
    boards: tuple[Board, ...],
    pab: int,
    origin: Origin,
) -> Lineup:
    """Who plays and who is absent in these boards of a round, or a refusal."""
    seats = Counter(id for board in boards for id in board)
    if pab:
        seats[pab] += 1
    untouched = _untouched(state, round, boards, pab)
    for id, count in seats.items():
        player = player_of(state, id)
        if count > 1:
            raise IllegalPairing(f"{called(player)} is {count} times in round {round}: once is right")
        if player.status and id not in untouched:
            raise IllegalPairing(f"{called(player)} is {player.status} and cannot be paired in round {round}")
    if not seats:
        raise IllegalPairing(f"round {round} has no boards: name White and Black of each")
    absent = absences(state, round)
    if state.paired == round:  # altered after it was paired: the absences of then, and who came since
        absent |= {p.id: p.missed[round - 1] for p in state.players if len(p.missed) >= round}
        absent |= dict(state.rounds[round - 1].absent)
    missing = [p for p in state.players if p.id not in seats and p.id not in absent]
    called_in = [state.players[id - 1] for id in seats if id in absent and id not in untouched]
    complaints = list(_rule_breaks(state, regulations, round, boards, pab))
    if origin == "engine" and missing:
        raise IllegalPairing(f"{called(missing[0])} is present but not paired in round {round}: pair again")
    if origin == "engine" and called_in:
        raise IllegalPairing(f"{called(called_in[0])} has a bye in round {round} but is paired: pair again")
    if origin == "engine" and complaints:
        raise IllegalPairing(f"{complaints[0].message}: pair again")
    if origin == "manual":
        complaints += [
            Caution(3, "left-out", f"{called(p)} is present but left out of round {round}") for p in missing
        ]
        complaints += [
            Caution(3, "bye-ignored", f"{called(p)} has a bye in round {round}") for p in called_in
        ]
        complaints += _colour_complaints(state, regulations, round, boards)
    elif origin == "import":
        complaints = (
            [Caution(3, "irregular-import", "; ".join(w.message for w in complaints))] if complaints else []
        )  # VCL 55
    rest = {p.id: absent.get(p.id, "Z") for p in state.players if p.id not in seats}
    return Lineup(frozenset(seats), tuple(sorted(rest.items())), tuple(complaints))


def _untouched(state: Tournament, round: int, boards: tuple[Board, ...], pab: int) -> set[int]:
    """Players whose board an alteration of a paired round leaves as it is."""
    if state.paired != round:
        return set()
    before = state.rounds[round - 1]
    kept = {id for board in set(boards) & set(before.boards) for id in board}
    return kept | ({pab} if pab and pab == before.pab else set())


def _rule_breaks(
    state: Tournament, regulations: Regulations, round: int, boards: tuple[Board, ...], pab: int
) -> Iterator[Caution]:
    met = _meetings(state, before=round)
    for white, black in boards:
        names = f"{called(state.players[white - 1])} and {called(state.players[black - 1])}"
        if frozenset((white, black)) in met:  # C.04.1:2
            yield Caution(3, "rematch", f"{names} have met before")
        if any(
            white in ban.players and black in ban.players and ban.first <= round <= ban.last
            for ban in state.prohibitions
        ):
            yield Caution(3, "prohibited-pair", f"{names} are not to meet")
    if pab and _barred_from_pab(state, regulations, pab, before=round):  # C.04.1:4
        who = called(state.players[pab - 1])
        yield Caution(3, "ineligible-bye", f"{who} may not have a pairing-allocated bye (again)")


def _meetings(state: Tournament, before: int) -> set[frozenset[int]]:
    """Pairs that played; a pairing that was not played may be made again (C.04.2:3.5)."""
    return {
        frozenset(board)
        for past in state.rounds[: before - 1]
        for board, outcome in zip(past.boards, past.outcomes, strict=True)
        if outcome is None or outcome.white in PLAYED
    }


def _barred_from_pab(state: Tournament, regulations: Regulations, id: int, before: int) -> bool:
    """One who had a PAB, or a win's points in a round without playing (C.04.1:4).

    Before 2026 only the PAB and the forfeit win counted, not the full-point bye.
    """
    for past in state.rounds[: before - 1]:
        if past.pab == id:
            return True
        if regulations.edition != "dutch-2017" and (id, "F") in past.absent:
            return True
        for board, outcome in zip(past.boards, past.outcomes, strict=True):
            if id in board and outcome is not None:
                letter = outcome.white if board[0] == id else outcome.black
                if letter == "+":
                    return True
    return False


def _colour_complaints(
    state: Tournament, regulations: Regulations, round: int, boards: tuple[Board, ...]
) -> Iterator[Caution]:
    """Three times the same colour, or a difference above two, before the last round (VCL 66, 67)."""
    colours = _colours(state, before=round)
    for white, black in boards:
        against = 0
        for id, colour in ((white, "w"), (black, "b")):
            past = colours.get(id, "")
            mine = past + colour
            excess = abs(mine.count("w") - mine.count("b")) > 2
            if round < regulations.rounds and (mine.endswith(colour * 3) or excess):
                who = called(state.players[id - 1])
                yield Caution(3, "colour", f"{who} would get too much of one colour")
            against += _due(past) not in ("", colour)
        if against == 2:
            names = f"{called(state.players[white - 1])} and {called(state.players[black - 1])}"
            yield Caution(2, "colours-reversed", f"{names} both get the colour that is not due")


def _colours(state: Tournament, before: int) -> dict[int, str]:
    """Colours of played games only (C.04.2:3.4)."""
    colours: dict[int, str] = {}
    for past in state.rounds[: before - 1]:
        for (white, black), outcome in zip(past.boards, past.outcomes, strict=True):
            if outcome is None or outcome.white in PLAYED:
                colours[white] = colours.get(white, "") + "w"
                colours[black] = colours.get(black, "") + "b"
    return colours


def _due(past: str) -> str:
    """The colour played less often; if equal, the other than last time (C.04.1:8)."""
    difference = past.count("w") - past.count("b")
    if difference:
        return "b" if difference > 0 else "w"
    return {"w": "b", "b": "w"}[past[-1]] if past else ""
