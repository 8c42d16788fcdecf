"""The end of an event: groups and prizes announced, the prizes given out, paper for both, norms."""

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import ChangeRegulations
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import signed
from paircard.domain.errors import Duplicate, PaircardError
from paircard.domain.state import fold
from paircard.domain.values.prizes import CHOICES, UNRATED, Category, Prize, PrizeRules, money
from paircard.domain.values.regulations import RegulationChanges
from paircard.projections.categories import inside
from paircard.projections.prizes import rules_of
from paircard.service import Done, Moment
from paircard.service.desk import person as somebody
from paircard.service.print import prizes as printed
from paircard.service.print.rendering import Said
from paircard.service.print.titles import certificates_page, norms_page, ratings_page, report_page
from paircard.service.prizes import announced
from paircard.web.calls import Answer, Call
from paircard.web.pages.forms import AtDesk, Desk, Form, Given, arbiter
from paircard.web.pages.page import EVENT, fresh, one_player
from paircard.web.problems import NotFound, UnreadableBody, in_words_of_pages
from paircard.web.site import Site

PAGES: Final = Desk()

# --- the form of an announcement


CATEGORY: Final = (
    "name", "sex", "youth", "senior", "rating_from", "rating_below", "unrated", "club", "federation",
    "least", "other",
)  # fmt: skip
PRIZE: Final = ("name", "category", "amounts", "thing", "other")
ROWS: Final = {"category": CATEGORY, "prize": PRIZE}
NUMBERS: Final = ("youth", "senior", "rating_from", "rating_below", "least")
SIGNS: Final = {"EUR": "€", "USD": "$", "GBP": "£"}
SEVERAL: Final = ("club", "federation")
SWITCHES: Final = ("all_rounds", "unrated_half")
MORE: Final = 2
"""Empty rows of each kind."""
MOST: Final = 200
"""Rows of each kind."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An announcement as it stands in the form."""

    given: Given
    faults: Mapping[str, Said] = {}
    """What is wrong, by row: ``category0``, ``prize3``, ``rules``."""
    changes: RegulationChanges | None = None
    then: Moment | None = None
    """The tournament with it."""


def rows_of(given: Given, kind: str) -> int:
    """Rows of a kind that have something in them, up to the last one."""
    filled = (at for at in range(MOST) if any(given[f"{kind}{at}-{name}"] for name in ROWS[kind]))
    return max(filled, default=-1) + 1


def amounts_of(text: str, currency: str) -> list[str]:
    """Amounts as people type them, parted by blanks, semicolons or commas, with or without the currency.

    One comma before one or two figures is that of the cents; thousands have no comma of their own.
    """
    found = []
    for word in re.sub(rf"(?i){re.escape(currency)}|[{SIGNS.get(currency, ' ')};]", " ", text).split():
        first, *more = word.strip(",").split(",")
        if more and all(len(one) == 3 for one in more):
            raise UnreadableBody("page.amounts-unclear", text=word)
        found += [word.strip(",")] if len(more) == 1 and len(more[0]) < 3 else [first, *more]
    return found


def table_of(row: Mapping[str, str], currency: str) -> dict[str, Any]:
    """A row of the form as the table of a file."""
    try:
        made: dict[str, Any] = tomllib.loads(row["other"].replace(";", "\n"))
    except tomllib.TOMLDecodeError as reason:
        raise UnreadableBody("prizes.not-toml", reason=str(reason)) from None
    for name, text in row.items():
        if not text or name == "other":
            continue
        value: Any = text
        if name in NUMBERS:
            if not text.isdecimal() or len(text) > 6:
                raise UnreadableBody("page.no-number", text=text)
            value = int(text)
        elif name in SEVERAL:
            value = [one.strip() for one in text.split(",")]
        elif name == "unrated":
            value = True
        elif name == "amounts":
            found = amounts_of(text, currency)
            name, value = ("amounts", found) if len(found) > 1 else ("amount", "".join(found) or text)
        made[name] = value
    return made


def draft_of(moment: Moment, fields: Mapping[str, str], who: str) -> Draft:
    """What a form announces, with every row that cannot be taken."""
    given = Given({name: value.strip() for name, value in fields.items()})
    tables: dict[str, Any] = {kind: [] for kind in ROWS}
    faults: dict[str, Said] = {}
    names: dict[str, str] = {}
    for kind in ROWS:
        for at in range(rows_of(given, kind)):
            row = {name: given[f"{kind}{at}-{name}"] for name in ROWS[kind]}
            if any(row.values()):
                for name in (row["name"], row.get("category", "")):
                    names.setdefault(name, f"{kind}{at}")
                try:
                    table = table_of(row, given["currency"].upper() or PrizeRules().currency)
                    announced({kind: [table]})
                    tables[kind].append(table)
                except PaircardError as refused:
                    faults[f"{kind}{at}"] = in_words_of_pages(refused)
    for name in ("currency", "unit", "least_part", *CHOICES):
        if given[name]:
            tables[name] = given[name]
    tables |= {name: given[name] == "yes" for name in SWITCHES}
    if faults:
        return Draft(given=given, faults=faults)
    try:
        changes = announced(tables)
        changes = replace(
            changes, categories=tuple(as_it_was(one, moment) for one in changes.categories or ())
        )
        command = ChangeRegulations(changes=changes)
        decision = weigh(moment.state, signed(command, somebody(who).because("preview").meta()))
    except Duplicate:
        return Draft(given=given, changes=changes, then=moment)
    except PaircardError as refused:
        said = refused.said.fields
        meant = [said.get("text"), said.get("name"), *(said.get("names") or ())]
        named = [
            row for name, row in names.items() if name and any(str(one).startswith(name) for one in meant)
        ]
        return Draft(given=given, faults={["rules", *named][-1]: in_words_of_pages(refused)})
    state = fold(decision.events, moment.state)
    return Draft(given=given, changes=changes, then=Moment(moment.id, state, lambda: moment.facts))


def as_it_was(category: Category, moment: Moment) -> Category:
    """A category as it is on record, where the form only has its conditions in another order."""
    for known in moment.regulations.categories or ():
        both = (sorted(one.conditions, key=repr) for one in (known, category))
        if replace(known, conditions=()) == replace(category, conditions=()) and len({*map(repr, both)}) == 1:
            return known
    return category


def given_of(moment: Moment) -> Given:
    """The announcement on record as the form has it."""
    rules, made = rules_of(moment.state), Given()
    for at, category in enumerate(moment.regulations.categories or ()):
        made |= {f"category{at}-{name}": value for name, value in category_row(category).items()}
    for at, row in enumerate(prize_rows(rules.prizes)):
        made |= {f"prize{at}-{name}": value for name, value in row.items()}
    made |= {name: getattr(rules, name) for name in ("currency", *CHOICES)}
    made |= {name: money(getattr(rules, name)) for name in ("unit", "least_part") if getattr(rules, name) > 1}
    made |= {name: "yes" for name in SWITCHES if getattr(rules, name)}
    return made


def category_row(category: Category) -> dict[str, str]:
    """A category in the fields of the form; what has no field is written as in a file."""
    row = {"name": category.name, "least": str(category.least or "")}
    other = [f'next = "{category.next}"'] if category.next else []
    for one in category.conditions:
        if one.youth or one.senior:
            row |= {"youth": str(one.youth or ""), "senior": str(one.senior or "")}
            other += [f'key_date = "{one.key_date}"'] if one.key_date else []
        elif one.field == "rating" and one.values == (UNRATED,):
            row["unrated"] = "yes"
        elif one.field in ("sex", *SEVERAL):
            row[one.field] = ", ".join(one.values)
        elif one.field == "rating" and not one.values:
            row |= {"rating_from": str(one.least or ""), "rating_below": str(one.below or "")}
        elif one.values:
            other.append(f"{one.field} = {msgspec.json.encode(one.values).decode()}")
        else:
            bounds = {f"{one.field}_from": one.least, f"{one.field}_below": one.below}
            other += [f"{name} = {bound}" for name, bound in bounds.items() if bound]
    return row | {"other": "; ".join(other)}


def prize_rows(prizes: tuple[Prize, ...]) -> list[dict[str, str]]:
    """Prizes in the fields of the form: those of places 1, 2 … in one row."""
    rows: list[dict[str, str]] = []
    series: tuple[str, str, str, int] | None = None
    for prize in prizes:
        base, _, at = prize.name.rpartition(" ")
        list_of = (base, prize.category, prize.group)
        plain = at == str(prize.place) and not prize.value and not prize.thing
        if plain and series == (*list_of, prize.place - 1):
            rows[-1]["amounts"] += f" {money(prize.amount)}"
            series = (*list_of, prize.place)
            continue
        starts = plain and prize.place == 1 and any(one.name == f"{base} 2" for one in prizes)
        series = (*list_of, 1) if starts else None
        other = {} if starts or prize.place == 1 else {"place": str(prize.place)}
        other |= {"value": f'"{money(prize.value)}"'} if prize.value else {}
        other |= {"group": f'"{prize.group}"'} if prize.group else {}
        rows.append(
            {
                "name": base if starts else prize.name,
                "category": prize.category,
                "amounts": money(prize.amount) if prize.amount else "",
                "thing": prize.thing,
                "other": "; ".join(f"{name} = {value}" for name, value in other.items()),
            }
        )
    return rows


def announcing_page(desk: AtDesk, draft: Draft) -> str:
    """The form: what is wrong stands in each row, and what the announcement means below."""
    then, more = draft.then, {}
    if then:
        names = {id: player.details.name for id, player in enumerate(then.state.players, start=1)}
        found, categories = then.prizes(), then.regulations.categories or ()
        more = printed.about(then, found, desk.frame.language) | {
            "groups": [(one, [names[id] for id in inside(then.state, one)]) for one in categories],
        }
    return desk.page(
        "desk_announce.html",
        given=draft.given,
        faults=draft.faults,
        sizes={kind: min(rows_of(draft.given, kind) + MORE, MOST) for kind in ROWS},
        names=[draft.given[f"category{at}-name"] for at in range(rows_of(draft.given, "category"))],
        choices=CHOICES,
        then=found if then else None,
        **more,
    )


@PAGES.page("/announce")
def look(desk: AtDesk) -> str:
    """The form with what is announced."""
    return announcing_page(desk, Draft(given=given_of(desk.moment)))


@PAGES.post(EVENT + "/desk/announce/preview", writes=False)
def preview(site: Site, call: Call) -> Answer:
    """What the announcement would mean; nothing is recorded."""
    desk = PAGES.at(site, call, Given(call.form()))
    draft = draft_of(desk.moment, desk.given, desk.who)
    return fresh(announcing_page(desk, draft), 422 if draft.faults else 200)


def refused(desk: AtDesk) -> str:
    """The form that was refused."""
    return announcing_page(desk, draft_of(desk.moment, desk.given, desk.who))


@PAGES.form("/announce", refused, done="/prizes")
def announce(form: Form) -> Done:
    """Put the announcement on record; after round 1 that takes a reason."""
    draft = draft_of(form.tournament.now(), form.fields, arbiter(form.call))
    if draft.changes is None:
        raise UnreadableBody("page.announcement-faults", count=len(draft.faults))
    return form.order(ChangeRegulations(changes=draft.changes))


# --- the prizes


@PAGES.page("/prizes")
def ending_page(desk: AtDesk) -> str:
    """Who gets what by now, what has to be looked at, and the button that puts it on record."""
    found, now = printed.listed(desk.moment), desk.moment.prizes()
    return desk.page(
        "desk_prizes.html",
        notes=now.notes,
        papers=[name for name in PAPERS if found.given or name in TITLES] if desk.moment.state.paired else [],
        sections=printed.sections_of(desk.moment, found),
        **printed.about(desk.moment, found, desk.frame.language),
    )


@PAGES.form("/prizes/award", ending_page, done="/prizes", back="/prizes")
def award(form: Form) -> Done:
    """Give the prizes out: the list goes on record."""
    return form.do("publish-prizes")


PAPERS: Final[dict[str, Callable[..., str]]] = {
    "order": printed.order_page,
    "certificates": printed.certificates_of_prizes,
    "receipts": printed.receipts_page,
    "norms": certificates_page,
    "report": report_page,
}
"""What is printed at the end."""
TITLES: Final = ("norms", "report")


@PAGES.page("/papers/{paper}")
def paper(desk: AtDesk) -> str:
    """Paper for the prize-giving and for FIDE; an arbiter's, as it has what the public does not see."""
    name = desk.given["paper"]
    if name not in PAPERS:
        raise NotFound("http.no-such-file", text=name)
    return PAPERS[name](desk.moment, frame=desk.frame)


# --- ratings and titles: they rest on what a notice board does not show


PAGES.shows("/ratings", ratings_page, door="ratings", player=one_player)
PAGES.shows("/norms", norms_page, door="norms", player=one_player)
