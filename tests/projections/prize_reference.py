"""Prizes by the text, every assignment tried: nothing of the product is used here.

Rule P: the only assignment in which nobody prefers a prize that he may have and that is free or held by
somebody behind him. Rule Q: shares of the main list are taken over those without a special prize; nobody with
one would get as much on coming back, and nobody prefers one that is free or held by somebody behind. Players
are numbers from 0 in the order of the table, amounts whole units.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations, product


@dataclass(frozen=True)
class Who:
    points: int
    lists: frozenset[str] = frozenset()
    rated: bool = True
    barred: bool = False


@dataclass(frozen=True)
class Fund:
    name: str
    list: str
    place: int
    amount: int
    thing: str = ""
    value: int = 0
    group: str = ""


@dataclass(frozen=True)
class Announced:
    prizes: tuple[Fund, ...]
    least: dict[str, int] = field(default_factory=dict)
    next: dict[str, str] = field(default_factory=dict)
    per_person: str = "one"
    sharing: str = "place"
    special_sharing: str = "place"
    choosing: str = "procedure"
    short: str = "none"
    unclaimed: str = "none"
    unit: int = 1
    least_part: int = 0
    unrated_half: bool = False


@dataclass
class Open:
    """A prize that is given out, with those who may have it, first asked first."""

    fund: Fund
    able: list[int]

    @property
    def dear(self) -> int:
        return self.fund.amount + self.fund.value


class NoneFair(Exception):
    """No assignment is fair."""


Got = dict[int, list[tuple[str, int, str]]]
"""Name, amount and thing of what everybody gets; a part of a shared list is named after the list."""


def expected(rules: Announced, people: list[Who]) -> Got:
    opened = list(given_out(rules, people))
    got: Got = {at: [] for at in range(len(people))}
    if rules.per_person == "all":
        for name in {one.fund.list for one in opened}:
            mine = [one for one in opened if one.fund.list == name]
            shared(got, mine, mine[0].able, people, rules.special_sharing if name else rules.sharing, rules)
    else:
        kinds = {one.fund.group for one in opened} if rules.per_person == "group" else {""}
        for kind in kinds:
            mine = [one for one in opened if rules.per_person == "one" or one.fund.group == kind]
            if rules.sharing == "us32":
                pooled(got, mine, people, rules.unit)
                things = [one for one in mine if one.fund.thing]
                for at, who in without_envy(things).items():
                    got[who].append((things[at].fund.name, 0, things[at].fund.thing))
            elif rules.sharing == "place":
                for one, who in without_envy(mine).items():
                    fund = mine[one].fund
                    got[who].append((fund.name, fund.amount, fund.thing))
            else:
                beside_shares(got, mine, people, rules)
    for at, player in enumerate(people):
        if rules.unrated_half and not player.rated:
            got[at] = [(n, a // 2 // rules.unit * rules.unit, t) for n, a, t in got[at]]
    return got


def given_out(rules: Announced, people: list[Who]) -> Iterator[Open]:
    """Too few players: not given, halved, or merged upwards. Unclaimed: those of the next list follow."""

    def of(name: str) -> list[int]:
        return [at for at, one in enumerate(people) if not one.barred and (not name or name in one.lists)]

    for fund in rules.prizes:
        able, name = of(fund.list), fund.list
        if name and sum(name in one.lists for one in people) < rules.least.get(name, 0):
            if rules.short == "none":
                continue
            if rules.short == "half":
                fund = replace(fund, amount=fund.amount // 2 // rules.unit * rules.unit)
            else:
                able = sorted({*able, *of(rules.next.get(name, ""))})
        if name and rules.unclaimed == "next":
            able = able + [at for at in of(rules.next.get(name, "")) if at not in able]
        yield Open(fund, able)


def without_envy(opened: list[Open]) -> dict[int, int]:
    """Rule P by trying every assignment; there must be one, and no other."""
    liked = sorted(range(len(opened)), key=lambda at: (-opened[at].dear, opened[at].fund.list != "", at))
    fair = []
    for choice in product(*([None, *one.able] for one in opened)):
        taken = [who for who in choice if who is not None]
        if len(set(taken)) < len(taken):
            continue
        holds = {who: at for at, who in enumerate(choice) if who is not None}
        envious = False
        for at, holder in enumerate(choice):
            for who in opened[at].able:
                if who == holder:
                    break
                if who not in holds or liked.index(at) < liked.index(holds[who]):
                    envious = True
        if not envious:
            fair.append({at: who for at, who in enumerate(choice) if who is not None})
    assert len(fair) == 1, fair
    return fair[0]


def parts(
    funds: list[Fund], order: list[int], people: list[Who], method: str, least: int
) -> dict[int, Fraction]:
    """By place: the prize of the place. Equal: sum of the group's prizes / size of the group. Hort: half of
    the own place's prize and half of the equal part. No equal part below the least one: the last drop out."""
    by_place = {one.place: one.amount for one in funds}
    found: dict[int, Fraction] = {}
    for points in sorted({people[at].points for at in order}, reverse=True):
        group = [at for at in order if people[at].points == points]
        own = {at: Fraction(by_place.get(order.index(at) + 1, 0)) for at in group}
        if method == "place" or len(group) == 1:
            found |= own
            continue
        pot = sum(own.values(), Fraction(0)) / (1 if method == "equal" else 2)
        sharing = list(group)
        while len(sharing) > 1 and pot / len(sharing) < least:
            sharing.pop()
        for at in group:
            part = pot / len(sharing) if at in sharing else Fraction(0)
            found[at] = part if method == "equal" else own[at] / 2 + part
    return found


def rounded(exact: dict[int, Fraction], order: list[int], unit: int) -> dict[int, int]:
    """Down to the unit; missing units one by one to the largest remainders, equal ones from the top."""
    paid = {at: int(part // unit) * unit for at, part in exact.items()}
    left = [(paid[at] - part, order.index(at), at) for at, part in exact.items()]
    for _, _, at in sorted(left)[: int(sum(exact.values()) - sum(paid.values())) // unit]:
        paid[at] += unit
    return paid


def shared(
    got: Got, opened: list[Open], order: list[int], people: list[Who], method: str, rules: Announced
) -> None:
    funds = [one.fund for one in opened]
    exact = parts(funds, order, people, method, rules.least_part)
    for points in {people[at].points for at in order}:
        group = {at: exact[at] for at in order if people[at].points == points}
        for at, amount in rounded(group, order, rules.unit).items():
            thing = next((one.thing for one in funds if one.place == order.index(at) + 1), "")
            if amount or thing:
                got[at].append((funds[0].list, amount, thing))


def beside_shares(got: Got, opened: list[Open], people: list[Who], rules: Announced) -> None:
    main = [one for one in opened if one.fund.list == "" and one.fund.amount]
    special = [one for one in opened if one not in main]
    special.sort(
        key=lambda one: (-one.dear, one.fund.list != "", rules.prizes.index(original(one.fund, rules)))
    )
    everybody = [at for at, one in enumerate(people) if not one.barred]
    funds = [one.fund for one in main]

    def stay(gone: set[int]) -> list[int]:
        return [at for at in everybody if at not in gone]

    def worth(gone: set[int]) -> dict[int, Fraction]:
        order = stay(gone)
        exact = parts(funds, order, people, rules.sharing, rules.least_part)
        things = {one.place: one.value for one in funds}
        return {at: part + things.get(order.index(at) + 1, 0) for at, part in exact.items()}

    def gains(one: Open, part: Fraction) -> bool:
        return one.dear > part or (one.dear == part == 0)

    held: dict[int, Open] = {}
    if rules.choosing == "procedure":
        while True:
            now = worth(set(held))
            wanted = [
                (one, at)
                for one in special
                if one not in held.values()
                for at in one.able
                if at not in held and gains(one, now[at])
            ]
            if not wanted:
                break
            held[wanted[0][1]] = wanted[0][0]
    else:
        best: tuple[list[Fraction], list[int]] | None = None
        for choice in product(*([None, *one.able] for one in special)):
            taken = [at for at in choice if at is not None]
            if len(set(taken)) < len(taken):
                continue
            mine = {at: one for one, at in zip(special, choice, strict=True) if at is not None}
            now = worth(set(mine))
            if any(not gains(one, worth(set(mine) - {at})[at]) for at, one in mine.items()):
                continue
            if any(
                one.dear > mine[at].dear if at in mine else gains(one, now[at])
                for one, holder in zip(special, choice, strict=True)
                for at in (one.able if holder is None else one.able[: one.able.index(holder)])
            ):
                continue
            value = [Fraction(mine[at].dear) if at in mine else now[at] for at in everybody]
            # at equal value the order announced: the first prize to whom is asked first
            asked = [
                -(one.able.index(at) if at in one.able else len(people))
                for one, at in zip(special, choice, strict=True)
            ]
            if not best or (value, asked) > best:
                best, held = (value, asked), mine
        if best is None:
            raise NoneFair
    for at, one in held.items():
        got[at].append((one.fund.name, one.fund.amount, one.fund.thing))
    shared(got, main, stay(set(held)), people, rules.sharing, rules) if main else None


def original(fund: Fund, rules: Announced) -> Fund:
    return next(one for one in rules.prizes if one.name == fund.name)


def pooled(got: Got, opened: list[Open], people: list[Who], unit: int) -> None:
    """US 32: the tied pool at most one prize each, the dearest they can win, and divide equally; nobody gets
    more than the largest of them that he could have won, the excess goes to the others."""
    left = sorted(
        (one for one in opened if one.fund.amount),
        key=lambda one: (-one.dear, one.fund.list != "", opened.index(one)),
    )
    for points in sorted({one.points for one in people}, reverse=True):
        tied = [at for at, one in enumerate(people) if one.points == points and not one.barred]
        pool = next(
            pool
            for bits in product((1, 0), repeat=len(left))
            if (pool := [one for one, bit in zip(left, bits, strict=True) if bit]) == []
            or any(
                all(who in one.able for who, one in zip(winners, pool, strict=True))
                for winners in permutations(tied, len(pool))
            )
        )
        left = [one for one in left if one not in pool]
        most = {who: max([one.fund.amount for one in pool if who in one.able], default=0) for who in tied}
        exact: dict[int, Fraction] = {}
        rest = Fraction(sum(one.fund.amount for one in pool))
        for at, who in enumerate(sorted(tied, key=lambda one: most[one])):
            exact[who] = min(Fraction(most[who]), rest / (len(tied) - at))
            rest -= exact[who]
        for who, amount in rounded(exact, tied, unit).items():
            if amount:
                got[who].append(("pool", amount, ""))
