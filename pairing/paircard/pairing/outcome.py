"""What a pairing yields: a round with its reasons, or the reason why there is none."""

import msgspec


class Board(msgspec.Struct, frozen=True):
    """One pair, with its colours. Ids, not pairing numbers."""

    white: int
    black: int
    rule: str = ""
    """Article that decided the colours, e.g. ``5.2.3`` (2026) or ``E.3`` (2017)."""


class PairingError(ValueError):
    """The snapshot contradicts itself: the message names the player and the round."""


class NoLegalRound(Exception):
    """No round-pairing complies with the absolute criteria (2026 1.9.3, 2017 A.9): the arbiter decides.

    The message names the players that cannot be paired and the rule that stops them.
    """

    def __init__(self, message: str, players: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.players = players
