"""The facts of a tournament.

A tag is the stored name for ever, never an import path. A new field has a default and a stored type
never changes; ``tests/domain/golden_events.jsonl`` holds the bytes of every fact against that.
Players are meant by their ids for life, boards by their place in the published order, 1 first.
Who, when and why are not in the fact: they are in the envelope, ``Recorded``.
"""

from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome

__all__ = [
    "Award", "BoardsCorrected", "ByeGranted", "ByeRevoked", "ColoursCorrected", "Event",
    "ExternalTiebreakSet", "FideModeLeft", "GameAdjourned", "InitialColourDrawn", "LotsDrawn",
    "ManualPairingBegun", "ManualPairingEnded", "PairingNumbersAssigned", "PairingNumbersFrozen",
    "PairingProhibited", "PairingsAltered", "PersonErased", "Played", "PlayerDetailsCorrected",
    "PlayerExpelled", "PlayerMerged", "PlayerRegistered", "PlayerReinstated", "PlayerRemoved",
    "PlayerReturned", "PlayerWithdrawn", "PrizesPublished", "ProhibitionLifted", "RatingCorrected",
    "RatingListed", "Recorded", "ResultCleared", "ResultCorrected", "ResultRecorded", "RoundCompleted",
    "RoundPaired", "RoundPublished", "RoundReopened", "RoundUnpaired", "TournamentClosed",
    "TournamentDetailsChanged", "TournamentImported", "TournamentOpened", "TournamentReopened",
]  # fmt: skip

Scope: TypeAlias = Literal["pairing-next", "pairing-after-next", "rating-report-only", "standings"]
"""What a correction may still touch (C.04.2:4.3): the standings of its round and the next pairing; the
pairing after the next; or nothing but the rating report. In a round robin the standings: no pairing."""

Cause: TypeAlias = Literal["initial", "late-entry", "regenerated", "exchanged", "declared", "lots", "varma"]
"""How numbers came about: by rating, after a late entry or a correction, exchanged, by hand; in a round robin
by lots, or by lots that keep federations apart (C.05 Annex 2)."""
Origin: TypeAlias = Literal["engine", "import", "manual"]
Board: TypeAlias = tuple[int, int]
"""Ids of White and Black."""


IRREGULAR: Final = "Import @ Round "
"""How a note of an import begins about a round that is not paired by the rules."""


class OfPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A fact about one player."""

    player: int


class OfRound(msgspec.Struct, frozen=True, kw_only=True):
    """A fact about one round."""

    round: int


class OnBoard(OfRound, frozen=True, kw_only=True):
    """A fact about one board of a round."""

    board: int


class TournamentOpened(msgspec.Struct, frozen=True, kw_only=True, tag="tournament-opened"):
    """A tournament was opened."""

    regulations: Regulations


class TournamentImported(msgspec.Struct, frozen=True, kw_only=True, tag="tournament-imported"):
    """The tournament comes from a file; its numbers and earlier rounds are those of the file."""

    source: str
    format: str
    digest: str = ""
    """SHA-256 of the file."""
    adjustments: tuple[str, ...] = ()
    """What had to be read differently from how it was written (VCL 48, 50, 52)."""
    kept: tuple[tuple[str, tuple[int, ...]], ...] | UnsetType = UNSET
    """Lines of the file that no other fact holds, each with the ids of the players it names."""
    places: tuple[tuple[int, int], ...] | UnsetType = UNSET
    """Id and place of every player the file ranks, after the last round it has."""
    paired: int | UnsetType = UNSET
    """Rounds the file has."""
    group_a_ends: int | UnsetType = UNSET
    """Id of the last player the file accelerates (C.04.7:1.3)."""
    uncoloured: tuple[tuple[int, int], ...] | UnsetType = UNSET
    """Round and board of each forfeited game for which the file has no colours."""
    extra_points: tuple[tuple[int, int, int], ...] | UnsetType = UNSET
    """Id, round and tenths of points that are not those of a result: bonuses and penalties (TRF26 299)."""


class TournamentDetailsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="tournament-details-changed"):
    """What was announced was changed."""

    changes: RegulationChanges


class PlayerRegistered(OfPlayer, frozen=True, kw_only=True, tag="player-registered", gc=False):
    """A player was entered."""

    details: Details
    missed: str = ""
    """A late entry's letters for the rounds already paired, round 1 first: Z, or H where the event's
    rules give a half point (C.04.2:2.4)."""


class PlayerDetailsCorrected(OfPlayer, frozen=True, kw_only=True, tag="player-details-corrected"):
    """Details of a player were corrected."""

    changes: Changes


class RatingCorrected(OfPlayer, frozen=True, kw_only=True, tag="rating-corrected"):
    """A rating put right while round 4 is paired: no number moves as long as it is (C.04.2:2.3).

    For the rating report only, as earlier versions recorded it, the number stays also when that round is
    taken back.
    """

    rating: int
    was: int
    scope: Scope = "rating-report-only"


class RatingListed(OfPlayer, frozen=True, kw_only=True, tag="rating-listed"):
    """A further rating of a player in a long event (C.07:10, VCL 212-214).

    Numbers and pairings keep the first.
    """

    rating: int
    first: int
    """The first round whose games it belongs to."""


class PlayerWithdrawn(OfPlayer, frozen=True, kw_only=True, tag="player-withdrawn"):
    """A player plays no further round."""

    round: int
    """First round for which the player is no longer paired (C.04.2:3.2)."""


class PlayerReturned(OfPlayer, frozen=True, kw_only=True, tag="player-returned"):
    """A player who had withdrawn plays again."""

    round: int
    """First round for which the player is paired again."""


class PlayerRemoved(OfPlayer, frozen=True, kw_only=True, tag="player-removed"):
    """An entry made by mistake, of somebody who was never paired; its id is not given again."""


class PlayerMerged(OfPlayer, frozen=True, kw_only=True, tag="player-merged"):
    """A second entry of one person, which was never paired, is gone; the other one stays."""

    into: int
    """The entry that stays."""


class PlayerExpelled(OfPlayer, frozen=True, kw_only=True, tag="player-expelled"):
    """A player was expelled."""

    round: int
    """First round for which the player is no longer paired."""
    ranked: bool = False
    """Whether the player stays in the standings (VCL 198)."""


class PlayerReinstated(OfPlayer, frozen=True, kw_only=True, tag="player-reinstated"):
    """An expulsion was reversed, on appeal or because the wrong player was named."""

    round: int
    """First round for which the player is paired again."""


class PersonErased(OfPlayer, frozen=True, kw_only=True, tag="person-erased"):
    """The personal data of a player was removed on request; facts, boards and results stay."""

    pieces: tuple[tuple[int, str], ...]
    """Version of each fact concerned and the commitment of the part that was removed."""


class ByeGranted(OfPlayer, frozen=True, kw_only=True, tag="bye-granted"):
    """A player misses a round."""

    round: int
    letter: str
    """H half, F full, Z zero points."""


class ByeRevoked(OfPlayer, frozen=True, kw_only=True, tag="bye-revoked"):
    """A bye was taken back."""

    round: int


class PairingProhibited(msgspec.Struct, frozen=True, kw_only=True, tag="pairing-prohibited"):
    """No two of these players meet in these rounds (TRF26 260)."""

    players: tuple[int, ...]
    first: int = 1
    last: int = 999


class ProhibitionLifted(msgspec.Struct, frozen=True, kw_only=True, tag="prohibition-lifted"):
    """A prohibition that no longer holds, from the next pairing on."""

    players: tuple[int, ...]
    first: int = 1
    last: int = 999
    """Players and rounds as they were prohibited."""
    round: int
    """First round it no longer holds for."""


class InitialColourDrawn(msgspec.Struct, frozen=True, kw_only=True, tag="initial-colour-drawn"):
    """The colour of number 1 in round 1 was drawn (C.04.3:5.1)."""

    colour: str
    """``w`` or ``b``, for the first number (C.04.3:5.1)."""
    method: Literal["drawn", "entered"] | UnsetType = UNSET
    """Drawn by the program, or drawn elsewhere and entered."""


class PairingNumbersAssigned(msgspec.Struct, frozen=True, kw_only=True, tag="pairing-numbers-assigned"):
    """The order of all players from which numbers are counted; who was never paired has none yet."""

    order: tuple[int, ...]
    cause: Cause
    seed: str | UnsetType = UNSET
    """What lots were drawn from: anybody who knows it can draw them again."""


class PairingNumbersFrozen(OfRound, frozen=True, kw_only=True, tag="pairing-numbers-frozen"):
    """Numbers are no longer reassigned; late entries are still inserted (C.04.2:2.3, 2.4)."""

    numbers: tuple[tuple[int, int], ...] | UnsetType = UNSET
    """Id and number of everyone numbered at that moment, by number."""


class RoundPaired(OfRound, frozen=True, kw_only=True, tag="round-paired"):
    """A round was paired: its boards, and what they were made from."""

    edition: str
    """The rules that were applied."""
    engine: str
    """Name and version of the program that paired."""
    based_on: int
    """Version of the log the snapshot was taken at."""
    snapshot: str
    """SHA-256 of the canonical snapshot; empty when the round was not computed."""
    numbers: tuple[tuple[int, int], ...]
    """Id and pairing number of everyone who has one, by number."""
    boards: tuple[Board, ...]
    """In published order, board 1 first."""
    pab: int = 0
    """Id of the player with the pairing-allocated bye, 0 for none."""
    absent: tuple[tuple[int, str], ...] = ()
    """Everyone else, by id, with the letter of the round: H, F or Z."""
    origin: Origin = "engine"


class RoundUnpaired(OfRound, frozen=True, kw_only=True, tag="round-unpaired"):
    """A round was taken back."""


class RoundPublished(OfRound, frozen=True, kw_only=True, tag="round-published"):
    """A round was made public."""


class ManualPairingBegun(OfRound, frozen=True, kw_only=True, tag="manual-pairing-begun"):
    """From here to its end the round is in the arbiter's hands (VCL 65)."""


class PairingsAltered(OfRound, frozen=True, kw_only=True, tag="pairings-altered"):
    """The arbiter's boards, and those of the engine (VCL 68, 69)."""

    boards: tuple[Board, ...]
    pab: int
    engine_boards: tuple[Board, ...]
    """Empty where no engine paired, or none could."""
    engine_pab: int
    numbers: tuple[tuple[int, int], ...]
    """As in ``RoundPaired``, for the arbiter's boards."""
    absent: tuple[tuple[int, str], ...] = ()


class ManualPairingEnded(OfRound, frozen=True, kw_only=True, tag="manual-pairing-ended"):
    """The arbiter has finished pairing a round by hand."""

    altered: bool


class ResultRecorded(OnBoard, frozen=True, kw_only=True, tag="result-recorded"):
    """The result of a board was entered."""

    outcome: Outcome
    reason: Literal["withdrawal"] | UnsetType = UNSET
    """Why a forfeit in a round robin: somebody withdrew or was expelled (C.05:6.6), who may come back."""


class GameAdjourned(OnBoard, frozen=True, kw_only=True, tag="game-adjourned"):
    """A draw for pairing until its result is known (C.04.2:3.1)."""


class ResultCleared(OnBoard, frozen=True, kw_only=True, tag="result-cleared"):
    """A result, or an adjournment, entered on the wrong board: the game is open again."""

    was: Outcome
    """What was recorded until now; ``?`` on both sides for an adjourned game."""


class ResultCorrected(OnBoard, frozen=True, kw_only=True, tag="result-corrected"):
    """A result was corrected, and from when that counts (C.04.2:4.3)."""

    outcome: Outcome
    """White's letter first, with the colours as this scope has them."""
    was: Outcome
    """The result that counted for this scope until now."""
    scope: Scope


class ColoursCorrected(OnBoard, frozen=True, kw_only=True, tag="colours-corrected"):
    """The board was played with other colours than recorded; each player keeps their own result."""

    white: int
    black: int
    scope: Scope


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A board as it was played: who sat there, and what came of it."""

    board: int
    white: int
    black: int
    outcome: Outcome | None = None
    """White's letter first; None for the result on record of the same two players, if there is one."""


class BoardsCorrected(OfRound, frozen=True, kw_only=True, tag="boards-corrected"):
    """Others met than the record has: the boards as they were played, in the window of C.04.2:4.3."""

    boards: tuple[Played, ...]
    """The boards that change, by number."""
    was: tuple[Played, ...]
    """These boards as they counted for this scope until now."""
    scope: Scope
    pab: int = 0
    """Id of the player who had the pairing-allocated bye, 0 for none."""
    pab_was: int = 0


class RoundCompleted(OfRound, frozen=True, kw_only=True, tag="round-completed"):
    """The end of the round, from which the windows of C.04.2:4.3 are counted."""


class RoundReopened(OfRound, frozen=True, kw_only=True, tag="round-reopened"):
    """The round was completed too early: it goes on."""


class LotsDrawn(msgspec.Struct, frozen=True, kw_only=True, tag="lots-drawn"):
    """Tied players in the order lots, or the arbiter's hand, gave them; never drawn twice (VCL 206)."""

    players: tuple[int, ...]
    method: Literal["lots", "hand"] = "lots"


class ExternalTiebreakSet(OfPlayer, frozen=True, kw_only=True, tag="external-tiebreak-set"):
    """A tie-break value from outside, such as a play-off (VCL 207)."""

    name: str
    value: int
    """In hundredths."""


class FideModeLeft(msgspec.Struct, frozen=True, kw_only=True, tag="fide-mode-left"):
    """From now on things are allowed that FIDE mode prohibits."""

    round: int
    """Rounds paired when FIDE mode was left; there is no way back (VCL 45)."""


class Award(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a player gets of one prize."""

    prize: str
    """Its name in the announcement; of a shared prize the list's first of the group that shares."""
    player: int
    amount: int = 0
    """In cents."""
    thing: str = ""


class PrizesPublished(msgspec.Struct, frozen=True, kw_only=True, tag="prizes-published"):
    """The list of prizes as it was given out."""

    awards: tuple[Award, ...]
    based_on: int
    """Version of the log it was computed at."""
    computed_from: str
    """SHA-256 of the rules, the places, the points and who belongs where."""


class TournamentClosed(msgspec.Struct, frozen=True, kw_only=True, tag="tournament-closed"):
    """The tournament is over."""

    rounds: int
    """Rounds played."""


class TournamentReopened(msgspec.Struct, frozen=True, kw_only=True, tag="tournament-reopened"):
    """The tournament was closed too early: it goes on."""

    rounds: int
    """Rounds paired by then."""


Event: TypeAlias = (
    TournamentOpened | TournamentImported | TournamentDetailsChanged | PlayerRegistered
    | PlayerDetailsCorrected | RatingCorrected | RatingListed | PlayerWithdrawn | PlayerReturned
    | PlayerRemoved | PlayerMerged | PlayerExpelled | PlayerReinstated | PersonErased | ByeGranted
    | ByeRevoked | PairingProhibited | ProhibitionLifted | InitialColourDrawn | PairingNumbersAssigned
    | PairingNumbersFrozen | RoundPaired | RoundUnpaired | RoundPublished | ManualPairingBegun
    | PairingsAltered | ManualPairingEnded | ResultRecorded | GameAdjourned | ResultCleared
    | ResultCorrected | ColoursCorrected | BoardsCorrected | RoundCompleted | RoundReopened | LotsDrawn
    | ExternalTiebreakSet | FideModeLeft | PrizesPublished | TournamentClosed | TournamentReopened
)  # fmt: skip

Correction: TypeAlias = ResultCorrected | ColoursCorrected | BoardsCorrected
"""What puts a played round right, each in a window of its own."""

EVENT_TYPES: Final[tuple[type[msgspec.Struct], ...]] = get_args(Event)


TAGS: Final[dict[type[msgspec.Struct], str]] = {kind: str(kind.__struct_config__.tag) for kind in EVENT_TYPES}
"""The stored name of each kind of fact."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A fact in its envelope, as it stands in the log."""

    tournament: str
    """Id of the tournament, 32 hexadecimal digits."""
    version: int
    """Place in the tournament's own log, 1 first."""
    fact: Event
    who: str
    when: str
    """UTC, ``2026-11-16T09:30:00Z``; given in, so never used for order."""
    why: str = ""
    command_id: str = ""
    acknowledged: tuple[str, ...] = ()
    """Warnings that were confirmed, as ``level:code``, with the players concerned: ``3:rematch #1 #2``."""
    through: str = ""
    """What ``who`` rests on: ``key:…``, ``role:…``, ``link:…``; empty for a name that was only claimed."""
    private: tuple[str, ...] = ()
    """Commitments to the personal parts of the fact, which are stored apart: SHA-256 of each."""
    signed: str = ""
    """Ed25519 signature of the person who asked, in base64; one per request, in its last fact."""
    previous: str
    """Hash of the fact before it; 64 zeros before the first."""
    hash: str
    position: int = 0
    """Place in the total order of the whole file; 0 when read by tournament."""
