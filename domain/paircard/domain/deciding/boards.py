"""The boards of a round checked: who plays, who is absent, and which rules they break.

The engine's boards must be right in every point. Boards by an arbiter's hand or from a file may break
rules that FIDE tolerates with a warning (VCL 55, 66, 67), but nobody sits on two boards.
"""

from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TypeAlias

from paircard.domain.deciding.decision import caution, players_of
from paircard.domain.errors import Caution, IllegalPairing
from paircard.domain.events import Board, Origin, PairingsAltered
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, absences
from paircard.domain.values.results import PLAYED
from paircard.domain.values.rules import RULES

Absent: TypeAlias = tuple[tuple[int, str], ...]
"""Who does not play a round, by id, with the letter it holds for them."""


def check_boards(
    state: Tournament, round: int, boards: tuple[Board, ...], pab: int, origin: Origin
) -> Generator[Caution, None, tuple[frozenset[int], Absent]]:
    """Warnings about these boards of a round, then who plays, the bye included, and who does not."""
    seats = seats_of(state, round, boards, pab)
    untouched = _untouched(state, round, boards, pab)
    for id in seats:
        if (status := state.players[id - 1].status) and id not in untouched:
            raise IllegalPairing("player-not-here", player=id, round=round, status=status)
    absent = absences(state, round)
    if state.paired == round:  # altered after it was paired: its absences, and who entered since
        absent |= {p.id: p.missed[round - 1] for p in state.players if len(p.missed) >= round}
        absent |= dict(state.rounds[round - 1].absent)
    missing = [p.id for p in state.players if p.id not in seats and p.id not in absent]
    called_in = [id for id in seats if id in absent and id not in untouched]
    complaints = list(_rule_breaks(state, round, boards, pab))
    if origin == "engine" and missing:
        raise IllegalPairing("player-left-out", player=missing[0], round=round)
    if origin == "engine" and called_in:
        raise IllegalPairing("player-has-bye", player=called_in[0], round=round)
    if origin == "engine" and complaints:
        raise IllegalPairing("boards-break-rules", what=complaints[0].said)
    if origin == "manual":
        complaints += [caution("left-out", player=id, round=round) for id in missing]
        for id in called_in:
            late = len(state.players[id - 1].missed) >= round
            code = "bye-ignored.late-entry" if late else "bye-ignored.bye"
            complaints.append(caution(code, player=id, round=round))
        complaints += _colour_complaints(state, round, boards)
    elif origin == "import" and complaints:
        complaints = [irregular(complaints)]
    yield from complaints
    rest = {p.id: absent.get(p.id, "Z") for p in state.players if p.id not in seats}
    return frozenset(seats), tuple(sorted(rest.items()))


def seats_of(state: Tournament, round: int, boards: tuple[Board, ...], pab: int = 0) -> Counter[int]:
    """Everybody in these boards, and who has the bye; refuses somebody twice, and nobody at all."""
    seats = Counter(id for board in boards for id in board)
    if pab:
        seats[pab] += 1
    for player in players_of(state, seats):
        if (count := seats[player.id]) > 1:
            raise IllegalPairing("player-seated-again", player=player.id, round=round, count=count)
    if not seats:
        raise IllegalPairing("round-without-boards", round=round)
    return seats


def irregular(complaints: Sequence[Caution]) -> Caution:
    """One warning for all that is wrong with the boards of a file (VCL 55)."""
    players = sorted({id for one in complaints for id in one.players})
    return caution("irregular-import.boards", players=players, reasons=[one.said for one in complaints])


def exchanged(boards: tuple[Board, ...], pab: int, one: int, other: int) -> tuple[tuple[Board, ...], int]:
    """Boards with two players in each other's seats; one of them may have the bye, or no seat at all."""
    seats = {one: other, other: one}
    return (
        tuple((seats.get(white, white), seats.get(black, black)) for white, black in boards),
        seats.get(pab, pab),
    )


def paired_together(
    boards: tuple[Board, ...], pab: int, white: int, black: int
) -> tuple[tuple[Board, ...], int]:
    """Boards on which these two meet, the first with White; those left behind meet instead.

    If one of them had the bye, the opponent who is left has it.
    """
    left: list[tuple[int, str]] = []
    rest: list[Board] = []
    place = len(boards)
    for at, board in enumerate(boards):
        pair = set(board) - {white, black}
        if len(pair) == 2:
            rest.append(board)
            continue
        place = min(place, at)
        left += [(id, "w" if board[0] == id else "b") for id in pair]
    new = [(white, black)]
    if len(left) == 2:
        (first, colour), (second, _) = left
        new.append((first, second) if colour == "w" else (second, first))
    elif left and pab in (white, black, 0):
        pab = left[0][0]
    elif pab in (white, black):
        pab = 0
    return (*rest[:place], *new, *rest[place:]), pab


def differing(altered: PairingsAltered) -> tuple[list[Message], list[Message]]:
    """The arbiter's boards and bye that are not the engine's, and the engine's that the arbiter dropped."""
    given = (*altered.boards, (altered.pab, 0))
    engines = (*altered.engine_boards, (altered.engine_pab, 0))

    def without(boards: Sequence[Board], others: Sequence[Board]) -> list[Message]:
        rest = [board for board in boards if board not in others and any(board)]
        return [say("log.pair", white=w, black=b) if b else say("log.bye", player=w) for w, b in rest]

    return without(given, engines), without(engines, given)


def _untouched(state: Tournament, round: int, boards: tuple[Board, ...], pab: int) -> set[int]:
    """Players whose board an alteration of a paired round leaves as it is."""
    if state.paired != round:
        return set()
    before = state.rounds[round - 1]
    kept = {id for board in set(boards) & set(before.boards) for id in board}
    return kept | ({pab} if pab and pab == before.pab else set())


def _rule_breaks(state: Tournament, round: int, boards: tuple[Board, ...], pab: int) -> Iterator[Caution]:
    met = set(map(frozenset, _played(state, before=round)))
    for white, black in boards:
        if frozenset((white, black)) in met:  # C.04.1:2
            yield caution("rematch", white=white, black=black)
        if any(
            white in ban.players and black in ban.players and ban.first <= round <= ban.last
            for ban in state.prohibitions
        ):
            yield caution("prohibited-pair", white=white, black=black)
    if pab and _barred_from_pab(state, round, boards, pab):  # C.04.1:4
        yield caution("ineligible-bye", player=pab)


def _played(state: Tournament, before: int) -> list[Board]:
    """Boards that were played: colours are counted of these alone (C.04.2:3.4), and a pairing that was not
    played may be made again (C.04.2:3.5)."""
    games = [game for past in state.rounds[: before - 1] for game in past.games()]
    return [(one.white, one.black) for one in games if not one.white_letter or one.white_letter in PLAYED]


def _barred_from_pab(state: Tournament, round: int, boards: tuple[Board, ...], pab: int) -> bool:
    """Whether earlier rounds bar the player; JaVaFo let those barred least often have it again."""
    mine = _rounds_that_bar(state, pab, before=round)
    if not RULES[state.regulations.edition].second_bye or not mine:
        return mine > 0
    playing = [id for board in boards for id in board]
    return mine > min((_rounds_that_bar(state, id, round) for id in playing), default=mine)


def _rounds_that_bar(state: Tournament, id: int, before: int) -> int:
    """Rounds with a PAB, or with a win's points without playing (C.04.1:4).

    Before 2026 only the PAB and the forfeit win counted, not the full-point bye; in 2012 a half point, too.
    """
    bars = RULES[state.regulations.edition].bars_the_bye
    return sum(
        past.pab == id
        or any(id == absent and letter in bars for absent, letter in past.absent)
        or any(
            (outcome.white, outcome.black)[board.index(id)] == "+"
            for board, outcome in zip(past.boards, past.outcomes, strict=True)
            if outcome is not None and id in board
        )
        for past in state.rounds[: before - 1]
    )


def lower_for_bye(state: Tournament, round: int, boards: tuple[Board, ...], pab: int) -> int:
    """The player with the fewest points who may have the bye, if fewer than the player who has it; else 0."""
    scores = pairing_points(state, round)
    lower = [
        id
        for board in boards
        for id in board
        if scores[id] < scores[pab] and not _barred_from_pab(state, round, boards, id)
    ]
    return min(lower, key=lambda id: (scores[id], -id), default=0)


def pairing_points(state: Tournament, round: int) -> dict[int, int]:
    """Tenths that everybody has before a round, as its pairing counts them; without virtual points."""
    worth = state.regulations.scoring.table()
    scores = dict.fromkeys(range(1, len(state.players) + 1), 0)
    for past in state.rounds[: round - 1]:
        letters = {player.id: player.missed[past.number - 1 : past.number] or "Z" for player in state.players}
        letters |= dict(past.absent)
        for game in past.games(round - 1):
            letters[game.white] = game.white_letter or "?"
            letters[game.black] = game.black_letter or "?"
        if bye := past.bye.as_seen_by(round - 1).white:
            letters[bye] = "U"
        for id, letter in letters.items():
            scores[id] += worth[letter]
    return scores


def _colour_complaints(state: Tournament, round: int, boards: tuple[Board, ...]) -> Iterator[Caution]:
    """Three times the same colour, or a difference above two, before the last round (VCL 66, 67)."""
    colours = colours_of(_played(state, before=round))
    for white, black in boards:
        against = 0
        for id, colour in ((white, "w"), (black, "b")):
            past = colours[id]
            mine = past + colour
            excess = abs(mine.count("w") - mine.count("b")) > 2
            if round < state.regulations.rounds and (mine.endswith(colour * 3) or excess):
                yield caution("colour", player=id)
            against += _due(past) not in ("", colour)
        if against == 2:
            yield caution("colours-reversed", white=white, black=black)


def colours_of(boards: Iterable[Board]) -> defaultdict[int, str]:
    """The colours that everybody had on these boards, in their order."""
    colours = defaultdict[int, str](str)
    for white, black in boards:
        colours[white] += "w"
        colours[black] += "b"
    return colours


def _due(past: str) -> str:
    """The colour played less often; if equal, the other than last time (C.04.1:8)."""
    difference = past.count("w") - past.count("b")
    if difference:
        return "b" if difference > 0 else "w"
    return {"w": "b", "b": "w"}[past[-1]] if past else ""
