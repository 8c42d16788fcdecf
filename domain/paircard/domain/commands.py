"""What may be asked of a tournament.

Clock, ids and lots come in as fields; deciding reads neither a clock nor chance.
"""

from typing import Final, Literal, TypeAlias

import msgspec

from paircard.domain.events import Award, Board, Origin, Played, TournamentImported
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome

__all__ = [
    "AdjournGame", "AssignNumbers", "BeginManualPairing", "ChangeRegulations", "ClearResult",
    "CloseTournament", "Command", "CompleteRound", "CorrectBoards", "CorrectColours", "CorrectPlayer",
    "CorrectResult", "DrawInitialColour", "DrawLots", "EndManualPairing", "ErasePerson",
    "ExchangeNumbers", "ExpelPlayer", "GrantBye", "LeaveFideMode", "LiftProhibition", "ListRating",
    "MergePlayers", "Meta", "OpenTournament", "PairRound", "ProhibitPairing", "PublishPrizes",
    "PublishRound", "RecordResult", "RegisterPlayer", "ReinstatePlayer", "RemovePlayer", "ReopenRound",
    "ReopenTournament", "ReturnPlayer", "RevokeBye", "SetExternalTiebreak", "UnpairRound",
    "WithdrawPlayer",
]  # fmt: skip

Lots: TypeAlias = Literal["", "lots", "varma"]


class Meta(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, when and why, and what they have been warned of."""

    who: str
    when: str
    """UTC, ``2026-11-16T09:30:00Z``."""
    command_id: str
    """Made by the asker; the same id twice counts once."""
    why: str = ""
    """Required for corrections, alterations and other exceptions."""
    acknowledge: tuple[str, ...] = ()
    """Codes of the warnings that are accepted, one by one: no level as a whole (VCL 218-220)."""
    through: str = ""
    """What the name rests on: ``key:…``, ``link:…``, ``session:…``; empty for a claim."""


UNSIGNED: Final = Meta(who="", when="", command_id="")
"""Of a command that nobody has asked yet; deciding refuses it."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What all commands carry."""

    meta: Meta = UNSIGNED


class OfPlayer(Asked, frozen=True, kw_only=True):
    """A command about one player."""

    player: int


class OfRound(Asked, frozen=True, kw_only=True):
    """A command about one round."""

    round: int


class OnBoard(OfRound, frozen=True, kw_only=True):
    """A command about one board of a round."""

    board: int


class OpenTournament(Asked, frozen=True, kw_only=True):
    """Open a tournament with its regulations."""

    regulations: Regulations
    filed: TournamentImported | None = None
    """What the file says that the tournament is imported from; None for a new one."""


class ChangeRegulations(Asked, frozen=True, kw_only=True):
    """Change what was announced."""

    changes: RegulationChanges


class RegisterPlayer(Asked, frozen=True, kw_only=True):
    """Enter a player."""

    details: Details
    missed: str = ""
    """For a late entry: letters of the rounds already paired, Z or H; empty means Z for all."""


class CorrectPlayer(OfPlayer, frozen=True, kw_only=True):
    """Correct a player's details."""

    changes: Changes


class ListRating(OfPlayer, frozen=True, kw_only=True):
    """A rating that a player has from a round on (VCL 212, 213)."""

    rating: int
    first: int


class WithdrawPlayer(OfPlayer, frozen=True, kw_only=True):
    """A player plays no further round."""


class ReturnPlayer(OfPlayer, frozen=True, kw_only=True):
    """A player who withdrew plays again."""


class RemovePlayer(OfPlayer, frozen=True, kw_only=True):
    """Take an entry off the list that was made by mistake; only before the player is ever paired."""


class MergePlayers(OfPlayer, frozen=True, kw_only=True):
    """Two entries are one person: the first, never paired, goes; the other stays."""

    into: int


class ExpelPlayer(OfPlayer, frozen=True, kw_only=True):
    """Expel a player from the tournament."""

    ranked: bool = False


class ReinstatePlayer(OfPlayer, frozen=True, kw_only=True):
    """Reverse an expulsion."""


class ErasePerson(OfPlayer, frozen=True, kw_only=True):
    """Remove a player's personal data; ``pieces`` names the parts, by version and commitment."""

    pieces: tuple[tuple[int, str], ...] = ()


class GrantBye(OfPlayer, frozen=True, kw_only=True):
    """Let a player miss a round."""

    round: int
    letter: str = ""
    """H, F or Z; empty for a half point where the regulations announce such byes, else zero (C.04.2:3.3)."""


class RevokeBye(OfPlayer, frozen=True, kw_only=True):
    """Take back a bye that was granted."""

    round: int


class ProhibitPairing(Asked, frozen=True, kw_only=True):
    """Players who may not meet."""

    players: tuple[int, ...]
    first: int = 1
    last: int = 999


class LiftProhibition(Asked, frozen=True, kw_only=True):
    """Take back the prohibitions that name exactly these players."""

    players: tuple[int, ...]


class DrawInitialColour(Asked, frozen=True, kw_only=True):
    """The colour of number 1 in round 1, drawn by lot (C.04.3:5.1)."""

    colour: str
    """The lot: ``w`` or ``b``."""
    entered: bool = False
    """The lot was drawn elsewhere, not by the program that asks."""


class AssignNumbers(Asked, frozen=True, kw_only=True):
    """Number the players, or number them again after corrections (C.04.2:2.3)."""

    order: tuple[int, ...] = ()
    """A declared list of all ids: in a round robin, and where the regulations or a file have one."""
    lots: Lots = ""
    """For a round robin: ``lots``, or ``varma`` for lots that keep federations apart (C.05 Annex 2)."""
    seed: str = ""
    """What the lots are drawn from, made by chance."""


class ExchangeNumbers(Asked, frozen=True, kw_only=True):
    """Two players of equal rating change places (VCL 148, 150)."""

    one: int
    other: int


class PairRound(OfRound, frozen=True, kw_only=True):
    """Put a round on record, as an engine, a file or the arbiter made it."""

    boards: tuple[Board, ...]
    pab: int = 0
    based_on: int
    """Version of the log the snapshot was taken at."""
    snapshot: str = ""
    engine: str = ""
    origin: Origin = "engine"
    """``manual`` is not asked for here, but by beginning and ending a manual pairing."""


class UnpairRound(OfRound, frozen=True, kw_only=True):
    """Take back the pairing of a round."""


class PublishRound(OfRound, frozen=True, kw_only=True):
    """Make a round public."""


class BeginManualPairing(OfRound, frozen=True, kw_only=True):
    """Take the last paired round, or the next one, into the arbiter's hands."""


class EndManualPairing(OfRound, frozen=True, kw_only=True):
    """The arbiter's boards, and what the engine says about the same round.

    For a round that is paired already the engine's boards are those on record, if an engine made them.
    No boards for a round not yet paired, or the boards as they are, end the session without effect.
    """

    boards: tuple[Board, ...]
    pab: int = 0
    engine_boards: tuple[Board, ...] = ()
    """Empty where the engine finds no legal round."""
    engine_pab: int = 0
    engine: str = ""
    snapshot: str = ""
    based_on: int = 0


class RecordResult(OnBoard, frozen=True, kw_only=True):
    """Enter the result of a board."""

    outcome: Outcome


class AdjournGame(OnBoard, frozen=True, kw_only=True):
    """A game is to be finished later."""


class ClearResult(OnBoard, frozen=True, kw_only=True):
    """A result or an adjournment was entered on the wrong board: the game is open again."""


class CorrectResult(OnBoard, frozen=True, kw_only=True):
    """Correct a result that was recorded."""

    outcome: Outcome


class CorrectColours(OnBoard, frozen=True, kw_only=True):
    """White and Black of this board were the other way round."""


class CorrectBoards(OfRound, frozen=True, kw_only=True):
    """Others met than the record has; boards that are not named stay as they are."""

    boards: tuple[Played, ...]
    """Two players who met by the record keep their result unless another is given."""
    pab: int = 0
    """Id of the player who had the pairing-allocated bye; 0 leaves it where it is."""


class CompleteRound(OfRound, frozen=True, kw_only=True):
    """A round is over."""


class ReopenRound(OfRound, frozen=True, kw_only=True):
    """The round was completed too early."""


class DrawLots(Asked, frozen=True, kw_only=True):
    """Part players who are tied, by lot or by hand."""

    players: tuple[int, ...]
    """In the order the lots, drawn outside, gave."""
    by_hand: bool = False


class SetExternalTiebreak(OfPlayer, frozen=True, kw_only=True):
    """Values of a tie-break that is computed elsewhere."""

    name: str
    value: int
    """In hundredths."""


class LeaveFideMode(Asked, frozen=True, kw_only=True):
    """Do from now on what FIDE mode prohibits; there is no way back."""

    filed: bool = False
    """The file that the tournament is imported from says that FIDE mode was left (VCL 45)."""


class PublishPrizes(Asked, frozen=True, kw_only=True):
    """Put the list of prizes on record, as it was computed."""

    awards: tuple[Award, ...]
    based_on: int
    """Version of the log it was computed at."""
    computed_from: str
    """SHA-256 of what it was computed from."""


class CloseTournament(Asked, frozen=True, kw_only=True):
    """The tournament is over."""


class ReopenTournament(Asked, frozen=True, kw_only=True):
    """The tournament was closed too early."""


Command: TypeAlias = (
    OpenTournament | ChangeRegulations | RegisterPlayer | CorrectPlayer | ListRating | WithdrawPlayer
    | ReturnPlayer | RemovePlayer | MergePlayers | ExpelPlayer | ReinstatePlayer | ErasePerson | GrantBye
    | RevokeBye | ProhibitPairing | LiftProhibition | DrawInitialColour | AssignNumbers | ExchangeNumbers
    | PairRound | UnpairRound | PublishRound | BeginManualPairing | EndManualPairing | RecordResult
    | AdjournGame | ClearResult | CorrectResult | CorrectColours | CorrectBoards | CompleteRound
    | ReopenRound | DrawLots | SetExternalTiebreak | LeaveFideMode | PublishPrizes | CloseTournament
    | ReopenTournament
)  # fmt: skip
