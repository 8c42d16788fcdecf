"""Tournaments are found by words of their name, place, year and players, exactly as a scan finds them."""

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from paircard.domain.commands import (
    ChangeRegulations,
    Command,
    CorrectPlayer,
    ErasePerson,
    OpenTournament,
    RegisterPlayer,
    RemovePlayer,
)
from paircard.domain.errors import Refused, Unknown
from paircard.domain.events import PersonErased, PlayerRegistered
from paircard.domain.log.catalogue import FEW, Search, fits, parts_of
from paircard.domain.log.reader import entry_of
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.messages import say
from paircard.domain.speaking import Speaker
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.service.review.verify import verify_stored
from tests.domain.scenes import ask
from tests.refusals import refuses

LIST_DIFFERS = Speaker().say(say("verify.list-differs"))
NAMES = ("Trentino Open", "Winter Cup", "Köln Open", "Coppa d’Inverno", "Łódź 2027", "Open", "Blitz")
PLACES = ("", "Torino", "Köln", "San Marino", "Torre del Greco")
FAMILIES = ("Rossi", "Rossini", "Müller", "Łukasz", "D’Angelo", "O'Neil")
GIVEN = ("Anna", "Anna Maria", "Jörg", "Annabella")
SEARCHES = (
    *(Search(name=one) for one in ("open", "OPEN", "nter", "koln open", "Koeln", "2027", "o", "!", "lodz x")),
    *(Search(place=one) for one in ("torino", "tor", "marino san", "köln")),
    *(Search(year=one) for one in (2027, 2026, 1999)),
    *(
        Search(player=one)
        for one in ("rossi", "anna ross", "mueller", "mul jorg", "angelo", "(erased", "ossi")
    ),
    Search(name="open", place="tor", year=2027, player="rossi"),
    Search(name="open", player="müller"),
)


def id_of(number: int) -> str:
    return f"{number:032x}"


def opening(chance: random.Random) -> OpenTournament:
    year = chance.choice(("2027", "2028", ""))
    rules = Regulations(
        name=chance.choice(NAMES),
        rounds=3,
        place=chance.choice(PLACES),
        starts=f"{year}-05-01" if year else "",
    )
    return ask(OpenTournament, regulations=rules)


def person_of(chance: random.Random) -> str:
    return f"{chance.choice(FAMILIES)}, {chance.choice(GIVEN)}"


def next_step(chance: random.Random, players: int) -> Command:
    """Something that changes by what a tournament is found, or does not."""
    player = chance.randint(1, max(players, 1))
    steps: list[Command] = [ask(RegisterPlayer, details=Details(name=person_of(chance)))]
    if players:
        steps += [
            ask(CorrectPlayer, player=player, changes=Changes(name=person_of(chance))),
            ask(RemovePlayer, player=player, why="a slip"),
            ask(ChangeRegulations, changes=RegulationChanges(name=chance.choice(NAMES))),
            ask(
                ChangeRegulations, changes=RegulationChanges(place=chance.choice(PLACES), starts="2029-01-02")
            ),
        ]
    return chance.choice(steps)


def erasure(store: Tournaments, id: str, chance: random.Random) -> Command | None:
    """Somebody is forgotten, and the name they were registered with."""
    registered = [
        (one.fact.player, (one.version, one.private[0]))
        for one in store.log(id)
        if isinstance(one.fact, PlayerRegistered) and one.private
    ]
    if not registered:
        return None
    player, piece = chance.choice(registered)
    return ask(ErasePerson, player=player, pieces=(piece,), why="asked for", level=4)


def scan(store: Tournaments, search: Search) -> list[str]:
    return [one.id for one in store.tournaments() if fits(search, store.read(one.id).words())]


def grown(store: Tournaments, chance: random.Random, tournaments: int, steps: int) -> None:
    for number in range(1, tournaments + 1):
        store.ask(id_of(number), opening(chance))
    for _ in range(steps):
        id = id_of(chance.randint(1, tournaments))
        with suppress(Refused):  # a second entry of somebody, or nothing new
            step = erasure(store, id, chance) if chance.random() < 0.1 else None
            store.ask(id, step or next_step(chance, len(store.read(id).state.players)))


def need_right_words(store: Tournaments) -> None:
    for one in store.tournaments():
        known = store.read(one.id)
        assert store.words(one.id) == known.words()
        assert store.entry(one.id) == entry_of(known.state, one.id, known.facts)
    assert store.backend.strays() == 0


@pytest.mark.parametrize("seed", range(2))
def test_search_finds_what_a_scan_finds_page_by_page_in_either_order(location: str, seed: int) -> None:
    with Tournaments(location, create=True) as store:
        grown(store, random.Random(seed), 12, 90)

        need_right_words(store)
        facts = [one.fact for each in store.tournaments() for one in store.log(each.id)]
        assert any(isinstance(fact, PersonErased) for fact in facts)
        for search in SEARCHES:
            wanted = scan(store, search)
            for newest in (False, True):
                pages, after = [], ""
                while page := store.page(search, after=after, limit=2, newest=newest):
                    pages += [one.id for one in page]
                    after = pages[-1]
                assert pages == (wanted[::-1] if newest else wanted), search


def test_what_is_common_is_found_by_going_through_the_tournaments(
    location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paircard.domain.log.backends.base.FEW", 0)
    with Tournaments(location, create=True) as store:
        grown(store, random.Random(7), 8, 40)
        for search in SEARCHES:
            wanted = scan(store, search)
            assert [one.id for one in store.page(search)] == wanted
            assert [one.id for one in store.page(search, newest=True)] == wanted[::-1]
            for at, id in enumerate(wanted):
                assert [one.id for one in store.page(search, after=id, limit=2)] == wanted[at + 1 : at + 3]
                before = store.page(search, after=id, limit=2, newest=True)
                assert [one.id for one in before] == wanted[max(at - 2, 0) : at][::-1]
    assert FEW > 0


def test_a_page_after_a_tournament_that_is_not_there_is_refused(location: str) -> None:
    with Tournaments(location, create=True) as store:
        store.ask(id_of(1), opening(random.Random(1)))
        with refuses(Unknown, "store.no-such-tournament", tournament=id_of(2)):
            store.page(after=id_of(2))


def test_a_store_without_words_is_searched_all_the_same_and_gets_them_with_the_first_fact(
    tmp_path: Path,
) -> None:
    path = tmp_path / "open.db"
    with Tournaments(path, create=True) as store:
        grown(store, random.Random(3), 6, 40)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE words")

    with Tournaments(path) as store:
        for search in SEARCHES:
            assert [one.id for one in store.page(search)] == scan(store, search)
        store.ask(id_of(1), ask(ChangeRegulations, changes=RegulationChanges(name="Another")))
        need_right_words(store)
        assert [one.id for one in store.page(Search(name="another"))] == [id_of(1)]


def test_init_gives_words_to_a_store_that_has_none_and_mends_wrong_ones(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    with Tournaments(path, create=True) as store:
        grown(store, random.Random(4), 4, 20)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO words VALUES (77777, 'pstray', 1)")
    assert prepare(path)
    with Tournaments(path) as store:
        need_right_words(store)
    assert not prepare(path)


def test_parts_of_a_name_are_the_ends_of_its_words_in_each_spelling() -> None:
    assert parts_of("Cup") == {"cup", "up", "p"}
    assert {"koln", "koeln", "oln", "oeln"} <= parts_of("Köln")


def test_verify_tells_words_that_the_facts_do_not_give_and_the_doctor_makes_them_anew(location: str) -> None:
    with Tournaments(location, create=True) as store:
        grown(store, random.Random(5), 3, 20)
        first = store.tournaments()[1]
        store.backend.write_beside("DELETE FROM words WHERE first=?", [(first.first,)])
        store.backend.write_beside("INSERT INTO words VALUES (?, 'pforged', 1)", [(first.first,)])
        assert [one.text for one in verify_stored(store, first.id).findings] == [LIST_DIFFERS]

        assert store.make_catalogue(anew=True)

        need_right_words(store)
        assert verify_stored(store, first.id).findings == ()
