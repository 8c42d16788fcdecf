"""What a pairing yields: a round with its reasons, or the reason why there is none."""

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from paircard.domain.errors import PaircardError
from paircard.domain.messages import Message

Data = TypeVar("Data", bound=msgspec.Struct)


class Board(msgspec.Struct, frozen=True):
    """One pair, with its colours. Ids, not pairing numbers."""

    white: int
    black: int
    rule: str = ""
    """Article that decided the colours, e.g. ``5.2.3`` (2026) or ``E.3`` (2017)."""


class BracketTrace(msgspec.Struct, frozen=True, kw_only=True):
    """How one bracket was paired. Players are ids, in the order of their sequence numbers (4.1)."""

    score: int
    """Score of its residents in tenths; of the best of them in a collapsed bracket."""
    role: str = ""
    """``PPB`` or ``CLB`` in a collapsed round (2017 A.9), ``joined`` for joined last brackets (2012 C.13),
    ``homogeneous`` for one treated so since half of it moved down (2012 A.3), else empty."""
    moved_down: tuple[int, ...] = ()
    """Players who floated into it (MDPs)."""
    residents: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    """The first residents of a joined bracket, if they are its S1 (2012 C.13)."""
    limbo: tuple[int, ...] = ()
    """Moved-down players who float again (2026 3.2, 2017 B.2)."""
    mdp_pairs: tuple[tuple[int, int], ...] = ()
    """The MDP-pairing: moved-down player, resident."""
    s1: tuple[int, ...] = ()
    """S1 of the homogeneous bracket or remainder, before any exchange."""
    s2: tuple[int, ...] = ()
    moved_to_s2: tuple[int, ...] = ()
    """Players the exchange took from S1 (4.3, 2017 D.2)."""
    moved_to_s1: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of the homogeneous bracket or remainder, upper player first."""
    downfloaters: tuple[int, ...] = ()
    values: dict[str, int | tuple[int, ...]] = {}
    """Each criterion's failures: a count, or a descending list in tenths (C7, C18–C21)."""
    route: str = ""
    """Which part of the engine settled it: for the guard of the fast ways, not for people."""


class Pairing:
    """A complete round. The trace is made when it is first asked for."""

    def __init__(
        self,
        boards: tuple[Board, ...],
        pab: int,
        pab_score: int | None = None,
        trace: Callable[[], tuple[BracketTrace, ...]] = tuple,
    ) -> None:
        self.boards = boards
        """In the order of publication (C.04.2:3.6)."""
        self.pab = pab
        """Id of the player with the pairing-allocated bye; 0 for none."""
        self.pab_score = pab_score
        """[2026 C5] The lowest score at which the bye could be given."""
        self._trace = trace
        self._brackets: tuple[BracketTrace, ...] | None = None

    @property
    def brackets(self) -> tuple[BracketTrace, ...]:
        """Brackets in order, from the top."""
        if self._brackets is None:
            self._brackets = self._trace()
        return self._brackets

    def __repr__(self) -> str:
        return f"Pairing(boards={self.boards!r}, pab={self.pab!r}, brackets={self.brackets!r})"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer on two levels: for a player in everyday words, for an arbiter with articles and values."""

    plain: tuple[Message, ...] = ()
    """The first three sentences: points, the opponent's points, the colour."""
    more: tuple[Message, ...] = ()
    """What the short answer adds to these."""
    short: tuple[Message, ...] = ()
    detail: tuple[Message, ...] = ()


class Told(msgspec.Struct, Generic[Data], frozen=True, kw_only=True):
    """What an engine tells about a round: the data it rests on, lines, and the boards of the rules."""

    data: Data
    answer: Answer = Answer()
    boards: tuple[tuple[int, int], ...] = ()
    """White and Black of the boards that were asked about and that the rules give; Black is 0 for the bye.
    None of a player who is free, nor of two who do not meet."""


class PairingError(PaircardError):
    """What was given cannot be paired: a snapshot contradicts itself, or a report says too little."""


class NoLegalRound(PaircardError):
    """No round-pairing complies with the absolute criteria (2026 1.9.3, 2017 A.9): the arbiter decides.

    The message names the players that cannot be paired and the rule that stops them.
    """

    players: tuple[int, ...] = ()
    """Ids of those who stand in each other's way."""
    round: int = 0
    """The round, where it is one of a tournament; else 0."""
