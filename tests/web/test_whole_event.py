"""A whole tournament in the browser alone is, fact by fact, the one of the command line."""

import random
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from paircard.cli.main import run
from paircard.domain.events import InitialColourDrawn
from paircard.service import Office
from tests.web.browsing import Site, reader
from tests.web.pages.reading import string
from tests.web.running import running

NAME, TIES = "Browser Open", "BH/C1,BH,SB"
PHONES, ARBITERS = 4, 2
RESULTS = {result: string(f"page.outcome.{result}") for result in ("1-0", "½-½", "0-1")}


def press(page: Page, name: str) -> None:
    """Press the button of the next step, and wait until the page is there again."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def enter_by_phone(page: Page, address: str, board: int, result: str) -> None:
    page.goto(f"{address}/phone/{board}")
    page.get_by_role("button", name=RESULTS[result]).click()
    page.get_by_role("button", name=string("page.phone.yes", result=result.replace("-", "–"))).click()
    expect(page.get_by_text(string("page.phone.recorded"), exact=True)).to_be_visible()


def enter_at_the_desk(page: Page, address: str, board: int, result: str) -> None:
    page.goto(f"{address}/desk?board={board}")
    expect(page.locator("#stage .num .n")).to_have_text(str(board))
    page.keyboard.press({"1-0": "1", "½-½": "=", "0-1": "0"}[result])
    expect(page.locator("#tail")).to_contain_text("✓")


@pytest.mark.parametrize(
    ("players", "rounds"), [(8, 2), pytest.param(40, 5, marks=pytest.mark.soak)], ids=["small", "whole"]
)
def test_a_whole_tournament_in_the_browser_alone(
    tmp_path: Path, chromium: Browser, players: int, rounds: int
) -> None:
    chance = random.Random(7)
    people = [(f"Player {k:02}", str(2400 - 10 * k)) for k in range(players)]
    file = tmp_path / "web.db"
    played: list[list[str]] = []
    with running(str(file), tmp_path / "server.log") as server, ExitStack() as stack:
        site = Site(server, file)
        contexts = [stack.enter_context(reader(chromium)) for _ in range(ARBITERS)]
        desks = [site.come_in(one, "arbiter", f"Arbiter {at}") for at, one in enumerate(contexts)]
        first = desks[0]
        first.goto(server.base)
        first.fill("#n-name", NAME)
        first.fill("#n-rounds", str(rounds))
        press(first, string("page.index.open-button"))
        address = first.url.partition("/desk/players")[0]
        for at, (name, rating) in enumerate(people):
            page = desks[at % ARBITERS]
            page.goto(f"{address}/desk/players")
            page.fill("#f-name", name)
            page.fill("#f-rating", rating)
            press(page, string("page.people.add"))
        first.goto(f"{address}/desk/grants")
        first.fill("#g-who", "\n".join(f"Deputy {at}" for at in range(PHONES)))
        press(first, string("page.grants.button"))
        links = first.locator(".cards .mono").all_inner_texts()
        assert len(set(links)) == PHONES
        phones = [stack.enter_context(reader(chromium, "phone")).new_page() for _ in links]
        for phone, link in zip(phones, links, strict=True):
            phone.goto(link)
            phone.wait_for_url(f"{address}/phone")
        first.goto(f"{address}/desk")
        press(first, string("page.desk.draw"))
        for round in range(1, rounds + 1):
            first.goto(f"{address}/desk")
            press(first, string("page.desk.pair", round=round))
            press(first, string("page.desk.publish", round=round))
            results = [chance.choice(list(RESULTS)) for _ in range(players // 2)]
            played.append(results)
            for board, result in enumerate(results, start=1):
                if board % (PHONES + ARBITERS) < PHONES:
                    enter_by_phone(phones[board % PHONES], address, board, result)
                else:
                    enter_at_the_desk(desks[board % ARBITERS], address, board, result)
        first.goto(f"{address}/desk")
        press(first, string("page.desk.close"))
        expect(first.get_by_text(string("page.step.closed"))).to_be_visible()
        started = time.monotonic()
        first.goto(f"{address}/standings")
        expect(first.locator("h1")).to_have_text(string("page.standings.final"))
        assert time.monotonic() - started < 10
    with Office.open(file) as office:
        by_browser = [one.fact for one in office.tournament(NAME).facts()]
    lot = next(fact for fact in by_browser if isinstance(fact, InitialColourDrawn))
    by_hand = by_command_line(tmp_path / "cli.db", people, rounds, lot.colour, played)
    assert by_browser == [lot if isinstance(fact, InitialColourDrawn) else fact for fact in by_hand]


def by_command_line(
    file: Path, people: list[tuple[str, str]], rounds: int, colour: str, played: list[list[str]]
) -> list[object]:
    """The same tournament, typed."""

    def paircard(*words: str) -> None:
        assert run(["--db", str(file), "--as", "Anna", *words]) == 0, words

    paircard("new", NAME, "--rounds", str(rounds), "--tiebreaks", TIES, "--half-byes", "0")
    for name, rating in people:
        paircard("player", "add", name, "--rating", rating)
    paircard("draw", "--colour", {"w": "white", "b": "black"}[colour])
    for round, results in enumerate(played, start=1):
        paircard("pair")
        paircard("publish")
        for board, result in enumerate(results, start=1):
            paircard("result", str(round), str(board), result)
    paircard("close")
    with Office.open(file) as office:
        return [one.fact for one in office.tournament().facts()]
