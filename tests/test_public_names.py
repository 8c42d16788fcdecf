"""The public surface: a name that other programs import does not appear, move or vanish by accident."""

import importlib
from types import ModuleType

import pytest

PUBLIC = {
    "paircard.domain": """
        AdjournGame AssignNumbers BeginManualPairing ChangeRegulations Changes CloseTournament Command
        CompleteRound CorrectBoards CorrectColours CorrectPlayer CorrectResult Details DrawInitialColour
        DrawLots Played
        EndManualPairing ErasePerson Event ExchangeNumbers ExpelPlayer GrantBye LeaveFideMode ListRating
        NeedsAcknowledgement OpenTournament Outcome PairRound PaircardError ProhibitPairing PublishRound
        RecordResult Recorded Refused RegisterPlayer RegulationChanges Regulations ReturnPlayer RevokeBye
        ClearResult LiftProhibition MergePlayers ReinstatePlayer RemovePlayer ReopenRound ReopenTournament
        Scoring SetExternalTiebreak StoreRefused UnpairRound WithdrawPlayer parse_outcome
    """,
    "paircard.projections": "Crosstable History Snapshot history snapshot",
    "paircard.pairing": "ENGINE Board BracketTrace NoLegalRound Pairing PairingError pair",
    "paircard.service": """
        Board Done Entrant Explained Imported Moment Office Overview Paired Person Players Reasons Round Seat
        Standings Summary Supposed Tournament person
    """,
}


@pytest.mark.parametrize("name", PUBLIC)
def test_the_public_names_are_these_and_no_others(name: str) -> None:
    module = importlib.import_module(name)

    assert sorted(module.__all__) == sorted(PUBLIC[name].split())
    for public in module.__all__:
        assert not isinstance(getattr(module, public), ModuleType)


def test_every_command_can_be_imported_from_the_domain() -> None:
    domain = importlib.import_module("paircard.domain")

    for kind in domain.Command.__args__:
        assert kind.__name__ in domain.__all__
