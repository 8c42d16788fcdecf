"""A reason and an acknowledgement stand on the fact they are about, not on what came along with it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from paircard.domain.commands import ClearResult
from paircard.domain.errors import IdTaken
from paircard.domain.events import TAGS, RoundPaired
from paircard.domain.log.stored import GENESIS, as_stored, seal
from paircard.domain.messages import say
from paircard.service import Done, Office, Tournament
from tests.audit.command_line import grow
from tests.refusals import sentence
from tests.service.given import ANNA, club_open, play

TRAIN = ANNA.because("the train was late").accepting("no-show")


def said(done: Done) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By kind of fact, the reason and what was accepted."""
    return {TAGS[type(one.fact)]: (one.why, one.acknowledged) for one in done.facts}


def three_rounds(folder: Path) -> tuple[Office, Tournament]:
    """Six players, three rounds played; Finn did not come to the third."""
    office, t = club_open(folder, players=6, rounds=5)
    for number in (1, 2, 3):
        play(t, *["1-0"] * 3)
        if number == 3:
            last = t.now().boards(3)
            board = next(b for b in last.boards if "Finn" in (b.white.name, b.black.name))
            result = "0F-1F" if board.white.name == "Finn" else "1F-0F"
            t.correct(3, board.board, result, by=ANNA.because("did not come"))
    return office, t


def test_pairing_again_after_an_absence_says_nothing_about_numbers_and_the_end_of_a_round(
    tmp_path: Path,
) -> None:
    office, t = three_rounds(tmp_path)
    with office:
        done = t.pair(by=TRAIN)

        assert said(done) == {
            "round-completed": ("", ()),
            "pairing-numbers-frozen": ("", ()),
            "round-paired": ("the train was late", ("2:no-show #6",)),
        }
        assert len({one.command_id for one in done.facts}) == 1
        warning = say("log.accepted-warning", meaning="no-show", article="C.05:6.5")
        assert done.accepted == (sentence("log.accepted", people={6: "Finn"}, what=warning, players=[6]),)


def test_missing_results_are_settled_by_the_pairing_that_has_the_acknowledgement(tmp_path: Path) -> None:
    office, t = club_open(tmp_path, players=6, rounds=5)
    with office:
        play(t, "1-0", "1-0")
        done = t.pair(by=ANNA.because("the hall closes").accepting("missing-results", "adjourned-games"))

        found = said(done)
        assert found.pop("round-paired")[0] == "the hall closes"
        assert set(found.values()) == {("", ())}
        assert found.keys() == {"game-adjourned", "round-completed"}


def test_boards_by_hand_have_their_reason_and_the_end_of_the_session_none(tmp_path: Path) -> None:
    office, t = club_open(tmp_path, players=4)
    with office:
        done = t.enter_boards(
            [(2, 1), (3, 4)], by=ANNA.because("drawn in public").accepting("manual-pairing")
        )

        found = said(done)
        assert found["round-paired"][0] == found["pairings-altered"][0] == "drawn in public"
        assert found["pairing-numbers-assigned"] == found["manual-pairing-ended"] == ("", ())


def test_closing_early_has_the_reason_and_the_round_it_ends_has_none(tmp_path: Path) -> None:
    office, t = club_open(tmp_path, players=4)
    with office:
        play(t, "1-0", "1-0")
        done = t.close(by=ANNA.because("a storm").accepting("rounds-unplayed"))

        assert said(done) == {
            "round-completed": ("", ()),
            "tournament-closed": ("a storm", ("4:rounds-unplayed",)),
        }


def test_a_command_with_one_fact_has_its_reason_there(tmp_path: Path) -> None:
    office, t = club_open(tmp_path, players=4)
    with office:
        play(t, "1-0", "1-0")

        assert said(t.complete(by=ANNA.because("all are home"))) == {"round-completed": ("all are home", ())}
        t.pair(by=ANNA)
        t.publish(by=ANNA)
        t.record(2, {1: "?"}, by=ANNA)
        assert (
            said(t.ask(ClearResult(round=2, board=1), by=ANNA.because("slip")))["result-cleared"][0] == "slip"
        )


def test_a_request_is_known_again_by_its_reason_however_it_was_recorded(tmp_path: Path) -> None:
    """Earlier versions put the reason on every fact of a command; what they recorded counts once, too."""
    office, t = three_rounds(tmp_path)
    with office:
        done = t.pair(by=TRAIN.under("pair-4"))
        assert t.pair(by=TRAIN.under("pair-4")).repeated
        with pytest.raises(IdTaken):
            t.pair(by=TRAIN.because("another reason").under("pair-4"))
        log, head, rows = t.facts(), GENESIS, []
        for recorded in log:
            why = TRAIN.why if recorded.command_id == "pair-4" else recorded.why
            one = seal(replace(recorded, why=why, private=(), previous="", hash=""), head)
            head = one.fact.hash
            rows.append(as_stored(one.fact))
    (tmp_path / "earlier").mkdir()
    grow(tmp_path / "earlier/open.db", log[0].tournament, rows)

    with Office(tmp_path / "earlier/open.db") as old:
        t = old.tournament()
        assert [one.why for one in t.facts()[-3:]] == [TRAIN.why] * 3
        again = t.pair(by=TRAIN.under("pair-4"))
        with pytest.raises(IdTaken):
            t.pair(by=TRAIN.because("another reason").under("pair-4"))

    assert again.repeated
    assert [one.fact for one in again.facts] == [one.fact for one in done.facts]
    assert isinstance(again.facts[-1].fact, RoundPaired)
