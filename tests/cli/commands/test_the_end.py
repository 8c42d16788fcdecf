"""The end of a tournament: what is final, what waits, who may still correct."""

from paircard.domain.values.results import Outcome
from tests.cli.session import Terminal, play
from tests.refusals import sentence


def test_final_standings_stand_when_a_rating_is_corrected_after_the_end(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "½-½", "0-1")
    eight.ok("close", "--why", "snow", "--ack", "rounds-unplayed")
    before = eight.ok("standings", "--final", "--csv")

    eight.ok("player", "correct", "P3", "--rating", "1000", "--why", "wrong list")

    assert eight.ok("standings", "--final", "--csv") == before


def test_an_adjourned_game_keeps_report_and_lots_from_being_final(eight: Terminal) -> None:
    """VCL 161, 169"""
    eight.ok("change", "--rounds", "2")
    play(eight, 1, "adjourned", "1-0", "1-0", "1-0")
    eight.ok("pair", "--ack", "missing-results", "--ack", "adjourned-games")
    eight.ok("publish")
    assert "adjourned" not in eight.ok("trf", "export", "--round", "1")
    eight.refuses("games-open", "lots", games=((1, 1), (2, 1), (2, 2), (2, 3), (2, 4)), cause="lots")
    eight.ok("result", "2", "1", "½-½", "2", "½-½", "3", "½-½", "4", "½-½")

    for words in (("trf", "export"), ("trf", "export", "--for", "rating"), ("trf", "export", "--round", "2")):
        eight.refuses("report.not-final", *words, games=((1, 1),), last=1)
    eight.refuses("games-open", "lots", games=((1, 1),), cause="lots")
    eight.refuses("games-open", "lots", "P1", "P2", games=((1, 1),), cause="lots")
    eight.refuses("games-open", "close", games=((1, 1),), cause="close")

    eight.ok("result", "1", "1", "0-1", "--ack", "adjourned-not-drawn")
    told = eight.ok("correct", "1", "1", "1-0", "--why", "read from the wrong side")
    corrected = sentence(
        "log.result-corrected",
        {1: "P1", 5: "P5"},
        round=1,
        board=1,
        white=1,
        black=5,
        was=Outcome("0", "1"),
        result=Outcome("1", "0"),
        scope="pairing-next",
    )
    assert corrected in told
    report = eight.ok("trf", "export")
    assert "### Adjournment @ Round 1: 1-5 1-0" in report
    assert report.count("### Adjournment") == 1
    eight.ok("lots")
    identical = sentence("cli.replay.verdict", verdict="identical", yes=False)
    assert eight.ok("replay").count(identical) == 2


def test_what_was_ended_last_is_reopened_where_nothing_is_named(eight: Terminal) -> None:
    eight.ok("change", "--rounds", "2")
    eight.refuses("tournament-not-closed", "reopen", name="Eight")
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("complete")

    assert eight.ok("reopen") == sentence("log.round-reopened", round=1) + "\n"
    eight.refuses("round-not-completed", "reopen", round=1)
    eight.refuses("round-not-paired", "reopen", "0")
    eight.ok("complete")
    eight.ok("close", "--why", "snow", "--ack", "rounds-unplayed")
    again = eight.ok("reopen", "--why", "the snow is gone", "--ack", "reopened")
    assert again.startswith("tournament reopened")


def test_lots_for_all_shared_places_wait_for_the_last_round(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")

    eight.refuses("places-open", "lots", last=1, rounds=5)
    eight.ok("lots", "P1", "P3")


def test_a_value_from_outside_needs_a_name_that_was_announced(eight: Terminal) -> None:
    eight.refuses("tiebreak-not-announced", "playoff", "P1", "PLAYOFF", "1.5", name="PLAYOFF", codes=())
