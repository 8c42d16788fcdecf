"""Who really met, put on record once the next round is paired (C.04.2:4.3)."""

from typing import Any

import pytest

from paircard.domain.commands import (
    CloseTournament,
    CompleteRound,
    CorrectBoards,
    CorrectResult,
    GrantBye,
    UnpairRound,
)
from paircard.domain.deciding.decider import decide, weigh
from paircard.domain.errors import (
    Duplicate,
    Invalid,
    NeedsAcknowledgement,
    NotNow,
    PaircardError,
    ReasonMissing,
    Unknown,
)
from paircard.domain.events import BoardsCorrected, Played
from paircard.domain.messages import Message, say
from paircard.domain.rounds import RATING_REPORT, Game
from paircard.domain.state import Tournament
from paircard.domain.values.results import parse_outcome
from tests.domain.scenes import after, ask, paired, played, ready, results, when
from tests.refusals import refuses

WON, DRAWN, LOST = map(parse_outcome, ("1-0", "½-½", "0-1"))
MEANT = ("boards-as-played", "correction")


def seats(board: int, white: int, black: int, result: str = "") -> Played:
    return Played(board=board, white=white, black=black, outcome=parse_outcome(result) if result else None)


def correction(*boards: Played, round: int = 1, ok: tuple[str, ...] = MEANT, **fields: Any) -> CorrectBoards:
    fields = {"why": "they sat at each other's boards", **fields}
    return ask(CorrectBoards, round=round, boards=boards, ok=ok, **fields)


def second_round(edition: str = "dutch-2026") -> Tournament:
    """Seven players; round 1 was 1-4, 5-2, 3-6 and the bye for 7; round 2 is published."""
    state = played(ready(7, edition=edition), (1, 4), (5, 2), (3, 6), results_=("1-0", "½-½", "0-1"), pab=7)
    return paired(state, (7, 1), (6, 5), (2, 3), pab=4)


EXCHANGED = (seats(1, 1, 2, "1-0"), seats(2, 5, 4, "0-1"))


def test_others_met_than_the_record_has() -> None:
    state, events = when(second_round(), correction(*EXCHANGED))

    assert events == (
        BoardsCorrected(
            round=1,
            boards=EXCHANGED,
            was=(seats(1, 1, 4, "1-0"), seats(2, 5, 2, "½-½")),
            scope="pairing-after-next",
            pab=7,
            pab_was=7,
        ),
    )
    first = state.rounds[0]
    assert first.games(1) == (Game(1, 4, "1", "0"), Game(5, 2, "=", "="), Game(3, 6, "0", "1"))
    assert first.games() == (Game(1, 2, "1", "0"), Game(5, 4, "0", "1"), Game(3, 6, "0", "1"))


def test_a_pair_that_sat_at_another_board_keeps_its_result_and_colours_turn_with_their_players() -> None:
    state = after(second_round(), correction(seats(1, 2, 5), seats(2, 1, 4)))

    assert state.rounds[0].games()[:2] == (Game(2, 5, "=", "="), Game(1, 4, "1", "0"))

    turned = after(second_round(), correction(seats(1, 4, 1)))
    assert turned.rounds[0].games()[0] == Game(4, 1, "0", "1")


def test_whoever_had_the_bye_played_in_place_of_another() -> None:
    state = after(second_round(), correction(seats(3, 7, 6, "0-1"), pab=3))

    [_, asked] = [
        one.players for one in weigh(second_round(), correction(seats(3, 7, 6, "0-1"), pab=3)).warnings
    ]
    assert asked == (3, 6, 7), "who sat there by the record is concerned, too"
    first = state.rounds[0]
    assert first.games()[2] == Game(7, 6, "0", "1")
    assert (first.pab, first.bye.as_seen_by(1).white) == (3, 7)


def test_it_takes_a_reason_and_an_acknowledgement_of_level_4_besides_that_of_the_window() -> None:
    with refuses(ReasonMissing, "reason-missing", deed=say("deed.correction", round=1)):
        decide(second_round(), correction(*EXCHANGED, why=""))
    with pytest.raises(NeedsAcknowledgement) as asked:
        decide(second_round(), correction(*EXCHANGED, ok=()))

    assert [(one.level, one.code, one.players) for one in asked.value.warnings] == [
        (4, "boards-as-played", (1, 2, 4, 5)),
        (3, "correction", (1, 2, 4, 5)),
    ]


@pytest.mark.parametrize(
    ("edition", "article", "scope"),
    [
        ("dutch-2026", "C.04.2:4.3", "rating-report-only"),
        ("dutch-2017", "2016 C.04.2:D.8", "rating-report-only"),
        ("dutch-2012", "2012 F.7", "pairing-after-next"),
    ],
)
def test_once_the_next_round_has_ended_the_edition_says_what_it_counts_for(
    edition: str, article: str, scope: str
) -> None:
    state = results(second_round(edition), "1-0", "1-0", "1-0")
    state = after(state, ask(CompleteRound, round=2))

    with pytest.raises(NeedsAcknowledgement) as asked:
        decide(state, correction(*EXCHANGED, ok=()))
    [event] = decide(state, correction(*EXCHANGED, ok=tuple(one.code for one in asked.value.warnings)))

    assert all(one.message.endswith(f"({article})") for one in asked.value.warnings)
    assert isinstance(event, BoardsCorrected)
    assert event.scope == scope


def test_for_the_rating_report_alone_pairings_and_standings_keep_what_was_used() -> None:
    state = results(second_round(), "1-0", "1-0", "1-0")
    state = after(state, ask(CompleteRound, round=2))
    state = after(state, correction(*EXCHANGED, ok=("boards-as-played", "rating-report-only")))

    assert state.rounds[0].games()[0] == Game(1, 4, "1", "0")
    assert state.rounds[0].games(RATING_REPORT)[:2] == (Game(1, 2, "1", "0"), Game(5, 4, "0", "1"))


def test_a_closed_tournament_has_its_last_round_put_right_for_the_rating_report() -> None:
    state = played(ready(4, rounds=1), (1, 3), (4, 2), results_=("1-0", "1-0"))
    state = after(state, ask(CloseTournament))

    command = correction(
        seats(1, 1, 4, "1-0"), seats(2, 3, 2, "1-0"), ok=("boards-as-played", "rating-report-only")
    )
    [event] = decide(state, command)

    assert isinstance(event, BoardsCorrected)
    assert event.scope == "rating-report-only"


def test_before_the_next_pairing_the_boards_are_altered_instead() -> None:
    state = results(paired(ready(4), (1, 3), (4, 2)), "1-0", "1-0")

    with refuses(NotNow, "boards-still-altered", round=1, completed=False):
        decide(state, correction(seats(1, 1, 4, "1-0"), seats(2, 3, 2, "1-0")))
    with refuses(NotNow, "boards-still-altered", round=1, completed=True):
        decide(after(state, ask(CompleteRound, round=1)), correction(seats(1, 3, 1)))


def test_a_pairing_that_is_taken_back_knows_the_boards_as_they_were_played() -> None:
    state = after(second_round(), correction(*EXCHANGED))
    state = after(state, ask(UnpairRound, round=2, why="wrong boards", level=4))

    assert state.rounds[0].games(1)[:2] == (Game(1, 2, "1", "0"), Game(5, 4, "0", "1"))


def test_a_result_of_those_who_met_is_corrected_afterwards() -> None:
    state = after(second_round(), correction(*EXCHANGED))
    state = after(state, ask(CorrectResult, round=1, board=2, outcome=DRAWN, why="score sheet", level=3))

    assert state.rounds[0].games()[1] == Game(5, 4, "=", "=")


def test_correcting_back_restores_the_boards() -> None:
    before = second_round()
    state = after(before, correction(*EXCHANGED, seats(3, 7, 6, "½-½"), pab=3))
    state = after(
        state, correction(seats(1, 1, 4, "1-0"), seats(2, 5, 2, "½-½"), seats(3, 3, 6, "0-1"), pab=7)
    )

    assert state.rounds[0].games() == before.rounds[0].games()
    assert state.rounds[0].pab == before.rounds[0].pab


@pytest.mark.parametrize(
    ("boards", "fields", "error", "said"),
    [
        (
            (seats(1, 1, 2, "1-0"),),
            {},
            Invalid,
            say("sits-twice", player=2, other=4, round=1),
        ),
        ((seats(1, 1, 1, "1-0"),), {}, Invalid, say("sits-twice", player=1, other=4, round=1)),
        ((*EXCHANGED, seats(3, 3, 3, "1-0")), {}, Invalid, say("sits-twice", player=3, other=6, round=1)),
        ((seats(1, 1, 7, "1-0"),), {}, Invalid, say("had-the-bye", player=7, round=1)),
        ((seats(1, 1, 7, "1-0"),), {"pab": 3}, Invalid, say("sits-twice", player=3, other=4, round=1)),
        ((seats(1, 1, 8, "1-0"),), {}, Invalid, say("not-paired", player=8, round=1, letter="H")),
        ((seats(1, 1, 9, "1-0"),), {}, Unknown, say("no-such-player", id="p9", last=8)),
        ((seats(1, 0, 4, "1-0"),), {}, Unknown, say("no-such-player", id="p0", last=8)),
        ((seats(4, 1, 2, "1-0"),), {}, Unknown, say("no-such-board", round=1, board=4, last=3)),
        ((seats(1, 1, 4), seats(1, 4, 1)), {}, Invalid, say("board-given-twice", round=1, board=1)),
        (
            (seats(1, 1, 2), seats(2, 5, 4)),
            {},
            Invalid,
            say("did-not-meet", white=1, black=2, round=1, board=1),
        ),
        ((seats(1, 1, 4), seats(2, 5, 2, "½-½")), {}, Duplicate, say("boards-same", round=1)),
        ((), {}, Duplicate, say("boards-same", round=1)),
        ((seats(1, 1, 4),), {"pab": 9}, Unknown, say("no-such-player", id="p9", last=8)),
        (EXCHANGED, {"round": 3}, Unknown, say("round-not-paired", round=3, last=2)),
    ],
)
def test_boards_that_cannot_have_been_played_are_refused(
    boards: tuple[Played, ...], fields: dict[str, Any], error: type[PaircardError], said: Message
) -> None:
    state = after(ready(8), ask(GrantBye, player=8, round=1, letter="H"))
    state = played(state, (1, 4), (5, 2), (3, 6), results_=("1-0", "½-½", "0-1"), pab=7)
    state = paired(state, (7, 1), (6, 5), (2, 3), (8, 4))

    with refuses(error, said):
        decide(state, correction(*boards, **fields))


def test_nobody_loses_a_seat() -> None:
    state = paired(played(ready(4), (1, 3), (4, 2)), (1, 4), (2, 3))

    with refuses(Invalid, "nobody-had-the-bye", round=1):
        decide(state, correction(seats(1, 1, 3), pab=4))
