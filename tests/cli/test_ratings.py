"""Ratings that are known: which lists count, and that nobody is seeded as unrated in silence."""

import pytest

from paircard.domain.messages import say
from tests.cli.session import Terminal
from tests.refusals import sentence

CLUB = "Name;DWZ\nZabel;2100\nAdler;1500\nMoser;1800\nBerg;1700\n"
READY = "paircard change --rating-lists standard,rapid,blitz,national"
LISTS = ("standard", "rapid", "blitz", "national")


@pytest.fixture
def opened(terminal: Terminal) -> Terminal:
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("draw", "--colour", "white")
    return terminal


def order(terminal: Terminal) -> list[str]:
    """Names in the order of the start list."""
    return [word for word in terminal.ok("player", "list").split() if f"\n{word};" in CLUB]


def test_a_list_with_national_ratings_only_says_what_becomes_of_them(opened: Terminal) -> None:
    sheet = opened.write("p.csv", CLUB)
    seen = opened.ok("player", "import", sheet, "--preview")
    assert sentence("cli.players.new", line=2, name="Zabel", rating=0) in seen
    told = opened.ok("player", "import", sheet)
    assert sentence("cli.players.registered", entered=4) in told
    for said in (seen, told):
        assert sentence("ratings-not-used", count=4, lists=LISTS) in said
        assert READY in said

    opened.warned("ratings-not-used", "pair", count=4, lists=LISTS)
    assert opened.refused("pair").endswith("--ack ratings-not-used")

    changed = opened.ok(*READY.split()[1:])
    lists = say("log.changed", label="rating_lists", value=" ".join(LISTS))
    assert sentence("log.tournament-details-changed", changes=(lists,)) in changed
    rating = say("log.changed", label="rating", value="2100")
    source = say("log.changed", label="rating_source", value="national")
    assert sentence("log.player-details-corrected", name="Zabel", changes=(rating, source)) in changed
    assert "rating lists     standard, rapid, blitz, national" in opened.ok("show")
    assert opened.ok("pair").count("\n") > 3
    assert order(opened) == ["Zabel", "Moser", "Berg", "Adler"]


def test_those_without_an_elo_of_a_list_with_both_are_named(opened: Terminal) -> None:
    sheet = opened.write("p.csv", "Name;Elo;DWZ\nZabel;2100;2000\nAdler;;1500\n")
    assert sentence("ratings-not-used", count=1, lists=LISTS) in opened.ok("player", "import", sheet)


def test_a_list_that_counts_says_nothing(opened: Terminal) -> None:
    told = opened.ok("player", "import", opened.write("p.csv", "Name;Elo\nZabel;2100\nAdler;\n"))
    assert told == sentence("cli.players.registered", entered=2) + "\n"
    opened.ok("pair", "--ack", "too-many-rounds")


def test_an_entry_with_a_rating_that_does_not_count_says_so(opened: Terminal) -> None:
    assert READY in opened.ok("player", "add", "Aa", "--national-rating", "1800")


def test_a_rating_that_was_typed_in_stays_when_the_lists_change(opened: Terminal) -> None:
    opened.ok("player", "import", opened.write("p.csv", CLUB))
    opened.ok("player", "add", "Typed", "--rating", "1900", "--national-rating", "1000")
    opened.ok("player", "add", "Listed", "--fide-rating", "2000", "--national-rating", "1950")
    told = opened.ok("change", "--rating-lists", "national")
    assert "Typed" not in told
    assert "Listed corrected: rating 1950; rating source national" in told
    opened.ok("undo")
    listed = opened.ok("player", "list")
    assert "2000" in next(line for line in listed.splitlines() if "Listed" in line)
    assert "–" in next(line for line in listed.splitlines() if "Zabel" in line)
    opened.ok("verify")


def test_the_k_factor_and_the_sex_of_a_sheet_are_read(opened: Terminal) -> None:
    rows = "Zabel,2100,20,F,23/04/1990\nAdler,2000,40,m,1991\n"
    sheet = opened.write("p.csv", f"Name,Elo,K,Sexo,Fecha nac.\n{rows}")
    opened.ok("player", "import", sheet)
    found = opened.ok("export", "players")
    assert "1990/04/23;;w" in found
    opened.ok("pair", "--ack", "too-many-rounds")
    opened.ok("publish")
    opened.ok("result", "1", "1", "1-0")
    assert " 0.64  20 " in opened.ok("export", "performance")


def test_a_sex_is_typed_as_a_sheet_has_it(opened: Terminal) -> None:
    opened.ok("player", "add", "Eva", "--sex", "F", "--rating", "2000")
    assert ";w;" in opened.ok("export", "players")
    opened.ok("player", "correct", "Eva", "--sex", "m")
    opened.refuses("sex-unknown", "player", "add", "Ben", "--sex", "x")


@pytest.mark.parametrize(
    "heading",
    [
        "Apellidos,Nombre,Sexo,Federación,Fecha nac.",
        "Cognome,Nome,Sesso,Federazione,Data di nascita",
        "Cognome,Nome,Genere,Nazione,Anno di nascita",
        "Nom,Prénom,Sexe,Fédération,Date de naissance",
        "Apellido,Nombres,Género,País,Año de nacimiento",
    ],
)
def test_columns_in_other_languages(opened: Terminal, heading: str) -> None:
    opened.ok("player", "import", opened.write("p.csv", f"{heading}\nRossi,Anna,F,ITA,1990\n"))
    line = opened.ok("player", "list", "--csv").splitlines()[1]
    assert '"Rossi, Anna"' in line
    assert "ITA" in line
    assert "1990" in line


def test_a_column_that_is_not_used_is_named(opened: Terminal) -> None:
    sheet = opened.write("p.csv", "No,Name,Elo,Group,Type\n1,Zabel,2100,U16,\n2,Adler,2000,,\n")
    done = opened.run("player", "import", sheet)
    unused = sentence("cli.players.unused-columns", known=["'Group'"])
    assert done.err == f"paircard: p.csv: {unused}\n"
    assert done.out == sentence("cli.players.registered", entered=2) + "\n"


def test_those_who_get_a_number_are_counted(opened: Terminal) -> None:
    opened.ok("player", "import", opened.write("p.csv", "Name,Elo\nA,2100\nB,2000\nC,1900\n"))
    opened.ok("player", "withdraw", "C")
    numbered = sentence("log.pairing-numbers-assigned", cause="initial", entered=2)
    assert numbered in opened.ok("pair", "--ack", "too-many-rounds")
