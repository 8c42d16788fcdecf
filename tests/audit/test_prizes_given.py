"""A list of prizes on record is computed again from the facts before it: a changed one is found."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from paircard.domain.commands import ChangeRegulations, RegisterPlayer
from paircard.domain.events import PrizesPublished, Recorded
from paircard.domain.values.players import Details
from paircard.domain.values.prizes import Category, Condition, Prize, PrizeRules
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.projections.prizes import publication
from paircard.projections.public import pseudonymous
from paircard.service import Office, Person, person
from paircard.service.erasure import erase_person
from paircard.service.review.verify import verify
from tests.audit.lives import rows
from tests.audit.quiet import graves, resealed

ANNA = person("Anna Arbiter")
WOMEN = Category(name="women", conditions=(Condition(field="sex", values=("w",)),))
RULES = PrizeRules(
    prizes=(
        Prize(name="first", amount=10_000),
        Prize(name="second", place=2, amount=5_000),
        Prize(name="best woman", category="women", amount=3_000),
    )
)


@pytest.fixture
def log(tmp_path: Path) -> list[Recorded]:
    with Office.create(tmp_path / "open.db") as office:
        t = office.new(Regulations(name="Open", rounds=1), by=ANNA)
        people = [Details(name=name, rating=rating, sex=name[0]) for name, rating in
                  (("wanda", 2100), ("mario", 2000), ("wilma", 1900), ("max", 1800))]  # fmt: skip
        t.ask(*(RegisterPlayer(details=one) for one in people), by=ANNA)
        t.ask(ChangeRegulations(changes=RegulationChanges(categories=(WOMEN,), prizes=RULES)), by=ANNA)
        t.draw_colour("w", by=ANNA)
        t.pair(by=ANNA)
        t.publish(by=ANNA)
        t.record(1, {1: "1-0", 2: "1-0"}, by=ANNA)
        t.propose(lambda now: [publication(now.state)], by=ANNA)
        return list(t.facts())


def forged(log: list[Recorded], **news: object) -> list[Recorded]:
    fact = log[-1].fact
    assert isinstance(fact, PrizesPublished)
    return resealed([*log[:-1], replace(log[-1], fact=replace(fact, **news))])


def test_the_list_on_record_follows_from_the_facts(log: list[Recorded]) -> None:
    assert verify(log[0].tournament, rows(resealed(log))).findings == ()


@pytest.mark.parametrize("way", ["more money", "another player", "one left out", "the digest", "the place"])
def test_a_changed_list_is_found_although_its_chain_holds(log: list[Recorded], way: str) -> None:
    fact = log[-1].fact
    assert isinstance(fact, PrizesPublished)
    first, *others = fact.awards
    news: dict[str, object] = {
        "more money": {"awards": (replace(first, amount=10_001), *others)},
        "another player": {"awards": (replace(first, player=4), *others)},
        "one left out": {"awards": tuple(others)},
        "the digest": {"computed_from": "0" * 64},
        "the place": {"based_on": fact.based_on - 1},
    }
    report = verify(log[0].tournament, rows(forged(log, **news[way])))  # type: ignore[arg-type]

    assert not report.whole
    assert {version for _, version in graves(report)} == {len(log)}


def test_rules_changed_on_the_quiet_are_found_by_the_list(log: list[Recorded]) -> None:
    at = next(at for at, one in enumerate(log) if "second" in str(one.fact))
    dearer = replace(RULES, prizes=(replace(RULES.prizes[0], amount=20_000), *RULES.prizes[1:]))
    changes = RegulationChanges(categories=(WOMEN,), prizes=dearer)
    bent = [*log]
    bent[at] = replace(log[at], fact=replace(log[at].fact, changes=changes))

    assert ("prizes", len(log)) in graves(verify(log[0].tournament, rows(resealed(bent))))


def test_a_copy_without_people_holds(log: list[Recorded]) -> None:
    copy = pseudonymous(log, "c" * 32)

    assert verify("c" * 32, rows(copy)).whole
    assert "best woman" not in str(copy)


def test_after_an_erasure_it_is_told_that_the_list_cannot_be_computed_again(
    tmp_path: Path, log: list[Recorded]
) -> None:
    with Office.open(tmp_path / "open.db") as office:
        t = office.tournament()
        erase_person(
            office.store(),
            t,
            1,
            by=Person(name="Anna Arbiter", why="asked to", accepts=("erase-while-running",)),
        )
        report = t.verify()

        assert report.whole
        assert [finding.message.fields for finding in report.findings if finding.matter == "prizes"] == [
            {"verdict": "erased"}
        ]
