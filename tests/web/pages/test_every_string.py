"""Every word of a page comes from the catalogue: in a made-up language nothing else is left but data."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from paircard.cli.main import run
from paircard.domain.errors import PaircardError, Prohibited, ReasonMissing
from paircard.domain.values.rules import RULES
from paircard.projections.prizes import rules_of
from paircard.service import Moment, Office
from paircard.service.print import prizes, rendering
from paircard.service.print.paper import cards_page, sheet_page, slips_page, start_list_page
from paircard.service.print.rendering import Frame, Language, Links, event_of
from paircard.service.print.standings import crosstable_at, standings_at
from paircard.web.book import Grant
from paircard.web.pages import prizes as desk_prizes
from paircard.web.pages.alter import alter_page
from paircard.web.pages.corrections import correct_page, corrections_page
from paircard.web.pages.desk import desk_page
from paircard.web.pages.forms import AtDesk, Given, asking
from paircard.web.pages.grants import code_of
from paircard.web.pages.page import render
from paircard.web.pages.people import people_page, person_page, players_file_page
from paircard.web.pages.phone import phone_board_page, phone_page
from paircard.web.pages.player import player_page
from paircard.web.pages.public import pairings_page
from paircard.web.pages.record import record_page, replay_page, what_if_page
from paircard.web.pages.screen import screen_page
from paircard.web.pages.tournaments import NEW, regulations_page
from tests.prizegiving import NAME, ended
from tests.web.pages.reading import Reader

OPEN, CLOSE = "⟦", "⟧"
WEB = Frame(links=Links("/t"), stylesheet="/s.css", here="/t", feed="/f", desk=True, log=True)
DATA = re.compile(
    r"\d+:[0-9a-f-]{9,}|S1|S2|UTC|Enter|paircard invite|[Pp]aircard\S*|dutch-\d+\S*"
    r"|[A-Z]{2,4}(/C\d)?\b|W-L|D-D|L-W|\d+F|Italiano|English"
)
"""Codes that are the same in every language: titles, federations, tie-breaks, results, keys, languages."""


@pytest.fixture(scope="module")
def moment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Moment]:
    file = tmp_path_factory.mktemp("words") / "demo.db"
    assert run(["demo", "--db", str(file)]) == 0
    with Office.open(file) as office:
        yield office.tournament().now()


class MadeUp(Language):
    """A language in which every string stands between brackets."""

    def __call__(self, code: str, n: int | None = None, /, **values: object) -> Markup:
        return Markup(f"{OPEN}{super().__call__(code, n, **values)}{CLOSE}")

    def word(self, kind: str, value: str) -> Markup:
        return Markup(f"{OPEN}{super().word(kind, value)}{CLOSE}")

    def say(self, said: rendering.Said) -> Markup:
        return Markup(f"{OPEN}{super().say(said)}{CLOSE}")

    def days(self, first: str, last: str = "") -> str:
        return f"{OPEN}{super().days(first, last)}{CLOSE}"

    def moment(self, when: str) -> str:
        return f"{OPEN}{super().moment(when)}{CLOSE}"


def left_over(page: str, data: set[str]) -> list[str]:
    """Words that stand outside all brackets and are no data."""
    text = Reader(page).text
    before = None
    while before != text:
        before, text = text, re.sub(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", " ", text)
    for one in sorted(data, key=len, reverse=True):
        text = text.replace(one, " ")
    return re.findall(r"[A-Za-z]{2,}", DATA.sub(" ", text))


def test_no_word_of_a_page_about_prizes_is_written_into_a_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "language", MadeUp)
    monkeypatch.setattr(prizes, "language", MadeUp)
    with ended(tmp_path / "open.db") as tournament:
        desk = AtDesk(tournament.now(), WEB, "Dina", "k")
        moment, before = desk.moment, tournament.at(desk.moment.version - 1)
        form = desk_prizes.given_of(moment)
        faults = desk_prizes.draft_of(moment, form | {"prize1-amounts": "x", "category1-youth": "x"}, "Dina")
        pages = {
            "prizes": prizes.prizes_page(moment, frame=WEB),
            "provisional": prizes.prizes_page(before, frame=WEB),
            "prizes of a player": prizes.prizes_page(before, 2, WEB),
            "order": prizes.order_page(moment, WEB),
            "certificates": prizes.certificates_of_prizes(moment, 0, WEB),
            "receipts": prizes.receipts_page(before, 0, WEB),
            "group": standings_at(moment, None, WEB, group="women"),
            "player": player_page(moment, 2, WEB),
            "screen": screen_page(moment, 2, WEB),
            "ending": desk_prizes.ending_page(desk),
            "announcing": desk_prizes.announcing_page(desk, desk_prizes.draft_of(moment, form, "Dina")),
            "faults": desk_prizes.announcing_page(desk, faults),
        }
        rules = rules_of(moment.state)
        data = {one.name for one in moment.regulations.categories or ()} | {NAME, "Dina", rules.currency}
        data |= {prize.name for prize in rules.prizes} | {
            "Main",
            "Best woman",
            "chess set",
            "title =",
            "value =",
        }
        data |= {player.details.name for player in moment.state.players}
    assert {name: left for name, page in pages.items() if (left := left_over(page, data))} == {}


def refusal(**values: object) -> str:
    nothing = {"detail": "", "again": 0, "event": None, "phone": False, "unsent": None}
    return render("refusal.html", WEB, **{**nothing, **values})


def asked(desk: AtDesk, question: PaircardError) -> str:
    return desk.page("ask.html", action="/a", back="/b", **asking(question, desk.given))


def test_no_word_of_a_page_is_written_into_a_template(
    moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "language", MadeUp)
    deputy = Grant(id="d", role="deputy", who="Dina", boards=(1, 3), until=1795024800)
    card = deputy, "2026-11-18T18:00:00Z", "1"
    desk = AtDesk(moment, WEB, "Dina", "k")
    signed_in = {"who": "Dina", "may_open": True, "key": "k", "editions": tuple(RULES), "given": NEW}
    signed_in |= {"refusal": None, "signed_out": False, "search": {}, "older": ""}
    pages = {
        "index": render("index.html", WEB, events=[moment.summary()], **signed_in),
        "refusal": refusal(kind="missing"),
        "refusal on a phone": refusal(kind="forbidden", event=event_of(moment), phone=True),
        "not sent": refusal(kind="in", unsent={"action": "/a", "fields": {}, "board": "1", "result": "1-0"}),
        "sign in": render("sign_in.html", WEB),
        "pairings": pairings_page(moment, None, WEB),
        "by name": pairings_page(moment, 5, WEB, by_name=True),
        "found": pairings_page(moment, 6, WEB, find="alice"),
        "standings": standings_at(moment, None, WEB),
        "crosstable": crosstable_at(moment, None, WEB),
        "players": start_list_page(moment, WEB),
        "player": player_page(moment, 14, WEB),
        "corrections": corrections_page(moment, Frame(links=Links("/t"), stylesheet="/s.css")),
        "sheet": sheet_page(moment, 6, WEB),
        "names": sheet_page(moment, 6, WEB, by_name=True),
        "slips": slips_page(moment, 6, WEB),
        "cards": cards_page(moment, frame=WEB),
        "screen": screen_page(moment, 0, WEB),
        "screen of places": screen_page(moment, 1, WEB),
        "desk": desk_page(desk),
        "desk players": people_page(desk),
        "desk player": person_page(replace(desk, given=Given(player="p14"))),
        "regulations": regulations_page(desk),
        "alter": alter_page(desk),
        "correct": correct_page(replace(desk, given=Given(round="6", board="1"))),
        "import": players_file_page(desk),
        "grants": desk.page("desk_grants.html", lines=[], new=[card], code_of=code_of, here_only=True),
        "ask": asked(desk, ReasonMissing("import.irregular", value="? ?")),
        "barred": asked(desk, Prohibited("import.irregular", value="? ?")),
        "what if": what_if_page(moment, WEB, round=0, board=0, result=""),
        "replay": replay_page(moment, WEB, []),
        "phone": phone_page(moment, deputy, WEB),
        "board": phone_board_page(moment, deputy, 1, WEB, Given()),
    }
    data = {player.details.name for player in moment.state.players} | {
        moment.regulations.name,
        "Dina",
        "Demo",
    }
    data |= {word for fact in moment.facts for word in fact.who.split()}

    assert {name: left for name, page in pages.items() if (left := left_over(page, data))} == {}
    record = record_page(moment, 57, WEB, then=moment)
    lines = {line.text for line in moment.log()} | {fact.why for fact in moment.facts if fact.why}
    assert left_over(record, data | lines) == []
