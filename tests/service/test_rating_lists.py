"""Rating lists: read from the files of FIDE and others, looked up, and held against players."""

import io
import random
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from sqlite_utils import Database

from paircard.domain.errors import ForeignFile, Invalid, PaircardError, Unknown
from paircard.domain.messages import say
from paircard.domain.speaking import Speaker
from paircard.domain.state import Player
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import Regulations
from paircard.service.rating_lists.check import check_players, chosen_changes, day_of_check, identify
from paircard.service.rating_lists.files import ImportedList, import_list
from paircard.service.rating_lists.store import RatingLists, folded
from tests.refusals import refuses

HEAD = f"{'ID Number':<15}{'Name':<34}{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{'FOA':<4}"
"""The heading of FIDE's TXT lists, in its columns; the people are made up."""


def txt(month: str, *people: tuple[str, str, str, str, str, str, str]) -> str:
    lines = [f"{HEAD}{month:<6}{'Gms':<4}{'K':<3}{'B-day':<6}Flag"]
    for id, name, fed, sex, title, rating, birth in people:
        head = f"{id:<15}{name:<34}{fed:<4}{sex:<4}{title:<5}{'':<5}{'':<15}{'':<4}"
        lines.append(f"{head}{rating:<6}{'0':<4}{'20':<3}{birth:<6}")
    return "\n".join(lines) + "\n"


STANDARD = txt(
    "NOV26",
    ("100", "Østergård, Åse", "DEN", "F", "WIM", "2301", "1990"),
    ("200", "Smith, John", "ENG", "M", "", "1900", "1980"),
    ("201", "Smith, John", "ENG", "M", "", "1700", "2001"),
    ("300", "Smithson, Ann", "SCO", "F", "", "2400", "1970"),
)
RAPID = txt("NOV26", ("100", "Østergård, Åse", "DEN", "F", "WIM", "2250", "1990"))

XML = """<?xml version="1.0"?>
<playerslist>
<player><fideid>100</fideid><name>&#216;sterg&#229;rd, &#197;se</name><country>DEN</country><sex>F</sex>
<title>WIM</title><rating>2301</rating><k>20</k><rapid_rating>2250</rapid_rating>
<blitz_rating></blitz_rating><birthday>1990</birthday><flag>wi</flag></player>
<player><fideid></fideid><name>Nobody</name></player>
</playerslist>
"""


@pytest.fixture
def lists(tmp_path: Path) -> Iterator[RatingLists]:
    with RatingLists(tmp_path / "lists.db", create=True) as lists:
        yield lists


def notes_of(made: ImportedList) -> str:
    return "; ".join(map(Speaker().say, made.notes))


def given(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_the_standard_and_the_rapid_list_of_a_month_make_one(lists: RatingLists, tmp_path: Path) -> None:
    import_list(lists, given(tmp_path, "standard_rating_list.txt", STANDARD))
    made = import_list(lists, given(tmp_path, "rapid_rating_list.txt", RAPID))

    assert (made.list.name, made.list.valid, made.list.people) == ("fide", "2026-11-01", 4)
    person = lists.by_id(made.list, "100")
    assert person is not None
    assert (person.standard, person.rapid, person.title, person.sex) == (2301, 2250, "WIM", "w")


def test_xml_says_the_same_and_what_is_no_person_is_counted(lists: RatingLists, tmp_path: Path) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("players_list_xml_foa.xml", XML)
    path = given(tmp_path, "players.zip", archive.getvalue())

    with refuses(Invalid, "lists.without-day", file="players.zip"):
        import_list(lists, path)
    made = import_list(lists, path, valid="2026-11-01")

    assert made.notes == (say("lists.left-out", count=1, numbers=[6], there=0),)
    [person] = lists.find(made.list, "ostergard")
    assert (person.name, person.inactive) == ("Østergård, Åse", True)
    assert (person.standard, person.rapid) == (2301, 2250)


def test_any_csv_is_a_list_under_a_name_of_its_own(lists: RatingLists, tmp_path: Path) -> None:
    text = "Ident-No;Nachname;Vorname;DWZ;FIDE-ID\n77;Müller;Jörg;1850;4600001\n78;Weiß;Ina;1700;\n"
    made = import_list(
        lists, given(tmp_path, "verein.csv", text.encode("cp1252")), name="GER", valid="2026-10-01"
    )

    person = lists.by_fide_id(made.list, 4600001)
    assert person is not None
    assert (person.id, person.name, person.standard) == ("77", "Müller, Jörg", 1850)
    assert lists.find(made.list, "weiss")[0].id == "78"


def test_a_csv_may_say_days_sexes_and_titles_as_a_sheet_of_players_does(
    lists: RatingLists, tmp_path: Path
) -> None:
    text = 'id,name,rating,birth,sex,title\n7,"Rossi, Ada",1850,23.04.1990,female,wm\n'
    made = import_list(lists, given(tmp_path, "club.csv", text), name="club", valid="2026-10-01")

    [person] = lists.find(made.list, "rossi")
    assert (person.birth, person.sex, person.title) == ("1990-04-23", "w", "WIM")
    assert not made.notes


def test_what_a_list_says_and_is_not_taken_is_said(lists: RatingLists, tmp_path: Path) -> None:
    text = "PKZ;Spielername;DWZ;Elo;Geburt;Sex;Title;Shoe size\n7;Müller, Jörg;1850-35;1900;1975;x;NM;44\n"
    made = import_list(lists, given(tmp_path, "verein.csv", text), name="GER", valid="2026-10-01")

    [person] = lists.find(made.list, "muller")
    assert (person.standard, person.birth) == (0, "1975")
    assert notes_of(made) == (
        "standard: 1 value not understood, like '1850-35'; sex: 1 value not understood, like 'x'; "
        "title: 1 value not understood, like 'NM'; columns not taken: Elo, Shoe size"
    )


def test_a_look_up_ignores_accents_and_puts_the_best_match_first(lists: RatingLists, tmp_path: Path) -> None:
    found = import_list(lists, given(tmp_path, "standard_nov26.txt", STANDARD)).list

    assert [person.id for person in lists.find(found, "SMITH")] == ["200", "201", "300"]
    assert [person.id for person in lists.find(found, "john smi")] == ["200", "201"]
    assert [person.id for person in lists.find(found, "åse")] == ["100"]
    assert [person.id for person in lists.find(found, "300")] == ["300"]
    for text in ("", "*", '"', "a OR b", "x'; DROP TABLE lists;--", "9" * 5000, "NEAR(", "\0"):
        assert lists.find(found, text) == []


def test_the_list_of_a_day_is_the_newest_that_was_valid(lists: RatingLists, tmp_path: Path) -> None:
    for month in ("SEP26", "OCT26", "NOV26"):
        import_list(lists, given(tmp_path, "list.txt", STANDARD.replace("NOV26", month)))

    assert lists.newest(on="2026-10-31").valid == "2026-10-01"
    assert lists.newest().valid == "2026-11-01"
    with refuses(Unknown, "lists.not-valid-then", text="fide", day="2026-08-31"):
        lists.newest(on="2026-08-31")
    with refuses(Unknown, "lists.unknown", text="GER", known=("fide",)):
        lists.newest("GER")


EVENT = Regulations(name="Open", rounds=5, starts="2026-11-16", ends="2026-11-20")


def player(id: int, name: str, **details: object) -> Player:
    return Player(id=id, details=Details(name=name, **details))  # type: ignore[arg-type]


def test_players_are_held_against_the_list_and_only_the_chosen_are_changed(
    lists: RatingLists, tmp_path: Path
) -> None:
    found = import_list(lists, given(tmp_path, "standard_nov26.txt", STANDARD)).list
    players = (
        player(1, "Ostergard, Ase", fide_id=100, rating=2290, rating_source="FIDE standard"),
        player(2, "Smith, John", birth="2001-05-06", rating=1750),
        player(3, "Smith, John"),
        player(4, "Smithson, Ann", fide_id=300, fide_rating=2400, rating=2400, federation="SCO", sex="w",
               birth="1970-01-01"),
    )  # fmt: skip

    checked = check_players(lists, found, EVENT, players, "2026-11-16")

    first, second = checked.differences
    assert ("rating", "2290", "2301") in first.fields
    assert ("name", "Ostergard, Ase", "Østergård, Åse") in first.fields
    assert second.by_hand
    assert [one.player for one in checked.unlisted] == [3]
    assert [person.id for person in checked.unlisted[0].candidates] == ["200", "201"]
    assert checked.note == ""
    [(id, changes)] = chosen_changes(checked.differences, [2])
    assert (id, changes.rating, changes.fide_rating) == (2, Changes().rating, 1700)
    [(_, changes)] = chosen_changes(checked.differences, [2], also_by_hand=True)
    assert (changes.rating, changes.rating_source) == (1700, "FIDE standard")


@pytest.mark.parametrize("name", ["Müller, Jürgen", "Jürgen Müller", "Muller, Jürgen", "Mueller Juergen"])
def test_a_list_without_umlauts_knows_who_is_meant(lists: RatingLists, tmp_path: Path, name: str) -> None:
    text = 'id,name,dwz\n5,"Mueller, Juergen",1900\n6,"Mueller, Jan",1700\n'
    found = import_list(lists, given(tmp_path, "club.csv", text), name="club", valid="2026-11-01").list
    details = Details(name=name)
    if name == "Muller, Jürgen":
        assert identify(lists, found, details) is None  # a u without its dots is no ü for sure
    else:
        listed = identify(lists, found, details)
        assert listed is not None
        assert listed.id == "5"


def test_an_old_list_is_said_to_be_old(lists: RatingLists, tmp_path: Path) -> None:
    found = import_list(lists, given(tmp_path, "l.txt", STANDARD.replace("NOV26", "OCT26"))).list

    checked = check_players(lists, found, EVENT, (), "2026-11-16")

    assert checked.message == say(
        "lists.of-another-month", first_day="2026-10-01", day="2026-11-16", when="2026-11"
    )


def test_a_long_event_goes_by_the_list_of_the_day_of_the_check() -> None:
    long = Regulations(name="League", rounds=5, starts="2026-09-01", ends="2027-05-01")

    assert day_of_check(EVENT, "2026-11-18") == "2026-11-16"
    assert day_of_check(long, "2026-11-18") == "2026-11-18"
    month = structs.replace(EVENT, starts="2026-10-19", ends="2026-11-18")
    assert month.days == 31
    assert day_of_check(month, "2026-11-17") == "2026-11-17"
    assert day_of_check(structs.replace(month, ends="2026-11-17"), "2026-11-17") == "2026-10-19"
    assert day_of_check(Regulations(name="No dates", rounds=5), "2026-11-18") == "2026-11-18"


def test_names_are_compared_without_accents_and_signs() -> None:
    assert folded("Łukasz Đorđević-Ørsted") == "lukasz dordevic orsted"
    assert folded("  O'Neill,  SEÁN ") == "o neill sean"


@pytest.mark.parametrize(
    ("name", "content", "code", "fields"),
    [
        ("nov26.txt", "", "lists.not-the-columns", {"text": ""}),
        ("nov26.txt", "ID Number\n", "lists.not-fides", {}),
        ("nov26.csv", "a,b\n1,2\n", "lists.not-the-columns", {"text": "a, b "}),
        ("nov26.csv", "id,name,rating\n" + "x" * 5000, "lists.line-too-long", {"line": 2, "most": 2000}),
        ("nov26.csv", "id,name,rating\n", "lists.nobody", {"file": "nov26.csv"}),
        ("nov26.xml", "<playerslist><player>", "lists.xml-damaged", {}),
        ("nov26.xml", "<a>" * 50, "lists.nested", {}),
        ("nov26.xml", '<!DOCTYPE l [<!ENTITY a "b">]><l>&a;</l>', "lists.entities", {}),
        ("nov26.zip", b"PK\x05\x06" + bytes(18), "lists.not-one", {"count": 0}),
    ],
)
def test_what_is_no_list_is_refused_and_leaves_nothing(
    lists: RatingLists, tmp_path: Path, name: str, content: str | bytes, code: str, fields: dict[str, Any]
) -> None:
    with refuses(Invalid, code, **fields):
        import_list(lists, given(tmp_path, name, content))

    assert lists.lists() == []


def test_a_zip_bomb_is_refused_before_it_is_read(lists: RatingLists, tmp_path: Path) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("standard_nov26.txt", bytes(200 << 20))

    with refuses(Invalid, "lists.would-grow", count=200 << 20):
        import_list(lists, given(tmp_path, "bomb.zip", archive.getvalue()))


def test_a_file_of_something_else_is_not_touched(tmp_path: Path) -> None:
    path = given(tmp_path, "notes.txt", "my notes, not a database, and longer than a hundred bytes " * 3)

    with pytest.raises(ForeignFile):
        RatingLists(path)
    assert path.read_text().startswith("my notes")
    with refuses(Unknown, "lists.none-there"):
        RatingLists(tmp_path / "missing.db")


def test_mangled_lists_are_read_or_refused_and_nothing_else(lists: RatingLists, tmp_path: Path) -> None:
    chance = random.Random(20)
    table = "id,name,rating\n1,A,2000\n"
    sources = [("standard_nov26.txt", STANDARD), ("nov26.xml", XML), ("nov26.csv", table)]
    read = refused = 0
    for _ in range(300):
        name, text = chance.choice(sources)
        data = bytearray(text.encode())
        for _ in range(chance.randint(1, 20)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 4))
        try:
            import_list(lists, given(tmp_path, name, bytes(data)))
            read += 1
        except PaircardError:
            refused += 1

    assert min(read, refused) > 20


@pytest.mark.parametrize("encoding", ["gTF-8", "utf-7", "idna", "big5", "base64"])
def test_xml_in_an_encoding_that_nobody_knows_is_refused(
    encoding: str, lists: RatingLists, tmp_path: Path
) -> None:
    text = XML.replace('<?xml version="1.0"?>', f'<?xml version="1.0" encoding="{encoding}"?>')

    with refuses(Invalid, "lists.xml-damaged"):
        import_list(lists, given(tmp_path, "list.xml", text), valid="2026-11-01")


def test_a_file_of_an_earlier_version_is_still_read_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "lists.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            "PRAGMA application_id=0x50434C53;"
            "CREATE TABLE lists (number INTEGER PRIMARY KEY, name TEXT NOT NULL, valid TEXT NOT NULL,"
            " people INTEGER NOT NULL, source TEXT NOT NULL, UNIQUE (name, valid));"
            "CREATE TABLE daily (name TEXT PRIMARY KEY, address TEXT, fetched TEXT, tried TEXT);"
            "INSERT INTO lists VALUES (1, 'fide', '2026-11-01', 1, 'nov26.txt');"
            "CREATE TABLE people_1 (place INTEGER PRIMARY KEY, id, name, federation, sex, title, birth,"
            " fide_id, standard, rapid, blitz, k_factor, inactive);"
            "INSERT INTO people_1 VALUES (1, '100', 'Østergård, Åse', 'DEN', 'w', 'WIM', '1990', 100, 2301,"
            " 0, 0, 20, 0);"
            "CREATE UNIQUE INDEX ids_1 ON people_1 (id);"
            "CREATE VIRTUAL TABLE names_1 USING"
            " fts5(name, content='', prefix='1 2 3', detail=none, tokenize='ascii');"
            "INSERT INTO names_1 (rowid, name) VALUES (1, 'ostergard ase');"
        )
    with RatingLists(path) as lists:
        [person] = lists.find(lists.newest(), "øster")
        made = import_list(lists, given(tmp_path, "rapid_nov26.txt", RAPID)).list
        [both] = lists.find(made, "øster")

    assert (person.id, person.standard, person.rapid) == ("100", 2301, 0)
    assert (both.standard, both.rapid, made.people) == (2301, 2250, 1)


def test_how_far_an_import_has_come_is_told_in_bytes(lists: RatingLists, tmp_path: Path) -> None:
    path = given(tmp_path, "standard_nov26.txt", STANDARD)
    told: list[tuple[int, int]] = []
    import_list(lists, path, progress=lambda done, total: told.append((done, total)))

    size = path.stat().st_size
    assert told[-1] == (size, size)
    assert {total for _, total in told} == {size}


def test_names_are_found_by_any_program_that_knows_full_text_search(
    lists: RatingLists, tmp_path: Path
) -> None:
    made = import_list(lists, given(tmp_path, "standard_nov26.txt", STANDARD)).list

    with closing(Database(str(lists.path))) as db:
        people = db.table(f"people_{made.number}")
        assert [row["id"] for row in people.search("ostergard")] == ["100"]
