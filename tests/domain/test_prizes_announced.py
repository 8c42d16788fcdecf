"""Categories and prizes are announced before round 1; later with a reason, and a warning to accept."""

from typing import Any

import pytest
from msgspec.structs import replace

from paircard.domain.commands import ChangeRegulations, Meta, PublishPrizes
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import Invalid, NeedsAcknowledgement, NotNow, ReasonMissing
from paircard.domain.events import TournamentDetailsChanged, TournamentOpened
from paircard.domain.state import Tournament, fold
from paircard.domain.values.prizes import Category, Condition, Prize, PrizeRules, money, read_money
from paircard.domain.values.regulations import RegulationChanges, Regulations
from tests.refusals import refuses

META = Meta(who="anna", when="2026-11-16T09:30:00Z", command_id="c1")
WOMEN = Category(name="women", conditions=(Condition(field="sex", values=("w",)),))
FIRST = Prize(name="first", amount=20000)
SECOND = Prize(name="second", place=2, amount=10000)


def opened(**more: object) -> Tournament:
    return fold([TournamentOpened(regulations=Regulations(name="Open", rounds=5, **more))])  # type: ignore[arg-type]


def announce(state: Tournament, rules: PrizeRules, *categories: Category) -> None:
    changes = RegulationChanges(categories=categories, prizes=rules)
    [fact] = decide(state, ChangeRegulations(meta=META, changes=changes))
    assert fact == TournamentDetailsChanged(changes=changes)


def test_before_round_1_they_are_free() -> None:
    announce(opened(), PrizeRules(prizes=(FIRST, replace(FIRST, name="w", category="women"))), WOMEN)


NOBODY = Category(name="x", conditions=(Condition(field="rating", least=1800, below=1600),))


def on_day(field: str, key_date: str, **more: Any) -> Category:
    return Category(name="x", conditions=(Condition(field=field, key_date=key_date, **more),))


U16 = Category(name="U16", conditions=(Condition(field="birth", youth=16),))


@pytest.mark.parametrize(
    ("code", "rules", "categories"),
    [
        ("category-twice", PrizeRules(), (WOMEN, WOMEN)),
        ("category-unknown", PrizeRules(prizes=(replace(FIRST, category="women"),)), ()),
        ("category-of-all", PrizeRules(), (Category(name="all", conditions=()),)),
        ("age-without-day", PrizeRules(), (U16,)),
        ("day-unknown", PrizeRules(), (on_day("birth", "20261116", youth=16),)),
        ("day-unknown", PrizeRules(), (on_day("rating", "?!", below=1800),)),
        ("band-empty", PrizeRules(), (NOBODY,)),
        ("prize-place-twice", PrizeRules(prizes=(FIRST, replace(FIRST, name="too"))), ()),
        ("prize-twice", PrizeRules(prizes=(FIRST, replace(FIRST, place=2))), ()),
        ("prize-of-nothing", PrizeRules(prizes=(Prize(name="air"),)), ()),
        ("prize-not-in-units", PrizeRules(prizes=(replace(FIRST, amount=150),), unit=100), ()),
        ("least-part-unshared", PrizeRules(least_part=100), ()),
        ("special-sharing-one", PrizeRules(special_sharing="equal"), ()),
        ("us32-one", PrizeRules(sharing="us32", per_person="all"), ()),
        ("next-list-one", PrizeRules(sharing="us32", unclaimed="next"), ()),
        ("next-list-one", PrizeRules(per_person="all", unclaimed="next"), ()),
        ("prize-places-turned", PrizeRules(prizes=(FIRST, replace(SECOND, amount=20001))), ()),
        ("prize-places-turned", PrizeRules(prizes=(replace(FIRST, place=2), replace(FIRST, name="too"))), ()),
        ("choice-unknown", PrizeRules(sharing="fair"), ()),
        ("currency-unknown", PrizeRules(currency="Euro"), ()),
    ],
)  # fmt: skip
def test_what_cannot_be_given_is_refused(
    code: str, rules: PrizeRules, categories: tuple[Category, ...]
) -> None:
    with pytest.raises(Invalid) as refusal:
        announce(opened(), rules, *categories)
    assert refusal.value.said.code == code


def test_money_is_exact() -> None:
    assert (money(1250), money(1200), read_money("12,5"), read_money("12")) == ("12.50", "12", 1250, 1200)
    for text in ("", "1.234", "-5", "1e3", "12."):
        with refuses(Invalid, "not-an-amount", text=text):
            read_money(text)


def test_prizes_are_published_only_where_some_are_announced_and_every_round_is_paired() -> None:
    asked = PublishPrizes(meta=META, awards=(), based_on=1, computed_from="")
    with refuses(NotNow, "no-prizes"):
        decide(opened(), asked)
    with refuses(NotNow, "prizes-too-early", last=0, rounds=5):
        decide(opened(prizes=PrizeRules(prizes=(FIRST,))), asked)


def test_after_round_1_a_reason_and_a_confirmation_are_needed() -> None:
    state = opened()
    state = replace(state, rounds=(object(),))
    command = ChangeRegulations(meta=META, changes=RegulationChanges(categories=(WOMEN,)))
    with pytest.raises(ReasonMissing):
        decide(state, command)
    told = replace(command, meta=replace(META, why="forgotten"))
    with pytest.raises(NeedsAcknowledgement) as refusal:
        decide(state, told)
    assert [(one.level, one.code) for one in refusal.value.warnings] == [(4, "late-prizes")]
