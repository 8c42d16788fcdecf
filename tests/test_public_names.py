"""The public surface: a name that other programs import does not appear, move or vanish by accident."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from paircard.domain import errors
from paircard.domain.events import EVENT_TYPES
from tests.roots import ROOT

PUBLIC = {
    "paircard.domain": """
        AdjournGame AssignNumbers Award BeginManualPairing BoardsCorrected Busy ByeGranted
        ByeRevoked Category Caution ChangeRegulations Changes ClearResult CloseTournament
        ColoursCorrected Command CompleteRound Condition CorrectBoards CorrectColours CorrectPlayer
        CorrectResult CorruptFile Deed Details DrawInitialColour DrawLots Duplicate EndManualPairing
        ErasePerson Event ExchangeNumbers ExpelPlayer ExternalTiebreakSet FideModeLeft Fields
        ForeignFile GameAdjourned GrantBye IdTaken IllegalPairing InitialColourDrawn Invalid
        LeaveFideMode LibraryMissing LiftProhibition ListRating LotsDrawn ManualPairingBegun
        ManualPairingEnded ManualSessionOpen MergePlayers Message Meta NeedsAcknowledgement
        NewerFile NoSuchPlayer NoSuchTournament NotNow NotNumbered NumbersFrozen OpenTournament
        Outcome OutcomeUnknown PairRound PaircardError PairingNumbersAssigned PairingNumbersFrozen
        PairingProhibited PairingsAltered PersonErased Played PlayerDetailsCorrected PlayerExpelled
        PlayerMerged PlayerRegistered PlayerReinstated PlayerRemoved PlayerReturned PlayerWithdrawn
        Prize PrizeRules PrizesPublished ProhibitPairing Prohibited ProhibitionLifted PublishPrizes
        PublishRound RatingCorrected RatingListed ReasonMissing RecordResult Recorded Refused
        RegisterPlayer RegulationChanges Regulations RegulationsLocked ReinstatePlayer RemovePlayer
        ReopenRound ReopenTournament Replaced ResultCleared ResultCorrected ResultRecorded
        ResultText ReturnPlayer RevokeBye RoundCompleted RoundIncomplete RoundPaired RoundPublished
        RoundReopened RoundUnpaired Scoring SetBack SetExternalTiebreak Sides Speaker StaleDecision
        StoreRefused TournamentClosed TournamentDetailsChanged TournamentImported TournamentOpened
        TournamentOver TournamentReopened Unknown UnpairRound Unreachable WarningCode WithdrawPlayer
        parse_outcome
    """,
    "paircard.domain.state": "Player Tournament evolve fold state_after",
    "paircard.domain.rounds": "ADJOURNED BoardHistory CURRENT Change Game RATING_REPORT Round",
    "paircard.projections": """
        BadTieBreak Crosstable Entry Listed NotFinal NotRanked Player Problem Prohibition Projection Row
        Runner Snapshot Writing
        StandingsError TrfError snapshot
    """,
    "paircard.projections.trf": """
        Abnormal Absent Acceleration Apart Byes Configuration InitialColour Line PlayerLine Problem
        Reading Record Report Rounds ScoringLine TrfError Virtual Worth Worths crosstable decode parse
        read render
    """,
    "paircard.pairing": """
        Board BracketTrace ENGINE Engine NextRound NoLegalRound Pairing PairingError engine_of next_round pair
    """,
    "paircard.pairing.explain": """
        Answer BYE Bar Bars BracketLines BracketStory Candidate Cause Clash Colours Contrast Counted
        Floated Group LastRound Levels Measured Meeting Meetings Numbers Preference RoundSpeaker Seat
        Share Step Story TableRound TableSeat Trials Tried Values Who Why explain why why_not
    """,
    "paircard.service": """
        Absence AlreadyRecorded Alteration Author Board BranchRound Bye Card CardLine Chance
        Comparison Desk Difference Done Entrant Explained Explanation Finding FirstRating Group
        GroupLine Head Held Imported Incoming KeptPrize KnownPlayer LaterRating Level LogLine
        Membership Moment Moved Need NormGame Norms Note Office Overview Paired PairingDesk PairingSheet
        Person PlayerNorms PlayerPrizes Players Preview PrizeLine Prizes RatedGame RatingLine Ratings Reach
        Reasons Registration Remark Replayed ReplayedPrizes Report Requirement ResultChange Round
        RoundChange RulesUnknown Seat Sheet Signable Signature Signer Standing Standings Step Summary Supposed
        Table TableLine Tournament UnusedRatings Verdict Verifier WhatIf person players_of
        read_table
    """,
    "paircard.service.explaining": """
        BYE Colour ColourHistory Explained Line Numbered Pairs People Person Points Reasons Reply Round
        Rule Sentence Someone Spoken Times ask_explain ask_why ask_why_not explain_round explain_why
        explain_why_not lines_of next_round people_of place_line round_of_log round_of_report
    """,
}
INSIDE = {
    "Names": "a dictionary, or anything else with its `get`",
    "Key": "anything that signs as a `Signer` does",
    "Choice": "the forms of one sentence, as a speaker holds them",
    "Tournaments": "the log itself, which an office hands to the doors of the house",
    "Memory": "what moments of one log share, handed on by the house",
}
"""Classes that stand in a public signature and are no promise to other programs."""


@pytest.mark.parametrize("name", PUBLIC)
def test_the_public_names_are_these_and_no_others(name: str) -> None:
    module = importlib.import_module(name)

    assert sorted(module.__all__) == sorted(PUBLIC[name].split())
    for public in module.__all__:
        assert not isinstance(getattr(module, public), ModuleType)
        assert public in dir(module)


@pytest.mark.parametrize("name", ["domain", "projections", "pairing", "service"])
def test_type_checkers_see_the_names_that_python_finds_in_the_same_modules(name: str) -> None:
    module = importlib.import_module(f"paircard.{name}")
    stub = ROOT / name / "paircard" / name / "__init__.pyi"
    source = stub.read_text(encoding="utf-8") if stub.exists() else inspect.getsource(module)
    imports = [
        (node.module, name, public)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        and str(node.module).startswith("paircard.")
        and node.module != "paircard.domain"
        for alias in node.names
        for name, public in (
            [(one, one) for one in importlib.import_module(str(node.module)).__all__]
            if alias.name == "*"
            else [(alias.name, alias.asname)]
        )
    ]

    assert sorted(str(public) for _, _, public in imports) == module.__all__
    for room, inner, public in imports:
        assert inner == public, "only a name that is imported as itself is public to type checkers"
        assert getattr(module, inner) is getattr(importlib.import_module(str(room)), inner)


def test_every_command_fact_and_refusal_can_be_imported_from_the_domain() -> None:
    domain = importlib.import_module("paircard.domain")
    refusals = [one for one in vars(errors).values() if isinstance(one, type) and is_ours(one)]

    for kind in (*get_args(domain.Command), *EVENT_TYPES, *refusals):
        assert getattr(domain, kind.__name__) is kind


@pytest.mark.parametrize("name", PUBLIC)
def test_what_a_public_call_takes_and_gives_is_public_too(name: str) -> None:
    public = {id(each) for module in PUBLIC for each in named(module)}

    hidden = {
        f"{kind.__module__}.{kind.__qualname__}"
        for each in named(name)
        for hint in hints(each)
        for kind in classes(hint)
        if is_ours(kind) and id(kind) not in public and kind.__name__ not in INSIDE
    }

    assert hidden == set()


def test_whatever_a_public_call_raises_can_be_imported() -> None:
    rooms = ("domain", "projections", "pairing", "service")
    for room in rooms:
        package = importlib.import_module(f"paircard.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    public = {id(each) for module in PUBLIC for each in named(module)}

    hidden = {
        kind.__name__
        for kind in below(errors.PaircardError)
        if kind.__module__.split(".")[1] in rooms and id(kind) not in public
    }

    assert hidden == {"ImpossibleSettings"}, "raised by random tournaments, which are no public call"


def below(kind: type[errors.PaircardError]) -> Iterator[type[errors.PaircardError]]:
    """All kinds under a kind."""
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


def test_a_name_that_is_not_there_is_refused_as_python_does() -> None:
    with pytest.raises(ImportError, match="cannot import name 'Nonsense'"):
        exec("from paircard.service import Nonsense")


def named(module: str) -> list[Any]:
    return [getattr(importlib.import_module(module), name) for name in PUBLIC[module].split()]


def is_ours(kind: type) -> bool:
    return kind.__module__.startswith("paircard.")


def hints(public: Any) -> Iterator[Any]:
    """The types in the signatures of a function, of a class with its fields, or of an alias."""
    if get_args(public):
        yield public
    elif inspect.isfunction(public):
        yield from get_type_hints(public).values()
    elif isinstance(public, type):
        for kind in filter(is_ours, public.__mro__):
            yield from get_type_hints(kind).values()
            for name, member in vars(kind).items():
                call = getattr(member, "fget", None) or getattr(member, "func", member)
                call = getattr(call, "__func__", call)
                if inspect.isfunction(call) and (name == "__init__" or not name.startswith("_")):
                    yield from get_type_hints(call).values()


def classes(hint: Any) -> Iterator[type]:
    """The classes in a type."""
    if get_args(hint):
        for part in get_args(hint):
            yield from classes(part)
    elif isinstance(hint, list | tuple):
        for part in hint:
            yield from classes(part)
    elif isinstance(hint, type):
        yield hint
