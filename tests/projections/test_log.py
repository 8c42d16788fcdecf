"""The log in words: every fact has a line that a person can read years later."""

from paircard.domain.events import (
    EVENT_TYPES,
    Award,
    BoardsCorrected,
    ByeGranted,
    ByeRevoked,
    ColoursCorrected,
    Event,
    ExternalTiebreakSet,
    FideModeLeft,
    GameAdjourned,
    InitialColourDrawn,
    LotsDrawn,
    ManualPairingBegun,
    ManualPairingEnded,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PairingProhibited,
    PairingsAltered,
    PersonErased,
    Played,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerMerged,
    PlayerRegistered,
    PlayerReinstated,
    PlayerRemoved,
    PlayerReturned,
    PlayerWithdrawn,
    PrizesPublished,
    ProhibitionLifted,
    RatingCorrected,
    RatingListed,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundReopened,
    RoundUnpaired,
    TournamentClosed,
    TournamentDetailsChanged,
    TournamentImported,
    TournamentOpened,
    TournamentReopened,
)
from paircard.domain.rounds import ADJOURNED
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome
from paircard.projections.log_lines import concerning, log_lines
from tests.projections.conftest import enveloped

WON, LOST = Outcome("1", "0"), Outcome("0", "1")
TOLD: list[tuple[Event, str]] = [
    (TournamentOpened(regulations=Regulations(name="Open", rounds=5)), "Open opened: 5 rounds, dutch-2026"),
    (TournamentImported(source="open.trf", format="TRF26"), "imported from open.trf (TRF26)"),
    (
        TournamentDetailsChanged(changes=RegulationChanges(place="Torino", tiebreaks=("BH", "SB"))),
        "regulations changed: tiebreaks BH SB; place Torino",
    ),
    (
        PlayerRegistered(player=1, details=Details(name="Ada", title="FM", rating=2100)),
        "FM Ada 2100 registered",
    ),
    (PlayerRegistered(player=2, details=Details(name="Ben")), "Ben unrated registered"),
    (PlayerRegistered(player=3, details=Details(name="Cleo")), "Cleo unrated registered"),
    (
        PlayerDetailsCorrected(player=2, changes=Changes(name="Benno", club="")),
        "Ben corrected: name Benno; club none",
    ),
    (
        RatingListed(player=2, rating=2410, first=4),
        "rating of Benno is 2410 from round 4 on",
    ),
    (
        RatingCorrected(player=2, rating=1900, was=0),
        "rating of Benno corrected from 0 to 1900: the pairing number stays, tie-breaks follow",
    ),
    (PlayerWithdrawn(player=2, round=1), "Benno withdrawn from round 1 on"),
    (PlayerReturned(player=2, round=1), "Benno back from round 1 on"),
    (PlayerRegistered(player=4, details=Details(name="Typo")), "Typo unrated registered"),
    (PlayerRemoved(player=4), "entry of Typo removed"),
    (PlayerRegistered(player=5, details=Details(name="Kleo")), "Kleo unrated registered"),
    (PlayerMerged(player=5, into=3), "entry of Kleo merged into that of Cleo"),
    (ByeGranted(player=3, round=1, letter="H"), "half-point bye for Cleo in round 1"),
    (ByeRevoked(player=3, round=1), "bye of Cleo in round 1 revoked"),
    (PairingProhibited(players=(1, 3)), "Ada, Cleo must not meet"),
    (PairingProhibited(players=(1, 3), first=2, last=3), "Ada, Cleo must not meet in rounds 2 to 3"),
    (InitialColourDrawn(colour="b"), "lot drawn: number 1 begins with Black"),
    (
        PairingNumbersAssigned(order=(1, 2, 3), cause="initial"),
        "pairing numbers: 3 players in the initial order",
    ),
    (PairingNumbersFrozen(round=4), "pairing numbers frozen, round 4 is paired"),
    (
        RoundPaired(
            round=1,
            edition="dutch-2026",
            engine="e/1",
            based_on=9,
            snapshot="",
            numbers=(),
            boards=((1, 2),),
            pab=3,
        ),
        "round 1 paired: 1 board, bye for Cleo (dutch-2026, e/1)",
    ),
    (RoundPublished(round=1), "round 1 published"),
    (ManualPairingBegun(round=1), "manual pairing of round 1 started"),
    (
        PairingsAltered(round=1, boards=((3, 1),), pab=2, engine_boards=((1, 2),), engine_pab=3, numbers=()),
        "round 1 altered: Cleo – Ada; Benno bye instead of Ada – Benno; Cleo bye",
    ),
    (ManualPairingEnded(round=1, altered=True), "manual pairing of round 1 ended, altered"),
    (GameAdjourned(round=1, board=1), "round 1 board 1: Cleo – Ada adjourned"),
    (ResultCleared(round=1, board=1, was=ADJOURNED), "round 1 board 1: Cleo – Ada, adjournment cleared"),
    (ResultRecorded(round=1, board=1, outcome=WON), "round 1 board 1: Cleo – Ada 1-0"),
    (
        ResultCorrected(round=1, board=1, outcome=LOST, was=WON, scope="pairing-after-next"),
        "round 1 board 1: Cleo – Ada corrected from 1-0 to 0-1, counts for the pairings yet to be made",
    ),
    (
        ColoursCorrected(round=1, board=1, white=1, black=3, scope="pairing-next"),
        "round 1 board 1: colours were Ada – Cleo 1-0, "
        "counts for the standings of the round and the next pairing",
    ),
    (
        BoardsCorrected(
            round=1,
            boards=(Played(board=1, white=2, black=3, outcome=ADJOURNED),),
            was=(Played(board=1, white=1, black=3, outcome=WON),),
            scope="rating-report-only",
            pab=1,
            pab_was=2,
        ),
        "round 1 played otherwise: board 1 Benno – Cleo adjourned; Ada bye instead of "
        "board 1 Ada – Cleo 1-0; Benno bye, counts for the rating report only",
    ),
    (RoundCompleted(round=1), "round 1 completed"),
    (RoundReopened(round=1), "round 1 reopened"),
    (RoundUnpaired(round=2), "round 2 unpaired"),
    (PlayerExpelled(player=2, round=2), "Benno expelled from round 2 on, out of the standings"),
    (PlayerReinstated(player=2, round=2), "expulsion of Benno reversed, plays again from round 2 on"),
    (ProhibitionLifted(players=(1, 2), round=2), "Ada, Benno may meet again from round 2 on"),
    (LotsDrawn(players=(3, 1)), "lots drawn: Cleo, Ada"),
    (ExternalTiebreakSet(player=1, name="PLAYOFF", value=150), "PLAYOFF of Ada set to 1.5"),
    (FideModeLeft(round=1), "FIDE mode left after 1 round"),
    (TournamentClosed(rounds=1), "tournament closed after 1 round"),
    (
        PrizesPublished(
            awards=(Award(prize="first", player=1, amount=12050),), based_on=9, computed_from="ab" * 32
        ),
        "prizes published: 1 prize, 120.50",
    ),
    (TournamentReopened(rounds=1), "tournament reopened after 1 round"),
    (PersonErased(player=2, pieces=((3, "a" * 64),)), "personal data of a player (id p2) erased, 1 part"),
]


def test_every_fact_has_its_line() -> None:
    log = enveloped(*(fact for fact, _ in TOLD))

    assert [line.text for line in log_lines(log)] == [text for _, text in TOLD]
    assert {type(fact) for fact, _ in TOLD} == set(EVENT_TYPES)


def test_a_line_carries_who_when_and_the_name_of_the_fact() -> None:
    [line] = log_lines(enveloped(TOLD[0][0]))

    assert (line.version, line.who, line.when, line.kind) == (
        1,
        "Arbiter",
        "2026-11-16T09:00:00Z",
        "tournament-opened",
    )


def test_what_concerns_a_player_follows_them_through_boards_and_lots() -> None:
    log = enveloped(*(fact for fact, _ in TOLD))

    told = {type(log[version - 1].fact) for version in concerning(log, 3)}

    assert {RoundPaired, ResultRecorded, LotsDrawn, ByeGranted, PairingProhibited} <= told
    assert PlayerExpelled not in told
