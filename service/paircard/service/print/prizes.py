"""Prizes as pages: the list with its reasons, and paper for the prize-giving."""

from functools import partial

import msgspec
from markupsafe import Markup

from paircard.domain.events import TournamentDetailsChanged
from paircard.domain.messages import Message, say
from paircard.domain.values.prizes import MAIN, Category, Prize, money
from paircard.projections.categories import inside
from paircard.projections.categories import told as condition_asked
from paircard.projections.prizes import Need, rules_of
from paircard.projections.standings.standings import Standing
from paircard.service.moment import Moment
from paircard.service.print.rendering import FILE, Frame, Language, language, page_of
from paircard.service.prizes import KeptPrize, PrizeLine, Prizes


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """The prizes of one list."""

    category: Category | None
    """None for everybody."""
    members: int
    given: tuple[PrizeLine, ...]
    kept: tuple[KeptPrize, ...]
    announced: tuple[Prize, ...]
    """All of them, to be shown before round 1."""


def listed(moment: Moment) -> Prizes:
    """The list that was given out, as it was then; before that, the one of now."""
    given = moment.state.prizes
    if given is None:
        return moment.prizes()
    then = moment.once("prizes then", lambda: Moment.of(moment.facts[: given.based_on]).prizes())
    now = moment.prizes()
    return msgspec.structs.replace(then, published=now.published, proven=now.proven, changed=now.changed)


def sections_of(moment: Moment, found: Prizes) -> list[Section]:
    """The lists in the order they are announced, that of everybody first."""
    of_prize = {prize.name: prize.category for prize in rules_of(moment.state).prizes}
    categories = {one.name: one for one in moment.regulations.categories or ()}
    names = dict.fromkeys((MAIN, *of_prize.values()))
    made = []
    for name in names:
        category = categories.get(name)
        given = tuple(one for one in found.given if one.category == name)
        kept = tuple(one for one in found.kept if of_prize.get(one.prize, MAIN) == name)
        announced = tuple(one for one in rules_of(moment.state).prizes if one.category == name)
        if given or kept or category or (announced and not found.after):
            members = len(inside(moment.state, category)) if category else 0
            made.append(
                Section(category=category, members=members, given=given, kept=kept, announced=announced)
            )
    return made


def described(category: Category, starts: str, t: Language) -> str:
    """What a category asks for, in words: women, born 2010 or later."""
    made = []
    for one in category.conditions:
        told = condition_asked(one, starts)
        day = {"day": t.days(told.fields["day"])} if "day" in told.fields else {}
        made.append(t.say(Message(told.code, {**told.fields, **day})))
    return Markup(", ").join(made)


def announced_at(moment: Moment) -> tuple[str, bool]:
    """When the prizes were announced as they are, and whether that was before round 1."""
    announcing = [moment.facts[0]]
    for one in moment.facts:
        if isinstance(one.fact, TournamentDetailsChanged) and one.fact.changes.prizes:
            announcing.append(one)
    last, rounds = announcing[-1], moment.state.rounds
    paired_on = (rounds[0].fact.based_on if rounds else 0) or last.version
    return last.when, last.version <= paired_on


def winners(moment: Moment, player: int) -> list[tuple[Standing, list[PrizeLine]]]:
    """Everybody with a prize, and all that was won, in the order of the table; or one of them."""
    found = listed(moment)
    of = {line.id: line for line in moment.standings(found.after).standings}
    won: dict[int, list[PrizeLine]] = {}
    for one in found.given:
        won.setdefault(one.player, []).append(one)
    return [(line, won[id]) for id, line in of.items() if id in won and player in (0, id)]


def won_by(moment: Moment, code: str) -> dict[int, str]:
    """By player: what was won, or would be by now."""
    if not rules_of(moment.state).prizes or not moment.state.paired:
        return {}
    told = partial(worth, currency=rules_of(moment.state).currency, t=language(code))
    made: dict[int, list[str]] = {}
    for one in listed(moment).given:
        made.setdefault(one.player, []).append(f"{one.prize} · {told(one)}")
    return {id: ", ".join(parts) for id, parts in made.items()}


def prizes_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """Groups and prizes, who gets what and why; printed, the list of winners with a line to sign.

    Of one player also why not the others, and what the games to come may bring.
    """
    if player:
        mine = moment.player_prizes(player)
        needs = [need_said(one, mine.currency) for one in mine.needs]
        return paper("player_prizes.html", moment, frame, mine=mine, needs=needs)
    sections, (when, before) = sections_of(moment, listed(moment)), announced_at(moment)
    return paper("prizes.html", moment, frame, sections=sections, when=when, before=before)


def need_said(need: Need, currency: str) -> Message:
    """What a score in the games to come would bring: places, then money and prizes."""
    said = [
        say("prizes.reach", place=one.best, name=one.category)
        if one.best == one.worst
        else say("prizes.reaches", place=one.best, last=one.worst, name=one.category)
        for one in need.places
    ]
    if need.least is not None and need.most is not None:
        least, most = money(need.least), money(need.most)
        code = "prizes.brings-just" if least == most else "prizes.brings"
        said.append(Message(code, {"value": least, "code": most, "id": currency}))
        said += [say("prizes.brings-prizes", names=need.prizes)] if need.prizes else []
    return say("prizes.need", points=need.score, causes=said)


def order_page(moment: Moment, frame: Frame = FILE) -> str:
    """The order of the prize-giving: groups first, the smallest prize first, the winner last."""
    lists = sections_of(moment, listed(moment))
    sections = [*(one for one in lists if one.category), *(one for one in lists if not one.category)]
    return paper("prizegiving.html", moment, frame, sections=sections)


def certificates_of_prizes(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """A sheet of A4 for everybody who won something, or for one player."""
    return paper("awards.html", moment, frame, winners=winners(moment, player))


def receipts_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """A receipt for everybody who won money or a thing, or for one player."""
    return paper("receipts.html", moment, frame, winners=winners(moment, player))


def paper(template: str, moment: Moment, frame: Frame, **more: object) -> str:
    """A page about the list of prizes."""
    return page_of(moment, template, frame, **about(moment, listed(moment), frame.language), **more)


def about(moment: Moment, found: Prizes, code: str) -> dict[str, object]:
    """What every page about a list of prizes shows."""
    rules, t = rules_of(moment.state), language(code)
    return {
        "rules": rules,
        "found": found,
        "ended": found.final or moment.state.prizes is not None,
        "people": {line.id: line for line in moment.standings(found.after).standings},
        "orders": {prize.name: prize.place for prize in rules.prizes},
        "described": partial(described, starts=moment.regulations.starts, t=t),
        "worth": partial(worth, currency=rules.currency, t=t),
        "organiser": moment.regulations.organiser,
        "least": any(one.least for one in moment.regulations.categories or ()),
    }


def worth(one: PrizeLine | KeptPrize | Prize | int, *more: PrizeLine, currency: str, t: Language) -> str:
    """What an amount is worth, or a prize, or several: 12.50 EUR, and the cup."""
    prizes = () if isinstance(one, int) else (one, *more)
    amount = one if isinstance(one, int) else sum(each.amount for each in prizes)
    parts = [f"{t.decimal(money(amount))}\N{NO-BREAK SPACE}{currency}"] if amount else []
    return " + ".join([*parts, *(each.thing for each in prizes if each.thing)])
