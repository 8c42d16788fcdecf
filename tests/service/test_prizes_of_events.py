"""Random events through a real store, from the announcement to the list given out, checked from outside."""

import random
from pathlib import Path

import pytest
from msgspec.structs import asdict

from paircard.domain.commands import ChangeRegulations, RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.prizes import Category, Condition, Prize, PrizeRules
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.projections.prizes import publication
from paircard.service import Office, Person, Tournament
from tests.projections.prize_reference import Announced, Fund, Who, expected

ANNA = Person(name="Anna Arbiter", why="excused", accepts=("no-show",))
ROUNDS = 3
MOST_TRIES = 10_000


def in_list(name: str, one: Details) -> bool:
    """Who belongs, written from the announcement."""
    year = int(one.birth[:4] or 0)
    return {
        "": True,
        "women": one.sex == "w",
        "U16": year >= 2026 - 16,
        "S60": 0 < year <= 2026 - 60,
        "under 1600": 0 < one.rating < 1600,
        "club": one.club == "Trento",
        "girls U18": one.sex == "w" and year >= 2026 - 18,
    }[name]


CATEGORIES = {
    "women": (Condition(field="sex", values=("w",)),),
    "U16": (Condition(field="birth", youth=16),),
    "S60": (Condition(field="birth", senior=60),),
    "under 1600": (Condition(field="rating", below=1600),),
    "club": (Condition(field="club", values=("Trento",)),),
    "girls U18": (Condition(field="sex", values=("w",)), Condition(field="birth", youth=18)),
}


def announced(lot: random.Random) -> tuple[tuple[Category, ...], PrizeRules]:
    names = lot.sample(list(CATEGORIES), lot.choice([0, 1, 2, 2, 3]))
    sharing = lot.choice(["place", "place", "equal", "hort", "us32"])
    per_person = "one" if sharing == "us32" else lot.choice(["one", "one", "all"])
    prizes: list[Prize] = []
    for name in ["", *names]:
        amounts = sorted((lot.randint(1, 40) * 500 for _ in range(lot.choice([1, 1, 2, 3]))), reverse=True)
        for place, amount in enumerate(amounts, start=1):
            thing = "cup" if place == 1 and lot.random() < 0.3 else ""
            prizes.append(
                Prize(
                    name=f"{name or 'main'} {place}", category=name, place=place, amount=amount, thing=thing
                )
            )
    special = sum(bool(one.category) for one in prizes)  # of very many lists the best one is not looked for
    rules = PrizeRules(
        prizes=tuple(prizes),
        per_person=per_person,
        sharing=sharing,
        special_sharing=lot.choice(["place", "equal", "hort"]) if per_person == "all" else "place",
        choosing=lot.choice(["procedure", "procedure", "best" if special <= 4 else "procedure"]),
        short=lot.choice(["none", "half", "up"]),
        unclaimed="none" if sharing == "us32" or per_person == "all" else lot.choice(["none", "next"]),
        unit=lot.choice([1, 50, 100]),
        least_part=lot.choice([0, 0, 1000]) if sharing in ("equal", "hort") else 0,
        all_rounds=lot.random() < 0.2,
        unrated_half=lot.random() < 0.2,
    )
    return tuple(
        Category(
            name=name, conditions=CATEGORIES[name], least=lot.choice([0, 2, 3]), next=lot.choice(["", *rest])
        )
        for at, name in enumerate(names)
        for rest in [names[at + 1 :]]
    ), rules


def played(office: Office, lot: random.Random, name: str) -> Tournament:
    """An event whose last result is in."""
    days = {"starts": "2026-11-16", "tiebreaks": ("BH", "SB") if lot.random() < 0.5 else ()}
    t = office.new(Regulations(name=name, rounds=ROUNDS, **days), by=ANNA)  # type: ignore[arg-type]
    people = [
        Details(
            name=f"Player {at}",
            rating=lot.choice([0, lot.randint(1200, 2300), lot.randint(1200, 2300)]),
            sex=lot.choice(["w", "m"]),
            birth=str(lot.choice([lot.randint(1940, 2018), lot.randint(2005, 2018)])),
            club=lot.choice(["Trento", "Bolzano", ""]),
        )
        for at in range(lot.randint(5, 9))
    ]
    t.ask(*(RegisterPlayer(details=one) for one in people), by=ANNA)
    categories, rules = announced(lot)
    t.ask(ChangeRegulations(changes=RegulationChanges(categories=categories, prizes=rules)), by=ANNA)
    t.draw_colour("w", by=ANNA)
    for round in range(1, ROUNDS + 1):
        boards = len(t.pair(by=ANNA).round.boards)
        t.publish(by=ANNA)
        results = ["1-0", "0-1", "½-½", "½-½", "1-0", "+--"]
        t.record(round, {board: lot.choice(results) for board in range(1, boards + 1)}, by=ANNA)
    return t


def checked(t: Tournament) -> None:
    """The list given out against the text, by the standings that everybody sees."""
    now = t.now()
    rules, state = now.regulations.prizes, now.state
    assert rules
    table = {row.id: row for row in now.crosstable(ROUNDS).rows}
    order = [line for line in now.standings(ROUNDS).standings if line.rank]
    people = []
    for line in order:
        one = state.players[line.id - 1].details
        names = frozenset(name for name in CATEGORIES if in_list(name, one))
        missed = any(entry.letter in "-HFZ" for entry in table[line.id].entries)
        people.append(Who(line.points, names, rated=bool(one.rating), barred=rules.all_rounds and missed))
    funds = tuple(
        Fund(one.name, one.category, one.place, one.amount, one.thing, one.value, one.group)
        for one in rules.prizes
    )
    settings = {
        name: value for name, value in asdict(rules).items() if name in Announced.__dataclass_fields__
    }
    categories = now.regulations.categories or ()
    text = Announced(
        **settings | {"prizes": funds},
        least={one.name: one.least for one in categories},
        next={one.name: one.next for one in categories},
    )
    fact = state.prizes
    assert fact is not None
    got: dict[int, tuple[int, list[str]]] = {}
    for award in fact.awards:
        amount, things = got.get(award.player, (0, []))
        got[award.player] = amount + award.amount, sorted([*things, award.thing] if award.thing else things)
    if tries(rules, len(people)) <= MOST_TRIES:
        assert got == {
            order[at].id: (sum(one[1] for one in has), sorted(one[2] for one in has if one[2]))
            for at, has in expected(text, people).items()
            if any(one[1] or one[2] for one in has)
        }
    view = now.prizes()
    given, kept = sum(one.amount for one in fact.awards), sum(one.amount for one in view.kept)
    assert given + kept == view.announced == sum(one.amount for one in rules.prizes)
    assert all(one.reason.text for one in view.kept)
    if rules.per_person == "one" and rules.sharing != "us32":
        assert len({award.player for award in fact.awards}) == len(fact.awards)
    assert all(award.amount % rules.unit == 0 for award in fact.awards)
    plain = rules.sharing == "place" and (rules.short, rules.unclaimed) == ("none", "none")
    if rules.per_person == "one" and plain and not any(one.least for one in categories):
        nobody_envies(rules, [line.id for line in order], people, {a.prize: a.player for a in fact.awards})
    assert view.proven
    assert view.changed == ()
    assert t.verify().whole


def tries(rules: PrizeRules, players: int) -> int:
    """Assignments that the reference looks at."""
    special = sum(bool(one.category) for one in rules.prizes)
    if rules.per_person == "all":
        return 1
    if rules.sharing == "us32":
        return int(2 ** len(rules.prizes) * players**2)
    if rules.sharing == "place":
        return int((players + 1) ** len(rules.prizes))
    return int((players + 1) ** special) if rules.choosing == "best" else 1


def nobody_envies(rules: PrizeRules, order: list[int], people: list[Who], holder: dict[str, int]) -> None:
    """One prize each, by place: nobody would rather have one that is free or held by somebody behind."""
    worth = {one.name: one.amount + one.value for one in rules.prizes}
    mine = {who: worth[name] for name, who in holder.items()}
    for prize in rules.prizes:
        for id, one in zip(order, people, strict=True):
            if id == holder.get(prize.name):
                break
            if not one.barred and (not prize.category or prize.category in one.lists):
                assert mine.get(id, -1) >= worth[prize.name]


def run(path: Path, events: int, seed: int) -> int:
    """How many prizes were given out in so many events."""
    lot, prizes = random.Random(seed), 0
    with Office.create(path / "events.db") as office:
        for at in range(events):
            t = played(office, lot, f"Event {at}")
            t.propose(lambda now: [publication(now.state)], by=ANNA)
            checked(t)
            prizes += len(t.now().prizes().given)
            if at % 10 == 0:
                corrected(t, lot)
    return prizes


def corrected(t: Tournament, lot: random.Random) -> None:
    """After the prize-giving a result is corrected: what was given stays proven, the difference is told."""
    game = t.now().boards(ROUNDS).boards[0]
    result = "0-1" if game.result != "0-1" else "1-0"
    why = Person(name="Anna Arbiter", why="signed", accepts=("prizes-given",))
    t.correct(ROUNDS, 1, result, by=why)
    view = t.now().prizes()
    assert view.proven
    assert t.verify().whole
    if view.changed:
        again = Person(name="Anna Arbiter", why="a result was wrong", accepts=("prizes-again",))
        t.propose(lambda now: [publication(now.state)], by=again)
        checked(t)


def test_random_events_give_what_they_announced(tmp_path: Path) -> None:
    assert run(tmp_path, 6, seed=1)


@pytest.mark.soak
def test_a_thousand_random_events_give_what_they_announced(tmp_path: Path) -> None:
    prizes = run(tmp_path, 1000, seed=31)
    print(f"1,000 events, {prizes:,} prizes")
