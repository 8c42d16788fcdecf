"""What-if and the preview of a correction beside rounds that are not the engine's alone."""

import json
from collections.abc import Sequence

import pytest

from paircard.domain.commands import CorrectResult
from paircard.domain.events import PairingsAltered, RoundPaired
from paircard.domain.values.results import Outcome
from paircard.service import Moment, person
from paircard.service.print.rendering import Frame, Links
from paircard.service.review.what_if import BranchRound, Supposed, WhatIf, what_if
from paircard.web.pages.corrections import correct_page
from paircard.web.pages.forms import AtDesk, Given
from paircard.web.pages.record import side_by_side, what_if_page
from tests.cli.session import Terminal, moment, play
from tests.refusals import sentence
from tests.web.pages.reading import string, words

LOST = Outcome("0", "1")
WEB = Frame(links=Links("/t"), stylesheet="/s.css", desk=True, log=True)
GIVEN = Given(round="1", board="1", result="0-1")
WHITE_WON = ("1-0", "1-0", "1-0", "1-0")


@pytest.fixture
def altered(eight: Terminal) -> Terminal:
    """Round 2 altered by hand: two who were to meet each other's opponents; then played."""
    play(eight, 1, *WHITE_WON)
    eight.ok("pair")
    data = json.loads(eight.ok("boards", "--json"))["boards"]
    numbers = [(one["white"]["number"], one["black"]["number"]) for one in data]
    (a, b), (c, d) = numbers[0], numbers[1]
    other = [(a, d), (c, b), *numbers[2:]]
    eight.write("other.txt", "".join(f"{white} {black}\n" for white, black in other))
    eight.ok("alter", "begin", "2")
    acks = ("--ack", "manual-pairing")
    eight.ok("alter", "end", "2", "--boards", "other.txt", "--why", "the sponsor asked", *acks)
    eight.ok("publish")
    eight.ok("result", "2", "1", "1-0", "2", "1-0", "3", "1-0", "4", "1-0")
    return eight


def supposed(now: Moment, board: int = 1) -> WhatIf:
    return now.what_if([Supposed(round=1, board=board, outcome=LOST)])


def round_two(now: Moment, board: int = 1) -> BranchRound:
    [found] = [one for one in supposed(now, board).rounds if one.round == 2]
    return found


def boards(*two: tuple[int, int]) -> str:
    """Boards as the terminal prints them."""
    return "; ".join(f"P{white} – P{black}" for white, black in two)


def on_record(kind: str, two: Sequence[tuple[int, int]]) -> str:
    """What the terminal says of boards that are not the engine's."""
    return sentence("cli.what-if.on-record", kind=kind, value=boards(*two))


def test_the_record_shows_the_boards_that_were_played(altered: Terminal) -> None:
    now = moment(altered)
    [as_altered] = [one.fact for one in now.facts if isinstance(one.fact, PairingsAltered)]
    [engines] = [one.fact for one in now.facts if isinstance(one.fact, RoundPaired) and one.fact.round == 2]

    found = round_two(now)

    assert found.recorded is not None
    assert found.engine is not None
    assert found.recorded.boards == as_altered.boards
    assert found.engine.boards == engines.boards
    assert found.origin == "altered"
    assert set(found.by_hand) == set(as_altered.boards[:2])


def test_only_what_the_result_changes_is_counted(altered: Terminal) -> None:
    """As if nobody had altered the round: the hand of the arbiter is not the correction's doing."""
    now = moment(altered)
    before = [one for one in now.facts if not isinstance(one.fact, PairingsAltered)]
    plain = what_if(before[: len(before) - 8], [Supposed(round=1, board=1, outcome=LOST)])

    found = round_two(now)

    assert found.changed == plain.rounds[0].changed
    assert found.branch == plain.rounds[0].branch
    assert 0 < found.changed <= 4


def test_the_page_and_the_preview_of_a_correction_say_the_same(altered: Terminal) -> None:
    now = moment(altered)
    command = CorrectResult(round=1, board=1, outcome=LOST)
    preview = now.preview(command, by=person("Anna Arbiter"))

    assert preview.stands == supposed(now).changed
    page = what_if_page(now, WEB, round=1, board=1, result="0-1", found=supposed(now))
    desk = correct_page(AtDesk(now, WEB, "Anna", "k", GIVEN), preview)
    many = preview.stands[0].changed
    assert page.count(string("page.what-if.mark.altered")) == 2
    assert preview.next_round is not None
    would_be = f"{string('page.what-if.would-be')}</span>"
    assert page.count(would_be) == many
    assert desk.count(would_be) == many + preview.next_round.changed
    assert string("page.what-if.changed", many) in words(page)
    assert string("page.correct.differed", many) in words(desk)
    for said in ("not there", ">different<"):
        assert said not in page + desk


def test_at_the_terminal_and_as_data_it_is_the_same(altered: Terminal) -> None:
    told = altered.ok("what-if", "--result", "1", "1", "0-1")
    preview = altered.ok("correct", "1", "1", "0-1", "--preview")
    data = json.loads(altered.ok("what-if", "--result", "1", "1", "0-1", "--json"))["rounds"][0]

    for text in (told, preview):
        assert on_record("altered", ((8, 1), (6, 3))) in text
        assert sentence("cli.what-if.was", yes=True, value=boards((6, 1), (8, 3), (2, 5), (4, 7))) in text
        would_be = boards((6, 3), (5, 8), (4, 1), (2, 7))
        assert sentence("cli.what-if.would-be", yes=True, value=would_be) in text
    assert data["origin"] == "altered"
    assert data["changed"] == round_two(moment(altered)).changed
    assert data["recorded"] != data["engine"]


def test_an_alteration_is_no_difference_where_the_result_changes_nothing(altered: Terminal) -> None:
    """A game between two who lose nothing by it: the engine gives the same round 2."""
    now = moment(altered)
    same = [
        found
        for board in (1, 2, 3, 4)
        for outcome in (Outcome("W", "L"),)
        for found in now.what_if([Supposed(round=1, board=board, outcome=outcome)]).rounds[:1]
    ]

    assert all(one.same and not one.changed for one in same)
    assert all(one.by_hand for one in same)
    page = what_if_page(
        now,
        WEB,
        round=1,
        board=1,
        result="W-L",
        found=now.what_if([Supposed(round=1, board=1, outcome=Outcome("W", "L"))]),
    )
    mark = string("page.what-if.mark.altered")
    assert string("page.what-if.same-by-hand", mark=mark) in words(page)


def test_a_round_paired_by_hand_and_one_from_a_file_are_named_so(eight: Terminal) -> None:
    play(eight, 1, *WHITE_WON)
    eight.ok("alter", "begin", "2")
    eight.write("mine.txt", "1 6\n2 3\n5 8\n4 7\n")
    acks = ("--ack", "manual-pairing")
    eight.ok("alter", "end", "2", "--boards", "mine.txt", "--why", "no computer", *acks)
    now = moment(eight)

    found = round_two(now)

    assert found.origin == "manual"
    assert found.recorded is not None
    assert found.recorded.boards == now.state.rounds[1].boards
    rows = side_by_side(found, now.state.players)
    assert {row.mark for row in rows if row.mark} == {"manual"}
    assert on_record("manual", ()) in eight.ok("what-if", "--result", "1", "1", "0-1")


def test_a_result_that_was_cleared_is_still_supposed(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.ok("result", "1", "1", "1-0", "2", "1-0", "3", "1-0", "4", "1-0")
    full = supposed(moment(eight))
    eight.ok("clear", "1", "1", "--why", "wrong board")

    found = supposed(moment(eight))

    assert found.standings
    points = {one.name: one.points[1] for one in found.standings}
    assert points == {one.name: one.points[1] for one in full.standings} | points
    assert 10 in points.values()


def test_a_result_of_a_pairing_taken_back_does_not_swallow_the_supposition(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.ok("result", "1", "1", "1-0")
    eight.ok("clear", "1", "1", "--why", "to take the round back")
    eight.ok("unpair", "--why", "a late entry", "--ack", "published-pairing")
    eight.ok("pair")

    found = supposed(moment(eight))

    assert sorted(one.points[1] for one in found.standings)[-1] == 10


def test_colours_and_boards_corrected_later_are_not_called_altered_by_hand(eight: Terminal) -> None:
    play(eight, 1, *WHITE_WON)
    play(eight, 2, *WHITE_WON)
    acks = ("--why", "both sheets say so", "--ack", "correction")
    eight.ok("correct", "2", "1", "--colours", "--why", "both sheets say so")

    told = eight.ok("what-if", "--result", "1", "1", "0-1")
    assert on_record("colours", ((1, 6),)) in told
    assert on_record("altered", ()) not in told

    eight.ok("pair")
    (a, b), (c, d) = moment(eight).state.rounds[1].boards[1:3]
    swapped = ("--played", "2", f"p{a}", f"p{d}", "1-0", "--played", "3", f"p{c}", f"p{b}", "1-0")
    eight.ok("correct", "2", *swapped, *acks, "--ack", "boards-as-played")
    told = eight.ok("what-if", "--result", "1", "1", "0-1")
    assert on_record("played", ((a, d), (c, b))) in told
    found = round_two(moment(eight))
    assert {found.mark(board) for board in found.by_hand} == {"colours", "played"}


def test_a_correction_that_needs_no_warning_has_its_page(eight: Terminal) -> None:
    """The last round, before the next is paired: nothing is to be accepted."""
    play(eight, 1, *WHITE_WON)
    now = moment(eight)
    preview = now.preview(CorrectResult(round=1, board=1, outcome=LOST), by=person("Anna Arbiter"))

    assert preview.warnings == ()
    page = correct_page(AtDesk(now, WEB, "Anna", "k", GIVEN), preview)
    assert string("page.correct.question") in words(page)
