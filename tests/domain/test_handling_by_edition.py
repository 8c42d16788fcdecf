"""Handling rules that differ between editions: those of Istanbul 2012 beside those of C.04.2."""

import re

import pytest

from paircard.domain.commands import (
    BeginManualPairing,
    CloseTournament,
    CorrectColours,
    CorrectPlayer,
    CorrectResult,
    EndManualPairing,
    ExchangeNumbers,
    GrantBye,
    RegisterPlayer,
    UnpairRound,
)
from paircard.domain.deciding.decider import decide, weigh
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.deciding.numbering import numbers_in_force
from paircard.domain.events import (
    ColoursCorrected,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    ResultCorrected,
)
from paircard.domain.speaking import Speaker, sentences
from paircard.domain.state import Tournament
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.results import Outcome
from paircard.domain.values.rules import EDITIONS, ISTANBUL, RULES
from tests.domain.scenes import ROUND_ROBIN, after, ask, paired, pairing, played, ready, results, when
from tests.refusals import warns

FIRST, SECOND, THIRD = ROUND_ROBIN
WON, DRAWN = Outcome("1", "0"), Outcome("=", "=")
OF_2012 = sorted(ISTANBUL)
SIX = (
    ((1, 6), (2, 5), (3, 4)),
    ((6, 4), (5, 3), (1, 2)),
    ((2, 6), (3, 1), (4, 5)),
)
FOURTH = ((6, 5), (1, 4), (2, 3))


def correction(round: int, ok: tuple[str, ...] = ()) -> CorrectResult:
    return ask(CorrectResult, round=round, board=1, outcome=DRAWN, why="both signed a draw", ok=ok)


def three_rounds_in(edition: str) -> Tournament:
    state = ready(6, 9, edition=edition)
    for boards in SIX:
        state = played(state, *boards)
    return state


@pytest.mark.parametrize("edition", OF_2012)
def test_a_wrong_result_affects_all_pairings_yet_to_be_made_whenever_it_is_found(edition: str) -> None:
    """2012 F.7: no window closes, and rounds that were paired keep what they saw"""
    state = played(played(ready(4, 3, edition=edition), *FIRST), *SECOND)

    with warns("correction.stands", players=(1, 4), round=2, next=3) as refusal:
        decide(state, correction(1))
    assert (refusal.value.level, refusal.value.code) == (3, "correction")
    state, events = when(state, correction(1, ("correction",)))

    assert events == (ResultCorrected(round=1, board=1, outcome=DRAWN, was=WON, scope="pairing-after-next"),)
    assert state.rounds[0].game(1).outcome == DRAWN
    assert state.rounds[0].game(1, 2).outcome == DRAWN, "the pairing of round 3"
    assert state.rounds[0].game(1, 1).outcome == WON, "the pairing of round 2"


@pytest.mark.parametrize("edition", OF_2012)
def test_wrong_colours_of_an_early_round_count_too(edition: str) -> None:
    """2012 F.7"""
    state = played(played(ready(4, 3, edition=edition), *FIRST), *SECOND)

    [event] = decide(state, ask(CorrectColours, round=1, board=1, why="video", ok=["correction"]))

    assert event == ColoursCorrected(round=1, board=1, white=4, black=1, scope="pairing-after-next")


@pytest.mark.parametrize("edition", EDITIONS)
def test_once_the_tournament_is_closed_a_correction_is_for_the_rating_report_alone(edition: str) -> None:
    state = played(played(played(ready(4, 3, edition=edition), *FIRST), *SECOND), *THIRD)
    state = after(state, ask(CloseTournament))

    [event] = decide(state, correction(3, ("rating-report-only",)))

    assert isinstance(event, ResultCorrected)
    assert event.scope == "rating-report-only"


def test_whether_a_correction_touches_a_public_round_that_is_not_played_is_the_arbiters_decision() -> None:
    """2012 F.7, F.6: the pairing stands, or is taken back first; then it is made with the correction"""
    public = paired(played(played(ready(4, 3, edition="dutch-2012"), *FIRST), *SECOND), *THIRD)

    with warns("correction.not-played", players=(1, 4), round=3, next=0):
        decide(public, correction(1))
    state = after(public, correction(1, ("correction",)))
    assert state.rounds[0].game(1, 2).outcome == WON, "round 3 stands as it was paired"
    with warns("published-pairing.seen", round=3, cases="dutch-2012"):
        decide(state, ask(UnpairRound, round=3, why="a result was wrong"))
    state = after(state, ask(UnpairRound, round=3, why="a result was wrong", ok=["published-pairing"]))

    assert state.rounds[0].game(1, 2).outcome == DRAWN, "the pairing of round 3 that is to be made"
    assert state.rounds[0].game(1, 1).outcome == WON, "the pairing of round 2, which was played"
    played_on = results(public, "1-0")
    with warns("correction.stands", players=(1, 4), round=3, next=0):
        decide(played_on, correction(1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_editions_since_2017_freeze_numbers(edition: str) -> None:
    """C.04.2:2.3; the text of 2012 has no such round"""
    state = three_rounds_in(edition)

    events = decide(state, pairing(state, *FOURTH))

    froze = [event.round for event in events if isinstance(event, PairingNumbersFrozen)]
    assert froze == [RULES[edition].freezing_round] * (edition not in ISTANBUL)


def test_the_text_of_2012_ranks_by_a_corrected_rating_in_the_next_pairing_however_late() -> None:
    """2012 A.2, F.7; JaVaFo goes by the numbers of the first round until somebody renumbers"""
    better = ask(CorrectPlayer, player=6, changes=Changes(rating=2600), why="wrong list")
    text = after(played(three_rounds_in("dutch-2012"), *FOURTH), better)
    javafo = after(played(three_rounds_in("dutch-2012-javafo"), *FOURTH), better)

    assert dict(numbers_in_force(text, 5)) == {6: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6}
    assert dict(numbers_in_force(javafo, 5)) == {id: id for id in range(1, 7)}
    events = decide(text, pairing(text, (1, 5), (6, 3), (4, 2)))
    assert PairingNumbersAssigned(order=(6, 1, 2, 3, 4, 5), cause="regenerated") in events
    assert text.rounds[0].numbers == tuple((id, id) for id in range(1, 7)), "old sheets keep their numbers"


def test_the_text_of_2012_puts_a_late_entry_where_rating_title_and_name_say() -> None:
    """2012 A.2"""
    state = played(three_rounds_in("dutch-2012"), *FOURTH)

    state = after(state, ask(RegisterPlayer, details=Details(name="Late", rating=2385), why="train"))

    assert dict(numbers_in_force(state, 5))[7] == 3


def test_equals_exchanged_by_hand_stay_exchanged_when_2012_ranks_anew() -> None:
    """2012 A.2.d: the alphabet may be replaced by another criterion"""
    state = three_rounds_in("dutch-2012")
    same = ask(CorrectPlayer, player=2, changes=Changes(rating=2400), why="wrong list")
    state = after(state, same, ask(ExchangeNumbers, one=1, other=2, level=3))

    assert dict(numbers_in_force(state, 4)) == {2: 1, 1: 2, 3: 3, 4: 4, 5: 5, 6: 6}


def test_every_edition_says_when_a_published_round_may_change() -> None:
    """C.04.2:4.4; 2012 F.6"""
    told = {code.removeprefix("cases.") for code in sentences("en", "words") if code.startswith("cases.")}
    assert told == set(RULES)
    for edition in EDITIONS:
        state = paired(ready(4, 3, edition=edition), *FIRST)
        with warns("published-pairing.seen", round=1) as refusal:
            decide(state, ask(UnpairRound, round=1, why="x"))
        assert ("2012 F.6" in str(refusal.value)) == (edition in ISTANBUL)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("letter", ["H", "F", "Z"])
def test_what_a_bye_brought_bars_from_the_pairing_allocated_one_as_the_edition_says(
    edition: str, letter: str
) -> None:
    """2012 B.1.b: a point or half point; C.04.1:4: a win's points; C.04.1.d of 2017: neither"""
    state = ready(5, 3, edition=edition, half_byes=1)
    state = after(state, ask(GrantBye, player=5, round=1, letter=letter, level=3))
    state = played(state, (1, 3), (4, 2))
    state = after(state, ask(BeginManualPairing, round=2))
    boards = ((2, 1), (3, 4))
    command = ask(
        EndManualPairing, round=2, based_on=state.version, why="cards", boards=boards, pab=5, engine="x"
    )

    barred = letter in {"dutch-2026": "F", "dutch-2017": ""}.get(edition, "HF")

    warned = {warning.code for warning in weigh(state, command).warnings}
    assert ("ineligible-bye" in warned) == barred


@pytest.mark.parametrize("edition", EDITIONS)
def test_if_everybody_had_the_bye_only_the_reading_of_javafo_gives_it_again(edition: str) -> None:
    """2012 B.1.b has no legal round then; JaVaFo 1.4 went on with those barred least often"""
    state = ready(3, 5, edition=edition)
    for board, bye in (((1, 2), 3), ((3, 1), 2), ((2, 3), 1)):
        state = played(state, board, pab=bye)
    manual = after(state, ask(BeginManualPairing, round=4))
    by_hand = ask(
        EndManualPairing, round=4, based_on=manual.version, why="x", boards=((2, 1),), pab=3, engine="x"
    )

    warned = {warning.code for warning in weigh(manual, by_hand).warnings}

    assert ("ineligible-bye" not in warned) == (edition == "dutch-2012-javafo")


def test_every_edition_has_an_article_for_the_same_warnings() -> None:
    """C.04.2:2.3: only the text of 2012 has no freeze of numbers"""
    newest = set(RULES["dutch-2026"].articles)
    for edition in EDITIONS:
        freeze = {"numbers-after-freeze"} if RULES[edition].freezing_round else set()
        articles = RULES[edition].articles
        assert set(articles) == newest - {"numbers-after-freeze"} | freeze
        assert all(one.startswith("2012 ") == (edition in ISTANBUL) for one in articles.values())
    assert newest <= set(CAUTIONS)


@pytest.mark.parametrize("code", CAUTIONS)
def test_no_warning_has_an_article_in_its_own_words(code: str) -> None:
    """It would be that of one edition under all of them."""
    assert not re.search(r"[A-F]\.\d", Speaker().word("meaning", code))
