"""A round as pairing sheets show it: by board, by name, as slips."""

import unicodedata
from collections.abc import Mapping

import msgspec

from paircard.domain.deciding.decision import round_of
from paircard.domain.rounds import Game
from paircard.projections.history import History
from paircard.projections.round.scoregroups import points_before
from paircard.projections.views import table_after

MARKS: Mapping[str, str] = {"=": "½", "D": "½", "W": "1", "L": "0", "-": "−", "?": "?", "": "·"}
"""How a letter is shown where it is not itself."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A player on a sheet, as the round was paired."""

    id: int
    number: int
    name: str
    title: str = ""
    rating: int = 0
    federation: str = ""
    status: str = ""
    points: int = 0
    """Tenths before the round."""


class BoardLine(msgspec.Struct, frozen=True, kw_only=True):
    """One board of a round."""

    board: int
    white: Seat
    black: Seat
    marks: tuple[str, str] | None = None
    """What each side scored; none while there is no result."""
    note: str = ""
    """``forfeit``, ``adjourned``, ``unrated`` or empty."""


class Absence(msgspec.Struct, frozen=True):
    """Somebody without a board, and why: ``H``, ``F``, ``Z``, ``withdrawn`` or ``expelled``."""

    player: Seat
    reason: str


class NameLine(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player sits, for the list by name."""

    player: Seat
    board: int = 0
    colour: str = ""
    opponent: Seat | None = None
    reason: str = ""
    """Why there is no board: ``U``, or as of an absence."""


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round."""

    round: int
    rounds: int
    day: str
    edition: str
    published: bool
    completed: bool
    by_hand: bool
    """Altered by hand, or in the arbiter's hands now."""
    from_file: bool
    lines: tuple[BoardLine, ...]
    bye: Seat | None
    bye_points: int
    absent: tuple[Absence, ...]

    @property
    def results(self) -> int:
        return sum(line.marks is not None for line in self.lines)

    @property
    def rated(self) -> bool:
        """Whether anybody has a rating to show."""
        return any(line.white.rating or line.black.rating for line in self.lines)

    @property
    def federations(self) -> bool:
        """Whether anybody has a federation to show."""
        return any(line.white.federation or line.black.federation for line in self.lines)

    def by_name(self) -> tuple[NameLine, ...]:
        """Everybody in alphabetical order, with board, colour and opponent."""
        made = []
        for line in self.lines:
            made.append(NameLine(player=line.white, board=line.board, colour="w", opponent=line.black))
            made.append(NameLine(player=line.black, board=line.board, colour="b", opponent=line.white))
        if self.bye:
            made.append(NameLine(player=self.bye, reason="U"))
        made += [NameLine(player=each.player, reason=each.reason) for each in self.absent]
        return tuple(sorted(made, key=lambda line: (alphabetical(line.player.name), line.player.number)))


def round_view(history: History, round: int) -> RoundView:
    """A paired round of the history; refuses one that is not paired."""
    round_of(history.state, round)
    paired = history.rounds[round - 1]
    numbers = dict(paired.numbers)
    before = points_before(table_after(history, round - 1), round)
    rules = history.regulations

    def seat(id: int) -> Seat:
        player = history.state.players[id - 1]
        return Seat(
            id=id,
            number=numbers.get(id, 0),
            name=player.details.name,
            title=player.details.title,
            rating=player.details.rating,
            federation=player.details.federation,
            status=player.status,
            points=before.get(id, 0),
        )

    def reason(id: int, letter: str) -> str:
        player = history.state.players[id - 1]
        gone = letter == "Z" and player.status and round not in dict(player.byes)
        return player.status if gone else letter

    return RoundView(
        round=round,
        rounds=rules.rounds,
        day=rules.dates[round - 1] if rules.dates else "",
        edition=paired.fact.edition,
        published=paired.published,
        completed=paired.completed,
        by_hand=paired.altered or history.state.manual == round,
        from_file=paired.fact.origin == "import",
        lines=tuple(
            board_line(at, seat(game.white), seat(game.black), game)
            for at, game in enumerate(paired.games(), start=1)
        ),
        bye=seat(paired.pab) if paired.pab else None,
        bye_points=rules.scoring.pab,
        absent=tuple(Absence(seat(id), reason(id, letter)) for id, letter in paired.absent),
    )


def board_line(board: int, white: Seat, black: Seat, game: Game) -> BoardLine:
    """One board with its result as people write it."""
    letters = (game.white_letter, game.black_letter)
    if not letters[0]:
        return BoardLine(board=board, white=white, black=black)
    if letters[0] == "?":
        return BoardLine(board=board, white=white, black=black, note="adjourned")
    note = "forfeit" if letters[0] in "+-" else "unrated" if letters[0] in "WDL" else ""
    marks = (MARKS.get(letters[0], letters[0]), MARKS.get(letters[1], letters[1]))
    return BoardLine(board=board, white=white, black=black, marks=marks, note=note)


def alphabetical(name: str) -> str:
    """The name for sorting: accents and case decide last."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return f"{bare.casefold()}\0{name}"
