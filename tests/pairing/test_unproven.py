"""Where too many sets of downfloaters would have to be tried, the answer says that it is not proven."""

from itertools import combinations

import msgspec
import pytest

from paircard.domain.messages import Message
from paircard.pairing.explain import Contrast, explain, why_not
from paircard.pairing.explain.answers import answer_why_not, explain_float
from paircard.pairing.explain.speaking import RoundPageSpeaker, RoundSpeaker, Who, say
from paircard.projections.round.snapshot import Snapshot
from paircard.service.explaining import Reply, Round
from paircard.service.print.explanations import explanation_page
from paircard.service.print.rendering import Event
from tests.pairing.rounds import who

TOP, HUBS = 14, 4
"""Fourteen players on top, of whom four may meet anybody and ten none of each other: six float."""
SCARCE = {
    "dutch-2026": "5-25 6-19 6-21 7-17 7-22 8-16 8-18 9-18 9-20 10-16 10-20 10-22 11-18 14-16 14-25",
    "dutch-2017": " ".join(f"{a}-{b}" for a in range(5, 15) for b in range(15, 27) if (2 * a + b) % 4 == 0),
}
"""Whom those ten may meet below."""
ASKED = {"dutch-2026": (8, 18), "dutch-2017": (6, 16)}


def crowded(edition: str) -> Snapshot:
    allowed = {(int(a), int(b)) for a, b in (pair.split("-") for pair in SCARCE[edition].split())}
    barred = set(combinations(range(HUBS + 1, TOP + 1), 2))
    barred |= {(a, b) for a in range(HUBS + 1, TOP + 1) for b in range(TOP + 1, 27)} - allowed
    players = tuple(who(n, 20 if n <= TOP else 10 if n <= 20 else 0) for n in range(1, 27))
    return Snapshot(edition=edition, round=1, rounds=9, players=players, prohibited=tuple(sorted(barred)))


PEOPLE = {n: Who(n, "") for n in range(1, 27)}
LOOKS_AHEAD = {"dutch-2026": "C8", "dutch-2017": "C.7"}
"""The criterion that asks for the next bracket."""


def told(found: Contrast, a: int, b: int, edition: str) -> list[Message]:
    answer = answer_why_not(found, a, b, edition, 1)
    return [*answer.short, *answer.detail]


def unproven(found: Contrast, criterion: str) -> Message:
    return say("explain.unproven", untried=found.untried, criterion=criterion)


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_an_answer_that_is_not_proven_says_what_was_not_tried(edition: str) -> None:
    a, b = ASKED[edition]

    found = why_not(crowded(edition), a, b)

    assert found.untried > 600
    assert msgspec.to_builtins(found)["untried"] == found.untried
    assert any({board.white, board.black} == {a, b} for board in found.boards), "the two do meet in it"
    lines = told(found, a, b, edition)
    assert lines[-1] == unproven(found, LOOKS_AHEAD[edition])
    assert f"{found.untried:,} " in RoundSpeaker(PEOPLE).say(lines[-1])
    assert "explain.contrast.found" in [line.code for line in lines]


def test_an_answer_that_is_proven_says_nothing_of_it() -> None:
    edition = "dutch-2026"
    for a, b in ((1, 2), (1, 20), (21, 22)):
        found = why_not(crowded(edition), a, b)

        assert found.untried == 0
        assert "explain.unproven" not in [line.code for line in told(found, a, b, edition)]


def test_a_float_whose_reason_is_not_proven_says_so_in_text_and_on_the_page() -> None:
    edition = "dutch-2026"
    story = explain(crowded(edition))
    found = why_not(crowded(edition), *ASKED[edition])
    bracket = story.brackets[0]
    floats = (msgspec.structs.replace(bracket.floats[0], contrast=found, bars=()), *bracket.floats[1:])
    brackets = (msgspec.structs.replace(bracket, floats=floats), *story.brackets[1:])
    story = msgspec.structs.replace(story, brackets=brackets)

    lines = explain_float(floats[0], edition)
    round = Round(snapshot=crowded(edition), people=PEOPLE, boards=None)
    page = explanation_page(Event(name="Open"), round, Reply(data=story))

    assert "explain.contrast.found" in [line.code for line in lines]
    assert unproven(found, LOOKS_AHEAD[edition]) in lines
    assert page.count(RoundPageSpeaker(PEOPLE).say(unproven(found, LOOKS_AHEAD[edition]))) == 1
