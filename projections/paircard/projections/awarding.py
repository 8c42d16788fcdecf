"""Who gets which prize: exact arithmetic, each award with its reasons.

No rule of FIDE says how prizes are given; what is applied here is what the organiser announced.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import groupby, pairwise
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid
from paircard.domain.messages import Message, say
from paircard.domain.values.prizes import MAIN, Category, Prize, PrizeRules, money

MOST_WAYS: Final = 50_000
"""Lists that are tried to find the best one for the higher placed."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A player in the final order, as prizes see him."""

    id: int
    points: int
    """In tenths."""
    rank: int
    lists: tuple[str, ...] = ()
    """Categories the player is in."""
    rated: bool = True
    barred: bool = False
    """Has no prize under the rules: did not play every round."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What a player gets of one prize, and why."""

    prize: str
    category: str
    player: int
    amount: int = 0
    thing: str = ""
    reasons: tuple[Message, ...] = ()
    pooled: tuple[str, ...] = ()
    """Prizes that the amount is a part of."""


class Kept(NamedTuple):
    """A prize, or a part of one, that nobody gets."""

    prize: str
    amount: int
    reason: Message
    thing: str = ""


class PrizeList(msgspec.Struct, frozen=True, kw_only=True):
    """Who gets what, what nobody gets, and what the arbiter has to know."""

    given: tuple[Given, ...]
    kept: tuple[Kept, ...] = ()
    notes: tuple[Message, ...] = ()


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A prize with those who may have it, in the order of the table."""

    prize: Prize
    order: int
    amount: int
    worth: int
    able: tuple[int, ...]
    """Behind them those of the next list, if it goes there where nobody of its own takes it."""


Ranked = Sequence[Entrant]


# --- sharing in one list


def shares(points: Sequence[int], amounts: Sequence[int], method: str, least: int = 0) -> list[Fraction]:
    """Everybody's part of the prizes of a list, in its order; equal points make a group."""
    parts: list[Fraction] = []
    for _, run in groupby(range(len(points)), key=lambda at: points[at]):
        group = list(run)
        own = [amounts[at] if at < len(amounts) else 0 for at in group]
        pot, size = Fraction(sum(own)), len(group)
        if method == "place" or size == 1:
            parts += map(Fraction, own)
            continue
        fraction = Fraction(1, 2) if method == "hort" else Fraction(1)
        while size > 1 and pot * fraction / size < least:
            size -= 1  # the last in order drop out
        equal = [pot * fraction / size] * size + [Fraction(0)] * (len(group) - size)
        parts += [(1 - fraction) * mine + part for mine, part in zip(own, equal, strict=True)]
    return parts


def rounded(parts: Sequence[Fraction], unit: int) -> list[int]:
    """Whole units with the same sum: missing ones go to the largest remainders, equal ones from the top."""
    units = [part / unit for part in parts]
    paid = [int(part) for part in units]
    missing = int(sum(units)) - sum(paid)
    for at in sorted(range(len(parts)), key=lambda at: (paid[at] - units[at], at))[:missing]:
        paid[at] += 1
    return [each * unit for each in paid]


# --- all lists


def give(rules: PrizeRules, categories: Sequence[Category], ranked: Ranked) -> PrizeList:
    """The prizes of an event, for players in their final order."""
    offers, kept, notes = _offers(rules, categories, ranked)
    given: list[Given] = []
    if rules.per_person == "all":
        for name in dict.fromkeys(offer.prize.category for offer in offers):
            mine = [offer for offer in offers if offer.prize.category == name]
            method = rules.special_sharing if name else rules.sharing
            able = [one for one in ranked if one.id in mine[0].able]
            given += _shared(mine, able, method, rules)
    else:
        grouped = rules.per_person == "group"
        for group in dict.fromkeys(offer.prize.group if grouped else "" for offer in offers):
            mine = [offer for offer in offers if not grouped or offer.prize.group == group]
            if rules.sharing == "us32":
                given += _us32(mine, ranked, rules)
                things = [offer for offer in mine if offer.prize.thing]
                given += _by_place([replace(offer, amount=0) for offer in things], ranked)
            elif rules.sharing == "place":
                given += _by_place(mine, ranked)
            else:
                found, told = _beside_shared(mine, ranked, rules)
                given += found
                notes += told
    kept += _left_over(offers, given)
    kept += _halve_for_unrated(given, ranked, rules)
    order = {offer.prize.name: offer.order for offer in offers}
    places = {one.id: at for at, one in enumerate(ranked)}
    given.sort(key=lambda one: (order[one.prize], places[one.player]))
    notes += _ties(given, ranked, rules)
    return PrizeList(given=tuple(given), kept=tuple(kept), notes=tuple(notes))


def _offers(
    rules: PrizeRules, categories: Sequence[Category], ranked: Ranked
) -> tuple[list[Offer], list[Kept], list[Message]]:
    named = {category.name: category for category in categories}
    members = {name: tuple(one.id for one in ranked if name in one.lists) for name in named}
    able = {name: tuple(one.id for one in ranked if name in one.lists and not one.barred) for name in named}
    able[MAIN] = tuple(one.id for one in ranked if not one.barred)
    offers: list[Offer] = []
    kept: list[Kept] = []
    notes: list[Message] = []
    for order, prize in enumerate(rules.prizes):
        amount, may = prize.amount, able[prize.category]
        category = named.get(prize.category)
        if category and (there := len(members[category.name])) < category.least:
            why = say("prizes.short", name=category.name, there=there, least=category.least)
            if rules.short == "none":
                kept.append(Kept(prize.name, amount, why, prize.thing))
                continue
            notes.append(why)
            if rules.short == "half":
                amount = amount // 2 // rules.unit * rules.unit
                kept.append(Kept(prize.name, prize.amount - amount, why))
            else:
                both = {*may, *able[category.next]}
                may = tuple(id for id in able[MAIN] if id in both)
        if category and rules.unclaimed == "next":
            may += tuple(id for id in able[category.next] if id not in may)
        offers.append(Offer(prize=prize, order=order, amount=amount, worth=amount + prize.value, able=may))
    return offers, kept, notes


def _dearest(offers: Iterable[Offer]) -> list[Offer]:
    """Dearest first; at equal value the main list before categories, then as announced."""
    return sorted(offers, key=lambda one: (-one.worth, one.prize.category != MAIN, one.order))


def _award(
    offer: Offer, player: int, *reasons: Message, amount: int | None = None, pooled: Sequence[Offer] = ()
) -> Given:
    return Given(
        prize=offer.prize.name,
        category=offer.prize.category,
        player=player,
        amount=offer.amount if amount is None else amount,
        thing=offer.prize.thing,
        reasons=reasons,
        pooled=tuple(one.prize.name for one in pooled or (offer,)),
    )


def _by_place(offers: Sequence[Offer], ranked: Ranked) -> list[Given]:
    """Rule P: the dearest prize first, to the best placed who may have it and has none yet."""
    points = {one.id: one.points for one in ranked}
    has: set[int] = set()
    given = []
    for offer in _dearest(offers):
        at = next((at for at, id in enumerate(offer.able) if id not in has), None)
        if at is None:
            continue
        winner = offer.able[at]
        has.add(winner)
        reasons = [say("prizes.place", points=points[winner], players=offer.able[:at])]
        if tied := [id for id in offer.able if id not in has and points[id] == points[winner]]:
            reasons.append(say("prizes.tie-break", players=tied))
        given.append(_award(offer, winner, *reasons))
    return given


def _shared(offers: Sequence[Offer], able: Ranked, method: str, rules: PrizeRules) -> list[Given]:
    """The prizes of one list among the players in it, by place or shared within equal points."""
    by_place = {offer.prize.place: offer for offer in offers}
    top = max(by_place, default=0)
    amounts = [by_place[at].amount if at in by_place else 0 for at in range(1, top + 1)]
    parts = shares([one.points for one in able], amounts, method, rules.least_part)
    given = []
    for _, run in groupby(range(len(able)), key=lambda at: able[at].points):
        group = list(run)
        paid = rounded([parts[at] for at in group], rules.unit)
        held = [by_place[at + 1] for at in group if at + 1 in by_place]
        for at, amount in zip(group, paid, strict=True):
            own = by_place.get(at + 1)
            if not held or not (amount or (own and own.prize.thing)):
                continue
            offer, points = own or held[-1], able[at].points
            reasons = [say("prizes.list-place", place=at + 1, points=points)]
            if method != "place" and len(group) > 1:
                code = "prizes.hort" if method == "hort" else "prizes.equal"
                pot = money(sum(one.amount for one in held))
                mine = money(own.amount if own else 0)
                reasons = [say(code, points=points, count=len(group), value=pot, code=mine)]
                if amount != parts[at]:
                    reasons.append(say("prizes.rounded", value=_exact(parts[at]), kind=money(rules.unit)))
            award = _award(offer, able[at].id, *reasons, amount=amount, pooled=held)
            given.append(award if own else replace(award, thing=""))
    return given


def _exact(part: Fraction) -> str:
    """Cents as an exact number of the currency: 31 2/3."""
    whole, rest = divmod(part / 100, 1)
    return f"{whole} {rest}" if whole and rest else str(rest or whole)


# --- rule Q: one prize per person, where the main list is shared


class _Beside:
    """Special prizes against parts of the main list; who takes one leaves that list."""

    def __init__(self, offers: Sequence[Offer], ranked: Ranked, rules: PrizeRules) -> None:
        self.main = [one for one in offers if one.prize.category == MAIN and one.amount]
        self.special = _dearest(one for one in offers if one.prize.category != MAIN or not one.amount)
        self.ranked, self.rules = [one for one in ranked if not one.barred], rules
        top = max((one.prize.place for one in self.main), default=0)
        self.amounts, self.things = [0] * top, [0] * top
        for one in self.main:
            self.amounts[one.prize.place - 1], self.things[one.prize.place - 1] = one.amount, one.prize.value
        self._parts: dict[frozenset[int], dict[int, Fraction]] = {}

    def parts(self, gone: Iterable[int]) -> dict[int, Fraction]:
        """What everybody's part of the main list is worth without those who left it; things go by place."""
        away = frozenset(gone)
        if (known := self._parts.get(away)) is not None:
            return known
        stay = [one for one in self.ranked if one.id not in away]
        found = shares([one.points for one in stay], self.amounts, self.rules.sharing, self.rules.least_part)
        things = [*self.things, *[0] * len(stay)]
        made = {one.id: part + thing for one, part, thing in zip(stay, found, things, strict=False)}
        self._parts[away] = made
        return made

    def gains(self, offer: Offer, part: Fraction) -> bool:
        """Whether a special prize is more than a part of the main list; a thing is more than nothing."""
        return (Fraction(offer.worth), True) > (part, part > 0)

    def procedure(self) -> dict[int, Offer]:
        """The dearest prize somebody gains by goes to the best placed such player, again and again."""
        held: dict[int, Offer] = {}
        left = list(self.special)
        while True:
            parts = self.parts(held)
            able = ((offer, id) for offer in left for id in offer.able if id not in held)
            step = next((one for one in able if self.gains(one[0], parts[one[1]])), None)
            if step is None:
                return held
            offer, id = step
            held[id] = offer
            left.remove(offer)

    def is_fair(self, held: dict[int, Offer]) -> bool:
        """Nobody with a special prize would get as much in the main list, and nobody prefers a special prize
        that is free or held by somebody behind."""
        parts = self.parts(held)
        if any(not self.gains(offer, self.parts(set(held) - {id})[id]) for id, offer in held.items()):
            return False
        for offer in self.special:
            for id in offer.able:
                mine = held.get(id)
                if mine is offer:
                    break
                if offer.worth > mine.worth if mine else self.gains(offer, parts[id]):
                    return False
        return True

    def best(self) -> dict[int, Offer]:
        """Among all fair lists the best one for the first player, then for the second, and so on."""
        found: list[dict[int, Offer]] = []
        tried = 0

        def choose(at: int, held: dict[int, Offer]) -> None:
            nonlocal tried
            if at == len(self.special):
                tried += 1
                if tried > MOST_WAYS:
                    raise Invalid("prizes.too-many-ways", count=MOST_WAYS)
                if self.is_fair(held):
                    found.append(dict(held))
                return
            offer = self.special[at]
            for id in offer.able:
                if id in held:
                    continue
                choose(at + 1, {**held, id: offer})
                equal = any(one.worth == offer.worth and id in one.able for one in self.special[at + 1 :])
                if not equal and self.gains(offer, self._at_most(id)):
                    return  # nothing else makes up for it: nobody behind may have it
            choose(at + 1, held)

        choose(0, {})
        if not found:
            raise Invalid("prizes.none-fair")
        return max(found, key=lambda held: self._totals(held))

    def _at_most(self, id: int) -> Fraction:
        """What a player can get of the main list at best: the prize reached when others leave it."""
        points = next(one.points for one in self.ranked if one.id == id)
        first = sum(one.points > points for one in self.ranked)
        reached = slice(max(0, first - len(self.special)), None)
        money, things = self.amounts[reached], self.things[reached]
        most = sum if self.rules.least_part else max  # all of it, if others drop out
        return Fraction(most([0, *money]) + max([0, *things]))

    def _totals(self, held: dict[int, Offer]) -> list[Fraction]:
        parts = self.parts(held)
        return [Fraction(held[one.id].worth) if one.id in held else parts[one.id] for one in self.ranked]


def _beside_shared(
    offers: Sequence[Offer], ranked: Ranked, rules: PrizeRules
) -> tuple[list[Given], list[Message]]:
    """Rule Q: special prizes by place, the main list shared among those who have none."""
    beside = _Beside(offers, ranked, rules)
    held = beside.best() if rules.choosing == "best" else beside.procedure()
    given, notes = [], []
    points = {one.id: one.points for one in ranked}
    for id, offer in held.items():
        back = beside.parts(set(held) - {id})[id]
        reasons = [say("prizes.special", points=points[id], value=_exact(back))]
        if above := offer.able[: offer.able.index(id)]:
            reasons.append(say("prizes.asked-before", players=above))
        given.append(_award(offer, id, *reasons))
        if not beside.gains(offer, back):
            notes.append(say("prizes.would-get-more", player=id, name=offer.prize.name, value=_exact(back)))
    stay = [one for one in beside.ranked if one.id not in held]
    return given + _shared(beside.main, stay, rules.sharing, rules), notes


# --- US Chess rule 32, as quoted: a named option, its working printed


def _us32(offers: Sequence[Offer], ranked: Ranked, rules: PrizeRules) -> list[Given]:
    """32B1-32B4: tied players pool at most one prize each; nobody gets more than the largest he could win.

    Of 32B3 the exception is not applied by which some of the tied divide apart what only they can win: the
    limit of 2014 stands in for it. Things are no cash: they go by place.
    """
    left, given = _dearest(offers), []
    able = {offer.order: set(offer.able) for offer in offers}
    for _, run in groupby((one for one in ranked if not one.barred), key=lambda one: one.points):
        tied = list(run)
        pool = _pooled(left, [one.id for one in tied], able)
        left = [offer for offer in left if offer not in pool]
        if not pool:
            continue
        parts = _divided(pool, tied, able)
        paid = rounded([parts[one.id] for one in tied], rules.unit)
        for one, amount in zip(tied, paid, strict=True):
            if amount:
                mine = [offer for offer in pool if one.id in able[offer.order]]
                total, most = sum(offer.amount for offer in pool), max(offer.amount for offer in mine)
                names = [offer.prize.name for offer in pool]
                reason = say(
                    "prizes.us32", names=names, value=money(total), count=len(tied), code=money(most)
                )
                award = _award(mine[0], one.id, reason, amount=amount, pooled=pool)
                given.append(replace(award, thing=""))
    return given


def _pooled(left: Sequence[Offer], tied: Sequence[int], able: dict[int, set[int]]) -> list[Offer]:
    """The dearest prizes that tied players can win, one each: a prize joins if all can still be placed."""
    pool: list[Offer] = []
    winner: dict[int, Offer] = {}

    def place(offer: Offer, seen: set[int]) -> bool:
        for id in tied:
            if id in able[offer.order] and id not in seen:
                seen.add(id)
                if id not in winner or place(winner[id], seen):
                    winner[id] = offer
                    return True
        return False

    for offer in left:
        if offer.amount and place(offer, set()):
            pool.append(offer)
    return pool


def _divided(pool: Sequence[Offer], tied: Ranked, able: dict[int, set[int]]) -> dict[int, Fraction]:
    """Equal parts, none above the largest prize its player could have won; the excess goes to the others."""
    limit = {
        one.id: max((offer.amount for offer in pool if one.id in able[offer.order]), default=0)
        for one in tied
    }
    parts: dict[int, Fraction] = {}
    rest, open_to = Fraction(sum(offer.amount for offer in pool)), [one.id for one in tied]
    while open_to:
        equal = rest / len(open_to)
        capped = [id for id in open_to if limit[id] < equal]
        if not capped:
            return parts | dict.fromkeys(open_to, equal)
        for id in capped:
            parts[id] = Fraction(limit[id])
            rest -= limit[id]
        open_to = [id for id in open_to if id not in capped]
    return parts


# --- what is left, what is uncertain


def _halve_for_unrated(given: list[Given], ranked: Ranked, rules: PrizeRules) -> list[Kept]:
    """Give the unrated half, if that is announced; what is kept back of it."""
    unrated = {one.id for one in ranked if not one.rated} if rules.unrated_half else set()
    kept = []
    for at, one in enumerate(given):
        if one.player in unrated and one.amount:
            half = one.amount // 2 // rules.unit * rules.unit
            why = say("prizes.unrated-half", player=one.player, value=money(one.amount))
            kept.append(Kept(one.prize, one.amount - half, why))
            given[at] = replace(one, amount=half, reasons=(*one.reasons, why))
    return kept


def _left_over(offers: Sequence[Offer], given: Sequence[Given]) -> list[Kept]:
    """Prizes that nobody got: neither the money nor a part of it, or not the thing."""
    paid = {name for one in given if one.amount for name in one.pooled}
    handed = {one.prize for one in given if one.thing}
    kept = []
    for offer in offers:
        prize, why = offer.prize, say("prizes.nobody" if offer.able else "prizes.nobody-there")
        amount = offer.amount if prize.name not in paid else 0
        thing = prize.thing if prize.name not in handed else ""
        if amount or thing:
            kept.append(Kept(prize.name, amount, why, thing))
    return kept


def _ties(given: Sequence[Given], ranked: Ranked, rules: PrizeRules) -> list[Message]:
    """Players who share a place and still get different prizes; the arbiter is told."""
    got: dict[int, tuple[int, tuple[str, ...]]] = {}
    for one in given:
        amount, things = got.get(one.player, (0, ()))
        got[one.player] = amount + one.amount, (*things, one.thing) if one.thing else things
    notes = []
    for _, run in groupby(ranked, key=lambda one: one.rank):
        tied = [one.id for one in run]
        mine = [got.get(id, (0, ())) for id in tied]
        amounts, cups = [amount for amount, _ in mine], {held for _, held in mine}
        if len(cups) > 1 or max(amounts) - min(amounts) > rules.unit:  # an odd unit is rounding
            notes.append(say("prizes.tied", players=tied))
    return notes


def computed_from(rules: PrizeRules, categories: Sequence[Category], ranked: Ranked) -> str:
    """SHA-256 of all that a list of prizes depends on."""
    fields = Category.__struct_fields__
    announced = [Category(**{name: getattr(one, name) for name in fields}) for one in categories]
    return sha256(msgspec.json.encode([announced, rules, list(ranked)])).hexdigest()


def settled(ranked: Ranked, gain: int) -> frozenset[int]:
    """Whose place no outcome can change: everybody down to there is parted by more than can be won."""
    open_ = (at for at, (one, below) in enumerate(pairwise(ranked)) if one.points - below.points <= gain)
    return frozenset(one.id for one in ranked[: next(open_, None) if gain else None])
