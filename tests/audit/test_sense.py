"""The sense of a log whose chain was computed anew: made-up facts do not follow on each other.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import msgspec
import pytest

from paircard.cli import verify as alone
from paircard.domain.errors import CorruptFile
from paircard.domain.events import (
    GameAdjourned,
    PairingNumbersAssigned,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
    RoundPublished,
)
from paircard.domain.log.stored import GENESIS, StoredFact, link_hash
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import sensible, write_bundle
from paircard.domain.values.results import Outcome
from paircard.service.review.verify import verify
from tests.audit.lives import rows
from tests.audit.quiet import END, ID, LOG, ROWS, graves, resealed
from tests.refusals import refuses


def test_a_result_changed_behind_a_pairing_shows_in_its_snapshot() -> None:
    at = next(i for i, fact in enumerate(LOG) if isinstance(fact.fact, ResultRecorded))
    fact = LOG[at].fact
    assert isinstance(fact, ResultRecorded)
    other = Outcome(fact.outcome.black, fact.outcome.white)
    other = Outcome("1", "0") if other == fact.outcome else other
    log = list(LOG)
    log[at] = msgspec.structs.replace(LOG[at], fact=msgspec.structs.replace(fact, outcome=other))

    report = verify(ID, rows(resealed(log)))

    second = next(f.version for f in LOG if isinstance(f.fact, RoundPaired) and f.fact.round == 2)
    assert graves(report) == [("round", second)]
    assert report.findings[0].message == say("verify.round", round=2, verdict="snapshot-differs")
    assert [each.verdict for each in report.rounds] == ["identical", "snapshot-differs"]


def test_boards_changed_by_a_forger_are_not_those_of_the_engine() -> None:
    at = next(i for i, f in enumerate(LOG) if isinstance(f.fact, RoundPaired) and f.fact.round == 2)
    fact = LOG[at].fact
    assert isinstance(fact, RoundPaired)
    (a, b), *rest = fact.boards
    log = list(LOG)
    log[at] = msgspec.structs.replace(LOG[at], fact=msgspec.structs.replace(fact, boards=((b, a), *rest)))

    report = verify(ID, rows(resealed(log[: at + 1])))

    assert graves(report) == [("round", at + 1)]
    assert report.findings[0].message == say("verify.round", round=2, verdict="differs")


@pytest.mark.parametrize("shift", [-1, 1, -1000, 1000])
def test_a_round_must_be_paired_at_the_version_it_was_recorded_on(shift: int) -> None:
    at = next(i for i, f in enumerate(LOG) if isinstance(f.fact, RoundPaired) and f.fact.round == 2)
    fact = LOG[at].fact
    assert isinstance(fact, RoundPaired)
    log = list(LOG)
    moved = msgspec.structs.replace(fact, based_on=fact.based_on + shift)
    log[at] = msgspec.structs.replace(LOG[at], fact=moved)

    report = verify(ID, rows(resealed(log[: at + 1])))

    assert graves(report) == [("version", at + 1)]
    assert report.findings[0].message == say("verify.paired-at", round=2, based_on=fact.based_on + shift)
    assert report.rounds == ()


def test_a_round_paired_on_the_facts_of_another_command_is_told() -> None:
    first = next(i for i, f in enumerate(LOG) if isinstance(f.fact, RoundPaired))
    log = list(LOG[: first + 1])
    log[first - 1] = msgspec.structs.replace(log[first - 1], command_id="another")

    assert graves(verify(ID, rows(resealed(log)))) == [("version", first + 1)]


def test_facts_that_do_not_follow_on_each_other_are_made_up() -> None:
    opening, entry = LOG[0], LOG[1]
    for log in (
        [entry, opening],
        [opening, opening],
        [opening, msgspec.structs.replace(entry, fact=RoundPublished(round=3))],
        [
            opening,
            msgspec.structs.replace(entry, fact=ResultRecorded(round=1, board=1, outcome=Outcome("1", "0"))),
        ],
    ):
        made = rows(resealed(log))
        report = verify(ID, made)
        assert graves(report) == [("sense", 0)]
        assert report.length == 2
        with refuses(CorruptFile, "proof.does-not-follow"):
            sensible(ID, made)
    assert sensible(ID, ROWS).paired == 2


def test_a_topic_must_be_that_of_its_fact() -> None:
    stored = ROWS[0].state
    topic = "player-registered/1"
    hash = link_hash(GENESIS, ID, 1, topic, stored[:-153] + b"}")
    forged = stored[:-153] + f',"previous":"{GENESIS}","hash":"{hash}"}}'.encode()

    row = StoredFact(ID, 1, topic, forged)
    report = verify(ID, [row])

    assert graves(report) == [("sense", 0)]
    bundle = write_bundle(ID, [row])
    lines, whole = alone.verify_bundle(bundle)
    assert not whole
    assert lines == ["BROKEN: fact 1 is tournament-opened, not player-registered/1"]


def test_a_fact_that_no_fold_can_take_is_no_traceback() -> None:
    odd = GameAdjourned(round=1, board=-9)
    after = RoundPaired(
        round=3, edition="dutch-2026", engine="x", based_on=END + 1, snapshot="", numbers=(), boards=(),
        origin="import",
    )  # fmt: skip
    extra = [
        msgspec.structs.replace(LOG[-1], fact=fact, command_id=f"made up {at}")
        for at, fact in enumerate((odd, after))
    ]

    report = verify(ID, rows(resealed([*LOG, *extra])))

    assert graves(report) == [("sense", 0)]
    assert f"fact {END + 1} " in report.findings[0].text


def test_pairing_numbers_of_nobody_are_no_traceback() -> None:
    """Every fact can be taken on its own, and no round can be made from them."""
    third = RoundPaired(
        round=3, edition="dutch-2026", engine="x", based_on=END + 1, snapshot="", numbers=(), boards=(),
        origin="import",
    )  # fmt: skip
    extra = [
        msgspec.structs.replace(LOG[-1], fact=fact, command_id=f"made up {at}")
        for at, fact in enumerate((PairingNumbersAssigned(order=(99, 1), cause="initial"), third))
    ]

    report = verify(ID, rows(resealed([*LOG, *extra])))

    assert graves(report) == [("sense", 0)]
    assert report.findings[0].message == say("verify.not-replayed", kind="KeyError")
    assert report.rounds == ()
    assert report.authors == ()


def test_a_correction_of_a_board_that_does_not_exist_was_made_up() -> None:
    draw, win = Outcome("=", "="), Outcome("1", "0")
    odd = ResultCorrected(round=1, board=-9, outcome=draw, was=win, scope="pairing-next")
    extra = msgspec.structs.replace(LOG[-1], fact=odd, command_id="made up")

    report = verify(ID, rows(resealed([*LOG, extra])))

    assert graves(report) == [("sense", 0)]
    assert f"fact {END + 1} " in report.findings[0].text


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"boards": ((77, 78),)}, say("proof.stranger-on-boards", id="p77")),
        ({"boards": ((1, 2), (2, 3))}, say("proof.on-boards-twice")),
        ({"boards": ((1, 2),), "pab": 2}, say("proof.on-boards-twice")),
        ({"edition": "dutch-1990"}, say("proof.other-edition", text="dutch-1990", edition="dutch-2026")),
    ],
)
def test_boards_that_are_none_are_told_whoever_made_them(changes: dict[str, object], told: Message) -> None:
    report = verify(ID, rows(resealed(paired_next(origin="import", **changes))))

    assert ("version", END + 1) in graves(report)
    assert say("verify.not-recorded", what=told) in [finding.message for finding in report.findings]


def paired_next(**changes: object) -> list[Recorded]:
    """The log with a third round nobody made."""
    fact = RoundPaired(
        round=3, edition="dutch-2026", engine="other 1", based_on=END, snapshot="", numbers=(), boards=()
    )
    fact = msgspec.structs.replace(fact, **changes)
    return resealed([*LOG, msgspec.structs.replace(LOG[-1], fact=fact, command_id="third")])


def test_a_round_that_claims_an_engine_has_a_snapshot() -> None:
    report = verify(ID, rows(paired_next()))

    assert graves(report) == [("version", END + 1)]
    assert report.findings[0].message == say("verify.without-snapshot", round=3)
    assert verify(ID, rows(paired_next(origin="import"))).whole


def test_rounds_follow_on_each_other() -> None:
    for round in (1, 2, 4):
        assert graves(verify(ID, rows(paired_next(round=round, origin="import")))) == [("sense", 0)]


def test_a_round_of_another_engine_is_noted() -> None:
    from paircard.domain.state import state_after
    from paircard.projections.views import snapshot_now

    digest = snapshot_now(state_after(LOG)).digest()

    report = verify(ID, rows(paired_next(snapshot=digest)))

    assert report.whole
    [finding] = report.findings
    assert (finding.matter, finding.version, finding.grave) == ("round", END + 1, False)
    assert finding.message == say("verify.round", round=3, verdict="other-engine")


def test_a_clock_that_went_back_is_told_and_changes_nothing() -> None:
    log = list(LOG)
    log[5] = msgspec.structs.replace(log[5], when="2026-11-16T08:00:00.5Z")

    report = verify(ID, rows(resealed(log)))

    assert report.whole
    [finding] = report.findings
    assert (finding.matter, finding.version, finding.grave) == ("clock", 6, False)
    assert finding.message == say("verify.clock", when="2026-11-16T08:00:00.5Z", value=log[4].when)
    assert len(report.rounds) == 2, "order is that of the log"
    same = [msgspec.structs.replace(fact, when=LOG[0].when) for fact in LOG]
    assert verify(ID, rows(resealed(same))).findings == ()
