"""From the announcement to the prize-giving at the terminal, and a correction after it."""

import csv
import json
import sqlite3
from contextlib import closing

from paircard.domain.messages import Message
from paircard.domain.speaking import Speaker
from tests.cli.session import Terminal
from tests.refusals import sentence

FILE = """
sharing = "hort"
unit = 1
[[category]]
name = "women"
sex = "w"
[[category]]
name = "under 2000"
rating_below = 2000
[[prize]]
name = "main"
amounts = [100, 51]
[[prize]]
name = "best woman"
category = "women"
amount = 20
thing = "book"
"""


def announced(terminal: Terminal) -> None:
    terminal.write("prizes.toml", FILE)
    terminal.ok("new", "Open", "--rounds", "1")
    for name, rating, sex in (("Ada", "2100", "w"), ("Ben", "2000", "m"), ("Cleo", "1900", "w")):
        terminal.ok("player", "add", name, "--rating", rating, "--sex", sex)
    terminal.ok("player", "add", "Dag", "--rating", "1800")
    terminal.ok("announce", "prizes.toml")


def changed_for_ada() -> str:
    """What is said of Ada if her game is lost."""
    return sentence(
        "prizes.changed", people={1: "Ada"}, player=1, value="main 1 88", code="best woman 20 book"
    )


def replayed() -> str:
    """The line of a list of prizes that is computed again and comes out the same."""
    return sentence("cli.replay.prizes", value=sentence("verify.prizes", verdict="identical"), version=13)


def played(terminal: Terminal) -> None:
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair", "1")
    terminal.ok("publish", "1")
    terminal.ok("result", "1", "1", "1-0")
    terminal.ok("result", "1", "2", "1-0")


def test_the_walk_of_an_organiser(terminal: Terminal) -> None:
    announced(terminal)
    terminal.refuses("prizes-too-early", "award", last=0, rounds=1)
    played(terminal)

    shown = terminal.ok("prizes")
    assert sentence("prizes.sum", value="171", code="171", kind="0", id="EUR") in shown
    assert "Hort" in shown
    assert "Dag" in shown  # of whom nobody knows the sex
    group = terminal.ok("standings", "--category", "under 2000", "--csv").splitlines()
    assert [line.split(",")[4] for line in group[1:]] == ["Dag", "Cleo"]

    assert sentence("log.prizes-published", count=3, value="171") in terminal.ok("award")
    given_out = sentence("prizes.given-out", version=13)
    assert given_out in terminal.ok("prizes")
    same = sentence("verify.prizes", verdict="identical")
    assert sentence("cli.verify.prizes", value=same, version=13) in terminal.ok("verify").splitlines()
    assert [one["verdict"] for one in json.loads(terminal.ok("verify", "--json"))["prizes"]] == ["identical"]
    assert "main" in terminal.ok("prizes", "Ada")

    assert "Hort" in terminal.ok("prizes", "--html")
    for form in ("order", "certificates", "receipts"):
        assert "Ada" in terminal.ok("prizes", f"--{form}")
        assert "Ada" in terminal.ok("prizes", "Ada", f"--{form}")
    assert "Ben" not in terminal.ok("prizes", "Ada", "--receipts")
    terminal.warned("prizes-given", "correct", "1", "1", "0-1", "--why", "signed")
    terminal.ok("correct", "1", "1", "0-1", "--why", "signed", "--ack", "prizes-given")
    told = terminal.ok("prizes")
    assert changed_for_ada() in told
    assert given_out in told
    terminal.warned("prizes-again", "award", "--why", "a result was wrong")


def test_a_thing_that_somebody_does_not_get_is_named(terminal: Terminal) -> None:
    announced(terminal)
    terminal.write("prizes.toml", '[[prize]]\nname = "cup"\nthing = "a cup"\n')
    terminal.ok("announce", "prizes.toml")
    played(terminal)

    why = sentence("prizes.before", players=[1], people={1: "Ada"})
    not_cup = sentence("prizes.why-not", name="cup", value="a cup", reason=why)
    assert not_cup in terminal.ok("prizes", "Cleo").splitlines()


def test_a_file_with_a_word_that_is_not_known_changes_nothing(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "1")
    for text, code in (
        ("[[prize", "prizes.not-toml"),
        ('[[category]]\nname = "x"\nsex = "w"\nconditions = []', "prizes.key-unknown"),
        ("\n", "prizes.file-empty"),
        ("prize = 3", "prizes.not-a-table"),
        ('[[prize]]\nname = "x"\nsum = 3', "prizes.key-unknown"),
        ('[[prize]]\nname = "x"\namount = "1.234"', "not-an-amount"),
        ('[[category]]\nname = "x"\nyouth = "old"', "prizes.not-understood"),
        ('[[category]]\nname = "x"\nyouth = 16', "age-without-day"),
    ):
        terminal.write("prizes.toml", text)
        terminal.refuses(code, "announce", "prizes.toml")
    by_age = sentence("age-without-day", text="x", label="key_date")
    assert terminal.refused("announce", "prizes.toml").startswith(by_age)
    terminal.write("prizes.toml", '[[category]]\nname = "x"\nyouth = "old"')
    told = terminal.refused("announce", "prizes.toml")
    reason = "expected int, got str - at youth"
    assert told == f"prizes.toml: {sentence('prizes.not-understood', name='x', reason=reason)}"
    terminal.write("prizes.toml", "[[prize")
    broken = sentence("prizes.not-toml", reason="")  # the reason is Python's own
    assert terminal.refused("announce", "prizes.toml").startswith(f"prizes.toml: {broken}")


def test_before_round_1_the_announcement_is_shown_and_nobody_has_a_prize(terminal: Terminal) -> None:
    announced(terminal)

    shown = terminal.ok("prizes")
    assert [line.split()[:2] for line in shown.splitlines()[2:4]] == [["main", "1"], ["main", "2"]]
    assert "Ada" not in shown


def test_a_page_names_the_cup_that_nobody_gets_and_the_group_it_is_of(terminal: Terminal) -> None:
    terminal.write(
        "prizes.toml", FILE + '[[prize]]\nname = "third"\ncategory = "women"\nplace = 3\nthing = "vase"\n'
    )
    terminal.ok("new", "Open", "--rounds", "1")
    for name in ("Ada", "Ben"):
        terminal.ok("player", "add", name, "--sex", "w" if name == "Ada" else "m")
    terminal.ok("announce", "prizes.toml")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair", "1")
    terminal.ok("publish", "1")
    terminal.ok("result", "1", "1", "1-0")

    assert '<span class="sum">vase</span>' in terminal.ok("prizes", "--html")
    page = terminal.ok("standings", "--category", "women", "--html")
    heading, _, table = page.partition("<tbody>")
    assert "women" in heading
    assert "Ben" not in table
    assert "main 1" in terminal.ok("standings", "--html")

    words = ("leave-fide-mode", "--why", "club evening")
    terminal.ok(*words, "--ack", terminal.refused(*words).rpartition(" ")[2])
    for look in (("prizes",), ("standings", "--category", "women")):
        assert "OUT OF FIDE MODE" in terminal.ok(*look)
        names, first, *_ = csv.reader(terminal.ok(*look, "--csv").splitlines())
        assert names[-1] == "OUT OF FIDE MODE"
        assert len(names) == len(first) + 1


def test_every_list_has_the_fields_and_the_places_within_each_category(terminal: Terminal) -> None:
    announced(terminal)
    played(terminal)

    heading, first, *_ = terminal.ok("standings", "--csv").splitlines()
    line = dict(zip(heading.split(","), first.split(","), strict=True))
    assert (line["name"], line["sex"], line["women"], line["under 2000"]) == ("Ada", "w", "1", "")
    [ada, *_] = json.loads(terminal.ok("standings", "--json"))["standings"]
    assert (ada["sex"], ada["birth"], ada["club"], ada["groups"]) == ("w", "", "", {"women": 1})
    assert terminal.ok("player", "list", "--csv").splitlines()[1].endswith(",women")
    heading, first, *_ = terminal.run("standings", "--category", "women", "--csv").out.splitlines()
    line = dict(zip(heading.split(","), first.split(","), strict=True))
    inside = sentence("prizes.inside", name="women", causes=[Message("prizes.women")])
    assert (line["place"], line["place_of_all"], line["reason"]) == ("1", "1", inside)
    for asked in ("--json",), ("--json", "--running"):
        row = json.loads(terminal.ok("crosstable", *asked))["rows"][0]
        assert (row["name"], row["sex"], row["groups"]) == ("Ada", "w", {"women": 1})
    assert "women</bdi>" in terminal.ok("player", "list", "--html")
    of_both = Speaker().say(Message("cli.players.in", {"names": ("women", "under 2000")}))
    assert of_both in terminal.ok("player", "list")


def test_no_category_is_announced_and_the_way_to_announce_one_is_told(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "1")

    women, men = (("standings", "--category", name) for name in ("women", "men"))
    terminal.refuses("category-unknown", *women, text="women", known=())
    terminal.write("prizes.toml", FILE)
    terminal.ok("announce", "prizes.toml")
    terminal.refuses("category-unknown", *men, text="men", known=("women", "under 2000"))


def test_a_category_is_found_as_it_is_typed_and_by_a_beginning_no_other_has(terminal: Terminal) -> None:
    terminal.write("prizes.toml", FILE + '[[category]]\nname = "Under 2000 clubs"\nclub = "Trento"\n')
    terminal.ok("new", "Open", "--rounds", "1")
    terminal.ok("announce", "prizes.toml")

    for typed, name in (("WOMEN", "women"), ("wom", "women"), ("Under 2000", "under 2000"),
                        ("2000 clubs", "Under 2000 clubs")):  # fmt: skip
        assert json.loads(terminal.ok("standings", "--category", typed, "--json"))["category"] == name
    terminal.refuses("category-unknown", "standings", "--category", "under", text="under")


def test_the_words_a_category_may_have_are_listed_where_one_is_not_known(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "1")

    told = terminal.refused("standings", "--where", "elo=1800")
    assert "senior, key_date, unrated, sex" in told
    assert "conditions" not in told


def test_a_group_that_nobody_announced_has_places_of_its_own(terminal: Terminal) -> None:
    announced(terminal)
    played(terminal)

    def names(*conditions: str) -> list[tuple[int, str]]:
        asked = [word for one in conditions for word in ("--where", one)]
        found = json.loads(terminal.ok("standings", *asked, "--json"))
        return [(one["place"], one["standing"]["name"]) for one in found["players"]]

    assert names("rating<2000") == [(1, "Dag"), (2, "Cleo")]
    assert names("women", "rating>=2000") == [(1, "Ada")]
    assert names("Women", "Rating >= 2000") == [(1, "Ada")]
    assert names("unrated") == []
    for bad, code in (("ladies", "prizes.not-a-condition"), ("elo<1800", "prizes.key-unknown"),
                      ("rating<many", "prizes.not-understood"), ("U16", "age-without-day")):  # fmt: skip
        terminal.refuses(code, "standings", "--where", bad)


def test_why_not_and_what_a_player_needs(terminal: Terminal) -> None:
    announced(terminal)
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair", "1")
    terminal.ok("publish", "1")
    terminal.ok("result", "1", "1", "1-0")

    def reaches(first: int, last: int, name: str = "") -> Message:
        return Message("prizes.reaches", {"place": first, "last": last, "name": name})

    def brings(amount: str) -> Message:
        return Message("prizes.brings-just", {"value": amount, "code": amount, "id": "EUR"})

    best = Message("prizes.reach", {"place": 1, "name": "under 2000"})
    second = Message("prizes.brings-prizes", {"names": ("main 2",)})
    assert terminal.ok("prizes", "Dag").splitlines()[-3:] == [
        sentence("prizes.need", points=points, causes=causes)
        for points, causes in (
            (10, [reaches(1, 2), best, brings("63"), second]),
            (5, [reaches(2, 3), best, brings("13"), second]),
            (0, [reaches(3, 4), reaches(1, 2, "under 2000"), brings("0")]),
        )
    ]
    dag = terminal.ok("prizes", "--why-not", "Dag").splitlines()
    unknown = sentence("prizes.unknown", name="women", causes=[Message("prizes.field", {"label": "sex"})])
    assert sentence("prizes.why-not", name="best woman", value="20 + book", reason=unknown) in dag
    again = json.loads(terminal.ok("prizes", "--why-not", "Dag", "--json"))
    assert [one["prize"] for one in again["why_not"]][-1] == "best woman"


def test_a_correction_is_shown_with_the_prizes_it_would_change(terminal: Terminal) -> None:
    announced(terminal)
    played(terminal)

    told = terminal.ok("correct", "1", "1", "0-1", "--preview").splitlines()
    at = told.index(sentence("cli.what-if.prizes"))
    assert told[at + 1] == f"  {changed_for_ada()}"
    terminal.ok("correct", "1", "1", "0-1", "--why", "signed")
    assert f"  {changed_for_ada()}" in terminal.ok("diff", "12", "now").splitlines()


def test_a_corrected_field_moves_a_player_and_the_list_says_so(terminal: Terminal) -> None:
    announced(terminal)
    played(terminal)

    terminal.ok("player", "correct", "Dag", "--sex", "w", "--why", "asked")
    moved = sentence("prizes.moved", people={4: "Dag"}, name="women", players=[4])
    assert moved in terminal.ok("prizes").splitlines()


def test_after_the_prize_giving_whatever_may_move_a_prize_is_told(terminal: Terminal) -> None:
    announced(terminal)
    played(terminal)
    terminal.ok("award")

    for words in (
        ("correct", "1", "1", "0-1", "--why", "signed"),
        ("player", "correct", "Dag", "--sex", "w", "--why", "asked"),
        ("player", "expel", "Ada", "--why", "cheated"),
    ):
        terminal.warned("prizes-given", *words)
    terminal.ok("player", "correct", "Dag", "--sex", "w", "--why", "asked", "--ack", "prizes-given")


def test_the_list_given_out_is_computed_again(terminal: Terminal) -> None:
    announced(terminal)
    played(terminal)
    terminal.ok("award")

    assert replayed() in terminal.ok("replay").splitlines()
    assert json.loads(terminal.ok("replay", "--json"))["prizes"][0]["verdict"] == "identical"
    terminal.refuses("prizes-same", "award")
    terminal.ok("tables", "read.db")
    with closing(sqlite3.connect(terminal.folder / "read.db")) as db:
        named = "SELECT prize, name, cents, currency, thing FROM prizes JOIN players ON player = id"
        assert db.execute(f"{named} ORDER BY prize").fetchall()[0] == (
            "best woman", "Cleo", 2000, "EUR", "book",
        )  # fmt: skip
        women = "SELECT name, place FROM groups JOIN players ON player = id WHERE category = 'women'"
        assert sorted(db.execute(women).fetchall()) == [("Ada", 1), ("Cleo", 2)]


def test_programs_get_an_empty_list_where_no_prizes_are_announced(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "1")

    assert json.loads(terminal.ok("prizes", "--json"))["given"] == []
    assert terminal.ok("prizes", "--csv").count("\n") == 1
