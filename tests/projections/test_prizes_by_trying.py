"""Prizes of small funds against all assignments there are, and proof that the comparison can fail."""

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import ModuleType

import pytest

from paircard.domain.errors import Invalid
from paircard.domain.values.prizes import Category, Condition, Prize, PrizeRules, check_prizes
from paircard.projections import awarding
from paircard.projections.awarding import Entrant, PrizeList
from tests.projections.prize_reference import Announced, Fund, Got, NoneFair, Who, expected

Give = Callable[[PrizeRules, list[Category], list[Entrant]], PrizeList]
W = Condition(field="sex", values=("w",))


def case(lot: random.Random) -> tuple[Announced, list[Who]]:
    """A small fund and a few players, over every rule there is."""
    sharing = lot.choice(["place", "place", "equal", "hort", "equal", "hort", "us32"])
    per_person = "one" if sharing == "us32" else lot.choice(["one", "one", "one", "group", "all"])
    names = ["x", "y"][: lot.randint(0, 2)]
    people = [
        Who(
            points,
            frozenset(name for name in names if lot.random() < 0.55),
            rated=lot.random() < 0.8,
            barred=lot.random() < 0.08,
        )
        for points in sorted((lot.randint(1, 4) for _ in range(lot.randint(1, 5))), reverse=True)
    ]
    unit = lot.choice([1, 1, 1, 10, 50])
    prizes: list[Fund] = []
    for name in ["", *names]:
        many = lot.choice([0, 1, 2, 3]) if not name else lot.choice([1, 1, 2])
        places = sorted(lot.sample(range(1, 5), many)) if lot.random() < 0.1 else range(1, many + 1)
        amounts = sorted(
            (lot.randint(0 if not name else 1, lot.choice([3, 12])) * unit * 10 for _ in places), reverse=True
        )
        for place, amount in zip(places, amounts, strict=True):
            thing = lot.choice(["", "", "", "cup"]) if amount else "cup"
            value = 0 if not thing or lot.random() < 0.6 else lot.randint(1, 60)
            if prizes and prizes[-1].list == name:
                value = min(value, prizes[-1].amount + prizes[-1].value - amount)
            group = name and lot.choice(["", "g"]) if per_person == "group" else ""
            if group != (prizes[-1].group if prizes and prizes[-1].list == name else group):
                group = prizes[-1].group
            prizes.append(Fund(f"{name}{place}", name, place, amount, thing, max(0, value), group))
    rules = Announced(
        prizes=tuple(prizes),
        least={name: lot.choice([0, 0, 2, 3]) for name in names},
        next=dict(zip(names, [*names[1:], ""], strict=False)),
        per_person=per_person,
        sharing=sharing,
        special_sharing=lot.choice(["place", "equal", "hort"]) if per_person == "all" else "place",
        choosing=lot.choice(["procedure", "best"]),
        short=lot.choice(["none", "half", "up"]),
        unclaimed="none" if sharing == "us32" or per_person == "all" else lot.choice(["none", "next"]),
        unit=unit,
        least_part=lot.choice([0, 0, 15, 40]) if sharing in ("equal", "hort") else 0,
        unrated_half=lot.random() < 0.2,
    )
    return rules, people


def ours(rules: Announced, people: list[Who], give: Give) -> Got:
    """The answer of the product, in the words of the reference."""
    announced = PrizeRules(
        prizes=tuple(
            Prize(
                name=one.name, category=one.list, place=one.place, amount=one.amount, thing=one.thing,
                value=one.value, group=one.group,
            )
            for one in rules.prizes
        ),
        **{
            name: getattr(rules, name)
            for name in (
                "per_person", "sharing", "special_sharing", "choosing", "short", "unclaimed", "unit",
                "least_part", "unrated_half",
            )
        },
    )  # fmt: skip
    categories = [
        Category(name=name, conditions=(W,), least=rules.least[name], next=rules.next[name])
        for name in rules.least
    ]
    check_prizes(tuple(categories), announced, "2026-11-16")
    ranked = [
        Entrant(
            id=at,
            points=one.points,
            rank=at,
            lists=tuple(sorted(one.lists)),
            rated=one.rated,
            barred=one.barred,
        )
        for at, one in enumerate(people, start=1)
    ]
    found = give(announced, categories, ranked)
    total = sum(one.amount for one in found.given) + sum(one.amount for one in found.kept)
    assert total == sum(one.amount for one in rules.prizes), (rules, people)
    got: Got = {at: [] for at in range(len(people))}
    money = {one.name for one in rules.prizes if one.amount}
    for one in found.given:
        name = one.prize
        if rules.per_person == "all" or (
            rules.sharing in ("equal", "hort") and not one.category and name in money
        ):
            name = one.category
        elif rules.sharing == "us32" and one.amount:
            name = "pool"
        got[one.player - 1].append((name, one.amount, one.thing))
    return got


def differences(cases: int, give: Give = awarding.give, seed: int = 31, enough: int = 1) -> int:
    """How many random cases come out otherwise; no more are tried once there are enough."""
    lot = random.Random(seed)
    found = 0
    for _ in range(cases):
        rules, people = case(lot)
        found += answer(partial(expected, rules, people)) != answer(partial(ours, rules, people, give))
        if found >= enough:
            return found
    return found


def answer(make: Callable[[], Got]) -> object:
    """What everybody gets, or that there is no fair list; a sum that is not that announced is no answer."""
    try:
        return {at: sorted(one) for at, one in make().items()}
    except AssertionError:
        return "sum"
    except (Invalid, NoneFair):
        return "none is fair"


def test_every_assignment_of_a_small_fund_was_tried() -> None:
    assert differences(600) == 0


@pytest.mark.soak
def test_every_assignment_of_100_000_small_funds_was_tried() -> None:
    assert differences(100_000, seed=32) == 0


MUTANTS = {
    "dearest first": ("(-one.worth,", "(one.worth,"),
    "main list before categories": (
        "one.prize.category != MAIN, one.order)",
        "one.prize.category == MAIN, one.order)",
    ),
    "the order announced": ("!= MAIN, one.order)", "!= MAIN, -one.order)"),
    "best placed first": (
        "enumerate(offer.able) if id not in has",
        "enumerate(offer.able) if id not in has and at",
    ),
    "one each": ("        has.add(winner)\n", ""),
    "the group as large as it is": ("sum(own)), len(group)", "sum(own)), len(group) + 1"),
    "half of the own place": ("Fraction(1, 2) if method", "Fraction(1, 3) if method"),
    "the last drop out": ("< least:\n            size -= 1", "< least:\n            size -= 2"),
    "a part equal to the least is a part": ("/ size < least", "/ size <= least"),
    "rounded down first": ("[int(part) for part in units]", "[round(part) for part in units]"),
    "largest remainders": ("(paid[at] - units[at], at)", "(units[at] - paid[at], at)"),
    "equal remainders from the top": ("(paid[at] - units[at], at)", "(paid[at] - units[at], -at)"),
    "too few players": ("< category.least:", "<= category.least:"),
    "who is barred counts among them": ("len(members[category.name])", "len(able[category.name])"),
    "half of a prize": ("amount = amount // 2 // rules.unit", "amount = amount // 3 // rules.unit"),
    "merged upwards in the order of the table": (
        "id for id in able[MAIN] if id in both",
        "id for id in sorted(both, reverse=True)",
    ),
    "on to the next list": ("may += tuple(", "may = tuple("),
    "the value of a thing": ("worth=amount + prize.value", "worth=amount"),
    "the value of a thing of the main list": ("one.id: part + thing for", "one.id: part for"),
    "gains strictly": ("> (part, part > 0)", ">= (part, part > 0)"),
    "recomputed after each": (
        "            parts = self.parts(held)\n            able",
        "            parts = self.parts(())\n            able",
    ),
    "who left stays away": ("if one.id not in away", "if one.id not in away or True"),
    "coming back": (
        "self.parts(set(held) - {id})[id]) for id, offer in held",
        "parts[id]) for id, offer in held.items() if id in parts",
    ),
    "nobody prefers": (
        "                    return False\n        return True",
        "                    return True\n        return True",
    ),
    "best for the first": ("return max(found", "return min(found"),
    "a prize that nobody takes": ("            choose(at + 1, held)\n", "            pass\n"),
    "nothing makes up for it": ("if not equal and self.gains", "if self.gains"),
    "at most one prize for each of the tied": (
        "id in able[offer.order] and id not in seen",
        "id in able[offer.order]",
    ),
    "the excess goes to the others": ("            rest -= limit[id]\n", ""),
    "no more than the largest": ("limit[id] < equal", "limit[id] < 0"),
    "pooled once": ("left = [offer for offer in left if offer not in pool]", "left = list(left)"),
    "unrated players have half": ("half = one.amount // 2", "half = one.amount // 1"),
    "each list by itself": (
        "method = rules.special_sharing if name else rules.sharing",
        "method = rules.sharing",
    ),
    "things by place": ('award if own else replace(award, thing="")', "award"),
    "one of each group": ("not grouped or offer.prize.group == group", "True"),
}


def mutant(before: str, after: str) -> ModuleType:
    with open(awarding.__file__, encoding="utf-8") as file:
        source = file.read()
    assert source.count(before) == 1, before
    made = ModuleType("paircard.projections.mutant")
    made.__file__ = awarding.__file__
    exec(compile(source.replace(before, after), made.__name__, "exec"), vars(made))
    return made


@pytest.mark.soak
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_in_the_rules_is_found(name: str) -> None:
    with suppress(
        ArithmeticError, ValueError, LookupError, RecursionError
    ):  # a mistake that cannot even answer
        assert differences(6_000, mutant(*MUTANTS[name]).give, seed=33) > 0
