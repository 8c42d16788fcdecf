"""The tournament: its facts, what may be asked of it, and the errors that refuse.

What other programs need is here by name; how facts are decided and stored is in the rooms below. A name is
imported when it is first asked for (PEP 562), so that one room does not load all others: the first list is
for type checkers, the second for Python.
"""

from typing import TYPE_CHECKING

from paircard.domain.on_demand import on_demand

if TYPE_CHECKING:
    from paircard.domain.commands import AdjournGame as AdjournGame
    from paircard.domain.commands import AssignNumbers as AssignNumbers
    from paircard.domain.commands import BeginManualPairing as BeginManualPairing
    from paircard.domain.commands import ChangeRegulations as ChangeRegulations
    from paircard.domain.commands import ClearResult as ClearResult
    from paircard.domain.commands import CloseTournament as CloseTournament
    from paircard.domain.commands import Command as Command
    from paircard.domain.commands import CompleteRound as CompleteRound
    from paircard.domain.commands import CorrectBoards as CorrectBoards
    from paircard.domain.commands import CorrectColours as CorrectColours
    from paircard.domain.commands import CorrectPlayer as CorrectPlayer
    from paircard.domain.commands import CorrectResult as CorrectResult
    from paircard.domain.commands import DrawInitialColour as DrawInitialColour
    from paircard.domain.commands import DrawLots as DrawLots
    from paircard.domain.commands import EndManualPairing as EndManualPairing
    from paircard.domain.commands import ErasePerson as ErasePerson
    from paircard.domain.commands import ExchangeNumbers as ExchangeNumbers
    from paircard.domain.commands import ExpelPlayer as ExpelPlayer
    from paircard.domain.commands import GrantBye as GrantBye
    from paircard.domain.commands import LeaveFideMode as LeaveFideMode
    from paircard.domain.commands import LiftProhibition as LiftProhibition
    from paircard.domain.commands import ListRating as ListRating
    from paircard.domain.commands import MergePlayers as MergePlayers
    from paircard.domain.commands import Meta as Meta
    from paircard.domain.commands import OpenTournament as OpenTournament
    from paircard.domain.commands import PairRound as PairRound
    from paircard.domain.commands import ProhibitPairing as ProhibitPairing
    from paircard.domain.commands import PublishPrizes as PublishPrizes
    from paircard.domain.commands import PublishRound as PublishRound
    from paircard.domain.commands import RecordResult as RecordResult
    from paircard.domain.commands import RegisterPlayer as RegisterPlayer
    from paircard.domain.commands import ReinstatePlayer as ReinstatePlayer
    from paircard.domain.commands import RemovePlayer as RemovePlayer
    from paircard.domain.commands import ReopenRound as ReopenRound
    from paircard.domain.commands import ReopenTournament as ReopenTournament
    from paircard.domain.commands import ReturnPlayer as ReturnPlayer
    from paircard.domain.commands import RevokeBye as RevokeBye
    from paircard.domain.commands import SetExternalTiebreak as SetExternalTiebreak
    from paircard.domain.commands import UnpairRound as UnpairRound
    from paircard.domain.commands import WithdrawPlayer as WithdrawPlayer
    from paircard.domain.deciding.cautions import WarningCode as WarningCode
    from paircard.domain.errors import Busy as Busy
    from paircard.domain.errors import Caution as Caution
    from paircard.domain.errors import CorruptFile as CorruptFile
    from paircard.domain.errors import Deed as Deed
    from paircard.domain.errors import Duplicate as Duplicate
    from paircard.domain.errors import ForeignFile as ForeignFile
    from paircard.domain.errors import IdTaken as IdTaken
    from paircard.domain.errors import IllegalPairing as IllegalPairing
    from paircard.domain.errors import Invalid as Invalid
    from paircard.domain.errors import LibraryMissing as LibraryMissing
    from paircard.domain.errors import ManualSessionOpen as ManualSessionOpen
    from paircard.domain.errors import NeedsAcknowledgement as NeedsAcknowledgement
    from paircard.domain.errors import NewerFile as NewerFile
    from paircard.domain.errors import NoSuchPlayer as NoSuchPlayer
    from paircard.domain.errors import NoSuchTournament as NoSuchTournament
    from paircard.domain.errors import NotNow as NotNow
    from paircard.domain.errors import NotNumbered as NotNumbered
    from paircard.domain.errors import NumbersFrozen as NumbersFrozen
    from paircard.domain.errors import OutcomeUnknown as OutcomeUnknown
    from paircard.domain.errors import PaircardError as PaircardError
    from paircard.domain.errors import Prohibited as Prohibited
    from paircard.domain.errors import ReasonMissing as ReasonMissing
    from paircard.domain.errors import Refused as Refused
    from paircard.domain.errors import RegulationsLocked as RegulationsLocked
    from paircard.domain.errors import Replaced as Replaced
    from paircard.domain.errors import RoundIncomplete as RoundIncomplete
    from paircard.domain.errors import SetBack as SetBack
    from paircard.domain.errors import StaleDecision as StaleDecision
    from paircard.domain.errors import StoreRefused as StoreRefused
    from paircard.domain.errors import TournamentOver as TournamentOver
    from paircard.domain.errors import Unknown as Unknown
    from paircard.domain.errors import Unreachable as Unreachable
    from paircard.domain.events import Award as Award
    from paircard.domain.events import BoardsCorrected as BoardsCorrected
    from paircard.domain.events import ByeGranted as ByeGranted
    from paircard.domain.events import ByeRevoked as ByeRevoked
    from paircard.domain.events import ColoursCorrected as ColoursCorrected
    from paircard.domain.events import Event as Event
    from paircard.domain.events import ExternalTiebreakSet as ExternalTiebreakSet
    from paircard.domain.events import FideModeLeft as FideModeLeft
    from paircard.domain.events import GameAdjourned as GameAdjourned
    from paircard.domain.events import InitialColourDrawn as InitialColourDrawn
    from paircard.domain.events import LotsDrawn as LotsDrawn
    from paircard.domain.events import ManualPairingBegun as ManualPairingBegun
    from paircard.domain.events import ManualPairingEnded as ManualPairingEnded
    from paircard.domain.events import PairingNumbersAssigned as PairingNumbersAssigned
    from paircard.domain.events import PairingNumbersFrozen as PairingNumbersFrozen
    from paircard.domain.events import PairingProhibited as PairingProhibited
    from paircard.domain.events import PairingsAltered as PairingsAltered
    from paircard.domain.events import PersonErased as PersonErased
    from paircard.domain.events import Played as Played
    from paircard.domain.events import PlayerDetailsCorrected as PlayerDetailsCorrected
    from paircard.domain.events import PlayerExpelled as PlayerExpelled
    from paircard.domain.events import PlayerMerged as PlayerMerged
    from paircard.domain.events import PlayerRegistered as PlayerRegistered
    from paircard.domain.events import PlayerReinstated as PlayerReinstated
    from paircard.domain.events import PlayerRemoved as PlayerRemoved
    from paircard.domain.events import PlayerReturned as PlayerReturned
    from paircard.domain.events import PlayerWithdrawn as PlayerWithdrawn
    from paircard.domain.events import PrizesPublished as PrizesPublished
    from paircard.domain.events import ProhibitionLifted as ProhibitionLifted
    from paircard.domain.events import RatingCorrected as RatingCorrected
    from paircard.domain.events import RatingListed as RatingListed
    from paircard.domain.events import Recorded as Recorded
    from paircard.domain.events import ResultCleared as ResultCleared
    from paircard.domain.events import ResultCorrected as ResultCorrected
    from paircard.domain.events import ResultRecorded as ResultRecorded
    from paircard.domain.events import RoundCompleted as RoundCompleted
    from paircard.domain.events import RoundPaired as RoundPaired
    from paircard.domain.events import RoundPublished as RoundPublished
    from paircard.domain.events import RoundReopened as RoundReopened
    from paircard.domain.events import RoundUnpaired as RoundUnpaired
    from paircard.domain.events import TournamentClosed as TournamentClosed
    from paircard.domain.events import TournamentDetailsChanged as TournamentDetailsChanged
    from paircard.domain.events import TournamentImported as TournamentImported
    from paircard.domain.events import TournamentOpened as TournamentOpened
    from paircard.domain.events import TournamentReopened as TournamentReopened
    from paircard.domain.messages import Fields as Fields
    from paircard.domain.messages import Message as Message
    from paircard.domain.messages import Sides as Sides
    from paircard.domain.speaking import Speaker as Speaker
    from paircard.domain.values.players import Changes as Changes
    from paircard.domain.values.players import Details as Details
    from paircard.domain.values.prizes import Category as Category
    from paircard.domain.values.prizes import Condition as Condition
    from paircard.domain.values.prizes import Prize as Prize
    from paircard.domain.values.prizes import PrizeRules as PrizeRules
    from paircard.domain.values.regulations import RegulationChanges as RegulationChanges
    from paircard.domain.values.regulations import Regulations as Regulations
    from paircard.domain.values.results import Outcome as Outcome
    from paircard.domain.values.results import ResultText as ResultText
    from paircard.domain.values.results import Scoring as Scoring
    from paircard.domain.values.results import parse_outcome as parse_outcome
else:
    __getattr__, __dir__, __all__ = on_demand(
        __name__,
        {
            "paircard.domain.commands": (
                "AdjournGame AssignNumbers BeginManualPairing ChangeRegulations ClearResult "
                "CloseTournament Command CompleteRound CorrectBoards CorrectColours CorrectPlayer "
                "CorrectResult DrawInitialColour DrawLots EndManualPairing ErasePerson ExchangeNumbers "
                "ExpelPlayer GrantBye LeaveFideMode LiftProhibition ListRating MergePlayers Meta "
                "OpenTournament PairRound ProhibitPairing PublishPrizes PublishRound RecordResult "
                "RegisterPlayer ReinstatePlayer RemovePlayer ReopenRound ReopenTournament ReturnPlayer "
                "RevokeBye SetExternalTiebreak UnpairRound WithdrawPlayer"
            ),
            "paircard.domain.deciding.cautions": "WarningCode",
            "paircard.domain.errors": (
                "Busy Caution CorruptFile Deed Duplicate ForeignFile IdTaken IllegalPairing Invalid "
                "LibraryMissing ManualSessionOpen NeedsAcknowledgement NewerFile NoSuchPlayer "
                "NoSuchTournament NotNow NotNumbered NumbersFrozen OutcomeUnknown PaircardError "
                "Prohibited ReasonMissing Refused RegulationsLocked Replaced RoundIncomplete SetBack "
                "StaleDecision StoreRefused TournamentOver Unknown Unreachable"
            ),
            "paircard.domain.events": (
                "Award BoardsCorrected ByeGranted ByeRevoked ColoursCorrected Event ExternalTiebreakSet "
                "FideModeLeft GameAdjourned InitialColourDrawn LotsDrawn ManualPairingBegun "
                "ManualPairingEnded PairingNumbersAssigned PairingNumbersFrozen PairingProhibited "
                "PairingsAltered PersonErased Played PlayerDetailsCorrected PlayerExpelled PlayerMerged "
                "PlayerRegistered PlayerReinstated PlayerRemoved PlayerReturned PlayerWithdrawn "
                "PrizesPublished ProhibitionLifted RatingCorrected RatingListed Recorded ResultCleared "
                "ResultCorrected ResultRecorded RoundCompleted RoundPaired RoundPublished RoundReopened "
                "RoundUnpaired TournamentClosed TournamentDetailsChanged TournamentImported TournamentOpened "
                "TournamentReopened"
            ),
            "paircard.domain.messages": "Fields Message Sides",
            "paircard.domain.speaking": "Speaker",
            "paircard.domain.values.players": "Changes Details",
            "paircard.domain.values.prizes": "Category Condition Prize PrizeRules",
            "paircard.domain.values.regulations": "RegulationChanges Regulations",
            "paircard.domain.values.results": "Outcome ResultText Scoring parse_outcome",
        },
    )
