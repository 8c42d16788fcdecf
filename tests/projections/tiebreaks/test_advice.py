"""Remarks on a list of tie-breaks."""

from paircard.domain.messages import say
from paircard.projections.standings.tiebreaks import advice, parse_list


def test_nothing_is_said_about_a_list_that_fits() -> None:
    assert advice(parse_list("BH/C1,BH,SB,ARO"), days=9, unrated=False) == ()
    assert advice(parse_list("BH/C1,BH,SB"), days=60, unrated=True) == ()


def test_rating_tie_breaks_are_advised_against_over_more_than_thirty_days() -> None:
    [remark] = advice(parse_list("BH,ARO,TPR"), days=31, unrated=False)

    assert remark == say("standings.ratings-change", codes=["ARO", "TPR"], days=31)
    assert advice(parse_list("BH,ARO,TPR"), days=30, unrated=False) == ()


def test_unrated_players_need_a_rule() -> None:
    [remark] = advice(parse_list("ARO,TPR/U1400"), days=0, unrated=True)

    assert remark == say("standings.dropped", codes=["ARO"], code="ARO")


def test_koya_is_remarked_in_a_swiss() -> None:
    assert advice(parse_list("KS"), days=0, unrated=False) == (say("standings.koya-in-a-swiss"),)
