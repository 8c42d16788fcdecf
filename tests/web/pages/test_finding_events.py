"""The list of events in a browser: the newest first, page by page, and found by what people know of them."""

import re

import pytest

from tests.web.hall import Hall
from tests.web.pages.reading import string, words


@pytest.fixture
def many(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Hall:
    """Five events, three on a page."""
    monkeypatch.setattr("paircard.web.pages.tournaments.ON_A_PAGE", 3)
    for number, place in enumerate(("Torino", "Köln", "Torino", "", "Köln"), start=1):
        hall.open(name=f"Open {number}", place=place, starts=f"20{26 + number}-03-01", players=2)
    return hall


def shown(hall: Hall, address: str) -> tuple[list[str], str]:
    """Events of a page, and the address of the next."""
    page = hall.http.request("GET", address).text
    names = re.findall(r'class="serif"[^>]*><bdi>([^<]*)</bdi>', page)
    [after] = re.findall(r'<a rel="next" href="([^"]*)"', page) or [""]
    return names, after.replace("&amp;", "&")


def test_older_events_are_on_the_next_page(many: Hall) -> None:
    first, after = shown(many, "/")
    rest, end = shown(many, after)

    assert (first, rest) == (["Open 5", "Open 4", "Open 3"], ["Open 2", "Open 1"])
    assert end == ""


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("name=open+2", ["Open 2"]),
        ("place=koeln", ["Open 5", "Open 2"]),
        ("year=2029", ["Open 3"]),
        ("player=ad&place=tor", ["Open 3", "Open 1"]),
        ("name=&place=&year=&player=", ["Open 5", "Open 4", "Open 3"]),
        ("name=%3Cscript%3E", []),
    ],
)
def test_events_are_found_by_name_place_year_and_player(many: Hall, asked: str, found: list[str]) -> None:
    assert shown(many, f"/?{asked}")[0] == found


def test_what_was_looked_for_stays_in_the_form_and_on_the_next_page(many: Hall) -> None:
    names, after = shown(many, "/?name=open&place=")
    page = many.http.request("GET", "/?name=%22%3E%3Cb%3E").text

    assert len(names) == 3
    assert shown(many, after)[0] == ["Open 2", "Open 1"]
    assert "name=open" in after
    assert 'value="&#34;&gt;&lt;b&gt;"' in page
    assert string("page.index.found-none") in words(page)
